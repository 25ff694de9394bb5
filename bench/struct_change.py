#!/usr/bin/env python3
"""What a change of a struct costs in a build with many containers: files generated, sources compiled, seconds.

    bench/struct_change.py [--containers 100] [--structs 12] [--generators Ninja,Make] [--types none,locks] [-j 2]

Makes a project in a temporary folder: so many structs, each in a header of its own; containers of several kinds over them, once
with a spec for each and once with ten in a spec; and for each struct two sources that use its lists. It is built by CMake; then
one thing at a time is changed, and built. With `locks`, the types were imported from their headers before, and each build
compares them; one kind of container then has a column for each member of the struct. The table says of each build

    specs       how many specs the generator was run for
    written     how many generated files have another content now
    compiled    how many sources, of the lists and of their users
    seconds     the whole build; the least of --repeat
    processor   seconds of all processors, which other work on the machine changes less
"""

import argparse
import itertools
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GENERATORS = {'Ninja': 'Ninja', 'Make': 'Unix Makefiles'}

# The kinds of containers, by turns.
KINDS = (
    'ordering: unordered, removal: swap',
    'ordering: insertion, removal: compact',
    'removal: {policy: tombstone, expired: element->hp <= 0}',
    'ordering: unordered, removal: reuse, handles: generational',
    'ordering: sorted, sort: {key: element->id}, removal: shift',
    'duplicates: reject, identity: {key: element->id}, index: hash, ordering: unordered, removal: swap',
    'ordering: unordered, removal: swap, capacity: {inline: true, max: 64}',
    'removal: {policy: prune, expired: element->hp <= 0}',
    'ordering: unordered, storage: chunked, addresses: stable',
    'removal: {when: deferred}',
)
# What depends on the members of the struct: only with what its header was found to say.
BY_MEMBERS = 'layout: soa, ordering: unordered, removal: swap'
MEMBERS = '    uint32_t id;\n    float x, y;\n    int hp;\n'


def run(*command, cwd=None):
    environment = {name: value for name, value in os.environ.items() if name not in ('MAKEFLAGS', 'PYTHONDONTWRITEBYTECODE')}
    done = subprocess.run(command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding='utf-8')
    if done.returncode:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Project:
    """The sources, and a build of them."""

    def __init__(self, folder, options, each, types):
        self.source, self.binary = os.path.join(folder, 'source'), os.path.join(folder, 'build')
        self.options = options
        for number in range(options.structs):
            self.write_struct(number)
        numbers = list(range(options.containers))
        specs, users = [], {}
        for start in range(0, options.containers, each):
            name = f'lists_{start:03}'
            text = 'bespoke: 1\ncontainers:\n'
            for number in numbers[start:start + each]:
                struct = number % options.structs
                kind = KINDS[number % len(KINDS)]
                if types == 'locks' and number % len(KINDS) == 0:
                    kind = BY_MEMBERS
                text += f'  list_{number:03}: {{element: {{type: struct s{struct}, header: s{struct}.h}}, {kind}}}\n'
                users.setdefault(struct, []).append((number, name))
            self.write(f'specs/{name}.yaml', text)
            specs.append(f'specs/{name}.yaml')
        sources = []
        for struct, lists in sorted(users.items()):
            for copy in 'ab':
                text = ''.join(f'#include "{name}.h"\n' for name in dict.fromkeys(name for _, name in lists))
                text += f'size_t use_{struct}{copy}(void);\nsize_t use_{struct}{copy}(void)\n{{\n    size_t sum = 0;\n'
                for number, _ in lists:
                    text += f'    list_{number:03} l{number} = {{0}};\n    sum += list_{number:03}_count(&l{number});\n'
                self.write(f'user_{struct}{copy}.c', text + '    return sum;\n}\n')
                sources.append(f'user_{struct}{copy}.c')
        self.write('main.c', 'int main(void) { return 0; }\n')
        self.write('CMakeLists.txt', f'''cmake_minimum_required(VERSION 3.21)
project(many C)
add_subdirectory("{ROOT}" bespoke EXCLUDE_FROM_ALL)
add_library(types INTERFACE)
target_include_directories(types INTERFACE types)
bespoke_add_containers(lists TYPES_FROM types SPECS {' '.join(specs)})
add_executable(many main.c {' '.join(sources)})
target_link_libraries(many PRIVATE lists)
''')
        self.specs = len(specs)
        if types == 'locks':
            run(sys.executable, os.path.join(ROOT, 'bespoke'), 'type', 'import', '-q', '-Itypes', *specs, cwd=self.source)

    def write(self, name, text):
        path = os.path.join(self.source, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)

    def write_struct(self, number, more='', beside='', comment=''):
        """The header of one struct; with another member, with another struct beside it, with a comment."""
        self.write(f'types/s{number}.h', f'#ifndef S{number}_H\n#define S{number}_H\n{comment}#include <stdint.h>\n'
                                         f'{beside}struct s{number} {{\n{MEMBERS}{more}}};\n#endif\n')

    def generated(self):
        """Times of the generated files."""
        folder = os.path.join(self.binary, 'bespoke', 'lists')
        return {name: os.stat(os.path.join(folder, name)).st_mtime_ns for name in os.listdir(folder)}

    def configure(self, generator):
        shutil.rmtree(self.binary, ignore_errors=True)
        start = time.perf_counter()
        run('cmake', '-G', generator, '-S', self.source, '-B', self.binary, '-DCMAKE_BUILD_TYPE=Debug',
            f'-DBESPOKE_PYTHON={sys.executable}', '-DBESPOKE_BUILD_TESTS=OFF')
        os.makedirs(os.path.join(self.binary, 'bespoke', 'lists'), exist_ok=True)
        return time.perf_counter() - start

    def build(self):
        """Specs, written, compiled, seconds, and those of the processors."""
        before = self.generated()
        start, worked = time.perf_counter(), processor_seconds()
        said = run('cmake', '--build', self.binary, '-j', str(self.options.jobs))
        seconds = time.perf_counter() - start
        written = sum(before.get(name) != stamp for name, stamp in self.generated().items())
        return (len(re.findall(r'Generating containers from', said)), written, len(re.findall(r'Building C object', said)),
                seconds, processor_seconds() - worked)


