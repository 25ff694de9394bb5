/* bespoke_folded: its product beside long multiplication, known answers, what a changed bit changes, how even groups and tags are, and
 * that what collides by one key does not by another. Without integers of 128 bits (folded_products.c) the hashes are the same.
 *
 * The answers are those of the algorithm of the file's comments, written down in Python, whose integers have no size. */
#include "support.h"
#include "../../templates/support/folded.h"

static uint64_t state = 1;

static uint64_t drawn(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Digit by digit, of 8 bits, as on paper. */
static uint64_t on_paper(uint64_t a, uint64_t b)
{
    unsigned digits[17] = {0};
    uint64_t folded = 0;

    for (size_t i = 0; i < 8; i++) {
        for (size_t j = 0; j < 8; j++) {
            unsigned carried = (unsigned)(a >> 8 * i & 0xff) * (unsigned)(b >> 8 * j & 0xff);

            for (size_t at = i + j; carried != 0; at++) {
                carried += digits[at];
                digits[at] = carried & 0xff;
                carried >>= 8;
            }
        }
    }
    for (size_t i = 0; i < 16; i++) {
        folded ^= (uint64_t)digits[i] << 8 * (i % 8);
    }
    return folded;
}

static void products(void)
{
    const uint64_t ends[] = {0, 1, 0xffffffffu, 0x100000000u, 0xffffffff00000000u, 0x8000000000000000u, 0xffffffffffffffffu};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        for (size_t j = 0; j < sizeof ends / sizeof *ends; j++) {
            CHECK(bespoke_folded_product(ends[i], ends[j]) == on_paper(ends[i], ends[j]));
        }
    }
    for (size_t i = 0; i < 100000; i++) {
        uint64_t a = drawn(), b = drawn();

        CHECK(bespoke_folded_product(a, b) == on_paper(a, b));
    }
}

static const uint64_t answers[] = { /* of the bytes 0, 1, 2 and so on, none of them up to 40, without a key */
    0xef4aad2ce47ca68bu, 0xaaabb83d6033ff40u, 0x921650af513f0c61u, 0x3a42abd0abfbe537u, 0x1401bd59834e1041u,
    0x04bb85205b145ef4u, 0x267f146706a5b5c9u, 0x70c075e7e9dcfee2u, 0x14e5c8803f5578bcu, 0xa495cc1689c9af89u,
    0xddd605558d40d31du, 0x7b3ae3e08ce7d7eeu, 0x9743b84adc569614u, 0x463cc5171573f267u, 0xe4668d05a542ff89u,
    0x879fef5ad40d5f89u, 0x177ec8c62991c02fu, 0xce9078d7c24c2768u, 0x11000dfaf946b7a8u, 0xdde60cb8235053e1u,
    0xfe9657e321364516u, 0x0cc59d6b8c8f7c37u, 0x20993b8460d00bbau, 0xd083503743da48e9u, 0x8de26e1c4da285a4u,
    0x9f15c31232b1b436u, 0xd6194d23679597abu, 0x48046ead312f66acu, 0x6ef0a5d120544fbbu, 0xdeb8d6a40bfb0881u,
    0xc7ddb3c9cfb22f41u, 0xcb5ec61713a075aeu, 0xed1252d843393957u, 0xba817c20985f267fu, 0x15145c98356aee17u,
    0x738dbb9a11660650u, 0xdd3e06177c886dd9u, 0x59b312139fb12985u, 0xa92c281fef23d04cu, 0x445fbe98c43ceb1au,
    0xefc0b47f1636f8b8u};
static const uint64_t keyed[] = { /* with 0x0706050403020100 */
    0x886c68fa193cd086u, 0x801874f1352e669fu, 0x7964b515c0f4d168u, 0xe16b1d121303679eu, 0x1edfc4555675a876u,
    0x641c39503ad5f47du, 0xe30126bec15253eeu, 0x31a145fc7e173ff1u, 0xe8118bf2f0ade5d8u, 0x657bbd02a68de0a5u,
    0x1660b5459eea5f7eu, 0x1bef45478609e172u, 0xbe09d6050e628d7du, 0xbe03277cae7b1df6u, 0xd12129aefb89f0bbu,
    0xc167dfe540ef0234u, 0x1a4b913928aafa20u, 0x168ea4c8ee7a71d7u, 0xf7efb0b307743215u, 0x6379fa6cf682ca4bu,
    0x6ce95a275dd54a84u, 0x5ff34d4f541608b9u, 0xc65c5fd3a6edb0b9u, 0xae3904d68c8d7c3bu, 0xc64938000d54b598u,
    0xa351569eadffecacu, 0x2cd976ea42d5f406u, 0x482d46045acbafefu, 0x913223b5d873c581u, 0xd8532237bdd34117u,
    0xca087be02fa3861au, 0xb2b25721ceeab1f0u, 0xf6e7d453c5ad9b74u, 0x551f34081e1c2755u, 0xa2d9a883f6748f46u,
    0xfccce5867ea9a181u, 0x0347ca95267e7434u, 0x24a22c4a07b899a0u, 0x57da7c36af9951f3u, 0xcb55a8ecf0703f49u,
    0xd8ecf7e1ca2fa1aau};

