/* The file of requests: what is written once, what numbers go on, what a full disk leaves. */
#include "scenes.h"

#include "llm/prompt_log.h"

#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define GUIDE "{\"role\":\"system\",\"content\":\"rules, with \\\"quotes\\\" and ]\"}"
#define ONE   "{\"role\":\"user\",\"content\":\"one, two\"}"
#define TWO   "{\"role\":\"assistant\",\"content\":\"{\\\"action\\\":\\\"listen\\\"}\"}"

typedef struct Place {
    char folder[64];
    char path[96];
} Place;

static int make_place(void **state)
{
    static Place place;

    memset(&place, 0, sizeof(place));
    snprintf(place.folder, sizeof(place.folder), "/tmp/warg-prompts-XXXXXX");
    if (!mkdtemp(place.folder))
        return -1;
    snprintf(place.path, sizeof(place.path), "%s/p01.jsonl", place.folder);
    *state = &place;
    return 0;
}

static int remove_place(void **state)
{
    const Place *place = *state;

    unlink(place->path);
    return rmdir(place->folder);
}

static PromptLog *opened(const Place *place)
{
    PromptLog *log = NULL;

    assert_int_equal(prompt_log_open(place->path, STR("llama \"3\""), &log, NULL), 0);
    return log;
}

/* Line `index` of the file; the caller gives it back. */
static json_t *line_of(const Place *place, size_t index)
{
    char text[4096];
    FILE *file = fopen(place->path, "r");
    json_t *json = NULL;

    assert_non_null(file);
    for (size_t i = 0; i <= index; i++)
        assert_non_null(fgets(text, sizeof(text), file));
    fclose(file);
    json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(json);
    return json;
}

static void number_is(const json_t *line, const char *key, json_int_t value)
{
    assert_true(json_is_integer(json_object_get(line, key)));
    assert_int_equal(json_integer_value(json_object_get(line, key)), value);
}

static void what_comes_again_is_written_once(void **state)
{
    const Place *place = *state;
    PromptLog *log = opened(place);

    assert_int_equal(prompt_log_add(log, STR("[" GUIDE "," ONE "]"), 1000), 0);
    assert_int_equal(prompt_log_add(log, STR("[" GUIDE "," ONE "," TWO "]"), 2000), 1);
    assert_int_equal(prompt_log_add(log, STR("[" GUIDE "," TWO "]"), 3000), 2);
    prompt_log_free(log);

    json_t *first = line_of(place, 0), *second = line_of(place, 1), *third = line_of(place, 2);
    assert_null(json_object_get(first, "as"));
    assert_int_equal(json_array_size(json_object_get(first, "messages")), 2);
    assert_string_equal(json_string_value(json_object_get(first, "model")), "llama \"3\"");
    number_is(first, "t_ms", 1000);
    number_is(second, "as", 0);
    number_is(second, "same", 2);
    assert_int_equal(json_array_size(json_object_get(second, "messages")), 1);
    number_is(third, "as", 1);
    number_is(third, "same", 1);
    const json_t *last = json_array_get(json_object_get(third, "messages"), 0);
    assert_string_equal(json_string_value(json_object_get(last, "content")),
                        "{\"action\":\"listen\"}");
    json_decref(first);
    json_decref(second);
    json_decref(third);
}

static void a_request_said_again_has_no_message_of_its_own(void **state)
{
    const Place *place = *state;
    PromptLog *log = opened(place);

    prompt_log_add(log, STR("[" GUIDE "]"), 1);
    assert_int_equal(prompt_log_add(log, STR("[" GUIDE "]"), 2), 1);
    prompt_log_free(log);
    json_t *line = line_of(place, 1);
    number_is(line, "same", 1);
    assert_int_equal(json_array_size(json_object_get(line, "messages")), 0);
    json_decref(line);
}

static void numbers_go_on_behind_whole_lines(void **state)
{
    const Place *place = *state;
    PromptLog *log = opened(place);

    prompt_log_add(log, STR("[" GUIDE "]"), 1);
    prompt_log_free(log);
    int file = open(place->path, O_WRONLY | O_APPEND);
    assert_int_equal(write(file, "{\"prompt\":1,\"half", 17), 17);
    close(file);
    log = opened(place);
    assert_int_equal(prompt_log_add(log, STR("[" ONE "]"), 2), 1);
    prompt_log_free(log);
    json_t *line = line_of(place, 1);
    assert_null(json_object_get(line, "as")); /* what was before is not at hand any more */
    json_decref(line);
}

static void only_its_owner_reads_it_and_no_link_is_followed(void **state)
{
    const Place *place = *state;
    PromptLog *log = opened(place);
    struct stat about;
    char other[128];

    prompt_log_free(log);
    assert_int_equal(stat(place->path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    snprintf(other, sizeof(other), "%s/other", place->folder);
    assert_int_equal(rename(place->path, other), 0);
    assert_int_equal(symlink(other, place->path), 0);
    log = NULL;
    assert_true(prompt_log_open(place->path, STR("m"), &log, NULL) < 0);
    assert_null(log);
    unlink(other);
}

static void a_full_disk_leaves_whole_lines(void **state)
{
    const Place *place = *state;
    PromptLog *log = opened(place);
    struct stat before, after;

    assert_int_equal(prompt_log_add(log, STR("[" GUIDE "]"), 1), 0);
    assert_int_equal(stat(place->path, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit old, limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = old;
    limit.rlim_cur = (rlim_t)before.st_size + 10;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(prompt_log_add(log, STR("[" ONE "]"), 2), PROMPT_NONE);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(prompt_log_add(log, STR("[" ONE "]"), 3), PROMPT_NONE); /* given up */
    prompt_log_free(log);
    assert_int_equal(stat(place->path, &after), 0);
    assert_int_equal(after.st_size, before.st_size);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(what_comes_again_is_written_once),
        CASE(a_request_said_again_has_no_message_of_its_own),
        CASE(numbers_go_on_behind_whole_lines),
        CASE(only_its_owner_reads_it_and_no_link_is_followed),
        CASE(a_full_disk_leaves_whole_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
