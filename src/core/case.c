/* core/case.c: how a running case makes choices, opens spans and ends, and how it has ended.
 *
 * Draws come here when they leave the fast path. A choice is asked of the case's answerer, and
 * written to the journal and, in a traced case, to the trace. A case that ends early leaves by a
 * jump.
 */
#include "core/case.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/lean.h"

wr_case               *wri_case_current;
_Thread_local wr_case *wri_case_current_here __attribute__((tls_model("initial-exec")));
bool                   wri_case_faulty;

void wri_case_begin_slow(wr_case *t)
{
    t->length_count = 0;
    t->open = NULL;
    t->span = 0;
    t->depth = 0;
    if (t->text != NULL) {
        t->text->used = t->text->lost = 0;
        t->text->open = false;
        *t->shared_text = 0;
    }
    if (t->trace != NULL) {
        t->trace->nodes[0] =
            (wri_node){ .what = WRI_SPAN, .parent = WRI_NO_NODE, .tie = WRI_NO_NODE };
        t->trace->node_count = 1;
        t->trace->number_count = 0;
        *t->shared_nodes = 1;
        *t->shared_numbers = 0;
    }
}

void wri_case_finish(wr_case *t)
{
    while (t->deferred != NULL) {
        wri_deferred *now = t->deferred;
        t->deferred = now->next;
        now->function(now->pointer);
    }
}

/* ---- Ends ---- */

__attribute__((noinline)) void wr_case_failed(wr_case *t)
{
    __asm__ volatile("" : : "r"(t) : "memory");
}

_Noreturn static void leave(wr_case *t)
{
    if (wri_verdict_failed(t->verdict))
        wr_case_failed(t);
    longjmp(t->out, 1);
}

static void write_verdict(wr_case *t, wri_verdict_kind kind, const char *file, int line,
                          const char *format, va_list arguments)
{
    wri_verdict *verdict = t->verdict;
    verdict->kind = kind;
    verdict->line = line;
    verdict->failure_class = t->failure_class;
    verdict->frames = 0;
    snprintf(verdict->file, sizeof verdict->file, "%s", file == NULL ? "" : file);
    vsnprintf(verdict->message, sizeof verdict->message, format, arguments);
}

/* The violation of the first thread counts. It is written, once one of them ends the process. */
WRI_COLD _Noreturn static void end_process(wr_case *t, const char *file, int line,
                                           const char *what, void *caller)
{
    wri_verdict *verdict = &t->violation->verdict;
    if (wri_violation_begin(t->violation)) {
        *verdict = (wri_verdict){ .kind = WRI_MISUSE, .line = line };
        snprintf(verdict->file, sizeof verdict->file, "%s", file);
        snprintf(verdict->message, sizeof verdict->message, "%s", what);
        if (caller != NULL)
            t->host->find_frames(verdict, caller);
        atomic_store(&t->violation->state, WRI_VIOLATION_DONE);
        wr_case_failed(t);
    }
    while (atomic_load(&t->violation->state) == WRI_VIOLATION_WRITING)
        sched_yield();
    t->host->end(t);
    abort();
}

