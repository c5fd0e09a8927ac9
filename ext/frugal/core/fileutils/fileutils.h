/* Creates, copies and removes trees, as FileUtils does. Does not depend on Ruby. */
#ifndef FRUGAL_CORE_FILEUTILS_H
#define FRUGAL_CORE_FILEUTILS_H

#include "core/fileutils/dir_chain.h"
#include "core/fileutils/tree_copy.h"
#include "core/fileutils/tree_remove.h"

#endif
