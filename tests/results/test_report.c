#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "results/html_check.h"
#include "results/report.h"
#include "results/results_sql.h"

#include <stdlib.h>
#include <unistd.h>

#define HOSTILE "<script>alert('x')</script>"
#define ESCAPED "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"

#define NO_FIGURE(name) name " INT AS (0)"

/* clang-format off */
static const char schema[] =
    "CREATE TABLE stage(stage INTEGER PRIMARY KEY, name TEXT);"
    "CREATE TABLE game(id INTEGER PRIMARY KEY, stage INTEGER, set_number INTEGER, game INTEGER,"
    " ended_ms INTEGER, winner TEXT, reason TEXT, last_day INTEGER, players INTEGER,"
    " revote_days INTEGER, execution_days INTEGER, attacks INTEGER, attack_kills INTEGER,"
    " log TEXT, division TEXT AS ('aiwolf'), name TEXT AS (''), began_ms INTEGER AS (0), counts "
    "INTEGER AS (1), void INTEGER AS (0), unowned INTEGER AS (0), UNIQUE(stage, game));"
    "CREATE TABLE seat(game_id INTEGER, seat INTEGER, agent TEXT, role TEXT, won INTEGER,"
    " points INTEGER, outside INTEGER, failed INTEGER, timeout INTEGER, disconnect INTEGER,"
    " malformed INTEGER, early INTEGER, violation INTEGER, excesses INTEGER, times TEXT,"
    " excused INTEGER, waited_ms INTEGER, name TEXT AS (agent), kind TEXT AS ('agent'), model TEXT "
    "AS (''),"
    " decisions INTEGER AS (0), own INTEGER AS (0)," RESULTS_FIGURES_OF(NO_FIGURE) ","
    " found_network INTEGER AS (points / 1000), found_write INTEGER AS (points % "
    "1000 / 100), found_process INTEGER AS (0), found_thread INTEGER AS (0), found_memory INTEGER "
    "AS (0), found_output INTEGER AS (0), found_name INTEGER AS (0),"
    " votes INTEGER AS (2), wolf_votes INTEGER AS (role <> 'WEREWOLF'), mate_votes INTEGER AS (0),"
    " wolf_day_votes INTEGER AS (1), hits INTEGER AS (won), executions INTEGER AS (1),"
    " wolf_executions INTEGER AS (won), first_executions INTEGER AS (1), wolf_first_executions"
    " INTEGER AS (won), survived INTEGER AS (won), true_claims INTEGER AS (role = 'SEER'),"
    " false_claims INTEGER AS (role = 'WEREWOLF'), PRIMARY KEY(game_id, seat)) "
    "WITHOUT ROWID;"
    "CREATE TABLE finding(stage INTEGER, line INTEGER, set_number INTEGER, game INTEGER, day "
    "INTEGER, seat INTEGER, agent TEXT, rule TEXT, at_ms INTEGER, text TEXT);"
    "CREATE TABLE decision(stage INTEGER, set_number INTEGER, agent TEXT, decisions INTEGER,"
    " own INTEGER, error TEXT, model TEXT, server TEXT, noted INTEGER AS (1)," RESULTS_FIGURES_OF(NO_FIGURE) ");"
    "CREATE TABLE ruling(stage INTEGER, agent TEXT, rule TEXT, decision TEXT, reason TEXT,"
    " at_ms INTEGER);"
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT);";
/* clang-format on */

/* Four games of three: the village wins the first two, the wolf the third, nobody the last. They
 * came to their end in another order than that of their numbers. */
