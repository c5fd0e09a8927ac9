/*
 * A slot for each name that a RakePlan knows something of: its task's, or its own
 * where it has none yet. A task's slot is found in a Hash by identity, which GC.compact respects. The task
 * itself carries nothing of ours: Marshal and ObjectSpace would show it.
 */
#include "rake.h"
#include <string.h>

/* In chunks, so that a minor collection looks at the last ones only. */
enum { OWNERS_PER_CHUNK = 1024 };

static void
grow(rake_plan *plan)
{
    long capacity = plan->slot_capacity ? plan->slot_capacity * 2 : 256;

    REALLOC_N(plan->slots, rake_slot, capacity);
    plan->slot_capacity = capacity;
}

VALUE
rake_slots_owner(rake_plan *plan, long slot)
{
    return RARRAY_AREF(RARRAY_AREF(plan->owners, slot / OWNERS_PER_CHUNK), slot % OWNERS_PER_CHUNK);
}

static void
set_owner(rake_plan *plan, long slot, VALUE owner)
{
    rb_ary_store(RARRAY_AREF(plan->owners, slot / OWNERS_PER_CHUNK), slot % OWNERS_PER_CHUNK, owner);
}

long
rake_slots_add(rake_plan *plan, VALUE owner)
{
    long slot = plan->slot_count;

    if (slot == plan->slot_capacity) grow(plan);
    if (slot % OWNERS_PER_CHUNK == 0) rb_ary_push(plan->owners, rb_ary_new_capa(OWNERS_PER_CHUNK));
    set_owner(plan, slot, owner);
    memset(&plan->slots[slot], 0, sizeof(rake_slot));
    plan->slot_count++;
    return slot;
}

/* The slot of a name without a task, where something asked for it before. */
static long
known_name(rake_plan *plan, VALUE name)
{
    VALUE index = RHASH_SIZE(plan->names) ? rb_hash_lookup2(plan->names, name, Qnil) : Qnil;

    return FIXNUM_P(index) ? FIX2LONG(index) : -1;
}

long
rake_slots_named(rake_plan *plan, VALUE name)
{
    long slot = known_name(plan, name);

    return slot < 0 ? rake_slots_add(plan, name) : slot;
}

/* As above; the slot is found again by its name until a task gets it. */
long
rake_slots_keep(rake_plan *plan, VALUE name)
{
    long slot = known_name(plan, name);

    if (slot < 0) {
        slot = rake_slots_add(plan, name);
        rb_hash_aset(plan->names, rb_str_new_frozen(name), LONG2FIX(slot));
    }
    return slot;
}

void
rake_slots_give(rake_plan *plan, long slot, VALUE task)
{
    VALUE name = rake_slots_owner(plan, slot);

    if (RHASH_SIZE(plan->names) && RB_TYPE_P(name, T_STRING)) rb_hash_delete(plan->names, name);
    set_owner(plan, slot, task);
    rb_hash_aset(plan->indexes, task, LONG2FIX(slot));
}

/* -1 for a task without a slot. */
long
rake_slots_known(rake_plan *plan, VALUE task)
{
    VALUE index = rb_hash_lookup2(plan->indexes, task, Qnil);

    return FIXNUM_P(index) ? FIX2LONG(index) : -1;
}

long
rake_slots_of(rake_plan *plan, VALUE task)
{
    long slot = rake_slots_known(plan, task);
    VALUE name;

    if (slot >= 0) return slot;
    name = rake_task_name(task);
    slot = RB_TYPE_P(name, T_STRING) ? rake_slots_named(plan, name) : rake_slots_add(plan, task);
    rake_slots_give(plan, slot, task);
    return slot;
}
