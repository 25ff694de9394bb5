/* What the regression programs share: CHECK, and traces of who was visited. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static unsigned checks_made, checks_failed;

/* Goes on after a failure, so that one run tells everything. */
#define CHECK(condition) check_(condition, __FILE__, __LINE__, #condition)

static inline bool check_(bool good, const char *file, int at, const char *what)
{
    checks_made++;
    if (!good) {
        checks_failed++;
        fprintf(stderr, "%s:%d: failed: %s\n", file, at, what);
    }
    return good;
}

/* For the end of main. */
static inline int checks_result(void)
{
    printf("%u checks, %u failed\n", checks_made, checks_failed);
    return checks_failed == 0 ? 0 : 1;
}

/* Numbers in the order in which they were noted: ids of the elements that a pass visited, or that a list holds. */
struct trace {
    size_t count;
    uint32_t ids[256];
};

static inline void note(struct trace *trace, uint32_t id)
{
    if (trace->count < sizeof trace->ids / sizeof *trace->ids) {
        trace->ids[trace->count++] = id;
    }
}

static inline void sort(struct trace *trace)
{
    for (size_t i = 1; i < trace->count; i++) {
        uint32_t id = trace->ids[i];
        size_t at = i;

        for (; at > 0 && trace->ids[at - 1] > id; at--) {
            trace->ids[at] = trace->ids[at - 1];
        }
        trace->ids[at] = id;
    }
}

/* Does the trace read like this: "1 2 3"? Empties it, ready for the next. */
#define CHECK_TRACE(trace, wanted) check_trace_(trace, false, wanted, __FILE__, __LINE__)
/* The same where the order is nobody's business: sorts it before. */
#define CHECK_TRACE_OF_ALL(trace, wanted) check_trace_(trace, true, wanted, __FILE__, __LINE__)

static inline bool check_trace_(struct trace *trace, bool sorted, const char *wanted, const char *file, int at)
{
    char text[4096] = "";
    char what[4400];

    if (sorted) {
        sort(trace);
    }
    for (size_t i = 0; i < trace->count; i++) {
        char id[16];

        snprintf(id, sizeof id, i == 0 ? "%lu" : " %lu", (unsigned long)trace->ids[i]);
        strcat(text, id);
    }
    trace->count = 0;
    snprintf(what, sizeof what, "wanted \"%.120s\", got \"%.4000s\"", wanted, text);
    return check_(strcmp(text, wanted) == 0, file, at, what);
}

#endif
