/* A stack of directories, and the cancellation of a run. */
#include "core/tree/tree_internal.h"

#include <errno.h>
#include <stdlib.h>

#include "core/system/system.h"

bool
frugal_tree_push(frugal_tree_stack *stack, frugal_tree_node *node)
{
    if (stack->count == stack->capacity &&
        !FRUGAL_SYSTEM_GROW(stack->nodes, stack->capacity, stack->capacity ? 0 : 64)) {
        return false;
    }
    stack->nodes[stack->count++] = node;
    return true;
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

bool
frugal_tree_fail(frugal_tree *tree)
{
    tree->error = ENOMEM;
    frugal_tree_cancel(tree);
    return false;
}
