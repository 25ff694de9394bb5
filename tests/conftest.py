"""Of tests that CMakeLists.txt runs in shares, those whose turn it is (turns.py)."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from turns import FULL, turn  # noqa: E402


def pytest_collection_modifyitems(config, items):
    shares = 1 if FULL else int(os.environ.get('BESPOKE_TEST_SHARES', 1))
    mine = turn() // 12 % shares  # tests that take a share themselves go by the turn's remainder
    config.hook.pytest_deselected(items=[item for number, item in enumerate(items) if number % shares != mine])
    items[:] = items[mine::shares]
