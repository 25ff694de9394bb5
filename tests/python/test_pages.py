"""The pages that are written by hand: their files, commands and outputs, in their order.

How a page says what a block is, in words that a reader sees:

    `fleet.yaml`:            a block behind a line that ends so is that file
    ```sh                    is run, with all that the page wrote before; `# exit code 1` says that it is to fail
    ```  behind "prints"     is what the commands before it printed; a line `...` stands for any lines, and `...` in a
                             line for anything
    ```yaml, ```c            without a name: must load, or compile behind the headers that the page has so far

`<!-- not tested: why -->` above a block leaves it alone.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest
import yaml
from conftest import ROOT

from generator.containers.load import load_spec
from generator.containers.planning import make_plan
from generator.language.keys import BY_PATH, members, short_key
from generator.language.presets import INSTEAD, PRESETS
from generator.pages.structures import Example
from generator.text.diag import Diagnostics
from generator.text.printing import render
from generator.tool import cli
from generator.types import libclang

DOCS = os.path.join(ROOT, 'docs')
# Made from tables, with tests of their own: test_structures.py, test_axes.py, test_errors_page.py.
MADE = ('docs/structures/', 'docs/axes/', 'docs/errors.md')


def pages():
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if not name.startswith(('.', 'build')))
        for name in sorted(names):
            page = os.path.relpath(os.path.join(folder, name), ROOT).replace(os.sep, '/')
            if page.endswith('.md') and not page.startswith(MADE):
                yield page


PAGES = sorted(pages())

_FENCE = re.compile(r'^```(\w*)\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r'`([\w./-]+\.\w+|[\w./-]*Makefile)`[^`]*:\Z')
_SAYS = re.compile(r'\b(prints|says|answers|stops with|gives)\b[^`\n]*:?\Z')
_NOT_TESTED = re.compile(r'<!-- not tested: [^\n]{10,} -->\Z')
_FAILS = re.compile(r'# exit code (\d+)$', re.MULTILINE)
WARNINGS = ['-std=c99', '-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Werror']


class Block:
    def __init__(self, language, text, before, line):
        self.language, self.text, self.line = language, text, line
        said = before.rstrip().split('\n\n')[-1].strip() if before.strip() else ''
        named = _NAMED.search(said)
        self.tested = not _NOT_TESTED.search(said)
        self.file = named.group(1) if named and language not in ('', 'sh') else None
        self.says = language == '' and _SAYS.search(said) is not None


def blocks_of(page):
    with open(os.path.join(ROOT, page), encoding='utf-8') as file:
        text = file.read()
    end = 0
    for match in _FENCE.finditer(text):
        yield Block(match.group(1), match.group(2), text[end:match.start()], text.count('\n', 0, match.start()) + 1)
        end = match.end()


def matches(wanted, got):
    """Is this the output, with any lines in place of a line `...`, and anything in place of a `...` in a line? How columns
    are spaced does not count: they are as wide as what is in them."""
    def line_of(text):
        if text == '...':
            return '(?:.*\n)*?'
        return '.*'.join(map(re.escape, text.split('...'))) + '\n'
    wanted, got = (re.sub(' +', ' ', re.sub(' +$', '', text.rstrip('\n') + '\n', flags=re.MULTILINE)) for text in (wanted, got))
    return re.fullmatch(''.join(map(line_of, wanted.splitlines())), got) is not None


class Desk:
    """A folder in which a page is worked through."""

    def __init__(self, folder):
        self.folder = str(folder)
        tools = os.path.join(self.folder, '.tools')
        os.mkdir(tools)
        # A checkout of Bespoke beside the page's own files, and `bespoke` on the PATH.
        os.symlink(ROOT, os.path.join(self.folder, 'bespoke'))
        compiler = shutil.which(os.environ.get('CC') or 'cc')
        for name, command in (('bespoke', [sys.executable, os.path.join(ROOT, 'bespoke')]), ('cc', [compiler])):
            path = os.path.join(tools, name)
            with open(path, 'w', encoding='utf-8') as file:
                file.write('#!/bin/sh\nexec ' + ' '.join(map(shlex.quote, command)) + ' "$@"\n')
            os.chmod(path, 0o755)
        self.environment = {name: value for name, value in os.environ.items() if name not in ('CFLAGS', 'MAKEFLAGS')}
        self.environment.update(PATH=tools + os.pathsep + os.environ['PATH'], LC_ALL='C')
        if shutil.which('make') is None:  # which CMake takes by itself
            self.environment['CMAKE_GENERATOR'] = 'Ninja'
        if 'PYTHONPYCACHEPREFIX' not in os.environ:  # nothing is to be written beside the sources
            self.environment['PYTHONDONTWRITEBYTECODE'] = '1'
        self.printed = ''

    def path(self, name):
        return os.path.join(self.folder, *name.split('/'))

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), 'w', encoding='utf-8') as file:
            file.write(text)

    def run(self, text, where):
        wanted = _FAILS.search(text)
        done = subprocess.run(['sh', '-e', '-c', text], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8', timeout=300)
        self.printed = done.stdout.replace(self.folder + os.sep, '')
        assert done.returncode == (int(wanted.group(1)) if wanted else 0), f'{where}\n{text}\n{self.printed}'

    def headers(self):
        found = []
        for folder, folders, names in os.walk(self.folder):
            folders[:] = [name for name in folders if name not in ('.tools', 'bespoke', 'build')]
            found += [os.path.join(folder, name) for name in names if name.endswith('.h')]
        return sorted(found)

    def compile(self, text, where):
        """A piece of C: at file scope, or in a function."""
        headers = self.headers()
        folders = [f'-I{folder}' for folder in dict.fromkeys(map(os.path.dirname, headers))]
        start = ''.join(f'#include "{path}"\n' for path in headers) + '#include <stdio.h>\n'
        said = ''
        for source in (start + text, f'{start}void example_(void);\nvoid example_(void)\n{{\n{text}\n}}\n'):
            done = subprocess.run([self.path('.tools/cc'), '-fsyntax-only', *folders, '-x', 'c', '-'], input=source,
                                  stderr=subprocess.PIPE, encoding='utf-8')
            if done.returncode == 0:
                return
            said = done.stderr
        pytest.fail(f'{where}\n{text}\n{said}', pytrace=False)

    def load(self, text, where):
        """A spec, or keys of one."""
        whole = 'containers:' in text
        if not whole:
            text = 'bespoke: 1\npresets:\n  these:\n' + ''.join(f'    {line}\n' for line in text.splitlines())
        self.write('.tools/ship.h', 'struct ship;\n')  # the page's own comes first
        self.write('.tools/block.yaml', text)
        problems = Diagnostics()
        load_spec(self.path('.tools/block.yaml'), problems, [self.folder])
        said = [render(item) for item in problems if whole or item.code != 'BSP0105']
        assert not said, where + '\n' + '\n'.join(said)


@pytest.mark.parametrize('page', PAGES)
def test_the_blocks_of_a_page(page, tmp_path):
    if not any(block.language for block in blocks_of(page)):
        return
    commands = [block.text for block in blocks_of(page) if block.language == 'sh' and block.tested]
    if any('type import' in text for text in commands) and not libclang.available()[0]:
        pytest.skip('needs libclang: apt-get install python3-clang')
    for program in ('gdb', 'cmake'):
        if any(re.search(rf'^{program} ', text, re.MULTILINE) for text in commands) and shutil.which(program) is None:
            pytest.skip(f'needs {program}: apt-get install {program}')
    if any('gdb ' in block.text for block in blocks_of(page) if block.language == 'sh') and not shutil.which('gdb'):
        pytest.skip('gdb is not installed: script/setup test installs it')
    desk = Desk(tmp_path)
    for block in blocks_of(page):
        where = f'{page}:{block.line}'
        if not block.tested:
            continue
        if block.file:
            desk.write(block.file, block.text)
            if block.file.endswith('.yaml') and 'containers:' in block.text:
                continue  # a page may show a spec that is wrong, and what Bespoke says of it
        elif block.language == 'sh':
            desk.run(block.text, where)
        elif block.says:
            assert matches(block.text, desk.printed), f'{where}: it printed\n{desk.printed}'
        elif block.language == 'yaml':
            desk.load(block.text, where)
        elif block.language == 'c':
            desk.compile(block.text, where)
        else:
            pytest.fail(f'{where}: nothing says what this block is', pytrace=False)


@pytest.mark.parametrize('page', PAGES)
def test_the_keys_that_a_page_speaks_of(page, tmp_path):
    """Code in the text that looks like keys of a spec, such as `removal: swap`, is that."""
    with open(os.path.join(ROOT, page), encoding='utf-8') as file:
        text = re.sub(r'^```.*?^```$', '', file.read(), flags=re.MULTILINE | re.DOTALL)
    desk = Desk(tmp_path)
    for span in dict.fromkeys(re.findall(r'`([^`\n]*)`', text)):
        key = re.match(r'(\w+): \S', span)
        if key is not None and key.group(1) in members('') and '...' not in span and not span.endswith(' /'):
            desk.load(span, page)


def test_the_index_has_every_page():
    with open(os.path.join(DOCS, 'README.md'), encoding='utf-8') as file:
        index = file.read()
    for name in os.listdir(DOCS):
        if name != 'README.md' and (name.endswith('.md') or os.path.exists(os.path.join(DOCS, name, 'README.md'))):
            assert f'({name})' in index or f'({name}/README.md)' in index, name


def test_outputs_are_compared():
    assert matches('one\ntwo\n', 'one\ntwo\n') and matches('one\n...\n', 'one\ntwo\nthree\n')
    assert matches('...\ntwo\n', 'one\ntwo\n') and matches('one\n...\nthree\n', 'one\nthree\n')
    assert matches('a...c\n', 'abc\n') and not matches('a...c\n', 'abd\n')
    assert matches('one ...\n', 'one  two\n') and matches('  one   two\n', ' one two  \n')
    assert not matches('one ...\n', 'ones\n') and not matches('one two', 'onetwo')
    assert not matches('one\ntwo\n', 'one\n') and not matches('one\n', 'one\ntwo\n') and not matches('o.e\n', 'one\n')


def test_what_a_page_says_of_its_blocks(tmp_path):
    def block(language, before):
        return Block(language, '', before, 1)
    assert block('yaml', 'So `fleet.yaml` is now:').file == 'fleet.yaml'
    assert block('c', 'The header that comes of `it`:').file is None
    assert block('cmake', '`CMakeLists.txt`, beside it:').file == 'CMakeLists.txt'
    assert block('', 'which prints').says and block('', 'This stops with').says and not block('c', 'prints').says
    assert not block('sh', '<!-- not tested: there is no network -->').tested
    desk = Desk(tmp_path)
    desk.load('removal: swap\nordering: unordered', 'here')
    with pytest.raises(AssertionError):
        desk.load('removal: swop', 'here')
    desk.run('exit 3 # exit code 3', 'here')
    with pytest.raises(AssertionError):
        desk.run('exit 3', 'here')
    desk.compile('int three = 3; (void)three;', 'here')
    with pytest.raises(pytest.fail.Exception):
        desk.compile('int three = four;', 'here')


# -- the guide -------------------------------------------------------------------------------------------------------

def rows_below(page, heading):
    with open(os.path.join(ROOT, page), encoding='utf-8') as file:
        table = file.read().split(f'\n## {heading}\n')[1].split('\n## ')[0]
    return [[cell.strip() for cell in line.strip('|').split(' | ')] for line in re.findall(r'^\|.*\|$', table, re.MULTILINE)[2:]]


@pytest.mark.parametrize('row', rows_below('docs/choose.md', 'What is chosen for you'), ids=lambda row: row[0])
def test_what_the_guide_says_is_chosen(row, tmp_path):
    keys, removal, storage, add, remove = row
    tree = {'element': {'type': 'struct ship', 'header': 'ship.h'}}
    for item in re.findall('`([^`]*)`', keys):
        for key, value in yaml.safe_load(item).items():
            tree[key] = {**tree.get(key, {}), **value} if isinstance(value, dict) else value
    (tmp_path / 'ship.h').write_text('struct ship;\n')
    (tmp_path / 'fleet.yaml').write_text(yaml.safe_dump({'bespoke': 1, 'containers': {'fleet': tree}}, sort_keys=False))
    problems = Diagnostics()
    spec = load_spec(str(tmp_path / 'fleet.yaml'), problems)
    assert spec is not None, [render(item) for item in problems]
    container = spec.containers[0]
    costs = {operation.name: str(operation.cost) for operation in make_plan(container).operations}
    assert [removal, storage] == [f"`{container['removal.policy']}`", f"`{container['storage.kind']}`"]
    for said, cost in ((add, costs['add']), (remove, costs['remove'])):  # the page says in fewer words when each applies
        assert re.findall(r'O\([^)]*\)', said) == re.findall(r'O\([^)]*\)', cost)


def test_the_guide_leads_to_every_structure():
    with open(os.path.join(DOCS, 'choose.md'), encoding='utf-8') as file:
        text = file.read()
    for name, preset in PRESETS.items():
        assert f'[{preset.title}](structures/{name}.md)' in text, name


@pytest.mark.parametrize('row', [row for number in ('1. What does the body of the loop do to the list?', '2. What decides that an element is removed?',
                                                    '3. Does the order matter?', '4. What else refers to elements?',
                                                    '5. How is an element found?') for row in rows_below('docs/choose.md', number)],
                         ids=lambda row: row[0][:40])
def test_the_structures_of_the_guide_are_as_it_says(row):
    """What a row says to say is what the structures beside it have."""
    _, say, ready = row
    for name in re.findall(r'structures/(\w+)\.md', ready):
        container = Example(name).container

        def has(path, value):
            if path == 'ordering' and container['layers.names']:
                path = 'layers.ordering'
            if BY_PATH[path].kind in ('choice', 'flag'):
                return container[path] == value
            return container[path] is not None or container[INSTEAD.get(path, path)] is not None

        ways = [[has(path, value) for item in re.findall('`([^`]*: [^`]*)`', way) for path, value in flat(yaml.safe_load(item))]
                for way in say.split('; ')]
        assert any(all(way) for way in ways), name


# Keys that the guide names by their leaves.
LEAVES = {'adds': 'iteration.adds', 'removes': 'iteration.removes', 'by': 'element.by'}


def flat(node, prefix=''):
    """Keys of a spec by their paths."""
    for key, value in node.items():
        path = LEAVES.get(key, prefix + key) if not prefix else prefix + key
        short = short_key(path)
        if isinstance(value, dict):
            yield from flat(value, path + '.')
        else:
            yield (short.path if short is not None else path), value


# -- adopting --------------------------------------------------------------------------------------------------------

def test_names_are_as_the_page_says(tmp_path, capsys):
    with open(os.path.join(DOCS, 'adopt.md'), encoding='utf-8') as file:
        rows = re.findall(r'^  \| `(\{.*\})` \| `(\w+)` \| `(\w+)` \|$', file.read(), re.MULTILINE)
    assert len(rows) == 5
    for emit, ctype, function in rows:
        (tmp_path / 'lists.yaml').write_text(f'bespoke: 1\ncontainers:\n  entities: {{element: int, emit: {emit}}}\n')
        assert cli.main(['generate', '--stdout', '--no-format', '-q', str(tmp_path / 'lists.yaml')]) == 0
        text = capsys.readouterr().out
        assert re.search(rf'^\}} {ctype};$', text, re.MULTILINE) and re.search(rf' {function}\(\w+ \*cursor\)', text), emit
