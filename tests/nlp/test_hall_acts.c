/* test_hall_acts.c - what operators do to a hall of the natural-language division.
 *
 * Source: docs/nlp.md, "An operator acts"; nlp/hall.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "journal/journal.h"
#include "net/loop.h"
#include "nlp/lobby.h"
#include "nlp/result_journal.h"
#include "prop.h"

/* ---- acting ---- */

static OperatorAct act_of(OperatorActKind kind)
{
    return (OperatorAct){.kind = kind, .by = STR("operator")};
}

static OperatorAct act_of_game(OperatorActKind kind, const char *id)
{
    OperatorAct act = act_of(kind);

    act.target = ACT_OF_GAME;
    act.id = str_of(id);
    return act;
}

static OperatorAct act_of_team(OperatorActKind kind, const char *team)
{
    OperatorAct act = act_of(kind);

    act.team = str_of(team);
    return act;
}

static OperatorAct act_of_agent(const char *agent)
{
    OperatorAct act = act_of(ACT_DISCONNECT);

    act.agent = str_of(agent);
    return act;
}

static int try_act(Lobby *lobby, OperatorAct act, Err *err)
{
    int rc = nlp_hall_act(lobby->hall, &act, lobby->now, err);

    lobby_heard(lobby);
    return rc;
}

static void do_act(Lobby *lobby, OperatorAct act)
{
    Err err = {0};

    if (try_act(lobby, act, &err))
        fail_msg("%s", err.msg);
}

static void refuse_act(Lobby *lobby, OperatorAct act, ErrCode code, const char *why)
{
    Err err = {0};

    assert_int_equal(try_act(lobby, act, &err), code);
    assert_string_equal(err.msg, why);
}

static void assert_would(Lobby *lobby, OperatorAct act, const char *expected)
{
    CLEANUP(buf_done) Buf would = {0};
    OperatorAct own;
    Err err = {0};

    if (nlp_hall_act_check(lobby->hall, &act, &own, &would, &err))
        fail_msg("%s", err.msg);
    assert_string_equal(buf_cstr(&would), expected);
}

static ResultJournal *results_open(Lobby *lobby)
{
    ResultJournal *results = NULL;
    Err err = {0};

    if (result_journal_open(lobby->folder, &lobby->config->rules, loop_date_ms, &results, &err))
        fail_msg("%s", err.msg);
    lobby->setup.results = results;
    return results;
}

/* The server is killed and started again. */
static ResultJournal *start_again(Lobby *lobby, ResultJournal *results)
{
    lobby_shut(lobby);
    result_journal_free(results);
    results = results_open(lobby);
    lobby_open(lobby);
    return results;
}

static NlpCounts counts_of(const Lobby *lobby)
{
    return nlp_hall_counts(lobby->hall);
}

static void log_into_folder(Lobby *lobby)
{
    lobby->config->game_logger = (ConfigLogger){true, lobby->folder, "{game_id}"};
    lobby->config->json_logger = (ConfigLogger){true, lobby->folder, "{game_id}"};
}

static unsigned files_with(const Lobby *lobby, const char *end)
{
    DIR *dir = opendir(lobby->folder);
    unsigned count = 0;

    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        size_t len = strlen(entry->d_name), want = strlen(end);
        count += len > want && strcmp(entry->d_name + len - want, end) == 0;
    }
    closedir(dir);
    return count;
}

/* ---- hold, go on ---- */

static void held_no_game_begins_and_running_ones_go_on(void **state)
{
    Lobby *lobby = *state;

    lobby_open(lobby);
    teams_come(lobby, 5);
    assert_int_equal(counts_of(lobby).games, 1);
    do_act(lobby, act_of(ACT_HOLD));
    teams_come(lobby, 5);
    assert_int_equal(counts_of(lobby).games, 1);
    lobby_play(lobby);
    assert_int_equal(counts_of(lobby).games_begun, 1);
    assert_int_equal(counts_of(lobby).waiting, 5);
    refuse_act(lobby, act_of(ACT_HOLD), ERR_RULE, "it is held already: no game begins");
    do_act(lobby, act_of(ACT_GO_ON));
    assert_int_equal(counts_of(lobby).games_begun, 2);
    lobby_play(lobby);
    assert_true(noted(lobby, "operator act=hold by=operator\n"));
}

