"""The command line: exit codes, what goes where, the launcher, and the commands that explain."""

import itertools
import json
import os
import re
import shutil
import stat
import subprocess
import sys

import jinja2
import pytest
from conftest import ROOT
from tool import BESPOKE, CREW, FLEET, SHIP
import turns

from generator.containers.load import load_spec
from generator.language import keys
from generator.language.presets import PRESETS
from generator.pages import starter, wording
from generator.text import loader
from generator.text.project import CONTRACT
from generator.text.error_codes import CODES
from generator.text.diag import Diagnostics
from generator.tool import cli, console

posix = pytest.mark.skipif(os.name == 'nt', reason='needs a shell')


# -- usage -------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize('arguments', [
    [], ['frobnicate'], ['generate', '--frobnicate'], ['list', '--axes', '--outputs'], ['new'], ['explain'],
    ['generate', '--color', 'pink'], ['schema', '--json', '--markdown'], ['doctor', '--need', 'luck'], ['check', '-o']])
def test_usage_errors(tool, arguments):
    assert 'usage: bespoke' in tool(*arguments, code=2).err


@pytest.mark.parametrize('command', ['generate', 'check', 'explain', 'list', 'new', 'schema', 'doctor'])
def test_help(tool, command):
    assert tool(command, '--help').out.startswith('usage: bespoke ' + command)
    assert command in tool('--help').out


# -- diagnostics -------------------------------------------------------------------------------------------------

def test_diagnostics_go_to_stderr(tool):
    tool.edit('specs/fleet.yaml', 'swap', 'swop')
    result = tool('generate', code=2)
    assert result.out == ''
    place = os.path.join('specs', 'fleet.yaml')
    assert f"{place}:6:14: error: " in result.err and '[BSP0103]' in result.err and '^^^^' in result.err


def test_diagnostics_for_machines(tool):
    tool.edit('specs/fleet.yaml', 'swap', 'swop')
    record = json.loads(tool('generate', '--diagnostics', 'json', code=2).err)
    assert record['code'] == 'BSP0103' and record['line'] == 6 and record['file'].endswith('fleet.yaml')
    err = tool('generate', '--diagnostics=msvc', code=2).err
    assert re.match(r'specs.fleet\.yaml\(6,14\): error BSP0103: ', err)


def test_color(tool, monkeypatch):
    tool.edit('specs/fleet.yaml', 'swap', 'swop')
    assert '\033[' in tool('generate', '--color', 'always', code=2).err
    assert '\033[' not in tool('generate', '--color', 'never', code=2).err
    assert '\033[' not in tool('generate', code=2).err  # not a terminal
    monkeypatch.setattr(sys.stderr, 'isatty', lambda: True, raising=False)
    monkeypatch.setenv('TERM', 'xterm')
    monkeypatch.delenv('NO_COLOR', raising=False)
    assert console.Output().color
    monkeypatch.setenv('NO_COLOR', '1')
    assert not console.Output().color and console.Output(color='always').color
    monkeypatch.delenv('NO_COLOR')
    monkeypatch.setenv('TERM', 'dumb')
    assert not console.Output().color


def test_all_errors_of_all_specs(tool):
    for number in range(3):
        tool.write(f'specs/s{number}.yaml', f'bespoke: 1\ncontainers:\n  box{number}: {{element: int, a{number}: 1, '
                                            f'b{number}: 2}}\n')
    err = tool('generate', code=2).err
    for number in range(3):
        assert f"'a{number}'" in err and f"'b{number}'" in err


def test_a_spec_given_twice_is_one(tool):
    out = tool('generate', 'specs/fleet.yaml', './specs/fleet.yaml', os.path.abspath('specs/fleet.yaml')).out
    assert out.endswith('2 written, 0 unchanged\n')


