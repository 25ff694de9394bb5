"""What threads do to containers: the example, which plays the same with any number of workers, and the atomic operations of C11."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

import machine

EXAMPLE = os.path.join(ROOT, "examples", "workers")
FLAGS = "-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror -g".split()


def done(*command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    assert result.returncode == 0, result.stdout
    return result.stdout


@pytest.fixture(scope="module")
def lists(tmp_path_factory):
    """The folder with the generated containers of the example."""
    folder = str(tmp_path_factory.mktemp("lists"))
    done(sys.executable, "-m", "generator", "generate", "-q", os.path.join(EXAMPLE, "sparks.yaml"), "-o", folder)
    return folder


@pytest.mark.parametrize("sanitizer", ["thread", "address,undefined"])
def test_the_example_plays_the_same_with_any_number_of_workers(lists, tmp_path, sanitizer):
    program = str(tmp_path / "sparks")
    if not machine.runs("cc", f"-fsanitize={sanitizer}"):
        pytest.skip(f"no program runs under -fsanitize={sanitizer}")
    done("cc", "-std=c11", *FLAGS, f"-fsanitize={sanitizer}", "-I", lists, "-I", EXAMPLE, os.path.join(EXAMPLE, "main.c"),
         os.path.join(lists, "sparks.c"), "-o", program, "-pthread")
    lines = done(program).splitlines()
    assert [line.split(",")[0] for line in lines] == ["workers: 1", "workers: 2", "workers: 8"]
    assert len({line.split(",", 1)[1] for line in lines}) == 1
    assert int(lines[0].split()[4]) > 100  # they burst


def test_the_header_says_what_threads_cost_and_leave(tmp_path):
    spec = tmp_path / "crew.yaml"
    spec.write_text("bespoke: 1\ncontainers:\n" + "".join(
        f"  {name}: {{element: int, {keys}}}\n" for name, keys in {
            "journals": "removal: tombstone, threads: {workers: 2}, capacity: {shrink: {below: 25%, after: 3 settles}}",
            "owned": "removal: swap, ordering: unordered, threads: {workers: 2}, hooks: {destroy: end_owned}",
            "inbox": "removal: swap, ordering: unordered, threads: {inbox: 4}"}.items()))
    done(sys.executable, "-m", "generator", "generate", "-q", "--support", "shared", str(spec), "-o", str(tmp_path))
    text = " ".join((tmp_path / "crew.h").read_text().replace("\n *", " ").split())
    journals, owned, inbox = re.split(" /\\* (?=journals: |owned: |inbox: )", text)[1:]
    assert "journals_worker_update(" in journals and "owned_worker_update(" not in owned  # what it replaces would leak
    for name, part in ("journals", journals), ("owned", owned), ("inbox", inbox):
        assert ("a journal for each of 2 workers" in part) == (name != "inbox")
        assert ("an inbox in the struct, 4 times sizeof(int) and a number" in part) == (name == "inbox")
        assert "After NO_MEMORY what was not applied stays pending." in part and "all changes of workers stay pending" not in part
    assert re.search(".{,50}".join("if anything is pending or it compacts or it shrinks".split()), journals)
    assert "No thread may be in it during inbox_init and inbox_deinit" in inbox


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_inbox_has_the_atomic_operations_of_c11(lists, tmp_path, compiler):
    """Where there are no builtins of gcc."""
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    other = tmp_path / "other.h"  # what the headers of the library need is read before
    other.write_text("#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                     "#include <string.h>\n#include <stdatomic.h>\n#undef __GNUC__\n#undef __clang__\n")
    source = os.path.join(lists, "sparks.c")
    command = [compiler, "-std=c11", "-include", str(other), "-I", lists, "-I", EXAMPLE]
    assert "atomic_compare_exchange_weak_explicit" in done(*command, "-E", "-dD", source)
    program = str(tmp_path / "sparks")
    done(*command, "-Wall", "-Wno-unknown-pragmas", os.path.join(EXAMPLE, "main.c"), source, "-o", program, "-pthread")
    assert done(program).count("sum") == 3
    assert "an inbox needs atomic operations" in subprocess.run([*command, "-std=c99", "-fsyntax-only", source], stderr=subprocess.PIPE,
                                                                universal_newlines=True).stderr


READERS = r"""
#include "lists.h"
#include <pthread.h>
#include <stdio.h>

