/* The names of the calls, as the reports show them. An event contains a name's position in this list; a log contains
 * the names, too. Some names are not calls: `raise` is an exception; `digest`, `backtrace`, `output` and `wait`, see
 * digests.c, backtraces.c and waits.c; `mark` is the start of a request or example; `ractor` is counted if there were
 * several Ractors, `unseen` if waits of Ruby's methods are not recorded. */
#ifndef FRUGAL_RECORDER_CALLS_H
#define FRUGAL_RECORDER_CALLS_H

/* clang-format off */
#define FRUGAL_CALLS(X) \
    X(raise) X(stat) X(lstat) X(fstat) X(fstatat) X(statx) X(access) X(eaccess) X(faccessat) X(statfs) X(fstatfs) \
    X(open) X(openat) X(fopen) X(opendir) X(fdopendir) X(readdir) X(getdents64) X(closedir) X(close) X(fclose) \
    X(read) X(pread) X(readv) X(write) X(pwrite) X(writev) X(lseek) X(sendfile) X(copy_file_range) \
    X(readlink) X(realpath) X(getcwd) X(chdir) X(fchdir) X(chroot) \
    X(mkdir) X(mkfifo) X(mknod) X(rename) X(unlink) X(rmdir) X(link) X(symlink) X(truncate) X(ftruncate) X(fallocate) \
    X(chmod) X(fchmod) X(chown) X(lchown) X(fchown) X(utime) X(fsync) X(fdatasync) X(isatty) X(flock) \
    X(fork) X(vfork) X(spawn) X(exec) X(connect) X(inotify_init) X(inotify_add_watch) X(inotify_rm_watch) \
    X(digest) X(backtrace) X(output) X(wait) X(mark) X(ractor) X(unseen)
/* clang-format on */

#define FRUGAL_CALL_NUMBER(name) CALL_##name,
enum call { FRUGAL_CALLS(FRUGAL_CALL_NUMBER) CALL_COUNT };
#undef FRUGAL_CALL_NUMBER

#endif
