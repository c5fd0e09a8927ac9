/*
 * Frugal::Native::C.core?: are these methods of a class still those that Ruby
 * began with? A drop-in that asks the file system itself asks this before each
 * question, since a test may have replaced File.exist? meanwhile; a Method for
 * each would cost more than the question.
 *
 * C that stands for Ruby code has a list of the core methods which that code would call, and asks at each use:
 * a redefined, prepended, removed or undefined method of these is the program's to run. A look-up costs a few
 * nanoseconds, as Ruby caches it in the class.
 */
#include "frugal.h"

static VALUE
methods_core_p(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 1, UNLIMITED_ARGUMENTS);
    Check_Type(argv[0], T_CLASS);
    for (int i = 1; i < argc; i++) {
        if (!rb_method_basic_definition_p(argv[0], rb_sym2id(argv[i]))) return Qfalse;
    }
    return Qtrue;
}

/* Are all of a list, which ends at a NULL, Ruby's own? */
bool
frugal_methods_core_p(frugal_core_method *list)
{
    for (frugal_core_method *method = list; method->owner; method++) {
        VALUE klass = method->singleton ? CLASS_OF(*method->owner) : *method->owner;

        if (!method->id) method->id = rb_intern(method->name);
        if (!rb_method_basic_definition_p(klass, method->id)) return false;
    }
    return true;
}

void
frugal_methods_init(void)
{
    rb_define_singleton_method(frugal_mC, "core?", methods_core_p, -1);
}
