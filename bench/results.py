"""What the benchmarks gave: stored results, ratios of medians with their spread, and the bounds of targets.yaml."""

import json
import math
import os
import re
import statistics
import subprocess

import yaml

BENCH = os.path.dirname(os.path.abspath(__file__))
TARGETS = os.path.join(BENCH, 'targets.yaml')
CONFIDENCE = 0.95


class Problem(Exception):
    """Something that ends the run, or the report: said in a line, without a traceback."""


class Case:
    """All peers of a case do the same work: workload/size/n/what."""

    def __init__(self, name):
        parts = name.split('/')
        if len(parts) != 4 or not parts[1].isdigit() or not parts[2].isdigit():
            raise Problem(f'{name}: a case is named workload/size/n/what')
        self.name, self.workload, self.size, self.n, self.what = name, parts[0], int(parts[1]), int(parts[2]), parts[3]


# Statistics.

def _resampled_median(count):
    """If a median is taken of so many values drawn, with replacement, from as many: how likely it is each of them, in order."""
    def at_most(k, middle):    # the chance that at least `middle` of the values drawn are among the k least
        return sum(math.comb(count, i) * (k / count) ** i * (1 - k / count) ** (count - i) for i in range(middle, count + 1))
    middles = {(count + 1) // 2, count // 2 + 1}
    upto = [sum(at_most(k, middle) for middle in middles) / len(middles) for k in range(count + 1)]
    return [after - before for before, after in zip(upto, upto[1:])]


class Ratio:
    """The ratio of two medians, ours over the peer's: below 1, we are faster. `low` to `high` is its bootstrap interval, from all
    resamples of both rather than from some at random, so that the same times always give the same interval."""

    def __init__(self, ours, peer):
        self.value = statistics.median(ours) / statistics.median(peer)
        weights = [(value, chance) for value, chance in zip(sorted(ours), _resampled_median(len(ours)))]
        others = [(value, chance) for value, chance in zip(sorted(peer), _resampled_median(len(peer)))]
        spread = sorted((value / other, chance * likely) for value, chance in weights for other, likely in others)
        self.low = self._quantile(spread, (1 - CONFIDENCE) / 2)
        self.high = self._quantile(spread, (1 + CONFIDENCE) / 2)

    @staticmethod
    def _quantile(spread, wanted):
        upto = 0
        for value, chance in spread:
            upto += chance
            if upto >= wanted - 1e-12:
                return value
        return spread[-1][0]


# Results: {'bench': 'run', 'machine': {...}, 'rows': [{'case': name, 'times': {peer: [seconds, ...]}}]}

def ours_of(times):
    return [peer for peer in times if peer.startswith('bespoke')]


def load(paths):
    """One set of results of several files. Where a case is in several, the last file's counts: times of two runs are never mixed."""
    machine, rows = None, {}
    for path in paths:
        try:
            with open(path, encoding='utf-8') as file:
                found = json.load(file)
        except (OSError, ValueError) as error:
            raise Problem(f'{path}: {error}') from None
        if found.get('bench') != 'run':
            raise Problem(f'{path}: no results of bench/run.py')
        if machine is not None and found['machine'] != machine:
            raise Problem(f'{path}: of another machine or compiler than {paths[0]}: {found["machine"]}, not {machine}')
        machine = found['machine']
        for row in found['rows']:
            Case(row['case'])
            rows[row['case']] = row
    return {'bench': 'run', 'machine': machine, 'rows': list(rows.values())}


def store(path, results):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path + '.new', 'w', encoding='utf-8') as file:
        json.dump(results, file, indent=1)
        file.write('\n')
    os.replace(path + '.new', path)


# The machine, as far as times depend on it.

def _first_line(*command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding='utf-8',
                              env={**os.environ, 'LC_ALL': 'C'}, check=True)
        return done.stdout.partition('\n')[0].strip()
    except (OSError, subprocess.CalledProcessError):
        return ''


def _read(path):
    try:
        with open(path, encoding='utf-8') as file:
            return file.read().strip()
    except OSError:
        return ''


