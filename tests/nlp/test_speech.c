#define _GNU_SOURCE /* nftw */
#include "http_stub.h"

#include "nlp/hls.h"
#include "nlp/speech.h"
#include "nlp/speech_files.h"

#include <errno.h>
#include <ftw.h>
#include <sys/stat.h>

#define SECOND ((TimeUs)1000000)

/* ---- the pure part ---- */

static void a_length_is_the_last_line_that_is_a_number(void **state)
{
    int64_t us = 0;

    (void)state;
    assert_true(hls_length(STR("1.536000\n"), &us));
    assert_int_equal(us, 1536000);
    assert_true(hls_length(STR("warning: 12\n3\nsomething\n2.5\r\n"), &us));
    assert_int_equal(us, 2500000);
    assert_true(hls_length(STR("7"), &us));
    assert_int_equal(us, 7000000);
    assert_true(hls_length(STR("0.1234569999"), &us));
    assert_int_equal(us, 123456);
}

static void what_is_no_length_is_refused(void **state)
{
    static const char *const bad[] = {"",     "N/A", "-1",   "0",    "0.000000",
                                      "1e3",  "nan", "inf",  "1,5",  "1.5.2",
                                      "+1",   ".5",  "0x10", "3600", "99999999999999999999",
                                      "1.5 s"};
    int64_t us;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        if (hls_length(str_of(bad[i]), &us))
            fail_msg("'%s' is taken", bad[i]);
    }
}

static void a_playlist_is_as_rfc_8216_wants_it(void **state)
{
    CLEANUP(buf_done) Buf out = {0};

    (void)state;
    hls_begin(&out, 1500);
    hls_add(&out, STR("segment_0.ts"), 1020000);
    hls_add(&out, STR("segment_1_0.ts"), 50);
    hls_end(&out);
    assert_string_equal(buf_cstr(&out), "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n"
                                        "#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:EVENT\n"
                                        "#EXT-X-DISCONTINUITY\n#EXTINF:1.020000,\nsegment_0.ts\n"
                                        "#EXT-X-DISCONTINUITY\n#EXTINF:0.000050,\nsegment_1_0.ts\n"
                                        "#EXT-X-ENDLIST\n");
}

/* ---- an engine, and stand-ins for ffmpeg and ffprobe ---- */

typedef struct Run {
    Loop *loop;
    HttpClient *http;
    Timer *limit;
    Timer *looker;
    Stub stub;
    char root[64]; /* with a blank and what a shell would stumble over */
    char host[64];
    char ffmpeg[128];
    char ffprobe[128];
    char segments[128];
    char temp[128];
    ConfigSpeech config;
    Speech *speech;
    unsigned status; /* of the engine; under the lock */
    bool hang;
    int done;
    int want_done;
    bool free_when_done;
    TimeUs done_at;
    bool timed_out;
    Buf noted;
} Run;

static void serve(void *user, const StubAsk *ask, StubAnswer *ret)
{
    Run *run = user;

    ret->status = run->status;
    ret->hang = run->hang;
    if (run->status != 200)
        buf_add(&ret->body, STR("no such speaker"));
    else if (str_starts(ask->target, STR("/audio_query?")))
        buf_add(&ret->body, STR("{\"query\":1}"));
    else
        buf_add(&ret->body, STR("RIFF"));
}

static void write_file(const Run *run, const char *name, const char *text, mode_t mode)
{
    char path[256];

    snprintf(path, sizeof(path), "%s/%s", run->root, name);
    FILE *out = fopen(path, "we");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(chmod(path, mode), 0);
}

/* How long the whole sound, and each segment, will be. */
static void set_lengths(const Run *run, const char *whole, const char *segment)
{
    write_file(run, "whole", whole, 0644);
    write_file(run, "segment", segment, 0644);
}

/* Runs in the folder of the test: $(dirname "$0"). Keeps its arguments, one line each call. */
static const char fake_ffmpeg[] = "#!/bin/sh\n"
                                  "cd \"$(dirname \"$0\")\" || exit 9\n"
                                  "echo \"$*\" >>calls\n"
                                  "for last; do :; done\n"
                                  "echo sound >\"$last\"\n";
