"""What C++17 has of the emitted code beside C: loops over passes, containers that are not copied; and that C has none of it."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT
from test_emitted import FLAGS, INCLUDES, SPECS

PROGRAM = os.path.join(ROOT, 'tests', 'behaviour', 'loops.cpp')
CELLS = [('g++', 'c++17'), ('clang++', 'c++20')]  # test_loops has the others
# What a loop gives, a copy, and what becomes of an object whose initialiser says nothing.
EACH_CONTAINER = '''
static_assert(std::is_aggregate_v<{T}> && std::is_standard_layout_v<{T}> && std::is_trivial_v<{T}>);
static_assert(!std::is_copy_constructible_v<{T}> && !std::is_copy_assignable_v<{T}>);
static_assert(!std::is_copy_constructible_v<{walk}> && !std::is_move_constructible_v<{walk}>);
static_assert(std::is_same_v<decltype(*{each}(({list} *)nullptr).begin()), {shown}>);
void {walk}_is_walked({list} *list)
{{
    struct {{ int before; {T} list; }} within = {{}};
    {T} here{{}};
    for ({shown} element : {each}(list)) {{ (void)element; }}
    (void)within;
    (void)here;
}}
'''


def with_cplusplus(spec):
    """The text of a spec, with `emit: {cplusplus: true}` for all its containers."""
    if re.search(r'^  emit: \{.*cplusplus: true', spec, flags=re.M):
        return spec
    if re.search(r'^  emit: \{', spec, re.M):  # of the defaults: containers have theirs in one line
        return re.sub(r'^(  emit: \{)', r'\1cplusplus: true, ', spec, count=1, flags=re.M)
    if re.search(r'^defaults: \{', spec, re.M):
        return re.sub(r'^(defaults: \{)', r'\1emit: {cplusplus: true}, ', spec, count=1, flags=re.M)
    if re.search(r'^defaults:\n  emit:\n', spec, re.M):
        return re.sub(r'^(defaults:\n  emit:\n)', r'\1    cplusplus: true\n', spec, count=1, flags=re.M)
    if re.search(r'^defaults:\n', spec, re.M):
        return re.sub(r'^(defaults:\n)', r'\1  emit: {cplusplus: true}\n', spec, count=1, flags=re.M)
    return re.sub(r'^containers:', 'defaults: {emit: {cplusplus: true}}\ncontainers:', spec, count=1, flags=re.M)


@pytest.fixture(scope='module')
def emitted(tmp_path_factory):
    """All specs, with the section for C++."""
    specs, folder = tmp_path_factory.mktemp('specs'), str(tmp_path_factory.mktemp('emitted'))
    for place in {os.path.dirname(path) for path in SPECS}:
        shutil.copytree(place, str(specs), dirs_exist_ok=True)
    for path in specs.glob('*.yaml'):
        path.write_text(with_cplusplus(path.read_text(encoding='utf-8')), encoding='utf-8')
    paths = [str(specs / os.path.basename(path)) for path in SPECS]
    subprocess.run([sys.executable, os.path.join(ROOT, 'bespoke'), 'generate', *paths, '-o', folder, '--no-format'],
                   check=True, stdout=subprocess.DEVNULL)
    return folder


def compiled(folder, compiler, arguments):
    if shutil.which(compiler) is None:
        pytest.skip(f'{compiler} is not installed')
    return subprocess.run([compiler, *arguments, *INCLUDES, '-I' + folder], cwd=folder, stderr=subprocess.PIPE,
                          universal_newlines=True)


def containers(folder):
    """What a loop goes over (T or const T), the type of its pass, what begins one, what it gives, of all containers; and their headers."""
    found, headers = [], []
    for name in sorted(os.listdir(folder)):
        if name.endswith('.h'):
            headers.append(name)
            with open(os.path.join(folder, name), encoding='utf-8') as file:
                text = file.read()
            for arguments, walk in re.findall(r'typedef bespoke_walk<([^>]*)>\s*(\w+);', text):
                _, element, *_, held = re.split(r',\s+', arguments)
                # The first of the functions that give one.
                each, over = re.search(rf'BESPOKE_INLINE {walk}\s+(\w+)\(((?:const )?\w+) \*list\)', text).groups()
                found.append((over, walk, each, element[:-1] + '&' if held == 'true' else element))
            # Where there are readers only, a loop goes over a const one.
            wanted = [each for each in re.findall(r'typedef struct (\w+) BESPOKE_UNCOPIED', text)
                      if f' {each}_begin(' in text or f' {each}_begin_const(' not in text]
            wanted += re.findall(r'(?i)begin_?const\((const \w+) \*list\);', text)
            assert set(wanted) <= {over for over, *_ in found}, name
    assert len(found) > 400
    return found, headers


def write(folder, name, text):
    with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
        file.write(text)


@pytest.mark.parametrize('compiler,standard', CELLS)
def test_every_container_has_its_loop_and_no_copies(emitted, compiler, standard):
    found, headers = containers(emitted)
    write(emitted, 'all.cpp', '#include <type_traits>\n' + ''.join(f'#include "{name}"\n' for name in headers)
          + ''.join(EACH_CONTAINER.format(T=over.split()[-1], list=over, walk=walk, each=each, shown=shown)
                    for over, walk, each, shown in found))
    result = compiled(emitted, compiler, [f'-std={standard}', *FLAGS, '-fsyntax-only', 'all.cpp'])
    assert result.returncode == 0, result.stderr[:3000]


@pytest.mark.parametrize('compiler', ['g++', 'clang++'])
@pytest.mark.parametrize('statement', ['sparks two = one;', 'other = one;', 'sparks two(one);', 'take(one);',
                                       'auto pass = sparks_each(&one); auto twice = pass;',
                                       'struct { sparks in; } a = {}, b = a;'])
def test_copies_do_not_compile(emitted, compiler, statement):
    text = ('#include "read_write_collection.h"\nvoid take(sparks list);\n'
            'int main()\n{\n    sparks one = {0}, other{};\n    (void)other;\n    %s\n}\n')
    write(emitted, 'copies.cpp', text % '')
    assert compiled(emitted, compiler, ['-std=c++17', '-fsyntax-only', 'copies.cpp']).returncode == 0
    write(emitted, 'copies.cpp', text % statement)
    result = compiled(emitted, compiler, ['-std=c++17', '-fsyntax-only', 'copies.cpp'])
    assert result.returncode != 0 and 'deleted' in result.stderr
    # What does not want it says so, and has the containers of C.
    if 'pass' not in statement:
        assert compiled(emitted, compiler, ['-std=c++17', '-fsyntax-only', '-DBESPOKE_UNCOPIED(container)=',
                                            'copies.cpp']).returncode == 0


def test_older_languages_are_as_before(emitted):
    write(emitted, 'older.cpp', '#include "read_write_collection.h"\nsparks one = {0}; sparks two = one;\n')
    for standard in ('c++11', 'c++14'):
        assert compiled(emitted, 'g++', [f'-std={standard}', '-fsyntax-only', 'older.cpp']).returncode == 0


def test_c_sees_nothing_of_it(emitted):
    """The preprocessor leaves the same tokens to C with and without it."""
    for name in ('read_write_collection.h', 'layers.h', 'columns.h'):
        with open(os.path.join(emitted, name), encoding='utf-8') as file:
            text = file.read()
        without = re.sub(r'(?s)#ifndef BESPOKE_UNCOPIED\n.*?\n#endif\n#endif\n', '', text)
        without = re.sub(r'(?s)#if defined\(__cpp_aggregate_bases\).*?\n};\n#endif\n', '', without)
        without = re.sub(r'(?s)#ifdef __cpp_aggregate_bases\n.*?\n#endif\n', '', without)
        without = re.sub(r' BESPOKE_UNCOPIED\(\w+\)', '', without)
        assert not re.search(r'bespoke_(?!rarely_|misuse_|lowest_|bits_|passes|more_passes|groups?|search|spread|tags?_|tags|zero_bytes|fits|first_fit)', without) and len(without) < len(text)
        write(emitted, 'without.h', without)
        tokens = []
        for header in (name, 'without.h'):
            result = subprocess.run(['gcc', '-E', '-P', '-std=c99', '-xc', *INCLUDES, header], cwd=emitted, check=True,
                                    stdout=subprocess.PIPE, universal_newlines=True)
            tokens.append(result.stdout.split())
        assert tokens[0] == tokens[1]


@pytest.mark.parametrize('compiler,c_compiler,standard,flags', [
    ('g++', 'gcc', 'c++17', ['-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-DBESPOKE_CHECKS=1']),
    ('clang++', 'clang', 'c++20', ['-O2']), ('g++', 'gcc', 'c++20', ['-O2', '-DBESPOKE_CHAOS=1'])])
def test_loops(emitted, compiler, c_compiler, standard, flags):
    """tests/behaviour/loops.cpp, against sources that C compiled."""
    result = compiled(emitted, c_compiler, ['-std=c99', '-g', *flags, '-c', 'loops.c'])
    assert result.returncode == 0, result.stderr
    result = compiled(emitted, compiler, [f'-std={standard}', '-g', *FLAGS, *flags, PROGRAM, 'loops.o', '-o', 'loops'])
    assert result.returncode == 0, result.stderr
    result = subprocess.run([os.path.join(emitted, 'loops')], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            universal_newlines=True)
    assert result.returncode == 0, result.stdout
