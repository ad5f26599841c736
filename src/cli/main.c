/* cli/main.c: the main() of programs that have none.
 *
 * It is alone in this file: a program with a main() of its own does not link it.
 */
#include "warren.h"

WR_API int main(int argc, char **argv)
{
    return wr_main(argc, argv);
}
