"""What generated headers share: in a file of its own, or in each."""

import glob
import hashlib
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import ROOT
from tool import BESPOKE, FORMATTER

from generator.emitted.render import Renderer
from generator.output import clang_format, writer
from generator.text.project import CONTRACT, SUPPORT

WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wsign-conversion', '-Wshadow', '-Wundef', '-Werror']
MAIN = '#include "fleet.h"\n#include "crew.h"\nint main(void)\n{\n    fleet ships = {0};\n    crew crew_ = {0};\n' \
       '    return (int)(fleet_count(&ships) + crew_count(&crew_));\n}\n'


def files(folder='generated'):
    return sorted(name for name in os.listdir(folder) if not name.startswith('.'))


def shares(name, folder='generated'):
    return writer.includes(os.path.join(folder, name), SUPPORT)


LINES = {'inline': 4804, 'shared': 3965}  # at most, of the eight lists below; and beside bespoke.h
PAIRS = ['crew.c', 'crew.h', 'fleet.c', 'fleet.h']


# -- who decides ----------------------------------------------------------------------------------------------------

def test_inline_without_a_word(tool):
    tool('generate')
    assert files() == PAIRS
    tool('check')


def test_the_command_line(tool):
    tool('generate', '--support', 'shared')
    assert files() == [SUPPORT] + PAIRS and shares('fleet.h') and shares('crew.h')
    assert '#ifndef BESPOKE_INLINE' not in tool.read('generated/fleet.h')
    tool('check')
    tool('check', '--support', 'shared')
    assert 'fleet.h' in tool('check', '--support', 'inline', code=1).err


def test_the_spec_comes_before_the_command_line(tool):
    tool.edit('specs/fleet.yaml', '    removal', '    emit: {support: shared}\n    removal')
    tool.edit('specs/crew.yaml', 'element: int', 'element: int, emit: {support: inline}')
    tool('generate', '--support', 'inline')
    assert files() == [SUPPORT] + PAIRS and shares('fleet.h') and not shares('crew.h')
    tool('generate', '--support', 'shared')
    assert not shares('crew.h')
    tool('check')


def test_a_folder_keeps_its_form(tool):
    """So what a banner says to run gives what was there, and a new spec joins the others."""
    tool('generate', 'specs/fleet.yaml', '--support', 'shared')
    tool('generate')
    assert shares('fleet.h') and shares('crew.h')
    tool('generate', '--support', 'inline')
    os.remove('generated/' + SUPPORT)
    tool('generate')
    assert files() == PAIRS and not shares('fleet.h')
    tool('check')


def test_one_spec_does_not_change_the_form_of_another(tool):
    tool('generate', 'specs/crew.yaml')
    tool('generate', 'specs/fleet.yaml', '--support', 'shared')
    assert not shares('crew.h')
    tool('check')


def test_outputs(tool):
    assert tool('list', '--outputs').out.split() == ['crew.h', 'crew.c', 'fleet.h', 'fleet.c']
    assert tool('list', '--outputs', '--support', 'shared').out.split()[-1] == SUPPORT


def test_explain_tells(tool):
    assert re.search(r'emit\.support +inline +default', tool('explain', 'specs/fleet.yaml').out)
    tool.edit('specs/fleet.yaml', '    removal', '    emit: {support: shared}\n    removal')
    assert re.search(r'emit\.support +shared +specs/fleet\.yaml:\d', tool('explain', 'specs/fleet.yaml').out)


# -- the file -------------------------------------------------------------------------------------------------------

def test_it_depends_on_nothing(tool, tmp_path):
    """Neither on the specs, nor on the formatter: so runs that write it never disagree."""
    tool.edit('specs/fleet.yaml', '    removal', '    emit: {banner: "Ours", cplusplus: true, types: pascal}\n    removal')
    tool('generate', 'specs/fleet.yaml', '--support', 'shared', '-o', 'one')
    tool('generate', 'specs/crew.yaml', '--support', 'shared', '-o', 'other', '--no-format')
    assert tool.read('one/' + SUPPORT) == tool.read('other/' + SUPPORT)
    assert tool('generate', '--stdout', '--support', 'shared').out.count('#define BESPOKE_SUPPORT %d ' % CONTRACT) == 1


