#define _GNU_SOURCE /* cmocka */
#include "agent/agent_game.h"

#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- an agent that is asked what it knows whenever it is told something ---- */

typedef struct Witness {
    Buf heard;
    Buf reports;
    const char *says;
    int names;
} Witness;

static void keep_heard(const WargGame *game, const WargTalk *talk, void *user)
{
    Witness *witness = user;

    (void)game;
    buf_printf(&witness->heard, "%d%s.%d.%d.%d:%s;", talk->day, talk->whisper ? "w" : "",
               talk->agent, talk->id, talk->turn, talk->text);
}

static void keep_report(const char *message, void *user)
{
    Witness *witness = user;

    buf_printf(&witness->reports, "%s;", message);
}

static const char *say_own(const WargGame *game, void *user)
{
    const Witness *witness = user;

    (void)game;
    return witness->says;
}

static int name_own(const WargGame *game, void *user)
{
    const Witness *witness = user;

    return warg_is_revote(game) ? 100 : witness->names;
}

static const WargAgent witness_agent = {.heard = keep_heard, .report = keep_report};

static WargGame *game_of(const WargAgent *agent, Witness *witness, const char *name)
{
    WargGame *game;
    Err err = {0};

    assert_int_equal(agent_game_new(agent, witness, name, ROLE_MEDIUM, &game, &err), 0);
    return game;
}

static const char *line_answer(WargGame *game, const char *line)
{
    static char text[200];
    Str answer;
    Err err = {0};

    if (agent_game_line(game, str_of(line), &answer, &err))
        fail_msg("%s: %s", line, err.msg);
    assert_true(answer.len < sizeof(text));
    memcpy(text, answer.bytes ? answer.bytes : "", answer.len);
    text[answer.len] = '\0';
    return text;
}

static void witness_done(Witness *witness)
{
    buf_done(&witness->heard);
    buf_done(&witness->reports);
}

#define ALIVE(two)                                                                                 \
    "\"statusMap\":{\"1\":\"ALIVE\",\"2\":\"" two                                                  \
    "\",\"3\":\"ALIVE\",\"4\":\"ALIVE\",\"5\":\"ALIVE\"}"
/* Wolves are 4, which is the agent, and 5. */
#define INITIALIZE                                                                                 \
    "{\"request\":\"INITIALIZE\",\"gameInfo\":{\"agent\":4,\"day\":0,\"roleMap\":{\"4\":"          \
    "\"WEREWOLF\",\"5\":\"WEREWOLF\"}," ALIVE(                                                     \
        "ALIVE") "},\"gameSetting\":{\"playerNum\":5,"                                             \
                 "\"roleNumMap\":{\"SEER\":1,\"WEREWOLF\":2,\"VILLAGER\":2},\"maxTalk\":7}}"
#define DAWN                                                                                       \
    "{\"request\":\"DAILY_INITIALIZE\",\"gameInfo\":{\"agent\":4,\"day\":2," ALIVE(                \
        "DEAD") ","                                                                                \
                "\"executedAgent\":2,\"latestExecutedAgent\":1,\"attackedAgent\":3,"               \
                "\"guardedAgent\":5,"                                                              \
                "\"lastDeadAgentList\":[2,3],\"remainTalkMap\":{\"4\":6,\"5\":8},"                 \
                "\"remainWhisperMap\":{\"4\":9,\"5\":3},"                                          \
                "\"voteList\":[{\"agent\":1,\"day\":1,\"target\":2},{\"agent\":4,\"day\":1,"       \
                "\"target\":3}],"                                                                  \
                "\"latestVoteList\":[{\"agent\":1,\"day\":2,\"target\":5},{\"agent\":5,\"day\":2," \
                "\"target\":4}],"                                                                  \
                "\"divineResult\":{\"agent\":4,\"day\":1,\"target\":1,\"result\":\"HUMAN\"},"      \
                "\"mediumResult\":{\"agent\":4,\"day\":1,\"target\":2,\"result\":\"WEREWOLF\"}}}"

