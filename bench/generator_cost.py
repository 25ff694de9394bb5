#!/usr/bin/env python3
"""How long a build waits for the generator.

    bench/generator_cost.py [--specs 1000] [--containers 200] [--rounds 15] [--only REGEX] [--json FILE]

A row of the JSON file: {"what", "unit", "value"}, often with "base", what it is compared with, "ratio" to it, and "most", the bound of the ratio, or else of the value.

    start            from the launcher to where work begins: `bespoke list` has parsed its arguments and loaded the presets. Seconds; base:
                     `python3 -c "import jinja2, yaml"` with the same Python, by turns; the medians of the rounds
    one spec         `generate` of one spec that was generated before, and so nothing is written. The same base
    Of all that is timed, "processor" has the seconds of all processors, which other work on the machine changes less; the ratios are of these.

    specs            so many specs, each with a container of its own, in one call into an empty folder; seconds. The kinds, the names
                     and the types of the elements differ. The least of two
    specs again      the same call once more: nothing has changed
    presets          as many specs, made of the presets in specs/ by turns: 1.7 containers in each. Once
    build            a build with CMake of 200 containers, each in a spec of its own, and 20 sources that use ten of them each, after one spec
                     has changed: specs generated, and sources compiled. base: what must be, one and two
"""

import argparse
import glob
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from rows import ROOT, save  # noqa: E402

BESPOKE = os.path.join(ROOT, 'bespoke')
START, SPECS, SECONDS = 1.3, 1000, 8.0

KINDS = (
    'ordering: unordered, removal: swap',
    'ordering: insertion, removal: compact',
    'preset: shift_list',
    'removal: {policy: tombstone, expired: element->hp <= 0}',
    'ordering: unordered, removal: reuse, handles: generational',
    'ordering: sorted, sort: {key: element->id}, removal: shift',
    'duplicates: reject, identity: {key: element->id}, index: hash, ordering: unordered, removal: swap',
    'ordering: unordered, storage: chunked, addresses: stable',
    'removal: {policy: prune, expired: element->hp <= 0}',
    'removal: {when: deferred}',
)
WORDS = 'ship crew fleet shot spark enemy target sound tile door light body joint beam mine trail wave timer event quest'.split()


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(*command, cwd=None):
    """Runs it with caches of byte code and of templates, as users do; the seconds it took, those of the processors, what it said."""
    environment = {name: value for name, value in os.environ.items() if name not in ('MAKEFLAGS', 'PYTHONDONTWRITEBYTECODE')}
    start, worked = time.perf_counter(), processor_seconds()
    done = subprocess.run(command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding='utf-8')
    took = time.perf_counter() - start
    if done.returncode:
        sys.exit(f"{' '.join(command[:8])}\nended with {done.returncode}:\n{done.stdout[-3000:]}")
    return took, processor_seconds() - worked, done.stdout


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def write_specs(folder, count):
    """So many specs over twenty structs; their paths."""
    header = '#include <stdint.h>\n'
    for word in WORDS:
        header += f'struct {word} {{\n    uint32_t id;\n    int hp;\n    float x, y;\n}};\n'
    write(os.path.join(folder, 'types.h'), '#ifndef TYPES_H\n#define TYPES_H\n' + header + '#endif\n')
    paths = []
    for number in range(count):
        struct = WORDS[number * 7 % len(WORDS)]
        name = f'{WORDS[number % len(WORDS)]}_{struct}s_{number}'
        path = os.path.join(folder, f'{name}.yaml')
        write(path, f'bespoke: 1\ncontainers:\n  {name}:\n    element: {{type: struct {struct}, header: types.h}}\n'
                    + ''.join(f'    {line}\n' for line in re.split(r', (?=\w+:(?![^{]*\}))', KINDS[number % len(KINDS)])))
        paths.append(path)
    return paths


