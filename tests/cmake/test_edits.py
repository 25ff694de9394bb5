"""Random edits of a project: after each, a build gives byte for byte what one from nothing gives, and the next one nothing.

The generator itself, run into an empty folder, stands for a build from nothing; that it may is checked at the end of a sequence.
BESPOKE_TEST_SEED=<number> for the sequences of another run: each prints its own. What fails is made as short as Hypothesis can.
"""

import os
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import wraps

import pytest
from hypothesis import HealthCheck, Phase, seed, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from projects import GENERATORS, HEAD, ROOT, Project

for folder in (os.path.join(ROOT, 'tests'), ROOT):
    if folder not in sys.path:
        sys.path.insert(0, folder)
from generator.tool.cli import main  # noqa: E402
from turns import FULL, turn  # noqa: E402

KINDS = {'plain': '', 'types_from': 'TYPES_FROM ships', 'checked_in': 'CHECKED_IN gen'}
EDITS = 84 if FULL else 6  # in each of the cases: more than 500 in all
STEPS = 21 if FULL else 6

LISTS = HEAD + '''add_subdirectory(${BESPOKE_ROOT} bespoke)
if("%s" MATCHES ships)
  add_library(ships INTERFACE)
  target_include_directories(ships INTERFACE "${CMAKE_CURRENT_SOURCE_DIR}/first" "${CMAKE_CURRENT_SOURCE_DIR}/second")
else()
  include_directories(first second)
endif()
bespoke_add_containers(containers SPECS specs/%s.yaml specs/crew.yaml %s %s)
file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/compiled" CONTENT "$<TARGET_PROPERTY:containers,BESPOKE_DIR>")
'''
SPEC = '''bespoke: 1
include: %s
%s:
  ships:
    element: {type: struct ship, header: ship.h}
    ordering: unordered
    removal: %s
'''
CREW = 'bespoke: 1\ninclude: %s\ncontainers:\n  crew: {element: {type: struct sailor, header: sailor.h}}\n'
BASE = 'bespoke: 1\ndefaults: {capacity: {initial: %s}}\n'
SHIP = '#ifndef SHIP_H\n#define SHIP_H\n#include "real.h"\nstruct ship { %s };\n#endif\n'


