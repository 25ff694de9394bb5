"""The ways to use Bespoke in a CMake project: how it gets in, what it makes, what it says when something is missing."""

import os
import re
import shlex
import shutil
import sys

import pytest

from projects import CMAKE, FLEET, HEAD, NOTHING, ROOT, TESTS, Project, copy_bespoke, run, usual_project, words

FLEET_ALONE = FLEET.replace('include: [base.yaml]\n', '')
FLEET_MAIN = '''#include "fleet.h"
int main(void) {
    fleet ships = {0};
    return (int)fleet_count(&ships);
}
'''
SHIP = '#ifndef SHIP_H\n#define SHIP_H\nstruct ship { int x; };\n#endif\n'


def small_project(folder, lists, generator='ninja', head=HEAD, files=()):
    """One spec, one source; `lists` is what stands in CMakeLists.txt behind add_subdirectory(Bespoke)."""
    project = Project(folder, generator)
    project.write('CMakeLists.txt', head + 'add_subdirectory(${BESPOKE_ROOT} bespoke)\n' + lists)
    for name, text in {'fleet.yaml': FLEET_ALONE, 'ship.h': SHIP, 'main.c': FLEET_MAIN, **dict(files)}.items():
        project.write(name, text)
    return project


GAME = '''bespoke_add_containers(containers SPECS fleet.yaml %s)
add_executable(game main.c)
target_link_libraries(game PRIVATE containers)
'''


# ---- getting in -----------------------------------------------------------------------------------------------------

def test_fetch_content(tmp_path):
    project = usual_project(tmp_path)
    project.edit('CMakeLists.txt', 'add_subdirectory(${BESPOKE_ROOT} bespoke)', '''include(FetchContent)
FetchContent_Declare(Bespoke SOURCE_DIR "${BESPOKE_ROOT}")
FetchContent_MakeAvailable(Bespoke)''')
    project.configure()
    assert project.build().generated == ['crew', 'fleet']
    project.run()
    assert project.build() == NOTHING


@pytest.fixture(scope='module')
def prefix(tmp_path_factory):
    """An installed Bespoke, moved away from where it was installed to."""
    folder = tmp_path_factory.mktemp('install')
    run(CMAKE, '-G', 'Ninja', '-S', ROOT, '-B', str(folder / 'build'), '-DBESPOKE_BUILD_TESTS=OFF',
        f'-DCMAKE_INSTALL_PREFIX={folder / "first"}')
    run(CMAKE, '--install', str(folder / 'build'))
    os.rename(folder / 'first', folder / 'prefix')
    return str(folder / 'prefix')


def installed_files(prefix):
    return {os.path.relpath(os.path.join(folder, name), prefix)
            for folder, _, names in os.walk(prefix) for name in names}


def test_find_package(tmp_path, prefix):
    before = installed_files(prefix)
    project = usual_project(tmp_path)
    project.edit('CMakeLists.txt', 'add_subdirectory(${BESPOKE_ROOT} bespoke)', 'find_package(Bespoke 0.1 REQUIRED)')
    project.configure(f'-DCMAKE_PREFIX_PATH={prefix}')
    assert project.build().generated == ['crew', 'fleet']
    project.run()
    assert project.build() == NOTHING
    assert installed_files(prefix) == before  # not even byte code
    with open(project.built('CMakeFiles', 'containers.bespoke', 'fleet.d'), encoding='utf-8') as file:
        assert ROOT + os.sep not in file.read()


def test_find_package_of_another_version(tmp_path, prefix):
    project = usual_project(tmp_path)
    project.edit('CMakeLists.txt', 'add_subdirectory(${BESPOKE_ROOT} bespoke)', 'find_package(Bespoke 77 REQUIRED)')
    said = words(project.configure(f'-DCMAKE_PREFIX_PATH={prefix}', ok=False))
    assert 'compatible with requested version "77"' in said


