#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json.h"
#include "disk/log_file.h"
#include "nlp/history.h"

static const bool everybody[8] = {true, true, true, true, true, true, true, true};

static const HistoryPlan two_seats = {
    .role_counts = {[ROLE_SEER] = 1, [ROLE_WEREWOLF] = 1}, .team_count = 4, .game_count = 6};

/* A history of two-seat matches of four teams; `scheduled` is what stands in its list. */
static History *with_scheduled(const char *scheduled)
{
    CLEANUP(buf_done) Buf text = {0};
    History *history = NULL;
    Err err = {0};

    buf_printf(&text,
               "{\"infinite_loop\":false,\"team_count\":4,\"game_count\":6,\"idx_team_map\":{},"
               "\"role_num_map\":{\"SEER\":1,\"WEREWOLF\":1},\"ended_matches\":[],"
               "\"scheduled_matches\":[%s]}",
               scheduled);
    if (history_read(buf_str(&text), &history, &err))
        fail_msg("%s", err.msg);
    return history;
}

#define MATCH(seer, wolf, weight)                                                                  \
    "{\"role_idxs\":{\"SEER\":[" #seer "],\"WEREWOLF\":[" #wolf "]},\"weight\":" #weight "}"

static char *folder_new(void)
{
    static const char pattern[] = "/tmp/warg-history-XXXXXX";
    char *folder = mem_new(sizeof(pattern));

    assert_non_null(folder);
    memcpy(folder, pattern, sizeof(pattern));
    assert_non_null(mkdtemp(folder));
    return folder;
}

static const char *path_in(Buf *path, const char *folder, const char *name)
{
    buf_clear(path);
    buf_printf(path, "%s/%s", folder, name);
    return buf_cstr(path);
}

static const char *sample(Buf *path, const char *name)
{
    CLEANUP(buf_done) Buf folder = {0};

    buf_printf(&folder, "%s/nlp-history", getenv("WARG_TEST_DATA"));
    return path_in(path, buf_cstr(&folder), name);
}

static void put_file(const char *folder, const char *name, const char *text)
{
    CLEANUP(buf_done) Buf path = {0};

    assert_int_equal(log_file_write(path_in(&path, folder, name), str_of(text), NULL), 0);
}

static void folder_remove(char *folder, const char *const *names)
{
    CLEANUP(buf_done) Buf path = {0};

    for (; *names; names++)
        unlink(path_in(&path, folder, *names));
    assert_int_equal(rmdir(folder), 0);
    mem_free(folder);
}

static HistoryMatch begin(History *history, int64_t index)
{
    assert_true(index >= 0);
    HistoryMatch match = *history_scheduled(history, (uint32_t)index);
    history_begin(history, (uint32_t)index);
    return match;
}

/* ---- the file ---- */

static void the_specification_s_example_is_read_and_written_back_the_same(void **state)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf bare = {0};
    CLEANUP(buf_done) Buf written = {0};
    CLEANUP(history_freep) History *history = NULL;
    (void)state;

    assert_int_equal(log_file_read(sample(&path, "spec-example.json"), 10000, &text, NULL), 0);
    assert_int_equal(history_read(buf_str(&text), &history, NULL), 0);
    assert_int_equal(history_team_known(history), 2);
    assert_true(str_eq(history_team_name(history, 1), STR("beta")));
    assert_null(history_team_name(history, 2).bytes);
    assert_int_equal(history_plan(history)->team_count, 5);
    assert_int_equal(history_plan(history)->role_counts[ROLE_VILLAGER], 2);
    assert_int_equal(history_ended_count(history), 1);
    assert_int_equal(history_scheduled_count(history), 1);
    const HistoryMatch *match = history_scheduled(history, 0);
    static const uint16_t teams[] = {1, 2, 0, 3, 4};
    assert_int_equal(match->count, 5);
    assert_memory_equal(match->teams, teams, sizeof(teams));

    history_write(history, &written);
    for (Str left = buf_str(&text); left.len;)
        buf_add(&bare, str_trim(str_cut(&left, '\n')));
    assert_string_equal(buf_cstr(&written), buf_cstr(&bare));
}

