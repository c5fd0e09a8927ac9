#include "core/marshal/marshal_contents.h"

#include <stdlib.h>
#include <string.h>

typedef frugal_marshal_index index_t;
typedef frugal_marshal_content content_t;

/* Tags. The encoding is added to STRING and SYMBOL. */
enum { VALUE = 0, STRING = 1, SYMBOL = 8 };

uint32_t
frugal_marshal_value_length(const unsigned char *bytes, uint32_t at)
{
    frugal_marshal_scan scan;
    bool big = bytes[at] == 'l';
    int64_t length = 0;

    frugal_marshal_scan_init(&scan, bytes, UINT32_MAX, NULL);
    scan.at = at + (big ? 2 : 1);
    frugal_marshal_read_long(&scan, &length);
    return scan.at - at + (uint32_t)length * (big ? 2 : 1);
}

content_t
frugal_marshal_content_of(const unsigned char *bytes, const frugal_marshal_object *object)
{
    frugal_marshal_symbol text;

    if (object->kind == FRUGAL_MARSHAL_VALUE) {
        uint32_t length = frugal_marshal_value_length(bytes, object->at);

        return (content_t){ .bytes = bytes + object->at, .length = length, .tag = VALUE };
    }
    frugal_marshal_string_at(bytes, object->at, &text);
    return (content_t){ .bytes = bytes + text.text, .length = text.length, .tag = (uint8_t)(STRING + text.encoding) };
}

static content_t
content_of_symbol(const unsigned char *bytes, const frugal_marshal_symbol *symbol)
{
    return (content_t){ .bytes = bytes + symbol->text,
                        .length = symbol->length,
                        .tag = (uint8_t)(SYMBOL + symbol->encoding) };
}

bool
frugal_marshal_content_equal(const content_t *one, const content_t *other)
{
    return one->tag == other->tag && one->length == other->length && memcmp(one->bytes, other->bytes, one->length) == 0;
}

/* A slot holds a number, shifted left by one. The lowest bit is 1 if the number is that of a symbol. */
static content_t
content_in(const index_t *store, uint32_t slot)
{
    if (slot & 1) return content_of_symbol(store->bytes, store->symbols.list + (slot >> 1));
    return frugal_marshal_content_of(store->bytes, store->objects + (slot >> 1));
}

/* The slot that holds this content, or the free slot for it. */
static uint32_t *
slot_of(const index_t *store, const content_t *content)
{
    uint32_t at = frugal_marshal_hash(store->seed, content->tag, content->bytes, content->length) & store->content_mask;

    for (;; at = (at + 1) & store->content_mask) {
        uint32_t *slot = store->contents + at;
        content_t there;

        if (*slot == FRUGAL_MARSHAL_NONE) return slot;
        there = content_in(store, *slot);
        if (frugal_marshal_content_equal(&there, content)) return slot;
    }
}

static uint32_t
find(const index_t *store, const content_t *content)
{
    uint32_t slot = *slot_of(store, content);

    return slot == FRUGAL_MARSHAL_NONE ? slot : slot >> 1;
}

uint32_t
frugal_marshal_find_symbol(const index_t *store, const index_t *other, const frugal_marshal_symbol *symbol)
{
    content_t content = content_of_symbol(other->bytes, symbol);

    return find(store, &content);
}

uint32_t
frugal_marshal_find_object(const index_t *store, const index_t *other, const frugal_marshal_object *object)
{
    content_t content = frugal_marshal_content_of(other->bytes, object);

    return find(store, &content);
}

static void
add(index_t *store, uint32_t entry)
{
    content_t content = content_in(store, entry);
    uint32_t *slot = slot_of(store, &content);

    if (*slot == FRUGAL_MARSHAL_NONE) *slot = entry;
}

static bool
is_linked_content(const frugal_marshal_object *object)
{
    return object->linked && object->kind != FRUGAL_MARSHAL_OTHER;
}

bool
frugal_marshal_contents_make(index_t *store)
{
    size_t entries = store->symbols.count, room = 4;

    if (store->contents != NULL) return true;
    for (uint32_t i = 0; i < store->object_count; i++) entries += is_linked_content(store->objects + i);
    while (room < 2 * entries) room *= 2;
    store->contents = malloc(room * sizeof(*store->contents));
    if (store->contents == NULL) return false;
    memset(store->contents, 0xFF, room * sizeof(*store->contents));
    store->content_mask = (uint32_t)(room - 1);
    for (uint32_t i = 0; i < store->symbols.count; i++) add(store, i << 1 | 1);
    for (uint32_t i = 0; i < store->object_count; i++) {
        if (is_linked_content(store->objects + i)) add(store, i << 1);
    }
    return true;
}

void
frugal_marshal_contents_drop(index_t *store)
{
    free(store->contents);
    store->contents = NULL;
}
