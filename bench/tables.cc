// Elements of 16 bytes by small numbers. `table`: n elements whose ids are below 2 n, half of those that there may be. `get`: a member of
// the element with a random id, if it is in. `change`: the one with a random id is removed if it is in, and added if it is not. `next`: the
// one with the next larger id. `walk`: a loop over all. `fill`: n are added, in random order, to a table that grows.
// `numbers`: the container assigns the ids. `get`: a member of a random one of n. `change`: a random one is removed, and one is added, which
// gets an id. `walk`, `fill`: the same.

#include "bench.hh"

#include <map>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <boost/unordered/unordered_flat_map.hpp>

#include <Judy.h>

#include "tables.h"

namespace {

using bench::Case;

inline e16 made(std::size_t id) {
    e16 one = {};
    one.id = static_cast<std::uint32_t>(id);
    one.hp = static_cast<std::int32_t>(id * 7 % 1000);
    return one;
}

// -- tables: all have get, flip, next, each and add, whose element is made of its id -------------------------------------------

class Bespoke {
public:
    ~Bespoke() { rows_deinit(&list); }
    const e16 *get(std::size_t id) const { return rows_find_const(&list, id); }
    void add(std::size_t id) {
        if (rows_add(&list, made(id)) == ROWS_NO_MEMORY) {
            bench::out_of_memory();
        }
    }
    bool flip(std::size_t id) {
        if (rows_remove_key(&list, id) == ROWS_OK) {
            return false;
        }
        add(id);
        return true;
    }
    const e16 *next(std::size_t id) const { return rows_next_after_const(&list, id); }
    template <class Function> void each(Function function) {
        ROWS_EACH(&list, one) {
            function(*one);
        }
    }
    std::size_t count() const { return rows_count(&list); }

private:
    rows list = {};
};

// What a program has: an array that doubles, a bit for each, and a count.
class Hand {
public:
    ~Hand() {
        std::free(words);
        std::free(elements);
    }
    bool has(std::size_t id) const { return id / 64 < length && (words[id / 64] >> id % 64 & 1) != 0; }
    const e16 *get(std::size_t id) const { return has(id) ? &elements[id] : nullptr; }
    void add(std::size_t id) {
        if (id / 64 >= length) {
            grow(id / 64 + 1);
        }
        if (!has(id)) {
            words[id / 64] |= std::uint64_t(1) << id % 64;
            number++;
            elements[id] = made(id);
        }
    }
    bool flip(std::size_t id) {
        if (has(id)) {
            words[id / 64] &= ~(std::uint64_t(1) << id % 64);
            number--;
            return false;
        }
        add(id);
        return true;
    }
    const e16 *next(std::size_t id) const {
        std::size_t word = (id + 1) / 64;
        if (word >= length) {
            return nullptr;
        }
        for (std::uint64_t bits = words[word] & ~std::uint64_t(0) << (id + 1) % 64;; bits = words[word]) {
            if (bits != 0) {
                return &elements[word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits))];
            }
            if (++word >= length) {
                return nullptr;
            }
        }
    }
    template <class Function> void each(Function function) {
        for (std::size_t word = 0; word < length; word++) {
            for (std::uint64_t bits = words[word]; bits != 0; bits &= bits - 1) {
                function(elements[word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits))]);
            }
        }
    }
    std::size_t count() const { return number; }

private:
    void grow(std::size_t least) {
        std::size_t most = length * 2 > least ? length * 2 : least;
        words = static_cast<std::uint64_t *>(std::realloc(words, most * sizeof *words));
        elements = static_cast<e16 *>(std::realloc(elements, most * 64 * sizeof *elements));
        if (words == nullptr || elements == nullptr) {
            bench::out_of_memory();
        }
        for (; length < most; length++) {
            words[length] = 0;
        }
    }
    std::uint64_t *words = nullptr;
    e16 *elements = nullptr;
    std::size_t length = 0;
    std::size_t number = 0;
};

