"""`emit.attributes`, which is on: what compilers warn of, what silences them, and that nothing of it is there without it."""

import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

SPEC = """\
bespoke: 1
defaults: {emit: {%s}}
containers:
  fleet: {element: long, ordering: insertion, identity: value, capacity: {max: 8, inline: true}}
  held: {element: {type: long, by: pointer}, ordering: unordered, handles: generational}
  layers: {element: long, ordering: layered, layers: {names: [low, high]}}
"""
PROGRAM = """\
#include "fleet.h"
static long number;
long *lost(void)
{
    fleet list;

    fleet_init(&list);
    (void)fleet_add(&list, 1);
    return fleet_find(&list, 1);
}
long *kept(void)
{
    held list;

    held_init(&list);
    return held_get(&list, held_handle_none());
}
int main(void)
{
    fleet list;
    held others;
    layers all;

    fleet_init(&list);
    held_init(&others);
    layers_init(&all);
    %(void)sfleet_add(&list, 1);
    %(void)sheld_add(&others, &number);
    %(void)slayers_add(&all, 0, 1);
    fleet_clear(&list);
    (void)fleet_settle(&list);
    return 0;
}
"""
ADDS = {"fleet", "held", "layers"}
# The compiler, and the containers of whose adds it warns; and does it warn of what is lost?
CELLS = [("gcc -std=c2x", ADDS, 0), ("gcc -std=c11", ADDS, 0), ("gcc -std=c99", ADDS, 0), ("gcc -std=c11 -DBESPOKE_NODISCARD=", set(), 0), ("clang -std=c11", ADDS, 0), ("clang -std=c2x", ADDS, 0),
         ("g++ -std=c++17 -x c++", ADDS, 0), ("g++ -std=c++14 -x c++", ADDS, 0), ("clang++ -std=c++17 -x c++", ADDS, 1),
         ("clang++ -std=c++17 -DBESPOKE_NODISCARD= -x c++", set(), 1), ("clang++ -std=c++17 -DBESPOKE_LIFETIMEBOUND= -x c++", ADDS, 0)]


def generated(folder, emit):
    (folder / "fleet.yaml").write_text(SPEC % emit)
    subprocess.run([sys.executable, f"{ROOT}/bespoke", "generate", "-q", "fleet.yaml", "-o", ".", "--no-format"], cwd=folder, check=True)


def warned(folder, compiler, silenced):
    """The containers of whose adds a compiler warns, and how often it warns of an address that is returned."""
    command = compiler.split()
    if shutil.which(command[0]) is None:
        pytest.skip(f"needs {command[0]}")
    (folder / "use.c").write_text(PROGRAM.replace("%(void)s", "(void)" if silenced else ""))
    done = subprocess.run([*command, "-Wall", "-Wextra", "-Wpedantic", "-Wundef", "-I.", "-fsyntax-only", "use.c"], cwd=folder, check=True,
                          stderr=subprocess.PIPE, universal_newlines=True)
    lines = re.findall(r"^use\.c:(\d+):.*\[-W(unused-result|return-stack-address)\]", done.stderr, re.M)
    text = (folder / "use.c").read_text().split("\n")
    assert done.stderr.count("warning: ") == len(lines), done.stderr
    adds = {re.search(r"(\w+)_add\(", text[int(number) - 1])[1] for number, what in lines if what == "unused-result"}
    return adds, sum(what == "return-stack-address" for _, what in lines)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    made = {emit: tmp_path_factory.mktemp("attributes") for emit in ("cplusplus: false", "support: shared", "attributes: false")}
    for emit, folder in made.items():
        generated(folder, emit)
    return made


@pytest.mark.parametrize("emit", ["cplusplus: false", "support: shared"])
@pytest.mark.parametrize("compiler, adds, lost", CELLS, ids=[compiler for compiler, *_ in CELLS])
def test_compilers_warn(folders, emit, compiler, adds, lost):
    """Of each add whose status is ignored, and of none with (void); of an element that is lost with its container, not of one held by pointer."""
    assert warned(folders[emit], compiler, False) == (adds, lost)
    assert warned(folders[emit], compiler, True) == (set(), lost)


def test_nothing_of_it_is_there_without_it(folders):
    header = (folders["attributes: false"] / "fleet.h").read_text()
    assert "NODISCARD" not in header and "LIFETIMEBOUND" not in header
    assert "NODISCARD fleet_status fleet_add_all(" in (folders["cplusplus: false"] / "fleet.h").read_text()
    assert warned(folders["attributes: false"], "clang++ -std=c++17 -x c++", False) == (set(), 0)
