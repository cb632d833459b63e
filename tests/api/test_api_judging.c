/* Judges against the site: sheets of others, sheets that were handed in, what a sheet tells of
 * whose agents it shows. docs/spec/contest-operations.md 10; O31. */
#include "api_cup.h"

#define SEATS 5
#define GAMES 2

static const Asker nobody = {.cookie = ""};
static const char *const teams[SEATS] = {"wool_100%", "s-IL-A", "s-IL-B", "owls", "trains"};

/* Two judges with sheets 1 to 4 and 5 to 8: two games by A and C. */
typedef struct Court {
    Host *host;
    char judges[2][SECRET_TEXT_BYTES], captain[SECRET_TEXT_BYTES], organiser[SECRET_TEXT_BYTES];
    int64_t ids[2];
} Court;

__attribute__((format(printf, 2, 3))) static void must_sqlf(const Host *host, const char *format,
                                                            ...)
{
    char sql[700];
    va_list args;

    va_start(args, format);
    vsnprintf(sql, sizeof(sql), format, args);
    va_end(args);
    must_sql(host, sql);
}

static void write_text(const Host *host, const char *path, const char *text)
{
    char whole[200], command[300];

    snprintf(whole, sizeof(whole), "%s/%s", host->data, path);
    snprintf(command, sizeof(command), "mkdir -p \"$(dirname '%s')\"", whole);
    assert_int_equal(system(command), 0);
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void play_game(const Host *host, int game)
{
    static const char *const roles[SEATS] = {"POSSESSED", "SEER", "VILLAGER", "VILLAGER",
                                             "WEREWOLF"};
    static const char *const names[SEATS] = {"ミナト", "Ken", "May", "Ryu", "Asu"};
    CLEANUP(buf_done) Buf log = {0};
    char path[100];

    must_sqlf(host,
              "INSERT INTO game(run, set_number, game, ended, winner, counted, log)"
              " SELECT max(id), 0, %d, 5, 'VILLAGER', 1, '%d.log' FROM run",
              game, game);
    for (int seat = 1; seat <= SEATS; seat++) {
        const char *team = teams[(seat + game) % SEATS];
        must_sqlf(
            host,
            "INSERT INTO seat(game, seat, team, role, won, failed, faults, excesses, waited_ms)"
            " SELECT max(game.id), %d, (SELECT id FROM team WHERE name = '%s'), '%s', 0, 0, 0,"
            " 0, 0 FROM game",
            seat, team, roles[seat - 1]);
        buf_printf(&log, "0,status,%d,%s,ALIVE,%s1,%s\n", seat, roles[seat - 1], team,
                   names[seat - 1]);
    }
    buf_printf(&log, "1,talk,0,0,2,Vote for ｓ＿ＩＬ－ａ1 and OWLS and s-il!,1778646866\n"
                     "1,whisper,0,0,5,a secret word,1778646867\n1,vote,2,5\n"
                     "1,execute,5,WEREWOLF\n2,result,4,0,VILLAGER\n");
    snprintf(path, sizeof(path), "contests/cup/tracks/t5/main/logs/%d.log", game);
    write_text(host, path, buf_cstr(&log));
}

static void court_set_up(Court *court, Host *host)
{
    char login[24], cookie[SECRET_TEXT_BYTES];

    court->host = host;
    host_start(host);
    cup_begin(host);
    for (int i = 0; i < SEATS; i++) {
        snprintf(login, sizeof(login), "captain%d", i);
        host_account(host, login, i == 0 ? court->captain : cookie);
        cup_team(host, "cup", teams[i], i == 0 ? court->captain : cookie);
    }
    host_account(host, "organiser", court->organiser);
    must_sql(host, "INSERT INTO role(account, contest, role) SELECT account.id, contest.id,"
                   " 'organiser' FROM account, contest WHERE login = 'organiser'");
    must_sql(host, "INSERT INTO run(contest, stage, part, round, folder, games, counted) SELECT id,"
                   " 't5', 1, 1, 'tracks/t5/main/logs', 2, 2 FROM contest");
    for (int game = 0; game < GAMES; game++)
        play_game(host, game);
    for (int i = 0; i < 2; i++) {
        snprintf(login, sizeof(login), "judge%d", i);
        court->ids[i] = host_account(host, login, court->judges[i]);
        must_sqlf(host,
                  "INSERT INTO role(account, contest, role) SELECT %lld, id, 'judge' FROM contest",
                  (long long)court->ids[i]);
        for (int sheet = 0; sheet < 2 * GAMES; sheet++)
            must_sqlf(host,
                      "INSERT INTO sheet(contest, track, game, criteria, judge, seats, state, at)"
                      " SELECT contest.id, 't5', (SELECT min(id) FROM game) + %d, '%c', %lld,"
                      " '3,1,5,2,4', 'NEW', 1 FROM contest",
                      sheet / 2, sheet % 2 ? 'C' : 'A', (long long)court->ids[i]);
    }
    must_sql(host, "UPDATE contest SET state = 'JUDGING'");
}

static const char whole_sheet[] =
    "{\"ranks\":{\"ミナト\":{\"rank\":1,\"reason\":\"=1+1\"},\"Ken\":{\"rank\":2},"
    "\"May\":{\"rank\":3},\"Ryu\":{\"rank\":4},\"Asu\":{\"rank\":5}}}";

/* ---- whose sheets they are ---- */

/* Of a sheet of another judge all that is said is what is said of none. */
static void sheets_of_others_are_not_there(void **state)
{
    static const struct {
        const char *method, *behind, *body;
    } ways[] = {{"GET", "", ""}, {"PUT", "", whole_sheet}, {"POST", "/submit", "{}"}};
    Court court;
    CLEANUP(answer_done) Reply answer = {0};
    CLEANUP(answer_done) Reply none = {0};
    char path[60], no_path[60];

    court_set_up(&court, *state);
    const Asker askers[] = {{.cookie = court.judges[1]},
                            {.cookie = court.captain},
                            {.cookie = court.organiser},
                            {.local = true},
                            {.cookie = ""}};
    for (size_t who = 0; who < sizeof(askers) / sizeof(askers[0]); who++)
        for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
            snprintf(path, sizeof(path), "contests/cup/sheets/1%s", ways[i].behind);
            snprintf(no_path, sizeof(no_path), "contests/cup/sheets/999%s", ways[i].behind);
            host_ask(court.host, ways[i].method, path, &askers[who], ways[i].body, &answer);
            host_ask(court.host, ways[i].method, no_path, &askers[who], ways[i].body, &none);
            if (answer.status != none.status || answer.status < 401 || answer.status > 404 ||
                !str_eq(buf_str(&answer.body), buf_str(&none.body)))
                fail_msg("%zu %s: %u %s, and %u %s where there is none", who, path, answer.status,
                         buf_cstr(&answer.body), none.status, buf_cstr(&none.body));
        }
    /* the list is one's own */
    Asker judge = {.cookie = court.judges[1]};
    host_must(court.host, 200, "GET", "contests/cup/sheets", &judge, "", &answer);
    const json_t *items = json_get(answer.json, "items");
    assert_int_equal(json_count(items), 4);
    assert_true(str_eq(json_text(json_at(items, 0), "id"), STR("5")));
    Asker captain = {.cookie = court.captain}, organiser = {.cookie = court.organiser};
    host_must(court.host, 403, "GET", "contests/cup/sheets", &captain, "", &answer);
    host_must(court.host, 403, "GET", "contests/cup/sheets", &organiser, "", &answer);
    host_must(court.host, 401, "GET", "contests/cup/sheets", &nobody, "", &answer);
    assert_int_equal(host_number(court.host, "SELECT count(*) FROM rating"), 0);
    assert_int_equal(host_number(court.host, "SELECT count(*) FROM sheet WHERE state = 'NEW'"), 8);
    /* who judges no more has none */
    must_sqlf(court.host, "DELETE FROM role WHERE account = %lld", (long long)court.ids[1]);
    host_must(court.host, 404, "GET", "contests/cup/sheets/5", &judge, "", &answer);
    host_must(court.host, 403, "GET", "contests/cup/sheets", &judge, "", &answer);
    host_end(court.host);
}

