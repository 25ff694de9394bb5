"""C text in a normal form that no formatter can change.

The normal form is what seals and the drift check are about: the tokens of a file, with its comments. Two texts have the
same one when they differ in white space only, and in what formatters do beside it: comments that are wrapped elsewhere,
string literals that are split, `#include` lines that are sorted, lines that are continued.
"""

import hashlib
import re
from typing import Iterator, List

# Comments, strings, characters. It begins with a set of characters, as the other patterns begin with one: that is fast.
LITERAL = re.compile(r"""[/"'](?:(?<=/)(?:\*[^*]*\*+(?:[^/*][^*]*\*+)*/|/[^\n]*)|(?<=")[^"\\\n]*(?:\\.[^"\\\n]*)*"|"""
                      r"""(?<=')[^'\\\n]*(?:\\.[^'\\\n]*)*')""")
_LITERALS = re.compile("(%s)" % LITERAL.pattern)
_COMMENT_EDGE = re.compile(r"\n(?:\s*\n)?[ \t]*(?:\*+(?=[\s*\0]|$))?\s*")

# Control characters stand for what was taken out, so that the passes over the rest are plain substitutions.
_LITERAL = "\x01"
_COMMENT, _LINE_COMMENT, _STRING, _CHARACTER = "\x01\x08", "\x01\x02", "\x01\x03", "\x01\x04"
_BEGIN, _END, _KEEP = "\x05", "\x06", "\x07"
_CONTINUED = re.compile(r"\\\n")
_CONTROLS = "\x00\x01\x02\x03\x04\x05\x06\x07\x08"

# A directive ends with its line. A parenthesis right behind the name of a macro makes it take arguments.
_DIRECTIVE = re.compile(r"\n[ \t]*#[ \t]*([^\n]*)")
_MACRO = re.compile(_BEGIN + r"#define\s+(\w+)\(")
# White space counts where the tokens on both sides would be read as one; which of these it is, is asked of few.
_COUNTS = re.compile(r" (?:(?<=\w )(?=\w)|(?=[-+*/&|<>=#.:0-9])(?<=[-+*/%&|^<>=!#.:0-9] )(?:"
                     r"(?<=([-+&|<>=#.:]) )(?=\1)|(?<=[-+*/%&|^<>=!] )(?==)|(?<=- )(?=>)"
                     r"|(?<=/ )(?=[*/])|(?<=[0-9] )(?=\.)|(?<=\. )(?=[0-9])))")
_INCLUDES = re.compile("%s#include[^%s]*%s(?:%s#include[^%s]*%s)+" % ((_BEGIN, _END, _END) * 2))
_OPEN_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]*|[0-7]{1,2})\Z")
_BREAKS = re.compile(r"(;|\{|\}|%s)(?!\n)" % _END)


def normal(text: str) -> str:
    """The normal form of a C text."""
    for control in _CONTROLS:
        text = text.replace(control, "?")
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    pieces = _LITERALS.split("\n" + _CONTINUED.sub("", text))
    literals = pieces[1::2]
    comments = _comments([literal[2:-2] for literal in literals if literal[:2] == "/*"])
    others = iter([literal for literal in literals if literal[:2] != "/*"])
    pieces[1::2] = [_COMMENT if literal[:2] == "/*" else _LINE_COMMENT if literal[0] == "/" else _STRING if literal[0] == '"'
                    else _CHARACTER
                    for literal in literals]
    text = "".join(pieces)
    text = _DIRECTIVE.sub(lambda found: f"{_BEGIN}#{found[1]}{_END}", text)  # faster than a template, which is read for each
    text = _MACRO.sub(_BEGIN + r"#define \1" + _KEEP + "(", text)
    text = _COUNTS.sub(_KEEP, " ".join(text.split())).replace(" ", "").replace(_KEEP, " ")
    first, *pieces = text.split(_LITERAL)
    put = [first]
    beside = ""  # the kind of the literal right before this one
    for piece in pieces:
        kind = piece[0]
        if kind == _COMMENT[1]:
            put.append(next(comments))
        elif kind == beside and kind != _CHARACTER[1]:
            put[-1] = _joined(put[-1], next(others))
        else:
            put.append(_alone(next(others)))
        if len(piece) == 1:
            beside = kind
        else:
            put.append(piece[1:])
            beside = ""
    return _INCLUDES.sub(_sorted_includes, "".join(put))


def _comments(inner: List[str]) -> Iterator[str]:
    """Comments, by what is in them; of all of them at once, which is fast."""
    text = _COMMENT_EDGE.sub(" ", _CONTROLS[0].join(inner))
    return (f"/* {each.strip()} */" for each in " ".join(text.split()).split(_CONTROLS[0]))


def _alone(literal: str) -> str:
    return f"// {' '.join(literal[2:].split())}{_END}" if literal[0] == "/" else literal


def _joined(before: str, literal: str) -> str:
    """Two that stand beside each other. Strings are one, unless the first ends in an escape that the second would go on with."""
    if literal[0] == "/":
        return f"{before[:-1]} {' '.join(literal[2:].split())}{_END}"
    return before[:-1] + ('" "' if _OPEN_ESCAPE.search(before[:-1]) else "") + literal[1:]


def _sorted_includes(match) -> str:
    lines = match.group().split(_END)[:-1]
    return "".join(line + _END for line in sorted(lines))


def seal(text: str) -> str:
    """A short hash of the normal form of a text."""
    return seal_of_normal(normal(text))


def seal_of_normal(form: str) -> str:
    return hashlib.sha256(form.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def normal_lines(text: str) -> List[str]:
    """The normal form in lines that can be read, for a diff where there is no formatter. A comment is one of them."""
    pieces = _LITERALS.split(normal(text))
    pieces[::2] = [_BREAKS.sub(r"\1\n", piece) for piece in pieces[::2]]
    for at in range(1, len(pieces), 2):
        if pieces[at][:2] == "/*" and pieces[at + 1][:1] != "\n":
            pieces[at] += "\n"
    return "".join(pieces).replace(_BEGIN, "").replace(_END, "").split("\n")
