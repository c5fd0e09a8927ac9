/*
 * SHA-256 (FIPS 180-4), by the instructions that x86 processors have for it. The digests of Ruby take ten times as long
 * for a short key.
 */
#include "core/entry/entry.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_INSTRUCTIONS
#include <cpuid.h>
#include <immintrin.h>

enum { BLOCK = 64, LENGTH_AT = 56 };

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

/* The same of the square roots of the first 8 primes, in the order of the instructions: f, e, b, a and h, g, d, c. */
static const uint32_t initial[8] = { 0x9b05688c, 0x510e527f, 0xbb67ae85, 0x6a09e667,
                                     0x5be0cd19, 0x1f83d9ab, 0xa54ff53a, 0x3c6ef372 };

static bool has_instructions;

/* Instructions of SSSE3 and SSE4.1 are used, too. */
static void
ask_processor(void)
{
    unsigned a, b, c, d;
    bool has_sse = __get_cpuid(1, &a, &b, &c, &d) && (c & 1u << 9) && (c & 1u << 19);

    has_instructions = has_sse && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 1u << 29);
}

__attribute__((target("sha,sse4.1"))) static void
add_block(__m128i state[2], const unsigned char *block)
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i words[4], first = state[0], second = state[1];

    for (int n = 0; n < 16; n++) {
        __m128i *now = &words[n % 4], last = words[(n + 3) % 4], sum;

        if (n < 4) {
            *now = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(block + 16 * n)), big_endian);
        }
        else {
            sum = _mm_add_epi32(_mm_sha256msg1_epu32(*now, words[(n + 1) % 4]),
                                _mm_alignr_epi8(last, words[(n + 2) % 4], 4));
            *now = _mm_sha256msg2_epu32(sum, last);
        }
        sum = _mm_add_epi32(*now, _mm_loadu_si128((const __m128i *)(constants + 4 * n)));
        second = _mm_sha256rnds2_epu32(second, first, sum);
        first = _mm_sha256rnds2_epu32(first, second, _mm_shuffle_epi32(sum, 0x0E));
    }
    state[0] = _mm_add_epi32(state[0], first);
    state[1] = _mm_add_epi32(state[1], second);
}

static void
write_hex(uint32_t word, char *hex)
{
    for (int n = 0; n < 8; n++) hex[n] = "0123456789abcdef"[word >> (28 - 4 * n) & 0xF];
}

__attribute__((target("sha,sse4.1"))) static void
compute(const unsigned char *bytes, size_t size, char hex[FRUGAL_ENTRY_DIGEST])
{
    static const int order[8] = { 3, 2, 7, 6, 1, 0, 5, 4 }; /* where a to h are */
    unsigned char rest[2 * BLOCK] = { 0 };
    size_t whole = size / BLOCK * BLOCK, left = size - whole, blocks = left < LENGTH_AT ? 1 : 2;
    uint64_t bits = (uint64_t)size * 8;
    uint32_t words[8];
    __m128i state[2];

    memcpy(state, initial, sizeof(state));
    for (size_t at = 0; at < whole; at += BLOCK) add_block(state, bytes + at);
    if (left > 0) memcpy(rest, bytes + whole, left);
    rest[left] = 0x80;
    for (int n = 0; n < 8; n++) rest[blocks * BLOCK - 1 - (size_t)n] = (unsigned char)(bits >> (8 * n));
    for (size_t n = 0; n < blocks; n++) add_block(state, rest + n * BLOCK);
    memcpy(words, state, sizeof(words));
    for (int n = 0; n < 8; n++) write_hex(words[order[n]], hex + 8 * n);
}
#endif

void
frugal_entry_digest_init(void)
{
#ifdef HAS_INSTRUCTIONS
    ask_processor();
#endif
}

bool
frugal_entry_digest(const unsigned char *bytes, size_t size, char hex[FRUGAL_ENTRY_DIGEST])
{
#ifdef HAS_INSTRUCTIONS
    if (has_instructions) compute(bytes, size, hex);
    return has_instructions;
#else
    return false;
#endif
}
