#!/usr/bin/env python3
"""Containers that nobody chose: each is a random value of every axis, as far as the rules accept them together.

    tests/oracle/drawn.py [--seed 1] [--count 12] > drawn.yaml

`write` puts a spec and the header of its elements into a folder. The same seed gives the same containers as long as the rules are the same.
"""

import argparse
import os
import random
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT)

from generator.containers.load import load_spec  # noqa: E402
from generator.containers.names import operation_names  # noqa: E402
from generator.language import combinations  # noqa: E402
from generator.text.diag import Diagnostics  # noqa: E402

HEADER = """#ifndef SHIP_H
#define SHIP_H

#include <stdbool.h>
#include <stdint.h>

struct ship {
    int id;
    int key;
    int rank;
    int ka, kb, ku;
    int heft;
    uint32_t slot;
    bool gone;
    struct ship *next, *prev, *parent, *sibling, *left, *right;
    uint64_t turn;
    int8_t balance;
    struct ship *a_left, *a_right, *a_parent, *u_left, *u_right, *u_parent;
    int8_t a_balance, u_balance;
    void *owner;
    char name[8];
};

struct crate {
    int id;
    int key;
    int rank;
    int ka, kb, ku;
    int heft;
    uint32_t slot;
    bool gone;
};

#endif
"""
FIELDS = '{id: int, key: int, rank: int, ka: int, kb: int, ku: int, heft: int, slot: uint32_t, gone: bool}'
ROOTED = {'element.link.left': 'left', 'element.link.right': 'right', 'element.link.parent': 'parent'}
KEY = {'identity.key': 'element->key'}
LINKS = {'element.link.next': 'next', 'element.link.prev': 'prev', 'element.link.owner': 'owner'}
NAMED = {'identity.key': 'element->name', 'identity.kind': 'string'}  # instead of KEY, in one of six
RANK = {'sort.key': 'element->rank'}
HOOKS = {'hooks.add': '{T}_adds', 'hooks.remove': '{T}_removes', 'hooks.destroy': '{T}_destroys'}
BY_A, BY_B, BY_U, BY_S = 'by_a: {key: element->ka}', 'by_b: {key: element->kb, kind: sorted}', 'by_u: {key: element->ku, unique: true}', \
    'by_u: {key: element->ku, unique: true, kind: sorted}'
