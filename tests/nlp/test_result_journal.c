/* test_result_journal.c - a natural-language server's games in a journal.
 *
 * Source: docs/nlp.md, "Results"; journal/journal.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <unistd.h>

#include "journal/journal.h"
#include "net/loop.h"
#include "nlp/lobby.h"
#include "nlp/result_journal.h"

/* ---- reading it ---- */

typedef struct Kept {
    unsigned games;
    unsigned voids;
    unsigned disconnects;
    unsigned answers;
    uint64_t last; /* number of the last game */
    char log[GAME_LOG_MAX + 1];
} Kept;

static int hear_game(void *user, const GameRecord *record, Err *err)
{
    Kept *kept = user;

    (void)err;
    assert_int_equal(record->division, DIVISION_NLP);
    assert_int_equal(record->result.seat_count, 5);
    assert_true(record->began_at_ms >= BEGAN_MS && record->ended_at_ms >= record->began_at_ms);
    assert_true(record->id[0] && record->ruleset[0]);
    assert_true(record->is_void == (record->reason == END_ABORTED));
    assert_true(record->is_void || record->result.winner != SIDE_NONE);
    kept->games++;
    kept->voids += record->is_void;
    kept->last = record->game;
    memcpy(kept->log, record->log, sizeof(kept->log));
    for (SeatNo seat = 1; seat <= 5; seat++) {
        assert_true(record->seats[seat].outside && record->seats[seat].kind == SEAT_AGENT);
        assert_true(str_starts(record->result.names[seat], record->seats[seat].team));
        kept->disconnects += record->seats[seat].faults[FAULT_DISCONNECT];
        kept->answers += (unsigned)durations_count(&record->seats[seat].times);
    }
    return 0;
}

static Kept kept_in(const char *folder)
{
    Kept kept = {0};
    const JournalListener listener = {.game = hear_game, .user = &kept};

    assert_int_equal(journal_read(folder, &listener, NULL, NULL), 0);
    return kept;
}

static ResultJournal *results_open(const Lobby *lobby)
{
    ResultJournal *results = NULL;
    Err err = {0};

    if (result_journal_open(lobby->folder, &lobby->config->rules, loop_date_ms, &results, &err))
        fail_msg("%s", err.msg);
    return results;
}

/* ---- tests ---- */

/* Whoever reads "game-over" finds the game in the journal, on disk. */
static void journal_is_ahead_of_the_note(Lobby *lobby, Str line)
{
    if (str_starts(line, STR("game-over")))
        assert_int_equal(kept_in(lobby->folder).games, lobby->over + 1);
}

/* The same where games wait for the disk together. */
static void journal_is_not_behind_the_note(Lobby *lobby, Str line)
{
    if (str_starts(line, STR("game-over")))
        assert_true(kept_in(lobby->folder).games >= lobby->over + 1);
}

static void every_game_is_in_the_journal_before_its_result_is_told(void **state)
{
    Lobby *lobby = *state;
    ResultJournal *results = results_open(lobby);

    lobby->setup.results = results;
    lobby->noted = journal_is_ahead_of_the_note;
    lobby_open_scheduled(lobby, 3);
    for (unsigned game = 0; game < 3; game++) {
        teams_come(lobby, 5);
        lobby_play(lobby);
    }
    Kept kept = kept_in(lobby->folder);
    assert_int_equal(kept.games, 3);
    assert_int_equal(kept.voids, 0);
    assert_int_equal(kept.disconnects, 0);
    assert_true(kept.answers > 15);
    lobby_shut(lobby);
    result_journal_free(results);
}

/* The journal's thread, where it would wake a loop: it stays here for as long as a test likes, and
 * no further game comes to disk. */
typedef struct Gate {
    pthread_mutex_t shut;
} Gate;

static void pass_gate(void *user)
{
    Gate *gate = user;

    pthread_mutex_lock(&gate->shut);
    pthread_mutex_unlock(&gate->shut);
}

