/* Reads the instance variables of tasks, and makes tasks. */
#ifndef FRUGAL_RAKE_TASK_H
#define FRUGAL_RAKE_TASK_H

#include "rake/rake_plan.h"

extern VALUE frugal_rake_monitor_class;
extern ID frugal_rake_id_already_invoked, frugal_rake_id_invocation_exception;
VALUE frugal_rake_task_prerequisites(VALUE task);
VALUE frugal_rake_task_order_only(VALUE task);
VALUE frugal_rake_task_actions(VALUE task);
VALUE frugal_rake_task_name(VALUE task);
VALUE frugal_rake_task_scope(VALUE task);
VALUE frugal_rake_task_lock(VALUE task);
VALUE frugal_rake_task_application(VALUE task);
bool frugal_rake_task_already_invoked(VALUE task);

/* Whether Rake's classes still have the methods that this folder reimplements. */
bool frugal_rake_task_classes_intact(void);

/* Whether the task still has the Arrays that Rake gave it. Only then can `enhance` be done here. */
bool frugal_rake_task_enhanceable(VALUE task);

/* These do what Task#enhance does with an Array of names, and with a block. The first gives the task a new Array. */
void frugal_rake_task_add_prerequisites(VALUE task, VALUE names);
void frugal_rake_task_add_action(VALUE task, VALUE action);

/* Makes a task. `prerequisites` is a new Array, which the task keeps. */
VALUE frugal_rake_task_create(rake_plan *plan, VALUE task_class, VALUE name, VALUE prerequisites);

/* The number of names; -1 for an object that is not an Array. */
long frugal_rake_task_count(VALUE names);
void frugal_rake_task_begin(void);
void frugal_rake_task_init(VALUE plan);

#endif
