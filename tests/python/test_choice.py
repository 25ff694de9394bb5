"""Operations that a spec chooses: what comes with them, what goes, that nothing is named that is not there."""

import glob
import os
import random
import re
import shutil

import pytest
from conftest import ROOT
from pieces import Text
from test_engine import made, run
from test_harness import FLAGS, SANITIZERS, compiled

from generator.containers import planning as plans
from generator.containers.load import load_spec
from generator.containers.names import operation_names
from generator.emitted import support
from generator.emitted.render import Renderer
from generator.language.keys import BY_PATH
from generator.language.model import Names, Setting
from generator.text.diag import Diagnostics
from generator.text.naming import plain
from generator.text.printing import render

FOLDERS = [os.path.join(ROOT, *parts) for parts in (("specs",), ("tests", "specs"))]
SPECS = [path for folder in FOLDERS for path in sorted(glob.glob(os.path.join(folder, "*.yaml")))]
RENDERER = Renderer()
MOST = 4 if not os.environ.get("BESPOKE_TEST_ALL") else 1000  # containers of a spec that are looked at
INCLUDES = ["-I."] + ["-I" + folder for folder in FOLDERS]

FLEET = """\
bespoke: 1
containers:
  fleet:
    element: {type: struct ship, header: ship.h}
    ordering: unordered
    duplicates: reject
    identity: {key: element->id}
    index: hash
    removal: swap
    emit: {operations: [%s], cplusplus: true}
"""


def names_in(text, heads):
    """Every name of a container that a text says, in code or in comments."""
    return {word for word in re.findall(r"[A-Za-z_]\w*", text) if word.startswith(heads) and not word.endswith("_under_test")}


def declared(text, heads):
    return {name for item in Text(text, heads).items() for name in item.names}


def functions(text, heads):
    """Name and parameters (C++ has names of several) -> text of every function that is defined, without the comment above it."""
    return {(name, "".join(item.said.partition("{")[0].split())): item.said
            for item in Text(text, heads).items() for name in item.names if item.said.rstrip().endswith("}")}


def load(path):
    diagnostics = Diagnostics()
    spec = load_spec(path, diagnostics, FOLDERS)
    assert spec is not None and not diagnostics.errors, [render(item) for item in diagnostics.sorted()]
    for container in spec.emitted:
        container.settings.pop("emit.operations", None)  # of one that chooses itself
        container.plan = None  # without what is there only where it is named
    return spec


def choose(spec, pick):
    """Chooses operations for the containers of a spec, as its file would."""
    for container in spec.containers:
        chosen = pick(container)
        for each in (container, container.layer):
            if each is not None and chosen is not None:
                each.settings["emit.operations"] = Setting(Names(chosen), "spec", each.span)
    return spec


def heads_of(spec):
    found = [plans.make_plan(each) for each in spec.emitted]
    return tuple(plain(head) + "_" for plan in found for head in (plan.T, plan.TT))


TEXTS = ("type", "function", "callable", "comparison", "statement", "fields")


def words_of(spec):
    """Every name in what a spec says in C, but for members."""
    found = {membership.name for membership in spec.memberships}
    for container in spec.emitted:
        for path, setting in container.settings.items():
            if setting.value is not None and BY_PATH[path].kind in TEXTS:
                found.update(re.findall(r"[A-Za-z_]\w*", re.sub(r"(?:\.|->)\s*\w+", " ", str(setting.value))))
    return found


def consistent(spec, files, whole):
    """Nothing is named that is not declared, and what there is is there as in the whole."""
    heads = heads_of(spec)
    left, all_ = ("\n".join(text for name, text in each.items() if not name.endswith("_test.c")) for each in (files, whole))
    dangling = names_in(left, heads) & declared(all_, heads) - declared(left, heads) - words_of(spec)
    dangling -= {str(each[path]) for each in spec.emitted for path in each.settings if path.startswith("element.link.")}  # members of the user's
    assert not dangling, (spec.path, sorted(dangling))
    before, after = functions(all_, heads), functions(left, heads)
    for name, text in after.items():
        assert before[name].split() == text.split(), name  # what is short has a line, or not, by what is before it
    return after


# -- the pieces of a text ------------------------------------------------------------------------------------------------


def test_what_is_declared():
    for code, names in (("typedef struct a_b { int x; } a_b;", {"a_b"}), ("typedef unsigned a_x[3];", {"a_x"}), ("struct ship;", {"ship"}),
                        ("typedef enum a_s {\n    A_OK = 0, /* , B */\n    A_NO = 3,\n} a_s;", {"a_s", "A_OK", "A_NO"}),
                        ("enum { A_ONE, A_TWO };", {"A_ONE", "A_TWO"}), ("static const int a_table[2] = {1, 2};", {"a_table"}),
                        ("static void (**a_get(const a *list, size_t index))(int)\n{\n    return 0;\n}", {"a_get"}),
                        ("void lost(struct a *list, struct ship *element);", {"lost"}), ("#define A_MAX 12", {"A_MAX"}),
                        ('_Static_assert(sizeof(a) > 2, "a_get");', set()), ("A_KEEPS_(x, 0, int *);", set())):
        (item,) = Text(code + "\n", ["a_"]).items()
        assert item.names == names and item.always == (not names), code


# -- what comes with what was chosen -------------------------------------------------------------------------------------


def test_what_was_chosen_and_no_more(tmp_path):
    files = made(tmp_path, FLEET % "add, find, remove_key, each", "fleet")
    header, source = files["fleet.h"], files["fleet.c"]
    there = declared(header, ["fleet_"])
    calls = {name for name in there if name.startswith("fleet_") and not name.endswith("_")}
    assert calls == {"fleet_add", "fleet_find", "fleet_remove_key", "fleet_begin", "fleet_end", "fleet_deinit", "fleet_status", "fleet_cursor",
                     "fleet_walk", "fleet_each", "fleet_pass"}
    assert "FLEET_EACH" in there and "FLEET_ABSENT" in there and "FLEET_DUPLICATE" in there and "FLEET_STALE" not in header
    assert "fleet_span" not in header and "fleet_chaos_" in source and "fleet_remove_current" not in header + source
    assert not re.search(r"fleet_(reserve|check|add_from|contains|clear)\b", header + source)
    assert "operations, with the prefix fleet_" not in header and "fleet_end, nullptr," in header  # so few need no table
    # And with a loop in which elements are removed.
    files = made(tmp_path, FLEET % "add, each, remove_current", "fleet")
    assert "pass.remove_current()" in files["fleet.h"] and "fleet_end, fleet_remove_current," in files["fleet.h"]
    assert "    if (...) { fleet_remove_current(&element_cursor); }" in files["fleet.h"].replace(" *     ", "")
    # A pass may be forgotten until the next settle, where there is one.
    files = made(tmp_path, FLEET % "add, each, settle", "fleet")
    assert "until fleet_settle" in files["fleet.h"].replace("\n *  ", "") and "fleet_settle(fleet *list)\n{" in files["fleet.c"]
    # Nothing but what is always there.
    files = made(tmp_path, FLEET % "count", "fleet")
    calls = declared(files["fleet.h"], ["fleet_"]) & {f"fleet_{name}" for name in ("deinit", "count", "settle", "begin", "add", "status")}
    assert calls == {"fleet_deinit", "fleet_count"}
    assert "#include <stdio.h>" not in files["fleet.c"] and "BESPOKE_INLINE" not in files["fleet.h"] and "During a pass" not in files["fleet.h"]


def some(rng, container):
    known = operation_names(container)
    return rng.sample(known, min(len(known), rng.choice((1, 2, 3, 5, 8))))


def sampled(seed):
    """Of each spec some operations, and the same without a choice."""
    rng = random.Random(seed)
    for path in SPECS[seed::2]:
        spec = load(path)
        if not spec.memberships and all(container["element.defined_in"] is None for container in spec.containers):
            spec.containers = rng.sample(spec.containers, min(len(spec.containers), MOST))
        whole = RENDERER.files(spec, "x")
        choose(spec, lambda container: some(rng, container))
        yield spec, RENDERER.files(spec, "x"), whole


