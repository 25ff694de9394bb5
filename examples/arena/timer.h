/* What happens at a later frame. */
#ifndef ARENA_TIMER_H
#define ARENA_TIMER_H

#include <stdint.h>

#include "parts.h"

enum timer_kind { TIMER_WAVE, TIMER_SHOT, TIMER_SALVO, TIMER_FADE, TIMER_REBUILD };

struct timer {
    enum timer_kind kind;
    uint32_t due;          /* frame */
    uint32_t subject;      /* a wave or a turret */
    uint32_t left;         /* remaining shots */
    effects_handle effect; /* the fading effect */
};

#endif
