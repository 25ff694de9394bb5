"""What `bespoke report` says of a trace, as data and as a page that a browser shows. The traces are written here, record by record."""

import html
import io
import json
import os
import random
import re
import shutil
import subprocess

import pytest
from conftest import ROOT

from generator.text.diag import Failure
from generator.tool.traces import progress
from generator.traces import plots, report, totals
from generator.traces.export import rows
from generator.traces.reader import FORMAT, MAGIC, Trace

CALLS = '0 begin P\n1 begin_const p\n2 add A\n3 remove R\n4 find L\n5 get L\n6 settle S\n7 clear C\n8 insert a\n9 begin_at Q\n'
BEGIN, READ, ADD, REMOVE, FIND, GET, SETTLE, CLEAR, INSERT, SOME = range(10)
POLICY = 'ordering=insertion;removal.policy=tombstone;index.kind=none;identity.by=key;addresses=moving'


def number(value):
    data = b''
    while value > 127:
        data, value = data + bytes([value & 127 | 128]), value >> 7
    return data + bytes([value])


def signed(value):
    return number(value << 1 if value >= 0 else ~(value << 1))


class Writer:
    """A trace, as docs/tracing.md has it."""

    def __init__(self, codes=1024):
        self.data, self.part, self.thread, self.of, self.codes = MAGIC + bytes([FORMAT]), b'', 1, {}, codes
        self.numbers, self.given, self.sizes, self.live, self.begun = {}, {}, {}, {}, {}

    def chunk(self, thread, part):
        self.data += number(thread) + number(len(part)) + part

    def kind(self, index, name, policy=POLICY, size=16):
        texts = b''.join(number(len(text)) + text.encode() for text in (name, policy, CALLS, ''))
        self.chunk(0, b'\x03' + number(index) + number(size) + texts)
        return self

    def list(self, index, kind):
        self.chunk(0, b'\x04' + number(index) + number(kind))
        return self

    def to(self, container, thread=1):
        if thread != self.thread:
            self.flush()
            self.thread = thread
        self.of[thread] = container
        return self

    def flush(self):
        if self.part:
            self.chunk(self.thread, self.part)
            self.part = b''

    def shape(self, what, status=0, flags=0, container=None):
        """What a record begins with: a number, if it was given one and no other has it now."""
        numbers, shape = self.numbers.setdefault(self.thread, {}), (container or self.of[self.thread], what, status, flags)
        if shape in numbers:
            self.part += number(numbers[shape])
            return
        given = self.given.setdefault(self.thread, 0)
        self.given[self.thread] += 1
        for old in [old for old, code in numbers.items() if code == 16 + given % self.codes]:
            del numbers[old]
        numbers[shape] = 16 + given % self.codes
        self.part += b'\x02' + b''.join(map(number, shape))

    def tell(self, status=0, flags=0):
        """A pass that has begun is recorded."""
        begun = self.begun.pop(self.thread, None)
        if begun:
            container, call, elements, slots, ticks = begun
            sizes = self.sizes.setdefault(self.thread, {})
            sized = sizes.get(container) != (elements, slots) and call != SOME
            self.shape(call + 16, status, flags | sized | (ticks is None) << 5, container)
            if sized:
                sizes[container] = elements, slots
                self.part += number(elements) + number(slots)
            self.part += number(ticks) if ticks is not None else b''
        return begun

    def call(self, call, status=0, grown=None, key=b''):
        """`grown` is given where it is not what is expected."""
        self.tell()
        self.shape(call + 16, status, grown is not None)
        self.part += signed(grown) if grown is not None else b''
        if call == INSERT:
            self.part += b'\x01\x02\x03\x04' + number(4)
        return self

    def begin(self, call, elements, slots=None, ticks=1):
        """Without ticks it is not timed."""
        self.tell()
        self.begun[self.thread] = self.of[self.thread], call, elements, elements if slots is None else slots, ticks
        self.live.setdefault(self.thread, []).append((elements if call in (BEGIN, READ) else 0, ticks is not None))
        return self

    def end(self, visited, ticks, early=False, status=0, above=0, grown=0):
        live = self.live[self.thread]
        del live[len(live) - above:]
        elements, timed = live.pop()
        told = visited != elements
        if not above and self.tell(status, 2 | told << 2 | early << 3 | (grown != 0) << 4):
            self.part += number(visited) * told + (signed(grown) if grown else b'')
        else:
            self.tell()
            if status or above or grown:
                self.part += number(8) + number(above << 1 | early) + number(status) + signed(grown) + number(visited)
            else:
                self.part += number(7 if early else 6 if told else 5) + number(visited) * (early or told)
        self.part += number(ticks) if timed else b''
        return self

    def event(self, what, a, b=0):
        self.tell()
        self.shape(what)
        self.part += number(a) + number(b)
        return self

    def frame(self, ticks, microseconds):
        self.tell()
        self.part += number(1) + number(ticks) + number(microseconds)
        self.flush()
        return self

    def write(self, path, ticks=1000, microseconds=1000):
        self.flush()
        self.chunk(0, b'\x00' + number(ticks) + number(microseconds))
        path.write_bytes(self.data)
        return str(path)


