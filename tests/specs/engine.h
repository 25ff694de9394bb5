/* What an engine brings along: its own base header, and things that are kept in lists. */
#ifndef ENGINE_H
#define ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned engine_size;

#if defined(__GNUC__)
#define ENGINE_API __attribute__((visibility("default")))
#else
#define ENGINE_API
#endif

void engine_failed(const char *file, int line, const char *condition);
#define ENGINE_ASSERT(condition) ((condition) ? (void)0 : engine_failed(__FILE__, __LINE__, #condition))

void *engine_take(size_t bytes);
void *engine_resize(void *block, size_t bytes);
void engine_give_back(void *block);
#define ENGINE_MALLOC(bytes) engine_take(bytes)
#define ENGINE_REALLOC(block, bytes) engine_resize(block, bytes)
#define ENGINE_FREE(block) engine_give_back(block)

typedef struct engine_thing {
    uint32_t id;
    uint32_t slot;
    float depth;
    bool gone;
    struct engine_thing *next, *prev, *parent, *sibling;
    void *owner;
} engine_thing;

#ifdef __cplusplus
}
#endif

#endif
