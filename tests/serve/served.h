/* served.h - a server of the natural-language division on a loop, its agents and its visitors.
 *
 * For:    test_server.c, test_secrecy.c.
 * Memory: set_up and tear_down, for cmocka.
 */
#ifndef WARG_TESTS_NLP_SERVED_H
#define WARG_TESTS_NLP_SERVED_H

#include <ftw.h>
#include <unistd.h>

#include "net/http_client.h"
#include "net/tcp.h"
#include "net/web_client.h"
#include "serve/server.h"
#include "wire/jwt.h"

#define AGENTS   5
#define SECRET   "a secret of the tests"
#define OPERATOR "an operator's token, quite long"
/* A test that hangs is stopped by this. */
#define TOO_LONG_US ((TimeUs)60 * 1000 * 1000)

/* How many loops the servers of the tests have; a test holds for any number. */
static unsigned test_loops = 1;

/* Runs a group of tests for each number of loops. */
#define RUN_FOR_ALL_LOOPS(tests)                                                                   \
    for (int failed = 0;; test_loops++) {                                                          \
        failed += cmocka_run_group_tests(tests, NULL, NULL);                                       \
        if (failed || test_loops == 3)                                                             \
            return failed;                                                                         \
    }

struct Run;

/* A participant that says hello and points at the first who lives. */
typedef struct Agent {
    struct Run *run;
    unsigned number;
    WebClient *client;
    unsigned packets;
    unsigned status;
    uint16_t code;
    bool ended;
    char owes[32]; /* the first who lived, when it was held */
} Agent;

typedef struct Run {
    char top[64];
    char dirs[3][96];
    Config *config;
    Loop *loop;
    Timer *limit;
    HttpClient *http;
    Server *server;
    Agent agents[AGENTS + 1];
    unsigned ended;   /* agents */
    const char *hold; /* the first who is asked this says nothing, and the loop stops */
    Agent *held;
    bool over;
    uint32_t games; /* after so many the server is over; 0 = never */
    bool too_long;
    bool answered;
    unsigned status; /* of the last answer */
    Buf body;
    Buf notes;  /* the server's log */
    Buf stream; /* all of an event stream that has ended */
} Run;

/* ---- surroundings ---- */

static inline int remove_entry(const char *path, const struct stat *entry, int kind, struct FTW *at)
{
    (void)entry, (void)kind, (void)at;
    return remove(path);
}

static inline const char *no_env(void *user, const char *name)
{
    (void)user;
    return strcmp(name, "SECRET_KEY") == 0 ? SECRET : NULL;
}

static inline void on_limit(void *user, TimeUs now)
{
    Run *run = user;

    (void)now;
    run->too_long = true;
    loop_stop(run->loop);
}

static inline int set_up(void **state)
{
    Run *run = mem_new(sizeof(*run));
    const char *source = getenv("WARG_SOURCE");
    char path[4096];
    Err err = {0};

    *state = run;
    snprintf(run->top, sizeof(run->top), "/tmp/warg-server-XXXXXX");
    if (!source || !mkdtemp(run->top))
        return -1;
    snprintf(path, sizeof(path), "%s/config/nlp/default_en_5.yml", source);
    if (config_load(path, no_env, NULL, NULL, &run->config, &err) || loop_new(&run->loop, &err) ||
        timer_new(run->loop, on_limit, run, &run->limit, &err) ||
        http_client_new(run->loop, &run->http, &err))
        return -1;
    for (int i = 0; i < 3; i++)
        snprintf(run->dirs[i], sizeof(run->dirs[i]), "%s/%d", run->top, i);
    run->config->port = 0;
    run->config->host = "127.0.0.1";
    run->config->matching.self_match = true;
    run->config->game_logger.output_dir = run->dirs[0];
    run->config->json_logger.output_dir = run->dirs[1];
    run->config->realtime.output_dir = run->dirs[2];
    run->config->realtime_delay_ms = 0;
    timer_at(run->limit, loop_now() + TOO_LONG_US, false);
    return 0;
}

