// Adding elements at the end, in place and by copy, and a pool whose items are taken and given back.

#include "bench.hh"

#include <vector>

#include <boost/pool/object_pool.hpp>
#include <boost/pool/pool.hpp>
#include <plf_colony.h>

#include "insert.h"

namespace {

using bench::Case;
using bench::Random;
using bench::Stopwatch;

// -- adding at the end ---------------------------------------------------------------------------------------------------------

// What one element gets. In place only these members are written; who copies in has an element with zeros besides.
template <class Element> void fill(Element &one, std::size_t number) {
    one.id = static_cast<std::uint32_t>(number);
    one.hp = 100;
    one.x = 0;
    one.vx = 1;
}
template <class Element> Element filled(std::size_t number) {
    Element one = {};
    fill(one, number);
    return one;
}

#define BESPOKE_LIST(name, NAME, element)                                                                                      \
    struct name##_list {                                                                                                       \
        typedef element Element;                                                                                               \
        name list = {};                                                                                                        \
                                                                                                                               \
        ~name##_list() { name##_deinit(&list); }                                                                               \
        void reserve(std::size_t n) {                                                                                          \
            if (name##_reserve(&list, n) != NAME##_OK) {                                                                       \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
        }                                                                                                                      \
        void in_place(std::size_t n) {                                                                                         \
            for (std::size_t i = 0; i < n; i++) {                                                                              \
                Element *one = name##_emplace(&list);                                                                          \
                if (one == NULL) {                                                                                             \
                    bench::out_of_memory();                                                                                    \
                }                                                                                                              \
                fill(*one, i);                                                                                                 \
            }                                                                                                                  \
        }                                                                                                                      \
        void copying(std::size_t n) {                                                                                          \
            for (std::size_t i = 0; i < n; i++) {                                                                              \
                if (name##_add(&list, filled<Element>(i)) != NAME##_OK) {                                                      \
                    bench::out_of_memory();                                                                                    \
                }                                                                                                              \
            }                                                                                                                  \
        }                                                                                                                      \
        std::uint64_t sum() {                                                                                                  \
            std::uint64_t sum = 0;                                                                                             \
            NAME##_EACH(&list, one) {                                                                                          \
                sum += one->id;                                                                                                \
            }                                                                                                                  \
            return sum;                                                                                                        \
        }                                                                                                                      \
    }
BESPOKE_LIST(grown_16, GROWN_16, e16);
BESPOKE_LIST(grown_32, GROWN_32, e32);
BESPOKE_LIST(grown_64, GROWN_64, e64);
BESPOKE_LIST(grown_256, GROWN_256, e256);
BESPOKE_LIST(chunks_64, CHUNKS_64, e64);

template <class Element> struct hand_list {
    Element *items = nullptr;
    std::size_t count = 0, capacity = 0;

    ~hand_list() { std::free(items); }
    void reserve(std::size_t n) {
        items = static_cast<Element *>(std::realloc(items, n * sizeof *items));
        if (items == nullptr) {
            bench::out_of_memory();
        }
        capacity = n;
    }
    Element *one_more() {
        if (count == capacity) {
            reserve(capacity == 0 ? 16 : 2 * capacity);
        }
        return &items[count++];
    }
    void in_place(std::size_t n) {
        for (std::size_t i = 0; i < n; i++) {
            fill(*one_more(), i);
        }
    }
    void copying(std::size_t n) {
        for (std::size_t i = 0; i < n; i++) {
            *one_more() = filled<Element>(i);
        }
    }
    std::uint64_t sum() {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < count; i++) {
            sum += items[i].id;
        }
        return sum;
    }
};

// emplace_back() makes an element of zeros, as C++ does.
template <class Element> struct vector_list {
    std::vector<Element> list;

    void reserve(std::size_t n) { list.reserve(n); }
    void in_place(std::size_t n) {
        for (std::size_t i = 0; i < n; i++) {
            fill(list.emplace_back(), i);
        }
    }
    void copying(std::size_t n) {
        for (std::size_t i = 0; i < n; i++) {
            list.push_back(filled<Element>(i));
        }
    }
    std::uint64_t sum() {
        std::uint64_t sum = 0;
        for (const Element &one : list) {
            sum += one.id;
        }
        return sum;
    }
};

template <class Element> struct colony_list {
    plf::colony<Element> list;

    void reserve(std::size_t n) { list.reserve(n); }
    void in_place(std::size_t n) {
        for (std::size_t i = 0; i < n; i++) {
            fill(*list.emplace(), i);
        }
    }
    void copying(std::size_t n) {
        for (std::size_t i = 0; i < n; i++) {
            list.insert(filled<Element>(i));
        }
    }
    std::uint64_t sum() {
        std::uint64_t sum = 0;
        for (const Element &one : list) {
            sum += one.id;
        }
        return sum;
    }
};

