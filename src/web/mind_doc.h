/* mind_doc.h - what the models of one game thought, asked and cost, as pages show it.
 *
 * For:    the page `mind/ID`, and the fold under a line of the game page.
 * Memory: appends to the caller's Buf; all inputs are borrowed for the call.
 * Thread: pure.
 * Source: docs/spec/web.md 8.
 *
 *     {"format":"warg-mind","version":1,"game":"000.1","currency":"USD",
 *      "decisions":[{"seat":3,"t_ms":1200,"a":"d1t4","task":"room","source":"model",...}],
 *      "seats":[{"seat":3,"name":"Ann","model":"llama3.1:8b","decisions":12,"by_model":10,
 *        "repaired":1,"by_rule":1,"by_demo":0,"prompt_tokens":8000,"answer_tokens":600,
 *        "cost":0.0016,"latency_p50_ms":800,"latency_p95_ms":2100,"leaks":0,"suppressed":1}],
 *      "prompts":[{"seat":3,"lines":[{"prompt":0,...}]}],
 *      "opinions":[{"seat":3,"t_ms":900,"a":"d1t2","target":5,"sure":70,"lines":4}]}
 *
 * A decision is the record's, with its seat, its time since the game's beginning, and the anchor of
 * what came of it; one that listened, or of which nothing came, has no anchor. An opinion, which
 * nobody at the table knows of, has the time when it was asked for and the last event before; it is
 * there only where models were asked for some.
 */
#ifndef WARG_WEB_MIND_DOC_H
#define WARG_WEB_MIND_DOC_H

#include "base/buf.h"
#include "base/err.h"
#include "game/role.h"
#include "llm/prices.h"

typedef struct MindSource {
    Str record;              /* session.jsonl of a MAW session */
    uint32_t round;          /* from 0 */
    Str document;            /* of the round, view all: game_doc_write */
    const LlmPrices *prices; /* NULL = no costs */
    /* The text of a player's prompts/pNN.jsonl, by its "pNN"; empty = none was kept. May be
     * NULL. */
    Str (*prompts)(void *user, Str player);
    /* A game of an AIWolf division has these in place of record, round and prompts: appends what
     * the agent of this seat decided, or was sent, in all games of its file (llm/answers.h,
     * llm/prompt_log.h); and which of them this one is: by its id, where the file has ids, else by
     * its number, from 1. */
    Str game; /* empty: by number */
    void (*file)(void *user, SeatNo seat, bool prompts, Buf *out);
    uint64_t (*part)(void *user, SeatNo seat);
    void *user;
} MindSource;

/* Appends the document. Errors: ERR_SYNTAX for a record or document that is none; ERR_MEMORY. */
int mind_doc_write(const MindSource *source, Buf *out, Err *err);

#endif
