"""What the container must know of a live pass, so that each element is visited exactly once."""

from __future__ import annotations

from functools import cached_property
from typing import Any, List, Tuple

from ..language.costs import CONSTANT, Cost, case
from ..language.strategies import passes_grow
from ..text.units import where
from .records import Records
from .runs import Runs


class Passes(Records, Runs):
    """How live passes are known to the container: as little as keeps the contract."""

    axis = "passes"
    offered = True  # may callers begin one? If not they have readers
    tracked = False  # a removal puts the record of each live pass right
    over_words = False  # a run goes over the bits of one word
    leaves_cursor = True  # T_remove_current changes nothing in the cursor
    removes = True  # a pass goes on behind a removal
    at_rest = "No pass may be live."  # of a function that moves elements under no pass
    beginning = CONSTANT  # what it costs to begin one
    keeps_lane = False  # a cursor has the number of the first bit of its word
    stepping = CONSTANT  # and to come to the next element, beside what is usual
    sorted = "Returns BUSY while a pass is live."  # of T_sort
    stops_early = ""  # where T_next ends a pass before its end, in words
    changes = "changes"  # what the counter is called that grows with every change of the container
    counts_changes = False  # is that a field of theirs?
    marked_words = ""  # what a pass has visited of which there is a mark
    keeps_todo = False  # there is a column of the bits of what is still to visit
    settle_words = ("Ends abandoned passes",)
    shrunk = "Does nothing while a pass is live."  # of T_shrink_to_fit
    clear_words = "Live passes visit none of them again."  # of a function that removes several elements
    replaced = "A pass that has visited the old element does not visit the new one."  # of one that replaces an element

    @property
    def in_use(self) -> List[str]:
        """Members of the container that are all 0 if no pass is live; none where nothing waits for that."""
        return ["live.number"]

    @property
    def settled_in_use(self) -> List[str]:
        """Those of them that may not be 0 in a settle that has ended all passes: hooks of what it applies may begin others."""
        parts = self.parts
        pending = parts.when.deferred or parts.workers.journals or parts.inbox.queue
        if pending or self.keeps:
            return self.in_use
        return [member for member in self.in_use if member not in ("live.number", "passes")]

    @property
    def adds_seen(self) -> str:
        """What live passes do with an element that is added: a sentence."""
        ahead = " if it is added ahead of them" * (self.parts.order.by_number or self.parts.order.inserts and not self.sides)
        return {"visited": f"Live passes visit it{ahead}.", "next": "Live passes do not visit it.",
                "deferred": "While the container is locked, the add is pending in the journal."}[self.c["iteration.adds"]]

    def puts_seen(self, name: str) -> str:
        """The same of one that is added where the caller says."""
        forward, back = self.direction == "forward", " if they go backward" * self.both_ways
        if self.bounded or name == "add_front":
            return self.adds_seen if self.bounded else f"Live passes {'do not visit' if forward else 'visit'} it{back}."
        if not self.sides:
            return "Live passes visit it if it is added ahead of them, also right where a pass continues."
        none = "and as the last" if name == "insert_after" else "not as the first" if forward else "and as the first"
        return f"Live passes visit it if they have still to visit `at`, {none} of all{back * (name == 'insert_before')}."

    @property
    def passes_over_another(self) -> bool:
        """Can a call of the container's own go through another one, and change it as it goes? Not if that, or a hook, ends its
        pass."""
        return self.removes or not self.parts.removal.tightens and not self.parts.when.reenters

    @property
    def removes_current(self) -> bool:
        """May only the element be removed that the pass stands on? Where removals are pending until the pass ends, any may."""
        return self.c["iteration.removes"] == "current" and not self.parts.when.by_passes

    @cached_property
    def bounded(self) -> bool:
        """Must a pass know where it ends? What is added after all passes is ahead of none; but hooks run while it is added."""
        adds = self.c["iteration.adds"]
        return adds == "next" or (adds == "deferred" and self.parts.when.reenters)

    @property
    def by_births(self) -> bool:
        """Over links: is it known of each element whether it was added since? Else a bounded pass has where it ends."""
        return self.bounded and not self.parts.element.intrusive

    # -- what a dense pass must know

    @property
    def direction(self) -> str:
        """The direction of the spec: forward, backward, both."""
        return self.c["iteration.direction"]

    @property
    def both_ways(self) -> bool:
        """Can a pass begin at either end?"""
        return self.direction == "both"

    @property
    def begins(self) -> List[Tuple[str, str, str]]:
        """What begins a pass: the function, the loop that calls it, and its way in words."""
        back = " from the last element to the first"
        return [("begin", "EACH", back * self.begins_back)] + [("begin_backward", "EACH_BACKWARD", back)] * self.both_ways

    @property
    def compacting(self) -> Cost:
        """What the end of a pass costs the storage."""
        return self.parts.removal.compacting

    @property
    def compacting_moves(self) -> str:
        """And what it invalidates."""
        return "all elements, if it compacts" if self.parts.removal.tightens and self.parts.element.by_value else "nothing"

    @property
    def begins_back(self) -> bool:
        """Does each pass begin at the last element?"""
        return self.direction == "backward"

    @cached_property
    def goes_backward(self) -> bool:
        """Must it know how many elements are to come from the back?"""
        return self.direction != "forward" or self.parts.removal.policy.sweeps_back

    @cached_property
    def ahead(self) -> bool:
        """Must it know the place that it visits next going forward? A container whose order counts hands its elements on from the
        first to the last, whichever way its passes go."""
        removal = self.parts.removal
        return self.direction != "backward" or not self.bounded or self.parts.order.hands_on \
            or removal.linked or (removal.expired is not None and not removal.reorders)

    @property
    def ends(self) -> bool:
        """Must it know the place where it ends? Going backward it does not come to what is added."""
        return self.bounded and (self.direction != "backward" and not self.by_births if self.parts.removal.linked else self.ahead)

    @cached_property
    def boundaries(self) -> List[str]:
        """In a row: members of a pass that are places between elements, which a change of places puts right."""
        return ["left"] * self.goes_backward + ["next"] * self.ahead + ["end"] * self.ends

    @property
    def begin_update(self) -> str:
        """The function that begins the pass of T_update."""
        way = ({"forward": "_back_", "backward": "", "both": "_backward"}[self.direction] if self.parts.removal.policy.sweeps_back
               else "")
        return self.T[f"begin{way}"]

    @property
    def hands_on(self) -> bool:
        """Is there a T_begin_forward_ of its own? T_add_from goes forward all the same."""
        adding, transfers = self.parts.adding, self.parts.storage.transfers
        return self.parts.order.sorts_at_begin and (self.direction != "backward" or adding.removes_from) \
            or self.direction == "backward" and self.ahead and transfers

    # -- what a pass must know over links, or over a bitmap

    @property
    def visits_added_behind(self) -> bool:
        """Does a backward pass visit elements later that were added behind it? In a tree some of them would come after their
        parents."""
        return self.parts.removal.linked and self.goes_backward and not self.bounded and not self.parts.order.tree

    @property
    def knows_way(self) -> bool:
        """Must the record of a pass in a row say at which end it began? Where elements are inserted."""
        return self.parts.order.renumbers and self.goes_backward

    @property
    def stride(self) -> int:
        """Where slots are used again: the bits that each has for what live passes, and a clear with hooks, have still to
        visit."""
        return (self.c["iteration.passes"] or 1) + self.parts.removal.notifies_each

    @property
    def slot_bits(self) -> int:  # type: ignore[override]
        births = 64 if self.parts.removal.linked and self.by_births else 0
        return births + (self.stride if self.keeps_todo else 0)

    @property
    def todo_words(self) -> str:
        """How many words of what is still to visit there are for 64 slots: one for each pass, and for clears that hooks hear
        of the last."""
        return f"({self.TT.PASSES} + 1)" if self.parts.removal.notifies_each else self.TT.PASSES

    @property
    def todo_in_words(self) -> str:
        """What those bits are."""
        return f"what live passes have still to visit, {self.stride} words for each of `alive`"

    @property
    def clear_word(self) -> str:
        """Which of them is that of a clear."""
        return self.TT.PASSES

    # -- the cursor

    @property
    def standing(self) -> List[Tuple[str, str]]:
        """What of a cursor identifies the element it stands on: types and names."""
        return [(self.parts.size, "position"), ("uint32_t", "serial")]

    @property
    def stand_names(self) -> str:
        """The parameters of T_current_slot_ behind the container, as arguments."""
        return ", ".join(name for _, name in self.standing)

    @property
    def skips_expired(self) -> bool:
        """Does a pass pass over elements that have expired?"""
        return self.parts.removal.expired is not None

    @property
    def loop(self) -> str:
        """What the loop is called where operations are named."""
        return "each" if self.offered else "each_const"

    def called(self, name: str) -> str:
        """What a function of passes is called: it may be no caller's."""
        return name if self.offered else f"{name}_"

    @property
    def step_function(self) -> str:
        """The function that returns the next element, expired ones too."""
        return self.T.step_ if self.skips_expired else self.T[self.called("next")]

    @property
    def end_function(self) -> str:
        """The function that ends a pass."""
        return self.T[self.called("end")]

    @property
    def begin_handing_on(self) -> str:
        """The function that begins a pass in which a container hands its elements on."""
        return self.T["begin_forward_" if self.hands_on else self.called("begin")]

    @property
    def splice_keeps(self) -> List[str]:
        """Fields that stay where all else changes hands: cursors that are over must not come to life again."""
        return [self.kept.last if self.counted else "serial", "changes"]

    @property
    def short(self) -> bool:
        """Is what begins a pass worth no call?"""
        return not self.parts.order.sorts_at_begin


