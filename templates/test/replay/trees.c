/* -- trees: an element is before those below it, and these are before the next one beside it -- */

/* The next element in this order of those below `top`, whose label may be 0; 0: there is none. */
static uint32_t rp_below(const struct rp_list *it, uint32_t top, uint32_t label)
{
    if (it->tree[label].first != 0) {
        return it->tree[label].first;
    }
    while (label != top && it->tree[label].after == 0) {
        label = it->tree[label].up;
    }
    return label == top ? 0 : it->tree[label].after;
}

/* Is an element this one, or below it? */
static bool rp_is_below(const struct rp_list *it, uint32_t label, uint32_t top)
{
    while (label != 0 && label != top) {
        label = it->tree[label].up;
    }
    return label == top;
}

/* The one before it in this order; 0: there is none. */
static uint32_t rp_ahead_of(const struct rp_list *it, uint32_t label)
{
    uint32_t before = it->tree[label].before;

    if (before == 0) {
        return it->tree[label].up;
    }
    while (it->tree[before].last != 0) {
        before = it->tree[before].last;
    }
    return before;
}

/* The one behind it and all that is below it. */
static uint32_t rp_behind_all(const struct rp_list *it, uint32_t label)
{
    while (label != 0 && it->tree[label].after == 0) {
        label = it->tree[label].up;
    }
    return it->tree[label].after;
}

static void rp_unhang(struct rp_list *it, uint32_t label)
{
    struct rp_place *tree = it->tree, *place = &tree[label];

    if (!place->hangs) {
        return;
    }
    *(place->before != 0 ? &tree[place->before].after : &tree[place->up].first) = place->after;
    *(place->after != 0 ? &tree[place->after].before : &tree[place->up].last) = place->before;
    place->hangs = false;
    place->up = place->before = place->after = 0;
    it->stirred = true;
}

/* It is below `up` from now on, before `after`; 0: as the last one. */
static void rp_hang(struct rp_list *it, uint32_t label, uint32_t up, uint32_t after)
{
    struct rp_place *tree = it->tree, *place = &tree[label];

    rp_unhang(it, label);
    place->up = up;
    place->after = after;
    place->before = after != 0 ? tree[after].before : tree[up].last;
    *(place->before != 0 ? &tree[place->before].after : &tree[up].first) = label;
    *(after != 0 ? &tree[after].before : &tree[up].last) = label;
    place->hangs = true;
    it->stirred = true;
}

/* Passes that stand on what is no longer there stand on what is before it, in their direction. */
static void rp_steps_back(struct rp_list *it, uint32_t label, bool moved)
{
    for (uint32_t i = 0; i < RP_PASSES; i++) {
        struct rp_pass *pass = &it->pass[i];

        if (pass->open && pass->stands != 0 && pass->stands != RP_UNKNOWN && rp_is_below(it, pass->stands, label)) {
            pass->stands = moved ? RP_UNKNOWN : pass->backward ? rp_behind_all(it, label) : rp_ahead_of(it, label);
        }
    }
}

/* What is below it hangs nowhere from now on; `leaves`: it leaves, too. */
static void rp_empty_below(struct rp_list *it, uint32_t label, bool leaves)
{
    while (it->tree[label].last != 0) {
        uint32_t each = label;

        while (it->tree[each].last != 0) {
            each = it->tree[each].last;
        }
        rp_unhang(it, each);
        if (leaves && it->state[each] != RP_DEAD) {
            rp_left(it, each);
        }
    }
}

/* It leaves with all that is below it. */
static void rp_fell(struct rp_list *it, uint32_t label)
{
    rp_steps_back(it, label, false);
    rp_empty_below(it, label, true);
    rp_unhang(it, label);
    rp_left(it, label);
}

/* It is new, as the last one at the top. */
static void rp_rises(struct rp_list *it, uint32_t label)
{
    rp_empty_below(it, label, false);
    rp_hang(it, label, 0, 0);
}

/* Where an element is put, seen from another one, or of all if that is 0. */
enum { RP_CHILD, RP_BEFORE, RP_AFTER, RP_FRONT, RP_BACK };

/* An element was put there; below what has expired it may leave with that. */
static void rp_put(struct rp_list *it, uint32_t label, uint32_t to, int where)
{
    const struct rp_place *tree = it->tree;
    uint32_t up = where == RP_CHILD ? to : tree[where >= RP_FRONT ? label : to].up, after = 0;

    if (where == RP_FRONT || (where == RP_BEFORE && to == 0)) {
        after = tree[up].first;
    } else if (where == RP_BEFORE) {
        after = to;
    } else if (where == RP_AFTER && to != 0) {
        after = tree[to].after;
    }
    rp_hang(it, label, up, after == label ? tree[label].after : after);
    for (uint32_t each = up != 0 && it->state[up] != RP_ALIVE ? label : 0; each != 0; each = rp_below(it, label, each)) {
        rp_lapses(it, each, RP_BELOW);
    }
}

/* An add beside or beneath an element has returned. */
static void rp_put_returned(struct rp_list *it, const struct rp_op *op, uint32_t status, bool may, uint32_t to, int where)
{
    bool is_new = it->state[op->label] != RP_ALIVE;

    rp_add_returned(it, op, status, may && (to == 0 || it->state[to] != RP_DEAD));
    if (status == RP_OK && is_new) {
        rp_put(it, op->label, to, where);
    }
}

/* A subtree was moved: for passes it was removed and added. */
static void rp_moved(struct rp_list *it, const struct rp_op *op, uint32_t status, uint32_t label, uint32_t to, int where)
{
    rp_returned(it, op, status);
    if (status != RP_OK || label == 0 || it->state[label] == RP_DEAD) {
        return;
    }
    rp_steps_back(it, label, true);
    rp_put(it, label, to, where);
    it->place[label] = ++it->added;
    for (uint32_t each = rp_below(it, label, label); each != 0; each = rp_below(it, label, each)) {
        it->place[each] = it->added;
    }
}

/* A pass has come to an element: is it behind the one before? */
static void rp_steps_on(struct rp_list *it, struct rp_pass *pass, uint32_t label)
{
    uint32_t stands = pass->stands, number = 0;

    for (uint32_t each = it->stirred ? it->tree[0].first : 0; each != 0; each = rp_below(it, 0, each)) {
        it->rank[each] = ++number;
    }
    it->stirred = false;
    if (stands != 0 && stands != RP_UNKNOWN
        && (pass->backward ? it->rank[label] >= it->rank[stands] : it->rank[label] <= it->rank[stands])) {
        rp_fail(it, "a pass visits element %lu of a tree, which is not behind element %lu", (unsigned long)label,
                (unsigned long)stands);
    }
    if (stands != RP_UNKNOWN) {
        pass->stands = label;
    }
}
