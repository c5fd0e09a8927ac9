/*
 * The slots of a plan, one for each name. The slot of a task is found in a Hash by identity, which GC.compact updates.
 * The slot is not an instance variable of the task, since Marshal and ObjectSpace would show that.
 */
#include "rake/rake_slots.h"

#include <errno.h>
#include <string.h>

#include "rake/rake_task.h"

/* Owners are stored in chunks, so a minor garbage collection marks only the new chunks. */
enum { OWNERS_PER_CHUNK = 1024 };

static bool only_enoent_is_missing;

static void
grow(rake_plan *plan)
{
    long capacity = plan->slot_capacity ? plan->slot_capacity * 2 : 256;

    REALLOC_N(plan->slots, rake_slot, capacity);
    plan->slot_capacity = capacity;
}

VALUE
frugal_rake_slots_owner(rake_plan *plan, long slot)
{
    return RARRAY_AREF(RARRAY_AREF(plan->owners, slot / OWNERS_PER_CHUNK), slot % OWNERS_PER_CHUNK);
}

static void
set_owner(rake_plan *plan, long slot, VALUE owner)
{
    rb_ary_store(RARRAY_AREF(plan->owners, slot / OWNERS_PER_CHUNK), slot % OWNERS_PER_CHUNK, owner);
}

static long
add(rake_plan *plan, VALUE owner)
{
    long slot = plan->slot_count;

    if (slot == plan->slot_capacity) grow(plan);
    if (slot % OWNERS_PER_CHUNK == 0) rb_ary_push(plan->owners, rb_ary_new_capa(OWNERS_PER_CHUNK));
    set_owner(plan, slot, owner);
    memset(&plan->slots[slot], 0, sizeof(rake_slot));
    plan->slot_count++;
    return slot;
}

/* The registered slot of a name, or -1. */
static long
registered_slot(rake_plan *plan, VALUE name)
{
    VALUE index = RHASH_SIZE(plan->names) ? rb_hash_lookup2(plan->names, name, Qnil) : Qnil;

    return FIXNUM_P(index) ? FIX2LONG(index) : -1;
}

long
frugal_rake_slots_for_name(rake_plan *plan, VALUE name)
{
    long slot = registered_slot(plan, name);

    return slot < 0 ? add(plan, name) : slot;
}

long
frugal_rake_slots_register(rake_plan *plan, VALUE name)
{
    long slot = registered_slot(plan, name);

    if (slot < 0) {
        slot = add(plan, name);
        rb_hash_aset(plan->names, rb_str_new_frozen(name), LONG2FIX(slot));
    }
    return slot;
}

void
frugal_rake_slots_assign(rake_plan *plan, long slot, VALUE task)
{
    VALUE name = frugal_rake_slots_owner(plan, slot);

    if (RHASH_SIZE(plan->names) && RB_TYPE_P(name, T_STRING)) rb_hash_delete(plan->names, name);
    set_owner(plan, slot, task);
    rb_hash_aset(plan->indexes, task, LONG2FIX(slot));
}

long
frugal_rake_slots_find(rake_plan *plan, VALUE task)
{
    VALUE index = rb_hash_lookup2(plan->indexes, task, Qnil);

    return FIXNUM_P(index) ? FIX2LONG(index) : -1;
}

/* Adds a slot for a task that has none. */
long
frugal_rake_slots_add_task(rake_plan *plan, VALUE task)
{
    VALUE name = frugal_rake_task_name(task);
    long slot = RB_TYPE_P(name, T_STRING) ? frugal_rake_slots_for_name(plan, name) : add(plan, task);

    frugal_rake_slots_assign(plan, slot, task);
    return slot;
}

long
frugal_rake_slots_for_task(rake_plan *plan, VALUE task)
{
    long slot = frugal_rake_slots_find(plan, task);

    return slot < 0 ? frugal_rake_slots_add_task(plan, task) : slot;
}

void
frugal_rake_slots_set_answer(rake_plan *plan, long index, int error, struct timespec mtime)
{
    rake_slot *slot = &plan->slots[index];

    slot->generation = plan->generation;
    slot->mtime = mtime;
    if (!error) slot->state = FILE_PRESENT;
    else slot->state = error == ENOENT || !only_enoent_is_missing ? FILE_MISSING : FILE_FAULT;
}

void
frugal_rake_slots_begin(bool faults_raise)
{
    only_enoent_is_missing = faults_raise;
}
