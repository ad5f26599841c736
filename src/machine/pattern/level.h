/* machine/pattern/level.h: how much of its arguments a pattern keeps. */
#ifndef WRI_MACHINE_PATTERN_LEVEL_H
#define WRI_MACHINE_PATTERN_LEVEL_H

/* From the most to the least. */
typedef enum {
    WRI_LEVEL_SHARED,  /* which values and which objects were the same */
    WRI_LEVEL_OBJECTS, /* which objects were the same */
    WRI_LEVEL_NAMES,   /* nothing: only which commands were called */
    WRI_LEVEL_OFF,     /* there are no patterns: origins alone tell bugs apart */
} wri_level;

#endif
