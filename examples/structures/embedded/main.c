#include "valves.h"
#include <stdio.h>

enum { VALVE_A = 1, VALVE_B, VALVE_C, VALVE_D, VALVE_E };

static orders pending; /* all its memory: nothing is allocated */

static void request(uint16_t valve, uint8_t opening)
{
    struct order order = {valve, opening, 2};

    if (orders_add(&pending, order) == ORDERS_FULL) {
        printf("no room for an order to valve %u\n", (unsigned)valve);
    }
}

/* Carries an order out; valve B is stuck. */
static bool moves(const struct order *order)
{
    return order->valve != VALVE_B;
}

static void print(const char *when)
{
    printf("%s:", when);
    ORDERS_EACH(&pending, order) {
        printf(" valve %u to %u %%;", (unsigned)order->valve, (unsigned)order->opening);
    }
    printf(" %u of %u\n", (unsigned)orders_count(&pending), (unsigned)ORDERS_MAX);
}

static void cycle(void)
{
    ORDERS_EACH(&pending, order) {
        uint16_t valve = order->valve;
        bool done = moves(order);

        if (!done && --order->tries == 0) {
            printf("valve %u does not move\n", (unsigned)valve);
            done = true;
        }
        if (done) {
            orders_remove_current(&order_cursor); /* the loop visits the next one */
        }
        if (valve == VALVE_A) {
            request(VALVE_E, 10); /* an order that is added is carried out in the same cycle */
        }
    }
}

int main(void)
{
    request(VALVE_A, 100);
    request(VALVE_B, 50);
    request(VALVE_C, 20);
    request(VALVE_D, 0);
    request(VALVE_E, 80);
    print("requested");
    cycle();
    print("after a cycle");
    cycle();
    print("after another");
    return 0;
}
