"""docs/pictures: the pictures show what the program does now, and each is on docs/contract.md or the README."""

import glob
import os
import re
import runpy
import subprocess
import sys
import xml.etree.ElementTree

from conftest import ROOT
from generator.language.presets import PRESETS

SCRIPT = os.path.join(ROOT, 'script', 'pictures')
FOLDER = os.path.join(ROOT, 'docs', 'pictures')


def text_of(*names):
    with open(os.path.join(ROOT, *names), encoding='utf-8', newline='') as file:
        return file.read()


def test_the_pictures_are_up_to_date(tmp_path):
    subprocess.run([sys.executable, SCRIPT, '-o', str(tmp_path)], check=True)
    shown = sorted(glob.glob('**/*.svg', root_dir=FOLDER, recursive=True))
    assert shown == sorted(glob.glob('**/*.svg', root_dir=str(tmp_path), recursive=True)), 'run: script/pages'
    for name in shown:
        with open(str(tmp_path / name), encoding='utf-8', newline='') as file:
            assert file.read() == text_of('docs', 'pictures', name), 'run: script/pages'
    pages = text_of('docs', 'contract.md') + text_of('README.md') + ''.join(text_of('docs', 'structures', f'{name}.md') for name in PRESETS)
    assert shown == sorted(set(re.findall(r'!\[[^]]+\]\((?:docs/|\.\./)?pictures/([\w/-]+\.svg)\)', pages)))


def test_structures_keep_the_contract():
    """On each page: no element twice, none that is in but is not visited, and none that was removed and comes later."""
    boards = runpy.run_path(SCRIPT)['of_structures']()
    assert set(boards) == set(PRESETS)
    for name, frames in boards.items():
        visited = next(frame for frame in frames if frame.words == 'the pass ends').passes[0][1]
        assert len(set(visited)) == len(visited) and visited[:3] in ('ABC', 'FED'), name
        left = set(frames[-1].slots) - {'.', 'x'}
        assert left - set(visited) <= {'G'} and visited[2] not in left and len(left) == len([slot for slot in frames[-1].slots if slot not in '.x'])
        removed = {frame.words[0] for frame in frames if frame.words.endswith('is removed, too')} | {visited[2]}
        assert left == set('ABCDEFG') - removed, name


def test_the_program_keeps_the_rules():
    """What is drawn is an example of the rules, and not of a bug."""
    script = runpy.run_path(SCRIPT)
    boards = script['of_the_contract']()
    assert len(boards) == 10
    for name, frames in boards.items():
        seen = {}
        for frame in frames:
            assert frame.slots, name
            for number, letters, at in frame.passes:
                assert len(set(letters)) == len(letters), f'{name}: visited twice'
                assert at == '' or (at in frame.slots and letters.endswith(at)), f'{name}: {frame.words}'
                before = seen.get(number, '')
                assert letters.startswith(before) or len(letters) < len(before), f'{name}: {frame.words}'
                seen[number] = letters
        for letters in (letters for _, letters, at in frames[-1].passes if not at and name != 'rule-3'):
            assert set(frames[-1].slots) - {'.', 'x'} - set(letters) <= set('EF' if name == 'rule-6' else ''), f'{name}: skipped'


def test_the_trap_of_the_readme():
    """The hand-written loop skips an element; the generated one does not."""
    script = runpy.run_path(SCRIPT)
    frames = script['of_the_contract']()['readme']
    loop, generated = frames[2], frames[-1]
    assert set('ABCDEF') - set(loop.passes[0][1]) == {'F'} and 'F' in loop.slots and loop.note == 'F is skipped'
    assert set(generated.passes[0][1]) == set('ABCDEF') and 'A' not in generated.slots


def test_the_pictures_are_sound():
    for name in glob.glob('**/*.svg', root_dir=FOLDER, recursive=True):
        root = xml.etree.ElementTree.fromstring(text_of('docs', 'pictures', name))
        width, height = (float(root.get(side)) for side in ('width', 'height'))
        assert width <= 800 and height <= 450
        assert 'prefers-color-scheme: dark' in text_of('docs', 'pictures', name)
        for text in root.iter('{http://www.w3.org/2000/svg}text'):
            if text.get('class') is None:  # words end before the slots begin; 7.4 units for a letter is much
                assert 8 + 7.4 * len(text.text) < 300 and 0 < float(text.get('y')) < height, text.text
