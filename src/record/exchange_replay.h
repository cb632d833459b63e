/* exchange_replay.h - plays a game again from its exchange record and its key: the engine, with the
 *                     answers and lapses that were recorded. Gives the game log byte for byte.
 *
 * For:    audits; `warg log check DIR`, `warg log exchange`, which shows what agents were sent.
 * Memory: texts are borrowed for the call.
 * Thread: pure.
 * Source: docs/spec/contest-operations.md 11.4: "with the game's seed it MUST give the game log".
 *
 * Roles and order of talk come from the key, what was said from the record, so that nothing of a
 * log is believed: it has to be what comes out. Answers to asks that were opened together may have
 * come in any order, which decides nothing (docs/architecture.md, a vote).
 */
#ifndef WARG_RECORD_EXCHANGE_REPLAY_H
#define WARG_RECORD_EXCHANGE_REPLAY_H

#include "game/game_key.h"
#include "record/exchange.h"

/* In which of both a line is. */
typedef enum ExchangeFile {
    EXCHANGE_FILE_RECORD,
    EXCHANGE_FILE_LOG,
} ExchangeFile;

/* The first contradiction. What is wrong with a text is a finding, not an error. */
typedef struct ExchangeFinding {
    bool ok;
    ExchangeFile file;
    unsigned line; /* from 1 */
    char reason[ERR_TEXT_MAX];
} ExchangeFinding;

/* An ask of the record, and what stands behind it. */
typedef struct ExchangeAsked {
    const ExchangeHeader *header;
    const ExchangeEntry *entry;
    unsigned line; /* of the record */
    uint16_t day;
    Str request; /* the packet that the seat was sent, without its line end; empty for bots and for
                  * who had failed */
} ExchangeAsked;

/* Hears what seats were sent, in that order. All is borrowed for the call. */
typedef struct ExchangeListener {
    /* Each entry, before the game gets its answer. */
    void (*entry)(void *user, const ExchangeAsked *asked);
    /* A packet that has no answer, without its line end; may be NULL. */
    void (*told)(void *user, SeatNo seat, Str packet);
    SeatNo only; /* packets of this seat alone are written, others are empty; SEAT_NONE = of all */
    void *user;
} ExchangeListener;

/* Plays the game and appends its log to `log`. `listener` may be NULL.
 * Errors: ERR_MEMORY; ERR_RULE when these rules have timed rooms, which no record is of. */
int exchange_replay(Str record, const Ruleset *rules, const GameKey *key,
                    const ExchangeListener *listener, Buf *log, ExchangeFinding *ret, Err *err);

/* Whether the record gives this log, by these rules and this key. Errors: as above. */
int exchange_check(Str record, Str log, const Ruleset *rules, const GameKey *key,
                   ExchangeFinding *ret, Err *err);

#endif
