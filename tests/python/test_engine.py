"""Emission into an engine: its names, its banner, its macros, its allocator, and nothing of a library where there is none."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT
from test_harness import FLAGS, story

from generator.containers.load import load_spec
from generator.emitted.render import Renderer
from generator.text.diag import Diagnostics
from generator.text.identifiers import shout
from generator.text.naming import pascal
from generator.text.printing import render
from generator.tool import explain

SPECS = os.path.join(ROOT, "tests", "specs")
HEADER = """\
#ifndef SHIP_H
#define SHIP_H
#include <stdbool.h>
#include <stdint.h>
struct ship { uint32_t id; uint32_t slot; float depth; int hull; bool gone; struct ship *next, *prev; void *owner; };
#endif
"""

# Containers of all sorts: every part that names something has one here. The user's names look like the container's.
SPEC = """\
bespoke: 1
defaults:
  emit: {types: %s, functions: %s, prefix: '%s'}
memberships: {fleet_list_leave_all: [ship_team, targets]}
containers:
  fleet_list:
    element: {type: struct ship, header: ship.h}
    ordering: unordered
    test: {id: id}
    hooks: {add: fleet_list_added, remove: fleet_list_lost}
  cargo:
    element: {fields: {weight: float, hit_points: int}}
    layout: soa
    handles: generational
  ship_team:
    element: {type: struct ship, header: ship.h, by: pointer}
    duplicates: reject
    index: hash
  targets:
    element: {type: struct ship, header: ship.h, by: intrusive, link: {next: next, prev: prev, owner: owner}}
  theatre:
    preset: entity_layers
    element: {type: struct ship, header: ship.h, by: pointer}
    layers: [ground, air]
    removal: {expired: element->hull == 0}
    hooks: {update: theatre_updates, context: const int *}
  waiting:
    preset: locking_list
    element: {type: struct ship, header: ship.h, by: pointer}
  drawn:
    element: {type: struct ship, header: ship.h}
    ordering: sorted
    sort: element->depth
    removal: shift
