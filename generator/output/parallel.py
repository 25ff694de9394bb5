"""Work on many things: side by side, where processes can be had for nothing (on Linux, by fork), and with what is kept out of the
way of Python's collector, which would look through it again and again."""

import gc
import os
import sys
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Sequence

FEWEST = 64  # things for which it is worth it
_CHUNK = 8
_OBJECTS = 1_000_000  # made between two collections: those of some hundred specs

_work: Callable[[Any], Any] = lambda thing: thing
_things: Sequence[Any] = ()


@contextmanager
def kept() -> Iterator[None]:
    """For work that makes much, all of which stays: nothing is collected meanwhile."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _end_by_signals() -> None:
    """A worker ends at a signal without a word; its parent handles it."""
    import signal
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _one(number: int) -> Any:
    return _work(_things[number])


def side_by_side(work: Callable[[Any], Any], things: Sequence[Any]) -> Iterator[Any]:
    """What the work makes of each thing, in their order. A thing that fails, or for which there is no process any more, is worked
    on again here, so that an error is the one that it would be without processes."""
    gc.freeze()  # what is there now is not looked at, nor written to, which would copy it for each process
    often = gc.get_threshold()
    gc.set_threshold(_OBJECTS)
    try:
        yield from _side_by_side(work, things)
    finally:
        gc.set_threshold(*often)
        gc.unfreeze()


def _side_by_side(work: Callable[[Any], Any], things: Sequence[Any]) -> Iterator[Any]:
    global _work, _things
    done = 0
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    if len(things) >= FEWEST and processors > 1 and sys.platform.startswith("linux"):
        import multiprocessing
        _work, _things = work, things
        try:
            with multiprocessing.get_context("fork").Pool(min(processors, 8), _end_by_signals) as pool:
                for result in pool.imap(_one, range(len(things)), _CHUNK):
                    done += 1
                    yield result
        except Exception:
            pass
        finally:
            _things = ()
    for thing in things[done:]:
        yield work(thing)
