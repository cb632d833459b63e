/* bench_web.c - live tables under load: what a viewer costs.
 *
 * Usage: bench_web                         all figures, for people
 *        bench_web SOCKETS TABLES SECONDS  one measurement
 * Method: this process is the server: live tables, the feed, a web server on the loopback, with
 * games whose events are made here, ten a second and table, each a talk of 60 letters. A child is
 * all viewers: so many WebSockets, evenly over the tables, each with one watch; it reads and throws
 * away. 64 of them have an address of their own each, because no address may have more.
 *
 *   us a viewer and event   time of a processor, user and system, that this process had, by all
 *                           that was sent: with the kernel's part of the loopback
 *   bytes                   that came in at the viewers, by the same
 *   % of a core             of the same time, by what has passed
 *   KiB each                resident memory, when all watch, less what it was before
 *
 * With TABLES 0 nobody watches: sockets that are open and idle. */
#include "web/feed_web.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define EVENTS_EACH_US 100000
#define PAST_ADDRESS   64
#define SEATS          15

typedef struct Bench {
    Loop *loop;
    WebServer *server;
    LiveTables *tables;
    FeedWeb *web;
    LiveSink sink;
    Timer *timer;
    unsigned table_count;
    unsigned sockets;
    uint64_t told; /* events of all tables */
    uint32_t idx;
    TimeUs began; /* when all watched; 0 = not yet */
    TimeUs ends;
    TimeUs seconds;
    struct rusage at_begin;
    long kib_before;
    pid_t child;
    int bytes; /* what the child has read, at the end */
} Bench;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* ---- the viewers ---- */

static int connect_viewer(uint16_t port, unsigned number)
{
    struct sockaddr_in own = {.sin_family = AF_INET}, to = {.sin_family = AF_INET};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    own.sin_addr.s_addr = htonl(0x7F000100u + number / PAST_ADDRESS + 1);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(port);
    if (fd < 0 || bind(fd, (struct sockaddr *)&own, sizeof(own)) ||
        connect(fd, (struct sockaddr *)&to, sizeof(to)))
        fail("a viewer");
    return fd;
}

static void send_all(int fd, const char *bytes, size_t n)
{
    while (n) {
        ssize_t sent = write(fd, bytes, n);
        if (sent <= 0)
            fail("a viewer's message");
        bytes += sent;
        n -= (size_t)sent;
    }
}

static void upgrade_viewer(int fd, uint16_t port)
{
    char text[400], answer[1024];

    int n = snprintf(text, sizeof(text),
                     "GET /web/api/feed HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n"
                     "Origin: http://127.0.0.1:%u\r\nUpgrade: websocket\r\n"
                     "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                     "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                     port, port);
    send_all(fd, text, (size_t)n);
    ssize_t got = read(fd, answer, sizeof(answer));
    if (got < 12 || memcmp(answer, "HTTP/1.1 101", 12) != 0) {
        fprintf(stderr, "a viewer was refused: %.*s\n", (int)got, answer);
        exit(1);
    }
}

/* A text frame with a mask of zeros. */
static void watch_table(int fd, unsigned table)
{
    char text[160], frame[200] = {(char)0x81};

    int n = snprintf(text, sizeof(text),
                     "{\"type\":\"watch\",\"game\":\"table%u\",\"view\":\"public\"}", table);
    frame[1] = (char)(0x80 | n);
    memcpy(frame + 6, text, (size_t)n);
    send_all(fd, frame, (size_t)n + 6);
}

static uint64_t read_all(int poll, unsigned open)
{
    static char bytes[1 << 16];
    struct epoll_event events[256];
    uint64_t sum = 0;

    while (open > 0) {
        int count = epoll_wait(poll, events, 256, -1);
        for (int i = 0; i < count; i++) {
            ssize_t n = read(events[i].data.fd, bytes, sizeof(bytes));
            if (n > 0) {
                sum += (uint64_t)n;
                continue;
            }
            close(events[i].data.fd);
            open--;
        }
    }
    return sum;
}

static void run_viewers(uint16_t port, unsigned sockets, unsigned tables, int bytes)
{
    int poll = epoll_create1(0);

    for (unsigned i = 0; i < sockets; i++) {
        int fd = connect_viewer(port, i);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
        upgrade_viewer(fd, port);
        if (tables)
            watch_table(fd, i % tables);
        if (epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event))
            fail("epoll_ctl");
    }
    uint64_t sum = read_all(poll, sockets);
    if (write(bytes, &sum, sizeof(sum)) != (ssize_t)sizeof(sum))
        fail("the sum");
    _exit(0);
}

/* ---- the server ---- */

static void on_request(void *user, WebConn *conn, const WebRequest *request)
{
    const Bench *bench = user;

    feed_web_socket(bench->web, &(WebVisit){.conn = conn, .request = request});
}

static void begin_games(Bench *bench)
{
    static const DocSeat seats[SEATS + 1] = {{.agent = {"", 0}}};
    char id[16];
    Ruleset rules;

    ruleset_preset(STR("aiwolf-2021"), &rules, NULL);
    for (unsigned i = 0; i < bench->table_count; i++) {
        snprintf(id, sizeof(id), "table%u", i);
        bench->sink.begins(bench->sink.user,
                           &(DocHead){.id = str_of(id),
                                      .division = DOC_NLP,
                                      .language = "en",
                                      .rules = &rules,
                                      .seat_count = SEATS,
                                      .seats = seats,
                                      .form = "live",
                                      .source_name = str_of(id)},
                           0);
        bench->sink.heard(bench->sink.user, str_of(id),
                          &(Event){.kind = EVENT_DAY, .day = 1, .known_to = seat_all(SEATS)}, 0);
    }
}