"""

# types, functions, prefix -> what some names come to
STYLES = {
    ("snake", "snake", "eng_"): ("eng_fleet_list", "eng_fleet_list_cursor", "eng_fleet_list_remove_at", "eng_cargo_hit_points"),
    ("pascal", "pascal", ""): ("FleetList", "FleetListCursor", "FleetListRemoveAt", "CargoHitPoints"),
    ("pascal", "camel", ""): ("FleetList", "FleetListCursor", "fleetListRemoveAt", "cargoHitPoints"),
    ("pascal", "camel", "cp"): ("cpFleetList", "cpFleetListCursor", "cpFleetListRemoveAt", "cpCargoHitPoints"),
    ("pascal", "pascal", "SDL_"): ("SDL_FleetList", "SDL_FleetListCursor", "SDL_FleetListRemoveAt", "SDL_CargoHitPoints"),
    ("pascal", "snake", "eng_"): ("eng_FleetList", "eng_FleetListCursor", "eng_fleet_list_remove_at", "eng_cargo_hit_points"),
    ("snake", "pascal", ""): ("fleet_list", "fleet_list_cursor", "FleetListRemoveAt", "CargoHitPoints"),
    ("pascal", "type_snake", ""): ("FleetList", "FleetListCursor", "FleetList_remove_at", "Cargo_hit_points"),
    ("pascal", "type_camel", ""): ("FleetList", "FleetListCursor", "FleetList_removeAt", "Cargo_hitPoints"),
    ("pascal", "type_pascal", "b2"): ("b2FleetList", "b2FleetListCursor", "b2FleetList_RemoveAt", "b2Cargo_HitPoints"),
}
YOURS = "fleet_list_added fleet_list_lost fleet_list_leave_all theatre_updates".split()
CONTAINERS = "fleet_list cargo ship_team targets theatre theatre_layer waiting drawn".split()


def made(folder, text, stem="box", tests=True, headers=()):
    """Generates the files of a spec into a folder."""
    folder = str(folder)
    for name, content in (("ship.h", HEADER), (stem + ".yaml", text), *headers):
        with open(os.path.join(folder, name), "w") as file:
            file.write(content)
    diagnostics = Diagnostics()
    spec = load_spec(os.path.join(folder, stem + ".yaml"), diagnostics, [SPECS])
    assert spec is not None and not diagnostics.errors, [render(item) for item in diagnostics.sorted()]
    files = Renderer().files(spec, "bespoke generate %s.yaml" % stem, tests=tests)
    for name, content in files.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(content)
    return files


def run(folder, *command, fails=False):
    if shutil.which(command[0]) is None and os.sep not in command[0]:
        pytest.skip(command[0] + " is not installed")
    done = subprocess.run(command, cwd=str(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                          timeout=300)
    assert (done.returncode != 0) == fails, done.stdout
    return done.stdout


def bespoke(folder, *arguments, fails=False):
    return run(folder, sys.executable, os.path.join(ROOT, "bespoke"), *arguments, fails=fails)


def clean(folder, source, *flags):
    """No warning in C99, in C2x and in C++17, with checks and without."""
    for command in (["gcc", "-std=c99", "-Wstrict-prototypes", "-Wmissing-prototypes"],
                    ["clang", "-std=c2x", "-Wstrict-prototypes", "-DBESPOKE_CHECKS=1", "-DBESPOKE_CHAOS=1"],
                    ["g++", "-x", "c++", "-std=c++17", "-DBESPOKE_CHECKS=1"]):
        if shutil.which(command[0]):
            run(folder, *command, *FLAGS, *flags, "-fsyntax-only", source)


@pytest.mark.parametrize("style", STYLES, ids="-".join)
def test_names(tmp_path, style):
    files = made(tmp_path, SPEC % style)
    kind, cursor, function, column = STYLES[style]
    header, source = files["box.h"], files["box.c"]
    assert "typedef struct %s " % kind in header and "} %s;" % cursor in header
    assert "_status %s(%s *list, size_t index);" % (function, kind) in header.replace("Status", "_status")
    head = next(head for head in re.findall(r"operations, with the prefix (\w+)$", header, re.M) if function.startswith(head))
    assert re.search(r"^ \* .*  .*\b%s\b" % function[len(head):], header, re.M), "the table of costs"
    assert "inline int *%s(" % column in header
    assert re.search(r"\b%s_EACH\(" % shout(kind), header) and shout(kind) + "_OK" in header
    for name in YOURS:
        assert re.search(r"\b%s\(" % name, source), name
    # Nothing is left of another spelling, in code, comments, examples or messages.
    known = {word for word in re.findall(r"\w+", "\n".join(files.values()).replace("\\n", " "))}
    for container in CONTAINERS:
        for T in {container, style[2] + container, kind.replace(pascal("fleet_list"), pascal(container))}:
            for name in ("remove_current", "add_all", "is_empty", "shrink_to_fit", "make_slots_"):
                if style[1] != "snake" and (style[1] != "type_snake" or T == container):
                    assert f"{T}_{name}" not in known
    if style in [("pascal", "pascal", ""), ("snake", "pascal", ""), ("pascal", "type_camel", "")]:
        clean(tmp_path, "box.c")
    run(tmp_path, "gcc", "-std=c11", *FLAGS, "-fsyntax-only", "box_test.c")


@pytest.mark.parametrize("style", [("snake", "pascal", "xy_")], ids="-".join)
def test_the_test_of_other_names(tmp_path, style):
    made(tmp_path, SPEC % style)
    run(tmp_path, "gcc", "-std=c11", "-w", "box_test.c", "-o", "box_test")
    assert "8 containers" in run(tmp_path, "./box_test", "--exhaustive", "2", "--steps", "1500")


def test_a_failure_is_told_in_the_names_of_the_engine(tmp_path):
    text = SPEC % ("pascal", "type_pascal", "b2")
    folders = {name: tmp_path / name for name in ("broken", "whole")}
    for name, folder in folders.items():
        folder.mkdir()
        files = made(folder, text)
        if name == "broken":
            broken, count = re.subn(r"(static (?:inline )?void b2FleetList_Take_\([^{]*\{)", r"\1 if (slot == 1) { slot = 0; }", files["box.c"])
            assert count == 1
            (folder / "box.c").write_text(broken)
    run(folders["broken"], "gcc", "-std=c11", "-w", "box_test.c", "-o", "box_test")
    said = run(folders["broken"], "./box_test", "--container", "b2FleetList", fails=True)
    failure = story(said)[1]
    assert "b2FleetList_Remove(&list, at(&list, " in failure and not re.search(r"b2FleetList_[a-z]", said), failure
    for name, folder in folders.items():
        (folder / "failure.c").write_text(failure + "unsigned fleet_list_leave_all_;\n"
                                          "void theatre_updates(struct b2TheatreLayer *list, struct ship *element, const struct b2TheatreTick *tick)\n"
                                          "{ (void)list; (void)element; (void)tick; }\n")
        run(folder, "gcc", "-std=c99", "-w", "box.c", "failure.c", "-o", "failure")
        run(folder, "./failure", fails=name == "broken")


def test_misuse_is_told_in_the_names_of_the_engine(tmp_path):
    made(tmp_path, SPEC % ("pascal", "camel", ""))
    (tmp_path / "main.c").write_text("""\
