/* test_history_recover.c - what a killed server left behind is settled when the next one starts.
 *
 * Source: docs/spec/nlp-division.md 2.5, 8.2, 8.3. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "disk/file_replace.h"
#include "disk/log_file.h"
#include "net/loop.h"
#include "nlp/lobby.h"

#include "nlp/hall_state.h"
#include "nlp/history_recover.h"

#include <sys/stat.h>

/* ---- a folder ---- */

static unsigned files_with(const char *folder, const char *end)
{
    DIR *dir = opendir(folder);
    unsigned count = 0;

    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        Str name = str_of(entry->d_name);
        Str want = str_of(end);
        count += name.len > want.len && str_eq(str_part(name, name.len - want.len, want.len), want);
    }
    closedir(dir);
    return count;
}

static void keep_schedule(const Lobby *lobby, Buf *out)
{
    buf_clear(out);
    assert_int_equal(log_file_read(lobby->path, 1 << 20, out, NULL), 0);
}

static void put_schedule(const Lobby *lobby, const Buf *text)
{
    assert_int_equal(file_replace(lobby->path, buf_str(text), false, NULL), 0);
}

static void with_logs(Lobby *lobby, bool game, bool json)
{
    lobby->config->game_logger = (ConfigLogger){game, lobby->folder, "{game_id}"};
    lobby->config->json_logger = (ConfigLogger){json, lobby->folder, "{game_id}"};
}

/* A game is played to its end, but the schedule's file is that of its beginning: the server was
 * killed when the log was closed and the outcome not saved. */
static void kill_behind_the_log(Lobby *lobby)
{
    CLEANUP(buf_done) Buf before = {0};

    lobby_open_scheduled(lobby, 3);
    teams_come(lobby, 5);
    assert_int_equal(nlp_hall_counts(lobby->hall).games, 1);
    keep_schedule(lobby, &before);
    lobby_play(lobby);
    assert_int_equal(nlp_hall_counts(lobby->hall).ended, 1);
    lobby_shut(lobby);
    put_schedule(lobby, &before);
}

/* ---- the hall ---- */

static void a_decided_log_that_the_schedule_lacks_counts(void **state)
{
    Lobby *lobby = *state;

    with_logs(lobby, true, true);
    kill_behind_the_log(lobby);
    lobby_open(lobby);
    assert_true(noted(lobby, "recovered game-files="));
    assert_int_equal(nlp_hall_counts(lobby->hall).ended, 1);
    assert_int_equal(nlp_hall_counts(lobby->hall).scheduled, 2);
    for (int game = 0; game < 2; game++) {
        teams_come(lobby, 5);
        lobby_play(lobby);
    }
    assert_true(nlp_hall_complete(lobby->hall));
    assert_int_equal(files_with(lobby->folder, ".log"), 3);
    assert_int_equal(files_with(lobby->folder, ".json"), 4); /* with the schedule's own */
    lobby_open(lobby);                                       /* nothing is found twice */
    assert_false(noted(lobby, "recovered"));
    assert_int_equal(nlp_hall_counts(lobby->hall).ended, 3);
}

static void a_json_log_alone_says_whether_a_game_was_decided(void **state)
{
    Lobby *lobby = *state;

    with_logs(lobby, false, true);
    kill_behind_the_log(lobby);
    lobby_open(lobby);
    assert_true(noted(lobby, "recovered game-files="));
    assert_int_equal(nlp_hall_counts(lobby->hall).ended, 1);
}

static void without_logs_a_match_is_played_again(void **state)
{
    Lobby *lobby = *state;

    kill_behind_the_log(lobby);
    lobby_open(lobby);
    assert_true(noted(lobby, "void game-files="));
    assert_int_equal(nlp_hall_counts(lobby->hall).ended, 0);
    assert_int_equal(nlp_hall_counts(lobby->hall).scheduled, 3);
}

