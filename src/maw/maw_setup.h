/* maw_setup.h - what a MAW session is made of: rules of the table, of the lobby and of the clock
 *               that the engine does not know.
 *
 * For:    maw/session.h; `warg maw` reads them from a ruleset file and options.
 * Memory: texts are borrowed for the session's life.
 * Thread: constant once made.
 * Source: docs/spec/maw.md 1.1, 1.2, 9.
 */
#ifndef WARG_MAW_MAW_SETUP_H
#define WARG_MAW_MAW_SETUP_H

#include "game/game.h"
#include "llm/manner.h"
#include "llm/scene.h"
#include "net/loop.h"
#include "wire/maw_stanza.h"

typedef enum MawWhispers {
    WHISPERS_OFF,
    WHISPERS_DAY,
    WHISPERS_ALWAYS,
} MawWhispers;

typedef enum MawFill {
    FILL_NONE, /* the lobby does not fill: the session is given up */
    FILL_BOTS, /* the caller seats bots (MawOut.fill) */
} MawFill;

typedef enum MawReveal {
    REVEAL_NONE,
    REVEAL_TEAM, /* the side: of a Seer "Villager" */
    REVEAL_ROLE,
} MawReveal;

#define MAW_SPECTATORS_MAX 64

/* Zero is not the default: maw_options_default. Times in milliseconds. */
/* Who may look at what models thought, in a browser: docs/spec/web.md 8. */
typedef enum MawMinds {
    MINDS_END,      /* everybody, when the session is over */
    MINDS_OPERATOR, /* operators alone */
} MawMinds;

typedef struct MawOptions {
    uint32_t players;       /* 3..30 */
    uint32_t wolves;        /* so many instead of a third; 0 = the rules say */
    uint32_t rounds;        /* 1.. */
    TimeMs lobby_ms;        /* A31; 0 = wait for ever */
    TimeMs wait_told_ms;    /* the lobby is told what it waits for when it has waited so long at the
                             * start: 5 s; between rounds at once; 0 = never */
    TimeMs scores_ms;       /* the lobby stays open so long between rounds: 5 s */
    TimeMs night_min_ms;    /* A15: what an earlier end of a night brings is told only then: 0 */
    TimeMs rejoin_ms;       /* A30: 60 s */
    TimeMs absent_after_ms; /* from outside, awake, and nothing heard of it for so long: absent as
                             * if a message had come back; 300 s, a day; 0 = never */
    TimeMs pause_after_ms;  /* 8.1: game clocks stop so long after the link was lost: 5 s */
    MawFill fill;
    MawReveal reveal_village; /* G13: of the executed, on the next morning: REVEAL_NONE */
    MawReveal reveal_hideout; /* G17: of the executed, at the night's start: REVEAL_ROLE */
    MawWhispers whispers;     /* 7.2 */
    bool whispers_public;     /* that A whispered to B is told to all */
    bool score_dead;          /* A26: true */
    bool push;                /* new lines are sent to subscribers: true (A23) */
    bool graveyard;           /* A20 */
    uint32_t spectators;      /* 7.1: so many may watch, a phase late: 0 */
    LlmLanguage language;     /* of the system's lines; English */
    MawMinds minds;           /* MINDS_END */
    LlmOpinions opinions;     /* OPINIONS_OFF */
    uint32_t line_rate_ms;    /* A36: one line a second ... */
    uint32_t line_burst;      /* ... and a burst of 3 */
} MawOptions;

MawOptions maw_options_default(void);

#endif
