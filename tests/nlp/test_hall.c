/* test_hall.c - the waiting room, who plays with whom, the schedule, what can be seen.
 *
 * Source: docs/spec/nlp-division.md 1.2 to 1.6, 2, 6. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "nlp/lobby.h"
#include "sanitized.h"

#include "wire/jwt.h"

static NlpCounts counts(const Lobby *lobby)
{
    return nlp_hall_counts(lobby->hall);
}

static void assert_closed(const Guest *guest, NlpClose code, const char *reason)
{
    assert_false(guest->open);
    assert_int_equal(guest->code, code);
    if (!strstr(guest->reason, reason))
        fail_msg("closed because '%s', not '%s'", guest->reason, reason);
}

/* ---- names and tokens ---- */

static void who_does_not_say_its_name_in_time_is_sent_away(void **state)
{
    Lobby *lobby = *state;

    lobby_open(lobby);
    Guest *first = guest_knock(lobby, "a1", "", true);
    lobby_go_to(lobby, 60 * SECOND);
    Guest *second = guest_knock(lobby, "b1", "", true);
    assert_true(nlp_hall_deadline(lobby->hall) == 120 * SECOND);
    lobby_go_to(lobby, 120 * SECOND - 1);
    assert_true(first->open);
    lobby_go_to(lobby, 120 * SECOND);
    assert_closed(first, CLOSE_NO_NAME, "no answer to NAME in time");
    assert_true(second->open);
    guest_answer(second);
    lobby_go_to(lobby, 500 * SECOND);
    assert_true(second->open);
    assert_int_equal(counts(lobby).open, 1);
    assert_int_equal(counts(lobby).waiting, 1);
}

static void names_are_1_to_128_bytes_without_control_characters(void **state)
{
    static const char *const bad[] = {"", "\n\n", "a\tb", "a\nb", "\x01", "a\x7F"};
    Lobby *lobby = *state;
    char longest[130];

    lobby_open(lobby);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_closed(guest_come(lobby, bad[i]), CLOSE_NO_NAME, "1 to 128 bytes");
    memset(longest, 'x', sizeof(longest));
    longest[129] = '\0';
    assert_closed(guest_come(lobby, longest), CLOSE_NO_NAME, "1 to 128 bytes");
    longest[128] = '\0';
    assert_true(guest_come(lobby, longest)->open);
    assert_true(guest_come(lobby, "123")->open); /* the empty team */
    assert_true(guest_come(lobby, "wool_100%")->open);
    assert_true(guest_come(lobby, "../犬,/%s3")->open);
    assert_int_equal(counts(lobby).waiting, 4);
    assert_int_equal(counts(lobby).open, 4);
    assert_int_equal(counts(lobby).connections, 11);
}

static const char *token_for(const char *role, const char *team, int64_t expires, Buf *out)
{
    JwtClaims claims = {.expires = expires};

    snprintf(claims.role, sizeof(claims.role), "%s", role);
    snprintf(claims.team, sizeof(claims.team), "%s", team);
    buf_clear(out);
    assert_int_equal(jwt_make(&claims, BEGAN_MS / 1000, STR("s3cret"), out, NULL), 0);
    return buf_cstr(out);
}

static void with_authentication_only_the_own_teams_token_opens_the_door(void **state)
{
    CLEANUP(buf_done) Buf token = {0};
    Lobby *lobby = *state;

    lobby->config->authentication = true;
    lobby->config->secret_key = STR("s3cret");
    lobby_open(lobby);
    assert_closed(guest_come(lobby, "a1"), CLOSE_BAD_TOKEN, "token: ");
    assert_closed(guest_knock(lobby, "a1", "x.y.z", false), CLOSE_BAD_TOKEN, "token: ");
    token_for("RECEIVER", "a", 0, &token);
    assert_closed(guest_knock(lobby, "a1", buf_cstr(&token), false), CLOSE_BAD_TOKEN,
                  "expected PLAYER");
    token_for("PLAYER", "b", 0, &token);
    assert_closed(guest_knock(lobby, "a1", buf_cstr(&token), false), CLOSE_BAD_TOKEN,
                  "another team");
    token_for("PLAYER", "a", BEGAN_MS / 1000 + 10, &token);
    assert_true(guest_knock(lobby, "a1", buf_cstr(&token), false)->open);
    lobby_go_to(lobby, 11 * SECOND);
    assert_closed(guest_knock(lobby, "a2", buf_cstr(&token), false), CLOSE_BAD_TOKEN, "token: ");
    assert_int_equal(counts(lobby).waiting, 1);
    assert_true(strlen(lobby->guests[lobby->count - 1]->reason) <= 123); /* RFC 6455 5.5 */
}

static void a_schedule_has_no_place_for_another_team(void **state)
{
    Lobby *lobby = *state;

    lobby_open_scheduled(lobby, 5);
    teams_come(lobby, 4);
    assert_true(guest_come(lobby, "a2")->open);
    assert_true(guest_come(lobby, "e1")->open);
    assert_closed(guest_come(lobby, "f1"), CLOSE_UNKNOWN_TEAM, "has its teams already");
}

static void of_two_that_wait_under_one_name_the_newer_stays_when_names_are_unique(void **state)
{
    Lobby *lobby = *state;

    lobby->config->unique_names = true;
    lobby_open(lobby);
    Guest *older = guest_come(lobby, "a1");
    Guest *other = guest_come(lobby, "a2");
    Guest *newer = guest_come(lobby, "a1");
    assert_closed(older, CLOSE_NAME_IN_USE, "newer connection");
    assert_true(other->open && newer->open);
    lobby->config->unique_names = false;
    lobby_open(lobby);
    guest_come(lobby, "a1");
    guest_come(lobby, "a1");
    assert_int_equal(counts(lobby).waiting, 2);
}