@pytest.mark.skipif(FORMATTER is None, reason='needs clang-format 14 or later')
def test_it_is_laid_out_as_the_formatter_would():
    text = Renderer().support()
    done = subprocess.run([FORMATTER, '--style=' + clang_format.style(), '--assume-filename=x.c'], input=text, encoding='utf-8',
                          stdout=subprocess.PIPE, check=True)
    assert done.stdout == text


def test_it_is_sealed(tool):
    tool('generate', '--support', 'shared')
    tool.edit('generated/' + SUPPORT, '#define BESPOKE_CHECKS 0', '#define BESPOKE_CHECKS 1')
    found = tool('check', code=1).err
    assert SUPPORT in found and 'BSP0403' in found and '--force' in found
    refused = tool('generate', code=2).err
    assert 'undo the change' in refused and 'BSP0403' in refused
    tool('generate', '--force')
    tool('check')


def test_it_is_missed(tool):
    tool('generate', '--support', 'shared')
    os.remove('generated/' + SUPPORT)
    found = tool('check', code=1).err
    assert 'BSP0409' in found and SUPPORT in found
    tool('generate')
    tool('check')


def test_it_is_stale(tool, monkeypatch):
    tool('generate', '--support', 'shared')
    with monkeypatch.context() as other:
        other.setattr('generator.emitted.render.CONTRACT', CONTRACT + 1)
        found = tool('check', code=1).err
    assert len(re.findall('BSP0408', found)) == 3  # the two headers, too
    tool('check')


def test_it_is_left_over(tool):
    tool('generate', '--support', 'shared')
    tool('generate', 'specs/fleet.yaml', '--support', 'inline')
    tool('check')  # crew.h includes it
    tool('check', 'specs/fleet.yaml')
    tool('generate', '--support', 'inline')
    found = tool('check', code=1).err
    assert 'BSP0410' in found and 'no header here includes it' in found and 'remove: generated/' + SUPPORT in found
    os.remove('generated/' + SUPPORT)
    tool('check')


def test_it_is_not_mistaken_for_yours(tool):
    tool.write('generated/' + SUPPORT, '/* ours */\n')
    assert 'BSP0402' in tool('generate', '--support', 'shared', code=2).err
    assert files() == [SUPPORT]


def test_the_stamp_is_the_headers(tool):
    """A dependency file without a stamp names the first file, and what all share is not it."""
    tool('generate', 'specs/crew.yaml', '--support', 'shared', '--depfile', 'crew.d')
    assert tool.read('crew.d').startswith('generated/crew.h:')
    assert 'bespoke.h.j2' in tool.read('crew.d')


