/* The peers, by the contract that they keep. Prints a line for each state: contract, element, peer, n, state, bytes for each
 * element that is in, apart by tabs. What a peer wants in the element (links of a list) counts as its own. */
#include "counting.h"
#include "elements.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <boost/container/flat_set.hpp>
#include <boost/container/stable_vector.hpp>
#include <boost/intrusive/list.hpp>
#include <boost/multi_index/hashed_index.hpp>
#include <boost/multi_index/identity.hpp>
#include <boost/multi_index/member.hpp>
#include <boost/multi_index/random_access_index.hpp>
#include <boost/multi_index/sequenced_index.hpp>
#include <boost/multi_index_container.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <glib.h>
#include <plf_colony.h>
#include <uthash.h>
#define STB_DS_IMPLEMENTATION
#include <stb/stb_ds.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mi = boost::multi_index;

static std::vector<thing> things;

template <typename element> element make(uint32_t id)
{
    element made = {};
    made.id = id;
    return made;
}
template <> thing *make<thing *>(uint32_t id)
{
    return &things[id];
}
static bool leaves_of(const e16 &element) { return leaves(element.id); }
static bool leaves_of(const e64 &element) { return leaves(element.id); }
static bool leaves_of(const thing *element) { return leaves(element->id); }

template <typename element> const char *element_name();
template <> const char *element_name<e16>() { return "16"; }
template <> const char *element_name<e64>() { return "64"; }
template <> const char *element_name<thing *>() { return "pointer"; }

