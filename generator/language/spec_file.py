"""A spec file with everything that it includes: the version, the defaults, its presets."""

import os
import re
from typing import Any, Dict, FrozenSet, List, Optional, Set, Tuple

from ..text import identifiers, loader
from ..text.diag import Diagnostic, Diagnostics, Note, Span
from ..text.header_names import LIBRARY_STEMS, SYSTEM_STEMS
from ..text.nodes import Mapping, Scalar, Sequence
from ..text.printing import shown
from ..text.project import DRIVER, SUPPORT
from ..text.suggestions import did_you_mean, suggestion
from .element_types import Locks
from .keys import VERSION, members
from .model import Unsound
from .presets import PRESETS
from .settings import Settings, read_settings

TOP_KEYS = ("bespoke", "include", "defaults", "presets", "containers", "memberships")
MAX_INCLUDES = 64

_STEM = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}\Z")

_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|\Z)", re.IGNORECASE)


class UserPreset:
    """A preset of a spec's own: the one it builds on, its settings, its name."""

    def __init__(self, base: Optional[Scalar], settings: Settings, key: Scalar):
        self.base, self.settings, self.key = base, settings, key


class SpecFile:
    """What a spec file, with all it includes, offers to its containers."""

    def __init__(self) -> None:
        self.defaults = Settings()
        self.presets: Dict[str, UserPreset] = {}
        self.inputs: List[str] = []
        self.read: Set[str] = set()
        self.broken: Set[str] = set()  # presets that something was said about
        self.folder = ""
        self.locks = Locks()
        self.words: Dict[str, FrozenSet[str]] = {}  # of each source of the program that was read
        self.unsound: List[Unsound] = []
        self.doubtful = False  # the text is broken, so what it says may not be what was meant
        self.incomplete = False  # something could not be included: what is unknown may be there

def check_stem(path: str, stem: str, span: Span, diagnostics: Diagnostics) -> None:
    """The files that are written take their name from the spec."""
    base = os.path.basename(path)
    advice = "rename the spec: the emitted files are named after it"
    if not _STEM.match(stem):
        reason = "it is too long" if len(stem) > 100 else "only letters, digits, '_', '-', '+' and '.' are allowed"
        diagnostics.error("BSP0112", f"'{shown(base)}' cannot name a header: {reason}", span, help=advice)
    elif stem.lower() in LIBRARY_STEMS:
        diagnostics.error("BSP0112", f"'{base}' would give '{stem}.h', which is a header of the system", span,
                          help=advice)
    elif stem.lower() in SYSTEM_STEMS:
        diagnostics.warning("BSP0335", f"'{base}' makes '{stem}.h': where its folder is searched, it hides <{stem.lower()}.h> "
                                       "of the system", span, help=advice)
    elif f"{stem.lower()}.h" in (SUPPORT, DRIVER):
        sharing = "headers" if f"{stem.lower()}.h" == SUPPORT else "tests"
        diagnostics.error("BSP0112", f"'{base}' would give '{stem.lower()}.h', which is what generated {sharing} share", span,
                          help=advice)
    elif _DEVICE.match(stem):
        diagnostics.error("BSP0112", f"'{base}' cannot name a header: '{stem}' is a device on Windows", span,
                          help=advice)


