#include "llm/event_stream.h"

#include "base/json.h"
#include "llm/endpoint_parts.h"

#define COUNT_MAX 8

/* Counts of tokens, and in which object of a piece they stand. */
static const struct {
    const char *object;
    const char *name;
} counts[LLM_ANTHROPIC + 1][COUNT_MAX] = {
    [LLM_OPENAI] = {{NULL, "prompt_tokens"},
                    {NULL, "completion_tokens"},
                    {"prompt_tokens_details", "cached_tokens"},
                    {"completion_tokens_details", "reasoning_tokens"}},
    [LLM_OLLAMA] = {{NULL, "prompt_eval_count"}, {NULL, "eval_count"}},
    [LLM_ANTHROPIC] = {{NULL, "input_tokens"},
                       {NULL, "output_tokens"},
                       {NULL, "cache_read_input_tokens"},
                       {NULL, "cache_creation_input_tokens"}},
};

/* What was put together so far. */
typedef struct Joined {
    LlmApi api;
    Buf text;
    Buf thoughts;
    Buf call;                   /* the arguments of a tool's call */
    uint32_t counts[COUNT_MAX]; /* of tokens, by the names below; 0 = not told */
    Buf model;
    Buf error; /* JSON */
    Buf finish;
    bool pieces; /* there was one at least */
    bool ended;
} Joined;

static void joined_done(Joined *joined)
{
    buf_done(&joined->text);
    buf_done(&joined->thoughts);
    buf_done(&joined->call);
    buf_done(&joined->finish);
    buf_done(&joined->model);
    buf_done(&joined->error);
}

static Str text_at(const json_t *object, const char *name)
{
    return llm_json_text(json_get(object, name));
}

static void keep_finish(Joined *joined, Str finish)
{
    if (!finish.len)
        return;
    buf_clear(&joined->finish);
    buf_add(&joined->finish, finish);
}

/* Later counts are those of all so far. */
static void keep_usage(Joined *joined, const json_t *usage)
{
    for (size_t i = 0; i < COUNT_MAX && counts[joined->api][i].name; i++) {
        const char *object = counts[joined->api][i].object;
        uint32_t count =
            llm_json_count(object ? json_get(usage, object) : usage, counts[joined->api][i].name);
        if (count)
            joined->counts[i] = count;
    }
}

static void add_thoughts(const json_t *piece, Buf *out)
{
    static const char *const fields[] = {"reasoning_content", "reasoning", "thinking"};

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        if (text_at(piece, fields[i]).len) {
            buf_add(out, text_at(piece, fields[i]));
            return;
        }
}

/* ---- pieces ---- */

static void take_openai(Joined *joined, const json_t *piece)
{
    const json_t *choice = json_at(json_get(piece, "choices"), 0);
    const json_t *delta = json_get(choice, "delta");

    if (!delta)
        delta = json_get(choice, "message"); /* some send it whole */
    const json_t *call = json_at(json_get(delta, "tool_calls"), 0);
    buf_add(&joined->text, text_at(delta, "content"));
    buf_add(&joined->call, text_at(json_get(call, "function"), "arguments"));
    add_thoughts(delta, &joined->thoughts);
    keep_finish(joined, text_at(choice, "finish_reason"));
    keep_usage(joined, json_get(piece, "usage"));
    joined->pieces |= choice != NULL;
    joined->ended |= joined->finish.len > 0;
}

static void take_ollama(Joined *joined, const json_t *piece)
{
    const json_t *message = json_get(piece, "message");

    buf_add(&joined->text, text_at(message, "content"));
    add_thoughts(message, &joined->thoughts);
    keep_finish(joined, text_at(piece, "done_reason"));
    joined->pieces |= json_is_map(message);
    keep_usage(joined, piece);
    bool done = false;
    joined->ended |= json_as_bool(json_get(piece, "done"), &done) && done;
}

static void take_anthropic(Joined *joined, const json_t *piece)
{
    Str type = text_at(piece, "type");
    const json_t *delta = json_get(piece, "delta");

    buf_add(&joined->text, text_at(delta, "text"));
    buf_add(&joined->thoughts, text_at(delta, "thinking"));
    buf_add(&joined->call, text_at(delta, "partial_json"));
    keep_finish(joined, text_at(delta, "stop_reason"));
    keep_usage(joined, json_get(json_get(piece, "message"), "usage"));
    keep_usage(joined, json_get(piece, "usage"));
    joined->pieces |= type.len > 0;
    joined->ended |= str_eq(type, STR("message_stop"));
}

static void take_piece(Joined *joined, Str text)
{
    if (str_eq(text, STR("[DONE]"))) {
        joined->ended = joined->pieces;
        return;
    }
    json_t *piece = llm_json_load(text);
    const json_t *error = json_get(piece, "error");

    if (error && !joined->error.len)
        llm_json_dump(error, &joined->error);
    if (!joined->model.len)
        buf_add(&joined->model, text_at(piece, "model"));
    if (joined->api == LLM_OPENAI)
        take_openai(joined, piece);
    else if (joined->api == LLM_OLLAMA)
        take_ollama(joined, piece);
    else
        take_anthropic(joined, piece);
    json_done(piece);
}

