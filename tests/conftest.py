"""Of tests that CMakeLists.txt runs in shares, those whose turn it is (turns.py)."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from turns import share, turn  # noqa: E402


def pytest_collection_modifyitems(config, items):
    # Some tests take a share of their own cases, by the turn: so that all of these come up, whole tests go by another number.
    shares = min(int(os.environ.get('BESPOKE_TEST_SHARES', 1)), max(len(items), 1))
    kept = share(items, shares, turn() // 12)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept
