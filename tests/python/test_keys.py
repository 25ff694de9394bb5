"""Keys that are no integers: what the header and the source of a container say, and what misuse of a key stops with."""

import os
import re
import shutil
import subprocess

import pytest
from conftest import ROOT

from generator.containers.load import load_spec
from generator.emitted.render import Renderer
from generator.text.diag import Diagnostics

HEADER = """#include <stddef.h>
#include <stdint.h>
struct guid { uint64_t high, low; };
struct asset { char *name; char tag[16]; struct guid guid; size_t length; };
"""
SPEC = """bespoke: 1
defaults: {element: {type: struct asset, header: asset.h}, ordering: unordered, duplicates: reject}
containers:
  names: {identity: {key: element->name, kind: string}, index: {kind: hash, seed: secret}}
  slices: {identity: {key: element->tag, length: element->length}, index: hash}
  guids: {identity: {key: element->guid, kind: bytes, type: struct guid}, index: hash}
  fast: {identity: {key: element->name, kind: string}, index: {kind: hash, seed: secret, hashing: fast}}
  fast_slices: {identity: {key: element->tag, length: element->length}, index: {kind: hash, hashing: fast}, removal: {when: deferred}}
  fast_guids: {identity: {key: element->guid, kind: bytes, type: struct guid}, index: {kind: hash, hashing: fast}}
  named: {identity: {key: element->length}, indexes: {by_tag: {key: element->tag, key_kind: string}, by_text: {key: element->tag, key_kind: string, hashing: fast}}}
  unknown: {identity: {key: element->guid, kind: bytes}}
  objects: {identity: {key: element->guid, type: struct guid, equal: same_guid}}
  numbers: {identity: {key: element->length}, index: hash}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("keys")
    (made / "asset.h").write_text("#pragma once\n" + HEADER)
    (made / "assets.yaml").write_text(SPEC)
    spec = load_spec(str(made / "assets.yaml"), Diagnostics())
    for name, text in Renderer().files(spec, "bespoke generate").items():
        (made / name).write_text(text)
    return made


@pytest.fixture(scope="module")
def checked(folder):
    subprocess.run(["gcc", "-std=c99", "-DBESPOKE_CHECKS=1", "-c", "assets.c"], cwd=folder, check=True)
    return folder / "assets.o"


@pytest.mark.parametrize("name, params", [
    ("names", "const char *key"), ("slices", "const char *key, size_t length"), ("guids", "const struct guid *key"),
    ("unknown", "const void *key"), ("objects", "const struct guid *key"), ("numbers", "uint64_t key")])
def test_how_callers_pass_a_key(folder, name, params):
    header = (folder / "assets.h").read_text().replace(" BESPOKE_LIFETIMEBOUND", "")
    assert f"struct asset *{name}_find(const {name} *list, {params});" in header
    assert f"{name}_status {name}_remove_key({name} *list, {params});" in header


def test_only_what_is_hashed_has_the_hash_function(folder):
    source = (folder / "assets.c").read_text()
    hashing = dict(re.findall(r"\b((?!\w*_kept)\w+_hash_\w*)\(const .*\n\{\n(.*)", source))
    functions = {name: found[1] for name, body in hashing.items() for found in [re.search(r"bespoke_(\w+)\(list->hash_key, ", body)] if found}
    assert functions == {**dict.fromkeys(("names_hash_", "slices_hash_", "guids_hash_", "named_hash_by_tag_"), "siphash13"),
                         **dict.fromkeys(("fast_hash_", "fast_slices_hash_", "fast_guids_hash_", "named_hash_by_text_"), "folded")}


@pytest.mark.parametrize("call, said", [
    ("names_find(&list, NULL);", "names_find: the key is NULL"),
    ("names_remove_key(&list, NULL);", "names_remove_key: the key is NULL"),
    ("(void)names_add(&list, (struct asset){0});", "names_add: the key of an element is NULL"),
    ("slices_find(&(slices){0}, NULL, 1);", "slices_find: the key is NULL"),
    ("slices_find(&(slices){0}, NULL, 0);", ""),
    ("guids_find(&(guids){0}, NULL);", "guids_find: the key is NULL")])
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_misuse_of_a_key_stops_with_checks_on(folder, checked, call, said):
    (folder / "main.c").write_text('#include "assets.h"\n'
                                   "uint64_t secret(void) { return 7; }\n"
                                   "bool same_guid(const struct guid *a, const struct guid *b) { return a->low == b->low; }\n"
                                   "int main(void) { names list = {0}; (void)names_add(&list, (struct asset){.name = \"hull\"}); " + call + " names_deinit(&list); return 0; }\n")
    subprocess.run(["gcc", "-std=c99", "-DBESPOKE_CHECKS=1", "main.c", str(checked), "-o", "main"], cwd=folder, check=True)
    done = subprocess.run(["./main"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    assert (done.returncode != 0) == bool(said) and said in done.stderr


def test_what_is_sorted_on_call_has_the_kind_of_the_same_key(tmp_path):
    """A T_sort by the key that elements are found by compares that as it is."""
    (tmp_path / "asset.h").write_text("#pragma once\n" + HEADER)
    (tmp_path / "sorted.yaml").write_text(
        "bespoke: 1\ndefaults: {element: {type: struct asset, header: asset.h}, duplicates: reject, sort: element->name}\n"
        "containers:\n  on_call: {ordering: insertion, identity: {key: element->name, kind: string}}\n")
    spec = load_spec(str(tmp_path / "sorted.yaml"), Diagnostics())
    assert "return strcmp(a->name, b->name) < 0;" in Renderer().files(spec, "bespoke generate")["sorted.c"]


@pytest.mark.parametrize("index, said", [("hash", True), ("{kind: dense, keys: 100}", True), ("none", False)])
def test_a_heap_says_that_the_key_of_its_index_stays(tmp_path, index, said):
    (tmp_path / "asset.h").write_text("#pragma once\n" + HEADER)
    (tmp_path / "queue.yaml").write_text(
        "bespoke: 1\ncontainers:\n  queue: {element: {type: struct asset, header: asset.h}, duplicates: reject, ordering: heap, "
        f"sort: element->guid.low, identity: {{key: element->length}}, index: {index}}}\n")
    header = re.sub(r"\s+\*?\s*", " ", Renderer().files(load_spec(str(tmp_path / "queue.yaml"), Diagnostics()), "x")["queue.h"])
    assert ("What the index has it under must not change: see queue_rekey_index." in header) == said  # T_rekey
    assert ("What the index has them under must not change: see queue_rekey_index." in header) == said  # T_heapify


def test_several_keys(tmp_path):
    """examples/players prints what its page does."""
    example = os.path.join(ROOT, "examples", "players")
    program = str(tmp_path / "players")
    for command in ((os.path.join(ROOT, "bespoke"), "generate", "-q", "players.yaml", "-o", str(tmp_path), "--no-format"),
                    ("gcc", "-std=c99", "-DBESPOKE_CHECKS=1", "-I.", f"-I{tmp_path}", "main.c", str(tmp_path / "players.c"), "-o", program)):
        subprocess.run(command, cwd=example, check=True)
    printed = subprocess.run([program], stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout
    with open(os.path.join(example, "README.md"), encoding="utf-8") as file:
        assert "".join(f"# {line}\n" for line in printed.splitlines()) in file.read()


def test_a_sorted_list_says_that_the_key_of_its_index_stays(tmp_path):
    (tmp_path / "asset.h").write_text("#pragma once\n" + HEADER)
    (tmp_path / "row.yaml").write_text(
        "bespoke: 1\ndefaults: {element: {type: struct asset, header: asset.h}, ordering: sorted, sort: element->guid.low, duplicates: reject, identity: {key: element->length}}\n"
        "containers:\n  keyed: {storage: linked, index: hash}\n  plain: {removal: shift, iteration: {adds: visited}}\n")
    header = Renderer().files(load_spec(str(tmp_path / "row.yaml"), Diagnostics()), "x")["row.h"]
    said = re.findall(r"/\*((?:(?!\*/).)*)\*/\n\w+_status (\w+)_rekey\(", header, re.S)
    assert {name: "What the index has it under must not change: see keyed_rekey_index." in re.sub(r"\s+\*?\s*", " ", text) for text, name in said} == {"keyed": True, "plain": False}


def test_a_test_id_that_is_the_key_is_text(tmp_path):
    """It names the member that the test spells its labels in anyway."""
    (tmp_path / "asset.h").write_text("#pragma once\n" + HEADER)
    texts = []
    for given in ("", ", test: {id: name}"):
        (tmp_path / "row.yaml").write_text(
            "bespoke: 1\ncontainers:\n  assets: {element: {type: struct asset, header: asset.h}, ordering: insertion, identity: {key: element->name, kind: string}" + given + "}\n")
        texts.append(Renderer().files(load_spec(str(tmp_path / "row.yaml"), Diagnostics()), "x", tests=True)["row_test.c"])
    assert texts[0] == texts[1]


COUNTED = """bespoke: 1
defaults:
  element: {type: struct asset, header: asset.h}
  ordering: unordered
  duplicates: reject
  identity: {key: element->guid, type: struct guid, equal: same_guid, hash: hash_of_guid}
  index: hash
