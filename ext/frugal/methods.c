/*
 * Frugal::Native::C.core?: are these methods of a class still those that Ruby
 * began with? A drop-in that asks the file system itself asks this before each
 * question, since a test may have replaced File.exist? meanwhile; a Method for
 * each would cost more than the question.
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

void
frugal_methods_init(void)
{
    rb_define_singleton_method(frugal_mC, "core?", methods_core_p, -1);
}
