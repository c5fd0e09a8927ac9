/*
 * Marks the measured part of a program for callgrind. Without valgrind, reads the highest number of bytes that peak.c
 * has counted.
 */
#include <ruby.h>
#include <valgrind/callgrind.h>

/* Defined by peak.c where that is preloaded. */
extern void frugal_cost_peak_start(void) __attribute__((weak));
extern long frugal_cost_peak(void) __attribute__((weak));

/* The first start makes callgrind translate the program again, which takes half a second. */
static VALUE
meter_start(VALUE self)
{
    if (frugal_cost_peak_start) frugal_cost_peak_start();
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_DUMP_STATS_AT("unmeasured"); /* CALLGRIND_ZERO_STATS leaves some costs */
    return self;
}

static VALUE
meter_peak(VALUE self)
{
    return frugal_cost_peak ? LONG2NUM(frugal_cost_peak()) : Qnil;
}

/* callgrind writes what it has counted, with this text. */
static VALUE
meter_dump(VALUE self, VALUE text)
{
    CALLGRIND_DUMP_STATS_AT(StringValueCStr(text));
    return self;
}

static VALUE
meter_valgrind_p(VALUE self)
{
    return RUNNING_ON_VALGRIND ? Qtrue : Qfalse;
}

void
Init_frugal_cost_meter(void)
{
    VALUE meter = rb_define_module("FrugalCostMeter");
    rb_define_singleton_method(meter, "start", meter_start, 0);
    rb_define_singleton_method(meter, "peak", meter_peak, 0);
    rb_define_singleton_method(meter, "dump", meter_dump, 1);
    rb_define_singleton_method(meter, "valgrind?", meter_valgrind_p, 0);
}