#include "box.h"
void fleet_list_added(FleetList *list, struct ship *ship) { (void)list, (void)ship; }
void fleet_list_lost(FleetList *list, struct ship *ship) { (void)list, (void)ship; }
void theatre_updates(TheatreLayer *list, struct ship *ship, const struct TheatreTick *tick) { (void)list, (void)ship, (void)tick; }
int main(void) { Waiting list = {0}; waitingUnlock(&list); return 0; }
""")
    run(tmp_path, "gcc", "-std=c99", "-DBESPOKE_CHECKS=1", "main.c", "box.c", "-o", "main")
    assert run(tmp_path, "./main", fails=True).startswith("waitingUnlock: it is not locked")


def test_explain_in_the_names_of_the_engine(tmp_path):
    made(tmp_path, SPEC % ("pascal", "pascal", ""))
    said = bespoke(tmp_path, "explain", "box.yaml")
    assert "FleetListStatus FleetListAdd(FleetList *list, struct ship element);" in said
    assert re.search(r"^  FleetListShrinkToFit +O\(n\)", said, re.M)
    # Also where it tells of another function, and of what is stored.
    assert not re.findall(rf"\b(?:{'|'.join(map(pascal, CONTAINERS))})_[a-z]\w+", said) and "else as WaitingUnlock" in said


def test_banner_of_several_lines(tmp_path):
    (tmp_path / "crew.yaml").write_text("bespoke: 1\ncontainers:\n  crew:\n    element: int\n    emit:\n      banner: |\n"
                                        "        Copyright (c) the authors of Engine\n\n        SPDX-License-Identifier: Zlib\n")
    bespoke(tmp_path, "generate", "crew.yaml", "-o", "out", "--no-format")
    text = (tmp_path / "out" / "crew.h").read_text()
    assert text.startswith("/*\n * Copyright (c) the authors of Engine\n *\n * SPDX-License-Identifier: Zlib\n */\n/* GENERATED")
    bespoke(tmp_path, "check", "crew.yaml", "-o", "out")
    assert "2 unchanged" in bespoke(tmp_path, "generate", "crew.yaml", "-o", "out", "--no-format")


def test_explain_of_all_sorts():
    """Layers, columns and links in elements have no tables of what they do not have."""
    specs = [os.path.join(ROOT, "specs", "entity_layers.yaml")] + [os.path.join(SPECS, name + ".yaml") for name in ("columns", "links", "engine_lists")]
    for path in specs:
        for container in load_spec(path, Diagnostics()).containers:
            said = explain.container(container)
            assert "\nmemory\n" in said
            signatures = said[said.index("\nsignatures\n"):said.index("\nstatuses\n")]
            assert ("size_t " in signatures, "engine_size " in signatures) == ((False, True) if "engine_lists" in path else (True, False))


# -- an engine with all of its habits at once: tests/specs/engine_lists.yaml; its generated test is one of CMake's --------------

ENGINE_C = """\
#include "engine_lists.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t largest;

