#include "marshal_index.h"

#include <stdlib.h>
#include <string.h>

#include "marshal_read.h"

typedef frugal_marshal_index index_t;

/* -- groups -- */

uint32_t
frugal_marshal_index_group(const index_t *index, uint32_t root)
{
    if (index->groups == NULL) return root;
    while (index->groups[root] != root) {
        index->groups[root] = index->groups[index->groups[root]];
        root = index->groups[root];
    }
    return root;
}

static bool
entangle(index_t *index, uint32_t one, uint32_t other)
{
    if (index->groups == NULL) {
        index->groups = malloc(index->count * sizeof(*index->groups));
        if (index->groups == NULL) return false;
        for (uint32_t i = 0; i < index->count; i++) index->groups[i] = i;
    }
    index->roots[one].entangled = index->roots[other].entangled = true;
    one = frugal_marshal_index_group(index, one);
    other = frugal_marshal_index_group(index, other);
    if (one < other) index->groups[other] = one;
    else index->groups[one] = other;
    return true;
}

/* -- keys -- */

/* Where a key begins that is text, followed to where that is. */
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

static void
text_key(const index_t *index, const frugal_marshal_symbol *text, bool symbolic, frugal_marshal_key *key)
{
    const unsigned char *bytes = index->bytes + text->text;
    bool ascii = frugal_marshal_is_ascii(bytes, text->length);

    *key = (frugal_marshal_key){
        .type = symbolic ? FRUGAL_MARSHAL_SYMBOLIC : FRUGAL_MARSHAL_TEXT, .text = bytes, .length = text->length, .told = text->encoding,
        .encoding = ascii ? FRUGAL_MARSHAL_UNTOLD : text->encoding
    };
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
    text_key(index, &text, type == ';' || type == ':', key);
}

static bool
equal(const frugal_marshal_key *one, const frugal_marshal_key *other)
{
    if (one->type != other->type) return false;
    if (one->type == FRUGAL_MARSHAL_INTEGER) return one->integer == other->integer;
    return one->length == other->length && one->encoding == other->encoding &&
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
    uint64_t hash = key->type == FRUGAL_MARSHAL_INTEGER ? mix(index->seed, (uint64_t)key->integer)
                                                        : frugal_marshal_hash(index->seed, (uint8_t)key->type, key->text, key->length);

    return (uint32_t)hash;
}

/* The slot of the root of this key, or that where it would be. */
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

static bool
make_slots(index_t *index)
{
    size_t room = 4;

    while (room < 2 * (size_t)index->count) room *= 2;
    index->slots = malloc(room * sizeof(*index->slots));
    if (index->slots == NULL) return false;
    memset(index->slots, 0xFF, room * sizeof(*index->slots));
    index->slot_mask = (uint32_t)(room - 1);
    return true;
}

/* False: there is a root of this key already. */
static bool
enter(index_t *index, uint32_t root, const frugal_marshal_key *key)
{
    uint32_t hash = hash_of(index, key), *slot = slot_of(index, key, hash);

    if (*slot != FRUGAL_MARSHAL_NONE) return false;
    index->roots[root].key_hash = hash;
    *slot = root;
    return true;
}

bool
frugal_marshal_index_enter(index_t *index, uint32_t root, bool *fits)
{
    frugal_marshal_key key;

    *fits = true;
    if (2 * (size_t)index->count > (size_t)index->slot_mask + 1) {
        free(index->slots);
        if (!make_slots(index)) return false;
        root = 0;
    }
    for (; root < index->count && *fits; root++) {
        frugal_marshal_index_key(index, root, &key);
        *fits = enter(index, root, &key);
    }
    return true;
}

/* -- reading -- */

static bool
grow_objects(index_t *index, size_t room)
{
    frugal_marshal_object *grown;

    if (room > UINT32_MAX) room = UINT32_MAX; /* there are never as many in 4 GiB */
    grown = realloc(index->objects, room * sizeof(*grown));
    if (grown == NULL) return false;
    index->objects = grown;
    index->object_room = (uint32_t)room;
    return true;
}

static inline bool
add_object(index_t *index, frugal_marshal_scan *scan, uint32_t root, const frugal_marshal_token *token)
{
    frugal_marshal_object *object;

    if (index->object_count == index->object_room && !grow_objects(index, (size_t)index->object_room * 2 + 64)) return false;
    object = index->objects + index->object_count++;
    object->at = token->at;
    object->owner = token->role == FRUGAL_MARSHAL_SEEN || token->kind == FRUGAL_MARSHAL_OTHER ? root : FRUGAL_MARSHAL_NONE;
    object->kind = token->kind;
    object->linked = object->name = false;
    if (token->role == FRUGAL_MARSHAL_NAME && token->kind == FRUGAL_MARSHAL_STRING && !token->told) {
        object->name = true;
        if (memchr(index->bytes + token->text.text, 0, token->text.length) != NULL) scan->code = true;
    }
    return true;
}

