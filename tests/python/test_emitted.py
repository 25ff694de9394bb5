"""The emitted code as a compiler and a careless caller meet it: warnings, checks, poison, chaos, allocation."""

import glob
import os
import re
import shutil
import subprocess
import sys

import pytest
import yaml

from turns import FULL, share
from turns import turn


ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FLAGS = ("-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wundef -Werror").split()
SPECS = sorted(glob.glob(os.path.join(ROOT, "specs", "*.yaml"))) + sorted(glob.glob(os.path.join(ROOT, "tests", "specs", "*.yaml")))
INCLUDES = ["-I" + os.path.join(ROOT, "specs"), "-I" + os.path.join(ROOT, "tests", "specs")]
CELLS = [(compiler, standard) for compiler in ("gcc", "clang") for standard in ("c99", "c11", "c17", "c2x")]
CELLS += [("g++", "c++17"), ("clang++", "c++17")]
DEFINES = ([], ["-DBESPOKE_CHECKS=1"], ["-DBESPOKE_CHAOS=2"])


def ways(number, cell):
    """In which ways the source of a number is compiled in a cell: what is defined.

    Unless all is asked for, sources take turns: each meets gcc with each standard, clang with one, and one compiler of C++; a third
    of them each way, another third with the next commit."""
    place = CELLS.index(cell)
    if FULL:
        return DEFINES
    if cell == ("gcc", "c99"):
        return [DEFINES[0], DEFINES[1 + number % 2]]
    if cell[0] == "clang" and number % 4 != place % 4 or "++" in cell[0] and number % 2 != place % 2:
        return []
    return [DEFINES[(number // 4 + place + turn()) % 3]]


def style(compiler):
    """What a project in C++ may ask of its own code."""
    return ["-Wold-style-cast", "-Wzero-as-null-pointer-constant"] + ["-Wuseless-cast"] * (compiler == "g++")


@pytest.fixture(scope="module")
def emitted(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("emitted"))
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", *SPECS, "-o", folder, "--no-format"],
                   check=True, stdout=subprocess.DEVNULL)
    return folder


def _need(compiler):
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")


def _is_there(command):
    return shutil.which(command[0])


def _compile(folder, compiler, arguments, check=True):
    result = subprocess.run([compiler, *arguments, *INCLUDES, f"-I{folder}"], cwd=folder, stderr=subprocess.PIPE,
                            universal_newlines=True)
    if check:
        assert result.returncode == 0, result.stderr
    return result


# What compiles all specs is cut into parts, so that runs, each of which takes every so manieth case, take about the same time.
@pytest.mark.parametrize("part", range(5))
@pytest.mark.parametrize("compiler,standard", CELLS)
def test_no_warning(emitted, compiler, standard, part):
    _need(compiler)
    language = ["-x", "c++"] if standard.startswith("c++") else ["-Wstrict-prototypes", "-Wdeclaration-after-statement"]
    compiled = 0
    for number, path in list(enumerate(SPECS))[part::5]:
        source = os.path.join(emitted, os.path.splitext(os.path.basename(path))[0] + ".c")
        for define in ways(number, (compiler, standard)):
            _compile(emitted, compiler, [*language, f"-std={standard}", *FLAGS, *define, "-fsyntax-only", source])
            compiled += 1
    assert compiled >= len(SPECS) // 5 // 4


PROGRAM_OF_STYLE = """\
#include "styled.h"
#include "lists/port.h"
size_t visited(fleet *ships, harbour *berths)
{
    size_t met = FLEET_NONE;
    FLEET_EACH(ships, ship) { met += static_cast<size_t>(ship->id); }
    for (styled &ship : fleet_each(ships)) { met += static_cast<size_t>(ship.id); }
    HARBOUR_EACH(berths, berth) { met += static_cast<size_t>(berth->id); }
    for (styled &berth : harbour_each(berths)) { met += static_cast<size_t>(berth.id); }
    return met;
}
"""


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("support", ["inline", "shared"])
def test_headers_have_the_style_of_cplusplus(tmp_path, compiler, support):
    """What a program in C++ includes, and its loops, do not warn of what C has no other way to write; its own code still does."""
    _need(compiler)
    (tmp_path / "styled.h").write_text("#ifndef STYLED_H\n#define STYLED_H\nstruct styled { int id; };\n#endif\n")
    (tmp_path / "port.yaml").write_text(
        "bespoke: 1\ndefaults:\n  element: {type: struct styled, header: styled.h}\n  emit: {cplusplus: true, support: " + support + "}\n"
        "containers:\n  fleet: {ordering: unordered}\n  harbour: {ordering: insertion, storage: {kind: linked}, handles: generational}\n")
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", "port.yaml", "-o", "lists"], cwd=tmp_path, check=True)
    command = [compiler, "-std=c++17", *FLAGS, *style(compiler), "-I.", "-fsyntax-only", "main.cpp"]
    (tmp_path / "main.cpp").write_text(PROGRAM_OF_STYLE)
    for define in DEFINES:
        subprocess.run([*command, *define], cwd=tmp_path, check=True)
    (tmp_path / "main.cpp").write_text(PROGRAM_OF_STYLE + "int narrowed(double it);\nint narrowed(double it) { return (int)it; }\n")
    assert "old-style-cast" in subprocess.run(command, cwd=tmp_path, stderr=subprocess.PIPE, universal_newlines=True).stderr


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_every_header_has_the_style_of_cplusplus(emitted, compiler):
    """Headers of all kinds together, under what a project may ask of its own code. Those of elements are not ours."""
    _need(compiler)
    stems = [os.path.splitext(os.path.basename(path))[0] for path in share(SPECS, 4)]
    with open(os.path.join(emitted, f"style_{compiler}.cpp"), "w", encoding="utf-8") as file:
        file.writelines(f'#include "{stem}.h"\n' for stem in stems)
    _compile(emitted, compiler, ["-std=c++17", *FLAGS, *style(compiler), "-isystem", os.path.join(ROOT, "tests", "specs"), "-fsyntax-only",
                                 f"style_{compiler}.cpp"])


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_every_traced_header_has_the_style_of_cplusplus(tmp_path, compiler, part):
    """With what records and without, and the sources of the same in C."""
    _need(compiler)
    for folder in {os.path.dirname(path) for path in SPECS}:
        if os.path.isdir(os.path.join(folder, "types")):
            os.symlink(os.path.join(folder, "types"), str(tmp_path / "types"))
    for path in share(SPECS[part::4], 8):
        with open(path, encoding="utf-8") as file:
            spec = yaml.safe_load(file)
        spec.setdefault("defaults", {}).setdefault("emit", {})["trace"] = True
        stem = os.path.splitext(os.path.basename(path))[0]
        (tmp_path / (stem + ".yaml")).write_text(yaml.safe_dump(spec, sort_keys=False))
        subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", stem + ".yaml", "-o", ".", "--no-format", *INCLUDES],
                       cwd=tmp_path, check=True)
        (tmp_path / (stem + ".cpp")).write_text(f'#include "{stem}.h"\n')
        for define in ["-DBESPOKE_TRACE=1"], ["-DBESPOKE_TRACE=2", "-DBESPOKE_CHECKS=1"], []:
            _compile(tmp_path, compiler, ["-std=c++17", *FLAGS, *style(compiler), *define, "-isystem", os.path.join(ROOT, "tests", "specs"),
                                          "-fsyntax-only", stem + ".cpp"])
        _compile(tmp_path, {"g++": "gcc", "clang++": "clang"}[compiler],
                 ["-std=c11", *FLAGS, "-DBESPOKE_TRACE=2", "-fsyntax-only", stem + ".c"])


# What a reviewer would have changed: a width that is checked by an array of -1, an allocation behind another condition,
# a function that does nothing but not use what it is given, a statement that is none.
CLUMSY = [r"\[[^\n\]]* \? 1 : -1\]",
          r"\b(?:if|while) \([^;{}\"]*_(?:resize|reserve|make_room|make_slots|make_ready|journal_room)_(?:\w+_)?\(",
          r"\)\n\{\n(?:    \(void\)\w+;[^\n]*\n)+(?:    return [A-Z_]+_NONE;\n)?\}", r"\n *;\n"]


@pytest.mark.parametrize("pattern", CLUMSY)
def test_nothing_that_a_reviewer_would_change(emitted, pattern):
    for path in glob.glob(os.path.join(emitted, "*.[ch]")):
        with open(path, encoding="utf-8") as file:
            found = re.search(pattern, file.read())
        assert found is None, (path, found[0])


def _need_tcc():
    if shutil.which("tcc") is None:
        pytest.skip("tcc is not installed (apt-get install tcc): a compiler that knows little beside the C standard")


def test_headers_speak_of_moves_where_there_are_some(emitted):
    for header in glob.glob(os.path.join(emitted, "*.h")):
        with open(header, encoding="utf-8") as file:
            for part in re.split(r"^/\*$", file.read(), flags=re.M)[1:]:  # a container, from its overview on
                said = re.search(r"- (an element that is moved is|no element may be moved)", part.split("*/")[0])
                assert not said or re.search(r"\b\w+_(move_?(to_)?(before|after|front|back|parent)|swap_?places)\b", part, re.I), (header, said)


@pytest.mark.parametrize("standard", ["c99", "c11"])
def test_without_what_only_large_compilers_know(emitted, standard):
    _need_tcc()
    for define in DEFINES:
        for source in sorted(glob.glob(os.path.join(emitted, "*.c"))):
            # Not to /dev/null: what it writes to it removes first.
            done = _compile(emitted, "tcc", [f"-std={standard}", "-Wall", "-Werror", *define, "-c", source, "-o", "tcc.o"], check=False)
            with open(source[:-1] + "h", encoding="utf-8") as file:
                aligns = "_Alignas(64)" in file.read()  # it takes the attribute for a member, and does not do it
            with open(source, encoding="utf-8") as file:
                queues = "an inbox needs atomic operations" in file.read()  # it has none
            assert (done.returncode != 0) == (queues or (aligns and standard == "c99")), done.stderr
            assert done.returncode == 0 or "its columns must be aligned: compile as C11 or later" in done.stderr \
                or "an inbox needs atomic operations: gcc, clang, or C11 with <stdatomic.h>" in done.stderr


def test_passes_with_such_a_compiler(tmp_path):
    """The generated tests of a few containers: loops that close no cursor by themselves, columns in the struct."""
    _need_tcc()
    specs = [os.path.join(ROOT, folder, spec + ".yaml") for folder, spec in (("specs", "slot_map"), ("specs", "entity_layers"), ("tests/specs", "hot"))]
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", *specs, "-o", str(tmp_path), "--no-format", "--tests"], check=True)
    for spec in ("slot_map", "entity_layers", "hot"):
        _compile(str(tmp_path), "tcc", ["-w", "-std=c11", spec + "_test.c", "-o", spec])
        subprocess.run([str(tmp_path / spec), "--steps", "1000", "--exhaustive", "2"], check=True, stdout=subprocess.DEVNULL)


def test_handles_say_where_they_are_good(emitted):
    """A handle cannot say which container it is of: whoever reads its type is told."""
    for path in glob.glob(os.path.join(emitted, "*.h")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        kept = re.findall(r"/\*((?:(?!\*/).)*)\*/\ntypedef struct \w+_?[hH]andle \{", text, re.S)
        assert len(kept) == len(re.findall(r"^typedef struct \w+_?[hH]andle \{", text, re.M)), path
        assert all("valid only in the container that returned it" in re.sub(r"\s+\*?\s*", " ", comment) for comment in kept), path


@pytest.mark.parametrize("part", range(5))
def test_no_warning_with_address_sanitizer(emitted, part):
    """Functions that poison are there only then, with what they call."""
    for path in share(SPECS[part::5], 2):
        source = os.path.join(emitted, os.path.splitext(os.path.basename(path))[0] + ".c")
        _compile(emitted, "gcc", ["-std=c99", *FLAGS, "-fsanitize=address", "-fsyntax-only", source])


# Optimising, gcc sees more; clang says the same without.
@pytest.mark.parametrize("part", range(24))
@pytest.mark.parametrize("compiler", ["gcc", "clang"] if FULL else ["gcc"])
def test_no_warning_when_optimised(emitted, compiler, part):
    _need(compiler)
    for path in share(SPECS[part::24], 4):  # this is by far the dearest way
        source = os.path.join(emitted, os.path.splitext(os.path.basename(path))[0] + ".c")
        suggested = ["-Wsuggest-attribute=noreturn"] if compiler == "gcc" else []
        _compile(emitted, compiler, ["-std=c99", *FLAGS, *suggested, "-O2", "-S", source, "-o", os.devnull])


def _program(emitted, stem, body, *flags, compiler="gcc", hooks=""):
    """Builds and runs a program against one emitted source; gives its result."""
    path = os.path.join(emitted, "program.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'#include "{stem}.h"\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n{hooks}\n'
                   f"int main(void)\n{{\n{body}\nreturn 0;\n}}\n")
    _compile(emitted, compiler, ["-std=c99", "-g", "-O1", *flags, path, f"{stem}.c", "-o", "program"])
    return subprocess.run([os.path.join(emitted, "program")], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True)


MISUSE = [
    ("read_write_collection", "remove from inside a pass that may only remove what it stands on", "sparks_remove",
     "sparks list = {0}; struct spark s = {0}; (void)sparks_add(&list, s); (void)sparks_add(&list, s);\n"
     "SPARKS_EACH(&list, e) { sparks_remove(&list, sparks_get(&list, 1)); }"),
    ("loops", "removal by key from inside such a pass", "loops_alone_remove_key",
     "loops_alone list = {0}; struct thing t; memset(&t, 0, sizeof t); (void)loops_alone_add(&list, t);\n"
     "t.id = 1; (void)loops_alone_add(&list, t); LOOPS_ALONE_EACH(&list, e) { loops_alone_remove_key(&list, 1); }"),
    ("read_write_collection", "a cursor used after its end", "sparks_next",
     "sparks list = {0}; struct spark s = {0}; (void)sparks_add(&list, s);\n"
     "sparks_cursor c = sparks_begin(&list); sparks_end(&c); sparks_next(&c);"),
    ("read_write_collection", "removing the current element twice", "sparks_remove_current",
     "sparks list = {0}; struct spark s = {0}; (void)sparks_add(&list, s);\n"
     "sparks_cursor c = sparks_begin(&list); sparks_next(&c); sparks_remove_current(&c); sparks_remove_current(&c);"),
    ("read_write_collection", "a cursor from before a settle", "sparks_next",
     "sparks list = {0}; struct spark s = {0}; (void)sparks_add(&list, s);\n"
     "sparks_cursor c = sparks_begin(&list); sparks_settle(&list); sparks_next(&c);"),
    ("item_pool", "more passes than the spec allows", "voices_begin",  # removal: reuse
     "voices list = {0}; for (int i = 0; i < 9; i++) { voices_begin(&list); }"),
    ("locking_list", "an unlock without a lock", "fleet_unlock", "fleet list = {0}; fleet_unlock(&list);"),
    ("locking_list", "adding NULL", "fleet_add", "fleet list = {0}; (void)fleet_add(&list, NULL);"),
    ("constant_time_array", "a container that takes its own elements", "squad_add_from",
     "squad list = {0}; (void)squad_add_from(&list, &list, NULL);"),
]


@pytest.mark.parametrize("stem,what,operation,body", MISUSE, ids=[m[1].replace(" ", "-") for m in MISUSE])
def test_misuse_stops_with_checks_on(emitted, stem, what, operation, body):
    result = _program(emitted, stem, body, "-DBESPOKE_CHECKS=1")
    assert result.returncode < 0, f"{what} was not stopped"
    assert result.stderr.startswith(operation + ":"), result.stderr


@pytest.mark.parametrize("stem,what,operation,body", MISUSE, ids=[m[1].replace(" ", "-") for m in MISUSE])
def test_misuse_is_harmless_with_checks_off(emitted, stem, what, operation, body):
    result = _program(emitted, stem, body, "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    assert "Sanitizer" not in result.stderr or "LeakSanitizer" in result.stderr, result.stderr
    assert "runtime error" not in result.stderr, result.stderr


# A key that is changed while its element is in: what removes or moves the element reports it, and so does T_check; after T_rekey nothing does.
CHANGED_KEYS = [
    ("sparse_set", "velocities", "struct velocity", "entity", ""),
    ("sparse_set", "tags", "struct tag", "entity", ""),
    ("lru_cache", "captions", "struct tag", "entity", ""),
]


@pytest.mark.parametrize("stem,container,type_,key,more", CHANGED_KEYS, ids=[m[1] for m in CHANGED_KEYS])
def test_a_key_that_has_changed_is_reported_with_checks_on(emitted, stem, container, type_, key, more):
    T = container
    hooks = "void loaded_unloads(loaded *list, struct ship *ship) { (void)list; (void)ship; }" if stem == "lru_cache" else ""
    body = (f"{T} list = {{0}}; {type_} one; memset(&one, 0, sizeof one); {more}\n"
            f"one.{key} = 3; (void){T}_add(&list, one); one.{key} = 5; (void){T}_add(&list, one);\n"
            f"{T}_find(&list, 3)->{key} = 7;\n%s\n"
            f"puts({T}_check(&list) == NULL ? \"right\" : \"wrong\"); fflush(stdout);\n"
            f"for ({type_} *at; {T}_count(&list) > 0;) {{ {T}_cursor pass = {T}_begin(&list); at = {T}_next(&pass); (void)at; {T}_remove_current(&pass); {T}_end(&pass); }}\n"
            f"{T}_deinit(&list);")
    changed = _program(emitted, stem, body % "", "-DBESPOKE_CHECKS=1", hooks=hooks)
    assert changed.returncode < 0 and changed.stdout == "wrong\n", changed.stderr
    assert changed.stderr == f"{T}_rekey: has not returned OK since the key of an element has changed\n"
    found = _program(emitted, stem, body % f"{T}_find(&list, 3);", "-DBESPOKE_CHECKS=1", hooks=hooks)
    assert found.returncode < 0 and found.stdout == "" and found.stderr == changed.stderr
    told = f'if ({T}_rekey(&list, &list.items[0], 3) != {T.upper()}_OK || {T}_find(&list, 7) == NULL || {T}_find(&list, 3) != NULL) {{ puts("rekey"); }}'
    right = _program(emitted, stem, body % told, "-DBESPOKE_CHECKS=1", hooks=hooks)
    assert right.returncode == 0 and right.stdout == "right\n", right.stderr
    double = told.replace("_OK", "_DUPLICATE").replace("if (", f"list.items[0].{key} = 5; if (", 1).split(" ||")[0] + f') {{ puts("rekey"); }} list.items[0].{key} = 3;'
    kept = _program(emitted, stem, body % double, "-DBESPOKE_CHECKS=1", hooks=hooks)
    assert kept.returncode == 0 and kept.stdout == "right\n", kept.stderr


# With the checks off these read memory that may be free.
OWN_ELEMENTS = [
    ("read_write_collection", "sparks", "sparks list = {0}; struct spark s = {0}; (void)sparks_add(&list, s);\n"
     "(void)sparks_add_all(&list, sparks_get(&list, 0), 1, NULL);"),
    ("ring", "times", "times list = {0}; (void)times_add(&list, 1); (void)times_add(&list, 2); (void)times_add_all(&list, times_get(&list, 1), 1, NULL);"),
    ("ring", "history", "history list = {0}; static struct ship s; (void)history_add(&list, &s);\n"
     "(void)history_add_all(&list, (struct ship *const *)list.items, 1, NULL);"),
    ("colony", "debris", "debris list = {0}; struct spark s = {0}; struct spark *last = NULL;\n"
     "for (int i = 0; i < 200; i++) { last = debris_emplace(&list); *last = s; } (void)debris_add_all(&list, last, 1, NULL);"),
    ("item_pool", "voices", "static voices list; struct spark *kept = voices_emplace(&list); (void)voices_add_all(&list, kept, 1, NULL);"),
]


@pytest.mark.parametrize("stem,container,body", OWN_ELEMENTS, ids=[m[1] for m in OWN_ELEMENTS])
def test_add_all_of_its_own_elements_stops_with_checks_on(emitted, stem, container, body):
    hooks = "void history_forgets(history *list, struct ship *ship) { (void)list; (void)ship; }" if stem == "ring" else ""
    result = _program(emitted, stem, body, "-DBESPOKE_CHECKS=1", hooks=hooks)
    assert result.returncode < 0 and result.stderr.startswith(container + "_add_all: the elements are in the container"), result.stderr
    other = body.replace("_add_all(&list", "_add_all(&second").replace(" list", f" second = {{0}}, list", 1) if "static" not in body else ""
    assert not other or _program(emitted, stem, other, "-DBESPOKE_CHECKS=1", hooks=hooks).returncode == 0


POISONED = [
    ("read_write_collection", "sparks list = {0}; struct spark s = {0}; (void)sparks_add(&list, s);\n"
     "struct spark *kept = sparks_get(&list, 0); sparks_remove(&list, kept); kept->x = 1;"),
    ("item_pool", "effects list = {0}; struct spark *kept = effects_emplace(&list);\n"
     "effects_remove(&list, effects_handle_of(&list, kept)); kept->x = 1;"),
    ("item_pool", "static voices list; struct spark *kept = voices_emplace(&list);\n"
     "voices_remove(&list, voices_handle_of(&list, kept)); kept->x = 1;"),
    ("deletable_object_list", "trail list = {0}; struct spark s = {.life = 1}; (void)trail_add(&list, s); (void)trail_add(&list, s);\n"
     "trail_cursor c = trail_begin(&list); struct spark *kept = trail_next(&c); trail_remove(&list, kept); kept->x = 1;"),
]


@pytest.mark.parametrize("stem,body", POISONED, ids=[str(i) for i in range(len(POISONED))])
def test_a_pointer_kept_too_long_is_found(emitted, stem, body):
    hooks = "bool ship_is_gone(const struct ship *ship) { return ship->gone; }" if stem == "deletable_object_list" else ""
    result = _program(emitted, stem, body, "-fsanitize=address", hooks=hooks)
    assert "use-after-poison" in result.stderr, result.stderr


def test_chaos_moves_what_may_move(emitted):
    body = ("sparks list = {0}; struct spark s = {0}; sparks_reserve(&list, 100); (void)sparks_add(&list, s);\n"
            "struct spark *kept = sparks_get(&list, 0); (void)sparks_add(&list, s); return kept == sparks_get(&list, 0);")
    assert _program(emitted, "read_write_collection", body).returncode == 1
    assert _program(emitted, "read_write_collection", body, "-DBESPOKE_CHAOS=2").returncode == 0


def test_an_intrusive_container_that_moved_is_named(emitted):
    """Everything would be in another container: T_check names the cause, and with checks so do operations."""
    moved = ("static struct ship ships[3]; line here = {0}, there; for (int i = 0; i < 3; i++) { (void)line_add(&here, &ships[i]); }\n"
             "memcpy(&there, &here, sizeof there); memset(&here, 0, sizeof here); ")
    result = _program(emitted, "mutable_linked_list", moved + "puts(line_check(&there)); return 0;")
    assert "the container was moved or copied while it had elements" in result.stdout
    result = _program(emitted, "mutable_linked_list", moved + "return line_remove(&there, &ships[1]);", "-DBESPOKE_CHECKS=1")
    assert result.returncode != 0 and "the container was moved or copied while it had elements" in result.stderr


def test_an_element_that_was_never_zeroed_is_named(emitted):
    fresh = "struct ship ship; line list = {0}; memset(&ship, 0xa5, sizeof ship); "
    result = _program(emitted, "mutable_linked_list", fresh + "return line_add(&list, &ship) == LINE_FOREIGN;")
    assert result.returncode == 1
    result = _program(emitted, "mutable_linked_list", fresh + "return line_add(&list, &ship);", "-DBESPOKE_CHECKS=1")
    assert result.returncode != 0 and "line_add: the owner link 'line' was never set" in result.stderr
    result = _program(emitted, "mutable_linked_list", fresh + "line_prepare(&ship); return line_add(&list, &ship) == LINE_OK && line_check(&list) == NULL;",
                      "-DBESPOKE_CHECKS=1")
    assert result.returncode == 1, result.stderr


CHANGES = {"removal": "{T}_remove_key(&list, 1);", "nested": "{T}_cursor outer = {T}_begin(&list), inner = {T}_begin(&list); (void){T}_next(&outer);"
           " {T}_remove_key(&list, {T}_next(&inner)->id); {T}_end(&inner); {T}_end(&outer);", "settle": "{T}_settle(&list);",
           "move": "{T}_move_to_front(&list, kept);", "swap": "{T}_swap_places(&list, {T}_find(&list, 1), {T}_find(&list, 2));", "sort": "{T}_sort(&list);"}
MOVING = {"reuse": ("ordering: unordered, removal: reuse", "removal nested settle"),
          "generational": ("ordering: unordered, removal: reuse, handles: generational", "removal nested settle"),
          "tombstone": ("removal: tombstone", "removal nested settle"), "unlink": ("removal: unlink", "removal nested settle move swap sort"),
          "shift": ("removal: shift", "removal nested settle move swap sort"), "chunked": ("removal: tombstone, storage: chunked", "removal settle"),
          "none": ("removal: shift, iteration: {removes: none}", "removal settle sort"), "none_bits": ("removal: tombstone, iteration: {removes: none}", "removal settle"),
          "none_linked": ("removal: unlink, iteration: {removes: none}", "removal settle sort")}


def test_chaos_moves_in_every_change(tmp_path):
    """Whatever the policy: so a pointer that was kept is found before the policy changes."""
    lines, program = ["bespoke: 1", "containers:"], ["#include <stdio.h>", "int main(void) {", "    int stayed = 0;"]
    for name, (policy, changes) in MOVING.items():
        T = "chaotic_" + name
        more = ", sort: {key: element->x}, emit: {operations: [deinit, add, find, remove_key, begin, end, next, settle, sort, move_to_front, swap_places]}" if "swap" in changes else \
            ", sort: {key: element->x}" if "sort" in changes else ""
        lines.append(f"  {T}: {{element: {{type: struct spark, header: game.h}}, identity: {{key: element->id}}, {policy}{more}}}")
        for change in changes.split():
            program.append("    { %s list = {0}; struct spark s = {0}; for (s.id = 1; s.id < 9; s.id++) { (void)%s_add(&list, s); }" % (T, T))
            program.append("      struct spark *kept = %s_find(&list, 8); %s" % (T, CHANGES[change].replace("{T}", T)))
            program.append('      if (kept == %s_find(&list, 8)) { puts("%s %s"); stayed++; } %s_deinit(&list); }' % (T, T, change, T))
    (tmp_path / "chaotic.yaml").write_text("\n".join(lines) + "\n")
    (tmp_path / "main.c").write_text("\n".join(['#include "chaotic.h"', *program, "    return stayed;", "}", ""]))
    include = [f"-I{os.path.join(ROOT, 'specs')}"]
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", "chaotic.yaml", *include, "-o", ".", "--no-format"], cwd=tmp_path, check=True)
    subprocess.run(["gcc", "-std=c99", "-DBESPOKE_CHAOS=2", *include, "main.c", "chaotic.c", "-o", "main"], cwd=tmp_path, check=True)
    done = subprocess.run(["./main"], cwd=tmp_path, stdout=subprocess.PIPE, universal_newlines=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_chaos_that_stays_on_is_amortised(tmp_path):
    """By default a call in many moves all elements, so that a move costs no more than the calls between two of them; with 2 each does."""
    lines, program = ["bespoke: 1", "containers:"], ["int main(void) {", "    int wrong = 0;"]
    for T, policy in (("swap", "removal: swap, index: hash"), ("tombs", "ordering: insertion, removal: tombstone, index: hash"), ("slots", "removal: reuse, index: hash"),
                      ("parts", "removal: swap, storage: chunked, index: hash"), ("linked", "removal: unlink, index: hash")):
        policy += "" if "ordering" in policy else ", ordering: unordered"
        lines.append("  %s: {element: {type: struct spark, header: game.h}, identity: {key: element->id}, duplicates: reject, %s}" % (T, policy))
        program.append("    { %s list = {0}; struct spark s = {0}, *kept; long moves = 0; for (s.id = 1; s.id <= 1000; s.id++) { (void)%s_add(&list, s); }" % (T, T))
        program.append("      kept = %s_find(&list, 500);" % T)
        program.append("      for (long call = 0; call < CALLS; call += 2, s.id++) {")
        program.append("          (void)%s_add(&list, s); moves += %s_find(&list, 500) != kept; kept = %s_find(&list, 500);" % (T, T, T))
        program.append("          %s_remove_key(&list, s.id); moves += %s_find(&list, 500) != kept; kept = %s_find(&list, 500); }" % (T, T, T))
        program.append('      if (moves < LEAST || moves > MOST) { printf("%s: %%ld moves\\n", moves); wrong = 1; } %s_deinit(&list); }' % (T, T))
    (tmp_path / "calm.yaml").write_text("\n".join(lines) + "\n")
    (tmp_path / "main.c").write_text("\n".join(['#include "calm.h"', "#include <stdio.h>", *program, "    return wrong;", "}", ""]))
    include = [f"-I{os.path.join(ROOT, 'specs')}"]
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", "calm.yaml", *include, "-o", ".", "--no-format"], cwd=tmp_path, check=True)
    for chaos, calls, least, most in ((0, 1000, 0, 1), (1, 200000, 20, 200), (2, 1000, 1000, 1000)):
        subprocess.run(["gcc", "-std=c99", f"-DBESPOKE_CHAOS={chaos}", f"-DCALLS={calls}", f"-DLEAST={least}", f"-DMOST={most}", *include,
                        "main.c", "calm.c", "-o", "main"], cwd=tmp_path, check=True)
        done = subprocess.run(["./main"], cwd=tmp_path, stdout=subprocess.PIPE, universal_newlines=True, timeout=60)
        assert (chaos, done.returncode, done.stdout) == (chaos, 0, "")


@pytest.mark.parametrize("stem, function, said", [
    ("pruning_linked_list", "wake_update", "Invalidates the removed elements."), ("scene_tree", "sparklers_remove", "Invalidates the removed elements."),
    ("scene_tree", "sparklers_update", "Invalidates the removed elements."), ("shift_list", "beats_next", None),
    ("deletable_object_list", "trail_next", "Invalidates the expired elements that it removes; all elements, if it compacts at the end of the pass."),
    ("draw_list", "sprites_next", "Invalidates all elements, if it compacts at the end of the pass."), ("draw_list", "standing_next", None)])
def test_headers_name_what_goes(emitted, stem, function, said):
    """Of calls whose removals and moves are not their main purpose."""
    with open(os.path.join(emitted, stem + ".h"), encoding="utf-8") as file:
        words = re.search(r"/\*((?:(?!\*/).)*)\*/\n[^/\n]*\b" + function + r"\(", file.read(), re.S).group(1)
    words = re.sub(r"\s*\n \* ", " ", words)
    assert said in words if said else "Invalidates" not in words


CHANGED = """bespoke: 1
defaults: {element: {type: struct spark, header: game.h}, identity: {key: element->id}}
containers:
  swapped_back: {removal: shift, iteration: {direction: backward}, emit: {operations: [deinit, add, find, begin, next, swap_places]}}
  swapped_next: {removal: unlink, iteration: {adds: next}, emit: {operations: [deinit, add, find, begin, next, swap_places]}}
  alone_shift: {removal: shift, iteration: {removes: current, cursors: one}, hooks: {destroy: alone_shift_ends}}
  alone_compact: {removal: compact, iteration: {removes: current, cursors: one, adds: next}, hooks: {destroy: alone_compact_ends}}
  late: {ordering: sorted, sort: {key: element->x, when: begin}, hooks: {destroy: late_ends}}
"""
CHANGING = """#include "changed.h"
#include <stdio.h>
static char seen[64], *at = seen;
#define SEES(T, cursor, most) for (int k = 0; k < (most); k++) { struct spark *s = T##_next(cursor); if (s == NULL) { *cursor_over = 1; break; } *at++ = (char)('0' + s->id); }
static int over, *cursor_over = &over;
static alone_shift_cursor shift_pass;
static alone_compact_cursor compact_pass;
static int first = 1;
void alone_shift_ends(alone_shift *list, struct spark *spark) { (void)list; (void)spark; if (first) { first = 0; SEES(alone_shift, &shift_pass, 9) } }
void alone_compact_ends(alone_compact *list, struct spark *spark) { (void)list; (void)spark; if (first) { first = 0; SEES(alone_compact, &compact_pass, 9) } }
void late_ends(late *list, struct spark *spark)
{
    (void)spark;
    if (late_count(list) == 0) { /* that of the last element: the elements are 7 and 8, in this order, and would be sorted */
        struct spark s = {0};
        late_cursor c;
        s.id = 7, s.x = 2;
        (void)late_add(list, s);
        s.id = 8, s.x = 1;
        (void)late_add(list, s);
        c = late_begin(list);
        SEES(late, &c, 9)
    }
}
#define FILL(T) T list = {0}; struct spark s = {0}; for (s.id = 0; s.id < 6; s.id++) { (void)T##_add(&list, s); }
int main(void)
{
    { FILL(swapped_back) swapped_back_cursor c = swapped_back_begin(&list); SEES(swapped_back, &c, 3)
      swapped_back_swap_places(&list, swapped_back_find(&list, 2), swapped_back_find(&list, 3)); *at++ = ','; SEES(swapped_back, &c, 9) }
    *at++ = ' ';
    { FILL(swapped_next) swapped_next_cursor c = swapped_next_begin(&list); SEES(swapped_next, &c, 1)
      swapped_next_swap_places(&list, swapped_next_find(&list, 2), swapped_next_find(&list, 3)); *at++ = ','; SEES(swapped_next, &c, 9) }
    *at++ = ' ';
    { FILL(alone_shift) shift_pass = alone_shift_begin(&list); SEES(alone_shift, &shift_pass, 3) *at++ = ','; alone_shift_clear(&list); }
    *at++ = ' ', first = 1;
    { FILL(alone_compact) compact_pass = alone_compact_begin(&list); SEES(alone_compact, &compact_pass, 3) *at++ = ','; alone_compact_clear(&list); }
    *at++ = ' ';
    { FILL(late) late_clear(&list); }
    puts(seen);
    return 0;
}
"""


def test_passes_that_a_swap_or_a_clear_goes_through(tmp_path):
    """Neighbours exchange their places where a backward pass stands, and ahead of one that visits no adds; a lone pass that a hook of a clear continues; one
    that begins in the hook of the last element of a clear does not sort."""
    (tmp_path / "changed.yaml").write_text(CHANGED)
    (tmp_path / "main.c").write_text(CHANGING)
    include = [f"-I{os.path.join(ROOT, 'specs')}"]
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", "changed.yaml", *include, "-o", ".", "--no-format"], cwd=tmp_path, check=True)
    subprocess.run(["gcc", "-std=c99", *include, "main.c", "changed.c", "-o", "main"], cwd=tmp_path, check=True)
    done = subprocess.run(["./main"], cwd=tmp_path, stdout=subprocess.PIPE, universal_newlines=True)
    assert (done.returncode, done.stdout.split()) == (0, ["543,2310", "0,145", "012,34", "012,34", "78"])


CLEARED = {"shift": "removal: shift", "compact": "removal: compact", "tombstone": "removal: tombstone", "unlink": "removal: unlink",
           "single": "removal: unlink, storage: {links: single}", "swap": "ordering: unordered, removal: swap", "reuse": "ordering: unordered, removal: reuse",
           "chunked": "ordering: unordered, removal: reuse, storage: chunked", "ring": "ordering: fifo, ends: both", "tree": "ordering: tree",
           "sorted": "ordering: sorted, sort: {key: element->x}", "deferred": "removal: {when: deferred}", "none": "removal: tombstone, iteration: {removes: none}",
           "heap": "ordering: heap, sort: {key: element->x}"}


def test_a_clear_destroys_the_last_element_first(tmp_path):
    """Whatever the policy, in T_clear and in T_deinit; also far more of them than links that lead one way could be searched for one by one."""
    lines, program = ["bespoke: 1", "containers:"], ["#include <stdio.h>", "static int order[20000], gone, wrong;"]
    for name, policy in CLEARED.items():
        T = "cleared_" + name
        lines.append(f"  {T}: {{element: {{type: struct spark, header: game.h}}, hooks: {{destroy: {T}_ends}}, {policy}}}")
        program.append("void %s_ends(%s *list, struct spark *spark) { (void)list; if (spark->id != order[--gone] && !wrong++) {"
                       ' printf("%s: %%d, not %%d\\n", spark->id, order[gone]); } }' % (T, T, T))
    program += ["int main(void)", "{"]
    for name in CLEARED:
        T = "cleared_" + name
        program.append("    for (int way = 0, most = 5; way < 4; way++, most = way > 1 ? 20000 : 130) {\n        static %s list; %s_cursor cursor; struct spark *at, s = {0};" % (T, T))
        program.append("        for (s.id = 1; s.id <= most; s.id++) { s.x = (float)(s.id * 7 %% 20000); (void)%s_add(&list, s); }\n        gone = 0; cursor = %s_begin(&list);" % (T, T))
        program.append("        while ((at = %s_next(&cursor)) != NULL) { order[gone++] = at->id; }" % T)
        program.append("        if (way %% 2 == 0) { %s_clear(&list); }\n        %s_deinit(&list); wrong += gone != 0;\n    }" % (T, T))
    (tmp_path / "cleared.yaml").write_text("\n".join(lines) + "\n")
    (tmp_path / "main.c").write_text("\n".join(['#include "cleared.h"', *program, "    return wrong != 0;", "}", ""]))
    include = [f"-I{os.path.join(ROOT, 'specs')}"]
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", "cleared.yaml", *include, "-o", ".", "--no-format"], cwd=tmp_path, check=True)
    subprocess.run(["gcc", "-std=c99", "-O1", *include, "main.c", "cleared.c", "-o", "main"], cwd=tmp_path, check=True)
    done = subprocess.run(["./main"], cwd=tmp_path, stdout=subprocess.PIPE, universal_newlines=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "")


def test_chaos_permutes_what_has_no_order(emitted):
    body = ("static struct ship ships[5]; squad list = {0}; for (int i = 0; i < 5; i++) { (void)squad_add(&list, &ships[i]); }\n"
            "for (int i = 0; i < 5; i++) { if (squad_get(&list, (size_t)i) != &ships[i]) { return squad_check(&list) == NULL; } }")
    assert _program(emitted, "constant_time_array", body).returncode == 0
    assert _program(emitted, "constant_time_array", body, "-DBESPOKE_CHAOS=2").returncode == 1


@pytest.mark.parametrize("odd", [
    r"\b(\w+) == (\w+) \? \2 : \1\b(?!->)", r"O\(\w+\);( \*)?\s(everything|nothing)\b",
    r"(?<=\) )\{\s*\}(?! *//)", r"else \{\s*\}", r"!\(!", r"!\([^()&|]* (==|!=|<|>=) [^()&|]*\)", r";[ ]*;(?!\)| \w+ = \w+\))"])
def test_nothing_is_said_that_nobody_would_write(emitted, odd):
    for path in sorted(glob.glob(os.path.join(emitted, "*.[ch]"))):
        with open(path, encoding="utf-8") as file:
            found = re.search(odd, file.read())
        assert found is None, f"{os.path.basename(path)}: {found.group()}"


BULK = """bespoke: 1
defaults: {element: {type: int}}
containers:
  numbers: {removal: shift, iteration: {cursors: one}}
  pointers: {element: {by: pointer}, removal: shift, iteration: {cursors: one}}
  linked: {element: {by: intrusive, type: struct node, header: node.h, link: {next: next, prev: prev, owner: owner}}, storage: linked}
"""

BULK_PROGRAM = """#include "bulk.h"

#define NONE_OF(TT, call) (number = 99, status = (int)(call), status == TT##_ABSENT && number == 0)
#define BUSY(TT, call) (number = 99, status = (int)(call), status == TT##_BUSY && number == 0)
#define FILL(T) T##_cursor T##_passes[T##_most]; for (int i = 0; i < T##_most; i++) { T##_passes[i] = T##_begin(&T##_other); }
enum { numbers_most = NUMBERS_PASSES, pointers_most = POINTERS_PASSES, linked_most = LINKED_PASSES };

int main(void)
{
    numbers numbers_list = {0}, numbers_other = {0};
    pointers pointers_list = {0}, pointers_other = {0};
    linked linked_list = {0}, linked_other = {0};
    struct node node = {0};
    size_t number;
    int status;

    if (!NONE_OF(NUMBERS, numbers_add_from(&numbers_list, &numbers_list, &number))) { return 1; }
    if (!NONE_OF(LINKED, linked_add_from(&linked_list, &linked_list, &number))) { return 2; }
    FILL(numbers)
    FILL(pointers)
    FILL(linked)
    numbers_add(&numbers_list, 1);
    if (!BUSY(NUMBERS, numbers_add_from(&numbers_list, &numbers_other, &number))) { return 3; }
    (void)linked_add(&linked_other, &node);
    if (linked_add_from(&linked_list, &linked_other, &number) != LINKED_OK || number != 1) { return 4; } /* which needs no pass */
    if (linked_next(&linked_passes[0]) != NULL || !linked_contains(&linked_list, &node)) { return 4; }
    (void)linked_remove(&linked_list, &node);
    if (!BUSY(POINTERS, pointers_remove_from(&pointers_list, &pointers_other, &number))) { return 5; }
    for (int i = 0; i < numbers_most; i++) { numbers_end(&numbers_passes[i]); }
    for (int i = 0; i < pointers_most; i++) { pointers_end(&pointers_passes[i]); }
    for (int i = 0; i < linked_most; i++) { linked_end(&linked_passes[i]); }
    numbers_deinit(&numbers_list);
    return 0;
}
"""


def test_bulk_calls_that_do_not_begin_say_so_of_their_number(tmp_path):
    (tmp_path / "node.h").write_text("struct linked;\nstruct node { struct node *next, *prev; struct linked *owner; };\n")
    (tmp_path / "bulk.yaml").write_text(BULK)
    (tmp_path / "program.c").write_text(BULK_PROGRAM)
    folder = str(tmp_path)
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "bulk.yaml", "-o", ".", "--no-format", "-q"],
                   check=True, cwd=folder)
    _compile(folder, "gcc", ["-std=c11", "-g", "-o", "program", "program.c", "bulk.c"])
    assert subprocess.run([os.path.join(folder, "program")]).returncode == 0


FOREIGN = "reuse, ordering: unordered", "swap, ordering: unordered", "tombstone", "unlink"


def test_handles_from_elsewhere_break_nothing(tmp_path):
    """Whatever a handle says, what removes takes an element that is in or none, and what looks stays in the container's memory."""
    kinds = {f"{kind}_{removal.split(',')[0]}": f"element: int, removal: {removal}, handles: {{kind: {kind}, index_bits: 8{bits}}}"
             for removal in FOREIGN for kind, bits in (("index", ""), ("generational", ", generation_bits: 8"))}
    (tmp_path / "lists.yaml").write_text("bespoke: 1\ncontainers:\n" + "".join(f"  {name}: {{{text}}}\n" for name, text in kinds.items()))
    program = '#include "lists.h"\n#include <string.h>\n'
    for name in kinds:
        program += f"""
static int try_{name}(void)
{{
    static {name} list;
    {name}_handle handles[12], any;

    for (int turn = 0; turn < 4; turn++) {{
        for (int i = 0; i < 12; i++) {{
            int *added = {name}_emplace(&list);

            *added = i;
            handles[i] = {name}_handle_of(&list, added);
        }}
        for (int i = 0; i < 12; i += 1 + turn) {{
            {name}_remove(&list, handles[i]);
        }}
        for (unsigned number = 0; number < 0x10000; number++) {{
            const unsigned char bytes[] = {{(unsigned char)number, (unsigned char)(number / 256)}};
            size_t before = {name}_count(&list);
            const int *found;

            memcpy(&any, bytes, sizeof any < sizeof bytes ? sizeof any : sizeof bytes);
            found = {name}_get(&list, any);
            if (found != NULL && (found < list.items || found >= list.items + {name}_capacity(&list))) {{
                return 1;
            }}
            if (turn % 2 == 1 && number % 5 == 0) {{
                bool taken = {name}_remove(&list, any) == {name.upper()}_OK;

                if (before - {name}_count(&list) != taken || {name}_check(&list) != NULL) {{
                    return 1;
                }}
            }}
        }}
    }}
    {name}_deinit(&list);
    return 0;
}}
"""
    program += "\nint main(void)\n{\n    return " + " || ".join(f"try_{name}()" for name in kinds) + ";\n}\n"
    (tmp_path / "program.c").write_text(program)
    folder = str(tmp_path)
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "lists.yaml", "-o", ".", "--no-format", "-q"],
                   check=True, cwd=folder)
    _compile(folder, "gcc", ["-std=c11", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o", "program", "program.c", "lists.c"])
    assert subprocess.run([os.path.join(folder, "program")]).returncode == 0


ONE_SLOT = """\
  one_dealt: {element: {type: struct card, header: card.h, by: pointer}, ordering: sorted, sort: {key: element->rank, when: begin}, removal: compact}
  one_aged: {element: {type: struct card, header: card.h, by: pointer}, ordering: sorted, sort: {key: element->rank, when: begin},
    removal: {policy: prune, expired: element->rank < 0}, iteration: {adds: next}}
  one_filed: {element: {type: struct card, header: card.h, by: pointer}, ordering: sorted, sort: element->rank, removal: shift,
    iteration: {direction: both}, hooks: {add: filed_adds, remove: filed_removes, destroy: filed_destroys}}
  one_taken: {element: {type: struct card, header: card.h, by: pointer}, ordering: unordered, duplicates: reject, removal: swap,
    iteration: {direction: backward, adds: next, cursors: one}}
  one_handed: {element: {type: struct card, header: card.h, by: pointer}, ordering: insertion, removal: compact,
    iteration: {direction: backward}, hooks: {add: handed_adds, remove: handed_removes, destroy: handed_destroys}}
"""


@pytest.mark.parametrize("options", [["-O2"], ["-O3"], ["-O2", "-DBESPOKE_CHAOS=1"]], ids=" ".join)
def test_no_warning_of_one_slot(tmp_path, options):
    """What moves elements has nothing to move where there is room for one, which compilers see."""
    policies = ("unordered, removal: swap", "insertion, removal: shift", "insertion, removal: compact", "unordered, removal: reuse")
    cases = [f"  one_{number}: {{element: int, ordering: {policy}, handles: {handles}, iteration: {{{passes}}}}}"
             for number, (policy, handles, passes) in enumerate(
                 (policy, handles, passes) for policy in policies for handles in ("none", "generational")
                 for passes in ("cursors: one, removes: current", "cursors: many")
                 if handles == "none" or "shift" not in policy and "compact" not in policy)]
    (tmp_path / "card.h").write_text("struct card { int rank; };\n")
    (tmp_path / "one.yaml").write_text("bespoke: 1\ndefaults: {emit: {size_type: uint32_t}, capacity: {max: 1, inline: true}}\ncontainers:\n" +
                                       "\n".join(cases) + "\n" + ONE_SLOT)
    folder = str(tmp_path)
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "one.yaml", "-o", ".", "--no-format", "-q"],
                   check=True, cwd=folder)
    for compiler in ("gcc", "clang"):
        if shutil.which(compiler):
            _compile(folder, compiler, ["-std=c11", *options, *FLAGS, "-c", "one.c"])


