#!/usr/bin/env python3
"""Writes docs/performance.md from stored results, the picture of README and what the others are drawn of: the same from the same results.

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
from plots import Plots, count, number
from results import Case, Problem, Ratio

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Words, and what pictures are drawn of.

def spread(ratio):
    return f'{number(ratio.value)} ({number(ratio.low)} to {number(ratio.high)})'


def slug(text):
    return re.sub(r'[^a-z0-9]+', '-', text.lower()).strip('-')


def table(head, rows, right=()):
    """`right`: columns of numbers."""
    line = lambda cells: '| ' + ' | '.join(str(cell).replace('|', '\\|') for cell in cells) + ' |'
    marks = ['---:' if at in right else '---' for at in range(len(head))]
    return '\n'.join([line(head), line(marks), *map(line, rows)])


def code(text):
    return f'`{text}`'


def picture(name, alternative):
    """Where the site has a picture; elsewhere it is not seen."""
    return f'<!-- picture: performance/{name}.svg: {alternative} -->'


def exact(number):
    """As exact as a picture is."""
    return float(f'{number:.4g}')


def against_hand(row, targets):
    """The times of a case in those of the fastest hand-written loop: {peer: ratio}; none without one."""
    limits = [peer for peer in row['times'] if targets.limits.matches(Case(row['case']), '', peer)]
    unit = min(limits, key=lambda peer: statistics.median(row['times'][peer]), default=None)
    return {peer: Ratio(of, row['times'][unit]) for peer, of in row['times'].items()} if limits else {}


def times(rows, targets):
    """Of a workload, for plots.py: all times in each case; None without a hand-written loop."""
    panels, limits = {}, set()
    for row in rows:
        case = Case(row['case'])
        for peer, ratio in against_hand(row, targets).items():
            panels.setdefault(case.what, {}).setdefault(peer, []).append(
                [case.size, case.n, *map(exact, (ratio.value, ratio.low, ratio.high))])
            limits.update([peer] * targets.limits.matches(case, '', peer))
    return {'hand-written': sorted(limits), 'panels': panels} if panels else None


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


def memory(rows):
    its = compared_memory(rows)
    cells = [(row['contract'], code(row['subject']), row['element'], row['state'], f"{row['bytes']:.1f}", row['best'],
              f"{row['bytes'] / row['ratio']:.1f}", number(row['ratio']), row.get('lacks', '')) for row in its]
    above = sum(row['ratio'] > MEMORY_TOLERANCE and 'lacks' not in row for row in its)
    return f'''## Memory

Bytes for each element, measured under the allocator: all that `malloc` has handed out for the container, with the word it keeps for
itself, and what the container wants in elements that lie elsewhere. Over numbers of elements from 1024 to 2048, in the mean. `full`: all
were added one by one; `half`: every other one has been removed since; `shrunk`: and memory was freed. The peer is the best one of
the same contract; where none keeps it, the nearest, and what that lacks. {'No preset is' if not above else f'{above} are'} above the best peer
of the same contract, by more than 2 %.

{picture('memory', 'bytes of each preset for an element, beside those of the best peer')}

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
        worked = f"{row['processor']:.2g} s" if 'processor' in row else ''
        cells.append((name, worked, ratio, f"{row['most']:g}{'' if 'ratio' in row else ' ' + row['unit']}" if 'most' in row else '',
                      f"{bounded / row['most']:.2f}" if 'most' in row else '',
                      ('met' if bounded <= row['most'] else '**missed**') if 'most' in row else ''))
    return f'''## The generator

`start` and `one spec` are compared with `python3 -c "import jinja2, yaml"`; `specs` are as many in one call; `build` is a build of
200 containers, each in a spec of its own, after one of the specs has changed: how many were generated again, and how many sources compiled.
Files are formatted.

{table(('what', 'processor time', 'of its base', 'bound', 'of the bound', ''), cells, right=(1, 2, 3, 4))}
'''


def compact(drawn):
    """JSON with a line for each peer of each kind of case."""
    text = json.dumps(drawn, indent=1, ensure_ascii=False)
    return re.sub(r'\[\s+([^\[\]{}]*?)\s+\]', lambda numbers: '[%s]' % re.sub(r'\s+', ' ', numbers[1]), text) + '\n'


def write(path, text):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def report(found, more, docs, targets):
    """`found`: results of run.py; `more`: {name: rows} of the other measurements."""
    compared = results.compare(found)
    drawn = {'times': {}, 'memory': [[row['subject'], row['element'], exact(row['ratio']), 'lacks' not in row]
                                     for row in compared_memory(more.get('memory', [])) if row['state'] == 'full']}
    text = ['''# Performance

This page is a result: `script/bench --report` measured what follows on the machine named below, and wrote it. `script/pages` does
not make it again. Run it where your game runs: `script/bench --quick` takes three minutes and prints the same ratios.
The pictures of the workloads are drawn with the site (`script/pages --site`), or by `bench/plots.py FOLDER`.
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
        Plots(os.path.join(docs, 'performance')).bars(
            'summary', targets.plot['title'], {peer: ratio.value for peer, ratio in against_hand(readme, targets).items()})
    for workload in dict.fromkeys(one.case.workload for one in compared):
        its = [one for one in compared if one.case.workload == workload]
        what = targets.workloads.get(workload, '')
        found_times = times([row for row in found['rows'] if Case(row['case']).workload == workload], targets)
        text += [f'## {workload.capitalize()}', '', what.strip(), '']
        if found_times:
            drawn['times'][slug(workload)] = found_times
            text += [picture(slug(workload), f'{workload}: times in those of the fastest hand-written loop, a dot for each case'), '']
        text += ['<details><summary>All ratios</summary>', '', numbers_of(its), '</details>', '']
    for name, section in (('memory', memory), ('build_cost', build_cost), ('generator', generator)):
        if name in more:
            text.append(section(more[name]))
    write(os.path.join(docs, 'performance', 'pictures.json'), compact(drawn))
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