/* The hour of a team ends, and who waited for that plays: nobody has to come for it. */
static void behind_a_hold_a_team_plays_when_its_hour_is_over(void **state)
{
    Lobby *lobby = *state;
    char name[8];

    lobby->config->matching.self_match = true;
    lobby->setup.self_per_hour = 1;
    lobby_open(lobby);
    do_act(lobby, act_of(ACT_HOLD));
    for (int i = 0; i < 10; i++) {
        snprintf(name, sizeof(name), "a%d", 1 + i % 5);
        guest_come(lobby, name);
    }
    guest_come(lobby, "b1"); /* the last who came */
    do_act(lobby, act_of(ACT_GO_ON));
    assert_int_equal(counts_of(lobby).games_begun, 1);
    lobby_play(lobby);
    assert_int_equal(counts_of(lobby).waiting, 6);
    assert_true(nlp_hall_deadline(lobby->hall) < lobby->now + 3601 * SECOND);
    lobby->now += 3601 * SECOND;
    nlp_hall_tick(lobby->hall, lobby->now);
    assert_int_equal(counts_of(lobby).games_begun, 2);
    lobby_play(lobby);
}

static void a_hold_keeps_a_complete_server_from_ending(void **state)
{
    Lobby *lobby = *state;

    lobby_open_scheduled(lobby, 1);
    teams_come(lobby, 5);
    do_act(lobby, act_of(ACT_HOLD));
    lobby_play(lobby);
    assert_true(nlp_hall_complete(lobby->hall));
    assert_false(nlp_hall_done(lobby->hall));
    do_act(lobby, act_of(ACT_GO_ON));
    assert_true(nlp_hall_done(lobby->hall));
    do_act(lobby, act_of(ACT_HOLD));
    nlp_hall_drain(lobby->hall, lobby->now);
    assert_true(nlp_hall_done(lobby->hall)); /* who ends it means it */
}

static void holds_and_teams_are_the_same_after_a_restart(void **state)
{
    Lobby *lobby = *state;

    log_into_folder(lobby);
    ResultJournal *results = results_open(lobby);
    lobby_open_scheduled(lobby, 3);
    teams_come(lobby, 4);
    do_act(lobby, act_of(ACT_HOLD));
    do_act(lobby, act_of_team(ACT_LEAVE_OUT, "b"));
    results = start_again(lobby, results);
    teams_come(lobby, 5);
    assert_int_equal(counts_of(lobby).games, 0);
    assert_int_equal(counts_of(lobby).left_out, 1);
    do_act(lobby, act_of(ACT_GO_ON));
    assert_int_equal(counts_of(lobby).games, 0);
    do_act(lobby, act_of_team(ACT_LET_IN, "b"));
    assert_int_equal(counts_of(lobby).games, 1);
    lobby_play(lobby);
    OperatorAct last;
    assert_true(operator_acts_at(nlp_hall_acts(lobby->hall), 3, &last));
    assert_int_equal(last.kind, ACT_HOLD);
    assert_true(last.at_ms >= BEGAN_MS);
    lobby_shut(lobby);
    result_journal_free(results);
}

/* ---- teams ---- */

