/* store/redis/redis.c: items in a Redis server, for many machines.
 *
 *     warren:{NAME}:bug:PROGRAM:PROPERTY:KEY    a hash: an item
 *     warren:{NAME}:bug                         a sorted set: items by their last change
 *     warren:{NAME}:changed                     the number of the last change
 *     warren:{NAME}:id                          another one if the data was lost
 *     warren:{NAME}:marks, :version
 *
 * Commands go out together, up to AT_ONCE, and then their replies are read. A connection that
 * fails is closed. A later call tries again: not within RETRY_MS, and then twice as long, up to
 * MOST_MS.
 */
#include "store/campaign.h"
#include "store/redis/address.h"
#include "store/redis/library.h"
#include "store/redis/script.h"

#ifndef WRI_WITH_REDIS
wri_campaign *wri_redis_open(const char *url, wri_note *note)
{
    wri_redis_address address;
    if (wri_redis_address_read(url, &address, note))
        wri_note_refuse(note,
                        "%.300s: this build of Warren has no Redis: build it where "
                        "libhiredis-dev is installed",
                        url);
    return NULL;
}
#else

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/clock.h"
#include "core/hash.h"

#define CONNECT_MS 500
#define WAIT_MS 2000
#define REPLY_SECONDS 10 /* also for one that comes bit by bit */
#define RETRY_MS 1000u
#define MOST_MS 16000u
#define AT_ONCE 100
#define MOST_WORDS (2 * WRI_ITEM_FIELDS + 16)
#define FORMAT "1" /* of the keys */

typedef struct redis {
    wri_campaign             base;
    const wri_redis_library *call;
    wri_redis_address        address;
    char                    *url;
    redisContext            *to;       /* NULL: not connected */
    double                   last;     /* when a connection failed, in seconds */
    unsigned                 failures; /* one after the other */
    char                     script[48], reason[130];
    char                     id[20];
} redis;

/* ---- words of a command ---- */

typedef struct words {
    const char *text[MOST_WORDS];
    size_t      length[MOST_WORDS];
    int         count;
} words;

static void add(words *to, const char *text)
{
    to->text[to->count] = text;
    to->length[to->count++] = strlen(text);
}

/* A key of this campaign. */
typedef struct key {
    char text[1200];
} key;

static key key_of(const redis *in, const char *name)
{
    key made;
    snprintf(made.text, sizeof made.text, "%s%s", in->address.prefix, name);
    return made;
}

/* A part of a key: two owners never share one. Long names end in their hash. */
static void add_part(key *to, const char *part)
{
    size_t used = strlen(to->text), length = strlen(part), limit = used + 400;
    to->text[used++] = ':';
    for (size_t i = 0; i < length && used < limit; i++) {
        unsigned char byte = (unsigned char)part[i];
        bool          plain = byte > ' ' && byte < 0x7f && strchr(":%{}", byte) == NULL;
        used += (size_t)(plain ? (to->text[used] = (char)byte, 1)
                               : sprintf(to->text + used, "%%%02x", byte));
    }
    to->text[used] = '\0';
    if (used >= limit)
        sprintf(to->text + used, "%%%016" PRIx64, wri_hash_bytes(part, length));
}

static key key_of_item(const redis *in, wri_item_kind kind, const char *program,
                       const char *property, uint64_t number)
{
    key made = key_of(in, wri_item_table_of(kind)->name);
    add_part(&made, program == NULL ? "" : program);
    add_part(&made, property == NULL ? "" : property);
    sprintf(made.text + strlen(made.text), ":%016" PRIx64, number);
    return made;
}

/* ---- talking ---- */

/* Writing to a server that has gone would end the process. */
static void hold_signal(sigset_t *before)
{
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, before);
}

