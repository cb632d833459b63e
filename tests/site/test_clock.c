#include "site_places.h"

#include "base/date_text.h"
#include "disk/log_file.h"
#include "site/account.h"
#include "site/clock.h"
#include "site/team.h"
#include "site/version.h"
#include "store/db_row.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HOUR INT64_C(3600000)
#define DAY  (24 * HOUR)

static const char cup_text[] =
    "contest: %s\n"
    "dates: {opens: 2027-04-01 09:00, submission_closes: 2027-07-21 24:00, preliminary: "
    "2027-07-25,\n"
    "        preliminary_stops: 2027-08-04 24:00, revision_closes: 2027-08-18 24:00,"
    " final_stops: 2027-09-01, appeals_close: 2027-09-08, retention_ends: 2029-01-01}\n"
    "stages:\n"
    "  - {name: preliminary, players: 5, advance: 5}\n"
    "  - {name: final, players: 5, require: [source]}\n"
    "%s";

static int64_t utc(const char *text)
{
    const TimeZone none = {0};
    int64_t ms = 0;

    assert_true(time_zone_moment(&none, str_of(text), &ms));
    return ms;
}

static int64_t make_cup(Db *db, const char *name, const char *more)
{
    const ContestActor by = {.now_ms = utc("2027-01-01")};
    CLEANUP(buf_done) Buf text = {0};
    int64_t id = 0;
    Err err = {0};

    buf_printf(&text, cup_text, name, more); // NOLINT: the test's own pattern
    if (contest_make(db, buf_str(&text), "", &by, &id, &err))
        fail_msg("%s", err.msg);
    return id;
}

/* Teams with a version that passed. */
static void add_teams(Db *db, int64_t contest, int count)
{
    for (int i = 0; i < count; i++) {
        CLEANUP(buf_done) Buf sql = {0};
        buf_printf(
            &sql,
            "INSERT INTO account(login, mail, language, created) VALUES('p%lld-%d',"
            " 'p%d@example.org', 'en', 1);"
            "INSERT INTO team(contest, name, state, created) VALUES(%lld, 'team%c', 'IN', 1);"
            "INSERT INTO member(team, account, captain) SELECT max(team.id), max(account.id), 1"
            " FROM team, account;"
            "INSERT INTO version(team, number, language, tree, state, at) SELECT max(id), 1,"
            " 'python', '%064d', 'ACTIVE', 1 FROM team",
            (long long)contest, i, i, (long long)contest, 'a' + i, i);
        Err err = {0};
        if (db_exec(db, buf_cstr(&sql), &err))
            fail_msg("%s", err.msg);
    }
}

/* Stages are over when their stop is; everything else is as it is. */
static int facts_of_season(void *user, const Contest *contest, const SiteRules *rules,
                           int64_t now_ms, LifeFacts *ret_facts, Err *err)
{
    Db *db = user;

    (void)err;
    *ret_facts = (LifeFacts){
        .file_good = true,
        .teams_ready = (uint32_t)site_number(
            db, "SELECT count(*) FROM version WHERE state IN ('PASSED', 'ACTIVE')"),
        .teams_needed = 5,
        .lots_settled = true,
        .runner_alive = true,
        .cell_met = true,
        .stage_over = now_ms >= (contest->state == LIFE_PRELIMINARY ? rules->preliminary_stops_ms
                                                                    : rules->final_stops_ms),
        .bundle_proven = true,
    };
    return 0;
}

static SiteClock *make_clock(Db *db, SiteLedger *ledger, const SitePlace *place)
{
    const ClockSetup setup = {.db = db,
                              .data = place->folder,
                              .folder = "",
                              .host = STR("contest.example.org"),
                              .ledger = ledger,
                              .facts = facts_of_season,
                              .facts_user = db};
    SiteClock *clock = NULL;

    assert_int_equal(site_clock_new(&setup, &clock, NULL), 0);
    return clock;
}

static void tick(SiteClock *clock, int64_t now_ms)
{
    Err err = {0};

    if (site_clock_tick(clock, now_ms, &err))
        fail_msg("%s", err.msg);
}

