"""What is generated and compiled again after a change: exactly what must be, and then nothing more.

All of it with Ninja and with Make; BESPOKE_TEST_GENERATOR=ninja or =makefiles runs one half.
"""

import os
import re
import shutil
import sys

import pytest

from projects import CMAKE, GENERATORS, NOTHING, ROOT, TESTS, copy_bespoke, run, usual_project, words

HALVES = [os.environ['BESPOKE_TEST_GENERATOR']] if os.environ.get('BESPOKE_TEST_GENERATOR') else sorted(GENERATORS)


needs_libclang = pytest.mark.skipif('BSP0504' in run(sys.executable, os.path.join(ROOT, 'bespoke'), 'doctor', '--need', 'types', ok=None),
                                     reason='needs libclang: script/setup test')


# ---- generated while building ---------------------------------------------------------------------------------------

@pytest.fixture(scope='module', params=HALVES)
def shared(request, tmp_path_factory):
    """One project for all small changes, with a Bespoke of its own."""
    folder = tmp_path_factory.mktemp('rebuilds')
    project = usual_project(folder, request.param, copy_bespoke(folder / 'bespoke'))
    project.configure()
    first = project.build()
    assert first.generated == ['crew', 'fleet']
    assert first.compiled == ['crew.c', 'fleet.c', 'main.c', 'other.c']
    project.run()
    return project


@pytest.fixture
def project(shared):
    """The shared project, up to date before the test and after it."""
    before = shared.source_files()
    yield shared
    if shared.source_files() != before:
        for name, content in before.items():
            if shared.source_files().get(name) != content:
                shared.write(name, content.decode('utf-8'))
        shared.build()


def bespoke_edit(project, name, text):
    """Appends to a file of the project's own Bespoke, or only touches it."""
    path = os.path.join(project.root, name)
    with open(path, 'a', encoding='utf-8') as file:
        file.write(text)
    os.utime(path)


def used(project, stem):
    """The files that a generated spec depends on, from its dependency file."""
    with open(project.built('CMakeFiles', 'containers.bespoke', stem + '.d'), encoding='utf-8') as file:
        return file.read().replace('\\\n', ' ').split()


def test_nothing_changed(project):
    assert project.build() == NOTHING
    assert not project.build().configured


def test_spec_touched(project):
    project.touch('specs/fleet.yaml')
    assert project.build() == (['fleet'], [])
    assert project.build() == NOTHING


def test_comment_in_spec(project):
    project.edit('specs/fleet.yaml', '# what this list is for', '# what this list is really for')
    assert project.build() == (['fleet'], [])
    assert project.build() == NOTHING


def test_comment_in_included_spec(project):
    project.edit('specs/base.yaml', '# what all lists share', '# what all of them share')
    assert project.build() == (['fleet'], [])
    assert project.build() == NOTHING


def test_policy(project):
    project.edit('specs/fleet.yaml', 'removal: swap', 'removal: compact')
    assert project.build() == (['fleet'], ['fleet.c', 'main.c'])  # the header tells of it, too
    assert project.build() == NOTHING


def test_included_spec(project):
    project.edit('specs/base.yaml', 'initial: 8', 'initial: 32')
    assert project.build() == (['fleet'], ['fleet.c', 'main.c'])
    assert project.build() == NOTHING


def test_included_spec_renamed(project):
    """What is no longer included is no longer waited for."""
    os.rename(project.path('specs/base.yaml'), project.path('specs/common.yaml'))
    project.edit('specs/fleet.yaml', 'base.yaml', 'common.yaml')
    assert project.build() == (['fleet'], [])
    assert project.build() == NOTHING
    project.touch('specs/common.yaml')
    assert project.build() == (['fleet'], [])
    assert project.build() == NOTHING


def test_element_header(project):
    """Without a type lock nothing was read from it, so nothing comes of it."""
    project.edit('specs/ship.h', 'int x;', 'int x; int y;')
    assert project.build() == ([], ['fleet.c', 'main.c'])
    assert project.build() == NOTHING


def test_unrelated_source(project):
    project.touch('main.c')
    assert project.build() == ([], ['main.c'])


