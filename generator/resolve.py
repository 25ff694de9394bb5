"""From located nodes to complete containers: includes, presets, defaults, derived values, then the rules."""

import os
import re
from typing import Any, Dict, List, Optional, Sequence as Seq, Tuple

from . import loader, names
from .diag import Diagnostics, Note, Span, did_you_mean
from .loader import Mapping, Scalar, Sequence
from .model import Container, Setting, Spec
from .presets import PRESETS
from .rules import Rules, auto_removal
from .schema import BY_PATH, KEYS, VERSION, parse_default, read_settings

TOP_KEYS = ("bespoke", "include", "defaults", "presets", "containers")


class _File:
    """What a spec file, with all it includes, offers to its containers."""

    def __init__(self) -> None:
        self.defaults: Dict[str, Setting] = {}
        self.presets: Dict[str, Tuple[Optional[Scalar], Dict[str, Setting], Span]] = {}
        self.inputs: List[str] = []


def load_spec(path: str, diagnostics: Diagnostics, include_dirs: Seq[str] = ()) -> Optional[Spec]:
    """Reads and resolves one spec file; None when diagnostics holds errors about it."""
    before = diagnostics.errors
    stem = os.path.splitext(os.path.basename(path))[0]
    file = _File()
    root = _load_file(path, diagnostics, file, chain=(), included=None)
    if not isinstance(root, Mapping):
        return None
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*", stem):
        diagnostics.error("BSP0401", f"'{os.path.basename(path)}' cannot name a header", root.span,
                          help="use letters, digits, _, - and . in the name of a spec file")
    spec = Spec(path=path, stem=stem, inputs=file.inputs)
    containers = root.get("containers")
    if containers is None:
        diagnostics.error("BSP0105", "a spec needs 'containers'", root.key("bespoke").span if root.key("bespoke")
                          else root.span, help="containers:\n  fleet:\n    element: {type: struct ship, header: ship.h}")
    elif not isinstance(containers, Mapping) or not containers.entries:
        diagnostics.error("BSP0104", "'containers' takes a mapping from names to containers", containers.span,
                          help="containers: {fleet: {element: {type: struct ship, header: ship.h}}}")
    else:
        for key, node in containers.entries:
            container = _container(key, node, file, diagnostics)
            if container is not None:
                spec.containers.append(container)
    if diagnostics.errors == before:
        _check_names(spec, diagnostics)
        _check_files(spec, diagnostics)
        _find_headers(spec, diagnostics, include_dirs)
    return spec if diagnostics.errors == before else None


# -- files -----------------------------------------------------------------------------------------------------------


def _load_file(path: str, diagnostics: Diagnostics, file: _File, chain: Tuple[str, ...],
               included: Optional[Span]) -> Any:
    real = os.path.realpath(path)
    if real in chain:
        diagnostics.error("BSP0106", f"'{path}' includes itself", included,
                          help="specs may share a third file that both include")
        return None
    node = loader.load(path, diagnostics)
    if path not in file.inputs:
        file.inputs.append(path)
    if node is None:
        if included is not None:
            diagnostics.error("BSP0107", f"cannot include '{path}'", included)
        return None
    if not isinstance(node, Mapping):
        diagnostics.error("BSP0104", "a spec is a mapping", node.span,
                          help="begin it with `bespoke: 1` and `containers:`")
        return None
    _check_top(node, diagnostics, included)
    include = node.get("include")
    if include is not None:
        items = include.items if isinstance(include, Sequence) else [include]
        for item in items:
            if not isinstance(item, Scalar) or not isinstance(item.value, str):
                diagnostics.error("BSP0104", "'include' takes a path or a list of paths", item.span,
                                  help="include: [common.yaml]")
                continue
            target = os.path.join(os.path.dirname(path), item.text)
            _load_file(target, diagnostics, file, chain + (real,), item.span)
    defaults = node.get("defaults")
    if isinstance(defaults, Mapping):
        file.defaults.update(read_settings(defaults, diagnostics, "defaults"))
    elif defaults is not None:
        diagnostics.error("BSP0104", "'defaults' takes a mapping of keys", defaults.span)
    presets = node.get("presets")
    if isinstance(presets, Mapping):
        for key, value in presets.entries:
            _user_preset(key, value, file, diagnostics)
    elif presets is not None:
        diagnostics.error("BSP0104", "'presets' takes a mapping from names to settings", presets.span)
    return node


