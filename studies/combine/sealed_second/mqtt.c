/* kind: conditional
 * The CONNECT packet of MQTT: a will of quality 2 without a text, with a user's name but no
 * password, makes a packet that is shorter than its length says. */
#include <warren.h>

typedef struct client {
    uint32_t id, topic, message, user, password; /* lengths */
    uint32_t keep_alive;
    int      quality;
    bool     clean, will, retain, has_user, has_password;
} client;

static uint32_t flags(const client *of)
{
    uint32_t bits = of->clean ? 2 : 0;
    if (of->will)
        bits |= 4u | (uint32_t)of->quality << 3 | (of->retain ? 32u : 0);
    return bits | (of->has_password ? 64u : 0) | (of->has_user ? 128u : 0);
}

/* What the first bytes say. */
static uint32_t length_of(const client *of)
{
    uint32_t length = 10 + 2 + of->id;
    if (of->will)
        length += 2 + of->topic + 2 + of->message;
    if (of->has_user)
        length += 2 + of->user;
    if (of->has_password)
        length += 2 + of->password;
    return length;
}

static uint32_t put_text(uint32_t at, uint32_t length)
{
    return at + 2 + length;
}

static uint32_t put(const client *of)
{
    uint32_t at = put_text(10, of->id), bits = flags(of);
    if ((bits & 4) != 0) {
        at = put_text(at, of->topic);
#ifndef FIXED
        if (of->message > 0 || (bits & 0xd8) != 0x90)
#endif
            at = put_text(at, of->message);
    }
    if ((bits & 128) != 0)
        at = put_text(at, of->user);
    if ((bits & 64) != 0)
        at = put_text(at, of->password);
    return at;
}

WR_PROPERTY(mqtt)
{
    client of = { 0 };
    of.id = (uint32_t)wr_int(t, "id", 1, 23);
    of.keep_alive = wr_u16(t, "keep_alive");
    of.clean = wr_bool(t, "clean");
    of.will = wr_chance(t, "will", 1, 4);
    if (of.will) {
        of.quality = (int)wr_int(t, "quality", 0, 2);
        of.retain = wr_bool(t, "retain");
        of.topic = (uint32_t)wr_int(t, "topic", 1, 200);
        of.message = (uint32_t)wr_int(t, "message", 0, 5000);
    }
    of.has_user = wr_bool(t, "has_user");
    if (of.has_user) {
        of.user = (uint32_t)wr_int(t, "user", 1, 64);
        of.has_password = wr_bool(t, "has_password");
        if (of.has_password)
            of.password = (uint32_t)wr_int(t, "password", 0, 64);
    }
    wr_assert_eq(t, put(&of), length_of(&of));
}

#ifdef WITNESS
WR_EXAMPLE(mqtt, "will = true", "quality = 2", "topic = 3", "message = 0", "has_user = true",
           "user = 5", "has_password = false");
#endif
