/* Runs each case in a process of its own. What that prints is printed, then a mark, how it ended, and another mark. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct bm_case {
    void (*run)(void);
    void (*finish)(void);
};

static void bm_wrong(const char *kind, const char *what)
{
    fprintf(stderr, "%s%s\n", kind, what);
    exit(3);
}

/* What a caller who relies on the contract, or on more, takes for granted. */
#define EXPECT(condition)                    \
    do {                                     \
        if (!(condition)) {                  \
            bm_wrong("expected ", #condition); \
        }                                    \
    } while (0)

#define FILLED 0xa5 /* memory that nobody has initialised */

/* CASES */
/* An address that calls have left on the stack is no reason for LeakSanitizer to take a block for used. */
static void __attribute__((noinline)) bm_wipe_stack(void)
{
    volatile unsigned char left[1 << 16];

    for (size_t i = 0; i < sizeof left; i++) {
        left[i] = 0;
    }
}

int main(int count, char **arguments)
{
    size_t i;
    unsigned limit = count > 1 ? (unsigned)atoi(arguments[1]) : 2;

    setvbuf(stdout, NULL, _IONBF, 0);
    dup2(1, 2);
    for (i = 0; i < sizeof bm_cases / sizeof bm_cases[0]; i++) {
        int status = 0;
        pid_t child = fork();

        if (child == 0) {
            struct rlimit none = {0, 0}, soon = {limit, limit + 1};

            setrlimit(RLIMIT_CORE, &none);
            setrlimit(RLIMIT_CPU, &soon); /* of a loop that does not end */
            alarm(60 * limit);
            bm_cases[i].run();
            bm_cases[i].finish();
            bm_wipe_stack();
            exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) != child) {
            return 2;
        }
        if (WIFSIGNALED(status)) {
            printf("\x1fsignal %d\x1e", WTERMSIG(status));
        } else {
            printf("\x1f"
                   "exit %d\x1e",
                   WEXITSTATUS(status));
        }
    }
    return 0;
}
