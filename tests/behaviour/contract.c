/* What holds for a pass over any container (ARCHITECTURE.md, "Passes"), tried by hand: compiled for each of
 * tests/regression/subjects.h. The generated tests try far more sequences; this is how a user writes it. */
#define _POSIX_C_SOURCE 200809L /* sigsetjmp */
#include "../regression/lists.h"
#include "dice.h"

#include <setjmp.h>
#include <signal.h>

#ifdef MAX
#define LIMIT MAX /* no more than so many can be in */
#else
#define LIMIT 100000
#endif
#define LOTS (LIMIT < 300 ? (uint32_t)LIMIT : 300)
#define IDS 400

/* -- leaving ----------------------------------------------------------------------------------------------------- */

enum { BREAK, GOTO, RETURN, END, FORGET, WAYS }; /* FORGET: nobody ends the pass */
enum { NOTHING, REMOVES = 1, PUTS = 2, BOTH = 3 };

/* Leaves a pass at its so many-th element, after a change there. Notes who was removed. */
static void leave(LIST *list, int way, uint32_t steps, int change, uint32_t *gone)
{
    uint32_t at = 0;

    if (way == END || way == FORGET) {
        LIST_CURSOR cursor = BEGIN(list);
        REF element = NOBODY;

        while (at < steps && (element = CALL(next)(&cursor)) != NOBODY) {
            at++;
        }
        if (CHECK(element != NOBODY) && (change & REMOVES) != 0) {
            *gone = BIT(ID(list, element));
            done((int)CALL(remove_current)(&cursor));
        }
        if ((change & PUTS) != 0) {
            put(list, 10);
        }
        if (way == END) {
            CALL(end)(&cursor);
        }
        return;
    }
    EACH(list, element) {
        if (++at < steps) {
            continue;
        }
        if ((change & REMOVES) != 0) {
            *gone = BIT(ID(list, element));
            done((int)CALL(remove_current)(&element_cursor));
        }
        if ((change & PUTS) != 0) {
            put(list, 10);
        }
        if (way == BREAK) {
            break;
        }
#if !defined(__GNUC__)
        CALL(end)(&element_cursor); /* gcc and clang do it by themselves */
#endif
        if (way == RETURN) {
            return;
        }
        goto out;
    }
out:
    CHECK(at == steps);
}

/* Nothing is lost, nothing stays live; what was forgotten, until the frame's end at most. */
static void leaving_in_any_way(void)
{
    for (int way = 0; way < WAYS; way++) {
        for (uint32_t count = 1; count <= 4; count++) {
            for (uint32_t steps = 1; steps <= count; steps++) {
                for (int change = NOTHING; change <= BOTH; change++) {
                    LIST *list = list_of(count);
                    uint32_t gone = 0, wanted;

                    leave(list, way, steps, change, &gone);
                    wanted = (UP_TO(count) & ~gone) | ((change & PUTS) != 0 ? BIT(10) : 0);
#if MANY
                    if (way == FORGET) {
                        CHECK(held(list) == (ADDS == DEFERRED ? UP_TO(count) : wanted));
                    }
#endif
                    if (way == FORGET) {
                        SETTLE(list);
                    }
                    CHECK(held(list) == wanted);
#if GROWS
                    CHECK(CALL(reserve)(list, 600) == SAYS(OK) && CALL(shrink_to_fit)(list) == SAYS(OK));
                    CHECK(CALL(capacity)(list) < 600); /* which a live pass would have put off */
#endif
                    CHECK(held(list) == wanted);
                    CALL(deinit)(list);
                }
            }
        }
    }
}

/* A pass that was ended by a settle does nothing to those that came after it, even under its old number. */
static void a_forgotten_pass_harms_no_later_one(void)
{
#if !BESPOKE_CHECKS
    for (uint32_t steps = 0; steps <= 3; steps++) {
        LIST *list = list_of(5);
        LIST_CURSOR old = BEGIN(list);
        uint32_t met = 0, at = 0, gone = 0;

        for (uint32_t i = 0; i < steps; i++) {
            CHECK(CALL(next)(&old) != NOBODY);
        }
        SETTLE(list);
        EACH(list, element) {
            meet(&met, ID(list, element));
            if (++at == 2) {
                LIST_CURSOR copy = old;

                CHECK(CALL(remove_current)(&copy) == SAYS(ABSENT));
                CHECK(CALL(next)(&copy) == NOBODY);
                CALL(end)(&copy);
                CALL(end)(&old);
                gone = BIT(ID(list, element));
                done((int)CALL(remove_current)(&element_cursor));
                put(list, 10);
            }
        }
        CHECK(met == (UP_TO(5) | (ADDS == VISITED ? BIT(10) : 0)));
        CHECK(held(list) == ((UP_TO(5) & ~gone) | BIT(10)));
        CALL(deinit)(list);
    }
#endif
}

