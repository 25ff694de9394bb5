/* -- every sequence ------------------------------------------------------------------------------------------------- */

enum {
    BT_LETTERS = 160,
    BT_DEEPEST = 12,
    BT_SCOUTED = 3,         /* sequences up to this length are made of all operations */
    BT_SEQUENCES = BT_SANITIZED ? 40000 : 400000 /* about this many of each greater length, of the operations that this allows */
};

static bt_op bt_letters[BT_LETTERS]; /* the operations that sequences are made of */
static size_t bt_letter_count;
static bool bt_spelt[BT_LETTERS];    /* it did something */
static unsigned long bt_sequences;
static unsigned long bt_reached[BT_SCOUTED + 1][BT_LETTERS]; /* sequences by length and by their last letter of the alphabet */

static void bt_letter(unsigned kind, unsigned side, unsigned cursor, unsigned how, unsigned label, unsigned number)
{
    bt_op *letter = &bt_letters[bt_letter_count];

    if (++bt_letter_count == BT_LETTERS) {
        fputs("the test's alphabet is full\n", stderr);
        exit(2);
    }
    memset(letter, 0, sizeof *letter);
    letter->kind = (unsigned char)kind;
    letter->side = (unsigned char)side;
    letter->cursor = (unsigned char)cursor;
    letter->how = (unsigned char)how;
    letter->label = label;
    letter->number = number;
}

/* The operations on one container, one by one and in passes. */
static void bt_spell_core(void)
{
    unsigned labels = bt_labels <= 3 ? bt_labels - 1 : 3;

    for (unsigned label = 1; label <= (bt_it->by_label ? labels : 1); label++) {
        bt_letter(BT_ADD, 0, 0, 0, label, 0);
    }
    for (unsigned i = 1; i <= labels; i++) {
        if (bt_it->remove != NULL) {
            bt_letter(BT_REMOVE, 0, 0, 0, i, 0);
        } else if (bt_it->remove_handle != NULL) {
            bt_letter(BT_REMOVE_HANDLE, 0, 0, 0, 1, i - 1);
        } else if (bt_it->remove_at != NULL) {
            bt_letter(BT_REMOVE_AT, 0, 0, 0, 1, i - 1);
        }
    }
    if (bt_it->insert != NULL) {
        bt_letter(BT_INSERT, 0, 0, 0, labels, 0); /* before the first, */
        bt_letter(BT_INSERT, 0, 0, 1, labels, 0); /* behind it, */
        bt_letter(BT_INSERT, 0, 0, 0, labels, 1); /* before the second */
        if (bt_it->tree) {
            bt_letter(BT_INSERT, 0, 0, 17, labels, 0); /* below the first, */
            bt_letter(BT_INSERT, 0, 0, 17, labels, 1); /* and below the second */
        }
    }
#ifdef BT_WITH_QUEUES
    if (bt_it->reranks && bt_it->heap) {
        bt_letter(BT_RANK, 0, 0, 0, 1, 0);
        bt_letter(BT_RANK, 0, 0, 0, 2, 3);
    }
#endif
#ifdef BT_WITH_MOVING
    if (bt_it->reranks && bt_it->refile != NULL) {
        bt_letter(BT_RANK, 0, 0, 0, 1, 3);
        bt_letter(BT_RANK, 0, 0, 0, 2, 0);
    }
#endif
    if (bt_it->reranks && bt_it->resorts) {
        bt_letter(BT_RANK, 0, 0, 0, 1, 2);
    }
#ifdef BT_WITH_QUEUES
    if (bt_it->pop != NULL) {
        bt_letter(BT_POP, 0, 0, 0, 1, 0);
        if (bt_it->both_ends) {
            bt_letter(BT_POP, 0, 0, 1, 1, 0); /* the last */
        }
        if (bt_it->add_front != NULL) {
            bt_letter(BT_ADD_FRONT, 0, 0, 0, labels, 0);
        }
    }
#endif
    bt_letter(BT_CLEAR, 0, 0, 0, 1, 0);
    for (unsigned cursor = 0; cursor < (bt_it->passes == 1 ? 1u : 2u); cursor++) {
        bt_letter(BT_BEGIN, 0, cursor, 0, 1, 0);
        if (bt_it->both_ways) {
            bt_letter(BT_BEGIN, 0, cursor, 0, 2, 0); /* backward */
        }
        bt_letter(BT_NEXT, 0, cursor, 0, 1, 0);
    }
    bt_letter(BT_REMOVE_CURRENT_OF, 0, 0, 0, 1, 0);
    bt_letter(BT_END, 0, 0, 0, 1, 0);
    if (bt_it->lock != NULL) {
        bt_letter(BT_LOCK, 0, 0, 0, 1, 0);
        bt_letter(BT_UNLOCK, 0, 0, 0, 1, 0);
    }
    if (bt_it->expire != NULL) {
        bt_letter(BT_EXPIRE, 0, 0, 0, 1, 0);
        bt_letter(BT_EXPIRE, 0, 0, 0, 1, 1);
    } else if (bt_can_expire) {
        bt_letter(BT_LOOP, 0, 0, BT_EXPIRE_IT, 1, 0);
        bt_letter(BT_LOOP, 0, 0, BT_EXPIRE_IT, 1, 1);
    }
    if (bt_it->update != NULL) {
        bt_letter(BT_UPDATE, 0, 0, 0, 1, 0);
        if (bt_it->on_update && bt_can_expire) {
            bt_letter(BT_UPDATE, 0, 0, 0, 1, 0x0101);
            bt_letter(BT_UPDATE, 0, 0, 0, 1, 0x0202);
        }
    }
}

