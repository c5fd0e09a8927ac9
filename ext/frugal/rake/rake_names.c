/*
 * Frugal::Native::C.{pathmap,extension,keep_names,literal?,sorted?}: changes and filters names of files as Rake does,
 * without a regular expression for each name. A Ruby method around String#ext or #pathmap would double its cost, so
 * these C functions replace Rake's methods directly.
 *
 * All return nil for a name that they do not support (a subclass of String, invalid
 * bytes, another encoding, a newline). Then the caller uses Rake's own method.
 */
#include "rake/rake_names.h"

#include <ruby/encoding.h>
#include <ruby/re.h>
#include <stdbool.h>
#include <string.h>

#include "methods.h"

/* Ruby's own methods that Rake's String#ext calls, but this file does not. */
static frugal_core_method called_by_ext[] = {
    { &rb_cArray, "include?" },
    { &rb_cString, "==" },
    { &rb_cString, "!=" },
    { &rb_cString, "dup" },
    { &rb_cString, "=~" },
    { &rb_cString, "+" },
    { &rb_cString, "chomp" },
    { &rb_cString, "<<" },
    { &rb_cRegexp, "=~" },
    { &rb_cFile, "extname", true },
    { NULL },
};

/* The same for Rake's String#pathmap and #pathmap_replace, without the methods that #ext also calls. */
static frugal_core_method called_by_pathmap[] = {
    { &rb_cString, "nil?" },        { &rb_cString, "scan" },
    { &rb_cString, "===" },         { &rb_cString, "split" },
    { &rb_cString, "sub" },         { &rb_cRegexp, "===" },
    { &rb_cRegexp, "new", true },   { &rb_cFile, "basename", true },
    { &rb_cFile, "dirname", true }, { NULL },
};

static ID id_sub, id_basename, id_fnmatch_p, id_stock_ext, id_stock_pathmap;
static VALUE empty, glob_flags;
static VALUE programs; /* Hash: a pathmap's spec => its program */

/* Whether this file supports the name. */
static bool
supported_name_p(VALUE name)
{
    int encoding;

    if (!RB_TYPE_P(name, T_STRING) || CLASS_OF(name) != rb_cString) return false;
    encoding = rb_enc_get_index(name);
    if (encoding != rb_utf8_encindex() && encoding != rb_usascii_encindex()) return false;
    if (rb_enc_str_coderange(name) == ENC_CODERANGE_BROKEN) return false;
    return !memchr(RSTRING_PTR(name), '\n', RSTRING_LEN(name)) && !memchr(RSTRING_PTR(name), '\0', RSTRING_LEN(name));
}

/* The length without the extension that File.extname returns, which usually begins at the last dot of the base name. */
static long
stem_length(VALUE name)
{
    const char *bytes = RSTRING_PTR(name);
    long length = RSTRING_LEN(name), extension = length;
    const char *found = memrchr(bytes, '.', length), *base = memrchr(bytes, '/', length);

    base = base ? base + 1 : bytes;
    if (found && found > base && found < bytes + length - 1 && *base != '.' &&
        rb_enc_str_coderange(name) == ENC_CODERANGE_7BIT) {
        return found - bytes;
    }
    if ((length == 1 && bytes[0] == '.') || (length == 2 && bytes[0] == '.' && bytes[1] == '.')) return length;
    found = ruby_enc_find_extname(bytes, &extension, rb_enc_get(name));
    if (!found || extension < 1 || extension > length) return length;
    return memcmp(bytes + length - extension, found, extension) == 0 ? length - extension : length;
}

/* A part of a string. `string` protects the bytes from garbage collection. */
typedef struct {
    VALUE string;
    const char *bytes;
    long length;
} slice;

static slice
slice_of(VALUE string)
{
    return (slice){ string, RSTRING_PTR(string), RSTRING_LEN(string) };
}

static slice
slice_of_stem(VALUE name)
{
    return (slice){ name, RSTRING_PTR(name), stem_length(name) };
}

/* The value of %f, %n, %d, %x, %X or %p in a pathmap. */
static slice
fragment(VALUE name, char operator)
{
    slice found = slice_of(name);

    switch (operator) {
    case 'f': return slice_of(rb_funcall(rb_cFile, id_basename, 1, name));
    case 'n': return slice_of_stem(rb_funcall(rb_cFile, id_basename, 1, name));
    case 'd': return slice_of(rb_file_dirname(name));
    case 'X': return slice_of_stem(name);
    case 'x':
        found.bytes = ruby_enc_find_extname(found.bytes, &found.length, rb_enc_get(name));
        if (!found.bytes || found.length < 0) found = (slice){ name, RSTRING_PTR(name), 0 };
        return found;
    default: return found;
    }
}

