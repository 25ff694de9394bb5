#ifndef ENEMY_H
#define ENEMY_H

struct enemy {
    const char *name;
    int hp;
    int loss; /* hp in a frame */
};

struct frame {
    int number;
};

struct enemies;

void enemy_updates(struct enemies *list, struct enemy *enemy, const struct frame *frame);
void enemy_leaves(struct enemies *list, struct enemy *enemy);

#endif
