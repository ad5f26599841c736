/* tests/faultless.c: asks for faults, and has no file that includes <warren/faults.h>. */
#include <warren.h>

WR_API void wr_faults(wr_case *t, const char *name, const struct wr_fault_options *options);

WR_PROPERTY(not_planted)
{
    wr_faults(t, "fault", 0);
}