IN_A = 'by_a: {key: element->ka, kind: sorted, left: a_left, right: a_right, parent: a_parent, balance: a_balance}'
IN_U = 'by_u: {key: element->ku, unique: true, kind: sorted, left: u_left, right: u_right, parent: u_parent, balance: u_balance}'
# What decides most comes first: all values of these are drawn together. A value that stands twice comes twice as often.
FIRST = [
    [{'ordering': 'unordered'}, {'ordering': 'unordered'}, {'ordering': 'insertion'}, {'ordering': 'explicit'}, {'ordering': 'tree'}, {'ordering': 'fifo'},
     {'ordering': 'sorted', **RANK}, {'ordering': 'sorted', 'sort.less': 'a->rank < b->rank'}, {'ordering': 'sorted', 'sort.key': 'element->key', **KEY},
     {'ordering': 'sorted', **RANK, 'sort.when': 'begin'}, {'ordering': 'heap', **RANK}],
    [{}, {}, {'element.by': 'pointer'}, {'element.by': 'pointer'}, {'element.by': 'intrusive', **LINKS},
     {'element.by': 'intrusive', **LINKS, 'element.link.parent': 'parent', 'element.link.sibling': 'sibling'},
     {'element.by': 'intrusive', **LINKS, **ROOTED}, {'element.by': 'intrusive', **LINKS, **ROOTED, 'element.link.balance': 'balance'}, {'element.by': 'intrusive', **LINKS, **ROOTED, 'element.link.turn': 'turn', 'sort.stable': 'true'},
     {'layout': 'soa', 'element.type': 'struct crate', 'element.fields': FIELDS}],
    [{'removal.policy': name} for name in ('swap', 'shift', 'compact', 'reuse', 'unlink', 'tombstone')]
    + [{'removal.policy': 'tombstone', 'removal.expired': 'element->gone'}, {'removal.policy': 'prune', 'removal.expired': 'element->gone'}],
    [{}, {}, KEY, KEY],
]
# Then these, in any order, each if what there is already accepts it.
REST = [
    [{}, {'duplicates': 'reject'}, {'duplicates': 'replace'}],
    [{}, {'index.kind': 'hash'}, {'index.kind': 'dense', 'index.keys': '64'}, {'index.kind': 'dense', 'index.keys': 'run_time'}, {'index.kind': 'dense'}, {'index.field': 'slot'}],
    [{}, {'handles.kind': 'generational'}, {'handles.kind': 'generational'}, {'handles.kind': 'index'},
     {'handles.kind': 'generational', 'handles.index_bits': '8', 'handles.generation_bits': '8'}],
    [{}, {}, {'addresses': 'stable'}],
    [{}, {}, {'storage.kind': 'chunked'}, {'storage.kind': 'linked'}, {'storage.kind': 'linked', 'storage.links': 'single'}, {'storage.kind': 'contiguous'},
     {'storage.kind': 'chunked', 'storage.links': 'single'}],
    [{}, {}, {'removal.when': 'deferred', 'iteration.adds': 'deferred'}, {'iteration.adds': 'next'}],
    [{}, {'iteration.direction': 'backward'}, {'iteration.direction': 'both'}, {'iteration.direction': 'both'}],
    [{}, {}, {'iteration.removes': 'current'}, {'iteration.removes': 'current', 'iteration.cursors': 'one'}, {'iteration.removes': 'none'}],
    [{}, {'iteration.order': 'deterministic'}],
    [{}, {}, {'iteration.cursors': 'one'}, {'iteration.passes': '2'}],
    [{}, {}, {'capacity.max': '5'}, {'capacity.max': 'run_time'}, {'capacity.max': '25', 'capacity.inline': 'true'}, {'capacity.max': '6', 'capacity.when_full': 'overwrite'},
     {'capacity.shrink.below': '50%', 'capacity.shrink.after': '1 settles', 'capacity.initial': '1'}, {'capacity.growth': '1.3', 'capacity.initial': '3'}],
    [{}, {}, HOOKS, {'hooks.destroy': '{T}_destroys'}, {**HOOKS, 'hooks.update': '{T}_updates'}, {'hooks.remove': '{T}_removes', 'hooks.move': '{T}_moves'}],
    [{}, {}, {'removal.next': 'last_freed'}, {'removal.next': 'round_robin'}],
    [{}, {}, {'removal.ask': 'before_update'}, {'removal.ask': 'around_update'}],
    [{}, {}] + [{'indexes': '{%s}' % ', '.join(each)} for each in ((BY_A,), (BY_B,), (BY_U,), (BY_A, BY_U), (BY_A, BY_B, BY_U), (BY_B, BY_S), (IN_A, IN_U), (IN_A,))],
    [{}, {}, {'emit.snapshot': 'true'}, {'emit.persist': 'true', 'persist.save': '{T}_saves', 'persist.load': '{T}_loads'}],
    [{}, {}, {'threads.workers': '2'}, {'threads.workers': '3', 'threads.merge': 'key'}, {'threads.inbox': '4'}, {'threads.workers': '2', 'threads.inbox': '2'}],
]
# Then one of these, from numbers of its own, so that the rest is drawn as without them.
LIMITS = [{}, {'capacity.keep': 'element->heft % 3 == 0'}, {'capacity.weight': 'element->heft', 'capacity.max': '20'},
          {'capacity.weight': 'element->heft', 'capacity.max': '20', 'capacity.when_full': 'overwrite'},
          {'capacity.weight': 'element->heft', 'capacity.max': 'run_time', 'capacity.when_full': 'overwrite', 'capacity.keep': 'element->heft % 3 == 0'}]
