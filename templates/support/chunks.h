#ifndef BESPOKE_CHUNKS
#define BESPOKE_CHUNKS 16 /* the version that it is of */
/* Sets of numbers that are far apart: the bits of chunks of equal length, `width` words each, side by side, and beside them the
 * numbers of these chunks in ascending order; of a chunk without a number there is nothing, or zeros. That is how Roaring bitmaps
 * keep their containers (Chambi, Lemire, Kaser and Godin, 2016), with chunks that are bitmaps only, and of any length.
 * A place of zeros is free for a chunk that belongs between its neighbours. It may have the number of the place before it, so of
 * places with equal numbers only the first has bits. An add spreads free places among as few others as it can, as in a packed
 * memory array (Bender, Demaine and Farach-Colton, 2000): O(log^2 n) moves, amortised. */

/* The place of the first chunk with this number or a larger one, of `count` chunks; `count`: there is none. */
static inline size_t bespoke_chunks_place(const uint32_t *chunks, size_t count, uint64_t chunk)
{
    size_t first = 0;

    while (count > 0) {
        size_t half = count / 2;

        first = chunks[first + half] < chunk ? first + count - half : first;
        count = half;
    }
    return first;
}

/* Can chunks be numbered as far as this? */
static inline bool bespoke_chunks_reach(uint64_t chunk)
{
    return chunk <= UINT32_MAX;
}

/* Copies the words of a chunk from one place to another. */
static inline void bespoke_chunks_copy(uint64_t *words, size_t width, size_t to, size_t from)
{
    for (size_t word = 0; word < width; word++) {
        words[to * width + word] = words[from * width + word];
    }
}

static inline void bespoke_chunks_clear(uint64_t *words, size_t width, size_t place)
{
    for (size_t word = 0; word < width; word++) {
        words[place * width + word] = 0;
    }
}

/* Has the chunk at a place no number? */
static inline bool bespoke_chunks_is_empty(const uint64_t *words, size_t width, size_t place)
{
    size_t word = 0;

    while (word < width && words[place * width + word] == 0) {
        word++;
    }
    return word == width;
}

/* Puts the chunks of some places, the new one among them, at equal distances there: one of the places at least is empty. From
 * the first to the last to their beginning, and then back: so nothing is overwritten that is still to be moved. */
static inline void bespoke_chunks_spread(uint32_t *chunks, uint64_t *words, size_t width, size_t count, size_t first,
                                         size_t length, size_t place, uint32_t chunk)
{
    size_t rank = 0; /* of the new one */
    size_t kept = 0;
    size_t to = length;

    for (size_t from = first; from < first + length; from++) {
        rank += from == place ? kept : 0;
        if (from < count && !bespoke_chunks_is_empty(words, width, from)) {
            chunks[first + kept] = chunks[from];
            bespoke_chunks_copy(words, width, first + kept, from);
            kept++;
        }
    }
    rank = place == first + length ? kept : rank;
    for (size_t number = kept + 1; number-- > 0;) {
        size_t last = to;
        size_t from = first + number - (number > rank);
        uint32_t moved = number == rank ? chunk : chunks[from];

        to = number * length / (kept + 1);
        if (number != rank) {
            bespoke_chunks_copy(words, width, first + to, from);
        }
        for (size_t at = to; at < last; at++) {
            chunks[first + at] = moved;
            if (at > to || number == rank) {
                bespoke_chunks_clear(words, width, first + at);
            }
        }
    }
}

/* Moves the chunks of some places by one: up, or down to the place before. */
static inline void bespoke_chunks_up(uint32_t *chunks, uint64_t *words, size_t width, size_t place, size_t number)
{
#if defined(__GNUC__) || defined(__clang__)
    __builtin_memmove(chunks + place + 1, chunks + place, number * sizeof *chunks);
    __builtin_memmove(words + (place + 1) * width, words + place * width, number * width * sizeof *words);
#else
    for (size_t to = place + number; to > place; to--) {
        chunks[to] = chunks[to - 1];
    }
    for (size_t to = (place + number) * width; to > place * width; to--) {
        words[to + width - 1] = words[to - 1];
    }
#endif
}

static inline void bespoke_chunks_down(uint32_t *chunks, uint64_t *words, size_t width, size_t place, size_t number)
{
    for (size_t from = place; from < place + number; from++) {
        chunks[from - 1] = chunks[from];
    }
    for (size_t from = place * width; from < (place + number) * width; from++) {
        words[from - width] = words[from];
    }
}

/* Frees a place for a chunk by moving few others: those behind it if they are few, else those up to an empty place that is near.
 * Returns the place that is free now, or SIZE_MAX. */
static inline size_t bespoke_chunks_free(uint32_t *chunks, uint64_t *words, size_t width, size_t *count, size_t capacity,
                                         size_t place)
{
    if (*count < capacity && *count - place <= 128) {
        bespoke_chunks_up(chunks, words, width, place, *count - place);
        ++*count;
        return place;
    }
    for (size_t distance = 0; distance < 32; distance++) {
        if (place + distance < *count && bespoke_chunks_is_empty(words, width, place + distance)) {
            bespoke_chunks_up(chunks, words, width, place, distance);
            return place;
        }
        if (distance < place && bespoke_chunks_is_empty(words, width, place - 1 - distance)) {
            bespoke_chunks_down(chunks, words, width, place - distance, distance);
            return place - 1;
        }
    }
    return SIZE_MAX;
}

