#define _GNU_SOURCE /* memmem */
/* bench_wire.c - the protocol division's server over loopback TCP: round trips a second beside a
 * bare ping-pong of the same bytes.
 *
 * Usage: bench_wire                            all figures, for people
 *        bench_wire serve PLAYERS GAMES TABLES one measurement: requests/s, bytes a request
 * Method: a server process (a hall, logs made and thrown away) and a client process that
 * answers at once, one connection an agent, one epoll loop. The ping-pong is two processes with
 * one connection, blocking reads and writes, as many bytes one way and back as the mean of the
 * table that was measured just before. Wall time; paired rounds, median ratio.
 */
#include "contest/contest_run.h"
#include "match/hall_door.h"
#include "net/loop.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS      5
#define CONNS_MAX   1024
#define INPUT_BYTES ((size_t)256 * 1024)

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static _Noreturn void die(const char *what)
{
    perror(what);
    exit(1);
}

/* ---- sockets ---- */

static struct sockaddr_in loopback(uint16_t port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int connect_to(uint16_t port)
{
    struct sockaddr_in address = loopback(port);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    int on = 1;

    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)))
        die("connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    return fd;
}

static void write_all(int fd, const char *bytes, size_t n)
{
    for (size_t sent = 0; sent < n;) {
        ssize_t now = write(fd, bytes + sent, n - sent);
        if (now <= 0)
            die("write");
        sent += (size_t)now;
    }
}

/* ---- the bare ping-pong ---- */

static void read_exactly(int fd, char *bytes, size_t n)
{
    for (size_t got = 0; got < n;) {
        ssize_t now = read(fd, bytes + got, n - got);
        if (now <= 0)
            die("read");
        got += (size_t)now;
    }
}

static double ping_pong(size_t there, size_t back, int trips)
{
    static char bytes[65536];
    struct sockaddr_in address = loopback(0);
    socklen_t size = sizeof(address);
    int door = socket(AF_INET, SOCK_STREAM, 0);
    int on = 1;

    if (bind(door, (struct sockaddr *)&address, sizeof(address)) || listen(door, 1) ||
        getsockname(door, (struct sockaddr *)&address, &size))
        die("listen");
    pid_t child = fork();
    if (child == 0) {
        int fd = connect_to(ntohs(address.sin_port));
        for (int i = 0; i < trips; i++) {
            read_exactly(fd, bytes, there);
            write_all(fd, bytes, back);
        }
        _exit(0);
    }
    int fd = accept(door, NULL, NULL);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    double start = seconds();
    for (int i = 0; i < trips; i++) {
        write_all(fd, bytes, there);
        read_exactly(fd, bytes, back);
    }
    double took = seconds() - start;
    close(fd);
    close(door);
    waitpid(child, NULL, 0);
    return (double)trips / took;
}

/* ---- the server ---- */

static int drop_game(void *user, const GameRecord *record, Str log, Err *err)
{
    (void)user, (void)record, (void)log, (void)err;
    return 0;
}

typedef struct Served {
    Loop *loop;
    HallDoor *door;
    int port_pipe;
} Served;

static void tell_port(void *user)
{
    const Served *served = user;
    const uint16_t port = hall_door_port(served->door);

    write_all(served->port_pipe, (const char *)&port, sizeof(port));
}

static void end_loop(void *user, TimeUs now)
{
    const Served *served = user;

    (void)now;
    loop_stop(served->loop);
}

static int play(Served *served, const HallPlan *plan, Err *err)
{
    const HallDoorPlan door_plan = {.hall = plan, .host = "127.0.0.1"};
    int rc = loop_new(&served->loop, err);

    if (rc == 0)
        rc = hall_door_new(served->loop, &door_plan, &served->door, err);
    if (rc == 0)
        rc = hall_door_open(served->door, loop_now(), err);
    if (rc == 0) {
        loop_run(served->loop);
        rc = hall_result(hall_door_hall(served->door), NULL, err);
    }
    hall_door_free(served->door);
    loop_free(served->loop);
    return rc;
}

static int serve(int32_t players, int32_t games, uint32_t tables, int port_pipe)
{
    Plan plan;
    Err err = {0};
    StageRun run = {.plan = &plan, .logs = true, .date = loop_date_ms, .finished = drop_game};
    Served served = {.port_pipe = port_pipe};
    HallPlan hall = {.run = &run,
                     .tables = tables,
                     .serve = true,
                     .sets = tables,
                     .listening = tell_port,
                     .over = end_loop,
                     .user = &served};

    int rc = plan_init(&plan, &err);
    plan.rules.contest.time_limit_ms = 60000;
    PlanStage stage = plan_default_stage(&plan);
    stage.players = players;
    stage.games_per_set = games;
    stage.sets = tables;
    if (rc == 0)
        rc = plan_add_stage(&plan, &stage, &err);
    run.draw = draw_of_seed(&plan.stages[0], &plan.rules, (uint32_t)players, 1);
    if (rc == 0)
        rc = play(&served, &hall, &err);
    if (rc)
        fprintf(stderr, "bench_wire: %s\n", err.msg);
    return rc != 0;
}

/* ---- the client ---- */

typedef struct Load {
    uint64_t requests;
    uint64_t bytes_there; /* of requests that were answered */
    uint64_t bytes_back;
    double first; /* when the first request but NAME came */
    double last;
} Load;

/* What to answer; empty for packets without an answer. The request's name is near the end of an
 * info packet but in a fixed place of a history packet, so it is looked for backwards. */
