/* Entity layers: what their original got wrong, and how they are meant to behave (see README.md). */
#include "entity_layers.h"
#include "check.h"

static struct trace trace;
static struct ship ships[20]; /* ships[1] has id 1 */
static const struct frame frame = {0.1, 1};
static double told_seconds; /* what the last update hook was told */
static bool trace_leaving;
static theatre *fills;      /* a hook adds to this layer of it */
static size_t fills_layer;

bool ship_is_gone(const struct ship *ship)
{
    return ship->gone;
}

/* 2000 + id for who was let go of, 3000 + id for who was destroyed. */
void theatre_loses(struct theatre_layer *layer, struct ship *ship)
{
    (void)layer;
    if (trace_leaving) {
        note(&trace, 2000 + ship->id);
    }
    if (fills != NULL) {
        CHECK(theatre_add(fills, fills_layer, &ships[19]) == THEATRE_OK);
        fills = NULL;
    }
}

void theatre_destroys(struct theatre_layer *layer, struct ship *ship)
{
    (void)layer;
    if (trace_leaving) {
        note(&trace, 3000 + ship->id);
    }
}

void theatre_updates(struct theatre_layer *layer, struct ship *ship, const struct theatre_tick *tick)
{
    (void)layer;
    CHECK(tick->context == &frame);
    told_seconds = tick->seconds;
    note(&trace, ship->id);
}

/* Ships 1 and 2 on the ground, 3 and 4 among the units, 5 and 6 in the air. */
static void fill(theatre *list)
{
    memset(ships, 0, sizeof ships);
    trace.count = 0;
    trace_leaving = false;
    for (uint32_t id = 1; id < sizeof ships / sizeof *ships; id++) {
        ships[id].id = id;
    }
    for (uint32_t id = 6; id >= 1; id--) { /* whatever comes first, layers are visited in their order */
        uint32_t other = id % 2 == 0 ? id - 1 : id + 1;

        CHECK(theatre_add(list, (id - 1) / 2, &ships[other]) == THEATRE_OK);
    }
}

static void visit(theatre *list)
{
    THEATRE_EACH(list, ship) {
        note(&trace, ship->id);
    }
}

static void draw(theatre *list)
{
    THEATRE_EACH_VISIBLE(list, ship) {
        note(&trace, ship->id);
    }
}

static void done(theatre *list)
{
    const char *wrong = theatre_check(list);

    CHECK(wrong == NULL);
    trace_leaving = false;
    theatre_deinit(list);
}

/* Both flags were false by default, so that a new layer was neither updated nor drawn. */
static void bug_37_layers_begin_enabled_and_visible(void)
{
    theatre list = {0};
    theatre other;

    memset(&other, 0xA5, sizeof other);
    theatre_init(&other);
    for (size_t layer = 0; layer < THEATRE_LAYERS; layer++) {
        CHECK(theatre_is_enabled(&list, layer) && theatre_is_visible(&list, layer));
        CHECK(theatre_is_enabled(&other, layer) && theatre_is_visible(&other, layer));
        CHECK(theatre_time_scale(&list, layer) >= 1 && theatre_time_scale(&list, layer) <= 1);
    }
    fill(&list);
    visit(&list);
    CHECK_TRACE(&trace, "1 2 3 4 5 6");
    draw(&list);
    CHECK_TRACE(&trace, "1 2 3 4 5 6");
    theatre_update(&list, 1, &frame);
    CHECK_TRACE(&trace, "1 2 3 4 5 6");
    done(&list);
    done(&other);
}

/* update and draw did not look whether what they came to had expired. */
static void bug_38_the_expired_are_neither_visited_nor_updated(void)
{
    theatre list = {0};

    fill(&list);
    ships[2].gone = ships[3].gone = ships[5].gone = true;
    visit(&list);
    CHECK_TRACE(&trace, "1 4 6");
    draw(&list);
    CHECK_TRACE(&trace, "1 4 6");
    trace_leaving = true;
    theatre_update(&list, 1, &frame);
    CHECK_TRACE(&trace, "1 2002 3002 2003 3003 4 2005 3005 6");
    CHECK(theatre_count(&list) == 3);
    done(&list);
}

