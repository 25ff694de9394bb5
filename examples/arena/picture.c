#include "picture.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#define SCALE 1 /* pixels for each unit of the arena */
#define WIDE (ARENA_WIDTH * SCALE)
#define HIGH (ARENA_HEIGHT * SCALE)

struct colour {
    double red, green, blue;
};

/* Linear light, added up; turned into bytes at the end. */
struct canvas {
    float *light; /* three for each pixel */
};

static void touch(struct canvas *canvas, int x, int y, struct colour colour, double share, bool glow)
{
    float *pixel;

    if (x < 0 || y < 0 || x >= WIDE || y >= HIGH || share <= 0) {
        return;
    }
    pixel = canvas->light + 3 * ((size_t)y * WIDE + (size_t)x);
    share = share > 1 ? 1 : share;
    pixel[0] = (float)(pixel[0] * (glow ? 1 : 1 - share) + colour.red * share);
    pixel[1] = (float)(pixel[1] * (glow ? 1 : 1 - share) + colour.green * share);
    pixel[2] = (float)(pixel[2] * (glow ? 1 : 1 - share) + colour.blue * share);
}

/* The distance of a point from the segment a-b. */
static double segment_distance(cpVect point, cpVect a, cpVect b)
{
    cpVect along = cpvsub(b, a);
    double length = cpvlengthsq(along);
    double t = length > 0 ? cpfclamp01(cpvdot(cpvsub(point, a), along) / length) : 0;

    return cpvdist(point, cpvadd(a, cpvmult(along, t)));
}

/* A line with round ends; with a == b a disc. `soft`: how wide its edge fades. */
static void draw_line(struct canvas *canvas, cpVect a, cpVect b, double radius, double soft, struct colour colour,
                      double share, bool glow)
{
    double reach = radius + soft + 1;
    int left = (int)floor((fmin(a.x, b.x) - reach) * SCALE), right = (int)ceil((fmax(a.x, b.x) + reach) * SCALE);
    int top = (int)floor((fmin(a.y, b.y) - reach) * SCALE), bottom = (int)ceil((fmax(a.y, b.y) + reach) * SCALE);

    for (int y = top; y <= bottom; y++) {
        for (int x = left; x <= right; x++) {
            double away = segment_distance(cpv((x + 0.5) / SCALE, (y + 0.5) / SCALE), a, b) - radius;
            double edge = 0.5 - away / soft;

            edge = edge > 1 ? 1 : edge;
            touch(canvas, x, y, colour, glow && edge > 0 ? edge * edge * share : edge * share, glow);
        }
    }
}

static void draw_disc(struct canvas *canvas, cpVect at, double radius, struct colour colour, double share)
{
    draw_line(canvas, at, at, radius, 1.2, colour, share, false);
}

static void draw_glow(struct canvas *canvas, cpVect at, double radius, struct colour colour, double share)
{
    draw_line(canvas, at, at, 0.0, radius * 2, colour, share, true);
}

static void draw_ring(struct canvas *canvas, cpVect at, double radius, double width, struct colour colour, double share)
{
    double reach = radius + width + 2;

    for (int y = (int)((at.y - reach) * SCALE); y <= (int)((at.y + reach) * SCALE); y++) {
        for (int x = (int)((at.x - reach) * SCALE); x <= (int)((at.x + reach) * SCALE); x++) {
            double away = fabs(cpvdist(cpv((x + 0.5) / SCALE, (y + 0.5) / SCALE), at) - radius);

            touch(canvas, x, y, colour, (1.2 - away / width) * share, true);
        }
    }
}

static void draw_bar(struct canvas *canvas, cpVect at, double wide, double share)
{
    const struct colour back = {0.02, 0.02, 0.03};
    struct colour full = {1.0 - share, 0.15 + 0.65 * share, 0.12};
    cpVect left = cpv(at.x - wide, at.y);

    draw_line(canvas, left, cpv(at.x + wide, at.y), 1.8, 1.0, back, 0.9, false);
    draw_line(canvas, left, cpv(at.x - wide + 2 * wide * share, at.y), 1.1, 1.0, full, 1.0, false);
}

