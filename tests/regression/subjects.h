/* What everywhere.c must know of the container that it is compiled for (SUBJECT_<container> is defined): its names, how
 * an element is put in and taken out, and what its spec promises. */
#ifndef SUBJECTS_H
#define SUBJECTS_H

#include "game.h"
#include "vocabulary.h"

/* Hooks of the game's containers, which nothing here is about. */
bool ship_is_gone(const struct ship *ship)
{
    return ship->gone;
}

struct history;
struct loaded;

void crowd_welcomes(struct crowd *list, struct ship *ship)
{
    (void)list, (void)ship;
}

void crowd_loses(struct crowd *list, struct ship *ship)
{
    (void)list, (void)ship;
}

void crowd_destroys(struct crowd *list, struct ship *ship)
{
    (void)list, (void)ship;
}

void crowd_updates(struct crowd *list, struct ship *ship, const struct frame *frame)
{
    (void)list, (void)ship, (void)frame;
}

void scene_moves(struct scene *list, struct part *part, const struct frame *frame)
{
    (void)list, (void)part, (void)frame;
}

void wake_burns(struct wake *list, struct spark *spark, const struct frame *frame)
{
    (void)list, (void)spark, (void)frame;
}

void loaded_unloads(struct loaded *list, struct ship *ship)
{
    (void)list, (void)ship;
}

void history_forgets(struct history *list, struct ship *ship)
{
    (void)list, (void)ship;
}

void theatre_loses(struct theatre_layer *layer, struct ship *ship)
{
    (void)layer, (void)ship;
}

void theatre_destroys(struct theatre_layer *layer, struct ship *ship)
{
    (void)layer, (void)ship;
}

void theatre_updates(struct theatre_layer *layer, struct ship *ship, const struct theatre_tick *tick)
{
    (void)layer, (void)ship, (void)tick;
}

#if defined(SUBJECT_sparks)
#include "read_write_collection.h"
#define T sparks
#define TT SPARKS
#define ELEMENT struct spark
#define ANY 0

#elif defined(SUBJECT_convoy)
#include "read_write_collection.h"
#define T convoy
#define TT CONVOY
#define ELEMENT struct ship
#define POINTERS 1
#define ANY 0

#elif defined(SUBJECT_fleet)
#include "locking_list.h"
#define T fleet
#define TT FLEET
#define ELEMENT struct ship
#define POINTERS 1
#define ADDS DEFERRED

#elif defined(SUBJECT_listeners)
#include "locking_list.h"
#define T listeners
#define TT LISTENERS
#define ELEMENT struct listener
#define NUMBER event
#define ADDS DEFERRED
#define KEYED 1

#elif defined(SUBJECT_crowd)
#include "entity_list.h"
#define T crowd
#define TT CROWD
#define ELEMENT struct ship
#define POINTERS 1
#define SETTLE(list) crowd_settle(list, 0.01)
#define EXPIRE(element) ((element)->gone = true)
#define MAX CROWD_MAX

#elif defined(SUBJECT_embers)
#include "entity_list.h"
#define T embers
#define TT EMBERS
#define ELEMENT struct spark
#define SETTLE(list) embers_settle(list, 0.01)
#define ALIVE(element) ((element)->life = 1)
#define EXPIRE(element) ((element)->life = 0)

#elif defined(SUBJECT_theatre) /* one of its layers */
#include "entity_layers.h"
#define T theatre_layer
#define TT THEATRE_LAYER
#define ELEMENT struct ship
#define POINTERS 1
#define EXPIRE(element) ((element)->gone = true)

#elif defined(SUBJECT_stage)
#include "entity_layers.h"
#define T stage_layer
#define TT STAGE_LAYER
#define ELEMENT struct ship
#define POINTERS 1
#define ORDER UNORDERED

#elif defined(SUBJECT_wing)
#include "deletable_object_list.h"
#define T wing
#define TT WING
#define ELEMENT struct ship
#define POINTERS 1
#define EXPIRE(element) ((element)->gone = true)

