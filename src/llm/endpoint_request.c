/* What every request to a model's server has, and the one that asks what it tells of the model. */
#include "llm/endpoint_call.h"

#define REQUEST_MS   60000 /* the longest that one request may take */
#define CONNECT_MS   2000
#define ABOUT_MS     3000 /* the longest that is waited for what a server tells of itself */
#define ABOUT_BYTES  ((size_t)8 << 20) /* some list a thousand models */
#define ANSWER_BYTES ((size_t)1 << 20)

void llm_headers_list(const LlmEndpoint *endpoint, const char *ret[LLM_HEADERS_MAX + 4])
{
    const char *const *more = endpoint->setup.headers;
    size_t count = 0;

    ret[count++] = "Content-Type: application/json";
    if (endpoint->authorization.len)
        ret[count++] = buf_cstr(&endpoint->authorization);
    if (endpoint->setup.api == LLM_ANTHROPIC)
        ret[count++] = "anthropic-version: 2023-06-01";
    for (size_t i = 0; more && more[i] && i < LLM_HEADERS_MAX; i++)
        ret[count++] = more[i];
    ret[count] = NULL;
}

HttpAsk llm_request_of(const LlmEndpoint *endpoint, const char *const *headers, Str body,
                       TimeUs left)
{
    const LlmEndpointSetup *setup = &endpoint->setup;
    TimeUs most = (TimeUs)(setup->timeout_ms ? setup->timeout_ms : REQUEST_MS) * 1000;

    return (HttpAsk){.method = "POST",
                     .url = buf_cstr(&endpoint->url),
                     .headers = headers,
                     .body = body,
                     .timeout_ms = (uint32_t)((left < most ? left : most) / 1000 + 1),
                     .connect_ms = setup->connect_ms ? setup->connect_ms : CONNECT_MS,
                     .direct = endpoint->direct,
                     .proxy = setup->proxy,
                     .ca_file = setup->ca_file,
                     .answer_bytes = ANSWER_BYTES};
}

/* ---- what the server tells of the model ---- */

static void on_about(void *user, const HttpAnswer *answer)
{
    LlmEndpoint *endpoint = user;

    endpoint->about = NULL;
    if (answer->status == 200)
        llm_about_read(endpoint->setup.api, answer->body, buf_str(&endpoint->model),
                       &endpoint->told);
    if (!endpoint->setup.num_ctx && endpoint->setup.api == LLM_OLLAMA)
        endpoint->setup.num_ctx = llm_about_num_ctx(&endpoint->told);
    alarm_soon(&endpoint->alarm);
}

void llm_about_ask(LlmEndpoint *endpoint)
{
    bool ollama = endpoint->setup.api == LLM_OLLAMA;
    CLEANUP(buf_done) Buf body = {0};
    Json json = json_over(&body);
    const char *headers[LLM_HEADERS_MAX + 4];

    endpoint->about_due = false;
    if (ollama) {
        json_open(&json, '{');
        json_add_str(&json, "model", buf_str(&endpoint->model));
        json_close(&json);
    }
    llm_headers_list(endpoint, headers);
    HttpAsk ask = llm_request_of(endpoint, headers, buf_str(&body), (TimeUs)ABOUT_MS * 1000);
    ask.method = ollama ? "POST" : "GET";
    ask.url = buf_cstr(&endpoint->about_url);
    ask.answer_bytes = ABOUT_BYTES;
    if (endpoint->http.call(endpoint->http.user, &ask, on_about, endpoint, &endpoint->about, NULL))
        endpoint->about = NULL;
}
