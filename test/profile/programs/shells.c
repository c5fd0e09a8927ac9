/* Threads that start programs by system(3) and popen(3) at the same time. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *
run(void *failures)
{
    for (int i = 0; i < 40; i++) {
        FILE *pipe = popen("exit 0", "r");
        if (system("exit 0") != 0 || !pipe || pclose(pipe) != 0) ++*(int *)failures;
    }
    return NULL;
}

int
main(void)
{
    pthread_t threads[4];
    int failures[4] = { 0 };

    setenv("OWN", "1", 1);
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, run, &failures[i]);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    printf("%d %s %s\n", failures[0] + failures[1] + failures[2] + failures[3], getenv("OWN"),
           getenv("FRUGAL_RECORDING"));
    return system("test $OWN = 1");
}
