"""What each kind of value takes: from a node of the spec to a value, or what is wrong with it."""

import re
import unicodedata
from typing import Any, Callable, Dict, List, Optional, Tuple

from ..text import expressions, identifiers
from ..text.c_types import check_type
from ..text.diag import Span
from ..text.header_names import check_header
from ..text.nodes import Mapping, Scalar, Sequence, shape
from ..text.printing import shown
from ..text.suggestions import suggestion
from .keys import RUN_TIME, Key
from .model import Callable_, Duration, Fields, Indexes, NamedIndex, Names, Renaming, Renamings, Setting, SpecField
from .named_indexes import INDEX_KEYS
from .statuses import STATUSES


class WrongValue(Exception):
    """A value that its kind does not take. `at`: the offset of the culprit in the text; None: all of it, or `span`."""

    def __init__(self, message: str, help: str = "", at: Optional[int] = None, code: str = "BSP0103",
                 span: Optional[Span] = None):
        super().__init__(message)
        self.message, self.help, self.at, self.code, self.span = message, help, at, code, span
        self.others: List["WrongValue"] = []  # what else is wrong with the value


def _raise_all(found: List[WrongValue]) -> None:
    if found:
        found[0].others = found[1:]
        raise found[0]


# What others call it: words that are not spelled like the value that they mean.
OTHER_WORDS: Dict[str, Dict[str, str]] = {
    "element.by": {"reference": "pointer", "ref": "pointer", "copy": "value"},
    "layout": {"columns": "soa", "rows": "aos"},
    "ordering": {"none": "unordered", "any": "unordered", "queue": "fifo", "ring": "fifo", "deque": "fifo", "priority": "heap",
                 "priority_queue": "heap", "manual": "explicit"},
    "duplicates": {"unique": "reject", "forbid": "reject", "ignore": "reject", "overwrite": "replace"},
    "identity.by": {"pointer": "address", "id": "key"},
    "iteration.removes": {"all": "any", "others": "any", "self": "current", "nothing": "none", "fail_fast": "none",
                          "const": "none"},
    "iteration.cursors": {"0": "none", "readers": "none", "1": "one", "single": "one", "multiple": "many",
                          **{str(number): "many" for number in range(2, 33)}},
    "iteration.direction": {"reverse": "backward"},
    "addresses": {"fixed": "stable"},
    "handles.kind": {"id": "index", "versioned": "generational"},
    "removal.policy": {"erase": "shift", "memmove": "shift", "mark": "tombstone", "lazy": "tombstone", "free_list": "reuse"},
    "storage.kind": {"array": "contiguous", "vector": "contiguous", "list": "linked", "blocks": "chunked", "paged": "chunked"},
    "index.kind": {"map": "hash", "table": "hash", "sparse": "dense", "array": "direct", "member": "intrusive"},
}


def _choice(key: Key, node: Scalar) -> str:
    text = node.text
    if text in key.values:
        return text
    meant = OTHER_WORDS.get(key.path, {}).get(text.lower())
    advice = (f"did you mean '{meant}'? " if meant else suggestion(text, key.values)) \
        + f"expected one of: {', '.join(key.values)}"
    if node.is_yaml11_bool or isinstance(node.value, bool):
        advice += " (yes, no, true and false mean nothing here)"
    raise WrongValue(f"'{key.path}' cannot be '{shown(text)}'", advice)


def _flag(key: Key, node: Scalar) -> bool:
    if isinstance(node.value, bool):
        return node.value
    hint = "write true or false"
    if node.is_yaml11_bool:
        hint += f": '{node.text}' is plain text in YAML 1.2"
    elif node.text in ("true", "false"):
        hint = "write it without quotes"
    raise WrongValue(f"'{key.path}' takes true or false, not '{shown(node.text)}'", hint)


_LIMIT = 2**31 - 1
_LIMITS = {"iteration.passes": (1 << 16) - 1, "threads.workers": 256, "threads.inbox": 1 << 16}


