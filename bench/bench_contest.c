/* bench_contest.c - what a contest site costs: its pages with a big store, uploads, many who ask at
 * once.
 *
 * Usage: bench_contest WARG [GAMES [TEAMS]]        1000000 games, 200 teams
 * Method: a site in a folder of its own (TMPDIR) gets ten contests; the first has TEAMS teams with
 * ten versions each and GAMES games, half of 5 and half of 15 seats, written by SQL. `WARG contest
 * serve` runs over it, and this process asks over the loopback. Figures:
 * docs/spec/contest-operations.md 17.
 *
 *   memory    Pss of the server when it has been idle, and at most behind everything else
 *   pages     medians of PAGE_ASKS answers, one behind the other, over one connection
 *   upload    a file of UPLOAD_MIB, sent as fast as it is taken
 *   load      RATE questions a second for LOAD_SECONDS beside STREAMS event streams; each is timed
 * from when it was due, so that a server that stands still is not asked less
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* strcasestr */
#endif
#include "base/mem.h"
#include "base/time_us.h"
#include "net/loop.h"
#include "site/account.h"
#include "site/contest.h"
#include "site/login.h"
#include "site/may.h"
#include "site/site_store.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CONTESTS     10
#define VERSIONS     10 /* of a team */
#define PAGE_ASKS    101
#define UPLOAD_MIB   200
#define RATE         200
#define LOAD_SECONDS 10
#define STREAMS      50
#define CONNECTIONS  16
#define CAPTAINS     64 /* accounts that take turns: each may ask 120 times a minute */
#define DAY_MS       ((int64_t)24 * 3600 * 1000)

static void die(const char *why)
{
    fprintf(stderr, "bench_contest: %s\n", why);
    exit(1);
}

static void must(int rc, const Err *err)
{
    if (rc)
        die(err->msg);
}

/* ---- the site ---- */

typedef struct Bench {
    char folder[200]; /* of server.yml */
    char tokens[CAPTAINS][SECRET_TEXT_BYTES];
    unsigned asked; /* so many questions */
    unsigned port;
    unsigned games, teams;
    pid_t server;
} Bench;

static void write_text_file(const char *folder, const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *file = fopen(path, "we");
    if (!file || fputs(text, file) < 0 || fclose(file))
        die("can't write the site's files");
}

static unsigned free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
        getsockname(fd, (struct sockaddr *)&address, &bytes))
        die("no port");
    close(fd);
    return ntohs(address.sin_port);
}

static void make_contests(Db *db, int64_t now)
{
    Err err = {0};

    for (int i = 1; i <= CONTESTS; i++) {
        char text[1000];
        int64_t id;
        snprintf(
            text, sizeof(text),
            "contest: bench%d\ntitle: {en: \"Bench %d\", ja: \"計測 %d\"}\ndivision: protocol\n"
            "dates: {zone: Asia/Tokyo, opens: 2020-01-01 09:00, submission_closes: 2099-01-01 "
            "24:00, preliminary: 2099-01-02, revision_closes: 2099-02-01, appeals_close: "
            "2099-03-01}\npublish: {live: games}\nsubmit: {languages: [python, java], "
            "versions_per_day: 1000}\n"
            "stages:\n  - {name: preliminary, parts: [{players: 5}, {players: 15}], min_games: "
            "1000, advance: 15}\n  - {name: final, parts: [{players: 5}, {players: 15}], "
            "min_games: 1000}\n",
            i, i, i);
        const ContestActor actor = {.now_ms = now};
        must(contest_make(db, str_of(text), "", &actor, &id, &err), &err);
    }
    must(db_exec(db, "UPDATE contest SET state = 'OPEN'", &err), &err);
}

