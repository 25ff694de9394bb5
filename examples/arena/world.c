#include "world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cpVect core = {ARENA_WIDTH / 2.0, ARENA_HEIGHT / 2.0};

static const struct {
    int hp;
    double radius, mass, speed;
    unsigned chunks;
} kinds[ENEMY_KINDS] = {
    [DRONE] = {5, 7.0, 1.0, 130.0, 4},
    [BRUTE] = {30, 15.0, 6.0, 70.0, 8},
    [BOMBER] = {7, 9.0, 1.5, 115.0, 5},
    [CARRIER] = {20, 13.0, 4.0, 55.0, 7},
};

/* -- counting and timing ------------------------------------------------------------------------------------------ */

static void no_memory(void)
{
    fputs("arena: out of memory\n", stderr);
    exit(1);
}

static int timed_end(struct watch *watch, int result)
{
    watch_out(watch);
    return result;
}

/* A call that changes a container and returns an int. */
#define TIMED(world, call) (watch_in(&(world)->watch), timed_end(&(world)->watch, (int)(call)))

static void note_pass(struct world *w, enum list_id list, size_t count)
{
    w->lists[list].passes++;
    w->lists[list].walked++;
    w->lists[list].offered += count;
}

static void note_add(struct world *w, enum list_id list, bool taken, size_t count)
{
    struct tally *tally = &w->lists[list];

    if (taken) {
        tally->added++;
    } else {
        tally->refused++;
    }
    if (count > tally->peak) {
        tally->peak = count;
    }
}

/* -- chance: the same on every machine ---------------------------------------------------------------------------- */

static uint64_t chance(struct world *w)
{
    w->random ^= w->random >> 12;
    w->random ^= w->random << 25;
    w->random ^= w->random >> 27;
    return w->random * 2685821657736338717u;
}

static double chance_between(struct world *w, double low, double high)
{
    return low + (high - low) * ((double)(chance(w) >> 11) / 9007199254740992.0);
}

static cpVect chance_direction(struct world *w)
{
    for (;;) {
        double x = chance_between(w, -1.0, 1.0);
        double y = chance_between(w, -1.0, 1.0);

        if (x * x + y * y > 0.01 && x * x + y * y < 1.0) {
            return cpvnormalize(cpv(x, y));
        }
    }
}

/* -- bodies ------------------------------------------------------------------------------------------------------- */

static unsigned mask_of(enum thing thing)
{
    return 1u << thing;
}

static unsigned meets(enum thing thing)
{
    switch (thing) {
    case THING_ENEMY: return ~0u;
    case THING_BULLET: return mask_of(THING_WALL) | mask_of(THING_ENEMY);
    case THING_MISSILE: return mask_of(THING_ENEMY);
    case THING_TURRET: return mask_of(THING_ENEMY) | mask_of(THING_CHUNK);
    case THING_CHUNK: return mask_of(THING_WALL) | mask_of(THING_ENEMY) | mask_of(THING_TURRET);
    case THING_WALL: break;
    }
    return ~0u;
}

/* A round body with one shape, in the space. `mass` 0: it never moves. */
static cpBody *make_body(struct world *w, enum thing thing, void *owner, cpVect at, cpVect velocity, double mass,
                         double radius)
{
    cpBody *body = mass > 0 ? cpBodyNew(mass, cpMomentForCircle(mass, 0, radius, cpvzero)) : cpBodyNewStatic();
    cpShape *shape = cpCircleShapeNew(body, radius, cpvzero);

    cpBodySetPosition(body, at);
    if (mass > 0) {
        cpBodySetVelocity(body, velocity);
    }
    cpBodySetUserData(body, owner);
    cpShapeSetCollisionType(shape, (cpCollisionType)thing);
    cpShapeSetFilter(shape, cpShapeFilterNew(CP_NO_GROUP, mask_of(thing), meets(thing)));
    cpShapeSetElasticity(shape, 0.6);
    cpShapeSetFriction(shape, 0.3);
    cpSpaceAddBody(w->space, body);
    cpSpaceAddShape(w->space, shape);
    w->bodies++;
    return body;
}

/* Removes a body at the end of the frame. During the physics step the removal is queued in the list's journal. */
static int doom(struct world *w, cpBody *body)
{
    int status = TIMED(w, leaving_add(&w->leaving, body));

    if (status == LEAVING_NO_MEMORY) {
        no_memory();
    }
    note_add(w, LIST_LEAVING, status != LEAVING_DUPLICATE, leaving_predicted_count(&w->leaving));
    return status;
}

static void free_shape(cpBody *body, cpShape *shape, void *data)
{
    struct world *w = data;

    if (cpShapeGetCollisionType(shape) == THING_ENEMY) {
        /* Frees the enemy's slot; it has been removed from all other lists. */
        TIMED(w, hangar_remove(&w->hangar, cpBodyGetUserData(body)));
    }
    cpSpaceRemoveShape(w->space, shape);
    cpShapeFree(shape);
}

static void free_the_leaving(struct world *w)
{
    note_pass(w, LIST_LEAVING, leaving_count(&w->leaving));
    LEAVING_EACH(&w->leaving, body) {
        cpBodyEachShape(body, free_shape, w);
        cpSpaceRemoveBody(w->space, body);
        cpBodyFree(body);
    }
    TIMED(w, leaving_clear(&w->leaving));
}

