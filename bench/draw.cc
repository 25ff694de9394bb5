// What is drawn in an order: by depth (`sorted`: one in ten has another depth than in the frame before), and layer by layer
// (`layered`). One in a hundred leaves in each frame, and as many come.

#include "bench.hh"

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "draw.h"

namespace {

using bench::Case;
using bench::Stopwatch;

const unsigned layers = 8;

e64 born(std::uint32_t number) {
    bench::Random random(number);
    e64 one = {};
    one.id = number;
    one.hp = static_cast<std::int32_t>(1 + random.below(200));
    one.x = static_cast<float>(random.next() >> 40) * 0x1p-24f;
    return one;
}

// What is drawn, in its order; equally deep ones may stand in either order.
struct Picture {
    std::uint64_t sum = 0, place = 0;
    std::uint32_t frame = 0;

    void draw(std::uint32_t what) { sum += what * ++place; }
    void draw(float depth) {
        std::uint32_t bits;
        std::memcpy(&bits, &depth, sizeof bits);
        draw(bits);
    }
    bool moves(const e64 &one) const { return (one.id + frame) % 10 == 0; }
};

float moved(const e64 &one) {
    return one.x + static_cast<float>(one.id % 3) * 0x1p-10f - 0x1p-10f;
}

// Peer: `frame(picture)` draws and says how many have left, `add(element)` adds.
template <class Peer> std::uint64_t play(Stopwatch &watch, const Case &of) {
    Peer peer;
    Picture picture;
    std::uint32_t number = 0;
    for (; number < of.n; number++) {
        peer.add(born(number));
    }
    watch.start();
    for (int frames = of.n <= 1000 ? 300 : 30; frames > 0; frames--) {
        picture.frame++;
        for (std::size_t left = peer.frame(picture); left > 0; left--) {
            peer.add(born(number++));
        }
    }
    watch.stop();
    return picture.sum;
}

// == by depth ==

struct Sorted {
    drawn_sorted list = {};

    ~Sorted() { drawn_sorted_deinit(&list); }
    void add(const e64 &one) {
        e64 *room = drawn_sorted_emplace(&list);
        if (room == nullptr) {
            bench::out_of_memory();
        }
        *room = one;
    }
    std::size_t frame(Picture &picture) {
        std::size_t left = 0;
        DRAWN_SORTED_EACH(&list, one) {
            picture.draw(one->x);
            if (picture.moves(*one)) {
                one->x = moved(*one);
            }
            if (--one->hp <= 0) {
                drawn_sorted_remove_current(&one_cursor);
                left++;
            }
        }
        return left;
    }
};

template <class Elements> std::size_t draw_and_erase(Elements &list, Picture &picture) {
    for (e64 &one : list) {
        picture.draw(one.x);
        if (picture.moves(one)) {
            one.x = moved(one);
        }
        one.hp--;
    }
    std::size_t before = list.size();
    list.erase(std::remove_if(list.begin(), list.end(), [](const e64 &one) { return one.hp <= 0; }), list.end());
    return before - list.size();
}

bool before(const e64 &a, const e64 &b) {
    return a.x < b.x;
}

struct StableSort {
    std::vector<e64> list;

    void add(const e64 &one) { list.push_back(one); }
    std::size_t frame(Picture &picture) {
        std::stable_sort(list.begin(), list.end(), before);
        return draw_and_erase(list, picture);
    }
};

// What was in is nearly in order: each element that is not moves back. What is new is sorted, and merged with the rest.
struct HandSorted {
    std::vector<e64> list;
    std::size_t known = 0;

    void add(const e64 &one) { list.push_back(one); }
    std::size_t frame(Picture &picture) {
        std::size_t moves = 0, most = known * 4;
        for (std::size_t i = 1; i < known; i++) {
            if (before(list[i], list[i - 1])) {
                e64 one = list[i];
                std::size_t at = i;
                for (; at > 0 && before(one, list[at - 1]); at--) {
                    list[at] = list[at - 1];
                    moves++;
                }
                list[at] = one;
                if (moves > most) { // much has changed
                    std::stable_sort(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(known), before);
                    break;
                }
            }
        }
        auto middle = list.begin() + static_cast<std::ptrdiff_t>(known);
        std::stable_sort(middle, list.end(), before);
        std::inplace_merge(list.begin(), middle, list.end(), before);
        std::size_t left = draw_and_erase(list, picture);
        known = list.size();
        return left;
    }
};

struct Tree {
    std::multimap<float, e64> tree;
    std::vector<std::multimap<float, e64>::node_type> moving;

