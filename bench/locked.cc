// Others leave during a pass; several passes at once; changes that wait until a pass is over.
//
// `others`: elements with even numbers strike others down, which must not be visited any more, and come back after the pass. `cursors`:
// a loop that changes all elements while three more passes are under way, and nothing leaves. `waiting`: a list in insertion order, in
// which everything is at most once; what leaves and comes in a loop over it, 1 % of all, does so when the loop is over, in that order.

#include "bench.hh"

#include <algorithm>
#include <boost/intrusive/list.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <climits>
#include <list>
#include <plf_colony.h>
#include <vector>

#include "locked.h"

namespace {

using bench::Case;
using bench::Stopwatch;

// Peer: add(number) puts a new element in and remembers where, each(f) visits all that are in, kill(number), end() of the pass.
template <class Peer> std::uint64_t play(Stopwatch &watch, const Case &of, std::uint32_t period) {
    std::uint32_t n = static_cast<std::uint32_t>(of.n), frames = n <= 1000 ? 500 : 50;
    Peer peer(n);
    std::vector<bool> alive(n, true);
    std::vector<std::uint32_t> killed;
    auto born = [&](std::uint32_t number) {
        e64 one = {};
        one.id = number;
        one.hp = number % 2 != 0 ? INT_MAX : static_cast<std::int32_t>(1 + number * 7919 % period);
        one.vx = static_cast<float>(number % 7);
        peer.add(number, one);
    };
    for (std::uint32_t number = 0; number < n; number++) {
        born(number);
    }
    watch.start();
    for (std::uint32_t frame = 0; frame < frames; frame++) {
        peer.each([&](e64 &one) {
            one.x += one.vx;
            if (--one.hp <= 0) {
                one.hp = static_cast<std::int32_t>(1 + (one.id * 7919 + frame * 104729) % period);
                std::uint32_t victim = ((one.id * 40503u + frame * 97u) % n) | 1;
                if (alive[victim]) {
                    alive[victim] = false;
                    killed.push_back(victim);
                    peer.kill(victim);
                }
            }
        });
        peer.end();
        for (std::uint32_t victim : killed) {
            alive[victim] = true;
            born(victim);
        }
        killed.clear();
    }
    watch.stop();
    std::uint64_t sum = 0;
    peer.each([&](e64 &one) { sum += bench::Random(one.id).next() * static_cast<std::uint64_t>(one.x + 1); });
    return sum;
}

#define HANDLES(name, NAME)                                                                                                    \
    struct name##_peer {                                                                                                       \
        passed_##name list = {};                                                                                               \
        std::vector<passed_##name##_handle> handles;                                                                           \
        explicit name##_peer(std::size_t n) : handles(n) {}                                                                    \
        ~name##_peer() { passed_##name##_deinit(&list); }                                                                      \
        void add(std::uint32_t number, const e64 &born) {                                                                      \
            e64 *one = passed_##name##_emplace(&list);                                                                         \
            if (one == nullptr) {                                                                                              \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
            *one = born;                                                                                                       \
            handles[number] = passed_##name##_handle_of(&list, one);                                                           \
        }                                                                                                                      \
        template <class Each> void each(Each each) {                                                                           \
            PASSED_##NAME##_EACH(&list, one) { each(*one); }                                                                   \
        }                                                                                                                      \
        void kill(std::uint32_t number) { passed_##name##_remove(&list, handles[number]); }                                    \
        void end() {}                                                                                                          \
    };

HANDLES(map, MAP)
HANDLES(slots, SLOTS)
HANDLES(kept, KEPT)

// An array, a table of places, a flag, and the last one into each hole when the pass is over.
struct Hand {
    std::vector<e64> items;
    std::vector<std::uint32_t> places, leaving;
    static const std::uint32_t gone = 1u << 31;

    explicit Hand(std::size_t n) : places(n) {}
    void add(std::uint32_t number, const e64 &born) {
        places[number] = static_cast<std::uint32_t>(items.size());
        items.push_back(born);
    }
    template <class Each> void each(Each each) {
        for (std::size_t i = 0; i < items.size(); i++) {
            if ((items[i].id & gone) == 0) {
                each(items[i]);
            }
        }
    }
    void kill(std::uint32_t number) {
        items[places[number]].id |= gone;
        leaving.push_back(number);
    }
    void end() {
        for (std::uint32_t number : leaving) {
            std::uint32_t place = places[number];
            items[place] = items.back();
            places[items[place].id & ~gone] = place;
            items.pop_back();
        }
        leaving.clear();
    }
};

// Whoever visits is never struck itself, so a plain loop is right.
template <class List> struct Nodes {
    List list;
    std::vector<typename List::iterator> nodes;

    explicit Nodes(std::size_t n) : nodes(n) {}
    void add(std::uint32_t number, const e64 &born) { nodes[number] = list.insert(list.end(), born); }
    template <class Each> void each(Each each) {
        for (e64 &one : list) {
            each(one);
        }
    }
    void kill(std::uint32_t number) { list.erase(nodes[number]); }
    void end() {}
};

struct Colony : Nodes<plf::colony<e64>> {
    using Nodes::Nodes;
    void add(std::uint32_t number, const e64 &born) { nodes[number] = list.insert(born); }
};

struct Intrusive {
    struct Node : e64, boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>> {};
    std::vector<Node> nodes;
    boost::intrusive::list<Node, boost::intrusive::constant_time_size<false>> list;

    explicit Intrusive(std::size_t n) : nodes(n) {}
    void add(std::uint32_t number, const e64 &born) {
        static_cast<e64 &>(nodes[number]) = born;
        list.push_back(nodes[number]);
    }
    template <class Each> void each(Each each) {
        for (Node &one : list) {
            each(one);
        }
    }
    void kill(std::uint32_t number) { list.erase(list.iterator_to(nodes[number])); }
    void end() {}
};

template <class Peer> void others(const Case &of, const char *name, std::uint32_t period) {
    bench::add_once(of, name, [=](Stopwatch &watch, const Case &of) { return play<Peer>(watch, of, period); });
}

// == several cursors ==

e64 numbered(std::size_t number) {
    e64 one = {};
    one.id = static_cast<std::uint32_t>(number);
    one.vx = 1;
    return one;
}

void cursors(benchmark::State &state, const Case &of, int live) {
    passed_swap list = {};
    for (std::size_t i = 0; i < of.n; i++) {
        if (passed_swap_add(&list, numbered(i)) != PASSED_SWAP_OK) {
            bench::out_of_memory();
        }
    }
    passed_swap_cursor others[3];
    for (int k = 0; k < live; k++) {
        others[k] = passed_swap_begin(&list);
        for (std::size_t i = 0; i <= of.n / 4 * static_cast<std::size_t>(k); i++) {
            benchmark::DoNotOptimize(passed_swap_next(&others[k]));
        }
    }
    for (auto _ : state) {
        PASSED_SWAP_EACH(&list, one) {
            one->x += one->vx;
            one->hp--;
        }
        benchmark::ClobberMemory();
    }
    bench::same(state, of, passed_swap_count(&list));
    passed_swap_deinit(&list);
}

void plain(benchmark::State &state, const Case &of) {
    std::vector<e64> items;
    for (std::size_t i = 0; i < of.n; i++) {
        items.push_back(numbered(i));
    }
    e64 *elements = items.data();
    std::size_t count = items.size();
    for (auto _ : state) {
        benchmark::DoNotOptimize(elements);
        benchmark::DoNotOptimize(count);
        for (std::size_t i = 0; i < count; i++) {
            elements[i].x += elements[i].vx;
            elements[i].hp--;
        }
        benchmark::ClobberMemory();
    }
    bench::same(state, of, count);
}

// == changes that wait ==

// Things 0 ... 2 n - 1, of which number and (number + n) % (2 n) come by turns. Lives: of 1 ... 200 frames.
template <class Thing> std::int32_t life(const Thing &one, std::uint32_t frame) {
    return static_cast<std::int32_t>(1 + (one.id * 7919 + frame * 104729) % 199);
}

template <class Thing> std::vector<Thing> things(std::size_t n) {
    std::vector<Thing> all(2 * n);
    for (std::size_t i = 0; i < all.size(); i++) {
        all[i].id = static_cast<std::uint32_t>(i);
        all[i].vx = static_cast<float>(i % 7);
        all[i].hp = life(all[i], 0);
    }
    return all;
}

// Peer: add(thing) at once, pass(f) visits all that are in and carries out then what f has told leave(thing) and come(thing). One in
// ten of those that come is in already.
template <class Peer> std::uint64_t wait(Stopwatch &watch, const Case &of) {
    std::uint32_t n = static_cast<std::uint32_t>(of.n), frames = n <= 1000 ? 500 : 30;
    auto all = things<typename Peer::Thing>(of.n);
    Peer peer;
    for (std::size_t i = 0; i < of.n; i++) {
        peer.add(all[i]);
    }
    watch.start();
    for (std::uint32_t frame = 1; frame <= frames; frame++) {
        peer.pass([&](typename Peer::Thing &one) {
            one.x += one.vx;
            if (--one.hp <= 0) {
                typename Peer::Thing &twin = all[one.id < n ? one.id + n : one.id - n];
                twin.hp = life(twin, frame);
                if (one.id % 10 == 0) {
                    peer.come(one);
                }
                peer.leave(one);
                peer.come(twin);
            }
        });
    }
    watch.stop();
    std::uint64_t sum = 0;
    peer.pass([&](typename Peer::Thing &one) { sum = sum * 31 + bench::Random(one.id).next() + static_cast<std::uint64_t>(one.hp); });
    return sum;
}

#define WAITING(name, NAME, thing, given)                                                                                      \
    struct name##_peer {                                                                                                       \
        using Thing = thing;                                                                                                   \
        passed_##name list = {};                                                                                               \
        ~name##_peer() { passed_##name##_deinit(&list); }                                                                      \
        void add(Thing &one) {                                                                                                 \
            if (passed_##name##_add(&list, given) == PASSED_##NAME##_NO_MEMORY) {                                              \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
        }                                                                                                                      \
        void come(Thing &one) { add(one); }                                                                                    \
        void leave(Thing &one) { passed_##name##_remove(&list, &one); }                                                        \
        template <class Visit> void pass(Visit visit) {                                                                        \
            PASSED_##NAME##_EACH(&list, one) { visit(*one); }                                                                  \
        }                                                                                                                      \
    };

WAITING(values, VALUES, e64, one)
WAITING(objects, OBJECTS, e64, &one)
WAITING(placed, PLACED, placed, &one)

// How things lie in a list, and what names them.
struct Values {
    using Thing = e64;
    using Item = e64;
    using Key = std::uint32_t;
    static Item item(Thing &one) { return one; }
    static Thing &thing(Item &item) { return item; }
    static Key key(const Thing &one) { return one.id; }
};
struct Objects {
    using Thing = e64;
    using Item = e64 *;
    using Key = const e64 *;
    static Item item(Thing &one) { return &one; }
    static Thing &thing(Item item) { return *item; }
    static Key key(const Thing &one) { return &one; }
};

// What waits: a thing, and whether it comes.
template <class Of> struct Journal {
    struct Change {
        typename Of::Key key;
        bool comes;
    };
    std::vector<Change> changes;
    std::vector<typename Of::Item> coming;

    void come(typename Of::Thing &one) {
        changes.push_back({Of::key(one), true});
        coming.push_back(Of::item(one));
    }
    void leave(typename Of::Thing &one) { changes.push_back({Of::key(one), false}); }
    template <class Peer> void replay(Peer &peer) {
        std::size_t next = 0;
        for (const Change &change : changes) {
            if (change.comes) {
                peer.add(Of::thing(coming[next++]));
            } else {
                peer.remove(change.key);
            }
        }
        changes.clear();
        coming.clear();
    }
};

// A map to the nodes of a list, as most C++ programs have it.
template <class Of> struct Mapped {
    using Thing = typename Of::Thing;
    std::list<typename Of::Item> list;
    boost::unordered_flat_map<typename Of::Key, typename std::list<typename Of::Item>::iterator> map;
    Journal<Of> journal;

    void add(Thing &one) {
        auto found = map.try_emplace(Of::key(one));
        if (found.second) {
            found.first->second = list.insert(list.end(), Of::item(one));
        }
    }
    void remove(typename Of::Key key) {
        auto found = map.find(key);
        if (found != map.end()) {
            list.erase(found->second);
            map.erase(found);
        }
    }
    void come(Thing &one) { journal.come(one); }
    void leave(Thing &one) { journal.leave(one); }
    template <class Visit> void pass(Visit visit) {
        for (auto &item : list) {
            visit(Of::thing(item));
        }
        journal.replay(*this);
    }
};

// By hand: elements in an array, a bit for each that is alive, a table of keys and places; a quarter of dead ones is squeezed out.
struct HandValues {
    using Thing = e64;
    struct Entry {
        std::uint32_t key, place; // place + 1; 0: free
    };
    std::vector<e64> items;
    std::vector<std::uint64_t> alive;
    std::vector<Entry> table = std::vector<Entry>(16);
    std::size_t count = 0;
    unsigned shift = 28;
    Journal<Values> journal;

    std::size_t where(std::uint32_t key) const {
        std::size_t mask = table.size() - 1, at = key * 2654435769u >> shift;
        while (table[at].place != 0 && table[at].key != key) {
            at = (at + 1) & mask;
        }
        return at;
    }
    void index() {
        while (table.size() < 2 * (items.size() + 1)) {
            table.resize(2 * table.size());
            shift--;
        }
        std::fill(table.begin(), table.end(), Entry{});
        for (std::size_t i = 0; i < items.size(); i++) {
            if ((alive[i / 64] >> i % 64 & 1) != 0) {
                table[where(items[i].id)] = {items[i].id, static_cast<std::uint32_t>(i + 1)};
            }
        }
    }
    void add(Thing &one) {
        std::size_t at = where(one.id);
        if (table[at].place != 0) {
            return;
        }
        table[at] = {one.id, static_cast<std::uint32_t>(items.size() + 1)};
        if (items.size() % 64 == 0) {
            alive.push_back(0);
        }
        alive[items.size() / 64] |= std::uint64_t(1) << items.size() % 64;
        items.push_back(one);
        count++;
        if (table.size() < 2 * items.size()) {
            index();
        }
    }
    void remove(std::uint32_t key) {
        std::size_t mask = table.size() - 1, at = where(key);
        if (table[at].place == 0) {
            return;
        }
        std::size_t place = table[at].place - 1;
        alive[place / 64] &= ~(std::uint64_t(1) << place % 64);
        count--;
        for (std::size_t next = (at + 1) & mask; table[next].place != 0; next = (next + 1) & mask) { // what may move up does
            std::size_t home = table[next].key * 2654435769u >> shift;
            if (((next - home) & mask) >= ((next - at) & mask)) {
                table[at] = table[next];
                at = next;
            }
        }
        table[at] = {};
    }
    void squeeze() {
        std::size_t to = 0;
        for (std::size_t i = 0; i < items.size(); i++) {
            if ((alive[i / 64] >> i % 64 & 1) != 0) {
                items[to++] = items[i];
            }
        }
        items.resize(to);
        alive.assign((to + 63) / 64, ~std::uint64_t(0));
        if (to % 64 != 0) {
            alive.back() = (std::uint64_t(1) << to % 64) - 1;
        }
        index();
    }
    void come(Thing &one) { journal.come(one); }
    void leave(Thing &one) { journal.leave(one); }
    template <class Visit> void pass(Visit visit) {
        for (std::size_t word = 0; word < alive.size(); word++) {
            for (std::uint64_t bits = alive[word]; bits != 0; bits &= bits - 1) {
                visit(items[word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits))]);
            }
        }
        journal.replay(*this);
        if (items.size() - count > items.size() / 4) {
            squeeze();
        }
    }
};

// By hand: pointers in an array, NULL for those that have left, and each object knows its place, plus one.
struct HandPlaced {
    using Thing = placed;
    struct Change {
        placed *one;
        bool comes;
    };
    std::vector<placed *> items;
    std::vector<Change> changes;
    std::size_t count = 0;

