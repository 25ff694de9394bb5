#include "cranes.h"
#include <stdio.h>
#include <stdlib.h>

/* Runs for each part, after its parent: the parent is up to date. */
void crane_moves(struct crane *list, struct joint *joint, int wind)
{
    const struct joint *parent = crane_parent_of(list, joint);

    joint->screen_x = joint->x + (parent != NULL ? parent->screen_x : 0) + wind;
    joint->screen_y = joint->y + (parent != NULL ? parent->screen_y : 0);
    joint->broken = joint->screen_x > 12;
}

static void show(crane *list)
{
    CRANE_EACH(list, joint) {
        printf(" %s(%d,%d)", joint->name, joint->screen_x, joint->screen_y);
    }
    printf("\n");
}

/* What a click hits: of what is drawn in tree order, the last is on top. */
static struct joint *hit(crane *list, int x, int y)
{
    CRANE_EACH_BACKWARD(list, joint) {
        if (abs(joint->screen_x - x) <= 1 && abs(joint->screen_y - y) <= 2) {
            return joint;
        }
    }
    return NULL;
}

int main(void)
{
    crane list = {0}; /* zero is a valid, empty tree */
    struct joint *crate, *hook;

    if (crane_reserve(&list, 6) != CRANE_OK) {
        return 1; /* no memory; later adds cannot fail, hence (void), and no element moves */
    }
    (void)crane_add(&list, (struct joint){.name = "tower", .y = 20});
    (void)crane_add_child(&list, crane_last(&list), (struct joint){.name = "arm", .x = 6});
    (void)crane_add_child(&list, crane_last(&list), (struct joint){.name = "hook", .x = 3, .y = -4});
    (void)crane_insert_before(&list, crane_first_child_of(&list, crane_first(&list)), (struct joint){.name = "lamp", .y = 2});
    (void)crane_add(&list, (struct joint){.name = "shed", .x = -9});
    (void)crane_add(&list, (struct joint){.name = "crate", .x = -8});
    crane_update(&list, 0);
    crate = hit(&list, -9, 1); /* it stands in front of the shed */
    hook = hit(&list, 9, 16);
    if (crate == NULL || hook == NULL) {
        return 1;
    }
    printf("%s lifts %s\n", hook->name, crate->name);
    crate->x = 0, crate->y = -2; /* from now on relative to the hook */
    crane_move_to_parent(&list, crate, hook); /* which may move elements: the addresses are not stable */
    for (int wind = 0; wind <= 4; wind += 2) {
        crane_update(&list, wind);
        printf("wind %d:", wind);
        show(&list);
    }
    crane_remove(&list, crane_first(&list)); /* with its subtree */
    show(&list);
    crane_deinit(&list);
    return 0;
}
