#ifndef BESPOKE_CHANCE
#define BESPOKE_CHANCE 16 /* the version that it is of */
#if BESPOKE_CHAOS
/* Is this call one in `period`, or with BESPOKE_CHAOS=2 any? By chance, but the same ones in each run, the first of all among
 * them. `calls` counts them, for all containers of a type, of which threads may use several at a time. */
static inline bool bespoke_chance(uint32_t *calls, uint64_t period)
{
#if defined(__GNUC__) || defined(__clang__)
    uint64_t number = __atomic_fetch_add(calls, 1, __ATOMIC_RELAXED);
#else
    uint64_t number = (*calls)++;
#endif

    number *= 0x9e3779b97f4a7c15u; /* the finalizer of SplitMix64 */
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9u;
    number = (number ^ number >> 27) * 0x94d049bb133111ebu;
    return BESPOKE_CHAOS > 1 || (number ^ number >> 31) % period == 0;
}
#endif
#elif BESPOKE_CHANCE < 16
#error "a header before this one has an earlier version of BESPOKE_CHANCE: include this one first"
#endif
