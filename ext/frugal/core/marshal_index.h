/*
 * Where the roots of a store lie in its bytes: a Marshal dump of a Hash, read
 * without making an object. Plain C: knows nothing of Ruby.
 *
 *   frugal_marshal_index index;
 *   if (frugal_marshal_index_read(&index, bytes, size, seed) == FRUGAL_MARSHAL_FINE) {
 *       frugal_marshal_bytes dump = {0};
 *       frugal_marshal_extract(&index, &root, 1, false, &dump); // Marshal.load(dump) is that root's value
 *   }
 *   frugal_marshal_index_free(&index);
 *
 * Links make a root more than its bytes. A symbol, a number that is no object
 * and a String that is a key have no identity of their own, so such a link to
 * another root is followed by copying. Whatever else two roots share, a program
 * can tell from its copy: these roots are entangled, one group, and are only
 * right when they are extracted together.
 */
#ifndef FRUGAL_MARSHAL_INDEX_H
#define FRUGAL_MARSHAL_INDEX_H

#include "marshal_scan.h"

#define FRUGAL_MARSHAL_NONE UINT32_MAX

typedef struct {
    uint32_t key, value;       /* where they begin */
    uint32_t objects, symbols; /* how many there are before the value */
    uint8_t key_objects, key_symbols; /* how many the key brings */
    bool entangled;
    bool code;                 /* its loading may run code or raise */
    uint32_t key_hash;
    uint32_t top_object, top_symbol; /* one more than the greatest number that it links to */
} frugal_marshal_root;

typedef struct {
    uint32_t at;
    uint32_t owner; /* the first root that a program sees it in */
    uint8_t kind;
    bool linked;    /* from another root than the one it first appears in */
    bool name;      /* of an encoding */
} frugal_marshal_object;

/* Bytes that grow; zeros to begin with, free `bytes`. Once memory was short, `failed` stays. */
typedef struct {
    unsigned char *bytes;
    size_t used, room;
    bool failed;
} frugal_marshal_bytes;

/* In what is being written: one more than the number there, or 0; and what is to be 0 again. */
typedef struct {
    uint32_t *objects, *symbols;
    uint32_t *touched;
    uint32_t touched_count, touched_room;
} frugal_marshal_numbers;

typedef struct {
    const unsigned char *bytes; /* the caller's, and unchanged meanwhile; or its own, once it was changed */
    frugal_marshal_bytes own;
    uint32_t size;
    frugal_marshal_root *roots; /* and one behind them, which begins where they end */
    uint32_t count;
    frugal_marshal_object *objects;
    uint32_t object_count, object_room;
    frugal_marshal_symbols symbols;
    uint32_t teller;            /* the symbol E; NONE: not looked for yet */
    uint32_t *groups;           /* of entangled roots: a forest, the parent of each; or NULL */
    uint32_t *slots;            /* a table of roots by key, NONE where free */
    uint32_t slot_mask;
    uint64_t seed;
    bool times;                 /* there are Times: see frugal_marshal_scan */
    uint32_t *contents;         /* a table as marshal_contents.h has it; or NULL */
    uint32_t content_mask;
    frugal_marshal_numbers numbers;
} frugal_marshal_index;

/* To be freed whatever it answers. `seed`: one that nobody can guess. */
enum frugal_marshal_reason frugal_marshal_index_read(frugal_marshal_index *index, const unsigned char *bytes, size_t size, uint64_t seed);

/* The same of an Array's elements, as roots without keys. */
enum frugal_marshal_reason frugal_marshal_index_read_list(frugal_marshal_index *index, const unsigned char *bytes, size_t size);
void frugal_marshal_index_free(frugal_marshal_index *index);

/* Is this symbol E, which tells an encoding? */
static inline bool
frugal_marshal_is_teller(const frugal_marshal_index *index, uint32_t symbol)
{
    const frugal_marshal_symbol *text = index->symbols.list + symbol;

    return text->length == 1 && index->bytes[text->text] == 'E';
}

/* A root's key. */
typedef struct {
    enum { FRUGAL_MARSHAL_INTEGER, FRUGAL_MARSHAL_TEXT, FRUGAL_MARSHAL_SYMBOLIC } type;
    int64_t integer;
    const unsigned char *text;
    uint32_t length;
    uint8_t told;     /* its encoding */
    uint8_t encoding; /* the same, where the text is not ASCII: what is compared */
} frugal_marshal_key;

void frugal_marshal_index_key(const frugal_marshal_index *index, uint32_t root, frugal_marshal_key *key);

/* The root of this key, or NONE. */
uint32_t frugal_marshal_index_find(const frugal_marshal_index *index, const frugal_marshal_key *key);

/* Makes the last root, which was not there, be found by its key. Does not fit: that is another's. False: no memory. */
bool frugal_marshal_index_enter(frugal_marshal_index *index, uint32_t root, bool *fits);

/* The first root of the group that this one is of: the same for all of them. */
uint32_t frugal_marshal_index_group(const frugal_marshal_index *index, uint32_t root);

uint64_t frugal_marshal_hash(uint64_t seed, uint8_t tag, const unsigned char *bytes, uint32_t length);

/*
 * Writes a dump of a root's value; or, as an array, of the values of several,
 * in ascending order. False: no memory.
 */
bool frugal_marshal_extract(frugal_marshal_index *index, const uint32_t *roots, uint32_t count, bool as_array, frugal_marshal_bytes *dump);

#endif