def test_template_touched(project):
    bespoke_edit(project, next(f for f in used(project, 'fleet') if f.endswith('.c.j2')), '')
    assert project.build() == (['crew', 'fleet'], [])
    assert project.build() == NOTHING


def test_template_changed(project):
    template = next(f for f in used(project, 'fleet')
                    if f.endswith('.c.j2') and os.path.dirname(f) == os.path.join(project.root, 'templates'))
    bespoke_edit(project, template, '\n/* one more line */\n')
    assert project.build() == (['crew', 'fleet'], ['crew.c', 'fleet.c'])
    assert project.build() == NOTHING


def test_template_removed(project):
    """One that no container uses may go without anybody noticing."""
    path = os.path.join(project.root, 'templates', 'nobody.c.j2')
    bespoke_edit(project, path, 'x')
    run(CMAKE, project.binary)
    assert project.build() == NOTHING
    os.remove(path)
    assert project.build() == NOTHING


@pytest.mark.parametrize('name', [os.path.join('tool', 'cli.py'), '__init__.py'])
def test_generator_changed(project, name):
    bespoke_edit(project, os.path.join('generator', name), '\n')
    assert project.build() == (['crew', 'fleet'], [])
    assert project.build() == NOTHING


def test_every_generator_module_counts(project):
    modules = {os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(project.root, 'generator'))
               for name in names if name.endswith('.py')}
    assert len(modules) > 50 and modules <= {os.path.normpath(f) for f in used(project, 'fleet')}


@pytest.mark.parametrize('name, compiled', [('fleet.h', ['fleet.c', 'main.c']), ('fleet.c', ['fleet.c']),
                                            ('bespoke.h', ['crew.c', 'fleet.c', 'main.c'])])
def test_generated_file_deleted(project, name, compiled):
    path = project.built('bespoke', 'containers', name)
    os.remove(path)
    assert project.build() == (['fleet'], compiled)
    assert os.path.exists(path)
    assert project.build() == NOTHING


def test_generated_folder_deleted(project):
    shutil.rmtree(project.built('bespoke', 'containers'))
    assert project.build() == (['crew', 'fleet'], ['crew.c', 'fleet.c', 'main.c'])
    assert project.build() == NOTHING


def test_error_in_spec(project):
    """The build stops and says where; afterwards it goes on as if nothing had been."""
    project.edit('specs/crew.yaml', 'containers:', 'continers:')
    failed = project.build(ok=False)
    assert re.search(r'crew\.yaml:\d+:\d+: error: ', failed.output)
    project.edit('specs/crew.yaml', 'continers:', 'containers:')
    assert project.build() == (['crew'], [])
    assert project.build() == NOTHING


LOCK = 'specs/types/struct_ship.yaml'


def import_types(project):
    run(sys.executable, os.path.join(project.root, 'bespoke'), 'type', 'import', project.path('specs/fleet.yaml'))


@needs_libclang
@pytest.mark.parametrize('age', ['new', 'old'])
def test_a_type_lock_that_appears(project, age):
    """The first of its folder; one that is moved there, and so is no newer than what was generated; one that is removed."""
    import_types(project)
    lock = project.read(LOCK)
    shutil.rmtree(project.path('specs/types'))
    assert project.build() == NOTHING
    project.write(LOCK, lock)
    if age == 'old':
        os.utime(project.path(LOCK), (1e9, 1e9))
    assert project.build() == (['crew', 'fleet'], ['fleet.c', 'main.c'])
    assert project.build() == NOTHING and not project.build().configured
    project.edit('specs/ship.h', 'int x;', 'int x; int y;')
    assert 'struct ship has changed' in project.build(ok=False).output  # which is what it is for
    project.edit('specs/ship.h', ' int y;', '')
    project.build()
    project.touch(LOCK)
    assert project.build() == (['fleet'], [])
    os.remove(project.path(LOCK))
    assert project.build() == (['crew', 'fleet'], ['fleet.c', 'main.c'])
    os.rmdir(os.path.dirname(project.path(LOCK)))
    assert project.build() == NOTHING


