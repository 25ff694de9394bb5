#include "orders.h"
#include <stdio.h>

int main(void)
{
    orders list = {0}; /* zero is a valid, empty list */
    orders_handle last;

    if (orders_add(&list, (struct order){"scout the hill", 2}) != ORDERS_OK ||
        orders_add(&list, (struct order){"build a camp", 1}) != ORDERS_OK ||
        orders_add(&list, (struct order){"wait for the others", 3}) != ORDERS_OK) {
        return 1; /* no memory */
    }
    last = orders_handle_of(&list, orders_last(&list));
    for (int turn = 1; turn <= 2; turn++) {
        printf("turn %d:", turn);
        ORDERS_EACH(&list, order) {
            printf(" %s;", order->what);
            if (--order->left == 0) {
                orders_remove_current(&order_cursor); /* O(1): the pass keeps the previous element */
                if (turn == 1 && orders_add(&list, (struct order){"light a fire", 2}) != ORDERS_OK) { /* visited in this pass */
                    return 1;
                }
            }
        }
        printf(" %zu to go\n", orders_count(&list));
    }
    /* A handle stays valid through any adds and removals of other elements. */
    printf("the others: %d\n", orders_get(&list, last)->left);
    orders_remove(&list, last);
    printf("called off: %s\n", orders_get(&list, last) == NULL ? "yes" : "no");
    orders_deinit(&list);
    return 0;
}
