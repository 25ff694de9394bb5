// An element is found: by its handle, by its key, or by its address, in no order.
//
// In the cases with handles every other element was removed once, and the room filled again, so that generations differ. `handle` are
// handles of slots, `handle16` those of 16 and 16 bits, `mapped` and `mapped16` those that a table leads from, to elements side by
// side. `key` finds half of what it looks for; `sorted` is the same in a sorted container. `address` asks whether an element is in.
// `hit` finds all, `miss` nothing, `churn` removes by key and adds again, `build` adds all to a table that grows, `load` those that lie ready: by keys of
// 32 or 64 bits, or strings; `bespoke-fast` hashes these with `hashing: fast`.

#include "bench.hh"

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <boost/multi_index/hashed_index.hpp>
#include <boost/multi_index/member.hpp>
#include <boost/multi_index_container.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include "lookup_peers.hh"

#include "lookup.h"

namespace {

using bench::Case;

template <class Element> Element numbered(std::uint32_t number) {
    Element one = {};
    one.id = number;
    one.hp = static_cast<std::int32_t>(number % 1000);
    return one;
}

// What is looked for, in which order: each number below n once, shuffled.
std::vector<std::uint32_t> shuffled(std::size_t n) {
    std::vector<std::uint32_t> order(n);
    bench::Random random(n);

    for (std::size_t i = 0; i < n; i++) {
        order[i] = static_cast<std::uint32_t>(i);
    }
    for (std::size_t i = n; i > 1; i--) {
        std::swap(order[i - 1], order[random.below(i)]);
    }
    return order;
}

// Measures one look at everything in `wanted`; `find` gives the address of an element, or null.
template <class Wanted, class Find> void measure(benchmark::State &state, const Case &of, const Wanted &wanted, Find find) {
    std::uint32_t sum = 0;
    for (auto _ : state) {
        sum = 0;
        for (const auto &one : wanted) {
            if (auto *found = find(one)) {
                sum += static_cast<std::uint32_t>(found->hp);
            }
        }
        benchmark::DoNotOptimize(sum);
    }
    bench::same(state, of, sum);
}

// -- by handle --------------------------------------------------------------------------------------------------------------------

#define BESPOKE_HANDLES(T, TT, E)                                                                                              \
    void handles_##T(benchmark::State &state, const Case &of) {                                                                \
        T list = {};                                                                                                           \
        std::vector<T##_handle> given(of.n);                                                                                   \
        auto add = [&](std::size_t i) {                                                                                        \
            if (T##_add(&list, numbered<E>(static_cast<std::uint32_t>(i))) != TT##_OK) {                                       \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
        };                                                                                                                     \
        for (std::size_t i = 0; i < of.n; i++) {                                                                               \
            add(i);                                                                                                            \
        }                                                                                                                      \
        TT##_EACH(&list, one) {                                                                                                \
            given[one->id] = T##_handle_of(&list, one);                                                                        \
        }                                                                                                                      \
        for (std::size_t i = 0; i < of.n; i += 2) {                                                                            \
            (void)T##_remove(&list, given[i]);                                                                                 \
        }                                                                                                                      \
        for (std::size_t i = 0; i < of.n; i += 2) {                                                                            \
            add(i);                                                                                                            \
        }                                                                                                                      \
        TT##_EACH(&list, one) {                                                                                                \
            given[one->id] = T##_handle_of(&list, one);                                                                        \
        }                                                                                                                      \
        std::vector<T##_handle> wanted;                                                                                        \
        for (std::uint32_t number : shuffled(of.n)) {                                                                          \
            wanted.push_back(given[number]);                                                                                   \
        }                                                                                                                      \
        measure(state, of, wanted, [&list](T##_handle handle) { return T##_get(&list, handle); });                            \
        T##_deinit(&list);                                                                                                     \
    }

BESPOKE_HANDLES(slot_pool, SLOT_POOL, e64)
BESPOKE_HANDLES(slots_16, SLOTS_16, e16)
BESPOKE_HANDLES(slots_256, SLOTS_256, e256)
BESPOKE_HANDLES(chunked_slots, CHUNKED_SLOTS, e64)
BESPOKE_HANDLES(narrow_slots, NARROW_SLOTS, e64)
BESPOKE_HANDLES(id_pool, ID_POOL, e64)
BESPOKE_HANDLES(narrow_ids, NARROW_IDS, e64)

template <class Number> struct Handle {
    Number index;
    Number generation;
};

// By hand: an array, and the generation of each place. Nothing else is looked at, not even whether the place exists.
template <class Element, class Number> void hand_slots(benchmark::State &state, const Case &of) {
    std::vector<Element> items;
    std::vector<Number> generations;
    for (std::size_t i = 0; i < of.n; i++) {
        items.push_back(numbered<Element>(static_cast<std::uint32_t>(i)));
        generations.push_back(i % 2 == 0 ? 2 : 1);
    }
    std::vector<Handle<Number>> wanted;
    for (std::uint32_t number : shuffled(of.n)) {
        wanted.push_back({static_cast<Number>(number), generations[number]});
    }
    Element *items_ = items.data();
    Number *generations_ = generations.data();
    benchmark::DoNotOptimize(items_);
    benchmark::DoNotOptimize(generations_);
    measure(state, of, wanted, [=](Handle<Number> handle) {
        return generations_[handle.index] == handle.generation ? &items_[handle.index] : nullptr;
    });
}

// The same with a table from the handle to the element's place; the generation lies beside the place.
template <class Element, class Number> void hand_mapped(benchmark::State &state, const Case &of) {
    struct Place {
        Number place;
        Number generation;
    };
    std::vector<Element> items;
    std::vector<Place> places(of.n);
    for (std::uint32_t number = 0; number < of.n; number++) {
        places[number] = {static_cast<Number>(number), static_cast<Number>(number % 2 == 0 ? 2 : 1)};
        items.push_back(numbered<Element>(number));
    }
    std::vector<Handle<Number>> wanted;
    for (std::uint32_t number : shuffled(of.n)) {
        wanted.push_back({static_cast<Number>(number), places[number].generation});
    }
    Element *items_ = items.data();
    Place *places_ = places.data();
    benchmark::DoNotOptimize(items_);
    benchmark::DoNotOptimize(places_);
    measure(state, of, wanted, [=](Handle<Number> handle) {
        const Place &place = places_[handle.index];
        return place.generation == handle.generation ? &items_[place.place] : nullptr;
    });
}

// -- by key -----------------------------------------------------------------------------------------------------------------------

// Where the answer decides a branch, so much is asked for in a round that no processor knows the answers by heart.
constexpr std::size_t unlearned = 65536;

// Keys that say nothing of each other; half of those that are looked for are in.
struct Keys {
    explicit Keys(std::size_t n) {
        bench::Random random(n + 1);
        std::unordered_set<std::uint32_t> seen;
        std::vector<std::uint32_t> all;

        while (all.size() < 2 * n) {
            auto key = static_cast<std::uint32_t>(random.next());
            if (key < 0xfffffffeu && seen.insert(key).second) {
                all.push_back(key);
            }
        }
        in.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
        for (std::size_t i = 0; i < std::max(n, unlearned); i++) {
            wanted.push_back(all[random.below(2 * n)]);
        }
    }

    std::vector<std::uint32_t> in;
    std::vector<std::uint32_t> wanted;
};

void bespoke_keyed(benchmark::State &state, const Case &of) {
    Keys keys(of.n);
    keyed list = {};
    for (std::uint32_t key : keys.in) {
        if (keyed_add(&list, numbered<e64>(key)) != KEYED_OK) {
            bench::out_of_memory();
        }
    }
    measure(state, of, keys.wanted, [&list](std::uint32_t key) { return keyed_find(&list, key); });
    keyed_deinit(&list);
}

template <class Map> void map_keyed(benchmark::State &state, const Case &of) {
    Keys keys(of.n);
    Map map;
    for (std::uint32_t key : keys.in) {
        map.emplace(key, numbered<e64>(key));
    }
    measure(state, of, keys.wanted, [&map](std::uint32_t key) {
        auto found = map.find(key);
        return found == map.end() ? nullptr : &found->second;
    });
}

void multi_index_keyed(benchmark::State &state, const Case &of) {
    using namespace boost::multi_index;
    Keys keys(of.n);
    multi_index_container<e64, indexed_by<hashed_unique<member<e64, std::uint32_t, &e64::id>>>> all;
    for (std::uint32_t key : keys.in) {
        all.insert(numbered<e64>(key));
    }
    measure(state, of, keys.wanted, [&all](std::uint32_t key) {
        auto found = all.find(key);
        return found == all.end() ? nullptr : &*found;
    });
}

void uthash_keyed(benchmark::State &state, const Case &of) {
    struct Entry {
        e64 element;
        UT_hash_handle hh;
    };
    Keys keys(of.n);
    std::vector<Entry> entries(of.n);
    Entry *all = nullptr;
    for (std::size_t i = 0; i < of.n; i++) {
        Entry *entry = &entries[i];
        entry->element = numbered<e64>(keys.in[i]);
        HASH_ADD_INT(all, element.id, entry);
    }
    measure(state, of, keys.wanted, [&all](std::uint32_t key) {
        Entry *entry;
        HASH_FIND_INT(all, &key, entry);
        return entry == nullptr ? nullptr : &entry->element;
    });
    HASH_CLEAR(hh, all);
}

void stb_keyed(benchmark::State &state, const Case &of) {
    struct Entry {
        std::uint32_t key;
        e64 value;
    };
    Keys keys(of.n);
    Entry *map = nullptr;
    for (std::uint32_t key : keys.in) {
        hmput(map, key, numbered<e64>(key));
    }
    measure(state, of, keys.wanted, [&map](std::uint32_t key) {
        std::ptrdiff_t at = hmgeti(map, key);
        return at < 0 ? nullptr : &map[at].value;
    });
    hmfree(map);
}

void glib_keyed(benchmark::State &state, const Case &of) {
    Keys keys(of.n);
    std::vector<e64> elements;
    elements.reserve(of.n);
    GHashTable *table = g_hash_table_new(g_direct_hash, g_direct_equal);
    for (std::uint32_t key : keys.in) {
        elements.push_back(numbered<e64>(key));
        g_hash_table_insert(table, GUINT_TO_POINTER(key), &elements.back());
    }
    measure(state, of, keys.wanted,
            [table](std::uint32_t key) { return static_cast<e64 *>(g_hash_table_lookup(table, GUINT_TO_POINTER(key))); });
    g_hash_table_destroy(table);
}

// -- by key, one question at a time --------------------------------------------------------------------------------------------------

// Keys of one kind: integers of 32 or 64 bits, or strings of 10 to 33 characters, which say nothing of each other.
template <class Key> Key key_of(std::uint64_t random) {
    return static_cast<Key>(random);
}
template <> std::string key_of<std::string>(std::uint64_t random) {
    char text[48];
    int length = std::snprintf(text, sizeof text, "%016llx/mesh-of-a-ship", static_cast<unsigned long long>(random));
    return std::string(text).substr(0, std::min(static_cast<std::size_t>(length), 10 + random % 24));
}

// Of few keys it is luck whether two of them meet: so many sets of n are looked at, one behind the other, in one round.
std::size_t sets_of(std::size_t n) {
    return std::min(std::size_t(16), std::max(std::size_t(1), 8192 / n));
}

// n keys that are in and n that are not.
template <class Key> struct Apart {
    explicit Apart(std::size_t n, std::size_t set = 0) {
        bench::Random random(n + 1 + (static_cast<std::uint64_t>(set) << 32));
        std::unordered_set<Key> seen;

        while (in.size() < n || out.size() < n) {
            Key key = key_of<Key>(random.next());
            if (seen.insert(key).second) {
                (in.size() < n ? in : out).push_back(key);
            }
        }
    }
    // Of these, so many that no processor knows those of all sets by heart, in no order.
    static std::vector<Key> drawn(const std::vector<Key> &from) {
        std::vector<Key> wanted;
        bench::Random random(from.size());
        for (std::size_t i = 0; i < std::max(from.size(), unlearned / sets_of(from.size())); i++) {
            wanted.push_back(from[random.below(from.size())]);
        }
        return wanted;
    }

    std::vector<Key> in, out;
};

// What is generated, behind the same names. `find` is null or leads to the element.
#define BESPOKE_KEYED(Name, Key, E, T, TT, made, passed)                                                                       \
    class Name {                                                                                                               \
    public:                                                                                                                    \
        ~Name() { T##_deinit(&list); }                                                                                         \
        E *find(const Key &key) { return T##_find(&list, passed); }                                                            \
        void add(const Key &key, std::int32_t hp) {                                                                            \
            E element = {};                                                                                                    \
            made;                                                                                                              \
            element.hp = hp;                                                                                                   \
            if (T##_add(&list, element) != TT##_OK) {                                                                          \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
        }                                                                                                                      \
        void put(const Key &, const E &element) {                                                                              \
            if (T##_add(&list, element) != TT##_OK) {                                                                          \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
        }                                                                                                                      \
        void remove(const Key &key) { (void)T##_remove_key(&list, passed); }                                                   \
                                                                                                                               \
    private:                                                                                                                   \
        T list = {};                                                                                                           \
    };

BESPOKE_KEYED(Keyed32, std::uint32_t, e64, keyed, KEYED, element.id = key, key)
BESPOKE_KEYED(Keyed64, std::uint64_t, wide64, keyed_wide, KEYED_WIDE, element.key = key, key)
BESPOKE_KEYED(KeyedString, std::string, named64, keyed_by_name, KEYED_BY_NAME, element.name = key.c_str(), key.c_str())
BESPOKE_KEYED(KeyedFast, std::string, named64, keyed_fast, KEYED_FAST, element.name = key.c_str(), key.c_str())

template <class Map, class Key, class E> class KeyedMap {
public:
    E *find(const Key &key) {
        auto found = map.find(key);
        return found == map.end() ? nullptr : &found->second;
    }
    void add(const Key &key, std::int32_t hp) {
        E element = {};
        element.hp = hp;
        map.emplace(key, element);
    }
    void put(const Key &key, const E &element) { map.emplace(key, element); }
    void remove(const Key &key) { map.erase(key); }

private:
    Map map;
};

template <class Key, class Table> void fill(Table &table, const std::vector<Key> &keys) {
    std::int32_t number = 0;
    for (const Key &key : keys) {
        table.add(key, number++ % 1000);
    }
}

// A table of each set of keys, and what is looked for in it.
template <class Key, class Table> struct Filled {
    Filled(const Case &of, std::size_t set, bool in) : keys(of.n, set), wanted(keys.drawn(in ? keys.in : keys.out)) {
        fill(table, keys.in);
    }
    Apart<Key> keys;
    std::vector<Key> wanted;
    Table table;
};

template <class Key, class Table> std::vector<std::unique_ptr<Filled<Key, Table>>> filled(const Case &of, bool in = true) {
    std::vector<std::unique_ptr<Filled<Key, Table>>> all;
    for (std::size_t set = 0; set < sets_of(of.n); set++) {
        all.push_back(std::make_unique<Filled<Key, Table>>(of, set, in));
    }
    return all;
}

// Everything that is looked for is in, or nothing.
template <class Key, class Table, bool in> void asked(benchmark::State &state, const Case &of) {
    auto all = filled<Key, Table>(of, in);
    std::uint32_t sum = 0;
    for (auto _ : state) {
        sum = 0;
        for (auto &one : all) {
            Table &table = one->table;
            for (const Key &key : one->wanted) {
                if (auto *found = table.find(key)) {
                    sum += static_cast<std::uint32_t>(found->hp);
                }
            }
        }
        benchmark::DoNotOptimize(sum);
    }
    bench::same(state, of, sum);
}

// One leaves, by its key, and comes again.
template <class Key, class Table> void churned(benchmark::State &state, const Case &of) {
    auto all = filled<Key, Table>(of);
    bool found = true;
    for (auto _ : state) {
        for (auto &one : all) {
            Table &table = one->table;
            for (const Key &key : one->wanted) {
                table.remove(key);
                table.add(key, 1);
            }
        }
    }
    for (auto &one : all) {
        found = found && one->table.find(one->keys.in[0]) != nullptr && one->table.find(one->keys.out[0]) == nullptr;
    }
    bench::same(state, of, found);
}

// All sets of keys for tables that are built.
template <class Key> std::vector<Apart<Key>> all_of(std::size_t n) {
    std::vector<Apart<Key>> all;
    for (std::size_t set = 0; set < sets_of(n); set++) {
        all.emplace_back(n, set);
    }
    return all;
}

// All are added to a table that grows, which is then freed.
template <class Key, class Table> void built(benchmark::State &state, const Case &of) {
    auto all = all_of<Key>(of.n);
    bool found = true;
    bench::keep_memory();
    for (auto _ : state) {
        for (const Apart<Key> &keys : all) {
            Table table;
            fill(table, keys.in);
            found = found && table.find(keys.in[0]) != nullptr;
        }
    }
    bench::same(state, of, found);
}

void set_key(e64 &element, std::uint32_t key) { element.id = key; }
void set_key(wide64 &element, std::uint64_t key) { element.key = key; }
void set_key(named64 &element, const std::string &key) { element.name = key.c_str(); }

// The same of elements that lie ready. Those of `build` are written member by member right before they are copied, which a processor waits for.
template <class Key, class E, class Table> void loaded(benchmark::State &state, const Case &of) {
    auto all = all_of<Key>(of.n);
    std::vector<std::vector<E>> ready;
    bool found = true;
    for (const Apart<Key> &keys : all) {
        ready.emplace_back(of.n);
        for (std::size_t i = 0; i < of.n; i++) {
            set_key(ready.back()[i], keys.in[i]);
        }
    }
    bench::keep_memory();
    for (auto _ : state) {
        for (std::size_t set = 0; set < all.size(); set++) {
            Table table;
            for (std::size_t i = 0; i < of.n; i++) {
                table.put(all[set].in[i], ready[set][i]);
            }
            found = found && table.find(all[set].in[0]) != nullptr;
        }
    }
    bench::same(state, of, found);
}

template <class Key, class E, class Table> void add_loaded(std::size_t n, const std::string &kind, const char *peer) {
    bench::add({"lookup", 64, n, "load" + kind}, peer, loaded<Key, E, Table>);
}

template <class Key, class Table> void add_keyed(std::size_t n, const std::string &kind, const char *peer) {
    bench::add({"lookup", 64, n, "hit" + kind}, peer, asked<Key, Table, true>);
    bench::add({"lookup", 64, n, "miss" + kind}, peer, asked<Key, Table, false>);
    bench::add({"lookup", 64, n, "churn" + kind}, peer, churned<Key, Table>);
    bench::add({"lookup", 64, n, "build" + kind}, peer, built<Key, Table>);
}

template <class Key, class Ours, class E> void add_kind(std::size_t n, const std::string &kind) {
    add_keyed<Key, Ours>(n, kind, "bespoke");
    add_loaded<Key, E, Ours>(n, kind, "bespoke");
    add_loaded<Key, E, KeyedMap<boost::unordered_flat_map<Key, E>, Key, E>>(n, kind, "boost::unordered_flat_map");
    add_loaded<Key, E, KeyedMap<absl::flat_hash_map<Key, E>, Key, E>>(n, kind, "absl::flat_hash_map");
    add_keyed<Key, KeyedUthash<Key, E>>(n, kind, "uthash");
    add_keyed<Key, KeyedStb<Key, E>>(n, kind, "stb_ds");
    add_keyed<Key, KeyedGlib<Key, E>>(n, kind, "GHashTable");
    add_keyed<Key, KeyedKhash<Key, E>>(n, kind, "khash");
    add_keyed<Key, KeyedJudy<Key, E>>(n, kind, "Judy");
    add_keyed<Key, KeyedMap<boost::unordered_flat_map<Key, E>, Key, E>>(n, kind, "boost::unordered_flat_map");
    add_keyed<Key, KeyedMap<absl::flat_hash_map<Key, E>, Key, E>>(n, kind, "absl::flat_hash_map");
}

// Asked with an element that has the key, as the peer is.
void bespoke_sorted(benchmark::State &state, const Case &of) {
    Keys keys(of.n);
    sorted_by_id list = {};
    std::sort(keys.in.begin(), keys.in.end());
    for (std::uint32_t key : keys.in) {
        if (sorted_by_id_add(&list, numbered<e64>(key)) != SORTED_BY_ID_OK) {
            bench::out_of_memory();
        }
    }
    e64 probe = {};
    probe.hp = 1;
    measure(state, of, keys.wanted, [&](std::uint32_t key) {
        probe.id = key;
        return sorted_by_id_contains(&list, &probe) ? &probe : nullptr;
    });
    sorted_by_id_deinit(&list);
}

void vector_sorted(benchmark::State &state, const Case &of) {
    Keys keys(of.n);
    std::vector<e64> list;
    std::sort(keys.in.begin(), keys.in.end());
    for (std::uint32_t key : keys.in) {
        list.push_back(numbered<e64>(key));
    }
    e64 probe = {};
    probe.hp = 1;
    measure(state, of, keys.wanted, [&](std::uint32_t key) {
        auto found = std::lower_bound(list.begin(), list.end(), key, [](const e64 &one, std::uint32_t of) { return one.id < of; });
        return found != list.end() && found->id == key ? &probe : nullptr;
    });
}

// -- by address -------------------------------------------------------------------------------------------------------------------

// Every other object is in; asked for are all, in no order.
template <class Object, class List> void addresses(benchmark::State &state, const Case &of) {
    std::vector<Object> objects(2 * of.n);
    List list;
    for (std::size_t i = 0; i < objects.size(); i++) {
        objects[i] = numbered<Object>(static_cast<std::uint32_t>(i));
        if (i % 2 == 0) {
            list.add(&objects[i]);
        }
    }
    std::vector<Object *> wanted;
    bench::Random random(of.n + 1);
    for (std::size_t i = 0; i < std::max(2 * of.n, unlearned); i++) {
        wanted.push_back(&objects[random.below(2 * of.n)]);
    }
    Object in = {};
    in.hp = 1;
    measure(state, of, wanted, [&](Object *object) { return list.contains(object) ? &in : nullptr; });
}

#define BESPOKE_ADDRESSES(Name, Object, T, TT)                                                                                 \
    class Name {                                                                                                               \
    public:                                                                                                                    \
        ~Name() { T##_deinit(&list); }                                                                                         \
        bool contains(const Object *one) const { return T##_contains(&list, one); }                                            \
        void add(Object *one) {                                                                                                \
            if (T##_add(&list, one) != TT##_OK) {                                                                              \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
        }                                                                                                                      \
                                                                                                                               \
    private:                                                                                                                   \
        T list = {};                                                                                                           \
    };

BESPOKE_ADDRESSES(Pointed, placed, pointed, POINTED)
BESPOKE_ADDRESSES(PointedHashed, e64, pointed_hashed, POINTED_HASHED)

template <class Set> class SetOf {
public:
    bool contains(e64 *one) const { return set.find(one) != set.end(); }
    void add(e64 *one) { set.insert(one); }

private:
    Set set;
};

// By hand: the element knows its place, and the array says whether that is so.
class HandPlaced {
public:
    bool contains(const placed *one) const { return one->place < items.size() && items[one->place] == one; }
    void add(placed *one) {
        one->place = static_cast<std::uint32_t>(items.size());
        items.push_back(one);
    }

private:
    std::vector<placed *> items;
};

// -- all of them ------------------------------------------------------------------------------------------------------------------

int register_all() {
    for (std::size_t n : {std::size_t(16), std::size_t(1000), std::size_t(100000), std::size_t(1000000)}) {
        Case handle = {"lookup", 64, n, "handle"};
        bench::add(handle, "bespoke", handles_slot_pool);
        bench::add(handle, "bespoke-chunked", handles_chunked_slots);
        bench::add(handle, "hand", hand_slots<e64, std::uint32_t>);
        Case mapped = {"lookup", 64, n, "mapped"};
        bench::add(mapped, "bespoke", handles_id_pool);
        bench::add(mapped, "hand", hand_mapped<e64, std::uint32_t>);
        Case key = {"lookup", 64, n, "key"};
        bench::add(key, "bespoke", bespoke_keyed);
        bench::add(key, "boost::unordered_flat_map", map_keyed<boost::unordered_flat_map<std::uint32_t, e64>>);
        bench::add(key, "absl::flat_hash_map", map_keyed<absl::flat_hash_map<std::uint32_t, e64>>);
        bench::add(key, "std::unordered_map", map_keyed<std::unordered_map<std::uint32_t, e64>>);
        bench::add(key, "boost::multi_index", multi_index_keyed);
        bench::add(key, "uthash", uthash_keyed);
        bench::add(key, "stb_ds", stb_keyed);
        bench::add(key, "GHashTable", glib_keyed);
    }
    for (std::size_t n : {std::size_t(12), std::size_t(100), std::size_t(1000), std::size_t(100000), std::size_t(1000000)}) {
        add_kind<std::uint32_t, Keyed32, e64>(n, "32");
        add_kind<std::uint64_t, Keyed64, wide64>(n, "64");
        add_kind<std::string, KeyedString, named64>(n, "-string");
        add_keyed<std::string, KeyedFast>(n, "-string", "bespoke-fast");
        add_loaded<std::string, named64, KeyedFast>(n, "-string", "bespoke-fast");
    }
    Case small = {"lookup", 16, 100000, "handle"};
    bench::add(small, "bespoke", handles_slots_16);
    bench::add(small, "hand", hand_slots<e16, std::uint32_t>);
    Case large = {"lookup", 256, 100000, "handle"};
    bench::add(large, "bespoke", handles_slots_256);
    bench::add(large, "hand", hand_slots<e256, std::uint32_t>);
    for (std::size_t n : {std::size_t(1000), std::size_t(50000)}) {
        Case narrow = {"lookup", 64, n, "handle16"};
        bench::add(narrow, "bespoke", handles_narrow_slots);
        bench::add(narrow, "hand", hand_slots<e64, std::uint16_t>);
        Case mapped = {"lookup", 64, n, "mapped16"};
        bench::add(mapped, "bespoke", handles_narrow_ids);
        bench::add(mapped, "hand", hand_mapped<e64, std::uint16_t>);
    }
    for (std::size_t n : {std::size_t(1000), std::size_t(100000)}) {
        Case sorted = {"lookup", 64, n, "sorted"};
        bench::add(sorted, "bespoke", bespoke_sorted);
        bench::add(sorted, "std::lower_bound", vector_sorted);
        Case address = {"lookup", 64, n, "address"};
        bench::add(address, "bespoke-intrusive", addresses<placed, Pointed>);
        bench::add(address, "bespoke", addresses<e64, PointedHashed>);
        bench::add(address, "hand", addresses<placed, HandPlaced>);
        bench::add(address, "boost::unordered_flat_set", addresses<e64, SetOf<boost::unordered_flat_set<e64 *>>>);
        bench::add(address, "std::unordered_set", addresses<e64, SetOf<std::unordered_set<e64 *>>>);
    }
    return 0;
}

const int registered = register_all();

} // namespace
