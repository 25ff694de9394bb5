/* Runs the arena for a number of frames, and prints a report. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"
#include "world.h"

#define SAMPLED 16 /* one frame out of 16 is timed */

static const struct {
    const char *name, *kind;
} lists[LISTS] = {
    [LIST_HANGAR] = {"hangar", "reuse, hash by key"},
    [LIST_ENEMIES] = {"enemies", "deletable object list"},
    [LIST_THREATS] = {"threats", "constant time array"},
    [LIST_BULLETS] = {"bullets", "entity list"},
    [LIST_MISSILES] = {"missiles", "entity list"},
    [LIST_TARGETS] = {"targets", "read-write collections"},
    [LIST_DEBRIS] = {"debris", "swap, unordered"},
    [LIST_EFFECTS] = {"effects", "item pool"},
    [LIST_TIMERS] = {"timers", "timer queue"},
    [LIST_ARRIVALS] = {"arrivals", "ring, inline"},
    [LIST_TURRETS] = {"turrets", "shift, inline"},
    [LIST_HITS] = {"hits", "tombstone, hash by key"},
    [LIST_LEAVING] = {"leaving", "locking list of cpBody"},
    [LIST_BLAST] = {"blast", "swap, hash, of cpShape"},
};

static uint64_t work_of(const struct tally *tally)
{
    return tally->added + tally->offered;
}

static void print_busiest(const struct world *w, int number)
{
    bool shown[LISTS] = {false};

    for (; number > 0; number--) {
        int best = -1;

        for (int i = 0; i < LISTS; i++) {
            if (!shown[i] && (best < 0 || work_of(&w->lists[i]) > work_of(&w->lists[best]))) {
                best = i;
            }
        }
        shown[best] = true;
        printf("  %-9s%-23s %6" PRIu64 " added, at most %3zu at once; %6" PRIu64 " passes, over %.0f on average\n",
               lists[best].name, lists[best].kind, w->lists[best].added, w->lists[best].peak, w->lists[best].passes,
               w->lists[best].passes == 0 ? 0.0 : (double)w->lists[best].offered / (double)w->lists[best].passes);
    }
}

static int usage(void)
{
    fputs("usage: arena [--frames N] [--seed N] [--picture FILE] [--trace FILE] [--check]\n", stderr);
    return 2;
}

int main(int argc, char **argv)
{
    static struct world world;
    struct world *w = &world;
    unsigned long frames = 3600, seed = 7;
    const char *picture = NULL, *trace = NULL;
    bool check = false;
    uint64_t total = 0, step = 0, containers = 0, samples = 0, objects, clock;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--check") == 0) {
            check = true;
        } else if (i + 1 == argc) {
            return usage();
        } else if (strcmp(argv[i], "--frames") == 0) {
            frames = strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--seed") == 0) {
            seed = strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--picture") == 0) {
            picture = argv[++i];
        } else if (strcmp(argv[i], "--trace") == 0) {
            trace = argv[++i];
        } else {
            return usage();
        }
    }
    if (trace != NULL && !bespoke_trace_begin(trace)) { /* without -DBESPOKE_TRACE=1 there is none */
        fprintf(stderr, "arena: cannot trace to %s\n", trace);
        return 1;
    }
    if (!world_open(w, seed)) {
        fputs("arena: no memory\n", stderr);
        return 1;
    }
    clock = now_ns();
    for (int i = 0; i < 999; i++) {
        (void)now_ns();
    }
    clock = (now_ns() - clock) / 1000; /* minus the cost of reading the clock */

    for (unsigned long frame = 1; frame <= frames; frame++) {
        uint64_t began, took, changes;

        memset(&w->watch, 0, sizeof w->watch);
        w->watch.on = frame % SAMPLED == 0;
        began = now_ns();
        world_frame(w);
        bespoke_trace_frame();
        took = now_ns() - began;
        if (w->watch.on) {
            w->watch.on = false;
            took -= clock * w->watch.reads < took ? clock * w->watch.reads : took;
            changes = w->watch.changes;
            changes -= clock * w->watch.reads / 2 < changes ? clock * w->watch.reads / 2 : changes;
            total += took;
            step += w->step_ns;
            containers += changes + world_walk_ns(w);
            samples++;
        }
        if (check || frame == frames) {
            const char *problem = world_check(w);

            if (problem != NULL) {
                fprintf(stderr, "arena: frame %lu: %s\n", frame, problem);
                return 1;
            }
        }
    }

    objects = w->bodies + w->lists[LIST_EFFECTS].added + w->lists[LIST_TIMERS].added;
    printf("arena: %lu frames on Chipmunk %s, %" PRIu64 " objects in %d generated lists: %" PRIu64 " bodies, %"
           PRIu64 " effects, %" PRIu64 " timers\n",
           frames, cpVersionString, objects, LISTS, w->bodies, w->lists[LIST_EFFECTS].added,
           w->lists[LIST_TIMERS].added);
    print_busiest(w, 5);
    printf("  in loops and callbacks: %" PRIu64 " enemies died, %" PRIu64 " by another's death; %" PRIu64
           " turrets fell; %" PRIu64 " bodies doomed in the step, %" PRIu64 " twice; %"
           PRIu64 " chunks cleared; %" PRIu64 " stale handles; timers cancelled: %" PRIu64 "\n",
           w->kills, w->chained, w->fallen, w->queued, w->twice, w->swept, w->stale, w->cancelled);
    if (samples > 0 && total > 0) {
        double frame = (double)total / (double)samples / 1000.0;
        double lists_us = (double)containers / (double)samples / 1000.0;
        double step_us = (double)step / (double)samples / 1000.0;

        printf("  a frame takes %.0f us: containers %.0f us (%.0f%%), physics %.0f us, the rest %.0f us; one frame in "
               "%d is timed,\n  containers being every changing call, and every pass once more with an empty body\n",
               frame, lists_us, 100.0 * lists_us / frame, step_us, frame - lists_us - step_us, SAMPLED);
    }
    printf("  checksum %016" PRIx64 "\n", w->checksum);
    if (picture != NULL && !picture_write(w, picture)) {
        fprintf(stderr, "arena: cannot write %s\n", picture);
        return 1;
    }
    world_close(w);
    if (!bespoke_trace_end()) {
        fprintf(stderr, "arena: cannot write %s\n", trace);
        return 1;
    }
    return 0;
}
