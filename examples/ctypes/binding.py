"""Generated containers in Python: a binding made of nothing but what `bespoke explain --json` prints.

    fleet = Library("fleet.yaml", {"struct ship": Ship}).new("fleet")
    fleet.add(Ship(7, 100))

Each operation is a method, with the parameters of the header but for the container itself. A status is a member of `fleet.Status`, a
returned element one of the given type, or None. The binding compiles the container with a small source that calls each
function: those that are `static inline` are in no library, and what C passes as a struct by value it passes by address.
"""

import ctypes
import enum
import json
import os
import re
import subprocess
import sys

_SCALARS = {"bool": ctypes.c_bool, "char": ctypes.c_char, "int": ctypes.c_int, "unsigned": ctypes.c_uint, "float": ctypes.c_float,
            "double": ctypes.c_double, "size_t": ctypes.c_size_t, "const char *": ctypes.c_char_p, "void": None,
            **{f"{kind}{bits}_t": getattr(ctypes, f"c_{kind}{bits}") for kind in ("int", "uint") for bits in (8, 16, 32, 64)}}


class Library:
    """The containers of a spec, compiled and loaded."""

    def __init__(self, spec, types, folder=".", include=(), bespoke=("bespoke",), compiler=("cc",)):
        """`types`: of each type of an element the ctypes class; `include`: folders of the elements' headers."""
        flags = [f"-I{each}" for each in (*include, os.path.dirname(spec) or ".")]
        self.data = json.loads(subprocess.check_output([*bespoke, "explain", spec, "--json", *flags]))
        subprocess.check_call([*bespoke, "generate", "-q", spec, "-o", folder, "--no-format", *flags])
        self.types, self._kept = types, []
        self.containers = {each["type"]: each for each in self.data["containers"]}
        self._status_types = {function["returns"] for each in self.containers.values() for function in each["functions"]
                              if function["statuses"]}
        source = os.path.join(folder, "calls.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(self._source())
        sources = [source] + [os.path.join(folder, self.data["source"])] * (self.data["source"] is not None)
        library = os.path.join(os.path.abspath(folder), "calls.dll" if sys.platform == "win32" else "calls.so")
        subprocess.check_call([*compiler, "-shared", "-fPIC", "-g", f"-I{folder}", *flags, "-o", library, *sources])
        self.library = ctypes.CDLL(library)
        for struct in self.data["structs"]:
            if struct["size"] is not None and struct["size"] != self.size(struct["name"]):
                raise RuntimeError(f"this machine is not {self.data['data_model']}: {struct['name']} has another size")
        for name, type_ in types.items():
            if self.size(name) != ctypes.sizeof(type_):
                raise RuntimeError(f"{name} has {self.size(name)} bytes in C, {ctypes.sizeof(type_)} in Python")

    def new(self, type_):
        """A container."""
        return Container(self, self.containers[type_])

    def size(self, type_):
        """The size of a type in C."""
        return ctypes.c_size_t.in_dll(self.library, _word("size_of", type_)).value

    def on(self, name, function):
        """Makes a Python function one of those that the containers call: a hook, a predicate. Elements come as addresses."""
        call = next(each for container in self.containers.values() for each in container["calls"] if each["name"] == name)
        kind = ctypes.CFUNCTYPE(self._ctype(call["returns"]), *(self._ctype(each["type"]) for each in call["parameters"]))
        self._kept.append(kind(function))  # C does not keep it alive
        ctypes.c_void_p.in_dll(self.library, f"your_{name}").value = ctypes.cast(self._kept[-1], ctypes.c_void_p).value

    # -- what is compiled

    def _by_address(self, type_):
        """Is it a struct that is passed by value, or might be one?"""
        return type_ not in _SCALARS and "*" not in type_ and "[" not in type_ and type_ not in self._status_types

    def _ctype(self, type_):
        return ctypes.c_int if type_ in self._status_types else _SCALARS.get(type_, ctypes.c_void_p)

    def _source(self):
        """C that calls each function, defines what the containers call, and knows all sizes."""
        lines = [f'#include "{self.data["header"]}"', "#include <stddef.h>"]
        lines += [f'#include {each if each.startswith("<") else chr(34) + each + chr(34)}' for each in self.data["includes"]]
        names = [each["name"] for each in self.data["structs"]]
        for name in dict.fromkeys([*names, *self.types]):
            plain = name if name in self.types or not name.startswith("bespoke_") else f"struct {name}"
            lines.append(f"const size_t {_word('size_of', name)} = sizeof({plain});")
        for call in {each["name"]: each for container in self.containers.values() for each in container["calls"]}.values():
            taken = ", ".join(_declare(each["type"], each["name"]) for each in call["parameters"]) or "void"
            given = ", ".join(each["name"] for each in call["parameters"])
            lines += [f"{call['returns']} (*your_{call['name']})({taken});",
                      f"{call['returns']} {call['name']}({taken}) {{",
                      f"    if (your_{call['name']}) {'return ' * (call['returns'] != 'void')}your_{call['name']}({given});",
                      *["    return 0;"] * (call["returns"] != "void"), "}"]
        for function in self._functions():
            lines += self._caller(function)
        return "\n".join(lines) + "\n"

    def _functions(self):
        return [*self.data["functions"], *(each for container in self.containers.values() for each in container["functions"])]

    def _caller(self, function):
        taken, given = [], []
        for each in function["parameters"]:
            by_address = self._by_address(each["type"])
            taken.append(_declare(f"const {each['type']} *" if by_address else each["type"], each["name"]))
            given.append("*" * by_address + each["name"])
        call, result = f"{function['name']}({', '.join(given)})", function["returns"]
        if self._by_address(result):
            taken.append(f"{result} *result_")
            call, result = f"*result_ = {call}", "void"
        body = call if result == "void" else f"return {call}"
        return [f"{_declare(result, 'call_' + function['name'])}({', '.join(taken)}) {{ {body}; }}"]

    def function(self, function):
        """The function that calls this one, and which of its parameters go by address."""
        caller = self.library[f"call_{function['name']}"]
        types = [each["type"] for each in function["parameters"]]
        by_address = [self._by_address(each) for each in types]
        caller.argtypes = [ctypes.c_void_p if at else self._ctype(each) for at, each in zip(by_address, types)]
        result = function["returns"]
        caller.argtypes += [ctypes.c_void_p] * self._by_address(result)
        caller.restype = None if self._by_address(result) else self._ctype(result)
        return caller, by_address


def _word(head, type_):
    return f"{head}_" + re.sub(r"\W+", "_", type_)


def _declare(type_, name):
    """A declaration of C. A pointer to a function, and an array, have their name inside."""
    if "(*)" in type_:
        return type_.replace("(*)", f"(*{name})", 1)
    type_, bracket, length = type_.partition("[")
    return f"{type_} {name}{bracket}{length}"


class Container:
    """A container. Its operations are methods; `for element in container` is a pass."""

    def __init__(self, library, data):
        self.library, self.data = library, data
        self.Status = enum.IntEnum("Status", {each["status"]: each["value"] for each in data["statuses"]})
        self._memory = ctypes.create_string_buffer(library.size(data["type"]))
        self._operations = {each["operation"]: each for each in data["functions"]}
        self._callers = {}

    def __getattr__(self, operation):
        if operation.startswith("_") or operation not in self._operations:
            raise AttributeError(operation)
        first = self._operations[operation]["parameters"][0]
        own = (self._memory,) if first["name"] == "list" else ()
        return lambda *arguments: self.call(operation, *own, *arguments)

    def call(self, operation, *arguments):
        """Calls an operation with all its arguments."""
        function = self._operations[operation]
        if operation not in self._callers:
            self._callers[operation] = self.library.function(function)
        caller, by_address = self._callers[operation]
        kinds = [each["type"] for each in function["parameters"]]
        given = [ctypes.byref(each) if at or isinstance(each, ctypes.Structure) or (
            isinstance(each, ctypes._SimpleCData) and "*" in kind) else each for each, at, kind in zip(arguments, by_address, kinds)]
        out = self.out(function["returns"]) if len(caller.argtypes) > len(given) else None
        result = caller(*given, *([out] if out is not None else []))
        return self._shown(function, out if out is not None else result)

    def out(self, type_):
        """Memory for a value of a type of the header, such as a handle."""
        return ctypes.create_string_buffer(self.library.size(type_))

    def _shown(self, function, result):
        if function["statuses"]:
            return self.Status(result)
        if function["returns"] == self.data["element"]["returned"] and result is not None:
            return self.at(result)
        return result.decode() if isinstance(result, bytes) else result

    def at(self, address):
        """The element at an address."""
        return self.library.types[self.data["element"]["type"]].from_address(address)

    def __iter__(self):
        return Pass(self)

    def __len__(self):
        return self.count()


class Pass:
    """A pass, which goes on exactly while the container changes. Leave it early with `end`, or `with`."""

    def __init__(self, container, begin="begin"):
        self._container, self._cursor = container, getattr(container, begin)()

    def __iter__(self):
        return self

    def __next__(self):
        element = self._container.call("next", self._cursor)
        if element is None:
            raise StopIteration
        return element

    def remove_current(self):
        return self._container.call("remove_current", self._cursor)

    def end(self):
        return self._container.call("end", self._cursor)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
