#!/usr/bin/env python3
"""The bytes that each preset takes for an element, measured under the allocator, beside peers that keep the same contract.

    bench/memory.py [--only REGEX] [--json FILE] [--keep FOLDER]

Counted is all that malloc has handed out for the container, with the word that it keeps for itself, and what the container
wants in an element that lies elsewhere (a place, links). `pointer` elements lie elsewhere themselves: what they take is not counted.
The states: `full`, n elements were added one by one; `half`, every other one has left since; `shrunk`, and memory was given
back; without that row where there is no call for it. The bytes are those for each element that is in.

A row of the JSON file: {"contract", "element": "16", "64" or "pointer", "subject": the preset or the peer, "ours": bool, "n": a
number, or "mean", "state", "bytes"}. `mean` is the mean over numbers from 1024 to 2048 in equal ratios: a growing array is
anything between full and half empty, and which one it is at a given number is chance. `mean` is compared, but for a pool of a
fixed size, which is as full as it was made for. A row of a preset at `mean` has "best": the best peer of the contract, and "ratio" to it.
Containers whose contract nobody else keeps have the nearest there is; `NEAREST` says what that lacks.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from generator.language.presets import PRESETS  # noqa: E402
from rows import ROOT, save  # noqa: E402

HERE = os.path.join(ROOT, 'bench', 'memory')
NUMBERS = (1000, 100000, 131072)
SWEEP = tuple(round(1024 * 2 ** (step / 16)) for step in range(1, 17))
STATES = ('full', 'half', 'shrunk')
TOLERANCE = 1.02  # a bit for a slot is 1/8 byte, which is 0.8 % of 16

# The contract of each preset, as peers.cc calls it; `embedded` and `timer_heap` have no memory of their own, and `id_set` no
# elements in memory.
CONTRACTS = {
    'read_write_collection': 'array', 'entity_list': 'array', 'shift_list': 'array', 'backward_list': 'array', 'array_list': 'array', 'ring': 'array', 'timer_queue': 'keyed', 'lru_cache': 'keyed',
    'back_copying_list': 'array', 'entity_layers': 'array', 'sorted_list': 'sorted', 'draw_list': 'sorted',
    'deletable_object_list': 'list', 'linked_list': 'list', 'pruning_linked_list': 'list', 'mutable_linked_list': 'list',
    'item_pool': 'stable', 'colony': 'stable', 'slot_array': 'keyed', 'slot_map': 'keyed', 'sparse_set': 'keyed',
    'locking_list': 'ordered set', 'constant_time_array': 'set', 'hashed_array': 'set', 'flagged_array': 'pointers',
    'doubly_linked_list': 'links', 'scene_tree': 'tree', 'id_pool': 'keyed', 'id_table': 'keyed',
}
NEAREST = {
    'item_pool': 'no peer of `stable` has handles',
    'slot_array': 'peers find an element by a number that the caller chooses, and take a stale one for a new one',
    'slot_map': 'peers find an element by a number that the caller chooses, and take a stale one for a new one',
    'doubly_linked_list': 'no peer knows which list an element is in, which takes a pointer',
}
# What lies in an element that is elsewhere.
IN_ELEMENT = {'constant_time_array': 4, 'doubly_linked_list': 3 * 8}
# What the presets need, in the elements of elements.h.
NEEDS = {
    'removal.expired': 'removal: {expired: element->gone}', 'index.field': 'index: {field: place}',
    'sort.key': 'sort: {key: element->id}', 'identity.key': 'identity: {key: element->id}',
    'layers.names': 'layers: {names: [first]}', 'element.link.next': '',
}
LINKS = ', link: {next: next, prev: prev, owner: owner}'


class Subject:
    """A preset with an element, as a container."""

    def __init__(self, preset, element, pool=0):
        self.preset, self.element, self.pool = preset, element, pool
        self.name = f'{preset}_{element}' + (f'_{pool}' if pool else '')
        if element == 'pointer':
            by = PRESETS[preset].settings.get('element.by', 'pointer')
            if by == 'intrusive':
                self.name = 'chain'
            written = 'type: struct thing, header: elements.h' + (LINKS if by == 'intrusive' else f', by: {by}')
        else:
            written = f'type: struct e{element}, header: elements.h'
        lines = [f'preset: {preset}', 'element: {%s}' % written]
        lines += filter(None, (NEEDS.get(need, '') for need in PRESETS[preset].needs))
        if pool:
            lines.append('capacity: {max: %d}' % pool)
        self.spec = f'  {self.name}:\n' + ''.join(f'    {line}\n' for line in lines)

    def numbers(self):
        return (self.pool,) if self.pool else NUMBERS + SWEEP

    def probe(self, header):
        """C that measures it, for any of its numbers."""
        name, macro = self.name, self.name.upper()
        layer = ', 0' if self.preset == 'entity_layers' else ''
        element = '&things[id]' if self.element == 'pointer' else '(struct e%s){.id = id}' % self.element
        if PRESETS[self.preset].settings['removal.policy'] == 'shift':  # from the back, which moves nothing: memory does not depend on it
            thin = f'for (size_t many = n / 2; many != 0; many--) {{\n        {name}_remove_at(&list, {name}_count(&list) - 1);\n    }}'
        else:
            thin = f'{macro}_EACH(&list, element) {{\n        if (leaves(element->id)) {{\n            {name}_remove_current(&element_cursor);\n' \
                   '        }\n    }'
        settle = f'{name}_settle(&list' + (', 0.0' if re.search(rf'\b{name}_settle\([^)]*seconds', header) else '') + ');'
        own = IN_ELEMENT.get(self.preset, 0)
        shrink = ''
        if re.search(rf'\b{name}_shrink_to_fit\(', header):
            shrink = f'{name}_shrink_to_fit(&list);\n    say("{self.preset}", "{self.element}", n, "shrunk", counted_bytes() - before + {own} * left, left, left);'
        return f'''
static void probe_{name}(size_t n)
{{
    size_t before = counted_bytes();
    {name} list = {{0}};
    for (uint32_t id = 0; id < n; id++) {{
        (void){name}_add(&list{layer}, {element});
    }}
    say("{self.preset}", "{self.element}", n, "full", counted_bytes() - before + {own} * n, n, {name}_count(&list));
    {thin}
    {settle}
    size_t left = {name}_count(&list);
    say("{self.preset}", "{self.element}", n, "half", counted_bytes() - before + {own} * left, left, left);
    {shrink}
    {name}_deinit(&list);
}}
'''


def subjects(only):
    for preset, contract in CONTRACTS.items():
        if not re.search(only, preset):
            continue
        by = PRESETS[preset].settings.get('element.by')
        elements = ('pointer',) if by in ('pointer', 'intrusive') or contract == 'ordered set' else ('16', '64')
        for element in elements:
            if 'capacity.max' in PRESETS[preset].needs:
                for number in NUMBERS:
                    yield Subject(preset, element, number)
            else:
                yield Subject(preset, element)


PROBE = '''#include "presets.h"
#include "counting.h"

#include <stdio.h>
#include <stdlib.h>

static struct thing *things;

static void say(const char *preset, const char *element, size_t n, const char *state, size_t bytes, size_t count, size_t counted)
{
    if (count != counted) {
        fprintf(stderr, "%s has %zu of %zu\\n", preset, counted, count);
        exit(1);
    }
    printf("%s\\t%s\\t%zu\\t%s\\t%.4f\\n", preset, element, n, state, (double)bytes / (double)count);
}
'''


def run(*command, cwd=None):
    done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding='utf-8')
    if done.returncode:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def libraries(*words):
    return run('pkg-config', *words).split()


def build_peers(folder):
    flags = ['-O1', '-w', '-I' + HERE]
    run('gcc', *flags, '-c', os.path.join(HERE, 'counting.c'), '-o', 'counting.o', cwd=folder)
    run('g++', '-std=c++20', *flags, os.path.join(HERE, 'peers.cc'), 'counting.o', '-o', 'peers', *libraries('--cflags', 'glib-2.0'),
        *libraries('--libs', 'glib-2.0', 'absl_flat_hash_set', 'absl_flat_hash_map'), cwd=folder)


def build_presets(folder, measured):
    with open(os.path.join(folder, 'presets.yaml'), 'w', encoding='utf-8') as file:
        file.write('bespoke: 1\ncontainers:\n' + ''.join(each.spec for each in measured))
    run(sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', 'presets.yaml', '-o', '.', '--no-format', '-I' + HERE, cwd=folder)
    with open(os.path.join(folder, 'presets.h'), encoding='utf-8') as file:
        header = file.read()
    text = PROBE + ''.join(each.probe(header) for each in measured)
    text += '\nint main(void)\n{\n    static char buffer[1 << 16];\n    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);\n' \
            f'    things = calloc({max(NUMBERS)}, sizeof *things);\n    for (uint32_t id = 0; id < {max(NUMBERS)}; id++) {{\n' \
            '        things[id].id = id;\n    }\n'
    text += ''.join(f'    probe_{each.name}({number});\n' for each in measured for number in each.numbers())
    with open(os.path.join(folder, 'probe.c'), 'w', encoding='utf-8') as file:
        file.write(text + '    return 0;\n}\n')
    run('gcc', '-O1', '-I.', '-I' + HERE, '-DNDEBUG', 'probe.c', 'presets.c', 'counting.o', '-o', 'probe', cwd=folder)


def measure(folder, measured):
    """The rows: what was measured, and the means."""
    found = {}
    for line in run(os.path.join(folder, 'peers'), *map(str, NUMBERS + SWEEP)).splitlines():
        contract, element, subject, n, state, size = line.split('\t')
        found.setdefault((contract, element, subject, False), {})[int(n), state] = float(size)
    for line in run(os.path.join(folder, 'probe')).splitlines():
        preset, element, n, state, size = line.split('\t')
        found.setdefault((CONTRACTS[preset], element, preset, True), {})[int(n), state] = float(size)
    for (contract, element, subject, ours), sizes in found.items():
        row = {'contract': contract, 'element': element, 'subject': subject, 'ours': ours}
        for (n, state), size in sizes.items():
            if n in NUMBERS:
                yield {**row, 'n': n, 'state': state, 'bytes': size}
        for state in STATES:
            over = [sizes[n, state] for n in (SWEEP if (SWEEP[0], 'full') in sizes else NUMBERS) if (n, state) in sizes]
            if over:
                yield {**row, 'n': 'mean', 'state': state, 'bytes': sum(over) / len(over)}


def judge(rows):
    """Adds the best peer to our means."""
    peers = {}
    for row in rows:
        if row['n'] == 'mean' and not row['ours']:
            peers.setdefault((row['contract'], row['element'], row['state']), []).append((row['bytes'], row['subject']))
    for row in rows:
        if row['n'] == 'mean' and row['ours']:
            size, row['best'] = min(peers[row['contract'], row['element'], row['state']])
            row['ratio'] = row['bytes'] / size
            if row['subject'] in NEAREST:
                row['lacks'] = NEAREST[row['subject']]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('--only', default='', help='presets whose names match')
    parser.add_argument('--json', help='where the rows go')
    parser.add_argument('--keep', help='a folder for what is built; else one that is removed')
    options = parser.parse_args()
    missing = set(PRESETS) - set(CONTRACTS) - {'embedded', 'id_set', 'timer_heap'}
    if missing:
        sys.exit('no contract is known of: ' + ', '.join(sorted(missing)))
    measured = list(subjects(options.only))
    with tempfile.TemporaryDirectory() as temporary:
        folder = os.path.abspath(options.keep or temporary)
        os.makedirs(folder, exist_ok=True)
        build_peers(folder)
        build_presets(folder, measured)
        rows = list(measure(folder, measured))
    judge(rows)
    print('| preset | element | state | bytes | best peer | bytes | ratio | |\n|---|---|---|---:|---|---:|---:|---|')
    for row in rows:
        if 'ratio' in row:
            print(f"| {row['subject']} | {row['element']} | {row['state']} | {row['bytes']:.1f} | {row['best']} | "
                  f"{row['bytes'] / row['ratio']:.1f} | {row['ratio']:.2f} | {'above' if row['ratio'] > TOLERANCE else ''} |")
    if options.json:
        save(options.json, 'memory', rows)


if __name__ == '__main__':
    main()
