"""The order that `iteration: {order: deterministic}` promises is the one in tests/behaviour/order.txt, whatever compiles and runs the program. A change
of that file breaks the promise: docs/contract.md states what each removal policy gives."""

import os
import shutil
import subprocess

import pytest
from conftest import ROOT

PROGRAM = os.path.join(ROOT, "tests", "behaviour", "order.c")
GOLDEN = os.path.join(ROOT, "tests", "behaviour", "order.txt")
SPECS = os.path.join(ROOT, "tests", "specs")
BUILDS = {
    "gcc": ["gcc", "-O1"],
    "checks": ["gcc", "-O0", "-DBESPOKE_CHECKS=1", "-DBESPOKE_CHAOS=2"],
    "clang": ["clang", "-O0"],
    "tcc": ["tcc"],
    "chaos": ["tcc", "-DBESPOKE_CHAOS=1"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("order")
    subprocess.run([os.path.join(ROOT, "bespoke"), "generate", "-q", os.path.join(SPECS, "promised.yaml"), "--no-format", "-o", str(made), "-I", SPECS],
                   check=True)
    return made


@pytest.mark.parametrize("build", BUILDS)
def test_the_order_is_the_promised_one(folder, build):
    command = BUILDS[build]
    if shutil.which(command[0]) is None:
        pytest.skip(f"needs {command[0]}")
    subprocess.run([*command, "-std=c99", f"-I{folder}", f"-I{SPECS}", PROGRAM, "promised.c", "-o", build], cwd=folder, check=True)
    printed = subprocess.run([f"./{build}"], cwd=folder, stdout=subprocess.PIPE, universal_newlines=True, check=True, timeout=60).stdout
    with open(GOLDEN, encoding="utf-8") as file:
        assert printed.splitlines() == file.read().splitlines()
