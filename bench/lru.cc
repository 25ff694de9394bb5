// A cache of the n elements that were used last. Four n keys are looked up, of which some are frequent; one that is found is noted as the
// one used last, another is added and the one that was not used for the longest time is removed.

#include "bench.hh"

#include <list>
#include <unordered_map>

#include <boost/multi_index/hashed_index.hpp>
#include <boost/multi_index/member.hpp>
#include <boost/multi_index/sequenced_index.hpp>
#include <boost/multi_index_container.hpp>

#include "lru.h"

namespace {

using bench::Case;

template <class Element> Element made(std::uint32_t key) {
    Element one = {};
    one.id = key;
    return one;
}

// -- the caches: use() returns whether the key was found, oldest() the key that would be removed next -------------------------

#define BESPOKE_CACHE(Name, Element, T, TT)                                                                                    \
    class Name {                                                                                                               \
    public:                                                                                                                    \
        explicit Name(std::size_t) {}                                                                                          \
        ~Name() { T##_deinit(&list); }                                                                                         \
        bool use(std::uint32_t key) {                                                                                          \
            if (Element *one = T##_find(&list, key)) {                                                                         \
                T##_move_to_back(&list, one);                                                                                  \
                return true;                                                                                                   \
            }                                                                                                                  \
            if (T##_add(&list, made<Element>(key)) != TT##_OK) {                                                               \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
            return false;                                                                                                      \
        }                                                                                                                      \
        std::uint32_t oldest() const { return T##_first(&list)->id; }                                                          \
                                                                                                                               \
    private:                                                                                                                   \
        T list = {};                                                                                                           \
    };

BESPOKE_CACHE(Small16, e16, small16, SMALL16)
BESPOKE_CACHE(Small64, e64, small64, SMALL64)
BESPOKE_CACHE(Large16, e16, large16, LARGE16)
BESPOKE_CACHE(Large64, e64, large64, LARGE64)

template <class Element> class Std {
public:
    explicit Std(std::size_t n) : most(n) {}
    bool use(std::uint32_t key) {
        auto found = index.find(key);
        if (found != index.end()) {
            order.splice(order.end(), order, found->second);
            return true;
        }
        if (order.size() == most) {
            index.erase(order.front().id);
            order.pop_front();
        }
        order.push_back(made<Element>(key));
        index.emplace(key, std::prev(order.end()));
        return false;
    }
    std::uint32_t oldest() const { return order.front().id; }

private:
    std::size_t most;
    std::list<Element> order;
    std::unordered_map<std::uint32_t, typename std::list<Element>::iterator> index;
};

template <class Element> class Boost {
    using Cache = boost::multi_index_container<
        Element, boost::multi_index::indexed_by<
                     boost::multi_index::sequenced<>,
                     boost::multi_index::hashed_unique<boost::multi_index::member<Element, std::uint32_t, &Element::id>>>>;

public:
    explicit Boost(std::size_t n) : most(n) {}
    bool use(std::uint32_t key) {
        auto &index = cache.template get<1>();
        auto found = index.find(key);
        if (found != index.end()) {
            cache.relocate(cache.end(), cache.template project<0>(found));
            return true;
        }
        if (cache.size() == most) {
            cache.pop_front();
        }
        cache.push_back(made<Element>(key));
        return false;
    }
    std::uint32_t oldest() const { return cache.front().id; }

private:
    std::size_t most;
    Cache cache;
};

// -- the work ----------------------------------------------------------------------------------------------------------------

template <class Cache> std::uint64_t uses(bench::Stopwatch &watch, const Case &of) {
    bench::Random random(of.n);
    Cache cache(of.n);
    std::uint64_t sum = 0;
    for (std::uint32_t key = 0; key < of.n; key++) {
        cache.use(key);
    }
    watch.start();
    for (std::size_t i = 0; i < 4 * of.n; i++) {
        std::uint32_t a = random.below(4 * of.n), b = random.below(4 * of.n), c = random.below(4 * of.n);
        sum = sum * 31 + cache.use(a < b ? a < c ? a : c : b < c ? b : c);
    }
    watch.stop();
    return sum * 31 + cache.oldest();
}

template <class Element, class Small, class Large> void of_size(int size) {
    const Case few = {"lru", size, 1000, "uses"}, many = {"lru", size, 100000, "uses"};
    bench::add_once(few, "bespoke", uses<Small>);
    bench::add_once(many, "bespoke", uses<Large>);
    for (const Case &of : {few, many}) {
        bench::add_once(of, "boost::multi_index", uses<Boost<Element>>);
        bench::add_once(of, "std::list-and-map", uses<Std<Element>>);
    }
}

int register_all() {
    of_size<e16, Small16, Large16>(16);
    of_size<e64, Small64, Large64>(64);
    return 0;
}

const int registered = register_all();

} // namespace
