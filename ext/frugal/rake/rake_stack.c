/*
 * The stack of a walk: the tasks in progress, innermost last. It has the data that Rake has in the frames of its
 * recursion. Locks and arguments are made only before user code runs.
 */
#include "rake/rake_stack.h"

#include "rake/rake_leaf.h"
#include "rake/rake_plan.h"
#include "rake/rake_slots.h"
#include "rake/rake_task.h"

static ID id_head, id_tail, id_new_scope, id_arg_names, id_enter, id_exit;

static void
walk_mark(void *data)
{
    rake_walk *walk = data;

    rb_gc_mark(walk->plan);
    rb_gc_mark(walk->root);
    rb_gc_mark(walk->arguments);
    rb_gc_mark(walk->chain);
    rb_gc_mark(walk->child);
    rb_gc_mark(walk->result);
    for (long i = 0; i < walk->count; i++) {
        rake_frame *frame = &walk->frames[i];

        rb_gc_mark(frame->task);
        rb_gc_mark(frame->names);
        rb_gc_mark(frame->arguments);
        rb_gc_mark(frame->chain);
        rb_gc_mark(frame->lock);
    }
    for (long i = 0; i < walk->found_count; i++) rb_gc_mark(walk->found[i]);
}

static void
walk_free(void *data)
{
    rake_walk *walk = data;

    xfree(walk->frames);
    xfree(walk->found);
    xfree(walk);
}

static size_t
walk_size(const void *data)
{
    const rake_walk *walk = data;

    return sizeof(*walk) + walk->capacity * sizeof(rake_frame) + walk->found_capacity * sizeof(VALUE);
}

static const rb_data_type_t walk_type = {
    .wrap_struct_name = "Frugal::RakeWalk",
    .function = { walk_mark, walk_free, walk_size },
    .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

rake_walk *
frugal_rake_walk_get(VALUE self)
{
    return rb_check_typeddata(self, &walk_type);
}

static VALUE
walk_allocate(VALUE klass)
{
    rake_walk *walk;
    VALUE self = TypedData_Make_Struct(klass, rake_walk, &walk_type, walk);

    walk->plan = walk->root = walk->arguments = walk->chain = walk->child = walk->result = Qnil;
    return self;
}

rake_frame *
frugal_rake_walk_top(rake_walk *walk)
{
    if (!walk->count) rb_raise(rb_eRuntimeError, "frugal: no task of the walk is in progress");
    return &walk->frames[walk->count - 1];
}

/* Whether a task is on this stack (the frame at its slot's depth is the task's) or in the chain of the caller. */
bool
frugal_rake_walk_in_chain(rake_walk *walk, rake_plan *plan, long slot, VALUE task)
{
    uint32_t depth = plan->slots[slot].depth;
    VALUE chain = walk->chain;

    if (depth < walk->count && walk->frames[depth].task == task) return true;
    for (VALUE head; !SPECIAL_CONST_P(chain) && !NIL_P(head = rb_attr_get(chain, id_head));
         chain = rb_attr_get(chain, id_tail)) {
        if (head == task) return true;
    }
    return false;
}

void
frugal_rake_walk_push(rake_walk *walk, rake_plan *plan, VALUE task, long slot, VALUE names)
{
    if (walk->count == walk->capacity) {
        long capacity = walk->capacity ? walk->capacity * 2 : 16;

        REALLOC_N(walk->frames, rake_frame, capacity);
        walk->capacity = capacity;
    }
    walk->frames[walk->count] = (rake_frame){
        .task = task,
        .names = names,
        .arguments = Qnil,
        .chain = Qnil,
        .lock = Qnil,
        .slot = slot,
        .first = walk->found_count,
        .outer_depth = plan->slots[slot].depth,
    };
    plan->slots[slot].depth = (uint32_t)walk->count++;
}

void
frugal_rake_walk_pop(rake_walk *walk, VALUE result)
{
    rake_plan *plan = frugal_rake_plan_get(walk->plan);
    rake_frame *frame = frugal_rake_walk_top(walk);
    VALUE lock = frame->lock;

    plan->slots[frame->slot].depth = frame->outer_depth;
    walk->found_count = frame->first;
    walk->count--;
    if (walk->settled > walk->count) walk->settled = walk->count;
    walk->result = result;
    if (!NIL_P(lock)) rb_funcall(lock, id_exit, 0);
}

void
frugal_rake_walk_add_found(rake_walk *walk, VALUE task)
{
    if (walk->found_count == walk->found_capacity) {
        long capacity = walk->found_capacity ? walk->found_capacity * 2 : 64;

        REALLOC_N(walk->found, VALUE, capacity);
        walk->found_capacity = capacity;
    }
    walk->found[walk->found_count++] = task;
    frugal_rake_walk_top(walk)->found++;
}

/*
 * Enters the Monitor of every task on the stack and makes its arguments, as user code
 * may read these. User code may also change prerequisites in place, so each frame gets
 * a copy of the names.
 */
void
frugal_rake_walk_settle(rake_walk *walk)
{
    walk->last = false;
    frugal_rake_leaf_make_tasks(frugal_rake_plan_get(walk->plan));
    while (walk->settled < walk->count) {
        long index = walk->settled;
        VALUE task = walk->frames[index].task;
        VALUE lock = frugal_rake_task_lock(task);
        VALUE arguments = walk->arguments;

        if (index) {
            VALUE names = rb_funcall(task, id_arg_names, 0);

            arguments = rb_funcall(walk->frames[index - 1].arguments, id_new_scope, 1, names);
        }
        rb_funcall(lock, id_enter, 0);
        walk->frames[index].lock = lock;
        if (!NIL_P(walk->frames[index].names)) walk->frames[index].names = rb_ary_dup(walk->frames[index].names);
        walk->frames[index].arguments = arguments;
        walk->settled++;
    }
}

/* The arguments of the task with which the walk began. */
static VALUE
walk_root_arguments(VALUE self)
{
    return frugal_rake_walk_get(self)->arguments;
}

static VALUE
walk_result(VALUE self)
{
    return frugal_rake_walk_get(self)->result;
}

static VALUE
walk_depth(VALUE self)
{
    return LONG2NUM(frugal_rake_walk_get(self)->count);
}

/* last = flag: whether nothing but the end of the process follows; see Dropin::Rake::LastWalk. */
static VALUE
walk_set_last(VALUE self, VALUE flag)
{
    frugal_rake_walk_get(self)->last = RTEST(flag);
    return flag;
}

VALUE
frugal_rake_stack_define(VALUE module)
{
    VALUE walk = rb_define_class_under(module, "RakeWalk", rb_cObject);

    id_head = rb_intern("@head");
    id_tail = rb_intern("@tail");
    id_new_scope = rb_intern("new_scope");
    id_arg_names = rb_intern("arg_names");
    id_enter = rb_intern("mon_enter");
    id_exit = rb_intern("mon_exit");
    rb_define_alloc_func(walk, walk_allocate);
    rb_define_method(walk, "last=", walk_set_last, 1);
    rb_define_method(walk, "root_arguments", walk_root_arguments, 0);
    rb_define_method(walk, "result", walk_result, 0);
    rb_define_method(walk, "depth", walk_depth, 0);
    return walk;
}