/* -- effects and timers ------------------------------------------------------------------------------------------- */

static effects_handle add_effect(struct world *w, enum effect_kind kind, cpVect at, double radius, double grows,
                                 int life)
{
    struct effect *effect;

    watch_in(&w->watch);
    effect = effects_emplace(&w->effects);
    watch_out(&w->watch);
    note_add(w, LIST_EFFECTS, effect != NULL, effects_count(&w->effects));
    if (effect == NULL) {
        return (effects_handle){0, 0}; /* the pool is full: one spark less */
    }
    *effect = (struct effect){kind, at, radius, grows, life, life};
    return effects_handle_of(&w->effects, effect);
}

static timers_handle add_timer(struct world *w, enum timer_kind kind, uint32_t frames, uint32_t subject, uint32_t left,
                               effects_handle effect)
{
    struct timer timer = {kind, w->frame + frames, subject, left, effect};
    timers_handle handle;

    if (TIMED(w, timers_add_handle(&w->timers, timer, &handle)) != TIMERS_OK) {
        no_memory();
    }
    note_add(w, LIST_TIMERS, true, timers_count(&w->timers));
    return handle;
}

static void cancel_timer(struct world *w, timers_handle handle)
{
    w->cancelled += TIMED(w, timers_remove(&w->timers, handle)) == TIMERS_OK; /* else it has fired */
}

static void age_effects(struct world *w)
{
    note_pass(w, LIST_EFFECTS, effects_count(&w->effects));
    EFFECTS_EACH(&w->effects, effect) {
        effect->radius += effect->grows;
        if (--effect->life <= 0) {
            TIMED(w, effects_remove_current(&effect_cursor));
        }
    }
}

/* -- debris ------------------------------------------------------------------------------------------------------- */

static void add_chunk(struct world *w, cpVect at, cpVect velocity, int size)
{
    struct chunk chunk = {.radius = 1.5 * size, .life = 40 + (int)(chance(w) % 60), .size = size};

    if (debris_count(&w->debris) == DEBRIS_MAX) {
        note_add(w, LIST_DEBRIS, false, 0);
        return;
    }
    chunk.body = make_body(w, THING_CHUNK, NULL, at, velocity, 0.05 * size, chunk.radius);
    cpBodySetAngle(chunk.body, chance_between(w, 0.0, 3.0));
    cpBodySetAngularVelocity(chunk.body, chance_between(w, -9.0, 9.0));
    if (TIMED(w, debris_add(&w->debris, chunk)) != DEBRIS_OK) {
        no_memory();
    }
    note_add(w, LIST_DEBRIS, true, debris_count(&w->debris));
}

void debris_destroyed(struct debris *list, struct chunk *element)
{
    struct world *w = cpSpaceGetUserData(cpBodyGetSpace(element->body));

    (void)list;
    doom(w, element->body);
}

static void age_debris(struct world *w)
{
    note_pass(w, LIST_DEBRIS, debris_count(&w->debris));
    DEBRIS_EACH(&w->debris, chunk) {
        struct chunk copy;

        if (w->sweep && debris_count(&w->debris) > 40) {
            /* Removes all, also the current element; elements added now are visited in the next pass. */
            w->swept += debris_count(&w->debris);
            watch_in(&w->watch);
            debris_clear(&w->debris);
            watch_out(&w->watch);
            for (int i = 0; i < 8; i++) {
                add_chunk(w, core, cpvmult(chance_direction(w), 160.0), 1);
            }
        } else if (--chunk->life <= 0) {
            copy = *chunk;
            TIMED(w, debris_remove_current(&chunk_cursor));
            if (copy.size > 1) {
                cpVect at = cpBodyGetPosition(copy.body);
                cpVect velocity = cpBodyGetVelocity(copy.body);

                add_chunk(w, at, cpvadd(velocity, cpvmult(chance_direction(w), 40.0)), copy.size - 1);
                add_chunk(w, at, cpvadd(velocity, cpvmult(chance_direction(w), 40.0)), copy.size - 1);
            }
        }
    }
    w->sweep = false;
}

/* -- enemies ------------------------------------------------------------------------------------------------------ */

static struct enemy *add_enemy(struct world *w, enum enemy_kind kind, cpVect at)
{
    struct enemy fresh = {.id = w->last_id + 1, .kind = kind, .hp = kinds[kind].hp, .full = kinds[kind].hp,
                          .radius = kinds[kind].radius};
    struct enemy *enemy;
    int status = TIMED(w, hangar_add(&w->hangar, fresh));

    if (status == HANGAR_NO_MEMORY) {
        no_memory();
    }
    note_add(w, LIST_HANGAR, status == HANGAR_OK, hangar_count(&w->hangar));
    if (status != HANGAR_OK) {
        return NULL;
    }
    w->last_id++;
    enemy = hangar_find(&w->hangar, fresh.id);
    enemy->body = make_body(w, THING_ENEMY, enemy, at, cpvzero, kinds[kind].mass, fresh.radius);
    if (TIMED(w, enemies_add(&w->enemies, enemy)) != ENEMIES_OK) {
        no_memory();
    }
    note_add(w, LIST_ENEMIES, true, enemies_count(&w->enemies));
    if (kind == BRUTE) {
        enemy->shield = add_effect(w, EFFECT_SHIELD, at, fresh.radius + 5.0, 0.0, 600);
        add_timer(w, TIMER_FADE, 420, 0, 0, enemy->shield);
    }
    return enemy;
}