static bool
starts_with(slice text, VALUE prefix)
{
    return text.length >= RSTRING_LEN(prefix) && memcmp(text.bytes, RSTRING_PTR(prefix), RSTRING_LEN(prefix)) == 0;
}

/* A text that is built in `on_stack`, or in a temporary String once `on_stack` is too small. */
typedef struct {
    char *bytes;
    long length, capacity;
    VALUE on_heap;
    char on_stack[256];
} builder;

static void
builder_begin(builder *built)
{
    built->bytes = built->on_stack;
    built->length = 0;
    built->capacity = sizeof(built->on_stack);
    built->on_heap = Qnil;
}

static void
add(builder *built, const char *bytes, long length)
{
    if (built->capacity - built->length < length) {
        VALUE on_heap = rb_str_tmp_new((built->capacity + length) * 2);

        memcpy(RSTRING_PTR(on_heap), built->bytes, built->length);
        built->on_heap = on_heap;
        built->bytes = RSTRING_PTR(on_heap);
        built->capacity = RSTRING_LEN(on_heap);
    }
    memcpy(built->bytes + built->length, bytes, length);
    built->length += length;
}

static VALUE
call_sub(VALUE arguments)
{
    const VALUE *argv = (const VALUE *)arguments;

    return rb_funcallv(argv[0], id_sub, 2, argv + 1);
}

static VALUE
restore_match(VALUE match)
{
    rb_backref_set(match);
    return Qnil;
}

/*
 * String#sub, without a change of $~. A C method has no $~, so sub would set the $~ of the method that called pathmap.
 * In Rake, it sets the $~ of Rake's method.
 */
static VALUE
sub_keeping_last_match(VALUE text, VALUE pattern, VALUE replacement)
{
    VALUE argv[] = { text, pattern, replacement };
    VALUE match = rb_backref_get();

    if (!NIL_P(match)) rb_match_busy(match); /* Ruby does not reuse a busy MatchData for the next match */
    return rb_ensure(call_sub, (VALUE)argv, restore_match, match);
}

/* text.sub(pattern, replacement). A String as the pattern matches only at the beginning. */
static slice
substitute(slice text, VALUE pattern, VALUE replacement)
{
    VALUE result;

    if (!RB_TYPE_P(pattern, T_STRING)) {
        VALUE before = rb_enc_str_new(text.bytes, text.length, rb_utf8_encoding());

        return slice_of(sub_keeping_last_match(before, pattern, replacement));
    }
    if (!starts_with(text, pattern)) return text;
    result = rb_enc_str_new(RSTRING_PTR(replacement), RSTRING_LEN(replacement), rb_utf8_encoding());
    rb_enc_str_buf_cat(result, text.bytes + RSTRING_LEN(pattern), text.length - RSTRING_LEN(pattern),
                       rb_utf8_encoding());
    return slice_of(result);
}

/*
 * Adds the fragment after its substitutions. Usually there is only one, which replaces a prefix. That needs neither a
 * regular expression nor an intermediate string.
 */
static void
add_fragment(builder *built, slice text, VALUE pairs)
{
    long last = RARRAY_LEN(pairs) - 1;

    for (long i = 0; i <= last; i++) {
        VALUE pattern = RARRAY_AREF(RARRAY_AREF(pairs, i), 0);
        VALUE replacement = RARRAY_AREF(RARRAY_AREF(pairs, i), 1);

        if (i == last && RB_TYPE_P(pattern, T_STRING) && starts_with(text, pattern)) {
            add(built, RSTRING_PTR(replacement), RSTRING_LEN(replacement));
            text.bytes += RSTRING_LEN(pattern);
            text.length -= RSTRING_LEN(pattern);
        }
        else {
            text = substitute(text, pattern, replacement);
        }
    }
    add(built, text.bytes, text.length);
    RB_GC_GUARD(text.string);
}

/*
 * pathmap(name, program) -> String or nil. The program is an Array whose elements are
 * Strings and [operator, [[pattern, replacement], ...]]. Dropin::Rake::Pathmap makes
 * it from a spec.
 */
