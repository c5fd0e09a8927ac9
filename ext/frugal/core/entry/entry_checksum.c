/*
 * CRC-32. If the processor can multiply polynomials (x86-64 with PCLMULQDQ), 64 bytes at a time are folded into 16 with
 * the same remainder. Otherwise, and for the last bytes, tables give the remainder of eight bytes at a time.
 *
 * Source of the folding: V. Gopal et al., Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction
 * (Intel, 2009); its constants for this polynomial.
 */
#include "core/entry/entry.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define FOLDS
#include <immintrin.h>
#endif

enum { WIDTH = 8, BLOCK = 16, FEWEST_FOLDED = 4 * BLOCK };
static const uint32_t polynomial = 0xEDB88320; /* of CRC-32 in zlib, gzip, PNG; bits reflected */
static uint32_t tables[WIDTH][256];

#ifdef FOLDS
static bool can_fold;

__attribute__((target("pclmul,sse2"))) static __m128i
fold(__m128i remainder, __m128i factors, const unsigned char *next)
{
    __m128i low = _mm_clmulepi64_si128(remainder, factors, 0x00), high = _mm_clmulepi64_si128(remainder, factors, 0x11);

    return _mm_xor_si128(_mm_xor_si128(low, high), _mm_loadu_si128((const __m128i *)next));
}

/*
 * Folds all whole blocks into one. Needs at least FEWEST_FOLDED bytes. Returns how many bytes were folded. Their
 * checksum is the checksum of `remainder`, beginning with 0.
 */
__attribute__((target("pclmul,sse2"))) static size_t
fold_blocks(uint32_t crc, const unsigned char *bytes, size_t size, unsigned char remainder[BLOCK])
{
    const __m128i by_four = _mm_set_epi64x(0x1c6e41596, 0x154442bd4); /* x^(512-32), x^(512+32) modulo the polynomial */
    const __m128i by_one = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);  /* x^(128-32), x^(128+32) */
    const unsigned char *at = bytes + FEWEST_FOLDED, *end = bytes + size;
    __m128i lanes[4];

    for (int n = 0; n < 4; n++) lanes[n] = _mm_loadu_si128((const __m128i *)(bytes + n * BLOCK));
    lanes[0] = _mm_xor_si128(lanes[0], _mm_cvtsi32_si128((int)crc));
    for (; end - at >= FEWEST_FOLDED; at += FEWEST_FOLDED) {
        for (int n = 0; n < 4; n++) lanes[n] = fold(lanes[n], by_four, at + n * BLOCK);
    }
    for (int n = 1; n < 4; n++) lanes[n] = fold(lanes[n - 1], by_one, (const unsigned char *)&lanes[n]);
    for (; end - at >= BLOCK; at += BLOCK) lanes[3] = fold(lanes[3], by_one, at);
    _mm_storeu_si128((__m128i *)remainder, lanes[3]);
    return (size_t)(at - bytes);
}
#endif

void
frugal_entry_init(void)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;

        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1 ? polynomial : 0);
        tables[0][byte] = crc;
    }
    for (int n = 1; n < WIDTH; n++) {
        for (int byte = 0; byte < 256; byte++) {
            uint32_t crc = tables[n - 1][byte];

            tables[n][byte] = (crc >> 8) ^ tables[0][crc & 0xFF];
        }
    }
#ifdef FOLDS
    can_fold = __builtin_cpu_supports("pclmul");
#endif
}

static uint32_t
by_tables(uint32_t crc, const unsigned char *bytes, size_t size)
{
    for (; size >= WIDTH; bytes += WIDTH, size -= WIDTH) {
        crc ^= bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
        crc = tables[7][crc & 0xFF] ^ tables[6][crc >> 8 & 0xFF] ^ tables[5][crc >> 16 & 0xFF] ^ tables[4][crc >> 24] ^
              tables[3][bytes[4]] ^ tables[2][bytes[5]] ^ tables[1][bytes[6]] ^ tables[0][bytes[7]];
    }
    for (; size > 0; bytes++, size--) crc = (crc >> 8) ^ tables[0][(crc ^ *bytes) & 0xFF];
    return crc;
}

uint32_t
frugal_entry_checksum(uint32_t crc, const unsigned char *bytes, size_t size)
{
    crc = ~crc;
#ifdef FOLDS
    if (can_fold && size >= FEWEST_FOLDED) {
        unsigned char remainder[BLOCK];
        size_t folded = fold_blocks(crc, bytes, size, remainder);

        crc = by_tables(0, remainder, BLOCK);
        bytes += folded;
        size -= folded;
    }
#endif
    return ~by_tables(crc, bytes, size);
}

uint32_t
frugal_entry_checksum_by_tables(uint32_t crc, const unsigned char *bytes, size_t size)
{
    return ~by_tables(~crc, bytes, size);
}
