/* endpoint_text.h - what is said to a model's server and what it answers, as text.
 *
 * For:    llm/endpoint.c, `warg llm check`. OpenAI-compatible servers (the original, Ollama's /v1,
 *         llama.cpp, vLLM, LM Studio) and Ollama's own /api/chat.
 * Memory: an LlmReply owns its texts: llm_reply_done.
 * Thread: pure.
 * Source: docs/spec/maw.md 5.4.
 */
#ifndef WARG_LLM_ENDPOINT_TEXT_H
#define WARG_LLM_ENDPOINT_TEXT_H

#include "base/json.h"
#include "llm/endpoint.h"

#define LLM_ANSWER_TOKENS 300  /* LlmEndpointSetup.max_answer_tokens when it is 0 */
#define LLM_NUM_CTX       8192 /* LlmEndpointSetup.num_ctx when it is 0 */

/* How JSON is asked for, from the strictest down. */
typedef enum LlmForm {
    FORM_SCHEMA,        /* response_format json_schema; "format": {schema} */
    FORM_SCHEMA_BESIDE, /* older llama.cpp: type json_object, with the schema beside it */
    FORM_OBJECT,
    FORM_NONE,
} LlmForm;

/* What a server takes, as far as it is known. Plain value. */
typedef struct LlmDialect {
    LlmApi api;
    LlmForm form;
    bool strict;         /* every property of schemas is required, and the server holds it */
    bool new_limit;      /* "max_completion_tokens" in place of "max_tokens" */
    bool no_temperature; /* it refuses to be told one */
    bool no_think;       /* or how to think */
    bool no_template;    /* or what only chat templates know */
    bool no_system;      /* or a system message: it goes to the front of the user's */
    bool raised;         /* thinking took all tokens once: there are more of them */
} LlmDialect;

typedef enum LlmVerdict {
    VERDICT_ANSWER,
    VERDICT_BUSY,    /* 429, 503: try again later */
    VERDICT_AGAIN,   /* 408, other 5xx, an answer that is none: try again later */
    VERDICT_DIALECT, /* the request was refused for its form; the dialect has changed: try again */
    VERDICT_TOO_LONG,
    VERDICT_DENIED,  /* 401, 403, 404 */
    VERDICT_REFUSED, /* any other refusal */
} LlmVerdict;

typedef struct LlmReply {
    LlmVerdict verdict;
    Buf text;               /* what the model said */
    Buf reasoning;          /* what it thought, beside the answer or before it */
    Buf finish;             /* why it ended, in the server's word */
    Buf why;                /* for people, one line */
    bool cut;               /* it ended for its length */
    uint32_t prompt_tokens; /* each 0 where the server does not tell */
    uint32_t cached_tokens; /* of the prompt's */
    uint32_t answer_tokens; /* with those of thoughts */
    uint32_t reasoning_tokens;
} LlmReply;

void llm_reply_done(LlmReply *reply);

/* The address of `path` ("chat", "models", "show") on a server that was named as people do: with or
 * without a "/" at the end, "/v1", or all of it.
 * Errors: ERR_USAGE for what is no http(s) address, or has a query or a key. */
typedef enum LlmPath {
    LLM_PATH_CHAT,
    LLM_PATH_ABOUT, /* openai: GET, the list of models; ollama: POST {"model"}, /api/show */
} LlmPath;
int llm_url_write(LlmApi api, Str base, LlmPath path, Buf *out, Err *err);
/* Whether it is on this machine. */
bool llm_url_is_local(Str url);

/* An entry of `messages`. */
void llm_entry_write(Json *json, Str role, Str content);

/* Appends the body of a request. `schema` may be empty: then no JSON is asked for. */
void llm_request_write(const LlmEndpointSetup *setup, const LlmDialect *dialect, Str messages,
                       Str schema, Buf *out);

/* The most that such a request lets a model write: the answer, and what it thinks before. */
uint32_t llm_request_tokens(const LlmEndpointSetup *setup, const LlmDialect *dialect);

/* Understands an answer; `*dialect` changes with VERDICT_DIALECT. `sent` is the dialect of the
 * request: another one's answer may have changed it since. `key` is left out of `why`. */
void llm_reply_read(unsigned status, Str body, const LlmDialect *sent, Str key, LlmDialect *dialect,
                    LlmReply *reply);

/* The tokens of context of `model`, from the answer of LLM_PATH_ABOUT; 0 = not told. */
uint32_t llm_about_context(LlmApi api, Str body, Str model);

#endif
