/* played.h - what a journal says has been played of one stage.
 *
 * For:    resume: the games that are on disk are not played again, a failed seat stays failed.
 * Memory: a Played owns its lists.
 * Thread: one while it is filled, then constant.
 * Source: docs/contest.md: no game lost, none counted twice.
 */
#ifndef WARG_JOURNAL_PLAYED_H
#define WARG_JOURNAL_PLAYED_H

#include "record/game_record.h"

typedef struct PlayedSet {
    bool seated;      /* its agents are known */
    bool is_void;     /* by an operator: it counts for nobody, and is not gone on with */
    SeatNo count;     /* seats */
    uint32_t games;   /* played */
    SeatSet failed;   /* seats that had failed by its last game */
    uint64_t last;    /* number of its last game */
    int64_t ended_ms; /* when the last of them ended, as Unix time; void ones, too */
    char names[SEAT_MAX + 1][AGENT_NAME_MAX + 1];
} PlayedSet;

/* Open for reading; zero it first. */
typedef struct Played {
    uint8_t *games; /* a bit for each game of the stage */
    uint64_t game_room;
    uint64_t game_count;
    PlayedSet *sets;
    uint64_t set_room;
    uint64_t set_count; /* 1 + the highest number of a set that was begun */
} Played;

void played_done(Played *played); /* also for CLEANUP */

/* Notes what the journal holds. Errors: ERR_MEMORY; ERR_RULE for a game that is there twice. */
int played_add_game(Played *played, const GameRecord *record, Err *err);
int played_add_set(Played *played, uint64_t set, SeatNo count, const Str *names, Err *err);

/* An operator has made the set void, or has ended it. Errors: ERR_MEMORY, ERR_RULE. */
int played_make_void(Played *played, uint64_t set, Err *err);

/* What `from` holds of `games` games and `sets` sets behind those before, with numbers from 0: a
 * part of a stage. `ret_played` is zeroed before. Errors: ERR_MEMORY. */
int played_part(const Played *from, uint64_t first_set, uint64_t sets, uint64_t first_game,
                uint64_t games, Played *ret_played, Err *err);

bool played_has_game(const Played *played, uint64_t game);
/* NULL when nothing is known of the set. */
const PlayedSet *played_set(const Played *played, uint64_t set);

#endif