/* ---- what a sheet tells ---- */

/* No name of a team in any form, no agent, number of a game, log, time, role or result: not in the
 * list, the sheet or the heads of answers. */
static void a_sheet_tells_of_nobody(void **state)
{
    static const char *const secrets[] = {
        "wool",     "IL",       "ＩＬ",       "owls",     "OWLS",   "trains",
        "captain",  ".log",     "1778646866", "tracks/",  "secret", "POSSESSED",
        "WEREWOLF", "Werewolf", "Seer",       "VILLAGER", "game\"", "judge"};
    Court court;
    CLEANUP(answer_done) Reply sheet = {0};
    CLEANUP(answer_done) Reply list = {0};
    CLEANUP(buf_done) Buf all = {0};

    court_set_up(&court, *state);
    Asker judge = {.cookie = court.judges[0]};
    host_must(court.host, 200, "GET", "contests/cup/sheets", &judge, "", &list);
    host_must(court.host, 200, "GET", "contests/cup/sheets/1", &judge, "", &sheet);
    buf_printf(&all, "%s%s%s%s", buf_cstr(&list.head), buf_cstr(&list.body), buf_cstr(&sheet.head),
               buf_cstr(&sheet.body));
    assert_non_null(strstr(buf_cstr(&all), "Vote for [...] and [...] and [...]!"));
    for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++)
        if (strstr(buf_cstr(&all), secrets[i]))
            fail_msg("'%s' is in: %s", secrets[i], buf_cstr(&all));
    /* seats as they were drawn for this sheet */
    Str first;
    assert_true(json_as_str(json_at(json_get(sheet.json, "names"), 0), &first));
    assert_true(str_eq(first, STR("May")));
    /* and what its turn is not yet for is not shown */
    host_must(court.host, 409, "GET", "contests/cup/sheets/2", &judge, "", &sheet);
    assert_null(strstr(buf_cstr(&sheet.body), "Ken"));
    host_end(court.host);
}

