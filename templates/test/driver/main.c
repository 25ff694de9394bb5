/* == main ============================================================================================================== */

static const bt_subject *bt_subject_at(size_t number); /* NULL behind the last */

#ifdef BT_WITH_LAYERS
static const bl_subject *bl_subject_at(size_t number); /* NULL behind the last */

/* What the lines of a file are about. */
static void bl_choose(const char *name)
{
    bt_now = &bt_alone;
    for (size_t i = 0; bl_subject_at(i) != NULL; i++) {
        if (strcmp(bl_subject_at(i)->name, name) == 0) {
            bt_now = &bl_together;
        }
    }
}

#endif
/* NULL if the test can make elements that are distinct, also by the keys of named indexes; else why not. */
static const char *bt_is_ready(void)
{
    const char *reason = bt_it->ready();
#ifdef BT_WITH_NAMED
    static char text[200];

    for (unsigned label = 1; reason == NULL && bt_it->indexes != 0 && label < bt_labels; label++) {
        if (bt_it->fresh != NULL) {
            bt_it->fresh(label);
        }
        for (unsigned index = 0; index < bt_it->indexes; index++) {
            for (unsigned other = 1; bt_it->index[index].unique && other < label && other < 400; other++) {
                if (bt_it->compare(index, label, other) == 0) {
                    snprintf(text, sizeof text, "the elements that the test makes have equal keys in the index %s: its key must "
                             "be a member or a function, and another than `test.id`", bt_it->index[index].name);
                    return text;
                }
            }
        }
    }
#endif
    return reason;
}

