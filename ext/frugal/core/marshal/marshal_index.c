#include "core/marshal/marshal_index.h"

#include <stdlib.h>
#include <string.h>

#include "core/marshal/marshal_keys.h"
#include "core/marshal/marshal_read.h"
#include "core/system/system.h"

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

/* Makes two roots one group, since they share an object. */
static bool
join_groups(index_t *index, uint32_t one, uint32_t other)
{
    if (index->groups == NULL) {
        index->groups = malloc(index->count * sizeof(*index->groups));
        if (index->groups == NULL) return false;
        for (uint32_t i = 0; i < index->count; i++) index->groups[i] = i;
    }
    index->roots[one].shares_objects = index->roots[other].shares_objects = true;
    one = frugal_marshal_index_group(index, one);
    other = frugal_marshal_index_group(index, other);
    if (one < other) index->groups[other] = one;
    else index->groups[one] = other;
    return true;
}

/* -- reading -- */

static bool
grow_objects(index_t *index, size_t room)
{
    if (room > UINT32_MAX) room = UINT32_MAX; /* 4 GiB cannot hold so many */
    if (!frugal_system_resize(&index->objects, sizeof(*index->objects), room)) return false;
    index->object_room = (uint32_t)room;
    return true;
}

static inline bool
add_object(index_t *index, frugal_marshal_scan *scan, uint32_t root, const frugal_marshal_token *token)
{
    frugal_marshal_object *object;

    if (index->object_count == index->object_room) {
        if (!grow_objects(index, (size_t)index->object_room * 2 + 64)) return false;
    }
    object = index->objects + index->object_count++;
    object->at = token->at;
    object->owner = FRUGAL_MARSHAL_NONE;
    if (token->role == FRUGAL_MARSHAL_VISIBLE || token->kind == FRUGAL_MARSHAL_OTHER) object->owner = root;
    object->kind = token->kind;
    object->linked = object->encoding_name = false;
    if (token->role == FRUGAL_MARSHAL_ENCODING_NAME && token->kind == FRUGAL_MARSHAL_STRING && !token->has_encoding) {
        object->encoding_name = true;
        /* Marshal.load raises for a name with a NUL. */
        if (memchr(index->bytes + token->text.text, 0, token->text.length) != NULL) scan->runs_code = true;
    }
    return true;
}

/*
 * Handles a link to an object: if a program can distinguish that object from a copy, this root and the owner share it.
 */
static enum frugal_marshal_reason
note_link(index_t *index, frugal_marshal_scan *scan, uint32_t root, const frugal_marshal_token *token)
{
    frugal_marshal_root *here = index->roots + root;
    frugal_marshal_object *object = index->objects + token->number;

    if (here->object_link_end <= token->number) here->object_link_end = token->number + 1;
    if (token->number == 0) return FRUGAL_MARSHAL_CYCLE;
    if (token->number < here->objects - here->key_objects) object->linked = true;
    if (token->role == FRUGAL_MARSHAL_ENCODING_NAME && !object->encoding_name) scan->runs_code = true;
    if (token->role == FRUGAL_MARSHAL_ZONE && object->kind != FRUGAL_MARSHAL_STRING) scan->runs_code = true;
    if (object->kind == FRUGAL_MARSHAL_VALUE) return FRUGAL_MARSHAL_OK;
    if (object->kind == FRUGAL_MARSHAL_STRING && token->role != FRUGAL_MARSHAL_VISIBLE) return FRUGAL_MARSHAL_OK;
    if (object->owner == FRUGAL_MARSHAL_NONE) object->owner = root;
    if (object->owner != root && !join_groups(index, object->owner, root)) return FRUGAL_MARSHAL_NO_MEMORY;
    return FRUGAL_MARSHAL_OK;
}

static void
note_symbol_link(index_t *index, frugal_marshal_root *here, uint32_t before, uint32_t symbol)
{
    if (here->symbol_link_end <= symbol) here->symbol_link_end = symbol + 1;
    if (symbol < before) index->symbols.list[symbol].linked = true;
}

static enum frugal_marshal_reason
note_token(index_t *index, frugal_marshal_scan *scan, uint32_t root, const frugal_marshal_token *token)
{
    frugal_marshal_root *here = index->roots + root;
    uint32_t symbols_before = here->symbols - here->key_symbols;

    switch (token->type) {
    case FRUGAL_MARSHAL_SYMBOL_LINK: note_symbol_link(index, here, symbols_before, token->number); break;
    case FRUGAL_MARSHAL_OBJECT:
    case FRUGAL_MARSHAL_LATE_OBJECT:
        if (!add_object(index, scan, root, token)) return FRUGAL_MARSHAL_NO_MEMORY;
        break;
    case FRUGAL_MARSHAL_LINK: return note_link(index, scan, root, token);
    case FRUGAL_MARSHAL_SYMBOL: break;
    default: return FRUGAL_MARSHAL_OK;
    }
    if (token->has_encoding) note_symbol_link(index, here, symbols_before, token->encoding_symbol);
    return FRUGAL_MARSHAL_OK;
}

