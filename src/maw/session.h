/* session.h - MAW's GameMaster and its rooms: the lobby, rounds on the engine, points.
 *
 * For:    maw/house.h, which brings it stanzas and time.
 * Memory: a MawSession owns its game, rooms and copies of names.
 * Thread: one at a time. Time is an argument; no clock, socket or file.
 * Source: docs/spec/maw.md 1, 2, 3, 4; seed 002 tables 5 to 12, 24, 27, figures 3 to 5.
 *
 *   SETUP --lobby full--> ASSIGN_ROLES --> DAY --majority, time--> DAY_COUNT --+--> END_PHASE
 *     ^                        ^            ^                                  |        |
 *     | somebody left          |            +-- NIGHT_COUNT <--unanimity,-- NIGHT       |
 *     +------------------------+-------------------- more rounds, else over ------------+
 *
 * One order at a phase's end, always (A16): room closed, recorded, vote_result to all, kill to the
 * victim, end_game or phase_change to all, next room opened, system lines.
 */
#ifndef WARG_MAW_SESSION_H
#define WARG_MAW_SESSION_H

#include "maw/chat_room.h"
#include "maw/maw_chance.h"
#include "maw/maw_setup.h"
#include "record/game_doc.h"
#include "record/game_record.h"
#include "stats/measures.h"

typedef struct MawSession MawSession;

typedef enum MawState {
    MAW_SETUP,
    MAW_ASSIGN_ROLES,
    MAW_DAY,
    MAW_DAY_COUNT,
    MAW_NIGHT,
    MAW_NIGHT_COUNT,
    MAW_END_PHASE,
    MAW_OVER,
} MawState;

/* None may call back into the session. */
typedef struct MawOut {
    /* A stanza from gm@, lobby@, village@ or hideout@ of the session's domain; borrowed. */
    void (*send)(void *user, const MawStanza *stanza);
    /* One event for the session's record, a JSON object without line end (section 9); NULL = none.
     * It is called before anybody is told. */
    void (*record)(void *user, Str json);
    /* A line of a room, for its archive: as it is written; `name` empty: the system. May be NULL.
     */
    void (*room_line)(void *user, const char *room, unsigned round, unsigned phase_no, Str name,
                      Str text);
    /* The lobby's time is over: `missing` seats are wanted (FILL_BOTS). May be NULL. */
    void (*fill)(void *user, unsigned missing);
    void (*note)(void *user, Str line); /* for the operator; may be NULL */
    void *user;
    /* A round is over, before anybody is told: its record but for who decides (kind, model), and
     * the addresses of seats 1.. Borrowed; what is filled in is the caller's. May be NULL. */
    void (*result)(void *user, GameRecord *record, const Str *jids);
} MawOut;

/* Who watches rounds from outside, and sees all. Each may be NULL; none may call back. */
typedef struct MawWatcher {
    /* By seat: addresses, and the players' names. Borrowed for the call. */
    void (*begins)(void *user, uint32_t round, SeatNo count, const Str *jids, const Str *names,
                   TimeUs now);
    void (*heard)(void *user, uint32_t round, const Event *event, TimeUs now);
    /* An EVENT_ROLE that is none of the game's: what somebody learns of a role. */
    void (*learnt)(void *user, uint32_t round, const Event *event, TimeUs now);
    /* In the graveyard, or to one other. */
    void (*said)(void *user, uint32_t round, const DocSaid *said, TimeUs now);
    /* The phase's time is another one, or stands still. */
    void (*clock)(void *user, uint32_t round, Action action, TimeUs until, bool paused, TimeUs now);
    /* What was noticed of a seat that plays. */
    void (*fault)(void *user, uint32_t round, const Fault *fault, TimeUs now);
    /* An operator's act, as a sentence. */
    void (*notice)(void *user, uint32_t round, Str text, TimeUs now);
    /* Not of a round that the session's end cut. */
    void (*over)(void *user, uint32_t round, TimeUs now);
    void *user;
} MawWatcher;

typedef struct MawSessionSetup {
    const Ruleset *rules; /* copied; its rooms' times are the phases' */
    MawOptions options;
    Str id;     /* the session's name in threads: "maw-<id>-<round>"; copied */
    Str domain; /* "maw.localhost"; copied */
    Str suffix; /* of node names with several sessions: "-a"; usually empty */
    MawChance chance;
    TimeUs now;
    int64_t unix_ms; /* at `now` */
    MawOut out;
    MawWatcher watcher;
} MawSessionSetup;

