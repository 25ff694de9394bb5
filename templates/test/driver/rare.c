/* -- cases that random sequences rarely reach: what they are made of ----------------------------------------------------- */

/* A case without a model: hooks are called, and not compared with it. */
static void bt_begin_case(void)
{
    bt_begin_run();
    bt_playing = false;
}

/* Removes the first element of a pass. */
static void bt_drop_first(void)
{
    if (bt_it->remove_current != NULL) {
        bt_it->begin(0, 2, false);
        (void)bt_it->next(0, 2);
        (void)bt_it->remove_current(0, 2);
        bt_it->end(0, 2);
    } else {
        bt_expect("remove_at", bt_it->remove_at(0, 0), BT_OK);
    }
    bt_operations += 4;
}

static void bt_add_some(unsigned side, unsigned from, unsigned to)
{
    for (unsigned label = from; label <= to; label++) {
        bt_operations++;
        bt_expect("add", bt_it->add(side, label), BT_OK);
    }
}

/* The number of distinct elements that the container can hold, at most `most`. */
static unsigned bt_fitting(unsigned most)
{
    size_t fit = bt_labels - 1;

    if (bt_it->limit != 0 && bt_it->limit < fit) {
        fit = bt_it->limit;
    }
    if (bt_it->keys != 0 && bt_it->keys <= fit) {
        fit = (size_t)bt_it->keys - 1;
    }
    if (bt_it->slots != 0 && bt_it->slots < fit) {
        fit = bt_it->slots;
    }
    return fit < most ? (unsigned)fit : most;
}

/* Writes another number into a member of a container, and returns what was in it. */
BT_SPARE static size_t bt_overwrite(void *number, size_t bytes, size_t value)
{
    uint64_t was = 0;
    unsigned one = 1;
    unsigned char little;

    memcpy(&little, &one, 1);
    for (size_t i = 0; i < bytes; i++) {
        unsigned char *byte = (unsigned char *)number + (little ? i : bytes - 1 - i);

        was |= (uint64_t)*byte << 8 * i;
        *byte = (unsigned char)((uint64_t)value >> 8 * i);
    }
    return (size_t)was;
}

/* T_check notices a number that is wrong, as long as it is. */
BT_SPARE static void bt_harm(void *number, size_t bytes, size_t wrong, const char *member)
{
    size_t right = bt_overwrite(number, bytes, wrong);
    const char *reason = bt_it->intact(0);

    (void)bt_overwrite(number, bytes, right);
    if (reason == NULL) {
        bt_fail("%s_check does not notice that `%s` is wrong", bt_it->name, member);
    }
}

#define BT_HARM(number, wrong) bt_harm(&(number), sizeof(number), wrong, #number)
#define BT_HARM_WHERE(condition, number, wrong) ((condition) ? BT_HARM(number, wrong) : (void)0)

/* T_check notices that an element has the key of another one, by which it is found, since all keys have the same hash. */
BT_SPARE static void bt_harm_key(void *element, size_t bytes, unsigned label)
{
    void *before = malloc(bytes);
    const char *reason;

    if (before == NULL) {
        fputs("out of memory\n", stderr);
        exit(2);
    }
    bt_it->set_hash_key(0, 0x35186e44a1ebc5a8);
    memcpy(before, element, bytes);
    bt_it->write_label(element, label);
    reason = bt_it->intact(0);
    memcpy(element, before, bytes);
    bt_it->set_hash_key(0, 0);
    free(before);
    if (reason == NULL) {
        bt_fail("%s_check does not notice that two elements have the same key", bt_it->name);
    }
}

/* T_check notices numbers of a hash table that are wrong, in groups and in a row. */
#define BT_HARM_GROUPS(table, entries) \
    do { \
        for (size_t i = 0; i < (entries) && i < 1200; i++) { \
            bool taken = (table)[i / 12].tags[i % 12] != 0; \
            BT_HARM((table)[i / 12].tags[i % 12], taken ? 0 : 1); \
            if (taken) { \
                BT_HARM((table)[i / 12].numbers[i % 12], (table)[i / 12].numbers[i % 12] + 1); \
            } \
            if (i % 12 < 4) { \
                BT_HARM((table)[i / 12].passed[i % 4], (uint8_t)((table)[i / 12].passed[i % 4] + 1)); \
            } \
        } \
    } while (0)
#define BT_HARM_ROW(table, entries) \
    do { \
        for (size_t i = 0; i < (entries) && i < 1200; i++) { \
            if ((table)[i].slot != 0) { \
                BT_HARM((table)[i].slot, 0); \
            } \
        } \
    } while (0)

static bool bt_is_clean(unsigned side)
{
    const char *wrong = bt_it->check(side);

    if (wrong != NULL) {
        bt_fail("%s_check: %s", bt_it->name, wrong);
    }
    return true;
}
