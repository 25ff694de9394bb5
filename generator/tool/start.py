"""Starts a package by the path of this file: where it is installed, CMake knows that and no name."""

import os
import sys
from importlib import import_module

if __name__ == "__main__":
    _package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path[0] = os.path.dirname(_package)
    sys.exit(import_module(os.path.basename(_package) + ".tool.cli").main())