static const char fake_ffprobe[] = "#!/bin/sh\n"
                                   "echo a warning >&2\n"
                                   "for last; do :; done\n"
                                   "cd \"$(dirname \"$0\")\" || exit 9\n"
                                   "[ -s \"$last\" ] || exit 8\n"
                                   "case $last in *.wav) cat whole ;; *) cat segment ;; esac\n";

static void on_limit(void *user, TimeUs now)
{
    Run *run = user;

    (void)now;
    run->timed_out = true;
    loop_stop(run->loop);
}

static void on_look(void *user, TimeUs now)
{
    Run *run = user;

    (void)now;
    if (speech_idle(run->speech) && run->done >= run->want_done)
        loop_stop(run->loop);
    else
        timer_at(run->looker, loop_now() + 1000, false);
}

static void on_note(void *user, Str line)
{
    Run *run = user;

    buf_add(&run->noted, line);
    buf_add_char(&run->noted, '\n');
}

static void on_done(void *user, TimeUs now)
{
    Run *run = user;

    run->done++;
    run->done_at = now;
    if (run->free_when_done)
        run->speech = speech_free(run->speech);
}

static int set_up(void **state)
{
    static const char *const convert[] = {"-c:a", "aac", NULL};
    static const char *const duration[] = {"-v", "error", NULL};
    static const char *const prepare[] = {"-p", "$(false) \"*", NULL};
    static const char *const split[] = {"-c:a", "copy", NULL};
    Run *run = mem_new(sizeof(*run));

    stub_no_proxy();
    assert_non_null(run);
    run->status = 200;
    stub_begin(&run->stub, serve, run);
    snprintf(run->host, sizeof(run->host), "http://127.0.0.1:%u/", run->stub.port);
    snprintf(run->root, sizeof(run->root), "/tmp/warg speech '$(x)-XXXXXX");
    assert_non_null(mkdtemp(run->root));
    snprintf(run->ffmpeg, sizeof(run->ffmpeg), "%s/ffmpeg", run->root);
    snprintf(run->ffprobe, sizeof(run->ffprobe), "%s/ffprobe", run->root);
    snprintf(run->segments, sizeof(run->segments), "%s/cache/segment", run->root);
    snprintf(run->temp, sizeof(run->temp), "%s/temp", run->root);
    write_file(run, "ffmpeg", fake_ffmpeg, 0755);
    write_file(run, "ffprobe", fake_ffprobe, 0755);
    set_lengths(run, "0.5\n", "0.030000\n");
    assert_int_equal(loop_new(&run->loop, NULL), 0);
    assert_int_equal(timer_new(run->loop, on_limit, run, &run->limit, NULL), 0);
    assert_int_equal(timer_new(run->loop, on_look, run, &run->looker, NULL), 0);
    assert_int_equal(http_client_new(run->loop, &run->http, NULL), 0);
    run->config = (ConfigSpeech){
        .enable = true,
        .target_ms = 1000,
        .segment_dir = run->segments,
        .temp_dir = run->temp,
        .host = run->host,
        .timeout_ms = 20000,
        .ffmpeg_path = run->ffmpeg,
        .ffprobe_path = run->ffprobe,
        .convert_args = convert,
        .duration_args = duration,
        .pre_convert_args = prepare,
        .split_args = split,
    };
    *state = run;
    return 0;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

static int tear_down(void **state)
{
    Run *run = *state;

    speech_free(run->speech);
    loop_free(run->loop);
    stub_end(&run->stub);
    nftw(run->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    buf_done(&run->noted);
    mem_free(run);
    return 0;
}

static void serve_with(Run *run, unsigned status, bool hang)
{
    pthread_mutex_lock(&run->stub.lock);
    run->status = status;
    run->hang = hang;
    pthread_mutex_unlock(&run->stub.lock);
}

static void begin(Run *run)
{
    Err err = {0};

    if (speech_new(run->loop, run->http, &run->config, on_note, run, &run->speech, &err))
        fail_msg("%s", err.msg);
}

/* Until nothing is being made and `done` was called so often. */
static void settle(Run *run, int done)
{
    run->want_done = done;
    timer_at(run->limit, loop_now() + 60 * SECOND, false);
    timer_at(run->looker, 0, false);
    loop_run(run->loop);
    assert_false(run->timed_out);
}

static bool say(Run *run, const char *text)
{
    return speech_say(run->speech, STR("G1"), str_of(text), 3, loop_now(), on_done, run);
}

static const char *read_file(const Run *run, const char *name, Buf *out)
{
    char path[256];
    char bytes[4096];
    size_t n;

    buf_clear(out);
    snprintf(path, sizeof(path), "%s/%s", run->root, name);
    FILE *in = fopen(path, "re");
    while (in && (n = fread(bytes, 1, sizeof(bytes), in)))
        buf_add(out, (Str){bytes, n});
    if (in)
        fclose(in);
    return buf_cstr(out);
}

static bool there_is(const Run *run, const char *name)
{
    char path[256];

    snprintf(path, sizeof(path), "%s/%s", run->root, name);
    return access(path, F_OK) == 0;
}

static bool holds(const Buf *text, const char *part)
{
    return strstr(buf_cstr(text), part);
}

#define PLAYLIST "cache/segment/G1/playlist.m3u8"

/* ---- tests ---- */

static void an_utterance_becomes_a_segment_and_the_game_waits_for_its_sound(void **state)
{
    Run *run = *state;
    CLEANUP(buf_done) Buf text = {0};

    begin(run);
    speech_game_begin(run->speech, STR("G1"), loop_now());
    assert_true(there_is(run, PLAYLIST)); /* before there is any sound */
    settle(run, 0);
    TimeUs start = loop_now();
    assert_true(say(run, "\xe3\x81\x82 b&c"));
    assert_int_equal(run->done, 0);
    settle(run, 1);
    assert_true(run->done_at - start >= 30000);
    assert_string_equal(read_file(run, PLAYLIST, &text),
                        "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n"
                        "#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:EVENT\n"
                        "#EXT-X-DISCONTINUITY\n#EXTINF:0.030000,\nsegment_0.ts\n"
                        "#EXT-X-DISCONTINUITY\n#EXTINF:0.030000,\nsegment_1.ts\n");
    assert_string_equal(read_file(run, "cache/segment/G1/segment_1.ts", &text), "sound\n");

    const StubAsk *query = stub_asked(&run->stub, 2);
    assert_true(str_eq(query->method, STR("POST")));
    assert_true(str_eq(query->target, STR("/audio_query?text=%E3%81%82%20b%26c&speaker=3")));
    const StubAsk *synthesis = stub_asked(&run->stub, 3);
    assert_true(str_eq(synthesis->target, STR("/synthesis?speaker=3")));
    assert_true(str_eq(synthesis->body, STR("{\"query\":1}")));
    assert_true(str_eq(stub_header(synthesis, "Content-Type:"), STR("application/json")));
    assert_string_equal(buf_cstr(&run->noted), "");
}

static void the_notices_of_a_game_are_spoken_by_speaker_23(void **state)
{
    Run *run = *state;
    CLEANUP(buf_done) Buf text = {0};

    begin(run);
    speech_game_begin(run->speech, STR("G1"), loop_now());
    speech_game_end(run->speech, STR("G1"), loop_now());
    settle(run, 0);
    assert_int_equal(stub_count(&run->stub), 4);
    for (size_t i = 0; i < 4; i++) {
        Str target = stub_asked(&run->stub, i)->target;

        assert_true(str_eq(str_part(target, target.len - 11, 11), STR("&speaker=23")) ||
                    str_eq(target, STR("/synthesis?speaker=23")));
    }
    read_file(run, PLAYLIST, &text);
    assert_true(holds(&text, "segment_0.ts\n"));
    assert_true(holds(&text, "segment_1.ts\n#EXT-X-ENDLIST\n"));
    assert_false(say(run, "late")); /* the game is over */
}

static void a_long_utterance_is_cut_into_segments(void **state)
{
    Run *run = *state;
    CLEANUP(buf_done) Buf text = {0};
    CLEANUP(buf_done) Buf want = {0};

    set_lengths(run, "2.5\n", "0.010000\n");
    begin(run);
    speech_game_begin(run->speech, STR("G1"), loop_now());
    settle(run, 0);
    read_file(run, PLAYLIST, &text);
    assert_true(holds(&text, "segment_0_0.ts"));
    assert_true(holds(&text, "segment_0_2.ts"));
    assert_false(holds(&text, "segment_0_3.ts"));

    read_file(run, "calls", &text);
    buf_printf(&want, "-ss 0.000000 -t 1.000000 -c:a copy %s/G1/segment_0_0.ts\n", run->segments);
    assert_true(holds(&text, buf_cstr(&want)));
    buf_clear(&want);
    buf_printf(&want, "-ss 2.000000 -t 0.500000 -c:a copy %s/G1/segment_0_2.ts\n", run->segments);
    assert_true(holds(&text, buf_cstr(&want)));
    assert_true(holds(&text, ".wav -p $(false) \"* ")); /* no shell read it */
    assert_true(holds(&text, ".aac\n"));
}

static void a_rest_too_short_for_a_segment_goes_into_the_one_before(void **state)
{
    Run *run = *state;
    CLEANUP(buf_done) Buf text = {0};

    set_lengths(run, "2.02\n", "0.010000\n");
    begin(run);
    speech_game_begin(run->speech, STR("G1"), loop_now());
    settle(run, 0);
    read_file(run, "calls", &text);
    assert_true(holds(&text, "-ss 1.000000 -t 1.020000 "));
    assert_false(holds(&text, "-ss 2.0"));
}

static void utterances_keep_their_order(void **state)
{
    Run *run = *state;

    begin(run);
    speech_game_begin(run->speech, STR("G1"), loop_now());
    assert_true(say(run, "one"));
    assert_true(say(run, "two"));
    assert_true(say(run, "three"));
    settle(run, 3);
    assert_int_equal(stub_count(&run->stub), 8);
    assert_true(str_starts(stub_asked(&run->stub, 2)->target, STR("/audio_query?text=one&")));
    assert_true(str_starts(stub_asked(&run->stub, 4)->target, STR("/audio_query?text=two&")));
    assert_true(str_starts(stub_asked(&run->stub, 6)->target, STR("/audio_query?text=three&")));
}

static void games_are_apart(void **state)
{
    Run *run = *state;
    CLEANUP(buf_done) Buf text = {0};

    begin(run);
    speech_game_begin(run->speech, STR("G1"), loop_now());
    speech_game_begin(run->speech, STR("G2"), loop_now());
    assert_true(say(run, "one"));
    assert_false(speech_say(run->speech, STR("G3"), STR("x"), 1, loop_now(), on_done, run));
    settle(run, 1);
    assert_true(holds((read_file(run, PLAYLIST, &text), &text), "segment_1.ts"));
    read_file(run, "cache/segment/G2/playlist.m3u8", &text);
    assert_true(holds(&text, "segment_0.ts"));
    assert_false(holds(&text, "segment_1.ts"));
}

static void an_engine_that_fails_costs_sound_only(void **state)
{
    Run *run = *state;

    begin(run);
    serve_with(run, 422, false);
    speech_game_begin(run->speech, STR("G1"), loop_now());
    assert_true(say(run, "one"));
    settle(run, 1);
    assert_string_equal(buf_cstr(&run->noted),
                        "no sound in game G1: audio_query: status 422: no such speaker\n");
    assert_true(say(run, "two"));
    assert_true(say(run, "three"));
    settle(run, 3);                 /* the third failure in a row was that of "two" */
    assert_false(say(run, "four")); /* a while of silence */
    assert_int_equal(stub_count(&run->stub), 3);
    speech_game_end(run->speech, STR("G1"), loop_now());
    settle(run, 3);
}

static void an_engine_that_works_again_is_used_again(void **state)
{
    Run *run = *state;
    CLEANUP(buf_done) Buf text = {0};

    begin(run);
    serve_with(run, 500, false);
    speech_game_begin(run->speech, STR("G1"), loop_now());
    settle(run, 0);
    serve_with(run, 200, false);
    assert_true(say(run, "one"));
    settle(run, 1);
    assert_true(holds((read_file(run, PLAYLIST, &text), &text), "segment_1.ts"));
}

static void an_engine_that_hangs_runs_into_the_time_limit(void **state)
{
    Run *run = *state;

    run->config.timeout_ms = 30;
    begin(run);
    serve_with(run, 200, true);
    speech_game_begin(run->speech, STR("G1"), loop_now());
    assert_true(say(run, "one"));
    settle(run, 1);
    assert_string_equal(buf_cstr(&run->noted),
                        "no sound in game G1: audio_query: no answer within 30 ms\n");
}

static void a_program_that_fails_or_is_missing_costs_sound_only(void **state)
{
    Run *run = *state;

    write_file(run, "ffmpeg", "#!/bin/sh\necho a line\necho no codec\nexit 3\n", 0755);
    begin(run);
    speech_game_begin(run->speech, STR("G1"), loop_now());
    settle(run, 0);
    assert_string_equal(buf_cstr(&run->noted),
                        "no sound in game G1: ffmpeg: exit status 3: no codec\n");
    run->config.ffprobe_path = "/nonexistent/ffprobe";
    assert_true(say(run, "one"));
    settle(run, 1);
    run->config.ffprobe_path = "true"; /* prints nothing */
    assert_true(say(run, "two"));
    settle(run, 2);
}

static void a_program_that_hangs_is_ended(void **state)
{
    Run *run = *state;

    write_file(run, "ffprobe", "#!/bin/sh\nexec sleep 1000\n", 0755);
    begin(run);
    run->config.timeout_ms = 200;
    speech_game_begin(run->speech, STR("G1"), loop_now());
    assert_true(say(run, "one"));
    settle(run, 1);
    assert_true(str_starts(buf_str(&run->noted), STR("no sound in game G1: ")));
}

static void with_async_a_game_waits_for_nothing(void **state)
{
    Run *run = *state;
    CLEANUP(buf_done) Buf text = {0};

    run->config.async = true;
    begin(run);
    speech_game_begin(run->speech, STR("G1"), loop_now());
    assert_false(say(run, "one"));
    settle(run, 0);
    assert_int_equal(run->done, 0);
    assert_true(holds((read_file(run, PLAYLIST, &text), &text), "segment_1.ts"));
}

static void a_queue_that_is_full_takes_no_more(void **state)
{
    Run *run = *state;

    begin(run);
    serve_with(run, 200, true); /* the notice hangs */
    speech_game_begin(run->speech, STR("G1"), loop_now());
    for (int i = 0; i < SPEECH_QUEUE_MAX; i++)
        assert_true(say(run, "x"));
    assert_false(say(run, "x"));
}

static void no_done_comes_after_the_end_of_a_game(void **state)
{
    Run *run = *state;
    CLEANUP(buf_done) Buf text = {0};

    begin(run);
    speech_game_begin(run->speech, STR("G1"), loop_now());
    assert_true(say(run, "one"));
    speech_game_end(run->speech, STR("G1"), loop_now());
    settle(run, 0);
    timer_stop(run->limit);
    loop_run(run->loop);
    assert_int_equal(run->done, 0);
    read_file(run, PLAYLIST, &text); /* it is heard all the same */
    assert_true(holds(&text, "segment_2.ts\n#EXT-X-ENDLIST\n"));
}

static void earlier_games_are_taken_out_and_other_files_stay(void **state)
{
    Run *run = *state;
    char path[256];

    assert_int_equal(speech_folder_make("", NULL), ERR_IO);
    assert_int_equal(speech_folder_make(".", NULL), 0);
    assert_int_equal(speech_folder_make(run->segments, NULL), 0);
    static const char *const folders[] = {"old", "mixed"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof(path), "%s/%s", run->segments, folders[i]);
        assert_int_equal(speech_folder_make(path, NULL), 0);
    }
    write_file(run, "cache/segment/old/playlist.m3u8", "x", 0644);
    write_file(run, "cache/segment/old/segment_0_1.ts", "x", 0644);
    write_file(run, "cache/segment/mixed/segment_0.ts", "x", 0644);
    write_file(run, "cache/segment/mixed/letter.txt", "x", 0644);
    write_file(run, "cache/segment/notes.txt", "x", 0644);
    write_file(run, "segment_9.ts", "x", 0644);
    snprintf(path, sizeof(path), "%s/link", run->segments);
    assert_int_equal(symlink(run->root, path), 0);
    begin(run);
    assert_false(there_is(run, "cache/segment/old"));
    assert_false(there_is(run, "cache/segment/mixed/segment_0.ts"));
    assert_true(there_is(run, "cache/segment/mixed/letter.txt"));
    assert_true(there_is(run, "cache/segment/notes.txt"));
    assert_true(there_is(run, "segment_9.ts")); /* links are not followed */
}

static void an_id_that_is_no_folder_name_is_refused(void **state)
{
    static const char *const ids[] = {"../G1", "", ".", "a/b", "a b"};
    Run *run = *state;

    begin(run);
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        speech_game_begin(run->speech, str_of(ids[i]), loop_now());
        assert_false(
            speech_say(run->speech, str_of(ids[i]), STR("x"), 1, loop_now(), on_done, run));
    }
    assert_true(speech_idle(run->speech));
}