void enemies_removed(struct enemies *list, struct enemy *element)
{
    struct world *w = cpSpaceGetUserData(cpBodyGetSpace(element->body));

    (void)list;
    w->kills++;
}

static void catch_shape(cpShape *shape, void *data)
{
    struct world *w = data;
    int status = TIMED(w, blast_add(&w->blast, shape));

    if (status == BLAST_NO_MEMORY) {
        no_memory();
    }
    note_add(w, LIST_BLAST, status == BLAST_OK, blast_count(&w->blast));
}

/* Adds each enemy within reach to this frame's blasts, once. */
static void explode(struct world *w, cpVect at, double radius)
{
    cpShapeFilter filter = cpShapeFilterNew(CP_NO_GROUP, CP_ALL_CATEGORIES, mask_of(THING_ENEMY));

    add_effect(w, EFFECT_RING, at, 4.0, radius / 16.0, 16);
    cpSpaceBBQuery(w->space, cpBBNewForCircle(at, radius), filter, catch_shape, w);
}

static void kill(struct world *w, struct enemy *enemy)
{
    cpVect at = cpBodyGetPosition(enemy->body);
    cpVect velocity = cpBodyGetVelocity(enemy->body);

    enemy->hp = 0; /* from now on no pass visits it */
    TIMED(w, threats_remove(&w->threats, enemy));
    doom(w, enemy->body);
    if (effects_get(&w->effects, enemy->shield) != NULL) {
        TIMED(w, effects_remove(&w->effects, enemy->shield));
    }
    add_effect(w, EFFECT_SPARK, at, enemy->radius, 0.7, 14);
    for (unsigned i = 0; i < kinds[enemy->kind].chunks; i++) {
        add_chunk(w, at, cpvadd(velocity, cpvmult(chance_direction(w), 130.0)), i % 3 == 0 ? 2 : 1);
    }
    if (enemy->kind == BRUTE) { /* releases two drones: live passes visit them */
        add_enemy(w, DRONE, cpvadd(at, cpv(9.0, 0.0)));
        add_enemy(w, DRONE, cpvadd(at, cpv(-9.0, 0.0)));
    } else if (enemy->kind == BOMBER) {
        explode(w, at, 60.0);
    }
}

static void damage(struct world *w, struct enemy *enemy, int points)
{
    if (enemy->hp <= 0) {
        return;
    }
    if (effects_get(&w->effects, enemy->shield) != NULL) {
        points = (points + 1) / 2;
    }
    enemy->hp -= points;
    if (enemy->hp <= 0) {
        kill(w, enemy);
    }
}

/* One pass; a death adds elements, and the same pass visits them. */
static void resolve_blasts(struct world *w)
{
    if (blast_is_empty(&w->blast)) {
        return;
    }
    note_pass(w, LIST_BLAST, blast_count(&w->blast));
    BLAST_EACH(&w->blast, shape) {
        struct enemy *enemy = cpBodyGetUserData(cpShapeGetBody(shape));

        if (enemy->hp > 0) {
            damage(w, enemy, 5);
            w->chained += enemy->hp <= 0;
        }
    }
    watch_in(&w->watch);
    blast_clear(&w->blast);
    watch_out(&w->watch);
}

/* Keeps its distance from the others, and destroys small ones. A pass inside the pass over all enemies:
 * either current element may be removed in it. */
static cpVect crowd(struct world *w, struct enemy *enemy, cpVect at)
{
    cpVect push = cpvzero;

    note_pass(w, LIST_ENEMIES, enemies_count(&w->enemies));
    ENEMIES_EACH(&w->enemies, other) {
        cpVect apart;
        double near;

        if (other == enemy) {
            continue;
        }
        apart = cpvsub(at, cpBodyGetPosition(other->body));
        near = enemy->radius + other->radius + 14.0;
        if (cpvlengthsq(apart) >= near * near) {
            continue;
        }
        push = cpvadd(push, cpvnormalize(apart));
        near -= 13.0;
        if (enemy->kind == BRUTE && cpvlengthsq(apart) < near * near && chance(w) % 64 == 0) {
            if (other->kind == DRONE) {
                kill(w, other);
            } else if (other->kind == BOMBER) {
                kill(w, other);
                kill(w, enemy);
                break;
            }
        }
    }
    return push;
}

static void move_enemies(struct world *w)
{
    note_pass(w, LIST_ENEMIES, enemies_count(&w->enemies));
    ENEMIES_EACH(&w->enemies, enemy) {
        cpVect at = cpBodyGetPosition(enemy->body);
        cpVect home = cpvsub(core, at);
        cpVect ahead = cpvnormalize(home);
        cpVect push = crowd(w, enemy, at);
        struct effect *shield;

        if (enemy->hp <= 0) {
            continue;
        }
        if (cpvlengthsq(home) < ARENA_REACH * ARENA_REACH) {
            if (TIMED(w, threats_add(&w->threats, enemy)) == THREATS_OK) {
                note_add(w, LIST_THREATS, true, threats_count(&w->threats));
            }
        } else {
            TIMED(w, threats_remove(&w->threats, enemy));
        }
        if (enemy->kind == CARRIER && chance(w) % 150 == 0) {
            add_enemy(w, DRONE, cpvadd(at, cpvmult(ahead, 24.0)));
        }
        shield = effects_get(&w->effects, enemy->shield);
        if (shield != NULL) {
            shield->at = at;
        }
        ahead = cpvadd(ahead, cpvmult(cpvperp(ahead), enemy->id % 2 == 0 ? 0.45 : -0.45));
        ahead = cpvsub(cpvmult(ahead, kinds[enemy->kind].speed), cpBodyGetVelocity(enemy->body));
        ahead = cpvadd(ahead, cpvmult(push, 25.0));
        cpBodySetForce(enemy->body, cpvmult(ahead, 3.0 * kinds[enemy->kind].mass));
    }
}