static void known(void)
{
    unsigned char bytes[64];

    for (size_t at = 0; at < 9; at++) { /* wherever they lie */
        for (size_t i = 0; i < 41; i++) {
            bytes[at + i] = (unsigned char)i;
        }
        for (size_t count = 0; count < 41; count++) {
            CHECK(bespoke_folded(0, bytes + at, count) == answers[count]);
            CHECK(bespoke_folded(0x0706050403020100u, bytes + at, count) == keyed[count]);
        }
    }
}

/* Each bit of the bytes and of the key changes each of the upper 32 bits, which is what tables take, in half of all cases. */
static void avalanche(void)
{
    enum { TRIALS = 512 };
    double all = 0;
    size_t cases = 0;

    for (size_t count = 1; count <= 40; count++) {
        for (size_t bit = 0; bit < count * 8 + 64; bit++) {
            unsigned changed[32] = {0};

            for (size_t trial = 0; trial < TRIALS; trial++) {
                unsigned char bytes[40];
                uint64_t key = drawn();
                uint64_t hash;

                for (size_t i = 0; i < count; i++) {
                    bytes[i] = (unsigned char)(drawn() >> 40);
                }
                hash = bespoke_folded(key, bytes, count);
                if (bit < count * 8) {
                    bytes[bit / 8] = (unsigned char)(bytes[bit / 8] ^ 1u << bit % 8);
                } else {
                    key ^= (uint64_t)1 << (bit - count * 8);
                }
                hash ^= bespoke_folded(key, bytes, count);
                for (size_t i = 0; i < 32; i++) {
                    changed[i] += hash >> (32 + i) & 1;
                }
            }
            for (size_t i = 0; i < 32; i++) {
                CHECK(changed[i] > TRIALS * 3 / 8 && changed[i] < TRIALS * 5 / 8);
                all += (double)changed[i] / TRIALS;
                cases++;
            }
        }
    }
    CHECK(all / (double)cases > 0.499 && all / (double)cases < 0.501);
}

/* How uneven groups and tags are for texts with a pattern, by chi squared, which is 1 where keys are random: 8 for each of 16, 128 and 1,024
 * groups, with no key and 31 others, of which the worst counts, too. */
static void pattern(const char *name, size_t (*text)(uint64_t i, unsigned char *bytes))
{
    for (size_t of = 16; of <= 1024; of *= 8) {
        double uneven = 0, tagged = 0, worst = 0;
        double mean = (double)of * 8 / 256;

        for (uint64_t keys = 0; keys < 32; keys++) {
            static uint32_t groups[1024], tags[256];
            uint64_t key = keys == 0 ? 0 : drawn() | 1;
            double its = 0;

            memset(groups, 0, sizeof groups);
            memset(tags, 0, sizeof tags);
            for (uint64_t i = 0; i < of * 8; i++) {
                unsigned char bytes[64];
                size_t count = text(i, bytes);
                uint32_t hash = (uint32_t)(bespoke_folded(key, bytes, count) >> 32);

                groups[(uint64_t)hash * of >> 32]++;
                tags[hash & 0xff]++;
            }
            for (size_t i = 0; i < of; i++) {
                its += ((double)groups[i] - 8) * ((double)groups[i] - 8) / 8 / (double)(of - 1);
            }
            for (size_t i = 0; i < 256; i++) {
                tagged += ((double)tags[i] - mean) * ((double)tags[i] - mean) / mean / 255 / 32;
            }
            uneven += its / 32;
            worst = its > worst ? its : worst;
        }
        if (uneven > 1.2 || tagged > 1.1 || worst > (of == 16 ? 3.2 : of == 128 ? 1.7 : 1.3)) {
            fprintf(stderr, "%s: %u groups: %.2f, at worst %.2f; tags %.2f\n", name, (unsigned)of, uneven, worst, tagged);
            exit(1);
        }
    }
}

