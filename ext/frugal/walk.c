/*
 * Frugal::Native::C::Tree: all that lies below a directory, in pre-order, and
 * strings of it only where they are asked for. The workers are core/tree_*.c.
 */
#include "probe.h"

#include <limits.h>
#include <ruby/encoding.h>
#include <string.h>
#include <unistd.h>

#include "core/tree.h"

/* An entry, found by its number. */
typedef struct {
    const frugal_tree_node *node;
    const frugal_tree_entry *entry;
} tree_item;

typedef struct {
    frugal_tree tree;
    frugal_tree_options options;
    VALUE path;     /* as it was given */
    VALUE patterns; /* the strings that the options point to */
    rb_encoding *encoding;
    bool opened, running, done;
    pid_t pid;
    const frugal_tree_node *awaited; /* while it streams */
    tree_item *items;
    size_t count;
} tree_walk;

static ID id_follow, id_paths, id_once, id_hidden, id_sort, id_stat, id_threads, id_depth, id_prune, id_suffixes, id_mtime, id_size;

static void
walk_mark(void *data)
{
    tree_walk *walk = data;

    rb_gc_mark(walk->path);
    rb_gc_mark(walk->patterns);
}

/* A fork in another thread leaves a child with a walk that nobody goes on with. */
static void
walk_free(void *data)
{
    tree_walk *walk = data;

    if (walk->opened && !walk->running) frugal_tree_free(&walk->tree);
    xfree((void *)walk->options.prune);
    xfree((void *)walk->options.suffixes);
    xfree(walk->items);
    xfree(walk);
}

static size_t
walk_size(const void *data)
{
    const tree_walk *walk = data;

    return sizeof(*walk) + walk->count * (sizeof(frugal_tree_entry) + 16 + (walk->items ? sizeof(tree_item) : 0));
}

