/* Lists everything below a directory: Frugal::Native::C::Tree and TreeSnapshot. */
#ifndef FRUGAL_WALK_H
#define FRUGAL_WALK_H

#include <ruby.h>

void frugal_walk_init(VALUE module);

#endif
