/* Finds the prerequisites of a task by their names. */
#ifndef FRUGAL_RAKE_RESOLVE_H
#define FRUGAL_RAKE_RESOLVE_H

#include "rake/rake_stack.h"

/* Whether a rule may make the task of this name. Then Rake has to look it up. */
bool frugal_rake_resolve_rules_match(rake_plan *plan, VALUE name);

/* Whether the walk may make tasks of source files: they are as Rake would make them. Valid until Ruby code runs. */
bool frugal_rake_resolve_definable(void);

/* Finds the prerequisites of the frame on top. False where Ruby has to find the next one. */
bool frugal_rake_resolve(rake_walk *walk, rake_plan *plan);
void frugal_rake_resolve_init(void);

#endif
