#include "nlp/speech_work.h"

#include "base/utf8.h"
#include "disk/disk_call.h"
#include "net/child.h"
#include "nlp/hls.h"
#include "nlp/speech_files.h"

#include <unistd.h>

#define QUERY_BYTES   (1024u * 1024u)
#define SOUND_BYTES   (32u * 1024u * 1024u)
#define WHY_CHARS     200
#define ARGUMENTS_MAX 200
#define LAST_PIECE_US 50000 /* a shorter rest goes into the piece before it */

typedef enum Step { QUERY, SYNTHESIS, LENGTH, WHOLE, PREPARE, SPLIT, MEASURE } Step;

struct SpeechWork {
    Loop *loop;
    HttpClient *http;
    const ConfigSpeech *config;
    void (*done)(void *user, const SpeechSound *sound, const Err *err, TimeUs now);
    void *user;
    Step step;
    HttpCall *call;
    Child *child;
    Timer *limit; /* of the programs */
    int32_t voice;
    uint32_t number;
    Buf folder;
    Buf wav;
    Buf aac;
    Buf output; /* path of the segment that is made or measured */
    int64_t length_us;
    uint32_t at; /* segment */
    uint32_t count;
    SpeechSegment *segments;
    Err err;
};

/* Arguments of a program; NULL-terminated by their room. */
typedef struct Arguments {
    const char *list[ARGUMENTS_MAX + 1];
    size_t count;
    bool full;
} Arguments;

/* ---- the end ---- */

static void stop_work(SpeechWork *work)
{
    if (work->call)
        http_call_cancel(work->call);
    work->call = NULL;
    work->child = child_free(work->child);
    if (work->limit)
        timer_stop(work->limit);
}

/* work->err says why. */
static void fail_work(SpeechWork *work, TimeUs now)
{
    stop_work(work);
    work->done(work->user, NULL, &work->err, now); /* may free the work */
}

static void finish_work(SpeechWork *work, TimeUs now)
{
    SpeechSound sound = {.segments = work->segments, .count = work->count};

    for (uint32_t i = 0; i < work->count; i++)
        sound.length_us += work->segments[i].length_us;
    stop_work(work);
    work->done(work->user, &sound, NULL, now); /* may free the work */
}

/* ---- programs ---- */

static void add_argument(Arguments *arguments, const char *text)
{
    if (arguments->count < ARGUMENTS_MAX)
        arguments->list[arguments->count++] = text;
    else
        arguments->full = true;
}

static void add_all(Arguments *arguments, const char *const *texts)
{
    for (size_t i = 0; texts && texts[i]; i++)
        add_argument(arguments, texts[i]);
}

static int64_t target_us(const SpeechWork *work)
{
    return work->config->target_ms > 0 ? work->config->target_ms * 1000 : 1000000;
}

/* Name and path of the segment `work->at`. */
static void name_segment(SpeechWork *work)
{
    SpeechSegment *segment = &work->segments[work->at];

    if (work->count == 1)
        snprintf(segment->name, sizeof(segment->name), "segment_%u.ts", work->number);
    else
        snprintf(segment->name, sizeof(segment->name), "segment_%u_%u.ts", work->number, work->at);
    buf_clear(&work->output);
    buf_printf(&work->output, "%s/%s", buf_cstr(&work->folder), segment->name);
}

static void print_seconds(int64_t us, char ret_text[static 32])
{
    snprintf(ret_text, 32, "%lld.%06lld", (long long)(us / 1000000), (long long)(us % 1000000));
}

static void on_ended(void *user, ChildEnd how, TimeUs now);

static int start_program(SpeechWork *work, const Arguments *arguments, Err *err)
{
    ChildPlan plan = {.arguments = arguments->list};

    if (arguments->full)
        return err_set(err, ERR_LIMIT, "%s: more than %d arguments", arguments->list[0],
                       ARGUMENTS_MAX);
    if (buf_failed(&work->output) || buf_failed(&work->wav) || buf_failed(&work->aac))
        return err_set(err, ERR_MEMORY, "speech: out of memory");
    return child_start(work->loop, &plan, on_ended, work, &work->child, err);
}

static int probe_file(SpeechWork *work, const char *path, Err *err)
{
    Arguments arguments = {0};

    add_argument(&arguments, work->config->ffprobe_path);
    add_all(&arguments, work->config->duration_args);
    add_argument(&arguments, path);
    return start_program(work, &arguments, err);
}

static int convert_sound(SpeechWork *work, const Buf *input, const char *const *options,
                         const Buf *output, Err *err)
{
    Arguments arguments = {0};
    char from[32];
    char length[32];

    add_argument(&arguments, work->config->ffmpeg_path);
    add_argument(&arguments, "-i");
    add_argument(&arguments, buf_cstr(input));
    if (work->step == SPLIT) {
        int64_t at = (int64_t)work->at * target_us(work);
        bool last = work->at + 1 == work->count;

        print_seconds(at, from);
        print_seconds(last ? work->length_us - at : target_us(work), length);
        add_argument(&arguments, "-ss");
        add_argument(&arguments, from);
        add_argument(&arguments, "-t");
        add_argument(&arguments, length);
    }
    add_all(&arguments, options);
    add_argument(&arguments, buf_cstr(output));
    return start_program(work, &arguments, err);
}

/* Begins a step of the programs. */
static int enter_step(SpeechWork *work, Step step, Err *err)
{
    work->step = step;
    switch (step) {
    case LENGTH:
        return probe_file(work, buf_cstr(&work->wav), err);
    case WHOLE:
        name_segment(work);
        return convert_sound(work, &work->wav, work->config->convert_args, &work->output, err);
    case PREPARE:
        return convert_sound(work, &work->wav, work->config->pre_convert_args, &work->aac, err);
    case SPLIT:
        name_segment(work);
        return convert_sound(work, &work->aac, work->config->split_args, &work->output, err);
    case MEASURE:
        return probe_file(work, buf_cstr(&work->output), err);
    case QUERY:
    case SYNTHESIS:
        break;
    }
    return err_set(err, ERR_RULE, "speech: no such step");
}

/* LENGTH is known: how many segments there will be. */
static int plan_segments(SpeechWork *work, Err *err)
{
    int64_t target = target_us(work);
    int64_t count = 1;

    if (work->length_us > target)
        count = (work->length_us - LAST_PIECE_US + target - 1) / target;
    if (count < 1)
        count = 1;
    if (count > SPEECH_SEGMENTS_MAX)
        return err_set(err, ERR_LIMIT, "speech: more than %d segments", SPEECH_SEGMENTS_MAX);
    work->segments = mem_new((size_t)count * sizeof(*work->segments));
    if (!work->segments)
        return err_set(err, ERR_MEMORY, "speech: out of memory");
    work->count = (uint32_t)count;
    return enter_step(work, count == 1 ? WHOLE : PREPARE, err);
}

static const char *program_of(const SpeechWork *work)
{
    return work->step == LENGTH || work->step == MEASURE ? "ffprobe" : "ffmpeg";
}

static int check_end(const SpeechWork *work, ChildEnd how, Str printed, Err *err)
{
    CLEANUP(buf_done) Buf text = {0};

    if (!how.status && !how.signal_number)
        return 0;
    child_end_print(how, &text);
    buf_add(&text, STR(": "));
    while (memchr(printed.bytes, '\n', printed.len))
        str_cut(&printed, '\n'); /* the last line */
    utf8_add_printable(printed, WHY_CHARS, &text);
    return err_set(err, ERR_IO, "%s: %s", program_of(work), buf_cstr(&text));
}

static int take_length(const SpeechWork *work, Str printed, int64_t *ret_us, Err *err)
{
    if (hls_length(printed, ret_us))
        return 0;
    return err_set(err, ERR_SYNTAX, "%s: no length in what it printed", program_of(work));
}

/* A program has ended well; the next one is started. *ret_over: there is none. */
static int go_on(SpeechWork *work, Str printed, bool *ret_over, Err *err)
{
    int rc = 0;

    switch (work->step) {
    case LENGTH:
        rc = take_length(work, printed, &work->length_us, err);
        return rc ? rc : plan_segments(work, err);
    case WHOLE:
    case SPLIT:
        return enter_step(work, MEASURE, err);
    case PREPARE:
        return enter_step(work, SPLIT, err);
    case MEASURE:
        rc = take_length(work, printed, &work->segments[work->at].length_us, err);
        if (rc)
            return rc;
        *ret_over = ++work->at == work->count;
        return *ret_over ? 0 : enter_step(work, SPLIT, err);
    case QUERY:
    case SYNTHESIS:
        break;
    }
    return err_set(err, ERR_RULE, "speech: no such step");
}

static void on_ended(void *user, ChildEnd how, TimeUs now)
{
    SpeechWork *work = user;
    Child *child = TAKE(work->child);
    Str printed = child_last_lines(child);
    bool over = false;

    int rc = check_end(work, how, printed, &work->err);
    if (!rc)
        rc = go_on(work, printed, &over, &work->err);
    child_free(child);
    if (rc)
        fail_work(work, now);
    else if (over)
        finish_work(work, now);
}

static void on_limit(void *user, TimeUs now)
{
    SpeechWork *work = user;

    err_set(&work->err, ERR_LIMIT, "%s: not ready after %lld ms", program_of(work),
            (long long)work->config->timeout_ms);
    fail_work(work, now);
}

/* ---- the engine ---- */

static void add_encoded(Buf *out, Str text)
{
    static const char digits[] = "0123456789ABCDEF";

    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.bytes[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '-' || c == '.' || c == '_' || c == '~'; /* RFC 3986 2.3 */

        if (!plain)
            buf_add_char(out, '%');
        buf_add_char(out, plain ? (char)c : digits[c >> 4]);
        if (!plain)
            buf_add_char(out, digits[c & 15]);
    }
}

static void add_host(const SpeechWork *work, Buf *out)
{
    Str host = str_of(work->config->host);

    while (host.len && host.bytes[host.len - 1] == '/')
        host.len--;
    buf_add(out, host);
}

static uint32_t timeout_of(const SpeechWork *work)
{
    int64_t ms = work->config->timeout_ms;

    return ms < 1 ? 1 : ms > INT32_MAX ? INT32_MAX : (uint32_t)ms;
}

static void on_answer(void *user, const HttpAnswer *answer);

static int post_request(SpeechWork *work, Buf *url, Str body, size_t answer_bytes, Err *err)
{
    static const char *const headers[] = {"Content-Type: application/json", NULL};
    HttpAsk ask = {
        .method = "POST",
        .url = buf_cstr(url),
        .headers = body.len ? headers : NULL,
        .body = body,
        .timeout_ms = timeout_of(work),
        .answer_bytes = answer_bytes,
    };

    if (buf_failed(url))
        return err_set(err, ERR_MEMORY, "speech: out of memory");
    return http_call(work->http, &ask, on_answer, work, &work->call, err);
}

static int query_voice(SpeechWork *work, Str text, Err *err)
{
    CLEANUP(buf_done) Buf url = {0};

    if (text.len > SPEECH_TEXT_MAX) {
        size_t len = SPEECH_TEXT_MAX;

        while (len && ((unsigned char)text.bytes[len] & 0xC0) == 0x80)
            len--; /* not in the middle of a character */
        text.len = len;
    }
    add_host(work, &url);
    buf_add(&url, STR("/audio_query?text="));
    add_encoded(&url, text);
    buf_printf(&url, "&speaker=%d", (int)work->voice);
    return post_request(work, &url, (Str){0}, QUERY_BYTES, err);
}

/* QUERY -> SYNTHESIS */
static int synthesise_sound(SpeechWork *work, Str query_json, Err *err)
{
    CLEANUP(buf_done) Buf url = {0};

    work->step = SYNTHESIS;
    add_host(work, &url);
    buf_printf(&url, "/synthesis?speaker=%d", (int)work->voice);
    return post_request(work, &url, query_json, SOUND_BYTES, err);
}

/* SYNTHESIS -> LENGTH */
static int take_sound(SpeechWork *work, Str sound, Err *err)
{
    int rc = speech_file_new(buf_cstr(&work->wav), sound, err);

    timer_in(work->limit, (TimeUs)timeout_of(work) * 1000);
    return rc ? rc : enter_step(work, LENGTH, err);
}

static int check_answer(const SpeechWork *work, const HttpAnswer *answer, Err *err)
{
    const char *what = work->step == QUERY ? "audio_query" : "synthesis";
    CLEANUP(buf_done) Buf why = {0};

    if (answer->status == 200 && answer->body.len)
        return 0;
    utf8_add_printable(answer->status ? answer->body : answer->why, WHY_CHARS, &why);
    if (answer->status)
        return err_set(err, ERR_IO, "%s: status %u: %s", what, answer->status, buf_cstr(&why));
    return err_set(err, ERR_IO, "%s: %s", what, buf_cstr(&why));
}

static void on_answer(void *user, const HttpAnswer *answer)
{
    SpeechWork *work = user;

    work->call = NULL;
    int rc = check_answer(work, answer, &work->err);
    if (!rc)
        rc = work->step == QUERY ? synthesise_sound(work, answer->body, &work->err)
                                 : take_sound(work, answer->body, &work->err);
    if (rc)
        fail_work(work, answer->at);
}

/* ---- the beginning ---- */

int speech_work_begin(Loop *loop, HttpClient *http, const ConfigSpeech *config,
                      const SpeechOrder *order,
                      void (*done)(void *user, const SpeechSound *sound, const Err *err,
                                   TimeUs now),
                      void *user, SpeechWork **ret_work, Err *err)
{
    SpeechWork *work = mem_new(sizeof(*work));

    if (!work)
        return err_set(err, ERR_MEMORY, "speech: out of memory");
    work->loop = loop;
    work->http = http;
    work->config = config;
    work->done = done;
    work->user = user;
    work->voice = order->voice;
    work->number = order->number;
    buf_add(&work->folder, str_of(order->folder));
    buf_printf(&work->wav, "%s.wav", order->temp);
    buf_printf(&work->aac, "%s.aac", order->temp);

    int rc = timer_new(loop, on_limit, work, &work->limit, err);
    if (!rc && (buf_failed(&work->folder) || buf_failed(&work->wav) || buf_failed(&work->aac)))
        rc = err_set(err, ERR_MEMORY, "speech: out of memory");
    if (!rc)
        rc = query_voice(work, order->text, err);
    if (rc) {
        speech_work_free(work);
        return rc;
    }
    *ret_work = work;
    return 0;
}

SpeechWork *speech_work_free(SpeechWork *work)
{
    if (!work)
        return NULL;
    stop_work(work);
    timer_free(work->limit);
    if (work->step > SYNTHESIS) {
        (void)disk_remove(buf_cstr(&work->wav));
        (void)disk_remove(buf_cstr(&work->aac));
    }
    buf_done(&work->folder);
    buf_done(&work->wav);
    buf_done(&work->aac);
    buf_done(&work->output);
    mem_free(work->segments);
    return mem_free(work);
}
