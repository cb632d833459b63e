#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"
#include "record/logs.h"
#include "record/nlp_files.h"

/* A directory for one test, removed at its end with all that is in it, one level deep. */
typedef struct Place {
    char dir[64];
    Buf path;
} Place;

static int set_up(void **state)
{
    Place *place = mem_new(sizeof(*place));

    snprintf(place->dir, sizeof(place->dir), "/tmp/warg-test-XXXXXX");
    if (!mkdtemp(place->dir))
        return -1;
    *state = place;
    return 0;
}

static const char *in_place(Place *place, const char *name)
{
    buf_clear(&place->path);
    buf_printf(&place->path, "%s/%s", place->dir, name);
    return buf_cstr(&place->path);
}

static int tear_down(void **state)
{
    static const char *const files[] = {"g.log", "g.json", "g.jsonl", "g_2.jsonl", "deep/er/g.log"};
    Place *place = *state;

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        unlink(in_place(place, files[i]));
    rmdir(in_place(place, "deep/er"));
    rmdir(in_place(place, "deep"));
    assert_int_equal(rmdir(place->dir), 0);
    buf_done(&place->path);
    mem_free(place);
    return 0;
}

/* ---- names ---- */

static const NlpSeat three[] = {
    {.team = {"", 0}},
    {.original = {"kano2", 5}, .team = {"kano", 4}},
    {.original = {"b\"1", 3}, .team = {"b\"", 2}},
    {.original = {"kano1", 5}, .team = {"kano", 4}},
};

static int open_three(const Place *place, const uint8_t *roles, bool milliseconds,
                      JsonLog **ret_log, Err *err)
{
    const JsonLogSetup setup = {.dir = place->dir,
                                .stem = "g",
                                .game_id = STR("G"),
                                .seats = three,
                                .roles = roles,
                                .seat_count = 3,
                                .milliseconds = milliseconds};

    return json_log_open(&setup, ret_log, err);
}

static const char *stem_of(Buf *out, const char *pattern, const NlpSeat *seats, SeatNo count)
{
    buf_clear(out);
    nlp_file_stem(pattern, STR("01G"), 1778646800, seats, count, out);
    return buf_cstr(out);
}

static void a_stem_is_the_pattern_with_its_words_filled_in(void **state)
{
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    assert_string_equal(stem_of(&out, "{timestamp}_{teams}", three, 3), "1778646800_b\"_kano_kano");
    assert_string_equal(stem_of(&out, "a{game_id}{other}%", three, 3), "a01G{other}%");
    assert_string_equal(stem_of(&out, "", three, 3), "01G");
}

static void what_can_not_stand_in_a_file_name_is_encoded(void **state)
{
    static const NlpSeat odd[] = {
        {.team = {"", 0}},
        {.team = {"../x", 4}},
        {.team = {"\n%\x7F", 3}},
        {.team = {"狼\xFF\0", 5}},
    };
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    assert_string_equal(stem_of(&out, "{teams}", odd, 3), "%0A%25%7F_..%2Fx_狼%FF%00");
    assert_string_equal(stem_of(&out, "{teams}", odd, 1), "_.%2Fx");
    assert_string_equal(stem_of(&out, "..", odd, 1), "_.");
    assert_string_equal(stem_of(&out, "a/b", odd, 1), "a%2Fb");
}

static void a_long_stem_is_cut_between_characters(void **state)
{
    char name[300];
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    for (size_t shift = 0; shift < 3; shift++) {
        NlpSeat seats[2] = {{.team = {name, shift + 240}}, {.team = {name, shift + 240}}};
        memset(name, 'x', shift);
        for (size_t i = 0; i < 80; i++)
            memcpy(name + shift + 3 * i, "狼", 3);
        stem_of(&out, "{teams}", seats, 1);
        assert_true(out.len <= 200 && out.len > 197);
        assert_true(utf8_valid(buf_str(&out)));
        for (size_t i = 0; i < 80; i++)
            memcpy(name + shift + 3 * i, "///", 3);
        stem_of(&out, "{teams}", seats, 1);
        assert_true(out.len <= 200 && out.len > 197);
        assert_string_equal(buf_cstr(&out) + out.len - 3, "%2F");
    }
}

static void touch(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT, 0666);

    assert_true(fd >= 0);
    close(fd);
}

