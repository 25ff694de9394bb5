#!/usr/bin/env python3
"""Runs the benchmarks case by case, peers interleaved, and prints the ratios of their medians; then the table of bounds.

    bench/run.py [--programs build/bench] [--only REGEX] [--quick] [--minutes 15] [--resume] [--json FILE] [--list]

A case is all that is before the last part of a benchmark's name (see bench.hh). Its peers run in one process, in random order and by
turns (Google Benchmark's random interleaving), so that what disturbs the machine disturbs all. A peer that computed something else
ends the run. All cases are run in three rounds, minutes apart, each time in processes of their own: what a neighbour leaves of a
cache, and where pages happen to lie, stays as it is for seconds, and would look like a difference between peers. Each case has its
share of the minutes: it is repeated until its ratios are narrow, or the share is used up, 3 to 21 times in all. Beside each ratio
stands its 95 % interval (bootstrap, of the ratio of medians; see results.py).

--quick runs the corners only: the smallest and the largest size, 1000 elements and the most below 1000000, in 3 minutes.

Results are stored case by case in build/bench/results.json (or --json), from which bench/report.py makes the report. With --resume
or --only, cases that are not run stay in it as they are; otherwise it begins anew. --resume goes on in the round that was interrupted.
"""

import argparse
import glob
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import results
from results import Case, Problem

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PARTS = 5   # workload, size, n, what, peer
UNITS = {'ns': 1e-9, 'us': 1e-6, 'ms': 1e-3, 's': 1}
ROUNDS = 3
MOST = 21          # repetitions, in all rounds
ENOUGH = 7         # repetitions, where all ratios are narrow: more would say nothing new
NARROW = 0.02      # of a ratio, each way


def programs_of(folder):
    found = [path for path in sorted(glob.glob(os.path.join(folder, 'bench_*'))) if os.access(path, os.X_OK) and os.path.isfile(path)]
    if not found:
        raise Problem(f'{folder}: no benchmarks there: script/bench builds them')
    return found


def cases_of(program):
    """{case: peers} of a program."""
    listed = subprocess.run([program, '--benchmark_list_tests'], stdout=subprocess.PIPE, encoding='utf-8', check=True).stdout
    cases = {}
    for line in listed.split():
        parts = line.split('/')
        if len(parts) < PARTS:
            raise Problem(f'{os.path.basename(program)}: {line}: a benchmark is named workload/size/n/what/peer')
        peers = cases.setdefault(Case('/'.join(parts[:PARTS - 1])).name, [])
        if parts[PARTS - 1] in peers:
            raise Problem(f'{os.path.basename(program)}: {line} is there twice')
        peers.append(parts[PARTS - 1])
    return cases


def run_once(program, case, repetitions, min_time):
    """The times of each peer of a case, in seconds for one iteration."""
    exactly = re.sub(r'([][.+*?(){}|^$\\])', r'\\\1', case)      # re.escape escapes more than POSIX allows
    handle, path = tempfile.mkstemp(suffix='.json')
    os.close(handle)
    try:
        done = subprocess.run([program, f'--benchmark_filter=^{exactly}/', f'--benchmark_repetitions={repetitions}',
                               '--benchmark_enable_random_interleaving=true', f'--benchmark_min_time={min_time}',
                               f'--benchmark_out={path}', '--benchmark_out_format=json'],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding='utf-8', errors='replace')
        if done.returncode:
            raise Problem(f'{case}: {os.path.basename(program)} ended with {done.returncode}: {done.stderr.strip()}')
        with open(path, encoding='utf-8') as file:
            found = json.load(file)
    finally:
        os.unlink(path)
    times = {}
    for one in found['benchmarks']:
        if one.get('error_occurred'):
            raise Problem(f"{one['name']}: {one['error_message']}")
        if one['run_type'] == 'iteration':
            parts = one['run_name'].split('/')
            took = one['real_time'] if 'manual_time' in parts else one['cpu_time']
            times.setdefault(parts[PARTS - 1], []).append(took * UNITS[one['time_unit']])
    return times


def narrow(times):
    """Is each ratio of ours known well?"""
    for ours in results.ours_of(times):
        for peer in times:
            ratio = results.Ratio(times[ours], times[peer])
            if ratio.high - ratio.low > 2 * NARROW * ratio.value:
                return False
    return True


def run_round(program, case, peers, seconds, times, most):
    """`times` of the rounds before, and more: one of each peer, and up to `most` in all, as often as says something and the time allows."""
    begun = time.monotonic()
    times = {peer: list(times.get(peer, [])) for peer in peers}
    found = run_once(program, case, 1, 0.01)    # with what it takes to find out how many iterations are to be timed
    once = time.monotonic() - begun
    if sorted(found) != sorted(peers):
        raise Problem(f'{case}: without times: {", ".join(sorted(set(peers) ^ set(found)))}')
    while True:
        for peer, its in found.items():
            times[peer].extend(its)
        done = len(times[peers[0]])
        left = seconds - (time.monotonic() - begun)
        if done >= most or left < once * 2 or (done >= ENOUGH and narrow(times)):
            return times
        found = run_once(program, case, min(most - done, 4, int(left / once)), 0.02)


def corners(cases):
    """Of each kind of case the smallest and the largest size, 1000 elements and the most below a million."""
    kinds = {}
    for case in map(Case, cases):
        kinds.setdefault((case.workload, case.what), []).append(case)
    chosen = set()
    for kind in kinds.values():
        sizes = {case.size for case in kind}
        for size in {min(sizes), max(sizes)}:
            numbers = sorted(case.n for case in kind if case.size == size)
            few = [n for n in numbers if 1000 <= n < 1000000] or numbers
            chosen |= {case.name for case in kind if case.size == size and case.n in (few[0], few[-1])}
    return chosen


