/* Creates a directory and its missing parents. Does not depend on Ruby. */
#ifndef FRUGAL_DIR_CHAIN_H
#define FRUGAL_DIR_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Creates a directory, which did not exist a moment ago, and its missing parents. n missing directories take n - 1
 * calls that fail and n that succeed. `exact`: each directory gets exactly this mode, whatever the umask. Returns false
 * at the first error; directories that were created stay. The path is modified during the call, and restored.
 */
bool frugal_fileutils_chain_make(char *path, size_t length, mode_t mode, bool exact);

#endif
