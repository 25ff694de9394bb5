// The frame: everything is updated, those that are due leave, and as many come. Several hundred frames, a share of all in each.
//
// How long an element lives follows from its number, so all peers lose the same ones in the same frame, whatever their order.
// `kept`: in insertion order. `free`: in any. `stable`: in any, and none moves while it lives.

#include "bench.hh"

#include <algorithm>
#include <boost/container/stable_vector.hpp>
#include <boost/intrusive/list.hpp>
#include <cmath>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#include <list>
#include <plf_colony.h>
#include <vector>

#include "frame.h"

namespace {

using bench::Case;
using bench::Stopwatch;

struct Load {
    std::size_t n;
    std::size_t frames;
    bool ordered;
    const std::int32_t *lives; // for how many frames each element lives, by its number
};

// Geometric: whoever lives has the same chance in each frame, so the first ones are like all others.
const std::int32_t *lives(double share, std::size_t most) {
    static std::map<double, std::vector<std::int32_t>> drawn;
    std::vector<std::int32_t> &of = drawn[share];
    bench::Random random(1);
    if (of.size() < most) {
        of.resize(most);
        for (std::int32_t &one : of) {
            double chance = (static_cast<double>(random.next() >> 11) + 1) * 0x1p-53;
            one = static_cast<std::int32_t>(std::min(1e6, 1 + std::log(chance) / std::log1p(-share)));
        }
    }
    return of.data();
}

template <class Element> void born(Element *one, std::uint32_t number, const Load &load) {
    one->id = number;
    one->hp = load.lives[number];
    one->x = 0;
    one->vx = static_cast<float>(number % 7);
}

// What is left, element by element.
class Sum {
public:
    explicit Sum(bool ordered) : ordered(ordered) {}

    void take(std::uint32_t id, std::int32_t hp, float x) {
        std::uint64_t one = bench::Random(id ^ static_cast<std::uint64_t>(hp) << 32).next() + static_cast<std::uint64_t>(x);
        sum = ordered ? sum * 31 + one : sum + one;
    }
    std::uint64_t sum = 0;

private:
    bool ordered;
};

// Peer: `P(n)`, `frame()` says how many have left, `add(number, load)`, `each(f)` gives id, hp and x of all.
template <class Peer> std::uint64_t play(Stopwatch &watch, const Load &load) {
    Peer peer;
    std::uint32_t number = 0;
    for (; number < load.n; number++) {
        peer.add(number, load);
    }
    watch.start();
    for (std::size_t frame = 0; frame < load.frames; frame++) {
        for (std::size_t left = peer.frame(); left > 0; left--) {
            peer.add(number++, load);
        }
    }
    watch.stop();
    Sum sum(load.ordered);
    peer.each([&](std::uint32_t id, std::int32_t hp, float x) { sum.take(id, hp, x); });
    return sum.sum;
}

// == emitted ==

// A loop that removes what it stands on.
#define LOOP(what, size, WHAT)                                                                                                 \
    struct what##_##size##_peer {                                                                                              \
        frame_##what##_##size list = {};                                                                                       \
        ~what##_##size##_peer() { frame_##what##_##size##_deinit(&list); }                                                     \
        void add(std::uint32_t number, const Load &load) {                                                                     \
            e##size *one = frame_##what##_##size##_emplace(&list);                                                             \
            if (one == nullptr) {                                                                                              \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
            *one = e##size();                                                                                                  \
            born(one, number, load);                                                                                           \
        }                                                                                                                      \
        std::size_t frame() {                                                                                                  \
            std::size_t left = 0;                                                                                              \
            FRAME_##WHAT##_##size##_EACH(&list, one) {                                                                         \
                one->x += one->vx;                                                                                             \
                if (--one->hp <= 0) {                                                                                          \
                    frame_##what##_##size##_remove_current(&one_cursor);                                                       \
                    left++;                                                                                                    \
                }                                                                                                              \
            }                                                                                                                  \
            return left;                                                                                                       \
        }                                                                                                                      \
        template <class Take> void each(Take take) {                                                                           \
            FRAME_##WHAT##_##size##_EACH(&list, one) { take(one->id, one->hp, one->x); }                                       \
        }                                                                                                                      \
    };

