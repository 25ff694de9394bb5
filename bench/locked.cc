// Others leave during a pass; several passes at once.
//
// `others`: elements with even numbers strike others down, which must not be visited any more, and come back after the pass. `cursors`:
// a loop that changes all elements while three more passes are under way, and nothing leaves.

#include "bench.hh"

#include <boost/intrusive/list.hpp>
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
    }
    return 0;
}

const int registered = all();

} // namespace
