/* studies/faults/functions.c: functions with an error path each, and their properties.
 *
 * With -DSEEDED each has one fault in that path, as programs have them; without, none. A property
 * is called after what its function does.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <warren.h>
#include <warren/faults.h>

#ifdef SEEDED
#define RIGHT_OR(right, wrong) wrong
#else
#define RIGHT_OR(right, wrong) right
#endif

/* What each of these may leave open is nothing. */
static int open_files(void)
{
    int count = 0;
    for (int i = 0; i < 256; i++)
        count += fcntl(i, F_GETFD) >= 0;
    return count;
}

/* ---- 1. A list is copied: what was copied before the failure is freed ---- */

typedef struct node {
    struct node *next;
    int          number;
} node;

static void free_list(node *list)
{
    for (node *next; list != NULL; list = next) {
        next = list->next;
        free(list);
    }
}

static node *copy_list(const int *numbers, size_t count)
{
    node *first = NULL;
    for (size_t i = count; i-- > 0;) {
        node *one = malloc(sizeof *one);
        if (one == NULL) {
            RIGHT_OR(free_list(first), (void)0);
            return NULL;
        }
        *one = (node){ first, numbers[i] };
        first = one;
    }
    return first;
}

WR_PROPERTY(list_copy_leaks)
{
    size_t   n = wr_size(t, "n", 0, 10);
    int32_t *numbers = wr_i32s(t, "numbers", n, 0, 9);
    wr_faults(t, "fault", NULL);
    node *list = copy_list(numbers, n);
    wr_faults_end(t);
    wr_assert(t, list != NULL || n == 0 || wr_faulted(t));
    free_list(list);
}

/* ---- 2. A vector grows: its room is what was allocated ---- */

typedef struct vector {
    int   *items;
    size_t used, room;
} vector;

static bool push(vector *v, int item)
{
    if (v->used == v->room) {
        size_t room = v->room * 2 + 1;
        RIGHT_OR((void)0, v->room = room);
        int *items = realloc(v->items, room * sizeof *items);
        if (items == NULL)
            return false;
        v->items = items;
        v->room = room;
    }
    v->items[v->used++] = item;
    return true;
}

WR_PROPERTY(vector_forgets_its_room)
{
    size_t   n = wr_size(t, "n", 0, 12), pushed = 0;
    int32_t *numbers = wr_i32s(t, "numbers", n, 0, 9);
    vector   v = { 0 };
    wr_faults(t, "fault", NULL);
    for (size_t i = 0; i < n; i++)
        pushed += push(&v, numbers[i]);
    wr_faults_end(t);
    wr_take(t, v.items);
    wr_assert_eq(t, v.used, pushed);
    wr_assert(t, pushed == n || wr_faulted(t));
}

/* ---- 3. A text is split into words ---- */

static size_t split(const char *text, char **words, size_t room)
{
    size_t count = 0;
    while (*text != '\0' && count < room) {
        size_t length = strcspn(text, " ");
        char  *word = strndup(text, length);
        if (RIGHT_OR(word == NULL, false))
            break;
        if (word[0] != '\0')
            words[count++] = word;
        else
            free(word);
        text += length + (text[length] == ' ');
    }
    return count;
}

WR_PROPERTY(split_trusts_strndup)
{
    const char *text = wr_text_of(t, "text", "ab ", 0, 12);
    char       *words[16];
    wr_faults(t, "fault", NULL);
    size_t count = split(text, words, 16);
    wr_faults_end(t);
    for (size_t i = 0; i < count; i++)
        free(words[i]);
}

/* ---- 4. A table of keys is made larger ---- */

typedef struct table {
    unsigned *keys; /* 0: free */
    size_t    used, room;
} table;

static void put(unsigned *keys, size_t room, unsigned key)
{
    size_t at = key % room;
    while (keys[at] != 0 && keys[at] != key)
        at = (at + 1) % room;
    keys[at] = key;
}

static bool enlarge(table *all)
{
    size_t    room = all->room * 2 + 2;
    unsigned *keys = calloc(room, sizeof *keys);
    RIGHT_OR(if (keys == NULL) return false, (void)0);
    for (size_t i = 0; i < all->room; i++)
        if (all->keys[i] != 0 && keys != NULL)
            put(keys, room, all->keys[i]);
    free(all->keys);
    if (keys == NULL)
        return false;
    all->keys = keys;
    all->room = room;
    return true;
}

static bool has(const table *all, unsigned key)
{
    for (size_t i = 0; i < all->room; i++)
        if (all->keys[i] == key)
            return true;
    return false;
}

static bool add(table *all, unsigned key)
{
    if (all->used + 1 >= all->room && !enlarge(all))
        return false;
    all->used += !has(all, key);
    put(all->keys, all->room, key);
    return true;
}