static const char four_games[] =
    "INSERT INTO stage VALUES(0, NULL);"
    "INSERT INTO meta VALUES('complete', '1'), ('plan', '{\"seed\":18446744073709551615,"
    "\"rules\":{\"ruleset\":\"house <1>\"},\"stages\":[{\"games\":4},{\"games\":1}]}');"
    "INSERT INTO game VALUES"
    "(3, 0, 0, 0, 1767225601000, 'VILLAGER', 'win', 3, 3, 0, 0, 0, 0, 'logs/0.log.gz'),"
    "(1, 0, 0, 1, 1767225602000, 'VILLAGER', 'win', 2, 3, 0, 0, 0, 0, 'javascript:alert(1)'),"
    "(2, 0, 1, 2, 1767225603000, 'WEREWOLF', 'win', 4, 3, 0, 0, 0, 0, 'logs/../2.log'),"
    "(4, 0, 1, 3, 1767225604000, 'NONE', 'aborted', 1, 3, 0, 0, 0, 0, NULL);"
    "INSERT INTO seat VALUES"
    "(3, 1, 'alice', 'WEREWOLF', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, 0),"
    "(3, 2, 'bob', 'SEER', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, 0),"
    "(3, 3, ?1, 'VILLAGER', 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, '10..20 10:1 20:3', 0, 0),"
    "(1, 1, 'alice', 'SEER', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, 0),"
    "(1, 2, 'bob', 'WEREWOLF', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, 0),"
    "(1, 3, ?1, 'VILLAGER', 1, 0, 1, 0, 0, 0, 2, 0, 0, 0, '5..5 5:1', 0, 0),"
    "(2, 1, 'alice', 'WEREWOLF', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, 0),"
    "(2, 2, 'bob', 'SEER', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, 0),"
    "(2, 3, ?1, 'VILLAGER', 0, 0, 1, 1, 1, 0, 0, 0, 0, 7, NULL, 0, 0),"
    "(4, 1, 'alice', 'WEREWOLF', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, 0),"
    "(4, 2, 'bob', 'SEER', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, 0),"
    "(4, 3, ?1, 'VILLAGER', 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, '', 0, 0)";

/* ---- a database ---- */

typedef struct Fixture {
    char dir[32];
    char path[64];
    Db *db;
} Fixture;

static void run(Db *db, const char *sql, Str parameter)
{
    CLEANUP(db_query_freep) DbQuery *query = NULL;
    Err err = {0};

    if (db_query(db, sql, &query, &err))
        fail_msg("%s", err.msg);
    if (parameter.len)
        db_bind_text(query, 1, parameter);
    if (db_step(query, &err) < 0)
        fail_msg("%s", err.msg);
}

static int make(void **state)
{
    Fixture *fixture = test_calloc(1, sizeof(*fixture));
    Err err = {0};

    snprintf(fixture->dir, sizeof(fixture->dir), "warg-report-XXXXXX");
    assert_non_null(mkdtemp(fixture->dir));
    snprintf(fixture->path, sizeof(fixture->path), "%s/results.db", fixture->dir);
    if (db_open(fixture->path, true, &fixture->db, &err) || db_exec(fixture->db, schema, &err))
        fail_msg("%s", err.msg);
    *state = fixture;
    return 0;
}

static int clear(void **state)
{
    Fixture *fixture = *state;
    static const char *const ends[] = {"", "-wal", "-shm"};
    char path[80];

    db_close(fixture->db);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        snprintf(path, sizeof(path), "%s%s", fixture->path, ends[i]);
        unlink(path);
    }
    rmdir(fixture->dir);
    test_free(fixture);
    return 0;
}

/* The four games; each INSERT is a statement of its own. */
static void fill(Db *db)
{
    const char *seats = strstr(four_games, "INSERT INTO seat");
    char before[2048];

    assert_non_null(seats);
    snprintf(before, sizeof(before), "%.*s", (int)(seats - four_games), four_games);
    assert_int_equal(db_exec(db, before, NULL), 0);
    run(db, seats, STR(HOSTILE));
}

static void read_all(Db *db, ReportData *data)
{
    Err err = {0};

    if (report_data_read_all(db, data, &err))
        fail_msg("%s", err.msg);
}

static void write_page(const ReportData *data, ReportLanguage language, Buf *ret_page)
{
    Err err = {0};
    ReportOptions options = {language, {0}, true, NULL, NULL};

    if (report_write(data, &options, ret_page, &err))
        fail_msg("%s", err.msg);
    assert_html_balanced(buf_str(ret_page));
    assert_null(strstr(buf_cstr(ret_page), "nan"));
}

