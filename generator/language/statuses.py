"""What a call of a container may return: each status with its number and meaning."""

from typing import Dict, Tuple

STATUSES: Dict[str, Tuple[int, str]] = {
    "OK": (0, "done"),
    "QUEUED": (1, "waits in the journal until the container is unlocked"),
    "DUPLICATE": (2, "it is in already"),
    "ABSENT": (3, "it is not in"),
    "FULL": (4, "there is no room for more elements"),
    "NO_MEMORY": (5, "the allocator gave none"),
    "STALE": (6, "the handle's element is gone"),
    "BUSY": (8, "as many passes are live already as there may be"),
    "REPLACED": (9, "it has taken the place of one that was equal"),
    "RANGE": (10, "its key is larger than the table has entries for"),
    "FOREIGN": (7, "it is in another container, or its index member was never zeroed"),
}
