/* profile_ask.h - what a model is asked for one character, and what its answer is taken for.
 *
 * For:    nlp/dynamic_profiles.c. Pure.
 * Memory: the caller's Bufs.
 * Thread: any.
 * Source: docs/spec/nlp-division.md 9.1, 9.3; the chat completion call of OpenAI-compatible servers
 *         with structured output.
 */
#ifndef WARG_NLP_PROFILE_ASK_H
#define WARG_NLP_PROFILE_ASK_H

#include "base/buf.h"
#include "nlp/config.h"

#define PROFILE_NAME_MAX   32   /* characters */
#define PROFILE_VALUE_MAX  2000 /* bytes of one value */
#define PROFILE_ANSWER_MAX (256u * 1024u)

/* Names that are taken in this game. */
typedef struct ProfileNames {
    const Str *names;
    size_t count;
} ProfileNames;

/* The keys of profile_encoding with their labels. */
typedef struct ProfileKeys {
    const ConfigPair *pairs;
    size_t count;
} ProfileKeys;

/* Appends the body of the request: prompt, avatar as image, a schema with a string `name` and one
 * string per key; `taken` names are named as such. */
void profile_ask_write(const ConfigDynamic *config, ProfileKeys keys, Str avatar,
                       ProfileNames taken, Buf *out);

/* Takes the name, and the profile string of 9.1, out of an answer. Line breaks and control
 * characters in values become blanks: a line that looks like another character's would confuse the
 * judge (9.1). The Bufs are cleared first. Errors: ERR_SYNTAX for an answer of another shape,
 * ERR_LIMIT, ERR_MEMORY. */
int profile_answer_read(Str answer, ProfileKeys keys, Buf *ret_name, Buf *ret_text, Err *err);

/* Whether a name can be used: neither empty nor long; no white space, comma, '@', ':', '/', control
 * or invisible characters; neither equal to a taken one, nor the beginning of one, nor the other
 * way round (mentions are found by name). ASCII case does not matter. Errors: ERR_RULE. */
int profile_name_check(Str name, ProfileNames taken, Err *err);

#endif
