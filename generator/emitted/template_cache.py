"""Compiled templates, kept for all renderers of a process, and between runs: where Python was told to put byte code, else in the
user's cache folder."""

import io
import marshal
import os
import pickle
import sys
from types import CodeType
from typing import Any, Dict, Optional, Tuple

import jinja2
from jinja2.bccache import bc_magic

from .template_code import VERSION

COMPILED: Dict[Tuple[str, str], CodeType] = {}  # in this process, by the template's key and checksum


class TemplateCache(jinja2.FileSystemBytecodeCache):
    """Cannot fail: what cannot be read or written is compiled again, and so is what was compiled in another way."""

    def __init__(self, folder: Optional[str]):
        """Without a folder, only what this process has compiled is kept."""
        super().__init__(folder or os.devnull, "%s.cache")
        self._on_disk = folder is not None

    def get_source_checksum(self, source: str) -> str:
        return super().get_source_checksum(VERSION + source)

    def load_bytecode(self, bucket: Any) -> None:
        bucket.code = COMPILED.get((bucket.key, bucket.checksum))
        if bucket.code is not None or not self._on_disk:
            return
        try:
            with open(self._get_cache_filename(bucket), "rb") as file:
                found = io.BytesIO(file.read())
            if found.read(len(bc_magic)) == bc_magic and pickle.load(found) == bucket.checksum:
                bucket.code = marshal.loads(found.read())  # from bytes: from a file it takes twice as long
        except Exception:  # a damaged file may fail in any way
            bucket.reset()
        if bucket.code is not None:
            COMPILED[bucket.key, bucket.checksum] = bucket.code

    def dump_bytecode(self, bucket: Any) -> None:
        COMPILED[bucket.key, bucket.checksum] = bucket.code
        if not self._on_disk:
            return
        try:
            super().dump_bytecode(bucket)
        except OSError:
            pass


def cache_folder() -> Optional[str]:
    """Where they are kept, or None where that is not wanted or there is no safe place for it. Never in the source tree."""
    if sys.dont_write_bytecode:
        return None
    if sys.pycache_prefix:
        folder = os.path.join(sys.pycache_prefix, "bespoke-templates")
    else:
        base = os.environ.get("LOCALAPPDATA") if os.name == "nt" else os.environ.get("XDG_CACHE_HOME")
        if not base or not os.path.isabs(base):
            home = os.path.expanduser("~")
            if os.name == "nt" or not os.path.isabs(home) or not os.path.isdir(home):
                return None
            base = os.path.join(home, ".cache")
        folder = os.path.join(base, "bespoke")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        # What is loaded is run, so nobody else may write there.
        if hasattr(os, "getuid"):
            found = os.stat(folder)
            if found.st_uid != os.getuid() or found.st_mode & 0o022:
                return None
    except OSError:
        return None
    return folder
