#define _GNU_SOURCE /* memmem */
/* bench_cells.c - what cells cost: a program's start, a round trip, its end, whole games.
 *
 * Usage: bench_cells BUILD      BUILD is the folder of a build, with warg, warg-cell, tenant,
 *                               example-agent and libwarg.so in it
 * Method: wall time; each way in turn, so that what else the machine does falls on all of them.
 *         Start: from child_start to the game's connection, the smallest C program, medians of
 *         STARTS. Round trip: LINES lines each way, one at a time, medians of TRIPS ratios of a run
 *         inside to the run outside just before. End: from child_free to the last process gone,
 *         medians of STARTS. Processor: user and system time of all processes of one that starts
 * and ends by itself, mean of STARTS: what a start costs on a quiet machine at the least. Games:
 * 300 of 5 with two programs, medians of ratios of GAMES_ROUNDS pairs, `--cell` and none.
 * docs/spec/contest-operations.md 17 has the goals.
 */
#include "base/buf.h"
#include "cell/cell.h"
#include "cell/cell_news.h"
#include "cell/strict_order.h"
#include "net/child.h"
#include "net/tcp.h"

#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STARTS       31
#define LINES        30000
#define TRIPS        5
#define GAMES_ROUNDS 5
#define PATIENCE_US  ((TimeUs)60 * 1000 * 1000)
#define WORD_BYTES   32
#define LINE         "a line about as long as an answer\n"

/* ---- ways to start a program ---- */

typedef struct Way {
    const char *name;
    Cell *cell; /* NULL = none */
    double starts[STARTS];
    double trips[TRIPS]; /* seconds; then, ratios */
    double ends[STARTS];
    double processor; /* seconds of all STARTS */
} Way;

typedef enum WayNo { PLAIN, LIGHT, SPACES, FILTER, WAYS } WayNo;

/* One program and its game. */
typedef struct Play {
    Loop *loop;
    Timer *limit;
    Way *way;
    Listener *listener;
    Conn *conn;
    Child *child;
    uint32_t left; /* lines that are still to be sent */
    bool ended;
} Play;

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "bench_cells: %s\n", what);
    exit(1);
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Sorts them. */
static double median(double *values, size_t count)
{
    qsort(values, count, sizeof(values[0]), compare);
    return values[count / 2];
}

/* ---- its game ---- */

static void on_line(void *user, Str line, TimeUs at, TimeUs now)
{
    Play *play = user;

    (void)line;
    (void)at;
    (void)now;
    if (play->left && --play->left)
        conn_send(play->conn, STR(LINE));
    else
        loop_stop(play->loop);
}

static void on_conn_ended(void *user, ConnEnd how, Str partial, TimeUs now)
{
    (void)how;
    (void)partial;
    (void)now;
    ((Play *)user)->conn = NULL;
}

static void on_accepted(void *user, Conn *conn, const char *peer, TimeUs now)
{
    static const ConnEvents events = {.line = on_line, .ended = on_conn_ended};
    static const ConnLimits limits = {.line_bytes = 1000, .queued_bytes = 100000};
    Play *play = user;

    (void)peer;
    (void)now;
    play->conn = conn;
    conn_attach(conn, &events, play, &limits);
    loop_stop(play->loop);
}

static void on_told(void *user, Str message, int take_descriptor, TimeUs now)
{
    Play *play = user;
    CellNews news;

    (void)now;
    if (cell_news_read(message, &news) && news.kind == NEWS_LISTENS) {
        if (tcp_listen_on(play->loop, take_descriptor, on_accepted, play, &play->listener, NULL))
            die("no listening socket");
    } else if (take_descriptor >= 0) {
        close(take_descriptor);
    }
}

static void on_ended(void *user, ChildEnd how, TimeUs now)
{
    Play *play = user;

    (void)how;
    (void)now;
    play->ended = true;
    loop_stop(play->loop);
}

static void give_up(void *user, TimeUs now)
{
    (void)now;
    loop_stop(((Play *)user)->loop);
}