def write_presets(folder, count):
    """So many specs with the containers of specs/."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(ROOT, 'specs', 'game.h'), encoding='utf-8') as file:
        text = file.read()
    owners = re.findall(r'^struct (\w+);$', text, re.MULTILINE)  # containers, which have a prefix here
    write(os.path.join(folder, 'game.h'), re.sub(rf"struct ({'|'.join(owners)}) \*", 'void *', text))
    sources = sorted(glob.glob(os.path.join(ROOT, 'specs', '*.yaml')))
    paths = []
    for number in range(count):
        source = sources[number % len(sources)]
        with open(source, encoding='utf-8') as file:
            text = file.read()
        path = os.path.join(folder, f"{os.path.basename(source)[:-len('.yaml')]}_{number}.yaml")
        write(path, text.replace('\ncontainers:\n', f'\ndefaults: {{emit: {{prefix: p{number}_}}}}\ncontainers:\n', 1))
        paths.append(path)
    return paths


def starting(options, folder):
    """What a call costs before it does anything, and with nothing to do."""
    spec = write_specs(folder, 1)[0]
    commands = {
        'base': (sys.executable, '-c', 'import jinja2, yaml'),
        'start': (sys.executable, BESPOKE, 'list', '-q'),
        'one spec': (sys.executable, BESPOKE, 'generate', '-q', spec, '-o', os.path.join(folder, 'out')),
    }
    took = {name: [] for name in commands}
    for turn in range(options.rounds + 1):
        for name, command in commands.items():
            seconds, processor, _ = run(*command)
            if turn:  # the first fills the caches
                took[name].append((seconds, processor))

    def median(name, which):
        return statistics.median(pair[which] for pair in took[name])
    for name, most in (('start', START), ('one spec', None)):
        row = {'what': name, 'unit': 's', 'value': median(name, 0), 'processor': median(name, 1), 'base': median('base', 0),
               'ratio': median(name, 1) / median('base', 1)}
        yield {**row, 'most': most} if most else row


def many(options, folder):
    paths = write_specs(os.path.join(folder, 'many'), options.specs)
    out = os.path.join(folder, 'many_out')
    command = (sys.executable, BESPOKE, 'generate', '-q', *paths, '-o', out)
    best = None
    for _ in range(2):
        shutil.rmtree(out, ignore_errors=True)
        took = run(*command)[:2]
        best = took if best is None else min(best, took)
    bound = {'most': SECONDS} if options.specs == SPECS else {}
    yield {'what': 'specs', 'number': options.specs, 'unit': 's', 'value': best[0], 'processor': best[1], **bound}
    seconds, processor, _ = run(*command)
    yield {'what': 'specs again', 'number': options.specs, 'unit': 's', 'value': seconds, 'processor': processor}


def presets(options, folder):
    paths = write_presets(os.path.join(folder, 'presets'), options.specs)
    seconds, processor, _ = run(sys.executable, BESPOKE, 'generate', '-q', *paths, '-o', os.path.join(folder, 'presets_out'))
    yield {'what': 'presets', 'number': options.specs, 'unit': 's', 'value': seconds, 'processor': processor}


def build(options, folder):
    """A build after one spec has changed: how often the generator ran, and what was compiled."""
    source, binary = os.path.join(folder, 'source'), os.path.join(folder, 'build')
    paths = write_specs(os.path.join(source, 'specs'), options.containers)
    sources = max(2, options.containers // 10)
    names = [os.path.basename(path)[:-len('.yaml')] for path in paths]
    each = options.containers // sources
    for user in range(sources):
        lists = names[user * each:(user + 1) * each]
        text = ''.join(f'#include "{name}.h"\n' for name in lists) + f'size_t use_{user}(void);\nsize_t use_{user}(void)\n{{\n    size_t sum = 0;\n'
        text += ''.join(f'    {name} l_{name} = {{0}};\n    sum += {name}_count(&l_{name});\n' for name in lists)
        write(os.path.join(source, f'user_{user}.c'), text + '    return sum;\n}\n')
    write(os.path.join(source, 'main.c'), 'int main(void)\n{\n    return 0;\n}\n')
    specs = ' '.join(f'specs/{name}.yaml' for name in names)
    users = ' '.join(f'user_{user}.c' for user in range(sources))
    write(os.path.join(source, 'CMakeLists.txt'), f'''cmake_minimum_required(VERSION 3.21)
project(many C)
add_subdirectory("{ROOT}" bespoke EXCLUDE_FROM_ALL)
bespoke_add_containers(lists SPECS {specs})
add_executable(many main.c {users})
target_link_libraries(many PRIVATE lists)
''')
    run('cmake', '-G', 'Ninja', '-S', source, '-B', binary, f'-DBESPOKE_PYTHON={sys.executable}', '-DBESPOKE_BUILD_TESTS=OFF',
        '-DCMAKE_C_FLAGS=-O0')
    run('cmake', '--build', binary, '-j', '2')
    with open(paths[0], encoding='utf-8') as file:
        text = file.read()
    assert KINDS[0].partition(', ')[0] in text
    write(paths[0], text + '    capacity: {initial: 8}\n')
    seconds, processor, said = run('cmake', '--build', binary, '-j', '2')
    generated, compiled = len(re.findall(r'Generating containers from', said)), len(re.findall(r'Building C object', said))
    yield {'what': 'build: generated', 'unit': 'specs', 'value': generated, 'base': 1, 'ratio': float(generated), 'most': 1.0}
    yield {'what': 'build: compiled', 'unit': 'sources', 'value': compiled, 'base': 2, 'ratio': compiled / 2, 'most': 1.0}
    yield {'what': 'build: time', 'unit': 's', 'value': seconds, 'processor': processor}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('--specs', type=int, default=SPECS)
    parser.add_argument('--containers', type=int, default=200)
    parser.add_argument('--rounds', type=int, default=15)
    parser.add_argument('--only', default='', help='of starting, many, presets, build, those that match')
    parser.add_argument('--json', help='where the rows go')
    options = parser.parse_args()
    rows = []
    print('| what | value | processor | of base | bound |\n|---|---:|---:|---:|---:|')
    for part in (starting, many, presets, build):
        if not re.search(options.only, part.__name__):
            continue
        with tempfile.TemporaryDirectory() as folder:
            for row in part(options, folder):
                rows.append(row)
                ratio = f"{row['ratio']:.2f}" if 'ratio' in row else ''
                processor = f"{row['processor']:.3g} s" if 'processor' in row else ''
                print(f"| {row['what']} | {row['value']:.3g} {row['unit']} | {processor} | {ratio} | {row.get('most', '')} |", flush=True)
    if options.json:
        save(options.json, 'generator', rows)
    sys.exit(any(row.get('ratio', row['value']) > row['most'] for row in rows if 'most' in row))


if __name__ == '__main__':
    main()
