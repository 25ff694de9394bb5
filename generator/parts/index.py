"""The index: what must be kept true so that an element is found without a search."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Dict, List, Optional, Tuple

from ..language.costs import CONSTANT, EXPECTED, LOGARITHMIC
from ..language.model import TREE
from ..language.named_indexes import indexes_of
from ..text.identifiers import shout
from ..text.naming import marked
from ..text.units import where
from .callbacks import called_by
from .column import GROUP, Column
from .part import Part

# What an index calls its own at file scope: a named one has its name in these.
OWN_NAMES = frozenset("key_ key_at_ hash_ kept_hash_ rehash_ index_put_ index_drop_ index_wrong_ slot_further_ slot_hashed_ "
                      "index_join_ index_leave_ index_relink_ index_rejoin_ is_first_ slot_under_ is_taken_ reindex_ "
                      "slot_of_key_ tree_put_ tree_take_ tree_relink_ tree_leads_ tree_exchange_ tree_hole_ "
                      "tree_between_ tree_from_ tree_to_ tree_first_ tree_last_ scan_after_ index_exchange_ "
                      "tree_is_tied_ tree_save_ tree_load_ tree_enter_ tree_side_ tree_hang_ tree_turn_ tree_blacks_ "
                      "tree_last_below_ tree_is_linked_ tree_is_level_ tree_is_red_ tree_lighter_ tree_beside_".split())

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
    lasting = False  # and is as large whatever the capacity
    unreachable = ""  # what is returned for a key that its table does not reach, nor can
    table_grows = False  # it is an array of its own, as long as the largest key needs
    warns = ""  # what is said of a key that it is given, as a sentence
    reserved = ""  # for what T_reserve holds, in words

    @property
    def kind(self) -> str:
        """The kind of the spec."""
        return self.c["index.kind"]

    @property
    def searched(self) -> str:
        """How it is: the kind, but of hash tables there are two."""
        return self.kind

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
        return ("FOREIGN",) * (self.parts.element.link_back != "")
    tree: Optional[SimpleNamespace] = None  # the members of an element that are those of a tree, and its top
    links = ""  # the links of elements with the same key, or those of a tree, by slot, as an expression of C
    root = ""  # the slot at the top of a tree, plus one, as an expression of C
    drawn = ""  # the last random number that balances it, as an expression of C
    member: Optional[str] = None  # the member of an element that holds its slot
    keys: Optional[int] = None  # every key is smaller
    keeps_multiplier = False  # the factor of the hash is in the container
    seed = ""  # the user's function of the number that is mixed into hashes
    hashes = ""  # the hashes of keys, by slot, as an expression of C
    table_shift: Optional[str] = None  # by how much a hash is shifted to its group, as an expression of C
    grouped = ""  # a hash table and that, as two arguments of C
    table_mask = ""  # entries of a table without groups, less one, as an expression of C
    table_bytes = (6, 13)  # of a hash table, for each slot: at least, and at most
    table_bits = 64  # and about as many bits
    memory_words = ""  # what it takes beside, as a clause
    most_slots = 2 ** 32 - 2  # as many as it can number
    narrow_key = False  # no key is larger than 32 bits
    entries = ""  # of a hash table, as an expression of C
    adds_by_key = False  # does it need no more of a new element than the key, which the header may read?
    harm = ""  # the macro by which the test damages its table

    @property
    def inlined(self) -> bool:
        """Are lookups in the header? Elements are complete there, and no function of the user's is called, nor a long one."""
        element, key = self.parts.element, self.c["identity.key"]
        return self.c["emit.lookups"] == "header" and self.by_key and self.parts.key.multiplies and element.by_value \
            and not element.rows and not element.intrusive and (key is None or not key.is_function)

    @property
    def key_in_header(self) -> bool:
        """Is T_key_ there: for lookups, or for an add?"""
        return self.inlined or not self.called and self.parts.adding.opens_by_key

    @property
    def slot_bits(self) -> int:  # type: ignore[override]
        return self.table_bits + 32 * bool(self.hashes) + 64 * self.chains if self.kind == "hash" else 0

    @property
    def hash_kept(self) -> str:
        """The variable in which an add keeps a dear hash between looking for an equal element and entering its own."""
        once = self.parts.indexes.hashed_once
        return "" if self not in once else "hash" if len(once) == 1 else f"hashes[{once.index(self)}]"

    @property
    def knows_foreign(self) -> bool:
        """Does an element that is not in the container say whether it is in another one? Not where it may be pending in one."""
        return self.parts.element.intrusive and self.parts.links.tells_where


