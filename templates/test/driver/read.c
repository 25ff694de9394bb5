/* -- readers: passes over a const container ---------------------------------------------------------------------------- */

/* The rows that a reader visits, in their order: those that have not expired, nor one that they are below. */
static size_t bt_readable(unsigned side, size_t *rows)
{
    const bt_model *model = &bt_models[side];
    size_t count = 0;

    for (size_t i = 0; i < model->count; i++) {
        if (bt_it->skips && bt_is_expired(&model->rows[i])) {
            i = bt_it->tree ? bt_last_below(model, i) : i;
            continue;
        }
        rows[count++] = i;
    }
    return count;
}

/* The printed program shows it by a loop. */
static void bt_show_read(unsigned side, bool back, size_t count, size_t place, unsigned label)
{
    char line[200];

    bt_open("{");
    bt_c("unsigned visits = 0;\n");
    snprintf(line, sizeof line, "%s_EACH%s_CONST(&%s, element) {", bt_it->shouted,
             back && bt_it->both_ways ? "_BACKWARD" : "", bt_names[side]);
    bt_open(line);
    if (label != BT_NOBODY) {
        bt_show("visits != %lu || %selement) == %u", (unsigned long)place, bt_known(side), label);
    }
    bt_c("visits++;");
    bt_close();
    bt_show("visits == %lu", (unsigned long)count);
    bt_close();
}

/* A reader visits each element once, in the order of the container where there is one. */
static void bt_reads(unsigned side, bool back)
{
    static unsigned labels[BT_ROWS + 1], wanted[BT_ROWS + 1];
    static size_t rows[BT_ROWS + 1];
    static unsigned short tally[BT_LABELS];
    const bt_model *model = &bt_models[side];
    size_t count = bt_readable(side, rows);
    size_t read = bt_it->read(side, back, labels);

    if (read != count) {
        bt_show_read(side, back, count, 0, BT_NOBODY);
        bt_fail("a reader visits %lu elements of '%s', expected %lu", (unsigned long)read, bt_names[side], (unsigned long)count);
    }
    for (size_t i = 0; i < count; i++) {
        wanted[i] = model->rows[rows[back ? count - 1 - i : i]].label;
        tally[labels[i]] = 0;
        tally[wanted[i]] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        tally[wanted[i]]++;
    }
    for (size_t i = 0; i < count; i++) {
        if (bt_it->ordered ? labels[i] != wanted[i] : tally[labels[i]]-- == 0) {
            bt_show_read(side, back, count, i, wanted[i]);
            bt_fail("a reader visits element %u of '%s' at place %lu, expected %u", labels[i], bt_names[side],
                    (unsigned long)i, wanted[i]);
        }
    }
}

/* What has happened to a container since the reader began. */
static void bt_reader_sees(unsigned side, bool changed)
{
    bool over = bt_it->reader(side, false);

    bt_reported(over && !BESPOKE_CHECKS, "next_const");
    if (changed && !over) {
        bt_fail("'%s' was changed, and its readers go on", bt_names[side]);
    }
}