// Pointers by id, as C programs have them: NULL where there is none. The elements are elsewhere, and are there already.
class Pointers {
public:
    ~Pointers() { std::free(rows); }
    const e16 *get(std::size_t id) const { return id < length ? rows[id] : nullptr; }
    void add(std::size_t id) {
        if (id >= length) {
            grow(id + 1);
        }
        if (rows[id] == nullptr) {
            rows[id] = &elements()[id];
            number++;
        }
    }
    bool flip(std::size_t id) {
        if (get(id) != nullptr) {
            rows[id] = nullptr;
            number--;
            return false;
        }
        add(id);
        return true;
    }
    const e16 *next(std::size_t id) const {
        while (++id < length) {
            if (rows[id] != nullptr) {
                return rows[id];
            }
        }
        return nullptr;
    }
    template <class Function> void each(Function function) {
        for (std::size_t id = 0; id < length; id++) {
            if (rows[id] != nullptr) {
                function(*rows[id]);
            }
        }
    }
    std::size_t count() const { return number; }

private:
    static e16 *elements() {
        static std::vector<e16> all = [] {
            std::vector<e16> those;
            for (std::size_t id = 0; id < 200000; id++) {
                those.push_back(made(id));
            }
            return those;
        }();
        return all.data();
    }
    void grow(std::size_t least) {
        std::size_t most = length * 2 > least ? length * 2 : least;
        rows = static_cast<e16 **>(std::realloc(rows, most * sizeof *rows));
        if (rows == nullptr) {
            bench::out_of_memory();
        }
        for (; length < most; length++) {
            rows[length] = nullptr;
        }
        (void)elements();
    }
    e16 **rows = nullptr;
    std::size_t length = 0;
    std::size_t number = 0;
};

template <class Map> class Std {
public:
    const e16 *get(std::size_t id) const {
        auto found = map.find(static_cast<std::uint32_t>(id));
        return found == map.end() ? nullptr : &found->second;
    }
    void add(std::size_t id) { map.emplace(static_cast<std::uint32_t>(id), made(id)); }
    bool flip(std::size_t id) {
        if (map.erase(static_cast<std::uint32_t>(id)) != 0) {
            return false;
        }
        add(id);
        return true;
    }
    const e16 *next(std::size_t id) const { // of those that are in order
        auto found = map.upper_bound(static_cast<std::uint32_t>(id));
        return found == map.end() ? nullptr : &found->second;
    }
    template <class Function> void each(Function function) {
        for (auto &one : map) {
            function(one.second);
        }
    }
    std::size_t count() const { return map.size(); }

private:
    Map map;
};

// It holds a word for each id: the address of the element.
class Judy {
public:
    ~Judy() {
        each([](e16 &one) { std::free(&one); });
        JudyLFreeArray(&map, PJE0);
    }
    const e16 *get(std::size_t id) const {
        PPvoid_t found = JudyLGet(map, id, PJE0);
        return found == nullptr ? nullptr : static_cast<e16 *>(*found);
    }
    void add(std::size_t id) {
        PPvoid_t found = JudyLIns(&map, id, PJE0);
        if (*found == nullptr) {
            *found = std::malloc(sizeof(e16));
            if (*found == nullptr) {
                bench::out_of_memory();
            }
            *static_cast<e16 *>(*found) = made(id);
            number++;
        }
    }
    bool flip(std::size_t id) {
        PPvoid_t found = JudyLGet(map, id, PJE0);
        if (found != nullptr) {
            std::free(*found);
            JudyLDel(&map, id, PJE0);
            number--;
            return false;
        }
        add(id);
        return true;
    }
    const e16 *next(std::size_t id) const {
        Word_t at = id;
        PPvoid_t found = JudyLNext(map, &at, PJE0);
        return found == nullptr ? nullptr : static_cast<e16 *>(*found);
    }
    template <class Function> void each(Function function) {
        Word_t at = 0;
        for (PPvoid_t found = JudyLFirst(map, &at, PJE0); found != nullptr; found = JudyLNext(map, &at, PJE0)) {
            function(*static_cast<e16 *>(*found));
        }
    }
    std::size_t count() const { return number; }

private:
    Pvoid_t map = nullptr;
    std::size_t number = 0;
};

// -- pools: all have add, which returns an id, get, remove and each ------------------------------------------------------------

