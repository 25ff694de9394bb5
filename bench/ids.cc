// Sets of numbers. `ids`: n numbers below 2 n, half of those that there may be. `spread`: the same, but those that there may be lie in runs
// of 64 below 2^32, `-runs`, or each by itself, `-alone`. `contains`: is a random one in? `change`: a random one is
// removed if it is in, and added if it is not. `walk`: a loop over all. `unite`: all of another set are added, half of which are new; what it
// takes to make both sets anew is not measured. `fill`: n random ones are added to a set that grows.

#include "bench.hh"

#include <vector>

#include <absl/container/flat_hash_set.h>
#include <boost/container/flat_set.hpp>
#include <boost/dynamic_bitset.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include <Judy.h>
#include <roaring/roaring.h>

#include "ids.h"

namespace {

using bench::Case;

// -- the sets: all have contains, flip, add, each and unite ------------------------------------------------------------------

// The calls of one of our containers.
struct Numbers {
    using Set = numbers;
    static void deinit(Set *set) { numbers_deinit(set); }
    static bool contains(const Set *set, std::size_t one) { return numbers_contains(set, one); }
    static bool add(Set *set, std::size_t one) { return numbers_add(set, one) != NUMBERS_NO_MEMORY; }
    static bool remove(Set *set, std::size_t one) { return numbers_remove(set, one) == NUMBERS_OK; }
    static bool unite(Set *set, const Set *other) { return numbers_unite(set, other) == NUMBERS_OK; }
    static std::size_t count(const Set *set) { return numbers_count(set); }
    template <class Function> static void each(Set *set, Function function) {
        NUMBERS_EACH(set, one) {
            function(one);
        }
    }
};

struct Sparse {
    using Set = sparse;
    static void deinit(Set *set) { sparse_deinit(set); }
    static bool contains(const Set *set, std::size_t one) { return sparse_contains(set, one); }
    static bool add(Set *set, std::size_t one) { return sparse_add(set, one) != SPARSE_NO_MEMORY; }
    static bool remove(Set *set, std::size_t one) { return sparse_remove(set, one) == SPARSE_OK; }
    static bool unite(Set *set, const Set *other) { return sparse_unite(set, other) == SPARSE_OK; }
    static std::size_t count(const Set *set) { return sparse_count(set); }
    template <class Function> static void each(Set *set, Function function) {
        SPARSE_EACH(set, one) {
            function(one);
        }
    }
};

template <class Calls> class Bespoke {
public:
    ~Bespoke() { Calls::deinit(&set); }
    bool contains(std::size_t one) const { return Calls::contains(&set, one); }
    void add(std::size_t one) {
        if (!Calls::add(&set, one)) {
            bench::out_of_memory();
        }
    }
    bool flip(std::size_t one) {
        if (Calls::remove(&set, one)) {
            return false;
        }
        add(one);
        return true;
    }
    template <class Function> void each(Function function) { Calls::each(&set, function); }
    void unite(const Bespoke &other) {
        if (!Calls::unite(&set, &other.set)) {
            bench::out_of_memory();
        }
    }
    std::size_t count() const { return Calls::count(&set); }

private:
    typename Calls::Set set = {};
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

// Chunks of 256 bits in a list, in ascending order, as C programs have them.
class Chunks {
public:
    ~Chunks() {
        while (first != nullptr) {
            Chunk *next = first->next;
            std::free(first);
            first = next;
        }
    }
    bool contains(std::size_t one) const {
        const Chunk *chunk = *find(one);
        return chunk != nullptr && chunk->number == one / 256 && (chunk->words[one / 64 % 4] >> one % 64 & 1) != 0;
    }
    void add(std::size_t one) {
        std::uint64_t *word = word_of(one);
        number += (*word >> one % 64 & 1) == 0;
        *word |= std::uint64_t(1) << one % 64;
    }
    bool flip(std::size_t one) {
        Chunk **at = const_cast<Chunk **>(find(one));
        Chunk *chunk = *at;
        if (chunk == nullptr || chunk->number != one / 256 || (chunk->words[one / 64 % 4] >> one % 64 & 1) == 0) {
            add(one);
            return true;
        }
        chunk->words[one / 64 % 4] &= ~(std::uint64_t(1) << one % 64);
        number--;
        if ((chunk->words[0] | chunk->words[1] | chunk->words[2] | chunk->words[3]) == 0) {
            *at = chunk->next;
            std::free(chunk);
        }
        return false;
    }
    template <class Function> void each(Function function) {
        for (Chunk *chunk = first; chunk != nullptr; chunk = chunk->next) {
            for (std::size_t word = 0; word < 4; word++) {
                for (std::uint64_t bits = chunk->words[word]; bits != 0; bits &= bits - 1) {
                    function(chunk->number * 256 + word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits)));
                }
            }
        }
    }
    void unite(const Chunks &other) {
        Chunk **at = &first;
        for (const Chunk *chunk = other.first; chunk != nullptr; chunk = chunk->next) {
            while (*at != nullptr && (*at)->number < chunk->number) {
                at = &(*at)->next;
            }
            insert(at, chunk->number);
            for (std::size_t word = 0; word < 4; word++) {
                number += static_cast<std::size_t>(__builtin_popcountll(chunk->words[word] & ~(*at)->words[word]));
                (*at)->words[word] |= chunk->words[word];
            }
        }
    }
    std::size_t count() const { return number; }

private:
    struct Chunk {
        Chunk *next;
        std::uint64_t words[4];
        std::uint32_t number;
    };

