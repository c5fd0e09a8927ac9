/*
 * The variables that make a process record itself. A program does not see them in its environment: they are removed
 * when it starts, and added when it executes another program, even with an empty environment.
 *
 *   FRUGAL_RECORDING=CAPACITY:DEPTH:DIRECTORY
 *   FRUGAL_GROUP=NAME   if a request or an example started the process
 *   LD_PRELOAD=[those of the user]:/.../recorder.so
 */
#define _GNU_SOURCE
#include "recorder.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define RECORDING "FRUGAL_RECORDING="
#define GROUP "FRUGAL_GROUP="
#define PRELOAD "LD_PRELOAD="

static char recording[4096 + 64]; /* the whole variable; empty: not recording */
static char library[4096];        /* our own path */
static char preload[8192];        /* the user's LD_PRELOAD */
static struct {
    unsigned users;       /* threads in which libc starts a program */
    char **before, **now; /* `environ`; NULL: it was not replaced */
    void *room;
    size_t size;
} shown;

static bool
starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Copies the list without our library. Returns whether anything is left. */
static bool
without_library(char *to, size_t size, const char *list)
{
    size_t used = strlen(PRELOAD);

    strcpy(to, PRELOAD);
    while (*list) {
        size_t length = strcspn(list, ": ");
        bool ours = length == strlen(library) && strncmp(list, library, length) == 0;
        if (length && !ours && used + length + 2 < size) {
            if (used > strlen(PRELOAD)) to[used++] = ':';
            memcpy(to + used, list, length);
            used += length;
        }
        list += length + (list[length] != 0);
    }
    to[used] = 0;
    return used > strlen(PRELOAD);
}

static void
remove_variable(char **at)
{
    for (; *at; at++) at[0] = at[1];
}

void
frugal_environment_hide(void)
{
    for (char **at = environ; at && *at;) {
        if (starts_with(*at, RECORDING) || starts_with(*at, GROUP)) {
            remove_variable(at);
        }
        else if (starts_with(*at, PRELOAD) && !without_library(preload, sizeof preload, *at + strlen(PRELOAD))) {
            remove_variable(at);
        }
        else {
            if (starts_with(*at, PRELOAD)) *at = preload;
            at++;
        }
    }
}

/* Not strtoul: with glibc 2.38, this compiles to a function that older libcs do not have. */
static uint64_t
number_at(const char **at)
{
    uint64_t number = 0;

    while (**at >= '0' && **at <= '9') number = number * 10 + (uint64_t)(*(*at)++ - '0');
    return number;
}

/* Reads the variables and hides them. Returns false if this process does not record itself. */
bool
frugal_environment_take(const char **directory, uint64_t *capacity, unsigned *depth, const char **group)
{
    const char *value = getenv("FRUGAL_RECORDING");
    Dl_info info;
    if (!value || strlen(value) + sizeof RECORDING > sizeof recording) return false;
    const char *at = value;
    *capacity = number_at(&at);
    if (*at++ != ':') return false;
    *depth = (unsigned)number_at(&at);
    if (*at++ != ':') return false;
    if (!dladdr((void *)frugal_environment_take, &info) || strlen(info.dli_fname) >= sizeof library) return false;
    strcpy(library, info.dli_fname);
    strcpy(recording, RECORDING);
    strcat(recording, value);
    *directory = recording + strlen(RECORDING) + (at - value);
    *group = getenv("FRUGAL_GROUP"); /* its bytes remain valid when the variable is hidden */
    frugal_environment_hide();
    return true;
}

static size_t
count(char *const envp[])
{
    size_t variables = 0;

    while (envp && envp[variables]) variables++;
    return variables;
}

static const char *
preload_in(char *const envp[])
{
    for (char *const *at = envp; at && *at; at++)
        if (starts_with(*at, PRELOAD)) return *at + strlen(PRELOAD);
    return NULL;
}

/* Returns the number of bytes that frugal_environment_with needs. */
size_t
frugal_environment_space(char *const envp[])
{
    const char *list = preload_in(envp);
    size_t group = 0;

    frugal_group_name(&group);
    return (count(envp) + 4) * sizeof(char *) + sizeof PRELOAD + (list ? strlen(list) : 0) + strlen(library) + 2 +
           sizeof GROUP + group;
}

/* Writes the variable of the group, if there is one. Returns the end of the written text. */
static char *
write_group(char *text)
{
    size_t size;
    const char *name = frugal_group_name(&size);

    if (!name) return text;
    memcpy(stpcpy(text, GROUP), name, size);
    text += strlen(GROUP) + size;
    *text = 0;
    return text + 1;
}

/* Returns the environment for a program that will be executed. It is built in the caller's space, because no memory can
 * be allocated after a vfork. */
char **
frugal_environment_with(char *const envp[], void *space)
{
    if (!recording[0]) return (char **)envp;
    char **variables = space;
    size_t used = 0;
    const char *list = preload_in(envp);
    for (char *const *at = envp; at && *at; at++)
        if (!starts_with(*at, PRELOAD) && !starts_with(*at, RECORDING) && !starts_with(*at, GROUP))
            variables[used++] = *at;
    char *text = (char *)(variables + count(envp) + 4), *end = write_group(text);
    if (end > text) variables[used++] = text;
    text = end;
    strcpy(text, PRELOAD);
    if (list && *list) strcat(strcat(text, list), ":");
    strcat(text, library);
    variables[used++] = text;
    variables[used++] = recording;
    variables[used] = NULL;
    return variables;
}

/* The lock is held. The previous memory stays mapped: another thread may still read it. */
static bool
find_room(void)
{
    size_t size = frugal_environment_space(environ);

    if (size <= shown.size) return true;
    void *room = mmap(NULL, size * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return false;
    shown.room = room;
    shown.size = size * 2;
    return true;
}

/* For system(3) and popen(3), which read `environ` themselves. Several threads may call them at the same time: the
 * first one replaces `environ`, with its own group, and the last one restores it. */
void
frugal_environment_show(void)
{
    if (!recording[0]) return;
    frugal_lock();
    if (shown.users++ == 0 && find_room()) {
        shown.before = environ;
        environ = shown.now = frugal_environment_with(environ, shown.room);
    }
    frugal_unlock();
}

static void
put_back(void)
{
    if (shown.now && environ == shown.now) environ = shown.before;
    else if (shown.now) frugal_environment_hide(); /* setenv(3) copied our environment */
    shown.now = NULL;
}

void
frugal_environment_restore(void)
{
    if (!recording[0]) return;
    frugal_lock();
    if (shown.users && --shown.users == 0) put_back();
    frugal_unlock();
}

/* Called in the child of a fork, where no other thread will restore `environ`. */
void
frugal_environment_forked(void)
{
    shown.users = 0;
    put_back();
}