static void free_table(void *all)
{
    free(((table *)all)->keys);
}

WR_PROPERTY(table_is_freed_too_early)
{
    size_t   n = wr_size(t, "n", 0, 12);
    int32_t *keys = wr_i32s(t, "keys", n, 1, 30);
    bool     added[12] = { false };
    table   *all = wr_alloc(t, sizeof *all);
    wr_defer(t, free_table, all);
    wr_faults(t, "fault", NULL);
    for (size_t i = 0; i < n; i++)
        added[i] = add(all, (unsigned)keys[i]);
    wr_faults_end(t);
    for (size_t i = 0; i < n; i++)
        wr_assert(t, !added[i] || has(all, (unsigned)keys[i]));
}

/* ---- 5. Rows of a matrix ---- */

static void free_matrix(double **rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(rows[i]);
    free(rows);
}

static double **make_matrix(size_t rows, size_t columns)
{
    double **all = malloc((rows + 1) * sizeof *all);
    if (all == NULL)
        return NULL;
    for (size_t i = 0; i < rows; i++)
        if ((all[i] = malloc((columns + 1) * sizeof **all)) == NULL) {
            free_matrix(all, RIGHT_OR(i, rows));
            return NULL;
        }
    return all;
}

WR_PROPERTY(matrix_frees_rows_it_has_not)
{
    size_t rows = wr_size(t, "rows", 0, 6), columns = wr_size(t, "columns", 0, 6);
    wr_faults(t, "fault", NULL);
    double **all = make_matrix(rows, columns);
    wr_faults_end(t);
    wr_assert(t, all != NULL || wr_faulted(t));
    if (all != NULL)
        free_matrix(all, rows);
}

/* ---- 6. A text that grows ---- */

static char *repeat(const char *part, size_t times)
{
    char  *text = strdup("");
    size_t length = 0, step = strlen(part);
    for (size_t i = 0; i < times && text != NULL; i++) {
        char *more = realloc(text, length + step + 1);
        if (more == NULL)
            RIGHT_OR(free(text), (void)0);
        else
            memcpy(more + length, part, step + 1);
        text = more;
        length += step;
    }
    return text;
}

WR_PROPERTY(text_is_lost_by_realloc)
{
    const char *part = wr_text(t, "part", 1, 4);
    size_t      times = wr_size(t, "times", 0, 8);
    wr_faults(t, "fault", NULL);
    char *text = repeat(part, times);
    wr_faults_end(t);
    wr_assert(t, text != NULL || wr_faulted(t));
    free(text);
}

/* ---- Files ---- */

static const char *file_with(wr_case *t, const char *text)
{
    char *path = wr_format(t, "%s/file", wr_tempdir(t));
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    return path;
}

static const char *content_of(wr_case *t, const char *path)
{
    char *text = wr_alloc(t, 4096);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return NULL;
    text[fread(text, 1, 4095, file)] = '\0';
    fclose(file);
    return text;
}

static const wr_fault_options READING = { .which =
                                              WR_FAULT_SHORT | WR_FAULT_EINTR | WR_FAULT_IO };

/* 7. Reads a whole file of up to `room` bytes; -1: it cannot. */
static ssize_t read_file(const char *path, char *to, size_t room)
{
    int     file = open(path, O_RDONLY);
    ssize_t got, all = 0;
    if (file < 0)
        return -1;
    do {
        got = read(file, to + all, room - (size_t)all);
        all += got > 0 ? got : 0;
    } while (RIGHT_OR(got > 0, false) || (got < 0 && errno == EINTR));
    close(file);
    return got < 0 ? -1 : all;
}

WR_PROPERTY(reading_stops_at_a_short_read)
{
    const char *text = wr_text(t, "text", 0, 20), *path = file_with(t, text);
    char        back[64];
    wr_faults(t, "fault", &READING);
    ssize_t got = read_file(path, back, sizeof back);
    wr_faults_end(t);
    wr_assert(t, got >= 0 ? (size_t)got == strlen(text) : wr_faulted(t));
}

/* 8. Writes all bytes. */
static bool write_all(int file, const char *from, size_t count)
{
    while (count > 0) {
        ssize_t put_now = write(file, from, count);
        if (put_now < 0 && errno == EINTR)
            continue;
        if (put_now < 0)
            return false;
        from += put_now;
        count -= RIGHT_OR((size_t)put_now, count);
    }
    return true;
}

static const wr_fault_options WRITING = { .which = WR_FAULT_SHORT | WR_FAULT_EINTR |
                                                   WR_FAULT_NO_SPACE };

