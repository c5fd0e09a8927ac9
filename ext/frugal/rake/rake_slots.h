/* A slot for each name. */
#ifndef FRUGAL_RAKE_SLOTS_H
#define FRUGAL_RAKE_SLOTS_H

#include <time.h>

#include "rake/rake_plan.h"

/* The kernel's answer about a name. */
enum { FILE_MISSING = 1, FILE_PRESENT, FILE_FAULT };

/* One name: the answer of its last stat(2), and facts about its task. */
struct rake_slot {
    struct timespec mtime;     /* valid with `state` */
    uint32_t generation;       /* the plan's, when `state` was set */
    uint32_t batch, item;      /* of the prefetch that asks for this name */
    uint32_t depth;            /* index of the task's frame, if the task is on the stack of a walk */
    uint32_t facts_generation; /* the plan's `structure`, when the following was read */
    int32_t count;             /* of all prerequisites; -1: they are not in Arrays */
    int32_t scope;             /* its number; -1: not a Rake::Scope */
    uint32_t first_edge;       /* index in the plan's edges */
    uint8_t state;             /* FILE_… */
    uint8_t kind;              /* KIND_… */
    uint8_t edges;             /* EDGES_… */
    bool provable_name : 1;    /* the task's name can be looked up without Rake */
    bool found_from_root : 1;  /* a look-up of the name from the root scope finds the task */
    bool has_order_only : 1;   /* has order-only prerequisites */
    bool leaf : 1;             /* a source file whose task is not made yet (rake_leaf.c) */
    bool leaf_invoked : 1;     /* a walk has invoked it */
};

/*
 * PREFETCHED: only edges to names without a task are set; the others are -1. FOUND: all prerequisites have edges.
 * NOT_FOUND: some prerequisite has no task.
 */
enum { EDGES_UNREAD, EDGES_PREFETCHED, EDGES_FOUND, EDGES_NOT_FOUND };

/* The task of a slot, or the name for a slot without a task. */
VALUE frugal_rake_slots_owner(rake_plan *plan, long slot);

/* Makes a task the owner of a slot that had none. */
void frugal_rake_slots_assign(rake_plan *plan, long slot, VALUE task);

/* The slot of a task, or -1. */
long frugal_rake_slots_find(rake_plan *plan, VALUE task);

/* These return a slot, and add it if there is none yet. A registered slot is found by its name until a task gets it. */
long frugal_rake_slots_for_task(rake_plan *plan, VALUE task);
long frugal_rake_slots_add_task(rake_plan *plan, VALUE task);
long frugal_rake_slots_for_name(rake_plan *plan, VALUE name);
long frugal_rake_slots_register(rake_plan *plan, VALUE name);

/* Stores the kernel's answer for a slot. */
void frugal_rake_slots_set_answer(rake_plan *plan, long slot, int error, struct timespec mtime);

/* Sets `faults_raise`: only ENOENT means a missing file (Rake >= 13.1). */
void frugal_rake_slots_begin(bool faults_raise);

#endif