static VALUE
names_pathmap(VALUE module, VALUE name, VALUE program)
{
    builder built;

    if (!supported_name_p(name)) return Qnil;
    builder_begin(&built);
    for (long i = 0; i < RARRAY_LEN(program); i++) {
        VALUE part = RARRAY_AREF(program, i);

        if (RB_TYPE_P(part, T_STRING)) add(&built, RSTRING_PTR(part), RSTRING_LEN(part));
        else add_fragment(&built, fragment(name, RSTRING_PTR(RARRAY_AREF(part, 0))[0]), RARRAY_AREF(part, 1));
    }
    return rb_enc_str_new(built.bytes, built.length, rb_utf8_encoding());
}

/* String#pathmap(spec). Calls Rake's method if there is a block, or if the spec has no program. */
static VALUE
string_pathmap(int argc, VALUE *argv, VALUE name)
{
    bool block = rb_block_given_p();

    if (argc == 1 && !block && RB_TYPE_P(argv[0], T_STRING) && CLASS_OF(argv[0]) == rb_cString &&
        frugal_methods_core_p(called_by_pathmap) && frugal_methods_core_p(called_by_ext)) {
        VALUE program = rb_hash_aref(programs, argv[0]);
        VALUE result = NIL_P(program) ? Qnil : names_pathmap(Qnil, name, program);

        if (!NIL_P(result)) return result;
    }
    if (!block) return rb_funcallv(name, id_stock_pathmap, argc, argv);
    return rb_method_call_with_block(argc, argv, rb_obj_method(name, ID2SYM(id_stock_pathmap)), rb_block_proc());
}

/* extension(name, extension) -> the String that String#ext returns, or nil */
static VALUE
names_extension(VALUE module, VALUE name, VALUE extension)
{
    long length;
    VALUE result;

    if (!supported_name_p(name) || !supported_name_p(extension)) return Qnil;
    if (rb_enc_get_index(name) != rb_enc_get_index(extension) && !rb_enc_str_asciionly_p(extension)) return Qnil;
    length = stem_length(name);
    result = rb_enc_str_new(RSTRING_PTR(name), length, rb_enc_get(name));
    if (RSTRING_LEN(name) <= 2 && length == RSTRING_LEN(name) && RSTRING_PTR(name)[0] == '.' &&
        (length == 1 || RSTRING_PTR(name)[1] == '.')) {
        return result;
    }
    if (RSTRING_LEN(extension) && RSTRING_PTR(extension)[0] != '.') rb_str_cat(result, ".", 1);
    return rb_str_append(result, extension);
}

static VALUE
string_ext(int argc, VALUE *argv, VALUE name)
{
    VALUE result = Qnil;

    if (!frugal_methods_core_p(called_by_ext)) result = Qnil;
    else if (argc == 0) result = names_extension(Qnil, name, empty);
    else if (argc == 1) result = names_extension(Qnil, name, argv[0]);
    return NIL_P(result) ? rb_funcallv(name, id_stock_ext, argc, argv) : result;
}

/* Replaces a method of String. The former method stays as a private method with the name `stock`. */
static void
adopt(const char *name, ID stock, VALUE (*method)(int, VALUE *, VALUE))
{
    rb_define_alias(rb_cString, rb_id2name(stock), name);
    rb_funcall(rb_cString, rb_intern("private"), 1, ID2SYM(stock));
    rb_define_method(rb_cString, name, method, -1);
}

/* adopt_extension: replaces Rake's String#ext. */
static VALUE
names_adopt_extension(VALUE module)
{
    adopt("ext", id_stock_ext, string_ext);
    return Qnil;
}

/* adopt_pathmap(programs): replaces Rake's String#pathmap. The Hash returns the program of a spec, or nil. */
static VALUE
names_adopt_pathmap(VALUE module, VALUE hash)
{
    rb_gc_register_mark_object(hash);
    programs = hash;
    adopt("pathmap", id_stock_pathmap, string_pathmap);
    return Qnil;
}

static bool
separator_p(char byte)
{
    return byte == '/' || byte == '\\';
}

/* Whether one of Rake's default patterns matches: CVS, .svn, *.bak and *~. */
static bool
ignored_p(const char *bytes, long length)
{
    const char *end = bytes + length;

    if (length >= 1 && end[-1] == '~') return true;
    if (length >= 4 && memcmp(end - 4, ".bak", 4) == 0) return true;
    while (bytes < end) {
        const char *next = bytes;

        while (next < end && !separator_p(*next)) next++;
        if (next - bytes == 3 && memcmp(bytes, "CVS", 3) == 0) return true;
        if (next - bytes == 4 && memcmp(bytes, ".svn", 4) == 0) return true;
        bytes = next + 1;
    }
    return false;
}

