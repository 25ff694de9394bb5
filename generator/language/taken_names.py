"""Names that emitted code takes for itself, which a spec cannot give to others."""

from typing import AbstractSet, Optional, Set

from ..text import identifiers
from . import soa
from .model import Container

# Parameters and variables of the emitted functions, which a global name would clash with.
LOCALS = frozenset("""
    a added address adds again ahead alive all another any at b back back_a back_b backward base before begun behind below
    beside bit bits block born boundaries boundary branch buffer by_address bytes calls capacity change change_ changes child
    chunk chunks coming context count cursor done doomed drawing due edge edits elder elders element element_ elements end
    entries entry entry_a entry_b epoch extra few first first_a first_b fits following found four frame free fresh from gap
    generation generations get given gives_way going gone group groups grows half handle hash hash_a hash_b hashes heap_index
    held here high high_length hint hole home i id ids index indexes inner instead items journal kept key kind known lane
    large last last_serial layer leads leads_a leads_b least left lefts length linked links list list_ listener live low
    low_length made mark mask masks matches memory middle mine missing more most moved moved_out moves moving multiplier
    new_bytes new_heap new_turns next noted number offset old old_bytes old_key old_key_length old_weight on one ones only
    operation other others outer own parent part parts pass period place position prev put ranks reach reason record records
    removed reserved resized rest retired right rights room root row rows run scale scan scans_last_serial search second
    seconds serial share shift sibling siblings sign signed_count signed_index signed_keys signed_max signed_number
    signed_parts signed_removed signed_slot signed_taken signed_word signed_worker since size slack slot slot_of span spark
    start state status steps straight sum table tag tagged tags taken tick to to_a to_b todo turn two used version version_
    wanted way weight width word words
    """.split())


# And of those that record what is called, in headers of traced containers.
TRACED = frozenset("""
    above by_calls by_itself call code container depth early event expected expired failed file flags free_slots grown head how
    keyed kinds lock none now path seen session shape slots stay texts thread ticks told trace type unsigned_zero usual value what
    write
    """.split())
# And of those that workers call.
THREADED = frozenset("worker value".split())
# Of these, what a failure that the generated test prints as a program has at file scope, beside the user's functions.
TOLD = frozenset("at cursor fresh held key list other taken".split())


# Of these, what a container cannot be called: what every function has, and what expressions of specs are over. The other ones
# give way
# (emitted/locals.py).
KEPT = frozenset("a b cursor element list size".split())  # SIZE_MAX is the library's


# The same, in the generated test.
IN_TEST = frozenset("due find label labels letter".split())
# What a container cannot be called because of the generated test: what it calls in capitals.
TESTED = frozenset("ALIVE ELSEWHERE LABELS".split())
# What the C++ support of emitted headers declares, or would with a container's operations behind it.
SHARED = frozenset("bespoke bespoke_walk bespoke_uncopied".split())


def why_no_container(name: str) -> Optional[str]:
    """None if a container can have this name in emitted code; otherwise what is wrong with it."""
    problem = identifiers.check_identifier(name)
    if not problem and (name in KEPT or name in LOCALS and name.endswith("_")):
        problem = "the emitted functions have parameters and variables of that name"
    if not problem and name.lower() in SHARED:
        problem = "emitted headers use that name for what they share"
    if not problem and name in TESTED:
        problem = "the generated test has functions and variables of that name"
    return problem


def reserved(container: Container) -> AbstractSet[str]:
    """What parameters and variables of the functions of any such container are called."""
    return LOCALS | TRACED if container["emit.trace"] else LOCALS


def locals_of(container: Container) -> Set[str]:
    """What parameters and variables of a container's functions are called."""
    threads = THREADED if container["threads.workers"] is not None and container["threads.merge"] != "none" else ()
    beside = ("value",) if container["side"] is not None else ()
    return {*reserved(container), *(f"{lane.name}_" for lane in soa.lanes(container)), *threads, *beside}
