#ifndef KIT_HASH_H
#define KIT_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a, 64 bits: good enough for tables, not secure against an attacker. */
uint64_t kit_hash(const void *bytes, size_t length);

#endif
