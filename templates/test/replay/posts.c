/* -- what workers note, and what is put into the inbox: T_settle does it -- */

enum { RP_UPDATES, RP_REMOVES, RP_ADDS, RP_ARRIVES }; /* in the order in which they are merged */

/* `to` of the operation: by what it is ordered; `to_key`: the worker. */
struct rp_post {
    struct rp_op op;
    uint32_t label, number;
    int what;
};

static void rp_posted(struct rp_list *it, const struct rp_op *op, int what, uint32_t label, uint32_t status)
{
    struct rp_post *post;

    if (op->status != RP_UNKNOWN && op->status != status) {
        rp_fail(it, "it returned %s, where the trace has %s", rp_word(status), rp_word(op->status));
    }
    if (status != RP_QUEUED) {
        return;
    }
    if (it->posts == it->post_room) {
        it->post_room = it->post_room == 0 ? 64 : it->post_room * 2;
        it->post = (struct rp_post *)rp_room(it->post, it->post_room, sizeof *it->post);
    }
    post = &it->post[it->posts];
    post->op = *op;
    post->label = label;
    post->number = it->posts++;
    post->what = what;
}

/* What is merged first: of adds by what they are ordered, by their workers, in the order of calls. */
static int rp_merge_order(const void *a, const void *b)
{
    const struct rp_post *first = (const struct rp_post *)a, *second = (const struct rp_post *)b;
    bool adds = first->what == RP_ADDS && second->what == RP_ADDS;

    if (first->what != second->what) {
        return first->what < second->what ? -1 : 1;
    }
    if (adds && first->op.to != second->op.to) {
        return first->op.to < second->op.to ? -1 : 1;
    }
    if (adds && first->op.to_key != second->op.to_key) {
        return first->op.to_key < second->op.to_key ? -1 : 1;
    }
    return first->number < second->number ? -1 : 1;
}

/* T_settle has done all of it. What T_add would refuse was dropped. */
static void rp_merged(struct rp_list *it)
{
    if (it->posts > 1) {
        qsort(it->post, it->posts, sizeof *it->post, rp_merge_order);
    }
    for (uint32_t i = 0; i < it->posts; i++) {
        const struct rp_post *post = &it->post[i];

        if (post->what == RP_REMOVES && post->label != 0 && it->state[post->label] != RP_DEAD) {
            rp_left(it, post->label);
        } else if ((post->what == RP_ADDS || post->what == RP_ARRIVES) && rp_may_enter(it, &post->op)
                   && (!it->kind->pointers || it->state[post->label] != RP_ALIVE)) {
            rp_entered(it, post->label);
        }
    }
    it->posts = 0;
}

/* A pass over all elements, by which these are found: it comes to one. */
static void rp_is_at(struct rp_list *it, uint32_t label, void *spot)
{
    if (it->places == it->place_room) {
        it->place_room = it->place_room == 0 ? 64 : it->place_room * 2;
        it->in_place = (uint32_t *)rp_room(it->in_place, it->place_room, sizeof *it->in_place);
    }
    it->in_place[it->places++] = label;
    if (label >= it->spot_room) {
        it->spot_room = (label | 63) * 2;
        it->spot = (void **)rp_room(it->spot, it->spot_room, sizeof *it->spot);
    }
    it->spot[label] = spot;
}

/* The label of the element that an operation is about, by its place; 0: none. */
static uint32_t rp_of_place(const struct rp_list *it, const struct rp_op *op)
{
    uint32_t label = op->label != 0 ? op->label : op->key < it->places ? it->in_place[op->key] : 0;

    for (uint32_t i = 0; op->label != 0 && i < it->places; i++) {
        if (it->in_place[i] == label) {
            return label; /* it is there, even if others were left out */
        }
    }
    return op->label != 0 ? 0 : label;
}
