#ifndef SHIP_H
#define SHIP_H

struct ship {
    int number;
    int hull;
};

#endif
