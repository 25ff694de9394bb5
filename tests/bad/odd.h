/* Types whose elements cannot be held by value, and links of other types. */
typedef float vec3[3];
typedef const int fixed;
struct trailing {
    int count;
    char text[];
};
typedef struct trailing trailing_t;
struct sealed {
    const int id;
};
struct linked {
    struct linked *next;
    int prev;
    struct crowd *owner;
    const struct linked *parent;
};
