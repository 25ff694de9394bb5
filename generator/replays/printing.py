"""Operations of a trace as C, to be pasted into a test."""

from __future__ import annotations

from array import array
from typing import Sequence

from ..traces.reader import Kind
from . import operations as ops
from .operations import operands
from .standins import StandIn


def as_c(operations: Sequence["array[int]"], kind: Kind, standin: StandIn, said: str) -> str:
    """A function that carries them out; `element(n)` is the caller's."""
    owner = standin.name
    pointers = standin.pointed
    nil = f"{owner.upper()}_NONE" if standin.rows else "NULL"
    written = [_line(each, kind, owner, nil) for each in operations]
    begun = {each[ops.PASS]: kind.calls[each[ops.NUMBER]][0] for each in operations if each[ops.WHAT] == ops.BEGINS}
    lines = [f"/* {said}. element(n) makes element n{', or gives its address' * pointers}; key(n) is its key. */",
             f"static void replay_{owner}(void)", "{", f"    {owner} list = {{0}};"]
    lines += [f"    {owner}_{'const_' * ('const' in name)}cursor pass{number};" for number, name in sorted(begun.items())]
    labels = max([each[ops.LABEL] for each in operations] + [0])
    if any("handles[" in line for line in written):
        lines.append(f"    {owner}_handle handles[{labels + 1}] = {{0}};")
    return "\n".join([*lines, "", *(f"    {line}" for line in written if line), f"    {owner}_deinit(&list);", "}", ""])


def _line(op: "array[int]", kind: Kind, owner: str, nil: str) -> str:
    """One operation; `nil` is no element."""
    what, passing, key = op[ops.WHAT], f"pass{op[ops.PASS]}", op[ops.KEY]
    if what == ops.STEPS:
        reads = "_const" * (op[ops.OTHER] != 0)
        step = f"(void){owner}_next{reads}(&{passing});"
        return step if op[ops.COUNT] == 1 else f"for (int i = 0; i < {op[ops.COUNT]}; i++) {{ {step} }}"
    if what == ops.ENDS:
        reads = op[ops.OTHER] != 0
        if key != 0:
            return "" if reads else f"{owner}_end(&{passing});"
        return f"while ({owner}_next{'_const' * reads}(&{passing}) != {nil}) {{ }}"
    name, letter = kind.calls[op[ops.NUMBER]]
    if what == ops.BEGINS:
        return f"{passing} = {owner}_{name}(&list);"
    return _call(op, kind, owner, name, letter)


def _call(op: "array[int]", kind: Kind, owner: str, name: str, letter: str) -> str:
    """The same of a call."""
    passing, label, key = f"pass{op[ops.PASS]}", op[ops.LABEL], op[ops.KEY]
    more = [str(op[ops.MORE + at]) for at, word in enumerate(word for word in kind.words.get(op[ops.NUMBER], "")
                                                             if word in (ops.HASHED, ops.ORDERED))]
    if letter in "Aa":
        keys = f" /* with {', '.join(more)} in its named indexes */" if more else ""
        if name == "emplace":
            return f"*{owner}_emplace(&list) = element({label});{keys}"
        if "add_handle" in [call for call, _ in kind.calls.values()]:
            return f"(void){owner}_add_handle(&list, element({label}), &handles[{label}]);{keys}"
        return f"(void){owner}_add(&list, element({label}));{keys}"
    words = operands(kind.words[op[ops.NUMBER]])
    if more and words == "-":
        return f"(void){owner}_{name}(&list, {', '.join(more)});"
    if more:
        known = f"handles[{label}]" if words == "h" else f"element({label})"
        return f"(void){owner}_{name}(&list, {known}); /* its key is {more[0]} now; no sorted index: with the old key */"
    alike = f"key({key:#x})" if name in ("remove_key", "find", "find_const") else f"&(element_like({key:#x}))"
    given = {"a": f", element({label})", "k": f", {alike}", "h": f", handles[{label}]", "n": f", {key}",
             "nn": f", {key}, {op[ops.OTHER]}"}
    return f"(void){owner}_{name}({'&' + passing if words == 'p' else '&list'}{given.get(words, '')});"