// Moves and ages rows; are any of them due? In blocks of 64, which gcc -O2 vectorises.
bool advance(float *__restrict x, const float *__restrict vx, std::int32_t *__restrict hp) {
    std::int32_t due = 0;
    for (int i = 0; i < 64; i++) {
        x[i] += vx[i];
        hp[i]--;
        due |= hp[i] - 1;
    }
    return due < 0;
}

bool advance(float *x, const float *vx, std::int32_t *hp, std::size_t count) {
    std::int32_t due = 0;
    for (std::size_t i = 0; i < count; i++) {
        x[i] += vx[i];
        hp[i]--;
        due |= hp[i] - 1;
    }
    return due < 0;
}

// A bit for each of 64 rows: is it due?
std::uint64_t due_rows(const std::int32_t *hp) {
    std::uint64_t bits = 0;
    for (int i = 0; i < 64; i += 4) {
#ifdef __SSE2__
        __m128i below = _mm_cmplt_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i *>(hp + i)), _mm_set1_epi32(1));
        bits |= static_cast<std::uint64_t>(_mm_movemask_ps(_mm_castsi128_ps(below))) << i;
#else
        for (int k = i; k < i + 4; k++) {
            bits |= static_cast<std::uint64_t>(hp[k] <= 0) << k;
        }
#endif
    }
    return bits;
}

// The same for the block at `at` of so many rows, which it moves and ages before.
std::uint64_t due_after(float *x, const float *vx, std::int32_t *hp, std::size_t at, std::size_t rows) {
    std::uint64_t bits = 0;
    if (rows - at >= 64) {
        return advance(x + at, vx + at, hp + at) ? due_rows(hp + at) : 0;
    }
    if (advance(x + at, vx + at, hp + at, rows - at)) {
        for (std::size_t row = at; row < rows; row++) {
            bits |= static_cast<std::uint64_t>(hp[row] <= 0) << (row - at);
        }
    }
    return bits;
}

#define COLUMNS(what, size)                                                                                                    \
    frame_##what##_##size list = {};                                                                                           \
    ~what##_##size##_peer() { frame_##what##_##size##_deinit(&list); }                                                         \
    void add(std::uint32_t number, const Load &load) {                                                                         \
        e##size one = e##size();                                                                                               \
        born(&one, number, load);                                                                                              \
        if (frame_##what##_##size##_add(&list, one) != 0) {                                                                    \
            bench::out_of_memory();                                                                                            \
        }                                                                                                                      \
    }

#define TAKE_ROWS(what, size, WHAT)                                                                                            \
    template <class Take> void each(Take take) {                                                                               \
        FRAME_##WHAT##_##size##_EACH(&list, row) {                                                                             \
            e##size one = frame_##what##_##size##_load(&list, row);                                                            \
            take(one.id, one.hp, one.x);                                                                                       \
        }                                                                                                                      \
    }

