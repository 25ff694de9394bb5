/* Signals and their listeners: callbacks that disconnect themselves and each other, connect others, and emit the same signal again. */
#include "signals.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define OWNER(listener, type, member) ((type *)(void *)((char *)(listener) - offsetof(type, member)))

static void emit(listeners *signal, void *data)
{
    LISTENERS_EACH(signal, listener) {
        listener->notify(listener, data);
    }
}

static void join(listeners *signal, struct listener *listener, void (*notify)(struct listener *, void *))
{
    listener->notify = notify;
    if (listeners_add(signal, listener) != LISTENERS_OK) {
        fputs("signals: out of memory\n", stderr);
        exit(1);
    }
}

/* -- a window that closes, and its watchers ---------------------------------------------------------------------------- */

struct window {
    const char *title;
    listeners closes;
};

struct watcher {
    const char *name;
    struct window *window;
    struct listener closes;
    struct watcher *other; /* the one that it frees, or has connected */
};

static struct watcher *watch(struct window *window, const char *name, void (*notify)(struct listener *, void *))
{
    struct watcher *watcher = calloc(1, sizeof *watcher);

    if (watcher == NULL) {
        exit(1);
    }
    watcher->name = name;
    watcher->window = window;
    join(&window->closes, &watcher->closes, notify);
    return watcher;
}

static void dismiss(struct watcher *watcher)
{
    (void)listeners_remove(&watcher->window->closes, &watcher->closes);
    free(watcher);
}

static struct watcher *said(struct listener *listener, void *data)
{
    struct watcher *watcher = OWNER(listener, struct watcher, closes);

    printf("%s: %s closes\n", watcher->name, ((struct window *)data)->title);
    return watcher;
}

static void says(struct listener *listener, void *data)
{
    (void)said(listener, data);
}

static void says_once(struct listener *listener, void *data)
{
    dismiss(said(listener, data));
}

/* Frees the next one in the list: a loop that has noted the next one would call it. */
static void takes_along(struct listener *listener, void *data)
{
    dismiss(said(listener, data)->other);
}

static void brings_another(struct listener *listener, void *data)
{
    struct watcher *watcher = said(listener, data);

    if (watcher->other == NULL) { /* which is called from the next emission on */
        watcher->other = watch(watcher->window, "late", says);
    }
}

static void close_twice(void)
{
    struct window window = {.title = "editor"};
    struct watcher *menu, *panel;

    (void)watch(&window, "once", says_once);
    menu = watch(&window, "menu", takes_along);
    menu->other = watch(&window, "tooltip", says);
    panel = watch(&window, "panel", brings_another);
    emit(&window.closes, &window);
    menu->closes.notify = says;
    puts("again");
    emit(&window.closes, &window);
    dismiss(menu);
    dismiss(panel->other);
    dismiss(panel);
    printf("%u listen\n", (unsigned)listeners_count(&window.closes));
    listeners_deinit(&window.closes);
}

/* -- a signal that its own listeners emit ------------------------------------------------------------------------------ */

struct node {
    listeners *changes;
    struct listener emits, disconnects, counts;
    unsigned depth, deepest, calls;
};

static void goes_deeper(struct listener *listener, void *data)
{
    struct node *node = OWNER(listener, struct node, emits);

    if (node->depth < node->deepest) {
        node->depth++;
        emit(node->changes, data);
        node->depth--;
    }
}

/* The innermost emission disconnects the listener that would come next in each of them. */
static void disconnects_in_the_innermost(struct listener *listener, void *data)
{
    struct node *node = OWNER(listener, struct node, disconnects);

    (void)data;
    if (node->depth == node->deepest) {
        (void)listeners_remove(node->changes, &node->counts);
    }
}

static void is_counted(struct listener *listener, void *data)
{
    struct node *node = OWNER(listener, struct node, counts);

    (void)data;
    node->calls++;
}

static void nest(unsigned deepest)
{
    listeners changes = {0};
    struct node node = {.changes = &changes, .deepest = deepest};

    join(&changes, &node.emits, goes_deeper);
    join(&changes, &node.disconnects, disconnects_in_the_innermost);
    join(&changes, &node.counts, is_counted);
    emit(&changes, NULL);
    printf("%u emissions in each other; the one that the innermost disconnects was called %u times\n", deepest, node.calls);
    listeners_deinit(&changes);
}

int main(void)
{
    close_twice();
    nest(10000);
    return 0;
}
