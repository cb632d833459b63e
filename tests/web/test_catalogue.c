#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* mkdtemp, mkfifo */
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "disk/folder.h"
#include "disk/log_file.h"
#include "journal/journal.h"
#include "web/catalogue.h"

#include "base/mem.h"
#include "base/rng.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The date of all looks: long behind what is written, so that nothing is unsure. */
#define NOW_MS (INT64_C(4102444800) * 1000)

static const char a_log[] = "0,status,1,VILLAGER,ALIVE,alice\n0,status,2,SEER,ALIVE,bob\n"
                            "0,status,3,WEREWOLF,ALIVE,carol\n1,result,0,1,WEREWOLF\n";

/* ---- folders ---- */

typedef struct Fixture {
    char dir[32];
    char path[256]; /* of the name that was made last */
} Fixture;

static const char *below(Fixture *fixture, const char *name)
{
    snprintf(fixture->path, sizeof(fixture->path), "%s/%s", fixture->dir, name);
    return fixture->path;
}

static int make(void **state)
{
    Fixture *fixture = test_calloc(1, sizeof(*fixture));

    snprintf(fixture->dir, sizeof(fixture->dir), "warg-catalogue-XXXXXX");
    assert_non_null(mkdtemp(fixture->dir));
    *state = fixture;
    return 0;
}

static int clear(void **state)
{
    Fixture *fixture = *state;

    assert_int_equal(folder_remove(fixture->dir, NULL), 0);
    test_free(fixture);
    return 0;
}

static void put_file(Fixture *fixture, const char *name, const char *text)
{
    Err err = {0};

    if (folder_make_for(below(fixture, name), &err) ||
        log_file_write(fixture->path, str_of(text), &err))
        fail_msg("%s", err.msg);
}

static Catalogue *scan_again(Fixture *fixture, const char *name, const Catalogue *before)
{
    char path[256];
    const char *paths[] = {path};
    const CatalogueSetup setup = {paths, 1};
    Catalogue *catalogue = NULL;

    snprintf(path, sizeof(path), "%s%s%s", fixture->dir, name[0] ? "/" : "", name);
    assert_int_equal(catalogue_check(&setup, NULL), 0);
    assert_int_equal(catalogue_scan(&setup, before, NOW_MS, &catalogue, NULL), 0);
    return catalogue;
}

static Catalogue *scan(Fixture *fixture, const char *name)
{
    Catalogue *catalogue = scan_again(fixture, name, NULL);

    assert_non_null(catalogue);
    return catalogue;
}

/* ID=path of all games, sorted by what qsort makes of it, each with a blank behind it. */
static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void assert_games(const Catalogue *catalogue, const char *want)
{
    char *lines[64];
    size_t count = catalogue_count(catalogue);
    CLEANUP(buf_done) Buf all = {0};

    assert_in_range(count, 0, 64);
    for (size_t i = 0; i < count; i++) {
        const CatalogueGame *game = catalogue_game(catalogue, i);
        CLEANUP(buf_done) Buf line = {0};
        buf_printf(&line, "%.*s=%.*s", STR_ARG(game->id), STR_ARG(game->path));
        if (game->json.len)
            buf_printf(&line, "+%.*s", STR_ARG(game->json));
        lines[i] = strdup(buf_cstr(&line));
        assert_ptr_equal(catalogue_find(catalogue, game->id), game);
    }
    if (count)
        qsort(lines, count, sizeof(*lines), by_text);
    for (size_t i = 0; i < count; i++) {
        buf_printf(&all, "%s ", lines[i]);
        free(lines[i]);
    }
    assert_string_equal(buf_cstr(&all), want);
}

static const CatalogueGame *game_named(const Catalogue *catalogue, const char *id)
{
    const CatalogueGame *game = catalogue_find(catalogue, str_of(id));

    if (!game)
        fail_msg("no game '%s'", id);
    return game;
}

/* ---- logs ---- */

static void logs_are_found_two_levels_deep(void **state)
{
    Fixture *fixture = *state;

    put_file(fixture, "000.log", a_log);
    put_file(fixture, "001.log.gz", a_log);
    put_file(fixture, "day/2.log", a_log);
    put_file(fixture, "day/late/3.log", a_log);
    put_file(fixture, "day/late/night/4.log", a_log);
    put_file(fixture, "notes.txt", "no log");
    put_file(fixture, "server.log", "12:00 started\n");
    put_file(fixture, "other.json", "{\"a\":1}");
    Catalogue *catalogue = scan(fixture, "");
    assert_games(catalogue, "000=000.log 001=001.log.gz 2=day/2.log 3=day/late/3.log ");
    catalogue_free(catalogue);
}

