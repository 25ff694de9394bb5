"""What debuggers show of containers is what the program finds in them.

One program holds every container of tests/debuggers. It changes them step by step; after each step it prints what its own
passes find, and calls `look`, at which gdb stops and prints what the pretty-printers find. Natvis files cannot be run here:
they are compared with the schema's rules, and what they say is translated into C++ and run in the same program's place. lldb is to show
what gdb shows.
"""

import glob
import json
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest
from conftest import ROOT

from generator.containers.load import load_spec
from generator.containers.planning import make_plan
from generator.emitted import debuggers
from generator.emitted.render import Renderer
from generator.text.naming import plain
from generator.language.presets import PRESETS
from generator.text.diag import Diagnostics
from generator.tool import cli

FOLDER = os.path.join(ROOT, 'tests', 'debuggers')
STEMS = ('shown', 'own', 'styled')
SPECS = [os.path.join(FOLDER, name + '.yaml') for name in STEMS]
CC = os.environ.get('CC', 'cc')
CXX = os.environ.get('CXX', 'c++')


def load(path):
    problems = Diagnostics()
    spec = load_spec(path, problems, [os.path.dirname(path)])
    assert not problems.errors
    return spec


@pytest.fixture(scope='module')
def plans():
    """The containers by name; layers are containers, and what is around them is one, too."""
    return {plan.container.full_name: plan for path in SPECS for plan in map(make_plan, load(path).emitted)}


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """A folder with the generated files of all specs."""
    folder = tmp_path_factory.mktemp('debuggers')
    assert cli.main(['generate', '-q', '--no-format', '--debuggers', '-o', str(folder)] + SPECS) == 0
    return folder


# -- every way in which a container lies in memory is shown ------------------------------------------------------------


def test_every_preset_is_shown(plans):
    assert {plan.container.preset for plan in plans.values()} >= set(PRESETS)


@pytest.mark.parametrize('axis', ('removal', 'storage', 'element', 'passes', 'handles', 'links', 'side', 'when'))
def test_every_part_is_shown(plans, axis):
    shared = {'interface', 'in_a_row', 'given', 'over_bitmap', 'over_bits', 'whole', 'recorded', 'fail_fast', *debuggers.HANDLES}  # what several parts build on, or is shown as another
    there = {name[:-3] for name in os.listdir(os.path.join(ROOT, 'templates', 'parts', axis))} - shared
    shown = {getattr(plan.parts, axis).name for plan in plans.values()}
    assert shown == there


def test_whatever_specs_give_can_be_read():
    """Specs of all kinds: the scripts are Python, the others XML that keeps the rules, and each names its types once."""
    renderer = Renderer()
    for folder in ('specs', os.path.join('tests', 'specs')):
        folder = os.path.join(ROOT, folder)
        for name in sorted(name for name in os.listdir(folder) if name.endswith('.yaml')):
            spec = load(os.path.join(folder, name))
            files = renderer.debuggers(spec)
            compile(files[spec.stem + '.gdb.py'], name, 'exec')
            compile(files[spec.stem + '_lldb.py'], name, 'exec')
            root = ElementTree.fromstring(files[spec.stem + '.natvis'])
            check_node(root)
            assert {node.get('Name') for node in root} >= {container.full_name for container in spec.emitted}, name


# -- the program -------------------------------------------------------------------------------------------------------

HEAD = '''
#include <stdio.h>
#include <string.h>
%(includes)s

static struct thing things[%(count)d][120];
static int number;

/* Where the debugger looks: at what the expression says. */
void look(int at, const char *expression, const void *p, const void *q);
void all_are_filled(void);
'''

LOOK = '''
void look(int at, const char *expression, const void *p, const void *q);
void look(int at, const char *expression, const void *p, const void *q)
{
    (void)at; (void)expression; (void)p; (void)q;
}

void all_are_filled(void);
void all_are_filled(void) {}
'''

LAYERED_UPDATE = '''
void a_entity_layers_updates(struct a_entity_layers_layer *list, struct thing *element, const struct a_entity_layers_tick *tick);
void a_entity_layers_updates(struct a_entity_layers_layer *list, struct thing *element, const struct a_entity_layers_tick *tick)
{
    (void)list; (void)element; (void)tick;
}
'''


