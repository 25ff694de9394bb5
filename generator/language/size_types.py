"""The types of counts and indices: unsigned inside, and signed for callers where the spec says so."""

from __future__ import annotations

from typing import Dict, Optional

# A signed type of C, and the unsigned one of the same width.
UNSIGNED: Dict[str, str] = {
    "int": "unsigned", "signed": "unsigned", "signed int": "unsigned", "long": "unsigned long", "long int": "unsigned long",
    "signed long": "unsigned long", "long long": "unsigned long long", "int32_t": "uint32_t", "int64_t": "uint64_t",
    "ptrdiff_t": "size_t", "intptr_t": "uintptr_t", "ssize_t": "size_t"}
_AS_WIDE_AS_ADDRESSES = ("ptrdiff_t", "intptr_t", "ssize_t", "int64_t", "long long")  # memory ends before these do


def inside(size_type: Optional[str]) -> str:
    """The type with which the emitted code computes."""
    return UNSIGNED.get(size_type or "", size_type or "size_t")


def signed_limit(size_type: Optional[str]) -> Optional[int]:
    """The most elements that a signed type counts, if there is memory for more of them."""
    return None if size_type not in UNSIGNED or size_type in _AS_WIDE_AS_ADDRESSES else 2 ** 31 - 1