class NoIndex(Index):
    name = "none"
    indexed = False


class Hash(Index):
    """What leads from the hash of a key to a slot."""

    name = "hash"
    by_key = True
    has_table = True

    @property
    def searched(self) -> str:
        return "groups"

    @property
    def hashes(self) -> str:  # type: ignore[override]
        """Kept where they are dear, and where a rollback may not look at what keys are in."""
        return f"list->{self.field('hashes')}" if not self.parts.key.multiplies or self.c["emit.snapshot"] else ""

    @property
    def slot_columns(self) -> List[Column]:
        return [Column(self.field("hashes"), "uint32_t", "capacity", self.parts.removal.used, False,
                       f"the hashes of the keys{f' in {self.called}' if self.called else ''}, by slot", self.TT.MAX)
                ] * bool(self.hashes)

    @property
    def keeps_multiplier(self) -> bool:
        """A table in the container is there before anything is made, and a journal's table before the index has one."""
        return self.parts.key.multiplies \
            and not (self.parts.storage.inline or self.parts.when.deferred or self.called or self.hashes)

    @property
    def seed(self) -> str:
        return called_by(self.parts, self.c["index.seed"]) if self.c["index.seed"] is not None else ""

    @property
    def _most(self) -> int:
        return self.parts.fixed(self.parts.limit) or 0

    @property
    def _bits(self) -> int:
        """In inline storage the bits of the number of a line of the table, where a search begins."""
        raise NotImplementedError

    @property
    def table_shift(self) -> str:  # type: ignore[override]
        return f"{32 - self._bits}" if self.parts.storage.inline else "list->table_shift"


