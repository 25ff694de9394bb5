#include "fleet.h"
#include <stdio.h>

int main(void)
{
    fleet ships = {0};

    for (int number = 1; number <= 5; number++) {
        if (fleet_add(&ships, (struct ship){.number = number, .hull = number % 3}) != FLEET_OK) {
            return 1;
        }
    }
    FLEET_EACH(&ships, ship) {
        if (ship->hull == 0) {
            fleet_remove_current(&ship_cursor);
        }
    }
    printf("%zu ships left\n", fleet_count(&ships));
    fleet_deinit(&ships);
    return 0;
}
