/* machine/pattern/avoid.c: would this call complete a known bug?
 *
 * The question is asked before every random call, so a look or two must answer most of them.
 * Calls that were made are rows of slots. Slots with the same value are linked, the latest first,
 * behind a small table of hashes. A search begins with the new call and follows the plan
 * (compiled.h). It always takes the latest call that fits.
 *
 * A search that fails does not try choices that cannot help. A failure depends on a call in three
 * ways:
 *
 *     blamed   the call would have to be elsewhere: it stands above all others that had to be
 *              earlier, or it has taken a call away
 *     owed     the call would have to have other values: it bound a variable that was looked at
 *     leans    the call would have to be later: the sought call had to come before it, or it left
 *              room for a guard
 *
 * The latest call that fits is always taken first, so no other choice of it is later. If a
 * failure is neither blamed on a call nor owed to it, no other choice of that call is tried. If
 * the failure leans on that call, the calls that kept it from being later count, too. If the
 * failure is only owed to it, no other choice with the same values is tried.
 *
 * Most endings need no search. If an ending has other calls with a value of the new call, their
 * number is known beforehand. A look at the number of such calls in the sequence often tells that
 * they are too few.
 *
 * A search that finds nothing is remembered if one argument of the call decides (a *denial*). The
 * same search has the same result as long as all that it looked up is the same. Calls are only
 * added. New calls do not matter to a search before a call that was found: they come later.
 * Guards make a match harmless, never harmful. So a denial holds until there is a new call in one
 * of the few lists that were looked at otherwise. Then a match must have a new call: one of those
 * that no other call must come after. (A consumed guard may be gone. If a pattern has such
 * guards, all calls are looked at again.)
 *
 * The answer is exact if the question takes at most SEARCH_MOST looks. Else the answer is yes: a
 * call that is not made costs less than a known bug found again. That answer is not remembered
 * (wri_avoider_why). So the next question about the call searches again, by then with other
 * calls.
 *
 * Finding the calls of a pattern in a sequence is a hard problem, so some patterns always need
 * too many looks. They have several variables that the last call does not have, each in two calls
 * or more. Or they have calls of one command on several branches of an order. So a sequence has a
 * limited number of looks. Past them a question gets a few looks for all patterns together. If
 * these are not enough, the answer is no: it is better to fail as before than to get nowhere.
 */
#include <stdlib.h>
#include <string.h>

#include "machine/pattern/compiled.h"

#define SEARCH_MOST 20000
#define SEARCH_LEAST 100
#define SPENT_FIRST 20000 /* looks that a sequence has, */
#define SPENT_EACH 50     /* and so many more for each call, */
#define SPENT_PART 20     /* or such a part of them, in haste, and of the least */
#define TRIED_MOST 16     /* choices of a call whose values are kept, while others are tried */
#define BUCKETS_LOG 10
#define BUCKETS (1u << BUCKETS_LOG)
#define SLOTS_FIRST 4096u
#define SLOTS_MOST (1u << 28)
#define DENIALS_LOG 8
#define DENIALS (1u << DENIALS_LOG)
#define LISTS_MOST 7 /* a search that looks at more of them is not remembered */

/* A call's value in a slot, and the slot before it in its bucket. */
typedef struct filling {
    int64_t  value;
    uint32_t earlier;
    uint32_t tag;
} filling;

/* Calls are rows of slots, one behind the other. A row begins with the slot of its command, whose
 * value is always 0. The arguments follow, no more than a command of the machine has. A call that
 * no pattern knows has only the tag of its command. A call's *place* is that of its first slot:
 * the later of two calls has the greater place. Row 0 is not used, so 0 is none. */

/* Lists that were looked at: their buckets, and what were then the last slots in those. */
typedef struct listing {
    uint32_t slots[LISTS_MOST];
    uint16_t buckets[LISTS_MOST];
    uint16_t count; /* LISTS_MOST + 1: there are too many */
} listing;

/* An ending that the call with this argument did not complete. */
typedef struct denial {
    uint64_t mark; /* of the sequence and the ending */
    int64_t  value;
    uint32_t upto; /* the last call that there was */
    listing  lists;
} denial;