/* Rows by numbers alone: what they say follows from the number of the row. */
static void make_rows(Db *db, const Bench *bench, int64_t now)
{
    CLEANUP(buf_done) Buf sql = {0};
    Err err = {0};

    buf_printf(&sql,
               "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %u)"
               " INSERT INTO team(id, contest, name, affiliation, state, created)"
               " SELECT i, 1, 'team' || i || 'x', 'University ' || (i %% 40), 'IN', %lld FROM n;",
               bench->teams, (long long)now);
    buf_printf(&sql,
               "INSERT INTO run(id, contest, stage, part, round, folder, games, counted, level)"
               " VALUES(1, 1, 'preliminary', 0, 0, 'play', %u, %u, 'namespaces'),"
               " (2, 1, 'preliminary', 1, 0, 'play', %u, %u, 'namespaces');",
               bench->games / 2, bench->games / 2, bench->games / 2, bench->games / 2);
    buf_printf(
        &sql,
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %u)"
        " INSERT INTO game(id, run, set_number, game, ended, winner, counted, log, log_digest)"
        " SELECT 1 + i, 1 + i %% 2, i / 200, i / 2, %lld + i,"
        " CASE WHEN i * 48271 %% 100 < 60 THEN 'VILLAGER' ELSE 'WEREWOLF' END, 1,"
        " 'logs/' || i || '.log', hex(zeroblob(32)) FROM n;",
        bench->games - 1, (long long)(now - DAY_MS));
    buf_printf(&sql,
               "WITH RECURSIVE s(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM s WHERE k < 15)"
               " INSERT INTO seat(game, seat, team, role, won, failed, faults, excesses, waited_ms)"
               " SELECT game.id, k, 1 + (game.id * 7 + k * 13) %% %u,"
               " CASE k %% 5 WHEN 0 THEN 'WEREWOLF' WHEN 1 THEN 'SEER' ELSE 'VILLAGER' END,"
               " (k %% 5 = 0) = (winner = 'WEREWOLF'), 0, 0, 0, 0 FROM game, s"
               " WHERE k <= CASE run WHEN 1 THEN 5 ELSE 15 END;",
               bench->teams);
    /* Sums that importing keeps. */
    buf_printf(&sql,
               "INSERT INTO score SELECT 1, 'preliminary', 0, CASE run WHEN 1 THEN 5 ELSE 15 END, "
               "team, role, COUNT(*), SUM(won), 0, 0, 0, 0 FROM seat JOIN game ON game.id = "
               "seat.game GROUP BY run, team, role;");
    buf_printf(&sql,
               "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
               " INSERT INTO finding(id, contest, team, rule, at, text, state, stage) SELECT i, 1,"
               " 1 + i %% %u, 'late', %lld, 'late', 'RULED', 0 FROM n;"
               "INSERT INTO ruling(finding, team, contest, stage, decision, reason, at) SELECT id, "
               "team, 1, 0, 'warn', 'bench', %lld FROM finding WHERE id %% 4 = 0;",
               bench->teams, (long long)now, (long long)now);
    must(db_exec(db, "PRAGMA synchronous = OFF", &err), &err);
    must(db_exec(db, buf_cstr(&sql), &err), &err);
}

/* Captains of the first team, organisers of the first contest and admins, each with a token for
 * everything. */
static void make_captain(Db *db, Bench *bench, int number, int64_t now)
{
    char login[32], sql[400];
    int64_t account;
    Err err = {0};

    snprintf(login, sizeof(login), "captain%d", number);
    const AccountSetup setup = {
        .login = str_of(login), .name = STR("Captain"), .language = STR("en")};
    must(account_make(db, &setup, now, &account, &err), &err);
    snprintf(sql, sizeof(sql),
             "INSERT INTO member(team, account, captain) VALUES(1, %lld, 1);"
             "INSERT INTO role(account, contest, role) VALUES(%lld, 1, 'organiser'), (%lld, 0, "
             "'admin')",
             (long long)account, (long long)account, (long long)account);
    must(db_exec(db, sql, &err), &err);
    must(api_token_make(db, account, STR("bench"), SCOPE_ALL, INT64_MAX, bench->tokens[number],
                        &err),
         &err);
}

static void make_site(Bench *bench)
{
    CLEANUP(db_closep) Db *db = NULL;
    const int64_t now = loop_date_ms();
    char text[500], path[300];
    Err err = {0};

    bench->port = free_port();
    snprintf(
        text, sizeof(text),
        "data: data\nlisten: 127.0.0.1:%u\npublic_url: http://127.0.0.1:%u\nstore: sqlite\n"
        "runner: outside\ntrust_proxy: [127.0.0.1]\ncell: {require: strict}\ndisk_reserve: 1%%\n",
        bench->port, bench->port);
    write_text_file(bench->folder, "server.yml", text);
    snprintf(path, sizeof(path), "%s/data", bench->folder);
    if (mkdir(path, 0700))
        die("can't make the data folder");
    snprintf(path, sizeof(path), "%s/data/site.db", bench->folder);
    must(site_store_open(path, &db, &err), &err);
    make_contests(db, now);
    make_rows(db, bench, now);
    for (int i = 0; i < CAPTAINS; i++)
        make_captain(db, bench, i, now);
    must(db_exec(db, "ANALYZE", &err), &err);
}

