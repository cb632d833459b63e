/* fuzz_websocket.c - however the bytes are cut, the messages and the answers are the same; what is
 * answered can be read by the other side; the handshake's answer is read without harm.
 *
 * The first byte is the seed of the cuts, its lowest bit the role.
 */
#include "base/mem.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "net/websocket.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MESSAGE_BYTES 5000

/* What was sent in answer, as the other side sees it. */
static void read_answers(bool by_client, Str sent, Buf *out)
{
    WebSocket *other = websocket_new(by_client, MESSAGE_BYTES);
    CLEANUP(buf_done) Buf answers = {0};
    Str message;

    assert(other);
    websocket_feed(other, sent);
    WebSocketEvent event = websocket_next(other, &message, &answers);
    assert(event == WEBSOCKET_MORE || event == WEBSOCKET_CLOSED);
    buf_printf(out, "%d %u %zu", (int)event, websocket_code(other), sent.len);
    websocket_free(other);
}

static void read_all(bool is_client, Str all, Rng *rng, Buf *out)
{
    WebSocket *socket = websocket_new(is_client, MESSAGE_BYTES);
    WebSocketEvent event = WEBSOCKET_MORE;
    CLEANUP(buf_done) Buf sent = {0};

    assert(socket);
    while (all.len && event == WEBSOCKET_MORE) {
        size_t n = rng ? 1 + rng_below(rng, rng_below(rng, 2) ? 3 : (uint32_t)all.len) : all.len;
        Str piece = str_part(all, 0, n);
        char *copy = mem_new(piece.len);
        Str message;

        assert(copy);
        memcpy(copy, piece.bytes, piece.len);
        websocket_feed(socket, (Str){copy, piece.len});
        while ((event = websocket_next(socket, &message, &sent)) == WEBSOCKET_MESSAGE) {
            assert(utf8_valid(message) && message.len <= 3 * MESSAGE_BYTES);
            buf_add_char(out, '[');
            buf_add(out, message);
            buf_add_char(out, ']');
        }
        mem_free(copy);
        all = str_part(all, piece.len, SIZE_MAX);
    }
    buf_printf(out, "%d %u ", (int)event, websocket_code(socket));
    read_answers(!is_client, buf_str(&sent), out);
    websocket_free(socket);
}

static void read_handshake(Str all)
{
    CLEANUP(buf_done) Buf url = {0};
    unsigned status;
    size_t used = 0;
    WebSocketUrl to;

    if (websocket_answer(all, "dGhlIHNhbXBsZSBub25jZQ==", &used, &status, NULL) > 0)
        assert(used <= all.len && status == 101);
    buf_add(&url, STR("ws://"));
    buf_add(&url, all);
    if (websocket_url(buf_cstr(&url), &to, NULL) == 0)
        assert(to.host[0] && to.port);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    CLEANUP(buf_done) Buf want = {0};
    CLEANUP(buf_done) Buf got = {0};
    Str all = {(const char *)data + 1, size - 1};
    Rng rng = rng_new(data[0]);

    read_all(data[0] & 1, all, NULL, &want);
    read_all(data[0] & 1, all, &rng, &got);
    assert(str_eq(buf_str(&want), buf_str(&got)));
    read_handshake(all);
    return 0;
}