class InARow(Passes):
    name = "in_a_row"


class OverBits(Passes):
    name = "over_bits"
    counts_changes = True
    over_words = True


class Single(InARow):
    """One cursor, which removes what it stands on: everything is in the cursor."""

    name = "single"
    changes = "edits"
    one = alone = True  # type: ignore[assignment]
    leaves_cursor = False
    in_use = ["passes"]

    @property
    def standing(self) -> List[Tuple[str, str]]:
        return [(self.parts.size, "position"), ("uint32_t", "changes")]

    @property
    def splice_keeps(self) -> List[str]:
        return super().splice_keeps + [self.changes] + ["moves"] * self.counts_moves


class Recorded(Passes):
    """Each live pass has a record: the first in the container, more in memory of its allocator, if it has any."""

    name = "recorded"
    counted = True

    @property
    def standing(self) -> List[Tuple[str, str]]:
        return [(f"{self.T['pass']} *", "pass"), ("uint32_t", "serial")]
    @property
    def grows(self) -> bool:  # type: ignore[override]
        return passes_grow(self.c)

    @property
    def few(self) -> int:  # type: ignore[override]
        return self.c["iteration.passes"] or 1

    @property
    def few_words(self) -> str:  # type: ignore[override]
        return "live passes that need no memory" if self.grows else super().few_words

    @property
    def busy_status(self) -> Tuple[str, ...]:  # type: ignore[override]
        return ("NO_MEMORY",) * (not self.parts.allocator.never_fails) if self.grows else ("BUSY",)


