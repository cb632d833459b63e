/* A phase's end, votes and warnings. */
#include "maw/table.h"

/* ---- a phase's end ---- */

static void a_majority_ends_the_day_in_the_one_order(void **state)
{
    Table *table = *state;
    int dead, wolf0, other;

    begin(table, 6);
    dead = villager(table, 0);
    other = villager(table, 1);
    wolf0 = wolf(table, 0);
    forget(table);
    execute(table, dead);
    assert_int_equal(maw_session_state(table->session), MAW_NIGHT);
    assert_course(table, dead, "vote_result kill phase_change announce_open");
    assert_course(table, wolf0,
                  wolf0 < dead || wolf0 < 5 ? "vote_accepted vote_result phase_change announce_open"
                                            : "vote_result phase_change announce_open");
    assert_course(table, other, "vote_accepted vote_result phase_change");
    assert_got(table, other, MAW_VOTE_RESULT, "\"status\":\"executed\"");
    assert_got(table, other, MAW_VOTE_RESULT, "\"phase\":\"day\"");
    assert_got(table, other, MAW_VOTE_RESULT, name_of(dead));
    assert_got(table, other, MAW_VOTE_RESULT, "\"votes\":{");
    assert_got(table, dead, MAW_KILL, "\"cause\":\"executed\"");
    assert_got(table, other, MAW_PHASE_CHANGE, "\"new_phase\":\"night\"");
    assert_got(table, other, MAW_PHASE_CHANGE, "\"phase_no\":2");
    assert_string_equal(got(table, wolf0, MAW_ANNOUNCE_OPEN)->from, HIDEOUT);
    assert_has(read_room(table, wolf0, HIDEOUT, 0), "was executed. Role: Villager.");
}

/* Everything that is sent, to whomever, in the order of A16; the record comes before. */
static void the_order_holds_across_players_and_record(void **state)
{
    Table *table = *state;
    int victim;
    MawType last = MAW_NO_TYPE;
    static const MawType order[] = {MAW_VOTE_ACCEPTED, MAW_VOTE_RESULT,   MAW_KILL,
                                    MAW_PHASE_CHANGE,  MAW_ANNOUNCE_OPEN, MAW_NEW_MESSAGES};
    size_t at = 0;

    begin(table, 6);
    pass(table, 300000);
    assert_int_equal(maw_session_state(table->session), MAW_NIGHT);
    victim = villager(table, 0);
    for (int p = 0; p < 6; p++)
        send(table, p, VILLAGE, "{\"type\":\"subscribe\"}");
    vote(table, wolf(table, 0), victim);
    forget(table);
    buf_clear(&table->record);
    vote(table, wolf(table, 1), victim);
    for (size_t i = 0; i < table->count; i++) {
        MawType type = table->caught[i].type;
        if (type == last)
            continue;
        while (at < sizeof(order) / sizeof(order[0]) && order[at] != type)
            at++;
        if (at == sizeof(order) / sizeof(order[0]))
            fail_msg("%s came too late", maw_type_name(type));
        last = type;
    }
    assert_int_equal(last, MAW_NEW_MESSAGES);
    assert_got(table, victim, MAW_NEW_MESSAGES, "was murdered during the night.");
    const char *record = buf_cstr(&table->record);
    const char *end = strstr(record, "\"event\":\"phase_end\"");
    const char *phase = strstr(record, "\"event\":\"phase\",");
    assert_true(end && phase && end < phase);
    assert_has(end, "\"status\":\"murdered\"");
}

static void at_night_only_the_name_of_the_murdered_is_told(void **state)
{
    Table *table = *state;
    int victim, other;

    begin(table, 6);
    pass(table, 300000);
    victim = villager(table, 0);
    other = villager(table, 1);
    forget(table);
    murder(table, victim);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    assert_got(table, victim, MAW_KILL, "\"cause\":\"murdered\"");
    assert_got(table, other, MAW_VOTE_RESULT, "\"status\":\"murdered\"");
    assert_has_not(got(table, other, MAW_VOTE_RESULT)->body, "votes");
    assert_has_not(read_room(table, other, VILLAGE, 0), "Villager.");
    assert_has(read_room(table, other, VILLAGE, 0), "was murdered during the night.");
    assert_got(table, other, MAW_PHASE_CHANGE, "\"day\":2");
}

