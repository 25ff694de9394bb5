/* bespoke_bits_... beside an array of bool: each function, on bitmaps of each length around words' ends, on patterns and on random bits. */
#include "support.h"
#include "../../templates/support/lowest_bit.h"
#include "../../templates/support/bits.h"

enum { MOST = 200, WORDS = (MOST + 63) / 64 };

static uint64_t bits[WORDS];
static bool naive[WORDS * 64];

static void put(size_t at, bool value)
{
    naive[at] = value;
    if (value) {
        bespoke_bits_set(bits, at);
    } else {
        bespoke_bits_clear(bits, at);
    }
}

/* Everything that is asked of a bitmap of `count` bits. */
static void check(size_t count)
{
    size_t number = 0;
    size_t first = MOST;
    size_t last = MOST;

    for (size_t at = 0; at < MOST; at++) {
        CHECK(bespoke_bits_has(bits, at) == naive[at]);
    }
    for (size_t at = 0; at < count; at++) {
        uint64_t behind = 0;

        for (size_t next = at + 1; next < at / 64 * 64 + 64; next++) {
            behind |= (uint64_t)naive[next] << next % 64;
        }
        CHECK(bespoke_bits_behind(bits, at) == behind);
        if (naive[at]) {
            number++;
            first = first == MOST ? at : first;
            last = at;
        }
    }
    CHECK(bespoke_bits_count(bits, count) == number);
    for (size_t at = count; at < (count + 63) / 64 * 64 && at < MOST; at++) {
        put(at, false); /* as bespoke_bits_last has it */
    }
    if (number > 0) {
        CHECK(bespoke_bits_first(bits) == first);
        CHECK(bespoke_bits_last(bits, count) == last);
    }
}

/* Ranks, in bitmaps that are longer than there are parts to count them in. */
static void check_ranks(size_t words, uint32_t random)
{
    static uint64_t many[3 * BESPOKE_BITS_RANKS];
    static size_t ranks[BESPOKE_BITS_RANKS];
    size_t number = 0;

    for (size_t word = 0; word < words; word++) {
        many[word] = 0;
    }
    for (size_t at = 0; at < words * 64; at++) {
        random = random * 1664525u + 1013904223u;
        if (random >> 31 != 0) {
            bespoke_bits_set(many, at);
        }
    }
    bespoke_bits_rank_all(many, words * 64, ranks);
    for (size_t at = 0; at < words * 64; at++) {
        CHECK(bespoke_bits_rank(many, words * 64, ranks, at) == number);
        number += bespoke_bits_has(many, at);
    }
}

int main(void)
{
    uint32_t random = 1;

    for (size_t words = 1; words <= 3 * BESPOKE_BITS_RANKS; words += words % BESPOKE_BITS_RANKS < 3 ? 1 : 50) {
        check_ranks(words, (uint32_t)words);
    }
    for (size_t one = 0; one < MOST; one++) { /* one bit, and one missing */
        for (unsigned value = 0; value < 2; value++) {
            for (size_t at = 0; at < MOST; at++) {
                put(at, (at == one) == (value != 0));
            }
            check(MOST);
        }
    }
    for (size_t count = 0; count <= MOST; count++) {
        for (unsigned share = 1; share < 6; share++) { /* dense to sparse */
            for (size_t at = 0; at < MOST; at++) {
                random = random * 1664525u + 1013904223u;
                put(at, (random >> 16) % share == 0);
            }
            check(count);
        }
    }
    for (unsigned step = 0; step < 2000; step++) { /* one bit after another, anywhere: the others stay */
        random = random * 1664525u + 1013904223u;
        put((random >> 8) % MOST, (random >> 30 & 1) != 0);
        for (size_t at = 0; at < MOST; at++) {
            CHECK(bespoke_bits_has(bits, at) == naive[at]);
        }
    }
    for (size_t count = 0; count <= MOST; count++) {
        for (size_t ones = 0; ones <= count; ones++) {
            for (size_t at = 0; at < MOST; at++) {
                put(at, (at & 1) != 0);
            }
            bespoke_bits_fill(bits, ones, count);
            for (size_t at = 0; at < (count + 63) / 64 * 64 && at < MOST; at++) {
                naive[at] = at < ones;
            }
            for (size_t at = 0; at < MOST; at++) {
                CHECK(bespoke_bits_has(bits, at) == naive[at]);
            }
        }
    }
    return 0;
}
