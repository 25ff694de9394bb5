"""From located nodes to complete containers: includes, presets, defaults, derived values, then the rules."""

import os
import re
from typing import Any, Dict, List, Optional
from typing import Sequence as Seq
from typing import Set, Tuple

from ..text import identifiers, loader
from ..text.diag import Diagnostic, Diagnostics, Note, Span, did_you_mean
from ..text.identifiers import is_built_in
from ..text.loader import Mapping, Scalar, Sequence
from ..types import typelock
from ..types.typelock import TypeInfo
from .keys import BY_PATH, FUNCTIONS, KEYS, VERSION, Settings, in_yaml, members, parse_default, read_settings, shape, shown, \
    suggestion
from .model import Container, Setting, Spec
from .presets import INSTEAD, PRESETS
from .rules import TOLD, Rules, auto_removal, auto_storage, fixed_storage, locals_of, why_no_container
from .soa import lanes

TOP_KEYS = ("bespoke", "include", "defaults", "presets", "containers", "memberships")
MAX_INCLUDES = 64

_EXAMPLE = "fleet: {element: {type: struct ship, header: ship.h}}"
_STEM = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}\Z")
# A header of this name would hide the library's own.
_LIBRARY_STEMS = frozenset(
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic "
    "stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype "
    "unistd fcntl strings memory malloc search pthread sched semaphore poll features alloca windows io process "
    "direct dirent".split())
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|\Z)", re.IGNORECASE)


class _Preset:
    """A preset of a spec's own: the one it builds on, its settings, its name."""

    def __init__(self, base: Optional[Scalar], settings: Settings, key: Scalar):
        self.base, self.settings, self.key = base, settings, key


class _Unsound:
    """A container that something was said about, and the paths that are in doubt: of the others more may be said."""

    def __init__(self, container: Container, spoilt: Set[str]):
        self.container, self.spoilt = container, spoilt


class _File:
    """What a spec file, with all it includes, offers to its containers."""

    def __init__(self) -> None:
        self.defaults = Settings()
        self.presets: Dict[str, _Preset] = {}
        self.inputs: List[str] = []
        self.read: Set[str] = set()
        self.broken: Set[str] = set()  # presets that something was said about
        self.folder = ""
        self.locks = Locks()
        self.unsound: List[_Unsound] = []
        self.doubtful = False  # the text is broken, so what it says may not be what was meant
        self.incomplete = False  # something could not be included: what is unknown may be there


class Locks:
    """Where what is known of types comes from: the locks beside the specs."""

    def __init__(self) -> None:
        self.known: Dict[str, Optional[TypeInfo]] = {}  # by path

    def find(self, container: Container, folder: str, diagnostics: Diagnostics) -> Optional[TypeInfo]:
        """The type of a container's element, or None where it has no lock or the lock is broken."""
        path = typelock.lock_path(folder, container["element.type"])
        if path not in self.known:
            self.known[path] = typelock.read(path, diagnostics, container.span.source.name) \
                if os.path.lexists(path) else None
        info = self.known[path]
        if info is not None and info.type != container["element.type"]:
            diagnostics.error("BSP0323", f"'{path}' is the lock of '{info.type}', not of '{container['element.type']}'",
                              container.span_of("element.type"), notes=[Note("the other type", info.span)],
                              help="rename one of the types, or put the specs into two folders")
            return None
        return info


class Users(Locks):
    """For whoever asks which specs go by a lock: nothing is known of any type."""

    def __init__(self) -> None:
        super().__init__()
        self.specs: Dict[str, List[str]] = {}  # by path of the lock

    def find(self, container: Container, folder: str, diagnostics: Diagnostics) -> Optional[TypeInfo]:
        found = self.specs.setdefault(typelock.lock_path(folder, container["element.type"]), [])
        if container.span.source.name not in found:
            found.append(container.span.source.name)
        return None


def left_over(specs: Seq[Spec], include_dirs: Seq[str] = ()) -> List[Tuple[str, str]]:
    """The locks beside specs whose type no spec of their folder has elements of: path and type."""
    found: List[Tuple[str, str]] = []
    for folder in dict.fromkeys(os.path.dirname(spec.path) for spec in specs):
        named = {container["element.type"] for spec in specs if os.path.dirname(spec.path) == folder for container in spec.containers}
        locks = [(path, type_) for path, type_ in typelock.written(folder) if type_ not in named]
        if not locks:
            continue
        users = Users()
        doubtful = ""  # specs with errors may have more containers than could be made of them
        seen = {os.path.realpath(spec.path) for spec in specs}
        for name in sorted(os.listdir(folder or os.curdir)):
            path = os.path.join(folder, name)
            if not name.endswith((".yaml", ".yml")) or os.path.realpath(path) in seen:
                continue
            problems = Diagnostics()
            load_spec(path, problems, include_dirs, users)
            if problems.errors:
                doubtful += typelock.text_of(path)
        found += [(path, type_) for path, type_ in locks
                  if path not in users.specs and not re.search(rf"\b{re.escape(type_.split()[-1])}\b", doubtful)]
    return found


