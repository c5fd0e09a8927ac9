/* How often this process was told to change its working directory. Plain C. */
#ifndef FRUGAL_CWD_CHANGES_H
#define FRUGAL_CWD_CHANGES_H

#include <stdbool.h>

/*
 * The kernel tells nobody of a chdir(2), and to ask it where one is costs more
 * than all else that a path of a walk does. A host that tells here of each
 * change that it makes, after it was made, saves the question.
 */
void frugal_cwd_changed(void);

/* From now on every change is told, but for those made behind the host's back. */
void frugal_cwd_changes_are_told(void);

/* False: the count says nothing. */
bool frugal_cwd_is_told(void);
unsigned frugal_cwd_changes(void);

#endif
