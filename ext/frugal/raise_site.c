/*
 * Frugal::Native::C.raise_site: where an exception was raised, as a number, without
 * an object for each frame: allocations and time do not depend on the stack's depth.
 *
 * Ruby keeps a trace as a record of frames until somebody asks for it, each with its
 * instructions and the place in them. The record is the VM's own: its shape is known
 * here for the Rubies below alone, and it is compared with what Ruby itself tells of
 * the first trace that is asked about. Where it is another, Ruby is asked for objects.
 * See docs/adr/0004.
 */
#include "frugal.h"
#include <ruby/version.h>
#include <stdint.h>
#include <string.h>

#define FRAMES 8 /* the innermost: a finder is called from more than one place */

#if RUBY_API_VERSION_MAJOR == 3 && (RUBY_API_VERSION_MINOR == 1 || RUBY_API_VERSION_MINOR == 2)
struct frame { int kind; const void *code, *place; ID name; };
struct record { const struct frame *frames; int size; VALUE strings, locations; };
#define RECORD_OF(kept) RTYPEDDATA_DATA(kept)
#define SHAPE_KNOWN 1
#elif (RUBY_API_VERSION_MAJOR == 3 && (RUBY_API_VERSION_MINOR == 3 || RUBY_API_VERSION_MINOR == 4)) || \
    (RUBY_API_VERSION_MAJOR == 4 && RUBY_API_VERSION_MINOR == 0)
struct frame { const void *name, *code, *place; };
struct record { int size; VALUE strings, locations; struct frame frames[1]; };
#define RECORD_OF(kept) RTYPEDDATA_GET_DATA(kept) /* it may lie within the object */
#define SHAPE_KNOWN 1
#endif

static ID id_locations, id_path, id_lineno;

static uint64_t
mix(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return sum ^ (sum >> 29);
}

static VALUE
site_of(uint64_t sum)
{
    return LONG2FIX((long)(sum >> 3));
}

/* Ruby's own answer, with an object for each frame. */
static VALUE
asked_site(VALUE exception)
{
    VALUE locations = rb_funcall(exception, id_locations, 0);
    uint64_t sum = 0;
    long i;

    if (!RB_TYPE_P(locations, T_ARRAY) || RARRAY_LEN(locations) == 0) return Qnil;
    for (i = 0; i < RARRAY_LEN(locations) && i < FRAMES; i++) {
        VALUE one = RARRAY_AREF(locations, i);
        sum = mix(sum, (uint64_t)NUM2LONG(rb_hash(rb_funcall(one, id_path, 0))));
        sum = mix(sum, (uint64_t)NUM2LONG(rb_funcall(one, id_lineno, 0)));
    }
    return site_of(sum);
}

#ifdef SHAPE_KNOWN
static ID id_record;
static enum { UNSURE, RIGHT, WRONG } shape = UNSURE;

/* The depth, and the Array that Ruby has just made and keeps there, must be what Ruby tells; three frames are too many for chance. */
static int
shape_right_p(VALUE exception, const struct record *record)
{
    VALUE locations;

    if (shape != UNSURE) return shape == RIGHT;
    locations = rb_funcall(exception, id_locations, 0);
    if (!RB_TYPE_P(locations, T_ARRAY) || RARRAY_LEN(locations) < 3) return 0;
    shape = record->size == RARRAY_LEN(locations) && record->locations == locations ? RIGHT : WRONG;
    return shape == RIGHT;
}

/* Frugal::Native::C.raise_site(exception) -> Integer, or nil where Ruby has no record of it. */
static VALUE
raise_site(VALUE self, VALUE exception)
{
    const struct record *record;
    const struct frame *frames;
    VALUE kept;
    uint64_t sum = 0;
    int i, count;

    if (!rb_obj_is_kind_of(exception, rb_eException)) return Qnil;
    kept = rb_attr_get(exception, id_record);
    if (!RB_TYPE_P(kept, T_DATA) || !RTYPEDDATA_P(kept) || strcmp(RTYPEDDATA_TYPE(kept)->wrap_struct_name, "backtrace") != 0) return Qnil;
    record = RECORD_OF(kept);
    if (!record || !shape_right_p(exception, record)) return asked_site(exception);

    frames = record->frames;
    count = record->size < FRAMES ? record->size : FRAMES;
    for (i = 0; i < count; i++) {
        sum = mix(mix(sum, (uintptr_t)frames[i].code), (uintptr_t)frames[i].place);
    }
    RB_GC_GUARD(kept);
    return site_of(sum);
}
#else
static VALUE
raise_site(VALUE self, VALUE exception)
{
    return rb_obj_is_kind_of(exception, rb_eException) ? asked_site(exception) : Qnil;
}
#endif

void
frugal_raise_site_init(void)
{
#ifdef SHAPE_KNOWN
    id_record = rb_intern("bt_locations");
#endif
    id_locations = rb_intern("backtrace_locations");
    id_path = rb_intern("path");
    id_lineno = rb_intern("lineno");
    rb_define_singleton_method(frugal_mC, "raise_site", raise_site, 1);
}
