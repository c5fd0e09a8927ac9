#ifndef KIT_WORDS_H
#define KIT_WORDS_H

#include "buffer.h"
#include "map.h"

/* How often each word occurs; words are runs of bytes between spaces. */
bool kit_words_count(struct kit_map *counts, struct kit_slice text);

/* "word 3\n" for each word, the most frequent first, then by the alphabet. */
bool kit_words_report(const struct kit_map *counts, struct kit_buffer *report);

#endif
