/* -- passes -- */

static void rp_whole_since(const struct rp_list *it, const struct rp_pass *pass);
static void rp_whole_beside(const struct rp_list *it, const struct rp_pass *pass);

static void rp_began(struct rp_list *it, const struct rp_op *op, bool begun, bool reads, bool backward)
{
    struct rp_pass *pass = &it->pass[op->pass];

    rp_label(it, 1);
    pass->open = begun;
    pass->reads = reads;
    pass->backward = backward;
    pass->number = ++it->passes;
    pass->current = 0;
    pass->born = it->added;
    pass->last = pass->rank = backward ? UINT32_MAX : 0;
    pass->updates = false;
    pass->credit = 0;
    pass->way = RP_ALL;
    pass->first = pass->outer = 0;
    pass->awaited = false;
    pass->stands = pass->at = 0;
    pass->visible = false;
}

/* It begins at an element; 0: there is none, and it begins at the end; RP_UNKNOWN: it is not known which. */
static void rp_began_at(const struct rp_list *it, struct rp_pass *pass, uint32_t label)
{
    pass->way = RP_PART;
    pass->first = label == RP_UNKNOWN || it->state[label] == RP_ALIVE ? label : it->state[label] > RP_ALIVE ? RP_UNKNOWN : 0;
    pass->awaited = true;
}

/* It is to visit what another one has still to visit. */
static void rp_began_after(const struct rp_list *it, struct rp_pass *pass, const struct rp_pass *outer)
{
    pass->backward = outer->backward;
    pass->born = outer->born;
    pass->way = outer->way == RP_ALL ? RP_ALL : RP_PART;
    pass->first = RP_UNKNOWN;
    pass->last = outer->last;
    pass->rank = outer->rank;
    pass->stands = outer->stands;
    for (uint32_t i = 0; i < it->alive && outer->way == RP_ALL; i++) {
        uint32_t label = it->dense[i];

        if (outer->stamp[label] == outer->number && it->place[label] <= outer->born) {
            pass->stamp[label] = pass->number; /* it is as if this one had visited it */
        }
    }
}

/* It is over what a named index has with keys from `low` to `high`. */
static void rp_began_in(const struct rp_list *it, struct rp_pass *pass, int way, uint32_t index, uint32_t low, uint32_t high)
{
    pass->way = way;
    pass->index = index;
    pass->low = low;
    pass->high = high;
    pass->changes = it->changes;
}

/* Is an element behind what has this rank and this place? */
static bool rp_is_behind(const struct rp_list *it, uint32_t label, uint32_t rank, uint32_t place, bool backward)
{
    if (it->rank[label] != rank) {
        return (it->rank[label] > rank) != backward;
    }
    return !it->kind->stable || it->rekeyed || (it->place[label] != place && (it->place[label] > place) != backward);
}

/* The same, and not because nothing is known of elements that are equal. */
static bool rp_is_surely_behind(const struct rp_list *it, uint32_t label, uint32_t other, bool backward)
{
    if (it->rank[label] != it->rank[other]) {
        return (it->rank[label] > it->rank[other]) != backward;
    }
    return it->kind->stable && !it->rekeyed && label != other && (it->place[label] > it->place[other]) != backward;
}

/* What any pass comes to: is it an element that is there? False: nothing more is known of it. */
static bool rp_comes(const struct rp_list *it, const struct rp_pass *pass, uint32_t label, uint32_t key)
{
    const struct rp_kind *kind = it->kind;

    if (label == 0 || label >= it->labels || it->key[label] != key) {
        rp_fail(it, "a pass visits what is no element: its content is that of none");
    }
    if (kind->deferred || (pass->way == RP_RANGE && kind->expires)) {
        return false;
    }
    if (it->state[label] == RP_DEAD || (it->state[label] == RP_EXPIRED && (kind->asks || !pass->updates))) {
        rp_fail(it, "a pass visits element %lu, which %s", (unsigned long)label,
                it->state[label] == RP_DEAD ? "was removed" : "has expired");
    }
    return !kind->pointers || kind->unique; /* else it may be there several times */
}

/* A pass comes to the element at which it begins, or, if that was removed, to one behind it. */
static void rp_comes_first(const struct rp_list *it, struct rp_pass *pass, uint32_t label)
{
    uint32_t first = pass->first;

    pass->awaited = false;
    if (first == RP_UNKNOWN) {
        pass->first = label;
    } else if (first == 0 ? it->place[label] <= pass->born
                          : label != first && it->state[first] == RP_ALIVE && it->place[first] <= pass->born) {
        rp_fail(it,
                first == 0 ? "a pass that begins at the end visits element %lu"
                           : "a pass begins at element %lu, not at element %lu",
                (unsigned long)label, (unsigned long)first);
    }
}

/* Is this key one of those that it goes over? */
static bool rp_is_in(const struct rp_list *it, const struct rp_pass *pass, uint32_t label)
{
    uint32_t key = it->more[pass->index][label];

    return key >= pass->low && key <= pass->high;
}

/* A pass over what a named index has comes to an element. */
static void rp_comes_by_key(const struct rp_list *it, struct rp_pass *pass, uint32_t label)
{
    uint32_t key = it->more[pass->index][label];

    if (!rp_is_in(it, pass, label)) {
        rp_fail(it, "a pass visits element %lu, whose key in the index is none of those that it goes over", (unsigned long)label);
    }
    if (pass->backward ? key > pass->rank : key < pass->rank) {
        rp_fail(it, "a pass visits element %lu, whose key in the index is not behind that of the one before",
                (unsigned long)label);
    }
    if (pass->stamp[label] == pass->number && it->place[label] <= pass->born && it->changed[label] < pass->number) {
        rp_fail(it, "a pass visits element %lu a second time", (unsigned long)label);
    }
    pass->stamp[label] = pass->number;
    pass->rank = key;
}

/* It has come to an element, which must be one that is there, and that it has not visited. */
static void rp_visited(struct rp_list *it, struct rp_pass *pass, uint32_t label, uint32_t key)
{
    const struct rp_kind *kind = it->kind;
    bool known = rp_comes(it, pass, label, key);

    pass->current = label;
    rp_saw(it, label);
    if (!known) {
        return;
    }
    if (pass->way == RP_SCAN || pass->way == RP_RANGE) {
        rp_comes_by_key(it, pass, label);
        return;
    }
    if (pass->awaited) {
        rp_comes_first(it, pass, label);
    }
    if (pass->stamp[label] == pass->number && it->place[label] <= pass->born) {
        rp_fail(it, "a pass visits element %lu a second time", (unsigned long)label);
    }
    pass->stamp[label] = pass->number;
    if (kind->adds_later && it->place[label] > pass->born) {
        rp_fail(it, "a pass visits element %lu, which was added during it", (unsigned long)label);
    }
    if (kind->ordered && !rp_is_behind(it, label, pass->rank, pass->last, pass->backward)) {
        rp_fail(it, "a pass visits element %lu, which is not behind the one before in the order", (unsigned long)label);
    }
    if (kind->tree) {
        rp_steps_on(it, pass, label);
    }
    pass->last = it->place[label];
    pass->rank = it->rank[label];
}

/* -- what is taken -- */

/* An element was taken that must be the first one, or the last. */
static void rp_was_at_end(const struct rp_list *it, uint32_t label, bool last)
{
    bool known = label != 0 && !it->kind->deferred && (it->kind->ordered || it->kind->sorted);

    for (uint32_t i = 0; known && i < it->alive; i++) {
        uint32_t other = it->dense[i];
        bool equal = it->rank[other] == it->rank[label];

        if (equal ? it->kind->stable && !it->rekeyed && it->place[other] != it->place[label]
                        && (it->place[other] > it->place[label]) == last
                  : (it->rank[other] > it->rank[label]) == last) {
            rp_fail(it, last ? "it takes element %lu as the last one, and element %lu is behind it"
                             : "it takes element %lu as the first one, and element %lu is before it",
                    (unsigned long)label, (unsigned long)other);
        }
    }
}

/* An element was handed over. */
static void rp_took(const struct rp_list *it, uint32_t label, uint32_t taken)
{
    if (label != 0 && label != taken) {
        rp_fail(it, "it hands over element %lu, not element %lu", (unsigned long)taken, (unsigned long)label);
    }
}

/* -- passes over pairs -- */

/* Is an element one that a pass over pairs must have made pairs of? */
static bool rp_pairs_with(const struct rp_list *it, const struct rp_pass *pass, uint32_t label)
{
    return it->state[label] == RP_ALIVE && it->place[label] <= pass->born && pass->outers[label] != pass->number;
}