struct wri_avoider {
    const wri_avoided *known; /* NULL: nothing is, or there was no memory to remember calls */
    const wri_ending  *met;   /* the last one that a call would have completed */
    filling           *slots;
    uint32_t           room, width; /* of all calls, and of one */
    uint32_t           count;       /* calls */
    uint64_t           called;      /* commands */
    uint64_t           sequence;    /* counts them, so that denials are of this one */
    int64_t            purse;       /* looks that are left for it, */
    int                part;        /* each of which counts for so many */
    bool               forgetful;   /* nothing is denied: each search begins anew */
    wri_configuration  settings;    /* of the sequence */

    /* While it looks for a pattern's calls. */
    const wri_ending *ending;
    const wri_seek   *seeks;
    listing          *lists;  /* that were looked at */
    int               looks;  /* that are left for it; below 0: there were not enough */
    int               left;   /* of the few that a question has at last, */
    int               least;  /* which are so many */
    uint32_t          denied; /* calls up to this one are not all that is found */
    uint32_t          blamed, owed, leaned;      /* the last failure: on these */
    uint32_t          places[WRI_PATTERN_CALLS]; /* of those that were found */
    int64_t           values[WRI_PATTERN_VARIABLES];

    uint32_t buckets[BUCKETS]; /* the last slots in each, */
    uint8_t  counts[BUCKETS];  /* and a bit for each, up to WRI_PATTERN_COUNTED */
    denial   scratch;          /* for what is not remembered */
    denial   denials[DENIALS];
};

static inline const void *at(const wri_avoider *a, uint32_t offset)
{
    return (const char *)a->known + offset;
}

/* ---- Looking up ---- */

static inline uint32_t bucket_of(uint32_t tag, int64_t value)
{
    uint64_t mixed =
        ((uint64_t)value + tag * UINT64_C(0x2545f491)) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> (64 - BUCKETS_LOG));
}

static inline bool is_result(uint32_t tag)
{
    return (tag & 15) == WRI_SLOT_RESULT;
}

static inline int64_t key_of(const wri_avoider *a, const wri_seek *seek)
{
    return seek->key == WRI_NO_VARIABLE ? seek->number : a->values[seek->key];
}

/* Calls that are looked up: the slot of the latest, from which they lead to those before them,
 * and to others that are in the same bucket by chance. */
typedef struct list {
    uint32_t slot, least; /* none that matters is below that */
    uint32_t tag;
    int64_t  value;
} list;

static inline bool is_listed(const list *calls, const filling *slot)
{
    return slot->tag == calls->tag && slot->value == calls->value;
}

/* Only the call that gave the handle. */
static inline list list_giver(const wri_avoider *a, const wri_seek *seek, list calls)
{
    int64_t handle = calls.value;
    calls.slot = handle < 0 || handle >= a->count ? 0 : (uint32_t)(handle + 1) * a->width;
    calls.least = calls.slot > calls.least ? calls.slot : calls.least;
    calls.tag = wri_compiled_slot_tag(seek->tag >> 4, WRI_SLOT_COMMAND);
    calls.value = 0;
    return calls;
}

/* Those above a place, and others. */
static inline list list_of(const wri_avoider *a, const wri_seek *seek, uint32_t above)
{
    list calls = { .least = above + a->width, .tag = seek->tag, .value = key_of(a, seek) };
    if (is_result(seek->tag))
        return list_giver(a, seek, calls);
    calls.slot = a->buckets[bucket_of(calls.tag, calls.value)];
    return calls;
}

/* It is on this list that the outcome depends. */
static inline void note_list(wri_avoider *a, uint32_t tag, int64_t value)
{
    listing *lists = a->lists;
    if (is_result(tag) || lists->count > LISTS_MOST)
        return;
    if (lists->count < LISTS_MOST) {
        uint32_t bucket = bucket_of(tag, value);
        lists->buckets[lists->count] = (uint16_t)bucket;
        lists->slots[lists->count] = a->buckets[bucket];
    }
    lists->count++;
}

