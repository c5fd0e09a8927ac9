/* Source files whose tasks are made only when other code could see them. */
#ifndef FRUGAL_RAKE_LEAF_H
#define FRUGAL_RAKE_LEAF_H

#include "rake/rake_plan.h"

/* In the list of prerequisites that a walk has found, a leaf is its slot, as a Fixnum. */
#define LEAF_ENTRY(slot) LONG2FIX(slot)
#define LEAF_ENTRY_P(entry) FIXNUM_P(entry)
#define LEAF_SLOT(entry) FIX2LONG(entry)

/*
 * The slot of a name without a task, which all look-ups of the name in one `advance` share. In the first look-up,
 * `suggested` may be the name's former slot; otherwise it is -1.
 */
long frugal_rake_leaf_slot(rake_plan *plan, VALUE name, long suggested);

/* Whether the application's Hash accepts a new task, and compares names by content. */
bool frugal_rake_leaf_possible(rake_plan *plan);

/* The slot of the leaf with this name, or -1. */
long frugal_rake_leaf_find(rake_plan *plan, VALUE name);

/* Makes the slot of a name without a task a leaf. */
void frugal_rake_leaf_add(rake_plan *plan, long slot);

/* Makes the tasks of all leaves. */
void frugal_rake_leaf_make_tasks(rake_plan *plan);

/* Forgets the slots of names, since code of the program may change a String from now on. */
void frugal_rake_leaf_forget_names(rake_plan *plan);
void frugal_rake_leaf_free(rake_plan *plan);
size_t frugal_rake_leaf_size(const rake_plan *plan);

#endif