class Story:
    """C text for one container: what is done with it, and where it is looked at."""

    def __init__(self, plan, index, layers=None):
        self.plan, self.T, self.TT, self.index, self.layers = plan, plan.T, plan.TT, index, layers
        self.settle = {operation.name: operation for operation in plan.operations}['settle']
        self.many = plan.parts.passes.name != 'single'
        self.removes = plan.parts.passes.removes  # else a change ends passes, and the container does not know of any
        self.used = 0
        self.lines = []

    def say(self, *lines):
        self.lines += ['    ' + line for line in lines]

    def id_of(self, ref):
        if not self.plan.parts.element.stored:
            return ref  # a number is itself
        return f'{self.T.load}(list, {ref}).id' if self.plan.parts.element.rows else f'{ref}->id'

    def look(self, expression='', q='NULL', p='list'):
        self.say(f'look(++number, "{expression or f"*({self.T} *)p"}", {p}, {q});')

    def look_failing(self, expression, q='NULL'):
        self.look(expression, q)
        self.say('printf("%d fails\\n", number);')

    def tell(self, live=0, number='number'):
        """Prints what the last look, or an earlier one, must have shown."""
        T = self.T
        live = live if self.removes else 0
        capacity = '' if self.plan.parts.element.intrusive else f', (unsigned long){T.capacity}(list)'
        how = '%lu element' if self.plan.parts.element.intrusive else '%lu of %lu slot'
        self.say(f'printf("%d list {T} {live} ", {number});',
                 f'{self.TT.EACH}(list, seen) {{ printf("%u ", (unsigned){self.id_of("seen")}); }}',
                 f'printf("| {how}\\n", (unsigned long){T.count}(list){capacity});')

    def add(self, status='OK'):
        plan, T = self.plan, self.T
        at = self.used
        self.used += 1
        number = at * 7 % 24 + 1 if at < 24 else at + 1  # in no order
        where = f'things[{self.index}][{at}]'
        self.say(f'{where}.id = {number};', f'{where}.left = {number};')
        element = '&' + where if plan.parts.element.by_pointer else where
        if not plan.parts.element.stored:
            element = str(number)
        elif plan.parts.element.rows:
            values = {'id': str(number), 'left': str(number), 'x': f'{number}.5', 'lit': 'true'}
            members = ', '.join(values[member.name] for member in plan.parts.element.fields) if plan.parts.E != 'struct craft' else (
                f'.id = {number}, .left = {number}, .lit = 1, .team = 21, .name = "abcd", .gold = -7, .wood = 9, .charge = 77')
            element = f'({plan.parts.E}){{{members}}}'
        under = ''
        if plan.parts.order.tree:
            name = {0: 'NULL', 1: '{T}_begin', }.get(0)
            under = 'NULL'
            if at in (1, 2, 4):  # below the first; and one below that
                self.say('under = NULL;', f'{self.TT.EACH}(list, other) {{ if (other->id == {1 if at < 4 else 8}) {{ under = other; }} }}')
                under = 'under'
        call = f'{T.add_child}(list, {under}, {element})' if plan.parts.order.tree and under != 'NULL' else f'{T.add}(list, {element})'
        self.say(f'if ({call} != {self.TT[status]}) {{ fprintf(stderr, "{T}: an add has failed\\n"); return 1; }}')
        return number

    def build(self):
        T, TT, plan = self.T, self.TT, self.plan
        nil = plan.parts.nil
        if plan.parts.order.tree:
            self.say(f'{plan.parts.ref if plan.parts.ref.endswith("*") else plan.parts.ref + " "}under;')
        self.say(f'{T.cursor} cursor;', f'{plan.parts.ref if plan.parts.ref.endswith("*") else plan.parts.ref + " "}on;')
        self.look()
        self.tell()
        numbers = [self.add() for _ in range(6)]
        self.look()
        self.tell()
        if plan.parts.order.tree:
            self.say('printf("%d depths", number);',
                     f'{TT.EACH}(list, seen) {{', '    int depth = 0;', f'    for ({plan.parts.ref}up = {T.parent_of}(list, seen); up != NULL; up = {T.parent_of}(list, up)) {{ depth++; }}',
                     '    printf(" %d", depth);', '}', 'puts("");')
            self.look()
            self.tell()
        if plan.parts.handles.given:
            self.say(f'{T.handle} handle = {{0}};')
            self.look(f'*({T.handle} *)q', '&handle')
            self.say('printf("%d says none\\n", number);')
            self.look_failing(f'${T.at}((const {T} *)p, *({T.handle} *)q)', '&handle')
            finder = f'{TT.EACH}(list, other) {{ if ({self.id_of("other")} == {numbers[2]}) {{ handle = {T.handle_of}(list, other); }} }}'
            self.say(finder)
            self.look(f'${T.at}((const {T} *)p, *({T.handle} *)q)', '&handle')
            self.say(f'printf("%d shows {numbers[2]}\\n", number);')
        for each in plan.parts.side.all[-1:]:
            self.say(f'if ({T["set_" + each.name]}(list, handle, 37) != {TT.OK}) {{ return 4; }}')
            self.look()
            self.say(f'printf("%d beside {numbers[2]} {each.name}\\n", number);')
        # a pass, from the beginning to the end; others within it, the inner one with a record behind those of the container
        between = plan.parts.passes.few - 1 if plan.parts.passes.grows else 0
        self.say(f'cursor = {T.begin}(list);')
        self.look()
        self.look(f'*({T.cursor} *)p', p='&cursor')
        self.say('printf("%d cursor begins\\n", number);')
        for step in range(3):
            self.say(f'on = {T.next}(&cursor);', f'if (on == {nil}) {{ return 2; }}', f'was = (unsigned){self.id_of("on")};')
            if step == 0 and self.removes:
                self.say(f'{T.remove_current}(&cursor);')
                if plan.parts.when.by_passes:
                    self.add('QUEUED')
                else:
                    self.add()
            if self.many and step == 2:
                for other in range(between):
                    self.say(f'{T.cursor} between_{other} = {T.begin}(list);')
                self.say(f'{T.cursor} inner = {T.begin}(list);', f'(void){T.next}(&inner);', f'on = {T.next}(&inner);')
                self.say(f'unsigned inner_on = (unsigned){self.id_of("on")};')
                self.look()
                self.look(f'*({T.cursor} *)p', p='&inner')
                self.say(f'on = {T.next}(&inner);', f'if (on == {nil}) {{ return 3; }}',
                         f'printf("%d inner %u %u\\n", number, inner_on, (unsigned){self.id_of("on")});')
            self.look()
            if self.many:
                self.tell(1 + (between + 1) * (step == 2))
            else:
                self.say('inside = number;')
            self.look(f'*({T.cursor} *)p', p='&cursor')
            self.say(f'printf("%d cursor %u %u\\n", number, {"0u" if step == 0 and self.removes and not plan.parts.when.by_passes else "was"}, was);')
        if self.many:
            self.say(f'{T.end}(&inner);', *(f'{T.end}(&between_{other});' for other in range(between)))
        if plan.parts.when.deferred:
            self.say(f'{T.lock}(list);', *[f'{T.remove_current}(&cursor);'] * (not plan.parts.when.by_passes), f'{T.clear}(list);')
            self.add('QUEUED')
            self.look()
            self.say('printf("%d waits\\n", number);')
        self.say(f'while ((on = {T.next}(&cursor)) != {nil}) {{', f'    was = (unsigned){self.id_of("on")};')
        self.look()
        self.look(f'*({T.cursor} *)p', p='&cursor')
        self.say('printf("%d cursor %u %u\\n", number, was, was);', '}')
        self.look(f'*({T.cursor} *)p', p='&cursor')
        self.say('printf("%d cursor over\\n", number);')
        if not self.many:
            self.tell(1, 'inside')  # the same as in the pass, which nobody else could look into
        if plan.parts.when.deferred:
            self.say(f'{T.unlock}(list);')
        self.look()
        self.tell()
        # a pass that a settle has ended, also where another has its number
        self.add()
        settle = f'(void){T.settle}(list{", 0.0" if len(self.settle.params) == 2 else ""});'
        for before in (0, plan.parts.passes.few) if plan.parts.passes.grows else (0,):  # the record is in the container, or is not
            begun = [f'(void){T.begin}(list);'] * before
            self.say(*begun, f'cursor = {T.begin}(list);', f'(void){T.next}(&cursor);', settle)
            for again in range(2):
                if again:
                    self.say('{', *begun, f'{T.cursor} other_pass = {T.begin}(list);', f'(void){T.next}(&other_pass);')
                self.look(f'*({T.cursor} *)p', p='&cursor')
                self.say(f'printf("%d ended by a {"settle" if self.removes else "change"}\\n", number);')
            self.say(f'{T.end}(&other_pass);', *[settle] * bool(before), '}')
        if plan.parts.handles.given:
            self.say(f'{T.clear}(list);')
            self.look_failing(f'${T.at}((const {T} *)p, *({T.handle} *)q)', '&handle')
        for _ in range(3):
            self.add()
        self.look()
        self.tell()
        if plan.parts.limit is None and (plan.parts.removal.bitmap or plan.parts.storage.chunk):  # more than a word of the bitmap, and than a chunk
            for _ in range(70):
                self.add()
            self.look()
            self.tell()
        self.look_failing(f'${T.at}((const {T} *)p, 1000)')
        self.say(f'cursor = {T.begin}(list);')  # left as it is: a live pass, for the core file and the natvis file
        self.say(f'(void){T.next}(&cursor);')
        return self.text()

    def text(self):
        where = f'&of_{self.layers.T}.layers[1]' if self.layers else f'&of_{self.T}'
        return '\n'.join([f'static int story_of_{self.T}(void)', '{', f'    {self.T} *list = {where};',
                          '    unsigned was = 0;', '    int inside = 0;', ''] + self.lines + ['    (void)was;', '    (void)inside;', '    return 0;', '}', ''])


