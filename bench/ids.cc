// Sets of small numbers. n numbers below 2 n: half of those that there may be. `contains`: is a random one in? `change`: a random one is
// removed if it is in, and added if it is not. `walk`: a loop over all. `unite`: all of another set are added, half of which are new; what it
// takes to make both sets anew is not measured.

#include "bench.hh"

#include <vector>

#include <absl/container/flat_hash_set.h>
#include <boost/container/flat_set.hpp>
#include <boost/dynamic_bitset.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "ids.h"

namespace {

using bench::Case;

// -- the sets: all have contains, flip, add, each and unite ------------------------------------------------------------------

class Bespoke {
public:
    ~Bespoke() { numbers_deinit(&set); }
    bool contains(std::size_t one) const { return numbers_contains(&set, one); }
    void add(std::size_t one) {
        if (numbers_add(&set, one) == NUMBERS_NO_MEMORY) {
            bench::out_of_memory();
        }
    }
    bool flip(std::size_t one) {
        if (numbers_remove(&set, one) == NUMBERS_OK) {
            return false;
        }
        add(one);
        return true;
    }
    template <class Function> void each(Function function) {
        NUMBERS_EACH(&set, one) {
            function(one);
        }
    }
    void unite(const Bespoke &other) {
        if (numbers_unite(&set, &other.set) != NUMBERS_OK) {
            bench::out_of_memory();
        }
    }
    std::size_t count() const { return numbers_count(&set); }

private:
    numbers set = {};
};

// The bitmap that a program has: words that double, and a count.
class Hand {
public:
    ~Hand() { std::free(words); }
    bool contains(std::size_t one) const { return one / 64 < length && (words[one / 64] >> one % 64 & 1) != 0; }
    void add(std::size_t one) {
        if (one / 64 >= length) {
            grow(one / 64 + 1);
        }
        number += !contains(one);
        words[one / 64] |= std::uint64_t(1) << one % 64;
    }
    bool flip(std::size_t one) {
        if (contains(one)) {
            words[one / 64] &= ~(std::uint64_t(1) << one % 64);
            number--;
            return false;
        }
        add(one);
        return true;
    }
    template <class Function> void each(Function function) {
        for (std::size_t word = 0; word < length; word++) {
            for (std::uint64_t bits = words[word]; bits != 0; bits &= bits - 1) {
                function(word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits)));
            }
        }
    }
    void unite(const Hand &other) {
        if (other.length > length) {
            grow(other.length);
        }
        number = 0;
        for (std::size_t word = 0; word < length; word++) {
            words[word] |= word < other.length ? other.words[word] : 0;
            number += static_cast<std::size_t>(__builtin_popcountll(words[word]));
        }
    }
    std::size_t count() const { return number; }

private:
    void grow(std::size_t least) {
        std::size_t most = length * 2 > least ? length * 2 : least;
        words = static_cast<std::uint64_t *>(std::realloc(words, most * sizeof *words));
        if (words == nullptr) {
            bench::out_of_memory();
        }
        for (; length < most; length++) {
            words[length] = 0;
        }
    }
    std::uint64_t *words = nullptr;
    std::size_t length = 0;
    std::size_t number = 0;
};

// Its count goes by all bits, so it is kept beside it.
class Bitset {
public:
    bool contains(std::size_t one) const { return one < bits.size() && bits.test(one); }
    void add(std::size_t one) {
        if (one >= bits.size()) {
            bits.resize(one + 1 > bits.size() * 2 ? one + 1 : bits.size() * 2);
        }
        number += !bits.test_set(one);
    }
    bool flip(std::size_t one) {
        if (contains(one)) {
            bits.reset(one);
            number--;
            return false;
        }
        add(one);
        return true;
    }
    template <class Function> void each(Function function) {
        for (std::size_t one = bits.find_first(); one != boost::dynamic_bitset<>::npos; one = bits.find_next(one)) {
            function(one);
        }
    }
    void unite(const Bitset &other) {
        if (bits.size() < other.bits.size()) {
            bits.resize(other.bits.size());
        }
        if (bits.size() == other.bits.size()) {
            bits |= other.bits;
        } else { // both must have one size
            boost::dynamic_bitset<> rest = other.bits;
            rest.resize(bits.size());
            bits |= rest;
        }
        number = bits.count();
    }
    std::size_t count() const { return number; }

private:
    boost::dynamic_bitset<> bits;
    std::size_t number = 0;
};

