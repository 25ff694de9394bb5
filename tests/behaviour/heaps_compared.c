/* What it costs to make a heap of many: few elements are put in one by one, and many of them, or all, together in O(n). */
#include "heaps_compared.h"
#include "../regression/check.h"

#define NUMBER 60000

static unsigned long asked;

bool decides(const struct thing *a, const struct thing *b)
{
    asked++;
    return a->left < b->left;
}

bool decides_row(const struct mote *a, const struct mote *b)
{
    return a->left < b->left;
}

int main(void)
{
    static struct thing things[NUMBER + 1];
    static struct thing *all[NUMBER + 1];
    decided list = {0};

    for (int i = 0; i <= NUMBER; i++) {
        things[i].left = NUMBER - i;
        all[i] = &things[i];
    }
    CHECK(decided_add_all(&list, all, NUMBER, NULL) == DECIDED_OK);
#if !BESPOKE_CHECKS
    CHECK(asked < 5ul * NUMBER); /* the last of them is the first of the heap: one by one each would go all the way up */
#endif
    asked = 0;
    CHECK(decided_add_all(&list, all + NUMBER, 1, NULL) == DECIDED_OK);
    CHECK(asked < 100);
    CHECK(decided_check(&list) == NULL);

    for (int i = 0; i <= NUMBER; i++) {
        things[i].left = NUMBER - things[i].left;
    }
    asked = 0;
    decided_heapify(&list);
#if !BESPOKE_CHECKS
    CHECK(asked < 5ul * NUMBER);
#endif
    CHECK(decided_check(&list) == NULL);
    decided_deinit(&list);
    return checks_result();
}