/* Who is asked answers, and the disk does its work, until so many games are over. */
static void play_until_over(Lobby *lobby, unsigned games)
{
    for (int steps = 0; lobby->over < games; steps++) {
        assert_true(steps < 100000);
        if (!lobby_answers(lobby)) {
            usleep(1000);
            nlp_hall_written(lobby->hall, lobby->now);
        }
    }
}

/* Of a hall of so many games one comes to disk, and its thread stands at the gate. */
static ResultJournal *open_behind_gate(Lobby *lobby, Gate *gate, int games)
{
    ResultJournal *results = results_open(lobby);

    result_journal_on_written(results, pass_gate, gate);
    lobby->setup.results = results;
    lobby_open_scheduled(lobby, games);
    pthread_mutex_lock(&gate->shut);
    teams_come(lobby, 5);
    play_until_over(lobby, 1);
    return results;
}

static void a_game_that_is_not_on_disk_yet_is_not_over_for_anybody(void **state)
{
    Lobby *lobby = *state;
    Gate gate = {PTHREAD_MUTEX_INITIALIZER};

    lobby->noted = journal_is_not_behind_the_note;
    ResultJournal *results = open_behind_gate(lobby, &gate, 3);
    for (unsigned come = 0; come < 2; come++) { /* the second time nobody has a game */
        teams_come(lobby, 5);
        while (lobby_answers(lobby))
            ;
        nlp_hall_written(lobby->hall, lobby->now);
    }
    assert_int_equal(lobby->over, 1);
    assert_int_equal(kept_in(lobby->folder).games, 1);
    assert_false(nlp_hall_complete(lobby->hall));
    Guest *seated = lobby->guests[5], *gone = lobby->guests[6];
    assert_true(seated->open && gone->open);
    nlp_hall_message(lobby->hall, seated->agent, STR("too late"), lobby->now);
    guest_leave(gone);
    guest_come(lobby, "b1"); /* its seat is none any more, or another's */
    nlp_hall_abort(lobby->hall, lobby->now);
    assert_true(seated->open);
    assert_false(nlp_hall_done(lobby->hall));

    pthread_mutex_unlock(&gate.shut);
    play_until_over(lobby, lobby->begun);
    assert_false(seated->open);
    assert_true(nlp_hall_done(lobby->hall));
    assert_int_equal(kept_in(lobby->folder).games, lobby->begun);
    lobby_shut(lobby);
    result_journal_free(results);
}

/* Who ends all games is on the way from one to the next. */
static void a_game_that_ends_takes_no_other_with_it(void **state)
{
    Lobby *lobby = *state;
    Gate gate = {PTHREAD_MUTEX_INITIALIZER};
    ResultJournal *results = open_behind_gate(lobby, &gate, 4);

    teams_come(lobby, 5);
    while (lobby_answers(lobby))
        ;
    teams_come(lobby, 5);
    assert_int_equal(lobby->begun, 3);
    pthread_mutex_unlock(&gate.shut);
    while (kept_in(lobby->folder).games < 2)
        usleep(1000);
    nlp_hall_abort(lobby->hall, lobby->now);
    play_until_over(lobby, 3);
    assert_int_equal(kept_in(lobby->folder).voids, 1);
    lobby_shut(lobby);
    result_journal_free(results);
}

static void who_comes_when_only_the_disk_is_waited_for_comes_too_late(void **state)
{
    Lobby *lobby = *state;
    Gate gate = {PTHREAD_MUTEX_INITIALIZER};
    ResultJournal *results = open_behind_gate(lobby, &gate, 2);

    assert_false(nlp_hall_ending(lobby->hall));
    teams_come(lobby, 5);
    assert_false(nlp_hall_ending(lobby->hall));
    while (lobby_answers(lobby))
        ;
    assert_true(nlp_hall_ending(lobby->hall));
    assert_false(nlp_hall_complete(lobby->hall));
    pthread_mutex_unlock(&gate.shut);
    play_until_over(lobby, 2);
    assert_true(nlp_hall_complete(lobby->hall));
    lobby_shut(lobby);
    result_journal_free(results);
}

