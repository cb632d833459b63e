/* test_maw_resume.c - a game master that is killed at random moments, and gone on with: `warg maw
 * --resume` and `warg serve maw --resume`, in its own process and behind prosody and ejabberd with
 * players by `warg join`, some of which are killed and come back, too. A server that is not
 * installed is skipped, and says so.
 *
 * WARG_RESUME_KILLS=N: so many kills in each of the three; 5 without it, 50 in the long form.
 * WARG_RESUME_ON=alone, prosody or ejabberd: only there.
 *
 * Source: docs/spec/models.md 4.5. */
#include "xmpp_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/rng.h"
#include "disk/log_file.h"
#include "journal/journal.h"
#include "maw/session_replay.h"
#include "wire/json_read.h"

#include <fcntl.h>

#define LIMIT_MS  ((int64_t)240 * 1000) /* for whatever a test waits */
#define KILLS     5
#define EACH      10 /* kills in one session */
#define ROUNDS    2
#define GUESTS    2
#define BYTES_MAX ((size_t)64 * 1024 * 1024)

typedef struct Scene {
    XmppServer server; /* its folder is where all is */
    bool has_server;
    bool skipped;
    unsigned session; /* "out0", ... */
    Rng rng;
    char out[16];
    pid_t table, guests[GUESTS];
} Scene;

/* ---- processes ---- */

static pid_t start(const Scene *scene, const char *log, const char *const *line)
{
    const char *program = getenv("WARG");
    char path[128];
    pid_t parent = getpid();

    assert_non_null(program);
    xmpp_server_path(&scene->server, log, path);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid)
        return pid;
    int out = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600), in = open("/dev/null", O_RDONLY);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || out < 0 || in < 0 || chdir(scene->server.folder))
        _exit(126);
    dup2(in, 0);
    dup2(out, 1);
    dup2(out, 2);
    execv(program, (char *const *)(uintptr_t)line);
    _exit(127);
}

static void end(pid_t *pid)
{
    if (*pid > 0) {
        kill(*pid, SIGKILL);
        waitpid(*pid, NULL, 0);
    }
    *pid = 0;
}

/* With all that was printed, as cmocka cuts what is long. */
static void fail_with(const Scene *scene, const char *what)
{
    static const char *const logs[] = {"table.txt", "guest0.txt", "guest1.txt"};
    char path[128], record[32];

    fprintf(stderr, "%s: %s\n", scene->out, what);
    snprintf(record, sizeof(record), "%s/session.jsonl", scene->out);
    for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]) + 1; i++) {
        const char *name = i < sizeof(logs) / sizeof(logs[0]) ? logs[i] : record;
        xmpp_server_path(&scene->server, name, path);
        char *text = xmpp_server_read(path);
        size_t length = strlen(text);
        fprintf(stderr, "---- %s ----\n%s\n", name, text + (length > 8000 ? length - 8000 : 0));
        free(text);
    }
    fail();
}

/* True when it has ended, well. */
static bool has_ended(const Scene *scene, pid_t *pid, const char *what)
{
    int status = 0;

    if (*pid == 0 || waitpid(*pid, &status, WNOHANG) != *pid)
        return *pid == 0;
    *pid = 0;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_with(scene, what);
    return true;
}

static void await_end(const Scene *scene, pid_t *pid, const char *what)
{
    int64_t until = xmpp_server_now_ms() + LIMIT_MS;

    while (!has_ended(scene, pid, what)) {
        if (xmpp_server_now_ms() > until)
            fail_with(scene, what);
        xmpp_server_sleep_ms(20);
    }
}

/* ---- who plays ---- */

static void open_table(Scene *scene, bool resumed)
{
    const char *line[40] = {"warg", "maw"};
    size_t count = 2;
    char port[8];

    if (scene->session % 2) { /* as a server among others */
        line[1] = "serve";
        line[count++] = "maw";
    }
    snprintf(port, sizeof(port), "%u", scene->server.component_port);
    const char *const made[] = {"--rounds", "2",    "--day-s", "2",     "--night-s",
                                "1",        "--id", "test",    "--out", NULL};
    const char *const behind[] = {"--xmpp", "localhost", "-n", "4", "--bots",
                                  "2",      "--port",    port, NULL};
    const char *const alone[] = {"-n", "5", "--llm", "demo*2", "--bots", "3", NULL};
    const char *const again[] = {"--wait", "20s", "--resume", NULL};
    for (size_t i = 0; resumed && again[i]; i++)
        line[count++] = again[i];
    for (size_t i = 0; !resumed && (scene->has_server ? behind : alone)[i]; i++)
        line[count++] = (scene->has_server ? behind : alone)[i];
    for (size_t i = 0; !resumed && made[i]; i++)
        line[count++] = made[i];
    line[count++] = scene->out;
    line[count] = NULL;
    scene->table = start(scene, "table.txt", line);
}

