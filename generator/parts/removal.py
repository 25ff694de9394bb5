"""How slots are kept, and how an element is removed."""

from __future__ import annotations

from functools import cached_property
from typing import Any, List, Optional, Tuple

from ..language.costs import CONSTANT, LINEAR, Case, Cost, case, linear
from ..language.by_name import TAKES, unasked, untaken
from ..language.policies import POLICIES, Arrangement, Policy
from ..language.strategies import strategy_of
from .callbacks import around
from .leaving import Leaving
from .stated import LOWEST_FREE, SEARCHES_BEFORE, Apart, Stated


class Removal(Stated, Leaving):
    """Which slot an add takes, what fills a vacated slot, and what is scanned."""

    axis = "removal"
    clears_by_todo = False  # a clear with hooks has a bitmap of what it has still to remove
    slots_held = "list->count"  # slots in use, as an expression of C
    apart: Optional[Apart] = None  # if they may lie in several pieces
    bit_says = "slot s holds an element"  # of a bitmap
    relocates = False  # an element may be moved to another place
    trims = False  # slots behind the last element may be forgotten
    follows = "adds"  # the order of unordered elements: of adds; `fills`, the last one fills a slot; of `slots`; else unknown
    given_slots = False  # an element is its own slot, or its key is
    spread = False  # slots are those of the chunks that have elements, and an element is found by what it is
    keyed_slots = False  # that is its key
    called = ""  # what that is, in words
    reserves = ""  # and what is reserved for one
    out_of_range = ""  # and what RANGE reports of one
    refills = False  # an add takes a free slot among those of elements
    fills_spare = False  # slots beyond the limit of elements are used, too
    removes_ready = False  # a removal only frees its slot, in the header, where an add only writes into one
    hinted = False  # the container knows below which slot none is free
    columns: Tuple[Tuple[str, str], ...] = ()  # arrays with a slot for each slot, or 0: name and what they hold
    slots_lie = ""  # in words, if the order of slots is not that of a pass
    saved_as = ""  # what a file states of free slots, which makes its kind another
    shows: Tuple[str, ...] = ()  # by what the generated test sees which of several free slots an add takes
    refilled = 0  # which that is, as it is numbered there: the lowest, 1: that which was vacated last, 2: the next one

    @property
    def slot_bits(self) -> int:  # type: ignore[override]
        return self.bitmap + 32 * len(self.columns)

    @cached_property
    def policy(self) -> Policy:
        """The policy of the spec, from language/policies.py."""
        return POLICIES[self.c["removal.policy"]]

    @property
    def removes_key_ready(self) -> bool:
        """Does a removal by key only free its slot in the header, which the key is?"""
        return self.removes_ready and self.keyed_slots

    @cached_property
    def kept(self) -> Arrangement:
        """What the arrangement of slots keeps of the contract, and what it makes of the slots."""
        return strategy_of(self.c).arrangement

    @property
    def _forgets_slots(self) -> bool:
        """Slots that are not in use may be forgotten, unless a handle might still name them."""
        storage = self.parts.storage
        return not self.parts.handles.generational and not storage.inline and not storage.fixed

    @property
    def bitmap(self) -> bool:
        """Does a bitmap say which slots hold elements?"""
        return self.kept.bitmap

    @property
    def linked(self) -> bool:
        """Do links say what comes next?"""
        return self.kept.linked

    @property
    def dense(self) -> bool:
        """Do the elements lie side by side, but for one gap?"""
        return not self.kept.bitmap and not self.kept.linked

    @property
    def leaves_dead(self) -> bool:
        """Do removed elements leave tombstones?"""
        return self.kept.dead

    @property
    def keeps_slots(self) -> bool:
        """Does an element stay in its slot, also when the container is saved and loaded?"""
        return self.bitmap and not self.renumbers

    @property
    def reorders(self) -> bool:
        """Does a removal move an element past others?"""
        return self.kept.reorders

    @property
    def renumbers(self) -> bool:
        """Do elements change their slots?"""
        return self.kept.renumbers

    @property
    def tightens(self) -> bool:
        """Is there storage to compact when no pass is live?"""
        return self.kept.tightens

    @property
    def notifies_each(self) -> bool:
        """Do hooks hear of each element that is removed? A clear removes them one by one then."""
        return self.parts.hooks["remove"] is not None or self.parts.hooks["destroy"] is not None

    @property
    def clearing(self) -> List[str]:
        """The member of the container that is not 0 while a clear notifies hooks of each element, if it does."""
        return ["clears" if self.linked or self.parts.order.sorts else "doomed"] * self.notifies_each

    @property
    def removes_ranges(self) -> bool:
        """Are spans of a row removed together? Not where hooks are called between the elements, which may change what is at
        the other indices."""
        return self.parts.order.numbered and not self.notifies_each and self.parts.limit != 1 and not self.parts.when.deferred

    @property
    def first_kept(self) -> str:
        """In a row: the place of the first element that no clear in progress removes, as an expression of C."""
        return "list->doomed" if self.notifies_each else "0"

    @property
    def expired(self) -> Any:
        """The predicate of the spec, or None."""
        return self.c["removal.expired"]

    @property
    def sweeps(self) -> bool:
        """Do passes remove expired elements?"""
        return self.kept.dead and self.expired is not None

    @property
    def holds(self) -> bool:
        """Must compaction wait while hooks of a clear or sweep run?"""
        return self.kept.dead and (self.notifies_each or self.sweeps)

    @property
    def seen_holding(self) -> bool:
        """May a call find that it waits? Only one that a hook makes."""
        return self.holds and self.parts.when.reenters

    @property
    def waits_for(self) -> List[str]:
        """Members beside those of passes that are 0 when compaction need not wait."""
        return ["holds"] * (self.holds and not self.seen_holding)

    @property
    def asks_before(self) -> bool:
        """Does T_update call the predicate before the update hook?"""
        return self.c["removal.ask"] in ("before_update", "around_update")

    @property
    def asks_after(self) -> bool:
        """Does T_update call it after the hook?"""
        return self.c["removal.ask"] in ("after_update", "around_update")

    @property
    def asks_each(self) -> bool:
        """Is there T_remove_if? Where the spec names it."""
        return self.parts.asked("remove_if") and unasked(self.c) is None

    @property
    def hands_out(self) -> bool:
        """Are there T_take and its like? Where the spec names one of them."""
        return self.parts.asked(*TAKES) and untaken(self.c) is None

    @property
    def removes_unread(self) -> bool:
        """Does a removal by key look at no element, since it has the key? So where neither hooks nor a move of one do; with a
        table of hashes always: what has found the entry has found what to remove."""
        return self.parts.index.by_key and (self.bitmap or self.parts.index.kind == "hash") and not self.parts.index.hashes \
            and not (self.parts.order.tree or self.parts.when.deferred or self.notifies_each)

    @property
    def ends_move_alone(self) -> bool:
        """Does an add or a removal at an end only move that end while no pass is live and no slot is poisoned? The header does
        it then."""
        parts = self.parts
        return parts.order.queue and parts.adding.adds_at_once and parts.passes.removes and not self.notifies_each

    @property
    def take_name(self) -> str:
        """The function that takes an element out of its slot."""
        return "take_one_" if self.parts.order.tree else "take_out_" if self.moves_out else "take_keyed_" if self.removes_unread \
            else "take_"

    @property
    def moves_once(self) -> bool:
        """Does a removal notify no live pass and no hook? What fills the vacated slot is printed there then, not in T_move_."""
        return not (self.parts.passes.tracked or self.notifies_each)

    @property
    def permutes(self) -> bool:
        """May chaos mode permute elements? One element has one place, and an order may be promised."""
        return self.reorders and self.parts.limit != 1 and not self.parts.order.promised

    @property
    def chaos(self) -> bool:
        """Is there anything that chaos mode can break on purpose?"""
        return self.parts.storage.relocates or self.permutes

    @property
    def chaos_period(self) -> str:
        """In one of how many calls it does, by default, as an expression of C: about what a move of all costs in calls."""
        if not self.parts.storage.relocates:
            return "8"
        return f"24 + (uint64_t)list->capacity * (24 + sizeof({self.parts.item}) / 16) / 16"

    @property
    def hands_over(self) -> bool:
        """Do elements that go to another container one by one each move all behind them?"""
        return self.kept.closes_up and self.parts.storage.transfers and not (self.parts.when.reenters or self.parts.weight.any)

    @property
    def hands_over_all(self) -> bool:
        """Does T_add_from need no other way? A pass that is live on their container would be the only one, and none may be."""
        return self.hands_over and self.parts.passes.alone

    @property
    def predicate_function(self) -> str:
        """The function around an expression of the spec that decides whether an element has expired."""
        return around(self.parts, self.expired, self.T.expired_, "Has this element expired?",
                      storage="static inline" if self.predicate_in_header else "static")

    @property
    def predicate_in_loop(self) -> bool:
        """Does the loop in the header test the predicate?"""
        return self.parts.passes.runs and self.expired is not None

    used = "list->count"  # slots in use, as far as arrays are copied when the storage grows

    @property
    def too_many_dead(self) -> str:
        """At most this number of the used slots may be tombstones."""
        share = self.c["removal.dead_share"]
        if share is None:
            return ""
        if 100 % share == 0:
            return f"list->used / {100 // share}"
        return f"list->used / 100 * {share} + list->used % 100 * {share} / 100"