/* There are no more pairs with the first element that it stood on. */
static void rp_turned(const struct rp_list *it, const struct rp_pass *pass)
{
    bool stayed = pass->outer != 0 && it->state[pass->outer] == RP_ALIVE && it->place[pass->outer] <= pass->born;

    for (uint32_t i = 0; stayed && i < it->alive; i++) {
        if (rp_pairs_with(it, pass, it->dense[i]) && pass->stamp[it->dense[i]] != pass->turn) {
            rp_fail(it, "elements %lu and %lu are no pair", (unsigned long)pass->outer, (unsigned long)it->dense[i]);
        }
    }
}

/* A pass has come to a pair. */
static void rp_paired(struct rp_list *it, struct rp_pass *pass, uint32_t outer, uint32_t outer_key, uint32_t label, uint32_t key)
{
    const struct rp_kind *kind = it->kind;
    bool known = rp_comes(it, pass, outer, outer_key) && rp_comes(it, pass, label, key);

    if (known && outer != pass->outer) {
        rp_turned(it, pass);
        if (kind->ordered && !rp_is_behind(it, outer, pass->rank, pass->last, pass->backward)) {
            rp_fail(it, "pairs with element %lu come too late", (unsigned long)outer);
        }
        pass->outers[outer] = pass->number;
        pass->last = it->place[outer];
        pass->rank = it->rank[outer];
        pass->turn = ++it->passes;
    }
    pass->outer = outer;
    pass->current = label;
    rp_saw(it, label);
    if (!known) {
        return;
    }
    if (outer == label
        || (it->place[label] <= pass->born && (pass->outers[label] == pass->number || pass->stamp[label] == pass->turn))) {
        rp_fail(it, "elements %lu and %lu are a pair a second time", (unsigned long)outer, (unsigned long)label);
    }
    if (kind->adds_later && (it->place[label] > pass->born || it->place[outer] > pass->born)) {
        rp_fail(it, "elements %lu and %lu are a pair, and one was added during the pass", (unsigned long)outer,
                (unsigned long)label);
    }
    pass->stamp[label] = pass->turn;
}

/* It has come to its end: at most one element is left without pairs of its own, and that was the second one of all. */
static void rp_whole_pairs(const struct rp_list *it, const struct rp_pass *pass)
{
    uint32_t left = 0;

    if (it->kind->deferred || (it->kind->pointers && !it->kind->unique)) {
        return;
    }
    rp_turned(it, pass);
    for (uint32_t i = 0; i < it->alive; i++) {
        if (rp_pairs_with(it, pass, it->dense[i])) {
            if (left != 0) {
                rp_fail(it, "elements %lu and %lu are no pair", (unsigned long)left, (unsigned long)it->dense[i]);
            }
            left = it->dense[i];
        }
    }
}

/* -- the end of a pass -- */

/* Must a pass that has come to its end have visited this element, which was there all the time? */
static bool rp_visits(const struct rp_list *it, const struct rp_pass *pass, uint32_t label)
{
    if (pass->way == RP_PART) {
        return it->kind->ordered && !it->rekeyed && pass->first != RP_UNKNOWN && pass->first != 0
            && it->place[pass->first] <= pass->born
            && (label == pass->first || rp_is_surely_behind(it, label, pass->first, pass->backward));
    }
    if (pass->way == RP_RANGE && (it->kind->expires || it->changes != pass->changes)) {
        return false;
    }
    return pass->way == RP_ALL || (it->changed[label] < pass->number && rp_is_in(it, pass, label));
}

/* It has come to its end: what was there all the time must have been visited. */
static void rp_whole(struct rp_list *it, struct rp_pass *pass)
{
    pass->open = false;
    if (pass->way == RP_PAIRS) {
        rp_whole_pairs(it, pass);
        return;
    }
    if (pass->way == RP_CHANGES) {
        rp_whole_since(it, pass);
        return;
    }
    if (pass->way == RP_SIDE) {
        rp_whole_beside(it, pass);
        return;
    }
    if (it->kind->deferred || (it->kind->pointers && !it->kind->unique)) {
        return;
    }
    for (uint32_t i = 0; i < it->alive && pass->stands != RP_UNKNOWN; i++) {
        uint32_t label = it->dense[i];

        if (it->place[label] <= pass->born && pass->stamp[label] != pass->number && rp_visits(it, pass, label)) {
            rp_fail(it, "a pass ends and has not visited element %lu", (unsigned long)label);
        }
    }
}
