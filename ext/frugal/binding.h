/* Shared by all bindings. */
#ifndef FRUGAL_BINDING_H
#define FRUGAL_BINDING_H

#include <ruby.h>
#include <stdbool.h>

/*
 * A string's bytes with the NUL, for a system call without the VM lock. While another thread compacts the heap, the
 * pages of the heap are protected, and a system call that reads from them fails with EFAULT. Only embedded strings are
 * stored there; they have at most 640 bytes, and are copied to the caller's stack.
 */
#define FRUGAL_BYTES_OUTSIDE(string) \
    (RB_FL_TEST_RAW((string), RSTRING_NOEMBED) \
         ? RSTRING_PTR(string) \
         : memcpy(alloca((size_t)RSTRING_LEN(string) + 1), RSTRING_PTR(string), (size_t)RSTRING_LEN(string) + 1))

#endif