static void the_older_form_is_read_with_weight_1(void **state)
{
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(history_freep) History *history = NULL;
    static const uint16_t teams[] = {2, 1, 0, 4, 5};
    (void)state;

    assert_int_equal(history_load(sample(&path, "old-form.json"), &history, NULL), 0);
    assert_int_equal(history_scheduled_count(history), 2);
    assert_int_equal(history_ended_count(history), 0);
    assert_true(history_scheduled(history, 0)->weight == 1);
    assert_memory_equal(history_scheduled(history, 0)->teams, teams, sizeof(teams));
    assert_false(history_plan(history)->infinite_loop);
}

static void weights_are_written_so_that_they_are_read_as_the_same(void **state)
{
    CLEANUP(history_freep)
    History *history = with_scheduled(MATCH(0, 1, 0.1) "," MATCH(0, 2, 1e-300) "," MATCH(
        0, 3, -0.0) "," MATCH(1, 2, 0.30000000000000004) "," MATCH(1, 3, 2));
    CLEANUP(buf_done) Buf text = {0};
    (void)state;

    history_write(history, &text);
    assert_non_null(strstr(buf_cstr(&text), "\"weight\":0.1}"));
    assert_non_null(strstr(buf_cstr(&text), "\"weight\":1e-300}"));
    assert_non_null(strstr(buf_cstr(&text), "\"weight\":0}"));
    assert_non_null(strstr(buf_cstr(&text), "\"weight\":0.30000000000000004}"));
    assert_non_null(strstr(buf_cstr(&text), "\"weight\":2}"));
}

static void assert_refused(const char *text, int code, const char *message)
{
    History *history = NULL;
    Err err = {0};

    assert_int_equal(history_read(str_of(text), &history, &err), code);
    assert_null(history);
    if (!strstr(err.msg, message))
        fail_msg("'%s' is not in '%s'", message, err.msg);
}

#define HEAD "{\"team_count\":3,\"game_count\":1,\"role_num_map\":{\"SEER\":1,\"WEREWOLF\":1},"

static void a_file_that_can_t_be_right_is_refused_with_the_reason(void **state)
{
    (void)state;
    assert_refused("", ERR_SYNTAX, "history: not JSON");
    assert_refused("[]", ERR_SYNTAX, "history: not an object");
    assert_refused("{}", ERR_SYNTAX, "'team_count' is no whole number");
    assert_refused("{\"team_count\":0,\"game_count\":1}", ERR_LIMIT, "is 0; expected 1 to 1024");
    assert_refused("{\"team_count\":3,\"game_count\":1}", ERR_SYNTAX, "'role_num_map'");
    assert_refused("{\"team_count\":3,\"game_count\":1,\"role_num_map\":{\"ELF\":1}}", ERR_RULE,
                   "unknown role 'ELF'");
    assert_refused("{\"team_count\":1,\"game_count\":1,\"role_num_map\":{\"SEER\":2}}", ERR_RULE,
                   "only 1 teams");
    assert_refused(HEAD "\"idx_team_map\":{\"3\":\"a\"}}", ERR_RULE, "names team 3");
    assert_refused(HEAD "\"idx_team_map\":{\"x\":\"a\"}}", ERR_SYNTAX, "a key 'x'");
    assert_refused(HEAD "\"idx_team_map\":{\"0\":1}}", ERR_SYNTAX, "name of team 0 is no text");
    assert_refused(HEAD "\"idx_team_map\":{\"0\":\"a\",\"2\":\"a\"}}", ERR_RULE,
                   "teams 0 and 2 have the same name 'a'");
    assert_refused(HEAD "\"idx_team_map\":{\"0\":\"a\",\"00\":\"b\"}}", ERR_RULE, "team 0 twice");
    assert_refused(HEAD "\"infinite_loop\":1}", ERR_SYNTAX,
                   "history: 'infinite_loop' is not true or false");
    assert_refused("{\"team_count\":1024,\"game_count\":-1}", ERR_LIMIT,
                   "history: 'game_count' is -1; expected 0 to ");
    assert_refused("{\"team_count\":1025,\"game_count\":1}", ERR_LIMIT,
                   "history: 'team_count' is 1025; expected 1 to 1024");
    assert_refused("{\"team_count\":1,\"game_count\":1,\"role_num_map\":{\"SEER\":31}}", ERR_LIMIT,
                   "history: 'SEER' is 31; expected 0 to 30");
    assert_refused(HEAD "\"idx_team_map\":[]}", ERR_SYNTAX, "'idx_team_map' is no object");
    assert_refused(HEAD "\"ended_matches\":{}}", ERR_SYNTAX, "'ended_matches' is no list");
    assert_refused(HEAD "\"ended_matches\":[7]}", ERR_SYNTAX, "ended_matches[0]: expected");
    assert_refused(HEAD "\"ended_matches\":[{\"SEER\":[3],\"WEREWOLF\":[1]}]}", ERR_RULE,
                   "ended_matches[0]: SEER has team 3");
    assert_refused(HEAD "\"ended_matches\":[{\"SEER\":[0,1],\"WEREWOLF\":[2]}]}", ERR_RULE,
                   "SEER has 2 teams; expected 1");
    assert_refused(HEAD "\"ended_matches\":[{\"SEER\":[0]}]}", ERR_RULE, "1 seats; expected 2");
    assert_refused(HEAD "\"scheduled_matches\":[{\"SEER\":[1],\"WEREWOLF\":[1]}]}", ERR_RULE,
                   "scheduled_matches[0]: team 1 sits in it twice");
    assert_refused(HEAD "\"scheduled_matches\":[{\"SEER\":[1],\"ELF\":[2]}]}", ERR_RULE, "'ELF'");
    assert_refused(HEAD "\"scheduled_matches\":[{\"SEER\":[1.5],\"WEREWOLF\":[2]}]}", ERR_SYNTAX,
                   "no team's number");
    assert_refused(HEAD "\"scheduled_matches\":[{\"role_idxs\":{\"SEER\":[1],\"WEREWOLF\":[2]},"
                        "\"weight\":\"x\"}]}",
                   ERR_SYNTAX, "'weight' is no number");
    assert_refused(HEAD "\"ended_matches\":[{\"SEER\":[-1],\"WEREWOLF\":[1]}]}", ERR_RULE,
                   "SEER has team -1, and there are only 3 (from 0)");
}

