"""The examples that have no other test print what their pages state, with misuse and memory watched."""

import os
import shutil
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WATCHED = ["-g", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-DBESPOKE_CHECKS=1", "-DBESPOKE_CHAOS=1"]


@pytest.mark.parametrize("name, spec, sources", [
    ("signals", "signals", ["main.c"]), ("loop", "waiting", ["main.c", "loop.c"]), ("bodies", "space", ["main.c"])])
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_example(tmp_path, name, spec, sources):
    example, program = os.path.join(ROOT, "examples", name), str(tmp_path / name)
    for command in ([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", spec + ".yaml", "-o", str(tmp_path), "--no-format"],
                    ["gcc", "-std=gnu99", *WATCHED, "-I.", f"-I{tmp_path}", *sources, str(tmp_path / (spec + ".c")), "-o", program]):
        subprocess.run(command, cwd=example, check=True)
    printed = subprocess.run([program], stdout=subprocess.PIPE, check=True, universal_newlines=True, timeout=60).stdout
    with open(os.path.join(example, "README.md"), encoding="utf-8") as file:
        assert "".join(f"# {line}\n" for line in printed.splitlines()) in file.read()
