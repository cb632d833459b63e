#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "results/results_build.h"
#include "results/results_groups.h"
#include "results/results_sql.h"
#include "stats/opinion_score.h"

#define NO_FIGURE(name) "0"

/* ---- games ---- */

/* A natural-language game of the team ann, whose second agent is a model, against ben. */
static GameRecord *make_game(uint64_t number, Side winner, bool is_void)
{
    GameRecord *game = mem_new(sizeof(*game));

    *game = (GameRecord){.division = DIVISION_NLP,
                         .ruleset = "nlp-turn",
                         .is_void = is_void,
                         .set = number,
                         .game = number,
                         .result = {.seat_count = 3,
                                    .winner = winner,
                                    .roles = {0, ROLE_WEREWOLF, ROLE_VILLAGER, ROLE_SEER},
                                    .points = {0, 0, 2, 3},
                                    .names = {{0}, STR("ben1"), STR("ann1"), STR("ann2")}}};
    for (SeatNo seat = 1; seat <= 3; seat++)
        game->seats[seat] = (SeatRecord){.kind = SEAT_AGENT,
                                         .outside = true,
                                         .team = seat == 1 ? STR("ben") : STR("ann"),
                                         .faults[FAULT_TIMEOUT] = seat == 3};
    SeatRecord *model = &game->seats[3];
    model->kind = SEAT_MODEL;
    model->model = STR("small");
    model->decisions = 10;
    model->own = 9;
    model->figures.of[FIGURE_PROMPT] = 100;
    model->figures.of[FIGURE_ANSWER] = 7;
    OpinionScore score = {0};
    opinion_score_add(&score, 80, true);
    opinion_score_add(&score, 80, false);
    opinion_score_add(&score, 30, false);
    opinion_score_put(&score, &model->figures);
    durations_add(&model->times, 2000);
    game->result.has_play = winner != SIDE_NONE && number != 3; /* as in an older journal */
    if (game->result.has_play)
        game->result.play[3] = (SeatPlay){.of = {2, 1, 0, 1, 1, 2, 1, 1, 1, 1, 1, 0}};
    return game;
}

static void add_game(ResultsMaker *maker, GameRecord *take_game)
{
    assert_int_equal(results_maker_add(maker, take_game, NULL), 0);
    mem_free(take_game);
}

/* Three games that count, a void one, and one that nobody won. */
static Db *make_results(void)
{
    CLEANUP(results_maker_freep) ResultsMaker *maker = NULL;
    Db *db = NULL;

    assert_int_equal(results_maker_new(&maker, NULL), 0);
    add_game(maker, make_game(0, SIDE_VILLAGER, false));
    add_game(maker, make_game(1, SIDE_WEREWOLF, false));
    add_game(maker, make_game(2, SIDE_NONE, true));
    add_game(maker, make_game(3, SIDE_VILLAGER, false));
    add_game(maker, make_game(4, SIDE_NONE, false));
    assert_int_equal(results_maker_end(maker, STR("{}"), true, &db, NULL), 0);
    return db;
}

/* ---- tests ---- */

static void a_model_has_the_figures_of_its_seats(void **state)
{
    CLEANUP(db_closep) Db *db = make_results();
    CLEANUP(group_table_done) GroupTable table = {0};

    (void)state;
    assert_int_equal(results_groups(db, -1, GROUP_BY_MODEL, &table, NULL), 0);
    assert_int_equal(table.count, 1);
    const ResultsGroup *small = &table.groups[0];
    assert_string_equal(small->name, "small");
    assert_int_equal(small->all.games, 3); /* those that count */
    assert_int_equal(small->all.wins, 2);
    assert_int_equal(small->roles[ROLE_SEER].games, 3);
    assert_int_equal(small->points, 9);
    assert_int_equal(small->decisions, 30);
    assert_int_equal(small->own, 27);
    assert_int_equal(small->faults, 5); /* of all games, */
    assert_int_equal(small->figures.of[FIGURE_PROMPT], 500);
    assert_int_equal(small->figures.of[FIGURE_ANSWER], 35);
    assert_int_equal(durations_count(&small->times), 5); /* void ones, too */
}

