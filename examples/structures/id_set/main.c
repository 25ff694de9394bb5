#include "watched.h"
#include <stdio.h>

static void report(const char *what, watched *set)
{
    printf("%s:", what);
    WATCHED_EACH(set, descriptor) { /* a number, not a pointer */
        printf(" %zu", descriptor);
    }
    printf(" (%zu)\n", watched_count(set));
}

int main(void)
{
    watched readers = {0}, writers = {0}; /* zero is a valid, empty set */

    for (size_t descriptor = 3; descriptor < 80; descriptor += 11) {
        if (watched_add(&readers, descriptor) != WATCHED_OK || watched_add(&writers, 2 * descriptor - 3) != WATCHED_OK) {
            return 1; /* no memory */
        }
    }
    report("readers", &readers);
    report("writers", &writers);
    for (size_t at = watched_first(&readers); at != WATCHED_NONE; at = watched_next_after(&readers, at)) {
        if (watched_contains(&writers, at)) { /* such a loop is no pass, and may change the set as well */
            printf("%zu reads and writes\n", at);
        }
    }
    WATCHED_EACH(&readers, descriptor) {
        watched_remove(&readers, descriptor + 11); /* closes the next one, which is not visited */
        if (descriptor == 47) {
            (void)watched_add(&readers, 48); /* ahead of the pass: it is visited */
            (void)watched_add(&readers, 4);  /* not visited: it is behind */
        }
        printf("visited %zu\n", descriptor);
    }
    watched_subtract(&readers, &writers);
    report("readers that write nothing", &readers);
    if (watched_unite(&readers, &writers) != WATCHED_OK) {
        return 1;
    }
    report("either", &readers);
    watched_deinit(&readers);
    watched_deinit(&writers);
    return 0;
}
