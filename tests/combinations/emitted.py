"""What a change of the generator does to everything that is emitted.

    emitted.py record FOLDER [--sample N] [--specs N]   writes specs into FOLDER, and what the generator makes of them now
    emitted.py compare FOLDER [--show N]                generates the same specs again and says what differs: code, comments, or both

The specs are those of the repository and a fixed sample of the combinations of the policy axes in which every pair of
values occurs, with naming styles, one file or two, chosen operations, tests and debugger views. Texts are compared in the
normal form of seals, before they are formatted. The folder keeps the specs, so it can be compared with any later commit.
Exit code of compare: 0 nothing differs, 1 something does.
"""

import argparse
import difflib
import glob
import gzip
import json
import os
import random
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, ROOT)
sys.path.insert(0, HERE)

import run  # noqa: E402

from generator.containers.load import load_spec  # noqa: E402
from generator.containers.names import operation_names  # noqa: E402
from generator.emitted.render import Renderer  # noqa: E402
from generator.language import combinations  # noqa: E402
from generator.output import parallel  # noqa: E402
from generator.text import tokens  # noqa: E402
from generator.text.diag import Diagnostics  # noqa: E402
from generator.text.filekinds import kind_of  # noqa: E402
from generator.text.printing import render  # noqa: E402

SPECS = ('specs', 'tests/specs', 'tests/loops', 'tests/debuggers', 'bench/specs', 'examples')
PER_FILE = 8
# How one batch after another is emitted; with 'choose', each container has some of its operations only.
STYLES = (
    ('', False),
    (run.EMISSIONS[1], False),
    ('defaults:\n  emit: {files: single}\n', False),
    (run.EMISSIONS[2], False),
    ('', True),
    (run.EMISSIONS[1], True),
)


def load(path):
    diagnostics = Diagnostics()
    spec = load_spec(path, diagnostics)
    if spec is None:
        raise ValueError('\n'.join(render(item) for item in diagnostics.sorted()))
    return spec


def loads(path):
    return load_spec(path, Diagnostics()) is not None


def with_choices(path):
    """Gives each container of a spec a choice of its operations."""
    chooser = random.Random(path[-12:])
    known = {container.name: operation_names(container) for container in load(path).containers}
    with open(path) as file:
        lines = file.read().splitlines()
    for at, line in enumerate(lines):
        name = re.match(r'  (\w+): \{', line)
        if name and name[1] in known and 'operations: [' not in line:  # some choose already
            chosen = sorted(chooser.sample(known[name[1]], chooser.randint(1, 8)))
            choice = 'operations: [%s]' % ', '.join(chosen)
            lines[at] = (line.replace(', emit: {', ', emit: {%s, ' % choice) if ', emit: {' in line
                         else line[:-1] + ', emit: {%s}}' % choice)
    with open(path, 'w') as file:
        file.write('\n'.join(lines) + '\n')


