// A queue. `queue`: it has n elements, of which the first is popped and another is pushed at the end, n times. `ends`: n times an element
// is pushed or popped at either end, at random. `fill`: n elements are pushed one by one, and popped. `walk`: a loop over n elements that
// wrap around. `last`: the last 1,024 of n elements are kept.

#include "bench.hh"

#include <deque>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <boost/circular_buffer.hpp>

#include "ring.h"

namespace {

using bench::Case;

template <class Element> Element made(std::uint32_t number) {
    Element one = {};
    one.id = number;
    return one;
}

// -- the queues ---------------------------------------------------------------------------------------------------------------

#define BESPOKE_RING(Name, Element, T, TT)                                                                                     \
    class Name {                                                                                                               \
    public:                                                                                                                    \
        ~Name() { T##_deinit(&list); }                                                                                         \
        void push_back(const Element &one) {                                                                                   \
            if (T##_add(&list, one) > TT##_OK) {                                                                               \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
        }                                                                                                                      \
        void push_front(const Element &one) {                                                                                  \
            if (T##_add_front(&list, one) > TT##_OK) {                                                                         \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
        }                                                                                                                      \
        Element pop_front() {                                                                                                  \
            Element one;                                                                                                       \
            T##_pop(&list, &one);                                                                                              \
            return one;                                                                                                        \
        }                                                                                                                      \
        Element pop_back() {                                                                                                   \
            Element one;                                                                                                       \
            T##_pop_back(&list, &one);                                                                                         \
            return one;                                                                                                        \
        }                                                                                                                      \
        std::size_t size() const { return T##_count(&list); }                                                                  \
        std::uint64_t walk() {                                                                                                 \
            std::uint64_t sum = 0;                                                                                             \
            TT##_EACH(&list, one) {                                                                                            \
                sum += one->id;                                                                                                \
            }                                                                                                                  \
            return sum;                                                                                                        \
        }                                                                                                                      \
                                                                                                                               \
    private:                                                                                                                   \
        T list = {};                                                                                                           \
    };

BESPOKE_RING(Ring16, e16, ring16, RING16)
BESPOKE_RING(Ring64, e64, ring64, RING64)
BESPOKE_RING(Last16, e16, last16, LAST16)
BESPOKE_RING(Last64, e64, last64, LAST64)

template <class Queue, class Element> class Of {
public:
    void push_back(const Element &one) { queue.push_back(one); }
    void push_front(const Element &one) { queue.push_front(one); }
    Element pop_front() {
        Element one = queue.front();
        queue.pop_front();
        return one;
    }
    Element pop_back() {
        Element one = queue.back();
        queue.pop_back();
        return one;
    }
    std::size_t size() const { return queue.size(); }
    std::uint64_t walk() {
        std::uint64_t sum = 0;
        for (const Element &one : queue) {
            sum += one.id;
        }
        return sum;
    }

protected:
    Queue queue;
};

template <class Element> using Deque = Of<std::deque<Element>, Element>;

// boost's has a fixed capacity, in which it overwrites: it grows here as the others do.
template <class Element> class Circular : public Of<boost::circular_buffer<Element>, Element> {
public:
    void push_back(const Element &one) {
        grow();
        this->queue.push_back(one);
    }
    void push_front(const Element &one) {
        grow();
        this->queue.push_front(one);
    }

private:
    void grow() {
        if (this->queue.full()) {
            this->queue.set_capacity(this->queue.capacity() == 0 ? 16 : this->queue.capacity() * 2);
        }
    }
};

template <class Element> class LastCircular : public Of<boost::circular_buffer<Element>, Element> {
public:
    LastCircular() { this->queue.set_capacity(1024); }
};

template <class Element> class LastDeque : public Of<std::deque<Element>, Element> {
public:
    void push_back(const Element &one) {
        if (this->queue.size() == 1024) {
            this->queue.pop_front();
        }
        this->queue.push_back(one);
    }
};

// -- the work -----------------------------------------------------------------------------------------------------------------

// `number` elements, which wrap around where that is possible.
template <class Element, class Queue> void fill(Queue &queue, std::size_t number) {
    for (std::size_t i = 0; i < number; i++) {
        queue.push_back(made<Element>(static_cast<std::uint32_t>(i)));
    }
    for (std::size_t i = 0; i < number / 2; i++) {
        queue.push_back(queue.pop_front());
    }
}

template <class Element, class Queue> std::uint64_t queue(bench::Stopwatch &watch, const Case &of) {
    Queue queue;
    std::uint64_t sum = 0;
    fill<Element>(queue, of.n);
    watch.start();
    for (std::size_t i = 0; i < of.n; i++) {
        Element one = queue.pop_front();
        sum = sum * 31 + one.id;
        one.id += 3;
        queue.push_back(one);
    }
    watch.stop();
    return sum;
}

template <class Element, class Queue> std::uint64_t ends(bench::Stopwatch &watch, const Case &of) {
    bench::Random random(of.n);
    Queue queue;
    std::uint64_t sum = 0;
    fill<Element>(queue, of.n);
    watch.start();
    for (std::size_t i = 0; i < of.n; i++) {
        std::uint32_t what = random.below(4);
        if (what == 0) {
            queue.push_back(made<Element>(static_cast<std::uint32_t>(i)));
        } else if (what == 1) {
            queue.push_front(made<Element>(static_cast<std::uint32_t>(i)));
        } else if (queue.size() > 0) {
            sum = sum * 31 + (what == 2 ? queue.pop_back() : queue.pop_front()).id;
        }
    }
    watch.stop();
    return sum;
}

template <class Element, class Queue> std::uint64_t filled(bench::Stopwatch &watch, const Case &of) {
    Queue queue;
    std::uint64_t sum = 0;
    watch.start();
    for (std::size_t i = 0; i < of.n; i++) {
        queue.push_back(made<Element>(static_cast<std::uint32_t>(i)));
    }
    for (std::size_t i = 0; i < of.n; i++) {
        sum = sum * 31 + queue.pop_front().id;
    }
    watch.stop();
    return sum;
}

template <class Element, class Queue> void walk(benchmark::State &state, const Case &of) {
    Queue queue;
    fill<Element>(queue, of.n);
    bench::same(state, of, queue.walk());
    for (auto _ : state) {
        benchmark::DoNotOptimize(queue.walk());
    }
}

template <class Element, class Queue> std::uint64_t last(bench::Stopwatch &watch, const Case &of) {
    Queue queue;
    watch.start();
    for (std::size_t i = 0; i < of.n; i++) {
        queue.push_back(made<Element>(static_cast<std::uint32_t>(i)));
    }
    watch.stop();
    return queue.walk();
}

template <class Element, class Bespoke, class Last> void of_size(int size) {
    for (std::size_t n : {std::size_t(1000), std::size_t(100000)}) {
        const Case queued = {"ring", size, n, "queue"}, both = {"ring", size, n, "ends"}, all = {"ring", size, n, "fill"},
                   walked = {"ring", size, n, "walk"};
        bench::add_once(queued, "bespoke", queue<Element, Bespoke>);
        bench::add_once(queued, "std::deque", queue<Element, Deque<Element>>);
        bench::add_once(queued, "boost::circular_buffer", queue<Element, Circular<Element>>);
        bench::add_once(both, "bespoke", ends<Element, Bespoke>);
        bench::add_once(both, "std::deque", ends<Element, Deque<Element>>);
        bench::add_once(both, "boost::circular_buffer", ends<Element, Circular<Element>>);
        bench::add_once(all, "bespoke", filled<Element, Bespoke>);
        bench::add_once(all, "std::deque", filled<Element, Deque<Element>>);
        bench::add_once(all, "boost::circular_buffer", filled<Element, Circular<Element>>);
        bench::add(walked, "bespoke", walk<Element, Bespoke>);
        bench::add(walked, "std::deque", walk<Element, Deque<Element>>);
        bench::add(walked, "boost::circular_buffer", walk<Element, Circular<Element>>);
    }
    const Case kept = {"ring", size, 100000, "last"};
    bench::add_once(kept, "bespoke", last<Element, Last>);
    bench::add_once(kept, "std::deque", last<Element, LastDeque<Element>>);
    bench::add_once(kept, "boost::circular_buffer", last<Element, LastCircular<Element>>);
}

int register_all() {
#if defined(__GLIBC__)
    // Memory that is freed stays with the process, for all peers alike. Else `fill` measures who asks the system for pages: a ring of 6 MB
    // did each time, and a deque did not where the large blocks of another peer had raised glibc's thresholds.
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
    of_size<e16, Ring16, Last16>(16);
    of_size<e64, Ring64, Last64>(64);
    return 0;
}

const int registered = register_all();

} // namespace