def program(plans):
    inner = {plan.inner: plan for plan in plans.values() if plan.container.layer is not None}
    parts, calls = [], []
    for index, plan in enumerate(plans.values()):
        if plan.container.layer is not None:
            parts.append(layered_story(plan))
        else:
            if plan not in inner:
                parts.append(f'static {plan.T} of_{plan.T};')
            else:
                parts.append(f'static {inner[plan].T} of_{inner[plan].T};')
            parts.append(Story(plan, index, inner.get(plan)).build())
        parts.append(garbage(plan))
        calls.append(f'    if ((failed = story_of_{plan.T}()) != 0) {{ fprintf(stderr, "{plan.T}\\n"); return failed; }}')
        calls.append(f'    garbage_of_{plan.T}();')
    head = HEAD % {'count': len(plans), 'includes': '\n'.join(f'#include "{stem}.h"' for stem in STEMS)}
    text = '\n'.join([head, LAYERED_UPDATE] + parts + [
        'int main(void)', '{', '    int failed;', '', '    setvbuf(stdout, NULL, _IOLBF, 0);'] + calls + [
        '    all_are_filled();'] + [
        f'    {plan.T.deinit}(&of_{plan.T}); look(++number, "*({plan.T} *)p", &of_{plan.T}, NULL); printf("%d empty\\n", number);'
        for plan in plans.values() if plan not in inner] + ['    return 0;', '}', ''])
    return plain(text)


def layered_story(plan):
    T, names = plan.T, [layer.constant for layer in plan.layers]
    scale = f'    {T.set_time_scale}(list, {names[0]}, 0.5);' if plan.ticks else ''
    return '\n'.join([
        f'static int story_of_{T}(void)', '{', f'    {T} *list = &of_{T};', f'    {T.cursor} cursor;', '',
        f'    {T.set_enabled}(list, {names[0]}, false);', f'    {T.set_visible}(list, {names[1]}, false);', scale,
        f'    look(++number, "*({T} *)p", list, NULL);',
        f'    printf("%d layers %lu\\n", number, (unsigned long){T.count}(list));',
        f'    cursor = {T.begin}(list);', f'    {T.next}(&cursor);',
        f'    look(++number, "*({T.cursor} *)p", &cursor, NULL);',
        '    printf("%d layer %d\\n", number, (int)cursor.layer);',
        f'    {T.end}(&cursor);', '    return 0;', '}', ''])


def garbage(plan):
    """What was never initialised: no container, but no reason to stumble either."""
    T = plan.T
    return '\n'.join([
        f'static void garbage_of_{T}(void)', '{',
        f'    static union {{ unsigned char bytes[sizeof({T})]; {T} list; {T.cursor} cursor; }} any;', '',
        '    for (unsigned char fill = 1; fill != 0; fill = (unsigned char)(fill * 2 + (fill == 4))) {',
        '        memset(&any, fill, sizeof any);',
        f'        look(++number, "*({T} *)p", &any.list, NULL);', '        printf("%d garbage\\n", number);',
        f'        look(++number, "*({T.cursor} *)p", &any.cursor, NULL);', '        printf("%d any\\n", number);',
        '    }', '}', ''])


# -- gdb ---------------------------------------------------------------------------------------------------------------

