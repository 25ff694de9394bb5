"""The main job on real input: examples/arena, a game on the Chipmunk physics engine whose lists are all generated."""

import os
import re
import shutil
import struct
import subprocess

import pytest

from generator.traces import report
from generator.traces.reader import Trace

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def has(header):
    compiler = os.environ.get("CC") or shutil.which("cc") or "gcc"
    return subprocess.run([compiler, "-E", "-x", "c", "-", "-o", os.devnull], input=f"#include <{header}>\n", text=True,
                          stderr=subprocess.DEVNULL).returncode == 0


pytestmark = pytest.mark.skipif(not (has("chipmunk/chipmunk.h") and has("png.h")),
                                reason="needs libchipmunk-dev and libpng-dev: script/setup demo")


def demo(*arguments):
    done = subprocess.run([os.path.join(ROOT, "script", "demo"), *arguments], cwd=ROOT, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_demo_says_what_it_has_done():
    said = demo()
    assert sum(not line.startswith("setup: ") for line in said.splitlines()) <= 13  # beside what is missing here
    frames, objects = map(int, re.search(r"(\d+) frames .* (\d+) objects", said).groups())
    assert frames >= 3600 and objects >= 20000
    assert re.search(r"checksum [0-9a-f]{16}\n", said)
    assert re.search(r"containers \d+ us .*physics \d+ us, the rest \d+ us", said)
    code = re.search(r"generated code: (\S+)", said).group(1)
    assert {"parts.h", "parts.c", "physics.h", "physics.c", "units.h", "units.c"} <= set(os.listdir(
        os.path.join(ROOT, code)))
    with open(os.path.join(ROOT, re.search(r"picture .*: (\S+)", said).group(1)), "rb") as picture:
        start = picture.read(24)
    report = re.search(r"report .*: (\S+\.html)|no report of it: bespoke: error: (no uPlot .*)", said)
    if report[1]:
        with open(os.path.join(ROOT, report[1]), encoding="utf-8") as page:
            assert "<code>enemies</code>: its passes and calls take" in page.read()
    assert start[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", start[16:24]) == (960, 720)


@pytest.fixture(scope="module")
def arena(tmp_path_factory):
    """Runs a traced arena with another units.yaml: its checksum, and what the report says of it."""
    folder = tmp_path_factory.mktemp("arena")
    source = os.path.join(ROOT, "examples", "arena")

    def run(name, units, frames):
        specs = folder / name
        shutil.copytree(source, specs)
        (specs / "units.yaml").write_text(units)
        generated = [str(specs / spec) for spec in ("clock.yaml", "parts.yaml", "physics.yaml", "units.yaml")]
        subprocess.run([os.path.join(ROOT, "bespoke"), "generate", "-q", "--no-format", *generated, "-o", str(specs / "lists")], check=True)
        code = [str(path) for place in (specs, specs / "lists") for path in place.glob("*.c")]
        subprocess.run(["cc", "-std=gnu99", "-O0", "-ffp-contract=off", "-DBESPOKE_TRACE=1", "-Ilists", "-I.", *code, "-o", "arena", "-lchipmunk",
                        "-lpng", "-lm", "-lpthread"], cwd=specs, check=True)
        said = subprocess.run(["./arena", "--frames", str(frames), "--trace", "a.trace"], cwd=specs, check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        data = report.data_of(Trace(str(specs / "a.trace")))
        return re.search(r"checksum (\w+)", said)[1], data

    return run


def test_from_a_slow_frame_to_a_changed_spec(arena):
    """The walk of docs/tracing.md: its sentences, and what its line changes."""
    with open(os.path.join(ROOT, "docs", "tracing.md"), encoding="utf-8") as page:
        walk = page.read().split("## From a slow frame to a changed spec")[1].split("\n## ")[0]
    before = walk.split("```\n")[1].splitlines()
    line = re.search(r"```yaml\n(.*)\n```", walk)[1]
    with open(os.path.join(ROOT, "examples", "arena", "units.yaml"), encoding="utf-8") as file:
        units = file.read()
    assert units.count("    capacity: {max: 320}") == 1
    checksum, data = arena("before", units, 900)
    said = [f'{each["text"]} {each["advice"]}' for each in data["findings"]]
    for sentence in before[1:]:
        assert any(each.startswith(sentence) for each in said), (sentence, said)
    changed, after = arena("after", units.replace("    capacity: {max: 320}", line), 900)
    assert changed == checksum and not [each for each in after["findings"] if each["what"] == "growth" and each["container"] == "bullets"]
    slots = next(each for each in after["containers"] if each["name"] == "bullets")["series"]["slots"]
    assert set(slots) - {0} == {128}


def test_demo_refuses_what_it_does_not_know():
    done = subprocess.run([os.path.join(ROOT, "script", "demo"), "--no-such"], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    assert done.returncode == 2 and "--verify" in done.stderr


# Several builds of it each.
@pytest.mark.parametrize("what", ["compilers", "sanitizers"])
@pytest.mark.skipif(shutil.which("clang") is None, reason="needs clang: script/setup test")
def test_same_checksum_from_every_compiler_and_under_sanitizers(what):
    said = demo("--verify=" + what)
    assert "the same checksum in all runs" in said
    assert len(set(re.findall(r"\b[0-9a-f]{16}$", said, re.M))) == 1
    assert ("no fault under BESPOKE_CHAOS" in said) == (what == "sanitizers")