/* ---- matching ---- */

static void who_has_gone_is_not_seated(void **state)
{
    Lobby *lobby = *state;
    NlpWaiting waiting;

    lobby_open(lobby);
    Guest *first = guest_come(lobby, "a1");
    Guest *naming = guest_knock(lobby, "a9", "", true);
    for (int i = 2; i <= 4; i++)
        guest_come(lobby, "a2");
    guest_leave(first);
    guest_leave(naming);
    assert_int_equal(counts(lobby).waiting, 3);
    assert_int_equal(counts(lobby).open, 3);
    assert_true(nlp_hall_waiting_at(lobby->hall, 0, &waiting));
    assert_true(str_eq(waiting.name, STR("a2")) && str_eq(waiting.team, STR("a")));
    assert_string_equal(waiting.address, "192.0.2.1");
    assert_false(nlp_hall_waiting_at(lobby->hall, 3, &waiting));
    guest_come(lobby, "a5");
    assert_int_equal(lobby->begun, 0);
    guest_come(lobby, "a6");
    assert_int_equal(lobby->begun, 1);
}

static SeatNo seat_of(const Lobby *lobby, uint32_t index, const char *original)
{
    NlpGame game;

    assert_true(nlp_hall_game_at(lobby->hall, index, &game));
    for (SeatNo seat = 1; seat <= game.seat_count; seat++)
        if (str_eq(game.seats[seat].original, str_of(original)))
            return seat;
    return SEAT_NONE;
}

static void self_match_seats_one_teams_oldest_connections(void **state)
{
    Lobby *lobby = *state;
    char name[8];

    lobby_open(lobby);
    guest_come(lobby, "b1");
    for (int i = 1; i <= 4; i++) {
        snprintf(name, sizeof(name), "a%d", i);
        guest_come(lobby, name);
    }
    assert_int_equal(lobby->begun, 0);
    guest_come(lobby, "a5");
    assert_int_equal(lobby->begun, 1);
    for (int i = 1; i <= 5; i++) {
        snprintf(name, sizeof(name), "a%d", i);
        assert_int_not_equal(seat_of(lobby, 0, name), SEAT_NONE);
    }
    assert_int_equal(counts(lobby).waiting, 1);
    lobby_play(lobby);
    for (size_t i = 1; i < lobby->count; i++)
        assert_closed(lobby->guests[i], CLOSE_NORMAL, "game over");
    assert_true(lobby->guests[0]->open);
    assert_int_equal(counts(lobby).open, 1);
}

static void a_team_plays_itself_so_often_in_an_hour(void **state)
{
    Lobby *lobby = *state;
    char name[8];

    lobby->setup.self_per_hour = 2;
    lobby_open(lobby);
    for (int i = 0; i < 10; i++) {
        snprintf(name, sizeof(name), "a%d", 1 + i % 5);
        guest_come(lobby, name);
        lobby_play(lobby);
    }
    assert_int_equal(lobby->begun, 2);
    lobby->now += 600 * SECOND;
    assert_closed(guest_come(lobby, "a1"), CLOSE_LATER,
                  "the team has played its 2 self matches of this hour; come again in 50 min");
    for (int i = 1; i <= 5; i++) { /* another one has its own */
        snprintf(name, sizeof(name), "b%d", i);
        guest_come(lobby, name);
    }
    assert_int_equal(lobby->begun, 3);
    lobby_play(lobby);
    lobby->now += 3000 * SECOND;
    for (int i = 1; i <= 5; i++) {
        snprintf(name, sizeof(name), "a%d", i);
        guest_come(lobby, name);
    }
    assert_int_equal(lobby->begun, 4);
}

static void free_match_seats_different_teams_and_the_oldest_of_each(void **state)
{
    Lobby *lobby = *state;

    lobby->config->matching.self_match = false;
    lobby_open(lobby);
    for (int i = 0; i < 8; i++)
        guest_come(lobby, "a2");
    guest_come(lobby, "a1");
    guest_come(lobby, "b7");
    guest_come(lobby, "b1");
    guest_come(lobby, "c1");
    guest_come(lobby, "d1");
    assert_int_equal(lobby->begun, 0);
    guest_come(lobby, "e1");
    assert_int_equal(lobby->begun, 1);
    assert_int_not_equal(seat_of(lobby, 0, "b7"), SEAT_NONE);
    assert_int_not_equal(seat_of(lobby, 0, "a2"), SEAT_NONE);
    assert_int_equal(seat_of(lobby, 0, "b1"), SEAT_NONE);
    assert_int_equal(counts(lobby).waiting, 9);
}

static void a_schedule_seats_who_is_present_in_the_roles_of_the_match(void **state)
{
    Lobby *lobby = *state;
    NlpGame game;

    lobby_open_scheduled(lobby, 3);
    teams_come(lobby, 5);
    assert_int_equal(lobby->begun, 1);
    const History *history = nlp_hall_history(lobby->hall);
    const HistoryMatch *match = history_scheduled(history, 0);
    assert_true(nlp_hall_game_at(lobby->hall, 0, &game));
    for (unsigned i = 0; i < 5; i++) {
        Str team = history_team_name(history, match->teams[i]);
        unsigned found = 0;
        for (SeatNo seat = 1; seat <= 5; seat++)
            found += str_eq(game.seats[seat].team, team) &&
                     game.seats[seat].role == (Role)match->roles[i];
        assert_int_equal(found, 1);
    }
}