static const rb_data_type_t walk_type = {
    .wrap_struct_name = "Frugal::Tree",
    .function = { walk_mark, walk_free, walk_size },
    .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

static tree_walk *
walk_get(VALUE self)
{
    return rb_check_typeddata(self, &walk_type);
}

static VALUE
option(VALUE options, ID name)
{
    return rb_hash_lookup2(options, ID2SYM(name), Qnil);
}

/* Strings of the option's list, which stay where they are as long as the walk. */
static const char *const *
patterns(tree_walk *walk, VALUE list, size_t *count)
{
    const char **texts;

    if (NIL_P(list)) return NULL;
    *count = (size_t)RARRAY_LEN(list);
    texts = ALLOC_N(const char *, *count + 1);
    for (size_t i = 0; i < *count; i++) {
        VALUE text = rb_str_new_frozen(RARRAY_AREF(list, (long)i));

        rb_ary_push(walk->patterns, text);
        texts[i] = StringValueCStr(text);
    }
    return texts;
}

static void
read_options(tree_walk *walk, VALUE options)
{
    VALUE follow = option(options, id_follow), threads = option(options, id_threads), depth = option(options, id_depth);

    walk->options.follow = follow == ID2SYM(id_paths) ? FRUGAL_FOLLOW_PATHS
                         : follow == ID2SYM(id_once) ? FRUGAL_FOLLOW_ONCE : FRUGAL_FOLLOW_NEVER;
    walk->options.hidden = RTEST(option(options, id_hidden));
    walk->options.sort = RTEST(option(options, id_sort));
    walk->options.stat = RTEST(option(options, id_stat));
    walk->options.threads = NIL_P(threads) ? 0 : NUM2INT(threads);
    walk->options.depth = NIL_P(depth) ? 0 : NUM2UINT(depth);
    walk->options.prune = patterns(walk, option(options, id_prune), &walk->options.prune_count);
    walk->options.suffixes = patterns(walk, option(options, id_suffixes), &walk->options.suffix_count);
}

static void *
walk_run(void *arg)
{
    tree_walk *walk = arg;

    walk->done = frugal_tree_run(&walk->tree);
    return NULL;
}

static void
walk_cancel(void *arg)
{
    frugal_tree_cancel(&((tree_walk *)arg)->tree);
}

/* An interrupt may raise; then no thread is left either. */
static VALUE
run_to_its_end(VALUE arg)
{
    tree_walk *walk = (tree_walk *)arg;

    walk->tree.interrupted = frugal_probe_interrupted;
    walk->tree.host = (void *)rb_thread_current();
    walk->running = true;
    while (!walk->done) {
        frugal_tree_resume(&walk->tree);
        frugal_probe_run_unlocked(walk_run, walk_cancel, walk);
        if (walk->tree.error) rb_memerror();
    }
    return Qnil;
}

static VALUE
run_is_over(VALUE arg)
{
    tree_walk *walk = (tree_walk *)arg;

    frugal_tree_close(&walk->tree);
    walk->running = false;
    return Qnil;
}

static void
count_items(tree_walk *walk)
{
    frugal_tree_cursor cursor;
    const frugal_tree_node *node;

    frugal_tree_cursor_begin(&cursor, &walk->tree);
    while (frugal_tree_next(&cursor, &node) != NULL) walk->count++;
    frugal_tree_cursor_free(&cursor);
}

/* An open walk, or nil for a miss. */
static VALUE
walk_open(VALUE klass, VALUE path, VALUE options)
{
    tree_walk *walk;
    VALUE self = TypedData_Make_Struct(klass, tree_walk, &walk_type, walk);
    int collected = 0;

    walk->path = rb_str_new_frozen(frugal_probe_path(path));
    walk->patterns = rb_ary_new();
    walk->encoding = rb_enc_get(walk->path);
    if (walk->encoding == rb_usascii_encoding()) walk->encoding = rb_filesystem_encoding();
    read_options(walk, options);
    while (!(walk->opened = frugal_tree_open(&walk->tree, RSTRING_PTR(walk->path), &walk->options))) {
        int error = walk->tree.error;

        frugal_tree_free(&walk->tree);
        if (!frugal_probe_retry(error, &collected)) return frugal_probe_miss(error, "dir_initialize", path);
    }
    return self;
}

/* Tree.list(path, options) -> Tree, or nil for a miss */
static VALUE
walk_list(VALUE klass, VALUE path, VALUE options)
{
    VALUE self = walk_open(klass, path, options);
    tree_walk *walk;

    if (NIL_P(self)) return Qnil;
    walk = walk_get(self);
    rb_ensure(run_to_its_end, (VALUE)walk, run_is_over, (VALUE)walk);
    count_items(walk);
    RB_GC_GUARD(self);
    return self;
}

/* Writes the paths of one directory's entries after its own, which is written once. */
typedef struct {
    const tree_walk *walk;
    const frugal_tree_node *node;
    char *bytes;
    size_t length, room;
    VALUE memory;
} path_writer;

static VALUE
write_path(path_writer *writer, const frugal_tree_node *node, const frugal_tree_entry *entry)
{
    if (node != writer->node) {
        size_t length = frugal_tree_path_length(&writer->walk->tree, node);

        if (writer->room < length + 1 + NAME_MAX) {
            writer->room = (length + 1 + NAME_MAX) * 2;
            writer->memory = rb_str_tmp_new((long)writer->room);
            writer->bytes = RSTRING_PTR(writer->memory);
        }
        frugal_tree_path(&writer->walk->tree, node, writer->bytes, length);
        writer->bytes[length] = '/';
        writer->length = length + 1;
        writer->node = node;
    }
    memcpy(writer->bytes + writer->length, entry->name, entry->length);
    return rb_external_str_new_with_enc(writer->bytes, (long)(writer->length + entry->length), writer->walk->encoding);
}

/* -- streaming -- */

static void *
stream_await(void *arg)
{
    tree_walk *walk = arg;

    walk->awaited = frugal_tree_await(&walk->tree);
    return NULL;
}

static void
stream_yield(const tree_walk *walk)
{
    path_writer writer = { .walk = walk };
    const frugal_tree_node *node = walk->awaited;
    VALUE paths = rb_ary_new_capa((long)node->count);

    for (size_t i = 0; i < node->count; i++) {
        if (node->entries[i].kept) rb_ary_push(paths, write_path(&writer, node, &node->entries[i]));
    }
    RB_GC_GUARD(writer.memory);
    rb_yield(paths);
}

/* As a signal's handler ended, the threads have too, and begin again where they were. */
static VALUE
stream_to_its_end(VALUE arg)
{
    tree_walk *walk = (tree_walk *)arg;

    walk->tree.interrupted = frugal_probe_interrupted;
    walk->tree.host = (void *)rb_thread_current();
    walk->pid = getpid();
    while (!walk->done) {
        frugal_tree_resume(&walk->tree);
        walk->running = true;
        if (!frugal_tree_start(&walk->tree)) rb_raise(rb_eThreadError, "frugal: the system grants no thread to walk with");
        for (;;) {
            if (walk->pid != getpid()) rb_raise(rb_eRuntimeError, "frugal: each_path cannot go on in a forked child");
            frugal_probe_run_unlocked(stream_await, walk_cancel, walk);
            if (walk->awaited == NULL) break;
            stream_yield(walk);
        }
        frugal_tree_stop(&walk->tree);
        if (walk->tree.error) rb_memerror();
        walk->done = walk->tree.pool.count == 0 && walk->tree.next_ready == walk->tree.ready.count;
    }
    return Qnil;
}

static VALUE
stream_is_over(VALUE arg)
{
    tree_walk *walk = (tree_walk *)arg;

    if (!walk->running || walk->pid != getpid()) return Qnil;
    frugal_tree_stop(&walk->tree);
    frugal_tree_close(&walk->tree);
    walk->running = false;
    return Qnil;
}

/* Tree.stream(path, options) { |paths| } -> Tree, or nil: a directory's paths as soon as it is read */
static VALUE
walk_stream(VALUE klass, VALUE path, VALUE options)
{
    VALUE self = walk_open(klass, path, options);
    tree_walk *walk;

    if (NIL_P(self)) return Qnil;
    walk = walk_get(self);
    rb_ensure(stream_to_its_end, (VALUE)walk, stream_is_over, (VALUE)walk);
    RB_GC_GUARD(self);
    return self;
}

/* -- reading -- */

/* to_a -> [String] */
static VALUE
walk_to_a(VALUE self)
{
    tree_walk *walk = walk_get(self);
    path_writer writer = { .walk = walk };
    VALUE paths = rb_ary_new_capa((long)walk->count);
    frugal_tree_cursor cursor;
    const frugal_tree_node *node;
    const frugal_tree_entry *entry;

    frugal_tree_cursor_begin(&cursor, &walk->tree);
    while ((entry = frugal_tree_next(&cursor, &node)) != NULL) rb_ary_push(paths, write_path(&writer, node, entry));
    frugal_tree_cursor_free(&cursor);
    RB_GC_GUARD(writer.memory);
    RB_GC_GUARD(self);
    return paths;
}

static void
number_items(tree_walk *walk)
{
    frugal_tree_cursor cursor;
    size_t count = 0;

    if (walk->items) return;
    walk->items = ALLOC_N(tree_item, walk->count + 1);
    frugal_tree_cursor_begin(&cursor, &walk->tree);
    while ((walk->items[count].entry = frugal_tree_next(&cursor, &walk->items[count].node)) != NULL) count++;
    frugal_tree_cursor_free(&cursor);
}

/* at(index) -> String; the index is one that there is */
static VALUE
walk_at(VALUE self, VALUE index)
{
    tree_walk *walk = walk_get(self);
    path_writer writer = { .walk = walk };
    long at = NUM2LONG(index);
    VALUE path;

    if (at < 0 || (size_t)at >= walk->count) rb_raise(rb_eIndexError, "frugal: no entry %ld of %zu", at, walk->count);
    number_items(walk);
    path = write_path(&writer, walk->items[at].node, walk->items[at].entry);
    RB_GC_GUARD(writer.memory);
    return path;
}

/* size -> Integer */
static VALUE
walk_count(VALUE self)
{
    return SIZET2NUM(walk_get(self)->count);
}

/* column(:mtime | :size) -> [Integer], parallel to the paths */
static VALUE
walk_column(VALUE self, VALUE name)
{
    tree_walk *walk = walk_get(self);
    VALUE values = rb_ary_new_capa((long)walk->count);
    frugal_tree_cursor cursor;
    const frugal_tree_node *node;
    const frugal_tree_entry *entry;
    bool mtime = name == ID2SYM(id_mtime);

    frugal_tree_cursor_begin(&cursor, &walk->tree);
    while ((entry = frugal_tree_next(&cursor, &node)) != NULL) {
        rb_ary_push(values, LL2NUM((mtime ? node->mtimes : node->sizes)[entry - node->entries]));
    }
    frugal_tree_cursor_free(&cursor);
    RB_GC_GUARD(self);
    return values;
}

/* failures -> [[path, errno]]: directories that could not be listed, or only in part */
static VALUE
walk_failures(VALUE self)
{
    tree_walk *walk = walk_get(self);
    path_writer writer = { .walk = walk };
    VALUE failures = rb_ary_new();
    frugal_tree_cursor cursor;
    const frugal_tree_node *node;
    const frugal_tree_entry *entry;

    if (walk->tree.root.error) rb_ary_push(failures, rb_assoc_new(walk->path, INT2NUM(walk->tree.root.error)));
    frugal_tree_cursor_begin(&cursor, &walk->tree);
    cursor.all = true;
    while ((entry = frugal_tree_next(&cursor, &node)) != NULL) {
        if (!entry->child || !entry->child->error) continue;
        rb_ary_push(failures, rb_assoc_new(write_path(&writer, node, entry), INT2NUM(entry->child->error)));
    }
    frugal_tree_cursor_free(&cursor);
    RB_GC_GUARD(writer.memory);
    return failures;
}

void
frugal_walk_init(void)
{
    VALUE tree = rb_define_class_under(frugal_mC, "Tree", rb_cObject);

    id_follow = rb_intern("follow");
    id_paths = rb_intern("paths");
    id_once = rb_intern("once");
    id_hidden = rb_intern("hidden");
    id_sort = rb_intern("sort");
    id_stat = rb_intern("stat");
    id_threads = rb_intern("threads");
    id_depth = rb_intern("depth");
    id_prune = rb_intern("prune");
    id_suffixes = rb_intern("suffixes");
    id_mtime = rb_intern("mtime");
    id_size = rb_intern("size");
    rb_undef_alloc_func(tree);
    rb_define_singleton_method(tree, "list", walk_list, 2);
    rb_define_singleton_method(tree, "stream", walk_stream, 2);
    rb_define_method(tree, "size", walk_count, 0);
    rb_define_method(tree, "at", walk_at, 1);
    rb_define_method(tree, "to_a", walk_to_a, 0);
    rb_define_method(tree, "column", walk_column, 1);
    rb_define_method(tree, "failures", walk_failures, 0);
}
