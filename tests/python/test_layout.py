"""Generated C without a formatter: it is laid out as clang-format would do it, but for a few lines."""

import glob
import os
import re
from collections import Counter

import pytest
from conftest import ROOT
from tool import FORMATTER, FORMATTERS

from generator.output import clang_format
from generator.text import tokens
from generator.text.indent import laid_out
from generator.tool import cli

SPECS = [os.path.join(ROOT, 'tests', 'specs', name + '.yaml') for name in ('columns', 'engine_lists', 'found')] + \
    sorted(glob.glob(os.path.join(ROOT, 'specs', '*.yaml')))[::2]


@pytest.fixture(scope='module')
def plain(tmp_path_factory):
    return _generated(tmp_path_factory.mktemp('plain'), '--no-format')


def _generated(folder, *options):
    assert cli.main(['generate', '-q', '-o', str(folder), *options] + SPECS) == 0
    return {path.name: _body(path) for path in sorted(folder.iterdir()) if path.suffix in ('.c', '.h')}


def _body(path):
    return path.read_text(encoding='utf-8').split('*/\n', 1)[1]


@pytest.mark.skipif(FORMATTER is None, reason='needs clang-format')
def test_lines_are_as_a_formatter_makes_them(plain, tmp_path):
    """But for a few on which an expression goes on behind an operator."""
    formatted = _generated(tmp_path)
    assert formatted.keys() == plain.keys() and len(plain) == 38
    for name, text in plain.items():
        lines = text.split('\n')
        others = Counter(lines) - Counter(formatted[name].split('\n'))
        assert sum(others.values()) <= 0.006 * len(lines), (name, others)


def test_nothing_but_blanks_has_changed(plain):
    for name, text in plain.items():
        shaken = re.sub(r'(?m)^ +(?=\w[^\n]*[^\\]$)', '', text)
        assert laid_out(text) == text, name
        assert tokens.normal(laid_out(shaken)) == tokens.normal(text), name


def test_each_header_is_included_once(plain):
    for name, text in plain.items():
        included = re.findall(r'(?m)^#include .*', text)
        assert len(included) == len(set(included)), (name, included)


@pytest.mark.skipif(len(FORMATTERS) < 2, reason='needs two versions of clang-format')
def test_formatters_agree(tmp_path, monkeypatch):
    made = []
    for formatter in FORMATTERS:
        monkeypatch.setenv(clang_format.ENVIRONMENT, formatter)
        made.append(_generated(tmp_path / os.path.basename(formatter)))
    for other in made[1:]:
        assert other.keys() == made[0].keys()
        assert [name for name in other if other[name] != made[0][name]] == []


@pytest.mark.parametrize('text, expected', [
    ('int f(void)\n{\n        if (a) {\n    b();\n        }    return 0;\n}', 'int f(void)\n{\n    if (a) {\n        b();\n    }\n    return 0;\n}'),
    ('{\nfor (;;) {\n    a();\n    }}', '{\n    for (;;) {\n        a();\n    }\n}'),
    ('{\n  end(c); return NULL;\n}', '{\n    end(c);\n    return NULL;\n}'),
    ('{\n      call(a,\n           b);\nc();\n}', '{\n    call(a,\n         b);\n    c();\n}'),
    ('{\n#if A\nif (a) {\n#else\nif (b) {\n#endif\nc();\n}\n}', '{\n#if A\n    if (a) {\n#else\n    if (b) {\n#endif\n        c();\n    }\n}'),
    ('{\nswitch (a) {\ncase A:\nb();\ndefault:\nc();\n}\n}', '{\n    switch (a) {\n    case A:\n        b();\n    default:\n        c();\n    }\n}'),
    ('extern "C" {\n  int a;\n}', 'extern "C" {\nint a;\n}'),
    ('{\n    /* a {\n     * b */\nchar c = \'{\';\nf("{");\n}', '{\n    /* a {\n     * b */\n    char c = \'{\';\n    f("{");\n}'),
    ('#define A(x) \\\n  do { \\\n  } while (0)\n  int a;', '#define A(x) \\\n  do {       \\\n  } while (0)\nint a;'),
    ('{\nint a; /* x */\nint bcd;  /* y */\n\nint e;  /* z */\n}', '{\n    int a;   /* x */\n    int bcd; /* y */\n\n    int e; /* z */\n}'),
    ('{\nx * * const y, * const z; /* * const */\n}', '{\n    x **const y, *const z; /* * const */\n}'),
    ('{\nf(g(a,\nb),\nc("(",\nd));\ne();\n}', '{\n    f(g(a,\n        b),\n      c("(",\n        d));\n    e();\n}'),
    ('struct a {\nint b; /* what\n        * goes on */\nint c;\n};', 'struct a {\n    int b; /* what\n            * goes on */\n    int c;\n};'),
])
def test_what_is_indented(text, expected):
    assert laid_out(text) == expected
