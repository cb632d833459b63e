/* Contests and teams over the API: made, opened, joined; what an organiser does; games and their
 * files. */
#include "api_cup.h"

#include "base/date_text.h"
#include "disk/file_replace.h"
#include "disk/folder.h"

static const Asker nobody = {.cookie = ""};

static void a_contest_is_made_seen_opened_and_amended(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};

    host_start(host);
    host_must(host, 422, "POST", "contests", &cup_admin,
              "{\"text\":\"contest: cup\\nstagse: 1\\n\"}", &answer);
    assert_non_null(strstr(buf_cstr(&answer.body), "line 2"));
    assert_non_null(strstr(buf_cstr(&answer.body), "stages"));
    cup_make(host, "cup");
    host_must(host, 404, "GET", "contests/cup", &nobody, "", &answer); /* a draft */
    host_must(host, 200, "GET", "contests", &nobody, "", &answer);
    assert_string_equal(buf_cstr(&answer.body), "{\"items\":[]}");
    cup_open(host, "cup");
    host_must(host, 200, "GET", "contests", &nobody, "", &answer);
    assert_int_equal(json_count(json_get(answer.json, "items")), 1);
    host_must(host, 200, "GET", "contests/cup", &nobody, "", &answer);
    assert_non_null(strstr(buf_cstr(&answer.body), "\"ja\":\"杯\""));
    assert_null(strstr(buf_cstr(&answer.body), "min_games: 10")); /* the file is organisers' */
    host_must(host, 200, "GET", "contests/cup/standings", &nobody, "", &answer);
    host_must(host, 200, "GET", "contests/cup/teams", &nobody, "", &answer);
    host_must(host, 200, "GET", "contests/cup/ledger", &nobody, "", &answer);
    assert_non_null(strstr(buf_cstr(&answer.body), "\"type\":\"commit\""));
    for (int i = 0; i < 200 && answer.status != 404 + 1; i++) {
        host_ask(host, "GET", "contests/cup/checkpoint", &nobody, "", &answer);
        if (answer.status == 200)
            break;
        usleep(50000);
    }
    assert_int_equal(answer.status, 200);
    assert_non_null(strstr(buf_cstr(&answer.body), "contest.example.org/warg/cup\n"));
    host_must(host, 200, "GET", "contests/cup/proof?n=0&size=1", &nobody, "", &answer);
    host_must(host, 200, "GET", "contests/cup/consistency?from=1&to=2", &nobody, "", &answer);
    host_must(host, 400, "GET", "contests/cup/proof?n=-1&size=x", &nobody, "", &answer);
    host_must(host, 200, "POST", "contests/cup/pause", &cup_admin,
              "{\"paused\":true,\"reason\":\"a power cut\"}", &answer);
    host_must(host, 200, "GET", "contests/cup", &nobody, "", &answer);
    assert_non_null(strstr(buf_cstr(&answer.body), "\"paused\":true"));
    host_must(host, 200, "POST", "contests/cup/pause", &cup_admin,
              "{\"paused\":false,\"reason\":\"power is back\"}", &answer);
    host_must(host, 200, "POST", "contests/cup/announcements", &cup_admin,
              "{\"text\":{\"en\":\"Hello\",\"ja\":\"こんにちは\"}}", &answer);
    host_must(host, 200, "PATCH", "contests/cup/dates", &cup_admin,
              "{\"submission_closes\":\"2099-07-21 24:00\",\"reason\":\"more time\"}", &answer);
    host_must(host, 200, "GET", "contests/cup", &nobody, "", &answer);
    assert_non_null(strstr(buf_cstr(&answer.body), "\"submission_closes\":\"2099-07-22T00:00:00"));
    host_must(host, 200, "GET", "contests/cup/trail", &cup_admin, "", &answer);
    assert_non_null(strstr(buf_cstr(&answer.body), "\"verb\":\"announce\""));
    host_end(host);
}

/* A contest file with a line more, as the organiser who has `cookie` would amend it. */
static void amend_with(const Host *host, const char *cookie, const char *line, Reply *answer)
{
    CLEANUP(buf_done) Buf body = {0};
    Json json = json_over(&body);
    Asker asker = {.cookie = cookie, .local = !cookie};
    CLEANUP(buf_done) Buf text = {0};

    buf_printf(&text, "%s%s\n", CUP_TEXT, line);
    json_open(&json, '{');
    json_add_str(&json, "text", buf_str(&text));
    json_add_str(&json, "reason", STR("why"));
    json_close(&json);
    host_ask(host, "POST", "contests/cup/amend", &asker, buf_cstr(&body), answer);
}

