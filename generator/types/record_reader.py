"""Structs and unions as libclang has them: the spelling of their members' types, their packing and alignment."""

import dataclasses
import re
from dataclasses import dataclass
from typing import Any, List, Optional, Tuple

from .libclang import ARRAYS, ENUM, ENUMERATION, POINTER, RECORD, STRUCT, UNION
from .type_info import TypeField


class Refused(Exception):
    """What a header declares cannot be written down."""

    def __init__(self, what: str, cursor: Any, code: str = "BSP0327"):
        super().__init__(what)
        self.cursor, self.code = cursor, code


def _peeled(type_: Any) -> Any:
    """What an array is of, or a pointer points to, at the end."""
    while True:
        actual = type_.get_canonical()
        if actual._kind_id in ARRAYS:
            inner = type_.get_array_element_type()
        elif actual._kind_id == POINTER:
            inner = type_.get_pointee()
        else:
            return type_
        # A typedef has a name of its own, so what it hides need not be spelled.
        if not inner.spelling or re.fullmatch(r"(?:(?:const|volatile) )*[A-Za-z_]\w*", type_.spelling):
            return type_
        type_ = inner


def _unnamed(type_: Any) -> Any:
    """The declaration of a type without a name, or None."""
    if type_.get_canonical()._kind_id not in (RECORD, ENUMERATION):
        return None
    declaration = type_.get_canonical().get_declaration()
    if re.search(r"\((?:unnamed|anonymous)\b", type_.spelling):
        return declaration
    return None


def spelled(type_: Any, cursor: Any = None) -> str:
    """A type as C spells it; one without a name as its keyword alone."""
    text = type_.spelling
    inner = _peeled(type_)
    if _unnamed(inner) is not None:
        spelled = re.sub(r"\A(?:(?:const|volatile|restrict|_Atomic)\s+)+", "", inner.spelling)
        text = text.replace(spelled, spelled.split()[0], 1)
    if re.search(r"\btypeof\b", text):
        text = type_.get_canonical().spelling
    text = re.sub(r"\s*\b_N(?:onnull|ullable(?:_result)?|ull_unspecified)\b", "", text)
    text = re.sub(r"\b_Bool\b", "bool", text)
    text = re.sub(r"(?<=[\w*)])\s+\[", "[", text)
    if cursor is not None and "__attribute__" in text:
        raise Refused("has a type that cannot be spelled without `__attribute__`; give it a name by a typedef", cursor)
    if cursor is not None and re.search(r"\((?:unnamed|anonymous)\b", text):
        raise Refused("is of functions that take or return a type without a name, which cannot be spelled; give that type a "
                      "name", cursor)
    if cursor is not None and "(^" in text:
        raise Refused("is a block, which is no C", cursor)
    return text


def _unassignable(type_: Any) -> bool:
    """Is it const, or is something in it?"""
    actual = type_.get_canonical()
    while actual._kind_id in ARRAYS:
        actual = actual.get_array_element_type().get_canonical()
    if actual.is_const_qualified():
        return True
    return actual._kind_id == RECORD and any(_unassignable(each.type) for each in actual.get_fields())


def _local(type_: Any) -> bool:
    """Does a struct hold the definition of the type that is spelled?"""
    inner = _peeled(type_)
    tag = re.fullmatch(r"(?:(?:const|volatile) )*(?:struct|union|enum) \w+", inner.spelling)
    if tag is None:
        return False
    definition = inner.get_canonical().get_declaration().get_definition()
    return definition is not None and definition.lexical_parent is not None and definition.lexical_parent._kind_id in (
        STRUCT, UNION)


@dataclass
class _Laid:
    """A member and where it lies, in bits."""

    name: str
    offset: int
    size: int
    align: int
    bits: Optional[int]
    cursor: Any