/* The part of a page between id="`id"` and the end of its section. */
static Str section(const Buf *page, const char *id)
{
    char begin[80];

    snprintf(begin, sizeof(begin), "<section id=\"%s\"", id);
    const char *at = strstr(buf_cstr(page), begin);
    if (!at)
        fail_msg("no section %s", id);
    const char *end = strstr(at, "</section>");
    assert_non_null(end);
    return (Str){at, (size_t)(end - at)};
}

static bool has(Str text, const char *part)
{
    const char *at = strstr(text.bytes, part); /* a part of a page, which is terminated */

    return at && at + strlen(part) <= text.bytes + text.len;
}

static void holds(Str text, const char *part)
{
    if (!has(text, part))
        fail_msg("expected '%s' in:\n%.*s", part, STR_ARG(str_part(text, 0, 900)));
}

/* ---- figures ---- */

static const ReportScore *score_of(const ReportData *data, const ReportScore *scores,
                                   uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(data->agents[scores[i].agent].name, name) == 0)
            return &scores[i];
    fail_msg("no score of %s", name);
    abort(); /* fail_msg does not return, which compilers can't know */
}

static void is_tally(Tally tally, uint64_t wins, uint64_t games)
{
    assert_int_equal(tally.wins, wins);
    assert_int_equal(tally.games, games);
}

static void scores_are_added_up_by_role_and_side(void **state)
{
    const Fixture *fixture = *state;
    CLEANUP(report_data_done) ReportData data = {0};
    CLEANUP(mem_freep) ReportScore *scores = NULL;
    uint32_t count = 0;

    fill(fixture->db);
    read_all(fixture->db, &data);
    assert_int_equal(report_scores(&data, false, &scores, &count, NULL), 0);
    assert_int_equal(count, 3);
    /* The same rate and games: by name, '<' before 'a'. */
    assert_string_equal(data.agents[scores[0].agent].name, HOSTILE);
    assert_string_equal(data.agents[scores[1].agent].name, "alice");
    const ReportScore *alice = score_of(&data, scores, count, "alice");
    is_tally(alice->all, 2, 4);
    is_tally(alice->roles[ROLE_WEREWOLF], 1, 3);
    is_tally(alice->sides[SIDE_VILLAGER], 1, 1);
    is_tally(score_of(&data, scores, count, "bob")->all, 1, 4);
}

static void games_with_a_failed_seat_can_be_left_out(void **state)
{
    const Fixture *fixture = *state;
    CLEANUP(report_data_done) ReportData data = {0};
    CLEANUP(mem_freep) ReportScore *scores = NULL;
    uint32_t count = 0;

    fill(fixture->db);
    read_all(fixture->db, &data);
    assert_int_equal(data.failed_games, 1);
    assert_int_equal(data.mark_count, 2);
    assert_int_equal(report_scores(&data, true, &scores, &count, NULL), 0);
    is_tally(score_of(&data, scores, count, "alice")->all, 1, 3);
    is_tally(score_of(&data, scores, count, HOSTILE)->all, 2, 3);
}

static void head_to_head_counts_opposite_sides_of_decided_games(void **state)
{
    const Fixture *fixture = *state;
    CLEANUP(report_data_done) ReportData data = {0};
    CLEANUP(mem_freep) Tally *cells = NULL;
    uint32_t agents[3] = {0};

    fill(fixture->db);
    read_all(fixture->db, &data);
    for (uint32_t i = 0; i < data.agent_count; i++)
        agents[data.agents[i].name[0] == 'a' ? 0 : data.agents[i].name[0] == 'b' ? 1 : 2] = i;
    assert_int_equal(report_versus(&data, agents, 3, &cells, NULL), 0);
    is_tally(cells[0 * 3 + 1], 2, 3); /* alice against bob */
    is_tally(cells[1 * 3 + 0], 1, 3);
    is_tally(cells[0 * 3 + 2], 1, 2); /* not the game in which both were of the village */
    is_tally(cells[1 * 3 + 2], 0, 1);
    is_tally(cells[0], 0, 0);
}

