"""What Bespoke says of bad specs, word for word.

Each `tests/bad/NAME.yaml` has its messages beside it in `NAME.err`. After a change on purpose,
BESPOKE_TEST_REGENERATE=1 writes them anew; read the difference as a user would.
"""

import collections
import difflib
import functools
import glob
import os
import re
import shutil

import pytest
import yaml
from conftest import ROOT

from generator.containers.load import load_spec
from generator.language.keys import BY_PATH
from generator.text import loader
from generator.text.diag import Diagnostics
from generator.text.error_codes import CODES
from generator.text.printing import render

BAD = os.path.join(ROOT, 'tests', 'bad')
CASES = sorted(name[:-5] for name in os.listdir(BAD) if name.endswith('.yaml'))
REGENERATE = os.environ.get('BESPOKE_TEST_REGENERATE') == '1'

# Codes that no file in tests/bad can have, and where they are tested instead.
ELSEWHERE = {
    'BSP0001': 'a missing file: test_a_missing_file, test_a_folder',
    'BSP0003': 'a large file: test_a_large_file',
    'BSP0014': 'many values: test_many_values',
    'BSP0324': 'errors in headers: test_headers.py',
    'BSP0326': 'functions: test_headers.py, test_refused',
    'BSP0327': 'types that cannot be described: test_headers.py, test_refused',
    'BSP0328': 'headers that have changed: test_headers.py, test_check_types',
    'BSP0112': 'names of files: test_names_of_specs',
}


def said(path, include_dirs=()):
    """All messages about a spec, as they are printed."""
    diagnostics = Diagnostics()
    spec = load_spec(path, diagnostics, include_dirs)
    assert (spec is None) == bool(diagnostics)
    return ''.join(render(item) + '\n' for item in diagnostics.sorted())


def codes_of(path):
    diagnostics = Diagnostics()
    load_spec(path, diagnostics)
    return [item.code for item in diagnostics.sorted()]


@pytest.fixture(autouse=True)
def _in_bad(monkeypatch):
    monkeypatch.chdir(BAD)


@pytest.mark.parametrize('name', CASES)
def test_messages(name):
    got = said(name + '.yaml')
    assert got, 'nothing is wrong with it'
    if REGENERATE:
        with open(name + '.err', 'w', encoding='utf-8', newline='\n') as file:
            file.write(got)
        return
    assert os.path.exists(name + '.err'), 'BESPOKE_TEST_REGENERATE=1 writes it'
    with open(name + '.err', encoding='utf-8') as file:
        wanted = file.read()
    if got != wanted:
        pytest.fail('\n'.join(difflib.unified_diff(wanted.splitlines(), got.splitlines(), name + '.err', 'now',
                                                   lineterm='')), pytrace=False)


@pytest.mark.parametrize('name', CASES)
def test_every_message_has_help(name):
    """What is wrong is said with what to do."""
    diagnostics = Diagnostics()
    load_spec(name + '.yaml', diagnostics)
    assert [item.message for item in diagnostics if not any(item.help)] == []


# -- Following the help -------------------------------------------------------------------------------------------

FOLLOWED = ('BSP0202', 'BSP0208', 'BSP0214', 'BSP0217', 'BSP0227', 'BSP0285', 'BSP0287', 'BSP0290')  # the codes whose help names values
WITH_HELP = [name for name in CASES if set(FOLLOWED) & set(codes_of(os.path.join(BAD, name + '.yaml')))
             and name != 'all_names_at_once']  # names are compared once the rest is right


def errors_of(path):
    """How often each error is said of a spec."""
    diagnostics = Diagnostics()
    load_spec(path, diagnostics)
    return collections.Counter((item.code, item.message) for item in diagnostics if item.severity == 'error')


def advised(help):
    """What a line of help says to write: a key and its value, each by itself."""
    listed = re.search(r'(?:, |^)([\w.]+) can be: (.+)', help)
    if listed:
        return [(('removal.policy' if listed.group(1) == 'removal' else listed.group(1)), yaml.safe_load(value)) for value in listed.group(2).split(', ')]
    found = []
    for text in re.findall(r'`([^`]+)`', help):
        (group, value), = yaml.safe_load(text).items()
        if isinstance(value, dict):
            found += [(group + '.' + leaf, each) for leaf, each in value.items() if len(value) == 1]  # several are an example
        else:
            found.append((next((path for path in BY_PATH if BY_PATH[path].short and BY_PATH[path].group == group), group), value))
    return found