@pytest.mark.parametrize("seed", range(2))
def test_nothing_is_named_that_is_not_there(tmp_path, seed):
    """And what there is compiles without a warning, also of what is not used: so nothing is left that nobody needs."""
    sources = []
    for spec, files, whole in sampled(seed):
        if not any(container.respelled for container in spec.emitted):
            consistent(spec, files, whole)
        for name, text in files.items():
            for shared in support.IN_SOURCES:  # whole, whoever calls one of them: as in bespoke.h
                (tmp_path / f"{shared}.h").write_text(support.piece(shared).text + "\n")
                text = text.replace(support.piece(shared).text, f'#include "{shared}.h"')
            (tmp_path / name).write_text(text)
        if spec.files == "single":
            (tmp_path / f"{spec.stem}.c").write_text(f'#define {spec.stem.upper()}_IMPLEMENTATION\n#include "{spec.stem}.h"\n')
        sources.append(f"{spec.stem}.c")
    flags = [*FLAGS, *INCLUDES, "-Wunused-function", "-Wunused-macros", "-fsyntax-only"]
    for command in (["gcc", "-std=c99", "-Wstrict-prototypes", "-Wmissing-prototypes"], ["clang", "-std=c2x", "-Wstrict-prototypes", "-DBESPOKE_CHECKS=1"],
                    ["g++", "-x", "c++", "-std=c++17"], ["gcc", "-std=c11", "-DBESPOKE_CHAOS=1"])[seed::2]:
        if shutil.which(command[0]):
            run(tmp_path, *command, *flags, *sources)


ALONE = ("hashed_array", "slot_map", "locking_list", "particles", "scene_tree", "entity_layers")


@pytest.mark.parametrize("stem", ALONE)
def test_each_operation_alone(stem):
    """Whatever is chosen is there, and so is what it says of others."""
    path = next(path for path in SPECS if path.endswith(f"{stem}.yaml"))
    spec = load(path)
    whole = RENDERER.files(spec, "x")
    (container,) = spec.containers[:1]
    spec.containers = [container]
    for name in random.Random(stem).sample(operation_names(container), 8):
        files = RENDERER.files(choose(spec, lambda _: [name]), "x")
        T = container.full_name
        loops = {f"{T}_{name}".upper(), f"{T}_LAYER_{name}".upper()} if name in ("each", "each_const") else set()
        assert ({f"{T}_{name}", f"{T}_layer_{name}"} | loops) & declared("\n".join(files.values()), heads_of(spec)), (T, name)
        consistent(spec, files, whole)


# -- several containers --------------------------------------------------------------------------------------------------

SEVERAL = """\
bespoke: 1
memberships: {leave_all: [team, targets]}
defaults: {emit: {cplusplus: true}}
containers:
  plain: {element: int}
  team:
    element: {type: struct ship, header: ship.h, by: pointer}
    duplicates: reject
    index: hash
    emit: {operations: [add]}
  targets:
    element: {type: struct ship, header: ship.h, by: intrusive, link: {next: next, prev: prev, owner: owner}}
    emit: {operations: [add, first]}
  theatre:
    preset: entity_layers
    element: {type: struct ship, header: ship.h, by: pointer}
    layers: [ground, air]
    removal: {expired: element->gone}
    hooks: {update: theatre_updates, context: const int *}
    emit: {operations: [%s]}
"""


