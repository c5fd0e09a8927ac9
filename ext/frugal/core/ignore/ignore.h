/* The rules of .gitignore files. Does not depend on Ruby. */
#ifndef FRUGAL_CORE_IGNORE_H
#define FRUGAL_CORE_IGNORE_H

#include "core/ignore/ignore_files.h"
#include "core/ignore/ignore_rules.h"

#endif
