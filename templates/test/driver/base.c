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
    BT_SIDES = 2,     /* every container is tested as a pair, so that one can take from the other */
    BT_CURSORS = 4,   /* cursors kept between operations, per side */
/* @if snapshots */
    BT_FRAMES = 4,    /* snapshots that are kept, per side */
/* @end */
    BT_ROWS = 1024,   /* the maximum count of a model */
    BT_BATCH = 32,    /* the maximum of elements in a bulk call */
    BT_LABELS = /* @labels */ 1200, /* elements are identified by labels from 1 to BT_LABELS - 1 */
    BT_LENGTH = 400,  /* the maximum of operations in a run */
    BT_BLOCKS = 1024  /* the maximum of allocated blocks */
};
#define BT_NOBODY 0u /* the label of no element */
#define BT_ELSEWHERE ((unsigned)-1) /* the label of an element that is in no container */
/* @if assigns */

/* @set_member */
/* @end */
/* @if texts */

/* @spell_keys */
/* @end */

/* The statuses, with the same numbers in all containers. */
enum {
/* @statuses */
};
static const char *const bt_words[] = { /* @status_words */ "OK" };

/* What the body of a loop is to do next. */
enum { BT_GO_ON, BT_CONTINUE, BT_BREAK, BT_GOTO, BT_RETURN, BT_REMOVE_CURRENT, BT_REMOVE_IT, BT_EXPIRE_IT, BT_END_IT };

/* @if saving */
/* What is saved. */
typedef struct bt_bytes {
    unsigned char *bytes;
    size_t count, room;
    size_t at;      /* what was read up to here */
    unsigned fails; /* this call and all after it fail; 0: none */
} bt_bytes;

/* @end */
/* A container under test: the promises of its spec, and its functions. Functions that it lacks are NULL. */
typedef struct bt_subject {
/* @rules */
/* @calls */
} bt_subject;

static const bt_subject *bt_it; /* the container under test */
static unsigned bt_labels = 2;  /* its elements are distinct up to this label */
static bool bt_can_expire;      /* can the test make its elements expire? */
static bool bt_playing;         /* a run is under way */
static const char *const bt_names[BT_SIDES] = {"list", "other"};
static void (*bt_meddle)(unsigned side, unsigned label);   /* what hooks do in a case without a model */
static unsigned (*bt_body)(unsigned side, unsigned label); /* and what the body of a loop does */
static unsigned bt_meddled;                                /* how often */
BT_SPARE static bool bt_collided; /* keys have the same hash: T_rekey may take one for another */
static bool bt_told_twin;       /* the element whose label was read last was the other one with that label */

/* @if outside */
static bool bl_outside;           /* the layers of a container are tested as a whole, which has a model of its own */
static unsigned long bl_heard[4]; /* how often hooks have run: add, remove, destroy, update */

/* @end */
/* -- failing --------------------------------------------------------------------------------------------------- */

static char bt_reason[512];
static jmp_buf bt_escape;
static bool bt_tracing;        /* print every operation */
static bool bt_trace_all;      /* and from the start */
static unsigned bt_depth;      /* the nesting of operations: hooks and loop bodies call the container */
static unsigned long bt_operations;
static unsigned long bt_said;
static bool bt_scarce; /* what is wrong has to do with memory */

/* @if spelled */
/* @spelling */

/* @end */
#if defined(__GNUC__) || defined(__clang__)
__attribute__((noreturn, format(printf, 1, 2)))
#endif
static void bt_fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
/* @if spelled */
    bt_vsnprintf(bt_reason, sizeof bt_reason, format, arguments);
/* @else */
    vsnprintf(bt_reason, sizeof bt_reason, format, arguments);
/* @end */
    va_end(arguments);
    longjmp(bt_escape, BT_FAILED);
}

#if !BESPOKE_CHECKS
static unsigned long bt_forbidden; /* misuse that the test has made on purpose */
#endif

/* Has this call been reported as misuse if it is, and no other? */
static void bt_reported(bool forbidden, const char *call)
{
#if !BESPOKE_CHECKS
    bt_forbidden += forbidden;
    if (bt_it->reports && bt_misused != bt_forbidden) {
        bt_fail("%s_%s %s", bt_it->name, call, bt_misused < bt_forbidden ? "does not report misuse" : "reports misuse, and there is none");
    }
#else
    (void)forbidden;
    (void)call;
#endif
}

/* The last call may have been misuse. */
static void bt_may_report(void)
{
#if !BESPOKE_CHECKS
    bt_forbidden = bt_misused;
#endif
}

static void bt_forget_reports(void)
{
#if !BESPOKE_CHECKS
    bt_forbidden = bt_misused = 0;
#endif
}

