/* -- T_update, which calls what the program does with each element -- */

static void rp_repeat(const struct rp_op *op);

/* After an operation: are there as many elements as there must be? */
static void rp_counted(const struct rp_list *it, const struct rp_op *op)
{
    const struct rp_kind *kind = it->kind;
    size_t count = kind->count(it->list);

    if (!kind->deferred && (count < it->alive || count > it->alive + it->expired) && !(kind->pointers && !kind->unique)) {
        rp_fail(it, "it has %lu elements, and should have %lu", (unsigned long)count, (unsigned long)it->alive);
    }
    if (op->count != RP_UNKNOWN && count != op->count && !(kind->expires && rp_compares)) {
        rp_fail(it, "it has %lu elements, where the trace has %lu", (unsigned long)count, (unsigned long)op->count);
    }
}

/* The real number that a call is given. */
static double rp_real(const struct rp_op *op)
{
    uint64_t bits = (uint64_t)op->other << 32 | op->key;
    double number = 0;

    bits = bits >> 63 != 0 ? bits ^ (uint64_t)1 << 63 : ~bits;
    memcpy(&number, &bits, sizeof number < sizeof bits ? sizeof number : sizeof bits);
    return number;
}

/* The next operation, if it is a step or the end of this update; else NULL. */
static const struct rp_op *rp_of_update(const struct rp_list *it, const struct rp_pass *pass)
{
    const struct rp_op *op = &rp_ops[rp_next];

    return rp_next < rp_count && it->self == op->list && &it->pass[op->pass] == pass
        && (op->what == RP_STEP || op->what == RP_END) ? op : NULL;
}

/* The update that is under way comes to an element: what was done then is done. */
static void rp_comes_to(struct rp_list *it, uint32_t label, uint32_t key)
{
    struct rp_pass *pass = it->pass;
    const struct rp_op *op;

    while (!pass->open || !pass->updates || pass->number != it->updating) {
        pass++;
    }
    if (pass->credit == 0) {
        op = rp_of_update(it, pass);
        if (op == NULL || op->what != RP_STEP) {
            if (op != NULL && op->status != RP_UNKNOWN) {
                rp_fail(it, "an update comes to more elements than in the trace: element %lu", (unsigned long)label);
            }
            rp_visited(it, pass, label, key);
            return;
        }
        pass->credit = op->count;
        rp_next++;
    }
    rp_visited(it, pass, label, key);
    if (--pass->credit > 0) {
        return;
    }
    while (rp_next < rp_count && rp_of_update(it, pass) == NULL) {
        op = &rp_ops[rp_next++];
        rp_repeat(op);
    }
    rp_before = rp_next;
}

/* It is over. */
static void rp_updated(struct rp_list *it, struct rp_pass *pass)
{
    const struct rp_op *op = rp_of_update(it, pass);

    pass->open = false;
    if (pass->credit > 0 || (op != NULL && op->what == RP_STEP)) {
        if (op != NULL && op->status != RP_UNKNOWN) {
            rp_fail(it, "an update ends %lu elements too early", (unsigned long)(pass->credit > 0 ? pass->credit : op->count));
        }
    }
    if (op != NULL && op->what == RP_END) {
        rp_next++;
        rp_counted(it, op);
    }
}
