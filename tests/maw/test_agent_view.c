#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "maw/agent_view.h"

#define PEOPLE 4

/* What a player knows, made by hand: Ann is me. */
typedef struct Stage {
    AgentView *view;
    MawKnownPlayer people[PEOPLE];
    MawKnown known;
    Buf text;
} Stage;

static int setup(void **state)
{
    static const char *const names[PEOPLE] = {"Ann", "Anna", "太郎", "Bo-Bo"};
    Stage *stage = calloc(1, sizeof(*stage));
    Ruleset rules;

    assert_non_null(stage);
    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    assert_int_equal(agent_view_new(&rules, 5000, &stage->view, NULL), 0);
    for (unsigned i = 0; i < PEOPLE; i++)
        stage->people[i] = (MawKnownPlayer){.name = str_of(names[i]), .alive = true};
    stage->known = (MawKnown){.me = STR("Ann"),
                              .role = STR("Villager"),
                              .alive = true,
                              .wolves = 1,
                              .players = stage->people,
                              .player_count = PEOPLE};
    *state = stage;
    return 0;
}

static int teardown(void **state)
{
    Stage *stage = *state;

    agent_view_free(stage->view);
    buf_done(&stage->text);
    free(stage);
    return 0;
}

static void begin_day(Stage *stage, uint32_t day)
{
    stage->known.day = day;
    stage->known.night = false;
    stage->known.phase_no++;
    for (unsigned i = 0; i < PEOPLE; i++)
        stage->people[i].votes_for = (Str){0};
    agent_view_day(stage->view, &stage->known);
}

static void say(Stage *stage, const char *room, const char *name, const char *text)
{
    const MawNews news = {
        .kind = NEWS_LINE, .room = str_of(room), .name = str_of(name), .text = str_of(text)};

    agent_view_line(stage->view, &news);
}

static void assert_in(Stage *stage, const char *text, const char *expected)
{
    buf_clear(&stage->text);
    agent_text_in(stage->view, str_of(text), &stage->text);
    assert_string_equal(buf_cstr(&stage->text), expected);
}

static void assert_out(Stage *stage, const char *text, const char *expected)
{
    buf_clear(&stage->text);
    agent_text_out(stage->view, str_of(text), &stage->text);
    assert_string_equal(buf_cstr(&stage->text), expected);
}

static void names_become_agents_where_they_are_words(void **state)
{
    Stage *stage = *state;

    assert_true(agent_view_round(stage->view, &stage->known));
    assert_in(stage, "VOTE Ann", "VOTE Agent[01]");
    assert_in(stage, "Anna: Ann, Anna!", "Agent[02]: Agent[01], Agent[02]!");
    assert_in(stage, "Annabel and Joann and ann", "Annabel and Joann and ann");
    assert_in(stage, "Bo-Bo-Bo Bo-Bo", "Bo-Bo-Bo Agent[04]");
    assert_in(stage, "私は太郎を疑う。太郎は", "私はAgent[03]を疑う。Agent[03]は");
    assert_in(stage, "Ann's vote; (Anna)", "Agent[01]'s vote; (Agent[02])");
    assert_in(stage, "", "");
}

static void agents_become_names(void **state)
{
    Stage *stage = *state;

    assert_true(agent_view_round(stage->view, &stage->known));
    assert_out(stage, "ESTIMATE Agent[02] WEREWOLF", "ESTIMATE Anna WEREWOLF");
    assert_out(stage, "AND (VOTE Agent[03]) (VOTE Agent[4])", "AND (VOTE 太郎) (VOTE Bo-Bo)");
    assert_out(stage, "Agent[05] Agent[00] Agent[99]", "Agent[05] Agent[00] Agent[99]");
    assert_out(stage, "Agent[ Agent[] Agent[01 Agent[1x] Agent[001]",
               "Agent[ Agent[] Agent[01 Agent[1x] Agent[001]");
    assert_out(stage, "Agent[01]", "Ann");
    assert_out(stage, "Agent[0", "Agent[0");
}