def _count(key: Key, node: Scalar) -> int:
    high = _LIMITS.get(key.path, _LIMIT)
    if isinstance(node.value, int) and not isinstance(node.value, bool):
        if key.path == "threads.inbox" and (node.value < 2 or node.value & (node.value - 1)):
            raise WrongValue(f"'{key.path}' cannot be {shown(node.text)}", f"a power of two from 2 to {high}, such as 1024")
        if 1 <= node.value <= high:
            return node.value
        raise WrongValue(f"'{key.path}' cannot be {shown(node.text)}", f"a whole number from 1 to {high}")
    if node.is_yaml11_int:
        raise WrongValue(f"'{shown(node.text)}' is not a whole number in YAML 1.2",
                     "write it without the leading zero; an octal number would be written 0o17")
    if re.fullmatch(r"[0-9]+", node.text) and not node.plain:
        raise WrongValue(f"'{key.path}' takes a whole number, not text", "write it without quotes")
    if re.fullmatch(r"[0-9]{1,3}(?:[_,'][0-9]{3})+", node.text):
        raise WrongValue(f"'{shown(node.text)}' is not a whole number", "write it without separators")
    raise WrongValue(f"'{key.path}' takes a whole number, not '{shown(node.text)}'",
                     f"a whole number from 1 to {high}" + f", or {RUN_TIME}" * (key.kind == "size"))


def _size(key: Key, node: Scalar) -> Any:
    return RUN_TIME if node.text == RUN_TIME else _count(key, node)


LEAST_BITS, MOST_BITS = 2, 32  # of a part of a handle: a generation of one bit would retire each index at once


def _bits(key: Key, node: Scalar) -> int:
    if isinstance(node.value, int) and not isinstance(node.value, bool) and LEAST_BITS <= node.value <= MOST_BITS:
        return node.value
    raise WrongValue(f"'{key.path}' cannot be '{shown(node.text)}'", f"a whole number from {LEAST_BITS} to {MOST_BITS}")


MOST_IN_CHUNK = 1 << 16


def _chunk(key: Key, node: Scalar) -> int:
    if isinstance(node.value, int) and not isinstance(node.value, bool) \
            and 64 <= node.value <= MOST_IN_CHUNK and node.value % 64 == 0:
        return node.value
    raise WrongValue(f"'{key.path}' cannot be '{shown(node.text)}'", f"a multiple of 64, from 64 to {MOST_IN_CHUNK}")


def _percent(key: Key, node: Scalar) -> int:
    match = re.fullmatch(r"([0-9]{1,3})\s*%?", node.text)
    if match and 1 <= int(match.group(1)) <= 99:
        return int(match.group(1))
    raise WrongValue(f"'{key.path}' takes a percentage, not '{shown(node.text)}'", "a whole percentage from 1% to 99%")


def _growth(key: Key, node: Scalar) -> float:
    match = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,6})?)", node.text)
    if match and 1.1 <= float(match.group(1)) <= 4:
        return float(match.group(1))
    raise WrongValue(f"'{key.path}' takes a factor, not '{shown(node.text)}'", "a factor from 1.1 to 4, such as 1.5")


def _duration(key: Key, node: Scalar) -> Duration:
    match = re.fullmatch(r"([0-9]{1,7}(?:\.[0-9]{1,6})?)\s*(s|seconds?|settles?)", node.text)
    if match and 0 < float(match.group(1)) <= 1e6:
        unit = "settles" if match.group(2).startswith("settle") else "seconds"
        if unit == "seconds" or float(match.group(1)).is_integer():
            return Duration(float(match.group(1)), unit)
    raise WrongValue(f"'{key.path}' takes a duration, not '{shown(node.text)}'",
                 "`120 settles` (calls of T_settle, one a frame) or `2 s`, at most a million")


def _type(key: Key, node: Scalar) -> str:
    problem = check_type(node.text)
    if problem:
        raise WrongValue(problem[1], _unqualified(node.text, problem[0])
                     or "expected a C type such as `struct ship`, `uint32_t` or `cpBody *`", problem[0], "BSP0303")
    return " ".join(node.text.split())