/* After a log could not be written no game begins for 10 s; then all that can. */
static void when_games_were_held_back_all_begin_at_once(void **state)
{
    Lobby *lobby = *state;
    char name[8];

    lobby->config->game_logger =
        (ConfigLogger){true, "/dev/null/nowhere", "{game_id}"}; /* can't be made */
    lobby_open(lobby);
    for (int i = 0; i < 5; i++)
        guest_come(lobby, "a1");
    assert_int_equal(lobby->over, 1);
    assert_true(noted(lobby, "log-failed") && noted(lobby, " aborted"));
    lobby->config->game_logger.enable = false;
    for (int i = 0; i < 15; i++) {
        snprintf(name, sizeof(name), "%c%d", 'b' + i % 3, i);
        guest_come(lobby, name);
    }
    assert_int_equal(lobby->begun, 1);
    lobby_go_to(lobby, 10 * SECOND - 1);
    assert_int_equal(lobby->begun, 1);
    lobby_go_to(lobby, 10 * SECOND);
    assert_int_equal(lobby->begun, 4);
    assert_int_equal(counts(lobby).games, 3);
}

/* ---- dealing ---- */

/* How many deals chance is looked at by. */
static unsigned deals_of_test(void)
{
    return sanitized_share(10000);
}

typedef struct Deals {
    unsigned seat_role[6][ROLE_COUNT];
    unsigned seat_team[6][5];
    unsigned team_role[5][ROLE_COUNT];
} Deals;

static double chi_square_of_roles(unsigned table[][ROLE_COUNT], unsigned first)
{
    double sum = 0;

    for (unsigned i = first; i < first + 5; i++)
        for (Role role = ROLE_NONE + 1; role < ROLE_COUNT; role++) {
            double share = role == ROLE_VILLAGER ? 0.4 : table[i][role] ? 0.2 : 0;
            double expected = deals_of_test() * share;
            double off = table[i][role] - expected;
            sum += expected > 0 ? off * off / expected : 0;
        }
    return sum;
}

static double chi_square_of_teams(const Deals *deals)
{
    double sum = 0;

    for (SeatNo seat = 1; seat <= 5; seat++)
        for (int team = 0; team < 5; team++) {
            double off = deals->seat_team[seat][team] - deals_of_test() / 5.0;
            sum += off * off / (deals_of_test() / 5.0);
        }
    return sum;
}

/* Games that end as soon as they began, for all leave. */
static void deal(Lobby *lobby, Deals *deals)
{
    NlpGame game;

    for (unsigned i = 0; i < deals_of_test(); i++) {
        teams_come(lobby, 5);
        assert_true(nlp_hall_game_at(lobby->hall, 0, &game) && !game.finished);
        for (SeatNo seat = 1; seat <= 5; seat++) {
            int team = game.seats[seat].team.bytes[0] - 'a';
            deals->seat_role[seat][game.seats[seat].role]++;
            deals->seat_team[seat][team]++;
            deals->team_role[team][game.seats[seat].role]++;
        }
        size_t last = lobby->count;
        for (size_t k = last - 5; k < last; k++)
            guest_leave(lobby->guests[k]);
        for (size_t k = last - 5; k < last; k++)
            mem_free(lobby->guests[k]);
        lobby->count = lobby->queue_first = lobby->queue_last = 0;
        assert_int_equal(counts(lobby).games, 0);
    }
    assert_int_equal(counts(lobby).games_aborted, deals_of_test());
}

/* Critical values for 0.001: 12 degrees of freedom 32.9, 16 degrees 39.3 (12.7, row 9). */
static void in_free_matches_seats_teams_and_roles_are_independent(void **state)
{
    Lobby *lobby = *state;
    Deals deals = {0};

    lobby->config->matching.self_match = false;
    lobby->config->rejoin_ms = 0;
    lobby_open(lobby);
    deal(lobby, &deals);
    assert_true(chi_square_of_roles(deals.seat_role, 1) < 32.9);
    assert_true(chi_square_of_roles(deals.team_role, 0) < 32.9);
    assert_true(chi_square_of_teams(&deals) < 39.3);
}

static void in_scheduled_matches_seats_say_nothing_of_roles(void **state)
{
    Lobby *lobby = *state;
    Deals deals = {0};

    lobby->config->rejoin_ms = 0;
    lobby->config->matching.abort_weight_factor = 1;
    lobby_open_scheduled(lobby, 5);
    deal(lobby, &deals);
    assert_true(chi_square_of_roles(deals.seat_role, 1) < 32.9);
    assert_true(chi_square_of_teams(&deals) < 39.3);
}

/* ---- the schedule ---- */

static uint32_t ended_in_file(const Lobby *lobby, double *ret_least_weight)
{
    History *history = NULL;
    uint32_t ended;

    assert_int_equal(history_load(lobby->path, &history, NULL), 0);
    ended = history_ended_count(history);
    for (uint32_t i = 0; ret_least_weight && i < history_scheduled_count(history); i++)
        if (i == 0 || history_scheduled(history, i)->weight < *ret_least_weight)
            *ret_least_weight = history_scheduled(history, i)->weight;
    history_free(history);
    return ended;
}

/* Whoever reads "game-over" finds the match in the file. */
static void file_is_ahead_of_the_note(Lobby *lobby, Str line)
{
    if (str_starts(line, STR("game-over")))
        assert_int_equal(ended_in_file(lobby, NULL), lobby->over + 1);
}