static void logs_of_a_game_that_was_not_decided_are_void(void **state)
{
    Lobby *lobby = *state;

    with_logs(lobby, true, true);
    lobby_open_scheduled(lobby, 3);
    teams_come(lobby, 5);
    lobby_go_to(lobby, SECOND);
    lobby_open(lobby); /* as after a kill: nothing of the game was settled */
    assert_true(noted(lobby, "void game-files="));
    assert_true(noted(lobby, "the files end in .void now"));
    assert_int_equal(files_with(lobby->folder, ".log"), 0);
    assert_int_equal(files_with(lobby->folder, ".log.void"), 1);
    assert_int_equal(files_with(lobby->folder, ".json.void"), 1);
    assert_int_equal(nlp_hall_counts(lobby->hall).scheduled, 3);
    for (int game = 0; game < 3; game++) {
        teams_come(lobby, 5);
        lobby_play(lobby);
    }
    assert_int_equal(files_with(lobby->folder, ".log"), 3);
    assert_int_equal(nlp_hall_counts(lobby->hall).ended, 3);
}

/* Nobody knows whether it was the last day or a game that was broken off. */
static void a_log_that_ends_with_none_is_void(void **state)
{
    Lobby *lobby = *state;

    with_logs(lobby, true, true);
    lobby->config->rules.end.max_day = 0;
    kill_behind_the_log(lobby);
    lobby_open(lobby);
    assert_true(noted(lobby, "void game-files="));
    assert_int_equal(nlp_hall_counts(lobby->hall).ended, 0);
    assert_int_equal(files_with(lobby->folder, ".log"), 0);
}

/* The journal knows: its line comes before the schedule's, and a game that it has counts once. */
static void a_game_of_the_journal_has_ended_its_match_also_without_a_winner(void **state)
{
    Lobby *lobby = *state;
    ResultJournal *results = NULL;

    with_logs(lobby, true, true);
    lobby->config->rules.end.max_day = 0;
    assert_int_equal(
        result_journal_open(lobby->folder, &lobby->config->rules, loop_date_ms, &results, NULL), 0);
    lobby->setup.results = results;
    kill_behind_the_log(lobby);
    result_journal_free(results);
    assert_int_equal(
        result_journal_open(lobby->folder, &lobby->config->rules, loop_date_ms, &results, NULL), 0);
    lobby->setup.results = results;
    lobby_open(lobby);
    assert_true(noted(lobby, "recovered game-files="));
    assert_int_equal(nlp_hall_counts(lobby->hall).ended, 1);
    assert_int_equal(nlp_hall_counts(lobby->hall).scheduled, 2);
    assert_int_equal(files_with(lobby->folder, ".log"), 1);
    lobby_shut(lobby);
    result_journal_free(results);
}

static void a_game_that_ended_in_order_leaves_nothing_to_settle(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    Lobby *lobby = *state;

    with_logs(lobby, true, true);
    lobby_open_scheduled(lobby, 2);
    teams_come(lobby, 5);
    keep_schedule(lobby, &text);
    assert_non_null(strstr(buf_cstr(&text), "\"warg_playing\":[{\"files\":\""));
    lobby_play(lobby);
    keep_schedule(lobby, &text);
    assert_null(strstr(buf_cstr(&text), "warg_playing"));
    lobby->config->rejoin_ms = 0;
    teams_come(lobby, 5);
    all_leave(lobby); /* aborted */
    keep_schedule(lobby, &text);
    assert_null(strstr(buf_cstr(&text), "warg_playing"));
    lobby_open(lobby);
    assert_false(noted(lobby, "game-files"));
}

/* Else its log would be nobody's after a kill. */
static void while_the_schedule_can_not_be_written_no_game_begins(void **state)
{
    Lobby *lobby = *state;
    char in_the_way[160];

    with_logs(lobby, true, true);
    lobby_open_scheduled(lobby, 1);
    teams_come(lobby, 4);
    /* A folder where the temporary file goes; root may write anywhere else. */
    snprintf(in_the_way, sizeof(in_the_way), "%s.tmp", lobby->path);
    assert_int_equal(mkdir(in_the_way, 0700), 0);
    guest_come(lobby, "a2"); /* of a known team: nothing to save yet */
    guest_come(lobby, "e1");
    assert_int_equal(nlp_hall_counts(lobby->hall).games, 0);
    assert_int_equal(files_with(lobby->folder, ".log"), 0);
    assert_true(noted(lobby, "history-failed"));
    assert_int_equal(rmdir(in_the_way), 0);
    lobby_go_to(lobby, 20 * SECOND);
    assert_int_equal(nlp_hall_counts(lobby->hall).games, 1);
    assert_int_equal(files_with(lobby->folder, ".log"), 1);
}

