/* reverse.c: a first property, and why a second one is needed.
 *
 * reverse() is right. stop_early() leaves the two elements in the middle of an array of even
 * length where they are, and yet it undoes itself when it is called twice: the property that
 * comes to mind first holds for both. Saying where each element must go tells them apart.
 *
 *     cc reverse.c $(pkg-config --cflags --libs warren) -o reverse && ./reverse
 *
 * buggy_reverse_moves_every_element fails by design, with n = 2 and xs = [0, 1].
 */
#include <warren.h>

#include <string.h>

static void swap(int32_t *a, int32_t *b)
{
    int32_t kept = *a;
    *a = *b;
    *b = kept;
}

static void reverse(int32_t *xs, size_t n)
{
    for (size_t i = 0; i < n / 2; i++)
        swap(&xs[i], &xs[n - 1 - i]);
}

static void stop_early(int32_t *xs, size_t n)
{
    for (size_t i = 0; i + 1 < n / 2; i++)
        swap(&xs[i], &xs[n - 1 - i]);
}

WR_PROPERTY(reversing_twice_changes_nothing) {
    size_t   n = wr_size(t, "n", 0, 100);
    int32_t *xs = wr_i32s(t, "xs", n, INT32_MIN, INT32_MAX);
    int32_t *ys = wr_copy(t, xs, n * sizeof *xs);
    wr_classify(t, n == 0, "empty");
    wr_classify(t, n % 2 == 1, "has a middle");
    reverse(ys, n);
    reverse(ys, n);
    wr_assert_mem_eq(t, ys, xs, n * sizeof *xs);
}

/* Draws an array, and checks that `reversing` puts its elements in the opposite order. */
static void check_every_element_moves(wr_case *t, void (*reversing)(int32_t *xs, size_t n))
{
    size_t   n = wr_size(t, "n", 0, 100);
    int32_t *xs = wr_i32s(t, "xs", n, INT32_MIN, INT32_MAX);
    int32_t *ys = wr_copy(t, xs, n * sizeof *xs);
    reversing(ys, n);
    for (size_t i = 0; i < n; i++)
        wr_assert_eq(t, ys[i], xs[n - 1 - i]);
}

WR_PROPERTY(reverse_moves_every_element) {
    check_every_element_moves(t, reverse);
}

WR_PROPERTY(stopping_early_twice_changes_nothing_either) {
    size_t   n = wr_size(t, "n", 0, 100);
    int32_t *xs = wr_i32s(t, "xs", n, INT32_MIN, INT32_MAX);
    int32_t *ys = wr_copy(t, xs, n * sizeof *xs);
    stop_early(ys, n);
    stop_early(ys, n);
    wr_assert_mem_eq(t, ys, xs, n * sizeof *xs);
}

WR_PROPERTY(buggy_reverse_moves_every_element) {
    check_every_element_moves(t, stop_early);
}
