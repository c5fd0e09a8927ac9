/* The known frames of Ruby, by their addresses. See ruby_frames.c. */
#ifndef FRUGAL_RECORDER_RUBY_FRAMES_H
#define FRUGAL_RECORDER_RUBY_FRAMES_H

#include "recorder.h"

typedef unsigned long VALUE; /* of Ruby */

#define FRUGAL_MOST_FRAMES 100 /* of a stack */

static inline bool
is_nil(VALUE value)
{
    return value == 8 || value == 4; /* Qnil: 8 up to Ruby 3.1, 4 from 3.2 on */
}

/* A function or variable of Ruby, and where its address goes. */
struct frugal_symbol {
    void *field;
    const char *name;
};

HIDDEN bool frugal_symbols_find(const struct frugal_symbol *symbols, size_t count);
HIDDEN bool frugal_frames_find(void);
HIDDEN void frugal_frames_names(const VALUE *addresses, const int *lines, int count, VALUE *names);
HIDDEN void frugal_frames_name(void);
HIDDEN uint32_t frugal_frames_stack(const VALUE *addresses, const int *lines, const VALUE *names, int count);
HIDDEN uint64_t frugal_frames_hash(const VALUE *addresses, const int *lines, int count);
HIDDEN uint32_t frugal_frames_known(uint64_t hash);
HIDDEN uint32_t frugal_frames_new(uint64_t hash, const VALUE *addresses, const int *lines, const VALUE *names,
                                  int count);
HIDDEN void frugal_frames_each(void (*visit)(VALUE));
HIDDEN void frugal_frames_forget(void);
HIDDEN bool frugal_frames_nameless(void);

#endif
