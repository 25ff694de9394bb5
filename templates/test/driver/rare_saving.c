#ifdef BT_WITH_SAVING
/* -- rare cases: what is loaded ---------------------------------------------------------------------------------------- */

enum { BT_HEAD_FORMAT = 7, BT_HEAD_KIND = 8, BT_HEAD_VERSION = 12, BT_HEAD_COUNT = 16, BT_HEAD = 20 };

/* Loads what was saved without `left_out` bytes from `at` on, with another number of members in its head. */
static unsigned bt_load_without(size_t at, size_t left_out, unsigned members)
{
    unsigned status;

    bt_again.count = bt_again.at = 0;
    (void)bt_write_bytes(&bt_again, bt_saved.bytes, at);
    (void)bt_write_bytes(&bt_again, bt_saved.bytes + at + left_out, bt_saved.count - at - left_out);
    for (unsigned i = 0; i < 4; i++) {
        bt_again.bytes[BT_HEAD_COUNT + i] = (unsigned char)(members >> 8 * i);
    }
    bt_operations++;
    status = bt_it->load(0, &bt_again);
    bt_again.count = 0;
    return status;
}

static void bt_need_status(unsigned status, unsigned expected, const char *what)
{
    if (status != expected) {
        bt_fail("%s_load of %s returned %s, expected %s", bt_it->name, what, bt_words[status], bt_words[expected]);
    }
}

/* A file of another format, type or version, or with other members, is not taken for a damaged one. */
static void bt_try_heads(void)
{
    unsigned members = 0;

    bt_saved.bytes[BT_HEAD_FORMAT] ^= 64;
    bt_need_status(bt_load_without(BT_HEAD, 0, bt_it->members), BT_OTHER_VERSION, "another format");
    bt_saved.bytes[BT_HEAD_FORMAT] ^= 64;
    bt_saved.bytes[BT_HEAD_KIND] ^= 1;
    bt_need_status(bt_load_without(BT_HEAD, 0, bt_it->members), BT_OTHER_TYPE, "another type");
    bt_saved.bytes[BT_HEAD_KIND] ^= 1;
    bt_saved.bytes[BT_HEAD_VERSION + 3] ^= 0x80;
    bt_need_status(bt_load_without(BT_HEAD, 0, bt_it->members), BT_OTHER_VERSION, "a later version");
    bt_saved.bytes[BT_HEAD_VERSION + 3] ^= 0x80;
    for (unsigned i = 0; i < 4; i++) {
        members |= (unsigned)bt_saved.bytes[BT_HEAD_COUNT + i] << 8 * i;
    }
    if (members != bt_it->members) {
        bt_fail("%s_save writes the names of %u members", bt_it->name, members);
    }
    bt_need_status(bt_load_without(BT_HEAD, 0, members + 1), BT_OTHER_TYPE, "more members");
    for (unsigned i = 0; i < members; i++) {
        size_t at = BT_HEAD + 4 * (size_t)i;

        bt_saved.bytes[at] ^= 1;
        bt_need_status(bt_load_without(BT_HEAD, 0, members), BT_OTHER_TYPE, "an unknown member");
        bt_saved.bytes[at] ^= 1;
        if (bt_it->whole) {
            bt_need_status(bt_load_without(at, 4, members - 1), BT_OTHER_TYPE, "too few members");
        }
    }
}

/* Other bytes with the sum that fits are refused, or loaded; T_check finds nothing then, and they are saved again. */
static void bt_try_bytes(void)
{
    for (size_t at = BT_HEAD + 4 * (size_t)bt_it->members; at < bt_saved.count - 8; at++) {
        unsigned char was = bt_saved.bytes[at];

        for (unsigned other = 0; other < 4; other++) {
            uint64_t sum = 0xcbf29ce484222325u;

            bt_saved.bytes[at] = (unsigned char)(other < 3 ? other : 255);
            for (size_t i = 0; i < bt_saved.count; i++) {
                if (i < bt_saved.count - 8) {
                    sum = (sum ^ bt_saved.bytes[i]) * 0x100000001b3u;
                } else {
                    bt_saved.bytes[i] = (unsigned char)(sum >> 8 * (i + 8 - bt_saved.count));
                }
            }
            bt_it->adopt(0, false); /* what was loaded before has generations of its own */
            bt_it->make(0);
            bt_saved.at = 0;
            bt_operations++;
            if (bt_it->load(0, &bt_saved) == BT_OK && bt_it->exact) {
                bt_same_saved(0);
            }
        }
        bt_saved.bytes[at] = was;
    }
}

static void bt_try_loads(void)
{
    bt_begin_case();
    if (bt_it->save == NULL) {
        return;
    }
    bt_add_some(0, 1, bt_fitting(3));
    bt_saved.count = 0;
    bt_expect("save", bt_it->save(0, false, &bt_saved), BT_OK);
    bt_it->make(0);
    bt_try_heads();
    bt_try_bytes();
    bt_it->adopt(0, false);
    bt_it->deinit(0);
}
#endif
