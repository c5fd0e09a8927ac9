/* Finds the newest valid record of an entry's file. */
#include "core/entry/entry.h"

#include <string.h>

static const char magic[] = "frugalE1";
enum { EXPONENT_AT = 8, ID_AT = 9, SMALLEST = 12, LARGEST = 17 };

static uint32_t
read32(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint64_t
read64(const unsigned char *at)
{
    return read32(at) | (uint64_t)read32(at + 4) << 32;
}

static bool
has_two_slots(const unsigned char *content)
{
    return content[EXPONENT_AT] >= SMALLEST && content[EXPONENT_AT] <= LARGEST;
}

bool
frugal_entry_belongs(const unsigned char *content, size_t size, const unsigned char id[FRUGAL_ENTRY_ID])
{
    if (size < FRUGAL_ENTRY_HEAD || memcmp(content, magic, EXPONENT_AT) != 0) return false;
    if (memcmp(content + ID_AT, id, FRUGAL_ENTRY_ID) != 0) return false;
    return content[EXPONENT_AT] == 0 || has_two_slots(content);
}

/* Reads the head of the record in a slot. Returns whether a record of its length fits into the content. */
static bool
read_head(const unsigned char *content, size_t size, int slot, frugal_entry_record *record)
{
    size_t at = FRUGAL_ENTRY_HEAD;
    const unsigned char *head;

    if (slot == 1) at += (((size_t)1 << content[EXPONENT_AT]) - FRUGAL_ENTRY_HEAD) / 2;
    if (size < at + FRUGAL_ENTRY_RECORD_HEAD) return false;
    head = content + at;
    record->slot = (uint8_t)slot;
    record->size = read32(head + 4);
    record->sequence = read64(head + 8);
    record->expires_at = read64(head + 16);
    record->idle = read32(head + 24);
    record->serializer = head[28];
    record->bytes = head + FRUGAL_ENTRY_RECORD_HEAD;
    return record->sequence > 0 && record->size <= size - at - FRUGAL_ENTRY_RECORD_HEAD;
}

/* Reports whether the checksum is right. It covers the head of the file, the record's head, and the payload. */
static bool
is_valid(const unsigned char *content, const frugal_entry_record *record)
{
    const unsigned char *head = record->bytes - FRUGAL_ENTRY_RECORD_HEAD;
    uint32_t crc = frugal_entry_checksum(0, content, FRUGAL_ENTRY_FLAG_AT);

    crc = frugal_entry_checksum(crc, head + 4, FRUGAL_ENTRY_RECORD_HEAD - 4);
    return read32(head) == frugal_entry_checksum(crc, record->bytes, record->size);
}

/* Reports whether the other slot is empty or has the preceding sequence, whether its record is valid or not. */
static bool
is_settled(const unsigned char *content, size_t size, const frugal_entry_record *record)
{
    size_t at = FRUGAL_ENTRY_HEAD;
    uint64_t other;

    if (!has_two_slots(content)) return true;
    if (record->slot == 0) at += (((size_t)1 << content[EXPONENT_AT]) - FRUGAL_ENTRY_HEAD) / 2;
    other = size < at + 16 ? 0 : read64(content + at + 8);
    return other == 0 || other == record->sequence - 1;
}

static bool
find_newest(const unsigned char *content, size_t size, frugal_entry_record *record)
{
    frugal_entry_record other;
    bool has_first, has_second;

    if (size < FRUGAL_ENTRY_HEAD) return false;
    has_first = read_head(content, size, 0, record);
    has_second = has_two_slots(content) && read_head(content, size, 1, &other);
    if (has_second && (!has_first || other.sequence > record->sequence)) {
        frugal_entry_record older = *record;

        *record = other;
        other = older;
        has_second = has_first;
        has_first = true;
    }
    if (has_first && is_valid(content, record)) return true;
    if (!has_second || !is_valid(content, &other)) return false;
    *record = other;
    return true;
}

bool
frugal_entry_decode(const unsigned char *content, size_t size, frugal_entry_record *record)
{
    if (!find_newest(content, size, record)) return false;
    record->settled = is_settled(content, size, record);
    return true;
}
