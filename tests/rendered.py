"""Specs as the texts that they emit, and lists of what is known: for tests/mutants and tests/coverage."""

import dataclasses
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
    """The text with the container called T, as in the documentation; as it is if there is none."""
    return text if name == '' else re.sub(rf'\b{name.upper()}(?=_|\b)', 'TT', re.sub(rf'\b{name}(?=_|\b)', 'T', text))


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


class Emitted:
    """What all presets emit, as checked in, and `beside` of the containers of tests/specs: functions and macros as documented.
    A function of a layer is one of its container, too."""

    def __init__(self, beside=()):
        self._functions = {}  # by the name without its container's, and by container
        self._macros = {}     # by container, or '' in bespoke.h, and name
        renderer = Renderer()
        for path in glob.glob(os.path.join(ROOT, 'specs', '*.yaml')):
            spec = loaded(path)
            for emitted in glob.glob(os.path.join(ROOT, 'generated', spec.stem + '.[ch]')):
                with open(emitted, encoding='utf-8') as file:
                    self._note(file.read(), spec.containers)
        with open(os.path.join(ROOT, 'generated', 'bespoke.h'), encoding='utf-8') as file:
            self._note(file.read(), [])
        for path in glob.glob(os.path.join(ROOT, 'tests', 'specs', '*.yaml')) if beside else ():
            spec = loaded(path)
            chosen = [container for container in spec.containers if container.name in beside]
            for text in renderer.files(dataclasses.replace(spec, containers=chosen, memberships=[]), 'tests').values() if chosen else ():
                self._note(text, chosen)

    def _note(self, text, containers):
        names = [each.full_name for container in containers for each in with_its_layer(container)] or ['']  # of bespoke.h
        functions = re.findall(r'^[A-Za-z_][^\n;=]*?\b(\w+)\([^;{}]*?\)(?: \{ (.*) \}$|\n\{\n((?:.*\n)*?)\}$)', text, re.M)
        macros = re.findall(r'^#define (\w+)\(.*?\)((?:.*\\\n)*.*)$', text, re.M)
        for name in names:
            for function, line, body in functions:
                if name and function.startswith(name + '_'):
                    of = self._functions.setdefault(function[len(name) + 1:], {})
                    of[name] = of.get(name, '') + as_documented(name, line or body)
            for macro, body in macros:
                known = name, as_documented(name, macro)
                self._macros[known] = self._macros.get(known, '') + as_documented(name, body.replace('\\\n', ''))

    def bodies(self, function, container=None):
        """Those of a function of any container, or of one."""
        return [without_space(body) for name, body in self._functions.get(function, {}).items() if container in (None, name)]

    def unfolded(self, function, container=None):
        """The same, with the macros that they call behind them, and those that these call."""
        return [without_space(body + self._behind(name, body)) for name, body in self._functions.get(function, {}).items() if container in (None, name)]

    def _behind(self, container, text):
        found, texts = {}, [text]
        while texts:
            for macro in re.findall(r'\b[A-Z]\w+(?=\()', texts.pop()):
                body = self._macros.get((container, macro), self._macros.get(('', macro)))
                if macro not in found and body is not None:
                    found[macro] = body
                    texts.append(body)
        return ''.join(found.values())


def without_space(text):
    return ''.join(text.split())