static void let_in(struct world *w)
{
    static const cpVect gates[4] = {{30.0, 30.0},
                                    {ARENA_WIDTH - 30.0, 30.0},
                                    {ARENA_WIDTH - 30.0, ARENA_HEIGHT - 30.0},
                                    {30.0, ARENA_HEIGHT - 30.0}};
    unsigned used = 0;

    note_pass(w, LIST_ARRIVALS, arrivals_count(&w->arrivals));
    ARRIVALS_EACH(&w->arrivals, arrival) {
        cpVect at = cpvadd(gates[arrival->gate], cpvmult(chance_direction(w), 8.0));

        if ((used & 1u << arrival->gate) != 0) {
            continue; /* the gate is blocked */
        }
        if (add_enemy(w, arrival->kind, at) == NULL) {
            break;
        }
        used |= 1u << arrival->gate;
        TIMED(w, arrivals_remove_current(&arrival_cursor));
        if (used == 15) {
            break;
        }
    }
}

static void announce_wave(struct world *w, uint32_t wave)
{
    unsigned number = 16 + wave % 7 * 2;

    for (unsigned i = 0; i < number; i++) {
        unsigned draw = (unsigned)(chance(w) % 16);
        struct arrival arrival = {draw < 9 ? DRONE : draw < 12 ? BOMBER : draw < 14 ? BRUTE : CARRIER,
                                  (uint32_t)((wave + i) % 4)};
        int status = TIMED(w, arrivals_add(&w->arrivals, arrival));

        note_add(w, LIST_ARRIVALS, status == ARRIVALS_OK, arrivals_count(&w->arrivals));
    }
    w->sweep = wave % 3 == 0;
}

/* -- turrets ------------------------------------------------------------------------------------------------------ */

static void add_turret(struct world *w, uint32_t seat)
{
    static const cpVect seats[ARENA_SEATS] = {{0, -1},   {0.7071, -0.7071}, {1, 0},  {0.7071, 0.7071},
                                              {0, 1}, {-0.7071, 0.7071}, {-1, 0}, {-0.7071, -0.7071}};
    struct turret *turret = turrets_emplace(&w->turrets);

    note_add(w, LIST_TURRETS, turret != NULL, turrets_count(&w->turrets));
    if (turret == NULL) {
        return;
    }
    *turret = (struct turret){.id = ++w->last_id, .seat = seat, .hp = TURRET_HP, .aim = seats[seat]};
    turret->at = cpvadd(core, cpvmult(seats[seat], 78.0));
    /* The element may move, so the body keeps its number. */
    turret->body = make_body(w, THING_TURRET, (void *)(uintptr_t)turret->id, turret->at, cpvzero, 0.0, 11.0);
}

static struct turret *find_turret(struct world *w, uint32_t id)
{
    note_pass(w, LIST_TURRETS, turrets_count(&w->turrets));
    TURRETS_EACH(&w->turrets, turret) {
        if (turret->id == id) {
            return turret; /* ends the pass */
        }
    }
    return NULL;
}

/* The nearest threat that is farther away than `beyond`; of two, the older one. */
static struct enemy *nearest(struct world *w, cpVect from, double beyond, uint32_t than, double *distance)
{
    struct enemy *best = NULL;
    double best_far = 0.0;

    note_pass(w, LIST_THREATS, threats_count(&w->threats));
    THREATS_EACH(&w->threats, enemy) {
        double far = cpvdistsq(from, cpBodyGetPosition(enemy->body));

        if (far < beyond || (far == beyond && enemy->id <= than)) {
            continue;
        }
        if (best == NULL || far < best_far || (far == best_far && enemy->id < best->id)) {
            best = enemy;
            best_far = far;
        }
    }
    *distance = best_far;
    return best;
}

static struct bullet *add_bullet(struct world *w, cpVect at, cpVect velocity, int life, bool cluster)
{
    struct bullet *bullet;

    watch_in(&w->watch);
    bullet = bullets_emplace(&w->bullets);
    watch_out(&w->watch);
    note_add(w, LIST_BULLETS, bullet != NULL, bullets_count(&w->bullets));
    if (bullet != NULL) {
        *bullet = (struct bullet){.id = ++w->last_id, .life = life, .damage = 2, .cluster = cluster};
        bullet->body = make_body(w, THING_BULLET, bullet, at, velocity, 0.2, 2.0);
    }
    return bullet;
}