WR_PROPERTY(writing_ignores_a_short_write)
{
    const char *text = wr_text(t, "text", 0, 20), *path = file_with(t, "");
    int         file = open(path, O_WRONLY);
    wr_faults(t, "fault", &WRITING);
    bool fine = write_all(file, text, strlen(text));
    wr_faults_end(t);
    close(file);
    wr_assert(t, fine || wr_faulted(t));
    if (fine)
        wr_assert_str_eq(t, content_of(t, path), text);
}

/* 9. Reads lines from a pipe; an interruption is no end. */
static int count_lines(int from)
{
    char    buffer[8];
    int     lines = 0;
    ssize_t got;
    while ((got = read(from, buffer, sizeof buffer)) != 0) {
        if (got < 0 && RIGHT_OR(errno == EINTR, false))
            continue;
        if (got < 0)
            return RIGHT_OR(-1, lines);
        for (ssize_t i = 0; i < got; i++)
            lines += buffer[i] == '\n';
    }
    return lines;
}

static const wr_fault_options INTERRUPTED = { .which = WR_FAULT_EINTR };

WR_PROPERTY(an_interruption_is_taken_for_the_end)
{
    const char *text = wr_text_of(t, "text", "a\n", 0, 30);
    int         ends[2], lines = 0;
    wr_assert(t, pipe(ends) == 0);
    wr_assert(t, write(ends[1], text, strlen(text)) == (ssize_t)strlen(text));
    close(ends[1]);
    wr_faults(t, "fault", &INTERRUPTED);
    int counted = count_lines(ends[0]);
    wr_faults_end(t);
    close(ends[0]);
    for (const char *at = text; *at != '\0'; at++)
        lines += *at == '\n';
    wr_assert_eq(t, counted, lines);
}

/* 10. A queue of bytes that wait to be sent; what cannot be sent now stays. */
typedef struct queue {
    char   bytes[64];
    size_t count;
} queue;

static bool flush_queue(queue *q, int to)
{
    ssize_t sent = write(to, q->bytes, q->count);
    if (sent < 0 && errno != EAGAIN)
        return false;
    if (sent < 0)
        sent = RIGHT_OR(0, (ssize_t)q->count);
    memmove(q->bytes, q->bytes + sent, q->count - (size_t)sent);
    q->count -= (size_t)sent;
    return true;
}

static const wr_fault_options FULL = { .which = WR_FAULT_EAGAIN | WR_FAULT_SHORT };

WR_PROPERTY(a_full_pipe_loses_what_waits)
{
    const char *text = wr_text(t, "text", 1, 30);
    char        back[65] = "";
    queue       q = { .count = strlen(text) };
    int         ends[2];
    memcpy(q.bytes, text, q.count);
    wr_assert(t, pipe(ends) == 0);
    wr_faults(t, "fault", &FULL);
    for (int i = 0; i < 4 && q.count > 0; i++)
        wr_assert(t, flush_queue(&q, ends[1]));
    wr_faults_end(t);
    close(ends[1]);
    ssize_t got = read(ends[0], back, sizeof back - 1);
    close(ends[0]);
    wr_assert(t, got >= 0);
    wr_assert_str_eq(t, back, text);
}

/* 11. A file is replaced, or stays as it was. */
static bool replace(const char *path, const char *temporary, const char *text)
{
    int  file = open(temporary, O_CREAT | O_WRONLY | O_TRUNC, 0600);
    bool fine = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    fine = fine && fsync(file) == 0;
    if (file >= 0)
        close(file);
    if (!RIGHT_OR(fine, true) || rename(temporary, path) != 0) {
        unlink(temporary);
        return false;
    }
    return fine;
}

static const wr_fault_options SAVING = { .which = WR_FAULT_OPEN | WR_FAULT_SHORT | WR_FAULT_SYNC |
                                                  WR_FAULT_NO_SPACE };

WR_PROPERTY(a_file_is_replaced_by_half_of_it)
{
    const char *text = wr_text(t, "text", 1, 12), *path = file_with(t, "old");
    const char *temporary = wr_format(t, "%s.new", path);
    wr_faults(t, "fault", &SAVING);
    bool fine = replace(path, temporary, text);
    wr_faults_end(t);
    wr_assert_str_eq(t, content_of(t, path), fine ? text : "old");
    wr_assert(t, fine || wr_faulted(t));
}

/* 12. A file is copied, and both are closed. */
static bool copy_file(const char *from, const char *to)
{
    char buffer[256];
    int  in = open(from, O_RDONLY);
    if (in < 0)
        return false;
    int out = open(to, O_CREAT | O_WRONLY | O_TRUNC, 0600);
    if (out < 0) {
        RIGHT_OR(close(in), (void)0);
        return false;
    }
    ssize_t got = read(in, buffer, sizeof buffer);
    bool    fine = got >= 0 && write(out, buffer, (size_t)got) == got;
    close(in);
    close(out);
    return fine;
}