class Tracked(Recorded, InARow):
    name = "tracked"
    marked_words = "the places from `next` to before `position`"
    counts_changes = True
    tracked = True

    @property
    def keeps_record(self) -> bool:  # type: ignore[override]
        return self.grows


class ClearsByTodo(OverBits):
    """Only a clear with hooks has bits of what it has still to remove, where slots are used again."""

    @property
    def stride(self) -> int:
        return int(self.parts.removal.notifies_each)

    @property
    def keeps_todo(self) -> bool:  # type: ignore[override]
        return self.parts.removal.clears_by_todo and self.parts.removal.notifies_each

    @property
    def todo_words(self) -> str:
        return "1"

    @property
    def todo_in_words(self) -> str:
        return "what a clear in progress has still to remove, a word for each of `alive`"

    @property
    def clear_word(self) -> str:
        return "0"


class Bits(ClearsByTodo):
    name = "bits"
    only_counted = True

    @property
    def in_use(self) -> List[str]:
        return self.parts.when.in_use

    @property
    def splice_keeps(self) -> List[str]:
        return super().splice_keeps + ["kept_serial"] * self.keeps


class Spread(Bits):
    """A pass goes on behind a number, wherever its chunk lies meanwhile."""

    name = "spread"
    keeps_lane = True
    stepping = case(", O(log n) after a change", "log n")
    setting_out = Cost("log n")


