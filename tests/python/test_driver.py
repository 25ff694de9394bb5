"""What generated tests share: a file of its own, as what headers share; or in a test that stands alone."""

import glob
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
import yaml
from conftest import ROOT
from tool import BESPOKE, FLEET

from generator.containers.load import load_spec
from generator.containers.planning import make_plan
from generator.language.taken_names import why_no_container
from generator.output import writer
from generator.testgen.interface import ALL_CALLS
from generator.text.diag import Diagnostics
from generator.text.project import CONTRACT, DRIVER

WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wsign-conversion', '-Wshadow', '-Wcast-qual', '-Wstrict-prototypes', '-Wundef', '-Werror']
QUICK = next((compiler for compiler in ('tcc', 'cc') if shutil.which(compiler)), 'cc')
ALL = ['crew.c', 'crew.h', 'crew_test.c', 'fleet.c', 'fleet.h', 'fleet_test.c']


def files(folder='generated'):
    return sorted(name for name in os.listdir(folder) if not name.startswith('.'))


def shares(name, folder='generated'):
    return writer.includes(os.path.join(folder, name), DRIVER)


def compiled(folder, *sources, compiler=QUICK, flags=('-w',)):
    return subprocess.run([compiler, '-std=c99', *flags, '-I', 'specs', *sources, '-o', 'test'], cwd=str(folder), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding='utf-8')