class Edited:
    """A project that is edited, and what is known of it."""

    def __init__(self, folder, kind, generator):
        self.folder, self.kind = str(folder), kind
        self.project = Project(folder, generator)
        os.makedirs(self.project.path('first'))
        for place in 'specs', 'second':
            self.project.write(place + '/sailor.h', 'struct sailor { int age; };\n')
        self.begin()
        self.project.configure('-DCMAKE_BUILD_TYPE=', '-DCMAKE_C_COMPILER_WORKS=1')
        self.project.build('containers_gen')
        shutil.copytree(self.project.source, self.folder + '/kept/src', symlinks=True)
        shutil.copytree(self.project.binary, self.folder + '/kept/build', symlinks=True)

    def begin(self):
        """The text of everything, as it is in the beginning."""
        self.name, self.base, self.initial, self.removal, self.word = 'fleet', 'base.yaml', '8', 'swap', 'containers'
        self.tests, self.members, self.real = '', 'real x;', 'float'
        self.write()

    def again(self):
        """Everything as it was, with its times."""
        for place in self.project.source, self.project.binary:
            shutil.rmtree(place)
            shutil.copytree(os.path.join(self.folder, 'kept', os.path.basename(place)), place, symlinks=True)
        self.name, self.base, self.initial, self.removal, self.word = 'fleet', 'base.yaml', '8', 'swap', 'containers'
        self.tests, self.members, self.real = '', 'real x;', 'float'

    def write(self):
        """What is written anew is only what has changed."""
        for name, text in (('CMakeLists.txt', LISTS % (KINDS[self.kind], self.name, KINDS[self.kind], self.tests)),
                           (f'specs/{self.name}.yaml', SPEC % (self.base, self.word, self.removal)),
                           ('specs/crew.yaml', CREW % self.base), (f'specs/{self.base}', BASE % self.initial),
                           ('second/ship.h', SHIP % self.members), ('second/real.h', f'typedef {self.real} real;\n')):
            if not os.path.exists(self.project.path(name)) or self.project.read(name) != text:
                self.project.write(name, text)

    @property
    def stems(self):
        return self.name, 'crew'

    @property
    def specs(self):
        return [self.project.path(f'specs/{stem}.yaml') for stem in self.stems]

    @property
    def includes(self):
        return ['-I' + self.project.path(place) for place in ('specs', 'first', 'second')]

    def bespoke(self, *arguments):
        with open(os.devnull, 'w', encoding='utf-8') as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
            return main([*arguments, *self.includes])

    # -- what is expected
    def expected(self):
        """Which folder is compiled, and what is in the output folder; None where nothing can be built."""
        out, gen = self.project.built('bespoke', 'containers'), self.project.path('gen')
        nothing = os.path.join(self.folder, 'as', 'far', 'away')  # as the build folder: else there is a way to the spec in it
        shutil.rmtree(nothing, ignore_errors=True)
        also = ['--types'] if self.kind == 'types_from' else []
        also += ['--tests'] if self.tests else []
        stems = self.stems
        if self.kind == 'checked_in' and os.path.isdir(gen):
            code = self.bespoke('check', '-q', *self.specs, '-o', gen)
            if code == 0:
                stems = [stem for stem in stems if self.tests and not os.path.exists(os.path.join(gen, stem + '_test.c'))]
        for stem, spec in zip(self.stems, self.specs):
            if stem in stems and self.bespoke('generate', '-q', spec, '-o', nothing, '--support', 'shared', *also) != 0:
                return None
        compiled = out if stems == self.stems else gen
        return compiled, content(nothing)

    def agree(self):
        """Builds, and again, and compares."""
        expected = self.expected()
        if expected is None:
            assert self.project.build('containers_gen', ok=False).generated is not None
            return
        self.project.build('containers_gen')
        following = self.project.build('containers_gen')
        assert following.generated == [], following
        self.compare(expected)
        assert not self.project.build('containers_gen').configured

    def compare(self, expected):
        compiled, files = expected
        with open(self.project.built('compiled'), encoding='utf-8') as file:
            assert file.read() == compiled
        found = content(self.project.built('bespoke', 'containers'))
        assert sorted(found) == sorted(files)
        assert [name for name in files if files[name] != found[name]] == []

    def agree_with_a_build_from_nothing(self):
        expected, before = self.expected(), self.project.binary
        if expected is None:
            return
        shutil.move(before, before + '.old')
        try:
            self.project.configure('-DCMAKE_C_COMPILER_WORKS=1')
            self.project.build('containers_gen')
            self.compare(expected)
        finally:
            shutil.rmtree(before)
            shutil.move(before + '.old', before)


def content(folder):
    """The files of a folder, by name."""
    result = {}
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        with open(os.path.join(folder, name), encoding='utf-8') as file:
            result[name] = file.read()
    return result


def edit(**drawn):
    """A rule: behind it all must agree. Where there were enough edits, it does nothing."""
    def rule_of(change):
        @wraps(change)
        def step(self, **values):
            if not self.over:
                change(self, **values)
                self.done()
        return rule(**drawn)(step)
    return rule_of


