/* scene.h - what a model player is shown: the game as its seat sees it, in the field's words.
 *
 * For:    the guiding prompt, the reader of answers, the demo model. Built anew for each decision,
 *         from a player's MawKnown, a View, or a packet.
 * Memory: all is borrowed.
 * Thread: pure.
 * Source: docs/spec/maw.md 5.2, 5.3, 7.4.
 */
#ifndef WARG_LLM_SCENE_H
#define WARG_LLM_SCENE_H

#include "base/buf.h"
#include "game/role.h"

typedef enum LlmLanguage {
    LLM_ENGLISH,
    LLM_JAPANESE,
} LlmLanguage;

/* What is wanted. */
typedef enum LlmTask {
    TASK_ROOM,    /* MAW: speak, vote or listen */
    TASK_TALK,    /* speak or listen */
    TASK_WHISPER, /* likewise, among wolves */
    TASK_VOTE,    /* a target */
    TASK_DIVINE,
    TASK_GUARD,
    TASK_ATTACK,
    TASK_BID,     /* how much it wants to speak next: targets are "0" to "4" */
    TASK_OPINION, /* whom it would vote for, and how sure it is: docs/spec/models.md 3 */
} LlmTask;

typedef enum LlmSpeech {
    SPEECH_NATURAL,
    SPEECH_PROTOCOL, /* one sentence of the AIWolf protocol language */
} LlmSpeech;

typedef struct LlmSeatSeen {
    Str name;
    bool alive;
    bool mate;
    Str cause;     /* of death: "executed"; empty while it lives */
    Str role;      /* when it is known; else empty */
    Str votes_for; /* in this phase; empty: not told */
    uint32_t votes;
} LlmSeatSeen;

#define LLM_SEATS_MAX 64

typedef struct LlmScene {
    LlmLanguage language;
    LlmSpeech speech;
    LlmTask task;
    Str me;
    Str persona; /* one line; may be empty */
    Str role;    /* "Werewolf", "Seer" ... */
    Side side;
    bool maw;        /* MAW's rules, else AIWolf's */
    uint32_t wolves; /* how many there were at first; 0 = not told */
    uint32_t day;
    bool night;
    int32_t seconds_left;             /* -1: no clock */
    LlmSeatSeen seats[LLM_SEATS_MAX]; /* me among them */
    uint32_t seat_count;
    Str targets[LLM_SEATS_MAX]; /* valid ones, living; empty: no vote is possible */
    uint32_t target_count;
    Str my_vote;
    Str notes; /* what holds for the whole round beside the rules, a line each; may be empty */
    Str facts; /* what holds now, a line each; may be empty */
    uint32_t max_chars;  /* of a line; 0 = 300 */
    uint32_t lines_said; /* in the round, as far as it has heard: of an opinion */
    uint64_t seed;       /* shuffles the order of names, per seat and request */
} LlmScene;

#endif