static LifeState state_of(Db *db, int64_t id)
{
    CLEANUP(contest_done) Contest contest = {0};

    assert_int_equal(contest_get(db, id, &contest, NULL), 0);
    return contest.state;
}

/* From the draft to the archive, an hour a tick; each state begins at its date. */
static void a_season_goes_by_its_dates(void **state)
{
    static const struct {
        LifeState state;
        const char *date;
    } expected[] = {
        {LIFE_OPEN, "2027-04-01 09:00"},  {LIFE_FROZEN, "2027-07-22"},
        {LIFE_PRELIMINARY, "2027-07-25"}, {LIFE_REVISION, "2027-08-05"},
        {LIFE_FINAL, "2027-08-19"},       {LIFE_APPEALS, "2027-09-01"},
        {LIFE_PUBLISHED, "2027-09-08"},   {LIFE_ARCHIVED, "2029-01-01"},
    };
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t id = make_cup(db, "cup", "");
    CLEANUP(site_clock_freep) SiteClock *clock = make_clock(db, NULL, *state);
    size_t at = 0;

    add_teams(db, id, 6);
    for (int64_t now = utc("2027-03-30"); now <= utc("2029-01-02"); now += 3 * HOUR) {
        const LifeState before = state_of(db, id);
        tick(clock, now);
        const LifeState after = state_of(db, id);
        if (after == before)
            continue;
        assert_int_equal(after, expected[at].state);
        assert_true(now == utc(expected[at].date));
        at++;
    }
    assert_int_equal(at, sizeof(expected) / sizeof(expected[0]));
    assert_int_equal(site_number(db, "SELECT count(*) FROM event WHERE verb = 'move'"), 8);
}

/* What a sleeping server has missed comes in order, at once. */
static void overdue_dates_fire_in_order(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t id = make_cup(db, "cup", "");
    CLEANUP(site_clock_freep) SiteClock *clock = make_clock(db, NULL, *state);
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    static const char *const moves[] = {
        "DRAFT > OPEN",     "OPEN > FROZEN",   "FROZEN > PRELIMINARY", "PRELIMINARY > REVISION",
        "REVISION > FINAL", "FINAL > APPEALS", "APPEALS > PUBLISHED"};

    add_teams(db, id, 6);
    tick(clock, utc("2028-01-01"));
    assert_int_equal(state_of(db, id), LIFE_PUBLISHED);
    assert_int_equal(
        db_query(db, "SELECT detail FROM event WHERE verb = 'move' ORDER BY id", &query, NULL), 0);
    for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
        assert_int_equal(db_step(query, NULL), 1);
        assert_true(str_eq(db_text(query, 0), str_of(moves[i])));
    }
    assert_int_equal(db_step(query, NULL), 0);
}

static void a_clock_that_is_set_back_fires_nothing_twice(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t id = make_cup(db, "cup", "");
    CLEANUP(site_clock_freep) SiteClock *clock = make_clock(db, NULL, *state);

    add_teams(db, id, 6);
    tick(clock, utc("2027-04-02"));
    tick(clock, utc("2027-07-21 12:00"));
    const int64_t events = site_number(db, "SELECT count(*) FROM event"),
                  notices = site_number(db, "SELECT count(*) FROM notice"),
                  entries = site_number(db, "SELECT count(*) FROM ledger");
    assert_true(notices > 0 && entries > 0);
    tick(clock, utc("2027-03-01"));
    tick(clock, utc("2027-04-02"));
    tick(clock, utc("2027-07-21 12:30"));
    assert_int_equal(state_of(db, id), LIFE_OPEN);
    assert_true(site_number(db, "SELECT count(*) FROM event") == events);
    assert_true(site_number(db, "SELECT count(*) FROM notice") == notices);
    assert_true(site_number(db, "SELECT count(*) FROM ledger") == entries);
}

/* 7 days, 1 day, 1 hour before; a server that was asleep tells of the nearest only. */
static void deadlines_are_told_three_times(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t id = make_cup(db, "cup", "");
    CLEANUP(site_clock_freep) SiteClock *clock = make_clock(db, NULL, *state);
    const char *const sql =
        "SELECT count(*) FROM notice WHERE kind = 'deadline' AND channel = 'mail'";

    add_teams(db, id, 1);
    for (int64_t now = utc("2027-04-01 09:00"); now < utc("2027-07-21 23:59"); now += HOUR / 2)
        tick(clock, now);
    assert_true(site_number(db, sql) == 3);
    int64_t late = make_cup(db, "late", "");
    add_teams(db, late, 1);
    tick(clock, utc("2027-07-21 23:59"));
    assert_true(site_number(db, sql) == 4);
}

static void a_guard_is_told_once_and_holds(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t id = make_cup(db, "cup", "");
    CLEANUP(site_clock_freep) SiteClock *clock = make_clock(db, NULL, *state);
    CLEANUP(contest_done) Contest contest = {0};
    CLEANUP(buf_done) Buf sentence = {0};
    LifeStep step;

    add_teams(db, id, 3);
    assert_int_equal(db_exec(db,
                             "INSERT INTO account(login, created) VALUES('org', 1);"
                             "INSERT INTO role(account, contest, role) SELECT max(id), 0, 'admin'"
                             " FROM account",
                             NULL),
                     0);
    for (int64_t now = utc("2027-04-02"); now < utc("2027-07-27"); now += 6 * HOUR)
        tick(clock, now);
    assert_int_equal(state_of(db, id), LIFE_FROZEN);
    assert_int_equal(site_number(db, "SELECT count(*) FROM notice WHERE kind = 'waits'"), 1);
    assert_int_equal(contest_get(db, id, &contest, NULL), 0);
    assert_int_equal(site_clock_look(clock, &contest, utc("2027-07-27"), &step, NULL, NULL), 0);
    life_sentence(&step, utc("2027-07-27"), false, &sentence);
    assert_string_equal(buf_cstr(&sentence),
                        "2 more teams with a version that passed are needed for a table");
}

static void an_organiser_asks_and_goes_back_with_a_reason(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t id = make_cup(db, "cup", "");
    CLEANUP(site_clock_freep) SiteClock *clock = make_clock(db, NULL, *state);
    ContestActor by = {.now_ms = utc("2027-02-01")};
    LifeStep step;
    Err err = {0};

    add_teams(db, id, 4);
    assert_int_equal(site_clock_ask(clock, id, LIFE_FROZEN, &by, &step, &err), ERR_RULE);
    assert_int_equal(site_clock_ask(clock, id, LIFE_OPEN, &by, &step, NULL), 0);
    assert_int_equal(state_of(db, id), LIFE_OPEN);
    assert_int_equal(site_clock_ask(clock, id, LIFE_FROZEN, &by, &step, NULL), 0);
    assert_int_equal(site_clock_ask(clock, id, LIFE_PRELIMINARY, &by, &step, NULL), 0);
    assert_int_equal(step.why, LIFE_FEW_TEAMS); /* asked for, and it comes as soon as it can */
    assert_int_equal(state_of(db, id), LIFE_FROZEN);
    err = (Err){0};
    assert_int_equal(site_clock_ask(clock, id, LIFE_OPEN, &by, &step, &err), ERR_RULE);
    assert_string_equal(err.msg, "reason: say why; it is published");
    by.reason = STR("the upload was down");
    assert_int_equal(site_clock_ask(clock, id, LIFE_OPEN, &by, &step, NULL), 0);
    assert_int_equal(state_of(db, id), LIFE_OPEN);
    assert_int_equal(site_clock_ask(clock, id, LIFE_FROZEN, &by, &step, NULL), 0);
    add_teams(db, id, 0);
    assert_int_equal(site_clock_ask(clock, id, LIFE_PRELIMINARY, &by, &step, NULL), 0);
    add_teams(db, make_cup(db, "other", ""), 2); /* facts of this test count all versions */
    tick(clock, utc("2027-02-02"));
    assert_int_equal(state_of(db, id), LIFE_PRELIMINARY);
    by.reason = STR("nobody wants to");
    assert_int_equal(site_clock_ask(clock, id, LIFE_CANCELLED, &by, &step, NULL), 0);
    assert_int_equal(state_of(db, id), LIFE_CANCELLED);
    tick(clock, utc("2029-01-02"));
    assert_int_equal(state_of(db, id), LIFE_CANCELLED);
}

