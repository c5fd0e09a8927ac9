/*
 * The recorder: a library that LD_PRELOAD puts into each process of a profiled program. It defines the functions of
 * libc that reach the file system, calls libc's own, and writes down each call with its Ruby stack.
 *
 * Reading order. A file uses only those before it:
 *   process.c          the process: its clock, its threads and its copies; the switch for recording
 *   lock.c             the lock
 *   log.c              the mapped file (log.h): events in chunks of threads
 *   hash.c             hashes of names, stacks and answers
 *   log_definitions.c  names, in chunks of the process
 *   log_excerpt.c      the part of a log that one thread wrote during a measurement
 *   group.c            the route or example that a thread or the process works on
 *   paths.c            descriptor -> path, the current directory
 *   ractors.c          detects several Ractors
 *   ruby_frames.c      the frames of Ruby stacks
 *   ruby_stack.c       the Ruby stack of a thread, the start of the VM, the garbage collector
 *   answers.c          answers questions, or compares their answers, instead of recording (answers.h)
 *   listings.c         does that for the names in folders
 *   call.c             from a finished call to an event
 *   ruby_raises.c      exceptions
 *   jumps.c            jumps of signal handlers out of the recorder
 *   backtraces.c       backtraces, and output to descriptors that are not files
 *   digests.c          digests, which make no call of libc but can be waste
 *   waits.c            waits, for time or for news from outside of the process
 *   methods.c          wraps the methods of Ruby for the three files above
 *   environment.c      hides the recorder from ENV, and passes it to each program that is executed
 *   calls_ask.c        the functions of libc, by what they do; calls_change.c, calls_io.c, calls_open.c, calls_wait.c,
 *                      calls_watch.c
 *   calls_process.c    those that start programs; and system calls, which the files above record, too
 *   ruby_agent.c       loads a file of Ruby into each recorded Ruby
 *   recorder.c         starts the recorder
 *   attach.c           makes libraries that are loaded already call the recorder
 *   ruby_module.c      Frugal::Recorder, for a process that measures itself
 *
 * Rules: no malloc (the program may have its own, or be inside of it), errno and descriptors stay as they are, nothing
 * of Ruby is linked (the library is also in sh and git), and a recorder that cannot continue stops without a message.
 */
#ifndef FRUGAL_RECORDER_H
#define FRUGAL_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HIDDEN __attribute__((visibility("hidden")))
#define EXPORT __attribute__((visibility("default")))
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

#include "calls.h"

/* An event as it is stored in the file. The reader is lib/frugal/profile/log.rb. */
struct event {
    uint64_t start;  /* ns, CLOCK_MONOTONIC */
    uint64_t result; /* a hash of what the call returned; 0: unknown */
    int64_t bytes;
    uint32_t duration; /* ns, at most 4.29 s */
    uint32_t path;     /* definitions; 0: none */
    uint32_t to;
    uint32_t stack;
    uint32_t group;
    uint32_t tid;
    int32_t fd;
    uint32_t flags;
    uint32_t pid; /* of a child that shares our memory (vfork); 0: the process of the file */
    uint16_t call;
    uint16_t error;
};

/* The kinds of definitions, with their contents. The id of a definition is its position in the file, from 1. */
enum definition {
    DEFINITION_STRING = 1,  /* bytes */
    DEFINITION_PATH,        /* u32 path of the directory, 0: absolute; bytes */
    DEFINITION_FRAME,       /* u32 string of the file, line, string of the label */
    DEFINITION_STACK,       /* u32 frame ..., innermost first */
    DEFINITION_LABEL,       /* u32 frame, string: the label of a frame that was defined without one */
    DEFINITION_DECLARATION, /* u32 path of the current directory; bytes: what the agent wrote, see ruby_agent.c */
};

/* A question that is being asked, see answers.c. */
struct question {
    struct answer *answer, *listed; /* NULL: it is not answered */
    uint64_t asked, start;
    const void *bytes; /* where the answer will be */
    size_t size;
    uint32_t extra;
    bool known;
};

struct thread {
    bool busy; /* runs the recorder: its own calls and those of signal handlers are not recorded */
    bool busy_before_lock;
    bool reading; /* frames of Ruby, without the VM lock */
    bool vforked; /* this may be a child that shares our memory, see calls_process.c */
    bool measuring;
    bool waited; /* the last event was a wait */
    uint32_t tid;
    uint32_t group;
    const char *group_name; /* points into the log, see group.c */
    uint32_t child;         /* the pid of such a child; 0: this is the parent */
    uint32_t log_generation;
    struct chunk *chunk;
    struct event *last; /* points into the log */
    uint32_t waits;     /* only for answers */
    struct question question;
};