def test_a_formatters_style_of_another_project(project):
    """Generated files are laid out in one way, wherever they are generated."""
    project.write('.clang-format', 'BasedOnStyle: GNU\nIndentWidth: 7\n')
    project.touch('specs/fleet.yaml')
    assert project.build() == (['fleet'], [])
    os.remove(project.path('.clang-format'))


def test_how_it_is_generated(project):
    """Make does not run a rule for another command."""
    lists = project.read('CMakeLists.txt')
    tests = 'specs/crew.yaml TESTS'
    project.edit('CMakeLists.txt', 'specs/crew.yaml', tests)
    assert project.build() == (['crew', 'fleet'], ['crew_test.c', 'fleet_test.c'])
    assert project.build() == NOTHING
    driver = project.built('bespoke', 'containers', 'bespoke_test.h')
    os.remove(driver)  # what both tests include
    assert project.build() == (['fleet'], ['crew_test.c', 'fleet_test.c']) and os.path.exists(driver)
    project.write('CMakeLists.txt', lists)
    assert project.build().generated == ['crew', 'fleet']
    assert not os.path.exists(project.built('bespoke', 'containers', 'fleet_test.c')) and not os.path.exists(driver)
    project.edit('CMakeLists.txt', 'specs/crew.yaml', tests)
    assert project.build().generated == ['crew', 'fleet']
    assert os.path.exists(project.built('bespoke', 'containers', 'fleet_test.c'))
    assert project.build() == NOTHING


def test_spec_renamed(project):
    """The old header is no longer there to be included."""
    os.rename(project.path('specs/crew.yaml'), project.path('specs/men.yaml'))
    project.edit('CMakeLists.txt', 'specs/crew.yaml', 'specs/men.yaml')
    project.edit('main.c', 'crew.h', 'men.h')
    assert project.build() == (['men'], ['main.c', 'men.c'])
    assert sorted(os.listdir(project.built('bespoke', 'containers'))) == ['bespoke.h', 'fleet.c', 'fleet.h', 'men.c', 'men.h']
    assert project.build() == NOTHING
    os.rename(project.path('specs/men.yaml'), project.path('specs/crew.yaml'))
    project.edit('CMakeLists.txt', 'specs/men.yaml', 'specs/crew.yaml')
    project.edit('main.c', 'men.h', 'crew.h')
    assert project.build() == (['crew'], ['crew.c', 'main.c'])
    assert project.build() == NOTHING


def test_each_target_has_one_rule(project):
    """In a dependency file: of several rules for a target, CMake 4.3 keeps the last."""
    for stem in 'crew', 'fleet':
        with open(project.built('CMakeFiles', 'containers.bespoke', stem + '.d'), encoding='utf-8') as file:
            rules = file.read().replace('\\\n', ' ').splitlines()
        targets = [rule.split(':')[0] for rule in rules if rule]
        assert len(targets) == len(set(targets)) > 100
        assert len(rules[0].split()) == len(targets)  # the first has all the others
    assert project.path('specs/base.yaml') in used(project, 'fleet')


def test_only_generating(project):
    project.touch('specs/crew.yaml')
    assert project.build('containers_gen') == (['crew'], [])
    assert project.build() == NOTHING


def test_clean(project):
    run(CMAKE, '--build', project.binary, '--target', 'clean')
    built = project.build()
    assert built == (['crew', 'fleet'], ['crew.c', 'fleet.c', 'main.c', 'other.c'])