static size_t answer_to(const char *line, size_t n, uint64_t count, char *ret_answer)
{
    static const char key[] = "\"request\":\"";
    const char *at = memmem(line, n, key, sizeof(key) - 1);

    if (!at)
        return 0;
    at += sizeof(key) - 1;
    switch (at[0] == 'D' && at[1] == 'I' ? 'V' : at[0]) {
    case 'N': /* NAME */
        memcpy(ret_answer, "load\n", 5);
        return 5;
    case 'T': /* TALK */
    case 'W': /* WHISPER */
        if (count % 7 == 0) {
            memcpy(ret_answer, "Skip\n", 5);
            return 5;
        }
        memcpy(ret_answer, "VOTE Agent[01]\n", 15);
        ret_answer[12] = (char)('1' + count % 5);
        return 15;
    case 'V': /* VOTE, DIVINE */
    case 'G':
    case 'A':
        memcpy(ret_answer, "{\"agentIdx\":1}\n", 15);
        ret_answer[12] = (char)('1' + count % 5);
        return 15;
    default:
        return 0;
    }
}

typedef struct Peer {
    int fd;
    char *input;
    size_t used;
} Peer;

static void answer_lines(Peer *peer, Load *load)
{
    char answer[32];
    char *start = peer->input;
    char *end;

    while ((end = memchr(start, '\n', peer->used - (size_t)(start - peer->input)))) {
        size_t n = (size_t)(end + 1 - start);
        size_t back = answer_to(start, n, load->requests, answer);
        if (back) {
            write_all(peer->fd, answer, back);
            load->requests++;
            load->bytes_there += n;
            load->bytes_back += back;
        }
        start = end + 1;
    }
    peer->used -= (size_t)(start - peer->input);
    memmove(peer->input, start, peer->used);
}

static void be_clients(uint16_t port, int count, Load *load)
{
    static Peer peers[CONNS_MAX];
    struct epoll_event events[64];
    int poll = epoll_create1(0);
    int open = count;

    for (int i = 0; i < count; i++) {
        peers[i] = (Peer){.fd = connect_to(port), .input = malloc(INPUT_BYTES)};
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &peers[i]};
        epoll_ctl(poll, EPOLL_CTL_ADD, peers[i].fd, &event);
    }
    load->first = seconds();
    while (open > 0) {
        int n = epoll_wait(poll, events, 64, -1);
        for (int i = 0; i < n; i++) {
            Peer *peer = events[i].data.ptr;
            ssize_t got = read(peer->fd, peer->input + peer->used, INPUT_BYTES - peer->used);
            if (got <= 0) {
                close(peer->fd);
                open--;
                continue;
            }
            peer->used += (size_t)got;
            answer_lines(peer, load);
        }
    }
    load->last = seconds();
    for (int i = 0; i < count; i++)
        free(peers[i].input);
    close(poll);
}

static double measure(int32_t players, int32_t games, uint32_t tables, Load *load)
{
    int ports[2];
    uint16_t port;

    memset(load, 0, sizeof(*load));
    if (pipe(ports))
        die("pipe");
    pid_t server = fork();
    if (server == 0)
        _exit(serve(players, games, tables, ports[1]));
    read_exactly(ports[0], (char *)&port, sizeof(port));
    be_clients(port, (int)tables * players, load);
    int status = 1;
    waitpid(server, &status, 0);
    close(ports[0]);
    close(ports[1]);
    if (status)
        exit(1);
    return (double)load->requests / (load->last - load->first);
}

/* ---- figures ---- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, ROUNDS, sizeof(values[0]), compare);
    return values[ROUNDS / 2];
}

static void compare_table(int32_t players, int32_t games)
{
    double rates[ROUNDS], ratios[ROUNDS], many[ROUNDS], bare[ROUNDS];
    Load load, load16;

    for (int round = 0; round < ROUNDS; round++) {
        rates[round] = measure(players, games, 1, &load);
        size_t there = (size_t)(load.bytes_there / load.requests);
        size_t back = (size_t)(load.bytes_back / load.requests);
        bare[round] = ping_pong(there, back, (int)load.requests);
        ratios[round] = rates[round] / bare[round];
        many[round] = measure(players, games / 4, 16, &load16) / rates[round];
    }
    printf("  %2d players, one table     %8.0f requests/s, %zu bytes there, %zu back\n", players,
           median(rates), (size_t)(load.bytes_there / load.requests),
           (size_t)(load.bytes_back / load.requests));
    printf("     bare ping-pong          %8.0f round trips/s; the table does %.2f of it\n",
           median(bare), median(ratios));
    printf("     sixteen tables at once  %8.2f times one table's requests/s\n", median(many));
}

int main(int argc, char **argv)
{
    Load load;

    setvbuf(stdout, NULL, _IONBF, 0);
    if (argc == 5) {
        uint64_t players, games, tables;
        if (!str_to_uint(str_of(argv[2]), SEAT_MAX, &players) ||
            !str_to_uint(str_of(argv[3]), 1000000, &games) ||
            !str_to_uint(str_of(argv[4]), CONNS_MAX / SEAT_MAX, &tables))
            return 2;
        double rate = measure((int32_t)players, (int32_t)games, (uint32_t)tables, &load);
        printf("%.0f requests/s, %.0f bytes there, %.0f back\n", rate,
               (double)load.bytes_there / (double)load.requests,
               (double)load.bytes_back / (double)load.requests);
        return 0;
    }
    printf("protocol division over loopback TCP, one server process, one client process\n");
    compare_table(15, 40);
    compare_table(5, 200);
    return 0;
}
