#include "scenes.h"
#include <stdio.h>

void actor_update(struct scene_layer *layer, struct actor *actor, const struct scene_tick *tick)
{
    (void)layer;
    actor->age += tick->seconds;
    printf("  %s: %s is %g s old\n", tick->context, actor->name, actor->age);
}

static void draw(scene *list)
{
    printf("drawn:");
    SCENE_EACH_VISIBLE(list, actor) {
        printf(" %s", actor->name);
    }
    printf("\n");
}

int main(void)
{
    static struct actor rock = {"rock", 0, false}, tank = {"tank", 0, false}, bird = {"bird", 0, false}, button = {"button", 0, false};
    scene list = {0}; /* every layer is enabled and visible, at time scale 1 */

    (void)scene_add(&list, SCENE_MENU, &button);
    (void)scene_add(&list, SCENE_GROUND, &rock);
    (void)scene_add(&list, SCENE_UNITS, &tank);
    (void)scene_add(&list, SCENE_GROUND, &bird);
    draw(&list);

    scene_set_time_scale(&list, SCENE_UNITS, 0.5); /* slow motion */
    scene_set_enabled(&list, SCENE_GROUND, false);
    scene_update(&list, 2, "first frame");

    (void)scene_move(&list, &bird, SCENE_UNITS); /* takes off */
    rock.gone = true;
    draw(&list); /* a removed element is not drawn, even without an update */
    scene_settle(&list);
    printf("left: %lu, the rock is %s\n", (unsigned long)scene_count(&list), scene_contains(&list, &rock) ? "in" : "out");
    scene_update(&list, 2, "second frame");
    scene_remove(&list, &tank); /* from any layer */
    printf("units: %lu\n", (unsigned long)scene_layer_count(scene_layer_at(&list, SCENE_UNITS)));
    scene_deinit(&list);
    return 0;
}
