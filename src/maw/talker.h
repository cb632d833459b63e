/* talker.h - a talker at a MAW table: what it remembers, and the jobs its files share.
 *
 * For:    driver_talker.c, which hears for it and does what it decides, and talker_*.c only:
 *             talker_mind.c    what was said, voted and claimed; what speaks against whom
 *             talker_choice.c  whom it speaks and votes against
 *             talker_claims.c  who claims to be the Seer, itself or others
 *             talker_day.c     what it says and does by day
 *             talker_night.c   wolves among themselves
 *             talker_voice.c   in which words
 *             talker_chance.c  what it does now and then
 *         The table by place is scene_table.h.
 * Memory: one value of about 70 KB; scene and chance are borrowed, those of the decision under way.
 * Thread: one at a time; pure but for its chance.
 * Source: docs/spec/models.md 4.9; docs/spec/maw.md 5.7 (bots need no model).
 */
#ifndef WARG_MAW_TALKER_H
#define WARG_MAW_TALKER_H

#include "base/rng.h"
#include "llm/seat.h"
#include "maw/talker_mind.h"

#define TALKER_SLOTS     16384
#define TALKER_PARTS_MAX 16
#define LINES_EACH       6 /* a talker's own lines in a phase; a few more, where its vote needs words */
#define LINES_MOST       9

typedef struct TalkerResult {
    uint32_t about;
    bool wolf;
    bool told;
} TalkerResult;

typedef struct MawTalker {
    const LlmScene *scene; /* of the decision under way */
    Rng *rng;
    Rng words;     /* chooses wordings: what is meant does not depend on it */
    uint64_t seed; /* for what must not change in a round or phase */
    TalkerMind mind;
    /* This phase. */
    uint32_t round, phase_no;
    bool early; /* others may still want to speak */
    uint32_t said;
    uint64_t spoken; /* whom it spoke against */
    bool opened, denied, vouched, asked_somebody, declared, planned;
    uint32_t chosen;   /* whom it has said that it votes for, one more than the place */
    uint32_t answered; /* how many */
    /* This round. */
    bool greeted;
    uint64_t believed;  /* claimants */
    bool out;           /* it has claimed to be the Seer */
    uint16_t asked_day; /* a Seer's question */
    uint32_t told_day;  /* a false Seer's result */
    uint32_t result_count;
    TalkerResult results[LLM_SEATS_MAX];
    uint32_t story; /* whom the wolves want to blame, one more than the place */
    uint32_t prey;  /* whom a mate wants to attack, likewise */
    /* The session: wordings are chosen so that all come up. */
    uint16_t heads[PHRASE_COUNT][TALKER_PARTS_MAX];
    uint16_t tails[PHRASE_COUNT][TALKER_PARTS_MAX];
    uint32_t slots[TALKER_SLOTS]; /* numbers of the lines that were heard; 0: free */
    uint32_t slot_count;
} MawTalker;

/* ---- talker_chance.c ---- */

/* By chance, so many times of a hundred; the second is the same all the round long, the third all
 * the phase. */
bool talker_draws(MawTalker *talker, uint32_t of_hundred);
bool talker_draws_for_round(const MawTalker *talker, const char *what, uint32_t of_hundred);
bool talker_draws_for_phase(const MawTalker *talker, const char *what, uint32_t of_hundred);

/* ---- talker_voice.c ---- */

/* Says it, of the places `a` and `b`, into `decision`. False when nobody could say it in a way that
 * was not heard yet. */
bool voice_say(MawTalker *talker, Phrase phrase, uint32_t a, uint32_t b, LlmDecision *decision);
/* A line was heard; and which wording it was, if it was one of ours. */
void voice_note(MawTalker *talker, Str text);
void voice_wear(MawTalker *talker, TalkerLanguage language, Wording wording);

/* ---- talker_choice.c: `values` say how much each seat is suspected ---- */

/* A wolf sees it as a villager would who knows nothing of himself, and has a story to tell. */
void choice_weigh(const MawTalker *talker, uint64_t values[LLM_SEATS_MAX]);
/* One by chance of those whose value is not below `least`; NO_PLACE: there is none. */
uint32_t choice_worth(MawTalker *talker, const uint64_t *values, uint64_t least);
uint32_t choice_most(MawTalker *talker, const uint64_t *values);
/* Whom it speaks against. */
uint32_t choice_suspect(MawTalker *talker, const uint64_t *values);
/* Whom it wants executed: who is suspected, and rather who will be executed anyway. It keeps to its
 * vote while another one is not clearly worse. */
uint32_t choice_condemned(MawTalker *talker, const uint64_t *suspected, bool spoken_only);

/* ---- talker_claims.c ---- */

/* Claims and results of its own, when it is time for them. */
bool claims_tell(MawTalker *talker, const uint64_t *values, LlmDecision *decision);
/* What it thinks of another one's claim, once. */
bool claims_judge(MawTalker *talker, const uint64_t *values, LlmDecision *decision);
/* A Seer's question of the day: whose role; NO_PLACE: none. */
uint32_t claims_question(MawTalker *talker);
void claims_answer(MawTalker *talker, uint32_t about, bool wolf);

/* ---- talker_day.c, talker_night.c ---- */

void day_decide(MawTalker *talker, LlmDecision *decision);
/* Asked for a vote because time runs out. */
void day_vote_at_last(MawTalker *talker, LlmDecision *decision);
void night_decide(MawTalker *talker, LlmDecision *decision);
void night_vote_at_last(MawTalker *talker, LlmDecision *decision);
/* A mate has said this by night. */
void night_hear(MawTalker *talker, const PhraseRead *reading);

#endif
