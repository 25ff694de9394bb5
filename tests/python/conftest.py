"""Puts the project root on sys.path, so that `generator` is found from any working directory; and whose turn it is."""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
for folder in (os.path.join(ROOT, 'tests'), ROOT):
    if folder not in sys.path:
        sys.path.insert(0, folder)

from turns import FULL, share  # noqa: E402, F401
