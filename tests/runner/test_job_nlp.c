/* A track's server as a job, with real bots of `warg bot nlp` as participants. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "disk/key_file.h"
#include "disk/log_file.h"
#include "journal/journal.h"
#include "net/loop.h"
#include "nlp/history.h"
#include "nlp/track_key.h"
#include "runner/job_nlp.h"
#include "runner/track_schedule.h"
#include "wire/json_read.h"
#include "wire/jwt.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_MS 120000
#define BOTS_STAY   "1000000"

typedef struct Place {
    char data[48], folder[96], home[80], track[96];
    JobPlace job;
    Key tokens;
} Place;

static void run_shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void run_shell(const char *format, ...)
{
    char command[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(command, sizeof(command), format, args);
    va_end(args);
    if (system(command) != 0)
        fail_msg("%s", command);
}

static TimeUs time_now(void)
{
    return loop_now();
}

static int place_set_up(void **state)
{
    Place *place = mem_new(sizeof(*place));

    snprintf(place->data, sizeof(place->data), "/tmp/warg-job-nlp-XXXXXX");
    assert_non_null(mkdtemp(place->data));
    snprintf(place->folder, sizeof(place->folder), "%s/job", place->data);
    snprintf(place->home, sizeof(place->home), "%s/contests/cup", place->data);
    snprintf(place->track, sizeof(place->track), "%s/tracks/t5", place->home);
    run_shell("mkdir -p '%s/out' '%s' && : >'%s/tries'", place->folder, place->track,
              place->folder);
    assert_int_equal(key_draw(&place->tokens, NULL), 0);
    assert_int_equal(key_file_write_as(place->home, TRACK_TOKENS_NAME, &place->tokens, NULL), 0);
    place->job = (JobPlace){.data = place->data,
                            .id = "01J",
                            .folder = place->folder,
                            .out = place->folder,
                            .date = loop_date_ms,
                            .now = time_now};
    *state = place;
    return 0;
}

static int place_tear_down(void **state)
{
    Place *place = *state;

    run_shell("rm -rf '%s'", place->data);
    mem_free(place);
    return 0;
}

/* The job in a process of its own; what came of it is in DATA/result. */
static pid_t start_job(Place *place, const char *spec)
{
    pid_t pid = fork();

    if (pid)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    CLEANUP(buf_done) Buf text = {0};
    Json json = json_over(&text);
    json_t *job = NULL;
    char path[96];
    Err err = {0};
    json_open(&json, '{');
    int rc = json_read(str_of(spec), strlen(spec), &job, &err);
    if (rc == 0)
        rc = job_nlp(&place->job, job, &json, &err);
    json_close(&json);
    snprintf(path, sizeof(path), "%s/result", place->data);
    FILE *file = fopen(path, "w");
    if (file)
        fprintf(file, "%s", rc ? err.msg : buf_cstr(&text));
    if (file)
        fclose(file);
    _exit(rc ? 1 : 0);
}