def test_moved_build_folder(shared):
    """The last one, since it moves what the others use. CMake itself asks for a new cache, and that is all it takes."""
    project = shared
    old = project.binary
    project.binary = os.path.join(project.folder, 'elsewhere', 'other build')
    os.makedirs(os.path.dirname(project.binary))
    shutil.move(old, project.binary)
    assert 'is different than the directory' in words(project.configure(ok=False))
    os.remove(project.built('CMakeCache.txt'))
    project.configure()
    built = project.build()
    # Include directories are absolute, so that everything is compiled again.
    assert built.generated == ['crew', 'fleet']
    assert built.compiled == ['crew.c', 'fleet.c', 'main.c', 'other.c']
    project.run()
    assert project.build() == NOTHING

    assert not os.path.exists(old)
    for folder, _, names in os.walk(project.binary):
        for name in names:
            if name.endswith('.log') or name in ('.ninja_log', '.ninja_deps', 'CMakeConfigureLog.yaml'):  # histories
                continue
            with open(os.path.join(folder, name), 'rb') as file:
                assert (old + os.sep).encode() not in file.read(), os.path.join(folder, name)

    # Dependencies moved along.
    project.touch('specs/base.yaml')
    assert project.build() == (['fleet'], [])
    assert project.build() == NOTHING


# ---- checked in -----------------------------------------------------------------------------------------------------

@pytest.fixture(scope='module', params=HALVES)
def shared_checked_in(request, tmp_path_factory):
    """A project that has its generated files checked in, up to date."""
    folder = tmp_path_factory.mktemp('checked_in')
    project = usual_project(folder, request.param, copy_bespoke(folder / 'bespoke'), f'CHECKED_IN gen {TESTS} DRIFT_TEST')
    said = project.configure()
    assert 'stale' in said
    project.build('bespoke-regen')
    built = project.build()
    assert built.configured and 'stale' not in built.output
    assert built == ([], ['crew.c', 'crew_test.c', 'fleet.c', 'fleet_test.c', 'main.c', 'other.c'])
    return project


@pytest.fixture
def checked_in(shared_checked_in):
    project = shared_checked_in
    shutil.rmtree(project.built('bespoke'), ignore_errors=True)  # what an earlier test generated
    before = project.source_files()
    yield project
    for name, content in before.items():
        if project.source_files().get(name) != content:
            project.write(name, content.decode('utf-8'))
    project.build()


@pytest.fixture
def generate(checked_in):
    """Sets BESPOKE_GENERATE, until the end of the test."""
    yield lambda value: checked_in.configure(f'-DBESPOKE_GENERATE={value}')
    checked_in.configure('-DBESPOKE_GENERATE=AUTO')


def test_checked_in_is_compiled(checked_in):
    before = checked_in.source_files()
    assert sorted(n for n in before if n.startswith('gen')) == [
        'gen/bespoke.h', 'gen/bespoke_test.h', 'gen/crew.c', 'gen/crew.h', 'gen/crew_test.c', 'gen/fleet.c', 'gen/fleet.h', 'gen/fleet_test.c']
    assert not os.path.exists(checked_in.built('bespoke', 'containers'))
    checked_in.run()
    checked_in.ctest()
    assert checked_in.source_files() == before


def test_tests_that_are_not_checked_in(checked_in):
    """With BESPOKE_REGEN_TESTS=OFF a test is generated while building, and bespoke-regen writes none."""
    for name in 'crew_test.c', 'fleet_test.c', 'bespoke_test.h':
        os.remove(checked_in.path(f'gen/{name}'))
    os.remove(checked_in.path('gen/fleet.c'))
    checked_in.configure('-DBESPOKE_REGEN_TESTS=OFF')
    try:
        checked_in.build('bespoke-regen')
        assert sorted(name for name in checked_in.source_files() if name.startswith('gen')) == [
            'gen/bespoke.h', 'gen/crew.c', 'gen/crew.h', 'gen/fleet.c', 'gen/fleet.h']
        checked_in.build()
        checked_in.ctest()
        checked_in.build('bespoke-check')
    finally:
        checked_in.configure('-UBESPOKE_REGEN_TESTS')
        checked_in.build('bespoke-regen')
        checked_in.configure()


def test_checked_in_comment(checked_in):
    checked_in.edit('specs/fleet.yaml', '# what this list is for', '# what this list is really for')
    built = checked_in.build()
    assert built == NOTHING and built.configured and 'stale' not in built.output
    built = checked_in.build()
    assert built == NOTHING and not built.configured


@pytest.mark.parametrize('name, old, new', [
    ('specs/fleet.yaml', 'removal: swap', 'removal: compact'),
    ('specs/base.yaml', 'initial: 8', 'initial: 32')])
