/* Returns the results of a walk as Ruby objects: the paths, columns and failures of Frugal::Native::C::Tree. */
#include "walk/walk_internal.h"
#include <limits.h>
#include <string.h>

static ID id_mtime;

/* Writes the path of a directory without the bytes of `cut`: for the root "." the path "./a" becomes "a". */
static void
write_directory(path_writer *writer, const frugal_tree_node *node)
{
    const tree_walk *walk = writer->walk;
    size_t length = frugal_tree_path_length(&walk->tree, node);

    if (writer->room < length + 1 + NAME_MAX) {
        writer->room = (length + 1 + NAME_MAX) * 2;
        writer->memory = rb_str_tmp_new((long)writer->room);
    }
    writer->bytes = RSTRING_PTR(writer->memory);
    frugal_tree_path(&walk->tree, node, writer->bytes, length);
    writer->bytes[length] = '/';
    writer->length = length + 1;
    writer->node = node;
    writer->bytes += walk->cut;
    writer->length -= walk->cut;
}

VALUE
frugal_walk_path(path_writer *writer, const frugal_tree_node *node, const frugal_tree_entry *entry)
{
    if (node != writer->node) write_directory(writer, node);
    memcpy(writer->bytes + writer->length, entry->name, entry->length);
    return rb_external_str_new_with_enc(writer->bytes, (long)(writer->length + entry->length), writer->walk->encoding);
}

/* to_a -> [String] */
static VALUE
walk_to_a(VALUE self)
{
    tree_walk *walk = frugal_walk_get(self);
    path_writer writer = { .walk = walk };
    VALUE paths = rb_ary_new_capa((long)walk->count);
    frugal_tree_cursor cursor;
    const frugal_tree_node *node;
    const frugal_tree_entry *entry;

    frugal_tree_cursor_begin(&cursor, &walk->tree);
    while ((entry = frugal_tree_next(&cursor, &node)) != NULL) {
        rb_ary_push(paths, frugal_walk_path(&writer, node, entry));
    }
    frugal_walk_end(&cursor);
    RB_GC_GUARD(writer.memory);
    RB_GC_GUARD(self);
    return paths;
}

/* Makes the array of all listed entries, for access by index. */
static void
index_items(tree_walk *walk)
{
    frugal_tree_cursor cursor;
    size_t count = 0;

    if (walk->items) return;
    walk->items = ALLOC_N(tree_item, walk->count + 1);
    frugal_tree_cursor_begin(&cursor, &walk->tree);
    while ((walk->items[count].entry = frugal_tree_next(&cursor, &walk->items[count].node)) != NULL) count++;
    if (cursor.failed) {
        xfree(walk->items);
        walk->items = NULL;
    }
    frugal_walk_end(&cursor);
}

/* at(index) -> String; raises IndexError for an index out of range */
static VALUE
walk_at(VALUE self, VALUE index)
{
    tree_walk *walk = frugal_walk_get(self);
    path_writer writer = { .walk = walk };
    long at = NUM2LONG(index);
    VALUE path;

    if (at < 0 || (size_t)at >= walk->count) rb_raise(rb_eIndexError, "frugal: no entry %ld of %zu", at, walk->count);
    index_items(walk);
    path = frugal_walk_path(&writer, walk->items[at].node, walk->items[at].entry);
    RB_GC_GUARD(writer.memory);
    return path;
}

/* size -> Integer */
static VALUE
walk_count(VALUE self)
{
    return SIZET2NUM(frugal_walk_get(self)->count);
}

/* column(:mtime | :size) -> [Integer], parallel to the paths: ns since 1970, or bytes */
static VALUE
walk_column(VALUE self, VALUE name)
{
    tree_walk *walk = frugal_walk_get(self);
    VALUE values = rb_ary_new_capa((long)walk->count);
    frugal_tree_cursor cursor;
    const frugal_tree_node *node;
    const frugal_tree_entry *entry;
    bool mtime = name == ID2SYM(id_mtime);

    frugal_tree_cursor_begin(&cursor, &walk->tree);
    while ((entry = frugal_tree_next(&cursor, &node)) != NULL) {
        rb_ary_push(values, LL2NUM((mtime ? node->mtimes : node->sizes)[entry - node->entries]));
    }
    frugal_walk_end(&cursor);
    RB_GC_GUARD(self);
    return values;
}