class Groups(Hash):
    """Entries in groups of twelve, which are compared together."""

    name = "groups"
    harm = "BT_HARM_GROUPS"

    @property
    def _bits(self) -> int:
        return 0 if self._most <= 12 else (-(-self._most // 10) - 1).bit_length()

    @property
    def grouped(self) -> str:  # type: ignore[override]
        return f"list->{self.table}, {self.table_shift}"

    @property
    def adds_by_key(self) -> bool:  # type: ignore[override]
        key = self.c["identity.key"] if self.c["identity.by"] == "key" else None
        return self.unique and key is not None and not key.is_function and self.parts.key.in_header

    @property
    def entries(self) -> str:  # type: ignore[override]
        return f"(size_t)12 << (32 - {self.table_shift})"

    @property
    def tables(self) -> List[Column]:
        inline = self.c["capacity.inline"]  # the storage may be asking
        groups = str(1 << self._bits)
        return [Column(self.table, f"struct {marked('bespoke_group')}", f"{marked('bespoke_groups_for')}(capacity)", "", False,
                       f"the hash index{f' {self.called}' if self.called else ''}", groups, table=True, bytes=GROUP,
                       image=groups if inline else f"{marked('bespoke_groups_number')}(list->table_shift)")]


class Probed(Hash):
    """Entries in a row, which are looked at one by one, for elements that are numbers of at most 32 bits and nothing else:
    their hashes are one to one, so that an entry says all of its element, and a search reads the table only. In few elements
    groups take 1.8 times as long (bench/unique): they have a part of the hash only, and the element must be read."""

    name = "probed"
    harm = "BT_HARM_ROW"
    narrow_key = True
    table_bytes = (12, 24)
    table_bits = 128
    most_slots = 2 ** 33 // 3  # two thirds of as many entries as there are hashes
    hashes = ""

    @property
    def searched(self) -> str:
        return self.name

    @property
    def _bits(self) -> int:
        bits = 4
        while (1 << bits) - (1 << bits) // 3 < self._most:
            bits += 1
        return bits

    @property
    def table_mask(self) -> str:  # type: ignore[override]
        return f"({self.parts.size}){(1 << self._bits) - 1}" if self.parts.storage.inline else "list->table_mask"

    @property
    def entries(self) -> str:  # type: ignore[override]
        return f"(size_t){self.table_mask} + 1"

    @property
    def tables(self) -> List[Column]:
        inline = self.c["capacity.inline"]  # the storage may be asking
        entries = str(1 << self._bits)
        return [Column(self.table, self.T.entry, f"{self.T.table_size_}(capacity)", "", False, "the hash index", entries,
                       table=True, bytes=24, image=entries if inline else "(list->table_mask + 1)")]


class Chains(Groups):
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
    slot_bits = 192  # type: ignore[assignment]  # six numbers of 32 bits for each node

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
    """A balanced tree over members of the elements: a red-black tree."""

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
    memory_words = ", and the element's own index member"

    @property
    def member(self) -> Optional[str]:
        return self.c["index.field"]

    @property
    def knows_foreign(self) -> bool:
        return not self.parts.when.deferred


class Dense(Index):
    name = "dense"
    by_key = True
    lasting = True

    @property
    def memory_words(self) -> str:  # type: ignore[override]
        keys = self.c["index.keys"]
        return f", and 4 bytes for each {'key up to the largest that was added' if keys is None else f'of {keys} keys'}"

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
        return [Column(self.table, "uint32_t", keys, "", False, doc, keys, image=keys, table=True, lasting=True)] * self.has_table

    @property
    def table_grows(self) -> bool:
        return self.keys is None

    @property
    def rekey_refusals(self) -> Dict[str, str]:
        return {**super().rekey_refusals,
                self.unreachable: "if the table cannot grow" if self.unreachable == "NO_MEMORY" else "if that is too large"}

    @property
    def unreachable(self) -> str:  # type: ignore[override]
        return "NO_MEMORY" if self.table_grows and not self.parts.allocator.never_fails else "RANGE"

    @property
    def refusals(self) -> Tuple[str, ...]:
        return super().refusals + ("RANGE",) * (self.unreachable == "RANGE")

    @property
    def warns(self) -> str:
        return "The table is as long as the largest key, so a very large key takes much memory." if self.table_grows else ""

    @property
    def reserved(self) -> str:
        return ", with keys that are below `count`, or not larger than those before" * self.table_grows


class Direct(Index):
    """The key is the slot, so that nothing is kept."""
    name = "direct"
    by_key = True
    rekeys = False  # type: ignore[assignment]
    warns = "A slot is made for each smaller key, so a very large key takes much memory."
    reserved = ", whatever keys are in the container"

    @property
    def unreachable(self) -> str:  # type: ignore[override]
        return "NO_MEMORY" if self.parts.limit is None and not self.parts.allocator.never_fails else "RANGE"

    @property
    def refusals(self) -> Tuple[str, ...]:
        return ("RANGE",) * (self.unreachable == "RANGE")


def _is_probed(parts: Any) -> bool:
    """Is the element its key, of at most 32 bits and without a sign? Tables of one container are of one kind."""
    return parts.container["identity.by"] == "value" and parts.E in ("uint8_t", "uint16_t", "uint32_t") \
        and not any(each["index.kind"] == "hash" for each in indexes_of(parts.container))


def choose(parts: Any) -> Index:
    if parts.container["index.kind"] == "hash":
        return (Chains if parts.container["duplicates"] == "allow" else Probed if _is_probed(parts) else Groups)(parts)
    if parts.container["index.kind"] == "sorted" and parts.element.intrusive:
        return SortedMembers(parts)
    return {"none": NoIndex, "intrusive": IntrusiveIndex, "dense": Dense, "direct": Direct,
            "sorted": Sorted}[parts.container["index.kind"]](parts)
