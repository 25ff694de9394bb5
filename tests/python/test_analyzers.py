"""What static analyzers say of the emitted sources: nothing, but for what docs/assurance.md explains; and preset embedded, of which more is promised."""

import collections
import functools
import glob
import os
import re
import shutil
import subprocess

import pytest

import turns
from conftest import ROOT

from generator.tool import cli

GENERATED, SPECS = os.path.join(ROOT, 'generated'), os.path.join(ROOT, 'specs')
SOURCES = turns.share(sorted(name for name in map(os.path.basename, glob.glob(os.path.join(GENERATED, '*.c')))), 29)

# By the option that reports it: the functions, without the name of their container, of which docs/assurance.md says why it is wrong.
EXPLAINED = {
    '-Wanalyzer-null-dereference': {'next', 'running_', 'end', 'passes_at'},
    '-Wanalyzer-malloc-leak': {'resize_'},
    '-Wanalyzer-use-of-uninitialized-value': {'note_chunk_'},
    'core.NonNullParamChecker': {'move_gap_'},
    'core.CallAndMessage': {'note_chunk_'},
    'core.uninitialized.UndefReturn': {'key_'},
}
# By the check of clang-tidy: what it reports in generated/ and how often, as docs/assurance.md has it with the reason. A place is a function or macro
# without the name of its container, or the operand of sizeof.
TOLERATED = {
    'bugprone-sizeof-expression': {'sizeof *items': 78, 'sizeof *chunks': 6, 'sizeof *buffer': 2},
    'bugprone-macro-parentheses': {'EACH': 110, 'EACH_BACKWARD': 2, 'EACH_VISIBLE': 4, 'EACH_CONST': 110, 'EACH_BACKWARD_CONST': 2,
                                   'EACH_VISIBLE_CONST': 4, 'EACH_RECORD': 192},
    'bugprone-easily-swappable-parameters': {
        'remove_from': 18, 'hand_over_': 6, 'part_': 2, 'replace_at': 1, 'look_again_': 28, 'slot_further_': 8, 'is_taken_': 2, 'queue_': 2, 'shift_down_': 3, 'sift_down_': 2,
        'place_in_': 2, 'chunks_below_': 2, 'bits_fill': 32, 'end_pass_': 19,
        'passes_untied_': 11, 'is_ahead_': 6, 'may_move_': 8, 'mark_': 8,
        'group_tag': 32, 'group_count': 32, 'groups_put_further': 32, 'groups_has': 32, 'groups_lead_further': 32, 'groups_drop_further': 32, 'groups_share': 32,
        'chunks_squeeze': 32, 'chunks_spread': 32, 'chunks_open': 32, 'chunks_unite': 32, 'chunks_keep': 32},
}
# All that clang-tidy 14 has of these. By name, so that a newer one adds none: bugprone-casting-through-void and
# bugprone-multi-level-implicit-pointer-conversion of 19 report each array that lies in memory for several, and each free of an array of pointers.
BUGPRONE = '''
    argument-comment assert-side-effect bad-signal-to-kill-thread bool-pointer-implicit-conversion branch-clone copy-constructor-init
    dangling-handle dynamic-static-initializers easily-swappable-parameters exception-escape fold-init-type forward-declaration-namespace
    forwarding-reference-overload implicit-widening-of-multiplication-result inaccurate-erase incorrect-roundings infinite-loop integer-
    division lambda-function-name macro-parentheses macro-repeated-side-effects misplaced-operator-in-strlen-in-alloc misplaced-pointer-
    arithmetic-in-alloc misplaced-widening-cast move-forwarding-reference multiple-statement-macro narrowing-conversions no-escape not-
    null-terminated-result parent-virtual-call posix-return redundant-branch-condition reserved-identifier signal-handler signed-char-
    misuse sizeof-container sizeof-expression spuriously-wake-up-functions string-constructor string-integer-assignment string-literal-
    with-embedded-nul stringview-nullptr suspicious-enum-usage suspicious-include suspicious-memory-comparison suspicious-memset-usage
    suspicious-missing-comma suspicious-semicolon suspicious-string-compare swapped-arguments terminating-continue throw-keyword-missing
    too-small-loop-variable undefined-memory-manipulation undelegated-constructor unhandled-exception-at-new unhandled-self-assignment
    unused-raii unused-return-value use-after-move virtual-near-miss
'''
CERT = '''
    con36-c con54-cpp dcl03-c dcl16-c dcl21-cpp dcl37-c dcl50-cpp dcl51-cpp dcl54-cpp dcl58-cpp dcl59-cpp env33-c err09-cpp err33-c
    err34-c err52-cpp err58-cpp err60-cpp err61-cpp exp42-c fio38-c flp30-c flp37-c mem57-cpp msc30-c msc32-c msc50-cpp msc51-cpp
    oop11-cpp oop54-cpp oop57-cpp oop58-cpp pos44-c pos47-c sig30-c str34-c
'''
TIDY = ['clang-tidy', '-quiet', '-checks=-*,' + ','.join(['bugprone-' + name for name in BUGPRONE.split()] + ['cert-' + name for name in CERT.split()])]
# The required rules of MISRA C:2012 that embedded output does not keep.
DEVIATIONS = {'10.3', '10.4', '14.4', '15.7', '17.7', '20.7', '21.2'}
ADVISORY = {'2.4', '2.5', '2.7', '8.7', '11.4', '11.5', '12.1', '12.3', '13.3', '13.4', '15.5', '17.8', '18.4', '20.1', '20.10'}
# Functions of the compiler, which newer versions of cppcheck do not know, are no functions without a declaration.
ALARMS = {'17.3'}
STACK = {'-O0': 576, '-O2': 256, '-Os': 256}  # bytes: of a public function with all that it calls, gcc on x86-64


