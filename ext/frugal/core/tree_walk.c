/*
 * The workers of a tree. Each takes directories from a stack of its own, last in,
 * first out, and gives half of it away only when another one is idle: so there
 * is nothing to lock as long as all are busy.
 */
#include "tree_internal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* So many directories in hand are worth another thread, which takes 50 us to start. */
#define WORTH_A_HELPER 16

/* A waiting worker looks up so often: nobody may wake the host's for an interrupt. */
#define NAP_NS 20000000L

bool
frugal_tree_push(frugal_tree_stack *stack, frugal_tree_node *node)
{
    if (stack->count == stack->capacity) {
        size_t capacity = stack->capacity ? stack->capacity * 2 : 64;
        frugal_tree_node **nodes = realloc(stack->nodes, capacity * sizeof(*nodes));

        if (nodes == NULL) return false;
        stack->nodes = nodes;
        stack->capacity = capacity;
    }
    stack->nodes[stack->count++] = node;
    return true;
}

bool
frugal_tree_fail(frugal_tree *tree)
{
    tree->error = ENOMEM;
    frugal_tree_cancel(tree);
    return false;
}

/* The first child on top of the stack; links wait until all real directories are known. */
static bool
push_children(frugal_tree *tree, frugal_tree_node *node, frugal_tree_stack *stack)
{
    for (size_t i = node->count; i-- > 0;) {
        frugal_tree_node *child = node->entries[i].child;

        if (child == NULL || (child->link && tree->options.follow == FRUGAL_FOLLOW_ONCE)) continue;
        if (node->former != NULL && frugal_tree_is_former(node, child)) continue;
        if (!frugal_tree_push(stack, child)) return frugal_tree_fail(tree);
    }
    return true;
}

static bool
announce(frugal_tree *tree, frugal_tree_node *node)
{
    bool room;

    pthread_mutex_lock(&tree->lock);
    room = frugal_tree_push(&tree->ready, node);
    pthread_cond_signal(&tree->news);
    pthread_mutex_unlock(&tree->lock);
    return room || frugal_tree_fail(tree);
}

static bool
enter(frugal_tree *tree, frugal_tree_node *node, frugal_tree_stack *stack, frugal_tree_scratch *scratch)
{
    size_t before = stack->count;
    bool listed;
    int fd;

    if (tree->checks) return frugal_tree_check(tree, node, stack, scratch) || frugal_tree_fail(tree);
    fd = node->parent == NULL ? node->fd : frugal_tree_open_node(tree, node);
    if (fd < 0) {
        /* A link to something else, or to nothing, is no directory: that is no failure. */
        if (!node->link || (errno != ENOTDIR && errno != ENOENT && errno != ELOOP)) node->error = errno;
        return true;
    }
    if (!frugal_tree_admits(tree, node, fd)) {
        if (node->parent != NULL) close(fd);
        return true;
    }
    node->entered = true;
    listed = frugal_tree_list(tree, node, fd, scratch);
    if (listed && node->former != NULL && !frugal_tree_rules_equal(node->rules, node->former->rules)) {
        node->former = NULL; /* all below may be other than it was */
    }
    if (!listed || !push_children(tree, node, stack)) {
        if (node->parent != NULL) close(fd);
        return frugal_tree_fail(tree);
    }
    frugal_tree_keep_or_close(tree, node, fd, stack->count - before);
    return !tree->streams || node->count == 0 || announce(tree, node);
}

/* Under the lock: gives the older half, whose trees are the larger ones. */
static void
give_half(frugal_tree *tree, frugal_tree_stack *stack)
{
    size_t half = (stack->count + 1) / 2;

    for (size_t i = 0; i < half; i++) {
        if (!frugal_tree_push(&tree->pool, stack->nodes[i])) {
            frugal_tree_fail(tree);
            return;
        }
    }
    memmove(stack->nodes, stack->nodes + half, (stack->count - half) * sizeof(*stack->nodes));
    stack->count -= half;
    pthread_cond_broadcast(&tree->wake);
}

static void
share(frugal_tree *tree, frugal_tree_stack *stack)
{
    pthread_mutex_lock(&tree->lock);
    if (tree->pool.count == 0) give_half(tree, stack);
    pthread_mutex_unlock(&tree->lock);
}

static void *help(void *arg);

/* Signals are for the host's own threads. True: at least one is there. */
static bool
add_helper(frugal_tree *tree)
{
    sigset_t all, old;
    bool helped;

    pthread_mutex_lock(&tree->lock);
    if (tree->workers < tree->most_workers && !tree->finished && !atomic_load(&tree->cancelled)) {
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &old);
        if (pthread_create(&tree->helpers[tree->helper_count], NULL, help, tree) == 0) {
            tree->helper_count++;
            tree->workers++;
        } else {
            tree->most_workers = (int)tree->workers; /* the system grants no more */
        }
        pthread_sigmask(SIG_SETMASK, &old, NULL);
    }
    helped = tree->helper_count > 0;
    pthread_mutex_unlock(&tree->lock);
    return helped;
}

static bool
host_interrupts(frugal_tree *tree, bool host)
{
    return host && tree->interrupted != NULL && tree->interrupted(tree->host);
}