/* Only an update let go of what had expired, and a layer that was switched off had none: it kept them for ever. */
static void bug_39_a_disabled_layer_lets_go_of_the_expired(void)
{
    theatre list = {0};

    fill(&list);
    theatre_set_enabled(&list, THEATRE_UNITS, false);
    ships[3].gone = ships[5].gone = true;
    theatre_update(&list, 1, &frame);
    CHECK_TRACE(&trace, "1 2 6");
    CHECK(theatre_layer_count(theatre_layer_at(&list, THEATRE_UNITS)) == 2);
    trace_leaving = true;
    theatre_settle(&list);
    CHECK_TRACE(&trace, "2003 3003");
    CHECK(theatre_layer_count(theatre_layer_at(&list, THEATRE_UNITS)) == 1);
    theatre_set_enabled(&list, THEATRE_UNITS, true);
    visit(&list);
    CHECK_TRACE(&trace, "1 2 4 6");
    done(&list);
}

/* Enabled and visible have nothing to do with each other; both are asked when a pass comes to the layer. */
static void row_a_switching_layers(void)
{
    theatre list = {0};

    fill(&list);
    theatre_set_enabled(&list, THEATRE_GROUND, false);
    theatre_set_visible(&list, THEATRE_AIR, false);
    visit(&list);
    CHECK_TRACE(&trace, "3 4 5 6");
    draw(&list);
    CHECK_TRACE(&trace, "1 2 3 4");
    theatre_set_enabled(&list, THEATRE_GROUND, true);
    THEATRE_EACH(&list, ship) {
        note(&trace, ship->id);
        theatre_set_enabled(&list, THEATRE_GROUND, false); /* the pass is in it already */
        theatre_set_enabled(&list, THEATRE_UNITS, false);
    }
    CHECK_TRACE(&trace, "1 2 5 6");
    for (size_t layer = 0; layer < THEATRE_LAYERS; layer++) {
        theatre_set_enabled(&list, layer, false);
    }
    visit(&list);
    CHECK_TRACE(&trace, "");
    theatre_update(&list, 1, &frame);
    CHECK_TRACE(&trace, "");
    CHECK(theatre_count(&list) == 6);
    done(&list);
}

/* Time goes by in each layer at its own pace. */
static void row_b_time_scales(void)
{
    theatre list = {0};

    fill(&list);
    for (size_t layer = 0; layer < THEATRE_LAYERS; layer++) {
        theatre_set_enabled(&list, layer, layer == THEATRE_UNITS);
    }
    theatre_set_time_scale(&list, THEATRE_UNITS, 0.5);
    theatre_update(&list, 4, &frame);
    CHECK(told_seconds >= 2 && told_seconds <= 2);
    theatre_set_time_scale(&list, THEATRE_UNITS, 0);
    theatre_update(&list, 4, &frame);
    CHECK(told_seconds >= 0 && told_seconds <= 0);
    theatre_deinit(&list);
    CHECK(theatre_time_scale(&list, THEATRE_UNITS) >= 1);
    done(&list);
}

/* An element moves without being destroyed, and is visited where it is when the pass comes by. */
static void row_c_moving(void)
{
    theatre list = {0};

    fill(&list);
    trace_leaving = true;
    CHECK(theatre_move(&list, &ships[1], THEATRE_AIR) == THEATRE_OK);
    CHECK_TRACE(&trace, "2001");
    CHECK(theatre_layer_of(&list, &ships[1]) == THEATRE_AIR);
    CHECK(theatre_move(&list, &ships[1], THEATRE_AIR) == THEATRE_OK);
    CHECK(theatre_move(&list, &ships[9], THEATRE_AIR) == THEATRE_ABSENT);
    CHECK(theatre_layer_of(&list, &ships[9]) == THEATRE_LAYERS);
    trace_leaving = false;
    trace.count = 0;
    THEATRE_EACH(&list, ship) {
        note(&trace, ship->id);
        if (ship->id == 3) {
            CHECK(theatre_move(&list, &ships[2], THEATRE_AIR) == THEATRE_OK); /* ahead: it comes again */
            CHECK(theatre_move(&list, &ships[4], THEATRE_GROUND) == THEATRE_OK); /* behind: it does not */
            CHECK(theatre_move(&list, ship, THEATRE_GROUND) == THEATRE_OK);
        }
    }
    CHECK_TRACE(&trace, "2 3 5 6 1 2");
    visit(&list);
    CHECK_TRACE(&trace, "4 3 5 6 1 2");
    done(&list);
}

