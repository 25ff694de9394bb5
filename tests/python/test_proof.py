"""tests/proof: the contracts of emitted C are proven, and where the code is broken some goal is not; Eva runs generated tests. Minutes: for full runs."""

import os
import re
import shutil
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [ROOT, os.path.join(ROOT, 'tests'), os.path.join(ROOT, 'tests', 'proof')]

import eva  # noqa: E402
import prove  # noqa: E402
import turns  # noqa: E402
from rendered import loaded  # noqa: E402
from generator.language.contracts import OPERATIONS, operations_with_contracts  # noqa: E402

SPEC = os.path.join(ROOT, 'tests', 'proof', 'contracts.yaml')
proven = pytest.mark.skipif(not turns.FULL or bool(prove.missing()), reason='in full runs, with Frama-C: ' + ', '.join(prove.missing()))

# What a break of the emitted code looks like, and the function in which a goal must fail.
BREAKS = [
    ('fleet_take_', 'list->items[slot]->slot = (uint32_t)(slot + 1);\n    }', ';\n    }'),  # the moved element does not know its slot
    ('fleet_take_', 'list->items[slot] = list->items[from];', ''),
    ('fleet_make_slots_', 'extra <= (size_t)FLEET_MAX - list->count', 'extra <= (size_t)FLEET_MAX - list->count + 1'),
    ('fleet_empty_', 'list->items[slot]->slot = 0;\n    }', ';\n    }'),
    ('alarms_place_for_', 'low = middle + 1;', 'low = middle;'),
    ('alarms_place_for_', 'high = middle;', 'high = middle + 1;'),
    ('alarms_move_run_', 'list->items[from + at - 1]', 'list->items[from + at]'),
    ('samples_take_', 'list->head = samples_slot_(list, 1);', 'list->head++;'),
    ('samples_add_front', '(list->head > 0 ? list->head : (size_t)SAMPLES_MAX) - 1', 'list->head - 1'),
    ('samples_pop_back', 'samples_slot_(list, list->count - 1)', 'samples_slot_(list, list->count)'),
    ('voices_age_', 'list->generations[id]++;', ''),  # a handle whose element was removed leads to the next one
    ('voices_swap_ids_', 'list->ids[b] = id;', ''),  # the freed id is lost
    ('voices_swap_ids_', 'list->slot_of[list->ids[a]] = (uint32_t)a;', ''),  # the moved element's id leads to where it was
    ('voices_swap_ids_', 'list->slot_of[list->ids[a]] = (uint32_t)a;', 'list->slot_of[list->ids[a]] = (uint32_t)b;'),
    ('voices_take_', 'list->items[slot] = list->items[from];', ''),
    ('voices_take_', 'voices_free_id_(list, slot, list->count);', 'voices_free_id_(list, list->count, list->count);'),  # another's handle
    ('voices_give_id_', 'list->generations[id] = 1;', 'list->generations[id] = 0;'),
    ('voices_retire_', 'list->retired_count++;', ''),
]


def test_each_operation_with_a_contract_has_one(tmp_path):
    """What the language lists is what the templates have: no function is without."""
    done = prove.run([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', '--no-format', SPEC, '-o', '.', '-I' + os.path.dirname(SPEC)], str(tmp_path))
    assert done.returncode == 0, done.stdout
    header = (tmp_path / 'contracts.h').read_text()
    described = set(re.findall(r'/\*@(?:(?!\*/).)*\*/\n[^;{/]*?\b(\w+)\(', header, re.DOTALL))
    named = set()
    for container in loaded(SPEC).containers:
        names = set(operations_with_contracts(container))
        assert {f'{container.name}_{name}' for name in names - {'each'}} <= described
        named |= names
    assert {name for folder, name in OPERATIONS if folder == 'ends'} <= named


def test_without_contracts_there_are_none(tmp_path):
    with open(SPEC) as stream:
        (tmp_path / 'plain.yaml').write_text(stream.read().replace('contracts: acsl, ', ''))
    done = prove.run([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', '--no-format', 'plain.yaml', '-o', '.', '-I' + os.path.dirname(SPEC)], str(tmp_path))
    assert done.returncode == 0, done.stdout
    assert '/*@' not in (tmp_path / 'plain.h').read_text() + (tmp_path / 'plain.c').read_text()


@pytest.fixture(scope='module')
def emitted(tmp_path_factory):
    return prove.Proof(SPEC, str(tmp_path_factory.mktemp('proof')))


@proven
@pytest.mark.parametrize('container', ['fleet', 'alarms', 'samples', 'voices'])
def test_all_goals_are_proven(emitted, container):
    left, goals = emitted.prove(emitted.functions()[container], 60, 2)
    assert goals > 100 and not left


@proven
@pytest.mark.parametrize('function, old, new', BREAKS, ids=[f'{each[0]}-{number}' for number, each in enumerate(BREAKS)])
def test_a_planted_bug_is_not_proven(emitted, function, old, new):
    with open(emitted.source) as stream:
        source = stream.read()
    start = source.index(f' {function}(')
    assert old in source[start:]
    with open(os.path.join(emitted.folder, 'broken.c'), 'w') as stream:
        stream.write(source[:start] + source[start:].replace(old, new, 1))
    left, _ = emitted.prove([function], 10, 2, 'broken.c')
    unbroken, _ = emitted.prove([function], 10, 2)  # on a slow machine provers may need longer
    assert set(left) - set(unbroken)


# -- Eva: generated tests, with all values known -------------------------------------------------------------------------

interpreted = pytest.mark.skipif(not turns.FULL or not shutil.which('frama-c'), reason='in full runs, with Frama-C')

# What a break of emitted code looks like that C does not define, though all memory is there: the container, the text, and what it becomes.
UNDEFINED = [
    ('specs/embedded.yaml', 'orders', '.c', 'list->items + slot + 1, (list->count - slot)', 'list->items + slot + 1, (64 - slot)'),
    # One beyond the array, where the next member of the struct is.
    ('tests/specs/heaps.yaml', 'heap_copies_inline', '.c', 'list->items[to] = list->items[from];', 'list->items[to] = list->items[HEAP_COPIES_INLINE_MAX];'),
]


@interpreted
@pytest.mark.parametrize('spec, container, ending, old, new', UNDEFINED, ids=[each[1] for each in UNDEFINED])
def test_eva_sees_a_planted_bug(tmp_path, spec, container, ending, old, new):
    test = eva.Interpreted(os.path.join(ROOT, spec), container, str(tmp_path))
    with open(os.path.join(test.folder, test.stem + ending)) as stream:
        assert old in stream.read()
    test.replace(ending, re.compile(re.escape(old)), new)
    found, _, printed = test.alarms(1, 1, 80, 600)
    assert [text for function, text in found if function != 'bt_fail'], printed


def test_the_page_lists_what_eva_runs():
    """A row for each spec, with each container and its operations."""
    with open(os.path.join(ROOT, 'docs', 'assurance.md'), encoding='utf-8') as stream:
        page = stream.read()
    listed = {(spec, container) for spec, row in re.findall(r'^\| \[`(\S+?\.yaml)`\]\(\S+\) \|(.*)', page, re.MULTILINE) for container in re.findall(r'`(\w+)` \d+', row)}
    assert listed == {(os.path.relpath(spec, ROOT), container) for spec in eva.SPECS for container in eva.containers(spec)}