#elif defined(SUBJECT_trail)
#include "deletable_object_list.h"
#define T trail
#define TT TRAIL
#define ELEMENT struct spark
#define ALIVE(element) ((element)->life = 1)
#define EXPIRE(element) ((element)->life = 0)

#elif defined(SUBJECT_squad)
#include "constant_time_array.h"
#define T squad
#define TT SQUAD
#define ELEMENT struct ship
#define POINTERS 1
#define ORDER UNORDERED

#elif defined(SUBJECT_effects)
#include "item_pool.h"
#define T effects
#define TT EFFECTS
#define ELEMENT struct spark
#define ORDER UNORDERED
#define REMOVE(list, element) effects_remove(list, effects_handle_of(list, element))
#define GROWS 0
#define MAX EFFECTS_MAX

#elif defined(SUBJECT_voices)
#include "item_pool.h"
#define T voices
#define TT VOICES
#define ELEMENT struct spark
#define ORDER UNORDERED
#define REMOVE(list, element) voices_remove(list, voices_handle_of(list, element))
#define GROWS 0
#define MAX VOICES_MAX

#elif defined(SUBJECT_shots)
#include "slot_array.h"
#define T shots
#define TT SHOTS
#define ELEMENT struct spark
#define ORDER UNORDERED
#define REMOVE(list, element) shots_remove(list, shots_handle_of(list, element))

#elif defined(SUBJECT_targets)
#include "slot_array.h"
#define T targets
#define TT TARGETS
#define ELEMENT struct ship
#define POINTERS 1
#define ORDER UNORDERED
#define REMOVE(list, element) targets_remove(list, targets_handle_of(list, element))

#elif defined(SUBJECT_debris)
#include "colony.h"
#define T debris
#define TT DEBRIS
#define ELEMENT struct spark
#define ORDER UNORDERED

#elif defined(SUBJECT_seats)
#include "id_pool.h"
#define T seats
#define TT SEATS
#define ELEMENT struct spark
#define ORDER UNORDERED
#define REMOVE(list, element) seats_remove(list, seats_handle_of(list, element))

#elif defined(SUBJECT_tickets)
#include "id_pool.h"
#define T tickets
#define TT TICKETS
#define ELEMENT struct spark
#define ORDER UNORDERED
#define REMOVE(list, element) tickets_remove(list, tickets_handle_of(list, element))

#elif defined(SUBJECT_hulls)
#include "colony.h"
#define T hulls
#define TT HULLS
#define ELEMENT struct velocity
#define NUMBER entity
#define ORDER UNORDERED
#define REMOVE(list, element) hulls_remove(list, hulls_handle_of(list, element))

#elif defined(SUBJECT_velocities)
#include "sparse_set.h"
#define T velocities
#define TT VELOCITIES
#define ELEMENT struct velocity
#define NUMBER entity
#define KEYED 1
#define ORDER UNORDERED

#elif defined(SUBJECT_tags)
#include "sparse_set.h"
#define T tags
#define TT TAGS
#define ELEMENT struct tag
#define NUMBER entity
#define KEYED 1
#define ORDER UNORDERED

#elif defined(SUBJECT_lit)
#include "id_set.h"
#define T lit
#define TT LIT
#define NUMBERS 1

#elif defined(SUBJECT_ready)
#include "id_set.h"
#define T ready
#define TT READY
#define NUMBERS 1

#elif defined(SUBJECT_burning)
#include "id_table.h"
#define T burning
#define TT BURNING
#define ELEMENT struct velocity
#define NUMBER entity
#define KEYED 1
#define SLOT_0 1

#elif defined(SUBJECT_escorts)
#include "id_table.h"
#define T escorts
#define TT ESCORTS
#define ELEMENT struct ship
#define POINTERS 1
#define KEYED 1
#define SLOT_0 1

#elif defined(SUBJECT_beats)
#include "shift_list.h"
#define T beats
#define TT BEATS
#define ELEMENT struct spark
#define ANY 0
#define MANY 0