def _check_top(node: Mapping, diagnostics: Diagnostics, included: Optional[Span]) -> None:
    for key, _ in node.entries:
        if key.text not in TOP_KEYS:
            near = did_you_mean(key.text, TOP_KEYS)
            below = " (a key of a container stands below `containers:` and its name)" if key.text in {
                k.path.split(".")[0] for k in KEYS} | {"preset"} else ""
            diagnostics.error("BSP0101", f"unknown key '{key.text}'", key.span,
                              help=(f"did you mean '{near}'? " if near else "")
                              + "known here: " + ", ".join(TOP_KEYS) + below)
    version = node.get("bespoke")
    if version is None:
        diagnostics.error("BSP0108", "a spec says which version of the language it is written in", node.span,
                          help=f"begin it with `bespoke: {VERSION}`")
    elif not isinstance(version, Scalar) or version.value != VERSION or isinstance(version.value, bool):
        shown = version.text if isinstance(version, Scalar) else "this"
        diagnostics.error("BSP0108", f"'{shown}' is not a version of the language that this Bespoke knows",
                          version.span, help=f"it knows: {VERSION}")
    if included is not None and node.get("containers") is not None:
        diagnostics.error("BSP0109", "an included file cannot hold containers", node.key("containers").span,
                          help="it may hold `defaults`, `presets` and `include`; name the file itself on the command "
                               "line to generate its containers", notes=[Note("included here", included)])


def _user_preset(key: Scalar, node: Any, file: _File, diagnostics: Diagnostics) -> None:
    problem = names.check_identifier(key.text)
    if problem:
        diagnostics.error("BSP0301", f"'{key.text}' cannot name a preset: {problem}", key.span)
        return
    if key.text in PRESETS:
        diagnostics.error("BSP0110", f"'{key.text}' is a preset of Bespoke's own", key.span,
                          help="choose another name and build on it with `preset: " + key.text + "`")
        return
    if not isinstance(node, Mapping):
        diagnostics.error("BSP0104", f"preset '{key.text}' takes a mapping of keys", node.span)
        return
    base = node.get("preset")
    settings = read_settings(node, diagnostics, "preset", skip=("preset",), where=key.text)
    file.presets[key.text] = (base if isinstance(base, Scalar) else None, settings, key.span)


# -- containers ------------------------------------------------------------------------------------------------------


def _container(key: Scalar, node: Any, file: _File, diagnostics: Diagnostics) -> Optional[Container]:
    name = key.text
    problem = names.check_identifier(name)
    if problem:
        diagnostics.error("BSP0301", f"'{name}' cannot name a container: {problem}", key.span)
    if not isinstance(node, Mapping):
        diagnostics.error("BSP0104", f"container '{name}' takes a mapping of keys", node.span,
                          help="such as `element: {type: struct ship, header: ship.h}`")
        return None
    before = diagnostics.errors
    container = Container(name, key.span)
    own = read_settings(node, diagnostics, skip=("preset",))
    layers = [own]
    preset = node.get("preset")
    if preset is not None:
        if isinstance(preset, Scalar) and preset.text:
            layers += _preset_layers(preset, file, diagnostics, container)
        else:
            diagnostics.error("BSP0104", "'preset' takes a name", preset.span, help="known: " + ", ".join(PRESETS))
    layers.append(file.defaults)
    for layer in reversed(layers):
        _lay_over(container, layer)
    if "element.type" not in container.settings and diagnostics.errors == before:
        diagnostics.error("BSP0102", f"container '{name}' has no 'element'", key.span,
                          help="say what it holds: `element: {type: struct ship, header: ship.h}`")
    if diagnostics.errors != before:
        return None
    _complete(container)
    if container.preset in PRESETS and container.settings["removal.policy"].origin == "preset":
        for path in PRESETS[container.preset].needs:
            if container[path] is None and path != "removal.expired":
                diagnostics.error("BSP0225", f"{name}: preset '{container.preset}' needs '{path}'",
                                  preset.span if preset is not None else key.span,
                                  help=f"such as `{path}: {BY_PATH[path].example or 64}`")
    if diagnostics.errors == before:
        Rules(container, diagnostics).check()
    return container if diagnostics.errors == before else None


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