# Run inside gdb. Prints one line of JSON for each look.
DRIVER = r'''
import json, random, sys, traceback
import gdb

said = open("said.json", "w")

def say(number, text):
    said.write(json.dumps([number, text]) + "\n")

class Look(gdb.Breakpoint):
    def stop(self):
        frame = gdb.newest_frame()
        number = int(frame.read_var("at"))
        try:
            text = gdb.parse_and_eval(frame.read_var("expression").string()).format_string(max_elements=0)
        except gdb.error as error:
            text = "error: %s" % error
        say(number, text)
        return False

def everything():
    return {name: gdb.parse_and_eval("of_" + name).format_string(max_elements=0) for name in NAMES}

def broken(name):
    """Printers of what has bytes changed at random: they may say anything, and may not fail."""
    value = gdb.parse_and_eval("of_" + name)
    whole = bytes(gdb.selected_inferior().read_memory(int(value.address), value.type.sizeof))
    draw = random.Random(name)
    for _ in range(12):
        data = bytearray(whole)
        for _ in range(draw.choice((1, 1, 2, 5))):
            width = draw.choice((4, 8))
            at = draw.randrange(len(data) // width) * width
            data[at:at + width] = draw.choice((0, 1, 2, 7, 1000, 2 ** 31, 2 ** 32 - 2, draw.getrandbits(8 * width))).to_bytes(8, "little")[:width]
        printer = gdb.default_visualizer(gdb.Value(bytes(data), value.type))
        try:
            printer.to_string()
            for _, child in zip(range(300), printer.children()):
                if isinstance(child[1], gdb.Value) and gdb.default_visualizer(child[1]):
                    list(zip(range(300), gdb.default_visualizer(child[1]).children()))
        except Exception:
            say("broken " + name, traceback.format_exc())

def wrong(name, field, number, said):
    """What is said of a container one of whose members has another value."""
    value = gdb.parse_and_eval("of_" + name)
    data = bytearray(gdb.selected_inferior().read_memory(int(value.address), value.type.sizeof))
    member = [each for each in value.type.strip_typedefs().fields() if each.name == field][0]
    at, width = member.bitpos // 8, member.type.sizeof
    old = int.from_bytes(data[at:at + width], "little")
    data[at:at + width] = (old + number if field == "count" else number).to_bytes(width, "little")
    text = gdb.Value(bytes(data), value.type).format_string(max_elements=0)
    if said not in text:
        say("broken %s: %s" % (name, field), text)

def all_wrong():
    wrong("a_linked_list", "count", -1, "not valid = the links go on behind the last element")
    wrong("a_linked_list", "count", 1, "not valid: 81 elements in 80 of 128 slots")
    wrong("a_doubly_linked_list", "count", 1, "not valid = 10 elements found where 11 are counted")
    wrong("a_doubly_linked_list", "count", -1, "not valid = the links go on behind the last element")
    wrong("a_linked_list", "first", 0, "not valid: 80 elements, and the first is slot -1")
    wrong("a_linked_list", "first", 100, "not valid = the links lead to slot 99, which holds no element")
    wrong("a_slot_array", "count", -1, "not valid = 73 elements found where 72 are counted")
    wrong("a_slot_array", "count", 10000, "not valid: ")
    wrong("a_slot_array", "items", 16, "not valid: the memory of its ")
    wrong("a_array_list", "items", 16, "not valid: the memory of its ")
    wrong("rows_gap", "x_", 16, "not valid: the memory of its ")
    wrong("rows_gap", "gap_at", 1000, "not valid: the gap lies behind the last element")
    wrong("a_shift_list", "passes", 2, "not valid: 2 passes are live where one may be")
    for name in ("a_array_list", "a_slot_array", "a_linked_list", "a_doubly_linked_list"):
        wrong(name, "live", 1 << 8, "not valid: not as many records of passes are in use as passes are live")
    wrong("waiting_values", "journal_count", 10000, "not valid: 10000 changes in a journal with room for 16")

gdb.execute("set confirm off")
gdb.execute("set startup-with-shell on")
gdb.execute("set style enabled off")
Look("look")
gdb.Breakpoint("all_are_filled")
try:
    gdb.execute("run > found.txt")
    say("at", gdb.newest_frame().name())
    live = everything()
    for name in NAMES:
        say("filled " + name, live[name])
    if CORE:
        for name in NAMES:
            broken(name)
        all_wrong()
        gdb.execute("gcore core.file", to_string=True)
        gdb.execute("continue")
        gdb.execute("core-file core.file", to_string=True)
        again = everything()
        say("core", [name for name in NAMES if again[name] != live[name]])
    else:
        gdb.execute("continue")
except gdb.error as error:
    say("failed", str(error))
said.close()
'''


