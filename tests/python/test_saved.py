"""Whatever bytes T_load reads: tests/fuzz/loads.c under sanitizers, and with `script/test --full` by libFuzzer, too; and back in time."""

import os
import shutil
import subprocess

import pytest
from conftest import ROOT
from turns import FULL

SPECS = os.path.join(ROOT, 'tests', 'specs')
PROGRAM = os.path.join(ROOT, 'tests', 'fuzz', 'loads.c')
SANITIZED = ['-g', '-O1', '-fsanitize=address,undefined', '-fno-sanitize-recover=undefined']


def run(*command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, **more)
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp('saved')
    run(os.path.join(ROOT, 'bespoke'), 'generate', '-q', os.path.join(SPECS, 'saved.yaml'), '-o', str(made), '-I', SPECS, '--no-format')
    return made


def built(folder, compiler, name, *options):
    program = str(folder / name)
    run(*compiler.split(), *options, '-I', str(folder), '-I', SPECS, PROGRAM, '-o', program)
    return program


def can_sanitize(compiler, *options):
    return subprocess.run([*compiler.split(), *options, '-x', 'c', '-c', '-', '-o', os.devnull], input='int x;', universal_newlines=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def test_damaged_bytes(folder):
    compiler = os.environ.get('CC', 'cc')
    options = SANITIZED if can_sanitize(compiler, *SANITIZED) else ['-O1']
    printed = run(built(folder, compiler, 'loads', *options), '20000' if FULL else '1000')
    assert printed.count('accepted') == 21


@pytest.mark.skipif(not FULL or shutil.which('clang') is None, reason='only with --full, and with clang')
def test_libfuzzer(folder):
    program = built(folder, 'clang', 'fuzzes', *SANITIZED, '-fsanitize=fuzzer', '-DFUZZER')
    seeds, found = folder / 'seeds', folder / 'found'
    seeds.mkdir()
    found.mkdir()
    run(built(folder, 'clang', 'loads', *SANITIZED), 'seeds', str(seeds))
    for number in range(21):
        run(program, '-max_total_time=60', '-max_len=4096', '-malloc_limit_mb=256', f'-artifact_prefix={folder}/', str(found), str(seeds),
            env={**os.environ, 'ONLY': str(number)})


def test_rollback(folder):
    """examples/rollback: the game that goes back in each frame is the same as the one that does not."""
    example = os.path.join(ROOT, 'examples', 'rollback')
    run(os.path.join(ROOT, 'bespoke'), 'generate', '-q', os.path.join(example, 'battle.yaml'), '-o', str(folder), '-I', example, '--no-format')
    compiler = os.environ.get('CC', 'cc')
    options = SANITIZED if can_sanitize(compiler, *SANITIZED) else ['-O1']
    program = str(folder / 'rollback')
    run(*compiler.split(), *options, '-I', example, '-I', str(folder), os.path.join(example, 'main.c'), str(folder / 'battle.c'), '-o', program)
    printed = run(program)
    with open(os.path.join(example, 'README.md'), encoding='utf-8') as file:
        assert ''.join(f'# {line}\n' for line in printed.splitlines()) in file.read()
    assert '500 shots' in run(program, 'cost')


OTHER_BASE = """
#include "battle.h"
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    static unsigned char base[sizeof(rocks) + 300 * sizeof(struct rock)], delta[sizeof base * 2];
    rocks list = {0};
    struct rock rock = {1, 2, 3, 4};
    size_t bytes;

    for (int i = 0; i < 300; i++) {
        rocks_add(&list, rock);
    }
    if (!rocks_snapshot(&list, base, sizeof base)) {
        return 2;
    }
    rocks_get(&list, 299)->ore = 7; /* nothing has heard of it */
    bytes = rocks_snapshot_delta(&list, base, delta, 0);
    if (bytes != rocks_snapshot_delta(&list, base, delta, sizeof delta) || bytes > sizeof list + 2 * 256) {
        return 3;
    }
    rocks_get(&list, 299)->ore = 8;
    base[sizeof base - 1] ^= (unsigned char)(count - 1);
    (void)arguments;
    if (rocks_rollback_delta(&list, base, delta) != ROCKS_OK || rocks_get(&list, 299)->ore != 7) {
        return 4;
    }
    rocks_deinit(&list);
    return 0;
}
"""


def test_delta_of_another_base(folder):
    """With BESPOKE_CHECKS it stops the program; and a delta is as long as what has changed."""
    example = os.path.join(ROOT, 'examples', 'rollback')
    run(os.path.join(ROOT, 'bespoke'), 'generate', '-q', os.path.join(example, 'battle.yaml'), '-o', str(folder), '-I', example, '--no-format')
    (folder / 'other.c').write_text(OTHER_BASE, encoding='utf-8')
    program = str(folder / 'other')
    run(*os.environ.get('CC', 'cc').split(), '-DBESPOKE_CHECKS=1', '-I', example, '-I', str(folder), str(folder / 'other.c'), str(folder / 'battle.c'), '-o', program)
    run(program)
    done = subprocess.run([program, 'damaged'], stderr=subprocess.PIPE, universal_newlines=True, check=False)
    assert done.returncode != 0
    assert 'the delta is of another base, or the base has changed since' in done.stderr