/* All others, and what hooks and loop bodies do. */
static void bt_spell_rest(void)
{
    unsigned labels = bt_labels <= 3 ? bt_labels - 1 : 3;
    static const unsigned char kinds[] = {BT_ADD,   BT_REMOVE, BT_REMOVE_HANDLE, BT_REMOVE_CURRENT_OF,
                                          BT_CLEAR, BT_UPDATE, BT_UNLOCK,        BT_END};
    bool hooks = bt_it->on_add || bt_it->on_remove || bt_it->on_destroy || bt_it->on_update;

    bt_letter(BT_SETTLE, 0, 0, 0, 1, 0);
    bt_letter(BT_RESTART, 0, 0, 0, 1, 0);
#ifdef BT_WITH_SAVING
    if (bt_it->save != NULL) {
        bt_letter(BT_RELOAD, 0, 0, 0, 1, 0);
    }
#endif
#ifdef BT_WITH_SNAPSHOTS
    if (bt_it->snapshot != NULL) {
        bt_letter(BT_SNAPSHOT, 0, 0, 0, 1, 0);
        bt_letter(BT_ROLLBACK, 0, 0, 0, 1, 0);
        bt_letter(BT_SNAPSHOT, 0, 0, 1, 1, 0);
        bt_letter(BT_ROLLBACK, 0, 0, 1, 1, 0);
    }
#endif
    bt_letter(BT_ABANDON, 0, 0, 0, 1, 0);
    bt_letter(BT_REMOVE_CURRENT_OF, 0, 1, 0, 1, 0);
    bt_letter(BT_END, 0, 1, 0, 1, 0);
    bt_letter(BT_BEGIN, 0, 2, 0, 1, 0);
    bt_letter(BT_NEXT, 0, 2, 0, 1, 0);
    bt_letter(BT_EMPLACE, 0, 0, 0, 1, 0);
    if (bt_it->insert != NULL) {
        bt_letter(BT_INSERT, 0, 0, 1, labels, 1);
        bt_letter(BT_INSERT, 0, 0, 2, labels, 0);
        bt_letter(BT_INSERT, 0, 0, 3, labels, 0);
        bt_letter(BT_INSERT, 0, 0, 4, labels, 0);
    }
#ifdef BT_WITH_MOVING
    for (unsigned how = 0; bt_it->move != NULL && how < BT_MOVES; how++) {
        bt_letter(BT_MOVE, 0, 0, how, 1, how < BT_MOVE_TO_FRONT);
        bt_letter(BT_MOVE, 0, 0, how, 2, 0);
    }
#endif
#ifdef BT_WITH_BRANCHING
    for (unsigned how = 0; bt_it->move_branch != NULL && how <= BT_MOVES; how++) {
        bt_letter(BT_MOVE_BRANCH, 0, 0, how, 1, 1);
        bt_letter(BT_MOVE_BRANCH, 0, 0, how, 2, 0);
    }
#endif
#ifdef BT_WITH_EXCHANGING
    if (bt_it->swap_places != NULL) {
        bt_letter(BT_SWAP_PLACES, 0, 0, 0, 1, 1);
        bt_letter(BT_SWAP_PLACES, 0, 0, 0, 1, 2);
    }
#endif
#ifdef BT_WITH_NUMBERS
    for (unsigned how = 0; bt_it->combine != NULL && how < 3; how++) {
        bt_letter(BT_COMBINE, 0, 0, how + 3, 1, 0);
    }
#endif
#ifdef BT_WITH_KEEPING
    if (bt_it->keep != NULL) {
        bt_letter(BT_KEEP, 0, 0, 0, 1, 0);
    }
#endif
#ifdef BT_WITH_ANYWHERE
    if (bt_it->begin_at != NULL) {
        for (unsigned how = 0; how < BT_WAYS_IN; how++) {
            if ((bt_it->ways_in >> how & 1) != 0) {
                bt_letter(BT_BEGIN_AT, 0, 0, how, 1, 1);
            }
        }
    }
    if (bt_it->begin_after != NULL) {
        bt_letter(BT_BEGIN_AFTER, 0, 1, 0, 1, 0);
        bt_letter(BT_NEXT, 0, 1, 0, 1, 0);
    }
    if (bt_it->pairs != NULL) {
        for (unsigned how = 0; how < 4; how++) {
            bt_letter(BT_PAIRS, 0, 0, how, 1, how % 2);
        }
    }
#endif
#ifdef BT_WITH_SCANS
    for (unsigned way = 0; bt_it->scan != NULL && way < 32; way++) {
        if ((bt_it->scan_ways >> way & 1) != 0) {
            bt_letter(BT_SCAN, 0, 0, way * 8 + 1, 1, way % 2 == 0 ? 24 : 17);
        }
    }
#endif
#ifdef BT_WITH_CHANGES
    if (bt_it->mark_handle != NULL) {
        bt_letter(BT_MARK, 0, 0, 0, 1, 0);
    }
#endif
#ifdef BT_WITH_BESIDE
    if (bt_it->set_beside != NULL) {
        bt_letter(BT_VALUES, 0, 0, 7, 1, 0);
        bt_letter(BT_VALUES, 0, 0, 2, 1, 0);
        bt_letter(BT_VALUES, 0, 0, 1, 1, 0);
    }
#endif
#ifdef BT_WITH_WEIGHING
    if (bt_it->reweigh != NULL) {
        bt_letter(BT_REWEIGH, 0, 0, 0, 1, 3);
    }
#endif
#ifdef BT_WITH_SPLICING
    for (unsigned how = 0; bt_it->splice != NULL && how < BT_SPLICES; how++) {
        bt_letter(BT_SPLICE, 0, 0, how, 1, 0);
        bt_letter(BT_SPLICE, 0, 0, how + BT_SPLICES, 1, 1);
    }
#endif
#ifdef BT_WITH_KEYED
    if (bt_it->rekey_index != NULL) {
        bt_letter(BT_REKEY_INDEX, 0, 0, 0, 1, 1);
        bt_letter(BT_REKEY_INDEX, 0, 0, 0, 2, 2);
        bt_letter(BT_REKEY_INDEX, 0, 0, 0, 1, labels);
#ifdef BT_WITH_MOVING
        if (bt_it->files) {
            bt_letter(BT_REKEY_INDEX, 0, 0, 0, 2, 0); /* to before the first, whose key may be the same */
        }
#endif
    }
#endif
#ifdef BT_WITH_NAMED
    for (unsigned index = 0; index < bt_it->indexes; index++) {
        bt_letter(BT_REKEY_NAMED, 0, 0, index, 1, 1);
        bt_letter(BT_REKEY_NAMED, 0, 0, index, 2, labels);
        if (bt_it->index[index].unique) {
            bt_letter(BT_REMOVE_KEY, 0, 0, index + 1, 1, 0);
        }
    }
#endif
#ifdef BT_WITH_INDICES
    for (unsigned place = 0; bt_it->replace_at != NULL && place < 2; place++) {
        bt_letter(BT_REPLACE_AT, 0, 0, 0, labels, place);
        bt_letter(BT_REPLACE_AT, 0, 0, 0, 1, place);
    }
    for (unsigned count = 1; bt_it->remove_range != NULL && count < 4; count++) {
        bt_letter(BT_REMOVE_RANGE, 0, 0, count, 1, 0);
        bt_letter(BT_REMOVE_RANGE, 0, 0, count, 1, 1);
    }
#endif
    if (bt_it->sort != NULL) {
        bt_letter(BT_SORT, 0, 0, 0, 1, 0);
    }
    bt_letter(BT_ADD_ALL, 0, 0, 0, 1, 2);
    bt_letter(BT_ADD, 1, 0, 0, 2, 0);
    bt_letter(BT_ADD, 1, 0, 0, 3, 0);
    bt_letter(BT_BEGIN, 1, 0, 0, 1, 0);
    bt_letter(BT_NEXT, 1, 0, 0, 1, 0);
    bt_letter(BT_ADD_FROM, 0, 0, 0, 1, 0);
    bt_letter(BT_ADD_FROM, 1, 0, 0, 1, 0);
    bt_letter(BT_REMOVE_FROM, 0, 0, 1, 1, 0);
    bt_letter(BT_REMOVE_FROM, 0, 0, 0, 1, 0);
    bt_letter(BT_REMOVE_AT, 0, 0, 0, 1, 0);
    bt_letter(BT_REMOVE_AT, 0, 0, 0, 1, 1);
    bt_letter(BT_REMOVE_KEY, 0, 0, 0, 1, 0);
    bt_letter(BT_RESERVE, 0, 0, 0, 1, 3);
    bt_letter(BT_RESERVE, 0, 0, 0, 1, 96);
    bt_letter(BT_SHRINK, 0, 0, 0, 1, 0);
    bt_letter(BT_HASH_KEY, 0, 0, 0, 1, 8); /* with which keys collide */
    bt_letter(BT_LOOP, 0, 0, BT_BREAK, 1, 0);
    bt_letter(BT_LOOP, 0, 0, BT_REMOVE_CURRENT, 1, 0);
    bt_letter(BT_LOOP, 0, 0, BT_REMOVE_CURRENT, 1, 1);
    bt_letter(BT_LOOP, 0, 0, BT_REMOVE_IT, 1, 1);
    if (bt_it->both_ways) {
        bt_letter(BT_LOOP, 0, 0, BT_REMOVE_CURRENT, 2, 0);
        bt_letter(BT_LOOP, 0, 0, BT_REMOVE_IT, 2, 1);
        bt_letter(BT_LOOP, 0, 0, BT_GO_ON, 2, 0);
        bt_letters[bt_letter_count - 1].luck = 1; /* adds another one */
    }
    for (uint32_t plan = 1; plan <= BT_PLANS; plan++) {
        bt_letter(BT_LOOP, 0, 0, BT_GO_ON, 1, 0);
        bt_letters[bt_letter_count - 1].luck = plan;
    }
    for (size_t i = 0; hooks && i < sizeof kinds; i++) {
        for (uint32_t plan = 1; plan <= 5; plan += 2) { /* adds another one, removes one, clears */
            bt_letter(kinds[i], 0, 0, 0, 1, 0);
            bt_letters[bt_letter_count - 1].luck = plan;
        }
    }
}

