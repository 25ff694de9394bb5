#!/usr/bin/env python3
"""What a container costs the compiler and the debugger: time for each further one, size of its code, lines to step through, and the
lines of errors that one wrong argument makes.

    bench/build_cost.py [--rounds 5] [--compilers gcc,clang] [--json FILE]

A typical container: a set of records with a key, from which any may be removed, which is walked. The peers keep the same, with
uthash, with an array and with a hash map of stb_ds, and, compiled as C++, with std::vector and std::unordered_map. A source with 1, 5 and 20 of them, each over
a struct of its own and with a function that adds, finds, removes and walks, is compiled by turns: all subjects and sizes once, and again,
in each round. The time is the processor's, of the compiler and what it calls; the least of the rounds counts, and the time of a
further container is the slope of the line through the three sizes. Bespoke's containers are compiled as they are emitted: a header and a source for each.
Each is there with the operations that its user calls (`emit.operations`) and for one loop at a time, which lets go of the element that it stands on:
that is what there is of the peers, and what they promise. `many loops`: these may be live side by side, and any element may leave meanwhile. `all`:
so, and with all operations.

A row of the JSON file: {"subject", "compiler", "level": "-O0 -g", "-O2" or "-Os", "what", "value"}, where `what` is

    milliseconds   for each further container (-O0 -g and -O2)
    base           milliseconds of a source with none, which includes what is needed
    text           bytes of code for each further container (-Os)
    steppable      distinct lines that a debugger can stop at, of one container and its user (-O0 -g)
    functions      of one container and its user, as many as are compiled (-O0 -g)
    errors         lines that the compiler prints when an int is added where an element belongs (-O0 -g)
"""

import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from rows import ROOT, save  # noqa: E402

SIZES = (1, 5, 20)
LIMIT = 10.0  # milliseconds for a further container at -O0 -g with gcc

ONE_LOOP = ', iteration: {cursors: one, removes: current}'
# What it is, what it promises less to be as its peers, and the operations that its user calls.
KINDS = {
    'bespoke hash': ('ordering: unordered, duplicates: reject, identity: {key: element->id}, index: hash, removal: swap', ONE_LOOP,
                     'find, add, remove_key, each'),
    'bespoke array': ('ordering: unordered, removal: swap', ONE_LOOP, 'add, each, remove_current'),
    'bespoke list': ('preset: shift_list', '', 'add, each, remove_current'),
}
SUBJECTS = {}
for _name, (_settings, _less, _used) in KINDS.items():
    _chosen = ', emit: {operations: [%s]}' % _used
    SUBJECTS[_name] = _settings + _less + _chosen
    if _less:
        SUBJECTS[_name + ', many loops'] = _settings + _chosen
    SUBJECTS[_name + ', all'] = _settings

TYPES = '''#ifndef TYPES_H
#define TYPES_H
#include <stdint.h>
%s
#endif
''' % '\n'.join(f'struct r{number} {{\n    uint32_t id;\n    float x[{number % 7 + 1}];\n}};' for number in range(max(SIZES)))


class Subject:
    """One way to have a container: what is before all of them, the text of number n with its user, one wrong call."""

    def __init__(self, name, head, one, wrong, cplusplus=False):
        self.name, self.head, self.one, self.wrong, self.cplusplus = name, head, one, wrong, cplusplus
        self.suffix = '.cc' if cplusplus else '.c'


