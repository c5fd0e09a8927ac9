/* Lists everything below a directory: Frugal::Native::C::Tree and TreeSnapshot. */
#ifndef FRUGAL_WALK_H
#define FRUGAL_WALK_H

#include <ruby.h>

void frugal_walk_init(VALUE module);

/* Adds Tree.glob_below. */
void frugal_walk_glob_init(VALUE module);

#endif
