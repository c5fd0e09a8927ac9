/* Rake's classes. */
#ifndef FRUGAL_RAKE_CLASSES_H
#define FRUGAL_RAKE_CLASSES_H

#include <ruby.h>

extern VALUE frugal_rake_task_class, frugal_rake_multi_class, frugal_rake_file_class, frugal_rake_creation_class,
    frugal_rake_empty_scope_class;

/* Looks them up. */
void frugal_rake_classes_begin(void);

/* Returns the class of this path, which is never garbage-collected from now on. */
VALUE frugal_rake_classes_keep(const char *path);

#endif
