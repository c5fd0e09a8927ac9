/* Processes that are created in ways that libc's handlers of fork do not see. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char stack[65536] __attribute__((aligned(16)));

static int
child(void *name)
{
    struct stat st;

    for (int i = 0; i < 100; i++) stat(name, &st);
    _exit(stat(".", &st) == 0 ? 3 : 4);
}

static void
wait_for(const char *name, pid_t pid)
{
    int status = 0;

    waitpid(pid, &status, __WALL);
    printf("%s: %s %d\n", name, WIFSIGNALED(status) ? "killed" : "exited",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* The child of a vfork may change descriptors: the parent keeps its own. */
static void
change_descriptors_in_child(void)
{
    int file = open("file", O_RDWR | O_CREAT, 0600);
    int other = open("other", O_RDWR | O_CREAT, 0600);

    pid_t pid = vfork();
    if (pid == 0) {
        dup2(file, other);
        execl("/bin/true", "true", NULL);
        _exit(127);
    }
    write(other, "x", 1);
    pid = vfork();
    if (pid == 0) {
        struct stat st;
        stat("in-child", &st);
        _exit(0);
    }
    dup2(file, other);
    write(other, "xy", 2);
    while (wait(NULL) > 0) continue;
}

int
main(void)
{
    struct stat st;
    pid_t pid;

    setvbuf(stdout, NULL, _IOLBF, 0);
    stat("before", &st);
    if ((pid = _Fork()) == 0) child("of-_Fork");
    wait_for("_Fork", pid);
    if ((pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)) == 0) child("of-system-call");
    wait_for("system call", pid);
    wait_for("clone", clone(child, stack + sizeof stack, SIGCHLD, "of-clone"));
    wait_for("clone in our memory", clone(child, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, "of-shared"));
    if ((pid = fork()) == 0) {
        execveat(open("/bin", O_PATH), "false", (char *[]){ "by-execveat", NULL }, (char *[]){ NULL }, 0);
        _exit(127);
    }
    wait_for("execveat", pid);
    change_descriptors_in_child();
    stat("after", &st);
    return 0;
}