#define BESPOKE_POOL(Name, T, TT, EACH)                                                                                        \
    class Name {                                                                                                               \
    public:                                                                                                                    \
        using Id = T##_handle;                                                                                                 \
        ~Name() { T##_deinit(&list); }                                                                                         \
        Id add(const e16 &one) {                                                                                               \
            Id id;                                                                                                             \
            if (T##_add_handle(&list, one, &id) != TT##_OK) {                                                                  \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
            return id;                                                                                                         \
        }                                                                                                                      \
        const e16 *get(Id id) const { return T##_get_const(&list, id); }                                                       \
        void remove(Id id) { T##_remove(&list, id); }                                                                          \
        template <class Function> void each(Function function) {                                                               \
            TT##_##EACH(&list, one) {                                                                                          \
                function(*one);                                                                                                \
            }                                                                                                                  \
        }                                                                                                                      \
                                                                                                                               \
    private:                                                                                                                   \
        T list = {};                                                                                                           \
    };

BESPOKE_POOL(Lowest, lowest, LOWEST, EACH)
BESPOKE_POOL(Latest, latest, LATEST, EACH)
BESPOKE_POOL(Turns, turns, TURNS, EACH)
BESPOKE_POOL(Read, latest_read, LATEST_READ, EACH_CONST)

// What engines have: the elements in an array, a flag for each, and a stack of free ids.
class Stack {
public:
    using Id = std::size_t;
    ~Stack() {
        std::free(slots);
        std::free(freed);
    }
    Id add(const e16 &one) {
        if (free_count == 0 && used == capacity) {
            capacity = capacity == 0 ? 16 : capacity * 2;
            slots = static_cast<Slot *>(std::realloc(slots, capacity * sizeof *slots));
            freed = static_cast<std::uint32_t *>(std::realloc(freed, capacity * sizeof *freed));
            if (slots == nullptr || freed == nullptr) {
                bench::out_of_memory();
            }
        }
        Id id = free_count > 0 ? freed[--free_count] : used++;
        slots[id].element = one;
        slots[id].there = true;
        return id;
    }
    const e16 *get(Id id) const { return id < used && slots[id].there ? &slots[id].element : nullptr; }
    void remove(Id id) {
        if (id < used && slots[id].there) {
            slots[id].there = false;
            freed[free_count++] = static_cast<std::uint32_t>(id);
        }
    }
    template <class Function> void each(Function function) {
        for (std::size_t id = 0; id < used; id++) {
            if (slots[id].there) {
                function(slots[id].element);
            }
        }
    }

private:
    struct Slot {
        e16 element;
        bool there;
    };
    Slot *slots = nullptr;
    std::uint32_t *freed = nullptr;
    std::size_t capacity = 0;
    std::size_t used = 0;
    std::size_t free_count = 0;
};

// The lowest free id by hand: a bit for each slot, and the first word that may have a free one.
class Words {
public:
    using Id = std::size_t;
    ~Words() {
        std::free(words);
        std::free(elements);
    }
    Id add(const e16 &one) {
        while (first < length && ~words[first] == 0) {
            first++;
        }
        if (first == length) {
            grow();
        }
        Id id = first * 64 + static_cast<Id>(__builtin_ctzll(~words[first]));
        words[first] |= std::uint64_t(1) << id % 64;
        elements[id] = one;
        return id;
    }
    const e16 *get(Id id) const { return id / 64 < length && (words[id / 64] >> id % 64 & 1) != 0 ? &elements[id] : nullptr; }
    void remove(Id id) {
        if (get(id) != nullptr) {
            words[id / 64] &= ~(std::uint64_t(1) << id % 64);
            first = id / 64 < first ? id / 64 : first;
        }
    }
    template <class Function> void each(Function function) {
        for (std::size_t word = 0; word < length; word++) {
            for (std::uint64_t bits = words[word]; bits != 0; bits &= bits - 1) {
                function(elements[word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits))]);
            }
        }
    }

private:
    void grow() {
        std::size_t most = length == 0 ? 1 : length * 2;
        words = static_cast<std::uint64_t *>(std::realloc(words, most * sizeof *words));
        elements = static_cast<e16 *>(std::realloc(elements, most * 64 * sizeof *elements));
        if (words == nullptr || elements == nullptr) {
            bench::out_of_memory();
        }
        for (; length < most; length++) {
            words[length] = 0;
        }
    }
    std::uint64_t *words = nullptr;
    e16 *elements = nullptr;
    std::size_t length = 0;
    std::size_t first = 0;
};

// The next free id by hand: a flag for each slot, which are looked at from that of the last add on.
class Flags {
public:
    using Id = std::size_t;
    ~Flags() { std::free(slots); }
    Id add(const e16 &one) {
        if (count == capacity) {
            grow();
        }
        while (slots[turn].there) {
            turn = turn + 1 < capacity ? turn + 1 : 0;
        }
        slots[turn] = Slot{one, true};
        count++;
        return turn;
    }
    const e16 *get(Id id) const { return id < capacity && slots[id].there ? &slots[id].element : nullptr; }
    void remove(Id id) {
        if (id < capacity && slots[id].there) {
            slots[id].there = false;
            count--;
        }
    }
    template <class Function> void each(Function function) {
        for (std::size_t id = 0; id < capacity; id++) {
            if (slots[id].there) {
                function(slots[id].element);
            }
        }
    }

private:
    struct Slot {
        e16 element;
        bool there;
    };
    void grow() {
        std::size_t most = capacity == 0 ? 16 : capacity * 2;
        slots = static_cast<Slot *>(std::realloc(slots, most * sizeof *slots));
        if (slots == nullptr) {
            bench::out_of_memory();
        }
        for (; capacity < most; capacity++) {
            slots[capacity].there = false;
        }
    }
    Slot *slots = nullptr;
    std::size_t capacity = 0;
    std::size_t count = 0;
    std::size_t turn = 0;
};

// -- the work ----------------------------------------------------------------------------------------------------------------

template <class Table> void fill(Table &table, std::size_t n, std::uint64_t seed) {
    bench::Random random(seed);
    while (table.count() < n) {
        table.add(random.below(2 * n));
    }
}

inline std::uint64_t hp(const e16 *one) {
    return one == nullptr ? 0 : static_cast<std::uint64_t>(one->hp);
}

template <class Table> std::uint64_t get(const Table &table, std::size_t n, std::size_t times, bench::Random random) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < times; i++) {
        sum += hp(table.get(random.below(2 * n)));
    }
    return sum;
}

