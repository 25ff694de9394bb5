"""Whether a container can be saved, and how an element is written."""

from __future__ import annotations

from functools import cached_property
from typing import Any, List, Optional

from ..language import saved
from ..text.naming import marked
from .callbacks import called_by
from .part import Part


class Persist(Part):
    """How elements are written, and read again."""

    axis = "persist"
    saves = False  # is there T_save?

    @property
    def reads(self) -> str:
        """The function that reads what T_save has written: with columns T_load copies a row."""
        return "restore" if self.parts.element.columns else "load"

    @property
    def functions(self) -> bool:
        """Does the user write what Bespoke cannot?"""
        return saved.functions(self.c)

    @property
    def makes(self) -> bool:
        """Do the functions of the user make elements that the destroy hook frees?"""
        return self.functions and self.parts.hooks["destroy"] is not None

    @property
    def discards(self) -> bool:
        """Is there anything to free of a container that was not read to its end?"""
        return self.makes or not self.parts.storage.inline or self.parts.element.columns

    @property
    def beyond(self) -> str:
        """The status of a load that has slots beyond those that there can be."""
        return self.parts.index.unreachable if self.parts.removal.keyed_slots else "FULL"

    def function(self, which: str) -> Optional[str]:
        """What the emitted functions call for `save`, `load` or `upgrade`; None: there is no such function."""
        return self.c[f"persist.{which}"] and called_by(self.parts, self.c[f"persist.{which}"])

    def named(self, which: str) -> Optional[str]:
        """The name that the user has given it."""
        return self.c[f"persist.{which}"]

    def yours(self, which: str) -> str:
        """The same in a sentence."""
        return marked(self.c[f"persist.{which}"])

    @property
    def version(self) -> int:
        """The version of the spec that is written."""
        return self.c["persist.version"]

    @cached_property
    def members(self) -> List[saved.Saved]:
        """The members that are written one by one."""
        stored = self.parts.element.stored  # else they are written as words of bits
        return [member for member in saved.members(self.c) or () if stored and not member.why_not]

    @property
    def left(self) -> List[str]:
        """Members in columns that are left to the user's functions."""
        written = {member.name for member in self.members}
        return [member.name for member in self.parts.element.fields if member.name not in written and not member.bits]

    @property
    def marks(self) -> List[str]:
        """What distinguishes them from those of another type, as constants of C."""
        return [f"0x{member.mark:08x}u" for member in self.members]

    @property
    def format(self) -> int:
        """The format that is written: the second has generations that must not be given again, the third the order of equal
        keys, the fourth values beside elements. All are read, but for values that a container does not have."""
        return 4 if self.beside else 3 if self.parts.indexes.with_ties else 2 if self.parts.handles.turned_back else 1

    def mark_of(self, index: Any) -> str:
        """What distinguishes a named index from others, as a constant of C."""
        return f"0x{saved.fingerprint(index.called):08x}u"

    @property
    def kind(self) -> str:
        """What the container must have in common with one that is loaded, as a constant of C. What is saved does not depend on
        the removal policy or the storage, as long as slots are kept, or not."""
        parts, handles = self.parts, self.parts.handles
        said = ["bits" if not parts.element.stored else parts.E if not self.members else "",
                "slots" if parts.removal.keeps_slots else "row", "links" * parts.removal.linked,
                "heap" * bool(parts.order.arity), "stable" * parts.order.stable, parts.removal.saved_as]
        if parts.order.tree:
            said.append("tree")
        if handles.given:
            said.append(f"{'ids' if handles.mapped else 'handles'} {handles.bits.index} "
                        f"{handles.bits.generation if handles.generational else 0}")
        return f"0x{saved.fingerprint(';'.join(said)):08x}u"

    @property
    def older(self) -> bool:
        """Is what an older version has saved read, too?"""
        return self.function("upgrade") is not None or self.function("load") is not None

    @property
    def wide(self) -> bool:
        """Are there integers that may be narrower here than where they were saved?"""
        return any(map(self.widens, self.members))

    @staticmethod
    def widens(member: saved.Saved) -> bool:
        """Has this one such integers?"""
        return any(leaf.width == 8 and leaf.kind in ("signed", "unsigned") and not leaf.bits for leaf in member.leaves)

    @cached_property
    def beside(self) -> List[saved.Saved]:
        """The values beside elements, by their names, if they are written."""
        return saved.beside(self.c) if self.saves else []

    @property
    def inherited(self) -> List[str]:
        """Fields that a container keeps when another one is loaded into it."""
        return ["memory"] * self.parts.allocator.custom + ["hash_key"] * self.parts.indexes.hashed \
            + ["context"] * (self.parts.kept_context is not None) + ["version"] * self.parts.changes.recorded + self.parts.chosen


class NotSaved(Persist):
    name = "none"


class Saved(Persist):
    name = "saved"
    saves = True


def choose(parts: Any) -> Persist:
    return (Saved if parts.container["emit.persist"] else NotSaved)(parts)