static void run(Play *play)
{
    timer_in(play->limit, PATIENCE_US);
    loop_run(play->loop);
    timer_stop(play->limit);
}

/* A word in the command lines of our programs, and of nobody else's. */
static void print_word(char word[static WORD_BYTES])
{
    snprintf(word, WORD_BYTES, "bench-%d", (int)getpid());
}

/* Starts `verb` of tenant with the port of its game behind it. */
static void start_program(Play *play, Way *way, const char *folder, const char *verb)
{
    static const char *const environment[] = {"PATH=/usr/bin:/bin", NULL};
    const bool alone = way->cell && cell_level(way->cell) == CELL_NAMESPACES;
    CLEANUP(cell_front_done) CellFront front = {0};
    CellTenant tenant = {folder, ORDER_PORT, cell_profile(STR("native"))};
    char command[96], word[WORD_BYTES];

    *play = (Play){.loop = play->loop, .limit = play->limit, .way = way};
    if (!alone) {
        if (tcp_listen(play->loop, "127.0.0.1", 0, on_accepted, play, &play->listener, NULL))
            die("no port");
        tenant.port = listener_port(play->listener);
    }
    if (way->cell && cell_front_for(way->cell, &tenant, &front, NULL))
        die("no cell");
    print_word(word);
    snprintf(command, sizeof(command), "./tenant %s %u %s", verb, tenant.port, word);
    const ChildPlan plan = {.command = command,
                            .folder = folder,
                            .environment = environment,
                            .front = way->cell ? &front.front : NULL,
                            .told = on_told};
    if (child_start(play->loop, &plan, on_ended, play, &play->child, NULL))
        die("no program");
}

/* From here to its connection. */
static double start(Play *play, Way *way, const char *folder)
{
    const double begin = seconds();

    start_program(play, way, folder, "play");
    run(play);
    if (!play->conn) {
        Str lines = child_last_lines(play->child);
        fprintf(stderr, "%s: %.*s\n", way->name, STR_ARG(lines));
        die("a program has not come");
    }
    return seconds() - begin;
}

static bool program_lives(void)
{
    DIR *folder = opendir("/proc");
    const struct dirent *entry;
    char path[300], line[1024], word[WORD_BYTES];
    bool found = false;

    print_word(word);
    while (folder && !found && (entry = readdir(folder))) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
            continue;
        snprintf(path, sizeof(path), "/proc/%s/cmdline", entry->d_name);
        FILE *in = fopen(path, "re");
        const size_t bytes = in ? fread(line, 1, sizeof(line), in) : 0;
        found = memmem(line, bytes, word, strlen(word)) != NULL;
        if (in)
            fclose(in);
    }
    if (folder)
        closedir(folder);
    return found;
}

/* From here to when its processes are gone and waited for. */
static double end(Play *play)
{
    const int front = child_pid(play->child);
    const double begin = seconds();

    play->child = child_free(play->child);
    while (kill(front, 0) == 0) {
        timer_in(play->limit, 200);
        loop_run(play->loop);
    }
    while (program_lives() && seconds() - begin < 10)
        continue;
    const double took = seconds() - begin;
    listener_close(play->listener);
    conn_close(play->conn);
    timer_in(play->limit, 1000); /* what is closed is gone before the next one */
    loop_run(play->loop);
    return took;
}

