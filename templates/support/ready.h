#ifndef BESPOKE_READY_SLOTS
#define BESPOKE_READY_SLOTS 16 /* the version that it is of */
/* How many slots may be taken with nothing else to do: none where free ones are poisoned, or where an add is to move others. */
#if BESPOKE_CHAOS || BESPOKE_ASAN
#define BESPOKE_READY(slots) 0
#else
#define BESPOKE_READY(slots) (slots)
#endif
#elif BESPOKE_READY_SLOTS < 16
#error "a header before this one has an earlier version of BESPOKE_READY_SLOTS: include this one first"
#endif
