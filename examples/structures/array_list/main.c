#include "queue.h"
#include <stdio.h>

/* Removes every later equal number, during a pass of the caller. */
static void keep_first(queue *list, int number)
{
    int seen = 0;

    QUEUE_EACH(list, other) {
        if (*other == number && seen++ > 0) {
            queue_remove_current(&other_cursor);
        }
    }
}

static void print(queue *list)
{
    /* All elements are in one array, in insertion order. */
    const int *numbers = queue_data(list);

    for (size_t i = 0; i < queue_count(list); i++) {
        printf(" %d", numbers[i]);
    }
    printf("\n");
}

int main(void)
{
    static const int numbers[] = {3, 1, 3, 4, 1, 5, 9, 3, 5};
    queue list = {0}; /* zero is a valid, empty list */
    size_t taken = 0;

    if (queue_add_all(&list, numbers, sizeof numbers / sizeof *numbers, &taken) != QUEUE_OK) {
        return 1; /* no memory; `taken` of them were added */
    }
    print(&list);
    QUEUE_EACH(&list, number) {
        keep_first(&list, *number); /* neither pass skips an element or visits one twice */
    }
    print(&list);
    if (queue_remove_at(&list, 1) == QUEUE_OK) {
        printf("without the second:");
        print(&list);
    }
    printf("there is no tenth: %s\n", queue_get(&list, 9) == NULL ? "NULL" : "what?");
    queue_deinit(&list);
    return 0;
}
