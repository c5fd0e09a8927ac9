/*
 * Facts about a task, as numbers in its slot: its kind, the scope in which it was defined, and the slots of its
 * prerequisites. Reading instance variables is slow, so each task is read only once, until Ruby code may have changed a
 * task.
 */
#include "rake/rake_facts.h"

#include <string.h>

#include "rake/rake_classes.h"
#include "rake/rake_leaf.h"
#include "rake/rake_lookup.h"
#include "rake/rake_plan.h"
#include "rake/rake_slots.h"
#include "rake/rake_task.h"

static ID id_head, id_tail;

/*
 * "a:b:" and "a:" for the scope a:b. Reads the linked list of the scope directly, as a call of Rake's methods would let
 * other threads run. Returns Qnil for any other object.
 */
static VALUE
scope_prefixes(VALUE scope)
{
    VALUE heads = rb_ary_new(), prefixes = rb_ary_new();
    VALUE prefix = rb_str_new_cstr("");

    while (CLASS_OF(scope) != frugal_rake_empty_scope_class) {
        VALUE head = rb_attr_get(scope, id_head);

        if (!frugal_rake_lookup_provable_name(head)) return Qnil;
        rb_ary_push(heads, head);
        scope = rb_attr_get(scope, id_tail);
        if (SPECIAL_CONST_P(scope)) return Qnil;
    }
    while (RARRAY_LEN(heads)) {
        prefix = rb_str_append(rb_str_dup(prefix), rb_ary_pop(heads));
        prefix = rb_str_cat_cstr(prefix, ":");
        rb_ary_unshift(prefixes, prefix);
    }
    return prefixes;
}

static long
scope_register(rake_plan *plan, VALUE scope)
{
    VALUE prefixes = scope_prefixes(scope);
    VALUE existing;
    long id;

    if (NIL_P(prefixes)) return -1;
    existing = rb_hash_lookup2(plan->scope_ids, prefixes, Qnil);
    if (FIXNUM_P(existing)) return FIX2LONG(existing);
    rb_ary_push(plan->scope_prefixes, prefixes);
    id = RARRAY_LEN(plan->scope_prefixes);
    rb_hash_aset(plan->scope_ids, prefixes, LONG2FIX(id));
    return id;
}

/* The number of a scope: 0 for the root scope; -1 for an object that scope_prefixes does not accept. */
static long
scope_number(rake_plan *plan, VALUE scope)
{
    VALUE existing;
    long id;

    if (SPECIAL_CONST_P(scope)) return -1;
    if (CLASS_OF(scope) == frugal_rake_empty_scope_class) return 0;
    existing = rb_hash_lookup2(plan->scopes, scope, Qnil);
    if (FIXNUM_P(existing)) return FIX2LONG(existing);
    id = scope_register(plan, scope);
    rb_hash_aset(plan->scopes, scope, LONG2FIX(id));
    return id;
}

/* The slot, with up-to-date facts. Any look-up may add a slot, which invalidates the pointer. */
rake_slot *
frugal_rake_facts(rake_plan *plan, long index)
{
    rake_slot *slot = &plan->slots[index];
    VALUE task = frugal_rake_slots_owner(plan, index), order_only;
    long count;

    if (slot->facts_generation == plan->structure) return slot;
    slot->facts_generation = plan->structure;
    slot->edges = EDGES_UNREAD;
    slot->count = slot->scope = -1;
    slot->found_from_root = false;
    slot->kind = frugal_rake_plan_kind(plan, task);
    if (slot->kind == KIND_FOREIGN) return slot;
    slot->provable_name = frugal_rake_lookup_provable_name(frugal_rake_task_name(task));
    count = frugal_rake_task_count(frugal_rake_task_prerequisites(task));
    order_only = frugal_rake_task_order_only(task);
    if (count >= 0 && RB_TYPE_P(order_only, T_ARRAY)) {
        slot->count = (int32_t)(count + RARRAY_LEN(order_only));
        slot->has_order_only = RARRAY_LEN(order_only) > 0;
    }
    slot->scope = (int32_t)scope_number(plan, frugal_rake_task_scope(task));
    return slot;
}

