/* Counts what the allocator has handed out: every malloc, realloc and free of the program and of its libraries. */
#ifndef COUNTING_H
#define COUNTING_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that are taken now: what may be used of each block, and the word that glibc keeps before it. */
size_t counted_bytes(void);

#ifdef __cplusplus
}
#endif

#endif
