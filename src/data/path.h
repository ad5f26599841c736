/* data/path.h: constructor paths: which constructors a tree begins with, along one way down.
 *
 * An example: the path (Lam, App, Var) holds for a term that is a Lam, whose body is an App, one
 * of whose two parts is a Var. A path goes from a node into its arguments of the node's own type.
 * If there are several, one of them must match the rest of the path: the walk tries each in turn,
 * and those before it must not match, so that no value comes twice. A constructor without such an
 * argument ends the path, whatever is left of it. A path is no test: it takes constructors away
 * when a hole is filled, and holds back the size that the rest of the path needs.
 */
#ifndef WRI_DATA_PATH_H
#define WRI_DATA_PATH_H

#include "core/walk.h"
#include "data/type.h"

#define WRI_PATH_MOST 16
#define WRI_PATH_TREES 8

typedef struct wri_path {
    uint8_t length; /* 0: any tree */
    uint8_t tags[WRI_PATH_MOST];
} wri_path;

/* The path of each tree of a case, in the sequence in which they are drawn. */
typedef struct wri_paths {
    wri_path of[WRI_PATH_TREES];
} wri_paths;

/* The tags of constructors that end a path. */
uint64_t wri_path_ends(const wri_type *type);

/* A tree is drawn: holds back the size that its path needs. False: there is not so much left. */
bool wri_path_begin(wri_walk *walk, wr_node *root);
/* The ranks of a hole that its path leaves. The size held back for it is free until
 * wri_path_filled(). */
uint64_t wri_path_narrow(wr_node *e, uint64_t ranks);
void     wri_path_filled(wr_node *e);

#endif