def test_several_containers(tmp_path):
    """Each has its own choice; what one needs of another comes with it."""
    files = made(tmp_path, SEVERAL % "add, each", "box")
    there = declared(files["box.h"], ["plain_", "team_", "targets_", "theatre_"])
    assert {"plain_remove", "plain_check", "team_remove", "targets_remove", "leave_all", "targets_first", "theatre_layer_add", "theatre_layer_begin"} <= there
    assert not there & {"team_contains", "targets_last", "theatre_update", "theatre_layer_update", "theatre_tick", "theatre_set_enabled"}
    assert files["box.h"].count("class bespoke_walk") == 1
    # What only layers can do is known by its name, too.
    header = made(tmp_path, SEVERAL % "layer_at, prune, is_empty, get", "box")["box.h"]
    there = declared(header, ["plain_", "team_", "targets_", "theatre_"])
    assert {"theatre_layer_at", "theatre_layer_prune", "theatre_prune", "theatre_is_empty", "theatre_layer_is_empty"} <= there
    assert "THEATRE_EACH" not in header and "theatre_update" not in there


# -- programs ------------------------------------------------------------------------------------------------------------

USER = """\
#include "fleet.h"
#include <stdio.h>

int main(void)
{
    fleet list = {0};
    unsigned sum = 0;

    for (uint32_t i = 0; i < 100; i++) {
        struct ship one = {0};

        one.id = i % 60;
        if (fleet_add(&list, one) != (i < 60 ? FLEET_OK : FLEET_DUPLICATE)) {
            return 1;
        }
    }
    for (uint32_t i = 0; i < 60; i += 3) {
        if (fleet_find(&list, i) == NULL || fleet_remove_key(&list, i) != FLEET_OK || fleet_find(&list, i) != NULL) {
            return 2;
        }
    }
    FLEET_EACH(&list, element) {
        sum += element->id;
    }
    printf("%u\\n", sum);
    fleet_deinit(&list);
    return 0;
}
"""


@pytest.mark.parametrize("files", ("pair", "single"))
def test_a_program(tmp_path, files):
    made(tmp_path, FLEET % "add, find, remove_key, each" + "    %s\n" % "", "fleet")
    text = (FLEET % "add, find, remove_key, each").replace("emit: {", "emit: {files: %s, " % files)
    made(tmp_path, text, "fleet")
    (tmp_path / "user.c").write_text(("#define FLEET_IMPLEMENTATION\n" if files == "single" else "") + USER)
    sources = ["user.c"] + ["fleet.c"] * (files == "pair")
    for flags in (SANITIZERS, ["-DBESPOKE_CHECKS=1", "-DBESPOKE_CHAOS=2"]):
        run(tmp_path, "gcc", *FLAGS, *flags, *sources, "-o", "user")
        assert run(tmp_path, "./user") == "%d\n" % sum(i for i in range(60) if i % 3)


def test_the_generated_test_is_of_the_whole(tmp_path):
    """It needs no operation that is left out, and may be linked with what is emitted."""
    files = made(tmp_path, FLEET % "add, each", "fleet")
    assert "fleet_check(" in files["fleet_test.c"] and "fleet_check" not in files["fleet.h"] + files["fleet.c"]
    assert '\n#include "fleet.' not in files["fleet_test.c"]
    assert "generate it without that key" in files["fleet_test.c"] \
        and "emit.operations" not in made(tmp_path, (FLEET % "add").replace("emit:", "#"), "fleet")["fleet_test.c"]
    made(tmp_path, FLEET % "add, each", "fleet")
    (tmp_path / "other.c").write_text('#include "fleet.c"\n')
    code = compiled(str(tmp_path), "fleet_test.c", *FLAGS, "other.c", output="tests")
    assert "1 container, " in run(tmp_path, code, "--steps", "2000", "--exhaustive", "2")
    # It is of the text that is emitted: what is wrong there is wrong here.
    text = (tmp_path / "fleet_test.c").read_text()
    broken = text.replace("list->count--;", ";", 1)
    assert broken != text
    (tmp_path / "broken_test.c").write_text(broken)
    code = compiled(str(tmp_path), "broken_test.c", output="broken")
    run(tmp_path, code, "--steps", "2000", "--exhaustive", "2", fails=True)