// Blocks of rows, then the removals of those that are due: the last block first, so that what fills a hole has been looked at.
#define SOA_SWAP(size)                                                                                                         \
    struct soa_swap_##size##_peer {                                                                                            \
        COLUMNS(soa_swap, size)                                                                                                \
        std::size_t frame() {                                                                                                  \
            std::size_t rows = frame_soa_swap_##size##_rows(&list), left = 0;                                                  \
            float *x = frame_soa_swap_##size##_x(&list);                                                                       \
            const float *vx = frame_soa_swap_##size##_const_vx(&list);                                                         \
            std::int32_t *hp = frame_soa_swap_##size##_hp(&list);                                                              \
            for (std::size_t block = (rows + 63) / 64; block-- > 0;) {                                                         \
                std::uint64_t due = due_after(x, vx, hp, block * 64, rows);                                                    \
                while (due != 0) { /* the last first */                                                                        \
                    int row = 63 - __builtin_clzll(due);                                                                       \
                    due ^= std::uint64_t(1) << row;                                                                            \
                    frame_soa_swap_##size##_remove_at(&list, block * 64 + static_cast<std::size_t>(row));                      \
                    left++;                                                                                                    \
                }                                                                                                              \
            }                                                                                                                  \
            return left;                                                                                                       \
        }                                                                                                                      \
        TAKE_ROWS(soa_swap, size, SOA_SWAP)                                                                                    \
    };

// Blocks of rows, then a pass if any is due.
#define SOA_COMPACT(size)                                                                                                      \
    struct soa_compact_##size##_peer {                                                                                         \
        COLUMNS(soa_compact, size)                                                                                             \
        std::size_t frame() {                                                                                                  \
            std::size_t rows = frame_soa_compact_##size##_rows(&list), left = 0, at = 0;                                       \
            float *x = frame_soa_compact_##size##_x(&list);                                                                    \
            const float *vx = frame_soa_compact_##size##_const_vx(&list);                                                      \
            std::int32_t *hp = frame_soa_compact_##size##_hp(&list);                                                           \
            bool due = false;                                                                                                  \
            for (; at + 64 <= rows; at += 64) {                                                                                \
                due |= advance(x + at, vx + at, hp + at);                                                                      \
            }                                                                                                                  \
            due |= advance(x + at, vx + at, hp + at, rows - at);                                                               \
            if (due) {                                                                                                         \
                FRAME_SOA_COMPACT_##size##_EACH(&list, row) {                                                                  \
                    if (hp[row] <= 0) {                                                                                        \
                        frame_soa_compact_##size##_remove_current(&row_cursor);                                                \
                        left++;                                                                                                \
                    }                                                                                                          \
                }                                                                                                              \
            }                                                                                                                  \
            return left;                                                                                                       \
        }                                                                                                                      \
        TAKE_ROWS(soa_compact, size, SOA_COMPACT)                                                                              \
    };

// Blocks of rows, dead ones with the rest; the removals of those that are due and alive wait for the end of the loop.
#define SOA_TOMBSTONE(size)                                                                                                    \
    struct soa_tombstone_##size##_peer {                                                                                       \
        COLUMNS(soa_tombstone, size)                                                                                           \
        std::size_t frame() {                                                                                                  \
            std::size_t rows = frame_soa_tombstone_##size##_rows(&list), left = 0;                                             \
            float *x = frame_soa_tombstone_##size##_x(&list);                                                                  \
            const float *vx = frame_soa_tombstone_##size##_const_vx(&list);                                                    \
            std::int32_t *hp = frame_soa_tombstone_##size##_hp(&list);                                                         \
            frame_soa_tombstone_##size##_cursor pass = frame_soa_tombstone_##size##_begin(&list);                              \
            for (std::size_t at = 0; at < rows; at += 64) {                                                                    \
                std::uint64_t due = due_after(x, vx, hp, at, rows);                                                            \
                if (due != 0) {                                                                                                \
                    due &= frame_soa_tombstone_##size##_occupied(&list, at / 64);                                              \
                }                                                                                                              \
                for (; due != 0; due &= due - 1) {                                                                             \
                    std::size_t row = at + static_cast<std::size_t>(__builtin_ctzll(due));                                     \
                    frame_soa_tombstone_##size##_remove(&list, row);                                                           \
                    hp[row] = INT32_MAX; /* which no loop finds due again */                                                   \
                    left++;                                                                                                    \
                }                                                                                                              \
            }                                                                                                                  \
            frame_soa_tombstone_##size##_end(&pass);                                                                           \
            return left;                                                                                                       \
        }                                                                                                                      \
        TAKE_ROWS(soa_tombstone, size, SOA_TOMBSTONE)                                                                          \
    };

