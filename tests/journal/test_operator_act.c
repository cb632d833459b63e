#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "journal/journal_line.h"
#include "journal/played.h"

#define PLAN STR("{\"division\":\"nlp\"}")

/* ---- what may be an act ---- */

static OperatorAct act_of(OperatorActKind kind)
{
    return (OperatorAct){.kind = kind, .by = STR("operator"), .at_ms = 1795296000000};
}

static void names_of_acts_lead_back_to_them(void **state)
{
    (void)state;
    for (OperatorActKind kind = ACT_HOLD; kind < ACT_KINDS; kind++)
        assert_int_equal(operator_act_of(str_of(operator_act_name(kind))), kind);
    assert_int_equal(operator_act_of(STR("")), ACT_KINDS);
    assert_int_equal(operator_act_of(STR("Hold")), ACT_KINDS);
}

static void assert_refused(const OperatorAct *act, const char *why)
{
    Err err = {0};

    assert_int_equal(operator_act_check(act, &err), ERR_RULE);
    assert_string_equal(err.msg, why);
}

static void an_act_has_what_its_kind_needs_and_nothing_else(void **state)
{
    OperatorAct act = act_of(ACT_HOLD);

    (void)state;
    assert_int_equal(operator_act_check(&act, NULL), 0);
    act.team = STR("kanolab");
    assert_refused(&act, "'hold' has no 'team'");
    act.kind = ACT_LEAVE_OUT;
    assert_int_equal(operator_act_check(&act, NULL), 0);
    act.team = (Str){0};
    assert_refused(&act, "'leave-out' needs a 'team'");
    act = act_of(ACT_VOID);
    assert_refused(&act, "'void' needs a 'game' or a 'set'");
    act.target = ACT_OF_SET;
    assert_int_equal(operator_act_check(&act, NULL), 0);
    act = act_of(ACT_DISCONNECT);
    assert_refused(&act, "'disconnect' needs an 'agent'");
    act.agent = STR("two\nlines");
    assert_refused(&act, "a name has 1 to 255 bytes of UTF-8 without control characters");
    act = act_of(ACT_GO_ON);
    act.by = STR("");
    assert_refused(&act, "'by' has 1 to 64 bytes of UTF-8 without control characters");
    act.by = STR("me");
    act.why = STR("\xFF");
    assert_refused(&act, "'why' has up to 400 bytes of UTF-8 without control characters");
}

/* ---- what they come to ---- */

static void add(OperatorActs *acts, OperatorActKind kind, Str team)
{
    OperatorAct act = act_of(kind);

    act.team = team;
    assert_int_equal(operator_acts_add(acts, &act, NULL), 0);
}

static void the_last_hold_or_go_on_counts(void **state)
{
    OperatorActs *acts;

    (void)state;
    assert_int_equal(operator_acts_new(&acts, NULL), 0);
    assert_false(operator_acts_held(acts));
    add(acts, ACT_HOLD, (Str){0});
    add(acts, ACT_HOLD, (Str){0});
    assert_true(operator_acts_held(acts));
    add(acts, ACT_GO_ON, (Str){0});
    assert_false(operator_acts_held(acts));
    operator_acts_free(acts);
}

static void teams_are_out_until_they_are_let_in(void **state)
{
    OperatorActs *acts;
    Str team;

    (void)state;
    assert_int_equal(operator_acts_new(&acts, NULL), 0);
    add(acts, ACT_LEAVE_OUT, STR("b"));
    add(acts, ACT_LEAVE_OUT, STR("a"));
    add(acts, ACT_LEAVE_OUT, STR("b"));
    add(acts, ACT_LEAVE_OUT, STR(""));
    add(acts, ACT_LET_IN, STR("c"));
    assert_int_equal(operator_acts_out_count(acts), 3);
    assert_true(operator_acts_is_out(acts, STR("")));
    add(acts, ACT_LET_IN, STR("b"));
    assert_false(operator_acts_is_out(acts, STR("b")));
    assert_true(operator_acts_out_at(acts, 0, &team) && str_eq(team, STR("a")));
    assert_true(operator_acts_out_at(acts, 1, &team) && team.len == 0);
    assert_false(operator_acts_out_at(acts, 2, &team));
    operator_acts_free(acts);
}

