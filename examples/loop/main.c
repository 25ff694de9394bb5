/* Two uses of the loop: a descriptor whose number is used again while its event waits, and a server with its clients. */
#include "loop.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define OWNER(part, type, member) ((type *)(void *)((char *)(part) - offsetof(type, member)))

static void needs(bool holds, const char *what)
{
    if (!holds) {
        perror(what);
        exit(1);
    }
}

/* -- the number of a descriptor is used again ---------------------------------------------------------------------------- */

struct reader {
    struct watcher watcher;
    int write_end;
    struct reader *other;
    unsigned calls;
};

static void counts(struct loop *loop, struct watcher *watcher, short events)
{
    (void)loop;
    (void)events;
    OWNER(watcher, struct reader, watcher)->calls++;
}

static void opens(struct loop *loop, struct reader *reader, void (*ready)(struct loop *, struct watcher *, short))
{
    int ends[2];

    needs(pipe(ends) == 0, "pipe");
    reader->write_end = ends[1];
    reader->watcher.ready = ready;
    needs(loop_watch(loop, &reader->watcher, ends[0], POLLIN), "loop_watch");
}

static void closes(struct loop *loop, struct reader *reader)
{
    loop_unwatch(loop, &reader->watcher);
    close(reader->watcher.fd);
    close(reader->write_end);
}

/* Closes the other one, which is ready, too, and opens it anew: it has the same number, and nothing to read. */
static void opens_the_other_anew(struct loop *loop, struct watcher *watcher, short events)
{
    struct reader *reader = OWNER(watcher, struct reader, watcher);
    int before = reader->other->watcher.fd;

    counts(loop, watcher, events);
    closes(loop, reader->other);
    opens(loop, reader->other, counts);
    printf("descriptor %s\n", reader->other->watcher.fd == before ? "used again" : "another");
    loop_unwatch(loop, watcher);
}

static void use_a_number_again(void)
{
    struct loop *loop = loop_make();
    struct reader first = {.calls = 0}, second = {.calls = 0};

    needs(loop != NULL, "loop_make");
    first.other = &second;
    opens(loop, &first, opens_the_other_anew);
    opens(loop, &second, counts);
    needs(write(first.write_end, "x", 1) == 1 && write(second.write_end, "x", 1) == 1, "write");
    needs(loop_turn(loop), "loop_turn");
    printf("%u call of the first, %u of the second, %lu event without a watcher\n", first.calls, second.calls, loop_stale(loop));
    close(first.watcher.fd);
    close(first.write_end);
    closes(loop, &second);
    loop_free(loop);
}

/* -- a server and its clients ------------------------------------------------------------------------------------------ */

enum { CLIENTS = 8, PATIENCE = 60 /* ms */ };

struct server {
    struct watcher accepts;
    struct task reports; /* in each turn */
    unsigned turns, open, opened, echoes, timed_out;
};

struct connection {
    struct watcher watcher;
    struct timer idle;
    struct task farewell;
    struct server *server;
};

struct client {
    struct watcher watcher;
    struct task word; /* that is sent at the end of the turn */
    unsigned number, left; /* how many are still to be sent */
};

static void finish(struct loop *loop, struct connection *connection)
{
    connection->server->open--;
    loop_unwatch(loop, &connection->watcher);
    loop_stop(loop, &connection->idle);
    close(connection->watcher.fd);
    free(connection);
}

static void says_farewell(struct loop *loop, struct task *task)
{
    struct connection *connection = OWNER(task, struct connection, farewell);

    (void)send(connection->watcher.fd, "!", 1, MSG_NOSIGNAL);
    finish(loop, connection);
}

/* Frees itself, but not before the end of this turn. */
static void is_idle(struct loop *loop, struct timer *timer)
{
    struct connection *connection = OWNER(timer, struct connection, idle);

    connection->server->timed_out++;
    loop_post(loop, &connection->farewell);
}

