/* endpoint_parts.h - the inside of endpoint_text.h, for the files that make it up.
 *
 * For:    endpoint_*.c and event_stream.c. Nobody else.
 * Memory: as endpoint_text.h.
 * Thread: pure.
 * Source: docs/spec/models.md 1.4; the published interfaces of OpenAI, Ollama and Anthropic.
 */
#ifndef WARG_LLM_ENDPOINT_PARTS_H
#define WARG_LLM_ENDPOINT_PARTS_H

#include "llm/endpoint_text.h"
#include "wire/json_read.h"

/* NULL for what is no JSON; given back with json_done. NUL bytes and keys that stand twice are
 * taken: servers of models write what they like. */
json_t *llm_json_load(Str text);
/* As text, in one line. */
void llm_json_dump(const json_t *json, Buf *out);
/* The text of a JSON string, borrowed; empty for anything else. */
Str llm_json_text(const json_t *value);
/* A whole number above 0; else 0. */
uint32_t llm_json_count(const json_t *object, const char *name);

/* The texts at which a model ends, under the name that the server has for them. */
void llm_stops_write(const char *const *stops, const char *name, Json *json);

/* The keys of a request of Anthropic's Messages, behind "model". The end of what stays is marked,
 * so that the server keeps what it has read up to there. */
void llm_anthropic_write(const LlmEndpointSetup *setup, const LlmDialect *dialect,
                         const LlmAsk *ask, Json *json);
/* Text, thoughts, tokens and `finish` of such an answer. */
void llm_anthropic_read(const json_t *root, LlmReply *reply);

/* What is no answer: verdict, trouble and `why`; see llm_reply_read. */
void llm_refusal_read(unsigned status, const json_t *root, Str body, const LlmDialect *sent,
                      const char *const *secrets, LlmDialect *dialect, LlmReply *reply);
/* Puts *** in the place of each of them that has four bytes at least. */
void llm_secrets_hide(Buf *text, const char *const *secrets);

#endif
