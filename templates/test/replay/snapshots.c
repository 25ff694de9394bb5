/* -- snapshots -- */

/* An element, as it was. */
struct rp_kept {
    uint32_t label, key, place, rank, more[RP_INDEXES];
    unsigned char state;
    struct rp_handle handle;
};

/* What a container has copied to an address of the program. */
struct rp_snapshot {
    uint32_t address;
    void *bytes;
    size_t size, limit, keys;
    struct rp_kept *kept;
    uint32_t number, expired;
    bool rekeyed;
};

/* That at an address; NULL: there is none, or, if it is to be `made`, it is there now. */
static struct rp_snapshot *rp_snapshot_at(struct rp_list *it, uint32_t address, bool made)
{
    uint32_t at = 0;

    while (at < it->snapshots && it->snapshot[at].address != address) {
        at++;
    }
    if (at == it->snapshots && made) {
        it->snapshot = (struct rp_snapshot *)rp_room(it->snapshot, ++it->snapshots, sizeof *it->snapshot);
        memset(&it->snapshot[at], 0, sizeof *it->snapshot);
        it->snapshot[at].address = address;
    }
    return at < it->snapshots ? &it->snapshot[at] : NULL;
}

static void *rp_snapshot_room(struct rp_snapshot *snapshot, size_t size)
{
    if (size > snapshot->size) {
        snapshot->bytes = rp_room(snapshot->bytes, size, 1);
        snapshot->size = size;
    }
    return snapshot->bytes;
}

/* The model as it is now. */
static void rp_kept(const struct rp_list *it, struct rp_snapshot *snapshot)
{
    snapshot->kept = (struct rp_kept *)rp_room(snapshot->kept, it->alive + it->expired + (size_t)1, sizeof *snapshot->kept);
    snapshot->number = 0;
    snapshot->expired = it->expired;
    snapshot->rekeyed = it->rekeyed;
    snapshot->limit = it->limit;
    snapshot->keys = it->keys;
    for (uint32_t i = 0; i < (it->expired != 0 ? it->labels : it->alive); i++) {
        uint32_t label = it->expired != 0 ? i : it->dense[i];
        struct rp_kept *kept = &snapshot->kept[snapshot->number];

        if (it->state[label] == RP_DEAD) {
            continue;
        }
        kept->label = label;
        kept->key = it->key[label];
        kept->place = it->place[label];
        kept->rank = it->rank[label];
        kept->state = it->state[label];
        kept->handle = it->handle[label];
        for (uint32_t index = 0; index < RP_INDEXES; index++) {
            kept->more[index] = it->more[index][label];
        }
        snapshot->number++;
    }
}

/* The model as it was then; `handles`: it has them. */
static void rp_went_back(struct rp_list *it, const struct rp_snapshot *snapshot, bool handles)
{
    rp_emptied(it, false);
    it->changes++;
    it->returned = true;
    it->rekeyed = it->rekeyed || snapshot->rekeyed;
    it->limit = snapshot->limit;
    it->keys = snapshot->keys;
    for (uint32_t i = 0; i < RP_PASSES; i++) {
        it->pass[i].open = false;
    }
    for (uint32_t i = 0; i < snapshot->number; i++) {
        const struct rp_kept *kept = &snapshot->kept[i];
        uint32_t label = kept->label;

        it->key[label] = kept->key;
        rp_entered(it, label);
        it->place[label] = kept->place;
        it->rank[label] = kept->rank;
        for (uint32_t index = 0; index < RP_INDEXES; index++) {
            it->more[index][label] = kept->more[index];
        }
        if (handles) {
            rp_keep_handle(it, label, kept->handle.index, kept->handle.generation);
        }
        if (kept->state == RP_EXPIRED) {
            rp_expires(it, label);
        }
    }
}
