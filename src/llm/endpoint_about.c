/* What a server tells of a model: GET /models or POST /api/show. */
#include "llm/endpoint_parts.h"

/* ---- ollama ---- */

/* "llama.context_length" and the like: the name begins with the architecture. */
static uint32_t context_of_show(const json_t *root)
{
    const json_t *info = json_get(root, "model_info");
    Str end = STR(".context_length");

    for (void *at = json_member(info, NULL); at; at = json_member(info, at)) {
        Str name = str_of(json_member_key(at));
        if (name.len > end.len && str_eq(str_part(name, name.len - end.len, end.len), end))
            return llm_json_count(info, json_member_key(at));
    }
    return 0;
}

/* The line "num_ctx 4096" of the parameters that the model was made with; 0 = none. */
static uint32_t num_ctx_of_show(const json_t *root)
{
    Str rest = llm_json_text(json_get(root, "parameters"));
    uint64_t number;

    while (rest.len) {
        Str line = str_trim(str_cut(&rest, '\n'));
        if (!str_starts(line, STR("num_ctx ")))
            continue;
        if (str_to_uint(str_trim(str_part(line, strlen("num_ctx "), SIZE_MAX)), 100000000, &number))
            return (uint32_t)number;
    }
    return 0;
}

/* ---- lists of models ---- */

static uint32_t context_of_item(const json_t *item)
{
    static const char *const names[] = {"max_model_len", "context_length", "context_window",
                                        "max_context_length", "max_input_tokens"};
    const json_t *meta = json_get(item, "meta");

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (llm_json_count(item, names[i]))
            return llm_json_count(item, names[i]);
    return llm_json_count(meta, "n_ctx") ? llm_json_count(meta, "n_ctx")
                                         : llm_json_count(meta, "n_ctx_train");
}

static void read_list(const json_t *root, Str model, LlmAbout *about)
{
    const json_t *list = json_get(root, "data");

    about->told = json_count(list) > 0;
    for (size_t i = 0; i < json_count(list); i++) {
        const json_t *item = json_at(list, i);
        Str name = llm_json_text(json_get(item, "id"));
        buf_printf(&about->names, "%s%.*s", i ? ", " : "", STR_ARG(name));
        if (!str_eq(name, model))
            continue;
        about->has_model = true;
        about->context = context_of_item(item);
    }
}

void llm_about_read(LlmApi api, Str body, Str model, LlmAbout *about)
{
    json_t *root = llm_json_load(body);

    if (api == LLM_OLLAMA) {
        about->context = context_of_show(root);
        about->num_ctx = num_ctx_of_show(root);
        about->told = about->has_model = json_is_map(json_get(root, "model_info"));
    } else {
        read_list(root, model, about);
    }
    json_done(root);
}

uint32_t llm_about_num_ctx(const LlmAbout *about)
{
    if (about->num_ctx)
        return about->num_ctx;
    return about->context < LLM_NUM_CTX_MOST ? about->context : LLM_NUM_CTX_MOST;
}

void llm_about_done(LlmAbout *about)
{
    buf_done(&about->names);
}
