/* Frugal::Native::C::StoreFile: files that processes share under flock(2). */
#ifndef FRUGAL_STORE_H
#define FRUGAL_STORE_H

#include <ruby.h>

void frugal_store_init(VALUE module);

#endif
