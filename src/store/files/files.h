/* store/files/files.h: a store of text files, made for people and version control.
 *
 *     .warren/failures/sort.sorting_sorts.0123456789abcdef.txt
 *     .warren/corpus/sort.sorting_sorts.fedcba9876543210.txt
 *     .warren/rules/sort.sorting_sorts.rules
 */
#ifndef WRI_STORE_FILES_FILES_H
#define WRI_STORE_FILES_FILES_H

#include "store/store.h"

wri_store *wri_files_open(const char *where, wri_note *note);

#endif
