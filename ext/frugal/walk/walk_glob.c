/*
 * Tree.glob_below: answers the most common patterns of Dir.glob in one call: a literal folder, which may have one pair
 * of braces, "**", and a name with one "*". lib/frugal/walk/fast_glob.rb has all rules, and reads the other patterns.
 * On Linux, it also answers a name without "**", and a path without magic: elsewhere Ruby adapts these to the spelling
 * of the file system.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "walk/walk.h"
#include "walk/walk_internal.h"

#define MAX_ALTERNATIVES 64
#define MAX_PATTERN 1024 /* the size of the copy on the stack */

static size_t
count_of(char character, const char *bytes, size_t length)
{
    size_t count = 0;

    for (size_t i = 0; i < length; i++) count += bytes[i] == character;
    return count;
}

/* A pattern without braces. All members point into one text, which ends with the pattern. */
typedef struct {
    const char *folder;
    size_t folder_length; /* with its last slash */
    const char *first, *last;
    size_t first_length, last_length;
    bool deep; /* "**" */
} glob_pattern;

static bool
has_any(const char *bytes, size_t length, const char *characters)
{
    for (size_t i = 0; i < length; i++) {
        if (strchr(characters, bytes[i]) != NULL) return true; /* also true for a NUL */
    }
    return false;
}

/* Reports whether all names in a folder are literal and not empty: "", "/", "a/", "/a/b/". */
static bool
literal_folder(const char *folder, size_t length)
{
    if (has_any(folder, length, "*?[]{}\\")) return false;
    for (size_t i = 1; i < length; i++) {
        if (folder[i] == '/' && folder[i - 1] == '/') return false;
    }
    return true;
}

/* Reports whether `text` is a folder, maybe "**", and a name, and sets `pattern`. */
static bool
read_pattern(const char *text, size_t length, glob_pattern *pattern)
{
    const char *stars = memmem(text, length, "**/", 3), *slash = memrchr(text, '/', length), *end = text + length;
    const char *name = slash ? slash + 1 : text, *star, *folder_end = stars ? stars : name;

    if (stars != NULL && (slash != stars + 2 || (stars > text && stars[-1] != '/'))) return false;
    if (!literal_folder(text, (size_t)(folder_end - text))) return false;
    star = memchr(name, '*', (size_t)(end - name));
    if (star == NULL || name[0] == '.' || has_any(name, (size_t)(star - name), "?[]{}\\/") ||
        has_any(star + 1, (size_t)(end - star - 1), "*?[]{}\\/")) {
        return false;
    }
    *pattern = (glob_pattern){ .folder = text,
                               .folder_length = (size_t)(folder_end - text),
                               .first = name,
                               .last = star + 1,
                               .first_length = (size_t)(star - name),
                               .last_length = (size_t)(end - star - 1),
                               .deep = stars != NULL };
    return true;
}

/* Ruby ignores a missing folder. With -w, it warns about a folder that it is not allowed to read. */
static bool
is_ignored(int error)
{
    return error == 0 || error == ENOENT || error == ENOTDIR || (error == EACCES && !RTEST(ruby_verbose));
}

/* Appends the paths. Returns false if Ruby has to answer: a folder could not be listed, or its path is too long. */
static bool
append_paths(tree_walk *walk, size_t longest, VALUE paths)
{
    path_writer writer = { .walk = walk };
    frugal_tree_cursor cursor;
    const frugal_tree_node *node;
    const frugal_tree_entry *entry;
    bool ok = is_ignored(walk->tree.root.error) && frugal_tree_path_length(&walk->tree, &walk->tree.root) <= longest;

    frugal_tree_cursor_begin(&cursor, &walk->tree);
    cursor.all = true; /* also directories that have no listed entry */
    while (ok && (entry = frugal_tree_next(&cursor, &node)) != NULL) {
        const frugal_tree_node *child = entry->child;

        if (child) ok = is_ignored(child->error) && frugal_tree_path_length(&walk->tree, child) <= longest;
        if (ok && entry->kept) rb_ary_push(paths, frugal_walk_path(&writer, node, entry));
    }
    frugal_walk_end(&cursor);
    RB_GC_GUARD(writer.memory);
    return ok;
}

