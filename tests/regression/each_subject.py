"""Compiles a program for each container of a spec that subjects.h knows, and runs it; then once more, strict.

    each_subject.py <program.c> <folder with the generated files> <spec> <container>...

Strict: misuse stops the program, and everything is broken that nothing promises. The programs only have to run, so they are
compiled with tcc, where there is one. CC compiles a share of them as well, in turns, with all warnings; of many containers a third
takes its turn. All of it in a full run.
"""

import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path.insert(0, TESTS)

from turns import share, turn  # noqa: E402

WARNINGS = ('-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wundef -Wstrict-prototypes -Werror').split()
STRICT = ['-DBESPOKE_CHECKS=1', '-DBESPOKE_CHAOS=2']
CC = os.environ.get('CC') or 'cc'


def run(command, folder):
    # glibc overwrites what is given back: who goes on reading it is found.
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                          errors='replace', timeout=120, env=dict(os.environ, MALLOC_PERTURB_='165'))


def main():
    program, generated, spec, *containers = sys.argv[1:]
    folders = ['-I' + path for path in (generated, HERE, os.path.join(os.path.dirname(TESTS), 'specs'), os.path.join(TESTS, 'specs'))]
    quick = [shutil.which('tcc')] if shutil.which('tcc') else []
    if len(containers) > 6:  # the next third with the next commit
        containers = share(containers, 3)
    slow = set(share(containers, 6, turn() // 3)) if quick else set(containers)
    failed = ran = 0
    with tempfile.TemporaryDirectory() as folder:
        for strict in ([], STRICT):
            objects = {}
            for container in containers:
                for compiler in quick + ([CC] if container in slow else []):
                    flags = ['-std=c99', *strict, *folders, *(WARNINGS if compiler == CC else ['-w'])]
                    if compiler not in objects:
                        objects[compiler] = os.path.join(folder, 'containers%d.o' % len(objects))
                        steps = [[compiler, *flags, '-c', os.path.join(generated, spec + '.c'), '-o', objects[compiler]]]
                    else:
                        steps = []
                    steps += [[compiler, *flags, '-DSUBJECT_' + container, program, objects[compiler], '-o', 'subject'], ['./subject']]
                    for step in steps:
                        done = run(step, folder)
                        if done.returncode != 0:
                            failed += 1
                            print('%s%s, %s: %s\n%s' % (container, ', strict' if strict else '', os.path.basename(compiler),
                                                        ' '.join(step), '\n'.join(done.stdout.splitlines()[-30:])))
                            break
                    else:
                        ran += 1
    print('%d programs, %d failed' % (ran + failed, failed))
    return 0 if ran and not failed else 1


if __name__ == '__main__':
    sys.exit(main())