    Chunk *const *find(std::size_t one) const {
        Chunk *const *at = &first;
        while (*at != nullptr && (*at)->number < one / 256) {
            at = &(*at)->next;
        }
        return at;
    }
    void insert(Chunk **at, std::size_t number) {
        if (*at == nullptr || (*at)->number != number) {
            Chunk *chunk = static_cast<Chunk *>(std::calloc(1, sizeof *chunk));
            if (chunk == nullptr) {
                bench::out_of_memory();
            }
            chunk->next = *at;
            chunk->number = static_cast<std::uint32_t>(number);
            *at = chunk;
        }
    }
    std::uint64_t *word_of(std::size_t one) {
        Chunk **at = const_cast<Chunk **>(find(one));
        insert(at, one / 256);
        return &(*at)->words[one / 64 % 4];
    }
    Chunk *first = nullptr;
    std::size_t number = 0;
};

class Judy {
public:
    ~Judy() { Judy1FreeArray(&set, PJE0); }
    bool contains(std::size_t one) const { return Judy1Test(set, one, PJE0) != 0; }
    void add(std::size_t one) { number += Judy1Set(&set, one, PJE0) == 1; }
    bool flip(std::size_t one) {
        if (Judy1Unset(&set, one, PJE0) == 1) {
            number--;
            return false;
        }
        add(one);
        return true;
    }
    template <class Function> void each(Function function) {
        Word_t one = 0;
        for (int found = Judy1First(set, &one, PJE0); found == 1; found = Judy1Next(set, &one, PJE0)) {
            function(one);
        }
    }
    void unite(const Judy &other) {
        Word_t one = 0;
        for (int found = Judy1First(other.set, &one, PJE0); found == 1; found = Judy1Next(other.set, &one, PJE0)) {
            add(one);
        }
    }
    std::size_t count() const { return number; }

private:
    Pvoid_t set = nullptr;
    std::size_t number = 0;
};

class Roaring {
public:
    Roaring() : set(roaring_bitmap_create()) {}
    ~Roaring() { roaring_bitmap_free(set); }
    bool contains(std::size_t one) const { return roaring_bitmap_contains(set, static_cast<std::uint32_t>(one)); }
    void add(std::size_t one) { number += roaring_bitmap_add_checked(set, static_cast<std::uint32_t>(one)); }
    bool flip(std::size_t one) {
        if (roaring_bitmap_remove_checked(set, static_cast<std::uint32_t>(one))) {
            number--;
            return false;
        }
        add(one);
        return true;
    }
    template <class Function> void each(Function function) {
        roaring_uint32_iterator_t at;
        for (roaring_init_iterator(set, &at); at.has_value; roaring_advance_uint32_iterator(&at)) {
            function(std::size_t(at.current_value));
        }
    }
    void unite(const Roaring &other) {
        roaring_bitmap_or_inplace(set, other.set);
        number = roaring_bitmap_get_cardinality(set);
    }
    std::size_t count() const { return number; }

private:
    roaring_bitmap_t *set;
    std::size_t number = 0;
};

// -- where the numbers are ---------------------------------------------------------------------------------------------------

struct Dense {
    static std::size_t at(std::size_t i) { return i; }
};

// Murmur's finish: another number below 2^32 for each.
inline std::uint32_t mixed(std::uint32_t i) {
    i = (i ^ i >> 16) * 0x85ebca6bu;
    i = (i ^ i >> 13) * 0xc2b2ae35u;
    return i ^ i >> 16;
}

struct Alone {
    static std::size_t at(std::size_t i) { return mixed(static_cast<std::uint32_t>(i)); }
};

struct Runs {
    static std::size_t at(std::size_t i) { return std::size_t(mixed(static_cast<std::uint32_t>(i / 64)) >> 6) * 64 + i % 64; }
};

// -- the work ----------------------------------------------------------------------------------------------------------------