static void shoot(struct world *w, struct turret *turret)
{
    double distance;
    struct enemy *enemy = nearest(w, turret->at, 0.0, 0, &distance);
    cpVect lead;

    if (enemy == NULL) {
        return;
    }
    lead = cpvmult(cpBodyGetVelocity(enemy->body), sqrt(distance) / 430.0);
    turret->aim = cpvnormalize(cpvsub(cpvadd(cpBodyGetPosition(enemy->body), lead), turret->at));
    lead = cpvnormalize(cpvadd(turret->aim, cpvmult(chance_direction(w), 0.06)));
    add_bullet(w, cpvadd(turret->at, cpvmult(turret->aim, 14.0)), cpvmult(lead, 430.0), 64, chance(w) % 8 == 0);
}

static void choose_targets(struct world *w, struct missile *missile)
{
    double beyond = 0.0;
    uint32_t than = 0;

    for (int i = 0; i < 4; i++) {
        struct enemy *enemy = nearest(w, cpBodyGetPosition(missile->body), beyond, than, &beyond);

        if (enemy == NULL) {
            return;
        }
        than = enemy->id;
        if (TIMED(w, targets_add(&missile->targets, enemy->id)) != TARGETS_OK) {
            no_memory();
        }
        note_add(w, LIST_TARGETS, true, targets_count(&missile->targets));
    }
}

static void launch(struct world *w, cpVect at, cpVect direction)
{
    struct missile *missile;

    watch_in(&w->watch);
    missile = missiles_emplace(&w->missiles);
    watch_out(&w->watch);
    note_add(w, LIST_MISSILES, missile != NULL, missiles_count(&w->missiles));
    if (missile == NULL) {
        no_memory();
        return;
    }
    *missile = (struct missile){.id = ++w->last_id, .life = 260};
    missile->body = make_body(w, THING_MISSILE, missile, at, cpvmult(direction, 150.0), 0.4, 3.0);
    choose_targets(w, missile);
}

static void man_turrets(struct world *w)
{
    note_pass(w, LIST_TURRETS, turrets_count(&w->turrets));
    TURRETS_EACH(&w->turrets, turret) {
        if ((w->frame + turret->seat * 5) % 24 == 0 && !threats_is_empty(&w->threats)) {
            turret->shots = add_timer(w, TIMER_SHOT, 1, turret->id, 4, (effects_handle){0, 0});
        }
        if ((w->frame + turret->seat * 37) % 150 == 0 && !threats_is_empty(&w->threats)) {
            turret->salvo = add_timer(w, TIMER_SALVO, 1, turret->id, 2, (effects_handle){0, 0});
        }
    }
}

/* -- bullets and missiles: what their lists call ------------------------------------------------------------------ */

void bullets_updated(struct bullets *list, struct bullet *element, struct world *w)
{
    (void)list;
    element->life--;
    if (element->cluster && element->life == 46) {
        cpVect at = cpBodyGetPosition(element->body);
        cpVect velocity = cpBodyGetVelocity(element->body);

        element->cluster = false;
        for (int i = -2; i <= 2; i++) { /* an add may move the element: it is not used below */
            cpVect turned = cpvadd(velocity, cpvmult(cpvperp(velocity), 0.09 * i + 0.03));

            add_bullet(w, at, turned, 40, false);
        }
    }
}

void bullets_moved(struct bullets *list, struct bullet *element)
{
    (void)list;
    if (element->body != NULL) {
        cpBodySetUserData(element->body, element);
    }
}

void bullets_destroyed(struct bullets *list, struct bullet *element)
{
    (void)list;
    if (element->body != NULL) {
        doom(cpSpaceGetUserData(cpBodyGetSpace(element->body)), element->body);
    }
}

void missiles_updated(struct missiles *list, struct missile *element, struct world *w)
{
    struct enemy *enemy = NULL;
    cpVect velocity, wanted;

    (void)list;
    element->life--;
    note_pass(w, LIST_TARGETS, targets_count(&element->targets));
    TARGETS_EACH(&element->targets, id) {
        enemy = hangar_find(&w->hangar, *id);
        if (enemy != NULL && enemy->hp > 0) {
            break;
        }
        enemy = NULL; /* it was removed before */
        TIMED(w, targets_remove_current(&id_cursor));
    }
    if (enemy == NULL) {
        choose_targets(w, element);
        if (targets_is_empty(&element->targets) && element->life > 30) {
            element->life = 30;
        }
        return;
    }
    velocity = cpBodyGetVelocity(element->body);
    wanted = cpvnormalize(cpvsub(cpBodyGetPosition(enemy->body), cpBodyGetPosition(element->body)));
    velocity = cpvadd(cpvmult(velocity, 0.93), cpvmult(wanted, 18.0));
    cpBodySetVelocity(element->body, velocity);
}

void missiles_moved(struct missiles *list, struct missile *element)
{
    (void)list;
    if (element->body != NULL) {
        cpBodySetUserData(element->body, element);
    }
}

void missiles_destroyed(struct missiles *list, struct missile *element)
{
    (void)list;
    targets_deinit(&element->targets);
    if (element->body != NULL) {
        doom(cpSpaceGetUserData(cpBodyGetSpace(element->body)), element->body);
    }
}

/* -- timers ------------------------------------------------------------------------------------------------------- */

