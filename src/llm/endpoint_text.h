/* endpoint_text.h - what is said to a model's server and what it answers, as text.
 *
 * For:    llm/endpoint.c, `warg llm check`. OpenAI-compatible servers (the original, Azure's,
 *         Ollama's /v1, llama.cpp, vLLM, LM Studio), Ollama's own /api/chat, Anthropic's Messages.
 * Memory: an LlmReply owns its texts: llm_reply_done.
 * Thread: pure.
 * Source: docs/spec/maw.md 5.4.
 */
#ifndef WARG_LLM_ENDPOINT_TEXT_H
#define WARG_LLM_ENDPOINT_TEXT_H

#include "base/json.h"
#include "llm/endpoint.h"

#define LLM_ANSWER_TOKENS 300  /* LlmEndpointSetup.max_answer_tokens when it is 0 */
#define LLM_NUM_CTX       8192 /* LlmEndpointSetup.num_ctx when it is 0 and nobody tells another */
#define LLM_NUM_CTX_MOST                                                                           \
    16384 /* asked for unasked: a model of 8 thousand million weights needs                        \
           * 2 GiB of memory for it */

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
    bool no_top_p;
    bool no_seed;
    bool no_stop;
    bool adaptive;    /* anthropic: thinking "adaptive", with an effort in place of tokens */
    bool no_think;    /* or how to think */
    bool no_template; /* or what only chat templates know */
    bool no_system;   /* or a system message: it goes to the front of the user's */
    bool raised;      /* thinking took all tokens once: there are more of them */
    bool streams;     /* it answers in pieces, though none were asked for */
    bool calls;       /* it answers with a call of a tool, though there was none */
    uint32_t most;    /* it lets a model write no more tokens; 0 = not told */
} LlmDialect;

typedef enum LlmVerdict {
    VERDICT_ANSWER,
    VERDICT_BUSY,    /* 429, 503, 529: try again later */
    VERDICT_AGAIN,   /* 408, other 5xx, an answer that is none: try again later */
    VERDICT_DIALECT, /* the request was refused for its form; the dialect has changed: try again */
    VERDICT_TOO_LONG,
    VERDICT_DENIED,  /* 401, 403, 404; no such model; nothing left to pay with */
    VERDICT_REFUSED, /* any other refusal */
} LlmVerdict;

typedef struct LlmReply {
    LlmVerdict verdict;
    LlmTrouble trouble;
    Buf text;               /* what the model said */
    Buf reasoning;          /* what it thought, beside the answer or before it */
    Buf finish;             /* why it ended, in the server's word */
    Buf model;              /* as the server calls it */
    Buf why;                /* for people, one line */
    bool cut;               /* it ended for its length */
    bool called;            /* the text is that of a tool's call, which was not asked for */
    uint32_t prompt_tokens; /* each 0 where the server does not tell */
    uint32_t cached_tokens; /* of the prompt's */
    uint32_t answer_tokens; /* with those of thoughts */
    uint32_t reasoning_tokens;
} LlmReply;

void llm_reply_done(LlmReply *reply);

/* The address of `path` ("chat", "models", "show") on a server that was named as people do: with or
 * without a "/" at the end, "/v1", or all of it.
 * What stands behind a "?" stays there, as "?api-version=...".
 * Errors: ERR_USAGE for what is no http(s) address, or has a key in it. */
typedef enum LlmPath {
    LLM_PATH_CHAT,
    LLM_PATH_ABOUT, /* openai, anthropic: GET, the list of models; ollama: POST {"model"},
                     * /api/show */
} LlmPath;
int llm_url_write(LlmApi api, Str base, LlmPath path, Buf *out, Err *err);
/* Whether it is on this machine. */
bool llm_url_is_local(Str url);

/* An entry of `messages`. */
void llm_entry_write(Json *json, Str role, Str content);

/* Appends the body of a request. `ask->schema` may be empty: then no JSON is asked for. */
void llm_request_write(const LlmEndpointSetup *setup, const LlmDialect *dialect, const LlmAsk *ask,
                       Buf *out);
/* The headers of a server's own that a key goes into: "Authorization: Bearer KEY". */
void llm_key_header_write(LlmApi api, Str key, Buf *out);

/* The most that such a request lets a model write: the answer, and what it thinks before. */
uint32_t llm_request_tokens(const LlmEndpointSetup *setup, const LlmDialect *dialect);

/* Understands an answer; `*dialect` changes with VERDICT_DIALECT. `sent` is the dialect of the
 * request: another one's answer may have changed it since. `secrets` (NULL-terminated, or NULL) are
 * left out of all texts: servers like to quote them. */
void llm_reply_read(unsigned status, Str body, const LlmDialect *sent, const char *const *secrets,
                    LlmDialect *dialect, LlmReply *reply);

/* See llm_endpoint_habits. */
size_t llm_dialect_habits(const LlmDialect *dialect, bool japanese, const char **ret_texts,
                          size_t count);

/* What a server tells of a model. */
typedef struct LlmAbout {
    bool told;        /* it tells of models at all */
    bool has_model;   /* and has this one */
    uint32_t context; /* the most tokens that the model can read; 0 = not told */
    uint32_t num_ctx; /* ollama: for which it was made; 0 = not told */
    Buf names;        /* of the models that it has, joined; may be long */
} LlmAbout;

/* From the answer of LLM_PATH_ABOUT; `about` is empty before. */
void llm_about_read(LlmApi api, Str body, Str model, LlmAbout *about);
/* ollama: the context to ask for, which takes memory; 0 = the server does not tell. */
uint32_t llm_about_num_ctx(const LlmAbout *about);
void llm_about_done(LlmAbout *about);

#endif
