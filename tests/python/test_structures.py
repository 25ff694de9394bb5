"""docs/structures: up to date, complete, and its programs do what the pages say. And every link in the documentation."""

import glob
import os
import re
import shutil
import subprocess

import pytest
from conftest import ROOT

from generator.containers.load import load_spec
from generator.language.keys import BY_PATH, KEYS
from generator.language.presets import PRESETS
from generator.pages import reference, structures, wording
from generator.text.diag import Diagnostics

MEND = 'run: ./bespoke schema --structures -o docs/structures'
FOLDER = os.path.join(ROOT, 'docs', 'structures')
WARNINGS = ['-std=c99', '-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wsign-conversion', '-Wshadow', '-Werror']


@pytest.fixture(scope='module')
def pages():
    return structures.pages()


def text_of(path):
    with open(path, encoding='utf-8', newline='') as file:
        return file.read()


# -- the pages ---------------------------------------------------------------------------------------------------

def test_the_pages_are_up_to_date(pages):
    assert sorted(os.listdir(FOLDER)) == sorted(pages), MEND
    for name, text in pages.items():
        assert text_of(os.path.join(FOLDER, name)) == text, MEND


def test_command(tool, pages):
    tool('schema', '--structures', '-o', 'out')
    assert {name: tool.read(f'out/{name}') for name in os.listdir('out')} == pages
    assert tool('schema', '--structures').out == ''.join(pages.values())
    assert 'BSP0405' in tool('schema', '--structures', '-o', 'specs/fleet.yaml', code=3).err


def test_there_is_an_example_of_each_and_no_other():
    assert sorted(os.listdir(structures.example_root())) == sorted(PRESETS)


def test_without_the_examples(tool, monkeypatch):
    monkeypatch.setattr(structures, 'example_root', lambda: 'nowhere')
    assert 'BSP0411' in tool('schema', '--structures', code=3).err


@pytest.mark.parametrize('name', PRESETS)
def test_each_says_when(name, pages):
    preset = PRESETS[name]
    assert len(preset.choose) >= 2 and len(preset.avoid) >= 2
    words = (*preset.choose, *preset.avoid, *preset.avoid.values())
    for other in re.findall(r'\{(\w+)\}', ' '.join(words)):
        assert other in PRESETS and other != name, other
    for sentence in (*preset.choose, preset.doc):
        assert sentence.endswith('.') and sentence[0].isupper(), sentence
    for heading in ('When to choose it', 'When not', 'A spec', 'A program', 'During a pass', 'Operations',
                    'Statuses', 'Memory', 'Related'):
        assert len(re.findall(f'^## {heading}$', pages[f'{name}.md'], re.MULTILINE)) == 1, heading


def test_the_tables_are_sound(pages):
    for name, text in pages.items():
        for table in re.findall(r'(?:^\|.*\n)+', text, re.MULTILINE):
            assert len({len(re.findall(r'(?<!\\)\|', row)) for row in table.splitlines()}) == 1, (name, table)


# -- the examples ------------------------------------------------------------------------------------------------

@pytest.mark.parametrize('name', PRESETS)
def test_the_program_prints_what_the_page_says(name, tool, pages):
    """As on the page; and with all checks, and with everything broken that nothing promises."""
    blocks = re.findall(r'^```(\w*)\n(.*?)^```$', pages[f'{name}.md'], re.MULTILINE | re.DOTALL)
    commands = [text for language, text in blocks if language == 'sh'][0].split()
    for file in os.listdir(os.path.join(structures.example_root(), name)):
        shutil.copy(os.path.join(structures.example_root(), name, file), file)
        assert any(text.rstrip() == tool.read(file).rstrip() for _, text in blocks), f'{file} is not on the page'
    assert commands[:2] == ['bespoke', 'generate'] and commands[5] == 'cc' and commands[10:] == ['&&', './program']
    tool(*commands[1:5])
    for more in ([], ['-DBESPOKE_CHECKS=1', '-DBESPOKE_CHAOS=2']):
        compiler = os.environ.get('CC', 'cc')
        done = subprocess.run([compiler, *WARNINGS, *more, *commands[6:10]], stderr=subprocess.PIPE, encoding='utf-8')
        assert done.returncode == 0, done.stderr
        done = subprocess.run(['./program'], stdout=subprocess.PIPE, encoding='utf-8', timeout=60)
        assert done.returncode == 0
        assert done.stdout == tool.read('output.txt')


