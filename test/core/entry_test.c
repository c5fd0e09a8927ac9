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

static frugal_entry_image *
image_of(int fd, size_t largest, bool examines, int reads)
{
    frugal_entry_image *image = malloc(sizeof(*image));

    CHECK(image);
    image->fd = fd;
    memcpy(image->id, id, sizeof(id));
    image->largest = largest;
    image->examines = examines;
    image->reads = reads;
    return image;
}

static void
free_image(frugal_entry_image *image)
{
    frugal_entry_free(image);
    free(image);
}

static int
open_new(void)
{
    int fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);

    CHECK(fd >= 0);
    return fd;
}

static void
check_file(size_t size, size_t largest)
{
    int fd = open_new();

    CHECK(ftruncate(fd, (off_t)size) == 0);
    if (size > 0) CHECK(pwrite(fd, "x", 1, (off_t)size - 1) == 1);
    for (int examines = 0; examines < 2; examines++) {
        frugal_entry_image *image = image_of(fd, largest, examines, 20);

        frugal_entry_read(image);
        CHECK(image->error == 0);
        if (examines && size > largest) {
            CHECK(image->state == FRUGAL_ENTRY_HUGE && image->used == 0);
        }
        else {
            CHECK(image->state == (size == 0 ? FRUGAL_ENTRY_EMPTY : FRUGAL_ENTRY_FOREIGN));
            CHECK(image->used == (size > largest && size > FRUGAL_ENTRY_ROOM ? FRUGAL_ENTRY_ROOM : size));
            if (size > 0 && image->used == size) CHECK(image->bytes[size - 1] == 'x');
        }
        free_image(image);
    }
    close(fd);
}

static void
check_state(int fd, int reads, frugal_entry_state state, const char *payload)
{
    for (int examines = 0; examines < 2; examines++) {
        frugal_entry_image *image = image_of(fd, 100000, examines, reads);

        frugal_entry_read(image);
        CHECK(image->error == 0 && image->state == state);
        if (payload) CHECK(memcmp(image->record.bytes, payload, strlen(payload)) == 0);
        free_image(image);
    }
}

/* Writes a record of `size` bytes, all of them `letter`, into a file with one slot. */
static void
write_single(int fd, size_t size, char letter)
{
    unsigned char *content = calloc(1, FRUGAL_ENTRY_HEAD + FRUGAL_ENTRY_RECORD_HEAD + size + 1);
    char payload[4000 + 1] = { 0 };

    CHECK(content && size <= 4000);
    memset(payload, letter, size);
    put_head(content, 0);
    put_record(content, FRUGAL_ENTRY_HEAD, 5, payload);
    CHECK(pwrite(fd, content, FRUGAL_ENTRY_HEAD + FRUGAL_ENTRY_RECORD_HEAD + size, 0) > 0);
    free(content);
}

static void
check_states(void)
{
    int fd = open_new();

    for (int reads = 1; reads < 4; reads++) {
        CHECK(ftruncate(fd, 0) == 0);
        check_state(fd, reads, FRUGAL_ENTRY_EMPTY, NULL);
        CHECK(pwrite(fd, "frugalE1", 8, 0) == 8);
        check_state(fd, reads, FRUGAL_ENTRY_FOREIGN, NULL);
        write_single(fd, 300, 'a');
        check_state(fd, reads, FRUGAL_ENTRY_FOUND, "aaa");
        CHECK(ftruncate(fd, 100) == 0);
        check_state(fd, reads, FRUGAL_ENTRY_DAMAGED, NULL);
    }
    close(fd);
}

static void
check_reread(void)
{
    int fd = open_new();
    frugal_entry_image *image = image_of(fd, 100000, true, 1);

    write_single(fd, 300, 'a');
    CHECK(frugal_entry_reread(image, 348) && image->record.size == 300 && image->record.bytes[299] == 'a');
    write_single(fd, 400, 'b');
    CHECK(frugal_entry_reread(image, 348) && image->record.size == 400);
    CHECK(ftruncate(fd, FRUGAL_ENTRY_ROOM) == 0); /* it has grown: there may be another slot */
    CHECK(!frugal_entry_reread(image, 348) && image->error == 0);
    CHECK(!frugal_entry_reread(image, FRUGAL_ENTRY_ROOM - 1));
    CHECK(frugal_entry_reread(image, FRUGAL_ENTRY_ROOM) && image->record.size == 400);
    frugal_entry_free(image);
    CHECK(pwrite(fd, "\1", 1, FRUGAL_ENTRY_FLAG_AT) == 1);
    CHECK(!frugal_entry_reread(image, FRUGAL_ENTRY_ROOM));
    frugal_entry_free(image);
    CHECK(ftruncate(fd, 10) == 0 && !frugal_entry_reread(image, 348));
    CHECK(unlink("file") == 0);
    frugal_entry_read(image);
    CHECK(image->error == 0 && image->state == FRUGAL_ENTRY_UNLINKED);
    close(fd);
    CHECK(!frugal_entry_reread(image, 348) && image->error == EBADF);
    CHECK(!frugal_entry_reread(image, 100000) && image->error == EBADF);
    free_image(image);
}

/* A device whose bytes are others at each read. */
static void
check_changing(void)
{
    int fd = open("/dev/urandom", O_RDONLY);

    CHECK(fd >= 0);
    for (int reads = 1; reads < 4; reads++) {
        frugal_entry_image *image = image_of(fd, 100000, false, reads);

        frugal_entry_read(image);
        CHECK(image->error == 0 && image->used == FRUGAL_ENTRY_ROOM);
        CHECK(image->state == (reads == 1 ? FRUGAL_ENTRY_FOREIGN : FRUGAL_ENTRY_CHANGING));
        free_image(image);
    }
    close(fd);
}

static void
check_directory(void)
{
    frugal_entry_image *image = image_of(open(".", O_RDONLY), 100, false, 20);

    frugal_entry_read(image);
    CHECK(image->error == EISDIR);
    image->examines = true;
    frugal_entry_read(image);
    CHECK(image->error == 0 && image->state == FRUGAL_ENTRY_SPECIAL);
    close(image->fd);
    frugal_entry_read(image);
    CHECK(image->error == EBADF);
    free_image(image);
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
    check_states();
    check_reread();
    check_changing();
    check_directory();
    unlink("file");
    return 0;
}
