/* bench_journal.c - how many games a second a journal takes, each on disk before it is counted.
 *
 * Usage: bench_journal DIR      DIR is on the disk to be measured; a folder is made in it, and
 * removed Method: wall time from the first game added to the last one on disk, median of ROUNDS
 * rounds. Games of five built-in bots without and with logs, of 15 outside agents with times and
 * plain or compressed logs, added by two threads; and games added one by one, each only when the
 * one before is on disk.
 */
#include "disk/log_file.h"
#include "journal/journal.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS  5
#define THREADS 2

typedef struct Load {
    const char *what;
    SeatNo seats;
    bool outside;
    size_t log_bytes;
    const char *ending; /* of the log's name */
    uint64_t games;     /* of each thread */
    bool one_by_one;
    bool packed;
} Load;

static const Load loads[] = {
    {"5 bots, no logs", 5, false, 0, "", 100000, false, false},
    {"5 bots, logs of 6 KB", 5, false, 6000, ".log", 4000, false, false},
    {"15 agents, no logs", 15, true, 0, "", 20000, false, false},
    {"15 agents, logs of 60 KB", 15, true, 60000, ".log", 2000, false, false},
    {"15 agents, logs of 60 KB, gzip", 15, true, 60000, ".log.gz", 300, false, false},
    {"15 agents, logs of 60 KB, packed by the adders", 15, true, 60000, ".log.gz", 300, false,
     .packed = true},
    {"5 bots, no logs, one by one", 5, false, 0, "", 500, true, false},
    {"15 agents, logs of 60 KB, gzip, one by one", 15, true, 60000, ".log.gz", 200, true, false},
};

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

typedef struct Adder {
    const Load *load;
    Journal *journal;
    Str log;
    uint64_t first;
    int rc;
    Err err;
} Adder;

static void make_game(const Load *load, GameRecord *game)
{
    static const char *const names[] = {"alice", "bob", "carol", "dave", "eve"};

    game->ended_at_ms = 1785542400000;
    game->result = (GameResult){.seat_count = load->seats, .winner = SIDE_VILLAGER, .last_day = 3};
    for (SeatNo seat = 1; seat <= load->seats; seat++) {
        game->result.names[seat] = str_of(names[seat % 5]);
        game->result.roles[seat] = ROLE_VILLAGER;
        game->seats[seat].outside = load->outside;
        for (uint64_t i = 0; load->outside && i < 60; i++)
            durations_add(&game->seats[seat].times, 150 + i * i * 3 * seat);
    }
}

static void *add(void *argument)
{
    Adder *adder = argument;
    const Load *load = adder->load;
    CLEANUP(mem_freep) GameRecord *game = mem_new(sizeof(*game));
    CLEANUP(buf_done) Buf packed = {0};

    if (!game)
        return NULL;
    make_game(load, game);
    for (uint64_t i = 0; i < load->games && adder->rc == 0; i++) {
        game->game = adder->first + i;
        if (load->log_bytes)
            snprintf(game->log, sizeof(game->log), "logs/%llu%s", (unsigned long long)game->game,
                     load->ending);
        Str log = adder->log;
        buf_clear(&packed);
        if (load->packed && log_file_pack(log, &packed, &adder->err) == 0)
            log = buf_str(&packed);
        adder->rc = journal_add_game(adder->journal, game, log, &adder->err);
        while (load->one_by_one && adder->rc == 0 && journal_games_written(adder->journal) <= i &&
               journal_failed(adder->journal, NULL) == 0)
            sched_yield();
    }
    return NULL;
}

/* Text about as compressible as a log. */
static void make_log(size_t bytes, Buf *out)
{
    for (unsigned i = 0; out->len < bytes; i++)
        buf_printf(out, "%u,talk,%u,%u,%u,VOTE Agent[%02u]\n", i / 150, i, i % 150 / 15, i % 15 + 1,
                   i * 7919 % 15 + 1);
}

static void remove_folder(const char *dir)
{
    char path[512];
    DIR *listing = opendir(dir);
    struct dirent *entry;

    while (listing && (entry = readdir(listing))) {
        snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
        if (entry->d_name[0] != '.' && unlink(path) != 0)
            remove_folder(path);
    }
    if (listing)
        closedir(listing);
    rmdir(dir);
}

/* Games a second, or a negative number. */
static double play_round(const Load *load, const char *parent)
{
    CLEANUP(buf_done) Buf log = {0};
    Adder adders[THREADS] = {0};
    pthread_t threads[THREADS];
    int count = load->one_by_one ? 1 : THREADS;
    Journal *journal = NULL;
    Err err = {0};
    char dir[256];

    snprintf(dir, sizeof(dir), "%s/bench-journal-XXXXXX", parent);
    make_log(load->log_bytes, &log);
    if (!mkdtemp(dir) || journal_begin(dir, STR("{}"), &journal, &err))
        return -1;
    double start = seconds();
    for (int i = 0; i < count; i++) {
        adders[i] = (Adder){load, journal, buf_str(&log), (uint64_t)i * load->games, 0, {0}};
        if (pthread_create(&threads[i], NULL, add, &adders[i]))
            return -1;
    }
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    int rc = journal_close(journal, &err);
    double taken = seconds() - start;
    remove_folder(dir);
    return rc ? -1 : (double)load->games * count / taken;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    const char *parent = argc > 1 ? argv[1] : ".";

    for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
        double rates[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            rates[round] = play_round(&loads[i], parent);
            if (rates[round] < 0) {
                fprintf(stderr, "bench_journal: '%s' can't be written\n", parent);
                return 1;
            }
        }
        qsort(rates, ROUNDS, sizeof(rates[0]), compare);
        printf("%-48s %8.0f games/s (%.0f to %.0f)\n", loads[i].what, rates[ROUNDS / 2], rates[0],
               rates[ROUNDS - 1]);
    }
    return 0;
}
