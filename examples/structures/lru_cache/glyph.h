#ifndef GLYPH_H
#define GLYPH_H

#include <stdint.h>

/* The picture of a letter in a texture that holds few. */
struct glyph {
    uint32_t letter;
    unsigned cell;
    unsigned uses;
};

#endif
