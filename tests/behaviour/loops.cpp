// Loops of C++17 over containers of tests/specs/loops.yaml, whose sources C compiled.

#include "loops.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

static int failures;
static thing things[8];

static void expect(const std::string &seen, const char *wanted, int line)
{
    if (seen != wanted) {
        std::printf("%d: \"%s\", not \"%s\"\n", line, seen.c_str(), wanted);
        failures++;
    }
}
#define EXPECT(seen, wanted) expect(seen, wanted, __LINE__)

static std::string digit(uint32_t id)
{
    return std::to_string(id);
}

// No pass is live: a container with room for two at once takes two more.
static bool idle(loops_values *list)
{
    auto one = loops_values_each(list);
    auto two = loops_values_each(list);
    return one.cursor.list != nullptr && two.cursor.list != nullptr;
}

static bool left_by_return(loops_values *list)
{
    for (thing &element : loops_values_each(list)) {
        if (element.id == 1) {
            return true;
        }
    }
    return false;
}

static void values()
{
    loops_values list = {};
    std::string seen;

    for (int id = 0; id < 4; id++) {
        if (loops_values_add(&list, things[id]) != LOOPS_VALUES_OK) {
            std::abort();
        }
    }
    for (thing &element : loops_values_each(&list)) {
        element.left = 7;
        seen += digit(element.id);
    }
    EXPECT(seen, "0123");
    seen.clear();
    for (const thing &element : loops_values_each_backward(&list)) {
        seen += digit(element.id) + digit((uint32_t)element.left);
    }
    EXPECT(seen, "37271707");

    // Left by break, return and throw, no pass stays.
    for (thing &element : loops_values_each(&list)) {
        if (element.id == 2) {
            break;
        }
    }
    EXPECT(idle(&list) && left_by_return(&list) && idle(&list) ? "idle" : "", "idle");
    try {
        for (thing &outer : loops_values_each(&list)) {
            for (thing &inner : loops_values_each(&list)) {
                if (inner.id == 3 && outer.id == 1) {
                    throw std::runtime_error("left");
                }
            }
        }
    } catch (const std::runtime_error &) {
        seen = idle(&list) ? "caught" : "";
    }
    EXPECT(seen, "caught");

    // A pass with a name: what it stands on leaves, the loop goes on, and a second one goes on where the first was left.
    {
        auto pass = loops_values_each(&list);
        seen.clear();
        for (thing &element : pass) {
            seen += digit(element.id);
            if (element.id == 1 && pass.remove_current() != LOOPS_VALUES_OK) {
                seen += "!";
            }
            if (seen.size() == 2) {
                break;
            }
        }
        seen += "-";
        for (thing &element : pass) {
            seen += digit(element.id);
        }
        for (thing &element : pass) { // it is over
            seen += digit(element.id) + "?";
        }
    }
    EXPECT(seen, "01-23");
    EXPECT(loops_values_check(&list) == nullptr && loops_values_count(&list) == 3 ? "sound" : "", "sound");

    // What is handed on takes its elements along; the one before must be forgotten, as in C.
    loops_values other = std::move(list);
    seen.clear();
    for (thing &element : loops_values_each(&other)) {
        seen += digit(element.id);
    }
    EXPECT(seen, "023");
    loops_values_deinit(&other);
}

static void pointers()
{
    loops_pointers list{};
    std::string seen;

    for (thing &element : things) {
        (void)loops_pointers_add(&list, &element);
    }
    auto pass = loops_pointers_each(&list);
    for (thing *element : pass) {
        seen += digit(element->id);
        if (element->id % 2 == 0) {
            pass.remove_current();
        }
    }
    EXPECT(seen, "76543210");
    seen.clear();
    for (thing *element : loops_pointers_each(&list)) {
        seen += digit(element->id);
    }
    EXPECT(seen, "7531");
    loops_pointers_deinit(&list);
}