def test_installed_command(tmp_path, prefix):
    project = usual_project(tmp_path)
    run(sys.executable, os.path.join(prefix, 'bin', 'bespoke'), 'generate', project.path('specs/fleet.yaml'),
        '-o', str(tmp_path), PYTHONDONTWRITEBYTECODE='1')
    assert (tmp_path / 'fleet.h').exists() and (tmp_path / 'fleet.c').exists()
    assert os.access(os.path.join(prefix, 'bin', 'bespoke'), os.X_OK)


def test_installed_files(prefix):
    files = installed_files(prefix)
    assert {'bin/bespoke', 'share/bespoke/bespoke', 'share/bespoke/generator/tool/cli.py',
            'share/bespoke/cmake/BespokeConfig.cmake'} <= files
    assert not [name for name in files if '__pycache__' in name]
    assert [name for name in files if name.startswith('share/bespoke/templates/')]


# ---- what it makes --------------------------------------------------------------------------------------------------

def test_nothing_is_written_elsewhere(tmp_path):
    """Neither beside the specs nor in Bespoke: no generated file, no byte code."""
    root = copy_bespoke(tmp_path / 'bespoke')
    project = usual_project(tmp_path, root=root, options=TESTS)
    before, bespoke_before = project.source_files(), installed_files(root)
    project.configure()
    project.build()
    project.ctest()
    assert project.source_files() == before
    assert installed_files(root) == bespoke_before


def test_tests(tmp_path):
    project = usual_project(tmp_path, options='TESTS')
    project.configure()
    assert project.build().compiled == ['crew.c', 'crew_test.c', 'fleet.c', 'fleet_test.c', 'main.c', 'other.c']
    said = project.ctest()
    assert re.search(r'containers\.fleet \.+ +Passed', said) and re.search(r'containers\.crew \.+ +Passed', said)
    said = project.configure('-DBUILD_TESTING=OFF')
    assert 'enable_testing' not in said
    assert 'crew_test' not in run(CMAKE, '--build', project.binary, '--target', 'help')


@pytest.mark.skipif(shutil.which('clang') is None, reason='needs clang')
def test_fuzz_targets(tmp_path):
    """They are built when they are asked for; another compiler has none, and that is said."""
    project = small_project(tmp_path, GAME % 'TESTS FUZZ')
    assert 'no fuzz target of fleet: GNU has no libFuzzer' in words(project.configure('-DCMAKE_C_COMPILER=gcc')) or shutil.which('gcc') is None
    shutil.rmtree(project.binary)
    project.configure('-DCMAKE_C_COMPILER=clang')
    project.build()
    assert not os.path.exists(project.built('containers_fleet_fuzz'))
    project.build('containers_fleet_fuzz')
    assert 'Done 500 runs' in run(project.built('containers_fleet_fuzz'), '-runs=500', '-seed=1')


def test_tests_without_testing(tmp_path):
    """What is easily forgotten is said."""
    project = small_project(tmp_path, GAME % 'TESTS', head=HEAD.replace('enable_testing()', ''))
    assert 'unless enable_testing() is called' in project.configure()


def test_debuggers(tmp_path):
    """What shows containers in debuggers lies beside the header, or where the checked-in files are."""
    project = small_project(tmp_path, GAME % 'DEBUGGERS CHECKED_IN generated' + '''
get_target_property(scripts containers BESPOKE_DEBUGGERS)
message(STATUS "scripts: ${scripts}")
''')
    said = project.configure()
    folder = project.built('bespoke', 'containers')
    assert f'scripts: {folder}/fleet.gdb.py' in said
    assert project.build().generated == ['fleet']
    assert sorted(os.listdir(folder)) == ['fleet.c', 'fleet.gdb.py', 'fleet.h', 'fleet.natvis', 'fleet_lldb.py']
    assert project.build() == NOTHING
    os.unlink(os.path.join(folder, 'fleet.natvis'))
    assert project.build() == (['fleet'], [])
    project.build('bespoke-regen')
    assert sorted(os.listdir(project.path('generated'))) == ['fleet.c', 'fleet.gdb.py', 'fleet.h', 'fleet.natvis', 'fleet_lldb.py']
    assert f'scripts: {project.path("generated")}/fleet.gdb.py' in project.configure()
    assert project.build().generated == []
    project.edit('generated/fleet.gdb.py', 'import gdb.printing', 'import gdb.printing as printing')
    assert 'fleet.gdb.py\' was edited by hand' in words(project.configure())