/* ---- the server ---- */

static void start_server(Bench *bench, const char *program)
{
    bench->server = fork();
    if (bench->server == 0) {
        execl(program, program, "contest", "serve", bench->folder, (char *)NULL);
        die("the program can't be started");
    }
}

/* KiB of a line of /proc/PID/FILE, as "Pss:" of smaps_rollup. */
static unsigned long server_kib(const Bench *bench, const char *name, const char *key)
{
    char path[64], line[200];
    unsigned long kib = 0;

    snprintf(path, sizeof(path), "/proc/%d/%s", (int)bench->server, name);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof(line), file))
        if (strncmp(line, key, strlen(key)) == 0)
            kib = strtoul(line + strlen(key), NULL, 10);
    if (file)
        fclose(file);
    return kib;
}

/* ---- asking ---- */

typedef struct Asker {
    int fd;
    Buf in;
    size_t whole; /* bytes of the answer that is on its way, 0 = not known yet */
    TimeUs due;   /* when the question was to be sent; 0 = none is */
} Asker;

static int dial(unsigned port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int one = 1;

    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address))) {
        if (fd >= 0)
            close(fd);
        return -1;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    return fd;
}

static void send_all(int fd, const void *bytes, size_t n)
{
    const char *at = bytes;

    while (n) {
        ssize_t sent = send(fd, at, n, MSG_NOSIGNAL);
        if (sent <= 0)
            die("the server is gone");
        at += sent;
        n -= (size_t)sent;
    }
}

/* From an address of its own each, as a proxy would tell it. `token`: with one. */
static void send_head(Bench *bench, Asker *asker, const char *method, const char *path,
                      const char *more, bool token)
{
    const unsigned n = bench->asked++;
    char text[900], who[100] = "";

    if (token)
        snprintf(who, sizeof(who), "Authorization: Bearer %s\r\n", bench->tokens[n % CAPTAINS]);
    int bytes = snprintf(text, sizeof(text),
                         "%s /api/v1/%s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nX-Forwarded-For: "
                         "198.51.100.%u\r\n%s%s\r\n",
                         method, path, bench->port, n % 250, who, more);

    buf_clear(&asker->in);
    asker->whole = 0;
    send_all(asker->fd, text, (size_t)bytes);
}

/* Takes what has come; true when the answer is whole. */
static bool take_answer(Asker *asker)
{
    char block[65536];
    ssize_t got = recv(asker->fd, block, sizeof(block), 0);
    size_t end;

    if (got <= 0)
        die("the server is gone");
    buf_add(&asker->in, (Str){block, (size_t)got});
    if (!asker->whole && str_find(buf_str(&asker->in), STR("\r\n\r\n"), &end)) {
        const char *length = strcasestr(buf_cstr(&asker->in), "content-length: ");
        asker->whole = end + 4 + (length ? strtoul(length + 16, NULL, 10) : 0);
    }
    return asker->whole && asker->in.len >= asker->whole;
}

static int answer_status(const Asker *asker)
{
    return asker->in.len > 12 ? (int)strtol(asker->in.bytes + 9, NULL, 10) : 0;
}

static int ask(Bench *bench, Asker *asker, const char *method, const char *path, const char *json)
{
    char more[200] = "";

    if (json)
        snprintf(more, sizeof(more), "Content-Type: application/json\r\nContent-Length: %zu\r\n",
                 strlen(json));
    send_head(bench, asker, method, path, more, true);
    if (json)
        send_all(asker->fd, json, strlen(json));
    while (!take_answer(asker))
        continue;
    return answer_status(asker);
}

