/* A session whose game master is gone at any byte of what it writes, and is gone on with from its
 * folder: no round is lost or counted twice, and its record replays. docs/spec/models.md 4.5.
 *
 * WARG_RESUME_KILLS=N: so many in a row; 5 without it, 2 with a sanitizer, 50 in the long form. */
#define _GNU_SOURCE /* nftw */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/rng.h"
#include "disk/log_file.h"
#include "journal/journal.h"
#include "maw/maw_table.h"
#include "maw/session_replay.h"
#include "sanitized.h"
#include "wire/json_read.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLAYERS   6
#define ROUNDS    16
#define KILLS     (SANITIZED ? 2 : 5)
#define BYTES_MAX ((size_t)64 * 1024 * 1024)

/* ---- a folder of its own ---- */

static int in_a_folder(void **state)
{
    static char folder[] = "/tmp/maw-resume-XXXXXX";

    memcpy(folder + sizeof(folder) - 7, "XXXXXX", 6);
    *state = folder;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int remove_entry(const char *path, const struct stat *entry, int kind, struct FTW *where)
{
    (void)entry;
    (void)kind;
    (void)where;
    return remove(path);
}

static int out_of_it(void **state)
{
    return chdir("/") == 0 ? nftw(*state, remove_entry, 8, FTW_DEPTH | FTW_PHYS) : -1;
}

static void read_whole(const char *path, Buf *out)
{
    buf_clear(out);
    if (log_file_read(path, BYTES_MAX, out, NULL))
        fail_msg("%s can't be read", path);
}

/* As a process leaves it that is killed while it writes. */
static void cut(const char *path, size_t bytes)
{
    if (truncate(path, (off_t)bytes))
        fail_msg("%s: %s", path, strerror(errno));
}

/* ---- sessions ---- */

typedef struct Options {
    MawBot bot;
    uint32_t models; /* of the seats: the demo model */
    uint32_t bots;   /* the rest is filled, when the lobby's time is over */
    bool resume;
} Options;

typedef struct Run {
    Buf notes;
    Buf events;
    Buf leaderboard;
    uint32_t at; /* the round in which the record ended */
} Run;

static void run_done(Run *run)
{
    buf_done(&run->notes);
    buf_done(&run->events);
    buf_done(&run->leaderboard);
}

static void on_note(void *user, Str line)
{
    Run *run = user;

    buf_add(&run->notes, line);
    buf_add_char(&run->notes, '\n');
}

static void on_event(void *user, Str json)
{
    Run *run = user;

    buf_add(&run->events, json);
    buf_add_char(&run->events, '\n');
}

static int sit(MawTable *table, const Options *options, Err *err)
{
    int rc = 0;

    for (uint32_t i = 0; i < options->models && rc == 0; i++)
        rc = maw_table_add_model(table, &(MawModel){.language = LLM_ENGLISH}, err);
    for (uint32_t i = 0; i < options->bots && rc == 0; i++)
        rc = maw_table_add_bot(table, options->bot, err);
    return rc;
}

/* Plays the session of "d" to its end, or goes on with it. */
static int play(const Options *options, Run *run, Err *err)
{
    Ruleset rules;
    MawOptions usual = maw_options_default();
    MawTable *table = NULL;

    assert_int_equal(ruleset_preset(STR("maw"), &rules, NULL), 0);
    usual.players = PLAYERS;
    usual.rounds = ROUNDS;
    usual.lobby_ms = 20000;
    usual.fill = FILL_BOTS;
    usual.graveyard = true;
    usual.night_min_ms = 20000;
    usual.minds = MINDS_OPERATOR;
    MawTableSetup setup = {.rules = &rules,
                           .options = usual,
                           .id = STR("test"),
                           .domain = STR("maw.test"),
                           .chance = maw_chance_of_seed(11),
                           .pace = maw_pace(&rules, false),
                           .fill = MAW_BOT_TALKER,
                           .out = "d",
                           .command = STR("{\"command\":[]}\n"),
                           .resume = options->resume,
                           .note = on_note,
                           .event = on_event,
                           .user = run};
    if (options->resume) { /* the record says what they are */
        setup.options.rounds = 1;
        setup.chance = maw_chance_of_seed(12);
        setup.id = STR("another");
    }
    int rc = maw_table_new(&setup, &table, err);
    if (rc == 0)
        rc = sit(table, options, err);
    if (rc == 0)
        rc = maw_table_resume(table, err);
    if (rc == 0) {
        run->at = maw_table_resumes_at(table);
        maw_table_continue(table, 60000);
        rc = maw_table_play(table, err);
        maw_table_leaderboard(table, &run->leaderboard);
    }
    maw_table_free(table);
    return rc;
}

static void play_well(const Options *options, Run *run)
{
    Err err = {0};

    if (play(options, run, &err))
        fail_msg("%s", err.msg);
}

/* ---- what came of it ---- */

typedef struct Counted {
    uint32_t games[ROUNDS];
    int64_t points;
} Counted;

static int on_game(void *user, const GameRecord *record, Err *err)
{
    Counted *counted = user;

    (void)err;
    assert_true(record->set < ROUNDS);
    counted->games[record->set]++;
    for (SeatNo seat = 1; seat <= record->result.seat_count; seat++)
        counted->points += record->result.points[seat];
    return 0;
}

static int64_t points_in(const json_t *players, const char *key)
{
    int64_t sum = 0;

    for (size_t i = 0; i < json_count(players); i++)
        sum += json_number(json_at(players, i), key);
    return sum;
}

/* Rounds, points and lines of the rooms, by the record. */
static void check_events(Str rest, int64_t *ret_points, size_t *ret_lines)
{
    uint32_t ends[ROUNDS + 1] = {0}, starts[ROUNDS + 1] = {0};

    while (rest.len) {
        json_t *event = NULL;
        assert_int_equal(json_read(str_cut(&rest, '\n'), MAW_RECORD_LINE_MAX, &event, NULL), 0);
        Str what = json_text(event, "event");
        int64_t round = json_number(event, "round");
        assert_in_range(round, 0, ROUNDS);
        starts[round] += str_eq(what, STR("start_game"));
        ends[round] += str_eq(what, STR("end_game"));
        *ret_lines += str_eq(what, STR("line"));
        if (str_eq(what, STR("end_game")))
            *ret_points += points_in(json_get(event, "players"), "points");
        json_done(event);
    }
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        assert_int_equal(starts[round], 1);
        assert_int_equal(ends[round], 1);
    }
}

