/*
 * Ruby and its extensions define their methods with rb_define_method. The recorder wraps some of these methods. A
 * program sees no difference in a wrapped method, and no TracePoint is needed. A statically linked Ruby calls its own
 * rb_define_method and not the recorder's: then digests of OpenSSL and backtraces are not recorded.
 */
#define _GNU_SOURCE
#include "methods.h"
#include "recorder.h"
#include <string.h>

/* While the VM starts, classes have no names yet. */
static bool
is_owner(VALUE klass, const char *owner)
{
    if (strcmp(owner, "Exception") != 0)
        return frugal_ruby_version() && strcmp(OF_RUBY(rb_class2name)(klass), owner) == 0;
    const VALUE *exception = dlsym(RTLD_DEFAULT, "rb_eException");
    return exception && klass == *exception;
}

/* Returns the recorder's function for this method, or the method's own one if it is not wrapped. */
static method
around(VALUE klass, const char *name, method function, int arity)
{
    const struct frugal_method *const tables[] = { frugal_backtrace_methods, frugal_digest_methods };

    if (!frugal_recording || frugal_by_thread) return function;
    for (int i = 0; i < 2; i++)
        for (const struct frugal_method *at = tables[i]; at->name; at++)
            if (at->arity == arity && !*at->stock && strcmp(at->name, name) == 0 && is_owner(klass, at->owner)) {
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