def _unqualified(text: str, at: Optional[int]) -> str:
    """What to write where a qualifier is all that is wrong with a type; '' if it is something else."""
    found = re.compile(r"const\b|volatile\b").match(text, at or 0)
    rest = "" if found is None else " ".join((text[:found.start()] + text[found.end():]).split())
    return f"leave out '{found.group()}': `{rest}`" if rest and check_type(rest) is None else ""


def _header(key: Key, node: Scalar) -> str:
    problem = check_header(node.text)
    if problem:
        raise WrongValue(problem[1], "expected a header as it stands behind #include: `ship.h` or `<chipmunk/chipmunk.h>`",
                     problem[0], "BSP0304")
    return node.text


# What of an allocator may be a function of the library, where another is the user's.
LIBRARY_ALLOCATOR = {"allocator.alloc": "malloc", "allocator.realloc": "realloc", "allocator.free": "free"}


def _function_name(key: Key, text: str) -> str:
    """Bespoke declares the functions that a spec names, so they cannot be those of the library; but one of an allocator's may be
    where others are the user's: see `rules.allocator`."""
    problem = identifiers.check_identifier(text, defined=False)
    if problem and LIBRARY_ALLOCATOR.get(key.path) != text:
        advice = "give the name of a C function"
        if expressions.check_expression(text) is None and not identifiers.is_keyword(text) and not text.isidentifier():
            advice += "; an expression must be put into one"
        if key.path.startswith("allocator.") and text in ("malloc", "calloc", "realloc", "free"):
            advice = f"the function of the library that may be here is {LIBRARY_ALLOCATOR[key.path]}"
        raise WrongValue(f"'{shown(text)}' cannot name a function: {problem}", advice, code="BSP0301")
    return text


def _function(key: Key, node: Scalar) -> str:
    return _function_name(key, node.text)


def _prefix(key: Key, node: Scalar) -> str:
    if node.text == "":
        return ""
    problem = identifiers.check_identifier(node.text + "x", library=False)
    if problem:
        raise WrongValue(f"'{shown(node.text)}' cannot be a prefix: {problem}", "expected a prefix such as `eng_`",
                     code="BSP0301")
    return node.text


def _macro(key: Key, node: Scalar) -> str:
    problem = identifiers.check_identifier(node.text, library=False, defined=False)
    if problem:
        raise WrongValue(f"'{shown(node.text)}' cannot be '{key.path}': {problem}",
                         f"expected the name of a macro, such as `{key.example}`",
                     code="BSP0301")
    return node.text


def _field(key: Key, node: Scalar) -> str:
    for part in node.text.split("."):
        problem = identifiers.check_identifier(part, library=False, defined=False)
        if problem:
            raise WrongValue(f"'{shown(node.text)}' cannot be a member: {problem}",
                         "expected the name of a member, or a path such as `links.slot`", code="BSP0301")
    return node.text


def _through_pointers(text: str, names_of: Tuple[str, ...], begin: int = 0) -> None:
    """Elements are pointers in what a spec says of them."""
    for name, offset in expressions.identifiers(text):
        dot = re.compile(r"\s*\.").match(text, offset + len(name))
        if dot and name in names_of:
            raise WrongValue(f"'{name}' is a pointer", "its members are behind an arrow: "
                                                       f"`{name}->{text[dot.end():].split()[0]}`",
                         begin + dot.end() - 1, "BSP0302")


def _callable(key: Key, node: Scalar) -> Callable_:
    text = node.text
    if text == "element":
        raise WrongValue("'element' alone is the address of the element",
                     f"look into it, as in `{key.example}`, or at it, with `*element`", code="BSP0302")
    if text.isidentifier() and text not in ("true", "false"):
        return Callable_(_function_name(key, text))
    problem = expressions.check_expression(text)
    if problem:
        raise WrongValue(problem[1], f"expected one C expression over `element`, such as `{key.example}`, or the name of "
                     "a function", problem[0], "BSP0302")
    if not any(name == "element" for name, _ in expressions.identifiers(text)):
        raise WrongValue("this expression does not look at 'element'",
                     f"`element` points to the element in question: `{key.example}`", code="BSP0302")
    _through_pointers(text, ("element",))
    return Callable_(text)


