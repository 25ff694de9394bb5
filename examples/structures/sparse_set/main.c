#include "speeds.h"
#include <stdio.h>

int main(void)
{
    speeds moving = {0};
    int places[100] = {0}; /* every entity has a place, but few move */

    (void)speeds_add(&moving, (struct speed){7, 2});
    (void)speeds_add(&moving, (struct speed){42, 1});
    (void)speeds_add(&moving, (struct speed){99, 5});
    printf("7 again: %s\n", speeds_add(&moving, (struct speed){7, 3}) == SPEEDS_DUPLICATE ? "it has one" : "added");
    printf("100: %s\n", speeds_add(&moving, (struct speed){100, 1}) == SPEEDS_RANGE ? "beyond the table" : "added");

    for (int frame = 0; frame < 3; frame++) {
        SPEEDS_EACH(&moving, speed) {
            places[speed->entity] += speed->x;
            if (places[speed->entity] >= 10) {
                speeds_remove_current(&speed_cursor);
            }
        }
    }
    speeds_find(&moving, 42)->x = 20; /* one access to the table */
    printf("7 is at %d, 42 at %d with speed %d, 99 at %d and %s\n", places[7], places[42], speeds_find(&moving, 42)->x, places[99],
           speeds_find(&moving, 99) == NULL ? "rests" : "moves");
    (void)speeds_remove_key(&moving, 7);
    printf("moving: %lu\n", (unsigned long)speeds_count(&moving));
    speeds_deinit(&moving);
    return 0;
}