def test_the_generated_test_where_headers_include_it(tmp_path):
    """The container is a member of a struct of the user's, which says what its elements are, too."""
    camp = ("camp.h", """\
#ifndef CAMP_H
#define CAMP_H
#include "camps.h"
struct camper { uint32_t id; };
struct camp { camps all; };
#endif
""")
    made(tmp_path, "bespoke: 1\ncontainers:\n  camps: {element: {type: struct camper, by: pointer, defined_in: camp.h}, ordering: unordered, "
         "duplicates: reject, identity: {key: element->id}, index: hash, emit: {operations: [add, count]}}\n", "camps", headers=[camp])
    code = compiled(str(tmp_path), "camps_test.c", *FLAGS, output="tests")
    assert "1 container, " in run(tmp_path, code, "--steps", "1000", "--exhaustive", "2")


# -- what is said of it --------------------------------------------------------------------------------------------------


USUAL = """\
bespoke: 1
containers:
  ships:
    preset: slot_map
    element: int
    emit: {operations: [data, usual, clear]}
  bare:
    preset: slot_map
    element: int
    handles: none
    emit: {operations: [usual]}
  plain: {element: int, emit: {operations: [usual]}}
"""


def test_usual_operations(tmp_path):
    """`usual` stands for the preset's operations, in its place; those that the container does not have are left out."""
    header = made(tmp_path, USUAL, "fleet")["fleet.h"]
    calls = re.findall(r"^(?:BESPOKE_NODISCARD )?[a-z].*\b(ships|bare|plain)_(\w+[a-z])\([^;]*\);", header, re.M)
    usual = {"add", "begin", "clear", "count", "deinit", "end", "remove_current"}
    assert {name for head, name in calls if head == "ships"} == usual | {"data", "get", "handle_of", "remove"}
    assert {name for head, name in calls if head == "bare"} == usual | {"get", "remove"}
    assert {name for head, name in calls if head == "plain"} == usual


def functions_of(header, name):
    return set(re.findall(rf"^(?:BESPOKE_NODISCARD )?[a-z].*\b{name}_(\w+[a-z])\([^;]*\);", header, re.M))


def test_usual_operations_of_a_keyed_list_find(tmp_path):
    keyed = FLEET.replace("identity:", "preset: hashed_array\n    identity:") % "usual"
    assert {"find", "add", "contains"} <= functions_of(made(tmp_path, keyed, "fleet")["fleet.h"], "fleet")


def test_all_operations_and_one_that_is_only_there_by_name(tmp_path):
    """`all` stands for what is there without the key, in all of the header; `add_get` and `swap_places` come on top."""
    def header(folder, operations):
        text = "\n".join(line for line in FLEET.splitlines() if "operations" not in line) + "\n"
        more = f"    emit: {{operations: [{operations}]}}\n" if operations else ""
        return made(tmp_path / folder, text + more, "fleet")["fleet.h"]

    for folder in ("without", "all", "more", "less"):
        (tmp_path / folder).mkdir()
    without, only = header("without", ""), header("all", "all")
    assert without == only
    more = functions_of(header("more", "add_get, all, swap_places"), "fleet")
    assert more - functions_of(without, "fleet") == {"add_get", "swap_places"} and more > functions_of(without, "fleet")
    assert functions_of(header("less", "add_get"), "fleet") < more
    code = compiled(str(tmp_path / "more"), "fleet_test.c", *FLAGS, output="tests")
    assert "1 container, " in run(tmp_path / "more", code, "--steps", "500", "--exhaustive", "1")


def test_explain_tells_what_comes_with_it(tmp_path):
    from test_engine import bespoke
    made(tmp_path, FLEET % "add, each", "fleet")
    said = bespoke(tmp_path, "explain", "fleet.yaml")
    assert re.search(r"emit.operations +\[add, each\]", said)
    table = said[said.index("\noperations\n"):said.index("\nsignatures\n")]
    assert re.findall(r"^  (fleet_\w+)", table, re.M) == ["fleet_deinit", "fleet_add", "fleet_begin", "fleet_end"]
    assert "not emitted" in table and "remove_current" in " ".join(table.split())
    assert re.findall(r"^  (FLEET_\w+)", said[said.index("\nstatuses\n"):], re.M) == ["FLEET_OK", "FLEET_DUPLICATE", "FLEET_NO_MEMORY"]
