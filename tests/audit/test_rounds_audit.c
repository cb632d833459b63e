/* A stage of rounds: where it stops, what of it counts, resumed at any moment, and that the audit
 * follows it. Dates are simulated: each look at the clock takes a second. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "audit/audit.h"
#include "base/mem.h"
#include "contest/contest_run.h"
#include "disk/folder.h"
#include "disk/log_file.h"
#include "match/draw_chance.h"
#include "match/rounds.h"
#include "net/loop.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#define AGENTS 16
#define START  INT64_C(1800000000000)

static _Atomic int64_t clock_ms;
static int64_t tick_ms = 1000;

static int64_t simulated_date(void)
{
    return atomic_fetch_add(&clock_ms, tick_ms);
}

typedef struct Place {
    char dir[48];
    uint64_t calls; /* of progress, before it stops */
} Place;

static int set_up(void **state)
{
    Place *place = calloc(1, sizeof(*place));

    snprintf(place->dir, sizeof(place->dir), "/tmp/warg-rounds-XXXXXX");
    if (!mkdtemp(place->dir))
        return -1;
    place->calls = UINT64_MAX;
    tick_ms = 1000;
    atomic_store(&clock_ms, START);
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    Place *place = *state;
    int rc = folder_remove(place->dir, NULL);

    free(place);
    return rc;
}

static void make_plan(const char *const *bots, int64_t stop_at, Plan *plan)
{
    const PlanStage stages[] = {
        {"preliminary", .players = 5, .more_players = {15}, .games_per_set = 2, .min_games = 20,
         .rounds = true, .stop_at_ms = stop_at, .advance = 15, .tie = CUT_LOT},
        {"final", .players = 5, .games_per_set = 2, .min_games = 6, .rounds = true,
         .stop_at_ms = 0},
    };
    Key secret = {{7}};
    Err err = {0};

    assert_int_equal(plan_init(plan, NULL), 0);
    for (int i = 0; i < AGENTS; i++) {
        char name[8];
        PlanAgent agent = {.bot = bot_kind(str_of(bots[i % 2])), .version = true};
        snprintf(name, sizeof(name), "t%02d", i);
        assert_int_equal(plan_agent_name(&agent, str_of(name), NULL), 0);
        assert_int_equal(plan_add_agent(plan, &agent, NULL), 0);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(plan_add_stage(plan, &stages[i], NULL), 0);
    for (uint32_t i = 0; i < 2; i++)
        plan_use_secret(plan, i, &secret);
    if (plan_check(plan, &err))
        fail_msg("%s", err.msg);
}

static bool may_go_on(void *user, uint32_t stage, uint64_t done, uint64_t games, TimeUs now)
{
    Place *place = user;

    (void)stage;
    (void)done;
    (void)games;
    (void)now;
    return place->calls && place->calls-- > 0;
}

static const char *const same[] = {"sample", "sample"};

static void play(Place *place, Plan *plan, uint32_t until, bool resume, ContestResult *ret_result)
{
    Err err = {0};
    const ContestRun run = {.plan = plan,
                            .out = place->dir,
                            .resume = resume,
                            .logs = true,
                            .until = until,
                            .jobs = 1,
                            .date = simulated_date,
                            .now = loop_now,
                            .progress = may_go_on,
                            .user = place};

    contest_result_done(ret_result);
    *ret_result = (ContestResult){0};
    if (contest_run(&run, ret_result, &err))
        fail_msg("%s", err.msg);
}

/* What a journal says of the first stage. */
typedef struct Course {
    uint64_t games, voids, stops, rounds;
    int64_t last_ended;
    unsigned each[AGENTS];
} Course;

static unsigned number_of(Str name)
{
    return (unsigned)(name.bytes[1] - '0') * 10 + (unsigned)(name.bytes[2] - '0');
}

static int on_game(void *user, const GameRecord *record, Err *err)
{
    Course *course = user;

    (void)err;
    if (record->stage)
        return 0;
    course->voids += record->is_void;
    course->games += !record->is_void;
    if (record->is_void)
        return 0;
    if (record->ended_at_ms > course->last_ended)
        course->last_ended = record->ended_at_ms;
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++)
        course->each[number_of(record->result.names[seat])]++;
    return 0;
}

