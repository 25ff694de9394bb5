"""Files on disk: banners, seals, the normal form, what is written and what is not, dependency files."""

import glob
import math
import os
import re
import shutil
import stat
import subprocess

import pytest
from conftest import ROOT
from tool import CREW, FLEET, FORMATTER, Tool

from generator.output import clang_format, writer
from generator.text import tokens
from generator.types import libclang

needs_libclang = pytest.mark.skipif(not libclang.available()[0], reason='needs libclang: apt-get install python3-clang')
needs_formatter = pytest.mark.skipif(FORMATTER is None, reason='needs clang-format 14 or later')


# -- the normal form ---------------------------------------------------------------------------------------------

SAME = [
    ('int a;', 'int\n   a ;'),
    ('a+b', 'a + b'),
    ('if(a){b();}', 'if (a)\n{\n\tb();\n}\n'),
    ('x = -1;', 'x=-1;'),
    ('a - -b', 'a -\n-b'),
    ('int *p, **q;', 'int* p, * *q;'),
    ('/* one two */', '/*  one\n     two */'),
    ('/* one two three */', '/* one\n * two\n * three */'),
    ('/*\n * one\n * two\n */', '/* one two */'),
    ('// one two\n// three\nint a;', '// one two three\nint a;'),
    ('"one" "two"', '"one"\n    "two"'),
    ('"onetwo"', '"one" "two"'),
    ('#define A(x) ((x) & 1)\nint b;', '#  define A(x) ((x)&1)\nint b;'),
    ('#define A 1 + \\\n    2\n', '#define A 1 + 2\n'),
    ('#include <a.h>\n#include <b.h>\n', '#include <b.h>\n#include <a.h>\n'),
    ('#include <a.h>\n#include <b.h>\n', '#include <a.h>\n\n#include <b.h>\n'),
    ('a = b;\r\nc = d;\r\n', 'a = b;\nc = d;\n'),
    ('f(a, /* why */ b)', 'f(a, /* why */\n  b)'),
    ('#if A /* b\n c */\n', '#if A /* b c */\n'),
    ('x = "a//b";', 'x   =   "a//b";'),
    ("c = '\"'; d = '\"';", "c='\"';d='\"';"),
]

OTHER = [
    ('int a;', 'int b;'),
    ('int a;', 'inta;'),
    ('a - -b', 'a --b'),
    ('a + ++b', 'a++ + b'),
    ('a & &b', 'a && b'),
    ('a = = b', 'a == b'),
    ('a - > b', 'a -> b'),
    ('a < = b', 'a <= b'),
    ('a < < b', 'a << b'),
    ('a / *b', 'a /*b'),
    ('"a b"', '"a  b"'),
    ('"ab"', '"a b"'),
    ("' '", "'  '"),
    ('"a" b', '"a b"'),
    ('"\\x1" "2"', '"\\x12"'),
    ('"\\1" "2"', '"\\12"'),
    ('/* one */', '/* two */'),
    ('/* one */ int a;', 'int a;'),
    ('/* one */', '// one\n'),
    ('// a\nint b;', '// a int b;'),
    ('#define A (x)\n', '#define A(x)\n'),
    ('#define A 1\n2\n', '#define A 1 2\n'),
    ('#define A\n#define B\n', '#define A #define B\n'),
    ('#include <a.h>\n#include <b.h>\n', '#include <a.h>\n'),
    ('#include <a.h>\n#define X\n#include <b.h>\n', '#include <b.h>\n#define X\n#include <a.h>\n'),
    ('x = "/* a */";', 'x = "/*  a */";'),
    ('return a;', 'returna;'),
    ('1 .5', '1.5'),
    ('a;', 'a;;'),
    ('#if A\n#endif\n', '#if A\n'),
]


@pytest.mark.parametrize('one, two', SAME)
def test_the_same_tokens(one, two):
    assert tokens.normal(one) == tokens.normal(two)
    assert tokens.seal(one) == tokens.seal(two)


@pytest.mark.parametrize('one, two', OTHER)
def test_other_tokens(one, two):
    assert tokens.normal(one) != tokens.normal(two)
    assert tokens.seal(one) != tokens.seal(two)


@pytest.mark.parametrize('text', ['', '"', "'", '/*', '//', '#', '\\', '"\\', "it's", '\x01\x02\x03', '/* \x05 */', '\x00',
                                  '#define', '#include', '"a\nb"', '\udc80'])
