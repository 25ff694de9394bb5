"""The arguments of the command line. `run` names the module and the function of a command, which is loaded when it is run."""

import argparse
from typing import Any, List


def _group() -> argparse.ArgumentParser:
    return argparse.ArgumentParser(add_help=False)


def _messages() -> argparse.ArgumentParser:
    group = _group()
    group.add_argument("--diagnostics", choices=("gcc", "msvc", "json"), default="gcc", help="how errors are written")
    group.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours in errors")
    group.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors and what was asked for")
    return group


def _include() -> argparse.ArgumentParser:
    group = _group()
    group.add_argument("-I", dest="include", metavar="DIR", action="append", default=[],
                       help="a folder to look for element headers in")
    return group


def _headers() -> argparse.ArgumentParser:
    group = _group()
    group.add_argument("-D", dest="define", metavar="NAME[=VALUE]", action="append", default=[],
                       help="a definition with which headers are read")
    group.add_argument("--std", metavar="STANDARD", help="the version of C in which headers are read, such as c11")
    group.add_argument("--target", metavar="TRIPLE", help="the machine for which headers are read")
    group.add_argument("--compile-commands", dest="commands", metavar="FILE",
                       help="a compile_commands.json to take all of that from")
    group.add_argument("--options-from", dest="options_from", metavar="FILE",
                       help="a file with such options, one on each line")
    return group


def _generated() -> argparse.ArgumentParser:
    group = _group()
    group.add_argument("specs", metavar="SPEC", nargs="*", help="spec files; without any: specs/*.yaml")
    group.add_argument("-o", dest="folder", metavar="DIR", default="generated",
                       help="the folder of the generated files (default: generated)")
    group.add_argument("--tests", action="store_true", help="the test of each spec too")
    group.add_argument("--debuggers", action="store_true", help="what shows the containers in gdb and in Visual Studio, too")
    return group


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="bespoke", description="Cuts C containers to measure from YAML specs.")
    commands = result.add_subparsers(dest="command", metavar="COMMAND")
    commands.required = True
    messages, include, headers, generated = _messages(), _include(), _headers(), _generated()
    _add_generate(commands, [messages, include, headers, generated])
    _add_check(commands, [messages, include, headers, generated])
    _add_type(commands, [messages, include, headers])
    _add_explain(commands, [messages, include])
    _add_list(commands, [messages, include])
    _add_new(commands, [messages])
    _add_schema(commands, [messages])
    _add_doctor(commands, [messages])
    return result


def _add_generate(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("generate", parents=parents, help="write the C files of specs")
    one.add_argument("--types", action="store_true", help="read the types from their headers again, and go by these")
    one.add_argument("--depfile", metavar="FILE", help="write what the output depends on, in make syntax")
    one.add_argument("--stamp", metavar="FILE", help="touch this file on success; the target in the depfile")
    one.add_argument("--no-format", dest="format", action="store_false", help="do without clang-format")
    one.add_argument("--force", action="store_true", help="overwrite files that were edited by hand")
    one.add_argument("--stdout", action="store_true", help="print the files and write none")
    one.set_defaults(run="generate.generate")


def _add_check(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("check", parents=parents, help="are the generated files what the specs say?")
    one.add_argument("--types", action="store_true", help="and are the types in the headers what the locks say?")
    one.set_defaults(run="generate.check")


def _add_type(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    what = commands.add_parser("type", help="types from headers").add_subparsers(dest="what", metavar="WHAT")
    what.required = True
    one = what.add_parser("import", parents=parents, help="write what headers say of types into locks")
    one.add_argument("subjects", metavar="SPEC | HEADER TYPE", nargs="+",
                     help="specs, of whose elements the types are read; or a header and a type")
    one.add_argument("-o", dest="lock", metavar="LOCK", help="the lock of a single type (default: types/NAME.yaml, beside the specs "
                     "if there is a folder specs, such as specs/types/struct_ship.yaml)")
    one.add_argument("--update", action="store_true", help="only those that have a lock already, or cannot do without")
    one.set_defaults(run="type_locks.import_types")


def _add_explain(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("explain", parents=parents, help="what a spec comes to, or what an error code means")
    one.add_argument("subject", metavar="SPEC|CODE", help="a spec file, or a code such as BSP0202")
    one.add_argument("container", metavar="CONTAINER", nargs="?", help="one container of the spec")
    one.set_defaults(run="explain.explain")


def _add_list(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("list", parents=parents, help="presets, axes and their values, output files")
    what = one.add_mutually_exclusive_group()
    what.add_argument("--axes", action="store_true", help="every key with its values")
    what.add_argument("--combinations", action="store_true",
                      help="every combination of the policy axes that is accepted, with the storage that serves it")
    what.add_argument("--outputs", action="store_true", help="the files that specs give")
    one.add_argument("specs", metavar="SPEC", nargs="*", help="spec files, for --outputs")
    one.add_argument("--tests", action="store_true", help="with --outputs: the tests too")
    one.add_argument("--debuggers", action="store_true", help="with --outputs: the files for debuggers too")
    one.set_defaults(run="language.list_")


def _add_new(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("new", parents=parents, help="a commented spec to start from")
    one.add_argument("preset", metavar="PRESET", help="see `bespoke list`")
    one.add_argument("-o", dest="file", metavar="FILE", help="write it to this file, which must not exist")
    one.add_argument("--name", default="fleet", help="the name of the container (default: fleet)")
    one.add_argument("--type", default=None, help="the type of an element (default: struct ship)")
    one.add_argument("--header", default=None, help="the header that declares it (default: ship.h)")
    one.set_defaults(run="language.new")


def _add_schema(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("schema", parents=parents, help="the language: JSON Schema for editors, reference page for people")
    how = one.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="JSON Schema, draft 7 (default)")
    how.add_argument("--markdown", action="store_true", help="the reference page")
    how.add_argument("--structures", action="store_true", help="a page for each preset, into the folder of -o")
    how.add_argument("--axes", action="store_true", help="a page for each axis, into the folder of -o")
    how.add_argument("--errors", action="store_true", help="the page of all errors")
    one.add_argument("-o", dest="file", metavar="FILE", help="write it to this file")
    one.set_defaults(run="language.schema")


def _add_doctor(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("doctor", parents=parents, help="what is installed, what is missing, how to get it")
    one.add_argument("--need", choices=("generate", "types"), action="append", default=[],
                     help="fail if something is missing that this command cannot do without")
    one.set_defaults(run="doctor.doctor")