static void a_team_that_is_left_out_waits_and_is_not_matched(void **state)
{
    Lobby *lobby = *state;
    NlpWaiting waiting;

    lobby_open(lobby);
    teams_come(lobby, 4);
    refuse_act(lobby, act_of_team(ACT_LEAVE_OUT, "z"), ERR_USAGE, "no team 'z' was here");
    assert_would(lobby, act_of_team(ACT_LEAVE_OUT, "b"),
                 "no game begins with team 'b' any more; 1 agent of it may wait, 0 running games "
                 "of it go on to the end");
    do_act(lobby, act_of_team(ACT_LEAVE_OUT, "b"));
    refuse_act(lobby, act_of_team(ACT_LEAVE_OUT, "b"), ERR_RULE, "team 'b' is left out already");
    Guest *late = guest_come(lobby, "b2");
    assert_true(late->open);
    guest_come(lobby, "e1");
    assert_int_equal(counts_of(lobby).games, 0);
    assert_int_equal(counts_of(lobby).left_out, 2);
    assert_true(nlp_hall_waiting_at(lobby->hall, 4, &waiting));
    assert_true(waiting.left_out && str_eq(waiting.name, STR("b1")));
    assert_false(nlp_hall_waiting_at(lobby->hall, 6, &waiting));
    guest_come(lobby, "f1");
    assert_int_equal(counts_of(lobby).games, 1);
    lobby_play(lobby);
    teams_come(lobby, 1);
    guest_come(lobby, "c1");
    guest_come(lobby, "d1");
    guest_come(lobby, "e1");
    assert_int_equal(counts_of(lobby).games, 0);
    guest_leave(late);
    do_act(lobby, act_of_team(ACT_LET_IN, "b"));
    assert_int_equal(counts_of(lobby).games, 1);
    refuse_act(lobby, act_of_team(ACT_LET_IN, "b"), ERR_RULE, "team 'b' is not left out");
    lobby_play(lobby);
}

static void matches_of_a_team_that_is_left_out_are_skipped(void **state)
{
    Lobby *lobby = *state;
    Str awaited;

    lobby->config->matching.is_optimize = true;
    lobby->config->matching.team_count = 6;
    lobby->config->matching.game_count = 6; /* each team sits out once */
    lobby_open(lobby);
    teams_come(lobby, 6);
    assert_int_equal(counts_of(lobby).games, 1);
    do_act(lobby, act_of_team(ACT_LEAVE_OUT, "a"));
    for (int round = 0; round < 6 && !nlp_hall_complete(lobby->hall); round++) {
        lobby_play(lobby);
        all_leave(lobby);
        teams_come(lobby, 6);
    }
    assert_true(nlp_hall_complete(lobby->hall));
    NlpCounts counts = counts_of(lobby);
    assert_true(counts.skipped >= 4);
    assert_int_equal(counts.skipped, counts.scheduled);
    assert_int_equal(counts.ended + counts.scheduled, 6);
    assert_false(nlp_hall_awaited_at(lobby->hall, 0, &awaited));
    assert_true(noted(lobby, "that are skipped, since a team of theirs is left out"));
}

static void an_endless_schedule_does_not_wait_for_who_is_left_out(void **state)
{
    Lobby *lobby = *state;

    lobby->config->matching.is_optimize = true;
    lobby->config->matching.infinite_loop = true;
    lobby->config->matching.team_count = 6;
    lobby->config->matching.game_count = 6;
    lobby_open(lobby);
    teams_come(lobby, 6);
    lobby_play(lobby);
    do_act(lobby, act_of_team(ACT_LEAVE_OUT, "a"));
    for (int round = 0; round < 8; round++) {
        all_leave(lobby);
        teams_come(lobby, 6);
        lobby_play(lobby);
    }
    assert_true(counts_of(lobby).games_begun >= 6);
}

/* ---- void ---- */