def load_spec(path: str, diagnostics: Diagnostics, include_dirs: Seq[str] = (),
              locks: Optional[Locks] = None, included: Optional[Set[str]] = None) -> Optional[Spec]:
    """Reads and resolves one spec file; None when diagnostics holds errors about it. included: told which files it includes."""
    before = diagnostics.errors
    stem = os.path.splitext(os.path.basename(path))[0]
    file = _File()
    file.folder = os.path.dirname(path)
    file.locks = Locks() if locks is None else locks
    root = _load_file(path, diagnostics, file, chain=(), included=None)
    if included is not None:
        included |= file.read - {os.path.realpath(path)}
    if not isinstance(root, Mapping):
        return None
    _check_stem(path, stem, root.span, diagnostics)
    _check_presets(file, diagnostics)
    spec = Spec(path=path, stem=stem, inputs=file.inputs)
    containers = root.get("containers")
    if containers is None:
        if not any(did_you_mean(key.text, ["containers"]) for key, _ in root.entries if key.text not in TOP_KEYS):
            word = root.key("bespoke")
            astray = next((key.text for key, node in root.entries if key.text not in TOP_KEYS and isinstance(node, Mapping)), None)
            diagnostics.error("BSP0105", "a spec needs 'containers'", root.span if word is None else word.span,
                              help=[f"`containers: {{{_EXAMPLE}}}`" if astray is None
                                    else f"if '{shown(astray)}' is one: `containers: {{{shown(astray)}: ...}}`"]
                              + ["if others `include` this file, it is no spec of its own: name them instead"]
                              * (astray is None and any(root.get(word) is not None for word in ("defaults", "presets"))))
    elif not isinstance(containers, Mapping) or not containers.entries:
        diagnostics.error("BSP0104", "'containers' takes a mapping from names to containers", containers.span,
                          help=f"`containers: {{{_EXAMPLE}}}`")
    else:
        for key, node in containers.entries:
            container = _container(key, node, file, diagnostics)
            if container is not None:
                spec.containers.append(container)
    if spec.containers or file.unsound:
        _check_names(spec, file.unsound, diagnostics)
        _find_headers(spec, file.unsound, diagnostics, include_dirs)
    if spec.containers:
        _check_files(spec, diagnostics)
        if diagnostics.errors == before:
            _find_names(spec, diagnostics, include_dirs)
        for container in spec.containers:
            info = container.type_info
            for path in () if info is None else info.inputs + ((info.path,) if info.path else ()):
                if path not in spec.headers:
                    spec.headers.append(path)
        from ..containers.memberships import read  # what a container can do is the plan's to say
        spec.memberships = read(root.get("memberships"), spec, len(spec.containers) == len(containers.entries), diagnostics)
    return spec if diagnostics.errors == before else None


def _check_stem(path: str, stem: str, span: Span, diagnostics: Diagnostics) -> None:
    """The files that are written take their name from the spec."""
    base = os.path.basename(path)
    advice = "rename the spec: what it gives is named after it"
    if not _STEM.match(stem):
        reason = "it is too long" if len(stem) > 100 else "only letters, digits, '_', '-', '+' and '.' are allowed"
        diagnostics.error("BSP0112", f"'{shown(base)}' cannot name a header: {reason}", span, help=advice)
    elif stem.lower() in _LIBRARY_STEMS:
        diagnostics.error("BSP0112", f"'{base}' would give '{stem}.h', which is a header of the system", span,
                          help=advice)
    elif _DEVICE.match(stem):
        diagnostics.error("BSP0112", f"'{base}' cannot name a header: '{stem}' is a device on Windows", span,
                          help=advice)


# -- files -----------------------------------------------------------------------------------------------------------


def _load_file(path: str, diagnostics: Diagnostics, file: _File, chain: Tuple[str, ...],
               included: Optional[Span]) -> Any:
    real = os.path.realpath(path)
    if real in chain:
        diagnostics.error("BSP0106", f"'{path}' includes itself", included,
                          help="specs may share a third file that both include")
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


def _not_included(item: Diagnostic, included: Span) -> Diagnostic:
    """What the loader says of a file as a whole, at the line that includes it."""
    return Diagnostic("BSP0107", re.sub(r"\Acannot read", "cannot include", item.message), included, item.severity,
                      item.help, item.notes)


def _include(path: str, node: Mapping, diagnostics: Diagnostics, file: _File, chain: Tuple[str, ...]) -> None:
    include = node.get("include")
    if include is None:
        return
    for item in include.items if isinstance(include, Sequence) else [include]:
        if not isinstance(item, Scalar) or not item.text or item.value is None:
            diagnostics.error("BSP0104", "'include' takes a path or a list of paths", item.span,
                              help="such as `include: common.yaml`")
            file.incomplete = True
            continue
        _load_file(os.path.join(os.path.dirname(path), item.text), diagnostics, file, chain, item.span)


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


def _user_preset(key: Scalar, node: Any, file: _File, diagnostics: Diagnostics) -> None:
    name = key.text
    problem = identifiers.check_identifier(name, library=False)
    if problem:
        diagnostics.error("BSP0301", f"'{shown(name)}' cannot name a preset: {problem}", key.span)
        file.broken.add(name)
        return
    if name in PRESETS:
        diagnostics.error("BSP0110", f"'{name}' is a preset of Bespoke's own", key.span,
                          help=f"choose another name, and build on it: `my_{name}: {{preset: {name}}}`")
        return
    if name in file.presets:
        diagnostics.error("BSP0110", f"preset '{name}' is defined twice", key.span,
                          notes=[Note("the other one", file.presets[name].key.span)])
        return
    if not isinstance(node, Mapping):
        diagnostics.error("BSP0104", f"preset '{name}' takes a mapping of keys", node.span,
                          help=f"such as `{name}: {{ordering: unordered, removal: swap}}`")
        file.broken.add(name)
        return
    base = _preset_name(node.get("preset"), file, diagnostics)
    if base is None and node.get("preset") is not None:
        file.broken.add(name)
    file.presets[name] = _Preset(base, read_settings(node, diagnostics, "preset", skip=("preset",), where=name), key)