static void the_seed_is_told_when_all_was_played(void **state)
{
    const Fixture *fixture = *state;
    CLEANUP(report_data_done) ReportData before = {0};
    CLEANUP(report_data_done) ReportData after = {0};

    fill(fixture->db);
    read_all(fixture->db, &after);
    assert_true(after.plan.complete);
    assert_string_equal(after.plan.seed, "18446744073709551615");
    assert_string_equal(after.plan.rules, "house <1>");
    assert_int_equal(after.plan.games, 5);
    assert_int_equal(
        db_exec(fixture->db, "UPDATE meta SET value = '0' WHERE key = 'complete'", NULL), 0);
    read_all(fixture->db, &before);
    assert_string_equal(before.plan.seed, "");
    assert_string_equal(before.plan.commitment, after.plan.commitment);
    assert_int_equal(strlen(after.plan.commitment), 64);
}

/* ---- the page ---- */

static void every_section_has_its_figures(void **state)
{
    const Fixture *fixture = *state;
    CLEANUP(report_data_done) ReportData data = {0};
    CLEANUP(buf_done) Buf page = {0};

    fill(fixture->db);
    read_all(fixture->db, &data);
    write_page(&data, REPORT_ENGLISH, &page);

    Str summary = section(&page, "summary");
    holds(summary, "<dd>house &lt;1&gt;</dd>");
    holds(summary, "18446744073709551615");
    holds(summary, "complete (4 of 5)");
    holds(summary, "2026-01-01 00:00:01 UTC");
    holds(summary, "<dd>50.0\xC2\xA0%<small>15.0\xC2\xA0\xE2\x80\x93\xC2\xA0"
                   "85.0\xC2\xA0%</small></dd>");
    holds(summary, "<dd>2.50</dd>"); /* mean last day */

    Str standings = section(&page, "standings");
    holds(standings, "<bdi>alice</bdi></th><td class=\"n\">4</td><td class=\"n\">2</td>"
                     "<td class=\"n\">50.0\xC2\xA0%</td><td class=\"n\">15.0");
    holds(standings, "In 1 of 4 games a substitute");
    holds(standings, "<bdi>alice</bdi></th><td class=\"n\">50.0\xC2\xA0%</td>"
                     "<td class=\"n\">33.3\xC2\xA0%</td>");
    holds(section(&page, "roles"), "33.3\xC2\xA0% <small>of 3</small>");
    holds(section(&page, "roles"),
          "<th scope=\"col\" class=\"n\">Overall (Macro)</th>"
          "<th scope=\"col\" class=\"n\">Mean over roles (Micro)</th>"
          "<th scope=\"col\" class=\"n\">Weighted by roles (Weighted Micro)</th>");
    /* A werewolf's 1 of 3 and a seer's 1 of 1; there are as many seats of each role. */
    holds(section(&page, "roles"), "<bdi>alice</bdi></th><td class=\"n\">50.0\xC2\xA0%</td>"
                                   "<td class=\"n\">66.7\xC2\xA0%</td>"
                                   "<td class=\"n\">66.7\xC2\xA0%</td></tr>");
    holds(section(&page, "versus"), "alice \xE2\x80\x93 bob: 66.7\xC2\xA0% (2 / 3)");
    assert_true(has(section(&page, "time"), "<polyline"));

    /* A vote of two for a wolf in the one game that alice played in the village; alive in 2 of 4.
     */
    Str measures = section(&page, "measures");
    holds(measures, "<bdi>alice</bdi></th><td class=\"n\">50.0\xC2\xA0%<br/><small>9.5\xC2\xA0");
    holds(measures,
          "<td class=\"n\">\xE2\x80\x93</td><td class=\"n\">50.0\xC2\xA0%<br/><small>15.0");

    Str faults = section(&page, "faults");
    holds(faults, "<bdi>" ESCAPED "</bdi></th><td class=\"n\">4</td><td class=\"n\">1</td>"
                  "<td class=\"n\">1</td><td class=\"n\">0</td><td class=\"n\">2</td>"
                  "<td class=\"n\">0</td><td class=\"n\">0</td><td class=\"n\">7</td>");
    holds(faults, "<bdi>" ESCAPED "</bdi></th><td class=\"n\">5</td>"); /* answers */
    assert_false(has(faults, "alice"));

    Str games = section(&page, "games");
    holds(games, "<span class=\"warn\">seat 3 failed</span>, <bdi>" ESCAPED "</bdi>: Timeout");
    holds(games, "<td>aborted</td>");
}

