"""A container that is only read, through a pointer to const: all elements in bulk, in C and in C++."""

import os
import shutil
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FLAGS = "-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Werror -fsanitize=address,undefined".split()

SPEC = """\
bespoke: 1
defaults: {threads: {workers: 3, merge: none}}
containers:
  dense: {element: int, ordering: unordered, removal: swap}
  within: {element: int, ordering: unordered, removal: swap, capacity: {inline: true, max: 90}}
  named: {element: const char *, ordering: unordered, removal: swap}
  torn: {element: int, removal: compact}
  torn_rows: {element: {fields: {n: int}}, layout: soa, removal: compact}
  holed: {element: int, ordering: unordered, removal: reuse, storage: contiguous}
  chunky: {element: int, ordering: unordered, removal: reuse, storage: chunked}
  packed: {element: int, ordering: unordered, removal: swap, storage: chunked}
"""

PROGRAM = """\
#include "lists.h"
#include <stdio.h>

#define EXPECT(what) do { if (!(what)) { printf("%d: %s\\n", __LINE__, #what); failed = 1; } } while (0)
static int failed;

static int sum_of(const int *numbers, size_t count)
{
    int sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += numbers[i];
    }
    return sum;
}

static void read_dense(const dense *list)
{
    int sum = 0;

    EXPECT(sum_of(dense_const_data(list), dense_count(list)) == 100 * 99 / 2);
    for (size_t number = 0; number < 3; number++) {
        dense_const_span part = dense_const_part(list, number, 3);

        sum += sum_of(part.elements, part.count);
    }
    EXPECT(sum == 100 * 99 / 2 && dense_const_part(list, 3, 3).elements == NULL);
}

static void read_torn(const torn *list, const torn_rows *rows, bool whole)
{
    EXPECT((torn_const_data(list) != NULL) == whole);
    EXPECT(torn_const_part(list, 0, 1).count == (whole ? 9u : 0u) && (torn_const_part(list, 0, 1).elements != NULL) == whole);
    EXPECT(torn_rows_const_rows(rows) == (whole ? 9u : 0u) && torn_rows_const_part(rows, 0, 1).count == (whole ? 9u : 0u));
}

static void read_chunks(const chunky *list, const packed *other)
{
    const uint64_t *alive;
    size_t count, last = chunky_chunk_count(list) - 1;

    EXPECT(chunky_part(list, 0, 1).count == last + 1 && packed_part(other, 0, 1).count == last + 1);
    EXPECT(chunky_const_chunk(list, last, &alive)[0] == 64 && alive[0] == ((uint64_t)1 << 36) - 1);
    EXPECT(chunky_const_chunk(list, last, NULL)[1] == 65);
    EXPECT(chunky_const_chunk(list, last + 1, NULL) == NULL && chunky_const_chunk(list, last + 1, &alive) == NULL && alive == NULL);
    EXPECT(packed_const_chunk(other, last, &count)[0] == 64 && count == 36 && packed_const_chunk(other, 0, &count) != NULL && count == 64);
    EXPECT(packed_const_chunk(other, last, NULL)[35] == 99);
    EXPECT(packed_const_chunk(other, last + 1, NULL) == NULL && packed_const_chunk(other, last + 1, &count) == NULL && count == 0);
}

int main(void)
{
    static dense numbers;
    static within few;
    static named names;
    static torn list;
    static torn_rows rows;
    static holed holes;
    static chunky chunks;
    static packed more;
    const within *some = &few;
    const named *called = &names;
    const holed *left = &holes;
    torn_cursor cursor;
    torn_rows_cursor row;

    for (int i = 0; i < 100; i++) {
        EXPECT(dense_add(&numbers, i) == DENSE_OK && chunky_add(&chunks, i) == CHUNKY_OK && packed_add(&more, i) == PACKED_OK);
        EXPECT(holed_add(&holes, i) == HOLED_OK);
    }
    read_dense(&numbers);
    read_chunks(&chunks, &more);
    EXPECT(chunky_chunk(&chunks, 0, NULL) != NULL && packed_chunk(&more, 0, NULL) != NULL && packed_chunk(&more, 2, NULL) == NULL);
    EXPECT(within_add(&few, 7) == WITHIN_OK && within_const_data(some)[0] == 7 && within_const_part(some, 0, 1).count == 1);
    EXPECT(named_add(&names, "one") == NAMED_OK && named_const_data(called)[0][0] == 'o');
    EXPECT(holed_const_part(left, 1, 2).elements[3] == 67 && holed_const_part(left, 1, 2).alive[0] == ((uint64_t)1 << 36) - 1);
    for (int i = 0; i < 10; i++) {
        torn_rows_row one = {i};

        EXPECT(torn_add(&list, i) == TORN_OK && torn_rows_add(&rows, one) == TORN_ROWS_OK);
    }
    cursor = torn_begin(&list);
    row = torn_rows_begin(&rows);
    (void)torn_next(&cursor);
    (void)torn_rows_next(&row);
    EXPECT(torn_remove_current(&cursor) == TORN_OK && torn_rows_remove_current(&row) == TORN_ROWS_OK);
    read_torn(&list, &rows, false);
    torn_end(&cursor);
    torn_rows_end(&row);
    read_torn(&list, &rows, true);
    dense_deinit(&numbers);
    named_deinit(&names);
    torn_deinit(&list);
    torn_rows_deinit(&rows);
    holed_deinit(&holes);
    chunky_deinit(&chunks);
    packed_deinit(&more);
    return failed;
}
"""


@pytest.mark.parametrize("compiler", ["gcc -std=c99", "g++ -std=c++17 -x c++"])
def test_in_bulk(tmp_path, compiler):
    if shutil.which(compiler.split()[0]) is None:
        pytest.skip(f"{compiler.split()[0]} is not installed")
    (tmp_path / "lists.yaml").write_text(SPEC)
    (tmp_path / "program.c").write_text(PROGRAM)
    subprocess.run([sys.executable, os.path.join(ROOT, "bespoke"), "generate", "-q", "--no-format", "lists.yaml", "-o", "."], cwd=tmp_path,
                   check=True)
    subprocess.run([*compiler.split(), *FLAGS, "program.c", "lists.c", "-o", "program"], cwd=tmp_path, check=True)
    done = subprocess.run(["./program"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert (done.returncode, done.stdout) == (0, "")
