"""The command `replay`: does a container still do what a program has seen?"""

import os
import shutil
import sys
import tempfile
from typing import Any

from ..text.files import forget_folder
from .console import DRIFT, OK, Output, write


def replay(options: Any, output: Output) -> int:
    from ..replays.comparison import replay as repeat
    from ..replays.printing import as_c
    from .specs import load

    spec = load([options.spec], options.include, output)[0] if options.spec else None
    folder = options.keep or tempfile.mkdtemp(prefix="bespoke-replay-")
    try:
        done = repeat(options.trace, os.path.abspath(folder), spec)
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
            forget_folder(folder)
    for name, why in done.left_out:
        write(sys.stdout, f"`{name}` is not replayed: {why}\n")
    names = ", ".join(f"`{name}`" for name in done.repeated)
    if done.parted is None:
        write(sys.stdout, f"replayed {done.operations:,} operations of {names}: all as in {options.trace}"
              + (f", with {options.spec} too\n" if spec is not None else "\n"))
        return OK
    where = f"in the containers of {options.spec}" if done.other else "in the containers of the trace"
    write(sys.stdout, f"`{done.name}` parts from {options.trace} at operation {done.parted.operation + 1:,} "
                      f"of {done.operations:,}, "
                      f"{where}: {done.parted.said}\n")
    if done.reduced is None:
        write(sys.stdout, "By itself the container keeps its contract there, so fewer operations were not looked for.\n")
    else:
        count = len(done.reduced.operations)
        write(sys.stdout, f"{'One operation is' if count == 1 else f'These {count} operations are'} enough:\n\n"
              + as_c(done.reduced.operations, done.kind, done.standin, done.reduced.said))
    return DRIFT
