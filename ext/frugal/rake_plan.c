/*
 * Frugal::Native::C::RakePlan: what is known of one Rake application's files
 * between two pieces of user code.
 *
 * Each name that a task or a rule asks for has a slot with the answer of one
 * stat(2) and the generation in which it was asked (rake_slots.c). User code may
 * touch any file, so `forget` starts a new generation; nothing older is ever used.
 *
 * Whatever is not proven (an odd name, a class that overrides something) is
 * answered by nil, and the caller takes Rake's own path.
 */
#include "rake.h"
#include "core/stat_batch.h"
#include <ruby/encoding.h>
#include <ruby/thread.h>
#include <errno.h>
#include <string.h>

VALUE rake_task_class, rake_multi_class, rake_file_class, rake_creation_class, rake_empty_scope_class;

static bool faults_raise; /* Rake >= 13.1: only ENOENT is a missing file */
static ID id_tasks, id_application;

static void
plan_mark(void *data)
{
    rake_plan *plan = data;

    rb_gc_mark_movable(plan->application);
    rb_gc_mark_movable(plan->tasks);
    rb_gc_mark_movable(plan->names);
    rb_gc_mark_movable(plan->owners);
    rb_gc_mark_movable(plan->indexes);
    rb_gc_mark_movable(plan->scopes);
    rb_gc_mark_movable(plan->scope_ids);
    rb_gc_mark_movable(plan->scope_prefixes);
}

static void
plan_compact(void *data)
{
    rake_plan *plan = data;

    plan->self = rb_gc_location(plan->self);
    plan->application = rb_gc_location(plan->application);
    plan->tasks = rb_gc_location(plan->tasks);
    plan->names = rb_gc_location(plan->names);
    plan->owners = rb_gc_location(plan->owners);
    plan->indexes = rb_gc_location(plan->indexes);
    plan->scopes = rb_gc_location(plan->scopes);
    plan->scope_ids = rb_gc_location(plan->scope_ids);
    plan->scope_prefixes = rb_gc_location(plan->scope_prefixes);
}

static void
plan_free(void *data)
{
    rake_plan *plan = data;

    for (long i = 0; i < plan->scope_count; i++) xfree(plan->closures[i]);
    xfree(plan->closures);
    xfree(plan->slots);
    xfree(plan->edges);
    xfree(plan->visits);
    xfree(plan);
}

static size_t
plan_size(const void *data)
{
    const rake_plan *plan = data;

    return sizeof(*plan) + plan->slot_capacity * sizeof(rake_slot) +
           plan->scope_count * plan->closure_capacity * sizeof(rake_closure);
}

