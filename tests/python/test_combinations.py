"""Combinations of all axes that the rules accept give C that compiles without a warning.

There are more than a hundred million of them. The normal run takes a quarter of a fixed sample in which every pair of values that may stand
together does so at least once; BESPOKE_TEST_ALL=1 all of it, BESPOKE_TEST_ALL=2000 so many.
"""

import concurrent.futures
import functools
import itertools
import os
import random
import re
import shutil
import subprocess

import pytest

from listed import combinations as all_combinations
from turns import share, turn
from generator.containers.load import load_spec
from generator.emitted.render import Renderer
from generator.language import combinations
from generator.language.taken_names import IN_TEST, KEPT, LOCALS, THREADED, TRACED, why_no_container
from generator.text.identifiers import LIBRARY
from generator.language.policies import POLICIES
from generator.text.diag import Diagnostics
from generator.text.printing import render

HEADER = """\
#ifndef SHIP_H
#define SHIP_H
#include <stdbool.h>
#include <stdint.h>
struct ship { uint32_t id; uint32_t slot; float x, y; int hp; bool gone; struct ship *next, *prev, *parent, *sibling, *left, *right; uint64_t turn; int8_t balance; void *owner; };
struct mote { uint32_t id; uint32_t slot; float x, y; int hp; bool gone; };
#endif
"""
FLAGS = '-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wundef -Werror'.split()
C_FLAGS = ['-Wstrict-prototypes', '-Wmissing-prototypes', '-Wdeclaration-after-statement']
# gcc sees some mistakes only when it goes all the way.
WAYS = (['-std=c99', '-O2' if os.environ.get('BESPOKE_TEST_ALL') else '-O0', '-c'] + C_FLAGS,
        ['-std=c11', '-fsyntax-only', '-DBESPOKE_CHECKS=1', '-DBESPOKE_CHAOS=1'] + C_FLAGS,
        ['-x', 'c++', '-std=c++17', '-fsyntax-only', '-DBESPOKE_CHECKS=1'])
PER_FILE = 50
SAMPLE = 150