static void a_stem_that_is_taken_in_one_directory_is_numbered_in_all(void **state)
{
    Place *place = *state;
    const char *const dirs[3] = {NULL, place->dir, place->dir};
    CLEANUP(buf_done) Buf stem = {0};

    buf_add(&stem, STR("g"));
    touch(in_place(place, "g.log")); /* nobody writes logs there */
    assert_int_equal(nlp_file_free_stem(dirs, &stem, NULL), 0);
    assert_string_equal(buf_cstr(&stem), "g");
    touch(in_place(place, "g.json"));
    touch(in_place(place, "g_2.jsonl"));
    assert_int_equal(nlp_file_free_stem(dirs, &stem, NULL), 0);
    assert_string_equal(buf_cstr(&stem), "g_3");
    const char *const none[3] = {"/nowhere/at/all", NULL, NULL};
    assert_int_equal(nlp_file_free_stem(none, &stem, NULL), 0);
    assert_string_equal(buf_cstr(&stem), "g_3");
}

/* ---- lines ---- */

static void assert_file(Place *place, const char *name, const char *expected)
{
    CLEANUP(buf_done) Buf text = {0};

    assert_int_equal(log_file_read(in_place(place, name), SIZE_MAX / 2, &text, NULL), 0);
    assert_string_equal(buf_cstr(&text), expected);
}

static void lines_are_in_the_file_as_soon_as_they_are_added(void **state)
{
    Place *place = *state;
    CLEANUP(buf_done) Buf dir = {0};
    LineFile *file;
    Err err = {0};

    buf_add(&dir, str_of(in_place(place, "deep/er")));
    assert_int_equal(line_file_open(buf_cstr(&dir), "g", ".log", &file, &err), 0);
    assert_string_equal(line_file_path(file), in_place(place, "deep/er/g.log"));
    assert_int_equal(line_file_add(file, STR("a\nb\n"), &err), 0);
    assert_file(place, "deep/er/g.log", "a\nb\n");
    assert_int_equal(line_file_add(file, STR("c\n"), &err), 0);
    assert_file(place, "deep/er/g.log", "a\nb\nc\n");
    assert_int_equal(line_file_close(file, true, &err), 0);
    assert_int_equal(line_file_close(NULL, true, &err), 0);
}

static void a_file_that_is_there_is_not_written_over(void **state)
{
    Place *place = *state;
    LineFile *file;
    JsonLog *log;
    Err err = {0};

    touch(in_place(place, "g.json"));
    touch(in_place(place, "g.log"));
    assert_int_equal(line_file_open(place->dir, "g", ".log", &file, &err), ERR_IO);
    assert_non_null(strstr(err.msg, in_place(place, "g.log")));
    assert_int_equal(open_three(place, (const uint8_t[4]){0}, false, &log, NULL), ERR_IO);
    assert_int_equal(line_file_open("/proc/nowhere", "g", ".log", &file, NULL), ERR_IO);
}

/* A file may be only so long: as if the disk were full. */
static struct rlimit allow(rlim_t bytes)
{
    struct rlimit old, tight;

    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    tight = old;
    tight.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    return old;
}

static void a_full_disk_leaves_whole_lines(void **state)
{
    Place *place = *state;
    LineFile *file;
    Err err = {0};

    assert_int_equal(line_file_open(place->dir, "g", ".log", &file, &err), 0);
    assert_int_equal(line_file_add(file, STR("first\n"), &err), 0);
    struct rlimit old = allow(10);
    assert_int_equal(line_file_add(file, STR("second\n"), &err), ERR_IO);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_non_null(strstr(err.msg, "g.log"));
    assert_file(place, "g.log", "first\n");
    assert_int_equal(line_file_add(file, STR("third\n"), NULL), 0);
    assert_int_equal(line_file_close(file, false, NULL), 0);
    assert_file(place, "g.log", "first\nthird\n");
}

static void what_was_added_last_can_be_taken_back(void **state)
{
    Place *place = *state;
    LineFile *file;

    assert_int_equal(line_file_open(place->dir, "g", ".log", &file, NULL), 0);
    assert_int_equal(line_file_add(file, STR("first\n"), NULL), 0);
    assert_int_equal(line_file_add(file, STR("result\n"), NULL), 0);
    line_file_take_back(file);
    assert_file(place, "g.log", "first\n");
    line_file_take_back(file); /* once is enough */
    assert_file(place, "g.log", "first\n");
    assert_int_equal(line_file_add(file, STR("other\n"), NULL), 0);
    assert_int_equal(line_file_close(file, true, NULL), 0);
    assert_file(place, "g.log", "first\nother\n");
}

