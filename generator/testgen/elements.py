"""How a generated test makes the elements of a container and recognises them."""

import re
from typing import List, Tuple

from ..containers.plan import Plan
from ..text.expressions import dereferenced, plain_member
from ..text.identifiers import BUILT_IN
from ..types.declare import pointer_to
from .indexes import index_keys, marking_member
from .keys import Keys
from .sizes import heaviest


class Elements:
    """The elements in the test of one container. Each has a label, a number that is written into its `mark`."""

    def __init__(self, plan: Plan):
        self.p, self.c = plan.parts, plan.container
        c = self.c
        self.arithmetic = self._is_number()
        self.opaque = self.p.element.by_pointer and not self.arithmetic and c[c.defining] is None
        self.keys = Keys(self.p)
        self.text = "" if self.opaque else self.keys.member
        self.mark = self.text or self._mark()
        self.indexes = index_keys(self.p, self.mark, self.opaque)
        keys = [str(index.parts.container["identity.key"]) for index in self.indexes]
        self.ranked_by_function = any(c[path] is not None and c[path].is_function and str(c[path]) not in keys
                                      for path in ("sort.key", "sort.less"))
        indexed = [index.member for index in self.indexes]  # by a key that is the label's
        self.rank_member = self._sort_member() if self._sort_member() not in (self.mark, *indexed) else ""
        self.assigns_mark = not self.opaque and not self.text and self._marks_a_number and self._needs_probes(self.mark)
        self.assigns_rank = self._ranks_a_number and self._needs_probes(self.rank_member)
        self.labels = self._labels()
        self.weight_member = self._weight_member(indexed)
        self.maker = c["test.element"] if not (self.opaque or self.arithmetic) else None
        # the element is known by its address, and its first bytes are that function's
        self.unmarked = (self.maker is not None and not self.mark)
        self.stamped = self._stamped()

    def _is_number(self) -> bool:
        """Is an element a number, which the label can be assigned to?"""
        return not self.p.element.stored or not self.p.element.columns and all(word in BUILT_IN for word in self.p.E.split())

    @property
    def minus_first(self) -> str:
        """Behind a label: what makes it the number, of which 0 is one."""
        return "" if self.p.element.stored else f" * {self.apart} - {self.apart}" if self.apart > 1 else " - 1"

    @property
    def plus_first(self) -> str:
        """Behind a number: what makes it the label."""
        return "" if self.p.element.stored else f" / {self.apart} + 1" if self.apart > 1 else " + 1"

    @property
    def apart(self) -> int:
        """How far numbers are apart: where they lie in chunks, so far that few are in one."""
        return 40 if self.p.removal.spread and self.p.limit is None else 1

    @property
    def ranks(self) -> bool:
        """Does the test choose what elements are sorted by?"""
        return self.ranked_by_function or bool(self.rank_member)

    @property
    def reranks(self) -> bool:
        """Can the test change what an element that is in is sorted by?"""
        weighed = self.p.weight.any and re.search(rf"\b{self.rank_member}\b", str(self.p.weight.of))
        return self.ranked_by_function or bool(self.rank_member and self.p.element.by_pointer and not weighed)

    @property
    def _marks_a_number(self) -> bool:
        """Is what the label is written into a number? Else it is all of the bytes that are compared."""
        return self.c["test.id"] is not None or self.keys.kind not in ("bytes", "object")

    @property
    def _ranks_a_number(self) -> bool:
        return self.c["sort.kind"] in (None, "number")

    def _mark(self) -> str:
        """The member that the label is written to; '' is the element's first bytes."""
        if self.c["test.id"] is not None:
            return self.c["test.id"]
        key = self.c["identity.key"]
        if plain_member(key) and not self.keys.is_text:
            return plain_member(key)
        if key is None and not self.opaque and marking_member(self.p):
            return marking_member(self.p)
        sorted_by = self._sort_member() if self.p.element.by_value and self._ranks_a_number else ""
        if sorted_by and not self._bits(sorted_by):
            return sorted_by
        if key is None and self.p.element.by_value and not self.p.element.rows and marking_member(self.p, unique=False):
            return marking_member(self.p, unique=False)  # it may be what the first bytes are
        # What lies between members is not kept where each has a column.
        kinds = [member for member in self.p.element.fields if "bool" not in member.type and not member.bits] \
            or self.p.element.fields
        wide = [member for member in kinds if re.fullmatch(r"u?int(16|32|64)_t|unsigned|int|unsigned int|size_t", member.type)]
        return (wide or kinds)[0].name if kinds else ""

    def _bits(self, path: str) -> int:
        """The bits of a member that is known to be a bit-field, which has neither an address nor a size; else 0."""
        member = self.c.type_info.member(path) if self.c.type_info is not None else None
        return member.bits or 0 if member is not None else 0

    def _needs_probes(self, path: str) -> bool:
        """Is the member a bit-field or const, or is nothing known of it, so that it may be?"""
        member = self.c.type_info.member(path) if self.c.type_info is not None else None
        if member is not None:
            return member.bits is not None or member.const \
                and not (member.array or member.fields or re.search(r"\[|^(const )?(struct|union) [^*]*$", member.type))
        return bool(path) and not self.arithmetic and path not in [member.name for member in self.p.element.fields]

    def _sort_member(self) -> str:
        """The member that says which element comes first; '' if it is not as simple as that."""
        key, less = self.c["sort.key"], self.c["sort.less"]
        for text, pattern in ((key, r"\(?element->([A-Za-z_][\w.]*)\)?"), (less, r"a->([A-Za-z_][\w.]*) [<>] b->\1")):
            match = re.fullmatch(pattern, str(text)) if text is not None else None
            if match and not self.arithmetic and not self.opaque:
                return match.group(1)
        return ""

    @property
    def rank_sign(self) -> str:
        """How the numbers compare that elements are sorted by: `<` or `>`; '' if it is not as simple as that."""
        if not self.rank_member or not self._ranks_a_number:
            return ""
        return ">" if " > " in str(self.c["sort.less"] or "") else "<"

    @property
    def rank_order(self) -> str:
        """How ranks compare in C, as `%s < %s`, without an element; '' where a member may not hold them as they are, as a
        bool."""
        if not self.rank_sign or self.assigns_rank and self._bits(self.rank_member) < 2:
            return ""
        narrow = "2" if self.assigns_rank else f"(sizeof (({pointer_to(self.p.E)})0)->{self.rank_member} == 1 ? 2u : 4u)"
        return f"bt_rank_of(%s) %% {narrow} {self.rank_sign} bt_rank_of(%s) %% {narrow}"

    def _stamped(self) -> List[str]:
        """Members in columns that no expression looks at: each says whose it is, so one that is not moved along is found."""
        texts = " ".join(str(self.c[path])
                         for path in ("removal.expired", "capacity.keep", "capacity.weight", "identity.key", "identity.length",
                                      "sort.key", "sort.less", "test.expire", "indexes") if self.c[path] is not None)
        return [member.name for member in self.p.element.fields if member.name != self.mark and not member.bits
                and not re.search(rf"\b{member.name}\b", texts)]

    def stamp(self, name: str, number: str) -> str:
        """What is written into a stamped member of the element with this number: a truth value is true of odd ones."""
        [member] = [member for member in self.p.element.fields if member.name == name]
        return f"{number} % 2" if "bool" in member.type.lower() and "*" not in member.type else number

    @property
    def followed(self) -> List[Tuple[str, str, str]]:
        """What expressions of the spec may follow out of an element that is only made of numbers: the key, an expression of C
        for the address, and what that begins at."""
        c = self.c
        named = [(f"indexes.{index.name}.key", index.parts.container["identity.key"]) for index in self.indexes]
        read = [(path, c[path]) for path in ("identity.key", "identity.length", "sort.key", "sort.less", "removal.expired",
                                               "capacity.keep", "capacity.weight")]
        found: List[Tuple[str, str, str]] = []
        for path, text in [*read, *named]:
            if text is None or text.is_function or self.maker is not None or self.opaque or self.arithmetic:
                continue
            for operand in dereferenced(str(text)):
                begins = re.search(r"\b(element|a)\b", operand)  # what is read of `b` is read of `a`, too
                # A function that returns an address may follow one itself.
                if begins and operand != begins[0] and not re.search(r"(?<!sizeof)[\w)]\s*\(", operand):
                    found.append((path, operand, begins[0]))
        return found

    @property
    def expires_outside(self) -> bool:
        """Is what says that an element has expired not in the element? Another one of the same number may have it, too."""
        predicate, expire = self.c["removal.expired"], str(self.c["test.expire"] or "")
        if predicate is None or predicate.is_function or self.maker is None or self.p.element.by_pointer:
            return False
        return any(text != "element" for text in dereferenced(str(predicate))) \
            and (not expire or expire.count("->") > 1 or "*" in expire.split("=")[0])

    def _weight_member(self, indexed: List[str]) -> str:
        """The member that says what an element weighs, if the test may write it; else ''."""
        weight = self.p.weight.of
        member = plain_member(weight) if self.p.weight.any and not weight.is_function else ""
        taken = (self.mark, self.rank_member, *indexed)
        texts = (str(self.c[path]) for path in ("removal.expired", "capacity.keep", "identity.key", "identity.length"))
        free = member and not (self.arithmetic or self.opaque) and member not in taken \
            and not any(re.search(rf"\b{member}\b", text) for text in texts)
        return member if free else ""

    @property
    def assigns(self) -> bool:
        """Is a member written whose type, or size, may be any?"""
        return self.assigns_mark or self.assigns_rank or bool(self.weight_member) or any(index.assigns for index in self.indexes)

    @property
    def weight_is_marked(self) -> bool:
        """Does an expression of what the label is written into say what an element weighs?"""
        return self.p.weight.any and not self.weight_member and not self.p.weight.of.is_function

    @property
    def reweighs(self) -> str:
        """The call of the driver by which an element gets another weight, if the test can write that."""
        return "reweigh" * bool(self.weight_member)

    def weighed_as(self, label: str, by: str = "") -> str:
        """What the element of a label weighs, where the test decides it: nothing, more than all may, or a part of that."""
        most = heaviest(self.p)
        return f"{by}({label} % 13 == 6 ? {most + 1}u : {label} % 5 * {max(most // 8, 1)}u)"

    def _labels(self) -> str:
        E = self.p.E
        if self.arithmetic and self.p.element.by_value:
            if "bool" in E or "_Bool" in E:
                return "2"
            return "100" if "char" in E or "int8" in E else "(unsigned)BT_LABELS"
        if self.opaque or (self.p.element.by_pointer and not self.p.lookup.keyed) or self.assigns_mark:
            return "(unsigned)BT_LABELS"
        of = f"(({pointer_to(E)})0)->{self.mark}" if self.mark and not self.arithmetic else E
        if self.text:
            return f"(sizeof({of}) < 5 ? 9u : (unsigned)BT_LABELS)"
        return f"(sizeof({of}) == 1 ? 100u : (unsigned)BT_LABELS)"

    def ranked(self, element: str, by: str, set_: str, path: str) -> str:
        """Writes what an element is sorted by: few values, so that many are equal. `set_`: a call of what writes any member,
        begun; `path`: what that calls the member."""
        member = element + self.rank_member
        pointer = element[:-2] if element.endswith("->") else f"&{element[:-1]}"
        if self.c["sort.kind"] in ("string", "slice"):
            return f"(void){'BT_' * set_.startswith('BT_')}WRITE_TEXT({element}{path}, {by} % 4, true);"
        if self.assigns_rank:
            return f"{set_}, {pointer}, {path}, {by} % {2 if self._bits(self.rank_member) else 4});"
        return f"*(unsigned char *)(void *)&{member} = (unsigned char)({by} % (sizeof {member} == 1 ? 2 : 4));"