/* -- a cursor that should not be used ---------------------------------------------------------------------------- */

static LIST_CURSOR over;

static int steps(void)
{
    return CALL(next)(&over) != NOBODY;
}

static int removes(void)
{
    return CALL(remove_current)(&over) != SAYS(ABSENT);
}

#if BESPOKE_CHECKS
static sigjmp_buf away;

static void stopped(int signal)
{
    (void)signal;
    siglongjmp(away, 1);
}

/* Does it stop the program, before it has changed anything? The signal is blocked in its handler, and abort need not unblock it: leaving
 * by longjmp would leave it so. */
static bool refused(int (*call)(void))
{
    bool said = true;

    if (signal(SIGABRT, stopped) != SIG_ERR && sigsetjmp(away, 1) == 0) {
        said = call() == -1;
    }
    signal(SIGABRT, SIG_DFL);
    return said;
}
#else
/* Does it do nothing? */
static bool refused(int (*call)(void))
{
    return call() == 0;
}
#endif

/* A cursor is told that it is used after its end, or where there is nothing to remove: with checks on the program stops. */
static void misuse_of_a_cursor_is_reported(void)
{
    LIST *list = list_of(3);

    over = BEGIN(list); /* before the first step */
    CHECK(refused(removes));
    CHECK(CALL(next)(&over) != NOBODY);
    CALL(end)(&over);
    CHECK(refused(steps) && refused(removes));

    over = BEGIN(list); /* after the last */
    while (CALL(next)(&over) != NOBODY) {
    }
    CHECK(refused(steps) && refused(removes));
    CALL(end)(&over);

    over = BEGIN(list); /* ended by a settle */
    CHECK(CALL(next)(&over) != NOBODY);
    SETTLE(list);
    CHECK(refused(removes));
    CHECK(refused(steps));
    CALL(end)(&over);
    CHECK(held(list) == UP_TO(3));

#if ADDS != DEFERRED /* there a second removal, and one after a clear, is answered with ABSENT as without a lock */
    over = BEGIN(list); /* twice */
    CHECK(CALL(next)(&over) != NOBODY);
    done((int)CALL(remove_current)(&over));
    CHECK(refused(removes));
    put(list, 10);
    CHECK(refused(removes));
    CALL(end)(&over);
    CHECK(CALL(count)(list) == 3 && CALL(check)(list) == NULL);

    over = BEGIN(list); /* from under it */
    CHECK(CALL(next)(&over) != NOBODY);
    (void)CALL(clear)(list);
    CHECK(refused(removes));
    put(list, 11);
    CHECK(refused(removes));
    CALL(end)(&over);
    CHECK(held(list) == BIT(11));
#endif
    CALL(deinit)(list);
}

/* -- changes under passes ---------------------------------------------------------------------------------------- */

#if MANY
#define DEPTH 8

static uint32_t stands[DEPTH]; /* level k goes deeper at its so many-th element */
static uint32_t met[DEPTH];
static bool clears; /* the innermost pass does, and else takes out those that are in `gone` */
static uint32_t gone;

