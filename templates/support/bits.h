#ifndef BESPOKE_BITS
#define BESPOKE_BITS 16 /* the version that it is of */
/* Bitmaps in words of 64 bits: bit `at` is bit at % 64 of word at / 64. */

static inline bool bespoke_bits_has(const uint64_t *bits, size_t at)
{
    return (bits[at / 64] >> at % 64 & 1) != 0;
}

static inline void bespoke_bits_set(uint64_t *bits, size_t at)
{
    bits[at / 64] |= (uint64_t)1 << at % 64;
}

static inline void bespoke_bits_clear(uint64_t *bits, size_t at)
{
    bits[at / 64] &= ~((uint64_t)1 << at % 64);
}

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

/* Those behind `at` that are set, of its word. */
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

/* How many of the first `count` are set: one step for each that is. */
static inline size_t bespoke_bits_count(const uint64_t *bits, size_t count)
{
    size_t number = 0;

    for (size_t word = 0; word < (count + 63) / 64; word++) {
        uint64_t rest = bits[word];

        if (word == count / 64) {
            rest &= ((uint64_t)1 << count % 64) - 1;
        }
        for (; rest != 0; rest &= rest - 1) {
            number++;
        }
    }
    return number;
}
#elif BESPOKE_BITS < 16
#error "a header before this one has an earlier version of BESPOKE_BITS: include this one first"
#endif
