/*
 * The native side of frugal under MRI. Reading order:
 *
 *   core/stat_batch.c   many stats at once, on threads    (plain C, no ruby.h)
 *   core/dir_names.c    the names in a directory
 *   core/file_bytes.c   a whole file
 *   core/tree.h         a tree of directories, listed by several threads
 *   probe.c             one question, one system call     (binding)
 *   probe_batch.c       one question about many files
 *   probe_contents.c    entries, children and read
 *   methods.c           is a method still Ruby's own?
 *   walk.c              all below a directory
 *   walk_paths.c        what was found there, as strings
 *   tree_snapshot.c     what has come and gone there since
 *   core/dir_watch.c    were these directories changed?
 *   core/cwd_changes.c  where the process is, counted
 *   core/find_list.c    a directory with the types of its entries
 *   core/find_walk.c    the order of a tree's paths, as Find has it
 *   core/find_bounds.c  what of that a change makes doubtful
 *   find.c              Find.find's walk
 *   chdir.c             Dir.chdir, counted
 *   core/marshal_read.h      numbers and bytes of Marshal
 *   core/marshal_symbol.c    its symbols
 *   core/marshal_scan.c      its tokens
 *   core/marshal_index.c     where the roots of a store lie
 *   core/marshal_contents.c  what they have in common
 *   core/marshal_write.c     a dump from parts of others
 *   core/marshal_extract.c   one of some roots
 *   core/marshal_splice.c    one of them replaced, or a new one
 *   core/marshal_update.c    the store with some changed
 *   core/marshal_plain.c     a value that needs no loader
 *   marshal.c           a store's roots, one by one
 *   marshal_table.c     the table that a transaction has of them
 *   core/dir_chain.c    a directory and those above it
 *   core/dir_level.c    a directory on the way through a tree
 *   core/tree_remove.c  a tree is removed
 *   core/file_copy.c    a file's bytes, into another one
 *   core/tree_copy.c    a tree is copied
 *   fileutils.c         these three, for FileUtils
 *   names.c             names of files, cut and filtered as Rake does
 *   rake_task.c         Rake's tasks as C reads and makes them
 *   rake_define.c       the common shapes of their definitions
 *   rake_plan.c         what is known of their files, one stat(2) each
 *   rake_slots.c        a place for each of those
 *   rake_facts.c        tasks as numbers, read once
 *   rake_closure.c      is a file older than anything behind it?
 *   rake_ahead.c        many of those stats ahead, on another thread
 *   rake_stack.c        the tasks under way
 *   rake_walk.c         the order in which tasks are invoked
 *   core/store_stamps.c  do bytes that were read still hold?
 *   core/store_write.c  a file's content, replaced in place
 *   store_pool.c        the few files that stores hold open
 *   store_file.c        a file that processes share under flock(2)
 *   core/url_path.c     the path of a URL, without %XX and ".."
 *   core/beneath.c      regular files beneath a directory, none outside it
 *   core/beneath_steps.c  the same name by name, where the kernel cannot
 *   files.c             these, for web servers
 *   raise_site.c        where an exception was raised, without its trace
 */
#include "frugal.h"

VALUE frugal_mC;

RUBY_FUNC_EXPORTED void
Init_frugal(void)
{
    VALUE frugal = rb_define_module("Frugal");
    VALUE native = rb_define_module_under(frugal, "Native");

    frugal_mC = rb_define_module_under(native, "C");
    rb_define_const(frugal_mC, "NAME", ID2SYM(rb_intern("c")));
    frugal_probe_init();
    frugal_methods_init();
    frugal_find_walk_init();
    frugal_chdir_init();
    frugal_marshal_init();
    frugal_fileutils_init();
    frugal_names_init();
    frugal_rake_plan_init();
    frugal_rake_facts_init();
    frugal_rake_task_init();
    frugal_rake_define_init();
    frugal_rake_walk_init();
    frugal_walk_init();
    frugal_store_file_init();
    frugal_files_init();
    frugal_raise_site_init();
}
