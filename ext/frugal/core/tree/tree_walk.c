/*
 * The workers of a tree. Each worker takes directories from its own stack, last in, first out, and gives half of its
 * stack away only when another worker is idle. So no lock is needed while all workers are busy.
 */
#include "core/tree/tree_internal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* With so many directories on its stack, a worker starts another thread. That takes about 50 us. */
#define DIRECTORIES_WORTH_A_THREAD 16

/*
 * A waiting worker wakes up after this time at the latest: no signal wakes the calling thread when the host wants to
 * interrupt.
 */
#define WAIT_NS 20000000L

/* Reports whether the previous list had a directory of this name. */
static bool
was_listed_before(const frugal_tree_node *node, const frugal_tree_node *child)
{
    size_t from = 0, to = node->previous->child_count;

    while (from < to) {
        size_t middle = (from + to) / 2;
        int order = strcmp(node->previous->children[middle].name, child->name);

        if (order == 0) return true;
        if (order < 0) from = middle + 1;
        else to = middle;
    }
    return false;
}

/* Pushes the children in reverse, so the first is on top. With FRUGAL_FOLLOW_ONCE, links wait for tree_run.c. */
static bool
push_children(frugal_tree *tree, frugal_tree_node *node, frugal_tree_stack *stack)
{
    for (size_t i = node->count; i-- > 0;) {
        frugal_tree_node *child = node->entries[i].child;

        if (child == NULL || (child->link && tree->options.follow == FRUGAL_FOLLOW_ONCE)) continue;
        if (node->previous != NULL && was_listed_before(node, child)) continue;
        if (!frugal_tree_push(stack, child)) return frugal_tree_fail(tree);
    }
    return true;
}

static bool
push_ready(frugal_tree *tree, frugal_tree_node *node)
{
    bool ok;

    pthread_mutex_lock(&tree->lock);
    ok = frugal_tree_push(&tree->ready, node);
    pthread_cond_signal(&tree->ready_changed);
    pthread_mutex_unlock(&tree->lock);
    return ok || frugal_tree_fail(tree);
}

static bool
enter(frugal_tree *tree, frugal_tree_node *node, frugal_tree_stack *stack, frugal_tree_buffers *buffers)
{
    size_t before = stack->count;
    bool listed;
    int fd;

    if (tree->checking) return frugal_tree_check(tree, node, stack, buffers) || frugal_tree_fail(tree);
    fd = node->parent == NULL ? node->fd : frugal_tree_open_node(tree, node);
    if (fd < 0) {
        /* A link to a file, or a dangling link, is not an error. */
        if (!node->link || (errno != ENOTDIR && errno != ENOENT && errno != ELOOP)) node->error = errno;
        return true;
    }
    if (!frugal_tree_should_list(tree, node, fd)) {
        if (node->parent != NULL) close(fd);
        return true;
    }
    node->entered = true;
    listed = frugal_tree_list(tree, node, fd, buffers);
    if (listed && node->previous != NULL && !frugal_tree_rules_equal(node->rules, node->previous->rules)) {
        node->previous = NULL; /* the rules have changed, so all directories below are listed again */
    }
    if (!listed || !push_children(tree, node, stack)) {
        if (node->parent != NULL) close(fd);
        return frugal_tree_fail(tree);
    }
    frugal_tree_keep_or_close(tree, node, fd, stack->count - before);
    return !tree->streaming || node->count == 0 || push_ready(tree, node);
}

/*
 * Call it with the lock held. Gives the older half of a stack to the pool: those directories are higher up, so their
 * subtrees are larger.
 */
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

static void *run_helper(void *arg);

/*
 * Starts a thread, with all signals blocked: signals are for the host's threads. Returns whether any helper thread
 * exists.
 */
