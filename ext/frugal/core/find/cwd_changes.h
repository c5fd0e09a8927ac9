/* Counts the changes of the working directory that the host reports. Does not depend on Ruby. */
#ifndef FRUGAL_CWD_CHANGES_H
#define FRUGAL_CWD_CHANGES_H

#include <stdbool.h>

/*
 * The kernel does not notify a process of chdir(2), and getcwd(2) costs more than all the other work of a walk for a
 * path. A host that reports each change here, right after making it, saves that call.
 */
void frugal_find_count_cwd_change(void);

/* The host promises to report every change from now on. Changes that other native code makes cannot be reported. */
void frugal_find_trust_cwd_count(void);

/* While this returns false, not all changes are counted. */
bool frugal_find_cwd_count_is_complete(void);
unsigned frugal_find_cwd_count(void);

#endif
