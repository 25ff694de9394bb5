"""`bespoke cmake-dir`: where CMake finds bespoke_add_containers, whichever way Bespoke was installed."""

import os
from typing import Any, Dict, Tuple

from ..output.writer import write_output
from ..text.diag import Diagnostics, Failure
from ..text.project import ARCHIVE, PACKAGE, ROOT, read_own
from .console import ENVIRONMENT, OK, Output

FILES = ("BespokeConfig.cmake", "BespokeConfigVersion.cmake", "BespokeContainers.cmake", "after_generate.cmake", "look.py")


def cmake_dir(options: Any, output: Output) -> int:
    """Prints the folder, or writes its files into one that is named: those of an archive are in no folder."""
    problems = Diagnostics()
    folder, texts = _files()
    if not texts:
        problems.error("BSP0503", "the CMake files are not beside the generator", help="install Bespoke again")
    elif options.folder:
        folder = os.path.abspath(options.folder)
        for name, text in texts.items():
            write_output(os.path.join(folder, name), text, problems)
    elif ARCHIVE:
        problems.error("BSP0503", "the CMake files are in an archive, '%s'" % ARCHIVE,
                       help="write them beside it: cmake-dir -o '%s'" % os.path.join(os.path.dirname(ARCHIVE), "cmake"))
    if problems:
        raise Failure(problems, ENVIRONMENT)
    output.print(folder)
    return OK


def _files() -> Tuple[str, Dict[str, str]]:
    """The folder, and the text of each of its files."""
    for root in (ROOT, PACKAGE):
        folder = os.path.join(root, "cmake")
        try:
            return folder, {name: read_own(os.path.join(folder, name)).decode("utf-8") for name in FILES}
        except OSError:
            continue
    return "", {}
