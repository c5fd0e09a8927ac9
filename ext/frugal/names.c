/*
 * Frugal::Native::C.{pathmap,extension,keep_names}: names of files, cut and
 * filtered as Rake does, without a regular expression for each. String#ext and
 * #pathmap are so short that a Ruby method around them would double their price:
 * they are adopted.
 *
 * All answer nil for a name that they do not understand (a subclass,
 * broken bytes, a foreign encoding, a newline): then the caller asks Rake,
 * which raises or matches as only a regular expression can.
 */
#include "frugal.h"
#include <ruby/encoding.h>
#include <stdbool.h>
#include <string.h>

/* What Rake's String#ext calls. */
static frugal_core_method below_ext[] = {
    { &rb_cArray, "include?" }, { &rb_cString, "==" }, { &rb_cString, "!=" }, { &rb_cString, "dup" },
    { &rb_cString, "=~" }, { &rb_cString, "+" }, { &rb_cString, "chomp" }, { &rb_cString, "<<" },
    { &rb_cRegexp, "=~" }, { &rb_cFile, "extname", true }, { NULL },
};

/* What Rake's String#pathmap and #pathmap_replace call, beside #ext. */
static frugal_core_method below_pathmap[] = {
    { &rb_cString, "nil?" }, { &rb_cString, "dup" }, { &rb_cString, "scan" }, { &rb_cString, "===" },
    { &rb_cString, "<<" }, { &rb_cString, "+" }, { &rb_cString, "split" }, { &rb_cString, "sub" },
    { &rb_cRegexp, "===" }, { &rb_cRegexp, "new", true }, { &rb_cFile, "basename", true },
    { &rb_cFile, "dirname", true }, { &rb_cFile, "extname", true }, { NULL },
};

static ID id_sub, id_basename, id_stock_ext, id_stock_pathmap;
static VALUE empty;
static VALUE programs; /* Hash: a pathmap's spec => its program */

static bool
plain_name_p(VALUE name)
{
    int encoding;

    if (!RB_TYPE_P(name, T_STRING) || CLASS_OF(name) != rb_cString) return false;
    encoding = rb_enc_get_index(name);
    if (encoding != rb_utf8_encindex() && encoding != rb_usascii_encindex()) return false;
    if (rb_enc_str_coderange(name) == ENC_CODERANGE_BROKEN) return false;
    return !memchr(RSTRING_PTR(name), '\n', RSTRING_LEN(name)) && !memchr(RSTRING_PTR(name), '\0', RSTRING_LEN(name));
}

/* Length of the name without the extension that File.extname sees at its end. */
static long
stem_length(VALUE name)
{
    const char *bytes = RSTRING_PTR(name);
    long length = RSTRING_LEN(name), extension = length;
    const char *found;

    if ((length == 1 && bytes[0] == '.') || (length == 2 && bytes[0] == '.' && bytes[1] == '.')) return length;
    found = ruby_enc_find_extname(bytes, &extension, rb_enc_get(name));
    if (!found || extension < 1 || extension > length || memcmp(bytes + length - extension, found, extension) != 0) return length;
    return length - extension;
}

/* A stretch of a string, which keeps it alive. */
typedef struct {
    VALUE string;
    const char *bytes;
    long length;
} stretch;

static stretch
whole(VALUE string)
{
    return (stretch){ string, RSTRING_PTR(string), RSTRING_LEN(string) };
}

static stretch
stem(VALUE name)
{
    return (stretch){ name, RSTRING_PTR(name), stem_length(name) };
}

/* One fragment of a pathmap: what %f, %n, %d, %x, %X or %p stands for. */
static stretch
fragment(VALUE name, char operator)
{
    stretch found = whole(name);

    switch (operator) {
      case 'f': return whole(rb_funcall(rb_cFile, id_basename, 1, name));
      case 'n': return stem(rb_funcall(rb_cFile, id_basename, 1, name));
      case 'd': return whole(rb_file_dirname(name));
      case 'X': return stem(name);
      case 'x':
        found.bytes = ruby_enc_find_extname(found.bytes, &found.length, rb_enc_get(name));
        if (!found.bytes || found.length < 0) found = (stretch){ name, RSTRING_PTR(name), 0 };
        return found;
      default: return found;
    }
}