    void add(Thing &one) {
        if (one.place == 0) {
            items.push_back(&one);
            one.place = static_cast<std::uint32_t>(items.size());
            count++;
        }
    }
    void come(Thing &one) { changes.push_back({&one, true}); }
    void leave(Thing &one) { changes.push_back({&one, false}); }
    template <class Visit> void pass(Visit visit) {
        for (placed *one : items) {
            if (one != nullptr) {
                visit(*one);
            }
        }
        for (const Change &change : changes) {
            if (change.comes) {
                add(*change.one);
            } else if (change.one->place != 0) {
                items[change.one->place - 1] = nullptr;
                change.one->place = 0;
                count--;
            }
        }
        changes.clear();
        if (items.size() - count > items.size() / 4) {
            std::size_t to = 0;
            for (placed *one : items) {
                if (one != nullptr) {
                    items[to++] = one;
                    one->place = static_cast<std::uint32_t>(to);
                }
            }
            items.resize(to);
        }
    }
};

template <class Peer> void waiting(const Case &of, const char *name) {
    bench::add_once(of, name, [](Stopwatch &watch, const Case &of) { return wait<Peer>(watch, of); });
}

int all() {
    for (std::size_t n : {std::size_t(1000), std::size_t(100000)}) {
        for (std::uint32_t period : {1000u, 100u}) {
            Case of = {"others", 64, n, period == 1000 ? "r0.1" : "r1"};
            others<map_peer>(of, "bespoke-slot-map", period);
            others<slots_peer>(of, "bespoke-slot-array", period);
            others<kept_peer>(of, "bespoke-tombstone", period);
            others<Hand>(of, "hand", period);
            others<Colony>(of, "plf::colony", period);
            others<Intrusive>(of, "boost::intrusive", period);
            others<Nodes<std::list<e64>>>(of, "std::list", period);
        }
        Case of = {"cursors", 64, n, "-"};
        bench::add(of, "bespoke-three", [](benchmark::State &state, const Case &of) { cursors(state, of, 3); });
        bench::add(of, "bespoke-alone", [](benchmark::State &state, const Case &of) { cursors(state, of, 0); });
        bench::add(of, "hand", plain);

        Case values = {"waiting", 64, n, "values"};
        waiting<values_peer>(values, "bespoke");
        waiting<HandValues>(values, "hand");
        waiting<Mapped<Values>>(values, "boost::unordered_flat_map+std::list");
        Case objects = {"waiting", 64, n, "objects"};
        waiting<objects_peer>(objects, "bespoke");
        waiting<placed_peer>(objects, "bespoke-intrusive");
        waiting<HandPlaced>(objects, "hand");
        waiting<Mapped<Objects>>(objects, "boost::unordered_flat_map+std::list");
    }
    return 0;
}

const int registered = all();

} // namespace
