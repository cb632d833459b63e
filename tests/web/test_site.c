#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* mkdtemp */
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "disk/folder.h"
#include "disk/log_file.h"
#include "web/site.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECRET "0123456789abcdef0123456789abcdef"

/* ---- a site on a server ---- */

typedef struct World {
    char dir[32];
    Loop *loop;
    WebServer *server;
    WebSite *site;
    Buf notes;
    TimeUs clock; /* of looks */
    const char *paths[1];
} World;

static void on_request(void *user, WebConn *conn, const WebRequest *request)
{
    World *world = user;

    if (!web_site_request(world->site, conn, request))
        web_reply(conn, 404, "text/plain", STR("not of the site"));
}

static size_t on_body_bytes(void *user, const WebRequest *head)
{
    World *world = user;

    return web_site_body_bytes(world->site, head);
}

static void on_message(void *socket, Str text, TimeUs at)
{
    (void)socket, (void)text, (void)at;
}

static void on_closed(void *socket, WebEnd how, uint16_t code, TimeUs now)
{
    (void)socket, (void)how, (void)code, (void)now;
}

static void on_note(void *user, Str line)
{
    World *world = user;

    buf_add(&world->notes, line);
    buf_add_char(&world->notes, '\n');
}

/* Long behind what is on the disk. */
static int64_t date_of(TimeUs at)
{
    return INT64_C(4102444800000) + at / 1000;
}

static void put_log(const World *world, const char *name, const char *from)
{
    CLEANUP(buf_done) Buf path = {0}, text = {0};

    buf_printf(&path, "%s/%s", getenv("WARG_TEST_DATA"), from);
    assert_int_equal(log_file_read(buf_cstr(&path), (size_t)1 << 24, &text, NULL), 0);
    buf_clear(&path);
    buf_printf(&path, "%s/%s", world->dir, name);
    assert_int_equal(log_file_write(buf_cstr(&path), buf_str(&text), NULL), 0);
}

static int make(void **state)
{
    World *world = test_calloc(1, sizeof(*world));

    snprintf(world->dir, sizeof(world->dir), "warg-site-XXXXXX");
    assert_non_null(mkdtemp(world->dir));
    put_log(world, "one.log", "nlp-logs/jsai2026_truck5_game1.log");
    put_log(world, "two.log", "nlp-logs/jsai2026_truck5_game2.log");
    *state = world;
    return 0;
}

static void open_site_at(World *world, TimeUs now)
{
    static const WebEvents events = {.request = on_request,
                                     .message = on_message,
                                     .closed = on_closed,
                                     .body_bytes = on_body_bytes};
    const WebSetup web = {.host = "127.0.0.1", .events = &events, .user = world};
    Err err = {0};

    world->paths[0] = world->dir;
    assert_int_equal(loop_new(&world->loop, NULL), 0);
    const WebSiteSetup setup = {.loop = world->loop,
                                .paths = {world->paths, 1},
                                .host = "127.0.0.1",
                                .operator_token = STR(SECRET),
                                .date_of = date_of,
                                .now = now,
                                .note = on_note,
                                .user = world};
    if (web_listen(world->loop, &web, &world->server, &err) ||
        web_site_open(&setup, &world->site, &err))
        fail_msg("%s", err.msg);
}

static void open_site(World *world)
{
    open_site_at(world, loop_now());
}

static int clear(void **state)
{
    World *world = *state;

    web_site_free(world->site);
    web_free(world->server);
    loop_free(world->loop);
    buf_done(&world->notes);
    assert_int_equal(folder_remove(world->dir, NULL), 0);
    test_free(world);
    return 0;
}

/* ---- bare clients ---- */

#define CLIENTS 60

typedef struct Client {
    int fd;
    Buf got;
    bool ended;
} Client;

static Client dial(const World *world)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(web_port(world->server)),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    Client client = {.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};

    assert_true(client.fd >= 0);
    assert_int_equal(connect(client.fd, (struct sockaddr *)&address, sizeof(address)), 0);
    return client;
}

