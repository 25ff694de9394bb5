#ifndef BESPOKE_GROUP
#define BESPOKE_GROUP 16 /* the version that it is of */
/* 12 entries of a hash table, in 64 bytes. */
struct bespoke_group {
    uint8_t tags[12];     /* of the entries; 0: the place is free */
    uint8_t passed[4];    /* entries that lie further on their way, by their tags modulo 4, since there was no place here */
    uint32_t numbers[12]; /* what they lead to */
};
#elif BESPOKE_GROUP < 16
#error "a header before this one has an earlier version of BESPOKE_GROUP: include this one first"
#endif