# axis -> value -> what it puts into a spec. `{T}` is the name of the container.
EXPRESSION, FUNCTION = {'removal': {'expired': 'element->hp <= 0'}}, {'removal': {'expired': '{T}_is_gone'}}
FIELDS = '{id: uint32_t, slot: uint32_t, x: float, y: float, hp: int, gone: bool}'
HOOKS = {name: '{T}_on_' + name for name in ('add', 'remove', 'destroy')}
AXES = {
    'ordering': {'insertion': {'ordering': 'insertion'}, 'unordered': {'ordering': 'unordered'},
                 'explicit': {'ordering': 'explicit'}, 'tree': {'ordering': 'tree'}, 'sorted': {'ordering': 'sorted', 'sort': {'key': 'element->hp'}},
                 'compared': {'ordering': 'sorted', 'sort': {'less': '{T}_less'}},
                 'resorted': {'ordering': 'sorted', 'sort': {'key': '{T}_rank', 'when': 'begin'}},
                 'heap': {'ordering': 'heap', 'sort': {'key': 'element->hp'}},
                 'layers': {'layers': {'names': '[low, high]'}},
                 'in no order': {'layers': {'names': '[one]', 'ordering': 'unordered'}}},
    'by': {'value': {'element': {'by': 'value'}}, 'pointer': {'element': {'by': 'pointer'}},
           'intrusive': {'element': {'link': {'next': 'next', 'prev': 'prev', 'owner': 'owner'}}},
           'single': {'element': {'link': {'next': 'next', 'owner': 'owner'}}, 'storage': {'links': 'single'}},
           'branching': {'element': {'link': {'next': 'next', 'prev': 'prev', 'owner': 'owner', 'parent': 'parent', 'sibling': 'sibling'}}},
           'heaping': {'element': {'link': {'next': 'next', 'prev': 'prev', 'owner': 'owner', 'left': 'left', 'right': 'right', 'parent': 'parent'}}},
           'balanced': {'element': {'link': {'next': 'next', 'prev': 'prev', 'owner': 'owner', 'left': 'left', 'right': 'right', 'parent': 'parent',
                                             'balance': 'balance'}}}},
    'layout': {'aos': {}, 'soa': {'layout': 'soa', 'element': {'type': 'struct mote', 'fields': FIELDS}}},
    'duplicates': {'allow': {}, 'reject': {'duplicates': 'reject'}, 'replace': {'duplicates': 'replace'}},
    'identity': {'address': {}, 'key': {'identity': {'key': 'element->id'}},
                 'function': {'identity': {'key': '{T}_key'}}},
    'index': {'none': {}, 'hash': {'index': {'kind': 'hash'}}, 'intrusive': {'index': {'field': 'slot'}},
              'dense': {'index': {'kind': 'dense'}}, 'dense keys': {'index': {'kind': 'dense', 'keys': 50}}},
    'policy': {name: {'removal': {'policy': name}} for name in POLICIES},
    'when': {'immediate': {}, 'deferred': {'removal': {'when': 'deferred'}, 'iteration': {'adds': 'deferred'}}, 'locked': {'removal': {'when': 'locked'}}},
    'expired': {'none': {}, 'expression': EXPRESSION, 'function': FUNCTION,
                'before': {'removal': {'expired': 'element->gone', 'ask': 'before_update'}},
                'around': {'removal': {'expired': 'element->gone', 'ask': 'around_update'}}},
    'adds': {'visited': {}, 'next': {'iteration': {'adds': 'next'}}},
    'direction': {'forward': {}, 'backward': {'iteration': {'direction': 'backward'}},
                  'both': {'iteration': {'direction': 'both'}}},
    'removes': {'any': {}, 'current': {'iteration': {'removes': 'current'}}},
    'cursors': {'many': {}, 'one': {'iteration': {'cursors': 'one'}}, 'passes 1': {'iteration': {'passes': 1}},
                'passes 32': {'iteration': {'passes': 32}}},
    'handles': {'none': {}, 'generational': {'handles': {'kind': 'generational'}},
                'index': {'handles': {'kind': 'index', 'index_bits': 16}},
                'narrow': {'handles': {'kind': 'generational', 'index_bits': 8, 'generation_bits': 8}},
                'mixed': {'handles': {'kind': 'generational', 'index_bits': 16, 'generation_bits': 32}}},
    'addresses': {'moving': {}, 'stable': {'addresses': 'stable'}},
    'storage': {'auto': {}, 'contiguous': {'storage': {'kind': 'contiguous'}}, 'chunked': {'storage': {'kind': 'chunked'}},
                'chunk': {'storage': {'kind': 'chunked', 'chunk': 320}}, 'linked': {'storage': {'kind': 'linked'}},
                'single': {'storage': {'kind': 'linked', 'links': 'single'}}},
    'capacity': {'plain': {}, 'max': {'capacity': {'max': 100}}, 'inline': {'capacity': {'inline': True, 'max': 100}},
                 'inline 1': {'capacity': {'inline': True, 'max': 1}},
                 'shrink': {'capacity': {'shrink': {'below': '25%'}}},
                 'seconds': {'capacity': {'shrink': {'below': '25%', 'after': '2 s'}, 'growth': 1.5}},
                 'growth': {'capacity': {'growth': 1.3, 'initial': 3}}},
    'hooks': {'none': {}, 'add': {'hooks': {'add': '{T}_on_add'}}, 'some': {'hooks': HOOKS},
              'all': {'hooks': dict(HOOKS, move='{T}_on_move')},
              'update': {'hooks': dict(HOOKS, update='{T}_on_update', context='const char *')}},
    'allocator': {'stdlib': {},
                  'custom': {'allocator': {'alloc': '{T}_take', 'realloc': '{T}_more', 'free': '{T}_give'}}},
}
NAMES = list(AXES)
# With one slot no element moves, but gcc 12 with -O2 takes 255, the id of a vacated slot, for that of one that does.
FALSE_ALARM = {('capacity', 'inline 1'), ('handles', 'narrow')}
QUIET = ['-Wno-stringop-overflow', '-Wno-unknown-warning-option']  # the latter for clang
ELEMENT = {'element': {'type': 'struct ship', 'header': 'ship.h'}}


