/* Start and end of the recorder, and what happens in copies of the process. Connects the files below. */
#define _GNU_SOURCE
#include "recorder.h"

#if !defined(__linux__) || __SIZEOF_POINTER__ != 8
#error "the recorder needs a 64-bit Linux"
#endif

/* Called in the child of a fork. */
static void
forked(void)
{
    frugal_lock_forked();
    frugal_environment_forked();
    frugal_recording = frugal_recording && !frugal_by_thread;
    frugal_log_forked();
    frugal_definitions_reset();
    frugal_paths_reset();
    frugal_ruby_forked();
    frugal_thread = (struct thread){ .group = 0 };
    if (!frugal_recording) return;
    frugal_recording = frugal_log_reopen();
    frugal_group_forked();
    if (frugal_ruby_version()) frugal_log_set_ruby(frugal_ruby_version());
    frugal_waits_note();
}

void
frugal_recorder_init(void)
{
    static const struct frugal_fork_handlers fork_handlers = { frugal_group_forking, frugal_group_fork_ended, forked };
    static const struct frugal_ruby_hooks ruby_hooks = { frugal_on_raise, frugal_agent_prepare, frugal_agent_soon,
                                                         frugal_waits_note, frugal_on_thread };
    static bool done;

    if (done) return;
    done = true;
    frugal_process_begin(&fork_handlers);
    if (frugal_raises_find()) frugal_ruby_find(&ruby_hooks);
}

__attribute__((constructor)) static void
start(void)
{
    const char *directory, *group;
    uint64_t capacity;
    unsigned depth;

    if (!frugal_environment_take(&directory, &capacity, &depth, &group)) return;
    frugal_recorder_init();
    frugal_ruby_set_depth(depth);
    frugal_agent_in(directory);
    frugal_recording = frugal_log_open(directory, capacity) && (depth || frugal_answers_open(directory));
    if (group) frugal_group_inherit(group);
}