static void what_is_hidden_or_a_link_or_no_file_is_passed_over(void **state)
{
    Fixture *fixture = *state;
    char outside[64];

    put_file(fixture, "out/secret.log", a_log);
    put_file(fixture, "in/good.log", a_log);
    put_file(fixture, "in/.hidden.log", a_log);
    put_file(fixture, "in/.git/kept.log", a_log);
    assert_int_equal(symlink("../out/secret.log", below(fixture, "in/link.log")), 0);
    assert_int_equal(symlink("../out/secret.log", below(fixture, "in/packed.log.gz")), 0);
    assert_int_equal(symlink("../out", below(fixture, "in/folder")), 0);
    assert_int_equal(symlink("nowhere", below(fixture, "in/dangling.log")), 0);
    assert_int_equal(mkfifo(below(fixture, "in/fifo.log"), 0600), 0);
    assert_int_equal(mkdir(below(fixture, "in/named.log"), 0700), 0);
    Catalogue *catalogue = scan(fixture, "in");
    assert_games(catalogue, "good=good.log ");
    /* A link that takes the file's place later is not followed either. */
    const CatalogueGame *game = game_named(catalogue, "good");
    int fd = -1;
    assert_int_equal(catalogue_open(catalogue, game->root, game->path, &fd, NULL), 0);
    close(fd);
    assert_int_equal(unlink(below(fixture, "in/good.log")), 0);
    snprintf(outside, sizeof(outside), "../out/secret.log");
    assert_int_equal(symlink(outside, below(fixture, "in/good.log")), 0);
    assert_int_equal(catalogue_open(catalogue, game->root, game->path, &fd, NULL), ERR_IO);
    assert_int_equal(catalogue_open(catalogue, 0, STR("../out/secret.log"), &fd, NULL), ERR_IO);
    assert_int_equal(catalogue_open(catalogue, 0, STR("folder/secret.log"), &fd, NULL), ERR_IO);
    assert_int_equal(catalogue_open(catalogue, 0, STR("/etc/passwd"), &fd, NULL), ERR_IO);
    assert_int_equal(catalogue_open(catalogue, 0, STR("fifo.log"), &fd, NULL), ERR_IO);
    assert_int_equal(catalogue_open(catalogue, 7, STR("good.log"), &fd, NULL), ERR_RULE);
    catalogue_free(catalogue);
}

static void a_folder_that_becomes_a_link_is_not_followed(void **state)
{
    Fixture *fixture = *state;
    char from[256];
    int fd = -1;

    put_file(fixture, "in/day/1.log", a_log);
    put_file(fixture, "out/1.log", a_log);
    Catalogue *catalogue = scan(fixture, "in");
    const CatalogueGame *game = game_named(catalogue, "1");
    snprintf(from, sizeof(from), "%s", below(fixture, "in/day"));
    assert_int_equal(rename(from, below(fixture, "in/before")), 0);
    assert_int_equal(symlink("../out", from), 0);
    assert_int_equal(catalogue_open(catalogue, game->root, game->path, &fd, NULL), ERR_IO);
    catalogue_free(catalogue);
}

static void ids_are_of_safe_letters_and_differ(void **state)
{
    Fixture *fixture = *state;

    put_file(fixture, "a b<script>.log", a_log);
    put_file(fixture, "\xE4\xBA\xBA\xE7\x8B\xBC.log", a_log); /* a Japanese name */
    put_file(fixture, "%E4%BA%BA.log", a_log);                /* a name as servers write them */
    put_file(fixture, "50%.log", a_log);
    put_file(fixture, "one/same.log", a_log);
    put_file(fixture, "two/same.log", a_log);
    put_file(fixture, "two/deep/same.log", a_log);
    put_file(fixture, "two/deep/same.log.gz", a_log);
    Catalogue *catalogue = scan(fixture, "");
    assert_games(catalogue, "%E4%BA%BA%E7%8B%BC=\xE4\xBA\xBA\xE7\x8B\xBC.log "
                            "%E4%BA%BA=%E4%BA%BA.log 50%25=50%.log "
                            "a%20b%3Cscript%3E=a b<script>.log deep.same=two/deep/same.log "
                            "deep.same_2=two/deep/same.log.gz same=one/same.log "
                            "two.same=two/same.log ");
    catalogue_free(catalogue);
}