static void tell_event(Bench *bench, unsigned table, TimeUs now)
{
    const Talk talk = {.text = STR("I think that Agent[07] is a werewolf, and I will vote for it"),
                       .seat = (SeatNo)(1 + bench->idx % SEATS),
                       .idx = bench->idx,
                       .day = 1};
    char id[16];

    snprintf(id, sizeof(id), "table%u", table);
    bench->sink.heard(bench->sink.user, str_of(id),
                      &(Event){.kind = EVENT_TALK,
                               .seat = talk.seat,
                               .day = 1,
                               .known_to = seat_all(SEATS),
                               .talk = &talk,
                               .time = now / 1000},
                      now);
    bench->told++;
}

static long resident_kib(void)
{
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    if (!file || fscanf(file, "%ld %ld", &pages, &resident) != 2)
        fail("statm");
    fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static double used_us(const struct rusage *from, const struct rusage *to)
{
    return (double)(to->ru_utime.tv_sec - from->ru_utime.tv_sec + to->ru_stime.tv_sec -
                    from->ru_stime.tv_sec) *
               1e6 +
           (double)(to->ru_utime.tv_usec - from->ru_utime.tv_usec + to->ru_stime.tv_usec -
                    from->ru_stime.tv_usec);
}

static void tell_figures(Bench *bench, TimeUs now)
{
    struct rusage end;
    uint64_t bytes = 0;

    getrusage(RUSAGE_SELF, &end);
    const double us = used_us(&bench->at_begin, &end);
    const double share = 100.0 * us / (double)(now - bench->began);
    const double kib = (double)(resident_kib() - bench->kib_before) / bench->sockets;
    const double sent =
        (double)bench->told * bench->sockets / (bench->table_count ? bench->table_count : 1);
    bench->web = feed_web_free(bench->web);
    bench->server = web_free(bench->server);
    loop_stop(bench->loop);
    if (read(bench->bytes, &bytes, sizeof(bytes)) != (ssize_t)sizeof(bytes))
        fail("the viewers' sum");
    printf("%6u sockets %4u tables", bench->sockets, bench->table_count);
    if (bench->told)
        printf("  %5.2f us a viewer and event  %4.0f bytes", us / sent, (double)bytes / sent);
    printf("  %5.1f %% of a core  %5.1f KiB each\n", share, kib);
    fflush(stdout);
}

static void on_timer(void *user, TimeUs now)
{
    Bench *bench = user;

    if (!bench->began && feed_reader_count(feed_web_feed(bench->web)) == bench->sockets) {
        bench->began = now;
        bench->ends = now + bench->seconds;
        getrusage(RUSAGE_SELF, &bench->at_begin);
    }
    if (bench->began && now >= bench->ends) {
        tell_figures(bench, now);
        return;
    }
    for (unsigned i = 0; bench->began && i < bench->table_count; i++)
        tell_event(bench, i, now);
    bench->idx++;
    timer_at(bench->timer, now + EVENTS_EACH_US, false);
}

static void open_server(Bench *bench)
{
    static const WebEvents events = {.request = on_request};
    Err err = {0};

    if (loop_new(&bench->loop, &err) ||
        web_listen(bench->loop, &(WebSetup){.host = "127.0.0.1", .events = &events, .user = bench},
                   &bench->server, &err) ||
        live_tables_new(&(LiveTablesSetup){0}, &bench->tables, &err) ||
        feed_web_new(bench->loop, &(FeedWebSetup){.tables = bench->tables}, &bench->web, &err) ||
        timer_new(bench->loop, on_timer, bench, &bench->timer, &err)) {
        fprintf(stderr, "bench_web: %s\n", err.msg);
        exit(1);
    }
    bench->sink = live_tables_sink(bench->tables);
}

static void measure(unsigned sockets, unsigned tables, unsigned seconds)
{
    Bench bench = {.sockets = sockets, .table_count = tables, .seconds = (TimeUs)seconds * 1000000};
    int pipes[2];

    open_server(&bench);
    begin_games(&bench);
    bench.kib_before = resident_kib();
    if (pipe(pipes))
        fail("pipe");
    bench.bytes = pipes[0];
    bench.child = fork();
    if (bench.child == 0)
        run_viewers(web_port(bench.server), sockets, tables, pipes[1]);
    timer_at(bench.timer, 0, false);
    loop_run(bench.loop);
    waitpid(bench.child, NULL, 0);
    close(pipes[0]);
    close(pipes[1]);
    live_tables_free(bench.tables);
    loop_free(bench.loop);
}

int main(int argc, char **argv)
{
    struct rlimit files;

    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    if (argc == 4) {
        measure((unsigned)strtoul(argv[1], NULL, 10), (unsigned)strtoul(argv[2], NULL, 10),
                (unsigned)strtoul(argv[3], NULL, 10));
        return 0;
    }
    measure(200, 1, 10);
    measure(2000, 50, 10);
    measure(5000, 0, 10);
    return 0;
}
