/* -- what has changed since a version -- */

enum { RP_ADDED, RP_MARKED, RP_REMOVED };

/* A loop over it begins. */
static void rp_began_since(struct rp_list *it, const struct rp_op *op, bool begun)
{
    struct rp_pass *pass = &it->pass[op->pass];

    rp_began(it, op, begun, true, false);
    pass->way = RP_CHANGES;
    pass->since = pass->version = (uint64_t)op->other << 32 | op->key;
    pass->changes = it->changes;
}

/* Is it known what it must report? Not when the container was changed since it began. */
static bool rp_is_noted(const struct rp_list *it, const struct rp_pass *pass)
{
    return !it->kind->deferred && !it->returned && it->expired == 0 && it->changes == pass->changes;
}

static void rp_marked(struct rp_list *it, const struct rp_op *op, uint32_t status, uint32_t label)
{
    rp_returned(it, op, status);
    if (status == RP_OK && label != 0) {
        it->noted[label] = it->kind->version(it->list);
        it->changes++;
    }
}

/* It has come to a change, of an element or, with label 0, of one that was removed. */
static void rp_changed(struct rp_list *it, struct rp_pass *pass, uint32_t label, int what, uint64_t version)
{
    rp_saw(it, label);
    pass->current = label;
    if (version <= pass->version) {
        rp_fail(it, "a change comes after a later one, or was before the version");
    }
    pass->version = version;
    if (!rp_is_noted(it, pass)) {
        return;
    }
    if ((label == 0) != (what == RP_REMOVED) || (label != 0 && it->state[label] != RP_ALIVE)) {
        rp_fail(it, "a change of element %lu is reported, which is %s", (unsigned long)label,
                label == 0 ? "none" : "not there");
    }
    if (label != 0 && (it->noted[label] != version || (it->came[label] > pass->since) != (what == RP_ADDED))) {
        rp_fail(it, "element %lu is reported as %s in version %lu", (unsigned long)label, what == RP_ADDED ? "added" : "marked",
                (unsigned long)version);
    }
    pass->stamp[label] = pass->number;
}

/* It is over: what is there and has changed since must have been reported. */
static void rp_whole_since(const struct rp_list *it, const struct rp_pass *pass)
{
    for (uint32_t i = 0; rp_is_noted(it, pass) && i < it->alive; i++) {
        uint32_t label = it->dense[i];

        if (it->noted[label] > pass->since && pass->stamp[label] != pass->number) {
            rp_fail(it, "a change of element %lu is not reported", (unsigned long)label);
        }
    }
}