def test_object_library(tmp_path):
    project = small_project(tmp_path, GAME % 'LIBRARY OBJECT')
    project.configure()
    assert project.build().compiled == ['fleet.c', 'main.c']
    assert not os.path.exists(project.built('libcontainers.a'))
    project.run()


SINGLE = '''bespoke: 1
defaults:
  emit: {files: single}
containers:
  fleet:
    element: {type: struct ship, header: ship.h, by: value}
'''


@pytest.mark.parametrize('generator', ['ninja', 'makefiles'])
def test_header_only(tmp_path, generator):
    project = small_project(tmp_path, GAME % 'LIBRARY INTERFACE', generator, files={
        'fleet.yaml': SINGLE, 'main.c': '#define FLEET_IMPLEMENTATION\n' + FLEET_MAIN})
    project.configure()
    assert project.build() == (['fleet'], ['main.c'])
    project.run()
    assert project.build() == NOTHING
    project.touch('fleet.yaml')
    assert project.build() == (['fleet'], [])
    assert os.listdir(project.built('bespoke', 'containers')) == ['fleet.h']


def test_wrong_kind_of_library(tmp_path):
    """A header-only spec in a STATIC library, and the other way round, is said and not left to the compiler."""
    project = small_project(tmp_path, GAME % '', files={'fleet.yaml': SINGLE})
    project.configure()
    assert 'say LIBRARY INTERFACE' in words(project.build(ok=False).output)
    assert 'say LIBRARY INTERFACE' in words(project.build(ok=False).output)  # again, as nothing has changed
    project.edit('CMakeLists.txt', 'SPECS fleet.yaml', 'SPECS fleet.yaml LIBRARY INTERFACE')
    project.write('fleet.yaml', FLEET_ALONE)
    assert 'Say LIBRARY STATIC' in words(project.build(ok=False).output)


def test_from_cpp(tmp_path):
    project = small_project(tmp_path, (GAME % '').replace('main.c', 'main.cpp'), head=HEAD.replace('C)', 'C CXX)'),
                            files={'main.cpp': FLEET_MAIN})
    project.configure()
    assert project.build().compiled == ['fleet.c', 'main.cpp']
    project.run()


@pytest.mark.parametrize('generator', ['ninja', 'makefiles'])
def test_types_from(tmp_path, generator):
    """Element headers from another target, which here is made after its users: order does not matter."""
    project = small_project(tmp_path, (GAME % 'TYPES_FROM ships') + '''add_library(ships INTERFACE)
target_include_directories(ships INTERFACE "${CMAKE_CURRENT_SOURCE_DIR}/types dir")
''', generator, files={'types dir/ship.h': SHIP})
    os.remove(project.path('ship.h'))
    project.configure()
    assert project.build() == (['fleet'], ['fleet.c', 'main.c'])
    project.run()
    assert project.build() == NOTHING
    project.touch('types dir/ship.h')
    assert project.build() == ([], ['fleet.c', 'main.c'])


def test_types_from_checked_in(tmp_path):
    project = small_project(tmp_path, '''add_library(base INTERFACE)
target_include_directories(base INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/types>)
add_library(ships INTERFACE)
target_link_libraries(ships INTERFACE base)
''' + GAME % 'TYPES_FROM ships CHECKED_IN gen DRIFT_TEST', files={'types/ship.h': SHIP})
    os.remove(project.path('ship.h'))
    project.configure()
    project.build('bespoke-regen')
    assert project.build() == ([], ['fleet.c', 'main.c'])
    project.ctest()
    project.build('bespoke-check')


