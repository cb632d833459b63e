/* fuzz_web_gate.c - whatever Host and Origin say: a foreign page gets in only as the server's own
 * or a listed one, and what is told of a refusal is plain.
 *
 * The input: a first byte whose bits say what kind of request it is, then host, origin and user
 * agent, each ended by LF.
 */
#include "net/web_gate.h"

#include <assert.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool has_prefix(Str text, const char *prefix)
{
    return text.len >= strlen(prefix) && strncasecmp(text.bytes, prefix, strlen(prefix)) == 0;
}

static void check_words(Str words)
{
    for (size_t i = 0; i < words.len; i++)
        assert((unsigned char)words.bytes[i] >= 0x20 && (unsigned char)words.bytes[i] < 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const Str hosts[] = {{"contest.example.org", 19}};
    static const Str origins[] = {{"https://viewer.example.org", 26}};
    const WebGate gate = {.hosts = hosts,
                          .host_count = 1,
                          .origins = origins,
                          .origin_count = 1,
                          .names = {{"arena", 5}, {"", 0}},
                          .hosts_key = "warg.hosts",
                          .origins_key = "warg.origins",
                          .program = "client/"};
    CLEANUP(buf_done) Buf out = {0};

    if (!size)
        return 0;
    Str rest = {(const char *)data + 1, size - 1};
    Str host = str_cut(&rest, '\n'), origin = str_cut(&rest, '\n'), agent = str_cut(&rest, '\n');
    const WebHeader headers[] = {
        {STR("Host"), host}, {STR("Origin"), origin}, {STR("User-Agent"), agent}};
    const WebRequest request = {.method = STR("GET"),
                                .path = STR("/"),
                                .headers = headers,
                                .header_count = 3,
                                .wants_websocket = data[0] & 1};

    WebGateSays says = web_gate_judge(&gate, &request);
    if (web_gate_shares(&gate, origin))
        assert(says == WEB_GATE_PASS && has_prefix(origin, "https://viewer.example.org"));
    else if (request.wants_websocket && origin.len && says == WEB_GATE_PASS)
        assert(has_prefix(origin, "http") && host.len);
    if (says != WEB_GATE_PASS) {
        web_gate_explain(&gate, says, &request, &out);
        check_words(buf_str(&out));
    }
    web_gate_host_check(host, NULL);
    web_gate_origin_check(origin, NULL);
    return 0;
}
