// A loop over all elements that reads one member.

#include "bench.hh"

#include "iterate.h"

namespace {

using bench::Case;

// The same elements for all: numbered from 0.
template <class Element> Element numbered(std::size_t number) {
    Element one = {};
    one.id = static_cast<std::uint32_t>(number);
    return one;
}

#define BESPOKE_DENSE(size)                                                                                                    \
    void dense(benchmark::State &state, const Case &of, e##size) {                                                             \
        dense_##size list = {};                                                                                                \
        for (std::size_t i = 0; i < of.n; i++) {                                                                               \
            if (dense_##size##_add(&list, numbered<e##size>(i)) != DENSE_##size##_OK) {                                        \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
        }                                                                                                                      \
        std::uint32_t sum = 0;                                                                                                 \
        for (auto _ : state) {                                                                                                 \
            sum = 0;                                                                                                           \
            DENSE_##size##_EACH(&list, one) {                                                                                  \
                sum += one->id;                                                                                                \
            }                                                                                                                  \
            benchmark::DoNotOptimize(sum);                                                                                     \
        }                                                                                                                      \
        bench::same(state, of, sum);                                                                                           \
        dense_##size##_deinit(&list);                                                                                          \
    }

BESPOKE_DENSE(16)
BESPOKE_DENSE(64)

template <class Element> void hand(benchmark::State &state, const Case &of) {
    Element *items = static_cast<Element *>(std::malloc(of.n * sizeof *items));
    if (items == nullptr) {
        bench::out_of_memory();
    }
    for (std::size_t i = 0; i < of.n; i++) {
        items[i] = numbered<Element>(i);
    }
    std::size_t count = of.n;
    std::uint32_t sum = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(items);
        benchmark::DoNotOptimize(count);
        sum = 0;
        for (std::size_t i = 0; i < count; i++) {
            sum += items[i].id;
        }
        benchmark::DoNotOptimize(sum);
    }
    bench::same(state, of, sum);
    std::free(items);
}

template <class Element> void each_size() {
    for (std::size_t n : {std::size_t(16), std::size_t(1000), std::size_t(100000), std::size_t(1000000)}) {
        Case of = {"iterate", sizeof(Element), n, "-"};
        bench::add(of, "bespoke", [](benchmark::State &state, const Case &of) { dense(state, of, Element()); });
        bench::add(of, "hand", hand<Element>);
    }
}

const int registered = (each_size<e16>(), each_size<e64>(), 0);

} // namespace