void engine_failed(const char *file, int line, const char *condition)
{
    printf("%s in line %d: %s\\n", strrchr(file, '.'), line > 0, condition);
}
void *engine_take(size_t bytes) { largest = bytes > largest ? bytes : largest; return bytes < 1 << 20 ? malloc(bytes) : NULL; }
void *engine_resize(void *block, size_t bytes) { largest = bytes > largest ? bytes : largest; return bytes < 1 << 20 ? realloc(block, bytes) : NULL; }
void engine_give_back(void *block) { free(block); }
void *engine_arena_take(void *context, size_t bytes) { (void)context; return engine_take(bytes); }
void *engine_arena_resize(void *context, void *block, size_t old_bytes, size_t new_bytes) { (void)context, (void)old_bytes; return engine_resize(block, new_bytes); }
void engine_arena_give_back(void *context, void *block, size_t bytes) { (void)context, (void)bytes; free(block); }
void trailing_thing_destroyed(enTrailing *list, engine_thing *thing) { (void)list, (void)thing; }
void pruned_thing_updated(enPruned *list, engine_thing *thing, void *context) { (void)list, (void)thing, (void)context; }
"""
MAIN_C = """\
int main(void)
{
    enCrowd crowd = {0};
    enSwarm swarm = {0};
    enLockedSet locked;
    engine_thing things[3] = {{0}};
    engine_size taken = 0, seen = 0;
    enCrowdCursor over;

    for (unsigned i = 0; i < 3; i++) {
        if (enCrowd_Add(&crowd, &things[i]) != EN_CROWD_OK) { return 1; }
    }
    if (enSwarm_AddAll(&swarm, things, 3, &taken) != EN_SWARM_OK || taken != 3) { return 2; }
    EN_CROWD_EACH(&crowd, thing) {
        seen++;
        if (thing == &things[1]) { enCrowd_RemoveCurrent(&thing_cursor); }
    }
    if (seen != 3 || enCrowd_Count(&crowd) != 2 || engine_thing_leave_all(&things[0], &crowd) != 1) { return 3; }
    /* Bytes are counted in size_t: more than 32 bits of them, where places have 32. */
    if (enSwarm_Reserve(&swarm, 1u << 29) != EN_SWARM_NO_MEMORY || largest >> 32 == 0 || largest < sizeof(engine_thing) << 29) { return 4; }
    largest = 0;
    if (enSwarm_Reserve(&swarm, (engine_size)-1) != EN_SWARM_FULL || largest != 0) { return 5; }
    enLockedSet_Init(&locked, NULL); /* several arrays in one block */
    if (enLockedSet_Reserve(&locked, 1u << 29) != EN_LOCKED_SET_NO_MEMORY || largest >> 32 == 0) { return 8; }
    if (enSwarm_Count(&swarm) != 3 || enSwarm_Check(&swarm) != NULL) { return 6; }
    /* Misuse is the engine's to tell of; here it goes on. */
    over = enCrowd_Begin(&crowd);
    enCrowd_End(&over);
    if (enCrowd_Next(&over) != NULL || enCrowd_Add(&crowd, NULL) == EN_CROWD_OK) { return 7; }
    enCrowd_Deinit(&crowd);
    enSwarm_Deinit(&swarm);
    return 0;
}
"""
MEMORY_C = """\
#include <stddef.h>
void *memcpy(void *to, const void *from, size_t bytes) { for (size_t i = 0; i < bytes; i++) { ((char *)to)[i] = ((const char *)from)[i]; } return to; }
void *memmove(void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        size_t at = to < from ? i : bytes - 1 - i;
        ((char *)to)[at] = ((const char *)from)[at];
    }
    return to;
}
void *memset(void *at, int byte, size_t bytes) { for (size_t i = 0; i < bytes; i++) { ((char *)at)[i] = (char)byte; } return at; }
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    folder = tmp_path_factory.mktemp("engine")
    bespoke(folder, "generate", "-q", os.path.join(SPECS, "engine_lists.yaml"), "-o", ".")
    return folder


def undefined(folder, name):
    return {line.split()[-1] for line in run(folder, "nm", "-u", name).splitlines() if line.strip()}


def defined(folder, *arguments):
    return {line.split()[-1] for line in run(folder, "nm", "--defined-only", *arguments).splitlines() if " T " in line}


