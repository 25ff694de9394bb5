#include "listeners.h"
#include <stdio.h>

static listeners list; /* zero is a valid, empty list */

static void once(struct listener *listener)
{
    /* A pass is live: the removal is queued, and returns QUEUED. */
    printf("  %s, and no more", listener->name);
    printf(" (%s)\n", listeners_remove(&list, listener) == LISTENERS_QUEUED ? "queued" : "done");
}

static void always(struct listener *listener)
{
    printf("  %s\n", listener->name);
}

static struct listener late = {"the late one", always};

static void introduces(struct listener *listener)
{
    listeners_status status = listeners_add(&list, &late);

    printf("  %s: %s\n", listener->name, status == LISTENERS_DUPLICATE ? "is in already" : "brings another one");
}

static void tell_all(const char *event)
{
    printf("%s\n", event);
    LISTENERS_EACH(&list, listener) { listener->call(listener); }
    /* The pass has ended: the journal was applied, in order. */
}

int main(void)
{
    struct listener one = {"one", once}, two = {"two", introduces}, three = {"three", always};

    if (listeners_add(&list, &one) != LISTENERS_OK || listeners_add(&list, &two) != LISTENERS_OK ||
        listeners_add(&list, &three) != LISTENERS_OK) {
        return 1; /* no memory */
    }
    tell_all("first event");
    tell_all("second event");

    /* The same for code that is no loop. */
    listeners_lock(&list);
    listeners_remove(&list, &two);
    listeners_remove(&list, &three);
    printf("locked: %zu are in, %zu will be\n", listeners_count(&list), listeners_predicted_count(&list));
    if (listeners_unlock(&list) != LISTENERS_OK) {
        return 1; /* no memory: all changes stay pending until listeners_settle */
    }
    printf("unlocked: %zu\n", listeners_count(&list));
    listeners_deinit(&list);
    return 0;
}
