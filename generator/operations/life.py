"""What makes, empties and checks a container, and what is asked of it."""

from __future__ import annotations

from ..language.costs import CONSTANT, LINEAR
from ..parts.container_parts import Parts
from ..text.sentences import enumerated, sentence, sentences
from .costs import Costs
from .operation import Add

_CONTAINS = {"number": "Is this number in the container?", "row": "Does this row hold an element?",
             "address": "Is this the address of an element?",
             "equal": "Is an equal element in the container?", "one": "Is this element in the container?",
             "first": "Is this element in the container?"}


def _begin(p: Parts, op: Add, of: Costs) -> None:
    """T_init, and what tells or changes what it was given."""
    op("init", "void", [of.me, *p.allocator.context, *p.given_to(), *p.sizes_given()],
       sentences(p.allocator.initialises if p.allocator.custom or not p.chosen else "Initialises an empty container.",
                 "Your functions are given `context`." * (p.kept_context is not None),
                 f"{p.weight.bounded}, which stays so until {p.T.init} is called again; a container of zeros has a maximum "
                 "of 0." * ("max" in p.chosen),
                 "Keys are smaller than `keys`; a container of zeros has none." * ("keys" in p.chosen),
                 "Allocates nothing."), body=("lifecycle", "init"))
    if "max" in p.chosen:
        op("max", p.weight.type, [of.const_me], f"The maximum that {p.T.init} was given.", body=("lifecycle", "max"), inline=True)
    if "keys" in p.chosen:
        op("keys", p.size, [of.const_me], f"The limit of keys that {p.T.init} was given.",
           body=("lifecycle", "keys"), inline=True)
    if p.kept_context is not None:
        op("set_context", "void", [of.me, *p.given_to()],
           "From now on your functions are given `context`. It stays in a container that is emptied, loaded, rolled back or "
           "deinitialised, and in both where elements are moved from one to the other.",
           body=("lifecycle", "set_context"), inline=True)


def life(p: Parts, op: Add, of: Costs) -> None:
    """What makes, empties and checks it, and what gives and takes memory."""
    _begin(p, op, of)
    op("deinit", "void", [of.me],
       sentences(sentence("Removes all elements", p.removal.clears_with, p.storage.frees,
                          " and ends all passes" * p.passes.offered),
                 sentence("It can be used again", p.handles.forgotten)),
       p.removal.ending + p.storage.freeing, "all elements", ("lifecycle", "deinit"))
    moved = p.storage.all if p.storage.moves_to_grow else "nothing"
    if p.storage.allocated and p.removal.spread:
        op("reserve", of.status, [of.me, (p.size, "count")],
           "Reserves a chunk for each of `count` numbers: as long as there are no more, adds cannot fail.", LINEAR, moved,
           (p.element.bodies, "reserve"), statuses=of.full + of.memory)
    elif p.storage.allocated and p.order.by_number:
        op("reserve", of.status, [of.me, (p.size, "count")],
           "Reserves capacity for the numbers below `count`: adds of them cannot fail." if not p.element.stored
           else "Reserves the slots of the keys below `count`: adds of them find memory.", LINEAR, moved, ("bits", "reserve"),
           statuses=("RANGE",) * (p.limit is not None) + of.memory)
    elif p.storage.allocated:
        hindered = p.removal.hindered
        op("reserve", of.status, [of.me, (p.size, "count")],
           sentence("Reserves capacity for `count` elements in total: adds up to it cannot fail",
                    f" while it {enumerated(hindered)}" if hindered else "", p.index.reserved),
           LINEAR, moved, ("lifecycle", "reserve"), statuses=of.full + of.memory)
    if p.storage.allocated and not p.storage.fixed:
        op("shrink_to_fit", of.status, [of.me],
           sentences(sentence("Frees memory that no element needs", p.removal.frees or p.handles.frees), p.passes.shrunk),
           LINEAR, moved, ("lifecycle", "shrink_to_fit"), statuses=of.memory)
    _settle(p, op, of)
    op("check", "const char *", [of.const_me],
       "Verifies every invariant. Returns NULL if all hold, else a text that names one that does not.", LINEAR, "nothing",
       ("lifecycle", "check"))


def _settle(p: Parts, op: Add, of: Costs) -> None:
    """The end of a frame: each part does what had to wait."""
    parts = (p.passes, p.when, p.workers, p.inbox, p.removal, p.storage)
    does = ", ".join(clause for part in parts for clause in part.settle_words)
    if not does:
        return
    reasons = [reason for part in (p.workers, p.inbox, p.removal, p.storage) for reason in part.settling_moves]
    reasons = list(dict.fromkeys(reasons))
    what = p.storage.all if reasons == ["it shrinks"] else "all elements"
    fails = of.memory if p.when.deferred or p.workers.journals or p.inbox.queue or p.storage.shrink else ()
    op("settle", of.status if fails else "void", [of.me, *p.storage.elapsed],
       sentences(f"Call it once a frame{', when no pass is live' * p.passes.offered}.",
                 sentence(does[:1].upper(), does[1:]),
                 p.workers.refused or p.inbox.refused, p.storage.elapsed_words),
       p.when.replaying + p.workers.settling + p.inbox.settling + p.removal.settling + p.storage.settling,
       f"{what}, if {' or '.join(reasons)}" if reasons else "nothing", ("lifecycle", "settle") + (True,) * bool(fails),
       statuses=fails)


def questions(p: Parts, op: Add, of: Costs) -> None:
    """What is asked of it as a whole, or of one element."""
    seen = p.when.seen
    op("count", p.size, [of.const_me], sentences("The number of elements.", p.removal.counted, seen),
       body=("lifecycle", "count"), inline=True)
    op("is_empty", "bool", [of.const_me], sentences("Is the container empty?", seen), body=("lifecycle", "is_empty"), inline=True)
    if not p.element.intrusive:
        op("capacity", p.size, [of.const_me], "The number of slots that are allocated.", body=("lifecycle", "capacity"),
           inline=True)
    op("contains", "bool", [of.const_me, p.sought], sentences(_CONTAINS[p.lookup.named_by], seen),
       of.finding if p.removal.spread or not p.element.rows else CONSTANT, "nothing", (p.element.bodies or "finding", "contains"),
       inline=p.index.inlined or not p.element.stored)
    if p.when.deferred:
        op("will_contain", "bool", [of.const_me, p.sought], "Will it be in the container when the journal has been replayed?",
           p.when.predicting, "nothing", ("finding", "will_contain"))
        op("predicted_count", p.size, [of.const_me], "The number of elements when the journal has been replayed.",
           body=("passes", "predicted_count"), inline=True)
    if p.lookup.finds_key:
        op("find", p.ref, [of.reading, *p.key.params], sentences(f"Returns the element with this key, or {p.nil}.", seen),
           of.finding, "nothing", ("finding", "find"), getter=True, inline=p.index.inlined)
        if p.asked("at_key"):
            op("at_key", p.ref, [of.reading, *p.key.params],
               f"As {p.T.find}, but a key that no element has is misuse: it is reported with BESPOKE_CHECKS.",
               of.finding, "nothing", ("finding", "at_key"), getter=True)
    if p.storage.allocated and p.asked("bytes"):
        op("bytes", "size_t", [of.const_me], "The bytes of memory that the container has of its allocator.",
           body=("lifecycle", "bytes"))
