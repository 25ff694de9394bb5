"""Where the generator's own files are, and the number of what it emits."""

import os
from typing import Any

VERSION = "0.1.0"  # as in pyproject.toml
CONTRACT = 16  # grows when the same spec gives other code
SUPPORT = "bespoke.h"  # the file of what generated headers share
DRIVER = "bespoke_test.h"  # and that of what generated tests share

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # the folder `generator`
ROOT = os.path.dirname(PACKAGE)  # what a checkout has beside it: templates, examples, tests


_loader: Any = __spec__.loader  # reads what is beside the package: in folders, or in one archive of Python
ARCHIVE: str = getattr(_loader, "archive", "")  # the path of that archive


def read_own(path: str) -> bytes:
    """A file of the generator's own."""
    return _loader.get_data(path)


def template_root() -> str:
    """The folder of the templates: beside the package, or in it where it is installed."""
    for root in (os.path.join(ROOT, "templates"), os.path.join(PACKAGE, "templates")):
        try:
            read_own(os.path.join(root, "clang-format.yaml"))
            return root
        except OSError:
            continue
    raise FileNotFoundError("the templates are not beside the generator")