static void fire_timer(struct world *w, const struct timer *timer)
{
    struct turret *turret;

    switch (timer->kind) {
    case TIMER_WAVE:
        announce_wave(w, timer->subject);
        add_timer(w, TIMER_WAVE, 60, timer->subject + 1, 0, timer->effect);
        break;
    case TIMER_SHOT:
        turret = find_turret(w, timer->subject);
        if (turret != NULL) {
            shoot(w, turret);
            if (timer->left > 1) {
                turret->shots = add_timer(w, TIMER_SHOT, 3, timer->subject, timer->left - 1, timer->effect);
            }
        }
        break;
    case TIMER_SALVO:
        turret = find_turret(w, timer->subject);
        if (turret != NULL) {
            launch(w, turret->at, turret->aim);
            if (timer->left > 1) {
                turret->salvo = add_timer(w, TIMER_SALVO, 12, timer->subject, timer->left - 1, timer->effect);
            }
        }
        break;
    case TIMER_FADE:
        if (TIMED(w, effects_remove(&w->effects, timer->effect)) == EFFECTS_STALE) {
            w->stale++;
        }
        break;
    case TIMER_REBUILD:
        add_turret(w, timer->subject);
        break;
    }
}

static void run_timers(struct world *w)
{
    const struct timer *first;
    struct timer timer;

    while ((first = timers_first(&w->timers)) != NULL && first->due <= w->frame) {
        TIMED(w, timers_pop(&w->timers, &timer)); /* before it fires: it may change the queue as it likes */
        fire_timer(w, &timer);
    }
}

/* -- collisions: during the step no body may be removed, so hits are recorded --------------------- */

static void note_hit(struct world *w, struct hit hit)
{
    int status = TIMED(w, hits_add(&w->hits, hit));

    if (status == HITS_NO_MEMORY) {
        no_memory();
    }
    note_add(w, LIST_HITS, status == HITS_OK, hits_count(&w->hits));
}

/* Returns false if it has hit another one in this step. */
static bool spend(struct world *w, cpBody *body)
{
    if (doom(w, body) == LEAVING_DUPLICATE) {
        w->twice++;
        return false;
    }
    w->queued++;
    return true;
}

static cpBool bullet_meets_enemy(cpArbiter *arbiter, cpSpace *space, cpDataPointer data)
{
    struct world *w = data;
    struct bullet *bullet;
    struct enemy *enemy;
    CP_ARBITER_GET_BODIES(arbiter, a, b);

    (void)space;
    if (!spend(w, a)) {
        return cpFalse;
    }
    bullet = cpBodyGetUserData(a);
    enemy = cpBodyGetUserData(b);
    note_hit(w, (struct hit){enemy->id, bullet->id, THING_BULLET, bullet->damage});
    bullet->life = 0;
    bullet->body = NULL;
    return cpTrue;
}

static cpBool bullet_meets_wall(cpArbiter *arbiter, cpSpace *space, cpDataPointer data)
{
    struct world *w = data;
    CP_ARBITER_GET_BODIES(arbiter, a, b);

    (void)space;
    (void)b;
    if (spend(w, a)) {
        struct bullet *bullet = cpBodyGetUserData(a);

        bullet->life = 0;
        bullet->body = NULL;
    }
    return cpFalse;
}

static cpBool missile_meets_enemy(cpArbiter *arbiter, cpSpace *space, cpDataPointer data)
{
    struct world *w = data;
    struct missile *missile;
    struct enemy *enemy;
    CP_ARBITER_GET_BODIES(arbiter, a, b);

    (void)space;
    if (!spend(w, a)) {
        return cpFalse;
    }
    missile = cpBodyGetUserData(a);
    enemy = cpBodyGetUserData(b);
    note_hit(w, (struct hit){enemy->id, missile->id, THING_MISSILE, 6});
    missile->life = 0;
    missile->body = NULL;
    return cpTrue;
}

static cpBool enemy_meets_turret(cpArbiter *arbiter, cpSpace *space, cpDataPointer data)
{
    struct world *w = data;
    struct enemy *enemy;
    CP_ARBITER_GET_BODIES(arbiter, a, b);

    (void)space;
    enemy = cpBodyGetUserData(a);
    note_hit(w, (struct hit){enemy->id, (uint32_t)(uintptr_t)cpBodyGetUserData(b), THING_TURRET, 12});
    return cpTrue;
}

static void damage_turret(struct world *w, uint32_t id, int points)
{
    note_pass(w, LIST_TURRETS, turrets_count(&w->turrets));
    TURRETS_EACH(&w->turrets, turret) {
        if (turret->id != id) {
            continue;
        }
        turret->hp -= points;
        if (turret->hp <= 0) {
            struct turret lost = *turret;

            TIMED(w, turrets_remove_current(&turret_cursor));
            doom(w, lost.body);
            cancel_timer(w, lost.shots);
            cancel_timer(w, lost.salvo);
            w->fallen++;
            explode(w, lost.at, 50.0);
            add_timer(w, TIMER_REBUILD, 200, lost.seat, 0, (effects_handle){0, 0});
        }
    }
}

static void resolve_hits(struct world *w)
{
    note_pass(w, LIST_HITS, hits_count(&w->hits));
    HITS_EACH(&w->hits, hit) {
        struct enemy *enemy = hangar_find(&w->hangar, hit->enemy);

        if (enemy == NULL || enemy->hp <= 0) {
            continue;
        }
        if (hit->what == THING_MISSILE) {
            explode(w, cpBodyGetPosition(enemy->body), 46.0);
        } else if (hit->what == THING_TURRET) {
            damage_turret(w, hit->by, enemy->kind == BRUTE ? 9 : 3);
        }
        damage(w, enemy, hit->damage);
    }
    watch_in(&w->watch);
    hits_clear(&w->hits);
    watch_out(&w->watch);
}