static void
nap(frugal_tree *tree, pthread_cond_t *condition)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += NAP_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(condition, &tree->lock, &until);
}

/* Under the lock, with nothing in hand: false when all is done, or cancelled. */
static bool
wait_for_work(frugal_tree *tree, bool host)
{
    bool waits = ++tree->idle < tree->workers;

    if (!waits && tree->pool.count == 0) tree->finished = true;
    atomic_fetch_add(&tree->hungry, 1);
    while (tree->pool.count == 0 && !tree->finished && !atomic_load(&tree->cancelled)) {
        nap(tree, &tree->wake);
        if (host_interrupts(tree, host)) frugal_tree_cancel(tree);
    }
    atomic_fetch_sub(&tree->hungry, 1);
    tree->idle--;
    if (tree->finished) pthread_cond_broadcast(&tree->wake);
    return !tree->finished && !atomic_load(&tree->cancelled);
}

static bool
take(frugal_tree *tree, frugal_tree_stack *stack, bool host)
{
    bool more;

    pthread_mutex_lock(&tree->lock);
    more = tree->pool.count > 0 || wait_for_work(tree, host);
    if (more) {
        size_t most = tree->workers > 1 ? (tree->pool.count + 1) / 2 : tree->pool.count;

        for (size_t i = 0; i < most; i++) {
            if (!frugal_tree_push(stack, tree->pool.nodes[tree->pool.count - most + i])) more = frugal_tree_fail(tree);
        }
        tree->pool.count -= most;
    }
    pthread_mutex_unlock(&tree->lock);
    return more;
}

static void
work(frugal_tree *tree, bool host)
{
    frugal_tree_stack stack = { 0 };
    frugal_tree_scratch scratch = { 0 };

    while (!atomic_load_explicit(&tree->cancelled, memory_order_relaxed)) {
        if (stack.count == 0 && !take(tree, &stack, host)) break;
        if (stack.count == 0) continue;
        if (!enter(tree, stack.nodes[--stack.count], &stack, &scratch)) break;
        if (host_interrupts(tree, host)) frugal_tree_cancel(tree);
        if (stack.count > 1 && atomic_load_explicit(&tree->hungry, memory_order_relaxed) > 0) share(tree, &stack);
        if (stack.count >= WORTH_A_HELPER && tree->workers < tree->most_workers) add_helper(tree);
    }
    pthread_mutex_lock(&tree->lock);
    for (size_t i = 0; i < stack.count; i++) {
        if (!frugal_tree_push(&tree->pool, stack.nodes[i])) frugal_tree_fail(tree);
    }
    tree->workers--;
    pthread_cond_broadcast(&tree->wake);
    pthread_cond_broadcast(&tree->news);
    pthread_mutex_unlock(&tree->lock);
    free(stack.nodes);
    frugal_tree_scratch_free(&scratch);
}

static void *
help(void *arg)
{
    work(arg, false);
    return NULL;
}

/* Those that are not joined yet may still start others. */
static void
join_helpers(frugal_tree *tree)
{
    for (;;) {
        pthread_t helper;
        bool any;

        pthread_mutex_lock(&tree->lock);
        any = tree->helper_count > 0;
        if (any) helper = tree->helpers[--tree->helper_count];
        pthread_mutex_unlock(&tree->lock);
        if (!any) return;
        pthread_join(helper, NULL);
    }
}

bool
frugal_tree_run_pool(frugal_tree *tree)
{
    tree->finished = false;
    tree->idle = 0;
    tree->workers = 1;
    work(tree, true);
    join_helpers(tree);
    return tree->pool.count == 0 && !atomic_load(&tree->cancelled);
}

bool
frugal_tree_start(frugal_tree *tree)
{
    tree->streams = true;
    tree->finished = false;
    tree->idle = 0;
    if (!add_helper(tree)) tree->streams = false;
    return tree->streams;
}

const frugal_tree_node *
frugal_tree_await(frugal_tree *tree)
{
    const frugal_tree_node *node = NULL;

    pthread_mutex_lock(&tree->lock);
    while (tree->next_ready == tree->ready.count && tree->workers > 0 && !atomic_load(&tree->cancelled)) {
        nap(tree, &tree->news);
        if (host_interrupts(tree, true)) frugal_tree_cancel(tree);
    }
    if (tree->next_ready < tree->ready.count && !atomic_load(&tree->cancelled)) node = tree->ready.nodes[tree->next_ready++];
    pthread_mutex_unlock(&tree->lock);
    return node;
}

void
frugal_tree_stop(frugal_tree *tree)
{
    frugal_tree_cancel(tree);
    join_helpers(tree);
}

bool
frugal_tree_run(frugal_tree *tree)
{
    if (!tree->following && !frugal_tree_run_pool(tree)) return false;
    return tree->options.follow != FRUGAL_FOLLOW_ONCE || frugal_tree_follow_links(tree);
}

void
frugal_tree_cancel(frugal_tree *tree)
{
    atomic_store(&tree->cancelled, true);
}

void
frugal_tree_resume(frugal_tree *tree)
{
    atomic_store(&tree->cancelled, false);
}
