/* -- a failure as C ------------------------------------------------------------------------------------------------ */

enum { BT_PAGES = 6, BT_PAGE = 1 << 16 };

/* Lines of C: those of main, and those of each hook that is running. */
typedef struct bt_page {
    char text[BT_PAGE];
    size_t length;
    char call[512];  /* the last call, whose result is not known yet */
    unsigned open;   /* blocks that are */
    unsigned told;   /* the number of the hook, counted from the start of the run */
} bt_page;

static bt_page bt_pages[BT_PAGES];
static bt_page bt_reactions;  /* what hooks do, by their number */
static unsigned bt_at_page;
static bool bt_writing;
static bool bt_shown;         /* an assertion shows what is wrong */
static unsigned bt_told;      /* hooks that have run */
static char bt_heard[2048];   /* their calls in this operation */
static unsigned bt_handle_count; /* handles that have a name */

static void bt_put(bt_page *page, const char *format, va_list arguments)
{
#ifdef BT_WITH_SPELLINGS
    int wrote = bt_vsnprintf(page->text + page->length, BT_PAGE - page->length, format, arguments);
#else
    int wrote = vsnprintf(page->text + page->length, BT_PAGE - page->length, format, arguments);
#endif

    if (wrote > 0) {
        page->length = page->length + (size_t)wrote < BT_PAGE ? page->length + (size_t)wrote : BT_PAGE - 1;
    }
}

#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 2, 3)))
#endif
static void bt_write(bt_page *page, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    bt_put(page, format, arguments);
    va_end(arguments);
}

static void bt_indent(bt_page *page)
{
    bt_write(page, "%*s", (int)(4 + 4 * page->open), "");
}

/* The call whose result was not tested: that of an add is not to be ignored in silence. */
static void bt_flush(void)
{
    bt_page *page = &bt_pages[bt_at_page];
    const char *add = strstr(page->call, "_add");

    if (page->call[0] != 0) {
        bt_indent(page);
        bt_write(page, "%s%s;\n", add != NULL && add < page->call + strcspn(page->call, "=(") ? "(void)" : "", page->call);
        page->call[0] = 0;
    }
}

/* A line of C. */
#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 1, 2)))
#endif
static void bt_c(const char *format, ...)
{
    bt_page *page = &bt_pages[bt_at_page];
    va_list arguments;

    if (!bt_writing) {
        return;
    }
    bt_flush();
    bt_indent(page);
    va_start(arguments, format);
    bt_put(page, format, arguments);
    va_end(arguments);
    bt_write(page, "\n");
}

/* An assertion that fails, and so shows what is wrong. */
#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 1, 2)))
#endif
static void bt_show(const char *format, ...)
{
    bt_page *page = &bt_pages[bt_at_page];
    va_list arguments;

    if (!bt_writing) {
        return;
    }
    bt_flush();
    bt_indent(page);
    bt_write(page, "EXPECT(");
    va_start(arguments, format);
    bt_put(page, format, arguments);
    va_end(arguments);
    bt_write(page, ");\n");
    bt_shown = true;
}

/* Prints an operation as C, or keeps it until its expected result is known. */
#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 1, 2)))
#endif
static void bt_call(const char *format, ...)
{
    bt_page *page = &bt_pages[bt_at_page];
    char text[sizeof page->call];
    va_list arguments;

    va_start(arguments, format);
#ifdef BT_WITH_SPELLINGS
    bt_vsnprintf(text, sizeof text, format, arguments);
#else
    vsnprintf(text, sizeof text, format, arguments);
#endif
    va_end(arguments);
    if (bt_tracing) {
        fprintf(stderr, "    %*s%s\n", (int)(bt_depth * 4), "", text);
    }
    if (bt_writing) {
        bt_flush();
        memcpy(page->call, text, sizeof text);
    }
}

/* Every operation begins with its text. */
#define bt_say(...) (bt_said++, bt_tracing || bt_writing ? bt_call(__VA_ARGS__) : (void)0)

/* What the result of the last call must be; `right`: it is. */
#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 2, 3)))
#endif
static void bt_answer(bool right, const char *format, ...)
{
    bt_page *page = &bt_pages[bt_at_page];
    va_list arguments;

    if (!bt_writing || page->call[0] == 0) {
        return;
    }
    bt_indent(page);
    bt_write(page, "EXPECT(%s ", page->call);
    va_start(arguments, format);
    bt_put(page, format, arguments);
    va_end(arguments);
    bt_write(page, ");\n");
    page->call[0] = 0;
    bt_shown = bt_shown || !right;
}

static void bt_open(const char *line)
{
    bt_c("%s", line);
    bt_pages[bt_at_page].open++;
}

static void bt_close(void)
{
    if (bt_writing) {
        bt_flush();
        bt_pages[bt_at_page].open--;
        bt_c("}");
    }
}

/* A hook runs: its call is noted, and the operations in it are printed in a function of their own. */
BT_SPARE static void bt_hook_begins(char sign, unsigned side, unsigned label)
{
    size_t length;
    bt_page *page;

    bt_told++;
    if (!bt_writing) {
        return;
    }
    length = strlen(bt_heard);
    snprintf(bt_heard + length, sizeof bt_heard - length, "%c%u%s ", sign, label, side == 0 ? "" : "'");
    if (bt_at_page + 1 < BT_PAGES) {
        page = &bt_pages[++bt_at_page];
        page->length = 0;
        page->call[0] = 0;
        page->open = 1;
        page->told = bt_told;
    }
}

BT_SPARE static void bt_hook_ends(void)
{
    bt_page *page = &bt_pages[bt_at_page];

    if (!bt_writing || bt_at_page == 0) {
        return;
    }
    bt_flush();
    while (page->open > 1) {
        bt_close();
    }
    if (page->length > 0) {
        bt_write(&bt_reactions, "    if (number == %u) {\n%.*s    }\n", page->told, (int)page->length, page->text);
    }
    bt_at_page--;
}

