/* What an operator watches: the figures are true, have the form that Prometheus reads, are for who
 * runs the server alone, and tell nothing of anybody. */
#include "api_cup.h"

#include "site/notice.h"
#include "spool/spool_status.h"

static const Asker nobody = {.cookie = ""};

/* ---- reading it ---- */

static void look(const Host *host, Reply *answer)
{
    host_must(host, 200, "GET", "/metrics", &cup_admin, "", answer);
}

/* The value of a line, which stands there once; -1 = there is no such line. */
static long long value_of(const Reply *answer, const char *series)
{
    char start[120];

    snprintf(start, sizeof(start), "\n%s ", series);
    const char *line = strstr(buf_cstr(&answer->body), start);
    if (!line)
        return -1;
    line += strlen(start);
    assert_null(strstr(line, start));
    return strtoll(line, NULL, 10);
}

static void must_have(const Host *host, const char *series, long long wanted)
{
    CLEANUP(answer_done) Reply answer = {0};

    look(host, &answer);
    if (value_of(&answer, series) != wanted)
        fail_msg("%s is %lld, not %lld: %s", series, value_of(&answer, series), wanted,
                 buf_cstr(&answer.body));
}

/* The server looks each second. */
static void must_become(const Host *host, const char *series, long long wanted)
{
    CLEANUP(answer_done) Reply answer = {0};

    for (int i = 0; i < 600; i++) {
        look(host, &answer);
        if (value_of(&answer, series) == wanted)
            return;
        usleep(100000);
    }
    must_have(host, series, wanted);
}

static void must_do(const Host *host, const char *sql)
{
    Err err = {0};

    if (db_exec(host->db, sql, &err))
        fail_msg("%s: %s", sql, err.msg);
}

/* ---- its form ---- */

typedef struct Names {
    char list[100][80];
    size_t count;
} Names;

static bool is_name(const char *name)
{
    return strncmp(name, "warg_", 5) == 0 &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz_") == strlen(name);
}

/* "# HELP NAME Text." and "# TYPE NAME KIND", in this order, once a name. */
static const char *check_head(const char *line, Names *names)
{
    char name[80], typed[80], kind[16];
    int end = 0;

    if (sscanf(line, "# HELP %79s %*[^\n]\n# TYPE %79s %15[a-z]%n", name, typed, kind, &end) != 3 ||
        !end)
        fail_msg("no head: %.200s", line);
    assert_string_equal(name, typed);
    assert_true(is_name(name));
    const bool total = strlen(name) > 6 && strcmp(name + strlen(name) - 6, "_total") == 0;
    if (strcmp(kind, total ? "counter" : "gauge") != 0)
        fail_msg("%s is a %s", name, kind);
    for (size_t i = 0; i < names->count; i++)
        assert_string_not_equal(names->list[i], name);
    assert_true(names->count < 100);
    snprintf(names->list[names->count++], 80, "%s", name);
    assert_int_equal(line[end], '\n');
    return line + end + 1;
}

static void what_is_printed_is_what_prometheus_reads(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    Names *names = mem_new(sizeof(*names));

    host_start(host);
    look(host, &answer);
    assert_non_null(strstr(buf_cstr(&answer.head), "text/plain; version=0.0.4"));
    assert_int_equal(answer.body.bytes[answer.body.len - 1], '\n');
    for (const char *line = buf_cstr(&answer.body); *line;) {
        line = check_head(line, names);
        const char *name = names->list[names->count - 1];
        assert_int_equal(strncmp(line, name, strlen(name)), 0); /* it has a value */
        while (*line && *line != '#') {
            char label[20] = "", word[20] = "";
            long long value;
            int end = 0;
            assert_int_equal(strncmp(line, name, strlen(name)), 0);
            line += strlen(name);
            if (*line == '{') { /* words of ours: nobody's */
                assert_int_equal(sscanf(line, "{%19[a-z]=\"%19[a-z0-9._]\"}%n", label, word, &end),
                                 2);
                assert_true(strstr(" version state outcome cause ", label) != NULL);
                line += end;
            }
            assert_int_equal(sscanf(line, " %lld\n%n", &value, &end), 1);
            assert_true(value >= 0);
            line += end;
        }
    }
    assert_true(names->count > 30);
    mem_free(names);
    host_end(host);
}