static void before_the_first_game_nothing_is_known(void **state)
{
    Witness witness = {0};
    WargGame *game = game_of(&witness_agent, &witness, "w");
    WargSpecies result = (WargSpecies)7;
    WargTalk talk = {.id = 77};

    (void)state;
    assert_int_equal(warg_day(game) + warg_me(game) + warg_agent_count(game), 0);
    assert_int_equal(warg_my_role(game), WARG_ROLE_NONE);
    assert_int_equal(warg_living_count(game) + warg_lives(game, 1), 0);
    assert_int_equal(warg_role(game, 1), WARG_ROLE_NONE);
    assert_int_equal(warg_role_count(game, WARG_SEER), 0);
    assert_int_equal(warg_talks_left(game) + warg_whispers_left(game), 0);
    assert_int_equal(warg_is_revote(game), 0);
    assert_int_equal(warg_executed_today(game) + warg_executed_yesterday(game), 0);
    assert_int_equal(warg_died_last_night(game, 0), 0);
    assert_int_equal(warg_attacked_last_night(game) + warg_guarded_last_night(game), 0);
    assert_int_equal(warg_voted_today(game, 1) + warg_voted_yesterday(game, 1), 0);
    assert_int_equal(warg_divined(game, &result) + warg_identified(game, &result), 0);
    assert_int_equal(result, 7);
    assert_int_equal(warg_winner(game), WARG_SIDE_NONE);
    assert_int_equal(warg_random_living(game), WARG_NOBODY);
    assert_int_equal(warg_talk_count(game) + warg_whisper_count(game), 0);
    assert_int_equal(warg_talk(game, 0, &talk) + warg_whisper(game, 0, &talk), 0);
    assert_int_equal(talk.id, 77);
    agent_game_free(game);
    witness_done(&witness);
}

static void what_a_packet_tells_is_known(void **state)
{
    Witness witness = {0};
    WargGame *game = game_of(&witness_agent, &witness, "w");
    WargSpecies result = WARG_SPECIES_NONE;

    (void)state;
    assert_string_equal(line_answer(game, INITIALIZE), "");
    assert_int_equal(warg_living_count(game), 5);
    assert_int_equal(warg_talks_left(game), 7);
    assert_int_equal(warg_role_count(game, WARG_WEREWOLF), 2);
    assert_int_equal(warg_role_count(game, WARG_SEER), 1);
    assert_int_equal(warg_role_count(game, WARG_FOX), 0);
    assert_int_equal(warg_role_count(game, (WargRole)99), 0);
    assert_string_equal(line_answer(game, DAWN), "");
    assert_int_equal(warg_day(game), 2);
    assert_int_equal(warg_me(game), 4);
    assert_int_equal(warg_my_role(game), WARG_WEREWOLF);
    assert_int_equal(warg_agent_count(game), 5);
    assert_int_equal(warg_living_count(game), 4);
    for (int agent = -1; agent <= 7; agent++) {
        bool plays = agent >= 1 && agent <= 5;
        assert_int_equal(warg_lives(game, agent), plays && agent != 2);
        assert_int_equal(warg_role(game, agent),
                         agent == 4 || agent == 5 ? WARG_WEREWOLF : WARG_ROLE_NONE);
    }
    assert_int_equal(warg_talks_left(game), 6);
    assert_int_equal(warg_whispers_left(game), 9);
    assert_int_equal(warg_executed_yesterday(game), 2);
    assert_int_equal(warg_executed_today(game), 1);
    assert_int_equal(warg_attacked_last_night(game), 3);
    assert_int_equal(warg_guarded_last_night(game), 5);
    assert_int_equal(warg_died_last_night(game, -1), 0);
    assert_int_equal(warg_died_last_night(game, 0), 2);
    assert_int_equal(warg_died_last_night(game, 1), 3);
    assert_int_equal(warg_died_last_night(game, 2), 0);
    assert_int_equal(warg_voted_yesterday(game, 1), 2);
    assert_int_equal(warg_voted_yesterday(game, 4), 3);
    assert_int_equal(warg_voted_yesterday(game, 5), 0);
    assert_int_equal(warg_voted_today(game, 1), 5);
    assert_int_equal(warg_voted_today(game, 5), 4);
    assert_int_equal(warg_voted_today(game, 4), 0);
    assert_int_equal(warg_divined(game, &result), 1);
    assert_int_equal(result, WARG_SPECIES_HUMAN);
    assert_int_equal(warg_identified(game, &result), 2);
    assert_int_equal(result, WARG_SPECIES_WEREWOLF);
    assert_int_equal(warg_identified(game, NULL), 2);
    agent_game_free(game);
    witness_done(&witness);
}

