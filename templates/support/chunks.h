#ifndef BESPOKE_CHUNKS
#define BESPOKE_CHUNKS 16 /* the version that it is of */
/* Sets of numbers that are far apart: the bits of chunks of equal length, `width` words each, side by side, and beside them the
 * numbers of these chunks in ascending order; of a chunk without a number there is nothing, or zeros. That is how Roaring bitmaps
 * keep their containers (Chambi, Lemire, Kaser and Godin, 2016), with chunks that are bitmaps only, and of any length. */

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

/* How many chunks of the others are not there. */
static inline size_t bespoke_chunks_missing(const uint32_t *chunks, size_t count, const uint32_t *others, size_t other_count)
{
    size_t missing = 0;
    size_t place = 0;

    for (size_t other = 0; other < other_count; other++) {
        while (place < count && chunks[place] < others[other]) {
            place++;
        }
        missing += place == count || chunks[place] != others[other];
    }
    return missing;
}

/* Adds the numbers of other chunks, of which `missing` are not there: places for them are free behind the others. From the last
 * to the first, so nothing is overwritten that is still to be moved. Returns how many numbers were not there. */
static inline size_t bespoke_chunks_unite(uint32_t *chunks, uint64_t *words, size_t width, size_t count, const uint32_t *others,
                                          const uint64_t *other_words, size_t other_count, size_t missing)
{
    size_t to = count + missing;
    size_t number = 0;

    while (other_count > 0) {
        uint32_t other = others[other_count - 1];

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
