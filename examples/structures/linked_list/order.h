#ifndef ORDER_H
#define ORDER_H

/* Too large to be moved. */
struct order {
    char what[56];
    int left; /* steps to its end */
};

#endif