/* Binds the variable if it is new. */
static inline bool passes(wri_avoider *a, const wri_check *check, int64_t value)
{
    if (check->sort == WRI_CHECK_SAME)
        return value == a->values[check->variable];
    if (check->sort == WRI_CHECK_RANGE)
        return check->least <= value && value <= check->most;
    a->values[check->variable] = value;
    return true;
}

static inline bool fits(wri_avoider *a, const wri_check *checks, unsigned count, uint32_t place)
{
    for (unsigned i = 0; i < count; i++)
        if (!passes(a, &checks[i], a->slots[place + 1 + checks[i].argument].value))
            return false;
    return true;
}

/* The same of the call that is asked about. */
static inline bool fits_last(wri_avoider *a, const wri_ending *ending, const wri_made *call)
{
    const wri_check *checks = at(a, ending->checks);
    for (unsigned i = 0; i < ending->check_count; i++)
        if (!passes(a, &checks[i], call->arguments[checks[i].argument]))
            return false;
    return true;
}

/* ---- Places ---- */

/* Which of the calls that are found already has taken this one; 0: none has. */
static inline uint32_t taker(const wri_avoider *a, uint32_t rivals, uint32_t place)
{
    for (; rivals != 0; rivals &= rivals - 1)
        if (a->places[__builtin_ctz(rivals)] == place)
            return rivals & -rivals;
    return 0;
}

static inline uint32_t highest(const wri_avoider *a, uint32_t calls)
{
    uint32_t place = 0;
    for (; calls != 0; calls &= calls - 1)
        place = a->places[__builtin_ctz(calls)] > place ? a->places[__builtin_ctz(calls)] : place;
    return place;
}

static inline uint32_t lowest(const wri_avoider *a, uint32_t calls)
{
    uint32_t place = UINT32_MAX;
    for (; calls != 0; calls &= calls - 1)
        place = a->places[__builtin_ctz(calls)] < place ? a->places[__builtin_ctz(calls)] : place;
    return place;
}

/* Notes a failure, and returns false. */
static inline bool fail(wri_avoider *a, uint32_t blamed, uint32_t owed, uint32_t leaned)
{
    a->blamed = blamed;
    a->owed = owed;
    a->leaned = leaned;
    return false;
}

/* ---- Guards ---- */

/* The latest such call above a place; 0: none. */
static uint32_t latest(wri_avoider *a, const wri_seek *seek, uint32_t above)
{
    const wri_check *checks = at(a, seek->checks);
    list             calls = list_of(a, seek, above);
    for (; calls.slot >= calls.least; calls.slot = a->slots[calls.slot].earlier) {
        a->looks--;
        if (is_listed(&calls, &a->slots[calls.slot]) &&
            fits(a, checks, seek->check_count, calls.slot - seek->distance))
            return calls.slot - seek->distance;
    }
    return 0;
}

/* Is none of these guards there, above all calls but the last? */
static bool is_harmful(wri_avoider *a, const wri_compiled_guard *watches, unsigned count)
{
    uint32_t above = highest(a, a->ending->tops);
    for (unsigned i = 0; i < count; i++) {
        const wri_compiled_guard *watch = &watches[i];
        uint32_t                  guard = latest(a, &watch->call, above);
        if (watch->consumed) {
            note_list(a, watch->call.tag, key_of(a, &watch->call));
            note_list(a, watch->consumer.tag, key_of(a, &watch->consumer));
        }
        if (guard != 0 && (!watch->consumed || latest(a, &watch->consumer, guard) == 0))
            return fail(a, 0, watch->binders, a->ending->tops);
    }
    return true;
}

/* ---- The other calls of a pattern ---- */

/* Choices of a call that failed for the sake of their values. */
typedef struct tries {
    unsigned count;
    uint32_t places[TRIED_MOST];
} tries;

