/*
 * The open descriptors of stores, few of them, and the transactions under way.
 * Only threads that have the VM lock come here.
 */
#include "store_file.h"

#include <pthread.h>
#include <unistd.h>

static unsigned forks; /* of this process and its ancestors */
static unsigned pool_forks; /* as the lists were last looked at */
static store_file *newest, *oldest, *held;
static int count;

static void
after_fork(void)
{
    forks++;
}

static void
unlink_open(store_file *file)
{
    *(file->newer ? &file->newer->older : &newest) = file->older;
    *(file->older ? &file->older->newer : &oldest) = file->newer;
    file->newer = file->older = NULL;
    file->fd = -1;
    file->locked = false;
    count--;
}

/* flock(2) belongs to the open file, which the parent and the child share: what the child unlocks, the parent loses. */
void
frugal_store_pool_wake(void)
{
    VALUE thread;

    if (pool_forks == forks) return;
    pool_forks = forks;
    while (newest) unlink_open(newest);
    thread = rb_thread_current();
    for (store_file *file = held, *next; file; file = next) {
        next = file->next_held;
        if (file->holder != thread) frugal_store_let_go(file); /* no other thread came along */
    }
}

bool
frugal_store_pool_open(const store_file *file)
{
    return file->fd >= 0 && file->forks == forks;
}

static void
put_first(store_file *file)
{
    file->older = newest;
    file->newer = NULL;
    *(newest ? &newest->newer : &oldest) = file;
    newest = file;
}

void
frugal_store_pool_add(store_file *file, int fd, bool writable)
{
    frugal_store_pool_wake();
    frugal_store_pool_close(file);
    while (count >= STORE_FILES_OPEN && frugal_store_pool_close_oldest()) continue;
    file->fd = fd;
    file->forks = forks;
    file->writable = writable;
    put_first(file);
    count++;
}

void
frugal_store_pool_touch(store_file *file)
{
    if (newest == file) return;
    file->newer->older = file->older;
    *(file->older ? &file->older->newer : &oldest) = file->newer;
    put_first(file);
}

void
frugal_store_pool_close(store_file *file)
{
    int fd = file->fd;

    frugal_store_pool_wake();
    if (file->fd < 0) return;
    unlink_open(file);
    close(fd);
}

bool
frugal_store_pool_full(void)
{
    return count > STORE_FILES_OPEN;
}

bool
frugal_store_pool_close_oldest(void)
{
    store_file *file = oldest;

    frugal_store_pool_wake();
    while (file && file->held) file = file->newer;
    if (!file) return false;
    frugal_store_pool_close(file);
    return true;
}

void
frugal_store_hold(store_file *file, int how)
{
    if (file->held == STORE_FREE) {
        file->next_held = held;
        held = file;
    }
    file->held = how;
    file->holder = rb_thread_current();
}

void
frugal_store_let_go(store_file *file)
{
    store_file **link = &held;

    if (file->held == STORE_FREE) return;
    while (*link != file) link = &(*link)->next_held;
    *link = file->next_held;
    file->held = STORE_FREE;
    file->holder = Qnil;
}

bool
frugal_store_would_wait_for_itself(const store_file *file, const frugal_identity *identity, int how)
{
    VALUE thread;

    if (!held || (held == file && !file->next_held)) return false;
    thread = rb_thread_current();
    for (const store_file *other = held; other; other = other->next_held) {
        if (other == file || other->holder != thread) continue;
        if (how == STORE_SHARED && other->held == STORE_SHARED) continue;
        if (frugal_identity_same_file(&other->opened, identity)) return true;
    }
    return false;
}

void
frugal_store_pool_init(void)
{
    pthread_atfork(NULL, NULL, after_fork);
}