/* ROLES are those of HEAD, of teams 0 and 1. */
#define ROLES "\"role_idxs\":{\"SEER\":[0],\"WEREWOLF\":[1]}"

static void games_that_are_played_are_refused_without_a_name_of_their_logs(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(history_freep) History *history = NULL;

    (void)state;
    assert_refused(HEAD "\"warg_playing\":{}}", ERR_SYNTAX, "history: 'warg_playing' is no list");
    assert_refused(HEAD "\"warg_playing\":[{" ROLES "}]}", ERR_SYNTAX,
                   "history: warg_playing[0]: 'files' is no name of log files");
    assert_refused(HEAD "\"warg_playing\":[{\"files\":\"\"," ROLES "}]}", ERR_SYNTAX, "'files'");
    assert_refused(HEAD "\"warg_playing\":[{\"files\":\"a/b\"," ROLES "}]}", ERR_SYNTAX, "'files'");
    assert_refused(HEAD "\"warg_playing\":[{\"files\":\"a\\u0000\"," ROLES "}]}", ERR_SYNTAX,
                   "'files'");
    assert_refused(HEAD "\"warg_playing\":[{\"files\":\"a\"}]}", ERR_SYNTAX,
                   "history: warg_playing[0]: expected an object of roles");
    buf_printf(&text, HEAD "\"warg_playing\":[{\"files\":\"%0250d\"," ROLES "}]}", 0);
    assert_int_equal(history_read(buf_str(&text), &history, NULL), 0);
    buf_clear(&text);
    buf_printf(&text, HEAD "\"warg_playing\":[{\"files\":\"%0251d\"," ROLES "}]}", 0);
    assert_refused(buf_cstr(&text), ERR_SYNTAX, "'files'");
}

static void a_missing_file_is_named(void **state)
{
    History *history = NULL;
    Err err = {0};
    (void)state;

    assert_int_equal(history_load("/nonexistent/history.json", &history, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "/nonexistent/history.json"));
    assert_null(history);
}

