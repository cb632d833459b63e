#define _GNU_SOURCE /* posix_openpt */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bot/bot.h"
#include "person/person.h"
#include "person/person_io.h"

/* A person at seat 1 of a real table, bots at the others. */
typedef struct Table {
    PersonIo io;
    Person *person;
    Game *game;
    Bot *bots[SEAT_MAX + 1];
    bool answered;
    Answer answer;
    Buf text;
    int quits;
} Table;

static void on_answer(void *user, const Ask *ask, const Answer *answer)
{
    Table *table = user;

    assert_int_equal(ask->kind, answer->kind);
    assert_false(table->answered);
    table->answered = true;
    table->answer = *answer;
    buf_clear(&table->text);
    buf_add(&table->text, answer->text);
    table->answer.text = buf_str(&table->text);
}

static void on_quit(void *user)
{
    ((Table *)user)->quits++;
}

/* Plays the bots until the person is asked; false when the game is over. */
static bool until_asked(Table *table, Ask *ret_ask)
{
    const BotKind *kind = bot_kind(STR("random"));
    Event event;

    while (true) {
        while (game_next_event(table->game, &event))
            ;
        if (game_over(table->game))
            return false;
        Ask asks[2 * SEAT_MAX];
        size_t count = game_asks(table->game, asks), mine = count;
        for (size_t i = 0; i < count; i++) {
            if (asks[i].seat == 1) {
                mine = i;
                continue;
            }
            Answer answer = {.kind = asks[i].kind};
            kind->answer(table->bots[asks[i].seat], &asks[i], game_view(table->game, asks[i].seat),
                         &answer);
            game_answer(table->game, asks[i].seat, &answer, NULL);
        }
        if (mine < count && game_is_asked(table->game, 1, asks[mine].kind)) {
            *ret_ask = asks[mine];
            return true;
        }
    }
}

static Table *table_new(bool keyboard, PersonLanguage language, Role role, const char *preset,
                        int32_t limit_ms)
{
    Table *table = mem_new(sizeof(*table));
    const BotKind *kind = bot_kind(STR("random"));
    GameSetup setup = {.fixed = {[1] = role}};
    Ruleset rules;
    Ask first;

    assert_non_null(table);
    person_io_open(&table->io, keyboard);
    assert_int_equal(ruleset_preset(str_of(preset), &rules, NULL), 0);
    rules.contest.time_limit_told_ms = limit_ms;
    assert_int_equal(game_new(&rules, 5, &table->game, NULL), 0);
    assert_int_equal(game_start(table->game, &setup, chance_from_seed(7), NULL), 0);
    for (SeatNo seat = 2; seat <= 5; seat++) {
        table->bots[seat] = mem_new(kind->bytes);
        kind->start(table->bots[seat], game_view(table->game, seat), seat);
    }
    const PersonSetup person = {.screen = table->io.screen,
                                .language = language,
                                .protocol = str_starts(str_of(preset), STR("aiwolf")),
                                .answer = on_answer,
                                .quit = on_quit,
                                .user = table};
    assert_int_equal(person_new(&person, &table->person, NULL), 0);
    assert_true(until_asked(table, &first)); /* roles are dealt */
    return table;
}

static void table_free(Table *table)
{
    person_free(table->person);
    game_free(table->game);
    for (SeatNo seat = 2; seat <= 5; seat++)
        mem_free(table->bots[seat]);
    buf_done(&table->text);
    person_io_close(&table->io);
    mem_free(table);
}

static void ask(Table *table, const Ask *one, TimeUs now)
{
    table->answered = false;
    person_ask(table->person, one, game_view(table->game, 1), now);
}

static void give(Table *table)
{
    assert_true(table->answered);
    table->answer.in_language = true; /* as the referee finds out */
    assert_int_equal(game_answer(table->game, 1, &table->answer, NULL), 0);
}

/* Up to the next ask of this kind; others lapse. */
static Ask until_kind(Table *table, AskKind kind, TimeUs now)
{
    Ask one;

    while (until_asked(table, &one)) {
        ask(table, &one, now);
        if (one.kind == kind)
            return one;
        if (!table->answered)
            person_tick(table->person, person_deadline(table->person));
        give(table);
    }
    fail_msg("the game was over before");
    return one;
}