static int on_stop(void *user, const JournalStop *stop, Err *err)
{
    Course *course = user;

    (void)err;
    course->stops += stop->stage == 0;
    if (stop->stage == 0)
        course->rounds = stop->rounds;
    return 0;
}

static Course course_of(const Place *place)
{
    Course course = {0};
    const JournalListener listener = {.game = on_game, .stop = on_stop, .user = &course};
    Err err = {0};

    if (journal_read(place->dir, &listener, NULL, &err))
        fail_msg("%s", err.msg);
    for (int i = 1; i < AGENTS; i++)
        assert_int_equal(course.each[i], course.each[0]);
    return course;
}

static void check_audit(const Place *place, bool holds)
{
    const AuditSetup setup = {.dir = place->dir};
    AuditReport report = {0};
    Err err = {0};

    if (audit_run(&setup, &report, &err))
        fail_msg("%s", err.msg);
    for (AuditStep step = 0; holds && step < AUDIT_STEPS; step++)
        if (report.steps[step].state == AUDIT_CONTRADICTED)
            fail_msg("%s: %s:%u %s", audit_step_name(step), report.steps[step].file,
                     report.steps[step].line, report.steps[step].text);
    assert_int_equal(audit_holds(&report), holds);
    assert_true(report.over || !holds);
}

/* Sixteen: 16 sets in a round of each size; 10 and 30 games for everybody. */
static void test_without_a_date(void **state)
{
    Place *place = *state;
    CLEANUP(plan_done) Plan plan = {0};
    CLEANUP(contest_result_done) ContestResult result = {0};

    make_plan(same, 0, &plan);
    play(place, &plan, 0, false, &result);
    assert_true(result.complete);
    Course course = course_of(place);
    assert_int_equal(course.rounds, 2);
    assert_int_equal(course.stops, 1);
    assert_int_equal(course.games, 2 * (16 + 16) * 2);
    assert_int_equal(course.voids, 0);
    assert_int_equal(course.each[0], 2 * (10 + 30));
    check_audit(place, true);
    place->calls = UINT64_MAX;
    play(place, &plan, 0, true, &result); /* nothing is left */
    assert_int_equal(result.games_now, 0);
}

/* Whole rounds until the date: one that is under way counts when it ends within an hour. */
static void test_until_a_date(void **state)
{
    Place *place = *state;
    uint64_t rounds_before = 0;
    bool late = false, in_time = false;

    /* A round takes 64 games of some seconds; the date moves through two of them. */
    for (int64_t date = START + 2 * 3600000; date < START + 10 * 3600000 && !(late && in_time);
         date += 900000) {
        CLEANUP(plan_done) Plan plan = {0};
        CLEANUP(contest_result_done) ContestResult result = {0};
        tick_ms = 40000;
        atomic_store(&clock_ms, START);
        folder_remove(place->dir, NULL);
        make_plan(same, date, &plan);
        play(place, &plan, 1, false, &result);
        assert_true(result.reached);
        assert_false(result.complete);
        Course course = course_of(place);
        assert_int_equal(course.games, course.rounds * 64);
        assert_true(course.rounds >= 2 && course.rounds >= rounds_before);
        assert_true(course.rounds == 2 || course.last_ended <= date + ROUND_LATE_MS);
        assert_int_equal(result.standings.games, course.games);
        rounds_before = course.rounds;
        late |= course.voids > 0;
        in_time |= course.rounds > 2;
        play(place, &plan, 2, true, &result); /* the final, behind the cut */
        assert_true(result.complete);
        check_audit(place, true);
    }
    assert_true(late);
    assert_true(in_time);
}

