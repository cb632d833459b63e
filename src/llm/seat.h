/* seat.h - a model player: context, guide and news in, a decision out, always and in time.
 *
 * For:    MAW's model driver, model agents of both AIWolf divisions.
 * Memory: an LlmSeat owns its context and figures; the endpoint is borrowed.
 * Thread: one at a time; time is an argument (base/alarms.h).
 * Source: docs/spec/maw.md 5; seed 002 Algorithm 1, tables 18 to 20.
 *
 * One question at a time; a new one cancels the older. A bad answer is repaired once, then the
 * fallback decides. The demo model (a table of phrases, no endpoint) answers by the same way.
 */
#ifndef WARG_LLM_SEAT_H
#define WARG_LLM_SEAT_H

#include "base/json.h"
#include "base/model_figures.h"
#include "llm/answers.h"
#include "llm/context.h"
#include "llm/decision.h"
#include "llm/endpoint.h"
#include "llm/manner.h"
#include "llm/prompt_log.h"

typedef struct LlmSeat LlmSeat;

typedef enum LlmSource {
    SOURCE_MODEL,
    SOURCE_REPAIRED, /* the model's, at the second try */
    SOURCE_FALLBACK, /* a built-in rule's */
    SOURCE_DEMO,
} LlmSource;

#define LLM_TROUBLE_MAX 200

typedef struct LlmFigures {
    uint32_t requests; /* that were asked for: some wait until it is too late */
    uint32_t sent;     /* to the server, tries again included */
    uint32_t retries, repairs, fallbacks, suppressed, leaks, refused;
    uint32_t lines, votes, listens, by_model; /* decisions; by_model: MODEL and REPAIRED */
    uint64_t prompt_tokens, answer_tokens;
    uint64_t cached_tokens, reasoning_tokens; /* of these */
    uint32_t latency_p50_ms, latency_p95_ms;
    char trouble[LLM_TROUBLE_MAX + 1]; /* why a rule decided last; as it came, cut; "" = never */
} LlmFigures;

typedef struct LlmSeatSetup {
    LlmEndpoint *endpoint; /* NULL: the demo model */
    Str persona;           /* copied */
    LlmFilters filters;
    uint32_t window; /* tokens; 0 = what the endpoint knows of the model, else 8192 */
    uint64_t seed;
    /* Wall-clock time of TimeUs 0: what the context's entries are dated by. */
    int64_t unix_ms_at_zero;
    /* Each decision, for the record: a JSON object without line end. May be NULL. */
    void (*record)(void *user, Str json, TimeUs now);
    void *user;
    /* Gets each request as it is sent; borrowed, may be NULL. A record's `prompt` is the number of
     * the last one. */
    PromptLog *prompts;
    /* Keeps each answer as it comes; or has those of another time, which come at once in the place
     * of the endpoint's, and no request is sent. Borrowed, may be NULL. */
    LlmAnswers *answers;
    /* An answer, or the end of the time for it, is about to be taken. May be NULL. */
    void (*moves)(void *user, TimeUs now);
    void *moves_user;
    /* What else a model's decision must fulfil; the error says for the model what is wrong, and it
     * may repair that as any other mistake. May be NULL. */
    int (*check)(void *user, const LlmScene *scene, const LlmDecision *decision, Err *err);
    void *check_user;
} LlmSeatSetup;

/* `alarms` is borrowed. */
int llm_seat_new(Alarms *alarms, const LlmSeatSetup *setup, LlmSeat **ret_seat, Err *err);
LlmSeat *llm_seat_free(LlmSeat *seat);

/* Adds to an object what it is, once for a record: "model" as it is asked for and "server",
 * "sampling", "think", "persona", "prompt_version". Nothing of a key. Of the demo model only what
 * it has. */
void llm_seat_about(const LlmSeat *seat, Json *json);

LlmContext *llm_seat_context(LlmSeat *seat);
/* Something was said or happened since the last decision: kept until a model has read it. */
void llm_seat_hear(LlmSeat *seat, Str line, bool fact);

/* Whether there is something that no model has read yet. */
bool llm_seat_has_news(const LlmSeat *seat);

/* What the entries that follow are marked with in the context's file and in records. */
void llm_seat_phase(LlmSeat *seat, uint32_t round, uint32_t phase_no);

/* Of what it heard it reads nothing that it has not read yet. */
void llm_seat_forget_news(LlmSeat *seat);

/* A game is over: what was not read of it is forgotten, and the context keeps the line `past`. */
void llm_seat_new_round(LlmSeat *seat, Str past);

typedef void LlmDecided(void *user, const LlmDecision *decision, LlmSource source, TimeUs now);

/* Asks for a decision; `decided` comes once unless it is cancelled, from an alarm, before
 * `deadline`: what a model has not said a tenth of the time (at most 2 s) before that, a rule
 * decides. The scene is copied. The decision has no thought any more: only the record does.
 * Errors: ERR_MEMORY. */
int llm_seat_ask(LlmSeat *seat, const LlmScene *scene, TimeUs now, TimeUs deadline,
                 LlmDecided *decided, void *user, Err *err);

/* Takes the number of a question that may be asked now or later, or never: answers are kept and
 * found again by it, so that what an opinion's number is must not depend on how fast others are. */
uint32_t llm_seat_number(LlmSeat *seat);
/* llm_seat_ask, with a number that was taken. The demo model's comes at once, from inside; so does
 * one of another time, and when there was none nothing comes. */
int llm_seat_ask_opinion(LlmSeat *seat, uint32_t number, const LlmScene *scene, TimeUs now,
                         TimeUs deadline, LlmDecided *decided, void *user, Err *err);
void llm_seat_cancel(LlmSeat *seat);
bool llm_seat_busy(const LlmSeat *seat);
/* Takes what is recorded for the question that is open, or ends its time, as an alarm would: for
 * who knows when that was. Nothing without a question. */
void llm_seat_move(LlmSeat *seat, TimeUs now);

void llm_seat_refused(LlmSeat *seat, Str why); /* the game did not take it */
void llm_seat_figures(const LlmSeat *seat, LlmFigures *ret_figures);
/* Of these what records of games have. */
ModelFigures llm_figures_of(const LlmFigures *figures);

/* The rule of 5.7's end: village: the most-voted target of others, else random; wolves: what a
 * mate wants, else who talks most. Pure; speech: LISTEN. */
void llm_fallback(const LlmScene *scene, LlmDecision *ret);
/* The stand-in model of `--llm demo`: a table of phrases, in both languages. `news` are the lines
 * since its last decision, `heard` those of the round, `news` among them. Pure. */
void llm_demo(const LlmScene *scene, Str heard, Str news, LlmDecision *ret);

#endif
