/* The stack of a walk: the tasks in progress. */
#ifndef FRUGAL_RAKE_STACK_H
#define FRUGAL_RAKE_STACK_H

#include "rake/rake_plan.h"

/* A task in progress. */
typedef struct {
    VALUE task;
    VALUE names;     /* of its prerequisites on entry, or nil; a copy once settled */
    VALUE arguments; /* set by settle */
    VALUE chain;     /* set on the first use */
    VALUE lock;      /* set by settle, which also enters it */
    long slot;
    long first;      /* index of its first prerequisite in the walk's `found` */
    long found;      /* number of its prerequisites that were found */
    long next;       /* index of the prerequisite to invoke next */
    long prefetched; /* number of prerequisites that are prefetched in `prefetch_generation` */
    uint32_t prefetch_generation;
    uint32_t outer_depth; /* the slot's `depth` before this frame */
    bool failed;          /* was invoked before, and raised */
} rake_frame;

/* One invocation of a task and of its direct and indirect prerequisites. */
typedef struct {
    VALUE plan, root, arguments, chain, child, result;
    rake_frame *frames;
    long count, capacity;
    VALUE *found; /* prerequisites of all frames, those of the top frame last */
    long found_count, found_capacity;
    long settled; /* number of frames, from the bottom, that have a lock and arguments */
    unsigned steps;
    bool started;
    bool stock_only;  /* Rake's own methods do everything */
    bool definable;   /* see frugal_rake_resolve_definable */
    bool leaves;      /* a source file may be a leaf: no code of the program runs during `advance` */
    bool last;        /* and none after the walk */
    bool ended;       /* the walk is over, and so is the program */
    bool gc_allowed;  /* garbage collection may run during `advance` */
    bool gc_disabled; /* by `advance`, which has to enable it again */
} rake_walk;

rake_walk *frugal_rake_walk_get(VALUE self);
rake_frame *frugal_rake_walk_top(rake_walk *walk);
bool frugal_rake_walk_in_chain(rake_walk *walk, rake_plan *plan, long slot, VALUE task);
void frugal_rake_walk_push(rake_walk *walk, rake_plan *plan, VALUE task, long slot, VALUE names);
void frugal_rake_walk_pop(rake_walk *walk, VALUE result);
void frugal_rake_walk_add_found(rake_walk *walk, VALUE task);

/* Gives each frame its lock and its arguments. */
void frugal_rake_walk_settle(rake_walk *walk);

/* The class RakeWalk, with only its accessors. */
VALUE frugal_rake_stack_define(VALUE module);

#endif
