/* Files that processes share under flock(2), and the few that are held open. */
#ifndef FRUGAL_STORE_FILE_H
#define FRUGAL_STORE_FILE_H

#include "frugal.h"

#include <stdbool.h>
#include <stdint.h>

#include "core/store_stamps.h"

enum { STORE_FREE, STORE_SHARED, STORE_EXCLUSIVE };

typedef struct store_file {
    int fd; /* -1: not open */
    unsigned forks; /* of this process as it was opened */
    bool writable, locked, known, trusted;
    int held; /* how the transaction under way has it */
    VALUE holder; /* the thread that is in it */
    VALUE name, index, table; /* what table makes tables of, as long as the bytes are known; or nil */
    bool looked; /* acquired, and the answer was not asked for yet */
    frugal_times times;
    frugal_sight sight;
    frugal_identity opened; /* what fd leads to, times as they were */
    frugal_identity identity; /* of the file as its bytes were known */
    int64_t allocated; /* bytes */
    struct store_file *newer, *older; /* of the open ones, or of those held */
    struct store_file *next_held;
} store_file;

/* The open files: at most so many but for those in a transaction. All under the VM lock. */
enum { STORE_FILES_OPEN = 32 };

void frugal_store_pool_init(void);

/* Forgets what a fork left behind, closing nothing: the numbers may be others' by now. */
void frugal_store_pool_wake(void);
bool frugal_store_pool_open(const store_file *file);
void frugal_store_pool_add(store_file *file, int fd, bool writable);
void frugal_store_pool_touch(store_file *file);
void frugal_store_pool_close(store_file *file);
/* Whether more are open than shall stay so. */
bool frugal_store_pool_full(void);
/* Closes one that is not in a transaction; false where there is none. */
bool frugal_store_pool_close_oldest(void);

/* Who is in a transaction. */
void frugal_store_hold(store_file *file, int how);
void frugal_store_let_go(store_file *file);
/* Whether this thread is in another transaction of the same file that would wait for this one for ever. */
bool frugal_store_would_wait_for_itself(const store_file *file, const frugal_identity *identity, int how);

store_file *frugal_store_file_get(VALUE self);
void frugal_store_bytes_init(VALUE klass);
void frugal_store_file_init(void);

#endif
