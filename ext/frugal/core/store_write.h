/*
 * A file's content, replaced in place. Plain C: knows nothing of Ruby.
 *
 * What is written is the span that differs. Where the file grows beyond the
 * blocks that it has, these are reserved before the first byte is overwritten,
 * so that a full disk leaves it as it was; where writing fails half way, the
 * old bytes are put back.
 */
#ifndef FRUGAL_STORE_WRITE_H
#define FRUGAL_STORE_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/*
 * `old` and `fresh` are what the file has from `base` on, and is to have there.
 * Where `old` is NULL, the file is asked for it if it takes more than one page:
 * a page is written or is not.
 */
typedef struct {
    int fd;
    const char *old;
    size_t old_size;
    const char *fresh;
    size_t fresh_size;
    size_t base;
    size_t file_size;
    size_t final_size; /* what comes after is cut off, last */
    int64_t allocated; /* bytes that the file's blocks have room for */
    struct stat after; /* filled in */
    int error;
} frugal_store_write;

/*
 * Writes; false with `error` set where it could not, the file then as before if
 * the system allowed that. A signal does not stop it. Calls: one pwrite; one
 * more to reserve or to cut; one fstat.
 */
bool frugal_store_write_run(frugal_store_write *write);

/* pread and pwrite; lseek and read or write where a filter of system calls knows no others. */
ssize_t frugal_store_read_at(int fd, char *bytes, size_t size, size_t offset);
ssize_t frugal_store_write_at(int fd, const char *bytes, size_t size, size_t offset);

/* All bytes at an offset, whatever signals come; how many it wrote before an error. */
size_t frugal_store_write_all(int fd, const char *bytes, size_t size, size_t offset, int *error);

#endif
