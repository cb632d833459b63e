/* model_state.h - the inside of a ModelAgent, for the files that make it up.
 *
 * For:    model_agent.c (asks and answers), model_news.c (what it hears), model_scene.c (what it is
 *         shown). Nobody else.
 * Memory: see model_agent.h.
 * Thread: see model_agent.h.
 * Source: docs/spec/maw.md 5.
 */
#ifndef WARG_THINKER_MODEL_STATE_H
#define WARG_THINKER_MODEL_STATE_H

#include "base/arena.h"
#include "base/rng.h"
#include "stats/opinion_score.h"
#include "thinker/model_agent.h"

/* What of this game it has been told already. */
typedef struct ModelTold {
    bool day_known;
    uint16_t day;
    uint32_t talk; /* utterances of today */
    uint32_t whisper;
    VoteLog votes;
    VoteLog attack_votes;
    SeatSet dead;
    uint16_t divined; /* the result's day + 1 */
    uint16_t identified;
    const char *causes[SEAT_MAX + 1]; /* of death; NULL: not known */
    Species species[SEAT_MAX + 1];    /* as it has seen them itself */
} ModelTold;

#define MODEL_OPINIONS_MAX 1000 /* of a game; what is beyond counts for no score */

typedef struct ModelOpinion {
    SeatNo target;
    uint8_t percent;
} ModelOpinion;

/* What it thinks beside the game: model_opinion.c. */
typedef struct ModelMind {
    Alarm alarm;
    uint64_t seed;
    bool heard;   /* somebody else has spoken since an opinion was due last */
    bool opines;  /* the seat is asked for one */
    uint32_t due; /* the number of the one that waits for the seat; 0: none */
    uint32_t opined_day;
    uint32_t lines; /* of all, in this game */
    ModelOpinion opinions[MODEL_OPINIONS_MAX];
    uint32_t count;
    OpinionScore score; /* of the games that are over */
} ModelMind;

struct ModelAgent {
    ModelAgentSetup setup;
    LlmSeat *seat;
    Alarm alarm;
    Arena arena; /* of one sentence */
    Rng rng;
    const View *view; /* NULL: no game yet */
    bool in_game;
    LlmLanguage language;
    uint32_t game;
    ModelTold told;
    Buf profile; /* whom the server has it play */
    Buf game_id; /* as the server tells it; empty: not */
    Buf notes;   /* what holds for the whole game beside the rules, a line each */
    Buf shown;   /* what holds for this ask alone */

    bool asked;
    Ask ask;
    uint64_t asks;
    TimeUs until;   /* a standing ask: the session's end; TIME_US_NEVER: not told */
    bool news;      /* somebody else has spoken since it was asked last */
    bool addressed; /* and to it */
    bool listened;  /* that is what it decided last, in this game */
    bool spoke_last;
    TimeUs spoke_at;
    TimeUs decided_at; /* a standing ask: the last decision, or its beginning */
    TimeUs next;       /* likewise: its pause is over */
    ModelCounts counts;
    ModelMind mind;
};

/* model_news.c: hears what is new in the view. */
void model_begin(ModelAgent *agent);
void model_look(ModelAgent *agent);
void model_end(ModelAgent *agent, Side winner);

/* model_opinion.c. */
void model_opinion_open(ModelAgent *agent, Alarms *alarms);
void model_opinion_begin(ModelAgent *agent); /* of a game */
/* Nothing is asked of the seat now: what was heard is something to have an opinion on. */
void model_opinion_due(ModelAgent *agent);
void model_opinion_look(ModelAgent *agent); /* the seat is free */
bool model_opinion_stop(ModelAgent *agent); /* true when one was being asked for */
/* The game's opinions are held against who was a wolf. */
void model_opinion_score(ModelAgent *agent, SeatSet wolves);

/* model_scene.c: the scene for an ask, from the view; borrows from agent and view. False when
 * nothing can be said or chosen. */
bool model_scene(ModelAgent *agent, const Ask *ask, TimeUs now, LlmScene *ret_scene);
/* Where Skips are counted: one too many ends its talk of the day. */
bool model_must_speak(const View *view, const Ask *ask);
/* Whether a name of the game is Japanese, or what the setup says. */
LlmLanguage model_language(const ModelAgent *agent, const View *view);

static inline bool model_is_japanese(const ModelAgent *agent)
{
    return agent->language == LLM_JAPANESE;
}

#endif
