/* Indexes the roots in a Marshal dump, and replaces some of them. Does not depend on Ruby. */
#ifndef FRUGAL_CORE_MARSHAL_H
#define FRUGAL_CORE_MARSHAL_H

#include "core/marshal/marshal_contents.h"
#include "core/marshal/marshal_index.h"
#include "core/marshal/marshal_scalar.h"
#include "core/marshal/marshal_splice.h"
#include "core/marshal/marshal_update.h"
#include "core/marshal/marshal_write.h"

#endif
