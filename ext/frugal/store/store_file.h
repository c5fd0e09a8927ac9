/* The files that processes share under flock(2), and the list of open files. Only for the files of this folder. */
#ifndef FRUGAL_STORE_FILE_H
#define FRUGAL_STORE_FILE_H

#include "binding.h"

#include <stdbool.h>
#include <stdint.h>

#include "core/store/store.h"

/*
 * How the transaction in progress uses a file. ENTERED: the transaction has begun, but has not locked or checked the
 * file yet.
 */
enum { STORE_FREE, STORE_ENTERED, STORE_SHARED, STORE_EXCLUSIVE };

/*
 * The flock of this process. LOCKED_UNREPORTED: `enter` has locked the file and found the cache invalid; `acquire` will
 * report that to the caller.
 *
 *   UNLOCKED -> LOCKED                 acquire, adopt
 *   LOCKED -> LOCKED_UNREPORTED        enter
 *   LOCKED_UNREPORTED -> LOCKED        acquire, which returns false; seize
 *   any -> UNLOCKED                    unlock, close, fork (in the child)
 */
enum store_lock { STORE_UNLOCKED, STORE_LOCKED, STORE_LOCKED_UNREPORTED };

/*
 * The cache: the bytes that the caller keeps, and their `identity`. VALID: if a stat returns this identity, the file
 * still has these bytes. UNPROVABLE: no stat can prove that, since the times of `identity` are too coarse or too new.
 *
 *   any -> INVALID or UNPROVABLE       frugal_store_file_identify: acquire, write, adopt
 *   INVALID -> VALID                   frugal_store_file_validate: read, write, adopt, revalidate
 *   VALID -> INVALID                   frugal_store_file_invalidate: acquire or enter that found
 *                                      another identity, before write, invalidate, fork (in the child)
 */
enum store_cache { STORE_CACHE_UNPROVABLE, STORE_CACHE_INVALID, STORE_CACHE_VALID };

typedef struct store_file {
    int fd;         /* -1: not open */
    unsigned forks; /* of this process and its ancestors, when it was opened */
    bool writable;  /* opened for writing */
    enum store_lock lock;
    enum store_cache cache;
    int held;          /* STORE_FREE or how the transaction in progress uses it */
    VALUE holder;      /* the thread of that transaction */
    VALUE owner;       /* the object that entered, until it leaves; or nil */
    VALUE index, kind; /* enter makes tables of this index and of this class; or nil */
    uid_t user;        /* the user and group that opened it */
    gid_t group;
    frugal_times times;
    frugal_sighting sighting;
    frugal_identity opened;           /* of `fd`, when it was opened */
    frugal_identity identity;         /* of the cache */
    int64_t allocated;                /* the bytes that fit into the file's blocks */
    struct store_file *newer, *older; /* in the list of open files */
    struct store_file *next_held;     /* in the list of files in transactions */
    VALUE self;
    struct store_file *kept_newer, *kept_older; /* in the list of kept files */
} store_file;

/* The greatest number of files that stay open outside of transactions. The list is used only under the VM lock. */
enum { STORE_FILES_OPEN = 32 };

void frugal_store_pool_init(void);

/* In a forked child, forgets the inherited files. Does not close them: other files may have the descriptors by now. */
void frugal_store_pool_check_fork(void);
bool frugal_store_pool_open(const store_file *file);
void frugal_store_pool_add(store_file *file, int fd, bool writable);
void frugal_store_pool_touch(store_file *file);
void frugal_store_pool_close(store_file *file);
/* Reports whether more than STORE_FILES_OPEN are open. */
bool frugal_store_pool_full(void);
/* Closes the oldest file that is not in a transaction. Returns false if there is none. */
bool frugal_store_pool_close_oldest(void);

/*
 * A kept file is not garbage-collected, even if no object refers to it, unless it is in a transaction: a transaction
 * that was abandoned in a fiber must not keep its lock.
 */
void frugal_store_keep(store_file *file);
void frugal_store_drop(store_file *file);
/* The kept files that are not in a transaction, the newest first. */
VALUE frugal_store_kept(void);

/* Begins and ends the use of a file by a transaction of this thread. */
void frugal_store_hold(store_file *file, int how);
void frugal_store_let_go(store_file *file);
/* Reports whether this thread is in another transaction of the same file. Then waiting for the lock would never end. */
bool frugal_store_would_wait_for_itself(const store_file *file, const frugal_identity *identity, int how);

store_file *frugal_store_file_get(VALUE self);

/* The transitions of `cache`. */
void frugal_store_file_identify(store_file *file, const frugal_identity *identity);

static inline void
frugal_store_file_validate(store_file *file)
{
    if (file->cache == STORE_CACHE_INVALID) file->cache = STORE_CACHE_VALID;
}

static inline void
frugal_store_file_invalidate(store_file *file)
{
    if (file->cache == STORE_CACHE_VALID) file->cache = STORE_CACHE_INVALID;
}

/* The methods fresh? and acquire of StoreFile. */
VALUE frugal_store_file_is_fresh(store_file *file, VALUE path, VALUE follow);
VALUE frugal_store_file_acquire(VALUE self, VALUE path, VALUE follow, VALUE exclusive);
void frugal_store_file_unlock(store_file *file);

void frugal_store_file_init(VALUE klass);
void frugal_store_session_init(VALUE klass);
void frugal_store_bytes_init(VALUE klass);

#endif
