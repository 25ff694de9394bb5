// A priority queue. `hold`: it has n elements, of which the first is popped and added again with a later key, n times, as by events of a
// simulation. `drain`: n elements are added one by one and popped until it is empty. `decrease`: it has n elements; n times one of them,
// by its handle, gets an earlier key, and the first is popped and added again for every eighth, as by A*.

#include "bench.hh"

#include <queue>
#include <vector>

#include <boost/heap/d_ary_heap.hpp>
#include <glib.h>

#include "heap.h"

namespace {

using bench::Case;

template <class Element> struct Later {
    bool operator()(const Element &a, const Element &b) const { return a.id > b.id; }
};

// -- the queues: all have push, which gives a handle, and pop; those that can have decrease ----------------------------------

#define BESPOKE_HEAP(Name, Element, T, TT)                                                                                     \
    class Name {                                                                                                               \
    public:                                                                                                                    \
        using Handle = int;                                                                                                    \
        ~Name() { T##_deinit(&list); }                                                                                         \
        Handle push(const Element &one) {                                                                                      \
            if (T##_add(&list, one) != TT##_OK) {                                                                              \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
            return 0;                                                                                                          \
        }                                                                                                                      \
        Element pop() {                                                                                                        \
            Element one;                                                                                                       \
            T##_pop(&list, &one);                                                                                              \
            return one;                                                                                                        \
        }                                                                                                                      \
                                                                                                                               \
    private:                                                                                                                   \
        T list = {};                                                                                                           \
    };

#define BESPOKE_HELD(Name, Element, T, TT)                                                                                     \
    class Name {                                                                                                               \
    public:                                                                                                                    \
        using Handle = T##_handle;                                                                                             \
        ~Name() { T##_deinit(&list); }                                                                                         \
        Handle push(const Element &one) {                                                                                      \
            Handle handle;                                                                                                     \
            if (T##_add_handle(&list, one, &handle) != TT##_OK) {                                                              \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
            return handle;                                                                                                     \
        }                                                                                                                      \
        Element pop() {                                                                                                        \
            Element one;                                                                                                       \
            T##_pop(&list, &one);                                                                                              \
            return one;                                                                                                        \
        }                                                                                                                      \
        void decrease(Handle handle, std::uint32_t by) {                                                                       \
            Element *one = T##_get(&list, handle);                                                                             \
            one->id -= one->id < by ? one->id : by;                                                                            \
            T##_rekey(&list, handle);                                                                                          \
        }                                                                                                                      \
                                                                                                                               \
    private:                                                                                                                   \
        T list = {};                                                                                                           \
    };

BESPOKE_HEAP(Heap16, due16, heap16, HEAP16)
BESPOKE_HEAP(Heap64, due64, heap64, HEAP64)
BESPOKE_HELD(Held16, due16, held16, HELD16)
BESPOKE_HELD(Held64, due64, held64, HELD64)

template <class Element> class Std {
public:
    using Handle = int;
    Handle push(const Element &one) {
        queue.push(one);
        return 0;
    }
    Element pop() {
        Element one = queue.top();
        queue.pop();
        return one;
    }

private:
    std::priority_queue<Element, std::vector<Element>, Later<Element>> queue;
};

template <class Element> class Boost {
    using Queue = boost::heap::d_ary_heap<Element, boost::heap::arity<4>, boost::heap::mutable_<true>, boost::heap::compare<Later<Element>>>;

public:
    using Handle = typename Queue::handle_type;
    Handle push(const Element &one) { return queue.push(one); }
    Element pop() {
        Element one = queue.top();
        queue.pop();
        return one;
    }
    void decrease(Handle handle, std::uint32_t by) {
        (*handle).id -= (*handle).id < by ? (*handle).id : by;
        queue.increase(handle);
    }

private:
    Queue queue;
};

template <class Element> class Glib {
public:
    using Handle = GSequenceIter *;
    ~Glib() { g_sequence_free(queue); }
    Handle push(const Element &one) { return g_sequence_insert_sorted(queue, new Element(one), before, nullptr); }
    Element pop() {
        GSequenceIter *first = g_sequence_get_begin_iter(queue);
        Element *held = static_cast<Element *>(g_sequence_get(first));
        Element one = *held;
        g_sequence_remove(first);
        return one;
    }
    void decrease(Handle handle, std::uint32_t by) {
        Element *one = static_cast<Element *>(g_sequence_get(handle));
        one->id -= one->id < by ? one->id : by;
        g_sequence_sort_changed(handle, before, nullptr);
    }

private:
    static int before(gconstpointer a, gconstpointer b, gpointer) {
        std::uint32_t one = static_cast<const Element *>(a)->id;
        std::uint32_t other = static_cast<const Element *>(b)->id;
        return one < other ? -1 : one > other;
    }
    static void destroy(gpointer one) { delete static_cast<Element *>(one); }

    GSequence *queue = g_sequence_new(destroy);
};

// -- the work ----------------------------------------------------------------------------------------------------------------

template <class Element> Element made(std::uint32_t key, std::uint32_t number) {
    Element one = {};
    one.id = key;
    one.hp = static_cast<std::int32_t>(number);
    return one;
}

template <class Element, class Queue> std::uint64_t hold(bench::Stopwatch &watch, const Case &of) {
    bench::Random random(of.n);
    Queue queue;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < of.n; i++) {
        queue.push(made<Element>(random.below(1u << 20), 0));
    }
    watch.start();
    for (std::size_t i = 0; i < of.n; i++) {
        Element one = queue.pop();
        sum = sum * 31 + one.id;
        one.id += random.below(1u << 20);
        queue.push(one);
    }
    watch.stop();
    return sum;
}

template <class Element, class Queue> std::uint64_t drain(bench::Stopwatch &watch, const Case &of) {
    bench::Random random(of.n);
    Queue queue;
    std::uint64_t sum = 0;
    watch.start();
    for (std::size_t i = 0; i < of.n; i++) {
        queue.push(made<Element>(random.below(1u << 30), 0));
    }
    for (std::size_t i = 0; i < of.n; i++) {
        sum = sum * 31 + queue.pop().id;
    }
    watch.stop();
    return sum;
}

// Keys are all different, so that all queues pop the same elements: their lowest 20 bits are those of their number.
template <class Element, class Queue> std::uint64_t decrease(bench::Stopwatch &watch, const Case &of) {
    bench::Random random(of.n);
    Queue queue;
    std::vector<typename Queue::Handle> handles;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < of.n; i++) {
        handles.push_back(queue.push(made<Element>((1u << 31) + (random.below(1u << 10) << 20) + static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i))));
    }
    watch.start();
    for (std::size_t i = 0; i < of.n; i++) {
        queue.decrease(handles[random.below(of.n)], random.below(1u << 3) << 20);
        if (i % 8 == 0) {
            Element one = queue.pop();
            sum = sum * 31 + one.id;
            one.id += random.below(1u << 9) << 20;
            handles[static_cast<std::size_t>(one.hp)] = queue.push(one);
        }
    }
    watch.stop();
    return sum;
}

template <class Element, class Bespoke, class Held> void of_size(int size) {
    for (std::size_t n : {std::size_t(1000), std::size_t(100000)}) {
        const Case held = {"heap", size, n, "hold"}, drained = {"heap", size, n, "drain"}, decreased = {"heap", size, n, "decrease"};
        bench::add_once(held, "bespoke", hold<Element, Bespoke>);
        bench::add_once(held, "bespoke-handles", hold<Element, Held>);
        bench::add_once(held, "std::priority_queue", hold<Element, Std<Element>>);
        bench::add_once(held, "boost::d_ary_heap", hold<Element, Boost<Element>>);
        bench::add_once(held, "GSequence", hold<Element, Glib<Element>>);
        bench::add_once(drained, "bespoke", drain<Element, Bespoke>);
        bench::add_once(drained, "bespoke-handles", drain<Element, Held>);
        bench::add_once(drained, "std::priority_queue", drain<Element, Std<Element>>);
        bench::add_once(drained, "boost::d_ary_heap", drain<Element, Boost<Element>>);
        bench::add_once(drained, "GSequence", drain<Element, Glib<Element>>);
        bench::add_once(decreased, "bespoke-handles", decrease<Element, Held>);
        bench::add_once(decreased, "boost::d_ary_heap", decrease<Element, Boost<Element>>);
        bench::add_once(decreased, "GSequence", decrease<Element, Glib<Element>>);
    }
}

int register_all() {
    of_size<due16, Heap16, Held16>(16);
    of_size<due64, Heap64, Held64>(64);
    return 0;
}

const int registered = register_all();

} // namespace
