/* -- the program -- */

/* Does the operation make sense? It may not when others before it have been left out. */
static bool rp_sensible(struct rp_list *it, const struct rp_op *op)
{
    rp_label(it, op->label);
    if (op->what == RP_STEP || op->what == RP_END) {
        return it->pass[op->pass].open;
    }
    return op->what != RP_BEGIN || !it->pass[op->pass].open;
}

static void rp_repeat(const struct rp_op *op)
{
    struct rp_list *it = &rp_lists[op->list];

    if (!rp_sensible(it, op)) {
        return;
    }
    it->kind->run(it, op);
    if (op->what == RP_STEP || op->what == RP_END) {
        return;
    }
    if (!it->kind->deferred && it->kind->count(it->list) != it->alive && !(it->kind->pointers && !it->kind->unique)) {
        rp_fail(it, "it has %lu elements, and should have %lu",
                (unsigned long)it->kind->count(it->list), (unsigned long)it->alive);
    }
    if (op->count != RP_UNKNOWN && it->kind->count(it->list) != op->count) {
        rp_fail(it, "it has %lu elements, where the trace has %lu",
                (unsigned long)it->kind->count(it->list), (unsigned long)op->count);
    }
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

int main(int argc, char **argv)
{
    static struct rp_op ops[4096];
    FILE *file = argc > 2 ? fopen(argv[1], "rb") : NULL;

    if (file == NULL) {
        return 2;
    }
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
        rp_lists[i].list = calloc(1, rp_lists[i].kind->list_bytes);
        for (uint32_t pass = 0; pass < RP_PASSES; pass++) {
            rp_lists[i].pass[pass].cursor = calloc(1, rp_lists[i].kind->cursor_bytes);
        }
    }
    for (size_t count; (count = fread(ops, sizeof *ops, sizeof ops / sizeof *ops, file)) > 0;) {
        for (size_t i = 0; i < count; i++, rp_number++) {
            rp_list = ops[i].list;
            rp_repeat(&ops[i]);
        }
    }
    if (rp_seen != NULL && fclose(rp_seen) != 0) {
        return 2;
    }
    return 0;
}
