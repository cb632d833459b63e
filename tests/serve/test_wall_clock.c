/* test_wall_clock.c - times of logs follow the clock when it is set.
 *
 * Source: serve/wall_clock.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "nlp/lobby.h"
#include "serve/wall_clock.h"

static void small_differences_leave_the_anchor_and_steps_renew_it(void **state)
{
    const int64_t anchor = 1795296000000;

    (void)state;
    assert_true(wall_clock_anchor(anchor, anchor + 5000, 5000000) == anchor);
    assert_true(wall_clock_anchor(anchor, anchor + 5099, 5000000) == anchor);
    assert_true(wall_clock_anchor(anchor, anchor + 4901, 5000000) == anchor);
    assert_true(wall_clock_anchor(anchor, anchor + 5100, 5000000) == anchor + 100);
    assert_true(wall_clock_anchor(anchor, anchor + 4900, 5000000) == anchor - 100);
    assert_true(wall_clock_anchor(anchor, anchor - 3600000, 5000000) == anchor - 3605000);
    assert_true(wall_clock_anchor(0, anchor, 0) == anchor);
}

/* The files of the one game in the folder, one behind the other. */
static void logs_of(const Lobby *lobby, Buf *out)
{
    DIR *dir = opendir(lobby->folder);

    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        char path[512];

        snprintf(path, sizeof(path), "%s/%s", lobby->folder, entry->d_name);
        if (entry->d_name[0] != '.')
            text_of_file(path, out);
    }
    closedir(dir);
}

static bool has_time(const Buf *logs, const char *before, int64_t unix_s, const char *after)
{
    char want[64];

    snprintf(want, sizeof(want), "%s%lld%s", before, (long long)unix_s, after);
    return strstr(buf_cstr(logs), want) != NULL;
}

/* An hour back, a day ahead: in the game log and in the JSON log, while a game runs. */
static void a_running_game_is_logged_by_the_clock_as_it_was_set(void **state)
{
    static const int64_t steps_s[] = {-3600, 86400};

    for (size_t i = 0; i < 2; i++) {
        CLEANUP(buf_done) Buf logs = {0};
        Lobby *lobby = *state;
        int64_t began_s = BEGAN_MS / 1000;

        lobby->config->game_logger = lobby->config->json_logger =
            (ConfigLogger){true, lobby->folder, "{game_id}"};
        lobby->config->matching.self_match = false;
        lobby_open(lobby);
        teams_come(lobby, 5);
        lobby_go_to(lobby, SECOND);
        nlp_hall_set_clock(lobby->hall, BEGAN_MS + 1000 * steps_s[i]);
        lobby_go_to(lobby, 2 * SECOND);
        lobby_play(lobby);
        logs_of(lobby, &logs);
        assert_true(has_time(&logs, "\"request_timestamp\":", began_s, ","));
        assert_true(has_time(&logs, "\"response_timestamp\":", began_s + steps_s[i] + 2, "}"));
        assert_true(has_time(&logs, ",Over,", began_s + steps_s[i] + 2, "\n"));
        assert_false(has_time(&logs, ",Over,", began_s + 2, "\n"));
        lobby_shut(lobby);
        remove_folder(lobby->folder);
        assert_int_equal(mkdir(lobby->folder, 0700), 0);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, lobby_new, lobby_free)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_differences_leave_the_anchor_and_steps_renew_it),
        TEST(a_running_game_is_logged_by_the_clock_as_it_was_set),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
