#include "cells.h"
#include <stdio.h>

int main(void)
{
    static struct cell grid[5][5];
    cells all = {0}, border = {0}; /* zero is a valid, empty list; a cell may be in several */

    for (int row = 0; row < 5; row++) {
        for (int column = 0; column < 5; column++) {
            struct cell *cell = &grid[row][column];

            *cell = (struct cell){column, row, false};
            if (cells_add(&all, cell) != CELLS_OK) {
                return 1; /* no memory */
            }
            if ((row == 0 || row == 4 || column == 0 || column == 4) && cells_add(&border, cell) != CELLS_OK) {
                return 1;
            }
        }
    }
    for (int frame = 1; frame <= 3; frame++) {
        int walked = 0;

        CELLS_EACH(&all, cell) {
            walked++;
            if ((cell->column + cell->row * 2) % 4 == frame) {
                /* Its neighbour sinks with it. No pass over any list visits either again. */
                cell->sunk = true;
                grid[cell->row][(cell->column + 1) % 5].sunk = true;
            }
        }
        /* Memory is compacted only here. */
        cells_update(&all);
        cells_update(&border);
        printf("frame %d: %2d walked, %2zu left, %2zu of them at the border\n", frame, walked, cells_count(&all),
               cells_count(&border));
    }
    cells_deinit(&all);
    cells_deinit(&border);
    return 0;
}
