/* bespoke_chance: how often it is a call's turn, and that the calls are other ones for each period. */
#define BESPOKE_CHAOS 1
#include "support.h"
#include "../../templates/support/chaos.h"

int main(void)
{
    static const uint64_t periods[] = {1, 2, 3, 10, 64, 1000, 20000};

    for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
        uint32_t calls = 0;
        uint64_t most = periods[i] * 2000;
        uint64_t turns = 0;
        uint64_t since = 0;
        uint64_t longest = 0;

        CHECK(bespoke_chance(&calls, periods[i]));
        for (uint64_t call = 1; call < most; call++) {
            bool turn = bespoke_chance(&calls, periods[i]);

            turns += turn;
            since = turn ? 0 : since + 1;
            longest = since > longest ? since : longest;
        }
        CHECK(calls == most);
        CHECK(turns > 1800 && turns < 2200);
        CHECK(periods[i] == 1 ? longest == 0 : longest < 20 * periods[i]);
        CHECK(periods[i] < 10 || longest > 2 * periods[i]); /* by chance: also long times without one */
    }
    return 0;
}