def left_out(help):
    """The keys that a line of help says to leave out beside a value."""
    found = re.search(r', and leave out (.+)', help)
    return re.split(r', | and ', found.group(1)) if found else []


def without(container, path):
    """A container of a spec without a key."""
    first, _, rest = path.partition('.')
    if rest and not isinstance(container.get(first, {}), dict):  # `sort: element->id` is its key
        rest = ''
    changed = {key: without(value, rest) if rest and key == first else value for key, value in container.items() if rest or key != first}
    return {key: value for key, value in changed.items() if value != {}}


def with_value(container, path, value, alone):
    """A container of a spec with another value; alone: instead of all in its group."""
    group, _, leaf = path.partition('.')
    if not leaf:
        return dict(container, **{group: value})
    there = container.get(group, {})
    if not isinstance(there, dict):
        main = next(each for each in BY_PATH if BY_PATH[each].short and BY_PATH[each].group == group)
        there = {main.partition('.')[2]: there}
    return dict(container, **{group: {**({} if alone else there), leaf: value}})


@pytest.mark.parametrize('name', WITH_HELP)
def test_help_leads_to_no_other_error(tmp_path, name):
    """Each value that it names removes the error and causes none."""
    for folder in ('include', 'types'):
        shutil.copytree(folder, str(tmp_path / folder))
    for header in glob.glob('*.h'):
        shutil.copy(header, str(tmp_path))
    before = errors_of(name + '.yaml')
    with open(name + '.yaml', encoding='utf-8') as file:
        spec = yaml.safe_load(file)
    diagnostics = Diagnostics()
    load_spec(name + '.yaml', diagnostics)
    for item in (each for each in diagnostics if each.code in FOLLOWED):
        for path, value, spare in [(*each, left_out(help)) for help in item.help for each in advised(help)]:
            seen = []
            for container in spec['containers']:
                for alone in (False, True):
                    other = dict(spec, containers=dict(spec['containers']))
                    kept = functools.reduce(without, spare, spec['containers'][container])
                    other['containers'][container] = with_value(kept, path, value, alone)
                    (tmp_path / (name + '.yaml')).write_text(yaml.safe_dump(other, sort_keys=False))
                    after = errors_of(str(tmp_path / (name + '.yaml')))
                    seen.append(not after - before and after[item.code, item.message] < before[item.code, item.message])
            assert any(seen), '%s: %s: %s leads to another error' % (item.message, path, value)


def test_every_message_has_its_spec():
    messages = {name[:-4] for name in os.listdir(BAD) if name.endswith('.err')}
    assert messages == set(CASES)


@pytest.mark.parametrize('name', CASES)
def test_carets_stand_below_text(name):
    """Every message names a place that exists, and its carets have something above them."""
    diagnostics = Diagnostics()
    load_spec(name + '.yaml', diagnostics)
    for item in diagnostics:
        for span in [item.span] + [note.span for note in item.notes if note.span is not None]:
            assert span is not None, item.message
            assert 1 <= span.line <= span.source.line_count
            line = span.source.line(span.line)
            assert line.strip() or item.code in ('BSP0004',), item.message
            assert span.column + span.length - 1 <= max(1, len(line)), item.message


# -- What cannot be checked in ---------------------------------------------------------------------------------

GOOD = 'bespoke: 1\ncontainers:\n  fleet: {element: int}\n'


def test_a_missing_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'fleet.yaml').write_text(GOOD)
    assert said('flete.yaml') == (
        "bespoke: error: cannot read 'flete.yaml': there is no such file [BSP0001]\n"
        "help: did you mean 'fleet.yaml'?\n")


def test_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'specs').mkdir()
    (tmp_path / 'specs' / 'fleet.yaml').write_text(GOOD)
    assert said('specs') == (
        "bespoke: error: cannot read 'specs': it is a folder [BSP0001]\n"
        "help: name a file; the folder holds fleet.yaml\n")


@pytest.mark.skipif(not hasattr(os, 'geteuid') or os.geteuid() == 0, reason='the root user may read everything')
def test_a_file_that_may_not_be_read(tmp_path):
    path = tmp_path / 'fleet.yaml'
    path.write_text(GOOD)
    path.chmod(0)
    assert codes_of(str(path)) == ['BSP0001']