/* Of the five games one is void, one has no winner, and one does not tell. */
static void measures_are_those_of_games_that_tell(void **state)
{
    CLEANUP(db_closep) Db *db = make_results();
    CLEANUP(group_table_done) GroupTable models = {0};
    CLEANUP(group_table_done) GroupTable teams = {0};

    (void)state;
    assert_int_equal(results_groups(db, -1, GROUP_BY_MODEL, &models, NULL), 0);
    const PlaySums *play = &models.groups[0].play;
    assert_int_equal(play->seats[ROLE_SEER], 2);
    assert_int_equal(play->of[ROLE_SEER][PLAY_VOTES], 4);
    assert_int_equal(play->of[ROLE_SEER][PLAY_WOLF_VOTES], 2);
    assert_int_equal(play->of[ROLE_SEER][PLAY_TRUE_CLAIMS], 2);
    assert_int_equal(results_groups(db, -1, GROUP_BY_TEAM, &teams, NULL), 0);
    assert_int_equal(measure_share(&teams.groups[0].play, MEASURE_SURVIVAL, ROLE_NONE).of, 4);
    assert_int_equal(
        db_exec(db, "UPDATE seat SET wolf_votes = 3 WHERE seat = 3 AND votes IS NOT NULL", NULL),
        0);
    CLEANUP(group_table_done) GroupTable bad = {0};
    assert_int_equal(results_groups(db, -1, GROUP_BY_MODEL, &bad, NULL), ERR_SYNTAX);
}

/* By hand: (0.2^2 + 0.8^2 + 0.3^2) / 3 in each of five games. */
static void opinions_of_a_model_are_added_up(void **state)
{
    CLEANUP(db_closep) Db *db = make_results();
    CLEANUP(group_table_done) GroupTable table = {0};

    (void)state;
    assert_int_equal(results_groups(db, -1, GROUP_BY_MODEL, &table, NULL), 0);
    const OpinionScore score = opinion_score_of(&table.groups[0].figures);
    assert_int_equal(score.count, 15);
    assert_int_equal(score.hits, 5);
    assert_int_equal(score.said[3], 5);
    assert_int_equal(score.wolves[3], 0);
    assert_int_equal(score.said[8], 10);
    assert_int_equal(score.wolves[8], 5);
    assert_true(fabs(opinion_score_brier(&score) - 0.77 / 3) < 1e-12);
}

static void groups_are_teams_kinds_or_agents_best_first(void **state)
{
    static const struct {
        GroupBy by;
        const char *names[3];
    } wanted[] = {{GROUP_BY_TEAM, {"ann", "ben"}},
                  {GROUP_BY_KIND, {"model", "agent"}},
                  {GROUP_BY_AGENT, {"ann1", "ann2", "ben1"}}};
    CLEANUP(db_closep) Db *db = make_results();

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        CLEANUP(group_table_done) GroupTable table = {0};
        assert_int_equal(results_groups(db, 0, wanted[i].by, &table, NULL), 0);
        for (size_t at = 0; at < table.count; at++)
            assert_string_equal(table.groups[at].name, wanted[i].names[at]);
        assert_int_equal(table.count, i == 2 ? 3 : 2);
    }
}

/* The journal of the protocol division says by a note for each set which model had a seat. */
static void a_note_says_which_model_a_seat_of_the_protocol_division_is(void **state)
{
    CLEANUP(results_maker_freep) ResultsMaker *maker = NULL;
    CLEANUP(db_closep) Db *db = NULL;
    CLEANUP(group_table_done) GroupTable models = {0};
    CLEANUP(group_table_done) GroupTable kinds = {0};
    GameRecord *game = make_game(0, SIDE_VILLAGER, false);

    (void)state;
    game->division = DIVISION_AIWOLF;
    for (SeatNo seat = 1; seat <= 3; seat++)
        game->seats[seat] = (SeatRecord){.kind = SEAT_AGENT, .outside = true};
    assert_int_equal(results_maker_new(&maker, NULL), 0);
    add_game(maker, game);
    assert_int_equal(results_maker_end(maker, STR("{}"), true, &db, NULL), 0);
    assert_int_equal(db_exec(db,
                             "INSERT INTO decision VALUES(0, 0, 'ann2', 40, 30, '', 'large', '', "
                             "1," RESULTS_FIGURES_OF(NO_FIGURE) ")",
                             NULL),
                     0);
    assert_int_equal(results_groups(db, 0, GROUP_BY_MODEL, &models, NULL), 0);
    assert_int_equal(models.count, 1);
    assert_string_equal(models.groups[0].name, "large");
    assert_int_equal(models.groups[0].all.games, 1);
    assert_int_equal(models.groups[0].decisions, 40);
    assert_int_equal(models.groups[0].own, 30);
    assert_int_equal(results_groups(db, 0, GROUP_BY_KIND, &kinds, NULL), 0);
    assert_int_equal(kinds.count, 2);
}

