/*
 * The entries of one folder, the root of a tree, as far as one batch of the kernel contains them. A small folder
 * without subfolders needs no tree then. Otherwise a walk continues where the batch ends.
 */
#ifndef FRUGAL_TREE_FOLDER_H
#define FRUGAL_TREE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* With more names than this, a walk lists the folder, since it sorts faster. */
enum { FRUGAL_TREE_FOLDER_NAMES = 32 };

typedef struct {
    const char *path;
    bool deep;     /* the folders in it are to be listed, too */
    int fd;        /* -1: not open */
    int error;     /* errno, if it could not be opened */
    char *records; /* as the kernel returned them */
    long bytes;
    bool complete; /* `records` has all entries */
    bool walk;     /* there are folders to be listed, or entries of an unknown type */
} frugal_tree_folder;

typedef struct {
    const char *bytes;
    size_t length;
} frugal_tree_text;

typedef struct {
    const char *list[FRUGAL_TREE_FOLDER_NAMES]; /* in the folder's records */
    size_t count;
} frugal_tree_names;

/*
 * Opens the folder and reads its entries. Before the call, `path` and `deep` are set, `fd` is -1, and all other members
 * are 0.
 */
void frugal_tree_folder_read(frugal_tree_folder *folder);

/*
 * Finds the names that begin and end with these texts, and not with a dot. Returns false if a walk is needed: there are
 * folders to be listed, or too many entries.
 */
bool frugal_tree_folder_names(const frugal_tree_folder *folder, frugal_tree_text first, frugal_tree_text last,
                              bool sort, frugal_tree_names *names);

/* Closes the folder, unless a walk has its descriptor (`fd` is -1), and frees the records. */
void frugal_tree_folder_close(frugal_tree_folder *folder);

#endif