    void add(const e64 &one) { tree.emplace(one.x, one); }
    std::size_t frame(Picture &picture) {
        std::size_t left = 0;
        for (auto at = tree.begin(); at != tree.end();) {
            e64 &one = at->second;
            auto here = at++;
            picture.draw(one.x);
            bool moves = picture.moves(one);
            if (moves) {
                one.x = moved(one);
            }
            if (--one.hp <= 0) {
                tree.erase(here);
                left++;
            } else if (moves) {
                moving.push_back(tree.extract(here));
                moving.back().key() = one.x;
            }
        }
        for (auto &node : moving) {
            tree.insert(std::move(node));
        }
        moving.clear();
        return left;
    }
};

// == layer by layer ==

// The layers are drawn in their order, and each in insertion order.
#define LOOP(list, each, one, cursor, remove)                                                                                  \
    each(list, one) {                                                                                                          \
        picture.draw(one->id);                                                                                                 \
        if (--one->hp <= 0) {                                                                                                  \
            remove(&cursor);                                                                                                   \
            left++;                                                                                                            \
        }                                                                                                                      \
    }

struct Layers {
    drawn_layers list;

    Layers() { drawn_layers_init(&list); }
    ~Layers() { drawn_layers_deinit(&list); }
    void add(const e64 &one) {
        if (drawn_layers_add(&list, one.id % layers, one) != DRAWN_LAYERS_OK) {
            bench::out_of_memory();
        }
    }
    std::size_t frame(Picture &picture) {
        std::size_t left = 0;
        LOOP(&list, DRAWN_LAYERS_EACH, one, one_cursor, drawn_layers_remove_current)
        return left;
    }
};

struct LayerByLayer : Layers {
    std::size_t frame(Picture &picture) {
        std::size_t left = 0;
        for (unsigned layer = 0; layer < layers; layer++) {
            LOOP(&list.layers[layer], DRAWN_LAYERS_LAYER_EACH, one, one_cursor, drawn_layers_layer_remove_current)
        }
        return left;
    }
};

// Runs between those that leave move up in one go.
struct HandLayers {
    std::vector<e64> lists[layers];

    void add(const e64 &one) { lists[one.id % layers].push_back(one); }
    std::size_t frame(Picture &picture) {
        std::size_t left = 0;
        for (std::vector<e64> &list : lists) {
            e64 *items = list.data();
            std::size_t to = 0, from = 0, count = list.size();
            for (std::size_t i = 0; i < count; i++) {
                picture.draw(items[i].id);
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
            left += from - to;
            list.resize(count - (from - to));
        }
        return left;
    }
};

std::size_t draw_layer(std::vector<e64> &list, Picture &picture) {
    for (e64 &one : list) {
        picture.draw(one.id);
        one.hp--;
    }
    std::size_t before = list.size();
    list.erase(std::remove_if(list.begin(), list.end(), [](const e64 &one) { return one.hp <= 0; }), list.end());
    return before - list.size();
}

struct MapOfVectors {
    std::map<unsigned, std::vector<e64>> lists;

    void add(const e64 &one) { lists[one.id % layers].push_back(one); }
    std::size_t frame(Picture &picture) {
        std::size_t left = 0;
        for (auto &one : lists) {
            left += draw_layer(one.second, picture);
        }
        return left;
    }
};

struct SortedByLayer {
    std::vector<e64> list;

    void add(const e64 &one) { list.push_back(one); }
    std::size_t frame(Picture &picture) {
        std::stable_sort(list.begin(), list.end(), [](const e64 &a, const e64 &b) { return a.id % layers < b.id % layers; });
        return draw_layer(list, picture);
    }
};

struct TreeOfLayers {
    std::multimap<unsigned, e64> tree;

    void add(const e64 &one) { tree.emplace(one.id % layers, one); }
    std::size_t frame(Picture &picture) {
        std::size_t left = 0;
        for (auto at = tree.begin(); at != tree.end();) {
            picture.draw(at->second.id);
            if (--at->second.hp <= 0) {
                at = tree.erase(at);
                left++;
            } else {
                ++at;
            }
        }
        return left;
    }
};

template <class Peer> void add(const Case &of, const char *name) {
    bench::add_once(of, name, [](Stopwatch &watch, const Case &of) { return play<Peer>(watch, of); });
}

int all() {
    for (std::size_t n : {std::size_t(1000), std::size_t(100000)}) {
        Case sorted = {"sorted", 64, n, "r1"}, layered = {"layered", 64, n, "r1"};
        add<Sorted>(sorted, "bespoke");
        add<HandSorted>(sorted, "hand");
        add<StableSort>(sorted, "std::stable_sort");
        add<Tree>(sorted, "std::multimap");
        add<Layers>(layered, "bespoke");
        add<LayerByLayer>(layered, "bespoke-by-layer");
        add<HandLayers>(layered, "hand");
        add<MapOfVectors>(layered, "std::map-of-vectors");
        add<SortedByLayer>(layered, "std::stable_sort");
        add<TreeOfLayers>(layered, "std::multimap");
    }
    return 0;
}

const int registered = all();

} // namespace
