#ifndef ORDER_H
#define ORDER_H

/* Large enough that nobody wants to move it. */
struct order {
    char what[56];
    int left; /* steps to its end */
};

#endif