class InARow(Removal):
    """Elements lie in a row."""

    name = "in_a_row"

    @property
    def standing_cost(self) -> Cost:
        return self.cost

    def end_cost(self, end: str) -> Cost:
        return CONSTANT if end == "last" else self.cost

    def end_invalidated(self, end: str) -> str:
        return self._alone if end == "last" else self.invalidated


class Shift(InARow):
    name = "shift"
    relocates = True


class Swap(InARow):
    name = "swap"
    follows = "fills"


class Ring(InARow):
    name = "ring"
    apart = Apart("unrolls the ring", "unrolls", "the elements wrap around", "the elements wrap around")
    overwriting = CONSTANT
    range_cost = linear("shifts the shorter side")

    def end_cost(self, end: str) -> Cost:
        return CONSTANT

    def end_invalidated(self, end: str) -> str:
        return self._alone


class Gap(InARow):
    name = "gap"
    relocates = True
    apart = Apart("closes the gap of a live pass", "compacts", "a gap is open", "a live pass has a gap open")
    used = "(list->count + list->gap)"
    shifted = "all elements, until the gap is closed"

    def end_cost(self, end: str) -> Cost:
        return self.cost

    def end_invalidated(self, end: str) -> str:
        return self.invalidated


class OverBitmap(Removal):
    name = "over_bitmap"
    slots_held = "list->used"
    used = "list->used"
    clear_cost = LINEAR