def _comparison(key: Key, node: Scalar) -> Callable_:
    text = node.text
    if text.isidentifier() and text not in ("true", "false", "a", "b"):
        return Callable_(_function_name(key, text))
    problem = expressions.check_expression(text)
    if problem:
        raise WrongValue(problem[1], f"expected one C expression over `a` and `b`, such as `{key.example}`, or the name of "
                     "a function", problem[0], "BSP0302")
    for name in ("a", "b"):
        if not any(found == name for found, _ in expressions.identifiers(text)):
            raise WrongValue(f"this comparison does not look at '{name}'",
                         f"`a` and `b` point to the two elements: `{key.example}`", code="BSP0302")
    _through_pointers(text, ("a", "b"))
    return Callable_(text)


_EQUALS = re.compile(r"(?<![=!<>+\-*/%&|^])=(?!=)")


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")  # what follows T_, so that words of C will do


def _names(key: Key, node: Any) -> Tuple[str, ...]:
    """A list of names that become constants."""
    found: Dict[str, str] = {}
    wrong: List[WrongValue] = []
    for item in node.items:
        text = item.text if isinstance(item, Scalar) else None
        problem = "a name is missing" if text is None else None if _NAME.fullmatch(text) else \
            identifiers.check_identifier(text, library=False) or "it must begin with a letter"
        shouted = identifiers.shout(text or "")
        if not problem and (shouted in STATUSES or shouted in ("LAYERS", "LAYER", "MAX", "NONE", "EACH", "CLOSES")
                            or shouted.startswith(("EACH_", "LAYER_"))):
            problem = f"the container has a constant T_{shouted} of its own"
        if not problem and shouted in found:
            problem = "it is named twice" if found[shouted] == text else f"it gives the same constant as '{found[shouted]}'"
        if problem:
            wrong.append(WrongValue(f"'{shown(text or '')}' cannot name a layer: {problem}", f"such as `{key.example}`",
                                    code="BSP0301",
                                span=item.span))
        found.setdefault(shouted, text or "")
    _raise_all(wrong)
    if not found:
        raise WrongValue(f"'{key.path}' is empty", f"such as `{key.example}`", code="BSP0104")
    if len(found) > 64:
        raise WrongValue(f"{len(found)} layers are too many", "at most 64")
    return tuple(found.values())


def _members(key: Key, node: Sequence) -> Names:
    """A list of members of the element."""
    return _listed(key, node, "a member", "BSP0301",
                   lambda text: identifiers.check_identifier(text, library=False, defined=False))


def _operations(key: Key, node: Sequence) -> Names:
    """A list of operations; which there are depends on the container."""
    return _listed(key, node, "an operation", "BSP0103", lambda text: None if _NAME.fullmatch(text) else
                   "it must begin with a letter and go on with letters, digits and '_'")


def _files(key: Key, node: Sequence) -> Names:
    """A list of paths."""
    return _listed(key, node, "a file", "BSP0103",
                   lambda text: "it is absolute" if text[:1] in ("/", "\\") or text[1:2] == ":" else None)


def _listed(key: Key, node: Sequence, what: str, code: str, problem_of: Callable[[str], Optional[str]]) -> Names:
    found: List[str] = []
    wrong: List[WrongValue] = []
    for item in node.items:
        text = item.text if isinstance(item, Scalar) else ""
        problem = "a name is missing" if not text else "it is named twice" if text in found else problem_of(text)
        if problem:
            wrong.append(WrongValue(f"'{shown(text)}' cannot be {what} here: {problem}", f"such as `{key.example}`", code=code,
                                    span=item.span))
        found.append(text)
    if not found:
        raise WrongValue(f"'{key.path}' is empty", f"such as `{key.example}`", code="BSP0104")
    _raise_all(wrong)
    names = Names(found)
    names.spans = tuple(item.span for item in node.items)
    return names