static void go_down(LIST *list, uint32_t level)
{
    uint32_t at = 0, before = 0;
    bool was_deeper = false;

    EACH(list, element) {
        uint32_t id = ID(list, element);

        meet(&met[level], id);
        at++;
        if (level < DEPTH - 1 && at == stands[level]) {
            before = met[level];
            was_deeper = true;
            go_down(list, level + 1);
        } else if (level == DEPTH - 1 && clears && at == stands[level]) {
            before = met[level];
            (void)CALL(clear)(list);
            put(list, 10);
        } else if (level == DEPTH - 1 && !clears) {
            if ((gone & BIT(id)) != 0) {
                done((int)CALL(remove_current)(&element_cursor));
            }
            if (at == 5) {
                put(list, 10);
            }
        }
    }
    {
        uint32_t fresh = ADDS == VISITED ? BIT(10) : 0;

        if (level == DEPTH - 1 && !clears) {
            before = UP_TO(5);
        }
        CHECK(was_deeper || level == DEPTH - 1);
        CHECK(met[level] == (ADDS == DEFERRED ? UP_TO(5) : before | (clears ? 0 : UP_TO(5) & ~gone) | fresh));
    }
}

/* Passes eight deep, each at another place, with everything gone that the innermost comes to, or some of it. */
static void eight_deep(void)
{
    for (uint32_t pattern = 0; pattern < 6; pattern++) {
        for (uint32_t which = 0; which <= UP_TO(5) + 1; which += 2) {
            LIST *list = list_of(5);

            for (uint32_t level = 0; level < DEPTH; level++) {
                stands[level] = 1 + (pattern < 5 ? pattern + level * pattern : level * level + which) % 5;
            }
            memset(met, 0, sizeof met);
            clears = which > UP_TO(5);
            gone = clears ? UP_TO(5) : which;
            go_down(list, 0);
            CHECK(held(list) == ((UP_TO(5) & ~gone) | BIT(10)));
            CALL(deinit)(list);
        }
    }
}
#endif

/* A pass that has begun over nothing comes to what is added before its first step, if adds are visited. And a loop may go
 * on for as long as its body adds. */
static void adding_to_what_is_empty(void)
{
    LIST *list = list_of(0);
    uint32_t visits = 0, next = 2;
    LIST_CURSOR cursor;

    EACH(list, element) { visits++; }
    CHECK(visits == 0);
    cursor = BEGIN(list);
    put(list, 1);
    if (ADDS == VISITED) {
        REF element = CALL(next)(&cursor);

        CHECK(element != NOBODY && ID(list, element) == 1);
        done((int)CALL(remove_current)(&cursor));
        put(list, 2);
        element = CALL(next)(&cursor);
        CHECK(element != NOBODY && ID(list, element) == 2);
    }
    CHECK(CALL(next)(&cursor) == NOBODY);
    CHECK(held(list) == (ADDS == VISITED ? BIT(2) : BIT(1)));
    CALL(deinit)(list);

    list = list_of(1);
    EACH(list, element) { /* never more than one, or two, are in */
        CHECK(ID(list, element) == visits + 1);
        visits++;
        done((int)CALL(remove_current)(&element_cursor));
        if (next < 300) {
            put(list, next++);
        }
    }
    CHECK(visits == (ADDS == VISITED ? 299 : 1) && CALL(count)(list) == (ADDS == VISITED ? 0 : 1));
    CALL(deinit)(list);

    list = list_of(1);
    next = 2, visits = 0;
    EACH(list, element) { /* and they may all stay */
        CHECK(ID(list, element) == visits + 1);
        visits++;
        if (next <= LOTS) {
            put(list, next++);
        }
    }
    CHECK(visits == (ADDS == VISITED ? LOTS : 1) && CALL(count)(list) == (ADDS == VISITED ? LOTS : 2));
    CALL(deinit)(list);
}

/* Late in a pass somebody comes in where somebody had been removed, far behind: those in between are not visited again. */
static void adding_far_behind(void)
{
    LIST *list = list_of(LOTS);
    uint32_t visits[IDS] = {0}, steps = 0;

    take(list, 5);
    EACH(list, element) {
        CHECK(visits[ID(list, element)]++ == 0);
        if (++steps == LOTS * 2 / 3) {
            put(list, 5);
        }
    }
    for (uint32_t id = 1; id <= LOTS; id++) {
        CHECK(visits[id] == 1 || id == 5);
    }
    CALL(deinit)(list);
}

