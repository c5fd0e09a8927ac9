/*
 * Reads a directory's entries from the kernel, a batch at a time, by getdents64(2). Older libcs have no function for
 * this call, and their opendir(3) adds an fstat to choose the size of a buffer. Linux only.
 */
#ifndef FRUGAL_DIR_RECORDS_H
#define FRUGAL_DIR_RECORDS_H

#ifdef __linux__

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The size that glibc's readdir uses; a larger batch is not faster. */
#define FRUGAL_DIR_BATCH_BYTES 32768

typedef struct {
    uint64_t inode;
    int64_t offset;
    unsigned short size; /* distance to the next record, in bytes */
    unsigned char type;
    char name[];
} frugal_dir_record;

/*
 * Reads one batch. Returns its size, 0 at the end, or -1 with errno set. `batch` must have the alignment of a record.
 */
static inline long
frugal_system_read_records(int fd, char *batch)
{
    return syscall(SYS_getdents64, fd, batch, FRUGAL_DIR_BATCH_BYTES);
}

#endif

#endif
