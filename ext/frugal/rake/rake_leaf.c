/*
 * Leaves: when Rake looks up a prerequisite that is a file without a task, it makes a task. A walk only notes that the
 * file is a leaf. All leaves become tasks, in Rake's order, before any Ruby code runs that could see them: before
 * `advance` returns, before it lets a signal handler run, and before a task is defined. If only the end of the process
 * follows (rake_end.c), no code ever sees a leaf, and it needs no task.
 *
 * Garbage collection is disabled while there are names in the table here, so Strings do
 * not move.
 */
#include "rake/rake_leaf.h"

#include "rake/rake_classes.h"
#include "rake/rake_lookup.h"
#include "rake/rake_slots.h"
#include "rake/rake_task.h"

/* A hash table of slots, by the content of their names. It is at most half full. */
struct rake_leaf_names {
    uint32_t *places; /* a slot + 1; 0 for a free place */
    size_t capacity;  /* a power of 2 */
    size_t count;
};

/* The place of a name, or the free place for it. */
static size_t
place_of(rake_plan *plan, VALUE name)
{
    struct rake_leaf_names *names = plan->leaf_names;
    size_t place = rb_str_hash(name) & (names->capacity - 1);

    while (names->places[place]) {
        if (rb_str_hash_cmp(frugal_rake_slots_owner(plan, names->places[place] - 1), name) == 0) break;
        place = (place + 1) & (names->capacity - 1);
    }
    return place;
}

static void
grow(rake_plan *plan)
{
    struct rake_leaf_names *names = plan->leaf_names;
    uint32_t *before = names->places;
    size_t capacity = names->capacity;

    names->places = ZALLOC_N(uint32_t, capacity * 4);
    names->capacity = capacity * 4;
    for (size_t i = 0; i < capacity; i++) {
        if (before[i]) names->places[place_of(plan, frugal_rake_slots_owner(plan, before[i] - 1))] = before[i];
    }
    xfree(before);
}

long
frugal_rake_leaf_slot(rake_plan *plan, VALUE name, long suggested)
{
    struct rake_leaf_names *names = plan->leaf_names;
    size_t place;
    long slot;

    if (!names) {
        names = plan->leaf_names = ZALLOC(struct rake_leaf_names);
        names->places = ZALLOC_N(uint32_t, 64);
        names->capacity = 64;
    }
    place = place_of(plan, name);
    if (names->places[place]) return (long)names->places[place] - 1;
    if (names->count * 2 >= names->capacity) {
        grow(plan);
        place = place_of(plan, name);
    }
    slot = suggested < 0 ? frugal_rake_slots_for_name(plan, name) : suggested;
    names->places[place] = (uint32_t)slot + 1;
    names->count++;
    return slot;
}

static VALUE
add_and_delete_key(VALUE tasks)
{
    VALUE key = ID2SYM(rb_intern("frugal_leaf"));

    rb_hash_aset(tasks, key, Qnil);
    return rb_hash_delete(tasks, key);
}

/*
 * Rake would add the task now, which fails if the Hash is frozen or being iterated. A test key fails in the same way.
 */
bool
frugal_rake_leaf_possible(rake_plan *plan)
{
    VALUE tasks = frugal_rake_lookup_tasks(plan), error = rb_errinfo();
    int failed = 0;

    if (NIL_P(tasks) || CLASS_OF(tasks) != rb_cHash || RTEST(rb_funcall(tasks, rb_intern("compare_by_identity?"), 0))) {
        return false;
    }
    rb_protect(add_and_delete_key, tasks, &failed);
    if (failed) rb_set_errinfo(error);
    return !failed;
}

long
frugal_rake_leaf_find(rake_plan *plan, VALUE name)
{
    uint32_t found = plan->leaf_count ? plan->leaf_names->places[place_of(plan, name)] : 0;

    return found && plan->slots[found - 1].leaf ? (long)found - 1 : -1;
}

/* The facts of a source file's task, in the root scope. */
static void
set_facts(rake_plan *plan, rake_slot *slot)
{
    slot->facts_generation = plan->structure;
    slot->kind = KIND_FILE;
    slot->count = 0;
    slot->scope = 0;
    slot->edges = EDGES_FOUND;
    slot->provable_name = slot->found_from_root = true;
    slot->has_order_only = false;
}

void
frugal_rake_leaf_add(rake_plan *plan, long slot)
{
    if (plan->leaf_count == plan->leaf_capacity) {
        long capacity = plan->leaf_capacity ? plan->leaf_capacity * 2 : 64;

        REALLOC_N(plan->leaves, uint32_t, capacity);
        plan->leaf_capacity = capacity;
    }
    plan->leaves[plan->leaf_count++] = (uint32_t)slot;
    set_facts(plan, &plan->slots[slot]);
    plan->slots[slot].leaf = true;
    plan->slots[slot].leaf_invoked = false;
}

/* Makes the tasks in the order in which the leaves were found, which is the order of the application's Hash. */
void
frugal_rake_leaf_make_tasks(rake_plan *plan)
{
    long count = plan->leaf_count;
    VALUE tasks;

    if (!count) return;
    frugal_rake_leaf_forget_names(plan);
    tasks = frugal_rake_lookup_tasks(plan);
    plan->leaf_count = 0;
    for (long i = 0; i < count; i++) {
        long slot = plan->leaves[i];
        VALUE name = frugal_rake_slots_owner(plan, slot);
        VALUE task = frugal_rake_task_create(plan, frugal_rake_file_class, name, rb_ary_new_capa(0));

        if (plan->slots[slot].leaf_invoked) rb_ivar_set(task, frugal_rake_id_already_invoked, Qtrue);
        plan->slots[slot].leaf = false;
        rb_hash_aset(tasks, rb_str_new_frozen(name), task);
        frugal_rake_slots_assign(plan, slot, task);
    }
}

void
frugal_rake_leaf_forget_names(rake_plan *plan)
{
    plan->unnamed_batch = 0;
    if (!plan->leaf_names) return;
    xfree(plan->leaf_names->places);
    xfree(plan->leaf_names);
    plan->leaf_names = NULL;
}

void
frugal_rake_leaf_free(rake_plan *plan)
{
    frugal_rake_leaf_forget_names(plan);
    xfree(plan->leaves);
}

size_t
frugal_rake_leaf_size(const rake_plan *plan)
{
    size_t names = plan->leaf_names ? plan->leaf_names->capacity * sizeof(uint32_t) : 0;

    return names + plan->leaf_capacity * sizeof(uint32_t);
}