static int end_job(pid_t pid)
{
    int status;

    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static bool file_has(const char *path, const char *part)
{
    CLEANUP(buf_done) Buf text = {0};
    size_t at;

    return log_file_read(path, (size_t)1 << 20, &text, NULL) == 0 &&
           str_find(buf_str(&text), str_of(part), &at);
}

static void await_in(const char *path, const char *part)
{
    for (int waited = 0; !file_has(path, part); waited += 50) {
        if (waited > PATIENCE_MS)
            fail_msg("'%s' does not come in %s", part, path);
        poll(NULL, 0, 50);
    }
}

/* The port, once the job says it. */
static uint16_t job_port(const Place *place, const char *run)
{
    CLEANUP(buf_done) Buf text = {0};
    char path[160];
    json_t *json = NULL;

    snprintf(path, sizeof(path), "%s/%s/status.json", place->track, run);
    await_in(path, "\"port\":");
    assert_int_equal(log_file_read(path, (size_t)1 << 20, &text, NULL), 0);
    assert_int_equal(json_read(buf_str(&text), text.len, &json, NULL), 0);
    int64_t port = json_number(json, "port");
    json_done(json);
    return (uint16_t)port;
}

static void token_of(const Place *place, const char *track, const char *team, Buf *token)
{
    char secret[KEY_HEX_BYTES];
    JwtClaims claims = {.role = "PLAYER"};

    snprintf(claims.team, sizeof(claims.team), "%s", team);
    track_key(&place->tokens, str_of(track), secret);
    assert_int_equal(jwt_make(&claims, loop_date_ms() / 1000, str_of(secret), token, NULL), 0);
}

/* Bots of a team, until each has played so many games. A game that
 * is under way when they are told to end waits a minute for them. */
static pid_t start_bots(uint16_t port, const char *team, const char *count, const char *games,
                        Str token)
{
    char url[64], text[JWT_BYTES_MAX];
    const char *warg = getenv("WARG");

    snprintf(url, sizeof(url), "ws://127.0.0.1:%u/ws", port);
    snprintf(text, sizeof(text), "%.*s", STR_ARG(token));
    pid_t pid = fork();
    if (pid)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
        _exit(1);
    execl(warg, warg, "bot", "nlp", "--url", url, "--team", team, "-n", count, "--token", text,
          "--reconnect", "--retry", "1s", "--quiet", "--games", games, (char *)NULL);
    _exit(1);
}

static void end_bots(pid_t pid)
{
    kill(pid, SIGTERM);
    waitpid(pid, NULL, 0);
}

/* ---- games in the journal ---- */

typedef struct Games {
    int decided, aborted;
    char last_log[GAME_LOG_MAX + 1];
    int of_team[8]; /* by the first letter: a .. h */
} Games;

static int hear_game(void *user, const GameRecord *record, Err *err)
{
    Games *games = user;

    (void)err;
    if (record->result.winner == SIDE_NONE)
        games->aborted++;
    else
        games->decided++;
    snprintf(games->last_log, sizeof(games->last_log), "%s", record->log);
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++)
        games->of_team[record->seats[seat].team.bytes[0] - 'a']++;
    return 0;
}

static Games read_games(const Place *place, const char *run)
{
    Games games = {0};
    const JournalListener listener = {.game = hear_game, .user = &games};
    char path[160];

    snprintf(path, sizeof(path), "%s/%s/logs", place->track, run);
    assert_int_equal(journal_read(path, &listener, NULL, NULL), 0);
    return games;
}

static void spec_of(const Place *place, bool main, const char *more, char *ret, size_t room)
{
    (void)place;
    snprintf(ret, room,
             "{\"kind\":\"nlp\",\"contest\":\"cup\",\"track\":\"t5\",\"main\":%s,\"port\":0,"
             "\"config\":\"%s/config/nlp/default_en_5.yml\"%s}",
             main ? "true" : "false", getenv("WARG_SOURCE"), more);
}

static void stop_job(const Place *place)
{
    run_shell(": >'%s/stop'", place->folder);
}

/* ---- tests ---- */

static void a_connection_check_lets_each_team_play_itself(void **state)
{
    Place *place = *state;
    CLEANUP(buf_done) Buf token = {0};
    CLEANUP(buf_done) Buf other = {0};
    char spec[1024], status[160], log[160];

    spec_of(place, false, "", spec, sizeof(spec));
    snprintf(status, sizeof(status), "%s/check/status.json", place->track);
    snprintf(log, sizeof(log), "%s/check/server.log", place->track);
    pid_t job = start_job(place, spec);
    uint16_t port = job_port(place, "check");
    token_of(place, "t5", "ann", &token);
    pid_t bots = start_bots(port, "ann", "5", "2", buf_str(&token));
    await_in(status, "\"progress\"");
    /* who has no token of its own, or one of another track, is told why */
    token_of(place, "t9", "bo", &other);
    pid_t wrong = start_bots(port, "bo", "1", BOTS_STAY, buf_str(&other));
    await_in(status, "\"team\":\"bo\",\"code\":1008,\"why\":\"token:");
    end_bots(wrong);
    for (int waited = 0; read_games(place, "check").decided < 2; waited += 100) {
        if (waited > PATIENCE_MS)
            fail_msg("no games are played");
        poll(NULL, 0, 100);
    }
    stop_job(place);
    end_bots(bots);
    assert_int_equal(end_job(job), 0);
    snprintf(status, sizeof(status), "%s/result", place->data);
    assert_true(file_has(status, "\"complete\":false,\"stopped\":true"));
    assert_true(file_has(log, "listening on ws://127.0.0.1:"));
    assert_true(file_has(log, " address=127.0.0.0 ")); /* nobody's own address is kept */
    assert_false(file_has(log, " address=127.0.0.1"));
    Games games = read_games(place, "check");
    assert_true(games.of_team[0] >= 10);
    assert_int_equal(games.of_team[1], 0);
    struct stat info;
    assert_int_equal(stat(log, &info), 0);
    assert_int_equal(info.st_mode & 077, 0);
}

