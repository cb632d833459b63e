/* config_draft.h - a configuration while it is being read.
 *
 * For:    config*.c only; everybody else sees the Config inside.
 * Memory: the arena holds the tree of the file and all texts of the Config; config_free gives it
 *         back.
 * Thread: one at a time.
 * Source: docs/spec/nlp-division.md 7.
 */
#ifndef WARG_NLP_CONFIG_DRAFT_H
#define WARG_NLP_CONFIG_DRAFT_H

#include "base/key_table.h"
#include "nlp/config.h"

typedef struct ConfigDraft {
    Config config; /* first: config_free gets its address */
    Arena arena;
    const YamlNode *root;
    ConfigGetenv get;
    ConfigWarn warn;
    void *user;
    double error_ratio;      /* server.max_continue_error_ratio */
    double old_abort_factor; /* where an intermediate version had it */
    bool attack_no_target;
} ConfigDraft;

/* Tells the caller of something that is odd, but no reason to refuse the file. */
void config_warn(const ConfigDraft *draft, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The node of a dotted path, NULL when it is missing or null. */
const YamlNode *config_node(const ConfigDraft *draft, const char *path);
/* ERR_RULE or ERR_LIMIT at the node of a dotted path, or at what there is of the way to it. */
int config_refuse(const ConfigDraft *draft, ErrCode code, const char *path, Err *err,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* ---- typed values; `path` is for the message. Errors: ERR_SYNTAX at the node ---- */

/* True for what YAML calls null: nothing, ~, null. It counts as a missing key. */
bool config_is_null(const YamlNode *node);
int config_mismatch(const YamlNode *node, const char *path, const char *expected, Err *err);
int config_expect(const YamlNode *node, YamlKind kind, const char *path, Err *err);
int config_int(const YamlNode *node, const char *path, int64_t min, int64_t max, int64_t *ret_value,
               Err *err);
/* Any scalar: numbers and such are taken as they are written. */
int config_text(const YamlNode *node, const char *path, Str *ret_text, Err *err);
/* A list of texts, copied into the arena; null is an empty list. */
int config_texts(ConfigDraft *draft, const YamlNode *node, const char *path, const Str **ret_texts,
                 uint32_t *ret_count, Err *err);
/* A terminated copy in the arena. Errors: ERR_MEMORY; ERR_SYNTAX at `node` for a NUL in it. */
int config_cstr(ConfigDraft *draft, const YamlNode *node, const char *path, Str text,
                const char **ret_text, Err *err);

/* ---- rows: a reading has the draft as its `user` ---- */

/* As Go reads YAML: a null is a missing key, flags have more words, numbers underscores; messages
 * begin with the whole path, and an unknown key is a warning. */
extern const KeyManner config_manner;
KeyRead config_real; /* double, min..max */
KeyRead
    config_time; /* int32_t or int64_t milliseconds; beyond the row's max it is warned, and cut */
KeyRead config_str;   /* Str */
KeyRead config_chars; /* const char * */
KeyRead config_args;  /* const char *const *, ended by NULL */

/* ---- the parts, in the order in which they run ---- */

/* logic.*, and what the other keys of `game` mean for the rules; the checks of 7.4 on them. */
int config_rules(ConfigDraft *draft, Err *err);
/* custom_profile.*, and its checks. */
int config_profiles(ConfigDraft *draft, Err *err);
/* warg.hosts, warg.origins. */
int config_web(ConfigDraft *draft, Err *err);
/* 7.5. */
int config_environment(ConfigDraft *draft, Err *err);

#endif
