/* What the bindings share: the module that they hang their methods on. */
#ifndef FRUGAL_H
#define FRUGAL_H

#include <ruby.h>
#include <stdbool.h>

/* Frugal::Native::C, the engine that Frugal::Native chooses under MRI. */
extern VALUE frugal_mC;

void frugal_probe_init(void);
void frugal_methods_init(void);
void frugal_find_walk_init(void);
void frugal_chdir_init(void);
void frugal_marshal_init(void);
void frugal_fileutils_init(void);
void frugal_names_init(void);
void frugal_rake_plan_init(void);
void frugal_rake_facts_init(void);
void frugal_rake_task_init(void);
void frugal_rake_define_init(void);
void frugal_rake_walk_init(void);
void frugal_walk_init(void);
void frugal_store_file_init(void);
void frugal_files_init(void);
void frugal_raise_site_init(void);

/* A core method that C stands for. A list of them ends at an owner NULL. */
typedef struct {
    VALUE *owner;
    const char *name;
    bool singleton; /* of the class itself */
    ID id;          /* found at the first use */
} frugal_core_method;

/* methods.c */
bool frugal_methods_core_p(frugal_core_method *list);

#endif