def _preset_name(node: Any, file: _File, diagnostics: Diagnostics) -> Optional[Scalar]:
    if node is None:
        return None
    if isinstance(node, Scalar) and node.value is not None and node.text:
        return node
    diagnostics.error("BSP0104", "'preset' takes the name of a preset", node.span,
                      help="known presets: " + ", ".join(list(PRESETS) + list(file.presets)))
    return None


def _check_presets(file: _File, diagnostics: Diagnostics) -> None:
    """Each preset must build on one that exists, and not on itself."""
    for name, preset in file.presets.items():
        if preset.base is None or name in file.broken:
            continue
        if not _known_preset(preset.base, file, diagnostics):
            file.broken.add(name)
            continue
        seen = [name]
        at = preset
        while at.base is not None and at.base.text in file.presets and at.base.text not in file.broken:
            if at.base.text in seen:
                if at.base.text == name:
                    through = "" if len(seen) == 1 else ", by way of " + " and ".join(f"'{n}'" for n in seen[1:])
                    diagnostics.error("BSP0114", f"preset '{name}' builds on itself{through}", preset.base.span)
                file.broken.update(seen)
                break
            seen.append(at.base.text)
            at = file.presets[at.base.text]


def _known_preset(node: Scalar, file: _File, diagnostics: Diagnostics) -> bool:
    name = node.text
    if name in file.presets or name in PRESETS:
        return True
    if not file.incomplete and name not in file.broken:
        known = list(PRESETS) + list(file.presets)
        diagnostics.error("BSP0113", f"unknown preset '{shown(name)}'", node.span,
                          help=suggestion(name, known) + "known presets: " + ", ".join(known))
    return False


# -- containers ------------------------------------------------------------------------------------------------------


def _container(key: Scalar, node: Any, file: _File, diagnostics: Diagnostics) -> Optional[Container]:
    """A container of which nothing is wrong, or None."""
    said = Diagnostics()  # what was said of another one, such as at the defaults of both, is wrong with this one, too
    container = _read_container(key, node, file, said)
    diagnostics.extend(said)
    return container


def _read_container(key: Scalar, node: Any, file: _File, diagnostics: Diagnostics) -> Optional[Container]:
    name = key.text
    problem = identifiers.check_identifier(name, library=False)
    if problem:
        diagnostics.error("BSP0301", f"'{shown(name)}' cannot name a container: {problem}", key.span,
                          help=f"call it something else, such as `{name}_list`"
                          if identifiers.check_identifier(name + "_list") is None else None)
    if not isinstance(node, Mapping):
        advice = "at least: `element: {type: struct ship, header: ship.h}`"
        glued = re.match(r"(\w+):\S", node.text) if isinstance(node, Scalar) and node.plain else None
        if glued:
            advice = f"a space is missing behind '{glued.group(1)}:'"
        diagnostics.error("BSP0104", f"container '{shown(name)}' takes a mapping of keys, not {shape(node)}", node.span,
                          help=advice)
        return None
    container = Container(name, key.span)
    own = read_settings(node, diagnostics, skip=("preset",))
    preset = _preset_name(node.get("preset"), file, diagnostics)
    whole = preset is not None or node.get("preset") is None
    layers = [own]
    if preset is not None:
        given = _preset_layers(preset, file, diagnostics, container)
        whole = given is not None
        layers += given or []
    layers.append(file.defaults)
    spoilt: Set[str] = set()
    for layer in reversed(layers):
        spoilt = {path for path in spoilt if path not in layer} | layer.spoilt
        _lay_over(container, layer)
    _check_element(container, key, node, spoilt, diagnostics, whole)
    if not problem:
        _check_full_name(container, spoilt, diagnostics)
    if not whole or file.doubtful:
        return None  # without its preset, or with half of its text, nothing more can be said about it
    _spoil(container, spoilt)
    if container["element.type"] is not None and container[container.defining] is not None:
        said = diagnostics.errors
        container.type_info = file.locks.find(container, file.folder, diagnostics)
        if diagnostics.errors != said:
            spoilt.add("element.fields")
    settle(container, diagnostics, spoilt, preset)
    if not diagnostics.errors and not spoilt:
        return container
    if not problem and not spoilt & {"emit.prefix", "emit.types", "emit.functions"}:
        file.unsound.append(_Unsound(container, spoilt))
    return None


def _check_element(container: Container, key: Scalar, node: Mapping, spoilt: Set[str], diagnostics: Diagnostics,
                   whole: bool) -> None:
    """There must be an element and its type."""
    if "element.type" in container.settings or "element.type" in spoilt:
        return
    if container["layout"] == "soa" and ("element.fields" in container.settings or "element.fields" in spoilt):
        return  # the element is what its members make
    spoilt.add("element.type")
    if not whole:
        return
    spoilt.add("element.fields")
    group = node.key("element")
    advice = "`element: {type: struct ship, header: ship.h}`"
    if container["layout"] == "soa":
        advice = "`element: {fields: {x: float, y: float}}`"
    elif "element.fields" in container.settings:
        advice += ", or `layout: soa`: its fields make the element then"
    if group is not None:
        diagnostics.error("BSP0102", "'element' has no 'type'" + " and no 'fields'" * (container["layout"] == "soa"),
                          group.span, help=f"such as {advice}")
    elif container.settings.get("element.by") is None or container.settings["element.by"].origin != "spec":
        diagnostics.error("BSP0102", f"container '{shown(container.name)}' has no 'element'", key.span,
                          help=f"say what it holds: {advice}")