/* Whatever a file names the server opens as its own user, and says what is wrong with it. */
/* From which pages count days: a rehearsal's clock is not the browser's. */
static void an_answer_says_what_the_clock_of_the_site_shows(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char day[DATE_TEXT_ROOM];

    host_ahead_ms = INT64_C(1000) * 24 * 3600 * 1000;
    host_start(host);
    const int64_t before = host_now(NULL);
    host_must(host, 200, "GET", "contests", &nobody, NULL, &answer);
    const int64_t after = host_now(NULL);
    const char *at = strstr(buf_cstr(&answer.head), "X-Warg-Now: ");
    assert_non_null(at);
    at += strlen("X-Warg-Now: ");
    assert_true(strncmp(at, date_text_write(before, day).bytes, 20) >= 0);
    assert_true(strncmp(at, date_text_write(after, day).bytes, 20) <= 0);
    host_ahead_ms = 0;
    host_end(host);
}

static void an_organiser_reads_no_file_of_the_server(void **state)
{
    static const char *const lines[] = {
        "rules: server.yml",
        "rules: data/secrets/cup/preliminary",
        "runtimes: {python: {wheels: data/secrets}}",
        "runtimes: {java: {lib: data/secrets}}",
        "cell: {level: strict, read: [data/secrets]}",
        "cell: {level: strict, root: data}",
        "agents: [{name: zz, command: cat data/secrets/cup/preliminary}]",
        "tracks: [{name: turn, config: data/secrets/cup/preliminary}]",
        "evaluation: {criteria: [A], llm: {models: [demo]}}",
    };
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char ann[SECRET_TEXT_BYTES];

    host_start(host);
    cup_make(host, "cup");
    int64_t id = host_account(host, "ann", ann);
    host_must(host, 200, "POST", "contests/cup/roles", &cup_admin,
              "{\"role\":\"organiser\",\"login\":\"ann\"}", &answer);
    assert_int_equal(login_begin(host->db, id, STR("192.0.2.1"), loop_date_ms(), ann, NULL), 0);
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        amend_with(host, ann, lines[i], &answer);
        assert_int_equal(answer.status, 422);
        assert_non_null(strstr(buf_cstr(&answer.body), "on the server"));
    }
    amend_with(host, ann, "own_share: 20", &answer);
    assert_int_equal(answer.status, 200);
    amend_with(host, NULL, "runtimes: {python: {wheels: wheels}}", &answer); /* the admin */
    assert_int_equal(answer.status, 200);
    host_end(host);
}

/* The secret of a link that `cookie` makes. */
static void make_link(const Host *host, const char *cookie, const char *path, const char *body,
                      char ret_use[200])
{
    CLEANUP(answer_done) Reply answer = {0};
    Asker asker = {.cookie = cookie};
    Str link;
    size_t slash = 0;

    host_must(host, 201, "POST", path, &asker, body, &answer);
    link = answer_text(&answer, "link");
    assert_true(str_find_last(link, '/', &slash));
    snprintf(ret_use, 200, "{\"secret\":\"%.*s\"}", STR_ARG(str_part(link, slash + 1, SIZE_MAX)));
}

/* Else whoever loses a right keeps a key to it in a drawer. */
static void a_link_ends_with_the_right_of_who_made_it(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char ann[SECRET_TEXT_BYTES], bob[SECRET_TEXT_BYTES], cat[SECRET_TEXT_BYTES];
    char path[120], first[200], second[200], team[200];

    host_start(host);
    cup_begin(host);
    int64_t id = host_account(host, "ann", ann);
    int64_t captain_id = host_account(host, "cat", cat);
    host_account(host, "bob", bob);
    host_must(host, 200, "POST", "contests/cup/roles", &cup_admin,
              "{\"role\":\"organiser\",\"login\":\"ann\"}", &answer);
    assert_int_equal(login_begin(host->db, id, STR("192.0.2.1"), loop_date_ms(), ann, NULL), 0);
    make_link(host, ann, "contests/cup/roles", "{\"role\":\"judge\"}", first);
    make_link(host, ann, "contests/cup/roles", "{\"role\":\"organiser\"}", second);
    Asker helper = {.cookie = bob};
    host_must(host, 200, "POST", "invite", &helper, first, &answer); /* while ann is one */
    memcpy(bob, answer.cookie, sizeof(bob));
    host_must(host, 200, "DELETE", "contests/cup/roles", &cup_admin,
              "{\"role\":\"organiser\",\"login\":\"ann\"}", &answer);
    Asker maker = {.cookie = ann};
    host_must(host, 409, "POST", "invite", &maker, second, &answer);
    host_must(host, 409, "POST", "invite", &helper, second, &answer);
    assert_int_equal(host_number(host, "SELECT count(*) FROM role WHERE role = 'organiser'"), 0);
    cup_team(host, "cup", "wits", cat);
    make_link(host, cat, "contests/cup/teams/wits/invite", "{}", team);
    snprintf(path, sizeof(path), "UPDATE member SET captain = 0 WHERE account = %lld",
             (long long)captain_id);
    assert_int_equal(db_exec(host->db, path, NULL), 0);
    host_must(host, 409, "POST", "invite", &helper, team, &answer);
    host_end(host);
}