static void what_is_saved_is_loaded_again_and_nothing_else_is_left(void **state)
{
    char *folder = folder_new();
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf first = {0};
    CLEANUP(buf_done) Buf second = {0};
    CLEANUP(history_freep) History *history = NULL;
    CLEANUP(history_freep) History *again = NULL;
    Rng rng = rng_new(1);
    bool is_new;
    (void)state;

    assert_int_equal(history_new(&two_seats, &rng, &history, NULL), 0);
    history_team(history, STR("\xE7\x8B\xBC \"x\""), &is_new);
    put_file(folder, "h.json.tmp", "left by a server that was killed");
    assert_int_equal(history_save(history, path_in(&path, folder, "h.json"), NULL), 0);
    assert_int_equal(history_save(history, buf_cstr(&path), NULL), 0); /* and over it */
    assert_int_equal(history_load(buf_cstr(&path), &again, NULL), 0);
    history_write(history, &first);
    history_write(again, &second);
    assert_string_equal(buf_cstr(&first), buf_cstr(&second));
    folder_remove(folder, (const char *const[]){"h.json", NULL});
}

static void one_server_at_a_time_has_a_schedule(void **state)
{
    char *folder = folder_new();
    CLEANUP(buf_done) Buf path = {0};
    int lock, other;
    Err err = {0};
    (void)state;

    assert_int_equal(history_lock(path_in(&path, folder, "h.json"), &lock, &err), 0);
    assert_int_equal(history_lock(buf_cstr(&path), &other, &err), ERR_IO);
    assert_non_null(strstr(err.msg, "another server"));
    history_unlock(buf_cstr(&path), lock);
    assert_int_equal(history_lock(buf_cstr(&path), &other, NULL), 0);
    history_unlock(buf_cstr(&path), other);
    history_unlock(buf_cstr(&path), -1);
    assert_int_equal(history_lock("/proc/nowhere/h.json", &other, NULL), ERR_IO);
    folder_remove(folder, (const char *const[]){NULL});
}