static void a_round_begins_on_day_0_with_the_roles_of_the_table(void **state)
{
    Stage *stage = *state;
    const View *view = agent_view(stage->view);

    assert_true(agent_view_round(stage->view, &stage->known));
    assert_int_equal(view->seat, 1);
    assert_int_equal(view->seat_count, PEOPLE);
    assert_int_equal(view->day, 0);
    assert_int_equal(view->role, ROLE_VILLAGER);
    assert_int_equal(view->role_counts[ROLE_WEREWOLF], 1);
    assert_int_equal(view->role_counts[ROLE_VILLAGER], 3);
    assert_int_equal(view->role_counts[ROLE_MEDIUM], 0);
    assert_int_equal(view->roles[1], ROLE_VILLAGER);
    assert_int_equal(view->roles[2], ROLE_NONE);
    assert_int_equal(view->alive, 0x1E);
    assert_null(view->whisper_left);
    assert_int_equal(view->rules->contest.time_limit_told_ms, 5000);
    assert_false(view->rules->talk.validate);
}

static void who_is_not_at_the_table_has_no_view(void **state)
{
    Stage *stage = *state;

    stage->known.me = STR("Zoe");
    assert_false(agent_view_round(stage->view, &stage->known));
    stage->known.me = STR("Ann");
    stage->known.role = (Str){0};
    assert_false(agent_view_round(stage->view, &stage->known));
    stage->known.player_count = 0;
    assert_false(agent_view_round(stage->view, &stage->known));
    stage->known.player_count = SEAT_MAX + 1;
    assert_false(agent_view_round(stage->view, &stage->known));
}

static void lines_are_talk_of_the_day_and_the_hideout_is_the_wolves(void **state)
{
    Stage *stage = *state;
    const View *view = agent_view(stage->view);

    assert_true(agent_view_round(stage->view, &stage->known));
    begin_day(stage, 1);
    say(stage, "Village", "Anna", "VOTE Bo-Bo");
    say(stage, "Village", "Bo-Bo", "no");
    say(stage, "Village", "Anna", "yes");
    say(stage, "Lobby", "Anna", "hello");
    say(stage, "Village", "Zoe", "a stranger");
    say(stage, "Hideout", "Anna", "ATTACK Ann");
    assert_int_equal(view->talk->count, 3);
    assert_int_equal(view->whisper->count, 0);
    const Talk *last = &view->talk->items[2];
    assert_true(str_eq(view->talk->items[0].text, STR("VOTE Agent[04]")));
    assert_int_equal(last->idx, 2);
    assert_int_equal(last->turn, 1);
    assert_int_equal(last->day, 1);
    assert_int_equal(last->seat, 2);
    assert_int_equal(view->talk_left[2], AGENT_LINES_MAX - 2);
    begin_day(stage, 2);
    assert_int_equal(view->talk->count, 0);
    assert_int_equal(view->talk_left[2], AGENT_LINES_MAX);

    stage->known.role = STR("Werewolf");
    assert_true(agent_view_round(stage->view, &stage->known));
    say(stage, "Hideout", "Anna", "ATTACK Ann");
    assert_int_equal(view->whisper->count, 1);
    for (unsigned i = 0; i < 3000; i++)
        say(stage, "Hideout", "Anna", "again");
    assert_int_equal(view->whisper->count, 2000);
    assert_int_equal(view->whisper_left[2], 0);
}

