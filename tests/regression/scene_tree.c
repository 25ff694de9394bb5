/* The scene tree: what could go wrong as it did in the lists that are updated, and how it is meant to behave (see README.md). */
#include "scene_tree.h"
#include "check.h"

static struct trace moved;
static void (*on_move)(scene *list, struct part *part);

void scene_moves(struct scene *list, struct part *part, const struct frame *frame)
{
    (void)frame;
    note(&moved, part->id);
    if (on_move != NULL) {
        on_move(list, part);
    }
}

static struct part parts[20];

static struct part *part(uint32_t id)
{
    return &parts[id];
}

/* 1 has 2 and 3 below it, 2 has 4 and 5; 6 has 7. */
static scene *tree(void)
{
    static scene list;

    scene_init(&list);
    memset(parts, 0, sizeof parts);
    for (uint32_t id = 0; id < 20; id++) {
        parts[id].id = id;
    }
    on_move = NULL;
    moved.count = 0;
    CHECK(scene_add(&list, part(1)) == SCENE_OK && scene_add(&list, part(6)) == SCENE_OK);
    CHECK(scene_add_child(&list, part(1), part(2)) == SCENE_OK && scene_add_child(&list, part(1), part(3)) == SCENE_OK);
    CHECK(scene_add_child(&list, part(2), part(4)) == SCENE_OK && scene_insert_after(&list, part(4), part(5)) == SCENE_OK);
    CHECK(scene_add_child(&list, part(6), part(7)) == SCENE_OK);
    return &list;
}

static struct trace *held(scene *list)
{
    static struct trace held;

    CHECK(scene_check(list) == NULL);
    held.count = 0;
    SCENE_EACH(list, element) { note(&held, element->id); }
    return &held;
}

/* -- bugs -------------------------------------------------------------------------------------------------------- */

static void clears(scene *list, struct part *element)
{
    if (element->id == 2) {
        on_move = NULL;
        scene_clear(list);
        CHECK(scene_add(list, part(10)) == SCENE_OK);
        CHECK(scene_add_child(list, part(10), part(2)) == SCENE_OK);
    }
}

/* Clearing in an update brought the current element back. What is added after the clear is a tree of its own. */
static void bug_23_clear_in_an_update_of_a_tree(void)
{
    scene *list = tree();

    on_move = clears;
    scene_update(list, NULL);
    CHECK_TRACE(&moved, "1 2 10 2");
    CHECK_TRACE(held(list), "10 2");
    CHECK(part(3)->scene == NULL && part(3)->fixed_to == NULL && part(4)->together == NULL);
    scene_deinit(list);
}

static void updates_again(scene *list, struct part *element)
{
    if (element->id == 4) {
        on_move = NULL;
        part(2)->gone = true; /* the outer update stands below it */
        scene_update(list, NULL);
    }
}

/* An update in an update dropped living elements. */
static void bug_24_an_update_in_an_update_of_a_tree(void)
{
    scene *list = tree();

    on_move = updates_again;
    scene_update(list, NULL);
    CHECK_TRACE(&moved, "1 2 4 1 2 3 6 7 3 6 7");
    CHECK_TRACE(held(list), "1 3 6 7");
    scene_deinit(list);
}

/* The expired were drawn. What is below one that has expired is not drawn either: it hangs on nothing. */
static void bug_34_passes_skip_what_is_below_the_expired(void)
{
    scene *list = tree();

    part(2)->gone = true;
    CHECK_TRACE(held(list), "1 3 6 7");
    CHECK(scene_count(list) == 7 && part(4)->scene == list);
    scene_update(list, NULL);
    CHECK(scene_count(list) == 4 && part(4)->scene == NULL);
    CHECK_TRACE(held(list), "1 3 6 7");
    scene_deinit(list);
}

/* -- behaviour --------------------------------------------------------------------------------------------------- */

/* Each before those below it, and those in their order. */
static void row_a_parents_come_first(void)
{
    scene *list = tree();

    CHECK_TRACE(held(list), "1 2 4 5 3 6 7");
    CHECK(scene_parent_of(list, part(5)) == part(2) && scene_parent_of(list, part(1)) == NULL);
    CHECK(scene_first_child_of(list, part(1)) == part(2) && scene_first_child_of(list, part(3)) == NULL);
    CHECK(scene_next_sibling_of(list, part(2)) == part(3) && scene_next_sibling_of(list, part(5)) == NULL);
    CHECK(scene_next_sibling_of(list, part(1)) == part(6));
    CHECK(scene_insert_before(list, part(4), part(8)) == SCENE_OK && scene_insert_before(list, NULL, part(9)) == SCENE_OK);
    CHECK(scene_add_child(list, part(5), part(10)) == SCENE_OK && scene_insert_after(list, part(2), part(11)) == SCENE_OK);
    CHECK_TRACE(held(list), "9 1 2 8 4 5 10 11 3 6 7");
    CHECK(scene_add_child(list, part(15), part(12)) == SCENE_ABSENT && scene_add_child(list, part(1), part(4)) == SCENE_DUPLICATE);
    scene_deinit(list);
}

/* A subtree leaves as one, from under passes that stand in it. */
static void row_c_a_subtree_leaves_as_one(void)
{
    scene *list = tree();
    struct trace trace = {0};

    SCENE_EACH(list, element) {
        note(&trace, element->id);
        if (element->id == 4) {
            CHECK(scene_remove(list, part(2)) == SCENE_OK);
            CHECK(scene_add_child(list, part(1), part(5)) == SCENE_OK); /* it is free again */
        }
    }
    CHECK_TRACE(&trace, "1 2 4 3 5 6 7");
    CHECK_TRACE(held(list), "1 3 5 6 7");
    scene_deinit(list);
}

static void grows(scene *list, struct part *element)
{
    if (element->id < 10) {
        CHECK(scene_add_child(list, element, part(10 + element->id)) == SCENE_OK);
    }
    element->gone = element->id == 2 || element->id == 13;
}

/* What an update adds below the element that it stands on is updated in it, unless that expires. */
static void row_l_what_an_update_adds(void)
{
    scene *list = tree();

    on_move = grows;
    scene_update(list, NULL);
    CHECK_TRACE(&moved, "1 2 3 13 11 6 7 17 16");
    CHECK_TRACE(held(list), "1 3 11 6 7 17 16");
    scene_deinit(list);
}

int main(void)
{
    bug_23_clear_in_an_update_of_a_tree();
    bug_24_an_update_in_an_update_of_a_tree();
    bug_34_passes_skip_what_is_below_the_expired();
    row_a_parents_come_first();
    row_c_a_subtree_leaves_as_one();
    row_l_what_an_update_adds();
    return checks_result();
}
