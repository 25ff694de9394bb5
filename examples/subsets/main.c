/* Plays one game with many kinds of lists, verifies that it is the same game, and prints the time of each. */
#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#define APART 1
#endif

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef APART
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "workload.h"

#define MOST_OBJECTS 1000000
#define MOST_VARIANTS 64
#define MOST_ROUNDS 99

struct timing {
    const struct variant *variant;
    double total[MOST_ROUNDS], update[MOST_ROUNDS]; /* of the reference's time in the same round */
    double seconds[MOST_ROUNDS];
};

struct spread {
    double median, least, most;
};

static struct timing timings[MOST_VARIANTS];

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static struct spread spread_of(double *values, size_t count)
{
    qsort(values, count, sizeof *values, ascending);
    return (struct spread){(values[(count - 1) / 2] + values[count / 2]) / 2, values[0], values[count - 1]};
}

static void print_spread(struct spread s)
{
    printf("  %.3f [%.3f..%.3f]", s.median, s.least, s.most);
}

/* Is the variant one of those named in `only`, as in "seats,hots"? */
static bool chosen(const struct variant *variant, const char *only)
{
    size_t length = strlen(variant->name);

    for (const char *at = only; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, variant->name, length) == 0 && (at[length] == ',' || at[length] == '\0')) {
            return true;
        }
    }
    return only == NULL;
}

/* In a separate process where the system has them: every variant starts with a fresh heap. */
static bool play_apart(const struct workload *workload, const struct variant *variant, struct outcome *outcome)
{
#ifdef APART
    int channel[2], status = 0;
    pid_t child;
    ssize_t got;

    if (pipe(channel) != 0 || (child = fork()) < 0) {
        perror("subsets");
        return false;
    }
    if (child == 0) {
        *outcome = play(workload, variant);
        exit(write(channel[1], outcome, sizeof *outcome) == (ssize_t)sizeof *outcome ? 0 : 1);
    }
    close(channel[1]);
    got = read(channel[0], outcome, sizeof *outcome);
    close(channel[0]);
    return waitpid(child, &status, 0) == child && status == 0 && got == (ssize_t)sizeof *outcome;
#else
    *outcome = play(workload, variant);
    return true;
#endif
}

static int usage(void)
{
    fputs("usage: subsets [--objects N] [--passes N] [--rounds N] [--only NAME,...]\n", stderr);
    return 2;
}

static bool number(const char *text, unsigned long most, uint32_t *value)
{
    char *end;
    unsigned long read = strtoul(text, &end, 10);

    *value = (uint32_t)read;
    return end != text && *end == '\0' && read >= 1 && read <= most;
}

int main(int argc, char **argv)
{
    const struct variant *families[] = {linked_variants, array_variants, generated_variants};
    struct workload workload = {.objects = 4000, .passes = 10, .seed = 0x9e3779b97f4a7c15u};
    struct outcome reference = {0};
    uint32_t rounds = 5;
    const char *only = NULL;
    size_t count = 0, wanted = 0;

    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        bool fine;

        if (strcmp(argv[i], "--objects") == 0) {
            fine = number(value, MOST_OBJECTS, &workload.objects);
        } else if (strcmp(argv[i], "--passes") == 0) {
            fine = number(value, 1000, &workload.passes);
        } else if (strcmp(argv[i], "--rounds") == 0) {
            fine = number(value, MOST_ROUNDS, &rounds);
        } else {
            only = value;
            fine = strcmp(argv[i], "--only") == 0 && only[0] != '\0';
        }
        if (!fine) {
            return usage();
        }
    }
    for (const char *at = only; at != NULL; at = strchr(at + 1, ',')) {
        wanted++;
    }
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        for (const struct variant *variant = families[f]; variant->name != NULL; variant++) {
            bool named = chosen(variant, only);

            if (named || count == 0) { /* the first is the reference */
                timings[count++].variant = variant;
            }
            wanted -= only != NULL && named;
        }
    }
    if (wanted != 0) {
        return usage(); /* an unknown name, or a duplicate */
    }
    for (uint32_t round = 0; round < rounds; round++) { /* all variants in each round, under the same load of the machine */
        double unit = 0, update_unit = 0;

        for (size_t v = 0; v < count; v++) {
            struct outcome outcome;

            if (!play_apart(&workload, timings[v].variant, &outcome)) {
                fprintf(stderr, "subsets: %s has failed\n", timings[v].variant->name);
                return 1;
            }
            if (v == 0) {
                unit = outcome.seconds;
                update_unit = outcome.update_seconds;
            }
            if (v == 0 && round == 0) {
                reference = outcome;
            }
            if (!same_outcome(&reference, &outcome)) {
                fprintf(stderr, "subsets: %s has played another game than %s\n", timings[v].variant->name,
                        timings[0].variant->name);
                return 1;
            }
            timings[v].total[round] = outcome.seconds / unit;
            timings[v].update[round] = outcome.update_seconds / update_unit;
            timings[v].seconds[round] = outcome.seconds;
        }
    }
    printf("%" PRIu32 " objects, %" PRIu32 " passes: %" PRIu64 " visits, %" PRIu64 " destroyed, %" PRIu64 " live\n",
           workload.objects, workload.passes, reference.visits, reference.destroyed, reference.live);
    printf("variants: %zu, rounds: %" PRIu32 ", checksum of all: %016" PRIx64 "\n\n", count, rounds,
           reference.checksum);
    puts("CPU time, as a share of the first line's in the same round: median [least..most]");
    printf("%-74s%-22s%-22s%s\n", "", "all", "passes alone", "   ms");
    for (size_t v = 0; v < count; v++) {
        const struct variant *variant = timings[v].variant;

        printf("%-9s  %-17s  %-41s", variant->by_hand ? "by hand" : "generated", variant->name, variant->about);
        print_spread(spread_of(timings[v].total, rounds));
        print_spread(spread_of(timings[v].update, rounds));
        printf("  %5.0f\n", 1000 * spread_of(timings[v].seconds, rounds).median);
    }
    return 0;
}
