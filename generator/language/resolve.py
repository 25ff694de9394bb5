"""From located nodes to complete containers: presets, defaults, derived values, then the rules of one container."""

import os
import re
from functools import lru_cache
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

from ..text import identifiers
from ..text.diag import Diagnostics, Note
from ..text.nodes import Mapping, Node, Scalar, shape
from ..text.printing import shown
from ..text.suggestions import did_you_mean
from .element_types import Locks, beside, check_type
from .contracts import operations_with_contracts
from .keys import BY_PATH, KEYS, in_yaml, parse_default
from .model import Container, NamedIndex, Names, Setting, Spec, Unsound
from .named_indexes import INDEX_KEYS
from .presets import INSTEAD, PRESETS, USUAL, usual_operations
from .rules import check_rules
from .settings import Settings, read_settings
from .spec_file import TOP_KEYS, SpecFile, check_presets, check_stem, known_preset, preset_name, read_file
from .size_types import signed_limit
from .strategies import auto_removal, auto_storage, fixed_storage, most_of, passes_grow
from .taken_names import why_no_container
from .used_names import name_used_operations

_EXAMPLE = "fleet: {element: {type: struct ship, header: ship.h}}"


class Resolved(NamedTuple):
    """A spec file whose containers have been resolved, each by itself."""

    spec: Spec
    unsound: List[Unsound]  # containers with errors, of which more may be said
    memberships: Optional[Node]
    whole: bool  # no container has errors


def read_spec(path: str, diagnostics: Diagnostics, locks: Optional[Locks] = None,
              included: Optional[Set[str]] = None) -> Optional[Resolved]:
    """Reads one spec file and resolves each of its containers; None if it is no mapping. included: collects the files that it
    includes."""
    file = SpecFile()
    file.folder = os.path.dirname(path)
    file.locks = Locks() if locks is None else locks
    root = read_file(path, diagnostics, file, chain=(), included=None)
    if included is not None:
        included |= file.read - {os.path.realpath(path)}
    if not isinstance(root, Mapping):
        return None
    spec = Spec(path=path, stem=os.path.splitext(os.path.basename(path))[0], inputs=file.inputs)
    check_stem(path, spec.stem, root.span, diagnostics)
    check_presets(file, diagnostics)
    containers = root.get("containers")
    if containers is None:
        _no_containers(root, diagnostics)
    elif not isinstance(containers, Mapping) or not containers.entries:
        diagnostics.error("BSP0104", "'containers' takes a mapping from names to containers", containers.span,
                          help=f"`containers: {{{_EXAMPLE}}}`")
    else:
        resolved = [resolve_container(key, node, file, diagnostics) for key, node in containers.entries]
        spec.containers = [container for container in resolved if container is not None]
    whole = isinstance(containers, Mapping) and len(spec.containers) == len(containers.entries)
    return Resolved(spec, file.unsound, root.get("memberships"), whole)


def _no_containers(root: Mapping, diagnostics: Diagnostics) -> None:
    unknown = [(key, node) for key, node in root.entries if key.text not in TOP_KEYS]
    if any(did_you_mean(key.text, ["containers"]) for key, _ in unknown):
        return
    word = root.key("bespoke")
    astray = next((key.text for key, node in unknown if isinstance(node, Mapping)), None)
    diagnostics.error("BSP0105", "a spec needs 'containers'", root.span if word is None else word.span,
                      help=[f"`containers: {{{_EXAMPLE}}}`" if astray is None
                            else f"if '{shown(astray)}' is one: `containers: {{{shown(astray)}: ...}}`"]
                      + ["if other specs `include` this file, name those instead"]
                      * (astray is None and any(root.get(word) is not None for word in ("defaults", "presets"))))


def resolve_container(key: Scalar, node: Any, file: SpecFile, diagnostics: Diagnostics) -> Optional[Container]:
    """A container of which nothing is wrong, or None."""
    said = Diagnostics()  # what was said of another one, such as at the defaults of both, is wrong with this one, too
    container = _read_container(key, node, file, said)
    diagnostics.extend(said)
    return container


def _read_container(key: Scalar, node: Any, file: SpecFile, diagnostics: Diagnostics) -> Optional[Container]:
    name = key.text
    problem = identifiers.check_identifier(name, library=False)
    if problem:
        diagnostics.error("BSP0301", f"'{shown(name)}' cannot name a container: {problem}", key.span,
                          help=f"call it something else, such as `{identifiers.another_name(name)}`")
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
    preset = preset_name(node.get("preset"), file, diagnostics)
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
    name_used_operations(container, file, spoilt, diagnostics)
    if container["element.type"] is not None and container[container.defining] is not None:
        said = diagnostics.errors
        container.type_info = file.locks.find(container, file.folder, diagnostics)
        container.beside = beside(container, file.locks, file.folder, diagnostics)
        if diagnostics.errors != said:
            spoilt.add("element.fields")
    finalize(container, diagnostics, spoilt, preset)
    if not diagnostics.errors and not spoilt:
        return container
    if not problem and not spoilt & {"emit.prefix", "emit.types", "emit.functions"}:
        file.unsound.append(Unsound(container, spoilt))
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
                          help=f"give it one: {advice}")


