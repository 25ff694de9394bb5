"""Type locks on disk."""

from ..text.diag import Diagnostics
from ..types import typelock
from ..types.type_info import TypeInfo
from . import writer


def write_lock(path: str, info: TypeInfo, diagnostics: Diagnostics, folder: str = "") -> bool:
    """Writes a lock if it says something else now. True: it was written. Other files stay, and so does what lies outside of
    `folder`, that of the specs, if it is given."""
    if folder and not writer.is_inside(path, folder):
        diagnostics.error("BSP0404", "'%s' would lie outside of the folder of its spec" % path,
                          help="remove the link that leads elsewhere")
        return False
    wanted = typelock.text(info)
    present = typelock.text_of(path)
    if present.strip() and not typelock.is_lock(present):
        diagnostics.error("BSP0402", "'%s' is no type lock, and is not overwritten" % path, help="move it away")
        return False
    return present != wanted and writer.write_output(path, wanted, diagnostics)
