#include <stdint.h>
struct parcel {
    uint32_t kind;
    uint64_t number;
};
struct place {
    float x, y;
};
struct label {
    uint8_t bytes[12];
    uint32_t check;
};
struct cargo {
    struct parcel parcel;
    struct place place;
    struct label label;
    const char *name;
    char code[8];
    uint32_t id;
};
