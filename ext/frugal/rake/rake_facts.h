/* Facts about tasks, read from Rake's objects and stored in the slots. */
#ifndef FRUGAL_RAKE_FACTS_H
#define FRUGAL_RAKE_FACTS_H

#include "rake/rake_plan.h"

rake_slot *frugal_rake_facts(rake_plan *plan, long slot);
long frugal_rake_facts_slot(rake_plan *plan, VALUE task);
bool frugal_rake_facts_read_edges(rake_plan *plan, long slot);
long frugal_rake_facts_reserve_edges(rake_plan *plan, long count);
long frugal_rake_facts_prefetched(rake_plan *plan, long slot, long index);
void frugal_rake_facts_set_edges(rake_plan *plan, long slot, const VALUE *tasks, long count);
VALUE frugal_rake_facts_name(VALUE task, long index);
void frugal_rake_facts_init(void);

#endif
