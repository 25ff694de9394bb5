#ifndef BUBBLE_H
#define BUBBLE_H

struct bubble {
    int size;
    int growth;
};

struct bubbles;

void bubble_grows(struct bubbles *list, struct bubble *bubble, int *updates);

#endif