/* One pattern that is being answered. */
typedef struct {
    VALUE klass, paths;
    const glob_pattern *pattern;
    frugal_tree_text base; /* without the slashes at its end; `bytes` is NULL if there is none */
    rb_encoding *encoding; /* of the pattern */
    size_t longest;        /* the length of the longest path of a folder that Ruby can open */
    bool sort;
    frugal_tree_folder folder;
} glob_walk;

/* Lists the folder, whose beginning was already read, and all below it. */
static bool
glob_by_walk(glob_walk *call)
{
    const glob_pattern *pattern = call->pattern;
    frugal_tree_text first = { pattern->first, pattern->first_length }, last = { pattern->last, pattern->last_length };
    VALUE self = frugal_walk_new_for(call->klass, rb_enc_str_new_cstr(call->folder.path, call->encoding), first, last,
                                     call->sort);
    tree_walk *walk = frugal_walk_get(self);
    bool ok;

    if (!pattern->deep) walk->options.depth = 1;
    frugal_walk_list(self, &call->folder);
    walk->cut = call->base.bytes ? call->base.length + 1 : pattern->folder_length == 0 ? 2 : 0; /* "./" */
    ok = append_paths(walk, call->longest, call->paths);
    RB_GC_GUARD(self);
    return ok;
}

static void *
glob_read(void *folder)
{
    frugal_tree_folder_read(folder);
    return NULL;
}

static VALUE
glob_body(VALUE arg)
{
    glob_walk *call = (glob_walk *)arg;
    const glob_pattern *pattern = call->pattern;
    frugal_tree_names names;
    rb_encoding *encoding = frugal_walk_encoding(call->encoding);
    char path[PATH_MAX + NAME_MAX];

    frugal_probe_wait_unlocked(glob_read, &call->folder, RUBY_UBF_IO, NULL,
                               0); /* interrupted: EINTR, and Ruby answers */
    if (call->folder.error) return call->folder.error == ENOENT || call->folder.error == ENOTDIR ? Qtrue : Qfalse;
    if (!frugal_tree_folder_names(&call->folder, (frugal_tree_text){ pattern->first, pattern->first_length },
                                  (frugal_tree_text){ pattern->last, pattern->last_length }, call->sort, &names)) {
        return glob_by_walk(call) ? Qtrue : Qfalse;
    }
    memcpy(path, pattern->folder, pattern->folder_length);
    for (size_t i = 0; i < names.count; i++) {
        size_t length = strlen(names.list[i]);

        memcpy(path + pattern->folder_length, names.list[i], length);
        rb_ary_push(call->paths, rb_external_str_new_with_enc(path, (long)(pattern->folder_length + length), encoding));
    }
    return Qtrue;
}

static VALUE
glob_ensure(VALUE arg)
{
    frugal_tree_folder_close(&((glob_walk *)arg)->folder);
    return Qnil;
}

/* Appends the paths of a pattern. Returns false if Ruby has to answer. */
static bool
glob_list(glob_walk *call)
{
    size_t length = call->pattern->folder_length, above = call->base.length;
    char root[PATH_MAX];

    if (call->base.bytes && length > 0 && call->pattern->folder[0] == '/') return false;
    if (above + 1 + length > call->longest) return false;
    if (call->base.bytes) {
        memcpy(root, call->base.bytes, above);
        root[above] = '/';
        memcpy(root + above + 1, call->pattern->folder, length);
        length += above + 1;
    }
    else {
        memcpy(root, length > 0 ? call->pattern->folder : ".", length > 0 ? length : 1);
    }
    root[length > 1 ? length - 1 : 1] = '\0'; /* no slash at the end, except for "/" */
    call->folder = (frugal_tree_folder){ .path = root, .fd = -1, .deep = call->pattern->deep };
    return RTEST(rb_ensure(glob_body, (VALUE)call, glob_ensure, (VALUE)call));
}

