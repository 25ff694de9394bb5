/* As folded.c, for compilers without integers of 128 bits. */
#define BESPOKE_WIDE 0
#include "folded.c"
