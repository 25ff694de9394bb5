"""examples/subsets: by hand or generated, all lists play the same game, with every compiler and under the sanitizers."""

import os
import re
import shutil
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLE = os.path.join(ROOT, "examples", "subsets")
SMALL = ("--objects", "800", "--passes", "6", "--rounds", "1")


def run(*command, code=0, **changes):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300,
                          env={**os.environ, **changes})
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def build(folder, compiler, flags):
    cmake = os.environ.get("BESPOKE_CMAKE", "cmake")
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    run(cmake, "-S", EXAMPLE, "-B", str(folder), *generator, f"-DBESPOKE_PYTHON={sys.executable}",
        f"-DCMAKE_C_COMPILER={compiler}", "-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_C_FLAGS={flags} -Werror")
    run(cmake, "--build", str(folder), "--parallel", "2")
    return os.path.join(str(folder), "subsets")


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return build(tmp_path_factory.mktemp("plain"), os.environ.get("CC") or "cc", "-O2")


def result(said):
    """What was played, and how."""
    return re.search(r"^800 objects, 6 passes: (.*)$.*checksum of all: ([0-9a-f]{16})$", said, re.M | re.S).groups()


def names(said):
    return re.findall(r"^(?:by hand|generated)\s+(\S+)", said, re.M)


def test_all_variants_play_the_same_game(plain):
    said = run(plain, *SMALL)
    assert len(names(said)) >= 20 and len(set(names(said))) == len(names(said))
    assert f"\nvariants: {len(names(said))}, rounds: 1, " in said
    assert re.search(r"^by hand\s+linked  .* 1\.000 \[1\.000\.\.1\.000\]", said, re.M)
    visits, destroyed, live = map(int, re.findall(r"\d+", result(said)[0]))
    # About a tenth of the visits destroys, another creates an object that is visited in the same pass.
    assert 4800 < visits and 0.08 < destroyed / visits < 0.12 and 600 < live < 1000


def test_every_list_of_the_spec_is_played_with():
    with open(os.path.join(EXAMPLE, "lists.yaml"), encoding="utf-8") as file:
        lists = re.findall(r"^  (\w+):", file.read().split("containers:")[1], re.M)
    with open(os.path.join(EXAMPLE, "generated.c"), encoding="utf-8") as file:
        text = file.read()
    assert lists
    for name in lists:
        assert f"{name}_deinit(" in text, name


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_same_game_under_sanitizers(plain, compiler, tmp_path):
    if shutil.which(compiler) is None:
        pytest.skip(f"needs {compiler}: script/setup test")
    # Chaos reorders what promises no order: nothing here may come to rely on one.
    strict = build(tmp_path, compiler, "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all "
                                       "-DBESPOKE_CHECKS=1 -DBESPOKE_CHAOS=2")
    said, reference = run(strict, *SMALL), run(plain, *SMALL)
    assert result(said) == result(reference) and names(said) == names(reference)


def test_only_some(plain):
    assert names(run(plain, *SMALL, "--only", "hots,seats")) == ["linked", "seats", "hots"]


@pytest.mark.parametrize("wrong", [["--objects", "0"], ["--objects", "1000001"], ["--passes", "x"], ["--rounds"],
                                   ["--only", "seats,no-such"], ["--no-such", "1"]])
def test_refuses_what_makes_no_sense(plain, wrong):
    run(plain, *wrong, code=2)
