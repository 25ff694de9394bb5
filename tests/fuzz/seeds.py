"""What a program has recorded with BESPOKE_TRACE=2, as inputs of fuzz targets: bytes as templates/test/driver/main.c reads them."""

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT)

from generator.replays import operations as ops  # noqa: E402
from generator.traces.reader import Trace  # noqa: E402

LENGTH = 119  # operations of an input: 600 bytes
RANGE = 34  # elements, as the test numbers them: from 1 on
CURSORS = 4
# By the name of a call, or of what a pass does.
KINDS = {'add': 'ADD', 'add_handle': 'ADD', 'emplace': 'EMPLACE', 'remove': 'REMOVE', 'remove_key': 'REMOVE_KEY', 'remove_at': 'REMOVE_AT', 'remove_current': 'REMOVE_CURRENT_OF',
         'find': 'READ', 'find_const': 'READ', 'contains': 'READ', 'get': 'READ', 'get_const': 'READ', 'clear': 'CLEAR', 'deinit': 'RESTART', 'update': 'UPDATE', 'prune': 'UPDATE',
         'lock': 'LOCK', 'unlock': 'UNLOCK', 'reserve': 'RESERVE', 'shrink_to_fit': 'SHRINK', 'rekey': 'RANK', 'pop': 'REMOVE',
         ops.BEGINS: 'BEGIN', ops.STEPS: 'NEXT', ops.ENDS: 'END'}


def kinds():
    """The numbers of operations that each test has."""
    with open(os.path.join(ROOT, 'templates', 'test', 'driver', 'operations.c'), encoding='utf-8') as file:
        always = re.search(r'enum \{(.*?)#ifdef', file.read(), re.DOTALL).group(1)
    return {name: number for number, name in enumerate(re.findall(r'BT_(\w+)', always))}


def seeds(path, most=20):
    """By container: inputs, each a piece of what was done with it. The pieces are spread over the trace."""
    decoded = ops.Decoded(Trace(path, all=True))
    numbers, known, found = decoded.numbers, kinds(), {}
    written = {}  # by container of the trace
    for at in range(0, len(numbers), ops.RECORD):
        op = numbers[at:at + ops.RECORD]
        kind = decoded.trace.kinds[decoded.trace.lists[op[ops.LIST]]]
        name = kind.calls[op[ops.NUMBER]][0] if op[ops.WHAT] == ops.RUN else op[ops.WHAT]
        if name not in KINDS or KINDS[name] not in known:
            continue
        byte = known[KINDS[name]]
        what = bytes([byte, op[ops.PASS] % CURSORS, 0, (op[ops.LABEL] or op[ops.KEY]) % RANGE, op[ops.KEY] % 256])
        written.setdefault((kind.name, op[ops.LIST]), []).extend([what] * (min(op[ops.COUNT], 8) if name == ops.STEPS else 1))
    for (name, _), each in written.items():
        pieces = [each[at:at + LENGTH] for at in range(0, len(each), LENGTH)]
        found.setdefault(name, []).extend(bytes([0, (RANGE - 3) << 3, 0]) + b''.join(piece) for piece in pieces[::-(-len(pieces) // most)])
    return found
