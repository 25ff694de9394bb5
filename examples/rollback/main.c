/* A deterministic game for two players, as netcode plays it: in each frame the other player's input is not there yet, so the frame is played
 * with a guess. When the inputs have arrived, the game goes back to the frame that they are of, and plays all frames since again.
 *
 * Of the many rocks only a few change in a frame. So there is a snapshot of all of them every 16 frames, the base, and for each frame a delta.
 *
 *     rollback            plays 2,000 frames as if all inputs were there in time, and with 8 frames gone back in each; the games must be the same
 *     rollback cost       takes and brings back snapshots of full containers 1,000 times, and copies the live bytes by memcpy: for callgrind
 */
#include "game.h"
#include "battle.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BACK = 8, FRAMES = 2000, WIDE = 256 * 256, ROCKS = 8192, EVERY = 16, DELTA = 65536 };

/* The bytes of a base: there are no more rocks. */
#define WHOLE (sizeof(rocks) + ROCKS * sizeof(struct rock))

typedef struct world {
    ships ships;
    shots shots;
    rocks rocks;
    uint64_t chance;
    uint32_t frame;
} world;

/* A saved frame: the blocks of the containers, and what is beside them. */
typedef struct saved {
    unsigned char *ships, *shots, *rocks; /* of rocks the delta */
    uint64_t chance;
    uint32_t frame;
} saved;

/* The rocks of two frames: deltas of up to `EVERY` frames are relative to one. There is none that was taken longer ago. */
static unsigned char *bases[2];

static unsigned char *base_of(uint32_t frame)
{
    return bases[frame / EVERY % 2];
}

static uint32_t random_of(uint64_t *chance)
{
    *chance = *chance * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*chance >> 33);
}

/* What a player does in a frame: the input that arrives late. */
static uint32_t input(uint32_t frame, uint32_t player)
{
    uint64_t chance = (uint64_t)frame << 8 | player;

    (void)random_of(&chance);
    return random_of(&chance);
}

static void launch(world *game, int32_t player)
{
    struct ship ship = {0, 0, 0, 0, 20, 0, 0};

    ship.player = player;
    ship.x = (int32_t)(random_of(&game->chance) % WIDE);
    ship.y = (int32_t)(random_of(&game->chance) % WIDE);
    (void)ships_add(&game->ships, ship); /* not if there are too many */
}

static void fire(world *game, struct ship *ship)
{
    ships_handle by = ships_handle_of(&game->ships, ship);
    struct shot shot = {0, 0, 0, 0, 40, 0, 0, 0, 0};

    shot.x = ship->x;
    shot.y = ship->y;
    shot.dx = ship->dx * 2 + (int32_t)(random_of(&game->chance) % 512) - 256;
    shot.dy = ship->dy * 2 + (int32_t)(random_of(&game->chance) % 512) - 256;
    shot.by = by.index;
    shot.by_generation = by.generation;
    SHIPS_EACH(&game->ships, other) {
        if (other->player != ship->player) { /* the first one: a handle that outlives it */
            ships_handle aims = ships_handle_of(&game->ships, other);

            shot.aims = aims.index;
            shot.aims_generation = aims.generation;
            break;
        }
    }
    (void)shots_add(&game->shots, shot);
}

static void grow(world *game)
{
    struct rock rock = {0, 0, 0, 0};

    rock.x = (int32_t)(random_of(&game->chance) % WIDE);
    rock.y = (int32_t)(random_of(&game->chance) % WIDE);
    rock.ore = (int32_t)(random_of(&game->chance) % 8) + 1;
    (void)rocks_add(&game->rocks, rock);
}

/* A ship takes ore from some rock: the element changes through a pointer, of which the container hears nothing. */
static void mine(world *game, struct ship *ship)
{
    size_t number = random_of(&game->chance) % rocks_count(&game->rocks);
    struct rock *rock = rocks_get(&game->rocks, number);

    rock->hits++;
    rock->ore--;
    ship->hull++;
    if (rock->ore <= 0) {
        (void)rocks_remove_at(&game->rocks, number);
        grow(game);
    }
}

