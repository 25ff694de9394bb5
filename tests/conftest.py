"""Of tests that CMakeLists.txt runs in shares, those whose turn it is (turns.py)."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from turns import share  # noqa: E402


def pytest_collection_modifyitems(config, items):
    kept = share(items, int(os.environ.get('BESPOKE_TEST_SHARES', 1)))
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept
