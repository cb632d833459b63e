/* game.h - one game of Werewolf as a pure state machine.
 *
 * For:    everything that plays, checks or replays a game. Knows no clock, socket, file or
 *         thread: time is an argument, chance comes through chance.h, events are the way out.
 * Memory: a Game owns one block that is reserved when it is made for all that the ruleset's
 *         limits can need; playing allocates nothing. Free it with game_free.
 * Thread: one at a time.
 * Source: docs/spec/protocol-division.md 3; docs/spec/nlp-division.md 4, 5, 10; docs/spec/maw.md 1.
 *
 * How it is used:
 *
 *     Game *game = game_new(&rules, players, &err);
 *     game_start(game, &setup, chance_from_seed(seed), &err);
 *     while (true) {
 *         while (game_next_event(game, &event))     ... hand it to recorders
 *         if (game_over(game)) break;
 *         n = game_asks(game, asks);                ... ask those seats, with game_view()
 *         game_answer(game, seat, &answer, &err);   ... or game_tick(game, now)
 *     }
 *
 * The machine runs when it is given an answer or a time, and when events are read; it stops at
 * open asks, and while there are events to be read: a view is never ahead of them.
 */
#ifndef WARG_GAME_GAME_H
#define WARG_GAME_GAME_H

#include "game/chance.h"
#include "game/view.h"

typedef struct Game Game;

typedef enum __attribute__((packed)) AskKind {
    ASK_ROLE,
    ASK_TALK,
    ASK_WHISPER,
    ASK_VOTE,
    ASK_DIVINE,
    ASK_GUARD,
    ASK_ATTACK,
    ASK_BID, /* how much it wants to speak next; talk.order: bids */
    ASK_COUNT,
} AskKind;

/* What the game wants to know from one seat. */
typedef struct Ask {
    SeatNo seat;
    AskKind kind;
    bool standing;   /* stays open: answer as often as you like until the room closes */
    bool revote;     /* VOTE, ATTACK: an earlier ballot of today was not decided */
    uint32_t number; /* asks that were opened together share it; it only grows */
} Ask;

#define BID_MAX    4
#define BID_UNSAID 2 /* what a lapse counts as, and who is never asked for one */

typedef struct Answer {
    AskKind kind;
    bool lapse;       /* no usable answer; all else is ignored */
    uint8_t bid;      /* BID: 0, nothing to say, to BID_MAX; more is taken as that */
    SeatNo target;    /* VOTE, DIVINE, GUARD, ATTACK: any number; the rules judge it */
    Role wish;        /* ROLE: ROLE_NONE = no wish */
    Str text;         /* TALK, WHISPER: copied */
    bool in_language; /* TALK, WHISPER: the protocol language has this sentence */
    const struct Sentence *sentence; /* carried along; lives at least until the day is over */
} Answer;

typedef enum __attribute__((packed)) EventKind {
    EVENT_ROLE,        /* seat, role: known to the seat and to its mates */
    EVENT_DAY,         /* a day begins */
    EVENT_PHASE,       /* action begins; time-limited if `until` is not TIME_NEVER */
    EVENT_PHASE_END,   /* a session or room closes */
    EVENT_TALK,        /* talk */
    EVENT_WHISPER,     /* talk */
    EVENT_STANDING,    /* seat now votes for target (0: withdrew); MAW's open ballot */
    EVENT_VOTE,        /* seat voted for target, ballot `round` */
    EVENT_EXECUTE,     /* seat; SEAT_NONE: nobody */
    EVENT_NIGHT,       /* the day's second half begins */
    EVENT_DIVINE,      /* seat divined target: species */
    EVENT_GUARD,       /* seat guards target */
    EVENT_ATTACK_VOTE, /* seat voted for target, ballot `round` */
    EVENT_ATTACK,      /* target was attacked (SEAT_NONE: nobody); killed */
    EVENT_IDENTIFY,    /* seat, a medium, learns that target was species */
    EVENT_DEATH,       /* seat is dead by attack, curse or departure: known to all */
    EVENT_END,         /* winner, reason, humans, wolves */
    EVENT_REVEAL,      /* after the end: seat had role */
    EVENT_SCORE,       /* after the end: seat gets `points` */
    EVENT_BID,         /* seat wants to speak, `points` of BID_MAX: known to no seat, ever */
} EventKind;

typedef enum __attribute__((packed)) EndReason {
    END_WIN,     /* one side has won */
    END_MAX_DAY, /* the last day allowed is over */
    END_IDLE,    /* nobody dies any more */
    END_ABORTED, /* game_abort */
} EndReason;

/* Small, because a game has hundreds and each is copied. */
typedef struct Event {
    EventKind kind;
    SeatNo seat;
    SeatNo target;
    Role role;
    Species species;
    Action action;
    uint8_t round; /* ballot, from 0 */
    bool killed;
    uint16_t day;
    Side winner;
    EndReason reason;
    SeatSet known_to; /* who may know it now; a recorder may know everything */
    uint8_t humans;   /* END: alive of each species */
    uint8_t wolves;
    int32_t points;
    TimeMs time;
    TimeMs until;     /* PHASE */
    const Talk *talk; /* TALK, WHISPER: borrowed until the next day begins */
} Event;

/* What may differ from game to game of one table. */
typedef struct GameSetup {
    Role fixed[SEAT_MAX + 1]; /* a role the seat must get; ROLE_NONE = drawn */
    Str names[SEAT_MAX + 1];  /* names in the game, borrowed for its whole life; empty: Agent[01] */
} GameSetup;

/* A table for `players` players, not yet started. `rules` is copied.
 * Errors: ERR_RULE (ruleset_check, ruleset_roles), ERR_MEMORY. */
int game_new(const Ruleset *rules, int32_t players, Game **ret_game, Err *err);

/* Takes NULL, returns NULL. */
Game *game_free(Game *game);
void game_freep(Game **game);

/* Begins a game; a game under way is forgotten. Allocates nothing. `setup` may be NULL.
 * Errors: ERR_RULE when the fixed roles do not fit the table. */
int game_start(Game *game, const GameSetup *setup, Chance chance, Err *err);

/* The open asks, by kind and then by seat, into ret_asks[0..2*SEAT_MAX-1]; returns how many. */
size_t game_asks(const Game *game, Ask ret_asks[static 2 * SEAT_MAX]);

/* The first open ask; false when there is none. */
bool game_first_ask(const Game *game, Ask *ret_ask);

/* Whether this seat is asked this. */
bool game_is_asked(const Game *game, SeatNo seat, AskKind kind);

/* An answer. What the rules make of an odd one (dead target, foreign language) is not an error.
 * Errors: ERR_RULE when this seat is not asked that (nothing changes); ERR_LIMIT in a timed
 * room when it has nothing left to say, or when events must be read first. */
int game_answer(Game *game, SeatNo seat, const Answer *answer, Err *err);

/* It is `now`; time never goes back (an earlier time is ignored). What is due happens. */
void game_tick(Game *game, TimeMs now);

/* When game_tick has to be called at the latest, or TIME_NEVER. */
TimeMs game_deadline(const Game *game);

/* The open room that is going on stays open for so much longer. Errors: ERR_RULE: there is none. */
int game_extend(Game *game, TimeMs longer, Err *err);

/* An away seat is not asked, does not speak, and nobody waits for it; it stays alive and a valid
 * target (docs/spec/nlp-division.md 4.5, target). Open asks of it end as lapses; what it answered
 * before counts. Back again, it is asked from the next ask on, in an open room at once
 * (docs/spec/maw.md A30).
 * Errors: ERR_RULE for a seat that is none. */
int game_set_away(Game *game, SeatNo seat, bool away, Err *err);

/* The seat leaves for good: dead without an execution (docs/spec/maw.md A30).
 * Errors: ERR_RULE for a seat that is none, dead, or a game that is over or not yet dealt. */
int game_remove(Game *game, SeatNo seat, Err *err);

/* Ends the game now, without a winner. Does nothing when it is over. Roles that are not dealt yet
 * are dealt first. */
void game_abort(Game *game);

/* Ends the game without a winner when the phase that is going on is over; before that, it goes on
 * (docs/spec/nlp-division.md 4.4: too many seats have failed). */
void game_end_after_phase(Game *game);

/* The next event into `ret_event`; false when nothing more happens without an answer or time. */
bool game_next_event(Game *game, Event *ret_event);

/* What this seat may know now; NULL for a seat that is none. */
const View *game_view(const Game *game, SeatNo seat);

bool game_over(const Game *game);
/* SIDE_NONE while it is going on, and for a draw. */
Side game_winner(const Game *game);
uint16_t game_day(const Game *game);
SeatNo game_seat_count(const Game *game);
const Ruleset *game_rules(const Game *game);
/* For recorders and referees of the whole truth, never for seats. */
Role game_role(const Game *game, SeatNo seat);
SeatSet game_alive(const Game *game);

/* True when a script gave an answer that was no candidate. */
bool game_script_failed(const Game *game);

/* Asserts every invariant that holds between two calls; for tests and fuzzing. */
void game_check(const Game *game);

#endif
