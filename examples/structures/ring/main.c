#include "editor.h"
#include <stdio.h>

enum { TYPE_A, TYPE_B, TYPE_C, TYPE_D, TYPE_E };

static void print(history *list, const char *what)
{
    printf("%s:", what);
    HISTORY_EACH(list, edit) {
        printf(" %c->%c", edit->was, edit->is);
    }
    printf("\n");
}

int main(void)
{
    static const int keys[] = {TYPE_A, TYPE_B, TYPE_C, TYPE_D, TYPE_E};
    history list = {0}; /* zero is a valid, empty ring */
    events queue = {0};
    struct edit edit = {'-', '-'};
    int event;

    if (events_add_all(&queue, keys, sizeof keys / sizeof *keys, NULL) != EVENTS_OK) {
        return 1;
    }
    while (events_pop(&queue, &event) == EVENTS_OK) { /* first in, first out */
        edit.was = edit.is;
        edit.is = (char)('a' + event);
        if (history_add(&list, edit) != HISTORY_OK) { /* the fifth overwrites the first */
            return 1;
        }
        if (event == TYPE_C && events_add_front(&queue, TYPE_B) != EVENTS_OK) { /* before all others */
            return 1;
        }
    }
    print(&list, "the last four edits");
    if (history_pop_back(&list, &edit) == HISTORY_OK) {
        printf("undo %c->%c\n", edit.was, edit.is);
    }
    HISTORY_EACH(&list, each) {
        if (each->is == 'b') {
            history_remove_current(&each_cursor); /* between the ends: the shorter side shifts */
        }
    }
    print(&list, "without b");
    printf("the newest is %c, the oldest %c\n", history_last(&list)->is, history_first(&list)->is);
    printf("one before the newest is %c\n", history_get_back(&list, 1)->is);
    history_deinit(&list);
    events_deinit(&queue);
    return 0;
}
