/* Entries: the checksum compared with a simpler one, records in random contents, files of all sizes. */
#include "core/entry/entry.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static const unsigned char id[FRUGAL_ENTRY_ID] = "sha256";

/* Bit by bit. */
static uint32_t
checksum_slowly(const unsigned char *bytes, size_t size)
{
    uint32_t crc = 0xFFFFFFFF;

    for (size_t at = 0; at < size; at++) {
        crc ^= bytes[at];
        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

static void
check_checksums(unsigned seed)
{
    size_t size = (size_t)rand_r(&seed) % 400, first = (size_t)rand_r(&seed) % (size + 1);
    unsigned char *bytes = malloc(size + (size == 0));

    CHECK(bytes);
    for (size_t at = 0; at < size; at++) bytes[at] = (unsigned char)rand_r(&seed);
    CHECK(frugal_entry_checksum(0, bytes, size) == checksum_slowly(bytes, size));
    CHECK(frugal_entry_checksum_by_tables(0, bytes, size) == checksum_slowly(bytes, size));
    CHECK(frugal_entry_checksum(frugal_entry_checksum(0, bytes, first), bytes + first, size - first) ==
          checksum_slowly(bytes, size));
    free(bytes);
}

static void
put(unsigned char *at, uint64_t number, int width)
{
    for (int n = 0; n < width; n++) at[n] = (unsigned char)(number >> (8 * n));
}

static void
put_head(unsigned char *content, int exponent)
{
    memset(content, 0, FRUGAL_ENTRY_HEAD);
    memcpy(content, "frugalE1", 8);
    content[8] = (unsigned char)exponent;
    memcpy(content + 9, id, sizeof(id));
}

static void
put_record(unsigned char *content, size_t at, uint64_t sequence, const char *payload)
{
    unsigned char *head = content + at, sums[4096];
    size_t size = strlen(payload);

    memset(head, 0, FRUGAL_ENTRY_RECORD_HEAD);
    put(head + 4, size, 4);
    put(head + 8, sequence, 8);
    put(head + 16, 77, 8);
    put(head + 24, 88, 4);
    head[28] = 99;
    memcpy(head + FRUGAL_ENTRY_RECORD_HEAD, payload, size);
    memcpy(sums, content, 15);
    memcpy(sums + 15, head + 4, FRUGAL_ENTRY_RECORD_HEAD - 4 + size);
    put(head, checksum_slowly(sums, 15 + FRUGAL_ENTRY_RECORD_HEAD - 4 + size), 4);
}

static void
check_payload(const unsigned char *content, size_t size, const char *payload)
{
    frugal_entry_record record;
    unsigned char *copy = malloc(size); /* of the exact size, so that the sanitizers report a read after the end */

    CHECK(copy);
    memcpy(copy, content, size);
    CHECK(frugal_entry_decode(copy, size, &record) == (payload != NULL));
    if (payload) {
        CHECK(record.size == strlen(payload) && memcmp(record.bytes, payload, record.size) == 0);
        CHECK(record.expires_at == 77 && record.idle == 88 && record.serializer == 99);
    }
    free(copy);
}

static void
check_records(void)
{
    enum { SECOND = FRUGAL_ENTRY_HEAD + (4096 - FRUGAL_ENTRY_HEAD) / 2 };
    unsigned char content[4096] = { 0 };

    put_head(content, 12);
    CHECK(frugal_entry_belongs(content, sizeof(content), id));
    CHECK(!frugal_entry_belongs(content, FRUGAL_ENTRY_HEAD - 1, id));
    CHECK(!frugal_entry_belongs(content, sizeof(content), (const unsigned char *)"sha257"));
    check_payload(content, sizeof(content), NULL);
    put_record(content, FRUGAL_ENTRY_HEAD, 1, "one");
    check_payload(content, FRUGAL_ENTRY_HEAD + FRUGAL_ENTRY_RECORD_HEAD + 3, "one");
    check_payload(content, FRUGAL_ENTRY_HEAD + FRUGAL_ENTRY_RECORD_HEAD + 2, NULL);
    put_record(content, SECOND, 2, "two!");
    check_payload(content, sizeof(content), "two!");
    check_payload(content, SECOND + FRUGAL_ENTRY_RECORD_HEAD + 3, "one");
    content[SECOND + FRUGAL_ENTRY_RECORD_HEAD] ^= 1;
    check_payload(content, sizeof(content), "one");
    content[FRUGAL_ENTRY_HEAD] ^= 1;
    check_payload(content, sizeof(content), NULL);
    put_record(content, FRUGAL_ENTRY_HEAD, 3, "three");
    check_payload(content, sizeof(content), "three");
    content[15] = 1; /* the mark of a file that is about to be replaced is not covered */
    check_payload(content, sizeof(content), "three");
    for (int exponent = 18; exponent < 256; exponent++) {
        content[8] = (unsigned char)exponent;
        CHECK(!frugal_entry_belongs(content, sizeof(content), id));
        check_payload(content, sizeof(content), NULL);
    }
}

static void
check_random(unsigned seed)
{
    size_t size = (size_t)rand_r(&seed) % 300;
    unsigned char *content = malloc(size + FRUGAL_ENTRY_HEAD);
    frugal_entry_record record;

    CHECK(content);
    for (size_t at = 0; at < size + FRUGAL_ENTRY_HEAD; at++) content[at] = (unsigned char)(rand_r(&seed) % 3);
    if (seed % 2 == 0) put_head(content, seed % 4 == 0 ? 12 : 0);
    CHECK(!frugal_entry_decode(content, size + FRUGAL_ENTRY_HEAD, &record));
    free(content);
}

static void
check_file(size_t size, size_t largest)
{
    frugal_entry_file *file = malloc(sizeof(*file));
    int fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);

    CHECK(file && fd >= 0 && ftruncate(fd, (off_t)size) == 0);
    if (size > 0) CHECK(pwrite(fd, "x", 1, (off_t)size - 1) == 1);
    file->fd = fd;
    file->largest = largest;
    frugal_entry_read(file);
    CHECK(file->error == 0 && file->fd == -1 && close(fd) == -1);
    CHECK(file->used == (size > largest && size > FRUGAL_ENTRY_ROOM ? FRUGAL_ENTRY_ROOM : size));
    if (size > 0 && file->used == size) CHECK(file->bytes[size - 1] == 'x');
    frugal_entry_free(file);
    free(file);
}

static void
check_directory(void)
{
    frugal_entry_file *file = malloc(sizeof(*file));

    CHECK(file);
    file->fd = open(".", O_RDONLY);
    file->largest = 100;
    frugal_entry_read(file);
    CHECK(file->error == EISDIR && file->fd == -1);
    frugal_entry_free(file);
    free(file);
}

int
main(void)
{
    static const size_t sizes[] = {
        0, 1, 4096, FRUGAL_ENTRY_ROOM - 1, FRUGAL_ENTRY_ROOM, FRUGAL_ENTRY_ROOM + 1, 100000
    };

    frugal_entry_init();
    CHECK(frugal_entry_checksum(0, (const unsigned char *)"123456789", 9) ==
          0xCBF43926); /* the published check value */
    for (unsigned seed = 0; seed < 2000; seed++) check_checksums(seed);
    check_records();
    for (unsigned seed = 0; seed < 20000; seed++) check_random(seed);
    for (size_t n = 0; n < sizeof(sizes) / sizeof(*sizes); n++) {
        check_file(sizes[n], 1000000);
        check_file(sizes[n], 4096);
    }
    check_directory();
    unlink("file");
    return 0;
}