def print_case(row):
    """A row for each peer, a column for each of ours."""
    times = row['times']
    ours = results.ours_of(times)
    lines = [('', *ours)]
    for peer in sorted(times, key=lambda peer: -statistics.median(times[peer])):
        cells = [peer]
        for own in ours:
            ratio = results.Ratio(times[own], times[peer])
            cells.append('' if own == peer else f'{ratio.value:.3f} ({ratio.low:.3f} to {ratio.high:.3f})')
        lines.append(cells)
    widths = [max(map(len, column)) for column in zip(*lines)]
    print(row['case'])
    for line in lines:
        print('    ' + '  '.join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
    sys.stdout.flush()


def print_bounds(targets, compared):
    """The table of bounds, with what was measured."""
    print('\nWhere it must stand: ours / peer, the worst case of each. Below 1, ours is faster.\n')
    without = 0
    for bound, found in results.evaluate(targets, compared):
        if not found:
            without += 1
            continue
        met = sum(bound.met(one.ratio.value) for one in found)
        worst = found[0]
        word = 'met' if met == len(found) else 'missed'
        if word == 'missed' and all(bound.met(one.ratio.low) for one in found):
            word = 'missed, within the spread'
        print(f'  {word:26s}   {bound.row}: {bound.says()}; measured {worst.ratio.value:.3f} ({worst.ratio.low:.3f} to {worst.ratio.high:.3f})'
              f' in {worst.case.name}, {worst.ours} / {worst.peer}; {met} of {len(found)} met')
    if without:
        print(f'  not run: {without} of the {len(targets.bounds)} bounds')


def run(args):
    found = {program: cases_of(program) for program in programs_of(args.programs)}
    cases = {}
    for program, its in found.items():
        for case, peers in its.items():
            if case in cases:
                raise Problem(f'{case}: in two programs')
            cases[case] = peers
    machine = results.machine(args.programs)

    wanted = [(program, case, peers) for program, its in found.items() for case, peers in its.items()
              if any(re.search(args.only, f'{case}/{peer}') for peer in peers)]
    if args.quick:
        few = corners(cases)
        wanted = [one for one in wanted if one[1] in few]
    if args.list:
        for _, case, peers in wanted:
            print(f'{case}: {", ".join(peers)}')
        return 0
    targets = results.Targets(args.targets)
    targets.check(cases)
    if not wanted:
        raise Problem(f'--only {args.only}: no such case')

    stored = {'bench': 'run', 'machine': machine, 'rows': []}
    if (args.resume or args.only) and os.path.exists(args.json):
        stored = results.load([args.json])
        if stored['machine'] != machine:
            raise Problem(f'{args.json}: of another machine or compiler')
        stored['rows'] = [{'rounds': ROUNDS, **row} for row in stored['rows'] if sorted(row['times']) == sorted(cases.get(row['case'], []))]
    rows = {row['case']: row for row in stored['rows']}
    if args.resume:
        wanted = [one for one in wanted if one[1] not in rows or rows[one[1]]['rounds'] < ROUNDS]
    else:
        rows = {case: row for case, row in rows.items() if case not in {one[1] for one in wanted}}

    print(f'{len(wanted)} cases in {ROUNDS} rounds, about {args.minutes:g} minutes. Ours / peer: ratio of medians, and its 95 % interval.', flush=True)
    begun = time.monotonic()
    for number in range(1, ROUNDS + 1):
        end = begun + args.minutes * 60 * number / ROUNDS
        due = [one for one in wanted if one[1] not in rows or rows[one[1]]['rounds'] < number]
        for at, (program, case, peers) in enumerate(due):
            # What is left is shared; a case that needs less leaves more to the next.
            share = max(0, end - time.monotonic()) / (len(due) - at)
            since = time.monotonic()
            row = rows.get(case, {'case': case, 'times': {}, 'seconds': 0})
            times = run_round(program, case, peers, share, row['times'], MOST * number // ROUNDS)
            # Seconds of all peers and repetitions: for who makes cases smaller.
            rows[case] = {'case': case, 'times': times, 'rounds': number, 'load': round(os.getloadavg()[0], 1),
                          'seconds': round(row['seconds'] + time.monotonic() - since, 1)}
            if number == ROUNDS:
                print_case(rows[case])
            results.store(args.json, {'bench': 'run', 'machine': machine, 'rows': [rows[name] for name in cases if name in rows]})
        if number < ROUNDS:
            print(f'round {number} of {ROUNDS} is done', flush=True)
    ran = {case for _, case, _ in wanted} if args.only else rows
    print_bounds(targets, results.compare({'rows': [row for name, row in rows.items() if name in ran]}))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('--programs', default=os.path.join(ROOT, 'build', 'bench'))
    parser.add_argument('--targets', metavar='FILE', default=results.TARGETS, help='the bounds (bench/targets.yaml)')
    parser.add_argument('--only', metavar='REGEX', default='', help='cases in which a name of a benchmark matches')
    parser.add_argument('--quick', action='store_true', help='the corners, in 3 minutes')
    parser.add_argument('--minutes', type=float, help='about how long (15)')
    parser.add_argument('--resume', action='store_true', help='what an interrupted run has left undone')
    parser.add_argument('--json', metavar='FILE', help='where results are stored (build/bench/results.json)')
    parser.add_argument('--list', action='store_true', help='the cases and their peers')
    args = parser.parse_args()
    args.minutes = args.minutes or (3 if args.quick else 15)
    args.json = args.json or os.path.join(args.programs, 'results.json')
    try:
        sys.exit(run(args))
    except Problem as problem:
        sys.exit(f'bench: {problem}')
    except KeyboardInterrupt:
        sys.exit('\nbench: interrupted; --resume goes on')


if __name__ == '__main__':
    main()
