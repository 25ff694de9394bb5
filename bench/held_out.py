#!/usr/bin/env python3
"""Does `bespoke tune` choose well? Two questions, both about what it has not measured.

    bench/held_out.py regret TRACE...        chosen by the first half of a trace: how much slower than the best in the second half?
    bench/held_out.py counted TRACE...       the same by instructions, of one candidate of each shape: nothing disturbs it
    bench/held_out.py order [CANDIDATES]     programs rebuilt with each candidate: are they in the order that tune gives?

The second one has a program of its own, whose containers time themselves. Beside times it compares what no other program of the machine
disturbs, instructions (valgrind), and of times only pairs whose intervals are apart in both.
"""

import itertools
import os
import random
import re
import subprocess
import sys
import tempfile
from array import array
from statistics import mean, median

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)

from generator.containers.load import load_spec  # noqa: E402
from generator.language.used_names import called_by, words_in  # noqa: E402
from generator.replays.operations import INDEXES  # noqa: E402
from generator.text.diag import Diagnostics  # noqa: E402
from generator.tuning.measures import choice, half  # noqa: E402
from generator.tuning.tune import Wanted, tune  # noqa: E402
from generator.tuning.writing import new_text  # noqa: E402

FLAGS = "-O2"
SPEC = """bespoke: 1
defaults:
  element: {type: struct ship, header: ship.h}
  emit: {trace: true}
containers:
  fleet: {ordering: unordered, removal: swap}
  crew: {ordering: unordered, removal: reuse, handles: generational}
  marks: {ordering: insertion, removal: tombstone, duplicates: reject, identity: {key: element->id}, index: hash}
  queue: {ordering: insertion, removal: shift}
"""
SHIP = """#ifndef SHIP_H
#define SHIP_H
#include <stdint.h>
struct ship { uint32_t id; int hp; char more[32]; };
#endif
"""
PROGRAM = r"""
#define _POSIX_C_SOURCE 199309L
#include "lists.h"
#include <stdio.h>
#include <time.h>

static uint32_t state = 7;
static uint32_t drawn(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}
static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Loops are in functions, as they are in programs: gcc knows of main that it runs once, and of what is static in it where it is. */
#define APART static __attribute__((__noipa__))
APART void fleet_played(fleet *list)
{
    FLEET_EACH(list, one) {
        if (--one->hp <= 0) {
            (void)fleet_remove_current(&one_cursor);
        }
    }
}
APART void marks_played(marks *list)
{
    MARKS_EACH(list, one) {
        if (--one->hp <= 0) {
            (void)marks_remove_current(&one_cursor);
        }
    }
}
APART void queue_played(queue *list)
{
    QUEUE_EACH(list, one) {
        if (--one->hp <= 0) {
            (void)queue_remove_current(&one_cursor);
        }
    }
}
APART uint32_t crew_played(crew *list)
{
    uint32_t sum = 0;

    CREW_EACH(list, one) {
        sum += one->id;
    }
    return sum;
}

int main(int number, char **arguments)
{
    static fleet all;
    static crew men;
    static marks some;
    static queue waiting;
    static crew_handle man[400];
    uint64_t took[4] = {0}, at;
    uint32_t next = 0, sum = 0;

#if BESPOKE_TRACE
    bespoke_trace_begin(arguments[1]);
#endif
    (void)number;
    (void)arguments;
    for (int frame = 0; frame < 400; frame++) {
        at = now();
        for (int i = 0; i < 20 && fleet_count(&all) < 800; i++) {
            (void)fleet_add(&all, (struct ship){next++, 20 + (int)drawn(60), {0}});
        }
        fleet_played(&all);
        took[0] += now() - at;
        at = now();
        for (int i = 0; i < 10; i++) {
            uint32_t which = drawn(400);
            (void)crew_remove(&men, man[which]);
            (void)crew_add_handle(&men, (struct ship){next++, 5, {0}}, &man[which]);
        }
        for (int i = 0; i < 300; i++) {
            const struct ship *one = crew_get(&men, man[drawn(400)]);
            sum += one == NULL ? 0 : one->id;
        }
        sum += crew_played(&men);
        took[1] += now() - at;
        at = now();
        for (int i = 0; i < 8; i++) {
            (void)marks_add(&some, (struct ship){drawn(600), 40, {0}});
        }
        for (int i = 0; i < 60; i++) {
            const struct ship *one = marks_find(&some, drawn(600));
            sum += one == NULL ? 0 : one->id;
        }
        marks_played(&some);
        took[2] += now() - at;
        at = now();
        for (int i = 0; i < 5; i++) {
            (void)queue_add(&waiting, (struct ship){next++, 20 + (int)drawn(40), {0}});
        }
        queue_played(&waiting);
        took[3] += now() - at;
#if BESPOKE_TRACE
        bespoke_trace_frame();
#endif
    }
    fleet_deinit(&all);
    crew_deinit(&men);
    marks_deinit(&some);
    queue_deinit(&waiting);
#if BESPOKE_TRACE
    return !bespoke_trace_end();
#else
    printf("%llu %llu %llu %llu %u\n", (unsigned long long)took[0], (unsigned long long)took[1], (unsigned long long)took[2],
           (unsigned long long)took[3], sum);
    return 0;
#endif
}
"""


