/* -- lines for --replay ------------------------------------------------------------------------------------------------ */

static void bt_print_op(const bt_op *op)
{
    unsigned has = bt_now->words[op->kind].has;

    fprintf(stderr, "%s %s", bt_now->words[op->kind].word, bt_names[op->side]);
    if ((has & BT_HAS_LABEL) != 0) {
        fprintf(stderr, " label %u", op->label);
    }
    if ((has & BT_HAS_CURSOR) != 0) {
        fprintf(stderr, " cursor %u", (unsigned)op->cursor);
    }
    if ((has & BT_HAS_NUMBER) != 0) {
        fprintf(stderr, " number %u", op->number);
    }
    if ((has & BT_HAS_HOW) != 0) {
        fprintf(stderr, " how %u", (unsigned)op->how);
    }
    if (op->luck > BT_PLANS) {
        fprintf(stderr, " luck %lu", (unsigned long)op->luck);
    } else if (op->luck != 0) {
        fprintf(stderr, " luck %lu # its first hook or loop body: ", (unsigned long)op->luck);
        bt_print_op(&bt_plans[op->luck - 1]);
        return;
    }
    fputc('\n', stderr);
}

static void bt_print_replay(const bt_op *ops, size_t number)
{
    fprintf(stderr, "container %s\n", bt_it->name);
    fprintf(stderr, "range %u\n", bt_set.range);
    if (bt_set.exact) {
        fputs("exact\n", stderr);
    }
    if (bt_set.refuse != 0) {
        fprintf(stderr, "%s %u\n", bt_set.refuse_on ? "refuse_from" : "refuse", bt_set.refuse);
    }
    for (unsigned side = 0; side < BT_SIDES; side++) {
        if (!bt_set.blank[side]) {
            fprintf(stderr, "init %s\n", bt_names[side]);
        }
    }
    for (size_t i = 0; i < number; i++) {
        bt_print_op(&ops[i]);
    }
}

/* The container has stopped the program, or does not come back. */
static void bt_last_words(const char *what)
{
    if (bt_ops_now == NULL) {
        fprintf(
            stderr,
            "%s: %s while the test makes elements, before any operation. Do they need what they point at? Name a function that "
            "makes it, `test: {element: make_...}`.\n",
            bt_it == NULL ? "?" : bt_it->name, what);
    } else {
        fprintf(stderr, "%s: %s. The operations, in a file for --replay:\n", bt_it == NULL ? "?" : bt_it->name, what);
        bt_print_replay(bt_ops_now, bt_number_now);
        fprintf(stderr, "  With --trace each is printed before it is carried out.\n");
    }
    fflush(stderr);
}

static void bt_stopped(int number)
{
    char what[60];

    snprintf(what, sizeof what, "stopped by signal %d", number);
    bt_last_words(what);
    _Exit(1);
}

#if BT_SANITIZED
static void bt_sanitizer_speaks(void)
{
    bt_last_words("stopped by the sanitizer");
}
#endif

#if defined(__unix__)
unsigned alarm(unsigned seconds);

/* Has a run come to its end since the last time? */
static void bt_looks_at_watch(int number)
{
    static unsigned long before = (unsigned long)-1;
    static clock_t used; /* by the program itself: others may keep the machine busy */

    if (bt_runs == before && clock() - used > 2 * CLOCKS_PER_SEC) {
        bt_last_words("does not come to an end");
        _Exit(1);
    }
    if (bt_runs != before) {
        used = clock();
    }
    before = bt_runs;
    signal(number, bt_looks_at_watch);
    alarm(4);
}
#endif

/* Prints the operations that led to a failure of any kind. */
BT_SPARE static void bt_watch(void)
{
    signal(SIGABRT, bt_stopped);
#if BT_SANITIZED
    __sanitizer_set_death_callback(bt_sanitizer_speaks);
#else
    signal(SIGSEGV, bt_stopped);
    signal(SIGFPE, bt_stopped);
#endif
#if defined(__unix__)
    signal(SIGALRM, bt_looks_at_watch);
    alarm(4);
#endif
}

static bool bt_known_word(const char *word, const char *line, unsigned long *value)
{
    const char *found = strstr(line, word);

    if (found != NULL && found[strlen(word)] == ' ') {
        *value = strtoul(found + strlen(word), NULL, 10);
        return true;
    }
    return false;
}

