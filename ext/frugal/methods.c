/*
 * Frugal::Native::C.core?: whether methods of a class are still Ruby's own. A drop-in
 * checks this before each probe, since a test may have replaced File.exist? in the
 * meantime. A Method object for each check would cost more than the probe.
 *
 * C code that replaces Ruby code has a list of Ruby's own methods that the Ruby code would call, and checks them at
 * each use. If one of them was redefined, prepended, removed or undefined, the Ruby code runs instead. A look-up takes
 * a few nanoseconds, as Ruby caches it in the class.
 */
#include "methods.h"

static ID id_instance_method, id_equal;

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

/* direct?(object, klass) -> whether the object is an instance of the class itself and has no singleton class */
static VALUE
methods_direct_p(VALUE self, VALUE object, VALUE klass)
{
    return CLASS_OF(object) == klass ? Qtrue : Qfalse;
}

/*
 * same?(klass, names, methods) -> whether a class still has these UnboundMethods: a program may have redefined one.
 * Also false if instance_method or == is no longer Ruby's own. Raises NameError for a removed method.
 */
static VALUE
methods_same_p(VALUE self, VALUE klass, VALUE names, VALUE methods)
{
    Check_Type(names, T_ARRAY);
    Check_Type(methods, T_ARRAY);
    if (!rb_method_basic_definition_p(CLASS_OF(klass), id_instance_method)) return Qfalse;
    for (long i = 0; i < RARRAY_LEN(names); i++) {
        VALUE name = rb_ary_entry(names, i), method = rb_ary_entry(methods, i);

        if (!rb_method_basic_definition_p(CLASS_OF(method), id_equal)) return Qfalse;
        if (!RTEST(rb_funcallv(rb_funcallv(klass, id_instance_method, 1, &name), id_equal, 1, &method))) return Qfalse;
    }
    return Qtrue;
}

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
frugal_methods_init(VALUE module)
{
    id_instance_method = rb_intern("instance_method");
    id_equal = rb_intern("==");
    rb_ext_ractor_safe(true); /* there is no global state */
    rb_define_singleton_method(module, "core?", methods_core_p, -1);
    rb_define_singleton_method(module, "direct?", methods_direct_p, 2);
    rb_define_singleton_method(module, "same?", methods_same_p, 3);
    rb_ext_ractor_safe(false);
}
