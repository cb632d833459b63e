/* Anthropic's Messages: no system role among the messages but a text of its own, thoughts and calls
 * of tools as blocks of the content, and marks for what is to be kept ("cache_control").
 *
 * JSON is asked for by a tool that must be called; its input is the answer. A model that thinks
 * can't be made to call one, so it is only told the form. */
#include "llm/endpoint_parts.h"

#define THINK_MIN 1024 /* tokens; less is refused */
#define TOOL      "decision"

/* ---- requests ---- */

static void write_mark(Json *json)
{
    json_key(json, STR("cache_control"));
    json_open(json, '{');
    json_add_str(json, "type", STR("ephemeral"));
    json_close(json);
}

static void write_block(Json *json, Str text, bool marked)
{
    json_open(json, '[');
    json_open(json, '{');
    json_add_str(json, "type", STR("text"));
    json_add_str(json, "text", text);
    if (marked)
        write_mark(json);
    json_close(json);
    json_close(json);
}

static bool is_system(const json_t *entry)
{
    return str_eq(llm_json_text(json_get(entry, "role")), STR("system"));
}

static void write_system(const json_t *all, uint32_t stable, Json *json)
{
    CLEANUP(buf_done) Buf text = {0};

    for (size_t i = 0; i < json_count(all); i++)
        if (is_system(json_at(all, i)))
            buf_printf(&text, "%s%.*s", text.len ? "\n\n" : "",
                       STR_ARG(llm_json_text(json_get(json_at(all, i), "content"))));
    if (!text.len)
        return;
    json_key(json, STR("system"));
    write_block(json, buf_str(&text), stable > 0);
}

static void write_entries(const json_t *all, uint32_t stable, Json *json)
{
    json_key(json, STR("messages"));
    json_open(json, '[');
    for (size_t i = 0; i < json_count(all); i++) {
        const json_t *entry = json_at(all, i);
        if (is_system(entry))
            continue;
        json_open(json, '{');
        json_add_str(json, "role", llm_json_text(json_get(entry, "role")));
        json_key(json, STR("content"));
        if (i + 1 == stable)
            write_block(json, llm_json_text(json_get(entry, "content")), true);
        else
            json_put_str(json, llm_json_text(json_get(entry, "content")));
        json_close(json);
    }
    json_close(json);
}

static void write_tool(Str schema, Json *json)
{
    json_key(json, STR("tools"));
    json_open(json, '[');
    json_open(json, '{');
    json_add_str(json, "name", STR(TOOL));
    json_add_str(json, "description", STR("Gives your decision to the game."));
    json_key(json, STR("input_schema"));
    json_put_raw(json, schema);
    json_close(json);
    json_close(json);
    json_key(json, STR("tool_choice"));
    json_open(json, '{');
    json_add_str(json, "type", STR("tool"));
    json_add_str(json, "name", STR(TOOL));
    json_close(json);
}

static void write_thinking(const LlmEndpointSetup *setup, const LlmDialect *dialect,
                           uint32_t tokens, Json *json)
{
    static const char *const efforts[] = {[THINK_UNSAID] = "medium",
                                          [THINK_OFF] = "low",
                                          [THINK_LOW] = "low",
                                          [THINK_MEDIUM] = "medium",
                                          [THINK_HIGH] = "high"};

    json_key(json, STR("thinking"));
    json_open(json, '{');
    json_add_str(json, "type", dialect->adaptive ? STR("adaptive") : STR("enabled"));
    if (!dialect->adaptive)
        json_add_uint(json, "budget_tokens", tokens);
    json_close(json);
    if (!dialect->adaptive)
        return;
    json_key(json, STR("output_config"));
    json_open(json, '{');
    json_add_str(json, "effort", str_of(efforts[setup->think.level]));
    json_close(json);
}

/* A model that thinks takes neither a temperature nor top_p; and of the two others take one. */
static void write_sampling(const LlmEndpointSetup *setup, const LlmDialect *dialect, bool thinks,
                           Json *json)
{
    double temperature = setup->temperature > 1 ? 1 : setup->temperature;

    if (temperature >= 0 && !dialect->no_temperature && !thinks) {
        json_key(json, STR("temperature"));
        json_put_real(json, temperature, 2);
    }
    if (setup->top_p > 0 && !dialect->no_top_p && !thinks) {
        json_key(json, STR("top_p"));
        json_put_real(json, setup->top_p, 2);
    }
    if (setup->stops && setup->stops[0] && !dialect->no_stop)
        llm_stops_write(setup->stops, "stop_sequences", json);
}

void llm_anthropic_write(const LlmEndpointSetup *setup, const LlmDialect *dialect,
                         const LlmAsk *ask, Json *json)
{
    json_t *all = llm_json_load(ask->messages);
    uint32_t most = llm_request_tokens(setup, dialect);
    uint32_t think = llm_think_tokens(&setup->think, dialect->raised);
    bool thinks = setup->think.level > THINK_OFF && !dialect->no_think;

    if (think < THINK_MIN)
        think = THINK_MIN;
    if (thinks && most <= think) /* the answer is to have room behind the thoughts */
        think = most / 2 > THINK_MIN ? most / 2 : THINK_MIN;
    if (thinks && most <= think)
        most = think + LLM_ANSWER_TOKENS;
    json_add_uint(json, "max_tokens", most);
    write_system(all, ask->stable, json);
    write_entries(all, ask->stable, json);
    json_add_bool(json, "stream", false);
    if (thinks)
        write_thinking(setup, dialect, think, json);
    write_sampling(setup, dialect, thinks, json);
    if (ask->schema.len && dialect->form == FORM_SCHEMA && !thinks)
        write_tool(ask->schema, json);
    json_done(all);
}

/* ---- answers ---- */

static void add_tool(const json_t *input, Buf *text)
{
    if (!json_is_map(input))
        return;
    buf_clear(text); /* what stands before a call is no part of it */
    llm_json_dump(input, text);
}

void llm_anthropic_read(const json_t *root, LlmReply *reply)
{
    const json_t *blocks = json_get(root, "content");
    const json_t *usage = json_get(root, "usage");
    bool called = false;

    for (size_t i = 0; i < json_count(blocks); i++) {
        const json_t *block = json_at(blocks, i);
        Str type = llm_json_text(json_get(block, "type"));
        if (str_eq(type, STR("thinking")))
            buf_add(&reply->reasoning, llm_json_text(json_get(block, "thinking")));
        if (str_eq(type, STR("text")) && !called)
            buf_add(&reply->text, llm_json_text(json_get(block, "text")));
        if (str_eq(type, STR("tool_use")) && !called) {
            called = true;
            add_tool(json_get(block, "input"), &reply->text);
        }
    }
    reply->cached_tokens = llm_json_count(usage, "cache_read_input_tokens");
    reply->prompt_tokens = llm_json_count(usage, "input_tokens") + reply->cached_tokens +
                           llm_json_count(usage, "cache_creation_input_tokens");
    reply->answer_tokens = llm_json_count(usage, "output_tokens");
}
