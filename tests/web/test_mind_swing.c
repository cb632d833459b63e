/* Whose words move the others, from the documents of a game and of its minds: counted by hand for
 * each kind of game. docs/statistics.md "Vote swing". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "web/mind_swing.h"

static void assert_table(const MindSwings *swings, const char *wanted)
{
    CLEANUP(buf_done) Buf out = {0};

    mind_swing_write(swings, TABLE_CSV, &out);
    assert_string_equal(buf_cstr(&out), wanted);
}

#define COLUMNS "agent,role,pairs,swung,swing,to_wolf,from_wolf,to_speaker\n"

/* Lines that count: 0 Ann, 1 Bo, 2 Cy, 3 Ann. Dee would vote for Bo, then for Cy (a wolf) when Ann
 * alone has spoken; still for Cy after Bo; for Ann when Cy and Ann both have: nobody's pair. Cy is
 * a wolf: its opinions are none. */
static const char protocol[] =
    "{\"format\":\"warg-game\",\"status\":\"finished\",\"seats\":["
    "{\"seat\":1,\"name\":\"Agent[01]\",\"agent\":\"ann\",\"role\":\"SEER\"},"
    "{\"seat\":2,\"name\":\"Agent[02]\",\"agent\":\"bo\",\"role\":\"VILLAGER\"},"
    "{\"seat\":3,\"name\":\"Agent[03]\",\"agent\":\"cy\",\"role\":\"WEREWOLF\"},"
    "{\"seat\":4,\"name\":\"Agent[04]\",\"agent\":\"dee\",\"role\":\"POSSESSED\"}],\"events\":["
    "{\"kind\":\"day\",\"day\":1},"
    "{\"kind\":\"talk\",\"seat\":2,\"text\":\"Skip\",\"quiet\":\"skip\"},"
    "{\"kind\":\"talk\",\"seat\":1,\"text\":\"ESTIMATE Agent[03] WEREWOLF\"},"
    "{\"kind\":\"talk\",\"seat\":2,\"text\":\"AGREE talk day1 ID:1\"},"
    "{\"kind\":\"talk\",\"seat\":3,\"text\":\"Over\",\"quiet\":\"over\"},"
    "{\"kind\":\"whisper\",\"seat\":3,\"text\":\"ATTACK Agent[01]\"},"
    "{\"kind\":\"talk\",\"seat\":3,\"text\":\"ESTIMATE Agent[01] WEREWOLF\"},"
    "{\"kind\":\"talk\",\"seat\":1,\"text\":\"VOTE Agent[03]\"}]}";
static const char protocol_minds[] =
    "{\"format\":\"warg-mind\",\"seats\":[{\"seat\":4,\"model\":\"m8\"}],\"opinions\":["
    "{\"seat\":4,\"target\":2,\"sure\":40,\"lines\":0},"
    "{\"seat\":3,\"target\":2,\"sure\":0,\"lines\":0},"
    "{\"seat\":4,\"target\":3,\"sure\":60,\"lines\":1},"
    "{\"seat\":3,\"target\":1,\"sure\":0,\"lines\":1},"
    "{\"seat\":4,\"target\":3,\"sure\":60,\"lines\":2},"
    "{\"seat\":4,\"target\":1,\"sure\":60,\"lines\":4}]}";
#define PROTOCOL_ROWS "ann,SEER,1,1,1.000,1,0,0\nbo,VILLAGER,1,0,0.000,0,0,0\n"

/* In MAW "Skip" is a line as any other, and the hideout's lines are none here. Lines: 0 Ann (m8), 1
 * Bo's "Skip". Dee: for Bo (a wolf), for Ann after Ann, for Ann after Bo. */
static const char maw[] =
    "{\"format\":\"warg-game\",\"status\":\"aborted\",\"seats\":["
    "{\"seat\":1,\"name\":\"Ann\",\"agent\":\"m8\",\"kind\":\"model\",\"role\":\"VILLAGER\"},"
    "{\"seat\":2,\"name\":\"Bo\",\"role\":\"WEREWOLF\"},"
    "{\"seat\":3,\"name\":\"Dee\",\"kind\":\"model:demo\",\"role\":\"VILLAGER\"}],\"events\":["
    "{\"kind\":\"talk\",\"seat\":1,\"text\":\"I.\",\"room\":\"village\"},"
    "{\"kind\":\"whisper\",\"seat\":2,\"text\":\"Ann?\",\"room\":\"hideout\"},"
    "{\"kind\":\"talk\",\"seat\":2,\"text\":\"Skip\",\"room\":\"village\"}]}";
static const char maw_minds[] =
    "{\"format\":\"warg-mind\",\"seats\":[{\"seat\":2,\"model\":\"m9\"}],\"opinions\":["
    "{\"seat\":3,\"t_ms\":1,\"target\":2,\"sure\":90,\"lines\":0},"
    "{\"seat\":3,\"t_ms\":2,\"target\":1,\"sure\":90,\"lines\":1},"
    "{\"seat\":2,\"t_ms\":2,\"target\":1,\"sure\":90,\"lines\":1},"
    "{\"seat\":2,\"t_ms\":3,\"target\":3,\"sure\":90,\"lines\":2},"
    "{\"seat\":3,\"t_ms\":3,\"target\":1,\"sure\":90,\"lines\":2}]}";

static void pairs_of_agents_are_counted_by_role(void **state)
{
    CLEANUP(mind_swings_done) MindSwings swings = {0};
    (void)state;

    assert_int_equal(mind_swing_add(&swings, str_of(protocol), str_of(protocol_minds), NULL), 0);
    assert_table(&swings, COLUMNS PROTOCOL_ROWS);
    assert_int_equal(mind_swing_add(&swings, str_of(protocol), str_of(protocol_minds), NULL), 0);
    assert_table(&swings, COLUMNS "ann,SEER,2,2,1.000,2,0,0\nbo,VILLAGER,2,0,0.000,0,0,0\n");
}

