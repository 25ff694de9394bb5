"""Bespoke: a generator of C containers.

Each package imports from those before it, and never from those behind it: tests/python/test_layers.py reads all imports.
"""

PACKAGES = ("text", "types", "language", "parts", "operations", "containers", "testgen", "emitted", "output", "pages", "traces",
            "replays", "tuning", "tool")
