/* test_maw_join.c - `warg join` at a table behind prosody and ejabberd, which are restarted under
 * it. A server that is not installed is skipped, and says so.
 *
 * Source: docs/spec/models.md 4.1; docs/spec/maw.md 8.3. */
#include "xmpp_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/exit_status.h"

#include <fcntl.h>

#define LIMIT_MS ((int64_t)240 * 1000) /* for whatever a test waits */

/* A server, a table and a player: two processes of ours. */
typedef struct Scene {
    XmppServer server;
    bool started;
    pid_t table, player, interface;
} Scene;

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
    int out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600), in = open("/dev/null", O_RDONLY);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || out < 0 || in < 0 || chdir(scene->server.folder))
        _exit(126);
    dup2(in, 0);
    dup2(out, 1);
    dup2(out, 2);
    execv(program, (char *const *)(uintptr_t)line);
    _exit(127);
}

static char *text_of(const Scene *scene, const char *file)
{
    char path[128];

    xmpp_server_path(&scene->server, file, path);
    return xmpp_server_read(path);
}

/* How often a file has a line with both texts, after the first one with `since` (NULL: all). */
static unsigned count(const Scene *scene, const char *file, const char *since, const char *one,
                      const char *two)
{
    char *text = text_of(scene, file);
    char *at = text && since ? strstr(text, since) : text;
    unsigned found = 0;

    for (char *line = at ? strtok_r(at, "\n", &at) : NULL; line; line = strtok_r(NULL, "\n", &at))
        found += strstr(line, one) && strstr(line, two);
    free(text);
    return found;
}

static void fail_with(const Scene *scene, const char *what)
{
    char *player = text_of(scene, "join.txt"), *table = text_of(scene, "table.txt");

    fprintf(stderr, "%s\nthe player: %s\nthe table: %s\n", what, player ? player : "",
            table ? table : "");
    free(player);
    free(table);
    fail();
}

static void await_line(const Scene *scene, const char *since, const char *one, const char *two)
{
    int64_t end = xmpp_server_now_ms() + LIMIT_MS;

    while (count(scene, "out/session.jsonl", since, one, two) == 0) {
        if (xmpp_server_now_ms() > end)
            fail_with(scene, one);
        xmpp_server_sleep_ms(100);
    }
}

/* With status 0; or of a player whose decisions came late, as on a slow machine, that of rules that
 * took them. */
static void await_end(const Scene *scene, pid_t *pid, const char *what)
{
    int64_t end = xmpp_server_now_ms() + LIMIT_MS;
    int status = 0;

    while (waitpid(*pid, &status, WNOHANG) == 0) {
        if (xmpp_server_now_ms() > end)
            fail_with(scene, what);
        xmpp_server_sleep_ms(100);
    }
    *pid = 0;
    if (!WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != EXIT_NOT_OWN)) {
        print_message("status %d, signal %d\n", WEXITSTATUS(status), WTERMSIG(status));
        fail_with(scene, what);
    }
}

/* A model interface of ours decides for the player. */
static void open_interface(Scene *scene)
{
    char client_port[8];

    snprintf(client_port, sizeof(client_port), "%u", scene->server.client_port);
    assert_true(xmpp_server_add_account(&scene->server, "ui", "pw"));
    const char *const line[] = {"warg",          "join",   "-x",        "ui@localhost", "--host",
                                "127.0.0.1",     "--port", client_port, "--tls",        "off",
                                "--interface",   "model",  "--bot",     "random",       "--for",
                                "ann@localhost", NULL};
    scene->interface = start(scene, "interface.txt", line);
}

