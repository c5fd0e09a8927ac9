/* Looks tasks up by name, as Rake does. */
#ifndef FRUGAL_RAKE_LOOKUP_H
#define FRUGAL_RAKE_LOOKUP_H

#include "rake/rake_plan.h"

VALUE frugal_rake_lookup_tasks(rake_plan *plan);
bool frugal_rake_lookup_provable_name(VALUE name);
VALUE frugal_rake_lookup_find(rake_plan *plan, long scope, VALUE name);
void frugal_rake_lookup_init(void);

#endif
