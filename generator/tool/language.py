"""The commands about the language: `list`, `new` and `schema`."""

import os
import sys
from typing import Any

from ..text import diag
from ..text.diag import Diagnostics
from ..text.project import DRIVER, SUPPORT
from ..text.suggestions import did_you_mean
from .console import ENVIRONMENT, OK, SPEC, Output, write
from .specs import load, spec_paths, stands_alone


def list_(options: Any, output: Output) -> int:
    from ..pages import tables

    if options.outputs:
        specs = load(spec_paths(options.specs), [os.curdir] + options.include, output)
        for spec in specs:
            for name in tables.outputs(spec, options.tests, options.debuggers, options.fuzz):
                output.print(name)
        if any((spec.support or options.support) == "shared" for spec in specs):
            output.print(SUPPORT)
        if (options.tests or options.fuzz) and not all(stands_alone(options, spec, there=False) for spec in specs):
            output.print(DRIVER)
    elif options.combinations:
        from ..language import combinations
        found = list(combinations.combinations())
        output.print(combinations.table(found))
        output.say(f"{len(found)} combinations")
    elif options.axes:
        output.print(tables.axes())
    else:
        output.print(tables.presets())
    return OK


def new(options: Any, output: Output) -> int:
    from ..language.presets import PRESETS
    from ..output.writer import write_output
    from ..pages.starter import starter

    problems = Diagnostics()
    if options.preset not in PRESETS:
        near = did_you_mean(options.preset, PRESETS)
        raise diag.failure(SPEC, "BSP0113", "unknown preset '%s'" % options.preset,
                           help=("did you mean '%s'? " % near if near else "") + "known: " + ", ".join(PRESETS))
    text = starter(options.preset, options.name, options.type, options.header, options.file, problems)
    if problems:
        raise diag.Failure(problems, SPEC)
    if options.file is None:
        write(sys.stdout, text)
        return OK
    if os.path.lexists(options.file):
        raise diag.failure(SPEC, "BSP0402", "'%s' exists" % options.file, help="name another file with -o")
    if not write_output(options.file, text, problems):
        raise diag.Failure(problems, ENVIRONMENT)
    output.say("wrote " + options.file)
    return OK


def schema(options: Any, output: Output) -> int:
    from ..output.writer import write_output

    if options.structures:
        from ..pages import structures
        pages = structures.pages()
    elif options.axes:
        from ..pages import axes
        pages = axes.pages()
    elif options.errors:
        from ..pages import errors
        pages = {"": errors.page()}
    elif options.markdown:
        from ..pages import reference
        pages = {"": reference.page()}
    else:
        from ..pages import json_schema
        pages = {"": json_schema.text()}
    problems = Diagnostics()
    for name, text in pages.items():
        if options.file is None:
            write(sys.stdout, text)
            continue
        path = os.path.join(options.file, name) if name else options.file
        if not write_output(path, text, problems):
            raise diag.Failure(problems, ENVIRONMENT)
        output.say("wrote " + path)
    return OK