static void type(Table *table, const char *line)
{
    person_entered(table->person, str_of(line), 1000);
}

/* ---- at the keyboard ---- */

/* A server that has each team play itself lets two friends wait for ever, and can't tell them. */
static void who_waits_for_long_is_told_why_that_may_be(void **state)
{
    Table *table = table_new(true, PERSON_ENGLISH, ROLE_SEER, "aiwolf-2021", 20000);
    Table *japanese = table_new(true, PERSON_JAPANESE, ROLE_SEER, "aiwolf-2021", 20000);

    (void)state;
    assert_told(&table->io, "-- Waiting for the game\n");
    assert_int_equal(person_deadline(table->person), TIME_US_NEVER);
    person_wait(table->person, 5000000);
    person_wait(table->person, 9000000); /* asked for its name once more: still there */
    assert_int_equal(person_deadline(table->person), 15000000);
    person_tick(table->person, 14999999);
    assert_string_equal(person_io_told(&table->io), "");
    person_tick(table->person, 15000000);
    assert_told(&table->io, "* No game yet: the server waits for more players. Where it has "
                            "matching.self_match: true, a team plays only itself; friends then "
                            "join with the same --team.\n");
    assert_int_equal(person_deadline(table->person), TIME_US_NEVER);
    person_wait(table->person, 16000000);
    person_tick(table->person, 60000000);
    assert_string_equal(person_io_told(&table->io), ""); /* said once */
    person_wait(japanese->person, 0);
    person_begin(japanese->person, game_view(japanese->game, 1), 9000000);
    person_io_told(&japanese->io);
    assert_int_equal(person_deadline(japanese->person), TIME_US_NEVER);
    person_tick(japanese->person, 60000000);
    assert_string_equal(person_io_told(&japanese->io), ""); /* the game has begun */
    table_free(table);
    table_free(japanese);
}

static void a_person_answers_what_is_asked(void **state)
{
    Table *table = table_new(true, PERSON_ENGLISH, ROLE_SEER, "aiwolf-2021", 20000);

    (void)state;
    type(table, "/who");
    assert_told(&table->io, "No game has begun yet.");
    person_begin(table->person, game_view(table->game, 1), 0);
    assert_told(&table->io, "! A game of 5 begins. You are Agent[01].\n* Your role: Seer.\n");

    until_kind(table, ASK_DIVINE, 1000);
    /* By these rules it may divine itself; nobody means to. */
    const char *offered = person_io_told(&table->io);
    assert_non_null(strstr(offered, "! Whom do you divine? /divine NAME: Agent[02]"));
    type(table, "hello");
    assert_told(&table->io, "No one player is called 'hello'.");
    type(table, "/vote 2");
    assert_told(&table->io, "! You are not asked for this now: vote.");
    type(table, "/divine Agent[9]");
    type(table, "/divine ag");
    assert_told(&table->io, "No one player is called 'ag'.");
    assert_false(table->answered);
    type(table, "/divine Agent[3]");
    assert_int_equal(table->answer.target, 3);
    give(table);

    until_kind(table, ASK_TALK, 1000);
    assert_told(&table->io, "! Your divination: Agent[03] is ");
    type(table, "VOTE Agent[02");
    assert_told(&table->io, "! Not sent. This is no sentence of the protocol language: column 1");
    assert_false(table->answered);
    type(table, "VOTE Agent[02]");
    assert_string_equal(buf_cstr(&table->text), "VOTE Agent[02]");
    give(table);
    type(table, "VOTE Agent[03]"); /* nobody has asked */
    assert_told(&table->io, "! It is not your turn to speak; this was not sent.");

    until_kind(table, ASK_TALK, 1000);
    assert_told(&table->io, "> Agent[01]: VOTE Agent[02]");
    type(table, "/over");
    assert_string_equal(buf_cstr(&table->text), "Over");
    give(table);
    until_kind(table, ASK_VOTE, 1000);
    type(table, "agent[01]");
    assert_told(&table->io, "! Agent[01] can't be chosen. You may choose: Agent[02], Agent[03]");
    type(table, "2");
    assert_int_equal(table->answer.target, 2);
    give(table);
    assert_int_equal(table->quits, 0);
    type(table, "/quit");
    assert_int_equal(table->quits, 1);
    table_free(table);
}

