#ifndef KIT_WORDS_H
#define KIT_WORDS_H

#include "buffer.h"
#include "map.h"

/* Counts how often each word occurs. A word is a run of bytes between spaces. */
bool kit_words_count(struct kit_map *counts, struct kit_slice text);

/* Writes "word 3\n" for each word: the most frequent first, then alphabetically. */
bool kit_words_report(const struct kit_map *counts, struct kit_buffer *report);

#endif
