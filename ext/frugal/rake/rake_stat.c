/* The kernel's answers about the files of tasks, each valid in one generation. */
#include "rake/rake_stat.h"

#include "core/probe/probe.h"
#include "rake/rake_prefetch.h"
#include "rake/rake_plan.h"
#include "rake/rake_slots.h"
#include "rake/rake_task.h"

/* Calls stat(2) at most once for a name in a generation. Symbolic links are followed. */
uint8_t
frugal_rake_stat(rake_plan *plan, long index, VALUE name)
{
    if (plan->slots[index].generation != plan->generation && !frugal_rake_prefetch_take(plan, index)) {
        frugal_stat_item item = { .path = RSTRING_PTR(name) };

        frugal_probe_batch_stat_one(&item);
        frugal_rake_slots_set_answer(plan, index, item.error, item.mtime);
    }
    return plan->slots[index].state;
}

uint8_t
frugal_rake_stat_owner(rake_plan *plan, long index)
{
    if (plan->slots[index].generation == plan->generation) return plan->slots[index].state;
    return frugal_rake_stat(plan, index, frugal_rake_task_name(frugal_rake_slots_owner(plan, index)));
}

void
frugal_rake_stat_invalidate(rake_plan *plan)
{
    frugal_rake_prefetch_end(plan);
    frugal_rake_plan_restructure(plan);
    plan->generation = plan->structure;
    plan->entered = 0;
}
