#ifndef BESPOKE_GROUPS_SUM
#define BESPOKE_GROUPS_SUM 16 /* the version that it is of */
/* What checks compare: a hash table in groups has the entries that it should have, and nothing else. */

/* The weight of an entry that has gone on from a group; 0 where the group does not count them. */
static inline uint64_t bespoke_group_weight(const struct bespoke_group *groups, size_t at, uint32_t tag)
{
    return groups[at].passed[tag % 4] == UINT8_MAX ? 0 : 8 * (uint64_t)at + 2 * (uint64_t)(tag % 4) + 1;
}

/* What the counts of all groups come to, each with a weight of its own, and their entries: the sum of what each entry
 * has a share of in bespoke_groups_share. */
static inline uint64_t bespoke_groups_sum(const struct bespoke_group *groups, uint32_t shift)
{
    uint64_t sum = 0;

    for (size_t at = 0; at < bespoke_groups_number(shift); at++) {
        uint32_t free = bespoke_group_tagged(&groups[at], 0);

        for (uint32_t tag = 0; tag < 4; tag++) {
            sum += groups[at].passed[tag] * bespoke_group_weight(groups, at, tag);
        }
        for (uint32_t taken = ~free & BESPOKE_GROUP_PLACES; taken != 0; taken &= taken - 1) {
            sum += 0x9e3779b97f4a7c15u;
        }
    }
    return sum;
}

/* What an entry adds to bespoke_groups_sum. Without such an entry, a number that is no part of a sum. */
static inline uint64_t bespoke_groups_share(const struct bespoke_group *groups, uint32_t shift, uint32_t hash, uint32_t slot)
{
    struct bespoke_search search = bespoke_search_for(groups, shift, hash);
    uint64_t share = 0x9e3779b97f4a7c15u;

    if (!bespoke_search_to(&search, slot)) {
        return 0x5851f42d4c957f2du;
    }
    for (size_t at = bespoke_groups_home(shift, hash); at != search.at; at = bespoke_groups_next(shift, search.tag, at)) {
        share += bespoke_group_weight(groups, at, search.tag);
    }
    return share;
}
#elif BESPOKE_GROUPS_SUM < 16
#error "a header before this one has an earlier version of BESPOKE_GROUPS_SUM: include this one first"
#endif