/* O10: who did what is kept, in the transaction of what was done; what was refused is not. */
static void every_change_leaves_its_line_in_the_trail(void **state)
{
    static const char lines[] = "SELECT count(*) FROM event WHERE verb = 'change-team'";
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char ann[SECRET_TEXT_BYTES];

    host_start(host);
    cup_begin_team(host, ann);
    assert_int_equal(host_number(host, "SELECT count(*) FROM event WHERE verb = 'found-team'"), 1);
    Asker captain = {.cookie = ann};
    host_must(host, 200, "PATCH", "contests/cup/teams/wits", &captain, "{\"affiliation\":\"U\"}",
              &answer);
    assert_int_equal(host_number(host, lines), 1);
    host_must(host, 422, "PATCH", "contests/cup/teams/wits", &captain, "{\"webhook\":\"x\"}",
              &answer);
    assert_int_equal(host_number(host, lines), 1);
    host_end(host);
}

static void a_team_is_founded_by_one_form_joined_by_a_link_and_withdraws(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char ann[SECRET_TEXT_BYTES], bob[SECRET_TEXT_BYTES], body[200];

    host_start(host);
    cup_make(host, "cup");
    host_must(host, 404, "POST", "contests/cup/teams", &nobody, "{\"name\":\"wits\"}", &answer);
    cup_open(host, "cup");
    host_must(host, 422, "POST", "contests/cup/teams", &nobody, "{\"name\":\"wits\"}", &answer);
    host_must(host, 422, "POST", "contests/cup/teams", &nobody,
              "{\"name\":\"wits\",\"affiliation\":\"U\\n\\u202eV\",\"login\":\"zed\","
              "\"password\":\"" HOST_PASSWORD "\"}",
              &answer);
    host_must(host, 201, "POST", "contests/cup/teams", &nobody,
              "{\"name\":\"wool_100%\",\"affiliation\":\"U\",\"login\":\"ann\",\"password\":"
              "\"" HOST_PASSWORD "\"}",
              &answer);
    memcpy(ann, answer.cookie, sizeof(ann));
    Asker captain = {.cookie = ann};
    host_must(host, 200, "GET", "contests/cup/teams/wool_100%25", &captain, "", &answer);
    assert_true(str_eq(answer_text(&answer, "state"), STR("IN")));
    host_must(host, 401, "GET", "contests/cup/teams/wool_100%25", &nobody, "", &answer);
    host_must(host, 201, "POST", "contests/cup/teams/wool_100%25/invite", &captain, "{}", &answer);
    Str link = answer_text(&answer, "link");
    size_t slash = 0;
    assert_true(str_find_last(link, '/', &slash));
    snprintf(body, sizeof(body), "{\"secret\":\"%.*s\"}",
             STR_ARG(str_part(link, slash + 1, SIZE_MAX)));
    host_account(host, "bob", bob);
    Asker member = {.cookie = bob};
    host_must(host, 403, "GET", "contests/cup/teams/wool_100%25", &member, "", &answer);
    host_must(host, 200, "POST", "invite", &member, body, &answer);
    memcpy(bob, answer.cookie, sizeof(bob)); /* logged in anew */
    host_must(host, 409, "POST", "invite", &member, body, &answer);
    host_must(host, 200, "GET", "contests/cup/teams/wool_100%25", &member, "", &answer);
    assert_int_equal(json_count(json_get(answer.json, "members")), 2);
    host_must(host, 403, "PATCH", "contests/cup/teams/wool_100%25", &member, "{}", &answer);
    /* Whoever is in a team may leave it, and remove nobody else. */
    snprintf(body, sizeof(body), "contests/cup/teams/wool_100%%25/members/%lld",
             (long long)host_number(host, "SELECT id FROM account WHERE login = 'ann'"));
    host_must(host, 403, "DELETE", body, &member, "{}", &answer);
    snprintf(body, sizeof(body), "contests/cup/teams/wool_100%%25/members/%lld",
             (long long)host_number(host, "SELECT id FROM account WHERE login = 'bob'"));
    host_must(host, 200, "DELETE", body, &member, "{}", &answer);
    host_must(host, 403, "GET", "contests/cup/teams/wool_100%25", &member, "", &answer);
    host_must(host, 403, "DELETE", body, &member, "{}", &answer);
    host_must(host, 422, "PATCH", "contests/cup/teams/wool_100%25", &captain,
              "{\"webhook\":\"http://127.0.0.1/\"}", &answer);
    host_must(host, 422, "PATCH", "contests/cup/teams/wool_100%25", &captain,
              "{\"webhook\":\"https://user:word@hooks.example.org/x\"}", &answer);
    host_must(host, 200, "PATCH", "contests/cup/teams/wool_100%25", &captain,
              "{\"affiliation\":\"V\",\"consent\":{\"affiliation\":false},"
              "\"webhook\":\"https://hooks.example.org/x\"}",
              &answer);
    assert_int_equal(answer_text(&answer, "hook_secret").len, 64);
    host_must(host, 200, "GET", "contests/cup/teams", &nobody, "", &answer);
    assert_null(strstr(buf_cstr(&answer.body), "\"V\"")); /* no consent */
    host_must(host, 200, "PUT", "contests/cup/teams/wool_100%25/lots/preliminary", &captain,
              "{\"entry\":\"e93e2ca2bdba43297f9d3d7fb537877d597228e4953e4aedb3dd737fb46f42d7\"}",
              &answer);
    host_must(host, 422, "PUT", "contests/cup/teams/wool_100%25/lots/preliminary", &captain,
              "{\"entry\":\"zz\"}", &answer);
    host_must(host, 200, "POST", "contests/cup/teams/wool_100%25/withdraw", &captain, "{}",
              &answer);
    host_must(host, 409, "POST", "contests/cup/teams/wool_100%25/withdraw", &captain, "{}",
              &answer);
    host_end(host);
}