UTHASH = '''
struct cell{n} {{
    struct r{n} element;
    UT_hash_handle hh;
}};
float use{n}(struct cell{n} **list, struct cell{n} *one, uint32_t gone);
float use{n}(struct cell{n} **list, struct cell{n} *one, uint32_t gone)
{{
    struct cell{n} *found;
    float sum = 0;
    HASH_FIND(hh, *list, &one->element.id, sizeof(uint32_t), found);
    if (found == NULL) {{
        HASH_ADD(hh, *list, element.id, sizeof(uint32_t), one);
    }}
    HASH_FIND(hh, *list, &gone, sizeof(uint32_t), found);
    if (found != NULL) {{
        HASH_DEL(*list, found);
    }}
    for (found = *list; found != NULL; found = (struct cell{n} *)found->hh.next) {{
        sum += found->element.x[0];
    }}
    return sum;
}}
'''
STB_MAP = '''
struct cell{n} {{
    uint32_t key;
    struct r{n} value;
}};
float use{n}(struct cell{n} **list, struct r{n} one, uint32_t gone);
float use{n}(struct cell{n} **list, struct r{n} one, uint32_t gone)
{{
    float sum = 0;
    if (hmgeti(*list, one.id) < 0) {{
        hmput(*list, one.id, one);
    }}
    (void)hmdel(*list, gone);
    for (ptrdiff_t at = 0; at < hmlen(*list); at++) {{
        sum += (*list)[at].value.x[0];
    }}
    return sum;
}}
'''
STB_ARRAY = '''
float use{n}(struct r{n} **list, struct r{n} one, uint32_t gone);
float use{n}(struct r{n} **list, struct r{n} one, uint32_t gone)
{{
    float sum = 0;
    arrput(*list, one);
    for (ptrdiff_t at = 0; at < arrlen(*list); at++) {{
        sum += (*list)[at].x[0];
        if ((*list)[at].id == gone) {{
            arrdelswap(*list, at);
            at--;
        }}
    }}
    return sum;
}}
'''
STD_VECTOR = '''
float use{n}(std::vector<r{n}> &list, r{n} one, uint32_t gone)
{{
    float sum = 0;
    list.push_back(one);
    for (size_t at = 0; at < list.size();) {{
        sum += list[at].x[0];
        if (list[at].id == gone) {{
            list[at] = list.back();
            list.pop_back();
        }} else {{
            at++;
        }}
    }}
    return sum;
}}
'''
STD_MAP = '''
float use{n}(std::unordered_map<uint32_t, r{n}> &list, r{n} one, uint32_t gone)
{{
    float sum = 0;
    list.emplace(one.id, one);
    list.erase(gone);
    for (const auto &pair : list) {{
        sum += pair.second.x[0];
    }}
    return sum;
}}
'''
BESPOKE_HASH = '''
float use{n}({name} *list, struct r{n} one, uint32_t gone);
float use{n}({name} *list, struct r{n} one, uint32_t gone)
{{
    float sum = 0;
    if ({name}_find(list, one.id) == NULL) {{
        (void){name}_add(list, one);
    }}
    {name}_remove_key(list, gone);
    {macro}_EACH(list, element) {{
        sum += element->x[0];
    }}
    return sum;
}}
'''
BESPOKE_ARRAY = '''
float use{n}({name} *list, struct r{n} one, uint32_t gone);
float use{n}({name} *list, struct r{n} one, uint32_t gone)
{{
    float sum = 0;
    (void){name}_add(list, one);
    {macro}_EACH(list, element) {{
        sum += element->x[0];
        if (element->id == gone) {{
            {name}_remove_current(&element_cursor);
        }}
    }}
    return sum;
}}
'''
PEERS = (
    Subject('uthash', '#include <uthash.h>\n', UTHASH, 'HASH_ADD(hh, list, element.id, sizeof(uint32_t), 42);'),
    Subject('stb_ds map', '#include <stb/stb_ds.h>\n', STB_MAP, 'hmput(list, 7u, 42);'),
    Subject('stb_ds array', '#include <stb/stb_ds.h>\n', STB_ARRAY, 'arrput(list, 42);'),
    Subject('std::unordered_map', '#include <unordered_map>\n', STD_MAP, 'list.emplace(7u, 42);', True),
    Subject('std::vector', '#include <vector>\n', STD_VECTOR, 'list.push_back(42);', True),
)
DECLARED = {'uthash': 'struct cell0 *list', 'stb_ds map': 'struct cell0 *list', 'stb_ds array': 'struct r0 *list',
            'std::unordered_map': 'std::unordered_map<uint32_t, r0> &list', 'std::vector': 'std::vector<r0> &list'}


