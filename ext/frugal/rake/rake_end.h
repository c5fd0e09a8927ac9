/* Whether code of the program can run after Rake has finished. */
#ifndef FRUGAL_RAKE_END_H
#define FRUGAL_RAKE_END_H

#include <ruby.h>
#include <stdbool.h>

/* Whether a TracePoint, set_trace_func or a profiler observes events. True if this Ruby does not report that. */
bool frugal_rake_end_traced(void);
void frugal_rake_end_init(VALUE plan);

#endif
