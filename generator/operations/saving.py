"""How a container is saved, and loaded again."""

from __future__ import annotations

from typing import Sequence

from ..parts.container_parts import Parts
from ..language.costs import LINEAR, Cost
from ..text.sentences import enumerated
from .costs import Costs
from .operation import Add

_COPIES, _COMPARES = LINEAR.also(", at the speed of memcpy"), LINEAR.also(", at the speed of memcmp")


def _handles(p: Parts, what: str) -> str:
    """What becomes of handles that were given since an earlier state that comes back."""
    if not p.handles.given:
        return ""
    if p.handles.generational:
        return (f" Handles that it has given since {what} name nothing from then on, for good; the others name what they named "
                "then.")
    return f" Handles that it has given since {what} may name other elements from then on: they have no generation."


def _refusals(refused: Sequence[str]) -> str:
    """What a load may return, in words."""
    room = ["why there is no memory"] if "NO_MEMORY" in refused else list(refused[:1])
    return enumerated(["CORRUPT", "OTHER_TYPE", "OTHER_VERSION", "IO"] + room, " or ")


def saving(p: Parts, op: Add, of: Costs) -> None:
    """What writes a container through a callback, and reads one."""
    if not p.persist.saves:
        return
    T, status, me, const_me = p.T, of.status, of.me, of.const_me
    busy, refused = ("BUSY",) * p.when.deferred, (("FULL",) if of.full else ()) \
        + (("NO_MEMORY",) if of.memory or p.index.unreachable == "NO_MEMORY" or p.persist.functions else ()) \
        + ("RANGE",) * (p.index.unreachable == "RANGE")
    written = ["the elements", "their order"] + ["what handles name"] * p.handles.given + ["what is beside elements"] * p.side.any
    op("save", status, [const_me, ("bool (*)(void *context, const void *bytes, size_t count)", "put"), ("void *", "context")],
       f"Writes {enumerated(written)}: calls `put`, which returns false if it cannot write. The bytes are the same "
       "on every machine. Returns IO if `put` " + ("or your function " if p.persist.functions else "") + "has returned false"
       + (", BUSY if changes are pending" if p.when.deferred else "") + ".",
       LINEAR, "nothing", ("saving", "save"), statuses=("IO",) + busy)
    own = f"; elements that {p.persist.yours('load')} has made are given to the destroy hook then" if p.persist.functions \
        and p.hooks["destroy"] else ""
    on_stack = f" Takes sizeof({T}) bytes of stack." if p.storage.inline else ""
    op(p.persist.reads, status, [me, ("bool (*)(void *context, void *bytes, size_t count)", "get"), ("void *", "context")],
       f"Replaces everything in the container by what {T.save} has written: calls `get`, which returns false if it cannot read "
       "`count` bytes. Ends all passes; calls the hooks of the elements that are replaced, and none for those that are "
       f"loaded.{_handles(p, 'the save')} Returns {_refusals(refused)}, whatever "
       f"the bytes are, and the container is unchanged then{own}." + on_stack,
       LINEAR, "all elements", ("saving", "load"), statuses=("CORRUPT", "OTHER_TYPE", "OTHER_VERSION", "IO") + refused)
    if not p.persist.functions:
        return
    to, reader, bytes_ = (f"{T.writer} *", "to"), (f"{T.reader} *", "from"), ("size_t", "bytes")
    op("write", "bool", [to, ("const void *", "bytes"), ("size_t", "count")], f"For {p.persist.yours('save')}: writes bytes.",
       Cost("count"), body=("saving", "write"))
    op("write_number", "bool", [to, ("uint64_t", "number"), bytes_],
       "Writes the lowest `bytes` bytes of a number (1 to 8), the lowest first.",
       body=("saving", "write_number"))
    op("read", "bool", [reader, ("void *", "bytes"), ("size_t", "count")],
       f"For {p.persist.yours('load')}: reads bytes. On failure they are zero.", Cost("count"),
       body=("saving", "read"))
    op("read_number", "uint64_t", [reader, bytes_], "Reads a number of `bytes` bytes; 0 on failure, which is reported when your "
                                                    "function has returned.",
       body=("saving", "read_number"))


def snapshots(p: Parts, op: Add, of: Costs) -> None:
    """What copies the state of a container, and brings it back."""
    if not p.container["emit.snapshot"]:
        return
    T, status, me, const_me = p.T, of.status, of.me, of.const_me
    own = "" if p.element.by_value else ": the pointers, not the elements"
    op("snapshot_bytes", "size_t", [const_me], f"The bytes that {T.snapshot} writes of the container as it is now. With more "
                                               "elements there are more.",
       body=("snapshots", "snapshot_bytes"))
    op("snapshot", "bool", [const_me, ("void *", "memory"), ("size_t", "bytes")],
       f"Copies the state of the container to `memory`, of any alignment{own}. Returns false if `bytes` are too few, and copies "
       "nothing then. Allocates nothing. Not for use in hooks.", _COPIES, "nothing", ("snapshots", "snapshot"))
    grown = (" Returns NO_MEMORY, and changes nothing, if the container has less capacity than then and the allocator has no "
             "memory; it allocates nothing else."
             if of.memory else "")
    handles = _handles(p, "the snapshot")
    back = _COPIES.also(", O(capacity) if it has grown since" if p.index.has_table and not p.storage.inline else "")
    invalidates, refused = "all elements" if p.element.by_value else "nothing", of.memory
    op("rollback", status, [me, ("const void *", "memory")],
       f"Brings back the state of a snapshot of this container. Calls no hooks, and ends all passes.{handles}{grown}",
       back, invalidates, ("snapshots", "rollback"), statuses=refused)
    if not p.storage.compares:
        return
    base = ("const void *", "base")
    op("snapshot_delta", "size_t", [const_me, base, ("void *", "memory"), ("size_t", "bytes")],
       f"As {T.snapshot}, but copies only what differs from `base`, an earlier snapshot by {T.snapshot}. Returns the bytes that "
       f"the delta takes; if they are more than `bytes`, `memory` holds none. Allocates nothing. Not for use in hooks.",
       _COMPARES, "nothing", ("snapshots", "snapshot_delta"))
    op("rollback_delta", status, [me, base, ("const void *", "memory")],
       f"As {T.rollback}, to the state of a delta; `base` is as it was when that was taken.{handles}{grown}",
       back, invalidates, ("snapshots", "rollback_delta"), statuses=refused)