def test_an_empty_container_allocates_nothing(emitted):
    body = """
    fleet list = {0};
    fleet other = {0};
    struct ship ship = {0};

    fleet_init(&list);
    FLEET_EACH(&list, e) { (void)e; return 1; }
    fleet_remove(&list, &ship);
    fleet_contains(&list, &ship);
    fleet_clear(&list);
    fleet_lock(&list);
    fleet_remove(&list, &ship);
    fleet_unlock(&list);
    (void)fleet_add_from(&list, &other, NULL);
    fleet_remove_from(&list, &other, NULL);
    fleet_shrink_to_fit(&list);
    fleet_settle(&list);
    if (fleet_check(&list) != NULL || fleet_count(&list) != 0 || allocations != 0) { return 2; }
    fleet_deinit(&list);
    if (fleet_add(&list, &ship) != FLEET_OK || allocations == 0) { return 3; }
    fleet_deinit(&list);
    if (blocks != 0) { return 4; }
    """
    hooks = """
    #undef malloc
    #undef realloc
    #undef free
    static int allocations, blocks;
    void *counted_malloc(size_t bytes) { allocations++; blocks++; return malloc(bytes); }
    void *counted_realloc(void *block, size_t bytes) { allocations++; blocks += block == NULL; return realloc(block, bytes); }
    void counted_free(void *block) { blocks -= block != NULL; free(block); }
    """
    path = os.path.join(emitted, "counted.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write("#include <stdlib.h>\nvoid *counted_malloc(size_t);\nvoid *counted_realloc(void *, size_t);\n"
                   "void counted_free(void *);\n#include \"locking_list.c\"\n")
    with open(os.path.join(emitted, "program.c"), "w", encoding="utf-8") as file:
        file.write(f'#include <stdlib.h>\n#include "locking_list.h"\n{hooks}\nint main(void)\n{{\n{body}\nreturn 0;\n}}\n')
    # stdlib.h comes first so that only the container's own calls are renamed.
    with open(path, encoding="utf-8") as file:
        text = file.read().replace('#include "locking_list.c"', "#include <stdio.h>\n#include <string.h>\n"
                                   "#define malloc counted_malloc\n#define realloc counted_realloc\n#define free counted_free\n"
                                   '#include "locking_list.c"')
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    _compile(emitted, "gcc", ["-std=c99", "-g", "program.c", "counted.c", "-o", "program"])
    assert subprocess.run([os.path.join(emitted, "program")]).returncode == 0


