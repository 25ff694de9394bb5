// Loops over all elements: in one array, in columns, and with stable addresses after removals.
//
// `sum` reads one member; `update` changes two; `kill` is `update` that removes what has no hp left, where all have enough. Lists of
// `bespoke-single` allow one loop at a time, which may remove what it stands on; those of `bespoke` eight, from which anything may
// be removed, and nothing is skipped or visited twice. `hand` promises nothing.

#include "bench.hh"

#include <list>
#include <vector>

#include <plf_colony.h>

#include "iterate.h"

namespace {

using bench::Case;

const std::int32_t plenty = 2000000000;

// The same elements for all: numbered from 0.
template <class Element> Element numbered(std::size_t number) {
    Element one = {};
    one.id = static_cast<std::uint32_t>(number);
    one.hp = plenty;
    one.vx = 1;
    return one;
}

// The bodies of the loops, the same text for all.
#define SUM_BODY(one)                                                                                                          \
    { sum += one.id; }
#define UPDATE_BODY(one)                                                                                                       \
    {                                                                                                                          \
        one.x += one.vx;                                                                                                       \
        one.hp -= 1;                                                                                                           \
    }
#define KILL_BODY(one, remove)                                                                                                 \
    {                                                                                                                          \
        one.x += one.vx;                                                                                                       \
        one.hp -= 1;                                                                                                           \
        if (one.hp <= 0) {                                                                                                     \
            remove;                                                                                                            \
        }                                                                                                                      \
    }

// How a list is filled, and the loops of an emitted one.
#define BESPOKE_LIST(name, NAME, element)                                                                                      \
    struct name##_list {                                                                                                       \
        typedef element Element;                                                                                               \
        name list = {};                                                                                                        \
                                                                                                                               \
        ~name##_list() { name##_deinit(&list); }                                                                               \
        void add(const Element &one) {                                                                                         \
            if (name##_add(&list, one) != NAME##_OK) {                                                                         \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
        }                                                                                                                      \
        template <class Doomed> void erase(Doomed doomed) {                                                                    \
            NAME##_EACH(&list, one) {                                                                                          \
                if (doomed(*one)) {                                                                                            \
                    name##_remove_current(&one_cursor);                                                                        \
                }                                                                                                              \
            }                                                                                                                  \
        }                                                                                                                      \
        std::uint32_t sum() {                                                                                                  \
            std::uint32_t sum = 0;                                                                                             \
            NAME##_EACH(&list, one) SUM_BODY((*one))                                                                           \
            return sum;                                                                                                        \
        }                                                                                                                      \
        std::uint32_t range_sum() {                                                                                            \
            std::uint32_t sum = 0;                                                                                             \
            for (Element &one : name##_each(&list)) SUM_BODY(one)                                                              \
            return sum;                                                                                                        \
        }                                                                                                                      \
        void update() {                                                                                                        \
            NAME##_EACH(&list, one) UPDATE_BODY((*one))                                                                        \
        }                                                                                                                      \
        void range_update() {                                                                                                  \
            for (Element &one : name##_each(&list)) UPDATE_BODY(one)                                                           \
        }                                                                                                                      \
        void kill() {                                                                                                          \
            NAME##_EACH(&list, one) KILL_BODY((*one), name##_remove_current(&one_cursor))                                      \
        }                                                                                                                      \
    }

BESPOKE_LIST(single_16, SINGLE_16, e16);
BESPOKE_LIST(single_32, SINGLE_32, e32);
BESPOKE_LIST(single_64, SINGLE_64, e64);
BESPOKE_LIST(single_256, SINGLE_256, e256);
BESPOKE_LIST(dense_16, DENSE_16, e16);
BESPOKE_LIST(dense_32, DENSE_32, e32);
BESPOKE_LIST(dense_64, DENSE_64, e64);
BESPOKE_LIST(dense_256, DENSE_256, e256);
BESPOKE_LIST(ordered_64, ORDERED_64, e64);
BESPOKE_LIST(stable_32, STABLE_32, e32);
BESPOKE_LIST(stable_64, STABLE_64, e64);
BESPOKE_LIST(stable_256, STABLE_256, e256);

// The array of an engineer who needs nothing but the array.
template <class E> struct hand_list {
    typedef E Element;
    Element *items = nullptr;
    std::size_t count = 0, capacity = 0;

    ~hand_list() { std::free(items); }
    void add(const Element &one) {
        if (count == capacity) {
            capacity = capacity == 0 ? 16 : 2 * capacity;
            items = static_cast<Element *>(std::realloc(items, capacity * sizeof *items));
            if (items == nullptr) {
                bench::out_of_memory();
            }
        }
        items[count++] = one;
    }
    template <class Doomed> void erase(Doomed doomed) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count; i++) {
            if (!doomed(items[i])) {
                items[kept++] = items[i];
            }
        }
        count = kept;
    }
    std::uint32_t sum() {
        std::uint32_t sum = 0;
        for (std::size_t i = 0; i < count; i++) SUM_BODY(items[i])
        return sum;
    }
    void update() {
        for (std::size_t i = 0; i < count; i++) UPDATE_BODY(items[i])
    }
    void kill() {
        for (std::size_t i = 0; i < count;) {
            items[i].x += items[i].vx;
            items[i].hp -= 1;
            if (items[i].hp <= 0) {
                items[i] = items[--count];
            } else {
                i++;
            }
        }
    }
};