def merged(choice):
    """The mapping of a container for a value of each axis."""
    whole = {key: dict(value) for key, value in ELEMENT.items()}

    def merge(into, more):
        for key, value in more.items():
            if isinstance(value, dict):
                merge(into.setdefault(key, {}), value)
            else:
                into[key] = value
    for axis, value in zip(NAMES, choice):
        merge(whole, AXES[axis][value])
    return whole


def yaml_text(value):
    """A mapping in YAML's flow style."""
    if isinstance(value, dict):
        return '{%s}' % ', '.join('%s: %s' % (key, yaml_text(item)) for key, item in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)


def spec_text(choices):
    lines = ['bespoke: 1', 'containers:']
    for number, choice in enumerate(choices):
        name = 'c%d' % number
        lines.append('  %s: %s' % (name, yaml_text(merged(choice)).replace('{T}', name)))
    return '\n'.join(lines) + '\n'


def _paths(mapping, prefix=''):
    for key, value in mapping.items():
        if isinstance(value, dict):
            yield from _paths(value, prefix + key + '.')
        else:
            yield prefix + key, value


JUDGE = combinations.Judge()


def accepted(choice):
    """Do the rules accept it? Decided without the detour over YAML, since few are."""
    return JUDGE.accepts({path: (str(value).lower() if isinstance(value, bool) else str(value)).replace('{T}', 'c')
                          for path, value in _paths(merged(choice))})


@functools.lru_cache(None)
def sample(count):
    """At least that many of the accepted ones, drawn randomly: first those with a pair of values that had not been before."""
    rng = random.Random(1)
    values = [list(AXES[axis]) for axis in NAMES]
    chosen, seen, known = [], set(), set()
    spare = []
    for tries in itertools.count():
        if tries >= 30000 and len(known) >= count:
            break
        choice = tuple(rng.choice(options) for options in values)
        if choice in known or not accepted(choice):
            continue
        known.add(choice)
        pairs = set(itertools.combinations(zip(NAMES, choice), 2))
        if pairs - seen:
            seen |= pairs
            chosen.append(choice)
        else:
            spare.append(choice)
    return (chosen + spare)[:max(count, len(chosen))]


def alarms(choice):
    return FALSE_ALARM <= set(zip(NAMES, choice))


def outputs(batch, folder, number):
    """Resolves and renders a batch; gives the text of its source file and what was said."""
    path = os.path.join(folder, 'batch%d.yaml' % number)
    with open(path, 'w') as file:
        file.write(spec_text(batch))
    with open(os.path.join(folder, 'ship.h'), 'w') as file:
        file.write(HEADER)
    diagnostics = Diagnostics()
    spec = load_spec(path, diagnostics)
    if spec is None:
        return [render(item) for item in diagnostics.sorted()][:3]
    texts = Renderer().files(spec, 'x')
    for name, text in texts.items():
        with open(os.path.join(folder, name), 'w') as file:
            file.write(text)
    return []


