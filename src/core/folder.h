/* core/folder.h: parts of paths, the folder for temporary files, and removing a folder with
 * everything in it. */
#ifndef WRI_CORE_FOLDER_H
#define WRI_CORE_FOLDER_H

#include <string.h>

/* The part of a path behind its last slash. */
static inline const char *wri_folder_last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* The rest of a path, or of a text that begins with one, that lies below the current folder. Else
 * all of it. */
const char *wri_folder_from_here(const char *path);

/* The program as exec takes it: a file of the current folder needs no ./ before it. Malloced;
 * NULL: no memory. */
char *wri_folder_program(const char *name);

/* $TMPDIR, or /tmp: a path that code under test cannot change by changing the working directory.
 * Malloced; NULL: no memory. */
char *wri_folder_temporary(void);

/* Removes a folder and everything in it. Follows no link; leaves files that cannot be removed.
 * A path that does not exist is no error. */
void wri_folder_remove(const char *path);

/* A file that is opened would take the place of a standard descriptor that was closed, and be
 * given what is printed. A folder takes the place: nothing can be written there. */
void wri_folder_fill_standard(void);

#endif
