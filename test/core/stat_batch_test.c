/* Run in an empty directory. */
#include "core/probe/stat_batch.h"

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

/* A host's own record: the stat, and the length of the path. */
typedef struct {
    struct stat st;
    size_t length;
} record;

static record records[COUNT];

static int
fill_record(const char *path, void *into)
{
    record *one = into;

    one->length = strlen(path);
    return stat(path, &one->st) == 0 ? 0 : errno;
}

static void
prepare_records(frugal_stat_batch *batch)
{
    fill();
    memset(records, 0, sizeof(records));
    frugal_probe_batch_prepare(batch, items, COUNT);
    batch->fill_record = fill_record;
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
        frugal_probe_batch_cancel(arg);
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
    int calls = 0, runs = 0, interrupts = 0;
    struct timespec times[2] = { { 1234, 567891234 }, { 1234, 567891234 } };
    frugal_stat_batch batch;
    pthread_t canceller;
    int fd = open("file", O_CREAT | O_WRONLY, 0600);

    CHECK(fd >= 0 && futimens(fd, times) == 0 && close(fd) == 0);

    for (int threads = 0; threads <= 20; threads += 5) {
        fill();
        frugal_probe_batch_prepare(&batch, items, COUNT);
        CHECK(frugal_probe_batch_run(&batch, threads));
        check_answers();
        CHECK(frugal_probe_batch_run(&batch, threads)); /* all items are done already */
    }

    /* A cancel before the run has an effect. */
    fill();
    frugal_probe_batch_prepare(&batch, items, COUNT);
    frugal_probe_batch_cancel(&batch);
    CHECK(!frugal_probe_batch_run(&batch, 3));
    CHECK(items[0].error == FRUGAL_STAT_PENDING);

    /* However often it is cancelled, it completes in the end. */
    CHECK(pthread_create(&canceller, NULL, cancel_often, &batch) == 0);
    do frugal_probe_batch_resume(&batch);
    while (!frugal_probe_batch_run(&batch, 3));
    CHECK(pthread_join(canceller, NULL) == 0);
    check_answers();

    /* A host with `interrupted`. */
    fill();
    frugal_probe_batch_prepare(&batch, items, COUNT);
    batch.interrupted = every_third_time;
    batch.host = &calls;
    do frugal_probe_batch_resume(&batch), runs++;
    while (!frugal_probe_batch_run(&batch, 1));
    CHECK(runs > COUNT / 16 / 3 && calls > runs);
    check_answers();

    frugal_probe_batch_prepare(&batch, items, 0);
    CHECK(frugal_probe_batch_run(&batch, 4));

    /* A host with its own records: in one run, cancelled often, and by start and wait. */
    for (int threads = 0; threads <= 20; threads += 5) {
        prepare_records(&batch);
        CHECK(frugal_probe_batch_run(&batch, threads));
        check_records();
    }
    prepare_records(&batch);
    CHECK(pthread_create(&canceller, NULL, cancel_often, &batch) == 0);
    do frugal_probe_batch_resume(&batch);
    while (!frugal_probe_batch_run(&batch, 3));
    CHECK(pthread_join(canceller, NULL) == 0);
    check_records();
    prepare_records(&batch);
    frugal_probe_batch_start(&batch);
    CHECK(frugal_probe_batch_wait(&batch, COUNT - 1));
    frugal_probe_batch_finish(&batch);
    check_records();

    /* By start and wait: in order, the last item first, and without a second thread. */
    fill();
    frugal_probe_batch_prepare(&batch, items, COUNT);
    frugal_probe_batch_start(&batch);
    for (size_t i = 0; i < COUNT; i++) CHECK(frugal_probe_batch_wait(&batch, i));
    frugal_probe_batch_finish(&batch);
    check_answers();

    fill();
    frugal_probe_batch_prepare(&batch, items, COUNT);
    frugal_probe_batch_start(&batch);
    CHECK(frugal_probe_batch_wait(&batch, COUNT - 1));
    frugal_probe_batch_finish(&batch);
    check_answers();

    fill();
    frugal_probe_batch_prepare(&batch, items, COUNT);
    CHECK(frugal_probe_batch_wait(&batch, 0));
    CHECK(items[17].error == FRUGAL_STAT_PENDING || batch.helper_count > 0); /* a slow slice adds a thread */
    CHECK(frugal_probe_batch_wait(&batch, COUNT - 1));
    frugal_probe_batch_finish(&batch);
    check_answers();

    /* Finished early: items that were taken are done, the others are pending, and wait does not block. */
    for (int i = 0; i < 50; i++) {
        fill();
        frugal_probe_batch_prepare(&batch, items, COUNT);
        frugal_probe_batch_start(&batch);
        if (i % 2) CHECK(frugal_probe_batch_wait(&batch, (size_t)i * 20));
        frugal_probe_batch_finish(&batch);
        for (size_t j = 0; j < COUNT; j++) {
            CHECK((items[j].error == FRUGAL_STAT_PENDING) == (j >= atomic_load(&batch.next)));
        }
        CHECK(items[COUNT - 1].error != FRUGAL_STAT_PENDING || !frugal_probe_batch_wait(&batch, COUNT - 1));
    }

    /* wait returns each time the host interrupts. */
    fill();
    calls = 0;
    frugal_probe_batch_prepare(&batch, items, COUNT);
    batch.interrupted = every_third_time;
    batch.host = &calls;
    while (!frugal_probe_batch_wait(&batch, COUNT - 1)) interrupts++;
    frugal_probe_batch_finish(&batch);
    CHECK(calls > 0 && interrupts == calls / 3);
    check_answers();
    return 0;
}
