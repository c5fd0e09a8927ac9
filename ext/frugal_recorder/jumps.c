/*
 * libc's functions that jump. A signal handler may interrupt the recorder and jump out of it: then the recorder does
 * not continue, so these functions end its work before they jump.
 */
#define _GNU_SOURCE
#include "recorder.h"
#include <setjmp.h>
#include <stdlib.h>

static void
before_jump(void)
{
    if (!frugal_thread.busy) return;
    if (frugal_has_lock()) frugal_log_jumped();
    frugal_unlock();
    frugal_ruby_jumped();
    frugal_thread.busy = false;
}

typedef void jump(struct __jmp_buf_tag *, int);

#define DEFINE_JUMP(name) \
    void name(struct __jmp_buf_tag *place, int value) __attribute__((noreturn)); \
    EXPORT void name(struct __jmp_buf_tag *place, int value) \
    { \
        before_jump(); \
        NEXT(name)(place, value); \
        abort(); \
    }

DEFINE_JUMP(longjmp)
DEFINE_JUMP(_longjmp)
DEFINE_JUMP(siglongjmp)
#if defined(__GLIBC__)
DEFINE_JUMP(__longjmp_chk)
#endif
