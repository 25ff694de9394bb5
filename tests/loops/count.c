/* Counts the instructions that a function executes: a child calls it, and its parent lets it go one instruction at a time. */
#define _GNU_SOURCE
#include "loops.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static float result;

/* From one stop of the child to the next; what lies between the stops and the function is the same in each call. */
static long count(const struct loop *loop, size_t n)
{
    long steps = 0;
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        void *list = loop->make(n);
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) {
            _exit(77);
        }
        raise(SIGSTOP);
        result = loop->run(list, n);
        raise(SIGSTOP);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) {
        exit(77); /* it may not be traced here */
    }
    do {
        if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) != 0 || waitpid(child, &status, 0) != child) {
            exit(77);
        }
        steps++;
    } while (WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP);
    if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGSTOP) {
        exit(1);
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return steps;
}

int main(void)
{
    for (const struct loop *loop = loops; loop->name != NULL; loop++) {
        long few = count(loop, 16);
        long one_word = count(loop, 64);
        long many = count(loop, 192);

        /* A turn; and what the whole costs beside its turns, with what lies around it. */
        printf("%s %.3f %.1f\n", loop->name, (double)(many - one_word) / 128, (double)few - (double)(one_word - few) / 3);
        fflush(stdout);
    }
    return 0;
}