/* ---- games and their files ---- */

static void write_text(const Host *host, const char *path, const char *text)
{
    char command[300];

    snprintf(command, sizeof(command),
             "mkdir -p \"$(dirname '%s/%s')\" && printf '%%s' '%s' > '%s/%s'", host->data, path,
             text, host->data, path);
    assert_int_equal(system(command), 0);
}

/* A whole game in place of a log. */
static void copy_log(const Host *host, const char *path)
{
    char command[600];

    snprintf(command, sizeof(command), "cp '%s/nlp-logs/inlg2025_truck5_game2.log' '%s/%s'",
             getenv("WARG_TEST_DATA"), host->data, path);
    assert_int_equal(system(command), 0);
}

/* Whoever audits it with a checkpoint of the end must not find a contradiction. */
static void the_bundle_is_not_to_be_had_without_the_ledgers_end(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    CLEANUP(buf_done) Buf path = {0};

    host_start(host);
    cup_make(host, "cup");
    must_sql(host, "UPDATE contest SET state = 'PUBLISHED'");
    buf_printf(&path, "%s/contests/cup/bundle.tar.gz", host->setup.settings.data);
    assert_int_equal(folder_make_for(buf_cstr(&path), NULL), 0);
    assert_int_equal(file_replace(buf_cstr(&path), STR("gz"), true, NULL), 0);
    must_sql(host, "INSERT INTO publication(contest, job, size, state, at)"
                   " SELECT id, 'x', 1, 'PUBLISHED', 1 FROM contest");
    host_must(host, 503, "GET", "contests/cup/bundle", &nobody, "", &answer);
    assert_non_null(strstr(buf_cstr(&answer.head), "Retry-After: 60"));
    assert_non_null(strstr(buf_cstr(&answer.body), "end of the ledger"));
    must_sql(host, "UPDATE publication SET state = 'CLOSING'");
    host_must(host, 503, "GET", "contests/cup/bundle", &cup_admin, "", &answer);
    must_sql(host, "UPDATE publication SET state = 'CLOSED'");
    host_must(host, 200, "GET", "contests/cup/bundle", &nobody, "", &answer);
    host_end(host);
}

