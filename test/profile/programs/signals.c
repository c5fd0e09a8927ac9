/* Signal handlers that make calls, and that jump out of whatever was interrupted, while other threads make calls. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static sigjmp_buf place;
static volatile sig_atomic_t jumps;
static volatile sig_atomic_t calls;
static atomic_int done;

static void
ask(int signal)
{
    struct stat st;

    (void)signal;
    stat("of-handler", &st);
    calls++;
}

static void
jump(int signal)
{
    (void)signal;
    siglongjmp(place, 1);
}

static void *
other(void *number)
{
    char name[32];
    struct stat st;

    for (int i = 0; i < 3000; i++) {
        snprintf(name, sizeof name, "other%ld-%d", (long)number, i);
        stat(name, &st);
    }
    atomic_fetch_add(&done, 1);
    return NULL;
}

static void
tick(void (*handler)(int), long microseconds)
{
    struct sigaction action = { .sa_handler = handler };
    struct itimerval timer = { { 0, microseconds }, { 0, microseconds } };

    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

int
main(int argc, char **argv)
{
    int jumping = argc > 1 && strcmp(argv[1], "jump") == 0;
    pthread_t threads[2];
    char name[32];
    struct stat st;

    sigset_t alarm; /* for the main thread only */
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm, NULL);
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, other, (void *)i);
    pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
    volatile int i = 0;
    if (sigsetjmp(place, 1)) jumps++;
    else tick(jumping ? jump : ask, 500);
    for (; i < 2000; i++) {
        snprintf(name, sizeof name, "name%d", i % 500);
        stat(name, &st);
        close(dup(0));
    }
    tick(SIG_IGN, 0);
    stat("after", &st);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%s\n", (jumping ? jumps : calls) > 0 ? "interrupted" : "not interrupted");
    return 0;
}