def test_a_wrong_argument_gives_few_lines_of_diagnostics(emitted):
    path = os.path.join(emitted, "wrong.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write('#include "locking_list.h"\nint main(void)\n{\n    listeners list = {0};\n'
                   "    return (int)listeners_add(&list, 5);\n}\n")
    result = _compile(emitted, "gcc", ["-std=c99", "-fsyntax-only", path], check=False)
    assert result.returncode != 0 and len(result.stderr.splitlines()) <= 10, result.stderr


def test_another_signature_of_a_hook_stops_the_build(emitted):
    path = os.path.join(emitted, "signature.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write('#include "game.h"\nint crowd_loses(int);\n#include "entity_list.c"\n')
    result = _compile(emitted, "gcc", ["-std=c99", "-fsyntax-only", path], check=False)
    assert result.returncode != 0 and "crowd_loses" in result.stderr


HASHED = "element: {type: struct item, header: item.h}, duplicates: reject, identity: {key: element->id}, index: hash"


@pytest.mark.parametrize("type_,spec", [
    ("float id", HASHED), ("char id[8]", HASHED), ("void *id", HASHED), ("__int128 id", HASHED),
    ("unsigned __int128 id", "element: {type: struct item, header: item.h}, ordering: sorted, sort: element->id, identity: {key: element->id}"),
    ("unsigned __int128 id", HASHED.replace("element->id", "element->id + 1")),
    ("__int128 id; } ; typedef __int128 wide; struct other { int id", "element: {type: wide, header: item.h}, ordering: sorted, "
     "sort: '*element', identity: value"),
])
def test_a_key_is_an_integer(tmp_path, type_, spec):
    """A conversion would make all keys between two integers equal, and an array's key its place in the container; one of a wider key
    would make those equal that differ in what is cut off, and a search by halving miss what is there."""
    (tmp_path / "item.h").write_text(f"struct item {{ {type_}; }};\n")
    (tmp_path / "bags.yaml").write_text(f"bespoke: 1\ncontainers:\n  bag: {{{spec}}}\n")
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", "--no-format", "bags.yaml", "-o", "."],
                   cwd=tmp_path, check=True)
    for compiler in filter(shutil.which, ("gcc", "clang")):
        done = subprocess.run([compiler, "-fsyntax-only", "bags.c"], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
        assert done.returncode != 0 and "an integer of up to 64 bits" in done.stderr


@pytest.mark.parametrize("type_", ["bool id", "signed char id", "uint64_t id : 40", "enum {FEW, MORE} id", "uint64_t id"])
def test_every_integer_is_a_key(tmp_path, type_):
    (tmp_path / "item.h").write_text(f"#include <stdbool.h>\n#include <stdint.h>\nstruct item {{ {type_}; }};\n")
    (tmp_path / "bags.yaml").write_text(f"bespoke: 1\ncontainers:\n  bag: {{{HASHED}}}\n")
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", "--no-format", "bags.yaml", "-o", "."],
                   cwd=tmp_path, check=True)
    for compiler in filter(_is_there, (["gcc", "-std=c99"], ["clang", "-std=c11"], ["g++", "-xc++", "-std=c++17"])):
        subprocess.run([*compiler, *FLAGS, "-fsyntax-only", "bags.c"], cwd=tmp_path, check=True)