def test_runs_side_by_side(tmp_path):
    """Each writes it, and none sees half of it."""
    for number in range(8):
        (tmp_path / f'a{number}.yaml').write_text(f'bespoke: 1\ncontainers:\n  a{number}: {{element: int}}\n')

    def generate(number):
        return subprocess.run([BESPOKE, 'generate', '-q', str(tmp_path / f'a{number}.yaml'), '-o', str(tmp_path / 'out'), '--support', 'shared'],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8')

    with ThreadPoolExecutor(4) as pool:
        for done in pool.map(generate, list(range(8)) * 2):
            assert done.returncode == 0, done.stdout
    assert len(files(tmp_path / 'out')) == 17


# -- programs -------------------------------------------------------------------------------------------------------

def compiled(folder, *sources, flags=(), compiler='cc'):
    return subprocess.run([compiler, *WARNINGS, *flags, '-I', str(folder / 'specs'), '-c', *sources], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding='utf-8')


@pytest.mark.parametrize('compiler, standards', [('gcc', ['c99', 'c11']), ('clang', ['c99']), ('g++', ['c++17'])])
def test_several_specs_in_one_program(tool, tmp_path, compiler, standards):
    """Of one folder or of two; some of them inline."""
    if not shutil.which(compiler):
        pytest.skip('no ' + compiler)
    if compiler == 'g++':
        tool.edit('specs/fleet.yaml', '    removal', '    emit: {cplusplus: true}\n    removal')
    tool('generate', '--support', 'shared', '-o', 'one')
    tool('generate', 'specs/crew.yaml', '--support', 'shared', '-o', 'other')
    tool('generate', 'specs/crew.yaml', '--support', 'inline', '-o', 'alone')
    tool.write('main.c' if compiler != 'g++' else 'main.cc', MAIN if compiler != 'g++' else MAIN.replace('{0}', '{}'))
    for standard in standards:
        for second in ('one', 'other', 'alone'):
            for checks in ('0', '1'):
                done = compiled(tmp_path, 'main.c' if compiler != 'g++' else 'main.cc', 'one/fleet.c', f'{second}/crew.c', compiler=compiler,
                                flags=['-std=' + standard, '-Iother' if second == 'other' else '-Ialone' if second == 'alone' else '-Ione', '-Ione',
                                       '-DBESPOKE_CHECKS=' + checks])
                assert done.returncode == 0, done.stdout


def test_versions_are_compared(tool, tmp_path):
    tool('generate', '--support', 'shared')
    text = tool.read('generated/' + SUPPORT)
    tool.write('generated/' + SUPPORT, text.replace('#define BESPOKE_SUPPORT %d ' % CONTRACT, '#define BESPOKE_SUPPORT %d ' % (CONTRACT + 1)))
    done = compiled(tmp_path, 'generated/crew.c')
    assert done.returncode and re.search('#error "?crew.h and bespoke.h are from different versions of Bespoke: generate both again', done.stdout)


def test_inline_headers_of_several_versions(tool, tmp_path):
    """The first defines what they share. A later version may have more, and then it must be the first."""
    def later(name):
        text, changed = re.subn(r'(BESPOKE_\w+) (<? ?)%d\b' % CONTRACT, r'\1 \g<2>%d' % (CONTRACT + 1), tool.read(name))
        assert changed >= 4, 'the header says of which version what it shares is'
        tool.write(name, text)

    tool('generate', '--support', 'inline')
    tool.write('main.c', MAIN)
    later('generated/fleet.h')
    for compiler in ('gcc', 'g++'):
        assert not compiled(tmp_path, 'main.c', flags=['-Igenerated'] + ['-Wno-missing-field-initializers'] * (compiler == 'g++'),
                            compiler=compiler).returncode
    tool('generate', '--support', 'inline', '--force')
    later('generated/crew.h')
    done = compiled(tmp_path, 'main.c', flags=['-Igenerated'])
    assert re.search('crew.h:.*#error "?a header before this one has an earlier version of BESPOKE_LIVE_PASSES: include this one first', done.stdout)


# Each file of templates/support: the contract since which it is as it is, and what it then is. A name keeps its meaning, since an earlier header
# may be the first to define it, or a later one: what would mean another thing is called otherwise. What is added makes the number the current CONTRACT.
SINCE = {
    'bits': (16, '276aa823acab2cef'),
    'chaos': (16, '786b785bd15ac7ee'),
    'live_passes': (16, '0533531b3e1e3b4a'),
    'chunks': (16, 'cb94498c8ddabf9f'),
    'lowest_bit': (16, '5738c5a8ea73ea83'),
    'passes': (16, '2bb6fbc14d06819a'),
    'groups_sum': (16, '0f9d04f21392700d'),
    'passes_used': (16, '915644b16e515514'),
    'sets': (16, 'cee4ea42f7746496'),
    'ready': (16, 'f5e079331f4c3704'),
    'siphash': (16, '8e8035871a30bc37'),
    'folded': (16, '74bb0e5f5e23784e'),
    'group': (16, 'd1214b6d6a2f56be'),
    'search': (16, '8cf8940c38575b71'),
    'groups': (16, '815ba9eaecf4c3f6'),
    'trace': (16, '7084a1b28d4b0d6c'),
    'trace_calls': (16, 'be1795040548c5e6'),
    'traced_calls': (16, '6731ae02e65383c3'),
}


def test_each_file_has_a_number():
    assert {name[:-2] for name in os.listdir(os.path.join(ROOT, 'templates', 'support'))} == {*SINCE, 'poison'}  # macros that a build may define


@pytest.mark.parametrize('name', SINCE)
def test_what_changes_has_another_number(name):
    with open(os.path.join(ROOT, 'templates', 'support', name + '.h'), encoding='utf-8') as file:
        text = file.read()
    found = re.fullmatch(r'#ifndef (BESPOKE_\w+)\n#define \1 (\d+) /\*.*\n#elif \1 < \2\n#error ".* of \1: include this one first"\n#endif\n', text,
                         re.DOTALL)
    assert found and int(found[2]) == SINCE[name][0], 'its guard has the number, and compares it'
    digest = hashlib.sha256(re.sub(r'/\*.*?\*/|\s', '', text, flags=re.DOTALL).encode()).hexdigest()[:16]
    assert digest == SINCE[name][1], 'what it says now: %r; the number grows with the first change after a release' % digest


def test_without_builtins_of_gcc(tool, tmp_path):
    """What other compilers take: as far as gcc can stand in for them."""
    tool('generate', '--support', 'shared')
    tool.write('main.c', MAIN)
    tool.write('other.h', '#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#undef __GNUC__\n')
    done = compiled(tmp_path, 'main.c', 'generated/fleet.c', flags=['-std=c99', '-include', 'other.h', '-Igenerated'])
    assert done.returncode == 0, done.stdout


LEFT = """
#include "fleet.h"

static int first(fleet *list)
{
    FLEET_EACH(list, ship) {
        return (int)ship->id;
    }
    return 0;
}

int main(void)
{
    fleet list = {0};
    int left = 0;

    (void)fleet_add(&list, (struct ship){1, 0, 0});
    for (int i = 0; i < 20; i++) {
        left += first(&list);
    }
    fleet_deinit(&list);
    return left != 20;
}
"""


@pytest.mark.skipif(shutil.which('clang') is None, reason='needs clang')
def test_clang_without_a_version_of_gcc(tool, tmp_path):
    """As it is where it compiles for MSVC: it has all attributes and builtins, so a loop that is left by return ends its pass."""
    tool('generate', '--support', 'shared')
    tool.write('left.c', LEFT)
    tool.write('other.h', '#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#undef __GNUC__\n')
    done = compiled(tmp_path, 'left.c', 'generated/fleet.c', compiler='clang', flags=['-std=c99', '-include', 'other.h', '-Igenerated'])
    assert done.returncode == 0, done.stdout
    subprocess.run(['clang', 'left.o', 'fleet.o', '-o', 'left'], cwd=str(tmp_path), check=True)
    assert subprocess.run([str(tmp_path / 'left')]).returncode == 0
    macros = [subprocess.run(['clang', f'--target=x86_64-{target}', '-O2', '-ffreestanding', '-dM', '-E', 'generated/bespoke.h'], cwd=str(tmp_path),
                             stdout=subprocess.PIPE, check=True, encoding='utf-8').stdout for target in ('pc-windows-msvc', 'linux-gnu')]
    ours = [[line for line in sorted(text.splitlines()) if line.startswith('#define BESPOKE_')] for text in macros]
    assert ours[0] == ours[1] and len(ours[0]) > 10


@pytest.mark.parametrize('way', ('fleet_end(&ship_cursor); return 1;', 'break;'))
def test_without_the_attribute(tool, tmp_path, way):
    """With no attribute that ends a loop, it is ended by break, and by what its header says above the macro."""
    tool('generate', '--support', 'shared')
    assert 'with other compilers, call fleet_end(&element_cursor) before return and goto' in re.sub(r'\n \*', '', tool.read('generated/fleet.h'))
    tool.write('left.c', LEFT.replace('return (int)ship->id;', '(void)ship; ' + way).replace('return 0;', 'return 1;', 1))
    done = compiled(tmp_path, 'left.c', 'generated/fleet.c', flags=['-std=c99', '-DBESPOKE_CLOSES(done)=', '-Igenerated'])
    assert done.returncode == 0, done.stdout
    subprocess.run(['cc', 'left.o', 'fleet.o', '-o', 'left'], cwd=str(tmp_path), check=True)
    assert subprocess.run([str(tmp_path / 'left')]).returncode == 0


def test_every_loop_says_how_to_leave_it():
    """In each header that is checked in, above the macro or the first of several."""
    for path in glob.glob(os.path.join(ROOT, 'generated', '*.h')):
        with open(path, encoding='utf-8') as file:
            text = file.read()
        named = set(re.findall(r'with other compilers,\s*(?:\* )?call\s+(?:\* )?(\w+)\(&element_cursor\)', text))
        assert named == set(re.findall(r'BESPOKE_CLOSES\((\w+)\) =', text)), path


def test_templates_ask_for_clang_too():
    for folder, _, names in os.walk(os.path.join(ROOT, 'templates')):
        for name in names:
            with open(os.path.join(folder, name), encoding='utf-8') as file:
                alone = [line for line in file if '__GNUC__' in line and '__clang__' not in line and '__GNUC__ >=' not in line]
            assert not alone, (name, alone)


def test_freestanding(tool, tmp_path):
    """Nothing that all share needs a library."""
    tool.edit('specs/crew.yaml', 'element: int', 'element: int, emit: {freestanding: true}, storage: contiguous, capacity: {max: 8, inline: true}')
    tool('generate', 'specs/crew.yaml', '--support', 'shared')
    done = compiled(tmp_path, 'generated/crew.c', flags=['-std=c99', '-ffreestanding', '-nostdinc', '-isystem', subprocess.run(
        ['gcc', '-print-file-name=include'], stdout=subprocess.PIPE, encoding='utf-8').stdout.strip(), '-DBESPOKE_CHECKS=1'], compiler='gcc')
    assert done.returncode == 0, done.stdout


PHYSICS = """\
bespoke: 1
defaults: {ordering: unordered, removal: swap}
containers:
  bodies: {element: {type: struct body *, header: phys.h}, emit: {operations: [add, remove, contains, each, count, get, deinit]}}
  static_bodies: {element: {type: struct body *, header: phys.h}, emit: {operations: [add, remove, contains, each, count, deinit]}}
  components: {element: {type: struct body *, header: phys.h}, emit: {operations: [add, remove, each, remove_current, count, deinit]}}
  constraints: {element: {type: struct constraint *, header: phys.h}, emit: {operations: [add, remove, each, count, deinit]}}
  arbiters:
    element: {type: struct arbiter, header: phys.h}
    duplicates: reject
    identity: {key: element->pair}
    index: hash
    emit: {operations: [add, find, remove_key, each, remove_current, deinit]}
  shapes:
    element: {type: struct shape, header: phys.h}
    duplicates: reject
    identity: {key: element->id}
    index: hash
    emit: {operations: [add, find, remove_key, each, count, clear, deinit]}
  callbacks:
    element: {type: struct callback, header: phys.h}
    ordering: insertion
    removal: compact
    emit: {operations: [add, each, remove_current, clear, deinit]}
  post_step: {element: {type: struct callback, header: phys.h}, ordering: insertion, removal: shift, emit: {operations: [add, each, clear, deinit]}}
"""
PHYS = """\
#include <stdint.h>
struct body { float x, y; int id; };
struct shape { struct body *body; int id; };
struct arbiter { uint64_t pair; int stamp; };
struct constraint { struct body *a, *b; };
struct callback { void (*call)(void *); void *data; };
"""


@pytest.mark.skipif(FORMATTER is None, reason='needs clang-format 14 or later')
def test_lists_of_one_program_grow_no_longer(tool):
    """Of each list is printed what looks at its elements; what looks at records of passes is in the support, and docs/emitted.md states these numbers."""
    tool.write('specs/lists.yaml', PHYSICS)
    tool.write('specs/phys.h', PHYS)
    lines = {}
    for support in ('shared', 'inline'):
        tool('generate', 'specs/lists.yaml', '--support', support, '-o', support)
        lines[support] = {name: tool.read(f'{support}/{name}').count('\n') for name in files(support)}
    assert sum(lines['inline'].values()) <= LINES['inline']
    assert sum(lines['shared'].values()) - lines['shared'][SUPPORT] <= LINES['shared']


def test_this_project_shares():
    assert os.path.exists(os.path.join(ROOT, 'generated', SUPPORT))