#ifdef BESPOKE_FUZZ
/* Reads operations from bytes: clang -DBESPOKE_FUZZ -fsanitize=fuzzer,address NAME_test.c */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Chooses what is tested by a number, or the one that BESPOKE_CONTAINER in the environment names; false if it cannot be. */
static bool bt_choose(unsigned number)
{
    static struct {
        bool known, fit, can_expire;
        unsigned labels;
    } found[BT_SUBJECTS];
    static unsigned only = BT_SUBJECTS + 1;

    if (only > BT_SUBJECTS) {
        const char *name = getenv("BESPOKE_CONTAINER");
        const char *trace = getenv("BESPOKE_TRACE");

        bt_trace_all = trace != NULL && strcmp(trace, "1") == 0;

        for (only = 0; name != NULL && only < BT_SUBJECTS - 1 && strcmp(bt_subject_at(only)->name, name) != 0;) {
            only++;
        }
        if (name == NULL) {
            only = BT_SUBJECTS;
        } else if (strcmp(bt_subject_at(only)->name, name) != 0) {
            fprintf(stderr, "BESPOKE_CONTAINER: no container is called %s\n", name);
            exit(2);
        }
    }
    number = only < BT_SUBJECTS ? only : number % BT_SUBJECTS;
    bt_it = bt_subject_at(number);
    bt_never_refuses = bt_it->never_fails;
    if (!found[number].known) {
        const char *reason = bt_is_ready(); /* which compares all elements with each other */

        if (reason != NULL) {
            fprintf(stderr, "%s: not tested: %s\n", bt_it->name, reason);
        }
        found[number].known = true;
        found[number].fit = reason == NULL;
        found[number].labels = bt_labels;
        found[number].can_expire = bt_can_expire;
    }
    bt_labels = found[number].labels;
    bt_can_expire = found[number].can_expire;
    bt_top_label = bt_labels - 1;
    return found[number].fit;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static bt_op ops[BT_LENGTH];
    size_t number = 0;

    if (size < 3 || !bt_choose(bytes[0])) {
        return 0;
    }
    memset(&bt_set, 0, sizeof bt_set);
    bt_set.blank[0] = bytes[1] & 1;
    bt_set.blank[1] = bytes[1] >> 1 & 1;
    bt_set.refuse_on = bytes[1] >> 2 & 1;
    bt_set.range = 3 + (bytes[1] >> 3);
    bt_set.refuse = bytes[2];
    for (size_t at = 3; at + 5 <= size && number < BT_LENGTH; at += 5) {
        bt_op *op = &ops[number++];

        op->kind = bytes[at] % BT_KINDS;
        op->side = bytes[at] >= 224;
        op->cursor = bytes[at + 1] % BT_CURSORS;
        op->luck = bytes[at + 1] / BT_CURSORS % (BT_PLANS + 1u);
        op->how = bytes[at + 2];
        op->label = 1 + bytes[at + 3] % bt_set.range;
        op->number = bytes[at + 4] * 0x0101u;
    }
    if (!bt_replay(ops, number)) {
        abort();
    }
    return 0;
}
#else
int main(int argc, char **argv)
{
    uint64_t seed = 1;
    unsigned long run = 0;
    unsigned long steps = 100000;
    unsigned depth = 5;
    const char *only = NULL;
    const char *replay = NULL;
    static bt_op ops[BT_LENGTH];
    size_t number = 0;
    char name[200] = "";
    bool trace = false;
    bool one = false;
    unsigned tested = 0;
    unsigned failed = 0;

    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;

        if (strcmp(argv[i], "--trace") == 0) {
            trace = true;
        } else if (value != NULL && strcmp(argv[i], "--seed") == 0) {
            seed = strtoul(argv[++i], NULL, 10);
        } else if (value != NULL && strcmp(argv[i], "--steps") == 0) {
            steps = strtoul(argv[++i], NULL, 10);
        } else if (value != NULL && strcmp(argv[i], "--exhaustive") == 0) {
            depth = (unsigned)strtoul(argv[++i], NULL, 10);
            depth = depth < BT_DEEPEST ? depth : (unsigned)BT_DEEPEST;
        } else if (value != NULL && strcmp(argv[i], "--replay") == 0) {
            replay = argv[++i];
        } else if (value != NULL && strcmp(argv[i], "--run") == 0) {
            run = strtoul(argv[++i], NULL, 10);
            one = true;
        } else if (value != NULL && strcmp(argv[i], "--container") == 0) {
            only = argv[++i];
        } else {
            fprintf(stderr,
                    "usage: %s [--exhaustive N] [--seed N] [--steps N] [--container NAME] [--run N] [--replay FILE] [--trace]\n",
                    argv[0]);
            return 2;
        }
    }
    if (replay != NULL) {
        FILE *file = fopen(replay, "r");
        char buffer[300];

        if (file == NULL) {
            fprintf(stderr, "%s: cannot be read\n", replay);
            return 2;
        }
        memset(&bt_set, 0, sizeof bt_set);
        bt_set.blank[0] = bt_set.blank[1] = true;
        bt_set.range = 8;
        for (unsigned at = 1; fgets(buffer, sizeof buffer, file) != NULL; at++) {
            if (!bt_read_line(buffer, ops, &number, name, sizeof name)) {
                fprintf(stderr, "%s:%u: this is no operation: %s\n", replay, at, buffer);
                return 2;
            }
        }
        fclose(file);
        only = name;
    }
    bt_watch();
    for (size_t i = 0; bt_subject_at(i) != NULL; i++) {
        const char *reason;
        bool passed;

        bt_it = bt_subject_at(i);
        bt_never_refuses = bt_it->never_fails;
        if (only != NULL && strcmp(only, bt_it->name) != 0) {
            continue;
        }
        bt_ops_now = NULL; /* a crash before the first operation is none of another container */
        reason = bt_is_ready();
        if (reason != NULL) {
            fprintf(stderr, "%s: not tested: %s\n", bt_it->name, reason);
            continue;
        }
        tested++;
        bt_trace_all = trace;
        bt_top_label = bt_labels - 1;
        if (replay != NULL) {
            passed = bt_replay(ops, number);
        } else if (one) {
            passed = bt_run(seed, run, run <= 120 ? (unsigned)(run - 1) % 60 + 1 : 0, run > 60 && run <= 120);
        } else {
            passed = bt_test(seed, steps, depth);
        }
        failed += !passed;
    }
#ifdef BT_WITH_LAYERS
    for (size_t i = 0; bl_subject_at(i) != NULL; i++) {
        bool passed;

        if ((only != NULL && strcmp(only, bl_subject_at(i)->name) != 0) || bl_subject_at(i)->layer->ready() != NULL) {
            continue;
        }
        bl_enter_test(bl_subject_at(i));
        tested++;
        bt_trace_all = trace;
        if (replay != NULL) {
            passed = bt_replay(ops, number);
        } else if (one) {
            passed = bl_run(seed, run, run <= 100 ? (unsigned)(run - 1) % 60 + 1 : 0, run > 60 && run <= 100);
        } else {
            passed = bl_test(seed, steps, depth);
        }
        failed += !passed;
        bl_leave_test();
    }
#endif
    printf("%u container%s, %lu operations, %u failed\n", tested, tested == 1 ? "" : "s", bt_operations, failed);
    return failed == 0 && tested > 0 ? 0 : 1;
}
#endif
