#include "sockets.h"
#include <stdio.h>

int main(void)
{
    sockets open = {0}; /* zero is a valid, empty table */
    const struct socket *found;

    for (int descriptor = 21; descriptor >= 3; descriptor -= 6) { /* added in any order */
        if (sockets_add(&open, (struct socket){descriptor, descriptor % 2 == 0 ? "even" : "odd"}) != SOCKETS_OK) {
            return 1; /* no memory */
        }
    }
    if (sockets_add(&open, (struct socket){9, "another"}) == SOCKETS_DUPLICATE) {
        printf("9 is taken, by %s\n", sockets_find(&open, 9)->peer);
    }
    SOCKETS_EACH(&open, socket) { /* visited in the order of the descriptors */
        printf("visited %d\n", socket->descriptor);
        if (socket->descriptor == 9) {
            sockets_remove_key(&open, 15);                        /* not visited */
            (void)sockets_add(&open, (struct socket){16, "new"}); /* ahead of the pass: it is visited */
            (void)sockets_add(&open, (struct socket){4, "new"});  /* not visited: it is behind */
        }
    }
    /* Round robin, over any number of calls: what is next need not be looked for from the beginning, nor be there. */
    for (uint64_t last = 9, turn = 0; turn < 4; turn++) {
        found = sockets_next_after(&open, last);
        if (found == NULL) {
            found = sockets_first(&open);
        }
        last = (uint64_t)found->descriptor;
        printf("it is the turn of %d\n", found->descriptor);
    }
    found = sockets_previous_before(&open, 1000);
    printf("the last is %d of %zu\n", found->descriptor, sockets_count(&open));
    sockets_deinit(&open);
    return 0;
}
