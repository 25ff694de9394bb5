"""tests/regression/README.md: every bug has its place in the table, and every function it names is there and runs."""

import os
import re

from conftest import ROOT

FOLDER = os.path.join(ROOT, 'tests', 'regression')


def text_of(name):
    with open(os.path.join(FOLDER, name), encoding='utf-8') as file:
        return file.read()


def rows():
    """What stands in the first and in the last column of each row with numbers."""
    for line in text_of('README.md').splitlines():
        cells = [cell.strip() for cell in line.strip('|').split('|')]
        if line.startswith('|') and re.match(r'\d', cells[0]):
            yield [int(number) for number in re.findall(r'\d+', cells[0])], cells[-1]


def programs():
    """Their text; stories that are read once for each container belong to the program of their name."""
    found = {name: text_of(name) for name in sorted(os.listdir(FOLDER)) if name.endswith('.c')}
    for name in os.listdir(FOLDER):
        if name.endswith('_stories.h'):
            found[name.replace('_stories.h', '.c')] += re.sub(r'\bCALL\((\w+)\)', r'\1', text_of(name))
    return found


def functions(text):
    """Name -> the comment above it."""
    return {name: comment for comment, name in
            re.findall(r'(?:/\*((?:(?!\*/).)*)\*/\n)?static void ((?:bug|row)_\w+)\(void\)\n\{', text, re.DOTALL)}


def test_every_bug_has_its_row():
    numbers = {number for found, _ in rows() for number in found}
    assert numbers == set(range(1, 60))
    for found, words in rows():
        assert '`' in words or 'cannot occur' in words or 'not there yet' in words, found


def test_every_function_of_the_table_is_there():
    there = {name for text in programs().values() for name in functions(text)}
    for found, words in rows():
        for name in re.findall(r'`(bug_\w+)`', words):
            assert name in there, name


def test_every_function_is_in_the_table_has_its_story_and_runs():
    named = set(re.findall(r'`(bug_\w+)`', text_of('README.md')))
    for program, text in programs().items():
        found = functions(text)
        assert found, program
        main = text[text.index('int main(void)'):] + text.partition('static void stories(void)')[2]
        for name, story in found.items():
            assert f'    {name}();' in main, (program, name)
            if name.startswith('bug_'):
                assert name in named, (program, name)
                assert len(story.split()) > 3, (program, name)


def test_every_program_is_built():
    """And everywhere.c for every container of specs/."""
    build = text_of('CMakeLists.txt')
    for program in programs():
        assert re.search(rf'\b{program[:-2]}\b', build), program
    specs = re.search(r'^set\(subjects ([^)]*)\)', build, re.MULTILINE).group(1).split()
    listed = [(spec, container) for spec, containers in re.findall(r'^set\(subjects_(\w+) ([^)]*)\)', build, re.MULTILINE)
              for container in containers.split()]
    assert sorted(specs) == sorted({spec for spec, _ in listed})
    subjects = set(listed)
    assert len(subjects) == len(listed), 'a program is built twice'
    assert {container for _, container in subjects} == set(re.findall(r'defined\(SUBJECT_(\w+)\)', text_of('subjects.h')))
    folder = os.path.join(ROOT, 'specs')
    for name in sorted(os.listdir(folder)):
        if name.endswith('.yaml'):
            with open(os.path.join(folder, name), encoding='utf-8') as file:
                for container in re.findall(r'^  (\w+):', file.read().split('containers:')[1], re.MULTILINE):
                    if container in ('times', 'history', 'loaded', 'orders'):  # numbers cannot be told apart; what overwrites drops what contract.c adds; and one does not grow
                        continue
                    assert (name[:-5], container) in subjects, f'{name}: {container} is in no regression program'
