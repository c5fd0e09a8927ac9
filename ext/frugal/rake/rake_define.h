/* Defines tasks, for the common forms of Task.define_task. */
#ifndef FRUGAL_RAKE_DEFINE_H
#define FRUGAL_RAKE_DEFINE_H

#include "rake/rake_plan.h"

bool frugal_rake_define_possible(VALUE task_class);
void frugal_rake_define_begin(void);
void frugal_rake_define_init(VALUE plan);

#endif