static size_t archived;

static int count_archive(const char *path, const struct stat *entry, int kind, struct FTW *where)
{
    CLEANUP(buf_done) Buf text = {0};

    (void)entry;
    (void)where;
    if (kind != FTW_F)
        return 0;
    read_whole(path, &text);
    for (size_t i = 0; i < text.len; i++)
        archived += text.bytes[i] == '\n';
    return 0;
}

/* The session in "d" was played to its end, and every round counts once everywhere. */
static void check_session(const Run *run)
{
    CLEANUP(buf_done) Buf record = {0};
    CLEANUP(buf_done) Buf file = {0};
    MawReplayVerdict verdict = {0};
    Counted counted = {0};
    const JournalListener listener = {.game = on_game, .user = &counted};
    int64_t points = 0;
    size_t lines = 0;
    json_t *board = NULL;

    read_whole("d/session.jsonl", &record);
    assert_int_equal(maw_record_replay(buf_str(&record), &verdict, NULL), 0);
    if (!verdict.ok)
        fail_msg("line %u: %s", verdict.line, verdict.reason);
    assert_int_equal(verdict.rounds, ROUNDS);
    check_events(buf_str(&record), &points, &lines);
    assert_int_equal(journal_read("d", &listener, NULL, NULL), 0);
    for (uint32_t round = 0; round < ROUNDS; round++)
        assert_int_equal(counted.games[round], 1);
    assert_int_equal(counted.points, points);
    read_whole("d/leaderboard.json", &file);
    assert_int_equal(json_read(str_trim(buf_str(&file)), BYTES_MAX, &board, NULL), 0);
    assert_int_equal(points_in(json_get(board, "players"), "points"), points);
    json_done(board);
    assert_true(str_eq(buf_str(&run->leaderboard), str_trim(buf_str(&file))));
    archived = 0;
    assert_int_equal(nftw("d/rooms", count_archive, 8, FTW_PHYS), 0);
    assert_int_equal(archived, lines);
}

static size_t length_of(const char *path)
{
    struct stat entry;

    return stat(path, &entry) ? 0 : (size_t)entry.st_size;
}

/* How long the journal was when its record was cut here: it has each round whose end is told of
 * behind the `end_game`; `torn` takes some bytes, or a whole round, that was not on disk yet. */
