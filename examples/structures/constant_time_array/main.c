#include "visible.h"
#include <stdio.h>

int main(void)
{
    static struct ship ships[20]; /* zero: in no list */
    visible list = {0};           /* zero is a valid, empty list */

    for (int frame = 0; frame < 4; frame++) {
        int from = frame * 3, to = from + 5;

        /* Ships that come into view. An add detects a duplicate without a search. */
        for (int i = 0; i < 20; i++) {
            ships[i].x = i;
            if (i >= from && i < to && visible_add(&list, &ships[i]) == VISIBLE_NO_MEMORY) {
                return 1;
            }
        }
        /* Ships out of view. The last element fills the vacated slot, and is still visited. */
        VISIBLE_EACH(&list, ship) {
            if (ship->x < from || ship->x >= to) {
                visible_remove(&list, ship);
            }
        }
        printf("frame %d: %zu in view,", frame, visible_count(&list));
        printf(" ship 6 %s\n", visible_contains(&list, &ships[6]) ? "too" : "not");
    }
    visible_deinit(&list);
    return 0;
}