/* A date that is over does not lead on again, and may become a later one. */
static void back_behind_a_date_holds_the_contest_until_there_is_another(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t id = make_cup(db, "cup", "");
    CLEANUP(site_clock_freep) SiteClock *clock = make_clock(db, NULL, *state);
    ContestActor by = {.now_ms = utc("2027-07-22"), .reason = STR("the upload was down")};
    const ContestDate opens = {STR("opens"), STR("2027-07-23 09:00")},
                      closes = {STR("submission_closes"), STR("2027-07-24 24:00")};
    CLEANUP(buf_done) Buf sentence = {0};
    LifeStep step;
    Err err = {0};

    tick(clock, utc("2027-04-02"));
    tick(clock, utc("2027-07-22"));
    assert_int_equal(state_of(db, id), LIFE_FROZEN);
    assert_int_equal(contest_amend_dates(db, id, &closes, 1, "", &by, &err), ERR_RULE);
    assert_string_equal(err.msg, "dates: submission_closes is over");
    assert_int_equal(site_clock_ask(clock, id, LIFE_OPEN, &by, &step, NULL), 0);
    assert_int_equal(step.why, LIFE_HELD);
    life_sentence(&step, by.now_ms, false, &sentence);
    assert_non_null(strstr(buf_cstr(&sentence), "set a later date (amend)"));
    assert_non_null(strstr(buf_cstr(&sentence), "is over: submission_closes"));
    tick(clock, utc("2027-07-23"));
    assert_int_equal(state_of(db, id), LIFE_OPEN);
    assert_int_equal(site_number(db, "SELECT paused FROM contest"), 1);
    by.reason = (Str){0};
    err = (Err){0};
    assert_int_equal(contest_amend_dates(db, id, &closes, 1, "", &by, &err), ERR_RULE);
    assert_non_null(strstr(err.msg, "reason: say why submission_closes changes"));
    by.reason = STR("a week more");
    assert_int_equal(contest_amend_dates(db, id, &closes, 1, "", &by, NULL), 0);
    err = (Err){0};
    assert_int_equal(contest_amend_dates(db, id, &opens, 1, "", &by, &err), ERR_RULE);
    assert_string_equal(err.msg, "dates: opens is over"); /* where it led to is behind it */
    assert_int_equal(contest_set_paused(db, id, false, &by, NULL), 0);
    tick(clock, utc("2027-07-24"));
    assert_int_equal(state_of(db, id), LIFE_OPEN);
    tick(clock, utc("2027-07-25"));
    assert_int_equal(state_of(db, id), LIFE_FROZEN);
}

static void a_paused_contest_goes_nowhere(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t id = make_cup(db, "cup", "");
    CLEANUP(site_clock_freep) SiteClock *clock = make_clock(db, NULL, *state);
    const ContestActor by = {.now_ms = utc("2027-04-02"), .reason = STR("a flood")};
    const ContestActor later = {.now_ms = utc("2027-08-01")};

    add_teams(db, id, 6);
    tick(clock, utc("2027-04-02"));
    assert_int_equal(contest_set_paused(db, id, true, &by, NULL), 0);
    tick(clock, utc("2027-08-01"));
    assert_int_equal(state_of(db, id), LIFE_OPEN);
    assert_int_equal(contest_set_paused(db, id, false, &later, NULL), 0);
    tick(clock, utc("2027-08-01"));
    assert_int_equal(state_of(db, id), LIFE_PRELIMINARY);
    assert_int_equal(
        site_number(db, "SELECT count(*) FROM ledger WHERE line LIKE '%\"ms\":10454400000%'"), 1);
}

