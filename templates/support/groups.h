#ifndef BESPOKE_GROUPS
#define BESPOKE_GROUPS 16 /* the version that it is of */
/* What is done to a hash table in groups beside searching it. */

/* Groups for this many entries: a power of two, in which at most ten of twelve places are taken, or one. */
static inline size_t bespoke_groups_for(size_t entries)
{
    size_t number = 1;

    if (entries > 12) {
        while (number * 10 < entries) {
            number *= 2;
        }
    }
    return number;
}

/* A hash shifted right by this is the group where its way begins: its highest bits, and none for one group. */
static inline uint32_t bespoke_groups_shift(size_t number)
{
    uint32_t shift = 32;

    for (; number > 1; number /= 2) {
        shift--;
    }
    return shift;
}

/* What most calls do not need is in functions of its own, so that the rest is short. */
#ifndef BESPOKE_SELDOM
#if defined(__GNUC__) || defined(__clang__)
#define BESPOKE_SELDOM static __attribute__((__cold__, __noinline__, __unused__))
#else
#define BESPOKE_SELDOM static inline
#endif
#endif

/* One more or less has gone on from a group. */
static inline void bespoke_group_count(struct bespoke_group *group, uint32_t tag, uint32_t change)
{
    uint8_t *count = &group->passed[tag % 4];

    if (*count != UINT8_MAX) {
        *count = (uint8_t)(*count + change);
    }
}

/* Adds an entry whose first group is full. */
BESPOKE_SELDOM void bespoke_groups_put_further(struct bespoke_group *groups, uint32_t shift, uint32_t hash, uint32_t slot)
{
    uint32_t tag = bespoke_groups_tag(hash);
    size_t at = bespoke_groups_home(shift, hash);
    uint32_t free;

    while ((free = bespoke_group_tagged(&groups[at], 0)) == 0) {
        bespoke_group_count(&groups[at], tag, 1);
        at = bespoke_groups_next(shift, tag, at);
    }
    bespoke_group_tag(&groups[at], bespoke_lowest_place(free), tag);
    groups[at].numbers[bespoke_lowest_place(free)] = slot;
}

/* Adds an entry, for which there is a place. */
static inline void bespoke_groups_put(struct bespoke_group *groups, uint32_t shift, uint32_t hash, uint32_t slot)
{
    struct bespoke_group *group = &groups[bespoke_groups_home(shift, hash)];
    uint32_t free = bespoke_group_tagged(group, 0);

    if (free == 0) {
        bespoke_groups_put_further(groups, shift, hash, slot);
        return;
    }
    bespoke_group_tag(group, bespoke_lowest_place(free), bespoke_groups_tag(hash));
    group->numbers[bespoke_lowest_place(free)] = slot;
}

/* Leads a search to an entry. Was it added with this hash? */
static inline bool bespoke_search_to(struct bespoke_search *search, uint32_t slot)
{
    uint32_t found;

    while (bespoke_search_next(search, &found)) {
        if (found == slot) {
            return true;
        }
    }
    return false;
}

/* Leads a search to an entry that was added with another hash, since its key has changed: looks through all groups. */
static inline bool bespoke_search_anywhere(struct bespoke_search *search, uint32_t slot)
{
    for (search->at = 0; search->at < bespoke_groups_number(search->shift); search->at++) {
        const struct bespoke_group *group = &search->groups[search->at];

        for (search->place = 0; search->place < 12; search->place++) {
            if (group->tags[search->place] != 0 && group->numbers[search->place] == slot) {
                return true;
            }
        }
    }
    return false;
}

static inline bool bespoke_groups_has(const struct bespoke_group *groups, uint32_t shift, uint32_t hash, uint32_t slot)
{
    struct bespoke_search search = bespoke_search_for(groups, shift, hash);

    return bespoke_search_to(&search, slot);
}

/* An entry that is not the first with its tag leads to another number from now on. */
BESPOKE_SELDOM void bespoke_groups_lead_further(struct bespoke_group *groups, uint32_t shift, uint32_t hash, uint32_t slot,
                                                uint32_t to)
{
    struct bespoke_search search = bespoke_search_for(groups, shift, hash);

    if (bespoke_search_to(&search, slot) || bespoke_search_anywhere(&search, slot)) {
        groups[search.at].numbers[search.place] = to;
    }
}

/* An entry leads to another number from now on. */
static inline void bespoke_groups_lead(struct bespoke_group *groups, uint32_t shift, uint32_t hash, uint32_t slot, uint32_t to)
{
    struct bespoke_group *group = &groups[bespoke_groups_home(shift, hash)];
    bespoke_fits fits = bespoke_group_fits(group, bespoke_groups_tag(hash));

    if (fits != 0 && group->numbers[bespoke_first_fit(fits)] == slot) {
        group->numbers[bespoke_first_fit(fits)] = to;
    } else {
        bespoke_groups_lead_further(groups, shift, hash, slot, to);
    }
}

/* Removes an entry that is not the first with its tag. */
BESPOKE_SELDOM void bespoke_groups_drop_further(struct bespoke_group *groups, uint32_t shift, uint32_t hash, uint32_t slot)
{
    struct bespoke_search search = bespoke_search_for(groups, shift, hash);

    if (bespoke_search_to(&search, slot)) {
        for (size_t at = bespoke_groups_home(shift, hash); at != search.at; at = bespoke_groups_next(shift, search.tag, at)) {
            bespoke_group_count(&groups[at], search.tag, (uint32_t)-1);
        }
    } else if (!bespoke_search_anywhere(&search, slot)) {
        return;
    }
    bespoke_group_tag(&groups[search.at], search.place, 0);
}

/* Removes an entry. */
static inline void bespoke_groups_drop(struct bespoke_group *groups, uint32_t shift, uint32_t hash, uint32_t slot)
{
    struct bespoke_group *group = &groups[bespoke_groups_home(shift, hash)];
    bespoke_fits fits = bespoke_group_fits(group, bespoke_groups_tag(hash));

    if (fits != 0 && group->numbers[bespoke_first_fit(fits)] == slot) {
        bespoke_group_tag(group, bespoke_first_fit(fits), 0);
    } else {
        bespoke_groups_drop_further(groups, shift, hash, slot);
    }
}
#elif BESPOKE_GROUPS < 16
#error "a header before this one has an earlier version of BESPOKE_GROUPS: include this one first"
#endif