static double processor_seconds(void)
{
    struct rusage usage;

    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* One that has nothing to do. */
static double start_and_end(Play *play, Way *way, const char *folder)
{
    const double begin = processor_seconds();

    start_program(play, way, folder, "letters");
    while (!play->ended)
        run(play);
    const double took = processor_seconds() - begin;
    end(play);
    return took;
}

static double trip(Play *play, Way *way, const char *folder)
{
    start(play, way, folder);
    const double begin = seconds();
    play->left = LINES;
    conn_send(play->conn, STR(LINE));
    run(play);
    if (play->left)
        die("a line did not come back");
    const double took = seconds() - begin;
    end(play);
    return took;
}

/* ---- what is printed ---- */

static void tell_goal(const char *what, double value, const char *unit, double goal)
{
    printf("  %-40s %8.2f%s, goal %.2f%s: %s\n", what, value, unit, goal, unit,
           value <= goal ? "held" : "MISSED");
}

static void tell_starts(Way *ways)
{
    const double plain = median(ways[PLAIN].starts, STARTS) * 1e3;

    printf("start of a C program to its connection, medians of %d (best)\n", STARTS);
    for (WayNo i = PLAIN; i < WAYS; i++) {
        if (i != PLAIN && !ways[i].cell)
            continue;
        const double ms = median(ways[i].starts, STARTS) * 1e3;
        printf("  %-12s %7.2f ms (%.2f)  %.1f times plain; processor %.2f ms\n", ways[i].name, ms,
               ways[i].starts[0] * 1e3, ms / plain, ways[i].processor * 1e3 / STARTS);
    }
    for (WayNo i = SPACES; i < WAYS; i++) {
        if (!ways[i].cell)
            continue;
        char what[64];
        snprintf(what, sizeof(what), "%s, over plain", ways[i].name);
        const double ms = median(ways[i].starts, STARTS) * 1e3;
        tell_goal(what, ms - plain, " ms", 8);
        tell_goal("", ms / plain, " times", 6);
    }
}

static void tell_trips(Way *ways)
{
    printf("round trip, %d lines, medians of %d\n", LINES, TRIPS);
    for (WayNo i = PLAIN; i < WAYS; i++) {
        double ratios[TRIPS];
        if (i != PLAIN && !ways[i].cell)
            continue;
        for (int round = 0; round < TRIPS; round++)
            ratios[round] = ways[i].trips[round] / ways[PLAIN].trips[round];
        const double ratio = median(ratios, TRIPS);
        double sorted[TRIPS];
        memcpy(sorted, ways[i].trips, sizeof(sorted));
        printf("  %-12s %7.2f us\n", ways[i].name, median(sorted, TRIPS) * 1e6 / LINES);
        if (i >= SPACES)
            tell_goal("inside / outside", ratio, "", 1.10);
    }
}

static void tell_ends(Way *ways)
{
    printf("kill to all reaped, medians of %d\n", STARTS);
    for (WayNo i = PLAIN; i < WAYS; i++) {
        if (i != PLAIN && !ways[i].cell)
            continue;
        const double ms = median(ways[i].ends, STARTS) * 1e3;
        if (i < SPACES)
            printf("  %-12s %7.2f ms\n", ways[i].name, ms);
        else
            tell_goal(ways[i].name, ms, " ms", 20);
    }
}

/* ---- whole games ---- */

/* Wall time of a run of warg; its output goes to nobody. */
static double play_games(const char *build, const char *folder, const char *cell)
{
    char command[3 * PATH_MAX];
    const double begin = seconds();

    snprintf(command, sizeof(command),
             "cd '%s' && '%s/warg' run --cell %s --players 5 --games 300 --seed 1 "
             "--agent 'name=one,folder=.,cmd=./example-agent -h {host} -p {port} -n {name}' "
             "--agent 'name=two,folder=.,cmd=./example-agent -h {host} -p {port} -n {name}' "
             "--agent 'bot:random*3' >/dev/null 2>errors",
             folder, build, cell);
    if (system(command))
        die("warg run has failed");
    return seconds() - begin;
}

static void bench_games(const char *build, const char *folder, const Way *ways)
{
    static const char *const cells[WAYS] = {"none", "light", "namespaces", "filter"};
    double times[WAYS][GAMES_ROUNDS], ratios[GAMES_ROUNDS];

    for (int round = 0; round < GAMES_ROUNDS; round++)
        for (WayNo i = PLAIN; i < WAYS; i++)
            if (i == PLAIN || ways[i].cell)
                times[i][round] = play_games(build, folder, cells[i]);
    printf("300 games of 5 with two C programs, medians of %d\n", GAMES_ROUNDS);
    for (WayNo i = PLAIN; i < WAYS; i++) {
        if (i != PLAIN && !ways[i].cell)
            continue;
        for (int round = 0; round < GAMES_ROUNDS; round++)
            ratios[round] = times[i][round] / times[PLAIN][round];
        const double ratio = median(ratios, GAMES_ROUNDS);
        printf("  %-12s %7.3f s\n", cells[i], median(times[i], GAMES_ROUNDS));
        if (i >= SPACES)
            tell_goal("cells / none", ratio, "", 1.10);
    }
}

/* ---- all of it ---- */

static void make_ways(Way *ways)
{
    const char *hidden[] = {NULL};

    ways[PLAIN] = (Way){.name = "plain"};
    ways[LIGHT] = (Way){.name = "light"};
    ways[SPACES] = (Way){.name = "namespaces"};
    ways[FILTER] = (Way){.name = "filter"};
    if (cell_new(hidden, 022, NULL, &ways[LIGHT].cell, NULL))
        die("no light cell");
    for (WayNo i = SPACES; i < WAYS; i++) {
        CellWish wish = cell_wish_default();
        Err err = {0};
        wish.level = i == SPACES ? CELL_NAMESPACES : CELL_FILTER;
        if (cell_new_strict(&wish, NULL, NULL, &ways[i].cell, &err))
            printf("%s: %s\n", ways[i].name, err.msg);
        else
            printf("%s: %.*s\n", ways[i].name, STR_ARG(cell_layers(ways[i].cell)));
    }
}

static void copy_programs(const char *build, const char *folder)
{
    static const char *const names[] = {"tenant", "example-agent"};
    char command[3 * PATH_MAX];

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        snprintf(command, sizeof(command), "cp '%s/%s' '%s/' && chmod a+rx '%s/%s'", build,
                 names[i], folder, folder, names[i]);
        if (system(command))
            die("a program of the build is missing: ninja tenant example-agent");
    }
    /* In a cell a program finds its libraries beside it, or in the system's. */
    snprintf(command, sizeof(command), "cp '%s/libwarg.so.0' '%s/'", build, folder);
    if (system(command))
        die("libwarg.so is missing in the build");
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/warg-bench-XXXXXX", build[PATH_MAX], command[64];
    double load[1];
    Way ways[WAYS];
    Play play = {0};

    if (argc != 2 || !realpath(argv[1], build))
        die("usage: bench_cells BUILD");
    if (!mkdtemp(folder) || chmod(folder, 0755) || loop_new(&play.loop, NULL) ||
        timer_new(play.loop, give_up, &play, &play.limit, NULL))
        die("no folder, or no loop");
    if (getloadavg(load, 1) == 1)
        printf("%ld processors, load %.1f\n", sysconf(_SC_NPROCESSORS_ONLN), load[0]);
    copy_programs(build, folder);
    make_ways(ways);
    for (int round = 0; round < STARTS; round++)
        for (WayNo i = PLAIN; i < WAYS; i++)
            if (i == PLAIN || ways[i].cell) {
                ways[i].starts[round] = start(&play, &ways[i], folder);
                ways[i].ends[round] = end(&play);
                ways[i].processor += start_and_end(&play, &ways[i], folder);
            }
    for (int round = 0; round < TRIPS; round++)
        for (WayNo i = PLAIN; i < WAYS; i++)
            if (i == PLAIN || ways[i].cell)
                ways[i].trips[round] = trip(&play, &ways[i], folder);
    tell_starts(ways);
    tell_trips(ways);
    tell_ends(ways);
    bench_games(build, folder, ways);
    loop_free(play.loop);
    for (WayNo i = LIGHT; i < WAYS; i++)
        cell_free(ways[i].cell);
    snprintf(command, sizeof(command), "rm -r '%s'", folder);
    return system(command) ? 1 : 0;
}
