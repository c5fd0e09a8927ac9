#include "core/fileutils/dir_chain.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* The length of the path of the parent directory; 0 if the path has none that could be created. */
static size_t
parent_length(const char *path, size_t length)
{
    while (length > 0 && path[length - 1] == '/') length--;
    while (length > 0 && path[length - 1] != '/') length--;
    while (length > 0 && path[length - 1] == '/') length--;
    return length;
}

/* The length of the path including the next name, whose slash was replaced by a NUL at `length`. */
static size_t
next_length(const char *path, size_t length, size_t full_length)
{
    length++;
    while (length < full_length && path[length] == '/') length++;
    length += strlen(path + length);
    return length;
}

static bool
make_directory(const char *path, mode_t mode, bool exact)
{
    struct stat st;

    if (mkdir(path, mode) == 0) {
        if (exact) chmod(path, mode); /* FileUtils ignores its error, since the directory exists */
        return true;
    }
    /* Another process may have created it first. */
    return errno == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool
frugal_fileutils_chain_make(char *path, size_t full_length, mode_t mode, bool exact)
{
    size_t length = full_length;
    bool ok = true;

    while (mkdir(path, mode) != 0) {
        size_t parent = errno == ENOENT ? parent_length(path, length) : 0;

        if (parent == 0) {
            ok = false;
            break;
        }
        path[parent] = '\0';
        length = parent;
    }
    if (ok && exact) chmod(path, mode);
    while (length < full_length) {
        path[length] = '/';
        length = next_length(path, length, full_length);
        if (ok) ok = make_directory(path, mode, exact);
    }
    return ok;
}
