"""`hooks.kept_context`: what a container does with it. That the functions of a spec are given it in each call is in tests/specs/contexts.yaml."""

import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

SPEC = """\
bespoke: 1
containers:
  fleet:
    element: {type: struct ship, header: ship.h}
    ordering: unordered
    duplicates: reject
    identity: {key: element->code, kind: object, type: struct code, equal: ship_same, hash: ship_hash}
    index: hash
    hooks: {destroy: ship_sinks, kept_context: struct world *}
    persist: {save: ship_saves, load: ship_loads}
    emit: {persist: true}
  crew:
    element: {type: struct ship, header: ship.h}
    hooks: {move: crew_moves, kept_context: struct world *}
    emit: {snapshot: true}
"""
HEADER = """\
#ifndef SHIP_H
#define SHIP_H
struct code {
    int number;
};
struct ship {
    struct code code;
};
#endif
"""
PROGRAM = """\
#include "lists.h"
#include <stdio.h>
#include <string.h>

struct world {
    int sunk, asked, moved;
};
static char store[4000];
static size_t written, read;

void ship_sinks(fleet *list, struct ship *element, struct world *context)
{
    (void)list;
    (void)element;
    context->sunk++;
}
bool ship_same(const struct code *a, const struct code *b, struct world *context)
{
    context->asked++;
    return a->number == b->number;
}
uint64_t ship_hash(const struct code *key, uint64_t seed, struct world *context)
{
    context->asked++;
    return seed + (unsigned)key->number;
}
void crew_moves(crew *list, struct ship *element, struct world *context)
{
    (void)list;
    (void)element;
    context->moved++;
}
bool ship_saves(struct fleet_writer *to, const struct ship *element)
{
    return fleet_write_number(to, (unsigned)element->code.number, 1);
}
bool ship_loads(struct fleet_reader *from, struct ship *element)
{
    element->code.number = (int)fleet_read_number(from, 1);
    return true;
}
static bool put(void *context, const void *bytes, size_t count)
{
    (void)context;
    memcpy(store + written, bytes, count);
    written += count;
    return true;
}
static bool get(void *context, void *bytes, size_t count)
{
    (void)context;
    memcpy(bytes, store + read, count);
    read += count;
    return true;
}
#define SAY(what, value) printf(what " %d\\n", (int)(value))

int main(void)
{
    struct world here = {0, 0, 0}, there = {0, 0, 0};
    fleet list, other = {0};
    crew sailors;
    size_t taken;
    const struct code second = {2};
    static char frame[4000];

    fleet_init(&list, &here);
    fleet_set_context(&other, &there); /* one that was zero-initialised */
    (void)fleet_add(&list, (struct ship){{1}});
    (void)fleet_add(&list, (struct ship){{2}});
    (void)fleet_remove_key(&list, &second);
    SAY("here sunk", here.sunk);
    SAY("there asked", there.asked);
    /* Elements get into another container: each keeps its context, and is asked with it. */
    SAY("add_from", fleet_add_from(&other, &list, &taken));
    SAY("apart", list.context == &here && other.context == &there);
    SAY("there asked too", there.asked > 0);
    fleet_clear(&other);
    SAY("there sunk", there.sunk);
    /* What is loaded, rolled back and deinitialised. */
    (void)fleet_add(&list, (struct ship){{3}});
    SAY("save", fleet_save(&list, put, NULL));
    SAY("load", fleet_load(&other, get, NULL));
    SAY("loaded", other.context == &there);
    fleet_deinit(&other);
    SAY("deinit", other.context == &there);
    (void)fleet_add(&other, (struct ship){{4}});
    fleet_deinit(&other);
    SAY("there sunk", there.sunk);
    fleet_deinit(&list);
    crew_init(&sailors, &here);
    (void)crew_add(&sailors, (struct ship){{1}});
    SAY("snapshot", crew_snapshot(&sailors, frame, sizeof frame));
    crew_set_context(&sailors, &there);
    SAY("rollback", crew_rollback(&sailors, frame));
    SAY("rolled back", sailors.context == &there);
    crew_deinit(&sailors);
    return 0;
}
"""
SAID = """\
here sunk 1
there asked 0
add_from 0
apart 1
there asked too 1
there sunk 1
save 0
load 0
loaded 1
deinit 1
there sunk 3
snapshot 1
rollback 0
rolled back 1
"""


def test_a_context_stays_with_its_container(tmp_path):
    if shutil.which("gcc") is None:
        pytest.skip("there is no gcc")
    (tmp_path / "lists.yaml").write_text(SPEC)
    (tmp_path / "ship.h").write_text(HEADER)
    (tmp_path / "main.c").write_text(PROGRAM)
    subprocess.run([sys.executable, f"{ROOT}/bespoke", "generate", "-q", "lists.yaml", "-o", "."], cwd=tmp_path, check=True)
    subprocess.run(["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-g", "-fsanitize=address,undefined", "-o", "main",
                    "main.c", "lists.c"], cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "main"], check=True, capture_output=True, text=True).stdout == SAID