@pytest.mark.parametrize('folder', ['plain', 'with space'])
def test_what_a_warning_says_to_run_is_what_a_shell_takes(tmp_path, folder):
    project = small_project(tmp_path / folder, GAME % 'CHECKED_IN gen')
    lines = [line for line in project.configure().splitlines() if '--target bespoke-regen' in line]
    assert len(lines) == 1
    assert shlex.split(lines[0]) == ['cmake', '--build', project.binary, '--target', 'bespoke-regen']
    assert ('"' in lines[0]) == (' ' in folder)


def test_headers_in_the_folders_of_the_directory(tmp_path):
    """What include_directories() has named is what the library is compiled with, too."""
    project = small_project(tmp_path, 'include_directories(src)\n' + GAME % 'CHECKED_IN gen DRIFT_TEST', files={'src/ship.h': SHIP})
    os.remove(project.path('ship.h'))
    project.configure()
    assert project.build() == (['fleet'], ['fleet.c', 'main.c'])
    project.build('bespoke-regen')
    assert project.build() == ([], ['fleet.c', 'main.c'])
    project.ctest()


@pytest.mark.parametrize('generator', ['ninja', 'makefiles'])
def test_a_spec_that_shares_by_a_word_of_its_own(tmp_path, generator):
    """What its header includes is made again where it was deleted, and removed when nothing gives it any more."""
    project = small_project(tmp_path, GAME % '', generator, files={'fleet.yaml': FLEET_ALONE + '    emit: {support: shared}\n'})
    project.configure()
    assert project.build() == (['fleet'], ['fleet.c', 'main.c'])
    shared = project.built('bespoke', 'containers', 'bespoke.h')
    os.remove(shared)
    assert project.build().generated == ['fleet'] and os.path.exists(shared)
    assert project.build() == NOTHING
    project.write('fleet.yaml', FLEET_ALONE)
    assert project.build().generated == ['fleet']
    assert project.build() == NOTHING
    assert not os.path.exists(shared)


@pytest.mark.parametrize('generator', ['ninja', 'makefiles'])
def test_across_directories(tmp_path, generator):
    """The user's directory comes first, and sees the generated header all the same."""
    project = small_project(tmp_path, 'add_subdirectory(app)\nadd_subdirectory(lists)\n', generator, files={
        'app/CMakeLists.txt': 'add_executable(game ../main.c)\ntarget_link_libraries(game PRIVATE containers)\n',
        'lists/CMakeLists.txt': 'bespoke_add_containers(containers SPECS ../fleet.yaml)\n'})
    project.configure()
    assert project.build() == (['fleet'], ['fleet.c', 'main.c'])
    project.run('app/game')
    assert project.build() == NOTHING


@pytest.mark.parametrize('generator', ['ninja', 'makefiles'])
def test_odd_paths(tmp_path, generator):
    project = small_project(tmp_path / 'my game (old), 50 + 1', GAME % f'{TESTS} CHECKED_IN "the files"', generator)
    project.configure()
    assert project.build().generated == ['fleet']
    project.run()
    assert project.build() == NOTHING
    project.touch('fleet.yaml')
    assert project.build().generated == ['fleet']
    assert project.build() == NOTHING
    project.build('bespoke-regen')
    assert project.build().generated == []
    project.touch('fleet.yaml')
    assert project.build().configured
    project.ctest()


def test_several_configurations(tmp_path):
    project = small_project(tmp_path, GAME % f'{TESTS} CHECKED_IN gen DRIFT_TEST')
    project.generator = 'Ninja Multi-Config'
    project.configure()
    run(CMAKE, '--build', project.binary, '--target', 'bespoke-regen')
    for configuration in 'Debug', 'Release':
        run(CMAKE, '--build', project.binary, '--config', configuration)
        assert '100% tests passed' in project.ctest('-C', configuration)
        project.run(os.path.join(configuration, 'game'))


# ---- Python ---------------------------------------------------------------------------------------------------------

