/* The loops of C++17 over the containers of loops.c. */
#include "loops.h"
#include "lists.h"

#define CONTAINER(T)                                                                                                             \
    extern "C" float range_##T(void *of, size_t)                                                                                 \
    {                                                                                                                            \
        float sum = 0;                                                                                                           \
        for (struct spot &spot : T##_each((T *)of)) {                                                                            \
            sum += spot.x;                                                                                                       \
        }                                                                                                                        \
        return sum;                                                                                                              \
    }                                                                                                                            \
    extern "C" float range_removing_##T(void *of, size_t)                                                                        \
    {                                                                                                                            \
        float sum = 0;                                                                                                           \
        auto pass = T##_each((T *)of);                                                                                           \
        for (struct spot &spot : pass) {                                                                                         \
            if (spot.id == 1) {                                                                                                  \
                pass.remove_current();                                                                                           \
                continue;                                                                                                        \
            }                                                                                                                    \
            sum += spot.x;                                                                                                       \
            spot.x = 1;                                                                                                          \
        }                                                                                                                        \
        return sum;                                                                                                              \
    }

CONTAINER(shifted)
CONTAINER(loose)
CONTAINER(many)
CONTAINER(gapped)
CONTAINER(chunked)
CONTAINER(holes)
CONTAINER(dead)
CONTAINER(linked)
