/* Lists the folders, stats all paths, and answers: see newest.h. */
#include "core/newest/newest_items.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/system/system.h"

void
frugal_newest_begin(frugal_newest *newest, struct timespec now)
{
    newest->now = now;
    newest->stage = newest->provable ? FRUGAL_NEWEST_STATS : FRUGAL_NEWEST_LISTS;
    newest->next_tree = 0;
    newest->asking = false;
}

/* -- the lists -- */

static bool
prepare_tree(frugal_newest *newest)
{
    const frugal_newest_folder *folder = &newest->folders[newest->prepared];
    frugal_tree_options options = { .suffixes = folder->endings, .suffix_count = folder->ending_count };
    frugal_tree *tree;

    if (newest->trees == NULL) newest->trees = calloc(newest->folder_count, sizeof(*newest->trees));
    if (newest->trees == NULL) return false;
    tree = &newest->trees[newest->prepared];
    if (!frugal_tree_refresh_prepare(tree, folder->path, &options)) {
        frugal_tree_free(tree);
        return false;
    }
    newest->prepared++;
    return true;
}

/* Lists the changed folders below one folder. */
static frugal_newest_status
list_tree(frugal_newest *newest)
{
    frugal_tree *tree;

    if (newest->next_tree == newest->prepared && !prepare_tree(newest)) return FRUGAL_NEWEST_NO_MEMORY;
    tree = &newest->trees[newest->next_tree];
    tree->interrupted = newest->interrupted;
    tree->host = newest->host;
    if (!newest->refreshing) {
        newest->refreshing = true;
        if (!frugal_tree_refresh_begin(&newest->refresh, tree, false)) return frugal_newest_failed(newest, tree->error);
    }
    if (atomic_load(&newest->cancelled)) return FRUGAL_NEWEST_CANCELLED;
    if (!frugal_tree_refresh_run(&newest->refresh)) {
        return tree->error ? FRUGAL_NEWEST_NO_MEMORY : FRUGAL_NEWEST_CANCELLED;
    }
    frugal_tree_refresh_keep(&newest->refresh);
    frugal_tree_refresh_end(&newest->refresh);
    newest->refreshing = false;
    newest->next_tree++;
    return FRUGAL_NEWEST_ANSWERED;
}

static frugal_newest_status
list_all(frugal_newest *newest)
{
    frugal_newest_status status = FRUGAL_NEWEST_ANSWERED;

    while (status == FRUGAL_NEWEST_ANSWERED && newest->next_tree < newest->folder_count) status = list_tree(newest);
    if (status == FRUGAL_NEWEST_ANSWERED) status = frugal_newest_make_items(newest);
    if (status != FRUGAL_NEWEST_ANSWERED) newest->provable = false; /* the next question lists again */
    return status;
}

/* -- their times -- */

static int
fill_times(const char *path, void *record)
{
    frugal_newest_times *times = record;
    struct stat st;

    if (stat(path, &st) != 0) return errno;
    times->stamp.device = st.st_dev;
    times->stamp.inode = st.st_ino;
    times->stamp.mtime = frugal_system_nanoseconds(frugal_system_mtime(&st));
    times->stamp.ctime = frugal_system_nanoseconds(frugal_system_ctime(&st));
    times->mtime = frugal_system_mtime(&st);
    times->folder = S_ISDIR(st.st_mode);
    return 0;
}

/* Stats the first `count` items. Returns false if it was cancelled. */
static bool
ask(frugal_newest *newest, size_t count)
{
    if (!newest->asking) {
        frugal_probe_batch_prepare(&newest->batch, newest->asked, count);
        newest->batch.fill_record = fill_times;
        newest->batch.records = newest->times;
        newest->batch.record_size = sizeof(*newest->times);
        newest->batch.interrupted = newest->interrupted;
        newest->batch.host = newest->host;
        newest->asking = true;
        if (atomic_load(&newest->cancelled)) return false;
    }
    if (!frugal_probe_batch_run(&newest->batch, FRUGAL_STAT_IF_SLOW)) return false;
    newest->asking = false;
    return true;
}