static void votes_and_deaths_of_yesterday_are_history_today(void **state)
{
    Stage *stage = *state;
    const View *view = agent_view(stage->view);
    MawNews executed = {.kind = NEWS_RESULT, .name = STR("Anna"), .text = STR("executed")};
    MawNews murdered = {.kind = NEWS_RESULT, .name = STR("Bo-Bo"), .text = STR("murdered")};

    assert_true(agent_view_round(stage->view, &stage->known));
    begin_day(stage, 1);
    stage->people[0].votes_for = STR("Anna");
    stage->people[3].votes_for = STR("Anna");
    agent_view_look(stage->view, &stage->known);
    assert_int_equal(view->latest_votes->count, 2);
    assert_int_equal(view->latest_votes->items[1].voter, 4);
    assert_int_equal(view->latest_votes->items[1].target, 2);
    stage->people[1].alive = false;
    agent_view_result(stage->view, &stage->known, &executed);
    assert_int_equal(view->executed_today, 2);
    assert_int_equal(view->alive, 0x1A);
    assert_int_equal(view->alive_at_dawn, 0x1E);
    stage->known.night = true;
    stage->people[3].alive = false;
    agent_view_result(stage->view, &stage->known, &murdered);
    begin_day(stage, 2);
    assert_int_equal(view->executed, 2);
    assert_int_equal(view->executed_today, SEAT_NONE);
    assert_int_equal(view->last_dead_count, 1);
    assert_int_equal(view->last_dead[0], 4);
    assert_int_equal(view->attacked, SEAT_NONE); /* for wolves only */
    assert_int_equal(view->votes->count, 2);
    assert_int_equal(view->votes->day, 1);
    assert_int_equal(view->latest_votes->count, 0);
    assert_int_equal(view->alive_at_dawn, 0x0A);
    begin_day(stage, 3);
    assert_int_equal(view->last_dead_count, 0);
    assert_int_equal(view->executed, SEAT_NONE);
}

/* At night the wolves see whom the others name, and the day after it is yesterday's. */
static void a_night_of_votes(Stage *stage)
{
    assert_true(agent_view_round(stage->view, &stage->known));
    begin_day(stage, 1);
    stage->known.night = true;
    stage->people[0].votes_for = STR("Anna");
    stage->people[1].votes_for = STR("Bo-Bo");
    agent_view_look(stage->view, &stage->known);
}

static void attack_votes_are_for_wolves_and_of_yesterday_on_the_next_day(void **state)
{
    Stage *stage = *state;
    const View *view = agent_view(stage->view);

    stage->known.role = STR("Werewolf");
    a_night_of_votes(stage);
    assert_int_equal(view->latest_attack_votes->count, 2);
    assert_int_equal(view->latest_attack_votes->items[0].target, 2);
    assert_int_equal(view->latest_votes->count, 0);
    begin_day(stage, 2);
    assert_int_equal(view->attack_votes->count, 2);
    assert_int_equal(view->attack_votes->items[1].target, 4);
    assert_true(agent_view_round(stage->view, &stage->known)); /* another round */
    assert_int_equal(view->attack_votes->count, 0);
    assert_int_equal(view->votes->count, 0);
}

static void who_is_no_wolf_sees_no_attack_votes(void **state)
{
    Stage *stage = *state;

    a_night_of_votes(stage);
    assert_int_equal(agent_view(stage->view)->latest_attack_votes->count, 0);
}

static void votes_of_the_last_round_are_forgotten(void **state)
{
    Stage *stage = *state;
    const View *view = agent_view(stage->view);

    assert_true(agent_view_round(stage->view, &stage->known));
    begin_day(stage, 1);
    stage->people[0].votes_for = STR("Anna");
    agent_view_look(stage->view, &stage->known);
    begin_day(stage, 2);
    assert_int_equal(view->votes->count, 1);
    assert_true(agent_view_round(stage->view, &stage->known));
    assert_int_equal(view->votes->count, 0);
}

/* What a table of MAW has otherwise than the contests whose agents these are. */
static void the_agent_is_told_the_rules_of_the_table(void **state)
{
    const Stage *stage = *state;
    const Ruleset *told = agent_view(stage->view)->rules;
    Ruleset maw;

    assert_int_equal(told->talk.max_per_agent, AGENT_LINES_MAX);
    assert_int_equal(told->whisper.max_per_agent, AGENT_LINES_MAX);
    assert_int_equal(told->talk.max_skip, AGENT_SKIPS_MAX);
    assert_int_equal(told->vote.rounds, 2);
    assert_int_equal(told->attack.rounds, AGENT_REVOTES_MAX + 1);
    assert_int_equal(told->vote.tie, TIE_NOBODY);
    assert_int_equal(told->attack.tie, TIE_NOBODY);
    assert_false(told->contest.role_request);
    assert_int_equal(told->contest.time_limit_told_ms, 5000);
    assert_int_equal(ruleset_preset(STR("maw"), &maw, NULL), 0);
    for (int visible = 0; visible < 2; visible++) {
        AgentView *view = NULL;

        maw.vote.visible = visible == 1;
        assert_int_equal(agent_view_new(&maw, 5000, &view, NULL), 0);
        assert_int_equal(agent_view(view)->rules->vote.visible, visible);
        agent_view_free(view);
    }
}

