"""The index: what must be kept true so that an element is found without a search."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any, Dict, List, Optional, Tuple

from ..language.costs import CONSTANT, EXPECTED, LOGARITHMIC
from ..language.model import TREE
from ..text.identifiers import shout
from ..text.units import where
from .callbacks import called_by
from .column import Column
from .part import Part

# What an index calls its own at file scope: a named one has its name in these.
OWN_NAMES = frozenset("key_ key_at_ hash_ index_where_ index_put_ index_drop_ index_spread_ index_join_ index_leave_ "
                      "index_relink_ index_rejoin_ kept_hash_ rehash_ slot_hashed_ is_first_ slot_under_ is_taken_ "
                      "reindex_ slot_of_key_ tree_put_ tree_take_ tree_relink_ tree_leads_ tree_exchange_ tree_hole_ "
                      "tree_between_ tree_from_ tree_to_ tree_first_ tree_last_ scan_after_ index_exchange_ "
                      "tree_is_tied_ tree_save_ tree_load_ tree_enter_ tree_side_ tree_lift_ tree_level_ tree_depth_ "
                      "tree_last_below_ tree_is_linked_ tree_is_level_ tree_beside_".split())

TOLD = "has not returned OK since the key of an element has changed"  # what misuse prints of a T_rekey


class Index(Part):
    """What is notified of where elements are."""

    axis = "index"
    chains = False  # elements with the same key are linked with each other
    ordered = False  # it keeps the elements in the order of their keys
    descending = LOGARITHMIC + EXPECTED  # what it costs to find a place in that order
    stepping = CONSTANT  # and what is next there
    indexed = True  # something is notified of where elements are
    by_key = False  # a table leads from keys to slots
    has_table = False  # which lies in the container's block
    table_grows = False  # it is an array of its own, as long as the largest key needs
    warns = ""  # what is said of a key that it is given, as a sentence
    reserved = ""  # for what T_reserve holds, in words

    @property
    def kind(self) -> str:
        """The kind of the spec."""
        return self.c["index.kind"]

    @property
    def called(self) -> str:
        """The name of a named index, else ''."""
        return self.c.index

    @property
    def ranges(self) -> bool:
        """Does it find several elements, one after the other?"""
        return self.chains or self.ordered

    @property
    def bounds(self) -> List[str]:
        """What the keys are called between which it finds elements: one if it has no order."""
        return ["low", "high"] if self.ordered else ["key"]

    @property
    def changes(self) -> str:
        """The field that counts its changes, where it finds several: a range has the count from when it was found."""
        return self.field("changes")

    @property
    def loop(self) -> str:
        """The loop over a const container in its order."""
        return f"EACH_{shout(self.called)}_CONST"

    def field(self, name: str) -> str:
        """A field of the container that is this index's own."""
        return f"{name}_{self.called}" if self.called else name

    @property
    def table(self) -> str:
        """The field that is its table."""
        return self.field("table")

    @property
    def leads(self) -> bool:
        """Is it the first hash index of the container? It has what all of them share."""
        return self.parts.indexes.leading is self

    @property
    def unique(self) -> bool:
        """Does it refuse an element whose key another one has?"""
        return self.c["duplicates"] != "allow"

    @property
    def slot_columns(self) -> List[Column]:
        """What it keeps for each slot."""
        return []

    @property
    def tables(self) -> List[Column]:
        """Its tables, which are built anew when the storage grows."""
        return []

    @property
    def rekeys(self) -> bool:
        """May an element get another key? Not if that is also its place in an order, and it cannot be moved there."""
        order = self.parts.order
        return self.by_key and self.parts.lookup.keyed \
            and not (order.sorts_on_add and order.sorted_by_identity and not order.files_again)

    def must_keep(self, what: str) -> str:
        """What may not change of an element whose place changes with its key, as a sentence."""
        if not self.by_key or not self.parts.lookup.keyed:
            return ""
        rekey = self.T.rekey_index
        return f"What the index has {what} under must not change{where(rekey, f': see {rekey}')}."

    @property
    def files(self) -> bool:
        """Is it then moved to its place?"""
        return self.rekeys and self.parts.order.files_again and self.parts.order.sorted_by_identity != ""

    @property
    def rekey_refusals(self) -> Dict[str, str]:
        """What T_rekey returns where it changes nothing, and when."""
        return {"DUPLICATE": "if another element has the new key" + self.parts.when.or_added}

    @property
    def rekey_name(self) -> str:
        """What updates the index. Where elements are sorted by another key, T_rekey puts them in order again."""
        return "rekey_index" if self.parts.order.refiles or self.parts.order.rekeys else "rekey"

    @property
    def sought(self) -> Tuple[str, str]:
        """What identifies an element for T_rekey: type and name of the parameter."""
        return (self.parts.size, "wanted") if self.by_slot else self.parts.sought

    @property
    def by_slot(self) -> bool:
        """Is the slot of that known without the index?"""
        return self.parts.handles.given or bool(self.called)

    @property
    def by_number(self) -> bool:
        """Is that a number, and not a reference?"""
        return self.by_slot or self.parts.element.rows

    def found(self, reference: str) -> str:
        """Is it the one of `slot`, to which this is the reference, as an expression of C?"""
        return f"{'slot' if self.by_number else reference} == {self.sought[1]}"

    @property
    def changed(self) -> Tuple[str, str]:
        """What misuse prints where a key leads to no element: the operation, and what is wrong with it."""
        if self.called:
            return f"rekey_{self.called}", TOLD
        if self.rekeys:
            return self.rekey_name, TOLD
        return "check", "the key of an element has changed while it was in the container"

    @property
    def refusals(self) -> Tuple[str, ...]:
        """What an add returns beside other refusals."""
        return ("FOREIGN",) * (self.parts.element.link_back != "") + ("RANGE",) * (self.keys is not None)

    tree: Optional[SimpleNamespace] = None  # the members of an element that are those of a tree, and its top
    links = ""  # the links of elements with the same key, or those of a tree, by slot, as an expression of C
    root = ""  # the slot at the top of a tree, plus one, as an expression of C
    drawn = ""  # the last random number that balances it, as an expression of C
    member: Optional[str] = None  # the member of an element that holds its slot
    keys: Optional[int] = None  # every key is smaller
    narrow_key = False  # keys are known to fit into 32 bits, without a sign
    keeps_multiplier = False  # the factor of the hash is in the container
    table_mask: Optional[str] = None  # entries of the table less one, as an expression of C
    seed = ""  # the user's function of the number that is mixed into hashes
    hashes = ""  # the hashes of keys, by slot, where they are dear, as an expression of C
    table_shift: Optional[str] = None  # by how much a hash is shifted to an entry, as an expression of C

    @property
    def inlined(self) -> bool:
        """Are lookups in the header? Elements are complete there, and no function of the user's is called, nor a long one."""
        element, key = self.parts.element, self.c["identity.key"]
        return self.c["emit.lookups"] == "header" and self.by_key and self.parts.key.multiplies and element.by_value \
            and not element.rows and not element.intrusive and (key is None or not key.is_function)

    @property
    def hash_kept(self) -> str:
        """The variable in which an add keeps a dear hash between looking for an equal element and entering its own."""
        once = self.parts.indexes.hashed_once
        return "" if self not in once else "hash" if len(once) == 1 else f"hashes[{once.index(self)}]"

    @property
    def told_apart(self) -> bool:
        """Does an element that is not in the container say whether it is in another one? Not where it may be pending in one."""
        return self.parts.element.intrusive


