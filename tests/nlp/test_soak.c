/* A week in seconds: contests on a simulated network and clock, in which participants drop, come
 * back, answer late, send garbage, the disk is full, and the server is killed. Every scheduled
 * match must be decided in the end and stand in the journal once; nothing may wait for a ghost,
 * leak, or be counted twice, and who did nothing wrong is blamed for nothing.
 *
 * WARG_SOAK_GAMES=n plays n games instead of a few hundred (`./dev soak`), WARG_SOAK_SEED=n others,
 * WARG_SOAK_CONTEST=n the one contest soak_contest(n, games).
 */
#include "disk_faults.h"
#include "nlp/soak_play.h"
#include "sanitized.h"

#include <time.h>

#define WEEK_US ((SANITIZED ? 1 : 7) * 86400 * SECOND_US)

/* ---- the server's life ---- */

static void lose_all(Soak *soak)
{
    for (Conn *conn = soak->conns; conn; conn = conn->next) {
        if (conn->server_open && conn->peer_open)
            send_down_fin(conn);
        conn->server_open = false;
        conn->agent = NULL;
    }
}

static void count_life(Soak *soak)
{
    NlpCounts counts = nlp_hall_counts(soak->hall);
    SoakTotals *totals = soak->totals;

    totals->begun += counts.games_begun;
    totals->decided += counts.games_won[0] + counts.games_won[1] + counts.games_won[2];
    totals->aborted += counts.games_aborted;
    totals->cut_off += counts.games;
    totals->requests += counts.requests;
    totals->late += counts.late_replies;
    totals->rejoined += counts.rejoined;
}

/* As kill -9 leaves it: what is on disk is what was written until now. Sometimes the history was
 * being saved, and a part of its next version lies beside it. */
static void kill_server(Soak *soak)
{
    check_running_logs(soak);
    check_history_file(soak);
    check_counts(soak);
    count_life(soak);
    soak->hall = nlp_hall_free(soak->hall);
    soak->results = result_journal_free(soak->results);
    lose_all(soak);
    soak->begun_count = 0;
    soak->totals->faults[NET_KILL]++;
    if (soak->planned) {
        CLEANUP(buf_done) Buf before = {0};
        CLEANUP(buf_done) Buf part = {0};
        read_whole(soak->history_path, &before);
        soak_check(soak, str_eq(buf_str(&before), buf_str(&soak->text)),
                   "the end of the server has changed the history file");
        buf_printf(&part, "%s.tmp", soak->history_path);
        FILE *file = fopen(buf_cstr(&part), "we");
        fwrite(before.bytes, 1, before.len / 2, file);
        fclose(file);
    }
    agenda_add(&soak->agenda,
               (SoakEvent){.at = soak->now + some_time(soak, SECOND_US, 600 * SECOND_US),
                           .kind = SOAK_START});
}

static void kill_later(Soak *soak)
{
    agenda_add(&soak->agenda,
               (SoakEvent){.at = soak->now + some_time(soak, 120 * SECOND_US, 43200 * SECOND_US),
                           .kind = SOAK_KILL});
}

/* The folder of the game logs gives place to a file, and comes back. */
static void swap_logs(Soak *soak, bool blocked)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf aside = {0};

    buf_printf(&path, "%s/game", soak->folder);
    buf_printf(&aside, "%s/aside", soak->folder);
    soak->logs_blocked = blocked;
    if (!blocked) {
        unlink(buf_cstr(&path));
        rename(buf_cstr(&aside), buf_cstr(&path));
        return;
    }
    soak->logs_back_at = soak->now + some_time(soak, SECOND_US, 600 * SECOND_US);
    mkdir(buf_cstr(&path), 0777);
    rename(buf_cstr(&path), buf_cstr(&aside));
    fclose(fopen(buf_cstr(&path), "we"));
    agenda_add(&soak->agenda, (SoakEvent){.at = soak->logs_back_at, .kind = SOAK_LOGS_BACK});
}

/* No byte more gets into the journal, for a while. Games that end meanwhile count for nothing. */
static void fill_disk(Soak *soak)
{
    disk_fault_set((DiskFault){
        .kinds = DISK_WRITE, .at = 1 + rng_below(&soak->rng, 3), .for_ever = true, .why = ENOSPC});
    disk_fault_only("/results/");
    soak->totals->faults[NET_FULL]++;
    soak->room_at = soak->now + some_time(soak, 60 * SECOND_US, 3600 * SECOND_US);
    agenda_add(&soak->agenda, (SoakEvent){.at = soak->room_at, .kind = SOAK_ROOM});
    agenda_add(&soak->agenda,
               (SoakEvent){.at = soak->room_at + some_time(soak, 0, 43200 * SECOND_US),
                           .kind = SOAK_FULL});
}