/* ---- lines ---- */

static bool is_stream(LlmApi api, Str body)
{
    static const char *const starts[] = {"data:", "event:", "id:", "retry:", ":"};

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
        if (str_starts(body, str_of(starts[i])))
            return true;
    return api == LLM_OLLAMA && str_starts(body, STR("{")); /* it is no JSON as a whole */
}

static Str cut_line(Str *rest)
{
    Str line = str_cut(rest, '\n');

    return line.len && line.bytes[line.len - 1] == '\r' ? str_part(line, 0, line.len - 1) : line;
}

/* An event's data may stand in several lines; servers of models write one. */
static void take_events(Joined *joined, Str rest)
{
    CLEANUP(buf_done) Buf data = {0};

    while (rest.len) {
        Str line = cut_line(&rest);
        if (str_starts(line, STR("data:"))) {
            buf_add(&data, data.len ? STR("\n") : STR(""));
            buf_add(&data, str_trim(str_part(line, strlen("data:"), SIZE_MAX)));
        } else if (joined->api == LLM_OLLAMA && str_starts(line, STR("{"))) {
            take_piece(joined, line);
        }
        if ((line.len == 0 || rest.len == 0) && data.len) {
            take_piece(joined, buf_str(&data));
            buf_clear(&data);
        }
    }
}

/* ---- the whole ---- */

static void write_message(const Joined *joined, const char *thoughts, Json *json)
{
    json_key(json, STR("message"));
    json_open(json, '{');
    json_add_str(json, "content", buf_str(&joined->text));
    json_add_str(json, thoughts, buf_str(&joined->thoughts));
    if (joined->call.len) {
        json_key(json, STR("tool_calls"));
        json_open(json, '[');
        json_open(json, '{');
        json_key(json, STR("function"));
        json_open(json, '{');
        json_add_str(json, "arguments", buf_str(&joined->call));
        json_close(json);
        json_close(json);
        json_close(json);
    }
    json_close(json);
}

static void write_block(Json *json, const char *type, const Buf *text)
{
    if (!text->len)
        return;
    json_open(json, '{');
    json_add_str(json, "type", str_of(type));
    json_add_str(json, type, buf_str(text));
    json_close(json);
}

/* The input of a call that is no JSON is none. */
static void write_content(const Joined *joined, Json *json)
{
    json_t *input = llm_json_load(buf_str(&joined->call));

    json_key(json, STR("content"));
    json_open(json, '[');
    write_block(json, "thinking", &joined->thoughts);
    write_block(json, "text", &joined->text);
    if (json_is_map(input)) {
        json_open(json, '{');
        json_add_str(json, "type", STR("tool_use"));
        json_key(json, STR("input"));
        json_put_raw(json, buf_str(&joined->call));
        json_close(json);
    }
    json_close(json);
    json_done(input);
}

static void write_counts(const Joined *joined, Json *json)
{
    for (size_t i = 0; i < COUNT_MAX && counts[joined->api][i].name; i++) {
        const char *object = counts[joined->api][i].object;
        if (!joined->counts[i])
            continue;
        if (object) {
            json_key(json, str_of(object));
            json_open(json, '{');
        }
        json_add_uint(json, counts[joined->api][i].name, joined->counts[i]);
        if (object)
            json_close(json);
    }
}

static void write_usage(const Joined *joined, Json *json)
{
    json_key(json, STR("usage"));
    json_open(json, '{');
    write_counts(joined, json);
    json_close(json);
}

static void write_openai(const Joined *joined, Json *json)
{
    json_key(json, STR("choices"));
    json_open(json, '[');
    json_open(json, '{');
    write_message(joined, "reasoning_content", json);
    json_add_str(json, "finish_reason", buf_str(&joined->finish));
    json_close(json);
    json_close(json);
    write_usage(joined, json);
}

static void write_whole(const Joined *joined, Buf *out)
{
    Json json = json_over(out);

    json_open(&json, '{');
    json_add_str(&json, "model", buf_str(&joined->model));
    if (joined->api == LLM_OPENAI) {
        write_openai(joined, &json);
    } else if (joined->api == LLM_OLLAMA) {
        write_message(joined, "thinking", &json);
        json_add_str(&json, "done_reason", buf_str(&joined->finish));
        write_counts(joined, &json);
    } else {
        write_content(joined, &json);
        json_add_str(&json, "stop_reason", buf_str(&joined->finish));
        write_usage(joined, &json);
    }
    if (joined->error.len) {
        json_key(&json, STR("error"));
        json_put_raw(&json, buf_str(&joined->error));
    }
    json_close(&json);
}

bool llm_stream_join(LlmApi api, Str body, Buf *out, bool *ret_ended)
{
    CLEANUP(joined_done) Joined joined = {.api = api};

    *ret_ended = false;
    if (!is_stream(api, str_trim(body)))
        return false;
    take_events(&joined, str_trim(body));
    if (!joined.pieces && !joined.error.len)
        return false;
    *ret_ended = joined.ended;
    write_whole(&joined, out);
    return true;
}