def data_of(path):
    return report.data_of(Trace(path))


def game(path, frames=100):
    """Debris full of tombstones, a map that is asked for what it has not, one slow frame."""
    trace = Writer().kind(1, 'debris').kind(2, 'names', 'ordering=unordered;removal.policy=swap;index.kind=hash').list(1, 1).list(2, 2)
    for frame in range(frames):
        trace.to(1)
        if frame == 0:
            trace.event(1, 0, 64)
            for _ in range(39):
                trace.call(ADD)
        slow = 900 if frame == 70 else 10
        trace.begin(BEGIN, 39, 100).end(39, slow)
        trace.call(GET, 6 if frame % 10 == 0 else 0)
        trace.to(2)
        for _ in range(5):
            trace.call(FIND, 3 if frame % 5 else 0)
        trace.frame(5, slow + 6)
    return trace.write(path, 1, 1)


def test_what_stands_out(tmp_path):
    data = data_of(game(tmp_path / 'a.trace'))
    said = {each['what']: each for each in data['findings']}
    assert said['empty slots']['text'] == \
        '`debris`: 61 % of the slots that passes go by are tombstones (6,100 of 10,000, 61 a frame): 2.6 slots for an element visited.'
    assert said['empty slots']['advice'].startswith('`removal: compact` would')
    assert said['misses']['text'] == '`names`: `find` finds nothing in 80 % of its calls (400 of 500, 4 a frame: 400 ABSENT).'
    assert said['stale handles']['text'] == '`debris`: 10 calls came with a handle whose element had been removed: `get` 10.'
    assert said['slow frame']['text'].startswith('Frame 70 took 906 us, 56.6 times the usual 16 us. Passes and calls of `debris` took 900 us of it')
    assert [each['weight'] for each in data['findings']] == sorted((each['weight'] for each in data['findings']), reverse=True)
    assert data['findings'][0]['what'] == 'slow frame' and data['whole'] and data['operations'] == 39 + 100 * 7


def test_nothing_stands_out_where_nothing_does(tmp_path):
    trace = Writer().kind(1, 'calm').list(1, 1).to(1).call(ADD)
    for _ in range(50):
        trace.begin(BEGIN, 1, ticks=100).end(1, 2).frame(100, 202)
    assert data_of(trace.write(tmp_path / 'a', 1, 1))['findings'] == []


def test_times_are_without_those_of_passes_inside(tmp_path):
    trace = Writer().kind(1, 'outer').kind(2, 'inner').list(1, 1).list(2, 2)
    trace.to(1).begin(BEGIN, 3).to(2).begin(READ, 2, ticks=10).end(2, 100).to(1).end(3, 5).frame(1, 200)
    data = data_of(trace.write(tmp_path / 'a', 1, 2))
    outer, inner = (next(each for each in data['containers'] if each['name'] == name) for name in ('outer', 'inner'))
    assert (outer['total']['pass_us'], inner['total']['pass_us'], inner['total']['depth']) == (30, 200, 2)
    assert outer['calls'][0] == {'call': 'begin', 'times': 1, 'us': 30, 'visited': 3, 'statuses': {}}


