/* audit_games.h - one game, played again from its key and what was answered: whether its log and
 * its line of the journal are what comes out.
 *
 * For:    audit.c.
 * Memory: an AuditGames owns its referee and buffers.
 * Thread: one.
 * Source: docs/spec/contest-operations.md 11.4, 11.5 (5).
 */
#ifndef WARG_AUDIT_AUDIT_GAMES_H
#define WARG_AUDIT_AUDIT_GAMES_H

#include "audit/audit.h"
#include "match/stage_run.h"
#include "referee/referee.h"

typedef struct AuditGames {
    const char *dir;
    const StageRun *stage; /* the part that is looked at */
    Referee *referee;      /* for games of bots alone; of that part */
    GameRecorder recorder;
    Buf log;
    Buf exchange;
    uint64_t unrecorded; /* of who came by itself, without an exchange record: not played again */
} AuditGames;

/* Another part of a stage. Errors: ERR_MEMORY. */
int audit_games_begin(AuditGames *games, const StageRun *stage, Err *err);
void audit_games_done(AuditGames *games);

/* Game `game` of the part (of a server, whose agents came by themselves, when the part names none),
 * whose line says `record`. `verdict` is filled at a contradiction only.
 * Errors: ERR_MEMORY. */
int audit_games_check(AuditGames *games, uint64_t game, const GameRecord *record, unsigned line,
                      AuditVerdict *verdict, Err *err);

#endif