static void no_answer_in_time_is_a_lapse(void **state)
{
    Table *table = table_new(true, PERSON_ENGLISH, ROLE_VILLAGER, "aiwolf-2021", 2000);

    (void)state;
    person_begin(table->person, game_view(table->game, 1), 0);
    assert_told(&table->io, "* This server allows only 2000 ms");
    until_kind(table, ASK_TALK, 1000000);
    assert_int_equal(person_deadline(table->person), 2800000); /* a tenth is for the way */
    person_entered(table->person, STR("/time"), 1500000);
    assert_told(&table->io, "Time left for your answer: 1 s.");
    person_tick(table->person, 2799999);
    assert_false(table->answered);
    person_tick(table->person, 2800000);
    assert_told(&table->io, "! The time is over: no answer was given (talk).");
    assert_true(table->answer.lapse);
    assert_string_equal(buf_cstr(&table->text), "Skip");
    give(table);
    assert_true(person_deadline(table->person) == TIME_US_NEVER);
    until_kind(table, ASK_VOTE, 1000);
    person_tick(table->person, 1000000000);
    assert_true(table->answer.lapse && table->answer.target == SEAT_NONE);
    person_unask(table->person, 0);
    table_free(table);
}

static void a_wolf_whispers_to_wolves_only(void **state)
{
    Table *table = table_new(true, PERSON_ENGLISH, ROLE_WEREWOLF, "aiwolf-2021", 20000);
    Ask whisper = {.seat = 1, .kind = ASK_WHISPER}, talk = {.seat = 1, .kind = ASK_TALK};

    (void)state;
    person_begin(table->person, game_view(table->game, 1), 0);
    ask(table, &whisper, 1000);
    assert_told(&table->io, "your turn: whisper to the werewolves");
    type(table, "/say VOTE Agent[02]"); /* in no other room than it was typed for */
    assert_told(&table->io, "! You are not asked for this now: talk.");
    type(table, "ATTACK Agent[02]");
    assert_true(table->answered && table->answer.kind == ASK_WHISPER);
    ask(table, &talk, 1000);
    type(table, "/whisper ATTACK Agent[02]");
    assert_told(&table->io, "! You are not asked for this now: whisper to the werewolves.");
    assert_false(table->answered);
    until_kind(table, ASK_ATTACK, 1000);
    type(table, "/attack 1");
    assert_told(&table->io, "! Agent[01] can't be chosen.");
    assert_false(table->answered);
    type(table, "4");
    assert_int_equal(table->answer.target, 4);
    table_free(table);
}

static void questions_are_answered(void **state)
{
    Table *table = table_new(true, PERSON_JAPANESE, ROLE_SEER, "nlp-turn", 60000);
    Str names[64];

    (void)state;
    person_begin(table->person, game_view(table->game, 1), 0);
    assert_told(&table->io, "* あなたの役職: 占い師\n");
    assert_true(person_names(table->person, names) > 5);
    assert_string_equal(names[0].bytes, "Agent[01]");
    until_kind(table, ASK_TALK, 1000);
    type(table, "/who");
    assert_told(&table->io, "* Agent[01]: 生存、あなた\n* Agent[02]: 生存");
    type(table, "/role");
    assert_told(&table->io, "* あなたの役職: 占い師\n");
    type(table, "/votes");
    assert_told(&table->io, "投票はまだ分かりません。");
    type(table, "/score");
    assert_told(&table->io, "ゲーム数: 0、勝ち: 0");
    type(table, "/help");
    assert_told(&table->io, "@名前");
    type(table, "/hlep");
    assert_told(&table->io, "/help?");
    assert_false(table->answered);
    type(table, "こんにちは、皆さん"); /* no protocol language here */
    assert_string_equal(buf_cstr(&table->text), "こんにちは、皆さん");
    table_free(table);
}

/* ---- scripts ---- */