/* All hooks of an operation have been called. */
static void bt_hooks_told(void)
{
    if (bt_writing && bt_it->has_hooks) {
        bt_c("EXPECT(heard(\"%s\"));", bt_heard);
    }
    bt_heard[0] = 0;
}

/* What a run begins with. */
typedef struct bt_setting {
    bool blank[BT_SIDES]; /* the container is made by zeroing and not by init */
    unsigned refuse;      /* the allocator refuses this request of the run; 0: none */
    bool refuse_on;       /* and all after it */
    bool exact;           /* places are meant as they are, not as what is left when they are divided by the count */
    unsigned range;       /* labels are drawn from 1 to this */
} bt_setting;

static bt_setting bt_set;

static void bt_begin_story(void)
{
    memset(&bt_pages[0], 0, sizeof bt_pages[0]);
    memset(&bt_reactions, 0, sizeof bt_reactions);
    bt_at_page = 0;
    bt_told = 0;
    bt_handle_count = 0;
    bt_heard[0] = 0;
    bt_shown = false;
}

/* What each program has: memory that is counted, and refused where it has to be. */
static const char *const bt_memory_lines[] = {
    "",
    "/* Memory that is counted, and refused where it has to be. */",
    "void *blocks[1024];",
    "unsigned requests, held;",
    "",
    "void *scarce_malloc(size_t bytes)",
    "{",
    "    unsigned i = 0;",
    "",
    "    if (REFUSE(++requests)) {",
    "        return NULL;",
    "    }",
    "    while (blocks[i] != NULL) {",
    "        i++;",
    "    }",
    "    held++;",
    "    blocks[i] = malloc(bytes);",
    "    memset(blocks[i], 0xA5, bytes);",
    "    return blocks[i];",
    "}",
    "",
    "void scarce_free(void *block)",
    "{",
    "    for (unsigned i = 0; block != NULL; i++) {",
    "        EXPECT(i < 1024); /* it is held */",
    "        if (blocks[i] == block) {",
    "            blocks[i] = NULL;",
    "            held--;",
    "            free(block);",
    "            break;",
    "        }",
    "    }",
    "}",
    "",
    "void *scarce_realloc(void *block, size_t bytes)",
    "{",
    "    requests++;",
    "    if (REFUSE(requests)) {",
    "        return NULL;",
    "    }",
    "    for (unsigned i = 0; block != NULL && i < 1024; i++) {",
    "        if (blocks[i] == block) {",
    "            return blocks[i] = realloc(block, bytes);",
    "        }",
    "    }",
    "    requests--;",
    "    return scarce_malloc(bytes);",
    "}",
};

/* With hooks: what they have noted. */
static const char *const bt_noted_lines[] = {
    "",
    "bool heard(const char *what)",
    "{",
    "    bool same = strcmp(noted, what) == 0;",
    "",
    "    if (!same) {",
    "        printf(\"heard %s\\n\", noted);",
    "    }",
    "    noted[0] = 0;",
    "    return same;",
    "}",
    "",
    "bool begins_with(const char *what)",
    "{",
    "    return strncmp(noted, what, strlen(what)) == 0;",
    "}",
};

static void bt_print_lines(const char *const *lines, size_t number)
{
    for (size_t i = 0; i < number; i++) {
        fprintf(stderr, "%s\n", lines[i]);
    }
}

/* The program: the same calls, and assertions of which the last one fails. */
static void bt_print_program(unsigned labels)
{
    bool in_hook = bt_at_page > 0;

    if (!bt_shown && bt_pages[bt_at_page].call[0] != 0) {
        bt_flush();
    }
    if (!bt_shown && in_hook && bt_it->has_hooks) {
        bt_show("!begins_with(\"%s\")", bt_heard);
    }
    while (bt_at_page > 0) {
        bt_hook_ends();
    }
    bt_flush();
    while (bt_pages[0].open > 0) {
        bt_close();
    }
    if (!bt_shown && bt_it->has_hooks) {
        bt_show("!heard(\"%s\")", bt_heard);
    }
    if (bt_set.refuse != 0 || bt_scarce) {
        fprintf(stderr, "/* The allocator refuses%s %u. Compile it with -Dmalloc=scarce_malloc -Drealloc=scarce_realloc "
                        "-Dfree=scarce_free. */\n"
                        "#undef malloc\n#undef realloc\n#undef free\n",
                bt_set.refuse == 0 ? " nothing: request" : bt_set.refuse_on ? " all from request" : " request", bt_set.refuse);
    }
    fprintf(stderr, "#define LABELS %u\n#define REFUSE(request) %s %u\n", labels + 1,
            bt_set.refuse == 0 ? "(request) ==" : bt_set.refuse_on ? "(request) >=" : "(request) ==", bt_set.refuse);
    bt_it->preface();
    bt_print_lines(bt_memory_lines, sizeof bt_memory_lines / sizeof bt_memory_lines[0]);
    if (bt_it->has_hooks) {
        bt_print_lines(bt_noted_lines, sizeof bt_noted_lines / sizeof bt_noted_lines[0]);
        fprintf(stderr, "\nvoid react(%s *in, %s, unsigned number)\n{\n%s    (void)in;\n    (void)where;\n    (void)number;\n}\n",
                bt_it->type, bt_it->by_row ? "size_t where" : "const void *where", bt_reactions.text);
    }
    fprintf(stderr, "\nint main(void)\n{\n%s    /* %s */\n    return 0;\n}\n", bt_pages[0].text, bt_reason);
}
