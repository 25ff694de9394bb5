// A list in which everything is at most once, in the order in which it came: asked, added to and removed from at random.
//
// Of four operations two ask, one adds, one removes; what they name is one of 2 n things, so that the list has about n elements, and
// half of what is asked for is in. `ops` are operations alone, `iteration` is a loop over what they left, `mix` is both: n
// operations and a loop, as in a frame.

#include "bench.hh"

#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <boost/multi_index/hashed_index.hpp>
#include <boost/multi_index/identity.hpp>
#include <boost/multi_index/sequenced_index.hpp>
#include <boost/multi_index_container.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <glib.h>
#include <uthash.h>

#include "unique.h"

namespace {

using bench::Case;

// What the lists hold: numbers, or pointers to objects that are named by numbers.
struct Numbers {
    using Item = std::uint32_t;

    explicit Numbers(std::size_t) {}
    Item operator[](std::uint32_t number) { return number; }
    static std::uint32_t number(Item item) { return item; }
};

template <class Object> struct Objects {
    using Item = Object *;

    explicit Objects(std::size_t most) : all(most) {
        for (std::size_t i = 0; i < most; i++) {
            all[i].id = static_cast<std::uint32_t>(i);
        }
    }
    Item operator[](std::uint32_t number) { return &all[number]; }
    static std::uint32_t number(Item item) { return item->id; }

    std::vector<Object> all;
};

// -- the lists: all have contains, add, remove, and each in insertion order ----------------------------------------------

#define BESPOKE_NUMBERS(Name, T, TT)                                                                                           \
    class Name {                                                                                                               \
    public:                                                                                                                    \
        ~Name() { T##_deinit(&list); }                                                                                         \
        bool contains(std::uint32_t one) const { return T##_contains(&list, &one); }                                           \
        bool add(std::uint32_t one) { return T##_add(&list, one) == TT##_OK; }                                                 \
        bool remove(std::uint32_t one) { return T##_remove(&list, &one) == TT##_OK; }                                          \
        template <class Function> void each(Function function) {                                                               \
            TT##_EACH(&list, one) {                                                                                            \
                function(*one);                                                                                                \
            }                                                                                                                  \
        }                                                                                                                      \
                                                                                                                               \
    private:                                                                                                                   \
        T list = {};                                                                                                           \
    };

#define BESPOKE_OBJECTS(Name, Object, T, TT)                                                                                   \
    class Name {                                                                                                               \
    public:                                                                                                                    \
        ~Name() { T##_deinit(&list); }                                                                                         \
        bool contains(Object *one) const { return T##_contains(&list, one); }                                                  \
        bool add(Object *one) { return T##_add(&list, one) == TT##_OK; }                                                       \
        bool remove(Object *one) { return T##_remove(&list, one) == TT##_OK; }                                                 \
        template <class Function> void each(Function function) {                                                               \
            TT##_EACH(&list, one) {                                                                                            \
                function(one);                                                                                                 \
            }                                                                                                                  \
        }                                                                                                                      \
                                                                                                                               \
    private:                                                                                                                   \
        T list = {};                                                                                                           \
    };

BESPOKE_NUMBERS(Hashed, number_list, NUMBER_LIST)
BESPOKE_NUMBERS(Dense, small_number_list, SMALL_NUMBER_LIST)
BESPOKE_OBJECTS(HashedObjects, e64, object_list, OBJECT_LIST)
BESPOKE_OBJECTS(PlacedObjects, placed, placed_list, PLACED_LIST)

// A map to the nodes of a list: the way of most C++ programs.
template <class Item, class Map> class Mapped {
public:
    bool contains(Item one) const { return map.find(one) != map.end(); }
    bool add(Item one) {
        auto found = map.try_emplace(one);
        if (found.second) {
            found.first->second = list.insert(list.end(), one);
        }
        return found.second;
    }
    bool remove(Item one) {
        auto found = map.find(one);
        if (found == map.end()) {
            return false;
        }
        list.erase(found->second);
        map.erase(found);
        return true;
    }
    template <class Function> void each(Function function) {
        for (Item one : list) {
            function(one);
        }
    }

private:
    std::list<Item> list;
    Map map;
};
template <class Item> using Node = typename std::list<Item>::iterator;

template <class Item> class MultiIndex {
public:
    bool contains(Item one) const { return all.template get<1>().find(one) != all.template get<1>().end(); }
    bool add(Item one) { return all.push_back(one).second; }
    bool remove(Item one) { return all.template get<1>().erase(one) != 0; }
    template <class Function> void each(Function function) {
        for (Item one : all) {
            function(one);
        }
    }

private:
    boost::multi_index_container<
        Item, boost::multi_index::indexed_by<boost::multi_index::sequenced<>,
                                             boost::multi_index::hashed_unique<boost::multi_index::identity<Item>>>>
        all;
};

// It keeps the insertion order by itself.
class Uthash {
public:
    ~Uthash() {
        Entry *entry;
        Entry *next;

        HASH_ITER(hh, all, entry, next) {
            HASH_DEL(all, entry);
            std::free(entry);
        }
    }
    bool contains(std::uint32_t one) const { return find(one) != nullptr; }
    bool add(std::uint32_t one) {
        Entry *entry = find(one);
        if (entry != nullptr) {
            return false;
        }
        entry = static_cast<Entry *>(std::malloc(sizeof *entry));
        if (entry == nullptr) {
            bench::out_of_memory();
        }
        entry->key = one;
        HASH_ADD_INT(all, key, entry);
        return true;
    }
    bool remove(std::uint32_t one) {
        Entry *entry = find(one);
        if (entry == nullptr) {
            return false;
        }
        HASH_DEL(all, entry);
        std::free(entry);
        return true;
    }
    template <class Function> void each(Function function) {
        for (Entry *entry = all; entry != nullptr; entry = static_cast<Entry *>(entry->hh.next)) {
            function(entry->key);
        }
    }

private:
    struct Entry {
        std::uint32_t key;
        UT_hash_handle hh;
    };
    Entry *find(std::uint32_t one) const {
        Entry *entry;
        HASH_FIND_INT(all, &one, entry);
        return entry;
    }
    Entry *all = nullptr;
};

class Glib {
public:
    ~Glib() {
        g_hash_table_destroy(table);
        g_queue_clear(&queue);
    }
    bool contains(std::uint32_t one) const { return g_hash_table_contains(table, GUINT_TO_POINTER(one)) != FALSE; }
    bool add(std::uint32_t one) {
        if (contains(one)) {
            return false;
        }
        g_queue_push_tail(&queue, GUINT_TO_POINTER(one));
        g_hash_table_insert(table, GUINT_TO_POINTER(one), queue.tail);
        return true;
    }
    bool remove(std::uint32_t one) {
        gpointer link = g_hash_table_lookup(table, GUINT_TO_POINTER(one));
        if (link == nullptr) {
            return false;
        }
        g_hash_table_remove(table, GUINT_TO_POINTER(one));
        g_queue_delete_link(&queue, static_cast<GList *>(link));
        return true;
    }
    template <class Function> void each(Function function) {
        for (GList *link = queue.head; link != nullptr; link = link->next) {
            function(GPOINTER_TO_UINT(link->data));
        }
    }

private:
    GHashTable *table = g_hash_table_new(g_direct_hash, g_direct_equal);
    GQueue queue = G_QUEUE_INIT;
};

// By hand: numbers in an array, a bit for each that is alive, a table of numbers and places. When a quarter of the places are dead,
// they are squeezed out and the table is made anew.
class Hand {
public:
    ~Hand() {
        std::free(items);
        std::free(alive);
        std::free(table);
    }
    bool contains(std::uint32_t one) const { return capacity != 0 && table[where(one)].place != 0; }
    bool add(std::uint32_t one) {
        if (used == capacity) {
            make_room();
        }
        std::size_t at = where(one);
        if (table[at].place != 0) {
            return false;
        }
        table[at].number = one;
        table[at].place = static_cast<std::uint32_t>(used + 1);
        items[used] = one;
        alive[used / 64] |= std::uint64_t(1) << used % 64;
        used++;
        count++;
        return true;
    }
    bool remove(std::uint32_t one) {
        if (capacity == 0) {
            return false;
        }
        std::size_t hole = where(one);
        if (table[hole].place == 0) {
            return false;
        }
        std::size_t place = table[hole].place - 1;
        alive[place / 64] &= ~(std::uint64_t(1) << place % 64);
        count--;
        for (std::size_t at = (hole + 1) & mask; table[at].place != 0; at = (at + 1) & mask) {
            if (((at - home(table[at].number)) & mask) >= ((at - hole) & mask)) {
                table[hole] = table[at];
                hole = at;
            }
        }
        table[hole].place = 0;
        if (used - count > used / 4) {
            squeeze();
            renumber();
        }
        return true;
    }
    template <class Function> void each(Function function) {
        for (std::size_t word = 0; word < (used + 63) / 64; word++) {
            const std::uint32_t *first = items + word * 64;
            std::uint64_t bits = alive[word];
            if (bits == ~std::uint64_t(0)) {
                for (std::size_t i = 0; i < 64; i++) {
                    function(first[i]);
                }
            }
            else {
                for (; bits != 0; bits &= bits - 1) {
                    function(first[__builtin_ctzll(bits)]);
                }
            }
        }
    }

private:
    struct Entry {
        std::uint32_t number;
        std::uint32_t place; // plus one; 0: none
    };

    std::size_t home(std::uint32_t one) const { return static_cast<std::size_t>((one * 0x9e3779b97f4a7c15u) >> shift); }
    // Where the number is, or could be.
    std::size_t where(std::uint32_t one) const {
        std::size_t at = home(one);
        while (table[at].place != 0 && table[at].number != one) {
            at = (at + 1) & mask;
        }
        return at;
    }
    void squeeze() {
        std::size_t to = 0;
        for (std::size_t word = 0; word < (used + 63) / 64; word++) {
            for (std::uint64_t bits = alive[word]; bits != 0; bits &= bits - 1) {
                items[to++] = items[word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits))];
            }
        }
        used = to;
        std::memset(alive, 0, capacity / 64 * sizeof *alive);
        std::memset(alive, 0xff, used / 64 * sizeof *alive);
        if (used % 64 != 0) {
            alive[used / 64] = (std::uint64_t(1) << used % 64) - 1;
        }
    }
    void renumber() {
        std::memset(table, 0, (mask + 1) * sizeof *table);
        for (std::size_t place = 0; place < used; place++) {
            std::size_t at = where(items[place]);
            table[at].number = items[place];
            table[at].place = static_cast<std::uint32_t>(place + 1);
        }
    }
    void make_room() {
        if (count < used) {
            squeeze();
        }
        if (used == capacity) {
            std::size_t before = capacity;
            capacity = capacity == 0 ? 64 : capacity * 2;
            items = static_cast<std::uint32_t *>(std::realloc(items, capacity * sizeof *items));
            alive = static_cast<std::uint64_t *>(std::realloc(alive, capacity / 64 * sizeof *alive));
            std::free(table);
            for (mask = 15, shift = 60; mask - mask / 3 < capacity; mask = mask * 2 + 1) {
                shift--;
            }
            table = static_cast<Entry *>(std::malloc((mask + 1) * sizeof *table));
            if (items == nullptr || alive == nullptr || table == nullptr) {
                bench::out_of_memory();
            }
            std::memset(alive + before / 64, 0, (capacity - before) / 64 * sizeof *alive);
        }
        renumber();
    }

    std::uint32_t *items = nullptr;
    std::uint64_t *alive = nullptr;
    Entry *table = nullptr;
    std::size_t mask = 0;
    int shift = 60;
    std::size_t used = 0;
    std::size_t count = 0;
    std::size_t capacity = 0;
};

// -- what is measured -------------------------------------------------------------------------------------------------------------

// A list at work: it goes on with the same operations over and over, so that what is built once is measured often.
template <class Things, class List> class Work {
public:
    explicit Work(std::size_t n) : things(2 * n), numbers(std::size_t(1) << 20) {
        bench::Random random(n);

        for (std::uint32_t &number : numbers) {
            number = random.below(2 * n);
        }
        while (count < n) {
            count += list.add(things[random.below(2 * n)]);
        }
        operate(4 * n);
        sum = results;
        list.each([this](typename Things::Item one) { sum = sum * 31 + Things::number(one); });
    }

    void operate(std::size_t operations) {
        for (; operations >= 4; operations -= 4) {
            const std::uint32_t *number = &numbers[at];
            at = (at + 4) % numbers.size();
            results += list.contains(things[number[0]]);
            results += 3u * list.add(things[number[1]]);
            results += list.contains(things[number[2]]);
            results += 7u * list.remove(things[number[3]]);
        }
        benchmark::DoNotOptimize(results);
    }

    void iterate() {
        std::uint32_t all = 0;
        list.each([&all](typename Things::Item one) { all += Things::number(one); });
        benchmark::DoNotOptimize(all);
    }

    // The list for n things; the one before it is given back.
    static Work &of(std::size_t n) {
        static std::unique_ptr<Work> work;
        static std::size_t its_n = 0;

        if (its_n != n) {
            work.reset();
            work.reset(new Work(n));
            its_n = n;
        }
        return *work;
    }

    std::uint64_t sum = 0; // of the results of the first operations, and of the elements in their order

private:
    Things things;
    std::vector<std::uint32_t> numbers;
    List list;
    std::size_t at = 0;
    std::size_t count = 0;
    std::uint64_t results = 0;
};

template <class Things, class List> void peer(int size, std::size_t n, const char *name) {
    using Mine = Work<Things, List>;

    bench::add({"unique", size, n, "ops"}, name, [](benchmark::State &state, const Case &of) {
        Mine &work = Mine::of(of.n);
        bench::same(state, of, work.sum);
        for (auto _ : state) {
            work.operate(1024);
        }
    });
    bench::add({"unique", size, n, "iteration"}, name, [](benchmark::State &state, const Case &of) {
        Mine &work = Mine::of(of.n);
        bench::same(state, of, work.sum);
        for (auto _ : state) {
            work.iterate();
        }
    });
    bench::add({"unique", size, n, "mix"}, name, [](benchmark::State &state, const Case &of) {
        Mine &work = Mine::of(of.n);
        bench::same(state, of, work.sum);
        for (auto _ : state) {
            work.operate(of.n);
            work.iterate();
        }
    });
}

template <class Item> struct Maps {
    using Boost = Mapped<Item, boost::unordered_flat_map<Item, Node<Item>>>;
    using Absl = Mapped<Item, absl::flat_hash_map<Item, Node<Item>>>;
    using Std = Mapped<Item, std::unordered_map<Item, Node<Item>>>;
};

int register_all() {
    for (std::size_t n : {std::size_t(16), std::size_t(1000), std::size_t(100000), std::size_t(1000000)}) {
        peer<Numbers, Hashed>(4, n, "bespoke");
        peer<Numbers, Dense>(4, n, "bespoke-dense");
        peer<Numbers, Hand>(4, n, "hand");
        peer<Numbers, Maps<std::uint32_t>::Boost>(4, n, "boost::unordered_flat_map+std::list");
        peer<Numbers, Maps<std::uint32_t>::Absl>(4, n, "absl::flat_hash_map+std::list");
        peer<Numbers, Maps<std::uint32_t>::Std>(4, n, "std::unordered_map+std::list");
        peer<Numbers, MultiIndex<std::uint32_t>>(4, n, "boost::multi_index");
        peer<Numbers, Uthash>(4, n, "uthash");
        peer<Numbers, Glib>(4, n, "GHashTable+GQueue");
    }
    for (std::size_t n : {std::size_t(1000), std::size_t(100000)}) {
        peer<Objects<e64>, HashedObjects>(64, n, "bespoke");
        peer<Objects<placed>, PlacedObjects>(64, n, "bespoke-intrusive");
        peer<Objects<e64>, Maps<e64 *>::Boost>(64, n, "boost::unordered_flat_map+std::list");
        peer<Objects<e64>, Maps<e64 *>::Absl>(64, n, "absl::flat_hash_map+std::list");
        peer<Objects<e64>, MultiIndex<e64 *>>(64, n, "boost::multi_index");
    }
    return 0;
}

const int registered = register_all();

} // namespace
