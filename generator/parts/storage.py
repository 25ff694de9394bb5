"""Where the elements are, and how their arrays grow."""

from __future__ import annotations

from functools import cached_property
from types import SimpleNamespace
from typing import Any, List, Optional, Tuple

from ..language.costs import COMPACTS, CONSTANT, Cost
from ..language.strategies import fixed_storage, in_memory
from .column import Column
from .part import Part


class Grown(Part):
    """What growth costs and invalidates, and what is said of memory."""

    @property
    def growing(self) -> Cost:
        """What an add pays for more slots."""
        return Cost(amortised=self.allocated and not self.fixed)

    freeing = CONSTANT  # what it costs to free all memory
    frees = ", frees the memory"  # what T_deinit does for it, in words
    keeps = " and keeps the memory"  # and what T_clear does

    @property
    def settle_words(self) -> Tuple[str, ...]:  # type: ignore[override]
        return ("shrinks it if little of it has been used for long",) * (self.shrink is not None)

    @property
    def settling(self) -> Cost:  # type: ignore[override]
        return COMPACTS if self.shrink else CONSTANT

    @property
    def settling_moves(self) -> Tuple[str, ...]:  # type: ignore[override]
        return ("it shrinks",) * (self.shrink is not None and self.moves_to_grow)

    @property
    def elapsed(self) -> List[Tuple[str, str]]:
        """What T_settle is given to know how long that is: type and name."""
        return [("double", "seconds")] if self.shrink and self.shrink.seconds else []

    @property
    def elapsed_words(self) -> str:
        """What that is, as a sentence."""
        return "`seconds`: since the last call." if self.elapsed else ""

    @property
    def moves_to_grow(self) -> bool:
        """Are elements copied when it grows?"""
        return self.parts.element.by_value and self.parts.element.stored and self.c["addresses"] == "moving" \
            and not self.inline and not self.chunk

    @property
    def all(self) -> str:
        """What callers may hold that moves with the storage, in words."""
        return "pointers to columns" if self.parts.element.columns else "all elements"

    @property
    def invalidated_by_growth(self) -> str:
        """What an add at the end invalidates."""
        reasons = ["reallocates"] * self.moves_to_grow \
            + ["compacts"] * (self.parts.removal.kept.gap and self.parts.element.by_value)
        what = "all elements" if reasons[-1:] == ["compacts"] else self.all
        return f"{what}, if it {' or '.join(reasons)}" if reasons else "nothing"

    @property
    def extends(self) -> bool:
        """Does its block grow where it lies, if memory behind it is free? Where elements are its first array, and most of it."""
        columns, parts = self.block_columns, self.parts
        return self.block and not (self.fixed or self.aligned or parts.removal.linked) and parts.allocator.resizes \
            and len(self.element_columns) == 1 and columns[0].of_element \
            and not any(column.table or column.apart for column in columns)


