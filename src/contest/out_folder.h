/* out_folder.h - the folder for all that a contest leaves: journal, logs, faults, results, report.
 *
 * For:    `warg run --out` and `warg serve --out`, begun anew or resumed.
 * Memory: an OutFolder owns its journal and what was read from it.
 * Thread: open and close from one thread; out_folder_add_game from any.
 * Source: docs/contest.md, "Where the results are".
 *
 *     DIR/journal.jsonl    the truth: plan, sets, games           journal/journal.h
 *     DIR/secret/key       keys, until the journal has them       disk/key_file.h
 *     DIR/logs/            one AIWolf game log a game
 *     DIR/faults.jsonl     what agents did wrong, one line each
 *     DIR/findings.jsonl   what programs were found at, one line each; where there is something
 *     DIR/agents/NAME/     what agents that we started have printed, a file for each set
 *     DIR/results.db       the journal as SQL tables              results/results.h
 *     DIR/report.html      the report                             results/report.h
 */
#ifndef WARG_CONTEST_OUT_FOLDER_H
#define WARG_CONTEST_OUT_FOLDER_H

#include "contest/conducts.h"
#include "journal/journal.h"
#include "journal/journal_voids.h"
#include "journal/played.h"
#include "match/plan.h"
#include "record/stage_number.h"
#include "stats/own_sets.h"
#include "stats/trial.h"

/* Open for reading; zero it first. */
typedef struct OutFolder {
    const char *dir; /* borrowed */
    /* Hears the games played before, while the folder is opened; may be NULL. */
    int (*played_game)(void *user, const GameRecord *record, Err *err);
    void *user;
    Trial *trial; /* gets the games played before, of the first stage; borrowed, may be NULL */
    OperatorActs *acts; /* of a server: gets what operators did before; borrowed, may be NULL */
    Journal *journal;
    Played played[STAGE_NUMBERS_MAX];       /* by stage_number, as the next */
    Standings standings[STAGE_NUMBERS_MAX]; /* of the games played before, all of them */
    OwnSets own_sets; /* with Plan.own_sets: of these games, and of those played since */
    JournalLots
        frozen[STAGES_MAX];     /* programs, as the journal has them; items are the plan's texts */
    bool lots_told[STAGES_MAX]; /* lots and beacon of the stage are in the journal */
    Conducts conducts;          /* what its agents did, and what was ruled */
    bool cut_noted[STAGES_MAX]; /* the journal says who went on behind the stage */
    bool stopped[STAGES_MAX];   /* the journal says that the stage, one of rounds, is over */
    JournalStop stops[STAGES_MAX]; /* ... and when */
    JournalVoids made_up; /* what was ruled void before its stage, one of rounds, stopped */
    int64_t last_ended[STAGE_NUMBERS_MAX]; /* the last game that counts, as Unix time in ms */
    JournalTrial told_trial;               /* what the journal says last of a trial */
    uint64_t games_before;
    uint32_t part;              /* of the folder, counted by keys: the one that is played */
    bool published[STAGES_MAX]; /* the key of its stage is in the journal: nothing may be played
                                 * with it */
    bool ended_before;          /* the journal says that the contest was played to its end */
    bool lost; /* after out_folder_close: not all that the journal was given is on disk */
} OutFolder;

/* Begins the folder, or with `resume` goes on with what it holds. `plan` gets the seed of the
 * journal when it has none of its own (seed_given false), and the keys of DIR/secret; then all that
 * decides the games must be as in the journal.
 * Errors: ERR_USAGE when there is a journal and no `resume`, or none and `resume`, or when the
 * plan is another one; those of journal_read. */
int out_folder_open(OutFolder *folder, const char *dir, bool resume, Plan *plan, Err *err);

/* Reads again what the folder's journal says by now, all of which is on disk. Errors: as
 * out_folder_open. */
int out_folder_reread(OutFolder *folder, Plan *plan, Err *err);

/* Appends what the journal's note of who goes on behind a stage begins with. */
void out_folder_cut_begin(const PlanStage *stage, Buf *out);

/* What a folder's games came from, for playing them again: fills `plan`, whose names and stages
 * have to be there, from DIR/journal.jsonl, and the standings of what it holds. The key is the
 * published one, else that of DIR/secret. Nothing is written. Errors: as out_folder_open; ERR_IO
 * when the key is in neither. */
int out_folder_read(OutFolder *folder, const char *dir, Plan *plan, Err *err);

/* After a published key of a plan of one stage: draws the next, on disk and committed to when it
 * returns. Errors: ERR_IO, ERR_MEMORY. */
int out_folder_next_key(OutFolder *folder, Plan *plan, Err *err);

/* The journal gets the key of a stage that is over: nothing more is played with it. Where one key
 * is that of all stages only the last one's end publishes it. */
int out_folder_publish(OutFolder *folder, const Plan *plan, uint32_t stage, Err *err);

/* Waits until all is on disk, writes the last line when the contest is `complete`, and makes
 * results.db and report.html, unless there are so many games that it would be waited for.
 * `games`: played since it was opened. Errors: ERR_IO. */
int out_folder_close(OutFolder *folder, bool complete, uint64_t games, Err *err);

void out_folder_done(OutFolder *folder); /* also for CLEANUP; after an error without close */

#endif
