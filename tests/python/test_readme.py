"""The README: its list works as printed, in 25 lines, and nothing on the first page is longer than it must be.

test_pages.py runs the blocks in their order; here the list is compiled with warnings as errors."""

import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def _readme():
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        return file.read()


def _block(language, mark):
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", _readme(), re.M | re.S)
    found = [text for name, text in blocks if name == language and mark in text]
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
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", spec, "-o", folder, "--tests"], check=True)
    for program, *sources in (["game", "main.c", "fleet.c"], ["test", "fleet_test.c"]):
        subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-o", program, *sources], cwd=folder, check=True)
    subprocess.run([os.path.join(folder, "test"), "--steps", "500", "--exhaustive", "1"], stdout=subprocess.PIPE, check=True)
    result = subprocess.run([os.path.join(folder, "game")], stdout=subprocess.PIPE, check=True, encoding="utf-8")
    assert _block("", "1 sinks 6") == result.stdout


def test_it_is_read_in_a_minute():
    assert len(_block("c", "int main").splitlines()) <= 25
    for side in re.findall(r"<td.*?</td>", _readme(), re.S):
        code = [line for block in re.findall(r"^```\w*\n(.*?)^```$", side, re.M | re.S) for line in block.splitlines()]
        assert len(code) <= 25 and max(map(len, code)) <= 62  # both sides fit beside each other
    assert _readme().count("\n") <= 150


def test_the_two_commands_are_there():
    for command in re.findall(r"^(script/\w+)", _block("sh", "script/demo"), re.MULTILINE):
        assert os.access(os.path.join(ROOT, command), os.X_OK), command
