/* api_host.h - a contest site's server in a process of its own, and a client that asks it.
 *
 * For:    tests/api. Include it before our own headers.
 * Memory: a folder under /tmp for each test, removed with it; one PostgreSQL server for the
 * program. Thread: the test's. Source: docs/contest-api.md; docs/spec/contest-operations.md, O41:
 * the same tests on both stores.
 */
#ifndef WARG_TESTS_API_API_HOST_H
#define WARG_TESTS_API_API_HOST_H

#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pg_server.h"

#include "api/api_server.h"
#include "base/date_text.h"
#include "base/digest.h"
#include "base/mem.h"
#include "site/account.h"
#include "site/login.h"
#include "site/role.h"
#include "site/site_store.h"
#include "site/team.h"
#include "store/db_row.h"
#include "wire/json_read.h"

#define HOST_URL      "https://contest.example.org"
#define HOST_PASSWORD "correct horse battery"
#define HOST_WAIT_MS  60000 /* a machine may be busy */

typedef struct Host {
    char folder[48];
    char data[64];
    char store[160];
    char socket[96];
    pid_t pid;
    uint16_t port;
    ApiServerSetup setup;
    Db *db;       /* the test's own way into the store */
    bool skipped; /* it was to be on PostgreSQL, which isn't installed */
} Host;

/* ---- the server ---- */

static inline void host_stop(void *user, int number, TimeUs now)
{
    (void)number, (void)now;
    loop_stop(user);
}

static inline void host_child(Host *host, int told)
{
    Loop *loop = NULL;
    ApiServer *server = NULL;
    Err err = {0};

    if (loop_new(&loop, &err) || api_server_open(loop, &host->setup, &server, &err) ||
        loop_signal(loop, SIGTERM, host_stop, loop, &err)) {
        fprintf(stderr, "server: %s\n", err.msg);
        _exit(1);
    }
    uint16_t port = api_server_port(server);
    if (write(told, &port, sizeof(port)) != sizeof(port))
        _exit(1);
    close(told);
    loop_run(loop);
    api_server_free(server);
    loop_free(loop);
    _exit(0);
}

static inline void host_start(Host *host)
{
    int pipes[2];

    if (host->skipped)
        skip();
    assert_int_equal(pipe(pipes), 0);
    host->pid = fork();
    assert_true(host->pid >= 0);
    if (host->pid == 0) {
        close(pipes[0]);
        host_child(host, pipes[1]);
    }
    close(pipes[1]);
    assert_int_equal(read(pipes[0], &host->port, sizeof(host->port)), sizeof(host->port));
    close(pipes[0]);
}

/* Ends it, and looks that it ends well. */
static inline void host_end(Host *host)
{
    int status = 0;

    if (!host->pid)
        return;
    kill(host->pid, SIGTERM);
    assert_int_equal(waitpid(host->pid, &status, 0), host->pid);
    host->pid = 0;
    assert_int_equal(status, 0);
}

static int64_t host_ahead_ms; /* by which its clock is simulated */

static inline int64_t host_now(void *user)
{
    (void)user;
    return loop_date_ms() + host_ahead_ms;
}

/* ---- stores ---- */

static PgServer host_database;
static bool host_is_on_database, has_host_database;

static inline int host_database_set_up(void **state)
{
    (void)state;
    host_is_on_database = true;
    has_host_database = pg_server_start(&host_database);
    return 0;
}

static inline int host_database_tear_down(void **state)
{
    (void)state;
    pg_server_done(&host_database);
    return 0;
}

/* A folder and a store; the server is started by host_start, so that a test can change the setup.
 */
static inline int host_set_up(void **state)
{
    Host *host = mem_new(sizeof(*host));
    Err err = {0};

    *state = host;
    snprintf(host->folder, sizeof(host->folder), "/tmp/warg-api-XXXXXX");
    if (!mkdtemp(host->folder))
        return -1;
    snprintf(host->data, sizeof(host->data), "%s/data", host->folder);
    snprintf(host->store, sizeof(host->store), "%s/site.db", host->data);
    host->skipped = host_is_on_database && !has_host_database;
    if (has_host_database)
        snprintf(host->store, sizeof(host->store), "%s", host_database.connection);
    snprintf(host->socket, sizeof(host->socket), "%s/admin.sock", host->data);
    if (mkdir(host->data, 0700) || site_store_open(host->store, &host->db, &err))
        return -1;
    host->setup = (ApiServerSetup){.settings = {.folder = host->folder,
                                                .data = host->data,
                                                .public_url = STR(HOST_URL),
                                                .calls_a_minute = 1000000,
                                                .now_ms = host_now},
                                   .store = host->store,
                                   .date_of = loop_date_of,
                                   .host = "127.0.0.1"};
    return 0;
}