def specs_of_the_repository(most):
    """Their paths; of more than `most` every so manieth."""
    found = []
    for place in SPECS:
        for source in sorted(glob.glob(os.path.join(ROOT, place, '**', '*.yaml'), recursive=True)):
            with open(source) as file:
                if re.search(r'^containers:', file.read(), re.M):
                    found.append(source)
    return found[::-(-len(found) // most)] if most else found


def write_specs(folder, count, most):
    """Writes the specs; gives their paths below the folder."""
    paths = []
    for source in specs_of_the_repository(most):
        path = os.path.relpath(source, ROOT)
        if not os.path.exists(os.path.join(folder, path)):  # with headers, locks and includes
            shutil.copytree(os.path.dirname(source), os.path.join(folder, os.path.dirname(path)), dirs_exist_ok=True)
        if loads(os.path.join(folder, path)):  # some are only fit for the test that they are for
            paths.append(path)
    numbered = list(enumerate(run.dressed(run.sampled(run.listed.combinations(), count))))
    for number, at in enumerate(range(0, len(numbered), PER_FILE)):
        prefix, choose = STYLES[number % len(STYLES)]
        path = os.path.join('combinations', '%04d' % number, 'all.yaml')
        whole = os.path.join(folder, path)
        os.makedirs(os.path.dirname(whole))
        shutil.copy(os.path.join(HERE, 'thing.h'), os.path.dirname(whole))
        with open(whole, 'w') as file:
            file.write('bespoke: 1\n%scontainers:\n' % prefix)
            file.writelines(run.counted(run.container(one, 'c%d' % n), prefix) + '\n' for n, one in numbered[at:at + PER_FILE])
        if choose:
            with_choices(whole)
        paths.append(path)
    with open(os.path.join(folder, 'specs.json'), 'w') as file:
        json.dump(paths, file)


class Job:
    """Generates one spec: file name -> (code, comments) in lines."""

    def __init__(self, folder):
        self.folder = folder
        self.renderer = Renderer()

    def __call__(self, path):
        spec = load(os.path.join(self.folder, path))
        files = dict(self.renderer.files(spec, 'bespoke generate', tests=True))
        files.update(self.renderer.debuggers(spec))
        made = {}
        for name, text in files.items():
            if not kind_of(name).formatted:
                made[name] = (text, '')
                continue
            lines = tokens.normal_lines(text)
            comments = []

            def cut(match):
                literal = match.group()
                if not literal.startswith('/'):
                    return literal
                comments.append(literal)
                return ''
            code = [tokens.LITERAL.sub(cut, line) for line in lines]
            made[name] = ('\n'.join(line for line in code if line.strip()), '\n'.join(comments))
        return made


def generated(folder):
    with open(os.path.join(folder, 'specs.json')) as file:
        paths = json.load(file)
    yield from zip(paths, parallel.side_by_side(Job(folder), paths))


def stored(folder, path):
    return os.path.join(folder, 'made', path.replace(os.sep, '__') + '.json.gz')


def record(folder, count, most):
    if os.path.exists(folder):
        raise SystemExit('%s exists already' % folder)
    write_specs(folder, count, most)
    os.makedirs(os.path.join(folder, 'made'))
    number = 0
    for path, made in generated(folder):
        with gzip.open(stored(folder, path), 'wt', compresslevel=3) as file:
            json.dump(made, file)
        number += 1
    print('%d specs recorded' % number)


def compare(folder, show):
    differing, specs = {'code': [], 'comments': []}, 0
    for path, made in generated(folder):
        specs += 1
        with gzip.open(stored(folder, path), 'rt') as file:
            before = {name: tuple(value) for name, value in json.load(file).items()}
        for name in sorted(set(before) | set(made)):
            old, new = before.get(name, ('', '')), made.get(name, ('', ''))
            for at, kind in enumerate(('code', 'comments')):
                if old[at] == new[at]:
                    continue
                differing[kind].append('%s: %s' % (path, name))
                if len(differing[kind]) <= show:
                    diff = difflib.unified_diff(old[at].splitlines(), new[at].splitlines(), 'before/' + name, 'after/' + name,
                                                lineterm='', n=2)
                    print('%s: %s, %s' % (path, name, kind), *list(diff)[:60], sep='\n')
    for kind, names in differing.items():
        print('%s differs in %d files%s' % (kind, len(names), ''.join('\n  ' + name for name in names[:show])))
    print('%d specs compared' % specs)
    return 1 if any(differing.values()) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('what', choices=('record', 'compare'))
    parser.add_argument('folder')
    parser.add_argument('--sample', type=int, default=3000, help='combinations; more where pairs of values need them')
    parser.add_argument('--specs', type=int, default=0, metavar='N', help='at most so many specs of the repository')
    parser.add_argument('--show', type=int, default=3)
    options = parser.parse_args()
    if options.what == 'record':
        return record(options.folder, options.sample, options.specs)
    return compare(options.folder, options.show)


if __name__ == '__main__':
    sys.exit(main())