def test_called_through_a_shared_library(engine):
    """Nothing is visible but what has the engine's macro, and that is enough to use the lists."""
    (engine / "library.c").write_text(ENGINE_C + ("void engine_forget_largest(void);\nsize_t engine_largest(void);\n"
                                                "ENGINE_API size_t engine_largest(void) { return largest; }\n"
                                                       "ENGINE_API void engine_forget_largest(void) { largest = 0; }"))
    (engine / "game.c").write_text('#include "engine_lists.h"\nvoid engine_forget_largest(void);\nsize_t engine_largest(void);\n'
                                   + MAIN_C.replace("largest = 0;", "engine_forget_largest();").replace("largest >>", "engine_largest() >>")
                                   .replace("largest <", "engine_largest() <").replace("largest !=", "engine_largest() !="))
    run(engine, "gcc", "-std=c99", "-shared", "-fPIC", "-fvisibility=hidden", "-I" + SPECS, "engine_lists.c", "library.c", "-o", "libgame.so")
    run(engine, "gcc", "-std=c99", *FLAGS, "-I" + SPECS, "game.c", "-L.", "-lgame", "-Wl,-rpath,$ORIGIN", "-o", "game")
    run(engine, "./game")
    visible = {name for name in defined(engine, "-D", "libgame.so") if not name.startswith("engine_l") and not name.startswith("engine_f")}
    header = (engine / "engine_lists.h").read_text()
    assert visible == set(re.findall(r"^(?:BESPOKE_NODISCARD )?ENGINE_API [^;(]*?\b(\w+)\(", header, re.M))
    assert len(visible) > 150 and "engine_thing_leave_all" in visible
    # Whatever the source defines for others is declared so.
    run(engine, "gcc", "-std=c99", "-c", "-I" + SPECS, "engine_lists.c", "-o", "all.o")
    assert defined(engine, "all.o") == visible


def test_the_assertion_of_the_engine(engine):
    (engine / "checked.c").write_text(ENGINE_C + MAIN_C)
    run(engine, "gcc", "-std=c99", "-DBESPOKE_CHECKS=1", *FLAGS, "-I" + SPECS, "checked.c", "engine_lists.c", "-o", "checked")
    said = run(engine, "./checked").splitlines()
    assert len(said) == 2 and '"enCrowd_" "Next" ": " "the pass is over' in said[0] and said[0].startswith(".h in line 1")
    assert '"enCrowd_" "Add" ": " "NULL is no element"' in said[1] and said[1].startswith(".c in line 1")
    run(engine, "gcc", "-std=c99", *FLAGS, "-I" + SPECS, "checked.c", "engine_lists.c", "-o", "checked")
    assert run(engine, "./checked") == ""


BASE = """\
#ifndef BASE_H
#define BASE_H
#ifdef NULL
#error "a header of the library came before"
#endif
#define BESPOKE_CHECKS 1
#define BESPOKE_MISUSE(operation, reason) base_misused(operation)
#define BESPOKE_FATAL(message) base_misused(message)
void base_misused(const char *operation);
#endif
"""


@pytest.mark.parametrize("emit, support", [("support: inline", "inline"), ("support: shared", "shared"), ("files: single", "inline"),
                                           ("handles_header: true", "inline")])
