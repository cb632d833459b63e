/* key_table.h - tables of keys: what a file may say, where it goes, what it means.
 *
 * For:    rulesets, the natural-language server's configuration, MAW tables, contest files, starter
 *         files. A format has a table of rows; one engine reads it, refuses what is wrong with its
 *         place and what would be right, and prints it with comments.
 * Memory: tables are constant; texts of the tree that is read are borrowed for the call.
 * Thread: any.
 * Source: house rule: what is read, printed, checked and explained stands in one row.
 *
 * Rows are read in the order of the table, whatever the order of the file: a row may rely on those
 * above it. Before that all keys of the file are looked up, so that one which nobody knows is told
 * first.
 */
#ifndef WARG_BASE_KEY_TABLE_H
#define WARG_BASE_KEY_TABLE_H

#include "base/buf.h"
#include "base/suggest.h"
#include "base/yaml.h"

#define KEY_PATH_MAX 128

typedef enum KeyKind {
    KEY_OWN,     /* what the row's `read` makes of it; without one somebody else reads it */
    KEY_FLAG,    /* bool */
    KEY_NUMBER,  /* a whole number of 2, 4 or 8 bytes, min..max */
    KEY_SECONDS, /* the same in the file; in the member milliseconds */
    KEY_TIME,    /* 500ms, 10s, 2m, 1h: a number of milliseconds, min..max */
    KEY_WORD,    /* one of `words`: an enum or int32_t, its place among them */
} KeyKind;

typedef struct KeyRow KeyRow;
typedef struct KeyTable KeyTable;

/* One reading of one table. */
typedef struct KeyReading {
    const KeyTable *table;
    void *target;      /* the struct in which the rows have their members */
    void *user;        /* for the functions of rows and manner */
    const char *where; /* stands in front of paths in messages: "phases[0]"; NULL = nothing */
    const char *path;  /* of the row that is being read, with `where`: set by the engine */
} KeyReading;

typedef int KeyRead(const KeyReading *reading, const KeyRow *key, const YamlNode *node, Err *err);
typedef void KeyPrint(const KeyRow *key, const void *target, Buf *out);

struct KeyRow {
    const char *path; /* dotted where maps are nested: "talk.max_skip" */
    KeyKind kind;
    size_t offset; /* in the target, with `size`: KEY_AT */
    size_t size;
    int64_t min;
    int64_t max;
    const char *const *words; /* ended by NULL */
    KeyRead *read;            /* of KEY_OWN */
    KeyPrint *print;          /* of KEY_OWN; NULL = it is not printed */
    const char *zero;         /* what nothing, an empty text and zero mean, as a file says it */
    const char *help;         /* a sentence; NULL or "" = none */
    unsigned marks;           /* what else its owner knows of it: bits */
};

/* The fields `offset` and `size`. */
#define KEY_AT(Type, member) .offset = offsetof(Type, member), .size = sizeof(((Type *)0)->member)

/* How a format differs from plain YAML; a NULL means: not at all. */
typedef struct KeyManner {
    bool (*is_missing)(const YamlNode *node); /* counts as not there; else nothing does */
    bool (*is_key)(Str word, Str key);        /* else byte by byte */
    bool (*flag)(Str text, bool *ret_value);  /* else true and false */
    bool (*number)(Str text, int64_t min, int64_t max, int64_t *ret_value); /* else decimal */
    /* "key 'players': expected a number from 5 to 30, but got 'x'"; `expected` is what stands
     * behind that word. */
    int (*mismatch)(const KeyReading *reading, const YamlNode *node, const char *expected,
                    Err *err);
    /* What is said of a key that the table does not have; 0 = it is passed over. `section` is
     * the path of its map, "" at the top; the nearest key is in `near`. */
    int (*unknown)(const KeyReading *reading, const char *section, const YamlNode *node,
                   const Suggest *near, Err *err);
} KeyManner;

struct KeyTable {
    const KeyRow *keys;
    size_t count;
    const KeyManner *manner; /* NULL = plain YAML */
};

/* The table of an array of rows. */
#define KEY_TABLE(rows, how)                                                                       \
    {                                                                                              \
        .keys = (rows), .count = sizeof(rows) / sizeof((rows)[0]), .manner = (how)                 \
    }

/* Reads a map into the target; what is not there stays as it was.
 * Errors: ERR_SYNTAX, ERR_RULE for a word that is none, what the row's functions say; all with
 * line and column. */
int key_table_read(const KeyReading *reading, const YamlNode *map, Err *err);

/* One value by itself, of a format that is no map: the row that node->key means, and reading it.
 * Errors of the first: as the manner refuses an unknown key. */
int key_table_find(const KeyReading *reading, const YamlNode *node, const KeyRow **ret_key,
                   Err *err);
/* `node` is NULL where there is no such key. */
int key_table_read_row(const KeyReading *reading, const KeyRow *key, const YamlNode *node,
                       Err *err);

/* Sets every member to zero. */
void key_table_zero(const KeyTable *table, void *target);

/* The target as a file: each row with what may stand there and its help behind it, sections under
 * their names. */
void key_table_print(const KeyTable *table, const void *target, Buf *out);

/* For the functions of rows: the place of the node's text among the row's words. */
int key_read_word(const KeyReading *reading, const KeyRow *key, const YamlNode *node,
                  int32_t *ret_word, Err *err);
/* A number as KEY_NUMBER reads it. */
int key_read_number(const KeyReading *reading, const YamlNode *node, int64_t min, int64_t max,
                    int64_t *ret_number, Err *err);
/* The member of a row. */
void *key_place(const KeyReading *reading, const KeyRow *key);
/* The node's text does not fit: as the manner says it. */
int key_mismatch(const KeyReading *reading, const YamlNode *node, const char *expected, Err *err);

#endif
