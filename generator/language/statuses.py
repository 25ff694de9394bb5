"""What a call of a container may return: each status with its number and meaning."""

from typing import Dict, NamedTuple, Tuple


class Status(NamedTuple):
    """A status of one container."""

    name: str
    number: int
    doc: str


STATUSES: Dict[str, Tuple[int, str]] = {
    "OK": (0, "done"),
    "QUEUED": (1, "pending in the journal until the container is unlocked"),
    "DUPLICATE": (2, "it is in the container already"),
    "ABSENT": (3, "it is not in the container"),
    "FULL": (4, "the container is full"),
    "NO_MEMORY": (5, "the allocator returned NULL"),
    "STALE": (6, "the element of the handle has been removed"),
    "BUSY": (8, "the limit of live passes is reached"),
    "REPLACED": (9, "it has replaced an equal element"),
    "RANGE": (10, "its key is too large for the table"),
    "CORRUPT": (11, "what was read is damaged, or is no saved container"),
    "OTHER_TYPE": (12, "what was read was saved from a container of another kind, or with other members"),
    "OTHER_VERSION": (13, "what was read has another version"),
    "IO": (14, "the callback returned false"),
    "CYCLE": (15, "its new parent is the element itself or one of its descendants"),
    "FOREIGN": (7, "it is in another container, or what it knows of its container was never zeroed"),
}
BY_NUMBER: Dict[int, str] = {number: name for name, (number, _) in STATUSES.items()}
