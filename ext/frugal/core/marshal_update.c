#include "marshal_update.h"

#include <stdlib.h>
#include <string.h>

#include "marshal_contents.h"
#include "marshal_write.h"

typedef frugal_marshal_index index_t;
typedef enum frugal_marshal_outcome outcome;

/* A value as it would be in the store, and what it brings. */
typedef struct {
    uint32_t root;
    bool code;
    uint32_t objects, symbols;         /* the first numbers of what was there */
    uint32_t object_count, symbol_count;
    frugal_marshal_bytes out;
    frugal_marshal_news news;
    frugal_marshal_writer to;
} replacement;

/* -- does it fit? -- */

/* Is what other roots link to still there, with the same number? */
static bool
keeps_objects(const index_t *index, const replacement *new)
{
    for (uint32_t i = 0; i < new->object_count; i++) {
        const frugal_marshal_object *was = index->objects + new->objects + i, *is;
        frugal_marshal_content before, now;

        if (!was->linked) continue;
        if (i >= new->news.object_count) return false;
        is = new->news.objects + i;
        if (was->kind == FRUGAL_MARSHAL_OTHER || is->kind != was->kind) return false;
        if (was->name && !is->name) return false;
        /* Another root shows this very object: here it must stay unseen. */
        if (was->owner != FRUGAL_MARSHAL_NONE && was->owner != new->root && is->owner != FRUGAL_MARSHAL_NONE) return false;
        before = frugal_marshal_content_of(index->bytes, was);
        now = frugal_marshal_content_of(new->out.bytes, is);
        if (!frugal_marshal_content_equal(&before, &now)) return false;
    }
    return true;
}

static bool
keeps_symbols(const index_t *index, const replacement *new)
{
    for (uint32_t i = 0; i < new->symbol_count; i++) {
        const frugal_marshal_symbol *was = index->symbols.list + new->symbols + i, *is;

        if (!was->linked) continue;
        if (i >= new->news.symbol_count) return false;
        is = new->news.symbols + i;
        if (is->length != was->length || is->encoding != was->encoding) return false;
        if (memcmp(index->bytes + was->text, new->out.bytes + is->text, was->length) != 0) return false;
    }
    return true;
}

/* Would nothing be renumbered that is linked to? */
static bool
keeps_numbers(const index_t *index, const replacement *new)
{
    bool objects = new->news.object_count != new->object_count, symbols = new->news.symbol_count != new->symbol_count;

    if (!objects && !symbols) return true;
    for (uint32_t i = new->root + 1; i < index->count; i++) {
        const frugal_marshal_root *root = index->roots + i;

        if (objects && root->top_object > new->objects + new->object_count) return false;
        if (symbols && root->top_symbol > new->symbols + new->symbol_count) return false;
    }
    return true;
}

/* -- putting it in -- */

/* Makes room for `now` items where `was` many are, in an array of `count`. NULL: no memory, or no items. */
static void *
resize(void *array, size_t size, uint32_t *count, uint32_t *room, uint32_t at, uint32_t was, uint32_t now)
{
    unsigned char *items = array;
    uint32_t total = *count - was + now;

    if (total > *room) {
        items = realloc(array, (size_t)total * 2 * size);
        if (items == NULL) return NULL;
        *room = total * 2;
    }
    if (items != NULL) memmove(items + (size_t)(at + now) * size, items + (size_t)(at + was) * size, (size_t)(*count - at - was) * size);
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
        frugal_marshal_put(own, now->bytes, now->used - was); /* for its room */
    }
    if (own->failed) return false;
    memmove(own->bytes + at + now->used, own->bytes + at + was, tail);
    memcpy(own->bytes + at, now->bytes, now->used);
    own->used = at + now->used + tail;
    index->bytes = own->bytes;
    index->size = (uint32_t)own->used;
    return true;
}

static bool
splice_objects(index_t *index, const replacement *new, uint32_t from, uint32_t moved)
{
    uint32_t count = new->news.object_count, kept = count < new->object_count ? count : new->object_count;
    bool *linked = malloc(kept + 1);
    frugal_marshal_object *objects;

    if (linked == NULL) return false;
    for (uint32_t i = 0; i < kept; i++) linked[i] = index->objects[new->objects + i].linked;
    for (uint32_t i = 0; i < kept; i++) {
        const frugal_marshal_object *was = index->objects + new->objects + i;

        if (was->linked && was->owner != new->root && new->news.objects[i].owner == FRUGAL_MARSHAL_NONE) {
            new->news.objects[i].owner = was->owner;
        } else if (new->news.objects[i].owner != FRUGAL_MARSHAL_NONE) {
            new->news.objects[i].owner = new->root;
        }
    }
    for (uint32_t i = kept; i < count; i++) {
        if (new->news.objects[i].owner != FRUGAL_MARSHAL_NONE) new->news.objects[i].owner = new->root;
    }
    objects = resize(index->objects, sizeof(*objects), &index->object_count, &index->object_room, new->objects, new->object_count, count);
    if (objects == NULL) {
        free(linked);
        return false;
    }
    index->objects = objects;
    for (uint32_t i = 0; i < count; i++) {
        index->objects[new->objects + i] = new->news.objects[i];
        index->objects[new->objects + i].at += from;
        index->objects[new->objects + i].linked = i < kept && linked[i];
    }
    for (uint32_t i = new->objects + count; moved != 0 && i < index->object_count; i++) index->objects[i].at += moved;
    free(linked);
    return true;
}

