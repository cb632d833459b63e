#define _GNU_SOURCE /* nftw */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "disk/log_file.h"
#include "serve/realtime.h"

#define SECOND  ((TimeUs)1000 * 1000)
#define UNIX_MS INT64_C(1778646866000) /* 2026-05-13T04:34:26Z */

/* A directory of its own, and a configuration that names one inside it. */
typedef struct Place {
    char top[64];
    char dir[96];
    Config config;
    Realtime *realtime;
    Buf text; /* of the file read last */
} Place;

static int remove_entry(const char *path, const struct stat *entry, int kind, struct FTW *at)
{
    (void)entry, (void)kind, (void)at;
    return remove(path);
}

static int set_up(void **state)
{
    Place *place = mem_new(sizeof(*place));

    *state = place;
    snprintf(place->top, sizeof(place->top), "/tmp/warg-realtime-XXXXXX");
    if (!mkdtemp(place->top))
        return -1;
    snprintf(place->dir, sizeof(place->dir), "%s/log/realtime", place->top);
    place->config.realtime = (ConfigLogger){.enable = true, .output_dir = place->dir};
    return 0;
}

static int tear_down(void **state)
{
    Place *place = *state;

    realtime_free(place->realtime);
    buf_done(&place->text);
    nftw(place->top, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    mem_free(place);
    return 0;
}

static void begin(Place *place)
{
    Err err = {0};

    if (realtime_new(&place->config, &place->realtime, &err))
        fail_msg("%s", err.msg);
}

static RealtimeGame *game_of(Place *place, const char *id, const char *stem)
{
    RealtimeGame *begun = NULL;
    Err err = {0};

    if (realtime_begin(place->realtime, str_of(id), str_of(stem), &begun, &err))
        fail_msg("%s", err.msg);
    return begun;
}

static RealtimeGame *game(Place *place, const char *id)
{
    return game_of(place, id, id);
}

static void tick(Place *place, TimeUs now)
{
    realtime_tick(place->realtime, now, UNIX_MS + now / 1000);
}

static void add(Place *place, RealtimeGame *to, const char *packet, const char *masked, TimeUs now)
{
    realtime_add(place->realtime, to, str_of(packet), str_of(masked), now, UNIX_MS + now / 1000);
}

/* The text of a file; NULL when there is none. */
static const char *file(Place *place, const char *name)
{
    char path[192];

    snprintf(path, sizeof(path), "%s/%s", place->dir, name);
    buf_clear(&place->text);
    return log_file_read(path, 1 << 30, &place->text, NULL) == 0 ? buf_cstr(&place->text)
                                                                 : "(absent)";
}

static void no_trouble(Place *place)
{
    Err err = {0};

    if (realtime_trouble(place->realtime, &err))
        fail_msg("%s", err.msg);
}

static void the_list_is_empty_at_the_start_whatever_was_left(void **state)
{
    Place *place = *state;

    begin(place);
    RealtimeGame *left = game(place, "a");
    add(place, left, "{}", "", 0);
    assert_non_null(strstr(file(place, "games.json"), "\"a\""));
    realtime_free(place->realtime);
    assert_string_equal(file(place, "games.json"), "[]");
    assert_string_equal(file(place, "a.jsonl"), "{}\n");
    begin(place);
    assert_string_equal(file(place, "games.json"), "[]");
    assert_int_equal(realtime_deadline(place->realtime), TIME_US_NEVER);
}

static void a_line_without_delay_is_there_at_once_and_its_game_listed(void **state)
{
    Place *place = *state;

    begin(place);
    RealtimeGame *one = game(place, "1778646866_x");
    assert_string_equal(file(place, "games.json"), "[]");
    assert_string_equal(file(place, "1778646866_x.jsonl"), "");
    add(place, one, "{\"idx\":1}", "", 0);
    assert_string_equal(file(place, "1778646866_x.jsonl"), "{\"idx\":1}\n");
    assert_string_equal(file(place, "games.json"),
                        "[{\"id\":\"1778646866_x\",\"filename\":\"1778646866_x\","
                        "\"updated_at\":\"2026-05-13T04:34:26.000Z\"}]");
    assert_string_equal(file(place, "masked/games.json"), "(absent)");
    no_trouble(place);
}

static void the_list_is_written_at_most_every_200_ms(void **state)
{
    Place *place = *state;

    begin(place);
    RealtimeGame *one = game(place, "a");
    RealtimeGame *two = game(place, "b");
    add(place, one, "{}", "", SECOND);
    add(place, two, "{}", "", SECOND + 1);
    assert_null(strstr(file(place, "games.json"), "\"b\""));
    assert_int_equal(realtime_deadline(place->realtime), SECOND + REALTIME_LIST_US);
    tick(place, SECOND + REALTIME_LIST_US - 1);
    assert_null(strstr(file(place, "games.json"), "\"b\""));
    tick(place, SECOND + REALTIME_LIST_US);
    assert_non_null(strstr(file(place, "games.json"), "\"b\""));
    assert_int_equal(realtime_deadline(place->realtime), TIME_US_NEVER);
}

static void lines_appear_when_the_delay_is_over_and_not_before(void **state)
{
    Place *place = *state;

    place->config.realtime_delay_ms = 5000;
    begin(place);
    RealtimeGame *one = game(place, "a");
    add(place, one, "{\"idx\":1}", "", 0);
    add(place, one, "{\"idx\":2}", "", SECOND);
    assert_int_equal(realtime_deadline(place->realtime), 5 * SECOND);
    tick(place, 5 * SECOND - 1);
    assert_string_equal(file(place, "a.jsonl"), "");
    assert_string_equal(file(place, "games.json"), "[]");
    tick(place, 5 * SECOND);
    assert_string_equal(file(place, "a.jsonl"), "{\"idx\":1}\n");
    assert_non_null(strstr(file(place, "games.json"), "04:34:31.000Z"));
    assert_int_equal(realtime_deadline(place->realtime), 6 * SECOND);
    tick(place, 6 * SECOND);
    assert_string_equal(file(place, "a.jsonl"), "{\"idx\":1}\n{\"idx\":2}\n");
    no_trouble(place);
}

static void many_lines_that_are_due_at_once_go_to_their_own_files(void **state)
{
    enum { LINES = 5000 }; /* more than are read back at once */
    Place *place = *state;
    char packet[128];

    place->config.realtime_delay_ms = 5000;
    place->config.realtime_masked = true;
    begin(place);
    RealtimeGame *games[] = {game(place, "a"), game(place, "b")};
    for (int i = 0; i < 2 * LINES; i++) {
        snprintf(packet, sizeof(packet), "{\"idx\":%06d,\"full\":\"%064d\"}", i / 2, i % 2);
        add(place, games[i % 2], packet, i % 2 ? "" : "{}", 0);
    }
    tick(place, 5 * SECOND);
    for (int i = 0; i < 2; i++) {
        const char *at = file(place, i ? "b.jsonl" : "a.jsonl");
        for (int line = 0; line < LINES; line++) {
            snprintf(packet, sizeof(packet), "{\"idx\":%06d,\"full\":\"%064d\"}\n", line, i);
            assert_memory_equal(at, packet, strlen(packet));
            at += strlen(packet);
        }
        assert_string_equal(at, "");
    }
    assert_int_equal(strlen(file(place, "masked/a.jsonl")), LINES * strlen("{}\n"));
    assert_string_equal(file(place, "masked/b.jsonl"), "");
    add(place, games[0], "{}", "{}", 6 * SECOND); /* what waits begins at the file's front again */
    tick(place, 11 * SECOND);
    assert_int_equal(strlen(file(place, "masked/a.jsonl")), (LINES + 1) * strlen("{}\n"));
    no_trouble(place);
}

static void lines_that_waited_appear_at_most_every_200_ms_however_often_time_is_told(void **state)
{
    Place *place = *state;
    const TimeUs again = 5 * SECOND + REALTIME_TAKE_US + REALTIME_TAKE_GAME_US;

    place->config.realtime_delay_ms = 5000;
    begin(place);
    RealtimeGame *one = game(place, "a");
    add(place, one, "{}", "", 0);
    add(place, one, "[]", "", 1000);
    tick(place, 5 * SECOND);
    assert_int_equal(realtime_deadline(place->realtime), again);
    tick(place, again - 1);
    assert_string_equal(file(place, "a.jsonl"), "{}\n");
    tick(place, again);
    assert_string_equal(file(place, "a.jsonl"), "{}\n[]\n");
    no_trouble(place);
}

/* A packet as the server writes it, with this list of agents. */
static void add_listed(Place *place, RealtimeGame *to, unsigned idx, const char *agents,
                       const char *masked, TimeUs now)
{
    char packet[256], hidden[256];

    snprintf(packet, sizeof(packet), "{\"idx\":%u,\"agents\":[%s],\"event\":\"x\"}", idx, agents);
    snprintf(hidden, sizeof(hidden), "{\"idx\":%u,\"agents\":[%s],\"event\":\"x\"}", idx, masked);
    add(place, to, packet, hidden, now);
}

static void lines_that_waited_have_the_list_of_agents_of_their_own_time(void **state)
{
    Place *place = *state;

    place->config.realtime_delay_ms = 5000;
    place->config.realtime_masked = true;
    begin(place);
    RealtimeGame *one = game(place, "a"), *two = game(place, "b");
    add_listed(place, one, 1, "{\"A\":1}", "{}", 0);
    add_listed(place, two, 1, "{\"B\":1}", "{}", 0);
    add_listed(place, one, 2, "{\"A\":1}", "{}", 1);
    tick(place, 5 * SECOND);
    add_listed(place, two, 2, "{\"B\":1}", "{}", 5 * SECOND);
    add_listed(place, one, 3, "{\"A\":0}", "{}", 5 * SECOND);
    add(place, one, "{}", "", 5 * SECOND);
    add_listed(place, one, 4, "{\"A\":1}", "{0}", 5 * SECOND);
    add_listed(place, one, 5, "", "", 5 * SECOND);
    add_listed(place, one, 6, "{\"A\":1}", "{0}", 5 * SECOND);
    tick(place, 10 * SECOND);
    assert_string_equal(file(place, "a.jsonl"),
                        "{\"idx\":1,\"agents\":[{\"A\":1}],\"event\":\"x\"}\n"
                        "{\"idx\":2,\"agents\":[{\"A\":1}],\"event\":\"x\"}\n"
                        "{\"idx\":3,\"agents\":[{\"A\":0}],\"event\":\"x\"}\n"
                        "{}\n"
                        "{\"idx\":4,\"agents\":[{\"A\":1}],\"event\":\"x\"}\n"
                        "{\"idx\":5,\"agents\":[],\"event\":\"x\"}\n"
                        "{\"idx\":6,\"agents\":[{\"A\":1}],\"event\":\"x\"}\n");
    assert_string_equal(file(place, "b.jsonl"),
                        "{\"idx\":1,\"agents\":[{\"B\":1}],\"event\":\"x\"}\n"
                        "{\"idx\":2,\"agents\":[{\"B\":1}],\"event\":\"x\"}\n");
    assert_string_equal(file(place, "masked/a.jsonl"),
                        "{\"idx\":1,\"agents\":[{}],\"event\":\"x\"}\n"
                        "{\"idx\":2,\"agents\":[{}],\"event\":\"x\"}\n"
                        "{\"idx\":3,\"agents\":[{}],\"event\":\"x\"}\n"
                        "{\"idx\":4,\"agents\":[{0}],\"event\":\"x\"}\n"
                        "{\"idx\":5,\"agents\":[],\"event\":\"x\"}\n"
                        "{\"idx\":6,\"agents\":[{0}],\"event\":\"x\"}\n");
    no_trouble(place);
}

static void a_finished_game_stays_listed_for_30_s_after_its_last_line(void **state)
{
    Place *place = *state;

    place->config.realtime_delay_ms = 5000;
    begin(place);
    RealtimeGame *one = game(place, "a");
    RealtimeGame *two = game(place, "b");
    add(place, one, "{}", "", 0);
    add(place, two, "{}", "", 0);
    realtime_end(place->realtime, one, 0);
    tick(place, 5 * SECOND);
    tick(place, 35 * SECOND - 1);
    assert_non_null(strstr(file(place, "games.json"), "\"a\""));
    assert_int_equal(realtime_deadline(place->realtime), 35 * SECOND);
    tick(place, 35 * SECOND);
    assert_null(strstr(file(place, "games.json"), "\"a\""));
    assert_non_null(strstr(file(place, "games.json"), "\"b\""));
    assert_string_equal(file(place, "a.jsonl"), "{}\n");
    realtime_end(place->realtime, two, 40 * SECOND);
    tick(place, 70 * SECOND);
    assert_string_equal(file(place, "games.json"), "[]");
    assert_int_equal(realtime_deadline(place->realtime), TIME_US_NEVER);
}

static void what_waits_is_written_when_the_server_ends(void **state)
{
    Place *place = *state;

    place->config.realtime_delay_ms = 600 * 1000;
    begin(place);
    RealtimeGame *one = game(place, "a");
    add(place, one, "{\"idx\":1}", "", 0);
    add(place, one, "{\"idx\":2}", "", 0);
    realtime_end(place->realtime, one, 0);
    place->realtime = realtime_free(place->realtime);
    assert_string_equal(file(place, "a.jsonl"), "{\"idx\":1}\n{\"idx\":2}\n");
    assert_string_equal(file(place, "games.json"), "[]");
}

static void the_masked_stream_has_only_what_was_given_for_it(void **state)
{
    Place *place = *state;

    place->config.realtime_masked = true;
    place->config.realtime_delay_ms = 1000;
    begin(place);
    assert_string_equal(file(place, "masked/games.json"), "[]");
    RealtimeGame *one = game_of(place, "ID", "a");
    add(place, one, "{\"role\":\"SEER\"}", "", 0);
    tick(place, SECOND);
    assert_string_equal(file(place, "masked/ID.jsonl"), "");
    assert_string_equal(file(place, "masked/games.json"), "[]");
    add(place, one, "{\"role\":\"WEREWOLF\"}", "{}", SECOND);
    tick(place, 2 * SECOND);
    assert_string_equal(file(place, "a.jsonl"), "{\"role\":\"SEER\"}\n{\"role\":\"WEREWOLF\"}\n");
    add(place, one, "", "{\"is\":\"late\"}", 2 * SECOND);
    tick(place, 3 * SECOND);
    assert_string_equal(file(place, "a.jsonl"), "{\"role\":\"SEER\"}\n{\"role\":\"WEREWOLF\"}\n");
    assert_string_equal(file(place, "masked/ID.jsonl"), "{}\n{\"is\":\"late\"}\n");
    assert_string_equal(file(place, "masked/a.jsonl"), "(absent)");
    assert_non_null(strstr(file(place, "masked/games.json"), "\"filename\":\"ID\""));
    assert_non_null(strstr(file(place, "games.json"), "\"filename\":\"a\""));
    no_trouble(place);
}

static void too_much_for_the_queue_is_left_out_and_reported(void **state)
{
    Place *place = *state;
    const size_t each = 1 << 20, limit = 16 * each;
    char *packet = mem_new(each + 1);
    Err err = {0};

    place->config.realtime_delay_ms = 1000;
    begin(place);
    RealtimeGame *one = game(place, "a");
    memset(packet, 'x', each);
    realtime_limit_queue(place->realtime, limit);
    for (size_t i = 0; i < limit / each + 8; i++)
        add(place, one, packet, "", 0);
    assert_true(realtime_trouble(place->realtime, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_false(realtime_trouble(place->realtime, &err));
    tick(place, SECOND);
    file(place, "a.jsonl");
    assert_in_range(place->text.len, limit - 2 * each, limit);
    add(place, one, "{}", "", SECOND); /* there is room again */
    no_trouble(place);
    mem_free(packet);
}

static void a_directory_that_cannot_be_made_is_an_error_that_names_it(void **state)
{
    Place *place = *state;
    char path[192];
    Err err = {0};

    snprintf(path, sizeof(path), "%s/log", place->top);
    assert_int_equal(log_file_write(path, STR("a file"), NULL), 0);
    assert_int_equal(realtime_new(&place->config, &place->realtime, &err), ERR_IO);
    assert_non_null(strstr(err.msg, place->dir));
    assert_null(place->realtime);
}

static void many_games_at_once_come_and_go(void **state)
{
    enum { GAMES = 100, LINES = 50 };
    Place *place = *state;
    RealtimeGame *games[GAMES];

    place->config.realtime_masked = true;
    place->config.realtime_delay_ms = 300;
    begin(place);
    for (int i = 0; i < GAMES; i++) {
        char id[16];
        snprintf(id, sizeof(id), "game%d", i);
        games[i] = game(place, id);
    }
    TimeUs now = 0;
    for (int line = 0; line < LINES; line++)
        for (int i = 0; i < GAMES; i++) {
            add(place, games[i], "{\"masked\":false}", line % 2 ? "{}" : "", now);
            now += 1000;
            if (realtime_deadline(place->realtime) <= now)
                tick(place, now);
        }
    for (int i = 0; i < GAMES; i++)
        realtime_end(place->realtime, games[(i * 37) % GAMES], now);
    tick(place, now + SECOND);
    for (int i = 0; i < GAMES; i++) {
        char name[32];
        snprintf(name, sizeof(name), "game%d.jsonl", i);
        file(place, name);
        assert_int_equal(place->text.len, LINES * strlen("{\"masked\":false}\n"));
    }
    tick(place, now + SECOND + REALTIME_LEAVING_US);
    assert_string_equal(file(place, "games.json"), "[]");
    no_trouble(place);
}

int main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        EACH(the_list_is_empty_at_the_start_whatever_was_left),
        EACH(a_line_without_delay_is_there_at_once_and_its_game_listed),
        EACH(the_list_is_written_at_most_every_200_ms),
        EACH(lines_appear_when_the_delay_is_over_and_not_before),
        EACH(many_lines_that_are_due_at_once_go_to_their_own_files),
        EACH(lines_that_waited_appear_at_most_every_200_ms_however_often_time_is_told),
        EACH(lines_that_waited_have_the_list_of_agents_of_their_own_time),
        EACH(a_finished_game_stays_listed_for_30_s_after_its_last_line),
        EACH(what_waits_is_written_when_the_server_ends),
        EACH(the_masked_stream_has_only_what_was_given_for_it),
        EACH(too_much_for_the_queue_is_left_out_and_reported),
        EACH(a_directory_that_cannot_be_made_is_an_error_that_names_it),
        EACH(many_games_at_once_come_and_go),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
