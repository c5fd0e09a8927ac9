/* Stats the files of the next tasks on another thread. */
#ifndef FRUGAL_RAKE_PREFETCH_H
#define FRUGAL_RAKE_PREFETCH_H

#include "rake/rake_plan.h"

void frugal_rake_prefetch_begin(rake_plan *plan, const VALUE *tasks, long count);
bool frugal_rake_prefetch_take(rake_plan *plan, long slot);
void frugal_rake_prefetch_end(rake_plan *plan);

#endif