def test_what_others_include_is_no_spec(tool):
    """House rules may lie beside the specs, whether these are named or not; alone they are none."""
    tool.write('specs/house.yaml', 'bespoke: 1\ndefaults: {emit: {prefix: eng_}}\n')
    tool.edit('specs/fleet.yaml', 'bespoke: 1', 'bespoke: 1\ninclude: house.yaml')
    assert '[BSP0105]' in tool('generate', 'specs/house.yaml', 'specs/crew.yaml', code=2).err
    assert tool('generate', 'specs/house.yaml', 'specs/fleet.yaml').out.endswith('2 written, 0 unchanged\n')
    tool('generate')
    assert '4 files are what 2 specs say' in tool('check').out
    tool.edit('specs/fleet.yaml', 'swap', 'swop')  # its error is all that there is to say
    assert tool('check', code=2).err.count(': error: ') == 1


def test_two_specs_of_one_name(tool):
    tool.write('more/fleet.yaml', FLEET.replace('fleet:', 'armada:').replace('ship.h', '../specs/ship.h'))
    result = tool('generate', 'specs/fleet.yaml', 'more/fleet.yaml', code=2)
    assert 'BSP0406' in result.err
    assert os.path.join('specs', 'fleet.yaml') in result.err and os.path.join('more', 'fleet.yaml') in result.err
    assert not tool.exists('generated')


def test_names_that_differ_in_case_only(tool):
    tool.write('more/FLEET.yaml', FLEET.replace('fleet:', 'armada:').replace('ship.h', '../specs/ship.h'))
    assert 'BSP0406' in tool('generate', 'specs/fleet.yaml', 'more/FLEET.yaml', code=2).err


def test_two_containers_of_one_name(tool):
    tool.write('specs/staff.yaml', CREW)
    result = tool('generate', code=2)
    assert 'BSP0407' in result.err and re.search(r'crew\.yaml:3:3', result.err) and re.search(r'staff\.yaml:3:3', result.err)
    assert not tool.exists('generated')
    tool.write('specs/staff.yaml', CREW.replace('int', 'int, emit: {prefix: my_}'))
    tool('generate')


def test_a_test_that_is_called_like_another_spec(tool, monkeypatch):
    from generator.emitted.render import Renderer
    real = Renderer.files
    monkeypatch.setattr(Renderer, 'files', lambda self, spec, regenerate, tests=False, shared=False, alone=True: dict(
        real(self, spec, regenerate), **({spec.stem + '_test.c': 'int x;\n'} if tests else {})))
    tool.write('specs/fleet_test.yaml', CREW.replace('crew', 'staff'))
    tool('generate')
    assert 'BSP0406' in tool('generate', '--tests', code=2).err


# -- bugs of ours ------------------------------------------------------------------------------------------------

@pytest.fixture
def broken(tmp_path, monkeypatch):
    """Templates of our own, to break."""
    from generator.emitted import environment
    folder = str(tmp_path / 'broken' / 'templates')
    shutil.copytree(os.path.join(ROOT, 'templates'), folder)
    monkeypatch.setattr(environment, 'template_root', lambda: folder)
    monkeypatch.delenv('BESPOKE_DEBUG', raising=False)

    def replace(name, text):
        with open(os.path.join(folder, name), 'w') as file:
            file.write(text)
    return replace


@pytest.mark.parametrize('text, line, said', [
    ('\n\n{{ no_such_name }}\n', 3, "'no_such_name' is undefined"),
    ('\n{{ parts.removal.no_such_thing }}\n', 2, 'no_such_thing'),
    ('\n{% if %}\n', 2, 'Expected an expression'),
    ('\n\n{{ 1 // 0 }}\n', 3, 'ZeroDivisionError'),
    ('{% include "none.j2" %}\n', 1, 'none.j2')])
def test_a_bug_in_a_template(tool, broken, text, line, said):
    broken('container.c.j2', text)
    result = tool('generate', code=4)
    assert re.search(r'container\.c\.j2:%d: internal error' % line, result.err), result
    assert said in result.err and 'BSP0590' in result.err and 'fleet.yaml' in result.err or 'crew.yaml' in result.err
    assert not tool.exists('generated')
    assert 'BSP0590' in tool('generate', '--diagnostics', 'msvc', code=4).err