def _check_full_name(container: Container, spoilt: Set[str], diagnostics: Diagnostics) -> None:
    prefix = container["emit.prefix"] or ""
    if spoilt & {"emit.prefix", "emit.types"}:
        return
    full = container.full_name
    problem = why_no_container(full)
    if not problem:
        return
    advice = []
    if len(full) < 40:
        advice.append(f"call it something else, such as `{container.name}_list`")
    if prefix:
        diagnostics.error("BSP0301", f"'{shown(full)}', the container with its prefix, cannot name a type: {problem}",
                          container.span, notes=[Note(f"the prefix is '{prefix}'", container.span_of("emit.prefix"))],
                          help=advice)
    else:
        advice.append("give it a prefix: `emit: {prefix: eng_}`")
        diagnostics.error("BSP0301", f"'{shown(full)}' cannot name a container: {problem}", container.span, help=advice)


def _lay_over(container: Container, layer: Dict[str, Setting]) -> None:
    """Puts a layer over the ones below it; another value of a group's main key leaves the group's rest behind."""
    for path, setting in layer.items():
        below = container.settings.get(path)
        if below is not None and below.value != setting.value and BY_PATH[path].short:
            group = BY_PATH[path].group
            for other in [p for p in container.settings if p.startswith(group + ".") and BY_PATH[p].only]:
                if setting.value not in BY_PATH[other].only.get(path, (setting.value,)):
                    del container.settings[other]
    container.settings.update(layer)


def _preset_layers(node: Scalar, file: _File, diagnostics: Diagnostics,
                   container: Container) -> Optional[List[Settings]]:
    """The layers of a preset and of those it builds on, the nearest first; None: they are not all there."""
    layers: List[Settings] = []
    seen: List[str] = []
    where: Optional[Scalar] = node
    while where is not None:
        name = where.text
        if name in file.broken or not _known_preset(where, file, diagnostics):
            return None
        seen.append(name)
        if name in file.presets:
            layers.append(file.presets[name].settings)
            where = file.presets[name].base
            continue
        layer = Settings()
        for path, value in PRESETS[name].settings.items():
            layer[path] = Setting(value, "preset", node.span, name)
        layers.append(layer)
        container.preset = name
        where = None
    container.preset_chain = tuple(seen)
    return layers


# What else is in doubt when something was said about one key.
_DOUBT = {
    "identity.key": ("identity.by",), "identity.by": ("identity.key",), "index.field": ("index.kind",),
    "removal.when": ("iteration.adds",), "iteration.adds": ("removal.when",), "capacity.max": ("capacity.initial",),
    "allocator.alloc": ("allocator.kind",), "allocator.realloc": ("allocator.kind",),
    "allocator.free": ("allocator.kind",),
}
_DECIDES_REMOVAL = ("ordering", "index.kind", "handles.kind", "removal.when", "addresses", "element.by",
                    "removal.expired", "hooks.update", "capacity.inline", "iteration.direction")


def _spoil(container: Container, spoilt: Set[str]) -> None:
    """What is derived from something spoilt is spoilt, too."""
    for path in list(spoilt):
        spoilt.update(other for other in _DOUBT.get(path, ()) if other not in container.settings)
    if container["removal.policy"] in (None, "auto") and spoilt.intersection(_DECIDES_REMOVAL):
        spoilt.add("removal.policy")


def _derive(container: Container, path: str, value: Any, reason: str, source: str = "") -> None:
    """Gives a key a value that follows from another key, whose line is then responsible for both."""
    if path not in container.settings:
        because = container.settings.get(source)
        container.settings[path] = Setting(value, "derived", None if because is None else because.span, reason)


def settle(container: Container, diagnostics: Diagnostics, spoilt: Set[str], preset: Optional[Scalar]) -> None:
    """Fills in what the spec leaves out, and checks the whole."""
    if container["layers.names"] is not None:
        _derive(container, "ordering", "layered", "'layers' are named", "layers.names")
    if container["ordering"] == "layered":
        _settle_layers(container, diagnostics, spoilt, preset)
        return
    complete(container)
    _check_needs(container, preset, spoilt, diagnostics)
    _check_lock(container, spoilt, diagnostics)
    Rules(container, diagnostics, spoilt, None if preset is None else preset.span).check()


def _settle_layers(container: Container, diagnostics: Diagnostics, spoilt: Set[str], preset: Optional[Scalar]) -> None:
    """Each layer is an ordinary container, which all keys but `layers` speak of; so the same rules decide about it."""
    c = container
    own = {path: c.settings.pop(path) for path in ("ordering", "layers.names", "layers.ordering") if path in c.settings}
    layer = Container(c.name, c.span, dict(c.settings), c.preset, c.preset_chain, is_layer=True,
                      type_info=c.type_info)
    layer.settings["ordering"] = own.setdefault("layers.ordering", Setting(parse_default("layers.ordering"), "default"))
    said = Diagnostics()
    complete(layer)
    _check_needs(layer, preset, spoilt, said, but="layers.")
    _check_lock(layer, spoilt, said)
    Rules(layer, said, spoilt, None if preset is None else preset.span).check()
    for item in said:
        diagnostics.add(_of_layers(item))
    c.settings = {**layer.settings, **own}
    _check_needs(c, preset, spoilt, diagnostics)
    if "layers.names" not in own and not spoilt & {"layers", "layers.names"}:
        diagnostics.error("BSP0255", "`ordering: layered` needs the names of the layers", c.span_of("ordering"),
                          help="such as `layers: [ground, units, air]`")
    problem = identifiers.check_identifier(c.type_of("layer"))
    if problem and identifiers.check_identifier(c.full_name) is None:
        diagnostics.error("BSP0301", f"'{c.name}_layer', the type of a layer, cannot name a type: {problem}", c.span)
    layer.name += "_layer"
    if layer["hooks.update"] is not None:
        tick = f"const struct {c.type_of('tick')} *"
        layer.settings["hooks.context"] = Setting(tick, "derived", None, "each layer has its own time")
    c.layer = layer