/* Reports whether the table of keys can hold this key. */
static bool
is_searchable(const index_t *index, const frugal_marshal_token *token)
{
    switch (token->type) {
    case FRUGAL_MARSHAL_SIMPLE: return index->bytes[token->at] == 'i';
    case FRUGAL_MARSHAL_SYMBOL:
    case FRUGAL_MARSHAL_SYMBOL_LINK: return true;
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
    reason = note_token(index, scan, number, &token);
    if (reason != FRUGAL_MARSHAL_OK) return reason;
    if (scan->depth > 1 || !is_searchable(index, &token)) return FRUGAL_MARSHAL_KEYS;
    if (token.type == FRUGAL_MARSHAL_OBJECT) frugal_marshal_text_key(index, &token.text, false, &key);
    else frugal_marshal_index_key(index, number, &key);
    if (!frugal_marshal_insert_key(index, number, &key)) return FRUGAL_MARSHAL_KEYS;
    root->key_objects = (uint8_t)(scan->objects - root->objects);
    root->key_symbols = (uint8_t)(scan->symbols - root->symbols);
    return FRUGAL_MARSHAL_OK;
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
        reason = note_token(index, scan, number, &token);
        if (reason != FRUGAL_MARSHAL_OK) return reason;
    } while (scan->depth > 1);
    root->runs_code = scan->runs_code;
    return FRUGAL_MARSHAL_OK;
}

static bool
make_roots(index_t *index)
{
    size_t room = (size_t)index->count + 1;

    if (index->root_room >= room) return true;
    free(index->roots);
    index->roots = malloc(room * sizeof(*index->roots));
    index->root_room = index->roots == NULL ? 0 : (uint32_t)room;
    return index->roots != NULL;
}

/* Reads the pairs of a Hash, or (without keys) the elements of an Array. */
static enum frugal_marshal_reason
read_roots(index_t *index, bool keys)
{
    frugal_marshal_scan scan;
    enum frugal_marshal_reason reason;
    int64_t count;

    if (index->size < 4) return FRUGAL_MARSHAL_TRUNCATED;
    if (index->bytes[0] != 4 || index->bytes[1] != 8) return FRUGAL_MARSHAL_WRONG_HEADER;
    if (index->bytes[2] != (keys ? '{' : '[')) return FRUGAL_MARSHAL_WRONG_HEADER;
    frugal_marshal_scan_init(&scan, index->bytes, index->size, &index->symbols);
    scan.at = 3;
    if (!frugal_marshal_read_long(&scan, &count)) return scan.reason;
    if (count < 0) return FRUGAL_MARSHAL_MALFORMED;
    if (count > (index->size - scan.at) / (keys ? 2 : 1)) return FRUGAL_MARSHAL_TRUNCATED;
    index->count = (uint32_t)count;
    if (!make_roots(index) || (keys && !frugal_marshal_make_slots(index))) return FRUGAL_MARSHAL_NO_MEMORY;
    /* Makes room for a key and a value of each root. */
    if (index->object_room == 0 && !grow_objects(index, 2 * (size_t)index->count + 64)) return FRUGAL_MARSHAL_NO_MEMORY;
    scan.objects = 1; /* the Hash or Array itself */
    index->objects[index->object_count++] = (frugal_marshal_object){ .at = 2 };
    if (keys) frugal_marshal_expect_pairs(&scan, index->count);
    else frugal_marshal_expect_values(&scan, index->count);
    for (uint32_t root = 0; root < index->count; root++) {
        index->roots[root] = (frugal_marshal_root){ .key = scan.at, .objects = scan.objects, .symbols = scan.symbols };
        scan.runs_code = false;
        reason = keys ? read_key(index, &scan, root) : FRUGAL_MARSHAL_OK;
        if (reason == FRUGAL_MARSHAL_OK) reason = read_value(index, &scan, root);
        if (reason != FRUGAL_MARSHAL_OK) return reason;
    }
    if (scan.at != index->size) return FRUGAL_MARSHAL_TRAILING;
    index->has_times = scan.has_times;
    index->roots[count] = (frugal_marshal_root){
        .key = scan.at, .value = scan.at, .objects = scan.objects, .symbols = scan.symbols
    };
    return FRUGAL_MARSHAL_OK;
}

static enum frugal_marshal_reason
read_index(index_t *index, const unsigned char *bytes, size_t size, uint64_t seed, bool keys)
{
    index->bytes = bytes;
    index->encoding_symbol = FRUGAL_MARSHAL_NONE;
    index->seed = seed;
    if (size >= UINT32_MAX) return FRUGAL_MARSHAL_TOO_BIG;
    index->size = (uint32_t)size;
    return read_roots(index, keys);
}

enum frugal_marshal_reason
frugal_marshal_index_read(index_t *index, const unsigned char *bytes, size_t size, uint64_t seed)
{
    memset(index, 0, sizeof(*index));
    return read_index(index, bytes, size, seed, true);
}

enum frugal_marshal_reason
frugal_marshal_index_read_list(index_t *index, const unsigned char *bytes, size_t size)
{
    memset(index, 0, sizeof(*index));
    return read_index(index, bytes, size, 0, false);
}

enum frugal_marshal_reason
frugal_marshal_index_reread(index_t *index, index_t *outdated, const unsigned char *bytes, size_t size, uint64_t seed)
{
    memset(index, 0, sizeof(*index));
    if (outdated->size / 4 <= size) { /* otherwise its memory is much larger than needed */
        index->roots = outdated->roots;
        index->root_room = outdated->root_room;
        index->objects = outdated->objects;
        index->object_room = outdated->object_room;
        index->symbols = (frugal_marshal_symbols){ .list = outdated->symbols.list, .room = outdated->symbols.room };
        index->slots = outdated->slots;
        index->slot_mask = outdated->slot_mask;
        outdated->roots = NULL;
        outdated->objects = NULL;
        outdated->symbols.list = NULL;
        outdated->slots = NULL;
    }
    frugal_marshal_index_free(outdated);
    memset(outdated, 0, sizeof(*outdated));
    return read_index(index, bytes, size, seed, true);
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
