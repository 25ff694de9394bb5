/* An event loop over poll(2). Its parts are in structs of yours, which stop them before they are freed; any callback may start, stop
   and free any of them, its own included. */
#ifndef LOOP_H
#define LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct loop;

struct watcher {
    void (*ready)(struct loop *loop, struct watcher *watcher, short events);
    int fd;
    short events;   /* the events for poll */
    short happened; /* those that the last poll has found */
};

struct timer {
    void (*ring)(struct loop *loop, struct timer *timer);
    uint64_t due; /* ms, by loop_now */
    struct timer *next, *prev, *left, *right, *parent;
    void *owner; /* NULL: it does not run */
    uint64_t turn;
};

struct task {
    void (*run)(struct loop *loop, struct task *task);
    struct task *next, *prev;
    void *owner; /* NULL: it does not wait */
};

struct loop *loop_make(void); /* NULL: out of memory */
void loop_free(struct loop *loop);

/* One turn: prepared tasks; poll, which waits until something is to do; ready descriptors; due timers; posted tasks. Returns false if there
   is nothing to wait for, or poll fails. Not to be called by a callback. */
bool loop_turn(struct loop *loop);

uint64_t loop_now(const struct loop *loop);        /* ms, read behind each poll */
unsigned long loop_stale(const struct loop *loop); /* descriptors that poll found ready, whose watcher was stopped before its turn */

/* False: out of memory, or this descriptor has a watcher. */
bool loop_watch(struct loop *loop, struct watcher *watcher, int fd, short events);
void loop_unwatch(struct loop *loop, struct watcher *watcher); /* of a watcher that is not there: nothing */

void loop_start(struct loop *loop, struct timer *timer, uint64_t after); /* in at least 1 ms; anew if it runs */
void loop_stop(struct loop *loop, struct timer *timer);

void loop_prepare(struct loop *loop, struct task *task); /* in each turn, before poll */
void loop_post(struct loop *loop, struct task *task);    /* once, at the end of a turn: of the next one if posted tasks are running */
void loop_cancel(struct loop *loop, struct task *task);

#endif
