"""What the measuring scripts share: the machine they ran on, and the file that they write for the report.

The file is {"bench": name of the script, "machine": {...}, "rows": [...]}; each script says what its rows are.
"""

import json
import os
import platform
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def version(program):
    """The version of a program, or None where there is none."""
    try:
        said = subprocess.run([program, '--version'], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              encoding='utf-8', check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    found = re.search(r'\d+\.\d+(\.\d+)?', said)
    return found.group() if found else None


def machine():
    """The processor, the system, and the versions of what was used."""
    processor = platform.processor() or platform.machine()
    try:
        with open('/proc/cpuinfo', encoding='utf-8') as file:
            processor = re.search(r'model name\s*:\s*(.+)', file.read()).group(1)
    except (OSError, AttributeError):
        pass
    programs = {name: version(name) for name in ('gcc', 'clang', 'clang-format', 'cmake')}
    return {'processor': processor, 'processors': os.cpu_count(), 'system': platform.system() + ' ' + platform.machine(),
            'python': platform.python_version(), **{name: found for name, found in programs.items() if found}}


def save(path, bench, rows):
    """Writes the file of a script."""
    with open(path, 'w', encoding='utf-8') as file:
        json.dump({'bench': bench, 'machine': machine(), 'rows': rows}, file, indent=1)
        file.write('\n')