def said(*command):
    done = subprocess.run(command, cwd=GENERATED, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    return done.stdout


def function_at(path, line):
    """The function of a source that a line is in, without the name of its container."""
    with open(os.path.join(GENERATED, path)) as file:
        lines = file.read().split('\n')[:line]
    for text in reversed(lines):
        found = re.match(r'\w[\w *]*?(\w+)\([^;]*$', text) or re.match(r'#define (\w+)\(', text)
        if found:
            return found[1]
    return ''


def alarms(text):
    """(option, path, line, text) of each warning."""
    return [(options.split(',')[0].split('] [')[-1], path, int(line), words) for path, line, words, options in
            re.findall(r'^(\S+?):(\d+):\d+: (?:warning|error): (.*) \[([^][]+(?:\] \[[^][]+)?)\]$', text, re.M)]


def unexplained(text):
    found = []
    for option, path, line, words in alarms(text):
        name = function_at(path, line)
        if not any(name.endswith('_' + each) for each in EXPLAINED.get(option, ())):
            found.append('%s:%d: %s: %s [%s]' % (path, line, name, words, option))
    return found


def place_of(check, path, line):
    """What TOLERATED calls the place of a report; the line itself, if that has none."""
    with open(os.path.join(GENERATED, path)) as file:
        text = file.read().split('\n')[line - 1].strip()
    if check == 'bugprone-sizeof-expression':
        measured = re.search(r'\* sizeof \*(?:list->)?(\w+)', text)
        return f'sizeof *{measured[1]}' if measured else text
    name = function_at(path, line)
    return next((each for each in sorted(TOLERATED.get(check, ()), key=len, reverse=True) if name.endswith('_' + each)), f'{path}:{line}: {name}: {text}')


@functools.lru_cache(maxsize=None)
def tidied(source):
    """How often clang-tidy reports what in a source and its header."""
    text = said(*TIDY, f'-header-filter={re.escape(GENERATED)}/', source, '--', '-std=c11', '-I' + SPECS)
    return collections.Counter((check, place_of(check, path, line)) for check, path, line, _ in alarms(text))


@pytest.mark.parametrize('source', SOURCES)
def test_analyzers_find_nothing_that_is_not_explained(source):
    flags = ['-std=c11', '-I' + SPECS]
    assert not unexplained(said('gcc', *flags, '-O1', '-fanalyzer', '-c', source, '-o', os.devnull))
    if shutil.which('clang'):
        assert not unexplained(said('clang', *flags, '--analyze', '--analyzer-output', 'text', source))
    if shutil.which('clang-tidy'):
        assert not [each for each in tidied(source) if each[1] not in TOLERATED.get(each[0], ())]


@pytest.mark.skipif(not turns.FULL or not shutil.which('clang-tidy'), reason='in full runs, with clang-tidy')
def test_clang_tidy_finds_no_more_of_what_is_tolerated():
    found = sum(map(tidied, SOURCES), collections.Counter())
    tolerated = collections.Counter({(check, place): number for check, places in TOLERATED.items() for place, number in places.items()})
    assert not found - tolerated
    if 'version 14.' in said('clang-tidy', '--version'):  # newer ones report less
        assert found == tolerated


def test_an_alarm_is_seen(tmp_path):
    """The tools are run and read as they should be."""
    source = tmp_path / 'broken.c'
    source.write_text('#include <stdlib.h>\nint broken_read(void);\nint broken_read(void)\n{\n    int *at = malloc(sizeof *at);\n    *at = 1;\n'
                      '    free(at);\n    return *at;\n}\n')
    assert any('-Wanalyzer-use-after-free' in each for each in unexplained(said('gcc', '-O1', '-fanalyzer', '-c', str(source), '-o', os.devnull)))
    if shutil.which('clang'):
        assert any('unix.Malloc' in each for each in unexplained(said('clang', '--analyze', '--analyzer-output', 'text', str(source))))


@pytest.mark.skipif(shutil.which('gcc') is None, reason='needs gcc')
def test_an_element_that_is_emplaced_may_be_filled_without_a_test(tmp_path):
    """gcc followed the NULL of an inlined T_emplace into memset and memcpy, and warned with -Wall."""
    kinds = {'plain': 'ordering: unordered', 'queue': 'ordering: fifo', 'tombs': 'removal: tombstone', 'capped': 'capacity: {max: 16}', 'links': 'storage: linked',
             'chunky': 'storage: chunked, ordering: unordered', 'fixed': 'capacity: {max: 16, inline: true}'}
    (tmp_path / 'sim.h').write_text('#ifndef SIM_H\n#define SIM_H\nstruct sim { int id; float data[59]; };\n#endif\n')
    (tmp_path / 'sims.yaml').write_text('bespoke: 1\ndefaults: {element: {type: struct sim, header: sim.h}}\ncontainers:\n'
                                        + ''.join(f'  {name}: {{{keys}}}\n' for name, keys in kinds.items()))
    (tmp_path / 'main.c').write_text('#include <string.h>\n#include "sims.h"\n' + ''.join("""
void fill_%s(%s *one, %s *other, const struct sim *from, int number);
void fill_%s(%s *one, %s *other, const struct sim *from, int number)
{
    for (int i = 0; i < number; i++) {
        struct sim *a = %s_emplace(one), *b;

        memset(a, 0, sizeof *a);
        a->id = i;
        b = %s_emplace(other);
        memcpy(b, from, sizeof *b);
        b->id = i;
    }
}
""" % ((name,) * 8) for name in kinds))
    assert cli.main(['generate', '-q', '--no-format', str(tmp_path / 'sims.yaml'), '-o', str(tmp_path)]) == 0
    done = subprocess.run(['gcc', '-std=c11', '-Wall', '-Wextra', '-Werror', '-O2', '-c', 'main.c'], cwd=str(tmp_path), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=600)
    assert done.returncode == 0, done.stdout


def test_the_page_explains_the_alarms_and_the_deviations():
    with open(os.path.join(ROOT, 'docs', 'assurance.md'), encoding='utf-8') as file:
        page = file.read()
    for option, functions in EXPLAINED.items():
        assert f'`{option}`' in page and all(f'`T_{name}`' in page for name in functions)
    for check, places in TOLERATED.items():
        for place, number in places.items():
            called = place if place.startswith('sizeof') else 'T_' + place
            assert re.search(rf'^\| `{check}` \| [^|]*`{re.escape(called)}` {number}\b', page, re.M), (check, called, number)
    assert set(re.findall(r'^\| (\d+\.\d+) \|', page, re.M)) == DEVIATIONS


# -- preset embedded: rules, stack, recursion, library ------------------------------------------------------------------


@pytest.fixture(scope='module')
def embedded(tmp_path_factory):
    """A folder with the source of the preset."""
    folder = str(tmp_path_factory.mktemp('embedded'))
    assert cli.main(['generate', '-q', os.path.join(SPECS, 'embedded.yaml'), '-o', folder]) == 0
    return folder


@pytest.mark.skipif(not shutil.which('cppcheck'), reason='no cppcheck')
def test_embedded_keeps_the_required_rules_of_misra(embedded):
    text = said('cppcheck', '--addon=misra', '--std=c99', '--enable=style', '-I' + SPECS, os.path.join(embedded, 'embedded.c'))
    found = set(re.findall(r'misra-c2012-(\d+\.\d+)', text)) - ADVISORY - ALARMS
    assert found <= DEVIATIONS and {'10.4', '15.7', '17.7', '21.2'} <= found
    if said('cppcheck', '--version').startswith('Cppcheck 2.10'):  # others know macros better, and report less
        assert found == DEVIATIONS


def test_embedded_counts_its_loops_where_misra_looks_for_it(embedded):
    """Rule 14.2, which cppcheck 2.10 does not know well: what ends a loop is what its third part changes, or the loop has no parts."""
    found = []
    for name in 'embedded.h', 'embedded.c':
        with open(os.path.join(embedded, name)) as file:
            found += re.findall(r'\bfor \((.*?);(.*?);(.*)\) \{$', file.read(), re.M)
    assert len(found) > 5
    for first, condition, step in found:
        counted = re.search(r'\w+', step)
        assert not (first + condition + step).strip() or counted and re.search(rf'\b{counted[0]}\b', condition), (first, condition, step)


@pytest.fixture(scope='module', params=STACK)
def built(request, embedded):
    """The object, the most stack that it may take, and the bytes of stack and the calls of each function."""
    compiled = os.path.join(embedded, request.param + '.o')
    subprocess.run(['gcc', '-std=c99', '-ffreestanding', '-fno-stack-protector', request.param, '-fcallgraph-info=su', '-I' + SPECS,
                    '-c', 'embedded.c', '-o', compiled], cwd=embedded, check=True)
    with open(compiled[:-1] + 'ci') as file:
        graph = file.read()
    stack, calls = {}, {}
    for title, label in re.findall(r'node: \{ title: "([^"]+)" label: "([^"]*)"', graph):
        used = re.search(r'(\d+) bytes \((\w+)\)', label)
        stack[title] = used and (int(used[1]), used[2])
    for caller, called in re.findall(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"', graph):
        calls.setdefault(caller, set()).add(called)
    return compiled, STACK[request.param], stack, calls


def test_embedded_bounds_its_stack_and_does_not_recurse(built):
    _, most, stack, calls = built

    def deepest(function, path=()):
        assert function not in path, 'recursion: ' + ' -> '.join(path + (function,))
        if stack.get(function) is None:
            assert function in ('memcpy', 'memmove', 'memset'), function  # of the library, or of the compiler
            return 0
        size, kind = stack[function]
        assert kind == 'static', f'the stack of {function} depends on data'
        return size + max((deepest(each, path + (function,)) for each in calls.get(function, ())), default=0)

    sizes = {function: deepest(function) for function in stack if stack[function] is not None}
    assert len(sizes) > 15
    assert max(sizes.values()) <= most, sizes


def test_embedded_calls_no_library(built):
    text = subprocess.run(['nm', '-u', str(built[0])], stdout=subprocess.PIPE, text=True, check=True).stdout
    assert set(text.replace('U', '').split()) <= {'memcpy', 'memmove', 'memset'}
