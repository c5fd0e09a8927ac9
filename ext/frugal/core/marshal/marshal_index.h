/*
 * An index of the roots of a store: a Marshal dump of a Hash, scanned without making a Ruby object. Does not depend on
 * Ruby.
 *
 *   frugal_marshal_index index;
 *   if (frugal_marshal_index_read(&index, bytes, size, seed) == FRUGAL_MARSHAL_OK) {
 *       frugal_marshal_bytes dump = {0};
 *       frugal_marshal_extract(&index, &root, 1, false, &dump); // Marshal.load(dump) is that root's value
 *   }
 *   frugal_marshal_index_free(&index);
 *
 * A root may link to symbols and objects of other roots. A symbol, a number that is not a heap object, and a String
 * that is a Hash key have no identity, so extracting a root copies them. A program can distinguish any other object
 * from a copy of it. Roots that share such an object are one group, and must be extracted together.
 */
#ifndef FRUGAL_MARSHAL_INDEX_H
#define FRUGAL_MARSHAL_INDEX_H

#include "core/marshal/marshal_scan.h"

#define FRUGAL_MARSHAL_NONE UINT32_MAX

typedef struct {
    uint32_t key, value;              /* the offsets where they begin */
    uint32_t objects, symbols;        /* their numbers before the value */
    uint8_t key_objects, key_symbols; /* how many of them first appear in the key */
    bool shares_objects;              /* with other roots: see the head of this file */
    bool runs_code;                   /* loading it may run code of the program, or raise */
    uint32_t key_hash;
    uint32_t object_link_end, symbol_link_end; /* the greatest number that it links to, plus one; 0: no links */
} frugal_marshal_root;

typedef struct {
    uint32_t at;        /* the offset where it begins */
    uint32_t owner;     /* the first root in which a program can distinguish it from a copy, or NONE */
    uint8_t kind;       /* enum frugal_marshal_kind */
    bool linked;        /* a root other than the one where it first appears links to it */
    bool encoding_name; /* a String that names an encoding */
} frugal_marshal_object;

/* A growing buffer. Initialize it with zeros; free `bytes`. `failed` is set when memory runs out, and stays set. */
typedef struct {
    unsigned char *bytes;
    size_t used, room;
    bool failed;
} frugal_marshal_bytes;

/*
 * The numbers that the objects and symbols of an index have in the dump that is being written: `objects[i]` is the
 * number of object i plus one, or 0 if the object is not written yet. `touched` lists the entries to reset to 0 at the
 * end.
 */
typedef struct {
    uint32_t *objects, *symbols;
    uint32_t *touched; /* object i: i << 1; symbol i: i << 1 | 1 */
    uint32_t touched_count, touched_room;
} frugal_marshal_numbers;

typedef struct {
    const unsigned char *bytes; /* the caller's, which must not change; after an update, those of `own` */
    frugal_marshal_bytes own;
    uint32_t size;
    frugal_marshal_root *roots; /* followed by one more, which begins where the last root ends */
    uint32_t count, root_room;
    frugal_marshal_object *objects;
    uint32_t object_count, object_room;
    frugal_marshal_symbols symbols;
    uint32_t encoding_symbol; /* the number of a symbol E; NONE: not searched for yet */
    uint32_t *groups;         /* a union-find forest of roots that share objects, the parent of each; or NULL */
    uint32_t *slots;          /* a hash table of roots by key; NONE: a free slot */
    uint32_t slot_mask;
    uint64_t seed;
    bool has_times;     /* there are Times: see frugal_marshal_scan */
    uint32_t *contents; /* the hash table of marshal_contents.h, or NULL */
    uint32_t content_mask;
    frugal_marshal_numbers numbers;
} frugal_marshal_index;

/* Reads a dump into an index. Call frugal_marshal_index_free in any case. `seed` must not be guessable. */
enum frugal_marshal_reason frugal_marshal_index_read(frugal_marshal_index *index, const unsigned char *bytes,
                                                     size_t size, uint64_t seed);

/* The same, in the memory of an index that was read before. Afterwards, `outdated` is empty and need not be freed. */
enum frugal_marshal_reason frugal_marshal_index_reread(frugal_marshal_index *index, frugal_marshal_index *outdated,
                                                       const unsigned char *bytes, size_t size, uint64_t seed);

/* The same for an Array: its elements are roots without keys. */
enum frugal_marshal_reason frugal_marshal_index_read_list(frugal_marshal_index *index, const unsigned char *bytes,
                                                          size_t size);
void frugal_marshal_index_free(frugal_marshal_index *index);

/* Reports whether this symbol is E, the name of the instance variable for an encoding. */
static inline bool
frugal_marshal_is_encoding_symbol(const frugal_marshal_index *index, uint32_t symbol)
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
    uint8_t encoding;          /* enum frugal_marshal_encoding */
    uint8_t compared_encoding; /* the same; NO_ENCODING if the text is ASCII, so equal keys compare equal */
} frugal_marshal_key;

void frugal_marshal_index_key(const frugal_marshal_index *index, uint32_t root, frugal_marshal_key *key);

/* The root of this key, or NONE. Does not read the key's `encoding`. */
uint32_t frugal_marshal_index_find(const frugal_marshal_index *index, const frugal_marshal_key *key);

/*
 * Adds the last root to the table of keys. `fits` becomes false if another root has its key. Returns false if out of
 * memory.
 */
bool frugal_marshal_index_insert(frugal_marshal_index *index, uint32_t root, bool *fits);

/* The first root of this root's group, which is the same for each root of it. */
uint32_t frugal_marshal_index_group(const frugal_marshal_index *index, uint32_t root);

uint64_t frugal_marshal_hash(uint64_t seed, uint8_t tag, const unsigned char *bytes, uint32_t length);

/*
 * Writes a dump of a root's value; with `as_array`, a dump of an Array of the values of several roots, which must
 * ascend. Returns false if out of memory.
 */
bool frugal_marshal_extract(frugal_marshal_index *index, const uint32_t *roots, uint32_t count, bool as_array,
                            frugal_marshal_bytes *dump);

#endif
