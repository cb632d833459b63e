#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "contest/check_bot.h"
#include "lang/lang.h"
#include "referee/referee.h"

#define GAMES 40

static void every_sentence_is_one_of_the_language(void **state)
{
    char text[CHECK_BOT_TEXT];

    (void)state;
    for (unsigned i = 0; i < CHECK_BOT_SENTENCES; i++) {
        Arena arena = arena_new(1 << 16);
        const Sentence *sentence;
        Err err = {0};
        const size_t len = check_bot_sentence(i, 15, 2, 3, text);
        if (lang_parse((Str){text, len}, &arena, &sentence, &err))
            fail_msg("%s: %s", text, err.msg);
        arena_done(&arena);
    }
}

/* What an agent on the first seat is shown in these games. */
typedef struct Shown {
    uint32_t revotes;     /* days of a game with one */
    uint32_t attack_ties; /* nights on which wolves voted again */
    uint32_t most_turns;  /* of talk in a day */
    uint32_t talks_of_dead;
    uint32_t first_dies; /* games in which it was executed or attacked on day 1 */
} Shown;

static void on_event(void *user, const Event *event)
{
    Shown *shown = user;

    if (event->kind == EVENT_VOTE && event->round == 1 && event->seat == 2)
        shown->revotes++;
    if (event->kind == EVENT_ATTACK_VOTE && event->round == 1)
        shown->attack_ties++;
    if (event->kind == EVENT_TALK && event->talk->turn + 1 > shown->most_turns)
        shown->most_turns = event->talk->turn + 1;
    if ((event->kind == EVENT_EXECUTE || event->kind == EVENT_DEATH) && event->day == 1 &&
        event->seat == CHECK_BOT_AGENT)
        shown->first_dies++;
}

/* The agent is a bot that names anybody. */
static Shown play_games(int32_t players)
{
    Shown shown = {0};
    Ruleset rules;
    Referee *referee = NULL;
    const BotKind *kinds[SEAT_MAX + 1];
    const Recorder recorder = {.event = on_event, .user = &shown};

    assert_int_equal(ruleset_preset(STR("aiwolf-2021"), &rules, NULL), 0);
    for (SeatNo seat = 1; seat <= players; seat++)
        kinds[seat] = seat == CHECK_BOT_AGENT ? bot_kind(STR("random")) : &check_bot;
    assert_int_equal(referee_new(&rules, players, kinds, &referee, NULL), 0);
    for (uint64_t game = 0; game < GAMES; game++) {
        const GameKey key = game_key_old(game);
        assert_int_equal(referee_play(referee, NULL, &key, &recorder, NULL), 0);
    }
    referee_free(referee);
    return shown;
}

static void the_agent_sees_revotes_and_days_of_twenty_turns(void **state)
{
    (void)state;
    for (int32_t players = 5; players <= 15; players += 10) {
        const Shown shown = play_games(players);
        assert_true(shown.revotes > GAMES / 2);
        assert_int_equal(shown.most_turns, 20);
        assert_true(shown.first_dies < GAMES / 4);
        if (players == 15)
            assert_true(shown.attack_ties > GAMES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sentence_is_one_of_the_language),
        cmocka_unit_test(the_agent_sees_revotes_and_days_of_twenty_turns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