static void nobody_dies_of_a_tie(void **state)
{
    Stage *stage = *state;
    MawNews tie = {.kind = NEWS_RESULT, .name = (Str){0}, .text = STR("tie")};

    assert_true(agent_view_round(stage->view, &stage->known));
    begin_day(stage, 1);
    agent_view_result(stage->view, &stage->known, &tie);
    assert_int_equal(agent_view(stage->view)->executed_today, SEAT_NONE);
}

static void a_wolf_knows_its_mates_and_the_end_tells_all(void **state)
{
    Stage *stage = *state;
    const View *view = agent_view(stage->view);

    stage->known.role = STR("Werewolf");
    stage->people[1].mate = true;
    stage->people[2].role = STR("Villager"); /* though it was told */
    assert_true(agent_view_round(stage->view, &stage->known));
    assert_int_equal(view->roles[1], ROLE_WEREWOLF);
    assert_int_equal(view->roles[2], ROLE_WEREWOLF);
    assert_int_equal(view->roles[3], ROLE_NONE);
    assert_non_null(view->whisper_left);
    stage->people[0].role = stage->people[1].role = STR("Werewolf");
    stage->people[3].role = STR("Seer");
    stage->known.winner = STR("Werewolves");
    agent_view_end(stage->view, &stage->known);
    assert_true(view->over);
    assert_int_equal(view->winner, SIDE_WEREWOLF);
    assert_int_equal(view->roles[3], ROLE_VILLAGER);
    assert_int_equal(view->roles[4], ROLE_SEER);
}

static void what_the_seer_was_answered_stands_in_the_next_day_alone(void **state)
{
    Stage *stage = *state;
    const View *view = agent_view(stage->view);

    stage->known.role = STR("Seer");
    assert_true(agent_view_round(stage->view, &stage->known));
    agent_view_divined(stage->view, STR("Bo-Bo"), STR("Werewolf"));
    assert_int_equal(view->divined.target, SEAT_NONE);
    begin_day(stage, 1);
    assert_int_equal(view->divined.target, 4);
    assert_int_equal(view->divined.day, 1);
    assert_int_equal(view->divined.result, SPECIES_WEREWOLF);
    begin_day(stage, 2);
    assert_int_equal(view->divined.target, SEAT_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_become_agents_where_they_are_words, setup, teardown),
        cmocka_unit_test_setup_teardown(agents_become_names, setup, teardown),
        cmocka_unit_test_setup_teardown(a_round_begins_on_day_0_with_the_roles_of_the_table, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(who_is_not_at_the_table_has_no_view, setup, teardown),
        cmocka_unit_test_setup_teardown(lines_are_talk_of_the_day_and_the_hideout_is_the_wolves,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(votes_and_deaths_of_yesterday_are_history_today, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(
            attack_votes_are_for_wolves_and_of_yesterday_on_the_next_day, setup, teardown),
        cmocka_unit_test_setup_teardown(who_is_no_wolf_sees_no_attack_votes, setup, teardown),
        cmocka_unit_test_setup_teardown(votes_of_the_last_round_are_forgotten, setup, teardown),
        cmocka_unit_test_setup_teardown(the_agent_is_told_the_rules_of_the_table, setup, teardown),
        cmocka_unit_test_setup_teardown(nobody_dies_of_a_tie, setup, teardown),
        cmocka_unit_test_setup_teardown(a_wolf_knows_its_mates_and_the_end_tells_all, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(what_the_seer_was_answered_stands_in_the_next_day_alone,
                                        setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
