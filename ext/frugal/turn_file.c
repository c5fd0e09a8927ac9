/*
 * Frugal::Native::C::TurnFile: a file that is used only for its turns, one for each slot. Each object has the turn of
 * one slot, or waits for it.
 */
#include "frugal.h"

#include <fcntl.h>

#include "core/turn/turn.h"
#include "file_locks.h"

static VALUE turn_file_class;

static size_t
file_memsize(const void *ptr)
{
    return sizeof(frugal_open_file);
}

static const rb_data_type_t file_type = {
    .wrap_struct_name = "Frugal::Native::C::TurnFile",
    .function = { .dmark = frugal_open_file_mark, .dfree = frugal_open_file_free, .dsize = file_memsize },
    .flags = RUBY_TYPED_FREE_IMMEDIATELY
};

static frugal_open_file *
get_file(VALUE self)
{
    return rb_check_typeddata(self, &file_type);
}

/* open(path, slot, permissions) -> a TurnFile; creates the file if it is missing; nil if there is no directory */
static VALUE
file_s_open(VALUE klass, VALUE path, VALUE slot, VALUE permissions)
{
    int64_t number = NUM2LL(slot);
    frugal_open_file opened;
    frugal_open_file *file;
    VALUE self;

    if (number < 0 || number >= FRUGAL_TURN_SLOTS) rb_raise(rb_eArgError, "no such slot: %" PRIsVALUE, slot);
    if (!frugal_open_file_open(&opened, rb_get_path(path), O_RDWR | O_CREAT, (mode_t)NUM2UINT(permissions)))
        return Qnil;
    self = TypedData_Make_Struct(turn_file_class, frugal_open_file, &file_type, file);
    *file = opened;
    file->slot = number;
    return self;
}

/*
 * try_turn -> true: it has the turn now; false: another thread has it or waits for it; nil: the system has no such lock
 */
static VALUE
file_try_turn(VALUE self)
{
    return frugal_file_locks_try_turn(get_file(self));
}

/* wait_turn(seconds, most) -> whether this object has the turn now; nil if the system has no such lock */
static VALUE
file_wait_turn(VALUE self, VALUE seconds, VALUE most)
{
    VALUE answer = frugal_file_locks_wait_turn(get_file(self), seconds, most);

    RB_GC_GUARD(self);
    return answer;
}

static VALUE
file_end_turn(VALUE self)
{
    frugal_file_locks_end_turn(get_file(self));
    return Qnil;
}

/* close: ends the turn, too. May be called again. */
static VALUE
file_close(VALUE self)
{
    frugal_file_locks_close(get_file(self));
    return Qnil;
}

void
frugal_turn_file_init(VALUE module)
{
    turn_file_class = rb_define_class_under(module, "TurnFile", rb_cObject);
    rb_gc_register_mark_object(turn_file_class);
    rb_undef_alloc_func(turn_file_class);
    rb_define_singleton_method(turn_file_class, "open", file_s_open, 3);
    rb_define_method(turn_file_class, "try_turn", file_try_turn, 0);
    rb_define_method(turn_file_class, "wait_turn", file_wait_turn, 2);
    rb_define_method(turn_file_class, "end_turn", file_end_turn, 0);
    rb_define_method(turn_file_class, "close", file_close, 0);
}
