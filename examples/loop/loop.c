#include "loop.h"
#include "waiting.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>

struct loop {
    watchers watchers;
    timers timers;
    tasks prepared, posted;
    uint64_t now;
    unsigned long stale;
    ready ready;
    struct pollfd *polled; /* the arguments of the last poll */
    size_t room;
};

static uint64_t clock_now(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

struct loop *loop_make(void)
{
    struct loop *loop = calloc(1, sizeof *loop);

    if (loop != NULL) {
        loop->now = clock_now();
    }
    return loop;
}

void loop_free(struct loop *loop)
{
    watchers_deinit(&loop->watchers);
    timers_deinit(&loop->timers);
    tasks_deinit(&loop->prepared);
    tasks_deinit(&loop->posted);
    ready_deinit(&loop->ready);
    free(loop->polled);
    free(loop);
}

uint64_t loop_now(const struct loop *loop) { return loop->now; }
unsigned long loop_stale(const struct loop *loop) { return loop->stale; }

/* -- descriptors ------------------------------------------------------------------------------------------------------ */

bool loop_watch(struct loop *loop, struct watcher *watcher, int fd, short events)
{
    watcher->fd = fd;
    watcher->events = events;
    return ready_reserve(&loop->ready, (size_t)fd + 1) == READY_OK /* so poll_once needs no memory for it */
        && watchers_add(&loop->watchers, watcher) == WATCHERS_OK;
}

void loop_unwatch(struct loop *loop, struct watcher *watcher)
{
    if (watchers_find(&loop->watchers, (uint64_t)watcher->fd) == watcher) {
        (void)watchers_remove_key(&loop->watchers, (uint64_t)watcher->fd);
        loop->stale += ready_remove(&loop->ready, (size_t)watcher->fd) == READY_OK;
    }
}

static bool has_room(struct loop *loop, size_t count)
{
    if (count > loop->room) {
        struct pollfd *polled = realloc(loop->polled, 2 * count * sizeof *polled);

        if (polled != NULL) {
            loop->polled = polled;
            loop->room = 2 * count;
        }
    }
    return count <= loop->room;
}

/* How long poll may wait, in ms: -1 without a timer. */
static int patience(const struct loop *loop)
{
    const struct timer *first = timers_first_const(&loop->timers);
    uint64_t now = clock_now();

    if (first == NULL || !tasks_is_empty(&loop->posted)) {
        return first == NULL && tasks_is_empty(&loop->posted) ? -1 : 0;
    }
    return first->due <= now ? 0 : first->due - now < 60000 ? (int)(first->due - now) : 60000;
}

/* Polls, and calls those that are ready. To stop a watcher takes its descriptor out of the set, so its event is not delivered, also where the number
   was given to another descriptor, which has a watcher already. */
static bool poll_once(struct loop *loop)
{
    size_t count = 0;
    int found;

    if (!has_room(loop, watchers_count(&loop->watchers))) {
        return false;
    }
    WATCHERS_EACH(&loop->watchers, watcher) {
        loop->polled[count++] = (struct pollfd){.fd = watcher->fd, .events = watcher->events};
    }
    found = poll(loop->polled, (nfds_t)count, patience(loop));
    loop->now = clock_now();
    for (size_t i = 0; i < count && found > 0; i++) {
        if (loop->polled[i].revents != 0) {
            watchers_find(&loop->watchers, (uint64_t)loop->polled[i].fd)->happened = loop->polled[i].revents;
            (void)ready_add(&loop->ready, (size_t)loop->polled[i].fd);
        }
    }
    READY_EACH(&loop->ready, fd) {
        struct watcher *watcher = watchers_find(&loop->watchers, fd);

        ready_remove_current(&fd_cursor);
        watcher->ready(loop, watcher, watcher->happened);
    }
    return found >= 0 || errno == EINTR;
}

/* -- timers and tasks ------------------------------------------------------------------------------------------------- */

void loop_start(struct loop *loop, struct timer *timer, uint64_t after)
{
    timer->due = loop->now + (after > 0 ? after : 1); /* so none rings twice in one turn */
    if (timer->owner == NULL) {
        (void)timers_add(&loop->timers, timer);
    } else {
        (void)timers_rekey(&loop->timers, timer);
    }
}

void loop_stop(struct loop *loop, struct timer *timer)
{
    (void)timers_remove(&loop->timers, timer);
}

static void ring_due(struct loop *loop)
{
    struct timer *timer;

    while ((timer = timers_first(&loop->timers)) != NULL && timer->due <= loop->now) {
        (void)timers_pop(&loop->timers, &timer);
        timer->ring(loop, timer);
    }
}

void loop_prepare(struct loop *loop, struct task *task)
{
    (void)tasks_add(&loop->prepared, task);
}

void loop_post(struct loop *loop, struct task *task)
{
    (void)tasks_add(&loop->posted, task);
}

void loop_cancel(struct loop *loop, struct task *task)
{
    (void)tasks_remove(task->owner == &loop->prepared ? &loop->prepared : &loop->posted, task);
}

bool loop_turn(struct loop *loop)
{
    TASKS_EACH(&loop->prepared, task) {
        task->run(loop, task);
    }
    if (watchers_is_empty(&loop->watchers) && timers_is_empty(&loop->timers) && tasks_is_empty(&loop->posted)) {
        return false;
    }
    if (!poll_once(loop)) {
        return false;
    }
    ring_due(loop);
    TASKS_EACH(&loop->posted, task) {
        tasks_remove_current(&task_cursor);
        task->run(loop, task);
    }
    return true;
}
