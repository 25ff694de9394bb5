#include "waves.h"
#include <stdio.h>

/* waves_update runs it for each wave, then tests whether the wave has expired. */
void wave_moves(struct waves *list, struct wave *wave, const int *damping)
{
    wave->strength -= *damping;
    printf(" %s %d", wave->where, wave->strength);
    if (wave->strength == 3) {
        /* At the end, and visited by this update; without memory there is no echo. */
        (void)waves_add(list, (struct wave){"echo", 4});
    }
}

int main(void)
{
    waves list = {0}; /* zero is a valid, empty list */
    int damping = 2;

    if (waves_add(&list, (struct wave){"bow", 5}) != WAVES_OK || waves_add(&list, (struct wave){"stern", 2}) != WAVES_OK ||
        waves_add(&list, (struct wave){"side", 4}) != WAVES_OK) {
        return 1; /* no memory */
    }
    for (int frame = 1; !waves_is_empty(&list); frame++) {
        printf("frame %d:", frame);
        waves_update(&list, &damping);
        printf("; %zu left\n", waves_count(&list));
    }
    waves_deinit(&list);
    return 0;
}