def test_a_bug_in_the_generator(tool, monkeypatch):
    from generator.containers import load
    monkeypatch.setattr(load, 'find_headers', lambda *_: {}['oops'])
    monkeypatch.delenv('BESPOKE_DEBUG', raising=False)
    err = tool('generate', code=4).err
    assert re.search(r"generator.resolve\.py:\d+: internal error with .*: KeyError: 'oops'", err) or 'KeyError' in err
    monkeypatch.setenv('BESPOKE_DEBUG', '1')
    with pytest.raises(KeyError):
        cli.main(['generate'])


def test_a_missing_module(tool, monkeypatch):
    from generator.emitted import render  # noqa: F401, so that it is known to be missing only from here on
    monkeypatch.delenv('BESPOKE_DEBUG', raising=False)
    monkeypatch.setitem(sys.modules, 'jinja2', None)
    for name in ('generator.emitted.render', 'generator.emitted.environment'):
        monkeypatch.delitem(sys.modules, name)
    result = tool('generate', code=3)
    assert 'BSP0501' in result.err and 'jinja2' in result.err and 'apt-get install' in result.err


def test_a_pipe_that_is_closed(tool):
    done = subprocess.run(f'"{sys.executable}" "{BESPOKE}" list --axes | head -n 1', shell=True, stderr=subprocess.PIPE,
                          stdout=subprocess.PIPE, cwd=str(tool.folder))
    assert done.stderr == b'' and done.stdout.count(b'\n') == 1


@posix
@pytest.mark.parametrize('closed', ['<&-', '>&-', '2>&-', '<&- >&- 2>&-'])
def test_a_stream_that_is_closed(tool, closed):
    """Nobody reads there: the exit code stays what the command found."""
    def run(*arguments):
        done = subprocess.run(['bash', '-c', f'"{sys.executable}" "{BESPOKE}" {" ".join(arguments)} {closed}'],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=str(tool.folder))
        assert b'Traceback' not in done.stderr
        return done.returncode

    assert [run('generate'), run('check'), run('explain', 'specs/fleet.yaml')] == [0, 0, 0]
    tool.edit('generated/fleet.c', 'return', 'return  0 +')
    assert [run('check'), run('frobnicate'), run('check', '-o', 'nowhere')] == [1, 2, 3]


@pytest.mark.skipif(not os.path.exists('/dev/full'), reason='needs a device that is full')
@pytest.mark.parametrize('arguments', ['generate --stdout', 'explain specs/fleet.yaml', 'schema', 'list --axes'])
def test_an_output_that_is_full_is_no_bug(tool, arguments):
    with open('/dev/full', 'w') as full:
        done = subprocess.run([sys.executable, BESPOKE, *arguments.split(), *['--no-format'] * arguments.startswith('generate')], stdout=full, stderr=subprocess.PIPE, universal_newlines=True)
    assert done.returncode == 3
    assert done.stderr == 'bespoke: error: cannot write the standard output: no space left on device [BSP0405]\n'


def test_what_was_found_is_not_lost_with_the_reader(tool):
    """The exit code of a check whose output nobody reads to its end."""
    tool('generate')
    tool.edit('generated/fleet.c', 'return', 'return  /* by hand */')
    for _ in range(3):
        done = subprocess.run(['bash', '-c', f'"{sys.executable}" "{BESPOKE}" check 2>&1 | true; echo "${{PIPESTATUS[0]}}"'],
                              stdout=subprocess.PIPE, cwd=str(tool.folder))
        assert done.stdout == b'1\n'


def test_names_that_a_terminal_cannot_show(tool):
    tool.write('specs/fleet.yaml', FLEET.replace('swap', 'sw\u00e4p'))
    result = tool.process('generate', code=2, PYTHONIOENCODING='ascii', LC_ALL='C')
    assert 'sw' in result.err


# -- the launcher ------------------------------------------------------------------------------------------------

def test_launcher(tool):
    tool.process('generate')
    tool.process('check')
    done = subprocess.run([sys.executable, '-m', 'generator', 'check', '-q', tool.path('specs/fleet.yaml'), '-o',
                           tool.path('generated')], cwd=ROOT)
    assert done.returncode == 0


@posix
def test_launcher_is_executable_and_may_be_linked(tool):
    assert os.stat(BESPOKE).st_mode & stat.S_IXUSR
    os.symlink(BESPOKE, 'b')
    assert 'locking_list' in tool.process('list', script=tool.path('b')).out