class NoIndex(Index):
    name = "none"
    indexed = False


class Hash(Index):
    name = "hash"
    by_key = True
    has_table = True

    @property
    def entries(self) -> int:
        """Entries of a table in inline storage."""
        size = 16
        while size - size // 3 < (self.parts.limit or 0):
            size *= 2
        return size

    @property
    def table_mask(self) -> str:
        return f"({self.parts.size}){self.entries - 1}" if self.parts.storage.inline else "list->table_mask"

    @property
    def table_shift(self) -> str:
        return f"{33 - self.entries.bit_length()}" if self.parts.storage.inline else "list->table_shift"

    @property
    def hashes(self) -> str:  # type: ignore[override]
        return "" if self.parts.key.multiplies else f"list->{self.field('hashes')}"

    @property
    def slot_columns(self) -> List[Column]:
        return [Column(self.field("hashes"), "uint32_t", "capacity", self.parts.removal.used, False,
                       f"the hashes of the keys{f' in {self.called}' if self.called else ''}, by slot", self.TT.MAX)
                ] * bool(self.hashes)

    @property
    def keeps_multiplier(self) -> bool:
        """A table in the container is there before anything is made, and a journal's table before the index has one."""
        return self.parts.key.multiplies and not (self.parts.storage.inline or self.parts.when.deferred or self.called)

    @property
    def tables(self) -> List[Column]:
        inline = self.c["capacity.inline"]  # the storage may be asking
        return [Column(self.table, self.T.entry, f"{self.T.table_size_}(capacity)", "", False,
                       f"the hash index{f' {self.called}' if self.called else ''}",
                       str(self.entries), image=str(self.entries) if inline else "(list->table_mask + 1)", table=True,
                       spreads="" if inline else self.parts.own("index_spread_"))]

    @property
    def seed(self) -> str:
        return called_by(self.parts, self.c["index.seed"]) if self.c["index.seed"] is not None else ""

    @property
    def narrow_key(self) -> bool:
        c = self.c
        key_type = None
        if c["identity.by"] == "value":
            key_type = self.parts.E
        elif c["identity.by"] == "key" and self.parts.key.multiplies and c.type_info is not None and self.parts.element.by_value:
            path = re.fullmatch(r"element->(\w+)", str(c["identity.key"]))
            member = c.type_info.member(path.group(1)) if path else None
            key_type = member.type if member is not None else None
        return key_type in ("uint8_t", "uint16_t", "uint32_t")