// A list from nothing to n; what it gives back at the end is not measured.
template <class List, bool in_place, bool reserved> std::uint64_t grow(Stopwatch &watch, const Case &of) {
    List list;
    if (reserved) {
        list.reserve(of.n);
    }
    watch.start();
    if (in_place) {
        list.in_place(of.n);
    } else {
        list.copying(of.n);
    }
    benchmark::ClobberMemory();
    watch.stop();
    return list.sum();
}

template <class List, bool reserved> void both(const Case &of, const std::string &peer) {
    bench::add_once(of, (peer + "-in-place").c_str(), grow<List, true, reserved>);
    bench::add_once(of, (peer + "-copying").c_str(), grow<List, false, reserved>);
}

template <class Bespoke, class Chunks, bool reserved> void adding(std::size_t n) {
    typedef typename Bespoke::Element Element;
    Case of = {"insert", sizeof(Element), n, reserved ? "reserved" : "growing"};

    both<Bespoke, reserved>(of, "bespoke");
    if (sizeof(Element) == sizeof(typename Chunks::Element)) {
        both<Chunks, reserved>(of, "bespoke-chunked");
        bench::add_once(of, "plf::colony-insert", grow<colony_list<Element>, false, reserved>);
        bench::add_once(of, "plf::colony-emplace", grow<colony_list<Element>, true, reserved>);
    }
    both<hand_list<Element>, reserved>(of, "hand");
    bench::add_once(of, "std::vector-push_back", grow<vector_list<Element>, false, reserved>);
    bench::add_once(of, "std::vector-emplace_back", grow<vector_list<Element>, true, reserved>);
}

// -- a pool --------------------------------------------------------------------------------------------------------------------

// 1000 times: an item of those that are taken is given back, chosen at random, and another taken. As many are taken as `taken` says.
const std::size_t items = 1000, taken = 750, turns = 1000;

