/* witness.h - sees the events of a game and knows, without the engine, what may be and who may
 * know it.
 *
 * For:    properties over random games. Uses the public headers only; rules of play are written
 *         here a second time, from the specifications.
 * Memory: plain value.
 * Thread: the test's.
 * Source: docs/spec/protocol-division.md 2.5, 3; docs/spec/nlp-division.md 4; docs/spec/maw.md 1.
 */
#ifndef WARG_TESTS_WITNESS_H
#define WARG_TESTS_WITNESS_H

#include "game/game.h"

#define WITNESS_TALK 4096

/* Today's talk or whisper. */
typedef struct HeardTalk {
    uint32_t count;
    SeatNo seats[WITNESS_TALK];
    uint16_t bytes[WITNESS_TALK];
    uint32_t turn;               /* of the session, so far */
    SeatSet spoke;               /* in this turn */
    SeatSet over;                /* said Over in this session */
    SeatSet over_again;          /* and once more, of its own */
    int32_t words[SEAT_MAX + 1]; /* charged in this session */
} HeardTalk;

typedef struct Witness {
    const Ruleset *rules;
    SeatNo seats;
    SeatSet all;
    uint8_t roles[SEAT_MAX + 1];
    SeatSet role_told[SEAT_MAX + 1]; /* who was told the role of a seat */
    SeatSet with[ROLE_COUNT];
    SeatSet alive;
    SeatSet knows_alive[SEAT_MAX + 1]; /* by seat */
    SeatSet alive_at_dawn;
    uint16_t day;
    bool begun; /* the first day */
    bool night;
    uint32_t phase; /* of this half of the day */
    uint32_t action;
    HeardTalk talk;
    HeardTalk whisper;
    VoteLog ballot;
    VoteLog attack_ballot;
    VoteLog yesterday;
    VoteLog attack_yesterday;
    int ballot_round;
    int attack_round;
    SeatNo standing[SEAT_MAX + 1];
    bool village;
    bool hideout;
    bool room_open;
    TimeMs until; /* of the phase, or TIME_NEVER */
    SeatNo executed_today;
    SeatSet executed_known;
    SeatNo executed;
    SeatNo attacked_tonight;
    SeatNo attacked;
    SeatNo guards[SEAT_MAX + 1];
    SeatNo guarded[SEAT_MAX + 1];
    Judge divines[SEAT_MAX + 1];
    Judge divined[SEAT_MAX + 1];
    Judge identified[SEAT_MAX + 1];
    SeatSet night_deaths; /* by attack, told at dawn */
    SeatSet last_dead;
    bool ended;
    Side winner;
    int64_t points;
    char wrong[160]; /* empty: all is well */
} Witness;

/* Remembers the first thing that is wrong. */
#define WITNESS(witness, condition)                                                                \
    do {                                                                                           \
        if (!(condition) && !(witness)->wrong[0])                                                  \
            snprintf((witness)->wrong, sizeof((witness)->wrong), "line %d: %s", __LINE__,          \
                     #condition);                                                                  \
    } while (0)

static inline void witness_start(Witness *w, const Game *game)
{
    memset(w, 0, sizeof(*w));
    w->rules = game_rules(game);
    w->seats = game_seat_count(game);
    w->all = w->alive = w->alive_at_dawn = seat_all(w->seats);
    w->day = (uint16_t)w->rules->first_day;
    w->ballot_round = w->attack_round = -1;
    for (SeatNo seat = 1; seat <= w->seats; seat++)
        w->knows_alive[seat] = w->all;
}

/* ---- who may know ---- */

static inline SeatSet witness_wolves(const Witness *w)
{
    return w->with[ROLE_WEREWOLF];
}

static inline SeatSet witness_whisper_ears(const Witness *w)
{
    bool ghosts = w->rules->secrecy.ghosts_see == GHOSTS_ALL;

    return witness_wolves(w) | (ghosts ? w->all & ~w->alive : 0);
}

static inline SeatSet witness_phase_ears(const Witness *w, Action action)
{
    switch (action) {
    case ACTION_WHISPER:
    case ACTION_HIDEOUT:
        return witness_whisper_ears(w);
    case ACTION_DIVINE:
        return w->with[ROLE_SEER];
    case ACTION_GUARD:
        return w->with[ROLE_BODYGUARD];
    case ACTION_ATTACK:
        return witness_wolves(w);
    case ACTION_TALK:
    case ACTION_EXECUTION:
    case ACTION_VILLAGE:
    case ACTION_COUNT:
        break;
    }
    return w->all;
}

/* The widest set of seats that may be told this event. */
static inline SeatSet witness_may_know(const Witness *w, const Event *event)
{
    SeatSet actors = (w->with[ROLE_SEER] | w->with[ROLE_BODYGUARD] | witness_wolves(w)) & w->alive;

    switch (event->kind) {
    case EVENT_PHASE:
    case EVENT_PHASE_END:
        return witness_phase_ears(w, event->action);
    case EVENT_WHISPER:
        return witness_whisper_ears(w);
    case EVENT_STANDING:
        if (event->action == ACTION_HIDEOUT)
            return witness_whisper_ears(w);
        return w->rules->vote.visible ? w->all : seat_bit(event->seat);
    case EVENT_VOTE:
        return w->rules->vote.visible ? w->all : 0;
    case EVENT_EXECUTE:
        return w->rules->secrecy.execution_told == TOLD_EVERYBODY ? w->all : actors;
    case EVENT_DIVINE:
    case EVENT_GUARD:
    case EVENT_IDENTIFY:
        return seat_bit(event->seat);
    case EVENT_ATTACK_VOTE:
    case EVENT_ATTACK:
        return witness_whisper_ears(w);
    case EVENT_BID:
        return 0;
    case EVENT_ROLE: /* judged when all are dealt */
    case EVENT_DAY:
    case EVENT_TALK:
    case EVENT_NIGHT:
    case EVENT_DEATH:
    case EVENT_END:
    case EVENT_REVEAL:
    case EVENT_SCORE:
        break;
    }
    return w->all;
}

/* ---- rules of play ---- */

static inline Side witness_winner(const Witness *w)
{
    unsigned wolves = seat_count_of(w->alive & witness_wolves(w));
    unsigned humans = seat_count_of(w->alive & ~witness_wolves(w));

    switch ((Goal)w->rules->end.goal) {
    case GOAL_PARITY:
        return wolves == 0 ? SIDE_VILLAGER : humans <= wolves ? SIDE_WEREWOLF : SIDE_NONE;
    case GOAL_PARITY_WOLF_FIRST:
        return humans <= wolves ? SIDE_WEREWOLF : wolves == 0 ? SIDE_VILLAGER : SIDE_NONE;
    case GOAL_ELIMINATION:
        if (wolves == 0)
            return humans == 0 ? SIDE_NONE : SIDE_VILLAGER;
        return humans == 0 ? SIDE_WEREWOLF : SIDE_NONE;
    }
    return SIDE_NONE;
}

static inline void witness_roles_dealt(Witness *w)
{
    uint8_t counts[ROLE_COUNT];

    WITNESS(w, ruleset_roles(w->rules, w->seats, counts, NULL) == 0);
    for (int role = 1; role < ROLE_COUNT; role++)
        WITNESS(w, seat_count_of(w->with[role]) == counts[role]);
    for (SeatNo seat = 1; seat <= w->seats; seat++)
        WITNESS(w, (w->role_told[seat] &
                    ~(w->roles[seat] == ROLE_WEREWOLF ? witness_wolves(w) : seat_bit(seat))) == 0);
}

static inline void witness_forget_speech(HeardTalk *heard)
{
    heard->count = heard->turn = 0;
    heard->spoke = heard->over = heard->over_again = 0;
    memset(heard->words, 0, sizeof(heard->words));
}

/* The night becomes the past. */
static inline void witness_dawn(Witness *w)
{
    w->executed = w->executed_today;
    w->attacked = w->attacked_tonight;
    memcpy(w->guarded, w->guards, sizeof(w->guarded));
    memcpy(w->divined, w->divines, sizeof(w->divined));
    for (SeatNo seat = 1; seat <= w->seats; seat++)
        if (w->identified[seat].day != w->day)
            w->identified[seat].target = SEAT_NONE;
    w->last_dead = w->night_deaths;
    w->night_deaths = 0;
    memset(w->guards, 0, sizeof(w->guards));
    memset(w->divines, 0, sizeof(w->divines));
    w->executed_today = w->attacked_tonight = SEAT_NONE;
    w->executed_known = 0;
    w->yesterday = w->ballot;
    w->attack_yesterday = w->attack_ballot;
    w->ballot.count = w->attack_ballot.count = 0;
    for (SeatNo seat = 1; seat <= w->seats; seat++)
        w->knows_alive[seat] = w->alive;
    w->alive_at_dawn = w->alive;
    witness_forget_speech(&w->talk);
    witness_forget_speech(&w->whisper);
}

static inline void witness_day(Witness *w, const Event *event)
{
    if (w->begun) {
        WITNESS(w, event->day == w->day + 1 && w->night);
        w->day = event->day;
        witness_dawn(w);
    } else {
        WITNESS(w, event->day == w->rules->first_day);
        witness_roles_dealt(w);
        /* An anytime or phase check is not made before the first phase. */
    }
    if (w->begun || w->rules->end.check == END_AFTER_NIGHT)
        WITNESS(w, witness_winner(w) == SIDE_NONE);
    w->begun = true;
    w->night = false;
    w->phase = w->action = 0;
}

/* Actions begin in the order of the ruleset's lists; some are left out. */
static inline void witness_phase(Witness *w, Action action, TimeMs until)
{
    const Section *section = w->night ? &w->rules->night : &w->rules->day;

    w->village = action == ACTION_VILLAGE;
    w->hideout = action == ACTION_HIDEOUT;
    w->room_open = w->village || w->hideout;
    w->until = until;
    memset(w->standing, 0, sizeof(w->standing));
    w->ballot_round = w->attack_round = -1;
    HeardTalk *heard =
        action == ACTION_WHISPER || action == ACTION_HIDEOUT ? &w->whisper : &w->talk;
    heard->turn = 0;
    heard->spoke = heard->over = heard->over_again = 0;
    memset(heard->words, 0, sizeof(heard->words));
    for (; w->phase < section->count; w->phase++, w->action = 0) {
        const Phase *phase = &section->phases[w->phase];
        if ((phase->only_day != DAY_ANY && phase->only_day != w->day) ||
            phase->except_day == w->day)
            continue;
        for (; w->action < phase->action_count; w->action++)
            if (phase->actions[w->action] == action) {
                w->action++;
                return;
            }
    }
    bool due = w->phase < section->count;
    WITNESS(w, due);
}

static inline void witness_speech(Witness *w, const Event *event)
{
    bool whisper = event->kind == EVENT_WHISPER;
    const TalkRules *rules = whisper ? &w->rules->whisper : &w->rules->talk;
    HeardTalk *heard = whisper ? &w->whisper : &w->talk;
    const Talk *talk = event->talk;

    WITNESS(w, talk->seat == event->seat && seat_in(w->alive, talk->seat));
    WITNESS(w, !whisper || seat_in(witness_wolves(w), talk->seat));
    WITNESS(w, talk->day == w->day && talk->idx == heard->count);
    /* Over is final. At any time, behind one that the rules made of Skip or of nothing, the seat
     * may still say its own, and no more: docs/spec/nlp-division.md 10.2, 10.3. */
    bool again = seat_in(heard->over, talk->seat);
    WITNESS(w, !rules->over_is_final || !again ||
                   (rules->exchange == EXCHANGE_ANYTIME && talk->over &&
                    !seat_in(heard->over_again, talk->seat)));
    heard->over_again |= again ? seat_bit(talk->seat) : 0;
    heard->over |= talk->over ? seat_bit(talk->seat) : 0;
    WITNESS(w, talk->skip == false || str_eq(talk->text, STR("Skip")));
    WITNESS(w, talk->over == false || str_eq(talk->text, STR("Over")));
    WITNESS(w, talk->text.len > 0 && talk->text.len <= (size_t)rules->max_bytes + 64);
    if (heard->count < WITNESS_TALK) {
        heard->seats[heard->count] = talk->seat;
        heard->bytes[heard->count] = (uint16_t)talk->text.len;
    }
    heard->count++;
    if (talk->skip ? rules->skip_costs : !talk->over)
        heard->words[talk->seat]++;
    WITNESS(w,
            rules->max_per_agent == LIMIT_NONE || heard->words[talk->seat] <= rules->max_per_agent);
    if (rules->exchange == EXCHANGE_ANYTIME)
        return;
    WITNESS(w, talk->turn == heard->turn || talk->turn == heard->turn + 1);
    if (talk->turn != heard->turn)
        heard->spoke = 0;
    heard->turn = talk->turn;
    WITNESS(w, heard->turn < (uint32_t)rules->max_turns);
    WITNESS(w, !seat_in(heard->spoke, talk->seat));
    heard->spoke |= seat_bit(talk->seat);
}

/* One vote of a ballot; voters come in ascending order. */
static inline void witness_vote(Witness *w, const Event *event, VoteLog *ballot, int *round)
{
    bool attack = event->kind == EVENT_ATTACK_VOTE;
    SeatSet wolves = witness_wolves(w);

    if ((int)event->round != *round) {
        WITNESS(w, (int)event->round > *round);
        WITNESS(w, event->round < (attack ? w->rules->attack.rounds : w->rules->vote.rounds));
        *round = (int)event->round;
        ballot->count = 0;
    }
    WITNESS(w, ballot->count == 0 || ballot->items[ballot->count - 1].voter < event->seat);
    WITNESS(w, seat_in(w->alive, event->seat) && seat_in(w->alive, event->target));
    if (attack) {
        WITNESS(w, seat_in(wolves, event->seat));
        WITNESS(w, !seat_in(wolves, event->target) || w->rules->attack.vote_for_wolf);
    } else {
        WITNESS(w, event->seat != event->target || w->rules->vote.self_vote);
    }
    ballot->day = w->day;
    ballot->items[ballot->count++] = (Vote){event->seat, event->target};
}

static inline SeatSet witness_top(const VoteLog *ballot, SeatSet countable, int *ret_most)
{
    int count[SEAT_MAX + 1] = {0};
    SeatSet top = 0;

    *ret_most = 0;
    for (int i = 0; i < ballot->count; i++)
        count[ballot->items[i].target]++;
    for (SeatNo seat = 1; seat <= SEAT_MAX; seat++)
        if (seat_in(countable, seat) && count[seat] > *ret_most)
            *ret_most = count[seat];
    for (SeatNo seat = 1; *ret_most && seat <= SEAT_MAX; seat++)
        if (seat_in(countable, seat) && count[seat] == *ret_most)
            top |= seat_bit(seat);
    return top;
}

/* How many stand behind the first, now. */
static inline unsigned witness_standing(const Witness *w)
{
    unsigned count[SEAT_MAX + 1] = {0};
    unsigned most = 0;

    for (SeatNo seat = 1; seat <= w->seats; seat++)
        if (w->standing[seat] != SEAT_NONE && ++count[w->standing[seat]] > most)
            most = count[w->standing[seat]];
    return most;
}

/* Between two calls: a room whose vote is decided is not open any more. */
static inline void witness_room(Witness *w)
{
    if (!w->room_open)
        return;
    if (w->village)
        WITNESS(w, 2 * witness_standing(w) <= seat_count_of(w->alive));
    else
        WITNESS(w, witness_standing(w) < seat_count_of(w->alive & witness_wolves(w)));
}

static inline void witness_execute(Witness *w, const Event *event)
{
    VoteLog none = {0};
    int most;
    SeatSet top = witness_top(w->ballot_round < 0 ? &none : &w->ballot, w->alive, &most);

    if (w->ballot_round < 0)
        w->ballot.count = 0; /* a ballot without votes */
    if (event->seat == SEAT_NONE) {
        /* In a later ballot there may have been no votes at all. */
        bool silent = w->ballot_round + 1 < w->rules->vote.rounds;
        WITNESS(w, silent || most < w->rules->vote.min_votes || !top ||
                       (seat_count_of(top) > 1 && w->rules->vote.tie == TIE_NOBODY));
    } else {
        WITNESS(w, seat_in(top, event->seat));
        WITNESS(w, seat_count_of(top) == 1 || w->rules->vote.tie == TIE_RANDOM);
    }
    if (w->village && event->time < w->until)
        WITNESS(w, 2 * (unsigned)most > seat_count_of(w->alive));
    w->executed_today = event->seat;
    w->executed_known = event->known_to;
    if (event->seat == SEAT_NONE)
        return;
    w->alive &= ~seat_bit(event->seat);
    for (SeatSet left = event->known_to; left; left &= left - 1)
        w->knows_alive[seat_first(left)] &= ~seat_bit(event->seat);
}

static inline void witness_attack(Witness *w, const Event *event)
{
    VoteLog none = {0};
    SeatSet humans = w->alive & ~witness_wolves(w);
    bool guarded = false;
    int most;
    SeatSet top = witness_top(w->attack_round < 0 ? &none : &w->attack_ballot, humans, &most);

    if (w->attack_round < 0)
        w->attack_ballot.count = 0;
    for (SeatSet left = w->alive & w->with[ROLE_BODYGUARD]; left; left &= left - 1)
        guarded = guarded || w->guards[seat_first(left)] == event->target;
    w->attacked_tonight = event->target;
    if (event->target == SEAT_NONE) {
        WITNESS(w, !event->killed && !(w->hideout && event->time < w->until));
        return;
    }
    WITNESS(w, seat_in(humans, event->target));
    bool silent = !top || w->attack_round + 1 < w->rules->attack.rounds;
    WITNESS(w,
            seat_in(top, event->target) || (silent && w->rules->attack.no_vote == NO_VOTE_HUMANS));
    WITNESS(w, event->killed == !guarded);
    WITNESS(w, !w->hideout || most == (int)seat_count_of(w->alive & witness_wolves(w)));
    if (!event->killed)
        return;
    w->alive &= ~seat_bit(event->target);
    w->night_deaths |= seat_bit(event->target);
}

static inline void witness_death(Witness *w, SeatNo seat)
{
    WITNESS(w, seat_in(w->alive, seat) || seat_in(w->night_deaths, seat));
    w->alive &= ~seat_bit(seat);
    w->standing[seat] = SEAT_NONE;
    for (SeatNo other = 1; other <= w->seats; other++)
        w->knows_alive[other] &= ~seat_bit(seat);
}

static inline void witness_end(Witness *w, const Event *event)
{
    bool night_passed = w->begun && event->day != w->day;

    w->day = event->day;
    w->ended = true;
    w->winner = event->winner;
    WITNESS(w, event->humans == seat_count_of(w->alive & ~witness_wolves(w)));
    WITNESS(w, event->wolves == seat_count_of(w->alive & witness_wolves(w)));
    if (event->reason == END_WIN)
        WITNESS(w, event->winner == witness_winner(w) && event->winner != SIDE_NONE);
    else
        WITNESS(w, event->winner == SIDE_NONE);
    if (event->reason == END_MAX_DAY)
        WITNESS(w, (int)event->day == w->rules->end.max_day + 1);
    if (night_passed || w->begun)
        witness_dawn(w);
    w->village = w->hideout = false;
}

static inline void witness_learn(Witness *w, const Event *event)
{
    Judge judge = {.day = (uint16_t)(w->day + 1),
                   .agent = event->seat,
                   .target = event->target,
                   .result = event->species};

    WITNESS(w, event->species == role_species((Role)w->roles[event->target]));
    if (event->kind == EVENT_DIVINE) {
        WITNESS(w, w->roles[event->seat] == ROLE_SEER && seat_in(w->alive, event->seat));
        WITNESS(w, seat_in(w->alive, event->target));
        w->divines[event->seat] = judge;
    } else {
        WITNESS(w, w->roles[event->seat] == ROLE_MEDIUM && event->target == w->executed_today);
        w->identified[event->seat] = judge;
    }
}

/* One event; afterwards witness->wrong says whether it may have happened. */
static inline void witness_event(Witness *w, const Event *event)
{
    WITNESS(w, (event->known_to & ~witness_may_know(w, event)) == 0);
    WITNESS(w, !w->ended || event->kind == EVENT_REVEAL || event->kind == EVENT_SCORE);
    switch (event->kind) {
    case EVENT_ROLE:
        w->roles[event->seat] = (uint8_t)event->role;
        w->with[event->role] |= seat_bit(event->seat);
        w->role_told[event->seat] = event->known_to;
        break;
    case EVENT_DAY:
        witness_day(w, event);
        break;
    case EVENT_PHASE:
        witness_phase(w, event->action, event->until);
        break;
    case EVENT_PHASE_END:
        w->room_open = false;
        memset(w->standing, 0, sizeof(w->standing));
        break;
    case EVENT_TALK:
    case EVENT_WHISPER:
        witness_speech(w, event);
        break;
    case EVENT_STANDING:
        w->standing[event->seat] = event->target;
        break;
    case EVENT_VOTE:
        witness_vote(w, event, &w->ballot, &w->ballot_round);
        break;
    case EVENT_ATTACK_VOTE:
        witness_vote(w, event, &w->attack_ballot, &w->attack_round);
        break;
    case EVENT_EXECUTE:
        witness_execute(w, event);
        break;
    case EVENT_NIGHT:
        WITNESS(w, !w->night);
        w->night = true;
        w->phase = w->action = 0;
        break;
    case EVENT_DIVINE:
    case EVENT_IDENTIFY:
        witness_learn(w, event);
        break;
    case EVENT_GUARD:
        WITNESS(w, w->roles[event->seat] == ROLE_BODYGUARD && seat_in(w->alive, event->seat));
        WITNESS(w, event->target != event->seat);
        w->guards[event->seat] = event->target;
        break;
    case EVENT_ATTACK:
        witness_attack(w, event);
        break;
    case EVENT_DEATH:
        witness_death(w, event->seat);
        break;
    case EVENT_END:
        witness_end(w, event);
        break;
    case EVENT_REVEAL:
        WITNESS(w, event->role == (Role)w->roles[event->seat]);
        break;
    case EVENT_SCORE:
        w->points += event->points;
        break;
    case EVENT_BID:
        WITNESS(w, w->rules->talk.order == ORDER_BIDS && seat_in(w->alive, event->seat));
        WITNESS(w, event->points >= 0 && event->points <= BID_MAX);
        break;
    }
}

#endif
