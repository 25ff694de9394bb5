"""look.py FOLDER STEM...: for make, before each build. Where the files of a spec have to be generated again, removes their stamp.

CMake reads dependency files for make, too, but before 4.3 it keeps all that it has ever read of one: what is no longer a dependency,
and perhaps no longer there, would run the rule in each build. And that a generated file was deleted, make does not notice. So the
rule depends on its stamp, and this looks, as ninja does: is a dependency newer than the stamp, or is one not there, or a file that
the stamp names?
"""

import os
import re
import sys


def dependencies(text):
    """Those of the first rule of a dependency file."""
    words = re.findall(r"(?:\\[ #]|\$\$|[^\s$])+", text.split("\n\n", 1)[0].replace("\\\n", " "))
    return [re.sub(r"\\([ #])", r"\1", word).replace("$$", "$") for word in words[1:]]


def is_stale(stamp, depfile, times, remade):
    with open(stamp, encoding="utf-8", errors="surrogateescape") as file:
        outputs = file.read().splitlines()
    with open(depfile, encoding="utf-8", errors="surrogateescape") as file:
        inputs = dependencies(file.read())
    made = os.stat(stamp).st_mtime_ns
    for path in inputs:
        if path not in times:
            times[path] = os.stat(path).st_mtime_ns
        if times[path] > made:
            return True
    missing = [path for path in outputs if path not in remade and not os.path.exists(path)]
    remade.update(missing)  # what several give, the first makes again
    return bool(missing)


def main(folder, *stems):
    times, remade = {}, set()
    for stem in stems:
        stamp = os.path.join(folder, stem + ".stamp")
        try:
            stale = is_stale(stamp, os.path.join(folder, stem + ".d"), times, remade)
        except OSError:
            stale = True
        if stale and os.path.exists(stamp):
            os.remove(stamp)


main(*sys.argv[1:])
