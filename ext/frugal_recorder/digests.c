/*
 * Digests: the functions of Ruby's own libraries (digest/sha2 and so on), and the methods of OpenSSL::Digest. A digest
 * makes no call of libc, but to compute it again for the same bytes is waste. Each finished digest is one event:
 * `bytes` is the size of its input, `result` is a hash of the digest, `duration` is the time in these functions.
 *
 * The functions of OpenSSL itself are not replaced, because a process may have several copies of libcrypto.
 */
#define _GNU_SOURCE
#include "hash.h"
#include "methods.h"
#include "recorder.h"
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#define OPEN_DIGESTS 16 /* of a thread at once; one more replaces the least recently used */

/* The input so far of an unfinished digest. */
struct digest {
    const void *context; /* NULL: free */
    int64_t bytes;
    uint64_t nanoseconds, last_used;
};

static __thread struct digest digests[OPEN_DIGESTS] __attribute__((tls_model("initial-exec")));

struct search {
    const char *library; /* how its name begins */
    int skipped;         /* the number of matches to skip */
    char path[4096];
};

static int
note_path(struct dl_phdr_info *info, size_t size, void *search_of)
{
    struct search *search = search_of;
    const char *slash = strrchr(info->dlpi_name, '/');

    if (!slash || strncmp(slash + 1, search->library, strlen(search->library)) != 0) return 0;
    if (strlen(info->dlpi_name) >= sizeof search->path || search->skipped-- > 0) return 0;
    strcpy(search->path, info->dlpi_name);
    return 1;
}

/* Returns the function. RTLD_NEXT does not search the libraries that Ruby has loaded, but it searches Ruby's own. */
static void *
find(const char *library, const char *name)
{
    for (int skip = 0;; skip++) {
        struct search search = { .library = library, .skipped = skip };
        if (!dl_iterate_phdr(note_path, &search)) return frugal_next(name);
        void *object = dlopen(search.path, RTLD_LAZY | RTLD_NOLOAD);
        if (!object) continue;
        void *found = dlsym(object, name);
        dlclose(object);
        if (found) return found;
    }
}

