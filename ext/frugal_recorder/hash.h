/* Hashes that fold products of 64 x 64 bits, as the wyhash family does (Wang Yi, 2019). */
#ifndef FRUGAL_RECORDER_HASH_H
#define FRUGAL_RECORDER_HASH_H

#include <stddef.h>
#include <stdint.h>

#define FRUGAL_HASH_A 0xa0761d6478bd642fu
#define FRUGAL_HASH_B 0xe7037ed1a0b428dbu

static inline uint64_t
frugal_fold(uint64_t a, uint64_t b)
{
    __uint128_t product = (__uint128_t)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Returns the hash of a sequence of pairs, of which (a, b) is the next one. */
static inline uint64_t
frugal_hash_pair(uint64_t hash, uint64_t a, uint64_t b)
{
    return frugal_fold(a ^ FRUGAL_HASH_A, b ^ hash);
}

__attribute__((visibility("hidden"))) uint64_t frugal_hash(const void *bytes, size_t size, uint64_t seed);

#endif