static void cut_journal(Str record, uint64_t torn)
{
    CLEANUP(buf_done) Buf journal = {0};
    size_t ends = 0, at = 0;

    for (Str rest = record; rest.len;) {
        Str line = str_cut(&rest, '\n');
        size_t found;
        ends += str_find(line, STR("\"event\":\"end_game\""), &found);
    }
    read_whole("d/journal.jsonl", &journal);
    for (Str rest = buf_str(&journal); rest.len;) {
        Str line = str_cut(&rest, '\n');
        size_t found;
        if (str_find(line, STR("\"record\":\"game\""), &found) && ends-- == 0)
            break;
        at += line.len + 1;
    }
    if (at > journal.len)
        at = journal.len;
    if (torn && at > torn + 100)
        at -= torn;
    cut("d/journal.jsonl", at);
}

/* Kills at random bytes, each behind the one before it. */
static void kill_often(const Options *first, unsigned kills, uint64_t seed)
{
    Options again = *first;
    Rng rng = rng_new(seed);
    Run run = {0};
    size_t done = 0;

    again.resume = true;
    play_well(first, &run);
    check_session(&run);
    run_done(&run);
    for (unsigned i = 0; i < kills; i++) {
        CLEANUP(buf_done) Buf record = {0};
        size_t all = length_of("d/session.jsonl"), left = kills - i;
        size_t at = done + 1 + rng_below(&rng, (uint32_t)((all - done) * 2 / (left + 1)) + 1);
        at = at < all ? at : all;
        cut("d/session.jsonl", at);
        read_whole("d/session.jsonl", &record);
        cut_journal(buf_str(&record), i % 3 ? rng_below(&rng, 3000) : 0);
        if (i % 5 == 0)
            unlink("d/leaderboard.json");
        done = at;
        run = (Run){0};
        play_well(&again, &run);
        check_session(&run);
        if (record.bytes[record.len - 1] != '\n')
            assert_non_null(strstr(buf_cstr(&run.notes), "is cut off"));
        run_done(&run);
    }
}

static unsigned kills(void)
{
    const char *told = getenv("WARG_RESUME_KILLS");

    return told ? (unsigned)strtoul(told, NULL, 10) : KILLS;
}

static void no_round_is_lost_or_counted_twice_among_bots(void **state)
{
    (void)state;
    kill_often(&(Options){.bot = MAW_BOT_TALKER, .bots = PLAYERS}, kills(), 1);
}

/* Two seats are filled when the lobby's time is over; they come again as the others do. */
static void nor_among_models_and_bots_that_filled(void **state)
{
    (void)state;
    kill_often(&(Options){.bot = MAW_BOT_RANDOM, .models = 2, .bots = 2}, kills() / 2, 2);
}

/* ---- single cuts ---- */

static void a_session_that_had_not_begun_begins(void **state)
{
    const Options first = {.bot = MAW_BOT_RANDOM, .bots = PLAYERS};
    Options again = first;

    (void)state;
    again.resume = true;
    for (size_t bytes = 0; bytes < 60; bytes += 20) {
        Run run = {0};
        Err err = {0};
        if (bytes == 0)
            play_well(&first, &run);
        run_done(&run);
        run = (Run){0};
        cut("d/session.jsonl", bytes);
        cut("d/journal.jsonl", bytes);
        int rc = play(&again, &run, &err);
        if (rc)
            fail_msg("%s", err.msg);
        assert_int_equal(run.at, 0);
        run_done(&run);
    }
}

/* Killed again before the clock has moved: what the next life says is no repeat of what the last
 * said. */
static void a_life_repeats_no_other(void **state)
{
    const Options first = {.bot = MAW_BOT_RANDOM, .bots = PLAYERS};
    Options again = first;
    CLEANUP(buf_done) Buf record = {0};
    Run run = {0};
    size_t at, found;

    (void)state;
    again.resume = true;
    play_well(&first, &run);
    run_done(&run);
    cut("d/session.jsonl", length_of("d/session.jsonl") / 2);
    run = (Run){0};
    play_well(&again, &run);
    run_done(&run);
    read_whole("d/session.jsonl", &record);
    assert_true(str_find(buf_str(&record), STR("\"event\":\"resumed\""), &at));
    Str rest = str_part(buf_str(&record), at, record.len);
    str_cut(&rest, '\n');
    for (unsigned joins = 0; joins < PLAYERS;)
        joins += str_find(str_cut(&rest, '\n'), STR("join_lobby"), &found);
    cut("d/session.jsonl", record.len - rest.len);
    run = (Run){0};
    play_well(&again, &run);
    check_session(&run);
    read_whole("d/session.jsonl", &record);
    assert_false(str_find(buf_str(&record), STR("\"outcome\":\"repeated\""), &found));
    run_done(&run);
}

