#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/date_text.h"
#include "contest/contest_file.h"
#include "site/contest_rules.h"

/* The example of the specification. */
static const char whole[] =
    "contest: cup2027\n"
    "title: {en: \"AIWolf Cup 2027\", ja: \"人狼知能大会 2027\"}\n"
    "division: protocol\n"
    "dates: {zone: UTC, opens: 2027-04-01 09:00, submission_closes: 2027-07-21 24:00,"
    " preliminary: 2027-07-22, preliminary_stops: 2027-08-04 24:00,\n"
    "        revision_closes: 2027-08-18 24:00, final_stops: 2027-09-01, appeals_close: "
    "2027-09-08}\n"
    "register: {approve: true, members: 7, fields: [affiliation, contact], public: [affiliation]}\n"
    "submit: {languages: [java, python], file_bytes: 268435456, tree_bytes: 1GiB, entries: 20000,"
    " versions_per_day: 10, keep: 20}\n"
    "runtimes: {java: {lib: platform/java}, dotnet: {starter: platform/starter.dll}, python:"
    " {wheels: platform/wheels}}\n"
    "cell: {memory: 1GiB, threads: 64, files: 256, writable: 0, output: 1MiB}\n"
    "check: {games: 20, name: refuse}\n"
    "testing: {at: [\"19:00\",\"03:00\",\"11:00\"], parts: [{players: 5, sets_each: 1}, {players: "
    "15,"
    " sets_each: 2}], fill: sample, on_error: suspend}\n"
    "stages:\n"
    "  - {name: preliminary, parts: [{players: 5}, {players: 15}], min_games: 1000, advance: 15, "
    "tie:"
    " extra}\n"
    "  - {name: final, parts: [{players: 5}, {players: 15}], min_games: 10000, require: [source,"
    " description]}\n"
    "conduct: {strikes: 3, confirm: true, late: {after: 20, action: strike}, sentence: strike, "
    "crash:"
    " strike, network: strike, write: strike, process: strike, thread: note}\n"
    "publish: {logs: own, live: games, sources: final, delay_games: 3}\n";

static const char *date_text(int64_t ms, char room[static DATE_TEXT_ROOM])
{
    date_text_write(ms, room);
    return room;
}

static void the_example_of_the_specification_is_read(void **state)
{
    CLEANUP(contest_rules_done) SiteRules rules = {0};
    char room[DATE_TEXT_ROOM];
    LifePlan life;
    Err err = {0};

    (void)state;
    if (contest_rules_read(str_of(whole), "site", &rules, &err))
        fail_msg("%u:%u %s", err.line, err.column, err.msg);
    assert_int_equal(contest_rules_check(&rules, &err), 0);
    assert_int_equal(contest_rules_find_runtimes(&rules, &err), ERR_RULE);
    assert_non_null(strstr(err.msg, "runtimes.java.lib: 'site/platform/java' can't be read"));
    assert_string_equal(rules.name, "cup2027");
    assert_string_equal(rules.title[1], "人狼知能大会 2027");
    contest_rules_life(&rules, &life);
    assert_true(life.preliminary && !life.judges);
    assert_string_equal(date_text(life.dates[DATE_SUBMISSION_CLOSES], room),
                        "2027-07-22T00:00:00.000Z");
    assert_string_equal(date_text(rules.final_stops_ms, room), "2027-09-01T00:00:00.000Z");
    assert_true(life.dates[DATE_JUDGING_CLOSES] == LIFE_NO_DATE);
    assert_true(rules.registration.approve && rules.registration.members == 7);
    assert_true(rules.registration.field_public[0] && !rules.registration.field_public[1]);
    assert_int_equal(rules.submit.languages, 1u << SUBMIT_JAVA | 1u << SUBMIT_PYTHON);
    assert_true(rules.submit.tree_bytes == INT64_C(1) << 30);
    assert_string_equal(rules.runtimes.java_lib, "site/platform/java");
    assert_int_equal(rules.check.refuse_name, 1);
    assert_int_equal(rules.testing.at[0], 180);
    assert_int_equal(rules.testing.at[2], 1140);
    assert_int_equal(rules.testing.parts[1].sets_each, 2);
    assert_int_equal(plan_stage_parts(&rules.plan.stages[0]), 2);
    assert_int_equal(rules.plan.stages[1].more_players[0], 15);
    assert_int_equal(rules.require[0], 0);
    assert_int_equal(rules.require[1], REQUIRE_SOURCE | REQUIRE_DESCRIPTION);
    assert_int_equal(rules.publish.live, LIVE_GAMES);
    assert_int_equal(contest_rules_teams_needed(&rules), 5);
    assert_int_equal(rules.plan.cell.level, CELL_STRICT);
}