static size_t print(unsigned char *bytes, const char *format, uint64_t i)
{
    return (size_t)snprintf((char *)bytes, 64, format, (unsigned)i);
}
static size_t decimal(uint64_t i, unsigned char *bytes) { return print(bytes, "%u", i); }
static size_t numbered(uint64_t i, unsigned char *bytes) { return print(bytes, "item-%05u", i); }
static size_t path(uint64_t i, unsigned char *bytes) { return print(bytes, "textures/ships/hull/%u.png", i); }
static size_t long_path(uint64_t i, unsigned char *bytes) { return print(bytes, "assets/textures/ships/hull/%04u/normal.png", i); }
static size_t padded(uint64_t i, unsigned char *bytes) { return print(bytes, "%16u", i); }
static size_t letters(uint64_t i, unsigned char *bytes)
{
    for (size_t at = 0; at < 13; at++) {
        bytes[at] = (unsigned char)((i >> at & 1) != 0 ? 'b' : 'a');
    }
    return 13;
}
static size_t word(uint64_t i, unsigned char *bytes, size_t at, size_t count)
{
    memset(bytes, 0, 64);
    bytes[at] = (unsigned char)i;
    bytes[at + 1] = (unsigned char)(i >> 8);
    return count;
}
static size_t first(uint64_t i, unsigned char *bytes) { return word(i, bytes, 0, 16); }
static size_t last(uint64_t i, unsigned char *bytes) { return word(i, bytes, 14, 16); }
static size_t high(uint64_t i, unsigned char *bytes) { return word(i, bytes, 6, 16); }
static size_t four(uint64_t i, unsigned char *bytes) { return word(i, bytes, 2, 4); }
static size_t seven(uint64_t i, unsigned char *bytes) { return word(i, bytes, 5, 7); }
static size_t second_block(uint64_t i, unsigned char *bytes) { return word(i, bytes, 20, 40); }
static size_t halves(uint64_t i, unsigned char *bytes) /* the same in both words */
{
    (void)word(i, bytes, 0, 16);
    memcpy(bytes + 8, bytes, 8);
    return 16;
}
static size_t zeros(uint64_t i, unsigned char *bytes) /* a sequence of which most bytes are 0, in 1 to 32 bytes */
{
    return word(i >> 5, bytes, 0, 2 + (size_t)(i & 31));
}

/* Keys whose hashes are equal by one key, or that would be were their words not mixed with it: by others they are as any. */
static void chosen(void)
{
    enum { NUMBER = 2000 };
    static const uint64_t mixed[] = {0, 0x243f6a8885a308d3u, 0x13198a2e03707344u, 0x9e3779b97f4a7c15u, 0xffffffffffffffffu};
    static unsigned char texts[NUMBER][32];
    size_t equal = 0;

    for (size_t kind = 0; kind < sizeof mixed / sizeof *mixed; kind++) {
        for (size_t half = 0; half < 2; half++) { /* one word is what a factor of a product would be made 0 by, the others are any */
            for (size_t i = 0; i < NUMBER; i++) {
                for (size_t at = 0; at < 32; at++) {
                    texts[i][at] = (unsigned char)(at / 8 == half ? mixed[kind] >> 8 * (at % 8) : at / 8 < 2 ? drawn() >> 24 : 0);
                }
            }
            for (size_t i = 1; i < NUMBER; i++) { /* expected: none in 2^32 */
                equal += bespoke_folded(12345, texts[i], 32) >> 32 == bespoke_folded(12345, texts[i - 1], 32) >> 32;
                equal += bespoke_folded(12345, texts[i], 16) >> 32 == bespoke_folded(12345, texts[i - 1], 16) >> 32;
            }
        }
    }
    for (size_t i = 0; i < NUMBER; i++) { /* two words that are exchanged */
        unsigned char other[16];

        memcpy(other, texts[i] + 8, 8);
        memcpy(other + 8, texts[i], 8);
        equal += memcmp(other, texts[i], 16) != 0 && bespoke_folded(12345, texts[i], 16) >> 32 == bespoke_folded(12345, other, 16) >> 32;
    }
    CHECK(equal == 0);
}

int main(void)
{
    products();
    known();
    avalanche();
    chosen();
    pattern("decimal", decimal);
    pattern("numbered", numbered);
    pattern("path", path);
    pattern("long path", long_path);
    pattern("padded", padded);
    pattern("letters", letters);
    pattern("first bytes", first);
    pattern("last bytes", last);
    pattern("highest bytes of a word", high);
    pattern("four bytes", four);
    pattern("seven bytes", seven);
    pattern("second block", second_block);
    pattern("both halves", halves);
    pattern("zeros", zeros);
    return 0;
}