/* The games of the fixture in two stages: two of a preliminary, two of a final. */
static void the_last_stage_leads_and_none_are_mixed(void **state)
{
    const Fixture *fixture = *state;
    CLEANUP(report_data_done) ReportData data = {0};
    CLEANUP(buf_done) Buf page = {0};

    fill(fixture->db);
    run(fixture->db, "INSERT INTO stage VALUES(1, 'final')", (Str){0});
    run(fixture->db, "UPDATE stage SET name = 'first' WHERE stage = 0", (Str){0});
    run(fixture->db, "UPDATE game SET stage = 1 WHERE game >= 2", (Str){0});
    read_all(fixture->db, &data);
    assert_int_equal(data.game_count, 2);
    assert_int_equal(data.before->game_count, 2);
    assert_null(data.before->before);
    write_page(&data, REPORT_ENGLISH, &page);

    Str summary = section(&page, "summary");
    holds(summary, "Summary \xC2\xB7 Stage final</h2>");
    holds(summary, "<dt>Games</dt><dd>2</dd>");
    holds(summary, "complete (4 of 5)");
    Str standings = section(&page, "standings");
    holds(standings, "<bdi>alice</bdi></th><td class=\"n\">2</td><td class=\"n\">1</td>");
    holds(section(&page, "games"), "<th scope=\"row\" class=\"n\">3</th>");
    assert_false(has(section(&page, "games"), "<th scope=\"row\" class=\"n\">1</th>"));
    Str first = section(&page, "stage-0");
    holds(first, "Stage first</h2>");
    holds(first, "<bdi>alice</bdi></th><td class=\"n\">2</td><td class=\"n\">1</td>");
    holds(first, "<th scope=\"row\" class=\"n\">1</th>");
    assert_null(strstr(buf_cstr(&page), "<bdi>alice</bdi></th><td class=\"n\">4</td>"));
    holds(buf_str(&page), "<li><a href=\"#stage-0\">Stage first</a></li>");
    holds(buf_str(&page), "<p class=\"sub\">Stage final \xC2\xB7 ");
}

static void who_never_played_has_no_rank_on_the_page(void **state)
{
    const Fixture *fixture = *state;
    CLEANUP(report_data_done) ReportData data = {0};
    CLEANUP(buf_done) Buf page = {0};

    fill(fixture->db);
    run(fixture->db, "UPDATE seat SET failed = 1, disconnect = 1 WHERE agent = 'alice'", (Str){0});
    read_all(fixture->db, &data);
    write_page(&data, REPORT_ENGLISH, &page);
    Str standings = section(&page, "standings");
    holds(standings, "<td class=\"n\">\xE2\x80\x93</td><th scope=\"row\"><bdi>alice</bdi>");
    holds(standings, "<th scope=\"col\" class=\"n\">Substituted</th>");
    holds(standings, "alice is not ranked: it never played a game of its own.");
    /* A strength would be that of its substitutes. */
    const char *alice = strstr(standings.bytes, "<bdi>alice</bdi></th>");
    const char *end = strstr(alice, "</tr>");
    holds((Str){alice, (size_t)(end - alice)},
          "</td><td class=\"n\">\xE2\x80\x93</td><td class=\"n\">4</td>");
    holds(standings, "<td class=\"n\">1</td><th scope=\"row\"><bdi>" ESCAPED);
    holds(standings, "<td class=\"n\">2</td><th scope=\"row\"><bdi>bob");
}