struct std_vector {
    template <typename element> struct of {
        std::vector<element> in;
        void add(element one) { in.push_back(one); }
        void thin() { std::erase_if(in, [](const element &one) { return leaves_of(one); }); }
        void shrink() { in.shrink_to_fit(); }
        size_t count() { return in.size(); }
    };
};
struct std_list {
    template <typename element> struct of {
        std::list<element> in;
        void add(element one) { in.push_back(one); }
        void thin() { in.remove_if([](const element &one) { return leaves_of(one); }); }
        void shrink() {}
        size_t count() { return in.size(); }
    };
};
struct stable_vector {
    template <typename element> struct of {
        boost::container::stable_vector<element> in;
        void add(element one) { in.push_back(one); }
        void thin()
        {
            for (auto at = in.begin(); at != in.end();) {
                at = leaves_of(*at) ? in.erase(at) : at + 1;
            }
        }
        void shrink() { in.shrink_to_fit(); }
        size_t count() { return in.size(); }
    };
};
struct plf_colony {
    template <typename element> struct of {
        plf::colony<element> in;
        void add(element one) { in.insert(one); }
        void thin()
        {
            for (auto at = in.begin(); at != in.end();) {
                if (leaves_of(*at)) {
                    at = in.erase(at);
                } else {
                    ++at;
                }
            }
        }
        void shrink() { in.trim_capacity(); }
        size_t count() { return in.size(); }
    };
};
struct by_id {
    template <typename element> bool operator()(const element &a, const element &b) const { return a.id < b.id; }
};
struct flat_multiset {
    template <typename element> struct of {
        boost::container::flat_multiset<element, by_id> in;
        void add(element one) { in.insert(in.end(), one); }
        void thin()
        {
            auto sequence = in.extract_sequence();
            sequence.erase(std::remove_if(sequence.begin(), sequence.end(), [](const element &one) { return leaves_of(one); }), sequence.end());
            in.adopt_sequence(boost::container::ordered_range, std::move(sequence));
        }
        void shrink() { in.shrink_to_fit(); }
        size_t count() { return in.size(); }
    };
};
struct stb_arr {
    template <typename element> struct of {
        element *in = nullptr;
        ~of() { arrfree(in); }
        void add(element one) { arrput(in, one); }
        void thin()
        {
            ptrdiff_t to = 0;
            for (ptrdiff_t from = 0; from < arrlen(in); from++) {
                if (!leaves_of(in[from])) {
                    in[to++] = in[from];
                }
            }
            arrsetlen(in, to);
        }
        void shrink() {}
        size_t count() { return static_cast<size_t>(arrlen(in)); }
    };
};
struct glib_array {
    template <typename element> struct of {
        GArray *in = g_array_new(FALSE, FALSE, sizeof(element));
        ~of() { g_array_free(in, TRUE); }
        void add(element one) { g_array_append_val(in, one); }
        void thin()
        {
            guint to = 0;
            for (guint from = 0; from < in->len; from++) {
                if (!leaves_of(g_array_index(in, element, from))) {
                    g_array_index(in, element, to) = g_array_index(in, element, from);
                    to++;
                }
            }
            g_array_set_size(in, to);
        }
        void shrink() {}
        size_t count() { return in->len; }
    };
};
struct glib_pointers {
    template <typename element> struct of {
        GPtrArray *in = g_ptr_array_new();
        ~of() { g_ptr_array_free(in, TRUE); }
        void add(element one) { g_ptr_array_add(in, one); }
        void thin()
        {
            for (guint at = in->len; at-- > 0;) {
                if (leaves_of(static_cast<element>(in->pdata[at]))) {
                    g_ptr_array_remove_index_fast(in, at);
                }
            }
        }
        void shrink() {}
        size_t count() { return in->len; }
    };
};
struct glib_list {
    template <typename element> struct of {
        GQueue in = G_QUEUE_INIT;
        ~of() { g_queue_clear(&in); }
        void add(element one) { g_queue_push_tail(&in, one); }
        void thin()
        {
            for (GList *at = in.head; at != nullptr;) {
                GList *next = at->next;
                if (leaves_of(static_cast<element>(at->data))) {
                    g_queue_delete_link(&in, at);
                }
                at = next;
            }
        }
        void shrink() {}
        size_t count() { return in.length; }
    };
};
struct glib_set {
    template <typename element> struct of {
        GHashTable *in = g_hash_table_new(g_direct_hash, g_direct_equal);
        ~of() { g_hash_table_destroy(in); }
        void add(element one) { g_hash_table_add(in, one); }
        void thin()
        {
            g_hash_table_foreach_remove(in, [](gpointer key, gpointer, gpointer) -> gboolean { return leaves_of(static_cast<element>(key)); },
                                        nullptr);
        }
        void shrink() {}
        size_t count() { return g_hash_table_size(in); }
    };
};
/* In order, and each once: a list, and a table that leads into it. */
struct glib_list_and_table {
    template <typename element> struct of {
        GQueue in = G_QUEUE_INIT;
        GHashTable *where = g_hash_table_new(g_direct_hash, g_direct_equal);
        ~of()
        {
            g_queue_clear(&in);
            g_hash_table_destroy(where);
        }
        void add(element one)
        {
            g_queue_push_tail(&in, one);
            g_hash_table_insert(where, one, in.tail);
        }
        void thin()
        {
            for (GList *at = in.head; at != nullptr;) {
                GList *next = at->next;
                if (leaves_of(static_cast<element>(at->data))) {
                    g_hash_table_remove(where, at->data);
                    g_queue_delete_link(&in, at);
                }
                at = next;
            }
        }
        void shrink() {}
        size_t count() { return in.length; }
    };
};
template <typename set_type> struct set_of {
    set_type in;
    template <typename element> void add(element one) { in.insert(one); }
    void thin()
    {
        for (auto at = in.begin(); at != in.end();) {
            auto next = std::next(at);
            if (leaves_of(*at)) {
                in.erase(at);
            }
            at = next;
        }
    }
    void shrink() { in.rehash(0); }
    size_t count() { return in.size(); }
};
struct boost_flat_set {
    template <typename element> using of = set_of<boost::unordered_flat_set<element>>;
};
struct absl_flat_set {
    template <typename element> using of = set_of<absl::flat_hash_set<element>>;
};
template <typename map_type, typename element> struct array_and_map_of {
    std::vector<element> in;
    map_type where;
    static auto key(const element &one)
    {
        if constexpr (std::is_pointer_v<element>) {
            return one;
        } else {
            return one.id;
        }
    }
    void add(element one)
    {
        where.emplace(key(one), static_cast<uint32_t>(in.size()));
        in.push_back(one);
    }
    void thin()
    {
        for (size_t at = 0; at < in.size();) {
            if (!leaves_of(in[at])) {
                at++;
                continue;
            }
            where.erase(key(in[at]));
            if (at + 1 != in.size()) {
                in[at] = in.back();
                where.find(key(in[at]))->second = static_cast<uint32_t>(at);
            }
            in.pop_back();
        }
    }
    void shrink()
    {
        in.shrink_to_fit();
        where.rehash(0);
    }
    size_t count() { return in.size(); }
};
template <typename element> using key_of = std::conditional_t<std::is_pointer_v<element>, element, uint32_t>;
struct vector_and_boost_map {
    template <typename element> using of = array_and_map_of<boost::unordered_flat_map<key_of<element>, uint32_t>, element>;
};
struct vector_and_absl_map {
    template <typename element> using of = array_and_map_of<absl::flat_hash_map<key_of<element>, uint32_t>, element>;
};
template <typename map_type, typename element> struct map_of {
    map_type in;
    void add(element one) { in.emplace(one.id, one); }
    void thin()
    {
        for (auto at = in.begin(); at != in.end();) {
            auto next = std::next(at);
            if (leaves_of(at->second)) {
                in.erase(at);
            }
            at = next;
        }
    }
    void shrink() { in.rehash(0); }
    size_t count() { return in.size(); }
};
struct boost_flat_map {
    template <typename element> using of = map_of<boost::unordered_flat_map<uint32_t, element>, element>;
};
struct absl_flat_map {
    template <typename element> using of = map_of<absl::flat_hash_map<uint32_t, element>, element>;
};
/* In order, and each once: a list, and a flat map that leads into it. */
struct list_and_boost_map {
    template <typename element> struct of {
        std::list<element> in;
        boost::unordered_flat_map<element, typename std::list<element>::iterator> where;
        void add(element one)
        {
            in.push_back(one);
            where.emplace(one, std::prev(in.end()));
        }
        void thin()
        {
            for (auto at = in.begin(); at != in.end();) {
                if (leaves_of(*at)) {
                    where.erase(*at);
                    at = in.erase(at);
                } else {
                    ++at;
                }
            }
        }
        void shrink() { where.rehash(0); }
        size_t count() { return in.size(); }
    };
};
struct multi_index_list {
    template <typename element> struct of {
        mi::multi_index_container<element, mi::indexed_by<mi::sequenced<>, mi::hashed_unique<mi::identity<element>>>> in;
        void add(element one) { in.push_back(one); }
        void thin() { in.remove_if([](const element &one) { return leaves_of(one); }); }
        void shrink() { in.template get<1>().rehash(0); }
        size_t count() { return in.size(); }
    };
};
struct multi_index_array {
    template <typename element> struct of {
        mi::multi_index_container<element, mi::indexed_by<mi::random_access<>, mi::hashed_unique<mi::identity<element>>>> in;
        void add(element one) { in.push_back(one); }
        void thin() { in.remove_if([](const element &one) { return leaves_of(one); }); }
        void shrink()
        {
            in.shrink_to_fit();
            in.template get<1>().rehash(0);
        }
        size_t count() { return in.size(); }
    };
};
/* A handle of uthash and the links of a list lie in the element, so that many bytes are theirs. */
struct ut_hash {
    template <typename element> struct of {
        struct node {
            element one;
            UT_hash_handle hh;
        };
        std::vector<node> nodes;
        node *in = nullptr;
        size_t own = 0;
        of() { nodes.reserve(1 << 18); own = counted_bytes(); }
        ~of() { HASH_CLEAR(hh, in); }
        void add(element one)
        {
            nodes.push_back({one, {}});
            node *last = &nodes.back();
            HASH_ADD_PTR(in, one, last);
        }
        void thin()
        {
            node *at, *next;
            HASH_ITER(hh, in, at, next) {
                if (leaves_of(at->one)) {
                    HASH_DEL(in, at);
                }
            }
        }
        void shrink() {}
        size_t count() { return HASH_COUNT(in); }
        size_t bytes(size_t before)
        {
            return counted_bytes() - own + count() * sizeof(UT_hash_handle) + 0 * before;
        }
    };
};
struct stb_set {
    template <typename element> struct of {
        struct pair {
            element key;
            char value;
        };
        pair *in = nullptr;
        ~of() { hmfree(in); }
        void add(element one) { hmput(in, one, 0); }
        void thin()
        {
            for (ptrdiff_t at = hmlen(in); at-- > 0;) {
                if (leaves_of(in[at].key)) {
                    element key = in[at].key;
                    (void)hmdel(in, key);
                }
            }
        }
        void shrink() {}
        size_t count() { return static_cast<size_t>(hmlen(in)); }
    };
};
struct stb_map {
    template <typename element> struct of {
        struct pair {
            uint32_t key;
            element value;
        };
        pair *in = nullptr;
        ~of() { hmfree(in); }
        void add(element one) { hmput(in, one.id, one); }
        void thin()
        {
            for (ptrdiff_t at = hmlen(in); at-- > 0;) {
                if (leaves_of(in[at].value)) {
                    uint32_t key = in[at].key;
                    (void)hmdel(in, key);
                }
            }
        }
        void shrink() {}
        size_t count() { return static_cast<size_t>(hmlen(in)); }
    };
};
struct intrusive_list {
    template <typename element> struct of {
        struct node : boost::intrusive::list_base_hook<> {
            element one;
        };
        std::vector<node> nodes;
        boost::intrusive::list<node> in;
        of() : nodes(1 << 18) {}
        ~of() { in.clear(); }
        void add(element one)
        {
            nodes[one->id].one = one;
            in.push_back(nodes[one->id]);
        }
        void thin() { in.remove_if([](const node &at) { return leaves_of(at.one); }); }
        void shrink() {}
        size_t count() { return in.size(); }
        size_t bytes(size_t) { return count() * sizeof(boost::intrusive::list_base_hook<>); }
    };
};
struct glib_tree {
    template <typename element> struct of {
        GNode *in = g_node_new(nullptr);
        size_t number = 0;
        ~of()
        {
            g_node_traverse(in, G_IN_ORDER, G_TRAVERSE_ALL, -1, [](GNode *at, gpointer) -> gboolean { g_free(at->data); return FALSE; }, nullptr);
            g_node_destroy(in);
        }
        void add(element one)
        {
            element *copy = g_new(element, 1);
            *copy = one;
            number++;
            g_node_prepend_data(in, copy);
        }
        void thin()
        {
            for (GNode *at = in->children; at != nullptr;) {
                GNode *next = at->next;
                if (leaves_of(*static_cast<element *>(at->data))) {
                    g_free(at->data);
                    g_node_destroy(at);
                    number--;
                }
                at = next;
            }
        }
        void shrink() {}
        size_t count() { return number; }
    };
};
/* A hand-written tree of the standard library: a vector of children in each node. */
struct tree_of_vectors {
    template <typename element> struct of {
        struct node {
            element one;
            node *parent;
            std::vector<node *> children;
        };
        node root = {};
        size_t number = 0;
        ~of()
        {
            for (node *child : root.children) {
                delete child;
            }
        }
        void add(element one)
        {
            root.children.push_back(new node{one, &root, {}});
            number++;
        }
        void thin()
        {
            number -= std::erase_if(root.children, [](node *child) {
                bool gone = leaves_of(child->one);
                if (gone) {
                    delete child;
                }
                return gone;
            });
        }
        void shrink() { root.children.shrink_to_fit(); }
        size_t count() { return number; }
    };
};