@pytest.mark.parametrize("type_", ["uint16_t", "bool", "uint32_t"])
def test_a_place_fits_into_its_member(tmp_path, type_):
    """A conversion would cut the place off, and the element would be found where another one is."""
    (tmp_path / "item.h").write_text(f"#include <stdbool.h>\n#include <stdint.h>\nstruct item {{ {type_} place; }};\n")
    (tmp_path / "bags.yaml").write_text("bespoke: 1\ncontainers:\n  bag: {element: {type: struct item, header: item.h, by: pointer}, "
                                        "duplicates: reject, index: {field: place}}\n")
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", "--no-format", "bags.yaml", "-o", "."],
                   cwd=tmp_path, check=True)
    for compiler in filter(_is_there, (["gcc", "-std=c99"], ["clang", "-std=c11"], ["g++", "-xc++", "-std=c++17"])):
        done = subprocess.run([*compiler, *FLAGS[:3], "-fsyntax-only", "bags.c"], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
        assert (done.returncode == 0) == (type_ == "uint32_t")
        said = "bag_index_field_is_a_uint32_t_" if "-std=c99" in compiler else "bag: 'place' of struct item, into which its place is written, must be a uint32_t"
        assert (said in done.stderr) == (type_ != "uint32_t")


def tables(text):
    """What overviews say of operations: what each costs and invalidates."""
    found = {}
    for head, name, table in re.findall(r"^( \* cost +invalidates +)operations, with the prefix (\w+)\n((?: \* .+\n)+)", text, re.M):
        second = head.index("invalidates")
        rows = []
        for line in table.splitlines():
            cells = [line[3:second].strip(), line[second:len(head)].strip(), line[len(head):].strip()]
            if cells[2] and not (rows and rows[-1][2].endswith(",")):
                rows.append(cells)
            else:  # a row goes on
                rows[-1] = [f"{a} {b}".strip() for a, b in zip(rows[-1], cells)]
        for cost, invalidates, operations in rows:
            for operation in operations.split(", "):
                found[name + operation.split(" ")[0]] = cost, invalidates
    return found


def test_an_overview_says_what_there_is(tmp_path):
    """An update from the back is no loop that goes backward, hooks are told of where there are some, and so is what expires."""
    (tmp_path / "item.h").write_text("struct item { int life; };\n")
    (tmp_path / "lists.yaml").write_text("""\
bespoke: 1
defaults: {element: {type: struct item, header: item.h}}
containers:
  bubbles: {ordering: unordered, removal: {policy: back_copy, expired: element->life <= 0}}
  sparks: {ordering: unordered, removal: {policy: back_copy, expired: element->life <= 0}, hooks: {destroy: spark_ends},
           iteration: {direction: both}}
  objects: {removal: {policy: tombstone, when: deferred, expired: element->life <= 0}}
  scene: {ordering: tree}
""")
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", "lists.yaml", "-o", "."], cwd=tmp_path, check=True)
    text = re.sub(r"\n \*\s+", " ", (tmp_path / "lists.h").read_text())
    assert "SPARKS_EACH goes forward, SPARKS_EACH_BACKWARD backward." in text and "BUBBLES_EACH_BACKWARD" not in text
    assert text.count("Hooks may add, remove, clear") == 1
    assert "an expired element is not visited: bubbles_update removes it." in text
    assert "an expired element is not visited: a pass that reaches it or objects_settle removes it." in text
    assert "It is a pass itself, and without memory for its record does nothing." in text
    costs = {name: cost for name, (cost, _) in tables((tmp_path / "lists.h").read_text()).items()}
    assert costs["bubbles_deinit"] == "O(1)" and costs["sparks_deinit"] == "O(n)"
    assert costs["scene_remove"] == costs["scene_remove_current"] == "O(1) for each removed element, plus a walk up the tree"
    assert "and skips refused ones" not in text


def test_a_table_says_what_moves(tmp_path):
    """Elements in the struct itself never move to grow, and move all the same when a gap is closed; in a lock nothing moves."""
    (tmp_path / "tables.yaml").write_text("""\
bespoke: 1
containers:
  single: {element: int, removal: compact, capacity: {max: 1, inline: true}}
  chunky: {element: int, ordering: insertion, removal: tombstone, storage: chunked}
  locking: {element: int, removal: {policy: tombstone, when: deferred}}
  agenda: {element: int, ordering: sorted, sort: '*element', identity: value}
""")
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", "tables.yaml", "-o", "."], cwd=tmp_path, check=True)
    text = (tmp_path / "tables.h").read_text()
    moves = {name: invalidates for name, (_, invalidates) in tables(text).items()}
    assert moves["single_settle"] == moves["single_end"] == moves["chunky_settle"] == moves["chunky_end"] == "all elements, if it compacts"
    assert moves["single_add"] == moves["single_add_all"] == "all elements, if it compacts"
    assert moves["locking_add"] == moves["locking_add_all"] == "nothing while locked; else all elements, if it reallocates"
    assert "; 1 slot, all in the struct" in text
    assert "Until then lookups may miss them." in re.sub(r"\s+\*?\s*", " ", text)


def test_no_line_is_too_long():
    """A formatter without a limit leaves lines as they are, and names make them longer."""
    for path in sorted(glob.glob(os.path.join(ROOT, "generated", "*.[ch]"))):
        with open(path, encoding="utf-8") as file:
            long = [line for line in file.read().split("\n") if len(line) > 140]
        assert long == [], path


NAMES = """\
bespoke: 1
containers:
  box:
    element: {type: struct ship, header: ship.h}
    ordering: unordered
    removal: swap
    duplicates: replace
    identity: {key: id}
    index: hash
    hooks: {add: items, remove: element, destroy: gone, move: slot}
    allocator: {alloc: bytes, realloc: old, free: memory}
  crate:
    element: {type: struct ship, header: ship.h}
    ordering: sorted
    sort: {less: middle}
    removal: {policy: prune, expired: status}
    hooks: {update: tick, remove: wanted, destroy: wanted, context: int, add: number}
  sheet: {element: {fields: {x: int, id: uint32_t}}, layout: soa, ordering: unordered, removal: {policy: back_copy, expired: row},
          identity: {key: hash}, duplicates: reject, hooks: {move: x_, update: it, context: int}}
"""


@pytest.mark.parametrize("command", ["clang -std=c99 -fsyntax-only -DBESPOKE_CHAOS=1", "g++ -x c++ -std=c++17 -fsyntax-only",
                                     "gcc -std=c99 -DBESPOKE_CHECKS=1 -o lists_test"])
def test_variables_give_way_to_your_functions(tmp_path, command):
    """A hook may be called as the emitted code would call a variable, and as a member."""
    _need(command.split()[0])
    (tmp_path / "ship.h").write_text("#pragma once\nstruct ship { unsigned id; int gone, status; };\n")
    (tmp_path / "lists.yaml").write_text(NAMES)
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", "--no-format", "--tests", "lists.yaml", "-o", "."],
                   cwd=tmp_path, check=True)
    subprocess.run([*command.split(), *FLAGS, "lists_test.c"], cwd=tmp_path, check=True)
    if command.endswith("lists_test"):
        subprocess.run(["./lists_test", "--exhaustive", "1", "--steps", "300"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)


# What well-known headers define, and compilers that are not asked for a standard: as words, and as functions.
MACROS = """slots signals emit forever near far small hyper huge cdecl pascal interface environ h_addr current fallthrough noinline cold hot unused packed
    pure likely unlikely noreturn thread_local complex imaginary unix linux i386 sun arm lines columns bell newline tone pulse nil bank persistent
    I IN OUT OPTIONAL ERROR DELETE CONST VOID STRICT THIS INTERFACE NEAR FAR ABSOLUTE RELATIVE OPAQUE INFINITE IGNORE DOMAIN OVERFLOW None Bool Status
    True False Always Success Above Below HIGH LOW INPUT OUTPUT CHANGE DEFAULT EMPTY""".split()
CALLED_MACROS = """min max swap foreach clamp barrier major minor check verify require move clear erase echo box border insert word bit round sq
    index bytes read write open close poll select accept bind send recv free_list log step""".split()


def test_macros_of_well_known_headers(emitted, tmp_path):
    """A header may be included behind the ones that define `slots`, `current`, `small`: neither it nor its source has such a word."""
    _need("tcc")
    word = re.compile(r"""/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*\#[ \t]*(?:include|error)[^\n]*|\b(%s)\b|\b(%s)\("""
                      % ("|".join(MACROS), "|".join(CALLED_MACROS)), re.DOTALL | re.MULTILINE)
    read, compiled = 0, 0
    for path in glob.glob(os.path.join(emitted, "*.[ch]")):
        text = open(path, encoding="utf-8").read()
        assert not {(os.path.basename(path), found[1] or found[2]) for found in word.finditer(text) if found[1] or found[2]}
        read += 1
        if not path.endswith(".h"):
            continue
        own = [line for line in text.splitlines() if line.startswith("#include ") and "bespoke.h" not in line]
        lines = [*own, *(f"#undef {name}\n#define {name} @" for name in MACROS), *(f"#undef {name}\n#define {name}() @" for name in CALLED_MACROS)]
        (tmp_path / "behind.c").write_text("\n".join([*lines, f'#include "{os.path.basename(path)}"', ""]))
        _compile(emitted, "gcc" if "_Alignas" in text else "tcc", ["-c", "-o", str(tmp_path / "behind.o"), str(tmp_path / "behind.c")])
        compiled += 1
    assert read > 100 and compiled > 50


# Functions that the test calls by these names of its own, and what the loops of C++ have; containers called as its variables.
CALLED = "label ready cleanup next current leave look cursor_of check add clear end begin update prune over made".split()


@pytest.mark.parametrize("command", ["gcc -std=c99 -fsyntax-only", "clang -std=c11 -fsyntax-only", "g++ -x c++ -std=c++17 -fsyntax-only",
                                     "clang++ -x c++ -std=c++17 -fsyntax-only"])
def test_the_test_beside_functions_of_its_names(tmp_path, command):
    _need(command.split()[0])
    names = iter(CALLED)
    spec = "bespoke: 1\ndefaults: {element: {type: struct ship, header: ship.h}}\ncontainers:\n"
    for number, container in enumerate(("what", "made_of", "seed", "how")):
        hooks = ", ".join(f"{event}: {next(names)}" for event in ("add", "remove", "destroy", "update"))
        kind = "ordering: layered, layers: {names: [low, high], ordering: insertion}" if number % 2 else "ordering: insertion"
        spec += f"  {container}: {{{kind}, removal: {{policy: prune, expired: element->gone}}, hooks: {{{hooks}}}, test: {{id: id}}}}\n"
    (tmp_path / "ship.h").write_text("#pragma once\nstruct ship { unsigned id; int gone, status; };\n")
    (tmp_path / "lists.yaml").write_text(spec)
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", "--no-format", "--tests", "lists.yaml", "-o", "."],
                   cwd=tmp_path, check=True)
    subprocess.run([*command.split(), *FLAGS, "lists_test.c"], cwd=tmp_path, check=True)