static bool
splice_symbols(index_t *index, const replacement *new, uint32_t from, uint32_t moved)
{
    frugal_marshal_symbols *symbols = &index->symbols;
    uint32_t count = new->news.symbol_count, kept = count < new->symbol_count ? count : new->symbol_count;

    frugal_marshal_symbol *list;

    for (uint32_t i = 0; i < kept; i++) new->news.symbols[i].linked = symbols->list[new->symbols + i].linked;
    list = resize(symbols->list, sizeof(*list), &symbols->count, &symbols->room, new->symbols, new->symbol_count, count);
    if (list == NULL && symbols->count > 0) return false;
    symbols->list = list;
    for (uint32_t i = 0; i < count; i++) {
        symbols->list[new->symbols + i] = new->news.symbols[i];
        symbols->list[new->symbols + i].text += from;
    }
    for (uint32_t i = new->symbols + count; moved != 0 && i < symbols->count; i++) symbols->list[i].text += moved;
    return true;
}

/* The symbol E may have come, gone or moved. */
static void
find_teller(index_t *index, const replacement *new)
{
    uint32_t end = new->symbols + new->symbol_count;

    if (index->teller != FRUGAL_MARSHAL_NONE) {
        if (index->teller < new->symbols) return;
        if (index->teller >= end) {
            index->teller += new->news.symbol_count - new->symbol_count;
            return;
        }
    }
    index->teller = FRUGAL_MARSHAL_NONE;
    for (uint32_t i = 0; i < new->news.symbol_count; i++) {
        const frugal_marshal_symbol *symbol = index->symbols.list + new->symbols + i;

        if (symbol->length == 1 && index->bytes[symbol->text] == 'E') index->teller = new->symbols + i;
    }
}

static bool
put_in(index_t *index, const replacement *new)
{
    frugal_marshal_root *root = index->roots + new->root;
    uint32_t from = root->value, was = root[1].key - from, moved = (uint32_t)new->out.used - was;
    uint32_t objects = new->news.object_count - new->object_count, symbols = new->news.symbol_count - new->symbol_count;

    if (!splice_bytes(index, from, was, &new->out)) return false;
    if (!splice_objects(index, new, from, moved) || !splice_symbols(index, new, from, moved)) return false;
    find_teller(index, new);
    root->code = new->code;
    /* The key has its links too. */
    if (root->top_object < new->to.top_object) root->top_object = new->to.top_object;
    if (root->top_symbol < new->to.top_symbol) root->top_symbol = new->to.top_symbol;
    if (moved != 0 || objects != 0 || symbols != 0) {
        for (root = index->roots + new->root + 1; root <= index->roots + index->count; root++) {
            root->key += moved;
            root->value += moved;
            root->objects += objects;
            root->symbols += symbols;
        }
    }
    if (objects != 0) {
        free(index->numbers.objects);
        index->numbers.objects = NULL;
    }
    if (symbols != 0) {
        free(index->numbers.symbols);
        index->numbers.symbols = NULL;
    }
    if (new->symbol_count + new->news.symbol_count > 0) frugal_marshal_contents_drop(index);
    return true;
}

static void
add_patch(frugal_marshal_patch *patches, uint32_t *count, uint32_t from, uint32_t length)
{
    uint32_t at = (*count)++;

    for (; at > 0 && patches[at - 1].from > from; at--) patches[at] = patches[at - 1];
    patches[at] = (frugal_marshal_patch){ .from = from, .length = length };
}

/* Tells in `fits` whether it was put in, or was there already. False: no memory. */
static bool
replace(index_t *index, uint32_t which, index_t *values, uint32_t element, frugal_marshal_patch *patches, uint32_t *count, bool *moved, bool *fits)
{
    const frugal_marshal_root *root = index->roots + which;
    uint32_t from = root->value, was = root[1].key - from;
    replacement new = {
        .root = which, .code = values->roots[element].code, .objects = root->objects, .symbols = root->symbols,
        .object_count = root[1].objects - root[1].key_objects - root->objects,
        .symbol_count = root[1].symbols - root[1].key_symbols - root->symbols
    };
    bool done = frugal_marshal_contents_make(index) && frugal_marshal_write_begin(values);

    new.to = (frugal_marshal_writer){
        .source = values, .out = &new.out, .objects = new.objects, .symbols = new.symbols, .store = index, .in_place = true,
        .objects_there = new.objects, .symbols_there = new.symbols, .news = &new.news
    };
    if (done) {
        frugal_marshal_write_root(&new.to, element, false);
        frugal_marshal_write_end(values);
        done = !new.to.failed && !new.out.failed;
    }
    *fits = done && new.out.used < UINT32_MAX - index->size && keeps_objects(index, &new) && keeps_symbols(index, &new) && keeps_numbers(index, &new);
    if (*fits && (new.out.used != was || memcmp(index->bytes + from, new.out.bytes, was) != 0)) {
        done = put_in(index, &new);
        add_patch(patches, count, from, (uint32_t)new.out.used);
        if (new.out.used != was) *moved = true;
    }
    free(new.out.bytes);
    free(new.news.objects);
    free(new.news.symbols);
    return done;
}