template <class Table> void gets(benchmark::State &state, const Case &of) {
    Table table;
    fill(table, of.n, of.n);
    bench::same(state, of, get(table, of.n, 10000, bench::Random(1)));
    for (auto _ : state) {
        benchmark::DoNotOptimize(get(table, of.n, 1000, bench::Random(2)));
    }
}

template <class Table> std::uint64_t next(const Table &table, std::size_t n, std::size_t times, bench::Random random) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < times; i++) {
        sum += hp(table.next(random.below(2 * n)));
    }
    return sum;
}

template <class Table> void nexts(benchmark::State &state, const Case &of) {
    Table table;
    fill(table, of.n, of.n);
    bench::same(state, of, next(table, of.n, 10000, bench::Random(1)));
    for (auto _ : state) {
        benchmark::DoNotOptimize(next(table, of.n, 1000, bench::Random(2)));
    }
}

template <class Table> std::uint64_t changes(bench::Stopwatch &watch, const Case &of) {
    Table table;
    bench::Random random(3);
    std::uint64_t sum = 0;
    fill(table, of.n, of.n);
    watch.start();
    for (std::size_t i = 0; i < 10000; i++) {
        sum = sum * 3 + table.flip(random.below(2 * of.n));
    }
    watch.stop();
    return sum + table.count();
}

template <class Table> void walks(benchmark::State &state, const Case &of) {
    Table table;
    fill(table, of.n, of.n);
    std::uint64_t sum = 0;
    table.each([&](const e16 &one) { sum += static_cast<std::uint64_t>(one.hp); });
    bench::same(state, of, sum);
    for (auto _ : state) {
        table.each([&](const e16 &one) { sum += static_cast<std::uint64_t>(one.hp); });
        benchmark::DoNotOptimize(sum);
    }
}

// Ids from 0 to below 2 n in a random order.
inline std::vector<std::uint32_t> shuffled(std::size_t n) {
    bench::Random random(n);
    std::vector<std::uint32_t> ids(2 * n);
    for (std::size_t i = 0; i < 2 * n; i++) {
        ids[i] = static_cast<std::uint32_t>(i);
        std::swap(ids[i], ids[random.below(i + 1)]);
    }
    return ids;
}

template <class Table> std::uint64_t fills(bench::Stopwatch &watch, const Case &of) {
    std::vector<std::uint32_t> ids = shuffled(of.n);
    Table table;
    watch.start();
    for (std::size_t i = 0; i < of.n; i++) {
        table.add(ids[i]);
    }
    watch.stop();
    return table.count() + hp(table.get(ids[0]));
}

template <class Pool> std::vector<typename Pool::Id> filled(Pool &pool, std::size_t n) {
    std::vector<typename Pool::Id> ids;
    ids.reserve(n);
    for (std::size_t i = 0; i < n; i++) {
        ids.push_back(pool.add(made(i)));
    }
    return ids;
}