static void a_schedule_is_played_to_its_end_and_says_so(void **state)
{
    Lobby *lobby = *state;

    lobby->noted = file_is_ahead_of_the_note;
    lobby_open_scheduled(lobby, 7);
    for (unsigned game = 0; game < 7; game++) {
        assert_false(nlp_hall_complete(lobby->hall) || nlp_hall_done(lobby->hall));
        assert_false(noted(lobby, "tournament complete"));
        assert_int_equal(counts(lobby).scheduled, 7 - game);
        assert_int_equal(counts(lobby).ended, game);
        assert_int_equal(counts(lobby).planned, 7);
        teams_come(lobby, 5);
        lobby_play(lobby);
    }
    assert_true(nlp_hall_complete(lobby->hall) && nlp_hall_done(lobby->hall));
    assert_true(noted(lobby, "tournament complete: all 7 scheduled matches have ended"));
    assert_int_equal(lobby->notices[NOTICE_MILESTONE], 1);
    teams_come(lobby, 5);
    assert_int_equal(lobby->begun, 7);
    assert_int_equal(ended_in_file(lobby, NULL), 7);
}

static void an_aborted_match_waits_again_with_less_weight(void **state)
{
    Lobby *lobby = *state;
    double weight = 9;

    lobby->config->rejoin_ms = 0;
    lobby->config->matching.abort_weight_factor = 0.5;
    lobby_open_scheduled(lobby, 2);
    teams_come(lobby, 5);
    all_leave(lobby);
    assert_int_equal(ended_in_file(lobby, &weight), 0);
    assert_true(weight > 0.49 && weight < 0.51);
    assert_int_equal(counts(lobby).games_aborted, 1);
    assert_int_equal(lobby->notices[NOTICE_ABORT], 1);
    assert_int_equal(counts(lobby).scheduled, 2);
}

/* 2.5, target. */
static void a_day_limit_draw_ends_its_match(void **state)
{
    Lobby *lobby = *state;
    NlpGame game;

    lobby->config->rules.end.max_day = 0;
    lobby_open_scheduled(lobby, 1);
    teams_come(lobby, 5);
    lobby_play(lobby);
    assert_int_equal(ended_in_file(lobby, NULL), 1);
    assert_int_equal(counts(lobby).games_won[SIDE_NONE], 1);
    assert_int_equal(counts(lobby).games_aborted, 0);
    assert_true(nlp_hall_complete(lobby->hall));
    assert_true(nlp_hall_game_at(lobby->hall, 0, &game) && !game.aborted);
    assert_int_equal(lobby->notices[NOTICE_ABORT], 0);
}

static void a_schedule_is_continued_from_its_file(void **state)
{
    Lobby *lobby = *state;

    lobby_open_scheduled(lobby, 4);
    teams_come(lobby, 5);
    lobby_play(lobby);
    teams_come(lobby, 5); /* is cut off in the middle: kill -9 */
    assert_int_equal(counts(lobby).games, 1);
    lobby->setup.key = key_of_seed(99);
    lobby_open(lobby);
    assert_int_equal(counts(lobby).ended, 1);
    assert_int_equal(counts(lobby).scheduled, 3);
    assert_closed(guest_come(lobby, "f1"), CLOSE_UNKNOWN_TEAM, "teams already");
    for (int game = 0; game < 3; game++) {
        teams_come(lobby, 5);
        lobby_play(lobby);
    }
    assert_true(nlp_hall_complete(lobby->hall));
    assert_int_equal(ended_in_file(lobby, NULL), 4);
}

/* 2.5: role_num_map of the file wins over the YAML values. */
static void the_roles_of_a_schedule_win_over_those_of_the_configuration(void **state)
{
    Lobby *lobby = *state;
    NlpGame game;
    Err err = {0};
    unsigned possessed = 0;

    lobby_open_scheduled(lobby, 2);
    uint8_t *roles = lobby->config->rules.roles.counts[5];
    roles[ROLE_POSSESSED] = 0;
    roles[ROLE_VILLAGER] = 3;
    lobby_open(lobby);
    assert_true(noted(lobby, "those of the schedule are played"));
    teams_come(lobby, 5);
    assert_true(nlp_hall_game_at(lobby->hall, 0, &game));
    for (SeatNo seat = 1; seat <= 5; seat++)
        possessed += game.seats[seat].role == ROLE_POSSESSED;
    assert_int_equal(possessed, 1);
    lobby_play(lobby);
    assert_int_equal(counts(lobby).ended, 1);
    lobby_shut(lobby);
    lobby->config->agent_count = 4;
    lobby->config->rules.roles.present[4] = true;
    lobby->config->rules.roles.counts[4][ROLE_WEREWOLF] = 1;
    lobby->config->rules.roles.counts[4][ROLE_VILLAGER] = 3;
    assert_int_equal(nlp_hall_new(&lobby->setup, &lobby->hall, &err), ERR_RULE);
    assert_non_null(strstr(err.msg, "5 seats"));
}

static void an_infinite_schedule_never_is_complete(void **state)
{
    Lobby *lobby = *state;

    lobby->config->matching.infinite_loop = true;
    lobby_open_scheduled(lobby, 1);
    for (int game = 0; game < 3; game++) {
        teams_come(lobby, 5);
        lobby_play(lobby);
    }
    assert_int_equal(lobby->over, 3);
    assert_false(nlp_hall_complete(lobby->hall) || nlp_hall_done(lobby->hall));
}

