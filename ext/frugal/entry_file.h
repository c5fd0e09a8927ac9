/* Opens the files of entries. */
#ifndef FRUGAL_ENTRY_FILE_H
#define FRUGAL_ENTRY_FILE_H

#include <ruby.h>
#include <sys/types.h>

/* Returns a descriptor, or -1 for a miss. Raises a fault. */
int frugal_entry_file_open(VALUE path, int flags, mode_t permissions);

#endif
