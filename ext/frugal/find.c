/*
 * Frugal::Native::C::FindWalk, for the drop-in of Find.find: yields paths in stock's order. The block has to list a
 * directory with Ruby's own methods if stock would raise an error, and for paths in an encoding that the walk does not
 * support.
 *
 * The backtraces of the program's block show stock's frames, such as Kernel#catch, which stock calls for each path. So
 * the method that visits a tree is named `catch`, in a module named Kernel.
 */
#include "frugal.h"

#ifdef __linux__

#include <ruby/encoding.h>
#include <string.h>

#include "core/find/find.h"
#include "native_memory.h"
#include "probe/probe.h"

static ID id_dup, id_prune;

typedef struct {
    frugal_find_walk walk;
    size_t reported; /* see native_memory.h */
} walk_object;

static void
walk_free(void *data)
{
    walk_object *object = data;

    frugal_find_free(&object->walk);
    frugal_native_memory_report(&object->reported, 0);
    ruby_xfree(object);
}

static size_t
walk_size(const void *data)
{
    return sizeof(walk_object) + ((const walk_object *)data)->reported;
}

static const rb_data_type_t walk_type = { .wrap_struct_name = "Frugal::Native::C::FindWalk",
                                          .function = { .dfree = walk_free, .dsize = walk_size },
                                          .flags = RUBY_TYPED_FREE_IMMEDIATELY };

static walk_object *
object_of(VALUE self)
{
    return rb_check_typeddata(self, &walk_type);
}

static frugal_find_walk *
walk_of(VALUE self)
{
    return &object_of(self)->walk;
}

static VALUE
walk_alloc(VALUE klass)
{
    walk_object *object;
    VALUE self = TypedData_Make_Struct(klass, walk_object, &walk_type, object);

    frugal_find_begin(&object->walk, SIZE_MAX);
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
    walk_object *object;
    frugal_find_walk *walk; /* of the object */
    VALUE root;
    VALUE pending;                 /* the paths for Ruby's methods, the first one at the end */
    rb_encoding *names;            /* of the names in a directory */
    rb_encoding *below_ascii_root; /* of a path below a US-ASCII root, unless the path and `names` are US-ASCII */
    bool below_root;               /* the current path is not the root itself */
    bool yielded;                  /* the current path was yielded */
    bool ended;
} find_call;

/* -- encodings, the same as those of Dir.children and File.join -- */

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

/* Yields the pending paths and all paths below them, until the end, or until the block throws :prune. */
static VALUE
yield_pending(RB_BLOCK_CALL_FUNC_ARGLIST(tag, arg))
{
    find_call *call = (find_call *)arg;

    while (RARRAY_LEN(call->pending) > 0) {
        VALUE path = rb_ary_pop(call->pending);

        rb_yield_values(2, rb_funcall(path, id_dup, 0), Qfalse);
        rb_yield_values(2, path, call->pending);
    }
    return Qnil;
}

/* Visits all paths below the current path as stock does. The block appends the entries of a directory. */
static void
call_stock(find_call *call)
{
    call->pending = rb_ary_new();
    rb_yield_values(2, call->below_root ? path_string(call) : call->root, call->pending);
    while (RARRAY_LEN(call->pending) > 0) rb_catch_obj(ID2SYM(id_prune), yield_pending, (VALUE)call);
}

/* Begins the walk at the root, whose string the block may have changed. Returns false if stock has to walk. */
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

static void
report(find_call *call)
{
    frugal_native_memory_report(&call->object->reported, frugal_find_memory(call->walk));
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
        found = (int)(intptr_t)frugal_probe_wait_unlocked(enter_unlocked, walk, NULL, NULL, 0);
        report(call);
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
        rb_yield_values(2, path_string(call), Qfalse);
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
    report(call);
    return Qnil;
}

/*
 * catch(root, encoding) { |path, entries| }: yields the root and all paths below it, with false. If the second argument
 * is an Array, the path was yielded before; if it is a directory, the block has to append the paths of its entries in
 * reverse order.
 */
static VALUE
walk_catch(VALUE self, VALUE root, VALUE encoding)
{
    find_call call = { .object = object_of(self), .root = root, .pending = Qnil };

    call.walk = &call.object->walk;
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

    if (walk->watching) frugal_probe_wait_unlocked(close_unlocked, walk, NULL, NULL, 0);
    return Qnil;
}

void
frugal_find_init(VALUE module)
{
    VALUE klass = rb_define_class_under(module, "FindWalk", rb_cObject);
    VALUE kernel = rb_module_new();

    id_dup = rb_intern("dup");
    id_prune = rb_intern("prune");
    rb_ext_ractor_safe(true); /* a walk belongs to its caller */
    rb_define_alloc_func(klass, walk_alloc);
    rb_define_method(klass, "initialize", walk_initialize, 2);
    rb_set_class_path_string(kernel, rb_cObject, rb_str_new_cstr("Kernel")); /* Ruby >= 3.4 shows it in frames */
    rb_define_method(kernel, "catch", walk_catch, 2);
    rb_include_module(klass, kernel);
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