/* ---- logs as they may lie there ---- */

typedef struct Found {
    Buf notes;
    uint32_t ended, scheduled;
} Found;

static void keep_note(void *user, Str line)
{
    Found *found = user;

    buf_add(&found->notes, line);
    buf_add_char(&found->notes, '\n');
}

/* A schedule of two matches of two seats, of which a game "g" of the first was under way, with this
 * text as its game log (NULL: there is none). */
static void recover_with(const char *folder, const char *log, Found *found)
{
    static const char schedule[] =
        "{\"infinite_loop\":false,\"team_count\":3,\"game_count\":2,\"idx_team_map\":{},"
        "\"role_num_map\":{\"SEER\":1,\"WEREWOLF\":1},\"ended_matches\":[],\"scheduled_matches\":["
        "{\"role_idxs\":{\"SEER\":[0],\"WEREWOLF\":[1]},\"weight\":1},"
        "{\"role_idxs\":{\"SEER\":[2],\"WEREWOLF\":[1]},\"weight\":1}],\"warg_playing\":["
        "{\"files\":\"g\",\"role_idxs\":{\"SEER\":[0],\"WEREWOLF\":[1]}}]}";
    const HistoryLogs logs = {.game = folder};
    char path[128];
    History *history = NULL;
    Err err = {0};

    snprintf(path, sizeof(path), "%s/g.log", folder);
    unlink(path);
    if (log)
        assert_int_equal(file_replace(path, str_of(log), false, NULL), 0);
    if (history_read(str_of(schedule), &history, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(history_recover(history, &logs, keep_note, found), 1);
    assert_int_equal(history_game_count(history), 0);
    found->ended = history_ended_count(history);
    found->scheduled = history_scheduled_count(history);
    if (found->ended) /* the right one */
        assert_int_equal(history_ended(history, 0)->teams[0], 0);
    history_free(history);
}

static bool counts_as_played(const char *folder, const char *log)
{
    Found found = {0};

    recover_with(folder, log, &found);
    assert_int_equal(found.ended + found.scheduled, 2);
    bool told = strstr(buf_cstr(&found.notes), "recovered") != NULL;
    assert_int_equal(told, found.ended == 1);
    buf_done(&found.notes);
    return told;
}

static void only_a_whole_last_line_with_a_winner_decides(void **state)
{
    const Lobby *lobby = *state;
    const char *folder = lobby->folder;

    assert_true(counts_as_played(folder, "0,status,1,SEER,ALIVE,a,b\n2,result,1,0,VILLAGER\n"));
    assert_true(counts_as_played(folder, "2,result,1,1,WEREWOLF\n"));
    assert_false(counts_as_played(folder, NULL));
    assert_false(counts_as_played(folder, ""));
    assert_false(counts_as_played(folder, "\n"));
    assert_false(counts_as_played(folder, "2,result,1,0,VILLAGER"));
    assert_false(counts_as_played(folder, "2,result,1,0,NONE\n"));
    assert_false(counts_as_played(folder, "2,result,1,0,VILLAGER\n3,status,1,SEER,ALIVE,a,b\n"));
    /* what somebody said */
    assert_false(counts_as_played(folder, "1,talk,0,0,1,2,result,1,0,VILLAGER\n"));
    assert_false(counts_as_played(folder, "1,talk,result,VILLAGER\n"));
}

static void what_is_set_aside_never_replaces_another(void **state)
{
    const Lobby *lobby = *state;

    for (int i = 0; i < 3; i++)
        assert_false(counts_as_played(lobby->folder, "0,status,1,SEER,ALIVE,a,b\n"));
    assert_int_equal(files_with(lobby->folder, "g.log.void"), 0); /* the name itself is no end */
    assert_int_equal(files_with(lobby->folder, ".log.void"), 1);
    assert_int_equal(files_with(lobby->folder, ".log.void_2"), 1);
    assert_int_equal(files_with(lobby->folder, ".log.void_3"), 1);
}

static void a_decided_game_whose_match_is_gone_is_void(void **state)
{
    static const char schedule[] =
        "{\"infinite_loop\":false,\"team_count\":3,\"game_count\":2,\"idx_team_map\":{},"
        "\"role_num_map\":{\"SEER\":1,\"WEREWOLF\":1},\"ended_matches\":[],\"scheduled_matches\":["
        "],\"warg_playing\":[{\"files\":\"g\",\"role_idxs\":{\"SEER\":[0],\"WEREWOLF\":[1]}}]}";
    const Lobby *lobby = *state;
    const HistoryLogs logs = {.game = lobby->folder};
    Found found = {0};
    History *history = NULL;
    char path[128];

    snprintf(path, sizeof(path), "%s/g.log", lobby->folder);
    assert_int_equal(file_replace(path, STR("2,result,1,0,VILLAGER\n"), false, NULL), 0);
    assert_int_equal(history_read(str_of(schedule), &history, NULL), 0);
    history_recover(history, &logs, keep_note, &found);
    assert_int_equal(history_ended_count(history), 0);
    assert_non_null(strstr(buf_cstr(&found.notes), "its match is not in the schedule any more"));
    assert_int_equal(files_with(lobby->folder, ".log.void"), 1);
    history_free(history);
    buf_done(&found.notes);
}

/* The file is edited by people: a name that leads elsewhere would rename what is not ours. */
static void names_that_lead_out_of_the_folder_are_refused(void **state)
{
    static const char *const bad[] = {"\"../g\"", "\"\"", "\"a/b\"", "7", "\"a\\u0000b\""};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CLEANUP(buf_done) Buf text = {0};
        History *history = NULL;
        Err err = {0};

        buf_printf(&text,
                   "{\"infinite_loop\":false,\"team_count\":3,\"game_count\":2,"
                   "\"idx_team_map\":{},\"role_num_map\":{\"SEER\":1,\"WEREWOLF\":1},"
                   "\"ended_matches\":[],\"scheduled_matches\":[],\"warg_playing\":[{\"files\":%s,"
                   "\"role_idxs\":{\"SEER\":[0],\"WEREWOLF\":[1]}}]}",
                   bad[i]);
        int rc = history_read(buf_str(&text), &history, &err);
        assert_int_equal(rc, ERR_SYNTAX);
        assert_null(history);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, lobby_new, lobby_free)

/* Somebody changed the schedule's file. */
static void a_name_that_leads_out_of_the_folder_touches_no_file(void **state)
{
    Lobby *lobby = *state;
    CLEANUP(buf_done) Buf inner = {0};
    CLEANUP(buf_done) Buf outside = {0};
    const HistoryMatch match = {0};

    lobby_open_scheduled(lobby, 3);
    buf_printf(&inner, "%s/inner", lobby->folder);
    buf_printf(&outside, "%s/outside.log", lobby->folder);
    assert_int_equal(file_replace(buf_cstr(&outside), STR("x\n"), false, NULL), 0);
    const HistoryLogs logs = {.game = buf_cstr(&inner)};
    assert_int_equal(mkdir(buf_cstr(&inner), 0700), 0);
    assert_int_equal(history_note_game(lobby->hall->history, &match, STR("../outside"), NULL), 0);
    assert_int_equal(history_recover(lobby->hall->history, &logs, lobby_note, lobby), 1);
    assert_int_equal(files_with(lobby->folder, ".void"), 0);
    assert_true(noted(lobby, "no name of a file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_name_that_leads_out_of_the_folder_touches_no_file),
        TEST(a_decided_log_that_the_schedule_lacks_counts),
        TEST(a_json_log_alone_says_whether_a_game_was_decided),
        TEST(without_logs_a_match_is_played_again),
        TEST(logs_of_a_game_that_was_not_decided_are_void),
        TEST(a_log_that_ends_with_none_is_void),
        TEST(a_game_of_the_journal_has_ended_its_match_also_without_a_winner),
        TEST(a_game_that_ended_in_order_leaves_nothing_to_settle),
        TEST(while_the_schedule_can_not_be_written_no_game_begins),
        TEST(only_a_whole_last_line_with_a_winner_decides),
        TEST(what_is_set_aside_never_replaces_another),
        TEST(a_decided_game_whose_match_is_gone_is_void),
        TEST(names_that_lead_out_of_the_folder_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
