"""Named indexes and what is beside them: small programs, each against one container of a spec of its own."""

import os
import shutil
import subprocess

import pytest

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
        if not settings.startswith('element: '):
            settings = 'element: {type: struct ship, header: ship.h%s}, ' % (', by: pointer' * settings.startswith('by: pointer')) + settings.replace('by: pointer, ', '', 1)
        made = {'ship.h': SHIP, 'ships.yaml': 'bespoke: 1\ncontainers:\n  ships: {%s}\n' % settings}
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
CHANGES = ['ships_remove_at(&l, seen % 3);', 'ships_remove(&l, ship);', '(void)ships_add(&l, *ship);', 'ships_clear(&l); ships_shrink_to_fit(&l);',
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
        (void)ships_add(&m, (struct ship){.id = i, .ka = 1});
    }
    ships_range range = ships_range_by_cell(&m, KEY), empty = ships_range_by_cell(&l, KEY);
    (void)ships_add_from(&l, &m, NULL);
    EXPECT(ships_next_by_cell(&m, &range) == NULL && ships_next_by_cell(&l, &empty) == NULL);
    range = ships_range_by_cell(&l, KEY);
    EXPECT(ships_next_by_cell(&l, &range) != NULL);
    EXPECT(ships_snapshot(&l, memory, sizeof memory));
    EXPECT(ships_next_by_cell(&l, &range) != NULL);
    EXPECT(ships_rollback(&l, memory) == SHIPS_OK);
    EXPECT(ships_next_by_cell(&l, &range) == NULL);
    ships_deinit(&m);'''.replace('KEY', key)
    assert ships(settings, body) == ''


# -- an index of small integers beside one that hashes --

@pytest.mark.parametrize('beside', ['capacity: {max: 25, inline: true}', 'capacity: {max: 25}', 'ordering: tree, capacity: {max: 25, inline: true}',
                                    'ordering: heap, sort: element->sk, capacity: {max: 25, inline: true}', 'storage: chunked',
                                    'layout: soa, ordering: unordered, capacity: {max: 25, inline: true}'])
def test_another_hash_key_beside_a_dense_index(ships, beside):
    rows = 'layout: soa' in beside
    settings = 'duplicates: reject, identity: {key: element->key}, index: {kind: dense, keys: 100}, indexes: {by_a: {key: element->ka}}, ' + beside
    settings = 'element: {fields: {id: int, key: uint32_t, ka: int}}, ' * rows + settings
    body = '''
    for (int i = 0; i < 20; i++) {
        EXPECT(ships_add(&l, (struct ship){.id = i, .key = i, .ka = i % 3}) == SHIPS_OK);
    }
    ships_set_hash_key(&l, 0x5bd1e9955bd1e995u);
    ships_range range = ships_range_by_a(&l, 1);
    int seen = 0;
    while (ships_next_by_a(&l, &range) != NONE) {
        seen++;
    }
    EXPECT(seen == 7 && ships_find(&l, 19) != NONE && ships_check(&l) == NULL);'''.replace('NONE', 'SHIPS_NONE' if rows else 'NULL').replace('struct ship', 'ships_row' if rows else 'struct ship')
    assert ships(settings, body) == ''


# -- elements of another container --


@pytest.mark.parametrize('index', ['index: {field: slot}', 'index: hash', 'index: none'])
@pytest.mark.parametrize('hooks', ['', 'hooks: {remove: leaves}, '])
@pytest.mark.parametrize('kind', ['hash', 'sorted'])
def test_a_unique_index_refuses_what_another_container_has(ships, index, hooks, kind):
    settings = 'by: pointer, ordering: unordered, duplicates: reject, %s, %sindexes: {by_u: {key: element->ku, unique: true, kind: %s}}' % (index, hooks, kind)
    body = '''
    ships other = {0};
    static struct ship a = {.id = 1, .ku = 7}, b = {.id = 2, .ku = 7}, c = {.id = 3, .ku = 8};
    size_t taken;
    EXPECT(ships_add(&l, &a) == SHIPS_OK && ships_add(&other, &b) == SHIPS_OK && ships_add(&other, &c) == SHIPS_OK);
    EXPECT(ships_add_from(&l, &other, &taken) == SHIPS_DUPLICATE && taken == 1);
    EXPECT(ships_count(&l) == 2 && ships_count(&other) == 1 && ships_find_by_u(&other, 7) == &b && ships_find_by_u(&l, 8) == &c);
    EXPECT(ships_check(&l) == NULL && ships_check(&other) == NULL);
    EXPECT(ships_remove(&l, &a) == SHIPS_OK && ships_add_from(&l, &other, &taken) == SHIPS_OK && taken == 1 && ships_find_by_u(&l, 7) == &b);
    EXPECT(ships_check(&l) == NULL && ships_check(&other) == NULL);
    ships_deinit(&other);'''
    assert ships(settings, body, before='void leaves(ships *list, struct ship *ship) { (void)list, (void)ship; }' * bool(hooks)) == ''


# -- the inbox --

INBOX = '''
    for (int i = 1; i <= 3; i++) {
        EXPECT(ships_add(&l, (struct ship){.id = i, .key = i}) == SHIPS_OK);
    }
    EXPECT(ships_inbox_add(&l, (struct ship){.id = 9, .key = 2}) == SHIPS_QUEUED && ships_inbox_add(&l, (struct ship){.id = 8, .key = 7}) == SHIPS_QUEUED
           && ships_inbox_add(&l, (struct ship){.id = 7, .key = 1}) == SHIPS_QUEUED);
    EXPECT(SETTLES && ships_count(&l) == 3);
    EXPECT(ships_find(&l, 2)->id == REPLACED(9, 2) && ships_find(&l, 7) == NULL && ships_find(&l, 1)->id == 1); /* behind what waits nothing is added */
    EXPECT(ships_remove_key(&l, 3) == SHIPS_OK && SETTLES && ships_count(&l) == 3);
    EXPECT(ships_find(&l, 7)->id == 8 && ships_find(&l, 1)->id == REPLACED(7, 1));
    EXPECT(ships_inbox_add(&l, (struct ship){.id = 5, .key = 7}) == SHIPS_QUEUED && SETTLES && ships_find(&l, 7)->id == REPLACED(5, 8));
    EXPECT(ships_remove_key(&l, 7) == SHIPS_OK && SETTLES && ships_count(&l) == 2 && ships_check(&l) == NULL);'''


@pytest.mark.parametrize('duplicates', ['replace', 'reject'])
@pytest.mark.parametrize('room', ['capacity: {max: 3}', 'capacity: {max: 3, inline: true}'])
def test_an_equal_element_in_the_inbox_waits_for_no_slot(ships, duplicates, room):
    settings = 'ordering: unordered, duplicates: %s, identity: {key: element->key}, index: hash, threads: {inbox: 8}, %s' % (duplicates, room)
    assert ships(settings, INBOX, '-fsanitize=address,undefined', before='#define REPLACED(new, old) (%s)\n#define SETTLES %s\n' % (
        'new' if duplicates == 'replace' else 'old', '(ships_settle(&l), 1)' if 'inline' in room else '(ships_settle(&l) == SHIPS_OK)')) == ''


# -- workers --

@pytest.mark.parametrize('kind', ['hash', 'sorted'])
def test_workers_do_not_replace_what_a_named_index_finds(tmp_path, kind):
    for named in (True, False):
        folder = tmp_path / str(named)
        folder.mkdir()
        Program(folder, 'ordering: unordered, threads: {workers: 2}' + ', indexes: {by_a: {key: element->ka, kind: %s}}' % kind * named, '')
        assert ('ships_worker_update(' in (folder / 'ships.h').read_text()) == (not named)


# -- another old key than an element had --

REKEYS = '''
    EACH(4)
    struct ship *e = AT(2);
    HANDLE
    e->MEMBER = 50;
    EXPECT(REKEY(&l, OF(e), 30) == SHIPS_ABSENT);
    EXPECT(FIND(50) == e && FIND(2) == NULL && ships_check(&l) == NULL);
    EXPECT(ADD(9, 50) == SHIPS_DUPLICATE && ships_count(&l) == 4);
    EXPECT(REKEY(&l, OF(e), 2) == SHIPS_OK && FIND(50) == e); /* the right one */
    EXPECT(REKEY(&l, OF(e), 31) == SHIPS_OK);                 /* nothing has changed */
    e->MEMBER = 3;                                            /* another one has it */
    EXPECT(REKEY(&l, OF(e), 30) == SHIPS_DUPLICATE);
    e->MEMBER = 50;
    EXPECT(ships_check(&l) == NULL && ADD(9, 50) == SHIPS_DUPLICATE && ADD(10, 2) == SHIPS_OK && ships_check(&l) == NULL);
    EXPECT(REMOVE(&l, 50) == SHIPS_OK && FIND(50) == NULL && ships_check(&l) == NULL);'''
OWN = 'duplicates: reject, identity: {key: element->key}, '
SUBJECTS = [
    ('key', 'rekey', 'find', 'remove_key', 'ordering: unordered, index: hash, ' + OWN),
    ('key', 'rekey', 'find', 'remove_key', 'ordering: unordered, index: dense, ' + OWN),
    ('key', 'rekey', 'find', 'remove_key', 'ordering: unordered, index: {kind: dense, keys: 100}, capacity: {max: 8, inline: true}, ' + OWN),
    ('key', 'rekey', 'find', 'remove_key', 'ordering: insertion, handles: generational, index: hash, ' + OWN),
    ('key', 'rekey_index', 'find', 'remove_key', 'ordering: heap, sort: element->sk, index: hash, ' + OWN),
    ('key', 'rekey', 'find', 'remove_key', 'ordering: sorted, sort: element->key, storage: linked, index: hash, ' + OWN),
    ('key', 'rekey', 'find', '', 'by: pointer, ordering: insertion, removal: {when: deferred}, index: hash, ' + OWN),
    ('ku', 'rekey_by_u', 'find_by_u', 'remove_by_u', 'ordering: unordered, indexes: {by_u: {key: element->ku, unique: true}}'),
    ('ku', 'rekey_by_u', 'find_by_u', 'remove_by_u', 'by: pointer, ordering: tree, indexes: {by_u: {key: element->ku, unique: true}}'),
]


@pytest.mark.parametrize('member, rekey, find, remove, settings', SUBJECTS)
def test_another_old_key_than_an_element_had(tmp_path, member, rekey, find, remove, settings):
    pointer, handles = settings.startswith('by: pointer'), 'handles' in settings
    made = '(struct ship){.id = number, .MEMBER = value}'
    before = 'static ships *in;\nstatic ships_status add(int number, int value)\n{\n    static struct ship pool[20];\n    pool[number] = %s;\n' \
        '    return ships_add(in, %spool[number]);\n}\n' % (made, '&' * pointer)
    body = REKEYS.replace('EACH(4)', 'in = &l;\n    for (int i = 1; i <= 4; i++) {\n        EXPECT(ADD(i, i) == SHIPS_OK);\n    }').replace('AT(2)', 'FIND(2)')
    body = body.replace('OF(e)', 'h' if handles else 'e').replace('HANDLE', 'ships_handle h = ships_handle_of(&l, e);' * handles).replace('FIND(', 'ships_%s(&l, ' % find).replace('ADD(', 'add(')
    body = (body if remove else body[:body.index('    EXPECT(REMOVE')]).replace('REKEY', 'ships_' + rekey).replace('REMOVE', 'ships_' + remove)
    program = Program(tmp_path, settings, body.replace('MEMBER', member), '', CHECKS, before=before.replace('MEMBER', member))
    assert program.run() == program.run(0, CHECKS) == ''


def test_another_old_key_than_one_of_several_had(tmp_path):
    """Where several elements have a key, the first of them has the entry."""
    body = '''
    struct ship *e;
    for (int i = 0; i < 9; i++) {
        EXPECT(ships_add(&l, (struct ship){.id = i, .ka = i % 3}) == SHIPS_OK);
    }
    e = ships_get(&l, number);
    e->ka = number < 9 ? (number + 1) % 3 : 7;
    EXPECT(ships_rekey_by_a(&l, e, 30) == SHIPS_ABSENT && ships_check(&l) == NULL);
    e->ka = 8;
    EXPECT(ships_rekey_by_a(&l, e, 31) == SHIPS_ABSENT && ships_check(&l) == NULL && ships_find_by_a(&l, 8) == e);
    EXPECT(ships_rekey_by_a(&l, e, 0) == SHIPS_OK && ships_check(&l) == NULL);
    EXPECT(ships_remove(&l, e) == SHIPS_OK && ships_find_by_a(&l, 8) == NULL && ships_check(&l) == NULL);'''
    program = Program(tmp_path, 'ordering: unordered, indexes: {by_a: {key: element->ka}}', body, CHECKS)
    for number in range(9):
        assert program.run(number, CHECKS) == ''


# -- the order of equal keys --

@pytest.mark.parametrize('settings', ['ordering: unordered', 'ordering: explicit'])
def test_elements_that_exchange_places_keep_the_order_of_equal_keys(tmp_path, settings):
    body = '''
    int order[40];
    count = 0;
    ships_range range;
    struct ship *ship;
    for (int i = 0; i < 40; i++) {
        EXPECT(ships_add(&l, (struct ship){.id = i, .kb = i % 3}) == SHIPS_OK);
    }
    for (range = ships_all_by_b(&l); (ship = ships_next_by_b(&l, &range)) != NULL;) {
        order[count++] = ship->id;
    }
    EXPECT(count == 40);
    for (int i = 0; i < 400; i++) {
        EXPECT(ships_swap_places(&l, ships_find_by_id(&l, i * 7 % 40), ships_find_by_id(&l, (i * 3 + i / 40) % 40)) == SHIPS_OK);
        EXPECT(ships_check(&l) == NULL);
        count = 0;
        for (range = ships_all_by_b(&l); (ship = ships_next_by_b(&l, &range)) != NULL; count++) {
            EXPECT(order[count] == ship->id);
        }
        EXPECT(count == 40);
    }'''
    settings += ', indexes: {by_b: {key: element->kb, kind: sorted}, by_id: {key: element->id, unique: true}}, ' \
        'emit: {operations: [add, swap_places, find_by_id, all_by_b, next_by_b, check, deinit]}'
    program = Program(tmp_path, settings, body, '', '-DBESPOKE_CHAOS=2')
    assert program.run() == program.run(0, '-DBESPOKE_CHAOS=2') == ''
