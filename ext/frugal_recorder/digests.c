/*
 * Digests: the functions of Ruby's own libraries (digest/sha2 and so on) and of OpenSSL. A digest makes no call of libc,
 * but to compute it again for the same bytes is waste. Each finished digest is one event: `bytes` were digested, `result`
 * is a hash of it, `duration` is the time in these functions.
 */
#define _GNU_SOURCE
#include "recorder.h"
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#define OPEN_DIGESTS 16 /* of a thread at once; a digest that finds no place is not recorded */

/* What was put into a digest that is not finished. */
struct digest {
    const void *context; /* NULL: free */
    int64_t bytes;
    uint64_t nanoseconds, last_used;
};

static __thread struct digest digests[OPEN_DIGESTS] __attribute__((tls_model("initial-exec")));

struct search {
    const char *name;
    const void *ours;
    void *found;
};

static int
find_in_object(struct dl_phdr_info *info, size_t size, void *search_of)
{
    struct search *search = search_of;
    void *object = *info->dlpi_name ? dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;

    if (!object) return 0;
    void *found = dlsym(object, search->name);
    dlclose(object);
    if (found && found != search->ours) search->found = found;
    return search->found != NULL;
}

/* Libraries that Ruby has loaded are not in the list that RTLD_NEXT goes through. */
static void *
find(const char *name, const void *ours)
{
    struct search search = { name, ours, NULL };

    dl_iterate_phdr(find_in_object, &search);
    return search.found;
}

/* The function in the library that has it. A library calls such a function only once it is loaded. */
#define LOADED(name) \
    (__extension__({ \
        static __typeof__(&name) loaded_##name; \
        if (UNLIKELY(!loaded_##name)) *(void **)&loaded_##name = find(#name, (const void *)name); \
        loaded_##name; \
    }))

static struct digest *
digest_of(const void *context)
{
    for (int i = 0; i < OPEN_DIGESTS; i++)
        if (digests[i].context == context) return &digests[i];
    return NULL;
}

/* The place of this context, a free one, or that of the digest that was used longest ago. */
static struct digest *
place_of(const void *context)
{
    struct digest *oldest = digest_of(context);

    if (oldest) return oldest;
    oldest = &digests[0];
    for (int i = 0; i < OPEN_DIGESTS && oldest->context; i++)
        if (!digests[i].context || digests[i].last_used < oldest->last_used) oldest = &digests[i];
    *oldest = (struct digest){ .context = context };
    return oldest;
}

/* A copy of a context is finished (Digest::Instance#digest makes one): it was made of the one that was used last. */
static struct digest *
source_of_copy(void)
{
    struct digest *last = NULL;

    for (int i = 0; i < OPEN_DIGESTS; i++)
        if (digests[i].context && (!last || digests[i].last_used > last->last_used)) last = &digests[i];
    return last;
}

/* One algorithm may be made of another: its calls are not counted twice. */
static bool
begin(struct event *event)
{
    bool recorded = frugal_begin(event);

    if (recorded) frugal_thread.busy = true;
    return recorded;
}

static void
updated(const struct event *event, const void *context, size_t bytes)
{
    struct digest *digest = place_of(context);

    frugal_thread.busy = false;
    digest->bytes += (int64_t)bytes;
    digest->last_used = frugal_now();
    digest->nanoseconds += digest->last_used - event->start;
}

/* The event begins as early as if all of the work had been done at the end. */
static void
finished(struct event *event, const void *context, const void *value, size_t size)
{
    struct digest *digest = digest_of(context), *source = digest ? digest : source_of_copy();

    frugal_thread.busy = false;
    if (!source || !size) return;
    event->start -= source->nanoseconds;
    event->bytes = source->bytes;
    event->result = frugal_hash(value, size, 0);
    source->nanoseconds = 0;
    if (digest) digest->context = NULL;
    frugal_end(event, CALL_digest, false);
}

/* The context was set up anew: what was put into it before is gone. */
static void
forgotten(const void *context)
{
    struct digest *digest = digest_of(context);

    if (digest) digest->context = NULL;
}

#define DIGEST_OF_RUBY(algorithm, size_of_value) \
    void rb_Digest_##algorithm##_Update(void *context, const uint8_t *bytes, size_t size); \
    int rb_Digest_##algorithm##_Finish(void *context, uint8_t *value); \
    int rb_Digest_##algorithm##_Init(void *context); \
\
    EXPORT int rb_Digest_##algorithm##_Init(void *context) \
    { \
        forgotten(context); \
        return LOADED(rb_Digest_##algorithm##_Init)(context); \
    } \
\
    EXPORT void rb_Digest_##algorithm##_Update(void *context, const uint8_t *bytes, size_t size) \
    { \
        struct event event; \
        bool recorded = begin(&event); \
        LOADED(rb_Digest_##algorithm##_Update)(context, bytes, size); \
        if (recorded) updated(&event, context, size); \
    } \
\
    EXPORT int rb_Digest_##algorithm##_Finish(void *context, uint8_t *value) \
    { \
        struct event event; \
        bool recorded = begin(&event); \
        int result = LOADED(rb_Digest_##algorithm##_Finish)(context, value); \
        if (recorded) finished(&event, context, value, size_of_value); \
        return result; \
    }

DIGEST_OF_RUBY(MD5, 16)
DIGEST_OF_RUBY(SHA1, 20)
DIGEST_OF_RUBY(RMD160, 20)
DIGEST_OF_RUBY(SHA256, 32)
DIGEST_OF_RUBY(SHA384, 48)
DIGEST_OF_RUBY(SHA512, 64)

int EVP_DigestInit_ex(void *context, const void *type, void *engine);
int EVP_DigestUpdate(void *context, const void *bytes, size_t size);
int EVP_DigestFinal_ex(void *context, unsigned char *value, unsigned *size);

EXPORT int
EVP_DigestInit_ex(void *context, const void *type, void *engine)
{
    forgotten(context);
    return LOADED(EVP_DigestInit_ex)(context, type, engine);
}

EXPORT int
EVP_DigestUpdate(void *context, const void *bytes, size_t size)
{
    struct event event;
    bool recorded = begin(&event);
    int result = LOADED(EVP_DigestUpdate)(context, bytes, size);

    if (recorded) updated(&event, context, size);
    return result;
}

EXPORT int
EVP_DigestFinal_ex(void *context, unsigned char *value, unsigned *size)
{
    struct event event;
    unsigned written = 0;
    bool recorded = begin(&event);
    int result = LOADED(EVP_DigestFinal_ex)(context, value, &written);

    if (size) *size = written;
    if (recorded) finished(&event, context, value, result == 1 ? written : 0);
    return result;
}