def _check_full_name(container: Container, spoilt: Set[str], diagnostics: Diagnostics) -> None:
    prefix = container["emit.prefix"] or ""
    if spoilt & {"emit.prefix", "emit.types"}:
        return
    full = container.full_name
    problem = why_no_container(full)
    if not problem:
        if full in identifiers.SYSTEM:
            diagnostics.warning("BSP0335", f"{identifiers.SYSTEM[full]} has '{full}' already: no file can include it and this "
                                           "container's header",
                                container.span, help=["call it something else, such as "
                                                      f"`{container.name}_list`", "or give it a prefix: `emit: {prefix: eng_}`"])
        return
    advice = []
    if len(full) < 40:
        advice.append(f"call it something else, such as `{container.name}_list`")
    if prefix:
        advice = advice or ["give it a shorter name, or a shorter prefix"]
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


def _preset_layers(node: Scalar, file: SpecFile, diagnostics: Diagnostics,
                   container: Container) -> Optional[List[Settings]]:
    """The layers of a preset and of those it builds on, the nearest first; None: they are not all there."""
    layers: List[Settings] = []
    seen: List[str] = []
    where: Optional[Scalar] = node
    while where is not None:
        name = where.text
        if name in file.broken or not known_preset(where, file, diagnostics):
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
    "identity.key": ("identity.by",), "identity.length": ("identity.kind",), "identity.equal": ("identity.kind",),
    "identity.by": ("identity.key",), "index.field": ("index.kind",),
    "removal.when": ("iteration.adds",), "iteration.adds": ("removal.when",), "capacity.max": ("capacity.initial",),
    "allocator.alloc": ("allocator.kind",), "allocator.realloc": ("allocator.kind",),
    "allocator.free": ("allocator.kind",),
}
_DECIDES_REMOVAL = ("ordering", "index.kind", "handles.kind", "removal.when", "addresses", "element.by",
                    "removal.expired", "hooks.update", "capacity.inline", "iteration.direction", "iteration.removes")


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


def finalize(container: Container, diagnostics: Diagnostics, spoilt: Set[str], preset: Optional[Scalar]) -> None:
    """Fills in what the spec leaves out, and checks the whole."""
    if container["layers.names"] is not None:
        _derive(container, "ordering", "layered", "'layers' are named", "layers.names")
    if container["ordering"] == "layered":
        _finalize_layers(container, diagnostics, spoilt, preset)
        return
    complete(container)
    _check_needs(container, preset, spoilt, diagnostics)
    check_type(container, spoilt, diagnostics)
    check_rules(container, diagnostics, spoilt, None if preset is None else preset.span, _mending(container, spoilt))


def _finalize_layers(container: Container, diagnostics: Diagnostics, spoilt: Set[str], preset: Optional[Scalar]) -> None:
    """Each layer is an ordinary container, which all keys but `layers` speak of; so the same rules decide about it."""
    c = container
    own = {path: c.settings.pop(path) for path in ("ordering", "layers.names", "layers.ordering") if path in c.settings}
    layer = Container(c.name, c.span, dict(c.settings), c.preset, c.preset_chain, is_layer=True,
                      type_info=c.type_info)
    layer.settings["ordering"] = own.setdefault("layers.ordering", Setting(parse_default("layers.ordering"), "default"))
    complete(layer)
    _check_needs(layer, preset, spoilt, diagnostics, but="layers.")
    check_type(layer, spoilt, diagnostics)
    check_rules(layer, diagnostics, spoilt, None if preset is None else preset.span, _mending(layer, spoilt))
    c.settings = {**layer.settings, **own}
    _check_needs(c, preset, spoilt, diagnostics)
    if "layers.names" not in own and not spoilt & {"layers", "layers.names"}:
        diagnostics.error("BSP0255", "`ordering: layered` needs the names of the layers", c.span_of("ordering"),
                          help="such as `layers: [ground, units, air]`")
    problem = identifiers.check_identifier(c.type_of("layer"))
    if problem and identifiers.check_identifier(c.full_name) is None:
        diagnostics.error("BSP0301", f"'{c.name}_layer', the type of a layer, cannot name a type: {problem}", c.span,
                          help="give the container a shorter name")
    layer.name += "_layer"
    if layer["hooks.update"] is not None:
        tick = f"const struct {c.type_of('tick')} *"
        layer.settings["hooks.context"] = Setting(tick, "derived", None, "each layer has a time scale")
    c.layer = layer


