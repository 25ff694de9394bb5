"""The arguments of the command line. `run` names the module and the function of a command, which is loaded when it is run."""

import argparse
from typing import Any, List

from ..text.project import CONTRACT, VERSION


def _group() -> argparse.ArgumentParser:
    return argparse.ArgumentParser(add_help=False)


def _messages() -> argparse.ArgumentParser:
    group = _group()
    group.add_argument("--diagnostics", choices=("gcc", "msvc", "json"), default="gcc", help="the format of errors")
    group.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="color errors")
    group.add_argument("-q", "--quiet", action="store_true", help="print only errors and results")
    return group


def _include() -> argparse.ArgumentParser:
    group = _group()
    group.add_argument("-I", dest="include", metavar="DIR", action="append", default=[],
                       help="add a folder to the search path of element headers")
    return group


def _headers() -> argparse.ArgumentParser:
    group = _group()
    group.add_argument("-D", dest="define", metavar="NAME[=VALUE]", action="append", default=[],
                       help="define a macro for reading headers")
    group.add_argument("--std", metavar="STANDARD", help="the C standard for reading headers, such as c11")
    group.add_argument("--target", metavar="TRIPLE", help="the target machine for reading headers")
    group.add_argument("--compile-commands", dest="commands", metavar="FILE",
                       help="a compile_commands.json with these options")
    group.add_argument("--options-from", dest="options_from", metavar="FILE",
                       help="a file with these options, one per line")
    return group


def _generated() -> argparse.ArgumentParser:
    group = _group()
    group.add_argument("specs", metavar="SPEC", nargs="*", help="spec files (default: specs/*.yaml)")
    group.add_argument("-o", dest="folder", metavar="DIR", default="generated",
                       help="the output folder (default: generated)")
    group.add_argument("--tests", action="store_true", help="also the test of each spec")
    group.add_argument("--fuzz", action="store_true", help="also that test as a target for libFuzzer and AFL++")
    group.add_argument("--debuggers", action="store_true", help="also the views for gdb, lldb and Visual Studio")
    group.add_argument("--depfile", metavar="FILE", help="write the dependencies of the result, in make syntax")
    group.add_argument("--not-watched", dest="unwatched", metavar="DIR", action="append", default=[],
                       help="with --depfile: no dependency on folders because of files that may appear below DIR")
    _add_support(group)
    return group


def _add_support(group: Any) -> None:
    group.add_argument("--support", choices=("inline", "shared"),
                       help="emit.support of specs that do not give it (default: as the files in the output folder have it, "
                            "else inline)")


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="bespoke", description="Generates C containers from YAML specs.")
    result.add_argument("--version", action="version", version=f"bespoke {VERSION} (contract {CONTRACT})",
                        help="print the version")
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
    _add_cmake_dir(commands, [messages])
    _add_trace(commands, [messages])
    _add_report(commands, [messages])
    _add_replay(commands, [messages, include])
    _add_tune(commands, [messages, include])
    return result