def script(path, text):
    path.write_text('#!/bin/sh\n' + text)
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def bare_python(tmp_path):
    """An interpreter without any installed module."""
    (tmp_path / 'bare').mkdir()
    return script(tmp_path / 'bare' / 'python3', f'exec "{sys.executable}" -I -S "$@"\n')


@pytest.mark.parametrize('option', ['BESPOKE_PYTHON', 'Python3_EXECUTABLE'])
def test_missing_module(tmp_path, bare_python, option):
    """Said while configuring, as Python says it, with the lines that help. What the user named is not replaced."""
    project = usual_project(tmp_path)
    said = project.configure(f'-D{option}={bare_python}', python=None, ok=False)
    assert re.search(r"ModuleNotFoundError: No module named '(jinja2|yaml)'", said)
    assert 'apt-get install python3-jinja2 python3-yaml' in said
    assert f'{bare_python} -m pip install jinja2 pyyaml' in said
    assert 'CHECKED_IN' in said
    # Installed, it goes on without a new cache.
    os.rename(bare_python, bare_python + '.old')
    os.symlink(sys.executable, bare_python)
    assert 'Configuring done' in run(CMAKE, project.binary)


def test_python_of_the_project_is_no_unused_variable(tmp_path):
    project = small_project(tmp_path, GAME % '')
    assert 'not used' not in project.configure(f'-DPython3_EXECUTABLE={sys.executable}')


def test_broken_module(tmp_path):
    """Jinja2 is there, but its import fails: the message is about that, and not about a missing Jinja2."""
    (tmp_path / 'broken' / 'jinja2').mkdir(parents=True)
    (tmp_path / 'broken' / 'jinja2' / '__init__.py').write_text('raise ImportError("cannot import soft_unicode")\n')
    python = script(tmp_path / 'python3', f'PYTHONPATH="{tmp_path}/broken" exec "{sys.executable}" "$@"\n')
    said = usual_project(tmp_path).configure(python=python, ok=False)
    assert 'cannot import soft_unicode' in said


def test_no_python(tmp_path):
    said = usual_project(tmp_path).configure('-DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON', python=None, ok=False)
    assert 'No Python 3.8 or newer was found' in words(said)
    assert 'apt-get install' in said


def test_another_python(tmp_path, bare_python):
    """The first in PATH lacks the modules, another has them. The choice is remembered."""
    good = tmp_path / 'good'
    good.mkdir()
    os.symlink(sys.executable, good / 'python3')
    path = os.pathsep.join([os.path.dirname(bare_python), str(good), os.environ['PATH']])
    project = small_project(tmp_path, GAME % '')
    said = project.configure(python=None, PATH=path)
    chosen = re.search(r'-- Bespoke: the generator runs with (\S+)', said).group(1)
    assert chosen != bare_python
    assert 'generator runs with' not in project.configure(python=None, PATH=path)
    with open(project.built('CMakeCache.txt'), encoding='utf-8') as file:
        assert f'BESPOKE_PYTHON:FILEPATH={chosen}\n' in file.read()
    assert project.build().generated == ['fleet']


def test_checked_in_without_python(tmp_path, bare_python):
    project = usual_project(tmp_path, options=f'CHECKED_IN gen {TESTS} DRIFT_TEST')
    for spec in 'fleet', 'crew':
        run(sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '--tests', project.path(f'specs/{spec}.yaml'),
            '-o', project.path('gen'))
    before = project.source_files()
    said = project.configure(python=bare_python)
    lines = [line for line in said.splitlines() if 'Bespoke' in line]
    assert len(lines) == 1, said
    assert 'compiling the checked-in files' in lines[0] and 'No module named' in lines[0]
    built = project.build()
    assert built == ([], ['crew.c', 'crew_test.c', 'fleet.c', 'fleet_test.c', 'main.c', 'other.c'])
    project.run()
    assert project.source_files() == before

    # The tests of the containers run. That there is no drift cannot be told, and so is not.
    project.ctest('-E', 'drift')
    assert 'No module named' in project.ctest('-R', 'drift', ok=False)
    for target in 'bespoke-check', 'bespoke-regen':
        assert 'No module named' in project.build(target, ok=False).output

    # A stale spec makes no difference here, since nobody can tell.
    project.edit('specs/fleet.yaml', 'removal: swap', 'removal: compact')
    assert project.build() == NOTHING

    # NEVER is the same without the line; ALWAYS cannot be had.
    assert 'Bespoke' not in project.configure('-DBESPOKE_GENERATE=NEVER', python=bare_python)
    assert project.build() == NOTHING
    assert 'No module named' in project.configure('-DBESPOKE_GENERATE=ALWAYS', python=bare_python, ok=False)

    # Without the files, it says which ones and how to get them.
    os.remove(project.path('gen/crew.c'))
    said = project.configure('-DBESPOKE_GENERATE=AUTO', python=bare_python, ok=False)
    assert 'gen/crew.c' in said and 'bespoke generate' in said and 'No module named' in said
    assert 'gen/fleet.c' not in said


