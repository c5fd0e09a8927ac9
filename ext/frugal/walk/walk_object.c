/* The object of a walk: its options, and the tree that it lists. */
#include "walk/walk_internal.h"

#include <ruby/util.h>
#include <string.h>
#include <unistd.h>

#include "native_memory.h"
#include "probe/probe.h"

static ID id_follow, id_paths, id_once, id_hidden, id_sort, id_stat, id_threads, id_depth, id_prefix, id_cut, id_prune,
    id_suffixes, id_gitignore;

static void
walk_mark(void *data)
{
    tree_walk *walk = data;

    rb_gc_mark(walk->path);
}

/*
 * A stream is still running if its fiber was abandoned, as by an Enumerator after `next`. After a fork in another
 * thread, the child has a running walk that no thread continues. The tree of that walk is not freed.
 */
static void
walk_free(void *data)
{
    tree_walk *walk = data;

    if (walk->running && walk->pid == getpid()) {
        frugal_tree_stop(&walk->tree);
        walk->running = false;
    }
    if (walk->opened && !walk->running) {
        frugal_tree_free(&walk->tree);
        frugal_native_memory_report(&walk->reported, 0);
    }
    for (long i = 0; i < walk->text_count; i++) xfree(walk->texts[i]);
    xfree(walk->texts);
    xfree(walk->prune);
    xfree(walk->suffixes);
    xfree(walk->items);
    xfree(walk);
}

static size_t
walk_size(const void *data)
{
    const tree_walk *walk = data;
    size_t size = sizeof(*walk) + walk->reported;

    for (long i = 0; i < walk->text_count; i++) size += sizeof(*walk->texts) + strlen(walk->texts[i]) + 1;
    if (walk->prune) size += (walk->options.prune_count + 1) * sizeof(*walk->prune);
    if (walk->suffixes) size += (walk->options.suffix_count + 1) * sizeof(*walk->suffixes);
    if (walk->items) size += (walk->count + 1) * sizeof(*walk->items);
    return size;
}