def _preset_layers(node: Scalar, file: _File, diagnostics: Diagnostics, container: Container) -> List[Dict[str, Setting]]:
    layers: List[Dict[str, Setting]] = []
    seen: List[str] = []
    where = node
    while where is not None:
        name = where.text
        if name in seen:
            diagnostics.error("BSP0106", f"preset '{name}' builds on itself", where.span)
            break
        seen.append(name)
        if name in file.presets:
            base, settings, _ = file.presets[name]
            layers.append(settings)
            where = base
            continue
        if name in PRESETS:
            layers.append({path: Setting(value, "preset", node.span, name)
                           for path, value in PRESETS[name].settings.items()})
            container.preset = name
        else:
            known = list(PRESETS) + list(file.presets)
            near = did_you_mean(name, known)
            diagnostics.error("BSP0105", f"unknown preset '{name}'", where.span,
                              help=(f"did you mean '{near}'? " if near else "") + "known: " + ", ".join(known))
        where = None
    container.preset_chain = tuple(seen)
    return layers


def _derive(container: Container, path: str, value: Any, reason: str) -> None:
    if path not in container.settings:
        container.settings[path] = Setting(value, "derived", None, reason)


def _complete(container: Container) -> None:
    """Fills in defaults and derived values."""
    c = container
    if c["identity.key"] is not None:
        _derive(c, "identity.by", "key", "an identity.key is given")
    if c["index.field"] is not None:
        _derive(c, "index.kind", "intrusive", "an index.field is given")
    if any(c[path] is not None for path in ("allocator.alloc", "allocator.realloc", "allocator.free")):
        _derive(c, "allocator.kind", "custom", "functions are given")
    if c["removal.when"] == "deferred":
        _derive(c, "iteration.adds", "deferred", "removal is deferred")
    if c["iteration.adds"] == "deferred":
        _derive(c, "removal.when", "deferred", "adds are deferred")
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
        c.settings["storage.kind"] = Setting("contiguous", "derived", None,
                                             "an array is the fastest thing to walk")
    if c["capacity.max"] is not None and (c["capacity.inline"] or c["addresses"] == "stable"):
        _derive(c, "capacity.initial", c["capacity.max"], "room for all is made at once")
    most = c["capacity.max"]
    _derive(c, "capacity.initial", 16 if most is None else min(16, most), "a small start")


# -- a spec as a whole -----------------------------------------------------------------------------------------------


def _check_names(spec: Spec, diagnostics: Diagnostics) -> None:
    """No two containers may give the same C name, nor one the name of its own element's type."""
    owners: Dict[str, Container] = {}
    for container in spec.containers:
        full = container["emit.prefix"] + container.name
        if full in re.findall(r"[A-Za-z_]\w*", container["element.type"]) and not re.match(
                r"(struct|union|enum)\b", container["element.type"]):
            diagnostics.error("BSP0305", f"'{full}' is both the container and its element", container.span,
                              help=f"call it something else, such as `{full}_list`")
        if container["element.type"] == f"struct {full}":
            diagnostics.error("BSP0305", f"'struct {full}' is both the container and its element", container.span,
                              help=f"call it something else, such as `{full}_list`")
        from .plan import c_names  # what a container will declare is the plan's to say
        for name in c_names(container):
            if name in owners and owners[name] is not container:
                diagnostics.error("BSP0306", f"containers '{owners[name].name}' and '{container.name}' would both "
                                  f"declare '{name}'", container.span,
                                  notes=[Note("the other one", owners[name].span)],
                                  help="rename one, or give it an `emit.prefix`")
                break
            owners[name] = container


def _check_files(spec: Spec, diagnostics: Diagnostics) -> None:
    first = spec.containers[0]
    spec.files = first["emit.files"]
    for container in spec.containers[1:]:
        if container["emit.files"] != spec.files:
            diagnostics.error("BSP0111", "all containers of a spec go into the same files, so they share "
                              "'emit.files'", container.span_of("emit.files"),
                              notes=[Note(f"here it is {spec.files}", first.span_of("emit.files"))],
                              help="say it once, under `defaults:`")


def _find_headers(spec: Spec, diagnostics: Diagnostics, include_dirs: Seq[str]) -> None:
    folders = [os.path.dirname(spec.path) or "."] + list(include_dirs)
    for container in spec.containers:
        for path in ("element.header", "allocator.header"):
            header = container[path]
            if header is None or header.startswith("<"):
                continue
            found = next((os.path.join(f, header) for f in folders if os.path.isfile(os.path.join(f, header))), None)
            if found is None:
                beside = [n for f in folders if os.path.isdir(f) for n in os.listdir(f) if n.endswith((".h", ".hpp"))]
                near = did_you_mean(header, beside)
                diagnostics.error("BSP0307", f"no header '{header}'", container.span_of(path),
                                  help=(f"did you mean '{near}'? " if near else "") + "looked in: "
                                  + ", ".join(folders) + "; more folders are given with -I")
            elif found not in spec.headers:
                spec.headers.append(found)