# -- what a preset stands for ------------------------------------------------------------------------------------

def write_out(container, settings):
    """A spec of one container with all its values said."""
    order = [key.path for key in KEYS if key.path in settings]
    lines = ['bespoke: 1', 'containers:', f'  {container.name}:']
    for head in dict.fromkeys(path.split('.')[0] for path in order):
        paths = [path for path in order if path.split('.')[0] == head]
        lines.append('    ' + wording.in_one_line(head, paths, settings))
    return '\n'.join(lines) + '\n'


def resolved(tool, name, text):
    tool.write('written.yaml', text)
    return load_spec('written.yaml', Diagnostics(), [os.path.join(structures.example_root(), name)])


@pytest.mark.parametrize('name', PRESETS)
def test_the_values_written_out_are_the_same(name, tool, pages):
    example = structures.Example(name)
    container = example.container
    said = {path: setting.value for path, setting in container.settings.items() if setting.origin == 'spec'}
    spec = resolved(tool, name, write_out(container, {**PRESETS[name].settings, **said}))
    assert spec is not None
    assert {path: setting.value for path, setting in spec.containers[0].settings.items()} \
        == {path: setting.value for path, setting in container.settings.items()}
    shown = pages[f'{name}.md'].split(f'`preset: {name}` stands for')[1].split('```')[1]
    for path in PRESETS[name].settings:
        assert re.search(rf"\b{path.split('.')[0]}: ", shown), path


def test_what_goes_forward_is_said_otherwise_of_backward_passes():
    assert 'children are visited before their parents' not in PRESETS['scene_tree'].text()
    assert 'children are visited before their parents' in PRESETS['scene_tree'].text(direction='backward')


@pytest.mark.parametrize('name', PRESETS)
def test_what_else_may_be_said(name, tool):
    """What the page says of one other value is what the resolver says of a spec that says it."""
    container = structures.Example(name).container
    said = {path: setting.value for path, setting in container.settings.items()
            if setting.origin in ('spec', 'preset')}
    tried = 0
    for path in ('ordering', 'duplicates', 'element.by', 'removal.policy', 'index.kind', 'iteration.adds'):
        for value in BY_PATH[path].values:
            if value == 'auto' or value == container[path] or container[path] is None:
                continue
            only = {other for other in said if value not in BY_PATH[other].only.get(path, (value,))
                    and (container.settings[other].origin == 'preset' or BY_PATH[path].short and BY_PATH[other].group == BY_PATH[path].group)}
            text = write_out(container, {**{key: it for key, it in said.items() if key not in only}, path: value})
            assert (resolved(tool, name, text) is not None) == structures.accepts(container, path, value), text
            tried += 1
    assert tried > 5


# -- links -------------------------------------------------------------------------------------------------------

def documents():
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if not name.startswith(('.', 'build'))]
        for name in names:
            if name.endswith('.md'):
                yield os.path.relpath(os.path.join(folder, name), ROOT)


def without_code(text):
    return re.sub(r'`[^`\n]*`', '', re.sub(r'^```.*?^```$', '', text, flags=re.MULTILINE | re.DOTALL))


def anchors(path):
    text = re.sub(r'^```.*?^```$', '', text_of(path), flags=re.MULTILINE | re.DOTALL)
    return {re.sub(r'[^\w -]', '', heading.strip().lower()).replace(' ', '-')
            for heading in re.findall(r'^#+ (.*)$', text, re.MULTILINE)}


@pytest.mark.parametrize('document', sorted(documents()))
def test_links_lead_somewhere(document):
    path = os.path.join(ROOT, document)
    for target in re.findall(r'\]\(([^)\s]+)\)', without_code(text_of(path))):
        if re.match(r'https?://', target):
            continue
        file, _, anchor = target.partition('#')
        place = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
        assert os.path.exists(place), f'{document}: {target}'
        assert not anchor or anchor in anchors(place), f'{document}: {target}'


def test_the_pages_are_linked():
    assert '(docs/structures/README.md)' in text_of(os.path.join(ROOT, 'README.md'))
    language = reference.page()
    for name in PRESETS:
        assert f'(structures/{name}.md)' in language


def test_pages_list_no_function_that_callers_have_not():
    """What ends with '_' is private to a container."""
    for path in glob.glob(os.path.join(ROOT, 'docs', 'structures', '*.md')):
        with open(path, encoding='utf-8') as file:
            assert re.findall(r'`\w+_`', file.read()) == [], path