/* ---- ranks ---- */

/* Each is refused, and nothing has changed; a name of a team is nobody's, as any other word. */
static void ranks_of_every_wrong_kind_are_refused(void **state)
{
    static const char *const bad[] = {
        "{\"ranks\":{\"May\":{\"rank\":NaN}}}",
        "{\"ranks\":{\"May\":{\"rank\":1e0}}}",
        "{\"ranks\":{\"May\":{\"rank\":1e999}}}",
        "{\"ranks\":{\"May\":{\"rank\":18446744073709551617}}}",
        "{\"ranks\":{\"May\":{\"rank\":4294967297}}}",
        "{\"ranks\":{\"May\":{\"rank\":-9223372036854775808}}}",
        "{\"ranks\":{\"May\":{\"rank\":0}}}",
        "{\"ranks\":{\"May\":{\"rank\":true}}}",
        "{\"ranks\":{\"May\":{\"rank\":[1]}}}",
        "{\"ranks\":{\"May\":{\"rank\":1},\"Ken\":{\"rank\":1}}}",
        "{\"ranks\":{\"May\":{\"rank\":1},\"May\":{\"rank\":2}}}",
        "{\"ranks\":{\"may\":{\"rank\":1}}}",
        "{\"ranks\":{\"May\\u0000\":{\"rank\":1}}}",
        "{\"ranks\":{\"M\\u0430y\":{\"rank\":1}}}",
        "{\"ranks\":{\"ミナト\xff\":{\"rank\":1}}}",
        "{\"ranks\":{\"owls\":{\"rank\":1}}}",
        "{\"ranks\":{\"1\":{\"rank\":1}}}",
        "{\"ranks\":{\"\":{\"rank\":1}}}",
        "{\"ranks\":{\"May\":{\"score\":6}}}",
        "{\"ranks\":null}",
    };
    Court court;
    CLEANUP(answer_done) Reply answer = {0};
    CLEANUP(buf_done) Buf deep = {0};
    CLEANUP(buf_done) Buf word = {0};

    court_set_up(&court, *state);
    Asker judge = {.cookie = court.judges[0]};
    host_must(court.host, 200, "PUT", "contests/cup/sheets/1", &judge, whole_sheet, &answer);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        host_ask(court.host, "PUT", "contests/cup/sheets/1", &judge, bad[i], &answer);
        if (answer.status < 400 || answer.status > 422)
            fail_msg("%s: %u %s", bad[i], answer.status, buf_cstr(&answer.body));
    }
    host_ask(court.host, "PUT", "contests/cup/sheets/1", &judge,
             "{\"ranks\":{\"owls\":{\"rank\":1}}}", &answer);
    buf_add(&word, buf_str(&answer.body));
    host_ask(court.host, "PUT", "contests/cup/sheets/1", &judge,
             "{\"ranks\":{\"nope\":{\"rank\":1}}}", &answer);
    char *at = strstr(buf_cstr(&answer.body), "nope");
    assert_non_null(at);
    memcpy(at, "owls", 4);
    assert_string_equal(buf_cstr(&word), buf_cstr(&answer.body));
    for (int i = 0; i < 20000; i++)
        buf_add_char(&deep, '[');
    host_ask(court.host, "PUT", "contests/cup/sheets/1", &judge, buf_cstr(&deep), &answer);
    assert_in_range(answer.status, 400, 422);
    assert_int_equal(host_number(court.host, "SELECT sum(rank) FROM rating"), 15);
    assert_int_equal(host_number(court.host, "SELECT count(*) FROM rating"), 5);
    host_end(court.host);
}

/* ---- handed in ---- */

