// The benchmark of deletable lists, after Paul Scharf's "On Collections": 4,000 bodies in a list of all and in two of ten others.
// In ten rounds each body looks through one of the ten for the nearest, deletes it by one chance in ten, and by one in ten another
// body comes. What comes is updated in the same round, what is deleted is no longer. Each has a payload of up to 10,000 bytes.
//
// `total` is all of it; `rounds` leaves out how the first 4,000 come; `bare` is `rounds` where nobody has a payload.

#include "bench.hh"

#include <boost/intrusive/list.hpp>
#include <cmath>
#include <cstring>
#include <list>
#include <vector>

#include "deletable.h"

namespace {

using bench::Case;
using bench::Stopwatch;

const int lists = 10;
const std::size_t first = 4000;
const int rounds = 10;

struct Place {
    float x, y, z;
};

float squared(const Place &a, const Place &b) {
    float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return x * x + y * y + z * z;
}

// What a body has besides: of so many bytes, or none. Made after the body and before the nodes of its lists, as in the original,
// where the body itself does it: between a body and its nodes lie up to 10,000 bytes.
struct Payload {
    bool pays;
    std::size_t bytes;

    unsigned char *make() const {
        if (!pays) {
            return nullptr;
        }
        unsigned char *data = static_cast<unsigned char *>(std::malloc(bytes + 1));
        if (data == nullptr) {
            bench::out_of_memory();
        }
        std::memset(data, 0, bytes + 1);
        benchmark::DoNotOptimize(data);
        return data;
    }
};

// The same game for all: what they differ in is how they keep bodies.
//
// `Body` is what a peer has of one; come(place, id, payload, a, b) makes one that is in lists a and b, nearest(list, place) finds the
// last of the nearest or gives nullptr, leave(body) takes it out of everything, round(f) calls f for each, id(body) is its number.
template <class Peer> class Game {
public:
    Peer peer;

    explicit Game(bool pays) : pays(pays) {}
    void come() {
        std::size_t bytes = random.below(10000);
        Place place = {chance(), chance(), chance()};
        unsigned a = random.below(lists), b = random.below(lists);
        peer.come(place, ids++, {pays, bytes}, a, b);
    }
    void round() {
        peer.round([this](const Place &place) {
            auto *nearest = peer.nearest(random.below(lists), place);
            sum = sum * 31 + 1;
            if (nearest != nullptr) {
                sum = sum * 31 + peer.id(nearest);
                if (chance() < 0.1f) {
                    peer.leave(nearest);
                    gone++;
                }
            }
            if (chance() < 0.1f) {
                come();
            }
        });
    }
    std::uint64_t result() const { return sum * 31 + gone * 65536 + ids; }

private:
    float chance() { return static_cast<float>(random.next() >> 40) * 0x1p-24f; }

    bool pays;
    bench::Random random{0};
    std::uint32_t ids = 0;
    std::uint64_t sum = 0, gone = 0;
};

template <class Peer> void add(const char *name) {
    for (std::string what : {"total", "rounds", "bare"}) {
        bool all = what == "total";
        bench::add_once({"deletable", sizeof(body), first, what}, name, [=](Stopwatch &watch, const Case &) {
            if (all) {
                watch.start();
            }
            Game<Peer> game(what != "bare");
            for (std::size_t i = 0; i < first; i++) {
                game.come();
            }
            if (!all) {
                watch.start();
            }
            for (int i = 0; i < rounds; i++) {
                game.round();
            }
            watch.stop();
            return game.result();
        });
    }
}

// == columns ==

// The search, as one writes it over columns: 16 at a time with AVX-512, else eight, with AVX2 where there is one. A processor that
// adds and multiplies in one instruction rounds a distance less often; that the same bodies are found, the sums say.
const std::int32_t numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

#define SQUARED(at)                                                                                                            \
    ((*(const Loose *)(x + (at)) - px) * (*(const Loose *)(x + (at)) - px) +                                                    \
     (*(const Loose *)(y + (at)) - py) * (*(const Loose *)(y + (at)) - py) +                                                    \
     (*(const Loose *)(z + (at)) - pz) * (*(const Loose *)(z + (at)) - pz))

// Each lane keeps its own nearest, so there is nothing to branch on.
#define NEARER(distances, rows_of, best, best_row)                                                                             \
    do {                                                                                                                       \
        Lanes distance = (distances);                                                                                          \
        (best_row) = distance <= (best) ? (rows_of) : (best_row);                                                              \
        (best) = distance < (best) ? distance : (best);                                                                        \
    } while (0)

// The last row of the nearest, `lanes` at a time; `rows` if there is none.
#define NEAREST_ROW(name, lanes, attributes)                                                                                   \
    attributes std::size_t name(const float *x, const float *y, const float *z, std::size_t rows, float px, float py,          \
                                float pz) {                                                                                    \
        typedef float Lanes __attribute__((vector_size(4 * (lanes))));                                                         \
        typedef float Loose __attribute__((vector_size(4 * (lanes)), aligned(4)));                                             \
        typedef std::int32_t Rows __attribute__((vector_size(4 * (lanes))));                                                   \
        typedef std::int32_t LooseRows __attribute__((vector_size(4 * (lanes)), aligned(4)));                                  \
        std::size_t at = 0;                                                                                                    \
        if (rows < (lanes)) {                                                                                                  \
            float best = INFINITY;                                                                                             \
            std::size_t found = rows;                                                                                          \
            for (; at < rows; at++) {                                                                                          \
                float d = (x[at] - px) * (x[at] - px) + (y[at] - py) * (y[at] - py) + (z[at] - pz) * (z[at] - pz);             \
                found = d <= best ? at : found;                                                                                \
                best = d < best ? d : best;                                                                                    \
            }                                                                                                                  \
            return found;                                                                                                      \
        }                                                                                                                      \
        Lanes even = Lanes{} + INFINITY, odd = even;                                                                           \
        Rows first = *(const LooseRows *)numbers, now = first, none = Rows{} - 1, even_row = none, odd_row = none;             \
        for (; at + 2 * (lanes) <= rows; at += 2 * (lanes)) {                                                                  \
            NEARER(SQUARED(at), now, even, even_row);                                                                          \
            NEARER(SQUARED(at + (lanes)), now + (lanes), odd, odd_row);                                                        \
            now += 2 * (lanes);                                                                                                \
        }                                                                                                                      \
        if (at + (lanes) <= rows) {                                                                                            \
            NEARER(SQUARED(at), now, even, even_row);                                                                          \
        }                                                                                                                      \
        /* the last ones, some of which another lane has had */                                                                \
        NEARER(SQUARED(rows - (lanes)), first + static_cast<std::int32_t>(rows - (lanes)), odd, odd_row);                      \
        Lanes least = odd < even ? odd : even;                                                                                 \
        for (int half = (lanes) / 2; half > 0; half /= 2) {                                                                    \
            Lanes other = __builtin_shuffle(least, first ^ half);                                                              \
            least = other < least ? other : least;                                                                             \
        }                                                                                                                      \
        even_row = even == least ? even_row : none;                                                                            \
        odd_row = odd == least ? odd_row : none;                                                                               \
        even_row = odd_row > even_row ? odd_row : even_row;                                                                    \
        for (int half = (lanes) / 2; half > 0; half /= 2) {                                                                    \
            Rows other = __builtin_shuffle(even_row, first ^ half);                                                            \
            even_row = other > even_row ? other : even_row;                                                                    \
        }                                                                                                                      \
        return even_row[0] < 0 ? rows : static_cast<std::size_t>(even_row[0]);                                                 \
    }

#if defined(__x86_64__)
NEAREST_ROW(nearest_of_8, 8, __attribute__((target_clones("arch=haswell", "default"))))
NEAREST_ROW(nearest_of_16, 16, __attribute__((target("avx512f"))))

const auto nearest_row = __builtin_cpu_supports("avx512f") ? nearest_of_16 : nearest_of_8;
#else
NEAREST_ROW(nearest_row, 8, )
#endif

// == emitted ==

// Columns in which the last row fills a hole; a handle for each of the two memberships.
struct Columns {
    near_rows near[lists] = {};
    all_bodies all = {};
    body_pool pool = {};