class Edits(RuleBasedStateMachine):
    """Each rule is an edit, behind which everything must agree."""

    edited = None
    count = 0
    over = False  # there were enough edits

    def __init__(self):
        super().__init__()
        self.last = False
        if not self.over:
            self.edited.again()

    def done(self):
        everyone = type(self)
        everyone.count += 1
        self.edited.write()
        try:
            self.edited.agree()
        except BaseException:
            everyone.count = -10 ** 9  # what fails is made shorter as long as that takes
            raise
        self.last = everyone.over = self.count >= EDITS

    def teardown(self):
        if not self.over or self.last:
            self.edited.agree_with_a_build_from_nothing()

    @edit(removal=st.sampled_from(['swap', 'compact', 'tombstone']))
    def policy(self, removal):
        self.edited.removal = removal

    @edit(initial=st.sampled_from(['8', '16', 'many']))
    def included_spec(self, initial):
        self.edited.initial = initial

    @edit(base=st.sampled_from(['base.yaml', 'common.yaml']), is_left=st.booleans())
    def name_of_the_included_spec(self, base, is_left):
        if base != self.edited.base and not is_left:
            os.remove(self.edited.project.path(f'specs/{self.edited.base}'))
        self.edited.base = base

    @edit(name=st.sampled_from(['fleet', 'armada']))
    def name_of_the_spec(self, name):
        if name != self.edited.name:
            os.remove(self.edited.specs[0])
        self.edited.name = name

    @edit(word=st.sampled_from(['containers', 'continers']))
    def broken_and_mended(self, word):
        self.edited.word = word

    @edit(members=st.sampled_from(['real x;', 'real x; int y;', 'real x, y;', 'unknown x;']))
    def members(self, members):
        self.edited.members = members

    @edit(real=st.sampled_from(['float', 'double']), elsewhere=st.booleans())
    def included_header(self, real, elsewhere):
        """The one that is there, or one that is found before it."""
        if elsewhere:
            self.edited.project.write('first/real.h', f'typedef {real} real;\n')
        else:
            self.edited.real = real

    @edit(name=st.sampled_from(['first/real.h', 'first/ship.h', 'specs/ship.h']), is_there=st.booleans())
    def header_earlier_on_the_path(self, name, is_there):
        if is_there:
            self.edited.project.write(name, SHIP % 'long other;' if 'ship' in name else 'typedef long real;\n')
            os.utime(self.edited.project.path(name), (1e9, 1e9))
        elif os.path.exists(self.edited.project.path(name)):
            os.remove(self.edited.project.path(name))

    @edit(update=st.booleans())
    def imports(self, update):
        self.edited.bespoke('type', 'import', *self.edited.specs, *(['--update'] if update else []))

    @edit(type_=st.sampled_from(['ship', 'sailor', '']))
    def lock_deleted(self, type_):
        path = self.edited.project.path('specs/types' + f'/struct_{type_}.yaml' * bool(type_))
        if type_ and os.path.exists(path):
            os.remove(path)
        elif not type_:
            shutil.rmtree(path, ignore_errors=True)

    @edit(name=st.sampled_from(['fleet.h', 'fleet.c', 'crew.h', 'fleet_test.c', 'bespoke.h', 'bespoke_test.h', 'armada.c', '']),
          checked_in=st.booleans())
    def output_deleted(self, name, checked_in):
        folder = self.edited.project.path('gen') if checked_in else self.edited.project.built('bespoke', 'containers')
        if not name:
            shutil.rmtree(folder, ignore_errors=True)
        elif os.path.exists(os.path.join(folder, name)):
            os.remove(os.path.join(folder, name))

    @edit(folder=st.sampled_from(['', 'specs/', '../', '../build/bespoke/']), is_there=st.booleans())
    def style_of_a_formatter(self, folder, is_there):
        path = self.edited.project.path(folder + '.clang-format')
        if is_there and os.path.isdir(os.path.dirname(path)):
            with open(path, 'w', encoding='utf-8') as file:
                file.write('BasedOnStyle: GNU\nIndentWidth: 7\n')
        elif os.path.exists(path):
            os.remove(path)

    @edit()
    def tests_on_and_off(self):
        self.edited.tests = '' if self.edited.tests else 'TESTS'

    @edit(name=st.sampled_from(['specs/crew.yaml', 'second/ship.h', 'CMakeLists.txt']))
    def touched(self, name):
        self.edited.project.touch(name)

    @edit(name=st.sampled_from(['specs/notes.txt', 'second/another.h', 'specs/other.yaml']))
    def another_file(self, name):
        self.edited.project.write(name, '')

    @edit()
    def checked_in_again(self):
        if self.edited.kind == 'checked_in':
            self.edited.project.build('bespoke-regen', ok=None)


@pytest.mark.parametrize('generator', sorted(GENERATORS))
@pytest.mark.parametrize('kind', sorted(KINDS))
def test_edits(tmp_path, kind, generator):
    if kind == 'types_from' and main(['doctor', '-q', '--need', 'types']) != 0:
        pytest.skip('needs libclang: script/setup test')
    number = int(os.environ.get('BESPOKE_TEST_SEED', turn() % 1000000))
    machine = type('Edits', (Edits,), {'edited': Edited(tmp_path, kind, generator)})
    print(f'BESPOKE_TEST_SEED={number}')
    # Sequences are short in the beginning; as soon as there were enough edits, the rest does nothing.
    run_state_machine_as_test(seed(number)(machine), settings=settings(
        max_examples=EDITS, stateful_step_count=STEPS, deadline=None, database=None, print_blob=False,
        phases=[Phase.generate, Phase.shrink], suppress_health_check=list(HealthCheck)))
    print(f'{machine.count} edits')
