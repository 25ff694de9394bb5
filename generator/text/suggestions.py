"""Words that were probably meant."""

import re
from typing import Iterable, Optional


def _plain(word: str) -> str:
    return re.sub(r'[\s_\-]+', '', word).casefold()


def did_you_mean(word: str, candidates: Iterable[str]) -> Optional[str]:
    """The candidate that was probably meant, or None. Case, '_' and '-' do not count; prefixes help."""
    word = str(word)[:80]
    wanted = _plain(word)
    by_plain = {}
    for candidate in candidates:
        by_plain.setdefault(_plain(str(candidate)), candidate)
    if not wanted or not by_plain:
        return None
    if wanted in by_plain:
        return by_plain[wanted]
    from difflib import get_close_matches
    close = get_close_matches(wanted, by_plain, n=1, cutoff=0.75)
    if close:
        return by_plain[close[0]]
    if len(wanted) >= 2:
        longer = [name for name in by_plain if name.startswith(wanted)]
        if len(longer) == 1:
            return by_plain[longer[0]]
    shorter = [name for name in by_plain if len(name) >= 3 and wanted.startswith(name)]
    if shorter:
        return by_plain[max(shorter, key=len)]
    close = get_close_matches(wanted, by_plain, n=1, cutoff=0.6)
    return by_plain[close[0]] if close else None


def suggestion(word: str, known: Iterable[str]) -> str:
    """`did you mean ...? ` in front of what else there is to say, or nothing."""
    near = did_you_mean(word, known)
    return f"did you mean '{near}'? " if near else ""