def test_passes_that_were_not_timed(tmp_path):
    """They take as long as the next one alike that was, or, if that was disturbed, the middle one of three."""
    trace = Writer().kind(1, 'outer').kind(2, 'inner').list(1, 1).list(2, 2).to(1).begin(BEGIN, 3).to(2)
    for taken in (100, None, None, None, 120, None, None, 9000):
        trace.begin(READ, 2, ticks=None if taken is None else 1).end(2, taken)
    trace.to(1).end(3, 5).frame(1, 20000)
    path = trace.write(tmp_path / 'a', 1, 2)
    outer, inner = (next(each for each in data_of(path)['containers'] if each['name'] == name) for name in ('outer', 'inner'))
    assert inner['total']['pass_us'] == 2 * (100 + 4 * 120 + 9000 + 2 * 9000) and inner['total']['passes'] == 8
    assert outer['total']['pass_us'] == 0, 'as estimated, those inside took longer'
    assert [row[6] for row in rows(Trace(path)) if row[0] == 'end'].count(None) == 5


def test_a_pass_that_was_jumped_out_of(tmp_path):
    """What ends takes those inside with it."""
    trace = Writer().kind(1, 'outer').list(1, 1).to(1).begin(BEGIN, 3).begin(BEGIN, 3).begin(BEGIN, 3).end(1, 7, above=2, early=True)
    trace.begin(BEGIN, 3).end(3, 1).frame(1, 20)
    total = data_of(trace.write(tmp_path / 'a'))['containers'][0]['total']
    assert (total['passes'], total['visited'], total['early'], total['depth']) == (4, 4, 1, 3)


def drawn(seed, path):
    """A trace at random: threads, containers, more of them than are told apart, every kind of record."""
    choose, trace = random.Random(seed), Writer()
    lists = choose.choice([3, 30])
    for kind in (1, 2, 3):
        trace.kind(kind, f'k{kind}')
    for index in range(1, lists + 1):
        trace.list(index, 1 + (index > 2) + (index > 4))
    passes = {}
    for _ in range(choose.choice([50, 3000])):
        thread = choose.choice([1, 1, 2])
        trace.to(choose.randint(1, lists), thread)
        what = choose.random()
        stack = passes.setdefault(thread, [])
        if what < 0.5:
            call = choose.choice([ADD, REMOVE, FIND, GET, CLEAR, INSERT])
            status = choose.choice([0, 0, 0, 0, 2, 3, 6])
            trace.call(call, status, choose.choice([None, None, -3, 4, 200]) if call not in (FIND, GET) else None)
        elif what < 0.7 and len(stack) < 5:
            elements = choose.choice([0, 3, 300])
            trace.begin(choose.choice([BEGIN, READ, SETTLE, SOME]), elements, choose.choice([None, elements + 5]),
                        choose.choice([1, 1000, None]))
            stack.append(trace.of[thread])
        elif what < 0.85 and stack:
            above = choose.choice([0, 0, 0, choose.randrange(len(stack))])
            del stack[len(stack) - above:]
            trace.to(stack.pop(), thread)
            trace.end(choose.choice([0, 3, 200]), choose.choice([1, 1000]), choose.random() < 0.3, 0, above, choose.choice([0, 0, 2, -1]))
        elif what < 0.95:
            trace.event(choose.choice([0, 1, 2]), choose.choice([0, 8, 100]), choose.choice([16, 200]))
        else:
            trace.frame(3, choose.choice([16, 5000]))
    return trace.write(path)


