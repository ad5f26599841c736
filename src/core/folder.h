/* core/folder.h: removing a folder with all that is in it. */
#ifndef WRI_CORE_FOLDER_H
#define WRI_CORE_FOLDER_H

/* Follows no link. What cannot be removed is left; a path that is not there is no error. */
void wri_remove_folder(const char *path);

#endif
