/* Invokes tasks in Rake's order. */
#ifndef FRUGAL_RAKE_WALK_H
#define FRUGAL_RAKE_WALK_H

#include <ruby.h>

void frugal_rake_walk_init(VALUE module);

#endif