def importable(container: Container) -> bool:
    """Is the element of a type that its header declares by name?"""
    type_, header = container["element.type"], container[container.defining]
    return type_ is not None and header is not None and typelock.NAMED.match(type_) is not None and not is_built_in(type_)


def needs_members(container: Container) -> bool:
    """Can nothing be generated for a container unless the members of its element are known?"""
    return container["layout"] == "soa" and container["element.fields"] is None


# Keys that name a member of the element.
_MEMBERS = ("element.link.next", "element.link.prev", "element.link.owner", "index.field")
# Keys with expressions that may name some.
_EXPRESSIONS = ("identity.key", "sort.key", "sort.less", "removal.expired", "test.expire")


def _check_lock(container: Container, spoilt: Set[str], diagnostics: Diagnostics) -> None:
    """What is known of the element's type must go with what the container does with it."""
    c, info = container, container.type_info
    if info is None or "element.type" in spoilt:
        return
    known = [] if info.span is None else [Note("what is known of the type", info.span)]
    if c["element.by"] == "value" and info.no_value and (c["layout"] != "soa" or not info.fields and info.kind in ("struct", "opaque")):
        advice = ["`element: {by: pointer}` holds their addresses"]
        if info.kind == "opaque":
            advice.append(f"or name as `header` the one that defines it: '{c[c.defining]}' only declares it")
        diagnostics.error("BSP0330", f"elements of type '{info.type}' cannot be held by value: {info.no_value}",
                          c.span_of("element.type"), notes=known, help=advice)
        spoilt.add("element.type")
    named = [(path, name) for path, name in named_members(c) if path not in spoilt]
    if info.kind == "opaque" and named and "element.type" not in spoilt:
        diagnostics.error("BSP0331", f"'{info.type}' has no member '{named[0][1]}' that is known: '{c[c.defining]}' only declares it",
                          c.span_of(named[0][0]), notes=known,
                          help="name the header that defines it, which only the source includes then: `element: {defined_in: ...}`; "
                               f"then `bespoke type import {shown(c.span.source.name)}`")
        spoilt.add(named[0][0])
    for path, name in named:
        if info.kind not in ("struct", "union") or info.member(name) is not None:
            continue
        advice = [suggestion(name, [member.name for member in info.members]).strip()
                  or "its members: " + ", ".join(member.name for member in info.members[:12])]
        if not info.inputs:  # else the header has just been read
            advice.append("if the header has changed: `bespoke type import`")
        diagnostics.error("BSP0331", f"'{info.type}' has no member '{name}'", c.span_of(path), notes=known, help=advice)
        spoilt.add(path)


def named_members(container: Container) -> List[Tuple[str, str]]:
    """The members of the element that a spec names: by which key, and which."""
    named = [(path, container[path]) for path in _MEMBERS if container[path] is not None]
    for path in _EXPRESSIONS:
        found = re.findall(r"\b(?:element|a|b)\s*->\s*(\w+)", str(container[path] or ""))
        named += [(path, name) for name in dict.fromkeys(found)]
    return named


def unguarded(container: Container) -> List[str]:
    """The members that a spec names of a type of which nothing is known: where they change, only the compiler may notice."""
    if container.type_info is not None or container["element.fields"] is not None or not importable(container):
        return []
    return list(dict.fromkeys(name for _, name in named_members(container)))


def _of_layers(item: Diagnostic) -> Diagnostic:
    """What was said of a layer, in words of the spec: there its order is another key."""
    def reworded(text: str) -> str:
        text = re.sub(r"`ordering: (\w+)`", r"`layers: {ordering: \1}`", text)
        return re.sub(r"(^|[\s'])ordering(?=('| can be))", r"\1layers.ordering", text)
    return Diagnostic(item.code, reworded(item.message), item.span, item.severity, tuple(map(reworded, item.help)),
                      tuple(Note(reworded(note.message), note.span) for note in item.notes))


def complete(container: Container) -> None:
    """Fills in defaults and derived values."""
    c = container
    if c["identity.key"] is not None:
        _derive(c, "identity.by", "key", "an 'identity.key' is given", "identity.key")
    if c["index.field"] is not None:
        _derive(c, "index.kind", "intrusive", "an 'index.field' is given", "index.field")
    for path in ("element.link.next", "element.link.prev", "element.link.owner"):
        if c[path] is not None:
            _derive(c, "element.by", "intrusive", "the members that link the elements are given", path)
    if c["element.by"] == "intrusive":
        _derive(c, "duplicates", "reject", "an element has one set of links for it", "element.by")
    for path in ("allocator.alloc", "allocator.realloc", "allocator.free"):
        if c[path] is not None:
            _derive(c, "allocator.kind", "custom", "functions are given", path)
    if c["removal.when"] == "deferred":
        _derive(c, "iteration.adds", "deferred", "removals are deferred", "removal.when")
    if c["iteration.adds"] == "deferred":
        _derive(c, "removal.when", "deferred", "adds are deferred", "iteration.adds")
    _derive(c, "identity.by", "address", "no key is given")
    _derive(c, "allocator.kind", "stdlib", "no functions are given")
    for key in KEYS:
        if key.default is not None and key.path not in c.settings:
            c.settings[key.path] = Setting(parse_default(key.path), "default")
    _derive(c, "iteration.adds", "visited", "nothing is deferred")
    if c["removal.policy"] == "auto":
        policy, reason = auto_removal(c)
        asked = c.settings["removal.policy"]
        c.settings["removal.policy"] = Setting(policy, "derived", asked.span if asked.origin == "spec" else None,
                                               reason)
    if c["storage.kind"] == "auto":
        storage, reason = auto_storage(c)
        asked = c.settings["storage.kind"]
        c.settings["storage.kind"] = Setting(storage, "derived", asked.span if asked.origin == "spec" else None, reason)
    if c["element.by"] != "intrusive" and c["capacity.max"] is not None and (c["capacity.inline"] or fixed_storage(c)):
        _derive(c, "capacity.initial", c["capacity.max"], "room for all is made at once")
    most = c["capacity.max"]
    _derive(c, "capacity.initial", 16 if most is None else min(16, most), "a small start")