def done(*command, cwd):
    result = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: {result.stdout}")
    return result.stdout


def written(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def built(folder, spec, *flags):
    """The program with this spec."""
    os.makedirs(folder, exist_ok=True)
    for name, text in (("lists.yaml", spec), ("ship.h", SHIP), ("main.c", PROGRAM)):
        written(os.path.join(folder, name), text)
    done(sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", "--no-format", "lists.yaml", "-o", ".", cwd=folder)
    done("gcc", "-std=c99", FLAGS, "-I.", *flags, "main.c", "lists.c", "-o", "main", cwd=folder)
    return os.path.join(folder, "main")


def regret(traces):
    """What was chosen on the first half, against the best of the second."""
    found = []
    for trace in traces:
        with tempfile.TemporaryDirectory() as folder:
            outcome = tune(trace, folder, [], Wanted([], None, FLAGS, 60, None, lambda container: frozenset()), lambda text: None)
        for tuned in outcome.tuned:
            first, second = half(tuned.runs, False), half(tuned.runs, True)
            chosen = choice(first, False).candidate
            times = {id(one.candidate): one.nanoseconds for one in second}
            least, now = min(times.values()), next(one.nanoseconds for one in second if one.candidate.is_now)
            found.append(times[id(chosen)] / least - 1)
            print(f"{os.path.basename(trace)} {tuned.name}: {len(first)} candidates, {tuned.rounds} rounds: regret {found[-1]:.1%}, "
                  f"as it is {now / least - 1:.1%}, worst {max(times.values()) / least - 1:.1%}", flush=True)
    print(f"{len(found)} containers: mean regret {mean(found):.1%}, worst {max(found):.1%}")


def first_half(path, to):
    """Of what a program of tune repeats: see Work.written."""
    with open(path, "rb") as file:
        head = array("I", file.read(7 * 4))
        rest = array("I", file.read())
    labels, spans = head[0], head[2]
    tables, starts, operations = rest[:(2 + INDEXES) * labels], rest[(2 + INDEXES) * labels:][:spans], rest[(2 + INDEXES) * labels + spans:]
    head[2] = (spans + 1) // 2
    with open(to, "wb") as file:
        for each in (head, tables, starts[:head[2]], operations):
            each.tofile(file)


def counted(traces, most=12):
    """As regret, by instructions."""
    found = []
    for trace in traces:
        with tempfile.TemporaryDirectory() as folder:
            outcome = tune(trace, folder, [], Wanted([], None, FLAGS, 0, 0, lambda container: frozenset()), lambda text: None)
            for tuned in outcome.tuned:
                shapes = {}
                for one in sorted(tuned.measured, key=lambda one: len(one.candidate.given)):
                    shapes.setdefault(tuple(item for item in sorted(one.candidate.given.items()) if not item[0].startswith("capacity.")), one)
                place, known = os.path.join(folder, tuned.name), [id(each) for each in tuned.runs.candidates]
                first_half(os.path.join(place, "work"), os.path.join(place, "first"))
                counts = [[instructions([os.path.join(place, "tune"), work], place, b"%d 0 1 0\n" % number if number >= 0 else b"")
                           for work in ("first", "work")]
                          for number in (-1, *(known.index(id(one.candidate)) for one in list(shapes.values())[:most]))]
                (begun, begun_whole), *counts = counts
                first = [one - begun for one, _ in counts]
                second = [(whole - begun_whole) - (one - begun) for one, whole in counts]
                found.append(second[first.index(min(first))] / min(second) - 1)
                print(f"{os.path.basename(trace)} {tuned.name}: {len(counts)} shapes: regret {found[-1]:.1%}, worst "
                      f"{max(second) / min(second) - 1:.1%}", flush=True)
    print(f"{len(found)} containers: mean regret {mean(found):.1%}, worst {max(found):.1%}")


def kendall(first, second, apart=1.0):
    """Of the pairs that are further apart in `first` than by this factor."""
    pairs = [(a, b) for a, b in itertools.combinations(range(len(first)), 2)
             if max(first[a], first[b]) > apart * min(first[a], first[b])]
    return sum(1 if (first[a] - first[b]) * (second[a] - second[b]) > 0 else -1 for a, b in pairs) / max(len(pairs), 1)


def instructions(command, cwd, asked=b""):
    """Of a whole run: programs that differ in one container differ by what that executes."""
    result = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command], cwd=cwd, input=asked,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    found = re.search(rb"Collected : (\d+)", result.stderr)
    return int(found.group(1)) if found else 0


def sure(first, second):
    """Kendall's tau of the pairs whose intervals are apart in both, and how many these are. Each is a list of (least, most)."""
    def side(of, a, b):
        return -1 if of[a][1] < of[b][0] else 1 if of[b][1] < of[a][0] else 0

    signs = [side(first, a, b) * side(second, a, b) for a, b in itertools.combinations(range(len(first)), 2)]
    apart = [sign for sign in signs if sign]
    return sum(apart) / max(len(apart), 1), len(apart), len(signs)


def order(most):
    """Tune's times against those of the program itself, rebuilt with each candidate."""
    with tempfile.TemporaryDirectory() as folder:
        traced = built(folder, SPEC, "-DBESPOKE_TRACE=2")
        done(traced, "game.trace", cwd=folder)
        spec = load_spec(os.path.join(folder, "lists.yaml"), Diagnostics())
        words = words_in([os.path.join(folder, "main.c")])
        wanted = Wanted([], None, FLAGS, 30, 0, lambda container: called_by(container, words), words.__contains__)
        outcome = tune(os.path.join(folder, "game.trace"), os.path.join(folder, "tuned"), [spec], wanted, lambda text: None)
        for tuned in outcome.tuned:
            section = [container.name for container in spec.containers].index(tuned.name)
            step = max(1, len(tuned.measured) // most)
            chosen = tuned.measured[::step][:most]
            programs = [built(os.path.join(folder, f"{tuned.name}{at}"), new_text(spec, [(tuned.container, one.candidate)])[0])
                        for at, one in enumerate(chosen)]
            times = [[] for _ in programs]
            turns = list(range(len(programs)))
            for _ in range(9):
                random.shuffle(turns)
                for at in turns:
                    times[at].append(int(done(programs[at], cwd=folder).split()[section]))
            real = [median(each) for each in times]
            replayed = [one.nanoseconds for one in chosen]
            tau, apart, pairs = sure([(one.low, one.high) for one in chosen], [(sorted(each)[1], sorted(each)[-2]) for each in times])
            place = os.path.join(folder, "tuned", tuned.name)
            counts = [[instructions([os.path.join(place, "tune"), "work"], place,
                                    b"%d 0 1 0\n" % [id(each) for each in tuned.runs.candidates].index(id(one.candidate)))
                       for one in chosen], [instructions([program], folder) for program in programs]]
            print(f"{tuned.name}: Kendall's tau of instructions {kendall(*counts):.2f}, {kendall(*counts, 1.02):.2f} of those that are "
                  f"2 % apart; of times {tau:.2f} in {apart} of {pairs} pairs whose intervals are apart; "
                  + ", ".join(f"{a / 1e3:.0f}:{b / 1e3:.0f}" for a, b in zip(*counts)) + " thousand", flush=True)
            print(f"{tuned.name}: {len(chosen)} of {len(tuned.measured)} candidates, Kendall's tau {kendall(replayed, real):.2f}, "
                  f"{kendall(replayed, real, 1.1):.2f} of those that are 10 % apart; "
                  + ", ".join(f"{a / 1e3:.0f}:{b / 1e3:.0f}" for a, b in zip(replayed, real)) + " us (tune:program)", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["regret"] and len(sys.argv) > 2:
        regret(sys.argv[2:])
    elif sys.argv[1:2] == ["counted"] and len(sys.argv) > 2:
        counted(sys.argv[2:])
    elif sys.argv[1:2] == ["order"]:
        order(int(sys.argv[2]) if len(sys.argv) > 2 else 10)
    else:
        sys.exit(__doc__)
