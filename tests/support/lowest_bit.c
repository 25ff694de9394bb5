/* bespoke_lowest_bit beside a loop over all bits, also as compilers get it that have no instruction for it. */
#include "support.h"
#include "../../templates/support/lowest_bit.h"

#undef BESPOKE_LOWEST_BIT
#undef __GNUC__
#undef __clang__
#define bespoke_lowest_bit lowest_bit_of_any_compiler
#include "../../templates/support/lowest_bit.h"
#undef bespoke_lowest_bit

static size_t naive(uint64_t bits)
{
    size_t number = 0;

    while ((bits >> number & 1) == 0) {
        number++;
    }
    return number;
}

int main(void)
{
    for (uint64_t bits = 1; bits < 0x2000; bits++) {
        for (unsigned shift = 0; shift < 64; shift++) {
            if (bits << shift != 0) {
                CHECK(bespoke_lowest_bit(bits << shift) == naive(bits << shift));
                CHECK(lowest_bit_of_any_compiler(bits << shift) == naive(bits << shift));
            }
        }
    }
    return 0;
}
