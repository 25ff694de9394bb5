#include "wing.h"
#include <stdio.h>

int main(void)
{
    struct ship ships[] = {{1, 3, false}, {2, 2, false}, {3, 1, false}, {4, 3, false}, {5, 4, false}, {6, 1, false}};
    wing all = {0}, odd = {0}; /* zero is a valid, empty list; a ship may be in several */

    for (int i = 0; i < 6; i++) {
        if (wing_add(&all, &ships[i]) != WING_OK || (ships[i].number % 2 == 1 && wing_add(&odd, &ships[i]) != WING_OK)) {
            return 1; /* no memory */
        }
    }
    WING_EACH(&all, ship) {
        WING_EACH(&all, other) { /* passes nest */
            if (other->number == ship->target) {
                other->gone = true; /* from now on, every pass over every list skips it */
                printf("%d shoots %d\n", ship->number, other->number);
                break;
            }
        }
    }
    printf("odd ones left:");
    WING_EACH(&odd, ship) { printf(" %d", ship->number); }
    printf("\n");

    /* No pass has run since; settle removes the expired elements. */
    wing_settle(&all);
    printf("%zu in all\n", wing_count(&all));
    wing_deinit(&all);
    wing_deinit(&odd);
    return 0;
}
