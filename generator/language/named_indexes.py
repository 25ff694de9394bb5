"""Named indexes: `indexes` of a container.

A named index is the index of a container whose identity is another key: one mechanism, planned once more for each name. So
what one of them is, is said by a container with other settings: `identity` is its key, `index` its kind, `duplicates` whether
it is unique. The classes of `parts.index`, `parts.key` and `parts.lookup` read those as they read the ones of the container
itself, and print the same macros with the name of the index in the names of functions and fields.

What it keeps leads from a key to a slot, never to an address, so a slot is all that the storage gives it: `entered`, `left`
and `moved` say where an element is, as they do to the index of the container. Its table lies in the one block of the storage:
an add that is short of memory has changed nothing, and one that a later index refuses is refused before any is touched. A hash
index that is not unique has one entry for each key, and the elements of a key are linked with each other.
"""

from typing import Dict, List, Tuple

from ..text.diag import Span
from .key_types import FLOATING, is_text, type_of_key
from .keys import HASHINGS, Key, key_kinds
from .model import TREE, Container, NamedIndex, Setting

INDEX_KEYS: Dict[str, Key] = {key.path: key for key in (
    Key("key", "callable", "The key of an element: an expression over `element` (a pointer to it), or a function that takes a "
        "`const` pointer to it, as `identity.key`. Expressions must not have side effects.", required=True, role="contract",
        example="element->name"),
    Key("kind", "choice", "How elements are found.",
        {"hash": "By a hash table: T_find_NAME, and without `unique` T_range_NAME and T_next_NAME for all elements with the "
                 "same key.",
         "sorted": "In the order of the keys, by a balanced tree: also T_range_NAME for the elements between two keys, "
                   "T_all_NAME for all of them, and T_next_NAME and T_previous_NAME to walk through them. Equal ones are in the "
                   "order in which they got their keys."},
        default="hash", role="contract"),
    Key("unique", "flag", "At most one element has a key: an add of another one, and T_rekey_NAME, return DUPLICATE.",
        default=False, role="contract"),
    Key("key_kind", "choice", "What kind of key it is, and so what T_find_NAME and its siblings take.",
        {**key_kinds(""),
         "integer": "An integer of at most 64 bits: they take `uint64_t key`, with `kind: sorted` an `int64_t`.",
         "number": "With `kind: sorted`, a floating-point number, which must not be NaN: they take `double key`."},
        derived="`slice` where `length` is given, `object` where `equal` is and no other, `string` or `number` where that is "
                "its type by the type lock, else `integer`",
        role="contract"),
    Key("length", "callable", "As `identity.length`.", role="contract", example="element->length"),
    Key("type", "type", "As `identity.type`.", role="contract", example="struct guid"),
    Key("equal", "function", "As `identity.equal`.", role="contract", example="same_guid"),
    Key("hash", "function", "As `identity.hash`.", example="hash_of_guid"),
    Key("hashing", "choice", "As `index.hashing`.", HASHINGS, default="keyed"),
    *(Key(name, "field", f"With `element: {{by: intrusive}}`: the member {text} of an element, as `element.link.{name}`.",
          role="contract", example=f"name_{name}")
      for name, text in (("left", "`E *` that points to what comes before it below this one, in the balanced tree of this index"),
                         ("right", "`E *` that points to what comes behind it there"),
                         ("parent", "`E *` that points to the one above it"),
                         ("balance", "`int8_t` that is 1 in some and 0 in the others"))),
)}

_TREE_LINKS = {f"element.link.{name}" for name in TREE}

# What each of them is in the container that stands for the index.
STANDS_FOR = {"kind": "index.kind", "hashing": "index.hashing", "key_kind": "identity.kind",
              **{name: f"identity.{name}" for name in ("key", "length", "type", "equal", "hash")},
              **{name: f"element.link.{name}" for name in TREE}}
NAMES = {path: name for name, path in STANDS_FOR.items()}


def indexes_of(container: Container) -> List[Container]:
    """For each named index of a container the one that stands for it."""
    return [_stand_in(container, each) for each in container["indexes"] or ()]


def _stand_in(container: Container, each: NamedIndex) -> Container:
    own = {path: setting for path, setting in container.settings.items()
           if not path.startswith(("identity.", "index.")) and path not in _TREE_LINKS or path == "index.seed"}
    c = Container(container.name, each.span, own, container.preset, container.preset_chain, is_layer=container.is_layer,
                  index=each.name,
                  type_info=container.type_info)
    own["identity.by"] = Setting("key", "derived", each.span)
    own["index.kind"] = Setting(INDEX_KEYS["kind"].default, "default")
    own.update({STANDS_FOR[name]: setting for name, setting in each.settings.items() if name in STANDS_FOR})
    own.setdefault("identity.kind", Setting(*_key_kind(c)))
    unique = each.settings.get("unique")
    own["duplicates"] = Setting("reject" if unique is not None and unique.value else "allow", "derived", each.span)
    return c


def _key_kind(c: Container) -> Tuple[str, str, Span, str]:
    """The kind of a key that names none, and why."""
    for path, kind in (("identity.length", "slice"), ("identity.equal", "object")):
        if c[path] is not None:
            return kind, "derived", c.span_of(path), f"'{path.split('.')[1]}' is given"
    known = type_of_key(c, "identity.key") if c["identity.key"] is not None else ""
    actual = c.type_info.stands_for(known)[1] if known and c.type_info is not None else known
    kind = "string" if is_text(actual) else "number" if actual in FLOATING and c["index.kind"] == "sorted" else "integer"
    return kind, "derived", c.span_of("identity.key"), f"it is of type '{known}'" if known else "no other kind of key is named"