// Containers of C++. They remove from within a loop by erase only, so `kill` is written as it must be for each.
template <class Container> struct range_list {
    typedef typename Container::value_type Element;
    Container list;

    void add(const Element &one) { list.insert(list.end(), one); }
    template <class Doomed> void erase(Doomed doomed) {
        for (auto at = list.begin(); at != list.end();) {
            if (doomed(*at)) {
                at = list.erase(at);
            } else {
                ++at;
            }
        }
    }
    std::uint32_t sum() {
        std::uint32_t sum = 0;
        for (Element &one : list) SUM_BODY(one)
        return sum;
    }
    void update() {
        for (Element &one : list) UPDATE_BODY(one)
    }
    void kill() {
        for (auto at = list.begin(); at != list.end();) {
            Element &one = *at;
            one.x += one.vx;
            one.hp -= 1;
            if (one.hp <= 0) {
                at = list.erase(at);
            } else {
                ++at;
            }
        }
    }
};
template <class E> struct colony_list : range_list<plf::colony<E>> {
    void add(const E &one) { this->list.insert(one); }
};

// A chunk at a time, as emitted code offers it: which of its 64 slots are occupied says one word.
#define CHUNKS(name, BODY)                                                                                                     \
    for (std::size_t number = 0; number < name##_chunk_count(&this->list); number++) {                                         \
        const std::uint64_t *alive;                                                                                            \
        Element *items = name##_chunk(&this->list, number, &alive);                                                            \
        std::uint64_t bits = *alive;                                                                                           \
                                                                                                                               \
        if (bits == ~std::uint64_t(0)) {                                                                                       \
            for (std::size_t i = 0; i < 64; i++) BODY(items[i])                                                                \
        } else {                                                                                                               \
            for (; bits != 0; bits &= bits - 1) BODY(items[__builtin_ctzll(bits)])                                             \
        }                                                                                                                      \
    }
#define CHUNKS_LIST(name)                                                                                                      \
    struct name##_chunks : name##_list {                                                                                       \
        std::uint32_t sum() {                                                                                                  \
            std::uint32_t sum = 0;                                                                                             \
            CHUNKS(name, SUM_BODY)                                                                                             \
            return sum;                                                                                                        \
        }                                                                                                                      \
        void update() { CHUNKS(name, UPDATE_BODY) }                                                                            \
    }
CHUNKS_LIST(stable_32);
CHUNKS_LIST(stable_64);
CHUNKS_LIST(stable_256);

bool is_doomed(std::uint32_t id, std::uint32_t percent) {
    return bench::Random(id).below(100) < percent;
}

template <class List> void fill(List &list, std::size_t n, std::uint32_t erased) {
    for (std::size_t i = 0; i < n; i++) {
        list.add(numbered<typename List::Element>(i));
    }
    if (erased != 0) {
        list.erase([=](const typename List::Element &one) { return is_doomed(one.id, erased); });
    }
}

#define MEASURE_SUM(function)                                                                                                  \
    template <class List> void measure_##function(benchmark::State &state, const Case &of, std::uint32_t erased) {             \
        List list;                                                                                                             \
        fill(list, of.n, erased);                                                                                              \
        std::uint32_t sum = 0;                                                                                                 \
        for (auto _ : state) {                                                                                                 \
            benchmark::DoNotOptimize(&list);                                                                                   \
            benchmark::ClobberMemory();                                                                                        \
            sum = list.function();                                                                                             \
            benchmark::DoNotOptimize(sum);                                                                                     \
        }                                                                                                                      \
        bench::same(state, of, sum);                                                                                           \
    }