static void the_teams_that_are_awaited_are_those_not_present(void **state)
{
    Lobby *lobby = *state;
    Str team;

    lobby_open_scheduled(lobby, 2);
    teams_come(lobby, 5);
    assert_false(nlp_hall_awaited_at(lobby->hall, 0, &team)); /* they play */
    lobby_play(lobby);
    guest_come(lobby, "b1");
    guest_come(lobby, "d1");
    static const char *const awaited[] = {"a", "c", "e"};
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(nlp_hall_awaited_at(lobby->hall, i, &team));
        assert_true(str_eq(team, str_of(awaited[i])));
    }
    assert_false(nlp_hall_awaited_at(lobby->hall, 3, &team));
}

/* 2.6: who fails too often is put aside for a while, when others can play. */
static void a_team_that_fails_is_quarantined_and_weighs_less(void **state)
{
    Lobby *lobby = *state;
    TeamStatus team;

    lobby->config->health.enable = true;
    lobby->config->health.min_games = 2;
    lobby->config->rejoin_ms = 0;
    lobby->config->matching.abort_weight_factor = 1;
    lobby->config->abort_at = 1;
    lobby_open_scheduled(lobby, 4);
    for (int game = 0; game < 2; game++) {
        teams_come(lobby, 5);
        guest_leave(lobby->guests[lobby->count - 1]); /* e */
        lobby_play(lobby);
    }
    assert_int_equal(counts(lobby).games_aborted, 2);
    int64_t now_ms = BEGAN_MS + lobby->now / 1000;
    const TeamHealth *health = nlp_hall_health(lobby->hall);
    assert_true(team_health_find(health, STR("e"), now_ms, &team));
    assert_true(team.quarantined && team.weight < 0.3);
    assert_int_equal(team.fatal_games, 2);
    assert_true(team_health_find(health, STR("a"), now_ms, &team));
    assert_false(team.quarantined);
    assert_true(team.weight < 1 && team.weight > 0.5); /* its games were aborted */
    assert_int_equal(team.active_games, 0);
    assert_int_equal(lobby->notices[NOTICE_QUARANTINE], 1);
    teams_come(lobby, 5); /* nobody else can take its place */
    assert_int_equal(counts(lobby).games, 1);
}

/* ---- limits and ends ---- */

static void after_so_many_decided_games_no_other_begins(void **state)
{
    Lobby *lobby = *state;

    lobby->setup.games = 2;
    lobby->config->rejoin_ms = 0;
    lobby_open(lobby);
    for (int game = 0; game < 2; game++)
        for (int i = 0; i < 5; i++)
            guest_come(lobby, "a1");
    for (int i = 0; i < 5; i++)
        guest_come(lobby, "a1");
    assert_int_equal(lobby->begun, 2);
    for (size_t i = 0; i < 5; i++) /* the first is aborted and does not count: another may begin */
        guest_leave(lobby->guests[i]);
    assert_int_equal(lobby->begun, 3);
    assert_false(nlp_hall_done(lobby->hall));
    lobby_play(lobby);
    assert_true(nlp_hall_done(lobby->hall) && nlp_hall_complete(lobby->hall));
    for (int i = 0; i < 5; i++)
        guest_come(lobby, "a1");
    assert_int_equal(lobby->begun, 3);
}

static void bots_fill_the_seats_when_somebody_has_waited_long_enough(void **state)
{
    Lobby *lobby = *state;

    lobby->setup.fill = true;
    lobby_open(lobby);
    lobby_go_to(lobby, 100 * SECOND);
    Guest *guest = guest_come(lobby, "a1");
    guest_come(lobby, "b1");
    lobby_go_to(lobby, 130 * SECOND - 1);
    assert_int_equal(lobby->begun, 0);
    lobby_go_to(lobby, 130 * SECOND);
    assert_int_equal(lobby->begun, 2); /* self match: each with four bots */
    assert_int_not_equal(seat_of(lobby, 1, "a1"), SEAT_NONE);
    lobby_play(lobby);
    assert_closed(guest, CLOSE_NORMAL, "game over");
    assert_int_equal(counts(lobby).games_aborted, 0);
    assert_int_equal(counts(lobby).open, 0);
}

static void draining_plays_what_is_running_and_begins_nothing(void **state)
{
    Lobby *lobby = *state;

    lobby_open(lobby);
    for (int i = 0; i < 5; i++)
        guest_come(lobby, "a1");
    nlp_hall_drain(lobby->hall, lobby->now);
    nlp_hall_drain(lobby->hall, lobby->now);
    assert_true(nlp_hall_draining(lobby->hall) && !nlp_hall_done(lobby->hall));
    for (int i = 0; i < 5; i++)
        assert_closed(guest_come(lobby, "b1"), CLOSE_GOING_AWAY, "shutting down");
    assert_int_equal(lobby->begun, 1);
    assert_false(nlp_hall_has_away(lobby->hall));
    guest_leave(lobby->guests[0]);
    assert_true(nlp_hall_has_away(lobby->hall));
    guest_come(lobby, "a1");
    assert_int_equal(counts(lobby).rejoined, 1);
    lobby_play(lobby);
    assert_int_equal(counts(lobby).games_aborted, 0);
    assert_true(nlp_hall_done(lobby->hall));
    assert_int_equal(counts(lobby).waiting, 0);
}

static void an_abort_ends_all_games_and_closes_all_connections(void **state)
{
    Lobby *lobby = *state;

    lobby_open(lobby);
    for (int i = 0; i < 13; i++)
        guest_come(lobby, "a1");
    Guest *naming = guest_knock(lobby, "b1", "", true);
    nlp_hall_abort(lobby->hall, lobby->now);
    lobby_heard(lobby);
    for (int i = 0; i < 10; i++) {
        assert_string_equal(lobby->guests[i]->request, "FINISH");
        assert_closed(lobby->guests[i], CLOSE_NORMAL, "game over");
    }
    for (int i = 10; i < 13; i++)
        assert_closed(lobby->guests[i], CLOSE_GOING_AWAY, "shutting down");
    assert_closed(naming, CLOSE_GOING_AWAY, "shutting down");
    assert_true(nlp_hall_done(lobby->hall));
    assert_int_equal(counts(lobby).games_aborted, 2);
    assert_int_equal(counts(lobby).open, 0);
    assert_true(noted(lobby, "winner=NONE day=1 aborted"));
}

