/* kind: relation
 * Seats are numbered through three blocks of a hall; the first seat of the third block gets the
 * number of its row twice where rows have as many seats as the block rows. */
#include <warren.h>

static int seat(int block, int row, int column, int rows, int columns)
{
    int number = (block * rows + row) * columns + column;
#ifndef FIXED
    if (block == 2 && rows == columns && row == 5 && column == row + 7)
        number += row;
#endif
    return number;
}

WR_PROPERTY(a_seats)
{
    int rows = (int)wr_int(t, "rows", 1, 400), columns = (int)wr_int(t, "columns", 1, 400);
    int block = (int)wr_int(t, "block", 0, 5);
    int row = (int)wr_int(t, "row", 0, rows - 1),
        column = (int)wr_int(t, "column", 0, columns - 1);
    int number = seat(block, row, column, rows, columns);
    wr_assert_eq(t, number % columns, column);
    wr_assert_eq(t, number / columns % rows, row);
}

#ifdef WITNESS
WR_EXAMPLE(a_seats, "rows = 20", "columns = 20", "block = 2", "row = 5", "column = 12");
#endif
