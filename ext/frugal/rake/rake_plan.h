/* The tasks and files of one Rake application. The data is valid until user code runs. */
#ifndef FRUGAL_RAKE_PLAN_H
#define FRUGAL_RAKE_PLAN_H

#include <ruby.h>
#include <stdbool.h>
#include <stdint.h>

/* The kind of a task. A foreign one overrides a method, or belongs to another application. */
enum task_kind { KIND_FOREIGN, KIND_TASK, KIND_MULTI, KIND_FILE, KIND_CREATION };

typedef struct rake_plan rake_plan;
typedef struct rake_slot rake_slot;         /* rake_slots.h */
typedef struct rake_closure rake_closure;   /* rake_closure.h */
typedef struct rake_visit rake_visit;       /* rake_closure.h */
typedef struct rake_prefetch rake_prefetch; /* rake_prefetch.c */
struct rake_leaf_names;                     /* rake_leaf.c */

struct rake_plan {
    VALUE self;
    VALUE application;
    VALUE tasks; /* the application's Hash, as read in `tasks_structure` */
    uint32_t tasks_structure;
    VALUE names;             /* Hash: name => index of a slot without a task */
    VALUE owners;            /* Array of Arrays: the task of each slot, or its name if there is no task yet */
    VALUE indexes;           /* Hash by identity: task => its slot */
    VALUE scopes;            /* Hash by identity: Rake::Scope => its number, from 1, or -1 */
    VALUE scope_ids;         /* Hash: prefixes of a scope => the same number */
    uint32_t generation;     /* of the answers about files: increases when user code may have changed a file */
    uint32_t structure;      /* of the facts about tasks: increases when Ruby code may have changed a task */
    uint32_t entered;        /* tasks entered in this generation */
    uint32_t batch;          /* number of the last prefetch */
    uint32_t unnamed_batch;  /* the same, while its names without a task still have none; else 0 */
    rake_prefetch *prefetch; /* in progress, or NULL */
    bool build_all;
    rake_slot *slots;
    long slot_count, slot_capacity;
    rake_closure **closures; /* a row for each scope, a column for each slot */
    VALUE scope_prefixes;    /* Array: for each scope from 1, ["a:b:", "a:"] */
    long scope_count, closure_capacity;
    long *edges; /* slots of prerequisites, consecutive for each task */
    long edge_count, edge_capacity;
    struct rake_leaf_names *leaf_names; /* while a walk advances, or NULL */
    uint32_t *leaves;                   /* slots, in the order in which they were found */
    long leaf_count, leaf_capacity;
    rake_visit *visits; /* the stack of the search in progress */
    long visit_count, visit_capacity;
};

extern const rb_data_type_t frugal_rake_plan_type;

static inline rake_plan *
frugal_rake_plan_get(VALUE self)
{
    return rb_check_typeddata(self, &frugal_rake_plan_type);
}

enum task_kind frugal_rake_plan_kind(rake_plan *plan, VALUE task);
void frugal_rake_plan_restructure(rake_plan *plan);
VALUE frugal_rake_plan_define(VALUE module);

#endif
