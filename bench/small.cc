// Small tables by a key, one for each of many objects: few elements, made and freed again.
//
// `life` makes a table, adds all, looks for each and frees the table; `churn` removes the oldest and adds another one; all tables lead from a
// key of 64 bits to a pointer. `chained` is what libraries in C hand-write: an array of 7 lists, and a node for each element that holds
// the key, as curl's tables of each host have it. `bespoke` begins with 4 slots.
#include "bench.hh"

#include <array>
#include <unordered_map>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <boost/unordered/unordered_flat_map.hpp>
#include <glib.h>
#include <uthash.h>

#include "quiet_khash.hh"
#include "small.h"

namespace {

using bench::Case;

KHASH_MAP_INIT_INT64(small_64, wide64 *)

class Bespoke {
public:
    Bespoke() = default;
    Bespoke(const Bespoke &) = delete;
    Bespoke &operator=(const Bespoke &) = delete;
    ~Bespoke() { small_table_deinit(&list); }
    void add(wide64 *one) {
        if (small_table_add(&list, one) != SMALL_TABLE_OK) {
            bench::out_of_memory();
        }
    }
    wide64 *find(std::uint64_t key) { return small_table_find(&list, key); }
    void remove(std::uint64_t key) { (void)small_table_remove_key(&list, key); }

private:
    small_table list = {};
};

#if defined(__GNUC__)
#define OF_A_LIBRARY __attribute__((noinline)) // its functions are in another file
#else
#define OF_A_LIBRARY
#endif

// Hand-written: a remainder leads to a list of nodes. An add looks whether the key is in.
class Chained {
public:
    Chained() = default;
    Chained(const Chained &) = delete;
    Chained &operator=(const Chained &) = delete;
    ~Chained() {
        for (std::size_t i = 0; lists != nullptr && i < slots; i++) {
            for (Node *node = lists[i], *next; node != nullptr; node = next) {
                next = node->next;
                std::free(node);
            }
        }
        std::free(lists);
    }
    OF_A_LIBRARY void add(wide64 *one) {
        if (find(one->key) != nullptr) {
            return;
        }
        if (lists == nullptr) {
            lists = static_cast<Node **>(std::calloc(slots, sizeof *lists));
        }
        Node *node = static_cast<Node *>(std::malloc(sizeof *node));
        if (lists == nullptr || node == nullptr) {
            bench::out_of_memory();
        }
        Node **list = &lists[hash(one->key) % slots];
        *node = {*list, one->key, one};
        *list = node;
    }
    OF_A_LIBRARY wide64 *find(std::uint64_t key) const {
        for (Node *node = lists == nullptr ? nullptr : lists[hash(key) % slots]; node != nullptr; node = node->next) {
            if (node->key == key) {
                return node->value;
            }
        }
        return nullptr;
    }
    OF_A_LIBRARY void remove(std::uint64_t key) {
        for (Node **at = &lists[hash(key) % slots]; *at != nullptr; at = &(*at)->next) {
            if ((*at)->key == key) {
                Node *node = *at;
                *at = node->next;
                std::free(node);
                return;
            }
        }
    }

private:
    struct Node {
        Node *next;
        std::uint64_t key;
        wide64 *value;
    };
    static constexpr std::size_t slots = 7;
    static std::uint64_t hash(std::uint64_t key) { return key ^ key >> 32; }
    Node **lists = nullptr;
};

template <class Map> class Mapped {
public:
    void add(wide64 *one) { map.emplace(one->key, one); }
    wide64 *find(std::uint64_t key) const {
        auto found = map.find(key);
        return found == map.end() ? nullptr : found->second;
    }
    void remove(std::uint64_t key) { map.erase(key); }

private:
    Map map;
};

class Khash {
public:
    Khash() = default;
    Khash(const Khash &) = delete;
    Khash &operator=(const Khash &) = delete;
    ~Khash() { kh_destroy(small_64, map); }
    void add(wide64 *one) {
        int added;
        khint_t at = kh_put(small_64, map, one->key, &added);
        kh_val(map, at) = one;
    }
    wide64 *find(std::uint64_t key) const {
        khint_t at = kh_get(small_64, map, key);
        return at == kh_end(map) ? nullptr : kh_val(map, at);
    }
    void remove(std::uint64_t key) { kh_del(small_64, map, kh_get(small_64, map, key)); }

private:
    khash_t(small_64) *map = kh_init(small_64);
};

class Glib {
public:
    Glib() = default;
    Glib(const Glib &) = delete;
    Glib &operator=(const Glib &) = delete;
    ~Glib() { g_hash_table_destroy(map); }
    void add(wide64 *one) { g_hash_table_insert(map, &one->key, one); }
    wide64 *find(std::uint64_t key) const { return static_cast<wide64 *>(g_hash_table_lookup(map, &key)); }
    void remove(std::uint64_t key) { g_hash_table_remove(map, &key); }

private:
    GHashTable *map = g_hash_table_new(g_int64_hash, g_int64_equal);
};

class Uthash {
public:
    Uthash() = default;
    Uthash(const Uthash &) = delete;
    Uthash &operator=(const Uthash &) = delete;
    ~Uthash() {
        Entry *entry, *next;
        HASH_ITER(hh, all, entry, next) {
            HASH_DEL(all, entry);
            delete entry;
        }
    }
    void add(wide64 *one) {
        auto *entry = new Entry();
        *entry = {one->key, one, {}};
        HASH_ADD(hh, all, key, sizeof entry->key, entry);
    }
    wide64 *find(std::uint64_t key) const {
        Entry *entry;
        HASH_FIND(hh, all, &key, sizeof key, entry);
        return entry == nullptr ? nullptr : entry->value;
    }
    void remove(std::uint64_t key) {
        Entry *entry;
        HASH_FIND(hh, all, &key, sizeof key, entry);
        HASH_DEL(all, entry);
        delete entry;
    }

private:
    struct Entry {
        std::uint64_t key;
        wide64 *value;
        UT_hash_handle hh;
    };
    Entry *all = nullptr;
};

// What is in the tables: twice as many as there are in one at a time, with keys that are spread.
std::vector<wide64> elements(std::size_t n) {
    std::vector<wide64> all(2 * n);
    bench::Random random(n);

    for (wide64 &one : all) {
        one = {};
        one.key = random.next();
        one.hp = static_cast<std::int32_t>(random.below(1000));
    }
    return all;
}

template <class Table> void life(benchmark::State &state, const Case &of) {
    std::vector<wide64> all = elements(of.n);
    std::uint32_t sum = 0;

    for (auto _ : state) {
        Table table;
        sum = 0;
        for (std::size_t i = 0; i < of.n; i++) {
            table.add(&all[i]);
        }
        for (std::size_t i = 0; i < of.n; i++) {
            sum += static_cast<std::uint32_t>(table.find(all[i].key)->hp);
        }
        benchmark::DoNotOptimize(sum);
    }
    bench::same(state, of, sum);
}

template <class Table> void churn(benchmark::State &state, const Case &of) {
    std::vector<wide64> all = elements(of.n);
    std::size_t oldest = 0, next = of.n, found = 0;
    Table table;

    for (std::size_t i = 0; i < of.n; i++) {
        table.add(&all[i]);
    }
    for (auto _ : state) {
        table.remove(all[oldest].key);
        table.add(&all[next]);
        oldest = oldest + 1 < all.size() ? oldest + 1 : 0;
        next = next + 1 < all.size() ? next + 1 : 0;
    }
    for (wide64 &one : all) {
        found += table.find(one.key) != nullptr;
    }
    bench::same(state, of, found);
}

template <class Table> void register_peer(const char *peer) {
    for (std::size_t n : {1, 4, 12}) {
        bench::add({"small", 8, n, "life"}, peer, life<Table>);
        bench::add({"small", 8, n, "churn"}, peer, churn<Table>);
    }
}

[[maybe_unused]] const bool registered = [] {
    register_peer<Bespoke>("bespoke");
    register_peer<Chained>("chained");
    register_peer<Khash>("khash");
    register_peer<Uthash>("uthash");
    register_peer<Glib>("GHashTable");
    register_peer<Mapped<std::unordered_map<std::uint64_t, wide64 *>>>("std::unordered_map");
    register_peer<Mapped<absl::flat_hash_map<std::uint64_t, wide64 *>>>("absl::flat_hash_map");
    register_peer<Mapped<boost::unordered_flat_map<std::uint64_t, wide64 *>>>("boost::unordered_flat_map");
    return true;
}();

} // namespace