/* ForceSkip of the natural-language division is silence. */
static void silence_of_the_natural_language_division_is_no_line(void **state)
{
    static const char nlp[] =
        "{\"status\":\"finished\",\"seats\":["
        "{\"seat\":1,\"name\":\"A\",\"agent\":\"team1\",\"role\":\"WEREWOLF\"},"
        "{\"seat\":2,\"name\":\"B\",\"agent\":\"team2\",\"role\":\"VILLAGER\"},"
        "{\"seat\":3,\"name\":\"C\",\"agent\":\"team3\",\"role\":\"VILLAGER\"}],\"events\":["
        "{\"kind\":\"talk\",\"seat\":1,\"text\":\"B it is.\"},"
        "{\"kind\":\"talk\",\"seat\":2,\"text\":\"ForceSkip\",\"quiet\":\"forced\"},"
        "{\"kind\":\"talk\",\"seat\":2,\"text\":\"No, A.\"}]}";
    static const char minds[] = "{\"opinions\":[{\"seat\":3,\"target\":1,\"lines\":0},"
                                "{\"seat\":3,\"target\":2,\"lines\":1},"
                                "{\"seat\":3,\"target\":1,\"lines\":2}]}";
    CLEANUP(mind_swings_done) MindSwings swings = {0};
    (void)state;

    assert_int_equal(mind_swing_add(&swings, str_of(nlp), str_of(minds), NULL), 0);
    assert_table(&swings, COLUMNS "team1,WEREWOLF,1,1,1.000,0,1,0\n"
                                  "team2,VILLAGER,1,1,1.000,1,0,0\n");
}

static void lines_of_the_hideout_are_none_of_maw(void **state)
{
    CLEANUP(mind_swings_done) MindSwings swings = {0};
    (void)state;

    assert_int_equal(mind_swing_add(&swings, str_of(maw), str_of(maw_minds), NULL), 0);
    assert_table(&swings, COLUMNS "m8,VILLAGER,1,1,1.000,0,1,1\n"
                                  "m9,WEREWOLF,1,0,0.000,0,0,0\n");
}

/* Who reads the table of a game that is played would know who is a wolf. */
static void running_games_tell_nothing(void **state)
{
    static const char *const statuses[] = {"running", "truncated", "", "finish"};
    (void)state;

    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        CLEANUP(mind_swings_done) MindSwings swings = {0};
        CLEANUP(buf_done) Buf running = {0};
        const Str rest = str_of(strstr(protocol, "\"seats\""));
        buf_printf(&running, "{\"status\":\"%s\",%.*s", statuses[i], STR_ARG(rest));
        assert_int_equal(mind_swing_add(&swings, buf_str(&running), str_of(protocol_minds), NULL),
                         0);
        assert_int_equal(swings.count, 0);
    }
}

static void damaged_documents_are_refused_or_count_nothing(void **state)
{
    CLEANUP(mind_swings_done) MindSwings swings = {0};
    static const char wild[] =
        "{\"opinions\":[{\"seat\":0,\"target\":1,\"lines\":0},{\"seat\":4,\"target\":99,\"lines\":"
        "1},"
        "{\"seat\":4,\"target\":1,\"lines\":-1},{\"seat\":4,\"target\":1,\"lines\":4294967296},7,"
        "{\"seat\":4,\"target\":1,\"lines\":99},{\"seat\":-260,\"target\":2,\"lines\":1}]}";
    (void)state;

    assert_int_equal(mind_swing_add(&swings, STR("{"), str_of(protocol_minds), NULL), ERR_SYNTAX);
    assert_int_equal(mind_swing_add(&swings, str_of(protocol), STR("["), NULL), ERR_SYNTAX);
    assert_int_equal(mind_swing_add(&swings, str_of(protocol), STR("{}"), NULL), 0);
    assert_int_equal(mind_swing_add(&swings, str_of(protocol), str_of(wild), NULL), 0);
    assert_int_equal(swings.count, 0);
}

/* A terminal does what it is told by such characters. */
static void names_have_no_control_characters_in_the_table(void **state)
{
    CLEANUP(mind_swings_done) MindSwings swings = {0};
    CLEANUP(buf_done) Buf evil = {0};
    CLEANUP(buf_done) Buf out = {0};
    const char *name = strstr(protocol, "\"agent\":\"ann\"");
    (void)state;

    buf_printf(&evil, "%.*s\"agent\":\"an\\u001b[2Jn\\u0007\"%s", (int)(name - protocol), protocol,
               name + strlen("\"agent\":\"ann\""));
    assert_int_equal(mind_swing_add(&swings, buf_str(&evil), str_of(protocol_minds), NULL), 0);
    assert_int_equal(swings.count, 2);
    mind_swing_write(&swings, TABLE_ALIGNED, &out);
    assert_null(strchr(buf_cstr(&out), '\033'));
    assert_null(strchr(buf_cstr(&out), '\007'));
    assert_non_null(strstr(buf_cstr(&out), "[2J"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_agents_are_counted_by_role),
        cmocka_unit_test(silence_of_the_natural_language_division_is_no_line),
        cmocka_unit_test(lines_of_the_hideout_are_none_of_maw),
        cmocka_unit_test(running_games_tell_nothing),
        cmocka_unit_test(damaged_documents_are_refused_or_count_nothing),
        cmocka_unit_test(names_have_no_control_characters_in_the_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