/* Plays a sequence. All its beginnings are sequences too, so it is compared after the last operation only. Returns whether
 * that did anything: without it, the sequence is a shorter one. */
static bool bt_play_sequence(const bt_op *ops, size_t number)
{
    unsigned long said;

    bt_ops_now = ops;
    bt_number_now = number;
    bt_now->begin();
    for (size_t i = 0; i + 1 < number; i++) {
        bt_now->quick(&ops[i]);
    }
    said = bt_said;
    bt_now->step(&ops[number - 1], (unsigned)number);
    said = bt_said - said;
    bt_now->end();
    return said != 0;
}

/* Repeats a sequence of operations. Returns whether the last one printed anything; below 0: it failed. */
static int bt_plays_sequence(const bt_op *ops, size_t number)
{
    switch (setjmp(bt_escape)) {
    case 0: return bt_play_sequence(ops, number);
    case BT_UNCLEAR: bt_give_back(); return 0;
    default: bt_give_back(); return -1;
    }
}

/* Every sequence that begins with these `number` operations and has `length`. */
static bool bt_try_sequences(bt_op *ops, size_t number, size_t length, size_t last)
{
    for (size_t letter = 0; letter < bt_letter_count; letter++) {
        int does;

        ops[number] = bt_letters[letter];
        does = bt_plays_sequence(ops, number + 1);
        if (does < 0) {
            bt_tell_story(ops, number + 1, "--exhaustive");
            return false;
        }
        bt_spelt[letter] = bt_spelt[letter] || does > 0;
        if (does > 0 && number + 1 == length) {
            bt_sequences++;
            if (length <= BT_SCOUTED) {
                bt_reached[length][letter > last ? letter : last]++;
            }
        } else if (does > 0 && !bt_try_sequences(ops, number + 1, length, letter > last ? letter : last)) {
            return false;
        }
    }
    return true;
}