MEASURE_SUM(sum)
MEASURE_SUM(range_sum)

// Each element must have been visited as often as the loop was run: hp has gone down by that.
#define MEASURE_CHANGE(function)                                                                                               \
    template <class List> void measure_##function(benchmark::State &state, const Case &of, std::uint32_t erased) {             \
        List list;                                                                                                             \
        fill(list, of.n, erased);                                                                                              \
        std::int32_t rounds = 0;                                                                                               \
        for (auto _ : state) {                                                                                                 \
            benchmark::DoNotOptimize(&list);                                                                                   \
            benchmark::ClobberMemory();                                                                                        \
            list.function();                                                                                                   \
            rounds++;                                                                                                          \
        }                                                                                                                      \
        std::uint64_t visited = 0;                                                                                             \
        list.erase([&](const typename List::Element &one) {                                                                    \
            visited += one.hp == plenty - rounds;                                                                              \
            return false;                                                                                                      \
        });                                                                                                                    \
        bench::same(state, of, visited);                                                                                       \
    }
MEASURE_CHANGE(update)
MEASURE_CHANGE(range_update)
MEASURE_CHANGE(kill)

template <class List> void add_one(const Case &of, const char *peer, void (*measure)(benchmark::State &, const Case &, std::uint32_t),
                                   std::uint32_t erased = 0) {
    bench::add(of, peer, [=](benchmark::State &state, const Case &a) { measure(state, a, erased); });
}

// -- dense ---------------------------------------------------------------------------------------------------------------------

template <class Single, class Guarded> void dense(std::size_t n) {
    typedef typename Single::Element Element;
    typedef range_list<std::vector<Element>> vector;
    typedef hand_list<Element> hand;
    int size = sizeof(Element);

    Case sum = {"iterate", size, n, "sum"};
    add_one<Single>(sum, "bespoke-single", measure_sum<Single>);
    add_one<Guarded>(sum, "bespoke", measure_sum<Guarded>);
    add_one<Guarded>(sum, "bespoke-range", measure_range_sum<Guarded>);
    add_one<hand>(sum, "hand", measure_sum<hand>);
    add_one<vector>(sum, "std::vector", measure_sum<vector>);

    Case update = {"iterate", size, n, "update"};
    add_one<Single>(update, "bespoke-single", measure_update<Single>);
    add_one<Guarded>(update, "bespoke", measure_update<Guarded>);
    add_one<Guarded>(update, "bespoke-range", measure_range_update<Guarded>);
    add_one<hand>(update, "hand", measure_update<hand>);
    add_one<vector>(update, "std::vector", measure_update<vector>);

    Case kill = {"iterate", size, n, "kill"};
    add_one<Single>(kill, "bespoke-single", measure_kill<Single>);
    add_one<Guarded>(kill, "bespoke", measure_kill<Guarded>);
    add_one<hand>(kill, "hand", measure_kill<hand>);
    add_one<vector>(kill, "std::vector", measure_kill<vector>);
}

// -- stable addresses, and slots that stay empty -------------------------------------------------------------------------------

// `hand` is a loop without holes over as many elements as the others have left.
template <class Stable, class Chunks> void stable(std::size_t n) {
    typedef typename Stable::Element Element;
    typedef hand_list<Element> hand;
    typedef colony_list<Element> colony;
    int size = sizeof(Element);

    for (std::uint32_t erased : {0u, 10u, 50u, 90u}) {
        Case of = {"stable", size, n, "erased" + std::to_string(erased)};
        add_one<Stable>(of, "bespoke", measure_sum<Stable>, erased);
        add_one<Stable>(of, "bespoke-range", measure_range_sum<Stable>, erased);
        add_one<hand>(of, "hand", measure_sum<hand>, erased);
        add_one<colony>(of, "plf::colony", measure_sum<colony>, erased);
        add_one<Chunks>(of, "bespoke-chunks", measure_sum<Chunks>, erased);
        if (size == 64) {
            typedef range_list<std::list<Element>> list;
            add_one<ordered_64_list>(of, "bespoke-tombstone", measure_sum<ordered_64_list>, erased);
            add_one<list>(of, "std::list", measure_sum<list>, erased);
        }
        if (erased == 0 || erased == 50) {
            Case update = {"stable", size, n, "erased" + std::to_string(erased) + "-update"};
            add_one<Stable>(update, "bespoke", measure_update<Stable>, erased);
            add_one<Chunks>(update, "bespoke-chunks", measure_update<Chunks>, erased);
            add_one<hand>(update, "hand", measure_update<hand>, erased);
            add_one<colony>(update, "plf::colony", measure_update<colony>, erased);
        }
    }
}

