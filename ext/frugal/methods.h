/* Whether a method is still Ruby's own. */
#ifndef FRUGAL_METHODS_H
#define FRUGAL_METHODS_H

#include "binding.h"

/* One of Ruby's own methods that C code does not call but replaces. An element with the owner NULL ends a list. */
typedef struct {
    VALUE *owner;
    const char *name;
    bool singleton; /* a method of the class itself */
    ID id;          /* set at the first use */
} frugal_core_method;

/* Whether all methods of a list are Ruby's own. */

bool frugal_methods_core_p(frugal_core_method *list);

void frugal_methods_init(VALUE module);

#endif
