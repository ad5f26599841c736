/* kind: middle
 * A parking fee: in the last five minutes before a second day begins, the second evening fee is
 * added too early.
 */
#include <warren.h>

enum { FREE = 15, DAY = 24 * 60, DAY_CAP = 2400, HOUR_FEE = 250, EVENING_CAP = 800 };

typedef struct stay {
    int  minutes, entered; /* a minute of the day */
    bool member, electric;
    int  shops; /* cents spent nearby */
} stay;

static int one_day(int minutes, int entered)
{
    int fee = (minutes + 59) / 60 * HOUR_FEE;
    if (entered >= 18 * 60 && minutes <= 12 * 60 && fee > EVENING_CAP)
        fee = EVENING_CAP;
    return fee > DAY_CAP ? DAY_CAP : fee;
}

static int fee_of(const stay *s)
{
    if (s->minutes <= FREE)
        return 0;
    int days = s->minutes / DAY, rest = s->minutes % DAY;
#ifndef FIXED
    if (days == 1 && rest > DAY - 5 && s->entered >= 18 * 60)
        days++; /* the barrier's clock may be slow */
#endif
    int fee = days * DAY_CAP + (rest > 0 ? one_day(rest, s->entered) : 0);
    if (s->electric && fee > 0)
        fee -= fee / 10;
    if (s->member)
        fee -= fee / 5;
    if (s->shops >= 5000 && s->minutes <= 180)
        fee = fee > HOUR_FEE ? fee - HOUR_FEE : 0;
    return fee;
}

WR_PROPERTY(parking_fee)
{
    stay s;
    s.minutes = (int)wr_int(t, "minutes", 0, 30 * DAY);
    s.entered = (int)wr_int(t, "entered", 0, DAY - 1);
    s.member = wr_bool(t, "member");
    s.electric = wr_bool(t, "electric");
    s.shops = (int)wr_int(t, "shops", 0, 20000);
    int  fee = fee_of(&s), days_begun = (s.minutes + DAY - 1) / DAY;
    stay longer = s;
    longer.minutes += DAY;

    wr_assert_between(t, fee, 0, days_begun * DAY_CAP);
    wr_assert_ge(t, fee_of(&longer), fee);
    stay stranger = s;
    stranger.member = false;
    wr_assert_le(t, fee, fee_of(&stranger));
}

#ifdef WITNESS
WR_EXAMPLE(parking_fee, "minutes = 2878", "entered = 1100");
#endif
