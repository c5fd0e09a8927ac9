#include "kit/words.h"

#include <stdint.h>
#include <string.h>

#include "kit/vector.h"

bool kit_words_count(struct kit_map *counts, struct kit_slice text)
{
    struct kit_slice word;

    while (kit_slice_next(&text, ' ', &word)) {
        word = kit_slice_trim(word);
        if (!word.length)
            continue;
        /* The pointer itself holds the number; nothing is allocated for it. */
        uintptr_t seen = (uintptr_t)kit_map_get(counts, word);
        if (!kit_map_set(counts, word, (void *)(seen + 1)))
            return false;
    }
    return true;
}

static int frequent_first(const void *left, const void *right)
{
    const struct kit_map_entry *a = *(const struct kit_map_entry *const *)left;
    const struct kit_map_entry *b = *(const struct kit_map_entry *const *)right;

    if (a->value != b->value)
        return (uintptr_t)a->value > (uintptr_t)b->value ? -1 : 1;
    return strcmp(a->key.start, b->key.start);
}

static bool add_line(struct kit_buffer *report, const struct kit_map_entry *entry)
{
    return kit_buffer_add(report, entry->key) && kit_buffer_add_char(report, ' ') &&
           kit_buffer_add_number(report, (long)(uintptr_t)entry->value) && kit_buffer_add_char(report, '\n');
}

bool kit_words_report(const struct kit_map *counts, struct kit_buffer *report)
{
    struct kit_vector entries = { 0 };
    const struct kit_map_entry *entry;
    size_t position = 0;
    bool done = true;

    while (done && (entry = kit_map_next(counts, &position)))
        done = kit_vector_push(&entries, (void *)entry);
    kit_vector_sort(&entries, frequent_first);
    for (size_t i = 0; done && i < entries.length; i++)
        done = add_line(report, entries.items[i]);
    kit_vector_free(&entries);
    return done;
}
