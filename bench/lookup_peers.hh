// Tables by key of libraries in C that Debian has, behind the names of those in lookup.cc: `find` is null or leads to the element.
//
// A key is an integer of 32 or 64 bits, or a std::string that outlives the table. uthash, GHashTable and Judy lead to elements that are
// allocated one by one, stb_ds and khash (as htslib has it) hold them.
#ifndef LOOKUP_PEERS_HH
#define LOOKUP_PEERS_HH

#include <cstddef>
#include <cstdint>
#include <string>

#include <Judy.h>
#include <glib.h>
#include <uthash.h>

#define STB_DS_IMPLEMENTATION
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#endif
#include <stb/stb_ds.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include "elements.h"
#include "quiet_khash.hh"

namespace {

KHASH_MAP_INIT_INT(of_32, e64)
KHASH_MAP_INIT_INT64(of_64, wide64)
KHASH_MAP_INIT_STR(of_strings, named64)

// What the key is for the library, and where it is in memory.
template <class Key> struct Held {
    using Type = Key;
    static Key of(Key key) { return key; }
    static const void *bytes(const Key &key) { return &key; }
    static std::size_t count(const Key &) { return sizeof(Key); }
};
template <> struct Held<std::string> {
    using Type = const char *;
    static const char *of(const std::string &key) { return key.c_str(); }
    static const void *bytes(const std::string &key) { return key.data(); }
    static std::size_t count(const std::string &key) { return key.size(); }
};

template <class Key, class E> class KeyedUthash {
public:
    ~KeyedUthash() {
        Entry *entry, *next;
        HASH_ITER(hh, all, entry, next) {
            HASH_DEL(all, entry);
            delete entry;
        }
    }
    E *find(const Key &key) {
        Entry *entry = entry_of(key);
        return entry == nullptr ? nullptr : &entry->element;
    }
    void add(const Key &key, std::int32_t hp) {
        auto *entry = new Entry();
        entry->key = Held<Key>::of(key);
        entry->element.hp = hp;
        const void *bytes = Held<Key>::bytes(key);
        if (sizeof(Key) <= 8) {
            bytes = &entry->key;
        }
        HASH_ADD_KEYPTR(hh, all, bytes, Held<Key>::count(key), entry);
    }
    void remove(const Key &key) {
        Entry *entry = entry_of(key);
        if (entry != nullptr) {
            HASH_DEL(all, entry);
            delete entry;
        }
    }

private:
    struct Entry {
        typename Held<Key>::Type key;
        E element;
        UT_hash_handle hh;
    };
    Entry *all = nullptr;

    Entry *entry_of(const Key &key) {
        Entry *entry;
        HASH_FIND(hh, all, Held<Key>::bytes(key), Held<Key>::count(key), entry);
        return entry;
    }
};

template <class Key, class E> class KeyedStb {
public:
    ~KeyedStb() { hmfree(map); }
    E *find(const Key &key) {
        std::ptrdiff_t at = hmgeti(map, key);
        return at < 0 ? nullptr : &map[at].value;
    }
    void add(const Key &key, std::int32_t hp) {
        E element = {};
        element.hp = hp;
        hmput(map, key, element);
    }
    void remove(const Key &key) { (void)hmdel(map, key); }

private:
    struct Entry {
        Key key;
        E value;
    };
    Entry *map = nullptr;
};

template <class E> class KeyedStb<std::string, E> {
public:
    ~KeyedStb() { shfree(map); }
    E *find(const std::string &key) {
        std::ptrdiff_t at = shgeti(map, const_cast<char *>(key.c_str()));
        return at < 0 ? nullptr : &map[at].value;
    }
    void add(const std::string &key, std::int32_t hp) {
        Entry entry = {const_cast<char *>(key.c_str()), {}};
        entry.value.hp = hp;
        shputs(map, entry);
    }
    void remove(const std::string &key) { (void)shdel(map, const_cast<char *>(key.c_str())); }

private:
    struct Entry {
        char *key;
        E value;
    };
    Entry *map = nullptr;
};

// The key of 32 bits is the pointer itself; others are in the element's allocation.
template <class Key, class E> class KeyedGlib {
public:
    ~KeyedGlib() { g_hash_table_destroy(table); }
    E *find(const Key &key) {
        auto *entry = static_cast<Entry *>(g_hash_table_lookup(table, passed(key)));
        return entry == nullptr ? nullptr : &entry->element;
    }
    void add(const Key &key, std::int32_t hp) {
        auto *entry = new Entry();
        entry->key = Held<Key>::of(key);
        entry->element.hp = hp;
        g_hash_table_insert(table, sizeof(Key) == 8 ? &entry->key : const_cast<void *>(passed(key)), entry);
    }
    void remove(const Key &key) { g_hash_table_remove(table, passed(key)); }

private:
    struct Entry {
        typename Held<Key>::Type key;
        E element;
    };
    GHashTable *table = sizeof(Key) == 4 ? made(g_direct_hash, g_direct_equal)
        : sizeof(Key) == 8               ? made(g_int64_hash, g_int64_equal)
                                         : made(g_str_hash, g_str_equal);

    static GHashTable *made(GHashFunc hash, GEqualFunc equal) {
        return g_hash_table_new_full(hash, equal, nullptr, [](void *one) { delete static_cast<Entry *>(one); });
    }
    static const void *passed(std::uint32_t key) { return GUINT_TO_POINTER(key); }
    static const void *passed(const std::uint64_t &key) { return &key; }
    static const void *passed(const std::string &key) { return key.c_str(); }
};

#define KHASH(Key, E, name)                                                                                                    \
    template <> class KeyedKhash<Key, E> {                                                                                     \
    public:                                                                                                                    \
        ~KeyedKhash() { kh_destroy(name, table); }                                                                             \
        E *find(const Key &key) {                                                                                              \
            khint_t at = kh_get(name, table, Held<Key>::of(key));                                                              \
            return at == kh_end(table) ? nullptr : &kh_val(table, at);                                                         \
        }                                                                                                                      \
        void add(const Key &key, std::int32_t hp) {                                                                            \
            int is_new;                                                                                                        \
            khint_t at = kh_put(name, table, Held<Key>::of(key), &is_new);                                                     \
            E element = {};                                                                                                    \
            element.hp = hp;                                                                                                   \
            kh_val(table, at) = element;                                                                                       \
        }                                                                                                                      \
        void remove(const Key &key) { kh_del(name, table, kh_get(name, table, Held<Key>::of(key))); }                          \
                                                                                                                               \
    private:                                                                                                                   \
        khash_t(name) *table = kh_init(name);                                                                                  \
    };

template <class Key, class E> class KeyedKhash;
KHASH(std::uint32_t, e64, of_32)
KHASH(std::uint64_t, wide64, of_64)
KHASH(std::string, named64, of_strings)

template <class Key, class E> class KeyedJudy {
public:
    ~KeyedJudy() {
        Word_t key = 0;
        for (PPvoid_t found = JudyLFirst(array, &key, PJE0); found != nullptr; found = JudyLNext(array, &key, PJE0)) {
            delete static_cast<E *>(*found);
        }
        JudyLFreeArray(&array, PJE0);
    }
    E *find(const Key &key) {
        PPvoid_t found = JudyLGet(array, static_cast<Word_t>(key), PJE0);
        return found == nullptr ? nullptr : static_cast<E *>(*found);
    }
    void add(const Key &key, std::int32_t hp) {
        auto *element = new E();
        element->hp = hp;
        *JudyLIns(&array, static_cast<Word_t>(key), PJE0) = element;
    }
    void remove(const Key &key) {
        delete find(key);
        JudyLDel(&array, static_cast<Word_t>(key), PJE0);
    }

private:
    Pvoid_t array = nullptr;
};

template <class E> class KeyedJudy<std::string, E> {
public:
    ~KeyedJudy() {
        std::uint8_t key[64] = "";
        for (PPvoid_t found = JudySLFirst(array, key, PJE0); found != nullptr; found = JudySLNext(array, key, PJE0)) {
            delete static_cast<E *>(*found);
        }
        JudySLFreeArray(&array, PJE0);
    }
    E *find(const std::string &key) {
        PPvoid_t found = JudySLGet(array, bytes(key), PJE0);
        return found == nullptr ? nullptr : static_cast<E *>(*found);
    }
    void add(const std::string &key, std::int32_t hp) {
        auto *element = new E();
        element->hp = hp;
        *JudySLIns(&array, bytes(key), PJE0) = element;
    }
    void remove(const std::string &key) {
        delete find(key);
        JudySLDel(&array, bytes(key), PJE0);
    }

private:
    Pvoid_t array = nullptr;

    static const std::uint8_t *bytes(const std::string &key) { return reinterpret_cast<const std::uint8_t *>(key.c_str()); }
};

} // namespace

#endif
