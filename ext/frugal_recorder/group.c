/*
 * What a process works on: the route of a request, the file of an example. A thread has a group of its own, or else
 * that of the process. Processes that are started meanwhile get it as theirs, so that their calls count for it.
 *
 *   FRUGAL_GROUP=NAME   for a program that is executed, see environment.c
 */
#include "recorder.h"
#include <string.h>

#define MOST 4096 /* bytes of a name that goes on to other processes */

static struct group {
    uint32_t id;
    const char *name; /* in the log: its size is before it */
} of_process;
static char inherited[MOST + 1]; /* of the process that started this one; empty: none */
static char forking[MOST + 1];   /* of the thread that forks */

static size_t
size_of(const char *name)
{
    return ((const uint32_t *)(const void *)name)[-1];
}

static struct group
define(const char *name, size_t size)
{
    struct group group = { 0, NULL };

    frugal_lock();
    if (frugal_recording && size) group.id = frugal_log_kept_string(name, size, &group.name);
    frugal_unlock();
    return group;
}

void
frugal_group_set_thread(const char *name, size_t size)
{
    struct group group = define(name, size);

    frugal_thread.group = group.id;
    frugal_thread.group_name = group.name;
}

/* An empty name: the inherited one. */
void
frugal_group_set_process(const char *name, size_t size)
{
    of_process = size ? define(name, size) : define(inherited, strlen(inherited));
}

void
frugal_group_inherit(const char *name)
{
    if (strlen(name) > MOST) return;
    strcpy(inherited, name);
    frugal_group_set_process("", 0);
}

uint32_t
frugal_group(void)
{
    return frugal_thread.group ? frugal_thread.group : of_process.id;
}

/* Returns the name of the calling thread's group, without a zero at its end; NULL: none, or too long. */
const char *
frugal_group_name(size_t *size)
{
    const char *name = frugal_thread.group ? frugal_thread.group_name : of_process.name;

    if (!name) return NULL;
    *size = size_of(name);
    return *size <= MOST ? name : NULL;
}

/* Before a fork: the log does not come along. */
void
frugal_group_forking(void)
{
    size_t size;
    const char *name = frugal_group_name(&size);

    if (name) memcpy(forking, name, size);
    forking[name ? size : 0] = 0;
}

/* In the parent. */
void
frugal_group_fork_ended(void)
{
    forking[0] = 0;
}

/* In the child. Copies of the process that libc does not know of have no group. */
void
frugal_group_forked(void)
{
    strcpy(inherited, forking);
    frugal_group_set_process("", 0);
}
