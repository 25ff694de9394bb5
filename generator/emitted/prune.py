"""Where a spec chooses operations (`emit.operations`): what of the rendered text they need, and the text without the rest.

A text is cut into what stands at file scope: declarations, definitions, macros, with the comments above them. What one of
these says, in its code or its comments, refers to the others by their names. What was chosen is kept, and all that it
refers to, and so on; whatever nothing leads to goes. So what is left is a part of the whole, word for word, and names
nothing that is not there.
"""

import dataclasses
import re
from functools import lru_cache
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Set, Tuple, Union

from ..containers.names import LOOP
from ..operations.operation import Operation, finish
from ..containers.overview import walk_comment, without_others
from ..containers.plan import Plan, overview, said_done
from ..language.model import Container
from ..text.tokens import LITERAL

_LOOPS = ("EACH", "EACH_BACKWARD", "EACH_VISIBLE", "each", "each_backward", "each_visible")

_WORD = re.compile(r"[A-Za-z_]\w*")
_PASTED = re.compile(r"\w*(?:\s*##\s*\w+)+")  # names that a macro puts together
_CONDITION = re.compile(r"\s*#\s*(if|elif|else|endif)")
_NEUTRAL = re.compile(r"\s*#\s*(?:include|undef|pragma)\b")
_DEFINE = re.compile(r"\s*#\s*define\s+(\w+)")
_CALL = re.compile(r"\s*\w+\s*\(")
_CALLED = re.compile(r"\b(\w+)\s*\(")
_TAG = re.compile(r"\b(?:struct|union|class|enum)\s+(\w+)")
_ENUMERATOR = re.compile(r"(\w+)\s*(?:=[^,}]*)?(?=[,}])")
_LAST = re.compile(r"(\w+)\s*(?:\[[^\]]*\]\s*)*(?:=|;|\Z)")


# -- the pieces of a text ------------------------------------------------------------------------------------------------


@dataclasses.dataclass(eq=False)
class Item:
    """Something at file scope, with the comment above it."""

    comment: str
    said: str
    code: str  # without comments and strings
    names: Set[str] = dataclasses.field(default_factory=set)  # what it declares
    always: bool = False  # it declares nothing, as an assertion does, so that nothing can lead to it
    neutral: bool = False  # it serves what stands beside it
    frame: bool = False  # it opens or closes a scope for others
    yours: bool = False  # it declares a function of the user's
    under: Tuple[Tuple["Group", int], ...] = ()  # the conditions that it is under, and in which branch

    @property
    def text(self) -> str:
        return self.comment + self.said

    def conditional(self, word: str) -> Optional[int]:
        """The branch that it is in of a condition about this word."""
        return next((branch for group, branch in self.under if word in group.branches[0][0]), None)


@dataclasses.dataclass(eq=False)
class Group:
    """What is between #if and #endif: a list for each branch, behind the line that begins it."""

    comment: str
    branches: List[Tuple[str, List["Node"]]] = dataclasses.field(default_factory=list)
    end: str = ""

    @property
    def conditions(self) -> str:
        return "".join([self.comment, *(line for line, _ in self.branches)])


class Heading(str):
    """A comment that stands alone, or an empty line."""


Node = Union[Item, Group, Heading]


def pieces(text: str, heads: Sequence[str] = ()) -> List[Node]:
    """The text in pieces. `heads`: what the names of containers begin with."""
    lines = text.splitlines(keepends=True)
    masked = LITERAL.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text).splitlines(keepends=True)
    root: List[Node] = []
    into, groups = root, []  # type: List[Node], List[Group]
    stack: List[List[Node]] = []
    comment = ""
    at = 0
    while at < len(lines):
        line, code = lines[at], masked[at]
        if not code.strip():
            if line.strip():
                comment += line
            else:
                into += [Heading(comment)] * bool(comment) + [Heading(line)]
                comment = ""
            at += 1
            continue
        condition = _CONDITION.match(code)
        begin = at
        at += 1
        if code.lstrip().startswith("#"):
            while masked[at - 1].rstrip("\n").endswith("\\"):
                at += 1
        else:
            depth = _depth(code)
            while not (depth == 0 and masked[at - 1].rstrip()[-1:] in (";", "}")) and not _opens_c(masked[begin]) \
                    and masked[begin].strip() != "}":
                if not masked[at].lstrip().startswith("#"):
                    depth += _depth(masked[at])
                at += 1
        said, meant = "".join(lines[begin:at]), "".join(masked[begin:at])
        if condition is None:
            into.append(_item(comment, said, meant, heads,
                              tuple((group, len(group.branches) - 1) for group in groups)))
        elif condition[1] == "if":
            group = Group(comment, [(said, [])])
            into.append(group)
            stack.append(into)
            groups.append(group)
            into = group.branches[-1][1]
        elif condition[1] == "endif":
            groups.pop().end = comment + said
            into = stack.pop()
        else:
            groups[-1].branches.append((comment + said, []))
            into = groups[-1].branches[-1][1]
        comment = ""
    assert not groups, "a condition is not closed"
    return root + [Heading(comment)] * bool(comment)