/* -- the frame ---------------------------------------------------------------------------------------------------- */

static void settle(struct world *w)
{
    const double seconds = 1.0 / 60.0;

    watch_in(&w->watch);
    enemies_settle(&w->enemies);
    threats_settle(&w->threats);
    (void)bullets_settle(&w->bullets, seconds);
    (void)missiles_settle(&w->missiles, seconds);
    debris_settle(&w->debris);
    effects_settle(&w->effects);
    timers_settle(&w->timers);
    arrivals_settle(&w->arrivals);
    turrets_settle(&w->turrets);
    hits_settle(&w->hits);
    blast_settle(&w->blast);
    watch_out(&w->watch);
}

static void mix(struct world *w, uint64_t value)
{
    w->checksum = (w->checksum ^ value) * 0x9e3779b97f4a7c15u;
    w->checksum ^= w->checksum >> 29;
}

static void mix_body(struct world *w, cpBody *body)
{
    cpVect vectors[2];
    uint64_t bits[4];

    if (body == NULL) {
        mix(w, 0);
        return;
    }
    vectors[0] = cpBodyGetPosition(body);
    vectors[1] = cpBodyGetVelocity(body);
    memcpy(bits, vectors, sizeof bits);
    for (int i = 0; i < 4; i++) {
        mix(w, bits[i]);
    }
}

/* Adds every bit of all positions and velocities to the checksum, in every frame. */
static void mix_frame(struct world *w)
{
    uint64_t due = 0;

    mix(w, w->frame);
    mix(w, w->random);
    ENEMIES_EACH(&w->enemies, enemy) {
        mix(w, enemy->id);
        mix(w, (uint64_t)enemy->hp);
        mix_body(w, enemy->body);
    }
    BULLETS_EACH(&w->bullets, bullet) {
        mix(w, bullet->id);
        mix_body(w, bullet->body);
    }
    MISSILES_EACH(&w->missiles, missile) {
        mix(w, missile->id);
        mix_body(w, missile->body);
        TARGETS_EACH(&missile->targets, id) {
            mix(w, *id);
        }
    }
    DEBRIS_EACH(&w->debris, chunk) {
        mix(w, (uint64_t)chunk->life);
        mix_body(w, chunk->body);
    }
    EFFECTS_EACH(&w->effects, effect) {
        mix(w, (uint64_t)effect->life);
    }
    TIMERS_EACH(&w->timers, timer) {
        due += timer->due; /* in no order */
    }
    mix(w, due);
    ARRIVALS_EACH(&w->arrivals, arrival) {
        mix(w, arrival->kind);
    }
    TURRETS_EACH(&w->turrets, turret) {
        mix(w, (uint64_t)turret->hp);
    }
}

void world_frame(struct world *w)
{
    uint64_t began;

    w->frame++;
    for (int i = 0; i < LISTS; i++) {
        w->lists[i].walked = 0;
    }
    run_timers(w);
    let_in(w);
    move_enemies(w);
    man_turrets(w);
    bullets_update(&w->bullets, w);
    note_pass(w, LIST_BULLETS, bullets_count(&w->bullets));
    missiles_update(&w->missiles, w);
    note_pass(w, LIST_MISSILES, missiles_count(&w->missiles));
    age_debris(w);
    age_effects(w);

    leaving_lock(&w->leaving);
    began = w->watch.on ? now_ns() : 0;
    cpSpaceStep(w->space, 1.0 / 60.0);
    w->step_ns = w->watch.on ? now_ns() - began : 0;
    if (TIMED(w, leaving_unlock(&w->leaving)) != LEAVING_OK) {
        no_memory();
    }
    resolve_hits(w);
    resolve_blasts(w);
    settle(w);
    free_the_leaving(w);
    mix_frame(w);
}

static void add_handler(struct world *w, enum thing a, enum thing b, cpCollisionBeginFunc begin)
{
    cpCollisionHandler *handler = cpSpaceAddCollisionHandler(w->space, (cpCollisionType)a, (cpCollisionType)b);

    handler->beginFunc = begin;
    handler->userData = w;
}

bool world_open(struct world *w, uint64_t seed)
{
    static const cpVect corners[4] = {{0, 0}, {ARENA_WIDTH, 0}, {ARENA_WIDTH, ARENA_HEIGHT}, {0, ARENA_HEIGHT}};

    memset(w, 0, sizeof *w); /* makes every list a valid, empty one */
    w->random = seed * 2 + 1;
    w->space = cpSpaceNew();
    if (w->space == NULL) {
        return false;
    }
    cpSpaceSetUserData(w->space, w);
    cpSpaceSetIterations(w->space, 4);
    cpSpaceSetDamping(w->space, 0.9);
    for (int i = 0; i < 4; i++) {
        cpShape *wall = cpSegmentShapeNew(cpSpaceGetStaticBody(w->space), corners[i], corners[(i + 1) % 4], 4.0);

        cpShapeSetCollisionType(wall, THING_WALL);
        cpShapeSetFilter(wall, cpShapeFilterNew(CP_NO_GROUP, mask_of(THING_WALL), meets(THING_WALL)));
        cpShapeSetElasticity(wall, 0.8);
        cpSpaceAddShape(w->space, wall);
    }
    add_handler(w, THING_BULLET, THING_ENEMY, bullet_meets_enemy);
    add_handler(w, THING_BULLET, THING_WALL, bullet_meets_wall);
    add_handler(w, THING_MISSILE, THING_ENEMY, missile_meets_enemy);
    add_handler(w, THING_ENEMY, THING_TURRET, enemy_meets_turret);
    for (uint32_t seat = 0; seat < ARENA_SEATS; seat++) {
        add_turret(w, seat);
    }
    add_timer(w, TIMER_WAVE, 1, 1, 0, (effects_handle){0, 0});
    return true;
}