// Locked from the loop until the next frame: all removals and adds are queued in the journal.
#define LOCKED(size)                                                                                                           \
    struct locked_##size##_peer {                                                                                              \
        frame_locked_##size list = {};                                                                                         \
        ~locked_##size##_peer() { frame_locked_##size##_deinit(&list); }                                                       \
        void add(std::uint32_t number, const Load &load) {                                                                     \
            e##size one = e##size();                                                                                           \
            born(&one, number, load);                                                                                          \
            if (frame_locked_##size##_add(&list, one) == FRAME_LOCKED_##size##_NO_MEMORY) {                                    \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
        }                                                                                                                      \
        std::size_t frame() {                                                                                                  \
            std::size_t left = 0;                                                                                              \
            unlock();                                                                                                          \
            frame_locked_##size##_lock(&list);                                                                                 \
            FRAME_LOCKED_##size##_EACH(&list, one) {                                                                           \
                one->x += one->vx;                                                                                             \
                if (--one->hp <= 0) {                                                                                          \
                    frame_locked_##size##_remove_current(&one_cursor);                                                         \
                    left++;                                                                                                    \
                }                                                                                                              \
            }                                                                                                                  \
            return left;                                                                                                       \
        }                                                                                                                      \
        template <class Take> void each(Take take) {                                                                           \
            unlock();                                                                                                          \
            FRAME_LOCKED_##size##_EACH(&list, one) { take(one->id, one->hp, one->x); }                                         \
        }                                                                                                                      \
        void unlock() {                                                                                                        \
            if (frame_locked_##size##_is_locked(&list) && frame_locked_##size##_unlock(&list) != FRAME_LOCKED_##size##_OK) {   \
                bench::out_of_memory();                                                                                        \
            }                                                                                                                  \
        }                                                                                                                      \
    };

#define OURS(size)                                                                                                             \
    LOOP(swap, size, SWAP)                                                                                                     \
    LOOP(swap_any, size, SWAP_ANY)                                                                                             \
    LOOP(compact, size, COMPACT)                                                                                               \
    LOOP(compact_any, size, COMPACT_ANY)                                                                                       \
    LOOP(tombstone, size, TOMBSTONE)                                                                                           \
    LOCKED(size)                                                                                                               \
    LOOP(reuse, size, REUSE)                                                                                                   \
    LOOP(colony, size, COLONY)                                                                                                 \
    SOA_SWAP(size)                                                                                                             \
    SOA_COMPACT(size)                                                                                                          \
    SOA_TOMBSTONE(size)

OURS(16)
OURS(32)
OURS(64)
OURS(256)

// == hand-written ==

// An array that grows, as C has it.
template <class Element> struct Array {
    Element *items = nullptr;
    std::size_t count = 0, capacity = 0;

    ~Array() { std::free(items); }
    Element *more() {
        if (count == capacity) {
            capacity = capacity > 0 ? capacity * 2 : 16;
            items = static_cast<Element *>(std::realloc(items, capacity * sizeof *items));
            if (items == nullptr) {
                bench::out_of_memory();
            }
        }
        return &items[count++];
    }
    void add(std::uint32_t number, const Load &load) {
        Element *one = more();
        *one = Element();
        born(one, number, load);
    }
    template <class Take> void each(Take take) {
        for (std::size_t i = 0; i < count; i++) {
            take(items[i].id, items[i].hp, items[i].x);
        }
    }
};

template <class Element> struct HandFree : Array<Element> {
    std::size_t frame() {
        Element *items = this->items;
        std::size_t count = this->count;
        for (std::size_t i = 0; i < count;) {
            Element *one = &items[i];
            one->x += one->vx;
            if (--one->hp <= 0) {
                *one = items[--count];
            } else {
                i++;
            }
        }
        std::size_t left = this->count - count;
        this->count = count;
        return left;
    }
};