/* Errors: ERR_RULE (rules that are not MAW's, a number of players they don't allow), ERR_MEMORY. */
int maw_session_new(const MawSessionSetup *setup, MawSession **ret_session, Err *err);
MawSession *maw_session_free(MawSession *session);

/* A stanza to one of its addresses, in the order of section 4. */
void maw_session_receive(MawSession *session, const MawStanza *stanza, TimeUs now);
void maw_session_tick(MawSession *session, TimeUs now);
TimeUs maw_session_deadline(const MawSession *session); /* TIME_US_NEVER: none */

/* The link to the players was lost, or is back: clocks stop after pause_after_ms and go on with a
 * phase_change that has the new deadline. Players in this process notice nothing else. */
void maw_session_link(MawSession *session, bool up, TimeUs now);

/* Behind a replay of all of its record: what was going on when the game master was gone goes on
 * from here. The clocks stand still until all who have a seat (in a round: who live) were heard of,
 * or for `wait_ms`, counted while the link is there; who is missing then, and is awake, is absent.
 * They are told, and those from outside asked to join. `unix_ms`: the date at `now`; negative: as
 * before. */
void maw_session_continue(MawSession *session, int64_t unix_ms, TimeMs wait_ms, TimeUs now);

/* Operator's acts, recorded as such (7.1). False: it changes nothing now, and nothing is recorded.
 * Paused: all clocks stand still and nobody can act in the round. Who is kicked while it is paused
 * leaves when it goes on. */
#define MAW_EXTEND_MAX ((TimeMs)86400 * 1000)
bool maw_session_pause(MawSession *session, TimeUs now);
bool maw_session_resume(MawSession *session, TimeUs now);
bool maw_session_extend(MawSession *session, TimeMs longer, TimeUs now); /* 1..MAW_EXTEND_MAX */
bool maw_session_end_phase(MawSession *session, TimeUs now);
bool maw_session_kick(MawSession *session, Str name, TimeUs now);
/* The name of who is called so but for case, also of who has left; empty: nobody. */
Str maw_session_name(const MawSession *session, Str name);
/* No round begins any more: the session ends behind the one that is played, or now. */
void maw_session_drain(MawSession *session, TimeUs now);
/* Ends the session: session_end to all, whatever is going on. */
void maw_session_stop(MawSession *session, const char *why, TimeUs now);

/* What was noticed of who lives there, for who watches; the session itself does not look at it.
 * Nothing when it has no seat in a round. */
void maw_session_fault(MawSession *session, Str jid, const Fault *fault, TimeUs now);

/* Asserts what holds between two calls, once the time of the last one was told: for tests. */
void maw_session_check(const MawSession *session);

bool maw_session_over(const MawSession *session);
MawState maw_session_state(const MawSession *session);
/* By the operator, because the link is down, or because players are waited for. */
bool maw_session_paused(const MawSession *session);
/* What is left of the phase; TIME_NEVER outside of one. */
TimeMs maw_session_left(const MawSession *session);
bool maw_session_is_address(const MawSession *session, Str jid); /* gm@ or one of its rooms */

/* For tables and reports: who is there. Borrowed until the next call. */
typedef struct MawStanding {
    Str jid;
    Str name;
    int64_t points;
    uint32_t rounds_won;
    const PlaySums *play; /* of rounds that are over; borrowed */
    uint32_t rank;        /* from 1, equal points share it */
    Role role;            /* in the last round; for the record, never for players */
    bool alive;
    bool absent;
    bool seated; /* false: it has left, and its points stay */
} MawStanding;
/* In leaderboard order (A28); false beyond the last. */
bool maw_session_standing(const MawSession *session, uint32_t index, MawStanding *ret);
uint32_t maw_session_round(const MawSession *session); /* from 1; 0 before the first */
/* Rounds that were played to an end, and how many each side won (SIDE_NONE: draws). */
uint32_t maw_session_rounds_won(const MawSession *session, Side side);

/* Why nobody may be called so, for a sentence; NULL: a good name. */
const char *maw_session_name_problem(Str name);

#endif