def compile_(folder, compiler, name, *options):
    """An object of a source, once."""
    path = folder / (name.replace('.', '_') + ''.join(options).replace('-', '_') + '.o')
    if not path.exists():
        done = subprocess.run([compiler, *options, '-g', '-Wall', '-Wextra', '-I', str(folder), '-I', FOLDER, '-c', '-o', str(path), name],
                              cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr, done.stderr
    return str(path)


def build(folder, plans, *options):
    """The program for gdb. What is optimized is the program; its containers lie in memory as they always do."""
    name = 'main' + ''.join(option.replace('-', '_') for option in options)
    (folder / (name + '.c')).write_text(program(plans))
    (folder / 'look.c').write_text(LOOK)
    objects = [compile_(folder, CC, source + '.c', '-std=c99', *options) for source in (name, 'own', 'styled')]
    objects += [compile_(folder, CC, name + '.c', '-std=c99') for name in ('look', 'shown')]
    done = subprocess.run([CC, '-o', name] + objects, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return name


def run_gdb(folder, plans, core, *options):
    """What gdb has shown, and what the program has found, by the number of the look."""
    if shutil.which('gdb') is None:
        pytest.skip('gdb is not installed: script/setup test installs it')
    name = build(folder, plans, *options)
    whole = [plan.container.full_name for plan in plans.values() if not plan.container.is_layer]
    (folder / 'driver.py').write_text(f'NAMES = {whole!r}\nCORE = {core!r}\n' + DRIVER)
    done = subprocess.run(['gdb', '-q', '-batch', '-nx'] + [word for stem in STEMS for word in ('-ex', f'source {stem}.gdb.py')] + ['-x', 'driver.py', name],
                          cwd=folder, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    words = done.stdout + done.stderr
    if 'ptrace' in words and 'Operation not permitted' in words:
        pytest.skip('this machine does not let gdb trace programs')
    assert 'Python Exception' not in words and 'Traceback' not in words, words
    shown = {}
    for line in (folder / 'said.json').read_text().splitlines():
        number, text = json.loads(line)
        shown[number] = text
    found = read_found(folder / 'found.txt')
    stumbled = {name: text for name, text in shown.items() if str(name).startswith('broken')}
    assert not stumbled, stumbled
    assert 'failed' not in shown and shown.get('at') == 'all_are_filled', (shown.get('failed'), words)
    return shown, found


ELEMENT = re.compile(r'\[(\d+)\][^={]*= (?:\{id = )?(\d+)')


def elements(text):
    """(place, id) of each element in what is shown, without what waits."""
    return [(int(place), int(id_)) for place, id_ in ELEMENT.findall(re.split(r'waits \d+:', text)[0])]


def compare(shown, found, plans):
    counts = {}
    ahead = None  # the id of what a pass is said to visit next
    for number, what in sorted(found.items()):
        text = shown[number]
        kind = what.split()[0]
        counts[kind] = counts.get(kind, 0) + 1
        if kind == 'list':
            _, T, live, rest = what.split(' ', 3)
            ids, size = rest.split('|')
            ids, there = [int(id_) for id_ in ids.split()], [id_ for _, id_ in elements(text)]
            if plans[T].parts.order.sorts_at_begin and live == '0':  # it was looked at before a pass has put it in order
                assert 'sorted whenever a pass begins' in text, text
                ids.sort()
                there.sort()
            assert there == ids, (number, what, text)
            if plans[T].parts.E == 'struct craft':
                whole = re.findall(r'id = (\d+), left = \1, lit = 1, team = 21, name = "abcd", \{gold = -7, wood = 9\}, '
                                   r'\{fuel = [^,]*, charge = 77\}, mood = 0x0\}', text)
                assert len(whole) == len(ids), text
            assert re.match(re.escape(f'{T}: {size.strip()}') + r's?\b', text), (number, what, text)
            passes = re.search(r'(\d+) pass(?:es)? live', text)
            assert (int(passes.group(1)) if passes else 0) == int(live), (number, what, text)
            told = re.findall(r'pass \d+ = on', text)
            assert len(told) == (int(live) if plans[T].parts.passes.counted else 0), (number, text)
        elif kind == 'cursor':
            told = what.split()[1:]
            if told == ['over']:
                assert text.endswith(': over') and ahead is None, (number, text, ahead)
            else:
                ids = dict(elements(shown[number - 1]))
                on = re.search(r': on \[(\d+)\].* = \{current = (?:\{id = )?(\d+)', text)
                if told[0] in ('begins', '0'):
                    assert ': on nothing' in text and 'current' not in text, (number, text)
                else:
                    assert on and on.group(2) == told[0] and ids[int(on.group(1))] == int(told[0]), (number, what, text, ids)
                if told != ['begins']:
                    assert ahead == int(told[1]), (number, what, text, ahead)
                further = re.search(r', next \[(\d+)\]', text)
                assert further or ', at the end' in text, (number, text)
                ahead = ids[int(further.group(1))] if further else None
        elif kind == 'shows':
            assert text.startswith('{id = %s,' % what.split()[1]), (number, what, text)
        elif kind == 'fails':
            assert text.startswith('error: ') and ('gone' in text or 'leads to nothing' in text or 'no [1000]' in text), (number, text)
        elif kind == 'beside':
            assert re.search(r'\{id = %s,.*?\}, %s of \d+:\d+ = 37[,}]' % tuple(what.split()[1:]), text), text
            assert text.count(' = 37') == 1, text
        elif kind == 'says':
            assert text == what.split()[1], (number, text)
        elif kind == 'inner':
            ids = dict(elements(shown[number - 1]))
            on, further = re.search(r': on \[(\d+)\], next \[(\d+)\]', text).groups()
            assert [ids[int(on)], ids[int(further)]] == [int(id_) for id_ in what.split()[1:]], (number, what, text)
        elif kind == 'ended':
            assert text.endswith(': ' + what), (number, what, text)
        elif kind == 'depths':
            depths = [len(spaces) // 2 for spaces in re.findall(r'(?:\{|, )( *)\[\d+\]', text)]
            assert depths == [int(depth) for depth in what.split()[1:]] and max(depths) == 2, (number, what, text)
        elif kind == 'waits':
            assert re.search(r'waits \d+: clear = everything before', text) and re.search(r'waits \d+: remove', text), text
            assert re.search(r'waits \d+: add = \{id', text) and '1 lock' in text, text
        elif kind == 'empty':
            assert re.search(r': 0 (?:of \d+ slots|elements)', text) and not elements(text), (number, text)
        elif kind == 'garbage':
            assert 'not valid' in text, (number, text)
        elif kind == 'layers':
            assert f'{what.split()[1]} elements in' in text and 'hidden' in text and 'disabled' in text, text
        elif kind == 'layer':
            assert re.search('enabled layers, in (units|high)', text), text
    return counts


def read_found(path):
    """What the program has found, by the number of the look."""
    return {int(number): what for number, what in (line.split(' ', 1) for line in path.read_text().splitlines())}


def test_gdb_shows_what_the_program_finds(folder, plans):
    shown, found = run_gdb(folder, plans, True)
    counts = compare(shown, found, plans)
    assert counts['list'] > 5 * len(plans) and counts['waits'] == 6 and counts['layers'] == 4, counts
    assert shown['core'] == []


def test_gdb_shows_optimized_programs(folder, plans):
    some = {name: plan for name, plan in plans.items() if name.startswith(('rows_', 'my_', 'a_e', 'a_l', 'gap_', 'links_', 'reuse_'))}
    shown, found = run_gdb(folder, some, False, '-O2')
    assert len({what.split()[1] for what in found.values() if what.startswith('list ')}) > 20
    compare(shown, found, some)


# -- lldb --------------------------------------------------------------------------------------------------------------

# Run inside lldb. Prints one line of JSON for each look, in gdb's words.
LLDB_DRIVER = r'''
import importlib, json, re, traceback
import lldb

said = open("said_lldb.json", "w")
names = {name for stem in STEMS for name in importlib.import_module(stem + "_lldb").PRINTERS}

def say(number, text):
    said.write(json.dumps([number, text]) + "\n")

def words(value, told=False):
    """A value as gdb prints it; `told`: what is an array of characters are words of a formatter."""
    type_ = value.GetType().GetCanonicalType()
    if type_.IsPointerType():
        return "%#x" % value.GetValueAsUnsigned()
    if re.fullmatch(r"char ?\[\d+\]", type_.GetName()):
        text = bytes(value.GetData().uint8).split(b"\0")[0].decode()
        return text if told else '"%s"' % text
    shown = value.GetType().GetUnqualifiedType().GetName() in names
    if not shown and value.GetValue() is not None:
        return value.GetValue().lower()
    children = [value.GetChildAtIndex(at) for at in range(value.GetNumChildren())]
    if not shown:
        return "{" + ", ".join((child.GetName() + " = " if child.GetName() else "") + words(child) for child in children) + "}"
    text = value.GetSummary()
    return text + (" = {" + ", ".join("%s = %s" % (child.GetName(), words(child, True)) for child in children) + "}") * bool(children)

def pointed(target, type_name, address):
    return target.CreateValueFromAddress("value", lldb.SBAddress(address, target), target.FindFirstType(type_name))

def look(frame):
    target = frame.GetThread().GetProcess().GetTarget()
    number = frame.FindVariable("at").GetValueAsUnsigned()
    expression = frame.FindVariable("expression").GetSummary()[1:-1]
    of = re.fullmatch(r"\*\((\w+) \*\)([pq])", expression)
    if of:
        say(number, words(pointed(target, of[1], frame.FindVariable(of[2]).GetValueAsUnsigned())))

def run(debugger):
    debugger.SetAsync(False)
    target = debugger.GetSelectedTarget()
    stops = {target.BreakpointCreateByName(name).GetID(): name for name in ("look", "all_are_filled")}
    info = lldb.SBLaunchInfo([])
    info.SetWorkingDirectory(FOLDER)
    info.AddOpenFileAction(1, "found_lldb.txt", False, True)
    error = lldb.SBError()
    process = target.Launch(info, error)
    if error.Fail():
        say("failed", str(error))
        return
    while process.GetState() == lldb.eStateStopped:
        thread = process.GetSelectedThread()
        if thread.GetStopReason() != lldb.eStopReasonBreakpoint:
            say("failed", thread.GetStopDescription(200))
            return
        if stops.get(thread.GetStopReasonDataAtIndex(0)) == "look":
            look(thread.GetFrameAtIndex(0))
        else:
            say("at", thread.GetFrameAtIndex(0).GetFunctionName())
        process.Continue()

def __lldb_init_module(debugger, _):
    try:
        run(debugger)
    except Exception:
        say("failed", traceback.format_exc())
    said.close()
'''


def lldb_modules():
    """Where lldb's own modules are: that of Debian looks for them elsewhere."""
    return [os.path.dirname(os.path.dirname(path)) for path in glob.glob('/usr/lib/llvm-*/lib/python3.*/*-packages/lldb/__init__.py')]


def run_lldb(folder, plans):
    """What lldb has shown, and what the program has found, by the number of the look."""
    if shutil.which('lldb') is None:
        pytest.skip('lldb is not installed: script/setup test installs it')
    environment = {**os.environ, 'PYTHONPATH': os.pathsep.join(lldb_modules())}
    asked = subprocess.run(['lldb', '-b', '-x', '-o', 'script print(6 * 7)'], env=environment, capture_output=True, text=True, timeout=60)
    if '\n42\n' not in asked.stdout:
        pytest.skip('this lldb has no Python')
    name = build(folder, plans)
    (folder / 'driver_lldb.py').write_text(f'STEMS = {STEMS!r}\nFOLDER = {str(folder)!r}\n' + LLDB_DRIVER)
    done = subprocess.run(['lldb', '-b', '-x'] + [word for stem in STEMS for word in ('-o', f'command script import {stem}_lldb.py')]
                          + ['-o', 'command script import driver_lldb.py', name], cwd=folder, env=environment, capture_output=True,
                          text=True, timeout=600, stdin=subprocess.DEVNULL)
    words = done.stdout + done.stderr
    shown = {number: text for number, text in map(json.loads, (folder / 'said_lldb.json').read_text().splitlines())}
    if 'failed' in shown and 'personality' in str(shown['failed']) or 'ptrace' in words:
        pytest.skip('this machine does not let lldb trace programs')
    assert 'Traceback' not in words and 'failed' not in shown and shown.get('at') == 'all_are_filled', (shown.get('failed'), words)
    return shown, read_found(folder / 'found_lldb.txt')


def test_lldb_shows_what_the_program_finds(folder, plans):
    """And says it in the words of gdb, if that is there, too."""
    shown, found = run_lldb(folder, plans)
    counts = compare(shown, {number: what for number, what in found.items() if number in shown}, plans)
    assert counts['list'] > 100 and counts['cursor'] > 100 and counts['garbage'] > 50, counts
    if shutil.which('gdb') is not None:
        by_gdb, _ = run_gdb(folder, plans, False)
        by_gdb = {number: re.sub('Cannot access memory at address 0x[0-9a-f]+', 'memory cannot be read', re.sub(r'(0x[0-9a-f]+) <[^>]*>', r'\1', str(text)))
                  for number, text in by_gdb.items()}
        different = {number: (by_gdb[number], text) for number, text in shown.items() if isinstance(number, int) and by_gdb[number] != text}
        assert not different, list(different.items())[:3]


# -- natvis ------------------------------------------------------------------------------------------------------------

# The rules of the schema, as far as these files need it: which elements may stand in which, and with which attributes.
CHILDREN = {
    'AutoVisualizer': {'Type'}, 'Type': {'DisplayString', 'Expand'},
    'Expand': {'Item', 'ArrayItems', 'IndexListItems', 'LinkedListItems', 'CustomListItems', 'Synthetic'},
    'Synthetic': {'DisplayString', 'Expand'}, 'ArrayItems': {'Size', 'ValuePointer'}, 'IndexListItems': {'Size', 'ValueNode'},
    'LinkedListItems': {'Size', 'HeadPointer', 'NextPointer', 'ValueNode'},
    'CustomListItems': {'Variable', 'Size', 'Loop', 'Item', 'Exec'}, 'Loop': {'Item', 'Exec'},
}
ATTRIBUTES = {
    'Type': {'Name'}, 'DisplayString': {'Condition'}, 'Item': {'Name', 'Condition'}, 'Synthetic': {'Name', 'Condition'},
    'ArrayItems': {'Condition'}, 'IndexListItems': {'Condition'}, 'LinkedListItems': {'Condition'},
    'CustomListItems': {'Condition'}, 'Loop': {'Condition'}, 'Variable': {'Name', 'InitialValue'},
}
NAMESPACE = '{http://schemas.microsoft.com/vstudio/debugger/natvis/2010}'


def tag(node):
    assert node.tag.startswith(NAMESPACE), node.tag
    return node.tag[len(NAMESPACE):]


def check_node(node):
    name = tag(node)
    assert set(node.attrib) <= ATTRIBUTES.get(name, set()), (name, node.attrib)
    assert {tag(child) for child in node} <= CHILDREN.get(name, set()), name
    assert CHILDREN.get(name) or (node.text or '').strip() or name in ('Variable',), name
    if name in ('Expand', 'Synthetic', 'CustomListItems'):
        assert [tag(child) for child in node if tag(child) == 'Size'] in ([], ['Size'])
    for child in node:
        check_node(child)


@pytest.mark.parametrize('stem', STEMS)
def test_natvis_keeps_the_rules_of_its_schema(folder, stem):
    root = ElementTree.parse(str(folder / (stem + '.natvis'))).getroot()
    assert tag(root) == 'AutoVisualizer'
    check_node(root)
    names = [node.get('Name') for node in root]
    assert len(set(names)) == len(names)


NATVIS = r'''
#include <cstdio>
#include <cstring>
#include <type_traits>

extern "C" void look(int at, const char *expression, const void *p, const void *q);
extern "C" void all_are_filled(void);

static FILE *out;

template <class V> auto show(const V &value, int) -> decltype(value.id, void()) { std::fprintf(out, "{id = %u} ", (unsigned)value.id); }
template <class V> auto show(const V &value, long) -> typename std::enable_if<std::is_arithmetic<V>::value>::type
{
    std::fprintf(out, "%g ", (double)value);
}
template <class V> auto show(const V &, long) -> typename std::enable_if<!std::is_arithmetic<V>::value>::type { std::fprintf(out, "... "); }
template <class V> void item(const char *name, const V &value) { std::fprintf(out, "%s = ", name); show(value, 0); }
template <class V> void say(const V &value) { show(value, 0); }
'''


class Natvis:
    """C++ that does what a natvis file says: a type is a struct derived from it, so that its members have their names."""

    def __init__(self, root):
        self.lines, self.types = [], []
        self.count = 0
        for node in root:
            self.type(node)

    def expression(self, text):
        return text.strip().replace('$i', 'index_')

    def string(self, text):
        """Prints a display string."""
        for literal, expression in re.findall(r'([^{}]+)|\{([^{}]*)\}', text):
            if literal:
                self.lines.append(f'std::fputs("{literal}", out);')
            else:
                self.lines.append(f'say({self.expression(re.sub(",[a-z]+$", "", expression))});')

    def type(self, node):
        name = node.get('Name')
        self.types.append(name)
        self.lines += [f'struct view_of_{name} : {name} {{', 'void summary() const {']
        for child in node:
            if tag(child) == 'DisplayString':
                self.lines.append(f'if ({self.expression(child.get("Condition", "true"))}) {{')
                self.string(child.text)
                self.lines.append('return; }')
        self.lines += ['}', 'void expand() {']
        for child in node:
            if tag(child) == 'Expand':
                self.all(child)
        self.lines += ['}', '};']

    def all(self, node):
        for child in node:
            self.lines.append(f'if ({self.expression(child.get("Condition", "true"))}) {{' if tag(child) != 'Loop' else '{')
            getattr(self, 'do_' + tag(child))(child)
            self.lines.append('}')

    def do_Item(self, node):
        self.lines.append(f'item("{node.get("Name", "[]")}", {self.expression(node.text)});')

    def do_Synthetic(self, node):
        self.lines.append(f'std::fputs("<{node.get("Name")}> ", out);')
        for child in node:
            if tag(child) == 'Expand':
                self.all(child)

    def do_ArrayItems(self, node):
        parts = {tag(child): self.expression(child.text) for child in node}
        self.lines.append(f'for (size_t at_ = 0; at_ < ({parts["Size"]}); at_++) {{ item("[]", ({parts["ValuePointer"]})[at_]); }}')

    def do_IndexListItems(self, node):
        parts = {tag(child): self.expression(child.text) for child in node}
        self.lines.append(f'for (size_t index_ = 0; index_ < ({parts["Size"]}); index_++) {{ item("[]", {parts["ValueNode"]}); }}')

    def do_LinkedListItems(self, node):
        parts = {tag(child): self.expression(child.text) for child in node}
        head = parts['HeadPointer']
        self.lines += [
            f'using Element = std::remove_pointer<decltype({head})>::type;',
            'struct Node : Element {',
            f'    Element *further() {{ return {parts["NextPointer"]}; }}',
            f'    Element &value() {{ return {parts["ValueNode"]}; }}', '};',
            f'size_t left_ = {parts["Size"]};',
            f'for (Element *at_ = {head}; at_ != nullptr && left_ > 0; at_ = static_cast<Node *>(at_)->further(), left_--) {{',
            '    item("[]", static_cast<Node *>(at_)->value());', '}']

    def do_CustomListItems(self, node):
        for child in node:
            if tag(child) == 'Variable':
                self.lines.append(f'auto {child.get("Name")} = {self.expression(child.get("InitialValue"))};')
        self.body([child for child in node if tag(child) not in ('Variable', 'Size')])
        for child in node:
            if tag(child) == 'Size':
                self.lines.append(f'(void)({self.expression(child.text)});')

    def body(self, nodes):
        for child in nodes:
            condition = self.expression(child.get('Condition', 'true'))
            self.lines.append(f'{"while" if tag(child) == "Loop" else "if"} ({condition}) {{')
            if tag(child) == 'Loop':
                self.body(child)
            elif tag(child) == 'Exec':
                self.lines.append(self.expression(child.text) + ';')
            else:
                self.do_Item(child)
            self.lines.append('}')

    def text(self):
        return '\n'.join(self.lines)


def test_natvis_says_what_the_program_finds(folder, plans):
    (folder / 'main.c').write_text(program(plans))
    views = [Natvis(ElementTree.parse(str(folder / (stem + '.natvis'))).getroot()) for stem in STEMS]
    types = [name for view in views for name in view.types if not name.lower().endswith(('change', 'state'))]
    lines = [f'#include "{stem}.h"' for stem in STEMS] + [NATVIS] + [view.text() for view in views] + [
        'void look(int at, const char *expression, const void *p, const void *q)', '{',
        '    if (expression[0] == \'$\') { return; }', '    std::fprintf(out, "%d ", at);']
    for name in types:
        argument = 'q' if name.lower().endswith('handle') else 'p'
        lines += [f'    if (std::strcmp(expression, "*({name} *){argument}") == 0) {{',
                  f'        view_of_{name} *view = (view_of_{name} *)const_cast<void *>({argument});',
                  '        view->summary();', '        std::fputs(": ", out);']
        # What is filled with garbage has no valid pointers; only the summary says so. There is none for links in elements.
        lines += ['        view->expand();', '    }']
    lines += ['    std::fputs("\\n", out);', '}', '', 'void all_are_filled(void) {}', '',
              'extern "C" int stories(void);', 'int main(void) { out = std::fopen("views.txt", "w"); int failed = stories(); std::fclose(out); return failed; }']
    (folder / 'natvis.cpp').write_text('\n'.join(lines))
    text = program(plans)
    text = re.sub(r'\n    garbage_of_\w+\(\);', '', text).replace('int main(void)', 'int stories(void);\nint stories(void)')
    (folder / 'stories.c').write_text(re.sub(r'static void garbage_of_.*?\n}\n', '', text, flags=re.S))
    objects = [compile_(folder, CXX, 'natvis.cpp', '-std=c++17', '-Wno-sign-compare', '-Wno-unused-function'),
               compile_(folder, CC, 'stories.c', '-std=c99')]
    objects += [compile_(folder, CC, stem + '.c', '-std=c99') for stem in STEMS]
    done = subprocess.run([CXX, '-o', 'views'] + objects, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with open(folder / 'views_found.txt', 'w') as found:
        subprocess.run(['./views'], cwd=folder, stdout=found, check=True)
    found = read_found(folder / 'views_found.txt')
    shown = read_found(folder / 'views.txt')
    lists = 0
    for number, what in sorted(found.items()):
        words = what.split()
        if words[0] == 'list':
            plan = plans[words[1]]
            there = re.search(r'<(?:id|cold)> ((?:\[\] = (?:\d+|\{id = \d+\}) )+|)', shown[number]).group(1) if plan.parts.element.columns else shown[number].split('<')[0]
            ids = re.findall(r'\[\] = (?:\{id = )?(\d+)', there)
            wanted = what.split('|')[0].split()[3:]
            if plan.parts.order.sorts_at_begin and words[2] == '0':
                ids, wanted = sorted(ids), sorted(wanted)
            assert ids == wanted, (number, what, shown[number])
            size = re.findall(r'\d+', what.split('|')[1])
            assert re.findall(r'\d+', shown[number].split(':')[0])[:len(size)] == size, (number, what, shown[number])
            told = len(re.findall(r'\[pass', shown[number])) if plan.parts.passes.counted else len(re.findall(r'\[passes live\] = %s ' % words[2], shown[number]))
            assert told == (int(words[2]) if plan.parts.passes.counted else words[2] != '0'), (number, what, shown[number])
            lists += 1
        elif words[0] == 'cursor':
            ids = re.findall(r'\[(?:current|id|cold)\] = (?:\{id = )?(\d+)', shown[number])
            assert ids == [id_ for id_ in words[1:2] if id_ not in ('0', 'begins', 'over')], (number, what, shown[number])
        elif words[0] == 'ended':
            assert not re.search(r'\[(?:current|id|cold)\] =', shown[number]), (number, what, shown[number])
        elif words[0] == 'waits':
            assert '<[waiting]>' in shown[number] and 'changes wait' in shown[number], shown[number]
        elif words[0] == 'beside':
            assert re.search(r'<\[%s\]> \[of \{with_%s.ids\[row\],u\}\] = 37 ' % (words[2], words[2]), shown[number]), shown[number]
        elif words[0] == 'says':
            assert shown[number].startswith('none'), shown[number]
    assert lists > 5 * len(plans)
