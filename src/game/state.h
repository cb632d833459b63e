/* state.h - the inside of a game; only the files of src/game include this.
 *
 * For:    state.c and the files that play: view.c, deal.c, talk.c, end.c, vote.c, night.c, room.c,
 *         day.c, game.c (API and loop).
 * Memory: one block: struct Game first, behind it the utterances and texts of a day.
 * Thread: one at a time.
 * Source: the API is game.h; sections of the specifications stand at the functions.
 *
 *   NEW --game_start--> ROLES --> DAY --> ACTION ... ACTION --> DAY ... --> END --> OVER
 *
 *   ROLES  -> DAY     [deal_step]    wishes are in (or not asked), roles are dealt
 *   DAY    -> ACTION  [day_begin]    the day's first section begins
 *   ACTION -> ACTION  [day_step]     the next action of the phase, of the section, of the night
 *   ACTION -> DAY     [end_of_night] the night is over, nobody has won
 *   ACTION -> END     [end_finish]   one side has won, or the days are used up; where that is in
 *                                    mid-day, by way of LAST_DAWN
 *   END    -> OVER    [day_end_step] winner, roles and points are told
 *
 * In ACTION: an action's *_step function runs while no ask is open; it opens asks and returns
 * false, or returns true when the action is over.
 */
#ifndef WARG_GAME_STATE_H
#define WARG_GAME_STATE_H

#include "base/arena.h"
#include "game/game.h"
#include "game/length.h"

/* A step may add at most so many events: one per seat, and a few. */
#define STEP_EVENTS_MAX (SEAT_MAX + 8)
#define EVENT_QUEUE     (4 * STEP_EVENTS_MAX)

/* No ruleset lets a game go on for ever: here even one without asks ends. */
#define DAY_LIMIT 1000

typedef enum GameState {
    STATE_NEW,
    STATE_ROLES,
    STATE_DAY,
    STATE_ACTION,
    STATE_LAST_DAWN,
    STATE_END,
    STATE_REVEAL,
    STATE_SCORE,
    STATE_OVER,
} GameState;

/* What one seat said, judged but not yet recorded. */
typedef struct Said {
    Str text;
    const struct Sentence *sentence;
    bool skip;
    bool over;
    bool lapse;
    bool own_over; /* the agent said it itself */
    bool empty;    /* there was nothing in it */
} Said;

/* The talk or the whisper of a day, and the session that is going on. */
typedef struct DayTalk {
    bool whisper;
    const TalkRules *rules;

    Talk *items;
    uint32_t items_room;
    TalkLog log;
    char *pool; /* texts of the day */
    size_t pool_room;
    size_t pool_used;

    uint16_t left[SEAT_MAX + 1];  /* utterances */
    uint16_t skips[SEAT_MAX + 1]; /* SKIP_AGENT, SKIP_ALL: in a row; SKIP_BUDGET: left */
    int32_t length_left[SEAT_MAX + 1];
    uint16_t turns_of[SEAT_MAX + 1]; /* ANYTIME, BIDS: utterances of this session */

    bool open;
    SeatSet participants;
    SeatSet waiting; /* have not had their place in this turn */
    SeatSet closed;  /* said Over where that is final */
    SeatNo order[SEAT_MAX];
    SeatSet bidders;            /* BIDS: who may speak in this turn; empty once one does */
    uint8_t bids[SEAT_MAX + 1]; /* BIDS: of this turn */
    bool word_given;            /* BIDS: one of them speaks, or has spoken */
    uint32_t turn;
    uint32_t turn_spoken; /* utterances of this turn */
    bool turn_all_over;
    SeatSet said_over;   /* since the last word that was not Over */
    bool turn_whispered; /* talk.whisper_after_turn: this turn's whispers were held */
    bool turn_all_skip;
    uint32_t skip_turns;     /* SKIP_ALL: turns in a row in which all skipped */
    SeatNo speaker;          /* SEQUENTIAL: who is asked */
    Said said[SEAT_MAX + 1]; /* answers that are not recorded yet */
    TimeMs last_word;
} DayTalk;

struct Game {
    Ruleset rules;
    uint8_t role_counts[ROLE_COUNT];
    SeatNo seat_count;
    SeatSet seats;
    char default_names[SEAT_MAX + 1][12];
    Str names[SEAT_MAX + 1];
    uint8_t fixed[SEAT_MAX + 1];

    Chance chance;
    TimeMs now;
    GameState state;
    uint16_t day;
    uint8_t roles[SEAT_MAX + 1];
    SeatSet with_role[ROLE_COUNT];
    SeatSet alive;
    SeatSet away;

    /* open asks */
    SeatSet asked[ASK_COUNT];
    uint32_t asked_kinds; /* bit k: asked[k] is not empty */
    bool standing;
    uint32_t ask_number;
    uint8_t choice[SEAT_MAX + 1]; /* targets answered to the open ask; SEAT_NONE = none valid */
    uint8_t wish[SEAT_MAX + 1];

