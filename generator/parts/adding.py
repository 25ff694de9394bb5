"""How an element is admitted and added: what is refused, and what an equal one becomes."""

from __future__ import annotations

from functools import cached_property
from typing import Any, List, Tuple

from ..language.by_name import unfound
from ..text.naming import Names
from ..text.sentences import sentences
from ..language.costs import CONSTANT, Cost, case
from .callbacks import around
from .part import Part

# Each may have one that returns the handle of the new element, and one that returns the element.
SPLICES = ("splice_before", "splice_after", "splice_to_back")
GIVING = ("add", "add_child", "insert_before", "insert_after")
_LOOKED_FOR = case("; O(n) if it is full: goes by what is kept", "n")  # what makes way


class Room(Part):
    """What an add needs: may there be no slot?"""

    @property
    def full(self) -> Tuple[str, ...]:
        """Is there a limit, which an add may come to?"""
        if self.parts.removal.spread:
            return ("RANGE",)
        if self.parts.removal.given_slots:  # of numbers; what keys there may be, the index says
            return ("RANGE",) * (self.parts.limit is not None and not self.parts.element.stored)
        return ("FULL",) * (self.bounded or self.parts.storage.inline or self.parts.handles.given)

    @property
    def bounded(self) -> bool:
        """Is there a limit of elements, or of what they weigh?"""
        return self.parts.limit is not None or self.parts.weight.any

    @property
    def memory(self) -> Tuple[str, ...]:
        """May memory be refused?"""
        return ("NO_MEMORY",) * (self.parts.storage.allocated and not self.parts.allocator.never_fails)

    @property
    def room_fails(self) -> bool:
        """May there be no slot for one more element?"""
        return bool(self.full + self.memory)

    @property
    def counts_room(self) -> bool:
        """Is there a slot for one more element while fewer are in use than there are?"""
        parts = self.parts
        return parts.storage.stores and not (parts.storage.inline or parts.handles.counts_held or parts.weight.any
                                             or parts.removal.keyed_slots)

    @property
    def slots_fail(self) -> bool:
        """The same where no limit of elements is known, but that of slots."""
        return bool(self.memory) or self.parts.handles.given or self.parts.storage.inline or self.parts.storage.fixed

    @cached_property
    def adds_at_key(self) -> bool:
        """Does an add only write into the slot of its key where that is free? The header does that then."""
        parts = self.parts
        return parts.removal.keyed_slots and parts.index.inlined and parts.element.held_in_place and parts.adding.adds_itself \
            and parts.adding.unique and not (parts.storage.inline or parts.weight.any or parts.changes.recorded) \
            and parts.hooks["add"] is None and parts.indexes.all == [parts.index]

    @cached_property
    def adds_to_free(self) -> bool:
        """Does an add only take a free slot, and write to it, while there is one? The header does that then."""
        parts = self.parts
        return parts.removal.refills and parts.element.held_in_place and parts.adding.emplaces and parts.adding.adds_itself \
            and not (parts.handles.mapped or parts.storage.inline or parts.changes.recorded)

    @property
    def knows_ready(self) -> bool:
        """Does the container hold up to which slot an add only writes?"""
        return bool(self.parts.adding.adds_at_once or self.adds_at_key or self.adds_to_free)

    @property
    def comes_late(self) -> bool:
        """Does what adds for another reason than that it is called go T_add's way?"""
        parts = self.parts
        return bool(parts.when.deferred or parts.workers.journals or parts.inbox.queue)


class Overwriting(Room):
    """What an add to a full container does."""

    @property
    def overwrites(self) -> bool:
        """Does an add to a full container remove the element at the other end?"""
        return self.c["capacity.when_full"] == "overwrite"

    @property
    def overwrites_alone(self) -> bool:
        """Does that only move an end, while no pass is live?"""
        return self.overwrites and self.parts.removal.ends_move_alone and self.kept is None

    @property
    def kept(self) -> Any:
        """The predicate of what is passed over then, or None."""
        return self.c["capacity.keep"]

    @property
    def chooses(self) -> bool:
        """Is it looked for which one makes way? Else it is the first, or the last."""
        return self.kept is not None or self.parts.weight.replaces

    @property
    def asked(self) -> Tuple[str, ...]:
        """The calls of the test's driver for predicates and weights."""
        return ("stays",) * (self.kept is not None) + ("weighs",) * self.parts.weight.any

    @property
    def kept_function(self) -> str:
        """The function around an expression of the spec that is true of it."""
        return around(self.parts, self.kept, self.T.stays_, "Does this element make way for no other?")


