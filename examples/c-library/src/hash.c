#include "kit/hash.h"

uint64_t kit_hash(const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    while (length--)
        hash = (hash ^ *byte++) * UINT64_C(0x100000001b3);
    return hash;
}
