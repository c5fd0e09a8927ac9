#include "kit/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct kit_buffer *buffer, size_t more)
{
    size_t needed = buffer->length + more + 1;
    size_t capacity = buffer->capacity ? buffer->capacity : 16;
    char *bytes;

    if (needed <= buffer->capacity)
        return true;
    while (capacity < needed)
        capacity *= 2;
    bytes = realloc(buffer->bytes, capacity);
    if (!bytes)
        return false;
    buffer->bytes = bytes;
    buffer->capacity = capacity;
    return true;
}

bool kit_buffer_add(struct kit_buffer *buffer, struct kit_slice slice)
{
    if (!reserve(buffer, slice.length))
        return false;
    if (slice.length)
        memcpy(buffer->bytes + buffer->length, slice.start, slice.length);
    buffer->length += slice.length;
    buffer->bytes[buffer->length] = '\0';
    return true;
}

bool kit_buffer_add_char(struct kit_buffer *buffer, char byte)
{
    return kit_buffer_add(buffer, (struct kit_slice){ &byte, 1 });
}

bool kit_buffer_add_number(struct kit_buffer *buffer, long number)
{
    char digits[32];

    snprintf(digits, sizeof digits, "%ld", number);
    return kit_buffer_add(buffer, kit_slice(digits));
}

struct kit_slice kit_buffer_slice(const struct kit_buffer *buffer)
{
    return (struct kit_slice){ buffer->bytes, buffer->length };
}

void kit_buffer_free(struct kit_buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (struct kit_buffer){ 0 };
}
