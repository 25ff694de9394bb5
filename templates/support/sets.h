#ifndef BESPOKE_SETS
#define BESPOKE_SETS 16 /* the version that it is of */
/* Sets of numbers, as bitmaps: what is next to a number, and what two sets have in common. */

/* The last bit of a word that is set; there is one. */
static inline size_t bespoke_bits_highest(uint64_t word)
{
#if defined(__GNUC__) || defined(__clang__)
    return (size_t)(63 ^ __builtin_clzll(word));
#else
    size_t at = 0;

    for (unsigned half = 32; half > 0; half /= 2) {
        if (word >> half != 0) {
            word >>= half;
            at += half;
        }
    }
    return at;
#endif
}

/* The bits before `at` that are set, of its word; none if that is behind the first `count`. */
static inline uint64_t bespoke_bits_ahead(const uint64_t *bits, size_t count, size_t at)
{
    return at / 64 >= (count + 63) / 64 ? 0 : bits[at / 64] & (((uint64_t)1 << at % 64) - 1);
}

/* The first from `at` on that is set, of the first `count`, which are not followed by others in their last word; SIZE_MAX: there
 * is none. */
static inline size_t bespoke_bits_next(const uint64_t *bits, size_t count, size_t at)
{
    size_t word = at / 64;
    uint64_t rest;

    if (at >= count) {
        return SIZE_MAX;
    }
    rest = bits[word] >> at % 64 << at % 64;
    while (rest == 0) {
        word++;
        if (word * 64 >= count) {
            return SIZE_MAX;
        }
        rest = bits[word];
    }
    return word * 64 + bespoke_lowest_bit(rest);
}

/* The last before `at` that is set; SIZE_MAX: there is none. */
static inline size_t bespoke_bits_before(const uint64_t *bits, size_t at)
{
    size_t word = at / 64;
    uint64_t rest = at % 64 != 0 ? bits[word] & (((uint64_t)1 << at % 64) - 1) : 0;

    while (rest == 0) {
        if (word == 0) {
            return SIZE_MAX;
        }
        word--;
        rest = bits[word];
    }
    return word * 64 + bespoke_bits_highest(rest);
}

/* Sets those of this number of words that are set in `others`. Returns how many were not before. */
static inline size_t bespoke_bits_unite(uint64_t *bits, const uint64_t *others, size_t words)
{
    size_t number = 0;

    for (size_t word = 0; word < words; word++) {
        number += bespoke_bits_in(others[word] & ~bits[word]);
        bits[word] |= others[word];
    }
    return number;
}

/* Of this number of words clears those that are not set in `others`. */
static inline void bespoke_bits_intersect(uint64_t *bits, const uint64_t *others, size_t words)
{
    for (size_t word = 0; word < words; word++) {
        bits[word] &= others[word];
    }
}

/* Of this number of words clears those that are set in `others`. Returns how many they were. */
static inline size_t bespoke_bits_subtract(uint64_t *bits, const uint64_t *others, size_t words)
{
    size_t number = 0;

    for (size_t word = 0; word < words; word++) {
        number += bespoke_bits_in(bits[word] & others[word]);
        bits[word] &= ~others[word];
    }
    return number;
}
#elif BESPOKE_SETS < 16
#error "a header before this one has an earlier version of BESPOKE_SETS: include this one first"
#endif