static void start_server(Soak *soak)
{
    server_start(soak);
    check_schedule(soak);
    check_history_file(soak);
    kill_later(soak);
    if (!soak->logs_blocked && fault(soak, NET_LOG_TROUBLE))
        swap_logs(soak, true);
}

/* ---- time ---- */

static void happens(Soak *soak, const SoakEvent *event)
{
    Conn *conn = event->conn;
    Str bytes = {event->bytes, event->len};

    switch (event->kind) {
    case SOAK_UP:
        if (conn->server_open)
            server_reads(conn, bytes);
        break;
    case SOAK_UP_FIN:
    case SOAK_STUCK:
        if (conn->server_open)
            server_lost(conn);
        break;
    case SOAK_DOWN:
        peer_reads(conn, bytes);
        break;
    case SOAK_DOWN_FIN:
        if (!conn->hole)
            peer_lost(conn, 0);
        break;
    case SOAK_SEND:
        on_send(conn, bytes);
        break;
    case SOAK_LEAVE:
        on_leave(conn, rng_below(&soak->rng, 4) != 0);
        break;
    case SOAK_CONNECT:
        on_connect(soak, event->client, false);
        break;
    case SOAK_TWIN:
        on_connect(soak, event->client, true);
        break;
    case SOAK_STRANGER:
        on_stranger(soak);
        break;
    case SOAK_KILL:
        kill_server(soak);
        break;
    case SOAK_START:
        start_server(soak);
        break;
    case SOAK_LOGS_BACK:
        swap_logs(soak, false);
        break;
    case SOAK_FULL:
        fill_disk(soak);
        break;
    case SOAK_ROOM:
        disk_fault_set((DiskFault){0});
        break;
    }
}

/* The clock of the real server is late by a little, now and then by more. */
static TimeUs lateness(Soak *soak)
{
    return rng_below(&soak->rng, 100) ? rng_below(&soak->rng, 1500)
                                      : rng_below(&soak->rng, 2000000);
}

static void tick(Soak *soak)
{
    nlp_hall_tick(soak->hall, soak->now);
    soak_check(soak, nlp_hall_deadline(soak->hall) > soak->now,
               "what is due at %" PRId64 " has not happened at %" PRId64,
               nlp_hall_deadline(soak->hall), soak->now);
}

static bool is_complete(const Soak *soak)
{
    return soak->hall && nlp_hall_complete(soak->hall);
}

/* ---- memory ---- */

#define MEASURED (!SANITIZED) /* a sanitizer keeps what was freed */

static size_t resident_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "re");
    unsigned long all = 0, resident = 0;

    if (!file || fscanf(file, "%lu %lu", &all, &resident) != 2)
        resident = 0;
    if (file)
        fclose(file);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

static unsigned open_files(void)
{
    unsigned count = 0;
    DIR *dir = opendir("/proc/self/fd");

    while (dir && readdir(dir))
        count++;
    if (dir)
        closedir(dir);
    return count;
}

static void measure(Soak *soak)
{
    if (soak->resident_count < RESIDENT_MAX)
        soak->resident[soak->resident_count++] = resident_bytes();
}

/* A hall remembers 1,000 games, and begins with none: from then on it must not grow. How many games
 * run at a time makes more of a difference, so the most of many samples is compared. */
static void check_flat(const Soak *soak)
{
    const unsigned first = 1100 / SAMPLE_GAMES;
    unsigned middle = first + (soak->resident_count - first) / 2;
    size_t early = 0, late = 0;

    if (soak->resident_count < 2 * first - 10 || !MEASURED)
        return;
    for (unsigned i = first; i < middle; i++)
        early = soak->resident[i] > early ? soak->resident[i] : early;
    for (unsigned i = middle; i < soak->resident_count; i++)
        late = soak->resident[i] > late ? soak->resident[i] : late;
    printf("one server's %u games: at most %.1f MiB until game %u, %.1f MiB until the end\n",
           soak->games, (double)early / 1048576, middle * SAMPLE_GAMES, (double)late / 1048576);
    soak_check(soak, late <= early + early / 20 + 1048576, "memory grows: %zu bytes, then %zu",
               early, late);
}