/* ---- who may see it ---- */

static void give_role(const Host *host, int64_t account, int64_t contest, const char *role)
{
    Err err = {0};

    if (db_run(host->db, &err, "INSERT INTO role(account, contest, role) VALUES(?1, ?2, ?3)", "iit",
               account, contest, str_of(role)))
        fail_msg("%s", err.msg);
}

static void who_runs_the_server_sees_it_and_nobody_else(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char cookies[4][SECRET_TEXT_BYTES], tokens[2][SECRET_TEXT_BYTES];
    static const char *const paths[] = {"/metrics", "metrics"};
    Err err = {0};

    host_start(host);
    cup_make(host, "cup");
    const int64_t cup = host_number(host, "SELECT id FROM contest");
    host_account(host, "ann", cookies[0]);
    give_role(host, host_account(host, "org", cookies[1]), cup, "organiser");
    give_role(host, host_account(host, "judy", cookies[2]), cup, "judge");
    const int64_t admin = host_account(host, "root", cookies[3]);
    give_role(host, admin, ROLE_SERVER, "admin");
    for (int i = 0; i < 2; i++)
        assert_int_equal(
            api_token_make(
                host->db,
                &(ApiTokenSetup){admin, STR("t"),
                                 i ? SCOPE_ORGANISE : SCOPE_READ | SCOPE_SUBMIT | SCOPE_JUDGE, 0,
                                 INT64_MAX},
                tokens[i], &err),
            0);
    for (int i = 0; i < 2; i++) {
        host_must(host, 401, "GET", paths[i], &nobody, "", &answer);
        assert_null(strstr(buf_cstr(&answer.body), "warg_"));
        for (int k = 0; k < 3; k++)
            host_must(host, 403, "GET", paths[i], &(Asker){.cookie = cookies[k]}, "", &answer);
        host_must(host, 403, "GET", paths[i], &(Asker){.token = tokens[0]}, "", &answer);
        assert_null(strstr(buf_cstr(&answer.body), "warg_"));
        host_must(host, 200, "GET", paths[i], &(Asker){.cookie = cookies[3]}, "", &answer);
        host_must(host, 200, "GET", paths[i], &(Asker){.token = tokens[1]}, "", &answer);
        assert_non_null(strstr(buf_cstr(&answer.body), "warg_runner_up"));
    }
    host_end(host);
}

/* A site with everything that nobody is to learn, in each of its columns. */
static void it_tells_nothing_of_anybody(void **state)
{
    static const char *const hidden[] = {"quetzal", "xylophone", "ocelot",   "nahuatl",  "192.0.2.",
                                         "example", "VILLAGER",  "WEREWOLF", "zebrawood"};
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char cookie[SECRET_TEXT_BYTES];

    host_start(host);
    host_account(host, "quetzal", cookie);
    cup_make(host, "ocelot"); /* a draft */
    cup_make(host, "nahuatl");
    cup_open(host, "nahuatl");
    cup_team(host, "nahuatl", "xylophone", cookie);
    must_do(host,
            "INSERT INTO run(contest, stage, part, round, folder, games, counted) SELECT"
            " id, 'zebrawood', 0, 0, 'zebrawood', 7, 6 FROM contest WHERE name = 'nahuatl';"
            "INSERT INTO game(run, set_number, game, winner, counted, log) SELECT id, 1, 1,"
            " 'VILLAGER', 1, 'zebrawood' FROM run;"
            "INSERT INTO job(id, kind, spec, state, created, ended, result) VALUES('zebrawood',"
            " 'zebrawood', '{}', 'FAILED', 1, 2, '{\"why\":\"zebrawood\"}');"
            "INSERT INTO notice(channel, kind, body, due, tries, error) VALUES('mail', 'zebrawood',"
            " '{\"text\":\"zebrawood\"}', 1, 8, 'zebrawood')");
    look(host, &answer);
    assert_int_equal(value_of(&answer, "warg_games"), 7);
    assert_int_equal(value_of(&answer, "warg_teams"), 1);
    for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
        if (strstr(buf_cstr(&answer.body), hidden[i]))
            fail_msg("'%s' is told: %s", hidden[i], buf_cstr(&answer.body));
    host_end(host);
}

/* ---- whether it is true ---- */