def _statement(key: Key, node: Scalar) -> str:
    equals = _EQUALS.search(node.text)
    if not equals:
        raise WrongValue(f"'{key.path}' takes an assignment, not '{shown(node.text)}'", f"such as `{key.example}`",
                     code="BSP0302")
    for start, end in ((0, equals.start()), (equals.end(), len(node.text))):
        part = node.text[start:end]
        problem = expressions.check_expression(part.strip())
        if problem:
            raise WrongValue(problem[1], f"expected one assignment, such as `{key.example}`",
                         start + len(part) - len(part.lstrip()) + problem[0], "BSP0302")
    if not any(name == "element" for name, _ in expressions.identifiers(node.text[:equals.start()].strip())):
        raise WrongValue("this assignment does not change 'element'", f"such as `{key.example}`", code="BSP0302")
    _through_pointers(node.text[:equals.start()].rstrip(), ("element",))
    return node.text.strip()


def _lines(key: Key, node: Scalar) -> str:
    """Lines of a comment, each without what C would not leave in one."""
    lines = [line.rstrip() for line in node.text.replace("\r\n", "\n").rstrip("\n").split("\n")]
    at = 0
    for line in lines:
        bad = next((i for i, c in enumerate(line) if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")), None)
        if bad is not None:
            raise WrongValue(f"'{key.path}' must be lines of plain text", "no tabs and no control characters", at + bad)
        for part in ("*/", "/*", "??/", "@bespoke"):
            if part in line:
                raise WrongValue(f"'{part}' would be read as the end of the banner" if part == "@bespoke" else
                             f"'{part}' would end or open a C comment", f"leave '{part}' out", at + line.index(part))
        if line.endswith("\\"):
            raise WrongValue("a backslash at the end would join two lines of C", "leave it out", at + len(line) - 1)
        at += len(line) + 1
    return "\n".join(lines)


def _fields(key: Key, node: Mapping) -> Fields:
    found: List[SpecField] = []
    bad: List[WrongValue] = []
    for name, value in node.entries:
        try:
            found.append(_member(name, value, "value" if key.path == "side" else "member"))
        except WrongValue as wrong:
            bad.append(wrong)
    _raise_all(bad)
    return Fields(found)


def _renamings(key: Key, node: Mapping) -> Renamings:
    found: List[Renaming] = []
    bad: List[WrongValue] = []
    for operation, value in node.entries:
        problem = "it is no name"
        if isinstance(value, Scalar) and not value.is_missing:
            problem = identifiers.check_identifier("x" + value.text)
        if problem is None and value.text.endswith("_"):
            problem = "names that end in `_` are the container's own"
        if problem:
            bad.append(WrongValue(f"'{operation.text}' cannot be called so: {problem}",
                                  f"such as `{operation.text}: Push`", span=value.span))
        found.append(Renaming(operation.text, getattr(value, "text", ""), operation.span))
    _raise_all(bad)
    return Renamings(found)


def _member(name: Scalar, value: Any, what: str) -> SpecField:
    """One member of `element.fields`, or a value of `side`."""
    problem = identifiers.check_identifier(name.text, library=False)
    if problem is None and name.text.endswith("_"):
        problem = "names that end with '_' are the container's own"
    if problem:
        raise WrongValue(f"'{shown(name.text)}' cannot be a {what}: {problem}", f"expected the name of a {what}",
                     code="BSP0301", span=name.span)
    if not isinstance(value, Scalar) or value.is_missing or value.value is None and value.plain:
        raise WrongValue(f"{what} '{name.text}' has no type" if isinstance(value, Scalar) else
                     f"{what} '{name.text}' takes a C type, not {shape(value)}", f"such as `{name.text}: float`",
                     code="BSP0104", span=value.span)
    dimensions = re.search(r"(\[[^][]+\]\s*)+$", value.text)  # an array may be among the members without a column
    wrong = check_type(value.text[:dimensions.start()].strip() if dimensions else value.text)
    for size in re.finditer(r"\[([^][]+)\]", dimensions.group()) if dimensions and not wrong else ():
        wrong = expressions.check_expression(size.group(1))
        if wrong:
            wrong = (dimensions.start() + size.start(1) + (wrong[0] or 0), wrong[1])
            break
    if wrong:
        raise WrongValue(f"{what} '{name.text}': {wrong[1]}", _unqualified(value.text, wrong[0])
                     or "expected a C type such as `float` or `struct ship *`", code="BSP0303", span=place_in(value, wrong[0]))
    return SpecField(name.text, " ".join(value.text.split()), name.span)


_INDEX = re.compile(r"by(_[a-z0-9]+)+")


def _indexes(key: Key, node: Mapping) -> Indexes:
    found: List[NamedIndex] = []
    bad: List[WrongValue] = []
    for name, value in node.entries:
        if not _INDEX.fullmatch(name.text):
            bad.append(WrongValue(f"'{shown(name.text)}' cannot name an index: functions are called after it, as T_find_by_name "
                                  "is, so it is 'by_' and words in small letters", "such as `by_name`", code="BSP0301",
                                  span=name.span))
        elif not isinstance(value, Mapping) or not value.entries:
            bad.append(WrongValue(f"'indexes.{name.text}' takes a mapping of keys, not "
                                  f"{'an empty one' if isinstance(value, Mapping) else shape(value)}",
                                  f"such as `{key.example}`", code="BSP0104",
                                  span=value.span))
        else:
            settings = _index(name, value, bad)
            found.append(NamedIndex(name.text, name.span, settings))
    _raise_all(bad)
    return Indexes(found)


def _index(name: Scalar, node: Mapping, bad: List[WrongValue]) -> Dict[str, Setting]:
    """The settings of one index; what is wrong goes to `bad`."""
    settings: Dict[str, Setting] = {}
    for leaf, value in node.entries:
        known = INDEX_KEYS.get(leaf.text)
        path = f"indexes.{name.text}.{leaf.text}"
        if known is None:
            bad.append(WrongValue(f"unknown key '{shown(leaf.text)}' in 'indexes.{name.text}'",
                                  suggestion(leaf.text, INDEX_KEYS) + "known: "
                                  + ", ".join(INDEX_KEYS), code="BSP0101", span=leaf.span))
        elif not isinstance(value, Scalar) or value.is_missing or value.value is None and value.plain:
            bad.append(WrongValue(f"'{path}' has no value" if isinstance(value, Scalar)
                                  else f"'{path}' takes one value, not {shape(value)}",
                                  f"such as `{leaf.text}: {known.example or next(iter(known.values), 'true')}`",
                                  code="BSP0102" if isinstance(value, Scalar) else "BSP0104",
                                  span=value.span))
        else:
            try:
                settings[leaf.text] = Setting(KINDS[known.kind](known._replace(path=path), value), "spec", value.span)
            except WrongValue as wrong:
                wrong.span = wrong.span or place_in(value, wrong.at)
                bad.append(wrong)
    if node.get("key") is None:
        bad.append(WrongValue(f"'indexes.{name.text}' has no 'key'", "such as `key: element->name`", code="BSP0102",
                              span=name.span))
    return settings


KINDS: Dict[str, Callable[..., Any]] = {
    "choice": _choice, "flag": _flag, "count": _count, "size": _size, "bits": _bits, "chunk": _chunk,
    "percent": _percent, "growth": _growth, "duration": _duration, "type": _type, "header": _header, "function": _function,
    "prefix": _prefix, "macro": _macro,
    "field": _field, "names": _names, "callable": _callable, "comparison": _comparison, "statement": _statement, "lines": _lines,
    "fields": _fields, "renamings": _renamings, "indexes": _indexes, "members": _members, "operations": _operations,
    "files": _files,
}


_TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9][A-Za-z0-9_.]*|\+\+|--|->|::|/[/*]|[-+*/%&|^<>=!]=|&&|\|\|")


def place_in(node: Scalar, at: Optional[int]) -> Span:
    """Where in the file the word stands that begins at an offset of a scalar's text; else all of the scalar."""
    span, text = node.span, getattr(node, "text", "")
    if at is None or not text:
        return span
    written = span.source.line(span.line)[span.column - 1:span.column - 1 + span.length]
    if written != text:
        if written[1:-1] != text:
            return span  # it has escapes, or goes over several lines
        span = span.part(1, max(1, len(text)))
    word = _TOKEN.match(text, at)
    return span.part(at, word.end() - at if word else 1)