HOOKED = """\
bespoke: 1
containers:
  fleet:
    element: {type: struct ship, header: ship.h%s}
    ordering: unordered
    removal: {policy: back_copy, expired: ship_is_gone}
    hooks: {destroy: ship_sinks, update: ship_flies, context: const struct wind *}
    emit: {export: SHIP_API, header: ship.h}
"""
YOURS = {
    "ship_is_gone": "bool %s(const struct ship *element) { return element->gone; }",
    "ship_sinks": "void %s(struct fleet *list, struct ship *element) { (void)list; (void)element; }",
    "ship_flies": "void %s(struct fleet *list, struct ship *element, const struct wind *context) { (void)list; (void)element; (void)context; }",
}


@pytest.mark.parametrize("pointer", ["", ", by: pointer"], ids=["value", "pointer"])
def test_another_signature_of_your_function_stops_the_build(tmp_path, pointer):
    """Nothing but a declaration in the header stands between the two files of C."""
    _need("gcc")
    (tmp_path / "ship.h").write_text("#pragma once\n#include <stdbool.h>\n#define SHIP_API\nstruct ship { bool gone; };\n")
    (tmp_path / "fleet.yaml").write_text(HOOKED % pointer)
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", "--no-format", "--tests", "fleet.yaml", "-o", "."],
                   cwd=tmp_path, check=True)
    assert not re.search("SHIP_API (?:bool|void) ship_", (tmp_path / "fleet.h").read_text())
    for wrong in [None, *YOURS]:
        text = '#include "fleet.h"\n'
        for name, definition in YOURS.items():
            text += (f"int {name}(int other) {{ return other; }}" if name == wrong else definition % name) + "\n"
        (tmp_path / "ship.c").write_text(text)
        result = subprocess.run(["gcc", *FLAGS, "-fsyntax-only", "ship.c", "fleet.c", "fleet_test.c"], cwd=tmp_path, stderr=subprocess.PIPE,
                                universal_newlines=True)
        assert (result.returncode == 0) == (wrong is None), result.stderr
        assert wrong is None or f"conflicting types for ‘{wrong}’" in result.stderr or f"conflicting types for '{wrong}'" in result.stderr


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("linkage", ["static inline", 'extern "C" inline', "inline"])
def test_your_functions_have_the_linkage_of_your_header_in_cplusplus(tmp_path, compiler, linkage):
    _need(compiler)
    (tmp_path / "ship.h").write_text("#pragma once\n#define SHIP_API\nstruct fleet;\nstruct wind;\nstruct ship { bool gone; };\n"
                                     + "".join(f"{linkage} {definition % name}\n" for name, definition in YOURS.items()))
    (tmp_path / "fleet.yaml").write_text(HOOKED % "")
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", "--no-format", "fleet.yaml", "-o", "."],
                   cwd=tmp_path, check=True)
    subprocess.run([compiler, "-x", "c++", "-std=c++17", "-Wall", "-Werror", "-fsyntax-only", "fleet.c"], cwd=tmp_path, check=True)