# And each of these, from other numbers of its own, in one of six.
BESIDE = {'hooks.reason': 'true', 'hooks.kept_context': 'char *', 'side': '{heat: float, crate: struct crate}'}
SAVED_BESIDE = '{heat: float, ally: {T}_handle}'  # where files have them, too
# What is there only if it is named.
CHOSEN = ('swap_places', 'add_get', 'insert_before_get', 'insert_after_get', 'add_child_get', 'move_before', 'move_after', 'move_to_front', 'move_to_back',
          'move_to_parent', 'pop', 'pop_back', 'first', 'last', 'begin_at', 'begin_at_index', 'begin_at_key', 'begin_backward_at', 'begin_after',
          'current', 'next_pair', 'keep', 'try_begin', 'try_begin_backward', 'take', 'take_at', 'take_key', 'take_current', 'pop_if', 'remove_if', 'find_or_add')
SCANS = tuple('scan_%s_%s' % (what, index) for index in ('by_a', 'by_b', 'by_s', 'by_u') for what in ('range', 'range_backward', 'all', 'all_backward')) + (
    'scan_children', 'scan_children_backward', 'scan_subtree', 'scan_subtree_backward', 'scan_remove_current')
EMISSIONS = ('', '', 'defaults:\n  emit: {size_type: uint32_t}\n')


# Some start with one of these instead, and with the values of FIRST that it goes with; from numbers of their own, too.
STARTS = {'locked': ({'removal.when': 'locked'}, FIRST), 'direct': ({'index.kind': 'direct', **KEY}, [[{}, {'element.by': 'pointer'}]]),
          'numbers': ({'element.type': 'size_t', 'element.by': 'bit'}, [[{}]])}


# What layers are made of, which their own calls do not bring about: indexes, files and other threads are left to containers of their own.
IN_LAYERS = [[{'layers.ordering': order} for order in ('unordered', 'insertion', 'explicit')] + [{'layers.ordering': 'sorted', **RANK}], *FIRST[1:]]
OF_LAYERS = [{'layers.names': '[low, high]'}, {'layers.names': '[low, high]'}, {'layers.names': '[low, middle, high]'}, {'layers.names': '[one]'},
             {'layers.names': '[low, high]', 'layers.handles': 'shared', 'handles.kind': 'generational'}]
NOT_IN_LAYERS = {'indexes', 'emit.snapshot', 'emit.persist', 'threads.workers', 'threads.inbox'}


def called(settings, name):
    return {path: text.replace('{T}', name) for path, text in settings.items()}


def draw(rng, judge, start=({}, FIRST)):
    """The settings of one container."""
    given, first = start
    while True:
        settings = {} if 'element.type' in given else {'element.type': 'struct ship', 'element.header': 'ship.h'}
        for values in first:
            settings.update(rng.choice(values))
        settings.update(given)
        if judge.accepts(settings):
            break
    for values in rng.sample(REST, len(REST)):
        for value in rng.sample(values, 2):
            more = {**settings, **value, **given}
            if 'layers.names' in given and NOT_IN_LAYERS & set(more):
                continue
            if judge.accepts(called(more, 'c')):
                settings = more
                break
    return settings


def started(seed, number, judge):
    """The settings of one in five; none of the others."""
    rng = random.Random('starts %d %d' % (seed, number))
    return draw(rng, judge, STARTS[rng.choice(['direct', 'locked', 'locked', 'numbers'])]) if rng.random() < .25 else None


def layered(seed, number, judge):
    """The settings of one in ten."""
    rng = random.Random('layers %d %d' % (seed, number))
    if rng.random() >= .1:
        return None
    settings = draw(rng, judge, (rng.choice(OF_LAYERS), IN_LAYERS))
    pairs = not settings.get('removal.expired') and settings.get('iteration.cursors') != 'one'
    return {**settings, 'emit.operations': '[all, next_pair]'} if pairs and rng.random() < .5 else settings