static inline int host_tear_down(void **state)
{
    Host *host = *state;
    char command[96];

    if (host->pid) {
        kill(host->pid, SIGKILL);
        waitpid(host->pid, NULL, 0);
    }
    if (host->db && db_is_server(host->db))
        db_exec(host->db, "DROP SCHEMA public CASCADE; CREATE SCHEMA public", NULL);
    db_close(host->db);
    snprintf(command, sizeof(command), "rm -rf '%s'", host->folder);
    mem_free(host);
    return system(command);
}

/* ---- asking ---- */

/* Who asks. */
typedef struct Asker {
    const char *cookie; /* a login's; "" = none */
    const char *token;  /* wgt_...; "" = none */
    bool local;         /* over admin.sock */
    const char *csrf;   /* NULL = the right one of the cookie; "" = none */
    const char *origin; /* NULL = the right one; "" = none */
    const char *type;   /* NULL = JSON; "" = none */
    const char *more;   /* further lines of the head */
} Asker;

typedef struct Reply {
    unsigned status;
    Buf head, body;
    json_t *json;
    char cookie[SECRET_TEXT_BYTES]; /* that it sets */
} Reply;

static inline void answer_done(Reply *answer)
{
    buf_done(&answer->head);
    buf_done(&answer->body);
    json_done(answer->json);
    *answer = (Reply){0};
}

