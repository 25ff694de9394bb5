"""The pictures of docs/performance.md, from numbers: that of README is in the repository, the others are drawn with the site.

    bench/plots.py FOLDER   draws those of docs/performance/pictures.json, which bench/report.py has written
"""

import json
import os
import re
import statistics
import sys
from typing import NamedTuple

PICTURES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'docs', 'performance', 'pictures.json')

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


class Dot(NamedTuple):
    """A case: bytes of an element, elements, and the time in that of the fastest hand-written loop, with its interval."""
    size: int
    n: int
    value: float
    low: float
    high: float


def number(value):
    return f'{value:.1f}' if value >= 9.995 else f'{value:.2f}' if value >= 0.0995 else f'{value:.3f}'


def count(n):
    return f'{n:,}'.replace(',', ' ')


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

    def times(self, name, hand_written, panels):
        """A panel for each kind of case, a row for each of ours and each peer, a dot for each case: a Dot. `hand_written`: peers that
        promise nothing."""
        dots = [dot for peers in panels.values() for found in peers.values() for dot in found]
        numbers, sizes = sorted({dot.n for dot in dots}), sorted({dot.size for dot in dots})
        shade = lambda n: max(0, min(numbers.index(n) + (4 - len(numbers) if len(numbers) < 4 else 0), 3))

        across = 2 if len(panels) > 1 else 1
        order = list(panels)
        lines = [order[at:at + across] for at in range(0, len(order), across)]
        heights = [0.62 + 0.19 * max(len(panels[what]) for what in line) for line in lines]
        figure, axes = self.pyplot.subplots(len(lines), across, squeeze=False, figsize=(10 if across == 2 else 6.4, sum(heights)),
                                            gridspec_kw={'height_ratios': heights})
        low = min(min(dot.value for dot in dots), 0.8) / 1.15
        high = max(max(dot.value for dot in dots), 1.25) * 1.15
        for at in range(len(lines) * across):
            panel = axes[at // across][at % across]
            if at >= len(order):
                panel.set_visible(False)
                continue
            found = panels[order[at]]
            peers = sorted(found, key=lambda peer: statistics.median(dot.value for dot in found[peer]))
            panel.set_title('' if order[at] == '-' else order[at])
            panel.axvline(1, color=LINE[0], linewidth=1)
            panel.grid(axis='both', linewidth=0.6)
            for row, peer in enumerate(peers):
                for dot in found[peer]:
                    colour = (FEW_TO_MANY if peer.startswith('bespoke') else GREYS)[shade(dot.n)][0]
                    y = row + 0.5 * (numbers.index(dot.n) + 0.5) / len(numbers) - 0.25     # of the many below that of the few
                    panel.plot([dot.low, dot.high], [y, y], color=colour, linewidth=0.8)
                    panel.plot([dot.value], [y], MARKERS[min(sizes.index(dot.size), 5)], color=colour, markersize=4,
                               markerfacecolor='none' if peer in hand_written else colour)
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
        """A row for each preset, a mark for each element: our bytes over those of the best peer. Each is a preset, an element, the ratio,
        and whether the peer keeps the contract."""
        subjects = sorted({subject for subject, *_ in rows})
        elements = list(dict.fromkeys(element for _, element, *_ in rows))
        figure, panel = self.pyplot.subplots(figsize=(6.4, 0.8 + 0.2 * len(subjects)))
        panel.axvline(1, color=LINE[0], linewidth=1)
        panel.grid(axis='both', linewidth=0.6)
        for at, element in enumerate(elements):
            for kept in (True, False):
                marked = [(subject, ratio) for subject, of, ratio, keeps in rows if of == element and keeps == kept]
                colour = FEW_TO_MANY[1 + at % 3][0]
                panel.plot([ratio for _, ratio in marked], [subjects.index(subject) for subject, _ in marked],
                           MARKERS[at % len(MARKERS)], color=colour, markersize=5, markerfacecolor=colour if kept else 'none',
                           label=f'{element} bytes' * element.isdigit() or element if kept else None)
        panel.plot([], [], 'o', color=LINE[0], markersize=5, markerfacecolor='none', label='the peer promises less')
        panel.set_yticks(range(len(subjects)))
        panel.set_yticklabels(subjects)
        panel.set_ylim(len(subjects) - 0.5, -0.5)
        panel.set_xlim(0, max(1.2, max(ratio for _, _, ratio, _ in rows) * 1.05))
        panel.set_xlabel('bytes for an element: ours / best peer of the contract; left of 1, ours is smaller')
        panel.tick_params(length=2)
        panel.legend(loc='upper center', bbox_to_anchor=(0.5, -0.6 / (0.2 * len(subjects))), ncol=len(elements) + 1, handletextpad=0.2)
        return self.save(figure, name)

    def bars(self, name, title, ratios):
        """The times of all peers of a case, in those of the fastest hand-written loop."""
        order = sorted(ratios, key=ratios.get)
        figure, panel = self.pyplot.subplots(figsize=(6.4, 0.8 + 0.25 * len(order)))
        panel.axvline(1, color=LINE[0], linewidth=1)
        panel.grid(axis='x', linewidth=0.6)
        low, high = min(0.8, *ratios.values()) / 1.3, max(ratios.values()) * 1.4
        for at, peer in enumerate(order):
            ratio = ratios[peer]
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


def draw(folder, pictures=PICTURES):
    """Draws them; returns their names."""
    with open(pictures, encoding='utf-8') as file:
        found = json.load(file)
    plots = Plots(folder)
    for name, of in found['times'].items():
        plots.times(name, of['hand-written'], {what: {peer: [Dot(*dot) for dot in dots] for peer, dots in peers.items()}
                                               for what, peers in of['panels'].items()})
    if found['memory']:
        plots.memory('memory', found['memory'])
    return [*found['times'], *['memory'] * bool(found['memory'])]


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    draw(sys.argv[1])
