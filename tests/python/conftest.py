"""Puts the project root on sys.path, so that `generator` and `turns` are found from any working directory; the command line as a fixture."""

import os
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
for folder in (os.path.join(ROOT, 'tests'), ROOT):
    if folder not in sys.path:
        sys.path.insert(0, folder)


@pytest.fixture
def tool(tmp_path, monkeypatch, capsys):
    """Bespoke's command line in a folder of its own, which is the working folder, with two specs."""
    from tool import Tool  # which imports this module
    monkeypatch.chdir(tmp_path)
    return Tool(tmp_path, capsys)
