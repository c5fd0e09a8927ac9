/* The keys of a store's roots, and the hash table of the roots by key. */
#include "core/marshal/marshal_keys.h"

#include <stdlib.h>
#include <string.h>

#include "core/marshal/marshal_read.h"

typedef frugal_marshal_index index_t;

/* Finds the text of a String or Symbol key, which may be a link. Returns the type byte. */
static unsigned char
find_text(const index_t *index, uint32_t root, frugal_marshal_symbol *text)
{
    frugal_marshal_scan scan;
    uint32_t at = index->roots[root].key;
    int64_t number = 0;
    unsigned char type = index->bytes[at];

    frugal_marshal_scan_init(&scan, index->bytes, index->size, NULL);
    scan.at = at + 1;
    if (type == ';' || type == '@') frugal_marshal_read_long(&scan, &number);
    if (type == ';') *text = index->symbols.list[number];
    else frugal_marshal_string_at(index->bytes, type == '@' ? index->objects[number].at : at, text);
    return type == 'I' ? index->bytes[at + 1] : type;
}

void
frugal_marshal_text_key(const index_t *index, const frugal_marshal_symbol *text, bool symbolic, frugal_marshal_key *key)
{
    const unsigned char *bytes = index->bytes + text->text;
    bool ascii = frugal_marshal_is_ascii(bytes, text->length);

    *key = (frugal_marshal_key){ .type = symbolic ? FRUGAL_MARSHAL_SYMBOLIC : FRUGAL_MARSHAL_TEXT,
                                 .text = bytes,
                                 .length = text->length,
                                 .encoding = text->encoding,
                                 .compared_encoding = ascii ? FRUGAL_MARSHAL_NO_ENCODING : text->encoding };
}

void
frugal_marshal_index_key(const index_t *index, uint32_t root, frugal_marshal_key *key)
{
    frugal_marshal_scan scan;
    frugal_marshal_symbol text;
    unsigned char type = index->bytes[index->roots[root].key];

    if (type == 'i') {
        *key = (frugal_marshal_key){ .type = FRUGAL_MARSHAL_INTEGER };
        frugal_marshal_scan_init(&scan, index->bytes, index->size, NULL);
        scan.at = index->roots[root].key + 1;
        frugal_marshal_read_long(&scan, &key->integer);
        return;
    }
    type = find_text(index, root, &text);
    frugal_marshal_text_key(index, &text, type == ';' || type == ':', key);
}

static bool
equal(const frugal_marshal_key *one, const frugal_marshal_key *other)
{
    if (one->type != other->type) return false;
    if (one->type == FRUGAL_MARSHAL_INTEGER) return one->integer == other->integer;
    return one->length == other->length && one->compared_encoding == other->compared_encoding &&
           (one->length == 0 || memcmp(one->text, other->text, one->length) == 0);
}

static uint64_t
mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

uint64_t
frugal_marshal_hash(uint64_t seed, uint8_t tag, const unsigned char *bytes, uint32_t length)
{
    uint64_t hash = mix(seed, tag), word;
    uint32_t i = 0;

    for (; length - i >= sizeof(word); i += sizeof(word)) {
        memcpy(&word, bytes + i, sizeof(word));
        hash = mix(hash, word);
    }
    word = length;
    for (; i < length; i++) word = word << 8 | bytes[i];
    return mix(mix(hash, word), seed);
}

static uint32_t
hash_of(const index_t *index, const frugal_marshal_key *key)
{
    if (key->type == FRUGAL_MARSHAL_INTEGER) return (uint32_t)mix(index->seed, (uint64_t)key->integer);
    return (uint32_t)frugal_marshal_hash(index->seed, (uint8_t)key->type, key->text, key->length);
}

/* The slot that holds the root of this key, or the free slot for it. */
static uint32_t *
slot_of(const index_t *index, const frugal_marshal_key *key, uint32_t hash)
{
    uint32_t at = hash & index->slot_mask;

    for (;; at = (at + 1) & index->slot_mask) {
        uint32_t *slot = index->slots + at;
        frugal_marshal_key there;

        if (*slot == FRUGAL_MARSHAL_NONE) return slot;
        if (index->roots[*slot].key_hash != hash) continue;
        frugal_marshal_index_key(index, *slot, &there);
        if (equal(&there, key)) return slot;
    }
}

uint32_t
frugal_marshal_index_find(const index_t *index, const frugal_marshal_key *key)
{
    return *slot_of(index, key, hash_of(index, key));
}

bool
frugal_marshal_make_slots(index_t *index)
{
    size_t room = 4;

    while (room < 2 * (size_t)index->count) room *= 2;
    if (index->slots == NULL || (size_t)index->slot_mask + 1 != room) {
        free(index->slots);
        index->slots = malloc(room * sizeof(*index->slots));
        if (index->slots == NULL) return false;
    }
    memset(index->slots, 0xFF, room * sizeof(*index->slots));
    index->slot_mask = (uint32_t)(room - 1);
    return true;
}

bool
frugal_marshal_insert_key(index_t *index, uint32_t root, const frugal_marshal_key *key)
{
    uint32_t hash = hash_of(index, key), *slot = slot_of(index, key, hash);

    if (*slot != FRUGAL_MARSHAL_NONE) return false;
    index->roots[root].key_hash = hash;
    *slot = root;
    return true;
}

bool
frugal_marshal_index_insert(index_t *index, uint32_t root, bool *fits)
{
    frugal_marshal_key key;

    *fits = true;
    if (2 * (size_t)index->count > (size_t)index->slot_mask + 1) {
        if (!frugal_marshal_make_slots(index)) return false;
        root = 0;
    }
    for (; root < index->count && *fits; root++) {
        frugal_marshal_index_key(index, root, &key);
        *fits = frugal_marshal_insert_key(index, root, &key);
    }
    return true;
}
