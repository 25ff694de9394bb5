#!/usr/bin/env python3
"""Proves contracts of emitted C with Frama-C's WP: generates a spec, runs the provers over each function, prints what is not proven.

Exits with 0 if all goals are proven, 1 if some are not, 2 if the spec is wrong, 3 if a tool is missing.
"""

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TOOLS = {'frama-c': 'frama-c-base', 'why3': 'why3', 'cvc4': 'cvc4', 'z3': 'z3', 'gcc': 'gcc'}  # command: Debian's package
PROVERS = 'cvc4,z3'
# What compilers know of beyond C is left out; calls of memset get a contract for the type that they clear.
SETTINGS = ['-cpp-extra-args=-U__GNUC__ -I.', '-instantiate', '-wp', '-wp-rte', '-wp-cache', 'none', '-wp-prover', PROVERS,
            '-wp-warn-key', 'pedantic-assigns=inactive', '-c11']
_DEFINED = re.compile(r'^[\w *]*?\b(\w+)\([^;{}]*\)(?:\n\{| \{)', re.MULTILINE)


class Failed(Exception):
    """What stops a proof before there is one: the exit code, and why."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


def missing():
    """The packages whose commands are not there."""
    return sorted(package for command, package in TOOLS.items() if shutil.which(command) is None)


def run(command, folder, **environment):
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                          env={**os.environ, 'PWD': folder, **environment})  # Frama-C asks for it


class Proof:
    """A spec that is emitted into a folder, and its proofs there."""

    def __init__(self, spec, folder, includes=()):
        lacking = missing()
        if lacking:
            raise Failed(3, f"not installed: {', '.join(lacking)}; install with: apt-get install --no-install-recommends {' '.join(lacking)}")
        self.folder, self.stem = folder, os.path.splitext(os.path.basename(spec))[0]
        includes = [os.path.abspath(each) for each in (os.path.dirname(spec) or '.', *includes)]
        done = run([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', '-q', os.path.abspath(spec), '-o', '.', *(f'-I{each}' for each in includes)], folder)
        if done.returncode:
            raise Failed(2, done.stdout)
        self._settings = [SETTINGS[0] + ''.join(f' -I{each}' for each in includes), *SETTINGS[1:]]
        self._provers = {'WHY3CONFIG': os.path.join(folder, 'why3.conf')}
        done = run(['why3', 'config', 'detect'], folder, **self._provers)
        if done.returncode:
            raise Failed(3, done.stdout)

    @property
    def source(self):
        return os.path.join(self.folder, self.stem + '.c')

    def functions(self):
        """The functions that are emitted, by the type that their contracts are about."""
        found = {}
        for path in (os.path.join(self.folder, self.stem + '.h'), self.source):
            with open(path, encoding='utf-8') as stream:
                text = stream.read()
            text = re.sub(r'/\*.*?\*/', ' ', text, flags=re.DOTALL)
            for container in re.findall(r'typedef struct \w+ \{[^}]*\} (\w+)_cursor;', text):
                found.setdefault(container, [])
            for name in _DEFINED.findall(text):
                owner = max((each for each in found if name.startswith(each + '_')), key=len, default=None)
                if owner and not name.endswith(('_chaos_', '_misuse_')):
                    found[owner].append(name)
        return {owner: sorted(set(names)) for owner, names in found.items()}

    def prove(self, functions, seconds, jobs, file=None):
        """The goals that are not proven, and how many there are: None, if Frama-C stopped before."""
        done = run(['frama-c', *self._settings, '-wp-timeout', str(seconds), '-wp-par', str(jobs), '-wp-fct', ','.join(functions),
                    file or self.stem + '.c'], self.folder, **self._provers)
        counted = re.search(r'Proved goals: +(\d+) / (\d+)', done.stdout)
        if done.returncode or counted is None:
            raise Failed(1, done.stdout)
        open_goals = re.findall(r'^\[wp\] \[(?!Qed|CVC4|Z3)\w+\] Goal typed_(\w+)', done.stdout, re.MULTILINE)
        assert len(open_goals) == int(counted[2]) - int(counted[1]), done.stdout
        return open_goals, int(counted[2])


def spent():
    """The processor time of all that was run."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser(prog='script/prove', description='Proves the contracts of containers with `emit: {contracts: acsl}`.')
    parser.add_argument('spec', nargs='?', default=os.path.join(HERE, 'contracts.yaml'))
    parser.add_argument('-I', dest='includes', action='append', default=[], metavar='FOLDER', help='where headers are')
    parser.add_argument('--container', action='append', help='only this one')
    parser.add_argument('--seconds', type=int, default=30, help='for each goal and prover (30)')
    parser.add_argument('--jobs', type=int, default=os.cpu_count() or 1, help='provers side by side')
    arguments = parser.parse_args()
    whole = True
    with tempfile.TemporaryDirectory() as folder:
        try:
            proof = Proof(arguments.spec, folder, arguments.includes)
            for container, functions in proof.functions().items():
                if arguments.container and container not in arguments.container:
                    continue
                before = spent()
                left, goals = proof.prove(functions, arguments.seconds, arguments.jobs)
                whole = whole and not left
                print(f'{container}: {goals - len(left)} of {goals} goals of {len(functions)} functions are proven; {spent() - before:.0f} s of processor time', flush=True)
                for goal in left:
                    print(f'    not proven: {goal}', flush=True)
        except Failed as failed:
            print(f'script/prove: {failed}', file=sys.stderr)
            return failed.code
    return 0 if whole else 1


if __name__ == '__main__':
    sys.exit(main())