static void a_script_plays_a_whole_game(void **state)
{
    static const char *const roles[] = {"SEER", "VILLAGER", "WEREWOLF", "POSSESSED"};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        Role role = role_of(str_of(roles[i]));
        Table *table = table_new(false, PERSON_ENGLISH, role, "aiwolf-2021", 20000);
        Ask one;
        int kept = 0, lapses = 0;

        type(table, "/who");
        type(table, "COMINGOUT Agent[01] SEER");
        type(table, "no sentence");
        type(table, "ESTIMATE Agent[02] WEREWOLF");
        type(table, "/vote Agent[02]");
        type(table, "/divine Agent[03]");
        type(table, "/attack Agent[04]");
        type(table, "/quit");
        assert_int_equal(table->quits, 0);
        person_begin(table->person, game_view(table->game, 1), 0);
        while (until_asked(table, &one)) {
            ask(table, &one, 1000);
            kept += !table->answer.lapse;
            lapses += table->answer.lapse;
            give(table);
        }
        person_end(table->person, game_view(table->game, 1), game_winner(table->game), 0);
        const char *told = person_io_told(&table->io);
        assert_non_null(strstr(told, "* Agent[01]: alive, you"));
        assert_non_null(strstr(told, "found 'no'"));
        assert_non_null(strstr(told, "! The game is over. The "));
        assert_non_null(strstr(told, "* Roles: Agent[01] "));
        assert_true(kept >= 2);
        assert_true(lapses >= 1);
        assert_int_equal(person_games(table->person), 1);
        assert_int_equal(person_wins(table->person), game_winner(table->game) == role_side(role));
        table_free(table);
    }
}

static void a_script_speaks_at_its_pace_where_anybody_may_at_any_time(void **state)
{
    Table *table = table_new(false, PERSON_ENGLISH, ROLE_VILLAGER, "nlp-turn", 60000);
    Ask standing = {.seat = 1, .kind = ASK_TALK, .standing = true};

    (void)state;
    person_begin(table->person, game_view(table->game, 1), 0);
    type(table, "one");
    type(table, "two");
    ask(table, &standing, 1000000);
    assert_string_equal(buf_cstr(&table->text), "one");
    assert_int_equal(person_deadline(table->person), 1300000);
    table->answered = false;
    person_tick(table->person, 1200000);
    assert_false(table->answered);
    person_tick(table->person, 1300000);
    assert_string_equal(buf_cstr(&table->text), "two");
    assert_true(person_deadline(table->person) == TIME_US_NEVER);
    table->answered = false;
    person_input_ended(table->person, 9000000);
    assert_string_equal(buf_cstr(&table->text), "Over");
    table->answered = false;
    person_tick(table->person, 9900000);
    assert_false(table->answered); /* once */
    person_unask(table->person, 0);
    assert_true(person_deadline(table->person) == TIME_US_NEVER);

    Ask vote = {.seat = 1, .kind = ASK_VOTE}; /* there a name has to be given */
    View view = *game_view(table->game, 1);
    Ruleset rules = *view.rules;
    rules.talk.duration_ms = 3000;
    view.rules = &rules;
    person_ask(table->person, &vote, &view, 1000);
    assert_true(table->answered && !table->answer.lapse);
    assert_in_range(table->answer.target, 1, 5);
    table_free(table);
}

static void a_script_has_a_limit(void **state)
{
    Table *table = table_new(false, PERSON_ENGLISH, ROLE_VILLAGER, "aiwolf-2021", 1000);

    (void)state;
    for (int i = 0; i < 1001; i++)
        type(table, "Skip");
    assert_told(&table->io, "! Too many lines wait");
    table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_waits_for_long_is_told_why_that_may_be),
        cmocka_unit_test(a_person_answers_what_is_asked),
        cmocka_unit_test(no_answer_in_time_is_a_lapse),
        cmocka_unit_test(a_wolf_whispers_to_wolves_only),
        cmocka_unit_test(questions_are_answered),
        cmocka_unit_test(a_script_plays_a_whole_game),
        cmocka_unit_test(a_script_speaks_at_its_pace_where_anybody_may_at_any_time),
        cmocka_unit_test(a_script_has_a_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