static void open_guest(Scene *scene, int number)
{
    char port[8], jid[32], log[16];

    snprintf(port, sizeof(port), "%u", scene->server.client_port);
    snprintf(jid, sizeof(jid), "guest%d@localhost", number);
    snprintf(log, sizeof(log), "guest%d.txt", number);
    const char *const line[] = {
        "warg",      "join",      "-x",     jid,  "-g",    "gm@maw.localhost",
        "--host",    "127.0.0.1", "--port", port, "--tls", "off",
        "--timeout", "200s",      NULL};
    scene->guests[number] = start(scene, log, line);
}

/* ---- what came of it ---- */

static void read_file(const Scene *scene, const char *name, Buf *out)
{
    char path[160];

    snprintf(path, sizeof(path), "%s/%s/%s", scene->server.folder, scene->out, name);
    if (log_file_read(path, BYTES_MAX, out, NULL))
        fail_with(scene, path);
}

typedef struct Counted {
    unsigned games[ROUNDS];
    int64_t points;
} Counted;

static int on_game(void *user, const GameRecord *record, Err *err)
{
    Counted *counted = user;

    (void)err;
    assert_true(record->set < ROUNDS);
    counted->games[record->set]++;
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++)
        counted->points += record->result.points[seat];
    return 0;
}

static int64_t points_in(const json_t *players)
{
    int64_t sum = 0;

    for (size_t i = 0; i < json_count(players); i++)
        sum += json_number(json_at(players, i), "points");
    return sum;
}

/* Those who came by XMPP have their seats in every round. */
static void check_guests(const Scene *scene, const json_t *players)
{
    unsigned found = 0;

    for (size_t i = 0; i < json_count(players); i++)
        found += str_starts(json_text(json_at(players, i), "jid"), STR("guest"));
    if (found != (scene->has_server ? GUESTS : 0))
        fail_with(scene, "a guest has not its seat");
}

/* Each round was begun and ended once. */
static int64_t check_rounds(const Scene *scene, Str rest)
{
    unsigned starts[ROUNDS + 1] = {0}, ends[ROUNDS + 1] = {0};
    int64_t points = 0;

    while (rest.len) {
        json_t *event = NULL;
        assert_int_equal(json_read(str_cut(&rest, '\n'), BYTES_MAX, &event, NULL), 0);
        int64_t round = json_number(event, "round");
        assert_in_range(round, 0, ROUNDS);
        if (str_eq(json_text(event, "event"), STR("start_game"))) {
            starts[round]++;
            check_guests(scene, json_get(event, "players"));
        }
        if (str_eq(json_text(event, "event"), STR("expired")))
            fail_with(scene, "a player has lost its seat");
        if (str_eq(json_text(event, "event"), STR("end_game"))) {
            ends[round]++;
            points += points_in(json_get(event, "players"));
        }
        json_done(event);
    }
    for (unsigned round = 1; round <= ROUNDS; round++)
        if (starts[round] != 1 || ends[round] != 1)
            fail_with(scene, "a round was lost, or played twice");
    return points;
}

static void check_session(const Scene *scene, unsigned kills)
{
    CLEANUP(buf_done) Buf record = {0};
    CLEANUP(buf_done) Buf board = {0};
    MawReplayVerdict verdict = {0};
    Counted counted = {0};
    const JournalListener listener = {.game = on_game, .user = &counted};
    char folder[128];
    json_t *json = NULL;

    read_file(scene, "session.jsonl", &record);
    assert_int_equal(maw_record_replay(buf_str(&record), &verdict, NULL), 0);
    if (!verdict.ok)
        fail_with(scene, verdict.reason);
    int64_t points = check_rounds(scene, buf_str(&record));
    xmpp_server_path(&scene->server, scene->out, folder);
    assert_int_equal(journal_read(folder, &listener, NULL, NULL), 0);
    for (unsigned round = 0; round < ROUNDS; round++)
        assert_int_equal(counted.games[round], 1);
    assert_int_equal(counted.points, points);
    read_file(scene, "leaderboard.json", &board);
    assert_int_equal(json_read(str_trim(buf_str(&board)), BYTES_MAX, &json, NULL), 0);
    assert_int_equal(points_in(json_get(json, "players")), points);
    json_done(json);
    print_message("%s: %u kills, %zu bytes\n", scene->out, kills, record.len);
}

