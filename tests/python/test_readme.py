"""The README's first list works as it is printed there."""

import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def _blocks(language):
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        return re.findall(r"```" + language + r"\n(.*?)```", file.read(), re.S)


def _block(language, mark):
    found = [block for block in _blocks(language) if mark in block]
    assert len(found) == 1, f"README has {len(found)} {language} blocks with {mark!r}"
    return found[0]


def _write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def test_the_first_list(tmp_path):
    folder = str(tmp_path)
    spec = _write(folder, "fleet.yaml", _block("yaml", "containers:"))
    _write(folder, "ship.h", _block("c", "struct ship {"))
    _write(folder, "main.c", _block("c", "int main"))
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", spec, "-o", folder], check=True)
    subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-o", "game", "main.c", "fleet.c"], cwd=folder, check=True)
    result = subprocess.run([os.path.join(folder, "game")], stdout=subprocess.PIPE, check=True)
    # 1 (hull 1), 2 (2), 3 (0), 4 (1), 5 (2): 1 takes 2 with it, 3 goes by itself, 4 takes 5
    assert result.stdout == b"2 ships left\n"


def test_the_shown_declarations_are_those_of_the_header(tmp_path):
    folder = str(tmp_path)
    spec = _write(folder, "fleet.yaml", _block("yaml", "containers:"))
    _write(folder, "ship.h", _block("c", "struct ship {"))
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", spec, "-o", folder], check=True)
    with open(os.path.join(folder, "fleet.h"), encoding="utf-8") as file:
        header = re.sub(r"\s+", " ", file.read())
        header = header.replace("const struct ship element)", "struct ship element)")  # is no concern of callers
    for line in _block("c", "fleet_status fleet_add").splitlines():
        if line.endswith(");"):
            assert line[:-1] in header, line