/* Its journal lacks the last round, and the leaderboard is an old one. */
static void a_session_that_was_over_is_put_in_order(void **state)
{
    const Options first = {.bot = MAW_BOT_RANDOM, .bots = PLAYERS};
    Options again = first;
    Run run = {0};
    size_t found;

    (void)state;
    again.resume = true;
    play_well(&first, &run);
    cut("d/journal.jsonl", length_of("d/journal.jsonl") - 20);
    unlink("d/leaderboard.json");
    run_done(&run);
    run = (Run){0};
    play_well(&again, &run);
    assert_false(str_find(buf_str(&run.events), STR("resumed"), &found));
    check_session(&run);
    run_done(&run);
}

static void what_does_not_replay_is_left_as_it_is(void **state)
{
    const Options first = {.bot = MAW_BOT_RANDOM, .bots = PLAYERS};
    Options again = first;
    CLEANUP(buf_done) Buf record = {0};
    CLEANUP(buf_done) Buf later = {0};
    Run run = {0};
    Err err = {0};

    (void)state;
    again.resume = true;
    play_well(&first, &run);
    read_whole("d/session.jsonl", &record);
    char *vote = strstr(record.bytes, "\"event\":\"vote\"");
    assert_non_null(vote);
    vote[strlen("\"event\":\"")] = 'X';
    assert_int_equal(log_file_write("d/session.jsonl", buf_str(&record), NULL), 0);
    assert_int_equal(play(&again, &run, &err), ERR_SYNTAX);
    assert_non_null(strstr(err.msg, "can't be gone on with"));
    read_whole("d/session.jsonl", &later);
    assert_true(str_eq(buf_str(&later), buf_str(&record)));
    archived = 0;
    assert_int_equal(nftw("d/rooms", count_archive, 8, FTW_PHYS), 0);
    assert_true(archived > 0);
    run_done(&run);
}

/* Who sits on the seats now would have the points of who sat there. */
static void others_get_no_seats(void **state)
{
    const Options first = {.bot = MAW_BOT_TALKER, .bots = PLAYERS};
    const Options others = {.bot = MAW_BOT_RANDOM, .bots = PLAYERS, .resume = true};
    Run run = {0};
    Err err = {0};

    (void)state;
    play_well(&first, &run);
    cut("d/session.jsonl", length_of("d/session.jsonl") / 2);
    assert_int_equal(play(&others, &run, &err), ERR_USAGE);
    assert_non_null(strstr(err.msg, "was bot:talker, and is bot:random now"));
    run_done(&run);
}

static void one_that_is_played_is_not_gone_on_with(void **state)
{
    const Options first = {.bot = MAW_BOT_TALKER, .bots = PLAYERS};
    const Options again = {.bot = MAW_BOT_TALKER, .bots = PLAYERS, .resume = true};
    Journal *journal = NULL;
    Run run = {0};
    Err err = {0};

    (void)state;
    play_well(&first, &run);
    cut("d/session.jsonl", length_of("d/session.jsonl") / 2);
    pid_t pid = fork();
    if (pid == 0) { /* locks are a process's */
        int rc = journal_continue("d", &journal, NULL);
        if (rc == 0)
            pause();
        _exit(1);
    }
    for (int i = 0; i < 2000; i++) {
        usleep(10000);
        err = (Err){0};
        if (journal_continue("d", &journal, &err))
            break;
        journal_close(journal, NULL);
    }
    assert_int_equal(play(&again, &run, &err), ERR_USAGE);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    run_done(&run);
}

#define in_folder(name) cmocka_unit_test_setup_teardown(name, in_a_folder, out_of_it)

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_folder(no_round_is_lost_or_counted_twice_among_bots),
        in_folder(nor_among_models_and_bots_that_filled),
        in_folder(a_session_that_had_not_begun_begins),
        in_folder(a_life_repeats_no_other),
        in_folder(a_session_that_was_over_is_put_in_order),
        in_folder(what_does_not_replay_is_left_as_it_is),
        in_folder(others_get_no_seats),
        in_folder(one_that_is_played_is_not_gone_on_with),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