// In place as long as nobody has left; from there on each one that stays is copied down first and changed where it arrives.
template <class Element> struct HandKept : Array<Element> {
    std::size_t frame() {
        Element *items = this->items;
        std::size_t count = this->count, i = 0, to;
        for (; i < count; i++) {
            items[i].x += items[i].vx;
            if (--items[i].hp <= 0) {
                break;
            }
        }
        to = i;
        for (i++; i < count; i++) {
            items[to] = items[i];
            items[to].x += items[to].vx;
            if (--items[to].hp > 0) {
                to++;
            }
        }
        std::size_t left = to < count ? count - to : 0;
        this->count = count - left;
        return left;
    }
};

// All in place, and what lies between two that leave moves down in one go.
template <class Element> struct HandRuns : Array<Element> {
    std::size_t frame() {
        Element *items = this->items;
        std::size_t count = this->count, to = 0, from = 0;
        for (std::size_t i = 0; i < count; i++) {
            items[i].x += items[i].vx;
            if (--items[i].hp <= 0) {
                if (to != from) {
                    std::memmove(items + to, items + from, (i - from) * sizeof *items);
                }
                to += i - from;
                from = i + 1;
            }
        }
        if (to != from) {
            std::memmove(items + to, items + from, (count - from) * sizeof *items);
        }
        std::size_t left = from - to;
        this->count = count - left;
        return left;
    }
};

// Columns: hot members in arrays of their own, the rest together.
template <class Element> struct HandColumns {
    std::vector<float> x, vx;
    std::vector<std::int32_t> hp;
    struct Cold {
        std::uint32_t id;
        char rest[sizeof(Element) - sizeof(float) * 3];
    };
    std::vector<Cold> cold;

    void add(std::uint32_t number, const Load &load) {
        Element one = Element();
        born(&one, number, load);
        x.push_back(one.x);
        vx.push_back(one.vx);
        hp.push_back(one.hp);
        Cold &rest = cold.emplace_back();
        rest.id = one.id;
    }
    template <class Take> void each(Take take) {
        for (std::size_t i = 0; i < x.size(); i++) {
            take(cold[i].id, hp[i], x[i]);
        }
    }
    void drop(std::size_t row) {
        x[row] = x.back();
        vx[row] = vx.back();
        hp[row] = hp.back();
        cold[row] = cold.back();
        cut(x.size() - 1);
    }
    void cut(std::size_t rows) {
        x.resize(rows);
        vx.resize(rows);
        hp.resize(rows);
        cold.resize(rows);
    }
};

template <class Element> struct HandFreeColumns : HandColumns<Element> {
    std::size_t frame() {
        std::size_t rows = this->x.size(), left = 0;
        float *x = this->x.data();
        const float *vx = this->vx.data();
        std::int32_t *hp = this->hp.data();
        for (std::size_t block = (rows + 63) / 64; block-- > 0;) {
            std::uint64_t due = due_after(x, vx, hp, block * 64, rows);
            while (due != 0) { // the last first, so that what fills a hole has been looked at
                int row = 63 - __builtin_clzll(due);
                due ^= std::uint64_t(1) << row;
                this->drop(block * 64 + static_cast<std::size_t>(row));
                left++;
            }
        }
        return left;
    }
};

