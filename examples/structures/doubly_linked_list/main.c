#include "groups.h"
#include <stdio.h>

static void report(const char *what, group *units)
{
    printf("%s:", what);
    GROUP_EACH(units, unit) {
        printf(" %s%s", unit->name, unit->air != NULL ? " (in the air)" : "");
    }
    printf("\n");
}

int main(void)
{
    struct unit eagle = {.name = "eagle"}, falcon = {.name = "falcon"}, tank = {.name = "tank"};
    group red = {0}, blue = {0}; /* zero is a valid, empty list; nothing is ever allocated */
    airborne air = {0};

    if (group_add(&red, &eagle) != GROUP_OK || group_add(&red, &tank) != GROUP_OK || group_add(&blue, &falcon) != GROUP_OK ||
        airborne_add(&air, &eagle) != AIRBORNE_OK || airborne_add(&air, &falcon) != AIRBORNE_OK) {
        return 1; /* one is in another list of its kind */
    }
    report("red", &red);

    /* The element contains its links and its list: no search, and a wrong list is detected. */
    printf("falcon joins red: %s\n", group_add(&red, &falcon) == GROUP_FOREIGN ? "it is with another group" : "welcome");
    group_remove(falcon.group, &falcon);
    printf("falcon joins red: %s\n", group_add(&red, &falcon) == GROUP_OK ? "welcome" : "no");

    GROUP_EACH(&red, unit) {
        if (unit == &eagle) { /* removes the current element, and the next one */
            unit_is_lost(&eagle); /* removes it from all its lists */
            group_remove(&red, &tank);
        }
    }
    report("red", &red);
    printf("in the air: %zu\n", airborne_count(&air));
    group_deinit(&red);
    group_deinit(&blue);
    airborne_deinit(&air);
    return 0;
}