/* Has one of them all the values that have just been bound? */
static bool was_tried(const wri_avoider *a, const wri_check *checks, unsigned count,
                      const tries *tried)
{
    for (unsigned i = 0; i < tried->count; i++) {
        const filling *made = &a->slots[tried->places[i]];
        bool           same = true;
        for (unsigned j = 0; j < count && same; j++)
            same = checks[j].sort != WRI_CHECK_BIND ||
                   made[1 + checks[j].argument].value == a->values[checks[j].variable];
        if (same)
            return true;
    }
    return false;
}

/* A handle is a value that no other choice has. */
static inline void note_try(const wri_seek *seek, uint32_t place, tries *tried)
{
    if (seek->result == WRI_NO_VARIABLE && tried->count < TRIED_MOST)
        tried->places[tried->count++] = place;
}

static bool find_others(wri_avoider *a, unsigned number);

/* The call is found: is that to no avail? */
static inline bool goes_on(wri_avoider *a, const wri_seek *seek, unsigned number)
{
    return (seek->watch_count == 0 || is_harmful(a, at(a, seek->watches), seek->watch_count)) &&
           (number + 1 == a->ending->seek_count || find_others(a, number + 1));
}

/* The place that a call must come after. If all other calls that may be the latest are among
 * those that were denied before, this call must be a new one, and the failure leans on those
 * others. */
static inline uint32_t floor_of(const wri_avoider *a, unsigned number, uint32_t above,
                                uint32_t *leaned)
{
    uint32_t others = a->ending->tops & ~(UINT32_C(1) << number);
    if (number != a->ending->decider || a->denied <= above || highest(a, others) > a->denied)
        return above;
    *leaned |= others;
    return a->denied;
}

/* Finds the call of this number in the plan, and those after it. The first call has none before
 * it, and nobody asks what its failure depends on. So it is worth a copy of its own. */
static inline __attribute__((always_inline)) bool find_call(wri_avoider *a, unsigned number)
{
    const wri_seek  *seek = &a->seeks[number];
    const wri_check *checks = at(a, seek->checks);
    uint32_t         before = number == 0 ? 0 : seek->before;
    uint32_t         after = number == 0 ? 0 : seek->after;
    uint32_t         rivals = number == 0 ? 0 : seek->rivals;
    uint32_t         self = UINT32_C(1) << number;
    uint32_t         blamed = 0, owed = seek->binders, leaned = before;
    uint32_t         below = lowest(a, before);
    uint32_t         above = floor_of(a, number, highest(a, after), &leaned);
    list             calls = list_of(a, seek, above);
    tries            tried;
    tried.count = 0;
    if (before == 0)
        note_list(a, seek->tag, calls.value);
    if (number != 0 && seek->behind != 0)
        calls.slot = a->slots[a->places[seek->behind - 1] + seek->distance].earlier;
    for (; calls.slot >= calls.least; calls.slot = a->slots[calls.slot].earlier) {
        uint32_t place = calls.slot - seek->distance, rival;
        if (--a->looks < 0)
            return true;
        if (place >= below || !is_listed(&calls, &a->slots[calls.slot]) ||
            !fits(a, checks, seek->check_count, place))
            continue;
        if ((rival = taker(a, rivals, place)) != 0) {
            blamed |= rival;
            continue;
        }
        if (tried.count > 0 && was_tried(a, checks, seek->check_count, &tried))
            continue;
        a->places[number] = place;
        if (seek->result != WRI_NO_VARIABLE)
            a->values[seek->result] = (int64_t)(place / a->width) - 1;
        if (goes_on(a, seek, number))
            return true;
        if (((a->blamed | a->owed | a->leaned) & self) == 0)
            return false;
        blamed |= a->blamed & ~self;
        owed |= a->owed & ~self;
        leaned |= a->leaned & ~self;
        if (((a->blamed | a->owed) & self) == 0)
            return number != 0 && fail(a, blamed, owed, leaned);
        if ((a->blamed & self) == 0)
            note_try(seek, place, &tried);
    }
    return number != 0 && fail(a, blamed | taker(a, after, above), owed, leaned);
}

static bool find_others(wri_avoider *a, unsigned number)
{
    return find_call(a, number);
}

static inline bool is_cut_short(const wri_avoider *a)
{
    return a->looks < 0;
}

