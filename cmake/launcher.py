#!/usr/bin/env python3
"""Starts Bespoke where `cmake --install` put it: <prefix>/bin/bespoke, with the rest in <prefix>/share/bespoke."""

import os
import sys

HOME = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(0, os.path.join(HOME, 'share', 'bespoke'))

from generator.cli import main  # noqa: E402

sys.exit(main())
