#ifndef BESPOKE_BITS
#define BESPOKE_BITS 16 /* the version that it is of */
/* Bitmaps in words of 64 bits: bit `at` is bit at % 64 of word at / 64. */

static inline bool bespoke_bits_has(const uint64_t *bits, size_t at) { return (bits[at / 64] >> at % 64 & 1) != 0; }
static inline void bespoke_bits_set(uint64_t *bits, size_t at) { bits[at / 64] |= (uint64_t)1 << at % 64; }
static inline void bespoke_bits_clear(uint64_t *bits, size_t at) { bits[at / 64] &= ~((uint64_t)1 << at % 64); }

/* Of the first `count` bits the first `ones` are set, and the others are not: one store for each word. */
static inline void bespoke_bits_fill(uint64_t *bits, size_t ones, size_t count)
{
    size_t word = 0;

    for (; word < ones / 64; word++) {
        bits[word] = ~(uint64_t)0;
    }
    if (ones % 64 != 0) {
        bits[word++] = ((uint64_t)1 << ones % 64) - 1;
    }
    for (; word < (count + 63) / 64; word++) {
        bits[word] = 0;
    }
}

/* The bits behind `at` that are set, of its word. */
static inline uint64_t bespoke_bits_behind(const uint64_t *bits, size_t at)
{
    return bits[at / 64] & ~(uint64_t)1 << at % 64;
}

/* The first that is set; there is one. */
static inline size_t bespoke_bits_first(const uint64_t *bits)
{
    size_t word = 0;

    while (bits[word] == 0) {
        word++;
    }
    return word * 64 + bespoke_lowest_bit(bits[word]);
}

/* The last that is set, of the first `count`, which are not followed by others in their last word; there is one. */
static inline size_t bespoke_bits_last(const uint64_t *bits, size_t count)
{
    size_t word = (count - 1) / 64;
    size_t at;

    while (bits[word] == 0) {
        word--;
    }
    at = word * 64 + 63;
    while (!bespoke_bits_has(bits, at)) {
        at--;
    }
    return at;
}

/* How many bits of a word are set: of two, of four, of eight at a time, then all bytes are added up. */
static inline size_t bespoke_bits_in(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (size_t)(word * 0x0101010101010101u >> 56);
}

/* How many of the first `count` are set. */
static inline size_t bespoke_bits_count(const uint64_t *bits, size_t count)
{
    size_t number = 0;

    for (size_t word = 0; word < count / 64; word++) {
        number += bespoke_bits_in(bits[word]);
    }
    if (count % 64 != 0) {
        number += bespoke_bits_in(bits[count / 64] & (((uint64_t)1 << count % 64) - 1));
    }
    return number;
}

#define BESPOKE_BITS_RANKS 256

/* Counts the first `count` in as many parts of equal length, so that bespoke_bits_rank counts within one part only. */
static inline void bespoke_bits_rank_all(const uint64_t *bits, size_t count, size_t *ranks)
{
    size_t words = (count + 63) / 64;
    size_t length = words / BESPOKE_BITS_RANKS + 1;

    ranks[0] = 0;
    for (size_t part = 1; part < BESPOKE_BITS_RANKS && part * length < words; part++) {
        ranks[part] = ranks[part - 1] + bespoke_bits_count(bits + (part - 1) * length, length * 64);
    }
}

/* How many before `at`, which is one of these, are set. */
static inline size_t bespoke_bits_rank(const uint64_t *bits, size_t count, const size_t *ranks, size_t at)
{
    size_t length = (count + 63) / 64 / BESPOKE_BITS_RANKS + 1;
    size_t part = at / 64 / length;

    return ranks[part] + bespoke_bits_count(bits + part * length, at - part * length * 64);
}
#elif BESPOKE_BITS < 16
#error "a header before this one has an earlier version of BESPOKE_BITS: include this one first"
#endif
