"""The drift check: what it finds, what it lets pass, and that it never succeeds without having compared."""

import os
import re
import shutil
import subprocess

import pytest
from tool import CREW, FLEET, FORMATTER, Tool

from generator.text import tokens
from generator.text.project import CONTRACT
from generator.tool import cli

needs_formatter = pytest.mark.skipif(FORMATTER is None, reason='needs clang-format 14 or later')


@pytest.fixture
def tool(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    tool = Tool(tmp_path, capsys)
    tool('generate')
    return tool


@pytest.fixture(params=[pytest.param('formatter', marks=needs_formatter), 'no formatter'])
def either(request, monkeypatch):
    """The check says the same with a formatter and without."""
    if request.param == 'no formatter':
        monkeypatch.setenv('BESPOKE_CLANG_FORMAT', 'no-such-clang-format')
    return request.param


def mended(tool, result):
    """Runs the command that the check advises, and checks again."""
    match = re.search(r'run: bespoke (generate[^;(\n]*)', result.err)
    assert match, result
    tool(*match.group(1).split())
    orphans = re.search(r'remove: (.*)', result.err)
    for name in orphans.group(1).split() if orphans else ():
        tool.remove(name)
    tool('check')


def test_nothing_to_find(tool, either):
    before = tool.state()
    result = tool('check')
    assert result.out == '4 files are what 2 specs say\n' and result.err == ''
    assert tool('check', '-q').out == ''
    assert tool('check', 'specs/fleet.yaml').out == '2 files are what 1 spec says\n'
    assert tool.state() == before


def test_the_project_itself(tmp_path):
    """As CI runs it: no arguments, in the root."""
    from conftest import ROOT
    tool = Tool(tmp_path)
    result = tool.process('check', cwd=ROOT, code=None)
    if not any(name.endswith('.h') for name in os.listdir(os.path.join(ROOT, 'generated'))):
        pytest.skip('nothing is checked in')
    assert result.code == 0, result


def test_stale(tool, either):
    tool.edit('specs/fleet.yaml', 'swap', 'shift')
    result = tool('check', code=1)
    for name in ('fleet.c', 'fleet.h'):
        path = os.path.join('generated', name)
        assert f"'{path}' is stale: {os.path.join('specs', 'fleet.yaml')} gives" in result.err
        assert f'--- {path}\n+++ {path} (as ' in result.out
    assert 'BSP0408' in result.err and 'BSP0403' not in result.err and 'crew' not in result.err
    assert 'run: bespoke generate\n' in result.err
    mended(tool, result)


def test_quietly(tool, either):
    """Which files, and how to mend them; not what is in them."""
    tool.edit('specs/fleet.yaml', 'swap', 'shift')
    tool.edit('generated/crew.c', 'return', 'return !')
    aloud, quiet = tool('check', code=1), tool('check', '-q', code=1)
    assert aloud.out and quiet.out == '' and quiet.err == aloud.err
    assert quiet.err.count('is stale') == 2 and 'run: bespoke generate --force' in quiet.err


def test_a_comment_in_the_spec_is_no_drift(tool):
    tool.write('specs/fleet.yaml', '# new\n' + FLEET.replace('removal: swap', 'removal: swap # why not'))
    tool('check')


def test_an_included_spec(tool):
    tool.write('base/base.yaml', 'bespoke: 1\ndefaults: {capacity: {initial: 16}}\n')
    tool.edit('specs/fleet.yaml', 'bespoke: 1\n', 'bespoke: 1\ninclude: ../base/base.yaml\n')
    tool('check')
    tool.edit('base/base.yaml', '16', '32')
    assert 'fleet.c' in tool('check', code=1).err


@pytest.mark.parametrize('old, new', [
    ('    return', '    return 0 +'), ('list->count++', 'list->count += 1'), ('static ', ''), ('\n}\n', '\n}\nint more;\n')])
def test_edited_by_hand(tool, either, old, new):
    original = tool.read('generated/fleet.c')
    tool.edit('generated/fleet.c', old, new)
    result = tool('check', code=1)
    assert 'BSP0403' in result.err and 'was edited by hand' in result.err and '--force' in result.err
    assert result.out.startswith('--- ') and re.search(r'^-.*', result.out[4:], re.MULTILINE)
    if either == 'formatter':
        line = int(re.search(r'fleet\.c:(\d+):\d+: error', result.err).group(1))
        at = original[:original.index(old)].count('\n') + 1
        assert 0 <= line - at <= 2
    mended(tool, result)


def test_edited_comment(tool, either):
    tool.edit('generated/fleet.h', '/* Adds', '/* Really adds')
    result = tool('check', code=1)
    assert 'BSP0403' in result.err and '-/* Really adds' in result.out
    spec = os.path.join('specs', 'fleet.yaml')
    assert f'make the change in {spec} instead' in tool('generate', code=2).err


def test_appended_comment(tool):
    tool.write('generated/fleet.h', tool.read('generated/fleet.h') + '/* more */\n')
    assert 'BSP0403' in tool('check', code=1).err


def test_edited_and_sealed_anew(tool):
    """Whoever forges the seal is found all the same."""
    from generator.output import clang_format, writer
    tool.edit('generated/fleet.c', 'return', 'return 0 +')
    text = tool.read('generated/fleet.c')
    banner = writer.read_banner(text)
    tool.write('generated/fleet.c', text.replace(banner.seal, tokens.seal(banner.body)))
    result = tool('check', code=1)
    assert 'BSP0408' in result.err
    mended(tool, result)


@pytest.mark.parametrize('old, new', [
    ('do not edit', 'please edit'), (f'contract={CONTRACT}', 'contract=0'), ('from fleet.yaml', 'from fleas.yaml'),
    ('specs/fleet.yaml', 'specs/fleas.yaml'), ('/* GEN', '/* (c) me */\n/* GEN')])
def test_the_banner_counts(tool, old, new):
    tool.edit('generated/fleet.h', old, new)
    result = tool('check', code=1)
    assert 'BSP0408' in result.err
    mended(tool, result)


def test_files_of_another_version(tool):
    tool.edit('generated/fleet.h', f'contract={CONTRACT}', f'contract={CONTRACT - 1}')
    assert 'it was generated by another version of Bespoke' in tool('check', code=1).err


def test_where_it_was_generated_does_not_count(tool):
    """Files that were generated elsewhere and copied are the same."""
    tool('generate', '-o', 'build/a/b/c')
    for name in os.listdir('build/a/b/c'):
        shutil.copy('build/a/b/c/' + name, 'generated/' + name)
    tool('check')
    assert tool.read('generated/fleet.h') != ''


def test_a_licence_that_changes(tool):
    tool.edit('specs/fleet.yaml', '    removal', '    emit: {banner: "MIT"}\n    removal')
    result = tool('check', code=1)
    assert 'BSP0408' in result.err
    mended(tool, result)


def test_no_banner_left(tool):
    tool.write('generated/fleet.h', '/* mine */\n')
    result = tool('check', code=1)
    assert 'BSP0402' in result.err and 'move away' in result.err


def test_missing(tool):
    tool.remove('generated/fleet.h')
    result = tool('check', code=1)
    assert 'BSP0409' in result.err and 'is missing' in result.err
    mended(tool, result)


def test_unreadable(tool):
    tool.remove('generated/fleet.h')
    os.mkdir('generated/fleet.h')
    assert 'BSP0405' in tool('check', code=1).err


def test_all_at_once(tool):
    tool.remove('generated/fleet.h')
    tool.edit('generated/fleet.c', 'return', 'return 0 +')
    tool.edit('specs/crew.yaml', 'int', 'long')
    tool.write('generated/old.c', tool.read('generated/crew.c').replace('crew.yaml', 'old.yaml'))
    result = tool('check', code=1)
    assert [code for code in ('BSP0403', 'BSP0408', 'BSP0409', 'BSP0410') if code not in result.err] == []
    assert '5 files to mend' in result.err
    mended(tool, result)


# -- layout ------------------------------------------------------------------------------------------------------

@needs_formatter
@pytest.mark.parametrize('style', ['LLVM', 'Google', 'GNU'])
def test_another_layout_passes(tool, style):
    files = ['generated/' + name for name in os.listdir('generated')]
    subprocess.run([FORMATTER, '-i', '--style=' + style] + files, check=True)
    tool('check')


def test_line_breaks_of_windows_pass(tool):
    for name in os.listdir('generated'):
        tool.write('generated/' + name, tool.read('generated/' + name).replace('\n', '\r\n'))
    tool('check')


def test_no_layout_passes(tool):
    tool('generate', '--no-format', '-o', 'plain')
    tool('check', '-o', 'plain')


@needs_formatter
def test_a_diff_shows_no_layout(tool):
    """A file of another layout with one edit: the diff shows the edit."""
    subprocess.run([FORMATTER, '-i', '--style=GNU', 'generated/fleet.c'], check=True)
    tool.edit('generated/fleet.c', 'memset (list, 0, ', 'memset (list, 1, ')
    out = tool('check', code=1).out
    assert [line for line in out.splitlines() if re.match(r'[-+][^-+]', line)] == ['-memset(list,1,sizeof*list);', '+memset(list,0,sizeof*list);']


def test_a_diff_is_not_too_long(tool, either):
    tool.edit('specs/fleet.yaml', 'fleet', 'armada')
    result = tool('check', code=1)
    assert 'more lines' in result.out
    assert len(result.out.splitlines()) < 200


# -- files without a spec ----------------------------------------------------------------------------------------

def test_orphan(tool):
    tool.remove('specs/crew.yaml')
    result = tool('check', code=1)
    assert result.err.count('BSP0410') == 2 and 'crew.c' in result.err
    assert 'remove: ' in result.err
    # Naming all the specs there are finds them too.
    assert tool('check', 'specs/fleet.yaml', code=1).err.count('BSP0410') == 2


def test_a_source_is_left_when_the_spec_becomes_a_single_header(tool):
    tool.write('specs/fleet.yaml', FLEET + '    emit: {files: single}\n')
    result = tool('check', code=1)
    assert re.search(r"fleet\.c' belongs to no spec", result.err)


def test_others_may_share_the_folder(tool):
    """One check for each spec, all in one folder."""
    tool('check', 'specs/fleet.yaml')
    tool('check', 'specs/crew.yaml')
    tool.write('more/guild.yaml', CREW.replace('crew', 'guild'))
    tool('generate', 'more/guild.yaml')
    tool('check', 'more/guild.yaml')
    tool('check', 'specs/fleet.yaml')
    tool('check')


def test_from_another_folder(tool, monkeypatch):
    os.mkdir('sub')
    monkeypatch.chdir('sub')
    tool('check', '../specs/fleet.yaml', '../specs/crew.yaml', '-o', '../generated')
    tool('check', os.path.abspath('../specs/fleet.yaml'), '-o', os.path.abspath('../generated'))


def test_files_of_others_do_not_matter(tool):
    tool.write('generated/README.md', 'hello')
    tool.write('generated/mine.c', 'int mine;\n')
    os.mkdir('generated/folder.h')
    tool('check')


# -- files for debuggers -------------------------------------------------------------------------------------------


def test_debuggers_are_compared_when_they_are_there(tool):
    tool('generate', '--debuggers', 'specs/fleet.yaml')
    assert '5 files' in tool('check', 'specs/fleet.yaml').out
    tool.edit('generated/fleet.gdb.py', 'import gdb.printing', '')
    tool.edit('specs/fleet.yaml', 'removal: swap', 'removal: reuse')
    result = tool('check', 'specs/fleet.yaml', code=1)
    assert result.err.count('BSP0408') == 4 and result.err.count('BSP0403') == 1, result
    assert '--debuggers' in result.err and '--force' in result.err
    tool('generate', '--debuggers', 'specs/fleet.yaml', code=2)
    tool('generate', '--debuggers', '--force', 'specs/fleet.yaml')
    tool('check', '--debuggers', 'specs/fleet.yaml')


def test_debuggers_are_missing_when_they_are_asked_for(tool):
    tool('generate', 'specs/fleet.yaml')
    tool('check', 'specs/fleet.yaml')
    result = tool('check', '--debuggers', 'specs/fleet.yaml', code=1)
    assert result.err.count('BSP0409') == 3 and '--debuggers' in result.err


def test_debuggers_of_no_spec_are_orphans(tool):
    tool('generate', '--debuggers')
    tool.remove('specs/crew.yaml')
    result = tool('check', code=1)
    assert result.err.count('BSP0410') == 5 and 'crew.natvis' in result.err and 'crew.gdb.py' in result.err and 'crew_lldb.py' in result.err


def test_layout_counts_in_python_and_not_the_ends_of_lines(tool):
    tool('generate', '--debuggers', 'specs/fleet.yaml')
    tool.write('generated/fleet.gdb.py', tool.read('generated/fleet.gdb.py').replace('\n', '  \r\n'))
    tool('check', 'specs/fleet.yaml')
    tool.edit('generated/fleet.gdb.py', '    class Kind', '     class Kind')
    assert 'BSP0403' in tool('check', 'specs/fleet.yaml', code=1).err


@pytest.mark.parametrize('name', ('a--b', 'a-----b', 'a-'))
def test_hyphens_in_comments_of_xml(tool, name):
    import xml.etree.ElementTree as ElementTree
    tool.write(f'specs/{name}.yaml', tool.read('specs/crew.yaml').replace('element: int', 'element: int, emit: {banner: "a -- b --- c"}'))
    tool('generate', '--debuggers', f'./specs/{name}.yaml')
    ElementTree.parse(tool.path(f'generated/{name}.natvis'))
    tool('check', f'./specs/{name}.yaml')
    tool.remove(f'specs/{name}.yaml')
    assert f'specs/{name}.yaml, is not there' in tool('check', 'specs/fleet.yaml', code=1).err


# -- tests -------------------------------------------------------------------------------------------------------

@pytest.fixture
def tests_are_made(tool, monkeypatch):
    """Every spec has a test, whether the templates have one already or not."""
    from generator.emitted.render import Renderer
    real = Renderer.files

    def files(self, spec, regenerate, tests=False, shared=False, alone=True):
        result = real(self, spec, regenerate)
        if tests:
            result[spec.stem + '_test.c'] = f'\n#include "{spec.stem if alone else "bespoke_test"}.h"\nint main(void)\n{{\nreturn 0;\n}}\n'
        return result

    monkeypatch.setattr(Renderer, 'files', files)


def test_tests_are_compared_when_they_are_there(tool, tests_are_made):
    tool('check')
    assert tool('generate', 'specs/fleet.yaml', '--tests').out.count('wrote') == 2
    assert tool.exists('generated/fleet_test.c') and not tool.exists('generated/crew_test.c')
    assert tool('check').out.startswith('6 files')
    tool.edit('generated/fleet_test.c', 'return 0', 'return 1')
    result = tool('check', code=1)
    assert "fleet_test.c' was edited" in result.err and ' --tests ' in result.err
    mended(tool, result)


def test_tests_are_missing_when_they_are_asked_for(tool, tests_are_made):
    result = tool('check', '--tests', code=1)
    assert result.err.count('BSP0409') == 3 and '--tests' in result.err
    mended(tool, result)


# -- what could not be compared is no success --------------------------------------------------------------------

def test_no_folder(tool):
    shutil.rmtree('generated')
    result = tool('check', code=3)
    assert 'BSP0411' in result.err and 'generated' in result.err


def test_no_specs(tool):
    shutil.rmtree('specs')
    assert 'BSP0411' in tool('check', code=3).err
    assert 'BSP0411' in tool('generate', code=3).err
    os.mkdir('specs')
    assert 'BSP0411' in tool('check', code=3).err


def test_a_spec_with_errors(tool):
    tool.edit('specs/fleet.yaml', 'swap', 'swop')
    tool.edit('specs/crew.yaml', 'int', 'int, ordering: sideways')
    result = tool('check', code=2)
    assert 'swop' in result.err and 'sideways' in result.err


def test_a_spec_that_is_not_there(tool):
    assert 'BSP0001' in tool('check', 'specs/fleas.yaml', code=2).err


def test_an_empty_folder(tool):
    shutil.rmtree('generated')
    os.mkdir('generated')
    assert tool('check', code=1).err.count('BSP0409') == 4


def test_a_bug_is_no_success(tool, monkeypatch):
    from generator.output import drift
    monkeypatch.setattr(drift, 'compare', lambda *_, **__: 1 / 0)
    assert 'BSP0590' in tool('check', code=4).err


def test_words_for_machines(tool):
    import json
    tool.edit('specs/fleet.yaml', 'swap', 'shift')
    result = tool('check', '--diagnostics', 'json', code=1)
    records = [json.loads(line) for line in result.err.splitlines()]
    assert {record['code'] for record in records} == {'BSP0408'} and result.out == ''
    result = tool('check', '--diagnostics', 'msvc', code=1)
    assert all(re.match(r'.*: error BSP0408: ', line) for line in result.err.splitlines()), result


def test_compares_without_a_formatter_when_nothing_differs(tool, monkeypatch):
    from generator.output import clang_format
    monkeypatch.setattr(clang_format, 'find_formatter', lambda: 1 / 0)
    assert cli.main(['check']) == 0
