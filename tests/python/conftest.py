"""Puts the project root on sys.path, so that `generator` and `turns` are found from any working directory."""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
for folder in (os.path.join(ROOT, 'tests'), ROOT):
    if folder not in sys.path:
        sys.path.insert(0, folder)

