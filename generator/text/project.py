"""Where the generator's own files are, and the number of what it emits."""

import os

CONTRACT = 15  # grows when the same spec gives other code
SUPPORT = "bespoke.h"  # the file of what generated headers share

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # the folder `generator`
ROOT = os.path.dirname(PACKAGE)  # what a checkout has beside it: templates, examples, tests


def template_root() -> str:
    """The folder of the templates: beside the package, or in it where it is installed."""
    for root in (os.path.join(ROOT, "templates"), os.path.join(PACKAGE, "templates")):
        if os.path.isdir(root):
            return root
    raise FileNotFoundError("the templates are not beside the generator")