/* Those in a hole are closed without an event of theirs. */
static void sweep(Soak *soak)
{
    Conn *next;

    for (Conn *conn = soak->conns; conn; conn = next) {
        next = conn->next;
        conn_free_when_over(conn);
    }
}

static void play(Soak *soak)
{
    TimeUs late = 0;

    while (!is_complete(soak)) {
        TimeUs due = soak->hall ? nlp_hall_deadline(soak->hall) : TIME_US_NEVER;
        TimeUs next = agenda_next(&soak->agenda);
        uint64_t decided = soak->decided;

        soak_check(soak, soak->now < (TimeUs)HOURS_A_GAME * 3600 * SECOND_US * (soak->games + 1),
                   "it does not come to an end");
        if (due != TIME_US_NEVER)
            due += late;
        soak_check(soak, due != TIME_US_NEVER || next != TIME_US_NEVER, "nothing happens any more");
        if (due <= next) {
            soak->now = due > soak->now ? due : soak->now;
            tick(soak);
            late = lateness(soak);
        } else {
            SoakEvent event = agenda_take(&soak->agenda);
            soak->now = event.at > soak->now ? event.at : soak->now;
            happens(soak, &event);
            mem_free(event.bytes);
            if (event.conn) {
                event.conn->pending--;
                conn_free_when_over(event.conn);
            }
        }
        if (soak->hall)
            check_hall(soak);
        if (decided / SAMPLE_GAMES != soak->decided / SAMPLE_GAMES) {
            sweep(soak);
            measure(soak);
        }
    }
}

/* ---- one contest ---- */

static void make_token(const Soak *soak, const char *team, Buf *out)
{
    JwtClaims claims = {.role = "PLAYER"};

    snprintf(claims.team, sizeof(claims.team), "%s", team);
    if (jwt_make(&claims, ZERO_UNIX_MS / 1000, soak->config->secret_key, out, NULL))
        soak_fail(soak, "no token");
}

static void make_clients(Soak *soak)
{
    unsigned names = (unsigned)(sizeof(soak_teams) / sizeof(soak_teams[0]));

    soak_check(soak, soak->plan.teams <= names, "more teams than names");
    for (unsigned team = 0; team < soak->plan.teams; team++)
        for (unsigned i = 1; i <= soak->plan.clients_each; i++) {
            Client *client = &soak->clients[soak->client_count];
            client->number = ++soak->client_count;
            client->honest = client->number % 3 == 0;
            snprintf(client->name, sizeof(client->name), "%s%u", soak_teams[team], i);
            if (soak->plan.auth) {
                make_token(soak, soak_teams[team], &client->token);
                make_token(soak, "another", &client->bad_token);
            }
            connect_later(soak, client, some_time(soak, 0, 60 * SECOND_US));
        }
}

static void make_config(Soak *soak)
{
    CLEANUP(buf_done) Buf yaml = {0};
    Err err = {0};

    write_config(soak, &yaml);
    if (config_read("soak.yml", buf_str(&yaml), soak_getenv, NULL, NULL, &soak->config, &err))
        soak_fail(soak, "%s\n%s", err.msg, buf_cstr(&yaml));
}

static void remove_folder(const Soak *soak)
{
    static const char *const parts[] = {"/game", "/aside", "/json", "/results", ""};

    for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        char path[600];
        snprintf(path, sizeof(path), "%s%s", soak->folder, parts[i]);
        DIR *dir = opendir(path);
        for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
            char file[900];
            snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
            unlink(file);
        }
        if (dir)
            closedir(dir);
        remove(path);
    }
}

static void check_end(Soak *soak)
{
    const History *history = nlp_hall_history(soak->hall);

    check_counts(soak);
    check_history_file(soak);
    check_schedule(soak);
    soak_check(soak, soak->begun_count == 0, "a game still runs");
    soak_check(soak, soak->decided >= soak->games, "not all games were decided");
    if (history)
        soak_check(soak, history_scheduled_count(history) == 0, "not all matches were played");
    count_life(soak);
    nlp_hall_abort(soak->hall, soak->now);
    soak_check(soak, nlp_hall_counts(soak->hall).open == 0, "%u connections are left open",
               nlp_hall_counts(soak->hall).open);
    check_journal(soak);
}

