/* Points, and rounds that follow each other. */
#include "maw/table.h"

/* ---- points ---- */

static void the_villages_prize_is_the_number_of_survivors(void **state)
{
    Table *table = *state;
    MawStanding standing;
    int wolves[2], murdered;

    begin(table, 6);
    wolves[0] = wolf(table, 0);
    wolves[1] = wolf(table, 1);
    murdered = villager(table, 0);
    execute(table, wolves[0]);
    murder(table, murdered);
    forget(table);
    execute(table, wolves[1]);
    assert_true(maw_session_over(table->session));
    assert_int_equal(maw_session_rounds_won(table->session, SIDE_VILLAGER), 1);
    for (int p = 0; p < 6; p++) {
        bool wolf_side = p == wolves[0] || p == wolves[1];
        assert_true(standing_of(table, p, &standing));
        assert_int_equal(standing.points, wolf_side ? 0 : 3);
        assert_int_equal(standing.rank, wolf_side ? 5 : 1);
        assert_int_equal(standing.rounds_won, wolf_side ? 0 : 1);
    }
    assert_course(table, wolves[1], "vote_result kill end_game announce_open session_end");
    assert_got(table, 0, MAW_END_GAME, "\"winning_team\":\"Villagers\"");
    assert_got(table, 0, MAW_END_GAME, "\"days\":2");
    assert_got(table, 0, MAW_END_GAME, "\"last\":true");
    assert_got(table, 0, MAW_END_GAME, "\"p00@maw.test\":\"");
    assert_got(table, 0, MAW_END_GAME, "\"points\":3");
    assert_got(table, 0, MAW_SESSION_END, "\"points\":3");
}

static void the_wolves_prize_is_the_number_of_villagers_at_the_start(void **state)
{
    Table *table = *state;
    MawStanding standing;

    table->options.rounds = 2;
    begin(table, 3);
    int wolf0 = wolf(table, 0);
    pass(table, 300000);
    murder(table, villager(table, 0));
    pass(table, 300000);
    murder(table, villager(table, 0));
    assert_int_equal(maw_session_rounds_won(table->session, SIDE_WEREWOLF), 1);
    assert_true(standing_of(table, wolf0, &standing));
    assert_int_equal(standing.points, 2);
    assert_int_equal(standing.rank, 1);
    assert_has(read_room(table, 0, LOBBY, 0), "Round 1 of 2 is over: the Werewolves have won.");
    assert_has(read_room(table, 0, LOBBY, 0), "Points: 1. ");
    assert_int_equal(maw_session_state(table->session), MAW_END_PHASE);
}

static void the_dead_score_or_not(void **state)
{
    Table *table = *state;
    MawStanding standing;
    int dead;

    table->options.score_dead = false;
    begin(table, 4);
    dead = villager(table, 0);
    pass(table, 300000);
    murder(table, dead);
    int wolf0 = wolf(table, 0);
    execute(table, wolf0);
    assert_true(maw_session_over(table->session));
    assert_true(standing_of(table, dead, &standing));
    assert_int_equal(standing.points, 0);
    assert_int_equal(standing.rounds_won, 1);
    for (int p = 0; p < 4; p++)
        if (p != dead && p != wolf0) {
            assert_true(standing_of(table, p, &standing));
            assert_int_equal(standing.points, 2);
        }
}

static void six_idle_phases_are_a_draw_without_points(void **state)
{
    Table *table = *state;
    MawStanding standing;

    begin(table, 6);
    wait_ms(table, 3 * 420000);
    assert_true(maw_session_over(table->session));
    assert_got(table, 0, MAW_END_GAME, "\"winning_team\":\"None\"");
    assert_int_equal(maw_session_rounds_won(table->session, SIDE_NONE), 1);
    assert_true(maw_session_standing(table->session, 0, &standing));
    assert_int_equal(standing.points, 0);
    assert_has(buf_cstr(&table->room_lines), "nobody has won.");
}

static void points_add_up_over_rounds_and_scores_are_shown(void **state)
{
    Table *table = *state;
    MawStanding standing;
    int64_t sum = 0;

    table->options.rounds = 3;
    begin(table, 4);
    send(table, 0, MASTER, "{\"type\":\"show_score\"}");
    assert_refused(table, ACT_REFUSE, "no-round-yet");
    for (unsigned round = 1; round <= 3; round++) {
        assert_int_equal(maw_session_round(table->session), round);
        assert_int_equal(maw_session_state(table->session), MAW_DAY);
        assert_got(table, 0, MAW_PHASE_CHANGE, "\"phase_no\":1");
        execute(table, wolf(table, 0));
        if (round < 3) {
            assert_int_equal(maw_session_state(table->session), MAW_END_PHASE);
            send(table, 0, MASTER, "{\"type\":\"show_score\"}");
            assert_got(table, 0, MAW_SCORES, "\"rounds_won\":");
            wait_ms(table, 5000);
        }
    }
    assert_true(maw_session_over(table->session));
    for (uint32_t i = 0; maw_session_standing(table->session, i, &standing); i++)
        sum += standing.points;
    assert_int_equal(sum, 3 * 3 * 3);
    send(table, 0, MASTER, "{\"type\":\"show_score\"}");
    assert_got(table, 0, MAW_SCORES, "\"round\":3");
    join(table, 7);
    assert_refused(table, ACT_REFUSE, "running");
}

static void between_rounds_a_seat_can_change_hands_and_points_stay(void **state)
{
    Table *table = *state;
    MawStanding standing;
    int gone;

    table->options.rounds = 2;
    begin(table, 3);
    int wolf0 = wolf(table, 0);
    gone = villager(table, 0);
    execute(table, wolf0);
    send(table, gone, MASTER, "{\"type\":\"leave\"}");
    assert_int_equal(maw_session_state(table->session), MAW_SETUP);
    wait_ms(table, 60000);
    assert_int_equal(maw_session_state(table->session), MAW_SETUP);
    forget(table);
    sendf(table, 9, MASTER, "{\"type\":\"join_lobby\",\"player_name\":\"%s\"}", name_of(gone));
    assert_refused(table, ACT_REFUSE, "name-taken"); /* the name belongs to who has points */
    join(table, 9);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    assert_int_equal(maw_session_round(table->session), 2);
    assert_true(standing_of(table, gone, &standing));
    assert_int_equal(standing.points, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        table_test(the_villages_prize_is_the_number_of_survivors),
        table_test(the_wolves_prize_is_the_number_of_villagers_at_the_start),
        table_test(the_dead_score_or_not),
        table_test(six_idle_phases_are_a_draw_without_points),
        table_test(points_add_up_over_rounds_and_scores_are_shown),
        table_test(between_rounds_a_seat_can_change_hands_and_points_stay),
    };

    return cmocka_run_group_tests_name("points of a session", tests, NULL, NULL);
}