class Adding(Overwriting):
    """Whether an element may be added, and the ways in which it is."""

    axis = "adding"
    unique = True  # no two elements may be equal
    replaces = False  # an add replaces an equal element

    @property
    def refuses_moving(self) -> bool:
        """Are elements that are moved here from another container refused for more than a full container?"""
        parts = self.parts
        return self.unique and (not self.replaces or parts.element.by_pointer) or parts.indexes.refuses \
            or parts.index.kind == "intrusive" \
            or parts.element.intrusive or parts.index.keys is not None

    @property
    def goes_on_moving(self) -> bool:
        """Are elements behind a refused one still moved? Not where it was refused for want of a slot only."""
        lacks_room = self.admit_moving("list") == self.room_for(self._pointer("moving"))
        return self.refuses_moving and (self.parts.when.deferred or not lacks_room)

    @property
    def refuses(self) -> bool:
        """Are new elements?"""
        return self.refuses_moving or self.parts.element.by_pointer

    # -- what an add costs, and what it may return

    @property
    def checking(self) -> Cost:
        """What it costs to find out whether an equal element is there."""
        return self.parts.lookup.finding("duplicates") if self.unique else CONSTANT

    @property
    def growing(self) -> Cost:
        """What it costs to have a slot."""
        return self.parts.storage.growing + self.parts.removal.filling \
            + (CONSTANT if not self.overwrites else self.parts.weight.making_way if self.parts.weight.any
               else self.parts.removal.overwriting if self.kept is None else _LOOKED_FOR)

    @property
    def refusals(self) -> Tuple[str, ...]:
        """What is returned for an element that may not be added, or takes the place of another one."""
        by_pointer, refused = self.parts.element.by_pointer, self.unique or self.parts.indexes.refuses
        return ("DUPLICATE",) * refused + ("ABSENT",) * by_pointer

    @property
    def statuses(self) -> Tuple[str, ...]:
        """What an add may return."""
        return self.refusals + self.full + self.memory + self.parts.index.refusals

    @property
    def fails(self) -> bool:
        """May an add do anything else than to add? If not, it returns nothing."""
        return self.parts.when.deferred or bool(self.statuses)

    instead = ""  # what an add does with an equal element, in words

    # -- ways to add one

    @cached_property
    def adds_itself(self) -> bool:
        """Does T_add put elements in by itself? It is what is called most, and often all that does."""
        return not self.parts.when.deferred and not self.replaces and not self.parts.order.inserts and not self.overwrites

    @cached_property
    def adds_at_once(self) -> bool:
        """Does an add only write into the next slot while one is free? The header does that then."""
        parts = self.parts
        return parts.element.held_in_place \
            and not (parts.when.deferred or self.unique or parts.handles.given or parts.removal.linked) \
            and not (parts.indexes.any or parts.weight.any) and parts.order.name == "appended" and parts.hooks["add"] is None \
            and (parts.removal.dense or parts.removal.leaves_dead) and not parts.storage.inline

    @cached_property
    def emplaces(self) -> bool:
        """Can a new element be filled in place?"""
        parts = self.parts
        return parts.element.by_value and not (parts.when.deferred or self.unique) and not parts.indexes.any \
            and parts.hooks["add"] is None and not (parts.order.sorts_on_add or parts.weight.any)

    @property
    def gives(self) -> bool:
        """Can an add return the new element? It may have been moved or removed since where hooks are called behind it."""
        hooks = self.parts.hooks
        return self.parts.element.by_value and self.parts.element.stored and not self.parts.when.deferred \
            and hooks["add"] is None and not (self.replaces and (hooks["remove"] or hooks["destroy"]) is not None)

    @property
    def finds_or_adds(self) -> bool:
        """Is there T_find_or_add? Where the spec names it."""
        return self.parts.asked("find_or_add") and unfound(self.c) is None

    @cached_property
    def gives_back(self) -> Tuple[str, ...]:
        """What some of the functions that add one return of it: the handle, the element."""
        return ("handle",) * (self.parts.handles.given and not self.parts.when.deferred) \
            + ("element",) * (self.gives and self.parts.asked(*(f"{name}_get" for name in GIVING)))

    @property
    def gives_back_words(self) -> str:
        """The same in a comment, as the parameters are called."""
        both = len(self.gives_back) > 1
        said = {"handle": "`added` is its handle, or that of none",
                "element": f"`{'given' if both else 'added'}` is it, or {self.parts.nil}"}
        return " and ".join(said[each] for each in self.gives_back)

    @property
    def shares(self) -> bool:
        """Do several of these functions call one, T_enter_?"""
        return len(self.gives_back) > 1 or bool(self.gives_back) and self.parts.order.explicit

    @cached_property
    def opens_by_key(self) -> bool:
        """Is that call given the key, under which it has looked for an equal element and enters the new one? Then the key of an
        element that is written as a literal is in a register, and no search waits until that is in memory."""
        parts = self.parts
        return self.c["emit.lookups"] == "header" and self.adds_itself and self.unique and parts.hooks["add"] is None \
            and not (parts.order.sorts_on_add or parts.weight.any) and parts.element.held_in_place \
            and parts.indexes.all == [parts.index] and parts.index.adds_by_key

    @property
    def opens(self) -> bool:
        """Is the new slot opened by a call, and written to in the header?"""
        return self.emplaces and not (self.adds_at_once or self.adds_to_free) or self.opens_by_key

    @property
    def open_fails(self) -> bool:
        """May that open none?"""
        return self.room_fails or self.opens_by_key

    @property
    def one_slot(self) -> bool:
        """Compilers see that there is one slot, and warn of any other."""
        return self.parts.storage.inline and self.parts.limit == 1 and self.parts.removal.dense

    @property
    def put(self) -> str:
        """The function that puts an admitted element in."""
        return self.T.place_

    @property
    def make_room(self) -> str:
        """The function that reserves slots for more elements."""
        return self.T.make_room_ if self.parts.limit is not None or not self.slots_fail else self.T.make_slots_

    # -- admission

    @property
    def uses_admit(self) -> bool:
        """Is there a T_admit_?"""
        return not self.parts.when.deferred and (self.parts.element.by_pointer or self.unique or self.parts.indexes.refuses)

    @property
    def room_for_one(self) -> str:
        """Whether `element` fits, as an expression of C."""
        return self.room_for(self._pointer("element"))

    def _pointer(self, element: str) -> str:
        return element if self.parts.element.by_pointer else f"&{element}"

    def room_for(self, pointer: str, list_: str = "list") -> str:
        """The same for what a pointer leads to."""
        if self.parts.weight.any:
            return self.parts.weight.room_for(pointer, list_)
        if self.parts.removal.keyed_slots:
            return self.parts.removal.room_for(pointer, list_)
        if self.parts.element.intrusive:
            OK, limit = self.TT.OK, self.parts.limit
            return OK if limit is None else f"{list_}->count < {self.TT.MAX} ? {OK} : {self.TT.FULL}"
        return f"{self.make_room}({list_}, 1)"

    @property
    def admission(self) -> str:
        """Whether `element` may be added, as an expression of C."""
        return f"{self.T.admit_}(list, {self._pointer('element')})" if self.uses_admit else self.room_for_one

    @property
    def admission_again(self) -> str:
        """The same once more, after the removal of an element: only a hook can have added an equal one. Links leave its slot
        free."""
        parts = self.parts
        if parts.removal.notifies_each or self.replaces and parts.weight.any:
            return self.admission
        return self.TT.OK if parts.removal.linked and not parts.handles.given else self.room_for_one

    def admit_moving(self, list_: str) -> str:
        """Whether `moving` may be added to this container, or again to the one that it comes from. It is not NULL."""
        if not (self.unique or self.parts.indexes.refuses) or not self.uses_admit or self.parts.element.intrusive:
            return self.room_for(self._pointer("moving"), list_)
        if self.parts.index.kind == "intrusive":  # which knows that it is in another container, and nothing else of it
            return f"{self.T.admit_moving_}({list_}, moving)" if self.parts.indexes.refuses \
                else self.room_for(self._pointer("moving"), list_)
        return f"{self.T.admit_}({list_}, {self._pointer('moving')})"

    @property
    def moves_surely(self) -> bool:
        """Can nothing refuse an element that is moved from another container? Links and deferred changes have their own ways."""
        return self.parts.allocator.never_fails and not self.room_fails and not self.parts.when.deferred \
            and self.admit_moving("list") == self.room_for(self._pointer("moving"))

    @property
    def stops_bulk(self) -> str:
        """Whether `one` reports a full container, as an expression of C; '' if it cannot."""
        return " || ".join(f"one == {self.TT[status]}" for status in self.full + self.memory)

    @property
    def taken_statuses(self) -> List[str]:
        """What an add returns that has added."""
        return ["OK"] + ["QUEUED"] * self.parts.when.deferred + ["REPLACED"] * self.replaces

    @property
    def absent(self) -> str:
        """What is returned for an element that is not in the container, as an expression of C."""
        return self.absent_of(self.TT)

    def absent_of(self, TT: Names) -> str:
        """The same with the statuses of this container."""
        if not self.parts.index.knows_foreign:
            return TT.ABSENT
        member = self.c["element.link.owner"] if self.parts.element.intrusive else self.c["index.field"]
        elsewhere = f"element->{member} != " + ("NULL" if self.parts.element.intrusive else "0")
        return f"element != NULL && {elsewhere} ? {TT.FOREIGN} : {TT.ABSENT}"

    # -- elements of another container

    @property
    def unheard(self) -> bool:
        """Is nothing of the user's called for an element that changes hands, and none removed by an update?"""
        hooks = self.parts.hooks
        return hooks["add"] is None and hooks["remove"] is None and not self.parts.removal.policy.updates

    @cached_property
    def splices(self) -> bool:
        """Do two blocks change hands, where all elements are moved to an empty container?"""
        parts = self.parts
        return self.unheard and parts.storage.transfers and parts.storage.allocated and not parts.handles.given \
            and not (parts.workers.journals or parts.inbox.queue)

    @cached_property
    def relinks(self) -> bool:
        """Do elements change hands as they are linked? Owner links are written, if there are any, and the links at the ends."""
        parts = self.parts
        return parts.element.intrusive and parts.order.takes_runs and not parts.indexes.any \
            and self.unheard and not (parts.when.deferred or parts.container.is_layer)

    @property
    def handing_on(self) -> Cost:
        """What it costs to hand all elements to another container, as they are linked."""
        if self.parts.links.tells_where or self.bounded:
            return CONSTANT._replace(each=True)
        return CONSTANT.also("; O(n) for each live pass of the other one", "n") if self.parts.passes.removes else CONSTANT

    @property
    def takes_over(self) -> bool:
        """Does T_add_from take what the other container has? Not where a remove hook may put it into a third one, unnoticed."""
        unnoticed = self.parts.element.unowned and self.parts.hooks["remove"] is not None
        return self.parts.passes.passes_over_another and not unnoticed and not self.parts.handles.given

    @property
    def takes_links_in_passes(self) -> bool:
        """Also while passes are live, and without one of its own?"""
        return self.relinks and not self.parts.passes.removes_current

    @property
    def splice_ways(self) -> int:
        """The bits of those that the spec names."""
        return sum(self.parts.asked(name) << bit for bit, name in enumerate(SPLICES)) * self.splices_runs

    @property
    def ways_to_splice(self) -> Tuple[str, ...]:
        """The call of the test's driver that stands for them."""
        return ("splice",) * self.splices_runs

    @property
    def splices_runs(self) -> bool:
        """Are there T_splice_to_back and its siblings? Where the spec names one."""
        return self.relinks and not self.parts.order.free and self.parts.asked(*SPLICES)

    @property
    def splice_alike(self) -> List[str]:
        """Fields that must be equal for that."""
        return ["memory"] * self.parts.allocator.custom + ["hash_key"] * self.parts.indexes.hashed \
            + ["context"] * (self.parts.kept_context is not None) + self.parts.chosen

    @property
    def splice_keeps(self) -> List[str]:
        """Fields that stay where all else changes hands: cursors and ranges that are over must not come to life again."""
        return self.parts.passes.splice_keeps + [index.changes for index in self.parts.indexes.all if index.ranges] \
            + [self.parts.scans.kept.last] * self.parts.scans.any

    @property
    def removes_from(self) -> bool:
        """Is there T_remove_from?"""
        parts = self.parts
        return parts.passes.passes_over_another \
            and not (parts.element.placed or parts.handles.given or parts.index.kind == "intrusive" or parts.element.intrusive
                     or parts.order.tree)

    records_replacing = False  # a replacement is known while its hooks run


class Allow(Adding):
    unique = False


class Reject(Adding):
    pass


class Replace(Adding):
    replaces = True

    @property
    def instead(self) -> str:  # type: ignore[override]
        same = "Returns DUPLICATE if it is the same element." if self.parts.element.by_pointer else ""
        also = ", also in live passes," * self.parts.passes.offered
        return sentences(f"Replaces an equal element{also} and returns REPLACED then.", same)

    @property
    def refusals(self) -> Tuple[str, ...]:
        same = self.parts.element.by_pointer or self.parts.indexes.refuses
        return ("REPLACED",) + ("DUPLICATE",) * same + ("ABSENT",) * self.parts.element.by_pointer

    @property
    def put(self) -> str:
        return self.T.put_

    @property
    def records_replacing(self) -> bool:
        return self.parts.hooks["add"] is not None and self.parts.removal.notifies_each


def choose(parts: Any) -> Adding:
    return {"allow": Allow, "reject": Reject, "replace": Replace}[parts.container["duplicates"]](parts)
