"""examples/ctypes: a binding made of `bespoke explain --json` alone. Its example prints what its page says, and a model of a few lines
drives the containers of all presets through it."""

import ctypes
import glob
import os
import random
import re
import subprocess
import sys

import pytest
from conftest import ROOT

from generator.language.presets import PRESETS

FOLDER = os.path.join(ROOT, 'examples', 'ctypes')
sys.path.insert(0, FOLDER)
from binding import Library  # noqa: E402 (its folder is no package)

NO_MEMORY_OF_THEIR_OWN = {'id_set'}  # a number that is a bit has no address, and the binding reads elements at theirs
SPECS = sorted(path for path in glob.glob(os.path.join(ROOT, 'specs', '*.yaml'))
               if os.path.basename(path)[:-5] not in NO_MEMORY_OF_THEIR_OWN)
BESPOKE = (sys.executable, os.path.join(ROOT, 'bespoke'))
CC = (os.environ.get('CC', 'cc'), '-O1')
P, F, U32 = ctypes.c_void_p, ctypes.c_float, ctypes.c_uint32
STRUCTS = {
    'spark': [('id', U32), *((name, F) for name in ('x', 'y', 'vx', 'vy', 'life'))],
    'ship': [('id', U32), ('squad_slot', U32), ('stage_slot', U32), ('x', F), ('y', F), ('hp', ctypes.c_int), ('gone', ctypes.c_bool),
             *((name, P) for name in ('team_next', 'team_prev', 'team', 'line_next', 'line_prev', 'line'))],
    'part': [('id', U32), ('x', F), ('y', F), ('gone', ctypes.c_bool),
             *((name, P) for name in ('next', 'prev', 'fixed_to', 'together', 'scene'))],
    'listener': [('event', ctypes.c_uint64), ('call', P), ('user', P)],
    'velocity': [('entity', U32), ('x', F), ('y', F)],
    'tag': [('entity', U32), ('text', ctypes.c_char * 12)],
    'cue': [('id', U32), ('what', U32), ('due', ctypes.c_double)],
    'timeout': [('id', U32), ('due', U32), *((name, P) for name in ('next', 'prev', 'left', 'right', 'parent', 'in')),
                ('turn', ctypes.c_uint64)],
    'sprite': [('id', U32), ('picture', ctypes.c_uint16), ('x', F), ('y', F), ('depth', F)],
}
TYPES = {f'struct {name}': type(name, (ctypes.Structure,), {'_fields_': fields}) for name, fields in STRUCTS.items()}
TYPES['float'] = F


