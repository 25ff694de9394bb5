"""docs/errors.md: up to date, with every code, and with commands that say what the page says."""

import os
import re
import shlex
import subprocess

import pytest
from conftest import ROOT

from generator.pages import errors
from generator.text.error_codes import CODES
from generator.tool import cli
from generator.types import libclang

MEND = 'run: script/pages'
REGENERATE = os.environ.get('BESPOKE_TEST_REGENERATE') == '1'
COMMANDS = os.path.join(ROOT, 'tests', 'bad', 'commands')
CASES = sorted(name[:-4] for name in os.listdir(COMMANDS))


def test_the_page_is_up_to_date():
    with open(os.path.join(ROOT, 'docs', 'errors.md'), encoding='utf-8', newline='') as file:
        assert file.read() == errors.page(), MEND


def test_command(tool):
    assert tool('schema', '--errors').out == errors.page()


def test_without_the_examples(tool, monkeypatch):
    monkeypatch.setattr(errors, 'case_root', lambda: 'nowhere')
    assert 'BSP0411' in tool('schema', '--errors', code=3).err


def test_every_code_has_its_place_and_an_example():
    page = errors.page()
    for code, (title, _, _) in CODES.items():
        section = re.search(rf'^### {code}$(.*?)(?=^##|\Z)', page, re.MULTILINE | re.DOTALL).group(1)
        assert f'- [{code}](#{code.lower()}): {title}' in page
        assert (f'[{code}]' in section.split('*What to do:*')[1]) == (code not in errors.SILENT), \
            f'{code}: a spec in tests/bad that says only this, or commands in tests/bad/commands/{code}.txt'
        assert code[:5] in errors.SECTIONS, code
    assert set(errors.SILENT) <= set(CODES)


@pytest.mark.parametrize('code', CASES)
def test_the_commands_say_it(code, tool, capsys, monkeypatch):
    """What goes to the error output; BESPOKE_TEST_REGENERATE=1 writes it anew."""
    for name in ('ship.h', 'fleet.yaml'):
        os.rename(tool.path(f'specs/{name}'), tool.path(name))
    tool.remove('specs/crew.yaml')
    os.rmdir(tool.path('specs'))
    text, got = errors.transcript(code), ''
    if 'bespoke type import' in text and not libclang.available()[0]:
        pytest.skip('needs libclang: apt-get install python3-clang')
    for command in re.findall(r'^\$ (.*)$', text, re.MULTILINE):
        variable, _, rest = re.fullmatch(r'((\w+=\S*) )?(.*)', command).group(2, 1, 3)
        capsys.readouterr()
        if rest.startswith('bespoke '):
            if variable:
                monkeypatch.setenv(*variable.split('=', 1))
            cli.main(shlex.split(rest)[1:])
        else:
            subprocess.run(['sh', '-c', command], stdin=subprocess.DEVNULL, check=True)
        got += f'$ {command}\n{capsys.readouterr().err}'
    assert re.findall(r'\[(BSP\d+)\]', got)[:1] == [code], got
    if REGENERATE:
        with open(os.path.join(COMMANDS, f'{code}.txt'), 'w', encoding='utf-8', newline='\n') as file:
            file.write(got)
        return
    assert got == text