/* Elements may move in memory while a loop stands on one, and a loop goes on behind what its body takes itself. */
static void what_a_loop_takes_next(void)
{
    LIST *list = list_of(5);
    uint32_t seen = 0, visits = 0, next = 6;

    EACH(list, element) {
        uint32_t id = ID(list, element);

        visits++;
        if (id < 6) {
            CHECK((seen & BIT(id)) == 0);
            seen |= BIT(id);
        }
        while (next <= LOTS) {
            put(list, next++);
        }
    }
    CHECK(seen == UP_TO(5) && visits == (ADDS == VISITED ? LOTS : 5));
    CALL(deinit)(list);

    list = list_of(6);
    seen = 0;
    EACH(list, element) {
        uint32_t id = ID(list, element);
        REF other = CALL(next)(&element_cursor);

        CHECK((seen & BIT(id)) == 0);
        seen |= BIT(id);
        if (CHECK(other != NOBODY)) {
            id = ID(list, other);
            CHECK((seen & BIT(id)) == 0);
            seen |= BIT(id);
        }
    }
    CHECK(seen == UP_TO(6));
    CALL(deinit)(list);

    for (uint32_t count = 1; count <= 4; count++) { /* where there is none the loop is over, too; or where it is told so */
        for (uint32_t stand = 1; stand <= count; stand++) {
            for (int told = 0; told <= 1; told++) {
                uint32_t at = 0;
                REF other = NOBODY;

                list = list_of(count);
                seen = 0;
                EACH(list, element) {
                    meet(&seen, ID(list, element));
                    if (++at == stand) {
                        while (told == 0 && (other = CALL(next)(&element_cursor)) != NOBODY) {
                            meet(&seen, ID(list, other));
                        }
                        CALL(end)(&element_cursor);
                        put(list, 10);
                    }
                }
                CHECK(at == stand && (told == 1 || seen == UP_TO(count)));
                SETTLE(list);
                CHECK(held(list) == (UP_TO(count) | BIT(10)));
                CALL(deinit)(list);
            }
        }
    }

#if !BESPOKE_CHECKS
    list = list_of(5);
    visits = 0;
    EACH(list, element) { /* what it goes through is given back: it ends, whoever comes then */
        visits++;
        CALL(deinit)(list);
        put(list, 7);
    }
    CHECK(visits == 1 && CALL(count)(list) == 1);
    CALL(deinit)(list);
#endif
}

/* -- anything, at any time --------------------------------------------------------------------------------------- */

#define CURSORS (MANY ? 4 : 1)

/* What should be, told in the plainest way. */
static struct {
    bool in[IDS];    /* as a pass sees it */
    bool later[IDS]; /* when no pass is live; differs only where changes are deferred */
    uint32_t next;   /* who is added next */
    struct {
        LIST_CURSOR cursor;
        bool live;
        bool to_visit[IDS];
        bool added[IDS]; /* of those: came when the pass was live */
        uint32_t current;
    } passes[4];
    uint32_t forgotten; /* passes that nobody will end, but a settle */
} model;

static void catch_up(void)
{
    for (int i = 0; i < 4; i++) {
        if (model.passes[i].live) {
            return;
        }
    }
    if (model.forgotten == 0) {
        memcpy(model.in, model.later, sizeof model.in);
    }
}

static void model_removes(uint32_t id)
{
    model.later[id] = false;
    if (ADDS == DEFERRED) {
        catch_up();
    } else {
        model.in[id] = false;
    }
    for (int i = 0; i < 4; i++) {
        if (ADDS != DEFERRED) {
            model.passes[i].to_visit[id] = false;
        }
        if (model.passes[i].current == id) {
            model.passes[i].current = 0; /* a second removal would be ABSENT */
        }
    }
}

static void model_adds(uint32_t id)
{
    model.later[id] = true;
    if (ADDS == DEFERRED) {
        catch_up();
        return;
    }
    model.in[id] = true;
    for (int i = 0; i < 4; i++) {
        if (ADDS == VISITED && model.passes[i].live) {
            model.passes[i].to_visit[id] = model.passes[i].added[id] = true;
        }
    }
}

/* Who a pass must come to next; 0: nobody, or it is not said who. */
static uint32_t expected(int number, bool *any)
{
    uint32_t first = 0, last = 0, added = 0;

    for (uint32_t id = 1; id < IDS; id++) {
        if (!model.passes[number].to_visit[id]) {
            continue;
        }
        if (model.passes[number].added[id]) {
            added = added == 0 ? id : added;
        } else {
            first = first == 0 ? id : first;
            last = id;
        }
    }
    *any = first != 0 || added != 0;
    return ORDER == UNORDERED ? 0 : ORDER == FORWARD ? (first != 0 ? first : added) : last != 0 ? last : added;
}