def machine(programs=None):
    """What measured, without names of hosts or users. With the folder of the programs, their compiler too."""
    processor = _read('/proc/cpuinfo')
    model = re.search(r'^model name\s*: (.*)$', processor, re.MULTILINE)
    caches = []
    for index in range(8):
        cache = f'/sys/devices/system/cpu/cpu0/cache/index{index}'
        kind, level, size = _read(f'{cache}/type'), _read(f'{cache}/level'), _read(f'{cache}/size')
        if size and kind != 'Instruction':
            caches.append(f"L{level}{'d' if kind == 'Data' else ''} {size[:-1]} KiB")
    memory = re.search(r'^MemTotal:\s*(\d+) kB', _read('/proc/meminfo'), re.MULTILINE)
    system = re.search(r'^PRETTY_NAME="?([^"\n]*)', _read('/etc/os-release'), re.MULTILINE)
    found = {
        'processor': model.group(1).strip() if model else os.uname().machine,
        'family': ' '.join(re.search(rf'^{key}\s*: (\S+)$', processor, re.MULTILINE).group(1)
                           for key in ('cpu family', 'model') if re.search(rf'^{key}\s*: (\S+)$', processor, re.MULTILINE)),
        'cores': os.cpu_count(),
        'virtual': bool(re.search(r'^flags\s*:.*\bhypervisor\b', processor, re.MULTILINE)),
        'caches': ', '.join(caches),
        'memory': f'{round(int(memory.group(1)) / 2 ** 20)} GiB' if memory else '',
        'system': system.group(1) if system else os.uname().sysname,
    }
    if programs:
        cache = _read(os.path.join(programs, 'CMakeCache.txt'))
        compiler = re.search(r'^CMAKE_CXX_COMPILER:\w+=(.*)$', cache, re.MULTILINE)
        options = re.search(r'^BENCH_OPTIMIZE:\w+=(.*)$', cache, re.MULTILINE)
        if compiler:
            found['compiler'] = _first_line(compiler.group(1), '--version')
            found['options'] = f"{options.group(1) if options else ''} -DNDEBUG".strip()
    return found


# Bounds.

def _texts(value, where):
    values = value if isinstance(value, list) else [value]
    for one in values:
        if not isinstance(one, str):
            raise Problem(f'{where}: {one!r} is no text')
        try:
            re.compile(one)
        except re.error as error:
            raise Problem(f'{where}: {one}: {error}') from None
    return values


def _numbers(value, where):
    values = value if isinstance(value, list) else [value]
    if not all(isinstance(one, int) and not isinstance(one, bool) for one in values) or not values:
        raise Problem(f'{where}: {value!r}: numbers are wanted')
    return values


class Pattern:
    """Which pairs of ours and a peer, in which cases: each of `workload, what, ours, peers` one regular expression or several, each of
    which is to match all of the text; `sizes` and `n` numbers. What is not given is any."""

    KEYS = {'workload': _texts, 'what': _texts, 'ours': _texts, 'peers': _texts, 'sizes': _numbers, 'n': _numbers}

    def __init__(self, given, where):
        self.where = where
        self.wanted = {key: check(given[key], f'{where}: {key}') for key, check in self.KEYS.items() if key in given}

    @staticmethod
    def _found(case, ours, peer):
        return {'workload': case.workload, 'what': case.what, 'ours': ours, 'peers': peer, 'sizes': case.size, 'n': case.n}

    @staticmethod
    def _is(wanted, value):
        return wanted == value if isinstance(wanted, int) else re.fullmatch(wanted, value) is not None

    def matches(self, case, ours, peer):
        found = self._found(case, ours, peer)
        return ours != peer and all(any(self._is(one, found[key]) for one in wanted) for key, wanted in self.wanted.items())

    def check(self, pairs):
        """Each alternative must match one of these at least: one that matches none would check nothing, and nobody would see."""
        matching = [self._found(*pair) for pair in pairs if self.matches(*pair)]
        for key, wanted in self.wanted.items():
            for one in wanted:
                if not any(self._is(one, found[key]) for found in matching):
                    raise Problem(f'{self.where}: {key}: {one}: there is no such case')


