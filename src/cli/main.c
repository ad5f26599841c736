/* cli/main.c: the main() of programs that have none. In a file of its own, so that linking one
 * that has brings no second. */
#include "warren.h"

WR_API int main(int argc, char **argv)
{
    return wr_main(argc, argv);
}