static void free_wall(cpBody *body, cpShape *shape, void *data)
{
    (void)body;
    cpSpaceRemoveShape(data, shape);
    cpShapeFree(shape);
}

void world_close(struct world *w)
{
    bullets_deinit(&w->bullets); /* their destroy hooks remove the bodies */
    missiles_deinit(&w->missiles);
    debris_deinit(&w->debris);
    TURRETS_EACH(&w->turrets, turret) {
        doom(w, turret->body);
    }
    HANGAR_EACH(&w->hangar, enemy) {
        doom(w, enemy->body);
    }
    enemies_deinit(&w->enemies);
    threats_deinit(&w->threats);
    free_the_leaving(w);
    hangar_deinit(&w->hangar);
    effects_deinit(&w->effects);
    timers_deinit(&w->timers);
    arrivals_deinit(&w->arrivals);
    turrets_deinit(&w->turrets);
    hits_deinit(&w->hits);
    leaving_deinit(&w->leaving);
    blast_deinit(&w->blast);
    cpBodyEachShape(cpSpaceGetStaticBody(w->space), free_wall, w->space);
    cpSpaceFree(w->space);
}

/* -- for the report and the tests --------------------------------------------------------------------------------- */

static const char *first(const char *problem, const char *other)
{
    return problem != NULL ? problem : other;
}

const char *world_check(struct world *w)
{
    const char *problem = NULL;

    problem = first(problem, hangar_check(&w->hangar));
    problem = first(problem, enemies_check(&w->enemies));
    problem = first(problem, threats_check(&w->threats));
    problem = first(problem, bullets_check(&w->bullets));
    problem = first(problem, missiles_check(&w->missiles));
    problem = first(problem, debris_check(&w->debris));
    problem = first(problem, effects_check(&w->effects));
    problem = first(problem, timers_check(&w->timers));
    problem = first(problem, arrivals_check(&w->arrivals));
    problem = first(problem, turrets_check(&w->turrets));
    problem = first(problem, hits_check(&w->hits));
    problem = first(problem, leaving_check(&w->leaving));
    problem = first(problem, blast_check(&w->blast));
    BULLETS_EACH(&w->bullets, bullet) {
        if (bullet->body != NULL && cpBodyGetUserData(bullet->body) != bullet) {
            return "a body does not point at its bullet";
        }
    }
    MISSILES_EACH(&w->missiles, missile) {
        problem = first(problem, targets_check(&missile->targets));
        if (missile->body != NULL && cpBodyGetUserData(missile->body) != missile) {
            return "a body does not point at its missile";
        }
    }
    if (problem == NULL && hangar_count(&w->hangar) != enemies_count(&w->enemies)) {
        return "an enemy without a place, or a place without an enemy";
    }
    THREATS_EACH(&w->threats, enemy) {
        if (enemy->hp <= 0 || hangar_find(&w->hangar, enemy->id) != enemy) {
            return "a threat that is none";
        }
    }
    return problem;
}

/* The time of empty passes over a list, as many as the frame had. */
#define WALK(EACH, id, list)                                                                                           \
    do {                                                                                                               \
        uint64_t began_ = now_ns();                                                                                    \
        EACH(list, element) {                                                                                          \
            seen += (uintptr_t)element & 1;                                                                            \
        }                                                                                                              \
        took += (now_ns() - began_) * w->lists[id].walked;                                                             \
        reads += w->lists[id].walked;                                                                                  \
    } while (0)

uint64_t world_walk_ns(struct world *w)
{
    static volatile uintptr_t sink;
    uintptr_t seen = 0;
    uint64_t took = 0, reads = 0, clock;

    WALK(ENEMIES_EACH, LIST_ENEMIES, &w->enemies);
    WALK(THREATS_EACH, LIST_THREATS, &w->threats);
    WALK(BULLETS_EACH, LIST_BULLETS, &w->bullets);
    WALK(MISSILES_EACH, LIST_MISSILES, &w->missiles);
    WALK(DEBRIS_EACH, LIST_DEBRIS, &w->debris);
    WALK(EFFECTS_EACH, LIST_EFFECTS, &w->effects);
    WALK(ARRIVALS_EACH, LIST_ARRIVALS, &w->arrivals);
    WALK(TURRETS_EACH, LIST_TURRETS, &w->turrets);
    MISSILES_EACH(&w->missiles, missile) {
        uint64_t began = now_ns();

        TARGETS_EACH(&missile->targets, id) {
            seen += *id;
        }
        took += now_ns() - began;
        reads++;
    }
    sink = seen;
    (void)sink;
    clock = now_ns();
    for (int i = 0; i < 16; i++) {
        sink = (uintptr_t)now_ns();
    }
    clock = (now_ns() - clock) / 17 * reads;
    return took > clock ? took - clock : 0;
}
