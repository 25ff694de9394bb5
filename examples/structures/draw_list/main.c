#include "canvas.h"
#include <stdio.h>

static void draw(canvas *list)
{
    CANVAS_EACH(list, figure) { /* sorts first: almost free if nothing has changed */
        printf(" %s", figure->name);
    }
    printf("\n");
}

int main(void)
{
    struct figure sky = {"sky", 100}, tree = {"tree", 8}, bush = {"bush", 8}, walker = {"walker", 9}, cloud = {"cloud", 90};
    canvas list = {0}; /* zero is a valid, empty list */

    if (canvas_add(&list, &tree) != CANVAS_OK || canvas_add(&list, &walker) != CANVAS_OK ||
        canvas_add(&list, &bush) != CANVAS_OK || canvas_add(&list, &sky) != CANVAS_OK) {
        return 1; /* no memory */
    }
    draw(&list);

    walker.depth = 5; /* nearer than the tree */
    if (canvas_add(&list, &cloud) != CANVAS_OK) {
        return 1;
    }
    draw(&list);

    walker.depth = 8; /* as far as tree and bush: stays after them in the order, so in front in the picture */
    canvas_remove(&list, &cloud);
    draw(&list);

    canvas_deinit(&list);
    return 0;
}