#define SAID(agent, day, id, turn, text)                                                           \
    "{\"agent\":" #agent ",\"day\":" #day ",\"idx\":" #id ",\"turn\":" #turn ",\"text\":\"" text   \
    "\"}"

static void what_is_said_and_whispered_is_told_once_and_kept_for_the_game(void **state)
{
    Witness witness = {.says = ""};
    WargGame *game = game_of(&witness_agent, &witness, "w");
    WargTalk talk = {0};

    (void)state;
    line_answer(game, INITIALIZE);
    line_answer(game, DAWN);
    line_answer(game, "{\"request\":\"TALK\",\"talkHistory\":[" SAID(1, 2, 0, 0, "Skip") "," SAID(
                          3, 2, 1, 0, "VOTE Agent[05]") "]}");
    line_answer(
        game,
        "{\"request\":\"WHISPER\",\"talkHistory\":[" SAID(
            5, 2, 2, 1, "Over") "],\"whisperHistory\":[" SAID(5, 2, 0, 3, "ATTACK Agent[03]") "]"
                                                                                              "}");
    assert_string_equal(
        buf_cstr(&witness.heard),
        "2.1.0.0:Skip;2.3.1.0:VOTE Agent[05];2.5.2.1:Over;2w.5.0.3:ATTACK Agent[03];");
    assert_int_equal(warg_talk_count(game), 3);
    assert_int_equal(warg_whisper_count(game), 1);
    assert_int_equal(warg_talk(game, 1, &talk), 1);
    assert_true(talk.agent == 3 && talk.day == 2 && talk.id == 1 && talk.turn == 0 &&
                talk.whisper == 0);
    assert_string_equal(talk.text, "VOTE Agent[05]");
    assert_int_equal(warg_talk(game, 2, &talk), 1);
    assert_true(talk.agent == 5 && talk.turn == 1);
    assert_int_equal(warg_talk(game, 3, &talk), 0);
    assert_int_equal(warg_talk(game, -1, &talk), 0);
    assert_int_equal(warg_whisper(game, 0, &talk), 1);
    assert_true(talk.agent == 5 && talk.turn == 3 && talk.whisper == 1);
    assert_int_equal(warg_whisper(game, 1, &talk), 0);
    line_answer(game, "{\"request\":\"DAILY_INITIALIZE\",\"gameInfo\":{\"agent\":4,\"day\":3,"
                      "\"talkList\":[" SAID(1, 3, 0, 0, "Over") "]}}");
    assert_int_equal(warg_talk_count(game), 4);
    assert_int_equal(warg_talk(game, 3, &talk), 1);
    assert_true(talk.day == 3 && talk.agent == 1);
    line_answer(game, INITIALIZE);
    assert_int_equal(warg_talk_count(game) + warg_whisper_count(game), 0);
    agent_game_free(game);
    witness_done(&witness);
}

static void as_much_as_a_game_can_have_is_kept_and_no_more(void **state)
{
    Talk item = {.day = 1, .seat = 2, .text = STR("Over")};
    TalkLog log = {.items = &item, .count = 1};
    AgentTalks talks = {0};
    Err err = {0};

    (void)state;
    for (uint32_t i = 0; i < AGENT_TALKS_MAX; i++) {
        talks.taken = 0;
        item.idx = i;
        assert_int_equal(agent_game_take_talk(&talks, 1, &log, &err), 0);
    }
    assert_int_equal(talks.count, AGENT_TALKS_MAX);
    assert_int_equal(agent_game_talk(&talks, 255, false).id, 255);
    assert_int_equal(agent_game_talk(&talks, 256, false).id, 256);
    assert_string_equal(agent_game_talk(&talks, 65535, false).text, "Over");
    talks.taken = 0;
    assert_int_equal(agent_game_take_talk(&talks, 1, &log, &err), ERR_LIMIT);
    assert_string_equal(err.msg, "more talk than a game can have");
    talks.count = 1;
    while (talks.texts.len < AGENT_TALK_BYTES_MAX - 4)
        buf_add_char(&talks.texts, 'x');
    talks.taken = 0;
    assert_int_equal(agent_game_take_talk(&talks, 1, &log, NULL), 0);
    talks.texts.len = AGENT_TALK_BYTES_MAX - 3;
    talks.taken = 0;
    assert_int_equal(agent_game_take_talk(&talks, 1, &log, NULL), ERR_LIMIT);
    mem_free(talks.items);
    buf_done(&talks.texts);
}

