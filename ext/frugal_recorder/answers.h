/* Answers, between answers.c, listings.c and the functions of libc that ask (calls_ask.c, calls_open.c). */
#ifndef FRUGAL_RECORDER_ANSWERS_H
#define FRUGAL_RECORDER_ANSWERS_H

#include "recorder.h"
#include <dirent.h>

/* What the process has learned about one question; private to answers.c but for its listing. */
struct answer {
    uint32_t node;       /* of its path */
    uint32_t tid, waits; /* who asked, and how often that thread had waited */
    uint64_t asked;      /* the number of changes at that time; 0: nothing is known */
    uint64_t result;     /* a hash, as in an event */
    uint32_t extra;      /* flags, a mode */
    int32_t error;
    uint32_t size, room;
    char *bytes;
    struct listing *listing;
};

enum given { NOT_GIVEN, GIVEN, GIVEN_ERROR };

/* answers.c */
HIDDEN enum given frugal_given(enum call call, int dirfd, const char *path, uint32_t extra, void *bytes, size_t *size);
HIDDEN void frugal_answer_bytes(const void *bytes, size_t size);
HIDDEN struct answer *frugal_answer_known(enum call call, int dirfd, const char *path, bool *known, uint64_t *asked);
HIDDEN bool frugal_answer_holds(const struct answer *answer);
HIDDEN void frugal_answer_learned(struct answer *answer, uint64_t asked);
HIDDEN void frugal_answer_count(const struct answer *answer, bool equal, uint64_t time);
HIDDEN bool frugal_answers_compare(void);
HIDDEN void *frugal_answers_memory(size_t size);

/* listings.c */
HIDDEN DIR *frugal_listing_given(int dirfd, const char *path);
HIDDEN void frugal_listing_opened(int fd, DIR *stream);
HIDDEN DIR *frugal_listing_stream(int fd);
HIDDEN bool frugal_listing_next(DIR *stream, struct dirent **entry);
HIDDEN void frugal_listing_read(int fd, const struct dirent *entry, uint64_t start);
HIDDEN bool frugal_listing_closed(int fd);
HIDDEN bool frugal_listing_rewound(DIR *stream);
HIDDEN void frugal_listing_seen(int fd);
HIDDEN void frugal_listings_lost(unsigned first, unsigned last);

#endif