static void main_matches_are_played_to_the_end_over_two_windows(void **state)
{
    static const char *const teams[] = {"ann", "bo", "cy", "di", "ed", "fay"};
    Place *place = *state;
    char spec[1024], path[192];
    pid_t bots[6];

    spec_of(place, true,
            ",\"teams\":[\"ann\",\"bo\",\"cy\",\"di\",\"ed\",\"fay\"],\"matches\":[5,10]", spec,
            sizeof(spec));
    snprintf(path, sizeof(path), "%s/away.json", place->track);
    FILE *away = fopen(path, "w"); /* fay comes later */
    assert_non_null(away);
    fputs("[\"fay\"]", away);
    fclose(away);
    pid_t job = start_job(place, spec);
    uint16_t port = job_port(place, "main");
    for (int i = 0; i < 6; i++) {
        CLEANUP(buf_done) Buf token = {0};
        token_of(place, "t5", teams[i], &token);
        bots[i] = start_bots(port, teams[i], "1", BOTS_STAY, buf_str(&token));
    }
    /* without fay one of six matches can be played; the window closes and another one opens */
    for (int waited = 0; read_games(place, "main").decided < 1; waited += 100) {
        if (waited > PATIENCE_MS)
            fail_msg("no games are played");
        poll(NULL, 0, 100);
    }
    assert_int_equal(read_games(place, "main").of_team[5], 0);
    /* left out before the server was there, which had nothing to do for it: agents may have been
     * waiting for its port */
    snprintf(path, sizeof(path), "%s/main/logs/journal.jsonl", place->track);
    assert_true(file_has(path, "\"team\":\"fay\""));
    snprintf(path, sizeof(path), "%s/main/server.log", place->track);
    assert_false(file_has(path, "leave-out"));
    for (int i = 0; i < 6; i++)
        end_bots(bots[i]);
    stop_job(place);
    assert_int_equal(end_job(job), 0);
    snprintf(path, sizeof(path), "%s/stop", place->folder);
    assert_int_equal(unlink(path), 0);

    snprintf(path, sizeof(path), "%s/away.json", place->track);
    away = fopen(path, "w");
    assert_non_null(away);
    fputs("[]", away);
    fclose(away);
    job = start_job(place, spec);
    port = job_port(place, "main");
    for (int i = 0; i < 6; i++) {
        CLEANUP(buf_done) Buf token = {0};
        token_of(place, "t5", teams[i], &token);
        bots[i] = start_bots(port, teams[i], "1", BOTS_STAY, buf_str(&token));
    }
    assert_int_equal(end_job(job), 0); /* by itself: all is played */
    for (int i = 0; i < 6; i++)
        end_bots(bots[i]);
    snprintf(path, sizeof(path), "%s/result", place->data);
    assert_true(file_has(path, "\"complete\":true"));
    Games games = read_games(place, "main");
    assert_int_equal(games.decided, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(games.of_team[i], 5); /* each as often */
}

static void a_file_that_is_none_fails_with_its_reason(void **state)
{
    Place *place = *state;
    char path[96];
    pid_t job =
        start_job(place, "{\"contest\":\"cup\",\"track\":\"t5\",\"config\":\"missing.yml\"}");

    assert_int_equal(end_job(job), 1);
    snprintf(path, sizeof(path), "%s/result", place->data);
    assert_true(file_has(path, "missing.yml"));
    job = start_job(place, "{\"contest\":\"../x\",\"track\":\"t5\"}");
    assert_int_equal(end_job(job), 1);
    assert_true(file_has(path, "expected `contest`"));
}

/* ---- schedules ---- */

static void schedule_is_even(const char *file, uint32_t team_count, uint32_t least, uint32_t most)
{
    static const Str names[] = {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"e", 1}, {"f", 1},
                                {"g", 1}, {"h", 1}, {"i", 1}, {"j", 1}, {"k", 1}, {"l", 1}};
    CLEANUP(history_freep) History *history = NULL;
    char path[256], out[] = "/tmp/warg-schedule-XXXXXX";
    uint32_t all[12] = {0}, roles[12][ROLE_COUNT] = {{0}};
    Config *config = NULL;
    Err err = {0};

    snprintf(path, sizeof(path), "%s/config/nlp/%s", getenv("WARG_SOURCE"), file);
    assert_int_equal(config_load(path, NULL, NULL, NULL, &config, &err), 0);
    int fd = mkstemp(out);
    assert_true(fd >= 0);
    close(fd);
    unlink(out);
    const TrackSchedule schedule = {config, names, team_count, least, most, 7};
    if (track_schedule_make(&schedule, out, &err) || history_load(out, &history, &err))
        fail_msg("%s", err.msg);
    unlink(out);
    for (uint32_t i = 0; i < history_scheduled_count(history); i++) {
        const HistoryMatch *match = history_scheduled(history, i);
        for (uint8_t k = 0; k < match->count; k++) {
            all[match->teams[k]]++;
            roles[match->teams[k]][match->roles[k]]++;
        }
    }
    uint8_t counts[ROLE_COUNT];
    assert_int_equal(ruleset_roles(&config->rules, config->agent_count, counts, &err), 0);
    for (uint32_t team = 0; team < team_count; team++) {
        assert_in_range(all[team], least, most);
        for (unsigned role = 0; role < ROLE_COUNT; role++) {
            uint32_t floor = history_scheduled_count(history) * counts[role] / team_count;
            assert_in_range(roles[team][role], floor, floor + 1);
        }
        assert_true(str_eq(history_team_name(history, team), names[team]));
    }
    config_free(config);
}

