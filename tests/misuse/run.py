#!/usr/bin/env python3
"""Misuses containers, each class of misuse in a process of its own, and prints what finds it.

    tests/misuse/run.py [SPEC ...] [--container NAME] [--class NAME] [--share N] [--page] [--lines]

The classes are fragments of C in classes.py: what the contract forbids, and what only looks so. Each is compiled for each container that
has what it needs, by the interfaces of tests/oracle, in three builds: with checks, chaos and AddressSanitizer (found, or not), with
ThreadSanitizer (where a class needs it), and without any (what happens then). A class that is forbidden must be found, but where classes.py
says that nothing finds it; one that is allowed must end quietly in each build. --page writes the table into docs/assurance.md, --share
takes the share of specs whose turn it is (tests/turns.py). Exit code: 0, or 1 if anything is not as classes.py says.
"""

import argparse
import collections
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [ROOT, HERE, os.path.join(ROOT, 'tests', 'oracle'), os.path.join(ROOT, 'tests')]

import machine  # noqa: E402
import turns  # noqa: E402
from adapter import Adapter  # noqa: E402
from built import Built  # noqa: E402
from classes import CLASSES  # noqa: E402
from generator.text.naming import plain  # noqa: E402

SPECS = sorted(glob.glob(os.path.join(ROOT, 'specs', '*.yaml'))) \
    + [os.path.join(ROOT, 'tests', 'specs', name + '.yaml') for name in ('passes_fail_fast', 'hooked', 'keys', 'particles', 'plain', 'indexed', 'rekeyed', 'workers')]
# Those that classes of their own are for, and what these are called.
OWN = {os.path.join(ROOT, 'tests', 'specs', name + '.yaml'): kinds for name, kinds in (
    ('scans', ('scan-',)), ('kept', ('keep-',)), ('passes_none', ('reader',)))}
PAGE = os.path.join(ROOT, 'docs', 'assurance.md')
BEGIN, END = '<!-- made by tests/misuse/run.py --page -->\n', '<!-- end of what it makes -->\n'

DEFINES = ['-DBESPOKE_CHECKS=1', '-DBESPOKE_CHAOS=2']
BUILDS = {'watched': ['gcc', '-std=gnu11', '-g1', '-O0', '-w', '-fsanitize=address', *DEFINES],
          'threads': ['gcc', '-std=gnu11', '-g1', '-O0', '-w', '-fsanitize=thread', '-pthread'],
          'plain': [*(['tcc'] if shutil.which('tcc') else ['gcc', '-std=gnu11', '-O0']), '-w', '-pthread']}
LIMIT = 2  # seconds of computing for one process


class Case:
    """A class with one container, as text of C."""

    def __init__(self, kind, subject, functions):
        self.kind, self.subject = kind, subject
        fits = kind.when is None or kind.when(subject)
        self.code = None if not fits else kind.code(subject) if callable(kind.code) else kind.code  # of what is called by names of the spec
        self.functions = functions  # of the adapter

    def fits(self):
        kind, s = self.kind, self.subject
        calls = self.code is not None and re.findall(r'\b([oT])_(\w+)\(', 'o_add(' + self.code + kind.hook)
        return calls and all(name in (self.functions if whose == 'o' else s.operations) for whose, name in calls)

    def quiet(self):
        """Does nothing find it, by what classes.py says?"""
        return self.kind.escapes is not None and self.kind.escapes(self.subject)

    def text(self, name):
        hook = ''
        if self.kind.hook:
            hook = 'static void %s_told(int number, int l, int kinds, int tag)\n{\n    %s\n}\n' % (name, self._spelled(self.kind.hook))
        return '%sstatic void %s(void)\n{\n    %s%s\n}\n' % (
            hook, name, 'told = %s_told;\n    ' % name if hook else '', self._spelled(self.code))

    def _spelled(self, code):
        s = self.subject
        code = re.sub(r'\bo_(\w+)', r'o%d_\1' % s.number, code)
        code = re.sub(r'\bL([01])\b', r'o%d_l[\1]' % s.number, code)
        code = re.sub(r'\bC([01])\b', r'o%d_c[\1]' % s.number, code)
        adapter = Adapter(s)
        code = re.sub(r'\bT_(\w+)\(([^()]*)\)', lambda call: adapter.call(call.group(1), *filter(None, call.group(2).split(', '))), code)
        numbers = {name: number for number, name in s.statuses.items()}
        code = re.sub(r'\bSTATUS\((\w+)\)', lambda status: str(numbers.get(status.group(1), -100)), code)
        for word, means in (('T_MOST', s.plan.parts.passes.limit), ('T_cursor', s.names.cursor), ('T_range', s.names.range),
                            ('T_const_cursor', s.names.const_cursor), ('T_scan', s.names.scan),
                            ('T', str(s.names)), ('E', s.E), ('NONE', s.plan.parts.nil), ('KEY', s.key), ('RANK', s.rank), ('INDEX', s.settings['index.field'])):
            code = re.sub(r'\b%s\b' % word, str(means), code)
        return code


