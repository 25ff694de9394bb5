#ifdef BT_WITH_SPELLINGS
/* What messages call an operation, and how it is spelled. */
typedef struct bt_spelling {
    const char *type;
    const char *operation;
    const char *spelled;
} bt_spelling;

static const bt_spelling *bt_spelling_at(size_t number); /* NULL behind the last */

/* The end of a name. */
static const char *bt_past_name(const char *text)
{
    while (*text == '_' || (*text >= '0' && *text <= '9') || (*text >= 'A' && *text <= 'Z') || (*text >= 'a' && *text <= 'z')) {
        text++;
    }
    return text;
}

/* As vsnprintf; in the text, operations are called by their names. */
#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 3, 0)))
#endif
static int bt_vsnprintf(char *text, size_t most_bytes, const char *format, va_list arguments)
{
    static char plain[1 << 16];
    size_t length = 0;
    const char *end;

    vsnprintf(plain, sizeof plain, format, arguments);
    for (const char *at = plain; *at != 0; at = end) {
        const char *word = at;
        const bt_spelling *spelling;
        size_t word_length;

        end = bt_past_name(at);
        end += end == at;
        word_length = (size_t)(end - at);
        for (size_t i = 0; (spelling = bt_spelling_at(i)) != NULL; i++) {
            size_t type_length = strlen(spelling->type);

            if (word_length == type_length + 1 + strlen(spelling->operation) && memcmp(at, spelling->type, type_length) == 0
                && at[type_length] == '_'
                && memcmp(at + type_length + 1, spelling->operation, word_length - type_length - 1) == 0) {
                word = spelling->spelled;
                word_length = strlen(word);
            }
        }
        if (length + word_length >= most_bytes) {
            break;
        }
        memcpy(text + length, word, word_length);
        length += word_length;
    }
    text[length] = 0;
    return (int)length;
}
#endif
