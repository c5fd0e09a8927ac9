/*
 * Ruby and its extensions define their methods with rb_define_method. The recorder wraps some of these methods. A
 * program sees no difference in a wrapped method, and no TracePoint is needed. A statically linked Ruby calls its own
 * rb_define_method and not the recorder's: then digests of OpenSSL, backtraces and the waits of its methods are not
 * recorded.
 */
#define _GNU_SOURCE
#include "methods.h"
#include "recorder.h"
#include <string.h>

static bool
is_in(const char *variable, VALUE klass)
{
    const VALUE *value = dlsym(RTLD_DEFAULT, variable);

    return value && klass == *value;
}

/* While the VM starts, it defines the classes of the core, which have no names yet. */
static bool
is_owner(VALUE klass, const char *owner)
{
    bool started = frugal_ruby_version();

    if (strncmp(owner, VARIABLE_OF_RUBY, 3) == 0) return is_in(owner, klass);
    if (strcmp(owner, CORE) == 0) return !started;
    if (strcmp(owner, CORE_BUT_ARRAY) == 0) return !started && !is_in("rb_cArray", klass);
    return started && strcmp(OF_RUBY(rb_class2name)(klass), owner) == 0;
}

/* Returns the recorder's function for this method, or the method's own one if it is not wrapped. */
static method
around(VALUE klass, const char *name, method function, int arity)
{
    const struct frugal_method *const tables[] = { frugal_backtrace_methods, frugal_digest_methods,
                                                   frugal_wait_methods };

    if (!frugal_recording || frugal_by_thread) return function;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct frugal_method *at = tables[i]; at->name; at++)
            if (at->arity == arity && (!*at->stock || *at->stock == function) && strcmp(at->name, name) == 0 &&
                is_owner(klass, at->owner)) {
                *at->stock = function;
                return at->ours;
            }
    return function;
}

EXPORT void
rb_define_method(VALUE klass, const char *name, method function, int arity)
{
    NEXT(rb_define_method)(klass, name, around(klass, name, function, arity), arity);
}

EXPORT void
rb_define_private_method(VALUE klass, const char *name, method function, int arity)
{
    NEXT(rb_define_private_method)(klass, name, around(klass, name, function, arity), arity);
}