def test_the_normal_form_of_anything(text):
    tokens.seal(text)
    tokens.normal_lines(text)
    writer.read_banner(text)


def test_control_characters_are_not_mistaken():
    """The passes mark what they took out with control characters; a text may hold those itself."""
    assert tokens.normal('"a" \x03') != tokens.normal('"a" ""')
    assert tokens.normal('\x05#define A\x06') != tokens.normal('#define A\n')


@needs_formatter
@pytest.mark.parametrize('style', [
    '{BasedOnStyle: LLVM}', '{BasedOnStyle: Google}', '{BasedOnStyle: GNU}', '{BasedOnStyle: Mozilla, ColumnLimit: 60}',
    '{BasedOnStyle: WebKit, IndentPPDirectives: AfterHash}', '{BasedOnStyle: Microsoft, ReflowComments: true}',
    '{BasedOnStyle: Chromium, ColumnLimit: 50, BreakStringLiterals: true, AlignEscapedNewlines: Left}'])
def test_no_style_changes_the_normal_form(tool, style):
    tool('generate')
    for name in sorted(os.listdir('generated')):
        text = tool.read('generated/' + name)
        done = subprocess.run([FORMATTER, '--style=' + style, '--assume-filename=x.c'], input=text, encoding='utf-8',
                              stdout=subprocess.PIPE, check=True)
        assert done.stdout != text
        assert tokens.normal(done.stdout) == tokens.normal(text)
        assert writer.read_banner(done.stdout).intact


# -- banners -----------------------------------------------------------------------------------------------------

def test_banner(tool):
    tool('generate')
    text = tool.read('generated/fleet.h')
    banner = writer.read_banner(text)
    assert banner.spec == '../specs/fleet.yaml' and banner.spec_name == 'fleet.yaml'
    assert banner.contract >= 1 and banner.intact
    assert banner.text + banner.body == text
    assert text.startswith('/* GENERATED by Bespoke from fleet.yaml: do not edit.')
    assert 'bespoke generate fleet.yaml' in banner.text


def test_licence_comes_first(tool):
    tool.edit('specs/fleet.yaml', '    removal', '    emit: {banner: "SPDX-License-Identifier: MIT"}\n    removal')
    tool('generate')
    for name in ('fleet.h', 'fleet.c'):
        assert tool.read('generated/' + name).startswith('/* SPDX-License-Identifier: MIT */\n/* GENERATED')
        assert writer.read_banner(tool.read('generated/' + name)).intact
    tool('check')


def test_licences_of_several_containers_come_once(tool):
    tool.write('specs/fleet.yaml', 'bespoke: 1\ndefaults: {emit: {banner: Ours}}\ncontainers:\n  ants: {element: int}\n'
                                   '  bees: {element: int}\n  cows: {element: int, emit: {banner: Theirs}}\n')
    tool('generate')
    assert tool.read('generated/fleet.h').startswith('/* Ours */\n/* Theirs */\n/* GENERATED')


@pytest.mark.parametrize('text', [
    '', 'int a;', '/* @bespoke spec=a.yaml contract=1 seal=zz */', '@bespoke spec=a contract=1 seal=00',
    'int a; /* @bespoke spec=a contract=1 seal=00 */', '/* a */ @bespoke spec=a contract=1 seal=00 /* b */',
    '/* @bespoke spec=a contract=1 seal=00', 'x' * 5000 + '/* @bespoke spec=a contract=1 seal=00 */',
    'const char *s = "/* @bespoke spec=a contract=1 seal=00 */";'])
def test_no_banner(text):
    assert writer.read_banner(text) is None


@pytest.mark.parametrize('spec, folder, shown', [
    ('p/specs/a.yaml', 'p/generated', '../specs/a.yaml'),
    ('p/a.yaml', 'p/generated', '../a.yaml'),
    ('p/a.yaml', 'p', 'a.yaml'),
    ('p/specs/a.yaml', 'p', 'specs/a.yaml'),
    ('p/game/specs/a.yaml', 'p/generated', '../game/specs/a.yaml'),
    ('p/specs/a.yaml', 'p/build/bespoke', 'a.yaml'),
    ('p/specs/a.yaml', 'q/build/bespoke/x', 'a.yaml'),
    ('p/my specs/a.yaml', 'p/generated', 'a.yaml'),
    ('p/specs/a b.yaml', 'p/generated', '../specs/a_b.yaml'),
    ('p/x*/specs/a.yaml', 'p/generated', 'a.yaml')])