static void jobs_are_counted_by_what_became_of_them(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char sql[300];

    host_start(host);
    must_have(host, "warg_jobs{state=\"waiting\"}", 0);
    must_have(host, "warg_jobs_oldest_waiting_seconds", 0);
    must_do(host, "INSERT INTO job(id, kind, spec, state, created, ended) VALUES"
                  " ('A', 'check', '{}', 'DONE', 1, 2), ('B', 'check', '{}', 'FAILED', 1, 2),"
                  " ('C', 'check', '{}', 'FAILED', 1, 2), ('D', 'check', '{}', 'STOPPED', 1, 2)");
    snprintf(sql, sizeof(sql),
             "INSERT INTO job(id, kind, spec, state, created) VALUES('E', 'check', '{}', 'PUT',"
             " %lld)",
             (long long)loop_date_ms() - 3600000);
    must_do(host, sql);
    look(host, &answer);
    assert_int_equal(value_of(&answer, "warg_jobs{state=\"waiting\"}"), 1);
    assert_int_equal(value_of(&answer, "warg_jobs{state=\"running\"}"), 0);
    assert_in_range(value_of(&answer, "warg_jobs_oldest_waiting_seconds"), 3600, 3600 + 600);
    assert_int_equal(value_of(&answer, "warg_jobs_ended_total{outcome=\"done\"}"), 1);
    assert_int_equal(value_of(&answer, "warg_jobs_ended_total{outcome=\"failed\"}"), 2);
    assert_int_equal(value_of(&answer, "warg_jobs_ended_total{outcome=\"stopped\"}"), 1);
    host_end(host);
}

static void a_runner_is_seen_and_missed(void **state)
{
    Host *host = *state;
    CLEANUP(spool_runner_done)
    SpoolRunner told = {
        .beat = 1,
        .tables = 3,
        .cells = {.started = 9, .ended = 7, .not_made = 1, .killed = 2, .failed = 3}};
    CLEANUP(answer_done) Reply answer = {0};
    int lock;

    host_start(host);
    must_have(host, "warg_runner_up", 0);
    must_have(host, "warg_runner_last_seen_timestamp_seconds", 0);
    must_do(host, "INSERT INTO job(id, kind, spec, state, created) VALUES('E', 'check', '{}',"
                  " 'PUT', 1)");
    assert_int_equal(spool_become_runner(host->data, &lock, NULL), 0);
    buf_add(&told.jobs, STR("[{\"job\":\"E\",\"kind\":\"check\"}]"));
    for (int i = 0; i < 600 && value_of(&answer, "warg_runner_up") != 1; i++) {
        told.beat++; /* a machine may be busy: who is silent for ten seconds is not up */
        assert_int_equal(spool_runner_tell(host->data, &told, 1700000000999, NULL), 0);
        usleep(100000);
        look(host, &answer);
    }
    assert_int_equal(value_of(&answer, "warg_runner_up"), 1);
    assert_int_equal(value_of(&answer, "warg_runner_last_seen_timestamp_seconds"), 1700000000);
    assert_int_equal(value_of(&answer, "warg_runner_tables"), 3);
    assert_int_equal(value_of(&answer, "warg_cells_running"), 2);
    assert_int_equal(value_of(&answer, "warg_cells_started_total"), 9);
    assert_int_equal(value_of(&answer, "warg_cells_died_total{cause=\"not_made\"}"), 1);
    assert_int_equal(value_of(&answer, "warg_cells_died_total{cause=\"killed\"}"), 2);
    assert_int_equal(value_of(&answer, "warg_cells_died_total{cause=\"program\"}"), 3);
    assert_int_equal(value_of(&answer, "warg_jobs{state=\"running\"}"), 1);
    assert_int_equal(value_of(&answer, "warg_jobs{state=\"waiting\"}"), 0);
    close(lock);
    must_become(host, "warg_runner_up", 0);
    must_have(host, "warg_runner_last_seen_timestamp_seconds", 1700000000);
    must_have(host, "warg_jobs{state=\"running\"}", 0);
    must_have(host, "warg_jobs{state=\"waiting\"}", 1);
    must_have(host, "warg_cells_running", 0);
    must_have(host, "warg_cells_started_total", 9);
    host_end(host);
}