/* Copies the base, if there is one. Returns false if Ruby has to read it. */
static bool
read_base(VALUE base, char *bytes, frugal_tree_text *text)
{
    size_t length;

    *text = (frugal_tree_text){ .bytes = NULL };
    if (NIL_P(base)) return true;
    if (!RB_TYPE_P(base, T_STRING) || rb_obj_class(base) != rb_cString) return false;
    if (rb_enc_get(base) != rb_utf8_encoding() && rb_enc_get(base) != rb_usascii_encoding() &&
        rb_enc_get(base) != rb_ascii8bit_encoding())
        return false;
    length = (size_t)RSTRING_LEN(base);
    if (length > MAX_PATTERN || memchr(RSTRING_PTR(base), '\0', length)) return false;
    if (length == 0) return true;
    memcpy(bytes, RSTRING_PTR(base), length);
    while (length > 0 && bytes[length - 1] == '/') length--;
    *text = (frugal_tree_text){ .bytes = bytes, .length = length };
    return true;
}

/* Reports whether the arguments are Dir.glob's defaults and a String whose encoding determines that of the paths. */
static bool
is_plain(VALUE text, VALUE flags, VALUE sort)
{
    if (!RB_TYPE_P(text, T_STRING) || rb_obj_class(text) != rb_cString || flags != INT2FIX(0)) return false;
    if (sort != Qtrue && sort != Qfalse) return false;
    if (rb_enc_get(text) != rb_utf8_encoding() && rb_enc_get(text) != rb_usascii_encoding()) return false;
    return rb_enc_str_coderange(text) == ENC_CODERANGE_7BIT;
}

/*
 * Reads the pattern's alternatives, at most MAX_ALTERNATIVES, and returns how many there are; 0 if this file does not
 * support the pattern. `expanded` has their text.
 */
static size_t
read_patterns(const char *bytes, size_t length, glob_pattern *patterns, VALUE *expanded)
{
    const char *open, *close, *choice, *stars;
    size_t before, after, count;
    char *end;

    open = memchr(bytes, '{', length);
    if (open == NULL) return read_pattern(bytes, length, patterns) ? 1 : 0;
    close = memchr(open, '}', (size_t)(bytes + length - open));
    stars = memmem(bytes, length, "**/", 3);
    /* After "**", Ruby lists each folder once for all alternatives. */
    if (stars == NULL || close == NULL || close > stars || close == open + 1 ||
        has_any(open + 1, (size_t)(close - open - 1), "{/\\*?[]"))
        return 0;
    before = (size_t)(open - bytes);
    after = (size_t)(bytes + length - close) - 1;
    count = count_of(',', open, (size_t)(close - open)) + 1;
    if (count > MAX_ALTERNATIVES) return 0;
    *expanded = rb_str_tmp_new((long)(length * count));
    end = RSTRING_PTR(*expanded);
    for (choice = open + 1; choice <= close;) {
        const char *comma = memchr(choice, ',', (size_t)(close - choice));
        size_t size = (size_t)((comma ? comma : close) - choice);
        char *start = end;

        memcpy(end, bytes, before);
        memcpy(end + before, choice, size);
        memcpy(end + before + size, close + 1, after);
        end += before + size + after;
        if (!read_pattern(start, (size_t)(end - start), patterns++)) return 0;
        choice += size + 1;
    }
    return count;
}

#ifdef __linux__

/* Answers a path without magic, by one lstat(2) like Ruby. */
static VALUE
glob_path(VALUE text)
{
    const char *path = StringValueCStr(text);
    struct stat st;

    if (lstat(path, &st) != 0) return is_ignored(errno) ? rb_ary_new() : Qfalse;
    return rb_ary_new_from_args(
        1, rb_external_str_new_with_enc(path, RSTRING_LEN(text), frugal_walk_encoding(rb_enc_get(text))));
}

