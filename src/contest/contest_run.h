/* contest_run.h - plays a whole plan: its stages one after the other, with or without outside
 *                 agents, kept in a folder or not.
 *
 * For:    `warg run`.
 * Memory: contest_run owns what it opens; a ContestResult is the caller's.
 * Thread: call from one; `progress` and the other callbacks come from it.
 * Source: docs/spec/protocol-division.md 8.2 to 8.4 (testing, preliminary with the 15 best, final).
 */
#ifndef WARG_CONTEST_CONTEST_RUN_H
#define WARG_CONTEST_CONTEST_RUN_H

#include "contest/out_folder.h"
#include "match/agent_cell.h"
#include "match/hall.h"
#include "match/threads.h"

/* One game of a plan, played again. */
typedef struct ContestGame {
    uint32_t stage;
    uint64_t game;
    const OutFolder *before; /* the stages before it, which say who goes on; NULL for the first */
} ContestGame;

/* Hears how a contest that was played follows from its plan and its keys. */
typedef struct ContestCheck {
    /* One size of tables of a stage, or an extra round: who sits where and what each game is dealt
     * follow from it. Its numbers begin with its bases; `played` is what the journal has of the
     * whole stage. */
    int (*part)(void *user, const StageRun *stage, const Played *played, Err *err);
    /* A stage of rounds, behind its parts: `contradiction` says what is wrong with where it
     * stopped, empty = nothing. */
    int (*stop)(void *user, uint32_t stage, Str contradiction, Err *err);
    /* What the journal has to say of who goes on behind a stage; `standings` of it are ranked. */
    int (*cut)(void *user, uint32_t stage, Str note, Err *err);
    void *user;
} ContestCheck;

typedef struct ContestRun {
    Plan *plan;          /* its seed may be taken from the journal */
    const char *out;     /* folder for everything; NULL = nothing is kept */
    const char *answers; /* such a folder, whose models' answers are given again; NULL = none */
    bool prompts;        /* with `out`: what models are sent is kept there, too */
    bool resume;
    bool logs; /* with `out`: game logs too */
    bool gzip;
    bool exchange;      /* with `out` and `logs`: exchange records of outside agents too */
    const char *ledger; /* origin of a ledger that follows the journal; NULL = none */
    uint32_t until; /* so many stages of the plan, with who goes on behind the last of them; 0 = all
                     */
    uint32_t jobs;  /* threads, for stages of built-in bots */
    const char *host;           /* where agents that we start connect to */
    const AgentCellSetup *cell; /* agents run in such a cell; NULL = in none. Borrowed */
    const ContestGame *only;    /* nothing but this game, without a folder; NULL = all */
    const ContestCheck *check;  /* nothing is played or written: `out` was, and is looked at */
    TimeUs (*now)(void);        /* what time it is, asked when a stage opens: loop_now */
    DateMs *date;               /* of games and faults */
    const LiveSink *live; /* who watches games of outside agents; its calls come from this thread,
                             at the time of `now`. NULL = nobody */
    Trial *trial;         /* ends the plan's only stage when it is decided; borrowed, NULL = none */

    /* Instead of a folder: hears finished games, from any thread. May be NULL. */
    int (*finished)(void *user, const GameRecord *record, Str log, Err *err);
    /* Hears each game that a hall has played, after it is kept. May be NULL. */
    void (*counted)(void *user, const GameRecord *record);
    /* About ten times a second: games of this stage (by stage_number) that are finished (and on
     * disk, with `out`), of how many. False ends the contest early. */
    bool (*progress)(void *user, uint32_t stage, uint64_t done, uint64_t games, TimeUs now);
    void (*fault)(void *user, uint32_t stage, uint64_t set, uint64_t game, Str agent,
                  const Fault *fault);
    void (*note)(void *user, Str text);
    /* A stage is over; its standings are ranked. */
    void (*stage_over)(void *user, uint32_t stage, const Standings *standings);
    void *user;
} ContestRun;

typedef struct ContestResult {
    Standings standings; /* of the last stage that was begun, ranked */
    uint32_t stage;      /* which that was */
    uint64_t games;      /* played in all stages, before and now */
    uint64_t games_now;  /* played by this call */
    bool complete;
    bool reached;    /* as far as ContestRun.until says */
    bool not_ranked; /* in some stage that was played to its end, or the last: an agent is not */
    bool not_own; /* likewise: less of a model player's decisions than the plan's own_share were its
                     own */
    bool waiting; /* for lots or a beacon of the next stage; `note` was told */
    bool halted;  /* too few agents are ranked for the next stage; `note` was told */
} ContestResult;

void contest_result_done(ContestResult *result); /* also for CLEANUP */

/* Errors: those of the folder, of playing, and of a disk that is full; `ret_result` (zeroed before)
 * holds what was played until then. Ended early by progress(), waiting or halted: 0, and not
 * complete. */
int contest_run(const ContestRun *run, ContestResult *ret_result, Err *err);

#endif