#define BESPOKE_POOL(name, element)                                                                                            \
    struct name##_pool {                                                                                                       \
        typedef element Element;                                                                                               \
        typedef name##_handle Item;                                                                                            \
        name pool = {};                                                                                                        \
                                                                                                                               \
        ~name##_pool() { name##_deinit(&pool); }                                                                               \
        Item take(std::size_t number) {                                                                                        \
            Element *one = name##_emplace(&pool);                                                                              \
            if (one == NULL) {                                                                                                 \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
            fill(*one, number);                                                                                                \
            return name##_handle_of(&pool, one);                                                                               \
        }                                                                                                                      \
        void give_back(Item item) { (void)name##_remove(&pool, item); }                                                        \
        std::uint32_t id(Item item) { return name##_get(&pool, item)->id; }                                                    \
    }
BESPOKE_POOL(pool_32, e32);
BESPOKE_POOL(pool_64, e64);
BESPOKE_POOL(pool_256, e256);

// The same without handles.
struct cells_64_pool {
    typedef e64 Element;
    typedef e64 *Item;
    cells_64 pool = {};

    ~cells_64_pool() { cells_64_deinit(&pool); }
    Item take(std::size_t number) {
        e64 *one = cells_64_emplace(&pool);
        if (one == NULL) {
            bench::out_of_memory();
        }
        fill(*one, number);
        return one;
    }
    void give_back(Item item) { (void)cells_64_remove(&pool, item); }
    std::uint32_t id(Item item) { return item->id; }
};

// A stack of the free ones. Nothing knows which are taken, and nothing notices one that is given back twice.
template <class E> struct hand_pool {
    typedef E Element;
    typedef E *Item;
    Element *items_;
    Element **free_;
    std::size_t free_count = 0;

    hand_pool() : items_(static_cast<E *>(std::malloc(items * sizeof *items_))), free_(static_cast<E **>(std::malloc(items * sizeof *free_))) {
        if (items_ == nullptr || free_ == nullptr) {
            bench::out_of_memory();
        }
        for (std::size_t i = items; i > 0; i--) {
            free_[free_count++] = &items_[i - 1];
        }
    }
    ~hand_pool() {
        std::free(items_);
        std::free(free_);
    }
    Item take(std::size_t number) {
        Element *one = free_[--free_count];
        fill(*one, number);
        return one;
    }
    void give_back(Item item) { free_[free_count++] = item; }
    std::uint32_t id(Item item) { return item->id; }
};

// The same with handles that notice it.
template <class E> struct hand_handles_pool {
    struct Item {
        std::uint32_t index, generation;
    };
    typedef E Element;
    Element *items_;
    std::uint32_t *generations, *free_;
    std::size_t free_count = 0;

    hand_handles_pool()
        : items_(static_cast<E *>(std::malloc(items * sizeof *items_))),
          generations(static_cast<std::uint32_t *>(std::calloc(items, sizeof *generations))),
          free_(static_cast<std::uint32_t *>(std::malloc(items * sizeof *free_))) {
        if (items_ == nullptr || generations == nullptr || free_ == nullptr) {
            bench::out_of_memory();
        }
        for (std::size_t i = items; i > 0; i--) {
            free_[free_count++] = static_cast<std::uint32_t>(i - 1);
        }
    }
    ~hand_handles_pool() {
        std::free(items_);
        std::free(generations);
        std::free(free_);
    }
    Item take(std::size_t number) {
        if (free_count == 0) {
            bench::out_of_memory();
        }
        std::uint32_t index = free_[--free_count];
        fill(items_[index], number);
        return Item{index, ++generations[index]}; // odd: it is taken
    }
    void give_back(Item item) {
        if (item.index < items && generations[item.index] == item.generation) {
            generations[item.index]++;
            free_[free_count++] = item.index;
        }
    }
    std::uint32_t id(Item item) {
        return item.index < items && generations[item.index] == item.generation ? items_[item.index].id : 0;
    }
};

template <class E> struct colony_pool {
    typedef E Element;
    typedef typename plf::colony<E>::iterator Item;
    plf::colony<E> pool;

    colony_pool() { pool.reserve(items); }
    Item take(std::size_t number) {
        Item one = pool.emplace();
        fill(*one, number);
        return one;
    }
    void give_back(Item item) { pool.erase(item); }
    std::uint32_t id(Item item) { return item->id; }
};

// destroy() keeps its free list in order, which takes time in proportion to it.
template <class E> struct object_pool {
    typedef E Element;
    typedef E *Item;
    boost::object_pool<E> pool{items};

    Item take(std::size_t number) {
        E *one = pool.malloc();
        fill(*one, number);
        return one;
    }
    void give_back(Item item) { pool.free(item); }
    std::uint32_t id(Item item) { return item->id; }
};
template <class E> struct boost_pool {
    typedef E Element;
    typedef E *Item;
    boost::pool<> pool{sizeof(E), items};

    Item take(std::size_t number) {
        E *one = static_cast<E *>(pool.malloc());
        fill(*one, number);
        return one;
    }
    void give_back(Item item) { pool.free(item); }
    std::uint32_t id(Item item) { return item->id; }
};
template <class E> struct malloc_pool {
    typedef E Element;
    typedef E *Item;

    Item take(std::size_t number) {
        E *one = static_cast<E *>(std::malloc(sizeof(E)));
        if (one == nullptr) {
            bench::out_of_memory();
        }
        fill(*one, number);
        return one;
    }
    void give_back(Item item) { std::free(item); }
    std::uint32_t id(Item item) { return item->id; }
};

template <class Pool> std::uint64_t churn(Stopwatch &watch, const Case &) {
    Pool pool;
    std::vector<typename Pool::Item> live;
    std::vector<std::uint32_t> chosen;
    Random random(1);

    for (std::size_t i = 0; i < turns; i++) {
        chosen.push_back(random.below(taken));
    }
    for (std::size_t i = 0; i < taken; i++) {
        live.push_back(pool.take(i));
    }
    watch.start();
    for (std::size_t i = 0; i < turns; i++) {
        typename Pool::Item &item = live[chosen[i]];
        pool.give_back(item);
        item = pool.take(i);
    }
    benchmark::ClobberMemory();
    watch.stop();

    std::uint64_t sum = 0;
    for (typename Pool::Item item : live) {
        sum += pool.id(item);
        pool.give_back(item);
    }
    return sum;
}

template <class Bespoke> void pools() {
    typedef typename Bespoke::Element Element;
    Case of = {"pool", sizeof(Element), items, "churn"};

    bench::add_once(of, "bespoke", churn<Bespoke>);
    if (sizeof(Element) == sizeof(e64)) {
        bench::add_once(of, "bespoke-addresses", churn<cells_64_pool>);
    }
    bench::add_once(of, "hand", churn<hand_pool<Element>>);
    bench::add_once(of, "hand-handles", churn<hand_handles_pool<Element>>);
    bench::add_once(of, "plf::colony", churn<colony_pool<Element>>);
    bench::add_once(of, "boost::object_pool", churn<object_pool<Element>>);
    bench::add_once(of, "boost::pool", churn<boost_pool<Element>>);
    bench::add_once(of, "malloc", churn<malloc_pool<Element>>);
}

int registered() {
    adding<grown_16_list, chunks_64_list, false>(1000);
    adding<grown_32_list, chunks_64_list, false>(1000);
    adding<grown_64_list, chunks_64_list, false>(1000);
    adding<grown_256_list, chunks_64_list, false>(1000);
    adding<grown_32_list, chunks_64_list, false>(100000);
    adding<grown_64_list, chunks_64_list, false>(100000);
    adding<grown_64_list, chunks_64_list, false>(1000000);
    adding<grown_32_list, chunks_64_list, true>(1000);
    adding<grown_64_list, chunks_64_list, true>(1000);
    adding<grown_64_list, chunks_64_list, true>(100000);
    pools<pool_32_pool>();
    pools<pool_64_pool>();
    pools<pool_256_pool>();
    return 0;
}

const int done = registered();

} // namespace