static void each_callback_answers_its_own_question(void **state)
{
    static const WargAgent talker = {.talk = say_own, .report = keep_report};
    static const WargAgent whisperer = {.whisper = say_own, .report = keep_report};
    static const WargAgent voter = {.vote = name_own};
    static const WargAgent guard = {.guard = name_own};
    static const WargAgent seer = {.divine = name_own};
    static const WargAgent attacker = {.attack = name_own};
    static const struct {
        const WargAgent *agent;
        const char *request;
        const char *answer;
    } cases[] = {
        {&talker, "TALK", "VOTE Agent[02]\n"},    {&talker, "WHISPER", "Over\n"},
        {&whisperer, "TALK", "Over\n"},           {&whisperer, "WHISPER", "VOTE Agent[02]\n"},
        {&voter, "VOTE", "{\"agentIdx\":30}\n"},  {&guard, "GUARD", "{\"agentIdx\":30}\n"},
        {&seer, "DIVINE", "{\"agentIdx\":30}\n"}, {&attacker, "ATTACK", "{\"agentIdx\":30}\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Witness witness = {.says = "VOTE Agent[02]", .names = 30};
        WargGame *game = game_of(cases[i].agent, &witness, "w");
        char line[100];
        line_answer(game, INITIALIZE);
        snprintf(line, sizeof(line), "{\"request\":\"%s\"}", cases[i].request);
        assert_string_equal(line_answer(game, line), cases[i].answer);
        witness.names = 31;
        witness.says = NULL;
        const char *answer = line_answer(game, line);
        assert_true(strcmp(answer, "{\"agentIdx\":0}\n") == 0 || strcmp(answer, "Skip\n") == 0 ||
                    strcmp(answer, "Over\n") == 0);
        witness.names = -1;
        assert_string_equal(line_answer(game, line), answer);
        agent_game_free(game);
        witness_done(&witness);
    }
}

static void a_vote_that_comes_again_is_a_revote_until_something_else_comes(void **state)
{
    static const WargAgent voter = {.vote = name_own};
    Witness witness = {.names = 1};
    WargGame *game = game_of(&voter, &witness, "w");

    (void)state;
    line_answer(game, INITIALIZE);
    line_answer(game, DAWN);
    assert_string_equal(line_answer(game, "{\"request\":\"VOTE\"}"), "{\"agentIdx\":1}\n");
    assert_int_equal(warg_is_revote(game), 0);
    assert_string_equal(
        line_answer(game, "{\"request\":\"VOTE\",\"gameInfo\":{\"agent\":4,\"day\":2}}"),
        "{\"agentIdx\":0}\n");
    assert_int_equal(warg_is_revote(game), 1);
    line_answer(game, "{\"request\":\"DAILY_FINISH\"}");
    assert_int_equal(warg_is_revote(game), 0);
    agent_game_free(game);
}

static void what_is_not_in_the_language_is_reported_without_control_characters(void **state)
{
    static const WargAgent talker = {.talk = say_own, .report = keep_report};
    char text[230], expected[330];
    Witness witness = {.says = text};
    WargGame *game = game_of(&talker, &witness, "w");

    (void)state;
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    snprintf(expected, sizeof(expected),
             "says Skip in place of what is not in the language: %.200s;", text);
    line_answer(game, INITIALIZE);
    assert_string_equal(line_answer(game, "{\"request\":\"TALK\"}"), "Skip\n");
    assert_string_equal(buf_cstr(&witness.reports), expected);
    buf_clear(&witness.reports);
    witness.says = "a\nb";
    assert_string_equal(line_answer(game, "{\"request\":\"TALK\"}"), "Skip\n");
    assert_null(strchr(buf_cstr(&witness.reports), '\n'));
    agent_game_free(game);
    witness_done(&witness);
}

static void name_and_wish_are_answered_on_one_line_each(void **state)
{
    Witness witness = {0};
    WargGame *game = game_of(&witness_agent, &witness, "a\nb\tc d");

    (void)state;
    assert_string_equal(line_answer(game, "{\"request\":\"NAME\"}"), "a b c d\n");
    assert_string_equal(line_answer(game, "{\"request\":\"ROLE\"}"), "MEDIUM\n");
    agent_game_free(game);
}

static void chance_depends_on_the_name_and_the_beginning_only(void **state)
{
    static const char *const names[] = {"one", "one", "two"};
    int drawn[3][20];

    (void)state;
    for (int i = 0; i < 3; i++) {
        Witness witness = {0};
        WargGame *game = game_of(&witness_agent, &witness, names[i]);
        if (i == 1)
            warg_random(game, 1000); /* before the beginning: forgotten */
        line_answer(game, INITIALIZE);
        for (int k = 0; k < 20; k++) {
            drawn[i][k] = warg_random(game, 1000);
            assert_in_range(drawn[i][k], 0, 999);
        }
        agent_game_free(game);
    }
    assert_memory_equal(drawn[0], drawn[1], sizeof(drawn[0]));
    assert_memory_not_equal(drawn[0], drawn[2], sizeof(drawn[0]));
}

static void a_random_choice_is_another_living_agent_and_no_fellow_wolf(void **state)
{
    Witness witness = {0};
    WargGame *game = game_of(&witness_agent, &witness, "w");
    unsigned seen = 0;

    (void)state;
    line_answer(game, INITIALIZE);
    line_answer(game, DAWN);
    for (int i = 0; i < 200; i++)
        seen |= 1u << warg_random_living(game);
    assert_int_equal(seen, 1u << 1 | 1u << 3);
    assert_int_equal(warg_random(game, 1), 0);
    assert_int_equal(warg_random(game, 0), 0);
    assert_int_equal(warg_random(game, -5), 0);
    seen = 0;
    for (int i = 0; i < 100; i++)
        seen |= 1u << warg_random(game, 2);
    assert_int_equal(seen, 3);
    agent_game_free(game);
}

/* Where there is nobody left to name: only wolves live. */
static void alone_an_agent_names_nobody(void **state)
{
    Witness witness = {0};
    WargGame *game = game_of(&witness_agent, &witness, "w");

    (void)state;
    line_answer(game, INITIALIZE);
    line_answer(game, "{\"request\":\"DAILY_INITIALIZE\",\"gameInfo\":{\"agent\":4,\"day\":1,"
                      "\"statusMap\":{\"1\":\"DEAD\",\"4\":\"ALIVE\",\"5\":\"ALIVE\"}}}");
    assert_int_equal(warg_random_living(game), WARG_NOBODY);
    agent_game_free(game);
}

static void a_report_without_a_callback_goes_to_standard_error_with_the_name(void **state)
{
    static const WargAgent named = {.name = "mine"}, unnamed = {0};
    char text[100] = "";
    int ends[2], kept = dup(STDERR_FILENO);

    (void)state;
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    agent_report(&named, NULL, "one");
    agent_report(&unnamed, NULL, "two");
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    ssize_t n = read(ends[0], text, sizeof(text) - 1);
    close(ends[0]);
    close(ends[1]);
    close(kept);
    assert_true(n > 0);
    assert_string_equal(text, "mine: one\nagent: two\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_the_first_game_nothing_is_known),
        cmocka_unit_test(what_a_packet_tells_is_known),
        cmocka_unit_test(what_is_said_and_whispered_is_told_once_and_kept_for_the_game),
        cmocka_unit_test(as_much_as_a_game_can_have_is_kept_and_no_more),
        cmocka_unit_test(each_callback_answers_its_own_question),
        cmocka_unit_test(a_vote_that_comes_again_is_a_revote_until_something_else_comes),
        cmocka_unit_test(what_is_not_in_the_language_is_reported_without_control_characters),
        cmocka_unit_test(name_and_wish_are_answered_on_one_line_each),
        cmocka_unit_test(chance_depends_on_the_name_and_the_beginning_only),
        cmocka_unit_test(a_random_choice_is_another_living_agent_and_no_fellow_wolf),
        cmocka_unit_test(alone_an_agent_names_nobody),
        cmocka_unit_test(a_report_without_a_callback_goes_to_standard_error_with_the_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
