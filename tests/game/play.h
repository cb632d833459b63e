/* play.h - plays a game by hand: short words for seats, answers and what came of them.
 *
 * For:    tests of the rules, which should read like sentences. A table is written as one letter
 *         a seat ("VVSWP"), a set of seats as digits ("134"), what was said as one line.
 * Memory: play_new in the test's setup, play_free in its teardown; game and events are in it.
 * Thread: the test's.
 *
 * Chance is scripted: the first candidate always, unless play->pick names a seat to prefer.
 */
#ifndef WARG_TESTS_PLAY_H
#define WARG_TESTS_PLAY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "game/game.h"

#define PLAY_EVENTS 8192
#define PLAY_LINE   16384

typedef struct Play {
    Ruleset rules;
    Game *game;
    GameSetup setup;
    Event events[PLAY_EVENTS]; /* all since the start, or since forget() */
    size_t count;
    char line[PLAY_LINE];  /* what said() and whispered() return */
    char heard[PLAY_LINE]; /* talk so far: "1:hello 2:Over" */
    char heard_whisper[PLAY_LINE];
    SeatNo pick[CHANCE_ATTACK + 1];    /* the candidate to prefer for each kind of question */
    unsigned drawn[CHANCE_ATTACK + 1]; /* questions of each kind */
    SeatSet among[CHANCE_ATTACK + 1];  /* the candidates of the last one */
    uint8_t order[CHANCE_ATTACK + 1];  /* first (0) or last (1) of the candidates */
} Play;

/* ---- chance ---- */

static inline uint32_t play_chance(void *user, const ChanceQuestion *question)
{
    Play *play = user;
    ChanceKind kind = question->kind;

    play->drawn[kind]++;
    play->among[kind] = 0;
    for (uint32_t i = 0; i < question->count; i++)
        play->among[kind] |= seat_bit(question->candidates[i]);
    for (uint32_t i = 0; i < question->count; i++)
        if (question->candidates[i] == play->pick[kind])
            return i;
    return play->order[kind] ? question->count - 1 : 0;
}

/* ---- beginning and end ---- */

static inline int play_setup(void **state)
{
    *state = mem_new(sizeof(Play));
    return *state ? 0 : -1;
}

static inline int play_teardown(void **state)
{
    Play *play = *state;

    play->game = game_free(play->game);
    *state = mem_free(play);
    return 0;
}

#define play_test(name) cmocka_unit_test_setup_teardown(name, play_setup, play_teardown)

static inline Role play_role(char letter)
{
    static const char letters[] = "-BXMPSVWF"; /* in the order of Role */

    const char *at = strchr(letters, letter);
    assert_non_null(at);
    return (Role)(at - letters);
}

/* The preset, to be changed before seats(). */
static inline Ruleset *rules_of(Play *play, const char *preset)
{
    assert_int_equal(ruleset_preset(str_of(preset), &play->rules, NULL), 0);
    return &play->rules;
}

static inline void note(Play *play, const Event *event)
{
    char *line = event->kind == EVENT_TALK ? play->heard : play->heard_whisper;
    size_t used;

    assert_true(play->count < PLAY_EVENTS);
    play->events[play->count++] = *event;
    if (event->kind != EVENT_TALK && event->kind != EVENT_WHISPER)
        return;
    used = strlen(line);
    snprintf(line + used, PLAY_LINE - used, "%s%u:%.*s", used ? " " : "", event->seat,
             STR_ARG(event->talk->text));
}

static inline void listen(Play *play)
{
    Event event;

    while (game_next_event(play->game, &event))
        note(play, &event);
    game_check(play->game);
}

/* Begins a game with these roles in seats 1, 2, ...; the table's row is made to fit. */
static inline void seats(Play *play, const char *letters)
{
    int32_t players = (int32_t)strlen(letters);
    Err err = {0};

    if (play->rules.wolves == WOLVES_TABLE) {
        play->rules.roles.present[players] = true;
        memset(play->rules.roles.counts[players], 0, ROLE_COUNT);
    }
    for (int32_t i = 0; i < players; i++) {
        Role role = play_role(letters[i]);
        play->setup.fixed[i + 1] = role;
        if (play->rules.wolves == WOLVES_TABLE)
            play->rules.roles.counts[players][role]++;
    }
    play->game = game_free(play->game);
    if (game_new(&play->rules, players, &play->game, &err) ||
        game_start(play->game, &play->setup, chance_from_script(play_chance, play), &err))
        fail_msg("%s", err.msg);
    play->count = 0;
    play->heard[0] = play->heard_whisper[0] = '\0';
    memset(play->drawn, 0, sizeof(play->drawn));
    listen(play);
}

