"""What programs this machine runs. A compiler may link what is then not run: a kernel may run no programs of 32 bits, and a
sanitizer ends where addresses are random in more bits than it knows."""

import functools
import os
import shutil
import subprocess
import tempfile

EMPTY = '#include <stdlib.h>\nint main(void)\n{\n    return 0;\n}\n'
FUZZED = 'int LLVMFuzzerTestOneInput(const char *data, unsigned long size)\n{\n    (void)data, (void)size;\n    return 0;\n}\n'


@functools.lru_cache(maxsize=None)
def runs(*command, source=EMPTY, under=(), arguments=()):
    """Does the program that this command of a compiler makes run, under an emulator if one is named?"""
    if any(shutil.which(tool) is None for tool in [command[0], *under[:1]]):
        return False
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'probe.exe')  # as wine wants it
        with open(program + '.c', 'w', encoding='ascii') as file:
            file.write(source)
        try:
            for step in [*command, program + '.c', '-o', program], [*under, program, *arguments]:
                done = subprocess.run(step, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
                if done.returncode != 0:
                    return False
        except (OSError, subprocess.TimeoutExpired):
            return False
    return True


def has_fuzzer(*sanitizers):
    """Has clang libFuzzer, and does what it makes run?"""
    return runs('clang', '-fsanitize=' + ','.join(('fuzzer',) + sanitizers), source=FUZZED, arguments=('-runs=1',))


def emulator(machine):
    """The command that runs programs of another machine, as qemu calls it, or of Windows; nothing, if there is none."""
    names = ('wine',) if machine == 'windows' else ('qemu-' + machine, 'qemu-%s-static' % machine)
    return tuple(filter(None, map(shutil.which, names)))[:1]