static inline int tear_down(void **state)
{
    Run *run = *state;

    for (int i = 0; i <= AGENTS; i++)
        web_client_free(run->agents[i].client);
    http_client_free(run->http);
    server_free(run->server);
    loop_free(run->loop);
    config_free(run->config);
    buf_done(&run->body);
    buf_done(&run->stream);
    buf_done(&run->notes);
    nftw(run->top, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    mem_free(run);
    return 0;
}

static inline void on_over(void *user)
{
    Run *run = user;

    run->over = true;
    loop_stop(run->loop);
}

static inline void on_note(void *user, Str line)
{
    Run *run = user;

    buf_add(&run->notes, line);
    buf_add_char(&run->notes, '\n');
}

static inline void open_server(Run *run)
{
    const ServerSetup setup = {.config = run->config,
                               .operator_token = STR(OPERATOR),
                               .key = key_of_seed(1),
                               .date = loop_date_of,
                               .now = loop_now(),
                               .games = run->games,
                               .loops = test_loops,
                               .note = on_note,
                               .over = on_over,
                               .user = run};
    Err err = {0};

    if (server_open(run->loop, &setup, &run->server, &err))
        fail_msg("%s", err.msg);
}

/* Runs the loop until something stops it. */
static inline void go_on(Run *run)
{
    loop_run(run->loop);
    assert_false(run->too_long);
}

/* ---- requests ---- */

static inline void on_answer(void *user, const HttpAnswer *answer)
{
    Run *run = user;

    run->answered = true;
    run->status = answer->status;
    buf_clear(&run->body);
    buf_add(&run->body, answer->body);
    loop_stop(run->loop);
}

/* The status of GET `path`; the body is in run->body. */
static inline unsigned get(Run *run, const char *path, const char *token)
{
    char url[512];
    char header[JWT_BYTES_MAX];
    const char *headers[] = {header, NULL};
    HttpAsk ask = {.method = "GET",
                   .url = url,
                   .headers = token ? headers : NULL,
                   .timeout_ms = 30000,
                   .answer_bytes = 1 << 20};
    HttpCall *call;

    snprintf(url, sizeof(url), "http://127.0.0.1:%u%s", server_port(run->server), path);
    snprintf(header, sizeof(header), "Authorization: Bearer %s", token ? token : "");
    run->answered = false;
    assert_int_equal(http_call(run->http, &ask, on_answer, run, &call, NULL), 0);
    while (!run->answered)
        go_on(run);
    return run->status;
}

static inline bool body_has(const Run *run, const char *text)
{
    return strstr(buf_cstr(&run->body), text) != NULL;
}

/* ---- agents ---- */

static inline Str first_alive(Str packet)
{
    const char *at = memmem(packet.bytes, packet.len, "\"status_map\":{", 14);
    Str rest = at ? str_part(packet, (size_t)(at - packet.bytes) + 14, packet.len) : (Str){0};

    while (rest.len && rest.bytes[0] != '}') {
        Str entry = str_cut(&rest, '"'); /* what is before the name */
        entry = str_cut(&rest, '"');
        if (str_starts(rest, STR(":\"ALIVE\"")))
            return entry;
        str_cut(&rest, '"');
        str_cut(&rest, '"');
    }
    return STR("nobody");
}

static inline void on_packet(void *user, Str text, TimeUs at)
{
    Agent *agent = user;
    char name[32];

    (void)at;
    agent->packets++;
    const char *request = memmem(text.bytes, text.len, "\"request\":\"", 11);
    assert_non_null(request);
    Str kind = str_part(text, (size_t)(request - text.bytes) + 11, text.len);
    kind = str_cut(&kind, '"');
    if (agent->run->hold && str_eq(kind, str_of(agent->run->hold))) {
        agent->run->hold = NULL;
        agent->run->held = agent;
        snprintf(agent->owes, sizeof(agent->owes), "%.*s", STR_ARG(first_alive(text)));
        loop_stop(agent->run->loop);
        return;
    }
    snprintf(name, sizeof(name), "kanolab%u\n", agent->number);
    if (str_eq(kind, STR("NAME")))
        web_client_send(agent->client, str_of(name));
    else if (str_eq(kind, STR("TALK")) || str_eq(kind, STR("WHISPER")))
        web_client_send(agent->client, STR("Over\n"));
    else if (str_eq(kind, STR("VOTE")) || str_eq(kind, STR("DIVINE")) ||
             str_eq(kind, STR("GUARD")) || str_eq(kind, STR("ATTACK")))
        web_client_send(agent->client, first_alive(text));
}

static inline void on_end(void *user, unsigned status, uint16_t code, Str why)
{
    Agent *agent = user;

    (void)why;
    agent->status = status;
    agent->code = code;
    agent->ended = true;
    if (++agent->run->ended >= AGENTS || agent->number == 0)
        loop_stop(agent->run->loop);
}

static inline void on_opened(void *user)
{
    (void)user;
}

static inline void connect_agent(Run *run, unsigned number)
{
    static const WebClientEvents events = {
        .opened = on_opened, .message = on_packet, .ended = on_end};
    Agent *agent = &run->agents[number];
    char url[64];

    *agent = (Agent){.run = run, .number = number};
    snprintf(url, sizeof(url), "ws://127.0.0.1:%u/ws", server_port(run->server));
    assert_int_equal(web_client_open(run->loop, url, NULL, &events, agent, &agent->client, NULL),
                     0);
}

#endif