containers:
  swapped: {emit: {operations: [all, find_or_add]}}
  reused: {removal: reuse, handles: generational, emit: {operations: [all, add_get]}}
  seeded: {index: {seed: secret}}
"""
COUNTS = r"""#include "counted.h"
#include <stdio.h>
#include <stdlib.h>
static unsigned long hashed;
uint64_t secret(void) { return 7; }
bool same_guid(const struct guid *a, const struct guid *b) { return a->high == b->high && a->low == b->low; }
uint64_t hash_of_guid(const struct guid *key, uint64_t seed) { hashed++; return (key->low ^ seed) * 31 + key->high; }
#define CALLS(what, most) do { if (hashed > (most)) { printf("%s: %lu calls, not %lu\n", what, hashed, (unsigned long)(most)); status = 1; } hashed = 0; } while (0)
#define EACH_OPERATION(T, TT, find, remove) do { \
        T list = {0}; \
        for (uint64_t i = 0; i < 1000; i++) { \
            if (T##_add(&list, (struct asset){.guid = {i, i}, .length = i}) != TT##_OK) { abort(); } \
        } \
        CALLS(#T "_add, growing", 1000); \
        if (T##_add(&list, (struct asset){.guid = {3, 3}, .length = 3}) != TT##_DUPLICATE) { abort(); } \
        CALLS(#T "_add, refused", 1); \
        if (find(&list, &(struct guid){5, 5}) == NULL) { abort(); } \
        CALLS(#find, 1); \
        if (remove(&list, &(struct guid){5, 5}) != TT##_OK) { abort(); } \
        CALLS(#remove, 1); \
        if (T##_reserve(&list, 5000) != TT##_OK) { abort(); } \
        CALLS(#T "_reserve", 0); \
        if (T##_shrink_to_fit(&list) != TT##_OK || T##_count(&list) != 999) { abort(); } \
        CALLS(#T "_shrink_to_fit", 0); \
        T##_clear(&list); \
        CALLS(#T "_clear", 0); \
        T##_deinit(&list); \
        CALLS(#T "_deinit", 0); \
    } while (0)
int main(void)
{
    int status = 0;
    EACH_OPERATION(swapped, SWAPPED, swapped_find, swapped_remove_key);
    EACH_OPERATION(reused, REUSED, reused_find, reused_remove_key);
    EACH_OPERATION(seeded, SEEDED, seeded_find, seeded_remove_key);
    {
        swapped list = {0};
        struct asset *found;
        if (swapped_find_or_add(&list, (struct asset){.guid = {1, 2}}, &found) != SWAPPED_OK) { abort(); }
        if (swapped_find_or_add(&list, (struct asset){.guid = {1, 2}}, &found) != SWAPPED_DUPLICATE) { abort(); }
        CALLS("swapped_find_or_add, twice", 2);
        swapped_deinit(&list);
    }
    {
        reused list = {0};
        struct asset *added;
        if (reused_add_get(&list, (struct asset){.guid = {1, 2}}, &added) != REUSED_OK) { abort(); }
        reused_handle handle = reused_handle_of(&list, added);
        CALLS("reused_add_get, handle_of", 2);
        if (reused_remove(&list, handle) != REUSED_OK) { abort(); }
        CALLS("reused_remove", 0);
        reused_deinit(&list);
    }
    return status;
}
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_an_operation_hashes_a_key_once(tmp_path):
    """And what grows, shrinks or is cleared hashes none."""
    (tmp_path / "asset.h").write_text("#pragma once\n" + HEADER)
    (tmp_path / "counted.yaml").write_text(COUNTED)
    for name, text in Renderer().files(load_spec(str(tmp_path / "counted.yaml"), Diagnostics()), "x").items():
        (tmp_path / name).write_text(text)
    (tmp_path / "main.c").write_text(COUNTS)
    subprocess.run(["gcc", "-std=c99", "-w", "main.c", "counted.c", "-o", "main"], cwd=tmp_path, check=True)
    done = subprocess.run(["./main"], cwd=tmp_path, stdout=subprocess.PIPE, universal_newlines=True)
    assert (done.stdout, done.returncode) == ("", 0)


@pytest.mark.parametrize("index", ["hash", "{kind: dense, keys: 100}"])
@pytest.mark.parametrize("lookups", ["header", "source"])
def test_where_lookups_are(tmp_path, index, lookups):
    (tmp_path / "asset.h").write_text("#pragma once\n" + HEADER)
    (tmp_path / "found.yaml").write_text(
        "bespoke: 1\ncontainers:\n  found: {element: {type: struct asset, header: asset.h}, duplicates: reject, removal: swap, ordering: unordered, "
        f"identity: {{key: element->length}}, index: {index}, emit: {{lookups: {lookups}}}}}\n")
    made = Renderer().files(load_spec(str(tmp_path / "found.yaml"), Diagnostics()), "x")
    for result, name in ("struct asset *", "find"), ("bool ", "contains"):
        inline = re.search(rf"^static inline {re.escape(result)}found_{name}\(.*\)\n\{{", made["found.h"], re.M)
        assert bool(inline) == (lookups == "header")
        assert bool(re.search(rf"^{re.escape(result)}found_{name}\(.*\)\n\{{", made["found.c"], re.M)) == (lookups == "source")
    by_key = lookups == "header" and index == "hash"
    assert bool(re.search(r"^BESPOKE_INLINE found_status found_add\(.*const struct asset element\)\n\{", made["found.h"], re.M)) == by_key
    assert bool(re.search(r"^found_status found_add\(", made["found.c"], re.M)) != by_key


@pytest.mark.parametrize("more, adds, removes", [
    ("", True, True), (", emit: {lookups: source}", False, False), (", hooks: {add: found_comes}", False, False),
    (", hooks: {remove: found_leaves}", True, False), (", duplicates: replace", False, False),
    (", capacity: {max: 64, inline: true}", False, False)])
def test_what_a_table_by_id_does_in_the_header(tmp_path, more, adds, removes):
    """A free slot is written to, or its bit cleared, where nothing else is to be done."""
    (tmp_path / "asset.h").write_text("#pragma once\n" + HEADER)
    (tmp_path / "found.yaml").write_text("bespoke: 1\ncontainers:\n  found: {preset: id_table, element: {type: struct asset, header: asset.h}, "
                                         f"identity: {{key: element->length}}{more}}}\n")
    made = Renderer().files(load_spec(str(tmp_path / "found.yaml"), Diagnostics()), "x")
    assert bool(re.search(r"^BESPOKE_INLINE found_status found_add\(.*const struct asset element\)\n\{", made["found.h"], re.M)) == adds
    for name in "remove", "remove_key":
        assert bool(re.search(rf"^static inline found_status found_{name}\(.*\)\n\{{", made["found.h"], re.M)) == removes
        assert bool(re.search(rf"^found_status found_{name}\(", made["found.c"], re.M)) != removes


@pytest.mark.parametrize("more, adds, removes", [
    ("", True, True), (", removal: {next: last_freed}", True, True), (", handles: generational", True, True),
    (", hooks: {add: found_comes}", False, False), (", hooks: {remove: found_leaves}", True, False), (", handles: generational, side: {heat: float}", True, False),
    (", iteration: {removes: current}", True, False), (", capacity: {max: 64, inline: true}", False, False)])
def test_what_a_pool_of_ids_does_in_the_header(tmp_path, more, adds, removes):
    """A free slot is taken, or a slot freed, where nothing else is to be done."""
    (tmp_path / "asset.h").write_text("#pragma once\n" + HEADER)
    (tmp_path / "found.yaml").write_text("bespoke: 1\ncontainers:\n  found: {preset: id_pool, element: {type: struct asset, header: asset.h}"
                                         f"{more}}}\n")
    made = Renderer().files(load_spec(str(tmp_path / "found.yaml"), Diagnostics()), "x")
    assert bool(re.search(r"^BESPOKE_INLINE found_status found_add_handle\(.*\)\n\{", made["found.h"], re.M)) == adds
    assert bool(re.search(r"^(BESPOKE_NOTHROW )?size_t found_open_\(", made["found.c"], re.M)) == adds
    assert bool(re.search(r"^static inline found_status found_remove\(.*\)\n\{", made["found.h"], re.M)) == removes
    assert bool(re.search(r"^found_status found_remove\(", made["found.c"], re.M)) != removes


@pytest.mark.parametrize("place", ["inline", "source"])
def test_where_an_update_is(tmp_path, place):
    """In the header, a compiler that sees the hook leaves no call of it, and none into another file, in the loop."""
    (tmp_path / "asset.h").write_text("#pragma once\n" + HEADER)
    (tmp_path / "kept.yaml").write_text(
        "bespoke: 1\ncontainers:\n  kept: {element: {type: struct asset, header: asset.h}, ordering: insertion, storage: linked, removal: {policy: prune, "
        f"expired: element->length == 0, ask: before_update, update: {place}}}, hooks: {{update: kept_burns}}}}\n")
    made = Renderer().files(load_spec(str(tmp_path / "kept.yaml"), Diagnostics()), "x")
    for name in "kept_step_", "kept_update":
        assert bool(re.search(rf"^(?:static inline|BESPOKE_INLINE) .*\b{name}\(.*\)\n\{{", made["kept.h"], re.M)) == (place == "inline")
        assert bool(re.search(rf"^(?!BESPOKE_INLINE).*\b{name}\(.*\)\n\{{", made["kept.c"], re.M)) == (place == "source")
    for name, text in made.items():
        (tmp_path / name).write_text(text)
    for compiler in "gcc", "g++":
        if shutil.which(compiler):
            (tmp_path / "main.c").write_text(
                '#include "kept.h"\nvoid kept_burns(kept *list, struct asset *element, void *context) { (void)list; (void)context; element->length--; }\n'
                "void frame(kept *list);\nvoid frame(kept *list) { kept_update(list, NULL); }\n")
            language = {"gcc": ("c", "c99"), "g++": ("c++", "c++17")}[compiler]
            for source in "kept.c", "main.c":  # the second one sees the hook
                subprocess.run([compiler, "-x", language[0], "-std=" + language[1], "-O2", "-Wall", "-Wextra", "-Werror", "-S", source], cwd=tmp_path, check=True)
            loop = (tmp_path / "main.s").read_text()
            assert bool(re.search(r"\b(?:call|jmp|bl|b)\w*\s+\w*kept_update", loop)) == (place == "source")