static enum frugal_marshal_reason
follow(index_t *index, frugal_marshal_scan *scan, uint32_t root, const frugal_marshal_token *token)
{
    frugal_marshal_root *here = index->roots + root;
    frugal_marshal_object *object = index->objects + token->number;

    if (here->top_object <= token->number) here->top_object = token->number + 1;
    if (token->number == 0) return FRUGAL_MARSHAL_CYCLE;
    if (token->number < here->objects - here->key_objects) object->linked = true;
    if (token->role == FRUGAL_MARSHAL_NAME && !object->name) scan->code = true;
    if (token->role == FRUGAL_MARSHAL_ZONE && object->kind != FRUGAL_MARSHAL_STRING) scan->code = true;
    if (object->kind == FRUGAL_MARSHAL_VALUE) return FRUGAL_MARSHAL_FINE;
    if (object->kind == FRUGAL_MARSHAL_STRING && token->role != FRUGAL_MARSHAL_SEEN) return FRUGAL_MARSHAL_FINE;
    if (object->owner == FRUGAL_MARSHAL_NONE) object->owner = root;
    if (object->owner != root && !entangle(index, object->owner, root)) return FRUGAL_MARSHAL_NO_MEMORY;
    return FRUGAL_MARSHAL_FINE;
}

static void
link_symbol(index_t *index, frugal_marshal_root *here, uint32_t before, uint32_t symbol)
{
    if (here->top_symbol <= symbol) here->top_symbol = symbol + 1;
    if (symbol < before) index->symbols.list[symbol].linked = true;
}

static enum frugal_marshal_reason
note(index_t *index, frugal_marshal_scan *scan, uint32_t root, const frugal_marshal_token *token)
{
    frugal_marshal_root *here = index->roots + root;
    uint32_t symbols_before = here->symbols - here->key_symbols;

    switch (token->type) {
    case FRUGAL_MARSHAL_SYMBOL_LINK:
        link_symbol(index, here, symbols_before, token->number);
        break;
    case FRUGAL_MARSHAL_OBJECT: case FRUGAL_MARSHAL_LATE_OBJECT:
        if (!add_object(index, scan, root, token)) return FRUGAL_MARSHAL_NO_MEMORY;
        break;
    case FRUGAL_MARSHAL_LINK: return follow(index, scan, root, token);
    case FRUGAL_MARSHAL_SYMBOL: break;
    default: return FRUGAL_MARSHAL_FINE;
    }
    if (token->told) link_symbol(index, here, symbols_before, token->teller);
    return FRUGAL_MARSHAL_FINE;
}

/* May a root be found by this key? */
static bool
is_handy(const index_t *index, const frugal_marshal_token *token)
{
    switch (token->type) {
    case FRUGAL_MARSHAL_SIMPLE: return index->bytes[token->at] == 'i';
    case FRUGAL_MARSHAL_SYMBOL: case FRUGAL_MARSHAL_SYMBOL_LINK: return true;
    case FRUGAL_MARSHAL_OBJECT: return token->kind == FRUGAL_MARSHAL_STRING;
    case FRUGAL_MARSHAL_LINK: return index->objects[token->number].kind == FRUGAL_MARSHAL_STRING;
    default: return false;
    }
}

static enum frugal_marshal_reason
read_key(index_t *index, frugal_marshal_scan *scan, uint32_t number)
{
    frugal_marshal_root *root = index->roots + number;
    frugal_marshal_token token;
    frugal_marshal_key key;
    enum frugal_marshal_reason reason;

    if (!frugal_marshal_next(scan, &token)) return scan->reason;
    reason = note(index, scan, number, &token);
    if (reason != FRUGAL_MARSHAL_FINE) return reason;
    if (scan->depth > 1 || !is_handy(index, &token)) return FRUGAL_MARSHAL_KEYS;
    if (token.type == FRUGAL_MARSHAL_OBJECT) text_key(index, &token.text, false, &key);
    else frugal_marshal_index_key(index, number, &key);
    if (!enter(index, number, &key)) return FRUGAL_MARSHAL_KEYS;
    root->key_objects = (uint8_t)(scan->objects - root->objects);
    root->key_symbols = (uint8_t)(scan->symbols - root->symbols);
    return FRUGAL_MARSHAL_FINE;
}

