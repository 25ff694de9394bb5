#ifndef BESPOKE_FOLDED
#define BESPOKE_FOLDED 16 /* the version that it is of */
/* A hash by folded multiplication: of the product of two words both halves are combined, so that each bit depends on
 * nearly all others (Makarov, mum-hash, 2016; Wang, wyhash, 2019). 16 bytes for each product, and one at the end; the
 * same hash on all processors. Both words of a product are mixed with what depends on `key`, in different ways: while
 * it is secret, no bytes are known to make one of them 0, or to exchange them. */

#ifndef BESPOKE_WIDE
#ifdef __SIZEOF_INT128__
#define BESPOKE_WIDE 1
#else
#define BESPOKE_WIDE 0 /* products are made of four: the same, on any machine */
#endif
#endif

static inline uint64_t bespoke_folded_product(uint64_t a, uint64_t b)
{
#if BESPOKE_WIDE
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    uint64_t low = (a & 0xffffffff) * (b & 0xffffffff);
    uint64_t cross = (a >> 32) * (b & 0xffffffff) + (low >> 32); /* at most 2^64 - 2^32 */
    uint64_t other = (a & 0xffffffff) * (b >> 32) + (cross & 0xffffffff);

    return ((low & 0xffffffff) | other << 32) ^ ((a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32));
#endif
}

/* 4 or 8 bytes, the lowest first: compilers make one load of it. */
static inline uint64_t bespoke_folded_half(const unsigned char *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24;
}

static inline uint64_t bespoke_folded_word(const unsigned char *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

/* The last words overlap, so that none is made byte by byte; the count makes two differ that end alike. */
static inline uint64_t bespoke_folded(uint64_t key, const void *bytes, size_t count)
{
    const unsigned char *at = (const unsigned char *)bytes;
    uint64_t hash = key ^ 0x243f6a8885a308d3u; /* pi */
    uint64_t other = (key ^ count ^ 0x13198a2e03707344u) * 0x9e3779b97f4a7c15u;
    uint64_t first = 0;
    uint64_t last = 0;

    if (count > 16) {
        const unsigned char *end = at + count - 16;

        for (; at < end; at += 16) {
            hash = bespoke_folded_product(bespoke_folded_word(at) ^ hash, bespoke_folded_word(at + 8) ^ other);
        }
        first = bespoke_folded_word(end);
        last = bespoke_folded_word(end + 8);
    } else if (count >= 8) {
        first = bespoke_folded_word(at);
        last = bespoke_folded_word(at + count - 8);
    } else if (count >= 4) {
        first = bespoke_folded_half(at);
        last = bespoke_folded_half(at + count - 4);
    } else if (count > 0) {
        first = (uint64_t)at[0] | (uint64_t)at[count / 2] << 8 | (uint64_t)at[count - 1] << 16;
    }
    return bespoke_folded_product(bespoke_folded_product(first ^ hash, last ^ other), other);
}
#elif BESPOKE_FOLDED < 16
#error "a header before this one has an earlier version of BESPOKE_FOLDED: include this one first"
#endif