/* -- all of it -- */

static bool
is_entangled(const index_t *index, const frugal_marshal_update *update)
{
    for (uint32_t i = 0; i < update->values->count; i++) {
        if (update->values->roots[i].entangled) return true;
    }
    for (uint32_t i = 0; i < update->changed_count; i++) {
        if (index->roots[update->changed[i]].entangled) return true;
    }
    for (uint32_t i = 0; i < update->removed_count; i++) {
        if (index->roots[update->removed[i]].entangled) return true;
    }
    return false;
}

/* Writes the whole store anew, the roots of `place` from the values: NONE where a root stays. */
static bool
write_store(index_t *index, const frugal_marshal_update *update, const uint32_t *place, frugal_marshal_bytes *out)
{
    frugal_marshal_writer old = { .source = index, .out = out, .objects = 1 };
    frugal_marshal_writer new = { .source = update->values, .out = out, .store = index };
    uint32_t removed = 0, added = update->changed_count;

    if (!frugal_marshal_contents_make(index) || !frugal_marshal_write_begin(index) || !frugal_marshal_write_begin(update->values)) return false;
    frugal_marshal_put(out, "\4\10{", 3);
    frugal_marshal_put_long(out, index->count - update->removed_count + update->added_count);
    for (uint32_t root = 0; root < index->count; root++) {
        if (removed < update->removed_count && update->removed[removed] == root) {
            removed++;
            continue;
        }
        if (place[root] == FRUGAL_MARSHAL_NONE) {
            frugal_marshal_write_root(&old, root, true);
            continue;
        }
        frugal_marshal_write_key(&old, root);
        new.objects = old.objects;
        new.symbols = old.symbols;
        frugal_marshal_write_root(&new, place[root], false);
        old.objects = new.objects;
        old.symbols = new.symbols;
    }
    new.objects = old.objects;
    new.symbols = old.symbols;
    for (; added < update->values->count; added += 2) {
        new.as_key = true;
        frugal_marshal_write_root(&new, added, false);
        new.as_key = false;
        frugal_marshal_write_root(&new, added + 1, false);
    }
    frugal_marshal_write_end(index);
    frugal_marshal_write_end(update->values);
    return !old.failed && !new.failed && !out->failed;
}

static outcome
rebuild(index_t *index, const frugal_marshal_update *update, frugal_marshal_patch *patches, uint32_t *count)
{
    uint32_t *place = malloc(((size_t)index->count + 1) * sizeof(*place)), same = 0;
    frugal_marshal_bytes out = { 0 };
    enum frugal_marshal_reason reason = FRUGAL_MARSHAL_NO_MEMORY;
    index_t rebuilt = { 0 };

    if (place == NULL) return FRUGAL_MARSHAL_EXHAUSTED;
    for (uint32_t i = 0; i < index->count; i++) place[i] = FRUGAL_MARSHAL_NONE;
    for (uint32_t i = 0; i < update->changed_count; i++) place[update->changed[i]] = i;
    if (write_store(index, update, place, &out)) reason = frugal_marshal_index_read(&rebuilt, out.bytes, out.used, index->seed);
    free(place);
    if (reason != FRUGAL_MARSHAL_FINE) {
        free(out.bytes);
        frugal_marshal_index_free(&rebuilt);
        return reason == FRUGAL_MARSHAL_NO_MEMORY ? FRUGAL_MARSHAL_EXHAUSTED : FRUGAL_MARSHAL_REFUSED;
    }
    rebuilt.own = out;
    while (same < index->size && same < out.used && index->bytes[same] == out.bytes[same]) same++;
    if (*count > 0 && patches[0].from < same) same = patches[0].from;
    patches[0] = (frugal_marshal_patch){ .from = same, .length = (uint32_t)out.used - same };
    *count = 1;
    frugal_marshal_index_free(index);
    *index = rebuilt;
    return FRUGAL_MARSHAL_DONE;
}

outcome
frugal_marshal_index_update(index_t *index, const frugal_marshal_update *update, frugal_marshal_patch *patches, uint32_t *patch_count)
{
    bool moved = false, fits = update->added_count == 0 && update->removed_count == 0;

    *patch_count = 0;
    if (is_entangled(index, update)) return FRUGAL_MARSHAL_REFUSED;
    for (uint32_t i = 0; i < update->changed_count && fits; i++) {
        if (!replace(index, update->changed[i], update->values, i, patches, patch_count, &moved, &fits)) return FRUGAL_MARSHAL_EXHAUSTED;
    }
    if (!fits) return rebuild(index, update, patches, patch_count);
    if (moved) {
        patches[0].length = index->size - patches[0].from;
        *patch_count = 1;
    }
    return FRUGAL_MARSHAL_DONE;
}