@pytest.mark.parametrize('seed', range(30))
def test_the_sums_are_those_of_the_events(tmp_path, monkeypatch, seed):
    """Counted here again from what `export --to csv` says of each event; with few spans, so that they are joined."""
    monkeypatch.setattr(totals, 'SPANS', 8)
    path = drawn(seed, tmp_path / 'a')
    data = data_of(path)
    expected, open_ = {}, {}
    for row in rows(Trace(path)):
        event = dict(zip(('event', 'frame', 'thread', 'container', 'number', 'call', 'ticks', 'status', 'grown', 'elements', 'slots', 'visited', 'early'), row))
        total = expected.setdefault(event['container'], dict.fromkeys(('calls', 'looks', 'misses', 'stale', 'visited', 'early', 'operations', 'ticks'), 0))
        if event['event'] == 'call':
            total['operations'] += 1
            total['looks'] += event['call'] in ('find', 'get')
            total['misses'] += event['call'] in ('find', 'get') and event['status'] != 'OK'
            total['stale'] += event['status'] == 'STALE'
        elif event['event'] == 'begin':
            total['operations'] += 1
        elif event['event'] == 'end' and event['call'] and event['call'] != 'settle':
            total['visited'] += event['visited']
            total['early'] += event['early']
    assert data['operations'] == sum(total['operations'] for total in expected.values())
    assert data['frames']['count'] == sum(1 for row in rows(Trace(path)) if row[0] == 'frame')
    for kind in {each['kind'] for each in data['containers']}:
        mine = [each['total'] for each in data['containers'] if each['kind'] == kind]
        for name in ('looks', 'misses', 'stale', 'visited', 'early'):
            assert sum(total[name] for total in mine) == expected[kind][name], (kind, name)
    for each in data['containers']:
        assert all(len(values) == data['spans'] for values in each['series'].values())
    assert max(each['containers'] for each in data['containers']) > totals.TOGETHER or len(data['containers']) <= 3 * totals.TOGETHER


def test_the_series_are_over_all_frames(tmp_path):
    """What does not change stays; sums are divided between spans of as many frames as it takes."""
    trace = Writer().kind(1, 'list').list(1, 1)
    for frame in range(3000):
        trace.to(1)
        if frame in (10, 2000):
            trace.call(ADD)
        trace.begin(READ, 1 if frame < 2000 else 2).end(1, 1).frame(1, 3)
    data = data_of(trace.write(tmp_path / 'a'))
    series = data['containers'][0]['series']
    assert (data['span'], data['spans'], data['frames']['count']) == (4, 750, 3000)
    assert series['elements'][499:502] == [1, 2, 2] and series['passes'] == [4] * 750 and sum(series['adds']) == 2


def test_a_trace_without_frames(tmp_path):
    data = data_of(Writer().kind(1, 'list').list(1, 1).to(1).call(ADD).write(tmp_path / 'a'))
    assert data['frames'] == {'count': 0, 'us': [], 'slowest_us': []} and data['containers'][0]['total']['adds'] == 1


@pytest.mark.parametrize('data, said', [(b'#!/bin/sh', 'is no trace'), (MAGIC + b'\x07', 'in format 7'), (MAGIC + b'\x02\x01\x02\x40\x40', 'damaged')])
def test_bad_files(tmp_path, data, said):
    (tmp_path / 'x.trace').write_bytes(data)
    done = bespoke('report', '--json', 'x.trace', cwd=tmp_path)
    assert done.returncode == 3 and said in done.stderr and 'BSP0413' in done.stderr and done.stdout == ''


def test_a_file_that_is_not_there(tmp_path):
    for command in (['report', '--json'], ['trace', 'export']):
        done = bespoke(*command, 'nowhere.trace', cwd=tmp_path)
        assert done.returncode == 3 and "cannot read 'nowhere.trace'" in done.stderr and 'BSP0405' in done.stderr, done.stderr


def bespoke(*command, cwd, **environment):
    return subprocess.run([os.path.join(ROOT, 'bespoke'), *command], cwd=str(cwd), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding='utf-8', env={**os.environ, **environment})


def test_without_the_library(tmp_path):
    """What to install is said before the trace is read; --json needs nothing."""
    game(tmp_path / 'a.trace')
    done = bespoke('report', 'a.trace', cwd=tmp_path, BESPOKE_UPLOT='nowhere')
    assert done.returncode == 3 and "no uPlot in 'nowhere'" in done.stderr and 'npm install uplot' in done.stderr and 'BSP0505' in done.stderr
    assert os.listdir(tmp_path) == ['a.trace']
    done = bespoke('report', '--json', 'a.trace', '-o', 'a.json', cwd=tmp_path, BESPOKE_UPLOT='nowhere')
    assert done.returncode == 0 and json.loads((tmp_path / 'a.json').read_text())['trace'] == 'a.trace'


