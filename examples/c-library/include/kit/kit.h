/* Includes all headers of kit. */
#ifndef KIT_H
#define KIT_H

#include "arena.h"
#include "buffer.h"
#include "hash.h"
#include "map.h"
#include "slice.h"
#include "utf8.h"
#include "vector.h"
#include "words.h"

#endif
