/* The paths whose times a question needs. Other folders do not include this header. */
#ifndef FRUGAL_NEWEST_ITEMS_H
#define FRUGAL_NEWEST_ITEMS_H

#include "core/newest/newest.h"

/* Makes the items from the listed trees, and sets `provable`. Fails if a folder could not be listed completely. */
frugal_newest_status frugal_newest_make_items(frugal_newest *newest);

/* Reports whether a folder is the same as before and has not changed, by its stamps. */
bool frugal_newest_is_same_stamp(const frugal_tree_stamp *before, const frugal_tree_stamp *now);

/* The status after an error of a system call. */
frugal_newest_status frugal_newest_failed(frugal_newest *newest, int error);

#endif