static bool
is_same_list(const frugal_newest *newest, size_t index)
{
    const frugal_newest_item *item = &newest->items[index];
    const frugal_newest_times *times = &newest->times[index];
    int error = newest->asked[index].error;

    if (!item->folder) return true;
    if (item->missing) return error == ENOENT || error == ENOTDIR || (error == 0 && !times->folder);
    return error == 0 && frugal_newest_is_same_stamp(&item->stamp, &times->stamp);
}

static bool
are_same_lists(const frugal_newest *newest)
{
    for (size_t i = 0; i < newest->item_count; i++) {
        if (!is_same_list(newest, i)) return false;
    }
    return true;
}

/* -- the answer -- */

static bool
is_after(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

static frugal_newest_status
answer(frugal_newest *newest)
{
    newest->count = 0;
    newest->any = false;
    newest->newest = (struct timespec){ 0 };
    for (size_t i = 0; i < newest->counting; i++) {
        const frugal_newest_item *item = &newest->items[i];
        struct timespec mtime = newest->times[i].mtime;

        if (newest->asked[i].error != 0) {
            if (item->matches > 0) return frugal_newest_failed(newest, newest->asked[i].error);
            continue; /* a file that does not exist does not count */
        }
        newest->count += newest->unique ? 1 : item->matches + item->given;
        if (is_after(mtime, newest->now) || (newest->any && !is_after(mtime, newest->newest))) continue;
        newest->newest = mtime;
        newest->any = true;
    }
    return FRUGAL_NEWEST_ANSWERED;
}

frugal_newest_status
frugal_newest_run(frugal_newest *newest)
{
    if (newest->stage == FRUGAL_NEWEST_STATS) {
        if (!ask(newest, newest->item_count)) return FRUGAL_NEWEST_CANCELLED;
        if (are_same_lists(newest)) return answer(newest);
        newest->stage = FRUGAL_NEWEST_LISTS;
    }
    if (newest->stage == FRUGAL_NEWEST_LISTS) {
        frugal_newest_status status = list_all(newest);

        if (status != FRUGAL_NEWEST_ANSWERED) return status;
        newest->stage = FRUGAL_NEWEST_LISTED;
    }
    return ask(newest, newest->counting) ? answer(newest) : FRUGAL_NEWEST_CANCELLED;
}

void
frugal_newest_cancel(frugal_newest *newest)
{
    atomic_store(&newest->cancelled, true);
    frugal_probe_batch_cancel(&newest->batch);
    for (size_t i = 0; i < newest->prepared; i++) frugal_tree_cancel(&newest->trees[i]);
}

void
frugal_newest_resume(frugal_newest *newest)
{
    atomic_store(&newest->cancelled, false);
    frugal_probe_batch_resume(&newest->batch);
    for (size_t i = 0; i < newest->prepared; i++) frugal_tree_resume(&newest->trees[i]);
}

void
frugal_newest_end(frugal_newest *newest)
{
    if (newest->refreshing) frugal_tree_refresh_end(&newest->refresh);
    newest->refreshing = newest->asking = false;
}

void
frugal_newest_free(frugal_newest *newest)
{
    for (size_t i = 0; i < newest->prepared; i++) frugal_tree_free(&newest->trees[i]);
    free(newest->trees);
    free(newest->items);
    free(newest->text);
    free(newest->asked);
    free(newest->times);
}

size_t
frugal_newest_memory(frugal_newest *newest)
{
    size_t size = newest->folder_count * sizeof(*newest->trees) + newest->item_room * sizeof(*newest->items) +
                  newest->text_room + newest->item_count * (sizeof(*newest->asked) + sizeof(*newest->times));

    for (size_t i = 0; i < newest->prepared; i++) size += frugal_tree_memory(&newest->trees[i]);
    return size;
}
