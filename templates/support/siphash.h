#ifndef BESPOKE_SIPHASH
#define BESPOKE_SIPHASH 16 /* the version that it is of */
/* SipHash-1-3 (Aumasson and Bernstein, SipHash: a fast short-input PRF, 2012): without the key, no bytes can be
 * chosen whose hashes are equal. One round for 8 bytes, three at the end; the same hash on all processors. */

struct bespoke_siphash {
    uint64_t v0, v1, v2, v3; /* as the paper calls them */
};

static inline uint64_t bespoke_siphash_turned(uint64_t word, unsigned bits)
{
    return word << bits | word >> (64 - bits);
}

static inline void bespoke_siphash_round(struct bespoke_siphash *state)
{
    state->v0 += state->v1;
    state->v2 += state->v3;
    state->v1 = bespoke_siphash_turned(state->v1, 13) ^ state->v0;
    state->v3 = bespoke_siphash_turned(state->v3, 16) ^ state->v2;
    state->v0 = bespoke_siphash_turned(state->v0, 32);
    state->v2 += state->v1;
    state->v0 += state->v3;
    state->v1 = bespoke_siphash_turned(state->v1, 17) ^ state->v2;
    state->v3 = bespoke_siphash_turned(state->v3, 21) ^ state->v0;
    state->v2 = bespoke_siphash_turned(state->v2, 32);
}

static inline void bespoke_siphash_take(struct bespoke_siphash *state, uint64_t word)
{
    state->v3 ^= word;
    bespoke_siphash_round(state);
    state->v0 ^= word;
}

/* 8 bytes, the lowest first: compilers make one load of it. */
static inline uint64_t bespoke_siphash_word(const unsigned char *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

static inline uint64_t bespoke_siphash_half(const unsigned char *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24;
}

/* The bytes behind the last whole word, the lowest first: fewer than 8. They are read as a word that begins before them,
 * since no processor can foretell where a loop over them ends. */
static inline uint64_t bespoke_siphash_rest(const unsigned char *at, size_t count)
{
    size_t left = count % 8;

    if (count >= 8) {
        return bespoke_siphash_word(at + count - 8) >> 1 >> (63 - 8 * left);
    }
    if (left >= 4) {
        return bespoke_siphash_half(at) | bespoke_siphash_half(at + left - 4) << 8 * (left - 4);
    }
    if (left > 0) {
        return (uint64_t)at[0] | (uint64_t)at[left / 2] << 8 * (left / 2) | (uint64_t)at[left - 1] << 8 * (left - 1);
    }
    return 0;
}

/* `key` is both halves of the paper's key. */
static inline uint64_t bespoke_siphash13(uint64_t key, const void *bytes, size_t count)
{
    struct bespoke_siphash state;
    const unsigned char *at = (const unsigned char *)bytes;
    uint64_t last = (uint64_t)count << 56 | bespoke_siphash_rest(at, count);

    state.v0 = 0x736f6d6570736575u ^ key;
    state.v1 = 0x646f72616e646f6du ^ key;
    state.v2 = 0x6c7967656e657261u ^ key;
    state.v3 = 0x7465646279746573u ^ key;
    for (; count >= 8; count -= 8, at += 8) {
        bespoke_siphash_take(&state, bespoke_siphash_word(at));
    }
    bespoke_siphash_take(&state, last);
    state.v2 ^= 0xff;
    bespoke_siphash_round(&state);
    bespoke_siphash_round(&state);
    bespoke_siphash_round(&state);
    return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}
#elif BESPOKE_SIPHASH < 16
#error "a header before this one has an earlier version of BESPOKE_SIPHASH: include this one first"
#endif