/* An element is removed from whatever layer it is in; also the one that a pass stands on. */
static void row_d_removing(void)
{
    theatre list = {0};

    fill(&list);
    CHECK(theatre_remove(&list, &ships[4]) == THEATRE_OK);
    CHECK(theatre_remove(&list, &ships[4]) == THEATRE_ABSENT);
    CHECK(!theatre_contains(&list, &ships[4]) && theatre_contains(&list, &ships[3]));
    THEATRE_EACH(&list, ship) {
        note(&trace, ship->id);
        if (ship->id == 2 || ship->id == 5) {
            CHECK(theatre_remove_current(&ship_cursor) == THEATRE_OK);
#if !BESPOKE_CHECKS
            CHECK(theatre_remove_current(&ship_cursor) == THEATRE_ABSENT);
#endif
        }
    }
    CHECK_TRACE(&trace, "1 2 3 5 6");
    visit(&list);
    CHECK_TRACE(&trace, "1 3 6");
    theatre_clear(&list);
    CHECK(theatre_is_empty(&list));
    done(&list);
}

/* A pass may be left anywhere, begun in another, and clear ends it in every layer. */
static void row_e_leaving_and_nesting(void)
{
    theatre list = {0};
    unsigned inner = 0;

    fill(&list);
    THEATRE_EACH(&list, ship) {
        if (ship->id == 3) {
            break;
        }
        THEATRE_EACH_VISIBLE(&list, other) {
            inner += other->id;
        }
    }
    CHECK(inner == 2 * 21);
    THEATRE_EACH(&list, ship) {
        note(&trace, ship->id);
        if (ship->id == 3) {
            theatre_clear(&list);
            CHECK(theatre_add(&list, THEATRE_GROUND, &ships[7]) == THEATRE_OK); /* behind it */
            CHECK(theatre_add(&list, THEATRE_UNITS, &ships[8]) == THEATRE_OK);  /* where it is */
            CHECK(theatre_add(&list, THEATRE_AIR, &ships[9]) == THEATRE_OK);    /* before it */
        }
    }
    CHECK_TRACE(&trace, "1 2 3 8 9");
    done(&list);
}

/* There are no more layers than those that are named. */
static void row_j_layers(void)
{
    theatre list = {0};

    fill(&list);
#if !BESPOKE_CHECKS
    CHECK(theatre_add(&list, THEATRE_LAYERS, &ships[9]) == THEATRE_RANGE);
    CHECK(theatre_move(&list, &ships[1], THEATRE_LAYERS) == THEATRE_RANGE);
    CHECK(theatre_layer_at(&list, THEATRE_LAYERS) == NULL);
#endif
    CHECK(!theatre_is_enabled(&list, THEATRE_LAYERS));
    CHECK(theatre_layer_of(&list, &ships[1]) == THEATRE_GROUND);
    done(&list);
}

/* What a hook does while an element is on its way. */
static void row_l_hooks(void)
{
    theatre list = {0};

    fill(&list);
    fills = &list;
    fills_layer = THEATRE_AIR;
    trace_leaving = true;
    CHECK(theatre_move(&list, &ships[3], THEATRE_AIR) == THEATRE_OK);
    CHECK_TRACE(&trace, "2003");
    visit(&list);
    CHECK_TRACE(&trace, "1 2 4 5 6 19 3");
    done(&list);
}

/* Each sort of layers has its own; here an element knows its place, so it can be in one layer only. */
static void row_i_one_layer_only(void)
{
    stage list = {0};

    memset(ships, 0, sizeof ships);
    CHECK(stage_add(&list, STAGE_BACK, &ships[1]) == STAGE_OK);
    CHECK(stage_add(&list, STAGE_BACK, &ships[1]) == STAGE_DUPLICATE);
    CHECK(stage_add(&list, STAGE_FRONT, &ships[1]) == STAGE_FOREIGN);
    CHECK(stage_move(&list, &ships[1], STAGE_FRONT) == STAGE_OK);
    CHECK(stage_layer_of(&list, &ships[1]) == STAGE_FRONT && stage_count(&list) == 1);
    CHECK(stage_check(&list) == NULL);
    stage_deinit(&list);
}

int main(void)
{
    bug_37_layers_begin_enabled_and_visible();
    bug_38_the_expired_are_neither_visited_nor_updated();
    bug_39_a_disabled_layer_lets_go_of_the_expired();
    row_a_switching_layers();
    row_b_time_scales();
    row_c_moving();
    row_d_removing();
    row_e_leaving_and_nesting();
    row_i_one_layer_only();
    row_j_layers();
    row_l_hooks();
    return checks_result();
}