def test_never_with_missing_files(tmp_path):
    project = small_project(tmp_path, GAME % 'CHECKED_IN gen GENERATE NEVER')
    said = project.configure(ok=False)
    assert 'gen/fleet.h' in said and 'gen/fleet.c' in said
    command = re.search(r'^ *python3 (.*bespoke generate .*)$', said, re.MULTILINE).group(1)
    run(sys.executable, *command.split())
    project.configure()
    assert project.build() == ([], ['fleet.c', 'main.c'])


def test_never_with_a_broken_spec(tmp_path):
    """What cannot be compared is said to be so; the checked-in files are good all the same."""
    project = small_project(tmp_path, GAME % 'CHECKED_IN gen')
    project.configure()
    project.build('bespoke-regen')
    project.edit('fleet.yaml', 'containers:', 'continers:')
    said = project.configure('-DBESPOKE_GENERATE=NEVER')
    assert 'cannot tell whether the checked-in files are up to date' in words(said) and 'fleet.yaml:' in said
    assert project.build() == ([], ['fleet.c', 'main.c'])
    # Where it may generate, the build shows the mistake.
    project.configure('-DBESPOKE_GENERATE=AUTO')
    assert re.search(r'fleet\.yaml:\d+:\d+: error: ', project.build(ok=False).output)


# ---- what headers share ---------------------------------------------------------------------------------------------

TEAM = 'bespoke: 1\ncontainers:\n  %s: {element: int}\n'
TEAMS_MAIN = '''#include "fleet.h"
#include "red.h"
#include "blue.h"
#include "green.h"
int main(void) {
    fleet ships = {0};
    red r = {0};
    blue b = {0};
    green g = {0};
    return (int)(fleet_count(&ships) + red_count(&r) + blue_count(&b) + green_count(&g));
}
'''


@pytest.mark.parametrize('generator', ['ninja', 'makefiles'])
def test_libraries_that_share_in_one_program(tmp_path, generator):
    """Several specs share, one stays a pair, a spec of its own way; two libraries write into one folder."""
    project = small_project(tmp_path, '''bespoke_add_containers(teams SPECS red.yaml blue.yaml)
bespoke_add_containers(ships SPECS fleet.yaml)
bespoke_add_containers(more SPECS green.yaml SUPPORT SHARED OUTPUT_DIR bespoke/teams)
add_executable(game main.c)
target_link_libraries(game PRIVATE teams ships more)
''', generator, files={'main.c': TEAMS_MAIN, 'red.yaml': TEAM % 'red', 'green.yaml': TEAM % 'green',
                       'blue.yaml': TEAM.replace('int', 'int, emit: {support: inline}') % 'blue'})
    project.configure()
    assert project.build() == (['blue', 'fleet', 'green', 'red'], ['blue.c', 'fleet.c', 'green.c', 'main.c', 'red.c'])
    project.run()
    assert sorted(os.listdir(project.built('bespoke', 'teams'))) == ['bespoke.h', 'blue.c', 'blue.h', 'green.c', 'green.h', 'red.c', 'red.h']
    assert sorted(os.listdir(project.built('bespoke', 'ships'))) == ['fleet.c', 'fleet.h']
    assert project.build() == NOTHING
    os.remove(project.built('bespoke', 'teams', 'bespoke.h'))
    assert project.build() == (['red'], ['green.c', 'main.c', 'red.c'])
    assert project.build() == NOTHING


