/* Asks about a file that is missing, creates it, and asks again. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
    struct stat st;

    int before = stat(argv[argc - 1], &st);
    close(open(argv[argc - 1], O_CREAT | O_WRONLY, 0600));
    printf("%d %d\n", before, stat(argv[argc - 1], &st));
    unlink(argv[argc - 1]);
    return 3;
}