static bool
starts_with(stretch text, VALUE prefix)
{
    return text.length >= RSTRING_LEN(prefix) && memcmp(text.bytes, RSTRING_PTR(prefix), RSTRING_LEN(prefix)) == 0;
}

/* A text that grows on the stack, and in a string of its own where that is too small. */
typedef struct {
    char *bytes;
    long length, capacity;
    VALUE spill;
    char room[256];
} builder;

static void
builder_begin(builder *built)
{
    built->bytes = built->room;
    built->length = 0;
    built->capacity = sizeof(built->room);
    built->spill = Qnil;
}

static void
add(builder *built, const char *bytes, long length)
{
    if (built->capacity - built->length < length) {
        VALUE spill = rb_str_tmp_new((built->capacity + length) * 2);

        memcpy(RSTRING_PTR(spill), built->bytes, built->length);
        built->spill = spill;
        built->bytes = RSTRING_PTR(spill);
        built->capacity = RSTRING_LEN(spill);
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
 * String#sub with a Regexp sets $~, and from here it would be that of the method which called pathmap: a C
 * method has no frame of its own. Rake's sub sets it in a frame of Rake's.
 */
static VALUE
sub_aside(VALUE text, VALUE pattern, VALUE replacement)
{
    VALUE argv[] = { text, pattern, replacement };
    VALUE match = rb_backref_get();

    if (!NIL_P(match)) rb_match_busy(match); /* Ruby uses no busy one again for the next match */
    return rb_ensure(call_sub, (VALUE)argv, restore_match, match);
}

/* name.sub(pattern, replacement), where a String stands for ^String. */
static stretch
substitute(stretch text, VALUE pattern, VALUE replacement)
{
    VALUE result;

    if (!RB_TYPE_P(pattern, T_STRING)) {
        VALUE before = rb_enc_str_new(text.bytes, text.length, rb_utf8_encoding());

        return whole(sub_aside(before, pattern, replacement));
    }
    if (!starts_with(text, pattern)) return text;
    result = rb_enc_str_new(RSTRING_PTR(replacement), RSTRING_LEN(replacement), rb_utf8_encoding());
    rb_enc_str_buf_cat(result, text.bytes + RSTRING_LEN(pattern), text.length - RSTRING_LEN(pattern), rb_utf8_encoding());
    return whole(result);
}

/*
 * Adds the fragment with its substitutions made. Usually one replaces a prefix:
 * that needs no regular expression, and no string in between.
 */
static void
add_fragment(builder *built, stretch text, VALUE pairs)
{
    long last = RARRAY_LEN(pairs) - 1;

    for (long i = 0; i <= last; i++) {
        VALUE pattern = RARRAY_AREF(RARRAY_AREF(pairs, i), 0);
        VALUE replacement = RARRAY_AREF(RARRAY_AREF(pairs, i), 1);

        if (i == last && RB_TYPE_P(pattern, T_STRING) && starts_with(text, pattern)) {
            add(built, RSTRING_PTR(replacement), RSTRING_LEN(replacement));
            text.bytes += RSTRING_LEN(pattern);
            text.length -= RSTRING_LEN(pattern);
        } else {
            text = substitute(text, pattern, replacement);
        }
    }
    add(built, text.bytes, text.length);
    RB_GC_GUARD(text.string);
}

/*
 * pathmap(name, program) -> String or nil. The program is an Array of text and
 * of [operator, [[pattern, replacement], ...]], made from a spec by
 * Dropin::Rake::Pathmap.
 */
static VALUE
names_pathmap(VALUE module, VALUE name, VALUE program)
{
    builder built;

    if (!plain_name_p(name)) return Qnil;
    builder_begin(&built);
    for (long i = 0; i < RARRAY_LEN(program); i++) {
        VALUE part = RARRAY_AREF(program, i);

        if (RB_TYPE_P(part, T_STRING)) add(&built, RSTRING_PTR(part), RSTRING_LEN(part));
        else add_fragment(&built, fragment(name, RSTRING_PTR(RARRAY_AREF(part, 0))[0]), RARRAY_AREF(part, 1));
    }
    return rb_enc_str_new(built.bytes, built.length, rb_utf8_encoding());
}

/* String#pathmap(spec): a block, or a spec that has no program, is Rake's. */
static VALUE
string_pathmap(int argc, VALUE *argv, VALUE name)
{
    bool block = rb_block_given_p();

    if (argc == 1 && !block && RB_TYPE_P(argv[0], T_STRING) && CLASS_OF(argv[0]) == rb_cString &&
        frugal_methods_core_p(below_pathmap) && frugal_methods_core_p(below_ext)) {
        VALUE program = rb_hash_aref(programs, argv[0]);
        VALUE result = NIL_P(program) ? Qnil : names_pathmap(frugal_mC, name, program);

        if (!NIL_P(result)) return result;
    }
    if (!block) return rb_funcallv(name, id_stock_pathmap, argc, argv);
    return rb_method_call_with_block(argc, argv, rb_obj_method(name, ID2SYM(id_stock_pathmap)), rb_block_proc());
}

/* extension(name, extension) -> String or nil: what String#ext returns. */
static VALUE
names_extension(VALUE module, VALUE name, VALUE extension)
{
    long length;
    VALUE result;

    if (!plain_name_p(name) || !plain_name_p(extension)) return Qnil;
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

    if (!frugal_methods_core_p(below_ext)) result = Qnil;
    else if (argc == 0) result = names_extension(frugal_mC, name, empty);
    else if (argc == 1) result = names_extension(frugal_mC, name, argv[0]);
    return NIL_P(result) ? rb_funcallv(name, id_stock_ext, argc, argv) : result;
}

/* Puts a method in the place of String's own, which stays under another name. */
static void
adopt(const char *name, ID stock, VALUE (*method)(int, VALUE *, VALUE))
{
    rb_define_alias(rb_cString, rb_id2name(stock), name);
    rb_funcall(rb_cString, rb_intern("private"), 1, ID2SYM(stock));
    rb_define_method(rb_cString, name, method, -1);
}

/* adopt_extension: String#ext is Rake's own, and becomes ours. */
static VALUE
names_adopt_extension(VALUE module)
{
    adopt("ext", id_stock_ext, string_ext);
    return Qnil;
}

/* adopt_pathmap(programs): so is String#pathmap. The Hash makes a spec's program, or nil. */
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

/* What Rake's default patterns say: CVS, .svn, *.bak and *~. */
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

/* For a file named core Rake asks whether it is a directory. */
static bool
core_p(const char *bytes, long length)
{
    return length >= 4 && memcmp(bytes + length - 4, "core", 4) == 0 &&
           (length == 4 || separator_p(bytes[length - 5]));
}

/*
 * keep_names(names, excluded) -> Array or nil: those that neither Rake's
 * default patterns nor the keys of the Hash `excluded` name.
 */
static VALUE
names_keep(VALUE module, VALUE names, VALUE excluded)
{
    VALUE kept = rb_ary_new_capa(RARRAY_LEN(names));

    for (long i = 0; i < RARRAY_LEN(names); i++) {
        VALUE name = RARRAY_AREF(names, i);

        if (!plain_name_p(name) || core_p(RSTRING_PTR(name), RSTRING_LEN(name))) return Qnil;
        if (ignored_p(RSTRING_PTR(name), RSTRING_LEN(name))) continue;
        if (RHASH_SIZE(excluded) && !NIL_P(rb_hash_lookup2(excluded, name, Qnil))) continue;
        rb_ary_push(kept, name);
    }
    return kept;
}

/* sorted?(names): are these Strings, in the order of Array#sort? */
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
frugal_names_init(void)
{
    id_sub = rb_intern("sub");
    id_basename = rb_intern("basename");
    id_stock_ext = rb_intern("frugal_stock_ext");
    id_stock_pathmap = rb_intern("frugal_stock_pathmap");
    empty = rb_obj_freeze(rb_utf8_str_new_static("", 0));
    rb_gc_register_mark_object(empty);
    rb_define_module_function(frugal_mC, "pathmap", names_pathmap, 2);
    rb_define_module_function(frugal_mC, "extension", names_extension, 2);
    rb_define_module_function(frugal_mC, "adopt_extension", names_adopt_extension, 0);
    rb_define_module_function(frugal_mC, "adopt_pathmap", names_adopt_pathmap, 1);
    rb_define_module_function(frugal_mC, "keep_names", names_keep, 2);
    rb_define_module_function(frugal_mC, "sorted?", names_sorted_p, 1);
}