static void a_disk_without_room_holds_uploads(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};

    host_start(host);
    look(host, &answer);
    const long long whole = value_of(&answer, "warg_disk_size_bytes");
    assert_true(whole > 0);
    assert_true(value_of(&answer, "warg_disk_free_bytes") > 0);
    assert_true(value_of(&answer, "warg_disk_free_bytes") <= whole);
    assert_int_equal(value_of(&answer, "warg_disk_reserve_bytes"), 0);
    assert_int_equal(value_of(&answer, "warg_uploads_held"), 0);
    assert_true(value_of(&answer, "warg_store_size_bytes") > 10000);
    host_end(host);
    host->setup.settings.disk_reserve_bytes = UINT64_C(1) << 62;
    host_start(host);
    must_have(host, "warg_uploads_held", 1);
    must_have(host, "warg_disk_reserve_bytes", 1LL << 62);
    host_end(host);
}

static void put_entry(const Host *host, int64_t n, const char *line)
{
    Err err = {0};

    if (db_run(host->db, &err,
               "INSERT INTO ledger(contest, n, leaf, line) SELECT id, ?1, ?2, ?3 FROM contest",
               "ibt", n, STR("x"), str_of(line)))
        fail_msg("%s", err.msg);
}

static void put_checkpoint(const Host *host, int64_t size, int64_t at_ms)
{
    Err err = {0};

    if (db_run(host->db, &err,
               "INSERT INTO checkpoint(contest, size, root, note, at) SELECT id, ?1, ?2, 'x', ?3"
               " FROM contest",
               "ibi", size, STR("x"), at_ms))
        fail_msg("%s", err.msg);
}

static void what_is_not_sent_and_not_signed_is_told(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char line[160], date[DATE_TEXT_ROOM];

    host->setup.mail_command = "/bin/false"; /* not tried before their date */
    host->setup.mail_from = "site@example.org";
    host_start(host);
    must_do(host, "INSERT INTO notice(channel, kind, body, due, tries, error) VALUES"
                  " ('mail', 'disk', '{}', 9000000000000, 0, NULL),"
                  " ('mail', 'disk', '{}', 9000000000000, 7, 'refused'),"
                  " ('mail', 'disk', '{}', 9000000000000, 8, 'refused'),"
                  " ('mail', 'disk', '{}', 1, 8, '" NOTICE_NO_MAIL "')");
    must_have(host, "warg_notices_waiting", 2);
    must_have(host, "warg_notices_given_up", 1);
    must_have(host, "warg_ledger_entries", 0);
    must_have(host, "warg_ledger_oldest_unsigned_seconds", 0);
    must_have(host, "warg_ledger_checkpoint_timestamp_seconds", 0);
    cup_make(host, "cup"); /* which signs nothing by itself: it has not begun */
    date_text_write(loop_date_ms() - 7200000, date);
    snprintf(line, sizeof(line), "{\"at\":\"%s\",\"n\":1}", date);
    put_entry(host, 0, "{\"n\":0}");
    put_entry(host, 1, line);
    put_checkpoint(host, 1, 1700000000999);
    look(host, &answer);
    assert_int_equal(value_of(&answer, "warg_ledger_entries"), 2);
    assert_int_equal(value_of(&answer, "warg_ledger_unsigned_entries"), 1);
    assert_in_range(value_of(&answer, "warg_ledger_oldest_unsigned_seconds"), 7199, 7200 + 600);
    assert_int_equal(value_of(&answer, "warg_ledger_checkpoint_timestamp_seconds"), 1700000000);
    put_checkpoint(host, 2, 1700000001999);
    must_have(host, "warg_ledger_unsigned_entries", 0);
    must_have(host, "warg_ledger_oldest_unsigned_seconds", 0);
    must_have(host, "warg_ledger_checkpoint_timestamp_seconds", 1700000001);
    host_end(host);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, host_set_up, host_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(what_is_printed_is_what_prometheus_reads),
        CASE(who_runs_the_server_sees_it_and_nobody_else),
        CASE(it_tells_nothing_of_anybody),
        CASE(jobs_are_counted_by_what_became_of_them),
        CASE(a_runner_is_seen_and_missed),
        CASE(a_disk_without_room_holds_uploads),
        CASE(what_is_not_sent_and_not_signed_is_told),
    };

    return HOST_RUN(tests, true);
}
