"""From the path of a file to its bytes, and of a YAML file to its text, with whatever can be wrong on the way."""

from __future__ import annotations

import errno
import os
import stat
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from .diag import Diagnostics, Source
from .suggestions import did_you_mean

MAX_BYTES = 1 << 20


_SPECIAL = ((stat.S_ISFIFO, 'a FIFO'), (stat.S_ISSOCK, 'a socket'), (stat.S_ISCHR, 'a device'), (stat.S_ISBLK, 'a device'))


def special(mode: int) -> Optional[OSError]:
    """Why a file of this mode is neither read nor replaced: to open a FIFO would wait, and a device may never end. Folders
    fail by themselves."""
    what = next((words for is_it, words in _SPECIAL if is_it(mode)), None)
    return None if what is None else OSError(errno.EINVAL, 'it is not a regular file, but %s' % what)


def unreadable(path: str) -> str:
    """Why what is there is no file to read, as a FIFO or a folder is none; '' if it is one, or if nothing is there."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return ''
    problem = special(mode)
    return 'it is a folder' if stat.S_ISDIR(mode) else '' if problem is None else str(problem.strerror)


def read_bytes(path: str, most: int = -1) -> bytes:
    """The bytes of a regular file, at most so many of them; anything else is an OSError."""
    problem = special(os.stat(path).st_mode)
    if problem is not None:
        raise problem
    with open(path, 'rb') as file:
        return file.read(most)


_Read = Tuple[str, Optional[bytes]]  # the path as it was given, and the bytes; None: read twice, and not the same
_inputs: Dict[str, Dict[int, _Read]] = {}  # by absolute path, and by how much was read at most


def read_input(path: str, most: int = -1) -> bytes:
    """As read_bytes, of a file that the output follows from: what is read is kept, to be compared at the end."""
    data = read_bytes(path, most)
    reads = _inputs.setdefault(os.path.abspath(path), {})
    if reads.setdefault(most, (path, data))[1] != data:
        reads[most] = (path, None)
    return data


def changed_inputs() -> List[str]:
    """The inputs that are not what they were when they were read: half of such a file may have been read, and no later run
    would know."""
    found = []
    for place, reads in _inputs.items():
        for most, (path, data) in reads.items():
            try:
                same = data is not None and read_bytes(place, most) == data
            except OSError:
                same = False
            if not same:
                found.append(path)
    return found


def read_inputs() -> List[str]:
    """The inputs, as absolute paths."""
    return list(_inputs)


# What was looked for and is not there, and the folder that the search began in: by absolute paths.
_missing: Dict[str, str] = {}


def there(path: str, start: str, of: Callable[[str], bool] = os.path.lexists) -> bool:
    """Is there a file that the output would follow from? Where it is not, that is an input, too: see `folders_of_missing`.
    `start` is the folder that the search of it began in."""
    found = of(path)
    if not found:
        _missing[os.path.abspath(path)] = os.path.abspath(start or os.curdir)
    return found


def folders_of_missing(unwatched: Sequence[str] = ()) -> List[str]:
    """The folders that change when a file appears that was looked for: the innermost that is there. Of what would lie in
    `unwatched` or its folders none, and none of a place in a search path that is itself not there."""
    away = [os.path.join(os.path.abspath(place), "") for place in unwatched]
    found: Dict[str, None] = {}
    for path, start in _missing.items():
        if os.path.isdir(start) and not any(path.startswith(place) for place in away):
            folder = os.path.dirname(path)
            while not os.path.isdir(folder):
                folder = os.path.dirname(folder)
            found[folder] = None
    return list(found)


def forget_input(path: str) -> None:
    """Of a file that this run has written or removed itself."""
    _inputs.pop(os.path.abspath(path), None)


def forget_folder(folder: str) -> None:
    """Of all files below a folder that this run has made and removed itself."""
    below = os.path.join(os.path.abspath(folder), '')
    for path in [path for path in _inputs if path.startswith(below)]:
        del _inputs[path]


def forget_inputs() -> None:
    """Of all, when a run begins."""
    _inputs.clear()
    _missing.clear()


def read_source(path: str, shown: str, diagnostics: Diagnostics) -> Optional[Source]:
    """The text of a file, or None and a diagnostic. `shown`: how messages call it."""
    data = _bytes_of(path, shown, diagnostics)
    return None if data is None else _decode(data, shown, diagnostics)


def _bytes_of(path: str, shown: str, diagnostics: Diagnostics) -> Optional[bytes]:
    """The bytes of a file, or None and a diagnostic."""
    try:
        data = read_input(path, MAX_BYTES + 1)
    except IsADirectoryError:
        diagnostics.error('BSP0001', "cannot read '%s': it is a folder" % shown, help=_specs_in(path))
        return None
    except FileNotFoundError:
        diagnostics.error('BSP0001', "cannot read '%s': there is no such file" % shown, help=_similar_file(path))
        return None
    except (OSError, ValueError) as problem:
        # ValueError: a NUL in the path. Windows reports folders as lacking permission.
        reason = getattr(problem, 'strerror', None) or str(problem)
        if getattr(problem, 'errno', None) == errno.EACCES and _is_folder(path):
            reason = 'it is a folder'
        diagnostics.error('BSP0001', "cannot read '%s': %s" % (shown, reason[:1].lower() + reason[1:]))
        return None
    if len(data) > MAX_BYTES:
        diagnostics.error('BSP0003', "'%s' is larger than 1 MiB, which no spec may be" % shown)
        return None
    return data


def _is_folder(path: str) -> bool:
    try:
        return os.path.isdir(path)
    except ValueError:
        return False


def _listing(folder: str) -> List[str]:
    try:
        return sorted(os.listdir(folder or os.curdir))[:2000]
    except (OSError, ValueError):
        return []


def _similar_file(path: str) -> Optional[str]:
    folder, base = os.path.split(path)
    if folder and not os.path.isdir(folder):
        return "the folder '%s' does not exist" % folder
    guess = did_you_mean(base, _listing(folder))
    return "did you mean '%s'?" % os.path.join(folder, guess) if guess else None


def _specs_in(path: str) -> Optional[str]:
    specs = [entry for entry in _listing(path) if entry.endswith(('.yaml', '.yml'))]
    if not specs:
        return 'name a file'
    return 'name a file; the folder holds ' + ', '.join(specs[:5]) + (', ...' if len(specs) > 5 else '')


def _decode(data: bytes, shown: str, diagnostics: Diagnostics) -> Optional[Source]:
    """The text of a file, or None and a diagnostic."""
    if data.startswith((b'\xff\xfe', b'\xfe\xff')):
        diagnostics.error('BSP0002', "'%s' is UTF-16, not UTF-8" % shown, help='save the file as UTF-8')
        return None
    if data.startswith(b'\xef\xbb\xbf'):
        data = data[3:]
    try:
        return Source(shown, data.decode('utf-8'))
    except UnicodeDecodeError as problem:
        start = problem.start
        # The rest is needed for the excerpt only; backslashreplace shows the bytes as \xNN.
        source = Source(shown, data.decode('utf-8', 'backslashreplace'))
        offset = len(data[:start].decode('utf-8'))
        diagnostics.error(
            'BSP0002', 'byte 0x%02x at offset %d is not UTF-8' % (data[start], start), source.span(offset, offset + 4),
            help='save the file as UTF-8')
        return None
