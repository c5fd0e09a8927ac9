/*
 * Find.find's walk, for the drop-in: Frugal::Native::C::FindWalk. It yields, in
 * stock's order, and leaves to stock's own methods, by a call back to Ruby,
 * whatever ends in an error that stock raises, or needs another encoding.
 */
#include "frugal.h"

#ifdef __linux__

#include <ruby/encoding.h>
#include <ruby/thread.h>
#include <string.h>

#include "core/find_walk.h"

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

static const rb_data_type_t walk_type = {
    .wrap_struct_name = "Frugal::Native::C::FindWalk",
    .function = { .dfree = walk_free, .dsize = walk_size },
    .flags = RUBY_TYPED_FREE_IMMEDIATELY
};

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

    frugal_find_init(walk, SIZE_MAX);
    return self;
}

/* FindWalk.new(ignore_error, watch_after): so many lstats pay for a watch; nil: none do. */
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
    rb_encoding *names;  /* of a listing */
    rb_encoding *odd;    /* of a path below a US-ASCII root, unless that and the listing are ASCII */
    VALUE fallback;      /* answers `below` */
    bool below_root;
    bool yielded;
    bool ended;
} find_call;

/* -- encodings, as Dir.children and File.join give them -- */

/* Whether a path's bytes say all; otherwise stock is asked. */
static bool
plain_root(find_call *call, VALUE root)
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
    if (encoding == rb_usascii_encoding() && (call->odd == call->names || !ascii_only(walk->path, walk->length))) encoding = call->odd;
    return rb_enc_str_new(walk->path, (long)walk->length, encoding);
}

/* -- the walk -- */

static void *
enter_unlocked(void *arg)
{
    return (void *)(intptr_t)frugal_find_enter(arg);
}

/* All below a path that was yielded, by stock's own methods. */
static void
let_stock(find_call *call)
{
    VALUE args[3] = { call->below_root ? path_string(call) : call->root, call->encoding, call->walk->raising ? Qfalse : Qtrue };

    rb_funcall_passing_block(call->fallback, id_below, 3, args);
}

/* What stock does after its yield. */
static void
descend(find_call *call)
{
    frugal_find_walk *walk = call->walk;
    int found;

    if (!call->below_root) {
        /* A root is the caller's string, and may be another one after the yield. */
        if (!RB_TYPE_P(call->root, T_STRING) || !plain_root(call, call->root) || RSTRING_LEN(call->root) == 0 ||
            memchr(RSTRING_PTR(call->root), '\0', RSTRING_LEN(call->root)) != NULL ||
            !frugal_find_root(walk, RSTRING_PTR(call->root), RSTRING_LEN(call->root))) {
            call->ended = true;
            let_stock(call);
            return;
        }
        call->root = rb_str_new_frozen(call->root);
    }
    found = frugal_find_glance(walk);
    if (found == FRUGAL_FIND_NOTHING) return;
    if (found == FRUGAL_FIND_UNKNOWN && rb_default_internal_encoding() == NULL) {
        found = (int)(intptr_t)rb_nogvl(enter_unlocked, walk, NULL, NULL, 0);
    } else {
        found = FRUGAL_FIND_STOCK;
    }
    if (found == FRUGAL_FIND_STOCK) let_stock(call);
}

/* Goes on until the end; a thrown :prune leaves it, and begins it again with the next path. */
static VALUE
walk_on(RB_BLOCK_CALL_FUNC_ARGLIST(tag, arg))
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
        rb_catch_obj(ID2SYM(id_prune), walk_on, arg);
        /* A root that was pruned has nothing below it. */
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

/* visit(root, encoding, fallback) { |path| }: one root and all below it. */
static VALUE
walk_visit(VALUE self, VALUE root, VALUE encoding, VALUE fallback)
{
    find_call call = { .walk = walk_of(self), .root = root, .encoding = encoding, .fallback = fallback };

    call.names = rb_to_encoding(encoding);
    call.odd = call.names == rb_usascii_encoding() ? rb_ascii8bit_encoding() : call.names;
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

/* Closes what was opened to watch. */
static VALUE
walk_close(VALUE self)
{
    frugal_find_walk *walk = walk_of(self);

    if (walk->watching) rb_nogvl(close_unlocked, walk, NULL, NULL, 0);
    return Qnil;
}

void
frugal_find_walk_init(void)
{
    VALUE klass = rb_define_class_under(frugal_mC, "FindWalk", rb_cObject);

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
frugal_find_walk_init(void)
{
    /* No cheap way to know of changes: the drop-in stands aside. */
}

#endif