static void step(LIST *list, int number)
{
    bool any;
    uint32_t wanted = expected(number, &any), id;
    REF element = CALL(next)(&model.passes[number].cursor);

    CHECK((element != NOBODY) == any);
    if (element == NOBODY) {
        model.passes[number].live = false;
        catch_up();
        return;
    }
    id = ID(list, element);
    if (CHECK(id > 0 && id < IDS)) {
        CHECK(model.passes[number].to_visit[id] && (wanted == 0 || wanted == id));
        model.passes[number].to_visit[id] = false;
        model.passes[number].current = model.later[id] ? id : 0;
    }
}

static void anything(LIST *list)
{
    int number = (int)random_number(CURSORS);
    uint32_t id = model.passes[number].current;

    switch (random_number(16)) {
    case 0:
    case 1:
        if (!model.passes[number].live && (MANY || model.forgotten == 0)) {
            model.passes[number].cursor = BEGIN(list);
            model.passes[number].live = true;
            model.passes[number].current = 0;
            memcpy(model.passes[number].to_visit, model.in, sizeof model.in);
            memset(model.passes[number].added, 0, sizeof model.passes[number].added);
        }
        break;
    case 2:
        if (model.passes[number].live) {
            model.passes[number].live = false;
            if (random_number(4) > 0) {
                CALL(end)(&model.passes[number].cursor);
            } else if (model.forgotten < 3) {
                model.forgotten++;
            } else {
                CALL(end)(&model.passes[number].cursor);
            }
            catch_up();
        }
        break;
    case 3:
        if (random_number(4) == 0) {
            SETTLE(list);
            for (int i = 0; i < 4; i++) {
                model.passes[i].live = false;
            }
            model.forgotten = 0;
            catch_up();
        }
        break;
    case 4:
        if (random_number(6) == 0) {
            (void)CALL(clear)(list);
            for (uint32_t i = 1; i < IDS; i++) {
                if (model.later[i]) {
                    model_removes(i);
                }
            }
        }
        break;
    case 5:
#if GROWS
        CHECK(random_number(2) == 0 ? CALL(shrink_to_fit)(list) == SAYS(OK) : CALL(reserve)(list, 20) == SAYS(OK));
#endif
        break;
    case 6:
    case 7:
    case 8:
        if (model.next < IDS && CALL(count)(list) + 10 < LIMIT) {
            model_adds(model.next);
            put(list, model.next++);
        }
        break;
    case 9:
    case 10:
        if (model.passes[number].live && id != 0) {
            model_removes(id);
            done((int)CALL(remove_current)(&model.passes[number].cursor));
        }
        break;
    case 11:
    case 12:
#if ANY
        id = 1 + random_number(model.next);
        if (id < IDS && model.later[id] && model.in[id]) {
            take(list, id);
            model_removes(id);
        }
#endif
        break;
    default:
        if (model.passes[number].live) {
            step(list, number);
        }
    }
}

/* Whatever is done, with up to four passes live: it comes out as it does with one mark for each element. */
static void anything_at_any_time(void)
{
    for (int run = 0; run < 100; run++) {
        LIST *list = list_of(0);

        memset(&model, 0, sizeof model);
        model.next = 1;
        for (int i = 0; i < 300; i++) {
            size_t count = 0;

            anything(list);
            for (uint32_t id = 1; id < IDS; id++) {
                count += model.in[id];
            }
            CHECK(CALL(count)(list) == count && CALL(is_empty)(list) == (count == 0));
            CHECK(CALL(check)(list) == NULL);
        }
        for (int i = 0; i < CURSORS; i++) {
            while (model.passes[i].live) {
                step(list, i);
            }
        }
        CALL(deinit)(list);
    }
}

int main(void)
{
    leaving_in_any_way();
    a_forgotten_pass_harms_no_later_one();
    misuse_of_a_cursor_is_reported();
#if MANY
    eight_deep();
#endif
    adding_to_what_is_empty();
    adding_far_behind();
    what_a_loop_takes_next();
    anything_at_any_time();
    return checks_result();
}