static bool search(wri_avoider *a, const wri_ending *ending, denial *known)
{
    bool found, rich = a->purse >= 0;
    if (ending->result != WRI_NO_VARIABLE)
        a->values[ending->result] = a->count;
    a->ending = ending;
    a->seeks = at(a, ending->seeks);
    a->denied = known->upto;
    a->lists = &known->lists;
    a->lists->count = 0;
    a->looks = rich ? SEARCH_MOST : a->left;
    found = ending->seek_count == 0 ? is_harmful(a, at(a, ending->watches), ending->watch_count)
                                    : find_call(a, 0);
    a->purse -= (int64_t)((rich ? SEARCH_MOST : a->left) - a->looks) * a->part;
    if (rich)
        return found;
    a->left = is_cut_short(a) ? 0 : a->looks;
    return found && !is_cut_short(a);
}

/* ---- Denials ---- */

/* Those of few endings with few values are apart. */
static inline denial *denial_of(wri_avoider *a, uint32_t ending, int64_t value)
{
    return &a->denials[(ending * 11 + (uint32_t)value) % DENIALS];
}

static inline bool holds(const wri_avoider *a, const denial *known)
{
    if (known->lists.count > LISTS_MOST)
        return false;
    for (unsigned i = 0; i < known->lists.count; i++)
        if (a->buckets[known->lists.buckets[i]] != known->lists.slots[i])
            return false;
    return true;
}

/* Is the call the last of this ending? If not, it is denied, unless it took too long to find out;
 * if so, it still is true that it was denied before. */
static inline bool is_last_of(wri_avoider *a, const wri_ending *ending, const wri_made *call,
                              denial *known)
{
    if (!fits_last(a, ending, call))
        return false;
    bool found = search(a, ending, known);
    if (found || is_cut_short(a))
        known->lists.count = LISTS_MOST + 1;
    else
        known->upto = a->count * a->width;
    return found;
}

/* The same where one argument decides, or none, so that it may be known. */
static inline bool completes_by(wri_avoider *a, uint32_t number, const wri_ending *ending,
                                const wri_made *call)
{
    int64_t value = ending->cause == WRI_SLOT_COMMAND ? 0 : call->arguments[ending->cause];
    if (value < ending->least || value > ending->most)
        return false;
    denial  *known = denial_of(a, number, value);
    uint64_t mark = a->sequence << 32 | number;
    if (known->mark != mark || known->value != value) {
        known->mark = mark;
        known->value = value;
        known->upto = 0;
        known->lists.count = LISTS_MOST + 1;
    } else if (holds(a, known))
        return false;
    return is_last_of(a, ending, call, known);
}

static inline bool completes(wri_avoider *a, uint32_t number, const wri_made *call)
{
    const wri_ending *ending = &a->known->endings[number];
    if (ending->cause != WRI_CAUSES && !a->forgetful)
        return completes_by(a, number, ending, call);
    a->scratch.upto = 0;
    return is_last_of(a, ending, call, &a->scratch);
}

/* The calls that there are of those which the endings of this one want. */
static inline uint64_t wants_met(const wri_avoider *a, const wri_made *call)
{
    unsigned        command = a->known->like[call->command];
    const wri_want *wants = at(a, a->known->wants[command]);
    uint64_t        met = 0;
    for (unsigned i = a->known->want_count[command]; i-- > 0;) {
        uint32_t bucket = bucket_of(wants[i].tag, call->arguments[wants[i].argument]);
        met = met << WRI_PATTERN_COUNTED | a->counts[bucket];
    }
    return met;
}

static inline bool is_possible(const wri_avoider *a, const wri_ending *ending)
{
    return ending->condition_count == 0 ||
           wri_conditions_hold(at(a, ending->conditions), ending->condition_count, &a->settings);
}

