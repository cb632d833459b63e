/* decision.h - from a model's text to a decision: never fails.
 *
 * For:    llm/seat.c.
 * Memory: texts of a decision stand in its own bytes.
 * Thread: pure.
 * Source: docs/spec/maw.md 5.3, 5.7; seed 002 ("contains listen", as completed).
 */
#ifndef WARG_LLM_DECISION_H
#define WARG_LLM_DECISION_H

#include "base/err.h"
#include "llm/scene.h"

typedef enum LlmAction {
    LLM_LISTEN,
    LLM_SPEAK,
    LLM_VOTE, /* also the target of a divination, guard, attack */
} LlmAction;

#define LLM_MESSAGE_BYTES 2400
#define LLM_TARGET_BYTES  100
#define LLM_REASON_BYTES  500
#define LLM_THOUGHT_BYTES 1700

typedef struct LlmDecision {
    LlmAction action;
    char message[LLM_MESSAGE_BYTES]; /* cleaned, cut at a sentence end to scene->max_chars */
    char target[LLM_TARGET_BYTES];   /* a name of scene->targets, spelled as there */
    char reason[LLM_REASON_BYTES];
    char thought[LLM_THOUGHT_BYTES]; /* private: recorded, never sent */
    bool
        cleaned; /* the message is not quite what the model wrote: marks, names, its end are gone */
} LlmDecision;

/* The JSON schema of 5.3 for this scene, and the same as one line of text with examples. */
typedef enum LlmSchemaMode {
    SCHEMA_LAX,
    SCHEMA_STRICT, /* every property required and nullable */
} LlmSchemaMode;
void llm_schema_write(const LlmScene *scene, LlmSchemaMode mode, Buf *out);

/* Reads any text. 0: *ret is a valid decision. ERR_RULE: it was understood and is not allowed
 * (a dead target): err->msg says for the model what is wrong and what is allowed, *ret is what
 * could be saved (LISTEN). ERR_SYNTAX: nothing in it could be understood. */
int llm_decision_read(Str text, const LlmScene *scene, LlmDecision *ret, Err *err);

/* How sure it is of an opinion: the first number in a text ("70", "about 70 %", "0.7"), in percent.
 * False when there is none from 0 to 100. */
bool llm_percent(Str text, uint32_t *ret_percent);

/* Whether a line says the guide's own words (>= 40 characters of it), or tells that its speaker, a
 * wolf, is one (the leak guard). */
bool llm_leaks(Str line, Str guide, const LlmScene *scene);
/* Whether it is one of `count` earlier lines again (oldest first, the last one last), or more than
 * 80 % of its words, of at least three, stand in the last one. */
bool llm_repeats(Str line, const Str *earlier, uint32_t count);

#endif