static void the_share_of_a_models_own_decisions_stands_on_the_page(void **state)
{
    const Fixture *fixture = *state;
    CLEANUP(report_data_done) ReportData data = {0};
    CLEANUP(buf_done) Buf page = {0};

    fill(fixture->db);
    run(fixture->db,
        "INSERT INTO decision VALUES"
        "(0, 0, 'alice', 30, 10, 'HTTP 503 <busy>', 'small<er>', 'http://[::1]:8080/v1'),"
        "(0, 1, 'alice', 10, 10, '', '', ''), (0, 0, 'bob', 5, 0, '', '', '')",
        (Str){0});
    read_all(fixture->db, &data);
    write_page(&data, REPORT_ENGLISH, &page);
    Str standings = section(&page, "standings");
    holds(standings, ">Own decisions</th>");
    holds(standings, "<td class=\"n\">50.0\xC2\xA0%</td></tr>");
    holds(standings,
          "Only 20 of 40 decisions of alice were its model\xE2\x80\x99s own; a rule took "
          "the others. The last error of its server: HTTP 503 &lt;busy&gt;");
    holds(standings, "alice is the model small&lt;er&gt; at http://[::1]:8080/v1.");
    holds(standings, "bob is not ranked: no decision was its model\xE2\x80\x99s own.");
}

static void hostile_text_stays_text(void **state)
{
    const Fixture *fixture = *state;
    CLEANUP(report_data_done) ReportData data = {0};
    CLEANUP(buf_done) Buf page = {0};
    ReportOptions options = {REPORT_ENGLISH, STR("</title><script>"), true, NULL, NULL};

    fill(fixture->db);
    run(fixture->db, "UPDATE stage SET name = ?1", STR(HOSTILE));
    read_all(fixture->db, &data);
    assert_int_equal(report_write(&data, &options, &page, NULL), 0);
    assert_html_balanced(buf_str(&page));
    assert_null(strstr(buf_cstr(&page), "<script"));
    assert_null(strstr(buf_cstr(&page), "href=\"javascript"));
    assert_null(strstr(buf_cstr(&page), "href=\"logs/.."));
    assert_non_null(strstr(buf_cstr(&page), "<a href=\"logs/0.log.gz\">0.log.gz</a>"));
    assert_non_null(strstr(buf_cstr(&page), "<h1>&lt;/title&gt;&lt;script&gt;</h1>"));
    assert_non_null(strstr(buf_cstr(&page), "default-src &#39;none&#39;"));
}

/* Letters A-Z and a-z in `text`, without tags and references. */
static bool has_letters(Str text)
{
    while (text.len) {
        char c = text.bytes[0];
        if (c == '<')
            str_cut(&text, '>');
        else if (c == '&')
            str_cut(&text, ';');
        else if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))
            return true;
        else
            text = str_part(text, 1, text.len);
    }
    return false;
}

static void no_english_in(const Buf *page, const char *open, const char *close)
{
    for (const char *at = buf_cstr(page); (at = strstr(at, open)) != NULL;) {
        const char *end = strstr(at, close);
        assert_non_null(end);
        Str element = {at, (size_t)(end - at)};
        if (has_letters(element))
            fail_msg("English is left: %.*s", STR_ARG(element));
        at = end;
    }
}

/* Seven times the network in one game, twice a file in another. */
static void what_programs_were_found_at_stands_on_the_page_with_its_first_lines(void **state)
{
    const Fixture *fixture = *state;
    CLEANUP(report_data_done) ReportData data = {0};
    CLEANUP(buf_done) Buf page = {0};
    CLEANUP(buf_done) Buf japanese = {0};
    static const char found[] =
        "UPDATE seat SET points = 7000 WHERE game_id = 3 AND seat = 3;"
        "UPDATE seat SET points = 200 WHERE game_id = 1 AND seat = 3;"
        "INSERT INTO meta VALUES('cell', 'namespaces (memory <v1>)');"
        "INSERT INTO finding VALUES(0, 9, 0, NULL, 0, 3, ?1, 'write', 5, '<b>memo</b>'),"
        "(0, 1, 0, 0, 2, 3, ?1, 'network', 5, 'connect 8.8.8.8:53'),"
        "(0, 2, 0, 0, 3, 3, ?1, 'network', 6, 'connect 8.8.4.4:53'),"
        "(0, 3, 7, 9, 1, 1, 'nobody', 'network', 7, 'of a game that is not over')";

    fill(fixture->db);
    for (Str rest = str_of(found); rest.len;) {
        CLEANUP(buf_done) Buf one = {0};
        buf_add(&one, str_cut(&rest, ';'));
        run(fixture->db, buf_cstr(&one), strstr(buf_cstr(&one), "?1") ? STR(HOSTILE) : STR(""));
    }
    read_all(fixture->db, &data);
    assert_int_equal(data.finding_count, 3);
    write_page(&data, REPORT_ENGLISH, &page);
    holds(buf_str(&page), "<dd>namespaces (memory &lt;v1&gt;)</dd>");
    holds(buf_str(&page), "<td class=\"n\">7</td><td class=\"n\">2</td><td class=\"n\">0</td>");
    holds(buf_str(&page), "<li>line 1, set 0, game 0, day 2: <code>connect 8.8.8.8:53</code></li>\n"
                          "<li>line 2, set 0, game 0, day 3: <code>connect 8.8.4.4:53</code></li>");
    holds(buf_str(&page),
          "<li>line 9, set 0, behind its games: <code>&lt;b&gt;memo&lt;/b&gt;</code></li>");
    assert_null(strstr(buf_cstr(&page), "not over"));
    write_page(&data, REPORT_JAPANESE, &japanese);
    no_english_in(&japanese, "<h3", "</h3>");
    no_english_in(&japanese, "<th scope=\"col\"", "</th>");
    no_english_in(&japanese, "<dt", "</dt>");
    holds(buf_str(&japanese), "<li>1 行目、セット 0、ゲーム 0、2 日目: <code>");
}