def variant(container: Container, path: str, value: Any) -> Optional[Container]:
    """The same container with another value of one key, or None where that does not go with the rest."""
    said = {key: setting for key, setting in container.settings.items() if setting.origin not in ("default", "derived")}
    other = Container(container.name, container.span, said, container.preset, container.preset_chain,
                      type_info=container.type_info)
    _lay_over(other, {path: Setting(value, "spec", container.span)})
    problems = Diagnostics()
    settle(other, problems, set(), None)
    return None if problems.errors else other


_NEEDS = {
    "removal.expired": "element->hp <= 0", "layers.names": ("ground", "units", "air"), "index.field": "slot", "capacity.max": "64",
}


def _check_needs(container: Container, preset: Optional[Scalar], spoilt: Set[str], diagnostics: Diagnostics,
                 but: str = "\0") -> None:
    """What a preset leaves to its user must be given, as long as the user keeps what needs it."""
    c = container
    if preset is None or c.preset not in PRESETS:
        return
    base = PRESETS[c.preset]
    for path in base.needs:
        if path.startswith(but):
            continue
        key = BY_PATH[path]
        kept = all(c[other] in allowed and c.settings[other].origin == "preset" for other, allowed in key.only.items())
        if path == "capacity.max":
            kept = c["addresses"] == "stable"
        if c[path] is not None or path in spoilt or not kept or c[INSTEAD.get(path, path)] is not None:
            continue
        diagnostics.error("BSP0225", f"preset '{c.preset}' needs '{path}'", preset.span,
                          notes=[] if c.span.line == preset.span.line else [Note("in this container", c.span)],
                          help=f"such as {in_yaml(path, _NEEDS.get(path, key.example))}: {_first(key.doc)}")
        spoilt.add(path)


def _first(doc: str) -> str:
    sentence = re.split(r"[.:;] ", doc)[0].rstrip(".")
    return sentence[:1].lower() + sentence[1:]


# -- a spec as a whole -----------------------------------------------------------------------------------------------


class _Taken:
    """A C name of the spec: who has it, and as what."""

    def __init__(self, container: Container, span: Span, what: str, shape: str = ""):
        self.container, self.span, self.what, self.shape = container, span, what, shape


def _called(container: Container) -> str:
    """What the spec calls a container."""
    return container.name[:-len("_layer")] if container.is_layer else container.name


def _check_names(spec: Spec, unsound: Seq[_Unsound], diagnostics: Diagnostics) -> None:
    """No C name may stand for two things."""
    from ..containers.plan import c_names  # what a container will declare is the plan's to say
    owners: Dict[str, _Taken] = {}
    for container in spec.emitted:
        declared = c_names(container)
        for name in declared:
            other = owners.get(name)
            if other is not None and other.container is not container:
                diagnostics.error("BSP0306", _both(name, other.container, container), container.span,
                                  notes=[Note("the other one", other.span)],
                                  help="rename one, or give one an `emit.prefix`")
                break
        _check_fields(container, declared, diagnostics)
        for name in declared:
            owners.setdefault(name, _Taken(container, container.span, "of the container"))
    for container in spec.containers:
        _check_types(container, owners, diagnostics)
    _check_members(spec, diagnostics)
    for container in spec.containers:
        _check_operations(container, diagnostics)
        _check_functions(container.layer or container, owners, diagnostics)
    for each in unsound:
        _check_types(each.container, owners, diagnostics, each.spoilt)
        _check_functions(each.container.layer or each.container, owners, diagnostics, each.spoilt)


def _check_operations(container: Container, diagnostics: Diagnostics) -> None:
    """What is chosen must be something that the container has."""
    names_ = container["emit.operations"]
    if names_ is None:
        return
    from ..emitted.prune import known
    there = known(container)
    setting = container.settings["emit.operations"]
    for name, span in zip(names_, names_.spans):
        if name not in there:
            diagnostics.error("BSP0233", f"container '{container.name}' has no operation '{name}'", span,
                              notes=[] if setting.origin == "spec" else [Note("this container", container.span)],
                              help=suggestion(name, there) + "it has: " + ", ".join(there))


def _both(name: str, first: Container, second: Container) -> str:
    """That two containers would declare one name, and as what."""
    from ..containers.plan import declared_as
    kinds, words = [declared_as(name, each) for each in (first, second)], [f"'{_called(each)}'" for each in (first, second)]
    if kinds[0] != kinds[1]:
        return f"'{name}' would be both a {kinds[0]} of container {words[0]} and a {kinds[1]} of container {words[1]}"
    return f"containers {' and '.join(words)} would both declare the {kinds[0]} '{name}'"


def _check_members(spec: Spec, diagnostics: Diagnostics) -> None:
    """Containers may share links if they share the owner, too: it says in which of them the element is."""
    users: Dict[Tuple[str, str], Container] = {}
    for container in spec.containers:
        for path in ("element.link.next", "element.link.prev"):
            if container[path] is None:
                continue
            key = (container["element.type"], container[path])
            other = users.setdefault(key, container)
            if other["element.link.owner"] != container["element.link.owner"]:
                diagnostics.error("BSP0263", f"'{key[1]}' of '{key[0]}' is a link of container '{other.name}' already",
                                  container.span_of(path), notes=[Note("the other container", other.span)],
                                  help=["give the element a member for each container that it may be in at once",
                                        "if it is in one of them at a time, let them share the owner, too, a `void *`"])
                break