// Runs between those that leave move down, column by column.
template <class Element> struct HandKeptColumns : HandColumns<Element> {
    std::vector<std::size_t> leaving;

    template <class Column> void close(Column &column) {
        std::size_t to = leaving[0];
        for (std::size_t k = 0; k < leaving.size(); k++) {
            std::size_t from = leaving[k] + 1, end = k + 1 < leaving.size() ? leaving[k + 1] : column.size();
            std::memmove(column.data() + to, column.data() + from, (end - from) * sizeof column[0]);
            to += end - from;
        }
    }
    std::size_t frame() {
        std::size_t rows = this->x.size();
        float *x = this->x.data();
        const float *vx = this->vx.data();
        std::int32_t *hp = this->hp.data();
        leaving.clear();
        for (std::size_t at = 0; at < rows; at += 64) {
            for (std::uint64_t due = due_after(x, vx, hp, at, rows); due != 0; due &= due - 1) {
                leaving.push_back(at + static_cast<std::size_t>(__builtin_ctzll(due)));
            }
        }
        if (!leaving.empty()) {
            close(this->x);
            close(this->vx);
            close(this->hp);
            close(this->cold);
            this->cut(rows - leaving.size());
        }
        return leaving.size();
    }
};

// Chunks of 64 that stay, a word of bits for each; the first free bit is taken.
template <class Element> struct HandStable {
    struct Chunk {
        Element items[64];
    };
    std::vector<Chunk *> chunks;
    std::vector<std::uint64_t> alive;
    std::size_t hint = 0; // no word before it has room

    ~HandStable() {
        for (Chunk *chunk : chunks) {
            std::free(chunk);
        }
    }
    void add(std::uint32_t number, const Load &load) {
        while (hint < alive.size() && alive[hint] == ~std::uint64_t(0)) {
            hint++;
        }
        if (hint == alive.size()) {
            alive.push_back(0);
            chunks.push_back(static_cast<Chunk *>(std::malloc(sizeof(Chunk))));
            if (chunks.back() == nullptr) {
                bench::out_of_memory();
            }
        }
        int bit = __builtin_ctzll(~alive[hint]);
        alive[hint] |= std::uint64_t(1) << bit;
        Element *one = &chunks[hint]->items[bit];
        *one = Element();
        born(one, number, load);
    }
    std::size_t frame() {
        std::size_t left = 0;
        for (std::size_t word = 0; word < alive.size(); word++) {
            Element *items = chunks[word]->items;
            std::uint64_t bits = alive[word], gone = 0;
            if (bits == ~std::uint64_t(0)) {
                for (int i = 0; i < 64; i++) {
                    items[i].x += items[i].vx;
                    if (--items[i].hp <= 0) {
                        gone |= std::uint64_t(1) << i;
                    }
                }
            } else {
                for (; bits != 0; bits &= bits - 1) {
                    int i = __builtin_ctzll(bits);
                    items[i].x += items[i].vx;
                    if (--items[i].hp <= 0) {
                        gone |= std::uint64_t(1) << i;
                    }
                }
            }
            if (gone != 0) {
                alive[word] &= ~gone;
                left += static_cast<std::size_t>(__builtin_popcountll(gone));
                hint = std::min(hint, word);
            }
        }
        return left;
    }
    template <class Take> void each(Take take) {
        for (std::size_t word = 0; word < alive.size(); word++) {
            for (std::uint64_t bits = alive[word]; bits != 0; bits &= bits - 1) {
                const Element &one = chunks[word]->items[__builtin_ctzll(bits)];
                take(one.id, one.hp, one.x);
            }
        }
    }
};

// == peers ==

template <class List> struct Standard {
    List list;

    void add(std::uint32_t number, const Load &load) { born(&list.emplace_back(), number, load); }
    template <class Take> void each(Take take) {
        for (auto &one : list) {
            take(one.id, one.hp, one.x);
        }
    }
};

template <class Element> struct VectorFree : Standard<std::vector<Element>> {
    std::size_t frame() {
        auto &list = this->list;
        std::size_t left = 0;
        for (std::size_t i = 0; i < list.size();) {
            list[i].x += list[i].vx;
            if (--list[i].hp <= 0) {
                list[i] = list.back();
                list.pop_back();
                left++;
            } else {
                i++;
            }
        }
        return left;
    }
};