static void logs_are_a_teams_own_until_they_are_published(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char ann[SECRET_TEXT_BYTES], bob[SECRET_TEXT_BYTES];

    host_start(host);
    cup_begin(host);
    host_account(host, "ann", ann);
    host_account(host, "bob", bob);
    cup_team(host, "cup", "wits", ann);
    cup_team(host, "cup", "aces", bob);
    must_sql(host,
             "INSERT INTO run(contest, stage, part, round, folder, games, counted) SELECT id, "
             "'preliminary', 0, 0, 'play', 2, 2 FROM contest");
    must_sql(host,
             "INSERT INTO game(run, set_number, game, ended, winner, counted, log) SELECT id, 0, "
             "0, 5, 'VILLAGER', 1, 'logs/0.log' FROM run");
    must_sql(host,
             "INSERT INTO game(run, set_number, game, ended, winner, counted, log) SELECT id, 0, "
             "1, 6, 'VILLAGER', 1, '../../../site.db' FROM run");
    must_sql(host,
             "INSERT INTO seat(game, seat, team, role, won, failed, faults, excesses, waited_ms) "
             "SELECT game.id, 1, team.id, 'SEER', 1, 0, 0, 0, 0 FROM game, team WHERE team.name = "
             "'wits'");
    write_text(host, "contests/cup/play/logs/0.log", "what was said");
    write_text(host, "contests/cup/play/exchange/0.jsonl.gz", "who was asked");
    write_text(host, "contests/cup/play/agents/wits/0-0000-01.txt", "what it printed");
    write_text(host, "contests/cup/play/agents/aces/0-0000-02.txt", "what others printed");
    Asker own = {.cookie = ann}, other = {.cookie = bob};
    host_must(host, 200, "GET", "contests/cup/games/1/log", &own, "", &answer);
    assert_string_equal(buf_cstr(&answer.body), "what was said");
    assert_non_null(strstr(buf_cstr(&answer.head), "Content-Disposition: attachment"));
    assert_non_null(strstr(buf_cstr(&answer.head), "sandbox"));
    host_must(host, 404, "GET", "contests/cup/games/2/log", &own, "", &answer); /* leads out */
    host_must(host, 404, "GET", "contests/cup/games/2/doc", &own, "", &answer);
    host_must(host, 404, "GET", "contests/cup/games/1/doc", &own, "", &answer); /* no log */
    assert_non_null(strstr(buf_cstr(&answer.body), "not_found"));
    copy_log(host, "contests/cup/play/logs/0.log");
    host_must(host, 200, "GET", "contests/cup/games/1/doc", &own, "", &answer);
    assert_true(str_eq(answer_text(&answer, "format"), STR("warg-game")));
    assert_true(str_eq(answer_text(&answer, "id"), STR("cup-game-1")));
    host_must(host, 400, "GET", "contests/cup/games/1/doc?view=mine", &own, "", &answer);
    host_must(host, 403, "GET", "contests/cup/games/1/doc", &other, "", &answer);
    host_must(host, 401, "GET", "contests/cup/games/1/doc", &nobody, "", &answer);
    host_must(host, 200, "GET", "contests/cup/games/1/output", &own, "", &answer);
    assert_string_equal(buf_cstr(&answer.body), "what it printed");
    host_must(host, 403, "GET", "contests/cup/games/1/output", &other, "", &answer);
    host_must(host, 404, "GET", "contests/cup/games/1/output", &cup_admin, "", &answer);
    host_must(host, 403, "GET", "contests/cup/games/1/log", &other, "", &answer);
    host_must(host, 401, "GET", "contests/cup/games/1/log", &nobody, "", &answer);
    host_must(host, 403, "GET", "contests/cup/games/1/exchange", &own, "", &answer);
    host_must(host, 200, "GET", "contests/cup/games", &own, "", &answer); /* its own */
    assert_int_equal(json_count(json_get(answer.json, "items")), 2);
    assert_non_null(strstr(buf_cstr(&answer.body), "\"teams\":[\"wits\"]"));
    host_must(host, 200, "GET", "contests/cup/games", &other, "", &answer);
    assert_int_equal(json_count(json_get(answer.json, "items")), 0);
    host_must(host, 404, "GET", "contests/cup/games?team=wits", &other, "", &answer);
    host_must(host, 404, "GET", "contests/cup/games/1", &nobody, "", &answer);
    host_must(host, 200, "GET", "contests/cup/teams/wits/logs.zip", &own, "", &answer);
    assert_true(str_starts(buf_str(&answer.body), STR("PK")));
    size_t at;
    assert_true(str_find(buf_str(&answer.body), STR("play/logs/0.log"), &at));
    assert_false(str_find(buf_str(&answer.body), STR("site.db"), &at));
    host_must(host, 403, "GET", "contests/cup/teams/wits/logs.zip", &other, "", &answer);
    wait_for_files(host, "incoming", 0);
    must_sql(host, "UPDATE contest SET digest = 'none', file = file || 'publish: {logs: none}'");
    host_must(host, 404, "GET", "contests/cup/teams/wits/logs.zip", &own, "", &answer);
    must_sql(host, "UPDATE contest SET state = 'PUBLISHED'");
    host_must(host, 200, "GET", "contests/cup/games/1/log", &nobody, "", &answer);
    host_must(host, 200, "GET", "contests/cup/games/1/doc", &nobody, "", &answer);
    host_must(host, 200, "GET", "contests/cup/games/1/exchange", &nobody, "", &answer);
    host_must(host, 200, "GET", "contests/cup/games/1", &nobody, "", &answer);
    assert_non_null(strstr(buf_cstr(&answer.head), "Access-Control-Allow-Origin: *"));
    host_end(host);
}

/* From a year behind the end on nobody has it, and the server removes it by itself; likewise a file
 * that no row names. */