/* What `warg run` plays of it is what it plays of the same file without the site's keys. */
static void the_sites_keys_change_no_plan(void **state)
{
    static const char today[] =
        "contest: a\nstages:\n  - {name: one, players: [5, 15], sets: 30}\n";
    static const char site[] =
        "contest: a\ndivision: protocol\ndates: {opens: 2027-04-01}\n"
        "stages:\n  - {name: one, parts: [{players: 5}, {players: 15}], sets:"
        " 30, require: [source]}\n";
    CLEANUP(plan_done) Plan first = {0};
    CLEANUP(plan_done) Plan second = {0};
    CLEANUP(buf_done) Buf a = {0};
    CLEANUP(buf_done) Buf b = {0};

    (void)state;
    assert_int_equal(plan_init(&first, NULL) | plan_init(&second, NULL), 0);
    assert_int_equal(contest_text_load(str_of(today), NULL, &first, NULL), 0);
    assert_int_equal(contest_text_load(str_of(site), NULL, &second, NULL), 0);
    plan_json(&first, &a);
    plan_json(&second, &b);
    assert_string_equal(buf_cstr(&a), buf_cstr(&b));
}

static void assert_refused(const char *text, unsigned line, unsigned column, const char *said)
{
    CLEANUP(contest_rules_done) SiteRules rules = {0};
    Err err = {0};

    if (contest_rules_read(str_of(text), NULL, &rules, &err) == 0)
        fail_msg("taken: %s", text);
    assert_string_equal(err.msg, said);
    assert_int_equal(err.line, line);
    assert_int_equal(err.column, column);
}

static void what_is_wrong_is_told_with_its_place(void **state)
{
    (void)state;
    assert_refused("contest: cup\npublsh: {logs: own}\n", 2, 1,
                   "unknown key 'publsh': did you mean 'publish'?");
    assert_refused("contest: cup\npublish: {logz: own}\n", 2, 11,
                   "unknown key 'logz': did you mean 'logs'?");
    assert_refused("contest: cup\npublish: {logs: onw}\n", 2, 17,
                   "key 'publish.logs': 'onw' is none of own, all, none; did you mean 'own'?");
    assert_refused("contest: Cup\n", 1, 10,
                   "contest: 2 to 32 small letters, digits and '-', the first a letter or digit");
    assert_refused("contest: api\n", 1, 10, "contest: 'api' is a page of the site");
    assert_refused("title: x\n", 1, 1, "`contest` is missing: the contest's name");
    assert_refused("contest: cup\ndates: {opens: 2027-04-01, submission_closes: 2027-03-01}\n", 2,
                   47, "submission_closes is before opens");
    assert_refused("contest: cup\ndates: {opens: soon}\n", 2, 16,
                   "key 'opens': expected a date such as 2027-07-21, 2027-07-21 09:00 or 2027-07-21"
                   " 24:00, but got 'soon'");
    assert_refused("contest: cup\ndates: {open: 2027-04-01}\n", 2, 9,
                   "unknown key 'open': did you mean 'opens'?");
    assert_refused("contest: cup\ndates: {zone: ../../../etc/passwd}\n", 2, 15,
                   "key 'zone': expected a time zone such as Asia/Tokyo or UTC, but got"
                   " '../../../etc/passwd'");
    assert_refused("contest: cup\ntesting: {at: [\"3:00\"]}\n", 2, 16,
                   "expected a time of the day in quotes, such as \"03:00\", but got '3:00'");
    assert_refused("contest: cup\nstages: [{name: a, require: [sources]}]\n", 2, 30,
                   "key 'require': 'sources' is none of source, description; did you mean"
                   " 'source'?");
}

