"""Emission into an engine: its names, its banner, its macros, its allocator, and nothing of a library where there is none."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from conftest import ROOT
from generator import explain
from generator.diag import Diagnostics, render
from generator.names import shout
from generator.render import Renderer
from generator.resolve import load_spec
from generator.style import pascal
from test_harness import FLAGS, story

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


def made(folder, text, stem="box", tests=True):
    """Generates the files of a spec into a folder."""
    folder = str(folder)
    for name, content in (("ship.h", HEADER), (stem + ".yaml", text)):
        with open(os.path.join(folder, name), "w") as file:
            file.write(content)
    diagnostics = Diagnostics()
    spec = load_spec(os.path.join(folder, stem + ".yaml"), diagnostics)
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
        run(folder, *command, *FLAGS, *flags, "-fsyntax-only", source)


@pytest.mark.parametrize("style", STYLES, ids="-".join)
def test_names(tmp_path, style):
    files = made(tmp_path, SPEC % style)
    kind, cursor, function, column = STYLES[style]
    header, source = files["box.h"], files["box.c"]
    assert "typedef struct %s " % kind in header and "} %s;" % cursor in header
    assert "_status %s(%s *list, size_t index);" % (function, kind) in header.replace("Status", "_status")
    assert re.search(r"^ \* %s +O\(" % function, header, re.M), "the table of costs"
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
    clean(tmp_path, "box.c")
    run(tmp_path, "gcc", "-std=c11", *FLAGS, "-fsyntax-only", "box_test.c")


@pytest.mark.parametrize("style", [("pascal", "camel", ""), ("snake", "pascal", "xy_")], ids="-".join)
def test_the_test_of_other_names(tmp_path, style):
    made(tmp_path, SPEC % style)
    run(tmp_path, "gcc", "-std=c11", "-O1", "-w", "box_test.c", "-o", "box_test")
    assert "8 containers" in run(tmp_path, "./box_test", "--exhaustive", "2", "--steps", "1500")


def test_a_failure_is_told_in_the_names_of_the_engine(tmp_path):
    text = SPEC % ("pascal", "type_pascal", "b2")
    folders = {name: tmp_path / name for name in ("broken", "whole")}
    for name, folder in folders.items():
        folder.mkdir()
        files = made(folder, text)
        if name == "broken":
            broken, count = re.subn(r"(static void b2FleetList_Take_\([^{]*\{)", r"\1 if (slot == 1) { slot = 0; }", files["box.c"])
            assert count == 1
            (folder / "box.c").write_text(broken)
    run(folders["broken"], "gcc", "-std=c11", "-w", "-O1", "box_test.c", "-o", "box_test")
    said = run(folders["broken"], "./box_test", "--container", "b2FleetList", fails=True)
    failure = story(said)[1]
    assert "b2FleetList_Remove(&list, at(&list, " in failure and not re.search(r"b2FleetList_[a-z]", said), failure
    for name, folder in folders.items():
        (folder / "failure.c").write_text(failure + "unsigned fleet_list_leave_all_; void theatre_updates(void) {}\n")
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


def test_banner_of_several_lines(tmp_path):
    (tmp_path / "crew.yaml").write_text("bespoke: 1\ncontainers:\n  crew:\n    element: int\n    emit:\n      banner: |\n"
                                        "        Copyright (c) the authors of Engine\n\n        SPDX-License-Identifier: Zlib\n")
    bespoke(tmp_path, "generate", "crew.yaml", "-o", "out", "--no-format")
    text = (tmp_path / "out" / "crew.h").read_text()
    assert text.startswith("/*\n * Copyright (c) the authors of Engine\n *\n * SPDX-License-Identifier: Zlib\n */\n/*\n * GENERATED")
    bespoke(tmp_path, "check", "crew.yaml", "-o", "out")
    assert "2 unchanged" in bespoke(tmp_path, "generate", "crew.yaml", "-o", "out", "--no-format")


def test_explain_of_every_spec():
    """Layers, columns and links in elements have no tables of what they do not have."""
    specs = [os.path.join(folder, name) for folder in (os.path.join(ROOT, "specs"), os.path.join(ROOT, "tests", "specs"))
             for name in sorted(os.listdir(folder)) if name.endswith(".yaml")]
    for path in specs:
        for container in load_spec(path, Diagnostics()).containers:
            assert "\nmemory\n" in explain.container(container)