static void a_void_game_is_played_again(void **state)
{
    CLEANUP(buf_done) Buf expected = {0};
    Lobby *lobby = *state;
    NlpGame game;

    log_into_folder(lobby);
    ResultJournal *results = results_open(lobby);
    lobby_open_scheduled(lobby, 2);
    teams_come(lobby, 5);
    refuse_act(lobby, act_of_game(ACT_VOID, "01NONE"), ERR_USAGE,
               "the journal has no game '01NONE'");
    assert_true(nlp_hall_game_at(lobby->hall, 0, &game));
    buf_printf(&expected, "game %s is not over and on disk: 'end' ends it", lobby->first_id);
    refuse_act(lobby, act_of_game(ACT_VOID, lobby->first_id), ERR_RULE, buf_cstr(&expected));
    lobby_play(lobby);
    assert_int_equal(counts_of(lobby).ended, 1);
    assert_int_equal(files_with(lobby, ".log"), 1);
    do_act(lobby, act_of_game(ACT_VOID, lobby->first_id));
    assert_int_equal(counts_of(lobby).ended, 0);
    assert_int_equal(counts_of(lobby).scheduled, 2);
    assert_int_equal(files_with(lobby, ".log"), 0);
    assert_int_equal(files_with(lobby, ".log.void"), 1);
    assert_int_equal(files_with(lobby, ".json.void"), 1);
    assert_true(nlp_hall_game_at(lobby->hall, 0, &game));
    assert_true(game.made_void);
    buf_clear(&expected);
    buf_printf(&expected, "game %s is void already", lobby->first_id);
    refuse_act(lobby, act_of_game(ACT_VOID, lobby->first_id), ERR_RULE, buf_cstr(&expected));
    results = start_again(lobby, results);
    assert_int_equal(counts_of(lobby).scheduled, 2); /* once */
    for (int round = 0; round < 2; round++) {
        teams_come(lobby, 5);
        lobby_play(lobby);
    }
    assert_true(nlp_hall_complete(lobby->hall));
    lobby_shut(lobby);
    result_journal_free(results);
}

/* Killed when the act was on disk, and the schedule's file was not. */
static void a_game_that_was_made_void_before_a_kill_is_played_again_once(void **state)
{
    CLEANUP(buf_done) Buf before = {0};
    Lobby *lobby = *state;

    log_into_folder(lobby);
    ResultJournal *results = results_open(lobby);
    lobby_open_scheduled(lobby, 1);
    do_act(lobby, act_of(ACT_HOLD));
    do_act(lobby, act_of(ACT_GO_ON));
    teams_come(lobby, 5);
    lobby_play(lobby);
    text_of_file(lobby->path, &before);
    do_act(lobby, act_of_game(ACT_VOID, lobby->first_id));
    FILE *file = fopen(lobby->path, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(before.bytes, 1, before.len, file), before.len);
    fclose(file);
    for (int time = 0; time < 2; time++) {
        results = start_again(lobby, results);
        assert_int_equal(counts_of(lobby).scheduled, 1);
        assert_int_equal(counts_of(lobby).ended, 0);
        assert_int_equal(noted(lobby, "made void by an operator, its match is played again"),
                         time == 0);
    }
    lobby_shut(lobby);
    result_journal_free(results);
}

static void without_a_journal_no_game_is_made_void(void **state)
{
    Lobby *lobby = *state;

    lobby_open(lobby);
    teams_come(lobby, 5);
    lobby_play(lobby);
    refuse_act(lobby, act_of_game(ACT_VOID, lobby->first_id), ERR_RULE,
               "no journal is kept here, so no game can be made void: game_logger or json_logger "
               "is off in the configuration");
}

static void a_void_game_is_none_of_those_that_were_asked_for(void **state)
{
    Lobby *lobby = *state;

    log_into_folder(lobby);
    ResultJournal *results = results_open(lobby);
    lobby->setup.games = 1;
    lobby_open(lobby);
    teams_come(lobby, 5);
    do_act(lobby, act_of(ACT_HOLD));
    lobby_play(lobby);
    do_act(lobby, act_of_game(ACT_VOID, lobby->first_id));
    do_act(lobby, act_of(ACT_GO_ON));
    assert_false(nlp_hall_done(lobby->hall));
    teams_come(lobby, 5);
    lobby_play(lobby);
    assert_true(nlp_hall_done(lobby->hall));
    lobby_shut(lobby);
    result_journal_free(results);
}