static void say(const char *contract, const char *element, const char *peer, size_t n, const char *state, size_t bytes, size_t count)
{
    std::printf("%s\t%s\t%s\t%zu\t%s\t%.4f\n", contract, element, peer, n, state, static_cast<double>(bytes) / static_cast<double>(count));
}

template <typename subject> size_t bytes_of(subject &in, size_t before)
{
    if constexpr (requires { in.bytes(before); }) {
        return in.bytes(before);
    } else {
        return counted_bytes() - before;
    }
}

/* In a process of its own: some peers keep what they were given for the next one. */
template <typename peer, typename element> void measure_one(const char *contract, const char *name, size_t n)
{
    size_t before = counted_bytes();
    typename peer::template of<element> in;
    for (uint32_t id = 0; id < n; id++) {
        in.add(make<element>(id));
    }
    if (in.count() != n) {
        std::fprintf(stderr, "%s has %zu of %zu\n", name, in.count(), n);
        std::exit(1);
    }
    say(contract, element_name<element>(), name, n, "full", bytes_of(in, before), n);
    if (std::is_same_v<peer, stable_vector> && n > 10000) {
        return; /* each erase moves the pointers of all behind it, and what is measured does not depend on n */
    }
    in.thin();
    say(contract, element_name<element>(), name, n, "half", bytes_of(in, before), in.count());
    in.shrink();
    say(contract, element_name<element>(), name, n, "shrunk", bytes_of(in, before), in.count());
}

