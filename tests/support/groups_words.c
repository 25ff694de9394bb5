/* As groups.c, for machines without vectors. */
#define BESPOKE_VECTORS 0
#include "groups.c"