class Storage(Grown):
    """Where the columns are, and how they grow."""

    axis = "storage"
    inline = False  # in the struct of the container
    block = False  # several columns in one allocation
    chunk: Optional[int] = None  # slots of a chunk
    stores = True  # there are slots
    lies_at = ""  # what leads to its memory, and is not the same for two containers, as an expression of C

    @property
    def fixed(self) -> bool:
        """Are the slots of all elements allocated together, so that they keep their addresses?"""
        return fixed_storage(self.c)

    @property
    def allocated(self) -> bool:
        """Do the slots lie in memory that the container allocates?"""
        return in_memory(self.c)

    @property
    def transfers(self) -> bool:
        """May an element go to another container? Not if its address or handle is promised, a journal holds its place, or others
        hang below it; nor where a container might be locked, and the other one not."""
        parts, handles = self.parts, self.parts.handles
        return parts.element.stored and not self.fixed and (handles.moves or not handles.given) and not parts.order.tree \
            and not (parts.when.deferred and parts.index.kind == "intrusive") and not parts.when.follows

    @property
    def relocates(self) -> bool:
        """May chaos mode move all elements to other memory?"""
        element = self.parts.element
        return element.by_value and element.stored and self.c["addresses"] == "moving" and self.allocated

    @property
    def keeps_addresses(self) -> bool:
        """Are the addresses of elements promised, which lie in its slots?"""
        element = self.parts.element
        return element.by_value and element.stored and self.c["addresses"] == "stable" and not (element.rows or element.intrusive)

    # -- the columns

    @cached_property
    def columns(self) -> List[Column]:
        """All arrays, in the order in which they lie."""
        return self._element_columns() + self._slot_columns() + self._tables()

    @property
    def element_columns(self) -> List[Column]:
        """The arrays that hold the elements."""
        return [column for column in self.columns if column.of_element]

    @property
    def block_columns(self) -> List[Column]:
        """Those of the one block."""
        return self.columns

    @property
    def laid(self) -> List[Column]:
        """The same in the order in which they lie: groups of a hash index are lines of the cache."""
        return sorted(self.block_columns, key=lambda column: not column.lined)

    @property
    def aligned(self) -> bool:
        """Does what lies in the block begin where such a line does, whatever the allocator returns?"""
        return self.parts.element.aligned and not self.chunk or any(column.lined for column in self.block_columns)

    @property
    def pads(self) -> bool:
        """Do elements lie behind such lines, and may need more of the memory than these?"""
        element = self.parts.element
        return self.aligned and self.parts.allocator.aligns and element.by_value and not element.aligned

    @property
    def images(self) -> List[Column]:
        """What a snapshot copies: columns whose `image` is how many entries. Tables are last, those that grow behind the others:
        a rollback may pass over them."""
        columns = sorted(self.columns + self.parts.side.rows, key=lambda column: (column.table, not column.lasting))
        return [column._replace(image=column.keep if column.image is None else column.image)
                for column in columns if column.image != ""]

    @property
    def wiped(self) -> List[Column]:
        """Those that must be zero where there is nothing, before a snapshot is copied back."""
        return [column for column in self.columns if column.fresh and not column.of_element and not column.stays]

    @property
    def staying(self) -> List[Column]:
        """Those that a rollback does not change."""
        return [column for column in self.columns if column.stays]

    @property
    def remade(self) -> bool:
        """May T_rollback need more slots than there are?"""
        return bool(self.c["emit.snapshot"]) and self.stores and not self.inline

    @property
    def compares(self) -> bool:
        """Are snapshots compared with earlier ones, array by array? Not the struct of an inline container, nor a ring, which
        is copied from its first element on."""
        return bool(self.c["emit.snapshot"]) and self.stores and not self.inline and not self.parts.removal.kept.wraps

    clears_chunks = False  # a new chunk is filled with zeros, which its allocation is not
    aligns_chunks = False  # a chunk lies in an allocation of its own, where its columns are aligned

    @property
    def _used(self) -> str:
        return self.parts.removal.used

    @property
    def _words(self) -> str:
        return f"({self.TT.MAX} + 63) / 64"

    def _element_columns(self) -> List[Column]:
        parts, limit = self.parts, self.TT.MAX
        if not parts.element.stored:
            return []
        if not parts.element.rows:
            return [Column("items", parts.element.item, "capacity", self._used, False, "the elements, by slot", limit,
                           of_element=True)]
        # Rows without an element hold what was left there, or zeros: a loop may go over them.
        fixed = f"({limit} + 63) / 64 * 64" if parts.removal.bitmap else limit
        return [Column(f"{lane.name}_", lane.type, "capacity", self._used, parts.removal.bitmap or self.chunk is not None,
                       f"{parts.element.in_column(lane)}, by row", fixed, of_element=True) for lane in parts.element.lanes]

    def _slot_columns(self) -> List[Column]:
        """What there is for each slot beside the element."""
        parts, used, limit = self.parts, self._used, self.TT.MAX
        words, columns = "(list->used + 63) / 64", []
        if parts.removal.bitmap:
            columns.append(Column("alive", "uint64_t", "capacity / 64", words, True,
                                  f"bit s % 64 of word s / 64: {parts.removal.bit_says}",
                                  self._words, words=True))
        if parts.removal.linked:
            columns.append(Column("next", "uint32_t", "capacity", used, False,
                                  "the slot of the next element, plus one; 0: it is the last", limit))
            if parts.links.doubly:
                columns.append(Column("prev", "uint32_t", "capacity", used, False, "and of the one before; 0: it is the first",
                                      limit))
            if parts.order.tree:
                columns.append(Column("parent", "uint32_t", "capacity", used, False,
                                      "the slot of the element that it is below, plus one; 0: below none", limit))
                columns.append(Column("sibling", "uint32_t", "capacity", used, False,
                                      "the slot of the next one there; 0: it is the last", limit))
            if parts.passes.by_births:
                columns.append(Column("born", "uint64_t", "capacity", used, False, "how many elements were added before it",
                                      limit))
        if parts.passes.keeps_todo:
            stride = parts.passes.todo_words
            columns.append(Column("todo", "uint64_t", f"capacity / 64 * {stride}", f"({words} * {stride})", True,
                                  parts.passes.todo_in_words,
                                  f"{self._words} * {stride}", image="", words=True))
        columns += [Column(name, "uint32_t", "capacity", used, False, doc, limit) for name, doc in parts.removal.columns]
        linked = [column for index in self.parts.indexes.all for column in index.slot_columns]
        return columns + self.parts.order.columns + linked + self._handle_columns(words)

    def _handle_columns(self, words: str) -> List[Column]:
        c, handles, used, limit, columns = self.c, self.parts.handles, self._used, self.TT.MAX, []
        if handles.moves:
            columns.append(Column("ids", handles.id_type, "capacity", used, False,
                                  "by slot: the element's id, which its handles hold", limit))
            return columns
        if handles.mapped:
            columns.append(Column("slot_of", handles.id_type, "capacity", "list->ids_given", False,
                                  "by id: the slot of the element", limit))
            columns.append(Column("ids", handles.id_type, "capacity", used, False,
                                  "by slot: the element's id, which its handles hold", limit))
        elif handles.generational:
            columns.append(Column("retired", "uint64_t", "capacity / 64", words, True, "slots whose generation is at its end",
                                  self._words, words=True))
        if handles.generational:
            columns.append(Column("generations", handles.generation_type, "capacity",
                                  "list->ids_given" if handles.mapped else used, True,
                                  "by id: the generation of its handles, or of the next ones" if handles.mapped
                                  else "by slot: the generation of its handles, or of the next ones", limit))
        if handles.turned_back:
            columns.append(Column("spent", handles.generation_type, "capacity",
                                  "list->ids_given" if handles.mapped else used, True,
                                  f"by {'id' if handles.mapped else 'slot'}: generations up to this one had been given when an "
                                  "earlier state came back", limit,
                                  local="given", image="", stays=True))
        return columns + self.parts.changes.columns + self.parts.side.columns + self.parts.when.columns

    def _tables(self) -> List[Column]:
        return [column for index in self.parts.indexes.all for column in index.tables]

    # -- how many slots

    @property
    def granule(self) -> int:
        """The capacity is a multiple of this: whole words of bits, or what lies behind an array is aligned as that was."""
        parts = self.parts
        if self.chunk or parts.element.rows or any(column.words for column in self.columns):
            return self.chunk or 64
        behind = [column for column in self.columns if not column.lined][1:]
        even = parts.element.by_pointer and all(column.type == "uint32_t" for column in behind)
        return 1 if even else 8 if behind else 1

    @property
    def whole_words(self) -> bool:
        """Are all bits of a word those of slots that it has?"""
        return not self.inline and self.granule % 64 == 0

    @property
    def round_to(self) -> int:
        """The most slots are a multiple of this: of 64 where handles name them, whatever they are rounded up to."""
        return 64 if self.parts.handles.mapped and not self.chunk else self.granule

    @property
    def slots_held(self) -> str:
        """Slots that may be in use, as an expression of C."""
        return self.parts.removal.slots_held

    @property
    def most_slots(self) -> Tuple[str, str]:
        """As many slots as fit in memory, and as whatever numbers them can name ('': as many), as expressions of C."""
        c, parts, round_to = self.c, self.parts, self.round_to
        beside = self.columns[len(parts.element.lanes) or 1:]
        extra = sum({"uint64_t": 2, "uint32_t": 4}.get(column.type, column.bytes) * column.each for column in beside)
        # Of bytes, and of numbers: twice and four times as many can be told, too.
        size_type = c["emit.size_type"]
        rounded = f" / {round_to} * {round_to}" if round_to > 1 else ""
        most = f"SIZE_MAX / 4 / (sizeof({parts.element.item}) + {extra + 1}){rounded}"
        narrow = self._most_numbers()
        if size_type and (narrow is not None or parts.size in ("uint32_t", "unsigned", "unsigned int")):
            narrow = min(narrow or 2 ** 30, 2 ** 30)
        if narrow is not None:
            return most, f"{narrow // round_to * round_to}u"
        return most, f"{parts.largest} / 4{rounded}" if size_type else ""

    def _most_numbers(self) -> Optional[int]:
        """As many slots as what numbers them can tell apart, if that is not a size."""
        parts = self.parts
        if parts.handles.given:
            return parts.handles.named_slots(self.round_to)
        if parts.indexes.chains:
            return 2 ** 31 - 1  # a bit of a slot says that it is the last
        if parts.indexes.any:
            return min(index.most_slots for index in parts.indexes.all)
        if parts.when.deferred or parts.removal.linked or parts.order.columns or parts.removal.columns:
            return 2 ** 32 - 2
        return None

    @property
    def initial(self) -> int:
        """The slots that the first add allocates, as an expression of C."""
        return self.c["capacity.initial"]

    @property
    def begins_larger(self) -> bool:
        """May these be more slots than a capacity is rounded up to anyhow, or are there to be as many after a shrink?"""
        return self.granule == 1 or self.initial > self.granule or bool(self.shrink)

    @property
    def first_slots(self) -> int:
        """What the first add allocates: the initial capacity, rounded up."""
        return (self.initial + self.granule - 1) // self.granule * self.granule

    @property
    def growth(self) -> int:
        """Per cent that a full container grows by."""
        return int(round(self.c["capacity.growth"] * 100)) - 100

    @property
    def grown(self) -> str:
        """What a full container grows to, in integers of C."""
        if self.growth == 100:
            return "list->capacity * 2"
        if self.growth == 50:
            return "list->capacity + list->capacity / 2"
        return f"list->capacity + list->capacity / 100 * {self.growth} + list->capacity % 100 * {self.growth} / 100"

    @property
    def grows_slowly(self) -> bool:
        """May the growth factor add no slot to a small capacity?"""
        return self.growth < 50

    @property
    def caps_growth(self) -> bool:
        """Does it grow no further than to the limit?"""
        return self.parts.limit is not None and not self.parts.removal.fills_spare

    @property
    def wide_places(self) -> bool:
        """Are places as wide as size_t?"""
        return self.c["emit.size_type"] is None

    @property
    def shrink(self) -> Optional[SimpleNamespace]:
        """When storage of which little has been used for long shrinks."""
        if self.c["capacity.shrink.below"] is None or not self.allocated:
            return None
        after = self.c["capacity.shrink.after"]
        return SimpleNamespace(below=self.c["capacity.shrink.below"], seconds=after.unit == "seconds",
                               after=f"{after.amount:g}" if after.unit == "settles" else f"{float(after.amount)!r}")


