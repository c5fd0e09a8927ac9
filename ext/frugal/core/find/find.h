/* The paths of a tree in Find's order, and the changes to it during a walk. Does not depend on Ruby. */
#ifndef FRUGAL_CORE_FIND_H
#define FRUGAL_CORE_FIND_H

#include "core/find/cwd_changes.h"
#include "core/find/find_walk.h"

#endif
