/* The lists of the open files, of the files in transactions and of the kept files. Used only under the VM lock. */
#include "store/store_file.h"

#include <pthread.h>
#include <unistd.h>

static unsigned forks;      /* of this process and its ancestors */
static unsigned pool_forks; /* the value of `forks` when the lists were last used */
static store_file *newest, *oldest, *held, *kept_newest, *kept_oldest;
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
    file->lock = STORE_UNLOCKED;
    count--;
}

/* flock(2) belongs to the open file, which a parent and its child share: if the child unlocks it, it is unlocked. */
void
frugal_store_pool_check_fork(void)
{
    VALUE thread;

    if (pool_forks == forks) return;
    pool_forks = forks;
    while (newest) unlink_open(newest);
    thread = rb_thread_current();
    for (store_file *file = held, *next; file; file = next) {
        next = file->next_held;
        if (file->holder == thread) continue;
        /* The transaction's thread does not exist in the child, and may have been in the middle of a change. */
        frugal_store_let_go(file);
        frugal_store_drop(file);
        file->owner = file->index = Qnil;
        frugal_store_file_invalidate(file);
    }
}

bool
frugal_store_pool_open(const store_file *file)
{
    return file->fd >= 0 && file->forks == forks;
}

static void
add_newest(store_file *file)
{
    file->older = newest;
    file->newer = NULL;
    *(newest ? &newest->newer : &oldest) = file;
    newest = file;
}

void
frugal_store_pool_add(store_file *file, int fd, bool writable)
{
    frugal_store_pool_check_fork();
    frugal_store_pool_close(file);
    while (count >= STORE_FILES_OPEN && frugal_store_pool_close_oldest()) continue;
    file->fd = fd;
    file->forks = forks;
    file->writable = writable;
    add_newest(file);
    count++;
}

void
frugal_store_pool_touch(store_file *file)
{
    if (newest == file) return;
    file->newer->older = file->older;
    *(file->older ? &file->older->newer : &oldest) = file->newer;
    add_newest(file);
}

void
frugal_store_pool_close(store_file *file)
{
    int fd = file->fd;

    frugal_store_pool_check_fork();
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

    frugal_store_pool_check_fork();
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
        if (other == file || other->holder != thread || other->held == STORE_ENTERED) continue;
        if (how == STORE_SHARED && other->held == STORE_SHARED) continue;
        if (frugal_store_identity_same_file(&other->opened, identity)) return true;
    }
    return false;
}

/* -- kept files -- */

void
frugal_store_drop(store_file *file)
{
    if (kept_newest != file && !file->kept_newer) return; /* not kept */
    *(file->kept_newer ? &file->kept_newer->kept_older : &kept_newest) = file->kept_older;
    *(file->kept_older ? &file->kept_older->kept_newer : &kept_oldest) = file->kept_newer;
    file->kept_newer = file->kept_older = NULL;
}

void
frugal_store_keep(store_file *file)
{
    if (kept_newest == file) return;
    frugal_store_drop(file);
    file->kept_older = kept_newest;
    *(kept_newest ? &kept_newest->kept_newer : &kept_oldest) = file;
    kept_newest = file;
}

/* A file in a transaction is left out: it may be garbage that is not yet swept. */
VALUE
frugal_store_kept(void)
{
    VALUE list = rb_ary_new();

    for (const store_file *file = kept_newest; file; file = file->kept_older) {
        if (file->held == STORE_FREE) rb_ary_push(list, file->self);
    }
    return list;
}

static void
keeper_mark(void *data)
{
    for (const store_file *file = kept_newest; file; file = file->kept_older) {
        if (file->held == STORE_FREE) rb_gc_mark(file->self);
    }
}

/* The type has no write barriers, so each garbage collection marks the kept files. */
static const rb_data_type_t keeper_type = { .wrap_struct_name = "Frugal::Native::C::StoreFile (kept)",
                                            .function = { .dmark = keeper_mark },
                                            .flags = 0 };

void
frugal_store_pool_init(void)
{
    rb_gc_register_mark_object(TypedData_Wrap_Struct(rb_cObject, &keeper_type, &kept_newest));
    pthread_atfork(NULL, NULL, after_fork);
}