static void release_signal(const sigset_t *before)
{
    sigset_t        pipe;
    struct timespec now = { 0 };
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    if (!sigismember(before, SIGPIPE))
        sigtimedwait(&pipe, NULL, &now);
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

static void hang_up(redis *in)
{
    if (in->to != NULL)
        in->call->free(in->to);
    in->to = NULL;
    in->last = wri_clock_seconds();
}

/* The server cannot be reached: the next attempt waits longer, up to MOST_MS. */
static bool be_away(redis *in, wri_note *note)
{
    const char *why = in->to == NULL ? "memory is out" : in->to->errstr;
    snprintf(in->reason, sizeof in->reason, "%s", why);
    wri_note_refuse(note, "%s: the server cannot be reached: %s", in->url, in->reason);
    hang_up(in);
    in->failures++;
    in->base.away = true;
    return false;
}

static bool say(redis *in, const words *command, wri_note *note)
{
    const char **text = (const char **)(uintptr_t)command->text;
    return in->call->append(in->to, command->count, text, command->length) == REDIS_OK ||
           wri_note_refuse(note, "%s: memory is out", in->url);
}

/* One line of what the server says, without an end. */
static bool refuse_reply(redis *in, const redisReply *reply, wri_note *note)
{
    const char *why =
        reply->type == REDIS_REPLY_ERROR ? reply->str : "another reply was expected";
    for (char *at = reply->str; reply->type == REDIS_REPLY_ERROR && *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == '\x7f')
            *at = '?';
    if (strncmp(why, "WRONGTYPE", 9) == 0)
        return wri_note_refuse(note, "%s: a key of this campaign is of another type", in->url);
    if (strncmp(why, "NOAUTH", 6) == 0)
        return wri_note_refuse(note, "%s: the server wants a password (WARREN_REDIS_PASSWORD)",
                               in->url);
    return wri_note_refuse(note, "%s: the server says: %s", in->url, why);
}

/* What hiredis does, with an end. */
static bool take_reply(redis *in, redisReply **reply)
{
    redisContext *to = in->to;
    double        until = wri_clock_seconds() + REPLY_SECONDS;
    int           written = 0;
    while (!written && in->call->write(to, &written) == REDIS_OK)
        continue;
    while (written && in->call->get_reply(to, (void **)reply) == REDIS_OK && *reply == NULL) {
        if (wri_clock_seconds() > until) {
            snprintf(to->errstr, sizeof to->errstr, "its reply takes too long");
            break;
        }
        if (in->call->read(to) != REDIS_OK)
            break;
    }
    return *reply != NULL;
}

/* The next reply, of one of two types; NULL, and a line: there is none, or it is of another. */
static redisReply *hear(redis *in, int type, int or_type, wri_note *note)
{
    sigset_t    before;
    redisReply *reply = NULL;
    hold_signal(&before);
    bool taken = in->to != NULL && take_reply(in, &reply);
    release_signal(&before);
    if (!taken) {
        be_away(in, note);
        return NULL;
    }
    if (reply->type == type || reply->type == or_type)
        return reply;
    refuse_reply(in, reply, note);
    in->call->free_reply(reply);
    return NULL;
}

/* One command and its reply. */
static redisReply *ask(redis *in, const words *command, int type, int or_type, wri_note *note)
{
    return say(in, command, note) ? hear(in, type, or_type, note) : NULL;
}

static redisReply *ask_words(redis *in, int type, int or_type, wri_note *note, const char *first,
                             const char *second, const char *third, const char *fourth)
{
    words       command = { .count = 0 };
    const char *all[] = { first, second, third, fourth };
    for (size_t i = 0; i < 4 && all[i] != NULL; i++)
        add(&command, all[i]);
    return ask(in, &command, type, or_type, note);
}

/* ---- connecting ---- */

static bool authenticate(redis *in, wri_note *note)
{
    words       command = { .count = 0 };
    redisReply *reply;
    wri_note    ignored;
    if (in->address.password[0] == '\0')
        return true;
    add(&command, "AUTH");
    add(&command, in->address.password);
    reply = ask(in, &command, REDIS_REPLY_STATUS, REDIS_REPLY_STATUS, &ignored);
    if (reply == NULL && in->base.away) {
        *note = ignored;
        return false;
    }
    if (reply == NULL)
        return wri_note_refuse(note, "%s: the server refuses the password", in->url);
    in->call->free_reply(reply);
    return true;
}

static bool keep_text(redis *in, redisReply *reply, char *text, size_t room)
{
    if (reply == NULL)
        return false;
    snprintf(text, room, "%s", reply->str == NULL ? "" : reply->str);
    in->call->free_reply(reply);
    return true;
}

/* Sets what is not there, and reads what is: the version of the keys, and the id of the data. */
static bool introduce(redis *in, wri_note *note)
{
    char            version[40], fresh[20];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(fresh, sizeof fresh, "%016" PRIx64,
             wri_prng_mix((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec));
    key id = key_of(in, "id"), format = key_of(in, "version");
    int status = REDIS_REPLY_STATUS, text = REDIS_REPLY_STRING, number = REDIS_REPLY_INTEGER;
    if (!keep_text(in, ask_words(in, number, status, note, "SETNX", format.text, FORMAT, NULL),
                   version, sizeof version) ||
        !keep_text(in, ask_words(in, text, text, note, "GET", format.text, NULL, NULL), version,
                   sizeof version) ||
        !keep_text(in, ask_words(in, number, status, note, "SETNX", id.text, fresh, NULL), in->id,
                   sizeof in->id) ||
        !keep_text(in, ask_words(in, text, text, note, "GET", id.text, NULL, NULL), in->id,
                   sizeof in->id) ||
        !keep_text(in, ask_words(in, text, text, note, "SCRIPT", "LOAD", wri_redis_script, NULL),
                   in->script, sizeof in->script))
        return false;
    return strcmp(version, FORMAT) == 0 ||
           wri_note_refuse(note, "%s: this campaign is of a newer version of Warren", in->url);
}

static bool connect_now(redis *in, wri_note *note)
{
    struct timeval soon = { 0, CONNECT_MS * 1000 }, wait = { WAIT_MS / 1000, 0 };
    in->to = in->address.port == 0 ? in->call->connect_unix(in->address.host, soon)
                                   : in->call->connect(in->address.host, in->address.port, soon);
    if (in->to == NULL || in->to->err != 0)
        return be_away(in, note);
    in->call->set_timeout(in->to, wait);
    if (authenticate(in, note) && introduce(in, note)) {
        in->failures = 0;
        return true;
    }
    hang_up(in);
    return false;
}

static bool is_connected(redis *in, wri_note *note)
{
    unsigned wait = RETRY_MS << (in->failures < 5 ? in->failures : 5) >> 1;
    in->base.away = false;
    if (in->to != NULL)
        return true;
    if (in->failures > 0 &&
        (wri_clock_seconds() - in->last) * 1000 < (wait < MOST_MS ? wait : MOST_MS)) {
        in->base.away = true;
        return wri_note_refuse(note, "%s: the server cannot be reached: %s", in->url, in->reason);
    }
    return connect_now(in, note);
}

/* After a reply that was not expected, those behind it would be taken for others. */
static bool give_up(redis *in)
{
    hang_up(in);
    return false;
}

/* ---- merging ---- */

typedef struct message {
    key  item, counter, order;
    char flags[WRI_ITEM_FIELDS + 1], own[20], numbers[WRI_ITEM_FIELDS][20];
} message;

static bool send_item(redis *in, const wri_item *item, wri_note *note)
{
    const wri_item_table *table = wri_item_table_of(item->kind);
    words                 command = { .count = 0 };
    message               made;
    made.item = key_of_item(in, item->kind, item->program, item->property, item->key);
    made.counter = key_of(in, "changed");
    made.order = key_of(in, table->name);
    const char *head[] = { "EVALSHA",         in->script,      "3",       made.item.text,
                           made.counter.text, made.order.text, made.flags };
    for (size_t i = 0; i < sizeof head / sizeof *head - 1; i++)
        add(&command, head[i]);
    for (size_t i = 0; i < table->count; i++)
        made.flags[i] = "0123456789abcdef"[table->fields[i].is];
    made.flags[table->count] = '\0';
    add(&command, made.flags);
    for (size_t i = 0; i < table->count; i++) {
        bool text = table->fields[i].is & WRI_ITEM_TEXT;
        snprintf(made.numbers[i], sizeof made.numbers[i], "%016" PRIx64, item->numbers[i]);
        add(&command, table->fields[i].name);
        add(&command, text ? wri_item_text(item, i) : made.numbers[i]);
    }
    snprintf(made.own, sizeof made.own, "%016" PRIx64, item->key);
    add(&command, item->program == NULL ? "" : item->program);
    add(&command, item->property);
    add(&command, made.own);
    return say(in, &command, note);
}

static bool merge_some(redis *in, const wri_item *items, size_t count, wri_note *note)
{
    bool said = true;
    for (size_t i = 0; i < count && said; i++)
        said = send_item(in, &items[i], note);
    for (size_t i = 0; i < count && said; i++) {
        redisReply *reply = hear(in, REDIS_REPLY_INTEGER, REDIS_REPLY_INTEGER, note);
        said = reply != NULL;
        if (said)
            in->call->free_reply(reply);
    }
    return said || give_up(in);
}

static bool merge(wri_campaign *campaign, const wri_item *items, size_t count, wri_note *note)
{
    redis *in = (redis *)campaign;
    bool   merged = is_connected(in, note);
    for (size_t i = 0; i < count && merged; i += AT_ONCE)
        merged = merge_some(in, items + i, count - i < AT_ONCE ? count - i : AT_ONCE, note);
    return merged;
}

/* ---- reading ---- */

static bool read_number(const redisReply *value, uint64_t *number)
{
    *number = 0;
    if (value->len != 16 || strspn(value->str, "0123456789abcdef") != 16)
        return false;
    *number = strtoull(value->str, NULL, 16);
    return true;
}

static bool read_field(const wri_item_table *table, const char *name, const redisReply *value,
                       wri_item *item)
{
    if (strcmp(name, "key") == 0)
        return read_number(value, &item->key);
    if (strlen(value->str) != value->len)
        return false;
    if (strcmp(name, "program") == 0)
        return wri_item_set_owner(item, value->str, item->property);
    if (strcmp(name, "property") == 0)
        return wri_item_set_owner(item, item->program, value->str);
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(name, table->fields[i].name) == 0)
            return table->fields[i].is & WRI_ITEM_TEXT ? wri_item_set_text(item, i, value->str)
                                                       : read_number(value, &item->numbers[i]);
    return true; /* of a later version */
}

static bool read_item(redis *in, const char *name, const redisReply *hash, wri_item_kind kind,
                      wri_item *item, wri_note *note)
{
    bool read = hash->elements % 2 == 0;
    *item = (wri_item){ .kind = kind };
    for (size_t i = 0; i + 1 < hash->elements && read; i += 2)
        read = hash->element[i]->type == REDIS_REPLY_STRING &&
               hash->element[i + 1]->type == REDIS_REPLY_STRING &&
               read_field(wri_item_table_of(kind), hash->element[i]->str, hash->element[i + 1],
                          item);
    if (read && wri_item_sound(item))
        return true;
    wri_item_free(item);
    return wri_note_refuse(note, "%s: the key %.200s cannot be understood", in->url, name);
}

/* A reading of items: of a kind, by their names. */
typedef struct looking {
    wri_item_kind            kind;
    const wri_campaign_wish *wish;
    wri_campaign_visit      *visit;
    void                    *context;
    bool                     enough;
} looking;

static bool is_wished(const wri_campaign_wish *wish, const wri_item *item)
{
    return (wish->key == 0 || wish->key == item->key) &&
           (wish->program == NULL ||
            strcmp(wish->program, item->program == NULL ? "" : item->program) == 0) &&
           (wish->property == NULL || strcmp(wish->property, item->property) == 0);
}

/* Visits the items of these names. */
static bool look_at(redis *in, looking *now, const char *const *names, size_t count,
                    wri_note *note)
{
    bool done = true;
    for (size_t i = 0; i < count && done; i++) {
        words command = { .count = 0 };
        add(&command, "HGETALL");
        add(&command, names[i]);
        done = say(in, &command, note);
    }
    for (size_t i = 0; i < count && done; i++) {
        wri_item    item;
        redisReply *hash = hear(in, REDIS_REPLY_ARRAY, REDIS_REPLY_ARRAY, note);
        bool        there = hash != NULL && hash->elements > 0;
        done = hash != NULL && (!there || read_item(in, names[i], hash, now->kind, &item, note));
        if (done && there) {
            if (!now->enough && is_wished(now->wish, &item))
                now->enough = !now->visit(now->context, &item);
            wri_item_free(&item);
        }
        if (hash != NULL)
            in->call->free_reply(hash);
    }
    return done || give_up(in);
}

static bool look_at_all(redis *in, looking *now, const redisReply *list, wri_note *note)
{
    const char *names[AT_ONCE];
    bool        done = true;
    for (size_t i = 0, count; i < list->elements && done && !now->enough; i += count) {
        for (count = 0; count < AT_ONCE && i + count < list->elements; count++)
            names[count] = list->element[i + count]->str;
        done = look_at(in, now, names, count, note);
    }
    return done;
}

static bool each(wri_campaign *campaign, wri_item_kind kind, const wri_campaign_wish *wish,
                 wri_campaign_visit *visit, void *context, wri_note *note)
{
    redis  *in = (redis *)campaign;
    looking now = { kind, wish, visit, context, false };
    char    after[30];
    if (!is_connected(in, note))
        return false;
    if (wish->key != 0 && wish->program != NULL && wish->property != NULL && wish->after == 0) {
        key         name = key_of_item(in, kind, wish->program, wish->property, wish->key);
        const char *names[] = { name.text };
        return look_at(in, &now, names, 1, note);
    }
    key order = key_of(in, wri_item_table_of(kind)->name);
    snprintf(after, sizeof after, "(%" PRIu64, wish->after);
    redisReply *list = ask_words(in, REDIS_REPLY_ARRAY, REDIS_REPLY_ARRAY, note, "ZRANGEBYSCORE",
                                 order.text, after, "+inf");
    bool        done = list != NULL ? look_at_all(in, &now, list, note) : give_up(in);
    if (list != NULL)
        in->call->free_reply(list);
    return done;
}

/* ---- numbers ---- */

/* A number as text, or none. */
static bool take_number(redis *in, redisReply *reply, const char *what, uint64_t *number,
                        wri_note *note)
{
    char *end = NULL;
    *number = 0;
    if (reply == NULL)
        return give_up(in);
    bool read = reply->type == REDIS_REPLY_NIL;
    if (!read) {
        *number = strtoull(reply->str, &end, 10);
        read = end != reply->str && *end == '\0';
    }
    in->call->free_reply(reply);
    return read || wri_note_refuse(note, "%s: %s is no number", in->url, what);
}

static bool last_change(wri_campaign *campaign, uint64_t *number, wri_note *note)
{
    redis *in = (redis *)campaign;
    key    name = key_of(in, "changed");
    return is_connected(in, note) &&
           take_number(in,
                       ask_words(in, REDIS_REPLY_STRING, REDIS_REPLY_NIL, note, "GET", name.text,
                                 NULL, NULL),
                       name.text, number, note);
}

static bool get_mark(wri_campaign *campaign, const char *mark, uint64_t *number, wri_note *note)
{
    redis *in = (redis *)campaign;
    key    name = key_of(in, "marks");
    return is_connected(in, note) &&
           take_number(in,
                       ask_words(in, REDIS_REPLY_STRING, REDIS_REPLY_NIL, note, "HGET", name.text,
                                 mark, NULL),
                       name.text, number, note);
}

static bool set_mark(wri_campaign *campaign, const char *mark, uint64_t number, wri_note *note)
{
    redis *in = (redis *)campaign;
    key    name = key_of(in, "marks");
    char   text[30];
    snprintf(text, sizeof text, "%" PRIu64, number);
    if (!is_connected(in, note))
        return false;
    redisReply *reply = ask_words(in, REDIS_REPLY_INTEGER, REDIS_REPLY_INTEGER, note, "HSET",
                                  name.text, mark, text);
    if (reply == NULL)
        return give_up(in);
    in->call->free_reply(reply);
    return true;
}

/* ---- opening ---- */

static bool id_of(wri_campaign *campaign, char id[20], wri_note *note)
{
    redis *in = (redis *)campaign;
    if (!is_connected(in, note))
        return false;
    strcpy(id, in->id);
    return true;
}

static void close_redis(wri_campaign *campaign)
{
    redis *in = (redis *)campaign;
    hang_up(in);
    memset(in->address.password, 0, sizeof in->address.password);
    free(in->url);
    free(in);
}

wri_campaign *wri_redis_open(const char *url, wri_note *note)
{
    wri_redis_address address;
    if (!wri_redis_address_read(url, &address, note))
        return NULL;
    const wri_redis_library *library = wri_redis_library_load(note);
    redis                   *opened = library == NULL ? NULL : calloc(1, sizeof *opened);
    if (opened == NULL)
        return NULL;
    *opened = (redis){ .call = library,
                       .address = address,
                       .url = strdup(url),
                       .base = { .merge = merge,
                                 .each = each,
                                 .last_change = last_change,
                                 .get_mark = get_mark,
                                 .set_mark = set_mark,
                                 .id = id_of,
                                 .close = close_redis } };
    if (opened->url != NULL)
        return &opened->base;
    wri_note_refuse(note, "memory is out");
    close_redis(&opened->base);
    return NULL;
}
#endif
