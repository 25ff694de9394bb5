// What the benchmarks share: names, the check that peers agree, random numbers, the sizes.
//
// A benchmark is named workload/size/n/what/peer: `iterate/64/1000/erased50/plf::colony`. Those that agree in all but the last are
// one case: bench/run.py runs a case at a time, its peers interleaved, and prints ratios of the medians of their times. `hand` is the
// loop an engineer would write in C; what begins with `bespoke` is emitted code.
#ifndef BENCH_HH
#define BENCH_HH

#include <benchmark/benchmark.h>

#include <chrono>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <map>
#include <string>
#include <time.h>

#include "elements.h"

namespace bench {

struct Case {
    const char *workload;
    int size;         // bytes of an element
    std::size_t n;    // elements
    std::string what; // parameters: `erased50`; `-` if there are none

    std::string name() const {
        return std::string(workload) + "/" + std::to_string(size) + "/" + std::to_string(n) + "/" + what;
    }
};

// The sum must be the same for all peers of a case, each time: otherwise they did not do the same work, and nothing is measured.
inline void same(benchmark::State &state, const Case &of, std::uint64_t sum) {
    static std::map<std::string, std::uint64_t> sums;
    auto found = sums.emplace(of.name(), sum);
    if (!found.second && found.first->second != sum) {
        state.SkipWithError("another result than its peers");
    }
}

// Vigna's splitmix64: the same numbers everywhere.
class Random {
public:
    explicit Random(std::uint64_t seed) : state(seed) {}

    std::uint64_t next() {
        std::uint64_t z = state += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

    // One of 0 ... below - 1; below is less than 2^32.
    std::uint32_t below(std::size_t below) {
        return static_cast<std::uint32_t>(((next() >> 32) * below) >> 32);
    }

private:
    std::uint64_t state;
};

// The time of a part of an iteration, for benchmarks with UseManualTime: what comes before and after is not measured. The lesser of
// two clocks counts: what else runs on the machine is in the one on the wall; the thread's own takes as long to read as short work.
class Stopwatch {
public:
    void start() {
        thread_begun = thread();
        begun = std::chrono::steady_clock::now();
    }
    void stop() {
        double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
        double own = thread() - thread_begun;
        seconds += own < wall ? own : wall;
    }

    double seconds = 0;

private:
    std::chrono::steady_clock::time_point begun;
    double thread_begun = 0;

    static double thread() {
        timespec time = {};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    }
};

inline std::string full_name(const Case &of, const char *peer) {
    return of.name() + "/" + peer;
}

// `body(state, case)` measures with `for (auto _ : state)`, calls `same` before or after, and lets the library find how often.
template <class Body> void add(const Case &of, const char *peer, Body body) {
    benchmark::RegisterBenchmark(full_name(of, peer).c_str(), [=](benchmark::State &state) { body(state, of); });
}

// The same for work that changes what it works on: `body(stopwatch, case)` does all of it once, and returns the sum.
template <class Body> void add_once(const Case &of, const char *peer, Body body) {
    benchmark::RegisterBenchmark(full_name(of, peer).c_str(), [=](benchmark::State &state) {
        for (auto _ : state) {
            Stopwatch watch;
            std::uint64_t sum = body(watch, of);
            state.SetIterationTime(watch.seconds);
            same(state, of, sum);
        }
    })->UseManualTime();
}

// What was freed stays with the program, as in a game that runs. Else one large block goes back to the system each time, many small ones do
// not, and what is measured of it is how long the system takes for its pages.
inline void keep_memory() {
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

[[noreturn]] inline void out_of_memory() {
    std::fputs("out of memory\n", stderr);
    std::abort();
}

} // namespace bench

#endif
