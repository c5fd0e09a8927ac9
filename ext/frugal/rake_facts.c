/*
 * Tasks as numbers: what a task is, in which scope it was defined and which
 * slots its prerequisites have. Instance variables are slow to ask, so each
 * task is read once a structure, that is until Ruby code may have changed one.
 */
#include "rake.h"
#include <string.h>

static ID id_head, id_tail;

/*
 * "a:b:" and "a:" for the scope a:b. Its own list is walked here, as calling
 * Rake's methods would let other threads in. Qnil for what is no such list.
 */
static VALUE
scope_prefixes(VALUE scope)
{
    VALUE heads = rb_ary_new(), prefixes = rb_ary_new();
    VALUE prefix = rb_str_new_cstr("");

    while (CLASS_OF(scope) != rake_empty_scope_class) {
        VALUE head = rb_attr_get(scope, id_head);

        if (!rake_plan_provable_name(head)) return Qnil;
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
    VALUE known;
    long id;

    if (NIL_P(prefixes)) return -1;
    known = rb_hash_lookup2(plan->scope_ids, prefixes, Qnil);
    if (FIXNUM_P(known)) return FIX2LONG(known);
    rb_ary_push(plan->scope_prefixes, prefixes);
    id = RARRAY_LEN(plan->scope_prefixes);
    rb_hash_aset(plan->scope_ids, prefixes, LONG2FIX(id));
    return id;
}

/* 0 for the root; -1 for what is no Rake::Scope that we know. */
long
rake_facts_scope(rake_plan *plan, VALUE scope)
{
    VALUE known;
    long id;

    if (SPECIAL_CONST_P(scope)) return -1;
    if (CLASS_OF(scope) == rake_empty_scope_class) return 0;
    known = rb_hash_lookup2(plan->scopes, scope, Qnil);
    if (FIXNUM_P(known)) return FIX2LONG(known);
    id = scope_register(plan, scope);
    rb_hash_aset(plan->scopes, scope, LONG2FIX(id));
    return id;
}

/* Slots may move when one is added: nobody keeps the pointer across a look-up. */
rake_slot *
rake_facts(rake_plan *plan, long index)
{
    rake_slot *slot = &plan->slots[index];
    VALUE task = rake_slots_owner(plan, index), order_only;
    long count;

    if (slot->facts_generation == plan->structure) return slot;
    slot->facts_generation = plan->structure;
    slot->edges = EDGES_UNREAD;
    slot->count = slot->scope = -1;
    slot->in_root = false;
    slot->kind = rake_plan_kind(plan, task);
    if (slot->kind == KIND_STRANGER) return slot;
    slot->named = rake_plan_provable_name(rake_task_name(task));
    count = rake_names_count(rake_task_prerequisites(task));
    order_only = rake_task_order_only(task);
    if (count >= 0 && RB_TYPE_P(order_only, T_ARRAY)) {
        slot->count = (int32_t)(count + RARRAY_LEN(order_only));
        slot->ordered = RARRAY_LEN(order_only) > 0;
    }
    slot->scope = (int32_t)rake_facts_scope(plan, rake_task_scope(task));
    return slot;
}

/* The slot of one of Rake's own tasks; -1 for a stranger. */
long
rake_facts_slot(rake_plan *plan, VALUE task)
{
    long slot = SPECIAL_CONST_P(task) || RB_OBJ_FROZEN(task) ? -1 : rake_slots_known(plan, task);

    if (slot >= 0 && plan->slots[slot].facts_generation == plan->structure) {
        return plan->slots[slot].kind == KIND_STRANGER ? -1 : slot;
    }
    return rake_plan_kind(plan, task) == KIND_STRANGER ? -1 : rake_slots_of(plan, task);
}

/* Room for a run of edges; its beginning. */
long
rake_facts_reserve(rake_plan *plan, long count)
{
    long first = plan->edge_count, capacity = plan->edge_capacity ? plan->edge_capacity : 256;

    while (capacity < first + count) capacity *= 2;
    if (capacity != plan->edge_capacity) {
        REALLOC_N(plan->edges, long, capacity);
        plan->edge_capacity = capacity;
    }
    plan->edge_count = first + count;
    return first;
}

/* The walk has found a task's prerequisites: they need not be looked up again. */
void
rake_facts_found(rake_plan *plan, long index, const VALUE *tasks, long count)
{
    long first;

    if (rake_facts(plan, index)->count != count || plan->slots[index].kind != KIND_FILE) return;
    first = rake_facts_reserve(plan, count);
    for (long i = 0; i < count; i++) {
        long slot = rake_facts_slot(plan, tasks[i]);

        if (slot < 0) return;
        plan->edges[first + i] = slot;
    }
    plan->slots[index].first_edge = first;
    plan->slots[index].edges = EDGES_FOUND;
}

/* The slot that was foreseen for a name without a task; -1: none. */
long
rake_facts_foreseen(rake_plan *plan, long index, long edge)
{
    rake_slot *slot = rake_facts(plan, index);

    return slot->edges == EDGES_FORESEEN ? plan->edges[slot->first_edge + edge] : -1;
}

/* A leaf that was made just now: nothing about it has to be asked. */
void
rake_facts_leaf(rake_plan *plan, long index, VALUE task)
{
    long scope = rake_facts_scope(plan, rake_task_scope(task));
    rake_slot *slot = &plan->slots[index];

    slot->facts_generation = plan->structure;
    slot->kind = KIND_FILE;
    slot->count = 0;
    slot->scope = (int32_t)scope;
    slot->edges = EDGES_FOUND;
    slot->named = slot->in_root = true;
    slot->ordered = false;
}

/* The name of a prerequisite, order-only ones last. */
VALUE
rake_facts_name(VALUE task, long index)
{
    VALUE prerequisites = rake_task_prerequisites(task);
    long count = rake_names_count(prerequisites);

    return index < count ? rb_ary_entry(prerequisites, index) : rb_ary_entry(rake_task_order_only(task), index - count);
}

/* Looks all prerequisites up; false where one is missing, odd or a stranger. */
bool
rake_facts_edges(rake_plan *plan, long index)
{
    rake_slot *slot = rake_facts(plan, index);
    VALUE task = rake_slots_owner(plan, index);
    long count = slot->count, scope = slot->scope, first;

    if (slot->edges == EDGES_FOUND || slot->edges == EDGES_UNFOUND) return slot->edges == EDGES_FOUND;
    slot->edges = EDGES_UNFOUND;
    if (count < 0 || scope < 0) return false;
    first = rake_facts_reserve(plan, count);
    for (long i = 0; i < count; i++) {
        VALUE name = rake_facts_name(task, i);
        VALUE found = rake_plan_provable_name(name) ? rake_plan_find(plan, scope, name) : Qnil;
        long edge = NIL_P(found) || found == task ? -1 : rake_facts_slot(plan, found);

        if (edge < 0) return false;
        plan->edges[first + i] = edge;
    }
    plan->slots[index].first_edge = first;
    plan->slots[index].edges = EDGES_FOUND;
    return true;
}

void
frugal_rake_facts_init(void)
{
    id_head = rb_intern("@head");
    id_tail = rb_intern("@tail");
}
