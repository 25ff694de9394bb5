"""Operations of a trace as C, to be pasted into a test."""

from __future__ import annotations

from array import array
from typing import Dict, List, Sequence

from ..operations.traced import MERGED_BY, NOTES, PLACE
from ..traces.reader import Kind
from . import operations as ops
from .operations import operands
from .posts import INBOX
from .standins import StandIn


def as_c(operations: Sequence["array[int]"], kind: Kind, standin: StandIn, said: str) -> str:
    """A function that carries them out; `element(n)` is the caller's."""
    owner = standin.name
    printed = _Printed(kind, standin)
    written = [printed.line(each) for each in operations]
    lines = [f"/* {said}. element(n) makes element n{', or gives its address' * standin.pointed}; key(n) is its key. */",
             f"static void replay_{owner}(void)", "{", f"    {owner} list = {{0}};", *sorted(printed.declared)]
    labels = max([max(each[ops.LABEL], each[ops.TO]) for each in operations] + [0])
    if any("handles[" in line for line in written):
        lines.append(f"    {owner}_handle handles[{labels + 1}] = {{0}};")
    if printed.memories:
        lines.append(f"    static unsigned char memory[{len(printed.memories)}][65536];")
    return "\n".join([*lines, "", *(f"    {line}" for line in written if line), f"    {owner}_deinit(&list);", "}", ""])


