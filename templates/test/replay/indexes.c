/* -- named indexes -- */

/* An element with this key in a named index; 0: there is none. */
static uint32_t rp_with_key(const struct rp_list *it, uint32_t index, uint32_t key)
{
    uint32_t at = 0;

    while (at < it->alive && it->more[index][it->dense[at]] != key) {
        at++;
    }
    return at < it->alive ? it->dense[at] : 0;
}

/* An add is to come: does the model expect it to be done? */
static bool rp_may_enter(const struct rp_list *it, const struct rp_op *op)
{
    const struct rp_kind *kind = it->kind;
    uint32_t key = kind->pointers && it->state[op->label] != RP_DEAD ? it->key[op->label] : op->key;
    bool there = kind->unique && (kind->keyed ? rp_find(it, key) != 0 : it->state[op->label] != RP_DEAD);

    for (uint32_t i = 0; i < RP_INDEXES; i++) {
        there = there || (kind->alone[i] && rp_with_key(it, i, op->more[i]) != 0);
    }
    return !there && it->alive < it->limit && (!kind->keyed || key < it->keys);
}

enum { RP_EQUAL, RP_LOWER, RP_UPPER }; /* what is looked for: this key, the least one that is not before it, or is behind it */

/* The key that is to be found; false: there is none. */
static bool rp_key_found(const struct rp_list *it, uint32_t index, uint32_t key, int what, uint32_t *found)
{
    bool any = false;

    for (uint32_t i = 0; i < it->alive; i++) {
        uint32_t other = it->more[index][it->dense[i]];

        if ((what == RP_EQUAL ? other == key : what == RP_LOWER ? other >= key : other > key) && (!any || other < *found)) {
            *found = other;
            any = true;
        }
    }
    return any;
}

/* A look in a named index has come to an element, or to none. */
static void rp_found_by(const struct rp_list *it, const struct rp_op *op, uint32_t index, int what, uint32_t label)
{
    uint32_t key = 0;
    bool any = rp_key_found(it, index, op->more[0], what, &key);

    if (op->status != RP_UNKNOWN && (op->status == RP_OK) != (label != 0)) {
        rp_fail(it, "it finds %s, where the trace has %s", label != 0 ? "an element" : "nothing", rp_word(op->status));
    }
    if (it->kind->deferred || it->expired != 0) {
        return;
    }
    if (any != (label != 0)) {
        rp_fail(it, any ? "it finds nothing, and there is such a key" : "it finds element %lu, and there is no such key",
                (unsigned long)label);
    }
    if (any && (it->state[label] == RP_DEAD || it->more[index][label] != key)) {
        rp_fail(it, "it finds element %lu, which %s", (unsigned long)label,
                it->state[label] == RP_DEAD ? "was removed" : "has another key");
    }
}

/* The key of an element has changed: may it have the new one? */
static bool rp_may_have(const struct rp_list *it, uint32_t index, uint32_t label, uint32_t key)
{
    uint32_t other = it->kind->alone[index] ? rp_with_key(it, index, key) : 0;

    return label != 0 && it->state[label] != RP_DEAD && (other == 0 || other == label);
}

static void rp_rekeyed(struct rp_list *it, const struct rp_op *op, uint32_t index, uint32_t label, uint32_t status, bool may)
{
    rp_returned(it, op, status);
    rp_must(it, status == RP_OK, may,
            may ? "the element is there, and no other has the key" : "it is not there, or another has the key");
    if (status == RP_OK) {
        it->more[index][label] = op->more[0];
        it->changed[label] = it->passes;
        it->changes++;
    }
}