def bare_python(folder):
    """A Python without the modules: a folder to be put in front of the PATH, with a python3 in it."""
    os.makedirs(folder)
    path = os.path.join(folder, 'python3')
    with open(path, 'w') as file:
        file.write(f'#!/bin/sh\nexec "{sys.executable}" -S -E "$@"\n')
    os.chmod(path, 0o755)
    return path


@pytest.fixture
def bare(tool):
    path = bare_python(tool.path('bare'))
    code = subprocess.call([path, '-c', 'import jinja2'], stderr=subprocess.DEVNULL)
    if code == 0:
        pytest.skip('cannot hide the modules of this Python')
    return path


@posix
def test_launcher_finds_another_python(tool, bare):
    os.makedirs('good')
    os.symlink(sys.executable, 'good/python3')
    tool.write('good/python3.12', f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    os.chmod('good/python3.12', 0o755)
    path = os.pathsep.join([tool.path('bare'), tool.path('good'), os.environ['PATH']])
    result = tool.process('generate', '--no-format', python=bare, PATH=path, PYTHONPATH=None)
    assert tool.exists('generated/fleet.h') and result.err == ''


@posix
def test_doctor_is_about_its_own_python(tool, bare):
    result = tool.process('doctor', '--need', 'generate', python=bare, code=3, PYTHONPATH=None)
    assert 'ModuleNotFoundError' in result.err and 'jinja2' in result.err and 'BSP0501' in result.err
    assert 'missing' in result.out and 'apt-get install' in result.out
    assert tool.process('doctor', python=bare, PYTHONPATH=None).err == ''


@posix
def test_launcher_gives_up(tool, bare):
    """Nothing else is to be found: what was already re-executed does not go on looking."""
    result = tool.process('generate', python=bare, code=3, PYTHONPATH=None, BESPOKE_REEXECUTED='1')
    assert 'BSP0501' in result.err and 'apt-get install python3-jinja2 python3-yaml' in result.err


def test_old_pythons_can_read_the_launcher():
    with open(BESPOKE, encoding='utf-8') as file:
        text = file.read()
    assert not re.search(r'\bf[\'"]', text) and ':=' not in text
    compile(text, BESPOKE, 'exec')


def test_nothing_is_written_into_the_source_tree(tool):
    """Byte code and compiled templates go where Python was told to put them."""
    env = {name: value for name, value in os.environ.items() if name != 'PYTHONDONTWRITEBYTECODE'}
    env.update(HOME=str(tool.folder), XDG_CACHE_HOME=tool.path('cache'))
    subprocess.run([sys.executable, '-X', 'pycache_prefix=' + tool.path('pyc'), BESPOKE, 'generate', '-q'], check=True,
                   env=env, cwd=str(tool.folder))
    assert os.listdir(tool.path('pyc/bespoke-templates'))
    assert not tool.exists('cache')
    subprocess.run([sys.executable, '-B', BESPOKE, 'check', '-q'], check=True, env=env, cwd=str(tool.folder))
    assert not tool.exists('cache')


def test_templates_that_were_compiled_in_another_way_are_compiled_again(tool, monkeypatch):
    from generator.emitted import template_cache

    os.mkdir(tool.path('pyc'))
    source, path = '{{ 1 }}', tool.path('one.j2')

    def compiled():
        monkeypatch.setattr(template_cache, 'COMPILED', {})  # as in a new process
        return template_cache.TemplateCache(tool.path('pyc')).get_bucket(jinja2.Environment(), 'one.j2', path, source)

    bucket = compiled()
    bucket.code = compile('1', path, 'eval')
    template_cache.TemplateCache(tool.path('pyc')).set_bucket(bucket)
    assert compiled().code is not None
    monkeypatch.setattr(template_cache, 'VERSION', 'another')
    assert compiled().code is None


@pytest.mark.parametrize('keeps', [True, False])
def test_templates_are_compiled_once_in_a_process(tool, monkeypatch, keeps):
    """Each renderer compiled all of them again, so that `explain` took longer than `generate`, and a page of examples half a minute."""
    from generator.emitted import template_cache
    from generator.emitted.render import Renderer

    monkeypatch.setattr(template_cache, 'COMPILED', {})
    monkeypatch.setattr(sys, 'pycache_prefix', tool.path('pyc'))
    monkeypatch.setattr(sys, 'dont_write_bytecode', not keeps)
    compiled = []
    real = jinja2.Environment.compile
    monkeypatch.setattr(jinja2.Environment, 'compile', lambda *given, **named: compiled.append(given[2]) or real(*given, **named))
    tool('explain', 'specs/fleet.yaml')
    assert compiled
    compiled.clear()
    tool('explain', 'specs/fleet.yaml')
    Renderer().environment.get_template('bespoke.h.j2')
    assert compiled in ([], ['bespoke.h.j2'])
    template_cache.COMPILED.clear()  # another process
    compiled.clear()
    tool('explain', 'specs/fleet.yaml')
    assert (compiled == []) == keeps


@posix
def test_a_cache_that_others_may_write_is_not_used(tool, monkeypatch):
    from generator.emitted import template_cache
    monkeypatch.setattr(template_cache, 'COMPILED', {})
    monkeypatch.setattr(sys, 'dont_write_bytecode', False)
    monkeypatch.setattr(sys, 'pycache_prefix', None)
    monkeypatch.setenv('XDG_CACHE_HOME', tool.path('cache'))
    assert template_cache.cache_folder() is not None
    tool('generate')
    compiled = sorted(os.listdir('cache/bespoke'))[:4]
    assert compiled
    # What is in it may be damaged.
    for name in compiled:
        path = tool.path('cache/bespoke/' + name)
        with open(path, 'rb') as file:
            content = file.read()
        for damaged in (b'', b'nonsense', content[:20], content[:-50], content[:40] + b'x' * 40 + content[80:]):
            with open(path, 'wb') as file:
                file.write(damaged)
            template_cache.COMPILED.clear()
            tool('check', 'specs/crew.yaml')
    os.chmod('cache/bespoke', 0o777)
    assert template_cache.cache_folder() is None
    tool('check')


# -- explain -----------------------------------------------------------------------------------------------------

def test_explain(tool):
    tool.write('specs/fleet.yaml', FLEET.replace('    removal: swap\n', '    capacity: {max: 9}\n').replace(
        'containers:', 'defaults:\n  duplicates: allow\ncontainers:'))
    out = tool('explain', 'specs/fleet.yaml').out
    place = os.path.join('specs', 'fleet.yaml')

    def line(key):
        return next(line.split(None, 2) for line in out.splitlines() if line.split()[:1] == [key])

    assert line('element.by') == ['element.by', 'value', 'default']
    assert line('ordering') == ['ordering', 'unordered', place + ':7']
    assert line('duplicates') == ['duplicates', 'allow', f'defaults, {place}:3']
    assert line('removal.policy')[1] == 'swap' and line('removal.policy')[2].startswith('derived: order is free')
    assert line('capacity.max')[1:] == ['9', place + ':8']
    assert line('FLEET_FULL')[1] == '4'
    for words in ('storage', 'operations', 'fleet_remove', 'O(1)', 'fleet_status fleet_add(fleet *list, struct ship element);',
                  'memory', 'sizeof(struct ship)'):
        assert words in out
    assert max(map(len, out.split('signatures')[0].splitlines())) <= 120


def test_explain_says_when_it_shrinks_only_where_it_does(tool):
    assert 'shrink.' not in tool('explain', 'specs/crew.yaml').out
    tool.write('specs/crew.yaml', CREW.replace('element: int', 'element: int, capacity: {shrink: {below: 25%}}'))
    assert re.search(r'capacity\.shrink\.after +120 settles +default', tool('explain', 'specs/crew.yaml').out)


@pytest.mark.parametrize('capacity, said', [
    ('{growth: 3}', 'the first add makes 16 slots, a full container grows by a factor of 3'),
    ('{max: 1}', 'the first add makes 1 slot, the capacity limit'),
    ('{max: 3}', 'the first add makes 3 slots, the capacity limit'),
    ('{max: 40, initial: 40}', 'the first add makes 40 slots, the capacity limit'),
    ('{max: 40, initial: 2, growth: 1.5}', 'the first add makes 2 slots, a full container grows by a factor of 1.5, up to 40')])
def test_explain_says_how_far_a_container_grows(tool, capacity, said):
    tool.write('specs/crew.yaml', CREW.replace('element: int', f'element: int, capacity: {capacity}'))
    assert re.sub(r'\s+', ' ', tool('explain', 'specs/crew.yaml').out).rstrip().endswith(said)


def test_explain_presets(tool):
    tool.write('specs/fleet.yaml', 'bespoke: 1\npresets:\n  mine:\n    preset: locking_list\n    capacity: {initial: 99}\n'
                                   'containers:\n  fleet:\n    preset: mine\n    element: {type: int, by: pointer}\n'
                                   '  pool: {preset: item_pool, element: int, capacity: {max: 3}}\n')
    out = tool('explain', 'specs/fleet.yaml', 'fleet').out
    assert re.search(r'capacity\.initial +99 +preset mine, .*fleet\.yaml:5', out)
    assert re.search(r'duplicates +reject +preset locking_list\n', out)
    assert 'pool_' not in out
    both = tool('explain', 'specs/fleet.yaml').out
    assert both.count('operations\n') == 2


def test_explain_every_kind_of_container(tool):
    """Columns, layers, links in the elements: whatever a spec may say."""
    found = [os.path.join(ROOT, folder, name) for folder in ('specs', os.path.join('tests', 'specs'))
             for name in sorted(os.listdir(os.path.join(ROOT, folder))) if name.endswith('.yaml')]
    for path in turns.share(found, 12):
        out = tool('explain', path).out
        assert out.count('\noperations\n') == len(re.findall('^=+$', out, re.MULTILINE)) > 0


def test_explain_codes(tool):
    for code, (title, explanation, _) in CODES.items():
        out = tool('explain', code).out
        assert out.startswith(f'{code}: {title}\n') and explanation.split()[0] in out
    assert tool('explain', 'bsp0001').out == tool('explain', 'BSP0001').out
    assert 'BSP9999' in tool('explain', 'BSP9999', code=2).err


def test_explain_what_is_not_there(tool):
    assert "did you mean 'fleet'" in tool('explain', 'specs/fleet.yaml', 'flete', code=2).err
    assert 'BSP0001' in tool('explain', 'specs/none.yaml', code=2).err


def test_every_code_that_is_used_is_explained():
    used = set()
    for folder, _, names in os.walk(os.path.join(ROOT, 'generator')):
        for name in names:
            if name.endswith('.py'):
                with open(os.path.join(folder, name), encoding='utf-8') as file:
                    used |= set(re.findall(r'["\'](BSP\d{4})["\']', file.read()))
    assert used == set(CODES)


# -- list --------------------------------------------------------------------------------------------------------

def test_list(tool):
    lines = tool('list').out.splitlines()
    assert [line.split()[0] for line in lines if not line.startswith(' ')] == list(PRESETS)


def test_list_axes(tool):
    out = tool('list', '--axes').out
    for key in keys.KEYS:
        assert re.search(r'^%s +\S' % re.escape(key.path), out, re.MULTILINE)
        for value in key.values:
            assert value in out


def test_list_combinations(tool, monkeypatch):
    """The first of them; that all are right, test_combinations.py tells."""
    from generator.language import combinations
    every = combinations.combinations
    monkeypatch.setattr(combinations, 'combinations', lambda: itertools.islice(every(), 500))
    said = tool('list', '--combinations')
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0].split()[-1] == 'storage'
    rows = [line for line in lines[1:] if not line.endswith('combinations')]
    assert len(rows) == len(set(rows)) == 500
    assert f'{len(rows)} combinations' in said.out + said.err
    assert all(len(row.split()) == len(lines[0].split()) for row in rows)


