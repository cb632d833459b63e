/* test_notice_text.c - what notices say of a hall.
 *
 * Source: docs/spec/nlp-division.md 7.5, "Slack notices". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "nlp/lobby.h"

#include "nlp/notice_text.h"

static void assert_says(const Lobby *lobby, void (*write)(const NlpHall *hall, Buf *out),
                        const char *want)
{
    CLEANUP(buf_done) Buf text = {0};

    write(lobby->hall, &text);
    assert_string_equal(buf_cstr(&text), want);
}

static void totals_are_of_matches_winners_and_aborted_games(void **state)
{
    Lobby *lobby = *state;
    NlpCounts counts;
    char want[160];

    lobby->config->rejoin_ms = 0;
    lobby_open_scheduled(lobby, 4);
    assert_says(lobby, notice_totals,
                "; 0 of 4 scheduled matches are played; won by the village 0, by the werewolves "
                "0, by nobody 0");
    teams_come(lobby, 5);
    lobby_play(lobby);
    teams_come(lobby, 5);
    all_leave(lobby);
    counts = nlp_hall_counts(lobby->hall);
    snprintf(want, sizeof(want),
             "; 1 of 4 scheduled matches are played; won by the village %u, by the werewolves %u, "
             "by nobody 0; 1 aborted",
             (unsigned)counts.games_won[SIDE_VILLAGER], (unsigned)counts.games_won[SIDE_WEREWOLF]);
    assert_says(lobby, notice_totals, want);
}

static void without_a_schedule_there_are_no_matches_to_count(void **state)
{
    Lobby *lobby = *state;

    lobby_open(lobby);
    assert_says(lobby, notice_totals, "; won by the village 0, by the werewolves 0, by nobody 0");
    assert_says(lobby, notice_unknown, "");
}

/* Those that came and left are missing; of those that never came not even the names are known. */
static void teams_that_never_came_are_told_of_beside_those_that_are_missing(void **state)
{
    Lobby *lobby = *state;

    lobby_open_scheduled(lobby, 4);
    assert_says(lobby, notice_waiting, "connected:; missing:; never came: 5 of 5 teams");
    guest_come(lobby, "a1");
    guest_leave(guest_come(lobby, "b1"));
    assert_says(lobby, notice_waiting, "connected: a1; missing: b; never came: 3 of 5 teams");
    guest_come(lobby, "c1");
    guest_come(lobby, "d1");
    guest_leave(guest_come(lobby, "e1"));
    assert_says(lobby, notice_waiting, "connected: a1 c1 d1; missing: b e");
    assert_says(lobby, notice_unknown, "");
    nlp_hall_drain(lobby->hall, lobby->now);
    assert_says(lobby, notice_waiting, "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, lobby_new, lobby_free)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(totals_are_of_matches_winners_and_aborted_games),
        TEST(without_a_schedule_there_are_no_matches_to_count),
        TEST(teams_that_never_came_are_told_of_beside_those_that_are_missing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
