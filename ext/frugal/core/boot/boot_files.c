#include "core/boot/boot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/entry/entry.h"
#include "core/fileutils/fileutils.h"
#include "core/system/system.h"

#define MAGIC "frugalB1"

enum { CHECKSUM_AT = 8, SIZES_AT = 12, HEAD = 20, LARGEST = 1 << 26, SUBFOLDERS = 256, SUBFOLDER = 2 };
enum { TICKS = 5, DAY = 86400 }; /* seconds */
enum { NEW_FOLDERS = 4 };        /* as in ~/.cache/frugal/boot/ab */

#define NS INT64_C(1000000000)

/* -- the source -- */

#ifdef __linux__

/* Takes one call; realpath(3) takes one for each folder of the path. */
static bool
find_place(int fd, char place[PATH_MAX])
{
    char link[32];
    ssize_t length;

    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    length = readlink(link, place, PATH_MAX);
    if (length <= 0 || length == PATH_MAX) return false;
    place[length] = '\0';
    return place[0] == '/';
}

#else

static bool
find_place(int fd, char place[PATH_MAX])
{
#ifdef F_GETPATH
    return fcntl(fd, F_GETPATH, place) == 0; /* macOS */
#else
    return false;
#endif
}

#endif

/*
 * Whether every later change will get a new time. Only the kernel sets the ctime, from a clock whose ticks are shorter
 * than the required age, even if times are whole seconds. On overlayfs, another machine may have set the times; its
 * clock is assumed to be right to a day.
 */
static bool
is_settled(frugal_times times, const frugal_identity *identity)
{
    struct timespec now;
    int64_t age;

    if (times == FRUGAL_TIMES_UNKNOWN) return false;
    clock_gettime(CLOCK_REALTIME, &now);
    age = frugal_system_nanoseconds(now) - identity->ctime;
    return age / NS > (times == FRUGAL_TIMES_LAYERED ? DAY : TICKS);
}

bool
frugal_boot_look(const char *path, bool settles, frugal_boot_source *source)
{
    struct stat st;
    bool found;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd < 0) return false;
    found = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && find_place(fd, source->place);
    if (found) source->identity = frugal_store_identity_of(&st);
    source->times = found && settles ? frugal_system_times(fd) : FRUGAL_TIMES_UNKNOWN;
    source->settled = found && is_settled(source->times, &source->identity);
    close(fd);
    return found;
}

/* -- reading -- */

static bool
read_all(int fd, unsigned char *bytes, size_t size)
{
    size_t got = 0;

    while (got < size) {
        ssize_t count = read(fd, bytes + got, size - got);

        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        got += (size_t)count;
    }
    return true;
}

static uint32_t
number_at(const unsigned char *bytes, size_t at)
{
    uint32_t number;

    memcpy(&number, bytes + at, sizeof(number));
    return number;
}

/* Whether the bytes are a complete file of the cache with this witness. */
static bool
is_valid(const unsigned char *bytes, size_t size, const void *witness, size_t witness_size)
{
    return memcmp(bytes, MAGIC, CHECKSUM_AT) == 0 && number_at(bytes, SIZES_AT) == witness_size &&
           HEAD + witness_size + number_at(bytes, SIZES_AT + 4) == size &&
           memcmp(bytes + HEAD, witness, witness_size) == 0 &&
           number_at(bytes, CHECKSUM_AT) == frugal_entry_checksum(0, bytes + SIZES_AT, size - SIZES_AT);
}

bool
frugal_boot_read(const char *path, const void *witness, size_t size, frugal_boot_entry *entry)
{
    struct stat st;
    unsigned char *bytes = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);

    if (fd < 0) return false;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH)) &&
        st.st_size >= (off_t)(HEAD + size) && st.st_size <= LARGEST)
        bytes = malloc((size_t)st.st_size);
    if (bytes && read_all(fd, bytes, (size_t)st.st_size) && is_valid(bytes, (size_t)st.st_size, witness, size)) {
        *entry = (frugal_boot_entry){ bytes, bytes + HEAD + size, (size_t)st.st_size - HEAD - size };
    }
    else {
        free(bytes);
        bytes = NULL;
    }
    close(fd);
    return bytes != NULL;
}