def test_the_header_of_the_engine_comes_first(tmp_path, emit, support):
    """What it defines holds for the containers, also where headers share bespoke.h, and for their test."""
    (tmp_path / "base.h").write_text(BASE)
    (tmp_path / "box.yaml").write_text("bespoke: 1\ncontainers:\n  box: {element: int, handles: generational, emit: {header: base.h, %s}}\n" % emit)
    (tmp_path / "main.c").write_text("""\
#define BOX_IMPLEMENTATION
#include "box.h"
static int misused;
void base_misused(const char *operation)
{
    misused += operation[0] == 'b';
}
int main(void)
{
    box list = {0};
    box_cursor cursor = box_begin(&list);

    box_end(&cursor);
    box_remove_current(&cursor);
    return misused == 0;
}
""")
    bespoke(tmp_path, "generate", "-q", "box.yaml", "-o", ".", "--tests", "--no-format")
    sources = ["main.c"] if "single" in emit else ["main.c", "box.c"]
    run(tmp_path, "gcc", "-std=c99", *FLAGS, *sources, "-o", "main")
    run(tmp_path, "./main")
    assert (tmp_path / "bespoke.h").exists() == (support == "shared")
    (tmp_path / "base.c").write_text('#include "base.h"\n#include <stdlib.h>\nvoid base_misused(const char *operation) { (void)operation; abort(); }\n')
    run(tmp_path, "gcc", "-std=c99", *FLAGS, "box_test.c", "base.c", "-o", "test")
    run(tmp_path, "./test", "--steps", "500", "--exhaustive", "1")


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++"])
def test_no_library(engine, compiler):
    """Freestanding: every policy of removal and every storage, linked with nothing but three functions and the engine."""
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    language = ["-x", "c++", "-std=c++17", "-fno-exceptions", "-fno-rtti"] if compiler == "g++" else ["-std=c99"]
    for checks in "01" if compiler == "gcc" else "1":
        run(engine, compiler, *language, *FLAGS, "-ffreestanding", "-nostdlib", "-O2", "-fno-stack-protector", "-DBESPOKE_CHECKS=" + checks,
            "-I" + SPECS, "-c", "engine_lists.c", "-o", "free.o")
        theirs = {name for name in undefined(engine, "free.o") if not re.search("engine_|trailing_|pruned_", name)}
        assert theirs <= {"memcpy", "memmove", "memset", "memcmp"}, theirs
    if compiler == "gcc":
        (engine / "memory.c").write_text(MEMORY_C)
        (engine / "start.c").write_text("""\
#include "engine_lists.h"
static char room[1 << 16];
static size_t used;
void engine_failed(const char *file, int line, const char *condition) { (void)file, (void)line, (void)condition; }
void *engine_take(size_t bytes) { used += (bytes + 15) / 16 * 16; return used > sizeof room ? NULL : room + used - (bytes + 15) / 16 * 16; }
void *engine_resize(void *block, size_t bytes) { (void)block, (void)bytes; return NULL; }
void engine_give_back(void *block) { (void)block; }
void *engine_arena_take(void *context, size_t bytes) { (void)context; return engine_take(bytes); }
void *engine_arena_resize(void *context, void *block, size_t old_bytes, size_t new_bytes) { (void)context, (void)block, (void)old_bytes, (void)new_bytes; return NULL; }
void engine_arena_give_back(void *context, void *block, size_t bytes) { (void)context, (void)block, (void)bytes; }
void trailing_thing_destroyed(enTrailing *list, engine_thing *thing) { (void)list, (void)thing; }
void pruned_thing_updated(enPruned *list, engine_thing *thing, void *context) { (void)list, (void)thing, (void)context; }
void _start(void) {}
""")
        run(engine, "gcc", "-std=c99", "-ffreestanding", "-nostdlib", "-static", "-fno-builtin", "-fno-stack-protector", "-I" + SPECS, "start.c",
            "memory.c", "free.o", "-o", "alone")


def test_no_headers_of_a_library(engine):
    """Only headers that every compiler brings itself are included where there is no library."""
    said = run(engine, "gcc", "-ffreestanding", "-M", "-I" + SPECS, "engine_lists.c")
    assert not re.search(r"/(string|stdlib|stdio|assert|errno)\.h", said), said


def test_a_trap_where_there_is_no_assertion(tmp_path):
    made(tmp_path, "bespoke: 1\ncontainers:\n  box:\n    element: int\n    ordering: unordered\n    capacity: {inline: true, max: 9}\n"
                   "    emit: {freestanding: true, files: single}\n", stem="lone", tests=False)
    (tmp_path / "main.c").write_text("#define LONE_IMPLEMENTATION\n#include \"lone.h\"\nint main(void) { box list = {0}; box_cursor c = box_begin(&list);"
                                     " box_end(&c); box_next(&c); return 0; }\n")
    run(tmp_path, "gcc", "-std=c99", *FLAGS, "-ffreestanding", "-c", "main.c", "-o", "main.o")
    assert undefined(tmp_path, "main.o") <= {"memcpy", "memmove", "memset"}
    run(tmp_path, "gcc", "-std=c99", "-DBESPOKE_CHECKS=1", "main.c", "-o", "main")
    run(tmp_path, "./main", fails=True)


NINE = """\
static unsigned deep(box *list, unsigned depth)
{
    unsigned visits = 0;

    BOX_EACH(list, element) {
        visits += 1 + (depth > 1 ? deep(list, depth - 1) : 0);
    }
    return visits;
}
"""


