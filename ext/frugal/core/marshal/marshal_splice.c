/*
 * Replaces a value in the bytes of a store, and the entries of its objects and symbols in the index. The bytes after it
 * move, and are not scanned again.
 *
 *   bytes            ...|key| old value |key|value|...
 *                           ^from       ^from + was
 *   bytes            ...|key| new value .. |key|value|...
 *                                          ^from + was + moved
 *
 *   index->objects   ...|of the old value |of the roots behind|...
 *                        ^new->objects     ^new->objects + new->object_count
 *   index->objects   ...|new->additions ...... |of the roots behind|...
 *
 * The new value is written to `new->out` first, with the numbers that its objects
 * and symbols get at this place. It fits only if the links of the other roots,
 * whose bytes do not change, still lead to equal objects: keeps_objects,
 * keeps_symbols and keeps_numbers check that.
 */
#include "core/marshal/marshal_splice.h"

#include <stdlib.h>
#include <string.h>

#include "core/marshal/marshal_contents.h"
#include "core/marshal/marshal_write.h"
#include "core/system/system.h"

typedef frugal_marshal_index index_t;

/* The new value, as it will be in the store, with its symbols and objects. */
typedef struct {
    uint32_t root;
    bool runs_code;
    uint32_t objects, symbols;           /* the first numbers of the old value, and of the new one */
    uint32_t object_count, symbol_count; /* how many of them the old value has */
    frugal_marshal_bytes out;
    frugal_marshal_additions additions;
    frugal_marshal_writer to;
} replacement;

/* -- does it fit? -- */

/* Reports whether the new value also has the objects to which other roots link: equal objects with the same numbers. */
static bool
keeps_objects(const index_t *index, const replacement *new)
{
    for (uint32_t i = 0; i < new->object_count; i++) {
        const frugal_marshal_object *was = index->objects + new->objects + i, *is;
        frugal_marshal_content before, now;

        if (!was->linked) continue;
        if (i >= new->additions.object_count) return false;
        is = new->additions.objects + i;
        if (was->kind == FRUGAL_MARSHAL_OTHER || is->kind != was->kind) return false;
        if (was->encoding_name && !is->encoding_name) return false;
        /* A program can see the object in another root. It must not see it also here, or the roots would share it. */
        if (was->owner != FRUGAL_MARSHAL_NONE && was->owner != new->root && is->owner != FRUGAL_MARSHAL_NONE) {
            return false;
        }
        before = frugal_marshal_content_of(index->bytes, was);
        now = frugal_marshal_content_of(new->out.bytes, is);
        if (!frugal_marshal_content_equal(&before, &now)) return false;
    }
    return true;
}

/* The same for symbols. */
static bool
keeps_symbols(const index_t *index, const replacement *new)
{
    for (uint32_t i = 0; i < new->symbol_count; i++) {
        const frugal_marshal_symbol *was = index->symbols.list + new->symbols + i, *is;

        if (!was->linked) continue;
        if (i >= new->additions.symbol_count) return false;
        is = new->additions.symbols + i;
        if (is->length != was->length || is->encoding != was->encoding) return false;
        if (memcmp(index->bytes + was->text, new->out.bytes + is->text, was->length) != 0) return false;
    }
    return true;
}

/* Reports whether no later root links to an object or symbol that would get another number. */
static bool
keeps_numbers(const index_t *index, const replacement *new)
{
    bool objects = new->additions.object_count != new->object_count;
    bool symbols = new->additions.symbol_count != new->symbol_count;

    if (!objects && !symbols) return true;
    for (uint32_t i = new->root + 1; i < index->count; i++) {
        const frugal_marshal_root *root = index->roots + i;

        if (objects && root->object_link_end > new->objects + new->object_count) return false;
        if (symbols && root->symbol_link_end > new->symbols + new->symbol_count) return false;
    }
    return true;
}

/* -- the splice -- */

/*
 * Replaces `was` items at `at`, of an array of `*count`, by room for `now` items. Returns the array, which may have
 * moved; NULL if out of memory or if there are no items.
 */