#define MOST 200

static swapped dense;
static buried tombs;
static tied links;
static keyed table;
static leveled levels;

/* What takes a const container, again and again; once it begins a pass, which writes. */
static void *reads(void *sum)
{
    unsigned *seen = sum;

    for (unsigned turn = 0; turn < 20; turn++) {
        SWAPPED_EACH_CONST(&dense, outer) {
            *seen += *outer;
            if (*outer % 50 == 0) {
                BURIED_EACH_CONST(&tombs, inner) { *seen += *inner; }
            }
        }
        TIED_EACH_BACKWARD_CONST(&links, element) { *seen += *element; }
        KEYED_EACH_BY_TENS_CONST(&table, element) { *seen += *element; }
        LEVELED_EACH_CONST(&levels, element) { *seen += *element; }
        for (uint32_t i = 0; i < MOST; i++) {
            const uint32_t *found = keyed_find_const(&table, i);

            *seen += found != NULL && swapped_get_const(&dense, i / 2) != NULL && buried_contains(&tombs, found);
        }
        *seen += (unsigned)(keyed_count(&table) + leveled_count(&levels)) + (swapped_check(&dense) == NULL);
    }
#ifdef WRITES
    SWAPPED_EACH(&dense, element) { *seen += *element; }
#endif
    return NULL;
}

int main(void)
{
    unsigned sums[2] = {0, 0};
    pthread_t other;

    for (uint32_t i = 0; i < MOST; i++) {
        if (swapped_add(&dense, i) != SWAPPED_OK || buried_add(&tombs, i) != BURIED_OK || tied_add(&links, i) != TIED_OK
            || keyed_add(&table, i) != KEYED_OK || leveled_add(&levels, i % 2, i) != LEVELED_OK) { return 2; }
    }
    BURIED_EACH(&tombs, element) { (void)buried_remove_current(&element_cursor); break; }
    if (pthread_create(&other, NULL, reads, &sums[0]) != 0) { return 2; }
    (void)reads(&sums[1]);
    pthread_join(other, NULL);
    swapped_deinit(&dense);
    buried_deinit(&tombs);
    tied_deinit(&links);
    keyed_deinit(&table);
    leveled_deinit(&levels);
    return sums[0] == sums[1] && sums[0] != 0 ? 0 : 3;
}
"""


def test_two_threads_that_only_read(tmp_path):
    """Loops over const containers, and what else takes one, under ThreadSanitizer; a pass that writes is one too many."""
    if not machine.runs("cc", "-fsanitize=thread"):
        pytest.skip("no program runs under -fsanitize=thread")
    (tmp_path / "lists.yaml").write_text("""bespoke: 1
defaults: {element: uint32_t, identity: value}
containers:
  swapped: {ordering: unordered}
  buried: {removal: tombstone}
  tied: {storage: linked, iteration: {direction: both}}
  keyed: {duplicates: reject, index: hash, indexes: {by_tens: {key: "*element / 10", kind: sorted}}}
  leveled: {layers: {names: [low, high]}}
""")
    (tmp_path / "main.c").write_text(READERS)
    done(sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", "--no-format", str(tmp_path / "lists.yaml"), "-o", str(tmp_path))
    for more in ([], ["-DWRITES"]):
        done("cc", "-std=gnu11", "-g1", "-O1", "-w", "-fsanitize=thread", *more, "-I", str(tmp_path), str(tmp_path / "main.c"),
             str(tmp_path / "lists.c"), "-o", str(tmp_path / "main"), "-pthread")
        found = subprocess.run([str(tmp_path / "main")], stderr=subprocess.PIPE, universal_newlines=True)
        assert ("data race" in found.stderr) == bool(more), found.stderr
        assert more or found.returncode == 0
