#!/usr/bin/env python3
"""Writes docs/performance.md and its plots from stored results, the same ones from the same results.

    bench/report.py [--docs docs] FILE...

FILE: what bench/run.py stored (several are merged), and what the other measurements of bench/ stored. Ratios only.
"""

import argparse
import json
import os
import re
import sys

import results
from results import Problem

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Colours, for a light page and a dark one.
INK, LINE, FAINT = ('#24292f', '#e6edf3'), ('#8c959f', '#7d8590'), ('#d8dee4', '#30363d')
OURS, PEER = ('#0b6bcb', '#58a6ff'), ('#a7aeb6', '#6e7681')
FEW_TO_MANY = (('#86c5ee', '#24598f'), ('#3d94d6', '#3d8bd4'), ('#1a62a8', '#84bdf2'), ('#0a2f5c', '#d6eaff'))
MARKERS = 'osD^vP'


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
                        for light, dark in (INK, LINE, FAINT, OURS, PEER, *FEW_TO_MANY) if f'{what}: {light}' in text)
        style = f'<style>\n@media (prefers-color-scheme: dark) {{\n{rules}}}\n</style>\n'
        text = re.sub(r'(<svg [^>]*>\n)', lambda found: found.group(1) + style, text, count=1)
        text = re.sub(r"(font: \w+) '[^;\"]*", r'\1 sans-serif', text)
        with open(path, 'w', encoding='utf-8') as file:
            file.write('\n'.join(line.rstrip() for line in text.splitlines()) + '\n')
        return os.path.basename(path)

    def dots(self, name, compared, targets):
        """A dot for each case, a row for each pair of ours and a peer, a panel for each kind of case."""
        pairs = sorted({(one.ours, one.peer) for one in compared},
                       key=lambda pair: (pair[0], targets.limits.matches(compared[0].case, *pair), pair[1]))
        kinds = list(dict.fromkeys(one.case.what for one in compared))
        numbers = sorted({one.case.n for one in compared})
        sizes = sorted({one.case.size for one in compared})
        across = min(3, len(kinds))
        down = -(-len(kinds) // across)
        figure, panels = self.pyplot.subplots(down, across, sharex=True, sharey=True, squeeze=False,
                                              figsize=(2.2 + 2.6 * across if across > 1 else 6.4, down * (0.7 + 0.24 * len(pairs))))
        for at in range(down * across):
            panel = panels[at // across][at % across]
            if at >= len(kinds):
                panel.set_visible(False)
                continue
            panel.set_title('' if kinds[at] == '-' else kinds[at])
            panel.axvline(1, color=LINE[0], linewidth=1)
            panel.grid(axis='both', linewidth=0.6)
            for one in compared:
                if one.case.what == kinds[at]:
                    # Cases of a pair beside each other: the many below the few.
                    shift = 0.5 * (numbers.index(one.case.n) + 0.5) / len(numbers) - 0.25
                    colour = FEW_TO_MANY[min(numbers.index(one.case.n), 3)][0]
                    row = pairs.index((one.ours, one.peer)) + shift
                    panel.plot([one.ratio.low, one.ratio.high], [row, row], color=colour, linewidth=1)
                    panel.plot([one.ratio.value], [row], MARKERS[min(sizes.index(one.case.size), 5)], color=colour, markersize=4)
            panel.set_xscale('log')
        first = panels[0][0]
        first.set_yticks(range(len(pairs)))
        first.set_yticklabels([f'{ours} / {peer}' for ours, peer in pairs])
        first.set_ylim(len(pairs) - 0.5, -0.5)
        low, high = first.get_xlim()
        low, high = min(low, 0.8), max(high, 1.25)
        first.set_xlim(low, high)
        ticks = [tick for tick in (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100) if low <= tick <= high]
        if len(ticks) < 4:
            ticks = [tick for tick in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.5, 2, 3, 4) if low <= tick <= high]
        if len(ticks) > 6:
            ticks = [tick for tick in ticks if tick in (0.001, 0.01, 0.1, 0.5, 1, 2, 10, 100)]
        for row in panels:
            for panel in row:
                panel.set_xticks(ticks)
                panel.set_xticks([], minor=True)
                panel.set_xticklabels([f'{tick:g}' for tick in ticks])
                panel.tick_params(labelbottom=True, length=2)
        middle = panels[min(down - 1, (len(kinds) - 1) // across)][0]
        middle.set_xlabel('ours / peer (log): left of 1, ours is faster')
        line = self.matplotlib.lines.Line2D
        entries = [line([], [], marker='o', linestyle='', markersize=5, color=FEW_TO_MANY[min(at, 3)][0], label=f'{count(n)} elements')
                   for at, n in enumerate(numbers)]
        entries += [line([], [], marker=MARKERS[min(at, 5)], linestyle='', markersize=5, color=LINE[0], label=f'{size} bytes')
                    for at, size in enumerate(sizes)]
        figure.tight_layout()
        figure.legend(handles=entries, loc='upper center', bbox_to_anchor=(0.5, 0), ncol=min(4, len(entries)), handletextpad=0.2)
        return self.save(figure, name)

    def bars(self, name, times, unit, title):
        """The times of all peers of a case, in those of one of them."""
        medians = {peer: results.Ratio(of, times[unit]) for peer, of in times.items()}
        order = sorted(medians, key=lambda peer: medians[peer].value)
        figure, panel = self.pyplot.subplots(figsize=(6.4, 0.7 + 0.28 * len(order)))
        for at, peer in enumerate(order):
            ratio = medians[peer]
            panel.barh(at, ratio.value, height=0.7, color=(OURS if peer.startswith('bespoke') else PEER)[0])
            panel.text(ratio.value, at, f' {number(ratio.value)}', va='center', color=INK[0])
        panel.axvline(1, color=LINE[0], linewidth=1)
        panel.set_yticks(range(len(order)))
        panel.set_yticklabels(order)
        panel.set_ylim(len(order) - 0.4, -0.6)
        panel.set_xlim(0, max(one.value for one in medians.values()) * 1.12)
        panel.set_xlabel('time, in times of the loop by hand' if unit.startswith('hand') else f'time, in times of {unit}')
        panel.set_title(title, loc='left')
        panel.tick_params(length=2)
        return self.save(figure, name)


# The page.

def head(machine):
    cores = f"{machine['cores']} cores" + (' of a virtual machine' if machine.get('virtual') else '')
    rows = [('processor', machine['processor'] + (f" (family, model: {machine['family']})" if machine.get('family') else '')),
            ('cores', cores), ('caches', machine['caches']), ('memory', machine['memory']), ('system', machine['system']),
            ('compiler', f"{machine['compiler']}, {machine['options']}" if machine.get('compiler') else '')]
    return table(('', ''), [row for row in rows if row[1]])


def bounds(targets, compared):
    rows = []
    for bound, found in results.evaluate(targets, compared):
        if not found:
            rows.append((bound.row, bound.says(), 'not run', '', '', ''))
            continue
        met = sum(bound.met(one.ratio.value) for one in found)
        worst = found[0]
        word = 'met' if met == len(found) else '**missed**, within the spread' if bound.met(worst.ratio.low) else '**missed**'
        rows.append((bound.row, bound.says(), spread(worst.ratio), f'{code(worst.case.name)}, {worst.ours} / {worst.peer}',
                     f'{met} of {len(found)}', word))
    return table(('what', 'ours / peer must be', 'measured, worst case', 'which', 'cases', ''), rows)


def losses(targets, compared):
    """Where a peer of the same contract is ahead, the worst first."""
    behind = sorted((one for one in compared if one.ratio.value > 1 and not targets.standing(one.case, one.ours, one.peer)),
                    key=lambda one: (-one.ratio.value, one.case.name, one.ours, one.peer))
    if not behind:
        return 'In no case measured.'
    return table(('case', 'ours', 'peer', 'ours / peer', ''),
                 [(code(one.case.name), one.ours, one.peer, spread(one.ratio), 'within the spread' if one.ratio.low <= 1 else '')
                  for one in behind], right=(3,))


def numbers_of(compared):
    """All ratios of a workload: a table for each of ours, a row for each case, a column for each peer."""
    text = []
    for ours in dict.fromkeys(one.ours for one in compared):
        its = [one for one in compared if one.ours == ours]
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
        why = targets.standing(one.case, one.ours, one.peer)
        if why not in ('', 'limit'):
            found.setdefault((one.case.workload, one.ours, why), {})[one.peer] = True
    return table(('workload', 'ours', 'peers', 'why'),
                 [(workload, ours, ', '.join(peers), why) for (workload, ours, why), peers in found.items()])


def write(path, text):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def report(found, more, docs, targets):
    """`found`: results of run.py; `more`: {name: results} of the other measurements."""
    compared = results.compare(found)
    plots = Plots(os.path.join(docs, 'performance'))
    text = ['''# Performance

This page is a result: `script/bench --report` measured what follows on the machine named below, and wrote it. `script/pages` does
not make it again. Run it where your game runs: `script/bench --quick` takes three minutes and prints the same ratios.
''', head(found['machine']), '''
**How it was measured.** A case is a workload, a size of an element, a number of elements. Our container and its peers do the same
work, each as its own documentation would have it written, in one process, by turns in random order; what they compute must be
equal, or the run stops. All are compiled with the options above, without `-march`. A number is a **ratio of medians**, our
time over the peer's: **below 1, ours is faster**. Behind it, in parentheses, stands the 95 % interval of that ratio (bootstrap).
`hand` is the loop that an engineer would write by hand in C for this one case, promising nothing: the limit, not a peer.

## Where it must stand

The bounds that this project has set itself ([bench/targets.yaml](../bench/targets.yaml)), with the worst case of each.
''', bounds(targets, compared), '''
## Where we lose

Each case in which a peer that promises the same is ahead.
''', losses(targets, compared), '']
    other = others(targets, compared)
    if other.count('\n') > 1:
        text += ['''Not among them are peers that promise less, or something else; their numbers are in the tables below.
''', other, '']
    readme = targets.plot and next((row for row in found['rows'] if row['case'] == targets.plot['case']), None)
    if readme:
        plots.bars('summary', readme['times'], targets.plot['unit'], targets.plot['title'])
    for workload in dict.fromkeys(one.case.workload for one in compared):
        its = [one for one in compared if one.case.workload == workload]
        what = targets.workloads.get(workload, '')
        picture = plots.dots(slug(workload), its, targets)
        text += [f'## {workload.capitalize()}', '', what.strip(), '',
                 f'![{workload}: the ratio of our time to that of each peer, a dot for each case](performance/{picture})', '',
                 '<details><summary>All numbers</summary>', '', numbers_of(its), '</details>', '']
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
                    kind = json.load(file).get('bench')
            except (OSError, ValueError) as error:
                raise Problem(f'{path}: {error}') from None
            if kind == 'run':
                runs.append(path)
            else:
                more[kind] = path
        if not runs:
            raise Problem('no results of bench/run.py among the files')
        report(results.load(runs), more, args.docs, results.Targets(args.targets))
    except Problem as problem:
        sys.exit(f'report: {problem}')


if __name__ == '__main__':
    main()
