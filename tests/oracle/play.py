#!/usr/bin/env python3
"""Runs containers against the model of this folder: random calls, compared after each.

    tests/oracle/play.py [SPEC ...] [--container NAME] [--seed 1] [--runs 4] [--steps 120] [--compiler 'tcc -std=c11']
    tests/oracle/play.py --drawn FIRST:LAST [--count 12] ...

With --drawn the containers are those of drawn.py with these seeds. It prints the containers that are not run, and why; for each disagreement the seed and the last calls. Exit code: 0, or 1 if there was one.
"""

import argparse
import contextlib
import ctypes
import glob
import os
import shlex
import signal
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [ROOT, os.path.dirname(os.path.abspath(__file__))]

import drawn  # noqa: E402
from built import Built  # noqa: E402
from driver import Run  # noqa: E402
from layered_run import LayeredRun  # noqa: E402
from model import Wrong  # noqa: E402


def in_a_child(subject, library, seed, steps):
    """What went wrong in a run: text, or nothing. A crash ends only the child."""
    out, back = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(out)
        signal.setitimer(signal.ITIMER_PROF, 20)  # a loop that does not end; of its own time, whatever else runs here
        run = (LayeredRun if subject.of else Run)(subject, library, seed, steps)
        if os.environ.get('ORACLE_TRACE'):
            run.trace = Printed()
        text = ''
        try:
            run.go()
        except Wrong as wrong:
            text = '%s\n    %s' % (wrong, '\n    '.join(run.trace[-int(os.environ.get('ORACLE_CALLS', 30)):]))
        except Exception:
            import traceback
            text = traceback.format_exc() + '\n    '.join(run.trace[-20:])
        os.write(back, text.encode()[:60000])
        os._exit(0)
    os.close(back)
    text = b''
    while True:
        part = os.read(out, 65536)
        if not part:
            break
        text += part
    os.close(out)
    _, status = os.waitpid(child, 0)
    if status != 0:
        return 'it crashed (status %d): ORACLE_TRACE=1 prints the calls' % status
    return text.decode()


class Printed(list):
    """A trace that is seen also if the program crashes."""

    def append(self, line):
        sys.stderr.write(line + '\n')
        list.append(self, line)


def specs_of(options):
    """Functions that give the path of a spec, given a folder."""
    if options.drawn:
        first, _, last = options.drawn.partition(':')
        return [lambda folder, seed=seed: drawn.write(folder, seed, options.count, options.container) for seed in range(int(first), int(last or first) + 1)]
    paths = options.specs or sorted(glob.glob(os.path.join(ROOT, 'specs', '*.yaml')) + glob.glob(os.path.join(ROOT, 'tests', 'specs', '*.yaml')))
    return [lambda folder, path=path: path for path in paths]


@contextlib.contextmanager
def folder_for(options):
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
        yield options.keep
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield folder


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('specs', nargs='*')
    arguments.add_argument('--container')
    arguments.add_argument('--seed', type=int, default=1)
    arguments.add_argument('--runs', type=int, default=4)
    arguments.add_argument('--steps', type=int, default=120)
    arguments.add_argument('--compiler', default='tcc -std=c11')
    arguments.add_argument('--drawn')
    arguments.add_argument('--count', type=int, default=12)
    arguments.add_argument('--without', default='', help='draws that are left out, by their names: twins, lost, range, resort, clear, swap_places, ...')
    arguments.add_argument('--keep', help='a folder for what is generated')
    options = arguments.parse_args()
    wrong = ran = 0
    for spec_in in specs_of(options):
        with folder_for(options) as folder:
            spec = spec_in(folder)
            built = Built(spec, folder)
            done = built.compile(shlex.split(options.compiler))
            if done.returncode != 0:
                print('%s does not compile:\n%s' % (spec, done.stdout[:2000]))
                wrong += 1
                continue
            try:
                library = ctypes.CDLL(built.library)
            except OSError as why:  # it calls what is not there
                print('%s does not load: %s' % (spec, why))
                wrong += 1
                continue
            for name, why in built.left_out.items():
                if options.container in (None, name):
                    print('%s is not run: %s' % (name, why))
            for subject in built.subjects:
                subject.without = frozenset(options.without.split(','))
                if options.container not in (None, subject.T):
                    continue
                ran += 1
                for seed in range(options.seed, options.seed + options.runs):
                    text = in_a_child(subject, library, seed, options.steps)
                    if text:
                        wrong += 1
                        print('%s, seed %d: %s' % (subject.T, seed, text), flush=True)
                        break
    print('%d containers, %d runs of %d calls each, %d disagreements' % (ran, options.runs, options.steps, wrong))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
