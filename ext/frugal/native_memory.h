/*
 * Reports the memory of objects to the garbage collector, which counts memory from xmalloc, but not memory from malloc
 * in core/. Without these reports, a program that makes large objects and drops them grows until something else starts
 * a collection.
 *
 * An object that owns such memory remembers how much of it was reported, and reports again when that may have changed:
 * at the end of a call that grows it, in `close`, and as 0 in its dfree. So the sum of all reports of an object is zero
 * when it is freed.
 */
#ifndef FRUGAL_NATIVE_MEMORY_H
#define FRUGAL_NATIVE_MEMORY_H

#include <ruby.h>

/*
 * Reports a changed size. Call it with the VM lock, or in dfree. `size` is all memory from malloc that the object owns
 * now, without memory from xmalloc. Takes two atomic additions, and none if nothing has changed. Never collects: the
 * next xmalloc does.
 */
static inline void
frugal_native_memory_report(size_t *reported, size_t size)
{
    if (size == *reported) return;
    rb_gc_adjust_memory_usage((ssize_t)size - (ssize_t)*reported);
    *reported = size;
}

#endif