/* ---- the JSON log ---- */

static const uint8_t roles[] = {ROLE_NONE, ROLE_SEER, ROLE_WEREWOLF, ROLE_VILLAGER};

#define HEAD                                                                                       \
    "{\"agents\":[{\"idx\":1,\"name\":\"kano2\",\"role\":\"SEER\",\"team\":\"kano\"},"             \
    "{\"idx\":2,\"name\":\"b\\\"1\",\"role\":\"WEREWOLF\",\"team\":\"b\\\"\"},"                    \
    "{\"idx\":3,\"name\":\"kano1\",\"role\":\"VILLAGER\",\"team\":\"kano\"}],\"entries\":["
#define TAIL(side) "],\"game_id\":\"G\",\"win_side\":\"" side "\"}"
#define FIRST                                                                                      \
    "{\"agent\":\"Mio\",\"request\":\"{\\\"request\\\":\\\"VOTE\\\"}\",\"request_timestamp\":1,"   \
    "\"response\":\"May\",\"response_timestamp\":2}"
#define SECOND                                                                                     \
    ",{\"agent\":\"\",\"error\":\"late\",\"request\":\"\\\"TALK_PHASE_START\\\"\","                \
    "\"request_timestamp\":3,\"response_timestamp\":4}"

static const JsonEntry first = {.agent = {"Mio", 3},
                                .request = {"{\"request\":\"VOTE\"}", 18},
                                .request_unix_ms = 1999,
                                .response_unix_ms = 2000,
                                .response = {"May", 3}};
static const JsonEntry second = {.request = {"\"TALK_PHASE_START\"", 18},
                                 .request_unix_ms = 3000,
                                 .response_unix_ms = 4000,
                                 .error = {"late", 4}};

static void the_json_log_is_whole_after_every_entry(void **state)
{
    Place *place = *state;
    JsonLog *log;
    Err err = {0};

    assert_int_equal(open_three(place, roles, false, &log, &err), 0);
    assert_file(place, "g.json", HEAD TAIL("NONE"));
    assert_int_equal(json_log_add(log, &first, &err), 0);
    assert_file(place, "g.json", HEAD FIRST TAIL("NONE"));
    assert_int_equal(json_log_add(log, &second, &err), 0);
    assert_file(place, "g.json", HEAD FIRST SECOND TAIL("NONE"));
    assert_int_equal(json_log_close(log, SIDE_WEREWOLF, true, &err), 0);
    assert_file(place, "g.json", HEAD FIRST SECOND TAIL("WEREWOLF"));
    assert_int_equal(json_log_close(NULL, SIDE_NONE, true, &err), 0);
}

static void timestamps_are_milliseconds_when_asked_for(void **state)
{
    CLEANUP(buf_done) Buf text = {0};
    Place *place = *state;
    JsonLog *log;

    assert_int_equal(open_three(place, roles, true, &log, NULL), 0);
    assert_int_equal(json_log_add(log, &first, NULL), 0);
    assert_int_equal(json_log_close(log, SIDE_NONE, false, NULL), 0);
    assert_int_equal(log_file_read(in_place(place, "g.json"), 9999, &text, NULL), 0);
    assert_non_null(strstr(buf_cstr(&text), "\"request_timestamp\":1999,"));
    assert_non_null(strstr(buf_cstr(&text), "\"response_timestamp\":2000}"));
}

static void a_full_disk_leaves_a_json_log_without_the_last_entry(void **state)
{
    Place *place = *state;
    JsonLog *log;
    Err err = {0};

    assert_int_equal(open_three(place, roles, false, &log, &err), 0);
    assert_int_equal(json_log_add(log, &first, &err), 0);
    struct rlimit old = allow(sizeof(HEAD FIRST TAIL("NONE")) + 20);
    assert_int_equal(json_log_add(log, &second, &err), ERR_IO);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_non_null(strstr(err.msg, "g.json"));
    assert_file(place, "g.json", HEAD FIRST TAIL("NONE"));
    assert_int_equal(json_log_add(log, &second, NULL), 0);
    assert_int_equal(json_log_close(log, SIDE_VILLAGER, false, NULL), 0);
    assert_file(place, "g.json", HEAD FIRST SECOND TAIL("VILLAGER"));
}

