#include "players.h"
#include <stdio.h>

/* The id of a player is the index of the handle: two bytes, which a message can hold. */
static uint16_t enter(players *pool, struct player player)
{
    players_handle id;

    if (players_add_handle(pool, player, &id) != PLAYERS_OK) {
        return 0; /* that of none */
    }
    printf("%s is %u\n", player.name, (unsigned)id.index);
    return id.index;
}

static void say(players *pool, uint16_t id, const char *words)
{
    const struct player *player = players_get(pool, (players_handle){id});

    printf("%u: %s\n", (unsigned)id, player != NULL ? player->name : words);
}

int main(void)
{
    players pool = {0}; /* zero is a valid, empty pool */
    uint16_t ada = enter(&pool, (struct player){"Ada"});
    uint16_t ben = enter(&pool, (struct player){"Ben"});
    uint16_t cleo = enter(&pool, (struct player){"Cleo"});

    say(&pool, ben, "nobody");
    (void)players_remove(&pool, (players_handle){cleo});
    (void)players_remove(&pool, (players_handle){ada});
    say(&pool, cleo, "nobody");
    (void)enter(&pool, (struct player){"Dan"}); /* the lowest that is free */
    (void)enter(&pool, (struct player){"Eve"});
    (void)enter(&pool, (struct player){"Finn"});
    PLAYERS_EACH(&pool, player) {
        printf("%s plays\n", player->name);
    }
    players_deinit(&pool);
    return 0;
}