def program(built, stem, cases):
    """The source of a program that runs all of these, each in a process of its own."""
    texts, table = [], []
    for subject in built.subjects:
        mine = [case for case in cases if case.subject is subject]
        if mine:
            texts.append(common(subject, mine[0].functions))
        for case in mine:
            name = 'case_%d' % len(table)
            texts.append(case.text(name))
            table.append('{%s, o%d_finish}' % (name, subject.number))
    with open(os.path.join(HERE, 'runtime.c'), encoding='utf-8') as file:
        before, after = file.read().split('/* CASES */\n')
    return '#include "%s_oracle.c"\n%s%s\nstatic const struct bm_case bm_cases[] = {%s};\n%s' % (
        stem, before, plain('\n'.join(texts)), ', '.join(table), after)


def common(subject, functions):
    """What all fragments may call."""
    n = subject.number
    drop = 'o%d_remove(l, tag)' % n if 'remove' in functions else \
        'o%d_note(l, tag, 4000), o%d_remove_handle(l, 4000)' % (n, n) if 'remove_handle' in functions else \
        'o%d_remove_key(l, tag)' % n if 'remove_key' in functions else '-1'
    keys = ''.join('o%d_value(%d, tag, tag); ' % (n, index.number) for index in subject.indexes if index.unique and index.role == index.number)
    return ('static int o%d_put(int l, int tag)\n{\n    %sreturn o%d_add(l, tag, tag, tag, 0);\n}\n'
            'static void o%d_fill(int l, int count)\n{\n    int tag;\n    for (tag = 1; tag <= count; tag++) o%d_put(l, tag);\n}\n'
            'static int o%d_drop(int l, int tag)\n{\n    return %s;\n}\n'
            'static void o%d_finish(void)\n{\n    int l;\n    for (l = 0; l < 2; l++) {\n        if (o%d_check(l)) bm_wrong("T_check: ", said);\n    }\n'
            '    o%d_close();\n}\n'
            'static void *o%d_adds(void *nothing)\n{\n    o%d_fill(0, 90);\n    return nothing;\n}\n' % (n, keys, n, n, n, n, drop, n, n, n, n, n))


Result = collections.namedtuple('Result', 'case outcome text')


def outcome(status, text, prefix):
    """How a process ended: a word for the table."""
    if 'ThreadSanitizer' in text:
        return 'ThreadSanitizer'
    if 'LeakSanitizer' in text:
        return 'LeakSanitizer'
    if 'AddressSanitizer' in text:
        return 'AddressSanitizer'
    if status.startswith('exit '):
        if status == 'exit 0':
            return 'nothing'
        return 'T_check' if text.startswith('T_check: ') else 'wrong result'
    if status in ('signal 14', 'signal 24'):
        return 'no end'
    if status == 'signal 6':
        if re.match(r'%s_\w+: \d+ passes are live: ' % re.escape(prefix), text):
            return 'stopped'  # also without checks
        if re.match(r'%s_\w+: ' % re.escape(prefix), text):
            return 'checks'
    return 'crash'


