/* The methods of Ruby that functions of the recorder wrap. Included by backtraces.c, digests.c and waits.c. */
#ifndef FRUGAL_RECORDER_METHODS_H
#define FRUGAL_RECORDER_METHODS_H

#include "recorder.h"
#include <dlfcn.h>

typedef unsigned long VALUE; /* of Ruby */
typedef VALUE (*method)();

/* Owners, besides the name of a class. */
#define VARIABLE_OF_RUBY "rb_" /* the beginning of a variable's name: needed for classes of the core, see methods.c */
#define CORE "a class of the core"
#define CORE_BUT_ARRAY "a class of the core, but not Array"

struct frugal_method {
    const char *owner, *name; /* NULL: the end of a table */
    int arity;
    method ours;
    method *stock; /* NULL until Ruby defines the method */
};

extern HIDDEN const struct frugal_method frugal_backtrace_methods[], frugal_digest_methods[], frugal_wait_methods[];

/* Functions of Ruby, which are called only in a process with Ruby. */
VALUE rb_attr_get(VALUE object, VALUE name);
VALUE rb_intern(const char *name);
VALUE rb_ary_entry(VALUE array, long index);
const char *rb_class2name(VALUE klass);
VALUE rb_path2class(const char *name);
VALUE rb_funcall(VALUE object, VALUE name, int count, ...);
VALUE rb_funcallv_kw(VALUE object, VALUE name, int count, const VALUE *arguments, int keywords);
VALUE rb_protect(VALUE (*function)(VALUE), VALUE argument, int *failed);
void rb_set_errinfo(VALUE error);
VALUE rb_str_new_cstr(const char *text);
VALUE rb_str_intern(VALUE string);
VALUE rb_hash_new(void);
VALUE rb_hash_aset(VALUE hash, VALUE key, VALUE value);
VALUE rb_tracepoint_new(VALUE thread, unsigned events, void (*function)(VALUE, void *), void *data);
void rb_gc_register_mark_object(VALUE object);
VALUE rb_obj_hide(VALUE object);
char *rb_string_value_ptr(volatile VALUE *string);
long rb_str_strlen(VALUE string);
long rb_str_offset(VALUE string, long characters);
void rb_define_method(VALUE klass, const char *name, method function, int arity);
void rb_define_private_method(VALUE klass, const char *name, method function, int arity);

#define OF_RUBY(name) \
    (__extension__({ \
        static __typeof__(&name) ruby_##name; \
        if (UNLIKELY(!ruby_##name)) *(void **)&ruby_##name = dlsym(RTLD_DEFAULT, #name); \
        ruby_##name; \
    }))

#endif
