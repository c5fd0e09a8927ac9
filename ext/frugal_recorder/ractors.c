/*
 * Detects that the process has had more than one Ractor. A hook belongs to the Ractor that adds it, and there is no
 * event for the start of another Ractor. So exceptions in other Ractors are not recorded, and the report mentions this.
 * With a Ruby that exports neither of the two symbols (a static Ruby), nothing is detected.
 */
#define _GNU_SOURCE
#include "recorder.h"
#include <dlfcn.h>

static void *const *single_ractor; /* points to NULL once there has been a second Ractor */
static bool (*multi_ractor_p)(void);
static bool noted;

void
frugal_ractors_find(void)
{
    single_ractor = (void *const *)dlsym(RTLD_DEFAULT, "ruby_single_main_ractor");
    *(void **)&multi_ractor_p = dlsym(RTLD_DEFAULT, "rb_gc_multi_ractor_p");
}

/* Counts once that there were several Ractors. The VM has started. */
void
frugal_ractors_note(void)
{
    if (noted || (single_ractor ? *single_ractor != NULL : !multi_ractor_p || !multi_ractor_p())) return;
    noted = true;
    frugal_log_count(CALL_ractor);
}