def test_the_example(tmp_path):
    done = subprocess.run([sys.executable, os.path.join(FOLDER, 'main.py')], cwd=str(tmp_path), env={**os.environ, 'CC': CC[0]},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8')
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[:6] == ['sinks: 3', 'sinks: 6', 'left: [1, 2, 4, 5]', 'flagship: 1', 'sinks: 1', 'again: OK STALE']
    with open(os.path.join(FOLDER, 'README.md'), encoding='utf-8') as file:
        assert '\n'.join(done.stdout.splitlines()[:6]) in file.read()


class Model:
    """What a container must hold: the labels of its elements, in the order in which they were added."""

    def __init__(self, container, seed):
        self.container, self.random, self.held, self.pool = container, random.Random(seed), [], []
        data = container.data
        self.value = {name: setting['value'] for name, setting in data['settings'].items()}
        self.type = TYPES[data['element']['type']]
        self.by_value = data['element']['by'] == 'value'
        self.has = {each['operation'] for each in data['functions']}
        self.layer = (self.random.randrange(len(data['layers'])),) if data['layers'] else ()
        self.limit = next((value for name, value in data['constants'].items() if name.endswith('_MAX')), None)
        self.ordered = self.value['ordering'] in ('insertion', 'explicit', 'fifo', 'tree')
        self.queue = bool({'pop', 'first'} <= self.has) and self.value['ordering'] == 'fifo'

    def make(self):
        """An element that is equal to none before it."""
        label = len(self.pool) + 1
        element = self.type(label)
        if self.type is not F:
            setattr(element, self.type._fields_[0][0], label)
            for name in ('life', 'due', 'depth', 'y'):
                if hasattr(element, name):
                    setattr(element, name, self.random.randrange(1, 9))
            if hasattr(element, 'text'):
                element.text = b'%d' % label
        self.pool.append(element)
        return element

    def label(self, element):
        return int(element.value if self.type is F else getattr(element, self.type._fields_[0][0]))

    def found(self):
        """The labels of a pass."""
        return [self.label(element) for element in self.container]

    def compare(self):
        assert self.container.check() is None
        assert len(self.container) == len(self.held) and self.container.is_empty() == (not self.held)
        found = self.found()
        if self.ordered:
            assert (found[::-1] if self.value.get('iteration.direction') == 'backward' else found) == self.held
        else:
            assert sorted(found) == sorted(self.held)
        key = re.fullmatch(r'element->(\w+)', str(self.value.get('sort.key')))
        if self.value['ordering'] == 'sorted' and key and self.value.get('sort.direction') in (None, 'ascending'):
            values = [getattr(element, key[1]) for element in self.container]
            assert values == sorted(values)

    def add(self):
        element, name = self.make(), self.container.Status
        refuses = self.limit is not None and len(self.held) >= self.limit
        got = self.container.add(*self.layer, element)
        if refuses and self.value.get('capacity.when_full') == 'overwrite':
            del self.held[0]
        elif refuses:
            assert got is name.FULL
            return
        assert got is name.OK
        self.held.append(self.label(element))

    def again(self):
        """The same element once more."""
        if not self.held or self.by_value and self.value['identity.by'] != 'key':
            return
        label, duplicates = self.random.choice(self.held), self.value['duplicates']
        if duplicates == 'allow' or self.value.get('capacity.when_full') == 'overwrite' or self.layer:
            return
        got = self.container.add(self.pool[label - 1]).name
        expected = {'reject': {'DUPLICATE', 'ABSENT', 'ELSEWHERE', 'FOREIGN'}, 'replace': {'REPLACED'}}[duplicates]
        assert got in expected, got

    def remove(self):
        if not self.held:
            return
        place = self.random.randrange(len(self.held))
        label = self.held[place]
        if self.by_value:
            element = next(each for each in self.container if self.label(each) == label)
            if 'settle' in self.has:
                self.container.settle(*[0.0] * (len(self.container._operations['settle']['parameters']) - 1))
        else:
            element = self.pool[label - 1]
        handled = any(each['name'] == 'handle' for each in self.container._operations['remove']['parameters']) \
            if 'remove' in self.has else False
        if 'remove' not in self.has:
            return
        key = self.container.handle_of(element) if handled else element
        if handled:
            assert self.label(self.container.get(key)) == label
        assert self.container.remove(key if handled else self.address(element)).name == 'OK'
        if handled:
            assert self.container.get(key) is None and self.container.remove(key).name == 'STALE'
        self.held.remove(label)

    @staticmethod
    def address(element):
        return ctypes.addressof(element)

    def remove_in_a_pass(self):
        if 'remove_current' not in self.has:
            return
        with iter(self.container) as elements:
            for element in elements:
                if self.random.random() < 0.2:
                    label = self.label(element)
                    assert elements.remove_current().name in ('OK', 'QUEUED')
                    self.held.remove(label)

    def pop(self):
        if not self.queue or not self.held:
            return
        assert self.label(self.container.first()) == self.held[0]
        into = self.type() if self.by_value else P()
        assert self.container.pop(into).name == 'OK'
        assert self.label(into if self.by_value else self.type.from_address(into.value)) == self.held.pop(0)

    def clear(self):
        if self.random.random() < 0.2:
            self.container.clear()
            self.held = []

    def run(self, steps):
        self.container.init()
        for _ in range(steps):
            self.random.choice((self.add, self.add, self.add, self.again, self.remove, self.remove_in_a_pass, self.pop, self.clear))()
            self.compare()
        self.container.deinit()
        return len(self.pool)


@pytest.mark.parametrize('path', SPECS, ids=os.path.basename)
def test_a_model_drives_every_preset(path, tmp_path):
    library = Library(path, TYPES, str(tmp_path), [os.path.join(ROOT, 'specs')], BESPOKE, CC)
    for name, data in library.containers.items():
        if data['layer_of'] is None:
            assert Model(library.new(name), name).run(120) > 10, name


def test_all_presets_are_among_them():
    from generator.tool import specs
    found, _ = specs.resolve(SPECS, [os.path.join(ROOT, 'specs')])
    assert {container.preset for spec in found for container in spec.containers} >= set(PRESETS) - NO_MEMORY_OF_THEIR_OWN
