/* A few frames of a game with lists of several kinds, in what C and C++ have in common. */
#include "lists.h" /* all of them */
#include <stdio.h>

enum { SHIPS = 40, FRAMES = 20 };

static struct ship ships[SHIPS];
static team allies;
static debris wreckage;
static int welcomed, lost, destroyed;

bool ship_is_gone(const struct ship *ship)
{
    return ship->gone;
}

void crowd_welcomes(crowd *list, struct ship *ship)
{
    (void)list;
    (void)ship;
    welcomed++;
}

void crowd_loses(crowd *list, struct ship *ship)
{
    struct spark spark = {0, 0, 0, 1, 1, 3};

    (void)list;
    spark.id = ship->id;
    (void)debris_add(&wreckage, spark);
    team_remove(&allies, ship);
    lost++;
}

void crowd_destroys(crowd *list, struct ship *ship)
{
    (void)list;
    (void)ship;
    destroyed++;
}

void loaded_unloads(loaded *list, struct ship *ship)
{
    (void)list;
    (void)ship;
    destroyed++;
}

void history_forgets(history *list, struct ship *ship)
{
    (void)list;
    (void)ship;
    destroyed++;
}

void crowd_updates(crowd *list, struct ship *ship, const struct frame *frame)
{
    (void)list;
    ship->hp--;
    ship->gone = ship->hp <= 0;
    if (ship->id % 10 == 0 && ship->team != NULL && frame->number == 2) {
        /* it takes the one behind it along, in the middle of the pass */
        struct ship *other = team_next_of(&allies, ship);

        if (other != NULL) {
            crowd_remove(list, other);
        }
    }
}

void wake_burns(wake *list, struct spark *spark, const struct frame *frame)
{
    (void)list;
    spark->life -= (float)frame->seconds;
}

void scene_moves(scene *list, struct part *part, const struct frame *frame)
{
    (void)list;
    part->x += (float)frame->seconds;
}

void theatre_loses(theatre_layer *layer, struct ship *ship)
{
    (void)layer;
    (void)ship;
}

void theatre_destroys(theatre_layer *layer, struct ship *ship)
{
    (void)layer;
    (void)ship;
}

void theatre_updates(theatre_layer *layer, struct ship *ship, const theatre_tick *tick)
{
    (void)layer;
    (void)ship;
    (void)tick;
}

int main(void)
{
    crowd everyone;
    size_t left, dead = 0;

    crowd_init(&everyone);
    team_init(&allies);
    debris_init(&wreckage);
    for (uint32_t i = 0; i < SHIPS; i++) {
        ships[i].id = i;
        ships[i].hp = (int)(i % 7) + 3;
        if (crowd_add(&everyone, &ships[i]) != CROWD_OK || (i % 2 == 0 && team_add(&allies, &ships[i]) != TEAM_OK)) {
            return 1;
        }
    }
    for (uint32_t number = 0; number < FRAMES; number++) {
        struct frame frame = {0.5, 0};

        frame.number = number;
        crowd_update(&everyone, &frame);
        DEBRIS_EACH(&wreckage, spark) {
            spark->life -= 1;
            if (spark->life <= 0) {
                debris_remove_current(&spark_cursor);
                dead++;
            }
        }
        if (crowd_check(&everyone) != NULL || team_check(&allies) != NULL || debris_check(&wreckage) != NULL) {
            return 1;
        }
    }
    left = crowd_count(&everyone) + team_count(&allies) + debris_count(&wreckage);
    printf("%d welcomed, %d lost, %d destroyed, %lu sparks burnt, %lu left\n", welcomed, lost, destroyed, (unsigned long)dead,
           (unsigned long)left);
    debris_deinit(&wreckage);
    team_deinit(&allies);
    crowd_deinit(&everyone);
    return 0;
}
