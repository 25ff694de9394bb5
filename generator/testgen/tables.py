"""How the tables of the generated test are written."""

from dataclasses import dataclass

from ..types.declare import declare


@dataclass(frozen=True)
class Rule:
    """What the driver must know of a container."""

    name: str
    type: str
    doc: str


@dataclass(frozen=True)
class Call:
    """What the driver calls; NULL where the container has no such operation."""

    name: str
    result: str
    params: str

    def declare(self, name: str) -> str:
        return f"{declare(self.result, name)}({self.params})"
