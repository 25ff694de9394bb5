/* -- values that only some elements have -- */

/* Those of one name, which a container has beside it: each is the number of the call that set it. */
struct rp_side {
    uint32_t *value, *since; /* by label: 0: it has none; when it got one: it may have been set again */
    uint32_t number, sets;   /* how many there are; calls */
};

static void rp_make_sides(struct rp_list *it)
{
    it->side = (struct rp_side *)calloc(it->kind->sides + (size_t)1, sizeof *it->side);
}

static void rp_beside_room(struct rp_list *it, uint32_t before, uint32_t labels)
{
    for (uint32_t i = 0; i < it->kind->sides; i++) {
        struct rp_side *side = &it->side[i];

        side->value = (uint32_t *)rp_room(side->value, labels, sizeof *side->value);
        side->since = (uint32_t *)rp_room(side->since, labels, sizeof *side->since);
        memset(side->value + before, 0, (labels - before) * sizeof *side->value);
    }
}

/* An element has such a value no more. Loops that do not stand on it may end. */
static void rp_bared(struct rp_list *it, uint32_t number, uint32_t label)
{
    struct rp_side *side = &it->side[number];

    if (side->value[label] == 0) {
        return;
    }
    side->value[label] = 0;
    side->number--;
    for (struct rp_pass *pass = it->pass; pass < it->pass + RP_PASSES; pass++) {
        if (pass->way == RP_SIDE && pass->index == number) {
            pass->loose = pass->loose || pass->bared || pass->current != label;
            pass->bared = true;
        }
    }
}

/* It has none at all. */
static void rp_bares(struct rp_list *it, uint32_t label)
{
    for (uint32_t i = 0; i < it->kind->sides; i++) {
        rp_bared(it, i, label);
    }
}

static void rp_set_beside(struct rp_list *it, const struct rp_op *op, uint32_t number, uint32_t status, uint32_t label)
{
    struct rp_side *side = &it->side[number];
    bool there = label != 0 && it->state[label] != RP_DEAD;

    rp_returned(it, op, status);
    rp_must(it, status == RP_OK, there, there ? "the element is there" : "there is no such element");
    if (status == RP_OK) {
        side->sets++;
    }
    if (status == RP_OK && there) {
        if (side->value[label] == 0) {
            side->since[label] = side->sets;
            side->number++;
        }
        side->value[label] = side->sets;
    }
}

static void rp_removed_beside(struct rp_list *it, const struct rp_op *op, uint32_t number, uint32_t status, uint32_t label)
{
    bool there = label != 0 && it->state[label] != RP_DEAD && it->side[number].value[label] != 0;

    rp_returned(it, op, status);
    rp_must(it, status == RP_OK, there, there ? "the element has such a value" : "there is no such value");
    if (status == RP_OK && there) {
        rp_bared(it, number, label);
    }
}

/* An element has this value; 0: none. */
static void rp_is_beside(const struct rp_list *it, uint32_t number, uint32_t label, uint32_t value)
{
    uint32_t wanted = it->side[number].value[label];

    if (value != wanted && !it->kind->deferred) {
        rp_fail(it, "element %lu has value %lu beside it, not value %lu", (unsigned long)label, (unsigned long)value,
                (unsigned long)wanted);
    }
}

static void rp_counted_beside(const struct rp_list *it, uint32_t number, size_t count)
{
    if (count != it->side[number].number && !it->kind->deferred) {
        rp_fail(it, "%lu elements have a value beside them, and %lu should", (unsigned long)count,
                (unsigned long)it->side[number].number);
    }
}

/* -- loops over them -- */

static void rp_began_beside(struct rp_list *it, const struct rp_op *op, uint32_t number)
{
    struct rp_pass *pass = &it->pass[op->pass];

    rp_began(it, op, true, true, false);
    pass->way = RP_SIDE;
    pass->index = number;
    pass->born = it->side[number].sets;
    pass->loose = pass->bared = false;
}

/* A loop comes to a value. */
static void rp_comes_beside(struct rp_list *it, struct rp_pass *pass, uint32_t label, uint32_t value)
{
    pass->current = label;
    pass->bared = false;
    rp_saw(it, label);
    if (it->kind->deferred) {
        return;
    }
    if (label == 0 || label >= it->labels || it->side[pass->index].value[label] == 0) {
        rp_fail(it, "a loop comes to value %lu of element %lu, which has none", (unsigned long)value, (unsigned long)label);
    }
    rp_is_beside(it, pass->index, label, value);
    if (pass->stamp[label] == pass->number || it->side[pass->index].since[label] > pass->born) {
        rp_fail(it, "a loop comes to the value of element %lu, %s", (unsigned long)label,
                pass->stamp[label] == pass->number ? "a second time" : "which was set during it");
    }
    pass->stamp[label] = pass->number;
}

static void rp_whole_beside(const struct rp_list *it, const struct rp_pass *pass)
{
    const struct rp_side *side = &it->side[pass->index];

    for (uint32_t i = 0; !pass->loose && !it->kind->deferred && i < it->alive; i++) {
        uint32_t label = it->dense[i];

        if (side->value[label] != 0 && side->since[label] <= pass->born && pass->stamp[label] != pass->number) {
            rp_fail(it, "a loop ends and has not come to the value of element %lu", (unsigned long)label);
        }
    }
}
