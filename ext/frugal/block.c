/*
 * Frugal::Native::C.block_of: the block that was given to a method of the drop-ins.
 *
 *   def find(*paths)
 *     stock_find(*paths, &Native::C.block_of {})
 *   end
 *
 * A method that replaces upstream's has upstream's parameters. If upstream only yields, the method has no parameter for
 * the block, and Ruby offers no other way to pass it on: `{ |path| yield path }` would add a frame to the program's
 * backtraces. The empty block refers to the environment of the method, which refers to the method's block.
 *
 * The layout is the VM's, the same in Ruby 3.1 and 3.3: a Proc begins with `self` and its environment. In front of an
 * environment is the enclosing environment or, for a method's environment, its block. This block is a Proc once the
 * environment is on the heap. {Dropin::EntryMethod} checks this layout once.
 */
#include "frugal.h"

#define ENVIRONMENT_OF_METHOD 2

/* block_of { } -> the block of the method that contains the given block; nil if it has none */
static VALUE
block_of(VALUE self)
{
    VALUE proc = rb_block_proc();
    const VALUE *environment = ((const VALUE **)rb_check_typeddata(proc, RTYPEDDATA_TYPE(proc)))[1];
    VALUE block;

    while (!(environment[0] & ENVIRONMENT_OF_METHOD)) environment = (const VALUE *)(environment[-1] & ~(VALUE)3);
    block = environment[-1];
    RB_GC_GUARD(proc);
    return rb_obj_is_proc(block) || RB_SYMBOL_P(block) ? block : Qnil;
}

void
frugal_block_init(VALUE module)
{
    rb_ext_ractor_safe(true); /* there is no state */
    rb_define_singleton_method(module, "block_of", block_of, 0);
    rb_ext_ractor_safe(false);
}