static void ask(Client *client, const char *path, const char *more)
{
    CLEANUP(buf_done) Buf text = {0};

    buf_printf(&text, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s%s\r\n", path,
               strstr(more, "Upgrade") ? "" : "Connection: close\r\n", more);
    assert_int_equal(send(client->fd, text.bytes, text.len, MSG_NOSIGNAL), (ssize_t)text.len);
}

typedef struct Waiting {
    World *world;
    Client *clients;
    size_t count;
    Timer *timer;
    TimeUs limit;
} Waiting;

static bool all_have_ended(Waiting *waiting)
{
    bool all = true;

    for (size_t i = 0; i < waiting->count; i++) {
        Client *client = &waiting->clients[i];
        char block[65536];
        ssize_t n = 0;
        while (!client->ended && (n = recv(client->fd, block, sizeof(block), MSG_DONTWAIT)) > 0)
            buf_add(&client->got, (Str){block, (size_t)n});
        if (!client->ended && (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)))
            client->ended = true;
        all = all && client->ended;
    }
    return all;
}

static void on_look(void *user, TimeUs now)
{
    Waiting *waiting = user;

    if (all_have_ended(waiting) || now > waiting->limit)
        loop_stop(waiting->world->loop);
    else
        timer_in(waiting->timer, 1000);
}

/* Runs the loop until the answers of all are whole. */
static void await_answers(World *world, Client *clients, size_t count)
{
    Waiting waiting = {.world = world,
                       .clients = clients,
                       .count = count,
                       .limit = loop_now() + (TimeUs)60 * 1000 * 1000};

    assert_int_equal(timer_new(world->loop, on_look, &waiting, &waiting.timer, NULL), 0);
    timer_in(waiting.timer, 0);
    loop_run(world->loop);
    timer_free(waiting.timer);
    assert_true(all_have_ended(&waiting));
}

static void hang_up(Client *client)
{
    close(client->fd);
    buf_done(&client->got);
}

static bool has(const Client *client, const char *text)
{
    return strstr(buf_cstr(&client->got), text) != NULL;
}

static void assert_answer(const Client *client, const char *status, const char *text)
{
    char line[64];

    snprintf(line, sizeof(line), "HTTP/1.1 %s ", status);
    if (!has(client, line) || (text && !has(client, text)))
        fail_msg("no %s with '%s': %.600s", status, text ? text : "", buf_cstr(&client->got));
}

/* One question, one answer. */
static void expect(World *world, const char *path, const char *more, const char *status,
                   const char *text)
{
    Client client = dial(world);

    ask(&client, path, more);
    if (strstr(more, "Upgrade"))
        shutdown(client.fd, SHUT_WR);
    await_answers(world, &client, 1);
    assert_answer(&client, status, text);
    hang_up(&client);
}

/* ---- documents ---- */

#define ETAG_BYTES 19 /* 16 digits in quotes, and a NUL */

static void take_etag(const Client *client, char *out)
{
    const char *at = strstr(buf_cstr(&client->got), "\r\nETag: ");

    if (!at)
        fail_msg("no ETag: %.800s", buf_cstr(&client->got));
    snprintf(out, ETAG_BYTES, "%s", at + 8);
}

static void who_asks_for_the_same_gets_what_was_built_once(void **state)
{
    World *world = *state;
    Client clients[CLIENTS];
    char etags[CLIENTS][ETAG_BYTES];

    open_site(world);
    for (size_t i = 0; i < CLIENTS; i++) {
        clients[i] = dial(world);
        ask(&clients[i], "/web/api/games/one/doc?view=all",
            i % 2 ? "Accept-Encoding: gzip\r\n" : "");
    }
    await_answers(world, clients, CLIENTS);
    for (size_t i = 0; i < CLIENTS; i++) {
        assert_answer(&clients[i], "200", i % 2 ? "Content-Encoding: gzip" : "\"format\"");
        take_etag(&clients[i], etags[i]);
        assert_string_equal(etags[i], etags[0]);
    }
    for (size_t i = 0; i < CLIENTS; i++)
        hang_up(&clients[i]);
    assert_int_equal(doc_shelf_built(web_site_shelf(world->site)), 1);
    expect(world, "/web/api/games/one/doc?view=all", "", "200", "\"view\":{\"kind\":\"all\"}");
    assert_int_equal(doc_shelf_built(web_site_shelf(world->site)), 1);
    expect(world, "/web/api/games/one/doc?view=seat:2", "", "200", "\"seat\":2");
    assert_int_equal(doc_shelf_built(web_site_shelf(world->site)), 2);
    assert_in_range(doc_shelf_bytes(web_site_shelf(world->site)), 1000, DOC_SHELF_BYTES);
}

