/* Reads an entry's file. */
#include "core/entry/entry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Takes one pread(2), and another one only if a signal came. Appends to `bytes`, which has space for `room`. */
static bool
read_part(frugal_entry_image *image, size_t room)
{
    ssize_t got;

    do {
        got = pread(image->fd, image->bytes + image->used, room - image->used, (off_t)image->used);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        image->error = errno;
        return false;
    }
    image->used += (size_t)got;
    return true;
}

static bool
allocate(frugal_entry_image *image, size_t size)
{
    unsigned char *bytes = malloc(size);

    if (bytes == NULL) {
        image->error = ENOMEM;
        return false;
    }
    memcpy(bytes, image->bytes, image->used);
    frugal_entry_free(image);
    image->bytes = bytes;
    return true;
}

static bool
examine(frugal_entry_image *image)
{
    if (fstat(image->fd, &image->st) == 0) return true;
    image->error = errno;
    return false;
}

static void
begin(frugal_entry_image *image)
{
    frugal_entry_free(image);
    image->used = 0;
    image->error = 0;
}

/* The state that the attributes of the file prove; FOUND if the file has to be read. */
static frugal_entry_state
state_of(const frugal_entry_image *image)
{
    if (image->st.st_nlink == 0) return FRUGAL_ENTRY_UNLINKED;
    if (!S_ISREG(image->st.st_mode)) return FRUGAL_ENTRY_SPECIAL;
    if (image->st.st_size == 0) return FRUGAL_ENTRY_EMPTY;
    return image->st.st_size > (off_t)image->largest ? FRUGAL_ENTRY_HUGE : FRUGAL_ENTRY_FOUND;
}

static frugal_entry_state
find(frugal_entry_image *image)
{
    if (image->used == 0) return FRUGAL_ENTRY_EMPTY;
    if (!frugal_entry_belongs(image->bytes, image->used, image->id)) return FRUGAL_ENTRY_FOREIGN;
    if (!frugal_entry_decode(image->bytes, image->used, &image->record)) return FRUGAL_ENTRY_DAMAGED;
    return FRUGAL_ENTRY_FOUND;
}

/* Reads the bytes after the first ones. */
static bool
read_rest(frugal_entry_image *image)
{
    size_t size;

    if (!image->examines && !examine(image)) return false;
    if (image->st.st_size <= (off_t)image->used || image->st.st_size > (off_t)image->largest) return true;
    size = (size_t)image->st.st_size;
    return allocate(image, size) && read_part(image, size);
}

static void
read_once(frugal_entry_image *image)
{
    begin(image);
    image->state = FRUGAL_ENTRY_FOUND;
    if (image->examines) {
        if (!examine(image)) return;
        image->state = state_of(image);
    }
    if (image->state != FRUGAL_ENTRY_FOUND || !read_part(image, FRUGAL_ENTRY_ROOM)) return;
    if (image->used == FRUGAL_ENTRY_ROOM && !read_rest(image)) return;
    image->state = find(image);
}

/* Whether a read without the lock has found the same as a read with the lock. */
static bool
is_settled(const frugal_entry_image *image)
{
    if (image->state == FRUGAL_ENTRY_FOUND) return image->record.settled;
    return image->state != FRUGAL_ENTRY_DAMAGED && image->state != FRUGAL_ENTRY_FOREIGN;
}

/* Reads again. If the bytes stay the same, no process is writing them: a process was killed while it wrote. */
static void
read_until_it_stays(frugal_entry_image *image)
{
    unsigned char *last = NULL;

    for (int left = image->reads - 1; left > 0; left--) {
        size_t size = image->used;

        free(last);
        last = malloc(size);
        if (last == NULL) {
            image->error = ENOMEM;
            break;
        }
        memcpy(last, image->bytes, size);
        read_once(image);
        if (image->error != 0 || is_settled(image)) break;
        if (image->used == size && memcmp(image->bytes, last, size) == 0) break;
        if (left == 1) image->state = FRUGAL_ENTRY_CHANGING;
    }
    free(last);
}

void
frugal_entry_read(frugal_entry_image *image)
{
    image->bytes = image->first;
    read_once(image);
    if (image->error == 0 && !is_settled(image)) read_until_it_stays(image);
    if (image->error != 0) frugal_entry_free(image);
}

bool
frugal_entry_reread(frugal_entry_image *image, size_t size)
{
    size_t room = size < FRUGAL_ENTRY_ROOM ? FRUGAL_ENTRY_ROOM : size + 1; /* a larger file fills one byte more */

    image->bytes = image->first;
    begin(image);
    if ((room > FRUGAL_ENTRY_ROOM && !allocate(image, room)) || !read_part(image, room)) {
        frugal_entry_free(image);
        return false;
    }
    if (image->used == room || image->used < FRUGAL_ENTRY_HEAD || image->bytes[FRUGAL_ENTRY_FLAG_AT] != 0) return false;
    image->state = find(image);
    return image->state == FRUGAL_ENTRY_FOUND;
}

void
frugal_entry_free(frugal_entry_image *image)
{
    if (image->bytes != image->first) free(image->bytes);
    image->bytes = image->first;
}