class Tombstone(OverBitmap):
    name = "tombstone"
    fills_spare = True  # by what is dead, so that more may leave before it compacts
    seeking = Cost("n / 64")

    def end_cost(self, end: str) -> Cost:
        return self.seeking + self.cost


class Reuse(OverBitmap):
    name = "reuse"
    follows = "slots"
    clears_by_todo = True
    hinted = True
    shows = ("slots_in",)
    filling = LOWEST_FREE
    refills = True

    @property
    def removes_ready(self) -> bool:  # type: ignore[override]
        parts = self.parts
        return parts.adding.adds_to_free and parts.handles.given \
            and not (self.notifies_each or parts.side.any or parts.passes.removes_current)

    @property
    def trims(self) -> bool:
        return self._forgets_slots


class LastFreed(Reuse):
    """Free slots lie in a stack, of which an add takes the last one."""

    name = "last_freed"
    follows = "refilled"
    hinted = False
    refilled = 1
    filling = CONSTANT
    columns = (("free_slots", "those that are free below `used`, in the order in which they were vacated"),)
    saved_as = "last freed"


class RoundRobin(Reuse):
    """An add takes the next free slot behind that of the last add."""

    name = "round_robin"
    fills_spare = True  # so that a slot comes again later
    hinted = False
    refilled = 2
    saved_as = "round robin"


