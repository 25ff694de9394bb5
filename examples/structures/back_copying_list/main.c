#include "bubbles.h"
#include <stdio.h>

/* Runs for each bubble, once per update. A bubble larger than 5 is removed after it. */
void bubble_grows(struct bubbles *list, struct bubble *bubble, int *updates)
{
    ++*updates;
    bubble->size += bubble->growth;
    if (bubble->size == 6) {
        /* Bursts into another bubble, which this update visits as well. An add may move the elements:
         * `bubble` is not used after it. Without memory there is none. */
        (void)bubbles_add(list, (struct bubble){1, 2});
    }
}

int main(void)
{
    bubbles list = {0}; /* zero is a valid, empty list */

    for (int i = 0; i < 8; i++) {
        if (bubbles_add(&list, (struct bubble){i, 1 + i % 2}) != BUBBLES_OK) {
            return 1; /* no memory */
        }
    }
    for (int frame = 1; frame <= 6; frame++) {
        int updates = 0, largest = 0;

        bubbles_update(&list, &updates);
        BUBBLES_EACH(&list, bubble) {
            if (bubble->size > largest) {
                largest = bubble->size;
            }
        }
        printf("frame %d: %d updated, %zu left, the largest is %d\n", frame, updates, bubbles_count(&list), largest);
    }
    bubbles_deinit(&list);
    return 0;
}