int wri_avoider_meets(wri_avoider *avoider, const wri_made *call)
{
    const wri_avoided *known = avoider->known;
    if (known == NULL)
        return -1;
    avoider->left = avoider->least;
    unsigned command = known->like[call->command];
    uint64_t unmet = ~wants_met(avoider, call), uncalled = ~avoider->called;
    for (uint32_t i = known->first[command]; i < known->first[command + 1]; i++)
        if (((known->endings[i].needs & uncalled) | (known->endings[i].wants & unmet)) == 0 &&
            is_possible(avoider, &known->endings[i]) && completes(avoider, i, call)) {
            avoider->met = &known->endings[i];
            return (int)avoider->met->pattern;
        }
    return -1;
}

/* Adds a guard of the match that was found: what it must have, as far as it is looked up by that.
 */
static void add_guard(const wri_avoider *a, const wri_seek *guard, wri_until *until)
{
    unsigned command = guard->tag >> 4, slot = guard->tag & 15;
    uint64_t alike = a->known->alike[command];
    if (slot >= WRI_ARGUMENTS || until->count == WRI_UNTIL_CALLS || (alike & (alike - 1)) != 0) {
        until->commands |= alike;
        return;
    }
    until->calls[until->count].command = (uint8_t)command;
    until->calls[until->count].argument = (uint8_t)slot;
    until->values[until->count++] = key_of(a, guard);
}

/* Calls that were made stay made: only a guard can change the answer. */
bool wri_avoider_why(const wri_avoider *avoider, uint32_t *arguments, wri_until *until)
{
    const wri_ending         *met = avoider->met;
    const wri_check          *checks = at(avoider, met->checks);
    const wri_compiled_guard *watches = at(avoider, met->watches);
    *arguments = 0;
    for (unsigned i = 0; i < met->check_count; i++)
        *arguments |= 1u << checks[i].argument;
    until->commands = until->count = 0;
    for (unsigned i = 0; i < met->watch_count; i++)
        add_guard(avoider, &watches[i].call, until);
    return !is_cut_short(avoider);
}

/* ---- Calls made ---- */

static bool make_room(wri_avoider *avoider)
{
    uint32_t room = avoider->room == 0 ? SLOTS_FIRST : avoider->room * 2;
    filling *slots = room > SLOTS_MOST ? NULL : realloc(avoider->slots, room * sizeof *slots);
    if (slots == NULL)
        return false;
    avoider->slots = slots;
    avoider->room = room;
    return true;
}

static inline uint8_t one_more(unsigned counted)
{
    return (counted << 1 | 1) & ((1u << WRI_PATTERN_COUNTED) - 1);
}

void wri_avoider_add(wri_avoider *avoider, const wri_made *call)
{
    const wri_avoided *known = avoider->known;
    if (known == NULL)
        return;
    uint32_t place = (avoider->count + 1) * avoider->width;
    if (place + avoider->width > avoider->room && !make_room(avoider)) {
        avoider->known = NULL;
        return;
    }
    unsigned command = known->like[call->command];
    filling *now = &avoider->slots[place];
    now->tag = wri_compiled_slot_tag(command, WRI_SLOT_COMMAND);
    now->earlier = 0;
    avoider->count++;
    avoider->purse += SPENT_EACH;
    avoider->called |= UINT64_C(1) << command;
    now->value = 0;
    if ((known->watched >> command & 1) == 0)
        return;
    for (unsigned i = 0; i < known->arity[command]; i++)
        now[1 + i].value = call->arguments[i];
    for (uint32_t slots = known->slots[command]; slots != 0; slots &= slots - 1) {
        unsigned slot = (unsigned)__builtin_ctz(slots);
        uint32_t tag = wri_compiled_slot_tag(command, slot),
                 distance = wri_compiled_slot_distance(slot);
        uint32_t bucket = bucket_of(tag, now[distance].value);
        now[distance].tag = tag;
        now[distance].earlier = avoider->buckets[bucket];
        avoider->buckets[bucket] = place + distance;
        avoider->counts[bucket] = one_more(avoider->counts[bucket]);
    }
}

/* ---- What need not be asked about ---- */

const wri_foreseen *wri_avoider_foresees(const wri_avoider *avoider, unsigned command,
                                         unsigned *count)
{
    const wri_avoided *known = avoider->known;
    if (known != NULL && command < WRI_COMMANDS)
        command = known->like[command];
    *count = known == NULL ? 0 : known->foreseen_count[command];
    return known == NULL ? NULL : at(avoider, known->foreseen[command]);
}

