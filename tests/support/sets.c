/* What is next to a number of a set, and what two sets have in common, beside arrays of bool: on sets of each length around words' ends. */
#include "support.h"
#include "../../templates/support/lowest_bit.h"
#include "../../templates/support/bits.h"
#include "../../templates/support/sets.h"

enum { MOST = 200, WORDS = (MOST + 63) / 64 };

static uint64_t bits[WORDS], others[WORDS], result[WORDS];
static bool naive[MOST], naive_others[MOST];

/* The neighbours of each number, of the first `count`; none is behind them. */
static void check_neighbours(size_t count)
{
    for (size_t at = 0; at <= count; at++) {
        size_t next = at;
        size_t before = at;

        while (next < count && !naive[next]) {
            next++;
        }
        while (before > 0 && !naive[before - 1]) {
            before--;
        }
        CHECK(bespoke_bits_next(bits, count, at) == (next < count ? next : SIZE_MAX));
        CHECK(bespoke_bits_before(bits, at) == (before > 0 ? before - 1 : SIZE_MAX));
        for (size_t other = at / 64 * 64; other < at / 64 * 64 + 64; other++) { /* none is behind what there may be */
            uint64_t ahead = bespoke_bits_ahead(bits, count, at);

            CHECK((ahead >> other % 64 & 1) == (uint64_t)(other < at && other < count && naive[other]));
        }
    }
}

/* What both have, what either has, and what the first one has alone. */
static void check_both(void)
{
    size_t more = 0;
    size_t common = 0;

    for (size_t at = 0; at < MOST; at++) {
        more += naive_others[at] && !naive[at];
        common += naive_others[at] && naive[at];
    }
    memcpy(result, bits, sizeof result);
    CHECK(bespoke_bits_unite(result, others, WORDS) == more);
    for (size_t at = 0; at < MOST; at++) {
        CHECK(bespoke_bits_has(result, at) == (naive[at] || naive_others[at]));
    }
    memcpy(result, bits, sizeof result);
    bespoke_bits_intersect(result, others, WORDS);
    for (size_t at = 0; at < MOST; at++) {
        CHECK(bespoke_bits_has(result, at) == (naive[at] && naive_others[at]));
    }
    memcpy(result, bits, sizeof result);
    CHECK(bespoke_bits_subtract(result, others, WORDS) == common);
    for (size_t at = 0; at < MOST; at++) {
        CHECK(bespoke_bits_has(result, at) == (naive[at] && !naive_others[at]));
    }
}

int main(void)
{
    uint64_t seed = 1;

    for (unsigned at = 0; at < 64; at++) {
        CHECK(bespoke_bits_highest((uint64_t)1 << at | (at > 0 ? 1u : 0u)) == at);
    }
    for (unsigned run = 0; run < 2000; run++) {
        unsigned dense = run % 8;
        size_t count = run % (MOST + 1);

        memset(bits, 0, sizeof bits);
        memset(others, 0, sizeof others);
        memset(naive, 0, sizeof naive);
        memset(naive_others, 0, sizeof naive_others);
        for (size_t at = 0; at < count; at++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            naive[at] = (seed >> 40) % 8 < dense;
            naive_others[at] = (seed >> 50) % 4 < 2;
            if (naive[at]) {
                bespoke_bits_set(bits, at);
            }
            if (naive_others[at]) {
                bespoke_bits_set(others, at);
            }
        }
        check_neighbours(count);
        check_both();
    }
    return 0;
}