class Chains(Hash):
    """One entry for each key, which leads to the first of a ring of all elements that have it."""

    name = "chains"
    chains = True

    @property
    def links(self) -> str:  # type: ignore[override]
        return f"list->{self.field('equals')}"

    @property
    def slot_columns(self) -> List[Column]:
        return super().slot_columns + [
                Column(self.field("equals"), self.T.equals, "capacity", self.parts.removal.used, False,
                       f"the other elements with the same key in {self.called}, by slot", self.TT.MAX)]


class Sorted(Index):
    """A balanced tree over the slots, in the order of the keys: a treap (Seidel and Aragon, 1996)."""

    name = "sorted"
    ordered = True

    @property
    def links(self) -> str:  # type: ignore[override]
        return f"list->{self.field('nodes')}"

    @property
    def root(self) -> str:  # type: ignore[override]
        return f"list->{self.field('root')}"

    @property
    def drawn(self) -> str:  # type: ignore[override]
        return f"list->{self.field('drawn')}"

    @property
    def slot_columns(self) -> List[Column]:
        return [Column(self.field("nodes"), self.T.node, "capacity", self.parts.removal.used, False,
                       f"the places of elements in the tree {self.called}, by slot", self.TT.MAX, bytes=24)]


class SortedMembers(Sorted):
    """A balanced tree over members of the elements: an AVL tree."""

    name = "sorted_members"
    links = drawn = ""  # type: ignore[assignment]
    descending = LOGARITHMIC
    stepping = CONSTANT.also("; at worst O(log n)", "log n")
    slot_columns: List[Column] = []  # type: ignore[assignment]

    @property
    def tree(self) -> SimpleNamespace:  # type: ignore[override]
        """Its members of an element, and its top, as an expression of C."""
        return SimpleNamespace(root=self.root, **{name: self.c[f"element.link.{name}"] for name in TREE})


class IntrusiveIndex(Index):
    name = "intrusive"

    @property
    def member(self) -> Optional[str]:
        return self.c["index.field"]

    @property
    def told_apart(self) -> bool:
        return not self.parts.when.deferred


class Dense(Index):
    name = "dense"
    by_key = True

    @property
    def keys(self) -> Optional[int]:
        return self.c["index.keys"]

    @property
    def has_table(self) -> bool:
        return self.keys is not None

    @property
    def tables(self) -> List[Column]:
        keys = self.TT.KEYS
        doc = "by key: the slot, plus one; 0: no element has it"
        return [Column(self.table, "uint32_t", keys, "", False, doc, keys, image=keys, table=True)] * self.has_table

    @property
    def table_grows(self) -> bool:
        return self.keys is None

    @property
    def rekey_refusals(self) -> Dict[str, str]:
        return {**super().rekey_refusals,
                **({"RANGE": "if that is too large"} if self.keys is not None else {"NO_MEMORY": "if the table cannot grow"})}

    @property
    def warns(self) -> str:
        return "The table is as long as the largest key, so a very large key takes much memory." if self.table_grows else ""

    @property
    def reserved(self) -> str:
        return ", with keys that are not larger than those before" * self.table_grows


def choose(parts: Any) -> Index:
    if parts.container["index.kind"] == "hash" and parts.container["duplicates"] == "allow":
        return Chains(parts)
    if parts.container["index.kind"] == "sorted" and parts.element.intrusive:
        return SortedMembers(parts)
    return {"none": NoIndex, "hash": Hash, "intrusive": IntrusiveIndex, "dense": Dense,
            "sorted": Sorted}[parts.container["index.kind"]](parts)