def test_a_large_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'fleet.yaml').write_bytes(b'a: b\n' * (2 << 20))
    assert said('fleet.yaml') == "bespoke: error: 'fleet.yaml' is larger than 1 MiB, which no spec may be [BSP0003]\n"


def test_a_large_include(tmp_path):
    (tmp_path / 'common.yaml').write_bytes(b'a: b\n' * (1 << 18))
    (tmp_path / 'fleet.yaml').write_text(GOOD + 'include: common.yaml\n')
    assert codes_of(str(tmp_path / 'fleet.yaml')) == ['BSP0107']


def test_another_encoding(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'fleet.yaml').write_bytes(GOOD.encode('utf-16'))
    assert said('fleet.yaml') == (
        "bespoke: error: 'fleet.yaml' is UTF-16, not UTF-8 [BSP0002]\n"
        "help: save the file as UTF-8\n")


@pytest.mark.parametrize('line_break', ['\r\n', '\r'])
def test_other_line_breaks(tmp_path, monkeypatch, line_break):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'fleet.yaml').write_bytes(GOOD.replace('int', 'int, ordering: any').replace('\n', line_break).encode())
    assert said('fleet.yaml') == (
        "fleet.yaml:3:35: error: 'ordering' cannot be 'any' [BSP0103]\n"
        "    3 |   fleet: {element: int, ordering: any}\n"
        "      |                                   ^^^\n"
        "help: did you mean 'unordered'? expected one of: insertion, unordered, sorted, explicit, tree, fifo, heap, layered\n")


def test_many_values(tmp_path):
    (tmp_path / 'fleet.yaml').write_text('a: [%s]\n' % ', '.join('x' * 1 for _ in range(loader.MAX_NODES + 1)))
    assert codes_of(str(tmp_path / 'fleet.yaml')) == ['BSP0014']


@pytest.mark.parametrize('name', ['fleet', 'fleet.list', 'fleet-2', '2d', 'c++', 'STACK', 'a' * 100])
def test_names_of_good_specs(tmp_path, name):
    path = tmp_path / (name + '.yaml')
    path.write_text(GOOD)
    assert said(str(path)) == ''


@pytest.mark.parametrize('name', ['my fleet', 'bespoke', 'Bespoke', 'string', 'Time', 'nul', 'COM1', 'aux.list', 'a' * 101, "a'b", '-fleet',
                                  'a$b', 'fl\u00e4che', 'a"b', '#', '.hidden', 'a\nb', 'a;b'])
def test_names_of_specs(tmp_path, name):
    path = tmp_path / (name + '.yaml')
    try:
        path.write_text(GOOD)
    except OSError:
        pytest.skip('this system has no such files')
    diagnostics = Diagnostics()
    assert load_spec(str(path), diagnostics) is None
    assert [item.code for item in diagnostics] == ['BSP0112']


# -- Codes -----------------------------------------------------------------------------------------------------

def sources():
    for folder, _, names in sorted(os.walk(os.path.join(ROOT, 'generator'))):
        for name in sorted(names):
            if name.endswith('.py'):
                with open(os.path.join(folder, name), encoding='utf-8') as file:
                    yield name, file.read()


def test_every_code_that_is_used_is_explained():
    used = set()
    for name, text in sources():
        if name != 'diag.py':
            used |= set(re.findall(r'[\'"](BSP\d{4})[\'"]', text))
    assert used - set(CODES) == set()


@pytest.mark.parametrize('code', sorted(code for code in CODES if code < 'BSP04'))
def test_every_code_has_a_case(code):
    if code in ELSEWHERE:
        return
    pattern = '[%s]' % code
    for name in CASES:
        with open(name + '.err', encoding='utf-8') as file:
            if pattern in file.read():
                return
    pytest.fail('no file in tests/bad gives %s' % code, pytrace=False)


def test_every_explanation_is_whole():
    for code, (title, explanation, advice) in CODES.items():
        assert re.fullmatch(r'BSP\d{4}', code)
        assert title and not title.endswith('.'), code
        assert explanation.endswith('.') and advice.rstrip('`').endswith('.'), code