static void *
replace_items(void *array, size_t size, uint32_t *count, uint32_t *room, uint32_t at, uint32_t was, uint32_t now)
{
    unsigned char *items = array;
    uint32_t total = *count - was + now, behind = *count - at - was;

    if (total > *room) {
        if (!frugal_system_resize(&items, size, (size_t)total * 2)) return NULL;
        *room = total * 2;
    }
    if (items != NULL) memmove(items + (size_t)(at + now) * size, items + (size_t)(at + was) * size, behind * size);
    *count = total;
    return items;
}

static bool
splice_bytes(index_t *index, uint32_t at, uint32_t was, const frugal_marshal_bytes *now)
{
    frugal_marshal_bytes *own = &index->own;
    size_t tail = index->size - at - was;

    if (own->bytes == NULL) frugal_marshal_put(own, index->bytes, index->size);
    if (now->used > was && own->room - own->used < now->used - was) {
        frugal_marshal_put(own, now->bytes, now->used - was); /* the bytes do not matter: this only makes room */
    }
    if (own->failed) return false;
    memmove(own->bytes + at + now->used, own->bytes + at + was, tail);
    memcpy(own->bytes + at, now->bytes, now->used);
    own->used = at + now->used + tail;
    index->bytes = own->bytes;
    index->size = (uint32_t)own->used;
    return true;
}

/*
 * Completes the new objects. The first `kept` objects replace objects with the same numbers, and take over their
 * `linked`. If an object is hidden here, its owner is still the root in which a program saw the old object.
 */
static void
inherit_links(const index_t *index, const replacement *new, uint32_t kept)
{
    for (uint32_t i = 0; i < new->additions.object_count; i++) {
        frugal_marshal_object *is = new->additions.objects + i;
        bool hidden = is->owner == FRUGAL_MARSHAL_NONE;

        if (!hidden) is->owner = new->root;
        is->linked = false;
        if (i < kept) {
            const frugal_marshal_object *was = index->objects + new->objects + i;

            if (hidden && was->linked && was->owner != new->root) is->owner = was->owner;
            is->linked = was->linked;
        }
    }
}

static bool
splice_objects(index_t *index, const replacement *new, uint32_t from, uint32_t moved)
{
    uint32_t count = new->additions.object_count, kept = count < new->object_count ? count : new->object_count;
    frugal_marshal_object *objects;

    inherit_links(index, new, kept);
    objects = replace_items(index->objects, sizeof(*objects), &index->object_count, &index->object_room, new->objects,
                            new->object_count, count);
    if (objects == NULL) return false;
    index->objects = objects;
    for (uint32_t i = 0; i < count; i++) {
        objects[new->objects + i] = new->additions.objects[i];
        objects[new->objects + i].at += from;
    }
    for (uint32_t i = new->objects + count; moved != 0 && i < index->object_count; i++) objects[i].at += moved;
    return true;
}

static bool
splice_symbols(index_t *index, const replacement *new, uint32_t from, uint32_t moved)
{
    frugal_marshal_symbols *symbols = &index->symbols;
    uint32_t count = new->additions.symbol_count, kept = count < new->symbol_count ? count : new->symbol_count;
    frugal_marshal_symbol *list;

    for (uint32_t i = 0; i < kept; i++) new->additions.symbols[i].linked = symbols->list[new->symbols + i].linked;
    list = replace_items(symbols->list, sizeof(*list), &symbols->count, &symbols->room, new->symbols, new->symbol_count,
                         count);
    if (list == NULL && count > 0) return false;
    symbols->list = list;
    for (uint32_t i = 0; i < count; i++) {
        list[new->symbols + i] = new->additions.symbols[i];
        list[new->symbols + i].text += from;
    }
    for (uint32_t i = new->symbols + count; moved != 0 && i < symbols->count; i++) list[i].text += moved;
    return true;
}

/* Called when the number of objects or symbols has changed, since `numbers` has an entry for each. */
static void
discard_numbers(index_t *index)
{
    free(index->numbers.objects);
    free(index->numbers.symbols);
    index->numbers.objects = index->numbers.symbols = NULL;
}