template <class Set, class Place> void fill(Set &set, std::size_t n, std::uint64_t seed) {
    bench::Random random(seed);
    while (set.count() < n) {
        set.add(Place::at(random.below(2 * n)));
    }
}

template <class Set, class Place> void contains(benchmark::State &state, const Case &of) {
    Set set;
    fill<Set, Place>(set, of.n, of.n);
    std::uint64_t sum = 0;
    bench::Random again(1);
    for (std::size_t i = 0; i < 10000; i++) {
        sum += set.contains(Place::at(again.below(2 * of.n)));
    }
    bench::same(state, of, sum);
    bench::Random random(2);
    for (auto _ : state) {
        for (std::size_t i = 0; i < 1000; i++) {
            sum += set.contains(Place::at(random.below(2 * of.n)));
        }
        benchmark::DoNotOptimize(sum);
    }
}

template <class Set, class Place> std::uint64_t change(bench::Stopwatch &watch, const Case &of) {
    Set set;
    bench::Random random(3);
    std::uint64_t sum = 0;
    fill<Set, Place>(set, of.n, of.n);
    watch.start();
    for (std::size_t i = 0; i < 10000; i++) {
        sum = sum * 3 + set.flip(Place::at(random.below(2 * of.n)));
    }
    watch.stop();
    return sum + set.count();
}

template <class Set, class Place> void walk(benchmark::State &state, const Case &of) {
    Set set;
    fill<Set, Place>(set, of.n, of.n);
    std::uint64_t sum = 0;
    set.each([&](std::size_t one) { sum += one; });
    bench::same(state, of, sum);
    for (auto _ : state) {
        set.each([&](std::size_t one) { sum += one; });
        benchmark::DoNotOptimize(sum);
    }
}

template <class Set, class Place> std::uint64_t unite(bench::Stopwatch &watch, const Case &of) {
    Set sets[16];
    Set other;
    fill<Set, Place>(other, of.n, 7);
    for (Set &set : sets) {
        fill<Set, Place>(set, of.n, of.n);
    }
    watch.start();
    for (Set &set : sets) {
        set.unite(other);
    }
    watch.stop();
    return sets[0].count() * 17 + sets[15].count();
}

template <class Set, class Place> std::uint64_t filled(bench::Stopwatch &watch, const Case &of) {
    bench::Random random(of.n);
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < of.n; i++) {
        numbers.push_back(Place::at(random.below(2 * of.n)));
    }
    Set set;
    watch.start();
    for (std::size_t one : numbers) {
        set.add(one);
    }
    watch.stop();
    return set.count();
}

template <class Set, class Place = Dense> void of_set(std::size_t n, const char *peer, const char *workload = "ids", const char *which = "") {
    auto what = [=](const char *work) { return Case{workload, 4, n, std::string(work) + which}; };
    bench::add(what("contains"), peer, contains<Set, Place>);
    bench::add_once(what("change"), peer, change<Set, Place>);
    bench::add(what("walk"), peer, walk<Set, Place>);
    bench::add_once(what("unite"), peer, unite<Set, Place>);
    bench::add_once(what("fill"), peer, filled<Set, Place>);
}

template <class Place> void spread(std::size_t n, const char *which) {
    of_set<Bespoke<Sparse>, Place>(n, "bespoke", "spread", which);
    if (n <= 1000) { // each call goes through the list
        of_set<Chunks, Place>(n, "hand", "spread", which);
    }
    of_set<Judy, Place>(n, "Judy", "spread", which);
    of_set<Roaring, Place>(n, "roaring", "spread", which);
    of_set<Std<absl::flat_hash_set<std::uint32_t>>, Place>(n, "absl::flat_hash_set", "spread", which);
    of_set<Std<boost::unordered_flat_set<std::uint32_t>>, Place>(n, "boost::unordered_flat_set", "spread", which);
}

int register_all() {
    for (std::size_t n : {std::size_t(64), std::size_t(1000), std::size_t(100000)}) {
        of_set<Bespoke<Numbers>>(n, "bespoke");
        of_set<Hand>(n, "hand");
        of_set<Bitset>(n, "boost::dynamic_bitset");
        of_set<Std<absl::flat_hash_set<std::uint32_t>>>(n, "absl::flat_hash_set");
        of_set<Std<boost::unordered_flat_set<std::uint32_t>>>(n, "boost::unordered_flat_set");
        if (n <= 1000) { // an add moves all behind it
            of_set<Std<boost::container::flat_set<std::uint32_t>>>(n, "boost::container::flat_set");
        }
        spread<Runs>(n, "-runs");
        spread<Alone>(n, "-alone");
    }
    return 0;
}

const int registered = register_all();

} // namespace
