/* A directory and those above it that are missing. Plain C: knows nothing of Ruby. */
#ifndef FRUGAL_DIR_CHAIN_H
#define FRUGAL_DIR_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Makes the directory, which was not there a moment ago, and what is missing
 * above it: with n missing ones, n - 1 calls that fail and n that do not.
 * `exact`: each gets just that mode, whatever the umask. Returns false at the
 * first thing unexpected, with what was made left there. The path is written to
 * meanwhile, and is afterwards what it was.
 */
bool frugal_dir_chain_make(char *path, size_t length, mode_t mode, bool exact);

#endif