/* ---- kills ---- */

/* As long as it takes to come to a moment that it was not at before, and sometimes less. */
static void wait_a_while(Scene *scene, unsigned kill)
{
    const uint32_t most = scene->has_server ? 4000 : 2500;

    xmpp_server_sleep_ms((long)rng_below(&scene->rng, kill % 4 == 3 ? 60 : most));
}

/* A session, with up to so many kills; returns how many there were. */
static unsigned play_session(Scene *scene, unsigned kills)
{
    unsigned done = 0;

    snprintf(scene->out, sizeof(scene->out), "out%u", scene->session);
    open_table(scene, false);
    for (int i = 0; i < GUESTS && scene->has_server; i++)
        open_guest(scene, i);
    while (done < kills) {
        wait_a_while(scene, done);
        if (has_ended(scene, &scene->table, "the table has failed"))
            break;
        end(&scene->table);
        done++;
        for (int i = 0; i < GUESTS && scene->has_server; i++)
            if (rng_below(&scene->rng, 4) == 0 && scene->guests[i]) { /* a new life of a player */
                end(&scene->guests[i]);
                open_guest(scene, i);
            }
        open_table(scene, true);
    }
    await_end(scene, &scene->table, "the table has not come to its end");
    for (int i = 0; i < GUESTS && scene->has_server; i++)
        end(&scene->guests[i]);
    check_session(scene, done);
    scene->session++;
    return done;
}

static void no_round_is_lost_or_counted_twice(void **state)
{
    Scene *scene = *state;
    const char *told = getenv("WARG_RESUME_KILLS");
    unsigned kills = told ? (unsigned)strtoul(told, NULL, 10) : KILLS;

    if (scene->skipped)
        skip();
    for (unsigned done = 0; done < kills;)
        done += play_session(scene, kills - done < EACH ? kills - done : EACH);
}

/* ---- beginning and end ---- */

static int scene_open(void **state, const char *missing)
{
    Scene *scene = calloc(1, sizeof(*scene));

    assert_non_null(scene);
    *state = scene;
    scene->rng = rng_new((uint64_t)getpid());
    setenv("WARG_XMPP_SECRET", "mawsecret", 1);
    setenv("WARG_PASSWORD", "pw", 1);
    if (missing)
        print_message("%s: its tests are skipped\n", missing);
    scene->skipped = missing != NULL;
    return 0;
}

static int open_alone(void **state)
{
    int rc = scene_open(state, NULL);
    Scene *scene = *state;

    snprintf(scene->server.folder, sizeof(scene->server.folder), "/tmp/maw-resume-XXXXXX");
    return mkdtemp(scene->server.folder) ? rc : -1;
}

static int open_server(void **state, XmppServerKind kind)
{
    int rc = scene_open(state, xmpp_server_missing(kind));
    Scene *scene = *state;

    if (rc || scene->skipped)
        return rc;
    xmpp_server_start(&scene->server, kind);
    scene->has_server = true;
    for (int i = 0; i < GUESTS; i++) {
        char name[16];
        snprintf(name, sizeof(name), "guest%d", i);
        assert_true(xmpp_server_add_account(&scene->server, name, "pw"));
    }
    return 0;
}

static int open_prosody(void **state)
{
    return open_server(state, XMPP_PROSODY);
}

static int open_ejabberd(void **state)
{
    return open_server(state, XMPP_EJABBERD);
}

static int scene_close(void **state)
{
    Scene *scene = *state;

    for (int i = 0; i < GUESTS; i++)
        end(&scene->guests[i]);
    end(&scene->table);
    if (scene->has_server)
        xmpp_server_done(&scene->server);
    else if (!scene->skipped)
        xmpp_server_remove(&scene->server);
    free(scene);
    return 0;
}

static int run_on(const char *name, const struct CMUnitTest *tests, int (*open)(void **state))
{
    const char *only = getenv("WARG_RESUME_ON");

    if (only && strcmp(only, name) != 0)
        return 0;
    return _cmocka_run_group_tests(name, tests, 1, open, scene_close);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_round_is_lost_or_counted_twice),
    };

    return run_on("alone", tests, open_alone) + run_on("prosody", tests, open_prosody) +
           run_on("ejabberd", tests, open_ejabberd);
}
