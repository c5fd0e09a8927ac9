/*
 * Overwrites the content of a file in place. Does not depend on Ruby.
 *
 * Only the span that differs is written. If the file grows beyond its blocks, new
 * ones are reserved before the first byte is overwritten, so that a full disk
 * leaves the file unchanged. If writing fails halfway, the old bytes are restored.
 */
#ifndef FRUGAL_STORE_WRITE_H
#define FRUGAL_STORE_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/*
 * From offset `base` on, the file has the bytes `old`, and gets the bytes `fresh`. If `old` is NULL, the bytes are read
 * from the file, unless the write stays within one page, which the kernel writes completely or not at all.
 */
typedef struct {
    int fd;
    const char *old;
    size_t old_size;
    const char *fresh;
    size_t fresh_size;
    size_t base;
    size_t file_size;
    size_t final_size; /* the file is cut here after writing */
    int64_t allocated; /* the bytes that fit into the file's blocks */
    struct stat after; /* output: the file after writing; zeros if fstat failed */
    int error;
} frugal_store_write;

/*
 * Returns false with `error` set if writing fails; the old bytes are restored if the system allows it. A signal does
 * not stop the write. System calls: one pwrite; one more to reserve blocks or to cut the file; one fstat.
 */
bool frugal_store_write_run(frugal_store_write *write);

/* pread; or lseek and read, if a seccomp filter does not allow pread. */
ssize_t frugal_store_read_at(int fd, char *bytes, size_t size, size_t offset);

#endif
