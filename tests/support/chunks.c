/* Sets of numbers in chunks, beside an array of bool: what is found, squeezed out, united and kept, in chunks of one word and of three. */
#include "support.h"
#define BESPOKE_CHAOS spreads
static int spreads; /* 1: also where there are few, places are looked for */

#include "../../templates/support/lowest_bit.h"
#include "../../templates/support/bits.h"
#include "../../templates/support/sets.h"
#include "../../templates/support/chunks.h"

enum { MOST = 2000, ROOM = 40, WIDTHS = 3 };

typedef struct {
    uint32_t chunks[ROOM];
    uint64_t words[ROOM * WIDTHS];
    size_t count;
    bool naive[MOST];
} set;

static size_t width; /* words of a chunk */

static size_t random_below(uint64_t *seed, size_t limit)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(*seed >> 33) % limit;
}

static void check_set(const set *one)
{
    size_t number = 0;

    for (size_t place = 0; place < one->count; place++) {
        bool empty = bespoke_chunks_is_empty(one->words, width, place);

        CHECK(place == 0 || one->chunks[place - 1] < one->chunks[place] || (one->chunks[place - 1] == one->chunks[place] && empty));
        number += bespoke_bits_count(one->words + place * width, width * 64);
    }
    for (size_t at = 0; at < MOST; at++) {
        size_t place = bespoke_chunks_place(one->chunks, one->count, at / (width * 64));
        bool there = place < one->count && one->chunks[place] == at / (width * 64);

        CHECK(place == one->count || one->chunks[place] >= at / (width * 64));
        CHECK(place == 0 || one->chunks[place - 1] < at / (width * 64));
        CHECK(one->naive[at] == (there && bespoke_bits_has(one->words + place * width, at % (width * 64))));
        number -= one->naive[at];
    }
    CHECK(number == 0);
    for (size_t word = one->count * width; word < ROOM * width; word++) {
        CHECK(one->words[word] == 0);
    }
}

static void make(set *one, uint64_t *seed, size_t numbers)
{
    size_t room = spreads ? ROOM : 12;

    memset(one, 0, sizeof *one);
    for (size_t i = 0; i < numbers; i++) {
        size_t at = random_below(seed, MOST);
        size_t place = bespoke_chunks_place(one->chunks, one->count, at / (width * 64));

        if (place == one->count || one->chunks[place] != at / (width * 64)) {
            uint32_t chunk = (uint32_t)(at / (width * 64));
            size_t least = random_below(seed, room) + 1;

            if (!bespoke_chunks_open(one->chunks, one->words, width, &one->count, room, place, chunk, least)) {
                place = bespoke_chunks_place(one->chunks, one->count, chunk);
                if (!bespoke_chunks_open(one->chunks, one->words, width, &one->count, room, place, chunk, 1)) {
                    CHECK(bespoke_chunks_squeeze(one->chunks, one->words, width, one->count) == room);
                    continue;
                }
            }
            place = bespoke_chunks_place(one->chunks, one->count, chunk);
        }
        bespoke_bits_set(one->words + place * width, at % (width * 64));
        one->naive[at] = true;
        if (i % 3 == 0) { /* one leaves, perhaps the last one of its chunk */
            bespoke_bits_clear(one->words + place * width, at % (width * 64));
            one->naive[at] = false;
        }
    }
    check_set(one);
}

static void check_pair(const set *a, const set *b, bool same)
{
    static set c;
    size_t more = 0;
    size_t left[2] = {0, 0};
    size_t missing;

    c = *a;
    c.count = bespoke_chunks_squeeze(c.chunks, c.words, width, c.count);
    for (size_t at = 0; at < MOST; at++) {
        more += b->naive[at] && !a->naive[at];
        left[0] += a->naive[at] && b->naive[at];
        left[1] += a->naive[at] && !b->naive[at];
        c.naive[at] = a->naive[at] || b->naive[at];
    }
    b = same ? &c : b;
    missing = bespoke_chunks_missing(c.chunks, width, c.count, b->chunks, b->words, b->count);
    CHECK(bespoke_chunks_unite(c.chunks, c.words, width, c.count, b->chunks, b->words, b->count, missing) == more);
    c.count += missing;
    check_set(&c);
    for (int both = 0; both < 2; both++) {
        c = *a;
        for (size_t at = 0; at < MOST; at++) {
            c.naive[at] = a->naive[at] && (same || b->naive[at]) != (both != 0);
        }
        CHECK(bespoke_chunks_keep(c.chunks, c.words, width, c.count, b->chunks, b->words, b->count, both != 0) == left[both]);
        check_set(&c);
        c.count = bespoke_chunks_squeeze(c.chunks, c.words, width, c.count);
        check_set(&c);
        for (size_t place = 0; place < c.count; place++) {
            CHECK(bespoke_bits_count(c.words + place * width, width * 64) > 0);
        }
    }
}

/* Chunks in an order that finds no room where they go: far fewer are moved than by making room for each. */
static void check_moves(void)
{
    enum { MANY = 4096 };
    static uint32_t chunks[MANY];
    static uint64_t words[MANY * WIDTHS];

    for (int down = 0; down < 2; down++) {
        uint64_t seed = 7;
        size_t count = 0;
        size_t written = 0;

        memset(words, 0, sizeof words);
        while (written < MANY - MANY / 64) {
            uint32_t chunk = down ? (uint32_t)(MANY - written) : (uint32_t)random_below(&seed, 1 << 30);
            size_t place = bespoke_chunks_place(chunks, count, chunk);

            if (place < count && chunks[place] == chunk) {
                continue;
            }
            CHECK(bespoke_chunks_open(chunks, words, width, &count, MANY, place, chunk, MANY / 64));
            place = bespoke_chunks_place(chunks, count, chunk);
            CHECK(place < count && chunks[place] == chunk && bespoke_chunks_is_empty(words, width, place));
            words[place * width] = chunk + 1;
            written++;
        }
        for (size_t place = 1; place < count; place++) {
            CHECK(chunks[place - 1] <= chunks[place]);
        }
        CHECK(bespoke_chunks_squeeze(chunks, words, width, count) == written);
        for (size_t place = 0; place < written; place++) {
            CHECK((place == 0 || chunks[place - 1] < chunks[place]) && words[place * width] == (uint64_t)chunks[place] + 1);
        }
    }
}

int main(void)
{
    static set a, b;
    uint64_t seed = 1;

    CHECK(bespoke_chunks_reach(UINT32_MAX) && !bespoke_chunks_reach((uint64_t)UINT32_MAX + 1));
    CHECK(bespoke_chunks_place(NULL, 0, 3) == 0);
    for (width = 1; width <= WIDTHS; width += 2) {
        for (unsigned run = 0; run < 300; run++) {
            spreads = run % 2 != 0;
            make(&a, &seed, random_below(&seed, 30));
            make(&b, &seed, random_below(&seed, 30));
            check_pair(&a, &b, false);
            check_pair(&a, &a, true);
        }
        check_moves();
    }
    return 0;
}
