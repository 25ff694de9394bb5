"""Breaks that other tests make of emitted code find what they break: those tests take a share with each commit, this one takes all."""

import functools
import os
import re

from test_harness import KEPT, MUTANTS, TOLD, write
from test_oracle import BREAKS, SPECS, Built


def test_mutants(tmp_path_factory):
    # A container of chosen operations is tested through a copy of all of them, in its test.
    copied = {name for name, text in KEPT.items() if 'operations:' in text and 'operations: [all' not in text}
    files = functools.lru_cache(None)(lambda name: write(str(tmp_path_factory.mktemp(name)), 'box', KEPT[name], name in copied))
    assert [what for what, name, pattern, _ in MUTANTS
            if not any(re.search(pattern, files(name)[file]) for file in (['box_test.c'] if name in copied else ['box.c', 'box.h']))] == []
    assert set(TOLD) <= {what for what, *_ in MUTANTS}


def test_breaks_for_the_second_model(tmp_path_factory):
    @functools.lru_cache(None)
    def source(spec):
        path = next(path for path in SPECS if os.path.basename(path) == spec + '.yaml')
        with open(Built(path, str(tmp_path_factory.mktemp(spec))).sources[0]) as stream:
            return stream.read()
    assert [(spec, old) for spec, old, _ in BREAKS if old not in source(spec)] == []