def test_the_spec_in_the_banner(tmp_path, monkeypatch, spec, folder, shown):
    os.makedirs(tmp_path / os.path.dirname(spec))
    assert writer.spec_reference(str(tmp_path / spec), str(tmp_path / folder)) == shown
    monkeypatch.chdir(tmp_path / os.path.dirname(spec))
    assert writer.spec_reference(os.path.basename(spec), os.path.relpath(tmp_path / folder)) == shown


def test_nothing_of_the_machine_is_in_a_file(tool):
    tool('generate', '--tests')
    tool('generate', os.path.abspath('specs/fleet.yaml'), '-o', os.path.abspath('build/x/y'))
    for folder in ('generated', 'build'):
        for content, _ in tool.state(folder).values():
            text = content.decode()
            assert str(tool.folder) not in text and os.path.basename(str(tool.folder)) not in text
            assert ROOT not in text and not re.search(r'\b20\d\d-\d\d', text)


# -- the same bytes everywhere -----------------------------------------------------------------------------------

def test_the_same_bytes_in_every_folder_and_with_every_hash_seed(tmp_path):
    wanted = None
    for number, seed in enumerate(('0', '1', 'random')):
        tool = Tool(tmp_path / f'checkout {number}')
        # Named from the root, from above, from inside of specs.
        arguments, cwd = (((), ''), (('top/specs/fleet.yaml', 'top/specs/crew.yaml', '-o', 'top/generated'), '..'),
                          (('fleet.yaml', 'crew.yaml', '-o', '../generated'), 'specs'))[number]
        if cwd == '..':
            os.rename(tool.folder, tmp_path / 'top')
            tool.folder = tmp_path / 'top'
        tool.process('generate', '--tests', '--debuggers', *arguments, cwd=os.path.normpath(os.path.join(str(tool.folder), cwd)),
                     PYTHONHASHSEED=seed)
        got = {name: content for name, (content, _) in tool.state().items()}
        assert len(got) == 13  # of each: header, source, test, printers of GDB and of LLDB, and what Natvis reads; and what tests share
        wanted = wanted or got
        assert got == wanted


# -- what is written ---------------------------------------------------------------------------------------------

def test_a_second_run_writes_nothing(tool):
    assert tool('generate').out.endswith('4 written, 0 unchanged\n')
    before = tool.state()
    assert tool('generate').out == '0 written, 4 unchanged\n'
    assert tool.state() == before


def test_only_what_changes_is_written(tool):
    tool('generate')
    before = tool.state()
    tool.edit('specs/fleet.yaml', 'swap', 'shift')
    out = tool('generate').out
    assert 'wrote generated' + os.sep + 'fleet.c' in out and 'crew' not in out
    after = tool.state()
    assert {name for name in after if after[name] != before[name]} == {'fleet.h', 'fleet.c'}


def test_quiet(tool):
    result = tool('generate', '-q', *(() if FORMATTER else ('--no-format',)))
    assert result.out == '' and result.err == ''


def test_a_foreign_file_is_kept(tool):
    tool.write('generated/fleet.h', '/* mine */\n')
    for force in ((), ('--force',)):
        result = tool('generate', *force, code=2)
        assert 'BSP0402' in result.err and 'fleet.h' in result.err and 'nothing was written' in result.err
        assert os.listdir('generated') == ['fleet.h']
        assert tool.read('generated/fleet.h') == '/* mine */\n'


def test_an_empty_file_is_replaced(tool):
    tool.write('generated/fleet.h', '\n')
    tool('generate')
    assert writer.read_banner(tool.read('generated/fleet.h'))


def test_an_edited_file_is_kept(tool):
    tool('generate')
    tool.edit('generated/fleet.c', 'return', 'return 0,')
    tool.edit('specs/crew.yaml', 'crew:', 'people:')
    before = tool.state()
    result = tool('generate', code=2)
    assert 'BSP0403' in result.err and 'fleet.c' in result.err and '--force' in result.err
    assert tool.state() == before
    tool('generate', '--force')
    tool('check')


def test_an_edited_comment_is_kept(tool):
    tool('generate')
    tool.edit('generated/fleet.h', '/* What a call returns', '/* Note well: what a call returns')
    assert 'BSP0403' in tool('generate', code=2).err


