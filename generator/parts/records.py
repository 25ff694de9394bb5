"""How many records of live passes a container has, and what is beyond."""

from __future__ import annotations

from typing import NamedTuple, Optional, Tuple

from ..text.sentences import enumerated, sentence
from .anywhere import Anywhere


class Kept(NamedTuple):
    """Where records are, what templates/support/passes.h calls a list: `passes`, `live` and, if it `grows`, `more_passes`."""

    type: str  # of a record
    few: str  # how many there are, if there are not more
    grows: bool
    path: str = ""  # from the container on, with a dot
    in_first: bool = False  # is the serial of the pass that began last in the first record, where that has bytes to spare?

    @property
    def last(self) -> str:
        """The field that has this serial."""
        return self.path + ("passes[0].last_serial" if self.in_first else "last_serial")

    def full(self, of: str, reserve: str) -> str:
        """Whether none is free, as an expression of C; `reserve` is the function that makes further ones."""
        return f"!{reserve}({of})" if self.grows else f"{of}->{self.path}live.number == {self.few}"

    def holder(self, of: str) -> str:
        """Its address in C; `of` is that of the container."""
        return f"&{of}->{self.path[:-1]}" if self.path else of


class Records(Anywhere):
    """A record for each live pass, if passes have one: in the container, or from its allocator."""

    keeps_todo: bool
    bounded: bool
    goes_backward: bool
    knows_way: bool
    removes_current: bool
    counted = False  # each live pass has a record
    only_counted = False  # all that is known of them is how many are live
    grows = False  # there may be more of them than the container has, from its allocator
    keeps_record = False  # a cursor has the address of its record, where that may be elsewhere and a step writes to it
    compared = "changes"  # the counter by which a cursor learns that it must look at its record
    few: Optional[int] = None  # how many records the container has
    few_words = "the limit of live passes"  # what there is to say of that number

    @property
    def one(self) -> bool:
        """May one pass be live, without a record? Where a scan locks the container, as a pass does, that is not known."""
        one = self.only_counted and self.c["iteration.cursors"] == "one"
        return one and not (self.parts.when.by_passes and self.parts.scans.any)

    @property
    def alone(self) -> bool:
        """And can then no call of the container have another?"""
        return self.one and self.removes_current

    @property
    def busy_status(self) -> Tuple[str, ...]:
        """What is returned where no pass more may be live."""
        return ("BUSY",) * (self.one and not self.alone)

    def full(self, of: str) -> str:
        """Whether no pass more may be live in the container `of`, as an expression of C; '' if any may."""
        return f"{of}->passes > 0" if self.one else self.kept.full(of, str(self.T.reserve_record_)) if self.busy_status else ""

    @property
    def reports(self) -> bool:
        """Does an operation that goes through its container return a status? Not where an allocator makes sure that it can."""
        return bool(self.busy_status) or not self.parts.allocator.never_fails

    @property
    def keeps(self) -> bool:
        """Is there T_keep, by which T_settle keeps a pass alive? Where the spec names it."""
        return self.removes and self.parts.asked("keep")

    @property
    def sides(self) -> bool:
        """Where callers name places: must a pass know whether an element is put right behind another, or before it?"""
        order = self.parts.order
        return self.counted and not self.keeps_todo and (order.explicit or order.moves) and not order.tree

    @property
    def marks(self) -> bool:
        """Must it be known what a pass has visited that was moved ahead of it? In a row only in the order of the caller: loops
        pay for it there."""
        exact = self.parts.removal.linked or self.parts.order.explicit
        return self.sides and not self.bounded and self.parts.order.moves and exact and not self.removes_current

    @property
    def knows_late(self) -> bool:
        """Must the record of a backward pass say whether it stands on what was added behind? That place may come again."""
        return self.sides and self.goes_backward and not self.bounded and self.parts.order.exchanges

    @property
    def knows_before(self) -> bool:
        """Must a pass know what lies before its element? Where links lead one way."""
        return not self.parts.links.doubly

    @property
    def pins(self) -> str:
        """What a live pass keeps T_settle from: a sentence."""
        parts = self.parts
        what = ["does not compact the storage"] * parts.removal.tightens \
            + ["removes no expired elements"] * parts.removal.sweeps \
            + ["frees no memory"] * (self.grows or parts.storage.shrink is not None)
        return f"While it is live, {self.T.settle} {enumerated(what)}." if what else ""

    @property
    def kept(self) -> Kept:
        """Where its records are."""
        return Kept(self.T["pass"], self.TT.PASSES, self.grows, in_first=self.has_padding)

    @property
    def has_padding(self) -> bool:
        """Has a record four bytes of padding behind its serial, on 64-bit systems?"""
        wide = self.parts.size in ("size_t", "uint64_t") or self.parts.slot_type != self.parts.size
        return wide and not (self.keeps_todo or self.flags)

    @property
    def flags(self) -> bool:
        """Has a record members of one byte, behind its serial?"""
        return self.knows_way or self.knows_late or self.keeps or self.marks

    @property
    def one_record(self) -> bool:
        """Is there a record for one pass only, and no more of them?"""
        return self.counted and self.limit == 1 and not self.marks

    @property
    def limit(self) -> Optional[int]:
        """The most passes that may be live at the same time, if there is a limit."""
        return None if self.grows else self.few

    @property
    def how_many(self) -> str:
        """How many passes may be live: a sentence without its end."""
        if self.c["iteration.cursors"] == "one" and self.removes:
            return "no other pass may be live"
        count = "any number of passes" if self.limit is None else f"up to {self.c['iteration.passes']} passes"
        return f"{count} may be live at the same time, nested or side by side"

    @property
    def one_more(self) -> str:
        """What there is to say of as many as there are records, behind how many may be live."""
        return f"; the records of all but {self.few} are allocated." if self.grows \
            else "; one more stops the program (BESPOKE_FATAL)." if self.counted else "."

    @property
    def beyond(self) -> str:
        """What T_begin does where there is no record for the pass: a sentence."""
        sure = self.parts.allocator.never_fails
        return "Without memory for its record it visits nothing: see BESPOKE_NO_PASS." * (not sure) if self.grows \
            else f"If {self.TT.PASSES} passes are live, it stops the program." * self.counted

    @property
    def update_beyond(self) -> str:
        """The same of T_update."""
        sure = self.parts.allocator.never_fails
        return sentence("It is a pass itself", ", and without memory for its record does nothing" * (not sure)) if self.grows \
            else f"It is a pass itself: if {self.TT.PASSES} are live already, it stops the program." * self.counted

    @property
    def refusal(self) -> str:
        """The same of an operation that goes through its container, and then removes nothing: a sentence."""
        why = "there is no memory for the record of its pass" if self.grows \
            else f"{self.TT.PASSES} passes are live" if self.counted else "a pass is live"
        return "".join(f"Returns {status}, and removes none, if {why}." for status in self.busy_status)

    @property
    def limit_advice(self) -> str:
        """How many passes are live where one more is too many, and what allows it."""
        live = "1 pass is live" if self.limit == 1 else f"{self.limit} passes are live"
        many = self.c["iteration.cursors"] == "many"
        return f"{live}: {'raise iteration.passes' if many else 'allow more with iteration.cursors'}"
