/* kind: conditional
 * Paying an order: a voucher that covers all but the shipping of an order by card in instalments
 * takes the card's fee from the voucher's part, too.
 */
#include <warren.h>

typedef enum { CARD, TRANSFER, VOUCHER, INVOICE } method;

static const wr_constant METHODS[] = { WR_CONSTANT(CARD), WR_CONSTANT(TRANSFER),
                                       WR_CONSTANT(VOUCHER), WR_CONSTANT(INVOICE) };

typedef struct payment {
    method  method;
    int     instalments; /* CARD */
    int     days;        /* TRANSFER, INVOICE: until it is paid */
    int64_t voucher;     /* VOUCHER: its value; the rest goes by card */
    int64_t goods, shipping;
} payment;

static int64_t card_fee(int64_t amount, int instalments)
{
    int per_mille = 9;
    if (instalments > 1)
        per_mille += instalments >= 12 ? 45 : 4 * instalments;
    return amount * per_mille / 1000;
}

/* What is to be paid beside the voucher. */
static int64_t to_pay(const payment *p, int64_t *used)
{
    int64_t total = p->goods + p->shipping, rest;
    *used = 0;
    switch (p->method) {
    case CARD: return total + card_fee(total, p->instalments);
    case TRANSFER: return p->days <= 7 ? total - p->goods * 2 / 100 : total;
    case INVOICE: return total + 150 + (p->days > 30 ? total * (p->days - 30) / 3000 : 0);
    case VOUCHER: *used = p->voucher < total ? p->voucher : total; rest = total - *used;
#ifndef FIXED
        if (p->instalments > 1 && rest <= p->shipping && rest > 0)
            return rest + card_fee(total, p->instalments);
#endif
        return rest + card_fee(rest, p->instalments);
    }
    return -1;
}

WR_PROPERTY(pay_methods)
{
    payment p = { .instalments = 1 };
    p.goods = wr_int(t, "goods", 1, 500000);
    p.shipping = wr_bool(t, "express") ? wr_int(t, "shipping", 990, 1990) : 490;
    p.method = (method)wr_enum(t, "method", 4, METHODS);
    if (p.method == TRANSFER || p.method == INVOICE)
        p.days = (int)wr_int(t, "days", 0, 90);
    if (p.method == VOUCHER)
        p.voucher = wr_int(t, "voucher", 0, 600000);
    if (p.method == CARD || (p.method == VOUCHER && wr_bool(t, "in_parts")))
        p.instalments = (int)wr_int(t, "instalments", 1, 24);

    int64_t used, sum = to_pay(&p, &used), total = p.goods + p.shipping;
    wr_assert_between(t, used, 0, p.voucher);
    wr_assert_ge(t, sum + used, total - p.goods / 50);
    if (p.method != INVOICE)
        wr_assert_le(t, sum, (total - used) * 1054 / 1000);
    else
        wr_assert_le(t, sum, total + total * 60 / 3000 + 150);
}

#ifdef WITNESS
WR_EXAMPLE(pay_methods, "goods = 100000", "method = VOUCHER", "voucher = 100000",
           "in_parts = true", "instalments = 3");
#endif
