/*
 * A group names the current work: the route of a request, or the file of an example. A thread without its own group
 * uses the group of the process. A process that is started meanwhile inherits the group, so its calls count for it.
 *
 *   FRUGAL_GROUP=NAME   for a program that is executed, see environment.c
 */
#include "recorder.h"
#include <string.h>

#define MOST 4096 /* bytes of a name that other processes inherit */

static struct group {
    uint32_t id;
    const char *name; /* points into the log, where its size precedes it */
} of_process;
static char inherited[MOST + 1]; /* the group of the process that started this one; empty: none */
static char forking[MOST + 1];   /* the group of the thread that forks */

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

/* With an empty name, the process gets the inherited group. */
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

/* Returns the name of the calling thread's group, not zero-terminated; NULL if there is none or it is too long. */
const char *
frugal_group_name(size_t *size)
{
    const char *name = frugal_thread.group ? frugal_thread.group_name : of_process.name;

    if (!name) return NULL;
    *size = size_of(name);
    return *size <= MOST ? name : NULL;
}

/* Called before a fork: copies the name, because the child does not inherit the log. */
void
frugal_group_forking(void)
{
    size_t size;
    const char *name = frugal_group_name(&size);

    if (name) memcpy(forking, name, size);
    forking[name ? size : 0] = 0;
}

/* Called in the parent after a fork. */
void
frugal_group_fork_ended(void)
{
    forking[0] = 0;
}

/* Called in the child of a fork. A copy that was made without libc's fork handlers has no group. */
void
frugal_group_forked(void)
{
    strcpy(inherited, forking);
    frugal_group_set_process("", 0);
}