    ~Columns() {
        BODY_POOL_EACH(&pool, one) { std::free(one->payload); }
        for (near_rows &one : near) {
            near_rows_deinit(&one);
        }
        all_bodies_deinit(&all);
        body_pool_deinit(&pool);
    }
    void come(const Place &place, std::uint32_t id, const Payload &payload, unsigned a, unsigned b) {
        body *one = body_pool_emplace(&pool);
        if (one == nullptr) {
            bench::out_of_memory();
        }
        *one = {};
        one->x = place.x;
        one->y = place.y;
        one->z = place.z;
        one->id = id;
        one->payload = payload.make();
        one->lists[0] = static_cast<std::uint8_t>(a);
        one->lists[1] = static_cast<std::uint8_t>(b);
        if (all_bodies_add(&all, one) != ALL_BODIES_OK) {
            bench::out_of_memory();
        }
        for (int i = 0; i < 2; i++) {
            near_rows &list = near[one->lists[i]];
            std::size_t row = near_rows_emplace(&list);
            if (row == NEAR_ROWS_NONE) {
                bench::out_of_memory();
            }
            near_rows_x(&list)[row] = place.x;
            near_rows_y(&list)[row] = place.y;
            near_rows_z(&list)[row] = place.z;
            near_rows_cold(&list)[row].body = one;
            one->members[i] = near_rows_handle_of(&list, row).index;
        }
    }
    body *nearest(unsigned list, const Place &place) {
        const near_rows *in = &near[list];
        std::size_t rows = near_rows_rows(in);
        std::size_t row = nearest_row(near_rows_const_x(in), near_rows_const_y(in), near_rows_const_z(in), rows, place.x, place.y, place.z);
        return row < rows ? near_rows_const_cold(in)[row].body : nullptr;
    }
    void leave(body *one) {
        for (int i = 0; i < 2; i++) {
            near_rows_remove(&near[one->lists[i]], near_rows_handle{one->members[i]});
        }
        all_bodies_remove(&all, one);
        std::free(one->payload);
        body_pool_remove(&pool, one);
    }
    template <class Each> void round(Each each) {
        ALL_BODIES_EACH(&all, one) { each(Place{one->x, one->y, one->z}); }
    }
    std::uint32_t id(const body *one) { return one->id; }
};

// The structure of the original: lists of pointers that ask each body whether it is gone.
struct Deletable {
    gone_bodies near[lists] = {};
    gone_bodies all = {};