extern HIDDEN __thread struct thread frugal_thread __attribute__((tls_model("initial-exec")));

/* process.c */
extern HIDDEN bool frugal_recording; /* false: every function only calls libc's */
extern HIDDEN bool frugal_by_thread; /* only threads that are measuring are recorded */
HIDDEN uint64_t frugal_now(void);
HIDDEN uint32_t frugal_pid(void);
HIDDEN void frugal_find_child(struct thread *thread);
HIDDEN void frugal_forked(void);
extern HIDDEN volatile bool *frugal_same_process; /* becomes false in a copy of the process, however it was created */

static inline void
frugal_check_process(void)
{
    if (UNLIKELY(!*frugal_same_process)) frugal_forked();
}

/* Returns whether this is a child that shares the memory of the process. */
static inline bool
frugal_in_child(void)
{
    if (UNLIKELY(frugal_thread.vforked)) frugal_find_child(&frugal_thread);
    return frugal_thread.child != 0;
}

struct frugal_fork_handlers {
    void (*before)(void), (*in_parent)(void);
    void (*in_copy)(void); /* the child of a fork, or another copy of the process */
};
HIDDEN void frugal_process_begin(const struct frugal_fork_handlers *handlers);

/* lock.c */
HIDDEN void frugal_lock(void);
HIDDEN void frugal_unlock(void);
HIDDEN bool frugal_has_lock(void);
HIDDEN void frugal_lock_forked(void);
HIDDEN void frugal_pause(void);

/* log.c */
HIDDEN bool frugal_log_open(const char *directory, uint64_t capacity);
HIDDEN bool frugal_log_open_anonymous(uint64_t capacity);
HIDDEN void frugal_log_forked(void);
HIDDEN bool frugal_log_reopen(void);
HIDDEN void frugal_log_set_ruby(const char *version);
HIDDEN void frugal_log_append(const struct event *event);
HIDDEN void frugal_log_count(enum call call);
HIDDEN uint32_t frugal_log_generation(void);
HIDDEN const char *frugal_log_bytes(size_t *size);
HIDDEN uint64_t frugal_log_counted(enum call call);

/* log_definitions.c */
HIDDEN void frugal_definitions_reset(void);
HIDDEN void frugal_log_jumped(void);
HIDDEN uint32_t frugal_log_define(enum definition kind, const void *head, size_t head_size, const void *bytes,
                                  size_t size);
HIDDEN uint32_t frugal_log_string(const char *bytes, size_t size);
HIDDEN uint32_t frugal_log_kept_string(const char *bytes, size_t size, const char **kept);

/* log_excerpt.c */
HIDDEN void frugal_excerpt_begin(void);
HIDDEN void frugal_excerpt_count(unsigned call);
HIDDEN char *frugal_excerpt_end(size_t *size);

/* group.c */
HIDDEN void frugal_group_set_thread(const char *name, size_t size);
HIDDEN void frugal_group_set_process(const char *name, size_t size);
HIDDEN void frugal_group_inherit(const char *name);
HIDDEN uint32_t frugal_group(void);
HIDDEN const char *frugal_group_name(size_t *size);
HIDDEN void frugal_group_forking(void);
HIDDEN void frugal_group_fork_ended(void);
HIDDEN void frugal_group_forked(void);

/* paths.c */
HIDDEN uint32_t frugal_path(int dirfd, const char *path);
HIDDEN uint32_t frugal_path_in(uint32_t directory, const char *path);
HIDDEN uint32_t frugal_cwd(void);
HIDDEN uint32_t frugal_path_of(int fd);
HIDDEN bool frugal_fd_opened(int fd, uint32_t path, const char *name);
HIDDEN void frugal_fd_closed(int fd);
HIDDEN void frugal_fd_copied(int from, int to);
HIDDEN void frugal_fds_closed(unsigned first, unsigned last);
HIDDEN void frugal_paths_reset(void);
HIDDEN void frugal_cwd_changed(void);
HIDDEN uint32_t frugal_cwd_number(void);
HIDDEN void frugal_renamed(int from_fd, const char *from, int to_fd, const char *to);

