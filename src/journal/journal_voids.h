/* journal_voids.h - the games of a journal that an operator has made void behind their lines.
 *
 * For:    journal_read.c, so that whoever reads a journal counts them no more; audit, which reads
 *         lines by their places.
 * Memory: a JournalVoids owns its list; zero it first.
 * Thread: one while it is filled, then constant.
 * Source: journal/operator_act.h.
 *
 * ACT_VOID names a game or a set of a stage, ACT_END a set: games of a set that was ended count for
 * nobody. A game that was ended says itself that it is void. What the runner makes void because its
 * round came too late, and what was ended, is ruled void by nobody.
 */
#ifndef WARG_JOURNAL_JOURNAL_VOIDS_H
#define WARG_JOURNAL_JOURNAL_VOIDS_H

#include "journal/operator_act.h"
#include "record/game_record.h"

typedef struct JournalVoids {
    struct JournalVoid *items;
    size_t count;
    size_t room;
} JournalVoids;

void journal_voids_done(JournalVoids *voids); /* also for CLEANUP */

/* Whether the act makes a game or a set void. */
bool journal_voids_by(const OperatorAct *act);
/* Notes what the act makes void, if anything. Errors: ERR_MEMORY. */
int journal_voids_add(JournalVoids *voids, const OperatorAct *act, Err *err);
/* Behind the last. */
void journal_voids_sort(JournalVoids *voids);
/* The game or set of this number is among them, by itself. */
bool journal_voids_has(const JournalVoids *voids, ActTarget target, uint32_t stage,
                       uint64_t number);
/* The set, of the first stage, is void. */
bool journal_voids_has_set(const JournalVoids *voids, uint64_t set);
/* The game, or its set, is among them. */
bool journal_voids_has_game(const JournalVoids *voids, const GameRecord *record);
/* It was over and somebody ruled so: nothing else makes it void. */
bool journal_voids_rules_game(const JournalVoids *voids, const GameRecord *record);
/* Makes the record a void one, if it is one of them. */
void journal_voids_mark(const JournalVoids *voids, GameRecord *record);

#endif