class Array(Storage):
    name = "array"
    lies_at = "list->items"


class Circular(Array):
    """Its elements continue at the first slot after the last."""

    name = "circular"


class Block(Storage):
    name = "block"
    block = True
    lies_at = "list->block"


class Inline(Storage):
    name = "inline"
    inline = True


class Spread(Block):
    """The bits of the chunks that have numbers lie side by side, and beside them the numbers of these chunks."""

    @property
    def granule(self) -> int:
        return self.c["storage.chunk"]

    def _slot_columns(self) -> List[Column]:
        chunk = self.TT.CHUNK
        return super()._slot_columns() + [
            Column("chunks", "uint32_t", f"capacity / {chunk}", f"list->used / {chunk}", False,
                   f"by chunk: its number; it has the numbers from {chunk} times that on")]


class Chunked(Block):
    """What is not of the elements lies in a block."""

    name = "chunked"
    block = False
    lies_at = ""

    @property
    def chunk(self) -> int:
        return self.c["storage.chunk"]

    @property
    def freeing(self) -> Cost:
        return Cost(f"n / {self.chunk}")

    @property
    def block_columns(self) -> List[Column]:
        return [column for column in self.columns if not column.of_element]

    @property
    def clears_chunks(self) -> bool:
        return not self.aligns_chunks and any(column.fresh for column in self.element_columns)

    @property
    def aligns_chunks(self) -> bool:
        return self.parts.element.aligned

    def _handle_columns(self, words: str) -> List[Column]:
        columns = super()._handle_columns(words)
        columns.append(Column("chunks", f"{self.T.chunk_data} *", f"capacity / {self.TT.CHUNK}", "kept", False,
                              f"slot s is slot s % {self.TT.CHUNK} of chunk s / {self.TT.CHUNK}", image=""))
        if self.parts.element.addressed and not self.parts.index.indexed and not self.parts.element.rows:
            columns.append(Column("by_address", "uint32_t", f"capacity / {self.TT.CHUNK}", "", False,
                                  "numbers of the chunks, in the order of their addresses", image=""))
        return columns


class NoStorage(Storage):
    """The elements are the caller's, and hold their own links."""

    name = "none"
    stores = False
    frees = keeps = ""

    @cached_property
    def columns(self) -> List[Column]:
        return []


def choose(parts: Any) -> Storage:
    c = parts.container
    if parts.element.intrusive:
        return NoStorage(parts)
    if c["capacity.inline"]:
        return Inline(parts)
    if c["storage.kind"] == "chunked":
        return (Chunked if parts.element.stored else Spread)(parts)
    array = (Circular if parts.removal.kept.wraps else Array)(parts)
    return array if len(array.columns) == 1 and not parts.element.rows else Block(parts)