static enum frugal_marshal_reason
read_value(index_t *index, frugal_marshal_scan *scan, uint32_t number)
{
    frugal_marshal_root *root = index->roots + number;
    frugal_marshal_token token;

    root->value = scan->at;
    root->objects = scan->objects;
    root->symbols = scan->symbols;
    do {
        enum frugal_marshal_reason reason;

        if (!frugal_marshal_next(scan, &token)) return scan->reason;
        if (token.type == FRUGAL_MARSHAL_SIMPLE) continue;
        reason = note(index, scan, number, &token);
        if (reason != FRUGAL_MARSHAL_FINE) return reason;
    } while (scan->depth > 1);
    root->code = scan->code;
    return FRUGAL_MARSHAL_FINE;
}

/* Reads a Hash's roots, or an Array's. */
static enum frugal_marshal_reason
read_roots(index_t *index, bool keys)
{
    frugal_marshal_scan scan;
    enum frugal_marshal_reason reason;
    int64_t count;

    if (index->size < 4) return FRUGAL_MARSHAL_SHORT;
    if (index->bytes[0] != 4 || index->bytes[1] != 8 || index->bytes[2] != (keys ? '{' : '[')) return FRUGAL_MARSHAL_FOREIGN;
    frugal_marshal_scan_init(&scan, index->bytes, index->size, &index->symbols);
    scan.at = 3;
    if (!frugal_marshal_read_long(&scan, &count)) return scan.reason;
    if (count < 0) return FRUGAL_MARSHAL_STRANGE;
    if (count > (index->size - scan.at) / (keys ? 2 : 1)) return FRUGAL_MARSHAL_SHORT;
    index->count = (uint32_t)count;
    index->roots = calloc((size_t)count + 1, sizeof(*index->roots));
    if (index->roots == NULL || (keys && !make_slots(index))) return FRUGAL_MARSHAL_NO_MEMORY;
    if (!grow_objects(index, 2 * (size_t)index->count + 64)) return FRUGAL_MARSHAL_NO_MEMORY; /* a key and a value each */
    scan.objects = 1; /* the Hash or Array itself */
    index->objects[index->object_count++] = (frugal_marshal_object){ .at = 2 };
    if (keys) frugal_marshal_expect_pairs(&scan, index->count);
    else frugal_marshal_expect_values(&scan, index->count);
    for (uint32_t root = 0; root < index->count; root++) {
        index->roots[root] = (frugal_marshal_root){ .key = scan.at, .objects = scan.objects, .symbols = scan.symbols };
        scan.code = false;
        reason = keys ? read_key(index, &scan, root) : FRUGAL_MARSHAL_FINE;
        if (reason == FRUGAL_MARSHAL_FINE) reason = read_value(index, &scan, root);
        if (reason != FRUGAL_MARSHAL_FINE) return reason;
    }
    if (scan.at != index->size) return FRUGAL_MARSHAL_TRAILING;
    index->times = scan.times;
    index->roots[count] = (frugal_marshal_root){
        .key = scan.at, .value = scan.at, .objects = scan.objects, .symbols = scan.symbols
    };
    return FRUGAL_MARSHAL_FINE;
}

static enum frugal_marshal_reason
read_index(index_t *index, const unsigned char *bytes, size_t size, uint64_t seed, bool keys)
{
    memset(index, 0, sizeof(*index));
    index->bytes = bytes;
    index->teller = FRUGAL_MARSHAL_NONE;
    index->seed = seed;
    if (size >= UINT32_MAX) return FRUGAL_MARSHAL_BIG;
    index->size = (uint32_t)size;
    return read_roots(index, keys);
}

enum frugal_marshal_reason
frugal_marshal_index_read(index_t *index, const unsigned char *bytes, size_t size, uint64_t seed)
{
    return read_index(index, bytes, size, seed, true);
}

enum frugal_marshal_reason
frugal_marshal_index_read_list(index_t *index, const unsigned char *bytes, size_t size)
{
    return read_index(index, bytes, size, 0, false);
}

void
frugal_marshal_index_free(index_t *index)
{
    free(index->own.bytes);
    free(index->roots);
    free(index->objects);
    free(index->symbols.list);
    free(index->groups);
    free(index->slots);
    free(index->contents);
    free(index->numbers.objects);
    free(index->numbers.symbols);
    free(index->numbers.touched);
}