def _check_fields(container: Container, declared: Seq[str], diagnostics: Diagnostics) -> None:
    """Each member gives its column a function, whose name must be free."""
    for member in lanes(container):
        for name in (container.function(member.name), container.function(f"const_{member.name}")):
            if declared.count(name) > 1 and member.span is not None:
                diagnostics.error("BSP0311", f"member '{member.name}' would give '{name}', which the container declares "
                                  "already", member.span,
                                  help=["call the member something else"] * (container["element.fields"] is not None)
                                  + ["or name the members that get columns in `hot`, and leave this one out"
                                     if container["element.hot"] is None else "or leave it out of `hot`"])
                break


def _check_types(container: Container, owners: Dict[str, _Taken], diagnostics: Diagnostics, spoilt: Seq[str] = ()) -> None:
    kinds = [(path, container[path]) for path in ("element.type", "hooks.context")]
    kinds += [("element.fields", member.type) for member in container["element.fields"] or ()]
    for path, kind in kinds:
        if kind is None or path in spoilt or is_built_in(kind):
            continue
        for name in re.findall(r"[A-Za-z_]\w*", re.sub(r"\b(const|volatile|struct|union|enum)\b", "", kind)):
            other = owners.get(name)
            if other is None:
                if name in locals_of(container) and not re.search(r"\b(struct|union|enum) " + name, kind):
                    diagnostics.error("BSP0305", f"'{name}' cannot be a type here: the emitted functions have "
                                      "parameters and variables of that name", container.span_of(path),
                                      help=f"use its tag, as in `struct {name}`")
                continue
            if other.container is container:
                diagnostics.error("BSP0305", f"'{name}' is both the container and its element", container.span_of(path),
                                  help=f"call the container something else, such as `{name}_list`",
                                  notes=[Note("the container", container.span)])
            else:
                diagnostics.error("BSP0305", f"'{name}' is declared for container '{other.container.name}' and cannot "
                                  "be a type of its own", container.span_of(path),
                                  notes=[Note("the container", other.span)],
                                  help="rename the container, or give it an `emit.prefix`")


def _signature(container: Container, path: str) -> str:
    """What the emitted code declares a function as, so that two uses of one name can be compared."""
    element = container.element
    if path.startswith("hooks."):
        context = f", {container['hooks.context']}" if path == "hooks.update" else ""
        by_row = container["layout"] == "soa" and path not in ("hooks.remove", "hooks.destroy")
        return f"void (struct {container.full_name} *, {'size_t' if by_row else f'{element} *'}{context})"
    if path == "removal.expired":
        return f"bool (const {element} *)"
    if path == "sort.key":
        return f"double (const {element} *)"
    if path == "sort.less":
        return f"bool (const {element} *, const {element} *)"
    if path == "identity.key":
        return f"uint64_t (const {element} *)"
    custom, _, plain = BY_PATH[path].doc.partition("; if `plain`: ")
    return plain if container["allocator.kind"] == "plain" else custom


_SHAPING = frozenset(("element.type", "element.fields", "layout", "hooks.context"))  # what signatures depend on


def _check_functions(container: Container, owners: Dict[str, _Taken], diagnostics: Diagnostics, spoilt: Seq[str] = ()) -> None:
    heads = tuple(dict.fromkeys((container.full_name + "_", container.function(""))))
    for path in FUNCTIONS:
        value = container[path]
        name = "" if value is None else str(value)
        if not name.isidentifier() or path in spoilt:
            continue
        shape = _signature(container, path) if not _SHAPING.intersection(spoilt) else ""
        other = owners.get(name)
        span = container.span_of(path)
        if other is None:
            if name in TOLD:
                diagnostics.error("BSP0310", f"'{name}' cannot be '{path}': in the programs that generated tests print it is something else",
                                  span, help=f"call the function something else, such as `{container.name}_{name}`")
            elif name.startswith(heads) and name.endswith("_"):
                taken = next(head for head in heads if name.startswith(head))
                diagnostics.error("BSP0310", f"'{name}' cannot be '{path}': names that begin with '{taken}' and end "
                                  "with '_' are the container's own", span, help=f"leave out the '_' at the end: `{name.rstrip('_')}`"
                                  if name.rstrip("_") not in owners else "give the function another name")
            elif shape:
                owners[name] = _Taken(container, span, path, shape)
        elif not other.shape:
            diagnostics.error("BSP0310", f"'{name}' cannot be '{path}': container '{other.container.name}' declares it "
                              "itself", span, notes=[Note("the container", other.span)],
                              help="give the function another name")
        elif shape and other.shape != shape:
            where = f" of container '{other.container.name}'" if other.container is not container else ""
            notes = [Note(f"'{other.what}'{where} is `{other.shape}`", other.span)]
            diagnostics.error("BSP0222", f"'{name}' cannot be '{path}', `{shape}`: it is another function already",
                              span, notes=notes, help="give each its own function; both may call a third")


# Keys that belong to the files and not to one container.
_OF_FILES = ("emit.files", "emit.types", "emit.functions", "emit.header", "emit.export", "emit.assert", "emit.size_type", "emit.freestanding", "emit.cplusplus")


