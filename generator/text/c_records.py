"""What can be read of a struct, or of a typedef, in the text of a header without a compiler: only what is certain."""

import re
from typing import Dict, List, NamedTuple, Optional

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_BRACE = re.compile("[{}]")


class Record(NamedTuple):
    """The body of a struct as it is written."""

    members: Dict[str, str]  # whose declarations are plain, each with its type; arrays end in [...], bit-fields in `: 3`
    whole: bool  # are these all? Else there are macros, types or bits without a name
    flexible: str  # the array without a length at the end, '' if there is none


def without_comments(text: str) -> str:
    return _COMMENT.sub(" ", text) if "/*" in text or "//" in text else text


def record_of(texts: List[str], type_: str) -> Optional[Record]:
    """The struct of this name, if it is defined once in these headers and nothing of it depends on the preprocessor."""
    texts = list(map(without_comments, texts))
    tagged = re.fullmatch(r"(struct|union) (\w+)", type_)
    if not tagged:
        aliases = [found for text in texts for found in re.findall(rf"\btypedef\s+(struct|union)\s+(\w+)\s+{type_}\s*;", text)] \
            if re.fullmatch(r"\w+", type_) else []
        if len(aliases) == 1:
            return record_of(texts, " ".join(aliases[0]))
    head = rf"{tagged[1]}(?<=\b{tagged[1]})\s+{tagged[2]}\s*\{{" if tagged \
        else rf"\btypedef\s+(?:struct|union)(?:\s+\w+)?\s*\{{(?=[^{{}}]*\}}\s*{re.escape(type_)}\s*;)"
    found = [(text, brace.end()) for text in texts for brace in re.finditer(head, text)]
    return record_behind(*found[0]) if len(found) == 1 else None


def record_behind(text: str, at: int) -> Optional[Record]:
    """The struct whose brace is opened before this place, in a text without comments; None: something of it depends on the
    preprocessor."""
    body = _body(text, at)
    return None if "#" in body else _read(body)


def _body(text: str, at: int) -> str:
    """What stands between a brace that is opened before this place and the one that closes it."""
    depth = 1
    for brace in _BRACE.finditer(text, at):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return text[at:brace.start()]
    return text[at:-1]


_PLAIN = re.compile(r"((?:const\s+|volatile\s+|unsigned\s+|signed\s+|long\s+|short\s+)*(?:(?:struct|union|enum)\s+)?"
                    r"\w+(?:\s+(?:const|int|long|char|short))*[\s*]*?(?:\bconst\b\s*)?)"
                    r"(\b[A-Za-z_]\w*)\s*((?:\[[^\[\]]*\]\s*)*)", re.DOTALL)

_BITS = re.compile(r"((?:unsigned\s+|signed\s+)?\w+\s+)(\w+)\s*:\s*([1-9]\d*)")


def _read(body: str) -> Record:
    members: Dict[str, str] = {}
    whole, flexible = True, ""
    for declaration in filter(None, map(str.strip, body.split(";"))):
        first, *others = declaration.split(",")
        bits = _BITS.fullmatch(declaration)
        if bits:
            members[bits[2]] = f"{_spelled(bits[1], '')} : {bits[3]}"
            continue
        found = _PLAIN.fullmatch(first.strip())
        if not found or re.fullmatch(r"[A-Z][A-Z0-9_]*", found[1].strip()) \
            or re.fullmatch(r"(const|volatile|struct|union|enum|unsigned|signed|long|short)", found[1].strip()):
            whole = False
            continue
        base = found[1].strip().rstrip("* \n\t")
        members[found[2]] = _spelled(found[1], found[3])
        flexible = found[2] if re.fullmatch(r"\[\s*\]\s*", found[3]) else ""
        for other in others:
            more = re.fullmatch(r"\s*(\*[\s*]*)?(\w+)\s*((?:\[[^\[\]]*\]\s*)*)", other)
            if more:
                members[more[2]] = _spelled(f"{base} {more[1] or ''}", more[3])
            else:
                whole = False
    return Record(members, whole, flexible)


def _spelled(type_: str, array: str) -> str:
    return re.sub(r"\s*\*", " *", " ".join(type_.split())).replace("* *", "**") + "".join(array.split())


def why_no_value(texts: List[str], type_: str) -> str:
    """Why elements of a type cannot be stored by value, by what its headers say; '' where they say nothing of the kind."""
    texts = [_COMMENT.sub(" ", text) for text in texts]
    if re.fullmatch(r"\w+", type_):
        said = [found for text in texts for found in re.findall(rf"\btypedef\s+([^;{{}}()]*?)\b{type_}\s*(\[[^;]*\])?\s*;", text)]
        if len(said) == 1:
            of, array = " ".join(said[0][0].split()), said[0][1]
            if array:
                return f"it is an array, '{of}{array}', which C cannot assign"
            if re.search(r"\bconst\b", of.rsplit("*", 1)[-1]):
                return f"it is '{of}', which cannot be assigned"
    record = record_of(texts, type_)
    if record is not None and record.flexible:
        return f"'{record.flexible}' is an array without a length, which would be cut off"
    const = next((name for name,
                  of in (record.members if record is not None else {}).items()
                  if re.search(r"\bconst\b", re.split(r"\*(?!.*\*)", of)[-1])), "")
    return f"its member '{const}' is const, so it cannot be assigned" if const else ""
