/* view.h - what one seat may know now. Codecs and bots get views, never games.
 *
 * For:    every kind of seat. A role, whisper, attack vote, divination or guard that the seat may
 *         not know is not in the struct, and no pointer in it leads there.
 * Memory: the game owns views and all they point to; borrowed until the game changes. Texts of
 *         talk live until the next day begins.
 * Thread: the game's.
 * Source: docs/spec/protocol-division.md 2.5 (who sees what); docs/spec/maw.md 1.
 */
#ifndef WARG_GAME_VIEW_H
#define WARG_GAME_VIEW_H

#include "game/ruleset.h"

/* Milliseconds since the game began. */
typedef int64_t TimeMs;
#define TIME_NEVER INT64_MAX

/* The parsed form of an utterance (lang/lang.h). The engine carries it and never looks inside. */
struct Sentence;

typedef struct Talk {
    Str text;                        /* as recorded: "Skip" and "Over" may be the engine's */
    const struct Sentence *sentence; /* as the answer brought it; NULL = nobody parsed it */
    TimeMs time;
    uint32_t idx;  /* counts from 0 each day, talk and whisper apart */
    uint32_t turn; /* from 0 in a session; ANYTIME: the speaker's own count */
    uint16_t day;
    SeatNo seat;
    bool skip; /* recorded as Skip */
    bool over; /* recorded as Over */
} Talk;

/* Today's utterances so far. */
typedef struct TalkLog {
    const Talk *items;
    uint32_t count;
} TalkLog;

typedef struct Vote {
    SeatNo voter;
    SeatNo target;
} Vote;

/* One ballot, voters ascending. */
typedef struct VoteLog {
    uint16_t day;
    uint8_t count;
    Vote items[SEAT_MAX];
} VoteLog;

/* What a seer or medium learnt. target == SEAT_NONE: nothing. */
typedef struct Judge {
    uint16_t day; /* the day on which it is learnt */
    SeatNo agent; /* who looked */
    SeatNo target;
    Species result;
} Judge;

typedef struct View {
    const Ruleset *rules;
    const uint8_t *role_counts; /* by Role: how many of each are in this game */
    const Str *names;           /* names[1..seat_count] in the game */

    SeatNo seat;
    SeatNo seat_count;
    Role role;
    uint16_t day;
    SeatSet alive;               /* as this seat knows it now */
    SeatSet alive_at_dawn;       /* at the start of today */
    uint8_t roles[SEAT_MAX + 1]; /* Role; ROLE_NONE = not known to this seat */

    const TalkLog *talk;
    const TalkLog *whisper;        /* empty for who may not hear it */
    const uint16_t *talk_left;     /* by seat: utterances left in the session */
    const uint16_t *whisper_left;  /* NULL for who may not know */
    const int32_t *talk_length;    /* by seat: length left in the session (per_agent), may be < 0 */
    const int32_t *whisper_length; /* NULL for who may not know */
    const uint16_t *talk_skips;    /* by seat: SKIP_BUDGET: Skips left; else Skips in a row */
    const uint16_t *whisper_skips; /* NULL for who may not know */

    const VoteLog *latest_votes;        /* the most recent ballot of today */
    const VoteLog *votes;               /* the last ballot of yesterday */
    const VoteLog *latest_attack_votes; /* wolves only, else empty */
    const VoteLog *attack_votes;        /* wolves only, else empty */
    const SeatNo *standing_votes;       /* by seat; MAW's open ballot, NULL when there is none */

    SeatNo executed_today; /* who was executed today, once this seat is told */
    SeatNo executed;       /* who was executed yesterday */
    SeatNo last_dead[2];   /* who died last night: the cursed, the attacked */
    uint8_t last_dead_count;
    SeatNo attacked;  /* whom the wolves attacked last night; wolves only */
    SeatNo guarded;   /* whom the bodyguard guarded last night; bodyguard only */
    Judge divined;    /* last night's divination; seer only */
    Judge identified; /* the medium's result; medium only */

    Side winner; /* SIDE_NONE until the game is over */
    bool over;
} View;

#endif