static void names_are_found_as_they_are_and_encoded(void **state)
{
    Fixture *fixture = *state;

    put_file(fixture, "\xE4\xBA\xBA.log", a_log);
    Catalogue *catalogue = scan(fixture, "");
    assert_ptr_equal(game_named(catalogue, "%E4%BA%BA"), game_named(catalogue, "\xE4\xBA\xBA"));
    assert_null(catalogue_find(catalogue, STR("")));
    assert_null(catalogue_find(catalogue, STR("..")));
    assert_null(catalogue_find(catalogue, STR("\xE4\xBA\xBA.log")));
    assert_null(catalogue_find(catalogue, STR("../warg")));
    catalogue_free(catalogue);
}

static void any_name_becomes_an_id(void **state)
{
    Rng rng = rng_new(20260926);

    (void)state;
    for (int round = 0; round < 20000; round++) {
        char bytes[400];
        CLEANUP(buf_done) Buf id = {0};
        size_t len = rng_below(&rng, rng_below(&rng, 10) ? 40 : sizeof(bytes));
        for (size_t i = 0; i < len; i++)
            bytes[i] = "%..A0-~/\xE3\\\n<"[rng_below(&rng, 13)];
        catalogue_id_encode((Str){bytes, len}, &id);
        assert_in_range(id.len, 1, CATALOGUE_ID_MAX);
        assert_true(id.bytes[0] != '.');
        for (size_t i = 0; i < id.len; i++) {
            char c = id.bytes[i];
            bool hex = c == '%' && i + 2 < id.len && strchr("0123456789ABCDEF", id.bytes[i + 1]) &&
                       strchr("0123456789ABCDEF", id.bytes[i + 2]);
            if (!hex &&
                !strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-", c))
                fail_msg("'%s' is no ID", buf_cstr(&id));
        }
        CLEANUP(buf_done) Buf again = {0};
        catalogue_id_encode(buf_str(&id), &again);
        assert_string_equal(buf_cstr(&again), buf_cstr(&id));
    }
}

static void a_json_log_and_the_game_log_of_its_name_are_one_game(void **state)
{
    static const char json[] =
        "{\"game_id\":\"x\",\"win_side\":\"VILLAGER\",\"agents\":[],\"entries\":[]}";
    Fixture *fixture = *state;

    put_file(fixture, "game/one.log", a_log);
    put_file(fixture, "json/one.json", json);
    put_file(fixture, "json/two.json", json);
    Catalogue *catalogue = scan(fixture, "");
    assert_games(catalogue, "one=game/one.log+json/one.json two=json/two.json ");
    catalogue_free(catalogue);
}

static void a_file_that_is_named_is_a_game(void **state)
{
    Fixture *fixture = *state;

    put_file(fixture, "some.log", a_log);
    assert_int_equal(symlink("some.log", below(fixture, "link.log")), 0);
    Catalogue *catalogue = scan(fixture, "some.log");
    assert_games(catalogue, "some= ");
    catalogue_free(catalogue);
    catalogue = scan(fixture, "link.log"); /* who names it means what it leads to */
    assert_games(catalogue, "link= ");
    int fd = -1;
    assert_int_equal(catalogue_open(catalogue, 0, STR(""), &fd, NULL), 0);
    close(fd);
    catalogue_free(catalogue);
}

static void a_path_that_is_not_there_is_an_error(void **state)
{
    Fixture *fixture = *state;
    const char *paths[] = {fixture->dir, below(fixture, "missing")};
    const CatalogueSetup setup = {paths, 2};
    Err err = {0};

    assert_int_equal(catalogue_check(&setup, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "missing"));
}

static void new_files_are_found_and_nothing_new_costs_nothing(void **state)
{
    Fixture *fixture = *state;

    put_file(fixture, "1.log", a_log);
    put_file(fixture, "day/2.log", a_log);
    Catalogue *first = scan(fixture, "");
    assert_null(scan_again(fixture, "", first));
    put_file(fixture, "day/3.log", a_log);
    Catalogue *second = scan_again(fixture, "", first);
    assert_non_null(second);
    assert_games(second, "1=1.log 2=day/2.log 3=day/3.log ");
    assert_null(scan_again(fixture, "", second));
    assert_int_equal(unlink(below(fixture, "1.log")), 0);
    Catalogue *third = scan_again(fixture, "", second);
    assert_games(third, "2=day/2.log 3=day/3.log ");
    catalogue_free(first);
    catalogue_free(second);
    catalogue_free(third);
}

static void a_change_of_this_moment_is_looked_at_again(void **state)
{
    Fixture *fixture = *state;
    const char *paths[] = {fixture->dir};
    const CatalogueSetup setup = {paths, 1};
    Catalogue *first = NULL, *second = NULL;
    struct stat about;

    put_file(fixture, "1.log", a_log);
    assert_int_equal(stat(fixture->dir, &about), 0);
    int64_t now_ms = (int64_t)about.st_mtim.tv_sec * 1000 + 1000;
    assert_int_equal(catalogue_scan(&setup, NULL, now_ms, &first, NULL), 0);
    assert_int_equal(catalogue_scan(&setup, first, now_ms, &second, NULL), 0);
    assert_non_null(second);
    catalogue_free(first);
    catalogue_free(second);
}

static void the_newest_games_come_first(void **state)
{
    static const char *const names[] = {"b.log", "c.log", "a.log"};
    Fixture *fixture = *state;

    for (int i = 0; i < 3; i++) {
        put_file(fixture, names[i], a_log);
        const struct timespec times[2] = {{1000000 + i, 0}, {1000000 + i, 0}};
        assert_int_equal(utimensat(AT_FDCWD, below(fixture, names[i]), times, 0), 0);
    }
    Catalogue *catalogue = scan(fixture, "");
    assert_int_equal(catalogue_count(catalogue), 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(str_eq(catalogue_game(catalogue, i)->path, str_of(names[2 - i])));
    assert_int_equal(catalogue_game(catalogue, 0)->at_ms, 1000002000);
    catalogue_free(catalogue);
}

/* ---- journals ---- */

static void begin_journal(Fixture *fixture, const char *name, const char *plan,
                          Journal **ret_journal)
{
    Err err = {0};

    folder_make(str_of(below(fixture, name)), NULL);
    if (journal_begin(fixture->path, str_of(plan), ret_journal, &err))
        fail_msg("%s", err.msg);
}

static void add_ended_game(Journal *journal, uint32_t stage, uint64_t number, const char *log,
                           const char *id, int64_t ended_at_ms)
{
    GameRecord *record = mem_new(sizeof(*record));
    Err err = {0};

    *record = (GameRecord){.stage = stage,
                           .game = number,
                           .began_at_ms = 1000,
                           .ended_at_ms = ended_at_ms,
                           .reason = END_WIN,
                           .result = {.seat_count = 3, .winner = SIDE_WEREWOLF, .last_day = 2}};
    snprintf(record->log, sizeof(record->log), "%s", log);
    snprintf(record->id, sizeof(record->id), "%s", id);
    snprintf(record->ruleset, sizeof(record->ruleset), "aiwolf-2021");
    const Str names[] = {{0}, STR("alice"), STR("bob"), STR("alice")};
    const Role roles[] = {ROLE_NONE, ROLE_SEER, ROLE_WEREWOLF, ROLE_VILLAGER};
    for (SeatNo seat = 1; seat <= 3; seat++) {
        record->result.names[seat] = names[seat];
        record->result.roles[seat] = roles[seat];
        record->seats[seat].outside = true;
    }
    record->seats[2].team = STR("red");
    record->seats[2].faults[FAULT_TIMEOUT] = 2;
    if (journal_add_game(journal, record, str_of(log[0] ? a_log : ""), &err))
        fail_msg("%s", err.msg);
    mem_free(record);
}

static void add_game(Journal *journal, uint32_t stage, uint64_t number, const char *log,
                     const char *id)
{
    add_ended_game(journal, stage, number, log, id, 2000 + (int64_t)number);
}

static void games_that_end_at_once_are_ordered_by_their_numbers(void **state)
{
    /* Four at a time; then somebody waited. */
    static const struct {
        uint64_t number;
        int64_t ended_at_ms;
    } games[] = {{1, 2000}, {0, 2400}, {3, 3100}, {2, 3900}, {5, 5000}, {4, 5500}};
    static const uint64_t want[] = {5, 4, 3, 2, 1, 0};
    Fixture *fixture = *state;
    Journal *journal;

    begin_journal(fixture, "cup", "{}", &journal);
    for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++)
        add_ended_game(journal, 0, games[i].number, "", "", games[i].ended_at_ms);
    add_ended_game(journal, 0, 6, "", "", 500); /* long before, whatever its number */
    assert_int_equal(journal_close(journal, NULL), 0);
    Catalogue *catalogue = scan(fixture, "cup");
    assert_int_equal(catalogue_count(catalogue), 7);
    for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
        assert_int_equal(catalogue_game(catalogue, i)->game, want[i]);
    assert_int_equal(catalogue_game(catalogue, 6)->game, 6);
    catalogue_free(catalogue);
}

static void the_games_of_a_folder_with_a_journal_are_those_of_the_journal(void **state)
{
    Fixture *fixture = *state;
    Journal *journal;
    size_t index;

    begin_journal(fixture, "cup", "{\"contest\":\"Spring <cup>\"}", &journal);
    add_game(journal, 0, 0, "logs/000.log", "");
    add_game(journal, 1, 1, "logs/1/001.log.gz", "");
    add_game(journal, 0, 2, "", "");
    assert_int_equal(journal_add_end(journal, 3, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    put_file(fixture, "cup/logs/999.log", a_log); /* of a game that did not count */
    put_file(fixture, "cup/agents/alice/0.log", a_log);
    put_file(fixture, "cup/secret/key.log", a_log);
    Catalogue *catalogue = scan(fixture, "cup");
    assert_games(catalogue, "cup.0.2= cup.000=logs/000.log cup.1.001=logs/1/001.log.gz ");
    assert_int_equal(catalogue_contest_count(catalogue), 1);
    assert_true(catalogue_find_contest(catalogue, STR("cup"), &index));
    const CatalogueContest *contest = catalogue_contest(catalogue, index);
    assert_true(str_eq(contest->name, STR("Spring <cup>")));
    assert_true(contest->complete && contest->games == 3 && contest->trouble.len == 0);
    assert_int_equal(contest->ended_ms, 2002);
    const CatalogueGame *game = game_named(catalogue, "cup.1.001");
    assert_true(game->told && game->has_log && game->winner == SIDE_WEREWOLF);
    assert_int_equal(game->last_day, 2);
    assert_int_equal(game->faults, 2);
    assert_int_equal(game->stage, 1);
    assert_true(str_eq(catalogue_text(catalogue, game->ruleset), STR("aiwolf-2021")));
    CatalogueSeat seat = catalogue_seat(catalogue, game, 2);
    assert_true(str_eq(catalogue_text(catalogue, seat.agent), STR("bob")));
    assert_true(str_eq(catalogue_text(catalogue, seat.team), STR("red")));
    assert_int_equal(seat.role, ROLE_WEREWOLF);
    assert_int_equal(catalogue_seat(catalogue, game, 3).agent,
                     catalogue_seat(catalogue, game, 1).agent);
    assert_false(game_named(catalogue, "cup.0.2")->has_log);
    assert_ptr_equal(game_named(catalogue, "000"), game_named(catalogue, "cup.000"));
    catalogue_free(catalogue);
}

static void a_game_with_an_id_keeps_it(void **state)
{
    Fixture *fixture = *state;
    Journal *journal;

    begin_journal(fixture, "hall", "{\"division\":\"nlp\"}", &journal);
    add_game(journal, 0, 0, "17_teams.log", "01M8ABC");
    assert_int_equal(journal_close(journal, NULL), 0);
    Catalogue *catalogue = scan(fixture, "");
    assert_games(catalogue, "01M8ABC=hall/17_teams.log ");
    assert_ptr_equal(game_named(catalogue, "hall.17_teams"), game_named(catalogue, "01M8ABC"));
    catalogue_free(catalogue);
}

static void contests_of_one_name_have_ids_of_their_own(void **state)
{
    Fixture *fixture = *state;
    Journal *journal;

    begin_journal(fixture, "a/cup", "{}", &journal);
    add_game(journal, 0, 0, "logs/0.log", "");
    assert_int_equal(journal_close(journal, NULL), 0);
    folder_make(str_of(below(fixture, "b")), NULL);
    begin_journal(fixture, "b/cup", "{}", &journal);
    add_game(journal, 0, 0, "logs/0.log", "");
    assert_int_equal(journal_close(journal, NULL), 0);
    Catalogue *catalogue = scan(fixture, "");
    assert_games(catalogue, "cup.0=a/cup/logs/0.log cup_2.0=b/cup/logs/0.log ");
    catalogue_free(catalogue);
}

static void a_journal_that_grows_is_read_on(void **state)
{
    Fixture *fixture = *state;
    Journal *journal;

    begin_journal(fixture, "cup", "{\"contest\":\"c\"}", &journal);
    add_game(journal, 0, 0, "logs/0.log", "");
    assert_int_equal(journal_wait(journal, NULL), 0);
    Catalogue *first = scan(fixture, "");
    assert_games(first, "cup.0=cup/logs/0.log ");
    assert_null(scan_again(fixture, "", first));
    add_game(journal, 0, 1, "logs/1.log", "");
    assert_int_equal(journal_add_end(journal, 2, NULL), 0);
    assert_int_equal(journal_wait(journal, NULL), 0);
    Catalogue *second = scan_again(fixture, "", first);
    assert_games(second, "cup.0=cup/logs/0.log cup.1=cup/logs/1.log ");
    assert_true(catalogue_contest(second, 0)->complete);
    assert_int_equal(catalogue_contest(second, 0)->games, 2);
    assert_true(str_eq(catalogue_contest(second, 0)->name, STR("c")));
    assert_ptr_equal(game_named(second, "0"), game_named(second, "cup.0"));
    CatalogueSeat seat = catalogue_seat(second, game_named(second, "cup.0"), 2);
    assert_true(str_eq(catalogue_text(second, seat.agent), STR("bob")));
    assert_int_equal(journal_close(journal, NULL), 0);
    catalogue_free(first);
    catalogue_free(second);
}

static void a_long_journal_is_read_in_pieces(void **state)
{
    enum { GAMES = 3000 };
    Fixture *fixture = *state;
    CLEANUP(buf_done) Buf note = {0};
    Journal *journal;

    for (int i = 0; i < 2000; i++)
        buf_add_char(&note, 'x');
    begin_journal(fixture, "cup", "{\"contest\":\"c\"}", &journal);
    for (uint64_t i = 0; i < GAMES; i++) {
        char log[32];
        snprintf(log, sizeof(log), "logs/%" PRIu64 ".log", i);
        add_game(journal, 0, i, i % 500 ? "" : log, "");
        assert_int_equal(journal_add_note(journal, buf_str(&note), NULL), 0);
    }
    assert_int_equal(journal_close(journal, NULL), 0);
    Catalogue *catalogue = scan(fixture, "");
    assert_int_equal(catalogue_count(catalogue), GAMES);
    assert_true(str_eq(catalogue_contest(catalogue, 0)->trouble, STR("")));
    catalogue_free(catalogue);
}

static void a_damaged_journal_says_so_and_what_stands_before_counts(void **state)
{
    Fixture *fixture = *state;
    Journal *journal;

    begin_journal(fixture, "cup", "{}", &journal);
    add_game(journal, 0, 0, "logs/0.log", "");
    assert_int_equal(journal_close(journal, NULL), 0);
    int fd = open(below(fixture, "cup/journal.jsonl"), O_WRONLY | O_APPEND | O_CLOEXEC);
    assert_int_equal(write(fd, "{\"record\":\"gam", 14), 14); /* torn: still written */
    Catalogue *catalogue = scan(fixture, "");
    assert_int_equal(catalogue_contest(catalogue, 0)->trouble.len, 0);
    catalogue_free(catalogue);
    assert_int_equal(write(fd, "\"}\n", 3), 3);
    close(fd);
    catalogue = scan(fixture, "");
    assert_games(catalogue, "cup.0=cup/logs/0.log ");
    assert_true(catalogue_contest(catalogue, 0)->trouble.len > 0);
    catalogue_free(catalogue);
}

static void a_plan_says_how_many_games_and_their_ends_when(void **state)
{
    Fixture *fixture = *state;
    Journal *journal;

    begin_journal(fixture, "cup",
                  "{\"games\":5,\"stages\":[{\"games\":10},{\"games\":3,\"players\":[5,13]},{"
                  "\"sets\":2,\"games_per_set\":7,\"games\":0}]}",
                  &journal);
    add_ended_game(journal, 0, 0, "", "", 1000000);
    assert_int_equal(journal_wait(journal, NULL), 0);
    Catalogue *first = scan(fixture, "");
    const CatalogueContest *contest = catalogue_contest(first, 0);
    assert_int_equal(contest->planned, 30);
    assert_int_equal(catalogue_time_left(contest, 1, 1000000), -1); /* one says nothing */
    add_ended_game(journal, 0, 1, "", "", 1030000);
    add_ended_game(journal, 0, 2, "", "", 1060000);
    assert_int_equal(journal_wait(journal, NULL), 0);
    Catalogue *second = scan_again(fixture, "", first);
    contest = catalogue_contest(second, 0);
    assert_int_equal(contest->planned, 30);
    assert_int_equal(catalogue_time_left(contest, 3, 1070000), 27 * 30000);
    assert_int_equal(catalogue_time_left(contest, 30, 1070000), -1);
    assert_int_equal(catalogue_time_left(contest, 3, 1060000 + 3600000), -1); /* nobody plays */
    assert_int_equal(journal_add_end(journal, 3, NULL), 0);
    assert_int_equal(journal_close(journal, NULL), 0);
    Catalogue *third = scan_again(fixture, "", second);
    assert_int_equal(catalogue_time_left(catalogue_contest(third, 0), 3, 1070000), -1);
    catalogue_free(third);
    catalogue_free(second);
    catalogue_free(first);
}

static void a_journal_that_is_a_link_is_none(void **state)
{
    Fixture *fixture = *state;
    Journal *journal;

    begin_journal(fixture, "out", "{}", &journal);
    add_game(journal, 0, 0, "logs/0.log", "");
    assert_int_equal(journal_close(journal, NULL), 0);
    assert_int_equal(mkdir(below(fixture, "in"), 0700), 0);
    assert_int_equal(symlink("../out/journal.jsonl", below(fixture, "in/journal.jsonl")), 0);
    Catalogue *catalogue = scan(fixture, "in");
    assert_int_equal(catalogue_contest_count(catalogue), 0);
    catalogue_free(catalogue);
}

/* A journal may be somebody else's: what its games name is below the folder, or not there. */
static void a_journal_names_no_file_outside(void **state)
{
    Fixture *fixture = *state;
    Journal *journal;
    int fd = -1;

    put_file(fixture, "key.log", a_log);
    begin_journal(fixture, "cup", "{}", &journal);
    add_game(journal, 0, 0, "logs/0.log", "");
    assert_int_equal(journal_close(journal, NULL), 0);
    unlink(below(fixture, "cup/logs/0.log"));
    assert_int_equal(symlink("../../key.log", below(fixture, "cup/logs/0.log")), 0);
    Catalogue *catalogue = scan(fixture, "cup");
    const CatalogueGame *game = game_named(catalogue, "cup.0");
    assert_int_equal(catalogue_open(catalogue, game->root, game->path, &fd, NULL), ERR_IO);
    catalogue_free(catalogue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, make, clear)
        IN_A_FOLDER(logs_are_found_two_levels_deep),
        IN_A_FOLDER(what_is_hidden_or_a_link_or_no_file_is_passed_over),
        IN_A_FOLDER(a_folder_that_becomes_a_link_is_not_followed),
        IN_A_FOLDER(ids_are_of_safe_letters_and_differ),
        IN_A_FOLDER(names_are_found_as_they_are_and_encoded),
        cmocka_unit_test(any_name_becomes_an_id),
        IN_A_FOLDER(a_json_log_and_the_game_log_of_its_name_are_one_game),
        IN_A_FOLDER(a_file_that_is_named_is_a_game),
        IN_A_FOLDER(a_path_that_is_not_there_is_an_error),
        IN_A_FOLDER(new_files_are_found_and_nothing_new_costs_nothing),
        IN_A_FOLDER(a_change_of_this_moment_is_looked_at_again),
        IN_A_FOLDER(the_newest_games_come_first),
        IN_A_FOLDER(games_that_end_at_once_are_ordered_by_their_numbers),
        IN_A_FOLDER(the_games_of_a_folder_with_a_journal_are_those_of_the_journal),
        IN_A_FOLDER(a_game_with_an_id_keeps_it),
        IN_A_FOLDER(a_plan_says_how_many_games_and_their_ends_when),
        IN_A_FOLDER(contests_of_one_name_have_ids_of_their_own),
        IN_A_FOLDER(a_journal_that_grows_is_read_on),
        IN_A_FOLDER(a_long_journal_is_read_in_pieces),
        IN_A_FOLDER(a_damaged_journal_says_so_and_what_stands_before_counts),
        IN_A_FOLDER(a_journal_that_is_a_link_is_none),
        IN_A_FOLDER(a_journal_names_no_file_outside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
