#!/usr/bin/env python3
"""Writes docs/performance.md and its plots from stored results, the same ones from the same results.

    bench/report.py [--docs docs] FILE...

FILE: what bench/run.py stored (several are merged), and what the other measurements of bench/ stored. Ratios only.
"""

import argparse
import json
import os
import re
import statistics
import sys

import results
from results import Case, Problem, Ratio

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Colours, for a light page and a dark one.
INK, LINE, FAINT = ('#24292f', '#e6edf3'), ('#8c959f', '#7d8590'), ('#d8dee4', '#30363d')
OURS, PEER = ('#0b6bcb', '#58a6ff'), ('#a7aeb6', '#6e7681')
FEW_TO_MANY = (('#86c5ee', '#24598f'), ('#3d94d6', '#3d8bd4'), ('#1a62a8', '#84bdf2'), ('#0a2f5c', '#d6eaff'))
GREYS = (('#b8bfc7', '#454c54'), ('#8f98a3', '#6a737d'), ('#636c76', '#9aa4ae'), ('#32383f', '#d0d7de'))
MARKERS = 'osD^vP'


def ticks(low, high):
    """Where a logarithmic axis has numbers."""
    factors = (1, 1.5, 2, 3, 5, 7) if high / low < 8 else (1, 2, 5) if high / low < 1500 else (1,)
    found = [factor * 10.0 ** power for power in range(-4, 5) for factor in factors]
    return [float(f'{tick:.2g}') for tick in found if low <= tick <= high]


# Words.

def number(value):
    return f'{value:.1f}' if value >= 9.995 else f'{value:.2f}' if value >= 0.0995 else f'{value:.3f}'


def spread(ratio):
    return f'{number(ratio.value)} ({number(ratio.low)} to {number(ratio.high)})'


def count(n):
    return f'{n:,}'.replace(',', ' ')


def slug(text):
    return re.sub(r'[^a-z0-9]+', '-', text.lower()).strip('-')


def table(head, rows, right=()):
    """`right`: columns of numbers."""
    line = lambda cells: '| ' + ' | '.join(str(cell).replace('|', '\\|') for cell in cells) + ' |'
    marks = ['---:' if at in right else '---' for at in range(len(head))]
    return '\n'.join([line(head), line(marks), *map(line, rows)])


def code(text):
    return f'`{text}`'


# Plots.

