"""A program in which the candidates for a container repeat what was recorded, by turns."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor
from array import array
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence

import jinja2

from ..containers.load import load_spec
from ..operations.traced import SOME, SOME_READING
from ..replays.posts import POSTS
from ..replays.program import compiler, facts_of
from ..replays.refusals import ENVIRONMENT
from ..replays.standins import StandIn, of_container, text_of
from ..text.diag import Diagnostics, Failure, failure
from ..text.project import read_own, template_root
from ..traces.reader import Kind
from .candidates import Candidate

FLAGS = "-O2"
BATCH = 6  # candidates that are generated and compiled together
HEADER = "element.h"
HEAD = 4  # numbers before the times of a run: see program.c
_LOOPS = {"begin": ("begin", "next", "end", "each"), "begin_const": ("begin_const", "next_const", "each_const"),
          "begin_backward": ("begin_backward", "next", "end", "each"),
          "begin_backward_const": ("begin_backward_const", "next_const", "each_const")}


class Run(NamedTuple):
    """What one run of a candidate was."""

    digest: int
    bytes: int
    times: "array[int]"  # nanoseconds by span; 0: not timed


def _template(name: str) -> str:
    return read_own(os.path.join(template_root(), "test", "tune", name)).decode("utf-8")


class Program:
    """Candidates for one container; those that are built can be measured."""

    def __init__(self, folder: str, kind: Kind, used: Dict[int, int], by_label: bool, cc: Optional[str], flags: str):
        self.folder, self._kind, self._by_label = folder, kind, by_label
        self._used = {each: count for each, count in used.items() if kind.calls[each][1] not in SOME + SOME_READING}
        self._cc = shlex.split(cc) if cc else compiler()
        self._flags = shlex.split(flags)
        self._process: Optional["subprocess.Popen[bytes]"] = None
        self._spans = 0
        self.built: List[int] = []
        os.makedirs(folder, exist_ok=True)

    def build(self, candidates: Sequence[Candidate], told: Callable[[int], None]) -> None:
        """Generates and compiles them; `told` is called with how many are done."""
        self._write("core.h", _template("core.h"))
        batches = [list(range(at, min(at + BATCH, len(candidates)))) for at in range(0, len(candidates), BATCH)]
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            compiled = []
            for number, batch in enumerate(batches):
                folder = os.path.join(self.folder, str(number))
                self._generate(folder, {each: candidates[each] for each in batch})
                compiled.append(pool.submit(self._compile, folder, "-c", "lists.c", "tune.c"))
                told(sum(len(batches[at]) for at, each in enumerate(compiled) if each.done()))
            for number, each in enumerate(compiled):
                each.result()
                told(sum(map(len, batches[:number + 1])))
        names = [f"c{each}_tn_candidate" for each in range(len(candidates))]
        self._write("candidates.h", "".join(f"extern const struct tn_candidate {name};\n" for name in names)
                    + "static const struct tn_candidate *const tn_candidates[] = {%s};\n" % ", ".join(
                        f"&{name}" for name in names))
        self._write("program.c", _template("program.c"))
        objects = [f"{number}/{name}.o" for number in range(len(batches)) for name in ("lists", "tune")]
        self._compile(self.folder, "program.c", *objects, "-o", "tune")

    def _write(self, name: str, text: str) -> None:
        with open(os.path.join(self.folder, name), "w", encoding="utf-8", newline="\n") as file:
            file.write(text)

    def _generate(self, folder: str, candidates: Dict[int, Candidate]) -> None:
        from ..emitted.render import Renderer

        os.makedirs(folder, exist_ok=True)
        standins = {number: self._standin(number, candidate) for number, candidate in candidates.items()}
        name = os.path.join(folder, "lists.yaml")
        self._write(name, text_of(list(standins.values())))
        self._write(os.path.join(folder, HEADER), "#ifndef ELEMENT_H\n#define ELEMENT_H\n"
                    "#include <stddef.h>\n#include <stdint.h>\nvoid *tn_alloc(size_t bytes);\n"
                    "void *tn_realloc(void *block, size_t before, size_t bytes);\n"
                    "void tn_free(void *block, size_t bytes);\n"
                    "extern unsigned char *tn_gone;\n"
                    "static inline unsigned char rp_expired(uint32_t label)\n{\n    return tn_gone[label];\n}\n"
                    + "".join(_declaration(each, self._kind.bytes) for each in standins.values()) + "#endif\n")
        problems = Diagnostics()
        spec = load_spec(name, problems, [folder])
        if spec is None:
            raise Failure(problems, ENVIRONMENT)
        for file, text in Renderer().files(spec, "").items():
            self._write(os.path.join(folder, file), text)
        environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
        template = environment.from_string(_template("bodies.c.j2") + _template("kind.c.j2"))
        texts = ['#include "lists.h"\n#include "core.h"\n']
        for container, standin in zip(spec.containers, standins.values()):
            facts = facts_of(container, standin, self._kind, self._used)
            texts.append(template.render(facts, by_label=self._by_label, keyed="identity.key" in standin.settings,
                                         writes="rest[" in _declaration(standin, self._kind.bytes)))
        self._write(os.path.join(folder, "tune.c"), "\n".join(texts))

    def _standin(self, number: int, candidate: Candidate) -> StandIn:
        standin, why = of_container(candidate.container)
        assert standin is not None, why
        name = f"c{number}"
        settings = {path: value for path, value in standin.settings.items() if not path.startswith(("emit.", "allocator."))}
        calls = [self._kind.calls[each][0] for each in self._used if self._kind.calls[each][1] not in "NE"]
        emitted = [each for call in calls for each in _LOOPS.get(call, (call,))]
        if "handles.kind" in settings:
            emitted += ["handle_of", "add_handle"] * bool({"add", "emplace", *POSTS}.intersection(calls))
            emitted += ["get"] * any(call.startswith("rekey") for call in calls)
        if set(calls).intersection(POSTS):
            emitted += ["begin", "next", "end", "each"]
        if "hooks.update" in settings:
            settings["hooks.update"] = f"rp_update_{name}"
        if standin.rows:
            settings["element.fields"] = _columns(standin, candidate.container["element.fields"], self._kind.bytes)
            emitted.append("load")
        if any(call.startswith("snapshot") for call in calls):
            settings["emit.snapshot"] = True
            emitted.append("snapshot_bytes")
        settings.update({"element.type": f"struct standin_{name}", "element.header": HEADER,
                         "emit.operations": sorted(set(emitted) - {"deinit"})})
        if not candidate.container["capacity.inline"] and candidate.container["element.by"] != "intrusive":
            settings.update({"allocator.alloc": "tn_alloc", "allocator.realloc": "tn_realloc", "allocator.free": "tn_free",
                             "allocator.kind": "plain", "allocator.sizes": True})
        return StandIn(name, settings)

    def _compile(self, folder: str, *rest: str) -> None:
        command = [*self._cc, *self._flags, "-I.", "-I" + self.folder, *rest]
        result = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
        if result.returncode != 0:
            lines = result.stdout.strip().splitlines() or ["no output"]
            first = next((line for line in lines if re.search("error|undefined", line)), lines[0])
            raise failure(ENVIRONMENT, "BSP0414", f"the candidates for `{self._kind.name}` do not compile: {first}",
                          help=f"--cc and --flags name another compiler; the files are in {folder}")

    def start(self, work: bytes, spans: int) -> None:
        path = os.path.join(self.folder, "work")
        with open(path, "wb") as file:
            file.write(work)
        self._spans = spans
        self._process = subprocess.Popen([os.path.join(self.folder, "tune"), path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, number: int, sweep: int, every: int, start: int) -> Optional[Run]:
        """One run of a candidate; None if it crashed."""
        process, size = self._process, 4 * (self._spans + HEAD)
        assert process is not None and process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(b"%d %d %d %d\n" % (number, sweep, every, start))
            process.stdin.flush()
            data = process.stdout.read(size)
        except OSError:
            return None
        if len(data) < size:
            return None
        numbers = array("I")
        numbers.frombytes(data)
        return Run(numbers[1] << 32 | numbers[0], numbers[2], numbers[HEAD:])

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()


def _columns(standin: StandIn, fields: Any, size: int) -> Dict[str, str]:
    """As many columns as the program has, of as many bytes, and those that stand-ins need."""
    found = dict.fromkeys(standin.numbers, "uint32_t")
    more = max(0, len(fields or ()) - len(found))
    words = max(0, size // 4 - len(found))
    return {**found, **{f"rest{at}": "uint64_t" if words >= 2 * more else "uint32_t" for at in range(more)}}


def _declaration(standin: StandIn, size: int) -> str:
    """The struct of an element, as large as that of the program where it lies in the container."""
    if standin.rows:
        fields = standin.settings["element.fields"].items()
        return "struct standin_%s {\n%s};\n" % (standin.name, "".join(f"    {ctype} {name};\n" for name, ctype in fields))
    keyed = "identity.key" in standin.settings
    members = ["uint32_t label;"]
    used = 4
    if keyed and not standin.text:
        members.append("uint32_t number;")
        used += 4
    if standin.ranked:
        members.append("uint32_t rank;")
        used += 4
    if standin.text:
        members.append("char text[12];")
        used += 12
    if standin.member:
        members.append(f"uint32_t {standin.member};")
        used += 4
    members += [f"uint32_t key_{each};" for each in standin.indexes]
    used += 4 * len(standin.indexes)
    members += [f"{each};" for each in standin.links]
    used += 8 * len(standin.links)
    rest = (64 if standin.pointed and not standin.links else size) - used
    if rest >= 4:
        members.append(f"uint32_t rest[{rest // 4}];")
    return "struct standin_%s {\n    %s\n};\n" % (standin.name, "\n    ".join(members))