/* ---- end ---- */

static void a_game_that_is_ended_is_planned_again_and_is_nobodys_fault(void **state)
{
    Lobby *lobby = *state;
    TeamStatus team;

    log_into_folder(lobby);
    ResultJournal *results = results_open(lobby);
    lobby->config->health.enable = true;
    lobby->config->matching.abort_weight_factor = 0.5;
    lobby_open_scheduled(lobby, 1);
    teams_come(lobby, 5);
    do_act(lobby, act_of(ACT_HOLD));
    do_act(lobby, act_of_game(ACT_END, lobby->first_id));
    for (unsigned which = 0; lobby_deliver(lobby, which);)
        which = (which + 1) % (lobby_benches + 2);
    assert_int_equal(counts_of(lobby).games, 0);
    assert_int_equal(counts_of(lobby).games_aborted, 1);
    assert_int_equal(counts_of(lobby).scheduled, 1);
    assert_true(history_scheduled(nlp_hall_history(lobby->hall), 0)->weight == 1);
    assert_true(team_health_find(nlp_hall_health(lobby->hall), STR("a"), 0, &team));
    assert_int_equal(team.aborted_games, 0);
    refuse_act(lobby, act_of_game(ACT_END, "01NONE"), ERR_USAGE, "no game '01NONE' is running");
    do_act(lobby, act_of(ACT_GO_ON));
    teams_come(lobby, 5);
    lobby_play(lobby);
    assert_true(nlp_hall_complete(lobby->hall));
    lobby_shut(lobby);
    result_journal_free(results);
}

/* ---- disconnect ---- */

static void connections_of_an_agent_are_closed_wherever_it_is(void **state)
{
    Lobby *lobby = *state;

    lobby_open(lobby);
    Guest *waits = guest_come(lobby, "w1");
    do_act(lobby, act_of_agent("w1"));
    assert_false(waits->open);
    assert_int_equal(waits->code, CLOSE_BY_OPERATOR);
    assert_string_equal(waits->reason, "disconnected by the operator");
    refuse_act(lobby, act_of_agent("w1"), ERR_USAGE, "no agent 'w1' is connected");
    assert_int_equal(counts_of(lobby).open, 0);
    for (int i = 0; i < 5; i++) {
        char name[4] = {(char)('a' + i), '1', 0};
        guest_knock(lobby, name, "token", false);
    }
    assert_int_equal(counts_of(lobby).games, 1);
    Guest *plays = lobby->guests[1];
    assert_would(lobby, act_of_agent("a1"),
                 "1 connection of agent 'a1' is closed; of these 1 has a seat, which may be taken "
                 "back as after any loss");
    do_act(lobby, act_of_agent("a1"));
    assert_false(plays->open);
    assert_int_equal(plays->code, CLOSE_BY_OPERATOR);
    assert_int_equal(counts_of(lobby).open, 4);
    guest_knock(lobby, "a1", "token", false);
    lobby_play(lobby);
    assert_int_equal(counts_of(lobby).games_aborted, 0);
}

/* What can not be kept is not done. */
static void an_act_that_does_not_come_to_disk_has_no_effect(void **state)
{
    char path[160];
    Lobby *lobby = *state;
    Err err = {0};

    log_into_folder(lobby);
    ResultJournal *results = results_open(lobby);
    lobby_open(lobby);
    snprintf(path, sizeof(path), "%s/" JOURNAL_FILE, lobby->folder);
    assert_int_equal(unlink(path), 0);
    assert_true(try_act(lobby, act_of(ACT_HOLD), &err) != 0);
    assert_true(err.msg[0]);
    assert_false(operator_acts_held(nlp_hall_acts(lobby->hall)));
    teams_come(lobby, 5);
    assert_int_equal(counts_of(lobby).games, 1);
    lobby_shut(lobby);
    result_journal_free(results);
}