static const wr_fault_options OPENING = { .which = WR_FAULT_OPEN };

WR_PROPERTY(a_descriptor_leaks)
{
    const char *path = file_with(t, wr_text(t, "text", 0, 12));
    const char *to = wr_format(t, "%s.copy", path);
    int         before = open_files();
    wr_faults(t, "fault", &OPENING);
    bool fine = copy_file(path, to);
    wr_faults_end(t);
    wr_assert_eq(t, open_files(), before);
    wr_assert(t, fine || wr_faulted(t));
}

/* ---- 13. Threads: those that were started are waited for ---- */

static void *add_one(void *to)
{
    __atomic_fetch_add((int *)to, 1, __ATOMIC_RELAXED);
    return NULL;
}

static int run_threads(int count, int *sum)
{
    pthread_t threads[8] = { 0 };
    int       started = 0; /* that were started */
    for (int i = 0; i < count; i++) {
        int error = pthread_create(&threads[started], NULL, add_one, sum);
        started += RIGHT_OR(error == 0, 1 + 0 * error);
    }
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return started;
}

static const wr_fault_options STARTING = { .which = WR_FAULT_THREAD, .most = 2 };

WR_PROPERTY(a_thread_that_never_started_is_waited_for)
{
    int count = (int)wr_int(t, "count", 0, 6), sum = 0;
    wr_faults(t, "fault", &STARTING);
    int started = run_threads(count, &sum);
    wr_faults_end(t);
    wr_assert_eq(t, sum, started);
    wr_assert(t, started == count || wr_faulted(t));
}

/* ---- 14. A timer that lasts five seconds, whatever the clock does ---- */

static bool wait_is_over(time_t began)
{
    struct timespec now;
    clock_gettime(RIGHT_OR(CLOCK_MONOTONIC, CLOCK_REALTIME), &now);
    return now.tv_sec < began || now.tv_sec - began >= 5;
}

static const wr_fault_options CLOCK = { .which = WR_FAULT_CLOCK };

WR_PROPERTY(a_timer_believes_the_wall_clock)
{
    int             looks = (int)wr_int(t, "looks", 1, 5), over = 0;
    struct timespec began;
    clock_gettime(RIGHT_OR(CLOCK_MONOTONIC, CLOCK_REALTIME), &began);
    wr_faults(t, "fault", &CLOCK);
    for (int i = 0; i < looks; i++)
        over += wait_is_over(began.tv_sec);
    wr_faults_end(t);
    wr_assert_eq(t, over, 0);
}

/* ---- 15. A log says whether its lines are on disk ---- */

static bool write_log(const char *path, const char *line)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return false;
    bool fine = fputs(line, file) >= 0;
    return RIGHT_OR(fclose(file) == 0, (fclose(file), true)) && fine;
}

static const wr_fault_options DISK = { .which = WR_FAULT_OPEN | WR_FAULT_NO_SPACE };

WR_PROPERTY(a_log_ignores_fclose)
{
    const char *line = wr_text(t, "line", 0, 12), *path = file_with(t, "");
    wr_faults(t, "fault", &DISK);
    bool fine = write_log(path, line);
    wr_faults_end(t);
    wr_assert(t, fine != wr_faulted(t));
}

/* ---- 16. The names in a folder ---- */

static char **list_names(const char *path, size_t *count)
{
    char **names = calloc(8, sizeof *names);
    DIR   *folder = opendir(path);
    *count = 0;
    if (names == NULL || folder == NULL) {
        RIGHT_OR(free(names), (void)0);
        if (folder != NULL)
            closedir(folder);
        return NULL;
    }
    for (struct dirent *one; *count < 8 && (one = readdir(folder)) != NULL;)
        if (one->d_name[0] != '.' && (names[*count] = strdup(one->d_name)) != NULL)
            ++*count;
    closedir(folder);
    return names;
}

static const wr_fault_options LISTING = { .which = WR_FAULT_MEMORY | WR_FAULT_OPEN };

WR_PROPERTY(names_leak_without_a_folder)
{
    const char *path = wr_tempdir(t);
    size_t      files = wr_size(t, "files", 0, 4), count;
    for (size_t i = 0; i < files; i++)
        fclose(fopen(wr_format(t, "%s/%zu", path, i), "w"));
    wr_faults(t, "fault", &LISTING);
    char **names = list_names(path, &count);
    wr_faults_end(t);
    wr_assert(t, names != NULL || wr_faulted(t));
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}