static void await_server(const Bench *bench)
{
    for (int i = 0; i < 600; i++) {
        int fd = dial(bench->port);
        if (fd >= 0) {
            close(fd);
            return;
        }
        usleep(100000);
    }
    die("the server does not answer");
}

/* ---- figures ---- */

static int compare_times(const void *a, const void *b)
{
    const TimeUs *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

/* The time below which `permille` of a thousand are; sorts. */
static double quantile_ms(TimeUs *times, size_t count, size_t permille)
{
    if (!count)
        return 0;
    qsort(times, count, sizeof(times[0]), compare_times);
    size_t at = count * permille / 1000;
    return (double)times[at < count ? at : count - 1] / 1e3;
}

static void measure_pages(Bench *bench, Asker *asker)
{
    static const char *const paths[] = {
        "contests",
        "contests/bench1",
        "contests/bench1/teams",
        "contests/bench1/teams/team1x",
        "contests/bench1/standings",
        "contests/bench1/games?limit=50",
        "contests/bench1/games?limit=50&team=team17x",
        "contests/bench1/jobs",
        "contests/bench1/trail",
        "contests/bench1/findings",
        "account",
        "health",
        "ready",
        "metrics",
    };

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        TimeUs times[PAGE_ASKS];
        int status = 0;
        for (int n = 0; n < PAGE_ASKS; n++) {
            TimeUs begin = loop_now();
            status = ask(bench, asker, "GET", paths[i], NULL);
            times[n] = loop_now() - begin;
        }
        printf("page     %-46s %d  median %8.2f ms  p99 %8.2f ms  %8.1f kB\n", paths[i], status,
               quantile_ms(times, PAGE_ASKS, 500), quantile_ms(times, PAGE_ASKS, 990),
               (double)asker->in.len / 1e3);
    }
}

static void measure_upload(Bench *bench, Asker *asker)
{
    static char block[1 << 20];
    char path[100], more[200];
    const char *id;
    const unsigned long before = server_kib(bench, "status", "VmHWM:");
    int status = ask(bench, asker, "POST", "contests/bench1/teams/team1x/versions",
                     "{\"language\":\"python\",\"entry\":\"start.py\",\"note\":\"\"}");

    if (status != 201 || !(id = strstr(buf_cstr(&asker->in), "\"id\":\""))) {
        printf("upload   refused: %.300s\n", buf_cstr(&asker->in));
        return;
    }
    snprintf(path, sizeof(path), "contests/bench1/versions/%ld/file", strtol(id + 6, NULL, 10));
    for (size_t i = 0; i < sizeof(block); i++)
        block[i] = (char)(i * 2654435761U >> 24);
    snprintf(more, sizeof(more),
             "Content-Type: application/octet-stream\r\nContent-Length: %zu\r\n",
             (size_t)UPLOAD_MIB << 20);
    TimeUs begin = loop_now();
    send_head(bench, asker, "PUT", path, more, true);
    for (int i = 0; i < UPLOAD_MIB; i++)
        send_all(asker->fd, block, sizeof(block));
    while (!take_answer(asker))
        continue;
    printf("upload   %d MiB: %d  %.1f MiB/s; the server's peak grew by %ld KiB\n", UPLOAD_MIB,
           answer_status(asker), UPLOAD_MIB * 1e6 / (double)(loop_now() - begin),
           (long)server_kib(bench, "status", "VmHWM:") - (long)before);
}

/* ---- many at once ---- */

typedef struct Load {
    Asker askers[CONNECTIONS];
    int streams[STREAMS];
    TimeUs times[RATE * LOAD_SECONDS];
    size_t sent, answered, failed, stream_bytes;
} Load;

static void open_streams(Bench *bench, Load *load)
{
    for (int i = 0; i < STREAMS; i++) {
        Asker asker = {.fd = dial(bench->port)};
        if (asker.fd < 0)
            die("no event stream");
        send_head(bench, &asker, "GET", "contests/bench1/events", "Accept: text/event-stream\r\n",
                  false);
        load->streams[i] = asker.fd;
    }
    for (int i = 0; i < CONNECTIONS; i++)
        load->askers[i] = (Asker){.fd = dial(bench->port)};
}