    ~Deletable() {
        for (gone_bodies &one : near) {
            gone_bodies_deinit(&one);
        }
        gone_bodies_deinit(&all);
    }
    void come(const Place &place, std::uint32_t id, const Payload &payload, unsigned a, unsigned b) {
        body *one = new body{};
        one->x = place.x;
        one->y = place.y;
        one->z = place.z;
        one->id = id;
        one->payload = payload.make();
        one->kept = 3;
        if (gone_bodies_add(&all, one) != GONE_BODIES_OK || gone_bodies_add(&near[a], one) != GONE_BODIES_OK ||
            gone_bodies_add(&near[b], one) != GONE_BODIES_OK) {
            bench::out_of_memory();
        }
    }
    body *nearest(unsigned list, const Place &place) {
        float best = INFINITY;
        body *found = nullptr;
        GONE_BODIES_EACH(&near[list], one) {
            float d = squared({one->x, one->y, one->z}, place);
            if (d <= best) {
                best = d;
                found = one;
            }
        }
        return found;
    }
    void leave(body *one) { one->gone = true; }
    template <class Each> void round(Each each) {
        GONE_BODIES_EACH(&all, one) { each(Place{one->x, one->y, one->z}); }
    }
    std::uint32_t id(const body *one) { return one->id; }
};

// == hand-written ==

// The same columns and holes, and a place instead of a handle: a table beside the rows says whose place to mend.
struct HandColumns {
    struct Body {
        Place place;
        std::uint32_t id, at[2];
        std::uint8_t lists[2];
        unsigned char *payload;
    };
    struct Owner {
        Body *body;
        int member;
    };
    struct List {
        std::vector<float> x, y, z;
        std::vector<Owner> owners;
    };
    List near[lists];
    std::vector<Body *> all; // nullptr: has left
    std::vector<std::uint32_t> places;