/* ---- coming back ---- */

/* a0 to a4, from one address and without tokens. */
static void teams_come_numbered(Lobby *lobby)
{
    for (int i = 0; i < 5; i++) {
        char name[8];
        snprintf(name, sizeof(name), "a%d", i);
        guest_come(lobby, name);
    }
    assert_int_equal(counts(lobby).games, 1);
}

static void a_seat_is_given_back_for_the_same_name_and_token_only(void **state)
{
    Lobby *lobby = *state;

    lobby_open(lobby);
    for (int i = 0; i < 5; i++) {
        char name[8];
        snprintf(name, sizeof(name), "a%d", i);
        guest_knock(lobby, name, i == 2 ? "secret" : "", false);
    }
    guest_leave(lobby->guests[2]);
    assert_int_equal(counts(lobby).games, 1);
    Guest *thief = guest_knock(lobby, "a2", "other", false);
    Guest *other = guest_knock(lobby, "a7", "secret", false);
    assert_int_equal(counts(lobby).waiting, 2);
    Guest *back = guest_knock(lobby, "a2", "secret", false);
    assert_int_equal(counts(lobby).rejoined, 1);
    assert_int_equal(counts(lobby).waiting, 2);
    assert_int_equal(back->sent >= 2, 1);
    assert_string_equal(back->request, back->owes ? "TALK" : "DAILY_INITIALIZE");
    guest_leave(thief);
    guest_leave(other);
    lobby_play(lobby);
    assert_string_equal(back->request, "FINISH");
    assert_closed(back, CLOSE_NORMAL, "game over");
    assert_int_equal(counts(lobby).games_aborted, 0);
    assert_int_equal(counts(lobby).open, 0);
}

static void who_comes_back_too_late_waits_for_another_game(void **state)
{
    Lobby *lobby = *state;

    lobby_open(lobby);
    for (int i = 0; i < 5; i++)
        guest_come(lobby, "a1");
    lobby->guests[0]->silent = lobby->guests[1]->silent = true;
    guest_leave(lobby->guests[2]);
    lobby_go_to(lobby, 61 * SECOND);
    guest_come(lobby, "a1");
    assert_int_equal(counts(lobby).rejoined, 0);
    assert_int_equal(counts(lobby).waiting, 1);
}

/* One of the first five from whom a reply is awaited. */
static Guest *who_owes(const Lobby *lobby)
{
    Guest *guest = lobby->guests[0];

    for (int i = 1; i < 5 && !guest->owes; i++)
        guest = lobby->guests[i];
    assert_true(guest->owes);
    return guest;
}

/* The old connection hangs half open; the health check finds that out, and its seat is free. */
static void a_connection_that_answers_nothing_is_closed_and_its_seat_kept_a_while(void **state)
{
    Lobby *lobby = *state;

    lobby_open(lobby);
    for (int i = 0; i < 5; i++)
        guest_come(lobby, "a1");
    Guest *deaf = who_owes(lobby);
    deaf->silent = true;
    lobby_go_to(lobby, 184 * SECOND);
    assert_true(deaf->open);
    lobby_go_to(lobby, 185 * SECOND);
    assert_closed(deaf, CLOSE_NO_ANSWER, "NAME");
    assert_int_equal(counts(lobby).open, 4);
    guest_come(lobby, "a1");
    assert_int_equal(counts(lobby).rejoined, 1);
    lobby_play(lobby);
    assert_int_equal(counts(lobby).open, 0);
    assert_int_equal(counts(lobby).games_aborted, 0);
}

static void who_is_back_before_the_loss_was_noticed_gets_the_seat_when_it_is(void **state)
{
    Lobby *lobby = *state;

    lobby_open(lobby);
    for (int i = 0; i < 5; i++)
        guest_knock(lobby, "a1", "secret", false);
    Guest *deaf = who_owes(lobby);
    deaf->silent = true;
    Guest *back = guest_knock(lobby, "a1", "secret", false);
    assert_int_equal(counts(lobby).waiting, 1);
    lobby_go_to(lobby, 185 * SECOND);
    assert_closed(deaf, CLOSE_NO_ANSWER, "NAME");
    assert_int_equal(counts(lobby).waiting, 0);
    assert_int_equal(counts(lobby).rejoined, 1);
    lobby_play(lobby);
    assert_closed(back, CLOSE_NORMAL, "game over");
}

/* Anybody can say a name: one who waits for the loss gets nothing by it. */
static void without_a_token_who_waited_under_the_name_does_not_get_the_seat(void **state)
{
    Lobby *lobby = *state;

    lobby_open(lobby);
    teams_come_numbered(lobby);
    Guest *thief = guest_knock_from(lobby, "192.0.2.1:50001", "a2", "", false);
    guest_leave(lobby->guests[2]);
    assert_int_equal(counts(lobby).waiting, 1);
    assert_int_equal(counts(lobby).rejoined, 0);
    assert_int_equal(thief->sent, 0);
    Guest *back = guest_knock_from(lobby, "192.0.2.1:50002", "a2", "", false);
    assert_int_equal(counts(lobby).rejoined, 1);
    assert_true(back->sent >= 2);
}