static bool
add_helper(frugal_tree *tree)
{
    sigset_t all, old;
    bool has_helpers;

    pthread_mutex_lock(&tree->lock);
    if (tree->workers < tree->max_workers && !tree->finished && !atomic_load(&tree->cancelled)) {
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &old);
        if (pthread_create(&tree->helpers[tree->helper_count], NULL, run_helper, tree) == 0) {
            tree->helper_count++;
            tree->workers++;
        }
        else {
            tree->max_workers = (int)tree->workers; /* the system refused a thread: do not try again */
        }
        pthread_sigmask(SIG_SETMASK, &old, NULL);
    }
    has_helpers = tree->helper_count > 0;
    pthread_mutex_unlock(&tree->lock);
    return has_helpers;
}

static bool
host_interrupts(frugal_tree *tree, bool host)
{
    return host && tree->interrupted != NULL && tree->interrupted(tree->host);
}

static void
wait_briefly(frugal_tree *tree, pthread_cond_t *condition)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WAIT_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(condition, &tree->lock, &until);
}

/* Call it with the lock held and an empty stack. Returns false when the walk has finished or was cancelled. */
static bool
wait_for_work(frugal_tree *tree, bool host)
{
    bool waits = ++tree->idle < tree->workers;

    if (!waits && tree->pool.count == 0) tree->finished = true;
    atomic_fetch_add(&tree->waiting_workers, 1);
    while (tree->pool.count == 0 && !tree->finished && !atomic_load(&tree->cancelled)) {
        wait_briefly(tree, &tree->wake);
        if (host_interrupts(tree, host)) frugal_tree_cancel(tree);
    }
    atomic_fetch_sub(&tree->waiting_workers, 1);
    tree->idle--;
    if (tree->finished) pthread_cond_broadcast(&tree->wake);
    return !tree->finished && !atomic_load(&tree->cancelled);
}

static bool
take_work(frugal_tree *tree, frugal_tree_stack *stack, bool host)
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
    frugal_tree_buffers buffers = { 0 };

    while (!atomic_load_explicit(&tree->cancelled, memory_order_relaxed)) {
        if (stack.count == 0 && !take_work(tree, &stack, host)) break;
        if (stack.count == 0) continue;
        if (!enter(tree, stack.nodes[--stack.count], &stack, &buffers)) break;
        if (host_interrupts(tree, host)) frugal_tree_cancel(tree);
        if (stack.count > 1 && atomic_load_explicit(&tree->waiting_workers, memory_order_relaxed) > 0) {
            share(tree, &stack);
        }
        if (stack.count >= DIRECTORIES_WORTH_A_THREAD && tree->workers < tree->max_workers) add_helper(tree);
    }
    pthread_mutex_lock(&tree->lock);
    for (size_t i = 0; i < stack.count; i++) {
        if (!frugal_tree_push(&tree->pool, stack.nodes[i])) frugal_tree_fail(tree);
    }
    tree->workers--;
    pthread_cond_broadcast(&tree->wake);
    pthread_cond_broadcast(&tree->ready_changed);
    pthread_mutex_unlock(&tree->lock);
    free(stack.nodes);
    frugal_tree_buffers_free(&buffers);
}

static void *
run_helper(void *arg)
{
    work(arg, false);
    return NULL;
}

/* Helpers that still run may start others, so the list is read again for each. */
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
    tree->streaming = true;
    tree->finished = false;
    tree->idle = 0;
    if (!add_helper(tree)) tree->streaming = false;
    return tree->streaming;
}

const frugal_tree_node *
frugal_tree_await(frugal_tree *tree)
{
    const frugal_tree_node *node = NULL;

    pthread_mutex_lock(&tree->lock);
    while (tree->next_ready == tree->ready.count && tree->workers > 0 && !atomic_load(&tree->cancelled)) {
        wait_briefly(tree, &tree->ready_changed);
        if (host_interrupts(tree, true)) frugal_tree_cancel(tree);
    }
    if (tree->next_ready < tree->ready.count && !atomic_load(&tree->cancelled)) {
        node = tree->ready.nodes[tree->next_ready++];
    }
    pthread_mutex_unlock(&tree->lock);
    return node;
}

void
frugal_tree_stop(frugal_tree *tree)
{
    frugal_tree_cancel(tree);
    join_helpers(tree);
}
