"""What misuse does, with BESPOKE_CHECKS."""

from __future__ import annotations

from typing import Any

from .part import Part


class Stop(Part):
    axis = "stop"
    shared = False  # by BESPOKE_MISUSE, the macro of all containers

    @property
    def assertion(self) -> Any:
        """The engine's macro, if the spec names one."""
        return self.c["emit.assert"]


class Standard(Stop):
    name = "standard"
    shared = True


class Named(Stop):
    name = "named"


class Trap(Stop):
    name = "trap"


def choose(parts: Any) -> Stop:
    c = parts.container
    return (Named if c["emit.assert"] else Trap if c["emit.freestanding"] else Standard)(parts)