static void what_was_printed_is_gone_after_a_year(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    CLEANUP(buf_done) Buf sql = {0};
    char ann[SECRET_TEXT_BYTES], command[400];
    const int64_t year_ms = INT64_C(365) * 86400000;

    must_sql(host, "INSERT INTO contest(name, state, file, digest, changed) VALUES('old', "
                   "'CANCELLED', '', '', 1)");
    write_text(host, "contests/old/play/agents/wits/0-0000-01.txt", "what it printed");
    write_text(host, "contests/old/play/logs/0.log", "what was said");
    snprintf(command, sizeof(command),
             "cd '%s' && mkdir -p blobs/00 && for f in $(printf '%%064d' 0) other; do echo x "
             ">blobs/00/$f; done && touch -d 2001-01-01 blobs/00/*",
             host->data);
    assert_int_equal(system(command), 0);
    host_start(host);
    wait_for_files(host, "contests/old/play/agents", 0);
    wait_for_files(host, "blobs/00", 1);
    assert_int_equal(count_files(host, "contests/old/play/logs"), 1);
    cup_make(host, "cup");
    cup_open(host, "cup");
    host_account(host, "ann", ann);
    cup_team(host, "cup", "wits", ann);
    must_sql(host, "INSERT INTO run(contest, stage, part, round, folder, games, counted) SELECT id,"
                   " 'preliminary', 0, 0, 'play', 1, 1 FROM contest WHERE name = 'cup';"
                   "INSERT INTO game(run, set_number, game, ended, winner, counted, log) SELECT id,"
                   " 0, 0, 5, 'VILLAGER', 1, 'logs/0.log' FROM run;"
                   "INSERT INTO seat(game, seat, team, role, won, failed, faults, excesses, "
                   "waited_ms) SELECT game.id, 1, team.id, 'SEER', 1, 0, 0, 0, 0 FROM game, team");
    write_text(host, "contests/cup/play/agents/wits/0-0000-01.txt", "what it printed");
    Asker own = {.cookie = ann};
    buf_printf(&sql, "UPDATE contest SET state = 'PUBLISHED', changed = %lld WHERE name = 'cup'",
               (long long)(host_now(NULL) - year_ms + 3600 * 1000));
    must_sql(host, buf_cstr(&sql));
    host_must(host, 200, "GET", "contests/cup/games/1/output", &own, "", &answer);
    host_must(host, 200, "GET", "contests/cup/games/1", &own, "", &answer);
    assert_non_null(strstr(buf_cstr(&answer.body), "\"output_kept\":true"));
    buf_clear(&sql);
    buf_printf(&sql, "UPDATE contest SET changed = %lld WHERE name = 'cup'",
               (long long)(host_now(NULL) - year_ms));
    must_sql(host, buf_cstr(&sql));
    host_must(host, 410, "GET", "contests/cup/games/1/output", &own, "", &answer);
    assert_true(str_eq(json_text(json_get(answer.json, "error"), "code"), STR("gone")));
    host_must(host, 200, "GET", "contests/cup/games/1", &own, "", &answer);
    assert_non_null(strstr(buf_cstr(&answer.body), "\"output_kept\":false"));
    host_end(host);
}

/* Games without logs do not count, however many; what is no file any more is left out. */
static void a_log_that_can_not_be_read_is_left_out(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char ann[SECRET_TEXT_BYTES];
    size_t at;

    host_start(host);
    cup_begin_team(host, ann);
    must_sql(host,
             "INSERT INTO run(contest, stage, part, round, folder, games, counted) SELECT id, "
             "'preliminary', 0, 0, 'play', 2, 2 FROM contest");
    must_sql(host,
             "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 20100) "
             "INSERT INTO game(run, set_number, game, ended, winner, counted, log) SELECT run.id, "
             "0, n.i, 5, 'VILLAGER', 1, CASE WHEN n.i < 2 THEN 'logs/' || n.i || '.log' ELSE '' "
             "END FROM run CROSS JOIN n ORDER BY n.i");
    must_sql(host,
             "INSERT INTO seat(game, seat, team, role, won, failed, faults, excesses, waited_ms) "
             "SELECT game.id, 1, team.id, 'SEER', 1, 0, 0, 0, 0 FROM game, team");
    write_text(host, "contests/cup/play/logs/0.log", "what was said");
    write_text(host, "contests/cup/play/logs/1.log/inside", "no log");
    Asker own = {.cookie = ann};
    host_must(host, 200, "GET", "contests/cup/teams/wits/logs.zip", &own, "", &answer);
    assert_true(str_find(buf_str(&answer.body), STR("play/logs/0.log"), &at));
    assert_true(str_find(buf_str(&answer.body), STR("PK\5\6"), &at)); /* it has its end */
    assert_false(str_find(buf_str(&answer.body), STR("play/logs/1.log"), &at));
    host_end(host);
}

/* Sends a request and reads nothing of its answer but its first bytes; the connection. */
static int ask_and_wait(const Host *host, const char *path, const Asker *asker)
{
    CLEANUP(buf_done) Buf request = {0};
    int buffer = 4096, fd = host_dial(host, false);
    struct pollfd waits = {.fd = fd, .events = POLLIN};
    char first[12];

    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof(buffer)), 0);
    host_write_head("GET", path, asker, 0, &request);
    assert_int_equal(send(fd, request.bytes, request.len, MSG_NOSIGNAL), request.len);
    assert_int_equal(poll(&waits, 1, HOST_WAIT_MS), 1);
    assert_int_equal(recv(fd, first, sizeof(first), MSG_WAITALL), sizeof(first));
    assert_memory_equal(first, "HTTP/1.1 200", sizeof(first));
    return fd;
}

#define HUGE_LOG ((off_t)1 << 40) /* would fill any disk, and take a worker for hours */