static void the_latest_are_remembered(void **state)
{
    OperatorActs *acts;
    OperatorAct found;
    char name[16];

    (void)state;
    assert_int_equal(operator_acts_new(&acts, NULL), 0);
    for (unsigned i = 0; i < ACTS_REMEMBERED + 5; i++) {
        snprintf(name, sizeof(name), "t%u", i);
        add(acts, ACT_LEAVE_OUT, str_of(name));
    }
    assert_true(operator_acts_at(acts, 0, &found));
    assert_true(str_eq(found.team, str_of(name)));
    assert_true(operator_acts_at(acts, ACTS_REMEMBERED - 1, &found));
    assert_true(str_eq(found.team, STR("t5")));
    assert_false(operator_acts_at(acts, ACTS_REMEMBERED, &found));
    assert_true(operator_acts_is_out(acts, STR("t0"))); /* also of those that are forgotten */
    operator_acts_free(acts);
}

/* ---- in a journal ---- */

static GameRecord game_of(uint64_t set, uint64_t game)
{
    GameRecord record = {.division = DIVISION_NLP, .set = set, .game = game, .reason = END_WIN};

    record.result.seat_count = 1;
    record.result.winner = SIDE_VILLAGER;
    record.result.names[1] = STR("kanolab1");
    record.result.roles[1] = ROLE_SEER;
    snprintf(record.id, sizeof(record.id), "G%u", (unsigned)game);
    return record;
}

typedef struct Heard {
    unsigned games;
    uint64_t voids; /* a bit for each game */
    unsigned acts;
    OperatorAct last;
    Buf texts;
} Heard;

static int hear_game(void *user, const GameRecord *record, Err *err)
{
    Heard *heard = user;

    (void)err;
    heard->games++;
    if (record->is_void)
        heard->voids |= UINT64_C(1) << record->game;
    return 0;
}

static int hear_act(void *user, const OperatorAct *act, Err *err)
{
    Heard *heard = user;

    (void)err;
    heard->acts++;
    heard->last = *act;
    buf_printf(&heard->texts, "[%s|%.*s|%.*s|%.*s|%.*s|%.*s]", operator_act_name(act->kind),
               STR_ARG(act->id), STR_ARG(act->team), STR_ARG(act->agent), STR_ARG(act->by),
               STR_ARG(act->why));
    return 0;
}

static void make_folder(char dir[64])
{
    snprintf(dir, 64, "/tmp/warg-acts-XXXXXX");
    assert_non_null(mkdtemp(dir));
}

static void remove_folder(const char *dir)
{
    CLEANUP(buf_done) Buf path = {0};

    buf_printf(&path, "%s/" JOURNAL_FILE, dir);
    assert_int_equal(unlink(buf_cstr(&path)), 0);
    buf_clear(&path);
    buf_printf(&path, "%s/" JOURNAL_FAULTS_FILE, dir);
    (void)unlink(buf_cstr(&path));
    assert_int_equal(rmdir(dir), 0);
}

static void hear_folder(const char *dir, Heard *heard)
{
    const JournalListener listener = {.game = hear_game, .act = hear_act, .user = heard};
    Err err = {0};

    if (journal_read(dir, &listener, NULL, &err))
        fail_msg("%s", err.msg);
}