static void acts_that_make_no_sense_here_are_refused(void **state)
{
    Lobby *lobby = *state;
    OperatorAct act = act_of(ACT_VOID);

    lobby_open(lobby);
    act.target = ACT_OF_SET;
    refuse_act(lobby, act, ERR_RULE, "games of this division are in no sets: name a 'game'");
    refuse_act(lobby, act_of(ACT_GO_ON), ERR_RULE, "it is not held: games begin");
    act = act_of(ACT_HOLD);
    act.by = STR("");
    refuse_act(lobby, act, ERR_RULE, "'by' has 1 to 64 bytes of UTF-8 without control characters");
    nlp_hall_drain(lobby->hall, lobby->now);
    refuse_act(lobby, act_of(ACT_HOLD), ERR_RULE, "the server is shutting down");
}

/* ---- at random ---- */

/* What the journal and the schedule come to. */
typedef struct Tally {
    unsigned decided;
    unsigned voids;
} Tally;

static int tally_game(void *user, const GameRecord *record, Err *err)
{
    Tally *tally = user;

    (void)err;
    tally->decided += !record->is_void;
    tally->voids += record->is_void;
    return 0;
}

static void act_at_random(Lobby *lobby, Rng *rng)
{
    char team[2] = {(char)('a' + rng_below(rng, 6)), 0};
    char agent[3] = {team[0], '1', 0};
    char id[40] = "";
    NlpGame game;

    if (nlp_hall_game_at(lobby->hall, rng_below(rng, 4), &game))
        snprintf(id, sizeof(id), "%.*s", STR_ARG(game.id));
    const OperatorAct acts[] = {
        act_of(ACT_HOLD),
        act_of(ACT_GO_ON),
        act_of_team(ACT_LEAVE_OUT, team),
        act_of_team(ACT_LET_IN, team),
        act_of_game(ACT_VOID, id),
        act_of_game(ACT_END, id),
        act_of_agent(agent),
        act_of(ACT_GO_ON),
        act_of_team(ACT_LET_IN, team),
    };
    Err err = {0};
    int rc = try_act(lobby, acts[rng_below(rng, sizeof(acts) / sizeof(acts[0]))], &err);
    if (rc != 0 && rc != ERR_RULE && rc != ERR_USAGE)
        fail_msg("%s", err.msg);
}

static void let_all_in(Lobby *lobby)
{
    Str team;
    char name[8];

    if (operator_acts_held(nlp_hall_acts(lobby->hall)))
        do_act(lobby, act_of(ACT_GO_ON));
    while (operator_acts_out_at(nlp_hall_acts(lobby->hall), 0, &team)) {
        snprintf(name, sizeof(name), "%.*s", STR_ARG(team));
        do_act(lobby, act_of_team(ACT_LET_IN, name));
    }
}

static void come_who_is_gone(Lobby *lobby)
{
    for (unsigned i = 0; i < 6; i++) {
        char name[3] = {(char)('a' + i), '1', 0};
        bool there = false;
        for (size_t k = 0; k < lobby->count; k++)
            there |= lobby->guests[k]->open && strcmp(lobby->guests[k]->name, name) == 0;
        if (!there)
            guest_knock(lobby, name, "token", false);
    }
}

static void deliver_all(Lobby *lobby)
{
    for (unsigned which = 0; lobby_deliver(lobby, which);)
        which = (which + 1) % (lobby_benches + 2);
}

static void play_on(Lobby *lobby, Rng *rng)
{
    for (unsigned steps = 1 + rng_below(rng, 20); steps > 0; steps--) {
        if (!lobby_answers(lobby) && lobby_deadline(lobby) != TIME_US_NEVER &&
            rng_below(rng, 4) == 0)
            lobby_go_to(lobby, lobby_deadline(lobby));
        lobby_deliver(lobby, rng_below(rng, lobby_benches + 2));
    }
}

