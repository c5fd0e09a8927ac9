/* Reports whether bytes that were read from a file are still valid, and overwrites a file. Does not depend on Ruby. */
#ifndef FRUGAL_CORE_STORE_H
#define FRUGAL_CORE_STORE_H

#include "core/store/store_stamps.h"
#include "core/store/store_write.h"

#endif