@pytest.mark.parametrize('files', ['pair', 'single'])
def test_list_outputs(tool, files):
    tool.write('specs/fleet.yaml', FLEET + f'    emit: {{files: {files}}}\n')
    listed = tool('list', '--outputs', 'specs/fleet.yaml').out.split()
    tool('generate', 'specs/fleet.yaml')
    assert sorted(listed) == sorted(os.listdir('generated'))
    assert tool('list', '--outputs', '--tests', 'specs/fleet.yaml').out.split() == listed + ['fleet_test.c'] + ['bespoke_test.h'] * (files != 'single')
    tool('generate', '--debuggers', 'specs/fleet.yaml')
    assert sorted(tool('list', '--outputs', '--debuggers', 'specs/fleet.yaml').out.split()) == sorted(os.listdir('generated'))


# -- new ---------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize('preset', sorted(PRESETS))
def test_new(tool, preset):
    out = tool('new', preset).out
    assert 'yaml-language-server' in out and not out.startswith('# yaml-language-server')  # nobody knows where it will be
    tool('new', preset, '-o', 'specs/start.yaml', '--name', 'starter')
    tool.edit('specs/ship.h', 'int hp;', 'int hp, depth; struct ship *team_next, *team_prev; void *team;'
              ' struct ship *node_parent, *timer_left, *timer_right; uint64_t timer_turn;')  # what presets name
    tool('generate', 'specs/start.yaml')
    problems = Diagnostics()
    as_it_is = load_spec('specs/start.yaml', problems).containers[0]
    assert as_it_is.name == 'starter' and as_it_is.preset == preset

    # Every key of the preset is there as a comment, and says what the preset says.
    text = tool.read('specs/start.yaml')
    for path in list(PRESETS[preset].settings) + list(PRESETS[preset].needs):
        assert f'# [{path}] ' in text, path
    tool.write('specs/start.yaml', re.sub(r'(?m)^( +)# ([a-z_]+: )', r'\1\2', text))
    written_out = load_spec('specs/start.yaml', problems).containers[0]
    assert not problems
    for path, value in PRESETS[preset].settings.items():
        assert written_out.settings[path].origin == 'spec', path
        assert written_out[path] == value
    assert {p: s.value for p, s in written_out.settings.items()} == {p: s.value for p, s in as_it_is.settings.items()}