@pytest.mark.parametrize('layout', ['tabs', 'returns', 'both'])
def test_the_layout_of_a_file_is_kept(tool, layout):
    """An engine's formatter has been over the files, or the checkout has the line ends of Windows: nothing is to be written."""
    tool('generate', '--support', 'shared', '--debuggers')
    wanted = {name: tool.read('generated/' + name) for name in os.listdir('generated')}
    for name, text in wanted.items():
        text = text if layout == 'returns' or not name.endswith(('.h', '.c')) else text.replace('    ', '\t')
        tool.write('generated/' + name, text if layout == 'tabs' else text.replace('\n', '\r\n'))
    before = tool.state('generated')
    tool('check')
    result = tool('generate', '--support', 'shared', '--debuggers')
    assert result.out.endswith('0 written, %d unchanged\n' % len(wanted))
    assert tool.state('generated') == before
    tool('generate', '--support', 'shared', '--debuggers', '--force')
    returns = '' if layout == 'tabs' else '\r'
    assert {name: tool.read('generated/' + name) for name in wanted} == {name: text.replace('\n', returns + '\n') for name, text in wanted.items()}


def test_what_changes_is_written_with_the_line_ends_of_the_file(tool):
    """A comment is read by people: one that changes is written, also where no token does."""
    tool('generate')
    tool.write('specs/fleet.yaml', FLEET + '    emit: {banner: For the fleet}\n')
    tool('generate')
    wanted = tool.read('generated/fleet.h')
    tool.edit('specs/fleet.yaml', 'For the fleet', 'For a fleet')
    for name in ('fleet.h', 'fleet.c', 'crew.h'):
        tool.write('generated/' + name, tool.read('generated/' + name).replace('\n', '\r\n'))
    tool('check', code=1)
    assert tool('generate').out.splitlines()[-1] == '2 written, 2 unchanged'
    assert tool.read('generated/fleet.h') == wanted.replace('For the fleet', 'For a fleet').replace('\n', '\r\n')
    tool('check')


@pytest.mark.skipif(FORMATTER is None, reason='needs clang-format 14 or later')
def test_what_was_written_without_a_formatter_is_formatted(tool):
    tool.write('specs/fleet.yaml', FLEET.replace('fleet', 'fleet_of_ships_with_a_name_that_is_long'))
    tool('generate', '--tests', '-o', 'formatted')
    tool('generate', '--tests', '--no-format')
    names = os.listdir('generated')
    differing = [name for name in names if tool.read('generated/' + name) != tool.read('formatted/' + name)]
    assert differing
    assert tool('generate', '--tests').out.endswith('%d written, %d unchanged\n' % (len(differing), len(names) - len(differing)))
    assert [name for name in names if tool.read('generated/' + name) != tool.read('formatted/' + name)] == []


def test_nothing_is_written_when_a_spec_is_wrong(tool):
    tool.write('specs/aaa.yaml', CREW.replace('crew', 'staff'))
    tool.edit('specs/crew.yaml', 'int', 'int, ordering: sideways')
    tool.edit('specs/fleet.yaml', 'swap', 'swop')
    result = tool('generate', '--stamp', 'stamp', '--depfile', 'dep', code=2)
    assert 'sideways' in result.err and 'swop' in result.err
    assert not tool.exists('generated') and not tool.exists('stamp') and not tool.exists('dep')


@pytest.mark.skipif(not hasattr(os, 'symlink') or os.name == 'nt', reason='needs symbolic links')
def test_a_link_out_of_the_folder(tool):
    tool('generate')
    text = tool.read('generated/fleet.h')
    tool.write('elsewhere/fleet.h', text)
    tool.remove('generated/fleet.h')
    os.symlink('../elsewhere/fleet.h', 'generated/fleet.h')
    tool.edit('specs/fleet.yaml', 'swap', 'shift')
    assert 'BSP0404' in tool('generate', '--force', code=2).err
    assert tool.read('elsewhere/fleet.h') == text


@pytest.mark.skipif(not hasattr(os, 'symlink') or os.name == 'nt', reason='needs symbolic links')
def test_the_folder_itself_may_be_a_link(tool):
    os.mkdir('real')
    os.symlink('real', 'generated')
    tool('generate')
    tool('check')
    assert sorted(os.listdir('real')) == ['crew.c', 'crew.h', 'fleet.c', 'fleet.h']


