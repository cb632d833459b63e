/* model_agent.h - a language model's seat in the AIWolf divisions: told by a View, answers an Ask.
 *
 * For:    `warg bot aiwolf --llm`, `warg bot nlp --llm`, by the thinker of seat/thinker.h.
 * Memory: a ModelAgent owns its seat and what it remembers of a game; endpoint and views are
 *         borrowed.
 * Thread: one at a time; time is an argument (base/alarms.h).
 * Source: docs/spec/maw.md 5.1, 5.2, 5.7; docs/spec/protocol-division.md 1.4,
 *         docs/spec/nlp-division.md 5.3 and 6.
 *
 *   IDLE --ask--> THINKING --decided, always in time--> IDLE
 *
 *   IDLE --standing ask--> OPEN --a pause--> THINKING --decided--> OPEN --unask--> IDLE
 *
 * Where anybody may speak at any time it thinks again when somebody has spoken and its pause is
 * over, soon when that was to it, and when nobody has answered it for long. A turn at which there
 * is nothing new since it chose to listen is passed without a request (docs/spec/models.md 1.8).
 * What is asked with less time than a model needs is decided by a rule at once, and no request is
 * sent.
 */
#ifndef WARG_THINKER_MODEL_AGENT_H
#define WARG_THINKER_MODEL_AGENT_H

#include "base/exit_status.h"
#include "base/model_figures.h"
#include "llm/llm_arg.h"
#include "llm/seat.h"
#include "seat/thinker.h"

typedef struct ModelAgent ModelAgent;

typedef enum ModelLanguage {
    MODEL_BY_NAMES, /* Japanese when a name of the game is no ASCII */
    MODEL_ENGLISH,
    MODEL_JAPANESE,
} ModelLanguage;

/* What makes it go on, beside what it is told: who notes when that was can play its games again. */
typedef enum ModelMove {
    MODEL_THINKS,  /* its pause is over: it thinks whether to ask, and asks */
    MODEL_DECIDES, /* an answer is taken, or the time for it is over */
} ModelMove;

typedef struct ModelAgentSetup {
    LlmEndpoint *endpoint; /* NULL: the demo model */
    Str persona;           /* copied; empty: as the server's profile says */
    bool protocol;         /* what it says must be a sentence of the protocol language */
    ModelLanguage language;
    LlmManner manner;
    TimeUs limit;     /* for an answer; 0 = as the server tells, or the division's usual one */
    TimeUs pause_min; /* where anybody may speak at any time: 0 = 2 s */
    TimeUs pause_max; /* 0 = 8 s */
    uint64_t seed;
    /* Keeps decisions and answers, or has those of another time (llm/answers.h); taken, also when
     * the agent is not made. NULL = neither. */
    LlmAnswers *take_answers;
    PromptLog *take_prompts; /* keeps requests; likewise */
    /* The answer; its text is borrowed for the call. Comes from an alarm. */
    void (*answer)(void *user, const Ask *ask, const Answer *answer);
    /* Before anything comes of it. May be NULL. */
    void (*moves)(void *user, ModelMove move, TimeUs now);
    void *user;
} ModelAgentSetup;

/* `alarms` is borrowed. Errors: ERR_MEMORY. */
int model_agent_new(Alarms *alarms, const ModelAgentSetup *setup, ModelAgent **ret_agent, Err *err);
ModelAgent *model_agent_free(ModelAgent *agent);

/* Its `user` is the ModelAgent. */
const Thinker *model_agent_thinker(void);

/* Goes on now, as then: for who has its moves, and lets no alarm ring. */
void model_agent_move(ModelAgent *agent, ModelMove move, TimeUs now);

/* The id of the game that it plays, or played last, as the server told it; empty: none. Borrowed
 * until the next game. */
Str model_agent_game(const ModelAgent *agent);

/* Its opinions of the game that ends are held against who was a wolf: for who knows that before the
 * agent is told. */
void model_agent_score(ModelAgent *agent, bool (*is_wolf)(const void *user, Str name),
                       const void *user);

/* Whether the answers of another time fit so far; `over`: and there are no more of them. 0 without
 * any. Errors: those of llm_answers_failed and llm_answers_end. */
int model_agent_replayed(const ModelAgent *agent, bool over, Err *err);

/* Answers that were given, and where they came from. */
typedef struct ModelCounts {
    uint64_t decisions;
    uint64_t by_model; /* at the first or second try */
    uint64_t by_demo;
    uint64_t by_rule;
    uint64_t hurried; /* of by_rule: there was no time to ask */
    ModelFigures figures;
    char trouble[LLM_TROUBLE_MAX + 1]; /* why a rule decided last; "" = never, or hurried */
    const LlmEndpoint *endpoint;       /* borrowed; NULL: the demo model. Of several the last one */
} ModelCounts;
void model_agent_count(const ModelAgent *agent, ModelCounts *counts); /* added to them */

/* "12 of 40 decisions were the model's own; ..." as one line. */
void model_counts_write(const ModelCounts *counts, Buf *out);
/* The line of a DecisionSheet, for a server that has started this program; nothing when there were
 * no decisions. */
void model_counts_write_sheet(const ModelCounts *counts, Buf *out);
/* The same while it plays: only numbers. */
void model_counts_write_so_far(const ModelCounts *counts, Buf *out);
/* EXIT_NOT_OWN when less than 90 % were the model's own; the demo model's are. */
Exit model_counts_status(const ModelCounts *counts);

#endif