static void a_track_has_its_file_and_windows_do_not_overlap(void **state)
{
    static const char text[] =
        "contest: nlp27\ndivision: nlp\n"
        "tracks:\n  - {name: turn5, config: nlp/turn5.yml, matches_per_team: [75, 100]}\n"
        "  - {name: any, config: /etc/any.yml}\n"
        "windows: [{track: turn5, from: 2027-08-03 10:00, to: 2027-08-05 10:00}, {track: any, from:"
        " 2027-08-05 10:00, to: 2027-08-06}]\n"
        "evaluation: {criteria: [A, F], sheets: 12, llm: {repeats: 2, min_tau: 0.3, models:"
        " [demo]}}\n";
    CLEANUP(contest_rules_done) SiteRules rules = {0};
    LifePlan life;
    Err err = {0};

    (void)state;
    if (contest_rules_read(str_of(text), "site", &rules, &err))
        fail_msg("%u:%u %s", err.line, err.column, err.msg);
    assert_string_equal(rules.tracks[0].config, "site/nlp/turn5.yml");
    assert_string_equal(rules.tracks[1].config, "/etc/any.yml");
    assert_int_equal(rules.tracks[0].matches_max, 100);
    assert_int_equal(rules.windows[1].track, 1);
    assert_true(rules.evaluation.criteria[0] && rules.evaluation.criteria[5]);
    assert_false(rules.evaluation.criteria[1]);
    assert_int_equal(rules.evaluation.min_tau_permille, 300);
    contest_rules_life(&rules, &life);
    assert_true(life.judges && !life.preliminary);
    assert_refused("contest: cup\ntracks: [{name: a, config: b}]\n"
                   "windows: [{track: a, from: 2027-08-03, to: 2027-08-05}, {track: a, from: "
                   "2027-08-04, to: 2027-08-06}]\n",
                   3, 57, "the window overlaps with another one");
}

static void a_date_is_changed_and_nothing_else(void **state)
{
    CLEANUP(contest_rules_done) SiteRules rules = {0};
    CLEANUP(buf_done) Buf out = {0};
    CLEANUP(buf_done) Buf more = {0};
    CLEANUP(buf_done) Buf keys = {0};
    char room[DATE_TEXT_ROOM];
    Err err = {0};

    (void)state;
    assert_int_equal(contest_rules_set_date(str_of(whole), STR("appeals_close"),
                                            STR("2027-10-01 12:00"), &out, &err),
                     0);
    assert_int_equal(contest_rules_set_date(buf_str(&out), STR("retention_ends"), STR("2029-01-01"),
                                            &more, &err),
                     0);
    if (contest_rules_read(buf_str(&more), "", &rules, &err))
        fail_msg("%s", err.msg);
    assert_string_equal(date_text(rules.dates[DATE_APPEALS_CLOSE], room),
                        "2027-10-01T12:00:00.000Z");
    assert_string_equal(date_text(rules.dates[DATE_RETENTION_ENDS], room),
                        "2029-01-01T00:00:00.000Z");
    assert_int_equal(contest_rules_differ(str_of(whole), buf_str(&more), &keys, &err), 0);
    assert_string_equal(buf_cstr(&keys), "");
    assert_int_equal(
        contest_rules_set_date(str_of(whole), STR("opened"), STR("2029-01-01"), &more, &err),
        ERR_RULE);
    err = (Err){0};
    assert_int_equal(
        contest_rules_set_date(str_of(whole), STR("opens"), STR("1\nrules: x"), &more, &err),
        ERR_RULE);
}

static void what_differs_is_named(void **state)
{
    CLEANUP(buf_done) Buf keys = {0};

    (void)state;
    assert_int_equal(contest_rules_differ(STR("contest: a\ntitle: x\nchecks: 1\n"),
                                          STR("title: y\ncontest: a\nsubmit: {keep: 2}\n"), &keys,
                                          NULL),
                     0);
    assert_string_equal(buf_cstr(&keys), "checks submit");
}

static void testing_has_its_times_of_the_day(void **state)
{
    CLEANUP(contest_rules_done) SiteRules rules = {0};
    int64_t now = 0;
    char room[DATE_TEXT_ROOM];

    (void)state;
    assert_int_equal(contest_rules_read(str_of(whole), "", &rules, NULL), 0);
    assert_true(date_text_read(STR("2027-04-05T02:59:59.000Z"), &now));
    assert_string_equal(date_text(contest_rules_testing_moment(&rules, now), room),
                        "2027-04-04T19:00:00.000Z");
    assert_string_equal(date_text(contest_rules_testing_moment(&rules, now + 1000), room),
                        "2027-04-05T03:00:00.000Z");
    assert_string_equal(date_text(contest_rules_testing_moment(&rules, now + 86399999), room),
                        "2027-04-05T19:00:00.000Z");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_specification_is_read),
        cmocka_unit_test(the_sites_keys_change_no_plan),
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(a_track_has_its_file_and_windows_do_not_overlap),
        cmocka_unit_test(a_date_is_changed_and_nothing_else),
        cmocka_unit_test(what_differs_is_named),
        cmocka_unit_test(testing_has_its_times_of_the_day),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
