/* What the files of the Rake planner share. See rake_plan.c for the whole. */
#ifndef FRUGAL_RAKE_H
#define FRUGAL_RAKE_H

#include "frugal.h"
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* What the kernel said about a name. */
enum { FILE_MISSING = 1, FILE_PRESENT, FILE_FAULT };

/* What a task is. A stranger overrides something, or belongs elsewhere. */
enum task_kind { KIND_STRANGER, KIND_TASK, KIND_MULTI, KIND_FILE, KIND_CREATION };

/* One name: what its last stat said, and what the task is that has it. */
typedef struct {
    uint32_t generation; /* the plan's, when `state` was asked */
    uint8_t state;
    struct timespec mtime;
    uint32_t batch, item;       /* that ask for it ahead */
    uint32_t depth;             /* where the task stands on the walk that holds it */
    uint32_t facts_generation;  /* the structure's, when the following was read */
    uint8_t kind;
    uint8_t edges;              /* EDGES_… */
    bool named;                 /* by a provable name */
    bool in_root;               /* a look-up of that name from the root scope finds it */
    bool ordered;               /* has order-only prerequisites */
    int32_t count;              /* prerequisites, order-only ones too; -1: broken */
    int32_t scope;              /* -1: none that we know */
    long first_edge;            /* in the plan's edges */
} rake_slot;

/* Foreseen edges may lead to names without a task yet: look_ahead asked for them. */
enum { EDGES_UNREAD, EDGES_FORESEEN, EDGES_FOUND, EDGES_UNFOUND };

enum { STRUCTURE_OPEN = 1, STRUCTURE_PROVEN, STRUCTURE_UNPROVEN };
enum { TIME_PLAIN = 1, TIME_LATE = 2, TIME_FAULT = 4, TIME_ANY = 8 };

/* All that stands behind a task, seen from one scope. */
typedef struct {
    uint32_t structure_generation;
    uint32_t time_generation;
    uint32_t time_structure;
    uint8_t structure;
    uint8_t times;          /* a set of TIME_… */
    struct timespec latest; /* where TIME_ANY is set */
} rake_closure;

/* A task on the stack of a search, and how far its prerequisites are seen. */
typedef struct {
    long slot;
    long next;
} rake_visit;

typedef struct rake_ahead rake_ahead;

typedef struct {
    VALUE self;
    VALUE application;
    VALUE tasks; /* the application's Hash, as it was in `tasks_structure` */
    uint32_t tasks_structure;
    VALUE names;     /* Hash: name => index of a slot without a task */
    VALUE owners;    /* Array of Arrays: each slot's task, or its String where it has none */
    VALUE indexes;   /* Hash by identity: task => its slot */
    VALUE scopes;    /* Hash by identity: Rake::Scope => its number, from 1, or -1 */
    VALUE scope_ids; /* Hash: prefixes of a scope => the same number */
    uint32_t generation; /* of times: user code may touch any file */
    uint32_t structure;  /* of tasks: Ruby code may change any of them */
    uint32_t quiet;      /* tasks entered since files were forgotten */
    uint32_t batch;      /* of names asked for ahead */
    rake_ahead *ahead;   /* the batch under way */
    bool build_all;
    rake_slot *slots;
    long slot_count, slot_capacity;
    rake_closure **closures; /* a row for each scope, a column for each slot */
    VALUE scope_prefixes;    /* Array: for each scope from 1, ["a:b:", "a:"] */
    long scope_count, closure_capacity;
    long *edges;             /* slots of prerequisites, a run for each task */
    long edge_count, edge_capacity;
    rake_visit *visits;      /* the stack of the search under way */
    long visit_count, visit_capacity;
} rake_plan;

extern VALUE rake_monitor_class, rake_task_class, rake_multi_class, rake_file_class, rake_creation_class, rake_empty_scope_class;
extern const rb_data_type_t rake_plan_type;

static inline rake_plan *
rake_plan_get(VALUE self)
{
    return rb_check_typeddata(self, &rake_plan_type);
}

/* rake_task.c: a task's instance variables */
extern ID rake_id_already_invoked, rake_id_invocation_exception;
VALUE rake_task_prerequisites(VALUE task);
VALUE rake_task_order_only(VALUE task);
VALUE rake_task_actions(VALUE task);
VALUE rake_task_name(VALUE task);
VALUE rake_task_scope(VALUE task);
VALUE rake_task_lock(VALUE task);
bool rake_task_trusted(void);
bool rake_task_enhanceable(VALUE task);
void rake_task_enhance(VALUE task, VALUE prerequisites, VALUE action, bool unseen);
VALUE rake_task_create(rake_plan *plan, VALUE task_class, VALUE name);
long rake_names_count(VALUE names);

