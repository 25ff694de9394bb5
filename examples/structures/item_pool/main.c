#include "sounds.h"
#include <stdio.h>

static sounds pool; /* zero is a valid, empty pool */

/* Returns a handle of the new sound; {0, 0}, which is never valid, if the pool is full. */
static sounds_handle play(const char *name, int frames)
{
    struct sound *sound = sounds_emplace(&pool);

    if (sound == NULL) {
        return (sounds_handle){0, 0};
    }
    *sound = (struct sound){name, frames};
    return sounds_handle_of(&pool, sound);
}

int main(void)
{
    sounds_handle engine = play("engine", 100);
    sounds_handle shot = play("shot", 2);

    play("steps", 3);
    play("door", 5);
    printf("a fifth: %s\n", sounds_get(&pool, play("rain", 9)) != NULL ? "plays" : "there are four already");

    for (int frame = 0; frame < 2; frame++) {
        SOUNDS_EACH(&pool, sound) {
            if (--sound->frames == 0) {
                sounds_remove_current(&sound_cursor);
            }
        }
    }
    play("rain", 9); /* in the slot of the shot */

    /* The handle of the shot is stale: the sound has ended. */
    printf("shot: %s\n", sounds_get(&pool, shot) == NULL ? "over" : sounds_get(&pool, shot)->name);
    printf("stop it: %s\n", sounds_remove(&pool, shot) == SOUNDS_STALE ? "stale, and the rain goes on" : "done");
    printf("engine: %d frames\n", sounds_get(&pool, engine)->frames);
    sounds_deinit(&pool);
    return 0;
}