static void draw_world(struct canvas *canvas, struct world *w)
{
    static const struct colour kinds[ENEMY_KINDS] = {
        [DRONE] = {0.85, 0.16, 0.14}, [BRUTE] = {0.52, 0.16, 0.62}, [BOMBER] = {0.90, 0.50, 0.05},
        [CARRIER] = {0.10, 0.45, 0.32}};
    const struct colour grid = {0.006, 0.010, 0.020}, line = {0.06, 0.10, 0.18}, dark = {0.01, 0.012, 0.02};
    const struct colour steel = {0.30, 0.42, 0.55}, ice = {0.30, 0.70, 1.0}, gold = {1.0, 0.72, 0.25};
    const struct colour ash = {0.34, 0.29, 0.25}, fire = {1.0, 0.42, 0.10}, mint = {0.25, 1.0, 0.65};
    const cpVect core = {ARENA_WIDTH / 2.0, ARENA_HEIGHT / 2.0};

    for (int x = 48; x < ARENA_WIDTH; x += 48) {
        draw_line(canvas, cpv(x, 0), cpv(x, ARENA_HEIGHT), 0.3, 1.0, grid, 1.0, true);
    }
    for (int y = 48; y < ARENA_HEIGHT; y += 48) {
        draw_line(canvas, cpv(0, y), cpv(ARENA_WIDTH, y), 0.3, 1.0, grid, 1.0, true);
    }
    draw_ring(canvas, core, ARENA_REACH, 1.0, line, 0.8);
    draw_glow(canvas, core, 150.0, ice, 0.10);
    for (int i = 0; i < 4; i++) {
        cpVect corner = cpv(i % 2 == 0 ? 30 : ARENA_WIDTH - 30, i < 2 ? 30 : ARENA_HEIGHT - 30);

        draw_ring(canvas, corner, 20.0, 2.0, kinds[BRUTE], 0.8);
        draw_glow(canvas, corner, 44.0, kinds[BRUTE], 0.4);
    }
    DEBRIS_EACH(&w->debris, chunk) {
        cpVect at = cpBodyGetPosition(chunk->body);
        cpVect arm = cpvmult(cpBodyGetRotation(chunk->body), chunk->radius);

        draw_line(canvas, cpvsub(at, arm), cpvadd(at, arm), chunk->radius * 0.6, 1.0, ash,
                  chunk->life > 25 ? 1.0 : chunk->life / 25.0, false);
    }
    MISSILES_EACH(&w->missiles, missile) { /* its targets, in the order of its list */
        cpVect from = missile->body == NULL ? cpvzero : cpBodyGetPosition(missile->body);
        double share = 0.30;

        if (missile->body == NULL) {
            continue;
        }
        TARGETS_EACH(&missile->targets, id) {
            struct enemy *enemy = hangar_find(&w->hangar, *id);

            if (enemy != NULL && enemy->hp > 0) {
                draw_line(canvas, from, cpBodyGetPosition(enemy->body), 0.1, 1.0, mint, share, true);
                share *= 0.45;
            }
        }
    }
    draw_disc(canvas, core, 26.0, steel, 1.0);
    draw_disc(canvas, core, 20.0, dark, 1.0);
    draw_disc(canvas, core, 12.0, ice, 0.9);
    draw_glow(canvas, core, 60.0, ice, 0.5);
    TURRETS_EACH(&w->turrets, turret) {
        draw_disc(canvas, turret->at, 11.0, steel, 1.0);
        draw_disc(canvas, turret->at, 7.5, dark, 1.0);
        draw_line(canvas, turret->at, cpvadd(turret->at, cpvmult(turret->aim, 15.0)), 2.4, 1.0, steel, 1.0, false);
        draw_disc(canvas, turret->at, 4.0, ice, 1.0);
        draw_bar(canvas, cpv(turret->at.x, turret->at.y + 17.0), 11.0, (double)turret->hp / TURRET_HP);
    }
    ENEMIES_EACH(&w->enemies, enemy) {
        cpVect at = cpBodyGetPosition(enemy->body);
        struct colour colour = kinds[enemy->kind];
        struct colour deep = {colour.red * 0.10, colour.green * 0.10, colour.blue * 0.10};
        cpVect nose = cpvadd(at, cpvmult(cpvnormalize(cpBodyGetVelocity(enemy->body)), enemy->radius - 1.0));

        draw_glow(canvas, at, enemy->radius * 2.2, colour, 0.16);
        draw_disc(canvas, at, enemy->radius, colour, 1.0);
        draw_disc(canvas, at, enemy->radius - 2.2, deep, 1.0);
        draw_line(canvas, at, nose, 1.5, 1.0, colour, 1.0, false);
        draw_disc(canvas, at, enemy->radius * 0.35, colour, 1.0);
        if (enemy->kind == BOMBER) {
            draw_disc(canvas, at, 3.2, gold, 1.0);
        }
        if (enemy->hp < enemy->full) {
            draw_bar(canvas, cpv(at.x, at.y - enemy->radius - 5.0), enemy->radius, (double)enemy->hp / enemy->full);
        }
    }
    BULLETS_EACH(&w->bullets, bullet) {
        if (bullet->body != NULL) {
            cpVect at = cpBodyGetPosition(bullet->body);
            cpVect tail = cpvsub(at, cpvmult(cpBodyGetVelocity(bullet->body), 0.028));

            draw_line(canvas, at, tail, 0.6, 3.4, gold, bullet->cluster ? 1.0 : 0.75, true);
            draw_disc(canvas, at, bullet->cluster ? 2.4 : 1.3, gold, 1.0);
        }
    }
    MISSILES_EACH(&w->missiles, missile) {
        if (missile->body != NULL) {
            cpVect at = cpBodyGetPosition(missile->body);
            cpVect back = cpvnormalize(cpBodyGetVelocity(missile->body));

            draw_line(canvas, cpvsub(at, cpvmult(back, 8.0)), cpvsub(at, cpvmult(back, 22.0)), 1.0, 6.0, fire, 0.9,
                      true);
            draw_line(canvas, cpvsub(at, cpvmult(back, 6.0)), cpvadd(at, cpvmult(back, 4.0)), 2.2, 1.0, mint, 1.0,
                      false);
        }
    }
    EFFECTS_EACH(&w->effects, effect) {
        double share = (double)effect->life / effect->full;

        switch (effect->kind) {
        case EFFECT_SPARK: draw_glow(canvas, effect->at, effect->radius * 2.0, fire, share); break;
        case EFFECT_RING:
            draw_glow(canvas, effect->at, effect->radius, fire, 0.5 * share);
            draw_ring(canvas, effect->at, effect->radius, 3.0, gold, 0.8 * share);
            break;
        case EFFECT_SHIELD: draw_ring(canvas, effect->at, effect->radius, 1.6, ice, 0.8); break;
        }
    }
}

bool picture_write(struct world *w, const char *path)
{
    const size_t values = (size_t)WIDE * HIGH * 3;
    struct canvas canvas = {malloc(values * sizeof(float))};
    unsigned char *bytes = malloc(values);
    bool done = false;

    if (canvas.light != NULL && bytes != NULL) {
        png_image image;

        for (size_t i = 0; i < values; i += 3) {
            canvas.light[i] = 0.0045f;
            canvas.light[i + 1] = 0.006f;
            canvas.light[i + 2] = 0.012f;
        }
        draw_world(&canvas, w);
        for (size_t i = 0; i < values; i++) {
            double light = canvas.light[i] > 1 ? 1 : canvas.light[i];

            bytes[i] = (unsigned char)(255.0 * pow(light, 1 / 2.2) + 0.5);
        }
        memset(&image, 0, sizeof image);
        image.version = PNG_IMAGE_VERSION;
        image.width = WIDE;
        image.height = HIGH;
        image.format = PNG_FORMAT_RGB;
        done = png_image_write_to_file(&image, path, 0, bytes, 0, NULL) != 0;
    }
    free(bytes);
    free(canvas.light);
    return done;
}