    ~HandColumns() {
        for (Body *one : all) {
            if (one != nullptr) {
                std::free(one->payload);
                delete one;
            }
        }
    }
    void come(const Place &place, std::uint32_t id, const Payload &payload, unsigned a, unsigned b) {
        Body *one = new Body{place, id, {}, {static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)}, nullptr};
        one->payload = payload.make();
        all.push_back(one);
        places.push_back(static_cast<std::uint32_t>(all.size() - 1));
        for (int i = 0; i < 2; i++) {
            List &list = near[one->lists[i]];
            one->at[i] = static_cast<std::uint32_t>(list.x.size());
            list.x.push_back(place.x);
            list.y.push_back(place.y);
            list.z.push_back(place.z);
            list.owners.push_back({one, i});
        }
    }
    Body *nearest(unsigned number, const Place &place) {
        const List &list = near[number];
        std::size_t rows = list.x.size();
        std::size_t row = nearest_row(list.x.data(), list.y.data(), list.z.data(), rows, place.x, place.y, place.z);
        return row < rows ? list.owners[row].body : nullptr;
    }
    void leave(Body *one) {
        for (int i = 0; i < 2; i++) {
            List &list = near[one->lists[i]];
            std::uint32_t at = one->at[i];
            Owner last = list.owners.back();
            list.x[at] = list.x.back();
            list.y[at] = list.y.back();
            list.z[at] = list.z.back();
            list.owners[at] = last;
            last.body->at[last.member] = at;
            list.x.pop_back();
            list.y.pop_back();
            list.z.pop_back();
            list.owners.pop_back();
        }
        all[places[one->id]] = nullptr;
        std::free(one->payload);
        delete one;
    }
    template <class Each> void round(Each each) {
        for (std::size_t i = 0; i < all.size(); i++) {
            if (all[i] != nullptr) {
                Place place = all[i]->place;
                each(place);
            }
        }
        std::size_t to = 0;
        for (Body *one : all) {
            if (one != nullptr) {
                places[one->id] = static_cast<std::uint32_t>(to);
                all[to++] = one;
            }
        }
        all.resize(to);
    }
    std::uint32_t id(const Body *one) { return one->id; }
};

// == peers ==

// As games have had it: linked lists, of which each body keeps its nodes.
struct Linked {
    struct Body {
        Place place;
        std::uint32_t id;
        unsigned char *payload;
        unsigned lists[2];
        std::list<Body *>::iterator all, nodes[2];
    };
    std::list<Body *> near[lists], all;
    std::list<Body *>::iterator next = all.end();

    ~Linked() {
        for (Body *one : all) {
            std::free(one->payload);
            delete one;
        }
    }
    void come(const Place &place, std::uint32_t id, const Payload &payload, unsigned a, unsigned b) {
        Body *one = new Body{place, id, nullptr, {a, b}, {}, {}};
        one->payload = payload.make();
        one->all = all.insert(all.end(), one);
        for (int i = 0; i < 2; i++) {
            std::list<Body *> &list = near[one->lists[i]];
            one->nodes[i] = list.insert(list.end(), one);
        }
        if (next == all.end()) {
            next = one->all; // what comes is still updated
        }
    }
    Body *nearest(unsigned list, const Place &place) {
        float best = INFINITY;
        Body *found = nullptr;
        for (Body *one : near[list]) {
            float d = squared(one->place, place);
            if (d <= best) {
                best = d;
                found = one;
            }
        }
        return found;
    }
    void leave(Body *one) {
        if (next == one->all) {
            ++next;
        }
        all.erase(one->all);
        near[one->lists[0]].erase(one->nodes[0]);
        near[one->lists[1]].erase(one->nodes[1]);
        std::free(one->payload);
        delete one;
    }
    template <class Each> void round(Each each) {
        next = all.begin();
        while (next != all.end()) {
            Place place = (*next)->place;
            ++next;
            each(place);
        }
    }
    std::uint32_t id(const Body *one) { return one->id; }
};

