#define _GNU_SOURCE /* nftw */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "contest/contest_run.h"
#include "match/cut.h"
#include "match/draw_chance.h"
#include "net/loop.h"
#include "results/results.h"

#include <ftw.h>
#include <stdlib.h>
#include <unistd.h>

#define AGENTS 6
#define PLACES 5

static const char *const names[AGENTS] = {"a", "b", "c", "d", "e", "f"};

/* One game of six, of whom five go on: the rates are 0 and 1, so that somebody is always tied. */
static void make_plan(CutTie tie, uint64_t seed, Plan *plan)
{
    const PlanStage stages[] = {
        {"first", .players = AGENTS, .games_per_set = 1, .sets = 1, .advance = PLACES, .tie = tie},
        {"second", .players = PLACES, .games_per_set = 2, .sets = 2},
    };

    assert_int_equal(plan_init(plan, NULL), 0);
    for (int i = 0; i < AGENTS; i++) {
        PlanAgent agent = {.bot = bot_kind(STR("random"))};
        assert_int_equal(plan_agent_name(&agent, str_of(names[i]), NULL), 0);
        assert_int_equal(plan_add_agent(plan, &agent, NULL), 0);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(plan_add_stage(plan, &stages[i], NULL), 0);
    plan->seed = seed;
    plan->seed_given = true;
    assert_int_equal(plan_check(plan, NULL), 0);
}

/* ---- what a contest came to, from its journal ---- */

typedef struct Course {
    uint32_t first_wins[AGENTS]; /* in the first stage */
    bool in_second[AGENTS];
    uint32_t seconds, extras; /* games of the second stage, and of extra rounds */
    uint32_t notes;           /* of the cut */
    Buf note;
} Course;

static int number_of(Str name)
{
    return name.bytes[0] - 'a';
}

static int on_game(void *user, const GameRecord *record, Err *err)
{
    Course *course = user;
    const GameResult *game = &record->result;

    (void)err;
    course->extras += round_of_number(record->stage) > 0;
    course->seconds += record->stage == 1;
    for (SeatNo seat = 1; seat <= game->seat_count; seat++) {
        int agent = number_of(game->names[seat]);
        if (record->stage == 1)
            course->in_second[agent] = true;
        if (record->stage == 0)
            course->first_wins[agent] += game->winner == role_side(game->roles[seat]);
    }
    return 0;
}

static int on_note(void *user, Str text, Err *err)
{
    Course *course = user;

    (void)err;
    if (str_starts(text, STR("cut behind stage first: "))) {
        course->notes++;
        buf_clear(&course->note);
        buf_add(&course->note, text);
    }
    return 0;
}

static void read_course(const char *dir, Course *ret_course)
{
    const JournalListener listener = {.game = on_game, .note = on_note, .user = ret_course};
    Err err = {0};

    if (journal_read(dir, &listener, NULL, &err))
        fail_msg("%s", err.msg);
}

static uint32_t players_of(const Course *course)
{
    uint32_t count = 0;

    for (int i = 0; i < AGENTS; i++)
        count += course->in_second[i];
    return count;
}

/* ---- folders ---- */

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    return remove(path);
}