/* From two connections at once, again and again: one of them, and the other is told so. */
static void a_sheet_is_handed_in_once(void **state)
{
    Court court;
    CLEANUP(answer_done) Reply first = {0};
    CLEANUP(answer_done) Reply second = {0};
    CLEANUP(buf_done) Buf request = {0};
    int ends[2];

    court_set_up(&court, *state);
    Asker judge = {.cookie = court.judges[0]};
    host_must(court.host, 200, "PUT", "contests/cup/sheets/1", &judge, whole_sheet, &first);
    answer_done(&first);
    host_write_head("POST", "contests/cup/sheets/1/submit", &judge, 2, &request);
    buf_add(&request, STR("{}"));
    for (int i = 0; i < 2; i++)
        ends[i] = host_dial(court.host, false);
    for (int i = 0; i < 2; i++)
        assert_int_equal(send(ends[i], request.bytes, request.len - 1, MSG_NOSIGNAL),
                         request.len - 1);
    for (int i = 0; i < 2; i++)
        assert_int_equal(send(ends[i], "}", 1, MSG_NOSIGNAL), 1);
    host_read(ends[0], &first);
    host_read(ends[1], &second);
    assert_int_equal(first.status + second.status, 200 + 409);
    close(ends[0]);
    close(ends[1]);
    /* it stays as it is */
    host_must(court.host, 409, "PUT", "contests/cup/sheets/1", &judge, "{\"ranks\":{}}", &first);
    host_must(court.host, 409, "POST", "contests/cup/sheets/1/submit", &judge, "{}", &first);
    assert_int_equal(host_number(court.host, "SELECT count(*) FROM rating"), 5);
    assert_int_equal(
        host_number(court.host, "SELECT count(*) FROM sheet WHERE state = 'DONE' AND id = 1"), 1);
    host_end(court.host);
}

static void behind_judging_a_sheet_is_only_read(void **state)
{
    Court court;
    CLEANUP(answer_done) Reply answer = {0};

    court_set_up(&court, *state);
    Asker judge = {.cookie = court.judges[0]}, organiser = {.cookie = court.organiser};
    host_must(court.host, 200, "PUT", "contests/cup/sheets/1", &judge, whole_sheet, &answer);
    must_sql(court.host, "UPDATE contest SET state = 'APPEALS'");
    host_must(court.host, 409, "PUT", "contests/cup/sheets/1", &judge, "{\"ranks\":{}}", &answer);
    host_must(court.host, 409, "POST", "contests/cup/sheets/1/submit", &judge, "{}", &answer);
    assert_non_null(strstr(buf_cstr(&answer.body), "judging is over"));
    host_must(court.host, 409, "POST", "contests/cup/sheets", &organiser,
              "{\"csv\":\"1,,,,,,May,1\\n\"}", &answer);
    host_must(court.host, 200, "GET", "contests/cup/sheets/1", &judge, "", &answer);
    assert_int_equal(host_number(court.host, "SELECT sum(rank) FROM rating"), 15);
    host_end(court.host);
}

/* ---- what it comes to ---- */

/* For all from APPEALS on, and for nobody before: the file whose digest the ledger has. */
static void scores_are_public_when_judging_is_over(void **state)
{
    static const char scores[] = "{\"tracks\":{\"t5\":{\"criteria\":{\"A\":{\"models\":[{\"model\":"
                                 "\"http://192.0.2.1/v1,model=m,header=X: s\"}]}}}}}\n";
    static const char shown[] = "{\"tracks\":{\"t5\":{\"criteria\":{\"A\":{\"models\":[{\"model\":"
                                "\"m\"}]}}}}}\n";
    Court court;
    CLEANUP(answer_done) Reply answer = {0};

    court_set_up(&court, *state);
    Asker organiser = {.cookie = court.organiser};
    write_text(court.host, "contests/cup/judging/scores.json", scores);
    host_must(court.host, 404, "GET", "contests/cup/scores", &nobody, "", &answer);
    host_must(court.host, 404, "GET", "contests/cup/scores", &organiser, "", &answer);
    must_sql(court.host, "UPDATE contest SET state = 'APPEALS'");
    host_must(court.host, 200, "GET", "contests/cup/scores", &nobody, "", &answer);
    assert_string_equal(buf_cstr(&answer.body), shown);
    assert_non_null(strstr(buf_cstr(&answer.head), "application/json"));
    write_text(court.host, "contests/cup/judging/scores.json", "");
    char path[200];
    snprintf(path, sizeof(path), "%s/contests/cup/judging/scores.json", court.host->data);
    assert_int_equal(unlink(path), 0); /* nobody judged */
    host_must(court.host, 404, "GET", "contests/cup/scores", &nobody, "", &answer);
    host_end(court.host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(sheets_of_others_are_not_there),        CASE(a_sheet_tells_of_nobody),
        CASE(ranks_of_every_wrong_kind_are_refused), CASE(a_sheet_is_handed_in_once),
        CASE(behind_judging_a_sheet_is_only_read),   CASE(scores_are_public_when_judging_is_over),
    };

    return HOST_RUN(tests, false);
}
