/* Looks tasks up by name, as Rake does. */
#include "rake/rake_lookup.h"

#include <ruby/encoding.h>
#include <string.h>

static ID id_tasks;

/* The application's Hash of tasks; Qnil if it is not a Hash. */
VALUE
frugal_rake_lookup_tasks(rake_plan *plan)
{
    if (plan->tasks_structure != plan->structure) {
        VALUE tasks = rb_attr_get(plan->application, id_tasks);

        RB_OBJ_WRITE(plan->self, &plan->tasks, RB_TYPE_P(tasks, T_HASH) ? tasks : Qnil);
        plan->tasks_structure = plan->structure;
    }
    return plan->tasks;
}

/*
 * Whether a name can be looked up without Rake. Rake matches names with /^rake:/ and
 * /^\^/, which raise on invalid bytes and also match after a newline. The file system
 * rejects a NUL byte.
 */
bool
frugal_rake_lookup_provable_name(VALUE name)
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
    return rb_enc_get_index(name) == rb_utf8_encindex() && rb_enc_str_coderange(name) == ENC_CODERANGE_VALID;
}

/*
 * The task that Rake's look-up finds from a scope: the one in the innermost namespace. Qnil if there is no such task
 * yet.
 */
VALUE
frugal_rake_lookup_find(rake_plan *plan, long scope, VALUE name)
{
    VALUE tasks = frugal_rake_lookup_tasks(plan);

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

void
frugal_rake_lookup_init(void)
{
    id_tasks = rb_intern("@tasks");
}
