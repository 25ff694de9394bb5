"""The page docs/errors.md: every code with an example of what is said, from the messages that the tests compare.

Most examples are specs of `tests/bad`, each with its messages beside it. What no spec can provoke is a few commands and
what they say, in `tests/bad/commands`."""

import os
import re
from typing import Dict, List, Optional, Tuple

from ..text.diag import failure
from ..text.error_codes import CODES
from ..text.project import ROOT
from . import wording

MADE = "<!-- Made from the table of the generator and the messages in tests/bad: bespoke schema --errors -o docs/errors.md -->"

SECTIONS = {
    "BSP00": "Files and YAML",
    "BSP01": "Keys and values",
    "BSP02": "Conflicting values",
    "BSP03": "Names, expressions, types, headers",
    "BSP04": "Output and checked-in files",
    "BSP05": "Installation",
}

# Codes without an example, and why.
SILENT = {
    "BSP0501": "it depends on what is installed",
    "BSP0504": "it depends on what is installed",
    "BSP0505": "it depends on what is installed",
    "BSP0412": "it takes a file that changes during the run",
    "BSP0503": "it takes an installation that is broken",
    "BSP0590": "it would be mended",
}


def case_root() -> str:
    """The folder of the bad specs. Only a checkout has it."""
    return os.path.join(ROOT, "tests", "bad")


def _read(*names: str) -> str:
    with open(os.path.join(case_root(), *names), encoding="utf-8") as file:
        return file.read()


_FIRST_LINE = re.compile(r"^[^ ].*: (?:error|warning): .*\[(BSP\d{4})\]$", re.MULTILINE)


def _shortest() -> Dict[str, str]:
    """Code -> the shortest message with it; rather one of a spec in which nothing else is wrong, and one that shows two
    lines."""
    found: Dict[str, Tuple[bool, bool, int, str]] = {}
    for name in sorted(os.listdir(case_root())):
        if not name.endswith(".err"):
            continue
        text = _read(name)
        starts = list(_FIRST_LINE.finditer(text))
        for match, end in zip(starts, [other.start() for other in starts[1:]] + [len(text)]):
            message = text[match.start():end]
            one = (len(starts) > 1, ": note: " not in message, len(message), message)
            found[match.group(1)] = min(found.get(match.group(1), one), one)
    return {code: one[-1] for code, one in found.items()}


def transcript(code: str) -> Optional[str]:
    """Commands that end in this code, and what they say."""
    path = os.path.join(case_root(), "commands", f"{code}.txt")
    return _read("commands", f"{code}.txt") if os.path.isfile(path) else None


def page() -> str:
    if not os.path.isdir(case_root()):
        raise failure(3, "BSP0411", "there are no specs with errors in '%s'" % case_root(),
                      help="the page of errors is made in a checkout of Bespoke")
    messages = _shortest()
    lines = [
        "# Every error", "", MADE, "",
        "An error has a location, a code, and help: `file:line:column: error: message [code]`, the source line, a second "
        "location if two lines conflict, and the valid values after `help:`. One run reports all errors of a spec. "
        "`bespoke explain CODE` prints the text of a code. `--diagnostics json` is for editors.", "",
        "| exit code | |", "| --- | --- |", "| 0 | done |",
        "| 1 | `check`: the files differ from the specs |",
        "| 2 | an error in a spec or on the command line |",
        "| 3 | a file, a folder or a module is missing |",
        "| 4 | an internal error of Bespoke |", ""]
    for prefix, codes in _grouped().items():
        lines += [f"## {SECTIONS.get(prefix, prefix)}", ""]
        lines += [f"- [{code}](#{code.lower()}): {CODES[code][0]}" for code in codes] + [""]
        for code in codes:
            lines += _entry(code, messages.get(code))
    return "\n".join(lines).rstrip() + "\n"


def _grouped() -> Dict[str, List[str]]:
    groups: Dict[str, List[str]] = {}
    for code in sorted(CODES):
        groups.setdefault(code[:5], []).append(code)
    return groups


def _entry(code: str, message: Optional[str]) -> List[str]:
    title, explanation, remedy = CODES[code]
    lines = [f"### {code}", "", f"**{title[:1].upper()}{title[1:]}.** {wording.in_markdown(explanation)}", "",
             f"*What to do:* {wording.in_markdown(remedy)}", ""]
    commands = transcript(code)
    if message is None and commands is not None:
        message = commands
    if message is not None:
        lines += ["```text", message.rstrip(), "```", ""]
    return lines
