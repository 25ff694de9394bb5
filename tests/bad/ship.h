/* Read as text: which names occur in it. */
struct ship {
    int id, hp, gone;
    unsigned slot;
    struct ship *next, *prev, *team_next, *team_prev;
    void *owner;
};
