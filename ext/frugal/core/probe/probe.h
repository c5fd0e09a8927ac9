/*
 * Stats many files at once, and reads the names of a directory or the bytes of a file in few system calls. Does not
 * depend on Ruby.
 */
#ifndef FRUGAL_CORE_PROBE_H
#define FRUGAL_CORE_PROBE_H

#include "core/probe/dir_names.h"
#include "core/probe/file_bytes.h"
#include "core/probe/stat_batch.h"

#endif
