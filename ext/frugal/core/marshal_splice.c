#include "marshal_splice.h"

#include <stdlib.h>
#include <string.h>

#include "marshal_contents.h"
#include "marshal_write.h"

typedef frugal_marshal_index index_t;

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
    if (list == NULL && count > 0) return false;
    symbols->list = list;
    for (uint32_t i = 0; i < count; i++) {
        symbols->list[new->symbols + i] = new->news.symbols[i];
        symbols->list[new->symbols + i].text += from;
    }
    for (uint32_t i = new->symbols + count; moved != 0 && i < symbols->count; i++) symbols->list[i].text += moved;
    return true;
}

/* There are more of them now, or fewer. */
static void
forget_numbers(index_t *index)
{
    free(index->numbers.objects);
    free(index->numbers.symbols);
    index->numbers.objects = index->numbers.symbols = NULL;
}

/* There are others now, or they have other numbers. */
static void
forget_symbols(index_t *index)
{
    frugal_marshal_contents_drop(index);
    index->teller = FRUGAL_MARSHAL_NONE;
}

static bool
put_in(index_t *index, const replacement *new)
{
    frugal_marshal_root *root = index->roots + new->root;
    uint32_t from = root->value, was = root[1].key - from, moved = (uint32_t)new->out.used - was;
    uint32_t objects = new->news.object_count - new->object_count, symbols = new->news.symbol_count - new->symbol_count;

    if (!splice_bytes(index, from, was, &new->out)) return false;
    if (!splice_objects(index, new, from, moved) || !splice_symbols(index, new, from, moved)) return false;
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
    if (objects != 0 || symbols != 0) forget_numbers(index);
    if (new->symbol_count + new->news.symbol_count > 0) forget_symbols(index);
    return true;
}

static bool
begin(index_t *index, index_t *values, replacement *new)
{
    new->to = (frugal_marshal_writer){
        .source = values, .out = &new->out, .objects = new->objects, .symbols = new->symbols, .store = index, .in_place = true,
        .objects_there = new->objects, .symbols_there = new->symbols, .news = &new->news
    };
    return frugal_marshal_contents_make(index) && frugal_marshal_write_begin(values);
}

static bool
end(index_t *values, const replacement *new)
{
    frugal_marshal_write_end(values);
    return !new->to.failed && !new->out.failed;
}

static void
let_go(replacement *new)
{
    free(new->out.bytes);
    free(new->news.objects);
    free(new->news.symbols);
}

bool
frugal_marshal_replace(index_t *index, uint32_t which, index_t *values, uint32_t element, frugal_marshal_splice *told)
{
    const frugal_marshal_root *root = index->roots + which;
    uint32_t from = root->value, was = root[1].key - from;
    replacement new = {
        .root = which, .code = values->roots[element].code, .objects = root->objects, .symbols = root->symbols,
        .object_count = root[1].objects - root[1].key_objects - root->objects,
        .symbol_count = root[1].symbols - root[1].key_symbols - root->symbols
    };
    bool done = begin(index, values, &new);

    *told = (frugal_marshal_splice){ .from = from };
    if (done) {
        frugal_marshal_write_root(&new.to, element, false);
        done = end(values, &new);
    }
    told->fits = done && new.out.used < UINT32_MAX - index->size && keeps_objects(index, &new) && keeps_symbols(index, &new) &&
                 keeps_numbers(index, &new);
    told->length = (uint32_t)new.out.used;
    told->moves = told->length != was;
    if (told->fits && (told->moves || memcmp(index->bytes + from, new.out.bytes, was) != 0)) {
        told->changed = true;
        done = put_in(index, &new);
    }
    let_go(&new);
    return done;
}

/* -- a new root -- */

/* Is the key that was written first one that a root is found by? */
static bool
has_handy_key(const index_t *index, const replacement *new)
{
    const unsigned char *bytes = new->out.bytes;
    frugal_marshal_scan scan;
    int64_t number;

    switch (bytes[0]) {
    case 'i': case ':': case ';': return true;
    case '"': return new->news.objects[0].kind == FRUGAL_MARSHAL_STRING;
    case 'I': return bytes[1] == ':' || (bytes[1] == '"' && new->news.objects[0].kind == FRUGAL_MARSHAL_STRING);
    case '@':
        frugal_marshal_scan_init(&scan, bytes, (uint32_t)new->out.used, NULL);
        scan.at = 1;
        return frugal_marshal_read_long(&scan, &number) && index->objects[number].kind == FRUGAL_MARSHAL_STRING;
    default: return false;
    }
}

/* Room for one more root. */
static bool
grow(index_t *index)
{
    frugal_marshal_root *roots = realloc(index->roots, ((size_t)index->count + 2) * sizeof(*roots));
    uint32_t *groups = NULL;

    if (roots == NULL) return false;
    index->roots = roots;
    if (index->groups == NULL) return true;
    groups = realloc(index->groups, ((size_t)index->count + 1) * sizeof(*groups));
    if (groups == NULL) return false;
    index->groups = groups;
    groups[index->count] = index->count;
    return true;
}

/* May the number of roots grow by one in as many bytes? `count` becomes these. */
static bool
can_count(const index_t *index, frugal_marshal_bytes *count)
{
    uint32_t before;

    frugal_marshal_put_long(count, index->count);
    before = (uint32_t)count->used;
    if (count->failed || memcmp(index->bytes + 3, count->bytes, before) != 0) return false;
    count->used = 0;
    frugal_marshal_put_long(count, index->count + 1);
    return !count->failed && count->used == before;
}

bool
frugal_marshal_append(index_t *index, index_t *values, uint32_t element, bool *fits)
{
    frugal_marshal_root root = index->roots[index->count];
    replacement new = { .root = index->count, .objects = root.objects, .symbols = root.symbols };
    frugal_marshal_bytes count = { 0 };
    bool done = begin(index, values, &new);

    if (done) {
        new.to.as_key = true;
        frugal_marshal_write_root(&new.to, element, false);
        new.to.as_key = false;
        root.value += (uint32_t)new.out.used;
        root.objects = new.to.objects;
        root.symbols = new.to.symbols;
        root.key_objects = (uint8_t)(root.objects - new.objects);
        root.key_symbols = (uint8_t)(root.symbols - new.symbols);
        frugal_marshal_write_root(&new.to, element + 1, false);
        done = end(values, &new);
    }
    *fits = done && new.out.used < UINT32_MAX - index->size && has_handy_key(index, &new) && can_count(index, &count);
    if (*fits) {
        done = splice_bytes(index, root.key, 0, &new.out) && splice_objects(index, &new, root.key, 0) &&
               splice_symbols(index, &new, root.key, 0) && grow(index);
    }
    if (*fits && done) {
        root.code = values->roots[element].code || values->roots[element + 1].code;
        root.top_object = new.to.top_object;
        root.top_symbol = new.to.top_symbol;
        index->roots[index->count] = root;
        memcpy(index->own.bytes + 3, count.bytes, count.used);
        index->count++;
        index->roots[index->count] = (frugal_marshal_root){
            .key = index->size, .value = index->size, .objects = index->object_count, .symbols = index->symbols.count
        };
        forget_numbers(index);
        if (new.news.symbol_count > 0) forget_symbols(index);
        done = frugal_marshal_index_enter(index, index->count - 1, fits);
    }
    free(count.bytes);
    let_go(&new);
    return done;
}
