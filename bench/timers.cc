// Timers, each of which has its links in itself. `expire`: the first is removed and added again for later, as of an event loop that is
// idle. `reset`: any of them gets another deadline, as the timeout of a connection on which something came. `churn`: any of them is
// removed, and one is added. n elements, and at least 2,000 operations; deadlines are different, so all peers expire in one order.

#include "bench.hh"

#include <vector>

#include <boost/heap/pairing_heap.hpp>
#include <boost/intrusive/avl_set.hpp>
#include <boost/intrusive/set.hpp>
#include <boost/intrusive/splay_set.hpp>
#include <boost/intrusive/treap_set.hpp>
#include <bsd/sys/tree.h>

#include "timers.h"

namespace {

using bench::Case;

// -- the queues: all have add, first, remove, and change, which gives one that is in another deadline ---------------------------

struct alignas(64) Ours : timer128 {};

#define BESPOKE_TIMERS(Name, T, TT)                                                                                            \
    class Name {                                                                                                               \
    public:                                                                                                                    \
        using Timer = Ours;                                                                                                     \
        ~Name() { T##_deinit(&list); }                                                                                         \
        void add(Timer *one) { (void)T##_add(&list, one); }                                                                    \
        Timer *first() { return static_cast<Timer *>(T##_first(&list)); }                                                      \
        void remove(Timer *one) { T##_remove(&list, one); }                                                                    \
        void change(Timer *one, std::uint64_t due) {                                                                           \
            one->due = due;                                                                                                    \
            T##_rekey(&list, one);                                                                                             \
        }                                                                                                                      \
                                                                                                                               \
    private:                                                                                                                   \
        T list = {};                                                                                                           \
    };

BESPOKE_TIMERS(Heap, timer_heap, TIMER_HEAP)
BESPOKE_TIMERS(Stable, stable_heap, STABLE_HEAP)
BESPOKE_TIMERS(Tree, timer_tree, TIMER_TREE)

namespace bi = boost::intrusive;

template <class Hook> struct alignas(64) Hooked : Hook {
    std::uint64_t due = 0;
    std::uint32_t id = 0;
    char rest[64];
    friend bool operator<(const Hooked &a, const Hooked &b) { return a.due < b.due; }
    friend bool priority_order(const Hooked &a, const Hooked &b) { return &a < &b; } // of a treap: as the memory lies
};

template <class Hook, template <class, class...> class Set> class Intrusive {
public:
    using Timer = Hooked<Hook>;
    ~Intrusive() { set.clear(); }
    void add(Timer *one) { set.insert(*one); }
    Timer *first() { return &*set.begin(); }
    void remove(Timer *one) { set.erase(set.iterator_to(*one)); }
    void change(Timer *one, std::uint64_t due) {
        remove(one);
        one->due = due;
        add(one);
    }

private:
    Set<Timer> set;
};
using Plain = bi::link_mode<bi::normal_link>;
template <class T, class...> using RedBlack = bi::multiset<T>;
template <class T, class...> using Avl = bi::avl_multiset<T>;
template <class T, class...> using Treap = bi::treap_multiset<T>;
template <class T, class...> using Splay = bi::splay_multiset<T>;

// The heap of pairs holds pointers in nodes of its own; a handle leads to them.
struct alignas(64) Handled {
    struct Later {
        bool operator()(const Handled *a, const Handled *b) const { return a->due > b->due; }
    };
    using Queue = boost::heap::pairing_heap<Handled *, boost::heap::compare<Later>>;
    std::uint64_t due = 0;
    std::uint32_t id = 0;
    Queue::handle_type handle;
    char rest[64];
};

class Pairing {
public:
    using Timer = Handled;
    void add(Timer *one) { one->handle = queue.push(one); }
    Timer *first() { return queue.top(); }
    void remove(Timer *one) { queue.erase(one->handle); }
    void change(Timer *one, std::uint64_t due) {
        one->due = due;
        queue.update(one->handle);
    }

private:
    Handled::Queue queue;
};

// The macros of the BSDs: a splay tree, as curl has one for its timeouts, and a red-black tree.
struct alignas(64) Macroed {
    SPLAY_ENTRY(Macroed) splayed;
    RB_ENTRY(Macroed) linked;
    std::uint64_t due;
    std::uint32_t id;
    char rest[32];
};
int before(Macroed *a, Macroed *b) {
    return a->due < b->due ? -1 : a->due > b->due;
}
SPLAY_HEAD(splay_tree, Macroed);
RB_HEAD(rb_tree, Macroed);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
SPLAY_PROTOTYPE(splay_tree, Macroed, splayed, before)
SPLAY_GENERATE(splay_tree, Macroed, splayed, before)
RB_PROTOTYPE(rb_tree, Macroed, linked, before)
RB_GENERATE(rb_tree, Macroed, linked, before)
#pragma GCC diagnostic pop

class BsdSplay {
public:
    using Timer = Macroed;
    void add(Timer *one) { SPLAY_INSERT(splay_tree, &tree, one); }
    Timer *first() { return SPLAY_MIN(splay_tree, &tree); }
    void remove(Timer *one) { SPLAY_REMOVE(splay_tree, &tree, one); }
    void change(Timer *one, std::uint64_t due) {
        remove(one);
        one->due = due;
        add(one);
    }

private:
    splay_tree tree = SPLAY_INITIALIZER(&tree);
};

class BsdRedBlack {
public:
    using Timer = Macroed;
    void add(Timer *one) { RB_INSERT(rb_tree, &tree, one); }
    Timer *first() { return RB_MIN(rb_tree, &tree); }
    void remove(Timer *one) { RB_REMOVE(rb_tree, &tree, one); }
    void change(Timer *one, std::uint64_t due) {
        remove(one);
        one->due = due;
        add(one);
    }

private:
    rb_tree tree = RB_INITIALIZER(&tree);
};

// -- the work ----------------------------------------------------------------------------------------------------------------

// Deadlines are all different: their lowest 24 bits count them.
class Deadlines {
public:
    explicit Deadlines(std::size_t n) : random(n) {}
    std::uint64_t after(std::uint64_t now) { return (((now >> 24) + random.below(1u << 20)) << 24) + (number++ & 0xffffff); }
    std::uint32_t below(std::size_t n) { return random.below(n); }

private:
    bench::Random random;
    std::uint64_t number = 0;
};

template <class Queue> std::vector<typename Queue::Timer> made(Queue &queue, Deadlines &deadlines, std::size_t n) {
    std::vector<typename Queue::Timer> timers(n);
    std::vector<std::uint32_t> turns(n); // memory lies in another order than timers are added in
    for (std::size_t i = 0; i < n; i++) {
        turns[i] = static_cast<std::uint32_t>(i);
        std::swap(turns[i], turns[deadlines.below(i + 1)]);
    }
    for (std::uint32_t id : turns) {
        timers[id].id = id;
        timers[id].due = deadlines.after(0);
        queue.add(&timers[id]);
    }
    return timers;
}

inline std::size_t operations(std::size_t n) { return n < 2000 ? 2000 : n; }

template <class Queue> std::uint64_t expire(bench::Stopwatch &watch, const Case &of) {
    Deadlines deadlines(of.n);
    std::uint64_t sum = 0;
    std::vector<typename Queue::Timer> timers;
    Queue queue;
    timers = made(queue, deadlines, of.n);
    watch.start();
    for (std::size_t i = 0; i < operations(of.n); i++) {
        typename Queue::Timer *one = queue.first();
        sum = sum * 31 + one->id;
        queue.remove(one);
        one->due = deadlines.after(one->due);
        queue.add(one);
    }
    watch.stop();
    return sum;
}

template <class Queue> std::uint64_t reset(bench::Stopwatch &watch, const Case &of) {
    Deadlines deadlines(of.n);
    std::uint64_t now = 0;
    std::vector<typename Queue::Timer> timers;
    Queue queue;
    timers = made(queue, deadlines, of.n);
    watch.start();
    for (std::size_t i = 0; i < operations(of.n); i++) {
        now += std::uint64_t(1) << 24;
        queue.change(&timers[deadlines.below(of.n)], deadlines.after(now));
    }
    watch.stop();
    return queue.first()->id;
}

template <class Queue> std::uint64_t churn(bench::Stopwatch &watch, const Case &of) {
    Deadlines deadlines(of.n);
    std::uint64_t now = 0;
    std::vector<typename Queue::Timer> timers;
    Queue queue;
    timers = made(queue, deadlines, of.n);
    watch.start();
    for (std::size_t i = 0; i < operations(of.n); i++) {
        typename Queue::Timer *one = &timers[deadlines.below(of.n)];
        queue.remove(one);
        now += std::uint64_t(1) << 24;
        one->due = deadlines.after(now);
        queue.add(one);
    }
    watch.stop();
    return queue.first()->id;
}

template <class Queue> void of_queue(const Case &of, const char *peer) {
    Case it = of;
    it.what = "expire";
    bench::add_once(it, peer, expire<Queue>);
    it.what = "reset";
    bench::add_once(it, peer, reset<Queue>);
    it.what = "churn";
    bench::add_once(it, peer, churn<Queue>);
}

int register_all() {
    for (std::size_t n : {std::size_t(10), std::size_t(100), std::size_t(1000), std::size_t(10000), std::size_t(100000)}) {
        const Case of = {"timers", 128, n, ""};
        of_queue<Heap>(of, "bespoke");
        of_queue<Stable>(of, "bespoke-stable");
        of_queue<Tree>(of, "bespoke-tree");
        of_queue<Intrusive<bi::set_base_hook<Plain>, RedBlack>>(of, "boost::intrusive::multiset");
        of_queue<Intrusive<bi::avl_set_base_hook<Plain>, Avl>>(of, "boost::intrusive::avl_multiset");
        of_queue<Intrusive<bi::bs_set_base_hook<Plain>, Treap>>(of, "boost::intrusive::treap_multiset");
        of_queue<Intrusive<bi::bs_set_base_hook<Plain>, Splay>>(of, "boost::intrusive::splay_multiset");
        of_queue<Pairing>(of, "boost::heap::pairing_heap");
        of_queue<BsdSplay>(of, "SPLAY");
        of_queue<BsdRedBlack>(of, "RB");
    }
    return 0;
}

const int registered = register_all();

} // namespace