static void open_table(Scene *scene, const char *asked)
{
    char port[8], client_port[8];

    snprintf(port, sizeof(port), "%u", scene->server.component_port);
    snprintf(client_port, sizeof(client_port), "%u", scene->server.client_port);
    setenv("WARG_XMPP_SECRET", "mawsecret", 1);
    setenv("WARG_PASSWORD", "pw", 1);
    assert_true(xmpp_server_add_account(&scene->server, "ann", "pw"));
    const char *const table[] = {"warg",      "maw",
                                 "--xmpp",    "localhost",
                                 "--port",    port,
                                 "-n",        "3",
                                 "--bots",    "2",
                                 "--day-s",   asked ? "6" : "12",
                                 "--night-s", asked ? "3" : "6",
                                 "--out",     "out",
                                 NULL};
    const char *const player[] = {"warg",          "join",      "-x",
                                  "ann@localhost", "-g",        "gm@maw.localhost",
                                  "--host",        "127.0.0.1", "--port",
                                  client_port,     "--tls",     "off",
                                  "--timeout",     "200s",      asked ? "--ask-model" : NULL,
                                  asked,           NULL};
    scene->table = start(scene, "table.txt", table);
    scene->player = start(scene, "join.txt", player);
}

static void a_player_comes_back_after_a_restart_of_the_server(void **state)
{
    Scene *scene = *state;

    if (!scene->started)
        skip();
    open_table(scene, NULL);
    await_line(scene, NULL, "\"event\":\"start_game\"", "");
    await_line(scene, NULL, "\"event\":\"phase\"", "");
    xmpp_server_stop(&scene->server);
    await_line(scene, NULL, "\"event\":\"link\"", "\"state\":\"down\"");
    xmpp_server_again(&scene->server);
    await_end(scene, &scene->player, "the player has not heard the session's end");
    await_end(scene, &scene->table, "the table has not come to its end");
    /* Whatever it said after the restart: with an address of before, ejabberd takes nothing. */
    if (count(scene, "out/session.jsonl", "\"state\":\"up\"", "\"outcome\":\"accepted\"",
              "ann@localhost") == 0)
        fail_with(scene, "nothing of the player was heard after the restart");
    assert_int_equal(count(scene, "out/session.jsonl", NULL, "\"event\":\"expired\"", "ann"), 0);
}

/* Its name is asked for, and its decisions are; the interface ends with the session. */
static void an_interface_agent_decides_for_a_player(void **state)
{
    Scene *scene = *state;

    if (!scene->started)
        skip();
    open_interface(scene);
    open_table(scene, "ui@localhost");
    await_line(scene, NULL, "\"outcome\":\"accepted\",\"type\":\"vote\"", "ann@localhost");
    await_end(scene, &scene->player, "the player has not heard the session's end");
    await_end(scene, &scene->table, "the table has not come to its end");
    await_end(scene, &scene->interface, "the interface has not heard the session's end");
    assert_int_equal(
        count(scene, "out/session.jsonl", NULL, "\"event\":\"joined\"", "\"name\":\"ann\""), 0);
    char *told = text_of(scene, "interface.txt");
    assert_non_null(told);
    assert_non_null(strstr(told, "questions answered"));
    free(told);
}

/* ---- beginning and end ---- */

static int scene_open(void **state, XmppServerKind kind)
{
    Scene *scene = calloc(1, sizeof(*scene));
    const char *missing = xmpp_server_missing(kind);

    assert_non_null(scene);
    *state = scene;
    if (missing) {
        print_message("%s: its tests are skipped\n", missing);
        return 0;
    }
    xmpp_server_start(&scene->server, kind);
    scene->started = true;
    return 0;
}

static int open_prosody(void **state)
{
    return scene_open(state, XMPP_PROSODY);
}

static int open_ejabberd(void **state)
{
    return scene_open(state, XMPP_EJABBERD);
}

static void end(pid_t pid)
{
    if (pid > 0) {
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
}

static int scene_close(void **state)
{
    Scene *scene = *state;

    end(scene->player);
    end(scene->interface);
    end(scene->table);
    if (scene->started)
        xmpp_server_done(&scene->server);
    free(scene);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_player_comes_back_after_a_restart_of_the_server),
    };
    const struct CMUnitTest asking[] = {
        cmocka_unit_test(an_interface_agent_decides_for_a_player),
    };
    int failed = cmocka_run_group_tests_name("prosody", tests, open_prosody, scene_close);

    failed += cmocka_run_group_tests_name("prosody", asking, open_prosody, scene_close);
    failed += cmocka_run_group_tests_name("ejabberd", tests, open_ejabberd, scene_close);
    return failed + cmocka_run_group_tests_name("ejabberd", asking, open_ejabberd, scene_close);
}