template <class Set> class Std {
public:
    bool contains(std::size_t one) const { return set.find(static_cast<std::uint32_t>(one)) != set.end(); }
    void add(std::size_t one) { set.insert(static_cast<std::uint32_t>(one)); }
    bool flip(std::size_t one) {
        if (set.erase(static_cast<std::uint32_t>(one)) != 0) {
            return false;
        }
        add(one);
        return true;
    }
    template <class Function> void each(Function function) {
        for (std::uint32_t one : set) {
            function(one);
        }
    }
    void unite(const Std &other) { set.insert(other.set.begin(), other.set.end()); }
    std::size_t count() const { return set.size(); }

private:
    Set set;
};

// -- the work ----------------------------------------------------------------------------------------------------------------

template <class Set> void fill(Set &set, std::size_t n, std::uint64_t seed) {
    bench::Random random(seed);
    while (set.count() < n) {
        set.add(random.below(2 * n));
    }
}

template <class Set> void contains(benchmark::State &state, const Case &of) {
    Set set;
    fill(set, of.n, of.n);
    std::uint64_t sum = 0;
    bench::Random again(1);
    for (std::size_t i = 0; i < 10000; i++) {
        sum += set.contains(again.below(2 * of.n));
    }
    bench::same(state, of, sum);
    bench::Random random(2);
    for (auto _ : state) {
        for (std::size_t i = 0; i < 1000; i++) {
            sum += set.contains(random.below(2 * of.n));
        }
        benchmark::DoNotOptimize(sum);
    }
}

template <class Set> std::uint64_t change(bench::Stopwatch &watch, const Case &of) {
    Set set;
    bench::Random random(3);
    std::uint64_t sum = 0;
    fill(set, of.n, of.n);
    watch.start();
    for (std::size_t i = 0; i < 10000; i++) {
        sum = sum * 3 + set.flip(random.below(2 * of.n));
    }
    watch.stop();
    return sum + set.count();
}

template <class Set> void walk(benchmark::State &state, const Case &of) {
    Set set;
    fill(set, of.n, of.n);
    std::uint64_t sum = 0;
    set.each([&](std::size_t one) { sum += one; });
    bench::same(state, of, sum);
    for (auto _ : state) {
        set.each([&](std::size_t one) { sum += one; });
        benchmark::DoNotOptimize(sum);
    }
}

template <class Set> std::uint64_t unite(bench::Stopwatch &watch, const Case &of) {
    Set sets[16];
    Set other;
    fill(other, of.n, 7);
    for (Set &set : sets) {
        fill(set, of.n, of.n);
    }
    watch.start();
    for (Set &set : sets) {
        set.unite(other);
    }
    watch.stop();
    return sets[0].count() * 17 + sets[15].count();
}

template <class Set> void of_set(std::size_t n, const char *peer) {
    bench::add({"ids", 4, n, "contains"}, peer, contains<Set>);
    bench::add_once({"ids", 4, n, "change"}, peer, change<Set>);
    bench::add({"ids", 4, n, "walk"}, peer, walk<Set>);
    bench::add_once({"ids", 4, n, "unite"}, peer, unite<Set>);
}

int register_all() {
    for (std::size_t n : {std::size_t(64), std::size_t(1000), std::size_t(100000)}) {
        of_set<Bespoke>(n, "bespoke");
        of_set<Hand>(n, "hand");
        of_set<Bitset>(n, "boost::dynamic_bitset");
        of_set<Std<absl::flat_hash_set<std::uint32_t>>>(n, "absl::flat_hash_set");
        of_set<Std<boost::unordered_flat_set<std::uint32_t>>>(n, "boost::unordered_flat_set");
        if (n <= 1000) { // an add moves all behind it
            of_set<Std<boost::container::flat_set<std::uint32_t>>>(n, "boost::container::flat_set");
        }
    }
    return 0;
}

const int registered = register_all();

} // namespace