def read_file(path: str, diagnostics: Diagnostics, file: SpecFile, chain: Tuple[str, ...],
               included: Optional[Span]) -> Any:
    real = os.path.realpath(path)
    if real in chain:
        diagnostics.error("BSP0106", f"'{path}' includes itself", included,
                          help="move what both need into a third file")
        file.incomplete = True
        return None
    if real in file.read:
        return None
    if len(file.read) >= MAX_INCLUDES:
        diagnostics.error("BSP0107", f"cannot include '{path}': {MAX_INCLUDES} files are the limit", included)
        return None
    file.read.add(real)
    said = Diagnostics()
    node = loader.load(path, said)
    if included is not None and _is_foreign(node, said):  # of which nothing is to be shown
        diagnostics.error("BSP0107", f"cannot include '{path}': it is no file for Bespoke", included,
                          help=f"such a file begins with `bespoke: {VERSION}`")
        file.incomplete = True
        return None
    for item in said:
        diagnostics.add(item if included is None or item.span is not None else _not_included(item, included))
    file.doubtful |= any(item.code not in ("BSP0006", "BSP0015") for item in said)
    if path not in file.inputs:
        file.inputs.append(path)
    if node is None:
        file.incomplete = True
        return None
    if not isinstance(node, Mapping):
        diagnostics.error("BSP0104", "a spec is a mapping, not a list" if isinstance(node, Sequence) else
                          f"a spec is a mapping, not '{shown(node.text)}'", node.span,
                          help="begin it with `bespoke: 1`, then `containers:`")
        file.incomplete = True
        return None
    if not _check_top(node, diagnostics, included):
        return None
    _include(path, node, diagnostics, file, chain + (real,))
    defaults = node.get("defaults")
    if isinstance(defaults, Mapping):
        file.defaults.take(read_settings(defaults, diagnostics, "defaults"))
    elif defaults is not None:
        diagnostics.error("BSP0104", "'defaults' takes a mapping of keys", defaults.span,
                          help="such as `defaults: {ordering: unordered}`")
    presets = node.get("presets")
    if isinstance(presets, Mapping):
        for key, value in presets.entries:
            _user_preset(key, value, file, diagnostics)
    elif presets is not None:
        diagnostics.error("BSP0104", "'presets' takes a mapping from names to settings", presets.span,
                          help="such as `presets: {bag: {ordering: unordered, removal: swap}}`")
        file.incomplete = True
    return node


def _is_foreign(node: Any, said: Diagnostics) -> bool:
    """Does a file have a text that holds no key of a spec at the start of a line?"""
    spans = [node.span] if node is not None else [item.span for item in said if item.span is not None]
    return bool(spans) and not re.search(rf"^(?:{'|'.join(TOP_KEYS)})\s*:", spans[0].source.text, re.MULTILINE)


def _not_included(item: Diagnostic, included: Span) -> Diagnostic:
    """What the loader says of a file as a whole, at the line that includes it."""
    return Diagnostic("BSP0107", re.sub(r"\Acannot read", "cannot include", item.message), included, item.severity,
                      item.help, item.notes)


def _include(path: str, node: Mapping, diagnostics: Diagnostics, file: SpecFile, chain: Tuple[str, ...]) -> None:
    include = node.get("include")
    if include is None:
        return
    for item in include.items if isinstance(include, Sequence) else [include]:
        if not isinstance(item, Scalar) or not item.text or item.value is None:
            diagnostics.error("BSP0104", "'include' takes a path or a list of paths", item.span,
                              help="such as `include: common.yaml`")
            file.incomplete = True
            continue
        read_file(os.path.join(os.path.dirname(path), item.text), diagnostics, file, chain, item.span)


def _check_top(node: Mapping, diagnostics: Diagnostics, included: Optional[Span]) -> bool:
    """Checks the keys of a file and its version. False: it is of another version, so nothing else can be said."""
    version = node.get("bespoke")
    if version is None:
        if not any(did_you_mean(key.text, ["bespoke"]) for key, _ in node.entries if key.text not in TOP_KEYS):
            diagnostics.error("BSP0108", "'bespoke' is missing: the version of the language", node.span,
                              help=f"begin the file with `bespoke: {VERSION}`")
    elif not isinstance(version, Scalar) or isinstance(version.value, bool) or version.value != VERSION \
            or not isinstance(version.value, int):
        text = version.text if isinstance(version, Scalar) else ""
        if isinstance(version, Scalar) and isinstance(version.value, int) and version.value > VERSION:
            diagnostics.error("BSP0108", f"version {shown(text)} of the language is newer than this Bespoke, which "
                              f"knows version {VERSION}", version.span, help="update Bespoke")
            return False
        diagnostics.error("BSP0108", "'bespoke' takes the version of the language" + (f", not '{shown(text)}'"
                          if text and text != str(VERSION) else ", a number without quotes" if text else ""),
                          version.span, help=f"write `bespoke: {VERSION}`")
    for key, _ in node.entries:
        if key.text in TOP_KEYS:
            continue
        if key.text == "preset" or key.text in members(""):
            advice = "a key of a container: write it below the container's name, or below `defaults:`"
        elif key.text in PRESETS:
            advice = f"the name of a preset: containers: {{fleet: {{preset: {key.text}, ...}}}}"
        else:
            advice = suggestion(key.text, TOP_KEYS) + "known here: " + ", ".join(TOP_KEYS)
        diagnostics.error("BSP0101", f"unknown key '{shown(key.text)}'", key.span, help=advice)
    for word in ("containers", "memberships"):
        if included is None or node.get(word) is None:
            continue
        diagnostics.error("BSP0109", f"an included file cannot hold {word}", node.key(word).span,
                          notes=[Note("it is included here", included)],
                          help="it may hold `defaults`, `presets` and `include`; to generate its containers, name the "
                               "file itself to `bespoke generate`")
    return True


