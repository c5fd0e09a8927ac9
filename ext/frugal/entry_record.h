/* Names, reads and decodes the files of entries, and makes Ruby objects of their records. */
#ifndef FRUGAL_ENTRY_RECORD_H
#define FRUGAL_ENTRY_RECORD_H

#include <ruby.h>
#include <sys/stat.h>

#include "core/entry/entry.h"
#include "open_file.h"

/* The name of an entry's file, "dir/ab/cdef…". Raises ArgumentError unless `digest` is a hexadecimal SHA-256. */
VALUE frugal_entry_record_path(VALUE dir, VALUE digest);

/* The result of the last read of a file. */
typedef struct {
    struct stat st; /* of the last `load` */
    frugal_entry_state state;
    size_t used;                           /* bytes */
    unsigned char head[FRUGAL_ENTRY_HEAD]; /* the first bytes of the file */
} frugal_entry_record_seen;

/* The methods of EntryFile with these names. `klass` is a Struct with the members of Frugal::Entries::Record. */
VALUE frugal_entry_record_load(frugal_open_file *open, frugal_entry_record_seen *seen, VALUE digest, size_t largest,
                               int reads, VALUE klass);
VALUE frugal_entry_record_problem(const frugal_entry_record_seen *seen);
VALUE frugal_entry_record_reload(frugal_open_file *open, frugal_entry_record_seen *seen, VALUE digest, VALUE klass);

/* The method `read` of EntryFile. Closes the file, which is on the caller's stack. */
VALUE frugal_entry_record_read(frugal_open_file *open, VALUE digest, size_t largest, int reads, VALUE klass);

#endif