// All are updated, then remove_if: what most would write, and faster than both in one go.
template <class List> struct UpdateThenErase : Standard<List> {
    std::size_t frame() {
        auto &list = this->list;
        for (auto &one : list) {
            one.x += one.vx;
            one.hp--;
        }
        auto end = std::remove_if(list.begin(), list.end(), [](const auto &one) { return one.hp <= 0; });
        std::size_t left = static_cast<std::size_t>(list.end() - end);
        list.erase(end, list.end());
        return left;
    }
};

template <class List> struct UpdateAndErase : Standard<List> {
    std::size_t frame() {
        auto &list = this->list;
        auto end = std::remove_if(list.begin(), list.end(), [](auto &one) {
            one.x += one.vx;
            return --one.hp <= 0;
        });
        std::size_t left = static_cast<std::size_t>(list.end() - end);
        list.erase(end, list.end());
        return left;
    }
};

template <class List> struct EraseOne : Standard<List> {
    std::size_t frame() {
        auto &list = this->list;
        std::size_t left = 0;
        for (auto one = list.begin(); one != list.end();) {
            one->x += one->vx;
            if (--one->hp <= 0) {
                one = list.erase(one);
                left++;
            } else {
                ++one;
            }
        }
        return left;
    }
};

template <class Element> struct Colony : EraseOne<plf::colony<Element>> {
    void add(std::uint32_t number, const Load &load) { born(&*this->list.emplace(), number, load); }
};

// Nodes of the elements' own, from a pool that takes the last freed one first.
template <class Element> struct Intrusive {
    struct Node : Element, boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>> {
        Node() : Element() {}
    };
    boost::intrusive::list<Node, boost::intrusive::constant_time_size<false>> list, unused;
    std::vector<Node *> blocks;

    ~Intrusive() {
        for (Node *block : blocks) {
            delete[] block;
        }
    }
    void add(std::uint32_t number, const Load &load) {
        if (unused.empty()) {
            blocks.push_back(new Node[256]);
            for (int i = 0; i < 256; i++) {
                unused.push_back(blocks.back()[i]);
            }
        }
        Node &one = unused.front();
        unused.pop_front();
        static_cast<Element &>(one) = Element();
        born(&one, number, load);
        list.push_back(one);
    }
    std::size_t frame() {
        std::size_t left = 0;
        for (auto at = list.begin(); at != list.end();) {
            Node &one = *at;
            one.x += one.vx;
            if (--one.hp <= 0) {
                at = list.erase(at);
                unused.push_front(one);
                left++;
            } else {
                ++at;
            }
        }
        return left;
    }
    template <class Take> void each(Take take) {
        for (auto &one : list) {
            take(one.id, one.hp, one.x);
        }
    }
};

// == cases ==

struct Share {
    double of_all;
    const char *name;
};
const Share tenth = {0.001, "r0.1"}, one = {0.01, "r1"}, ten = {0.1, "r10"};

template <class Peer> void add(const Case &of, const char *name, const Share &share, bool ordered) {
    bench::add_once(of, name, [=](Stopwatch &watch, const Case &of) {
        std::size_t frames = of.n <= 1000 ? 500 : of.n <= 100000 ? 200 : 20;
        double most = static_cast<double>(of.n) * (1 + share.of_all * static_cast<double>(frames) * 1.2) + 1000;
        Load load = {of.n, frames, ordered, lives(share.of_all, static_cast<std::size_t>(most))};
        return play<Peer>(watch, load);
    });
}

