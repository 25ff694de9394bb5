/* A table of players: found by id and by name, listed by team, ranked by score. */
#include "players.h"

#include <stdio.h>
#include <string.h>

static void join(players *table, uint32_t id, const char *name, int team, int score)
{
    struct player made = {.id = id, .team = team, .score = score};

    snprintf(made.name, sizeof made.name, "%s", name);
    if (players_add(table, made) == PLAYERS_DUPLICATE) { /* in no index, then */
        printf("%u, %s: the id or the name is taken\n", (unsigned)id, name);
    }
}

/* A key is changed in the element. Then the index is notified, before any other call. */
static void scores(players *table, const char *name, int points)
{
    struct player *player = players_find_by_name(table, name);

    if (player != NULL) {
        player->score += points;
        players_rekey_by_score(table, players_handle_of(table, player));
    }
}

/* A name that is taken is refused: the index is as it was, and the element gets its old name back. */
static void rename_player(players *table, uint32_t id, const char *name)
{
    struct player *player = players_find_by_id(table, id);
    char old[sizeof player->name];

    if (player == NULL) {
        return;
    }
    memcpy(old, player->name, sizeof old);
    snprintf(player->name, sizeof player->name, "%s", name);
    if (players_rekey_by_name(table, players_handle_of(table, player), old) == PLAYERS_DUPLICATE) {
        memcpy(player->name, old, sizeof old);
        printf("%s cannot be called %s\n", old, name);
    }
}

static void ranking(const players *table)
{
    players_range range = players_all_by_score(table);
    const struct player *player;
    unsigned rank = 1;

    while ((player = players_previous_by_score(table, &range)) != NULL) {
        printf("%u. %s, %d\n", rank++, player->name, player->score);
    }
}

int main(void)
{
    players table = {0};
    players_range range;
    struct player *player;

    join(&table, 1, "Ada", 1, 30);
    join(&table, 2, "Ben", 2, 50);
    join(&table, 3, "Cleo", 1, 20);
    join(&table, 4, "Dan", 2, 40);
    join(&table, 5, "Ben", 1, 90);
    scores(&table, "Cleo", 40);
    rename_player(&table, 4, "Ada");
    rename_player(&table, 4, "Dora");
    ranking(&table);

    range = players_range_by_team(&table, 1);
    while ((player = players_next_by_team(&table, &range)) != NULL) {
        printf("team 1: %s\n", player->name);
    }
    range = players_range_by_score(&table, 35, 55);
    while ((player = players_next_by_score(&table, &range)) != NULL) {
        printf("from 35 to 55: %s\n", player->name);
    }
    PLAYERS_EACH(&table, each) { /* a pass is over the elements, whatever finds them */
        if (each->score < 50) {
            players_remove_current(&each_cursor);
        }
    }
    printf("%lu left, %s\n", (unsigned long)players_count(&table), players_find_by_name(&table, "Ada") == NULL ? "without Ada" : "with Ada");
    players_deinit(&table);
    return 0;
}
