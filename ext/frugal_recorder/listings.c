/*
 * The answers to listings, see answers.c. The first listing of a folder remembers the names, and its stream is kept open
 * when the program closes it. The next ones get that stream, with the names from memory. So a descriptor that the
 * program sees is always one of the folder.
 */
#define _GNU_SOURCE
#include "answers.h"
#include "hash.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define KNOWN_STREAMS 1024
#define SHARE 4 /* of the descriptors that the process may have */

struct listing {
    DIR *stream; /* the kept one; NULL: none */
    DIR *opened; /* the one that is being read */
    char *entries;
    size_t size, room;
    long place;
    uint64_t asked, sum, count, sum_before, count_before;
    uint64_t time; /* ns to open it, and to get the names */
    const void *last;
    size_t given; /* names from memory */
    uint32_t waits;
    int fd;
    bool used, replayed, known, complete;
};

static struct answer *answer_of[KNOWN_STREAMS]; /* by descriptor */
static unsigned kept;

static struct listing *
listing_of(int fd)
{
    return fd >= 0 && fd < KNOWN_STREAMS && answer_of[fd] && !frugal_in_child() ? answer_of[fd]->listing : NULL;
}

static bool
may_keep(void)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_NOFILE, &limit) == 0 && kept < limit.rlim_cur / SHARE;
}

static void
forget(struct listing *listing)
{
    if (!listing->stream) return;
    answer_of[listing->fd] = NULL;
    listing->stream = NULL;
    kept--;
}

/* Called before a folder is opened. Returns the stream if the names are known and given. */
DIR *
frugal_listing_given(int dirfd, const char *path)
{
    struct question question = { .start = frugal_now() };
    DIR *stream = NULL;
    int error = errno;

    frugal_lock();
    struct answer *answer = frugal_answer_known(CALL_opendir, dirfd, path, &question.known, &question.asked);
    struct listing *listing = answer ? answer->listing : NULL;
    if (listing && question.known && listing->stream && !listing->used) {
        listing->used = listing->replayed = true;
        listing->place = 0;
        listing->given = 0;
        stream = listing->stream;
        frugal_answer_count(answer, true, frugal_now() - question.start);
    }
    question.listed = stream ? NULL : answer;
    frugal_thread.question = question;
    frugal_unlock();
    errno = error;
    return stream;
}

static void
begin(struct answer *answer, int fd)
{
    if (!answer->listing) answer->listing = frugal_answers_memory(sizeof *answer->listing);
    struct listing *listing = answer->listing;

    if (!listing || listing->used) return;
    if (listing->stream) {
        DIR *stream = listing->stream;
        frugal_fd_closed(listing->fd);
        forget(listing);
        NEXT(closedir)(stream);
    }
    *listing = (struct listing){ .entries = listing->entries,
                                 .room = listing->room,
                                 .fd = fd,
                                 .used = true,
                                 .asked = frugal_thread.question.asked,
                                 .known = frugal_thread.question.known,
                                 .waits = frugal_thread.waits,
                                 .time = frugal_now() - frugal_thread.question.start,
                                 .sum_before = listing->sum,
                                 .count_before = listing->count };
    answer_of[fd] = answer;
}

/* Called when libc has opened a folder, with or without a stream. */
void
frugal_listing_opened(int fd, DIR *stream)
{
    struct answer *answer = frugal_thread.question.listed;
    int error = errno;

    frugal_thread.question.listed = NULL;
    if (fd < 0 || fd >= KNOWN_STREAMS || frugal_in_child()) return;
    frugal_lock();
    if (answer) begin(answer, fd);
    struct listing *listing = listing_of(fd);
    if (listing && listing->used && !listing->replayed) listing->opened = stream;
    frugal_unlock();
    errno = error;
}

/* Returns the stream of a descriptor that was given. */
DIR *
frugal_listing_stream(int fd)
{
    struct listing *listing = listing_of(fd);

    return listing && listing->replayed ? listing->stream : NULL;
}

/* From now on, libc answers: the stream is read again up to the same name. It is closed when the program closes it. */
static void
give_up(struct listing *listing)
{
    listing->opened = NULL;
    if (!listing->replayed) return;
    DIR *stream = listing->stream;
    forget(listing);
    listing->used = listing->replayed = false;
    NEXT(rewinddir)(stream);
    for (size_t i = 0; i < listing->given; i++) NEXT(readdir)(stream);
}

static struct listing *
replayed(DIR *stream)
{
    struct listing *listing = listing_of(dirfd(stream));

    return listing && listing->replayed && listing->stream == stream ? listing : NULL;
}

