/* Records of entries as Ruby's objects: names, reads and decodes their files. */
#ifndef FRUGAL_ENTRY_RECORD_H
#define FRUGAL_ENTRY_RECORD_H

#include <ruby.h>
#include <sys/stat.h>

#include "core/entry/entry.h"
#include "open_file.h"

/* The name of an entry's file, "dir/ab/cdef…". Raises ArgumentError for what is not a hexadecimal SHA-256. */
VALUE frugal_entry_record_path(VALUE dir, VALUE digest);

/* What is known of a file that was read. */
typedef struct {
    struct stat st; /* of the last `load` */
    frugal_entry_state state;
    size_t used;                           /* bytes */
    unsigned char head[FRUGAL_ENTRY_HEAD]; /* the first ones */
} frugal_entry_record_seen;

/* The methods of EntryFile with these names. `klass` is a Struct with the members of Frugal::Entries::Record. */
VALUE frugal_entry_record_load(frugal_open_file *open, frugal_entry_record_seen *seen, VALUE digest, size_t largest,
                               int reads, VALUE klass);
VALUE frugal_entry_record_problem(const frugal_entry_record_seen *seen);
VALUE frugal_entry_record_reload(frugal_open_file *open, frugal_entry_record_seen *seen, VALUE digest, VALUE klass);

/* Closes the file, which is on the caller's stack. */
VALUE frugal_entry_record_read(frugal_open_file *open, VALUE digest, size_t largest, int reads, VALUE klass);

#endif
