#!/usr/bin/env python3
"""Runs the benchmarks case by case, peers interleaved, and prints the ratios of their medians.

    bench/run.py [--programs build/bench] [--only REGEX] [--repetitions 9] [--min-time 0.02] [--json FILE]

A case is all that is before the last part of a benchmark's name (see bench.hh). Its peers run in one process, in random order and by
turns (Google Benchmark's random interleaving), so that what disturbs the machine disturbs all. A peer that computed something else
ends the run. The spread is that of the ratio: from the first to the third quartile of the peer's times over our median.
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

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PARTS = 5   # workload, size, n, what, peer


def names(program):
    """The benchmarks of a program: name as it is there, split into case and peer."""
    listed = subprocess.run([program, '--benchmark_list_tests'], stdout=subprocess.PIPE, encoding='utf-8', check=True).stdout
    for line in listed.split():
        parts = line.split('/')
        yield '/'.join(parts[:PARTS - 1]), parts[PARTS - 1]


def run_case(program, case, repetitions, min_time):
    """The times of each peer of a case, in seconds for one iteration."""
    exactly = re.sub(r'([][.+*?(){}|^$\\])', r'\\\1', case)      # re.escape escapes more than POSIX allows
    handle, path = tempfile.mkstemp(suffix='.json')
    os.close(handle)
    try:
        subprocess.run([program, f'--benchmark_filter=^{exactly}/', f'--benchmark_repetitions={repetitions}',
                        '--benchmark_enable_random_interleaving=true', f'--benchmark_min_time={min_time}',
                        f'--benchmark_out={path}', '--benchmark_out_format=json'],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        with open(path, encoding='utf-8') as file:
            found = json.load(file)
    finally:
        os.unlink(path)
    times = {}
    unit = {'ns': 1e-9, 'us': 1e-6, 'ms': 1e-3, 's': 1}
    for one in found['benchmarks']:
        if one.get('error_occurred'):
            sys.exit(f"{one['name']}: {one['error_message']}")
        if one['run_type'] == 'iteration':
            parts = one['run_name'].split('/')
            time = one['real_time'] if 'manual_time' in parts else one['cpu_time']
            times.setdefault(parts[PARTS - 1], []).append(time * unit[one['time_unit']])
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('--programs', default=os.path.join(ROOT, 'build', 'bench'))
    parser.add_argument('--only', default='')
    parser.add_argument('--repetitions', type=int, default=9)
    parser.add_argument('--min-time', type=float, default=0.02)
    parser.add_argument('--json')
    args = parser.parse_args()

    rows = []
    for program in sorted(glob.glob(os.path.join(args.programs, 'bench_*'))):
        if not os.access(program, os.X_OK) or os.path.isdir(program):
            continue
        cases = {}
        for case, peer in names(program):
            if re.search(args.only, f'{case}/{peer}'):
                cases.setdefault(case, []).append(peer)
        for case in cases:
            times = run_case(program, case, args.repetitions, args.min_time)
            rows.append({'case': case, 'times': times})
            medians = {peer: statistics.median(of) for peer, of in times.items()}
            ours = [peer for peer in medians if peer.startswith('bespoke')] or list(medians)[:1]
            print(f'{case}')
            for own in ours:
                for peer, median in sorted(medians.items(), key=lambda item: item[1]):
                    low, _, high = statistics.quantiles(times[peer], n=4)
                    print(f'    {own} / {peer}: {medians[own] / median:.2f} ({medians[own] / high:.2f} to {medians[own] / low:.2f})'
                          f'   {median * 1e6:.1f} us')
            sys.stdout.flush()
    if args.json:
        with open(args.json, 'w', encoding='utf-8') as file:
            json.dump({'bench': 'run', 'rows': rows}, file, indent=1)


if __name__ == '__main__':
    main()
