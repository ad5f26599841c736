/* core/folder.h: paths: the last name in one, and removing a folder with everything in it. */
#ifndef WRI_CORE_FOLDER_H
#define WRI_CORE_FOLDER_H

#include <string.h>

/* The part of a path behind its last slash. */
static inline const char *wri_folder_last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Follows no link. Files that cannot be removed are left; a path that is not there is no error.
 */
void wri_folder_remove(const char *path);

#endif