static void rows()
{
    loops_rows list = {};
    std::string seen;

    for (uint32_t id = 0; id < 3; id++) {
        (void)loops_rows_add(&list, dot{id, 5});
    }
    for (size_t row : loops_rows_each(&list)) { // row 0 is an element like others
        loops_rows_left(&list)[row]--;
        seen += digit(loops_rows_load(&list, row).id);
    }
    EXPECT(seen, "012");
    auto pass = loops_rows_each(&list);
    for (size_t row : pass) {
        seen += std::to_string(loops_rows_left(&list)[row]);
        pass.remove_current();
    }
    EXPECT(seen, "012444");
    EXPECT(loops_rows_is_empty(&list) ? "empty" : "", "empty");
    loops_rows_deinit(&list);
}

static void links()
{
    loops_links list = {};
    std::string seen;

    for (thing &element : things) {
        (void)loops_links_insert_before(&list, nullptr, &element);
    }
    auto pass = loops_links_each(&list);
    for (thing *element : pass) {
        seen += digit(element->id);
        if (element->id < 6) {
            pass.remove_current();
        }
    }
    EXPECT(seen, "76543210");
    EXPECT(digit((uint32_t)loops_links_count(&list)), "2");
    loops_links_deinit(&list);
}

// A pass that has begun meets what its container comes to before the loop over it, and so does one whose iterator is
// kept by hand; that stands on no element before it is compared. In no order: with BESPOKE_CHAOS those without one are
// shuffled.
#define BEFORE_THE_LOOP(T)                                                                                           \
    static void T##_before_the_loop(bool by_hand)                                                                    \
    {                                                                                                                \
        for (int what = 0; what < 4; what++) {                                                                       \
            T list = {};                                                                                             \
            std::string seen, wanted = what == 0 ? "01234" : "0123";                                                 \
                                                                                                                     \
            for (int id = 0; id < 4; id++) {                                                                         \
                (void)T##_add(&list, things[id]);                                                                    \
            }                                                                                                        \
            {                                                                                                        \
                auto pass = T##_each(&list);                                                                         \
                auto held = by_hand ? pass.begin() : decltype(pass.begin()){&pass};                                  \
                if (what == 0) {                                                                                     \
                    (void)T##_add(&list, things[4]);                                                                 \
                } else if (what == 1) {                                                                              \
                    T##_reserve(&list, 1000);                                                                        \
                } else if (what == 2) {                                                                              \
                    for (thing &first : T##_each(&list)) {                                                           \
                        wanted.erase(wanted.find(digit(first.id)), 1);                                               \
                        T##_remove(&list, &first);                                                                   \
                        break;                                                                                       \
                    }                                                                                                \
                } else if (!BESPOKE_CHECKS) {                                                                        \
                    EXPECT(pass.remove_current() == (T##_status)LOOPS_VALUES_ABSENT ? "none" : "removed", "none");         \
                }                                                                                                    \
                if (by_hand) {                                                                                       \
                    for (; held != pass.end(); ++held) {                                                             \
                        seen += digit((*held).id);                                                                   \
                    }                                                                                                \
                } else {                                                                                             \
                    for (thing &element : pass) {                                                                    \
                        seen += digit(element.id);                                                                   \
                    }                                                                                                \
                }                                                                                                    \
            }                                                                                                        \
            std::sort(seen.begin(), seen.end());                                                                     \
            EXPECT(seen, wanted.c_str());                                                                            \
            T##_deinit(&list);                                                                                       \
        }                                                                                                            \
    }
BEFORE_THE_LOOP(loops_values)
BEFORE_THE_LOOP(loops_reused)
BEFORE_THE_LOOP(loops_shards)
BEFORE_THE_LOOP(loops_buried)
BEFORE_THE_LOOP(loops_swapped)

static void waiting()
{
    loops_waiting list = {};
    std::string seen;

    (void)loops_waiting_add(&list, &things[0]);
    for (thing *element : loops_waiting_each(&list)) {
        seen += digit(element->id);
        seen += loops_waiting_add(&list, &things[1]) == LOOPS_WAITING_QUEUED ? "q" : "-";
        break;
    }
    EXPECT(seen, "0q");
    EXPECT(!loops_waiting_is_locked(&list) ? digit((uint32_t)loops_waiting_count(&list)) : "locked", "2");
    loops_waiting_deinit(&list);
}

static void layers()
{
    loops_layers list = {};
    std::string seen;

    for (uint32_t id = 0; id < 4; id++) {
        (void)loops_layers_add(&list, id % 2 ? LOOPS_LAYERS_HIGH : LOOPS_LAYERS_LOW, &things[id]);
    }
    loops_layers_set_enabled(&list, LOOPS_LAYERS_LOW, false);
    for (thing *element : loops_layers_each(&list)) {
        seen += digit(element->id);
    }
    loops_layers_set_enabled(&list, LOOPS_LAYERS_LOW, true);
    for (thing *element : loops_layers_each_backward(&list)) {
        seen += digit(element->id);
    }
    loops_layers_set_visible(&list, LOOPS_LAYERS_HIGH, false);
    auto pass = loops_layers_each_visible(&list);
    for (thing *element : pass) {
        seen += digit(element->id);
        pass.remove_current();
    }
    EXPECT(seen, "13312002");
    EXPECT(digit((uint32_t)loops_layers_count(&list)), "2");
    loops_layers_deinit(&list);
}

// Layers whose elements are walked by runs: empty ones, one that is switched off, and all that may happen in a loop.
static void storeys()
{
    loops_storeys list = {};
    std::string seen;

    for (uint32_t id = 0; id < 4; id++) {
        (void)loops_storeys_add(&list, id < 2 ? LOOPS_STOREYS_GROUND : LOOPS_STOREYS_ROOF, &things[id]);
    }
    for (thing *element : loops_storeys_each(&list)) {
        seen += digit(element->id);
        if (element->id == 1) { // ahead, behind, and where the pass is
            (void)loops_storeys_add(&list, LOOPS_STOREYS_UPPER, &things[4]);
            (void)loops_storeys_add(&list, LOOPS_STOREYS_CELLAR, &things[5]);
            (void)loops_storeys_add(&list, LOOPS_STOREYS_GROUND, &things[6]);
        }
    }
    EXPECT(seen, "016423");
    seen = "";
    LOOPS_STOREYS_EACH(&list, element) {
        seen += digit(element->id);
        if (element->id % 2 == 0) {
            seen += loops_storeys_remove_current(&element_cursor) == LOOPS_STOREYS_OK ? "r" : "-";
        }
    }
    EXPECT(seen, "50r16r4r2r3");
    seen = "";
    LOOPS_STOREYS_EACH(&list, element) { // 5 in the cellar, 1 on the ground floor, 3 under the roof
        seen += digit(element->id);
        if (element->id == 5) {
            thing *next = loops_storeys_next(&element_cursor);

            seen += next == nullptr ? "-" : digit(next->id);
        }
    }
    LOOPS_STOREYS_EACH(&list, element) {
        seen += digit(element->id);
        loops_storeys_end(&element_cursor);
    }
    LOOPS_STOREYS_EACH(&list, element) {
        seen += digit(element->id);
        break;
    }
    EXPECT(seen, "51355");
    seen = "";
    {
        auto pass = loops_storeys_each(&list);
        for (thing *element : pass) {
            seen += digit(element->id);
            if (element->id == 1) {
                break;
            }
        }
        for (thing *element : pass) { // goes on
            seen += digit(element->id);
            pass.remove_current();
        }
    }
    loops_storeys_set_enabled(&list, LOOPS_STOREYS_GROUND, false);
    loops_storeys_set_visible(&list, LOOPS_STOREYS_CELLAR, false);
    LOOPS_STOREYS_EACH(&list, element) {
        seen += digit(element->id);
        loops_storeys_settle(&list); // ends the pass
        break;
    }
    LOOPS_STOREYS_EACH_VISIBLE(&list, element) {
        seen += digit(element->id);
    }
    EXPECT(seen, "51351");
    loops_storeys_deinit(&list);
    LOOPS_STOREYS_EACH(&list, element) {
        EXPECT(digit(element->id), "none");
    }
}

int main()
{
    for (uint32_t id = 0; id < 8; id++) {
        things[id].id = id;
    }
    values();
    pointers();
    rows();
    links();
    waiting();
    layers();
    storeys();
    for (bool by_hand : {false, true}) {
        loops_values_before_the_loop(by_hand);
        loops_reused_before_the_loop(by_hand);
        loops_shards_before_the_loop(by_hand);
        loops_buried_before_the_loop(by_hand);
        loops_swapped_before_the_loop(by_hand);
    }
    return failures != 0;
}
