/*
 * Frugal::Native::C.raise_site: a number for the place where an exception was raised.
 * It makes no object per frame, so allocations and time do not depend on the depth of
 * the stack.
 *
 * Until a program reads a backtrace, Ruby stores it as a record of frames, each with
 * its code and the position in it. The record is internal to the VM. Its layout is
 * declared here for the Ruby versions below, and is checked once against the first
 * backtrace that Ruby itself returns. If it differs, or in another version, the number
 * is computed from Ruby's Location objects. See docs/adr/0004.
 */
#include "frugal.h"
#include <ruby/version.h>
#include <stdint.h>
#include <string.h>

#define FRAMES 8 /* how many innermost frames count: several, as a method like `find` is called from many places */

#if RUBY_API_VERSION_MAJOR == 3 && (RUBY_API_VERSION_MINOR == 1 || RUBY_API_VERSION_MINOR == 2)
struct frame {
    int kind;
    const void *code, *position;
    ID name;
};
struct record {
    const struct frame *frames;
    int size;
    VALUE strings, locations;
};
#define RECORD_OF(backtrace) RTYPEDDATA_DATA(backtrace)
#define LAYOUT_DECLARED 1
#elif (RUBY_API_VERSION_MAJOR == 3 && (RUBY_API_VERSION_MINOR == 3 || RUBY_API_VERSION_MINOR == 4)) || \
    (RUBY_API_VERSION_MAJOR == 4 && RUBY_API_VERSION_MINOR == 0)
struct frame {
    const void *name, *code, *position;
};
struct record {
    int size;
    VALUE strings, locations;
    struct frame frames[1];
};
#define RECORD_OF(backtrace) RTYPEDDATA_GET_DATA(backtrace) /* the record may be embedded in the object */
#define LAYOUT_DECLARED 1
#endif

static ID id_locations, id_path, id_lineno;

static uint64_t
mix(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return sum ^ (sum >> 29);
}

static VALUE
site_number(uint64_t sum)
{
    return LONG2FIX((long)(sum >> 3));
}

/* Computes the number from Ruby's Location objects, one for each frame. */
static VALUE
site_of_locations(VALUE exception)
{
    VALUE locations = rb_funcall(exception, id_locations, 0);
    uint64_t sum = 0;
    long i;

    if (!RB_TYPE_P(locations, T_ARRAY) || RARRAY_LEN(locations) == 0) return Qnil;
    for (i = 0; i < RARRAY_LEN(locations) && i < FRAMES; i++) {
        VALUE location = RARRAY_AREF(locations, i);
        sum = mix(sum, (uint64_t)NUM2LONG(rb_hash(rb_funcall(location, id_path, 0))));
        sum = mix(sum, (uint64_t)NUM2LONG(rb_funcall(location, id_lineno, 0)));
    }
    return site_number(sum);
}

#ifdef LAYOUT_DECLARED
static ID id_record;
static enum { UNCHECKED, CONFIRMED, REFUTED } layout = UNCHECKED;

/*
 * Whether the record has the declared layout: it must contain the number of frames and the Array of Locations that Ruby
 * returns. A backtrace of fewer than three frames proves nothing, since its size might match by chance.
 */
static bool
layout_confirmed_p(VALUE exception, const struct record *record)
{
    VALUE locations;

    if (layout != UNCHECKED) return layout == CONFIRMED;
    locations = rb_funcall(exception, id_locations, 0);
    if (!RB_TYPE_P(locations, T_ARRAY) || RARRAY_LEN(locations) < 3) return false;
    layout = record->size == RARRAY_LEN(locations) && record->locations == locations ? CONFIRMED : REFUTED;
    return layout == CONFIRMED;
}

static bool
backtrace_p(VALUE object)
{
    return RB_TYPE_P(object, T_DATA) && RTYPEDDATA_P(object) &&
           strcmp(RTYPEDDATA_TYPE(object)->wrap_struct_name, "backtrace") == 0;
}

/* raise_site(exception) -> Integer, or nil if Ruby has no record of the backtrace */
static VALUE
raise_site(VALUE self, VALUE exception)
{
    const struct record *record;
    const struct frame *frames;
    VALUE backtrace;
    uint64_t sum = 0;
    int i, count;

    if (!rb_obj_is_kind_of(exception, rb_eException)) return Qnil;
    backtrace = rb_attr_get(exception, id_record);
    if (!backtrace_p(backtrace)) return Qnil;
    record = RECORD_OF(backtrace);
    if (!record || !layout_confirmed_p(exception, record)) return site_of_locations(exception);

    frames = record->frames;
    count = record->size < FRAMES ? record->size : FRAMES;
    for (i = 0; i < count; i++) {
        sum = mix(mix(sum, (uintptr_t)frames[i].code), (uintptr_t)frames[i].position);
    }
    RB_GC_GUARD(backtrace);
    return site_number(sum);
}
#else
static VALUE
raise_site(VALUE self, VALUE exception)
{
    return rb_obj_is_kind_of(exception, rb_eException) ? site_of_locations(exception) : Qnil;
}
#endif

void
frugal_raise_site_init(VALUE module)
{
#ifdef LAYOUT_DECLARED
    id_record = rb_intern("bt_locations");
#endif
    id_locations = rb_intern("backtrace_locations");
    id_path = rb_intern("path");
    id_lineno = rb_intern("lineno");
    rb_define_singleton_method(module, "raise_site", raise_site, 1);
}
