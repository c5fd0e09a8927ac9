#include "dir_chain.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* Where the name of the directory above ends; 0: there is none that could be made. */
static size_t
above(const char *path, size_t length)
{
    while (length > 0 && path[length - 1] == '/') length--;
    while (length > 0 && path[length - 1] != '/') length--;
    while (length > 0 && path[length - 1] == '/') length--;
    return length;
}

/* Where the next name ends, which was cut off by a NUL at `length`. */
static size_t
below(const char *path, size_t length, size_t whole)
{
    length++;
    while (length < whole && path[length] == '/') length++;
    length += strlen(path + length);
    return length;
}

static bool
make(const char *path, mode_t mode, bool exact)
{
    struct stat st;

    if (mkdir(path, mode) == 0) {
        if (exact) chmod(path, mode); /* whose error FileUtils ignores, as the directory is there */
        return true;
    }
    /* Another process was faster. */
    return errno == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool
frugal_dir_chain_make(char *path, size_t whole, mode_t mode, bool exact)
{
    size_t length = whole;
    bool made = true;

    while (mkdir(path, mode) != 0) {
        size_t cut = errno == ENOENT ? above(path, length) : 0;

        if (cut == 0) {
            made = false;
            break;
        }
        path[cut] = '\0';
        length = cut;
    }
    if (made && exact) chmod(path, mode);
    while (length < whole) {
        path[length] = '/';
        length = below(path, length, whole);
        if (made) made = make(path, mode, exact);
    }
    return made;
}
