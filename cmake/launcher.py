#!/usr/bin/env python3
"""Starts Bespoke where `cmake --install` put it: <prefix>/bin/bespoke, with the rest in <prefix>/share/bespoke."""

import os
import runpy

PREFIX = os.path.dirname(os.path.dirname(os.path.realpath(os.path.abspath(__file__))))

if __name__ == '__main__':
    runpy.run_path(os.path.join(PREFIX, 'share', 'bespoke', 'bespoke'), run_name='__main__')