/* -- writing -- */

static int
write_all(int fd, const void *bytes, size_t size)
{
    const char *at = bytes;

    while (size) {
        ssize_t count = write(fd, at, size);

        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count < 0 ? errno : ENOSPC;
        at += count;
        size -= (size_t)count;
    }
    return 0;
}

/* The length of the folder's path, or 0 if the path has no folder. */
static size_t
folder_of(const char *path, size_t length)
{
    while (length > 0 && path[--length] != '/') continue;
    return length;
}

/* Makes the missing folders above a file, but not a missing home folder, such as Debian's /nonexistent. */
static void
make_folders(const char *path)
{
    char folder[PATH_MAX];
    size_t length = folder_of(path, strlen(path)), above = length;

    if (length == 0 || length >= sizeof(folder)) return;
    memcpy(folder, path, length);
    for (int i = 0; i < NEW_FOLDERS; i++) above = folder_of(path, above);
    folder[above] = '\0';
    if (above > 0 && access(folder, F_OK) < 0) return;
    folder[above] = path[above];
    folder[length] = '\0';
    frugal_fileutils_chain_make(folder, length, S_IRWXU, false); /* another process may make them, too */
}

/* Creates a file, and the folders above it if they are missing. Returns -1 with errno set on failure. */
static int
create(const char *path)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
    int fd = open(path, flags, S_IRUSR | S_IWUSR);

    if (fd >= 0 || errno != ENOENT) return fd;
    make_folders(path);
    return open(path, flags, S_IRUSR | S_IWUSR);
}

bool
frugal_boot_note(const char *path)
{
    int fd = create(path);

    if (fd < 0) return errno == EEXIST;
    close(fd);
    return false;
}

int
frugal_boot_write(const char *path, const void *witness, size_t witness_size, const void *code, size_t code_size)
{
    size_t size = HEAD + witness_size + code_size;
    uint32_t sizes[] = { (uint32_t)witness_size, (uint32_t)code_size }, checksum;
    char new_path[PATH_MAX];
    unsigned char *bytes;
    int fd, error = 0;

    if (size > LARGEST) return EFBIG;
    if (snprintf(new_path, sizeof(new_path), "%s.%ld", path, (long)getpid()) >= PATH_MAX) return ENAMETOOLONG;
    if (!(bytes = malloc(size))) return ENOMEM;
    memcpy(bytes, MAGIC, CHECKSUM_AT);
    memcpy(bytes + SIZES_AT, sizes, sizeof(sizes));
    memcpy(bytes + HEAD, witness, witness_size);
    memcpy(bytes + HEAD + witness_size, code, code_size);
    checksum = frugal_entry_checksum(0, bytes + SIZES_AT, size - SIZES_AT);
    memcpy(bytes + CHECKSUM_AT, &checksum, sizeof(checksum));

    fd = create(new_path);
    if (fd < 0) {
        error = errno;
    }
    else {
        error = write_all(fd, bytes, size);
        if (close(fd) < 0 && !error) error = errno;
        if (!error && rename(new_path, path) < 0) error = errno;
        if (error) unlink(new_path);
    }
    free(bytes);
    return error;
}

/* -- old files -- */

static void
sweep_folder(int folder, int64_t before)
{
    DIR *dir = fdopendir(folder);
    struct dirent *entry;

    if (!dir) {
        close(folder);
        return;
    }
    while ((entry = readdir(dir))) {
        struct stat st;

        if (entry->d_name[0] == '.' || fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0) continue;
        if (S_ISREG(st.st_mode) && st.st_atime < before && st.st_mtime < before) unlinkat(dirfd(dir), entry->d_name, 0);
    }
    closedir(dir);
}

void
frugal_boot_sweep(const char *folder, int64_t seconds)
{
    int64_t before = (int64_t)time(NULL) - seconds;
    int root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (root < 0) return;
    for (int i = 0; i < SUBFOLDERS; i++) {
        char name[SUBFOLDER + 1];
        int subfolder;

        snprintf(name, sizeof(name), "%02x", i);
        subfolder = openat(root, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
        if (subfolder >= 0) sweep_folder(subfolder, before);
    }
    close(root);
}