@pytest.mark.parametrize('ctype, header', [('int', None), ('struct ship', 'ship.h'), ('uint64_t', None)])
@pytest.mark.parametrize('preset', ['locking_list', 'entity_list', 'item_pool', 'read_write_collection'])
def test_new_of_a_type(tool, preset, ctype, header):
    tool('new', preset, '-o', 'specs/start.yaml', '--type', ctype, *(['--header', header] if header else []))
    assert ('header' in re.sub(r'#.*', '', tool.read('specs/start.yaml'))) == bool(header)
    tool('generate', 'specs/start.yaml')


def test_new_does_not_overwrite(tool):
    assert 'BSP0402' in tool('new', 'item_pool', '-o', 'specs/fleet.yaml', code=2).err
    assert tool.read('specs/fleet.yaml') == FLEET


@pytest.mark.parametrize('arguments, said', [
    (['item_pol'], "did you mean 'item_pool'"), (['item_pool', '--name', 'int'], 'BSP0301'),
    (['item_pool', '--name', 'a: b'], 'BSP0301'), (['item_pool', '--name', 'list'], 'BSP0301'), (['item_pool', '--type', 'int; x'], 'BSP0303'),
    (['item_pool', '--header', 'a"b'], 'BSP0304')])
def test_new_of_nonsense(tool, arguments, said):
    assert said in tool('new', *arguments, '-o', 'x.yaml', code=2).err
    assert not tool.exists('x.yaml')