static void done(Soak *soak)
{
    nlp_hall_free(soak->hall);
    result_journal_free(soak->results);
    disk_fault_set((DiskFault){0});
    lose_all(soak);
    while (soak->agenda.count) {
        SoakEvent event = agenda_take(&soak->agenda);
        mem_free(event.bytes);
    }
    while (soak->conns)
        conn_free(soak->conns);
    for (unsigned i = 0; i < soak->client_count; i++) {
        buf_done(&soak->clients[i].token);
        buf_done(&soak->clients[i].bad_token);
    }
    remove_folder(soak);
    config_free(soak->config);
    mem_free(soak->agenda.heap);
    mem_free(soak->planned);
    buf_done(&soak->out);
    buf_done(&soak->text);
    mem_free(soak);
}

static Soak *soak_new(uint64_t seed, unsigned games, SoakTotals *totals)
{
    const char *temporary = getenv("TMPDIR");
    Soak *soak = mem_new(sizeof(*soak));

    soak->seed = seed;
    soak->games = games;
    soak->rng = rng_new(seed);
    soak->totals = totals;
    soak->plan = draw_plan(&soak->rng, games);
    snprintf(soak->folder, sizeof(soak->folder), "%s/warg-soak-XXXXXX",
             temporary ? temporary : "/tmp");
    assert_non_null(mkdtemp(soak->folder));
    snprintf(soak->history_path, sizeof(soak->history_path), "%s/history.json", soak->folder);
    return soak;
}

static void soak_contest(uint64_t seed, unsigned games, SoakTotals *totals)
{
    Soak *soak = soak_new(seed, games, totals);

    soak->game_bound = longest_game(&soak->plan);
    make_config(soak);
    make_clients(soak);
    agenda_add(&soak->agenda, (SoakEvent){.at = SECOND_US, .kind = SOAK_STRANGER});
    agenda_add(&soak->agenda, (SoakEvent){.at = some_time(soak, 300 * SECOND_US, 43200 * SECOND_US),
                                          .kind = SOAK_FULL});
    start_server(soak);
    play(soak);
    check_end(soak);
    check_flat(soak);
    totals->contests++;
    totals->simulated += soak->now;
    done(soak);
}

/* ---- all ---- */

static void print_totals(const SoakTotals *totals, double seconds)
{
    printf("%" PRIu64 " contests, %" PRIu64 " games decided (%" PRIu64
           " without a winner), %" PRIu64 " aborted, %" PRIu64 " cut off by a kill, %" PRIu64
           " begun\n",
           totals->contests, totals->decided, totals->drawn, totals->aborted, totals->cut_off,
           totals->begun);
    printf("%.1f days of simulated time in %.1f s; %" PRIu64 " packets, %" PRIu64
           " messages, %" PRIu64 " of them late, %" PRIu64 " connections, %" PRIu64 " rejoined\n",
           (double)totals->simulated / 86400e6, seconds, totals->requests, totals->messages,
           totals->late, totals->connections, totals->rejoined);
    for (unsigned i = 0; i < NET_COUNT; i++)
        printf("%s%s %" PRIu64, i ? ", " : "", fault_rates[i].name, totals->faults[i]);
    printf("\nclose codes 1000: %" PRIu64 ", 1001: %" PRIu64 ", 1002: %" PRIu64 ", 1008: %" PRIu64
           ", 1009: %" PRIu64 ", 4001: %" PRIu64 ", 4002: %" PRIu64 ", 4003 and 4004: %" PRIu64
           "\n",
           totals->close_codes[0], totals->close_codes[1], totals->close_codes[2],
           totals->close_codes[3], totals->close_codes[4], totals->close_codes[5],
           totals->close_codes[6], totals->close_codes[7]);
}

static uint64_t number_of(const char *name, uint64_t otherwise)
{
    uint64_t value;

    return str_to_uint(str_of(getenv(name)), UINT64_MAX, &value) ? value : otherwise;
}

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void every_match_is_decided_whatever_goes_wrong(void **state)
{
    uint64_t seed = number_of("WARG_SOAK_SEED", 3);
    uint64_t games = number_of("WARG_SOAK_GAMES", 300);
    SoakTotals totals = {0};
    double began = seconds_now();
    size_t least = 0;

    (void)state;
    if (getenv("WARG_SOAK_CONTEST")) { /* one that has failed, by the seed that it told */
        soak_contest(number_of("WARG_SOAK_CONTEST", 0), (unsigned)games, &totals);
        return;
    }
    unsigned files = open_files();
    for (uint64_t number = 0; totals.decided < games || totals.simulated < WEEK_US; number++) {
        uint64_t left = totals.decided < games ? games - totals.decided : 30;
        unsigned part = number == 0 && games >= 4000 ? (unsigned)games / 2
                        : games >= 4000              ? 200
                                                     : 30;
        soak_contest(rng_derive(seed, number), part < left ? part : (unsigned)left, &totals);
        assert_int_equal(open_files(), files);
        size_t heap = mallinfo2().uordblks;
        least = number == 0 ? heap : least;
        /* What malloc keeps at hand for the next one counts, too. */
        if (MEASURED && heap > least + 524288)
            fail_msg("%zu bytes are in use after contest %" PRIu64 ", %zu after the first", heap,
                     number, least);
    }
    print_totals(&totals, seconds_now() - began);
}