template <class Pool> void pool_gets(benchmark::State &state, const Case &of) {
    Pool pool;
    std::vector<typename Pool::Id> ids = filled(pool, of.n);
    auto get = [&](std::size_t times, bench::Random random) {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < times; i++) {
            sum += hp(pool.get(ids[random.below(of.n)]));
        }
        return sum;
    };
    bench::same(state, of, get(10000, bench::Random(1)));
    for (auto _ : state) {
        benchmark::DoNotOptimize(get(1000, bench::Random(2)));
    }
}

template <class Pool> std::uint64_t pool_changes(bench::Stopwatch &watch, const Case &of) {
    Pool pool;
    std::vector<typename Pool::Id> ids = filled(pool, of.n);
    bench::Random random(3);
    std::uint64_t sum = 0;
    watch.start();
    for (std::size_t i = 0; i < 10000; i++) {
        typename Pool::Id &id = ids[random.below(of.n)];
        sum = sum * 3 + hp(pool.get(id));
        pool.remove(id);
        id = pool.add(made(i));
    }
    watch.stop();
    return sum;
}

template <class Pool> void pool_walks(benchmark::State &state, const Case &of) {
    Pool pool;
    std::vector<typename Pool::Id> ids = filled(pool, of.n);
    bench::Random random(4);
    for (std::size_t i = 0; i < of.n / 2; i++) { // half of the ids are free
        std::size_t at = random.below(ids.size());
        pool.remove(ids[at]);
        ids[at] = ids.back();
        ids.pop_back();
    }
    std::uint64_t sum = 0;
    pool.each([&](const e16 &one) { sum += static_cast<std::uint64_t>(one.hp); });
    bench::same(state, of, sum);
    for (auto _ : state) {
        pool.each([&](const e16 &one) { sum += static_cast<std::uint64_t>(one.hp); });
        benchmark::DoNotOptimize(sum);
    }
}

template <class Pool> std::uint64_t pool_fills(bench::Stopwatch &watch, const Case &of) {
    Pool pool;
    watch.start();
    std::vector<typename Pool::Id> ids = filled(pool, of.n);
    watch.stop();
    return hp(pool.get(ids[of.n / 2]));
}

template <class Table> void of_table(std::size_t n, const char *peer) {
    auto what = [=](const char *work) { return Case{"table", 16, n, work}; };
    bench::add(what("get"), peer, gets<Table>);
    bench::add_once(what("change"), peer, changes<Table>);
    bench::add(what("walk"), peer, walks<Table>);
    bench::add_once(what("fill"), peer, fills<Table>);
}

template <class Table> void in_order(std::size_t n, const char *peer) {
    of_table<Table>(n, peer);
    bench::add(Case{"table", 16, n, "next"}, peer, nexts<Table>);
}

template <class Pool> void of_pool(std::size_t n, const char *peer) {
    auto what = [=](const char *work) { return Case{"numbers", 16, n, work}; };
    bench::add(what("get"), peer, pool_gets<Pool>);
    bench::add_once(what("change"), peer, pool_changes<Pool>);
    bench::add(what("walk"), peer, pool_walks<Pool>);
    bench::add_once(what("fill"), peer, pool_fills<Pool>);
}

int register_all() {
    bench::keep_memory();
    for (std::size_t n : {std::size_t(64), std::size_t(1000), std::size_t(100000)}) {
        in_order<Bespoke>(n, "bespoke");
        in_order<Hand>(n, "hand");
        in_order<Pointers>(n, "hand-pointers");
        in_order<Judy>(n, "Judy");
        in_order<Std<std::map<std::uint32_t, e16>>>(n, "std::map");
        of_table<Std<absl::flat_hash_map<std::uint32_t, e16>>>(n, "absl::flat_hash_map");
        of_table<Std<boost::unordered_flat_map<std::uint32_t, e16>>>(n, "boost::unordered_flat_map");
        of_pool<Lowest>(n, "bespoke");
        of_pool<Latest>(n, "bespoke-latest");
        of_pool<Turns>(n, "bespoke-turns");
        of_pool<Read>(n, "bespoke-readers");
        of_pool<Stack>(n, "hand");
        of_pool<Words>(n, "hand-lowest");
        of_pool<Flags>(n, "hand-turns");
    }
    return 0;
}

const int registered = register_all();

} // namespace
