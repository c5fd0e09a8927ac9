#include "hash.h"

/* The library defines functions of libc, so it is compiled with -fno-builtin: a plain memcpy would be a call. */
static uint64_t
word_at(const unsigned char *bytes)
{
    uint64_t word;

    __builtin_memcpy(&word, bytes, sizeof word);
    return word;
}

static uint32_t
half_at(const unsigned char *bytes)
{
    uint32_t half;

    __builtin_memcpy(&half, bytes, sizeof half);
    return half;
}

/* Computes two independent lanes, which the processor can run in parallel. Returns a number other than 0. */
uint64_t
frugal_hash(const void *bytes, size_t size, uint64_t seed)
{
    const unsigned char *at = bytes;
    uint64_t hash = seed ^ (size * 0x9e3779b97f4a7c15u), other = hash, first = 0, last = 0;

    for (; size > 32; at += 32, size -= 32) {
        hash = frugal_hash_pair(hash, word_at(at), word_at(at + 8));
        other = frugal_fold(word_at(at + 16) ^ FRUGAL_HASH_B, word_at(at + 24) ^ other);
    }
    if (size > 16) {
        hash = frugal_hash_pair(hash, word_at(at), word_at(at + 8));
        at += 16;
        size -= 16;
    }
    if (size >= 8) { /* the two words overlap where there are less than 16 bytes */
        first = word_at(at);
        last = word_at(at + size - 8);
    }
    else if (size >= 4) {
        first = half_at(at);
        last = half_at(at + size - 4);
    }
    else if (size) {
        first = (uint64_t)at[0] << 16 | (uint64_t)at[size / 2] << 8 | at[size - 1];
    }
    hash = frugal_fold(first ^ hash ^ 0x589965cc75374cc3u, last ^ other ^ FRUGAL_HASH_A);
    hash = frugal_fold(hash ^ seed, FRUGAL_HASH_B);
    return hash ? hash : 1;
}