/* Whether a file is named `core`. Rake ignores such a file unless it is a directory. */
static bool
core_p(const char *bytes, long length)
{
    return length >= 4 && memcmp(bytes + length - 4, "core", 4) == 0 && (length == 4 || separator_p(bytes[length - 5]));
}

/* Whether a pattern matches: a Regexp, or a glob. */
static bool
excluded_p(VALUE name, VALUE patterns)
{
    for (long i = 0; i < RARRAY_LEN(patterns); i++) {
        VALUE pattern = RARRAY_AREF(patterns, i);

        if (RB_TYPE_P(pattern, T_REGEXP)) {
            if (rb_reg_search(pattern, name, 0, 0) >= 0) return true;
        }
        else if (RTEST(rb_funcall(rb_cFile, id_fnmatch_p, 3, pattern, name, glob_flags))) {
            return true;
        }
    }
    return false;
}

/*
 * keep_names(names, excluded, patterns) -> Array or nil: the names that are neither matched by Rake's default patterns,
 * nor keys of the Hash `excluded`, nor matched by one of the patterns, which are Regexps and globs.
 */
static VALUE
names_keep(VALUE module, VALUE names, VALUE excluded, VALUE patterns)
{
    VALUE kept = rb_ary_new_capa(RARRAY_LEN(names));

    for (long i = 0; i < RARRAY_LEN(names); i++) {
        VALUE name = RARRAY_AREF(names, i);

        if (!supported_name_p(name) || core_p(RSTRING_PTR(name), RSTRING_LEN(name))) return Qnil;
        if (ignored_p(RSTRING_PTR(name), RSTRING_LEN(name))) continue;
        if (RHASH_SIZE(excluded) && !NIL_P(rb_hash_lookup2(excluded, name, Qnil))) continue;
        if (excluded_p(name, patterns)) continue;
        rb_ary_push(kept, name);
    }
    return kept;
}

static bool
magic_p(VALUE name)
{
    const char *bytes = RSTRING_PTR(name), *end = bytes + RSTRING_LEN(name);

    for (; bytes < end; bytes++) {
        if (*bytes == '*' || *bytes == '?' || *bytes == '[' || *bytes == '{') return true;
    }
    return false;
}

/* literal?(names) -> whether none of them is a glob, and this file supports all of them */
static VALUE
names_literal_p(VALUE module, VALUE names)
{
    for (long i = 0; i < RARRAY_LEN(names); i++) {
        VALUE name = RARRAY_AREF(names, i);

        if (!supported_name_p(name) || magic_p(name)) return Qfalse;
    }
    return Qtrue;
}

/* sorted?(names) -> whether all are Strings, in the order of Array#sort */
static VALUE
names_sorted_p(VALUE module, VALUE names)
{
    for (long i = 0; i < RARRAY_LEN(names); i++) {
        if (!RB_TYPE_P(RARRAY_AREF(names, i), T_STRING)) return Qfalse;
        if (i && rb_str_cmp(RARRAY_AREF(names, i - 1), RARRAY_AREF(names, i)) > 0) return Qfalse;
    }
    return Qtrue;
}

void
frugal_rake_names_init(VALUE module)
{
    id_sub = rb_intern("sub");
    id_basename = rb_intern("basename");
    id_fnmatch_p = rb_intern("fnmatch?");
    glob_flags = INT2FIX(FIX2INT(rb_const_get(rb_cFile, rb_intern("FNM_PATHNAME"))) |
                         FIX2INT(rb_const_get(rb_cFile, rb_intern("FNM_EXTGLOB"))));
    id_stock_ext = rb_intern("frugal_stock_ext");
    id_stock_pathmap = rb_intern("frugal_stock_pathmap");
    empty = rb_obj_freeze(rb_utf8_str_new_static("", 0));
    rb_gc_register_mark_object(empty);
    rb_define_module_function(module, "pathmap", names_pathmap, 2);
    rb_define_module_function(module, "extension", names_extension, 2);
    rb_define_module_function(module, "adopt_extension", names_adopt_extension, 0);
    rb_define_module_function(module, "adopt_pathmap", names_adopt_pathmap, 1);
    rb_define_module_function(module, "keep_names", names_keep, 3);
    rb_define_module_function(module, "literal?", names_literal_p, 1);
    rb_define_module_function(module, "sorted?", names_sorted_p, 1);
}
