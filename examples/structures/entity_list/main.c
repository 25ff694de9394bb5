#include "enemies.h"
#include <stdio.h>

static struct enemy child = {"the child", 4, 2};

/* Runs for each enemy, once per update. */
void enemy_updates(struct enemies *list, struct enemy *enemy, const struct frame *frame)
{
    (void)list;
    enemy->hp -= enemy->loss;
    printf("  %d: %s has %d hp\n", frame->number, enemy->name, enemy->hp);
}

/* Runs after the removal, with the final count. It may add another element, or free this one. */
void enemy_leaves(struct enemies *list, struct enemy *enemy)
{
    printf("  %s is gone, %zu left\n", enemy->name, enemies_count(list));
    if (enemy->hp < 0) {
        (void)enemies_add(list, &child); /* updated in the same update; not there if memory is refused */
    }
}

int main(void)
{
    enemies list = {0}; /* zero is a valid, empty list */
    struct enemy slug = {"the slug", 5, 1}, bat = {"the bat", 3, 2}, wolf = {"the wolf", 9, 3};

    if (enemies_add(&list, &slug) != ENEMIES_OK || enemies_add(&list, &bat) != ENEMIES_OK || enemies_add(&list, &wolf) != ENEMIES_OK) {
        return 1; /* no memory */
    }
    for (struct frame frame = {1}; frame.number <= 3; frame.number++) {
        printf("frame %d\n", frame.number);
        if (frame.number == 2) {
            slug.hp = 0; /* expired before its update: removed without one */
        }
        enemies_update(&list, &frame);
        enemies_settle(&list, 1.0 / 60); /* frees memory when little of it was used for long */
    }
    printf("%zu left\n", enemies_count(&list));
    enemies_deinit(&list);
    return 0;
}