static void without_a_token_a_seat_goes_to_the_address_that_had_it_only(void **state)
{
    Lobby *lobby = *state;

    lobby_open(lobby);
    teams_come_numbered(lobby);
    guest_leave(lobby->guests[2]);
    Guest *thief = guest_knock_from(lobby, "192.0.2.10:40312", "a2", "", false);
    Guest *other = guest_knock_from(lobby, "[::1]:40312", "a2", "", false);
    assert_int_equal(counts(lobby).rejoined, 0);
    assert_int_equal(thief->sent + other->sent, 0);
    Guest *back = guest_knock_from(lobby, "192.0.2.1:50002", "a2", "", false);
    assert_int_equal(counts(lobby).rejoined, 1);
    assert_true(back->sent >= 2);
    guest_leave(back); /* lost once more */
    assert_int_equal(guest_knock_from(lobby, "192.0.2.10:1", "a2", "", false)->sent, 0);
    assert_true(guest_knock_from(lobby, "192.0.2.1:50003", "a2", "", false)->sent >= 2);
}

/* In a self match names are alike. */
static void of_two_seats_of_one_name_each_address_gets_its_own(void **state)
{
    Lobby *lobby = *state;

    lobby_open(lobby);
    for (int i = 0; i < 5; i++) {
        char address[32];
        snprintf(address, sizeof(address), "192.0.2.%d:40312", i);
        guest_knock_from(lobby, address, "a1", "", false);
    }
    for (int i = 0; i < 5; i++)
        lobby->guests[i]->silent = true;
    guest_leave(lobby->guests[1]);
    guest_leave(lobby->guests[3]);
    assert_true(guest_knock_from(lobby, "192.0.2.3:1", "a1", "", false)->sent >= 2);
    assert_true(guest_knock_from(lobby, "192.0.2.1:1", "a1", "", false)->sent >= 2);
    assert_int_equal(counts(lobby).rejoined, 2);
}

/* ---- looking ---- */

static void counts_add_up(void **state)
{
    Lobby *lobby = *state;
    uint64_t sent = 0;
    uint64_t replied = 0;

    lobby_open(lobby);
    for (int game = 0; game < 20; game++)
        for (int i = 0; i < 5; i++)
            guest_come(lobby, "a1");
    assert_int_equal(counts(lobby).games, 20);
    assert_int_equal(counts(lobby).open, 100);
    nlp_hall_message(lobby->hall, guest_come(lobby, "b1")->agent, STR("hello"), lobby->now);
    lobby_answers(lobby);
    NlpCounts half = counts(lobby);
    lobby_play(lobby);
    NlpCounts end = counts(lobby);
    for (size_t i = 0; i < lobby->count; i++) {
        sent += lobby->guests[i]->sent;
        replied += lobby->guests[i]->replied - 1; /* NAME */
    }
    assert_int_equal(end.requests, sent);
    assert_int_equal(end.replies, replied);
    assert_true(half.requests <= end.requests && half.replies <= end.replies);
    assert_int_equal(end.request_errors, 0);
    assert_int_equal(end.late_replies, 1);
    assert_int_equal(end.connections, 101);
    assert_int_equal(end.open, 1);
    assert_int_equal(end.games_begun, 20);
    assert_int_equal(end.games_won[SIDE_VILLAGER] + end.games_won[SIDE_WEREWOLF], 20);
    assert_int_equal(lobby->begun, 20);
    assert_int_equal(lobby->over, 20);
}

static void finished_games_are_visible_newest_first_for_a_while(void **state)
{
    Lobby *lobby = *state;
    NlpGame game;

    lobby->config->rejoin_ms = 0;
    lobby_open(lobby);
    for (unsigned n = 0; n < 1003; n++) {
        for (int i = 0; i < 5; i++)
            guest_come(lobby, "a1");
        all_leave(lobby);
        for (size_t i = 0; i < lobby->count; i++)
            mem_free(lobby->guests[i]);
        lobby->count = lobby->queue_first = lobby->queue_last = 0;
        lobby->now += SECOND;
    }
    for (int i = 0; i < 5; i++)
        guest_come(lobby, "z9");
    assert_true(nlp_hall_game_at(lobby->hall, 0, &game));
    assert_int_equal(game.number, 1004);
    assert_false(game.finished);
    for (uint32_t i = 1; i <= 1000; i++) {
        NlpGame found;
        assert_true(nlp_hall_game_at(lobby->hall, i, &game));
        assert_int_equal(game.number, 1004 - i);
        assert_true(game.finished && game.aborted && game.ended_unix_ms >= game.began_unix_ms);
        assert_true(str_eq(game.seats[5].original, STR("a1")));
        assert_true(nlp_hall_game_find(lobby->hall, game.id, &found));
        assert_int_equal(found.number, game.number);
    }
    assert_false(nlp_hall_game_at(lobby->hall, 1001, &game));
    assert_false(nlp_hall_game_find(lobby->hall, str_of(lobby->first_id), &game));
}

/* 2,000 games at once, whose silent ones time out at different times. */
static void of_2000_games_every_deadline_comes_in_order(void **state)
{
    Lobby *lobby = *state;
    const unsigned games = sanitized_share(2000);

    lobby_open(lobby);
    for (unsigned n = 0; n < 5 * games; n++) {
        lobby->now += 1000;
        lobby_tick(lobby);
        Guest *guest = guest_come(lobby, "a1");
        guest->silent = n % 7 == 0;
    }
    assert_int_equal(counts(lobby).games, games);
    lobby_play(lobby); /* asserts that no deadline is in the past */
    assert_int_equal(counts(lobby).games, 0);
    assert_int_equal(counts(lobby).games_begun, games);
    assert_int_equal(counts(lobby).open, 0);
    NlpCounts end = counts(lobby);
    assert_int_equal(end.games_won[0] + end.games_won[1] + end.games_won[2] + end.games_aborted,
                     games);
    assert_true(end.request_errors > 0);
}

