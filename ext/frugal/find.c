/*
 * Frugal::Native::C::FindWalk, for the drop-in of Find.find: yields paths in stock's
 * order. It calls stock's own methods in Ruby for a directory where stock would raise
 * an error, and for paths in an encoding that it does not support.
 */
#include "frugal.h"

#ifdef __linux__

#include <ruby/encoding.h>
#include <ruby/thread.h>
#include <string.h>

#include "core/find/find.h"

static ID id_dup, id_below, id_prune;

static void
walk_free(void *walk)
{
    frugal_find_free(walk);
    ruby_xfree(walk);
}

static size_t
walk_size(const void *walk)
{
    return sizeof(frugal_find_walk);
}

static const rb_data_type_t walk_type = { .wrap_struct_name = "Frugal::Native::C::FindWalk",
                                          .function = { .dfree = walk_free, .dsize = walk_size },
                                          .flags = RUBY_TYPED_FREE_IMMEDIATELY };

static frugal_find_walk *
walk_of(VALUE self)
{
    frugal_find_walk *walk;

    TypedData_Get_Struct(self, frugal_find_walk, &walk_type, walk);
    return walk;
}

static VALUE
walk_alloc(VALUE klass)
{
    frugal_find_walk *walk;
    VALUE self = TypedData_Make_Struct(klass, frugal_find_walk, &walk_type, walk);

    frugal_find_begin(walk, SIZE_MAX);
    return self;
}

/*
 * FindWalk.new(ignore_error, watch_after): directories are watched for changes once the
 * walk would call lstat(2) `watch_after` times without watches; nil: never.
 */
static VALUE
walk_initialize(VALUE self, VALUE ignore_error, VALUE watch_after)
{
    frugal_find_walk *walk = walk_of(self);

    walk->raising = !RTEST(ignore_error);
    if (!walk->raising && !NIL_P(watch_after)) walk->watch_after = NUM2SIZET(watch_after);
    return self;
}

typedef struct {
    frugal_find_walk *walk;
    VALUE root;
    VALUE encoding;
    rb_encoding *names;            /* of the names in a directory */
    rb_encoding *below_ascii_root; /* of a path below a US-ASCII root, unless the path and `names` are US-ASCII */
    VALUE fallback;                /* its method `below` visits a directory as stock does */
    bool below_root;               /* the current path is not the root itself */
    bool yielded;                  /* the current path was yielded */
    bool ended;
} find_call;

/* -- encodings, as Dir.children and File.join give them -- */

/* Whether path_string can give each path below the root the encoding that File.join would give it. */
static bool
supported_encoding(find_call *call, VALUE root)
{
    rb_encoding *encoding = rb_enc_get(root);
    rb_encoding *utf8 = rb_utf8_encoding(), *binary = rb_ascii8bit_encoding(), *ascii = rb_usascii_encoding();

    if (call->names != utf8 && call->names != binary && call->names != ascii) return false;
    if (encoding == ascii) return rb_enc_str_asciionly_p(root);
    return encoding == call->names;
}

static bool
ascii_only(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] & 0x80) return false;
    }
    return true;
}

static VALUE
path_string(const find_call *call)
{
    const frugal_find_walk *walk = call->walk;
    rb_encoding *encoding;

    if (!call->below_root) return rb_funcall(call->root, id_dup, 0);
    encoding = rb_enc_get(call->root);
    if (encoding == rb_usascii_encoding() &&
        (call->below_ascii_root == call->names || !ascii_only(walk->path, walk->length))) {
        encoding = call->below_ascii_root;
    }
    return rb_enc_str_new(walk->path, (long)walk->length, encoding);
}

/* -- the walk -- */

static void *
enter_unlocked(void *arg)
{
    return (void *)(intptr_t)frugal_find_enter(arg);
}

/* Visits everything below the current path by stock's own methods. */
static void
call_stock(find_call *call)
{
    VALUE path = call->below_root ? path_string(call) : call->root;
    VALUE args[3] = { path, call->encoding, call->walk->raising ? Qfalse : Qtrue };

    rb_funcall_passing_block(call->fallback, id_below, 3, args);
}

