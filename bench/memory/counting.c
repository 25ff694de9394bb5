/* The C library's functions for memory, with a count. Defined in the program, they serve its shared libraries, too. */
#include "counting.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *block);

static size_t taken;

static size_t held(void *block)
{
    return block == NULL ? 0 : malloc_usable_size(block) + sizeof(size_t);
}

static void *count(void *block)
{
    taken += held(block);
    return block;
}

size_t counted_bytes(void)
{
    return taken;
}

void *malloc(size_t bytes)
{
    return count(__libc_malloc(bytes));
}

void *calloc(size_t number, size_t bytes)
{
    return count(__libc_calloc(number, bytes));
}

void *realloc(void *block, size_t bytes)
{
    size_t before = held(block);
    void *moved = __libc_realloc(block, bytes);
    if (moved != NULL || bytes == 0) {
        taken -= before;
    }
    return count(moved);
}

void free(void *block)
{
    taken -= held(block);
    __libc_free(block);
}

void *memalign(size_t alignment, size_t bytes)
{
    return count(__libc_memalign(alignment, bytes));
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return memalign(alignment, bytes);
}

int posix_memalign(void **block, size_t alignment, size_t bytes)
{
    void *found = memalign(alignment, bytes);
    if (found == NULL) {
        return ENOMEM;
    }
    *block = found;
    return 0;
}