/* The slot of a task; -1 for a foreign task. */
long
frugal_rake_facts_slot(rake_plan *plan, VALUE task)
{
    long slot = SPECIAL_CONST_P(task) || RB_OBJ_FROZEN(task) ? -1 : frugal_rake_slots_find(plan, task);

    if (slot >= 0 && plan->slots[slot].facts_generation == plan->structure) {
        return plan->slots[slot].kind == KIND_FOREIGN ? -1 : slot;
    }
    if (frugal_rake_plan_kind(plan, task) == KIND_FOREIGN) return -1;
    return slot < 0 ? frugal_rake_slots_add_task(plan, task) : slot;
}

/* Makes room for `count` consecutive edges. Returns the index of the first. */
long
frugal_rake_facts_reserve_edges(rake_plan *plan, long count)
{
    long first = plan->edge_count, capacity = plan->edge_capacity ? plan->edge_capacity : 256;

    if (first + count > UINT32_MAX) rb_raise(rb_eRuntimeError, "frugal: over 4,294,967,295 prerequisites");
    while (capacity < first + count) capacity *= 2;
    if (capacity != plan->edge_capacity) {
        REALLOC_N(plan->edges, long, capacity);
        plan->edge_capacity = capacity;
    }
    plan->edge_count = first + count;
    return first;
}

/* Stores the prerequisites that the walk has found for a task, to avoid a second look-up. */
void
frugal_rake_facts_set_edges(rake_plan *plan, long index, const VALUE *tasks, long count)
{
    long first;

    if (frugal_rake_facts(plan, index)->count != count || plan->slots[index].kind != KIND_FILE) return;
    first = frugal_rake_facts_reserve_edges(plan, count);
    for (long i = 0; i < count; i++) {
        long slot = LEAF_ENTRY_P(tasks[i]) ? LEAF_SLOT(tasks[i]) : frugal_rake_facts_slot(plan, tasks[i]);

        if (slot < 0) return;
        plan->edges[first + i] = slot;
    }
    plan->slots[index].first_edge = (uint32_t)first;
    plan->slots[index].edges = EDGES_FOUND;
}

/* The slot that prefetching has given to a prerequisite's name without a task, or -1. */
long
frugal_rake_facts_prefetched(rake_plan *plan, long index, long edge)
{
    rake_slot *slot = frugal_rake_facts(plan, index);

    return slot->edges == EDGES_PREFETCHED ? plan->edges[slot->first_edge + edge] : -1;
}

/* The name of a prerequisite. Order-only prerequisites come last. */
VALUE
frugal_rake_facts_name(VALUE task, long index)
{
    VALUE prerequisites = frugal_rake_task_prerequisites(task);
    long count = frugal_rake_task_count(prerequisites);

    if (index < count) return rb_ary_entry(prerequisites, index);
    return rb_ary_entry(frugal_rake_task_order_only(task), index - count);
}

/* Looks up all prerequisites. Returns false if one is missing or foreign, or if its look-up cannot be proven. */
bool
frugal_rake_facts_read_edges(rake_plan *plan, long index)
{
    rake_slot *slot = frugal_rake_facts(plan, index);
    VALUE task = frugal_rake_slots_owner(plan, index);
    long count = slot->count, scope = slot->scope, first;

    if (slot->edges == EDGES_FOUND || slot->edges == EDGES_NOT_FOUND) return slot->edges == EDGES_FOUND;
    slot->edges = EDGES_NOT_FOUND;
    if (count < 0 || scope < 0) return false;
    first = frugal_rake_facts_reserve_edges(plan, count);
    for (long i = 0; i < count; i++) {
        VALUE name = frugal_rake_facts_name(task, i);
        VALUE found = frugal_rake_lookup_provable_name(name) ? frugal_rake_lookup_find(plan, scope, name) : Qnil;
        long edge = NIL_P(found) || found == task ? -1 : frugal_rake_facts_slot(plan, found);

        if (NIL_P(found) && scope == 0 && plan->leaf_count) edge = frugal_rake_leaf_find(plan, name);
        if (edge < 0) return false;
        plan->edges[first + i] = edge;
    }
    plan->slots[index].first_edge = (uint32_t)first;
    plan->slots[index].edges = EDGES_FOUND;
    return true;
}

void
frugal_rake_facts_init(void)
{
    id_head = rb_intern("@head");
    id_tail = rb_intern("@tail");
}
