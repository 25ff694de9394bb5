/* -- layers: each has a model of its own, and a pass over all is one over each of them -- */

static void rp_make_layers(struct rp_list *it)
{
    uint32_t number = it->kind->layers;

    it->teller = it;
    if (number == 0) {
        return;
    }
    for (it->teller = rp_lists + 1; it->teller->kind != it->kind; it->teller++) {
    } /* the first one of its kind */
    it->layer = (struct rp_list *)calloc(number, sizeof *it->layer);
    it->disabled = (bool *)calloc(2 * (size_t)number, sizeof *it->disabled);
    it->hidden = it->disabled + number;
    for (uint32_t i = 0; i < number; i++) {
        it->layer[i].kind = it->kind->layer;
        it->layer[i].limit = it->layer[i].kind->limit;
        it->layer[i].keys = it->layer[i].kind->keys;
        it->layer[i].self = it->self;
    }
}

/* What an element is, in the layer that has it. */
static unsigned char rp_state(const struct rp_list *it, uint32_t label)
{
    for (uint32_t i = 0; i < it->kind->layers; i++) {
        if (it->layer[i].state[label] != RP_DEAD) {
            return it->layer[i].state[label];
        }
    }
    return it->state[label];
}

static struct rp_list *rp_layer(const struct rp_list *it, uint32_t number)
{
    return number < it->kind->layers ? &it->layer[number] : NULL;
}

/* The first layer that has an element, or one with this key; NULL: none has. */
static struct rp_list *rp_layer_with(const struct rp_list *it, bool by_key, uint32_t key, uint32_t label)
{
    for (uint32_t i = 0; i < it->kind->layers; i++) {
        if (by_key ? rp_find(&it->layer[i], key) != 0 : label != 0 && it->layer[i].state[label] != RP_DEAD) {
            return &it->layer[i];
        }
    }
    return NULL;
}

/* All layers are empty. */
static void rp_emptied_all(struct rp_list *it, bool whole)
{
    for (uint32_t i = 0; i < it->kind->layers; i++) {
        rp_emptied(&it->layer[i], whole);
    }
    for (uint32_t i = 0; whole && i < RP_PASSES; i++) {
        it->pass[i].open = false;
    }
    if (whole && it->indexes > 0) {
        memset(it->by_index, 0, it->indexes * sizeof *it->by_index);
    }
    if (whole) {
        memset(it->disabled, 0, 2 * it->kind->layers * sizeof *it->disabled);
    }
}

/* What is known of an element is known of it in this layer. */
static void rp_like(const struct rp_list *from, struct rp_list *to, uint32_t label)
{
    if (to->state[label] == RP_DEAD) {
        to->key[label] = from->key[label];
        to->rank[label] = from->rank[label];
    }
}

/* Is there room for an element of another layer? */
static bool rp_may_move(const struct rp_list *to, const struct rp_list *from, uint32_t label)
{
    bool there = to->kind->unique && (to->kind->keyed ? rp_find(to, from->key[label]) != 0 : to->state[label] != RP_DEAD);

    return !there && to->alive < to->limit && (!to->kind->keyed || from->key[label] < to->keys);
}

/* An element is moved to another layer, behind all, or, in the layer that it is in, perhaps not at all. */
static void rp_went_over(struct rp_list *it, struct rp_list *from, struct rp_list *to, uint32_t label)
{
    if (from == to) {
        to->place[label] = ++to->added;
        to->rekeyed = true;
        return;
    }
    rp_like(from, to, label);
    rp_left(from, label);
    if (to->state[label] == RP_DEAD) {
        rp_entered(to, label);
    }
    (void)it;
}

/* How many elements there are in all. */
static void rp_summed(struct rp_list *it)
{
    it->alive = it->expired = 0;
    for (uint32_t i = 0; i < it->kind->layers; i++) {
        it->alive += it->layer[i].alive;
        it->expired += it->layer[i].expired;
    }
}

/* Does a pass go through this layer? */
static bool rp_goes_through(const struct rp_list *it, const struct rp_pass *pass, uint32_t number)
{
    return !(pass->visible ? it->hidden : it->disabled)[number];
}

/* A pass goes on from the layer that it is in, or begins, and comes to another one: to how many there are at its end. */
static void rp_comes_to_layer(struct rp_list *it, const struct rp_op *op, struct rp_pass *pass, uint32_t layer, bool begins)
{
    uint32_t layers = it->kind->layers;
    uint32_t next = begins ? (pass->backward ? layers - 1 : 0) : pass->backward ? pass->at - 1 : pass->at + 1;

    if (!begins && pass->at < layers) {
        rp_whole(&it->layer[pass->at], &it->layer[pass->at].pass[op->pass]);
    }
    layer = layer < layers ? layer : layers;
    for (; next < layers && next != layer; next = pass->backward ? next - 1 : next + 1) {
        if (rp_goes_through(it, pass, next) && (begins || it->layer[next].alive != 0) && !it->kind->deferred) {
            rp_fail(it, "a pass goes by layer %lu, which is %s", (unsigned long)next, pass->visible ? "visible" : "enabled");
        }
    }
    if (layer < layers && (next != layer || !rp_goes_through(it, pass, layer))) {
        rp_fail(it, "a pass comes to layer %lu, which %s", (unsigned long)layer,
                next != layer ? "is behind it" : "it is not to go through");
    }
    pass->at = layer;
    if (layer < layers) {
        rp_began(&it->layer[layer], op, true, pass->reads, pass->backward);
    }
}

/* A pass has begun. */
static void rp_began_layers(struct rp_list *it, const struct rp_op *op, bool reads, bool backward, bool visible, uint32_t layer)
{
    struct rp_pass *pass = &it->pass[op->pass];

    rp_began(it, op, true, reads, backward);
    pass->visible = visible;
    rp_comes_to_layer(it, op, pass, layer, true);
    pass->open = layer < it->kind->layers;
}