/* ---- what was found ---- */

/* Five participants of a free match, whose game has begun. */
static Soak *small_table(SoakTotals *totals, Conn *ret_conns[static 5])
{
    Soak *soak = soak_new(1, 1, totals);

    soak->plan = (SoakPlan){.mode = MODE_FREE,
                            .seats = 5,
                            .teams = 5,
                            .action_s = 10,
                            .response_s = 10,
                            .name_s = 10,
                            .rejoin_s = 10,
                            .per_agent = 1,
                            .per_day = 1,
                            .ballots = 1,
                            .max_day = 3};
    make_config(soak);
    server_start(soak);
    for (unsigned i = 0; i < 5; i++) {
        const char name[3] = {(char)('a' + i), '1', '\0'};
        ret_conns[i] = conn_new(soak, NULL);
        open_conn(soak, ret_conns[i], STR("secret"));
        nlp_hall_message(soak->hall, ret_conns[i]->agent, str_of(name), soak->now);
    }
    assert_int_equal(nlp_hall_counts(soak->hall).games, 1);
    return soak;
}

static Conn *comes_back(Soak *soak, const char *name)
{
    Conn *conn = conn_new(soak, NULL);

    if (!conn->reader)
        assert_int_equal(nlp_client_new(&conn->reader, NULL), 0);
    open_conn(soak, conn, STR("secret"));
    nlp_hall_message(soak->hall, conn->agent, str_of(name), soak->now);
    return conn;
}

/* All that was sent arrives; readers look at it. */
static void deliver(Soak *soak)
{
    while (soak->agenda.count) {
        SoakEvent event = agenda_take(&soak->agenda);
        if (event.kind == SOAK_DOWN)
            peer_reads(event.conn, (Str){event.bytes, event.len});
        mem_free(event.bytes);
        event.conn->pending--;
    }
}

/* A connection that breaks unnoticed: its participant is back, and waits, before the server knows
 * that the seat is empty. */
static void who_is_back_before_the_loss_is_known_gets_the_seat(void **state)
{
    SoakTotals totals = {0};
    Conn *conns[5];
    Soak *soak = small_table(&totals, conns);

    (void)state;
    comes_back(soak, "a1");
    assert_int_equal(nlp_hall_counts(soak->hall).waiting, 1);
    server_lost(conns[0]);
    assert_int_equal(nlp_hall_counts(soak->hall).waiting, 0);
    assert_int_equal(nlp_hall_counts(soak->hall).rejoined, 1);
    server_lost(conns[1]); /* of whom nobody waits */
    assert_int_equal(nlp_hall_counts(soak->hall).rejoined, 1);
    deliver(soak);
    nlp_hall_abort(soak->hall, soak->now);
    assert_int_equal(nlp_hall_counts(soak->hall).open, 0);
    done(soak);
}

/* What happened at the table meanwhile is no news to who comes back: INITIALIZE is the first. */
static void who_comes_back_to_an_empty_table_is_told_of_the_game_first(void **state)
{
    SoakTotals totals = {0};
    Conn *conns[5];
    Soak *soak = small_table(&totals, conns);

    (void)state;
    for (unsigned i = 0; i < 5; i++)
        server_lost(conns[i]);
    if (nlp_hall_counts(soak->hall).games) {
        comes_back(soak, "c1");
        comes_back(soak, "a1");
        assert_int_equal(nlp_hall_counts(soak->hall).rejoined, 2);
    }
    deliver(soak); /* readers fail at a packet before INITIALIZE */
    nlp_hall_abort(soak->hall, soak->now);
    done(soak);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_back_before_the_loss_is_known_gets_the_seat),
        cmocka_unit_test(who_comes_back_to_an_empty_table_is_told_of_the_game_first),
        cmocka_unit_test(every_match_is_decided_whatever_goes_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