@pytest.mark.parametrize("free", ["false", "true"])
def test_one_pass_too_many_stops_the_program(tmp_path, free):
    """With checks and without, at the ninth level of nested loops."""
    made(tmp_path, "bespoke: 1\ncontainers:\n  box:\n    element: int\n    ordering: unordered\n    capacity: {inline: true, max: 9}\n"
                   f"    emit: {{freestanding: {free}}}\n", stem="lone", tests=False)
    (tmp_path / "main.c").write_text('#include "lone.h"\n' + NINE + """\
int main(int count, char **arguments)
{
    box list = {0};

    (void)arguments;
    (void)box_add(&list, 1);
    return deep(&list, 7 + (unsigned)count) == 8 ? 0 : 3;
}
""")
    run(tmp_path, "gcc", "-std=c99", *FLAGS, "main.c", "lone.c", "-o", "main")
    assert run(tmp_path, "./main") == ""
    said = run(tmp_path, "./main", "deeper", fails=True)
    assert said == ("" if free == "true" else
                    "box_begin: 8 passes are live: raise iteration.passes, or end passes that were left\n")
    run(tmp_path, "gcc", "-std=c99", *FLAGS, "-DBESPOKE_FATAL(message)=(void)0", "main.c", "lone.c", "-o", "main")
    run(tmp_path, "./main", "deeper")


def test_files_stand_alone(engine):
    """A header can be included first, alone, twice; a single one holds its implementation."""
    for text in ('#include "engine_lists.h"\n', '#include "engine_lists.h"\n#include "engine_lists.h"\n'):
        (engine / "alone.c").write_text(text)
        run(engine, "gcc", "-std=c99", *FLAGS, "-I" + SPECS, "-fsyntax-only", "alone.c")
    spec = open(os.path.join(SPECS, "engine_lists.yaml")).read().replace("  emit:\n", "  emit:\n    files: single\n", 1)
    folder = engine / "single"
    folder.mkdir()
    made(folder, spec, stem="engine_lists")
    assert sorted(os.listdir(str(folder))) == ["engine_lists.h", "engine_lists.yaml", "engine_lists_test.c", "ship.h"]
    (folder / "one.c").write_text('#define ENGINE_LISTS_IMPLEMENTATION\n#include "engine_lists.h"\n')
    (folder / "two.c").write_text('#include "engine_lists.h"\nvoid other(enCrowd *crowd);\nvoid other(enCrowd *crowd) { enCrowd_Clear(crowd); }\n')
    clean(folder, "one.c", "-I" + SPECS, "-Wno-unused-function")
    for name in ("one", "two"):
        run(folder, "gcc", "-std=c99", *FLAGS, "-I" + SPECS, "-c", name + ".c")
    run(folder, "gcc", "-std=c11", *FLAGS, "-I" + SPECS, "-fsyntax-only", "engine_lists_test.c")


@pytest.mark.parametrize("size_type,works", [("unsigned", True), ("unsigned long", True), ("count_t", True), ("wide_t", True),
                                             ("signed_t", False), ("short_t", False)])
def test_types_of_sizes(tmp_path, size_type, works):
    made(tmp_path, """\
bespoke: 1
defaults:
  emit: {size_type: %s, header: sizes.h}
containers:
  some:
    element: char
    ordering: unordered
  drawn:
    element: {type: struct ship, header: ship.h}
    ordering: sorted
    sort: {key: element->depth, when: begin}
  keyed:
    element: {type: struct ship, header: ship.h}
    identity: {key: element->id}
    duplicates: replace
    index: hash
""" % size_type, headers=[("sizes.h", "#ifndef SIZES_H\n#define SIZES_H\n#include <stdint.h>\ntypedef uint32_t count_t;\ntypedef uint64_t wide_t;\n"
                             "typedef int signed_t;\ntypedef unsigned short short_t;\n#endif\n")])
    said = run(tmp_path, "gcc", "-std=c99", *(FLAGS if works else ["-w"]), "-c", "box.c", fails=not works)
    assert works or "some_size_type_is_" in said
    if size_type in ("count_t", "wide_t"):
        run(tmp_path, "gcc", "-std=c11", *FLAGS, "box_test.c", "-o", "box_test")
        assert "3 containers" in run(tmp_path, "./box_test", "--exhaustive", "2", "--steps", "400")


def test_the_test_of_narrow_sizes_has_no_warning(tmp_path):
    """None of these has a test that writes numbers into members, which allowed the conversions of sizes before."""
    made(tmp_path, """\
bespoke: 1
defaults: {emit: {size_type: uint32_t}, element: int}
containers:
  dense: {removal: shift}
  named: {ordering: unordered, removal: swap, handles: generational}
""")
    run(tmp_path, "gcc", "-std=c11", *FLAGS, "-fsyntax-only", "box_test.c")