def test_the_hooks_that_there_are(tmp_path):
    """What a header says of hooks, of places and of handles is said of what it has."""
    (tmp_path / "ship.h").write_text("#pragma once\nstruct ship { int hp; };\n")
    (tmp_path / "fleet.yaml").write_text("bespoke: 1\ndefaults: {element: {type: struct ship, header: ship.h}}\ncontainers:\n"
                                         "  fleet: {handles: generational, hooks: {destroy: ship_sinks}}\n"
                                         "  crew: {hooks: {remove: ship_leaves, destroy: ship_is_gone}}\n")
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", "fleet.yaml", "-o", "."], cwd=tmp_path, check=True)
    header = (tmp_path / "fleet.h").read_text()
    assert "- the destroy hook runs once for each element, after its removal" in header
    assert "- the remove and destroy hooks run once for each element, after its removal" in header
    assert "handle = fleet_handle_of(&list, added);" in header and "crew_handle_of" not in header
    assert "    if (index >= list->count) {" in header
    assert not re.search(r"\(uint64_t \*\)\(void \*\)\(\w+ \+ capacity / 64\)", (tmp_path / "fleet.c").read_text())


def test_sources_have_public_functions_in_order_behind_what_they_use():
    """As the header declares them; a private function stands before the first that calls it, and no public one is between."""
    for path in sorted(glob.glob(os.path.join(ROOT, 'generated', '*.c'))):
        with open(path, encoding='utf-8') as file:
            source = file.read()
        with open(path[:-1] + 'h', encoding='utf-8') as file:
            declared = re.findall(r'^\w[\w *]*?\b(\w+)\([^{]*?\);', file.read(), re.M)
        for part in source.split('\n/* == ')[1:]:
            found = re.findall(r'^(static )?\w[\w *]*?\b(\w+)\([^;{]*\)\n\{\n(.*?)^\}', part, re.M | re.S)
            public = [name for _, name, _ in found if not name.endswith('_')]
            assert public == [name for name in declared if name in public]
            for at, (static, name, _) in enumerate(found):
                if static:
                    until = next((number for number in range(at, len(found)) if not found[number][1].endswith('_')), len(found))
                    assert any(re.search(rf'\b{name}\b', body) for _, _, body in found[at + 1:until + 1]), (path, name)


def test_a_private_function_says_what_it_does():
    """A comment stands before each, and before its `#if`."""
    for path in sorted(glob.glob(os.path.join(ROOT, 'generated', '*.c'))):
        with open(path, encoding='utf-8') as file:
            found = re.findall(r'^(.*)\n(?:#.*\n)*static [^=;]*\b(\w+)\([^;{]*\)(?:\n\{| \{)', file.read(), re.M)
        assert len(found) > 0, path
        assert [name for before, name in found if not before.endswith('*/')] == [], path
