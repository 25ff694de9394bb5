#include "lights.h"
#include <stdio.h>

static lights_handle shine(lights *all, float x, float y, float power)
{
    struct light *light = lights_emplace(all);

    if (light == NULL) {
        return (lights_handle){0, 0}; /* never valid */
    }
    *light = (struct light){x, y, power};
    return lights_handle_of(all, light);
}

int main(void)
{
    lights all = {0};
    lights_handle lamp = shine(&all, 0, 0, 5);
    lights_handle match = shine(&all, 1, 2, 1);
    lights_handle fire = shine(&all, 8, 3, 20);
    float sum = 0;

    (void)lights_remove(&all, match); /* the fire fills the vacated slot */
    printf("match: %s\n", lights_get(&all, match) == NULL ? "out" : "burns");
    printf("fire: power %.0f\n", lights_get(&all, fire)->power);

    shine(&all, 4, 4, 2); /* in the slot of the match, with another generation */
    printf("match: %s\n", lights_get(&all, match) == NULL ? "still out" : "somebody else's");
    lights_get(&all, lamp)->power += 1;

    /* Without handles or cursors: all elements, as one array. */
    for (size_t i = 0; i < lights_count(&all); i++) {
        sum += lights_data(&all)[i].power;
    }
    printf("%lu lights of power %.0f\n", (unsigned long)lights_count(&all), sum);
    lights_deinit(&all);
    return 0;
}
