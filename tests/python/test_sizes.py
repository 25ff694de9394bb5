"""What a header says its container takes by itself is what compilers say: of all presets, of other specs, of combinations."""

import glob
import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

sys.path[:0] = [os.path.join(ROOT, 'tests'), os.path.join(ROOT, 'tests', 'combinations')]

import listed  # noqa: E402

from generator.language import combinations  # noqa: E402

SAID = re.compile(r'^ \* (\w+): (?:(?!\*/).)*?^ \* Memory: (?:(\d+) bytes for the struct on 64-bit systems; )?', re.MULTILINE | re.DOTALL)
IN_IT = re.compile(r'^ \* (\w+): (?:(?!\*/).)*?^ \* Memory: (?:(?!\*/).)*?all\s(?:\* )?in\s(?:\* )?the\s(?:\* )?struct,', re.MULTILINE | re.DOTALL)
OTHERS = ('kept', 'scans', 'passes_none', 'layers', 'workers')


def generated(folder, spec, *include):
    """The header of a spec, and the folders that its compiler needs."""
    subprocess.run([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', '--no-format', spec, '-o', folder,
                    *('-I' + each for each in include)], check=True)
    with open(os.path.join(folder, os.path.basename(spec)[:-5] + '.h'), encoding='utf-8') as file:
        return file.read()


def agree(folder, name, header, *include):
    """Each size in the header is that of a compiler. Returns the containers without one."""
    said = SAID.findall(header)
    lines = [f'_Static_assert(sizeof({container}) == {size}, "{container}");' for container, size in said if size]
    (folder / 'sizes.c').write_text(f'#include "{name}.h"\n' + '\n'.join(lines) + '\n')
    subprocess.run(['gcc', '-std=c11', '-fsyntax-only', '-I.', *('-I' + each for each in include), 'sizes.c'], cwd=folder, check=True)
    return [container for container, size in said if not size]


@pytest.mark.parametrize('path', sorted(glob.glob(os.path.join(ROOT, 'specs', '*.yaml')))
                         + [os.path.join(ROOT, 'tests', 'specs', name + '.yaml') for name in OTHERS],
                         ids=lambda path: os.path.basename(path)[:-5])
def test_of_specs(tmp_path, path):
    include = [os.path.join(ROOT, 'specs'), os.path.join(ROOT, 'tests', 'specs')]
    header = generated(str(tmp_path), path, *include)
    unsaid = agree(tmp_path, os.path.basename(path)[:-5], header, *include)
    assert set(unsaid) <= set(IN_IT.findall(header))  # elements of a type without a lock are in the struct itself


def test_of_combinations(tmp_path):
    found = listed.combinations()
    chosen = found[::max(1, len(found) // 40)]
    (tmp_path / 'all.yaml').write_text('bespoke: 1\ncontainers:\n' + ''.join(
        combinations.yaml(one, f'c{number}') + '\n' for number, one in enumerate(chosen)))
    shutil.copy(os.path.join(ROOT, 'tests', 'combinations', 'thing.h'), tmp_path)
    unsaid = agree(tmp_path, 'all', generated(str(tmp_path), str(tmp_path / 'all.yaml'), str(tmp_path)), str(tmp_path))
    assert len(unsaid) < len(chosen) // 2


def test_small_ones(tmp_path):
    """What docs/choose.md and the contract promise."""
    (tmp_path / 'small.yaml').write_text('''bespoke: 1
defaults:
  element: {type: struct thing, header: thing.h}
containers:
  links: {element: {by: intrusive, link: {next: next, prev: prev, owner: owner}}, iteration: {cursors: none}}
  dense: {iteration: {cursors: none}}
  dense_one: {removal: shift, iteration: {removes: current, cursors: one}}
  dense_any: {ordering: unordered}
''')
    shutil.copy(os.path.join(ROOT, 'tests', 'combinations', 'thing.h'), tmp_path)
    header = generated(str(tmp_path), str(tmp_path / 'small.yaml'), str(tmp_path))
    assert agree(tmp_path, 'small', header) == []
    assert dict(SAID.findall(header)) == {'links': '32', 'dense': '40', 'dense_one': '56', 'dense_any': '96'}
