/* Keys that are text: the number of an element, in an array that is a member of it, or in memory that a member points to. `ends`:
   with NUL. */
static char bt_texts[4][BT_LABELS + 1][48]; /* each is written when it is used first */

/* The same text may lie in two places: only its characters count. */
BT_SPARE static const char *bt_text_of(unsigned number, bool ends)
{
    static unsigned turn;
    char *text = bt_texts[(turn++ & 1) + (ends ? 2 : 0)][number < BT_LABELS ? number : (unsigned)BT_LABELS];

    if (text[0] == 0) {
        int length = number < BT_LABELS
                         ? snprintf(text, 40, "%s%u", number % 3 == 0 ? "longer than a word of a hash: " : "", number)
                         : snprintf(text, 40, "none");

        if (!ends) {
            memset(text + length, '#', 40 - (size_t)length);
        }
    }
    return text;
}

/* What is written into an array has no words before it. */
BT_SPARE static size_t bt_text_length(unsigned number, bool array)
{
    size_t length = !array && number % 3 == 0 ? sizeof "longer than a word of a hash: " : 1;

    if (number >= BT_LABELS) {
        return 4;
    }
    for (; number >= 10; number /= 10) {
        length++;
    }
    return length;
}

/* Writes it into a member; returns its length. */
#define BT_WRITE_TEXT(member, number, ends) \
    bt_write_text((void *)&(member), sizeof(member), (uintptr_t)(member) == (uintptr_t)(void *)&(member), number, ends)
BT_SPARE static size_t bt_write_text(void *member, size_t size, bool array, unsigned number, bool ends)
{
    const char *text = bt_text_of(number, ends);
    size_t length = bt_text_length(number, array);

    if (array) {
        memset(member, '#', size);
        memcpy(member, number < BT_LABELS && number % 3 == 0 ? text + bt_text_length(number, false) - length : text,
               length + ends < size ? length + ends : size);
    } else {
        memcpy(member, &text, sizeof text);
    }
    return length;
}

BT_SPARE static void bt_write_number(void *member, size_t size, size_t number)
{
    const unsigned one = 1;

    for (size_t i = 0; i < size; i++) {
        ((unsigned char *)member)[*(const unsigned char *)&one == 1 ? i : size - 1 - i] =
            (unsigned char)(i < sizeof number ? number >> 8 * i : 0);
    }
}

/* The number that a text ends with. */
BT_SPARE static unsigned bt_spelled(const char *text, size_t length)
{
    unsigned number = 0;
    size_t at = 0;

    for (; text != NULL && at < length && (text[at] < '0' || text[at] > '9'); at++) {
    }
    if (text == NULL || at == length) {
        return text == NULL || length == 0 ? BT_NOBODY : BT_ELSEWHERE;
    }
    for (; at < length && text[at] >= '0' && text[at] <= '9'; at++) {
        number = number * 10 + (unsigned)(text[at] - '0');
    }
    return number;
}