// -- a column for each member --------------------------------------------------------------------------------------------------

#define COLUMNS_LIST(name, NAME)                                                                                               \
    struct name##_list {                                                                                                       \
        typedef e64 Element;                                                                                                   \
        name list = {};                                                                                                        \
                                                                                                                               \
        ~name##_list() { name##_deinit(&list); }                                                                               \
        void add(const Element &one) {                                                                                         \
            name##_row row = {};                                                                                               \
            row.id = one.id;                                                                                                   \
            row.hp = one.hp;                                                                                                   \
            row.vx = one.vx;                                                                                                   \
            if (name##_add(&list, row) != NAME##_OK) {                                                                         \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
        }                                                                                                                      \
        template <class Doomed> void erase(Doomed) {}                                                                          \
        std::uint32_t sum();                                                                                                   \
        std::uint32_t range_sum();                                                                                             \
    }
COLUMNS_LIST(columns_64, COLUMNS_64);
COLUMNS_LIST(columns_chunked_64, COLUMNS_CHUNKED_64);

// By the column, and by the loop of all containers.
std::uint32_t columns_64_list::sum() {
    const std::uint32_t *ids = columns_64_const_id(&list);
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < columns_64_rows(&list); i++) {
        sum += ids[i];
    }
    return sum;
}
std::uint32_t columns_64_list::range_sum() {
    std::uint32_t sum = 0;
    COLUMNS_64_EACH(&list, row) {
        sum += columns_64_const_id(&list)[row];
    }
    return sum;
}
std::uint32_t columns_chunked_64_list::sum() {
    std::uint32_t sum = 0;
    for (std::size_t number = 0; number < columns_chunked_64_chunk_count(&list); number++) {
        const std::uint32_t *ids = columns_chunked_64_const_id(&list, number);
        std::uint64_t bits = columns_chunked_64_occupied(&list, number);

        if (bits == ~std::uint64_t(0)) {
            for (std::size_t i = 0; i < 64; i++) {
                sum += ids[i];
            }
        } else {
            for (; bits != 0; bits &= bits - 1) {
                sum += ids[__builtin_ctzll(bits)];
            }
        }
    }
    return sum;
}

struct hand_column : hand_list<e64> {
    std::uint32_t *ids = nullptr;

    ~hand_column() { std::free(ids); }
    void add(const e64 &one) {
        if (count == capacity) {
            capacity = capacity == 0 ? 16 : 2 * capacity;
            ids = static_cast<std::uint32_t *>(std::realloc(ids, capacity * sizeof *ids));
            if (ids == nullptr) {
                bench::out_of_memory();
            }
        }
        ids[count++] = one.id;
    }
    template <class Doomed> void erase(Doomed) {}
    std::uint32_t sum() {
        std::uint32_t sum = 0;
        for (std::size_t i = 0; i < count; i++) {
            sum += ids[i];
        }
        return sum;
    }
};

void columns(std::size_t n) {
    Case of = {"column", 64, n, "sum"};
    add_one<columns_64_list>(of, "bespoke", measure_sum<columns_64_list>);
    add_one<columns_64_list>(of, "bespoke-each", measure_range_sum<columns_64_list>);
    add_one<columns_chunked_64_list>(of, "bespoke-chunked", measure_sum<columns_chunked_64_list>);
    add_one<hand_column>(of, "hand", measure_sum<hand_column>);
    add_one<hand_list<e64>>(of, "hand-structs", measure_sum<hand_list<e64>>);
}

int registered() {
    for (std::size_t n : {std::size_t(16), std::size_t(1000), std::size_t(100000), std::size_t(1000000)}) {
        dense<single_64_list, dense_64_list>(n);
        columns(n);
        if (n != 16) {
            stable<stable_64_list, stable_64_chunks>(n);
        }
    }
    dense<single_16_list, dense_16_list>(1000);
    dense<single_16_list, dense_16_list>(100000);
    dense<single_32_list, dense_32_list>(1000);
    dense<single_256_list, dense_256_list>(1000);
    dense<single_256_list, dense_256_list>(100000);
    stable<stable_32_list, stable_32_chunks>(1000);
    stable<stable_32_list, stable_32_chunks>(100000);
    stable<stable_256_list, stable_256_chunks>(1000);
    return 0;
}

const int done = registered();

} // namespace