@lru_cache(maxsize=None)
def _defaults() -> Dict[str, Setting]:
    return {key.path: Setting(parse_default(key.path), "default") for key in KEYS if key.default is not None}


def _name_usual_operations(container: Container) -> None:
    """Puts the operations that a list of its preset usually needs where `emit.operations` says `usual`."""
    chosen = container["emit.operations"]
    if chosen is None or USUAL not in chosen:
        return
    usual = tuple(name for name in usual_operations(container.preset, container["identity.key"] is not None,
                                                       container["iteration.cursors"] == "none")
                  if name not in chosen)
    named = [(name, span) for word, span in zip(chosen, chosen.spans) for name in (usual if word == USUAL else (word,))]
    names = Names(name for name, _ in named)
    names.spans, names.usual = tuple(span for _, span in named), (*chosen.usual, *usual)
    container.settings["emit.operations"] = container.settings["emit.operations"]._replace(value=names)


def _derive_readers(c: Container) -> None:
    """Where there are only readers, nothing is removed or added during a pass, whatever a preset says."""
    if c["iteration.cursors"] != "none":
        return
    for path in ("iteration.removes", "iteration.adds"):
        if path in c.settings and c.settings[path].origin != "spec" and c[path] != "deferred":
            del c.settings[path]
    _derive(c, "iteration.removes", "none", "there are only readers", "iteration.cursors")


def _derive_slots(c: Container) -> None:
    """What elements are whose slots follow from them: numbers of which the container keeps a bit each, or keys."""
    if c["element.by"] == "bit":
        _derive(c, "duplicates", "reject", "a number has one bit", "element.by")
        _derive(c, "identity.by", "value", "a bit is that of a number", "element.by")
        _derive(c, "ordering", "sorted", "bits lie in the order of their numbers", "element.by")
    if c["index.kind"] == "direct":
        _derive(c, "ordering", "sorted", "elements lie in the order of their keys", "index.kind")
        _derive(c, "duplicates", "reject", "a key has one slot", "index.kind")


def _derive_passes(c: Container) -> None:
    """How many passes have a record in the container."""
    if c["iteration.cursors"] == "many" and c["iteration.removes"] != "none":
        grow = passes_grow(c)
        _derive(c, "iteration.passes", 2 if grow else 8,
                "records of more passes are allocated" if grow else "there are no records of more passes")


def _derive_allocator(c: Container) -> None:
    """Which functions there are, and what free and realloc are told."""
    for path in ("allocator.alloc", "allocator.realloc", "allocator.free"):
        if c[path] is not None:
            _derive(c, "allocator.kind", "custom", "functions are given", path)
    _derive(c, "allocator.kind", "stdlib", "no functions are given")
    if c["allocator.kind"] != "stdlib":
        _derive(c, "allocator.sizes", c["allocator.kind"] == "custom", f"'allocator.kind' is '{c['allocator.kind']}'",
                "allocator.kind")


def complete(container: Container) -> None:
    """Fills in defaults and derived values."""
    c = container
    _name_usual_operations(c)
    if c["identity.key"] is not None:
        _derive(c, "identity.by", "key", "an 'identity.key' is given", "identity.key")
    if c["identity.by"] == "key":
        if c["identity.length"] is not None:
            _derive(c, "identity.kind", "slice", "an 'identity.length' is given", "identity.length")
        if c["identity.equal"] is not None:
            _derive(c, "identity.kind", "object", "an 'identity.equal' is given", "identity.equal")
        _derive(c, "identity.kind", "integer", "no other kind of key is named")
    if c["ordering"] in ("sorted", "heap") or c["sort.key"] is not None:
        same = c["sort.key"] is not None and c["sort.key"] == c["identity.key"] \
            and c["identity.kind"] in BY_PATH["sort.kind"].values
        _derive(c, "sort.kind", c["identity.kind"] if same else "number",
                "'sort.key' is 'identity.key'" if same else "no other kind of key is named")
    if c["index.field"] is not None:
        _derive(c, "index.kind", "intrusive", "an 'index.field' is given", "index.field")
    for path in ("element.link.next", "element.link.prev", "element.link.owner"):
        if c[path] is not None:
            _derive(c, "element.by", "intrusive", "the members that link the elements are given", path)
    if c["element.by"] == "intrusive":
        _derive(c, "duplicates", "reject", "an element has one set of links for the container", "element.by")
    _derive_slots(c)
    if c["removal.when"] == "deferred":
        _derive(c, "iteration.adds", "deferred", "removals are deferred", "removal.when")
    if c["iteration.adds"] == "deferred":
        _derive(c, "removal.when", "deferred", "adds are deferred", "iteration.adds")
    _derive_readers(c)
    _derive(c, "identity.by", "address", "no key is given")
    _derive_allocator(c)
    c.settings = {**c.settings, **_defaults(), **c.settings}  # those that are not given, behind those that are
    _derive(c, "iteration.adds", "visited", "nothing is deferred")
    if c["emit.contracts"] != "none":
        _derive(c, "emit.operations", Names(operations_with_contracts(c)), "they have contracts",
                "emit.contracts")
    if c["removal.policy"] == "auto":
        policy, reason = auto_removal(c)
        asked = c.settings["removal.policy"]
        c.settings["removal.policy"] = Setting(policy, "derived", asked.span if asked.origin == "spec" else None,
                                               reason)
    if c["storage.kind"] == "auto":
        storage, reason = auto_storage(c)
        asked = c.settings["storage.kind"]
        c.settings["storage.kind"] = Setting(storage, "derived", asked.span if asked.origin == "spec" else None, reason)
    if c["element.by"] != "intrusive" and isinstance(most_of(c), int) and (c["capacity.inline"] or fixed_storage(c)):
        _derive(c, "capacity.initial", most_of(c), "the full capacity is allocated once")
    _derive_max(c)
    _derive_passes(c)
    _derive_initial(c)