const rb_data_type_t rake_plan_type = {
    .wrap_struct_name = "Frugal::RakePlan",
    .function = { plan_mark, plan_free, plan_size, plan_compact },
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

static VALUE
plan_allocate(VALUE klass)
{
    rake_plan *plan;
    VALUE self = TypedData_Make_Struct(klass, rake_plan, &rake_plan_type, plan);

    plan->application = plan->tasks = plan->names = plan->owners = Qnil;
    plan->indexes = plan->scopes = plan->scope_ids = plan->scope_prefixes = Qnil;
    plan->generation = plan->structure = 1;
    return self;
}

VALUE
rake_plan_keep_class(const char *path)
{
    VALUE klass = rb_path2class(path);

    rb_gc_register_mark_object(klass);
    return klass;
}

/* Rake's own classes; the guard has seen that they are what we know. */
void
rake_plan_begin(bool raise)
{
    faults_raise = raise;
    rake_task_class = rake_plan_keep_class("Rake::Task");
    rake_multi_class = rake_plan_keep_class("Rake::MultiTask");
    rake_file_class = rake_plan_keep_class("Rake::FileTask");
    rake_creation_class = rake_plan_keep_class("Rake::FileCreationTask");
    rake_empty_scope_class = rake_plan_keep_class("Rake::Scope::EmptyScope");
}

/* RakePlan.new(application) */
static VALUE
plan_initialize(VALUE self, VALUE application)
{
    rake_plan *plan = rake_plan_get(self);

    plan->self = self;
    RB_OBJ_WRITE(self, &plan->application, application);
    RB_OBJ_WRITE(self, &plan->names, rb_hash_new());
    RB_OBJ_WRITE(self, &plan->owners, rb_ary_new());
    RB_OBJ_WRITE(self, &plan->indexes, rb_funcall(rb_hash_new(), rb_intern("compare_by_identity"), 0));
    RB_OBJ_WRITE(self, &plan->scopes, rb_funcall(rb_hash_new(), rb_intern("compare_by_identity"), 0));
    RB_OBJ_WRITE(self, &plan->scope_ids, rb_hash_new());
    RB_OBJ_WRITE(self, &plan->scope_prefixes, rb_ary_new());
    return self;
}

VALUE
rake_plan_tasks(rake_plan *plan)
{
    if (plan->tasks_structure != plan->structure) {
        VALUE tasks = rb_attr_get(plan->application, id_tasks);

        RB_OBJ_WRITE(plan->self, &plan->tasks, RB_TYPE_P(tasks, T_HASH) ? tasks : Qnil);
        plan->tasks_structure = plan->structure;
    }
    return plan->tasks;
}

/* A singleton class (an override, an extension) is none of the four; a frozen
 * task cannot be invoked, and it is Rake that says so. */
enum task_kind
rake_plan_kind(rake_plan *plan, VALUE task)
{
    VALUE klass;

    if (SPECIAL_CONST_P(task) || RB_OBJ_FROZEN(task)) return KIND_STRANGER;
    klass = CLASS_OF(task);
    if (klass != rake_file_class && klass != rake_task_class && klass != rake_creation_class &&
        klass != rake_multi_class) {
        return KIND_STRANGER;
    }
    if (rb_ivar_get(task, id_application) != plan->application) return KIND_STRANGER;
    if (klass == rake_file_class) return KIND_FILE;
    if (klass == rake_task_class) return KIND_TASK;
    return klass == rake_creation_class ? KIND_CREATION : KIND_MULTI;
}

/* What the kernel answered for a slot. */
void
rake_plan_answer(rake_plan *plan, long index, int error, struct timespec mtime)
{
    rake_slot *slot = &plan->slots[index];

    slot->generation = plan->generation;
    slot->mtime = mtime;
    if (!error) slot->state = FILE_PRESENT;
    else slot->state = error == ENOENT || !faults_raise ? FILE_MISSING : FILE_FAULT;
}

/* One stat(2) for a name in a generation. Symbolic links are followed. */
uint8_t
rake_plan_stat(rake_plan *plan, long index, VALUE name)
{
    if (plan->slots[index].generation != plan->generation && !rake_ahead_take(plan, index)) {
        frugal_stat_item item = { .path = RSTRING_PTR(name) };

        frugal_stat_answer(&item);
        rake_plan_answer(plan, index, item.error, item.mtime);
    }
    return plan->slots[index].state;
}

/* As above, of the task that has the slot. */
uint8_t
rake_plan_stat_owner(rake_plan *plan, long index)
{
    if (plan->slots[index].generation == plan->generation) return plan->slots[index].state;
    return rake_plan_stat(plan, index, rake_task_name(rake_slots_owner(plan, index)));
}

/*
 * Rake looks for /^rake:/ and /^\^/, which raise on broken bytes and match
 * after any newline; the file system refuses NUL. Such names are Rake's.
 */
bool
rake_plan_provable_name(VALUE name)
{
    const char *bytes;
    long length;

    if (!RB_TYPE_P(name, T_STRING) || CLASS_OF(name) != rb_cString) return false;
    bytes = RSTRING_PTR(name);
    length = RSTRING_LEN(name);
    if (length == 0) return true;
    if (bytes[0] == '^' || (length >= 5 && memcmp(bytes, "rake:", 5) == 0)) return false;
    if (memchr(bytes, '\n', length) || memchr(bytes, '\0', length)) return false;
    if (rb_enc_str_coderange(name) == ENC_CODERANGE_7BIT) return true;
    return rb_enc_get_index(name) == rb_utf8_encindex() &&
           rb_enc_str_coderange(name) == ENC_CODERANGE_VALID;
}

/*
 * The task that Rake's look-up finds from a scope: from the innermost
 * namespace outwards. nil where there is none yet.
 */
VALUE
rake_plan_find(rake_plan *plan, long scope, VALUE name)
{
    VALUE tasks = rake_plan_tasks(plan);

    if (NIL_P(tasks)) return Qnil;
    if (scope > 0) {
        VALUE prefixes = RARRAY_AREF(plan->scope_prefixes, scope - 1);

        for (long i = 0; i < RARRAY_LEN(prefixes); i++) {
            VALUE task = rb_hash_lookup2(tasks, rb_str_plus(RARRAY_AREF(prefixes, i), name), Qnil);

            if (RTEST(task)) return task;
        }
    }
    return rb_hash_lookup2(tasks, name, Qnil);
}

/* Ruby code changed tasks, though no file: they must be read again. */
void
rake_plan_restructure(rake_plan *plan)
{
    if (++plan->structure == 0) rb_raise(rb_eRuntimeError, "frugal: over 4,294,967,295 changes in one Rake run");
    plan->edge_count = 0;
}

/* User code ran, or may have: nothing that was asked before counts. */
void
rake_plan_forget(rake_plan *plan)
{
    rake_ahead_end(plan);
    rake_plan_restructure(plan);
    plan->generation = plan->structure;
    plan->quiet = 0;
}

static VALUE
plan_restructure(VALUE self)
{
    rake_plan_restructure(rake_plan_get(self));
    return Qnil;
}

static VALUE
plan_forget(VALUE self)
{
    rake_plan_forget(rake_plan_get(self));
    return Qnil;
}

static VALUE
plan_set_build_all(VALUE self, VALUE flag)
{
    rake_plan_get(self)->build_all = RTEST(flag);
    return flag;
}

/* exist?(name): File.exist? from this generation's knowledge; nil: ask Ruby. */
static VALUE
plan_exist_p(VALUE self, VALUE name)
{
    rake_plan *plan = rake_plan_get(self);
    VALUE task;
    long slot;

    if (!rb_thread_alone() || !rake_plan_provable_name(name)) return Qnil;
    task = rake_plan_find(plan, 0, name);
    if (!NIL_P(task) && rake_plan_kind(plan, task) != KIND_STRANGER) {
        slot = rake_slots_of(plan, task);
    } else {
        slot = rake_slots_keep(plan, name);
    }
    return rake_plan_stat(plan, slot, name) == FILE_PRESENT ? Qtrue : Qfalse;
}

/* plain?(task): is it one that a walk may invoke by itself? */
static VALUE
plan_plain_p(VALUE self, VALUE task)
{
    enum task_kind kind = rake_plan_kind(rake_plan_get(self), task);

    return kind == KIND_STRANGER || kind == KIND_MULTI ? Qfalse : Qtrue;
}

/* mtime(task): Time, false for a missing file, nil where Rake must ask. */
static VALUE
plan_mtime(VALUE self, VALUE task)
{
    rake_plan *plan = rake_plan_get(self);
    VALUE name;
    long slot;

    if (rake_plan_kind(plan, task) != KIND_FILE) return Qnil;
    name = rake_task_name(task);
    if (!rake_plan_provable_name(name)) return Qnil;
    slot = rake_slots_of(plan, task);
    switch (rake_plan_stat(plan, slot, name)) {
      case FILE_PRESENT: return rb_time_timespec_new(&plan->slots[slot].mtime, INT_MAX);
      case FILE_MISSING: return Qfalse;
      default: return Qnil;
    }
}

/* needed?(task): nil where it cannot be proven. */
static VALUE
plan_needed_p(VALUE self, VALUE task)
{
    rake_plan *plan = rake_plan_get(self);

    if (rake_plan_kind(plan, task) == KIND_STRANGER) return Qnil;
    return rake_closure_needed(plan, rake_slots_of(plan, task));
}

/* out_of_date?(task, stamp): nil where it cannot be proven. */
static VALUE
plan_out_of_date_p(VALUE self, VALUE task, VALUE stamp)
{
    rake_plan *plan = rake_plan_get(self);

    if (CLASS_OF(stamp) != rb_cTime || rake_plan_kind(plan, task) != KIND_FILE) return Qnil;
    return rake_closure_out_of_date(plan, rake_slots_of(plan, task), rb_time_timespec(stamp));
}

void
frugal_rake_plan_init(void)
{
    VALUE plan = rb_define_class_under(frugal_mC, "RakePlan", rb_cObject);

    id_tasks = rb_intern("@tasks");
    id_application = rb_intern("@application");
    rb_define_alloc_func(plan, plan_allocate);
    rb_define_method(plan, "initialize", plan_initialize, 1);
    rb_define_method(plan, "forget", plan_forget, 0);
    rb_define_method(plan, "restructure", plan_restructure, 0);
    rb_define_method(plan, "build_all=", plan_set_build_all, 1);
    rb_define_method(plan, "exist?", plan_exist_p, 1);
    rb_define_method(plan, "plain?", plan_plain_p, 1);
    rb_define_method(plan, "mtime", plan_mtime, 1);
    rb_define_attr(plan, "live", 1, 1);
    rb_define_method(plan, "needed?", plan_needed_p, 1);
    rb_define_method(plan, "out_of_date?", plan_out_of_date_p, 2);
}