#elif defined(SUBJECT_drops)
#include "backward_list.h"
#define T drops
#define TT DROPS
#define ELEMENT struct spark
#define ANY 0
#define MANY 0
#define ADDS NEXT
#define ORDER BACKWARD

#elif defined(SUBJECT_queue)
#include "array_list.h"
#define T queue
#define TT QUEUE
#define ELEMENT struct ship
#define POINTERS 1

#elif defined(SUBJECT_events)
#include "ring.h"
#define T events
#define TT EVENTS
#define ELEMENT struct cue

#elif defined(SUBJECT_captions)
#include "lru_cache.h"
#define T captions
#define TT CAPTIONS
#define ELEMENT struct tag
#define NUMBER entity
#define KEYED 1

#elif defined(SUBJECT_alarms)
#include "timer_queue.h"
#define T alarms
#define TT ALARMS
#define ELEMENT struct cue
#define ORDER UNORDERED
#define REMOVE(list, element) alarms_remove(list, alarms_handle_of(list, element))

#elif defined(SUBJECT_triage)
#include "timer_queue.h"
#define T triage
#define TT TRIAGE
#define ELEMENT struct ship
#define POINTERS 1
#define ORDER UNORDERED

#elif defined(SUBJECT_timeouts)
#include "timer_heap.h"
#define T timeouts
#define TT TIMEOUTS
#define ELEMENT struct timeout
#define POINTERS 1
#define GROWS 0
#define ORDER UNORDERED

#elif defined(SUBJECT_cues)
#include "sorted_list.h"
#define T cues
#define TT CUES
#define ELEMENT struct cue

#elif defined(SUBJECT_roster)
#include "sorted_list.h"
#define T roster
#define TT ROSTER
#define ELEMENT struct ship
#define POINTERS 1
#define KEYED 1

#elif defined(SUBJECT_sprites)
#include "draw_list.h"
#define T sprites
#define TT SPRITES
#define ELEMENT struct sprite
#define ADDS NEXT

#elif defined(SUBJECT_standing)
#include "draw_list.h"
#define T standing
#define TT STANDING
#define ELEMENT struct ship
#define POINTERS 1
#define ADDS NEXT

#elif defined(SUBJECT_shots)
#include "slot_array.h"
#define T shots
#define TT SHOTS
#define ELEMENT struct spark
#define ORDER UNORDERED
#define REMOVE(list, element) shots_remove(list, shots_handle_of(list, element))

#elif defined(SUBJECT_targets)
#include "slot_array.h"
#define T targets
#define TT TARGETS
#define ELEMENT struct ship
#define POINTERS 1
#define ORDER UNORDERED
#define REMOVE(list, element) targets_remove(list, targets_handle_of(list, element))

#elif defined(SUBJECT_flares)
#include "slot_map.h"
#define T flares
#define TT FLARES
#define ELEMENT struct spark
#define ORDER UNORDERED
#define REMOVE(list, element) flares_remove(list, flares_handle_of(list, element))

#elif defined(SUBJECT_shells)
#include "slot_map.h"
#define T shells
#define TT SHELLS
#define ELEMENT struct spark
#define ORDER UNORDERED
#define REMOVE(list, element) shells_remove(list, shells_handle_of(list, element))

#elif defined(SUBJECT_hulls)
#include "colony.h"
#define T hulls
#define TT HULLS
#define ELEMENT struct velocity
#define NUMBER entity
#define KEYED 1
#define ORDER UNORDERED
#define REMOVE(list, element) hulls_remove(list, hulls_handle_of(list, element))

#elif defined(SUBJECT_debris)
#include "colony.h"
#define T debris
#define TT DEBRIS
#define ELEMENT struct spark
#define ORDER UNORDERED

#elif defined(SUBJECT_bubbles)
#include "back_copying_list.h"
#define T bubbles
#define TT BUBBLES
#define ELEMENT struct spark
#define ORDER UNORDERED
#define ALIVE(element) ((element)->life = 1)
#define EXPIRE(element) ((element)->life = 0)

#elif defined(SUBJECT_watched)
#include "hashed_array.h"
#define T watched
#define TT WATCHED
#define ELEMENT struct ship
#define POINTERS 1
#define ORDER UNORDERED

