"""What threads can share, and what they cannot."""

from typing import Callable, List, Tuple, Union

from .check import Check
from .strategies import by_links


def threads(check: Check) -> None:
    c = check.c

    def conflict(key: str, path: str, why: str, help: Union[str, Callable[[], List[str]]], about: Tuple[str, ...] = (),
                 instead: str = "") -> None:
        at, other = check.blame(key, path)
        check.conflict("BSP0290", why, at, other, about=about,
                       help=lambda: [*(help() if callable(help) else [help]), instead or f"or leave out {key}"])

    journals = c["threads.workers"] is not None and c["threads.merge"] != "none"
    parts_only = f"or let workers note no changes: `threads: {{workers: {c['threads.workers']}, merge: none}}`"
    if c["threads.workers"] is None:
        if c.settings["threads.merge"].origin == "spec":
            check.conflict("BSP0290", "'threads.merge' needs 'threads.workers'", "threads.merge", about=("threads.workers",),
                           help="`threads: {workers: 8, merge: " + c["threads.merge"] + "}`")
    elif by_links(c):
        conflict("threads.workers", "storage.kind", "linked elements have no parts: a worker would walk through all of them to "
                                                    "find its own",
                 check.use(("storage.kind", "contiguous"), ("storage.kind", "chunked")), ("removal.policy", "ordering"))
    if journals:
        if c["capacity.inline"]:
            conflict("threads.workers", "capacity.inline", "an inline container allocates nothing, and the journals of workers "
                                                           "grow",
                     "leave out capacity.inline", instead=parts_only)
        if c["removal.when"] != "immediate":
            conflict("threads.workers", "removal.when", "T_settle merges the changes of workers, and may not while the "
                                                        "container is locked",
                     f"use {check.yaml('removal.when', 'immediate')}", ("iteration.adds",), parts_only)
    if c["threads.inbox"] is not None:
        if c["removal.when"] != "immediate":
            conflict("threads.inbox", "removal.when", "T_settle adds the elements in the inbox, and may not while the container "
                                                      "is locked",
                     f"use {check.yaml('removal.when', 'immediate')}", ("iteration.adds",))
        if c["element.by"] == "intrusive":
            conflict("threads.inbox", "element.by", "the thread that adds an element would have to link it",
                     check.use(("element.by", "pointer")))
    for key, instead in (("threads.workers", parts_only),) * journals + (("threads.inbox", ""),):
        for path, why in (("emit.persist", "T_load makes the container anew, without what is pending"),
                          ("emit.snapshot", "T_rollback brings the struct back, with journals and an inbox that have changed "
                                            "since")):
            if c[key] is not None and c[path]:
                conflict(key, path, why, f"leave out {path}", instead=instead)
        if c[key] is not None and c["index.kind"] == "dense" and c["index.keys"] is None:
            conflict(key, "index.kind", "the table grows with the keys that are added, and T_settle reserves all memory before "
                                        "it adds anything",
                     "give the limit of the keys: `index: {kind: dense, keys: 4096}`", instead=instead)