def read_record(type_: Any, declaration: Any, ms: bool, unnamed: bool = False) -> Tuple[Tuple[TypeField, ...], Any,
                                                                                        Optional[int]]:
    """Members, packing and alignment of a struct or union; one without a name cannot be aligned by itself. ms: bit-fields are
    as Windows has them."""
    cursors = list(type_.get_fields())
    fields: List[TypeField] = []
    laid: List[_Laid] = []
    for cursor in cursors:
        kind = cursor.type
        name = cursor.spelling if re.fullmatch(r"[A-Za-z_]\w*", cursor.spelling) else ""
        bits = cursor.get_bitfield_width() if cursor.is_bitfield() else None
        try:
            text = spelled(kind, cursor)
        except Refused as refused:
            raise Refused("cannot be described: its member '%s' %s" % (name or "without a name", refused), cursor)
        inner, packed, of = (), False, ""
        hidden = _unnamed(_peeled(kind))
        if hidden is not None and hidden._kind_id == ENUM:
            of = spelled(hidden.enum_type)
        elif hidden is not None:
            inner, packed, _ = read_record(hidden.type, hidden, ms, True)
        actual = kind.get_canonical()
        array = actual._kind_id in ARRAYS
        fields.append(TypeField(name, text, bits, inner, _unassignable(kind),
                            array and not TypeField("x", text).is_array, None, packed, of, _local(kind)))
        laid.append(_Laid(name, cursor.get_field_offsetof(), max(0, kind.get_size()) * 8, max(1, kind.get_align()) * 8, bits,
                          cursor))
    size, align = type_.get_size() * 8, type_.get_align() * 8
    union = declaration._kind_id == UNION
    # A `#pragma pack` that is seen in what lies inside is likely to be around the whole.
    around = [member.packed for member in fields if member.packed and member.packed is not True]
    numbers = [2, 4, 8, 16]
    ways = [(False, True, True)] + [(pack, False, False) for pack in around] + [(True, False, True)]
    ways += [(pack, False, False) for pack in numbers] + [(pack, False, True) for pack in around + numbers] + [(True, True, True)]
    for packed, raising, aligning in ways:
        found = _lay_out(laid, union, packed, raising, ms)
        if found is None:
            continue
        raised, end, natural = found
        aligned = align if align > natural else None
        if align < natural or -(-end // align) * align != size or (aligned is not None and (unnamed or not aligning)):
            continue
        given = tuple(member if extra is None else dataclasses.replace(member, aligned=extra // 8)
                      for member, extra in zip(fields, raised))
        return given, packed, None if aligned is None else aligned // 8
    raise Refused(("has a struct or union without a name, which" if unnamed else "has a layout that")
                  + " cannot be described: its "
                   "members do not lie where C would put them", declaration)


def _lay_out(laid: List[_Laid], union: bool, packed: Any, raising: bool,
             ms: bool) -> Optional[Tuple[List[Optional[int]], int, int]]:
    """Would C lay the members out like that? Gives which of them are aligned more than their types are, where the last one
    ends, and the alignment of the whole; None if not. All in bits. raising: members may be aligned more than their types are;
    ms: bit-fields as Windows has them."""
    most = 8 if packed is True else packed * 8 if packed else None
    at, end, whole = 0, 0, 8
    unit_end, unit_size = 0, 0
    raised: List[Optional[int]] = []
    for member in laid:
        align = member.align if most is None else min(member.align, most)
        extra: Optional[int] = None
        begin = 0 if union else at
        if member.bits is not None:
            if ms and not union and packed is not True:
                if member.bits == 0 or unit_size != member.size or begin + member.bits > unit_end:
                    begin = -(-max(begin, unit_end) // align) * align
                    unit_size, unit_end = member.size, begin + member.size
            elif member.bits == 0:
                begin = -(-begin // member.align) * member.align
            elif not packed and begin % align + member.bits > member.size:
                begin = -(-begin // align) * align
            if begin != member.offset:
                return None
            if member.name or ms:
                whole = max(whole, align)
            at = begin + member.bits
        else:
            unit_size = 0
            begin = -(-max(begin, unit_end if ms and not union else 0) // align) * align
            unit_end = 0
            extra_align = align * 2
            while begin != member.offset and extra_align <= 1 << 20 and raising and member.name:
                if -(-begin // extra_align) * extra_align == member.offset:
                    begin, extra = member.offset, extra_align
                extra_align *= 2
            if begin != member.offset:
                return None
            whole = max(whole, extra or align)
            at = begin + member.size
        raised.append(extra)
        end = max(end, at if not ms else max(at, unit_end))
    return raised, end, whole