/* Drops chunks without a number, whose words are zeros behind the others then. Returns how many are left. */
static inline size_t bespoke_chunks_squeeze(uint32_t *chunks, uint64_t *words, size_t width, size_t count)
{
    size_t left = 0;

    for (size_t place = 0; place < count; place++) {
        if (bespoke_bits_next(words + place * width, width * 64, 0) != SIZE_MAX) {
            chunks[left] = chunks[place];
            bespoke_chunks_copy(words, width, left, place);
            left++;
        }
    }
    for (size_t place = left; place < count; place++) {
        bespoke_chunks_clear(words, width, place);
    }
    return left;
}

/* Makes a chunk that is not there at its place, of `capacity` places of which `count` are in use. Returns false if fewer than
 * `least` of them are free, and none near it: chunks without a number may have been dropped then. */
static inline bool bespoke_chunks_open(uint32_t *chunks, uint64_t *words, size_t width, size_t *count, size_t capacity,
                                       size_t place, uint32_t chunk, size_t least)
{
    size_t levels = 1;
    size_t at;

    if (capacity * width <= (size_t)(BESPOKE_CHAOS ? 0 : 2048)) {
        if (*count == capacity) { /* all are few: those behind it move, which takes less time than to look for a place */
            *count = bespoke_chunks_squeeze(chunks, words, width, *count);
            place = bespoke_chunks_place(chunks, *count, chunk);
            if (capacity - *count < least) {
                return false;
            }
        }
        bespoke_chunks_up(chunks, words, width, place, *count - place);
        ++*count;
        chunks[place] = chunk;
        bespoke_chunks_clear(words, width, place);
        return true;
    }
    at = bespoke_chunks_free(chunks, words, width, count, capacity, place);
    if (at != SIZE_MAX) {
        chunks[at] = chunk;
        bespoke_chunks_clear(words, width, at);
        return true;
    }
    for (size_t length = 64; length < capacity; length *= 2) {
        levels++;
    }
    for (size_t level = 0, length = 64; level < levels && capacity > 0; level++, length *= 2) {
        size_t first = (place < capacity ? place : capacity - 1) / length * length;
        size_t rest = capacity - first < length ? capacity - first : length;
        size_t needed = level + 1 == levels ? least : 1 + rest * level / levels / 16;
        size_t empty = 0;

        for (at = first; at < first + rest; at++) {
            empty += at >= *count || bespoke_chunks_is_empty(words, width, at);
        }
        if (empty > 0 && empty >= needed) {
            bespoke_chunks_spread(chunks, words, width, *count, first, rest, place, chunk);
            *count = *count < first + rest ? first + rest : *count;
            return true;
        }
    }
    return false;
}

/* How many chunks of the others that have a number are not there. */
static inline size_t bespoke_chunks_missing(const uint32_t *chunks, size_t width, size_t count, const uint32_t *others,
                                            const uint64_t *other_words, size_t other_count)
{
    size_t missing = 0;
    size_t place = 0;

    for (size_t other = 0; other < other_count; other++) {
        while (place < count && chunks[place] < others[other]) {
            place++;
        }
        missing += (place == count || chunks[place] != others[other]) && !bespoke_chunks_is_empty(other_words, width, other);
    }
    return missing;
}

/* Adds the numbers of other chunks, of which `missing` are not there, to chunks that all have numbers: places for them are free
 * behind. From the last to the first, so nothing is overwritten that is still to be moved. Returns how many numbers were new. */
static inline size_t bespoke_chunks_unite(uint32_t *chunks, uint64_t *words, size_t width, size_t count, const uint32_t *others,
                                          const uint64_t *other_words, size_t other_count, size_t missing)
{
    size_t to = count + missing;
    size_t number = 0;

    while (other_count > 0) {
        uint32_t other = others[other_count - 1];

        if (bespoke_chunks_is_empty(other_words, width, other_count - 1)) {
            other_count--;
            continue;
        }
        to--;
        if (count > 0 && chunks[count - 1] >= other) {
            count--;
            chunks[to] = chunks[count];
            bespoke_chunks_copy(words, width, to, count);
            if (chunks[to] != other) {
                continue;
            }
        } else {
            chunks[to] = other;
            bespoke_chunks_clear(words, width, to);
        }
        other_count--;
        number += bespoke_bits_unite(words + to * width, other_words + other_count * width, width);
    }
    return number;
}

/* Of these chunks clears the numbers that are not in the others, or with `both` those that are. Returns how many are left. */
static inline size_t bespoke_chunks_keep(const uint32_t *chunks, uint64_t *words, size_t width, size_t count,
                                         const uint32_t *others, const uint64_t *other_words, size_t other_count, bool both)
{
    size_t other = 0;
    size_t number = 0;

    for (size_t place = 0; place < count; place++) {
        uint64_t *own = words + place * width;

        while (other < other_count && others[other] < chunks[place]) {
            other++;
        }
        if (other == other_count || others[other] != chunks[place]) {
            if (!both) {
                bespoke_chunks_clear(words, width, place);
            }
        } else if (both) {
            (void)bespoke_bits_subtract(own, other_words + other * width, width);
        } else {
            bespoke_bits_intersect(own, other_words + other * width, width);
        }
        number += bespoke_bits_count(own, width * 64);
    }
    return number;
}
#elif BESPOKE_CHUNKS < 16
#error "a header before this one has an earlier version of BESPOKE_CHUNKS: include this one first"
#endif