static void a_japanese_page_has_no_english_headings(void **state)
{
    const Fixture *fixture = *state;
    CLEANUP(report_data_done) ReportData data = {0};
    CLEANUP(buf_done) Buf page = {0};

    fill(fixture->db);
    read_all(fixture->db, &data);
    write_page(&data, REPORT_JAPANESE, &page);
    holds(buf_str(&page), "<html lang=\"ja\">");
    holds(buf_str(&page), "<title>対戦結果</title>");
    no_english_in(&page, "<h1", "</h1>");
    no_english_in(&page, "<h2", "</h2>");
    no_english_in(&page, "<h3", "</h3>");
    no_english_in(&page, "<th scope=\"col\"", "</th>");
    no_english_in(&page, "<dt", "</dt>");
    no_english_in(&page, "<p class=\"note\"", "</p>");
    no_english_in(&page, "<desc", "</desc>");
    no_english_in(&page, "<li><a", "</li>");
}

static void both_languages_have_every_word(void **state)
{
    (void)state;
    for (ReportWord word = 0; word < REPORT_WORDS; word++)
        for (ReportLanguage language = 0; language < REPORT_LANGUAGES; language++)
            if (!report_word(language, word) || !report_word(language, word)[0])
                fail_msg("word %d is missing in language %d", (int)word, (int)language);
}

static void results_without_games_make_a_page(void **state)
{
    const Fixture *fixture = *state;
    CLEANUP(report_data_done) ReportData data = {0};
    CLEANUP(buf_done) Buf page = {0};

    read_all(fixture->db, &data);
    write_page(&data, REPORT_ENGLISH, &page);
    holds(section(&page, "games"), "No game has been played yet.");
    holds(section(&page, "versus"), "no two agents");
}

static void the_same_results_give_the_same_bytes(void **state)
{
    const Fixture *fixture = *state;
    CLEANUP(report_data_done) ReportData data = {0};
    CLEANUP(buf_done) Buf one = {0};
    CLEANUP(buf_done) Buf two = {0};

    fill(fixture->db);
    read_all(fixture->db, &data);
    write_page(&data, REPORT_ENGLISH, &one);
    write_page(&data, REPORT_ENGLISH, &two);
    assert_true(str_eq(buf_str(&one), buf_str(&two)));
}

/* `count` games of two agents; every 1000th has a fault between them. */
static void fill_many(Db *db, unsigned count)
{
    char sql[512];

    snprintf(sql, sizeof(sql),
             "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < %u)"
             " INSERT INTO game SELECT i + 1, 0, i / 100, i, 1000 * (i + 1), 'VILLAGER', 'win', 2,"
             " 2, 0, 0, 0, 0, NULL FROM n",
             count);
    run(db, sql, (Str){0});
    run(db,
        "INSERT INTO seat SELECT id, 1, 'alice', 'VILLAGER', 1, 0, 1, id % 1000 = 0,"
        " id % 1000 = 0, 0, 0, 0, 0, 0, NULL, 0, 0 FROM game",
        (Str){0});
    run(db,
        "INSERT INTO seat SELECT id, 2, 'bob', 'WEREWOLF', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, 0"
        " FROM game",
        (Str){0});
}