def test_new_finds_the_schema_in_the_checkout(monkeypatch):
    monkeypatch.chdir(ROOT)
    if not os.path.isfile('docs/schema/bespoke.schema.json'):
        pytest.skip('there is none yet')
    problems = Diagnostics()
    text = starter.starter('item_pool', 'fleet', None, None, 'specs/x.yaml', problems)
    assert text.startswith('# yaml-language-server: $schema=../docs/schema/bespoke.schema.json\n')


def test_new_names_no_schema_that_is_not_there(tool, monkeypatch):
    """An editor says of each spec that its schema cannot be found, else."""
    tool('new', 'item_pool', '-o', 'specs/one.yaml', '--name', 'first_pool')
    assert not re.search(r'^# yaml-language-server:', tool.read('specs/one.yaml'), re.MULTILINE)
    assert '`bespoke schema --json -o bespoke.schema.json` beside this file' in tool.read('specs/one.yaml')
    tool('schema', '--json', '-o', 'specs/bespoke.schema.json')
    tool('new', 'item_pool', '-o', 'specs/two.yaml', '--name', 'second_pool')
    assert tool.read('specs/two.yaml').startswith('# yaml-language-server: $schema=bespoke.schema.json\n')
    # Bespoke as a part of the project, at whatever depth.
    tool.write('engine/.git', '')
    tool.write('engine/tools/bespoke/docs/schema/bespoke.schema.json', '{}')
    monkeypatch.setattr(starter, 'ROOT', os.path.join('engine', 'tools', 'bespoke'))
    tool.write('engine/lists/old.yaml', '')
    tool('new', 'item_pool', '-o', 'engine/lists/three.yaml', '--name', 'third_pool')
    assert tool.read('engine/lists/three.yaml').startswith(
        '# yaml-language-server: $schema=../tools/bespoke/docs/schema/bespoke.schema.json\n')
    tool('new', 'item_pool', '-o', 'four.yaml', '--name', 'fourth_pool')
    assert not tool.read('four.yaml').startswith('# yaml-language-server')