def _depth(code: str) -> int:
    return sum(code.count(sign) for sign in "{(") - sum(code.count(sign) for sign in "})")


def _opens_c(code: str) -> bool:
    """Is it `extern "C" {`?"""
    return re.fullmatch(r"extern\s*\{\s*", code) is not None


def _item(comment: str, said: str, code: str, heads: Sequence[str], under: Tuple[Tuple[Group, int], ...]) -> Item:
    item = Item(comment, said, code, under=under)
    define = _DEFINE.match(code)
    if _opens_c(code) or code.strip() == "}":
        item.frame = item.always = True
    elif define:
        item.names = {define[1]}
    elif _NEUTRAL.match(code):
        item.neutral, item.always = True, not under
    elif code.lstrip().startswith("#") or _CALL.match(code):
        item.always = True
    else:
        item.names = set(_declared(code, heads))
        item.always = not item.names
        item.yours = code.rstrip().endswith(");") and not any(name.startswith(tuple(heads)) for name in item.names)
    return item


def _declared(code: str, heads: Sequence[str]) -> Iterator[str]:
    """The names that a declaration or definition brings."""
    head = code[:min(code.find(sign) for sign in "{;" if sign in code)]
    inner = code[len(head):code.rfind("}") + 1]
    typedef = head.lstrip().startswith("typedef")
    if typedef or "(" not in head:
        tag = _TAG.search(head) if inner or not typedef else None
        if tag:
            yield tag[1]
        enum = re.search(r"\benum\b", head) and inner
        if enum:
            yield from _ENUMERATOR.findall(inner)
        if typedef or not (tag or enum):
            last = _LAST.search(code[len(head) + len(inner):] if inner and typedef else head.rstrip())
            if last:
                yield last[1]
        return
    called = _CALLED.findall(head)
    yield next((name for name in called if name.startswith(tuple(heads))), called[0])


# -- what leads to what --------------------------------------------------------------------------------------------------


class Text:
    """The text of one container, in a header or a source."""

    def __init__(self, text: str, heads: Sequence[str]):
        self.nodes = pieces(text, heads)

    def items(self, nodes: Optional[List[Node]] = None) -> Iterator[Item]:
        for node in self.nodes if nodes is None else nodes:
            if isinstance(node, Item):
                yield node
            elif isinstance(node, Group):
                for _, inner in node.branches:
                    yield from self.items(inner)

    def kept(self, kept: Set[Item], under: Optional[Dict[Item, str]] = None) -> str:
        """The text of what is kept, and of that, what only some builds need under its condition."""
        text = "".join(self._kept(self.nodes, kept, under or {}))
        return re.sub(_END + r"[^\n]*", "#endif", re.sub(_END + r"([^\n]*\n)(\n*)\1", r"\2", text)) if _END in text else text

    def _kept(self, nodes: List[Node], kept: Set[Item], under: Dict[Item, str]) -> List[str]:
        lines: List[str] = []
        follows = [any(item in kept and not item.frame for item in self.items(nodes[at:])) for at in range(len(nodes))]
        comment = ""  # of functions of the user's that stand together, where the first has gone
        for node, last in zip(nodes, follows):
            if isinstance(node, Heading):
                lines += [node] * (last or not node.strip())
                comment = ""
            elif isinstance(node, Item) and (node in kept or node.neutral and any(item in kept for item in self.items(nodes))):
                lines += [under[node], node.text, _END + under[node]] if node in under else [node.comment or comment, node.said]
                comment = ""
            elif isinstance(node, Item):
                comment = node.comment or comment if node.yours else ""
            elif any(item in kept for item in self.items([node])):
                branches = list(node.branches)
                while len(branches) > 1 and not any(item in kept for item in self.items(branches[-1][1])):
                    branches.pop()
                comment = ""
                lines.append(node.comment)
                for line, inner in branches:
                    lines += [line, *self._kept(inner, kept, under)]
                lines.append(node.end)
        return lines