static void logs_that_nobody_reads_hold_nobody_up(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char ann[SECRET_TEXT_BYTES], bob[SECRET_TEXT_BYTES], path[160];

    host_start(host);
    cup_begin(host);
    host_account(host, "ann", ann);
    host_account(host, "bob", bob);
    cup_team(host, "cup", "wits", ann);
    cup_team(host, "cup", "aces", bob);
    must_sql(host, "INSERT INTO run(contest, stage, part, round, folder, games, counted) SELECT id,"
                   " 'preliminary', 0, 0, 'play', 1, 1 FROM contest");
    must_sql(host, "INSERT INTO game(run, set_number, game, ended, winner, counted, log) SELECT id,"
                   " 0, 0, 5, 'VILLAGER', 1, 'logs/0.log' FROM run");
    must_sql(host, "INSERT INTO seat(game, seat, team, role, won, failed, faults, excesses, "
                   "waited_ms) SELECT game.id, team.id, team.id, 'SEER', 1, 0, 0, 0, 0 FROM game, "
                   "team");
    write_text(host, "contests/cup/play/logs/0.log", "");
    snprintf(path, sizeof(path), "%s/contests/cup/play/logs/0.log", host->data);
    assert_int_equal(truncate(path, HUGE_LOG), 0);
    Asker own = {.cookie = ann}, other = {.cookie = bob};
    int first = ask_and_wait(host, "contests/cup/teams/wits/logs.zip", &own);
    int second = ask_and_wait(host, "contests/cup/teams/aces/logs.zip", &other);
    wait_for_files(host, "incoming", 0); /* nothing of it is on disk */
    host_must(host, 429, "GET", "contests/cup/teams/wits/logs.zip", &own, "", &answer);
    assert_non_null(strstr(buf_cstr(&answer.head), "Retry-After: 10"));
    assert_non_null(strstr(buf_cstr(&answer.body), "on their way already"));
    host_must(host, 401, "POST", "login", &nobody, /* its password is looked at */
              "{\"login\":\"ann\",\"password\":\"" HOST_PASSWORD "\"}", &answer);
    close(first);
    close(second);
    do /* once it is noticed that nobody is there any more */
        host_ask(host, "HEAD", "contests/cup/teams/wits/logs.zip", &own, "", &answer);
    while (answer.status == 429);
    assert_int_equal(answer.status, 200);
    host_end(host);
}

static void what_is_kept_back_is_not_there_by_its_number(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    char ann[SECRET_TEXT_BYTES];

    host_start(host);
    cup_begin_team(host, ann);
    amend_with(host, NULL, "publish: {logs: all, live: games, delay_games: 1}", &answer);
    assert_int_equal(answer.status, 200);
    must_sql(host, "INSERT INTO run(contest, stage, part, round, folder, games, counted) SELECT "
                   "id, 'preliminary', 0, 0, 'play', 2, 2 FROM contest");
    must_sql(host, "INSERT INTO game(run, set_number, game, ended, winner, counted, log) SELECT "
                   "id, 0, 0, 5, 'VILLAGER', 1, 'logs/0.log' FROM run");
    must_sql(host, "INSERT INTO game(run, set_number, game, ended, winner, counted, log) SELECT "
                   "id, 0, 1, 6, 'VILLAGER', 1, 'logs/1.log' FROM run");
    must_sql(host,
             "INSERT INTO seat(game, seat, team, role, won, failed, faults, excesses, waited_ms) "
             "SELECT game.id, 1, team.id, 'SEER', 1, 0, 0, 0, 0 FROM game, team");
    write_text(host, "contests/cup/play/logs/0.log", "long ago");
    write_text(host, "contests/cup/play/logs/1.log", "just now");
    Asker own = {.cookie = ann};
    host_must(host, 200, "GET", "contests/cup/games", &nobody, "", &answer);
    assert_int_equal(json_count(json_get(answer.json, "items")), 1);
    host_must(host, 200, "GET", "contests/cup/games/1", &nobody, "", &answer);
    host_must(host, 200, "GET", "contests/cup/games/1/log", &nobody, "", &answer);
    host_must(host, 404, "GET", "contests/cup/games/2", &nobody, "", &answer);
    host_must(host, 404, "GET", "contests/cup/games/2/log", &nobody, "", &answer);
    host_must(host, 404, "GET", "contests/cup/games/2/doc", &nobody, "", &answer);
    host_must(host, 200, "GET", "contests/cup/games/2", &own, "", &answer);
    host_must(host, 200, "GET", "contests/cup/games/2/log", &own, "", &answer);
    /* A judge must not find the teams of a game that he rates, logged in or not. */
    amend_with(
        host, NULL,
        "publish: {logs: all, live: games}\nevaluation: {criteria: [A], sheets: 1, raters: 1}",
        &answer);
    assert_int_equal(answer.status, 200);
    host_must(host, 404, "GET", "contests/cup/games", &nobody, "", &answer);
    host_must(host, 404, "GET", "contests/cup/games/1", &nobody, "", &answer);
    host_must(host, 401, "GET", "contests/cup/games/1/log", &nobody, "", &answer);
    host_must(host, 401, "GET", "contests/cup/games/1/doc", &nobody, "", &answer);
    host_must(host, 200, "GET", "contests/cup/games/1", &own, "", &answer);
    must_sql(host, "UPDATE contest SET state = 'APPEALS'");
    host_must(host, 200, "GET", "contests/cup/games/1", &nobody, "", &answer);
    host_end(host);
}

