"""`--fuzz`: the generated test as a target of libFuzzer and AFL++; and the inputs of tests/fuzz/corpus."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

import machine
from turns import FULL

SANITIZED = ['-g', '-O1', '-fsanitize=fuzzer,address,undefined', '-fno-sanitize-recover=undefined', '-Wall', '-Wextra', '-Werror']
needs_clang = pytest.mark.skipif(not machine.has_fuzzer('address', 'undefined'), reason='needs clang with libFuzzer, and its programs to run')


def test_what_is_written_and_compared(tool):
    tool('generate', '--fuzz', 'specs/fleet.yaml')
    assert sorted(os.listdir('generated')) == ['bespoke_test.h', 'fleet.c', 'fleet.h', 'fleet_fuzz.c', 'fleet_test.c']
    assert sorted(tool('list', '--outputs', '--fuzz', 'specs/fleet.yaml').out.split()) == sorted(os.listdir('generated'))
    assert 'generate fleet.yaml --fuzz`' in tool.read('generated/fleet_fuzz.c')
    tool('check', 'specs/fleet.yaml')
    tool('check', '--fuzz', 'specs/fleet.yaml')
    tool.edit('generated/fleet_fuzz.c', '#define BESPOKE_FUZZ 1\n', '')
    result = tool('check', 'specs/fleet.yaml', code=1)
    assert 'BSP0403' in result.err and '--fuzz --force' in result.err
    tool.remove('generated/fleet_fuzz.c')
    tool('check', 'specs/fleet.yaml')
    assert 'BSP0409' in tool('check', '--fuzz', 'specs/fleet.yaml', code=1).err


def test_the_source_of_a_spec_that_is_called_so(tool):
    """It is no fuzz target, and its banner names no option."""
    tool.write('specs/fleet_fuzz.yaml', tool.read('specs/crew.yaml').replace('crew', 'raft'))
    tool('generate', 'specs/fleet_fuzz.yaml')
    assert '--fuzz' not in tool.read('generated/fleet_fuzz.c')
    assert 'fleet_fuzz.c' in tool('generate', '--fuzz', 'specs/fleet.yaml', 'specs/fleet_fuzz.yaml', code=2).err


def built(tool, name='fuzz'):
    subprocess.run(['clang', *SANITIZED, '-I', 'specs', 'generated/fleet_fuzz.c', '-o', name], check=True)

    def run(*arguments, code=0, **environment):
        done = subprocess.run(['./' + name, '-seed=1', *arguments], timeout=120, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8', errors='replace',
                              env={**os.environ, **environment})
        assert (done.returncode == 0) == (code == 0), done.stdout[-3000:]
        return done.stdout
    return run


@needs_clang
def test_a_bug_is_found_and_its_input_repeats_it(tool):
    """The failure is that of the test: operations, and a program."""
    tool.edit('specs/ship.h', 'int hp;', 'int hp; char name[24];')
    tool.edit('specs/fleet.yaml', '  fleet:', '  boats: {element: {type: struct ship, header: ship.h}, ordering: unordered, identity: {key: element->name, '
              'kind: string}}\n  fleet:')
    tool('generate', '--fuzz', '--no-format', 'specs/fleet.yaml')
    run = built(tool)
    said = run('-runs=3000', '-max_len=200')  # where elements are compared with each other once for each container, and not at each change
    assert int(re.search(r'Done 3000 runs in (\d+) second', said)[1]) < 30
    assert 'no container is called ships' in run('-runs=10', code=1, BESPOKE_CONTAINER='ships')
    source = tool.read('generated/fleet.c')
    broken = source.replace('return FLEET_ABSENT;', 'return FLEET_OK;')
    assert broken != source
    tool.write('generated/fleet.c', broken)
    run = built(tool)
    run('-runs=3000', '-max_len=200', BESPOKE_CONTAINER='boats')
    said = run('-runs=30000', '-max_len=200', '-artifact_prefix=./found-', code=1, BESPOKE_CONTAINER='fleet')
    [found] = [name for name in os.listdir() if name.startswith('found-')]
    again = run(found, code=1, BESPOKE_CONTAINER='fleet')
    for text in (said, again):
        assert '\ncontainer fleet\n' in text and '#include "fleet.h"' in text
    assert '\n    fleet_' in run(found, code=1, BESPOKE_CONTAINER='fleet', BESPOKE_TRACE='1').partition('container fleet')[0]


@needs_clang
def test_the_corpus():
    """What fuzzing has found once, for each kind of storage; with --full a minute of fuzzing goes on from there."""
    done = subprocess.run([sys.executable, os.path.join(ROOT, 'tests', 'fuzz', 'run.py'), *(['--seconds', '60'] if FULL else [])], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding='utf-8')
    assert done.returncode == 0, done.stdout
    rows = re.findall(r'^\w+ +(\d+) runs, (\d+) edges, (\d+) inputs$', done.stdout, re.MULTILINE)
    assert len(rows) == 9 and done.stdout.endswith(', 0 failed\n')
    assert all(int(runs) > 5 and int(edges) > 300 for runs, edges, _ in rows), done.stdout


@pytest.mark.skipif(shutil.which('afl-clang-fast') is None or not FULL, reason='needs afl++, and time')
def test_afl():
    done = subprocess.run([sys.executable, os.path.join(ROOT, 'tests', 'fuzz', 'run.py'), '--afl', '--seconds', '20', '--container', 'array'], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding='utf-8')
    assert done.returncode == 0 and re.search(r'array +[1-9]\d+ runs', done.stdout), done.stdout


RECORDED = r'''
#include "fleet.h"

int main(void)
{
    fleet ships = {0};

    if (!bespoke_trace_begin("2.trace")) {
        return 1;
    }
    for (int round = 0; round < 40; round++) {
        for (int i = 0; i < 4; i++) {
            (void)fleet_add(&ships, (struct ship){.hp = i});
        }
        FLEET_EACH(&ships, one) {
            FLEET_EACH(&ships, two) {
                if ((fleet_count(&ships) + (size_t)round) % 5 == 0) {
                    (void)fleet_remove_current(&two_cursor);
                }
            }
            if (one->hp == round % 4) {
                (void)fleet_remove_current(&one_cursor);
            }
        }
    }
    fleet_deinit(&ships);
    return !bespoke_trace_end();
}
'''


@needs_clang
def test_a_trace_is_a_seed(tool):
    """What a program has done finds a planted fault at once: nothing is drawn."""
    sys.path.insert(0, os.path.join(ROOT, 'tests', 'fuzz'))
    import seeds

    tool.edit('specs/fleet.yaml', 'containers:', 'defaults: {emit: {trace: true}}\ncontainers:')
    tool.write('main.c', RECORDED)
    tool('generate', '--fuzz', '--no-format', 'specs/fleet.yaml')
    subprocess.run(['gcc', '-DBESPOKE_TRACE=2', '-Ispecs', '-Igenerated', 'main.c', 'generated/fleet.c', '-o', 'main'], check=True)
    subprocess.run(['./main'], check=True)
    found = seeds.seeds('2.trace')
    assert list(found) == ['fleet'] and 1 < len(found['fleet']) <= 20 and all(5 < len(each) <= 598 for each in found['fleet'])
    os.mkdir('corpus')
    for number, each in enumerate(found['fleet']):
        with open(os.path.join('corpus', str(number)), 'wb') as file:
            file.write(each)
    run = built(tool)
    assert 'Done' in run('-runs=0', 'corpus')
    tool.edit('generated/fleet.c', 'hole = fleet_keep_apart_(list, slot);', '(void)fleet_keep_apart_(list, slot);\n    hole = slot;')
    assert 'As few as these fail' in built(tool)('-runs=0', 'corpus', code=1)