# Code that is there in some builds only.
_SOMETIMES = {"chaos": re.compile(r"^[ \t]*#if BESPOKE_CHAOS\n.*?^[ \t]*#endif\n", re.S | re.M),
              "asan": re.compile(r"^[ \t]*#ifdef \w+_ASAN_\n.*?^[ \t]*#endif\n", re.S | re.M)}
_END = "\x01"  # behind an item that is for some builds only, before the line that says for which, until all are in their places
# What is said only where another operation is there, of any container.
_SPARE = re.compile("|".join(without_others(r"\w+", r"\w+")))


@lru_cache(maxsize=20000)
def _references(text: str) -> Tuple[Set[str], List[str]]:
    """The words of a piece, and patterns for names that it puts together. What is said only of what may not be there is no reference."""
    text = _SPARE.sub("", text.replace("\n * ", " "))
    patterns = []
    if "##" in text:
        define = re.search(r"#\s*define\s+\w+\(([^)]*)\)", text)
        given = set(_WORD.findall(define[1])) if define else set()
        patterns = ["".join(r"\w*" if word in given else word for word in re.split(r"\s*##\s*", match)) for match in _PASTED.findall(text)]
    return set(_WORD.findall(text)), patterns


def reached(texts: Iterable[Text], others: Iterable[str], roots: Iterable[str], builds: Iterable[str] = _SOMETIMES) -> Set[Item]:
    """Everything that the roots lead to. `others`: text that is kept whole; `builds`: what only some need is wanted for these."""
    items = [item for text in texts for item in text.items()]
    by_name: Dict[str, List[Item]] = {}
    for item in items:
        for name in item.names:
            by_name.setdefault(name, []).append(item)
    kept: Set[Any] = set()
    names = set(roots)
    waiting: List[str] = list(others)
    pasted: Set[str] = set()

    def keep(item: Item) -> None:
        if item not in kept:
            kept.add(item)
            text = item.text
            for build in _SOMETIMES:
                text = text if build in builds else _SOMETIMES[build].sub("", text)
            waiting.append(text)
            for group, _ in item.under:
                if group not in kept:
                    kept.add(group)
                    waiting.append(group.conditions)

    for item in items:
        if item.always and not item.frame and not item.neutral:
            keep(item)
    while names or waiting:
        while waiting:
            words, patterns = _references(waiting.pop())
            names |= words.intersection(by_name)
            for pattern in set(patterns) - pasted:
                names.update(filter(re.compile(pattern).fullmatch, by_name))
            pasted.update(patterns)
        while names:
            for item in by_name.pop(names.pop(), ()):
                keep(item)
    return {item for item in items if item in kept or item.always}


# -- of containers -------------------------------------------------------------------------------------------------------


def chosen(container: Container) -> Optional[Tuple[str, ...]]:
    """The operations that a spec asks for, or None: all of them."""
    return container["emit.operations"]


def _roots(container: Container, plan: Plan) -> Iterator[str]:
    """The names that are kept of a container whatever leads to them."""
    for name in ("deinit", *chosen(container)):
        if name == LOOP:
            yield from (f"{plan.TT if loop.isupper() else plan.T}_{loop}" for loop in _LOOPS)
        else:
            yield f"{plan.T}_{name}"
    if plan.custom_allocator:
        yield f"{plan.T}_init"
    yield from (f"{plan.TT}_{name}" for name in ("MAX", "KEYS", "ALIGNMENT"))