static void echoes(struct loop *loop, struct watcher *watcher, short events)
{
    struct connection *connection = OWNER(watcher, struct connection, watcher);
    char text[64];
    ssize_t got = recv(watcher->fd, text, sizeof text, 0);

    (void)events;
    if (got <= 0) {
        loop_cancel(loop, &connection->farewell);
        finish(loop, connection);
        return;
    }
    connection->server->echoes++;
    (void)send(watcher->fd, text, (size_t)got, MSG_NOSIGNAL);
    loop_start(loop, &connection->idle, PATIENCE);
}

static void accepts(struct loop *loop, struct watcher *watcher, short events)
{
    struct server *server = OWNER(watcher, struct server, accepts);
    int fd = accept(watcher->fd, NULL, NULL);
    struct connection *connection = calloc(1, sizeof *connection);

    (void)events;
    needs(fd >= 0 && connection != NULL, "accept");
    *connection = (struct connection){.watcher = {.ready = echoes}, .idle = {.ring = is_idle}, .farewell = {.run = says_farewell}, .server = server};
    needs(loop_watch(loop, &connection->watcher, fd, POLLIN), "loop_watch");
    loop_start(loop, &connection->idle, PATIENCE);
    server->open++;
    server->opened++;
    if (server->opened == CLIENTS) { /* no more are expected */
        loop_unwatch(loop, watcher);
        close(watcher->fd);
    }
}

static void reports(struct loop *loop, struct task *task)
{
    struct server *server = OWNER(task, struct server, reports);

    server->turns++;
    if (server->opened == CLIENTS && server->open == 0) {
        loop_cancel(loop, task);
    }
}

static void says(struct loop *loop, struct task *task)
{
    struct client *client = OWNER(task, struct client, word);

    (void)loop;
    needs(send(client->watcher.fd, "hello", 5, MSG_NOSIGNAL) == 5, "send");
}

/* Each answer is followed by the next word, until there is none left: then odd clients leave, and even ones fall silent. */
static void listens(struct loop *loop, struct watcher *watcher, short events)
{
    struct client *client = OWNER(watcher, struct client, watcher);
    char text[64];
    ssize_t got = recv(watcher->fd, text, sizeof text, 0);

    (void)events;
    if (got <= 0 || text[0] == '!' || (--client->left == 0 && client->number % 2 == 1)) {
        loop_cancel(loop, &client->word);
        loop_unwatch(loop, watcher);
        close(watcher->fd);
        free(client);
    } else if (client->left > 0) {
        loop_post(loop, &client->word);
    }
}

static void serve(void)
{
    struct loop *loop = loop_make();
    struct server server = {.accepts = {.ready = accepts}, .reports = {.run = reports}};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    needs(loop != NULL && fd >= 0 && bind(fd, (struct sockaddr *)&address, length) == 0 && listen(fd, CLIENTS) == 0
              && getsockname(fd, (struct sockaddr *)&address, &length) == 0,
          "listen");
    needs(loop_watch(loop, &server.accepts, fd, POLLIN), "loop_watch");
    loop_prepare(loop, &server.reports);
    for (unsigned i = 0; i < CLIENTS; i++) {
        struct client *client = calloc(1, sizeof *client);

        needs(client != NULL && (fd = socket(AF_INET, SOCK_STREAM, 0)) >= 0 && connect(fd, (struct sockaddr *)&address, length) == 0, "connect");
        *client = (struct client){.watcher = {.ready = listens}, .word = {.run = says}, .number = i, .left = 10};
        needs(loop_watch(loop, &client->watcher, fd, POLLIN), "loop_watch");
        loop_post(loop, &client->word);
    }
    while (loop_turn(loop)) {
    }
    printf("%u clients, %u echoes, %u timed out, %u open\n", server.opened, server.echoes, server.timed_out, server.open);
    needs(server.turns > 20, "turns");
    loop_free(loop);
}

int main(void)
{
    use_a_number_again();
    serve();
    return 0;
}