def test_checked_in_stale(checked_in, name, old, new):
    """A spec or what it includes is edited: the build says so and goes on with files of its own."""
    checked_in.edit(name, old, new)
    before = checked_in.source_files()
    built = checked_in.build()
    assert built.configured
    assert 'checked-in files are stale' in words(built.output)
    assert 'gen/fleet.c' in built.output
    assert '--target bespoke-regen' in words(built.output)
    assert built.generated == ['crew', 'fleet']
    checked_in.run()
    assert checked_in.source_files() == before
    assert checked_in.build() == NOTHING
    assert 'containers.drift' in checked_in.ctest(ok=False)
    checked_in.build('bespoke-check', ok=False)

    checked_in.build('bespoke-regen')
    built = checked_in.build()
    assert built.configured and 'stale' not in built.output
    assert built.generated == []
    assert checked_in.build() == NOTHING
    checked_in.build('bespoke-check')
    checked_in.ctest()


def test_checked_in_stale_and_fresh_again(checked_in):
    """What is stale by an included spec is not when that is as it was: then the checked-in files are compiled again."""
    base = checked_in.read('specs/base.yaml')
    checked_in.edit('specs/base.yaml', 'initial: 8', 'initial: 32')
    assert checked_in.build().generated == ['crew', 'fleet']
    checked_in.write('specs/base.yaml', base.replace('initial: 8', 'initial: many'))
    assert 'base.yaml:' in checked_in.build(ok=False).output
    checked_in.write('specs/base.yaml', base)
    built = checked_in.build()
    assert built.configured and 'stale' not in built.output and built.generated == []
    assert checked_in.build() == NOTHING


@needs_libclang
def test_checked_in_and_a_type_lock_that_appears(checked_in):
    import_types(checked_in)
    built = checked_in.build()
    assert built.configured and 'stale' in built.output and built.generated == ['crew', 'fleet']
    shutil.rmtree(checked_in.path('specs/types'))
    built = checked_in.build()
    assert built.configured and 'stale' not in built.output and built.generated == []
    built = checked_in.build()
    assert built == NOTHING and not built.configured


def test_checked_in_edited_by_hand(checked_in):
    """Noticed as well; and not overwritten, until it is deleted."""
    checked_in.write('gen/fleet.c', checked_in.read('gen/fleet.c') + 'int surprise;\n')
    built = checked_in.build()
    assert 'checked-in files are stale' in words(built.output)
    assert 'gen/fleet.c' in built.output and 'edited by hand' in words(built.output)
    assert built.generated == ['crew', 'fleet']
    assert 'edited by hand' in checked_in.build('bespoke-regen', ok=False).output
    assert 'surprise' in checked_in.read('gen/fleet.c')
    os.remove(checked_in.path('gen/fleet.c'))
    checked_in.build('bespoke-regen')
    assert checked_in.build().generated == []
    assert checked_in.build() == NOTHING


def test_checked_in_never(checked_in, generate):
    generate('NEVER')
    assert checked_in.build() == NOTHING
    checked_in.edit('specs/fleet.yaml', 'removal: swap', 'removal: compact')
    built = checked_in.build()
    assert built == NOTHING
    assert 'stale, and compiled as they are' in words(built.output)
    checked_in.run()


def test_checked_in_always(checked_in, generate):
    generate('ALWAYS')
    before = checked_in.source_files()
    built = checked_in.build()
    assert built.generated == ['crew', 'fleet']
    assert checked_in.source_files() == before
    checked_in.edit('specs/fleet.yaml', 'removal: swap', 'removal: compact')
    built = checked_in.build()
    assert built.generated == ['fleet'] and 'fleet.c' in built.compiled and 'stale' not in built.output
    assert checked_in.build() == NOTHING


def test_checked_in_file_deleted(checked_in):
    os.remove(checked_in.path('gen/fleet.h'))
    built = checked_in.build()
    assert 'checked-in files are stale' in words(built.output) and 'gen/fleet.h' in built.output
    assert built.generated == ['crew', 'fleet']
    checked_in.run()
