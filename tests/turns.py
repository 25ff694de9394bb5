"""Which share of the sampled cases a run takes.

Where cases are so many that each run takes a share, runs take turns: the commit says which share it is, so that what a commit is
tested with is the same everywhere, and after some commits all was tried. `script/test --full` takes everything.

BESPOKE_TEST_TURN=<number> in place of the commit's; BESPOKE_TEST_ALL=1 for everything.
"""

import os
import subprocess

FULL = bool(os.environ.get('BESPOKE_TEST_ALL'))


def turn():
    """The number of this run's turn."""
    if os.environ.get('BESPOKE_TEST_TURN'):
        return int(os.environ['BESPOKE_TEST_TURN'])
    try:
        done = subprocess.run(['git', 'rev-parse', 'HEAD'], cwd=os.path.dirname(os.path.abspath(__file__)),
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True)
        return int(done.stdout[:8], 16)
    except (OSError, ValueError):  # no git, or no repository
        return 0


def share(cases, shares, number=None):
    """Every so manieth of the cases, another one with each turn (or number); all of them in a full run."""
    cases = list(cases)
    return cases if FULL else cases[(turn() if number is None else number) % shares::shares]