static void without_votes_or_with_a_tie_nobody_dies(void **state)
{
    Table *table = *state;

    begin(table, 6);
    forget(table);
    pass(table, 300000);
    assert_got(table, 0, MAW_VOTE_RESULT, "\"target\":null,\"status\":\"none\"");
    pass(table, 120000);
    assert_got(table, 0, MAW_VOTE_RESULT, "\"status\":\"none\"");
    assert_got(table, 0, MAW_VOTE_RESULT, "\"phase\":\"night\"");
    vote(table, 0, 1);
    vote(table, 1, 0);
    forget(table);
    pass(table, 300000);
    assert_got(table, 0, MAW_VOTE_RESULT, "\"status\":\"tie\"");
    assert_got(table, 0, MAW_VOTE_RESULT, "\"votes\":{\"Ann\":\"Bob\",\"Bob\":\"Ann\"}");
}

static void a_tie_can_be_voted_on_again_among_the_tied(void **state)
{
    Table *table = *state;

    table->rules.vote.rounds = 2;
    table->rules.vote.revote_ms = 30000;
    begin(table, 6);
    vote(table, 0, 1);
    vote(table, 1, 0);
    forget(table);
    pass(table, 300000);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    assert_course(table, 2, "phase_change announce_open");
    assert_got(table, 2, MAW_PHASE_CHANGE, "\"phase_no\":1,\"seconds\":30");
    assert_got(table, 2, MAW_ANNOUNCE_OPEN, "\"targets\":[\"Ann\",\"Bob\"]");
    assert_has(read_room(table, 2, VILLAGE, 0), "Vote again, for one of these: Ann, Bob.");
    vote(table, 2, 3);
    assert_refused(table, ACT_REFUSE, "bad-target");
    assert_has(table->caught[table->count - 1].body, "\"allowed\":[\"Ann\",\"Bob\"]");
    vote(table, 2, 1);
    assert_has_not(got(table, 2, MAW_VOTE_ACCEPTED)->body, "previous");
    forget(table);
    pass(table, 30000);
    assert_int_equal(maw_session_state(table->session), MAW_NIGHT);
    assert_got(table, 1, MAW_KILL, "executed");
    assert_got(table, 2, MAW_VOTE_RESULT, "\"votes\":{\"Cyd\":\"Bob\"}");
}

static void a_silent_ballot_is_not_told(void **state)
{
    Table *table = *state;

    table->rules.vote.visible = false;
    begin(table, 6);
    vote(table, 0, 1);
    assert_has_not(read_room(table, 2, VILLAGE, 0), "votes for");
    forget(table);
    pass(table, 300000);
    assert_got(table, 2, MAW_VOTE_RESULT, "\"status\":\"executed\"");
    assert_has_not(got(table, 2, MAW_VOTE_RESULT)->body, "\"votes\"");
}

static void votes_are_announced_changed_and_withdrawn(void **state)
{
    Table *table = *state;

    begin(table, 6);
    vote(table, 0, 1);
    assert_got(table, 0, MAW_VOTE_ACCEPTED, "\"target\":\"p01@maw.test\"");
    assert_int_equal(got(table, 0, MAW_VOTE_ACCEPTED)->act, ACT_AGREE);
    vote(table, 0, 2);
    assert_got(table, 0, MAW_VOTE_ACCEPTED, "\"previous\":\"p01@maw.test\"");
    send(table, 0, VILLAGE, "{\"type\":\"vote\",\"target\":null}"); /* the room takes it too */
    assert_got(table, 0, MAW_VOTE_ACCEPTED, "\"target\":null");
    assert_has(
        read_room(table, 3, VILLAGE, 0),
        "Ann votes for Bob.\",\"System: Ann votes for Cyd.\",\"System: Ann votes for nobody.");
    forget(table);
    pass(table, 300000);
    assert_got(table, 0, MAW_VOTE_RESULT, "\"status\":\"none\"");
}

static void targets_are_found_by_jid_name_and_beginning(void **state)
{
    static const struct {
        const char *target;
        const char *found;
    } rows[] = {
        {"p01@maw.test", "p01@maw.test"}, {"P01@MAW.TEST/x", "p01@maw.test"},
        {"Bobby", "p01@maw.test"},        {"bOBBY", "p01@maw.test"},
        {"Bob", "p01@maw.test"},          {"bobb", "p01@maw.test"},
        {"cyd", "p02@maw.test"},
    };
    Table *table = *state;

    table->options.players = 3;
    open_session(table);
    join(table, 0);
    send(table, 1, MASTER, "{\"type\":\"join_lobby\",\"player_name\":\"Bobby\"}");
    join(table, 2);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char part[64];
        sendf(table, 0, MASTER, "{\"type\":\"vote\",\"target\":\"%s\"}", rows[i].target);
        snprintf(part, sizeof(part), "\"target\":\"%s\"", rows[i].found);
        assert_got(table, 0, MAW_VOTE_ACCEPTED, part);
    }
    forget(table);
    send(table, 0, MASTER, "{\"type\":\"vote\",\"target\":\"bo\"}"); /* too short */
    assert_refused(table, ACT_REFUSE, "bad-target");
}

