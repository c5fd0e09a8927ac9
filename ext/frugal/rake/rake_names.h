/* Changes and filters names of files as Rake does. */
#ifndef FRUGAL_RAKE_NAMES_H
#define FRUGAL_RAKE_NAMES_H

#include <ruby.h>

void frugal_rake_names_init(VALUE module);

#endif