static bool
is_path(const char *bytes, size_t length)
{
    return length > 0 && bytes[length - 1] != '/' && literal_folder(bytes, length);
}

#else

static bool
is_path(const char *bytes, size_t length)
{
    return false;
}

static VALUE
glob_path(VALUE text)
{
    return Qfalse;
}

#endif

/*
 * Tree.glob_below(pattern, flags, base, sort) -> [String]; false if only Ruby can answer; nil for other arguments or
 * another kind of pattern
 */
static VALUE
walk_glob_below(VALUE klass, VALUE text, VALUE flags, VALUE base, VALUE sort)
{
    glob_pattern patterns[MAX_ALTERNATIVES];
    char bytes[MAX_PATTERN], base_bytes[MAX_PATTERN]; /* another thread may change the Strings during a walk */
    frugal_tree_text above;
    size_t length, count, longest = PATH_MAX - 2;
    VALUE paths, expanded = Qnil;

    if (!is_plain(text, flags, sort) || !read_base(base, base_bytes, &above)) return Qnil;
    length = (size_t)RSTRING_LEN(text);
    if (length > sizeof(bytes) || memchr(RSTRING_PTR(text), '\0', length)) return Qnil;
    if (is_path(RSTRING_PTR(text), length)) return above.bytes ? Qnil : glob_path(text);
    memcpy(bytes, RSTRING_PTR(text), length);
    count = read_patterns(bytes, length, patterns, &expanded);
    if (count == 0) return Qnil;
    if (above.bytes) longest -= (size_t)RSTRING_LEN(base) + 1; /* Ruby puts the base before each path */
    paths = rb_ary_new();
    for (size_t i = 0; i < count; i++) {
        glob_walk call = { .klass = klass,
                           .paths = paths,
                           .pattern = &patterns[i],
                           .base = above,
                           .encoding = rb_enc_get(text),
                           .longest = longest,
                           .sort = RTEST(sort) };

        if (!glob_list(&call)) return Qfalse;
    }
    RB_GC_GUARD(expanded);
    RB_GC_GUARD(text);
    return paths;
}

/* Whether {FastGlob.parts} may answer the pattern: the same condition as in dropin/dir/entrance.rb. */
static bool
may_be_deep(VALUE pattern)
{
    if (RB_TYPE_P(pattern, T_ARRAY)) return true;
    if (!RB_TYPE_P(pattern, T_STRING)) return false;
    return memmem(RSTRING_PTR(pattern), (size_t)RSTRING_LEN(pattern), "**/", 3) != NULL;
}

static VALUE glob_tree;

/*
 * at_once(pattern, flags, base, sort) -> [String]; false if Ruby has to answer; true if FastGlob has to read the
 * pattern
 */
static VALUE
glob_at_once(VALUE self, VALUE pattern, VALUE flags, VALUE base, VALUE sort)
{
    VALUE paths = walk_glob_below(glob_tree, pattern, flags, base, sort);

    if (!NIL_P(paths)) return paths;
    return may_be_deep(pattern) ? Qtrue : Qfalse;
}

/* Tree.define_at_once(module): defines its method `at_once`. */
static VALUE
walk_define_at_once(VALUE klass, VALUE module)
{
    rb_ext_ractor_safe(true);
    rb_define_singleton_method(module, "at_once", glob_at_once, 4);
    rb_ext_ractor_safe(false);
    return Qnil;
}

void
frugal_walk_glob_init(VALUE module)
{
    glob_tree = rb_const_get(module, rb_intern("Tree"));
    rb_gc_register_mark_object(glob_tree);
    rb_ext_ractor_safe(true); /* like Tree.list */
    rb_define_singleton_method(glob_tree, "glob_below", walk_glob_below, 4);
    rb_define_singleton_method(glob_tree, "define_at_once", walk_define_at_once, 1);
    rb_ext_ractor_safe(false);
}