static void
sum(struct listing *listing, const struct dirent *entry)
{
    listing->sum += frugal_hash(entry->d_name, strlen(entry->d_name), entry->d_type);
    listing->count++;
}

/* Returns whether the next name was given. It is hashed, too, so that this takes as long as a comparison. */
bool
frugal_listing_next(DIR *stream, struct dirent **entry)
{
    struct listing *listing = replayed(stream);

    if (!listing) return false;
    if (listing->given == 0 && !frugal_answer_holds(answer_of[listing->fd])) { /* it has changed since it was opened */
        give_up(listing);
        return false;
    }
    *entry = NULL;
    if ((size_t)listing->place < listing->size) {
        listing->given++;
        *entry = (struct dirent *)(listing->entries + listing->place);
        listing->place += (*entry)->d_reclen;
        sum(listing, *entry);
    }
    return true;
}

static bool
remember(struct listing *listing, const struct dirent *entry)
{
    if (listing->size + entry->d_reclen > listing->room) {
        size_t room = listing->room ? listing->room * 2 : 2048;
        char *bigger = frugal_answers_memory(room);
        if (!bigger) return false;
        memcpy(bigger, listing->entries, listing->size);
        listing->entries = bigger;
        listing->room = room;
    }
    memcpy(listing->entries + listing->size, entry, entry->d_reclen);
    listing->size += entry->d_reclen;
    return true;
}

/* Called for each name that libc has read, and with NULL at the end. */
void
frugal_listing_read(int fd, const struct dirent *entry, uint64_t start)
{
    struct listing *listing = listing_of(fd);

    if (!listing || !listing->used || listing->replayed) return;
    if (!entry) {
        listing->complete = true;
        return;
    }
    if ((const void *)entry <= listing->last || !listing->count) listing->time += frugal_now() - start;
    listing->last = entry;
    sum(listing, entry);
    if (!frugal_answers_compare() && !remember(listing, entry)) listing->opened = NULL;
}

static bool
keep(struct answer *answer, struct listing *listing)
{
    bool whole = listing->complete && listing->opened && listing->waits == frugal_thread.waits;
    bool kept_now = whole && !frugal_answers_compare() && may_keep();

    if (whole && frugal_answers_compare() && listing->known)
        frugal_answer_count(answer, listing->sum == listing->sum_before && listing->count == listing->count_before,
                            listing->time);
    if (kept_now || (whole && frugal_answers_compare())) frugal_answer_learned(answer, listing->asked);
    else answer->asked = 0;
    if (kept_now) {
        listing->stream = listing->opened;
        kept++;
        syscall(SYS_close, -1); /* what is not saved: this folder would have been closed */
    }
    else {
        answer_of[listing->fd] = NULL;
    }
    listing->used = false;
    return kept_now;
}

/* Called before a descriptor, with or without its stream, is closed. Returns whether it stays open. */
bool
frugal_listing_closed(int fd)
{
    struct listing *listing = listing_of(fd);
    int error = errno;
    bool stays = true;

    if (!listing) return false;
    frugal_lock();
    if (!listing->used) {
        stays = false; /* the program closes a descriptor that it does not have */
        forget(listing);
    }
    else if (listing->replayed) {
        listing->used = listing->replayed = false;
    }
    else {
        stays = keep(answer_of[fd], listing);
    }
    frugal_unlock();
    errno = error;
    return stays;
}

/* Returns whether a given stream begins again, and its names still hold. */
bool
frugal_listing_rewound(DIR *stream)
{
    struct listing *listing = listing_of(dirfd(stream));

    if (!listing) return false;
    if (listing->replayed && frugal_answer_holds(answer_of[listing->fd])) {
        listing->place = 0;
        listing->given = 0;
        return true;
    }
    if (listing->replayed || listing->count || listing->complete) give_up(listing);
    return false;
}

/* The program uses the descriptor itself: its place, a lock, a copy. */
void
frugal_listing_seen(int fd)
{
    int error = errno;
    struct listing *listing = listing_of(fd);

    if (listing && listing->used) give_up(listing);
    errno = error;
}

/* Other files have these descriptors now, or none. */
void
frugal_listings_lost(unsigned first, unsigned last)
{
    frugal_lock();
    for (unsigned fd = first; fd <= last && fd < KNOWN_STREAMS; fd++) {
        struct listing *listing = listing_of((int)fd);
        if (!listing) continue;
        forget(listing);
        answer_of[fd] = NULL;
        listing->used = listing->replayed = false;
    }
    frugal_unlock();
}