/* Called when symbols have changed. */
static void
discard_symbol_tables(index_t *index)
{
    frugal_marshal_contents_drop(index);
    index->encoding_symbol = FRUGAL_MARSHAL_NONE;
}

/* Adds to the positions of all later roots. The sums may wrap around, since a difference may be negative. */
static void
move_roots_behind(index_t *index, uint32_t which, uint32_t moved, uint32_t objects, uint32_t symbols)
{
    if (moved == 0 && objects == 0 && symbols == 0) return;
    for (frugal_marshal_root *root = index->roots + which + 1; root <= index->roots + index->count; root++) {
        root->key += moved;
        root->value += moved;
        root->objects += objects;
        root->symbols += symbols;
    }
}

static bool
splice_in(index_t *index, const replacement *new)
{
    frugal_marshal_root *root = index->roots + new->root;
    uint32_t from = root->value, was = root[1].key - from, moved = (uint32_t) new->out.used - was;
    uint32_t objects = new->additions.object_count - new->object_count;
    uint32_t symbols = new->additions.symbol_count - new->symbol_count;

    if (!splice_bytes(index, from, was, &new->out)) return false;
    if (!splice_objects(index, new, from, moved) || !splice_symbols(index, new, from, moved)) return false;
    root->runs_code = new->runs_code;
    /* The key may also have links, so the limits never decrease. */
    if (root->object_link_end < new->to.object_link_end) root->object_link_end = new->to.object_link_end;
    if (root->symbol_link_end < new->to.symbol_link_end) root->symbol_link_end = new->to.symbol_link_end;
    move_roots_behind(index, new->root, moved, objects, symbols);
    if (objects != 0 || symbols != 0) discard_numbers(index);
    if (new->symbol_count + new->additions.symbol_count > 0) discard_symbol_tables(index);
    return true;
}

/* Prepares to write the new value. Returns false if out of memory. */
static bool
begin(index_t *index, index_t *values, replacement *new)
{
    new->to = (frugal_marshal_writer){ .source = values,
                                       .out = &new->out,
                                       .objects = new->objects,
                                       .symbols = new->symbols,
                                       .store = index,
                                       .in_place = true,
                                       .objects_there = new->objects,
                                       .symbols_there = new->symbols,
                                       .additions = &new->additions };
    return frugal_marshal_contents_make(index) && frugal_marshal_write_begin(values);
}

static bool
end(index_t *values, const replacement *new)
{
    frugal_marshal_write_end(values);
    return !new->to.failed && !new->out.failed;
}

static void
free_replacement(replacement *new)
{
    free(new->out.bytes);
    free(new->additions.objects);
    free(new->additions.symbols);
}

bool
frugal_marshal_replace(index_t *index, uint32_t which, index_t *values, uint32_t element, frugal_marshal_splice *result)
{
    const frugal_marshal_root *root = index->roots + which;
    uint32_t from = root->value, was = root[1].key - from;
    replacement new = { .root = which,
                        .runs_code = values->roots[element].runs_code,
                        .objects = root->objects,
                        .symbols = root->symbols,
                        .object_count = root[1].objects - root[1].key_objects - root->objects,
                        .symbol_count = root[1].symbols - root[1].key_symbols - root->symbols };
    bool done = begin(index, values, &new);

    *result = (frugal_marshal_splice){ .from = from };
    if (done) {
        frugal_marshal_write_root(&new.to, element, false);
        done = end(values, &new);
    }
    result->fits = done && new.out.used < UINT32_MAX - index->size &&keeps_objects(index, &new) &&
                   keeps_symbols(index, &new) && keeps_numbers(index, &new);
    result->length = (uint32_t) new.out.used;
    result->moves = result->length != was;
    if (result->fits && (result->moves || memcmp(index->bytes + from, new.out.bytes, was) != 0)) {
        result->changed = true;
        done = splice_in(index, &new);
    }
    free_replacement(&new);
    return done;
}

/* -- a new root -- */

