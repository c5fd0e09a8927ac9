/*
 * Ruby and its extensions hand their methods to rb_define_method. Some methods get a function of the recorder around
 * them; nothing that a program can ask about the method changes, and no TracePoint is needed. A statically linked Ruby
 * has this function in itself and does not ask the recorder: then digests of OpenSSL and backtraces are not recorded.
 */
#define _GNU_SOURCE
#include "methods.h"
#include "recorder.h"
#include <string.h>

/* Ruby has no public function for the bytes of a string, but one for the byte at which a character begins. */
size_t
frugal_string_size(VALUE string)
{
    return (size_t)OF_RUBY(rb_str_offset)(string, OF_RUBY(rb_str_strlen)(string));
}

const char *
frugal_string_bytes(VALUE string)
{
    return OF_RUBY(rb_string_value_ptr)(&string);
}

/* While the VM starts, classes have no names yet. */
static bool
is_owner(VALUE klass, const char *owner)
{
    if (strcmp(owner, "Exception") != 0)
        return frugal_ruby_version() && strcmp(OF_RUBY(rb_class2name)(klass), owner) == 0;
    const VALUE *exception = dlsym(RTLD_DEFAULT, "rb_eException");
    return exception && klass == *exception;
}

/* Returns the function that the method gets. */
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
