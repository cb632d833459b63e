/* yaml.h - reads a YAML text into a tree of nodes that know their line and column.
 *
 * For:    configuration: rulesets, servers, contests. Scalars are text; the reader of a key decides
 *         what type it wants (yaml_int, yaml_bool, yaml_str), so `no`, `1e3` and `007` never
 *         change meaning behind our back.
 * Memory: the tree and its texts are in the caller's arena; the text read may go away.
 * Thread: any.
 * Source: YAML 1.1 as libyaml reads it, without anchors, aliases, tags and a second document.
 */
#ifndef WARG_BASE_YAML_H
#define WARG_BASE_YAML_H

#include "base/arena.h"
#include "base/err.h"

#define YAML_BYTES_MAX (1024u * 1024u)
#define YAML_DEPTH_MAX 16u
#define YAML_KEYS_MAX  4096u /* of one map: keys are compared one by one */

typedef enum YamlKind {
    YAML_SCALAR,
    YAML_LIST,
    YAML_MAP,
} YamlKind;

/* Open, for reading only. Children are linked in the order of the text. */
typedef struct YamlNode {
    YamlKind kind;
    bool quoted;     /* a scalar in quotes, or a block scalar: text for certain */
    unsigned line;   /* 1-based */
    unsigned column; /* 1-based */
    unsigned count;  /* children of a list or map */
    Str key;         /* when it is a value of a map */
    unsigned key_line;
    unsigned key_column;
    Str text;                     /* of a scalar */
    const struct YamlNode *first; /* child, or NULL */
    const struct YamlNode *next;  /* sibling, or NULL */
} YamlNode;

/* Reads one document. An empty text gives an empty map.
 * Errors: ERR_SYNTAX (also for what we leave out of YAML, a duplicate key, or text that is not
 * UTF-8), ERR_LIMIT (YAML_..._MAX), ERR_MEMORY (the arena is full), all with line and column. */
int yaml_read(Str text, Arena *arena, const YamlNode **ret_root, Err *err);

/* The value of `key`, or NULL when `map` is no map or hasn't the key. */
const YamlNode *yaml_get(const YamlNode *map, const char *key);

/* The typed value of a scalar: decimal numbers, true or false, text. The error (ERR_SYNTAX) names
 * the key, says what was expected and what came. `node` must not be NULL; of an element of a list
 * the error names only the place. */
int yaml_bool(const YamlNode *node, bool *ret_value, Err *err);
int yaml_int(const YamlNode *node, int64_t min, int64_t max, int64_t *ret_value, Err *err);
int yaml_str(const YamlNode *node, Str *ret_value, Err *err);

/* ERR_SYNTAX at `node`: "key 'max_talk': expected a number from 1 to 9, but got 'x'". */
int yaml_mismatch(const YamlNode *node, const char *expected, Err *err);

/* Checks that `node` is of `kind`, for lists and maps. */
int yaml_expect(const YamlNode *node, YamlKind kind, Err *err);

#endif