static void a_game_is_void_by_a_line_behind_it(void **state)
{
    char dir[64];
    Journal *journal;
    Heard heard = {0};

    (void)state;
    make_folder(dir);
    assert_int_equal(journal_begin(dir, PLAN, &journal, NULL), 0);
    for (uint64_t game = 0; game < 8; game++) {
        GameRecord record = game_of(game / 2, game);
        assert_int_equal(journal_add_game(journal, &record, (Str){0}, NULL), 0);
    }
    OperatorAct act = act_of(ACT_VOID);
    act.target = ACT_OF_GAME;
    act.number = 5;
    act.id = STR("G5");
    act.why = STR("the network was \"away\"");
    assert_int_equal(journal_add_act(journal, &act, NULL), 0);
    act = act_of(ACT_END); /* a game that was ended says itself what it is */
    act.target = ACT_OF_GAME;
    act.number = 6;
    assert_int_equal(journal_add_act(journal, &act, NULL), 0);
    act.target = ACT_OF_SET;
    act.number = 0;
    assert_int_equal(journal_add_act(journal, &act, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    hear_folder(dir, &heard);
    assert_int_equal(heard.games, 8);
    assert_int_equal(heard.acts, 3);
    assert_int_equal(heard.voids, 1 << 5 | 1 << 0 | 1 << 1);
    assert_string_equal(buf_cstr(&heard.texts),
                        "[void|G5|||operator|the network was \"away\"][end||||operator|]"
                        "[end||||operator|]");
    assert_int_equal(heard.last.target, ACT_OF_SET);
    assert_int_equal(heard.last.at_ms, 1795296000000);
    buf_done(&heard.texts);
    remove_folder(dir);
}

static void an_act_that_could_not_be_read_is_not_written(void **state)
{
    char dir[64];
    Journal *journal;
    Heard heard = {0};
    OperatorAct act = act_of(ACT_HOLD);

    (void)state;
    make_folder(dir);
    assert_int_equal(journal_begin(dir, PLAN, &journal, NULL), 0);
    act.why = STR("\x01");
    assert_int_equal(journal_add_act(journal, &act, NULL), ERR_RULE);
    act.why = STR("");
    act.at_ms = -1;
    assert_int_equal(journal_add_act(journal, &act, NULL), ERR_LIMIT);
    assert_int_equal(journal_close(journal, NULL), 0);
    hear_folder(dir, &heard);
    assert_int_equal(heard.acts, 0);
    buf_done(&heard.texts);
    remove_folder(dir);
}

/* One line of a journal with its CRC. */
static void add_line(Buf *text, const char *body)
{
    CLEANUP(buf_done) Buf line = {0};

    buf_add(&line, str_of(body));
    assert_int_equal(journal_line_seal(&line, NULL), 0);
    buf_add(text, buf_str(&line));
}

static void assert_no_act(const char *body, const char *why)
{
    CLEANUP(buf_done) Buf text = {0};
    const JournalListener listener = {0};
    Err err = {0};

    add_line(&text, "{\"record\":\"plan\",\"version\":2,\"plan\":{}");
    add_line(&text, body);
    assert_int_equal(journal_read_text(buf_str(&text), &listener, NULL, &err), ERR_SYNTAX);
    assert_string_equal(err.msg, why);
    assert_int_equal(err.line, 2);
}

static void lines_of_acts_are_judged(void **state)
{
    (void)state;
    assert_no_act("{\"record\":\"act\",\"act\":\"dance\",\"by\":\"x\",\"at\":"
                  "\"2026-01-31T12:00:00.000Z\"",
                  "'act' can't be read");
    assert_no_act("{\"record\":\"act\",\"act\":\"hold\",\"by\":\"x\",\"at\":\"now\"",
                  "'at' is no date");
    assert_no_act("{\"record\":\"act\",\"act\":\"void\",\"game\":1,\"set\":2,\"by\":\"x\",\"at\":"
                  "\"2026-01-31T12:00:00.000Z\"",
                  "'set' stands beside a game");
    assert_no_act("{\"record\":\"act\",\"act\":\"hold\",\"by\":\"x\",\"more\":1,\"at\":"
                  "\"2026-01-31T12:00:00.000Z\"",
                  "'more' is not known here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_acts_lead_back_to_them),
        cmocka_unit_test(an_act_has_what_its_kind_needs_and_nothing_else),
        cmocka_unit_test(the_last_hold_or_go_on_counts),
        cmocka_unit_test(teams_are_out_until_they_are_let_in),
        cmocka_unit_test(the_latest_are_remembered),
        cmocka_unit_test(a_game_is_void_by_a_line_behind_it),
        cmocka_unit_test(an_act_that_could_not_be_read_is_not_written),
        cmocka_unit_test(lines_of_acts_are_judged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