def _add_generate(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("generate", parents=parents, help="generate the C files of specs")
    one.add_argument("--types", action="store_true", help="read the types from their headers instead of their locks")
    one.add_argument("--stamp", metavar="FILE", help="touch this file on success; it is the target in the depfile")
    one.add_argument("--no-format", dest="format", action="store_false", help="do not run clang-format")
    one.add_argument("--force", action="store_true", help="overwrite hand-edited files, and layout")
    one.add_argument("--stdout", action="store_true", help="print the files instead of writing them")
    one.set_defaults(run="generate.generate")


def _add_check(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("check", parents=parents, help="compare the generated files with the specs")
    one.add_argument("--types", action="store_true", help="also compare the headers with the type locks")
    one.set_defaults(run="generate.check")


def _add_type(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    what = commands.add_parser("type", help="import types from headers").add_subparsers(dest="what", metavar="WHAT")
    what.required = True
    one = what.add_parser("import", parents=parents, help="write the types of headers into locks")
    one.add_argument("subjects", metavar="SPEC | HEADER TYPE", nargs="+",
                     help="specs, for the types of their elements; or a header and a type")
    one.add_argument("-o", dest="lock", metavar="LOCK", help="the lock of a single type (default: types/NAME.yaml, in the "
                     "folder specs if there is one, such as specs/types/struct_ship.yaml)")
    one.add_argument("--update", action="store_true", help="only types that have a lock or need one")
    one.set_defaults(run="type_locks.import_types")


def _add_explain(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("explain", parents=parents, help="explain a resolved spec, or an error code")
    one.add_argument("subject", metavar="SPEC|CODE", help="a spec file, or a code such as BSP0202")
    one.add_argument("container", metavar="CONTAINER", nargs="?", help="one container of the spec")
    one.add_argument("--json", action="store_true", help="print it as data for other tools")
    one.set_defaults(run="explain.explain")


def _add_list(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("list", parents=parents, help="list presets, axes and their values, or output files")
    what = one.add_mutually_exclusive_group()
    what.add_argument("--axes", action="store_true", help="every key with its values")
    what.add_argument("--combinations", action="store_true",
                      help="every valid combination of the policy axes, with its storage")
    what.add_argument("--outputs", action="store_true", help="the output files of specs")
    one.add_argument("specs", metavar="SPEC", nargs="*", help="spec files, for --outputs")
    one.add_argument("--tests", action="store_true", help="with --outputs: also the tests")
    one.add_argument("--fuzz", action="store_true", help="with --outputs: also the tests as fuzz targets")
    one.add_argument("--debuggers", action="store_true", help="with --outputs: also the views for debuggers")
    _add_support(one)
    one.set_defaults(run="language.list_")


def _add_new(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("new", parents=parents, help="write a commented starter spec")
    one.add_argument("preset", metavar="PRESET", help="see `bespoke list`")
    one.add_argument("-o", dest="file", metavar="FILE", help="write it to this file, which must not exist")
    one.add_argument("--name", default="fleet", help="the name of the container (default: fleet)")
    one.add_argument("--type", default=None, help="the type of an element (default: struct ship)")
    one.add_argument("--header", default=None, help="the header that declares it (default: ship.h)")
    one.set_defaults(run="language.new")


def _add_schema(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("schema", parents=parents, help="print the language: JSON Schema or reference page")
    how = one.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="JSON Schema, draft 7 (default)")
    how.add_argument("--markdown", action="store_true", help="the reference page")
    how.add_argument("--structures", action="store_true", help="a page for each preset, into the folder of -o")
    how.add_argument("--axes", action="store_true", help="a page for each axis, into the folder of -o")
    how.add_argument("--errors", action="store_true", help="the page of all errors")
    one.add_argument("-o", dest="file", metavar="FILE", help="write it to this file")
    one.set_defaults(run="language.schema")


def _add_cmake_dir(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("cmake-dir", parents=parents, help="print the folder of the CMake package, for -DBespoke_DIR")
    one.add_argument("-o", dest="folder", metavar="DIR", help="write its files into this folder, and print that")
    one.set_defaults(run="packaged.cmake_dir")


def _add_trace(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    group = commands.add_parser("trace", help="what a program has recorded with BESPOKE_TRACE")
    what = group.add_subparsers(dest="what", metavar="WHAT")
    what.required = True
    one = what.add_parser("export", parents=parents, help="write it for other tools")
    one.add_argument("trace", metavar="TRACE", help="the file that bespoke_trace_begin named")
    one.add_argument("--to", choices=("chrome", "csv"), default="chrome",
                     help="chrome: JSON for Perfetto, chrome://tracing and Tracy; csv: a line for each event (default: chrome)")
    one.add_argument("-o", dest="file", metavar="FILE", help="write it to this file (default: the standard output)")
    one.set_defaults(run="traces.export")


def _add_report(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("report", parents=parents,
                              help="what stands out in a trace, and plots over its frames: one HTML file")
    one.add_argument("trace", metavar="TRACE", help="the file that bespoke_trace_begin named")
    one.add_argument("--json", action="store_true", help="the same content as data for other tools")
    one.add_argument("-o", dest="file", metavar="FILE",
                     help="write it to this file (default: TRACE.html; with --json the standard output)")
    one.set_defaults(run="traces.report")


def _add_replay(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("replay", parents=parents, help="do containers still do what a program has seen? From its trace")
    one.add_argument("trace", metavar="TRACE", help="what a program with -DBESPOKE_TRACE=2 has recorded")
    one.add_argument("--spec", metavar="SPEC", help="also with the containers of this spec, which may have other policies")
    one.add_argument("--keep", metavar="DIR", help="keep what is built for it in this folder")
    one.set_defaults(run="replays.replay")


def _add_tune(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("tune", parents=parents,
                              help="which policy, storage, index and capacity is fastest, or smallest, for what a program did?")
    one.add_argument("trace", metavar="TRACE", help="what a program with -DBESPOKE_TRACE=2 has recorded")
    one.add_argument("names", metavar="CONTAINER", nargs="*", help="containers of the trace (default: all)")
    one.add_argument("--spec", dest="specs", metavar="SPEC", action="append", default=[],
                     help="a spec of these containers: what it says now is what is compared with")
    one.add_argument("--sources", metavar="FILE", nargs="+", default=[],
                     help="the sources of the program: a candidate needs only the operations that they call")
    one.add_argument("--write", action="store_true", help="change the specs to what is best, where that is sure")
    one.add_argument("--for", dest="price", choices=("time", "memory"), default="time",
                     help="what is best: least time, or least memory that takes no more time (default: time)")
    one.add_argument("--all", action="store_true", help="print all candidates, not only the best ones")
    one.add_argument("--json", action="store_true", help="print it as data for other tools")
    one.add_argument("--cc", metavar="COMPILER", help="the compiler of C (default: CC, or cc, gcc, clang, tcc)")
    one.add_argument("--flags", metavar="FLAGS", help="its flags, as one argument (default: CFLAGS, or -O2)")
    one.add_argument("--seconds", metavar="N", type=float, default=45,
                     help="measure about this long, without compiling (default: 45)")
    one.add_argument("--sweep", metavar="BYTES", type=int,
                     help="go through this much other memory between frames; 0: caches stay warm (default: a byte for each "
                          "nanosecond that frames take, at most 4 MB)")
    one.add_argument("--keep", metavar="DIR", help="keep what is built for it in this folder")
    one.set_defaults(run="tuning.tune")


def _add_doctor(commands: Any, parents: List[argparse.ArgumentParser]) -> None:
    one = commands.add_parser("doctor", parents=parents, help="report what is installed, what is missing, and how to install it")
    one.add_argument("--need", choices=("generate", "types"), action="append", default=[],
                     help="fail if a requirement of this command is missing")
    one.set_defaults(run="doctor.doctor")