@pytest.mark.parametrize("header", [True, False])
def test_plain_allocators(tmp_path, header):
    """Functions or macros with the parameters of malloc, realloc and free."""
    files = made(tmp_path, "bespoke: 1\ncontainers:\n  box:\n    element: int\n    allocator: {kind: plain, alloc: take, realloc: again, free: drop%s}\n"
                 % (", header: blocks.h" if header else ""), headers=[("blocks.h", "#ifndef BLOCKS_H\n#define BLOCKS_H\n#include <stdlib.h>\n#define take(bytes) malloc(bytes)\n"
                 "#define again(block, bytes) realloc(block, bytes)\n#define drop(block) free(block)\n#endif\n")])
    assert ("void *take(size_t bytes);" in files["box.c"]) != header
    assert not re.search(r"\b(malloc|realloc|free)\(", files["box.c"])
    clean(tmp_path, "box.c")
    run(tmp_path, "gcc", "-std=c11", *FLAGS, "box_test.c", "-o", "box_test")
    assert "1 container," in run(tmp_path, "./box_test", "--exhaustive", "2", "--steps", "400")


def test_an_allocator_may_be_the_librarys_in_part(tmp_path):
    """Many programs check what malloc returns in a function of theirs, and call free itself."""
    files = made(tmp_path, """bespoke: 1
defaults: {element: int}
containers:
  one: {removal: shift, allocator: {kind: plain, alloc: checked_malloc, realloc: checked_realloc, free: free, never_fails: true}}
  two: {removal: unlink, ordering: insertion, allocator: {kind: plain, alloc: malloc, realloc: realloc, free: counted_free}}
  three: {ordering: sorted, sort: {key: "*element", when: begin}, allocator: {kind: plain, alloc: my_malloc, free: free}}
""")
    assert "#include <stdlib.h>" in files["box.c"] and "void free(" not in files["box.c"] and "\nvoid *checked_malloc(size_t bytes);" in files["box.c"]
    clean(tmp_path, "box.c")
    run(tmp_path, "gcc", "-std=c11", *FLAGS, "box_test.c", "-o", "box_test")
    assert "3 containers," in run(tmp_path, "./box_test", "--exhaustive", "2", "--steps", "400")


def test_operations_have_the_names_of_the_engine(tmp_path):
    """As they are written, whatever the rest is spelled like; in `defaults` also those that a container lacks."""
    (tmp_path / "bodies.yaml").write_text("""bespoke: 1
defaults:
  element: {type: int}
  emit: {types: pascal, functions: camel, names: {add: _push, remove_current: Drop, pop: Take, add_from: Absorb}}
containers:
  body_array: {ordering: unordered}
  jobs: {ordering: fifo, emit: {names: {add: Post}}}
""")
    (tmp_path / "main.c").write_text("""#include "bodies.h"
int main(void)
{
    BodyArray bodies = {0};
    Jobs jobs = {0};
    int job = 0;

    if (bodyArray_push(&bodies, 1) != BODY_ARRAY_OK || jobsPost(&jobs, 2) != JOBS_OK || jobsPop(&jobs, &job) != JOBS_OK) {
        return 1;
    }
    BODY_ARRAY_EACH(&bodies, body) {
        bodyArrayDrop(&body_cursor);
    }
    job = job != 2 || bodyArrayCount(&bodies) != 0;
    bodyArrayAbsorb(&bodies, &bodies, NULL);
    return job;
}
""")
    bespoke = [sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", "bodies.yaml", "-o", ".", "--no-format"]
    subprocess.run(bespoke, cwd=str(tmp_path), check=True)
    for checks in "0", "1":
        subprocess.run(["cc", "-Werror", *FLAGS, "-Wno-unused-result", f"-DBESPOKE_CHECKS={checks}", "main.c", "bodies.c", "-o", "main"],
                       cwd=str(tmp_path), check=True)
        done = subprocess.run(["./main"], cwd=str(tmp_path), stderr=subprocess.PIPE, encoding="utf-8")
        assert (done.returncode == 0) == (checks == "0")
    assert done.stderr == "bodyArrayAbsorb: a container cannot take its own elements\n"
