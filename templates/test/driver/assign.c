#if defined(__GNUC__) || defined(__clang__) || defined(__TINYC__)
#define BT_SET_VALUE(type, member, number) ((__typeof__(0 ? ((type *)0)->member : ((type *)0)->member))(uintptr_t)(number))
#else
#define BT_SET_VALUE(type, member, number) (number)
#endif
#ifdef __cplusplus
#define BT_SET(type, element, member, number) ((element)->member = BT_SET_VALUE(type, member, number))
#else
/* Writes a number into a member of any type: a bit-field too, which has no address, and what is const. So another is made that
 * has the number in it; which bits are the member's own is found when it is written for the first time. */
#define BT_SET(type, element, member, number) \
    do { \
        static unsigned char own[sizeof(type)]; \
        static size_t range[2]; \
        const type made = {.member = BT_SET_VALUE(type, member, number)}; \
        if (range[1] == 0) { \
            const type others[] = { \
                {.member = BT_SET_VALUE(type, member, bt_probes[0])}, \
                {.member = BT_SET_VALUE(type, member, bt_probes[1])}, \
                {.member = BT_SET_VALUE(type, member, bt_probes[2])}, \
                {.member = BT_SET_VALUE(type, member, bt_probes[3])}, \
            }; \
            bt_probes_bits(own, range, (const unsigned char *)(const void *)others, sizeof(type)); \
        } \
        bt_probes_copy((unsigned char *)(void *)(element), (const unsigned char *)(const void *)&made, own, range); \
    } while (0)

BT_SPARE static uintptr_t bt_probes[] = {0, (uintptr_t)-1, 0xffffffu, 1}; /* between them they have all bits, of a float too */

/* The bits in which elements made with these numbers differ, and from which byte to which there are some. */
BT_SPARE static void bt_probes_bits(unsigned char *own, size_t *range, const unsigned char *others, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        for (size_t n = 1; n < sizeof bt_probes / sizeof bt_probes[0]; n++) {
            own[i] |= (unsigned char)(others[i] ^ others[n * bytes + i]);
        }
        if (own[i] != 0) {
            range[0] = range[1] == 0 ? i : range[0];
            range[1] = i + 1;
        }
    }
}

BT_SPARE static void bt_probes_copy(unsigned char *to, const unsigned char *from, const unsigned char *own, const size_t *range)
{
    for (size_t i = range[0]; i < range[1]; i++) {
        to[i] = (unsigned char)((to[i] & ~own[i]) | (from[i] & own[i]));
    }
}
#endif