class Chosen:
    """What is left of the containers of a spec."""

    def __init__(self, plans: Sequence[Plan], rendered: Sequence[Tuple[str, str]]):
        """`rendered`: header and source of each, and what belongs to no container behind them."""
        heads = [f"{plan.T}_" for plan in plans]
        self._plans = plans
        self._texts = [tuple(Text(half, heads) for half in rendered[at]) if chosen(plan.container) is not None else None
                       for at, plan in enumerate(plans)]
        self._whole = [half for at, halves in enumerate(rendered) if at >= len(plans) or self._texts[at] is None for half in halves]
        self._roots = [root for plan in plans if chosen(plan.container) is not None for root in _roots(plan.container, plan)]
        self._items = self._reached(_SOMETIMES)
        self.names = {name for item in self._items for name in item.names}
        self._said = set(self._words())

    def _reached(self, builds: Iterable[str]) -> Set[Item]:
        return reached([text for halves in self._texts if halves for text in halves], self._whole, self._roots, builds)

    def texts(self, rendered: Sequence[Tuple[str, str]]) -> List[Tuple[str, str]]:
        """Header and source of each container, and what belongs to none behind them."""
        under = self._sometimes()
        items = self._items - {item for item, condition in under.items() if not condition}
        left = [halves and (halves[0].kept(items), halves[1].kept(items, under)) for halves in self._texts]
        return [halves or whole for halves, whole in zip(left + [None] * (len(rendered) - len(left)), rendered)]

    def _sometimes(self) -> Dict[Item, str]:
        """What is static and only some builds use, of which compilers would say so, with the line that says in which; '': in none
        that it is in."""
        chaos, asan, always = (self._reached(builds) for builds in (("chaos",), ("asan",), ()))
        found: Dict[Item, str] = {}
        for item in self._items - always:
            branch = item.conditional("_ASAN_")
            if item.code.startswith(("static", "#define")) and item.conditional("BESPOKE_CHAOS") is None and not any(
                    name.endswith("_ASAN_") for name in item.names) and branch != 0:
                TT = next(plan.TT for plan in self._plans if any(name.startswith((f"{plan.T}_", f"{plan.TT}_")) for name in item.names))
                builds = ["BESPOKE_CHAOS"] * (item in chaos) + [f"defined({TT}_ASAN_)"] * (item in asan and branch is None)
                found[item] = "#if " + " || ".join(builds) + "\n" if builds else ""
        return found

    def plan(self, at: int) -> Plan:
        """The plan of a container, in which what has gone is not told."""
        plan = self._plans[at]
        if self._texts[at] is None:
            return plan
        T, TT = plan.T, plan.TT
        kept = {operation.name for operation in plan.operations if f"{T}_{operation.name}" in self.names}
        kept |= {LOOP} if f"{TT}_EACH" in self.names else set()
        statuses = [status for status in plan.statuses if status["name"] == "OK" or f"{TT}_{status['name']}" in self._said]
        there = {status["name"] for status in statuses}
        reduced = dataclasses.replace(
            plan, kept=frozenset(kept), statuses=statuses, said_done=said_done(TT, there),
            loops=[loop for loop in plan.loops if f"{T}_{loop[0]}" in self.names],
            operations=[self._operation(operation, plan, kept, there) for operation in plan.operations if operation.name in kept])
        if "remove_current" not in kept:
            reduced.walk_leave = "nullptr"
            reduced.walk_comment = walk_comment(T, plan.walk_example, False)
        reduced.overview = overview(reduced)
        return reduced

    def _words(self) -> Iterator[str]:
        """The words in what is kept, but for those by which statuses are declared."""
        for item in self._items:
            if not any(name.endswith("_OK") for name in item.names):
                yield from _WORD.findall(item.code)
        for text in self._whole:
            yield from _WORD.findall(text)

    @staticmethod
    def _operation(operation: Operation, plan: Plan, kept: Set[str], statuses: Set[str]) -> Operation:
        brief = operation.brief
        for pattern, name in without_others(plan.T, plan.TT).items():
            if name not in kept:
                brief = re.sub(pattern, "", brief)
        left = dataclasses.replace(operation, brief=brief, statuses=tuple(name for name in operation.statuses if name in statuses))
        finish(plan.T, left)
        return left
