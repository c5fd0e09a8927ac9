/* Threads with the smallest stacks that are allowed make calls, and so do signal handlers on an own small stack. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void *
work(void *number)
{
    char name[32];
    struct stat st;

    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "thread%ld-%d", (long)number, i);
        stat(name, &st);
        int fd = open(name, O_RDWR | O_CREAT, 0600);
        write(fd, name, 1);
        fstat(dup(fd), &st);
        close(fd);
    }
    return NULL;
}

static void
handle(int signal)
{
    struct stat st;

    stat("of-handler", &st);
    (void)signal;
}

int
main(void)
{
    pthread_t threads[16];
    pthread_attr_t attributes;
    stack_t stack = { .ss_sp = malloc(MINSIGSTKSZ * 4), .ss_size = MINSIGSTKSZ * 4 };
    struct sigaction action = { .sa_handler = handle, .sa_flags = SA_ONSTACK };

    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
    for (long i = 0; i < 16; i++)
        if (pthread_create(&threads[i], &attributes, work, (void *)i) != 0) return 1;
    for (int i = 0; i < 16; i++) pthread_join(threads[i], NULL);
    puts("ended");
    return 0;
}
