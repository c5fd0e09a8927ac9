/*
 * The native side of frugal under MRI. Reading order:
 *
 *   core/stat_batch.c   many stats at once, on threads    (plain C, no ruby.h)
 *   probe.c             one question, one system call     (binding)
 */
#include "frugal.h"

VALUE frugal_mC;

RUBY_FUNC_EXPORTED void
Init_frugal(void)
{
    VALUE frugal = rb_define_module("Frugal");
    VALUE native = rb_define_module_under(frugal, "Native");

    frugal_mC = rb_define_module_under(native, "C");
    rb_define_const(frugal_mC, "NAME", ID2SYM(rb_intern("c")));
    frugal_probe_init();
}
