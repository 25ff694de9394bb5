"""Specs as the texts that they emit, and lists of what is known: for tests/mutants and tests/coverage."""

import glob
import os
import re
import shutil
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)

from generator.containers.load import load_spec  # noqa: E402
from generator.emitted.render import Renderer  # noqa: E402
from generator.text.diag import Diagnostics  # noqa: E402


class Files:
    """What a spec emits, and the headers that it needs."""

    def __init__(self, stem, texts, headers):
        self.stem, self.texts, self.headers = stem, texts, headers

    @classmethod
    def of(cls, spec, path):
        return cls(spec.stem, Renderer().files(spec, 'tests', True), glob.glob(os.path.join(os.path.dirname(os.path.abspath(path)), '*.h')))

    def written(self, folder):
        for header in self.headers:
            shutil.copy(header, folder)
        for name, text in self.texts.items():
            with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
                file.write(text)

    def includes(self):
        """Does the test include what is emitted, and no copy of its own?"""
        return any(f'#include "{name}"' in self.texts[self.stem + '_test.c'] for name in (self.stem + '.c', self.stem + '.h'))


def loaded(path):
    """The spec; ends the program if it has errors."""
    problems = Diagnostics()
    spec = load_spec(path, problems)
    if spec is None:
        sys.exit(f'{path}: ' + '; '.join(problem.message for problem in problems))
    return spec


def with_its_layer(container):
    return [each for each in (container, container.layer) if each is not None]


def as_documented(name, text):
    """The text with the container called T, as in the documentation."""
    return re.sub(rf'\b{name.upper()}(?=_|\b)', 'TT', re.sub(rf'\b{name}(?=_|\b)', 'T', text))


def reasons(path):
    """What a list explains: a reason, and below it, indented, what it is the reason for; some of one container only."""
    found, reason = {}, ''
    with open(path, encoding='utf-8') as file:
        for line in file.read().splitlines():
            if line.startswith('    '):
                found[line.strip()] = reason
            elif line and not line.startswith('#'):
                reason = line
    return found


def is_explained(reasons, container, known):
    return known in reasons or f'{container} {known}' in reasons