static void remove_folder(const char *dir)
{
    nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void run_in(const char *dir, Plan *plan, bool resume)
{
    const ContestRun run = {.plan = plan,
                            .out = dir,
                            .resume = resume,
                            .jobs = 1,
                            .now = loop_now,
                            .date = loop_date_ms};
    CLEANUP(contest_result_done) ContestResult result = {0};
    Err err = {0};

    if (contest_run(&run, &result, &err))
        fail_msg("%s", err.msg);
    assert_true(result.complete);
}

static void run_once(CutTie tie, uint64_t seed, Course *ret_course)
{
    CLEANUP(plan_done) Plan plan = {0};
    char dir[] = "warg-contest-XXXXXX";

    assert_non_null(mkdtemp(dir));
    make_plan(tie, seed, &plan);
    run_in(dir, &plan, false);
    read_course(dir, ret_course);
    remove_folder(dir);
}

/* ---- tests ---- */

/* Whoever won more in the first stage is in the second before whoever won less. */
static void the_best_of_the_first_stage_play_the_second(void **state)
{
    static const CutTie ties[] = {CUT_EXTRA, CUT_LOT};
    uint32_t not_by_name = 0, extras = 0;
    (void)state;

    for (size_t t = 0; t < 2; t++)
        for (uint64_t seed = 1; seed <= 12; seed++) {
            Course course = {0};
            run_once(ties[t], seed, &course);
            assert_int_equal(players_of(&course), PLACES);
            assert_int_equal(course.seconds, 4);
            assert_int_equal(course.notes, 1);
            for (int out = 0; out < AGENTS; out++)
                for (int in = 0; in < AGENTS && !course.in_second[out]; in++)
                    assert_true(course.first_wins[in] >= course.first_wins[out]);
            not_by_name += course.in_second[AGENTS - 1] && course.first_wins[AGENTS - 1] == 0;
            assert_true((course.extras > 0) <= (ties[t] == CUT_EXTRA));
            extras += course.extras;
            buf_done(&course.note);
        }
    assert_true(not_by_name > 4); /* "f" lost, and goes on all the same */
    assert_true(extras > 0);
}

static void with_tie_all_everybody_who_is_tied_goes_on(void **state)
{
    Course course = {0};
    (void)state;

    run_once(CUT_ALL, 3, &course);
    assert_int_equal(players_of(&course), AGENTS);
    assert_non_null(strstr(buf_cstr(&course.note), "; all of them go on"));
    buf_done(&course.note);
}

/* The lot in the journal is that of the stage's key, and decides. */
static void the_lot_is_keyed_and_recorded(void **state)
{
    CLEANUP(plan_done) Plan plan = {0};
    CutLot lots[AGENTS];
    uint32_t tied = 0;
    Course course = {0};
    (void)state;

    run_once(CUT_LOT, 5, &course);
    make_plan(CUT_LOT, 5, &plan);
    const Key key = plan_stage_key(&plan, 0);
    for (uint32_t i = 0; i < AGENTS; i++)
        if (course.first_wins[i] == 0)
            lots[tied++] = (CutLot){.agent = i, .name = str_of(names[i])};
    cut_draw_lots(&key, lots, tied);
    for (uint32_t i = 0; i < tied; i++) {
        char hex[KEY_HEX_BYTES];
        key_to_hex(&lots[i].lot, hex);
        hex[16] = '\0';
        assert_non_null(strstr(buf_cstr(&course.note), hex));
        assert_int_equal(course.in_second[lots[i].agent], i + 1 < tied); /* one stays behind */
    }
    buf_done(&course.note);
}

static void write_lines(const char *dir, const Buf *journal, size_t bytes)
{
    char path[80];

    snprintf(path, sizeof(path), "%s/" JOURNAL_FILE, dir);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(journal->bytes, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static void read_journal(const char *dir, Buf *ret_journal)
{
    char path[80], some[4096];
    size_t n;

    snprintf(path, sizeof(path), "%s/" JOURNAL_FILE, dir);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while ((n = fread(some, 1, sizeof(some), file)) > 0)
        buf_add(ret_journal, (Str){some, n});
    fclose(file);
}

static void resumed_after_any_line_the_same_play_the_second_stage(void **state)
{
    static const CutTie ties[] = {CUT_EXTRA, CUT_LOT, CUT_ALL};
    (void)state;

    for (size_t t = 0; t < 3; t++) {
        CLEANUP(plan_done) Plan plan = {0};
        CLEANUP(buf_done) Buf journal = {0};
        Course whole = {0};
        char dir[] = "warg-contest-XXXXXX";
        assert_non_null(mkdtemp(dir));
        make_plan(ties[t], 2, &plan);
        run_in(dir, &plan, false);
        read_course(dir, &whole);
        read_journal(dir, &journal);
        remove_folder(dir);
        for (size_t i = 0; i < journal.len; i++) {
            if (journal.bytes[i] != '\n')
                continue;
            Course course = {0};
            char again[] = "warg-contest-XXXXXX";
            assert_non_null(mkdtemp(again));
            write_lines(again, &journal, i + 1);
            run_in(again, &plan, true);
            read_course(again, &course);
            remove_folder(again);
            assert_memory_equal(course.in_second, whole.in_second, sizeof(whole.in_second));
            assert_int_equal(course.seconds, whole.seconds);
            assert_int_equal(course.extras, whole.extras);
            assert_int_equal(course.notes, 1);
            assert_string_equal(buf_cstr(&course.note), buf_cstr(&whole.note));
            buf_done(&course.note);
        }
        buf_done(&whole.note);
    }
}

/* What an earlier build has begun has no note of its cut: equal rates went by the name. */
static void what_an_earlier_build_began_goes_on_with_whom_it_chose(void **state)
{
    CLEANUP(plan_done) Plan plan = {0};
    CLEANUP(buf_done) Buf journal = {0};
    CLEANUP(buf_done) Buf kept = {0};
    Course course = {0};
    char dir[] = "warg-contest-XXXXXX";
    (void)state;

    assert_non_null(mkdtemp(dir));
    make_plan(CUT_ALL, 4, &plan);
    run_in(dir, &plan, false);
    read_journal(dir, &journal);
    Str rest = buf_str(&journal);
    bool second = false;
    while (rest.len && !second) { /* to the first game of the second stage, without the note */
        Str line = str_cut(&rest, '\n');
        second = str_starts(line, STR("{\"record\":\"game\",\"stage\":1"));
        if (str_starts(line, STR("{\"record\":\"note\"")))
            continue;
        buf_add(&kept, line);
        buf_add_char(&kept, '\n');
    }
    assert_true(second);
    remove_folder(dir);
    char again[] = "warg-contest-XXXXXX";
    assert_non_null(mkdtemp(again));
    write_lines(again, &kept, kept.len);
    run_in(again, &plan, true);
    read_course(again, &course);
    assert_int_equal(course.notes, 0);
    remove_folder(again);
    buf_done(&course.note);
}

/* ---- tables of two sizes ---- */

typedef struct Sizes {
    uint32_t fives, sixes;
    char lines[16][64]; /* by game: set, winner, names and roles */
} Sizes;

static int on_sized_game(void *user, const GameRecord *record, Err *err)
{
    Sizes *sizes = user;
    CLEANUP(buf_done) Buf line = {0};

    (void)err;
    assert_int_equal(record->stage, 0);
    assert_true(record->game < 16);
    assert_int_equal(sizes->lines[record->game][0], 0); /* once */
    sizes->fives += record->result.seat_count == 5;
    sizes->sixes += record->result.seat_count == 6;
    buf_printf(&line, "%d %d", (int)record->set, (int)record->result.winner);
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++)
        buf_printf(&line, " %.*s%d", STR_ARG(record->result.names[seat]),
                   (int)record->result.roles[seat]);
    snprintf(sizes->lines[record->game], sizeof(sizes->lines[0]), "%s", buf_cstr(&line));
    return 0;
}

static void read_sizes(const char *dir, Sizes *ret_sizes)
{
    const JournalListener listener = {.game = on_sized_game, .user = ret_sizes};

    assert_int_equal(journal_read(dir, &listener, NULL, NULL), 0);
}

static void make_sized_plan(Plan *plan)
{
    const PlanStage stage = {"both", .players = 5, .more_players = {6}, .games_per_set = 2,
                             .sets = 3};

    assert_int_equal(plan_init(plan, NULL), 0);
    for (int i = 0; i < AGENTS; i++) {
        PlanAgent agent = {.bot = bot_kind(STR("random"))};
        assert_int_equal(plan_agent_name(&agent, str_of(names[i]), NULL), 0);
        assert_int_equal(plan_add_agent(plan, &agent, NULL), 0);
    }
    assert_int_equal(plan_add_stage(plan, &stage, NULL), 0);
    plan->seed = 7;
    plan->seed_given = true;
    assert_int_equal(plan_check(plan, NULL), 0);
}

static void both_sizes_are_played_and_one_ranking_is_over_all_games(void **state)
{
    CLEANUP(plan_done) Plan plan = {0};
    CLEANUP(contest_result_done) ContestResult result = {0};
    char dir[] = "warg-contest-XXXXXX";
    Sizes sizes = {0};
    uint64_t seats = 0;
    (void)state;

    assert_non_null(mkdtemp(dir));
    make_sized_plan(&plan);
    const ContestRun run = {
        .plan = &plan, .out = dir, .jobs = 1, .now = loop_now, .date = loop_date_ms};
    assert_int_equal(contest_run(&run, &result, NULL), 0);
    assert_true(result.complete);
    assert_int_equal(result.games, 12);
    for (uint32_t i = 0; i < result.standings.count; i++)
        seats += result.standings.agents[i].all.games;
    assert_int_equal(seats, 6 * 5 + 6 * 6);
    read_sizes(dir, &sizes);
    remove_folder(dir);
    assert_int_equal(sizes.fives, 6);
    assert_int_equal(sizes.sixes, 6);
    assert_int_equal(sizes.lines[6][0], '3'); /* the first set of six */
    /* Games of the two sizes are not dealt alike. */
    assert_string_not_equal(sizes.lines[0], sizes.lines[6]);
}

static void resumed_after_any_line_both_sizes_are_played_as_before(void **state)
{
    CLEANUP(plan_done) Plan plan = {0};
    CLEANUP(buf_done) Buf journal = {0};
    char dir[] = "warg-contest-XXXXXX";
    Sizes whole = {0};
    (void)state;

    assert_non_null(mkdtemp(dir));
    make_sized_plan(&plan);
    run_in(dir, &plan, false);
    read_sizes(dir, &whole);
    read_journal(dir, &journal);
    remove_folder(dir);
    for (size_t i = 0; i < journal.len; i++) {
        if (journal.bytes[i] != '\n')
            continue;
        Sizes again = {0};
        char other[] = "warg-contest-XXXXXX";
        assert_non_null(mkdtemp(other));
        write_lines(other, &journal, i + 1);
        run_in(other, &plan, true);
        read_sizes(other, &again);
        remove_folder(other);
        assert_memory_equal(again.lines, whole.lines, sizeof(whole.lines));
    }
}

static void an_extra_round_has_a_name_in_the_results(void **state)
{
    CLEANUP(plan_done) Plan plan = {0};
    ResultsStage stages[STAGE_NUMBERS_MAX];
    char dir[] = "warg-contest-XXXXXX";
    uint32_t count = 0;
    Db *db = NULL;
    (void)state;

    assert_non_null(mkdtemp(dir));
    make_plan(CUT_EXTRA, 2, &plan);
    run_in(dir, &plan, false);
    assert_int_equal(results_open(dir, &db, NULL), 0);
    assert_int_equal(results_stages(db, stages, &count, NULL), 0);
    db_close(db);
    remove_folder(dir);
    assert_true(count > 2);
    assert_string_equal(stages[0].name, "first");
    assert_string_equal(stages[1].name, "first, extra round 1");
    assert_string_equal(stages[count - 1].name, "second");
}

/* ---- the order in which agents are listed ---- */

/* Who sat where in which role and what came of it, game by game. */
static int on_course(void *user, const GameRecord *record, Err *err)
{
    const GameResult *game = &record->result;

    (void)err;
    buf_printf(user, "%u %llu %d:", (unsigned)record->stage, (unsigned long long)record->game,
               (int)game->winner);
    for (SeatNo seat = 1; seat <= game->seat_count; seat++)
        buf_printf(user, " %.*s %s", STR_ARG(game->names[seat]), role_name(game->roles[seat]));
    buf_add_char(user, '\n');
    return 0;
}

static void play_listed(bool backwards, bool old, Buf *ret_course)
{
    char dir[] = "warg-contest-XXXXXX";
    const JournalListener listener = {.game = on_course, .user = ret_course};
    CLEANUP(plan_done) Plan plan = {0};

    assert_non_null(mkdtemp(dir));
    make_plan(CUT_EXTRA, 3, &plan);
    if (old)
        plan.chance = PLAN_CHANCE_OLD_SEED;
    for (int i = 0; backwards && i < AGENTS / 2; i++) {
        const PlanAgent first = plan.agents[i];
        plan.agents[i] = plan.agents[AGENTS - 1 - i];
        plan.agents[AGENTS - 1 - i] = first;
    }
    run_in(dir, &plan, false);
    assert_int_equal(journal_read(dir, &listener, NULL, NULL), 0);
    remove_folder(dir);
}

/* docs/spec/contest-operations.md 11.2: agents are in byte order of names. */
static void who_is_listed_first_decides_nothing(void **state)
{
    CLEANUP(buf_done) Buf forwards = {0};
    CLEANUP(buf_done) Buf backwards = {0};

    (void)state;
    play_listed(false, false, &forwards);
    play_listed(true, false, &backwards);
    assert_true(forwards.len > 100);
    assert_true(str_eq(buf_str(&forwards), buf_str(&backwards)));
}

static void of_old_seeds_it_does(void **state)
{
    CLEANUP(buf_done) Buf forwards = {0};
    CLEANUP(buf_done) Buf backwards = {0};

    (void)state;
    play_listed(false, true, &forwards);
    play_listed(true, true, &backwards);
    assert_false(str_eq(buf_str(&forwards), buf_str(&backwards)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_of_the_first_stage_play_the_second),
        cmocka_unit_test(who_is_listed_first_decides_nothing),
        cmocka_unit_test(of_old_seeds_it_does),
        cmocka_unit_test(with_tie_all_everybody_who_is_tied_goes_on),
        cmocka_unit_test(the_lot_is_keyed_and_recorded),
        cmocka_unit_test(resumed_after_any_line_the_same_play_the_second_stage),
        cmocka_unit_test(what_an_earlier_build_began_goes_on_with_whom_it_chose),
        cmocka_unit_test(both_sizes_are_played_and_one_ranking_is_over_all_games),
        cmocka_unit_test(resumed_after_any_line_both_sizes_are_played_as_before),
        cmocka_unit_test(an_extra_round_has_a_name_in_the_results),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
