#include "rake/rake_classes.h"

VALUE frugal_rake_task_class, frugal_rake_multi_class, frugal_rake_file_class, frugal_rake_creation_class,
    frugal_rake_empty_scope_class;

VALUE
frugal_rake_classes_keep(const char *path)
{
    VALUE klass = rb_path2class(path);

    rb_gc_register_mark_object(klass);
    return klass;
}

/* The guard has already checked that these classes are Rake's own. */
void
frugal_rake_classes_begin(void)
{
    frugal_rake_task_class = frugal_rake_classes_keep("Rake::Task");
    frugal_rake_multi_class = frugal_rake_classes_keep("Rake::MultiTask");
    frugal_rake_file_class = frugal_rake_classes_keep("Rake::FileTask");
    frugal_rake_creation_class = frugal_rake_classes_keep("Rake::FileCreationTask");
    frugal_rake_empty_scope_class = frugal_rake_classes_keep("Rake::Scope::EmptyScope");
}
