/* fleet/fleet.c: many test programs as one campaign: who runs when, and with how many workers. */
#include "fleet/fleet.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "core/clock.h"
#include "fleet/internal.h"
#include "store/bugs.h"

double wri_fleet_seconds(const wri_fleet *fleet)
{
    return wri_clock_seconds() - fleet->started;
}

void wri_fleet_warn(wri_fleet *fleet, size_t program, const char *format, ...)
{
    char    line[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    wri_screen_warn(&fleet->screen, fleet->programs[program].name, line);
}

/* ---- Signals ---- */

/* Whatever holds this program up, a report that nobody reads for instance, it ends so long after
 * an interrupt. */
#define LAST_MS 1900

static wri_fleet            *running;
static volatile sig_atomic_t interrupts;

static void on_last(int unused)
{
    (void)unused;
    for (size_t i = 0; i <= WRI_FLEET_MOST_JOBS && running != NULL; i++) {
        const wri_fleet_job *job = i < WRI_FLEET_MOST_JOBS ? &running->jobs[i] : &running->hook;
        if (job->child.pid > 0 && !job->child.ended)
            kill(-job->child.pid, SIGKILL);
    }
    _exit(130);
}

static void on_interrupt(int unused)
{
    struct itimerval last = { .it_value = { LAST_MS / 1000, LAST_MS % 1000 * 1000 } };
    (void)unused;
    if (interrupts++ == 0)
        setitimer(ITIMER_REAL, &last, NULL);
}

/* Under nohup, or in the background of a script, a program ignores what it is told to. SIGTERM
 * ends it even if it was started with that signal blocked. */
static void watch_signals(void)
{
    static const int SIGNALS[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction action = { .sa_handler = on_interrupt }, before;
    sigset_t         heard;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof SIGNALS / sizeof *SIGNALS; i++)
        if (sigaction(SIGNALS[i], NULL, &before) == 0 &&
            (SIGNALS[i] == SIGTERM || before.sa_handler != SIG_IGN))
            sigaction(SIGNALS[i], &action, NULL);
    action.sa_handler = on_last;
    sigaction(SIGALRM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* ignored, it would hide how a program ended */
    sigemptyset(&heard);
    sigaddset(&heard, SIGTERM);
    sigaddset(&heard, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &heard, NULL);
}

/* ---- Children ---- */

static bool runs(pid_t pid)
{
    for (size_t i = 0; i < WRI_FLEET_MOST_JOBS; i++)
        if (running->jobs[i].child.pid == pid)
            return true;
    return running->hook.child.pid == pid;
}

static unsigned busy_workers(const wri_fleet *fleet)
{
    unsigned busy = 0;
    for (size_t i = 0; i < WRI_FLEET_MOST_JOBS; i++)
        busy += fleet->jobs[i].workers;
    return busy;
}

static wri_fleet_job *free_job(wri_fleet *fleet)
{
    for (size_t i = 0; i < WRI_FLEET_MOST_JOBS; i++)
        if (fleet->jobs[i].workers == 0)
            return &fleet->jobs[i];
    return NULL;
}

/* ---- Words ---- */

/* The words of a command line, and the numbers among them as text. */
typedef struct words {
    const char **list;
    size_t       count;
    char         numbers[4][32];
    size_t       number_count;
} words;

static void say(words *all, const char *option, const char *value)
{
    all->list[all->count++] = option;
    if (value != NULL)
        all->list[all->count++] = value;
}

static void say_number(words *all, const char *option, uint64_t number, const char *unit)
{
    char *text = all->numbers[all->number_count++];
    snprintf(text, sizeof all->numbers[0], "%llu%s", (unsigned long long)number, unit);
    say(all, option, text);
}

/* A pattern that this name alone matches; malloced. */
static char *as_pattern(const char *name)
{
    char *pattern = malloc(2 * strlen(name) + 1), *to = pattern;
    for (; pattern != NULL && *name != '\0'; *to++ = *name++)
        if (strchr("*?[\\", *name) != NULL)
            *to++ = '\\';
    if (pattern != NULL)
        *to = '\0';
    return pattern;
}

/* A turn ends after so long, if its cases take longer: then each property has some turns in the
 * time that there is, and no property keeps the others waiting for long. */
static uint64_t turn_ms(const wri_fleet *fleet)
{
    const wri_fleet_options *options = fleet->options;
    double                   left = (double)options->for_ms - 1000 * wri_fleet_seconds(fleet);
    uint64_t                 fair = options->for_ms / 4 * options->jobs / fleet->property_count;
    uint64_t                 limit = fair > 30000 ? 30000 : fair;
    limit = left < (double)limit ? (uint64_t)(left > 0 ? left : 0) : limit;
    return limit > 100 ? limit : 100;
}

static void say_turn(wri_fleet *fleet, words *all, size_t property)
{
    const wri_turns *turns = &fleet->properties[property].turns;
    say(all, "--bugs", "many");
    say_number(all, "--cases", turns->cases, "");
    say_number(all, "--time", turn_ms(fleet), "ms");
    say_number(all, "--seed", wri_turns_seed(turns, fleet->seed, property), "");
}

/* Starts a program, with the option and the words of a test. */
static void start(wri_fleet *fleet, wri_fleet_job *job)
{
    const wri_fleet_options *options = fleet->options;
    words                    all = { .list = calloc(options->extra_count + 24, sizeof(char *)) };
    wri_note                 note = { "no memory" };
    char                    *pattern = NULL;
    if (all.list != NULL) {
        say(&all, fleet->programs[job->program].path, NULL);
        say(&all, "--format", "events");
        if (job->task == WRI_FLEET_LIST)
            say(&all, "--list", NULL);
        say_number(&all, "--jobs", job->workers, "");
        if (options->no_store || options->store != NULL)
            say(&all, options->no_store ? "--no-store" : "--store",
                options->no_store ? NULL : options->store);
        if (job->property != WRI_FLEET_ALL)
            say_turn(fleet, &all, job->property);
        else if (options->seed_given)
            say_number(&all, "--seed", options->seed, "");
        for (size_t i = 0; i < options->extra_count; i++)
            say(&all, options->extra[i], NULL);
        if (job->property != WRI_FLEET_ALL)
            pattern = as_pattern(fleet->properties[job->property].name);
        if (pattern != NULL) {
            say(&all, "--", NULL);
            say(&all, pattern, NULL);
        }
    }
    bool whole = all.list != NULL && (pattern != NULL || job->property == WRI_FLEET_ALL);
    if (!whole || !wri_child_start(&job->child, all.list, -1, &note)) {
        wri_fleet_warn(fleet, job->program, "%s", note.text);
        fleet->programs[job->program].unusable = true;
        fleet->summary.unusable++;
        *job = (wri_fleet_job){ .program = 0 };
    }
    free(pattern);
    free(all.list);
}

/* ---- Who is next ---- */

static bool can_run(const wri_fleet *fleet, const wri_fleet_property *property)
{
    return !property->turns.over && !fleet->programs[property->program].unusable;
}

/* The next round in which a property has a turn. False: there is none. */
static bool begin_round(wri_fleet *fleet)
{
    uint64_t next = UINT64_MAX;
    for (size_t i = 0; i < fleet->property_count; i++)
        if (can_run(fleet, &fleet->properties[i]) && fleet->properties[i].turns.due < next)
            next = fleet->properties[i].turns.due;
    fleet->round = next > fleet->round ? next : fleet->round;
    for (size_t i = 0; i < fleet->property_count && next != UINT64_MAX; i++) {
        wri_fleet_property *property = &fleet->properties[i];
        property->waits = can_run(fleet, property) && property->turns.due <= fleet->round;
    }
    return next != UINT64_MAX;
}

/* The first that waits for its start, a property or a program, and how many wait. */
static size_t first_waiting(const wri_fleet *fleet, bool turns, size_t *count)
{
    size_t all = turns ? fleet->property_count : fleet->options->program_count, first = all;
    *count = 0;
    for (size_t i = all; i-- > 0;) {
        bool waits = turns ? fleet->properties[i].waits && can_run(fleet, &fleet->properties[i])
                           : !fleet->programs[i].taken && !fleet->programs[i].unusable;
        *count += waits;
        first = waits ? i : first;
    }
    return first;
}

/* Starts what there are workers for. False: nothing waits and nothing runs. */
static bool fill(wri_fleet *fleet)
{
    bool   turns = fleet->listed && fleet->options->for_ms > 0;
    size_t waiting, next;
    while (next = first_waiting(fleet, turns, &waiting), waiting > 0) {
        unsigned       busy = busy_workers(fleet);
        wri_fleet_job *job = busy < fleet->options->jobs ? free_job(fleet) : NULL;
        if (job == NULL)
            break;
        unsigned share = (unsigned)((fleet->options->jobs - busy) / waiting);
        job->task = fleet->listed ? WRI_FLEET_TEST : WRI_FLEET_LIST;
        job->workers = share > 0 && fleet->listed ? share : 1;
        job->program = turns ? fleet->properties[next].program : next;
        job->property = turns ? next : WRI_FLEET_ALL;
        if (turns)
            fleet->properties[next].waits = false;
        else
            fleet->programs[next].taken = true;
        start(fleet, job);
    }
    return waiting > 0 || busy_workers(fleet) > 0;
}

/* Properties stand in the order of their programs, whichever was listed first. */
static bool end_listing(wri_fleet *fleet)
{
    wri_fleet_property *sorted = calloc(fleet->property_count + 1, sizeof *sorted);
    size_t              count = 0;
    fleet->no_memory |= sorted == NULL;
    for (size_t p = 0; p < fleet->options->program_count && sorted != NULL; p++) {
        fleet->programs[p].taken = false;
        for (size_t i = 0; i < fleet->property_count; i++)
            if (fleet->properties[i].program == p && !fleet->programs[p].unusable)
                sorted[count++] = fleet->properties[i];
            else if (fleet->properties[i].program == p)
                free(fleet->properties[i].name);
    }
    if (sorted == NULL)
        return false;
    free(fleet->properties);
    fleet->properties = sorted;
    fleet->property_room = fleet->property_count + 1;
    fleet->property_count = count;
    fleet->listed = true;
    return count > 0;
}

/* ---- The loop ---- */

/* A program has so long to say what it found; an interrupt ends all within two seconds. */
#define LAST_SECONDS 1.6
/* A program that was to end by itself has so long beyond its time: it may be shrinking. */
#define GRACE_SECONDS 5

static void for_each_child(wri_fleet *fleet, void (*what)(wri_child *child))
{
    for (size_t i = 0; i < WRI_FLEET_MOST_JOBS; i++)
        what(&fleet->jobs[i].child);
    what(&fleet->hook.child);
}

static bool time_is_over(const wri_fleet *fleet)
{
    double end = (double)fleet->options->for_ms / 1000;
    return fleet->options->for_ms > 0 && wri_fleet_seconds(fleet) >= end;
}

/* Ends programs that were asked to end, or are silent. */
static void end_late(wri_fleet *fleet)
{
    double now = wri_clock_seconds();
    for (size_t i = 0; i <= WRI_FLEET_MOST_JOBS; i++) {
        wri_fleet_job *job = i < WRI_FLEET_MOST_JOBS ? &fleet->jobs[i] : &fleet->hook;
        if (job->child.pid <= 0)
            continue;
        bool late = job->child.asked > 0 && now - job->child.asked > LAST_SECONDS;
        if (now - job->child.heard > (double)fleet->options->patience_ms / 1000)
            job->silent = true;
        if (late || job->silent)
            wri_child_kill(&job->child);
    }
}

static void look_for_the_end(wri_fleet *fleet)
{
    double end = (double)fleet->options->for_ms / 1000 + GRACE_SECONDS;
    bool   too_late = fleet->options->for_ms > 0 && wri_fleet_seconds(fleet) >= end;
    if (interrupts > 0 || fleet->no_memory || fleet->screen.why != 0)
        fleet->stopped = true;
    if (fleet->stopped || too_late)
        for_each_child(fleet, wri_child_ask);
    if (interrupts > 1)
        for_each_child(fleet, wri_child_kill);
    end_late(fleet);
}

static void take_all(wri_fleet *fleet)
{
    bool ended = false;
    for (size_t i = 0; i < WRI_FLEET_MOST_JOBS; i++) {
        wri_fleet_hearing hearing = { fleet, &fleet->jobs[i] };
        if (fleet->jobs[i].child.pid <= 0 ||
            !wri_child_take(&fleet->jobs[i].child, wri_fleet_hear, &hearing))
            continue;
        wri_fleet_hear_end(fleet, &fleet->jobs[i]);
        ended = true;
    }
    if (ended)
        wri_child_end_orphans(runs);
}

static void wait_a_little(const wri_fleet *fleet)
{
    struct pollfd files[2 * (WRI_FLEET_MOST_JOBS + 1)];
    size_t        count = 0;
    for (size_t i = 0; i <= WRI_FLEET_MOST_JOBS; i++) {
        const wri_fleet_job *job = i < WRI_FLEET_MOST_JOBS ? &fleet->jobs[i] : &fleet->hook;
        if (job->child.pid > 0) {
            wri_child_poll(&job->child, &files[count]);
            count += 2;
        }
    }
    poll(files, count, 50);
}

static void show(wri_fleet *fleet)
{
    const wri_fleet_options *options = fleet->options;
    wri_screen_view          view = { .properties = fleet->property_count,
                                      .workers = busy_workers(fleet),
                                      .cases = fleet->cases,
                                      .features = fleet->summary.features,
                                      .bugs = fleet->summary.bugs,
                                      .seconds = wri_fleet_seconds(fleet),
                                      .left = -1,
                                      .stopping = fleet->stopped,
                                      .history = &fleet->history };
    if (options->for_ms > 0)
        view.left = (double)options->for_ms / 1000 - view.seconds;
    for (size_t i = 0; i < fleet->property_count; i++)
        view.done += fleet->properties[i].status != NULL;
    for (size_t i = 0; i < WRI_FLEET_MOST_JOBS; i++)
        view.current = fleet->jobs[i].current != NULL ? fleet->jobs[i].current : view.current;
    wri_screen_show(&fleet->screen, &view);
}

/* Starts what can be started. False: there is nothing more to start, and nothing runs. */
static bool go_on(wri_fleet *fleet)
{
    if (fleet->stopped || (fleet->listed && time_is_over(fleet)))
        return busy_workers(fleet) > 0;
    if (fill(fleet))
        return true;
    if (!fleet->listed)
        return end_listing(fleet) && (fleet->options->for_ms == 0 || begin_round(fleet));
    return fleet->options->for_ms > 0 && begin_round(fleet);
}

static void loop(wri_fleet *fleet)
{
    for (;;) {
        look_for_the_end(fleet);
        bool more = go_on(fleet), hooks = !wri_fleet_bugs_tell(fleet);
        if (!more && !hooks)
            break;
        wait_a_little(fleet);
        take_all(fleet);
        show(fleet);
    }
    wri_child_end_orphans(NULL);
}

/* ---- The end ---- */

static void sum_up(wri_fleet *fleet)
{
    wri_screen_summary *sum = &fleet->summary;
    sum->programs = fleet->options->program_count;
    sum->properties = fleet->property_count;
    sum->cases = fleet->cases;
    sum->seconds = wri_fleet_seconds(fleet);
    for (size_t i = 0; i < fleet->property_count; i++) {
        const char *status = fleet->properties[i].status;
        unsigned    rank = fleet->properties[i].rank;
        size_t     *place = status == NULL                          ? &sum->not_run
                            : rank <= wri_fleet_rank("held")        ? &sum->held
                            : rank == wri_fleet_rank("skipped")     ? &sum->skipped
                            : rank == wri_fleet_rank("interrupted") ? &sum->interrupted
                            : rank < wri_fleet_rank("error")        ? &sum->failed
                                                                    : &sum->errors;
        ++*place;
    }
    sum->status = fleet->no_memory || sum->unusable + sum->errors > 0 ? 99
                  : sum->failed > 0                                   ? 1
                  : fleet->stopped                                    ? 130
                  : sum->held == 0 && sum->skipped > 0                ? 77
                                                                      : 0;
}

static void tell_turns(wri_fleet *fleet)
{
    for (size_t i = 0; i < fleet->property_count && fleet->options->for_ms > 0; i++) {
        const wri_fleet_property *property = &fleet->properties[i];
        if (property->status == NULL)
            continue;
        wri_screen_result_tell(
            &fleet->screen,
            &(wri_screen_result){ fleet->programs[property->program].name, property->name,
                                  property->status, property->why, property->cases,
                                  property->features, property->turns.taken, property->seconds,
                                  wri_fleet_is_bad(property->rank) });
    }
}

static void free_fleet(wri_fleet *fleet)
{
    for (size_t i = 0; i < fleet->property_count; i++) {
        free(fleet->properties[i].name);
        free(fleet->properties[i].status);
        free(fleet->properties[i].why);
    }
    for (size_t i = 0; i < fleet->options->program_count && fleet->programs != NULL; i++)
        free(fleet->programs[i].path);
    while (fleet->queue_from < fleet->queue_count)
        free(fleet->queue[fleet->queue_from++]);
    free(fleet->queue);
    free(fleet->bugs);
    free(fleet->properties);
    free(fleet->programs);
    free(fleet);
}

static bool name_programs(wri_fleet *fleet)
{
    size_t count = fleet->options->program_count;
    fleet->programs = calloc(count, sizeof *fleet->programs);
    for (size_t i = 0; i < count && fleet->programs != NULL; i++) {
        fleet->programs[i].name = fleet->options->programs[i];
        fleet->programs[i].path = wri_folder_program(fleet->programs[i].name);
        if (fleet->programs[i].path == NULL)
            return false;
    }
    return fleet->programs != NULL;
}

/* What ends a campaign besides its programs. */
static void tell_trouble(bool no_memory, int broken)
{
    if (no_memory)
        fputs("warren run: memory is out\n", stderr);
    if (broken == EPIPE) { /* as every program ends whose output nobody reads */
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    if (broken != 0)
        fprintf(stderr, "warren run: cannot write to standard output: %s\n", strerror(broken));
}

int wri_fleet_run(const wri_fleet_options *options)
{
    wri_fleet *fleet = calloc(1, sizeof *fleet);
    if (fleet == NULL) {
        tell_trouble(true, 0);
        return 99;
    }
    fleet->options = options;
    fleet->started = wri_clock_seconds();
    fleet->seed = options->seed;
    running = fleet;
    wri_screen_begin(&fleet->screen, options->json, options->quiet);
    if (name_programs(fleet)) {
        watch_signals();
        wri_child_adopt();
        wri_fleet_bugs_read(fleet);
        loop(fleet);
        tell_turns(fleet);
    } else {
        fleet->no_memory = true;
    }
    sum_up(fleet);
    wri_screen_end(&fleet->screen, &fleet->summary);
    if (fleet->screen.why != 0)
        fleet->summary.status = 99;
    tell_trouble(fleet->no_memory, fleet->screen.why);
    int status = fleet->summary.status;
    running = NULL;
    free_fleet(fleet);
    return status;
}
