/* Run in an empty directory. */
#include "stat_batch.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

#define COUNT 10007

static char names[COUNT][24];
static frugal_stat_item items[COUNT];

static void
fill(void)
{
    memset(items, 0, sizeof(items));
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof(names[i]), i % 7 == 0 ? "file" : i % 7 == 1 ? "file/below" : "missing%zu", i);
        items[i].path = names[i];
    }
}

static void
check_answers(void)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (i % 7 == 0) {
            CHECK(items[i].error == 0);
            CHECK(items[i].mtime.tv_sec == 1234 && items[i].mtime.tv_nsec == 567891234);
        }
        else {
            CHECK(items[i].error == (i % 7 == 1 ? ENOTDIR : ENOENT));
        }
    }
}

/* The host's own question: it tells how long the path is, too. */
typedef struct {
    struct stat st;
    size_t length;
} record;

static record records[COUNT];

static int
ask(const char *path, void *into)
{
    record *one = into;

    one->length = strlen(path);
    return stat(path, &one->st) == 0 ? 0 : errno;
}

static void
fill_records(frugal_stat_batch *batch)
{
    fill();
    memset(records, 0, sizeof(records));
    frugal_stat_batch_init(batch, items, COUNT);
    batch->ask = ask;
    batch->records = records;
    batch->record_size = sizeof(records[0]);
}

static void
check_records(void)
{
    for (size_t i = 0; i < COUNT; i++) {
        CHECK(items[i].error == (i % 7 == 0 ? 0 : i % 7 == 1 ? ENOTDIR : ENOENT));
        CHECK(records[i].length == strlen(names[i]));
        CHECK(i % 7 != 0 || (S_ISREG(records[i].st.st_mode) && records[i].st.st_mtime == 1234));
        CHECK(items[i].mtime.tv_sec == 0);
    }
}

static void *
cancel_often(void *arg)
{
    for (int i = 0; i < 200; i++) {
        frugal_stat_batch_cancel(arg);
        usleep(50);
    }
    return NULL;
}

static bool
every_third_time(void *host)
{
    return ++*(int *)host % 3 == 0;
}

int
main(void)
{
    int asked = 0, runs = 0, turns = 0;
    struct timespec times[2] = { { 1234, 567891234 }, { 1234, 567891234 } };
    frugal_stat_batch batch;
    pthread_t canceller;
    int fd = open("file", O_CREAT | O_WRONLY, 0600);

    CHECK(fd >= 0 && futimens(fd, times) == 0 && close(fd) == 0);

    for (int threads = 0; threads <= 20; threads += 5) {
        fill();
        frugal_stat_batch_init(&batch, items, COUNT);
        CHECK(frugal_stat_batch_run(&batch, threads));
        check_answers();
        CHECK(frugal_stat_batch_run(&batch, threads)); /* nothing is left to ask */
    }

    /* A cancel that comes before the run counts. */
    fill();
    frugal_stat_batch_init(&batch, items, COUNT);
    frugal_stat_batch_cancel(&batch);
    CHECK(!frugal_stat_batch_run(&batch, 3));
    CHECK(items[0].error == FRUGAL_STAT_OPEN);

    /* However often it is cancelled, it ends complete. */
    CHECK(pthread_create(&canceller, NULL, cancel_often, &batch) == 0);
    do frugal_stat_batch_resume(&batch);
    while (!frugal_stat_batch_run(&batch, 3));
    CHECK(pthread_join(canceller, NULL) == 0);
    check_answers();

    /* A host that can only be asked. */
    fill();
    frugal_stat_batch_init(&batch, items, COUNT);
    batch.interrupted = every_third_time;
    batch.host = &asked;
    do frugal_stat_batch_resume(&batch), runs++;
    while (!frugal_stat_batch_run(&batch, 1));
    CHECK(runs > COUNT / 16 / 3 && asked > runs);
    check_answers();

    frugal_stat_batch_init(&batch, items, 0);
    CHECK(frugal_stat_batch_run(&batch, 4));

    /* A host that keeps more than mtimes: at once, cancelled often, and beside other work. */
    for (int threads = 0; threads <= 20; threads += 5) {
        fill_records(&batch);
        CHECK(frugal_stat_batch_run(&batch, threads));
        check_records();
    }
    fill_records(&batch);
    CHECK(pthread_create(&canceller, NULL, cancel_often, &batch) == 0);
    do frugal_stat_batch_resume(&batch);
    while (!frugal_stat_batch_run(&batch, 3));
    CHECK(pthread_join(canceller, NULL) == 0);
    check_records();
    fill_records(&batch);
    frugal_stat_batch_start(&batch);
    CHECK(frugal_stat_batch_wait(&batch, COUNT - 1));
    frugal_stat_batch_finish(&batch);
    check_records();

    /* Beside other work: in order, the last one first, and without a thread to help. */
    fill();
    frugal_stat_batch_init(&batch, items, COUNT);
    frugal_stat_batch_start(&batch);
    for (size_t i = 0; i < COUNT; i++) CHECK(frugal_stat_batch_wait(&batch, i));
    frugal_stat_batch_finish(&batch);
    check_answers();

    fill();
    frugal_stat_batch_init(&batch, items, COUNT);
    frugal_stat_batch_start(&batch);
    CHECK(frugal_stat_batch_wait(&batch, COUNT - 1));
    frugal_stat_batch_finish(&batch);
    check_answers();

    fill();
    frugal_stat_batch_init(&batch, items, COUNT);
    CHECK(frugal_stat_batch_wait(&batch, 0) && items[17].error == FRUGAL_STAT_OPEN);
    CHECK(frugal_stat_batch_wait(&batch, COUNT - 1));
    frugal_stat_batch_finish(&batch);
    check_answers();

    /* Ended early: what was taken is answered, the rest is open, and nobody waits for it. */
    for (int i = 0; i < 50; i++) {
        fill();
        frugal_stat_batch_init(&batch, items, COUNT);
        frugal_stat_batch_start(&batch);
        if (i % 2) CHECK(frugal_stat_batch_wait(&batch, (size_t)i * 20));
        frugal_stat_batch_finish(&batch);
        for (size_t j = 0; j < COUNT; j++) {
            CHECK((items[j].error == FRUGAL_STAT_OPEN) == (j >= atomic_load(&batch.next)));
        }
        CHECK(items[COUNT - 1].error != FRUGAL_STAT_OPEN || !frugal_stat_batch_wait(&batch, COUNT - 1));
    }

    /* A host that interrupts gets its turn back. */
    fill();
    asked = 0;
    frugal_stat_batch_init(&batch, items, COUNT);
    batch.interrupted = every_third_time;
    batch.host = &asked;
    while (!frugal_stat_batch_wait(&batch, COUNT - 1)) turns++;
    frugal_stat_batch_finish(&batch);
    CHECK(asked > 0 && turns == asked / 3);
    check_answers();
    return 0;
}