static void a_log_that_changes_gives_another_document(void **state)
{
    World *world = *state;

    open_site(world);
    expect(world, "/web/api/games/one/doc?view=all", "", "200", "\"seat\":5");
    put_log(world, "one.log", "nlp-logs/jsai2026_truck9_game1.log");
    expect(world, "/web/api/games/one/doc?view=all", "", "200", "\"seat\":9");
    assert_int_equal(doc_shelf_built(web_site_shelf(world->site)), 2);
    CLEANUP(buf_done) Buf path = {0};
    buf_printf(&path, "%s/one.log", world->dir);
    assert_int_equal(truncate(buf_cstr(&path), 3000), 0);
    expect(world, "/web/api/games/one/doc?view=all", "", "403", "not-over");
    expect(world, "/web/api/games/one/doc?view=all", "Authorization: Bearer " SECRET "\r\n", "200",
           "\"truncated\"");
    assert_int_equal(unlink(buf_cstr(&path)), 0);
    expect(world, "/web/api/games/one/doc?view=all", "", "404", "gone");
    assert_int_equal(symlink("two.log", buf_cstr(&path)), 0);
    expect(world, "/web/api/games/one/doc?view=all", "", "404", "gone");
}

/* Some thirty documents wait; what is more is told to come again, and nothing hangs. */
static void who_comes_when_many_wait_is_told_so(void **state)
{
    World *world = *state;
    Client clients[CLIENTS];
    size_t good = 0, busy = 0;

    for (int i = 0; i < CLIENTS; i++) {
        char name[32];
        snprintf(name, sizeof(name), "log%d.log", i);
        put_log(world, name, "nlp-logs/inlg2025_truck13_game1.log");
    }
    open_site(world);
    for (size_t i = 0; i < CLIENTS; i++) {
        char path[64];
        snprintf(path, sizeof(path), "/web/api/games/log%zu/doc", i);
        clients[i] = dial(world);
        ask(&clients[i], path, "");
    }
    await_answers(world, clients, CLIENTS);
    for (size_t i = 0; i < CLIENTS; i++) {
        bool is_busy = has(&clients[i], "HTTP/1.1 503 ");
        assert_answer(&clients[i], is_busy ? "503" : "200", is_busy ? "Retry-After: " : "events");
        busy += is_busy;
        good += !is_busy;
        hang_up(&clients[i]);
    }
    assert_true(good >= WORK_WAITING && good + busy == CLIENTS);
}