template <typename peer, typename element> void measure(const char *contract, const char *name, const std::vector<size_t> &numbers)
{
    for (size_t n : numbers) {
        pid_t child = fork();
        if (child == 0) {
            measure_one<peer, element>(contract, name, n);
            std::fflush(stdout);
            _exit(0);
        }
        int status = 1;
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            std::fprintf(stderr, "%s failed\n", name);
            std::exit(1);
        }
    }
}

template <typename peer> void values(const char *contract, const char *name, const std::vector<size_t> &numbers)
{
    measure<peer, e16>(contract, name, numbers);
    measure<peer, e64>(contract, name, numbers);
}

int main(int count, char **words)
{
    static char buffer[1 << 16];
    std::setvbuf(stdout, buffer, _IOFBF, sizeof buffer); /* not from the allocator that is watched */
    std::vector<size_t> numbers;
    for (int number = 1; number < count; number++) {
        numbers.push_back(std::strtoul(words[number], nullptr, 10));
    }
    things.resize(1 << 18);
    for (uint32_t id = 0; id < things.size(); id++) {
        things[id].id = id;
    }

    values<std_vector>("array", "std::vector", numbers);
    values<stb_arr>("array", "stb_ds array", numbers);
    values<glib_array>("array", "GArray", numbers);
    values<std_vector>("sorted", "std::vector", numbers);
    values<flat_multiset>("sorted", "boost flat_multiset", numbers);
    values<std_list>("list", "std::list", numbers);
    values<stable_vector>("list", "boost stable_vector", numbers);
    values<plf_colony>("stable", "plf::colony", numbers);
    values<std_list>("stable", "std::list", numbers);
    values<stable_vector>("stable", "boost stable_vector", numbers);
    values<boost_flat_map>("keyed", "boost unordered_flat_map", numbers);
    values<absl_flat_map>("keyed", "absl flat_hash_map", numbers);
    values<stb_map>("keyed", "stb_ds map", numbers);
    values<vector_and_boost_map>("keyed", "std::vector and boost unordered_flat_map", numbers);
    values<vector_and_absl_map>("keyed", "std::vector and absl flat_hash_map", numbers);
    values<glib_tree>("tree", "GNode", numbers);
    values<tree_of_vectors>("tree", "std::vector of children", numbers);

    measure<std_vector, thing *>("pointers", "std::vector", numbers);
    measure<stb_arr, thing *>("pointers", "stb_ds array", numbers);
    measure<glib_pointers, thing *>("pointers", "GPtrArray", numbers);
    measure<multi_index_list, thing *>("ordered set", "boost multi_index", numbers);
    measure<list_and_boost_map, thing *>("ordered set", "std::list and boost unordered_flat_map", numbers);
    measure<glib_list_and_table, thing *>("ordered set", "GQueue and GHashTable", numbers);
    measure<ut_hash, thing *>("ordered set", "uthash", numbers);
    for (const char *contract : {"set", "set, no change in a pass"}) {
        if (contract[3] == '\0') {
            measure<multi_index_array, thing *>(contract, "boost multi_index", numbers);
            measure<vector_and_boost_map, thing *>(contract, "std::vector and boost unordered_flat_map", numbers);
            measure<vector_and_absl_map, thing *>(contract, "std::vector and absl flat_hash_map", numbers);
            measure<ut_hash, thing *>(contract, "uthash", numbers);
            measure<stb_set, thing *>(contract, "stb_ds map", numbers);
        } else {
            measure<boost_flat_set, thing *>(contract, "boost unordered_flat_set", numbers);
            measure<absl_flat_set, thing *>(contract, "absl flat_hash_set", numbers);
            measure<glib_set, thing *>(contract, "GHashTable", numbers);
        }
    }
    measure<intrusive_list, thing *>("links", "boost intrusive::list", numbers);
    measure<std_list, thing *>("links", "std::list", numbers);
    measure<glib_list, thing *>("links", "GQueue", numbers);
    return 0;
}
