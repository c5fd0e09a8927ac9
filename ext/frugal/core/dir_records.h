/*
 * A directory's entries as the kernel lists them, a batch at a time. libc hides
 * the call; its opendir adds an fstat, to choose the size of a buffer. Linux only.
 */
#ifndef FRUGAL_DIR_RECORDS_H
#define FRUGAL_DIR_RECORDS_H

#ifdef __linux__

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As much as glibc's readdir asks for at a time: larger ones gain nothing. */
#define FRUGAL_DIR_BATCH_BYTES 32768

typedef struct {
    uint64_t inode;
    int64_t offset;
    unsigned short size; /* from here to the next one, in bytes */
    unsigned char type;
    char name[];
} frugal_dir_record;

/* The bytes of one batch, 0 at the end, -1 with errno set. `batch` is aligned as a record is. */
static inline long
frugal_dir_records_read(int fd, char *batch)
{
    return syscall(SYS_getdents64, fd, batch, FRUGAL_DIR_BATCH_BYTES);
}

#endif

#endif