def compile_batch(batch, folder, number, compiler):
    """Error messages of one batch, compiled in the way whose turn it is."""
    said = outputs(batch, folder, number)
    source = os.path.join(folder, 'batch%d.c' % number)
    for way in share(WAYS, len(WAYS), turn() // 4 + number):
        if said:
            break
        quiet = QUIET if '-O2' in way and alarms(batch[0]) else []
        run = subprocess.run([compiler, *FLAGS, *quiet, *way, source], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             universal_newlines=True)
        if run.returncode:
            lines = [line for line in run.stdout.splitlines() if re.search(r'(error|warning):', line)]
            said = [' '.join(way) + ':'] + (lines or run.stdout.splitlines()[:5])
    return said


def explain(batch, lines):
    """The messages, each with the container it is about."""
    found = []
    for line in lines[:20]:
        match = re.search(r"\b[cC](\d+)_", line)
        found.append(line + ('\n    ' + spec_text([batch[int(match.group(1))]]).splitlines()[-1].strip()
                             if match and int(match.group(1)) < len(batch) else ''))
    return '\n'.join(found)


COMPILER = os.environ.get('CC') or shutil.which('gcc') or shutil.which('clang') or shutil.which('cc')


@pytest.mark.skipif(COMPILER is None, reason='there is no C compiler')
def test_accepted_combinations_compile(tmp_path):
    choices = sorted(sample(max(SAMPLE, int(os.environ.get('BESPOKE_TEST_ALL') or 0))), key=alarms)
    assert len(choices) >= SAMPLE
    groups = [list(group) for _, group in itertools.groupby(choices, alarms)]
    batches = share([group[at:at + PER_FILE] for group in groups for at in range(0, len(group), PER_FILE)], 4)
    problems = []
    with concurrent.futures.ProcessPoolExecutor() as pool:
        jobs = [pool.submit(compile_batch, batch, str(tmp_path), number, COMPILER)
                for number, batch in enumerate(batches)]
        for batch, job in zip(batches, jobs):
            lines = job.result()
            if lines:
                problems.append(explain(batch, lines))
    if problems:
        pytest.fail('\n\n'.join(problems[:5]), pytrace=False)


# -- Other elements than a struct ----------------------------------------------------------------------------------

TYPES = ['int', 'unsigned char', 'uint64_t', 'long long', 'bool', 'char', 'float', 'long double', 'size_t', 'void *',
         'const char *', 'char **', 'struct ship *', 'const struct ship *', 'ship_t', 'ship_t *', 'enum kind', 'union u',
         'callback']
TYPES_HEADER = HEADER + """
typedef struct { int a; char b[3]; } ship_t;
enum kind { KIND_A, KIND_B };
union u { int i; double d; };
typedef void (*callback)(int);
"""
COMPARABLE = TYPES[:6] + ['size_t', 'enum kind', 'void *', 'const char *', 'char **', 'const struct ship *', 'ship_t *']


def typed_specs():
    """One container for each type in each of some settings."""
    for kind in TYPES:
        element = 'element: {type: %s, header: other.h}' % kind
        for rest in ('removal: compact', 'ordering: unordered, removal: swap', 'removal: shift, capacity: {max: 5}',
                     'removal: tombstone, iteration: {adds: next}', 'ordering: unordered, removal: reuse',
                     'ordering: unordered, handles: generational, addresses: stable, capacity: {max: 9}',
                     'removal: {when: deferred}', 'ordering: unordered, capacity: {inline: true, max: 3}'):
            yield '%s, %s' % (element, rest)
        if kind in COMPARABLE:
            for rest in ('index: hash', 'removal: shift', 'removal: {when: deferred}, index: hash'):
                yield '%s, identity: value, duplicates: reject, %s' % (element, rest)
        pointer = 'element: {type: %s, header: other.h, by: pointer}' % kind
        for rest in ('removal: compact', 'ordering: unordered, duplicates: reject, index: hash',
                     'removal: {policy: prune, expired: gone_%d}, hooks: {update: update_%d}' % (
                         TYPES.index(kind), TYPES.index(kind))):
            yield '%s, %s' % (pointer, rest)
    yield ('element: {type: int}, removal: {policy: prune, expired: "*element < 0"}, '
           'hooks: {update: update_w, context: struct world *}')
    for kind in ('struct ship', 'union u'):
        for rest in ('removal: compact', 'ordering: unordered, duplicates: reject, index: hash',
                     'removal: {when: deferred}', 'hooks: {add: added_%s}' % kind[0]):
            yield 'element: {type: %s, by: pointer}, %s' % (kind, rest)


@pytest.mark.skipif(COMPILER is None, reason='there is no C compiler')
def test_any_type_of_element(tmp_path):
    with open(str(tmp_path / 'other.h'), 'w') as file:
        file.write(TYPES_HEADER)
    problems = []
    texts = list(typed_specs())
    for number in share(range(0, len(texts), PER_FILE), 2):
        stem = 'types%d' % number
        path = tmp_path / (stem + '.yaml')
        batch = texts[number:number + PER_FILE]
        path.write_text('bespoke: 1\ncontainers:\n' + ''.join('  t%d: {%s}\n' % (number + at, text)
                                                              for at, text in enumerate(batch)))
        diagnostics = Diagnostics()
        spec = load_spec(str(path), diagnostics)
        assert spec is not None, '\n'.join(map(render, diagnostics.sorted()))
        for name, text in Renderer().files(spec, 'x').items():
            (tmp_path / name).write_text(text)
        for way in share(WAYS, len(WAYS), turn() // 2):
            run = subprocess.run([COMPILER, *FLAGS, *way, stem + '.c'], cwd=str(tmp_path), stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, universal_newlines=True)
            lines = [line for line in run.stdout.splitlines() if re.search(r'(error|warning):', line)]
            problems += ['%s: %s' % (' '.join(way), line) for line in lines[:10]]
    if problems:
        pytest.fail('\n'.join(problems[:20]), pytrace=False)


# -- Names ---------------------------------------------------------------------------------------------------------

def locals_of(text):
    """Names of parameters and local variables in C text; near enough."""
    text = re.sub(r'(?s)(?m)^#if[^\n]*__cpp_aggregate_bases(?:^#if.*?^#endif|.)*?^#endif', '', text)  # templates of C++ have their own scope
    text = re.sub(r'(?s)/\*.*?\*/|"(?:\\.|[^"\\])*"', '', text)
    text = re.sub(r'(?m)^\s*#.*(?:\\\n.*)*', '', text)
    text = re.sub(r'(?s)(typedef )?(struct|enum)( \w+)?( BESPOKE_UNCOPIED\(\w+\))? \{.*?\n\}[^;]*;', '', text)
    text = re.sub(r'\bBESPOKE_EACH_\w+\(.*, (\w+), (\w+)\)', r'(int \1; int \2;)', text)
    name = re.compile(r'(?:(?<!\bsizeof)\(|[,;{}])\s*(?!return\b|else\b|goto\b|typedef\b|case\b|extern\b)'
                      r'(?:const |struct |unsigned |union )*[A-Za-z_]\w*(?: const)?(?: | ?\*+ ?(?:const )?)'
                      r'([a-z]\w*)\s*(?=[=;,)\[])')
    return {match.group(1) for match in name.finditer(text) if not match.group(1).startswith('bespoke_')}


def test_locals_of_the_emitted_code_are_reserved(tmp_path):
    """Variables of emitted code give way to a container of their name, and hooks are called by another function: all are known."""
    batch = sample(SAMPLE)
    assert outputs(batch, str(tmp_path), 0) == []
    found = set()
    for name in ('batch0.h', 'batch0.c'):
        with open(os.path.join(str(tmp_path), name)) as file:
            found |= locals_of(file.read())
    found = {name for name in found if not re.match(r'c\d+', name)} - {'ship', 'mote', 'char'}  # types; the last one of a cast
    found -= {name + '_' for name in re.findall(r'(\w+):', FIELDS)}  # columns, which the rules know by their members
    assert 'list' in found and 'cursor' in found
    assert found - LOCALS == set()


def test_variables_give_way_to_containers(tmp_path):
    """A container may be called as a variable of emitted code or of its test: none is hidden, and no member is renamed."""
    taken = LIBRARY.keys() | KEPT
    names = sorted(name for name in LOCALS | THREADED | IN_TEST if name not in taken and not name.endswith('_'))
    names = share(names, 12) + ['ids', 'bytes', 'others', 'items', 'key', 'slots', 'table', 'memory']
    names = list(dict.fromkeys(names))
    assert len(names) > 16
    kinds = ['by: value}, ordering: unordered, removal: swap', 'by: pointer}, duplicates: reject, identity: {key: element->id}, index: hash',
             'by: value}, ordering: sorted, sort: element->hp, removal: compact', 'by: value}, handles: generational, removal: reuse, ordering: unordered',
             'by: pointer}, removal: {when: deferred}', 'by: value}, storage: linked, ordering: explicit, removal: unlink',
             'by: value, fields: %s}, layout: soa, ordering: unordered' % FIELDS, 'by: value}, ordering: fifo',
             'by: value}, ordering: unordered, threads: {workers: 2}, indexes: {by_id: {key: element->id}}']
    kinds = [kind.replace('by: value, fields', 'fields') for kind in kinds]
    (tmp_path / 'all.yaml').write_text('bespoke: 1\ncontainers:\n' + ''.join(
        '  %s: {element: {type: struct %s, header: ship.h, %s, test: {id: id}}\n' % (name, 'mote' if 'fields' in kind else 'ship', kind)
        for name, kind in zip(names, itertools.cycle(kinds))))
    (tmp_path / 'ship.h').write_text(HEADER)
    diagnostics = Diagnostics()
    spec = load_spec(str(tmp_path / 'all.yaml'), diagnostics)
    assert spec is not None, [render(item) for item in diagnostics.sorted()]
    for name, content in Renderer().files(spec, 'bespoke generate', tests=True).items():
        (tmp_path / name).write_text(content)
    for command in (['gcc', '-std=c11', '-c', 'all.c'], ['g++', '-x', 'c++', '-std=c++17', '-fsyntax-only', 'all.c'], ['gcc', '-std=c11', '-fsyntax-only', 'all_test.c']):
        done = subprocess.run([*command, *FLAGS], cwd=str(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
        assert done.returncode == 0, done.stdout[:3000]


def test_locals_of_rings_heaps_and_saving_are_reserved():
    """What the sample lacks: two ends, columns of heaps, reading what was saved, and members of cursors."""
    found = set()
    for name in ('specs/ring.yaml', 'tests/specs/heaps.yaml', 'tests/specs/saved.yaml', 'tests/specs/loops.yaml'):
        spec = load_spec(os.path.join(os.path.dirname(__file__), '..', '..', name), Diagnostics())
        for file, text in Renderer().files(spec, 'x').items():
            if file.endswith(('.h', '.c')):
                found |= locals_of(text)
    found = {name for name in found if not name.endswith('_') and '_by_' not in name}  # columns, those of named indexes too
    assert {'ahead', 'given', 'moves'} <= found
    users = {'char', 'cue', 'dot', 'gem', 'glow', 'int', 'long', 'mote', 'old_relic', 'pair', 'relic', 'spot', 'star', 'tale', 'thing', 'version'}  # types, and names in their declarations
    assert not found & {'heap', 'turns'}  # containers are called so
    assert found - LOCALS - users - {'value'} == set()  # which is kept where values are beside elements


TRACED_KINDS = ['ordering: insertion, removal: tombstone, duplicates: reject, identity: {key: element->id}, index: hash, handles: generational',
                'preset: entity_list, removal: {expired: element->hp < 0}', 'ordering: insertion, removal: {when: deferred}',
                'layers: [low, high]', 'ordering: tree', 'ordering: sorted, sort: element->hp', 'storage: chunked', 'ordering: fifo',
                'threads: {workers: 2, inbox: 4}, iteration: {removes: none}', 'changes: recorded, handles: generational',
                'layout: soa, element: {type: struct mote, header: ship.h, fields: %s}' % FIELDS]


def test_locals_of_what_records_calls_are_reserved(tmp_path):
    """The same of headers of traced containers, with a container of each of their names: none hides it."""
    names = sorted(name for name in TRACED | {'live', 'seen', 'fleet'} if not why_no_container(name))
    (tmp_path / 'all.yaml').write_text('bespoke: 1\ndefaults: {element: {type: struct ship, header: ship.h}, emit: {trace: true}}\ncontainers:\n' + ''.join(
        '  %s: {%s}\n' % (name, kind) for name, kind in zip(names, itertools.cycle(TRACED_KINDS))))
    (tmp_path / 'ship.h').write_text(HEADER)
    (tmp_path / 'main.c').write_text('#include "all.h"\nint main(void)\n{\n    return 0;\n}\n')
    diagnostics = Diagnostics()
    spec = load_spec(str(tmp_path / 'all.yaml'), diagnostics)
    assert spec is not None, [render(item) for item in diagnostics.sorted()]
    found = set()
    for name, content in Renderer().files(spec, 'bespoke generate').items():
        (tmp_path / name).write_text(content)
        found |= locals_of(content)
    found = {name[4:] if name.startswith('the_') else name for name in found if not name.endswith('_')}
    assert {'session', 'shape', 'ticks'} <= found
    assert found - LOCALS - THREADED - TRACED - {'ship', 'mote', 'char'} == set()
    for command in (['gcc', '-std=c99'], ['g++', '-x', 'c++', '-std=c++17']):
        for level in '12':
            done = subprocess.run([*command, *FLAGS, '-DBESPOKE_TRACE=' + level, '-fsyntax-only', 'all.c', 'main.c'], cwd=str(tmp_path), stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, universal_newlines=True)
            assert done.returncode == 0, done.stdout[:3000]


# -- `bespoke list --combinations` -----------------------------------------------------------------------------------

def test_the_list_is_what_specs_may_say(tmp_path):
    """Every line of the list is a spec that is accepted, and no accepted one is missing: decided by way of YAML."""
    every = all_combinations()
    listed = {one.values: one for one in every}
    assert len(listed) == len(every) > 300
    (tmp_path / 'thing.h').write_text('struct thing;\nstruct row;\n')
    rng = random.Random(5)
    values = [[value for value in combinations.choices(path) if value != 'auto'] for path in combinations.AXES]
    tried, right = 0, 0
    candidates = share([tuple(map(rng.choice, values)) for _ in range(3000)] + rng.sample(sorted(listed), 400), 10)
    for candidate in candidates:
        settings = combinations.spell(dict(zip(combinations.AXES, candidate)))
        accepted_ = False
        for more in ({}, combinations.LIMIT):
            path = tmp_path / 'one.yaml'
            one = combinations.Combination(candidate, {**settings, **more})
            path.write_text('bespoke: 1\ncontainers:\n' + combinations.yaml(one, 'c') + '\n')
            accepted_ = accepted_ or load_spec(str(path), Diagnostics()) is not None
        assert accepted_ == (candidate in listed), candidate
        tried, right = tried + 1, right + accepted_
    assert right >= 40 and tried >= 340


def test_containers_called_as_values_or_as_a_helper_of_another(tmp_path):
    """A kind of index or key is no function; the prefix of all names of a container is no name that another one's helper has."""
    (tmp_path / 'ship.h').write_text(HEADER)
    index = 'by: value}, ordering: unordered, indexes: {by_id: {key: element->id}}'
    deferred = 'by: pointer}, removal: {when: deferred}'
    (tmp_path / 'all.yaml').write_text('bespoke: 1\ncontainers:\n' + ''.join(
        '  %s: {element: {type: struct ship, header: ship.h, %s}\n' % (name, kind)
        for name, kind in (('hash', index), ('integer', index), ('low', deferred), ('low_length', deferred))))
    diagnostics = Diagnostics()
    spec = load_spec(str(tmp_path / 'all.yaml'), diagnostics)
    assert spec is not None, [render(item) for item in diagnostics.sorted()]
    for name, content in Renderer().files(spec, 'bespoke generate').items():
        (tmp_path / name).write_text(content)
    done = subprocess.run(['gcc', '-std=c11', '-c', 'all.c', *FLAGS], cwd=str(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True)
    assert done.returncode == 0, done.stdout[:3000]
