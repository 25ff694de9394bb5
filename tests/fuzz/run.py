#!/usr/bin/env python3
"""Fuzzes a container of each kind of storage (storage.yaml), by its generated test as a fuzz target.

    tests/fuzz/run.py [--seconds 0] [--container NAME] [--afl] [--keep] [--trace game.trace [--spec lists.yaml] [-I FOLDER]]

Each begins with its inputs in tests/fuzz/corpus, a line of hexadecimal digits for each. With --seconds 0 these are run once, else it goes
on with libFuzzer, or with --afl AFL++, for so long. --trace also begins with what a program has recorded with BESPOKE_TRACE=2: each container with what was done
with that of its name in the trace, or if there is none with all of it; --spec fuzzes the containers of another spec. --keep writes back, for each, the smallest inputs that reach what was reached. Exit code: 0, 1
after a failure, which is printed with the bytes that cause it, or 5 without the compiler.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.dirname(HERE))

import machine  # noqa: E402
import seeds  # noqa: E402

CORPUS = os.path.join(HERE, 'corpus')
SPEC = os.path.join(HERE, 'storage.yaml')
THINGS = os.path.join(ROOT, 'tests', 'specs')
SANITIZERS = ['-fsanitize=address,undefined', '-fno-sanitize-recover=undefined']
LIMITS = ['-max_len=600', '-timeout=60', '-rss_limit_mb=0']


def corpus_of(name):
    """The inputs that are checked in."""
    try:
        with open(os.path.join(CORPUS, name + '.txt'), encoding='ascii') as file:
            return [bytes.fromhex(line) for line in file]
    except FileNotFoundError:
        return []


class Fuzzer:
    """The fuzz target, built once for all containers."""

    def __init__(self, folder, afl, spec=SPEC, include=THINGS, recorded=None):
        self.folder, self.afl, self.recorded, self.ours = folder, afl, recorded or {}, spec == SPEC
        source = os.path.splitext(os.path.basename(spec))[0] + '_fuzz.c'
        subprocess.run([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', spec, '--fuzz', '--no-format', '-o', folder, '-I', include], check=True)
        self.program = os.path.join(folder, 'fuzz')
        subprocess.run([*(['afl-clang-fast', '-fsanitize=fuzzer,address'] if afl else ['clang', '-fsanitize=fuzzer', *SANITIZERS]), '-g', '-O1', '-w', '-I', include,
                        os.path.join(folder, source), '-o', self.program], check=True, stdout=subprocess.DEVNULL)

    def run(self, name, *arguments):
        return subprocess.run([*arguments], env={**os.environ, 'BESPOKE_CONTAINER': name, 'AFL_SKIP_CPUFREQ': '1', 'AFL_NO_UI': '1', 'AFL_NO_AFFINITY': '1',
                                                 'AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES': '1'},
                              cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8', errors='replace')

    def inputs(self, name):
        """The folder with the corpus of a container."""
        folder = os.path.join(self.folder, 'corpus_' + name)
        os.makedirs(folder, exist_ok=True)
        recorded = self.recorded.get(name) or [data for each in self.recorded.values() for data in each]
        for number, data in enumerate((corpus_of(name) if self.ours else []) + recorded):
            with open(os.path.join(folder, '%04d' % number), 'wb') as file:
                file.write(data)
        return folder

    def fuzz(self, name, seconds):
        """(whether it passed, what to print of it)"""
        corpus = self.inputs(name)
        if self.afl:
            return self.afl_fuzz(name, seconds, corpus)
        limit = '-max_total_time=%d' % seconds if seconds else '-runs=0'
        done = self.run(name, self.program, *LIMITS, limit, '-artifact_prefix=%s/found-' % self.folder, corpus)
        runs = re.findall(r'^Done (\d+) runs in (\d+) second', done.stdout, re.MULTILINE)
        if done.returncode or not runs:
            found = [path for path in sorted(os.listdir(self.folder)) if path.startswith('found-')]
            return False, done.stdout[-6000:] + ''.join('%s %s\n' % (path, self.bytes_of(path)) for path in found)
        cov, inputs = (re.findall(pattern, done.stdout) for pattern in (r'cov: (\d+)', r'corp: (\d+)/'))
        return True, '%s runs, %s edges, %s inputs' % (runs[0][0], cov[-1], inputs[-1])

    def afl_fuzz(self, name, seconds, corpus):
        out = os.path.join(self.folder, 'afl_' + name)
        done = self.run(name, 'afl-fuzz', '-V', str(seconds or 1), '-m', 'none', '-i', corpus, '-o', out, '--', self.program)
        crashes = os.path.join(out, 'default', 'crashes')
        found = [os.path.join(crashes, path) for path in sorted(os.listdir(crashes)) if path != 'README.txt'] if os.path.isdir(crashes) else []
        if done.returncode or found:
            return False, (self.run(name, self.program, found[0]).stdout if found else done.stdout)[-6000:] + ''.join(self.bytes_of(path) + '\n' for path in found)
        with open(os.path.join(out, 'default', 'fuzzer_stats'), encoding='utf-8') as file:
            stats = dict(re.findall(r'^(\w+) *: (.*)$', file.read(), re.MULTILINE))
        return True, '%s runs, %s edges, %s inputs' % (stats['execs_done'], stats['edges_found'], stats['corpus_count'])

    def bytes_of(self, path):
        with open(os.path.join(self.folder, path), 'rb') as file:
            return file.read().hex()

    def keep(self, name, folder):
        """Writes the smallest inputs that reach all edges into the repository."""
        small = os.path.join(self.folder, 'small_' + name)
        os.makedirs(small)
        done = self.run(name, self.program, *LIMITS, '-merge=1', '-use_counters=0', small, folder)
        assert done.returncode == 0, done.stdout[-3000:]
        kept = []
        for path in os.listdir(small):
            with open(os.path.join(small, path), 'rb') as file:
                kept.append(file.read())
        os.makedirs(CORPUS, exist_ok=True)
        with open(os.path.join(CORPUS, name + '.txt'), 'w', encoding='ascii') as file:
            file.writelines(data.hex() + '\n' for data in sorted(kept, key=lambda data: (len(data), data)))
        return len(kept)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--seconds', type=int, default=0)
    parser.add_argument('--container')
    parser.add_argument('--afl', action='store_true')
    parser.add_argument('--keep', action='store_true')
    parser.add_argument('--trace')
    parser.add_argument('--spec', default=SPEC)
    parser.add_argument('-I', dest='include', default=THINGS)
    options = parser.parse_args()
    if shutil.which('afl-clang-fast') is None if options.afl else not machine.has_fuzzer('address', 'undefined'):
        print('needs clang' + (' and AFL++: apt-get install afl++' if options.afl else ' with libFuzzer, and its programs to run'))
        return 5
    with open(options.spec, encoding='utf-8') as file:
        names = re.findall(r'^  (\w+):', file.read().partition('containers:')[2], re.MULTILINE)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(folder, options.afl, options.spec, options.include, seeds.seeds(options.trace) if options.trace else None)
        for name in [options.container] if options.container else names:
            passed, text = fuzzer.fuzz(name, options.seconds)
            failed += not passed
            print('%-14s%s' % (name, text), flush=True)
            if options.keep and passed and not options.afl:
                print('%-14s%d kept' % (name, fuzzer.keep(name, fuzzer.inputs(name))), flush=True)
    print('%d containers, %s for each, %d failed' % (len(names) if not options.container else 1, '%d s' % options.seconds if options.seconds else 'the corpus', failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