def test_progress():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    times = iter([0, 0.5, 2, 3, 4, 5])
    terminal = Terminal()
    tell = progress('a.trace', terminal, lambda: next(times))
    for done in (10, 20, 60, 100):
        tell(done, 100)
    assert terminal.getvalue() == '\rreading a.trace: 20 %\rreading a.trace: 60 %\rreading a.trace: 100 %\r\033[K'
    plain = io.StringIO()
    progress('a.trace', plain, lambda: 9)(10, 100)
    assert plain.getvalue() == ''


# -- the page -------------------------------------------------------------------------------------------------------

def library():
    try:
        return plots.find_library()
    except Failure:
        pytest.skip('needs uPlot: npm install uplot')


def browser():
    found = next(filter(None, map(shutil.which, ('chromium', 'chromium-browser', 'google-chrome'))), None)
    if found is None:
        pytest.skip('needs a browser: chromium')
    return found


# What a person sees, told to the test: runs behind the page's own scripts.
LOOK = '''<script>
addEventListener("error", event => { document.documentElement.dataset.error = event.message; });
addEventListener("load", () => setTimeout(() => {
    const ink = canvas => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some(value => value > 0);
    const canvases = Array.from(document.querySelectorAll("canvas"));
    const seen = {
        page: document.documentElement.scrollWidth, window: innerWidth,
        plots: canvases.map(canvas => { const box = canvas.getBoundingClientRect(); return [box.left, box.right, ink(canvas)]; }),
        columns: new Set(Array.from(document.querySelectorAll("#plots-0 .plot")).map(plot => plot.getBoundingClientRect().left)).size,
        findings: document.querySelectorAll("ol.findings li").length,
        first: document.querySelector("ol.findings").getBoundingClientRect().top < document.querySelector("canvas").getBoundingClientRect().top,
        resources: performance.getEntriesByType("resource").length, error: document.documentElement.dataset.error || ""
    };
    document.body.innerHTML = "";
    document.body.append(Object.assign(document.createElement("pre"), {id: "seen", textContent: JSON.stringify(seen)}));
}, 300));
</script>
'''


@pytest.mark.parametrize('width', [1280, 400])
def test_in_a_browser(tmp_path, width):
    program = browser()
    library()
    game(tmp_path / 'a.trace')
    done = bespoke('report', 'a.trace', cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, 'wrote a.html\n'), done.stderr
    page = (tmp_path / 'a.html').read_text(encoding='utf-8')
    (tmp_path / 'looked.html').write_text(page.replace('<script>', LOOK + '<script>', 1), encoding='utf-8')
    done = subprocess.run([program, '--headless=new', '--no-sandbox', '--disable-gpu', f'--user-data-dir={tmp_path}/profile', '--virtual-time-budget=4000',
                           f'--window-size={width},900', '--dump-dom', f'file://{tmp_path}/looked.html'], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding='utf-8', timeout=120)
    found = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout)
    assert found, done.stdout[-2000:] + done.stderr[-2000:]
    seen = json.loads(html.unescape(found[1]))
    assert seen['error'] == '' and seen['resources'] == 0, seen
    assert seen['page'] <= seen['window'], 'nothing is cut off'
    assert len(seen['plots']) == 1 + 8 + 1, 'of the frames and of two containers'
    assert all(left >= 0 and right <= seen['window'] and ink for left, right, ink in seen['plots']), seen
    assert seen['columns'] == (3 if width > 1000 else 1) and seen['findings'] == 5 and seen['first'], seen


def test_the_page_stands_alone(tmp_path):
    """No address is loaded from anywhere; the licence of what draws is there; what a trace names is text."""
    found = library()
    trace = Writer().kind(1, '</script><b>x', 'ordering=<i>').list(1, 1).to(1)
    for _ in range(2):
        trace.call(ADD).begin(BEGIN, 3, ticks=10).end(3, 20).frame(1, 31)
    page = report.html_of(data_of(trace.write(tmp_path / 'a<u>.trace')), found)
    assert not re.search(r'(src|href)\s*=\s*["\']?(?!#)[\w/.]', re.sub(r'<script>var uPlot.*?</script>|<script>/\*!.*?</script>', '', page, flags=re.DOTALL))
    assert 'Permission is hereby granted, free of charge' in page and f'uPlot {found.version}' in page
    assert '<b>' not in page and '<i>' not in page and '<u>' not in page and page.count('</script>') == 3