/* The function in the library that defines it. When such a function is called, its library is loaded. */
#define LOADED(library, name) \
    (__extension__({ \
        static __typeof__(&name) loaded_##name; \
        if (UNLIKELY(!loaded_##name)) *(void **)&loaded_##name = find(library, #name); \
        loaded_##name; \
    }))

static struct digest *
digest_of(const void *context)
{
    for (int i = 0; i < OPEN_DIGESTS; i++)
        if (digests[i].context == context) return &digests[i];
    return NULL;
}

/* Returns the place of this context, or a free place, or the place of the least recently used digest. */
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

/* Returns the digest that was used last. A finished context without a place is a copy of that digest
 * (Digest::Instance#digest makes one). */
static struct digest *
source_of_copy(void)
{
    struct digest *last = NULL;

    for (int i = 0; i < OPEN_DIGESTS; i++)
        if (digests[i].context && (!last || digests[i].last_used > last->last_used)) last = &digests[i];
    return last;
}

/* One algorithm may call the functions of another. These inner calls are not recorded. */
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

/* Records a finished digest. The event's start moves back by the time of the updates, so `duration` includes them. */
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

/* Called when the context is initialized again, which discards its previous input. */
static void
forgotten(const void *context)
{
    struct digest *digest = digest_of(context);

    if (digest) digest->context = NULL;
}

#define DIGEST_OF_RUBY(algorithm, size_of_value, library) \
    void rb_Digest_##algorithm##_Update(void *context, const uint8_t *bytes, size_t size); \
    int rb_Digest_##algorithm##_Finish(void *context, uint8_t *value); \
    int rb_Digest_##algorithm##_Init(void *context); \
\
    EXPORT int rb_Digest_##algorithm##_Init(void *context) \
    { \
        forgotten(context); \
        return LOADED(library, rb_Digest_##algorithm##_Init)(context); \
    } \
\
    EXPORT void rb_Digest_##algorithm##_Update(void *context, const uint8_t *bytes, size_t size) \
    { \
        struct event event; \
        bool recorded = begin(&event); \
        LOADED(library, rb_Digest_##algorithm##_Update)(context, bytes, size); \
        if (recorded) updated(&event, context, size); \
    } \
\
    EXPORT int rb_Digest_##algorithm##_Finish(void *context, uint8_t *value) \
    { \
        struct event event; \
        bool recorded = begin(&event); \
        int result = LOADED(library, rb_Digest_##algorithm##_Finish)(context, value); \
        if (recorded) finished(&event, context, value, size_of_value); \
        return result; \
    }

DIGEST_OF_RUBY(MD5, 16, "md5.so")
DIGEST_OF_RUBY(SHA1, 20, "sha1.so")
DIGEST_OF_RUBY(RMD160, 20, "rmd160.so")
DIGEST_OF_RUBY(SHA256, 32, "sha2.so")
DIGEST_OF_RUBY(SHA384, 48, "sha2.so")
DIGEST_OF_RUBY(SHA512, 64, "sha2.so")

/* The methods of OpenSSL::Digest: the context is the Ruby object. */
static VALUE (*stock_initialize)(int, const VALUE *, VALUE);
static VALUE (*stock_initialize_copy)(VALUE, VALUE);
static VALUE (*stock_reset)(VALUE);
static VALUE (*stock_update)(VALUE, VALUE);
static VALUE (*stock_finish)(VALUE);
static VALUE (*stock_finish_into)(int, const VALUE *, VALUE); /* up to openssl 3.0 */

static VALUE
openssl_initialize(int argc, const VALUE *argv, VALUE self)
{
    forgotten((const void *)self);
    return stock_initialize(argc, argv, self);
}

static VALUE
openssl_initialize_copy(VALUE self, VALUE other)
{
    const struct digest *digest = digest_of((const void *)other);

    forgotten((const void *)self);
    if (digest) {
        struct digest copy = *digest;
        struct digest *place = place_of((const void *)self);
        copy.context = place->context;
        copy.nanoseconds = 0;
        *place = copy;
    }
    return stock_initialize_copy(self, other);
}

static VALUE
openssl_reset(VALUE self)
{
    forgotten((const void *)self);
    return stock_reset(self);
}

/* Ruby has no public function for the size of a string in bytes, but one for the offset in bytes of a character. */
static size_t
string_size(VALUE string)
{
    return (size_t)OF_RUBY(rb_str_offset)(string, OF_RUBY(rb_str_strlen)(string));
}

static const char *
string_bytes(VALUE string)
{
    return OF_RUBY(rb_string_value_ptr)(&string);
}

static VALUE
openssl_update(VALUE self, VALUE string)
{
    struct event event;

    if (!frugal_begin(&event)) return stock_update(self, string);
    VALUE result = stock_update(self, string); /* may raise: so the thread is not marked as busy */
    updated(&event, (const void *)self, string_size(string));
    return result;
}

static VALUE
openssl_finish(VALUE self)
{
    struct event event;

    if (!frugal_begin(&event)) return stock_finish(self);
    VALUE value = stock_finish(self);
    finished(&event, (const void *)self, string_bytes(value), string_size(value));
    return value;
}

static VALUE
openssl_finish_into(int argc, const VALUE *argv, VALUE self)
{
    struct event event;

    if (!frugal_begin(&event)) return stock_finish_into(argc, argv, self);
    VALUE value = stock_finish_into(argc, argv, self);
    finished(&event, (const void *)self, string_bytes(value), string_size(value));
    return value;
}

const struct frugal_method frugal_digest_methods[] = {
    { "OpenSSL::Digest", "initialize", -1, (method)openssl_initialize, (method *)&stock_initialize },
    { "OpenSSL::Digest", "initialize_copy", 1, (method)openssl_initialize_copy, (method *)&stock_initialize_copy },
    { "OpenSSL::Digest", "reset", 0, (method)openssl_reset, (method *)&stock_reset },
    { "OpenSSL::Digest", "update", 1, (method)openssl_update, (method *)&stock_update },
    { "OpenSSL::Digest", "finish", 0, (method)openssl_finish, (method *)&stock_finish },
    { "OpenSSL::Digest", "finish", -1, (method)openssl_finish_into, (method *)&stock_finish_into },
    { 0 },
};