static void
add_failure(VALUE failures, VALUE path, int error)
{
    rb_ary_push(failures, rb_assoc_new(path, INT2NUM(error)));
}

/*
 * Adds a failure for a file of ignore rules that could not be read. Its name is absolute or relative to the directory.
 */
static void
add_file_failure(const tree_walk *walk, VALUE failures, VALUE directory, const char *name, int error)
{
    VALUE path;

    if (error == 0) return;
    path = rb_str_new(NULL, 0);
    if (name[0] != '/') {
        long length = RSTRING_LEN(directory);

        rb_str_cat(path, RSTRING_PTR(directory), length);
        if (length == 0 || RSTRING_PTR(directory)[length - 1] != '/') rb_str_cat_cstr(path, "/");
    }
    rb_str_cat_cstr(path, name);
    add_failure(failures, rb_external_str_new_with_enc(RSTRING_PTR(path), RSTRING_LEN(path), walk->encoding), error);
    RB_GC_GUARD(path);
}

static void
add_rules_failures(const tree_walk *walk, VALUE failures, VALUE directory, const frugal_tree_rules *rules)
{
    if (rules == NULL) return;
    add_file_failure(walk, failures, directory, ".gitignore", rules->own.error);
    if (rules->exclude_path) add_file_failure(walk, failures, directory, rules->exclude_path, rules->exclude.error);
}

static void
add_root_failures(const tree_walk *walk, VALUE failures)
{
    const frugal_ignore_above *above = &walk->tree.above;

    for (size_t i = 0; i < above->count; i++) {
        add_file_failure(walk, failures, walk->path, above->levels[i].path, above->levels[i].file.error);
    }
    if (walk->tree.root.error) add_failure(failures, walk->path, walk->tree.root.error);
    add_rules_failures(walk, failures, walk->path, walk->tree.root.rules);
}

/* failures -> [[path, errno]]: directories that could not be listed completely, and unreadable files of ignore rules */
static VALUE
walk_failures(VALUE self)
{
    tree_walk *walk = frugal_walk_get(self);
    path_writer writer = { .walk = walk };
    VALUE failures = rb_ary_new();
    frugal_tree_cursor cursor;
    const frugal_tree_node *node;
    const frugal_tree_entry *entry;

    add_root_failures(walk, failures);
    frugal_tree_cursor_begin(&cursor, &walk->tree);
    cursor.all = true;
    while ((entry = frugal_tree_next(&cursor, &node)) != NULL) {
        const frugal_tree_node *child = entry->child;
        VALUE path;

        if (!child || (!child->error && !child->rules)) continue;
        path = frugal_walk_path(&writer, node, entry);
        if (child->error) add_failure(failures, path, child->error);
        add_rules_failures(walk, failures, path, child->rules);
    }
    frugal_walk_end(&cursor);
    RB_GC_GUARD(writer.memory);
    return failures;
}

/* longest -> Integer, the length in bytes of the longest path of a directory that was entered */
static VALUE
walk_longest(VALUE self)
{
    tree_walk *walk = frugal_walk_get(self);
    size_t longest = frugal_tree_path_length(&walk->tree, &walk->tree.root);
    frugal_tree_cursor cursor;
    const frugal_tree_node *node;
    const frugal_tree_entry *entry;

    frugal_tree_cursor_begin(&cursor, &walk->tree);
    cursor.all = true; /* also directories that have no listed entry */
    while ((entry = frugal_tree_next(&cursor, &node)) != NULL) {
        size_t length;

        if (entry->child == NULL) continue;
        length = frugal_tree_path_length(&walk->tree, entry->child);
        if (length > longest) longest = length;
    }
    frugal_walk_end(&cursor);
    return SIZET2NUM(longest);
}

void
frugal_walk_paths_init(VALUE tree)
{
    id_mtime = rb_intern("mtime");
    rb_define_method(tree, "size", walk_count, 0);
    rb_define_method(tree, "at", walk_at, 1);
    rb_define_method(tree, "to_a", walk_to_a, 0);
    rb_define_method(tree, "column", walk_column, 1);
    rb_define_method(tree, "failures", walk_failures, 0);
    rb_define_method(tree, "longest", walk_longest, 0);
}