static void who_leaves_while_it_waits_does_no_harm(void **state)
{
    const struct linger none = {.l_onoff = 1};
    World *world = *state;
    Client clients[10];

    open_site(world);
    for (size_t i = 0; i < 10; i++) {
        clients[i] = dial(world);
        ask(&clients[i], i % 2 ? "/web/api/games/one/doc" : "/web/api/home", "");
    }
    for (size_t i = 0; i < 8; i++) {
        setsockopt(clients[i].fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
        hang_up(&clients[i]);
    }
    await_answers(world, clients + 8, 2);
    assert_answer(&clients[8], "200", "\"games\"");
    assert_answer(&clients[9], "200", "\"events\"");
    hang_up(&clients[8]);
    hang_up(&clients[9]);
}

static void stop_now(void *user, TimeUs now)
{
    (void)now;
    loop_stop(user);
}

static void a_site_may_be_freed_while_many_wait(void **state)
{
    static const char *const paths[] = {"/web/api/games/one/doc", "/web/api/home",
                                        "/web/api/games/none/doc", "/web/api/games/two/doc"};
    World *world = *state;
    Client clients[8];
    Timer *timer;

    open_site(world);
    for (size_t i = 0; i < 8; i++) {
        clients[i] = dial(world);
        ask(&clients[i], paths[i % 4], "");
    }
    assert_int_equal(timer_new(world->loop, stop_now, world->loop, &timer, NULL), 0);
    timer_in(timer, 1000);
    loop_run(world->loop);
    timer_free(timer);
    world->site = web_site_free(world->site);
    world->server = web_free(world->server);
    for (size_t i = 0; i < 8; i++)
        hang_up(&clients[i]);
}

/* ---- routes ---- */

static void on_own(void *user, const WebVisit *visit)
{
    CLEANUP(buf_done) Buf body = {0};

    buf_printf(&body, "{\"own\":\"%s\",\"parts\":\"%.*s|%.*s\",\"operator\":%d}", (char *)user,
               STR_ARG(visit->parts[0]), STR_ARG(visit->parts[1]), visit->is_operator);
    visit_json(visit, &body, VISIT_NEVER);
}

static void pieces_bring_routes_of_their_own(void **state)
{
    static const WebRoute rows[] = {
        {"api/rooms/*/*", "GET", VISIT_ALL, on_own},
        {"api/desk", "GET", VISIT_OPERATOR, on_own},
        {"assets/own.css", "GET", VISIT_ALL, on_own},
    };
    char name[] = "rooms";
    World *world = *state;

    open_site(world);
    web_site_add_routes(world->site, rows, 3, name);
    expect(world, "/web/api/rooms/ABC/join", "", "200", "\"parts\":\"ABC|join\"");
    expect(world, "/web/api/rooms/A%2FB", "", "200", "\"parts\":\"A|B\"");
    expect(world, "/web/api/rooms/ABC", "", "404", "no-such-path");
    expect(world, "/web/api/rooms//join", "", "404", "no-such-path");
    expect(world, "/web/api/rooms/ABC/join/", "", "404", "no-such-path");
    expect(world, "/web/api/rooms/ABC/join/now", "", "404", "no-such-path");
    expect(world, "/web/assets/own.css", "", "200", "\"own\":\"rooms\"");
    expect(world, "/web/api/desk", "", "403", "operators");
    expect(world, "/web/api/desk", "Authorization: Bearer " SECRET "\r\n", "200", "\"operator\":1");
    expect(world, "/web/api/desk", "Authorization: Basic " SECRET "\r\n", "403", NULL);
    expect(world, "/web/api/desk?k=" SECRET, "", "403", NULL);
    expect(world, "/elsewhere", "", "404", "not of the site");
    expect(world, "/website", "", "404", "not of the site");
    expect(world, "/web", "", "302", "Location: /web/");
}

static bool live_doc(void *user, const WebVisit *visit, Str id)
{
    (void)user;
    if (!str_eq(id, STR("one")))
        return false;
    visit_error(visit, 403, "live", "It runs.");
    return true;
}

static bool live_knows(void *user, Str id)
{
    (void)user;
    return str_eq(id, STR("one"));
}

static void put_live(void *user, const WebVisit *visit, Json *json)
{
    (void)user, (void)visit;
    json_add_str(json, "live", STR("here"));
}

/* No log that a list would have to read first, and so find what is new. */
static void a_game_that_is_just_over_is_listed_at_once(void **state)
{
    CLEANUP(buf_done) Buf path = {0};
    World *world = *state;

    for (int i = 0; i < 2; i++) {
        buf_clear(&path);
        buf_printf(&path, "%s/%s.log", world->dir, i ? "two" : "one");
        assert_int_equal(unlink(buf_cstr(&path)), 0);
    }
    buf_clear(&path);
    buf_printf(&path, "%s/evening", world->dir);
    assert_int_equal(mkdir(buf_cstr(&path), 0700), 0);
    open_site_at(world, loop_now() - (TimeUs)10 * 1000 * 1000); /* a look is due */
    assert_false(web_site_keeps(world->site, false, STR("evening.1"), loop_now()));
    put_log(world, "evening/session.jsonl", "maw/record-before-keys.jsonl.gz");
    web_site_game_over(world->site);
    expect(world, "/web/api/home", "", "200", "\"id\":\"evening.1\"");
    assert_true(web_site_keeps(world->site, false, STR("evening.1"), loop_now()));
}

/* Who waits for a list is forgotten with the site. */
static void a_site_may_be_freed_while_lists_wait(void **state)
{
    World *world = *state;
    Client clients[CLIENTS] = {0};
    Timer *timer;

    open_site_at(world, loop_now() - (TimeUs)10 * 1000 * 1000);
    web_site_game_over(world->site);
    for (size_t i = 0; i < CLIENTS; i++) {
        clients[i] = dial(world);
        ask(&clients[i], i % 2 ? "/web/api/home" : "/web/api/games?team=x", "");
    }
    assert_int_equal(timer_new(world->loop, stop_now, world->loop, &timer, NULL), 0);
    timer_in(timer, 1000);
    loop_run(world->loop);
    timer_free(timer);
    world->site = web_site_free(world->site);
    world->server = web_free(world->server);
    for (size_t i = 0; i < CLIENTS; i++)
        hang_up(&clients[i]);
}

static void what_runs_is_asked_first_and_held_back_elsewhere(void **state)
{
    static const WebLive live = {.doc = live_doc, .knows = live_knows, .home = put_live};
    World *world = *state;
    Client client;

    open_site(world);
    web_site_set_live(world->site, &live);
    expect(world, "/web/api/games/one/doc", "", "403", "It runs.");
    expect(world, "/web/api/games/two/doc", "", "200", "events");
    expect(world, "/web/g/one/log", "", "403", "not-over");
    expect(world, "/web/g/two/log", "", "200", "status");
    client = dial(world);
    ask(&client, "/web/api/home", "");
    await_answers(world, &client, 1);
    assert_answer(&client, "200", "\"live\":\"here\"");
    assert_true(has(&client, "\"two\"") && !has(&client, "\"one\""));
    hang_up(&client);
    client = dial(world);
    ask(&client, "/web/api/home", "Authorization: Bearer " SECRET "\r\n");
    await_answers(world, &client, 1);
    assert_true(has(&client, "\"two\"") && has(&client, "\"one\""));
    hang_up(&client);
}

static bool live_knows_later(void *user, Str id)
{
    (void)user;
    return str_eq(id, STR("c%2Bd")) || str_eq(id, STR("evening.1"));
}

static void a_game_is_held_back_by_whichever_name_it_is_asked(void **state)
{
    static const WebLive live = {.knows = live_knows_later};
    World *world = *state;

    put_log(world, "c+d.log", "nlp-logs/jsai2026_truck5_game1.log");
    open_site(world);
    expect(world, "/web/api/games/c+d/doc?view=all", "", "200", "events");
    web_site_set_live(world->site, &live);
    expect(world, "/web/api/games/c+d/doc?view=all", "", "404", "no-game");
    expect(world, "/web/g/c+d/doc", "", "404", "no-game");
    expect(world, "/web/g/c+d/log", "", "403", "not-over");
    expect(world, "/web/api/games/c+d/doc?view=all", "Authorization: Bearer " SECRET "\r\n", "200",
           "events");
}

static void write_date(const World *world, const char *name, int64_t unix_ms)
{
    CLEANUP(buf_done) Buf path = {0};
    const struct timespec at[2] = {{.tv_sec = unix_ms / 1000}, {.tv_sec = unix_ms / 1000}};

    buf_printf(&path, "%s/%s", world->dir, name);
    assert_int_equal(utimensat(AT_FDCWD, buf_cstr(&path), at, 0), 0);
}

/* Without a live table of it, as when the server was started anew. */
static void what_ended_within_the_delay_is_as_if_it_were_not(void **state)
{
    static const WebLive live = {.delay = (TimeUs)600 * 1000 * 1000};
    World *world = *state;

    open_site(world);
    write_date(world, "one.log", date_of(loop_now()) - 60000);
    web_site_free(world->site);
    web_free(world->server);
    loop_free(world->loop);
    open_site(world);
    web_site_set_live(world->site, &live);
    expect(world, "/web/api/games/one/doc?view=all", "", "404", "no-game");
    expect(world, "/web/g/one/log", "", "404", "no-game");
    expect(world, "/web/g/one", "", "200", NULL);
    expect(world, "/web/g/none", "", "200", NULL);
    expect(world, "/web/api/games", "", "200", "[{\"id\":\"two\"");
    /* As behind a game that is none: all of them. */
    expect(world, "/web/api/games?after=one", "", "200", "[{\"id\":\"two\"");
    expect(world, "/web/api/games/one/doc", "Authorization: Bearer " SECRET "\r\n", "200", NULL);
}

static void a_session_tells_of_rounds_that_everybody_is_told_of(void **state)
{
    static const WebLive live = {.knows = live_knows_later};
    CLEANUP(buf_done) Buf path = {0};
    World *world = *state;

    buf_printf(&path, "%s/evening", world->dir);
    assert_int_equal(mkdir(buf_cstr(&path), 0700), 0);
    put_log(world, "evening/session.jsonl", "maw/record-before-keys.jsonl.gz");
    open_site(world);
    expect(world, "/web/api/sessions/evening", "", "200", "\"game\":\"evening.1\"");
    web_site_set_live(world->site, &live);
    Client client = dial(world);
    ask(&client, "/web/api/sessions/evening", "");
    await_answers(world, &client, 1);
    assert_answer(&client, "200", "evening");
    assert_false(has(&client, "evening.1"));
    hang_up(&client);
    expect(world, "/web/api/sessions/evening", "Authorization: Bearer " SECRET "\r\n", "200",
           "\"game\":\"evening.1\"");
}

/* Roles are in the first lines, and whoever plays can say what the last one is like. */
/* The monitor, by a round's name and by the session's: the newest round. */
static void what_models_thought_is_made_once(void **state)
{
    World *world = *state;
    CLEANUP(buf_done) Buf folder = {0}, path = {0}, text = {0};
    size_t at;

    buf_printf(&folder, "%s/evening", world->dir);
    assert_int_equal(mkdir(buf_cstr(&folder), 0700), 0);
    put_log(world, "evening/session.jsonl", "maw/record-before-keys.jsonl.gz");
    open_site(world);
    const DocShelf *shelf = web_site_shelf(world->site);
    expect(world, "/web/api/games/evening.1/mind", "", "200", "\"game\":\"evening.1\"");
    expect(world, "/web/api/games/evening.1/mind", "", "200", "Cache-Control: no-store");
    assert_int_equal(doc_shelf_built(shelf), 1);
    expect(world, "/web/api/games/evening/mind", "", "200", "\"format\":\"warg-mind\"");
    expect(world, "/web/api/games/evenin/mind", "", "404", "no-game");
    expect(world, "/web/api/games/one/mind", "", "404", "no-minds");
    /* The session goes on: what was made for who may look is nobody else's. */
    buf_printf(&path, "%s/session.jsonl", buf_cstr(&folder));
    assert_int_equal(log_file_read(buf_cstr(&path), (size_t)1 << 24, &text, NULL), 0);
    assert_true(str_find(buf_str(&text), STR("session_end"), &at));
    while (text.bytes[at] != '\n')
        at--;
    buf_cut(&text, at + 1);
    assert_int_equal(log_file_write(buf_cstr(&path), buf_str(&text), NULL), 0);
    for (int i = 0; i < 2; i++) {
        expect(world, "/web/api/games/evening/mind", "Authorization: Bearer " SECRET "\r\n", "200",
               "\"format\":\"warg-mind\"");
        expect(world, "/web/api/games/evening/mind", "", "403", "minds");
    }
}

static void nobody_ends_a_log_by_what_it_says(void **state)
{
    World *world = *state;
    CLEANUP(buf_done) Buf text = {0}, path = {0};

    buf_printf(&path, "%s/runs.log", world->dir);
    buf_add(&text, STR("0,status,1,SEER,ALIVE,a,A\n0,status,2,WEREWOLF,ALIVE,b,B\n"
                       "0,talk,0,0,2,well,result,is 0,result,0,0,VILLAGER\n"));
    assert_int_equal(log_file_write(buf_cstr(&path), buf_str(&text), NULL), 0);
    open_site(world);
    expect(world, "/web/g/runs/log", "", "403", "not-over");
    /* A long one, whose last part begins in the middle of a line. */
    while (text.len < 40000)
        buf_add(&text, STR("1,result,"));
    buf_add_char(&text, '\n');
    assert_int_equal(log_file_write(buf_cstr(&path), buf_str(&text), NULL), 0);
    expect(world, "/web/g/runs/log", "", "403", "not-over");
    buf_add(&text, STR("0,result,0,1,WEREWOLF\n"));
    assert_int_equal(log_file_write(buf_cstr(&path), buf_str(&text), NULL), 0);
    expect(world, "/web/g/runs/log", "", "200", "SEER");
}

static void notes_have_nothing_that_steers_a_terminal(void **state)
{
    World *world = *state;
    Client client;

    open_site(world);
    client = dial(world);
    static const char text[] =
        "POST /web/api/logout HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        "Origin: http://evil\xC2\x9B"
        "31m\xE2\x80\xAE\r\nContent-Length: 0\r\n\r\n";
    assert_int_equal(send(client.fd, text, sizeof(text) - 1, MSG_NOSIGNAL), sizeof(text) - 1);
    await_answers(world, &client, 1);
    assert_answer(&client, "403", "origin");
    assert_non_null(strstr(buf_cstr(&world->notes), "http://evil"));
    assert_null(strstr(buf_cstr(&world->notes), "\xC2\x9B"));
    assert_null(strstr(buf_cstr(&world->notes), "\xE2\x80\xAE"));
    hang_up(&client);
}

static void names_of_other_servers_are_refused_and_told(void **state)
{
    World *world = *state;

    open_site(world);
    expect(world, "/web/", "", "200", NULL);
    Client client = dial(world);
    static const char text[] = "GET /web/ HTTP/1.1\r\nHost: rebound.example\r\n"
                               "Connection: close\r\n\r\n";
    assert_int_equal(send(client.fd, text, sizeof(text) - 1, MSG_NOSIGNAL), sizeof(text) - 1);
    await_answers(world, &client, 1);
    assert_answer(&client, "421", "--public-host");
    assert_non_null(strstr(buf_cstr(&world->notes), "rebound.example"));
    hang_up(&client);
    expect(world, "/web/api/feed",
           "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://evil.example\r\n",
           "403", "origin");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define ON_A_SITE(test) cmocka_unit_test_setup_teardown(test, make, clear)
        ON_A_SITE(who_asks_for_the_same_gets_what_was_built_once),
        ON_A_SITE(a_log_that_changes_gives_another_document),
        ON_A_SITE(who_comes_when_many_wait_is_told_so),
        ON_A_SITE(who_leaves_while_it_waits_does_no_harm),
        ON_A_SITE(a_site_may_be_freed_while_many_wait),
        ON_A_SITE(pieces_bring_routes_of_their_own),
        ON_A_SITE(what_runs_is_asked_first_and_held_back_elsewhere),
        ON_A_SITE(a_game_is_held_back_by_whichever_name_it_is_asked),
        ON_A_SITE(what_ended_within_the_delay_is_as_if_it_were_not),
        ON_A_SITE(a_game_that_is_just_over_is_listed_at_once),
        ON_A_SITE(a_site_may_be_freed_while_lists_wait),
        ON_A_SITE(what_models_thought_is_made_once),
        ON_A_SITE(a_session_tells_of_rounds_that_everybody_is_told_of),
        ON_A_SITE(nobody_ends_a_log_by_what_it_says),
        ON_A_SITE(notes_have_nothing_that_steers_a_terminal),
        ON_A_SITE(names_of_other_servers_are_refused_and_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