class Remaining(Recorded, OverBits):
    name = "remaining"
    keeps_todo = True

    @property
    def short(self) -> bool:
        return super().short and not self.bounded

    setting_out = following = Cost("n / 64")

    @property
    def beginning(self) -> Cost:  # type: ignore[override]
        return Cost("n / 64") if self.bounded else case(", and O(n / 64) at the first change", "n / 64")


class Linked(Recorded):
    name = "linked"
    marked_words = "`next` to `position`"
    compared = "epoch"

    @cached_property
    def boundaries(self) -> List[str]:
        """Members of a pass that are slots of which it visits something."""
        return ["next"] + ["added_behind"] * self.visits_added_behind + ["end"] * self.ends

    @property
    def knows_way(self) -> bool:
        return self.goes_backward

    @property
    def splice_keeps(self) -> List[str]:
        return super().splice_keeps + [self.compared]


class FailFast(Passes):
    """No change is allowed while a pass is live: the container counts its changes, and a cursor has the count from T_begin."""

    name = "fail_fast"
    removes = False
    at_rest = "Live passes are over then."
    settle_words = ("Ends live passes",)
    sorted = "Ends live passes."
    compacting = CONSTANT
    compacting_moves = "nothing"
    shrunk = "Ends live passes if that moves elements."
    clear_words = replaced = "Ends live passes."
    adds_seen = "Ends live passes."
    leaves_cursor = False
    counts_changes = True
    counts_moves = False
    bounded = False

    @property
    def in_use(self) -> List[str]:
        return ["holds"] * self.parts.removal.seen_holding

    def puts_seen(self, name: str) -> str:
        return self.adds_seen

    @cached_property
    def goes_backward(self) -> bool:
        return self.direction != "forward"

    @cached_property
    def ahead(self) -> bool:
        return self.direction != "backward" or self.c["ordering"] != "unordered" or self.parts.order.promised

    @property
    def splice_keeps(self) -> List[str]:
        return ["changes"]

    @property
    def standing(self) -> List[Tuple[str, str]]:
        return [(self.parts.slot_type, "position")]

    @property
    def stops_early(self) -> str:  # type: ignore[override]
        changed = self.T.was_changed
        return ", or if the container has been changed since it began" + where(changed, f": see {changed}")


class FailFastInARow(FailFast, InARow):
    name = "fail_fast_in_a_row"


class FailFastOverBits(FailFast, ClearsByTodo):
    name = "fail_fast_over_bits"


class FailFastLinked(FailFast):
    name = "fail_fast_linked"


class NoPasses(FailFast):
    """There are readers only; what the container itself goes through has a cursor that is no caller's."""

    offered = False
    runs = False
    at_rest = sorted = shrunk = clear_words = replaced = adds_seen = stops_early = ""  # type: ignore[assignment]
    settle_words = ()


class NoneInARow(NoPasses, FailFastInARow):
    pass


class NoneOverBits(NoPasses, FailFastOverBits):
    pass


class NoneLinked(NoPasses, FailFastLinked):
    pass


_FAIL_FAST = (FailFastInARow, FailFastOverBits, FailFastLinked)
_PARTS = {part.name: part for part in (Tracked, Bits, Spread, Remaining, Linked)}


def choose(parts: Any) -> Passes:
    c, removal = parts.container, parts.removal
    if c["iteration.removes"] == "none":
        row, bits, linked = (NoneInARow, NoneOverBits, NoneLinked) if c["iteration.cursors"] == "none" else _FAIL_FAST
        return (linked if removal.linked else bits if removal.bitmap else row)(parts)
    passes = _PARTS[removal.kept.passes](parts)
    one = c["iteration.cursors"] == "one" and c["iteration.removes"] == "current"
    # Where the last element fills the vacated slot, two boundaries of one pass would need a record: see `Tracked`.
    crosses = removal.reorders and passes.goes_backward + passes.ahead + passes.ends > 1
    # A hook of a clear may continue the pass while elements before its place are removed.
    if one and removal.kept.lone_pass and not removal.policy.updates and not crosses and not parts.order.opens_up \
            and not parts.adding.overwrites and not removal.notifies_each:
        return Single(parts)
    return passes
