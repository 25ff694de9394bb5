#include "agenda.h"
#include <stdio.h>
#include <string.h>

static agenda list; /* zero is a valid, empty list */

static void plan(int minute, const char *what)
{
    if (agenda_add(&list, (struct event){minute, what}) != AGENDA_OK) {
        printf("no memory for: %s\n", what);
    }
}

int main(void)
{
    plan(30, "tide");
    plan(10, "dawn");
    plan(10, "birds"); /* after the events that are due at the same time */
    plan(20, "fog");

    for (int minute = 0; minute <= 30; minute += 10) {
        struct event *next = agenda_get(&list, 0); /* the first is always the next one */

        printf("minute %d: %zu to come, next: %s\n", minute, agenda_count(&list), next == NULL ? "nothing" : next->what);
        AGENDA_EACH(&list, event) {
            if (event->minute > minute) {
                break; /* the rest is due later */
            }
            printf("    %s\n", event->what);
            if (strcmp(event->what, "dawn") == 0) {
                plan(minute, "dew");      /* ahead, and visited in this pass */
                plan(minute + 5, "mist"); /* before the fog */
            }
            agenda_remove_current(&event_cursor);
        }
    }
    agenda_deinit(&list);
    return 0;
}
