#include "panes.h"
#include <stdio.h>

/* Closes the topmost pane: the newest one. */
static void click(panes *list, int x)
{
    PANES_EACH(list, pane) {
        if (x < pane->x || x >= pane->x + pane->width) {
            continue;
        }
        printf("%d: closes %s\n", x, pane->title);
        panes_remove_current(&pane_cursor);
        /* On top of all; this pass does not visit it. */
        if (panes_add(list, (struct pane){"are you sure?", 90, 10}) != PANES_OK) {
            printf("no memory for a question\n");
        }
        return;
    }
    printf("%d: hits nothing\n", x);
}

int main(void)
{
    panes list = {0}; /* zero is a valid, empty list */

    if (panes_add(&list, (struct pane){"editor", 0, 60}) != PANES_OK ||
        panes_add(&list, (struct pane){"clock", 50, 20}) != PANES_OK ||
        panes_add(&list, (struct pane){"mail", 10, 50}) != PANES_OK) {
        return 1; /* no memory */
    }
    click(&list, 55);
    click(&list, 55);
    click(&list, 75);
    click(&list, 95);

    /* The same loop may remove several: the elements that shift down have been visited. */
    PANES_EACH(&list, pane) {
        if (pane->x == 90) {
            panes_remove_current(&pane_cursor);
        } else {
            printf("left: %s\n", pane->title);
        }
    }
    panes_deinit(&list);
    return 0;
}