def limited(settings, judge, rng):
    more = {**settings, **rng.choice(LIMITS)}
    return more if judge.accepts(called(more, 'c')) else settings


def with_more(settings, judge, rng):
    for path, value in BESIDE.items():
        value = SAVED_BESIDE if path == 'side' and 'emit.persist' in settings else value
        if rng.random() < 1 / 6 and judge.accepts(called({**settings, path: value}, 'c')):
            settings = {**settings, path: value}
    return settings


def with_name(settings, judge, rng):
    """A key that is a string."""
    if rng.random() < 1 / 6 and settings.get('identity.key') == KEY['identity.key'] and settings.get('element.type') == 'struct ship':
        sort = {'sort.key': NAMED['identity.key'], 'sort.kind': 'string'} if settings.get('sort.key') == KEY['identity.key'] else {}
        if judge.accepts(called({**settings, **NAMED, **sort}, 'c')):
            return {**settings, **NAMED, **sort}
    return settings


def spec(containers, emission, chosen=None):
    lines = ['bespoke: 1', emission + 'containers:']
    for name, settings in containers.items():
        settings = called(settings, name)
        if chosen:
            settings['emit.operations'] = '[%s]' % ', '.join(chosen)
        lines.append(combinations.yaml(combinations.Combination((), settings), name))
    return '\n'.join(lines) + '\n'


def with_operations(settings, emission, folder, name):
    """The same container, with all operations that must be named, too."""
    path = os.path.join(folder, 'drawn.yaml')

    def load(chosen):
        with open(path, 'w') as stream:
            stream.write(spec({name: settings}, emission, chosen))
        diagnostics = Diagnostics(helps=False)  # which takes long
        return load_spec(path, diagnostics), [each.message for each in diagnostics.sorted()]
    loaded, messages = load(None)
    assert loaded is not None, messages
    chosen = list(dict.fromkeys(operation_names(loaded.containers[0]) + list(CHOSEN + SCANS)))
    while True:
        loaded, messages = load(chosen)
        if loaded is not None:
            return {**settings, 'emit.operations': '[%s]' % ', '.join(chosen)}
        refused = {found for message in messages for found in re.findall(r"'(\w+)'", message)} & set(CHOSEN + SCANS)
        if not refused:
            raise AssertionError(messages)
        chosen = [each for each in chosen if each not in refused]


def write(folder, seed, count, only=None):
    """A spec of so many containers, and what it needs, in a folder; its path."""
    rng = random.Random('drawn %d' % seed)
    judge = combinations.Judge()
    emission = rng.choice(EMISSIONS)
    with open(os.path.join(folder, 'ship.h'), 'w') as stream:
        stream.write(HEADER)
    containers = {}
    for number in range(count):
        name = 'd%d_%d' % (seed, number)
        settings = draw(rng, judge)
        settings = limited(started(seed, number, judge) or settings, judge, random.Random('limits %d %d' % (seed, number)))
        if emission and settings.get('element.by') == 'bit':
            settings['element.type'] = 'uint32_t'  # as wide as counts
        inner = layered(seed, number, judge)
        if inner is None and not (emission and settings.get('element.by') == 'bit'):
            settings = with_more(settings, judge, random.Random('more %d %d' % (seed, number)))
            settings = with_name(settings, judge, random.Random('name %d %d' % (seed, number)))
        if rng.random() < .5 and inner is None:
            settings = with_operations(settings, emission, folder, name)
        containers[name] = inner or settings
    path = os.path.join(folder, 'drawn.yaml')
    if only:
        containers = {name: settings for name, settings in containers.items() if name == only}
    with open(path, 'w') as stream:
        stream.write(spec(containers, emission))
    return path


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('--seed', type=int, default=1)
    arguments.add_argument('--count', type=int, default=12)
    options = arguments.parse_args()
    import tempfile
    with tempfile.TemporaryDirectory() as folder, open(write(folder, options.seed, options.count)) as stream:
        sys.stdout.write(stream.read())


if __name__ == '__main__':
    main()