    /* where in the day */
    bool night;
    bool night_told; /* EVENT_NIGHT was sent today */
    uint32_t phase;
    uint32_t action;
    const Phase *running; /* the phase whose action is going on, or NULL */
    bool action_begun;
    uint32_t round;
    bool execution_open;  /* EFFECT_ATTACK: the vote was held, nobody is executed yet */
    bool whisper_between; /* the whisper before an attack revote is going on */
    uint32_t idle_phases;
    uint32_t deaths_seen;
    uint32_t idle_days;
    uint32_t deaths_by_dawn;
    uint32_t deaths;
    TimeMs room_until;

    DayTalk talk;
    DayTalk whisper;

    /* what was decided today */
    VoteLog latest_votes;
    VoteLog votes;
    VoteLog latest_attack_votes;
    VoteLog attack_votes;
    SeatSet tied; /* round > 0: whom the village may vote for */
    SeatNo standing_votes[SEAT_MAX + 1];
    SeatNo executed_today;
    SeatNo attacked_today;
    SeatNo killed_today; /* by the attack */
    SeatSet cursed;
    SeatSet departed;                   /* left since dawn */
    Judge divined[SEAT_MAX + 1];        /* by seer, tonight */
    SeatNo guarded_today[SEAT_MAX + 1]; /* by bodyguard, tonight */

    Side winner;
    EndReason reason;
    View views[SEAT_MAX + 1];

    Event queue[EVENT_QUEUE];
    bool end_wanted; /* game_end_after_phase */
    bool stalled;    /* goes on by itself when the queue has been read */
    uint32_t queue_head;
    uint32_t queue_tail;
};

/* The functions of the files, lowest first: a file calls what stands above its own, never below.
 * game.c is on top. */

/* state.c */
Event *game_emit(Game *game, EventKind kind, SeatSet known_to);
void game_open(Game *game, AskKind kind, SeatSet seats);
void game_close(Game *game, AskKind kind, SeatSet seats);
void game_close_all(Game *game);
SeatNo game_choose(Game *game, ChanceKind kind, SeatNo seat, SeatSet candidates);
SeatSet game_with_species(const Game *game, Species species);

/* view.c */
SeatSet view_of_wolves(const Game *game);
void view_start(Game *game);
void view_roles(Game *game);
void view_dawn(Game *game);
void view_executed(Game *game, SeatSet told);
void view_dead(Game *game, SeatNo seat);
void view_end(Game *game);

/* deal.c */
int deal_fits(const Game *game, Err *err);
bool deal_step(Game *game);

/* talk.c */
void speech_new_day(Game *game, DayTalk *speech);
bool speech_step(Game *game, DayTalk *speech);
bool talk_step(Game *game);
int speech_answer(Game *game, DayTalk *speech, SeatNo seat, const Answer *answer, Err *err);
void speech_bid(Game *game, DayTalk *speech, SeatNo seat, const Answer *answer);
void speech_open_room(Game *game, DayTalk *speech, SeatSet participants);
bool speech_room_done(const Game *game, const DayTalk *speech);
void speech_close(Game *game, DayTalk *speech);
void speech_drop(DayTalk *speech, SeatNo seat);
void speech_come_back(Game *game, DayTalk *speech, SeatNo seat);
int speech_size(const TalkRules *rules, uint32_t sessions, SeatNo seats, size_t *ret_items,
                size_t *ret_bytes);

/* end.c */
Side end_winner(const Game *game); /* as things stand; SIDE_NONE = nobody yet, or a draw */
void end_kill(Game *game, SeatNo seat);
bool end_check_death(Game *game); /* after END_AFTER_DEATH's kind of death: true = it is over */
void end_finish(Game *game, Side winner, EndReason reason);
void end_tell_night(Game *game); /* once a day */

/* vote.c */
void ballot_top(const VoteLog *votes, SeatSet countable, SeatSet *ret_top, uint32_t *ret_votes);
bool execution_step(Game *game);
void execution_carry_out(Game *game, SeatNo seat);
void execution_decide(Game *game);

/* night.c */
bool divine_step(Game *game);
bool guard_step(Game *game);
bool attack_step(Game *game);
void attack_carry_out(Game *game, SeatNo target);

/* room.c */
bool village_step(Game *game);
bool hideout_step(Game *game);
int room_vote(Game *game, SeatNo seat, const Answer *answer, Err *err);
void room_leave(Game *game, SeatNo gone);     /* its vote and those for it end: A14 */
void room_come_back(Game *game, SeatNo seat); /* it may vote again: A30 */

/* day.c */
void day_begin(Game *game);
void day_step(Game *game);
void day_end_step(Game *game);

#endif