/* Operators do what they like at any moment, the server is killed in between: in the end each match
 * was decided once. */
static bool nothing_is_lost_or_doubled(Rng *rng, unsigned size)
{
    Lobby *lobby;
    Tally tally = {0};
    const JournalListener listener = {.game = tally_game, .user = &tally};
    const uint32_t matches = 6;

    lobby_new((void **)&lobby);
    log_into_folder(lobby);
    lobby->letters = lobby_benches > 0;
    ResultJournal *results = results_open(lobby);
    lobby->config->matching.is_optimize = true;
    lobby->config->matching.team_count = 6;
    lobby->config->matching.game_count = (int32_t)matches;
    lobby_open(lobby);
    for (unsigned step = 0; step < size; step++) {
        come_who_is_gone(lobby);
        act_at_random(lobby, rng);
        play_on(lobby, rng);
        if (rng_below(rng, 12) == 0)
            results = start_again(lobby, results);
        assert_int_equal(counts_of(lobby).ended + counts_of(lobby).scheduled, matches);
    }
    let_all_in(lobby);
    lobby->letters = false;
    for (unsigned round = 0; !nlp_hall_complete(lobby->hall); round++) {
        if (round > 200)
            return false;
        deliver_all(lobby);
        come_who_is_gone(lobby);
        lobby_play(lobby);
    }
    bool good = counts_of(lobby).ended == matches && counts_of(lobby).scheduled == 0;
    lobby_shut(lobby);
    result_journal_free(results);
    good &= journal_read(lobby->folder, &listener, NULL, NULL) == 0 && tally.decided == matches;
    good &= files_with(lobby, ".log") >= matches;
    void *state = lobby;
    lobby_free(&state);
    return good;
}

static void whatever_operators_do_each_match_is_decided_once(void **state)
{
    (void)state;
    prop_check(nothing_is_lost_or_doubled, 60, 60);
}

static void the_same_with_games_on_other_loops(void **state)
{
    (void)state;
    lobby_benches = 2;
    prop_check(nothing_is_lost_or_doubled, 40, 60);
    lobby_benches = 0;
}

/* Teams play each other. */
static int new_lobby(void **state)
{
    lobby_new(state);
    ((Lobby *)*state)->config->matching.self_match = false;
    return 0;
}

#define LOBBY_TEST(name) cmocka_unit_test_setup_teardown(name, new_lobby, lobby_free)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOBBY_TEST(held_no_game_begins_and_running_ones_go_on),
        LOBBY_TEST(behind_a_hold_a_team_plays_when_its_hour_is_over),
        LOBBY_TEST(a_hold_keeps_a_complete_server_from_ending),
        LOBBY_TEST(holds_and_teams_are_the_same_after_a_restart),
        LOBBY_TEST(a_team_that_is_left_out_waits_and_is_not_matched),
        LOBBY_TEST(matches_of_a_team_that_is_left_out_are_skipped),
        LOBBY_TEST(an_endless_schedule_does_not_wait_for_who_is_left_out),
        LOBBY_TEST(a_void_game_is_played_again),
        LOBBY_TEST(a_game_that_was_made_void_before_a_kill_is_played_again_once),
        LOBBY_TEST(without_a_journal_no_game_is_made_void),
        LOBBY_TEST(a_void_game_is_none_of_those_that_were_asked_for),
        LOBBY_TEST(a_game_that_is_ended_is_planned_again_and_is_nobodys_fault),
        LOBBY_TEST(connections_of_an_agent_are_closed_wherever_it_is),
        LOBBY_TEST(an_act_that_does_not_come_to_disk_has_no_effect),
        LOBBY_TEST(acts_that_make_no_sense_here_are_refused),
        cmocka_unit_test(whatever_operators_do_each_match_is_decided_once),
        cmocka_unit_test(the_same_with_games_on_other_loops),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