static void the_end_comes_at_any_moment(void **state)
{
    Run *run = *state;
    CLEANUP(buf_done) Buf text = {0};

    begin(run);
    speech_game_begin(run->speech, STR("G1"), loop_now());
    assert_true(say(run, "one"));
    run->speech = speech_free(run->speech);
    loop_run(run->loop);
    assert_int_equal(run->done, 0);
    assert_true(holds((read_file(run, PLAYLIST, &text), &text), "#EXT-X-ENDLIST\n"));

    begin(run);
    run->free_when_done = true;
    speech_game_begin(run->speech, STR("G1"), loop_now());
    assert_true(say(run, "one"));
    assert_true(say(run, "two"));
    loop_run(run->loop);
    assert_int_equal(run->done, 1);
}

static void nothing_is_left_in_the_temporary_folder(void **state)
{
    Run *run = *state;

    begin(run);
    speech_game_begin(run->speech, STR("G1"), loop_now());
    settle(run, 0);
    run->speech = speech_free(run->speech);
    assert_int_equal(rmdir(run->temp), 0);
}

static void speech_that_is_off_does_nothing(void **state)
{
    Run *run = *state;

    run->config.enable = false;
    begin(run);
    speech_game_begin(run->speech, STR("G1"), loop_now());
    assert_false(say(run, "one"));
    speech_game_end(run->speech, STR("G1"), loop_now());
    assert_false(there_is(run, "cache"));
    loop_run(run->loop);
    assert_int_equal(stub_count(&run->stub), 0);
}

