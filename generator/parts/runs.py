"""Runs: stretches of elements that the loop of a pass takes one after the other, as nothing changes meanwhile."""

from __future__ import annotations

from functools import cached_property

from .part import Part


class Runs(Part):
    """What a run must know, where passes have runs."""

    over_words: bool
    goes_backward: bool
    counted: bool
    marks: bool

    @cached_property
    def runs(self) -> bool:
        """Does the loop take elements by runs, in which compilers can keep everything in registers? Whether an element has
        expired can be tested there if the header knows its members, and needs nothing to be called. Provers need long for
        runs."""
        parts, expired = self.parts, self.parts.removal.expired
        if parts.removal.linked:  # a step has no call, whichever way it goes; runs of layers go on with the layer behind
            one_way = not (self.goes_backward and parts.container.is_layer)
            return self.counted and expired is None and one_way and not parts.proven
        told = expired is not None and not expired.is_function and not parts.element.rows and self.c["element.defined_in"] is None
        return not (self.goes_backward or parts.proven) and (expired is None or told)

    @property
    def points(self) -> bool:
        """Does a run know the address of its next element? It is in one array, or chunk."""
        return self.runs and not self.over_words and not self.parts.removal.linked and not self.parts.element.rows

    @property
    def lane_moves(self) -> bool:
        """Does memory with the elements of a word of bits move, of which a run keeps the address?"""
        return self.runs and self.over_words and not (self.parts.element.rows or self.parts.storage.inline)

    @property
    def halts(self) -> bool:
        """Over links: does a run end with one element, as long as something ahead has been visited before?"""
        return self.runs and self.parts.removal.linked and self.marks

    @property
    def walk_looks(self) -> bool:
        """Over a bitmap a run that was found is one in which the pass stands: so it is found when an element is taken."""
        return self.runs and not self.over_words

    @property
    def gapped_runs(self) -> bool:
        """Are there runs, which end at the gap?"""
        return self.runs and self.parts.removal.kept.gap

    @property
    def counts_moves(self) -> bool:
        """Must a run end where the storage, or a gap, has moved?"""
        return self.gapped_runs or self.points and (not self.parts.storage.inline or self.parts.removal.apart is not None)

    # -- parts for workers

    @property
    def spans(self) -> bool:
        """Is there T_part? Where the spec has workers, or names it."""
        named = self.parts.workers.limit is not None or self.parts.asked("part", "const_part")
        return named and self.parts.element.stored and not self.parts.removal.linked

    @property
    def reads_apart(self) -> bool:
        """Is a part of a list that may be changed another one than of a list that is read?"""
        return self.parts.removal.kept.gap or not (self.parts.element.rows or self.parts.storage.chunk is not None)