def run(build, folder, stem, source, include, cases, more):
    """Compiles the cases and runs each: results in their order."""
    file, binary = os.path.join(folder, stem + '_misuse.c'), os.path.join(folder, stem + '_' + build)
    with open(file, 'w', encoding='utf-8') as out:
        out.write(source)
    done = subprocess.run(BUILDS[build] + include + [file] + more + ['-o', binary], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    if done.returncode != 0:
        sys.exit('%s, %s:\n%s' % (stem, build, done.stdout[:3000]))
    options = 'symbolize=0:detect_leaks=%d:halt_on_error=1:allocator_may_return_null=1:report_signal_unsafe=0'
    environment = {**os.environ, 'ASAN_OPTIONS': options % 1, 'TSAN_OPTIONS': 'symbolize=0:halt_on_error=1'}
    done = subprocess.run([binary, str(LIMIT)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
    parts = done.stdout.decode(errors='replace').split('\x1e')
    assert len(parts) == len(cases) + 1 and done.returncode == 0, (stem, build, done.returncode, len(parts), len(cases), done.stdout[-2000:])
    results = []
    for case, part in zip(cases, parts):
        text, _, status = part.rpartition('\x1f')
        results.append(Result(case, outcome(status, text.strip(), case.subject.T), text.strip()))
    return results


def of_spec(path, options):
    """The cases of a spec: for each build its results."""
    stem = os.path.splitext(os.path.basename(path))[0]
    with tempfile.TemporaryDirectory() as folder:
        built = Built(path, folder)
        cases = []
        for subject in built.subjects:
            if options.container in ('', subject.T) and not subject.settings['emit.freestanding']:  # there misuse is a trap, without words
                with open(built.sources[1], encoding='utf-8') as file:
                    functions = set(re.findall(r'\bo%d_(\w+)\(' % subject.number, file.read())) | {'put', 'fill', 'adds'}
                    if functions & {'remove', 'remove_handle', 'remove_key'}:
                        functions.add('drop')
                cases += [case for case in (Case(kind, subject, functions) for kind in CLASSES if kind.name.startswith(OWN.get(os.path.abspath(path), '')))
                          if options.kind in ('', case.kind.name) and case.fits()]
        found = {}
        for build in BUILDS:
            mine = [case for case in cases if (build == 'threads') == case.kind.threads]
            if mine:
                found[build] = run(build, folder, stem, program(built, stem, mine), built.include, mine, built.sources[:1])
        return attributed(found), built.left_out


def attributed(found):
    """What a program's own expectation notices is found by chaos if it holds without, and by nothing if it fails there as well."""
    plain = {result.case: result.outcome for result in found.get('plain', ())}
    for build, results in found.items():
        if build != 'plain':
            found[build] = [result._replace(outcome='chaos' if plain.get(result.case) == 'nothing' else 'nothing')
                            if result.case.kind.forbidden and result.outcome == 'wrong result' else result for result in results]
    return found


def judged(found):
    """What is not as classes.py says."""
    problems = []
    for build, results in found.items():
        for result in results:
            kind = result.case.kind
            says = '%s, %s, %s: %s' % (result.case.subject.T, kind.name, build, result.outcome + (' (%s)' % result.text.splitlines()[0][:150] if result.text else ''))
            if not kind.forbidden:
                if result.outcome != 'nothing':
                    problems.append(says + ', and the contract allows it')
            elif build != 'plain' and (result.outcome == 'nothing') != result.case.quiet():
                problems.append(says + (', and nothing finds it by classes.py' if result.case.quiet() else ', and it is forbidden'))
            elif build == 'watched' and kind.by and not result.case.quiet() and result.outcome != kind.by:
                problems.append(says + ', and it must be found by: ' + kind.by)
            elif build != 'plain' and result.outcome in ('crash', 'no end'):
                problems.append(says + ', and no tool says what is wrong')
    return problems


def table(every):
    """The rows of the page, from the results of all specs."""
    lines = ['| forbidden | containers | found by | without checks and tools |', '| --- | --- | --- | --- |']
    allowed = ['| allowed | containers |', '| --- | --- |']

    def counted(results):
        count = collections.Counter(result.outcome for result in results)
        return ', '.join(word if len(count) == 1 else '%s %d' % (word, number) for word, number in sorted(count.items(), key=lambda each: (-each[1], each[0])))
    for kind in CLASSES:
        watched, plain = ([result for found in every for build, results in found.items() for result in results
                           if result.case.kind is kind and (build == 'plain') == without] for without in (False, True))
        if kind.forbidden and watched:
            lines.append('| %s | %d | %s | %s |' % (kind.says, len(watched), counted(watched).replace('nothing', '**nothing**'), counted(plain) or 'not run: timing'))
        elif watched:
            allowed.append('| %s | %d |' % (kind.says, len(watched)))
    return '\n'.join(lines) + '\n\nNo alarm, in any build, and the result that the contract promises:\n\n' + '\n'.join(allowed) + '\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('specs', nargs='*')
    parser.add_argument('--container', default='')
    parser.add_argument('--class', dest='kind', default='')
    parser.add_argument('--share', type=int, default=1)
    parser.add_argument('--page', action='store_true', help='write the table into docs/assurance.md')
    parser.add_argument('--lines', action='store_true', help='print each result')
    options = parser.parse_args()
    specs = options.specs or turns.share(SPECS + list(OWN), options.share)
    if not machine.runs(*BUILDS['watched']):
        print('needs gcc with AddressSanitizer, and its programs to run')
        sys.exit(5)
    if not machine.runs(*BUILDS['threads']):
        print('not tried, since no program runs under ThreadSanitizer here: threads')
        del BUILDS['threads']
    every, problems = [], []
    for path in specs:
        found, left_out = of_spec(path, options)
        every.append(found)
        problems += judged(found)
        for name, why in left_out.items():
            print('%s is not misused: %s' % (name, why))
        if options.lines:
            for build, results in found.items():
                for result in results:
                    print('%s\t%s\t%s\t%s\t%s' % (result.case.subject.T, result.case.kind.name, build, result.outcome, result.text.splitlines()[0][:160] if result.text else ''))
    text = table(every)
    if options.page:
        with open(PAGE, encoding='utf-8') as file:
            before, _, rest = file.read().partition(BEGIN)
        with open(PAGE, 'w', encoding='utf-8') as file:
            file.write(before + BEGIN + '\n' + text + '\n' + END + rest.partition(END)[2])
    if not options.page and not options.lines:
        print(text)
    for line in problems:
        print(line)
    cases = sum(len(results) for found in every for build, results in found.items() if build != 'plain')
    print('%d classes, %d specs, %d cases, %d not as they should be' % (len(CLASSES), len(specs), cases, len(problems)))
    sys.exit(1 if problems else 0)


if __name__ == '__main__':
    main()
