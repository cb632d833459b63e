/* result_journal.h - the journal of a natural-language server's games, beside their logs.
 *
 * For:    hall_end.c, which has each game on disk before anybody hears of its result; serve/,
 *         which opens one for each folder of logs. Standings, ratings, reports read it.
 * Memory: a ResultJournal owns its journal; servers of one process that share a folder borrow one.
 * Thread: the hall's.
 * Source: journal/journal.h; docs/architecture.md, "One fault, and one end of game".
 *
 *   OPEN --a game can't be written--> BROKEN --the next game--> OPEN, or BROKEN again
 *
 *   BROKEN: the disk was full, or the file is gone. What was written counts; a torn line is cut off
 *           when it is opened again.
 *
 * A game that a kill has cut off is not in it, however much of its log is there: history_recover
 * asks result_journal_knows.
 */
#ifndef WARG_NLP_RESULT_JOURNAL_H
#define WARG_NLP_RESULT_JOURNAL_H

#include "base/time_us.h"
#include "game/ruleset.h"
#include "journal/operator_act.h"
#include "record/game_record.h"

typedef struct ResultJournal ResultJournal;

/* Begins DIR/journal.jsonl, or goes on with it. `date`: of faults. Errors: ERR_IO when another
 * server writes it, ERR_USAGE when it is of a contest of another division; those of journal_read
 * and journal_begin. */
int result_journal_open(const char *dir, const Ruleset *rules, DateMs *date,
                        ResultJournal **ret_results, Err *err);
/* Takes NULL. All that was added is on disk already. */
ResultJournal *result_journal_free(ResultJournal *results);

/* A number for a game that begins; no game gets it again, unless this one is lost to a kill. */
uint64_t result_journal_number(ResultJournal *results);

/* What went wrong in a game that goes on; forgotten when the game is never added. */
void result_journal_fault(ResultJournal *results, uint64_t game, Str agent, const Fault *fault);

/* Has `written` called after games came to disk, or could not: on the journal's thread, so that it
 * may do little more than wake a loop. Until it is set, adding a game waits for the disk. */
void result_journal_on_written(ResultJournal *results, void (*written)(void *user), void *user);

/* Adds a game; its ticket says later whether it is on disk. Errors: ERR_IO and others of the
 * journal: the game is not there. */
int result_journal_add(ResultJournal *results, const GameRecord *record, uint64_t *ret_ticket,
                       Err *err);

typedef enum ResultState {
    RESULT_WAITS,   /* for the disk */
    RESULT_WRITTEN, /* it is there */
    RESULT_LOST,    /* it is not, `err` says why */
} ResultState;
ResultState result_journal_state(ResultJournal *results, uint64_t ticket, Err *err);

/* What operators did, now and in earlier runs: of all servers that share the journal. */
const OperatorActs *result_journal_acts(const ResultJournal *results);
/* One more: on disk when this returns 0, and all servers that share the journal are woken. Errors:
 * ERR_IO and others of the journal, ERR_MEMORY: it was not done. */
int result_journal_act(ResultJournal *results, const OperatorAct *act, Err *err);
/* Hears the game of this id, if it is on disk; void when an act has made it so. Errors: those of
 * journal_read, and of `hear`. */
int result_journal_game(const ResultJournal *results, Str id,
                        int (*hear)(void *user, const GameRecord *record, Err *err), void *user,
                        Err *err);
/* The folder. */
const char *result_journal_dir(const ResultJournal *results);

/* What the journal said at the beginning of a game with this log. */
typedef enum ResultKnown {
    RESULT_UNKNOWN, /* nothing: there was no journal */
    RESULT_KEPT,    /* its match has ended, with or without a winner */
    RESULT_LACKING, /* it is not there, or void: its match is played again */
} ResultKnown;
ResultKnown result_journal_knows(const ResultJournal *results, Str log);

#endif
