#include "idle.h"
#include <stdio.h>

static void hear_of(idle *heap, struct connection *connection, unsigned now)
{
    connection->due = now + 30;
    (void)idle_rekey(heap, connection); /* its key has changed */
    printf("%u: %s says something\n", now, connection->name);
}

int main(void)
{
    struct connection connections[] = {{.name = "Ada"}, {.name = "Ben"}, {.name = "Cleo"}, {.name = "Dan"}};
    idle heap = {0}; /* zero is a valid, empty heap */
    unsigned now;

    for (unsigned i = 0; i < 4; i++) {
        connections[i].due = i < 2 ? 30 : 40;
        if (idle_add(&heap, &connections[i]) != IDLE_OK) {
            return 1; /* it is in a heap already: there is no other reason */
        }
    }
    for (now = 10; !idle_is_empty(&heap); now += 10) {
        struct connection *first;

        if (now == 20) {
            hear_of(&heap, &connections[0], now);
            hear_of(&heap, &connections[2], now);
        }
        while ((first = idle_first(&heap)) != NULL && first->due <= now) {
            (void)idle_pop(&heap, NULL); /* before it is handled, which may change any other */
            printf("%u: %s is closed\n", now, first->name);
            if (first == &connections[1] && idle_remove(&heap, &connections[3]) == IDLE_OK) {
                printf("%u: %s has quit, too\n", now, connections[3].name);
            }
        }
    }
    IDLE_EACH(&heap, connection) {
        printf("%s is left\n", connection->name); /* none is */
    }
    idle_deinit(&heap);
    return 0;
}