def test_names_with_folders_are_refused(tmp_path):
    from generator.text.diag import Diagnostics
    for name in ('../x.h', 'a/b.h', '..', '', '/x.h'):
        problems = Diagnostics()
        assert writer.write_files({name: 'x'}, str(tmp_path), problems) is None
        assert [item.code for item in problems] == ['BSP0404']
    assert os.listdir(tmp_path) == []


def test_a_folder_in_the_way(tool):
    os.makedirs('generated/fleet.h')
    result = tool('generate', code=3)
    assert 'BSP0405' in result.err
    assert os.listdir('generated') == ['fleet.h']


def test_a_file_for_a_folder(tool):
    tool.write('generated', 'x')
    assert 'BSP0405' in tool('generate', code=3).err


def test_no_temporary_files_are_left(tool, monkeypatch):
    tool('generate')
    tool.edit('specs/fleet.yaml', 'swap', 'shift')
    before = tool.state()
    real, calls = os.replace, []

    def fails(source, target):
        calls.append(target)
        raise OSError(28, 'No space left on device')

    monkeypatch.setattr(os, 'replace', fails)
    assert 'no space left' in tool('generate', code=3).err
    monkeypatch.setattr(os, 'replace', real)
    assert calls and tool.state() == before


@pytest.mark.skipif(os.name == 'nt', reason='needs permissions')
def test_permissions_are_the_usual_ones(tool):
    old = os.umask(0o027)
    try:
        tool('generate')
    finally:
        os.umask(old)
    assert stat.S_IMODE(os.stat('generated/fleet.h').st_mode) == 0o640


# -- formatting --------------------------------------------------------------------------------------------------

@needs_formatter
def test_formatted(tool):
    result = tool('generate')
    assert result.err == ''
    text = tool.read('generated/fleet.c')
    assert '\n    return ' in text and '\n        return ' in text
    assert not re.search(r'[ \t]\n', text) and '\n\n\n' not in text
    done = subprocess.run([FORMATTER, '--style=' + clang_format.style(), '--assume-filename=x.c'], input=text,
                          encoding='utf-8', stdout=subprocess.PIPE, check=True)
    assert done.stdout == text


@pytest.mark.parametrize('value', ['no-such-clang-format', os.devnull])
def test_without_a_formatter(tool, monkeypatch, value):
    tool('generate', '-o', 'formatted')
    monkeypatch.setenv('BESPOKE_CLANG_FORMAT', value)
    result = tool('generate')
    assert result.err.count('\n') == 1 and 'note:' in result.err and 'BSP0502' in result.err
    tool('check')
    # A machine without one does not undo the layout.
    before = tool.state('formatted')
    tool('generate', '-o', 'formatted')
    assert tool.state('formatted') == before


@pytest.mark.skipif(os.name == 'nt', reason='needs a shell')
@pytest.mark.parametrize('script, said', [
    ('echo clang-format version 14.0.6; exit 1', 'failed'),
    ('case "$1" in --version) echo clang-format version 14.0.6;; *) echo "x.c:1: bad" >&2; exit 1;; esac', 'bad'),
    ('echo clang-format version 9.0.1', '14 or newer'),
    ('echo hello', '14 or newer')])
def test_a_formatter_that_fails(tool, monkeypatch, script, said):
    tool.write('bin/cf', '#!/bin/sh\n' + script + '\n')
    os.chmod('bin/cf', 0o755)
    monkeypatch.setenv('BESPOKE_CLANG_FORMAT', os.path.abspath('bin/cf'))
    result = tool('generate')
    assert 'BSP0502' in result.err and said in result.err
    monkeypatch.delenv('BESPOKE_CLANG_FORMAT')
    tool('check')


@pytest.mark.skipif(os.name == 'nt', reason='needs a shell')
@needs_formatter
@pytest.mark.parametrize('name', ['clang-format', 'clang-format-23'])
@pytest.mark.parametrize('version, does, used', [
    ('13.0.1', '', False), ('14.0.0', '', True), ('16.0.6', '', True), ('19.1.7', '', True),
    ('20.1.0', '', True),  # newer than those that are known: tried
    ('20.1.0', '; sed -i "s/; \\/\\*/;  \\/*/" *.c', False),  # another layout
    ('20.1.0', '; sed -i "s/place - 1/place + 1/" *.c', False), ('20.1.0', '; exit 1', False), ('', '', False)])