static void a_natural_language_game_without_a_winner_counts_for_nobody(void **state)
{
    CLEANUP(db_closep) Db *db = make_results();
    CLEANUP(standings_done) Standings standings = {0};
    ResultsStage stages[STAGE_NUMBERS_MAX];
    uint32_t count = 0;

    (void)state;
    assert_int_equal(results_standings(db, -1, &standings, NULL), 0);
    assert_int_equal(standings.games, 3);
    assert_int_equal(standings.wins[SIDE_NONE], 0);
    assert_int_equal(results_stages(db, stages, &count, NULL), 0);
    assert_int_equal(stages[0].games, 3);
}

static void a_figure_that_no_journal_can_hold_is_damage(void **state)
{
    CLEANUP(db_closep) Db *db = make_results();
    CLEANUP(group_table_done) GroupTable table = {0};

    (void)state;
    assert_int_equal(db_exec(db, "UPDATE seat SET answer_tokens = -1 WHERE model <> ''", NULL), 0);
    assert_int_equal(results_groups(db, -1, GROUP_BY_MODEL, &table, NULL), ERR_SYNTAX);
}

/* ---- trial ---- */

/* Single games that the village wins three times of four with ann, once of four against it. */
static void a_finished_folder_is_judged_as_it_would_have_been_while_it_was_played(void **state)
{
    CLEANUP(results_maker_freep) ResultsMaker *maker = NULL;
    CLEANUP(db_closep) Db *db = NULL;
    SprtTest test = sprt_test_usual();
    Trial direct, asked;

    (void)state;
    test.elo1 = 200;
    trial_init(&direct, &test, STR("ann"));
    trial_init(&asked, &test, STR("ann"));
    assert_int_equal(results_maker_new(&maker, NULL), 0);
    for (uint64_t number = 0; number < 400; number++) {
        GameRecord *game = make_game(number, SIDE_VILLAGER, false);
        bool village = number % 2 == 0;
        bool well = number / 2 % 4 != 3;
        game->result.winner = village == well ? SIDE_VILLAGER : SIDE_WEREWOLF;
        game->seats[1].team = village ? STR("ben") : STR("ann");
        game->seats[2].team = village ? STR("ann") : STR("ben");
        game->seats[3].team = STR("eve");
        for (SeatNo seat = 1; seat <= 3; seat++)
            game->result.names[seat] = game->seats[seat].team;
        assert_int_equal(trial_add_game(&direct, game, NULL), 0);
        assert_int_equal(trial_judge(&direct, number + 1, NULL), 0);
        add_game(maker, game);
    }
    assert_int_equal(results_maker_end(maker, STR("{}"), true, &db, NULL), 0);
    assert_int_equal(results_trial(db, -1, &asked, NULL), 0);
    assert_int_equal(asked.sprt.state, SPRT_ACCEPT_H1);
    assert_int_equal(asked.sprt.state, direct.sprt.state);
    assert_int_equal(asked.sprt.games, direct.sprt.games);
    assert_true(asked.sprt.llr == direct.sprt.llr);
    trial_done(&direct);
    trial_done(&asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_has_the_figures_of_its_seats),
        cmocka_unit_test(measures_are_those_of_games_that_tell),
        cmocka_unit_test(opinions_of_a_model_are_added_up),
        cmocka_unit_test(groups_are_teams_kinds_or_agents_best_first),
        cmocka_unit_test(a_note_says_which_model_a_seat_of_the_protocol_division_is),
        cmocka_unit_test(a_natural_language_game_without_a_winner_counts_for_nobody),
        cmocka_unit_test(a_figure_that_no_journal_can_hold_is_damage),
        cmocka_unit_test(a_finished_folder_is_judged_as_it_would_have_been_while_it_was_played),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