static inline int host_dial(const Host *host, bool local)
{
    struct sockaddr_in tcp = {.sin_family = AF_INET,
                              .sin_port = htons(host->port),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_un unix_address = {.sun_family = AF_UNIX};
    int fd = socket(local ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    snprintf(unix_address.sun_path, sizeof(unix_address.sun_path), "%s", host->socket);
    assert_true(fd >= 0);
    assert_int_equal(local ? connect(fd, (struct sockaddr *)&unix_address, sizeof(unix_address))
                           : connect(fd, (struct sockaddr *)&tcp, sizeof(tcp)),
                     0);
    return fd;
}

/* A body in chunks becomes what they are of. */
static inline void host_join_chunks(Buf *body)
{
    CLEANUP(buf_done) Buf chunks = *body;
    const char *text = buf_cstr(&chunks);
    unsigned long bytes = 1;

    *body = (Buf){0};
    while (bytes) {
        char *line = NULL;
        bytes = strtoul(text, &line, 16);
        if (strncmp(line, "\r\n", 2) != 0)
            fail_msg("the answer is not whole");
        buf_add(body, (Str){line + 2, bytes});
        text = line + 2 + bytes + 2;
    }
}

/* Reads to the end of the connection. */
static inline void host_read(int fd, Reply *answer)
{
    CLEANUP(buf_done) Buf all = {0};
    char block[65536];
    struct pollfd waits = {.fd = fd, .events = POLLIN};
    ssize_t n;

    do {
        assert_int_equal(poll(&waits, 1, HOST_WAIT_MS), 1);
        n = recv(fd, block, sizeof(block), 0);
        if (n > 0)
            buf_add(&all, (Str){block, (size_t)n});
    } while (n > 0);
    Str rest = buf_str(&all);
    size_t end = 0;
    while (str_starts(rest, STR("HTTP/1.1 100"))) {
        assert_true(str_find(rest, STR("\r\n\r\n"), &end));
        rest = str_part(rest, end + 4, SIZE_MAX);
    }
    if (!str_find(rest, STR("\r\n\r\n"), &end))
        fail_msg("no answer: '%s'", buf_cstr(&all));
    buf_add(&answer->head, str_part(rest, 0, end + 2));
    buf_add(&answer->body, str_part(rest, end + 4, SIZE_MAX));
    if (answer->body.len && strstr(buf_cstr(&answer->head), "Transfer-Encoding: chunked"))
        host_join_chunks(&answer->body);
    answer->status = (unsigned)strtoul(buf_cstr(&answer->head) + 9, NULL, 10);
    const char *cookie = strstr(buf_cstr(&answer->head), "__Host-warg=");
    if (cookie)
        sscanf(cookie, "__Host-warg=%68[0-9a-f]", answer->cookie);
    if (answer->body.len && answer->body.bytes[0] == '{')
        json_read(buf_str(&answer->body), 1 << 24, &answer->json, NULL);
}

static inline void host_write_head(const char *method, const char *path, const Asker *asker,
                                   size_t length, Buf *out)
{
    char csrf[CSRF_TEXT_BYTES] = "";

    buf_printf(out, "%s %s%s HTTP/1.1\r\nHost: contest.example.org\r\nConnection: close\r\n",
               method, path[0] == '/' ? "" : "/api/v1/", path);
    if (asker->cookie && asker->cookie[0]) {
        buf_printf(out, "Cookie: __Host-warg=%s\r\n", asker->cookie);
        login_csrf(str_of(asker->cookie), csrf);
    }
    if (asker->csrf)
        snprintf(csrf, sizeof(csrf), "%s", asker->csrf);
    if (csrf[0])
        buf_printf(out, "X-Warg-Token: %s\r\n", csrf);
    if (asker->token && asker->token[0])
        buf_printf(out, "Authorization: Bearer %s\r\n", asker->token);
    const char *origin = asker->origin ? asker->origin : asker->local ? "" : HOST_URL;
    if (origin[0])
        buf_printf(out, "Origin: %s\r\n", origin);
    const char *type = asker->type ? asker->type : "application/json";
    if (type[0] && strcmp(method, "GET") != 0)
        buf_printf(out, "Content-Type: %s\r\n", type);
    if (asker->more)
        buf_printf(out, "%s", asker->more);
    if (strcmp(method, "GET") != 0)
        buf_printf(out, "Content-Length: %zu\r\n", length);
    buf_add(out, STR("\r\n"));
}

static inline void host_ask_with(const Host *host, const char *method, const char *path,
                                 const Asker *asker, Str body, Reply *answer)
{
    CLEANUP(buf_done) Buf request = {0};
    int fd = host_dial(host, asker->local);

    answer_done(answer);
    host_write_head(method, path, asker, body.len, &request);
    buf_add(&request, body);
    for (size_t at = 0; at < request.len;) {
        ssize_t n = send(fd, request.bytes + at, request.len - at, MSG_NOSIGNAL);
        if (n < 0)
            break; /* it has answered already */
        at += (size_t)n;
    }
    host_read(fd, answer);
    close(fd);
}

static inline void host_ask(const Host *host, const char *method, const char *path,
                            const Asker *asker, const char *body, Reply *answer)
{
    host_ask_with(host, method, path, asker, str_of(body), answer);
}

/* The same, with the status that it has to have. */
static inline void host_must(const Host *host, unsigned status, const char *method,
                             const char *path, const Asker *asker, const char *body, Reply *answer)
{
    host_ask(host, method, path, asker, body, answer);
    if (answer->status != status)
        fail_msg("%s %s: %u in place of %u: %s%s", method, path, answer->status, status,
                 buf_cstr(&answer->head), buf_cstr(&answer->body));
}

static inline Str answer_text(const Reply *answer, const char *key)
{
    return answer->json ? json_text(answer->json, key) : (Str){"", 0};
}

static inline Str answer_code(const Reply *answer)
{
    const json_t *error = answer->json ? json_get(answer->json, "error") : NULL;

    return error ? json_text(error, "code") : (Str){"", 0};
}

/* ---- what the store has ---- */

static inline int64_t host_number(const Host *host, const char *sql)
{
    int64_t value = -1;
    Err err = {0};

    if (db_ask(host->db, -1, &value, &err, sql, ""))
        fail_msg("%s: %s", sql, err.msg);
    return value;
}

static inline void must_sql(const Host *host, const char *sql)
{
    Err err = {0};

    if (db_exec(host->db, sql, &err))
        fail_msg("%s: %s", sql, err.msg);
}

/* An account, made in the store, and a login of it. */
static inline int64_t host_account(const Host *host, const char *login, char *ret_cookie)
{
    AccountSetup setup = {.login = str_of(login),
                          .name = str_of(login),
                          .mail = STR("someone@example.org"),
                          .language = STR("en")};
    int64_t id = 0;
    Err err = {0};

    if (account_make(host->db, &setup, 1, &id, &err) ||
        login_begin(host->db, id, STR("192.0.2.1"), loop_date_ms(), ret_cookie, &err))
        fail_msg("%s", err.msg);
    return id;
}

/* All rows of a table as one column of texts, without what says when somebody was seen. */
static inline void host_rows(const Host *host, Str table, Buf *sql)
{
    CLEANUP(db_query_freep) DbQuery *names = NULL;
    Err err = {0};

    if (db_is_server(host->db)) {
        buf_printf(sql, "SELECT (to_jsonb(t) - 'seen' - 'used')::text FROM %.*s t ORDER BY 1",
                   STR_ARG(table));
        return;
    }
    assert_int_equal(
        db_query_with(host->db, &names, &err, "SELECT name FROM pragma_table_info(?1)", "t", table),
        0);
    buf_add(sql, STR("SELECT ''"));
    while (db_step(names, &err) > 0) {
        Str name = db_text(names, 0);
        if (!str_eq(name, STR("seen")) && !str_eq(name, STR("used")))
            buf_printf(sql, " || '|' || quote(%.*s)", STR_ARG(name));
    }
    buf_printf(sql, " FROM %.*s ORDER BY 1", STR_ARG(table));
}

/* Everything in the store but what says when somebody was seen, as one digest. */
static inline void host_digest(const Host *host, char ret_hex[static SHA256_HEX_BYTES])
{
    CLEANUP(db_query_freep) DbQuery *tables = NULL;
    CLEANUP(buf_done) Buf all = {0};
    Err err = {0};

    assert_int_equal(
        db_query(host->db,
                 db_is_server(host->db)
                     ? "SELECT relname::text FROM pg_class WHERE relkind = 'r' AND relnamespace ="
                       " 'public'::regnamespace ORDER BY relname"
                     : "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
                 &tables, &err),
        0);
    while (db_step(tables, &err) > 0) {
        CLEANUP(db_query_freep) DbQuery *rows = NULL;
        CLEANUP(buf_done) Buf sql = {0};
        Str table = db_text(tables, 0);
        if (str_starts(table, STR("sqlite_")))
            continue;
        buf_printf(&all, "%.*s\n", STR_ARG(table));
        host_rows(host, table, &sql);
        if (db_query(host->db, buf_cstr(&sql), &rows, &err))
            fail_msg("%s: %s", buf_cstr(&sql), err.msg);
        while (db_step(rows, &err) > 0)
            buf_printf(&all, "%.*s\n", STR_ARG(db_text(rows, 0)));
    }
    assert_true(all.len > 1000); /* there are tables, and rows in them */
    assert_int_equal(sha256_hex(buf_str(&all), ret_hex, NULL), 0);
}

/* The digest once the server's clock has done what follows from the last change. */
static inline void host_settle(const Host *host, char ret_hex[static SHA256_HEX_BYTES])
{
    char before[SHA256_HEX_BYTES];

    host_digest(host, ret_hex);
    do {
        memcpy(before, ret_hex, sizeof(before));
        usleep(1500000); /* more than a turn of the server */
        host_digest(host, ret_hex);
    } while (strcmp(before, ret_hex) != 0);
}

/* ---- what the data folder has ---- */

static inline unsigned count_files(const Host *host, const char *folder)
{
    char command[200], line[16] = "";
    snprintf(command, sizeof(command), "find '%s/%s' -type f 2>/dev/null | wc -l", host->data,
             folder);
    FILE *pipe = popen(command, "r");

    assert_non_null(pipe);
    assert_non_null(fgets(line, sizeof(line), pipe));
    pclose(pipe);
    return (unsigned)strtoul(line, NULL, 10);
}

static inline void wait_for_files(const Host *host, const char *folder, unsigned count)
{
    for (int i = 0; i < 1200 && count_files(host, folder) != count; i++)
        usleep(50000);
    assert_int_equal(count_files(host, folder), count);
}

/* ---- the program ---- */

#define CASE(name) cmocka_unit_test_setup_teardown(name, host_set_up, host_tear_down)

/* Runs a program's table of tests: with SQLite, and with PostgreSQL where it is `both` or the
 * variable WARG_EVERY_STORE is set (`./dev soak stores`). */
#define HOST_RUN(tests, both)                                                                      \
    (cmocka_run_group_tests_name("SQLite", tests, NULL, NULL) +                                    \
     ((both) || getenv("WARG_EVERY_STORE")                                                         \
          ? cmocka_run_group_tests_name("PostgreSQL", tests, host_database_set_up,                 \
                                        host_database_tear_down)                                   \
          : 0))

#endif
