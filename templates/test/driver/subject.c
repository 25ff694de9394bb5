/* What the body of a loop is to do next. */
enum { BT_GO_ON, BT_CONTINUE, BT_BREAK, BT_GOTO, BT_RETURN, BT_REMOVE_CURRENT, BT_REMOVE_IT, BT_EXPIRE_IT, BT_END_IT };

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

#ifdef BT_WITH_QUEUES
/* What T_pop_if tests an element with. */
typedef struct bt_question {
    unsigned label;
    bool answer;
} bt_question;

#endif
#ifdef BT_WITH_LAYERS
static bool bl_outside;           /* the layers of a container are tested as a whole, which has a model of its own */
static unsigned long bl_heard[4]; /* how often hooks have run: add, remove, destroy, update */

#endif
/* -- failing --------------------------------------------------------------------------------------------------- */

static char bt_reason[512];
static jmp_buf bt_escape;
static bool bt_tracing;        /* print every operation */
static bool bt_trace_all;      /* and from the start */
static unsigned bt_depth;      /* the nesting of operations: hooks and loop bodies call the container */
static unsigned long bt_operations;
static unsigned long bt_said;
static bool bt_scarce; /* what is wrong has to do with memory */