static void deal_of(Lobby *lobby, uint64_t seed, Buf *out, Buf *ret_ids)
{
    NlpGame game;

    lobby->setup.key = key_of_seed(seed);
    lobby->config->matching.self_match = false;
    lobby_open(lobby);
    buf_clear(out);
    buf_clear(ret_ids);
    for (int n = 0; n < 3; n++) {
        teams_come(lobby, 8);
        assert_true(nlp_hall_game_at(lobby->hall, 0, &game));
        buf_printf(ret_ids, "%.*s", STR_ARG(str_part(game.id, 10, 16)));
        for (SeatNo seat = 1; seat <= 5; seat++)
            buf_printf(out, " %.*s:%s", STR_ARG(game.seats[seat].original),
                       role_name(game.seats[seat].role));
        buf_add_char(out, '\n');
    }
}

/* Whoever knows a seed's games by its ids would know their roles: what is told has a source of its
 * own, and the same seed tells something else each time. */
static void the_same_seed_gives_the_same_seats_and_roles_and_other_ids(void **state)
{
    CLEANUP(buf_done) Buf first = {0};
    CLEANUP(buf_done) Buf second = {0};
    CLEANUP(buf_done) Buf ids = {0};
    CLEANUP(buf_done) Buf other_ids = {0};
    Lobby *lobby = *state;

    deal_of(lobby, 11, &first, &ids);
    lobby->setup.unix_ms_at_zero += 86400000;
    deal_of(lobby, 11, &second, &other_ids);
    assert_true(str_eq(buf_str(&first), buf_str(&second)));
    assert_false(str_eq(buf_str(&ids), buf_str(&other_ids)));
    deal_of(lobby, 12, &second, &ids);
    assert_false(str_eq(buf_str(&first), buf_str(&second)));
    lobby->setup.ids = id_source_of_test(1);
    deal_of(lobby, 11, &first, &ids);
    deal_of(lobby, 12, &second, &other_ids);
    assert_true(str_eq(buf_str(&ids), buf_str(&other_ids)));
}

#define lobby_test(name) cmocka_unit_test_setup_teardown(name, lobby_new, lobby_free)

int main(void)
{
    const struct CMUnitTest tests[] = {
        lobby_test(who_does_not_say_its_name_in_time_is_sent_away),
        lobby_test(names_are_1_to_128_bytes_without_control_characters),
        lobby_test(with_authentication_only_the_own_teams_token_opens_the_door),
        lobby_test(a_schedule_has_no_place_for_another_team),
        lobby_test(of_two_that_wait_under_one_name_the_newer_stays_when_names_are_unique),
        lobby_test(who_has_gone_is_not_seated),
        lobby_test(self_match_seats_one_teams_oldest_connections),
        lobby_test(a_team_plays_itself_so_often_in_an_hour),
        lobby_test(free_match_seats_different_teams_and_the_oldest_of_each),
        lobby_test(a_schedule_seats_who_is_present_in_the_roles_of_the_match),
        lobby_test(when_games_were_held_back_all_begin_at_once),
        lobby_test(in_free_matches_seats_teams_and_roles_are_independent),
        lobby_test(in_scheduled_matches_seats_say_nothing_of_roles),
        lobby_test(a_schedule_is_played_to_its_end_and_says_so),
        lobby_test(an_aborted_match_waits_again_with_less_weight),
        lobby_test(a_day_limit_draw_ends_its_match),
        lobby_test(a_schedule_is_continued_from_its_file),
        lobby_test(the_roles_of_a_schedule_win_over_those_of_the_configuration),
        lobby_test(an_infinite_schedule_never_is_complete),
        lobby_test(the_teams_that_are_awaited_are_those_not_present),
        lobby_test(a_team_that_fails_is_quarantined_and_weighs_less),
        lobby_test(after_so_many_decided_games_no_other_begins),
        lobby_test(bots_fill_the_seats_when_somebody_has_waited_long_enough),
        lobby_test(draining_plays_what_is_running_and_begins_nothing),
        lobby_test(an_abort_ends_all_games_and_closes_all_connections),
        lobby_test(a_seat_is_given_back_for_the_same_name_and_token_only),
        lobby_test(who_comes_back_too_late_waits_for_another_game),
        lobby_test(a_connection_that_answers_nothing_is_closed_and_its_seat_kept_a_while),
        lobby_test(who_is_back_before_the_loss_was_noticed_gets_the_seat_when_it_is),
        lobby_test(without_a_token_who_waited_under_the_name_does_not_get_the_seat),
        lobby_test(without_a_token_a_seat_goes_to_the_address_that_had_it_only),
        lobby_test(of_two_seats_of_one_name_each_address_gets_its_own),
        lobby_test(counts_add_up),
        lobby_test(finished_games_are_visible_newest_first_for_a_while),
        lobby_test(of_2000_games_every_deadline_comes_in_order),
        lobby_test(the_same_seed_gives_the_same_seats_and_roles_and_other_ids),
    };

    int failed = 0;

    for (; lobby_benches <= LOBBY_BENCHES_MAX; lobby_benches += lobby_benches ? 1 : 2)
        failed += cmocka_run_group_tests_name("the hall of natural language", tests, NULL, NULL);
    return failed;
}
