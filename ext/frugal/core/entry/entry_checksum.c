/* CRC-32 of eight bytes at a time, with one table for each of them. */
#include "core/entry/entry.h"

enum { WIDTH = 8 };
static const uint32_t polynomial = 0xEDB88320; /* of CRC-32 in zlib, gzip, PNG; bits reflected */
static uint32_t tables[WIDTH][256];

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
}

uint32_t
frugal_entry_checksum(uint32_t crc, const unsigned char *bytes, size_t size)
{
    crc = ~crc;
    for (; size >= WIDTH; bytes += WIDTH, size -= WIDTH) {
        crc ^= bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
        crc = tables[7][crc & 0xFF] ^ tables[6][crc >> 8 & 0xFF] ^ tables[5][crc >> 16 & 0xFF] ^ tables[4][crc >> 24] ^
              tables[3][bytes[4]] ^ tables[2][bytes[5]] ^ tables[1][bytes[6]] ^ tables[0][bytes[7]];
    }
    for (; size > 0; bytes++, size--) crc = (crc >> 8) ^ tables[0][(crc ^ *bytes) & 0xFF];
    return ~crc;
}
