#ifndef BESPOKE_SEARCH
#define BESPOKE_SEARCH 16 /* the version that it is of */
/* A hash table that leads to numbers, in groups of 64 bytes: 12 numbers, and a tag of 8 bits for each, of which a
 * search compares 12 at a time (Bronson and Shi, Open-sourcing F14 for faster, more memory-efficient hash tables,
 * 2019). An entry lies in the first group of its way that had a free place; each group counts those that went on
 * from it, apart for each of four classes of tags, so that a search knows where it ends, and nothing is left of an entry
 * that was removed. A count that has come to 255 counts no more: what is chosen to meet has such counts, nothing else has.
 * It compares no keys: a search returns those numbers whose tag fits, and the caller looks. */

#ifndef BESPOKE_VECTORS
#define BESPOKE_VECTORS 1 /* 0: groups are searched in words of 64 bits: the same table, on any machine */
#endif

/* Of a function that only reads: what was read before a call of it is not read again behind it. With checks it reports, too. */
#ifndef BESPOKE_PURE
#if (defined(__GNUC__) || defined(__clang__)) && !(defined(BESPOKE_CHECKS) && BESPOKE_CHECKS)
#define BESPOKE_PURE __attribute__((__pure__))
#else
#define BESPOKE_PURE
#endif
#endif

#define BESPOKE_GROUP_PLACES 0xfffu

static inline size_t bespoke_groups_number(uint32_t shift)
{
    return (size_t)1 << (32 - shift);
}

/* Drawn, and kept for how evenly it spreads multiples, addresses and floating-point numbers. */
#define BESPOKE_MULTIPLIER 0x6a30dc8943d78b51u

/* The hash of a number: the upper half is folded into the lower one, then all bits reach the highest bits of the product
 * (Knuth, TAOCP 6.4). With a secret odd multiplier, which keys meet is secret too. */
static inline uint32_t bespoke_spread(uint64_t key, uint64_t multiplier)
{
    return (uint32_t)((key ^ key >> 32) * multiplier >> 32);
}

/* The lowest place of a group that is set; there is one. */
static inline uint32_t bespoke_lowest_place(uint32_t bits)
{
#if defined(__GNUC__) || defined(__clang__)
    return (uint32_t)__builtin_ctz(bits);
#else
    return (uint32_t)bespoke_lowest_bit(bits);
#endif
}

static inline size_t bespoke_groups_home(uint32_t shift, uint32_t hash) { return (size_t)((uint64_t)hash >> shift); }

/* The lowest 8 bits, or 1 for none. Of a byte that is 0 compilers make a carry. */
static inline uint32_t bespoke_groups_tag(uint32_t hash)
{
    uint8_t tag = (uint8_t)hash;

    return (uint32_t)tag + (tag == 0 ? 1 : 0);
}

/* Have entries gone on from a group whose tags are of the class of this one? */
static inline bool bespoke_group_passed(const struct bespoke_group *group, uint32_t tag)
{
    return group->passed[tag % 4] != 0;
}

/* The next group on the way of a tag, which leads through all of them: the number is even, or one. */
static inline size_t bespoke_groups_next(uint32_t shift, uint32_t tag, size_t at)
{
    return (at + 2 * (size_t)tag + 1) & (bespoke_groups_number(shift) - 1);
}

/* bespoke_group_tagged: bit i is set if place i of a group has this tag. bespoke_group_fits is a first look: 0 if no place
 * has it; else bespoke_first_fit is one that does; what else it has may be wrong. */
#if BESPOKE_VECTORS && defined(__SSE2__) && (defined(__GNUC__) || defined(__clang__))
typedef char bespoke_tags __attribute__((__vector_size__(16)));
typedef int bespoke_tags_by_four __attribute__((__vector_size__(16)));

static inline uint32_t bespoke_group_tagged(const struct bespoke_group *group, uint32_t tag)
{
    int four = (int)(tag * 0x01010101u);
    bespoke_tags_by_four all = {four, four, four, four};
    bespoke_tags tags;

    __builtin_memcpy(&tags, group, sizeof tags);
    return (uint32_t)__builtin_ia32_pmovmskb128((bespoke_tags)(tags == (bespoke_tags)all)) & BESPOKE_GROUP_PLACES;
}

/* Takes the tag away again, if `tag` is 0; else the place is free. As a whole: a load of 16 bytes behind a store of one of
 * them would wait until that is in the cache. */
static inline void bespoke_group_tag(struct bespoke_group *group, uint32_t place, uint32_t tag)
{
    static const unsigned char window[31] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff};
    int four = (int)(tag * 0x01010101u);
    bespoke_tags_by_four all = {four, four, four, four};
    bespoke_tags tags, here;

    __builtin_memcpy(&tags, group, sizeof tags);
    __builtin_memcpy(&here, window + 15 - place, sizeof here);
    tags = tag == 0 ? tags & ~here : tags | ((bespoke_tags)all & here);
    __builtin_memcpy(group, &tags, sizeof tags);
}
#define BESPOKE_FITS_IN_PLACES
#elif BESPOKE_VECTORS && defined(__ARM_NEON) && !defined(__ARM_BIG_ENDIAN) && (defined(__GNUC__) || defined(__clang__))
typedef unsigned char bespoke_tags __attribute__((__vector_size__(16)));
typedef uint64_t bespoke_tag_words __attribute__((__vector_size__(16)));

