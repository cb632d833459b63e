/* fuzz_llm_stream.c - a stream of events or lines is put together, or is none; what was put
 * together is read like any answer. Input: a byte of the interface, the body. */
#include "llm/endpoint_text.h"
#include "llm/event_stream.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool ended = false;

    if (size < 1)
        return 0;
    LlmApi api = (LlmApi)(data[0] % 3);
    Str body = {(const char *)data + 1, size - 1};
    CLEANUP(buf_done) Buf whole = {0};

    if (!llm_stream_join(api, body, &whole, &ended)) {
        assert(!ended && whole.len == 0);
        return 0;
    }
    LlmDialect sent = {.api = api}, now = sent;
    LlmReply reply = {0};
    llm_reply_read(200, buf_str(&whole), &sent, NULL, &now, &reply);
    assert(!now.streams); /* it is JSON, and of the form of an answer or of an error */
    assert(reply.trouble != TROUBLE_NOT_JSON && reply.trouble != TROUBLE_NO_ANSWER);
    llm_reply_done(&reply);
    return 0;
}
