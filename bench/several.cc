// A table of n elements that are found by three keys: an id, a group of several, and their hp in order. `mix`: 4 n operations, of which half find an
// id, and one in eight each reads a group, changes an hp, removes an id and adds one. `walk`: a loop over all of them; `ranked`: one in the
// order of their hp.

#include "bench.hh"

#include <boost/multi_index/global_fun.hpp>
#include <boost/multi_index/hashed_index.hpp>
#include <boost/multi_index/member.hpp>
#include <boost/multi_index/ordered_index.hpp>
#include <boost/multi_index_container.hpp>

#include "several.h"

namespace {

using bench::Case;

template <class Element> Element made(std::uint32_t id, std::int32_t hp) {
    Element one = {};
    one.id = id;
    one.hp = hp;
    return one;
}

template <class Element> std::uint32_t group_of(const Element &element) {
    return element.id % 1024;
}

// -- the tables ----------------------------------------------------------------------------------------------------------------

#define BESPOKE_TABLE(Name, Element, T, TT)                                                                                    \
    class Name {                                                                                                               \
    public:                                                                                                                    \
        using element = Element;                                                                                               \
        ~Name() { T##_deinit(&list); }                                                                                         \
        bool add(const Element &one) {                                                                                         \
            T##_status status = T##_add(&list, one);                                                                           \
            if (status == TT##_NO_MEMORY) {                                                                                    \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
            return status == TT##_OK;                                                                                          \
        }                                                                                                                      \
        bool remove(std::uint32_t id) { return T##_remove_by_id(&list, id) == TT##_OK; }                                       \
        const Element *find(std::uint32_t id) { return T##_find_by_id(&list, id); }                                            \
        bool change(std::uint32_t id, std::int32_t hp) {                                                                       \
            Element *one = T##_find_by_id(&list, id);                                                                          \
            if (one == nullptr) {                                                                                              \
                return false;                                                                                                  \
            }                                                                                                                  \
            one->hp = hp;                                                                                                      \
            return T##_rekey_by_hp(&list, one) == TT##_OK;                                                                     \
        }                                                                                                                      \
        std::uint64_t group(std::uint32_t of) {                                                                                \
            std::uint64_t sum = 0;                                                                                             \
            T##_range range = T##_range_by_group(&list, of);                                                                   \
            while (Element *one = T##_next_by_group(&list, &range)) {                                                          \
                sum += one->id;                                                                                                \
            }                                                                                                                  \
            return sum;                                                                                                        \
        }                                                                                                                      \
        std::uint64_t walk() {                                                                                                 \
            std::uint64_t sum = 0;                                                                                             \
            TT##_EACH(&list, one) {                                                                                            \
                sum += one->id;                                                                                                \
            }                                                                                                                  \
            return sum;                                                                                                        \
        }                                                                                                                      \
        std::uint64_t ranked() {                                                                                               \
            std::uint64_t sum = 0;                                                                                             \
            T##_range range = T##_all_by_hp(&list);                                                                            \
            while (Element *one = T##_next_by_hp(&list, &range)) {                                                             \
                sum = sum * 31 + static_cast<std::uint32_t>(one->hp);                                                          \
            }                                                                                                                  \
            return sum;                                                                                                        \
        }                                                                                                                      \
                                                                                                                               \
    private:                                                                                                                   \
        T list = {};                                                                                                           \
    };

BESPOKE_TABLE(Several16, e16, several16, SEVERAL16)
BESPOKE_TABLE(Several64, e64, several64, SEVERAL64)

template <class Element> class Boost {
    using Table = boost::multi_index_container<
        Element, boost::multi_index::indexed_by<
                     boost::multi_index::hashed_unique<boost::multi_index::member<Element, std::uint32_t, &Element::id>>,
                     boost::multi_index::hashed_non_unique<boost::multi_index::global_fun<const Element &, std::uint32_t, group_of<Element>>>,
                     boost::multi_index::ordered_non_unique<boost::multi_index::member<Element, std::int32_t, &Element::hp>>>>;

public:
    using element = Element;
    bool add(const Element &one) { return table.insert(one).second; }
    bool remove(std::uint32_t id) { return table.erase(id) != 0; }
    const Element *find(std::uint32_t id) {
        auto found = table.find(id);
        return found == table.end() ? nullptr : &*found;
    }
    bool change(std::uint32_t id, std::int32_t hp) {
        auto found = table.find(id);
        return found != table.end() && table.modify(found, [hp](Element &one) { one.hp = hp; });
    }
    std::uint64_t group(std::uint32_t of) {
        std::uint64_t sum = 0;
        auto range = table.template get<1>().equal_range(of);
        for (; range.first != range.second; ++range.first) {
            sum += range.first->id;
        }
        return sum;
    }
    std::uint64_t walk() {
        std::uint64_t sum = 0;
        for (const Element &one : table) {
            sum += one.id;
        }
        return sum;
    }
    std::uint64_t ranked() {
        std::uint64_t sum = 0;
        for (const Element &one : table.template get<2>()) {
            sum = sum * 31 + static_cast<std::uint32_t>(one.hp);
        }
        return sum;
    }

private:
    Table table;
};

// -- the work ----------------------------------------------------------------------------------------------------------------

template <class Table> void fill(Table &table, bench::Random &random, std::size_t n) {
    for (std::uint32_t id = 0; id < n; id++) {
        table.add(made<typename Table::element>(2 * id, static_cast<std::int32_t>(random.below(n))));
    }
}

template <class Table> std::uint64_t mix(bench::Stopwatch &watch, const Case &of) {
    bench::Random random(of.n);
    Table table;
    std::uint64_t sum = 0;
    fill(table, random, of.n);
    watch.start();
    for (std::size_t i = 0; i < 4 * of.n; i++) {
        std::uint32_t what = random.below(8), id = random.below(4 * of.n);
        std::int32_t hp = static_cast<std::int32_t>(random.below(of.n));
        switch (what) {
        case 0: sum += table.group(id % 1024); break;
        case 1: sum += table.change(id, hp); break;
        case 2: sum += table.remove(id); break;
        case 3: sum += table.add(made<typename Table::element>(id, hp)); break;
        default: sum += table.find(id) != nullptr; break;
        }
    }
    watch.stop();
    return sum * 31 + table.ranked();
}

template <class Table, std::uint64_t (Table::*loop)()> std::uint64_t loops(bench::Stopwatch &watch, const Case &of) {
    bench::Random random(of.n);
    Table table;
    fill(table, random, of.n);
    for (std::size_t i = 0; i < 2 * of.n; i++) { // as it is after some time
        std::uint32_t id = random.below(4 * of.n);
        if (!table.remove(id)) {
            table.add(made<typename Table::element>(id, static_cast<std::int32_t>(random.below(of.n))));
        }
    }
    watch.start();
    std::uint64_t sum = (table.*loop)();
    watch.stop();
    return sum;
}

template <class Element, class Table> void of_size(int size) {
    for (std::size_t n : {1000, 100000}) {
        const Case all = {"several", size, n, "mix"}, walked = {"several", size, n, "walk"}, ranked = {"several", size, n, "ranked"};
        bench::add_once(all, "bespoke", mix<Table>);
        bench::add_once(all, "boost::multi_index", mix<Boost<Element>>);
        bench::add_once(walked, "bespoke", loops<Table, &Table::walk>);
        bench::add_once(walked, "boost::multi_index", loops<Boost<Element>, &Boost<Element>::walk>);
        bench::add_once(ranked, "bespoke", loops<Table, &Table::ranked>);
        bench::add_once(ranked, "boost::multi_index", loops<Boost<Element>, &Boost<Element>::ranked>);
    }
}

int register_all() {
    bench::keep_memory();
    of_size<e16, Several16>(16);
    of_size<e64, Several64>(64);
    return 0;
}

const int registered = register_all();

} // namespace
