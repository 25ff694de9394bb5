#include "neighbours.h"
#include <stdio.h>

static struct ship ships[10];

/* Collects the ships near this one. A ship can be in many lists. */
static void look(neighbours *list, const struct ship *from)
{
    for (int i = 0; i < 10; i++) {
        int distance = ships[i].x - from->x;

        if (distance >= -3 && distance <= 3 && &ships[i] != from) {
            (void)neighbours_add(list, &ships[i]); /* unique: a second add returns DUPLICATE */
        } else {
            neighbours_remove(list, &ships[i]); /* ABSENT if it was not in the list */
        }
    }
}

int main(void)
{
    neighbours of_first = {0}, of_fifth = {0}; /* zero is a valid, empty list */

    for (int i = 0; i < 10; i++) {
        ships[i].x = 2 * i;
    }
    for (int frame = 0; frame < 3; frame++) {
        look(&of_first, &ships[0]);
        look(&of_fifth, &ships[4]);
        printf("frame %d: %zu near the first, %zu near the fifth, the sixth is %snear it\n", frame,
               neighbours_count(&of_first), neighbours_count(&of_fifth),
               neighbours_contains(&of_fifth, &ships[5]) ? "" : "not ");
        /* Pushes all near ships away. The last element fills each vacated slot. */
        NEIGHBOURS_EACH(&of_fifth, ship) {
            ship->x += ship->x < ships[4].x ? -1 : 1;
            if (ship->x > ships[4].x + 3) {
                neighbours_remove_current(&ship_cursor);
            }
        }
    }
    neighbours_deinit(&of_first);
    neighbours_deinit(&of_fifth);
    return 0;
}
