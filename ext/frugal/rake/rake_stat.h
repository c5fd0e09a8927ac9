/* The kernel's answers about the files of tasks, each valid in one generation. */
#ifndef FRUGAL_RAKE_STAT_H
#define FRUGAL_RAKE_STAT_H

#include "rake/rake_plan.h"

/* Returns FILE_… for the file of this name. */
uint8_t frugal_rake_stat(rake_plan *plan, long slot, VALUE name);

/* Returns FILE_… for the file of the task that has the slot. */
uint8_t frugal_rake_stat_owner(rake_plan *plan, long slot);

/* Invalidates all answers and facts, since user code has run or may have run. */
void frugal_rake_stat_invalidate(rake_plan *plan);

#endif
