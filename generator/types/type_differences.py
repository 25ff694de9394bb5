"""What a header says of a type now, and what its lock says."""

from typing import Any, Dict, List, Tuple

from .type_info import TypeField, TypeInfo


def differences(old: TypeInfo, new: TypeInfo) -> List[str]:
    """What the header says now (new) and the lock does not (old), a line each; nothing where they agree.

    By which header the type is reached does not count."""
    lines = []
    for what, was, now in (("kind", old.kind, new.kind), ("type", old.of, new.of)):
        if was != now:
            lines.append("its %s is '%s' now, and was '%s'" % (what, now or "none", was or "none"))
    lines += _manner("it", old, new) + _members(old.fields, new.fields, "")
    before = {used.type: used for used in old.uses}
    for used in new.uses:
        if used.type in before:
            lines += ["in '%s': %s" % (used.type, line) for line in differences(before.pop(used.type), used)]
        else:
            lines.append("'%s' lies in it, of which nothing was known" % used.type)
    return lines + ["'%s' lies in it no longer" % gone for gone in before]


def _manner(what: str, old: Any, new: Any) -> List[str]:
    lines = []
    for word, was, now in (("packed", old.packed, new.packed), ("aligned", old.aligned, new.aligned)):
        if was != now:
            said, before = (word if value is True else "%s to %s" % (word, value) for value in (now, was))
            lines.append("%s is no longer %s" % (what, word) if not now else
                         "%s is %s now" % (what, said) + (", and was " + before if was else ""))
    return lines


def _members(old: Tuple[TypeField, ...], new: Tuple[TypeField, ...], way: str) -> List[str]:
    def keyed(fields: Tuple[TypeField, ...]) -> Dict[str, TypeField]:
        unnamed = 0
        result = {}
        for member in fields:
            if not member.name:
                unnamed += 1
            result[member.name or "(unnamed %d)" % unnamed] = member
        return result

    lines = []
    was, now = keyed(old), keyed(new)
    for name, member in now.items():
        if name not in was:
            lines.append("'%s%s' is new: `%s`" % (way, name, member.declare()))
    for name, member in was.items():
        if name not in now:
            lines.append("'%s%s' is gone: `%s`" % (way, name, member.declare()))
            continue
        other = now[name]
        called = "'%s%s'" % (way, name)
        if (member.type, member.bits, member.array, member.const, member.of, member.local) != (
                other.type, other.bits, other.array, other.const, other.of, other.local):
            plainly = lambda each: each.type + ("" if each.bits is None else " : %d" % each.bits)
            how = "`%s`" % plainly(other)
            if plainly(member) != plainly(other):
                lines.append("%s is %s now, and was `%s`" % (called, how, plainly(member)))
            else:
                lines.append("%s is still %s, which is another type now" % (called, how))
        lines += _manner(called, member, other)
        lines += _members(member.fields, other.fields, way + name + "." if member.name else way)
    both = [name for name in was if name in now]
    moved = [name for name in now if name in was]
    for before, after in zip(both, moved):
        if before != after:
            lines.append("'%s%s' stands where '%s%s' was" % (way, after, way, before))
            break
    return lines