def test_which_versions_are_used(tmp_path, monkeypatch, name, version, does, used):
    path = tmp_path / name
    path.write_text('#!/bin/sh\ncase $1 in --version) echo "Debian clang-format version %s"; exit;; esac\nPATH=/usr/bin:/bin\n'
                    '%s "$@"%s\n' % (version, FORMATTER, does))
    path.chmod(0o755)
    monkeypatch.setenv('PATH', str(tmp_path))
    monkeypatch.delenv('BESPOKE_CLANG_FORMAT', raising=False)
    formatter, problem = clang_format.find_formatter()
    assert (formatter is not None) == used
    assert used or name in problem and version in problem


def test_no_format(tool):
    result = tool('generate', '--no-format')
    assert result.err == ''
    tool('check')


@needs_formatter
def test_many_files_are_formatted_like_few():
    files = {f'f{number}.c': f'int  f{number} ( void ){{return {number};}}' for number in range(150)}
    done, problem = clang_format.format_files(files)
    assert problem == '' and list(done) == list(files)
    assert all(done[name] != text for name, text in files.items())
    for name in ('f0.c', 'f39.c', 'f40.c', 'f149.c'):
        assert done[name] == clang_format.format_files({name: files[name]})[0][name]


@needs_formatter
def test_formatted_in_pieces_like_whole(tmp_path):
    """Pieces that look alike are formatted once, with other names: the files must be those that the formatter makes of them as they are."""
    from generator.tool import console, specs
    whole = {}
    calls = []
    tested = ('embedded', 'lru_cache', 'slot_map')
    for pattern in ('specs/*.yaml', 'tests/specs/hot.yaml'):
        paths = sorted(glob.glob(os.path.join(ROOT, pattern)))
        assert paths
        with clang_format.Formatting() as formatting:
            def add(name, text, names, formatting=formatting):
                whole[name] = text
                formatting.add(name, text, names)
            specs.render(specs.load(paths, [], console.Output()), lambda spec: spec.stem in tested, False, add,
                         alone=lambda spec: spec.stem == 'embedded')
            calls.append(formatting.finish())
        assert not formatting.problem
    made = {name: text for files in calls for name, text in files.items()}
    assert sorted(made) == sorted(whole) and len(made) > 40
    for name, text in whole.items():
        (tmp_path / (name + '.c')).write_text(text)
    formatter, _ = clang_format.find_formatter()
    subprocess.run([formatter.path, '-i', '--style=' + clang_format.style(), *(str(tmp_path / (name + '.c')) for name in whole)], check=True)
    different = [name for name in whole if clang_format.even((tmp_path / (name + '.c')).read_text()) != made[name]]
    assert different == []


def _times_over(text):
    """How often a formatter goes over a text: once for each way through its conditions."""
    alternatives, most = [], {}
    for word in re.findall(r'^[ \t]*#[ \t]*(if|el|endif)', text, re.MULTILINE):
        if word == 'if':
            alternatives.append(1)
        elif alternatives:  # it is not the end of the file's guard
            alternatives[-1] += word == 'el'
            most[len(alternatives)] = max(most.get(len(alternatives), 1), alternatives[-1])
            if word == 'endif':
                alternatives.pop()
    return math.prod(most.values())


@needs_formatter
def test_the_formatter_goes_over_little_twice(monkeypatch):
    """What has alternatives is not in one file with what has none, nor what is laid out already in any."""
    from generator.tool import console, specs
    texts = []
    write = clang_format.Formatting._write
    monkeypatch.setattr(clang_format.Formatting, '_write', lambda self, text: texts.append(text) or write(self, text))
    monkeypatch.setattr(clang_format, '_BATCH', 1 << 30)
    for paths in (['specs/slot_map.yaml'], ['specs/embedded.yaml', 'specs/id_set.yaml', 'specs/lru_cache.yaml']):
        paths = [os.path.join(ROOT, path) for path in paths]
        with clang_format.Formatting() as formatting:
            specs.render(specs.load(paths, [], console.Output()), True, False, formatting.add, alone=lambda spec: False)
            formatting.finish()
        assert not formatting.problem
    assert {_times_over(text) for text in texts} > {1}
    assert sum(len(text) * _times_over(text) for text in texts) < 1.1 * sum(map(len, texts))
    assert not any('define BESPOKE_LIKELY' in text for text in texts)


