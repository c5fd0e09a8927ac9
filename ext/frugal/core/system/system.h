/* Functions for several folders of core: growing lists, and information from the kernel. Does not depend on Ruby. */
#ifndef FRUGAL_CORE_SYSTEM_H
#define FRUGAL_CORE_SYSTEM_H

#include "core/system/dir_records.h"
#include "core/system/file_system.h"
#include "core/system/file_times.h"
#include "core/system/grow.h"

#endif
