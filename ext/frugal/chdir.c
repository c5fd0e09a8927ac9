/*
 * Dir.chdir, Dir.fchdir and Dir#chdir for the drop-in of Find: they call Ruby's own methods and count the changes of
 * the current directory. They are in C, so backtraces show no file of frugal.
 */
#include "frugal.h"

#include "core/find/find.h"

static ID id_chdir, id_fchdir;

typedef struct {
    VALUE self;
    ID stock;
    int argc;
    const VALUE *argv;
} chdir_call;

/* Counts the change before the block, which runs in the new directory. */
static VALUE
chdir_block(RB_BLOCK_CALL_FUNC_ARGLIST(first, unused))
{
    frugal_find_count_cwd_change();
    return rb_yield_values2(argc, argv);
}

static VALUE
chdir_stock(VALUE arg)
{
    const chdir_call *call = (const chdir_call *)arg;

    if (!rb_block_given_p()) return rb_funcallv(call->self, call->stock, call->argc, call->argv);
    return rb_block_call(call->self, call->stock, call->argc, call->argv, chdir_block, Qnil);
}

static VALUE
chdir_ensure(VALUE unused)
{
    frugal_find_count_cwd_change();
    return Qnil;
}

static VALUE
call_and_count(VALUE self, ID stock, int argc, const VALUE *argv)
{
    chdir_call call = { .self = self, .stock = stock, .argc = argc, .argv = argv };

    return rb_ensure(chdir_stock, (VALUE)&call, chdir_ensure, Qnil);
}

static VALUE
chdir_to_path(int argc, VALUE *argv, VALUE self)
{
    return call_and_count(self, id_chdir, argc, argv);
}

static VALUE
chdir_to_descriptor(VALUE self, VALUE descriptor)
{
    return call_and_count(self, id_fchdir, 1, &descriptor);
}

static VALUE
chdir_to_self(VALUE self)
{
    return call_and_count(self, id_chdir, 0, NULL);
}

/* Chdir.define(owner, name): defines one of the methods. Ruby warns if the program redefines it, as for its own. */
static VALUE
chdir_define(VALUE self, VALUE owner, VALUE name)
{
    ID id = rb_sym2id(name);

    if (id == rb_intern("fchdir")) {
        rb_define_method_id(owner, id, chdir_to_descriptor, 1);
    }
    else if (owner == rb_cDir) {
        rb_define_method_id(owner, id, chdir_to_self, 0);
    }
    else {
        rb_define_method_id(owner, id, chdir_to_path, -1);
    }
    return Qnil;
}

/* Chdir.use_count: from now on, the count of changes is complete, as all methods are replaced. */
static VALUE
chdir_use_count(VALUE self)
{
    frugal_find_trust_cwd_count();
    return Qnil;
}

void
frugal_chdir_init(VALUE module)
{
    VALUE chdir = rb_define_module_under(module, "Chdir");

    id_chdir = rb_intern("frugal_stock_chdir");
    id_fchdir = rb_intern("frugal_stock_fchdir");
    rb_ext_ractor_safe(true);
    rb_define_singleton_method(chdir, "define", chdir_define, 2);
    rb_define_singleton_method(chdir, "use_count", chdir_use_count, 0);
    rb_ext_ractor_safe(false);
}
