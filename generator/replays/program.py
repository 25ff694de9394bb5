"""A program that repeats the operations of a trace: stand-in containers as they are generated, and what calls them."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from array import array
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import jinja2

from ..containers.load import load_spec
from ..containers.planning import make_plan
from ..language.handle_headers import integer_of
from ..operations.traced import MERGED_BY
from ..parts.anywhere import begins_at
from ..text.diag import Diagnostics, Failure, failure
from ..text.naming import plain
from ..text.project import read_own, template_root
from ..traces.reader import Kind
from .operations import HASHED, ORDERED, PAIRS, operands
from .posts import POSTS
from .refusals import ENVIRONMENT
from .standins import HEADER, StandIn, asked, order_of, text_of

FLAGS = ("-O1", "-g")


class Failed(NamedTuple):
    """Where a program found a difference."""

    operation: int
    container: int
    said: str


def _template(name: str) -> str:
    return read_own(os.path.join(template_root(), "test", "replay", name)).decode("utf-8")


def compiler() -> List[str]:
    """The user's compiler of C."""
    named = os.environ.get("CC")
    found = shlex.split(named) if named else [name for name in ("cc", "gcc", "clang", "tcc") if shutil.which(name)][:1]
    if not found or not shutil.which(found[0]):
        raise failure(ENVIRONMENT, "BSP0414", "a replay needs a compiler of C: there is no cc, gcc, clang or tcc",
                      help="CC names another one")
    return found


class Program:
    """One that repeats operations on containers of certain kinds."""

    def __init__(self, folder: str, standins: Dict[int, StandIn], kinds: Dict[int, Kind], used: Dict[int, Dict[int, int]],
                 lists: Sequence[int]):
        """`standins`: by kind of the trace; `lists`: the kind of each container, from the first on."""
        self.folder, self._standins, self._kinds, self._used, self._lists = folder, standins, kinds, used, lists
        os.makedirs(folder, exist_ok=True)
        self._write("lists.yaml", text_of([asked(standin, [kinds[number].calls[call][0] for call in used[number]])
                                           for number, standin in standins.items()]))
        head = "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\nbool rp_expired(uint32_t label);\n"
        self._write(HEADER, "#ifndef STANDINS_H\n#define STANDINS_H\n" + head
                    + "".join(standin.declaration for standin in standins.values()) + "#endif\n")
        self.containers = self._load(standins)

    def build(self) -> None:
        """Generates and compiles it."""
        standins, kinds, used, lists = self._standins, self._kinds, self._used, self._lists
        self._generate()
        environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
        plain, layered = (environment.from_string("".join(map(_template, (
            "bodies.c.j2", "trees.c.j2", "sides.c.j2", "posts.c.j2", "elements.c.j2", last))))
            for last in ("kind.c.j2", "layered.c.j2"))
        texts = ['#include "lists.h"\n', *map(_template, (
            "core.c", "trees.c", "passes.c", "sides.c", "indexes.c", "layers.c", "changes.c", "snapshots.c", "updates.c",
            "posts.c"))]
        for number, standin in standins.items():
            facts = facts_of(self.containers[number], standin, kinds[number], used[number])
            texts.append((layered if standin.layers else plain).render(facts))
        order = {number: index for index, number in enumerate(standins)}
        texts.append("static const struct rp_kind *const rp_kinds[] = {%s};\n" % ", ".join(
            f"&{standin.name}_rp_kind" for standin in standins.values()))
        texts.append("static const uint32_t rp_kind_of[] = {0%s};\n" % "".join(f", {order[kind]}" for kind in lists))
        texts.append(f"static const uint32_t rp_list_number = {len(lists)};\n\n{_template('program.c')}")
        self._write("replay.c", "\n".join(texts))
        self._compile()

    def _write(self, name: str, text: str) -> None:
        with open(os.path.join(self.folder, name), "w", encoding="utf-8", newline="\n") as file:
            file.write(text)

    def _load(self, standins: Dict[int, StandIn]) -> Dict[int, Any]:
        problems = Diagnostics()
        self.spec = load_spec(os.path.join(self.folder, "lists.yaml"), problems, [self.folder])
        if self.spec is None:
            raise Failure(problems, ENVIRONMENT)
        by_name = {container.name: container for container in self.spec.containers}
        return {number: by_name[standin.name] for number, standin in standins.items()}

    def _generate(self) -> None:
        from ..emitted.render import Renderer

        for name, text in Renderer().files(self.spec, "").items():
            self._write(name, text)

    def _compile(self) -> None:
        self.path = os.path.join(self.folder, "replay")
        command = [*compiler(), *FLAGS, *shlex.split(os.environ.get("CFLAGS", "")), "-I.", "replay.c", "lists.c", "-o", "replay"]
        result = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                universal_newlines=True)
        if result.returncode != 0:
            first = (result.stdout.strip().splitlines() or ["no output"])[0]
            raise failure(ENVIRONMENT, "BSP0414", f"the replay of these containers does not compile: {first}",
                          help="its files are in " + self.folder)

    def run(self, numbers: "array[int]", mode: str = "record", seen: Optional[str] = None,
            asked: Sequence[Sequence[int]] = ()) -> Tuple[Optional[Failed], str]:
        """The first difference, if there is one, and what the program printed. `asked`: by container, what its elements answered;
        then `seen`.gone is written, operations and the elements that had expired before them."""
        path = os.path.join(self.folder, "operations")
        with open(path, "wb") as file:
            numbers.tofile(file)
        more = [seen] if seen else []
        if asked:
            more += [seen + ".gone" if seen else "", os.path.join(self.folder, "asked")]
            with open(more[-1], "wb") as file:
                for each in asked:
                    array("I", [len(each), *each]).tofile(file)
        result = subprocess.run([self.path, path, mode, *more], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, universal_newlines=True, errors="replace")
        if result.returncode == 0:
            return None, result.stdout
        lines = result.stdout.strip().splitlines()
        if result.returncode == 3 and lines:
            operation, container, said = lines[-1].split(" ", 2)
            return Failed(int(operation), int(container), said), result.stdout
        stopped = f"the program was stopped by signal {-result.returncode}" if result.returncode < 0 else \
            f"the program ended with {result.returncode}: {lines[-1] if lines else ''}"
        return Failed(-1, 0, stopped), result.stdout