static void play(world *game, const uint32_t inputs[2])
{
    SHIPS_EACH(&game->ships, ship) {
        uint32_t what = inputs[ship->player] >> ship->x % 7;

        ship->dx = (ship->dx + (int32_t)(what % 33) - 16) % 512;
        ship->dy = (ship->dy + (int32_t)(what / 33 % 33) - 16) % 512;
        ship->x = (ship->x + ship->dx + WIDE) % WIDE;
        ship->y = (ship->y + ship->dy + WIDE) % WIDE;
        if (--ship->reload <= 0 && what % 3 == 0) {
            ship->reload = 5;
            fire(game, ship);
            if (what % 2 == 0) {
                mine(game, ship);
            }
        }
    }
    SHOTS_EACH(&game->shots, shot) {
        ships_handle aims = {shot->aims, shot->aims_generation};
        struct ship *aimed = ships_get(&game->ships, aims);

        shot->x += shot->dx;
        shot->y += shot->dy;
        if (aimed != NULL) { /* it turns towards what it was fired at, while that lives */
            shot->dx += aimed->x > shot->x ? 16 : -16;
            shot->dy += aimed->y > shot->y ? 16 : -16;
        }
        if (aimed != NULL && abs(aimed->x - shot->x) < 2000 && abs(aimed->y - shot->y) < 2000) {
            aimed->hull -= 5;
            if (aimed->hull <= 0) {
                (void)ships_remove(&game->ships, aims);
            }
            (void)shots_remove_current(&shot_cursor);
        } else if (--shot->left <= 0) {
            (void)shots_remove_current(&shot_cursor);
        }
    }
    if (game->frame % 4 == 0) {
        launch(game, (int32_t)(game->frame / 4 % 2));
    }
    game->frame++;
}

/* Of generations only what they say: a frame that is played again assigns others. */
static uint64_t checksum(const world *game, uint64_t sum)
{
    SHIPS_EACH_CONST(&game->ships, ship) {
        sum = (sum ^ (uint32_t)ship->x ^ (uint64_t)(uint32_t)ship->hull << 32 ^ ships_handle_of(&game->ships, ship).index) * 0x100000001b3u;
    }
    SHOTS_EACH_CONST(&game->shots, shot) {
        ships_handle aims = {shot->aims, shot->aims_generation};

        sum = (sum ^ (uint32_t)shot->x ^ (uint64_t)(ships_get_const(&game->ships, aims) != NULL) << 32 ^ shot->aims) * 0x100000001b3u;
    }
    ROCKS_EACH_CONST(&game->rocks, rock) {
        sum = (sum ^ (uint32_t)rock->x ^ (uint64_t)(uint32_t)rock->ore << 32 ^ (uint64_t)(uint32_t)rock->hits << 16) * 0x100000001b3u;
    }
    return sum ^ game->chance;
}

static void take(world *game, saved *to)
{
    if (!ships_snapshot(&game->ships, to->ships, sizeof(ships) + 64 * 128) || !shots_snapshot(&game->shots, to->shots, sizeof(shots))) {
        fputs("the blocks are too small\n", stderr);
        exit(1);
    }
    if (game->frame % EVERY == 0 && !rocks_snapshot(&game->rocks, base_of(game->frame), WHOLE)) {
        fputs("the base is too small\n", stderr);
        exit(1);
    }
    if (rocks_snapshot_delta(&game->rocks, base_of(game->frame), to->rocks, DELTA) > DELTA) { /* a game would take a base now */
        fputs("too much has changed\n", stderr);
        exit(1);
    }
    to->chance = game->chance;
    to->frame = game->frame;
}

static void go_back(world *game, const saved *to)
{
    if (ships_rollback(&game->ships, to->ships) != SHIPS_OK || shots_rollback(&game->shots, to->shots) != SHOTS_OK
        || rocks_rollback_delta(&game->rocks, base_of(to->frame), to->rocks) != ROCKS_OK) {
        fputs("no memory\n", stderr);
        exit(1);
    }
    game->chance = to->chance;
    game->frame = to->frame;
}

static void begin(world *game)
{
    memset(game, 0, sizeof *game);
    game->chance = 7;
    for (int32_t i = 0; i < 40; i++) {
        launch(game, i % 2);
    }
    for (int32_t i = 0; i < ROCKS; i++) {
        grow(game);
    }
}

static void end(world *game)
{
    ships_deinit(&game->ships);
    rocks_deinit(&game->rocks);
}

/* All inputs are there. */
static uint64_t straight(void)
{
    static world game;
    uint64_t sum = 0;

    begin(&game);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        uint32_t inputs[2] = {input(frame, 0), input(frame, 1)};

        play(&game, inputs);
        sum = checksum(&game, sum);
    }
    end(&game);
    return sum;
}

/* The inputs of player 1 arrive after 8 frames, during which they are guessed: the frames until then are played again in each frame. */
static uint64_t back_and_forth(saved frames[BACK + 1])
{
    static world game;
    uint64_t sum = 0;

    begin(&game);
    for (uint32_t frame = 0; frame < FRAMES + BACK; frame++) {
        if (frame >= BACK) {
            uint32_t arrived = frame - BACK;
            uint32_t inputs[2] = {input(arrived, 0), input(arrived, 1)};

            go_back(&game, &frames[arrived % (BACK + 1)]);
            play(&game, inputs);
            sum = checksum(&game, sum);
        }
        while (game.frame <= frame) { /* up to the frame that is shown */
            uint32_t inputs[2] = {input(game.frame, 0), 0};

            take(&game, &frames[game.frame % (BACK + 1)]);
            play(&game, inputs);
        }
    }
    end(&game);
    return sum;
}

