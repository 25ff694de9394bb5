/* The elements of the specs in this folder: a little game's things, and the functions that its lists call. */
#ifndef GAME_H
#define GAME_H

#include <stdbool.h>
#include <stdint.h>

/* A short-lived particle. */
struct spark {
    uint32_t id;
    float x, y, vx, vy;
    float life;
};

struct team;
struct line;

/* Something with a place of its own in memory, which several lists may point at. */
struct ship {
    uint32_t id;
    uint32_t squad_slot; /* its place in a `squad`, plus one; zero: in none */
    uint32_t stage_slot; /* and in a layer of a `stage` */
    float x, y;
    int hp;
    bool gone;
    struct ship *team_next, *team_prev; /* its neighbours in a `team` */
    struct team *team;                  /* and which one; NULL: none */
    struct ship *line_next, *line_prev; /* those behind and before it in a `line` */
    struct line *line;                  /* and in which one */
};

struct scene;

/* A part of something larger: it is where the part is that it is fixed to, and goes with it. */
struct part {
    uint32_t id;
    float x, y;
    bool gone;
    struct part *next, *prev;         /* its neighbours in a `scene`, as that is walked */
    struct part *fixed_to, *together; /* the one that it is below, and the next one below that */
    struct scene *scene;              /* which scene; NULL: none */
};

/* Who wants to hear of an event. */
struct listener {
    uint64_t event;
    void (*call)(void *user);
    void *user;
};

/* Parts of an entity: not every entity has them. */
struct velocity {
    uint32_t entity;
    float x, y;
};

struct tag {
    uint32_t entity;
    char text[12];
};

/* Something that is to happen. */
struct cue {
    uint32_t id;
    uint32_t what;
    double due;
};

struct timeouts;

/* What ends at a time, unless something is heard of it before: it holds its links in `timeouts`. */
struct timeout {
    uint32_t id;
    uint32_t due;
    struct timeout *next, *prev, *left, *right, *parent;
    struct timeouts *in;
    uint64_t turn;
};

/* Something to be drawn. */
struct sprite {
    uint32_t id;
    uint16_t picture;
    float x, y, depth;
};

/* What an update is told. */
struct frame {
    double seconds;
    uint32_t number;
};

struct crowd;
struct wake;

bool ship_is_gone(const struct ship *ship);

/* What `crowd` tells the game. */
void crowd_welcomes(struct crowd *crowd, struct ship *ship);
void crowd_loses(struct crowd *crowd, struct ship *ship);
void crowd_destroys(struct crowd *crowd, struct ship *ship);
void crowd_updates(struct crowd *crowd, struct ship *ship, const struct frame *frame);

/* What `wake` does in every frame. */
void wake_burns(struct wake *wake, struct spark *spark, const struct frame *frame);

/* What `scene` does in every frame. */
void scene_moves(struct scene *scene, struct part *part, const struct frame *frame);

/* What the layers of `theatre` tell the game. */
struct theatre_layer;
struct theatre_tick;

void theatre_loses(struct theatre_layer *layer, struct ship *ship);
void theatre_destroys(struct theatre_layer *layer, struct ship *ship);
void theatre_updates(struct theatre_layer *layer, struct ship *ship, const struct theatre_tick *tick);

#endif