#elif defined(SUBJECT_patrol)
#include "flagged_array.h"
#define T patrol
#define TT PATROL
#define ELEMENT struct ship
#define POINTERS 1
#define ORDER UNORDERED
#define EXPIRE(element) ((element)->gone = true)

#elif defined(SUBJECT_trail_sparks)
#include "linked_list.h"
#define T trail_sparks
#define TT TRAIL_SPARKS
#define ELEMENT struct spark

#elif defined(SUBJECT_column_of_ships)
#include "linked_list.h"
#define T column_of_ships
#define TT COLUMN_OF_SHIPS
#define ELEMENT struct ship
#define POINTERS 1

#elif defined(SUBJECT_wake)
#include "pruning_linked_list.h"
#define T wake
#define TT WAKE
#define ELEMENT struct spark
#define ALIVE(element) ((element)->life = 1)
#define EXPIRE(element) ((element)->life = 0)

#elif defined(SUBJECT_team)
#include "doubly_linked_list.h"
#define T team
#define TT TEAM
#define ELEMENT struct ship
#define POINTERS 1
#define GROWS 0

#elif defined(SUBJECT_layering)
#include "mutable_linked_list.h"
#define T layering
#define TT LAYERING
#define ELEMENT struct spark
#define EXPLICIT 1

#elif defined(SUBJECT_line)
#include "mutable_linked_list.h"
#define T line
#define TT LINE
#define ELEMENT struct ship
#define POINTERS 1
#define GROWS 0
#define EXPLICIT 1

#elif defined(SUBJECT_scene)
#include "scene_tree.h"
#define T scene
#define TT SCENE
#define ELEMENT struct part
#define POINTERS 1
#define GROWS 0
#define EXPIRE(element) ((element)->gone = true)

#elif defined(SUBJECT_sparklers)
#include "scene_tree.h"
#define T sparklers
#define TT SPARKLERS
#define ELEMENT struct spark
#define ALIVE(element) ((element)->life = 1)
#define EXPIRE(element) ((element)->life = 0)

#elif defined(SUBJECT_shifts_back)
#include "plain.h"
#define T shifts_back
#define TT SHIFTS_BACK
#define ELEMENT struct thing
#define ORDER BACKWARD

#elif defined(SUBJECT_swaps_back_later)
#include "plain.h"
#define T swaps_back_later
#define TT SWAPS_BACK_LATER
#define ELEMENT struct thing
#define POINTERS 1
#define ORDER UNORDERED
#define ADDS NEXT

#elif defined(SUBJECT_compacts_back)
#include "plain.h"
#define T compacts_back
#define TT COMPACTS_BACK
#define ELEMENT struct thing
#define ORDER BACKWARD

#elif defined(SUBJECT_shifts_both_later)
#include "plain.h"
#define T shifts_both_later
#define TT SHIFTS_BOTH_LATER
#define ELEMENT struct thing
#define ORDER BACKWARD
#define ADDS NEXT
#define BACKWARDS 1

#elif defined(SUBJECT_swaps_both)
#include "plain.h"
#define T swaps_both
#define TT SWAPS_BOTH
#define ELEMENT struct thing
#define ORDER UNORDERED
#define BACKWARDS 1

#elif defined(SUBJECT_compacts_both)
#include "plain.h"
#define T compacts_both
#define TT COMPACTS_BOTH
#define ELEMENT struct thing
#define ORDER BACKWARD
#define BACKWARDS 1

#elif defined(SUBJECT_copies_back)
#include "plain.h"
#define T copies_back
#define TT COPIES_BACK
#define ELEMENT struct thing
#define ORDER UNORDERED
#define ALIVE(element) ((element)->left = 1)
#define EXPIRE(element) ((element)->left = 0)

#elif defined(SUBJECT_chunks_swapped)
#include "plain.h"
#define T chunks_swapped
#define TT CHUNKS_SWAPPED
#define ELEMENT struct thing
#define ORDER UNORDERED