/* Begins the walk at the root, as the yield has left the caller's string. False where stock has to walk. */
static bool
enter_root(find_call *call)
{
    VALUE root = call->root;

    if (!RB_TYPE_P(root, T_STRING) || !supported_encoding(call, root) || RSTRING_LEN(root) == 0) return false;
    if (memchr(RSTRING_PTR(root), '\0', RSTRING_LEN(root)) != NULL) return false;
    if (!frugal_find_root(call->walk, RSTRING_PTR(root), RSTRING_LEN(root))) return false;
    call->root = rb_str_new_frozen(root);
    return true;
}

/* Does what stock does after it has yielded a path: enters it if it is a directory. */
static void
descend(find_call *call)
{
    frugal_find_walk *walk = call->walk;
    int found;

    if (!call->below_root && !enter_root(call)) {
        call->ended = true;
        call_stock(call);
        return;
    }
    found = frugal_find_glance(walk);
    if (found == FRUGAL_FIND_NOTHING) return;
    if (found == FRUGAL_FIND_UNKNOWN && rb_default_internal_encoding() == NULL) {
        found = (int)(intptr_t)rb_nogvl(enter_unlocked, walk, NULL, NULL, 0);
    }
    else {
        found = FRUGAL_FIND_STOCK;
    }
    if (found == FRUGAL_FIND_STOCK) call_stock(call);
}

/* Yields paths until the end, or until the block throws :prune. A new call continues with the next path. */
static VALUE
yield_paths(RB_BLOCK_CALL_FUNC_ARGLIST(tag, arg))
{
    find_call *call = (find_call *)arg;
    frugal_find_walk *walk = call->walk;

    for (;;) {
        size_t stem;

        if (call->yielded) {
            call->yielded = false;
            if (call->ended || !frugal_find_next(walk, &stem)) break;
            call->below_root = true;
        }
        call->yielded = true;
        rb_yield(path_string(call));
        descend(call);
    }
    call->ended = true;
    return Qnil;
}

static VALUE
visit_body(VALUE arg)
{
    find_call *call = (find_call *)arg;

    do {
        rb_catch_obj(ID2SYM(id_prune), yield_paths, arg);
        /* After the root itself was pruned, there is nothing left to visit. */
    } while (!call->ended && call->below_root);
    return Qnil;
}

static VALUE
visit_ensure(VALUE arg)
{
    find_call *call = (find_call *)arg;

    call->ended = true;
    frugal_find_leave(call->walk);
    return Qnil;
}

/* visit(root, encoding, fallback) { |path| }: yields the root and all paths below it. */
static VALUE
walk_visit(VALUE self, VALUE root, VALUE encoding, VALUE fallback)
{
    find_call call = { .walk = walk_of(self), .root = root, .encoding = encoding, .fallback = fallback };

    call.names = rb_to_encoding(encoding);
    call.below_ascii_root = call.names == rb_usascii_encoding() ? rb_ascii8bit_encoding() : call.names;
    rb_ensure(visit_body, (VALUE)&call, visit_ensure, (VALUE)&call);
    RB_GC_GUARD(self);
    return Qnil;
}

static void *
close_unlocked(void *arg)
{
    frugal_find_close(arg);
    return NULL;
}

/* close: closes the descriptors of watches. */
static VALUE
walk_close(VALUE self)
{
    frugal_find_walk *walk = walk_of(self);

    if (walk->watching) rb_nogvl(close_unlocked, walk, NULL, NULL, 0);
    return Qnil;
}

void
frugal_find_init(VALUE module)
{
    VALUE klass = rb_define_class_under(module, "FindWalk", rb_cObject);

    id_dup = rb_intern("dup");
    id_below = rb_intern("below");
    id_prune = rb_intern("prune");
    rb_ext_ractor_safe(true); /* a walk belongs to its caller */
    rb_define_alloc_func(klass, walk_alloc);
    rb_define_method(klass, "initialize", walk_initialize, 2);
    rb_define_method(klass, "visit", walk_visit, 3);
    rb_define_method(klass, "close", walk_close, 0);
    rb_ext_ractor_safe(false);
}

#else

void
frugal_find_init(VALUE module)
{
    /* Without Linux there is no cheap way to notice changes, so the drop-in stands aside. */
}

#endif