// Links in the bodies.
struct Intrusive {
    template <int number>
    using Hook = boost::intrusive::list_base_hook<boost::intrusive::tag<std::integral_constant<int, number>>,
                                                  boost::intrusive::link_mode<boost::intrusive::normal_link>>;
    struct Body;
    struct Member : Hook<1> {
        Body *body;
    };
    struct Body : Hook<0> {
        Place place;
        std::uint32_t id;
        unsigned char *payload;
        unsigned lists[2];
        Member members[2];
    };
    template <class Node, int number>
    using List = boost::intrusive::list<Node, boost::intrusive::base_hook<Hook<number>>, boost::intrusive::constant_time_size<false>>;
    List<Member, 1> near[lists];
    List<Body, 0> all;
    List<Body, 0>::iterator next = all.end();

    ~Intrusive() {
        for (List<Member, 1> &list : near) {
            list.clear();
        }
        all.clear_and_dispose([](Body *one) {
            std::free(one->payload);
            delete one;
        });
    }
    void come(const Place &place, std::uint32_t id, const Payload &payload, unsigned a, unsigned b) {
        Body *one = new Body;
        one->place = place;
        one->id = id;
        one->payload = payload.make();
        one->lists[0] = a;
        one->lists[1] = b;
        all.push_back(*one);
        for (int i = 0; i < 2; i++) {
            one->members[i].body = one;
            near[one->lists[i]].push_back(one->members[i]);
        }
        if (next == all.end()) {
            next = all.iterator_to(*one);
        }
    }
    Body *nearest(unsigned list, const Place &place) {
        float best = INFINITY;
        Body *found = nullptr;
        for (Member &one : near[list]) {
            float d = squared(one.body->place, place);
            if (d <= best) {
                best = d;
                found = one.body;
            }
        }
        return found;
    }
    void leave(Body *one) {
        auto at = all.iterator_to(*one);
        if (next == at) {
            ++next;
        }
        all.erase(at);
        for (int i = 0; i < 2; i++) {
            List<Member, 1> &list = near[one->lists[i]];
            list.erase(list.iterator_to(one->members[i]));
        }
        std::free(one->payload);
        delete one;
    }
    template <class Each> void round(Each each) {
        next = all.begin();
        while (next != all.end()) {
            Place place = next->place;
            ++next;
            each(place);
        }
    }
    std::uint32_t id(const Body *one) { return one->id; }
};

// Pointers, the last of which fills a hole.
struct Pointers : HandColumns {
    Body *nearest(unsigned number, const Place &place) {
        float best = INFINITY;
        Body *found = nullptr;
        for (const Owner &one : near[number].owners) {
            float d = squared(one.body->place, place);
            if (d <= best) {
                best = d;
                found = one.body;
            }
        }
        return found;
    }
};

int all() {
    bench::keep_memory();
    add<Columns>("bespoke-soa");
    add<Deletable>("bespoke-deletable");
    add<HandColumns>("hand-soa");
    add<Linked>("std::list");
    add<Intrusive>("boost::intrusive");
    add<Pointers>("std::vector");
    return 0;
}

const int registered = all();

} // namespace

extern "C" void gone_bodies_lets_go(struct gone_bodies *, struct body *element) {
    if (--element->kept == 0) {
        std::free(element->payload);
        delete element;
    }
}
