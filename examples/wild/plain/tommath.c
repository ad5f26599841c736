/* plain/tommath.c: three bugs of LibTomMath 1.2.0 without Warren: cc tommath.c -ltommath */
#include <stdio.h>

#include <tommath.h>

int main(void)
{
    mp_int a, b, c, result;
    if (mp_init_multi(&a, &b, &c, &result, NULL) != MP_OKAY)
        return 99;

    mp_set_i64(&a, -1);
    mp_set_i64(&b, 3);
    mp_err said = mp_invmod(&a, &b, &result);
    printf("mp_invmod(-1, 3) = %lld, status %d: -1 * %lld is not 1 modulo 3\n",
           (long long)mp_get_i64(&result), (int)said, (long long)mp_get_i64(&result));
    int bugs = mp_get_i64(&result) == -2;

    mp_set_i64(&a, 5);
    mp_set_i64(&result, 7);
    said = mp_root_u32(&a, 1, &result);
    printf("mp_root_u32(5, 1, &c), c was 7: c = %lld, status %d; the first root of 5 is 5\n",
           (long long)mp_get_i64(&result), (int)said);
    bugs += said == MP_OKAY && mp_get_i64(&result) == 7;

    mp_set_i64(&a, 0);
    mp_set_i64(&b, 0);
    mp_set_i64(&c, 1);
    said = mp_exptmod(&a, &b, &c, &result);
    printf("mp_exptmod(0, 0, 1) = %lld, status %d: only 0 is below 1\n",
           (long long)mp_get_i64(&result), (int)said);
    bugs += mp_get_i64(&result) == 1;

    mp_clear_multi(&a, &b, &c, &result, NULL);
    printf("%d of 3 bugs are there\n", bugs);
    return bugs > 0;
}