/* What callgrind counts beside T_snapshot and T_rollback: memcpy of the live bytes. */
#if defined(__GNUC__)
#define APART __attribute__((noinline))
#else
#define APART
#endif
APART static void copy_ships(void *to, const void *from)
{
    memcpy(to, from, 64 * sizeof(struct ship));
}

APART static void copy_shots(void *to, const void *from)
{
    memcpy(to, from, 500 * sizeof(struct shot));
}

APART static void copy_rocks(unsigned char *to, rocks *from)
{
    for (size_t i = 0, count; i < rocks_chunk_count(from); i++) {
        const struct rock *chunk = rocks_chunk(from, i, &count);

        memcpy(to, chunk, count * sizeof *chunk);
        to += count * sizeof *chunk;
    }
}

/* A delta of rocks of which each `one_in`th has changed; 0: none has. One function for each share, so that callgrind lists each. */
static size_t changed_delta(world *game, unsigned char *delta, size_t one_in)
{
    size_t bytes;

    (void)rocks_snapshot(&game->rocks, bases[0], WHOLE);
    for (size_t n = 0; one_in > 0 && n < ROCKS; n += one_in) {
        rocks_get(&game->rocks, n)->ore++;
    }
    bytes = rocks_snapshot_delta(&game->rocks, bases[0], delta, 2 * WHOLE);
    (void)rocks_rollback_delta(&game->rocks, bases[0], delta);
    return bytes;
}

APART static size_t none_changed(world *game, unsigned char *delta) { return changed_delta(game, delta, 0); }
APART static size_t few_changed(world *game, unsigned char *delta) { return changed_delta(game, delta, 512); }
APART static size_t some_changed(world *game, unsigned char *delta) { return changed_delta(game, delta, 64); }
APART static size_t all_changed(world *game, unsigned char *delta) { return changed_delta(game, delta, 1); }

static void cost(saved *to)
{
    static world game;
    static unsigned char live[500 * sizeof(struct shot)], block[ROCKS * sizeof(struct rock)];
    struct shot shot = {0, 0, 0, 0, 40, 0, 0, 0, 0};
    unsigned char *delta = (unsigned char *)malloc(2 * WHOLE);
    size_t bytes[4] = {0, 0, 0, 0};

    begin(&game);
    while (ships_count(&game.ships) < 64) {
        launch(&game, 0);
    }
    while (shots_add(&game.shots, shot) == SHOTS_OK) {
    }
    for (int i = 0; delta != NULL && i < 1000; i++) {
        copy_ships(block, live);
        copy_shots(block, live);
        copy_rocks(block, &game.rocks);
        take(&game, to);
        go_back(&game, to);
        (void)rocks_rollback(&game.rocks, bases[0]);
        bytes[0] = none_changed(&game, delta);
        bytes[1] = few_changed(&game, delta);
        bytes[2] = some_changed(&game, delta);
        bytes[3] = all_changed(&game, delta);
    }
    printf("64 ships, %zu bytes, snapshots of %zu\n", 64 * sizeof(struct ship), ships_snapshot_bytes(&game.ships));
    printf("500 shots, %zu bytes, snapshots of %zu\n", 500 * sizeof(struct shot), shots_snapshot_bytes(&game.shots));
    printf("%d rocks, %zu bytes, snapshots of %zu\n", (int)ROCKS, ROCKS * sizeof(struct rock), rocks_snapshot_bytes(&game.rocks));
    printf("deltas, if none has changed, 16, 128 or all: %zu, %zu, %zu, %zu\n", bytes[0], bytes[1], bytes[2], bytes[3]);
    free(delta);
    end(&game);
}

int main(int count, char **arguments)
{
    saved frames[BACK + 1];
    uint64_t expected, sum;

    for (int i = 0; i < 2; i++) {
        bases[i] = (unsigned char *)malloc(WHOLE);
    }
    for (int i = 0; i <= BACK; i++) {
        frames[i].ships = (unsigned char *)malloc(sizeof(ships) + 64 * 128);
        frames[i].shots = (unsigned char *)malloc(sizeof(shots));
        frames[i].rocks = (unsigned char *)malloc(DELTA);
    }
    if (count > 1 && strcmp(arguments[1], "cost") == 0) {
        cost(&frames[0]);
    } else {
        expected = straight();
        sum = back_and_forth(frames);
        printf("%d frames, straight on: %016llx\n", (int)FRAMES, (unsigned long long)expected);
        printf("%d frames back in each: %016llx\n", (int)BACK, (unsigned long long)sum);
        if (sum != expected) {
            puts("the games differ");
            return 1;
        }
    }
    for (int i = 0; i <= BACK; i++) {
        free(frames[i].ships);
        free(frames[i].shots);
        free(frames[i].rocks);
    }
    for (int i = 0; i < 2; i++) {
        free(bases[i]);
    }
    return 0;
}
