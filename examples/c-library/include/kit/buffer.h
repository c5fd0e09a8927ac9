#ifndef KIT_BUFFER_H
#define KIT_BUFFER_H

#include "slice.h"

/* A string that grows. { 0 } is an empty buffer. After the first addition,
   bytes always ends in a NUL. */
struct kit_buffer {
    char *bytes;
    size_t length;
    size_t capacity;
};

/* Each returns false and leaves the buffer unchanged if there is no memory. */
bool kit_buffer_add(struct kit_buffer *buffer, struct kit_slice slice);
bool kit_buffer_add_char(struct kit_buffer *buffer, char byte);
bool kit_buffer_add_number(struct kit_buffer *buffer, long number);

struct kit_slice kit_buffer_slice(const struct kit_buffer *buffer);
void kit_buffer_free(struct kit_buffer *buffer);

#endif
