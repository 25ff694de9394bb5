/* Used by some containers only. */
#if defined(__GNUC__) || defined(__clang__)
#define BT_SPARE __attribute__((unused))
#else
#define BT_SPARE
#endif

#if defined(__SANITIZE_ADDRESS__)
#define BT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BT_SANITIZED 1
#endif
#endif
#ifndef BT_SANITIZED
#define BT_SANITIZED 0
#endif
#if BT_SANITIZED
#include <sanitizer/asan_interface.h>
#endif

enum { BT_FAILED = 1, BT_UNCLEAR = 2 }; /* why a run ended */

enum {
    BT_BESIDE = 4,    /* values that an element may have beside it, in tests */
    BT_SIDES = 2,     /* every container is tested as a pair, so that one can take from the other */
    BT_CURSORS = 4,   /* cursors kept between operations, per side */
#ifdef BT_WITH_SNAPSHOTS
    BT_FRAMES = 4,    /* snapshots that are kept, per side */
#endif
    BT_ROWS = 1024,   /* the maximum count of a model */
    BT_BATCH = 32,    /* the maximum of elements in a bulk call */
    BT_LABELS = BT_MOST_LABELS, /* elements are identified by labels from 1 to BT_LABELS - 1 */
    BT_LENGTH = 400,  /* the maximum of operations in a run */
    BT_BLOCKS = 1024  /* the maximum of allocated blocks */
};
#define BT_NOBODY 0u /* the label of no element */
#define BT_ELSEWHERE ((unsigned)-1) /* the label of an element that is in no container */