/* Who is stronger, or weaker, changes nothing of when it stops. */
static void test_results_have_no_say(void **state)
{
    Place *place = *state;
    static const char *const kinds[][2] = {
        {"random", "random"}, {"sample", "random"}, {"silent", "sample"}};
    uint64_t rounds[3] = {0};

    for (int i = 0; i < 3; i++) {
        CLEANUP(plan_done) Plan plan = {0};
        CLEANUP(contest_result_done) ContestResult result = {0};
        tick_ms = 20000;
        atomic_store(&clock_ms, START);
        folder_remove(place->dir, NULL);
        make_plan(bot_kind(str_of(kinds[i][0])) ? kinds[i] : same, START + 2 * 3600000, &plan);
        play(place, &plan, 1, false, &result);
        rounds[i] = course_of(place).rounds;
    }
    assert_int_equal(rounds[0], rounds[1]);
    assert_int_equal(rounds[0], rounds[2]);
}

/* Asked to stop again and again: the end is the same as of one that was left alone. */
static void test_gone_on_with(void **state)
{
    Place *place = *state;
    CLEANUP(plan_done) Plan plan = {0};
    CLEANUP(contest_result_done) ContestResult result = {0};
    CLEANUP(contest_result_done) ContestResult whole = {0};
    int lives = 0;

    make_plan(same, 0, &plan);
    play(place, &plan, 0, false, &whole);
    folder_remove(place->dir, NULL);
    do {
        CLEANUP(plan_done) Plan again = {0};
        make_plan(same, 0, &again);
        place->calls = 1;
        play(place, &again, 0, lives > 0, &result);
    } while (!result.complete && ++lives < 2000);
    assert_true(result.complete);
    assert_int_equal(result.standings.games, whole.standings.games);
    for (uint32_t i = 0; i < whole.standings.count; i++) {
        const Standing *one =
            standings_find(&result.standings, str_of(whole.standings.agents[i].name));
        assert_non_null(one);
        assert_int_equal(one->all.wins, whole.standings.agents[i].all.wins);
        assert_int_equal(one->rank, whole.standings.agents[i].rank);
    }
    check_audit(place, true);
}

/* The runner was away from before the date until two hours behind it. */
static void test_away_over_the_date(void **state)
{
    Place *place = *state;
    CLEANUP(plan_done) Plan plan = {0};
    CLEANUP(contest_result_done) ContestResult result = {0};
    const int64_t date = START + 24 * 3600000;

    make_plan(same, date, &plan);
    place->calls = 3;
    play(place, &plan, 1, false, &result);
    atomic_store(&clock_ms, date + 2 * ROUND_LATE_MS);
    place->calls = UINT64_MAX;
    play(place, &plan, 1, true, &result);
    assert_true(result.reached);
    Course course = course_of(place);
    assert_int_equal(course.games, course.rounds * 64);
    play(place, &plan, 0, true, &result);
    check_audit(place, true);
}