@needs_formatter
def test_alike_is_formatted_once():
    """A second list that differs from the first in its name needs the formatter for what is aligned to the name, at most."""
    text = 'struct one {\n    int  a;\n};\n\nint  one_first( struct one  *list )\n{\n  return list->a;\n}\n'
    with clang_format.Formatting() as formatting:
        for name in ('one', 'crew', 'armada', 'squadron'):
            formatting.add(f'{name}.c', text.replace('one', name), [name])
        assert len(formatting._pieces) == 2 + 2  # a name of three letters stays
        made = formatting.finish()
    assert made['squadron.c'] == 'struct squadron {\n    int a;\n};\n\nint squadron_first(struct squadron *list)\n{\n    return list->a;\n}\n'
    assert made['armada.c'] == made['squadron.c'].replace('squadron', 'armada') and made['one.c'] == made['crew.c'].replace('crew', 'one')


# -- many specs --------------------------------------------------------------------------------------------------

def test_side_by_side(monkeypatch):
    """Results in order, made by other processes where there are some; an error is raised in this one."""
    from generator.output import parallel
    monkeypatch.setattr(parallel, 'FEWEST', 2)

    def work(number):
        if number == 23:
            raise ValueError(os.getpid())
        return number * number, os.getpid()
    done = list(parallel.side_by_side(work, range(20)))
    assert [square for square, _ in done] == [number * number for number in range(20)]
    alone = not hasattr(os, 'sched_getaffinity') or len(os.sched_getaffinity(0)) == 1
    assert all((process == os.getpid()) == alone for _, process in done)
    done = []
    with pytest.raises(ValueError) as error:
        done.extend(parallel.side_by_side(work, range(40)))
    assert error.value.args == (os.getpid(),)


def test_many_specs(tool, monkeypatch):
    """What several processes render is what one does."""
    from generator.output import parallel
    for number in range(6):
        tool.write(f'specs/more_{number}.yaml', f'bespoke: 1\ncontainers: {{more_{number}: {{element: int}}}}\n')
    tool('generate', '-o', 'one')
    monkeypatch.setattr(parallel, 'FEWEST', 2)
    tool('generate', '-o', 'several')
    one, several = ({name: tool.read(f'{folder}/{name}') for name in os.listdir(tool.path(folder))} for folder in ('one', 'several'))
    assert one == several and len(one) == 16


# -- dependency files --------------------------------------------------------------------------------------------

def prerequisites(text):
    """Target and prerequisites, as make understands them; each prerequisite has an empty rule of its own, too."""
    text, *rules = text.replace('\\\n', ' ').split('\n\n')
    assert [rule.rstrip('\n') for rule in rules] == [word + ':' for word in re.findall(r'(?:\\[ #]|[^\s])+', text)[1:]]
    words = [re.sub(r'\\([ #])', r'\1', word).replace('$$', '$')
             for word in re.findall(r'(?:\\[ #]|[^\s])+', text)]
    return words[0][:-1], words[1:]


def test_depfile(tool):
    tool.write('specs/base.yaml', 'bespoke: 1\ndefaults: {capacity: {initial: 8}}\n')
    tool.edit('specs/fleet.yaml', 'bespoke: 1\n', 'bespoke: 1\ninclude: base.yaml\n')
    tool('generate', 'specs/fleet.yaml', '--depfile', 'out/fleet.d', '--stamp', 'out/fleet.stamp')
    assert tool.exists('out/fleet.stamp')
    target, needed = prerequisites(tool.read('out/fleet.d'))
    assert target == 'out/fleet.stamp'
    assert len(needed) == len(set(needed))
    for path in needed:
        assert os.path.isabs(path) and (os.path.isfile(path) or path == tool.path('specs')), path
    names = {os.path.relpath(path, tool.folder) for path in needed}
    assert {os.path.join('specs', name) for name in ('fleet.yaml', 'base.yaml')} <= names
    assert os.path.join('specs', 'ship.h') not in names  # nothing was read from it
    inside = {os.path.relpath(path, ROOT) for path in needed}
    assert {'generator/containers/plan.py', 'templates/container.c.j2', 'templates/clang-format.yaml'} <= inside
    for folder, ending in (('generator', '.py'), ('templates', '.j2'), ('templates', '.c')):
        for where, _, files in os.walk(os.path.join(ROOT, folder)):
            assert {os.path.join(where, name) for name in files if name.endswith(ending)} <= set(needed)


def folders(tool, *options):
    """The folders that the output depends on."""
    tool('generate', '--no-format', '-q', 'specs/fleet.yaml', '--depfile', 'fleet.d', *options)
    return [os.path.relpath(path, tool.folder) for path in prerequisites(tool.read('fleet.d'))[1] if os.path.isdir(path)]