def passes(folder, *sources, **how):
    done = compiled(folder, *sources, **how)
    assert done.returncode == 0, done.stdout
    done = subprocess.run([os.path.join(str(folder), 'test'), '--steps', '500', '--exhaustive', '1'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8')
    assert done.returncode == 0, done.stdout
    return done.stdout


# -- which tests share ------------------------------------------------------------------------------------------------

def test_without_a_word(tool, tmp_path):
    """One file for all tests of a folder; each is compiled as it was when it had all in it."""
    tool('generate', '--tests')
    assert files() == [DRIVER, *ALL] and shares('fleet_test.c') and shares('crew_test.c')
    tool('check')
    assert '1 container, ' in passes(tmp_path, 'generated/fleet_test.c')
    assert '1 container, ' in passes(tmp_path, 'generated/crew_test.c', 'generated/crew.c')
    assert all(tool.read(f'generated/{name}').count('\n') <= 1000 for name in ALL)


@pytest.mark.parametrize('spec, words', [('support: inline', []), ('files: single', []), ('', ['--support', 'inline'])])
def test_a_test_that_stands_alone(tool, tmp_path, spec, words):
    tool.write('specs/fleet.yaml', FLEET + (f'    emit: {{{spec}}}\n' if spec else ''))
    tool('generate', '--tests', 'specs/fleet.yaml', *words)
    assert DRIVER not in files() and not shares('fleet_test.c')
    assert DRIVER not in tool('list', '--outputs', '--tests', 'specs/fleet.yaml', *words).out
    tool('check', 'specs/fleet.yaml')
    passes(tmp_path, 'generated/fleet_test.c')
    tool('generate', '--tests', 'specs/fleet.yaml')  # it keeps its form, as a header does
    assert DRIVER not in files()
    tool('generate', '--tests')
    assert shares('crew_test.c') and not shares('fleet_test.c')
    tool('check')


def test_a_test_of_an_older_version_shares_from_now_on(tool):
    """It had all in it, and so had all others."""
    tool('generate', '--tests', '--support', 'inline', 'specs/fleet.yaml')
    text = tool.read('generated/fleet_test.c')
    tool.write('generated/fleet_test.c', text.replace(f'contract={CONTRACT} ', f'contract={CONTRACT - 1} '))
    found = tool('check', 'specs/fleet.yaml', code=1).err
    assert 'another version of Bespoke' in found and f"{DRIVER}' is missing: --tests gives it" in found
    tool(*re.search(r'run: bespoke (.*)', found)[1].split())
    assert shares('fleet_test.c') and DRIVER in files()
    tool('check', 'specs/fleet.yaml')


def test_what_is_shared_is_what_stands_alone(tool, tmp_path):
    """Compilers see the same in both."""
    tool.write('specs/all.yaml', 'bespoke: 1\ndefaults: {emit: {types: pascal}}\ncontainers:\n  fifo: {element: int, ordering: fifo, emit: {snapshot: true}}\n'
                                 '  layer: {element: int, handles: generational}\n')
    seen = []
    for words in [], ['--support', 'inline', '-o', 'alone']:
        tool('generate', '--tests', 'specs/all.yaml', *words)
        done = subprocess.run(['cc', '-E', '-P', '-Ispecs', (words[-1] if words else 'generated') + '/all_test.c'], cwd=str(tmp_path), stdout=subprocess.PIPE, check=True, encoding='utf-8')
        seen.append(''.join(done.stdout.split()))
    assert seen[0] == seen[1]


# -- the file ---------------------------------------------------------------------------------------------------------

def test_it_depends_on_nothing(tool):
    """Neither on the specs, nor on the formatter: so runs that write it never disagree."""
    tool.edit('specs/fleet.yaml', '    removal', '    emit: {banner: "Ours", cplusplus: true, types: pascal, snapshot: true}\n    removal')
    tool('generate', '--tests', 'specs/fleet.yaml', '-o', 'one')
    tool('generate', '--tests', 'specs/crew.yaml', '-o', 'other', '--no-format')
    assert tool.read('one/' + DRIVER) == tool.read('other/' + DRIVER)


def test_it_is_written_when_it_has_changed(tool):
    tool('generate', '--tests')
    assert tool('generate', '--tests', 'specs/crew.yaml').out == '0 written, 4 unchanged\n'


def test_no_call_is_called_as_a_function_of_a_container():
    """The test calls the functions of a container otherwise by macros, which would meet a member of the driver's record."""
    loaded = [load_spec(path, Diagnostics(), [os.path.join(ROOT, folder) for folder in ('specs', 'tests/specs')])
              for folder in ('specs', 'tests/specs') for path in glob.glob(os.path.join(ROOT, folder, '*.yaml'))]
    renamed = {operation.name for spec in loaded for container in spec.emitted for operation in make_plan(container).operations
               if not operation.inline}
    assert {'add', 'worker_add', 'remove_at'} <= renamed
    named = {call.name: call.name[:-len(name) - 1] for call in ALL_CALLS for name in renamed if call.name.endswith('_' + name)}
    assert [call for call, container in named.items() if why_no_container(container) is None] == []
    assert named == {'remove_current': 'remove'}  # which stdio.h has


def test_runs_side_by_side(tmp_path):
    """Each writes it, and none sees half of it."""
    for number in range(4):
        (tmp_path / f'a{number}.yaml').write_text(f'bespoke: 1\ncontainers:\n  a{number}: {{element: int}}\n')

    def generate(number):
        return subprocess.run([BESPOKE, 'generate', '-q', str(tmp_path / f'a{number}.yaml'), '-o', str(tmp_path / 'out'), '--tests', '--no-format'],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8')

    with ThreadPoolExecutor(4) as pool:
        for done in pool.map(generate, range(4)):
            assert done.returncode == 0, done.stdout
    assert len(files(tmp_path / 'out')) == 13 and [writer.read_banner((tmp_path / 'out' / DRIVER).read_text()).intact] == [True]


def test_it_is_sealed(tool):
    tool('generate', '--tests')
    tool.edit('generated/' + DRIVER, 'BT_SIDES = 2', 'BT_SIDES = 3')
    found = tool('check', code=1).err
    assert DRIVER in found and 'BSP0403' in found and '--tests --force' in found
    assert 'undo the change' in tool('generate', '--tests', code=2).err
    tool('generate', '--tests', '--force')
    tool('check')


def test_it_is_missed_and_left_over(tool):
    tool('generate', '--tests')
    os.remove('generated/' + DRIVER)
    assert 'BSP0409' in tool('check', code=1).err
    tool('generate', '--tests')
    tool('check')
    for name in 'fleet_test.c', 'crew_test.c':
        os.remove('generated/' + name)
        found = tool('check', code=name.startswith('crew')).err
    assert 'BSP0410' in found and 'no test here includes it' in found


def test_versions_are_compared(tool, tmp_path):
    """An older driver beside a newer test stops the build, with words."""
    tool('generate', '--tests', 'specs/crew.yaml')
    text = tool.read('generated/' + DRIVER)
    tool.write('generated/' + DRIVER, text.replace(f'#define BESPOKE_TEST {CONTRACT} ', f'#define BESPOKE_TEST {CONTRACT - 1} '))
    for compiler in 'cc', QUICK:
        done = compiled(tmp_path, 'generated/crew_test.c', compiler=compiler)
        assert done.returncode and re.search('#error "?crew_test.c and bespoke_test.h are from different versions of Bespoke: generate both again', done.stdout)


def test_the_name_of_a_spec_that_would_give_it(tool):
    tool.write('specs/bespoke_test.yaml', tool.read('specs/crew.yaml'))
    assert 'BSP0112' in tool('generate', 'specs/bespoke_test.yaml', code=2).err


# -- programs ---------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize('compiler', ['gcc', 'clang'])
@pytest.mark.parametrize('standard', ['c99', 'c2x'])
def test_without_a_warning(tool, tmp_path, compiler, standard):
    """The driver is one text for all, so a test that needs little of it must not warn of the rest."""
    if not shutil.which(compiler):
        pytest.skip('no ' + compiler)
    tool.edit('specs/fleet.yaml', '    removal', '    emit: {size_type: uint32_t}\n    removal')
    tool('generate', '--tests')
    for name in 'fleet', 'crew':
        done = compiled(tmp_path, f'generated/{name}_test.c', compiler=compiler, flags=[*WARNINGS, '-std=' + standard, '-fsyntax-only'])
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize('words', [[], ['--support', 'inline']])
def test_a_header_without_an_include_guard(tool, tmp_path, words):
    tool.write('specs/ship.h', '#include <stdint.h>\nstruct ship { uint32_t id; uint32_t slot; int hp; };\n')
    tool('generate', '--tests', 'specs/fleet.yaml', *words)
    passes(tmp_path, 'generated/fleet_test.c')


def test_a_size_type_is_declared_where_there_is_no_guard(tool, tmp_path):
    """The driver counts in size_t, so it needs no header before it."""
    tool.write('specs/engine.h', '#include <stdint.h>\ntypedef uint32_t index_of;\nstruct ship { uint32_t id; int hp; };\n')
    tool.write('specs/fleet.yaml', FLEET.replace('ship.h', 'engine.h') + '    emit: {size_type: index_of, header: engine.h}\n')
    tool('generate', '--tests', 'specs/fleet.yaml')
    passes(tmp_path, 'generated/fleet_test.c')


# -- how much of a test is a container's own ------------------------------------------------------------------------------

# Those with the most lines: scans and named indexes, and values beside elements.
LONGEST = {'scans': ['scans_links', 'scans_mapped'], 'sides': ['sides_chunks'], 'indexes': ['indexes_rows_slots']}
MOST_LINES = 1000


def own_lines(text):
    """The lines that the test of a file has for each of its containers."""
    found = {}
    for part in re.split(r'^(?=/\* == \w+ == \*/$)', text, flags=re.M)[1:]:
        found[part.split()[2]] = part[:part.index('\n};\n', part.index('_subject = {\n'))].count('\n') + 2
    return found


def test_the_most_of_a_test_that_is_a_containers_own(tmp_path):
    """The rest is the driver, once for all. A sample of the longest; with BESPOKE_TEST_ALL=1 all specs."""
    specs = os.path.join(ROOT, 'tests', 'specs')
    if os.environ.get('BESPOKE_TEST_ALL'):
        paths = sorted(glob.glob(os.path.join(specs, '*.yaml')) + glob.glob(os.path.join(ROOT, 'specs', '*.yaml')))
    else:
        for stem, names in LONGEST.items():
            with open(os.path.join(specs, f'{stem}.yaml'), encoding='utf-8') as file:
                spec = yaml.safe_load(file)
            spec['containers'] = {name: spec['containers'][name] for name in names}
            (tmp_path / f'{stem}.yaml').write_text(yaml.safe_dump(spec))
        paths = sorted(map(str, tmp_path.glob('*.yaml')))
    for path in paths:
        done = subprocess.run([BESPOKE, 'generate', '-q', '--tests', '-I', specs, '-I', os.path.join(ROOT, 'specs'), '-o', str(tmp_path / 'out'), path],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8')
        assert done.returncode == 0, done.stdout
    lines = {}
    for path in (tmp_path / 'out').glob('*_test.c'):
        if shares(path.name, str(tmp_path / 'out')):  # others stand alone
            lines.update(own_lines(path.read_text(encoding='utf-8')))
    assert len(lines) >= sum(map(len, LONGEST.values()))
    longest = max(lines, key=lambda name: lines[name])
    assert lines[longest] > MOST_LINES * 0.85  # else this looks at others than the longest
    assert {name: number for name, number in lines.items() if number > MOST_LINES} == {}