class Bound(Pattern):
    """A line of the table of what must be reached."""

    def __init__(self, given, where):
        if not isinstance(given, dict):
            raise Problem(f'{where}: {given!r}: keys are wanted')
        unknown = set(given) - set(self.KEYS) - {'row', 'note', 'at_most', 'ahead'}
        if unknown:
            raise Problem(f'{where}: unknown: {", ".join(sorted(unknown))}')
        if not isinstance(given.get('row'), str):
            raise Problem(f'{where}: `row` is wanted: what is measured, in words')
        if not isinstance(given.get('note', ''), str):
            raise Problem(f'{where}: `note` is a text: what the report says beside the row')
        for key in ('workload', 'ours', 'peers'):
            if key not in given:
                raise Problem(f'{where}: `{key}` is wanted')
        limits = [key for key in ('at_most', 'ahead') if key in given]
        if len(limits) != 1 or not isinstance(given[limits[0]], (int, float)) or given[limits[0]] <= 0:
            raise Problem(f'{where}: one of `at_most`, `ahead` is wanted: a number above 0')
        super().__init__(given, where)
        self.row, self.note = given['row'], given.get('note', '')
        self.ahead = given.get('ahead')
        self.limit = given['at_most'] if self.ahead is None else 1 / self.ahead

    def says(self):
        if self.ahead is None:
            return f'at most {self.limit:g}'
        return 'below 1' if self.ahead == 1 else f'at most {self.limit:.2g} (ahead by {self.ahead:g})'

    def met(self, value):
        """`ahead: 1` asks for less than the peer's time, no more."""
        return value < 1 if self.ahead == 1 else value <= self.limit


class Targets:
    def __init__(self, path=TARGETS):
        with open(path, encoding='utf-8') as file:
            given = yaml.safe_load(file)
        name = os.path.basename(path)
        unknown = set(given) - {'bounds', 'limits', 'other_contracts', 'workloads', 'plot'}
        if unknown:
            raise Problem(f'{name}: unknown: {", ".join(sorted(unknown))}')
        self.bounds = [Bound(one, f'{name}: bounds[{at}]') for at, one in enumerate(given['bounds'])]
        self.limits = Pattern({'peers': given['limits']}, f'{name}: limits')
        self.others = []
        for at, one in enumerate(given.get('other_contracts') or []):
            where = f'{name}: other_contracts[{at}]'
            unknown = set(one) - set(Pattern.KEYS) - {'why'}
            if unknown or not isinstance(one.get('why'), str):
                raise Problem(f'{where}: `why` is wanted, and no unknown keys {sorted(unknown)}')
            self.others.append((Pattern(one, where), one['why']))
        self.workloads = given.get('workloads') or {}
        self.plot = given.get('plot')

    def check(self, cases):
        """`cases`: {name of a case: its peers}, all that there are, not only those that are run."""
        pairs = list(pairs_of(cases))
        for pattern in [*self.bounds, *(pattern for pattern, _ in self.others)]:
            pattern.check(pairs)

    def standing(self, case, ours, peer):
        """'' for a peer of the same contract; 'limit' for a hand-written loop; else why the two do not promise the same."""
        if self.limits.matches(case, ours, peer):
            return 'limit'
        for pattern, why in self.others:
            if pattern.matches(case, ours, peer):
                return why
        return ''


def pairs_of(cases):
    for name, peers in cases.items():
        for ours in ours_of(peers):
            for peer in peers:
                if peer != ours:
                    yield Case(name), ours, peer


class Compared:
    """A pair of ours and a peer in a case, measured."""

    def __init__(self, case, ours, peer, times):
        self.case, self.ours, self.peer = case, ours, peer
        self.ratio = Ratio(times[ours], times[peer])


def compare(results):
    return [Compared(Case(row['case']), ours, peer, row['times'])
            for row in results['rows'] for ours in ours_of(row['times']) for peer in row['times'] if peer != ours]


def evaluate(targets, compared):
    """For each bound, what was measured, the worst first."""
    for bound in targets.bounds:
        yield bound, sorted((one for one in compared if bound.matches(one.case, one.ours, one.peer)),
                            key=lambda one: -one.ratio.value)