@pytest.mark.parametrize('value', ['a', 'a: b', '- a', 'x #y', '*element <= 0', '&x', '!a', "it's", '', ' a', '[', 'a, b', '{a}',
                                   'element->hp <= 0', '%a', '@a', 'a:', '"', 'yes', '12', '#a'])
@pytest.mark.parametrize('flow', [False, True])
def test_values_in_yaml(value, flow):
    written = wording.in_yaml('emit.banner', value, flow)
    problems = Diagnostics()
    node = loader.load_text(f'{{key: {written}}}\n' if flow else f'key: {written}\n', problems)
    assert not problems and node.get('key').text == value, written


# -- doctor ------------------------------------------------------------------------------------------------------

def test_version(tool):
    """One number, in the places that tools read it from."""
    version = tool('--version').out.split()[1]
    assert tool('--version').out == f'bespoke {version} (contract {CONTRACT})\n'
    for name, line in ('pyproject.toml', f'version = "{version}"\n'), ('cmake/BespokeConfigVersion.cmake', f'set(PACKAGE_VERSION {version})\n'):
        with open(os.path.join(ROOT, name), encoding='utf-8') as file:
            assert line in file


def test_cmake_dir(tool):
    assert tool('cmake-dir').out == os.path.join(ROOT, 'cmake') + '\n'
    assert tool('cmake-dir', '-o', 'third/cmake').out == os.path.abspath('third/cmake') + '\n'
    assert sorted(os.listdir('third/cmake')) == ['BespokeConfig.cmake', 'BespokeConfigVersion.cmake', 'BespokeContainers.cmake',
                                                 'after_generate.cmake', 'look.py']
    tool.write('file', '')
    assert '[BSP0405]' in tool('cmake-dir', '-o', 'file/cmake', code=3).err


def test_doctor(tool):
    result = tool('doctor', '--need', 'generate')
    for name in ('python', 'Jinja2', 'PyYAML', 'clang-format', 'C compiler', 'libclang', 'templates'):
        assert re.search(r'^%s ' % re.escape(name), result.out, re.MULTILINE), name
    assert result.err == ''


def test_doctor_without_templates(tool, monkeypatch):
    from generator.tool import doctor
    monkeypatch.setattr(doctor, 'template_root', lambda: (_ for _ in ()).throw(FileNotFoundError('no templates')))
    assert 'BSP0503' in tool('doctor', code=3).err


def test_doctor_without_what_may_be_missing(tool, monkeypatch):
    monkeypatch.setenv('PATH', str(tool.folder))
    monkeypatch.delenv('CC', raising=False)
    monkeypatch.delenv('BESPOKE_CLANG_FORMAT', raising=False)
    result = tool('doctor', '--need', 'generate')
    assert re.search(r'clang-format +missing', result.out) and re.search(r'C compiler +missing', result.out)


def test_the_little_project_is_sound():
    assert 'struct ship' in SHIP
