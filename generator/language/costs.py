"""What a call costs."""

from typing import NamedTuple, Tuple

_BOUNDS = ("1", "log n", "n / 64", "n", "n log n", "n * n")  # the lowest first


class Cost(NamedTuple):
    """How the time of a call grows with n, the number of elements."""

    bound: str = "1"
    remark: str = ""  # what follows it: when it holds, and what else there is
    worst: str = ""  # the bound of the slowest case, where the remark has one
    expected: bool = False
    amortised: bool = False
    each: bool = False  # of several elements
    before: str = ""  # another case, which stands before it

    def __str__(self) -> str:
        how = ", ".join(["expected"] * self.expected + ["amortised"] * self.amortised)
        return f"{self.before}O({self.bound}){' ' * bool(how)}{how}{' for each' * self.each}{self.remark}"

    def noting(self, remark: str, worst: str = "") -> "Cost":
        return self._replace(remark=self.remark + remark, worst=worst or self.worst)

    def growth(self) -> Tuple[int, int]:
        """To compare costs: what grows most comes last; of equals, the one that says more."""
        return max(_BOUNDS.index(self.bound), _BOUNDS.index(self.worst or self.bound)), len(str(self))


CONSTANT, LINEAR = Cost(), Cost("n")
