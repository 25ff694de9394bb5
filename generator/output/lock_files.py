"""Type locks on disk."""

from ..text.diag import Diagnostics
from ..types import typelock
from ..types.type_info import TypeInfo
from . import writer


def write_lock(path: str, info: TypeInfo, diagnostics: Diagnostics) -> bool:
    """Writes a lock if it says something else now. True: it was written."""
    wanted = typelock.text(info)
    try:
        with open(path, "rb") as file:
            if file.read() == wanted.encode("utf-8"):
                return False
    except OSError:
        pass
    return writer.write_output(path, wanted, diagnostics)
