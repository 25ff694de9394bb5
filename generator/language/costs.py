"""What a call costs: a part states its own cost, and an operation adds those of the parts that it goes through."""

from __future__ import annotations

from typing import List, NamedTuple, Tuple

_BOUNDS = ("1", "log n", "n / 64", "n", "n log n", "n * n")  # the lowest first


def _rank(bound: str) -> int:
    """Where a bound stands among these: a pass over chunks is like one over words."""
    return _BOUNDS.index("n / 64" if bound.startswith("n / ") else bound)


def joined(clauses: Tuple[str, ...]) -> str:
    """Clauses of one sentence: a verb that several begin with is said once."""
    said: List[List[str]] = []
    for clause in clauses:
        verb, what = clause.split(" ", 1)
        if said and said[-1][0] == verb:
            said[-1].append(what)
        else:
            said.append([verb, what])
    each = [f"{verb} {' and '.join(what)}" for verb, *what in said]
    return " and ".join([*[", ".join(each[:-1])][:len(each) - 1], each[-1]])


class Case(NamedTuple):
    """What is true of a cost beside its bound, as it is printed."""

    text: str
    worst: str = ""  # the bound that it names
    within: str = ""  # a cost with this bound says it already; '': no cost does, if it names none


class Cost(NamedTuple):
    """How the time of a call grows with n, the number of elements."""

    bound: str = "1"
    does: Tuple[str, ...] = ()  # what takes so long
    cases: Tuple[Case, ...] = ()
    expected: bool = False
    amortised: bool = False
    each: bool = False  # of several elements
    before: str = ""  # another case, which stands before it

    def __str__(self) -> str:
        how = ", ".join(["expected"] * self.expected + ["amortised"] * self.amortised)
        does = f": {joined(self.does)}" if self.does else ""
        return f"{self.before}O({self.bound}){' ' * bool(how)}{how}{' for each' * self.each}{does}" \
            + "".join(case.text for case in self.cases)

    def __add__(self, other: Cost) -> Cost:  # type: ignore[override]
        """The cost of one after the other: the greater bound, and of both what that does not say already. What is expected or
        amortised is O(n) at worst."""
        low, high = sorted((self, other), key=lambda cost: _rank(cost.bound))
        both = _rank(low.bound) == _rank(high.bound)
        sure = _rank(high.bound) >= _rank("n")
        return Cost(
            high.bound, tuple(dict.fromkeys(self.does + other.does)) if both else high.does,
            tuple(case for case in dict.fromkeys(self.cases + other.cases) if not (
                case.worst or case.within) or _rank(case.within or case.worst) > _rank(high.bound)),
            (self.expected or other.expected) and not sure, (self.amortised or other.amortised) and not sure)

    def also(self, text: str, worst: str = "") -> Cost:
        """With another case, whatever its bound."""
        return self._replace(cases=(*self.cases, Case(text, worst)))

    @property
    def most(self) -> str:
        """The greatest bound that it names."""
        return max((bound for bound in (self.bound, *(case.worst for case in self.cases)) if bound), key=_rank)

    def growth(self) -> int:
        """To compare costs: what grows most has the largest."""
        return _rank(self.most)


def case(text: str, worst: str = "", within: str = "") -> Cost:
    """A cost that says only this, to be added to others."""
    return Cost(cases=(Case(text, worst, within),))


def linear(*does: str) -> Cost:
    """O(n), and what takes so long."""
    return Cost("n", does)


CONSTANT, LOGARITHMIC, LINEAR, EXPECTED = Cost(), Cost("log n"), Cost("n"), Cost(expected=True)
PENDING = case(", then O(n / 64) and what each pending change costs", "n / 64")
COMPACTS = case(", O(n) if it compacts", "n")