static void saving_through_a_link_keeps_the_link(void **state)
{
    char *folder = folder_new();
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(history_freep) History *history = with_scheduled(MATCH(0, 1, 1));
    struct stat status;
    (void)state;

    put_file(folder, "real.json", "");
    assert_int_equal(symlink("real.json", path_in(&path, folder, "h.json")), 0);
    assert_int_equal(history_save(history, buf_cstr(&path), NULL), 0);
    assert_int_equal(lstat(buf_cstr(&path), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(stat(buf_cstr(&path), &status), 0);
    assert_true(status.st_size > 10);
    folder_remove(folder, (const char *const[]){"h.json", "real.json", NULL});
}

/* A full disk, stood in for by a limit of the size of files: only in a child, for it can't be
 * raised again. */
static int save_without_room(const char *path)
{
    CLEANUP(history_freep) History *history = NULL;
    Rng rng = rng_new(1);
    Err err = {0};
    struct rlimit limit = {64, 64};

    signal(SIGXFSZ, SIG_IGN);
    if (history_new(&two_seats, &rng, &history, NULL) || setrlimit(RLIMIT_FSIZE, &limit))
        return 1;
    return history_save(history, path, &err) == ERR_IO && strstr(err.msg, path) ? 0 : 2;
}

static void a_full_disk_keeps_the_old_file(void **state)
{
    char *folder = folder_new();
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};
    int status;
    (void)state;

    put_file(folder, "h.json", "the old state");
    path_in(&path, folder, "h.json");
    pid_t child = fork();
    if (child == 0)
        _exit(save_without_room(buf_cstr(&path)));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(log_file_read(buf_cstr(&path), 100, &text, NULL), 0);
    assert_string_equal(buf_cstr(&text), "the old state");
    folder_remove(folder, (const char *const[]){"h.json", NULL}); /* no temporary file is left */
}

/* Killed at any moment of many saves, there is a whole file under the name. */
static void a_killed_server_leaves_a_whole_file(void **state)
{
    char *folder = folder_new();
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(history_freep) History *history = NULL;
    Rng rng = rng_new(1);
    (void)state;

    assert_int_equal(history_new(&two_seats, &rng, &history, NULL), 0);
    assert_int_equal(history_save(history, path_in(&path, folder, "h.json"), NULL), 0);
    for (unsigned round = 0; round < 10; round++) {
        CLEANUP(history_freep) History *again = NULL;
        pid_t child = fork();
        if (child == 0)
            for (unsigned saves = 0;; saves++) /* ends by itself if nobody kills it */
                if (history_save(history, buf_cstr(&path), NULL) || saves == 100000)
                    _exit(1);
        for (uint32_t i = rng_below(&rng, 200000); i > 0; i--) /* some while, without a clock */
            (void)rng_next(&rng);
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
        assert_int_equal(history_load(buf_cstr(&path), &again, NULL), 0);
        assert_int_equal(history_scheduled_count(again), 6);
    }
    folder_remove(folder, (const char *const[]){"h.json", "h.json.tmp", NULL});
}

/* ---- teams ---- */

static void teams_get_indices_in_the_order_in_which_they_come(void **state)
{
    CLEANUP(history_freep) History *history = with_scheduled("");
    bool is_new = false;
    (void)state;

    assert_int_equal(history_team(history, STR("b"), &is_new), 0);
    assert_true(is_new);
    assert_int_equal(history_team(history, STR(""), &is_new), 1); /* a name of digits only */
    assert_int_equal(history_team(history, STR("b"), &is_new), 0);
    assert_false(is_new);
    assert_int_equal(history_team(history, STR("c"), &is_new), 2);
    assert_int_equal(history_team(history, STR("d"), &is_new), 3);
    assert_int_equal(history_team(history, STR("e"), &is_new), -1);
    assert_false(is_new);
    assert_int_equal(history_team(history, STR(""), &is_new), 1);
    assert_int_equal(history_team_known(history), 4);
}

/* ---- choosing ---- */

static void a_match_is_chosen_only_when_all_its_teams_are_there(void **state)
{
    CLEANUP(history_freep) History *history = with_scheduled(MATCH(0, 1, 1) "," MATCH(1, 2, 1));
    const bool one[4] = {false, true, false, true};
    const bool two[4] = {false, true, true, false};
    (void)state;

    assert_int_equal(history_choose(history, one, NULL, NULL), -1);
    assert_int_equal(history_choose(history, two, NULL, NULL), 1);
    assert_int_equal(history_choose(history, everybody, NULL, NULL), 0);
}

static void the_heaviest_comes_first_and_weight_0_last_but_it_comes(void **state)
{
    CLEANUP(history_freep)
    History *history =
        with_scheduled(MATCH(0, 1, 0) "," MATCH(0, 2, 1) "," MATCH(0, 3, 2) "," MATCH(1, 2, 2));
    static const int64_t expected[] = {2, 3, 1, 0, -1};
    (void)state;

    for (size_t i = 0; i < 5; i++) {
        int64_t index = history_choose(history, everybody, NULL, NULL);
        assert_int_equal(index, expected[i]);
        if (index >= 0)
            history_begin(history, (uint32_t)index);
    }
}

static void the_weights_of_teams_are_multiplied(void **state)
{
    CLEANUP(history_freep) History *history = with_scheduled(MATCH(0, 1, 2) "," MATCH(2, 3, 1));
    const double poor[4] = {0.5, 0.5, 0.9, 0.9};
    const double equal[4] = {0.5, 1, 1, 1};
    (void)state;

    assert_int_equal(history_choose(history, everybody, poor, NULL), 1);
    assert_int_equal(history_choose(history, everybody, equal, NULL), 0); /* stable */
}

static void a_quarantined_team_plays_only_when_nobody_else_could(void **state)
{
    CLEANUP(history_freep) History *history = with_scheduled(MATCH(0, 1, 1) "," MATCH(2, 3, 0));
    const bool quarantined[4] = {true, false, false, false};
    const bool two[4] = {true, true, true, false};
    (void)state;

    assert_int_equal(history_choose(history, everybody, NULL, quarantined), 1);
    assert_int_equal(history_choose(history, two, NULL, quarantined), 0);
}

static void a_match_that_is_played_is_not_chosen_but_still_in_the_file(void **state)
{
    CLEANUP(history_freep) History *history = with_scheduled(MATCH(0, 1, 1));
    CLEANUP(buf_done) Buf before = {0};
    CLEANUP(buf_done) Buf during = {0};
    (void)state;

    history_write(history, &before);
    begin(history, 0);
    assert_int_equal(history_choose(history, everybody, NULL, NULL), -1);
    history_write(history, &during);
    assert_string_equal(buf_cstr(&before), buf_cstr(&during));
}

static void a_decided_match_is_moved_to_the_ended_ones(void **state)
{
    CLEANUP(history_freep)
    History *history = with_scheduled(MATCH(0, 1, 1) "," MATCH(2, 3, 1) "," MATCH(0, 1, 1));
    (void)state;

    HistoryMatch first = begin(history, 0);
    HistoryMatch second = begin(history, history_choose(history, everybody, NULL, NULL));
    HistoryMatch third = begin(history, history_choose(history, everybody, NULL, NULL));
    assert_int_equal(second.teams[0], 2);
    history_end(history, &second);
    assert_int_equal(history_scheduled_count(history), 2);
    assert_int_equal(history_ended(history, 0)->teams[0], 2);
    history_end(history, &third);
    history_end(history, &first);
    assert_int_equal(history_scheduled_count(history), 0);
    assert_int_equal(history_ended_count(history), 3);
}

static void an_aborted_match_waits_again_with_less_weight(void **state)
{
    CLEANUP(history_freep) History *history = with_scheduled(MATCH(0, 1, 1) "," MATCH(2, 3, 1));
    (void)state;

    HistoryMatch match = begin(history, 0);
    history_abort(history, &match, 0.5);
    assert_true(history_scheduled(history, 0)->weight == 0.5);
    assert_int_equal(history_choose(history, everybody, NULL, NULL), 1);
    match = begin(history, 1);
    history_abort(history, &match, -0.0);
    assert_int_equal(history_choose(history, everybody, NULL, NULL), 0);
    begin(history, 0);
    assert_int_equal(history_choose(history, everybody, NULL, NULL), 1);
}

static void a_loop_makes_another_schedule_when_nothing_of_weight_is_left(void **state)
{
    HistoryPlan plan = two_seats;
    CLEANUP(history_freep) History *history = NULL;
    CLEANUP(history_freep) History *once = NULL;
    Rng rng = rng_new(1);
    (void)state;

    plan.game_count = 2;
    plan.infinite_loop = true;
    assert_int_equal(history_new(&plan, &rng, &history, NULL), 0);
    assert_false(history_extend(history, &rng));
    HistoryMatch second = begin(history, 1);
    assert_false(history_extend(history, &rng)); /* whichever of them is left */
    history_abort(history, &second, 1);
    HistoryMatch first = begin(history, 0);
    assert_false(history_extend(history, &rng));
    begin(history, 1);
    assert_true(history_extend(history, &rng)); /* both are being played */
    assert_int_equal(history_scheduled_count(history), 4);
    assert_false(history_extend(history, &rng));
    history_abort(history, &first, 0);
    begin(history, 2);
    begin(history, 3);
    assert_true(history_extend(history, &rng)); /* the aborted one weighs nothing */

    plan.infinite_loop = false;
    plan.game_count = 0;
    assert_int_equal(history_new(&plan, &rng, &once, NULL), 0);
    assert_false(history_extend(once, &rng));
}

static void a_contest_of_100000_matches_is_played_to_its_end(void **state)
{
    HistoryPlan plan = {
        .role_counts =
            {[ROLE_POSSESSED] = 1, [ROLE_SEER] = 1, [ROLE_VILLAGER] = 2, [ROLE_WEREWOLF] = 1},
        .team_count = 8,
        .game_count = 100000};
    CLEANUP(history_freep) History *history = NULL;
    CLEANUP(history_freep) History *again = NULL;
    CLEANUP(buf_done) Buf text = {0};
    Rng rng = rng_new(1);
    (void)state;

    assert_int_equal(history_new(&plan, &rng, &history, NULL), 0);
    for (unsigned i = 0; i < 100; i++) {
        HistoryMatch match = begin(history, history_choose(history, everybody, NULL, NULL));
        history_end(history, &match);
    }
    history_write(history, &text);
    assert_int_equal(history_read(buf_str(&text), &again, NULL), 0);
    assert_int_equal(history_scheduled_count(again), 99900);
    assert_int_equal(history_ended_count(again), 100);
}

/* ---- -r ---- */

static History *reducible(const char *names, const char *ended, const char *scheduled)
{
    CLEANUP(buf_done) Buf text = {0};
    History *history = NULL;

    buf_printf(&text,
               HEAD "\"idx_team_map\":{%s},\"ended_matches\":[%s],"
                    "\"scheduled_matches\":[%s]}",
               names, ended, scheduled);
    assert_int_equal(history_read(buf_str(&text), &history, NULL), 0);
    return history;
}

static void reducing_takes_away_what_the_other_has_ended_by_team_name(void **state)
{
    /* The other one knows a, b, c in the opposite order, and has ended seer a, wolf b once. */
    CLEANUP(history_freep)
    History *done =
        reducible("\"0\":\"c\",\"1\":\"b\",\"2\":\"a\"",
                  "{\"SEER\":[2],\"WEREWOLF\":[1]},{\"SEER\":[0],\"WEREWOLF\":[2]}", "");
    CLEANUP(history_freep)
    History *history = reducible("\"0\":\"a\",\"1\":\"b\"", "",
                                 MATCH(0, 1, 1) "," MATCH(0, 1, 2) "," MATCH(2, 1, 1));
    uint32_t removed = 9;
    (void)state;

    assert_int_equal(history_reduce(history, done, &removed, NULL), 0);
    assert_int_equal(removed, 1);
    assert_int_equal(history_scheduled_count(history), 2);
    assert_true(history_scheduled(history, 0)->weight == 2);
    assert_int_equal(history_scheduled(history, 1)->teams[0], 2);
    assert_int_equal(history_reduce(history, history, &removed, NULL), 0);
    assert_int_equal(removed, 0);
}

/* ---- -a ---- */

static void assert_has(const Buf *text, const char *part)
{
    if (!strstr(buf_cstr(text), part))
        fail_msg("'%s' is not in:\n%s", part, buf_cstr(text));
}

static History *example(void)
{
    CLEANUP(buf_done) Buf path = {0};
    History *history = NULL;

    assert_int_equal(history_load(sample(&path, "spec-example.json"), &history, NULL), 0);
    return history;
}

static void the_analysis_counts_planned_and_played_games(void **state)
{
    CLEANUP(history_freep) History *history = example();
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf json = {0};
    (void)state;

    assert_int_equal(history_analyse(history, NULL, false, &text, NULL), 0);
    assert_has(&text, "2 matches: 1 ended, 1 scheduled.");
    assert_has(&text, "alpha                                   0/0          1/1          1/0  "
                      "        0/0          2/1\n");
    assert_has(&text, "(team 4)                                0/0          0/0          1/1  "
                      "        1/0          2/1\n");
    assert_null(strstr(buf_cstr(&text), "MEDIUM"));
    assert_null(strstr(buf_cstr(&text), "logs"));

    assert_int_equal(history_analyse(history, NULL, true, &json, NULL), 0);
    assert_has(&json, "{\"planned\":2,\"ended\":1,\"scheduled\":1,\"teams\":[{\"index\":0,"
                      "\"team\":\"alpha\",\"roles\":{\"POSSESSED\":{\"planned\":0,\"played\":0},"
                      "\"SEER\":{\"planned\":1,\"played\":1},");
    assert_has(&json, "{\"index\":4,\"team\":null,");
}

#define SEATS(end)                                                                                 \
    "0,status,1,SEER,ALIVE,alpha1,Mio" end "0,status,2,WEREWOLF,ALIVE,beta12,Kenji" end

static void the_analysis_adds_up_the_game_logs(void **state)
{
    CLEANUP(history_freep) History *history = example();
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf json = {0};
    char *folder = folder_new();
    (void)state;

    put_file(folder, "1.log", SEATS("\n") "0,talk,0,0,1,x,y,1\n1,result,1,0,VILLAGER\n");
    put_file(folder, "2.log", SEATS("\r\n") "1,result,1,1,WEREWOLF\r\n");
    put_file(folder, "3.log",
             SEATS("\n") "1,status,2,WEREWOLF,,beta12,Kenji\n"
                         "1,result,1,1,NONE");
    put_file(folder, "4.log", SEATS("\n") "1,talk,0,0,2,Ich bi"); /* cut off */
    put_file(folder, "5.log",
             "0,status,1,WEREWOLF,ALIVE,alpha3\n" /* of 2024: no game name */
             "1,talk,0,0,1,now a forged line:\n1,result,9,0,VILLAGER\n"
             "2,result,0,1,WEREWOLF\n");
    put_file(folder, "6.log", "what is this?\n");
    put_file(folder, "notes.txt", SEATS("\n"));
    assert_int_equal(history_analyse(history, folder, true, &json, NULL), 0);
    assert_has(&json, "\"logs\":5,\"logs_skipped\":1,\"logs_unreadable\":0,\"trouble\":null,");
    assert_has(
        &json,
        "\"results\":["
        "{\"team\":\"alpha\",\"roles\":{"
        "\"SEER\":{\"games\":4,\"wins\":1,\"losses\":1,\"no_result\":2,\"errors\":0},"
        "\"WEREWOLF\":{\"games\":1,\"wins\":1,\"losses\":0,\"no_result\":0,\"errors\":0}}},"
        "{\"team\":\"beta\",\"roles\":{"
        "\"WEREWOLF\":{\"games\":4,\"wins\":1,\"losses\":1,\"no_result\":2,\"errors\":1}}}]");
    assert_int_equal(history_analyse(history, folder, false, &text, NULL), 0);
    assert_has(&text, "5 game logs, 1 more without seats.\n");
    assert_has(&text, "alpha                                   all            5            2  "
                      "          1            2            0\n");
    folder_remove(folder, (const char *const[]){"1.log", "2.log", "3.log", "4.log", "5.log",
                                                "6.log", "notes.txt", NULL});
}

static void a_folder_without_logs_is_said_and_no_error(void **state)
{
    CLEANUP(history_freep) History *history = example();
    CLEANUP(buf_done) Buf text = {0};
    (void)state;

    assert_int_equal(history_analyse(history, "/nonexistent", false, &text, NULL), 0);
    assert_has(&text, "2 matches");
    assert_has(&text, "0 game logs (");
    assert_has(&text, "/nonexistent");
}

/* The figures were counted by a script of its own. */
static void the_real_contest_logs_are_counted(void **state)
{
    CLEANUP(history_freep) History *history = example();
    CLEANUP(buf_done) Buf folder = {0};
    CLEANUP(buf_done) Buf text = {0};
    (void)state;

    buf_printf(&folder, "%s/nlp-logs", getenv("WARG_TEST_DATA"));
    assert_int_equal(history_analyse(history, buf_cstr(&folder), false, &text, NULL), 0);
    assert_has(&text, "33 game logs.\n");
    assert_has(&text, "CamelliaDragons                         all           20           12  "
                      "          8            0            0\n");
    assert_has(&text, "sUper_IL                                all            3            0  "
                      "          3            0            0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_specification_s_example_is_read_and_written_back_the_same),
        cmocka_unit_test(the_older_form_is_read_with_weight_1),
        cmocka_unit_test(weights_are_written_so_that_they_are_read_as_the_same),
        cmocka_unit_test(a_file_that_can_t_be_right_is_refused_with_the_reason),
        cmocka_unit_test(games_that_are_played_are_refused_without_a_name_of_their_logs),
        cmocka_unit_test(a_missing_file_is_named),
        cmocka_unit_test(what_is_saved_is_loaded_again_and_nothing_else_is_left),
        cmocka_unit_test(one_server_at_a_time_has_a_schedule),
        cmocka_unit_test(saving_through_a_link_keeps_the_link),
        cmocka_unit_test(a_full_disk_keeps_the_old_file),
        cmocka_unit_test(a_killed_server_leaves_a_whole_file),
        cmocka_unit_test(teams_get_indices_in_the_order_in_which_they_come),
        cmocka_unit_test(a_match_is_chosen_only_when_all_its_teams_are_there),
        cmocka_unit_test(the_heaviest_comes_first_and_weight_0_last_but_it_comes),
        cmocka_unit_test(the_weights_of_teams_are_multiplied),
        cmocka_unit_test(a_quarantined_team_plays_only_when_nobody_else_could),
        cmocka_unit_test(a_match_that_is_played_is_not_chosen_but_still_in_the_file),
        cmocka_unit_test(a_decided_match_is_moved_to_the_ended_ones),
        cmocka_unit_test(an_aborted_match_waits_again_with_less_weight),
        cmocka_unit_test(a_loop_makes_another_schedule_when_nothing_of_weight_is_left),
        cmocka_unit_test(a_contest_of_100000_matches_is_played_to_its_end),
        cmocka_unit_test(reducing_takes_away_what_the_other_has_ended_by_team_name),
        cmocka_unit_test(the_analysis_counts_planned_and_played_games),
        cmocka_unit_test(the_analysis_adds_up_the_game_logs),
        cmocka_unit_test(a_folder_without_logs_is_said_and_no_error),
        cmocka_unit_test(the_real_contest_logs_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
