/* fuzz_llm_reply.c - whatever a model's server sends is an answer or a failure with a reason, and
 * no reason tells the key. Input: two bytes of status, one of dialect, the body. */
#include "llm/endpoint_text.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define KEY "sk-key-of-the-fuzzer"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    LlmReply reply = {0};

    if (size < 3)
        return 0;
    unsigned status = 100 + (data[0] * 256u + data[1]) % 500;
    LlmDialect sent = {.api = (LlmApi)((data[2] & 3) % 3),
                       .form = (LlmForm)(data[2] >> 2 & 3),
                       .new_limit = data[2] & 16,
                       .no_temperature = data[2] & 16,
                       .no_top_p = data[2] & 16,
                       .no_seed = data[2] & 32,
                       .no_stop = data[2] & 32,
                       .adaptive = data[2] & 16,
                       .no_think = data[2] & 32,
                       .no_template = data[2] & 32,
                       .no_system = data[2] & 64,
                       .raised = data[2] & 128};
    LlmDialect now = sent;
    Str body = {(const char *)data + 3, size - 3};

    static const char *const secrets[] = {KEY, NULL};
    llm_reply_read(status, body, &sent, secrets, &now, &reply);
    if (reply.verdict == VERDICT_ANSWER) {
        assert(status / 100 == 2 && str_trim(buf_str(&reply.text)).len > 0);
    } else {
        assert(reply.why.len > 0 && reply.why.len < 2000);
    }
    assert(!strstr(buf_cstr(&reply.why), KEY) && !strstr(buf_cstr(&reply.text), KEY) &&
           !strstr(buf_cstr(&reply.reasoning), KEY) && !strstr(buf_cstr(&reply.model), KEY));
    /* a new try is one in another form: they come to an end */
    bool changed = now.form != sent.form || now.new_limit != sent.new_limit ||
                   now.no_temperature != sent.no_temperature || now.no_think != sent.no_think ||
                   now.no_template != sent.no_template || now.no_system != sent.no_system ||
                   now.no_top_p != sent.no_top_p || now.no_seed != sent.no_seed ||
                   now.no_stop != sent.no_stop || now.adaptive != sent.adaptive ||
                   now.most != sent.most || now.raised != sent.raised;
    assert(changed == (reply.verdict == VERDICT_DIALECT));
    assert(now.form >= sent.form && now.form <= FORM_NONE && now.api == sent.api);
    LlmAbout about = {0};
    llm_about_read(sent.api, body, STR("m1"), &about);
    llm_about_done(&about);
    llm_reply_done(&reply);
    return 0;
}