class Given(OverBitmap):
    """The slot of an element follows from it."""

    name = "given"
    given_slots = True
    seeking = case(", at worst O(n / 64)", "n / 64")

    @property
    def trims(self) -> bool:
        return self._forgets_slots


    @property
    def _most(self) -> str:
        return self.TT.MAX if self.parts.fixed(self.parts.limit) else "the maximum"


class Bit(Given):
    """An element is its own slot."""

    name = "bit"
    bit_says = "s is in the container"
    called = "number"
    reserves = "a bit for a number"

    @property
    def out_of_range(self) -> str:
        return f"there are no bits for numbers from {self._most} on"


class Spread(Bit):
    """An element is a bit of the chunk that its number is in, and only such chunks are there, side by side in their order."""

    name = "spread"
    bit_says = "slot s holds a number"
    spread = True
    given_slots = False
    filling = Cost("log n", cases=(Case(", for the first one of a chunk O(log^2 n) amortised and O(n) at worst", "n"),))
    standing_cost = Cost("log n")  # type: ignore[assignment]  # its chunk may have moved
    frees = "all behind the chunks that have a number"

    @property
    def out_of_range(self) -> str:
        if self.parts.limit is not None:
            return f"numbers are smaller than {self._most}"
        return f"{self.TT.NONE} is no number" + ", nor is what is too large to be" * (self.parts.size == "size_t")


class Direct(Given):
    """Its key is."""

    name = "direct"
    keyed_slots = True
    clears_by_todo = True
    called = "key"
    reserves = "a slot for a key"
    removes_unread = False  # type: ignore[assignment]  # there is nothing to notify of a key

    @property
    def removes_ready(self) -> bool:  # type: ignore[override]
        return self.parts.adding.adds_at_key and not (self.notifies_each or self.parts.side.any)

    @property
    def out_of_range(self) -> str:
        return f"keys are smaller than {self._most}" if self.parts.limit is not None else "the key is too large"

    def room_for(self, pointer: str, list_: str) -> str:
        """Whether an element fits, as an expression of C."""
        key = f"({self.parts.size}){self.T.key_}({pointer})"
        return self.TT.OK if self.parts.storage.inline else f"{self.T.make_slot_}({list_}, {key})"


class Unlink(Removal):
    name = "unlink"
    relocates = True
    slots_lie = ", in another order than the links"
    overwriting = CONSTANT

    @property
    def filling(self) -> Cost:
        return LOWEST_FREE if self.bitmap else CONSTANT

    @property
    def cost(self) -> Cost:
        return self.kept.cost if self.parts.links.doubly else SEARCHES_BEFORE

    @property
    def clear_cost(self) -> Cost:
        one_way = self.notifies_each and not self.parts.links.doubly
        return LINEAR + case(", plus O(sqrt(n)) for each to search the last one") if one_way else LINEAR

    def end_cost(self, end: str) -> Cost:
        return CONSTANT

    @property
    def slots_held(self) -> str:
        return "list->used" if self.bitmap else "list->count"

    used = slots_held

    @property
    def trims(self) -> bool:
        return self.bitmap and self._forgets_slots


_PARTS = {part.name: part for part in (Shift, Swap, Gap, Ring, Tombstone, Reuse, Bit, Spread, Direct, Unlink)}
_NEXT = {"lowest": Reuse, "last_freed": LastFreed, "round_robin": RoundRobin}  # which free slot an add takes


def choose(parts: Any) -> Removal:
    part = _PARTS[strategy_of(parts.container).arrangement.part]
    return (_NEXT[parts.container["removal.next"]] if part is Reuse else part)(parts)
