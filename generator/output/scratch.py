"""Temporary folders. One that a killed process has left is removed by the next run that needs one in the same place."""

import os
import re
from typing import Optional

try:
    import fcntl
except ImportError:  # Windows, where what was left stays
    fcntl = None  # type: ignore

_PREFIX, _ENDING = ".bespoke-", ".tmp"


class Scratch:
    """A folder for files, none below another. It is locked as long as its process lives, which is how others know."""

    def __init__(self, parent: str, prefix: str = _PREFIX):
        remove_abandoned(parent, prefix)
        number = 0
        while True:
            self.path = os.path.join(parent, "%s%d-%d%s" % (prefix, os.getpid(), number, _ENDING))
            number += 1
            try:
                os.mkdir(self.path, 0o700)
            except FileExistsError:
                continue
            self._lock = _locked(self.path, wait=True)
            if fcntl is None or os.path.isdir(self.path):
                return

    def __enter__(self) -> "Scratch":
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    def file(self, name: str) -> str:
        return os.path.join(self.path, name)

    def remove(self) -> None:
        _remove(self.path)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _locked(path: str, wait: bool) -> Optional[int]:
    """A lock on a folder of this user's, or None. Without locks, no folder of another process is removed."""
    if fcntl is None:
        return None
    try:
        lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        if os.fstat(lock).st_uid == os.getuid():
            fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            return lock
    except OSError:
        pass
    os.close(lock)
    return None


def remove_abandoned(parent: str, prefix: str = _PREFIX) -> None:
    """Removes what killed processes have left in a folder."""
    try:
        names = os.listdir(parent)
    except OSError:
        return
    for name in names:
        if re.fullmatch(r"%s\d+-\d+%s" % (re.escape(prefix), re.escape(_ENDING)), name):  # no name but ours
            lock = _locked(os.path.join(parent, name), wait=False)
            if lock is not None:
                _remove(os.path.join(parent, name))
                os.close(lock)


def _remove(path: str) -> None:
    try:
        for name in os.listdir(path):
            os.unlink(os.path.join(path, name))
        os.rmdir(path)
    except OSError:
        pass  # it stays, as it would without this