/* Reads one line of a replay into the setting or the operations. Returns whether it makes sense. */
BT_SPARE static bool bt_read_line(char *line, bt_op *ops, size_t *number, char *name, size_t room)
{
    char word[40] = "";
    char side[200] = "";
    unsigned long value = 0;
    bt_op *op = &ops[*number];

    line[strcspn(line, "#\r\n")] = 0;
    if (sscanf(line, "%39s %199s", word, side) < 1) {
        return true;
    }
    if (strcmp(word, "container") == 0) {
        snprintf(name, room, "%s", side);
#ifdef BT_WITH_LAYERS
        bl_choose(name);
#endif
        return true;
    }
    if (strcmp(word, "exact") == 0) {
        bt_set.exact = true;
        return true;
    }
    if (strcmp(word, "range") == 0) {
        bt_set.range = (unsigned)strtoul(side, NULL, 10);
        return bt_set.range > 0;
    }
    if (strcmp(word, "refuse") == 0 || strcmp(word, "refuse_from") == 0) {
        bt_set.refuse = (unsigned)strtoul(side, NULL, 10);
        bt_set.refuse_on = strcmp(word, "refuse_from") == 0;
        return true;
    }
    memset(op, 0, sizeof *op);
    op->side = strcmp(side, bt_names[1]) == 0;
    if (op->side == 0 && strcmp(side, bt_names[0]) != 0) {
        return false;
    }
    if (strcmp(word, "init") == 0) {
        bt_set.blank[op->side] = false;
        return true;
    }
    while (op->kind < bt_now->kinds && strcmp(bt_now->words[op->kind].word, word) != 0) {
        op->kind++;
    }
    if (op->kind == bt_now->kinds || *number + 1 == BT_LENGTH) {
        return false;
    }
    op->label = bt_known_word(" label", line, &value) ? (unsigned)value : 1;
    op->cursor = bt_known_word(" cursor", line, &value) ? (unsigned char)(value % BT_CURSORS) : 0;
    op->number = bt_known_word(" number", line, &value) ? (unsigned)value : 0;
    op->how = bt_known_word(" how", line, &value) ? (unsigned char)value : 0;
    op->luck = bt_known_word(" luck", line, &value) ? (uint32_t)value : 0;
    ++*number;
    return op->label > 0;
}

/* A run has failed: as few operations as still fail, as lines and as C. */
static void bt_tell_story(bt_op *ops, size_t number, const char *where)
{
    size_t drawn = number;
    unsigned labels = 3;

    bt_tracing = false;
    fprintf(stderr, "%s: %s\n", bt_it->name, bt_reason);
    number = bt_shrink(ops, number);
    fprintf(stderr, "  with %s, %lu operations%s. As few as these fail, in a file for --replay:\n", where,
            (unsigned long)drawn, bt_set.refuse != 0 ? " and an allocator that refuses" : "");
    bt_print_replay(ops, number);
    bt_scarce = false;
    bt_writing = true;
    if (bt_survives(ops, number)) {
        bt_writing = false;
        fprintf(stderr, "  (they do not fail a second time: something outlives a run)\n");
        return;
    }
    fprintf(stderr, "  and then: %s. As C:\n", bt_reason);
    for (size_t i = 0; i < number; i++) {
        labels = ops[i].label > labels ? ops[i].label : labels;
    }
    bt_print_program(labels > bt_top_label ? labels : bt_top_label);
    bt_writing = false;
}

/* One run, and if it fails its story. */
static bool bt_run(uint64_t seed, unsigned long run, unsigned refuse, bool on)
{
    static bt_op ops[BT_LENGTH];
    size_t number = bt_draw_run(ops, seed + run * 0x2545f4914f6cdd1du, refuse != 0);
    char where[80];

    bt_set.refuse = refuse;
    bt_set.refuse_on = on;
    bt_set.exact = false;
    bt_tracing = bt_trace_all;
    if (bt_survives(ops, number)) {
        return true;
    }
    snprintf(where, sizeof where, "--seed %lu, run %lu", (unsigned long)seed, run);
    bt_tell_story(ops, number, where);
    return false;
}
