"""What a C text has at file scope, in pieces: declarations, definitions and macros, with the comments above them."""

import dataclasses
import re
from typing import Iterator, List, Optional, Sequence, Set, Tuple, Union

from generator.text.tokens import LITERAL

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

    @property
    def text(self) -> str:
        return self.comment + self.said


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
            into.append(_item(comment, said, meant, heads, bool(groups)))
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


def _item(comment: str, said: str, code: str, heads: Sequence[str], under: bool) -> Item:
    item = Item(comment, said, code)
    define = _DEFINE.match(code)
    if _opens_c(code) or code.strip() == "}":
        item.always = True
    elif define:
        item.names = {define[1]}
    elif _NEUTRAL.match(code):
        item.always = not under
    elif code.lstrip().startswith("#") or _CALL.match(code):
        item.always = True
    else:
        item.names = set(_declared(code, heads))
        item.always = not item.names
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
