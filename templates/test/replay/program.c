/* -- the program -- */

/* Does the operation make sense? It may not when others before it have been left out. */
static bool rp_sensible(struct rp_list *it, const struct rp_op *op)
{
    rp_label(it, op->label);
    if (op->what == RP_STEP || op->what == RP_END) {
        return it->pass[op->pass].open && !it->pass[op->pass].updates;
    }
    return op->what != RP_BEGIN || !it->pass[op->pass].open;
}

static void rp_repeat(const struct rp_op *op)
{
    struct rp_list *it = &rp_lists[op->list], *outer = rp_now;

    if (!rp_sensible(it, op)) {
        return;
    }
    rp_number = rp_before = (uint32_t)(op - rp_ops);
    rp_list = op->list;
    if (op->what == RP_EXPIRES) {
        rp_expires(it, op->label);
        return;
    }
    rp_now = it;
    it->kind->run(it, op);
    if (op->what != RP_STEP && op->what != RP_END) {
        rp_counted(it, op);
    }
    rp_now = outer;
}

/* What the program was stopped by, and at which operation. */
static void rp_stopped(int number)
{
    printf("%lu %lu the program is stopped by signal %d\n", (unsigned long)rp_number, (unsigned long)rp_list, number);
    fflush(stdout);
    _Exit(3);
}

#if defined(__unix__) || defined(__APPLE__)
unsigned alarm(unsigned seconds);

/* Has it come further since the last time? */
static void rp_watched(int number)
{
    static uint32_t before = UINT32_MAX;
    static clock_t used;

    if (rp_number == before && clock() - used > CLOCKS_PER_SEC) {
        printf("%lu %lu a call does not come to an end\n", (unsigned long)rp_number, (unsigned long)rp_list);
        fflush(stdout);
        _Exit(3);
    }
    if (rp_number != before) {
        used = clock();
    }
    before = rp_number;
    signal(number, rp_watched);
    alarm(1);
}
#endif

/* The whole content of a file, in numbers. */
static uint32_t *rp_read(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    uint32_t *numbers = NULL;
    size_t room = 0, more;

    if (file == NULL) {
        exit(2);
    }
    *count = 0;
    do {
        room = room == 0 ? 4096 : room * 2;
        numbers = (uint32_t *)rp_room(numbers, room, sizeof *numbers);
        more = fread(numbers + *count, sizeof *numbers, room - *count, file);
        *count += more;
    } while (*count == room);
    fclose(file);
    return numbers;
}

int main(int argc, char **argv)
{
    size_t numbers;

    if (argc < 3) {
        return 2;
    }
    rp_ops = (const struct rp_op *)(const void *)rp_read(argv[1], &numbers);
    rp_count = (uint32_t)(numbers * sizeof(uint32_t) / sizeof *rp_ops);
    rp_compares = strcmp(argv[2], "compare") == 0;
    rp_shown = strcmp(argv[2], "show") == 0;
    if (argc > 3) {
        rp_seen = fopen(argv[3], rp_compares ? "rb" : "wb");
        if (rp_seen == NULL) {
            return 2;
        }
    }
    signal(SIGSEGV, rp_stopped);
    signal(SIGABRT, rp_stopped);
    signal(SIGFPE, rp_stopped);
#if defined(__unix__) || defined(__APPLE__)
    signal(SIGALRM, rp_watched);
    alarm(1);
#endif
    rp_lists = (struct rp_list *)calloc(rp_list_number + (size_t)1, sizeof *rp_lists);
    for (uint32_t i = 1; rp_lists != NULL && i <= rp_list_number; i++) {
        rp_lists[i].kind = rp_kinds[rp_kind_of[i]];
        rp_lists[i].self = i;
        rp_make_layers(&rp_lists[i]);
        rp_make_sides(&rp_lists[i]);
        rp_lists[i].list = calloc(1, rp_lists[i].kind->list_bytes);
        rp_lists[i].limit = rp_lists[i].kind->limit;
        rp_lists[i].keys = rp_lists[i].kind->keys;
        for (uint32_t pass = 0; pass < RP_PASSES; pass++) {
            rp_lists[i].pass[pass].cursor = calloc(1, rp_lists[i].kind->cursor_bytes);
            rp_lists[i].pass[pass].inner = calloc(1, rp_lists[i].kind->cursor_bytes);
        }
    }
    if (argc > 5) {
        const uint32_t *asked = rp_read(argv[5], &numbers);

        for (uint32_t i = 1; i <= rp_list_number; i++) {
            rp_lists[i].answers = *asked;
            rp_lists[i].answer = asked + 1;
            asked += *asked + 1;
        }
        rp_answered = true;
        rp_gone = fopen(argv[4], "wb");
    }
    while (rp_next < rp_count) {
        rp_repeat(&rp_ops[rp_next++]);
    }
    return (rp_seen != NULL && fclose(rp_seen) != 0) || (rp_gone != NULL && fclose(rp_gone) != 0) ? 2 : 0;
}