def test_checked_in_files_of_either_form(tmp_path):
    """Files from before there was a choice are not stale by it; bespoke-regen brings them to what they share."""
    project = small_project(tmp_path, '''bespoke_add_containers(teams SPECS red.yaml blue.yaml CHECKED_IN gen DRIFT_TEST )
''', files={'red.yaml': TEAM % 'red', 'blue.yaml': TEAM % 'blue'})
    run(sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', project.path('red.yaml'), project.path('blue.yaml'), '-o', project.path('gen'))
    assert 'stale' not in project.configure()
    assert project.build() == ([], ['blue.c', 'red.c'])
    project.ctest()
    project.build('bespoke-regen')
    assert 'gen/bespoke.h' in project.source_files()
    project.build()
    project.ctest()
    os.remove(project.path('gen/bespoke.h'))
    assert 'bespoke.h' in project.configure() and 'bespoke.h' in project.configure('-DBESPOKE_GENERATE=NEVER', ok=False)
    project.edit('CMakeLists.txt', 'DRIFT_TEST ', 'DRIFT_TEST SUPPORT INLINE')
    assert 'stale' in project.configure('-DBESPOKE_GENERATE=AUTO')
    project.build('bespoke-regen')
    os.remove(project.path('gen/bespoke.h')) if 'gen/bespoke.h' in project.source_files() else None
    assert 'stale' not in project.configure()


# ---- arguments ------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize('arguments, message', [
    ('', 'SPECS is missing'),
    ('SPECS nothing.yaml', 'no such spec file'),
    ('SPECS fleet.yaml more/fleet.yaml', 'two specs would give fleet.h'),
    ('SPECS fleet.yaml LIBRARY SHARED', "LIBRARY is STATIC, OBJECT or INTERFACE, not 'SHARED'"),
    ('SPECS fleet.yaml GENERATE MAYBE', "is AUTO, ALWAYS or NEVER, not 'MAYBE'"),
    ('SPECS fleet.yaml GENERATE NEVER', 'without CHECKED_IN'),
    ('SPECS fleet.yaml SUPPORT BOTH', "SUPPORT is INLINE or SHARED, not 'BOTH'"),
    ('SPECS fleet.yaml DRIFT_TEST', 'needs CHECKED_IN'),
    ('SPECS fleet.yaml TEST_ARGUMENTS --steps 9', 'they need TESTS'),
    ('SPECS fleet.yaml FUZZ', 'so it needs TESTS'),
    ('FILES fleet.yaml SPECS fleet.yaml', 'unknown argument: FILES'),
    ('SPECS fleet.yaml OUTPUT_DIR ${CMAKE_CURRENT_SOURCE_DIR}/gen', 'OUTPUT_DIR is in the source tree'),
    ('SPECS fleet.yaml LIBRARY INTERFACE OUTPUT_DIR x)\n'
     'bespoke_add_containers(more SPECS more/fleet.yaml LIBRARY INTERFACE OUTPUT_DIR x', 'to the same OUTPUT_DIR'),
    ('SPECS fleet.yaml LIBRARY STATIC', 'has not enabled it'),
])
def test_wrong_arguments(tmp_path, arguments, message):
    kind = '' if 'LIBRARY' in arguments else ' LIBRARY INTERFACE'
    project = small_project(tmp_path, f'bespoke_add_containers(containers {arguments}{kind})\n',
                            files={'more/fleet.yaml': FLEET_ALONE}, head=HEAD.replace(' C)', ' NONE)'))
    said = words(project.configure(ok=False))
    assert message in said
    assert 'bespoke_add_containers(' in said and 'CMakeLists.txt:' in said