#elif defined(SUBJECT_chunks_buried)
#include "plain.h"
#define T chunks_buried
#define TT CHUNKS_BURIED
#define ELEMENT struct thing
#define ALIVE(element) ((element)->left = 1)
#define EXPIRE(element) ((element)->left = 0)

#elif defined(SUBJECT_chunks_waiting)
#include "plain.h"
#define T chunks_waiting
#define TT CHUNKS_WAITING
#define ELEMENT struct thing
#define ADDS DEFERRED

#elif defined(SUBJECT_chunks_stable)
#include "plain.h"
#define T chunks_stable
#define TT CHUNKS_STABLE
#define ELEMENT struct thing
#define ORDER UNORDERED

#elif defined(SUBJECT_links)
#include "plain.h"
#define T links
#define TT LINKS
#define ELEMENT struct thing

#elif defined(SUBJECT_links_single)
#include "plain.h"
#define T links_single
#define TT LINKS_SINGLE
#define ELEMENT struct thing
#define POINTERS 1

#elif defined(SUBJECT_links_pruned)
#include "plain.h"
#define T links_pruned
#define TT LINKS_PRUNED
#define ELEMENT struct thing
#define ALIVE(element) ((element)->left = 1)
#define EXPIRE(element) ((element)->left = 0)

#elif defined(SUBJECT_links_handles)
#include "plain.h"
#define T links_handles
#define TT LINKS_HANDLES
#define ELEMENT struct thing
#define ADDS NEXT
#define REMOVE(list, element) links_handles_remove(list, links_handles_handle_of(list, element))

#elif defined(SUBJECT_members)
#include "plain.h"
#define T members
#define TT MEMBERS
#define ELEMENT struct thing
#define POINTERS 1
#define GROWS 0

#elif defined(SUBJECT_members_single)
#include "plain.h"
#define T members_single
#define TT MEMBERS_SINGLE
#define ELEMENT struct thing
#define POINTERS 1
#define GROWS 0

#elif defined(SUBJECT_replaces)
#include "plain.h"
#define T replaces
#define TT REPLACES
#define ELEMENT struct thing
#define KEYED 1

#elif defined(SUBJECT_rows_swapped)
#include "plain.h"
#define T rows_swapped
#define TT ROWS_SWAPPED
#define ELEMENT struct dot
#define ROWS 1
#define ORDER UNORDERED

#elif defined(SUBJECT_rows_compacted)
#include "plain.h"
#define T rows_compacted
#define TT ROWS_COMPACTED
#define ELEMENT struct dot
#define ROWS 1

#elif defined(SUBJECT_rows_buried)
#include "plain.h"
#define T rows_buried
#define TT ROWS_BURIED
#define ELEMENT struct dot
#define ROWS 1
#define ALIVE(element) ((element)->left = 1)
#define EXPIRE(row) (rows_buried_left(list)[row] = 0)

#elif defined(SUBJECT_rows_stable)
#include "plain.h"
#define T rows_stable
#define TT ROWS_STABLE
#define ELEMENT struct dot
#define ROWS 1
#define ORDER UNORDERED
#define MAX ROWS_STABLE_MAX
#define GROWS 0

#elif defined(SUBJECT_rows_waiting)
#include "plain.h"
#define T rows_waiting
#define TT ROWS_WAITING
#define ELEMENT struct dot
#define ROWS 1
#define ADDS DEFERRED

#elif defined(SUBJECT_keeps_sorted)
#include "plain.h"
#define T keeps_sorted
#define TT KEEPS_SORTED
#define ELEMENT struct thing

#elif defined(SUBJECT_keeps_sorted_gap)
#include "plain.h"
#define T keeps_sorted_gap
#define TT KEEPS_SORTED_GAP
#define ELEMENT struct thing
#define POINTERS 1

#elif defined(SUBJECT_sorts_late)
#include "plain.h"
#define T sorts_late
#define TT SORTS_LATE
#define ELEMENT struct thing

#elif defined(SUBJECT_sets)
#include "plain.h"
#define T sets
#define TT SETS
#define ELEMENT struct thing
#define EXPLICIT 1

