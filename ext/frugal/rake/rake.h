/* The plan and the walk of the Rake drop-in. */
#ifndef FRUGAL_RAKE_H
#define FRUGAL_RAKE_H

#include <ruby.h>

void frugal_rake_init(VALUE module);

#endif
