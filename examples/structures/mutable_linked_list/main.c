#include "turns.h"
#include <stdio.h>
#include <string.h>

static void show(turns *list)
{
    printf("order:");
    TURNS_EACH(list, turn) {
        printf(" %s", turn->who);
    }
    printf("\n");
}

int main(void)
{
    turns list = {0}; /* zero is a valid, empty list */
    turns_status status;

    if (turns_add(&list, (struct turn){"hero", 1}) != TURNS_OK || turns_add(&list, (struct turn){"goblin", 1}) != TURNS_OK ||
        turns_insert_before(&list, turns_last(&list), (struct turn){"archer", 1}) != TURNS_OK) {
        return 1; /* no memory */
    }
    show(&list);
    TURNS_EACH(&list, turn) {
        const char *who = turn->who;
        bool done = --turn->left == 0;

        printf("%s acts\n", who);
        status = TURNS_OK;
        if (strcmp(who, "hero") == 0) { /* before the next one, so ahead of this pass: the wolf is next */
            status = turns_insert_before(&list, turns_next_of(&list, turn), (struct turn){"wolf", 2});
        } else if (strcmp(who, "archer") == 0) { /* before it, so behind this pass: the next round visits the trap */
            status = turns_insert_before(&list, turn, (struct turn){"trap", 1});
        }
        if (status != TURNS_OK) {
            return 1;
        }
        if (done) {
            turns_remove_current(&turn_cursor);
        }
    }
    show(&list);
    turns_deinit(&list);
    return 0;
}