#elif defined(SUBJECT_sets_back)
#include "plain.h"
#define T sets_back
#define TT SETS_BACK
#define ELEMENT struct thing
#define ORDER BACKWARD
#define EXPLICIT 1

#elif defined(SUBJECT_sets_gap)
#include "plain.h"
#define T sets_gap
#define TT SETS_GAP
#define ELEMENT struct thing
#define POINTERS 1
#define EXPLICIT 1

#elif defined(SUBJECT_sets_rows)
#include "plain.h"
#define T sets_rows
#define TT SETS_ROWS
#define ELEMENT struct dot
#define ROWS 1
#define EXPLICIT 1

#elif defined(SUBJECT_sets_links)
#include "plain.h"
#define T sets_links
#define TT SETS_LINKS
#define ELEMENT struct thing
#define EXPLICIT 1

#elif defined(SUBJECT_sets_links_back)
#include "plain.h"
#define T sets_links_back
#define TT SETS_LINKS_BACK
#define ELEMENT struct thing
#define ORDER BACKWARD
#define EXPLICIT 1

#elif defined(SUBJECT_sets_members)
#include "plain.h"
#define T sets_members
#define TT SETS_MEMBERS
#define ELEMENT struct thing
#define POINTERS 1
#define GROWS 0
#define EXPLICIT 1

#else
#error "no such subject"
#endif

/* Else it is like this. */
#ifndef POINTERS
#define POINTERS 0 /* the elements live elsewhere */
#endif
#ifndef NUMBER
#define NUMBER id /* the member that tells one element from the next */
#endif
#ifdef ROWS /* the members lie in columns */
#define REF size_t
#define NOBODY SAYS(NONE)
#define ID(list, row) CALL(id)(list)[row]
#define KEYED 1 /* every container has such a row */
#endif
#ifdef NUMBERS /* an element is a number, from 0 on */
#define ELEMENT struct spark
#define REF size_t
#define NOBODY SAYS(NONE)
#define ID(list, number) ((void)(list), (uint32_t)(number) + 1)
#define ITEM size_t
#define ITEM_OF(id) ((size_t)(id) - 1)
#define KEYED 1
#endif
#ifndef REF
#define REF ELEMENT * /* what a pass gives, */
#define NOBODY NULL /* and gives at its end; */
#define ID(list, element) ((void)(list), (uint32_t)(element)->NUMBER) /* who it is */
#endif
#ifndef ITEM
#if POINTERS
#define ITEM ELEMENT * /* what is handed over to be added */
#define ITEM_OF(id) (&elements[id])
#else
#define ITEM ELEMENT
#define ITEM_OF(id) (elements[id])
#endif
#endif
#ifndef SLOT_0
#define SLOT_0 0 /* slots that no element has: the id of one is its slot, and no id is 0 */
#endif
#ifndef ALIVE
#define ALIVE(element) ((void)0) /* makes a new element one that has not expired */
#endif
#ifndef ADD
#define ADD(list, id) CALL(add)(list, ITEM_OF(id)) /* behind all others, where there is an order */
#endif
#ifndef REMOVE
#define REMOVE(list, element) CALL(remove)(list, element)
#endif
#ifndef SETTLE
#define SETTLE(list) CALL(settle)(list)
#endif
#ifndef ADDS
#define ADDS VISITED
#endif
#ifndef ORDER
#define ORDER FORWARD
#endif
#ifndef MANY
#define MANY 1 /* passes may nest */
#endif
#ifndef ANY
#define ANY 1 /* a pass may remove any element */
#endif
#ifndef GROWS
#define GROWS 1 /* there is memory to reserve and to give back */
#endif
#ifdef BACKWARDS /* passes go either way; this is about the other one */
#undef EACH
#define EACH JOIN(TT, _EACH_BACKWARD)
#define BEGIN CALL(begin_backward)
#else
#define BEGIN CALL(begin)
#endif
#ifndef KEYED
#define KEYED 0 /* the same element in another container is the same */
#endif

#endif