static void an_early_night_is_held_back_when_the_table_wants_it(void **state)
{
    Table *table = *state;
    int victim;

    table->options.night_min_ms = 10000;
    begin(table, 6);
    pass(table, 300000);
    victim = villager(table, 0);
    pass(table, 2000);
    forget(table);
    murder(table, victim);
    assert_int_equal(maw_session_state(table->session), MAW_NIGHT_COUNT);
    assert_int_equal(count_of(table, victim, MAW_KILL), 0);
    assert_true(is_alive(table, victim));
    assert_int_equal(maw_session_deadline(table->session), 1000000 + 310000000LL);
    say(table, wolf(table, 0), HIDEOUT, "well done");
    assert_refused(table, ACT_REFUSE, "closed");
    vote(table, wolf(table, 0), villager(table, 1));
    assert_refused(table, ACT_REFUSE, "no-phase");
    send(table, villager(table, 2), MASTER, "{\"type\":\"leave\"}"); /* waits, too */
    assert_true(is_alive(table, villager(table, 2)));
    pass(table, 8000);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
    assert_got(table, victim, MAW_KILL, "murdered");
    assert_got(table, wolf(table, 0), MAW_PHASE_CHANGE, "\"seconds\":300");
    wait_ms(table, 1000);
    assert_has(read_room(table, wolf(table, 0), VILLAGE, 0), "has left the game.");
}

/* A night of 120 s whose end the wolves bring after `ends_ms`. */
static void end_night_early(Table *table, TimeMs ends_ms, TimeMs least_ms)
{
    table->options.night_min_ms = least_ms;
    begin(table, 6);
    pass(table, 300000);
    int victim = villager(table, 0);
    pass(table, ends_ms);
    murder(table, victim);
}

static void assert_held_until(Table *table, TimeMs at_ms)
{
    assert_int_equal(maw_session_state(table->session), MAW_NIGHT_COUNT);
    assert_int_equal(maw_session_deadline(table->session), 1000000 + 1000 * (300000LL + at_ms));
}

static void a_night_that_ends_just_before_its_least_time_is_held_back_to_it(void **state)
{
    end_night_early(*state, 9999, 10000);
    assert_held_until(*state, 10000);
}

static void a_night_that_has_had_its_least_time_ends_at_once(void **state)
{
    Table *table = *state;

    end_night_early(table, 10000, 10000);
    assert_int_equal(maw_session_state(table->session), MAW_DAY);
}

static void a_day_that_ends_early_is_not_held_back(void **state)
{
    Table *table = *state;

    table->options.night_min_ms = 10000;
    begin(table, 6);
    pass(table, 1000);
    execute(table, villager(table, 0));
    assert_int_equal(maw_session_state(table->session), MAW_NIGHT);
}

static void a_night_is_never_held_back_beyond_its_own_time(void **state)
{
    end_night_early(*state, 2000, 900000);
    assert_held_until(*state, 120000);
}

static void warnings_come_at_half_time_thirty_and_ten_seconds(void **state)
{
    Table *table = *state;

    begin(table, 6);
    wait_ms(table, 299999);
    assert_has(read_room(table, 0, VILLAGE, 0),
               "[\"System: 150 seconds left.\",\"System: 30 seconds left.\","
               "\"System: 10 seconds left.\"]");
    wait_ms(table, 1 + 60000);
    assert_has(read_room(table, wolf(table, 0), HIDEOUT, 0), "60 seconds left.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        table_test(a_majority_ends_the_day_in_the_one_order),
        table_test(the_order_holds_across_players_and_record),
        table_test(at_night_only_the_name_of_the_murdered_is_told),
        table_test(without_votes_or_with_a_tie_nobody_dies),
        table_test(a_tie_can_be_voted_on_again_among_the_tied),
        table_test(a_silent_ballot_is_not_told),
        table_test(votes_are_announced_changed_and_withdrawn),
        table_test(targets_are_found_by_jid_name_and_beginning),
        table_test(an_early_night_is_held_back_when_the_table_wants_it),
        table_test(a_night_that_ends_just_before_its_least_time_is_held_back_to_it),
        table_test(a_night_that_has_had_its_least_time_ends_at_once),
        table_test(a_day_that_ends_early_is_not_held_back),
        table_test(a_night_is_never_held_back_beyond_its_own_time),
        table_test(warnings_come_at_half_time_thirty_and_ten_seconds),
    };

    return cmocka_run_group_tests_name("phases of a session", tests, NULL, NULL);
}