class _Printed:
    """The operations, one after the other."""

    def __init__(self, kind: Kind, standin: StandIn):
        self._kind, self._standin, self._owner = kind, standin, standin.name
        self._nil = f"{standin.name.upper()}_NONE" if standin.rows else "NULL"
        self._begun: Dict[int, str] = {}  # by the number of a pass: what began it
        self.declared: Dict[str, None] = {}  # lines that declare passes
        self.memories: Dict[int, int] = {}  # of snapshots, by their address

    def line(self, op: "array[int]") -> str:
        """One of them."""
        what, passing = op[ops.WHAT], f"pass{op[ops.PASS]}"
        name = self._begun.get(op[ops.PASS], "")
        if what == ops.EXPIRES:
            return f"/* element {op[ops.LABEL]} has expired */"
        if what == ops.STEPS:
            step = f"(void){self._next(op, name)};"
            return step if op[ops.COUNT] == 1 else f"for (int i = 0; i < {op[ops.COUNT]}; i++) {{ {step} }}"
        if what == ops.ENDS and op[ops.KEY] != 0:
            ends = "" if op[ops.OTHER] else f"{self._owner}_{'scan_' * name.startswith('scan')}end(&{passing});"
            return f"{self._owner}_end(&inner{op[ops.PASS]});\n    {ends}" if name == ops.PAIRS else ends
        if what == ops.ENDS:
            bare = name in (ops.PAIRS, ops.CHANGES) or name.startswith(ops.BESIDE)
            return f"while ({self._next(op, name)}{f' != {self._nil}' * (not bare)}) {{ }}"
        name, letter = self._kind.calls[op[ops.NUMBER]]
        if letter == NOTES:
            return self._noted(op, name, operands(self._kind.words[op[ops.NUMBER]]))
        return self._begins(op, name, passing) if what == ops.BEGINS else self._call(op, name)

    def _next(self, op: "array[int]", name: str) -> str:
        """A pass, which a call of this name has begun, goes on."""
        passing, owner, at = f"&pass{op[ops.PASS]}", self._owner, self._standin.in_index(name)
        if name == ops.CHANGES:
            return f"{owner}_next_change({passing})"
        if name.startswith(ops.BESIDE):
            return f"{owner}_next_{name[len('begin_'):]}({passing})"
        if name == ops.PAIRS:
            return f"{owner}_next_pair({passing}, &a, &inner{op[ops.PASS]}, &b)"
        if at >= 0 and not name.startswith("scan"):
            return f"{owner}_next_{self._standin.indexes[at]}(&list, {passing})"
        return f"{owner}_{'scan_' * name.startswith('scan')}next{'_const' * (op[ops.OTHER] != 0)}({passing})"

    def _begins(self, op: "array[int]", name: str, passing: str) -> str:
        """A pass begins."""
        owner, in_index = self._owner, self._standin.in_index(name) >= 0
        self._begun[op[ops.PASS]] = name
        if name.startswith(ops.BESIDE):
            self.declared[f"    {owner}_{name[len('begin_'):]} {passing};"] = None
            return f"{passing} = {owner}_{name}(&list);"
        cursor = "changes" if name == ops.CHANGES else "scan" if name.startswith("scan") else "range" if in_index else \
            "const_cursor" if "const" in name else "cursor"
        self.declared[f"    {owner}_{cursor} {passing};"] = None
        if name == ops.PAIRS:
            elements = "size_t a, b;" if self._standin.rows else "ELEMENT *a, *b; /* ELEMENT: the type of elements */"
            self.declared[f"    {owner}_cursor inner{op[ops.PASS]};"] = None
            self.declared[f"    {elements}"] = None
            return f"{passing} = {owner}_begin(&list);\n    inner{op[ops.PASS]} = {owner}_over_({passing});"
        if name == "begin_after":
            return f"{passing} = {owner}_begin_after(&pass{op[ops.KEY]});"
        return f"{passing} = {owner}_{name}(&list{self._given(op, name)});"

    def _given(self, op: "array[int]", name: str) -> str:
        """What a call is given, behind the container."""
        label, key = op[ops.LABEL], op[ops.KEY]
        alike = f"key({key:#x})" if name in ("remove_key", "take_key", "find", "find_const") or name.endswith("_at_key") \
            else f"&(element_like({key:#x}))"
        given = {"a": f", element({label})", "k": f", {alike}", "h": f", handles[{label}]", "n": f", {key}",
                 "nn": f", {key}, {op[ops.OTHER]}"}
        return given.get(operands(self._kind.words[op[ops.NUMBER]]), "") + "".join(f", {each}" for each in self._more(op))

    def _more(self, op: "array[int]") -> List[str]:
        """Keys in named indexes."""
        return [str(op[ops.MORE + at]) for at, word in enumerate(
            word for word in self._kind.words.get(op[ops.NUMBER], "") if word in (ops.HASHED, ops.ORDERED))]

    def _call(self, op: "array[int]", name: str) -> str:
        """Another call."""
        owner, label, letter = self._owner, op[ops.LABEL], self._kind.calls[op[ops.NUMBER]][1]
        more, words = self._more(op), operands(self._kind.words[op[ops.NUMBER]])
        where = self._where(op)
        if letter in "Aa":
            return self._adds(op, name) + (f" /* with {', '.join(more)} in its named indexes */" if more else "")
        if name.startswith("set_"):
            return f"{owner}_{name}(&list{where}, {'true' if op[ops.KEY] else 'false'});"
        if name.startswith("move") and words == "h" and self._standin.tree:
            return f"(void){owner}_{name}(&list, {owner}_get(&list, handles[{label}]){where});"
        if more and words != "-":
            known = f"handles[{label}]" if words == "h" else f"element({label})"
            return f"(void){owner}_{name}(&list, {known}); /* its key is {more[0]} now; no sorted index: with the old key */"
        if words in ("m", "mm"):
            return self._of_memory(op, name, len(words))
        if words == ops.OF_PASS:
            second = self._begun.get(op[ops.PASS]) == ops.PAIRS and op[ops.KEY] != 0
            return f"(void){owner}_{name}(&{'inner' if second else 'pass'}{op[ops.PASS]}{self._taken(name)});"
        value = ", VALUE /* any */" * (self._standin.of_side(name)[0] == "set_")
        return f"(void){owner}_{name}(&list{self._given(op, name)}{where}{self._taken(name)}{value});"

    def _noted(self, op: "array[int]", name: str, words: str) -> str:
        """What a worker notes, or puts into the inbox."""
        label, key = op[ops.LABEL], op[ops.KEY]
        given = [] if name == INBOX else [str(op[ops.TO_KEY])]
        given += [str(op[ops.TO])] * (MERGED_BY in self._kind.words[op[ops.NUMBER]])
        lies = f"address({label})" if label else f"address_of_place({key})"
        named = {"h": f"handles[{label}]", PLACE: lies}.get(words, f"element({label})")
        given += [named, "VALUE /* any */"][:1 + name.endswith("update")]
        said = {"h": " /* of what T_settle has added: T_handle_of */", PLACE: " /* where it is */"}.get(words, "")
        return f"(void){self._owner}_{name}(&list, {', '.join(given)});{said}"

    def _of_memory(self, op: "array[int]", name: str, number: int) -> str:
        """A snapshot is taken, or brought back: of how many addresses."""
        memory = [f", memory[{self.memories.setdefault(each, len(self.memories))}]"
                  for each in (op[ops.KEY], op[ops.OTHER])[:number]]
        size = ", sizeof memory[0]" * name.startswith("snapshot")
        return f"(void){self._owner}_{name}(&list{''.join(memory)}{size});"

    def _adds(self, op: "array[int]", name: str) -> str:
        """A call that adds."""
        owner, label, where = self._owner, op[ops.LABEL], self._where(op)
        if name == "emplace":
            return f"*{owner}_emplace(&list) = element({label});"
        bare = name[:-len("_handle")] if name.endswith("_handle") else name
        if bare + "_handle" in [call for call, _ in self._kind.calls.values()]:
            return f"(void){owner}_{bare}_handle(&list{where}, element({label}), &handles[{label}]);"
        return f"(void){owner}_{bare}(&list{where}, element({label}));"

    def _where(self, op: "array[int]") -> str:
        """The layer, or the element beside or beneath which one is put."""
        word = next((word for word in self._kind.words.get(op[ops.NUMBER], "") if word in ops.PLACES), "")
        to, key = op[ops.TO], op[ops.TO_KEY]
        none = not (to or key or op[ops.TO_OTHER])
        return {"": "", ops.LAYER: f", {key}"}.get(word) or ", NULL" * (word != "" and none) or {
            ops.AT_KEY: f", {self._owner}_find(&list, key({key:#x}))", ops.AT_ADDRESS: f", element({to})",
            ops.AT_HANDLE: f", {self._owner}_get(&list, handles[{to}])"}.get(word, "")

    def _taken(self, name: str) -> str:
        """Where an element goes that is handed over."""
        if not name.startswith(("pop", "take")):
            return ""
        self.declared[f"    ELEMENT {'*' * self._standin.pointed}taken; /* ELEMENT: the type of elements */"] = None
        return ", &taken"