/* A stop that somebody made up is found. */
static void test_a_stop_that_does_not_follow(void **state)
{
    Place *place = *state;
    CLEANUP(plan_done) Plan plan = {0};
    CLEANUP(contest_result_done) ContestResult result = {0};
    Journal *journal = NULL;
    const JournalStop early = {.stage = 0, .rounds = 1, .at_ms = START};

    make_plan(same, 0, &plan);
    place->calls = 1;
    play(place, &plan, 0, false, &result);
    assert_int_equal(journal_continue(place->dir, &journal, NULL), 0);
    assert_int_equal(journal_add_stop(journal, &early, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    place->calls = UINT64_MAX;
    play(place, &plan, 0, true, &result);
    check_audit(place, false);
}

/* ---- void sets ---- */

static void add_act(const Place *place, uint32_t stage, uint64_t set, const char *by, int64_t at_ms)
{
    Journal *journal = NULL;
    const OperatorAct act = {.kind = ACT_VOID,
                             .target = ACT_OF_SET,
                             .number = set,
                             .stage = stage,
                             .by = str_of(by),
                             .why = STR("x"),
                             .at_ms = at_ms};

    assert_int_equal(journal_continue(place->dir, &journal, NULL), 0);
    assert_int_equal(journal_add_act(journal, &act, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
}

static void add_stop(const Place *place, uint64_t rounds, int64_t date_ms, int64_t at_ms)
{
    Journal *journal = NULL;
    const JournalStop stop = {.rounds = rounds, .date_ms = date_ms, .at_ms = at_ms};

    assert_int_equal(journal_continue(place->dir, &journal, NULL), 0);
    assert_int_equal(journal_add_stop(journal, &stop, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
}

/* The journal without the lines that have the words; they go before the first line with the words
 * `before`, if there are any. */
static void edit_journal(const Place *place, const char *words, const char *before)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf moved = {0};
    CLEANUP(buf_done) Buf edited = {0};
    char path[80];
    size_t at;

    snprintf(path, sizeof(path), "%s/" JOURNAL_FILE, place->dir);
    assert_int_equal(log_file_read(path, 1 << 24, &text, NULL), 0);
    for (Str rest = buf_str(&text); rest.len;) {
        const Str line = str_cut(&rest, '\n');
        if (str_find(line, str_of(words), &at))
            buf_printf(&moved, "%.*s\n", STR_ARG(line));
    }
    assert_true(moved.len > 0);
    for (Str rest = buf_str(&text); rest.len;) {
        const Str line = str_cut(&rest, '\n');
        if (str_find(line, str_of(words), &at))
            continue;
        if (before && str_find(line, str_of(before), &at)) {
            buf_add(&edited, buf_str(&moved));
            before = NULL;
        }
        buf_printf(&edited, "%.*s\n", STR_ARG(line));
    }
    assert_int_equal(log_file_write(path, buf_str(&edited), NULL), 0);
}

static void check_audit_says(const Place *place, const char *words)
{
    const AuditSetup setup = {.dir = place->dir};
    AuditReport report = {0};
    Err err = {0};

    if (audit_run(&setup, &report, &err))
        fail_msg("%s", err.msg);
    if (report.steps[AUDIT_RANKING].state != AUDIT_CONTRADICTED ||
        !strstr(report.steps[AUDIT_RANKING].text, words))
        fail_msg("expected '%s', got %d '%s'", words, (int)report.steps[AUDIT_RANKING].state,
                 report.steps[AUDIT_RANKING].text);
}

static uint64_t fewest_games(const ContestResult *result)
{
    uint64_t fewest = UINT64_MAX;

    for (uint32_t i = 0; i < result->standings.count; i++)
        if (result->standings.agents[i].all.games < fewest)
            fewest = result->standings.agents[i].all.games;
    return fewest;
}

/* What is ruled void while the stage goes on is made up for, until everybody has min_games. */
static void test_a_void_set_is_made_up_for(void **state)
{
    Place *place = *state;
    CLEANUP(plan_done) Plan plan = {0};
    CLEANUP(contest_result_done) ContestResult result = {0};

    make_plan(same, 0, &plan);
    place->calls = 1;
    play(place, &plan, 1, false, &result);
    assert_false(result.reached);
    add_act(place, 0, 0, "organiser", START);
    place->calls = UINT64_MAX;
    play(place, &plan, 1, true, &result);
    assert_true(result.reached);
    assert_int_equal(fewest_games(&result), 3 * (10 + 30) - 2);
    assert_int_equal(result.standings.games, 3 * 64 - 2);
    play(place, &plan, 0, true, &result);
    assert_true(result.complete);
    check_audit(place, true);
}

/* Behind its end everybody knows the results: nothing more is played, and all stay ranked. */
static void test_a_void_set_behind_the_end_is_not(void **state)
{
    Place *place = *state;
    CLEANUP(plan_done) Plan plan = {0};
    CLEANUP(contest_result_done) ContestResult result = {0};

    make_plan(same, 0, &plan);
    play(place, &plan, 0, false, &result);
    assert_true(result.complete);
    const uint64_t games = result.standings.games;
    edit_journal(place, "\"record\":\"end\"", NULL); /* a site's comes later */
    add_act(place, 1, 0, "organiser", START);
    play(place, &plan, 0, true, &result);
    assert_true(result.complete);
    assert_int_equal(result.games_now, 0);
    assert_int_equal(result.standings.games, games - 2);
    assert_int_equal(standings_ranked(&result.standings), result.standings.count);
    check_audit(place, true);
    /* As if it had been ruled while the stage went on. */
    edit_journal(place, "\"record\":\"act\"", "\"record\":\"stop\",\"stage\":1");
    check_audit_says(place, "stage final: it stops behind 3 rounds, but min_games needs 4");
}

/* Plays until a date so that a further round counts (or came too late); when it was. */
static int64_t play_to_date(Place *place, Plan *plan, bool late, Course *ret_course)
{
    tick_ms = 40000;
    for (int64_t date = START + 2 * 3600000;; date += 900000) {
        CLEANUP(contest_result_done) ContestResult result = {0};
        assert_true(date < START + 10 * 3600000);
        atomic_store(&clock_ms, START);
        folder_remove(place->dir, NULL);
        make_plan(same, date, plan);
        play(place, plan, 1, false, &result);
        *ret_course = course_of(place);
        if (late ? ret_course->voids > 0 : ret_course->rounds > 2)
            return date;
        plan_done(plan);
    }
}

static void play_the_rest(Place *place, Plan *plan)
{
    CLEANUP(contest_result_done) ContestResult result = {0};

    play(place, plan, 0, true, &result);
    assert_true(result.complete);
}

/* A round whose results somebody did not like is not one that came too late. */
static void test_a_round_in_time_that_is_made_void(void **state)
{
    Place *place = *state;
    CLEANUP(plan_done) Plan plan = {0};
    Course course = {0};
    const int64_t date = play_to_date(place, &plan, false, &course);

    assert_int_equal(course.voids, 0);
    edit_journal(place, "\"record\":\"stop\"", NULL);
    edit_journal(place, "\"record\":\"note\",\"text\":\"cut ", NULL);
    for (uint64_t set = (course.rounds - 1) * 32; set < course.rounds * 32; set++)
        add_act(place, 0, set, "warg", date + 2 * ROUND_LATE_MS);
    add_stop(place, course.rounds - 1, date, date + 2 * ROUND_LATE_MS);
    play_the_rest(place, &plan);
    check_audit_says(place, "was over in time, and does not count");
}

/* Nor one that was given up while it could still come in time. */
static void test_a_round_that_is_given_up(void **state)
{
    Place *place = *state;
    CLEANUP(plan_done) Plan plan = {0};
    Course course = {0};
    const int64_t date = play_to_date(place, &plan, true, &course);

    edit_journal(place, "\"record\":\"stop\"", NULL);
    edit_journal(place, "\"record\":\"note\",\"text\":\"cut ", NULL);
    add_stop(place, course.rounds, date, date + 1000);
    play_the_rest(place, &plan);
    check_audit_says(place, "was given up before an hour behind the date was over");
}

#define ON_PLACE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_PLACE(test_without_a_date),
        ON_PLACE(test_until_a_date),
        ON_PLACE(test_results_have_no_say),
        ON_PLACE(test_gone_on_with),
        ON_PLACE(test_away_over_the_date),
        ON_PLACE(test_a_stop_that_does_not_follow),
        ON_PLACE(test_a_void_set_is_made_up_for),
        ON_PLACE(test_a_void_set_behind_the_end_is_not),
        ON_PLACE(test_a_round_in_time_that_is_made_void),
        ON_PLACE(test_a_round_that_is_given_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