/* ---- recorded JSON logs ---- */

static Str text_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return value ? (Str){json_string_value(value), json_string_length(value)} : (Str){0};
}

static void write_again(Place *place, json_t *recorded)
{
    const json_t *agents = json_object_get(recorded, "agents");
    const json_t *entries = json_object_get(recorded, "entries");
    NlpSeat seats[SEAT_MAX + 1] = {{.team = {"", 0}}};
    uint8_t role_of_seat[SEAT_MAX + 1] = {0};
    JsonLog *log;

    for (size_t i = 0; i < json_array_size(agents); i++) {
        const json_t *agent = json_array_get(agents, i);
        seats[i + 1].original = text_of(agent, "name");
        seats[i + 1].team = text_of(agent, "team");
        role_of_seat[i + 1] = (uint8_t)role_of(text_of(agent, "role"));
    }
    const JsonLogSetup setup = {.dir = place->dir,
                                .stem = "g",
                                .game_id = text_of(recorded, "game_id"),
                                .seats = seats,
                                .roles = role_of_seat,
                                .seat_count = (SeatNo)json_array_size(agents),
                                .milliseconds = true};
    assert_int_equal(json_log_open(&setup, &log, NULL), 0);
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        JsonEntry ours = {
            .agent = text_of(entry, "agent"),
            .request = text_of(entry, "request"),
            .response = text_of(entry, "response"),
            .error = text_of(entry, "error"),
            .request_unix_ms = json_integer_value(json_object_get(entry, "request_timestamp")),
            .response_unix_ms = json_integer_value(json_object_get(entry, "response_timestamp")),
        };
        assert_int_equal(json_log_add(log, &ours, NULL), 0);
    }
    assert_int_equal(json_log_close(log, side_of(text_of(recorded, "win_side")), false, NULL), 0);
}

/* Content and order of keys; escapes may differ. */
static void recorded_json_logs_come_out_the_same(void **state)
{
    static const char *const names[] = {
        "05p-plain-01",     "05p-words-01",     "05p-abort-01",           "05p-leave-01",
        "13p-plain-01",     "next-05p-turn-01", "next-05p-free-01",       "next-13p-free-01",
        "next-09p-turn-01", "05p-late-01",      "next-05p-free-leave-01",
    };
    Place *place = *state;
    CLEANUP(buf_done) Buf path = {0};
    CLEANUP(buf_done) Buf text = {0};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        buf_clear(&path);
        buf_printf(&path, "nlp-wire/%s.log.json.gz", names[i]);
        assert_int_equal(logs_read(buf_cstr(&path), &text, NULL), 0);
        json_t *recorded = json_loadb(text.bytes, text.len, JSON_ALLOW_NUL, NULL);
        assert_non_null(recorded);
        write_again(place, recorded);
        buf_clear(&text);
        assert_int_equal(log_file_read(in_place(place, "g.json"), SIZE_MAX / 2, &text, NULL), 0);
        json_t *ours = json_loadb(text.bytes, text.len, JSON_ALLOW_NUL, NULL);
        assert_non_null(ours);
        char *a = json_dumps(recorded, JSON_COMPACT), *b = json_dumps(ours, JSON_COMPACT);
        assert_string_equal(b, a);
        free(a);
        free(b);
        json_decref(recorded);
        json_decref(ours);
        assert_int_equal(unlink(in_place(place, "g.json")), 0);
    }
}

#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stem_is_the_pattern_with_its_words_filled_in),
        cmocka_unit_test(what_can_not_stand_in_a_file_name_is_encoded),
        cmocka_unit_test(a_long_stem_is_cut_between_characters),
        IN_PLACE(a_stem_that_is_taken_in_one_directory_is_numbered_in_all),
        IN_PLACE(lines_are_in_the_file_as_soon_as_they_are_added),
        IN_PLACE(a_file_that_is_there_is_not_written_over),
        IN_PLACE(a_full_disk_leaves_whole_lines),
        IN_PLACE(what_was_added_last_can_be_taken_back),
        IN_PLACE(the_json_log_is_whole_after_every_entry),
        IN_PLACE(timestamps_are_milliseconds_when_asked_for),
        IN_PLACE(a_full_disk_leaves_a_json_log_without_the_last_entry),
        IN_PLACE(recorded_json_logs_come_out_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