class Called(NamedTuple):
    """A function of a container."""

    name: str
    result: str
    words: str  # all that it is given, see operations.traced
    names: bool  # is an element named beside its new content?

    @property
    def ordered(self) -> bool:
        """Is it given by what it is ordered?"""
        return MERGED_BY in self.words


class Indexed(NamedTuple):
    """A named index."""

    name: str
    unique: bool
    ordered: bool
    ranges: bool  # may several elements be found in it?


def _in_index(standin: StandIn, kind: Kind, by_name: Dict[str, Any]) -> Dict[str, Tuple[int, bool, int]]:
    """What begins passes over a named index: its number, is it a scan, and how many keys it is given."""
    found = {}
    for number, (name, letter) in kind.calls.items():
        at = standin.in_index(name)
        if letter in "Qq" and at >= 0 and name in by_name:
            found[name] = at, name.startswith("scan_"), sum(word in (HASHED, ORDERED) for word in kind.words[number])
    return found


def _given_handles(parts: Any, standin: StandIn) -> bool:
    """Do callers get handles? Of layers if these share them."""
    return bool(parts.handles.given and (parts.handles.moves or not standin.layers))


def facts_of(container: Any, standin: StandIn, kind: Kind, used: Dict[int, int]) -> Dict[str, Any]:
    """What the template of a kind knows."""
    plan = make_plan(container)
    parts = plan.parts
    by_name = {operation.name: operation for operation in plan.operations}
    calls = [(number, Called(name, plain(by_name[name].result), kind.words[number], parts.workers.update_names),
              operands(kind.words[number]))
             for number, (name, letter) in sorted(kind.calls.items())
             if number in used and letter not in "NE" and name in by_name]
    handles, pointers = _given_handles(parts, standin), not parts.element.by_value
    generational = handles and parts.handles.generational
    split = handles and parts.handles.split
    reads = "begin_const" in by_name
    order = order_of(container)
    flags = (parts.adding.unique, bool(parts.key.traced[0]), pointers, parts.when.deferred,
             order not in ("unordered", "heap", "tree"), container["iteration.adds"] == "next",
             container["removal.expired"] is not None, parts.order.sorts_on_add,
             order != "heap" or container["sort.stable"], parts.removal.asks_before)
    name = container.full_name
    in_index = _in_index(standin, kind, by_name)
    ranges = any(not scan for _, scan, _ in in_index.values())
    cursors = [f"{name}_{each}" for each, there in (("cursor", "next" in by_name), ("const_cursor", reads),
                                                    ("scan", parts.scans.any), ("range", ranges),
                                                    ("changes", parts.changes.recorded)) if there]
    cursors += [f"{name}_with_{each}" for each in standin.sides]

    def mask(width: str) -> str:
        return f" & {hex((1 << container[f'handles.{width}_bits']) - 1)}u" if split else ""

    return dict(T=name, E=f"struct standin_{standin.name}", H=plain(parts.T.handle), pointers=pointers, handles=handles,
                generational=generational,
                index_type=integer_of(container["handles.index_bits"]) if handles and not split else "uint32_t",
                generation_type=parts.handles.generation_type if generational and not split else "uint32_t",
                index_mask=mask("index"), generation_mask=mask("generation") if generational else "",
                text=standin.text, reads=reads, calls=calls, ranked=standin.ranked, updates="hooks.update" in standin.settings,
                expires=container["removal.expired"] is not None,
                cursor_bytes=" + ".join(f"sizeof({each})" for each in cursors), in_index=in_index, scans=parts.scans.any,
                pairs=PAIRS in by_name, changes=parts.changes.recorded, TT=name.upper(),
                begins_at=[each for each in by_name if begins_at(each)],
                begins_back=parts.passes.begins_back,
                flags=", ".join(str(bool(flag)).lower() for flag in flags),
                indexes=[Indexed(each.index.called, each.index.unique, each.index.ordered, each.index.ranges)
                         for each in parts.indexes.named],
                of_index={name: standin.of_index(name) for name in by_name},
                posts=[f"op->call == {number}" for number, called, _ in calls if called.name in POSTS],
                sides=standin.sides, of_side={name: standin.of_side(name) for name in by_name},
                tree=standin.tree, layers=len(standin.layers), rows=parts.element.rows, nil=plain(parts.nil), chosen=parts.chosen,
                limit=_at_most(parts.limit, "max" in parts.chosen),
                keys=_at_most(parts.index.keys, "keys" in parts.chosen))


def _at_most(number: Any, given: bool) -> str:
    """A limit, before T_init is given it."""
    return "0" if given else "SIZE_MAX" if number is None else str(number)