/* rake_define.c: the common shapes of definitions */
bool rake_task_definable(void);
void rake_define_begin(void);

/* rake_slots.c: a slot for each name */
VALUE rake_slots_owner(rake_plan *plan, long slot);
long rake_slots_add(rake_plan *plan, VALUE owner);
void rake_slots_give(rake_plan *plan, long slot, VALUE task);
long rake_slots_known(rake_plan *plan, VALUE task);
long rake_slots_of(rake_plan *plan, VALUE task);
long rake_slots_named(rake_plan *plan, VALUE name);
long rake_slots_keep(rake_plan *plan, VALUE name);

/* rake_plan.c: names, stats */
void rake_plan_begin(bool faults_raise);
VALUE rake_plan_keep_class(const char *path);
enum task_kind rake_plan_kind(rake_plan *plan, VALUE task);
void rake_plan_answer(rake_plan *plan, long slot, int error, struct timespec mtime);
uint8_t rake_plan_stat(rake_plan *plan, long slot, VALUE name);
uint8_t rake_plan_stat_owner(rake_plan *plan, long slot);
bool rake_plan_provable_name(VALUE name);
VALUE rake_plan_find(rake_plan *plan, long scope, VALUE name);
VALUE rake_plan_tasks(rake_plan *plan);
void rake_plan_forget(rake_plan *plan);
void rake_plan_restructure(rake_plan *plan);

/* rake_facts.c: tasks as numbers, read once a structure */
rake_slot *rake_facts(rake_plan *plan, long slot);
long rake_facts_slot(rake_plan *plan, VALUE task);
bool rake_facts_edges(rake_plan *plan, long slot);
long rake_facts_reserve(rake_plan *plan, long count);
long rake_facts_foreseen(rake_plan *plan, long slot, long index);
void rake_facts_found(rake_plan *plan, long slot, const VALUE *tasks, long count);
void rake_facts_leaf(rake_plan *plan, long slot, VALUE task);
VALUE rake_facts_name(VALUE task, long index);
long rake_facts_scope(rake_plan *plan, VALUE scope);

/* rake_closure.c: everything that stands behind a file */
VALUE rake_closure_out_of_date(rake_plan *plan, long slot, struct timespec stamp);
VALUE rake_closure_needed(rake_plan *plan, long slot);

/* A task under way. */
typedef struct {
    VALUE task;
    VALUE names;     /* what Rake looks up on entry, nil: nothing; a copy once settled */
    VALUE arguments; /* set by settle */
    VALUE chain;     /* set when asked for */
    VALUE lock;      /* set by settle; entered */
    long slot;
    long first;      /* of its prerequisites among the found tasks */
    long found;      /* how many of them are found */
    long next;       /* the one to invoke next */
    long ahead;      /* up to where their names were asked for */
    uint32_t ahead_generation;
    uint32_t outer_depth;
    bool failed; /* was invoked before, and raised */
} rake_frame;

/* One invocation. */
typedef struct {
    VALUE plan, root, arguments, chain, child, result;
    rake_frame *frames;
    long count, capacity;
    VALUE *found; /* prerequisites of all frames, the top frame's last */
    long found_count, found_capacity;
    long settled;
    unsigned steps;
    bool started, distrusted;
    bool collecting; /* may garbage be collected? */
    bool pausing;    /* is it we who put that off? */
} rake_walk;

/* rake_ahead.c: asking for many names ahead, on another thread */
void rake_ahead_begin(rake_plan *plan, const VALUE *tasks, long count);
bool rake_ahead_take(rake_plan *plan, long slot);
void rake_ahead_end(rake_plan *plan);

/* rake_stack.c: the tasks under way */
rake_walk *rake_walk_get(VALUE self);
rake_frame *rake_walk_top(rake_walk *walk);
bool rake_walk_holds(rake_walk *walk, rake_plan *plan, long slot, VALUE task);
void rake_walk_push(rake_walk *walk, rake_plan *plan, VALUE task, long slot, VALUE names);
void rake_walk_pop(rake_walk *walk, VALUE result);
void rake_walk_add_found(rake_walk *walk, VALUE task);
void rake_walk_settle(rake_walk *walk);
VALUE rake_walk_define(void);

/* rake_resolve.c: prerequisites by their names */
/* Could a rule make this name's task? Then the look-up is Rake's. */
bool rake_resolve_rules_match(rake_plan *plan, VALUE name);
/* Finds the prerequisites of the frame on top; false where Ruby has to. */
bool rake_resolve(rake_walk *walk, rake_plan *plan);
void rake_resolve_init(void);

static inline bool
rake_later(struct timespec a, struct timespec b)
{
    return a.tv_sec > b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec > b.tv_nsec);
}

#endif
