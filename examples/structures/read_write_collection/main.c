#include "sparks.h"
#include <stdio.h>

/* One pass moves the sparks, removes burnt-out ones, and adds new ones. */
static void step(sparks *list)
{
    SPARKS_EACH(list, spark) {
        spark->height += spark->speed;
        spark->speed--;
        if (spark->height > 0) {
            continue;
        }
        if (spark->bounces == 0) {
            sparks_remove_current(&spark_cursor); /* the pass continues with the next one */
            continue;
        }
        {
            /* Bursts into two. They are added after it, so this pass visits them. An add may move the
             * elements: `spark` is not used after it. */
            struct spark half = {.height = 1, .speed = 2, .bounces = spark->bounces - 1};

            sparks_remove_current(&spark_cursor);
            (void)sparks_add(list, half); /* without memory it bursts into fewer */
            (void)sparks_add(list, half);
        }
    }
}

int main(void)
{
    sparks list = {0}; /* zero is a valid, empty list */

    for (int i = 0; i < 10; i++) {
        if (sparks_add(&list, (struct spark){.height = 1, .speed = i, .bounces = i % 3}) != SPARKS_OK) {
            return 1; /* no memory */
        }
    }
    for (int frame = 0; frame < 20; frame += 4) {
        printf("frame %2d: %2zu sparks\n", frame, sparks_count(&list));
        for (int i = 0; i < 4; i++) {
            step(&list);
        }
    }
    sparks_deinit(&list);
    return 0;
}
