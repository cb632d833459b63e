/* talker_mind.h - what a talker at a MAW table keeps of a round: who said, voted and claimed what,
 *                 and which reasons that gives to suspect somebody.
 *
 * For:    maw/talker.h and what it names; maw/driver_talker.c.
 * Memory: a plain value; zero is a fresh one.
 * Thread: one at a time.
 * Source: docs/spec/models.md 4.9: reasons that are true in the game.
 *
 * Seats are places in MawKnown.players, which are those of the scene. A set has a bit for each.
 */
#ifndef WARG_MAW_TALKER_MIND_H
#define WARG_MAW_TALKER_MIND_H

#include "base/rng.h"
#include "bot/phrases.h"
#include "maw/scene_table.h"
#include "maw/suspicion.h"

#define REASON_MAX 64 /* of one round, by this talker */

typedef struct TalkerMind {
    uint32_t round, day;
    bool night;
    bool patient; /* there are people, who read and type: not yet does silence say anything */
    Suspicion suspicion;             /* of the round: words and votes; claims and results */
    uint64_t accused[LLM_SEATS_MAX]; /* by words, in this round; by speaker */
    uint64_t voted[LLM_SEATS_MAX];   /* by voter: all votes of this round */
    uint64_t vouched[LLM_SEATS_MAX]; /* by speaker: whom it spoke for in this round */
    uint64_t turned[LLM_SEATS_MAX];  /* ... and later against */
    /* Today. */
    uint64_t today[LLM_SEATS_MAX]; /* accused by words */
    uint64_t left[LLM_SEATS_MAX];  /* whom its vote was taken away from */
    uint32_t vote[LLM_SEATS_MAX];  /* one more than the place; 0: nobody */
    uint32_t lines[LLM_SEATS_MAX];
    uint32_t accusations[LLM_SEATS_MAX]; /* lines with a suspect */
    uint32_t first;                      /* who was the first to name one, one more; 0: nobody */
    uint8_t told[PHRASE_COUNT];          /* how often a line of this kind was said, by others */
    uint64_t asked;                      /* who asks me, and has no answer yet */
    /* Yesterday. */
    bool had_day;
    uint64_t before[LLM_SEATS_MAX];
    uint32_t vote_before[LLM_SEATS_MAX];
    uint64_t alive_before; /* at its end, with who was executed */
    uint32_t executed;     /* one more; 0: nobody */
    uint32_t victim;       /* of last night, one more; 0: nobody */
    /* The round. */
    uint64_t murdered;
    uint64_t condemned[LLM_SEATS_MAX]; /* by victim: whom it was against on its last day */
    uint64_t caught[LLM_SEATS_MAX];    /* by speaker: accused the day before, but not voted for */
    /* Reasons that were given by this talker. */
    struct {
        Phrase why;
        uint32_t a, b;
    } given[REASON_MAX];
    uint32_t given_count;
} TalkerMind;

/* Why somebody is suspected: a phrase, and whom else it names. */
typedef struct TalkerReason {
    Phrase why;
    uint32_t b; /* NO_PLACE: nobody */
} TalkerReason;

/* A new phase: what was today is yesterday. */
void mind_enter_phase(TalkerMind *mind, uint32_t round, uint32_t day, bool night);
/* Somebody's line by day, mine too, as far as it is understood. `reading` may be NULL. */
void mind_hear(TalkerMind *mind, uint32_t who, uint32_t me, const PhraseRead *reading,
               const Understood *heard, unsigned count);
/* A vote by day; whom NO_PLACE: it was taken back. */
void mind_note_vote(TalkerMind *mind, uint32_t who, uint32_t whom);
/* A phase has ended: "executed", "murdered" or nothing, and whom it befell; NO_PLACE: nobody. */
void mind_note_end(TalkerMind *mind, const LlmScene *scene, Str status, uint32_t whom);

/* How much each of the others who live is suspected; 0: not at all. `inside` as for
 * suspicion_weigh; `seed` makes two minds a little different, the same all the round. */
void mind_weigh(const TalkerMind *mind, const LlmScene *scene, uint32_t me, bool inside,
                uint64_t seed, uint64_t ret[LLM_SEATS_MAX]);

/* A reason to suspect `whom` that is true by all that was heard, the better the likelier, none that
 * was given before. False: there is none. `values` are those of mind_weigh. */
bool mind_find_reason(const TalkerMind *mind, const LlmScene *scene, uint32_t me, uint32_t whom,
                      const uint64_t values[LLM_SEATS_MAX], Rng *rng, TalkerReason *ret);
void mind_note_given(TalkerMind *mind, Phrase why, uint32_t a, uint32_t b);

/* Two who have spoken against each other, and live. False: there are none. */
bool mind_find_quarrel(const TalkerMind *mind, const LlmScene *scene, uint32_t me, uint32_t *ret_a,
                       uint32_t *ret_b);

#endif
