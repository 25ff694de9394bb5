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