@needs_libclang
def test_depfile_has_the_folder_of_what_may_appear(tool):
    """A type lock that is not there decides, too. Folders change with the files in them, so none is one in which the build writes."""
    assert folders(tool) == ['specs']
    assert folders(tool, '--not-watched', 'specs/types') == folders(tool, '--not-watched', 'specs') == []
    os.mkdir('specs/types')
    assert folders(tool) == ['specs/types']
    tool('type', 'import', 'specs/fleet.yaml')
    assert folders(tool) == []
    os.remove('specs/types/struct_ship.yaml')
    os.rmdir('specs/types')
    assert folders(tool, '-o', 'specs') == folders(tool, '--stamp', 'specs/stamp') == []
    tool('generate', '--no-format', '-q', '--depfile', 'all.d')  # another spec may appear there
    assert tool.path('specs') in prerequisites(tool.read('all.d'))[1]


def test_depfile_of_a_check(tool):
    """What the answer follows from, also of one that is an error: another spec beside it, a file more in the folder."""
    tool('generate', 'specs/fleet.yaml')
    for text, code in ('# nothing', 0), ('containers:', 2):
        tool.write('specs/fleet.yaml', tool.read('specs/fleet.yaml') + text + '\n')
        tool('check', 'specs/fleet.yaml', '--depfile', 'check.d', code=code)
        needed = prerequisites(tool.read('check.d'))[1]
        assert tool.path('specs/fleet.yaml') in needed and ((tool.path('specs') in needed) == (code == 0))
    assert not tool.exists('generated/checked')


def test_the_stamp_names_the_files(tool):
    tool('generate', 'specs/fleet.yaml', '--stamp', 'stamp', '--tests', '--support', 'shared')
    assert tool.read('stamp').split() == [tool.path(f'generated/{name}') for name in ('fleet.h', 'fleet.c', 'fleet_test.c', 'bespoke.h', 'bespoke_test.h')]


def test_header_from_an_include_folder(tool):
    os.makedirs('types')
    os.rename('specs/ship.h', 'types/ship.h')
    tool('generate', code=2)
    tool('generate', '-Itypes')


@pytest.mark.skipif(shutil.which('make') is None, reason='needs make')
@pytest.mark.parametrize('folder', ['with space', 'dollar$s', 'hash#tag', 'all $of #them $$ # x'])
def test_depfile_with_odd_paths(tmp_path, monkeypatch, capsys, folder):
    tool = Tool(tmp_path / folder, capsys)
    monkeypatch.chdir(tool.folder)
    stamp = str(tool.folder / 'the stamp.txt')
    tool('generate', 'specs/fleet.yaml', '--depfile', 'fleet.d', '--stamp', stamp)
    target, needed = prerequisites(tool.read('fleet.d'))
    assert target == stamp
    assert str(tool.folder / 'specs' / 'fleet.yaml') in needed
    # make agrees: everything is there, and the stamp is newer.
    tool.write('Makefile', '%.txt: ; @echo stale\ninclude fleet.d\n')
    done = subprocess.run(['make', '-q', stamp], cwd=str(tool.folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    os.utime(stamp, (1e9, 1e9))
    done = subprocess.run(['make', '-q', stamp], cwd=str(tool.folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 1, done.stdout


def test_depfile_without_stamp(tool):
    tool('generate', 'specs/fleet.yaml', '--depfile', 'fleet.d')
    assert prerequisites(tool.read('fleet.d'))[0] == os.path.join('generated', 'fleet.h')


def test_the_stamp_is_touched_always(tool):
    tool('generate', '--stamp', 'stamp')
    os.utime('stamp', (1, 1))
    tool('generate', '--stamp', 'stamp')
    assert os.stat('stamp').st_mtime > 1


def test_a_stamp_that_cannot_be_written(tool):
    assert 'BSP0405' in tool('generate', '--stamp', 'specs', code=3).err


def test_standard_output(tool):
    result = tool('generate', 'specs/fleet.yaml', '--stdout')
    assert result.out.count('@bespoke ') == 2 and '#include "fleet.h"' in result.out
    assert not tool.exists('generated')


def test_a_single_header(tool):
    tool.write('specs/fleet.yaml', FLEET + '    emit: {files: single}\n')
    tool('generate', 'specs/fleet.yaml')
    assert os.listdir('generated') == ['fleet.h']
    tool('check', 'specs/fleet.yaml')