/* How many letters of the alphabet, so that there are about BT_SEQUENCES of this length? By what shorter ones have shown. */
static size_t bt_spell(size_t length)
{
    double longest = 0;
    double shorter = 0;
    size_t letters;

    for (letters = 0; letters < bt_letter_count; letters++) {
        double expected = longest += (double)bt_reached[BT_SCOUTED][letters];

        shorter += (double)bt_reached[BT_SCOUTED - 1][letters];
        for (size_t i = BT_SCOUTED; i < length && shorter > 0; i++) {
            expected *= longest / shorter;
        }
        if (expected > (double)BT_SEQUENCES) {
            break;
        }
    }
    return letters;
}

/* Every sequence of at most `length` operations on three elements, short ones first: the first that fails is as short as
 * can be. `claim` prints what that covers. */
static bool bt_exhaust(unsigned length, char *claim, size_t room)
{
    static bt_op ops[BT_LENGTH];
    size_t letters;
    size_t spoken[BT_DEEPEST + 1];
    int end;

    memset(&bt_set, 0, sizeof bt_set);
    bt_set.blank[0] = bt_set.blank[1] = true;
    bt_set.exact = true;
    bt_set.range = 3;
    memset(bt_spelt, 0, sizeof bt_spelt);
    bt_sequences = 0;
    memset(bt_reached, 0, sizeof bt_reached);
    bt_letter_count = 0;
    bt_spell_core();
    bt_spell_rest();
    letters = bt_letter_count;
    for (unsigned depth = 1; depth <= length; depth++) {
        spoken[depth] = depth <= BT_SCOUTED ? letters : bt_spell(depth);
        bt_letter_count = spoken[depth];
        if (!bt_try_sequences(ops, 0, depth, 0)) {
            return false;
        }
        bt_letter_count = letters;
    }
    end = snprintf(claim, room, "every sequence of%s", length == 0 ? " no operations" : "");
    spoken[0] = 0;
    for (unsigned depth = length < BT_SCOUTED ? length : (unsigned)BT_SCOUTED;
         length > 0 && depth <= length && end > 0 && (size_t)end < room; depth++) {
        unsigned many = 0;

        for (size_t i = 0; i < spoken[depth]; i++) {
            many += bt_spelt[i] ? 1u : 0u;
        }
        end +=
            snprintf(claim + end, room - (size_t)end, "%s <= %u of %u operations", depth <= BT_SCOUTED ? "" : ",", depth, many);
    }
    return true;
}