def run(command, folder, check=True):
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding='utf-8')
    if check and done.returncode:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def write(folder, name, text):
    with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
        file.write(text)


def prepare(folder):
    """Writes the sources: subject -> size -> the files that are compiled for it. Size 0: what includes what is needed, and nothing else."""
    write(folder, 'types.h', TYPES)
    sources = {}
    for peer in PEERS:
        head = '#include "types.h"\n#include <stddef.h>\n' + peer.head
        stem = re.sub(r'\W', '_', peer.name)
        for size in (0,) + SIZES:
            write(folder, f'{stem}_{size}{peer.suffix}', head + ''.join(peer.one.format(n=n) for n in range(size)))
            sources.setdefault(peer.name, {})[size] = [f'{stem}_{size}{peer.suffix}']
        wrong = f'void wrong({DECLARED[peer.name]});\nvoid wrong({DECLARED[peer.name]})\n{{\n    {peer.wrong}\n}}\n'
        write(folder, f'{stem}_wrong{peer.suffix}', head + peer.one.format(n=0) + wrong)
        sources[peer.name]['wrong'] = f'{stem}_wrong{peer.suffix}'
    for kind, settings in SUBJECTS.items():
        stem = re.sub(r'\W+', '_', kind)
        user = BESPOKE_HASH if kind.startswith('bespoke hash') else BESPOKE_ARRAY
        for number in range(max(SIZES)):
            write(folder, f'{stem}{number}.yaml', f'bespoke: 1\ncontainers:\n  {stem}{number}: {{element: {{type: struct r{number}, '
                                                  f'header: types.h}}, {settings}}}\n')
        run([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', '-o', '.', '-I.',
             *(f'{stem}{number}.yaml' for number in range(max(SIZES)))], folder)
        sources[kind] = {}
        for size in (0,) + SIZES:
            lists = [f'{stem}{number}' for number in range(size)]
            text = '#include "types.h"\n' + ('' if lists else '#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n')
            text += ''.join(f'#include "{name}.h"\n' for name in lists)
            text += ''.join(f'#include "{name}.c"\n' for name in lists)
            text += ''.join(user.format(n=number, name=name, macro=name.upper()) for number, name in enumerate(lists))
            write(folder, f'{stem}_users{size}.c', text)
            sources[kind][size] = [f'{stem}_users{size}.c']
        wrong = f'#include "{stem}0.h"\nvoid wrong({stem}0 *list);\nvoid wrong({stem}0 *list)\n{{\n    (void){stem}0_add(list, 42);\n}}\n'
        write(folder, f'{stem}_wrong.c', wrong)
        sources[kind]['wrong'] = f'{stem}_wrong.c'
    return sources


def compiler_of(compiler, subject):
    if subject.startswith('std::'):
        return {'gcc': 'g++', 'clang': 'clang++'}[compiler]
    return compiler


def compile_(folder, compiler, subject, level, source, check=True):
    language = ['-std=c++17'] if subject.startswith('std::') else ['-std=gnu11']
    return run([compiler_of(compiler, subject), *language, *level.split(), '-w', '-DNDEBUG', '-c', source, '-o', 'out.o'], folder, check)


def text_bytes(folder):
    """The code in out.o."""
    said = run(['objdump', '-h', 'out.o'], folder).stdout
    return sum(int(size, 16) for size in re.findall(r'^ *\d+ \.text\S* +([0-9a-f]+)', said, re.MULTILINE))


def steppable(folder):
    """Distinct lines of any file in the line table of out.o."""
    said = run(['objdump', '--dwarf=decodedline', 'out.o'], folder).stdout
    return len(set(re.findall(r'^(\S+) +([1-9]\d*) +0x', said, re.MULTILINE)))


