/* Finds the prerequisites of a task by their names. */
#ifndef FRUGAL_RAKE_RESOLVE_H
#define FRUGAL_RAKE_RESOLVE_H

#include "rake/rake_stack.h"

/* Whether a rule may make the task of this name. Then Rake has to look the name up. */
bool frugal_rake_resolve_rules_match(rake_plan *plan, VALUE name);

/* Whether the walk may make the tasks of source files, because they will equal Rake's. Valid until Ruby code runs. */
bool frugal_rake_resolve_definable(void);

/* Finds the prerequisites of the top frame. Returns false if Ruby has to find the next one. */
bool frugal_rake_resolve(rake_walk *walk, rake_plan *plan);
void frugal_rake_resolve_init(void);

#endif