/* Forgets what was heard and what happened so far. */
static inline void forget(Play *play)
{
    play->count = 0;
    play->heard[0] = play->heard_whisper[0] = '\0';
}

/* ---- sets of seats ---- */

static inline SeatSet set(const char *digits)
{
    SeatSet result = 0;

    for (; *digits; digits++)
        result |= seat_bit((SeatNo)(*digits - '0'));
    return result;
}

static inline SeatSet asked(const Play *play, AskKind kind)
{
    Ask asks[2 * SEAT_MAX];
    size_t count = game_asks(play->game, asks);
    SeatSet result = 0;

    for (size_t i = 0; i < count; i++)
        if (asks[i].kind == kind)
            result |= seat_bit(asks[i].seat);
    return result;
}

#define assert_seats(got, digits) assert_int_equal(got, set(digits))

static inline const View *view_of(const Play *play, SeatNo seat)
{
    return game_view(play->game, seat);
}

static inline bool is_alive(const Play *play, SeatNo seat)
{
    return seat_in(game_alive(play->game), seat);
}

/* ---- answers ---- */

static inline int try_answer(Play *play, SeatNo seat, Answer answer)
{
    int rc = game_answer(play->game, seat, &answer, NULL);

    listen(play);
    return rc;
}

static inline void name(Play *play, AskKind kind, SeatNo seat, SeatNo target)
{
    assert_int_equal(try_answer(play, seat, (Answer){.kind = kind, .target = target}), 0);
}

static inline void vote(Play *play, SeatNo seat, SeatNo target)
{
    name(play, ASK_VOTE, seat, target);
}

static inline void attack(Play *play, SeatNo seat, SeatNo target)
{
    name(play, ASK_ATTACK, seat, target);
}

static inline void lapse(Play *play, AskKind kind, SeatNo seat)
{
    assert_int_equal(try_answer(play, seat, (Answer){.kind = kind, .lapse = true}), 0);
}

static inline int try_say(Play *play, AskKind kind, SeatNo seat, const char *text)
{
    return try_answer(play, seat,
                      (Answer){.kind = kind, .text = str_of(text), .in_language = true});
}

static inline void say(Play *play, SeatNo seat, const char *text)
{
    assert_int_equal(try_say(play, ASK_TALK, seat, text), 0);
}

static inline void whisper(Play *play, SeatNo seat, const char *text)
{
    assert_int_equal(try_say(play, ASK_WHISPER, seat, text), 0);
}

/* A sentence that the protocol language does not have. */
static inline void babble(Play *play, SeatNo seat, const char *text)
{
    assert_int_equal(try_answer(play, seat, (Answer){.kind = ASK_TALK, .text = str_of(text)}), 0);
}

/* Everybody who is asked says the same. */
static inline void all_say(Play *play, const char *text)
{
    for (SeatSet left = asked(play, ASK_TALK); left; left &= left - 1)
        say(play, seat_first(left), text);
}

/* One vote after the other: votes(play, "21312") lets seat 1 vote for 2, seat 2 for 1, ...; '-' is
 * no answer, '.' a seat that is not asked. */
static inline void named(Play *play, AskKind kind, const char *targets)
{
    for (SeatNo seat = 1; targets[seat - 1]; seat++) {
        char target = targets[seat - 1];
        if (target == '-')
            lapse(play, kind, seat);
        else if (target != '.')
            name(play, kind, seat, (SeatNo)(target - '0'));
    }
}

static inline void votes(Play *play, const char *targets)
{
    named(play, ASK_VOTE, targets);
}

static inline void attacks(Play *play, const char *targets)
{
    named(play, ASK_ATTACK, targets);
}

static inline void tick(Play *play, TimeMs now)
{
    game_tick(play->game, now);
    listen(play);
}

static inline void away(Play *play, SeatNo seat)
{
    assert_int_equal(game_set_away(play->game, seat, true, NULL), 0);
    listen(play);
}

static inline void back(Play *play, SeatNo seat)
{
    assert_int_equal(game_set_away(play->game, seat, false, NULL), 0);
    listen(play);
}

static inline void leave(Play *play, SeatNo seat)
{
    assert_int_equal(game_remove(play->game, seat, NULL), 0);
    listen(play);
}

/* Goes on until somebody is asked `kind` (or the game is over): all talk is Over, all else lapses;
 * timed rooms run out. */