def slope(points):
    """Of the line through (x, y)."""
    middle_x, middle_y = (statistics.mean(values) for values in zip(*points))
    return sum((x - middle_x) * (y - middle_y) for x, y in points) / sum((x - middle_x) ** 2 for x, _ in points)


def measure(folder, compilers, rounds):
    sources = prepare(folder)
    best = {}
    for _ in range(rounds):
        for compiler in compilers:
            for level in ('-O0 -g', '-O2'):
                for subject, sizes in sources.items():
                    for size in (0,) + SIZES:
                        before = processor_seconds()
                        for source in sizes[size]:
                            compile_(folder, compiler, subject, level, source)
                        took = (processor_seconds() - before) * 1000
                        key = compiler, level, subject, size
                        best[key] = min(best.get(key, took), took)
    for compiler in compilers:
        for subject, sizes in sources.items():
            row = {'subject': subject, 'compiler': compiler}
            for level in ('-O0 -g', '-O2'):
                yield {**row, 'level': level, 'what': 'milliseconds',
                       'value': slope([(size, best[compiler, level, subject, size]) for size in SIZES])}
                yield {**row, 'level': level, 'what': 'base', 'value': best[compiler, level, subject, 0]}
            code = []
            for size in SIZES:
                compile_(folder, compiler, subject, '-Os', sizes[size][0])
                code.append((size, text_bytes(folder)))
            yield {**row, 'level': '-Os', 'what': 'text', 'value': slope(code)}
            compile_(folder, compiler, subject, '-O0 -g', sizes[1][0])
            yield {**row, 'level': '-O0 -g', 'what': 'steppable', 'value': steppable(folder)}
            said = run(['nm', '--defined-only', 'out.o'], folder).stdout
            yield {**row, 'level': '-O0 -g', 'what': 'functions', 'value': len(re.findall(r' [tTwW] ', said))}
            said = compile_(folder, compiler, subject, '-O0 -g', sizes['wrong'], check=False)
            yield {**row, 'level': '-O0 -g', 'what': 'errors', 'value': len(said.stderr.splitlines())}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--compilers', default='gcc,clang', type=lambda text: [name for name in text.split(',') if shutil.which(name)])
    parser.add_argument('--json', help='where the rows go')
    parser.add_argument('--keep', help='a folder for what is compiled; else one that is removed')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = os.path.abspath(options.keep or temporary)
        os.makedirs(folder, exist_ok=True)
        rows = list(measure(folder, options.compilers, options.rounds))
    columns = (('milliseconds', '-O0 -g'), ('base', '-O0 -g'), ('milliseconds', '-O2'), ('text', '-Os'), ('steppable', '-O0 -g'),
               ('functions', '-O0 -g'), ('errors', '-O0 -g'))
    print('| compiler | container | ' + ' | '.join(f'{what} {level}' for what, level in columns) + ' |\n|---|---|' + '---:|' * len(columns))
    for compiler in options.compilers:
        for subject in dict.fromkeys(row['subject'] for row in rows):
            cells = [next(row['value'] for row in rows if (row['compiler'], row['subject'], row['what'], row['level'])
                          == (compiler, subject, what, level)) for what, level in columns]
            print(f'| {compiler} | {subject} | ' + ' | '.join(f'{value:.1f}' if isinstance(value, float) else str(value)
                                                              for value in cells) + ' |')
    if options.json:
        save(options.json, 'build_cost', rows)
    for row in rows:
        if row['compiler'] == 'gcc' and row['subject'] in KINDS and (row['what'], row['level']) == ('milliseconds', '-O0 -g') \
                and row['value'] > LIMIT:
            print(f"{row['subject']}: {row['value']:.1f} ms for a further container, more than {LIMIT:g}", file=sys.stderr)


if __name__ == '__main__':
    main()