static void of_many_games_the_ends_and_the_marked_ones_are_listed(void **state)
{
    const Fixture *fixture = *state;
    CLEANUP(report_data_done) ReportData data = {0};
    CLEANUP(buf_done) Buf page = {0};

    fill_many(fixture->db, 3500);
    read_all(fixture->db, &data);
    write_page(&data, REPORT_ENGLISH, &page);
    Str games = section(&page, "games");
    holds(games, "Of 3,500 games these are the first and the last 500, and 3 between them");
    holds(games, "<th scope=\"row\" class=\"n\">499</th>");
    holds(games, ">499 games left out<"); /* 500..998 */
    holds(games, "<th scope=\"row\" class=\"n\">999</th>");
    holds(games, ">999 games left out<");
    holds(games, "<th scope=\"row\" class=\"n\">3499</th>");
    assert_false(has(games, "<th scope=\"row\" class=\"n\">500</th>"));
}

static void values_that_no_journal_holds_are_refused(void **state)
{
    static const char *const damages[] = {
        "UPDATE seat SET role = 'NOBODY' WHERE game_id = 2 AND seat = 2",
        "DELETE FROM seat WHERE game_id = 2 AND seat = 2",
        "UPDATE seat SET times = 'soon' WHERE game_id = 1 AND seat = 3",
        "UPDATE seat SET agent = '' WHERE game_id = 1",
        "UPDATE seat SET agent = printf('%0100d', 1) WHERE game_id = 1",
        "DELETE FROM game WHERE id = 2",
    };
    const Fixture *fixture = *state;

    fill(fixture->db);
    for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
        CLEANUP(report_data_done) ReportData data = {0};
        Err err = {0};
        assert_int_equal(db_exec(fixture->db, damages[i], NULL), 0);
        int rc = report_data_read_all(fixture->db, &data, &err);
        if (rc != ERR_SYNTAX && rc != ERR_LIMIT)
            fail_msg("%s: %d %s", damages[i], rc, err.msg);
        assert_int_equal(db_exec(fixture->db,
                                 "DELETE FROM seat; DELETE FROM game;"
                                 "DELETE FROM stage; DELETE FROM meta",
                                 NULL),
                         0);
        fill(fixture->db);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(scores_are_added_up_by_role_and_side, make, clear),
        cmocka_unit_test_setup_teardown(games_with_a_failed_seat_can_be_left_out, make, clear),
        cmocka_unit_test_setup_teardown(head_to_head_counts_opposite_sides_of_decided_games, make,
                                        clear),
        cmocka_unit_test_setup_teardown(the_seed_is_told_when_all_was_played, make, clear),
        cmocka_unit_test_setup_teardown(every_section_has_its_figures, make, clear),
        cmocka_unit_test_setup_teardown(the_last_stage_leads_and_none_are_mixed, make, clear),
        cmocka_unit_test_setup_teardown(who_never_played_has_no_rank_on_the_page, make, clear),
        cmocka_unit_test_setup_teardown(the_share_of_a_models_own_decisions_stands_on_the_page,
                                        make, clear),
        cmocka_unit_test_setup_teardown(hostile_text_stays_text, make, clear),
        cmocka_unit_test_setup_teardown(
            what_programs_were_found_at_stands_on_the_page_with_its_first_lines, make, clear),
        cmocka_unit_test_setup_teardown(a_japanese_page_has_no_english_headings, make, clear),
        cmocka_unit_test(both_languages_have_every_word),
        cmocka_unit_test_setup_teardown(results_without_games_make_a_page, make, clear),
        cmocka_unit_test_setup_teardown(the_same_results_give_the_same_bytes, make, clear),
        cmocka_unit_test_setup_teardown(of_many_games_the_ends_and_the_marked_ones_are_listed, make,
                                        clear),
        cmocka_unit_test_setup_teardown(values_that_no_journal_holds_are_refused, make, clear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
