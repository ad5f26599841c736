/* kind: flags
 * What an unpacker does with a file that exists: under one combination of its options it deletes
 * the old file though it was told to keep it.
 */
#include <warren.h>

typedef struct options {
    bool keep_old, keep_newer, unlink_first, overwrite, backup;
    bool to_stdout, dry_run, same_owner, sparse, absolute, recursive_unlink, interactive;
} options;

typedef struct situation {
    bool exists, is_directory, newer;
} situation;

typedef enum { WRITE, SKIP, ASK, PRINT, RENAME_OLD, DELETE_OLD, DELETE_TREE } step;

static step decide(const options *o, const situation *s)
{
    if (o->to_stdout)
        return o->dry_run ? SKIP : PRINT;
    if (o->dry_run)
        return SKIP;
    if (!s->exists)
        return WRITE;
    if (o->unlink_first) {
        if (s->is_directory) {
            if (o->recursive_unlink) {
#ifndef FIXED
                if (!o->keep_old || (!o->backup && o->absolute && !o->interactive && o->sparse))
#else
                if (!o->keep_old)
#endif
                    return o->backup ? RENAME_OLD : o->interactive ? ASK : DELETE_TREE;
                return SKIP;
            }
            return SKIP;
        }
        if (!o->keep_old && !(o->keep_newer && s->newer))
            return o->backup ? RENAME_OLD : DELETE_OLD;
    }
    if (o->keep_old)
        return SKIP;
    if (o->keep_newer && s->newer)
        return o->interactive ? ASK : SKIP;
    if (s->is_directory)
        return SKIP;
    if (o->backup)
        return RENAME_OLD;
    if (o->interactive && !o->overwrite)
        return ASK;
    return o->overwrite || !o->same_owner ? WRITE : DELETE_OLD;
}

WR_PROPERTY(archive_flags)
{
    options o;
    o.keep_old = wr_bool(t, "keep_old");
    o.keep_newer = wr_bool(t, "keep_newer");
    o.unlink_first = wr_bool(t, "unlink_first");
    o.overwrite = wr_bool(t, "overwrite");
    o.backup = wr_bool(t, "backup");
    o.to_stdout = wr_bool(t, "to_stdout");
    o.dry_run = wr_bool(t, "dry_run");
    o.same_owner = wr_bool(t, "same_owner");
    o.sparse = wr_bool(t, "sparse");
    o.absolute = wr_bool(t, "absolute");
    o.recursive_unlink = wr_bool(t, "recursive_unlink");
    o.interactive = wr_bool(t, "interactive");
    situation s;
    s.exists = wr_bool(t, "exists");
    s.is_directory = wr_bool(t, "is_directory");
    s.newer = wr_bool(t, "newer");

    step got = decide(&o, &s);
    bool changes_old = got == DELETE_OLD || got == DELETE_TREE || got == RENAME_OLD;
    wr_label(t, "%s", changes_old ? "changes the old file" : "leaves it");
    if (o.dry_run)
        wr_assert_eq(t, got, SKIP);
    if (o.to_stdout || !s.exists)
        wr_assert(t, !changes_old && got != ASK);
    if (o.backup)
        wr_assert(t, got != DELETE_OLD && got != DELETE_TREE);
    if (o.keep_old && s.exists)
        wr_assert(t, !changes_old && got != WRITE);
    if (got == DELETE_TREE)
        wr_assert(t, o.recursive_unlink && s.is_directory);
}

#ifdef WITNESS
WR_EXAMPLE(archive_flags, "keep_old = true", "unlink_first = true", "sparse = true",
           "absolute = true", "recursive_unlink = true", "exists = true", "is_directory = true");
#endif