/* Reports whether the table of keys can hold the key at the beginning of `out`. */
static bool
has_searchable_key(const index_t *index, const replacement *new)
{
    const unsigned char *bytes = new->out.bytes;
    frugal_marshal_scan scan;
    int64_t number;

    switch (bytes[0]) {
    case 'i':
    case ':':
    case ';': return true;
    case '"': return new->additions.objects[0].kind == FRUGAL_MARSHAL_STRING;
    case 'I': return bytes[1] == ':' || (bytes[1] == '"' && new->additions.objects[0].kind == FRUGAL_MARSHAL_STRING);
    case '@':
        frugal_marshal_scan_init(&scan, bytes, (uint32_t) new->out.used, NULL);
        scan.at = 1;
        return frugal_marshal_read_long(&scan, &number) && index->objects[number].kind == FRUGAL_MARSHAL_STRING;
    default: return false;
    }
}

/* Makes room for one more root. */
static bool
grow_roots(index_t *index)
{
    if (index->root_room < index->count + 2) {
        if (!frugal_system_resize(&index->roots, sizeof(*index->roots), (size_t)index->count + 2)) return false;
        index->root_room = index->count + 2;
    }
    if (index->groups == NULL) return true;
    if (!frugal_system_resize(&index->groups, sizeof(*index->groups), (size_t)index->count + 1)) return false;
    index->groups[index->count] = index->count;
    return true;
}

/* Writes the number of roots plus one to `count`. Returns false if it takes more bytes than the present number. */
static bool
count_fits(const index_t *index, frugal_marshal_bytes *count)
{
    uint32_t before;

    frugal_marshal_put_long(count, index->count);
    before = (uint32_t)count->used;
    if (count->failed || memcmp(index->bytes + 3, count->bytes, before) != 0) return false;
    count->used = 0;
    frugal_marshal_put_long(count, index->count + 1);
    return !count->failed && count->used == before;
}

/* Writes the key and the value of the new root to `out`, and stores in `root` where the value begins. */
static bool
write_pair(index_t *index, index_t *values, uint32_t element, replacement *new, frugal_marshal_root *root)
{
    if (!begin(index, values, new)) return false;
    new->to.as_key = true;
    frugal_marshal_write_root(&new->to, element, false);
    new->to.as_key = false;
    root->value += (uint32_t) new->out.used;
    root->objects = new->to.objects;
    root->symbols = new->to.symbols;
    root->key_objects = (uint8_t)(root->objects - new->objects);
    root->key_symbols = (uint8_t)(root->symbols - new->symbols);
    frugal_marshal_write_root(&new->to, element + 1, false);
    return end(values, new);
}

/* The entry after the last root becomes the new root. */
static bool
add_root(index_t *index, const replacement *new, const frugal_marshal_root *root, const frugal_marshal_bytes *count)
{
    if (!splice_bytes(index, root->key, 0, &new->out) || !splice_objects(index, new, root->key, 0) ||
        !splice_symbols(index, new, root->key, 0) || !grow_roots(index))
        return false;
    memcpy(index->own.bytes + 3, count->bytes, count->used);
    index->roots[index->count++] = *root;
    index->roots[index->count] = (frugal_marshal_root){
        .key = index->size, .value = index->size, .objects = index->object_count, .symbols = index->symbols.count
    };
    discard_numbers(index);
    if (new->additions.symbol_count > 0) discard_symbol_tables(index);
    return true;
}

bool
frugal_marshal_append(index_t *index, index_t *values, uint32_t element, bool *fits)
{
    frugal_marshal_root root = index->roots[index->count];
    replacement new = { .root = index->count, .objects = root.objects, .symbols = root.symbols };
    frugal_marshal_bytes count = { 0 };
    bool done = write_pair(index, values, element, &new, &root);

    *fits = done && new.out.used < UINT32_MAX - index->size &&has_searchable_key(index, &new) &&
            count_fits(index, &count);
    if (*fits) {
        root.runs_code = values->roots[element].runs_code || values->roots[element + 1].runs_code;
        root.object_link_end = new.to.object_link_end;
        root.symbol_link_end = new.to.symbol_link_end;
        done = add_root(index, &new, &root, &count) && frugal_marshal_index_insert(index, index->count - 1, fits);
    }
    free(count.bytes);
    free_replacement(&new);
    return done;
}