def _derive_max(c: Container) -> None:
    """How many elements with links can be counted: nothing else bounds them."""
    most = signed_limit(c["emit.size_type"])
    if c["element.by"] == "intrusive" and c["capacity.weight"] is None and most is not None:
        _derive(c, "capacity.max", most, "the size type counts no more", "emit.size_type")


def _derive_initial(c: Container) -> None:
    most = most_of(c)
    hashed = c["index.kind"] == "hash" or any(map(_is_hash, c["indexes"] or ()))
    first, reason = (64, "with fewer the hash index is built again too often") if hashed else (16, "a small start")
    _derive(c, "capacity.initial", min(first, most) if isinstance(most, int) else first, reason)


def _is_hash(index: NamedIndex) -> bool:
    kind = index.settings.get("kind")
    return (INDEX_KEYS["kind"].default if kind is None else kind.value) == "hash"


def variant(container: Container, path: str, value: Any) -> Optional[Container]:
    """The same container with another value of one key, or None where that does not go with the rest."""
    problems = Diagnostics(helps=False)
    other = changed(container, {path: value}, set(), problems)
    return None if problems.errors else other


def changed(container: Container, values: Dict[str, Any], spoilt: Set[str], problems: Diagnostics,
            without: Sequence[str] = ()) -> Container:
    """The same container with other values of some keys, and without some."""
    said = {key: setting for key,
            setting in container.settings.items() if setting.origin not in ("default", "derived") and key not in without}
    for path, value in values.items():  # `index: none` stands instead of `index: {field: slot}`
        if BY_PATH[path].short:
            said = {key: setting for key, setting in said.items()
                    if BY_PATH[key].group != BY_PATH[path].group or value in BY_PATH[key].only.get(path, (value,))}
    other = Container(container.name, container.span, said, container.preset, container.preset_chain, is_layer=container.is_layer,
                      type_info=container.type_info, beside=container.beside)
    other.settings.update({path: Setting(value, "spec", container.span) for path, value in values.items()})
    finalize(other, problems, spoilt, None)
    return other


def _mending(container: Container, spoilt: Set[str]) -> Callable[..., bool]:
    """Asks of another value of a key: does it remove an error of the container, and cause none? Where some keys are left out,
    too?"""
    def errors(without: Sequence[str] = (), **values: Any) -> Set[Tuple[str, str]]:
        problems = Diagnostics(helps=False)
        changed(container, values, set(spoilt), problems, without)
        return {(item.code, item.message) for item in problems if item.severity == "error"}

    now = lru_cache(maxsize=None)(errors)  # the same for all values
    return lambda path, value, *without: errors(without, **{path: value}) < now()


_NEEDS = {
    "removal.expired": "element->hp <= 0", "layers.names": ("ground", "units", "air"), "index.field": "slot",
    "capacity.max": "64",
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
            kept = c["addresses"] == "stable" or c["capacity.when_full"] == "overwrite"
        if c[path] is not None or path in spoilt or not kept or c[INSTEAD.get(path, path)] is not None:
            continue
        diagnostics.error("BSP0225", f"preset '{c.preset}' needs '{path}'", preset.span,
                          notes=[] if c.span.line == preset.span.line else [Note("in this container", c.span)],
                          help=f"such as {in_yaml(path, _NEEDS.get(path, key.example))}: {_first(key.doc)}")
        spoilt.add(path)


def _first(doc: str) -> str:
    sentence = re.split(r"[.:;] ", doc)[0].rstrip(".")
    return sentence[:1].lower() + sentence[1:]