static void everybody_plays_between_the_two_numbers_and_each_role_as_often(void **state)
{
    (void)state;
    schedule_is_even("default_en_5.yml", 6, 75, 100);
    schedule_is_even("default_en_5.yml", 8, 8, 12);
    schedule_is_even("default_en_5.yml", 5, 1, 1);
    schedule_is_even("default_en_5.yml", 11, 9, 20);
    schedule_is_even("default_9.yml", 12, 12, 18);
    schedule_is_even("default_9.yml", 10, 12, 18);
    schedule_is_even("freeform_en_5.yml", 7, 8, 12);
}

static void numbers_between_which_nothing_fits_are_refused(void **state)
{
    char path[256];
    Config *config = NULL;
    uint32_t count = 0;
    Err err = {0};
    (void)state;

    snprintf(path, sizeof(path), "%s/config/nlp/default_en_5.yml", getenv("WARG_SOURCE"));
    assert_int_equal(config_load(path, NULL, NULL, NULL, &config, &err), 0);
    TrackSchedule schedule = {config, NULL, 4, 1, 9, 7};
    assert_int_equal(track_match_count(&schedule, &count, NULL), ERR_RULE); /* 4 teams of 5 */
    schedule.team_count = 6;
    schedule.matches_max = 1; /* 6 teams once each: no number of matches of 5 */
    assert_int_equal(track_match_count(&schedule, &count, NULL), ERR_RULE);
    schedule.matches_max = 9;
    assert_int_equal(track_match_count(&schedule, &count, NULL), 0);
    assert_int_equal(count, 6);
    config_free(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_plays_between_the_two_numbers_and_each_role_as_often),
        cmocka_unit_test(numbers_between_which_nothing_fits_are_refused),
        cmocka_unit_test_setup_teardown(a_file_that_is_none_fails_with_its_reason, place_set_up,
                                        place_tear_down),
        cmocka_unit_test_setup_teardown(a_connection_check_lets_each_team_play_itself, place_set_up,
                                        place_tear_down),
        cmocka_unit_test_setup_teardown(main_matches_are_played_to_the_end_over_two_windows,
                                        place_set_up, place_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