class Plots:
    """Text stays text, colours follow the reader's preference for light or dark, and the same numbers give the same bytes."""

    def __init__(self, folder):
        import matplotlib
        matplotlib.use('svg')
        import matplotlib.pyplot
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({
            'svg.fonttype': 'none', 'svg.hashsalt': 'bespoke', 'font.family': 'sans-serif', 'font.size': 9, 'axes.titlesize': 9,
            'text.color': INK[0], 'axes.labelcolor': INK[0], 'xtick.color': INK[0], 'ytick.color': INK[0],
            'axes.edgecolor': LINE[0], 'grid.color': FAINT[0], 'axes.axisbelow': True, 'axes.spines.top': False,
            'axes.spines.right': False, 'savefig.transparent': True, 'legend.frameon': False})
        self.matplotlib, self.pyplot, self.folder = matplotlib, matplotlib.pyplot, folder

    def save(self, figure, name):
        path = os.path.join(self.folder, name + '.svg')
        os.makedirs(self.folder, exist_ok=True)
        figure.savefig(path, metadata={'Date': None, 'Creator': None}, bbox_inches='tight', pad_inches=0.1)
        self.pyplot.close(figure)
        with open(path, encoding='utf-8') as file:
            text = file.read()
        rules = ''.join(f'[style*="{what}: {light}"]{{{what}:{dark}!important}}\n' for what in ('fill', 'stroke')
                        for light, dark in (INK, LINE, FAINT, OURS, PEER, *FEW_TO_MANY, *GREYS) if f'{what}: {light}' in text)
        style = f'<style>\n@media (prefers-color-scheme: dark) {{\n{rules}}}\n</style>\n'
        text = re.sub(r'(<svg [^>]*>\n)', lambda found: found.group(1) + style, text, count=1)
        text = re.sub(r"(font: \w+) '[^;\"]*", r'\1 sans-serif', text)
        with open(path, 'w', encoding='utf-8') as file:
            file.write('\n'.join(line.rstrip() for line in text.splitlines()) + '\n')
        return os.path.basename(path)

    def label(self, panel, low, high):
        panel.set_xticks(ticks(low, high))
        panel.set_xticks([], minor=True)
        panel.set_xticklabels([f'{tick:g}' for tick in ticks(low, high)])

    def times(self, name, rows, targets):
        """All times of a workload, in those of the fastest hand-written loop in each case: a panel for each kind of case, a row for each of
        ours and each peer, a dot for each case."""
        panels = {}
        for row in rows:
            limits = [peer for peer in row['times'] if targets.limits.matches(Case(row['case']), '', peer)]
            if limits:
                unit = min(limits, key=lambda peer: statistics.median(row['times'][peer]))
                for peer, of in row['times'].items():
                    panels.setdefault(Case(row['case']).what, {}).setdefault(peer, []).append(
                        (Case(row['case']), Ratio(of, row['times'][unit])))
        if not panels:
            return None
        cases = [Case(row['case']) for row in rows]
        numbers, sizes = sorted({case.n for case in cases}), sorted({case.size for case in cases})
        shade = lambda n: max(0, min(numbers.index(n) + (4 - len(numbers) if len(numbers) < 4 else 0), 3))

        across = 2 if len(panels) > 1 else 1
        order = list(panels)
        lines = [order[at:at + across] for at in range(0, len(order), across)]
        heights = [0.62 + 0.19 * max(len(panels[what]) for what in line) for line in lines]
        figure, axes = self.pyplot.subplots(len(lines), across, squeeze=False, figsize=(10 if across == 2 else 6.4, sum(heights)),
                                            gridspec_kw={'height_ratios': heights})
        low = min(ratio.value for peers in panels.values() for found in peers.values() for _, ratio in found)
        high = max(ratio.value for peers in panels.values() for found in peers.values() for _, ratio in found)
        low, high = min(low, 0.8) / 1.15, max(high, 1.25) * 1.15
        for at in range(len(lines) * across):
            panel = axes[at // across][at % across]
            if at >= len(order):
                panel.set_visible(False)
                continue
            found = panels[order[at]]
            peers = sorted(found, key=lambda peer: statistics.median(ratio.value for _, ratio in found[peer]))
            panel.set_title('' if order[at] == '-' else order[at])
            panel.axvline(1, color=LINE[0], linewidth=1)
            panel.grid(axis='both', linewidth=0.6)
            for row, peer in enumerate(peers):
                ours, limit = peer.startswith('bespoke'), targets.limits.matches(cases[0], '', peer)
                for case, ratio in found[peer]:
                    colour = (FEW_TO_MANY if ours else GREYS)[shade(case.n)][0]
                    y = row + 0.5 * (numbers.index(case.n) + 0.5) / len(numbers) - 0.25     # of the many below that of the few
                    panel.plot([ratio.low, ratio.high], [y, y], color=colour, linewidth=0.8)
                    panel.plot([ratio.value], [y], MARKERS[min(sizes.index(case.size), 5)], color=colour, markersize=4,
                               markerfacecolor='none' if limit else colour)
            panel.set_xscale('log')
            panel.set_xlim(low, high)
            self.label(panel, low, high)
            panel.set_yticks(range(len(peers)))
            panel.set_yticklabels(peers)
            for label, peer in zip(panel.get_yticklabels(), peers):
                if peer.startswith('bespoke'):
                    label.set_color(OURS[0])
            panel.set_ylim(len(peers) - 0.5, -0.5)
            panel.tick_params(length=2)
        for panel in axes[-1]:
            panel.set_xlabel('time, in times of the fastest hand-written loop (log)')
        line = self.matplotlib.lines.Line2D
        entries = [line([], [], marker='s', linestyle='', markersize=6, color=FEW_TO_MANY[shade(n)][0], label=f'{count(n)} elements')
                   for n in numbers]
        entries += [line([], [], marker=MARKERS[min(at, 5)], linestyle='', markersize=5, color=LINE[0], label=f'{size} bytes')
                    for at, size in enumerate(sizes)]
        entries.append(line([], [], marker='o', linestyle='', markersize=5, color=LINE[0], markerfacecolor='none', label='hand-written'))
        figure.tight_layout()
        figure.legend(handles=entries, loc='upper center', bbox_to_anchor=(0.5, 0), ncol=min(5, len(entries)), handletextpad=0.2)
        return self.save(figure, name)

    def memory(self, name, rows):
        """A row for each preset, a mark for each element: our bytes over those of the best peer."""
        subjects = sorted({row['subject'] for row in rows})
        elements = list(dict.fromkeys(row['element'] for row in rows))
        figure, panel = self.pyplot.subplots(figsize=(6.4, 0.8 + 0.2 * len(subjects)))
        panel.axvline(1, color=LINE[0], linewidth=1)
        panel.grid(axis='both', linewidth=0.6)
        for at, element in enumerate(elements):
            its = [row for row in rows if row['element'] == element]
            for nearest in (False, True):       # where no peer keeps the contract
                marked = [row for row in its if ('lacks' in row) == nearest]
                colour = FEW_TO_MANY[1 + at % 3][0]
                panel.plot([row['ratio'] for row in marked], [subjects.index(row['subject']) for row in marked], MARKERS[at % len(MARKERS)],
                           color=colour, markersize=5, markerfacecolor='none' if nearest else colour,
                           label=None if nearest else f'{element} bytes' if element.isdigit() else element)
        panel.plot([], [], 'o', color=LINE[0], markersize=5, markerfacecolor='none', label='the peer promises less')
        panel.set_yticks(range(len(subjects)))
        panel.set_yticklabels(subjects)
        panel.set_ylim(len(subjects) - 0.5, -0.5)
        panel.set_xlim(0, max(1.2, max(row['ratio'] for row in rows) * 1.05))
        panel.set_xlabel('bytes for an element: ours / best peer of the contract; left of 1, ours is smaller')
        panel.tick_params(length=2)
        panel.legend(loc='upper center', bbox_to_anchor=(0.5, -0.6 / (0.2 * len(subjects))), ncol=len(elements) + 1, handletextpad=0.2)
        return self.save(figure, name)

    def bars(self, name, row, title, targets):
        """The times of all peers of a case, in those of the fastest hand-written loop."""
        times = row['times']
        unit = min((peer for peer in times if targets.limits.matches(Case(row['case']), '', peer)),
                   key=lambda peer: statistics.median(times[peer]))
        ratios = {peer: Ratio(of, times[unit]) for peer, of in times.items()}
        order = sorted(ratios, key=lambda peer: ratios[peer].value)
        figure, panel = self.pyplot.subplots(figsize=(6.4, 0.8 + 0.25 * len(order)))
        panel.axvline(1, color=LINE[0], linewidth=1)
        panel.grid(axis='x', linewidth=0.6)
        low, high = min(0.8, *(one.value for one in ratios.values())) / 1.3, max(one.value for one in ratios.values()) * 1.4
        for at, peer in enumerate(order):
            ratio = ratios[peer].value
            panel.barh(at, ratio - 1, left=1, height=0.7, color=(OURS if peer.startswith('bespoke') else PEER)[0])
            text, side = (f' {number(ratio)}', 'left') if ratio >= 1 else (f'{number(ratio)} ', 'right')
            panel.text(ratio, at, text, va='center', ha=side, color=INK[0])
        panel.set_xscale('log')
        panel.set_xlim(low, high)
        self.label(panel, low, high)
        panel.set_yticks(range(len(order)))
        panel.set_yticklabels(order)
        panel.set_ylim(len(order) - 0.4, -0.6)
        panel.set_xlabel('time, in times of the fastest hand-written loop (log)')
        panel.set_title(title, loc='left')
        panel.tick_params(length=2)
        return self.save(figure, name)


# The page.

def busy(rows, cores):
    """What else the machine did meanwhile, if that was much."""
    loads = [row['load'] for row in rows if 'load' in row]
    if not loads or statistics.median(loads) < 1.5 * cores:
        return ''
    return (f'\n**The machine was busy**: {statistics.median(loads):.0f} processes wanted its processors while this was measured. The times are '
            'those of the processor, but caches were shared; a quiet machine may give other ratios.\n')


def head(machine):
    cores = f"{machine['cores']} cores" + (' of a virtual machine' if machine.get('virtual') else '')
    rows = [('processor', machine['processor'] + (f" (family, model: {machine['family']})" if machine.get('family') else '')),
            ('cores', cores), ('caches', machine['caches']), ('memory', machine['memory']), ('system', machine['system']),
            ('compiler', f"{machine['compiler']}, {machine['options']}" if machine.get('compiler') else '')]
    return table(('', ''), [row for row in rows if row[1]])


def bounds(targets, compared):
    rows = []
    for bound, found in results.evaluate(targets, compared):
        row = f'{bound.row}; {bound.note}' if bound.note else bound.row
        if not found:
            rows.append((row, bound.says(), 'not run', '', '', ''))
            continue
        met = sum(bound.met(one.ratio.value) for one in found)
        undecided = sum(bound.met(one.ratio.low) and not bound.met(one.ratio.value) for one in found)
        worst = found[0]
        word = 'met' if met == len(found) else '**missed**, within the spread' if met + undecided == len(found) else '**missed**'
        rows.append((row, bound.says(), spread(worst.ratio), f'{code(worst.case.name)}, {worst.ours} / {worst.peer}',
                     f'{met} of {len(found)}' + f', {undecided} within the spread' * (undecided > 0), word))
    return table(('what', 'ours / peer must be', 'measured, worst case', 'which', 'cases', ''), rows)


def losses(targets, compared):
    """Where a peer of the same contract is ahead: how often each is, the worst first; then each case."""
    against = {}
    for one in compared:
        if not one.peer.startswith('bespoke') and not targets.standing(one.case, one.ours, one.peer):
            against.setdefault((one.case.workload, one.ours, one.peer), []).append(one)
    behind = {pair: sorted((one for one in found if one.ratio.value > 1), key=lambda one: (-one.ratio.value, one.case.name))
              for pair, found in against.items()}
    pairs = sorted((pair for pair in behind if behind[pair]), key=lambda pair: (-behind[pair][0].ratio.value, pair))
    if not pairs:
        return 'In no case measured.'
    each = sorted((one for pair in pairs for one in behind[pair]), key=lambda one: (-one.ratio.value, one.case.name, one.ours, one.peer))
    return '\n'.join([
        table(('workload', 'ours', 'peer', 'cases behind', 'ours / peer, at worst', 'which'),
              [(*pair, f'{len(behind[pair])} of {len(against[pair])}', number(behind[pair][0].ratio.value), code(behind[pair][0].case.name))
               for pair in pairs], right=(3, 4)),
        '', f'<details><summary>Each of the {len(each)} cases</summary>', '',
        table(('case', 'ours', 'peer', 'ours / peer', ''),
              [(code(one.case.name), one.ours, one.peer, spread(one.ratio), 'within the spread' if one.ratio.low <= 1 else '')
               for one in each], right=(3,)),
        '', '</details>'])


def numbers_of(compared):
    """All ratios of a workload: a table for each of ours, a row for each case, a column for each peer."""
    text = []
    for ours in dict.fromkeys(one.ours for one in compared):
        its = [one for one in compared if one.ours == ours and not one.peer.startswith('bespoke')]
        peers = list(dict.fromkeys(one.peer for one in its))
        cases = {}
        for one in its:
            cases.setdefault((one.case.what, one.case.size, one.case.n), {})[one.peer] = spread(one.ratio)
        rows = [(what, size, count(n), *(found.get(peer, '') for peer in peers)) for (what, size, n), found in sorted(cases.items())]
        text += [f'`{ours}` /', '', table(('', 'bytes', 'elements', *peers), rows, right=range(1, 3 + len(peers))), '']
    return '\n'.join(text)


def others(targets, compared):
    found = {}
    for one in compared:
        why = '' if one.peer.startswith('bespoke') else targets.standing(one.case, one.ours, one.peer)
        if why not in ('', 'limit'):
            found.setdefault((one.case.workload, one.ours, why), {})[one.peer] = True
    return table(('workload', 'ours', 'peers', 'why'),
                 [(workload, ours, ', '.join(peers), why) for (workload, ours, why), peers in found.items()])


# The other measurements: bench/memory.py, bench/build_cost.py, bench/generator_cost.py say what their rows are.

MEMORY_TOLERANCE = 1.02     # that of bench/memory.py: a bit for each slot is not a loss
BUILD_BOUND = 10.0          # milliseconds of gcc -O0 -g for a further container


def bounded_cost(subject):
    """Is it one of ours with what is used, as the peers are?"""
    return subject.startswith('bespoke') and ',' not in subject


def compared_memory(rows):
    return [row for row in rows if row['n'] == 'mean' and 'ratio' in row]


def memory_losses(rows):
    behind = sorted((row for row in compared_memory(rows) if row['ratio'] > MEMORY_TOLERANCE and 'lacks' not in row),
                    key=lambda row: (-row['ratio'], row['subject'], row['element'], row['state']))
    if not behind:
        return 'Nowhere.'
    return table(('memory of', 'element', 'state', 'peer', 'ours / peer'),
                 [(code(row['subject']), row['element'], row['state'], row['best'], number(row['ratio'])) for row in behind], right=(4,))


def memory(rows, plots):
    its = compared_memory(rows)
    picture = plots.memory('memory', [row for row in its if row['state'] == 'full'])
    cells = [(row['contract'], code(row['subject']), row['element'], row['state'], f"{row['bytes']:.1f}", row['best'],
              f"{row['bytes'] / row['ratio']:.1f}", number(row['ratio']), row.get('lacks', '')) for row in its]
    above = sum(row['ratio'] > MEMORY_TOLERANCE and 'lacks' not in row for row in its)
    return f'''## Memory

Bytes for each element, measured under the allocator: all that `malloc` has handed out for the container, with the word it keeps for
itself, and what the container wants in elements that lie elsewhere. Over numbers of elements from 1024 to 2048, in the mean. `full`: all
were added one by one; `half`: every other one has been removed since; `shrunk`: and memory was freed. The peer is the best one of
the same contract; where none keeps it, the nearest, and what that lacks. {'No preset is' if not above else f'{above} are'} above the best peer
of the same contract, by more than 2 %.

![bytes of each preset for an element, beside those of the best peer](performance/{picture})

<details><summary>All numbers</summary>

{table(('contract', 'preset', 'element', 'state', 'bytes', 'best peer', 'bytes', 'ours / peer', 'the peer lacks'), cells, right=(4, 6, 7))}

</details>
'''


def build_cost(rows):
    found = {(row['compiler'], row['subject'], row['what'], row['level']): row['value'] for row in rows}
    subjects = list(dict.fromkeys(row['subject'] for row in rows))
    cells = []
    for compiler in dict.fromkeys(row['compiler'] for row in rows):
        for subject in subjects:
            line = [compiler, subject]
            for level in ('-O0 -g', '-O2'):
                its, unit = (found.get((compiler, one, 'milliseconds', level)) for one in (subject, 'uthash'))
                line.append('' if its is None or not unit else number(its / unit))
            its = found.get((compiler, subject, 'milliseconds', '-O0 -g'))
            line.append(f'{its / BUILD_BOUND:.2f}' if its is not None and compiler == 'gcc' and bounded_cost(subject) else '')
            for what, level in (('text', '-Os'), ('steppable', '-O0 -g'), ('functions', '-O0 -g'), ('errors', '-O0 -g')):
                its = found.get((compiler, subject, what, level))
                line.append('' if its is None else f'{its:.0f}')
            cells.append(line)
    ours = [value for (compiler, subject, what, level), value in found.items()
            if (compiler, what, level) == ('gcc', 'milliseconds', '-O0 -g') and bounded_cost(subject)]
    said = f"The bound is {BUILD_BOUND:g} ms for a further container with gcc at -O0 -g: "
    said += 'met.' if all(value <= BUILD_BOUND for value in ours) else f'**missed**, {max(ours) / BUILD_BOUND:.2f} of it.'
    return f'''## Cost to build

What each further container costs: processor time of the compiler, in that of a further hash of uthash; bytes of code at -Os; lines that a debugger can stop
at; functions; lines of errors when an `int` is added where an element belongs. Each of Bespoke's containers is there with the operations that
its user calls (`emit.operations`), for one loop at a time that removes what it stands on: as of the peers there is what is used, and as they promise.
`many loops`: these may be live side by side, and any element may leave meanwhile; `all`: so, and with all operations. {said}

{table(('compiler', 'container', 'time -O0 -g', 'time -O2', 'of the bound', 'code, bytes', 'lines', 'functions', 'lines of errors'),
       cells, right=range(2, 9))}
'''


def generator(rows):
    cells = []
    for row in rows:
        name = row['what'] + (f" ({count(row['number'])})" if 'number' in row else '')
        bounded = row.get('ratio', row['value'])
        ratio = number(row['ratio']) if 'ratio' in row else ''
        cells.append((name, ratio, f"{row['most']:g}{'' if 'ratio' in row else ' ' + row['unit']}" if 'most' in row else '',
                      f"{bounded / row['most']:.2f}" if 'most' in row else '',
                      ('met' if bounded <= row['most'] else '**missed**') if 'most' in row else ''))
    return f'''## The generator

`start` and `one spec` are compared with `python3 -c "import jinja2, yaml"`; `specs` are as many in one call; `build` is a build of
200 containers, each in a spec of its own, after one of the specs has changed: how many were generated again, and how many sources compiled.

{table(('what', 'of its base', 'bound', 'of the bound', ''), cells, right=(1, 2, 3))}
'''


def write(path, text):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def report(found, more, docs, targets):
    """`found`: results of run.py; `more`: {name: rows} of the other measurements."""
    compared = results.compare(found)
    plots = Plots(os.path.join(docs, 'performance'))
    text = ['''# Performance

This page is a result: `script/bench --report` measured what follows on the machine named below, and wrote it. `script/pages` does
not make it again. Run it where your game runs: `script/bench --quick` takes three minutes and prints the same ratios.
''', head(found['machine']), '''
**How it was measured.** A case is a workload, a size of an element, a number of elements. Our container and its peers do the same
work, each as its own documentation would have it written, in one process, by turns in random order, in three rounds some minutes
apart; what they compute must be equal, or the run stops. All are compiled with the options above, without `-march`; loops begin at a line of the cache,
so that where the linker puts them decides nothing. A number is a **ratio of medians**, our
time over the peer's: **below 1, ours is faster**. Behind it, in parentheses, stands the 95 % interval of that ratio (bootstrap).
`hand` is the loop that an engineer would write in C for this one case, promising nothing: the limit, not a peer.
''', busy(found['rows'], found['machine']['cores']), '''
## Where it must stand

The bounds that this project has set itself ([bench/targets.yaml](../bench/targets.yaml)), with the worst case of each. `within the spread`
are cases that miss the bound, but whose interval takes it in: measured again, they may meet it.
''', bounds(targets, compared), '''
## Where we lose

Each case in which a peer that promises the same is ahead.
''', losses(targets, compared), '']
    other = others(targets, compared)
    if other.count('\n') > 1:
        text += ['''Not among them are peers that promise less, or something else; their numbers are in the tables below.
''', other, '']
    if 'memory' in more:
        text += ['Memory, where a preset takes more than the best peer of its contract:', '', memory_losses(more['memory']), '']
    readme = targets.plot and next((row for row in found['rows'] if row['case'] == targets.plot['case']), None)
    if readme:
        plots.bars('summary', readme, targets.plot['title'], targets)
    for workload in dict.fromkeys(one.case.workload for one in compared):
        its = [one for one in compared if one.case.workload == workload]
        what = targets.workloads.get(workload, '')
        picture = plots.times(slug(workload), [row for row in found['rows'] if Case(row['case']).workload == workload], targets)
        text += [f'## {workload.capitalize()}', '', what.strip(), '']
        if picture:
            text += [f'![{workload}: times in those of the fastest hand-written loop, a dot for each case](performance/{picture})', '']
        text += ['<details><summary>All ratios</summary>', '', numbers_of(its), '</details>', '']
    for name, section in (('memory', lambda rows: memory(rows, plots)), ('build_cost', build_cost), ('generator', generator)):
        if name in more:
            text.append(section(more[name]))
    write(os.path.join(docs, 'performance.md'), re.sub(r'\n{3,}', '\n\n', '\n'.join(text)).rstrip() + '\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('files', nargs='+', metavar='FILE')
    parser.add_argument('--docs', default=os.path.join(ROOT, 'docs'))
    parser.add_argument('--targets', metavar='FILE', default=results.TARGETS)
    args = parser.parse_args()
    try:
        runs, more = [], {}
        for path in args.files:
            try:
                with open(path, encoding='utf-8') as file:
                    found = json.load(file)
            except (OSError, ValueError) as error:
                raise Problem(f'{path}: {error}') from None
            if found.get('bench') == 'run':
                runs.append(path)
            elif found.get('bench') in ('memory', 'build_cost', 'generator'):
                more[found['bench']] = found['rows']
            else:
                raise Problem(f'{path}: no results of bench/')
        if not runs:
            raise Problem('no results of bench/run.py among the files')
        report(results.load(runs), more, args.docs, results.Targets(args.targets))
    except Problem as problem:
        sys.exit(f'report: {problem}')


if __name__ == '__main__':
    main()
