/*
 * Dir.chdir and its kin as Find's drop-in has them: Ruby's own, and a count of
 * what they changed. In C, so that a backtrace shows no file of ours.
 */
#include "frugal.h"

#include "core/cwd_changes.h"

static ID id_chdir, id_fchdir;

typedef struct {
    VALUE self;
    ID stock;
    int argc;
    const VALUE *argv;
} chdir_call;

/* Within the block the process is elsewhere already. */
static VALUE
chdir_block(RB_BLOCK_CALL_FUNC_ARGLIST(first, unused))
{
    frugal_cwd_changed();
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
chdir_told(VALUE unused)
{
    frugal_cwd_changed();
    return Qnil;
}

static VALUE
tell(VALUE self, ID stock, int argc, const VALUE *argv)
{
    chdir_call call = { .self = self, .stock = stock, .argc = argc, .argv = argv };

    return rb_ensure(chdir_stock, (VALUE)&call, chdir_told, Qnil);
}

static VALUE
chdir_to_path(int argc, VALUE *argv, VALUE self)
{
    return tell(self, id_chdir, argc, argv);
}

static VALUE
chdir_to_descriptor(VALUE self, VALUE descriptor)
{
    return tell(self, id_fchdir, 1, &descriptor);
}

static VALUE
chdir_to_self(VALUE self)
{
    return tell(self, id_chdir, 0, NULL);
}

/* Chdir.told: these methods are the only ones that change it. */
static VALUE
chdir_are_told(VALUE self)
{
    frugal_cwd_changes_are_told();
    return Qnil;
}

void
frugal_chdir_init(void)
{
    VALUE chdir = rb_define_module_under(frugal_mC, "Chdir");
    VALUE singleton = rb_define_module_under(chdir, "Singleton");
    VALUE instance = rb_define_module_under(chdir, "Instance");

    id_chdir = rb_intern("frugal_stock_chdir");
    id_fchdir = rb_intern("frugal_stock_fchdir");
    rb_ext_ractor_safe(true);
    rb_define_singleton_method(chdir, "told", chdir_are_told, 0);
    rb_define_method(singleton, "chdir", chdir_to_path, -1);
    rb_define_method(singleton, "fchdir", chdir_to_descriptor, 1);
    rb_define_method(instance, "chdir", chdir_to_self, 0);
    rb_ext_ractor_safe(false);
}
