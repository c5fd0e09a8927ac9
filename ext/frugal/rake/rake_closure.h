/* All direct and indirect prerequisites of a task. */
#ifndef FRUGAL_RAKE_CLOSURE_H
#define FRUGAL_RAKE_CLOSURE_H

#include <time.h>

#include "rake/rake_plan.h"

/* The direct and indirect prerequisites of a task, as look-ups from one scope find them. */
struct rake_closure {
    uint32_t structure_generation;
    uint32_t time_generation;
    uint32_t time_structure;
    uint8_t structure;      /* STRUCTURE_… */
    uint8_t times;          /* a set of TIME_… */
    struct timespec latest; /* the latest time of a file; valid with TIME_FILE */
};

/* A task on the stack of a search. */
struct rake_visit {
    long slot;
    long next; /* index of the prerequisite to visit next */
};

VALUE frugal_rake_closure_out_of_date(rake_plan *plan, long slot, struct timespec stamp);
VALUE frugal_rake_closure_needed(rake_plan *plan, long slot);

#endif
