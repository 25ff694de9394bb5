"""Sentences of clauses. Each clause brings the words or the comma that it begins with; one that is empty is not there."""

from __future__ import annotations

from typing import Sequence


def sentence(*clauses: str) -> str:
    """One sentence."""
    return "".join(clauses) + "."


def sentences(*each: str) -> str:
    """Those that are there."""
    return " ".join(filter(None, each))


def enumerated(words: Sequence[str], last: str = " and ") -> str:
    """All of these: a, b and c."""
    return last.join([", ".join(words[:-1])] * (len(words) > 1) + list(words[-1:]))