def _told(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _check_files(spec: Spec, diagnostics: Diagnostics) -> None:
    first = spec.containers[0]
    spec.files = first["emit.files"]
    for container in spec.containers[1:]:
        for path in _OF_FILES:
            if container[path] == first[path]:
                continue
            at, other = container, first
            if path not in container.settings or container.settings[path].origin == "default":
                at, other = first, container
            has = "is not given" if other[path] is None else f"is '{_told(other[path])}'"
            diagnostics.error("BSP0111", f"all containers of a spec go into the same files, so they share '{path}'",
                              at.span_of(path), notes=[Note(f"'{path}' {has} for container '{other.name}'",
                                                            other.span_of(path))],
                              help=f"say it once: `defaults: {{emit: {{{BY_PATH[path].leaf}: {_told(at[path])}}}}}`")
            return


def _find_headers(spec: Spec, unsound: Seq[_Unsound], diagnostics: Diagnostics, include_dirs: Seq[str]) -> None:
    folders = [os.path.dirname(spec.path) or "."] + list(include_dirs)
    said: Set[str] = set()  # headers of which something was said: each is told of once
    for each in [_Unsound(container, set()) for container in spec.containers] + list(unsound):
        container = each.container
        for path in ("emit.header", "element.header", "element.defined_in", "allocator.header"):
            header = container[path]
            if header is None or path in each.spoilt or header in said:
                continue
            if header.strip("<>").lower() == spec.stem.lower() + ".h":
                diagnostics.error("BSP0309", f"the spec gives a '{spec.stem}.h' of its own, which cannot include "
                                  f"'{header}'", container.span_of(path),
                                  help=f"rename the spec, to `{spec.stem}_list.yaml` perhaps")
                said.add(header)
                continue
            if header.startswith("<"):
                continue
            found = next((os.path.join(f, header) for f in folders if os.path.isfile(os.path.join(f, header))), None)
            if found is None:
                _no_header(header, container.span_of(path), folders, diagnostics)
                said.add(header)


# Names of the engine's, and the headers that may declare them: those of the emitted header, or of the source as well.
_DECLARED = {"emit.export": ("emit.header", "element.header"), "emit.size_type": ("emit.header", "element.header"),
             "emit.assert": ("emit.header", "element.header", "element.defined_in", "allocator.header")}
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">\n]+)[">]', re.MULTILINE)


def _find_names(spec: Spec, diagnostics: Diagnostics, include_dirs: Seq[str]) -> None:
    """A name of the engine's that occurs in nothing that is included is a warning: a compiler may know it by an option."""
    first = spec.containers[0]
    for path, places in _DECLARED.items():
        name = first[path]
        if name is None or is_built_in(name):
            continue
        headers = list(dict.fromkeys(c[place] for c in spec.containers for place in places if c[place] is not None))
        if _occurs(name, headers, [os.path.dirname(spec.path) or "."] + list(include_dirs)):
            continue
        where = "no header is included"
        if headers:
            named = ", ".join(f"'{each}'" for each in headers)
            where = f"it does not occur in {named} or in what {'that includes' if len(headers) == 1 else 'they include'}"
        diagnostics.warning("BSP0232", f"no header declares '{name}', which '{path}' names: {where}", first.span_of(path),
                            help="name the one that does: `emit: {header: engine/base.h}`, which is included first"
                            if first["emit.header"] is None else None)


def _occurs(name: str, headers: Seq[str], folders: Seq[str]) -> bool:
    """Is a name in one of these headers, or may it be in what they include and nobody finds here?"""
    word = re.compile(rf"\b{re.escape(name)}\b")
    todo = [(header.strip("<>"), "") for header in headers]
    seen: Set[str] = set()
    while todo:
        header, folder = todo.pop()
        if folder and os.path.splitext(header)[0] in _LIBRARY_STEMS:
            continue
        places = [folder] * bool(folder) + list(folders)
        found = next((path for path in (os.path.join(place, header) for place in places) if os.path.isfile(path)), None)
        if found is None:
            return True
        if found in seen:
            continue
        seen.add(found)
        try:
            with open(found, encoding="utf-8", errors="replace") as file:
                text = file.read()
        except OSError:
            return True
        if word.search(text):
            return True
        todo += [(inner, os.path.dirname(found) or ".") for inner in _INCLUDE.findall(text)]
    return False


def _moved(header: str, folders: Seq[str]) -> str:
    """Says where below the folders there is a header of that name, if it is not far."""
    name = os.path.basename(header)
    for root in dict.fromkeys(folders):
        for number, (folder, below, files) in enumerate(os.walk(root)):
            if name in files:
                return f"did you mean '{os.path.relpath(os.path.join(folder, name), root)}'?"
            if number == 200:
                break
            deep = os.path.relpath(folder, root).count(os.sep) >= 3
            below[:] = [] if deep else sorted(each for each in below if not each.startswith("."))
    return ""


def _no_header(header: str, span: Span, folders: Seq[str], diagnostics: Diagnostics) -> None:
    diagnostics.drop("BSP0324", f"the header cannot be read: '{header}' file not found")  # by whoever wanted to read a type there
    near: List[str] = []
    folder = os.path.dirname(header)
    for root in folders:
        try:
            near += sorted(os.path.join(folder, name) for name in os.listdir(os.path.join(root, folder) or ".")
                           if name.endswith((".h", ".hpp", ".hh", ".hxx")))[:2000]
        except OSError:
            pass
    looked = ", ".join(dict.fromkeys(f"'{root}'" for root in folders))
    advice = [_moved(header, folders) or suggestion(header, near).strip(), "folders to look in are given with -I; in CMake, a target of TYPES_FROM has them"]
    diagnostics.error("BSP0307", f"there is no header '{header}' in {looked}", span,
                      help=[text for text in advice if text] + [f"`<{header}>` leaves it to the compiler to find"])
