"""Named indexes and what is beside them: small programs, each against one container of a spec of its own."""

import os
import shutil
import subprocess

import pytest
from conftest import ROOT

from generator.containers.load import load_spec
from generator.emitted.render import Renderer
from generator.text.diag import Diagnostics
from generator.text.printing import render

SHIP = '''#ifndef SHIP_H
#define SHIP_H
#include <stdint.h>
struct ship { int id, key, sk, ka, kb, ku; uint32_t slot; };
#endif
'''
EXPECT = '#define EXPECT(what) ((what) ? (void)0 : (printf("line %d: %s\\n", __LINE__, #what), exit(1)))\n'


RENDERER = Renderer()


class Program:
    """A program that a container `ships` of these settings is built into. Its body has several cases, each of which is a run."""

    def __init__(self, folder, settings, body, *flags, before=''):
        self.folder = str(folder)
        made = {'ship.h': SHIP, 'ships.yaml': 'bespoke: 1\ncontainers:\n  ships: {element: {type: struct ship, header: ship.h%s}, %s}\n' % (
            ', by: pointer' if settings.startswith('by: pointer') else '', settings.replace('by: pointer, ', '', 1))}
        made['main.c'] = '#include "ships.h"\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n' + EXPECT + before \
            + '\nint main(int count, char **given)\n{\n    ships l = {0};\n    int number = count > 1 ? atoi(given[1]) : 0;\n    (void)l, (void)number;\n' \
            + body + '\n    ships_deinit(&l);\n    return 0;\n}\n'
        for name in ('ship.h', 'ships.yaml', 'main.c'):
            (folder / name).write_text(made[name])
        diagnostics = Diagnostics()
        spec = load_spec(str(folder / 'ships.yaml'), diagnostics)
        assert spec is not None, [render(item) for item in diagnostics.sorted()]
        for name, text in RENDERER.files(spec, '').items():
            (folder / name).write_text(text)
        self.binary = {flag: self._compiled(flag) for flag in flags or ('',)}

    def _compiled(self, flag):
        compiler = 'gcc' if flag.startswith('-fsanitize') else 'tcc'
        if shutil.which(compiler) is None:
            pytest.skip(compiler + ' is not installed')
        binary = os.path.join(self.folder, 'main' + flag.replace('=', ''))
        subprocess.run([compiler, '-w', '-g', '-std=c11', *filter(None, [flag]), 'main.c', 'ships.c', '-o', binary], cwd=self.folder, check=True)
        return binary

    def run(self, number=0, flag='', code=0):
        """What it prints; '' if all was as expected."""
        done = subprocess.run([self.binary[flag], str(number)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
        assert done.returncode == code, (number, flag, done.stdout)
        return done.stdout


@pytest.fixture
def ships(tmp_path):
    """What such a program prints."""
    def built(settings, body, flag='', before='', code=0):
        return Program(tmp_path, settings, body, flag, before=before).run(0, flag, code)
    return built


CHECKS = '-DBESPOKE_CHECKS=1'

# -- ranges --

CELLS = '''
    for (int i = 0; i < 60; i++) {
        EXPECT(ships_add(&l, (struct ship){.id = i, .ka = i % 3}) == SHIPS_OK);
    }
    ships_range range = BEGIN;
    struct ship *ship;
    int seen = 0;
    while ((ship = ships_STEP_by_cell(&l, &range)) != NULL) {
        EXPECT(ship->ka == 1 || ALL);
        seen++;
        switch (number) {
            CASES
        }
    }
    EXPECT(ships_STEP_by_cell(&l, &range) == NULL);
    EXPECT(ships_check(&l) == NULL);
    printf("%d", seen);'''
KINDS = [('hash', 'ships_range_by_cell(&l, 1)', 'next'), ('sorted', 'ships_range_by_cell(&l, 1, 1)', 'next'),
         ('sorted', 'ships_range_by_cell(&l, 1, 1)', 'previous'), ('sorted', 'ships_all_by_cell(&l)', 'next')]
CHANGES = ['ships_remove_at(&l, seen % 3);', 'ships_remove(&l, ship);', 'ships_add(&l, *ship);', 'ships_clear(&l); ships_shrink_to_fit(&l);',
           'ships_deinit(&l);', 'ship->ka = 2; ships_rekey_by_cell(&l, ship, 1);']
NO_CHANGES = ['', 'ships_reserve(&l, 500);', 'ship->sk = 7;', 'ship->kb = 5; ships_rekey_by_score(&l, ship);']


@pytest.mark.parametrize('kind, begin, step', KINDS)
def test_a_range_ends_with_a_change_of_its_index(tmp_path, kind, begin, step):
    settings = 'ordering: unordered, indexes: {by_cell: {key: element->ka, kind: %s}, by_score: {key: element->kb, kind: sorted}}' % kind
    cases = '\n'.join('case %d: %s break;' % each for each in enumerate(CHANGES + NO_CHANGES)).replace(', 1)', ')' if kind == 'sorted' else ', 1)')
    every = 'all' in begin
    body = CELLS.replace('BEGIN', begin).replace('STEP', step).replace('ALL', str(int(every))).replace('CASES', cases)
    program = Program(tmp_path, settings, body, '', CHECKS)
    for number in range(len(CHANGES)):
        assert program.run(number) == '1'
        assert 'ships_%s_by_cell: the index has been changed since the range was found' % step in program.run(number, CHECKS, code=-6)
    for number in range(len(CHANGES), len(CHANGES + NO_CHANGES)):
        assert program.run(number) == program.run(number, CHECKS) == str(60 if every else 20)


@pytest.mark.parametrize('kind', ['hash', 'sorted'])
def test_a_range_from_before_other_content_is_over(ships, kind):
    """T_add_from gives all that a container has to an empty one; T_rollback brings back what was."""
    settings = 'ordering: unordered, emit: {snapshot: true}, indexes: {by_cell: {key: element->ka, kind: %s}}' % kind
    key = '1' if kind == 'hash' else '1, 1'
    body = '''
    ships m = {0};
    static char memory[1 << 16];
    for (int i = 0; i < 9; i++) {
        ships_add(&m, (struct ship){.id = i, .ka = 1});
    }
    ships_range range = ships_range_by_cell(&m, KEY), empty = ships_range_by_cell(&l, KEY);
    ships_add_from(&l, &m, NULL);
    EXPECT(ships_next_by_cell(&m, &range) == NULL && ships_next_by_cell(&l, &empty) == NULL);
    range = ships_range_by_cell(&l, KEY);
    EXPECT(ships_next_by_cell(&l, &range) != NULL);
    EXPECT(ships_snapshot(&l, memory, sizeof memory));
    EXPECT(ships_next_by_cell(&l, &range) != NULL);
    EXPECT(ships_rollback(&l, memory) == SHIPS_OK);
    EXPECT(ships_next_by_cell(&l, &range) == NULL);
    ships_deinit(&m);'''.replace('KEY', key)
    assert ships(settings, body) == ''