/* What is wrong with one holds up no other. */
static void two_contests_are_apart(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t bad = make_cup(db, "bad", ""), good = make_cup(db, "good", "");
    CLEANUP(site_clock_freep) SiteClock *clock = make_clock(db, NULL, *state);
    Err err = {0};

    add_teams(db, good, 6);
    assert_int_equal(db_exec(db, "UPDATE contest SET state = 'LOST' WHERE name = 'bad'", NULL), 0);
    assert_int_equal(site_clock_tick(clock, utc("2027-04-02"), &err), ERR_SYNTAX);
    assert_int_equal(
        db_exec(db,
                "UPDATE contest SET state = 'DRAFT', file = '{', digest = 'x' WHERE name = 'bad'",
                NULL),
        0);
    err = (Err){0};
    if (site_clock_tick(clock, utc("2027-04-02"), &err))
        fail_msg("%s", err.msg);
    assert_int_equal(state_of(db, bad), LIFE_DRAFT);
    assert_int_equal(state_of(db, good), LIFE_OPEN);
    assert_int_equal(site_number(db, "SELECT count(*) FROM ledger WHERE contest = 1"), 0);
    assert_int_equal(site_number(db, "SELECT count(DISTINCT contest) FROM ledger"), 1);
    assert_int_equal(site_number(db, "SELECT count(*) FROM notice WHERE contest = 1 AND team > 0"),
                     0);
}

/* ---- O3 ---- */

static void play_season(const SitePlace *place)
{
    Db *db = NULL;
    SiteLedger *ledger = NULL;
    SiteClock *clock = NULL;
    Err err = {0};

    if (site_store_open(place->path, &db, &err) ||
        site_ledger_open(db, place->folder, &ledger, &err)) {
        fprintf(stderr, "%s\n", err.msg);
        _exit(2);
    }
    clock = make_clock(db, ledger, place);
    for (int64_t now = utc("2027-03-31"); now <= utc("2027-09-10"); now += 12 * HOUR)
        if (site_clock_tick(clock, now, &err)) {
            fprintf(stderr, "%s\n", err.msg);
            _exit(3);
        }
    if (site_ledger_close(ledger, db, utc("2027-09-10"), &err))
        _exit(4);
    site_clock_free(clock);
    db_close(db);
}

/* In a process of its own, which the kernel kills after so long; 0: it may come to its end. True
 * when it did. */
static bool season_in_process(const SitePlace *place, int64_t kill_us)
{
    pid_t child = fork();
    int status = 0;

    assert_true(child >= 0);
    if (child == 0) {
        struct sigevent how = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
        const struct itimerspec when = {
            .it_value = {.tv_sec = kill_us / 1000000, .tv_nsec = kill_us % 1000000 * 1000}};
        timer_t timer;
        if (kill_us &&
            (timer_create(CLOCK_MONOTONIC, &how, &timer) || timer_settime(timer, 0, &when, NULL)))
            _exit(5);
        play_season(place);
        _exit(0);
    }
    assert_true(waitpid(child, &status, 0) == child);
    if (WIFEXITED(status) && WEXITSTATUS(status))
        fail_msg("the season ended with %d", WEXITSTATUS(status));
    return WIFEXITED(status);
}

/* What must be the same, whatever has happened on the way: but for secrets, keys and what follows
 * from them. */
static void add_rows(Db *db, const char *sql, Buf *out)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;

    assert_int_equal(db_query(db, sql, &query, NULL), 0);
    while (db_step(query, NULL) == 1) {
        buf_add(out, db_text(query, 0));
        buf_add_char(out, '\n');
    }
}