/* One call of a list was made, or guards were consumed, or there are none: only where it takes
 * several calls they have to be looked for, in what the last question has left, where looks are
 * few. */
bool wri_avoider_is_sure(wri_avoider *avoider, const wri_foreseen *calls, int64_t value)
{
    const wri_ending *ending = avoider->met = &avoider->known->endings[calls->ending];
    avoider->looks = 0;
    if (!is_possible(avoider, ending) || !passes(avoider, at(avoider, ending->checks), value))
        return false;
    if (calls->counted <= 1)
        return true;
    avoider->scratch.upto = 0;
    return (calls->counted & ~avoider->counts[bucket_of(calls->tag, value)]) == 0 &&
           search(avoider, ending, &avoider->scratch);
}

/* ---- All of it ---- */

void wri_avoider_begin(wri_avoider *avoider, const wri_machine *machine, const wri_avoided *known)
{
    bool some =
        known != NULL && known->machine == wri_machine_mark(machine) && known->ending_count > 0;
    avoider->known = some ? known : NULL;
    avoider->count = 0;
    avoider->width = some ? known->width : 1;
    avoider->called = 0;
    avoider->purse = SPENT_FIRST;
    avoider->sequence++;
    avoider->settings.count = 0;
    wri_avoider_be(avoider, false, false);
    if (!some)
        return;
    memset(avoider->buckets, 0, sizeof avoider->buckets);
    memset(avoider->counts, 0, sizeof avoider->counts);
}

void wri_avoider_settle(wri_avoider *avoider, const wri_configuration *settings)
{
    avoider->settings = *settings;
}

void wri_avoider_be(wri_avoider *avoider, bool hasty, bool forgetful)
{
    avoider->part = hasty ? SPENT_PART : 1;
    avoider->least = SEARCH_LEAST / avoider->part;
    avoider->forgetful = forgetful;
}

wri_avoider *wri_avoider_make(void)
{
    return calloc(1, sizeof(wri_avoider));
}

void wri_avoider_free(wri_avoider *avoider)
{
    if (avoider != NULL)
        free(avoider->slots);
    free(avoider);
}

/* The pattern that the last call completes. */
static int meets_at_end(wri_avoider *avoider, const wri_machine *machine,
                        const wri_avoided *known, const wri_sequence *sequence)
{
    wri_avoider_begin(avoider, machine, known);
    wri_avoider_settle(avoider, &sequence->settings);
    for (size_t i = 0; i + 1 < sequence->count; i++)
        wri_avoider_add(avoider, &sequence->calls[i]);
    return sequence->count == 0
               ? -1
               : wri_avoider_meets(avoider, &sequence->calls[sequence->count - 1]);
}

/* A failing sequence fails at its end, so the end is asked about first. */
int wri_avoider_finds(wri_avoider *avoider, const wri_machine *machine, const wri_avoided *known,
                      const wri_sequence *sequence)
{
    int found = meets_at_end(avoider, machine, known, sequence);
    wri_avoider_begin(avoider, machine, known);
    wri_avoider_settle(avoider, &sequence->settings);
    for (size_t i = 0; i + 1 < sequence->count && found < 0; i++) {
        found = wri_avoider_meets(avoider, &sequence->calls[i]);
        wri_avoider_add(avoider, &sequence->calls[i]);
    }
    return found;
}

bool wri_pattern_meets_at_end(const wri_machine *machine, const wri_pattern *pattern,
                              const wri_sequence *sequence)
{
    wri_avoider *avoider = wri_avoider_make();
    wri_avoided *known = malloc(wri_avoided_bytes(&pattern, 1));
    bool         meets = false;
    if (avoider != NULL && known != NULL) {
        wri_avoided_write(machine, &pattern, 1, known);
        meets = meets_at_end(avoider, machine, known, sequence) >= 0;
    }
    wri_avoider_free(avoider);
    free(known);
    return meets;
}
