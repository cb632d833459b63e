/* seat_about.c - what a model player is, for records: told once, without what is secret. */
#include "llm/endpoint_text.h"
#include "llm/guide_words.h"
#include "llm/seat_state.h"

static void put_stops(Json *json, const char *const *stops)
{
    if (!stops || !*stops)
        return;
    json_key(json, STR("stop"));
    json_open(json, '[');
    for (; *stops; stops++)
        json_put_str(json, str_of(*stops));
    json_close(json);
}

static void put_sampling(Json *json, const LlmEndpointSetup *setup)
{
    json_key(json, STR("sampling"));
    json_open(json, '{');
    if (setup->temperature >= 0)
        json_add_real(json, "temperature", setup->temperature, 2);
    if (setup->top_p > 0)
        json_add_real(json, "top_p", setup->top_p, 2);
    if (setup->seeded)
        json_add_uint(json, "seed", setup->sampling_seed);
    put_stops(json, setup->stops);
    json_add_uint(json, "max_tokens",
                  setup->max_answer_tokens ? setup->max_answer_tokens : LLM_ANSWER_TOKENS);
    json_close(json);
}

static void put_think(Json *json, const LlmThink *think)
{
    if (think->tokens)
        json_add_uint(json, "think", think->tokens);
    else if (think->level != THINK_UNSAID)
        json_add_str(json, "think", str_of(llm_think_name(think->level)));
}

void llm_seat_about(const LlmSeat *seat, Json *json)
{
    char version[GUIDE_VERSION_BYTES];

    if (seat->endpoint) {
        const LlmEndpointSetup *setup = llm_endpoint_setup(seat->endpoint);
        json_add_str(json, "model", str_of(llm_endpoint_model(seat->endpoint)));
        json_add_str(json, "server", str_of(llm_endpoint_url(seat->endpoint)));
        put_sampling(json, setup);
        put_think(json, &setup->think);
    }
    if (seat->persona.len)
        json_add_str(json, "persona", buf_str(&seat->persona));
    json_add_str(json, "filters", str_of(llm_filters_name(seat->filters)));
    if (!seat->endpoint)
        return;
    guide_version(version);
    json_add_str(json, "prompt_version", str_of(version));
}
