#ifndef FIGURE_H
#define FIGURE_H

struct figure {
    const char *name;
    float depth; /* how far away it is */
};

#endif