def _user_preset(key: Scalar, node: Any, file: SpecFile, diagnostics: Diagnostics) -> None:
    name = key.text
    problem = identifiers.check_identifier(name, library=False)
    if problem:
        diagnostics.error("BSP0301", f"'{shown(name)}' cannot name a preset: {problem}", key.span,
                          help=f"call it something else, such as `{identifiers.another_name(name, '_preset')}`")
        file.broken.add(name)
        return
    if name in PRESETS:
        diagnostics.error("BSP0110", f"'{name}' is a preset of Bespoke", key.span,
                          help=f"choose another name, and build on it: `my_{name}: {{preset: {name}}}`")
        return
    if name in file.presets:
        diagnostics.error("BSP0110", f"preset '{name}' is defined twice", key.span,
                          notes=[Note("the other one", file.presets[name].key.span)], help="rename one, or leave one out")
        return
    if not isinstance(node, Mapping):
        diagnostics.error("BSP0104", f"preset '{name}' takes a mapping of keys", node.span,
                          help=f"such as `{name}: {{ordering: unordered, removal: swap}}`")
        file.broken.add(name)
        return
    base = preset_name(node.get("preset"), file, diagnostics)
    if base is None and node.get("preset") is not None:
        file.broken.add(name)
    file.presets[name] = UserPreset(base, read_settings(node, diagnostics, "preset", skip=("preset",), where=name), key)


def preset_name(node: Any, file: SpecFile, diagnostics: Diagnostics) -> Optional[Scalar]:
    if node is None:
        return None
    if isinstance(node, Scalar) and node.value is not None and node.text:
        return node
    diagnostics.error("BSP0104", "'preset' takes the name of a preset", node.span,
                      help="known presets: " + ", ".join(list(PRESETS) + list(file.presets)))
    return None


def check_presets(file: SpecFile, diagnostics: Diagnostics) -> None:
    """Each preset must build on one that exists, and not on itself."""
    sound: Set[str] = set()  # what was followed to its end once: a long chain is not followed again from each of its presets
    for name, preset in file.presets.items():
        if preset.base is None or name in file.broken:
            continue
        if not known_preset(preset.base, file, diagnostics):
            file.broken.add(name)
            continue
        seen = {name: None}  # in their order
        at = preset
        while at.base is not None and at.base.text in file.presets and at.base.text not in file.broken \
                and at.base.text not in sound:
            if at.base.text in seen:
                if at.base.text == name:
                    through = "" if len(seen) == 1 else ", by way of " + " and ".join(f"'{n}'" for n in list(seen)[1:])
                    diagnostics.error("BSP0114", f"preset '{name}' builds on itself{through}", preset.base.span,
                                      help="leave out 'preset' in one of them, or build it on a preset of Bespoke: `bespoke "
                                           "list` names them")
                file.broken.update(seen)
                break
            seen[at.base.text] = None
            at = file.presets[at.base.text]
        else:
            sound.update(seen)


def known_preset(node: Scalar, file: SpecFile, diagnostics: Diagnostics) -> bool:
    name = node.text
    if name in file.presets or name in PRESETS:
        return True
    if not file.incomplete and name not in file.broken:
        known = list(PRESETS) + list(file.presets)
        # To compare thousands of names with each other takes long, and nobody reads that.
        advice = suggestion(name, known) + "known presets: " + ", ".join(known) if len(file.broken) < 50 else None
        diagnostics.error("BSP0113", f"unknown preset '{shown(name)}'", node.span, help=advice)
    return False