static void a_page_that_stays_open_hears_what_happens(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    CLEANUP(buf_done) Buf request = {0};
    CLEANUP(buf_done) Buf got = {0};
    char block[4096];

    host_start(host);
    cup_begin(host);
    host_write_head("GET", "contests/cup/events", &nobody, 0, &request);
    int fd = host_dial(host, false);
    assert_int_equal(send(fd, request.bytes, request.len, MSG_NOSIGNAL), request.len);
    bool paused = false;
    while (!strstr(buf_cstr(&got), "{\"state\":\"OPEN\",\"paused\":true}")) {
        struct pollfd waits = {.fd = fd, .events = POLLIN};
        assert_int_equal(poll(&waits, 1, HOST_WAIT_MS), 1);
        ssize_t n = recv(fd, block, sizeof(block), 0);
        assert_true(n > 0);
        buf_add(&got, (Str){block, (size_t)n});
        if (!paused && strstr(buf_cstr(&got), "{\"state\":\"OPEN\",\"paused\":false}")) {
            host_must(host, 200, "POST", "contests/cup/pause", &cup_admin,
                      "{\"paused\":true,\"reason\":\"a power cut\"}", &answer);
            paused = true;
        }
    }
    assert_non_null(strstr(buf_cstr(&got), "text/event-stream"));
    close(fd);
    host_end(host);
}

/* Newest first, a page at a time, each once however many seats a team had. */
static void games_of_a_team_are_listed_once(void **state)
{
    Host *host = *state;
    CLEANUP(answer_done) Reply answer = {0};
    Err err = {0};

    host_start(host);
    cup_begin(host);
    /* Team 1 has two seats in the even ones of 250 games, team 2 one in all. */
    assert_int_equal(
        db_exec(host->db,
                "INSERT INTO team(id, contest, name, state, created) VALUES(1, 1, 'one', 'IN', 1),"
                " (2, 1, 'two', 'IN', 1);"
                "INSERT INTO run(id, contest, stage, part, round, folder, games, counted)"
                " VALUES(1, 1, 'preliminary', 0, 0, 'play', 250, 250);"
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)"
                " INSERT INTO game(id, run, set_number, game, counted) SELECT i, 1, 0, i, 1 FROM n;"
                "INSERT INTO seat(game, seat, team, role, won, failed, faults, excesses, waited_ms)"
                " SELECT id, k, CASE WHEN k = 3 THEN 2 ELSE 1 END, 'SEER', 0, 0, 0, 0, 0 FROM game,"
                " (SELECT 1 AS k UNION SELECT 2 UNION SELECT 3) AS s WHERE k = 3 OR id % 2 = 0",
                &err),
        0);
    host_must(host, 200, "GET", "contests/cup/games?team=one", &cup_admin, "", &answer);
    const json_t *items = json_get(answer.json, "items");
    assert_int_equal(json_count(items), 100);
    assert_true(str_eq(json_text(json_at(items, 0), "id"), STR("250")));
    assert_true(str_eq(json_text(json_at(items, 99), "id"), STR("52")));
    assert_true(str_eq(answer_text(&answer, "next"), STR("52")));
    host_must(host, 200, "GET", "contests/cup/games?team=one&cursor=52", &cup_admin, "", &answer);
    items = json_get(answer.json, "items");
    assert_int_equal(json_count(items), 25);
    assert_true(str_eq(json_text(json_at(items, 24), "id"), STR("2")));
    host_must(host, 200, "GET", "contests/cup/games?team=one&stage=final", &cup_admin, "", &answer);
    assert_int_equal(json_count(json_get(answer.json, "items")), 0);
    host_must(host, 200, "GET", "contests/cup/games?team=two&cursor=52&stage=preliminary",
              &cup_admin, "", &answer);
    items = json_get(answer.json, "items");
    assert_int_equal(json_count(items), 51);
    assert_true(str_eq(json_text(json_at(items, 0), "id"), STR("51")));
    host_must(host, 200, "GET", "contests/cup/games", &cup_admin, "", &answer);
    assert_int_equal(json_count(json_get(answer.json, "items")), 100);
    host_end(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_contest_is_made_seen_opened_and_amended),
        CASE(an_answer_says_what_the_clock_of_the_site_shows),
        CASE(an_organiser_reads_no_file_of_the_server),
        CASE(every_change_leaves_its_line_in_the_trail),
        CASE(a_link_ends_with_the_right_of_who_made_it),
        CASE(logs_that_nobody_reads_hold_nobody_up),
        CASE(what_is_kept_back_is_not_there_by_its_number),
        CASE(a_team_is_founded_by_one_form_joined_by_a_link_and_withdraws),
        CASE(the_bundle_is_not_to_be_had_without_the_ledgers_end),
        CASE(logs_are_a_teams_own_until_they_are_published),
        CASE(what_was_printed_is_gone_after_a_year),
        CASE(a_log_that_can_not_be_read_is_left_out),
        CASE(a_page_that_stays_open_hears_what_happens),
        CASE(games_of_a_team_are_listed_once),
    };

    return HOST_RUN(tests, false);
}