_Noreturn void wri_case_misuse_thread(wr_case *t, const char *file, int line, const char *format,
                                      ...)
{
    char    what[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    end_process(t, file, line, what, line == 0 ? __builtin_return_address(0) : NULL);
}

_Noreturn void wri_case_no_memory(void)
{
    if (wri_case_current != NULL && wri_case_current->host != NULL)
        end_process(wri_case_current, "", 0, "out of memory", NULL);
    abort();
}

WRI_COLD _Noreturn static void end_elsewhere(wr_case *t, wri_verdict_kind kind, const char *file,
                                             int line, const char *format, va_list arguments)
{
    char message[900];
    vsnprintf(message, sizeof message, format, arguments);
    wri_case_misuse_thread(t, file, line, "in another thread than the property's%s: %s",
                           kind == WRI_ASSERTION ? ", where only WR_ALWAYS() can fail" : "",
                           message);
}

_Noreturn void wri_case_end(wr_case *t, wri_verdict_kind kind, const char *file, int line,
                            const char *format, ...)
{
    va_list arguments;
    wri_case_end_copy(t);
    va_start(arguments, format);
    if (wri_case_is_elsewhere(t))
        end_elsewhere(t, kind, file, line, format, arguments);
    /* The first failure of a case is the one that counts: an assertion that fails in a deferred
     * function or a teardown after another failure changes nothing. */
    if (!wri_verdict_failed(t->verdict))
        write_verdict(t, kind, file, line, format, arguments);
    va_end(arguments);
    leave(t);
}

_Noreturn void wri_case_misuse(wr_case *t, const char *format, ...)
{
    va_list arguments;
    wri_case_end_copy(t);
    va_start(arguments, format);
    if (wri_case_is_elsewhere(t))
        end_elsewhere(t, WRI_MISUSE, "", 0, format, arguments);
    write_verdict(t, WRI_MISUSE, "", 0, format, arguments);
    va_end(arguments);
    if (t->host != NULL)
        t->host->find_frames(t->verdict, __builtin_return_address(0));
    leave(t);
}

WRI_COLD _Noreturn static void too_large(wr_case *t, const char *what)
{
    wri_case_end(t, WRI_OVERRUN, "", 0, "%s", what);
}

/* ---- Choices ---- */

/* The next node, to be filled in at once; it counts from added() on. */
static inline wri_node *next_node(wr_case *t)
{
    wri_trace *trace = t->trace;
    if (WRI_UNLIKELY(trace->node_count >= WRI_MAX_NODES))
        too_large(t, "the case has too many choices and spans");
    return &trace->nodes[trace->node_count];
}

static inline uint32_t added(wr_case *t)
{
    *t->shared_nodes = ++t->trace->node_count;
    return (uint32_t)(t->trace->node_count - 1);
}

static void trace_choice(wr_case *t, const wri_request *request, uint32_t label, uint64_t number)
{
    wri_node *node = next_node(t);
    node->what = WRI_CHOICE;
    node->kind = (uint8_t)request->kind;
    node->letters = request->letters;
    node->label = label;
    node->parent = t->span;
    node->tie = WRI_NO_NODE;
    node->count = 0;
    node->number = number;
    node->max = request->max;
    node->lo = request->kind == WRI_INTEGER || request->kind == WRI_LENGTH ? request->lo
               : request->kind == WRI_REAL                                 ? request->single
                                           : (int64_t)request->legal;
    added(t);
}

WRI_COLD _Noreturn static void drawn_elsewhere(wr_case *t, const wri_request *request)
{
    const char *name = request->name == NULL ? "" : request->name;
    wri_case_misuse_thread(t, "", 0,
                           "\"%s\" is drawn in another thread than the property's: draw before "
                           "the thread starts",
                           name);
}

static inline void record(wr_case *t, const wri_request *request, uint32_t label, uint64_t number)
{
    if (WRI_UNLIKELY(t->drew != NULL))
        t->drew(t, request, &number, 1);
    *t->next++ = (wri_record){ number, request->max };
    if (t->trace != NULL)
        trace_choice(t, request, label, number);
}

uint64_t wri_case_choose(wr_case *t, const wri_request *request)
{
    if (wri_case_is_elsewhere(t))
        drawn_elsewhere(t, request);
    if (t->next >= t->journal + WRI_MAX_CHOICES) /* the fast path's own limit */
        too_large(t, "the case makes too many choices");
    wri_case_end_copy(t);
    uint32_t label = t->trace != NULL ? wri_trace_name_hash(request->name) : 0;
    bool     faulty = wri_case_calm();
    uint64_t number = t->answerer->choose(t->answerer, t, request, label);
    wri_case_faulty = faulty;
    if (WRI_UNLIKELY(number == WRI_NO_ANSWER) && wri_kind_may_be_none(request->kind))
        return WRI_NO_ANSWER;
    if (request->kind == WRI_REAL)
        number = wri_choice_real_number(wri_choice_real_answer(request, number));
    record(t, request, label, number);
    return number;
}

void wri_case_log_choice(wr_case *t, const wri_request *request, uint32_t label, uint64_t number)
{
    if (WRI_UNLIKELY(t->next >= t->journal + WRI_MAX_CHOICES))
        too_large(t, "the case makes too many choices");
    record(t, request, label, number);
}

/* Values of one packed array in memory of the case: made by the random lean on the fast path. */
void wri_case_put_value(const wri_request *request, unsigned width, void *at, uint64_t number)
{
    if (request->kind == WRI_REAL) {
        double real = wri_choice_real_answer(request, number);
        float  single = (float)real;
        memcpy(at, width == 8 ? (void *)&real : (void *)&single, width);
        return;
    }
    if (request->kind == WRI_INTEGER)
        number = (uint64_t)wri_choice_integer_value(number, request->lo, request->max);
    wri_choice_integer_put(at, width, number);
}

uint64_t wri_case_number_at(const wri_request *request, unsigned width, const void *at)
{
    if (request->kind == WRI_REAL) {
        double real;
        float  single;
        memcpy(width == 8 ? (void *)&real : (void *)&single, at, width);
        return wri_choice_real_number(width == 8 ? real : (double)single);
    }
    if (request->kind != WRI_INTEGER)
        return wri_choice_integer_at(at, width, false);
    return wri_choice_integer_number((int64_t)wri_choice_integer_at(at, width, request->lo < 0),
                                     request->lo, request->max);
}

/* The array's numbers are in place already. */
static void trace_array(wr_case *t, const wri_request *request, uint32_t label, size_t count,
                        uint32_t tie)
{
    wri_trace *trace = t->trace;
    *next_node(t) = (wri_node){ .what = WRI_ARRAY,
                                .kind = (uint8_t)request->kind,
                                .letters = request->letters,
                                .label = label,
                                .parent = t->span,
                                .tie = tie,
                                .count = count,
                                .number = trace->number_count,
                                .max = request->max,
                                .lo = request->kind == WRI_REAL ? request->single : request->lo };
    trace->number_count += count;
    *t->shared_numbers = trace->number_count;
    added(t);
}

/* The slow path: numbers from the answerer, decoded into values, and traced. */
static void ask_for_values(wr_case *t, const wri_request *request, size_t count, unsigned width,
                           uint32_t tie, char *values)
{
    uint32_t  label = wri_trace_name_hash(request->name);
    uint64_t *numbers;
    wri_case_end_copy(t);
    if (t->trace == NULL) {
        numbers = wri_memory_take(t, count * sizeof *numbers);
    } else {
        numbers = t->trace->numbers + t->trace->number_count; /* in place: no memory more */
        if (count > WRI_MAX_NUMBERS - t->trace->number_count)
            too_large(t, "the case's arrays are too long");
    }
    bool faulty = wri_case_calm();
    t->answerer->choose_many(t->answerer, t, request, label, count, width, numbers);
    wri_case_faulty = faulty;
    for (size_t i = 0; i < count; i++) {
        wri_case_put_value(request, width, values + i * width, numbers[i]);
        if (request->kind == WRI_REAL)
            numbers[i] = wri_case_number_at(request, width, values + i * width);
    }
    if (WRI_UNLIKELY(t->drew != NULL))
        t->drew(t, request, numbers, count);
    if (t->trace != NULL)
        trace_array(t, request, label, count,
                    tie == WRI_NO_NODE ? wri_case_find_length(t, count) : tie);
}

void *wri_case_choose_many(wr_case *t, const wri_request *request, size_t count, unsigned width,
                           uint32_t tie)
{
    if (wri_case_is_elsewhere(t))
        drawn_elsewhere(t, request);
    if (WRI_UNLIKELY(count > (WRI_MAX_CASE_BYTES / 16) / width))
        too_large(t, "the case's arrays are too long");
    size_t      bytes = count * width;
    size_t      records = 2 + (bytes + sizeof(wri_record) - 1) / sizeof(wri_record);
    wri_record *entry = t->next;
    char       *values = wri_arena_take(&t->arena, bytes);
    if (WRI_UNLIKELY(values == NULL || (size_t)(t->journal_end - entry) < records))
        too_large(t, "the case's arrays are too long");
    if (WRI_UNLIKELY(wri_case_slow(t)))
        ask_for_values(t, request, count, width, tie, values);
    else
        wri_lean_many(t, request, count, width, values);
    entry[0] = (wri_record){ count, 0 };
    if (count > 0) {
        entry[1] = (wri_record){ request->max, width };
        memcpy(entry + 2, values, bytes);
    }
    t->next = entry + (count > 0 ? records : 1);
    return values;
}

/* ---- Spans and lengths ---- */

WRI_COLD void wri_case_forget_lengths(wr_case *t)
{
    memmove(t->lengths, t->lengths + WRI_LENGTHS / 2, WRI_LENGTHS / 2 * sizeof *t->lengths);
    t->length_count = WRI_LENGTHS / 2;
}

static bool in_scope(const wr_case *t, uint32_t span)
{
    for (uint32_t at = t->span; at != WRI_NO_NODE; at = t->trace->nodes[at].parent)
        if (at == span)
            return true;
    return false;
}

uint32_t wri_case_find_length(const wr_case *t, uint64_t value)
{
    if (t->trace == NULL)
        return WRI_NO_NODE;
    for (int weak = 0; weak < 2; weak++)
        for (size_t i = t->length_count; i-- > 0;) {
            const wri_length *length = &t->lengths[i];
            if (length->weak == weak && length->value == value && in_scope(t, length->span))
                return length->node;
        }
    return WRI_NO_NODE;
}

/* In a traced case; returns what the answerer calls the span. */
static uint32_t open_span(wr_case *t, uint32_t label, wri_node_what what, uint64_t count,
                          uint32_t tie)
{
    uint32_t counterpart = WRI_NO_NODE;
    if (t->answerer->enter != NULL)
        counterpart = t->answerer->enter(t->answerer, t, label, what);
    *next_node(t) = (wri_node){
        .what = (uint8_t)what, .label = label, .parent = t->span, .tie = tie, .count = count
    };
    t->span = added(t);
    t->depth++;
    return counterpart;
}

void wri_case_span_begin(wr_case *t, uint32_t label, wri_node_what what, uint64_t count,
                         uint32_t tie)
{
    if (t->trace != NULL)
        open_span(t, label, what, count, tie);
}

void wri_case_span_end(wr_case *t)
{
    if (t->trace == NULL || t->depth == 0)
        return;
    if (t->answerer->leave != NULL)
        t->answerer->leave(t->answerer, t);
    t->span = t->trace->nodes[t->span].parent;
    t->depth--;
}

/* A loop that is left closes the spans in it, and a draft that is taken back does. */
static wri_open_span *open_span_of_user(wr_case *t)
{
    while (t->open != NULL && t->open->depth > t->depth)
        t->open = t->open->outer;
    return t->open;
}

void wri_case_begin_span(wr_case *t, const char *label, const void *from)
{
    wri_open_span *span = wri_memory_take(t, sizeof *span);
    wri_case_span_begin(t, wri_trace_label_hash(label), WRI_SPAN, 0, WRI_NO_NODE);
    *span = (wri_open_span){ .outer = open_span_of_user(t),
                             .label = label == NULL ? "" : label,
                             .from = from,
                             .depth = t->depth };
    t->open = span;
}

void wri_case_end_span(wr_case *t)
{
    const wri_open_span *span = open_span_of_user(t);
    if (span == NULL)
        wri_case_misuse(t, "wr_end: no span is open");
    if (span->depth != t->depth)
        wri_case_misuse(t, "wr_end: the span \"%s\" was opened outside of this loop or call",
                        span->label);
    t->open = span->outer;
    wri_case_span_end(t);
}

WR_PRINTF_(2, 3) static void set_misuse(wr_case *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_verdict(t, WRI_MISUSE, "", 0, format, arguments);
    va_end(arguments);
}

void wri_case_check_spans(wr_case *t, uint32_t depth)
{
    const wri_open_span *span = t->trace == NULL ? NULL : open_span_of_user(t);
    if (span == NULL || span->depth <= depth)
        return;
    set_misuse(t, "wr_begin \"%s\": the %s returned without a wr_end", span->label,
               depth == 0 ? "property" : "command");
    t->verdict->frame[0] = (uint64_t)(uintptr_t)span->from;
    t->verdict->frames = 1;
    leave(t);
}

void wri_case_span_end_to(wr_case *t, uint32_t span, uint32_t depth)
{
    while (t->depth > depth && t->span != span)
        wri_case_span_end(t);
}

uint32_t wri_branch_enter(wr_case *t, const wri_branch *branch)
{
    uint32_t back = t->span;
    if (t->trace == NULL)
        return back;
    if (t->answerer->resume != NULL)
        t->answerer->resume(t->answerer, t, branch->counterpart);
    t->span = branch->span;
    return back;
}

void wri_branch_leave(wr_case *t, uint32_t back)
{
    if (t->trace == NULL)
        return;
    if (t->answerer->leave != NULL)
        t->answerer->leave(t->answerer, t);
    t->span = back;
}

wri_branch wri_branch_open(wr_case *t, const wri_branch *within, uint32_t label)
{
    wri_branch branch = { .span = WRI_NO_NODE, .counterpart = WRI_NO_NODE };
    if (t->trace == NULL)
        return branch;
    uint32_t back = within == NULL ? t->span : wri_branch_enter(t, within);
    branch.counterpart = open_span(t, label, WRI_SPAN, 0, WRI_NO_NODE);
    branch.span = t->span;
    wri_case_span_end(t);
    if (within != NULL)
        wri_branch_leave(t, back);
    return branch;
}

/* ---- Marks ---- */

wri_mark wri_case_mark(const wr_case *t)
{
    return (wri_mark){
        .next = t->next,
        .nodes = t->trace == NULL ? 0 : t->trace->node_count,
        .numbers = t->trace == NULL ? 0 : t->trace->number_count,
        .text = t->text == NULL ? 0 : t->text->used,
        .length_count = t->length_count,
        .span = t->span,
        .depth = t->depth,
    };
}

void wri_case_rewind(wr_case *t, const wri_mark *mark)
{
    t->next = mark->next;
    t->boundary_count = 0; /* those behind the mark are none any more */
    t->length_count = mark->length_count;
    if (t->trace != NULL) {
        wri_case_span_end_to(t, mark->span, mark->depth);
        t->trace->node_count = mark->nodes;
        t->trace->number_count = mark->numbers;
        *t->shared_nodes = mark->nodes;
        *t->shared_numbers = mark->numbers;
    }
    if (t->text != NULL)
        *t->shared_text = t->text->used = mark->text;
}

/* ---- Names of verdicts ---- */

static const struct {
    const char *name;
    bool        placed;
} VERDICTS[] = {
#define WRI_VERDICT_ROW(name, text, placed) { text, placed },
    WRI_VERDICTS(WRI_VERDICT_ROW)
#undef WRI_VERDICT_ROW
};

/* ---- Violations: they wait for the end of their case ---- */

bool wri_violation_begin(wri_violation *violation)
{
    uint32_t none = WRI_VIOLATION_NONE;
    return atomic_compare_exchange_strong(&violation->state, &none, WRI_VIOLATION_WRITING);
}

void wri_case_violate(wr_case *t, wri_verdict_kind kind, const char *file, int line,
                      const char *message)
{
    wri_verdict *kept = &t->violation->verdict;
    if (wri_verdict_failed(t->verdict) || !wri_violation_begin(t->violation))
        return;
    kept->kind = kind;
    kept->frames = 0;
    kept->line = line;
    snprintf(kept->file, sizeof kept->file, "%s", file);
    snprintf(kept->message, sizeof kept->message, "%s", message);
    atomic_store(&t->violation->state, WRI_VIOLATION_DONE);
    atomic_fetch_or(&t->called, WRI_CALLED_VIOLATION);
    wr_case_failed(t);
}

bool wri_violation_take(wri_violation *violation, wri_verdict *verdict)
{
    if (atomic_load(&violation->state) != WRI_VIOLATION_DONE)
        return false;
    *verdict = violation->verdict;
    verdict->kind = verdict->kind == WRI_MISUSE ? WRI_MISUSE : WRI_ASSERTION;
    verdict->failure_class = 0;
    verdict->file[sizeof verdict->file - 1] = '\0';
    verdict->message[sizeof verdict->message - 1] = '\0';
    atomic_store(&violation->state, WRI_VIOLATION_NONE);
    return true;
}

const char *wri_verdict_name(uint32_t kind)
{
    return kind < WRI_VERDICT_COUNT ? VERDICTS[kind].name : "unknown";
}

bool wri_verdict_placed(uint32_t kind)
{
    return kind < WRI_VERDICT_COUNT && VERDICTS[kind].placed;
}
