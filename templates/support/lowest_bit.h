#ifndef BESPOKE_LOWEST_BIT
#define BESPOKE_LOWEST_BIT 16 /* the version that it is of */
/* The number of the lowest bit that is set; there is one. One instruction with gcc and clang, else at most 14 steps. */
static inline size_t bespoke_lowest_bit(uint64_t bits)
{
#if defined(__GNUC__) || defined(__clang__)
    return (size_t)__builtin_ctzll(bits);
#else
    size_t number = 0;

    for (; (bits & 0xff) == 0; bits >>= 8) {
        number += 8;
    }
    for (; (bits & 1) == 0; bits >>= 1) {
        number++;
    }
    return number;
#endif
}
#elif BESPOKE_LOWEST_BIT < 16
#error "a header before this one has an earlier version of BESPOKE_LOWEST_BIT: include this one first"
#endif