static inline uint32_t bespoke_group_tagged(const struct bespoke_group *group, uint32_t tag)
{
    unsigned char one = (unsigned char)tag;
    bespoke_tags all = {one, one, one, one, one, one, one, one, one, one, one, one, one, one, one, one};
    bespoke_tags bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 0, 0, 0, 0};
    bespoke_tags tags;
    bespoke_tag_words words;

    __builtin_memcpy(&tags, group, sizeof tags);
    words = (bespoke_tag_words)((bespoke_tags)(tags == all) & bits) * 0x0101010101010101u; /* the highest byte is their sum */
    return (uint32_t)(words[0] >> 56) | (uint32_t)(words[1] >> 56) << 8;
}

static inline void bespoke_group_tag(struct bespoke_group *group, uint32_t place, uint32_t tag)
{
    group->tags[place] = (uint8_t)tag;
}
#define BESPOKE_FITS_IN_PLACES
#else
/* 8 tags, the first of them lowest: compilers make one load of it. */
static inline uint64_t bespoke_tags_word(const uint8_t *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

/* 4 tags, the first of them lowest. */
static inline uint32_t bespoke_tags_half(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Bit i: byte i of a word is 0. No carry goes beyond its byte, and no two bits of the product meet. */
static inline uint32_t bespoke_zero_bytes(uint64_t word)
{
    uint64_t low = 0x7f7f7f7f7f7f7f7fu;

    word = ~(((word & low) + low) | word | low);
    return (uint32_t)((word >> 7) * 0x0102040810204080u >> 56);
}

static inline uint32_t bespoke_group_tagged(const struct bespoke_group *group, uint32_t tag)
{
    uint64_t all = tag * 0x0101010101010101u;

    return bespoke_zero_bytes(bespoke_tags_word(group->tags) ^ all) |
           bespoke_zero_bytes(bespoke_tags_word(group->tags + 4) ^ all) << 4;
}

typedef uint64_t bespoke_fits;

/* Bit 8 i is place i, bit 8 i + 1 place 8 + i. A borrow comes from a byte that is 0, and goes to those above it: the lowest
 * bit is right. */
static inline bespoke_fits bespoke_group_fits(const struct bespoke_group *group, uint32_t tag)
{
    uint64_t all = tag * 0x0101010101010101u;
    uint64_t word = bespoke_tags_word(group->tags) ^ all;
    uint32_t half = bespoke_tags_half(group->tags + 8) ^ (uint32_t)all;

    word = (word - 0x0101010101010101u) & ~word & 0x8080808080808080u;
    half = (half - 0x01010101u) & ~half & 0x80808080u;
    return word >> 7 | half >> 6;
}

static inline uint32_t bespoke_first_fit(bespoke_fits fits)
{
    uint32_t bit = (uint32_t)bespoke_lowest_bit(fits);

    return bit / 8 + bit % 2 * 8;
}

static inline void bespoke_group_tag(struct bespoke_group *group, uint32_t place, uint32_t tag)
{
    group->tags[place] = (uint8_t)tag;
}
#endif

#ifdef BESPOKE_FITS_IN_PLACES
typedef uint32_t bespoke_fits;

static inline bespoke_fits bespoke_group_fits(const struct bespoke_group *group, uint32_t tag)
{
    return bespoke_group_tagged(group, tag);
}

static inline uint32_t bespoke_first_fit(bespoke_fits fits)
{
    return bespoke_lowest_place(fits);
}
#endif

/* A search for a hash. */
struct bespoke_search {
    const struct bespoke_group *groups;
    size_t at; /* where it is */
    uint32_t shift;
    uint32_t tag;
    uint32_t tagged; /* places there that have the tag and are still to be looked at */
    uint32_t place;  /* the one that was found last */
    size_t left;     /* groups that it has not come to */
};

static inline struct bespoke_search bespoke_search_for(const struct bespoke_group *groups, uint32_t shift, uint32_t hash)
{
    struct bespoke_search search;

    search.groups = groups;
    search.at = bespoke_groups_home(shift, hash);
    search.shift = shift;
    search.tag = bespoke_groups_tag(hash);
    search.tagged = bespoke_group_tagged(&groups[search.at], search.tag);
    search.place = 0;
    search.left = bespoke_groups_number(shift);
    return search;
}

/* The next number whose tag fits, if there is one. */
static inline bool bespoke_search_next(struct bespoke_search *search, uint32_t *slot)
{
    while (search->tagged == 0) {
        if (!bespoke_group_passed(&search->groups[search->at], search->tag) || --search->left == 0) {
            return false;
        }
        search->at = bespoke_groups_next(search->shift, search->tag, search->at);
        search->tagged = bespoke_group_tagged(&search->groups[search->at], search->tag);
    }
    search->place = bespoke_lowest_place(search->tagged);
    search->tagged &= search->tagged - 1;
    *slot = search->groups[search->at].numbers[search->place];
    return true;
}
#elif BESPOKE_SEARCH < 16
#error "a header before this one has an earlier version of BESPOKE_SEARCH: include this one first"
#endif