static void describe_end(const SitePlace *place, Buf *out)
{
    Db *db = NULL;
    SiteLedger *ledger = NULL;
    Err err = {0};

    if (site_store_open(place->path, &db, &err) ||
        site_ledger_open(db, place->folder, &ledger, &err))
        fail_msg("%s", err.msg);
    add_rows(db, "SELECT state || changed FROM contest", out);
    add_rows(db, "SELECT name || state FROM team ORDER BY id", out);
    add_rows(db, "SELECT verb || detail || at FROM event ORDER BY id", out);
    add_rows(db, "SELECT channel || kind || body || due FROM notice ORDER BY id", out);
    add_rows(db,
             "SELECT substr(line, instr(line, '\"at\":'), 25) || CASE WHEN line LIKE"
             " '%\"type\":\"contest\"%' OR line LIKE '%\"type\":\"commit\"%' OR line LIKE"
             " '%\"type\":\"reveal\"%' THEN '' ELSE line END FROM ledger ORDER BY n",
             out);
    assert_int_equal(site_ledger_close(ledger, db, utc("2027-09-10"), &err), 0);
    db_close(db);
}

static void begin_season(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    int64_t id = make_cup(db, "cup", "");

    add_teams(db, id, 6);
    assert_int_equal(db_exec(db, "DELETE FROM version WHERE team = 6", NULL), 0);
}

static int64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* WARG_LONG=1: 200 moments; else 8. */
static void a_season_that_is_killed_at_any_moment_ends_the_same(void **state)
{
    const int moments = getenv("WARG_LONG") ? 200 : 8;
    SitePlace *place = *state;
    CLEANUP(buf_done) Buf expected = {0};
    int killed = 0;

    begin_season(state);
    const int64_t began = now_us();
    assert_true(season_in_process(place, 0));
    const int64_t whole_us = now_us() - began;
    describe_end(place, &expected);
    for (int moment = 1; moment <= moments; moment++) {
        CLEANUP(buf_done) Buf end = {0};
        assert_int_equal(site_place_tear_down(state), 0);
        assert_int_equal(site_place_set_up(state), 0);
        begin_season(state);
        for (int again = 0; again < 3; again++)
            killed += !season_in_process(place, 1 + whole_us * moment / moments / (again + 1));
        assert_true(season_in_process(place, 0));
        describe_end(place, &end);
        if (!str_eq(buf_str(&end), buf_str(&expected)))
            fail_msg("moment %d of %d: it ended as\n%s\nand not as\n%s", moment, moments,
                     buf_cstr(&end), buf_cstr(&expected));
    }
    assert_true(killed > moments); /* they have been killed indeed */
}

/* More than one turn takes is taken by the next, not an hour later. */
static void addresses_are_cut_however_many_there_are(void **state)
{
    CLEANUP(db_closep) Db *db = site_place_open(state);
    CLEANUP(site_clock_freep) SiteClock *clock = make_clock(db, NULL, *state);
    const int64_t begin = INT64_C(1800000000000), month = begin + INT64_C(31) * 86400000;
    const char *const full = "SELECT count(*) FROM event WHERE address = '192.0.2.7'";

    assert_int_equal(
        db_run(db, NULL,
               "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500) "
               "INSERT INTO event(contest, address, verb, at) SELECT 0, '192.0.2.7', 'login', ?1 "
               "FROM n",
               "i", begin),
        0);
    tick(clock, begin);
    assert_int_equal(site_number(db, full), 2500);
    for (int i = 0; i < 3; i++)
        tick(clock, month + i * 1000);
    assert_int_equal(site_number(db, full), 0);
    assert_int_equal(site_number(db, "SELECT count(*) FROM event WHERE address = '192.0.2.0'"),
                     2500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BOTH(addresses_are_cut_however_many_there_are),
        ON_SQLITE(a_season_goes_by_its_dates),
        ON_BOTH(overdue_dates_fire_in_order),
        ON_BOTH(a_clock_that_is_set_back_fires_nothing_twice),
        ON_SQLITE(deadlines_are_told_three_times),
        ON_BOTH(a_guard_is_told_once_and_holds),
        ON_BOTH(an_organiser_asks_and_goes_back_with_a_reason),
        ON_BOTH(back_behind_a_date_holds_the_contest_until_there_is_another),
        ON_BOTH(a_paused_contest_goes_nowhere),
        ON_BOTH(two_contests_are_apart),
        ON_SQLITE(a_season_that_is_killed_at_any_moment_ends_the_same),
    };

    return cmocka_run_group_tests(tests, site_server_set_up, site_server_tear_down);
}