def steps(project):
    """What is changed, in this order; each with a function that takes how often it was called."""
    def touch(turn):
        os.utime(os.path.join(project.source, 'types', 's0.h'))
    yield 'nothing changed', lambda turn: None
    yield 'header touched', touch
    yield 'comment in the header', lambda turn: project.write_struct(0, comment=f'/* {turn} */\n')
    yield 'another struct in the header', lambda turn: project.write_struct(0, beside=f'struct t {{ int a[{turn + 1}]; }};\n')
    yield 'member added to the struct', lambda turn: project.write_struct(0, more=f'    int more_{turn};\n')


def measure(options):
    """The rows of the table, each as soon as there is one."""
    for each, types, generator in itertools.product(options.each, options.types, options.generators):
        with tempfile.TemporaryDirectory() as folder:
            project = Project(folder, options, each, types)
            title = f'{project.specs} x {each} | {types} | {generator}'
            project.configure(GENERATORS[generator])
            yield (title, 'everything', *project.build())
            project.build()
            for what, change in steps(project):
                found = []
                for turn in range(options.repeat):
                    change(turn)
                    found.append(project.build())
                yield (title, what, *min(found, key=lambda row: row[3]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--containers', type=int, default=100)
    parser.add_argument('--structs', type=int, default=12)
    parser.add_argument('--each', type=lambda text: [int(word) for word in text.split(',')], default=[1, 10],
                        help='containers in a spec (default: 1,10)')
    parser.add_argument('--types', type=lambda text: text.split(','), default=['none', 'locks'])
    parser.add_argument('--generators', type=lambda text: text.split(','), default=list(GENERATORS))
    parser.add_argument('--repeat', type=int, default=3)
    parser.add_argument('-j', dest='jobs', type=int, default=2)
    options = parser.parse_args()
    print(f'{options.containers} containers over {options.structs} structs, {2 * options.structs} sources that use them, '
          f'{options.jobs} jobs, {os.cpu_count()} processors\n')
    print('| specs x containers in each | types | build | change | specs | written | compiled | seconds | processor |\n'
          '|---|---|---|---|---:|---:|---:|---:|---:|')
    for title, what, specs, written, compiled, seconds, worked in measure(options):
        print(f'| {title} | {what} | {specs} | {written} | {compiled} | {seconds:.2f} | {worked:.2f} |', flush=True)


if __name__ == '__main__':
    main()
