/*
 * The native engine of frugal for MRI. The files in reading order: core/ is plain C that does not depend on Ruby; the
 * files after it are the bindings to Ruby. Each folder has one header that other folders may include; it is named like
 * the folder.
 *
 *   core/system/     growing lists; times of files, directory records, types of file systems
 *   core/probe/      stats many files on several threads; reads the names of a directory and the bytes of a file
 *   core/ignore/     the patterns of .gitignore files
 *   core/tree/       lists a tree of directories on several threads, and finds the changes since the last time
 *   core/newest/     counts the files that match patterns, and finds the newest of their mtimes
 *   core/find/       the paths of a tree in the order of Find, and watches that report changes to it
 *   core/fileutils/  creates, copies and removes trees
 *   core/marshal/    finds the roots of a store in a Marshal dump, and replaces some of them
 *   core/store/      checks whether bytes that were read are still valid, and rewrites a file in place
 *   core/entry/      reads the file of an entry, and finds its newest valid record
 *   core/turn/       waits for the right to change something, first come, first served
 *   core/beneath/    opens regular files beneath a directory; decodes the path of a URL
 *   core/boot/       keeps the bytecode of a Ruby file, with a proof that the file has not changed since
 *   binding.h        shared by all files below
 *   native_memory.h  reports memory to the garbage collector
 *   methods.c        whether a method is still Ruby's own
 *   block.c          returns the block of a method that has no parameter for the block
 *   probe/           probes that take one system call each
 *   walk/            lists all files below a directory, and their changes
 *   newest.c         counts the files that match patterns, and finds the newest of their mtimes
 *   find.c           Find.find's walk
 *   chdir.c          Dir.chdir, which counts its calls
 *   fileutils.c      FileUtils' methods for trees
 *   marshal/         reads and writes the roots of a store one by one
 *   store/           a file that processes share under flock(2)
 *   rake/            Rake's tasks, the files that they need, and the order in which they are invoked
 *   open_file.c      a descriptor that threads use without the VM lock
 *   file_locks.c     the turn and the lock of such a descriptor
 *   files.c          files beneath a directory, for web servers
 *   entry_record.c   decodes the bytes of an entry, and names its file
 *   entry_file.c     a file with one entry, for sessions and caches
 *   turn_file.c      a file that is used only for its turns
 *   boot.c           the bytecode of a program's files
 *   raise_site.c     finds where an exception was raised, without its backtrace
 */
#include "frugal.h"

#include "marshal/marshal.h"
#include "methods.h"
#include "open_file.h"
#include "probe/probe.h"
#include "rake/rake.h"
#include "store/store.h"
#include "walk/walk.h"

RUBY_FUNC_EXPORTED void
Init_frugal(void)
{
    VALUE frugal = rb_define_module("Frugal");
    VALUE native = rb_define_module_under(frugal, "Native");
    VALUE module = rb_define_module_under(native, "C");

    rb_define_const(module, "NAME", ID2SYM(rb_intern("c")));
    frugal_open_file_init();
    frugal_probe_init(module);
    frugal_methods_init(module);
    frugal_block_init(module);
    frugal_boot_init(module);
    frugal_find_init(module);
    frugal_chdir_init(module);
    frugal_marshal_init(module);
    frugal_fileutils_init(module);
    frugal_rake_init(module);
    frugal_walk_init(module);
    frugal_walk_glob_init(module);
    frugal_newest_init(module);
    frugal_store_init(module);
    frugal_files_init(module);
    frugal_entry_file_init(module);
    frugal_entry_record_init(module);
    frugal_turn_file_init(module);
    frugal_raise_site_init(module);
}
