#include "timers.h"
#include <stdio.h>

int main(void)
{
    timers list = {0}; /* zero is a valid, empty list */

    if (timers_add(&list, (struct timer){"boil the water", 1}) != TIMERS_OK ||
        timers_add(&list, (struct timer){"pour it", 1}) != TIMERS_OK ||
        timers_add(&list, (struct timer){"wait for the tea", 3}) != TIMERS_OK) {
        return 1; /* no memory */
    }
    for (int frame = 1; !timers_is_empty(&list); frame++) {
        int added = 0;

        printf("frame %d:", frame);
        TIMERS_EACH(&list, timer) {
            if (--timer->frames > 0) {
                continue;
            }
            printf(" %s,", timer->what);
            /* The next element shifts down into this slot, and is still visited. */
            timers_remove_current(&timer_cursor);
            if (frame == 1 && added++ == 0 &&
                timers_add(&list, (struct timer){"sit down", 1}) != TIMERS_OK) { /* at the end, and visited in this pass */
                return 1;
            }
        }
        printf(" %zu to go, the first: %s\n", timers_count(&list),
               timers_is_empty(&list) ? "none" : timers_get(&list, 0)->what);
    }
    timers_deinit(&list);
    return 0;
}