static inline void until(Play *play, AskKind kind)
{
    Ask ask;

    for (int i = 0; i < 10000 && !game_over(play->game); i++) {
        if (asked(play, kind))
            return;
        if (game_deadline(play->game) != TIME_NEVER)
            tick(play, game_deadline(play->game));
        else if (!game_first_ask(play->game, &ask))
            return;
        else if (ask.kind == ASK_TALK || ask.kind == ASK_WHISPER)
            assert_int_equal(try_say(play, ask.kind, ask.seat, "Over"), 0);
        else
            lapse(play, ask.kind, ask.seat);
    }
}

/* A game by a preset that stands at its first talk; what came before is forgotten. */
static inline Play *talking(void **state, const char *preset, const char *letters)
{
    Play *play = *state;

    rules_of(play, preset);
    seats(play, letters);
    until(play, ASK_TALK);
    forget(play);
    return play;
}

/* The same after changing the rules with `change`. */
static inline Play *talking_with(void **state, const char *preset, const char *letters,
                                 void (*change)(TalkRules *talk))
{
    Play *play = *state;

    change(&rules_of(play, preset)->talk);
    seats(play, letters);
    until(play, ASK_TALK);
    forget(play);
    return play;
}

/* Goes on until day `day` begins, or the game is over. */
static inline void until_day(Play *play, unsigned day)
{
    Ask ask;

    while (game_day(play->game) < day && !game_over(play->game)) {
        if (game_deadline(play->game) != TIME_NEVER)
            tick(play, game_deadline(play->game));
        else if (!game_first_ask(play->game, &ask))
            return;
        else if (ask.kind == ASK_TALK || ask.kind == ASK_WHISPER)
            assert_int_equal(try_say(play, ask.kind, ask.seat, "Over"), 0);
        else
            lapse(play, ask.kind, ask.seat);
    }
}

/* ---- what happened ---- */

/* Where the nth event of a kind is, or PLAY_EVENTS. */
static inline size_t find_event(const Play *play, EventKind kind, unsigned n)
{
    for (size_t i = 0; i < play->count; i++)
        if (play->events[i].kind == kind && n-- == 0)
            return i;
    return PLAY_EVENTS;
}

static inline unsigned events(const Play *play, EventKind kind)
{
    unsigned n = 0;

    for (size_t i = 0; i < play->count; i++)
        n += play->events[i].kind == kind;
    return n;
}

/* The nth event of this kind, which must be there. */
static inline const Event *nth(const Play *play, EventKind kind, unsigned n)
{
    size_t at = find_event(play, kind, n);

    if (at == PLAY_EVENTS)
        fail_msg("event %u of kind %d did not happen", n, (int)kind);
    return &play->events[at % PLAY_EVENTS];
}

static inline const Event *last(const Play *play, EventKind kind)
{
    unsigned n = events(play, kind);

    return nth(play, kind, n ? n - 1 : 0);
}

/* "1>2 2>1": the votes of ballot `round`. */
static inline const char *ballot(Play *play, EventKind kind, unsigned round)
{
    size_t used = 0;

    play->line[0] = '\0';
    for (size_t i = 0; i < play->count; i++)
        if (play->events[i].kind == kind && play->events[i].round == round)
            used += (size_t)snprintf(play->line + used, sizeof(play->line) - used, "%s%u>%u",
                                     used ? " " : "", play->events[i].seat, play->events[i].target);
    return play->line;
}

/* What follows one another, without single votes and words: "DAY PHASE:talk ...". */
static inline const char *course(Play *play)
{
    static const char *const names[] = {"ROLE",    "DAY",   "PHASE",  "END-OF",  "TALK",
                                        "WHISPER", "STAND", "VOTE",   "EXECUTE", "NIGHT",
                                        "DIVINE",  "GUARD", "AVOTE",  "ATTACK",  "IDENTIFY",
                                        "DEATH",   "END",   "REVEAL", "SCORE"};
    size_t used = 0;
    int before = -1;

    play->line[0] = '\0';
    for (size_t i = 0; i < play->count; i++) {
        const Event *event = &play->events[i];
        bool phase = event->kind == EVENT_PHASE || event->kind == EVENT_PHASE_END;
        if ((int)event->kind == before && !phase)
            continue;
        before = (int)event->kind;
        used += (size_t)snprintf(play->line + used, sizeof(play->line) - used, "%s%s%s%s",
                                 used ? " " : "", names[event->kind], phase ? ":" : "",
                                 phase ? action_name(event->action) : "");
    }
    return play->line;
}

static inline void assert_winner(const Play *play, Side winner, EndReason reason)
{
    assert_true(game_over(play->game));
    assert_int_equal(game_winner(play->game), winner);
    assert_int_equal(last(play, EVENT_END)->winner, winner);
    assert_int_equal(last(play, EVENT_END)->reason, reason);
}

#endif
