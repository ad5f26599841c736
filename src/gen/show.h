/* gen/show.h: the printed form of the values that a case draws.
 *
 * Only a traced case shows anything: wri_case_showing(t) says whether. An entry in the case's
 * text is a tag byte (WRI_TEXT_VALUE or WRI_TEXT_NOTE), the name and a NUL (values only), the
 * text and a NUL. An entry that does not fit is left out as a whole and counted in text->lost. A
 * single text longer than 16 KiB is cut and ends in "...". The shared count *t->shared_text moves
 * only when the entry is complete: a crash in the middle loses that entry alone.
 */
#ifndef WRI_GEN_SHOW_H
#define WRI_GEN_SHOW_H

#include "core/case.h"

struct wr_out {
    wr_case *t;
    size_t   start; /* of the entry, in t->text */
    size_t   used;  /* up to here, not yet committed */
    bool     cut;   /* the entry is too long or there is no room */
};

/* An entry in parts: begin, any number of wr_put(), end. */
void wri_show_out_begin(wr_out *out, wr_case *t, const char *name); /* a value */
void wri_show_out_end(wr_out *out);

/* Values that change after they were shown, as trees do. wri_show_count() is the number of
 * entries. wri_show_again() prints entry number `entry`, from 0, anew; it does nothing while
 * another entry is open, or without room. */
size_t wri_show_count(const wr_case *t);
void   wri_show_again(wr_case *t, size_t entry, void (*show)(wr_out *out, const void *value),
                      const void *value);

/* Each returns at once when the case does not show or the name is NULL. */
void wri_show_signed(wr_case *t, const char *name, int64_t value);
void wri_show_unsigned(wr_case *t, const char *name, uint64_t value);
void wri_show_bool(wr_case *t, const char *name, bool value);
void wri_show_word(wr_case *t, const char *name, const char *word); /* not quoted */
/* The shortest text that reads back as the same double; "nan", "inf", "-0.0", always with a
 * point or an exponent. */
void wri_show_real(wr_case *t, const char *name, double value, bool single);

/* "[0, 1, -1]" of `count` values of `width` bytes. */
typedef enum { WRI_SHOW_SIGNED, WRI_SHOW_UNSIGNED, WRI_SHOW_REAL, WRI_SHOW_BOOL } wri_show_as;
void wri_show_array(wr_case *t, const char *name, wri_show_as as, size_t count, unsigned width,
                    const void *values);

#endif
