#include "units.h"
#include <stdio.h>

static units army; /* zero is a valid, empty array */

static units_handle enlist(const char *name, int hp)
{
    struct unit *unit = units_emplace(&army);

    if (unit == NULL) {
        return (units_handle){0, 0}; /* never valid */
    }
    *unit = (struct unit){name, hp, 0};
    return units_handle_of(&army, unit);
}

static void aim(units_handle who, units_handle at)
{
    units_get(&army, who)->target = (uint32_t)at.generation << 16 | at.index;
}

static void shoot(units_handle who)
{
    struct unit *unit = units_get(&army, who);
    units_handle at = {(uint16_t)(unit->target & 0xffff), (uint16_t)(unit->target >> 16)};
    struct unit *target = units_get(&army, at);

    if (target == NULL) {
        printf("%s: the target is gone\n", unit->name);
        return;
    }
    target->hp -= 5;
    printf("%s hits %s\n", unit->name, target->name);
    if (target->hp <= 0) {
        (void)units_remove(&army, at);
    }
}

int main(void)
{
    units_handle tank = enlist("tank", 20);
    units_handle scout = enlist("scout", 5);
    units_handle tower = enlist("tower", 50); /* the array grows; the handles stay valid */

    aim(tank, scout);
    aim(tower, scout);
    shoot(tank);
    enlist("medic", 8); /* in the slot of the scout */
    shoot(tower);
    printf("units: %lu\n", (unsigned long)units_count(&army));
    units_deinit(&army);
    return 0;
}
