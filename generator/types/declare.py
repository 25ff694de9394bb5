"""Types of C: a declaration of a name, a pointer to a type, a type that is const."""

from .type_info import TypeField


def declare(ctype: str, name: str) -> str:
    """`struct ship *` and `element` make `struct ship *element`."""
    ctype = ctype.strip()
    if "(" in ctype or "[" in ctype:
        return TypeField("", ctype).declare(name)
    if "[" in name:
        return f"{ctype} {name}" if not ctype.endswith("*") else f"{ctype}{name}"
    return f"{ctype}{name}" if ctype.endswith("*") else f"{ctype} {name}"


def pointer_to(ctype: str) -> str:
    ctype = ctype.strip()
    if "(" in ctype or "[" in ctype:  # a pointer to a function, an array
        return declare(ctype, "*" if "(" in ctype else "(*)")
    return f"{ctype}*" if ctype.endswith("*") else f"{ctype} *"


def constant(ctype: str) -> str:
    if "(" in ctype:
        return declare(ctype, "const")
    return f"{ctype} const" if ctype.endswith("*") else f"const {ctype}"