#define CASES(size)                                                                                                            \
    void cases_##size(std::size_t n, const Share &share, bool links) {                                                         \
        Case kept = {"frame", size, n, std::string(share.name) + "-kept"};                                                     \
        add<compact_##size##_peer>(kept, "bespoke-compact", share, true);                                                      \
        add<compact_any_##size##_peer>(kept, "bespoke-compact-any", share, true);                                              \
        add<tombstone_##size##_peer>(kept, "bespoke-tombstone", share, true);                                                  \
        add<locked_##size##_peer>(kept, "bespoke-locked", share, true);                                                        \
        add<soa_compact_##size##_peer>(kept, "bespoke-soa-compact", share, true);                                              \
        add<soa_tombstone_##size##_peer>(kept, "bespoke-soa-tombstone", share, true);                                          \
        add<HandKept<e##size>>(kept, "hand", share, true);                                                                     \
        add<HandRuns<e##size>>(kept, "hand-runs", share, true);                                                                \
        add<HandKeptColumns<e##size>>(kept, "hand-soa", share, true);                                                          \
        add<UpdateThenErase<std::vector<e##size>>>(kept, "std::vector", share, true);                                          \
        add<UpdateAndErase<std::vector<e##size>>>(kept, "std::vector-fused", share, true);                                     \
        add<UpdateThenErase<boost::container::stable_vector<e##size>>>(kept, "boost::stable_vector", share, true);             \
        if (links) {                                                                                                           \
            add<EraseOne<std::list<e##size>>>(kept, "std::list", share, true);                                                 \
            add<Intrusive<e##size>>(kept, "boost::intrusive", share, true);                                                    \
        }                                                                                                                      \
        Case free = {"frame", size, n, std::string(share.name) + "-free"};                                                     \
        add<swap_##size##_peer>(free, "bespoke-swap", share, false);                                                           \
        add<swap_any_##size##_peer>(free, "bespoke-swap-any", share, false);                                                   \
        add<soa_swap_##size##_peer>(free, "bespoke-soa-swap", share, false);                                                   \
        add<HandFree<e##size>>(free, "hand", share, false);                                                                    \
        add<HandFreeColumns<e##size>>(free, "hand-soa", share, false);                                                         \
        add<VectorFree<e##size>>(free, "std::vector", share, false);                                                           \
        Case stable = {"frame", size, n, std::string(share.name) + "-stable"};                                                 \
        add<colony_##size##_peer>(stable, "bespoke-colony", share, false);                                                     \
        add<reuse_##size##_peer>(stable, "bespoke-reuse", share, false);                                                       \
        add<HandStable<e##size>>(stable, "hand", share, false);                                                                \
        add<Colony<e##size>>(stable, "plf::colony", share, false);                                                             \
        if (links) {                                                                                                           \
            add<EraseOne<std::list<e##size>>>(stable, "std::list", share, false);                                              \
            add<Intrusive<e##size>>(stable, "boost::intrusive", share, false);                                                 \
        }                                                                                                                      \
    }

CASES(16)
CASES(32)
CASES(64)
CASES(256)

// What docs/choose.md says of elements of 256 bytes.
LOOP(swap_chunked, 256, SWAP_CHUNKED)
LOOP(tombstone_chunked, 256, TOMBSTONE_CHUNKED)

void chunked_256(std::size_t n, const Share &share) {
    Case kept = {"frame", 256, n, std::string(share.name) + "-kept"};
    add<tombstone_chunked_256_peer>(kept, "bespoke-tombstone-chunked", share, true);
    Case free = {"frame", 256, n, std::string(share.name) + "-free"};
    add<swap_chunked_256_peer>(free, "bespoke-swap-chunked", share, false);
}

// Lists are measured where they are not hopeless: after some hundred frames their nodes lie anywhere.
int all() {
    cases_64(16, one, true);
    cases_16(1000, one, true);
    cases_32(1000, one, true);
    cases_64(1000, tenth, true);
    cases_64(1000, one, true);
    cases_64(1000, ten, true);
    cases_256(1000, one, true);
    chunked_256(1000, one);
    cases_16(100000, one, false);
    cases_64(100000, tenth, false);
    cases_64(100000, one, true);
    cases_64(100000, ten, false);
    cases_256(100000, one, false);
    chunked_256(100000, one);
    cases_32(1000000, one, false);
    return 0;
}

const int registered = all();

} // namespace
