"""libclang: where it is found, and the numbers of its interface.

It is loaded only when a type is read. Only what all its versions have in common is used: kinds are compared by number, since
bindings and library may be of different versions, and each knows its own names.
"""

import atexit
import ctypes.util
import glob
import importlib
import os
import re
import sys
from typing import Any, Iterator, List, Optional, Tuple

from ..text.diag import Diagnostics

INSTALL = "apt-get install python3-clang"
_LIBRARIES = ("/usr/lib/llvm-*/lib/libclang-*.so*", "/usr/lib/llvm-*/lib/libclang.so*", "/usr/lib/*/libclang-*.so*",
              "/usr/lib/*/libclang.so*", "/usr/lib64/libclang.so*", "/usr/lib/libclang.so*", "/usr/local/lib/libclang.so*",
              "/opt/homebrew/opt/llvm/lib/libclang.dylib", "/usr/local/opt/llvm/lib/libclang.dylib",
              "/Library/Developer/CommandLineTools/usr/lib/libclang.dylib", "C:/Program Files/LLVM/bin/libclang.dll")
_BINDINGS = ("/usr/lib/python3/dist-packages", "/usr/lib/llvm-*/lib/python3*/site-packages",
             "/usr/lib/python3*/site-packages", "/usr/lib64/python3*/site-packages")

# Numbers of libclang's interface, which never change.
STRUCT, UNION, ENUM, TYPEDEF = 2, 3, 5, 20
VOID, POINTER, BLOCK, RECORD, ENUMERATION, FUNCTIONS, VECTORS = 2, 101, 102, 105, 106, (110, 111), (113, 176)
ARRAYS = (112, 114, 115, 116)


class Unavailable(Exception):
    """libclang is not there, or cannot be used."""


class Library:
    """libclang with its bindings, found once."""

    def __init__(self) -> None:
        self.cindex: Any = None
        self.index: Any = None
        self.path = ""
        self.problem: Optional[str] = None

    def load(self) -> None:
        if self.problem is not None:
            raise Unavailable(self.problem)
        if self.index is not None:
            return
        try:
            self.cindex = self._bindings()
            self._library()
        except Unavailable as error:
            self.problem = str(error)
            raise

    def _bindings(self) -> Any:
        try:
            return importlib.import_module("clang.cindex")
        except Exception as error:  # an installation may be broken in any way
            reason = error
        # The bindings are of nothing but Python, so those of another interpreter do as well.
        for pattern in _BINDINGS:
            for folder in sorted(glob.glob(pattern), key=by_version, reverse=True):
                if not os.path.isfile(os.path.join(folder, "clang", "cindex.py")):
                    continue
                sys.path.append(folder)
                for name in [name for name in sys.modules if name.split(".")[0] == "clang"]:
                    del sys.modules[name]
                importlib.invalidate_caches()
                try:
                    return importlib.import_module("clang.cindex")
                except Exception as error:
                    reason = error
                finally:
                    sys.path.remove(folder)
        raise Unavailable("there is no Python module clang.cindex" if isinstance(reason, ImportError) else
                          "the Python module clang.cindex is broken: %s" % reason)

    def _library(self) -> None:
        config = self.cindex.Config
        # Of functions that only newer libraries have, none is used here.
        config.compatibility_check = False
        named = os.environ.get("BESPOKE_LIBCLANG")
        reason = ""
        for path in [named] if named else self._candidates():
            if path:
                config.library_file = path
            try:
                vars(self.cindex.conf).pop("lib", None)
                self.index = self.cindex.Index.create()
                self.path = path or self.cindex.conf.get_filename()
                atexit.register(self._release)
                return
            except Exception as error:  # LibclangError; OSError; AttributeError of a library that is none
                reason = reason or str(error).split(". To provide a path")[0]
        raise Unavailable("libclang cannot be loaded: %s" % (reason or "there is none"))

    def _release(self) -> None:
        """Destroys the index while the bindings are still there: when Python clears modules at its end, they may be cleared
        first."""
        self.index = None

    def _candidates(self) -> Iterator[str]:
        """Libraries, the one first that the bindings look for by themselves."""
        yield ""
        beside = os.path.join(os.path.dirname(self.cindex.__file__), "native")
        for pattern in (os.path.join(beside, "libclang.*"),) + _LIBRARIES:
            yield from sorted((path for path in glob.glob(pattern) if "libclang-cpp" not in path), key=by_version, reverse=True)
        found = ctypes.util.find_library("clang")
        if found:
            yield found


def by_version(path: str) -> List[int]:
    return [int(number) for number in re.findall(r"\d+", path)]


LIBRARY = Library()


def available() -> Tuple[bool, str]:
    """Can headers be read? And by which library, or why not."""
    try:
        LIBRARY.load()
    except Unavailable as error:
        return False, str(error)
    return True, LIBRARY.path


def unavailable(diagnostics: Diagnostics, reason: str) -> None:
    """Says that libclang is missing, and how to get it."""
    diagnostics.error("BSP0504", "types cannot be read from headers: %s" % reason,
                      help="install it with: %s   (or: python3 -m pip install libclang)" % INSTALL)