static const rb_data_type_t walk_type = {
    .wrap_struct_name = "Frugal::Tree",
    .function = { walk_mark, walk_free, walk_size },
    .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

tree_walk *
frugal_walk_get(VALUE self)
{
    return rb_check_typeddata(self, &walk_type);
}

void
frugal_walk_report(tree_walk *walk)
{
    frugal_native_memory_report(&walk->reported, frugal_tree_memory(&walk->tree));
}

static VALUE
option(VALUE options, ID name)
{
    return rb_hash_lookup2(options, ID2SYM(name), Qnil);
}

/* Copies a String, since it may move or change while the walk runs. */
static const char *
copy_text(tree_walk *walk, VALUE string)
{
    REALLOC_N(walk->texts, char *, walk->text_count + 1);
    return walk->texts[walk->text_count++] = ruby_strdup(StringValueCStr(string));
}

static const char *
copy_bytes(tree_walk *walk, frugal_tree_text text)
{
    char *copy = memcpy(ALLOC_N(char, text.length + 1), text.bytes, text.length);

    copy[text.length] = '\0';
    REALLOC_N(walk->texts, char *, walk->text_count + 1);
    return walk->texts[walk->text_count++] = copy;
}

static const char *const *
copy_texts(tree_walk *walk, VALUE list, const char ***texts, size_t *count)
{
    if (NIL_P(list)) return NULL;
    *texts = ALLOC_N(const char *, RARRAY_LEN(list) + 1);
    while (*count < (size_t)RARRAY_LEN(list)) {
        (*texts)[*count] = copy_text(walk, RARRAY_AREF(list, (long)*count));
        ++*count;
    }
    return *texts;
}

static frugal_follow
follow_option(VALUE follow)
{
    if (follow == ID2SYM(id_paths)) return FRUGAL_FOLLOW_PATHS;
    return follow == ID2SYM(id_once) ? FRUGAL_FOLLOW_ONCE : FRUGAL_FOLLOW_NEVER;
}

static void
read_options(tree_walk *walk, VALUE options)
{
    VALUE threads = option(options, id_threads), depth = option(options, id_depth);
    VALUE prune = option(options, id_prune), suffixes = option(options, id_suffixes);
    VALUE prefix = option(options, id_prefix), cut = option(options, id_cut);

    walk->options.follow = follow_option(option(options, id_follow));
    walk->options.hidden = RTEST(option(options, id_hidden));
    walk->options.gitignore = RTEST(option(options, id_gitignore));
    walk->options.sort = RTEST(option(options, id_sort));
    walk->options.stat = RTEST(option(options, id_stat));
    walk->options.threads = NIL_P(threads) ? 0 : NUM2INT(threads);
    walk->options.depth = NIL_P(depth) ? 0 : NUM2UINT(depth);
    walk->options.prune = copy_texts(walk, prune, &walk->prune, &walk->options.prune_count);
    walk->options.suffixes = copy_texts(walk, suffixes, &walk->suffixes, &walk->options.suffix_count);
    if (!NIL_P(prefix)) walk->options.prefix = copy_text(walk, prefix);
    walk->cut = NIL_P(cut) ? 0 : NUM2SIZET(cut);
}

void
frugal_walk_end(frugal_tree_cursor *cursor)
{
    frugal_tree_cursor_free(cursor);
    if (cursor->failed) rb_memerror();
}

void
frugal_walk_count(tree_walk *walk)
{
    frugal_tree_cursor cursor;
    const frugal_tree_node *node;

    frugal_tree_cursor_begin(&cursor, &walk->tree);
    while (frugal_tree_next(&cursor, &node) != NULL) walk->count++;
    frugal_walk_end(&cursor);
}

/* The same encoding that Dir.glob chooses (also in the C locale). */
rb_encoding *
frugal_walk_encoding(rb_encoding *encoding)
{
    if (encoding == rb_usascii_encoding()) encoding = rb_filesystem_encoding();
    return encoding == rb_usascii_encoding() ? rb_ascii8bit_encoding() : encoding;
}

VALUE
frugal_walk_new(VALUE klass, VALUE path, VALUE options)
{
    tree_walk *walk;
    VALUE self = TypedData_Make_Struct(klass, tree_walk, &walk_type, walk);

    walk->path = rb_str_new_frozen(frugal_probe_path(path));
    walk->encoding = frugal_walk_encoding(rb_enc_get(walk->path));
    read_options(walk, options);
    return self;
}

VALUE
frugal_walk_new_for(VALUE klass, VALUE root, frugal_tree_text first, frugal_tree_text last, bool sort)
{
    tree_walk *walk;
    VALUE self = TypedData_Make_Struct(klass, tree_walk, &walk_type, walk);

    walk->path = rb_str_new_frozen(root);
    walk->encoding = frugal_walk_encoding(rb_enc_get(walk->path));
    walk->options.sort = sort;
    if (first.length > 0) walk->options.prefix = copy_bytes(walk, first);
    if (last.length > 0) {
        walk->suffixes = ALLOC_N(const char *, 1);
        walk->options.suffixes = walk->suffixes;
        walk->suffixes[0] = copy_bytes(walk, last);
        walk->options.suffix_count = 1;
    }
    return self;
}

void
frugal_walk_object_init(void)
{
    id_follow = rb_intern("follow");
    id_paths = rb_intern("paths");
    id_once = rb_intern("once");
    id_hidden = rb_intern("hidden");
    id_sort = rb_intern("sort");
    id_stat = rb_intern("stat");
    id_threads = rb_intern("threads");
    id_depth = rb_intern("depth");
    id_prefix = rb_intern("prefix");
    id_cut = rb_intern("cut");
    id_prune = rb_intern("prune");
    id_suffixes = rb_intern("suffixes");
    id_gitignore = rb_intern("gitignore");
}