/* ruby_stack.c */
struct frugal_ruby_hooks {
    void (*raised)(unsigned long, void *event_of_ruby);
    bool (*prepare_agent)(void); /* once the VM has started; returns whether there is an agent to load */
    void (*load_agent)(void);
    void (*started)(void); /* the VM */
    void (*thread_started)(unsigned long, void *event_of_ruby);
};
HIDDEN void frugal_ruby_find(const struct frugal_ruby_hooks *ruby_hooks);
HIDDEN void frugal_ruby_ready(void);
HIDDEN void frugal_ruby_agent_waits(void);
HIDDEN uint32_t frugal_ruby_stack(void);
HIDDEN void frugal_ruby_forked(void);
HIDDEN void frugal_ruby_jumped(void);
HIDDEN const char *frugal_ruby_version(void);
HIDDEN bool frugal_ruby_has(const void *address);
HIDDEN void frugal_ruby_set_depth(unsigned depth);

/* ractors.c */
HIDDEN void frugal_ractors_find(void);
HIDDEN void frugal_ractors_note(void);

/* ruby_agent.c */
HIDDEN void frugal_agent_in(const char *directory);
HIDDEN bool frugal_agent_prepare(void);
HIDDEN void frugal_agent_soon(void);

/* answers.c; answers.h has what the functions of libc that ask need */
extern HIDDEN bool frugal_answers; /* this process answers or compares; it records nothing */
HIDDEN bool frugal_answers_open(const char *directory);
HIDDEN void frugal_answers_end(const struct event *event, enum call call, bool failed);
HIDDEN void frugal_answers_end_path(const struct event *event, enum call call, int dirfd, const char *path,
                                    bool failed);
HIDDEN void frugal_answers_changed(int dirfd, const char *path);
HIDDEN void frugal_answers_renamed(int dirfd, const char *path);
HIDDEN void frugal_answers_void(bool ever);

/* call.c */
HIDDEN bool frugal_begin(struct event *event);
HIDDEN void frugal_end(struct event *event, enum call call, bool failed);
HIDDEN void frugal_end_path(struct event *event, enum call call, int dirfd, const char *path, bool failed);
HIDDEN bool frugal_set_fd(struct event *event, int fd);
HIDDEN bool frugal_end_fd(struct event *event, enum call call, int fd, bool failed);

/* ruby_raises.c */
HIDDEN bool frugal_raises_find(void);
HIDDEN void frugal_on_raise(unsigned long unused, void *event_of_ruby);

/* recorder.c */
HIDDEN void frugal_recorder_init(void);

/* calls_ask.c, calls_change.c and calls_open.c, also for calls that were made by syscall(2) */
HIDDEN void frugal_end_getcwd(struct event *event, const char *path);
HIDDEN void frugal_end_rename(struct event *event, int from_fd, const char *from, int to_fd, const char *to,
                              bool failed);
HIDDEN void frugal_end_statx(struct event *event, int dirfd, const char *path, const void *answer, bool failed);
HIDDEN void frugal_end_entries(struct event *event, int fd, const void *entries, long filled);
HIDDEN int frugal_end_open(struct event *event, enum call call, int dirfd, const char *path, int flags, int fd);

/* waits.c */
HIDDEN void frugal_end_wait(struct event *event);
HIDDEN bool frugal_is_news(long result);
HIDDEN void frugal_note_wait(void);
HIDDEN void frugal_on_thread(unsigned long unused, void *event_of_ruby);
HIDDEN void frugal_waits_note(void);
HIDDEN void frugal_waits_of_ruby(void);
HIDDEN bool frugal_can_trace(void);
HIDDEN void frugal_wait_at(unsigned long method);

/* backtraces.c */
HIDDEN void frugal_end_output(struct event *event, int fd, long size);

/* environment.c */
HIDDEN bool frugal_environment_take(const char **directory, uint64_t *capacity, unsigned *depth, const char **group);
HIDDEN size_t frugal_environment_space(char *const envp[]);
HIDDEN char **frugal_environment_with(char *const envp[], void *space);
HIDDEN void frugal_environment_show(void);
HIDDEN void frugal_environment_restore(void);
HIDDEN void frugal_environment_forked(void);
HIDDEN void frugal_environment_hide(void);

/* For arguments that libc declares as never NULL: the compiler would remove a plain comparison with NULL. */
static inline bool
frugal_is_null(const void *pointer)
{
    __asm__("" : "+r"(pointer));
    return !pointer;
}

/* The next definition of a function after ours, which is libc's. All are looked up at the start, because the loader has
 * a lock: a thread that loads a library may hold it while another thread forks. */
struct next {
    const char *name;
    void *function;
};
#define NEXT(name) \
    (__extension__({ \
        static struct next next_##name \
            __attribute__((section("next_functions"), used, aligned(16))) = { #name, NULL }; \
        if (UNLIKELY(!next_##name.function)) next_##name.function = frugal_next(#name); \
        (__typeof__(&name))next_##name.function; \
    }))
HIDDEN void *frugal_next(const char *name);

#endif