static void send_due(Bench *bench, Load *load, TimeUs begin)
{
    static const char *const paths[] = {"contests", "contests/bench1", "contests/bench1/teams",
                                        "contests/bench1/standings",
                                        "contests/bench1/games?limit=50"};

    for (int i = 0; i < CONNECTIONS; i++) {
        const TimeUs due = begin + (TimeUs)load->sent * 1000000 / RATE;
        Asker *asker = &load->askers[i];
        if (asker->due || load->sent == RATE * LOAD_SECONDS || due > loop_now())
            continue;
        asker->due = due;
        send_head(bench, asker, "GET", paths[load->sent++ % (sizeof(paths) / sizeof(paths[0]))], "",
                  false);
    }
}

static void read_all(Load *load, const struct pollfd *fds)
{
    char block[65536];

    for (int i = 0; i < CONNECTIONS; i++) {
        Asker *asker = &load->askers[i];
        if (!fds[i].revents || !take_answer(asker))
            continue;
        load->failed += answer_status(asker) != 200;
        load->times[load->answered++] = loop_now() - asker->due;
        asker->due = 0;
    }
    for (int i = 0; i < STREAMS; i++) {
        ssize_t got;
        if (!fds[CONNECTIONS + i].revents)
            continue;
        got = recv(load->streams[i], block, sizeof(block), 0);
        if (got <= 0)
            die("an event stream has ended");
        load->stream_bytes += (size_t)got;
    }
}

static void measure_load(Bench *bench)
{
    static Load load;
    struct pollfd fds[CONNECTIONS + STREAMS];

    open_streams(bench, &load);
    for (int i = 0; i < CONNECTIONS + STREAMS; i++)
        fds[i] = (struct pollfd){.fd = i < CONNECTIONS ? load.askers[i].fd
                                                       : load.streams[i - CONNECTIONS],
                                 .events = POLLIN};
    const TimeUs begin = loop_now();
    while (load.answered < RATE * LOAD_SECONDS) {
        send_due(bench, &load, begin);
        if (poll(fds, CONNECTIONS + STREAMS, 1) > 0)
            read_all(&load, fds);
    }
    printf("load     %d a second for %d s beside %d streams: median %.2f ms  p99 %.2f ms  %zu "
           "failed; streams got %zu bytes\n",
           RATE, LOAD_SECONDS, STREAMS, quantile_ms(load.times, load.answered, 500),
           quantile_ms(load.times, load.answered, 990), load.failed, load.stream_bytes);
    for (int i = 0; i < CONNECTIONS; i++)
        close(load.askers[i].fd);
    for (int i = 0; i < STREAMS; i++)
        close(load.streams[i]);
}

static void remove_folder(const char *folder)
{
    pid_t child = fork();

    if (child == 0) {
        execlp("rm", "rm", "-rf", "--", folder, (char *)NULL);
        _exit(1);
    }
    waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
    Bench bench = {.games = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1000000,
                   .teams = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 200};
    const char *place = getenv("TMPDIR");
    Asker asker = {0};

    if (argc < 2)
        die("usage: bench_contest WARG [GAMES [TEAMS]]");
    snprintf(bench.folder, sizeof(bench.folder), "%s/warg-bench-XXXXXX", place ? place : "/tmp");
    if (!mkdtemp(bench.folder))
        die("no folder");
    TimeUs begin = loop_now();
    make_site(&bench);
    printf("made     %u games, %u teams, %d contests in %.1f s\n", bench.games, bench.teams,
           CONTESTS, (double)(loop_now() - begin) / 1e6);
    fflush(stdout);
    start_server(&bench, argv[1]);
    await_server(&bench);
    sleep(5);
    printf("memory   idle: Pss %lu KiB, Rss %lu KiB\n", server_kib(&bench, "smaps_rollup", "Pss:"),
           server_kib(&bench, "status", "VmRSS:"));
    asker.fd = dial(bench.port);
    measure_pages(&bench, &asker);
    measure_upload(&bench, &asker);
    measure_load(&bench);
    printf("memory   at the end: Pss %lu KiB, at most Rss %lu KiB\n",
           server_kib(&bench, "smaps_rollup", "Pss:"), server_kib(&bench, "status", "VmHWM:"));
    kill(bench.server, SIGTERM);
    waitpid(bench.server, NULL, 0);
    buf_done(&asker.in);
    remove_folder(bench.folder);
    return 0;
}