static void a_folder_that_cannot_be_made_is_an_error(void **state)
{
    Run *run = *state;
    Err err = {0};

    run->config.segment_dir = "/dev/null/segment";
    assert_int_equal(
        speech_new(run->loop, run->http, &run->config, on_note, run, &run->speech, &err), ERR_IO);
    assert_true(str_starts(str_of(err.msg), STR("make directory '/dev/null/segment': ")));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_length_is_the_last_line_that_is_a_number),
        cmocka_unit_test(what_is_no_length_is_refused),
        cmocka_unit_test(a_playlist_is_as_rfc_8216_wants_it),
        TEST(an_utterance_becomes_a_segment_and_the_game_waits_for_its_sound),
        TEST(the_notices_of_a_game_are_spoken_by_speaker_23),
        TEST(a_long_utterance_is_cut_into_segments),
        TEST(a_rest_too_short_for_a_segment_goes_into_the_one_before),
        TEST(utterances_keep_their_order),
        TEST(games_are_apart),
        TEST(an_engine_that_fails_costs_sound_only),
        TEST(an_engine_that_works_again_is_used_again),
        TEST(an_engine_that_hangs_runs_into_the_time_limit),
        TEST(a_program_that_fails_or_is_missing_costs_sound_only),
        TEST(a_program_that_hangs_is_ended),
        TEST(with_async_a_game_waits_for_nothing),
        TEST(a_queue_that_is_full_takes_no_more),
        TEST(no_done_comes_after_the_end_of_a_game),
        TEST(earlier_games_are_taken_out_and_other_files_stay),
        TEST(an_id_that_is_no_folder_name_is_refused),
        TEST(the_end_comes_at_any_moment),
        TEST(nothing_is_left_in_the_temporary_folder),
        TEST(speech_that_is_off_does_nothing),
        TEST(a_folder_that_cannot_be_made_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