static void a_server_that_ends_before_the_disk_has_a_game_leaves_it_in_the_journal(void **state)
{
    Lobby *lobby = *state;
    Gate gate = {PTHREAD_MUTEX_INITIALIZER};
    ResultJournal *results = open_behind_gate(lobby, &gate, 3);

    teams_come(lobby, 5);
    while (lobby_answers(lobby))
        ;
    assert_int_equal(lobby->over, 1);
    lobby_shut(lobby);
    pthread_mutex_unlock(&gate.shut);
    result_journal_free(results);
    assert_int_equal(kept_in(lobby->folder).games, 2);
}

static void a_game_that_is_aborted_is_void_and_keeps_its_faults(void **state)
{
    Lobby *lobby = *state;
    ResultJournal *results = results_open(lobby);

    lobby->setup.results = results;
    lobby->config->rejoin_ms = 0;
    lobby_open_scheduled(lobby, 2);
    teams_come(lobby, 5);
    all_leave(lobby);
    Kept kept = kept_in(lobby->folder);
    assert_int_equal(kept.games, 1);
    assert_int_equal(kept.voids, 1);
    assert_int_equal(kept.disconnects, 5);
    lobby_shut(lobby);
    result_journal_free(results);
    results = results_open(lobby);
    assert_int_equal(result_journal_knows(results, str_of(kept.log)), RESULT_LACKING);
    result_journal_free(results);
}

static void another_server_goes_on_with_the_numbers_and_only_one_writes(void **state)
{
    Lobby *lobby = *state;
    ResultJournal *results = results_open(lobby), *second = NULL;
    Err err = {0};

    lobby->setup.results = results;
    lobby_open_scheduled(lobby, 2);
    teams_come(lobby, 5);
    lobby_play(lobby);
    assert_int_equal(
        result_journal_open(lobby->folder, &lobby->config->rules, loop_date_ms, &second, &err),
        ERR_IO);
    assert_non_null(strstr(err.msg, "another server"));
    lobby_shut(lobby);
    result_journal_free(results);

    Kept kept = kept_in(lobby->folder);
    results = results_open(lobby);
    assert_int_equal(result_journal_knows(results, str_of(kept.log)), RESULT_KEPT);
    assert_int_equal(result_journal_knows(results, STR("lost.log")), RESULT_LACKING);
    assert_int_equal(result_journal_number(results), kept.last + 1);
    result_journal_free(results);
}

static void a_new_journal_says_nothing_of_logs_that_are_older(void **state)
{
    Lobby *lobby = *state;
    ResultJournal *results = results_open(lobby);

    assert_int_equal(result_journal_knows(results, STR("old.log")), RESULT_UNKNOWN);
    assert_int_equal(result_journal_number(results), 0);
    result_journal_free(results);
}

static void a_journal_of_another_division_is_left_alone(void **state)
{
    Lobby *lobby = *state;
    ResultJournal *results = NULL;
    Journal *journal = NULL;
    Err err = {0};

    assert_int_equal(journal_begin(lobby->folder, STR("{\"seed\":\"1\"}"), &journal, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    assert_int_equal(
        result_journal_open(lobby->folder, &lobby->config->rules, loop_date_ms, &results, &err),
        ERR_USAGE);
    assert_non_null(strstr(err.msg, "another division"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, lobby_new, lobby_free)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_game_is_in_the_journal_before_its_result_is_told),
        TEST(a_game_that_is_not_on_disk_yet_is_not_over_for_anybody),
        TEST(a_game_that_ends_takes_no_other_with_it),
        TEST(who_comes_when_only_the_disk_is_waited_for_comes_too_late),
        TEST(a_server_that_ends_before_the_disk_has_a_game_leaves_it_in_the_journal),
        TEST(a_game_that_is_aborted_is_void_and_keeps_its_faults),
        TEST(another_server_goes_on_with_the_numbers_and_only_one_writes),
        TEST(a_new_journal_says_nothing_of_logs_that_are_older),
        TEST(a_journal_of_another_division_is_left_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
